"""Scanning the QR codes on cards. The only place that knows about zbar, which a machine may lack.

HengeError
  x QrUnavailable    the zbar library is not on this machine; the text says what to type
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from engine.errors import HengeError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HOMEBREW_FOLDERS = ("/opt/homebrew/lib", "/usr/local/lib")


class QrUnavailable(HengeError):
    """QR codes cannot be scanned on this machine, everything else can be used."""


def read_qr(image: NDArray[np.uint8]) -> tuple[str, ...]:
    """The texts of all QR codes in a picture, from left to right.

    image: uint8, (H, W) grey or (H, W, 3) BGR. Raises QrUnavailable where zbar is missing. Micro QR codes
    are not read."""
    import cv2  # here and not above: the launcher asks why_unavailable() before it knows that OpenCV starts

    zbar = _load_zbar()
    grey = image if image.ndim == 2 else cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
    found = zbar.decode(grey, symbols=[zbar.ZBarSymbol.QRCODE])
    found.sort(key=lambda code: code.rect.left)
    return tuple(code.data.decode("utf-8", "replace") for code in found)


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
