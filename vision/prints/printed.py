"""The artwork of our own printed boards as a surface, drawn once and kept, and which of them a photograph
shows."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.artwork import render_artwork
from calibration.styles import STYLES
from engine.board import Board
from vision.geometry.view import View
from vision.pictures.halves import Photo
from vision.prints.light import Samples, area_samples
from vision.prints.surface import Surface

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
PX_PER_MM = 3.0
# The looks that our boards are printed in.
INK_SAVING = "ink-saving"
PRINTS = (*STYLES, INK_SAVING)
# A photograph that is so far from all prints (see Light.misfit) shows other artwork, unless one of them
# stands out: so much nearer than the next; or an arm lies over much of it, but its details are all the more
# like them. Nearly white paper is like many a board: it must fit better.
OTHER_ARTWORK, STANDS_OUT, LIKE_MANY = 0.42, 0.9, 0.3
# Nor is it one of them if its details are so unlike them, measured by how far its colours are from theirs:
# 0.9 and more in photographs of our prints that are hard to see, up to 0.4 on most other artwork. Where they
# are far, it is 0.64 and more under arms (five photographs) and up to 0.56 on other artwork (seven). Left out
# is what is alike on all boards of a layout: tags, with a border of so much of their size, and the outlines
# of fields, so many cells wide. Colours that are so near need no second look.
UNLIKE, UNLIKE_IF_FAR = 0.45, 0.6
# A print that is further away than the nearest is asked for its details, too: what a dark board mirrors and
# many bright pieces on it make it brighter. It must be so much like them (a dark print in such a photograph:
# 1.3; other artwork 0.7 at most, in 72 photographs of 24 boards).
PLAINLY_LIKE = 1.0
TAG_BORDER, OUTLINE_CELLS, SURELY = 0.25, 3, 0.2
# Prints that are hardly further away than the nearest are told apart by their details: these are compared on
# a grid of so many mm, each with its surroundings; none counts more than so much (logarithm of brightness).
CLOSE, CELL_MM, AROUND_CELLS, BOLDEST = 1.3, 2.0, 4.0, 0.6
# Where only the misfit matters, one point of so many per direction is enough.
EVERY = 3
# The level at which prints are told apart: those that are not seen need no more memory.
COARSE = 2


@cache
def printed_surface(board: Board, style: str = "chalk") -> Surface:
    """The board as Henge prints it in one of `PRINTS`. Drawing takes a second, so the picture is kept in the
    user's cache."""
    return _loaded(board, style)


def print_seen(image: Photo, view: View, board: Board) -> str | None:
    """Which of our prints a photograph shows, by its colours and by its details; None if it is none of
    them."""
    samples = Samples.of(image, view, board.size_mm, every=EVERY)
    away = {name: samples.light(_coarse(board, name)).misfit for name in PRINTS}
    if away[INK_SAVING] > LIKE_MANY:
        del away[INK_SAVING]
    best, next_best = sorted(away, key=away.__getitem__)[:2]
    close = [name for name in away if away[name] < CLOSE * away[best]]
    if len(close) == 1 and away[best] < SURELY:
        return best
    alike = {name: alike / away[name] for name, alike in _likeness(image, view, board, list(away)).items()}
    likest = max(close, key=alike.__getitem__)
    far = away[best] > max(OTHER_ARTWORK, STANDS_OUT * away[next_best])
    if alike[likest] > (UNLIKE_IF_FAR if far else UNLIKE):
        return likest
    plainly = max(alike, key=alike.__getitem__)
    return plainly if alike[plainly] > PLAINLY_LIKE else None


def _likeness(image: Photo, view: View, board: Board, names: list[str]) -> dict[str, float]:
    """How well the details of each print correlate with those in the photograph, 0..1."""
    own = _own_details(board)
    rows, columns = own.shape
    width, height = board.size_mm
    pixels = view.maps((0.0, 0.0), CELL_MM, (columns, rows))
    cell_px = view.px_per_mm((width / 2, height / 2)) * CELL_MM
    seen, flat = area_samples(image, pixels, cell_px, view.size_px)
    inside = flat.reshape(own.shape) & own
    photo = np.clip(_details(seen.reshape(*own.shape, 3) * 255), -BOLDEST, BOLDEST)[inside]
    found = {}
    for name in names:
        drawn = _details_of(board, name)[inside]
        shared = float((photo * drawn).sum() / np.sqrt((photo**2).sum() * (drawn**2).sum() + 1e-9))
        found[name] = max(shared, 0.05)
    return found


def _details(picture: Floats) -> Floats:
    """A picture (0..255) without what is broad in it: its light."""
    levels = np.log(picture + 8)
    return np.asarray(levels - cv2.GaussianBlur(levels, (0, 0), AROUND_CELLS), np.float32)


def _grid(size_mm: tuple[float, float]) -> Floats:
    width, height = size_mm
    x, y = np.meshgrid(*(np.arange(CELL_MM / 2, side, CELL_MM) for side in (width, height)))
    return np.stack([x, y], axis=2).astype(np.float32)


@cache
def _own_details(board: Board) -> NDArray[np.bool_]:
    """Which points of the grid lie on no tag and on no field's outline."""
    shape = _grid(board.size_mm).shape[:2]
    common = np.zeros(shape, np.uint8)
    for marker in board.markers:
        corners = np.array(marker.corners_mm)
        border = TAG_BORDER * np.ptp(corners, axis=0)
        low, high = np.round(np.array([corners.min(axis=0) - border, corners.max(axis=0) + border]) / CELL_MM)
        cv2.rectangle(common, low.astype(int).tolist(), high.astype(int).tolist(), 1, -1)
    for each in board.fields.values():
        outline = np.round(np.array(each.outline_mm()) / CELL_MM - 0.5).astype(np.int32)
        cv2.polylines(common, [outline], True, 1, OUTLINE_CELLS)
    return np.asarray(common == 0)


@cache
def _details_of(board: Board, style: str) -> Floats:
    return _details(_coarse(board, style).sample(_grid(board.size_mm)[None], [CELL_MM])[0] * 255)


@cache
def _coarse(board: Board, style: str) -> Surface:
    """The print without its finest levels."""
    whole = _loaded(board, style)
    return Surface(whole.levels[COARSE:], whole.px_per_mm / 2**COARSE, whole.size_mm)


def _loaded(board: Board, style: str) -> Surface:
    path = _kept(board, style)
    image = cv2.imread(str(path)) if path and path.exists() else None
    if image is None:
        saving = style == INK_SAVING
        image = render_artwork(board, PX_PER_MM, saving, "chalk" if saving else style)
        if path:
            _keep(path, image)
    return Surface.of_image(np.asarray(image, np.uint8), board.size_mm)


def _kept(board: Board, style: str) -> Path | None:
    root = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(root) if root else Path.home() / ".cache") / "henge"
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    drawn_by = b"".join(
        f.read_bytes() for f in sorted((Path(__file__).parents[2] / "calibration").glob("*.py"))
    )
    key = hashlib.sha256(json.dumps(board.to_json(), sort_keys=True).encode() + drawn_by).hexdigest()[:16]
    return folder / f"{board.id.replace(os.sep, '_')}-{style}-{key}.png"


def _keep(path: Path, image: np.ndarray) -> None:
    """Written beside and renamed, so that two programs at once do not read half a picture."""
    try:
        with tempfile.NamedTemporaryFile(dir=path.parent, suffix=".png", delete=False) as file:
            file.write(cv2.imencode(".png", image)[1].tobytes())
        Path(file.name).replace(path)
    except OSError:
        return
