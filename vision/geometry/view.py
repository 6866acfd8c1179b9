"""How one picture sees the board: lens, pose, and the way between millimetres and pixels.

Convention: board millimetres (x right, y down, origin at the printed top-left corner) with a height above
the board's plane in mm, upwards positive; pixels with centres at integer coordinates, origin at the centre
of the top-left pixel. Inside, OpenCV's world is (x, y, -height), which is right-handed.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from vision.errors import NoBoard

Array = NDArray[np.float64]
Floats = NDArray[np.float32]
# Points of a fine grid that are projected: one in so many, per direction; the others lie between them.
NODES = 8

# A webcam's or phone's focal length in widths of the longer side: 60-75 degrees of view. The spread is
# the prior's standard deviation of its logarithm.
USUAL_FOCAL, FOCAL_SPREAD = 0.85, 0.3
# No search for a focal length goes further: its logarithm, in pixels.
MOST_LOG = 20.0
# Radial distortion of ordinary lenses (k1 of the Brown model); wide-angle lenses reach -0.3.
DISTORTION_SPREAD = 0.12
# How far the focal length of a measured lens may be off, as a share of it: focusing changes it.
BREATHING = 0.004


@dataclass(frozen=True)
class View:
    """A camera with a bent lens, and its pose over the board.

    size_px: width, height. focal_px: one for both axes. distortion: k1, k2 of the Brown model, or all five
    of a measured lens: k1, k2, p1, p2, k3. rotation, translation_mm: (3,) Rodrigues vector and translation
    that take OpenCV's world (x, y, -height) to the camera's frame. centre_px: the principal point of a
    measured lens, else the picture's centre."""

    size_px: tuple[int, int]
    focal_px: float
    rotation: Array
    translation_mm: Array
    distortion: tuple[float, ...] = (0.0, 0.0)
    centre_px: tuple[float, float] | None = None

    @property
    def axis_px(self) -> tuple[float, float]:
        """Where the optical axis meets the picture."""
        return self.centre_px or ((self.size_px[0] - 1) / 2, (self.size_px[1] - 1) / 2)

    @property
    def matrix(self) -> Array:
        """(3, 3) camera matrix."""
        (x, y), focal = self.axis_px, self.focal_px
        return np.array([[focal, 0, x], [0, focal, y], [0, 0, 1]], float)

    @property
    def coefficients(self) -> Array:
        """(5,) distortion coefficients in OpenCV's order."""
        return np.array([*self.distortion, 0.0, 0.0, 0.0][:5])

    @property
    def camera_mm(self) -> Array:
        """(3,) the camera's x, y and height over the board."""
        rotation = cv2.Rodrigues(self.rotation)[0]
        x, y, z = -rotation.T @ self.translation_mm
        return np.array([x, y, -z])

    @property
    def elevation_deg(self) -> float:
        """The angle above the table at which the picture's centre looks at it; 90 is straight down."""
        axis = cv2.Rodrigues(self.rotation)[0][2]
        return float(np.degrees(np.arcsin(min(1.0, abs(axis[2])))))

    def is_before(self, corners_mm: Array) -> bool:
        """Whether all of the rectangle between two opposite corners on the board, (2, 2), lies before the
        camera."""
        (left, top), (right, bottom) = np.asarray(corners_mm, float)
        points = np.array([[left, top, 0.0], [right, top, 0.0], [right, bottom, 0.0], [left, bottom, 0.0]])
        depth = points @ cv2.Rodrigues(self.rotation)[0][2] + self.translation_mm[2]
        return bool(depth.min() > 1.0)

    def project(self, points_mm: Array, height_mm: float | Array = 0.0) -> Array:
        """(N, 2) pixels of (N, 2) points on the board at `height_mm` (a number or (N,))."""
        points = np.asarray(points_mm, float).reshape(-1, 2)
        world = np.empty((len(points), 3))
        world[:, :2], world[:, 2] = points, -np.asarray(height_mm, float)
        return _project(
            world, self.focal_px, self.distortion, self.rotation, self.translation_mm, self.axis_px
        )

    def shows(self, points_mm: Array, height_mm: float | Array = 0.0) -> NDArray[np.bool_]:
        """(N,) which of (N, 2) points on the board at `height_mm` lie inside the picture."""
        return within(self.project(points_mm, height_mm), self.size_px)

    def maps(self, corner_mm: tuple[float, float], step_mm: float, size: tuple[int, int]) -> Floats:
        """(rows, columns, 2) pixels of a grid of points on the board, for `cv2.remap`: the middles of
        squares of `step_mm`, the first of which has its corner at `corner_mm`; `size` is (columns, rows).
        Between every few points the way is straight."""
        columns, rows = size
        x, y = (
            start + step_mm * (NODES * (np.arange(-(-count // NODES) + 2) - 0.5))
            for start, count in zip(corner_mm, size, strict=True)
        )
        nodes = np.stack(np.meshgrid(x, y), axis=2)
        pixels = self.project(nodes.reshape(-1, 2)).reshape(nodes.shape).astype(np.float32)
        fine = cv2.resize(pixels, None, fx=NODES, fy=NODES, interpolation=cv2.INTER_LINEAR)
        return np.asarray(fine[NODES : NODES + rows, NODES : NODES + columns], np.float32)

    def on_plane(self, points_px: Array, height_mm: float = 0.0) -> Array:
        """(N, 2) board millimetres that (N, 2) pixels show on the plane at `height_mm`."""
        points = np.asarray(points_px, float).reshape(-1, 1, 2)
        if not len(points):
            return np.empty((0, 2))
        # OpenCV's own five rounds leave some pixels' error at the edges of a strongly bent picture.
        rounds = (3, 40, 1e-6) if abs(self.distortion[0]) > 0.15 else (1, 5, 0.0)
        rays = cv2.undistortPoints(points, self.matrix, self.coefficients, criteria=rounds).reshape(-1, 2)
        rotation = cv2.Rodrigues(self.rotation)[0]
        to_plane = np.column_stack(
            [rotation[:, 0], rotation[:, 1], self.translation_mm - height_mm * rotation[:, 2]]
        )
        mm = np.linalg.solve(to_plane, np.column_stack([rays, np.ones(len(rays))]).T).T
        return np.asarray(mm[:, :2] / mm[:, 2:])

    def straightened(self, points_px: Array) -> Array:
        """(N, 2) pixels as a straight lens of this focal length, its axis in the picture's middle, would
        show what (N, 2) pixels show."""
        points = np.asarray(points_px, float).reshape(-1, 1, 2)
        rays = cv2.undistortPoints(points, self.matrix, self.coefficients, criteria=(3, 40, 1e-6))
        middle = (np.array(self.size_px) - 1) / 2
        return np.asarray(rays.reshape(-1, 2) * self.focal_px + middle)

    def px_per_mm(self, point_mm: tuple[float, float]) -> float:
        """The scale at a point of the board, along the direction that is not foreshortened."""
        return float(self.px_per_mm_at(np.array([point_mm], float))[0])

    def px_per_mm_at(self, points_mm: Array) -> Array:
        """(N,) `px_per_mm` at (N, 2) points of the board."""
        steps = np.array([[-2.0, 0.0], [2.0, 0.0], [0.0, -2.0], [0.0, 2.0]])
        around = self.project((points_mm[:, None] + steps).reshape(-1, 2)).reshape(-1, 4, 2)
        jacobians = np.stack([around[:, 1] - around[:, 0], around[:, 3] - around[:, 2]], axis=2) / 4
        # The larger singular value of two by two numbers.
        squares, area = (jacobians**2).sum(axis=(1, 2)), np.linalg.det(jacobians)
        return np.sqrt(squares / 2 + np.sqrt(np.maximum(squares**2 / 4 - area**2, 0)))

    def scaled(self, factor: float, size_px: tuple[int, int]) -> View:
        """The view of the same picture resized by `factor` to `size_px`."""
        x, y = ((value + 0.5) * factor - 0.5 for value in self.axis_px)
        centre = None if self.centre_px is None else (x, y)
        return replace(self, size_px=size_px, focal_px=self.focal_px * factor, centre_px=centre)


def within(pixels: Array | Floats, size_px: tuple[int, int]) -> NDArray[np.bool_]:
    """(...) which pixels (..., 2) a picture so large (width, height) shows."""
    x, y = pixels[..., 0], pixels[..., 1]
    return np.asarray((x >= 0) & (x <= size_px[0] - 1) & (y >= 0) & (y <= size_px[1] - 1))


def _project(
    world: Array,
    focal: float,
    distortion: tuple[float, ...],
    rvec: Array,
    tvec: Array,
    axis_px: tuple[float, float],
) -> Array:
    camera = world @ cv2.Rodrigues(rvec)[0].T + tvec
    depth = np.maximum(camera[:, 2:], 1e-3)
    flat = camera[:, :2] / depth
    k1, k2, p1, p2, k3 = (*distortion, 0.0, 0.0, 0.0)[:5]
    # Beyond the turning point of the polynomial a strong barrel lens would fold the plane back.
    r2 = np.minimum(flat[:, :1] ** 2 + flat[:, 1:] ** 2, _turning_point(k1, k2, k3))
    bent = flat * (1 + r2 * (k1 + r2 * (k2 + r2 * k3)))
    if p1 or p2:
        x, y = flat[:, :1], flat[:, 1:]
        bent = bent + np.hstack(
            [2 * p1 * x * y + p2 * (r2 + 2 * x * x), p1 * (r2 + 2 * y * y) + 2 * p2 * x * y]
        )
    return np.asarray(bent * focal + np.array(axis_px))


@lru_cache(maxsize=64)
def _turning_point(k1: float, k2: float, k3: float = 0.0) -> float:
    """The squared radius at which r(1 + k1 r^2 + k2 r^4 + k3 r^6) stops growing; infinity if it never
    does."""
    if abs(k3) > 1e-12:
        roots = np.roots([7 * k3, 5 * k2, 3 * k1, 1.0])
        growing = [float(root.real) for root in roots if abs(root.imag) < 1e-9 and root.real > 0]
        return 0.98 * min(growing, default=math.inf)
    a, b = 5 * k2, 3 * k1
    if abs(a) < 1e-12:
        return 0.98 * -1 / b if b < 0 else math.inf
    inner = b * b - 4 * a
    if inner < 0:
        return math.inf
    ends = ((-b - math.sqrt(inner)) / (2 * a), (-b + math.sqrt(inner)) / (2 * a))
    return 0.98 * min((end for end in ends if end > 0), default=math.inf)


def fit_view(
    board_mm: Array,
    image_px: Array,
    size_px: tuple[int, int],
    *,
    start: View | None = None,
    lens: View | None = None,
    noise_px: float = 0.5,
    with_distortion: bool = True,
) -> tuple[View, Array]:
    """The view that explains where points of the board are seen.

    board_mm, image_px: (N, 2), N >= 4. `start` is a guess from an earlier picture; `lens` gives a measured
    lens, whose distortion is kept and whose focal length may breathe a little (focusing changes it).
    Returns the view and (N,) distances in pixels.
    Method: maximum a posteriori with weak priors on focal length and distortion (a single view of a
    plane from above does not determine them), robust loss, least squares of SciPy. A longer lens that is as
    much farther away shows nearly the same: the distance is told against the focal length, so that either
    step is a short one.
    Raises NoBoard when the points do not determine a view."""
    board_mm = np.asarray(board_mm, float).reshape(-1, 2)
    image_px = np.asarray(image_px, float).reshape(-1, 2)
    usual = USUAL_FOCAL * max(size_px)
    guess = start or _first_guess(board_mm, image_px, size_px, lens)
    world = np.column_stack([board_mm, np.zeros(len(board_mm))])

    def scales(values: Array) -> Array:
        farther = float(np.exp(np.clip(values[6] - initial[6], -MOST_LOG, MOST_LOG)))
        return guess_depth * np.array([1.0, 1.0, farther])

    def unpack(values: Array) -> View:
        rotation, translation = values[:3], values[3:6] * scales(values)
        focal = float(np.exp(np.clip(values[6], -MOST_LOG, MOST_LOG)))
        if lens is not None:
            focal *= lens.focal_px
            return View(size_px, focal, rotation, translation, lens.distortion, lens.centre_px)
        k1 = float(values[7]) if with_distortion else 0.0
        k2 = float(values[8]) if with_distortion else 0.0
        return View(size_px, focal, rotation, translation, (k1, k2))

    def residuals(values: Array) -> Array:
        view = unpack(values)
        seen = _project(
            world, view.focal_px, view.distortion, view.rotation, view.translation_mm, view.axis_px
        )
        misses = (seen - image_px).ravel() / noise_px
        if lens is not None:
            return np.append(misses, values[6] / BREATHING)
        prior = [
            (values[6] - np.log(usual)) / FOCAL_SPREAD,
            view.distortion[0] / DISTORTION_SPREAD,
            view.distortion[1] / DISTORTION_SPREAD,
        ]
        return np.concatenate([misses, prior if with_distortion else prior[:1]])

    def slopes(values: Array) -> Array:
        """(R, V) of the residuals; beyond a lens's turning point they are only nearly right."""
        view = unpack(values)
        of_all = (
            cv2.projectPoints(world, view.rotation, view.translation_mm, view.matrix, view.coefficients)[1]
            / noise_px
        )
        focal = of_all[:, 6:8].sum(axis=1) * view.focal_px + of_all[:, 5] * view.translation_mm[2]
        found = np.column_stack([of_all[:, :3], of_all[:, 3:6] * scales(values), focal])
        if lens is not None:
            return np.vstack([found, [0, 0, 0, 0, 0, 0, 1 / BREATHING]])
        if not with_distortion:
            return np.vstack([found, [0, 0, 0, 0, 0, 0, 1 / FOCAL_SPREAD]])
        spreads = [FOCAL_SPREAD, DISTORTION_SPREAD, DISTORTION_SPREAD]
        prior = np.hstack([np.zeros((3, 6)), np.diag([1 / spread for spread in spreads])])
        return np.vstack([np.hstack([found, of_all[:, 10:12]]), prior])

    guess_depth = max(1.0, float(np.linalg.norm(guess.translation_mm)))
    initial = [*guess.rotation, *(guess.translation_mm / guess_depth)]
    if lens is None:
        initial += [np.log(guess.focal_px)] + (list(guess.distortion[:2]) if with_distortion else [])
    else:
        initial += [0.0]
    solved = least_squares(
        residuals, np.array(initial, float), slopes, loss="soft_l1", max_nfev=40, x_scale="jac"
    )
    view = unpack(solved.x)
    return view, np.linalg.norm(view.project(board_mm) - image_px, axis=1)


def _first_guess(board_mm: Array, image_px: Array, size_px: tuple[int, int], lens: View | None) -> View:
    """The best pinhole among a ladder of focal lengths, by reprojection and prior."""
    usual = USUAL_FOCAL * max(size_px)
    ladder = [lens.focal_px] if lens else usual * np.exp(np.linspace(-0.7, 0.9, 9))
    straight = image_px if lens is None else lens.straightened(image_px)
    views = [view for focal in ladder for view in _pinholes(board_mm, straight, size_px, float(focal))]
    if not views:
        raise NoBoard(
            "what is seen of the board does not fit together: is it flat, whole and only once there?"
        )
    if lens is not None:
        views = [replace(view, distortion=lens.distortion, centre_px=lens.centre_px) for view in views]

    def cost(view: View) -> float:
        misses = np.linalg.norm(view.project(board_mm) - image_px, axis=1)
        doubt = (np.log(view.focal_px / usual) / FOCAL_SPREAD) ** 2 if lens is None else 0.0
        return float(np.minimum(misses, 20).mean() ** 2 * 4 + 0.2 * doubt)

    return min(views, key=cost)


def _pinholes(board_mm: Array, image_px: Array, size_px: tuple[int, int], focal: float) -> list[View]:
    empty = View(size_px, focal, np.zeros(3), np.zeros(3))
    world = np.column_stack([board_mm, np.zeros(len(board_mm))])
    found, rotations, translations, _ = cv2.solvePnPGeneric(
        world, image_px.reshape(-1, 1, 2), empty.matrix, None, flags=cv2.SOLVEPNP_IPPE
    )
    if not found:
        return []
    views = [
        replace(empty, rotation=r.ravel().astype(float), translation_mm=t.ravel().astype(float))
        for r, t in zip(rotations, translations, strict=True)
    ]
    # A board is looked at from above: the mirrored solution has the camera under the table.
    return [view for view in views if view.camera_mm[2] > 0 and np.isfinite(view.rotation).all()]
