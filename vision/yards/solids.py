"""Which solids make up a patch of a yard or of the altar? Pillars and capstones look alike where they lie
close together, and a lying figure seen from afar like a standing one; what tells them apart is the whole
outline, with the side that leans away from the camera.

The ground network's patch (where solids are seen) is explained by the fewest solids whose
outlines, seen through this view, cover it and little else; the patches of one yard are explained together,
as the parts of one trilith that grows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry.bodies import Body, outlines_of_all
from vision.geometry.fitting import scaled_body
from vision.geometry.view import Array, View

Mask = NDArray[np.uint8]
Floats = NDArray[np.float64]
# A square millimetre outside the patch costs as much as one inside is worth; a further stone must explain
# this many.
FURTHER_STONE_MM2 = 80.0
# What may lie close together in a yard, the parts of one trilith, and on the altar.
YARD = (
    (),
    ("pillar",),
    ("pillar", "pillar"),
    ("capstone",),
    ("capstone", "pillar"),
    ("capstone", "pillar", "pillar"),
)
ALTAR = ((), ("figure",), ("lying",), ("figure", "figure"), ("figure", "lying"), ("lying", "lying"))
# A trilith grows pillar by pillar, and its builder's disc comes with the capstone: anything else in a whole
# yard is odd, and must explain so much more.
WHOLE = ("capstone", "pillar", "pillar")
GROWING = ((), ("pillar",), ("pillar", "pillar"), WHOLE, tuple(sorted((*WHOLE, "disc"))))
ODD_MM2 = 250.0
# Stones seem taller or shorter where the camera is not known exactly; or their tops are hard to see.
TALL = (0.6, 0.8, 1.0, 1.25)
STEP_DEG, ROUGHLY_SQUARE = 15, 1.3
# What is worth less than anything.
NOWHERE = -1e6
# Cells around a patch that are known to be bare; one beyond them costs so much.
AROUND, BEYOND = 15, 0.2
Tableaux = tuple[tuple[str, ...], ...]
# What some solids are worth as an explanation of a patch, in square millimetres, and they.
Explanation = tuple[float, list["Stone"]]
# The numbers of two patches, and the explanations of both together.
Joined = tuple[tuple[int, int], Sequence[Explanation]]


@dataclass(frozen=True)
class Stone:
    """A stone of an explanation: kind, where it stands (mm), its direction, and the share of its outline
    that lies in the patch."""

    kind: str
    at_mm: tuple[float, float]
    angle_deg: float
    covered: float


@dataclass(frozen=True)
class _Shape:
    """A stone's outline as a small mask. In cells: `foot` is where it stands, from the mask's corner, `plan`
    half its length and width."""

    kind: str
    angle_deg: float
    mask: NDArray[np.float32]
    foot: tuple[float, float]
    plan: tuple[float, float]


def explain(
    patch: Mask,
    origin_mm: tuple[float, float],
    cell_mm: float,
    view: View,
    bodies: Mapping[str, Body],
    tableaux: Tableaux,
    worth: Mapping[str, NDArray[np.float32]] | None = None,
    beam: int = 1,
    counts: NDArray[np.float32] | None = None,
) -> list[Explanation]:
    """What solids may make up `patch`, (H, W) 0 or 1 in cells of `cell_mm`, whose first cell is at
    `origin_mm`: each of the tableaux with the places of its solids, laid one after the other. bodies: kind ->
    solid; tableaux with others are left out. worth: kind -> (H, W) what each cell of the patch is worth as a
    part of it; 1 where nothing is said. beam: so many ways to lay the first solids, in other directions, are
    gone on with (a beam search): where two lie side by side, the best one alone lies across both. counts:
    (H, W) how much each cell counts, in the patch and beside it; 1 where nothing is said."""
    rows, columns = np.nonzero(patch)
    top, left = max(0, int(rows.min()) - AROUND), max(0, int(columns.min()) - AROUND)
    window = slice(top, int(rows.max()) + AROUND), slice(left, int(columns.max()) + AROUND)
    part = patch[window]
    corner = (origin_mm[0] + left * cell_mm, origin_mm[1] + top * cell_mm)
    shapes = _shapes(part, corner, cell_mm, view, bodies)
    parts = {kind: part * worth[kind][window] if worth else part.astype(np.float32) for kind in bodies}
    known = np.ones(part.shape, np.float32) if counts is None else counts[window]
    # Tableaux that begin alike are laid alike.
    laid: dict[tuple[str, ...], list[_Laid]] = {(): [_Laid(0.0, [], [], part.astype(np.float32))]}
    found = []
    for kinds in tableaux:
        if not set(kinds) <= set(bodies):
            continue
        for count, kind in enumerate(kinds):
            if kinds[: count + 1] not in laid:
                own = [shape for shape in shapes if shape.kind == kind]
                ways = [
                    further
                    for before in laid[kinds[:count]]
                    for further in _further(before, own, (part, parts[kind], known), corner, cell_mm, beam)
                ]
                laid[kinds[: count + 1]] = sorted(ways, key=lambda each: -each.value)[:beam]
        best_way = laid[kinds][0]
        found.append((best_way.value, best_way.stones))
    return found


def best(explanations: list[Explanation]) -> list[Stone]:
    """The solids of the explanation that is worth most."""
    return max(explanations, key=lambda each: each[0])[1]


def yard(
    patches: Sequence[Sequence[Explanation]],
    discs: Sequence[Sequence[Stone]],
    otherwise: Iterable[Sequence[Explanation]],
    inside: Callable[[Stone], bool],
    joined: Iterable[Joined] = (),
) -> list[Stone]:
    """The stones of a whole yard from the explanations of its patches: those that are worth most together,
    where what is no growing trilith must be worth `ODD_MM2` more. discs: what else lies there, a disc or
    nothing each; otherwise: the stones that these may be, which are not asked for before something is lacking
    or odd. inside: whether a stone is the yard's; patches reach beyond it. joined: pairs of patches as parts
    of one stone, asked for as late."""
    together = _together([*patches, *([(0.0, [*each])] for each in discs)], inside)
    if not together.grows:
        doubted = [[(0.0, [*each]), *tried] for each, tried in zip(discs, otherwise, strict=True)]
        mended = [_together([*patches, *doubted], inside)]
        for numbers, each in joined:
            others = [patch for number, patch in enumerate(patches) if number not in numbers]
            mended.append(_together([*others, *doubted, each], inside))
        together = max([together, *(each for each in mended if each.grows)], key=lambda each: each.value)
    return [stone for stone in together.stones if stone.kind != "disc"]


@dataclass(frozen=True)
class _Together:
    """What explains a whole yard best, what it is worth, and whether it is a growing trilith."""

    value: float
    grows: bool
    stones: list[Stone]


def _together(patches: Sequence[Sequence[Explanation]], inside: Callable[[Stone], bool]) -> _Together:
    """The best way to explain these patches: of each yard, as what lies in it, the one that is worth most."""
    ways: dict[tuple[str, ...], Explanation] = {(): (0.0, [])}
    for patch in patches:
        further: dict[tuple[str, ...], Explanation] = {}
        known = [([each.kind for each in stones if inside(each)], value, stones) for value, stones in patch]
        for before, (so_far, laid) in ways.items():
            for own, value, stones in known:
                yard_kinds = tuple(sorted((*before, *own)))
                if yard_kinds not in further or further[yard_kinds][0] < so_far + value:
                    further[yard_kinds] = (so_far + value, [*laid, *stones])
        ways = further
    choices = [
        _Together(value - (0.0 if kinds in GROWING else ODD_MM2), kinds in GROWING, stones)
        for kinds, (value, stones) in ways.items()
    ]
    return max(choices, key=lambda each: each.value)


@dataclass(frozen=True)
class _Laid:
    """Stones laid over a patch: the square millimetres they explain less those outside and their price, the
    stones and their fits, and (H, W) what of the patch is left."""

    value: float
    stones: list[Stone]
    fits: list[_Fit]
    left: NDArray[np.float32]


def _further(
    laid: _Laid,
    shapes: list[_Shape],
    shown: tuple[Mask, NDArray[np.float32], NDArray[np.float32]],
    origin_mm: tuple[float, float],
    cell_mm: float,
    beam: int,
) -> list[_Laid]:
    """With one stone more: that of these shapes that fits best, in so many directions. shown: the patch, what
    its cells are worth, and how much each counts."""
    patch, worth, counts = shown
    gains = counts * (laid.left * worth - (1.0 - patch.astype(np.float32)))
    fits = sorted((_fit(shape, gains, laid.fits) for shape in shapes), key=lambda each: -each[0])
    best: dict[float, tuple[float, _Fit]] = {}
    for gain, fit in fits:
        best.setdefault(fit.shape.angle_deg, (gain, fit))
    ways = list(best.values())[:beam]
    return [_with(laid, gain, fit, patch, origin_mm, cell_mm) for gain, fit in ways]


def _with(
    laid: _Laid, gain: float, fit: _Fit, patch: Mask, origin_mm: tuple[float, float], cell_mm: float
) -> _Laid:
    """With this stone, which explains so many cells more."""
    mask = np.zeros(patch.shape, np.float32)
    _stamp(mask, fit.shape.mask, fit.row, fit.column)
    x, y = (float(start + along * cell_mm) for start, along in zip(origin_mm, fit.foot, strict=True))
    covered = float((mask * patch).sum() / max(1.0, mask.sum()))
    stone = Stone(fit.shape.kind, (x, y), fit.shape.angle_deg, covered)
    value = laid.value + (gain * cell_mm**2 - FURTHER_STONE_MM2)
    return _Laid(
        value, [*laid.stones, stone], [*laid.fits, fit], np.where(mask > 0, np.float32(0), laid.left)
    )


def _shapes(
    patch: Mask,
    origin_mm: tuple[float, float],
    cell_mm: float,
    view: View,
    bodies: Mapping[str, Body],
) -> list[_Shape]:
    """The outlines as seen at the patch's middle; over one patch they hardly change."""
    if not bodies:
        return []
    rows, columns = np.nonzero(patch)
    middle = (origin_mm[0] + float(columns.mean()) * cell_mm, origin_mm[1] + float(rows.mean()) * cell_mm)
    turned = [(kind, float(turn), body) for kind, body in bodies.items() for turn in _turns_deg(body)]
    every = [(kind, angle, tall) for kind, angle, body in turned for tall in _as_tall(body)]
    seen = outlines_of_all(view, [(body, middle, angle, 0.0) for _, angle, body in every])
    hulls = [[hull for hull, _ in parts] for parts in seen]
    points = view.on_plane(np.concatenate([hull for own in hulls for hull in own]))
    ends = np.cumsum([len(hull) for own in hulls for hull in own])
    on_plane = iter(np.split(points, ends[:-1]))
    shapes = []
    for (kind, angle, body), own in zip(every, hulls, strict=True):
        parts_mm = [next(on_plane) for _ in own]
        mask, corner = _drawn(parts_mm, cell_mm)
        foot = (np.array(middle) - corner) / cell_mm
        plan = np.ptp(np.array(body.prisms[0].footprint_mm), axis=0) / 2 / cell_mm
        at = (float(foot[0]), float(foot[1]))
        shapes.append(_Shape(kind, angle, mask, at, (float(plan[0]), float(plan[1]))))
    return shapes


def _drawn(hulls_mm: list[Array], cell_mm: float) -> tuple[NDArray[np.float32], Array]:
    """(h, w) 1 in the cells inside these outlines, and where the first cell's corner is, (2,) mm."""
    points = np.concatenate(hulls_mm)
    corner = points.min(axis=0) - cell_mm
    size = np.ceil((points.max(axis=0) - corner) / cell_mm).astype(int) + 1
    mask = np.zeros((size[1], size[0]), np.uint8)
    for hull in hulls_mm:
        cv2.fillConvexPoly(mask, np.round((hull - corner) / cell_mm * 16).astype(np.int32), 1, shift=4)
    return mask.astype(np.float32), corner


def _as_tall(body: Body) -> list[Body]:
    """The body as tall as it may seem; for one that lies flat that makes no difference."""
    if body.top_mm < np.ptp(np.array(body.prisms[0].footprint_mm), axis=0).min():
        return [body]
    return [scaled_body(body, 1.0, share) for share in TALL]


def _turns_deg(body: Body) -> range:
    """The directions in which it looks different: a round body has one, a nearly square one a few."""
    sides = np.ptp(np.array(body.prisms[0].footprint_mm), axis=0)
    if body.shape in ("cylinder", "figure"):
        return range(1)
    if sides.max() < ROUGHLY_SQUARE * sides.min():
        return range(0, 90, 2 * STEP_DEG)
    return range(0, 180, STEP_DEG)


@dataclass(frozen=True)
class _Fit:
    """A shape laid over a patch, its corner at this row and column."""

    shape: _Shape
    row: int
    column: int

    @property
    def foot(self) -> tuple[float, float]:
        """Where it stands: column and row."""
        return self.column + self.shape.foot[0], self.row + self.shape.foot[1]

    def takes(self, columns: Floats, rows: Floats, reach: float) -> NDArray[np.bool_]:
        """Whether nothing that reaches so far around it can stand at these columns and rows."""
        x, y = columns - self.foot[0], rows - self.foot[1]
        cos, sin = np.cos(np.radians(self.shape.angle_deg)), np.sin(np.radians(self.shape.angle_deg))
        length, width = (half + reach for half in self.shape.plan)
        return np.asarray((abs(x * cos + y * sin) < length) & (abs(y * cos - x * sin) < width))


def _fit(shape: _Shape, gains: NDArray[np.float32], placed: list[_Fit]) -> tuple[float, _Fit]:
    """Where the shape fits best beside those that are placed, and the cells it explains there less those
    outside the patch. gains: (H, W) what each cell adds to that."""
    height, width = shape.mask.shape
    # Nothing is known beyond the stretch: an outline may reach out of it.
    padded = cv2.copyMakeBorder(gains, height, height, width, width, cv2.BORDER_CONSTANT, value=(-BEYOND,))
    score = cv2.matchTemplate(padded, shape.mask, cv2.TM_CCORR)
    columns = np.arange(score.shape[1]) - width + shape.foot[0]
    rows = np.arange(score.shape[0])[:, None] - height + shape.foot[1]
    for other in placed:
        score[other.takes(columns, rows, min(shape.plan))] = NOWHERE
    row, column = np.unravel_index(int(score.argmax()), score.shape)
    return float(score[row, column]), _Fit(shape, int(row) - height, int(column) - width)


def _stamp(canvas: NDArray[np.float32], mask: NDArray[np.float32], row: int, column: int) -> None:
    """Set `canvas` to 1 where `mask` lies on it at this row and column."""
    top, left = max(0, row), max(0, column)
    bottom, right = min(canvas.shape[0], row + mask.shape[0]), min(canvas.shape[1], column + mask.shape[1])
    if bottom > top and right > left:
        part = mask[top - row : bottom - row, left - column : right - column]
        canvas[top:bottom, left:right] = np.maximum(canvas[top:bottom, left:right], part)
