"""A photograph in full, half, quarter, ... size: what many looks at it need is made once."""

from __future__ import annotations

from threading import Lock

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]


class Halves:
    """`halves[level]` is the photograph, uint8 BGR, halved so often; pixel (0, 0) stays in its place.
    Threads may share one."""

    def __init__(self, photo: Image) -> None:
        self._levels = [photo]
        self._lock = Lock()

    @classmethod
    def of(cls, photo: Photo) -> Halves:
        return photo if isinstance(photo, Halves) else cls(photo)

    def __getitem__(self, level: int) -> Image:
        with self._lock:
            while len(self._levels) <= level:
                self._levels.append(np.asarray(cv2.pyrDown(self._levels[-1]), np.uint8))
            return self._levels[level]


Photo = Image | Halves
