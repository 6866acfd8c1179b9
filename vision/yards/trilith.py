"""The trilith that grows in a yard: which pillars, which capstone and which disc did the ground network see?

Patches of grey are explained by the outlines of stones, all of a yard together (`vision.yards.solids`). A
round head or a hewn side may look like a disc or a figure: such a patch is a disc, or nothing, as long as
the yard makes sense so, and else the stones that are lacking.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field
from vision.geometry.bodies import Body, body_of
from vision.geometry.view import View
from vision.yards.cells import (
    BESIDE_MM,
    Floats,
    Mask,
    among,
    belongs,
    covers,
    footprint_of,
    inside_area,
    inside_board,
    patches_of,
    plan_mm,
    worth_of,
)
from vision.yards.ground import CELL_MM, KINDS, Footprint, footprints
from vision.yards.marks import STONES
from vision.yards.solids import WHOLE, YARD, Explanation, Joined, Stone, Tableaux, explain, yard

# In a yard what looks like a whole trilith is a part of one.
GREY = (*STONES, "trilith")
# What a stone is taken for at times. What looks like it is a stone only if a trilith lacks one, and is worth
# so much less.
LIKE_A_STONE, OTHERWISE_MM2 = ("disc", "block", "figure", "lying"), 150.0
# How sure it must be of a disc that comes with a capstone, and how much like a disc, not like a figure, it
# looks in the middle, so many cells around, to be one without any.
SURE, PLAIN, MIDDLE = 0.75, 0.5, 2
# What looks round lies in an area if so much of what is seen of it does.
WITHIN = 0.8
# Pillars stand: one that lies must explain so much more.
FALLEN_MM2 = 10.0
# What lies in a patch may be one such pillar, or two side by side, where it is so many times as large as one;
# so many directions of the first are gone on with.
FALLEN, LARGER, DIRECTIONS = (("pillar",), ("pillar", "pillar")), 1.2, 6
# How much less a cell counts that lies beyond the board: how the table looks there without a stone is not
# known.
BEYOND_BOARD = 0.25
# A long stone may reach out of its yard, its middle by such a share of its length.
LONG = 6


@dataclass(frozen=True)
class Seen:
    """What the ground network says of a yard and what leans out of it: (KINDS, H, W) of each cell, and where
    the first one is (mm)."""

    chances: Floats
    origin_mm: tuple[float, float]

    @property
    def winner(self) -> NDArray[np.int64]:
        """(H, W) the index of what each cell looks most like."""
        return self.chances.argmax(axis=0)


@dataclass(frozen=True)
class _Disc:
    """What may be a disc, whether that is sure, and whether it looks like one and not like a figure."""

    footprint: Footprint
    sure: bool
    plain: bool

    def lies_on(self, patch: Mask, seen: Seen) -> bool:
        return covers(patch, self.footprint.at_mm, seen.origin_mm)

    @property
    def stone(self) -> Stone:
        each = self.footprint
        return Stone("disc", each.at_mm, each.angle_deg, each.confidence)


def trilith_in(board: Board, view: View, area: Field, seen: Seen, kinds: Sequence[str]) -> list[Footprint]:
    """The pillars, capstones and discs in a yard. kinds: what may lie in it."""
    discs = _discs(board, area, seen) if "disc" in kinds else []
    stones = tuple(kind for kind in kinds if kind in STONES)
    if not stones:
        return [each.footprint for each in discs]
    grown = _Yard(board, view, area, seen, stones)
    grey, others = _patches(area, seen)
    doubted = [
        grown.doubted(patch, [disc for disc in discs if disc.lies_on(patch, seen)]) for patch in others
    ]
    found = yard(
        [*(grown.as_stones(patch) for patch in grey), [(0.0, _mark_apart(discs, doubted))]],
        [each.as_disc for each in doubted],
        [each.instead for each in doubted],
        grown.has,
        grown.joined(grey),
    )
    own = grown.own(found)
    after_all = [stone for each in doubted for stone in each.told(own)]
    spent = [disc for each in doubted if each.told(own) for disc in each.discs]
    crowned = any(stone.kind == "capstone" for stone in own)
    kept = [disc for disc in discs if disc.plain or (crowned and disc not in spent)]
    told = [footprint_of(board, stone, doubted=stone in after_all) for stone in own]
    return [*told, *(disc.footprint for disc in kept)]


@dataclass(frozen=True)
class _Doubted:
    """A patch that looks like something else than stone: the discs it may be, and the stones."""

    discs: Sequence[_Disc]
    instead: Sequence[Explanation]

    @property
    def as_disc(self) -> list[Stone]:
        """What it is if it is no stone: a disc, or nothing that belongs into a yard."""
        return [each.stone for each in self.discs if each.sure][:1]

    def told(self, own: Sequence[Stone]) -> list[Stone]:
        """Those of the yard's own stones that it is."""
        return [stone for _, stones in self.instead for stone in stones if stone in own]


def _mark_apart(discs: Sequence[_Disc], doubted: Sequence[_Doubted]) -> list[Stone]:
    """The disc that marks a trilith, if one is seen and is in none of the doubted patches."""
    mark = max((each for each in discs if each.sure and each.plain), key=_confidence, default=None)
    return [] if mark is None or any(mark in each.discs for each in doubted) else [mark.stone]


@dataclass(frozen=True)
class _Yard:
    """A yard of a board in a view, what the network says of it, and the stones that may stand in it."""

    board: Board
    view: View
    area: Field
    seen: Seen
    kinds: tuple[str, ...]

    def has(self, stone: Stone) -> bool:
        """Whether a stone is the yard's: a long one may lie over the tag in the corner."""
        return belongs(self.area, stone.at_mm, BESIDE_MM + self.board.pieces[stone.kind].length_mm / LONG)

    def as_stones(self, patch: Mask) -> list[Explanation]:
        """What stones a patch of grey may be."""
        standing = self._explained(patch, self._bodies, YARD)
        upright = [kind for kind in self.kinds if kind == "pillar"]
        lying = {kind: body_of(self.board.pieces[kind], lying=True) for kind in upright}
        one_mm2 = sum(float(np.ptp(body.prisms[0].footprint_mm, axis=0).prod()) for body in lying.values())
        may_be = FALLEN if patch.sum() * CELL_MM**2 > LARGER * one_mm2 else FALLEN[:1]
        fallen = self._explained(patch, lying, may_be, beam=DIRECTIONS)
        return standing + [(value - FALLEN_MM2, stones) for value, stones in fallen]

    def own(self, found: Sequence[Stone]) -> list[Stone]:
        """Those of these stones that are the yard's. What reaches into it and is no part of a trilith is
        something else."""
        own = [stone for stone in found if self.has(stone)]
        if tuple(sorted(stone.kind for stone in own)) == WHOLE:
            return own
        return [stone for stone in own if belongs(self.area, stone.at_mm)]

    def doubted(self, patch: Mask, discs: Sequence[_Disc]) -> _Doubted:
        """What stones of the yard a patch may be that looks like something else; what is plainly a disc
        may lie on a capstone. discs: those that it may be."""
        plain = [each.stone for each in discs if each.plain][:1]
        tried = self._explained(patch, self._bodies, (("capstone",),) if plain else YARD[1:])
        instead = [
            (value - OTHERWISE_MM2, [*stones, *plain])
            for value, stones in tried
            if all(self.has(stone) for stone in stones)
        ]
        return _Doubted(discs, instead)

    def joined(self, patches: Sequence[Mask]) -> Iterator[Joined]:
        """Each two of the patches as one capstone whose middle looks like print."""
        for numbers in combinations(range(len(patches) if "capstone" in self.kinds else 0), 2):
            around, worth = both(*(patches[number] for number in numbers), self._worth)
            yield numbers, self._explained(around, self._bodies, (("capstone",),), worth)

    @cached_property
    def _bodies(self) -> dict[str, Body]:
        return {kind: body_of(self.board.pieces[kind]) for kind in self.kinds}

    @cached_property
    def _worth(self) -> dict[str, Floats]:
        return {kind: worth_of(self.seen.chances, kind, self.kinds) for kind in self.kinds}

    @cached_property
    def _counts(self) -> Floats:
        inside = inside_board(self.board, self.seen.origin_mm, self.seen.chances.shape[1:])
        return np.where(inside, np.float32(1), np.float32(BEYOND_BOARD))

    def _explained(
        self,
        patch: Mask,
        bodies: Mapping[str, Body],
        tableaux: Tableaux,
        worth: Mapping[str, Floats] | None = None,
        beam: int = 1,
    ) -> list[Explanation]:
        return explain(
            patch,
            self.seen.origin_mm,
            CELL_MM,
            self.view,
            bodies,
            tableaux,
            worth or self._worth,
            beam,
            self._counts,
        )


def _patches(area: Field, seen: Seen) -> tuple[list[Mask], list[Mask]]:
    """The patches of grey, and those in the area that look like a disc, a block or a figure."""
    winner = seen.winner
    # A mark on a capstone, or a gap of one cell beside it, does not part the stone.
    solid = (~among(winner, ("ground", "card"))).astype(np.uint8)
    solid = cv2.morphologyEx(solid, cv2.MORPH_CLOSE, np.ones((3, 3), np.uint8)) > 0
    grey = patches_of(solid, among(winner, GREY))
    left = solid & ~np.any([np.zeros_like(solid), *(patch > 0 for patch in grey)], axis=0)
    like = among(winner, LIKE_A_STONE) & inside_area(area, seen.origin_mm, winner.shape)
    others = patches_of(left, like)
    return grey, [patch for patch in others if like[patch > 0].mean() > WITHIN]


def _discs(board: Board, area: Field, seen: Seen) -> list[_Disc]:
    """The discs in a yard: there no figure stands, and what the network takes for one is a disc."""
    found = footprints(_discs_for_figures(area, seen), seen.origin_mm, {"disc": plan_mm(board, "disc")})
    return [_Disc(each, each.confidence > SURE, _looks_like_one(seen, each)) for each in found]


def _discs_for_figures(area: Field, seen: Seen) -> Floats:
    """(KINDS, H, W) the chances where figures and lying ones are discs; unless one reaches out of the area:
    then it is a figure that leans over it."""
    chances, disc = seen.chances.copy(), KINDS.index("disc")
    figures = [KINDS.index("figure"), KINDS.index("lying")]
    inside = inside_area(area, seen.origin_mm, chances.shape[1:])
    round_ones = among(seen.winner, LIKE_A_STONE)
    count, marks = cv2.connectedComponents(round_ones.astype(np.uint8), connectivity=8)
    for mark in range(1, count):
        patch = marks == mark
        if inside[patch].mean() > WITHIN:
            chances[disc, patch] += chances[figures][:, patch].sum(axis=0)
            for figure in figures:
                chances[figure, patch] = 0
    return chances


def _looks_like_one(seen: Seen, disc: Footprint) -> bool:
    """Whether what may be a disc looks like one in the middle, not like a figure."""
    column, row = (int((at - start) / CELL_MM) for at, start in zip(disc.at_mm, seen.origin_mm, strict=True))
    rows, columns = (slice(max(0, at - MIDDLE), at + MIDDLE + 1) for at in (row, column))
    return bool(seen.chances[KINDS.index("disc"), rows, columns].mean() > PLAIN)


def _confidence(disc: _Disc) -> float:
    return disc.footprint.confidence


def both(one: Mask, other: Mask, worth: Mapping[str, Floats]) -> tuple[Mask, dict[str, Floats]]:
    """Two patches and what lies between them, as one, and what its cells are worth: what lies between may be
    a part of the same stone that looks like the print."""
    either = one | other
    around = np.zeros_like(either)
    hull = cv2.convexHull(np.argwhere(either)[:, ::-1].astype(np.int32))
    cv2.fillConvexPoly(around, hull, (1,))
    return around, {kind: each * either for kind, each in worth.items()}
