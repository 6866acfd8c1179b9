"""Trains the network that tells which way a stone figure looks, on the shards of `vision.training.faces`.

python -m vision.training.facing --shards faces --judged others --steps 2000 --seed 1 --out vision/models
"""

from __future__ import annotations

import argparse
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
from vision.training.learning import export, pace
from vision.training.network import conv, down

# Each figure is shown so often, first as it is, then turned a little; so many are learnt from at once.
VARIANTS, BATCH = 1, 128
# So many of the figures that are learnt from at once are photographed ones.
TRACED = 0.3
# A figure without a face, of which there are few, counts so much.
FACELESS = 1.5
# The channels of `vision.fields.facing.sides` that are colours.
COLOURS = slice(8, 11), slice(11, 14)
# Nothing is learnt to be surer than this leaves room for (0: quite sure, 1: not at all).
DOUBT = 0.05


class FacingNetwork(nn.Module):
    """Logits of "looks clockwise", of `vision.fields.facing.sides`. What `side` says of them in a mirror is
    taken off, so that neither way has an advantage."""

    def __init__(self, width: int = 16) -> None:
        super().__init__()
        self.side = nn.Sequential(
            down(CHANNELS, width, 5),
            conv(width, 2 * width),
            conv(2 * width, 2 * width),
            down(2 * width, 4 * width),
            conv(4 * width, 4 * width),
            down(4 * width, 4 * width),
            nn.Flatten(),
            nn.Dropout(0.4),
            nn.Linear(4 * width * (SIDE_PX // 8) ** 2, 48),
            nn.ReLU(),
            nn.Linear(48, 1),
        )

    def forward(self, halves: Tensor) -> Tensor:
        mirrored = halves.flip(3)
        mirrored[:, UP] *= -1
        both = self.side(torch.cat([halves, mirrored]))[:, 0]
        return both[: len(halves)] - both[len(halves) :]


# (VARIANTS, N, CHANNELS, S, S) halves, the first as they are, the others turned a little; and (N,) answers.
Halves = tuple[Tensor, Tensor]


def _loaded(rng: np.random.Generator, paths: list[Path], variants: int = VARIANTS) -> Halves:
    shards = [np.load(path) for path in paths]
    crops, ways, answers = (np.concatenate([s[key] for s in shards]) for key in ("crops", "way", "answers"))
    made = []
    for variant in range(variants):
        turns = rng.normal(0, 0.12, len(ways)) * (variant > 0)
        cos, sin = np.cos(turns), np.sin(turns)
        turned = np.stack([ways[:, 0] * cos - ways[:, 1] * sin, ways[:, 0] * sin + ways[:, 1] * cos], 1)
        halves = [sides(crop.astype(np.float32) / BYTE, way) for crop, way in zip(crops, turned, strict=True)]
        made.append(torch.from_numpy(np.stack(halves).astype(np.float16)))
    return torch.stack(made), torch.from_numpy(answers.astype(np.float32))


def _varied(halves: Tensor, generator: torch.Generator) -> Tensor:
    """A little aside, larger or smaller; and red, green and blue exchanged."""
    n = len(halves)
    size = 1 + 0.08 * torch.randn(n, generator=generator).clamp(-2, 2)
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = theta[:, 1, 1] = size
    theta[:, :, 2] = 0.06 * torch.randn(n, 2, generator=generator)
    grid = F.affine_grid(theta, list(halves.shape), align_corners=False)
    moved = F.grid_sample(halves, grid, padding_mode="border", align_corners=False)
    order = torch.rand(n, 3, generator=generator).argsort(dim=1)[:, :, None, None]
    order = order.expand(-1, -1, SIDE_PX, SIDE_PX)
    for colours in COLOURS:
        moved[:, colours] = moved[:, colours].gather(1, order)
    return moved


def train(options: argparse.Namespace) -> None:
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    generator, rng = torch.Generator().manual_seed(options.seed), np.random.default_rng(options.seed)
    paths = sorted(options.shards.glob("*.npz"))
    kinds = [
        _loaded(rng, [path for path in paths if path.name.startswith(PHOTOGRAPHED) is traced])
        for traced in (False, True)
    ]
    judged = _loaded(rng, sorted(options.judged.glob("*.npz")), 1) if options.judged else None
    print(f"{len(kinds[0][1])} composed figures, {len(kinds[1][1])} photographed", flush=True)
    network = FacingNetwork()
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=3e-2)
    begun, mean = time.monotonic(), 0.7
    for step in range(options.steps):
        pace(optimiser, options.rate, step, options.steps)
        halves, answers = _drawn(kinds, generator)
        logits = network(_varied(halves, generator))
        told, weight = answers + DOUBT * (0.5 - answers), torch.where(answers == 0.5, FACELESS, 1.0)
        loss = F.binary_cross_entropy_with_logits(logits, told, weight=weight)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        mean = 0.99 * mean + 0.01 * float(loss.detach())
        if step % 250 == 249 or step + 1 == options.steps:
            told = _judged(network, judged) if judged else ""
            print(f"step {step + 1}, {time.monotonic() - begun:.0f} s: {mean:.3f} {told}", flush=True)
    sample = torch.zeros(2, CHANNELS, SIDE_PX, SIDE_PX)
    export(network.side, options.out / "facing.onnx", sample, ("halves", ["clockwise"]))


def _drawn(kinds: list[Halves], generator: torch.Generator) -> Halves:
    """Some halves of each kind, each in one of its variants, and their answers."""
    drawn = []
    for (halves, answers), many in zip(
        kinds, (round(BATCH * (1 - TRACED)), round(BATCH * TRACED)), strict=True
    ):
        index = torch.randint(len(answers), (many,), generator=generator)
        which = torch.randint(len(halves), (many,), generator=generator)
        drawn.append((halves[which, index].float(), answers[index]))
    return torch.cat([halves for halves, _ in drawn]), torch.cat([answers for _, answers in drawn])


def _judged(network: nn.Module, judged: Halves) -> str:
    """How often it is right on figures with a face it did not learn from: on all, and where it is sure."""
    halves, answers = judged
    network.eval()
    with torch.no_grad():
        said = torch.cat([torch.sigmoid(network(part.float())) for part in halves[0].split(256)])
    network.train()
    faced = answers != 0.5
    right = (said > 0.5) == (answers > 0.5)
    sure = torch.maximum(said, 1 - said) >= SURE_OF_FACING
    return (
        f"right {float(right[faced].float().mean()):.3f}, sure of {float(sure[faced].float().mean()):.3f}, "
        f"of these right {float(right[faced & sure].float().mean()):.4f}; "
        f"sure of faceless ones {float(sure[~faced].float().mean()):.3f}"
    )


if __name__ == "__main__":
    train(learning.options(__doc__, steps=2000))
