"""The disc that marks the trilith which grows in a yard as its builder's.

It lies on the capstone or anywhere in the yard, and comes with the capstone: where one lies and no disc was
seen, the place network looks for one wherever the ground network saw anything, as closely as it looks at a
field. A disc of a pale colour on pale print, or behind a pillar, is too little to be told from a bird's view.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field
from engine.position import Piece
from vision.colours.palette import Palette
from vision.colours.stone import stone_bgr
from vision.fields.capstones import look_on
from vision.fields.covered import outlined, share_covered
from vision.fields.places import Place
from vision.geometry.bodies import body_of
from vision.geometry.view import View

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float64]
# The parts of a trilith.
STONES = ("pillar", "capstone")
# Where there is no capstone, only a disc as sure as this is told of; and so is, farther from every stone than
# so much (mm; which of them is the capstone may be told wrongly), one of a colour whose channels differ by no
# more than that (of 255): it may be a part of a stone.
SURELY_ALONE, NEAR_STONE_MM, GREYISH = 0.8, 25.0, 30
# What is less likely a disc is not told of, on a capstone and anywhere else.
LIKELY, PLAINLY = 0.5, 0.75
# So much of a disc may be hidden by stones of a whole trilith, if its colour is pale or not.
PALE_BEHIND, TINTED_BEHIND = 0.2, 0.8
# A disc stands no nearer to the axis of a stone than this (mm).
BESIDE_STONE_MM = 8.0


def find_mark(
    board: Board,
    game: str | None,
    palette: Palette,
    sight: Sight,
    area: Field,
    busy_mm: Sequence[tuple[float, float]],
) -> None:
    """Add the disc of a trilith that lies whole in a yard without one. busy_mm: where anything was seen."""
    here = sight.lying_in(area.id)
    kinds = [piece.kind for piece in here]
    whole = "capstone" in kinds and kinds.count("pillar") > 1
    if not whole or "disc" in kinds or "disc" not in board.pieces or not busy_mm:
        return
    hidden = _behind_stones(board, sight.view, [each for each in here if each.kind in STONES], busy_mm)
    open_ones = np.flatnonzero(hidden < TINTED_BEHIND)
    if not len(open_ones):
        return
    places = [Place(area.id, busy_mm[n], 0.0, (body_of(board.pieces["disc"]),), 4.0) for n in open_ones]
    looks = sight.look(places)
    chances = looks.kind[:, 1 + places[0].slots[0]]
    colours = palette.told(looks, board, game, ["disc"] * len(places))
    # What has a stone's colour is a stone.
    most = np.array([_most_behind(board, name) for name in palette.names])
    sure = chances * np.where(hidden[open_ones, None] < most, colours, 0.0).max(axis=1)
    best = int(sure.argmax())
    if sure[best] > PLAINLY:
        _add(sight, palette, area, places[best].at_mm, float(chances[best]), colours[best])


def _most_behind(board: Board, colour: str) -> float:
    """How much of a disc of this colour stones may hide: their sides may be taken for one of a pale
    colour, and one of their own colour is none."""
    if colour in board.pieces["capstone"].colours:
        return 0.0
    return PALE_BEHIND if np.ptp(board.colour_rgb(colour)) < GREYISH else TINTED_BEHIND


def _behind_stones(
    board: Board, view: View, stones: Sequence[Piece], points_mm: Sequence[tuple[float, float]]
) -> Floats:
    """(N,) how much of a disc at each of these points the stones of a yard hide; 1 where one stands."""
    solids = {kind: body_of(board.pieces[kind]) for kind in (*STONES, "disc")}
    covered = outlined(
        view,
        [
            (solids[stone.kind], (stone.x_mm or 0.0, stone.y_mm or 0.0), stone.angle_deg or 0.0, 0.0)
            for stone in stones
        ],
    )
    return np.array(
        [
            1.0
            if any(_on_stone(board, stone, at) for stone in stones)
            else share_covered(covered, view, (solids["disc"], at, 0.0, 0.0))
            for at in points_mm
        ]
    )


def _on_stone(board: Board, stone: Piece, at_mm: tuple[float, float]) -> bool:
    """Whether a stone of the yard stands where the middle of a disc would be."""
    angle, half = math.radians(stone.angle_deg or 0.0), board.pieces[stone.kind].length_mm / 2
    x, y = at_mm[0] - (stone.x_mm or 0.0), at_mm[1] - (stone.y_mm or 0.0)
    along, across = x * math.cos(angle) + y * math.sin(angle), y * math.cos(angle) - x * math.sin(angle)
    return math.hypot(max(0.0, abs(along) - half), across) < BESIDE_STONE_MM


def keep_one_mark(board: Board, sight: Sight, area_id: str) -> None:
    """A disc seen from below and on the capstone is the same disc: a capstone carries one, and what else
    looks like one mostly is none, and so is what may be a part of a stone."""
    here = sight.lying_in(area_id)
    discs = sorted(
        (piece for piece in here if piece.kind == "disc"), key=lambda piece: -(piece.confidence or 0)
    )
    stones = [piece for piece in here if piece.kind in STONES]
    capstones = sum(piece.kind == "capstone" for piece in stones)
    for number, disc in enumerate(discs):
        like_a_stone = np.ptp(board.colour_rgb(disc.colour or "grey")) < GREYISH
        beside = like_a_stone and not any(_near(disc, stone) for stone in stones)
        hardly = (disc.confidence or 0.0) < SURELY_ALONE
        if (hardly and (beside or not capstones)) or (capstones and number >= capstones):
            sight.loose.remove(disc)


def _near(disc: Piece, stone: Piece) -> bool:
    """Whether a disc may lie on a stone, as far as it is known where these are."""
    if disc.x_mm is None or disc.y_mm is None or stone.x_mm is None or stone.y_mm is None:
        return True
    return math.hypot(disc.x_mm - stone.x_mm, disc.y_mm - stone.y_mm) < NEAR_STONE_MM


def mark_on(
    board: Board, game: str | None, palette: Palette, sight: Sight, area: Field, capstone: Place
) -> None:
    """Add the disc that marks a capstone which lies there, in a yard, as somebody's."""
    disc, (stone, *_) = body_of(board.pieces["disc"]), capstone.bodies
    place = Place(area.id, capstone.at_mm, capstone.angle_deg, (disc,), 6.0, stone.top_mm, stone)
    place = replace(place, under_bgr=stone_bgr(sight, place))
    # Aside of it stones lie close together; what the ground network sees there is told already.
    looks = look_on(sight, [place])
    chance = float(looks.kind[0, 1 + place.slots[0]])
    if chance > LIKELY:
        _add(sight, palette, area, place.at_mm, chance, palette.told(looks, board, game, ["disc"])[0])


def _add(
    sight: Sight,
    palette: Palette,
    area: Field,
    at_mm: tuple[float, float],
    chance: float,
    colours: NDArray[np.float32],
) -> None:
    """A disc that lies in a yard with this chance; colours: (len(palette.names),) of each colour."""
    likeliest = int(colours.argmax())
    sight.loose.append(
        Piece(
            "disc",
            palette.names[likeliest],
            field=area.id,
            x_mm=round(at_mm[0], 1),
            y_mm=round(at_mm[1], 1),
            confidence=round(chance * float(colours[likeliest]), 4),
        )
    )
