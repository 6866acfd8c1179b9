"""Trains the network that reads the digit on a druid stone: 1 to 6 or face down, any rotation, any typeface.

    python -m vision.training.digits --fonts FOLDER --steps 8000 --seed 1 --out vision/models

Fonts are those of the system it is trained on; nothing of them is kept but what the network learns.
"""

from __future__ import annotations

import argparse
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
from vision.digits import STONE_PX

SHEET_PX = 96
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
    careless = 6 if rng.random() < 0.7 else 16  # the round is not always found where it is
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
    if not value and rng.random() < 0.4:
        _kit_back(rng, image, centre, radius)
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
    image = cv2.GaussianBlur(image, (0, 0), rng.uniform(0.4, 0.9) * big / rng.uniform(20, 70))
    if rng.random() < 0.12:
        spot = np.zeros_like(image)
        cv2.circle(spot, tuple(rng.integers(0, big, 2).tolist()), int(rng.uniform(10, 50)), 1.0, -1)
        image += cv2.GaussianBlur(spot, (0, 0), 12) * rng.uniform(20, 120)
    small = cv2.resize(image, (STONE_PX, STONE_PX), interpolation=cv2.INTER_AREA)
    small += rng.normal(0, rng.uniform(0.5, 7), small.shape)
    return np.clip(small * rng.uniform(0.4, 1.1), 0, 255).astype(np.uint8), value


def _kit_back(
    rng: np.random.Generator, image: NDArray[np.float32], centre: NDArray[np.float64], radius: float
) -> None:
    """The back of the kit's own stones: a sticker with a trilith."""
    colour = str(rng.choice(["black", "brown"]))
    face = _kit_face(colour).astype(np.float32)
    size = face.shape[0]
    scale = 2 * radius * rng.uniform(0.85, 1.0) / size
    turn = cv2.getRotationMatrix2D((size / 2, size / 2), rng.uniform(0, 360), scale)
    turn[:, 2] += centre - size / 2
    cover = np.zeros((size, size), np.float32)
    cv2.circle(cover, (size // 2, size // 2), size // 2 - 1, 1.0, -1)
    shape = image.shape[::-1]
    cover = cv2.warpAffine(cover, turn, shape)
    drawn = cv2.warpAffine(face, turn, shape) * rng.uniform(0.5, 1.2) + rng.uniform(0, 60)
    image[:] = image * (1 - cover) + drawn * cover


@cache
def _kit_face(colour: str) -> NDArray[np.uint8]:
    return np.asarray(cv2.cvtColor(druid_face_image(colour, None, 20.0, 6.0), cv2.COLOR_BGR2GRAY), np.uint8)


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
    """A few convolutions; the picture is evened out (mean 0, spread 1) before."""

    def __init__(self) -> None:
        super().__init__()
        layers: list[nn.Module] = []
        for a, b, kernel, stride in ((1, 32, 5, 2), (32, 64, 3, 2), (64, 64, 3, 1), (64, 96, 3, 2)):
            layers += [nn.Conv2d(a, b, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(b), nn.ReLU()]
        self.features = nn.Sequential(*layers)
        self.head = nn.Sequential(
            nn.Flatten(),
            nn.Dropout(0.2),
            nn.Linear(96 * (STONE_PX // 8) ** 2, 96),
            nn.ReLU(),
            nn.Linear(96, 7),
        )

    def forward(self, stones: Tensor) -> Tensor:
        return self.head(self.features(stones))


def evened(stones: Tensor) -> Tensor:
    flat = stones.flatten(1)
    mean, spread = flat.mean(1)[:, None, None, None], flat.std(1)[:, None, None, None]
    return (stones - mean) / (spread + 2.0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--fonts", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=8000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="go on from these weights (digit.pt)")
    parser.add_argument("--rate", type=float, default=3e-3, help="of learning, at its highest")
    parser.add_argument("--stones", type=int, default=120000)
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    rng = np.random.default_rng(options.seed)
    faces = glyphs(options.fonts, 300)
    kept = faces[::8]
    learnt = [face for index, face in enumerate(faces) if index % 8]
    print(f"{len(learnt)} typefaces to learn, {len(kept)} to judge", flush=True)
    pictures, values = zip(*(stone(rng, learnt) for _ in range(options.stones)), strict=True)
    data, truth = torch.from_numpy(np.stack(pictures))[:, None], torch.tensor(values)
    pictures, values = zip(*(stone(rng, kept) for _ in range(4000)), strict=True)
    judge, judge_truth = torch.from_numpy(np.stack(pictures))[:, None].float(), torch.tensor(values)
    network = DigitNetwork().to(memory_format=torch.channels_last)
    if options.start is not None:
        network.load_state_dict(torch.load(options.start))
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=1e-2)
    begun = time.monotonic()
    for step in range(options.steps):
        for group in optimiser.param_groups:
            share = step / options.steps
            group["lr"] = options.rate * min(1.0, (step + 1) / 100) * 0.5 * (1 + math.cos(math.pi * share))
        index = torch.randint(len(data), (256,))
        batch = torch.rot90(data[index].float(), int(rng.integers(4)), (2, 3))
        with torch.autocast("cpu", dtype=torch.bfloat16):
            answer = network(evened(batch).contiguous(memory_format=torch.channels_last))
        loss = F.cross_entropy(answer.float(), truth[index], label_smoothing=0.02)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 500 == 499:
            network.eval()
            with torch.no_grad():
                right = float((network(evened(judge)).argmax(1) == judge_truth).float().mean())
            network.train()
            print(
                f"step {step + 1}, {time.monotonic() - begun:.0f} s: unseen typefaces {right:.4f}",
                flush=True,
            )
    network = network.eval().to(memory_format=torch.contiguous_format)
    torch.save(network.state_dict(), options.out / "digit.pt")
    sample = torch.zeros(2, 1, STONE_PX, STONE_PX)
    torch.onnx.export(
        network,
        (sample,),
        str(options.out / "digit.onnx"),
        input_names=["stones"],
        output_names=["value"],
        dynamic_axes={"stones": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )


if __name__ == "__main__":
    main()
