"""QR codes on cards, and a machine on which zbar is missing."""

from __future__ import annotations

import io
import sys

import cv2
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


def test_reads_every_code_of_a_page_full_of_codes_once() -> None:
    """A little blurred, as a camera sees it; one card is there twice. zbar alone reads half of them."""
    texts = [f"HENGE:{number:02}-NIGHT" for number in (*range(1, 20), 19)]
    codes = [qr_picture(text) for text in texts]
    page = np.vstack([np.hstack(codes[row : row + 5]) for row in range(0, 20, 5)])
    photo = cv2.GaussianBlur(page, (0, 0), 1.0)
    assert sorted(read_qr(photo)) == sorted(texts)
    grey = cv2.cvtColor(photo, cv2.COLOR_BGR2GRAY)
    before = grey.copy()
    assert sorted(read_qr(grey)) == sorted(texts)
    assert np.array_equal(grey, before)


def test_reads_nothing_where_there_is_no_code() -> None:
    assert read_qr(np.full((200, 300, 3), 128, np.uint8)) == ()
    assert read_qr(np.full((1, 1), 128, np.uint8)) == ()


def test_zbar_is_here() -> None:
    assert why_unavailable() is None


@pytest.mark.usefixtures("no_zbar")
def test_without_zbar_the_error_says_what_is_off_and_what_to_type() -> None:
    with pytest.raises(QrUnavailable, match=r"QR codes cannot be scanned.*install (libzbar0|zbar)") as caught:
        read_qr(np.zeros((10, 10, 3), np.uint8))
    assert isinstance(caught.value, HengeError)
    assert why_unavailable() == str(caught.value)
