"""Trains the network that tells which way a stone figure looks, on the shards of `vision.training.faces`.

python -m vision.training.facing --shards faces --judged others --steps 2000 --seed 1 --out vision/models
"""

from __future__ import annotations

import argparse
import copy
import time
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from vision.fields.beliefs import SURE_OF_FACING
from vision.fields.facing import CHANNELS, SIDE_PX, UP, sides
from vision.training import learning
from vision.training.faces import BYTE, PHOTOGRAPHED
from vision.training.learning import HALF, export, follow, pace
from vision.training.network import conv, down
from vision.training.restart import restore

FILE = "facing.onnx"
# So many figures are learnt from at once.
BATCH = 128
# How many of these are composed, and from photographs of `lessons` and of `strangers`.
SHARES = {"composed": 0.4, "lessons": 0.3, "strangers": 0.3}
# So many batches tell how much what a network that goes on sees varies.
USUAL = 8
# A figure without a face, of which there are few, counts so much.
FACELESS = 1.5
# The channels of `vision.fields.facing.sides` that are colours.
COLOURS = slice(8, 11), slice(11, 14)
# All channels that show the photograph, and how noisy they are made at most.
SEEN_MAPS, NOISE = [0, 1, 2, 3, 6, 7, 8, 9, 10, 11, 12, 13], 0.15
# Nothing is learnt to be surer than this leaves room for (0: quite sure, 1: not at all).
DOUBT = 0.05
# What is written is the mean of the network over so many steps.
STEADY = 300


class FacingNetwork(nn.Module):
    """Logits of "looks clockwise", of `vision.fields.facing.sides`. What `side` says of them in a mirror is
    taken off, so that neither way has an advantage."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.side = nn.Sequential(
            down(CHANNELS, width, 5),
            conv(width, width),
            down(width, 2 * width),
            conv(2 * width, 2 * width),
            conv(2 * width, 2 * width),
            down(2 * width, 4 * width),
            conv(4 * width, 4 * width),
            down(4 * width, 4 * width),
            nn.Flatten(),
            nn.Dropout(0.4),
            nn.Linear(4 * width * (SIDE_PX // 16) ** 2, 48),
            nn.ReLU(),
            nn.Linear(48, 1),
        )

    def forward(self, halves: Tensor) -> Tensor:
        mirrored = halves.flip(3)
        mirrored[:, UP] *= -1
        both = self.side(torch.cat([halves, mirrored]))[:, 0]
        return both[: len(halves)] - both[len(halves) :]


# (N, CHANNELS, S, S) halves and (N,) answers.
Halves = tuple[Tensor, Tensor]


def _loaded(paths: list[Path]) -> Halves:
    shards = [np.load(path) for path in paths]
    crops, ways, answers = (np.concatenate([s[key] for s in shards]) for key in ("crops", "way", "answers"))
    halves = np.empty((len(crops), CHANNELS, SIDE_PX, SIDE_PX), np.float16)
    for index, (crop, way) in enumerate(zip(crops, ways, strict=True)):
        halves[index] = sides(crop.astype(np.float32) / BYTE, way)
    return torch.from_numpy(halves), torch.from_numpy(answers.astype(np.float32))


def _kind(shard: Path) -> str:
    if not shard.name.startswith(PHOTOGRAPHED):
        return "composed"
    return "lessons" if shard.stem.endswith("roulette") else "strangers"


def _varied(halves: Tensor, generator: torch.Generator) -> Tensor:
    """Turned a little, aside, larger or smaller; red, green and blue exchanged; with noise."""
    n = len(halves)
    size = 1 + 0.12 * torch.randn(n, generator=generator).clamp(-2, 2)
    turn = 0.15 * torch.randn(n, generator=generator).clamp(-2, 2)
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = theta[:, 1, 1] = size * turn.cos()
    theta[:, 0, 1], theta[:, 1, 0] = -size * turn.sin(), size * turn.sin()
    theta[:, :, 2] = 0.08 * torch.randn(n, 2, generator=generator)
    grid = F.affine_grid(theta, list(halves.shape), align_corners=False)
    moved = F.grid_sample(halves, grid, padding_mode="border", align_corners=False)
    order = torch.rand(n, 3, generator=generator).argsort(dim=1)[:, :, None, None]
    order = order.expand(-1, -1, SIDE_PX, SIDE_PX)
    for colours in COLOURS:
        moved[:, colours] = moved[:, colours].gather(1, order)
    noise = NOISE * torch.rand(n, 1, 1, 1, generator=generator)
    moved[:, SEEN_MAPS] += noise * torch.randn(n, len(SEEN_MAPS), SIDE_PX, SIDE_PX, generator=generator)
    return moved


def train(options: argparse.Namespace) -> None:
    torch.manual_seed(options.seed)
    torch.set_num_threads(2)
    generator = torch.Generator().manual_seed(options.seed)
    paths = sorted(options.shards.glob("*.npz"))
    kinds = [_loaded([path for path in paths if _kind(path) == kind]) for kind in SHARES]
    judged = _loaded(sorted(options.judged.glob("*.npz"))) if options.judged else None
    print(", ".join(f"{len(a)} {kind}" for kind, (_, a) in zip(SHARES, kinds, strict=True)), flush=True)
    network = FacingNetwork()
    if options.start is not None:
        usual = (_varied(_drawn(kinds, generator)[0], generator) for _ in range(USUAL))
        restore(network.side, options.start / FILE, usual)
    network = network.to(memory_format=torch.channels_last)
    steady = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=3e-2)
    begun, mean = time.monotonic(), 0.7
    for step in range(options.steps):
        pace(optimiser, options.rate, step, options.steps)
        halves, answers = _drawn(kinds, generator)
        varied = _varied(halves, generator).to(memory_format=torch.channels_last)
        with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
            logits = network(varied).float()
        told, weight = answers + DOUBT * (0.5 - answers), torch.where(answers == 0.5, FACELESS, 1.0)
        loss = F.binary_cross_entropy_with_logits(logits, told, weight=weight)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        follow(steady, network, min(1 - 1 / STEADY, (step + 1) / (step + 10)))
        mean = 0.99 * mean + 0.01 * float(loss.detach())
        if step % 250 == 249 or step + 1 == options.steps:
            told = _judged(steady, judged) if judged else ""
            print(f"step {step + 1}, {time.monotonic() - begun:.0f} s: {mean:.3f} {told}", flush=True)
            sample = torch.zeros(2, CHANNELS, SIDE_PX, SIDE_PX)
            export(steady.side, options.out / FILE, sample, ("halves", ["clockwise"]))


def _drawn(kinds: list[Halves], generator: torch.Generator) -> Halves:
    """Some halves of each kind and their answers."""
    drawn = []
    for (halves, answers), share in zip(kinds, SHARES.values(), strict=True):
        index = torch.randint(len(answers), (round(share * BATCH),), generator=generator)
        drawn.append((halves[index].float(), answers[index]))
    return torch.cat([halves for halves, _ in drawn]), torch.cat([answers for _, answers in drawn])


def _judged(network: nn.Module, judged: Halves) -> str:
    """How often it is right on figures with a face it did not learn from: on all, and where it is sure."""
    halves, answers = judged
    network.eval()
    with torch.no_grad():
        said = torch.cat([torch.sigmoid(network(part.float())) for part in halves.split(256)])
    faced = answers != 0.5
    right = (said > 0.5) == (answers > 0.5)
    sure = torch.maximum(said, 1 - said) >= SURE_OF_FACING
    return (
        f"right {float(right[faced].float().mean()):.3f}, sure of {float(sure[faced].float().mean()):.3f}, "
        f"of these right {float(right[faced & sure].float().mean()):.4f}; "
        f"sure of faceless ones {float(sure[~faced].float().mean()):.3f}"
    )


if __name__ == "__main__":
    train(learning.options(__doc__, steps=2000, goes_on=FILE))
