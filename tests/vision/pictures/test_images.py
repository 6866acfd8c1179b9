"""Picture files: every kind of nonsense is one clear sentence."""

from __future__ import annotations

import io
import random

import cv2
import numpy as np
import pytest
from PIL import Image

from vision.errors import CannotRead, NotAnImage, SourceLost, TooLarge
from vision.pictures.images import decode, load_image
from vision.pictures.sources import PHOTOS


def picture(kind="JPEG", width=64, height=48, **more) -> bytes:
    """It is brighter to the right, and blue."""
    file = io.BytesIO()
    ramp = np.tile(np.linspace(0, 255, width), (height, 1))
    Image.fromarray(np.dstack([0 * ramp, ramp / 2, ramp]).astype(np.uint8)).save(file, kind, **more)
    return file.getvalue()


def test_a_picture_is_read_as_bgr(tmp_path):
    path = tmp_path / "a.png"
    cv2.imwrite(str(path), np.full((10, 20, 3), (1, 2, 3), np.uint8))
    assert load_image(path).shape == (10, 20, 3)
    assert load_image(path)[0, 0].tolist() == [1, 2, 3]


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "HEIF", "AVIF"])
def test_a_phone_picture_is_turned_upright(kind):
    exif = Image.Exif()
    exif[0x0112] = 6
    image = decode(picture(kind, exif=exif.tobytes()), "x")
    assert image.shape == (64, 48, 3)
    bright, dark = image[56, 24].astype(int), image[8, 24].astype(int)
    assert bright[0] > 2 * dark[0] + 60 and bright[0] > bright[1] > bright[2]


@pytest.mark.parametrize("kind", ["HEIF", "AVIF"])
def test_what_phones_keep_their_photographs_in_is_read_like_any_other(kind, tmp_path):
    path = tmp_path / f"a.{kind.lower()}"
    path.write_bytes(picture(kind, quality=95))
    assert path.suffix in PHOTOS
    away = load_image(path).astype(int) - decode(picture(quality=95), "the same")
    assert np.abs(away).mean() < 3
    with pytest.raises(NotAnImage, match="picture"):
        decode(path.read_bytes()[:-200], "cut off")


@pytest.mark.parametrize(
    ("data", "error", "words"),
    [
        (b"", NotAnImage, "not a picture"),
        (b"just text", NotAnImage, "not a picture"),
        (picture()[:40], NotAnImage, "picture"),
    ],
)
def test_what_is_no_picture_is_said(data, error, words):
    with pytest.raises(error, match=words):
        decode(data, "x.jpg")


def test_a_huge_picture_is_refused_by_its_header_alone():
    header = io.BytesIO()
    Image.new("1", (20000, 20000)).save(header, "PNG")
    with pytest.raises(TooLarge, match="too many pixels"):
        decode(header.getvalue(), "huge.png")


def test_a_missing_file_is_named(tmp_path):
    with pytest.raises(SourceLost, match=r"nothing\.jpg"):
        load_image(tmp_path / "nothing.jpg")


def test_mutated_files_never_do_more_than_refuse():
    source = random.Random(4)
    for whole in map(picture, ("JPEG", "PNG", "HEIF", "AVIF")):
        for _ in range(150):
            data = bytearray(whole)
            for _ in range(source.randint(1, 12)):
                data[source.randrange(len(data))] = source.randrange(256)
            if source.random() < 0.3:
                del data[source.randrange(len(data)) :]
            try:
                image = decode(bytes(data), "x")
            except CannotRead:
                continue
            assert image.dtype == np.uint8 and image.ndim == 3
