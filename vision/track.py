"""Between two pictures of one camera: has the board moved, and where did anything change?

A camera on a stand sees the same print at the same pixels, so the board need not be found again, and only
places whose pixels changed need to be looked at again.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.locate import details
from vision.places import Place
from vision.view import View

Image = NDArray[np.uint8]
Grey = NDArray[np.uint8]
# Points followed, how far they may move (px of the working picture), and how many must agree.
POINTS, STILL_PX, AGREEING = 80, 0.45, 0.6
# A place has changed if somewhere in it the colour differs by this much (of 255), averaged over CELL px of
# the half-size picture; so many of all places changed that reading everything is quicker: MANY.
CHANGED, CELL, MANY = 9.0, 5, 0.5


@dataclass(frozen=True)
class Anchor:
    """What a picture looked like when it was read: `half` is the picture at half size (BGR), `points`
    details of the print to follow, (N, 1, 2) px of the working picture."""

    grey: Grey
    half: Image
    points: NDArray[np.float32]

    @classmethod
    def of(cls, image: Image, grey: Grey, view: View, size_mm: tuple[float, float]) -> Anchor:
        """Remember this picture."""
        mask = np.zeros_like(grey)
        width, height = size_mm
        corners = view.project(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 255)
        return cls(grey, halved(image), details(grey, mask, POINTS, 0.03, 12)[:, None])

    def still(self, grey: Grey) -> bool:
        """Whether the board lies where it lay: most details of the print have not moved. Hands and pieces
        that moved are outvoted."""
        if grey.shape != self.grey.shape or len(self.points) < 12:
            return False
        moved, ok, _ = cv2.calcOpticalFlowPyrLK(
            self.grey, grey, self.points, None, winSize=(13, 13), maxLevel=1
        )
        steps = np.linalg.norm((moved - self.points).reshape(-1, 2), axis=1)
        staying = (ok.ravel() == 1) & (steps < STILL_PX)
        return bool(staying.mean() > AGREEING)

    def difference(self, half: Image) -> NDArray[np.float32]:
        """(h, w) how much each neighbourhood of the half-size picture differs from the remembered one."""
        apart = cv2.absdiff(half, self.half).max(axis=2)
        return np.asarray(cv2.boxFilter(apart, cv2.CV_32F, (CELL, CELL)), np.float32)


def halved(image: Image) -> Image:
    """The picture at half its size."""
    return np.asarray(
        cv2.resize(image, (image.shape[1] // 2, image.shape[0] // 2), interpolation=cv2.INTER_AREA), np.uint8
    )


def has_changed(difference: NDArray[np.float32], view: View, place: Place) -> bool:
    """Whether anything changed where a piece on this place would be seen."""
    x0, y0, x1, y1 = window(view, place)
    part = difference[max(0, y0 // 2) : y1 // 2 + 1, max(0, x0 // 2) : x1 // 2 + 1]
    return bool(part.size and part.max() > CHANGED)


def window(view: View, place: Place) -> tuple[int, int, int, int]:
    """The box of pixels (left, top, right, bottom) in which pieces on this place are seen."""
    hulls = [
        hull
        for body in place.bodies
        for hull, _ in body.outlines(view, place.at_mm, place.angle_deg, place.ground_mm)
    ]
    points = np.concatenate(hulls) if hulls else view.project(np.array([place.at_mm]))
    (x0, y0), (x1, y1) = points.min(axis=0) - 2, points.max(axis=0) + 2
    return int(x0), int(y0), int(x1), int(y1)
