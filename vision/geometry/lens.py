"""A profile's lens in the eyes: as a `View` without a place, and back from what a board in view tells."""

from __future__ import annotations

import numpy as np

from calibration.lens import Lens
from vision.finding.locate import Located
from vision.geometry.view import FOCAL_SPREAD, Array, View

# What lens and board add to the spread that the corners alone give: the board may be bent, the sensor's
# middle off the picture's.
MODEL_SPREAD = 0.01


def view_of_lens(lens: Lens, size_px: tuple[int, int]) -> View:
    """The lens for pictures of that size, to be given to `vision.finding.locate` and `fit_view` as `lens`.
    Raises LensError if such pictures cannot come from it."""
    scaled = lens.scaled(size_px)
    return View(size_px, scaled.focal_px, np.zeros(3), np.zeros(3), scaled.distortion, scaled.centre_px)


def lens_of_board(located: Located, board_mm: Array) -> Lens:
    """The lens as one picture of the board tells it, with the uncertainty of its focal length.

    board_mm: (N, 2) the points by which the board was found. The spread is that of the least-squares fit
    (how well perspective tells the focal length apart from the distance) under the same prior."""
    view = located.view
    noise = max(0.3, located.error_px)
    jacobian = _jacobian(view, board_mm) / noise
    prior = np.zeros(jacobian.shape[1])
    prior[6] = 1 / FOCAL_SPREAD
    information = jacobian.T @ jacobian + np.diag(prior**2) + 1e-12 * np.eye(len(prior))
    spread = float(np.sqrt(np.linalg.inv(information)[6, 6]))
    k1, k2 = view.distortion[:2]
    return Lens(
        view.size_px, view.focal_px, view.axis_px, (k1, k2, 0.0, 0.0, 0.0), "board",
        round(located.error_px, 3), round(float(np.hypot(spread, MODEL_SPREAD)), 4), 1,
    )  # fmt: skip


def _jacobian(view: View, board_mm: Array) -> Array:
    """(2 N, 9): how the points' pixels follow pose (6), logarithm of the focal length, k1 and k2."""
    start = np.array([*view.rotation, *view.translation_mm, np.log(view.focal_px), *view.distortion[:2]])

    def seen(values: Array) -> Array:
        changed = View(
            view.size_px, float(np.exp(values[6])), values[:3], values[3:6],
            (float(values[7]), float(values[8])), view.centre_px,
        )  # fmt: skip
        return changed.project(board_mm).ravel()

    steps = np.array([1e-5] * 3 + [1e-2] * 3 + [1e-5] * 3)
    return np.stack(
        [(seen(start + step * unit) - seen(start - step * unit)) / (2 * step)
         for step, unit in zip(steps, np.eye(9), strict=True)], axis=1,
    )  # fmt: skip
