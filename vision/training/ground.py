"""Composes tables with loose pieces and trains the ground network on them.

python -m vision.training.ground compose --out FOLDER --scenes 1000 --seed 1
python -m vision.training.ground train --shards FOLDER --steps 6000 --seed 1 --out vision/models

A network that goes on from a file (`--start`) learns that shadows of what stands beside the board are ground,
and in other light to say what it said before.
"""

from __future__ import annotations

import argparse
import copy
import math
import time
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.cards import card_face_image
from engine.board import Board, load_board
from engine.cards import ALL_CARDS, UNKNOWN
from vision.geometry.bodies import Body, Prism, placed
from vision.geometry.view import View
from vision.prints.light import Light
from vision.prints.surface import Surface
from vision.training.compose import Lighting, Lying, random_lighting
from vision.training.scenes import (
    Prints,
    as_printed,
    board_texture,
    like_print,
    photographed,
    random_palette,
    random_table_top,
    random_view,
)
from vision.training.sets import PieceSet, random_set
from vision.training.shards import compose_shards
from vision.yards.ground import CELL_MM, GROUND_CHANNELS, HIDDEN, KINDS, stretch

Image = NDArray[np.uint8]
WINDOW_MM = 128
TEXTURE_PX_PER_MM = 3.0
# As bytes: so many for one, and of the lean (cm) how much is one, and where nothing is.
BYTE, LEAN_UNIT, LEAN_ZERO = 182, 12, 0.7
# How much more a rare kind counts; with more than this it is seen all around itself.
RARE = 0.25
PER_SHARD = 60
# How many tables have one low lamp only.
LOW_LAMP = 0.3
# Over how many windows shadows fall of what stands beside the board (a window's bars, an arm, a lamp's foot),
# how many at most, how wide half of them and their edges are (mm), how much light is left there and how far
# it is tinted; so much is left where none is.
BESIDE, MOST_BESIDE = 0.5, 3
WIDE_MM, EDGE_MM, LEFT, TINTED = (2.0, 28.0), (0.6, 5.0), (0.25, 0.85), 0.03
UNSHADED = 0.97
# How much it is to say in these shadows what it said without them, rather than what is there.
AS_BEFORE = 0.7
STREWN = ("card", "pillar", "pillar", "capstone", "disc", "figure", "lying", "block", "trilith")


@dataclass(frozen=True)
class Mix:
    """What lies on tables: the chances of a hand, of each of `STREWN`, of a figure in the print's colour."""

    hands: float
    strewn: tuple[float, ...]
    like_print: float


USUAL = Mix(0.2, (0.16, 0.16, 0.1, 0.2, 0.11, 0.08, 0.08, 0.06, 0.05), 0.0)
# Hands over cards, and figures that lie on print of their own colour.
HARD_TO_SEE = Mix(0.8, (0.26, 0.1, 0.06, 0.12, 0.08, 0.08, 0.2, 0.05, 0.05), 0.4)


@dataclass
class Shown:
    """What a picture shows: its visibility buffer (see `compose`), the network's kind of each number in it
    from 1 on, and the outlines of the cards that lie on the board, (4, 2) mm."""

    numbers: Image
    kinds: list[str]
    cards: list[NDArray[np.float64]]


# (GROUND_CHANNELS, WINDOW_MM, WINDOW_MM) and what is seen where, (WINDOW_MM, WINDOW_MM) indices of KINDS.
Window = tuple[NDArray[np.float32], NDArray[np.uint8]]


def one_table(rng: np.random.Generator, mix: Mix = USUAL) -> list[Window]:
    """Windows (GROUND_CHANNELS, WINDOW_MM, WINDOW_MM) with their class maps from one random table."""
    board = load_board("anthology" if rng.random() < 0.85 else "knizia")
    anthology = load_board("anthology")
    texture = board_texture(rng, board)
    bare = as_printed(rng, texture)
    printed = bare.copy()
    sizes = [(1280, 720), (1280, 720), (960, 540), (810, 1080)]
    view = random_view(rng, board.size_mm, sizes[rng.integers(len(sizes))])
    centres = places_of_interest(rng, board)
    pieces, kinds, cards = _scatter(rng, anthology, board, centres, printed, mix)
    lighting = often_low(rng)
    table_bgr = random_table_top(rng)
    prints = Prints(texture, bare, printed)
    seen, numbers = photographed(rng, board, view, pieces, prints, lighting, table_bgr, hands=mix.hands)
    return cut_windows(rng, seen, view, Shown(numbers, kinds, cards), centres)


def often_low(rng: np.random.Generator) -> Lighting:
    """Random light, on many tables that of one low lamp only."""
    lighting = random_lighting(rng)
    if rng.random() < LOW_LAMP:
        lower(rng, lighting)
    return lighting


def lower(rng: np.random.Generator, lighting: Lighting) -> None:
    """Leave one small lamp, low over the table: shadows are as long and dark as stones."""
    azimuth, elevation = rng.uniform(0, 2 * math.pi), math.radians(rng.uniform(20, 38))
    x, y = math.cos(elevation) * math.cos(azimuth), math.cos(elevation) * math.sin(azimuth)
    lighting.lamps = [
        replace(lighting.lamps[0], direction=np.array([x, y, math.sin(elevation)]), softness=0.04)
    ]
    lighting.ambient_bgr = lighting.ambient_bgr * rng.uniform(0.3, 1.0)


def cut_windows(
    rng: np.random.Generator,
    seen: tuple[Image, View, Surface, Light],
    view: View,
    shown: Shown,
    centres: list[tuple[float, float]],
) -> list[Window]:
    """Windows around `centres` (mm) of what a reader has of a picture: photograph, view as it was found,
    empty board and light. The true `view` and what the picture has `shown` tell what is where."""
    windows = []
    for x, y in centres:
        left, top = x - WINDOW_MM / 2 + rng.normal(0, 12), y - WINDOW_MM / 2 + rng.normal(0, 12)
        box = (left, top, left + WINDOW_MM, top + WINDOW_MM)
        windows.append((stretch(*seen, box), _classes(view, shown, (left, top))))
    return windows


def places_of_interest(rng: np.random.Generator, board: Board) -> list[tuple[float, float]]:
    """Where windows are cut: the yards, the altar, and anywhere."""
    spots = [f.centre_mm for f in board.fields.values() if f.kind in ("yard", "altar")]
    chosen = [spots[i] for i in rng.permutation(len(spots))[:3]]
    width, height = board.size_mm
    return [*chosen, (rng.uniform(0.15, 0.85) * width, rng.uniform(0.15, 0.85) * height)]


def _scatter(
    rng: np.random.Generator,
    source: Board,
    board: Board,
    centres: list[tuple[float, float]],
    printed: Image,
    mix: Mix,
) -> tuple[list[Lying], list[str], list[NDArray[np.float64]]]:
    """Random pieces around the centres and their kinds, and the outlines of cards; these are pasted into
    `printed`, because they are flat."""
    _, palette = random_palette(rng)
    grey = np.array([0.5, 0.52, 0.52]) * rng.uniform(0.7, 1.25)
    real = random_set(rng, source.pieces)
    pieces: list[Lying] = []
    kinds: list[str] = []
    cards: list[NDArray[np.float64]] = []
    taken: list[tuple[float, float, float]] = []
    gloss = rng.uniform(0, 1)
    for cx, cy in centres:
        for _ in range(rng.integers(0, 9)):
            kind = str(rng.choice(STREWN, p=mix.strewn))
            at = (cx + rng.normal(0, 32), cy + rng.normal(0, 32))
            reach = {"card": 26, "capstone": 20, "trilith": 30, "lying": 17, "block": 11}.get(kind, 9)
            if any(math.dist(at, (x, y)) < (reach + r) * rng.uniform(0.75, 1.1) for x, y, r in taken):
                continue
            if not (5 < at[0] < board.size_mm[0] - 5 and 5 < at[1] < board.size_mm[1] - 5):
                continue
            taken.append((*at, reach))
            angle = float(rng.uniform(0, 360))
            if kind == "card":
                cards.append(_paste_card(rng, printed, at, angle))
                continue
            bgr = (
                palette[rng.integers(len(palette))] if kind in ("disc", "figure", "lying", "block") else grey
            )
            body = _body(rng, kind, real)
            if mix.like_print and kind in ("figure", "lying") and rng.random() < mix.like_print:
                bgr = like_print(rng, printed, printed.shape[1] / board.size_mm[0], at)
            pieces.append(Lying(body, at, angle, np.asarray(bgr), len(pieces) + 1, gloss=gloss))
            kinds.append(kind)
            if kind == "capstone" and rng.random() < 0.4:
                top = real.bodies["disc"]
                pieces.append(
                    Lying(
                        top, at, 0.0, palette[rng.integers(len(palette))], len(pieces) + 1, body.top_mm, gloss
                    )
                )
                kinds.append("disc")
    _others(rng, board, real, palette, pieces, kinds, taken)
    return pieces, kinds, cards


def _body(rng: np.random.Generator, kind: str, real: PieceSet) -> Body:
    if kind == "lying":
        assert real.lying is not None
        return real.lying
    body = real.bodies[kind]
    if kind == "pillar" and rng.random() < 0.35:
        # A pillar on its side.
        foot = body.prisms[0].footprint_mm
        long, wide = foot[2][0], foot[2][1]
        half = body.top_mm / 2
        return Body(
            kind,
            (Prism(((-half, -wide), (half, -wide), (half, wide), (-half, wide)), 0, 2 * long),),
            2 * long,
        )
    return body


def _others(rng, board, real, palette, pieces, kinds, taken) -> None:  # type: ignore[no-untyped-def]
    """Pieces on ordinary fields around, so that the network knows them as neighbours."""
    for each in board.fields.values():
        if each.kind not in ("ring", "bluestone", "pit", "space") or rng.random() > 0.08 or len(pieces) > 200:
            continue
        if any(math.dist(each.centre_mm, (x, y)) < 16 + r for x, y, r in taken):
            continue
        kind = str(rng.choice(["disc", "block", "figure"]))
        body = real.bodies[kind]
        number = len(pieces) + 1
        pieces.append(
            Lying(body, each.centre_mm, each.angle_deg, palette[rng.integers(len(palette))], number)
        )
        kinds.append(kind)


def _paste_card(
    rng: np.random.Generator, printed: Image, at: tuple[float, float], angle: float
) -> NDArray[np.float64]:
    name = str(rng.choice([*ALL_CARDS, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN, UNKNOWN]))
    face = card_face_image(name, TEXTURE_PX_PER_MM)
    height, width = face.shape[:2]
    turn = cv2.getRotationMatrix2D(((width - 1) / 2, (height - 1) / 2), -angle, 1.0)
    turn[:, 2] += np.array(at) * TEXTURE_PX_PER_MM - 0.5 - [(width - 1) / 2, (height - 1) / 2]
    cv2.warpAffine(
        face,
        turn,
        printed.shape[1::-1],
        dst=printed,
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_TRANSPARENT,
    )
    half = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / (
        2 * TEXTURE_PX_PER_MM
    )
    return placed(half, at, angle)


def _classes(view: View, shown: Shown, origin: tuple[float, float]) -> NDArray[np.uint8]:
    """(WINDOW_MM, WINDOW_MM) classes: what is seen at each point of the plane, the sides and tops of solids
    as far as they lean over it."""
    x, y = np.meshgrid(origin[0] + np.arange(WINDOW_MM) + 0.5, origin[1] + np.arange(WINDOW_MM) + 0.5)
    pixels = np.round(view.project(np.column_stack([x.ravel(), y.ravel()]))).astype(int)
    inside = ((pixels >= 0) & (pixels < np.array(view.size_px))).all(axis=1)
    # A hand's number is none of a piece.
    kind_of = np.full(256, HIDDEN, np.uint8)
    kind_of[: len(shown.kinds) + 1] = [KINDS.index(kind) for kind in ("ground", *shown.kinds)]
    classes = np.full(len(pixels), HIDDEN, np.uint8)
    classes[inside] = kind_of[shown.numbers[pixels[inside, 1], pixels[inside, 0]]]
    classes = classes.reshape(WINDOW_MM, WINDOW_MM)
    for outline in shown.cards:
        mask = np.zeros_like(classes)
        cv2.fillConvexPoly(mask, np.round((outline - origin - 0.5) * 16).astype(np.int32), 1, shift=4)
        classes[(mask > 0) & (classes == KINDS.index("ground"))] = KINDS.index("card")
    return classes


def _store(mix: Mix, rng: np.random.Generator, path: Path) -> int:
    return write_windows(path, [window for _ in range(PER_SHARD) for window in one_table(rng, mix)])


def write_windows(path: Path, windows: list[Window]) -> int:
    np.savez(
        path,
        crops=np.stack([packed(crop) for crop, _ in windows]),
        classes=np.stack([classes for _, classes in windows]),
    )
    return len(windows)


def packed(seen: NDArray[np.float32]) -> Image:
    """(8, H, W) a stretch (see `vision.yards.ground`) as bytes, without the difference channels: they are
    computed again when it is read."""
    kept = np.concatenate([seen[:6], seen[9:] / LEAN_UNIT + LEAN_ZERO])
    return np.clip(np.round(kept * BYTE), 0, 255).astype(np.uint8)


def unpacked(stored):  # type: ignore[no-untyped-def]
    """Photograph, empty board and lean of packed stretches (..., 8, H, W), arrays or tensors of floats."""
    seen = stored / BYTE
    lean = (seen[..., 6:, :, :] - LEAN_ZERO) * LEAN_UNIT
    return seen[..., :3, :, :], seen[..., 3:6, :, :], lean


# --- the network -------------------------------------------------------------------------------------


def train(
    shards: Path, steps: int, seed: int, out: Path, start: Path | None = None, rate: float = 3e-3
) -> None:
    """Trains in so many steps, prints as it goes and writes ground.onnx; `start`: go on from that file."""
    import torch
    from torch.nn import functional as F

    from vision.training.learning import HALF, export, pace
    from vision.training.restart import restore

    torch.manual_seed(seed)
    network = _network().to(memory_format=torch.channels_last)
    paths = sorted(shards.glob("ground-*.npz"))
    parts = [np.load(path) for path in paths]
    crops = torch.from_numpy(np.concatenate([p["crops"] for p in parts]))
    classes = torch.from_numpy(np.concatenate([p["classes"] for p in parts]))
    held = len(classes) // 15
    generator = torch.Generator().manual_seed(seed)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-3)
    counts = torch.bincount(classes[:500].long().flatten(), minlength=len(KINDS)).float() + 1
    weight = (counts.sum() / counts) ** RARE
    weight = weight / weight.mean()
    print(f"{len(classes) - held} windows to learn, {held} to judge", flush=True)

    def batch(index: torch.Tensor, vary: bool) -> tuple[torch.Tensor, torch.Tensor]:
        photo, empty, lean = unpacked(crops[index].float())
        truth = classes[index].long()
        if vary:
            # What is red in one picture may be green in another.
            order = torch.randperm(3, generator=generator)
            photo, empty = photo[:, order], empty[:, order]
            photo = photo * (1 + 0.05 * torch.randn(len(index), 3, 1, 1, generator=generator))
        x = torch.cat([photo, empty, photo - empty, lean], 1)
        if vary and torch.rand(1, generator=generator) < 0.5:
            x, truth = x.flip(3), truth.flip(2)
            x[:, 9] = -x[:, 9]
        if vary and torch.rand(1, generator=generator) < 0.5:
            x, truth = x.transpose(2, 3), truth.transpose(1, 2)
            x = x[:, [*range(9), 10, 9]]
        if vary and torch.rand(1, generator=generator) < 0.5:
            x, truth = x.flip(2), truth.flip(1)
            x[:, 10] = -x[:, 10]
        return x.contiguous(memory_format=torch.channels_last), truth[:, ::CELL_MM, ::CELL_MM]

    if start is not None:
        usual = torch.arange(held, len(classes)).split((len(classes) - held) // 20)[:20]
        restore(network, start, (batch(index[:48], False)[0] for index in usual))
    before = copy.deepcopy(network).eval() if start is not None else None
    begun = time.monotonic()
    for step in range(steps):
        pace(optimiser, rate, step, steps)
        index = torch.randint(held, len(classes), (12,), generator=generator)
        x, truth = batch(index, True)
        shown, anew = (x, torch.ones(1)) if before is None else _in_shadow(x, generator)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
            answer = network(shown)
            with torch.no_grad():
                said = None if before is None else before(x).float().softmax(dim=1)
        loss = F.cross_entropy(answer.float(), truth, weight=weight, reduction="none")
        if said is not None:
            loss = anew * loss + (1 - anew) * F.cross_entropy(answer.float(), said, reduction="none")
        loss = loss.mean()
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        if step % 250 == 249:
            network.eval()
            with torch.no_grad():
                hits = torch.zeros(len(KINDS), 2)
                for first in range(0, min(held, 120), 12):
                    x, truth = batch(torch.arange(first, min(first + 12, held)), False)
                    read = network(x).argmax(1)
                    for k in range(len(KINDS)):
                        hits[k, 0] += ((read == k) & (truth == k)).sum()
                        hits[k, 1] += ((read == k) | (truth == k)).sum()
            network.train()
            overlap = ", ".join(
                f"{kind} {float(a / max(b, 1)):.2f}" for kind, (a, b) in zip(KINDS, hits, strict=True)
            )
            took = time.monotonic() - begun
            print(f"step {step + 1}, {took:.0f} s: loss {float(loss):.3f}; overlap {overlap}", flush=True)
    sample = torch.zeros(1, GROUND_CHANNELS, 64, 64)
    export(network, out / "ground.onnx", sample, ("stretch", ["kinds"]), {2: "h", 3: "w"}, difference=True)


def _in_shadow(x, generator):  # type: ignore[no-untyped-def]
    """(N, GROUND_CHANNELS, H, W) windows with shadows of what stands beside the board, and (N, 1, 1) how much
    of what is there is to be learnt from each; of the rest, what was said without shadows."""
    shades = _shadows_of_others(len(x), generator)
    shaded = x.clone()
    shaded[:, :3] *= shades
    shaded[:, 6:9] = shaded[:, :3] - shaded[:, 3:6]
    return shaded, (1 - AS_BEFORE) * (shades.amin(dim=(1, 2, 3)) < UNSHADED).float()[:, None, None]


def _shadows_of_others(count, generator):  # type: ignore[no-untyped-def]
    """(count, 3, WINDOW_MM, WINDOW_MM): what shadows of things beside the board leave of each window's light.
    They are bands, every other one with an end."""
    import torch

    def between(bounds: tuple[float, float]) -> torch.Tensor:
        low, high = bounds
        return low + (high - low) * torch.rand(count, MOST_BESIDE, 1, 1, generator=generator)

    middle = torch.arange(WINDOW_MM) - WINDOW_MM / 2
    y, x = torch.meshgrid(middle, middle, indexing="ij")
    angle = between((0.0, 2 * math.pi))
    across = (x * angle.cos() + y * angle.sin()) - between((-60.0, 60.0))
    along = (y * angle.cos() - x * angle.sin()) - between((-60.0, 60.0))
    edge, ends = between(EDGE_MM), between((0.0, 1.0)) < 0.5
    band = torch.sigmoid((between(WIDE_MM) - across.abs()) / edge)
    band = torch.where(ends, band * torch.sigmoid(along / edge), band)
    there = between((0.0, 1.0)) < 0.6
    window = (torch.rand(count, 1, 1, 1, generator=generator) < BESIDE) & there
    tint = 1 + TINTED * torch.randn(count, MOST_BESIDE, 3, 1, 1, generator=generator)
    left = between(LEFT)[:, :, None] * tint
    shade = 1 - (1 - left) * (band * window)[:, :, None]
    return shade.prod(dim=1)


def _network():  # type: ignore[no-untyped-def]
    from torch import Tensor, nn
    from torch.nn import functional as F

    def conv(a: int, b: int, stride: int = 1) -> nn.Sequential:
        return nn.Sequential(nn.Conv2d(a, b, 3, stride, 1, bias=False), nn.BatchNorm2d(b), nn.ReLU())

    class GroundNetwork(nn.Module):
        """Down three times, up twice, with shortcuts: the answer has CELL_MM per pixel."""

        def __init__(self) -> None:
            super().__init__()
            self.a = nn.Sequential(
                nn.Conv2d(GROUND_CHANNELS, 24, 5, 2, 2, bias=False), nn.BatchNorm2d(24), nn.ReLU()
            )
            self.b = nn.Sequential(conv(24, 48, 2), conv(48, 48), conv(48, 48))
            self.c = nn.Sequential(conv(48, 64, 2), conv(64, 64), conv(64, 64))
            self.up_b, self.up_a = nn.Conv2d(64, 48, 1), nn.Conv2d(48, 24, 1)
            self.mix_b, self.mix_a = conv(48, 48), conv(24, 24)
            self.out = nn.Conv2d(24, len(KINDS), 1)

        def forward(self, x: Tensor) -> Tensor:
            a = self.a(x)
            b = self.b(a)
            c = self.c(b)
            b = self.mix_b(b + F.interpolate(self.up_b(c), scale_factor=2.0, mode="nearest"))
            a = self.mix_a(a + F.interpolate(self.up_a(b), scale_factor=2.0, mode="nearest"))
            return self.out(a)

    return GroundNetwork()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    steps = parser.add_subparsers(dest="step", required=True)
    composing = steps.add_parser("compose")
    composing.add_argument("--scenes", type=int, default=1000)
    composing.add_argument("--hard", action="store_true", help="hands, and figures of the print's colour")
    training = steps.add_parser("train")
    training.add_argument("--shards", type=Path, required=True)
    training.add_argument("--steps", type=int, default=6000)
    training.add_argument("--rate", type=float, default=3e-3, help="of learning, at its highest")
    training.add_argument("--start", type=Path, help="go on from this ground.onnx")
    for each in (composing, training):
        each.add_argument("--out", type=Path, required=True)
        each.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.step == "compose":
        shards, mix = -(-options.scenes // PER_SHARD), HARD_TO_SEE if options.hard else USUAL
        compose_shards(
            options.out, shards, f"ground-{options.seed:04d}", (options.seed, 7), partial(_store, mix)
        )
    else:
        train(options.shards, options.steps, options.seed, options.out, options.start, options.rate)


if __name__ == "__main__":
    main()
