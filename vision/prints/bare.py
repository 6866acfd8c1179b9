"""What the empty board looks like, guessed from one photograph of a board in use whose artwork nobody has.

Fields of one kind are printed alike, and some of them are empty. So for every kind the look that most of
its fields share is taken for the print, lit as each field is lit; between the fields the photograph is its
own print. A kind of which nearly all fields are occupied alike is guessed wrongly: a photograph of the
empty board is always better.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass, replace
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field
from vision.geometry.view import View
from vision.prints.surface import GAMMA, Surface, rectified

PX_PER_MM = 3.0
PATCH_PX = 24
# Where it is known which fields are empty, the lines around them (mm) are common to them, too.
BORDER_MM = 2.5
# The outer part of a patch.
OUTER = np.hypot(*(np.indices((PATCH_PX, PATCH_PX)) - (PATCH_PX - 1) / 2)) > 0.42 * PATCH_PX
# Logarithms of linear light: how much two patches may differ to be the same print, and how much of that
# may be light.
ALIKE = 0.2
LIGHT_MAY_DIFFER = 0.5
# Print so much darker than that of its like (logarithm of linear light) is in a shadow, if one reaches it.
SHADED = 0.25
# How many fields of a kind at most are asked which of all of them looks like most.
VOTERS = 32
# Fields of a kind are printed alike if so many are.
MOSTLY = 0.6
# Display-referred, 0..1; and the fewest fields of a kind that can tell what they have in common.
LIKE_A_PIECE = 0.15
FEWEST = 4
# A field's rim is so wide (pixels of its patch); so much of it must be of one colour, to so much.
RIM_PX, AGREEING, RIM_ALIKE = 4, 0.3, 0.35
# A pixel is seen if less of it (of 255) is covered than this; a border tells how a field is lit if so much of
# it is.
SHOWN, LEAST_SEEN = 25, 0.15
# So many fields of one colour tell how it looks near them.
NEAREST = 3
FLOOR = 0.06
Floats = NDArray[np.float32]
# Per colour (N, 2) mm, and (N, 3) logarithms of linear light.
Coloured = dict[str, tuple[Floats, Floats]]


def bare_surface(
    photo: NDArray[np.uint8], view: View, board: Board, empty: Collection[str] | None = None
) -> Surface:
    """The board without pieces, in the photograph's own light. photo: uint8 BGR (H, W, 3). empty: the fields
    that most likely carry nothing, if that is known: only these tell what their kind has in common."""
    return bare_and_shaded(photo, view, board, empty, None, ())[0]


def bare_and_shaded(
    photo: NDArray[np.uint8],
    view: View,
    board: Board,
    empty: Collection[str] | None,
    covered: NDArray[np.uint8] | None,
    in_reach: Collection[str],
) -> tuple[Surface, list[Field]]:
    """`bare_surface`, and the fields of which it tells better than the photograph how they are printed: those
    of the bare ones that a shadow may reach, `in_reach`, and whose like are all printed alike. covered:
    (h, w) of the top view at `PX_PER_MM`, where pieces may cover the print, if that is known."""
    bare = rectified(photo, view, board.size_mm, PX_PER_MM)
    top_view = np.divide(bare, np.float32(255), dtype=np.float32)
    hidden = np.zeros(top_view.shape[:2], np.uint8) if covered is None else 255 * covered
    white = np.maximum(np.percentile(top_view, 95, axis=(0, 1)), 0.05)
    colours = {board.colour_rgb(name) for piece in board.pieces.values() for name in piece.colours}
    pieces_bgr = np.array(sorted(colours), np.float32).reshape(-1, 3)[:, ::-1] / 255 * white
    coloured = _colours_seen(
        top_view, hidden, [each for each in board.fields.values() if empty is not None and each.id in empty]
    )
    kinds: dict[str, list[Field]] = {}
    for each in board.fields.values():
        kinds.setdefault(each.kind, []).append(each)
    shaded: list[Field] = []
    for fields in kinds.values():
        for alike in _printed_alike(fields, empty):
            known = None if empty is None else np.array([each.id in empty for each in alike])
            if len(alike) >= FEWEST or (known is not None and known.any()):
                group = _Group.seen_in(top_view, hidden, alike, known)
                votes = _votes(group, pieces_bgr)
                reached = np.array([each.id in in_reach for each in alike])
                shaded += _lay_bare(bare, group, votes, reached, coloured)
    del top_view
    surface = Surface.of_image(bare, board.size_mm)
    return replace(surface, guessed=True), shaded


def _printed_alike(fields: list[Field], empty: Collection[str] | None) -> list[list[Field]]:
    """The fields of one kind, in groups that are printed alike: by their colours, where it is known of one of
    these that it is empty; those of other colours with all the empty ones."""
    if empty is None:
        return [fields]
    colours: dict[str | None, list[Field]] = {}
    for each in fields:
        colours.setdefault(each.colour, []).append(each)
    told = [group for group in colours.values() if any(each.id in empty for each in group)]
    grouped = {each.id for group in told for each in group}
    others = [each for each in fields if each.id not in grouped or each.id in empty]
    return told if len(grouped) == len(fields) else [others, *told]


@dataclass(frozen=True)
class _Group:
    """F fields that are printed alike, and a border around them, as a photograph shows them. seen: (F, S, S,
    3), 0..1; shows: (F, S, S) where nothing hides them; empty: (F,) which of them most likely carry nothing,
    if that is known."""

    fields: list[Field]
    border_mm: float
    seen: Floats
    shows: NDArray[np.bool_]
    empty: NDArray[np.bool_] | None

    @classmethod
    def seen_in(
        cls,
        top_view: Floats,
        hidden: NDArray[np.uint8],
        fields: list[Field],
        empty: NDArray[np.bool_] | None,
    ) -> _Group:
        """hidden: (h, w) of the top view, 0..255."""
        border_mm = 0.0 if empty is None else BORDER_MM
        seen = np.stack([_patch(top_view, each, border_mm) for each in fields])
        shows = np.stack([_patch(hidden, each, border_mm) for each in fields]) < SHOWN
        return cls(fields, border_mm, seen, shows, empty)

    @cached_property
    def logs(self) -> Floats:
        """What is seen, as logarithms of linear light."""
        return _log(self.seen)

    def beside(self, index: int) -> tuple[Floats, Floats]:
        """(F, 3) how much brighter the light on this field is than on each, and (F,) how far its print is
        from theirs, the light taken off."""
        differ = self.logs[index] - self.logs
        light = np.median(differ, axis=(1, 2))
        light = np.clip(light, -LIGHT_MAY_DIFFER, LIGHT_MAY_DIFFER).astype(np.float32)
        apart = np.abs(differ - light[:, None, None]).mean(axis=-1)
        return light, np.asarray(np.minimum(apart, 1.5).mean(axis=(1, 2)), np.float32)

    @property
    def sure(self) -> NDArray[np.bool_] | None:
        """(F,) those that most likely carry nothing; None if none is known to."""
        return self.empty if self.empty is not None and self.empty.any() else None


def _votes(group: _Group, pieces_bgr: Floats) -> Floats:
    """(F,) how many of at most `VOTERS` of these fields look as each of them does. pieces_bgr (P, 3): what
    looks like one of these may be a piece."""
    known = np.flatnonzero(np.ones(len(group.fields), bool) if group.sure is None else group.sure)
    votes = np.zeros(len(group.fields), np.float32)
    for voter in known[:: -(-len(known) // VOTERS)]:
        # Print is the same to a hair, pieces are not put down so exactly.
        votes += np.exp(-((group.beside(voter)[1] / ALIKE) ** 2))
    if group.sure is not None:
        return np.where(group.sure, votes, 0.0)
    quarter = PATCH_PX // 4
    middle = np.median(group.seen[:, quarter:-quarter, quarter:-quarter], axis=(1, 2))
    gap = np.abs(middle[:, None] - pieces_bgr[None]).max(axis=-1).min(axis=1, initial=1.0)
    return np.asarray(votes * np.where(gap < LIKE_A_PIECE, 0.6, 1.0))


def _lay_bare(
    bare: NDArray[np.uint8], group: _Group, votes: Floats, in_reach: NDArray[np.bool_], coloured: Coloured
) -> list[Field]:
    """Paint the common print of these fields, that of the one with most votes, over each of them in `bare`
    (0..255). in_reach (F,): which of them a shadow may reach; coloured: see `_colours_seen`. Returns those of
    which this tells better than it is seen how they are printed."""
    typical = int(votes.argmax())
    light, apart = group.beside(typical)
    alike = apart < 2 * ALIKE
    if group.sure is not None:
        alike &= group.sure
    if group.empty is None or not _all_alike(apart, group.empty, in_reach):
        in_reach = np.zeros(len(group.fields), bool)
    common = _common(group, typical, light, alike)
    lit = _lit(group, common, light, alike, in_reach)
    told = set() if group.sure is None else {
        each.colour for each, known in zip(group.fields, group.sure, strict=True) if known
    }  # fmt: skip
    for each, own, logs in zip(group.fields, lit, group.logs, strict=True):
        print_ = common + own
        if told and each.colour not in told:
            inside = _inside(each, group.border_mm)
            if each.colour in coloured:
                # Not the outline.
                ground = cv2.erode(inside, None, iterations=1) > 0
                print_[ground] += _near(coloured[each.colour], each) - np.median(print_[ground], axis=0)
            else:
                _recolour(print_, logs, inside)
        _paint(bare, each, np.exp(print_) - FLOOR, group.border_mm)
    return [each for each, better in zip(group.fields, in_reach, strict=True) if better]


def _common(group: _Group, typical: int, light: Floats, alike: NDArray[np.bool_]) -> Floats:
    """(S, S, 3) logarithms of what these `alike` (F,) fields share, in the light of the typical one, which is
    so much brighter than on each, (F, 3)."""
    lit_alike = group.logs[alike] + light[alike][:, None, None]
    common = _median(lit_alike, group.shows[alike])
    if group.border_mm:
        inside = _inside(group.fields[typical], group.border_mm)
        _leave_out_numbers(common, lit_alike, cv2.erode(inside, None) > 0)
    return common


def _lit(
    group: _Group, common: Floats, light: Floats, alike: NDArray[np.bool_], in_reach: NDArray[np.bool_]
) -> Floats:
    """(F, 3) how much brighter each field's light is than the typical one's, logarithms: as its own border
    tells, or else the `alike` ones around it. light: (F, 3) the same the other way round, as what they show
    tells."""
    places = np.array([each.centre_mm for each in group.fields])
    around = _smooth(places[alike], -light[alike], places)
    if not group.border_mm:
        return around
    # Most of a border is not covered.
    outer, shows = group.logs[:, OUTER] - common[OUTER], group.shows[:, OUTER]
    own = _median(outer.swapaxes(0, 1), shows.swapaxes(0, 1))
    # But not in what tint: the ground around is not the same everywhere.
    own = around + (own - around).mean(axis=1, keepdims=True)
    own = np.clip(own, -LIGHT_MAY_DIFFER, LIGHT_MAY_DIFFER)
    in_shadow = in_reach & (own < around - SHADED).all(axis=1)
    return np.where((in_shadow | (shows.mean(axis=1) < LEAST_SEEN))[:, None], around, own)


def _leave_out_numbers(common: Floats, alike: Floats, inside: NDArray[np.bool_]) -> None:
    """Where fields that are printed alike (N, S, S, 3) differ from one another inside, each has something of
    its own there, such as its number, in whatever direction: in common they have the ground of it."""
    differ = np.ptp(alike.mean(axis=-1), axis=0) > 2 * ALIKE
    own = inside & (cv2.dilate(differ.astype(np.uint8), None) > 0)
    if own.any() and (inside & ~own).any():
        common[own] = np.median(common[inside & ~own], axis=0)


def _median(values: Floats, shows: NDArray[np.bool_]) -> Floats:
    """(..., C) the medians of values (N, ..., C) along the first axis, of those that are seen (N, ...); of
    all where none is."""
    counted = np.where((shows | ~shows.any(axis=0))[..., None], values, np.nan)
    return np.asarray(np.nanmedian(counted, axis=0), np.float32)


def _all_alike(apart: Floats, bare: NDArray[np.bool_], in_reach: NDArray[np.bool_]) -> bool:
    """Whether all bare fields, but for some that a shadow may reach, are printed alike."""
    alike = bare & (apart < 2 * ALIKE)
    return bool(alike.sum() >= max(FEWEST, MOSTLY * bare.sum()) and alike[bare & ~in_reach].all())


def _colours_seen(top_view: Floats, hidden: NDArray[np.uint8], bare: list[Field]) -> Coloured:
    """Per colour of fields, if they are of one colour, where bare ones of it lie, of whatever kind, and what
    these show."""
    shown: dict[str, list[tuple[tuple[float, float], Floats]]] = {}
    for each in bare:
        if each.colour is not None:
            inside = cv2.erode(_inside(each, 0.0), None, iterations=RIM_PX) > 0
            inside &= _patch(hidden, each, 0.0) < SHOWN
            seen = _log(_patch(top_view, each, 0.0))[inside]
            if len(seen):
                shown.setdefault(each.colour, []).append((each.centre_mm, np.median(seen, axis=0)))
    found = {}
    for colour, each in shown.items():
        at, logs = (np.array(part, np.float32) for part in zip(*each, strict=True))
        if np.median(np.abs(logs - np.median(logs, axis=0)).max(axis=1)) < ALIKE:
            found[colour] = at, logs
    return found


def _near(coloured: tuple[Floats, Floats], each: Field) -> Floats:
    """(3,) what the fields of its colour show that lie nearest to a field, in much the same light."""
    at, logs = coloured
    nearest = np.hypot(*(at - each.centre_mm).T).argsort()[:NEAREST]
    return np.asarray(np.median(logs[nearest], axis=0), np.float32)


def _recolour(print_: Floats, seen: Floats, inside: NDArray[np.uint8]) -> None:
    """Give the print within a field, (S, S, 3) logarithms, the colour that most of its rim is `seen` to have,
    beside whatever lies on it."""
    rim = (cv2.erode(inside, None, iterations=1) > 0) & (cv2.erode(inside, None, iterations=RIM_PX) == 0)
    apart = seen[rim] - print_[rim]
    alike = np.abs(apart[:, None] - apart[None]).max(axis=2) < RIM_ALIKE
    if len(apart) and alike.mean(axis=1).max() > AGREEING:
        print_[inside > 0] += np.median(apart[alike[alike.sum(axis=1).argmax()]], axis=0)


def _inside(each: Field, border_mm: float) -> NDArray[np.uint8]:
    """(S, S) 1 where a field's patch shows the field."""
    mask = np.zeros((PATCH_PX, PATCH_PX), np.uint8)
    outline = np.array(each.outline_mm()) * PX_PER_MM - 0.5
    corners = cv2.transform(outline[None].astype(np.float32), _to_patch(each, border_mm))
    cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], (1,))
    return mask


def _smooth(at_mm: Floats, gain: Floats, wanted_mm: Floats) -> Floats:
    """The light at other places: a plane through what is known of it."""
    middle, spread = at_mm.mean(axis=0), max(1.0, float(np.ptp(at_mm, axis=0).max()))

    def basis(mm: Floats) -> Floats:
        return np.column_stack([np.ones(len(mm)), (mm - middle) / spread])

    known = basis(at_mm)
    ridge = np.diag([0.0, 0.05, 0.05]) * len(at_mm)
    plane = np.linalg.solve(known.T @ known + ridge + 1e-6 * np.eye(3), known.T @ gain)
    return np.asarray(basis(wanted_mm) @ plane, np.float32)


def _log(display: Floats) -> Floats:
    return np.asarray(np.log(display**GAMMA + FLOOR), np.float32)


def _to_patch(each: Field, border_mm: float) -> Floats:
    """(2, 3) map from pixels of the top view to the field's patch, turned upright with the field.
    border_mm: how much wider than the field that is."""
    turn = np.radians(each.angle_deg)
    across = np.array(each.outline_mm()) - each.centre_mm
    upright = across @ np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
    reach = (float(np.abs(upright).max()) + border_mm) * PX_PER_MM
    x, y = (value * PX_PER_MM - 0.5 for value in each.centre_mm)
    to_patch = cv2.getRotationMatrix2D((x, y), each.angle_deg, PATCH_PX / (2 * reach))
    to_patch[:, 2] += (PATCH_PX - 1) / 2 - np.array([x, y])
    return np.asarray(to_patch, np.float32)


def _patch(top_view: Floats | NDArray[np.uint8], each: Field, border_mm: float) -> Floats:
    return np.asarray(
        cv2.warpAffine(
            top_view,
            _to_patch(each, border_mm),
            (PATCH_PX, PATCH_PX),
            flags=cv2.INTER_AREA,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.float32,
    )


def _paint(top_view: NDArray[np.uint8], each: Field, linear: Floats, border_mm: float) -> None:
    """Put a patch of linear light back where the field lies."""
    outline = np.array(each.outline_mm()) * PX_PER_MM - 0.5
    height, width = top_view.shape[:2]
    border_px = border_mm * PX_PER_MM
    left, top = np.clip(np.floor(outline.min(axis=0) - border_px).astype(int), 0, [width, height])
    right, bottom = np.clip(
        np.ceil(outline.max(axis=0) + border_px).astype(int) + 1, [left, top], [width, height]
    )
    to_patch = _to_patch(each, border_mm)
    to_patch[:, 2] += to_patch[:, :2] @ [left, top]
    display = np.clip(linear, 0, 1).astype(np.float32) ** (1 / GAMMA)
    back = cv2.warpAffine(
        display,
        to_patch,
        (int(right - left), int(bottom - top)),
        flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
        borderMode=cv2.BORDER_REPLICATE,
    )
    inside = np.zeros(back.shape[:2], np.uint8)
    draw_field(inside, outline - [left, top], border_px)
    top_view[top:bottom, left:right][inside > 0] = np.round(255 * np.clip(back[inside > 0], 0, 1))


def draw_field(mask: NDArray[np.uint8], outline_px: Floats, border_px: float) -> None:
    """Draw a field and so much of a border around it into a mask."""
    points = [np.round(outline_px).astype(np.int32)]
    cv2.fillPoly(mask, points, (1,))
    if border_px:
        cv2.polylines(mask, points, True, (1,), round(2 * border_px))
