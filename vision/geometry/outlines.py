"""The outlines of a board's fields as a picture shows them: for people to say whether they fit."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.geometry.view import View

Image = NDArray[np.uint8]
CORNERS = 24


def outlines_px(board: Board, view: View) -> dict[str, list[list[float]]]:
    """Field -> its outline in the picture, pixels to a tenth."""
    found = {}
    for each in board.fields.values():
        points = view.project(np.array(each.outline_mm(CORNERS)))
        found[each.id] = [[round(float(x), 1), round(float(y), 1)] for x, y in points]
    return found


def draw_outlines(image: Image, board: Board, view: View) -> Image:
    """A copy of the picture with every field's outline and name. image: uint8 (H, W, 3) BGR."""
    out = np.ascontiguousarray(image)
    out = out.copy()
    scale = max(1.0, image.shape[1] / 1280)
    for each in board.fields.values():
        points = np.round(view.project(np.array(each.outline_mm(48))) * 8).astype(np.int32)
        cv2.polylines(out, [points], True, (30, 30, 30), round(3 * scale), cv2.LINE_AA, 3)
        cv2.polylines(out, [points], True, (80, 220, 255), round(scale), cv2.LINE_AA, 3)
        x, y = view.project(np.array([each.centre_mm]))[0]
        name = each.id.removeprefix(f"{each.kind}-")
        cv2.putText(
            out, name, (round(float(x) - 4 * len(name) * scale), round(float(y) + 4 * scale)),
            cv2.FONT_HERSHEY_SIMPLEX, 0.32 * scale, (20, 20, 160), max(1, round(scale)), cv2.LINE_AA,
        )  # fmt: skip
    return out
