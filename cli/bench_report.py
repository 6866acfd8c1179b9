"""The page of wrong fields that `henge bench vision --report DIR` writes."""

from __future__ import annotations

import html
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from cli.bench_vision import Result, board_file
from engine.board import load_board
from vision.compare import Miss
from vision.pictures.images import load_image

Image = NDArray[np.uint8]


def write_report(folder: Path, results: list[Result]) -> None:
    """An HTML page with a cut-out picture of every wrong field."""
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for result in results:
        for miss in result.comparison.misses if result.comparison else ():
            name = f"{result.path.stem}-{miss.place.replace('^', '-top').replace('+', '-')}.jpg"
            cutout = _cutout(result.path, miss)
            if cutout is not None:
                cv2.imwrite(str(folder / name), cutout)
            words = f"{miss.place}: is {miss.truth}, read {miss.read} ({miss.confidence:.3f})"
            caption = f"{html.escape(result.path.name)}<br>{html.escape(words)}"
            rows.append(f'<figure><img src="{name}" alt=""><figcaption>{caption}</figcaption></figure>')
    page = (
        '<!doctype html><meta charset="utf-8"><title>Wrong fields</title>'
        "<style>body{font:16px system-ui;background:#f4f1ea;color:#1d2430}"
        "figure{display:inline-block;width:220px;vertical-align:top;margin:8px}img{width:220px}</style>"
        f"<h1>{len(rows)} wrong fields</h1>" + "".join(rows)
    )
    (folder / "index.html").write_text(page, encoding="utf-8")


def _cutout(path: Path, miss: Miss) -> Image | None:
    """The surroundings of a field, found by the label's corners; None for places without a field."""
    label = json.loads(path.with_suffix(".json").read_text(encoding="utf-8"))
    board = load_board(board_file(path, label))
    each = board.fields.get(miss.place.rstrip("^").partition("+")[0])
    if each is None:
        return None
    image = load_image(path)
    square = np.array(board.corners_mm, np.float32)
    to_px = cv2.getPerspectiveTransform(square, np.array(label["corners_px"], np.float32))
    x, y = cv2.perspectiveTransform(np.array([[each.centre_mm]], np.float32), to_px)[0, 0]
    half = max(24, int(0.045 * max(image.shape[:2])))
    padded = cv2.copyMakeBorder(image, half, half, half, half, cv2.BORDER_REPLICATE)
    part = padded[int(y) : int(y) + 2 * half, int(x) : int(x) + 2 * half]
    return (
        np.asarray(cv2.resize(part, (220, 220), interpolation=cv2.INTER_CUBIC), np.uint8)
        if part.size
        else None
    )
