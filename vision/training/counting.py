"""Trains the networks that see heaps of blocks and count them, on the shards of `vision.training.heaps`.

python -m vision.training.counting --shards heaps --judged others --steps 4000 --seed 1 --out vision/models
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Mapping

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from vision.stacked.heaps import CHANNELS, LAID, PILED, Look
from vision.training import learning
from vision.training.heaps import BYTE
from vision.training.learning import export, pace
from vision.training.network import Block, down


class HeapNetwork(nn.Module):
    """Logits of disorder, one block, two, ..., and of nothing where that is told."""

    def __init__(self, look: Look, width: int = 12) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            down(CHANNELS, width, 5),
            down(width, 3 * width),
            Block(3 * width),
            down(3 * width, 4 * width),
            nn.Flatten(),
            nn.Dropout(0.25),
            nn.Linear(4 * width * (look.side_px // 8) ** 2, 64),
            nn.ReLU(),
            nn.Linear(64, look.tells),
        )

    def forward(self, crops: Tensor) -> Tensor:
        return self.layers(crops)  # type: ignore[no-any-return]


def _varied(crops: Tensor, generator: torch.Generator) -> Tensor:
    """A little aside, larger or smaller, flatter, blurred, with noise."""
    n = len(crops)
    theta = torch.zeros(n, 2, 3)
    size = 1 + 0.06 * torch.randn(n, 2, generator=generator).clamp(-2, 2)
    theta[:, 0, 0], theta[:, 1, 1] = size[:, 0], size[:, 1]
    theta[:, :, 2] = 0.05 * torch.randn(n, 2, generator=generator)
    grid = F.affine_grid(theta, list(crops.shape), align_corners=False)
    seen = F.grid_sample(crops, grid, padding_mode="border", align_corners=False)[:, :2]
    soft = F.avg_pool2d(seen, 3, 1, 1, count_include_pad=False)
    share = torch.rand(n, 1, 1, 1, generator=generator) * (torch.rand(n, 1, 1, 1, generator=generator) < 0.4)
    gain = 1 + 0.2 * torch.randn(n, 2, 1, 1, generator=generator)
    noise = 0.15 * torch.rand(n, 1, 1, 1, generator=generator)
    seen = (seen + share * (soft - seen)) * gain + noise * torch.randn(seen.shape, generator=generator)
    return torch.cat([seen, crops[:, 2:]], 1)


def train(look: Look, options: argparse.Namespace) -> None:
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(options.seed)
    parts = [np.load(path) for path in sorted(options.shards.glob("*.npz"))]
    crops = torch.from_numpy(np.concatenate([part[look.network] for part in parts]))
    counts = torch.from_numpy(
        np.concatenate([part[f"{look.network}_counts"] for part in parts]).astype(np.int64)
    )
    judged = [np.load(path) for path in sorted(options.judged.glob("*.npz"))] if options.judged else []
    print(f"{len(counts)} heaps", flush=True)
    network = HeapNetwork(look)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=2e-2)
    begun, mean = time.monotonic(), 2.3
    for step in range(options.steps):
        pace(optimiser, options.rate, step, options.steps)
        index = torch.randint(len(counts), (96,), generator=generator)
        said = network(_varied(crops[index].float() / BYTE, generator))
        loss = F.cross_entropy(said, counts[index], label_smoothing=0.01)
        optimiser.zero_grad()
        loss.backward()
        optimiser.step()
        mean = 0.99 * mean + 0.01 * float(loss.detach())
        if step % 250 == 249 or step + 1 == options.steps:
            told = _judged(look, network, judged)
            print(f"step {step + 1}, {time.monotonic() - begun:.0f} s: {mean:.3f} {told}", flush=True)
            sample = torch.zeros(2, CHANNELS, look.side_px, look.side_px)
            export(network, options.out / f"{look.network}.onnx", sample, ("crops", ["count"]))
            network.train()


def _judged(look: Look, network: nn.Module, shards: list[Mapping[str, NDArray[np.int8]]]) -> str:
    """How it does on heaps that it does not learn from."""
    network.eval()
    told = []
    for shard in shards:
        answers = torch.from_numpy(shard[f"{look.network}_counts"].astype(np.int64))
        with torch.no_grad():
            said = network(torch.from_numpy(shard[look.network]).float() / BYTE)
        right = (said.argmax(dim=1) == answers).float().mean()
        told.append(f"right {float(right):.3f}, loss {float(F.cross_entropy(said, answers)):.3f}")
    return "; ".join(told)


if __name__ == "__main__":
    chosen = learning.options(__doc__, steps=4000)
    for each in (LAID, PILED):
        train(each, chosen)
