"""Prints of our boards that nobody sells, to learn from and to be judged by. uint8 BGR (H, W, 3)."""

from __future__ import annotations

import random

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.artwork import render_artwork
from engine.board import Board

Picture = NDArray[np.uint8]


def any_print(board: Board, style: str, px_per_mm: float) -> Picture:
    """The board in a printed style, BGR; "chalk~7": in other colours, drawn from the seed 7."""
    name, _, seed = style.partition("~")
    drawn = render_artwork(board, px_per_mm, style=name)
    return _recoloured(drawn, random.Random(f"print {seed}")) if seed else drawn


def _recoloured(drawn: Picture, chance: random.Random) -> Picture:
    """Other hues, paler or stronger, on tinted paper. The tags at the corners stay dark on light."""
    tones = cv2.cvtColor(drawn, cv2.COLOR_BGR2HSV).astype(np.int32)
    tones[..., 0] = (tones[..., 0] + chance.randrange(180)) % 180
    tones[..., 1] = np.clip(tones[..., 1] * chance.uniform(0.4, 1.8) + chance.uniform(0, 50), 0, 255)
    paper = [chance.uniform(0.5, 1.0) for _ in range(3)]
    turned = cv2.cvtColor(tones.astype(np.uint8), cv2.COLOR_HSV2BGR)
    return np.asarray(np.clip(turned * np.array(paper), 0, 255), np.uint8)
