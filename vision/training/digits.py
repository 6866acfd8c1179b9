"""Trains the network that reads the digit on a druid stone: 1 to 6 or face down, any rotation, any typeface.

    python -m vision.training.digits --fonts FOLDER --steps 8000 --seed 1 --out vision/models
    python -m vision.training.digits --fonts FOLDER --photos PHOTOS --seed 1 --start OLD --out vision/models

Fonts are those of the system it is trained on; nothing of them is kept but what the network learns. PHOTOS
are lessons (`sample_images.generator lessons`): their stones are cut out as the reader finds them.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont
from torch import Tensor, nn
from torch.nn import functional as F

from calibration.kit.stickers import druid_face_image
from engine.board import load_board
from vision.pictures.images import load_image
from vision.stones.digits import STONE_PX, cut_round, evened, find_rounds
from vision.training.learning import HALF, export, pace
from vision.training.network import Block, down
from vision.training.photographs import view_of
from vision.training.restart import restore
from vision.training.scenes import found_view

SHEET_PX = 96
# Of 256 stones of a step so many are from photographs, if there are any; how often each is cut out, and how
# much of its field must be seen.
TRACED, CUTS, LEAST_SEEN = 80, 6, 0.7
# What may be printed on a stone's back instead of a digit: the kit has a trilith there.
BACKS = "\u03a0\u03a0\u03a0HXAMWKYVRTEP#*+&@\u03a9\u03a6\u0394"


def glyphs(folder: Path, limit: int) -> list[list[NDArray[np.uint8]]]:
    """Per typeface the six digits, then the BACKS, as ink masks (SHEET_PX, SHEET_PX)."""
    found = []
    for path in sorted([*folder.rglob("*.ttf"), *folder.rglob("*.otf")]):
        try:
            font = ImageFont.truetype(str(path), 60)
            drawn = [_draw(font, text) for text in "123456" + BACKS]
        except OSError:
            continue
        digits = drawn[:6]
        different = len({ink.tobytes() for ink in digits}) == 6
        if different and all(40 < int((ink > 128).sum()) < 4000 for ink in digits):
            found.append(drawn)
    step = max(1, len(found) // limit)
    return found[::step]


def _draw(font: ImageFont.FreeTypeFont, text: str) -> NDArray[np.uint8]:
    image = Image.new("L", (SHEET_PX, SHEET_PX))
    draw = ImageDraw.Draw(image)
    left, top, right, bottom = draw.textbbox((0, 0), text, font=font)
    draw.text(((SHEET_PX - left - right) / 2, (SHEET_PX - top - bottom) / 2), text, fill=255, font=font)
    return np.asarray(image, np.uint8)


def stone(rng: np.random.Generator, faces: list[list[NDArray[np.uint8]]]) -> tuple[NDArray[np.uint8], int]:
    """One stone from above as the reader cuts it out, (STONE_PX, STONE_PX), and its value (0: face down)."""
    value = int(rng.choice(7, p=[0.22, *[0.13] * 6]))
    big = 2 * SHEET_PX
    ground, top = rng.uniform(20, 235), rng.uniform(10, 245)
    image = np.full((big, big), ground, np.float32)
    image += cv2.resize(
        rng.normal(0, rng.uniform(0, 25), (6, 6)).astype(np.float32),
        (big, big),
        interpolation=cv2.INTER_CUBIC,
    )
    careless = 6 if rng.random() < 0.85 else 14  # the round is not always found where it is
    centre = (big / 2 + rng.normal(0, careless, 2)).astype(float)
    radius = big / 2 * rng.uniform(0.78, 1.1)
    side = centre + rng.normal(0, 0.12 * radius, 2)
    if rng.random() < 0.5:
        _disc(image, side, radius, top * rng.uniform(0.4, 1.1))  # the stone's side, seen from a slant
    _disc(image, centre, radius, top)
    sticker = rng.random() < 0.6
    paper = rng.uniform(0, 255) if sticker else top
    if sticker and (value or rng.random() < 0.3):
        _disc(image, centre, radius * rng.uniform(0.6, 0.97), paper)
        if rng.random() < 0.4:
            _ring(
                image, centre, radius * rng.uniform(0.6, 0.95), rng.uniform(0, 255), int(rng.integers(1, 6))
            )
    if rng.random() < (0.15 if value else 0.4):
        _kit_sticker(rng, image, centre, radius, value or None)
    elif value or rng.random() < 0.5:
        typeface = faces[rng.integers(len(faces))]
        face = typeface[value - 1 if value else int(rng.integers(6, len(typeface)))].astype(np.float32) / 255
        ink = paper + rng.choice([-1, 1]) * rng.uniform(70, 220)
        ink = ink if 0 <= ink <= 255 else 2 * paper - ink
        size = rng.uniform(0.5, 1.6) * radius / (big / 2)
        _print(
            image,
            face,
            float(np.clip(ink, 0, 255)),
            centre,
            size * big / SHEET_PX,
            rng.uniform(0, 360),
            value,
            rng,
        )
    if rng.random() < 0.5:
        image *= 1 + 0.5 * rng.random() * cv2.resize(
            rng.normal(0, 1, (3, 3)).astype(np.float32), (big, big), interpolation=cv2.INTER_CUBIC
        )
    if rng.random() < (0.2 if value else 0.35):
        spot = np.zeros_like(image)
        cv2.circle(spot, tuple(rng.integers(0, big, 2).tolist()), int(rng.uniform(10, 50)), 1.0, -1)
        image += cv2.GaussianBlur(spot, (0, 0), 12) * rng.uniform(20, 160)
    return np.clip(_from_afar(rng, image * rng.uniform(0.4, 1.1)), 0, 255).astype(np.uint8), value


def _kit_sticker(
    rng: np.random.Generator,
    image: NDArray[np.float32],
    centre: NDArray[np.float64],
    radius: float,
    value: int | None,
) -> None:
    """A sticker of the kit's own: a digit in a ring, or on the back a trilith."""
    face = _kit_face(str(rng.choice(["black", "brown"])), value).astype(np.float32)
    size = face.shape[0]
    scale = 2 * radius * rng.uniform(0.6, 1.0) / size
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), scale)
    turn[:, 2] += centre - size / 2
    cover = np.zeros((size, size), np.float32)
    cv2.circle(cover, (size // 2, size // 2), size // 2 - 1, 1.0, -1)
    shape = image.shape[::-1]
    cover = cv2.warpAffine(cover, turn, shape)
    drawn = cv2.warpAffine(face, turn, shape) * rng.uniform(0.3, 1.2) + rng.uniform(0, 80)
    image[:] = image * (1 - cover) + drawn * cover


@cache
def _kit_face(colour: str, value: int | None) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(druid_face_image(colour, value, 20.0, 6.0), cv2.COLOR_BGR2GRAY), np.uint8)


def _from_afar(rng: np.random.Generator, image: NDArray[np.float32]) -> NDArray[np.float32]:
    """(STONE_PX, STONE_PX): seen by a camera that looks at it from a slant and has few pixels for it, in a
    lossy picture, and set upright again."""
    seen_px = rng.uniform(15, 64) if rng.random() < 0.7 else rng.uniform(40, 90)
    slant = rng.uniform(0.35, 1.0)
    turn = cv2.getRotationMatrix2D((image.shape[1] / 2,) * 2, rng.uniform(0, 360), 1.0)
    turned = cv2.warpAffine(image, turn, image.shape[::-1], borderMode=cv2.BORDER_REPLICATE)
    small = cv2.resize(turned, (round(seen_px), max(8, round(seen_px * slant))), interpolation=cv2.INTER_AREA)
    small = cv2.GaussianBlur(small, (0, 0), rng.uniform(0.2, 0.9))
    small += rng.normal(0, rng.uniform(0.3, 6), small.shape)
    small = np.clip(small, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        _, packed = cv2.imencode(".jpg", small, [cv2.IMWRITE_JPEG_QUALITY, int(rng.integers(45, 96))])
        small = cv2.imdecode(packed, cv2.IMREAD_GRAYSCALE)
    return cv2.resize(small, (STONE_PX, STONE_PX), interpolation=cv2.INTER_LINEAR).astype(np.float32)


def _disc(image: NDArray[np.float32], centre: NDArray[np.float64], radius: float, value: float) -> None:
    cv2.circle(image, tuple(int(v) for v in centre), int(radius), float(value), -1, cv2.LINE_AA)


def _ring(
    image: NDArray[np.float32], centre: NDArray[np.float64], radius: float, value: float, width: int
) -> None:
    cv2.circle(image, tuple(int(v) for v in centre), int(radius), float(value), width, cv2.LINE_AA)


def _print(
    image: NDArray[np.float32],
    face: NDArray[np.float32],
    ink: float,
    centre: NDArray[np.float64],
    scale: float,
    turn_deg: float,
    value: int,
    rng: np.random.Generator,
) -> None:
    face = face.copy()
    if rng.random() < (0.6 if value == 6 else 0.05):
        cv2.line(face, (30, 82), (66, 82), 1.0, int(rng.integers(3, 8)))
    if rng.random() < 0.4:
        kernel = np.ones((int(rng.integers(1, 5)),) * 2, np.uint8)
        face = cv2.dilate(face, kernel) if rng.random() < 0.7 else cv2.erode(face, kernel)
    turn = cv2.getRotationMatrix2D((SHEET_PX / 2, SHEET_PX / 2), turn_deg, scale)
    turn[:, 2] += centre - SHEET_PX / 2 + rng.normal(0, 3, 2)
    shear = np.eye(2) + rng.normal(0, 0.06, (2, 2))
    turn[:, :2] = turn[:, :2] @ shear
    cover = cv2.warpAffine(face, turn, image.shape[::-1], flags=cv2.INTER_LINEAR)
    image[:] = image * (1 - cover) + ink * cover


class DigitNetwork(nn.Module):
    """A small residual network on `vision.stones.digits.evened` faces."""

    def __init__(self) -> None:
        super().__init__()
        self.features = nn.Sequential(down(1, 24, 5), down(24, 48), Block(48), down(48, 96), Block(96))
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(96 * (STONE_PX // 8) ** 2, 96),
            nn.ReLU(),
            nn.Linear(96, 7),
        )

    def forward(self, faces: Tensor) -> Tensor:
        return self.head(self.features(faces))


def varied(faces: Tensor, generator: torch.Generator) -> Tensor:
    """Turned by any angle, a little larger, smaller or aside, dark for light."""
    n = len(faces)
    turn = torch.rand(n, generator=generator) * 2 * math.pi
    size = 1 + 0.08 * torch.randn(n, generator=generator).clamp(-2, 2)
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = theta[:, 1, 1] = torch.cos(turn) * size
    theta[:, 0, 1], theta[:, 1, 0] = -torch.sin(turn) * size, torch.sin(turn) * size
    theta[:, :, 2] = 0.05 * torch.randn(n, 2, generator=generator)
    grid = F.affine_grid(theta, list(faces.shape), align_corners=False)
    sign = torch.where(torch.rand(n, 1, 1, 1, generator=generator) < 0.4, -1.0, 1.0)
    return F.grid_sample(faces, grid, padding_mode="border", align_corners=False) * sign


def stones_in(photo: Path, rng: np.random.Generator) -> list[tuple[NDArray[np.uint8], int]]:
    """The stones of one photograph whose label tells of them, cut out `CUTS` times as the reader does it,
    each time with the board found a little differently, and their values (0: face down)."""
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    board, grey = load_board(label["board"]), cv2.cvtColor(load_image(photo), cv2.COLOR_BGR2GRAY)
    hidden = {name for name, share in label["seen"].items() if share < LEAST_SEEN} | {*label["occluded"]}
    piece = board.pieces["druid"]
    found = []
    for _ in range(CUTS):
        view = found_view(rng, board, view_of(label))
        for lying in label["pieces"]:
            if lying["kind"] == "druid" and lying.get("field") and lying["field"] not in hidden:
                near = board.fields[lying["field"]].centre_mm
                rounds = find_rounds(
                    np.asarray(grey, np.uint8), view, near, piece.diameter_mm / 2, piece.height_mm
                )
                for round_ in rounds:
                    face = cut_round(np.asarray(grey, np.uint8), view, *round_, piece.height_mm)
                    found.append((face.astype(np.uint8), int(lying.get("value") or 0)))
    return found


def _stones(
    rng: np.random.Generator, faces: list[list[NDArray[np.uint8]]], count: int
) -> tuple[Tensor, Tensor]:
    pictures, values = zip(*(stone(rng, faces) for _ in range(count)), strict=True)
    return torch.from_numpy(evened(np.stack(pictures)).astype(np.float16))[:, None], torch.tensor(values)


def _traced(rng: np.random.Generator, folders: list[Path]) -> tuple[Tensor, Tensor]:
    photos = sorted(
        path.with_suffix(".jpg") for folder in folders for path in folder.glob("*-stonehenge.json")
    )
    seen = [stone for photo in photos for stone in stones_in(photo, rng)]
    faces = np.stack([face for face, _ in seen]) if seen else np.zeros((0, STONE_PX, STONE_PX), np.uint8)
    return torch.from_numpy(evened(faces).astype(np.float16))[:, None], torch.tensor([v for _, v in seen])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="go on from the digit.onnx in this folder")
    parser.add_argument("--photos", type=Path, nargs="*", default=[], help="folders of lessons")
    parser.add_argument("--rate", type=float, default=3e-3, help="of learning, at its highest")
    parser.add_argument("--stones", type=int, default=200000)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    generator = torch.Generator().manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    faces = glyphs(options.fonts, 600)
    kept = faces[::8]
    learnt = [face for index, face in enumerate(faces) if index % 8]
    print(f"{len(learnt)} typefaces to learn, {len(kept)} to judge", flush=True)
    data, truth = _stones(rng, learnt, options.stones)
    traced, traced_truth = _traced(rng, options.photos)
    judge, judge_truth = _stones(rng, kept, 4000)
    network = DigitNetwork().to(memory_format=torch.channels_last)
    if options.start is not None:
        some = [data[n : n + 256].float() for n in range(0, min(len(data), 2048), 256)]
        restore(network, options.start / "digit.onnx", some)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=1e-2)
    begun, learning = time.monotonic(), 0.0
    for step in range(options.steps):
        pace(optimiser, options.rate, step, options.steps)
        index = torch.randint(len(data), (256,), generator=generator)
        faces_now, values = data[index].float(), truth[index]
        if len(traced):
            own = torch.randint(len(traced), (TRACED,), generator=generator)
            faces_now[:TRACED], values[:TRACED] = traced[own].float(), traced_truth[own]
        batch = varied(faces_now, generator)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
            answer = network(batch.contiguous(memory_format=torch.channels_last))
        loss = F.cross_entropy(answer.float(), values, label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        learning = 0.99 * learning + 0.01 * float((answer.argmax(1) == values).float().mean())
        if step % 500 == 499:
            network.eval()
            with torch.no_grad():
                right = float((network(judge.float()).argmax(1) == judge_truth).float().mean())
            network.train()
            print(
                f"step {step + 1}, {time.monotonic() - begun:.0f} s: learnt ones {learning:.4f}, "
                f"unseen typefaces {right:.4f}",
                flush=True,
            )
    sample = torch.zeros(2, 1, STONE_PX, STONE_PX)
    export(network, options.out / "digit.onnx", sample, ("stones", ["value"]))


if __name__ == "__main__":
    main()
