"""The artwork of our own printed boards as a surface, drawn once and kept."""

from __future__ import annotations

import hashlib
import json
import os
import tempfile
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from calibration.artwork import render_artwork
from engine.board import Board
from vision.surface import Surface

PX_PER_MM = 3.0


@cache
def printed_surface(board: Board, style: str = "chalk") -> Surface:
    """The board as Henge prints it in one of its styles. Drawing takes a second, so the picture is kept in
    the user's cache."""
    path = _kept(board, style)
    image = cv2.imread(str(path)) if path and path.exists() else None
    if image is None:
        image = render_artwork(board, px_per_mm=PX_PER_MM, style=style)
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
        f.read_bytes() for f in sorted((Path(__file__).parents[1] / "calibration").glob("*.py"))
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
