"""From a position to solid bodies: where exactly each piece lies, a little off-centre, touching nothing.

Convention: board mm (x right, y down), `base_mm` above the board's face, angles clockwise from +x.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace

from engine.board import Board, Field
from engine.position import TOP, Piece
from sample_images.generator.scene import Placement
from sample_images.generator.sets import PieceSet

Point = tuple[float, float]
GAP_MM = 0.6
TABLE_MM = -2.5  # the table beside the board
TRIES = 120


@dataclass(frozen=True)
class Body:
    """One solid thing. `pose`: standing, lying or flat; `key` names the piece it belongs to."""

    kind: str
    colour: str
    x_mm: float
    y_mm: float
    angle_deg: float
    base_mm: float
    pose: str
    key: str


@dataclass(frozen=True)
class Placed:
    """A piece with its coordinates filled in, and its bodies."""

    piece: Piece
    bodies: tuple[Body, ...]


def keyed(pieces: Iterable[Piece]) -> dict[str, Piece]:
    """Each piece under a name of its own: its place, what it is, and which of several alike it is."""
    named: dict[str, Piece] = {}
    for piece in pieces:
        spot = piece.place or f"{piece.x_mm},{piece.y_mm}{TOP if piece.on else ''}"
        alike = sum(name.startswith(f"{spot} {piece.thing} #") for name in named)
        named[f"{spot} {piece.thing} #{alike}"] = piece
    return named


def place_pieces(
    pieces: Iterable[Piece],
    board: Board,
    pieces_set: PieceSet,
    placement: Placement,
    seed: int,
    before: Mapping[str, Placed] | None = None,
) -> dict[str, Placed]:
    """Every piece of a position with its exact place, under its name (see `keyed`).

    A piece that is in `before` stays exactly where it was. Raises ValueError for a piece without a place."""
    before = before or {}
    wanted = sorted(keyed(pieces).items(), key=lambda item: (item[1].on is not None, _size_order(item[1])))
    placed = {key: before[key] for key, _ in wanted if key in before}
    for key, piece in wanted:
        if key not in placed:
            chance = random.Random(f"{seed} {key}")
            placed[key] = _Setter(board, pieces_set, placement, chance, placed, key).put(piece)
    return placed


def _size_order(piece: Piece) -> int:
    order = ("trilith", "card", "pillar", "capstone", "block", "druid", "figure", "megalith", "disc")
    return order.index(piece.kind) if piece.kind in order else len(order)


@dataclass
class _Setter:
    """Puts one piece down among those that already lie there."""

    board: Board
    set: PieceSet
    placement: Placement
    chance: random.Random
    placed: Mapping[str, Placed]
    key: str

    def put(self, piece: Piece) -> Placed:
        if piece.on == "trilith":
            return self._on_trilith(piece)
        if piece.x_mm is not None and piece.y_mm is not None:
            base = self._capstone_top(piece) if self._on_board(piece.x_mm, piece.y_mm) else TABLE_MM
            return self._finish(piece, piece.x_mm, piece.y_mm, piece.angle_deg or 0.0, base)
        if piece.fields:
            return self._on_pair(piece)
        below = [
            lies
            for lies in self.placed.values()
            if lies.piece.kind == piece.kind == "disc"
            and lies.piece.field == piece.field
            and lies.piece.on is None
            and not self._is_yard(piece)
        ]
        if below:
            return self._stacked(piece, below)
        if piece.field not in self.board.fields:
            raise ValueError(f"{piece.thing}: no field {piece.field!r} on board {self.board.id}")
        return self._on_field(piece, self.board.fields[piece.field])

    def _on_board(self, x: float, y: float) -> bool:
        return 0 <= x <= self.board.size_mm[0] and 0 <= y <= self.board.size_mm[1]

    def _is_yard(self, piece: Piece) -> bool:
        return piece.field in self.board.fields and self.board.fields[piece.field].kind == "yard"

    def _capstone_top(self, piece: Piece) -> float:
        """How high a disc lies that marks a capstone lying in a yard; 0 for everything else."""
        stone = self.set.trilith
        marks = piece.kind == "disc" and any(
            lies.piece.kind == "capstone"
            and lies.piece.field == piece.field
            and math.dist((lies.bodies[0].x_mm, lies.bodies[0].y_mm), (piece.x_mm or 0, piece.y_mm or 0)) < 8
            for lies in self.placed.values()
        )
        return stone.capstone_height - stone.recess if marks else 0.0

    def _stacked(self, piece: Piece, below: list[Placed]) -> Placed:
        """A disc on those that lie in the same pit already."""
        lowest = below[0].bodies[0]
        height = sum(len(lies.bodies) for lies in below) * self.set.disc.height
        x, y = (self._askew(value) for value in (lowest.x_mm, lowest.y_mm))
        return self._finish(piece, x, y, self.chance.uniform(0, 360), height)

    def _askew(self, value: float) -> float:
        most = self.placement.askew_mm
        return value + self.chance.uniform(-most, most)

    def _on_trilith(self, piece: Piece) -> Placed:
        below = self._trilith_below(piece)
        stone = self.set.trilith
        slide = self.chance.uniform(-1, 1)
        turn = math.radians(below.angle_deg)
        x, y = below.x_mm + slide * math.cos(turn), below.y_mm + slide * math.sin(turn)
        base = stone.pillar_height + stone.capstone_height - stone.recess
        return self._finish(piece, x, y, self.chance.uniform(0, 360), base)

    def _trilith_below(self, piece: Piece) -> Body:
        place = (piece.place or "").removesuffix(TOP)
        for lies in self.placed.values():
            other = lies.piece
            same = other.place == place if place else (other.x_mm, other.y_mm) == (piece.x_mm, piece.y_mm)
            if other.kind == "trilith" and same:
                return lies.bodies[0]
        raise ValueError(
            f"{piece.thing} on a trilith: there is no trilith at {place or (piece.x_mm, piece.y_mm)}"
        )

    def _on_pair(self, piece: Piece) -> Placed:
        a, b = (self.board.fields[name].centre_mm for name in piece.fields or ())
        off = self.placement.off_centre
        middle = ((a[0] + b[0]) / 2, (a[1] + b[1]) / 2)
        turn = math.degrees(math.atan2(b[1] - a[1], b[0] - a[0])) + self.chance.gauss(0, 4 * off)
        x, y = (value + self.chance.uniform(-6, 6) * off for value in middle)
        return self._finish(piece, x, y, turn)

    def _on_field(self, piece: Piece, field: Field) -> Placed:
        """A free spot in the field: the first of many tries that touches nothing, else the least bad."""
        best, least = None, math.inf
        for attempt in range(TRIES):
            x, y = self._spot(piece, field, 0.97**attempt)
            found = self._finish(piece, x, y, self._turn(piece, field))
            clash = self._clash(found) + self._outside(found, field)
            if clash == 0:
                return found
            if clash < least:
                best, least = found, clash
        assert best is not None
        return best

    def _spot(self, piece: Piece, field: Field, share: float) -> Point:
        """A yard is used anywhere, a shared altar too; other fields around their middle."""
        shared = field.kind == "altar" and any(lies.piece.field == field.id for lies in self.placed.values())
        if field.kind == "yard" or shared:
            xs, ys = zip(*field.outline_mm(), strict=True)
            return self.chance.uniform(min(xs), max(xs)), self.chance.uniform(min(ys), max(ys))
        steady = piece.kind == "trilith" or (piece.kind == "block" and piece.count != 1)
        reach = share * self.placement.off_centre * field.radius_mm * (0.4 if steady else 1.0)
        away, where = reach * math.sqrt(self.chance.random()), self.chance.uniform(0, 2 * math.pi)
        home = self._landing(piece, field)
        return home[0] + away * math.cos(where), home[1] + away * math.sin(where)

    def _outside(self, new: Placed, field: Field) -> float:
        """In a yard or on the altar: how far the corners of the footprints lie outside, in mm (roughly)."""
        if field.kind not in ("yard", "altar") or field.polygon_mm is None:
            return 0.0
        corners = [c for body in new.bodies for foot in footprints(body, self.set, self.board) for c in foot]
        out = [c for c in corners if not field.contains(*c)]
        return sum(5 + math.dist(c, field.centre_mm) / 10 for c in out)

    def _landing(self, piece: Piece, field: Field) -> Point:
        slot = self.board.fields.get(field.id.replace("ring-", "slot-"))
        on_slot = self.placement.on_slot and piece.kind == "block" and field.kind == "ring" and slot
        return slot.centre_mm if on_slot else field.centre_mm

    def _turn(self, piece: Piece, field: Field) -> float:
        spread = self.placement.turn_deg
        if piece.kind in ("block", "trilith", "capstone", "megalith"):
            along = field.angle_deg + self.chance.choice((0, 180))
            share = 0.4 if piece.kind == "trilith" or piece.count != 1 else 1.0
            return along + share * self.chance.uniform(-spread, spread)
        if piece.kind == "card":
            return 90 * self.chance.randrange(4) + self.chance.uniform(-12, 12)
        return self.chance.uniform(0, 360)

    def _clash(self, new: Placed) -> float:
        """How many mm deep the new piece sinks into others (0: free)."""
        total = 0.0
        near = [each for each in self.placed.values() if each.piece.on is None]
        for body in new.bodies:
            for other in (b for lies in near for b in lies.bodies):
                if math.dist((body.x_mm, body.y_mm), (other.x_mm, other.y_mm)) > 75:
                    continue
                for mine in footprints(body, self.set, self.board):
                    for theirs in footprints(other, self.set, self.board):
                        total += max(0.0, overlap_mm(mine, theirs) + GAP_MM)
        return total

    def _finish(self, piece: Piece, x: float, y: float, angle: float, base: float = 0.0) -> Placed:
        if piece.kind == "figure" and piece.facing:
            angle = self._facing(piece, x, y)
        kept = replace(piece, x_mm=round(x, 2), y_mm=round(y, 2), angle_deg=round(angle % 360, 1))
        if piece.kind == "block" and piece.count != 1:
            return Placed(kept, tuple(self._heap(piece, x, y, angle)))
        if piece.kind == "disc" and piece.count != 1:
            return Placed(kept, tuple(self._pile(piece, x, y, base)))
        pose = "lying" if piece.lying else "standing"
        if piece.kind in ("pillar", "capstone") and piece.on is None:
            tipped = piece.kind == "pillar" and piece.x_mm is None and self.chance.random() < 0.6
            pose = "lying" if tipped else "standing"
        if piece.kind == "card":
            pose, base = "flat", 0.0
        elif base == 0.0 and piece.on is None:
            base = self._card_under(x, y)
        return Placed(kept, (Body(piece.kind, piece.colour or "grey", x, y, angle, base, pose, self.key),))

    def _card_under(self, x: float, y: float) -> float:
        cards = [b for lies in self.placed.values() for b in lies.bodies if b.kind == "card"]
        near = any(math.dist((x, y), (b.x_mm, b.y_mm)) < 50 for b in cards)
        return 0.35 if near else 0.0

    def _facing(self, piece: Piece, x: float, y: float) -> float:
        middle = (self.board.size_mm[0] / 2, self.board.size_mm[1] / 2)
        clockwise = math.degrees(math.atan2(y - middle[1], x - middle[0])) + 90
        back = 0 if piece.facing == "clockwise" else 180
        return clockwise + back + self.chance.gauss(0, 8)

    def _pile(self, piece: Piece, x: float, y: float, base: float) -> Iterable[Body]:
        """Discs on top of each other, not quite straight."""
        for index in range(piece.count or 2):
            yield Body(
                "disc",
                piece.colour or "grey",
                self._askew(x),
                self._askew(y),
                self.chance.uniform(0, 360),
                base + index * self.set.disc.height,
                "standing",
                self.key,
            )

    def _heap(self, piece: Piece, x: float, y: float, angle: float) -> Iterable[Body]:
        """Blocks stacked crosswise, three to a layer, a little untidy."""
        block = self.set.block
        count = piece.count or self.chance.randint(2, 9)
        for index in range(count):
            layer, row = divmod(index, 3)
            in_layer = min(3, count - 3 * layer)
            across = (row - (in_layer - 1) / 2) * (block.width + 2.2)
            turn = angle + 90 * (layer % 2)
            side = math.radians(turn + 90)
            dx, dy = across * math.cos(side), across * math.sin(side)
            yield Body(
                "block",
                piece.colour or "grey",
                x + dx + self.chance.uniform(-0.8, 0.8),
                y + dy + self.chance.uniform(-0.8, 0.8),
                turn + self.chance.gauss(0, 2.5),
                layer * block.height,
                "standing",
                self.key,
            )


def footprints(body: Body, pieces: PieceSet, board: Board) -> list[list[Point]]:
    """The convex polygons (mm) with which a body stands on the board."""
    if body.kind == "trilith":
        stone = pieces.trilith
        turn = math.radians(body.angle_deg)
        ends = [
            (
                body.x_mm + side * stone.span / 2 * math.cos(turn),
                body.y_mm + side * stone.span / 2 * math.sin(turn),
            )
            for side in (-1, 1)
        ]
        return [_box(end, stone.pillar_length, stone.pillar_width, body.angle_deg) for end in ends]
    length, width = _extent(body, pieces, board)
    return [_box((body.x_mm, body.y_mm), length, width, body.angle_deg)]


def _extent(body: Body, pieces: PieceSet, board: Board) -> Point:
    stone = pieces.trilith
    lying = body.pose == "lying"
    round_kinds = {"disc": pieces.disc.diameter, "druid": pieces.druid.diameter, "figure": pieces.figure.base}
    if body.kind in round_kinds:
        side = round_kinds[body.kind] * 0.9  # a square a little smaller than the circle's box
        return (pieces.figure.height, side) if lying else (side, side)
    return {
        "block": (pieces.block.length, pieces.block.width),
        "pillar": (stone.pillar_height if lying else stone.pillar_length, stone.pillar_width),
        "capstone": (stone.capstone_length, stone.capstone_width),
        "megalith": (pieces.megalith.length, pieces.megalith.width),
        "card": card_size_mm(board),
    }[body.kind]


def card_size_mm(board: Board) -> Point:
    """(long, short) side of the board's cards; `angle_deg` is the direction of the long one."""
    card = board.pieces.get("card")
    return (card.length_mm, card.width_mm) if card else (50.0, 34.0)


def _box(centre: Point, length: float, width: float, angle_deg: float) -> list[Point]:
    turn = math.radians(angle_deg)
    along, across = (math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))
    return [
        (
            centre[0] + a * length / 2 * along[0] + b * width / 2 * across[0],
            centre[1] + a * length / 2 * along[1] + b * width / 2 * across[1],
        )
        for a, b in ((-1, -1), (1, -1), (1, 1), (-1, 1))
    ]


def overlap_mm(a: list[Point], b: list[Point]) -> float:
    """How deep two convex polygons sink into each other; negative: the gap along the best axis."""
    depth = math.inf
    for polygon in (a, b):
        for (ax, ay), (bx, by) in zip(polygon, polygon[1:] + polygon[:1], strict=True):
            length = math.hypot(bx - ax, by - ay)
            nx, ny = (by - ay) / length, (ax - bx) / length
            first = [nx * x + ny * y for x, y in a]
            second = [nx * x + ny * y for x, y in b]
            depth = min(depth, max(first) - min(second), max(second) - min(first))
    return depth
