"""Positions as they come up in the six games, drawn from a seed.

They keep each game's piece counts and places (who owns how many discs, what may stand where); they are
not played out by the rules.
"""

from __future__ import annotations

import math
import random
from collections.abc import Callable

from engine.board import Board, load_board
from engine.position import Piece

COLOURS = ("white", "blue", "green", "yellow", "red")
STAGES = {"empty": (0.0, 0.0), "opening": (0.08, 0.25), "middle": (0.4, 0.65), "full": (0.9, 1.0)}
BOARD_OF = {"stonehenge": "knizia"}
# Kinds of fields on which pieces of that game can lie: only these are ever listed as hidden.
FIELDS_OF = {
    "stonehenge": ("space", "line"),
    "council": ("ring", "trilith", "altar"),
    "build": ("ring", "bluestone", "trilith", "altar", "yard"),
    "rolling": ("trilith",),
    "ramming": ("ring", "slot"),
    "roulette": ("ring", "pit"),
}


def board_of(game: str) -> str:
    """The id of the board on which a game is played."""
    return BOARD_OF.get(game, "anthology")


def random_position(game: str, stage: str, seed: int, board: Board | None = None) -> tuple[Piece, ...]:
    """A plausible position; the same seed gives the same. Raises ValueError for an unknown game or stage."""
    if game not in _MAKERS or stage not in STAGES:
        raise ValueError(
            f"no {game!r} at stage {stage!r}: games {', '.join(_MAKERS)}; stages {', '.join(STAGES)}"
        )
    if stage == "empty":
        return ()
    chance = random.Random(f"{game} {stage} {seed}")
    share = chance.uniform(*STAGES[stage])
    return tuple(_MAKERS[game](board or load_board(board_of(game)), share, chance))


def _ids(board: Board, kind: str, chance: random.Random) -> list[str]:
    """The ids of the fields of a kind, shuffled."""
    found = [field.id for field in board.fields_of_kind(kind)]
    chance.shuffle(found)
    return found


def _stonehenge(board: Board, share: float, chance: random.Random) -> list[Piece]:
    stones = [(colour, value) for colour in ("black", "brown") for value in (1, 1, 2, 2, 3, 3, 4, 5, 6)]
    chance.shuffle(stones)
    spaces = _ids(board, "space", chance)
    count = round(share * len(spaces))
    hidden = chance.random() < 0.2  # the face-down variant
    pieces = [
        Piece("druid", colour, field=space, value=None if hidden and chance.random() < 0.6 else value)
        for (colour, value), space in zip(stones[:count], spaces, strict=False)
    ]
    claimed = _ids(board, "line", chance)[: round(max(0.0, share - 0.3) * 1.5 * 15)]
    stones_left = ["black", "brown"] * 8
    chance.shuffle(stones_left)
    return pieces + [
        Piece("megalith", colour, field=line) for colour, line in zip(stones_left, claimed, strict=False)
    ]


def _build(board: Board, share: float, chance: random.Random) -> list[Piece]:
    players = chance.sample(COLOURS, chance.choice((3, 4)))
    neutral = chance.choice([colour for colour in COLOURS if colour not in players])
    rings, stones, triliths = (_ids(board, kind, chance) for kind in ("ring", "bluestone", "trilith"))
    each = 9 if len(players) == 3 else 7
    supply = [colour for colour in players for _ in range(each)] + [neutral] * 3
    chance.shuffle(supply)
    pieces = [Piece("block", supply.pop(), field=rings.pop()) for _ in range(min(28, round(share * 29)))]
    discs = [colour for colour in players for _ in range(8)]
    chance.shuffle(discs)
    pieces += [Piece("disc", discs.pop(), field=stones.pop()) for _ in range(round(share * 18))]
    standing = round(share * chance.uniform(2, 5.4)) if share > 0.2 else 0
    for _ in range(min(standing, len(triliths) - 1)):
        field = triliths.pop()
        pieces.append(Piece("trilith", "grey", field=field))
        if chance.random() < 0.9:  # the owner's mark stays on the capstone
            pieces.append(Piece("disc", chance.choice(players), field=field, on="trilith"))
    for seat, player in enumerate(players, start=1):
        pieces += _project(player, f"yard-{seat}", rings, stones, triliths, chance)
    return pieces


def _project(
    player: str, yard: str, rings: list[str], stones: list[str], triliths: list[str], chance: random.Random
) -> list[Piece]:
    """What a player's yard shows, and where the druid stands for it."""
    druid = Piece("figure", player)
    kind = chance.random()
    if kind < 0.12:
        return [Piece("figure", player, field="altar", lying=chance.random() < 0.6)]
    if kind < 0.24:
        return []
    if kind < 0.4:
        return [Piece("card", field=yard, face="down")]
    if kind < 0.7 or not triliths:
        sites = rings if rings and (chance.random() < 0.7 or not stones) else stones
        number = chance.randint(1, 30)
        card = Piece(
            "card",
            card_colour(number),
            field=yard,
            number=number,
            face="up",
            phase=chance.choice(("day", "night")),
        )
        return [card] + ([druid.at(sites.pop())] if sites else [])
    stage = chance.randint(0, 3)
    parts = [Piece("pillar", "grey", field=yard)] * min(stage, 2)
    parts += [Piece("capstone", "grey", field=yard), Piece("disc", player, field=yard)] if stage == 3 else []
    card = Piece("card", chance.choice(COLOURS), field=yard, face="up")
    return [card, *parts, druid.at(triliths.pop())]


def card_colour(number: int) -> str:
    """The colour of a number card: its field's."""
    return ("black", *COLOURS)[number % 6]


def _council(board: Board, share: float, chance: random.Random) -> list[Piece]:
    sides = chance.sample([("yellow", "white"), ("red", "blue")], 2)
    supply = [Piece("disc", colour) for side in sides for colour in side for _ in range(10)]
    supply += [Piece("figure", colour) for side in sides for colour in side if chance.random() < 0.8]
    chance.shuffle(supply)
    rings = _ids(board, "ring", chance)[: round(share * 30)]
    pieces = [piece.at(ring) for piece, ring in zip(supply, rings, strict=False)]
    for field, colour in zip(board.fields_of_kind("trilith"), COLOURS, strict=False):
        left = 10 - round(share * chance.uniform(0, 7))
        pieces += [Piece("block", colour, field=field.id, count=left)] if left > 0 else []
    if share > 0.95:  # the vote has begun
        pieces.append(Piece("trilith", "grey", field="altar"))
    return pieces


def _rolling(board: Board, share: float, chance: random.Random) -> list[Piece]:
    players = chance.sample(COLOURS, chance.randint(1, 5))
    spots = _spread(board, chance)
    pieces = []
    own_fields = chance.random() < 0.3
    for field in board.fields_of_kind("trilith"):
        stone = (
            Piece("trilith", "grey", field=field.id)
            if own_fields
            else _free("trilith", "grey", spots, chance, 34)
        )
        pieces.append(stone)
        if chance.random() < share:
            mark = Piece(
                "disc",
                chance.choice(players),
                field=stone.field,
                on="trilith",
                x_mm=stone.x_mm,
                y_mm=stone.y_mm,
            )
            pieces.append(mark)
    if own_fields:
        spots.taken += [(*field.centre_mm, 36.0) for field in board.fields_of_kind("trilith")]
    banks = [colour for colour in players for _ in range(10)]
    chance.shuffle(banks)
    pieces += [_free("block", colour, spots, chance, 14) for colour in banks[: round(2 + share * 16)]]
    pieces += [_free("disc", chance.choice(players), spots, chance, 9) for _ in range(chance.randint(0, 3))]
    return pieces


class _spread:  # noqa: N801 - used like a function
    """Free spots on the board outside its tags: circles that do not touch."""

    def __init__(self, board: Board, chance: random.Random) -> None:
        self.size, self.chance = board.size_mm, chance
        self.taken: list[tuple[float, float, float]] = []
        for marker in board.markers:
            x, y = (sum(values) / 4 for values in zip(*marker.corners_mm, strict=True))
            self.taken.append((x, y, 26.0))

    def spot(self, radius_mm: float) -> tuple[float, float]:
        edge = radius_mm + 6
        while True:
            x = self.chance.uniform(edge, self.size[0] - edge)
            y = self.chance.uniform(edge, self.size[1] - edge)
            if all(math.dist((x, y), (a, b)) > radius_mm + r for a, b, r in self.taken):
                self.taken.append((x, y, radius_mm))
                return x, y


def _free(kind: str, colour: str, spots: _spread, chance: random.Random, radius_mm: float) -> Piece:
    x, y = spots.spot(radius_mm)
    return Piece(kind, colour, x_mm=round(x, 1), y_mm=round(y, 1), angle_deg=round(chance.uniform(0, 360), 1))


def _ramming(board: Board, share: float, chance: random.Random) -> list[Piece]:
    pieces = []
    for start in range(1, 31, 5):
        group = chance.sample(COLOURS, 5)
        pieces += [Piece("block", colour, field=f"slot-{start + i}") for i, colour in enumerate(group)]
    players = chance.sample(COLOURS, chance.randint(2, 5))
    free = set(range(1, 31))
    for player in players[: max(1, round(min(1.0, share + 0.3) * len(players)))]:
        starts = [n for n in sorted(free) if n % 30 + 1 in free]
        first = chance.choice(starts)
        free -= {first, first % 30 + 1}
        pair = (f"ring-{first}", f"ring-{first % 30 + 1}")
        pieces.append(Piece("trilith", "grey", fields=pair))
        pieces.append(Piece("figure", player, fields=pair, on="trilith"))
    return pieces


def _roulette(board: Board, share: float, chance: random.Random) -> list[Piece]:
    players = chance.sample(COLOURS, chance.randint(2, 5))
    pits = _ids(board, "pit", chance)
    count = round((1.15 - share) * 10 * len(players))  # the pits empty as the game goes on
    pieces = [Piece("disc", chance.choice(players), field=pit) for pit in pits[: max(3, count)]]
    if chance.random() < 0.3:  # a trilith card's offering lies on another disc
        pieces.append(Piece("disc", chance.choice(players), field=pieces[0].field))
    facing = chance.choice(("clockwise", "anticlockwise"))
    return [*pieces, Piece("figure", "grey", field=f"ring-{chance.randint(1, 30)}", facing=facing)]


_MAKERS: dict[str, Callable[[Board, float, random.Random], list[Piece]]] = {
    "stonehenge": _stonehenge,
    "council": _council,
    "build": _build,
    "rolling": _rolling,
    "ramming": _ramming,
    "roulette": _roulette,
}
GAMES = tuple(_MAKERS)
