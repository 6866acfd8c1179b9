"""Pictures and tables between their pixels."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

# OpenCV's remap makes pictures of at most so many rows and columns.
MOST = 32766


def looked_up(picture: NDArray[Any], at: NDArray[np.float32]) -> NDArray[Any]:
    """(..., W, C) what a picture (h, w, C) shows at (..., W, 2) of its columns and rows, between its pixels;
    beyond its edge what it shows there."""
    lines = at.reshape(-1, *at.shape[-2:])
    rows, columns = (range(0, max(length, 1), MOST) for length in lines.shape[:2])
    parts = [
        [
            cv2.remap(
                picture,
                lines[top : top + MOST, left : left + MOST],
                None,
                cv2.INTER_LINEAR,
                borderMode=cv2.BORDER_REPLICATE,
            )
            for left in columns
        ]
        for top in rows
    ]
    whole = parts[0][0] if len(rows) == len(columns) == 1 else np.vstack([np.hstack(each) for each in parts])
    return whole.reshape(*at.shape[:-1], *picture.shape[2:])
