"""Picture files into arrays, carefully: bounded before anything is decoded, turned as the camera meant."""

from __future__ import annotations

import io
import os
import warnings
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from PIL import Image as Pillow
from PIL import ImageOps
from pillow_heif import register_heif_opener

from vision.errors import NotAnImage, SourceLost, TooLarge

Pillow.init()  # makes the formats below known by name
register_heif_opener(thumbnails=False, depth_images=False, aux_images=False)
MOST_PIXELS = 80_000_000
MOST_BYTES = 100_000_000
GREY = 2  # so little the channels of a picture in shades of grey differ
# What OpenCV unpacks, and what phones keep their photographs in and only Pillow does.
FORMATS, OF_PHONES = ("JPEG", "PNG", "WEBP", "BMP", "TIFF"), ("HEIF", "AVIF")
Image = NDArray[np.uint8]


def load_image(source: str | os.PathLike[str] | bytes) -> Image:
    """The picture in a file (or in its bytes), uint8 (H, W, 3) BGR, upright as its EXIF says.

    Raises NotAnImage, TooLarge or SourceLost, each in one sentence with the file's name."""
    if isinstance(source, bytes):
        return decode(source, "the upload")
    path = Path(source)
    try:
        if path.stat().st_size > MOST_BYTES:
            raise TooLarge(
                f"{path} has {path.stat().st_size / 1e6:.0f} MB: at most {MOST_BYTES // 10**6} MB are read"
            )
        data = path.read_bytes()
    except OSError as error:
        raise SourceLost(f"cannot open {path}: {error.strerror or error}") from None
    return decode(data, str(path))


def decode(data: bytes, name: str) -> Image:
    """The picture in `data`; `name` is what a person calls it."""
    format_, width, height = _header(data, name)
    if width * height > MOST_PIXELS:
        raise TooLarge(
            f"{name} has {width} x {height} pixels: at most {MOST_PIXELS // 10**6} million are read; "
            "make it smaller (1920 pixels wide is plenty)"
        )
    try:
        image = _unpacked(data, format_)
    except Exception:  # both libraries raise whatever damaged data makes them stumble over
        image = None
    if image is None:
        raise NotAnImage(f"{name} is a damaged picture: take or copy it again")
    return np.asarray(image, np.uint8)


def _unpacked(data: bytes, format_: str | None) -> np.ndarray | None:
    if format_ not in OF_PHONES:
        return cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    with Pillow.open(io.BytesIO(data), formats=OF_PHONES) as picture:
        ImageOps.exif_transpose(picture, in_place=True)  # a phone's picture is large: no copies
        pixels = np.asarray(picture if picture.mode == "RGB" else picture.convert("RGB"))
    return cv2.cvtColor(pixels, cv2.COLOR_RGB2BGR)


def shrunk(image: Image, longest_px: int) -> tuple[Image, float]:
    """The picture with at most `longest_px` on its longer side, and the factor; smaller ones as they are."""
    factor = longest_px / max(image.shape[:2])
    if factor >= 1:
        return image, 1.0
    size = (max(1, round(image.shape[1] * factor)), max(1, round(image.shape[0] * factor)))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8), factor


def in_whole(points_px: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
    """Points (..., 2) of a copy that is `factor` times as large, in pixels of the picture itself."""
    return np.asarray((points_px + 0.5) / factor - 0.5)


def in_copy(points_px: NDArray[np.float64], factor: float) -> NDArray[np.float64]:
    """Points (..., 2) of a picture in pixels of a copy that is `factor` times as large."""
    return np.asarray((points_px + 0.5) * factor - 0.5)


def halved(image: NDArray[np.uint8]) -> NDArray[np.uint8]:
    """The picture at half its size."""
    size = (max(1, image.shape[1] // 2), max(1, image.shape[0] // 2))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)


def is_colourless(image: Image) -> bool:
    """Whether the picture is one in shades of grey: of a scanner, or of a camera that sees in the dark."""
    # It is asked of every frame of a camera: nearly always a few pixels show that it has colours.
    samples = (image[::step, ::step] for step in (64, 8))
    return all((some.max(axis=2) - some.min(axis=2)).max() <= GREY for some in samples)


def sharpness(grey: NDArray[np.uint8]) -> float:
    """The spread of the Laplacian of the picture at 640 px width, in grey values."""
    width = 640
    size = (width, max(1, round(grey.shape[0] * width / grey.shape[1])))
    small = cv2.resize(grey, size, interpolation=cv2.INTER_AREA)
    return float(cv2.Laplacian(small, cv2.CV_32F).std())


def _header(data: bytes, name: str) -> tuple[str | None, int, int]:
    """Format, width and height from the header alone."""
    try:
        with warnings.catch_warnings():
            # A picture of many pixels is refused below, in our own words.
            warnings.simplefilter("ignore")
            with Pillow.open(io.BytesIO(data), formats=FORMATS + OF_PHONES) as picture:
                return picture.format, *picture.size
    except Pillow.DecompressionBombError:
        raise TooLarge(
            f"{name} has far too many pixels: at most {MOST_PIXELS // 10**6} million are read"
        ) from None
    except Exception:  # Pillow's readers raise whatever a broken header makes them stumble over
        raise NotAnImage(f"{name} is not a picture that can be read: expected a JPEG or PNG file") from None
