"""Prints of our boards that nobody sells, to learn from and to be judged by. uint8 BGR (H, W, 3)."""

from __future__ import annotations

import random
from collections.abc import Sequence

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
    if not seed:
        return drawn
    chance = random.Random(f"print {seed}")
    turn, strength, more = chance.randrange(180), chance.uniform(0.4, 1.8), chance.uniform(0, 50)
    return recoloured(drawn, turn, strength, more, [chance.uniform(0.5, 1.0) for _ in range(3)])


def recoloured(drawn: Picture, turn: int, strength: float, more: float, paper: Sequence[float]) -> Picture:
    """Hues turned (0..179), colours `strength` times as strong and `more` (0..255) on top, on paper of that
    tint (3,). What is dark on light, such as the tags at the corners, stays so."""
    tones = cv2.cvtColor(drawn, cv2.COLOR_BGR2HSV).astype(np.int32)
    tones[..., 0] = (tones[..., 0] + turn) % 180
    tones[..., 1] = np.clip(tones[..., 1] * strength + more, 0, 255)
    turned = cv2.cvtColor(tones.astype(np.uint8), cv2.COLOR_HSV2BGR)
    return np.asarray(np.clip(turned * np.array(paper), 0, 255), np.uint8)
