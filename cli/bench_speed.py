"""How long the eyes take for a picture of 1920 x 1080, stage by stage, beside decoding the same JPEG.

Everything is timed in one run, interleaved, so that a busy machine slows all alike: the ratios count.
"""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Mapping, Sequence
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from vision import CannotRead, Reader
from vision.pictures.images import load_image

Image = NDArray[np.uint8]
SIZE_PX = (1920, 1080)
PICTURES, ROUNDS = 24, 3
JPEG_QUALITY = 90
DECODE, FIRST, TRACKED = "decode", "first look", "tracked frame"
TOTAL, WITHIN = "total", "9 of 10 within"
Milliseconds = dict[str, dict[str, float]]


def frame_times(wide: Sequence[tuple[Reader, Path]]) -> Milliseconds:
    """What a frame costs: "decode", "first look" (by stage and "total") and "tracked frame" (the same, of
    a second picture from the same place with other noise). Medians over some of the pictures `wide`, spread
    evenly, each with its reader, and what 9 of 10 totals keep within; {} if there are none."""
    spread = np.linspace(0, len(wide), min(PICTURES, len(wide)), endpoint=False).astype(int)
    chosen = [wide[number] for number in spread]
    found: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for reader, path in chosen:
        image = cv2.resize(load_image(path), SIZE_PX, interpolation=cv2.INTER_CUBIC)
        for number in range(ROUNDS):
            first, second = _jpeg(image, 2 * number), _jpeg(image, 2 * number + 1)
            reader.forget()
            try:
                _timed(reader, first, found[DECODE], found[FIRST])
                _timed(reader, second, found[DECODE], found[TRACKED])
            except CannotRead:
                break
    return {what: _told(stages) for what, stages in found.items()}


def _told(stages: Mapping[str, Sequence[float]]) -> dict[str, float]:
    """The median of each stage, and what nine of ten totals keep within."""
    told = {stage: round(float(np.median(ms)), 1) for stage, ms in stages.items()}
    return told | {WITHIN: round(float(np.quantile(stages[TOTAL], 0.9)), 1)} if told else {}


def is_wide(image: Image) -> bool:
    """Whether the picture has the shape of a camera's frame, and no more pixels."""
    height, width = image.shape[:2]
    return abs(width / height - SIZE_PX[0] / SIZE_PX[1]) < 0.02 and width <= SIZE_PX[0]


def _jpeg(image: Image, seed: int) -> Image:
    """The picture as the camera would send it once more: other noise, a JPEG of its own."""
    noise = np.random.default_rng(seed).normal(0, 1.5, image.shape)
    again = np.clip(image + noise, 0, 255).astype(np.uint8)
    return np.asarray(cv2.imencode(".jpg", again, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])[1], np.uint8)


def _timed(reader: Reader, jpeg: Image, decode: dict[str, list[float]], look: dict[str, list[float]]) -> None:
    clock = time.perf_counter()
    image = cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
    decode[TOTAL].append((time.perf_counter() - clock) * 1e3)
    clock = time.perf_counter()
    seen = reader.read(np.asarray(image, np.uint8))
    look[TOTAL].append((time.perf_counter() - clock) * 1e3)
    for stage, ms in seen.quality["ms"].items():
        look[stage].append(ms)


def in_words(times: Milliseconds) -> list[str]:
    """One line each, with the ratio to decoding."""
    if DECODE not in times:
        return []
    decode = times[DECODE][TOTAL]
    lines = [f"milliseconds per frame of {SIZE_PX[0]} x {SIZE_PX[1]}: {DECODE} {decode}"]
    for what in (each for each in (FIRST, TRACKED) if times.get(each)):
        stages = ", ".join(
            f"{stage} {ms}" for stage, ms in times[what].items() if stage not in (TOTAL, WITHIN)
        )
        total, within = times[what][TOTAL], times[what][WITHIN]
        ratio = f"{total / max(decode, 1e-6):.1f} x {DECODE}"
        lines.append(f"  {what} {total} ({ratio}; {WITHIN} {within}): {stages}")
    return lines
