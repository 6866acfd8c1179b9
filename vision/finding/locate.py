"""Where is the board? Four ways: by its printed tags, by corners given by hand, by comparing with one
photograph or picture of the empty board, and by where it was a moment ago.

Each gives points of the board (mm) and where they are seen (px); `vision.geometry.view.fit_view` makes the
view of them, and `refine` then lays the known print over the photograph to get lens and pose right
everywhere.
"""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from functools import cache
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Marker, board_ids, load_board
from vision.errors import NoBoard
from vision.geometry.view import Array, View, fit_view
from vision.pictures.images import halved, in_whole, shrunk
from vision.prints.surface import Surface

Image = NDArray[np.uint8]
Grey = NDArray[np.uint8]
# Below this many tags a board without reference picture is not trusted.
FEWEST_TAGS = 3
# How far off a tag may lie, as a share of the picture's longer side; where some are hardly seen, less.
MOST_OFF, MOST_OFF_IF_FAINT = 0.01, 0.004
# In pictures with a longer side than this tags are large enough to be seen at half the size.
LARGE_PX = 1200
# Tags out of focus show in pictures of so much the size.
BLURRED = (0.5, 0.4)
# So many tags tell roughly where the others lie: so much of a tag's size beside that they are looked for.
FEWEST_TO_GUESS, ASIDE, LEAST_TAG_PX = 2, 1.0, 8
# Natural features that must agree.
FEWEST_MATCHES = 15
# A feature is known again if nothing else is nearly as like it: nothing, of those most like it, that lies so
# far away on the board. Distances of two that are alike are rounded by so much: which is then the nearer of
# two the same the machine's algebra tells, not the picture.
RIVALS, ELSEWHERE_MM, MUCH_LIKER, ROUNDED = 6, 6.0, 0.8, 1e-3
# So many features are compared with all that are known at a time: what is compared needs room.
AT_ONCE = 256
# The least contrast of a feature, as SIFT counts; where hardly any are seen, fainter ones.
CONTRAST, FAINT = 0.04, 0.01
NOT_SEEN = (
    "the board of the reference picture is not in this one, or too little of it: show the whole board, or "
    "give its corners"
)
# Natural features are looked for in pictures of at most so many pixels on their longer side.
AFAR_PX = 1000
# So many of its details are known again; they are looked for tile by tile of so many pixels, and this far
# beyond, for each pixel looked at takes some 230 bytes of memory.
DETAILS, TILE_PX, BEYOND_PX = 3000, 400, 40


# How closely tags are looked for, see `find_tags`.
Look = Literal["quick", "usual", "near", "patient"]
# The outline of a tag in a picture of it and of what lies up to `2 * ASIDE` of its size around it is at least
# so long, as a share of that picture's longer side; seen edge on it would be twice as long.
NEAR = 0.2


@dataclass(frozen=True)
class Located:
    """A board found in a picture. `how` is "tags", "print", "corners", "reference" or "before"; `error_px`
    the median distance between where points are seen and where the view puts them; `told`: (N, 2) mm of
    corners (of tags, or of the board) by which it was found, and (N, 2) px where they were seen."""

    view: View
    how: str
    error_px: float
    tags: int = 0
    points: int = 0
    notes: dict[str, float] = field(default_factory=dict)
    told: tuple[Array, Array] | None = None


@cache
def _detector(dictionary: str, look: Look) -> cv2.aruco.ArucoDetector:
    number = getattr(cv2.aruco, dictionary, None)
    if number is None:
        raise NoBoard(f"the board's tags are of dictionary {dictionary}, which OpenCV does not have")
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_CONTOUR
    parameters.adaptiveThreshWinSizeMax = 43
    parameters.minMarkerPerimeterRate = 0.015
    if look == "quick":
        parameters.adaptiveThreshWinSizeStep = 20
    if look == "near":
        parameters.minMarkerPerimeterRate = NEAR
    if look == "patient":
        # Refining by contours stumbles over the odd quads that are found this way.
        parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_NONE
        parameters.adaptiveThreshWinSizeMin, parameters.adaptiveThreshWinSizeMax = 5, 73
        parameters.adaptiveThreshWinSizeStep = 17
        parameters.polygonalApproxAccuracyRate = 0.05
        parameters.errorCorrectionRate = 1.0
        parameters.perspectiveRemovePixelPerCell = 8
        parameters.maxErroneousBitsInBorderRate = 0.5
    return cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(number), parameters)


def find_tags(grey: Grey, dictionary: str, look: Look = "usual") -> dict[int, list[Array]]:
    """Tag id -> the quads seen with it, each (4, 2) px: top-left, top-right, bottom-right, bottom-left.

    look: "quick" finds a few tags less in two thirds of the time; "near" only those that fill much of the
    picture; "patient" also small and blurred tags, and some that are none, for pictures where the caller
    knows how large a tag must be."""
    try:
        corners, ids, _ = _detector(dictionary, look).detectMarkers(grey)
    except cv2.error:
        # OpenCV's contour refinement stumbles over some quads; the patient detector goes without it.
        corners, ids, _ = _detector(dictionary, "patient").detectMarkers(grey)
    found: dict[int, list[Array]] = {}
    for quad, number in zip(corners, [] if ids is None else np.asarray(ids).ravel(), strict=True):
        found.setdefault(int(number), []).append(quad.reshape(4, 2).astype(float))
    return found


@dataclass(frozen=True)
class Tags:
    """The tags of a board that are seen: number -> (4, 2) px; and how far off one may lie, as a share of the
    picture's longer side."""

    quads: dict[int, Array]
    most_off: float = MOST_OFF


class TooFewTags(NoBoard):
    """Fewer tags than tell where the board lies."""

    def __init__(self, text: str, tags: Tags) -> None:
        super().__init__(text)
        self.tags = tags


def by_tags(grey: Grey, board: Board, *, lens: View | None = None, tags: Tags | None = None) -> Located:
    """The board by its printed tags; `lens`: a measured one; tags: `tags_of` the picture, if they are known.
    Raises NoBoard saying how many were seen and what to do, if they are not enough."""
    tags = tags or tags_of(grey, board)
    if 0 < len(tags.quads) < FEWEST_TAGS:
        tags = _more_tags(grey, board, tags)
    if len(tags.quads) < FEWEST_TAGS:
        raise TooFewTags(_too_few(grey, board, len(tags.quads)), tags)
    return of_tags(tags, board, (grey.shape[1], grey.shape[0]), lens=lens)


def of_tags(tags: Tags, board: Board, size_px: tuple[int, int], *, lens: View | None = None) -> Located:
    """The board by those of its tags, at least one, that a picture of that size shows. Raises NoBoard if they
    do not lie as they should."""
    corners_mm = {marker.id: marker.corners_mm for marker in board.markers}
    points = np.concatenate([np.array(corners_mm[number]) for number in tags.quads])
    pixels = np.concatenate([*tags.quads.values()])
    view, misses = fit_view(points, pixels, size_px, lens=lens)
    error = float(np.median(misses))
    worst = float(np.median(misses.reshape(len(tags.quads), -1), axis=1).max())
    if worst > tags.most_off * max(size_px):
        raise NoBoard(
            f"the tags of the {board.id} board do not lie where they should: is the board flat and whole?"
        )
    return Located(view, "tags", error, tags=len(tags.quads), points=len(points), told=(points, pixels))


def tags_of(grey: Grey, board: Board) -> Tags:
    """The board's tags that are seen, without looking patiently for hidden ones. Raises NoBoard if there are
    two boards of this kind."""
    wanted = {marker.id: marker for marker in board.markers}
    seen = _tags_of(grey, wanted)
    for factor in BLURRED:
        if len(seen) < FEWEST_TAGS:
            small, exactly = shrunk(grey, round(factor * max(grey.shape)))
            _add(seen, _tags_of(small, wanted), exactly)
    return Tags(_of_one_board(seen, board))


def _more_tags(grey: Grey, board: Board, tags: Tags) -> Tags:
    """With those that show enlarged, or to a patient look."""
    wanted = {marker.id: marker for marker in board.markers}
    seen, most_off = {number: [quad] for number, quad in tags.quads.items()}, tags.most_off
    # Small tags show in an enlarged picture; those that showed before are more exact as they were.
    twice = np.asarray(cv2.resize(grey, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    _add(seen, _tags_of(twice, wanted), 2)
    # What a patient look takes for one of the missing tags must lie where the others say. In an enlarged
    # picture that takes its time; with two tags the print is quicker.
    for picture, factor, enough in ((grey, 1, FEWEST_TAGS), (twice, 2, FEWEST_TO_GUESS)):
        if len(seen) < enough:
            single = {
                n: quads for n, quads in _seen_of(picture, wanted, "patient").items() if len(quads) == 1
            }
            most_off = MOST_OFF_IF_FAINT if single.keys() - seen.keys() else most_off
            _add(seen, single, factor)
    return Tags(_of_one_board(seen, board), most_off)


def _add(seen: dict[int, list[Array]], others: Mapping[int, list[Array]], factor: float) -> None:
    """Add the tags that are not seen yet, from a copy that is `factor` times as large."""
    for number, quads in others.items():
        seen.setdefault(number, [in_whole(quad, factor) for quad in quads])


def _of_one_board(seen: Mapping[int, list[Array]], board: Board) -> dict[int, Array]:
    if any(len(quads) > 1 for quads in seen.values()):
        raise NoBoard(f"two {board.id} boards are in the picture: leave one of them in view")
    return {number: quads[0] for number, quads in seen.items()}


def _tags_of(grey: Grey, wanted: Mapping[int, Marker]) -> dict[int, list[Array]]:
    """The tags of a board that are seen, by number. In a large picture they are first looked for at half its
    size; each of these is then looked at closely, and a missing one where the others say that it lies."""
    large = max(grey.shape) > LARGE_PX
    seen = _seen_of(halved(grey), wanted, "quick") if large else _seen_of(grey, wanted)
    if len(seen) < FEWEST_TO_GUESS or any(len(quads) > 1 for quads in seen.values()):
        return _seen_of(grey, wanted) if large else seen
    if large:
        whole = {number: 2 * quad + 0.5 for number, (quad,) in seen.items()}
        seen = {number: _closely(grey, wanted[number], quad) or [quad] for number, quad in whole.items()}
    missing = [number for number in wanted if number not in seen]
    # What is found tells better where the next one lies.
    for twice, number in itertools.product((False, True), missing):
        if number not in seen:
            expected = _expected(wanted[number], {wanted[other]: quads[0] for other, quads in seen.items()})
            aside = ASIDE if len(seen) > FEWEST_TO_GUESS else 2 * ASIDE
            quads = [] if expected is None else _closely(grey, wanted[number], expected, aside, twice=twice)
            if quads:
                seen[number] = quads
    return seen


def _expected(marker: Marker, seen: Mapping[Marker, Array]) -> Array | None:
    """(4, 2) px where a tag lies if the board is flat, given others' quads; None if they tell nothing."""
    known = np.concatenate([np.array(other.corners_mm) for other in seen])
    homography, _ = cv2.findHomography(known, np.concatenate([*seen.values()]))
    if homography is None:
        return None
    corners = np.array(marker.corners_mm, float).reshape(-1, 1, 2)
    quad = cv2.perspectiveTransform(corners, homography).reshape(-1, 2)
    return quad if np.isfinite(quad).all() else None


def _seen_of(grey: Grey, wanted: Mapping[int, Marker], look: Look = "usual") -> dict[int, list[Array]]:
    seen: dict[int, list[Array]] = {}
    for dictionary in sorted({marker.dictionary for marker in wanted.values()}):
        for number, quads in find_tags(grey, dictionary, look).items():
            if number in wanted and wanted[number].dictionary == dictionary:
                seen[number] = quads
    return seen


def _closely(
    grey: Grey, marker: Marker, quad: Array, aside: float = 0.4, *, twice: bool = False
) -> list[Array]:
    """The quads of this tag in the part of the picture around where it is thought to be, give or take so much
    of its size; `twice`: enlarged, in which small tags show."""
    margin = aside * np.ptp(quad, axis=0).max() + 4
    height, width = grey.shape
    left, top = np.clip(np.floor(quad.min(axis=0) - margin), 0, (width, height)).astype(int)
    right, bottom = np.clip(np.ceil(quad.max(axis=0) + margin), 0, (width, height)).astype(int)
    if min(right - left, bottom - top) < LEAST_TAG_PX:
        return []
    part, factor = grey[top:bottom, left:right], 2 if twice else 1
    if twice:
        part = np.asarray(cv2.resize(part, None, fx=2, fy=2, interpolation=cv2.INTER_CUBIC), np.uint8)
    found = find_tags(part, marker.dictionary, "near")
    return [in_whole(corners, factor) + np.array([left, top]) for corners in found.get(marker.id, [])]


def _too_few(grey: Grey, board: Board, count: int) -> str:
    others = [] if count else [other for other in _boards_seen(grey) if other != board.id]
    if others:
        return f"this is the {others[0]} board, but the {board.id} board was expected: choose the other board"
    total = len(board.markers)
    if count == 0:
        return (
            f"no board found: none of the {total} tags of the {board.id} board can be seen; "
            "show the whole board, or give its corners"
        )
    return (
        f"only {count} of the {total} tags of the {board.id} board can be seen: show the whole board, "
        "or give its corners"
    )


def _boards_seen(grey: Grey) -> list[str]:
    counts: Counter[str] = Counter()
    for board_id in board_ids():
        markers = {(marker.dictionary, marker.id) for marker in load_board(board_id).markers}
        for dictionary in {name for name, _ in markers}:
            counts[board_id] += sum((dictionary, number) in markers for number in find_tags(grey, dictionary))
    return [board_id for board_id, count in counts.most_common() if count >= 2]


def which_board(grey: Grey) -> str:
    """The id of the printed board whose tags are seen. Raises NoBoard for none and for two."""
    boards = _boards_seen(grey)
    if not boards:
        raise NoBoard(
            "no board found: no tags of a printed board can be seen; show the whole board, "
            "or say which board it is and where its corners are"
        )
    if len(boards) > 1:
        raise NoBoard(f"two boards are in the picture ({' and '.join(boards)}): leave one of them in view")
    return boards[0]


def by_corners(
    corners_px: Array, board: Board, size_px: tuple[int, int], *, lens: View | None = None
) -> Located:
    """The board by its four corners: top-left, top-right, bottom-right, bottom-left as printed."""
    corners = np.asarray(corners_px, float).reshape(-1, 2)
    if corners.shape != (4, 2) or not np.isfinite(corners).all():
        raise NoBoard(f"the board has 4 corners, each x,y in pixels; found {corners.tolist()}")
    edges = np.roll(corners, -1, axis=0) - corners
    following = np.roll(edges, -1, axis=0)
    turns = edges[:, 0] * following[:, 1] - edges[:, 1] * following[:, 0]
    if turns.min() <= 0:
        raise NoBoard(
            "the corners do not go round the board: give top-left, top-right, bottom-right, "
            "bottom-left as printed"
        )
    points = np.array(board.corners_mm)
    view, misses = fit_view(points, corners, size_px, lens=lens, with_distortion=False, noise_px=1.5)
    return Located(view, "corners", float(np.median(misses)), points=4, told=(points, corners))


# Print refinement: features of the known print, followed into the photograph.
FEATURES, PATCH_PX, LEVELS = 350, 19, 2
# They are followed in a copy that is at most so large: more pixels tell no more of where the board lies.
FOLLOWED_PX = 1280
# Of the photograph's pixels, one in so many per direction is sought on the board; the others lie between.
NODES_PX = 16


def refine(grey: Grey, located: Located, surface: Surface, *, lens: View | None = None) -> Located:
    """Lay the known print over the photograph and fit lens and pose to hundreds of its details.

    Optical flow from the print as this view would show it to the photograph, both evened out locally, so
    that light and ink do not matter; pieces and shadows are outliers. Keeps `located` when the print
    cannot be followed (too little of it visible, or it is another one)."""
    view = located.view
    grey, factor = shrunk(grey, FOLLOWED_PX)
    near = view.scaled(factor, (grey.shape[1], grey.shape[0]))
    inside = _board_mask(surface.size_mm, near)
    left, top, width, height = cv2.boundingRect(inside)
    if min(width, height) < PATCH_PX:
        return located
    window = (slice(top, top + height), slice(left, left + width))
    with ThreadPoolExecutor(max_workers=1) as meanwhile:
        evened = meanwhile.submit(_even, grey[window])
        drawn = _as_seen(surface, near, (left, top, width, height))
        start = details(drawn, inside[window], FEATURES, 0.02, 6)
        photo = evened.result()
    if len(start) < 30:
        return located
    options = {"winSize": (PATCH_PX, PATCH_PX), "maxLevel": LEVELS}
    moved, ok, _ = cv2.calcOpticalFlowPyrLK(drawn, photo, start, None, **options)
    back, ok_back, _ = cv2.calcOpticalFlowPyrLK(photo, drawn, moved, None, **options)
    good = (ok.ravel() == 1) & (ok_back.ravel() == 1) & (np.linalg.norm(back - start, axis=1) < 0.7)
    good &= np.linalg.norm(moved - start, axis=1) < 0.02 * max(near.size_px)
    if good.sum() < 40:
        return located
    corner = np.array([left, top], float)
    board_mm, pixels = near.on_plane(start[good] + corner), in_whole(moved[good] + corner, factor)
    keep = _agreeing(board_mm, pixels)
    if keep.sum() < 40:
        return located
    # A third of them is enough to tell which of the others to leave out.
    roughly, _ = fit_view(board_mm[keep][::3], pixels[keep][::3], view.size_px, start=view, lens=lens)
    misses = np.linalg.norm(roughly.project(board_mm[keep]) - pixels[keep], axis=1)
    settled = misses < 3 * max(0.4, float(np.median(misses)))
    if settled.sum() < 40 or np.median(misses) > 2.0:
        return located
    better, misses = fit_view(
        board_mm[keep][settled], pixels[keep][settled], view.size_px, start=roughly, lens=lens
    )
    return Located(better, located.how, float(np.median(misses)), located.tags, int(settled.sum()))


def lines_like(grey: Grey, view: View, surface: Surface, *, but_not: View | None = None) -> float:
    """How like the print, laid over a photograph by this view, is what is seen there, -1..1: the correlation
    of both, evened out locally. but_not: only by what another view would show otherwise."""
    inside = _board_mask(surface.size_mm, view)
    box = cv2.boundingRect(inside)
    left, top, width, height = box
    if min(width, height) < PATCH_PX:
        return 0.0
    window = (slice(top, top + height), slice(left, left + width))
    there = inside[window] == 255

    def unit(evened: Grey) -> NDArray[np.float32]:
        values = evened[there].astype(np.float32) - 128
        return np.asarray(values / max(1e-6, float(np.linalg.norm(values))), np.float32)

    drawn = unit(_as_seen(surface, view, box))
    if but_not is not None:
        drawn -= unit(_as_seen(surface, but_not, box))
        drawn /= max(1e-6, float(np.linalg.norm(drawn)))
    return float(unit(_even(grey[window])) @ drawn)


def details(grey: Grey, inside: Grey, count: int, weakest: float, apart_px: int) -> NDArray[np.float32]:
    """(N, 2) px of up to `count` corners of the print inside a mask, to be followed into other pictures.
    They are looked for at half the size: four times as quick, and nothing is lost in following them."""
    half = (grey.shape[1] // 2, grey.shape[0] // 2)
    small, mask = (cv2.resize(each, half, interpolation=cv2.INTER_AREA) for each in (grey, inside))
    points = cv2.goodFeaturesToTrack(small, count, weakest, apart_px / 2, mask=(mask == 255).astype(np.uint8))
    if points is None:
        return np.empty((0, 2), np.float32)
    return np.asarray(2 * points.reshape(-1, 2) + 0.5, np.float32)


def _agreeing(board_mm: Array, pixels: Array) -> NDArray[np.bool_]:
    """Which matches fit one plane seen through a moderately bent lens (a loose homography)."""
    spread = max(3.0, 0.004 * float(np.ptp(pixels)))
    _, mask = cv2.findHomography(board_mm, pixels, cv2.USAC_MAGSAC, spread)
    return np.zeros(len(pixels), bool) if mask is None else mask.ravel().astype(bool)


def _as_seen(surface: Surface, view: View, box_px: tuple[int, int, int, int]) -> Grey:
    """The print through this view, in a box of its pixels (left, top, width, height), evened out like the
    photograph, uint8 (height, width)."""
    left, top, width, height = box_px
    x, y = (
        start - 0.5 + NODES_PX * (np.arange(-(-count // NODES_PX) + 2) - 0.5)
        for start, count in ((left, width), (top, height))
    )
    nodes = np.stack(np.meshgrid(x, y), axis=2)
    coarse = view.on_plane(nodes.reshape(-1, 2)).reshape(nodes.shape)
    centre = (surface.size_mm[0] / 2, surface.size_mm[1] / 2)
    level = int(
        np.clip(
            np.floor(np.log2(surface.px_per_mm / view.px_per_mm(centre)) + 0.5), 0, len(surface.levels) - 1
        )
    )
    scale = surface.px_per_mm / 2**level
    fine = cv2.resize(
        (coarse * scale - 0.5).astype(np.float32),
        None,
        fx=NODES_PX,
        fy=NODES_PX,
        interpolation=cv2.INTER_LINEAR,
    )
    maps = fine[NODES_PX : NODES_PX + height, NODES_PX : NODES_PX + width]
    texture = surface.greys[level]
    return _even(cv2.remap(texture, maps, None, cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE))


def _board_mask(size_mm: tuple[float, float], view: View) -> Grey:
    width, height = size_mm
    side = np.linspace(0.01, 0.99, 12)
    edge = np.concatenate(
        [
            np.column_stack([side * width, 0 * side + 0.01 * height]),
            np.column_stack([0 * side + 0.99 * width, side * height]),
            np.column_stack([side[::-1] * width, 0 * side + 0.99 * height]),
            np.column_stack([0 * side + 0.01 * width, side[::-1] * height]),
        ]
    )
    mask = np.zeros((view.size_px[1], view.size_px[0]), np.uint8)
    cv2.fillPoly(mask, [np.round(view.project(edge)).astype(np.int32)], 255)
    return mask


def _even(grey: Grey) -> Grey:
    """Local contrast: minus the mean, over the spread of the neighbourhood."""
    mean = cv2.boxFilter(grey, cv2.CV_32F, (31, 31))
    spread = cv2.sqrBoxFilter(grey, cv2.CV_32F, (31, 31))
    spread -= mean * mean
    spread = cv2.sqrt(np.maximum(spread, 0, out=spread))
    spread += 4
    away = cv2.divide(cv2.subtract(grey, mean, dtype=cv2.CV_32F), spread, scale=50)
    return np.asarray(cv2.add(away, 128, dtype=cv2.CV_8U), np.uint8)


@dataclass(frozen=True)
class Features:
    """Details of a picture that are known again: where they are, (N, 2) px or mm, and what they look like."""

    points: Array
    words: NDArray[np.float32]


def features_of(grey: Grey, contrast: float = CONTRAST) -> Features:
    """The natural features of a picture, in its pixels: the strongest of all its tiles, of at least such a
    contrast. (SIFT, Lowe 2004; compared by Hellinger's distance, Arandjelović and Zisserman 2012.)"""
    points, words, strong = [np.empty((0, 2))], [np.empty((0, 128), np.float32)], list[float]()
    height, width = grey.shape
    for top, left in itertools.product(range(0, height, TILE_PX), range(0, width, TILE_PX)):
        corner = np.array([max(left - BEYOND_PX, 0), max(top - BEYOND_PX, 0)])
        right, bottom = left + TILE_PX, top + TILE_PX
        tile = grey[corner[1] : bottom + BEYOND_PX, corner[0] : right + BEYOND_PX]
        sift = cv2.SIFT.create(DETAILS, contrastThreshold=contrast)
        keys, described = sift.detectAndCompute(tile, None)
        at = np.array([key.pt for key in keys], float).reshape(-1, 2) + corner
        own = np.flatnonzero(((at >= (left, top)) & (at < (right, bottom))).all(axis=1))
        if len(own):
            points.append(at[own])
            shares = described[own] / np.maximum(described[own].sum(axis=1, keepdims=True), 1e-6)
            words.append(np.sqrt(shares, dtype=np.float32))
            strong += [keys[index].response for index in own]
    best = np.argsort(strong)[::-1][:DETAILS]
    return Features(np.concatenate(points)[best], np.concatenate(words)[best])


def features_from_afar(grey: Grey, contrast: float = CONTRAST) -> Features:
    """The same of a copy with at most `AFAR_PX` on its longer side."""
    small, factor = shrunk(grey, AFAR_PX)
    seen = features_of(small, contrast)
    return replace(seen, points=in_whole(seen.points, factor))


def by_reference(grey: Grey, reference: Grey, reference_view: View, *, lens: View | None = None) -> Located:
    """The board by natural features of another photograph in which its view is known; works from another
    side and under another light, as long as the print shows. Raises NoBoard when too little agrees."""
    known = features_on_board(reference, reference_view)
    return matched(features_from_afar(grey), known, (grey.shape[1], grey.shape[0]), lens=lens)


def features_on_board(grey: Grey, view: View) -> Features:
    """The natural features of a photograph whose view is known, in board millimetres."""
    seen = features_from_afar(grey)
    return replace(seen, points=view.on_plane(seen.points))


def matched(
    seen: Features,
    known: Features,
    size_px: tuple[int, int],
    *,
    lens: View | None = None,
    fewest: int = FEWEST_MATCHES,
) -> Located:
    """The board by what of a picture (px) is known from elsewhere (mm): matches that stand out, and a robust
    homography. Raises NoBoard when fewer than `fewest` agree."""
    if len(seen.points) < 20 or len(known.points) < RIVALS:
        raise NoBoard(NOT_SEEN)
    pixels, board_mm = _known_again(seen, known)
    keep = np.zeros(len(pixels), bool)
    if len(pixels) >= fewest:
        _, mask = cv2.findHomography(board_mm, pixels, cv2.USAC_MAGSAC, 4.0)
        keep = keep if mask is None else mask.ravel().astype(bool)
    if keep.sum() < fewest:
        raise NoBoard(NOT_SEEN)
    view, misses = fit_view(board_mm[keep], pixels[keep], size_px, lens=lens)
    if not view.is_before(np.array([known.points.min(axis=0), known.points.max(axis=0)])):
        raise NoBoard(NOT_SEEN)
    return Located(view, "reference", float(np.median(misses)), points=int(keep.sum()))


def _known_again(seen: Features, known: Features) -> tuple[Array, Array]:
    """(N, 2) px, (N, 2) mm of those features that are like one that is known, and like none elsewhere."""
    which, apart = _most_alike(seen.words, known.words)
    at_mm = known.points[which]
    rival = np.linalg.norm(at_mm - at_mm[:, :1], axis=2) > ELSEWHERE_MM
    rivals = np.where(rival, apart, np.inf).min(axis=1)
    good = apart[:, 0] < MUCH_LIKER * rivals - ROUNDED
    return seen.points[good], at_mm[good, 0]


def _most_alike(words: NDArray[np.float32], known: NDArray[np.float32]) -> tuple[NDArray[np.intp], Array]:
    """(N, RIVALS) which of the known features are most like each of N, the likest first, and how far from
    it. All are as long as each other, so that a product of matrices tells, in a fifth of the time that
    OpenCV's matcher takes for the same."""
    which = np.zeros((len(words), RIVALS), np.intp)
    alike = np.zeros((len(words), RIVALS), np.float32)
    for first in range(0, len(words), AT_ONCE):
        some = slice(first, first + AT_ONCE)
        products = words[some] @ known.T
        each = np.arange(len(products))
        for rank in range(RIVALS):
            which[some, rank] = best = products.argmax(axis=1)
            alike[some, rank] = products[each, best]
            products[each, best] = -1
    return which, np.sqrt(np.maximum(2 - 2 * alike, 0))
