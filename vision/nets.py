"""The small networks (trained by `vision.training`) as OpenCV runs them: inputs in, answers out.

Any thread may ask any network at any time: several tables are read side by side.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float32]
MODELS = Path(__file__).with_name("models")
# Inputs per forward pass: more of them need more memory, which takes longer to get than to fill.
BATCH = 16


def answers(name: str, inputs: Floats, outputs: Sequence[str] = ()) -> list[Floats]:
    """What each of these outputs of a network, the last one if none is named, says of (N, ...) inputs, N at
    least 1: (N, ...) each."""
    told = []
    with _copy_of(name) as net:
        for first in range(0, len(inputs), BATCH):
            net.setInput(np.ascontiguousarray(inputs[first : first + BATCH]))
            told.append(net.forward(outputs) if outputs else (net.forward(),))
    return [np.concatenate(each).astype(np.float32) for each in zip(*told, strict=True)]


@contextmanager
def _copy_of(name: str) -> Iterator[cv2.dnn.Net]:
    """A copy of the network of this name for one alone: OpenCV keeps inputs and answers in it, so that two
    threads with the same one would mix them up."""
    free = _free(name)
    try:
        net = free.pop()
    except IndexError:
        # OpenCV's older engine takes two thirds of the time of its newer one, to the same numbers.
        net = cv2.dnn.readNetFromONNX(str(MODELS / f"{name}.onnx"), cv2.dnn.ENGINE_CLASSIC)
    yield net
    # Not after an error: who knows what that left in it.
    free.append(net)


@cache
def _free(name: str) -> deque[cv2.dnn.Net]:
    """The copies that nobody uses at the moment."""
    return deque()
