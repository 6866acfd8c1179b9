"""Damaged and hostile picture files: a sentence or a reading, never a crash and never a long wait."""

from __future__ import annotations

import io
import random
import struct
import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import Image

from vision import CannotRead, Reader
from vision.pictures.images import OF_PHONES, load_image

PHOTO = Path(__file__).resolve().parents[2] / "sample_images" / "photos" / "stonehenge-middle-1.jpg"
FEW, MANY = 60, 10_000
LONGEST_S = 30.0
Mutation = Callable[[random.Random, bytearray], bytearray]


def truncated(chance: random.Random, data: bytearray) -> bytearray:
    return data[: chance.randrange(len(data))]


def flipped(chance: random.Random, data: bytearray) -> bytearray:
    for _ in range(chance.choice((1, 3, 30, 300))):
        data[chance.randrange(len(data))] ^= 1 << chance.randrange(8)
    return data


def header_overwritten(chance: random.Random, data: bytearray) -> bytearray:
    for _ in range(chance.randint(1, 8)):
        data[chance.randrange(min(200, len(data)))] = chance.randrange(256)
    return data


def another_header(chance: random.Random, data: bytearray) -> bytearray:
    head = chance.choice(
        (b"\x89PNG\r\n\x1a\n", b"GIF89a", b"BM", b"II*\x00", b"RIFF\x00\x00\x00\x00WEBP", b"\xff\xd8\xff")
    )
    return bytearray(head) + data[len(head) :]


def sizes_overwritten(chance: random.Random, data: bytearray) -> bytearray:
    """Width and height of a JPEG's frame header or a PNG's IHDR, set to something absurd."""
    size = chance.choice((0, 1, 7, 0x7FFF, 0xFFFF))
    frame = data.find(b"\xff\xc0")
    if frame >= 0:
        data[frame + 5 : frame + 9] = struct.pack(">HH", size, chance.choice((size, 1, 0xFFFF)))
    elif data[:4] == b"\x89PNG":
        data[16:24] = struct.pack(">II", size * chance.choice((1, 1000)), size)
    return data


def shuffled(chance: random.Random, data: bytearray) -> bytearray:
    a, b = sorted(chance.randrange(len(data)) for _ in range(2))
    return data[:a] + data[b:] + data[a:b]


MUTATIONS: tuple[Mutation, ...] = (
    truncated,
    flipped,
    header_overwritten,
    another_header,
    sizes_overwritten,
    shuffled,
)


@pytest.fixture(scope="module")
def originals() -> list[bytes]:
    """The same photograph, small, in every format that is read."""
    photo = cv2.imread(str(PHOTO))
    small = cv2.resize(photo, (640, 360), interpolation=cv2.INTER_AREA)
    usual = [cv2.imencode(kind, small)[1].tobytes() for kind in (".jpg", ".png", ".webp", ".bmp", ".tiff")]
    files = [io.BytesIO() for _ in OF_PHONES]
    for file, kind in zip(files, OF_PHONES, strict=True):
        Image.fromarray(small[..., ::-1]).save(file, kind)
    return usual + [file.getvalue() for file in files]


def read_all(originals: list[bytes], count: int, seed: int) -> tuple[int, int]:
    """(read, refused) of so many mutated files; everything else that happens is raised."""
    reader, read, refused = Reader("knizia", game="stonehenge"), 0, 0
    for number in range(count):
        chance = random.Random(f"{seed} {number}")
        data = chance.choice(MUTATIONS)(chance, bytearray(chance.choice(originals)))
        begun = time.process_time()
        try:
            reader.forget()
            reader.read(load_image(bytes(data)))
            read += 1
        except CannotRead as error:
            assert str(error) and "\n" not in str(error)
            refused += 1
        assert time.process_time() - begun < LONGEST_S, number
    return read, refused


def test_mutated_pictures_are_read_or_refused(originals):
    read, refused = read_all(originals, FEW, seed=1)
    assert read >= FEW // 20 and refused >= FEW // 4


@pytest.mark.slow
def test_ten_thousand_mutated_pictures(originals):
    read, refused = read_all(originals, MANY, seed=2)
    assert read + refused == MANY


@pytest.mark.parametrize("shape", [(1, 1), (1, 4000), (4000, 1), (120, 9000)])
def test_extreme_shapes(shape):
    noise = np.random.default_rng(1).integers(0, 255, (*shape, 3), dtype=np.uint8)
    with pytest.raises(CannotRead):
        Reader("knizia", game="stonehenge").read(load_image(cv2.imencode(".png", noise)[1].tobytes()))
