"""QR codes on cards, and a machine on which zbar is missing."""

from __future__ import annotations

import io
import sys

import numpy as np
import pytest
import segno
from numpy.typing import NDArray
from PIL import Image

from calibration.qr import QrUnavailable, read_qr, why_unavailable
from engine.errors import HengeError


def qr_picture(text: str) -> NDArray[np.uint8]:
    """uint8 (H, W, 3): the code of `text` with its quiet zone."""
    buffer = io.BytesIO()
    segno.make_qr(text).save(buffer, kind="png", scale=5)
    return np.asarray(Image.open(buffer).convert("RGB"))


@pytest.fixture
def no_zbar(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in [name for name in sys.modules if name.startswith("pyzbar")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr("ctypes.util.find_library", lambda name: None)


def test_reads_a_code_in_colour_and_in_grey() -> None:
    picture = qr_picture("7-night")
    assert read_qr(picture) == ("7-night",)
    assert read_qr(np.ascontiguousarray(picture[..., 0])) == ("7-night",)


def test_reads_several_codes_from_left_to_right() -> None:
    row = np.hstack([qr_picture("12-day"), qr_picture("7-night"), qr_picture("1-day")])
    assert read_qr(row) == ("12-day", "7-night", "1-day")


def test_reads_nothing_where_there_is_no_code() -> None:
    assert read_qr(np.full((200, 300, 3), 128, np.uint8)) == ()


def test_zbar_is_here() -> None:
    assert why_unavailable() is None


@pytest.mark.usefixtures("no_zbar")
def test_without_zbar_the_error_says_what_is_off_and_what_to_type() -> None:
    with pytest.raises(QrUnavailable, match=r"QR codes cannot be scanned.*install (libzbar0|zbar)") as caught:
        read_qr(np.zeros((10, 10, 3), np.uint8))
    assert isinstance(caught.value, HengeError)
    assert why_unavailable() == str(caught.value)
