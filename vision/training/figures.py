"""Trains the network that tells figures from discs, on the shards of `vision.training.wider`.

python -m vision.training.figures --shards wide --judged others --steps 3200 --seed 2 --out vision/models

Interrupted, it writes what it has learnt so far.
"""

from __future__ import annotations

import argparse
import copy
import signal
import time
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import torch
from torch import Tensor, nn
from torch.nn import functional as F

from vision.fields.figures import CHANNELS, SIDE_PX, channels
from vision.training import learning
from vision.training.learning import HALF, descend, export, follow, pace
from vision.training.network import Block, down
from vision.training.scenes import STORED
from vision.training.wider import PHOTOGRAPHED

# The network that is kept is a mean of those of about so many steps.
STEADY = 500
# So many composed pieces and photographed ones are learnt from at once, half of them figures.
COMPOSED, TRACED = 44, 68
# Nothing is learnt to be surer than this leaves room for.
DOUBT = 0.02
# Among so many pixels that a crop is shifted by at most, and how uneven light on it may be.
SHIFT_PX, UNEVEN = 5, 0.12


class FigureNetwork(nn.Module):
    """Logits of "a figure", of `vision.fields.figures.channels`: from the whole, and from what is seen where
    a disc would be, where a figure would be, where it alone would be, and around both."""

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.fine = nn.Sequential(
            down(CHANNELS, width, 5), Block(width), down(width, 2 * width), Block(2 * width)
        )
        self.coarse = nn.Sequential(
            down(2 * width, 3 * width), Block(3 * width), down(3 * width, 4 * width), Block(4 * width)
        )
        self.tells = nn.Sequential(
            nn.Dropout(0.3), nn.Linear(16 * width, 64), nn.ReLU(), nn.Dropout(0.3), nn.Linear(64, 1)
        )

    def forward(self, seen: Tensor) -> Tensor:
        fine = self.fine(seen)
        coarse = self.coarse(fine)
        disc, figure = F.avg_pool2d(seen[:, 6:8], 4).split(1, dim=1)
        regions = disc, figure, (figure - disc).clamp(min=0), 1 - torch.maximum(disc, figure)
        parts = [(fine * each).sum((2, 3)) / (each.sum((2, 3)) + 0.5) for each in regions]
        whole = torch.cat([coarse.mean((2, 3)), coarse.amax((2, 3)), *parts], 1)
        return torch.as_tensor(self.tells(whole))


class Crops:
    """What some shards hold, discs and figures apart."""

    def __init__(self, paths: Sequence[Path]) -> None:
        shards = [dict(np.load(path)) for path in paths]
        crops, are_figures = (
            np.concatenate([each[name] for each in shards]) for name in ("crops", "are_figures")
        )
        self.kinds = [torch.from_numpy(crops[are_figures == kind]) for kind in (False, True)]

    def drawn(self, many: int, generator: torch.Generator) -> tuple[Tensor, Tensor]:
        """So many of them as they are stored, half of them figures, and which these are."""
        drawn = [
            kind[torch.randint(len(kind), (many // 2,), generator=generator)].float() / STORED
            for kind in self.kinds
        ]
        return torch.cat(drawn), (torch.arange(2 * (many // 2)) >= many // 2).float()


def _seen(crops: Tensor) -> Tensor:
    """(N, CHANNELS, S, S) what the network sees of (N, 8, S, S) crops."""
    return torch.from_numpy(channels(crops.numpy())).contiguous(memory_format=torch.channels_last)


def _varied(crops: Tensor, generator: torch.Generator) -> Tensor:
    """A little aside, larger or smaller, mirrored; in other colours, light and contrast, blurred, noisy."""

    def normal(*shape: int) -> Tensor:
        return torch.randn(*shape, generator=generator)

    def even(*shape: int) -> Tensor:
        return torch.rand(*shape, generator=generator)

    n = len(crops)
    theta = torch.zeros(n, 2, 3)
    size = 1 + 0.08 * normal(n).clamp(-2, 2)
    theta[:, 0, 0] = size * torch.where(even(n) < 0.5, -1.0, 1.0)
    theta[:, 1, 1] = size * (1 + 0.04 * normal(n).clamp(-2, 2))
    theta[:, :, 2] = (even(n, 2) - 0.5) * 2 * (SHIFT_PX / SIDE_PX)
    grid = F.affine_grid(theta, list(crops.shape), align_corners=False)
    crops = F.grid_sample(crops, grid, padding_mode="border", align_corners=False)
    photo, empty, masks = crops.split((3, 3, 2), dim=1)
    order = even(n, 3).argsort(1)[:, :, None, None].expand(-1, -1, *crops.shape[2:])
    photo, empty = photo.gather(1, order), empty.gather(1, order)
    photo = photo * (1 + 0.06 * normal(n, 3, 1, 1)) * (1 + 0.08 * normal(n, 1, 1, 1))
    contrast = (0.25 * normal(n, 1, 1, 1)).exp()
    photo, empty = photo.clamp(min=1e-3) ** contrast, empty**contrast
    uneven = F.interpolate(normal(n, 1, 3, 3), crops.shape[2:], mode="bicubic", align_corners=True)
    photo = photo * (1 + UNEVEN * uneven * even(n, 1, 1, 1))
    soft = even(n, 1, 1, 1) * (even(n, 1, 1, 1) < 0.3)
    photo = photo * (1 - soft) + F.avg_pool2d(photo, 3, 1, 1, count_include_pad=False) * soft
    photo = photo + 0.02 * even(n, 1, 1, 1) * normal(*photo.shape)
    return torch.cat([photo.clamp(0, 1.4), empty, masks], 1)


def train(options: argparse.Namespace) -> None:
    """Trains in so many steps and prints as it goes; stops early when interrupted."""
    torch.manual_seed(options.seed)
    generator = torch.Generator().manual_seed(options.seed)
    paths = sorted(options.shards.glob("*.npz"))
    every = [
        Crops([path for path in paths if path.name.startswith(PHOTOGRAPHED) is traced])
        for traced in (False, True)
    ]
    judged = Crops(sorted(options.judged.glob("*.npz"))) if options.judged else None
    counts = (f"{len(discs)} discs, {len(figures)} figures" for discs, figures in (e.kinds for e in every))
    print(" + ".join(counts), flush=True)
    network = FigureNetwork().to(memory_format=torch.channels_last)
    steady = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=2e-2)
    begun, mean = time.monotonic(), 0.7
    try:
        for step in range(options.steps):
            pace(optimiser, options.rate, step, options.steps)
            drawn = [
                data.drawn(size, generator) for data, size in zip(every, (COMPOSED, TRACED), strict=True)
            ]
            crops, answers = (torch.cat(part) for part in zip(*drawn, strict=True))
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
                logits = network(_seen(_varied(crops, generator)))[:, 0].float()
            loss = F.binary_cross_entropy_with_logits(logits, answers + DOUBT * (0.5 - answers))
            descend(optimiser, network, loss, steepest=2.0)
            follow(steady, network, min(1 - 1 / STEADY, step / (step + 20)))
            mean = 0.99 * mean + 0.01 * float(loss.detach())
            if step % 250 == 249 or step + 1 == options.steps:
                about = _judged(steady, judged) if judged else ""
                print(f"step {step + 1}, {time.monotonic() - begun:.0f} s: {mean:.3f} {about}", flush=True)
    except KeyboardInterrupt:
        print(f"interrupted at step {step}", flush=True)
    sample = torch.zeros(2, CHANNELS, SIDE_PX, SIDE_PX)
    export(steady, options.out / "figure.onnx", sample, ("seen", ["figure"]))


@torch.no_grad()
def _judged(network: FigureNetwork, data: Crops) -> str:
    """How many of the discs and figures that it does not learn from are told wrongly."""
    network.eval()
    said = []
    for kind in data.kinds:
        parts = (network(_seen(part.float() / STORED))[:, 0] for part in kind.split(256))
        said.append(torch.cat([*parts]))
    discs, figures = (float(wrong.float().mean()) for wrong in (said[0] > 0, said[1] <= 0))
    return f"wrong of the discs {discs:.4f}, of the figures {figures:.4f}"


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    train(learning.options(__doc__, steps=3200))
