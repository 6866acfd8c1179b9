"""Which ground nobody can see: something stands before it, or the picture is white there.

A solid hides the ground behind it, and its outline in the picture tells which: what has been read is
projected with its height. So a field behind a trilith is never called empty; neither is one that looks like
no print in whatever shadow, such as one under an arm, and neither is white print where white is burnt out.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from itertools import chain, compress

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.observation import likeliest
from engine.position import TOP, Thing
from vision.colours.shades import differs
from vision.fields.crops import CROP_PX, frames_of, outlines_of, sampled
from vision.fields.places import GAME_PIECES, Place
from vision.fields.towers import towers_on
from vision.geometry.bodies import Body, Stood, body_of, outlines_of_all
from vision.geometry.view import View
from vision.prints.glare import BURNT_OUT
from vision.sight import Sight

Floats = NDArray[np.float64]
# A place is seen if so much of its ground is.
LEAST_SEEN = 0.3
# A piece of which less shows behind pieces as tall as this (mm), no farther than that before it, is not seen:
# of eight that were read so in 24 photographs none was to be seen, and seven were others or none.
HARDLY_SEEN, TALL_MM, FAR_BEHIND_MM = 0.13, 15.0, 150.0
# What is believed more than this lies there, for what it hides.
BELIEVED = 0.5
# Points of a place's ground, as shares of its radius.
GROUND = np.array(
    [
        (0.9 * share * np.cos(turn), 0.9 * share * np.sin(turn))
        for share, count in ((0.0, 1), (0.5, 6), (1.0, 12))
        for turn in np.arange(count) * 2 * np.pi / count
    ]
)
# Outlines are drawn into a picture so much smaller.
SHRINK = 2
# How much of its print a place shows is told by so many points a side of a square so much wider than the
# place (shares of its radius), of print that differs by so much; the logarithms' floor, and how wide what
# they differ from is (points). The empty places of a picture tell how much that usually is, if so many of
# them show so much; one that shows less than such a share, neither as it is nor the other way round, is under
# something (of 2,988 empty ones one is taken for that, of three under a hand or a bowl none is not).
POINTS, WIDER, CONTRAST, DARKEST, SMOOTH = 13, 1.3, 0.04, 8.0, 2.5
ENOUGH, CLEAR, FAINT, FLAT = 8, 0.6, 0.15, 0.2
BEHIND, TOO_BRIGHT = "hidden behind something", "too bright to see"
OUTSIDE = "outside the picture"
UNKNOWN_PRINT = "on print that is not known"


def find_covered(
    board: Board, game: str | None, sight: Sight, places: Sequence[Place], every: Sequence[Place]
) -> None:
    """Note in `sight.unseen` those of `places` that were read as empty though hardly anything of their ground
    can be seen, and those on which a piece was read though hardly anything of it can. every: all places, on
    which the pieces may stand that hide it."""
    for name in _behind_tall_ones(board, sight, places, every):
        sight.unseen[name] = BEHIND
    bare = [place for place in places if _is_bare(sight, place)]
    taken = {name for place in every if place.covers and not _is_bare(sight, place) for name in place.covers}
    bare = [place for place in bare if place.id not in taken and not taken & set(place.covers)]
    if not bare:
        return
    stood = read_on(board, sight, every, hidden=True)
    if game not in GAME_PIECES:
        stood += towers_on(sight, stood, bare)
    ground, heights = ground_of(bare)
    inside = sight.view.shows(ground, heights)
    pixels, (x, y) = _pixels(sight.view, ground, heights)
    seen = sight.image[y, x]
    white = inside & (seen.min(axis=1) >= BURNT_OUT)
    # The seam of what the board mirrors is no print, but nothing that lies before it.
    other = ~white & ~sight.dazzles(pixels) & _is_no_print(sight, seen, ground)
    behind = ~inside | _behind(sight.view, stood, x, y) | other
    hidden, dazzled = (mask.reshape(len(bare), -1).mean(axis=1) for mask in (behind, behind | white))
    for place, share, with_white in zip(bare, hidden, dazzled, strict=True):
        if with_white > 1 - LEAST_SEEN:
            sight.unseen[place.id] = BEHIND if share > 1 - LEAST_SEEN else TOO_BRIGHT
    for place in _without_print(sight, [place for place in bare if place.id not in sight.unseen]):
        sight.unseen[place.id] = BEHIND


def find_behind(sight: Sight, places: Sequence[Place], stood: Sequence[Stood]) -> None:
    """Note in `sight.unseen` those of `places` that were read as empty though hardly anything of their ground
    can be seen behind these pieces."""
    bare = [place for place in places if _is_bare(sight, place)]
    if not bare or not stood:
        return
    _, (x, y) = _pixels(sight.view, *ground_of(bare))
    hidden = _behind(sight.view, stood, x, y).reshape(len(bare), -1).mean(axis=1)
    for place, share in zip(bare, hidden, strict=True):
        if share > 1 - LEAST_SEEN:
            sight.unseen[place.id] = BEHIND


def _behind_tall_ones(
    board: Board, sight: Sight, places: Sequence[Place], every: Sequence[Place]
) -> list[str]:
    """Those of these places on which a piece was read that would hardly be seen behind tall ones."""
    tall = [each for each in read_on(board, sight, every) if each[3] + each[0].top_mm > TALL_MM]
    eye, asked, before = sight.view.camera_mm[:2], [], []
    for place in places if tall else ():
        body = body_read(board, sight.beliefs.get(place.id, {}))
        if body is None or place.id in sight.unseen:
            continue
        away = math.dist(place.at_mm, eye)
        nearer = [
            math.dist(each[1], eye) < away and 0 < math.dist(each[1], place.at_mm) < FAR_BEHIND_MM
            for each in tall
        ]
        if any(nearer):
            asked.append(replace(place, bodies=(body,)))
            before.append(nearer)
    shares = uncovered(sight.view, asked, tall, before)
    return [place.id for place, share in zip(asked, shares, strict=True) if share < HARDLY_SEEN]


def _without_print(sight: Sight, bare: Sequence[Place]) -> list[Place]:
    """Those of these places that were read as empty where nothing of their print is seen: a pale hand or a
    bowl may be of no other colour than print in the shadow."""
    if sight.surface.guessed or not bare:
        return []
    like, slope, contrast = _print_seen(sight, bare)
    known = contrast > CONTRAST
    if known.sum() >= ENOUGH:
        sight.print_seen = float(np.median(like[known])), float(np.median(slope[known]))
    if sight.print_seen is None or sight.print_seen[0] < CLEAR:
        return []
    usual, usual_slope = sight.print_seen
    hidden = known & (like < FAINT * usual) & (np.abs(slope) < FLAT * usual_slope)
    likened = sight.surface.likened
    return [place for place, gone in zip(bare, hidden, strict=True) if gone and place.id not in likened]


def _print_seen(sight: Sight, places: Sequence[Place]) -> tuple[Floats, Floats, Floats]:
    """How much what N places show goes with their print: (N,) its correlation, how much of the print's
    contrast is seen, and the contrast of the print."""
    steps = np.linspace(-WIDER, WIDER, POINTS)
    square = np.stack(np.meshgrid(steps, steps), axis=-1)
    mm = np.array([np.array(place.at_mm) + square * place.radius_mm for place in places], np.float32)
    heights = np.repeat([place.ground_mm for place in places], POINTS**2)
    pixels = sight.view.project(mm.reshape(-1, 2), heights).reshape(mm.shape).astype(np.float32)
    points_mm = 2 * WIDER / POINTS * np.array([place.radius_mm for place in places])
    scale = sight.view.px_per_mm_at(np.array([place.at_mm for place in places]))
    seen = sampled(sight.halves, pixels, list(points_mm * scale)).mean(axis=3)
    printed = sight.light.shown(sight.surface, mm, list(np.maximum(points_mm, 1 / scale))).mean(axis=3)
    photo, bare = (_structure(part) for part in (seen, 255 * printed))
    both, own, of_print = ((a * b).sum(axis=(1, 2)) for a, b in ((photo, bare), (photo, photo), (bare, bare)))
    return both / np.sqrt(own * of_print + 1e-9), both / (of_print + 1e-9), bare.std(axis=(1, 2))


def _structure(pictures: NDArray[np.floating]) -> Floats:
    """(N, S, S) how much brighter than its surroundings each point is, in logarithms."""
    logs = np.log(pictures + DARKEST)
    return np.stack([each - cv2.GaussianBlur(each, (0, 0), SMOOTH) for each in logs])


def ground_of(places: Sequence[Place]) -> tuple[Floats, Floats]:
    """(N * G, 2) points of the ground of N places (mm), and (N * G,) how high they lie."""
    points = [np.array(place.at_mm) + GROUND * place.radius_mm for place in places]
    return np.concatenate(points), np.repeat([place.ground_mm for place in places], len(GROUND))


def _is_no_print(sight: Sight, seen: NDArray[np.uint8], ground_mm: Floats) -> NDArray[np.bool_]:
    """(N,) whether what the picture shows, (N, 3), is the print at these points of the board (N, 2) in no
    shadow."""
    return differs(*sight.beside_print(seen, ground_mm))


def _is_bare(sight: Sight, place: Place) -> bool:
    return place.id not in sight.unseen and sight.beliefs.get(place.id, {}).get(None, 0.0) > BELIEVED


def uncovered(
    view: View,
    places: Sequence[Place],
    stood: Sequence[Stood],
    before: Sequence[Sequence[bool]] | None = None,
) -> list[float]:
    """How much of the first body of each of N places would be seen beside the M pieces that stand there:
    0..1. before: (N, M) which of these may hide each; None: any of them."""
    if not places:
        return []
    hulls, outlines = outlines_of_all(view, stood), outlines_of(view, places)
    each_before = [hulls] * len(places) if before is None else [compress(hulls, row) for row in before]
    shares = []
    every = zip(frames_of(view, places, outlines), outlines, each_before, strict=True)
    for frame, bodies, others in every:
        own, covered = np.zeros((2, CROP_PX, CROP_PX), np.uint8)
        for mask, parts in ((own, bodies[0]), (covered, chain.from_iterable(others))):
            for hull, _ in parts:
                cv2.fillConvexPoly(mask, np.round(frame.into_crop(hull)).astype(np.int32), 1)
        shares.append(float((covered[own > 0] == 0).mean()) if own.any() else 1.0)
    return shares


def outlines_read(
    board: Board, sight: Sight, places: Sequence[Place], *, hidden: bool = False
) -> NDArray[np.uint8]:
    """(H, W) in a picture `SHRINK` times as small, 1 where the pieces cover it that were surely read on these
    places; hidden: those, too, that most likely stand where nobody can see it."""
    return outlined(sight.view, read_on(board, sight, places, hidden=hidden))


def outlined(view: View, stood: Sequence[Stood]) -> NDArray[np.uint8]:
    """(H, W) in a picture `SHRINK` times as small, 1 where these pieces cover it."""
    width, height = view.size_px
    mask = np.zeros((height // SHRINK + 1, width // SHRINK + 1), np.uint8)
    for parts in outlines_of_all(view, stood):
        for hull, _ in parts:
            cv2.fillConvexPoly(mask, np.round(hull / SHRINK).astype(np.int32), (1,))
    return mask


def share_covered(covered: NDArray[np.uint8], view: View, stood: Stood) -> float:
    """How much of a piece's picture is `covered`, see `outlined`."""
    own = np.zeros_like(covered)
    for hull, _ in outlines_of_all(view, [stood])[0]:
        cv2.fillConvexPoly(own, np.round(hull / SHRINK).astype(np.int32), (1,))
    return float(covered[own > 0].mean()) if own.any() else 0.0


def _pixels(view: View, ground_mm: Floats, heights_mm: Floats) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """(N, 2) the pixels at which points of the ground are seen, and (2, N) x and y of those nearest to them
    in the picture."""
    width, height = view.size_px
    pixels = np.round(view.project(ground_mm, heights_mm)).astype(int)
    return pixels, np.clip(pixels, 0, [width - 1, height - 1]).T


def _behind(
    view: View, stood: Sequence[Stood], x: NDArray[np.intp], y: NDArray[np.intp]
) -> NDArray[np.bool_]:
    """(N,) at which of these pixels of the picture one of these pieces is."""
    return np.asarray(outlined(view, stood)[y // SHRINK, x // SHRINK] > 0)


def read_on(board: Board, sight: Sight, places: Sequence[Place], *, hidden: bool = False) -> list[Stood]:
    """The pieces that were surely read on these places and on the capstones there, as they stand; hidden:
    those, too, that most likely stand where nobody can see it."""
    stood: list[Stood] = []
    for place in places:
        ground = place.ground_mm
        for name in (place.id, place.id + TOP):
            seen = hidden or name not in sight.unseen
            body = body_read(board, sight.beliefs.get(name, {})) if seen else None
            if body is None:
                break
            stood.append((body, place.at_mm, place.angle_deg, ground))
            ground += body.top_mm
    return stood


def body_read(board: Board, belief: dict[Thing | None, float]) -> Body | None:
    """What surely stands there."""
    thing = likeliest(belief)
    if thing is None or belief[thing] < BELIEVED or thing.kind not in board.pieces:
        return None
    return body_of(board.pieces[thing.kind], lying=bool(thing.lying))
