"""What is left of the details that a picture showed before: an arm hides them, a shadow, however deep, does
not."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Colours = NDArray[np.uint8] | NDArray[np.float32]
Mask = NDArray[np.bool_]
# Details are what is finer than this, in windows so wide (pixels), of the logarithm of brightness (of 255; a
# floor keeps noise out of it); there are some where they differ by so much.
FINE_PX, WINDOW_PX, DARKEST, DETAIL = 2.5, 7, 8.0, 0.03
# They are gone where they correlate no better, and still seen where they do so well, or have so much of their
# strength left.
GONE, STILL_SEEN, LEFT = 0.4, 0.75, 0.6


def details_left(now: Colours, before: Colours) -> tuple[Mask, Mask]:
    """(h, w) where details that were seen before are seen no more, and where they still are. now, before:
    (h, w, 3) BGR 0..255 of the same things."""
    logs = [np.log(cv2.cvtColor(each, cv2.COLOR_BGR2GRAY) + np.float32(DARKEST)) for each in (before, now)]
    old, new = (each - cv2.GaussianBlur(each, (0, 0), FINE_PX) for each in logs)
    was, seen, both = (
        cv2.boxFilter(one * other, -1, (WINDOW_PX, WINDOW_PX))
        for one, other in ((old, old), (new, new), (old, new))
    )
    there, alike, left = was > DETAIL**2, both / np.sqrt(was * seen + 1e-12), both / (was + 1e-12)
    gone = there & (alike < GONE) & (left < GONE)
    still_seen = there & ((alike > STILL_SEEN) | ((alike > GONE) & (left > LEFT)))
    # Windows beside what is gone reach into it.
    gone = cv2.erode(gone.astype(np.uint8), np.ones((WINDOW_PX // 2, WINDOW_PX // 2)))
    return np.asarray(gone > 0), np.asarray(still_seen)
