"""Does a figure on the altar stand or lie? Its outline in the picture tells.

The ground network shows where something is; there, pixel by pixel, what has the figure's colour is told from
the bare ground in whatever shadow, and the standing and the lying figure are laid over it, larger or smaller
than the board file says, until they cover it as well as they can.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import PieceType
from vision.colours.shades import SHADOWS, differs, gap
from vision.fields.places import Place
from vision.geometry.bodies import Body, Prism, body_of, rectangle
from vision.geometry.fitting import FINER, Fit, Mask, cover_of, fit_to_mask, is_of, pixels_around
from vision.geometry.view import Array
from vision.yards.solids import Stone, best, explain

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
# How much of the patch's surroundings is looked at, and by how much a figure may be taller than the board
# file's.
MARGIN_MM, TALLEST = 6.0, 1.2
# What the better outline must cover, and what it costs to be of another size than the board file says; what
# the place networks' word for a standing figure is worth (of eleven that stand all are surely seen, of ten
# that lie eight are not).
GOOD_COVER, SIZE_COST, NETWORK = 0.5, 0.2, 0.12
# Two figures that touch differ by so much (see `shades.gap`); the smaller of two is so large a part of both.
OTHER_COLOUR, SMALLER_PART, DARKEST = 25.0, 0.22, 0.02
# The smallest figure.
LEAST_MM2 = 60.0
STEP_DEG = 45
# Beside a figure its rim (pixels, FINER times as fine) may be anything; a cell of it costs another so much.
RIM, TAKEN = 9, 0.8
ONE_MORE = ((), ("figure",), ("lying",))


@dataclass(frozen=True)
class Patch:
    """A part of the altar where something is seen. cells: (H, W) 0 or 1, each `cell_mm` wide, the first one's
    corner at `origin_mm`; worth: (H, W) what each is worth as a part of a figure that stands ("figure") or
    lies ("lying"); within: whether what stands somewhere (mm) is the altar's."""

    cells: NDArray[np.uint8]
    worth: Mapping[str, Floats]
    origin_mm: tuple[float, float]
    cell_mm: float
    within: Callable[[Sequence[float]], bool]

    def middles_mm(self) -> Array:
        """(H * W, 2) the middle of each cell."""
        rows, columns = np.indices(self.cells.shape).reshape(2, -1)
        return (np.column_stack([columns, rows]) + 0.5) * self.cell_mm + self.origin_mm


def figures_in(sight: Sight, figure: PieceType, patch: Patch) -> list[Stone]:
    """The figures that a patch of the altar is, each "figure" or "lying": one, or several side by side, or
    two of different colours that touch; none if it looks like neither."""
    rows, columns = np.nonzero(patch.cells)
    first = np.array([columns.min(), rows.min()]) * patch.cell_mm + patch.origin_mm
    last = np.array([columns.max(), rows.max()]) * patch.cell_mm + patch.origin_mm
    low, high = first - MARGIN_MM, last + MARGIN_MM
    edge = np.array([low, [high[0], low[1]], high, [low[0], high[1]]])
    around = (sight.view.project(edge, tall * figure.height_mm) for tall in (0.0, TALLEST))
    lit, ground, offset = pixels_around(sight, np.concatenate([*around]))
    least = LEAST_MM2 * (FINER * sight.view.px_per_mm((float(low[0]), float(low[1])))) ** 2
    found: list[Stone] = []
    known = np.zeros(lit.shape[:2], np.uint8)
    for part in _large_parts(differs(lit, ground).astype(np.uint8)):
        # What is seen beside the patch is something else; beside what is no figure none is looked for.
        middle = sight.view.on_plane(_middle_px(part, offset)[None])[0]
        if found and not ((first <= middle) & (middle <= last)).all():
            continue
        figures, own = _figures_of(sight, figure, (lit, ground, part), offset, least, patch)
        if not figures and not found:
            break
        found += figures
        known |= own
    if len(found) == 1:
        found += _beside(sight, figure, patch, _in_cells(sight, known, offset, patch))
    return found


def _in_cells(sight: Sight, mask: Mask, offset_px: Array, patch: Patch) -> NDArray[np.bool_]:
    """(H, W) in which cells of the patch a mask, FINER times as fine as the picture, shows something, or a
    rim around that."""
    x, y = np.round((sight.view.project(patch.middles_mm()) - offset_px + 0.5) * FINER - 0.5).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < mask.shape[1]) & (y < mask.shape[0])
    seen = np.zeros(len(x), bool)
    seen[inside] = cv2.dilate(mask, np.ones((RIM, RIM), np.uint8))[y[inside], x[inside]] > 0
    return seen.reshape(patch.cells.shape)


def _beside(sight: Sight, figure: PieceType, patch: Patch, known: NDArray[np.bool_]) -> list[Stone]:
    """The figure that the rest of a patch is, beside the one that is `known`, (H, W): it may have the print's
    own colour, in which no pixels tell it, but the ground network sees that something is there."""
    rest = (patch.cells > 0) & ~known
    rest = _largest(cv2.morphologyEx(rest.astype(np.uint8), cv2.MORPH_OPEN, np.ones((3, 3), np.uint8)))
    if rest.sum() * patch.cell_mm**2 < LEAST_MM2:
        return []
    worth = {kind: (own * rest - TAKEN * known).astype(np.float32) for kind, own in patch.worth.items()}
    whole = np.maximum(patch.cells, known).astype(np.uint8)
    bodies = {"figure": body_of(figure), "lying": _lying(figure)}
    return best(explain(whole, patch.origin_mm, patch.cell_mm, sight.view, bodies, ONE_MORE, worth))


def _figures_of(
    sight: Sight,
    figure: PieceType,
    seen: tuple[Floats, Floats, Mask],
    offset_px: Array,
    least_px: float,
    patch: Patch,
) -> tuple[list[Stone], Mask]:
    """One figure, or two of different colours that touch, and their pixels; none if it looks like neither.
    seen: the picture and the ground, evened out, and what surely differs, (h, w), FINER times as fine as the
    picture."""
    lit, ground, sure = seen
    for masks in (_of_two_colours(lit, sure), [_own_pixels(lit, ground, sure)]):
        large = [mask for mask in masks if mask.sum() >= least_px]
        told = [_standing_or_lying(sight, figure, mask, offset_px, patch) for mask in large]
        figures = [each for each in told if each is not None]
        if figures and len(figures) == len(masks):
            return figures, np.maximum.reduce(masks)
    return [], np.zeros_like(sure)


def _middle_px(mask: Mask, offset_px: Array) -> Array:
    """(2,) where in the picture the middle of a mask is, which is FINER times as fine and begins there."""
    return np.asarray((np.argwhere(mask).mean(axis=0)[::-1] + 0.5) / FINER - 0.5 + offset_px)


def _standing_or_lying(
    sight: Sight, figure: PieceType, mask: Mask, offset: Array, patch: Patch
) -> Stone | None:
    """The figure that these pixels are, FINER times as fine as the picture; None if they look like none. Seen
    from low down one that stands is like one that lies farther back, but not on the altar."""
    middle = _middle_px(mask, offset)
    bodies = {"figure": body_of(figure), "lying": _lying(figure)}
    fits = {kind: _fitted(sight, body, mask, offset, middle) for kind, body in bodies.items()}
    worth = {kind: fit.cover - SIZE_COST * fit.other_size for kind, fit in fits.items()}
    worth["figure"] += NETWORK * stands_at(sight, figure, fits["figure"].at_mm)
    kind = max(worth, key=lambda each: (patch.within(fits[each].at_mm), worth[each]))
    if fits[kind].cover < GOOD_COVER or not patch.within(fits[kind].at_mm):
        return None
    return Stone(kind, fits[kind].at_mm, fits[kind].angle_deg % 360, fits[kind].cover)


def stands_at(sight: Sight, figure: PieceType, at_mm: tuple[float, float]) -> float:
    """Whether a figure stands there as the place networks see it: -1 surely not, 1 surely."""
    place = Place("altar", at_mm, 0.0, (body_of(figure),), MARGIN_MM)
    return float(2 * sight.look([place], coloured=False).kind[0, 1 + place.slots[0]] - 1)


def _own_pixels(lit: Floats, ground: Floats, sure: Mask) -> Mask:
    """(h, w) 1 where the largest thing of one colour is."""
    if not sure.any():
        return sure
    own = is_of(np.median(lit[sure > 0], axis=0), lit, ground) | (sure > 0)
    return _whole(own.astype(np.uint8))


def _of_two_colours(lit: Floats, sure: Mask) -> list[Mask]:
    """The pixels of two figures, apart by their tints; nothing if they are of one colour."""
    seen = lit[sure > 0]
    if len(seen) < 2:
        return []
    tints = seen / np.maximum(seen.mean(axis=1, keepdims=True), DARKEST)
    middle, axes = cv2.PCACompute(tints, mean=None, maxComponents=1)  # type: ignore[call-overload]
    first = ((tints - middle) @ axes.T > 0).astype(np.int32)
    rounds = (cv2.TERM_CRITERIA_MAX_ITER, 10, 0.0)
    _, which, _ = cv2.kmeans(tints, 2, first, rounds, 1, cv2.KMEANS_USE_INITIAL_LABELS)
    parts = [which.ravel() == number for number in (0, 1)]
    if min(part.mean() for part in parts) < SMALLER_PART:
        return []
    one, other = (np.median(seen[part], axis=0) for part in parts)
    if min(float(gap(one, other, *SHADOWS)), float(gap(other, one, *SHADOWS))) < OTHER_COLOUR:
        return []
    masks = []
    for part in parts:
        mask = np.zeros_like(sure)
        mask[sure > 0] = part
        masks.append(_whole(mask))
    return masks


def _whole(pixels: Mask) -> Mask:
    """The largest part, without specks and with its gaps closed."""
    opened = cv2.morphologyEx(pixels, cv2.MORPH_OPEN, np.ones((3, 3), np.uint8))
    closed = cv2.morphologyEx(opened, cv2.MORPH_CLOSE, np.ones((5, 5), np.uint8))
    return _largest(np.asarray(closed, np.uint8))


def _largest(mask: Mask) -> Mask:
    return next(iter(_large_parts(mask)), mask)


def _large_parts(mask: Mask) -> list[Mask]:
    """The connected parts of a mask that are as large as one of two figures is, the largest first."""
    _, marks, stats, _ = cv2.connectedComponentsWithStats(mask, connectivity=8)
    areas = stats[1:, cv2.CC_STAT_AREA]
    large = [number for number in np.argsort(-areas) if areas[number] >= SMALLER_PART * areas.sum()]
    return [(marks == 1 + number).astype(np.uint8) for number in large]


def _fitted(sight: Sight, body: Body, mask: Mask, offset_px: Array, middle_px: Array) -> Fit:
    x, y = sight.view.on_plane(middle_px.reshape(1, 2), 0.5 * body.top_mm)[0]
    turns = (0,) if body.shape == "figure" else range(0, 360, STEP_DEG)
    starts = [Fit((float(x), float(y)), float(turn)) for turn in turns]
    start = max(starts, key=lambda fit: cover_of(sight.view, body, fit, mask, offset_px))
    return fit_to_mask(sight.view, body, mask, offset_px, start)


def _lying(figure: PieceType) -> Body:
    """A figure on its side, its head towards +x: a foot, a robe, a waist and a head."""
    height, base = figure.height_mm, figure.diameter_mm
    parts = ((-0.5, -0.36, 1.0), (-0.4, -0.1, 0.72), (-0.2, 0.22, 0.5), (0.18, 0.5, 0.62))
    prisms = tuple(
        Prism(
            rectangle((end - start) * height, width * base, (start + end) / 2 * height), 0, width * base, 0.9
        )
        for start, end, width in parts
    )
    return replace(body_of(figure, lying=True), prisms=prisms, top_mm=base)
