"""The print of the table in front of the camera, learnt from a picture of which it is known what lies there.

Between the pieces such a picture shows the print itself: by the same lens, in the same light, from the same
place as the next one. What is under the pieces is taken from what is known of it, a photograph of the empty
board, or, where there is none, from empty fields of the same kind; once a piece is gone, it is seen.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards import LENGTH_MM, WIDTH_MM
from engine.board import Board, Field
from engine.position import Piece
from vision.fields.covered import SHRINK, outlines_read, read_on
from vision.fields.places import AREAS, Place
from vision.geometry.bodies import Body, Prism, Stood, body_of, outlines_of_all, rectangle
from vision.geometry.view import View
from vision.pictures.lookup import looked_up
from vision.prints.bare import BORDER_MM, LIGHT_MAY_DIFFER, PX_PER_MM, bare_and_shaded, draw_field
from vision.prints.light import Light
from vision.prints.surface import GAMMA, Surface, rectified
from vision.yards.cards import SeenCard

if TYPE_CHECKING:
    from vision.sight import Sight

Floats = NDArray[np.float32]
Image = NDArray[np.uint8]
Polygon = Sequence[tuple[float, float]]
# So far around pieces they may lie beside their fields, the print be in their shadow, or the board not be
# found exactly (mm); and so far if it is known what the print is like there.
AROUND_MM, FAR_AROUND_MM = 3.5, 8.0
# Print so much darker than it is known to be (logarithm), over more than so much (mm), is in a shadow that
# goes when a piece does, or the light.
SHADED, SHADOW_MM = 0.12, 3.0
# Pieces that are taller than this throw shadows on other fields, so many times their height far (mm).
TALL_MM, FAR_SHADOW = 15.0, 2.0
# What is put in passes into what is seen over so much.
SEAM_MM = 0.7
# Print so near to other print is lit alike; but what is near a piece is in its shadow, which goes with it, so
# that farther print counts where it is brighter. That is worked out in a picture so much smaller.
NEAR_MM, FARTHER_MM, COARSER = 8.0, 30.0, 4
# A top view is worked out in strips so wide (pixels): at once it needs more memory than a whole reading.
STRIP_PX = 120
# How far around a hole is looked for what may be in it (pixels of the top view, halved).
INPAINT_PX = 5
# A card is as flat as the print.
CARD = Body("card", (Prism(rectangle(LENGTH_MM, WIDTH_MM), 0.0, 0.1),), 0.1)
# A card lies where another one lay if their middles are nearer than this.
NEAR_CARD_MM = 40.0
# So sure it must be that nothing lies on a field for its print to be learnt.
SURELY_BARE = 0.8


def learn_print(board: Board, sight: Sight, places: Sequence[Place], areas: Iterable[Field]) -> Surface:
    """The print of this table, from a picture of which `sight` knows what lies on which of the places, and
    what lies loose in the areas."""
    taken = {name for place in places if not _is_bare(sight, place) for name in (place.id, *place.covers)}
    occupied = [board.fields[name] for name in sorted(taken) if name in board.fields]
    areas = [area for area in areas if sight.lying_in(area.id)]
    full = [area for area in areas if not all(map(_is_placed, sight.lying_in(area.id)))]
    # On fields where nothing is ever looked for nothing lies.
    bare = board.fields.keys() - taken - {each.id for each in board.fields.values() if each.kind in AREAS}
    known, shaded = sight.surface, list[Field]()
    around_mm = AROUND_MM if known.guessed else FAR_AROUND_MM
    pieces = _pieces(board, sight, places, around_mm)
    if known.guessed:
        in_reach = _in_reach(board, sight, places, bare)
        known, shaded = bare_and_shaded(sight.image, sight.view, board, bare, pieces, in_reach)
    under = pieces | _beside(
        board, (*full, *occupied), [board.fields[name] for name in sorted(bare)], around_mm
    )
    learnt = _between_pieces(sight.image, sight.view, board, sight.light, known, under, areas, shaded)
    hidden, likened = frozenset(area.id for area in full), frozenset(each.id for each in occupied)
    if not known.guessed:
        return replace(learnt, hidden=hidden & known.hidden, likened=likened & known.likened)
    cards = (SeenCard.of(piece) for piece in sight.loose)
    outlines = (card.outline_mm() for card in cards if card is not None)
    under_cards = tuple(tuple((float(x), float(y)) for x, y in outline) for outline in outlines)
    return replace(learnt, hidden=hidden, likened=likened, under_cards=under_cards)


def _in_reach(board: Board, sight: Sight, places: Sequence[Place], bare: AbstractSet[str]) -> set[str]:
    """Those of the bare fields that the shadow of a tall piece may reach."""
    tall = [each for each in read_on(board, sight, places) if each[0].top_mm > TALL_MM]
    return {
        name for name in bare
        if any(math.dist(board.fields[name].centre_mm, at) < FAR_SHADOW * (base + body.top_mm)
               for body, at, _, base in tall)
    }  # fmt: skip


def _is_placed(piece: Piece) -> bool:
    """Whether it is known where in its area a piece lies, and how it is turned."""
    return None not in (piece.x_mm, piece.y_mm, piece.angle_deg)


def _is_bare(sight: Sight, place: Place) -> bool:
    nothing = sight.beliefs.get(place.id, {}).get(None, 0.0)
    return place.id not in sight.unseen and nothing > SURELY_BARE


def look_under(board: Board, sight: Sight, places: Iterable[Place]) -> Surface:
    """The print with what is seen at last: of fields on which a piece lay while the print was learnt, and
    nothing lies now."""
    bare = [place.id for place in places if place.id in sight.surface.likened and _is_bare(sight, place)]
    if not bare:
        return sight.surface
    surface = _seen_at_last(sight, [board.fields[name].outline_mm() for name in bare], BORDER_MM)
    return replace(surface, likened=surface.likened - {*bare})


def look_under_cards(sight: Sight, areas: Iterable[Field], cards: Iterable[SeenCard]) -> Surface:
    """The print with what is seen at last in these areas: where a card lay while the print was learnt, and
    none of the `cards` lies now."""
    lie = [card.at_mm for card in cards]
    bare = []
    for outline in sight.surface.under_cards:
        x, y = np.mean(outline, axis=0)
        read = any(area.contains(float(x), float(y)) for area in areas)
        if read and all(np.hypot(x - other, y - down) > NEAR_CARD_MM for other, down in lie):
            bare.append(outline)
    if not bare:
        return sight.surface
    kept = tuple(each for each in sight.surface.under_cards if each not in bare)
    return replace(_seen_at_last(sight, bare, AROUND_MM), under_cards=kept)


def _pieces(board: Board, sight: Sight, places: Sequence[Place], around_mm: float) -> Image:
    """(h, w) of a top view: 1 where what was read, with its height, covers the print, and so far around."""
    width, height = (round(size * PX_PER_MM) for size in board.size_mm)
    maps = sight.view.maps((0.0, 0.0), 1 / PX_PER_MM, (width, height))
    photo_height, photo_width = sight.image.shape[:2]
    covered = outlines_read(board, sight, places)
    for hull in _loose_outlines(board, sight):
        cv2.fillConvexPoly(covered, np.round(hull / SHRINK).astype(np.int32), (1,))
    covered = cv2.resize(covered, (photo_width, photo_height), interpolation=cv2.INTER_NEAREST)
    pieces = cv2.remap(
        covered, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=(1,)
    )
    return _widened((pieces > 0).astype(np.uint8), around_mm)


def _beside(board: Board, occupied: Sequence[Field], bare: Sequence[Field], around_mm: float) -> Image:
    """(h, w) of a top view: 1 where pieces may lie beside where they were read: on all of the occupied fields
    and areas and a little around them, but for bare fields."""
    width, height = (round(size * PX_PER_MM) for size in board.size_mm)
    beside, seen = np.zeros((2, height, width), np.uint8)
    for mask, fields, border_px in ((beside, occupied, 0.0), (seen, bare, BORDER_MM * PX_PER_MM)):
        for each in fields:
            draw_field(mask, np.array(each.outline_mm()) * PX_PER_MM - 0.5, border_px)
    return np.asarray(_widened(beside, around_mm) & (1 - seen), np.uint8)


def _loose_outlines(board: Board, sight: Sight) -> list[Floats]:
    """The outlines (N, 2) px of the pieces that lie somewhere in an area."""
    stood: list[Stood] = []
    for piece in filter(_is_placed, sight.loose):
        assert piece.x_mm is not None and piece.y_mm is not None and piece.angle_deg is not None
        body = CARD if piece.kind == "card" else body_of(board.pieces[piece.kind], lying=piece.lying)
        stood.append((body, (piece.x_mm, piece.y_mm), piece.angle_deg, 0.0))
    return [hull for parts in outlines_of_all(sight.view, stood) for hull, _ in parts]


def _widened(mask: Image, around_mm: float) -> Image:
    reach = round(2 * around_mm * PX_PER_MM) + 1
    return np.asarray(cv2.dilate(mask, np.ones((reach, reach), np.uint8)), np.uint8)


def _between_pieces(
    photo: Image,
    view: View,
    board: Board,
    light: Light,
    known: Surface,
    covered: Image,
    areas: Sequence[Field],
    shaded: Sequence[Field],
) -> Surface:
    """The board as it lies in front of the camera, where it is known which pieces lie on it: between them the
    photograph is the print. covered: (h, w) of the top view, 1 where pieces cover it; what is under them is
    taken from what is `known` of the print, in this `light`, and on these `areas`, of which nothing is known,
    from around. shaded: the fields on which a shadow may lie of which others tell how they are printed."""
    seen = rectified(photo, view, board.size_mm, PX_PER_MM)
    height, width = seen.shape[:2]
    under = covered.astype(np.float32)
    if known.guessed:
        bare = np.divide(known.top_view(), np.float32(255), dtype=np.float32)
        fields = np.zeros((height, width), np.uint8)
        for each in board.fields.values():
            if each not in areas:
                draw_field(fields, np.array(each.outline_mm()) * PX_PER_MM - 0.5, BORDER_MM * PX_PER_MM)
        between = (under > 0) & (fields == 0)
        small = (width // 2, height // 2)
        holes = cv2.resize(between.astype(np.uint8), small, interpolation=cv2.INTER_NEAREST)
        rough = np.round(cv2.resize(bare, small, interpolation=cv2.INTER_AREA) * 255).astype(np.uint8)
        holes = cv2.dilate(holes, np.ones((3, 3), np.uint8))
        rough = cv2.inpaint(rough, holes, INPAINT_PX, cv2.INPAINT_TELEA)
        bare[between] = cv2.resize(rough, (width, height))[between].astype(np.float32) / 255
    else:
        share_mm = (np.arange(width, dtype=np.float32) + 0.5) / PX_PER_MM
        down_mm = (np.arange(height, dtype=np.float32) + 0.5) / PX_PER_MM
        bare = np.empty(seen.shape, np.float32)
        for rows in _strips(height):
            mm = np.stack(np.meshgrid(share_mm, down_mm[rows]), axis=2)
            bare[rows] = known.sample(mm[None], [1 / PX_PER_MM])[0] * light.at(mm) ** (1 / GAMMA)
    # What is known of the print was seen in another light: it must not show where it is put in.
    brightest = np.concatenate([_apart(seen[rows], bare[rows]).max(axis=2) for rows in _strips(height)])
    shadow = _in_shadow(brightest)
    if known.guessed:
        fields[:] = 0
        for each in shaded:
            draw_field(fields, np.array(each.outline_mm()) * PX_PER_MM - 0.5, BORDER_MM * PX_PER_MM)
        shadow *= fields
    under = np.maximum(under, shadow)
    near, farther = _from_around(seen, bare, 1 - under)
    coarse = np.maximum(near, farther)
    share = cv2.GaussianBlur(under, (0, 0), SEAM_MM * PX_PER_MM)[..., None]
    for rows in _strips(height):
        put_in = bare[rows] * np.exp(_enlarged(coarse, rows, width)) * 255
        seen[rows] = np.clip(np.round(seen[rows] * (1 - share[rows]) + put_in * share[rows]), 0, 255)
    del bare
    return replace(Surface.of_image(seen, board.size_mm), photographed=True)


def _strips(height: int) -> list[slice]:
    """The rows of a top view, in strips."""
    return [slice(first, min(first + STRIP_PX, height)) for first in range(0, height, STRIP_PX)]


def _enlarged(coarse: Floats, rows: slice, width: int) -> Floats:
    """Some rows of a top view so wide that is known `COARSER`; they begin with one that is."""
    first, last = rows.start // COARSER, -(-rows.stop // COARSER)
    around = np.pad(coarse, ((1, 1), (0, 0), (0, 0)), mode="edge")[first : last + 2]
    large = cv2.resize(around, (width, COARSER * len(around)))
    return np.asarray(large[COARSER : COARSER + rows.stop - rows.start], np.float32)


def _apart(seen: Image, bare: Floats) -> Floats:
    """(..., 3) by what logarithm what is seen (uint8) is brighter than what is known of the print (0..1)."""
    bright = np.divide(seen, np.float32(255), dtype=np.float32)
    return np.asarray(np.log(np.maximum(bright, 0.02)) - np.log(np.maximum(bare, 0.02)), np.float32)


def _in_shadow(brightest: Floats) -> Floats:
    """(h, w) 1 where a top view is darker in all colours than it is known to be: brightest, (h, w), says by
    what logarithm in the colour in which it is brightest."""
    width = round(SHADOW_MM * PX_PER_MM) | 1
    dark = (cv2.blur(brightest, (width, width)) < -SHADED).astype(np.uint8)
    kernel = np.ones((width, width), np.uint8)
    return cv2.dilate(cv2.morphologyEx(dark, cv2.MORPH_OPEN, kernel), kernel).astype(np.float32)


def _seen_at_last(sight: Sight, outlines: Sequence[Polygon], border_mm: float) -> Surface:
    """The surface with what lies within these outlines (mm), and a border around them, as the photograph
    shows it."""
    surface = sight.surface
    shown = surface.top_view()
    height, width = shown.shape[:2]
    mask = np.zeros((height, width), np.uint8)
    for each in outlines:
        draw_field(mask, np.array(each) * PX_PER_MM - 0.5, border_mm * PX_PER_MM)
    rows, columns = np.nonzero(mask)
    mm = (np.column_stack([columns, rows]) + 0.5).astype(np.float32) / PX_PER_MM
    seen = looked_up(sight.image, sight.view.project(mm)[None].astype(np.float32))[0]
    lit = sight.light.even_out(seen.astype(np.float32), mm)
    shown[rows, columns] = np.round(np.clip(lit, 0, 1) * 255)
    anew = Surface.of_image(shown, surface.size_mm)
    return replace(surface, levels=anew.levels)


def _from_around(seen: Image, bare: Floats, there: Floats) -> tuple[Floats, Floats]:
    """By how much what is seen near each pixel of a top view is brighter than the bare print, and what is
    seen farther around, where it is seen, `there` (H, W; 1, elsewhere 0): (h, w, 3) each, logarithms,
    `COARSER`."""
    height, width = there.shape
    counted: list[Floats] = []
    for rows in _strips(height):
        apart = np.clip(_apart(seen[rows], bare[rows]), -LIGHT_MAY_DIFFER, LIGHT_MAY_DIFFER)
        both = np.dstack([apart * there[rows][..., None], there[rows]])
        small = (-(-width // COARSER), -(-len(both) // COARSER))
        counted.append(np.asarray(cv2.resize(both, small, interpolation=cv2.INTER_AREA), np.float32))
    every = np.concatenate(counted)
    reached = (cv2.GaussianBlur(every, (0, 0), mm * PX_PER_MM / COARSER) for mm in (NEAR_MM, FARTHER_MM))
    near, farther = (np.asarray(each[..., :3] / (each[..., 3:] + 1e-3), np.float32) for each in reached)
    return near, farther
