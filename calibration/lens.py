"""A camera's lens: learnt from photographs of the kit's chessboard sheet, or guessed from what a phone
writes into its pictures.

Convention: pixels with centres at integer coordinates, origin at the centre of the top-left pixel; the
distortion is the Brown model's k1, k2, p1, p2, k3 in OpenCV's order.

HengeError
  x LensError    photographs from which no lens can be learnt; the text says what is missing
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.kit.sheets import CHARUCO, charuco_board
from engine.errors import HengeError

Array = NDArray[np.float64]
Grey = NDArray[np.uint8]
FEWEST_PHOTOS, FEWEST_CORNERS = 4, 10
# Sheets photographed straight on do not tell the focal length.
TILTED_DEG, FEWEST_TILTED = 15.0, 2
# Diagonal of the 35 mm film that phones' equivalent focal lengths speak of, and how far those are off.
FILM_DIAGONAL_MM, EXIF_SPREAD = 43.27, 0.05
# A photograph whose corners miss by this much more than the others' was moved or bent: it is left out.
ODD_PHOTO = 2.5
# Pictures of another shape than the lens was learnt from were cropped or turned.
SAME_SHAPE = 0.01


class LensError(HengeError):
    """No lens can be learnt from these photographs."""


@dataclass(frozen=True)
class Lens:
    """size_px: width and height of the pictures it was learnt from. focal_px: the same along both axes.
    centre_px: where the optical axis meets the picture. distortion: k1, k2, p1, p2, k3. source: "charuco",
    "exif" or "board". rms_px: root mean square of the reprojection error, None where nothing was measured.
    focal_spread: standard deviation of the focal length as a share of it. photos: how many it was learnt
    from."""

    size_px: tuple[int, int]
    focal_px: float
    centre_px: tuple[float, float]
    distortion: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    source: str = "charuco"
    rms_px: float | None = None
    focal_spread: float = 0.0
    photos: int = 0

    @property
    def matrix(self) -> Array:
        """(3, 3) camera matrix."""
        (x, y), focal = self.centre_px, self.focal_px
        return np.array([[focal, 0, x], [0, focal, y], [0, 0, 1]], float)

    @property
    def field_of_view_deg(self) -> float:
        """Along the longer side, as a lens without distortion would have it."""
        return math.degrees(2 * math.atan(max(self.size_px) / 2 / self.focal_px))

    def fits(self, size_px: tuple[int, int]) -> bool:
        """Whether pictures of that size can come from this lens: scaled, but neither cropped nor turned."""
        ratio = (size_px[0] / size_px[1]) / (self.size_px[0] / self.size_px[1])
        return abs(ratio - 1) < SAME_SHAPE

    def scaled(self, size_px: tuple[int, int]) -> Lens:
        """The lens for the same pictures at another size. Raises LensError if they have another shape."""
        if not self.fits(size_px):
            raise LensError(
                f"the lens was learnt from pictures of {self.size_px[0]} x {self.size_px[1]} pixels, these "
                f"have {size_px[0]} x {size_px[1]}: use the same camera setting, or calibrate the lens anew"
            )
        factor = size_px[0] / self.size_px[0]
        x, y = ((value + 0.5) * factor - 0.5 for value in self.centre_px)
        return replace(self, size_px=size_px, focal_px=self.focal_px * factor, centre_px=(x, y))

    def to_json(self) -> dict[str, Any]:
        return {
            "size_px": list(self.size_px),
            "focal_px": round(self.focal_px, 4),
            "centre_px": [round(value, 4) for value in self.centre_px],
            "distortion": [round(value, 8) for value in self.distortion],
            "source": self.source,
            "rms_px": self.rms_px,
            "focal_spread": self.focal_spread,
            "photos": self.photos,
        }

    @classmethod
    def from_json(cls, data: object) -> Lens:
        """Raises LensError naming the key that is wrong."""
        if not isinstance(data, Mapping):
            raise LensError(f"a lens is an object, found {type(data).__name__}")
        size = _numbers(data, "size_px", 2)
        focal = _numbers({"focal_px": [data.get("focal_px")]}, "focal_px", 1)[0]
        if min(size) < 1 or focal <= 0:
            raise LensError("lens: size_px and focal_px must be above 0")
        k1, k2, p1, p2, k3 = _numbers(data, "distortion", 5)
        x, y = _numbers(data, "centre_px", 2)
        rms = data.get("rms_px")
        return cls(
            (int(size[0]), int(size[1])), focal, (x, y), (k1, k2, p1, p2, k3),
            str(data.get("source", "charuco")), None if rms is None else float(rms),
            float(data.get("focal_spread") or 0.0), int(data.get("photos") or 0),
        )  # fmt: skip


def _numbers(data: Mapping[str, Any], key: str, count: int) -> list[float]:
    values = data.get(key)
    right = isinstance(values, list) and len(values) == count
    if not right or not all(isinstance(v, int | float) and math.isfinite(v) for v in values or ()):
        raise LensError(f"lens.{key}: expected {count} numbers, found {values!r}")
    return [float(value) for value in values or ()]


@dataclass(frozen=True)
class Sheet:
    """The chessboard sheet in one photograph: `corners_px` (N, 2) of the inner corners `ids` (N,)."""

    size_px: tuple[int, int]
    corners_px: Array
    ids: NDArray[np.int64]

    @property
    def corners_mm(self) -> Array:
        """(N, 2) where these corners are on the sheet."""
        return np.asarray(charuco_board().getChessboardCorners()[self.ids, :2], float)

    @property
    def tilt_deg(self) -> float:
        """From how far aside the sheet was photographed, 0 straight on; judged with a usual focal length,
        which is near enough."""
        width, height = self.size_px
        focal = 0.85 * max(width, height)
        matrix = np.array([[focal, 0, width / 2], [0, focal, height / 2], [0, 0, 1]])
        flat = np.column_stack([self.corners_mm, np.zeros(len(self.ids))])
        seen = self.corners_px.reshape(-1, 1, 2)
        found, turn, _ = cv2.solvePnP(flat, seen, matrix, None, flags=cv2.SOLVEPNP_IPPE)
        facing = abs(float(cv2.Rodrigues(turn)[0][2, 2])) if found else 1.0
        return math.degrees(math.acos(min(1.0, facing)))


@cache
def _detector() -> cv2.aruco.CharucoDetector:
    tags = cv2.aruco.DetectorParameters()
    tags.adaptiveThreshWinSizeMax = 53
    tags.minMarkerPerimeterRate = 0.01
    refine = cv2.aruco.CharucoParameters()
    refine.minMarkers = 1
    return cv2.aruco.CharucoDetector(charuco_board(), refine, tags)


def find_sheet(grey: Grey) -> Sheet | None:
    """The sheet in a grey picture (H, W) uint8, or None if fewer than FEWEST_CORNERS corners are seen."""
    corners, ids, _, _ = _detector().detectBoard(grey)
    if ids is None or len(ids) < FEWEST_CORNERS:
        return None
    points, numbers = np.asarray(corners, np.float32).reshape(-1, 2), np.asarray(ids).ravel().astype(np.int64)
    points = cv2.cornerSubPix(grey, points.copy(), _window(points, numbers), (-1, -1), (3, 40, 1e-4))
    return Sheet((grey.shape[1], grey.shape[0]), np.asarray(points, float).reshape(-1, 2), numbers)


def _window(points: NDArray[np.float32], ids: NDArray[np.int64]) -> tuple[int, int]:
    """Half the side of the square in which a corner is refined: no other corner, no tag inside it."""
    place = {int(number): point for number, point in zip(ids, points, strict=True)}
    across = CHARUCO.columns - 1
    steps = [
        float(np.linalg.norm(place[number] - place[number + 1]))
        for number in place
        if number + 1 in place and (number + 1) % across
    ]
    side = min(steps, default=20.0)
    # The tags stand a bit more than an eighth of a square away from the corners.
    half = int(np.clip(0.11 * side, 2, 9))
    return half, half


def fit_lens(sheets: Sequence[Sheet]) -> Lens:
    """The lens that took these photographs of the sheet (OpenCV's calibration after Zhang).

    Raises LensError when there are too few, of different sizes, or all from the same side."""
    sizes = {sheet.size_px for sheet in sheets}
    if len(sizes) > 1:
        raise LensError(
            "the photographs of the chessboard sheet have different sizes "
            f"({', '.join(f'{w} x {h}' for w, h in sorted(sizes))}): take all with the same camera setting"
        )
    if len(sheets) < FEWEST_PHOTOS:
        raise LensError(
            f"the chessboard sheet was found in {len(sheets)} photographs, at least {FEWEST_PHOTOS} are "
            "needed, 8 to 12 are good: photograph it flat, from different sides, also at the picture's edges"
        )
    if sum(sheet.tilt_deg > TILTED_DEG for sheet in sheets) < FEWEST_TILTED:
        raise LensError(
            "these photographs of the chessboard sheet do not tell the lens: all were taken from the same "
            "side; tilt the camera by 20 to 40 degrees in different directions"
        )
    used = list(sheets)
    lens, errors = _calibrated(used)
    while len(used) > FEWEST_PHOTOS and errors.max() > max(ODD_PHOTO * float(np.median(errors)), 0.3):
        del used[int(errors.argmax())]
        lens, errors = _calibrated(used)
    return lens


def _calibrated(sheets: Sequence[Sheet]) -> tuple[Lens, Array]:
    """The lens, and each photograph's error in pixels."""
    size = sheets[0].size_px
    flat = [
        np.column_stack([sheet.corners_mm, np.zeros(len(sheet.ids))]).astype(np.float32) for sheet in sheets
    ]
    seen = [sheet.corners_px.astype(np.float32).reshape(-1, 1, 2) for sheet in sheets]
    guess = np.array([[0.85 * max(size), 0, (size[0] - 1) / 2], [0, 0.85 * max(size), (size[1] - 1) / 2],
                      [0, 0, 1]], float)  # fmt: skip
    flags = cv2.CALIB_USE_INTRINSIC_GUESS | cv2.CALIB_FIX_ASPECT_RATIO
    # With few corners the highest terms would follow the noise.
    if sum(map(len, flat)) < 150:
        flags |= cv2.CALIB_FIX_K3 | cv2.CALIB_ZERO_TANGENT_DIST
    rms, matrix, bend, _, _, spread, _, errors = cv2.calibrateCameraExtended(
        flat, seen, size, guess, np.zeros(5), flags=flags
    )
    k1, k2, p1, p2, k3 = (float(value) for value in np.ravel(bend)[:5])
    focal = float(matrix[0, 0])
    lens = Lens(
        size, focal, (float(matrix[0, 2]), float(matrix[1, 2])), (k1, k2, p1, p2, k3), "charuco",
        round(float(rms), 4), round(float(np.ravel(spread)[:2].max()) / focal, 6), len(sheets),
    )  # fmt: skip
    return lens, np.ravel(errors).astype(float)


def lens_of_exif(size_px: tuple[int, int], film_focal_mm: float) -> Lens:
    """A lens of that 35 mm equivalent focal length, as phones write it into their photographs. The bend
    is not told there; it stays zero."""
    focal = film_focal_mm / FILM_DIAGONAL_MM * math.hypot(*size_px)
    centre = ((size_px[0] - 1) / 2, (size_px[1] - 1) / 2)
    return Lens(size_px, focal, centre, source="exif", focal_spread=EXIF_SPREAD, photos=1)
