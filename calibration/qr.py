"""Scanning the QR codes on cards. The only place that knows about zbar, which a machine may lack.

HengeError
  x QrUnavailable    the zbar library is not on this machine; the text says what to type
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import HengeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SMALLEST_CODE_PX = 21  # modules along a side of the smallest code
HOMEBREW_FOLDERS = ("/opt/homebrew/lib", "/usr/local/lib")


class QrUnavailable(HengeError):
    """QR codes cannot be scanned on this machine, everything else can be used."""


def read_qr(image: NDArray[np.uint8]) -> tuple[str, ...]:
    """The texts of all QR codes in a picture, from left to right.

    image: uint8, (H, W) grey or (H, W, 3) BGR. Raises QrUnavailable where zbar is missing. Micro QR codes
    are not read."""
    import cv2  # here and not above: the launcher asks why_unavailable() before it knows that OpenCV starts

    zbar = _load_zbar()
    # A copy, as codes that were read are painted over: nothing is read twice where parts overlap.
    grey = image.copy() if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found: list[tuple[int, str]] = []
    for left, part in _whole_and_parts(grey):
        for code in zbar.decode(part, symbols=[zbar.ZBarSymbol.QRCODE]):
            found.append((left + code.rect.left, code.data.decode("utf-8", "replace")))
            _paint_over(part, code.polygon)
    found.sort(key=lambda code: code[0])
    return tuple(text for _, text in found)


def _whole_and_parts(grey: NDArray[np.uint8]) -> Iterator[tuple[int, NDArray[np.uint8]]]:
    """The picture and then nine overlapping parts of half its width and height, each with its left edge: a
    code of up to a quarter of the picture is whole in one of them.

    Among many codes zbar misses some that it reads alone. It tries any three corner squares as one code, and
    each wrong try overwrites some of the squares' edge points with copies of others (`qr_finder_ransac`, up
    to at least 0.23.92: a swap that does not swap), until the right try no longer fits. Parts show fewer
    codes, hence fewer wrong tries."""
    yield 0, grey
    height, width = (side // 2 for side in grey.shape)
    if min(height, width) < SMALLEST_CODE_PX:
        return
    for top in (0, height // 2, height):
        for left in (0, width // 2, width):
            yield left, grey[top : top + height, left : left + width]


def _paint_over(grey: NDArray[np.uint8], corners_px: Sequence[tuple[int, int]]) -> None:
    import cv2
    import numpy as np

    cv2.fillConvexPoly(grey, np.array(corners_px, np.int32), (255,))


def why_unavailable() -> str | None:
    """None where QR codes can be scanned, else the sentence that says what is off and what to do."""
    try:
        _load_zbar()
    except QrUnavailable as error:
        return str(error)
    return None


def _load_zbar() -> Any:
    if sys.platform == "darwin":
        _look_in_homebrew()
    try:
        # pyzbar looks for the library while it is imported: ImportError when there is none, OSError when
        # there is one that does not load.
        from pyzbar import pyzbar
    except (ImportError, OSError) as error:
        raise QrUnavailable(
            f"QR codes cannot be scanned: the zbar library is missing ({error}); to mend that, type: "
            + ("brew install zbar" if sys.platform == "darwin" else "sudo apt-get install libzbar0")
        ) from error
    return pyzbar


def _look_in_homebrew() -> None:
    # ctypes does not search where Homebrew installs on Apple silicon; it reads this variable at each look-up.
    folders = [folder for folder in HOMEBREW_FOLDERS if Path(folder).is_dir()]
    known = os.environ.get("DYLD_FALLBACK_LIBRARY_PATH")
    os.environ["DYLD_FALLBACK_LIBRARY_PATH"] = ":".join([*folders, known or "/usr/lib"])
