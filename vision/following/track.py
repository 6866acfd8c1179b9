"""Between two pictures of one camera: has the board moved, and where did anything change?

A camera on a stand sees the same print at the same pixels, so the board need not be found again, and only
places whose pixels changed need to be looked at again.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.fields.places import Place
from vision.geometry.bodies import corners_px
from vision.geometry.view import Array, View
from vision.pictures.images import halved

Image = NDArray[np.uint8]
Grey = NDArray[np.uint8]
# Points followed, how far they may move (px of the working picture), and how many must agree.
POINTS, STILL_PX, AGREEING = 80, 0.45, 0.6
# Where fewer agree, so many of all, and of those that are known again so many, must be where they were.
FEWEST_STAYING, MOST_KNOWN = 0.25, 0.55
FLOW = {"winSize": (13, 13), "maxLevel": 1}
# What is broader than this is light (px of the half-size picture).
BROAD_PX = 6.0
# A place has changed if somewhere in it the colour differs by this much (of 255), averaged over CELL px of
# the half-size picture; so many of all places changed that reading everything is quicker: MANY.
CHANGED, CELL, MANY = 9.0, 5, 0.5


@dataclass
class Anchor:
    """What a camera saw when the board was found, at half its size (BGR), and through which view: `first`;
    and when the places were last read: `last`. What is followed from there to later pictures is worked out
    when the first of these comes: most photographs are the only one of their table."""

    first: Image
    last: Image
    view: View
    board: Board
    places: tuple[Place, ...]

    @classmethod
    def of(cls, image: Image, view: View, board: Board, places: Iterable[Place]) -> Anchor:
        """Remember this picture."""
        half = halved(image)
        small = view.scaled(0.5, (half.shape[1], half.shape[0]))
        return cls(half, half, small, board, tuple(places))

    @cached_property
    def grey(self) -> Grey:
        """The first picture in shades of grey."""
        return np.asarray(cv2.cvtColor(self.first, cv2.COLOR_BGR2GRAY), np.uint8)

    @cached_property
    def points(self) -> NDArray[np.float32]:
        """(N, 1, 2) px details of the print to follow."""
        mask = np.zeros_like(self.grey)
        corners = self.view.project(np.array(self.board.corners_mm))
        cv2.fillConvexPoly(mask, np.round(corners).astype(np.int32), 255)
        points = cv2.goodFeaturesToTrack(self.grey, POINTS, 0.03, 6, mask=mask)
        return np.empty((0, 1, 2), np.float32) if points is None else points

    @cached_property
    def windows(self) -> dict[str, tuple[int, int, int, int]]:
        """Per place or area the box of pixels (left, top, right, bottom) in which its pieces are seen."""
        return windows(self.view, self.places)

    def still(self, half: Image) -> bool:
        """Whether the board lies where it lay in a later picture, at half its size: most details of the
        print have not moved. Hands and pieces that moved are outvoted; where an arm covers most of them, or
        the light is another one, those that are known again must not have moved."""
        if half.shape != self.first.shape or len(self.points) < 12:
            return False
        grey = np.asarray(cv2.cvtColor(half, cv2.COLOR_BGR2GRAY), np.uint8)
        staying, _ = _followed(self.grey, grey, self.points)
        if staying.mean() > AGREEING:
            return True
        staying, known = _followed(evened(self.grey), evened(grey), self.points, there_and_back=True)
        enough = max(FEWEST_STAYING * len(staying), MOST_KNOWN * known.sum())
        return bool(staying.sum() > enough)

    def changed(self, half: Image) -> set[str]:
        """The places and areas in whose windows a later picture, at half its size, shows something else."""
        blue, green, red = cv2.split(cv2.absdiff(half, self.last))
        apart = cv2.max(cv2.max(blue, green), red)
        apart = cv2.boxFilter(apart, cv2.CV_32F, (CELL, CELL))
        found = set()
        for place, (left, top, right, bottom) in self.windows.items():
            part = apart[max(0, top) : bottom + 1, max(0, left) : right + 1]
            if part.size and part.max() > CHANGED:
                found.add(place)
        return found


def _followed(
    before: Grey, after: Grey, points: NDArray[np.float32], *, there_and_back: bool = False
) -> tuple[NDArray[np.bool_], NDArray[np.bool_]]:
    """(N,) which points are seen where they were, and (N,) which are known again at all: with
    `there_and_back` only those that, followed back, come out where they began."""
    moved, ok, _ = cv2.calcOpticalFlowPyrLK(before, after, points, None, **FLOW)
    known = ok.ravel() == 1
    if there_and_back:
        back, ok, _ = cv2.calcOpticalFlowPyrLK(after, before, moved, None, **FLOW)
        known &= (ok.ravel() == 1) & (np.linalg.norm((back - points).reshape(-1, 2), axis=1) < STILL_PX)
    return known & (np.linalg.norm((moved - points).reshape(-1, 2), axis=1) < STILL_PX / 2), known


def evened(grey: Grey) -> Grey:
    """A picture without what is broad in it, its light, and with details equally strong everywhere."""
    values = grey.astype(np.float32)
    details = values - cv2.GaussianBlur(values, (0, 0), BROAD_PX)
    strength = np.sqrt(cv2.GaussianBlur(details**2, (0, 0), 2 * BROAD_PX)) + 2
    return np.clip(np.round(128 + 40 * details / strength), 0, 255).astype(np.uint8)


def windows(view: View, places: Iterable[Place]) -> dict[str, tuple[int, int, int, int]]:
    """Per place the box of pixels (left, top, right, bottom) in which pieces on it are seen."""
    names, stood = [], []
    for place in places:
        for body in place.bodies:
            for at_mm in (place.at_mm, *place.spots):
                names.append(place.id)
                stood.append((body, at_mm, place.angle_deg, place.ground_mm))
    points: dict[str, list[Array]] = defaultdict(list)
    for name, pixels in zip(names, corners_px(view, stood), strict=True):
        points[name].append(pixels)
    found = {}
    for name, parts in points.items():
        every = np.concatenate(parts)
        (x0, y0), (x1, y1) = every.min(axis=0) - 1, every.max(axis=0) + 1
        found[name] = (int(x0), int(y0), int(x1), int(y1))
    return found
