"""Trains the network that counts discs on one another and names their colours, on the shards of
`vision.training.stacks`.

python -m vision.training.layers --shards stacks --judged others --steps 1500 --seed 1 --out vision/models
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

from vision.fields.crops import CROP_PX
from vision.stacked.layers import CHANNELS
from vision.stacked.piles import MOST
from vision.training import learning
from vision.training.learning import export, follow, pace
from vision.training.network import Block, down
from vision.training.restart import restore
from vision.training.scenes import PALETTE_SIZE
from vision.training.stacks import BYTE

FILE = "stack.onnx"
# So many batches show how much the channels vary, where an earlier training goes on.
USUAL = 12
# Piles that are counted at once, and piles whose discs are named; so many of them are photographed ones.
COUNTED, NAMED, PHOTOGRAPHED = 72, 10, 0.5
# What is learnt of the colours, of the third disc's among them, counts so much beside the number of discs.
COLOURS, THIRD = 0.5, 0.3
# The network that is kept is a mean of those of about so many steps: single ones differ much.
STEADY = 200
IMPOSSIBLE = -30.0
# The channels of `vision.stacked.layers.crops_of`: of these the first two threes are colours.
RGB, SHOWN = 6, 10


class StackNetwork(nn.Module):
    """Logits of one disc, two, three; and how well the colour that is asked about suits the uppermost, the
    second, the third."""

    def __init__(self, width: int = 26) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            down(CHANNELS, width, 5),
            down(width, 2 * width),
            Block(2 * width),
            down(2 * width, 3 * width),
            nn.Flatten(),
            nn.Dropout(0.25),
            nn.Linear(3 * width * (CROP_PX // 8) ** 2, 64),
            nn.ReLU(),
        )
        self.count, self.colour = nn.Linear(64, MOST), nn.Linear(64, MOST)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        seen = self.layers(crops)
        return self.count(seen), self.colour(seen)


class Piles:
    """What some shards hold, see `stacks.examples`."""

    def __init__(self, paths: list[Path]) -> None:
        shards = [dict(np.load(path)) for path in paths]
        held = {name: np.concatenate([shard[name] for shard in shards]) for name in shards[0]}
        self.crops, self.query = torch.from_numpy(held["crops"]), torch.from_numpy(held["query"])
        self.counts = torch.from_numpy(held["counts"].astype(np.int64)) - 1
        self.colours = torch.from_numpy(held["colours"].astype(np.int64))
        self.is_colour = torch.arange(PALETTE_SIZE)[None] < torch.from_numpy(held["many"])[:, None]


def _varied(crops: Tensor, generator: torch.Generator) -> Tensor:
    """A little aside, larger or smaller, mirrored, with noise; and red, green and blue exchanged."""
    n = len(crops)
    theta = torch.zeros(n, 2, 3)
    size = 1 + 0.05 * torch.randn(n, 2, generator=generator).clamp(-2, 2)
    mirrored = torch.where(torch.rand(n, generator=generator) < 0.5, -1.0, 1.0)
    theta[:, 0, 0], theta[:, 1, 1] = size[:, 0] * mirrored, size[:, 1]
    theta[:, :, 2] = 0.03 * torch.randn(n, 2, generator=generator)
    grid = F.affine_grid(theta, list(crops.shape), align_corners=False)
    crops = F.grid_sample(crops, grid, padding_mode="border", align_corners=False)
    order = torch.rand(n, 3, generator=generator).argsort(dim=1)
    order = torch.cat([order, order + 3], 1)[:, :, None, None].expand(-1, -1, CROP_PX, CROP_PX)
    noise = 0.08 * torch.rand(n, 1, 1, 1, generator=generator)
    seen = torch.cat([crops[:, :RGB].gather(1, order), crops[:, RGB:SHOWN]], 1)
    seen = seen + noise * torch.randn(seen.shape, generator=generator)
    return torch.cat([seen, crops[:, SHOWN:]], 1)


def _drawn(kinds: list[Piles], count: int, of: str, generator: torch.Generator) -> list[tuple[Piles, Tensor]]:
    """Numbers of some composed and some photographed examples."""
    photographed = round(count * PHOTOGRAPHED)
    return [
        (piles, torch.randint(len(getattr(piles, of)), (many,), generator=generator))
        for piles, many in zip(kinds, (count - photographed, photographed), strict=True)
    ]


def _seen(drawn: list[tuple[Piles, Tensor]], generator: torch.Generator) -> Tensor:
    """The crops of these examples as the network sees them while it learns."""
    return _varied(torch.cat([piles.crops[index] for piles, index in drawn]).float() / BYTE, generator)


def _named(suits: Tensor, colours: Tensor) -> Tensor:
    """The loss of the colours' names. suits: (M, PALETTE_SIZE, MOST); colours: (M, MOST)."""
    losses = []
    for layer in range(MOST):
        lies = colours[:, layer] >= 0
        each = F.cross_entropy(suits[lies, :, layer], colours[lies, layer], reduction="sum")
        losses.append(each / lies.sum().clamp(min=1))
    return losses[0] + losses[1] + THIRD * losses[2]


def train(options: argparse.Namespace) -> None:
    torch.manual_seed(options.seed)
    torch.set_num_threads(1)
    generator = torch.Generator().manual_seed(options.seed)
    paths = sorted(options.shards.glob("*.npz"))
    kinds = [
        Piles([path for path in paths if path.name.startswith("photo") is photographed])
        for photographed in (False, True)
    ]
    judged = Piles(sorted(options.judged.glob("*.npz"))) if options.judged else None
    print(", ".join(f"{len(each.counts)} piles, {len(each.query)} stacks" for each in kinds), flush=True)
    network = StackNetwork()
    if options.start is not None:
        usual = (_seen(_drawn(kinds, COUNTED, "crops", generator), generator) for _ in range(USUAL))
        restore(network, options.start / FILE, usual)
    steady = copy.deepcopy(network)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=3e-2)
    begun, means = time.monotonic(), np.array([1.0, 3.0])
    for step in range(options.steps):
        pace(optimiser, options.rate, step, options.steps)
        counted, named = (_drawn(kinds, n, of, generator) for n, of in ((COUNTED, "crops"), (NAMED, "query")))
        crops = torch.cat([piles.crops[index] for piles, index in counted])
        possible = torch.cat([piles.is_colour[index] for piles, index in named])
        query = torch.cat([piles.query[index] for piles, index in named])[possible]
        counts, colours = network(_varied(torch.cat([crops, query]).float() / BYTE, generator))
        suits = torch.full((*possible.shape, MOST), IMPOSSIBLE)
        suits[possible] = colours[len(crops) :]
        told = torch.cat([piles.counts[index] for piles, index in counted])
        count_loss = F.cross_entropy(counts[: len(crops)], told, label_smoothing=0.01)
        colour_loss = _named(suits, torch.cat([piles.colours[index] for piles, index in named]))
        optimiser.zero_grad()
        (count_loss + COLOURS * colour_loss).backward()
        optimiser.step()
        follow(steady, network, min(1 - 1 / STEADY, (step + 1) / (step + 10)))
        means = 0.99 * means + 0.01 * np.array([float(count_loss.detach()), float(colour_loss.detach())])
        if step % 250 == 249 or step + 1 == options.steps:
            about = _judged(steady, judged) if judged else ""
            print(f"step {step + 1}, {time.monotonic() - begun:.0f} s: {means.round(3)} {about}", flush=True)
            sample = torch.zeros(2, CHANNELS, CROP_PX, CROP_PX)
            export(steady, options.out / FILE, sample, ("crops", ["count", "colour"]))


@torch.no_grad()
def _judged(network: nn.Module, piles: Piles) -> str:
    """How it does on piles that it does not learn from."""
    network.eval()
    counts = torch.cat([network(part.float() / BYTE)[0] for part in piles.crops.split(512)])
    suits = torch.cat([network(part.flatten(0, 1).float() / BYTE)[1] for part in piles.query.split(64)])
    suits = suits.view(*piles.is_colour.shape, MOST).masked_fill(~piles.is_colour[..., None], IMPOSSIBLE)
    right = float((counts.argmax(dim=1) == piles.counts).float().mean())
    loss = float(F.cross_entropy(counts, piles.counts))
    lies, named = piles.colours >= 0, suits.argmax(dim=1) == piles.colours
    shares = [float(named[lies[:, n], n].float().mean()) for n in range(MOST)]
    return f"counted right {right:.3f}, loss {loss:.3f}; named right {np.round(shares, 3)}"


if __name__ == "__main__":
    train(learning.options(__doc__, steps=1500, goes_on=FILE))
