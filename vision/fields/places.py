"""Which places of a board are looked at, and what may lie there in which game."""

from __future__ import annotations

from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field
from engine.position import TOP
from vision.geometry.bodies import Body, body_of, heap_of

# What lies on which kind of field, per game (CONTRACT.md: what a camera can meet at the table). A field
# kind that is missing here carries nothing in that game. "top" is the capstone of a trilith.
GAME_PIECES: dict[str, dict[str, tuple[str, ...]]] = {
    "stonehenge": {"space": ("druid",), "line": ("megalith",)},
    "build": {
        "ring": ("block", "figure"),
        "bluestone": ("disc", "figure"),
        "trilith": ("trilith", "figure"),
        "top": ("disc",),
    },
    "council": {"ring": ("disc", "figure"), "trilith": ("block",), "altar": ("trilith",)},
    "rolling": {"trilith": ("trilith",), "top": ("disc",)},
    "ramming": {"slot": ("block",), "pair": ("trilith",), "top": ("figure",)},
    "roulette": {"ring": ("figure",), "pit": ("disc",)},
}
# Where nobody knows the game.
ANY_ON_TOP = {"top": ("disc", "figure")}
# What a bare grey stone looks like in even light (display-referred BGR).
USUAL_STONE = (0.55, 0.55, 0.55)
# Fields on which pieces of one colour may be heaped.
HEAPS = {("council", "trilith")}
# A block of `build` lies anywhere on its number field (CONTRACT.md): on the coloured part, on the slot under
# its number, or between the two.
NUMBER_FIELDS = {("build", "ring"): "slot"}
# Fields on which several pieces lie together: read as areas, not as one place, where no game says else.
AREAS = ("yard", "altar")
# So many fields that are not in use tell what empty print looks like.
BYSTANDERS = 16
# The network has a slot for each shape that a body can have.
SLOTS = ("cylinder", "box", "figure", "trilith")
MOST_BODIES = len(SLOTS)


@dataclass(frozen=True)
class Place:
    """One place to look at: where it is (mm, tangent angle), how high its ground is, what may stand there.

    under: the trilith whose capstone is this place's ground, and its upper faces' shade in even light
    (display-referred, 0..1). covers: the fields that a piece here hides.
    spots: where else on the field its boxes may lie."""

    id: str
    at_mm: tuple[float, float]
    angle_deg: float
    bodies: tuple[Body, ...]
    radius_mm: float
    ground_mm: float = 0.0
    under: Body | None = None
    under_bgr: tuple[float, float, float] = USUAL_STONE
    covers: tuple[str, ...] = field(default=())
    spots: tuple[tuple[float, float], ...] = field(default=())

    @property
    def slots(self) -> tuple[int, ...]:
        """Per body its slot in the network: that of its shape, or a free one if two share a shape."""
        taken: list[int] = []
        for body in self.bodies:
            own = SLOTS.index(body.shape) if body.shape in SLOTS else SLOTS.index("box")
            free = [slot for slot in range(MOST_BODIES) if slot not in taken]
            taken.append(own if own in free else free[0])
        return tuple(taken)

    def likeliest(self, kind: NDArray[np.float32]) -> tuple[int, Body]:
        """The slot and the body that the network holds for likeliest; kind: (6,) its probabilities of empty,
        those in the slots, hidden."""
        return max(zip(self.slots, self.bodies, strict=True), key=lambda each: kind[1 + each[0]])


def places_of(board: Board, game: str | None = None) -> tuple[Place, ...]:
    """The single-piece places of `board` in `game` (None, or a game of one's own: whatever the board file's
    pieces say). A trilith across two ring fields is a place of its own, "ring-4+ring-5"."""
    if game in GAME_PIECES:
        table = GAME_PIECES[game]
    else:
        table = {}
        for name, piece in board.pieces.items():
            for kind in piece.on:
                table[kind] = (*table.get(kind, ()), name)
    found = [
        replace(
            _field_place(board, each, table, heaps=(game, each.kind) in HEAPS),
            spots=_spots(board, each, NUMBER_FIELDS.get((game or "", each.kind))),
        )
        for each in board.fields.values()
        if game in GAME_PIECES or each.kind not in AREAS
    ]
    found += _pairs(board, table)
    return tuple(place for place in found if place.bodies)


def colours_of(board: Board, game: str | None, kind: str) -> tuple[str, ...]:
    """The colours that pieces of a kind can have in `game`. The grey figure is the ball of `roulette`, and
    the only figure there."""
    colours = board.pieces[kind].colours
    if kind == "figure" and game in GAME_PIECES:
        return ("grey",) if game == "roulette" else tuple(c for c in colours if c != "grey")
    return colours


def bystanders_of(board: Board, game: str | None) -> tuple[Place, ...]:
    """Fields on which nothing lies in `game`, as places for a disc: they show what empty print looks like."""
    if game not in GAME_PIECES or "disc" not in board.pieces:
        return ()
    used = {*GAME_PIECES[game], *AREAS, *(NUMBER_FIELDS.get((game, kind), "") for kind in GAME_PIECES[game])}
    used |= {"ring"} if "pair" in GAME_PIECES[game] else set()
    disc = body_of(board.pieces["disc"])
    free = [each for each in board.fields.values() if each.kind not in used]
    some = free[:: max(1, len(free) // BYSTANDERS)]
    return tuple(Place(each.id, each.centre_mm, each.angle_deg, (disc,), _reach_mm(each)) for each in some)


def top_place(board: Board, under: Place, kinds: tuple[str, ...]) -> Place:
    """The capstone of a trilith standing at `under`, as a place for pieces of `kinds`."""
    bodies = tuple(body_of(board.pieces[kind]) for kind in kinds if kind in board.pieces)
    trilith = body_of(board.pieces["trilith"])
    return Place(under.id + TOP, under.at_mm, under.angle_deg, bodies, 8.0, trilith.top_mm, trilith)


def _field_place(board: Board, each: Field, table: dict[str, tuple[str, ...]], heaps: bool) -> Place:
    names = [*table.get(each.kind, ()), *table.get(each.id, ())]
    bodies = tuple(body_of(board.pieces[name]) for name in dict.fromkeys(names) if name in board.pieces)
    if heaps:
        bodies += tuple(heap_of(board.pieces[body.kind]) for body in bodies)
    return Place(each.id, each.centre_mm, each.angle_deg, bodies[:MOST_BODIES], _reach_mm(each))


def _spots(board: Board, each: Field, beside: str | None) -> tuple[tuple[float, float], ...]:
    """The middle of the field of kind `beside` that belongs to this one, and halfway to it."""
    other = board.fields.get(f"{beside}-{each.id.rpartition('-')[2]}")
    if other is None:
        return ()
    (x, y), (there_x, there_y) = each.centre_mm, other.centre_mm
    return (there_x, there_y), ((x + there_x) / 2, (y + there_y) / 2)


def _reach_mm(each: Field) -> float:
    """How far a carelessly placed piece may be off: a third of the field's smaller half-width."""
    return each.radius_mm


def _pairs(board: Board, table: dict[str, tuple[str, ...]]) -> list[Place]:
    if "pair" not in table:
        return []
    bodies = tuple(body_of(board.pieces[name]) for name in table["pair"] if name in board.pieces)
    found = []
    for first, second in board.neighbours:
        a, b = board.fields[first], board.fields[second]
        if a.kind == "ring" and b.kind == "ring":
            (ax, ay), (bx, by) = a.centre_mm, b.centre_mm
            angle = float(np.degrees(np.arctan2(by - ay, bx - ax)))
            found.append(
                Place(
                    f"{first}+{second}",
                    ((ax + bx) / 2, (ay + by) / 2),
                    angle,
                    bodies,
                    min(a.radius_mm, b.radius_mm),
                    covers=(first, second),
                )
            )
    return found
