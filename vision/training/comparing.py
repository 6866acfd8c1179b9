"""Trains the networks that compare two pictures of a place, on what `vision.training.pairs` cut out.

    python -m vision.training.comparing --shards pairs --steps 6000 --seed 1 --out vision/models
    python -m vision.training.comparing --network ratios --shards pairs --steps 4500 --out vision/models
    python -m vision.training.comparing --shards pairs --apart 3 --of 1 --out FOLDER

The third holds the tables 1, 4, 7 .. out and tells what it makes of them. Of every batch some pairs are from
composed tables, of which there are many, the others from traced ones, which look more like photographs.
Interrupted, it writes what it has learnt so far.
"""

from __future__ import annotations

import argparse
import signal
import time
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from vision.fields.crops import CROP_PX
from vision.following.compared import COMPARED
from vision.training.learning import HALF, descend, export, pace
from vision.training.network import Block, conv, down, pooled
from vision.training.pairs import COMPOSED
from vision.training.restart import restore
from vision.training.scenes import STORED

BATCH, COMPOSED_SHARE = 176, 0.55
# Of each batch so many pairs have changed; and of those that have not so many carry something.
CHANGED, CARRYING = 0.5, 0.5
# So many pairs are varied as if the camera had been knocked, and so many pictures in a shadow, and blurred.
KNOCKED, SHADED, BLURRED = 0.5, 0.3, 0.3
# Brightness (display-referred) is told apart no finer in the dark; bodies cover at least so much of a crop.
DARKEST, LEAST_AREA = 0.08, 0.1 / 36
# How much it counts whether the place is empty now.
EMPTY_SHARE = 0.3


class ChangeNetwork(nn.Module):
    """Logits (N, 2): something else lies there now; nothing does. Of (N, COMPARED, S, S): the place now,
    before, and empty, and where its bodies would be."""

    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.fine = nn.Sequential(down(COMPARED, width, 5), conv(width, width))
        self.middle = nn.Sequential(down(width, 2 * width), Block(2 * width))
        self.coarse = nn.Sequential(down(2 * width, 3 * width), Block(3 * width))
        self.told = nn.Sequential(nn.Linear(6 * width, 64), nn.ReLU(), nn.Dropout(0.2), nn.Linear(64, 2))

    def forward(self, pairs: Tensor) -> Tensor:
        return self.told(pooled(self.coarse(self.middle(self.fine(pairs)))))


class RatioNetwork(nn.Module):
    """The same, larger. It is shown, too, how much brighter each of the three pictures is than each other
    one, colour by colour, beside what is usual over all of the crop: a light changes all of it, a piece does
    not; and it looks at what is seen where bodies would be by itself."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.fine = nn.Sequential(down(COMPARED + 9, width, 5), conv(width, width))
        self.middle = nn.Sequential(down(width, 2 * width), Block(2 * width))
        self.coarse = nn.Sequential(down(2 * width, 3 * width), Block(3 * width), Block(3 * width))
        self.told = nn.Sequential(nn.Linear(9 * width, 96), nn.ReLU(), nn.Dropout(0.2), nn.Linear(96, 2))

    def forward(self, pairs: Tensor) -> Tensor:
        coarse = self.coarse(self.middle(self.fine(torch.cat([pairs, ratios(pairs)], 1))))
        bodies = reduce(torch.maximum, pairs[:, 9:].split(1, 1))
        there = F.avg_pool2d(bodies, CROP_PX // coarse.shape[2])
        own = F.avg_pool2d(coarse * there, coarse.shape[2]).flatten(1)
        area = F.avg_pool2d(there, coarse.shape[2]).flatten(1)
        return self.told(torch.cat([pooled(coarse), own / (area + LEAST_AREA)], 1))


def ratios(pairs: Tensor) -> Tensor:
    """(N, 9, S, S) the logarithms of how much brighter the place is now than before and than empty, and was
    than empty, less their means."""
    now, before, bare = torch.log(F.relu(pairs[:, :9]) + DARKEST).split(3, 1)
    told = torch.cat([now - before, now - bare, before - bare], 1)
    return told - F.avg_pool2d(told, CROP_PX)


NETWORKS = {"change": ChangeNetwork, "ratios": RatioNetwork}


@dataclass(frozen=True)
class Table:
    """One series' crops, as they are stored, (N, COMPARED - 3, S, S), and of each the place's number, the
    picture's, and the number of what lies there, 0 for nothing."""

    crops: NDArray[np.uint8]
    place: NDArray[np.int64]
    picture: NDArray[np.int64]
    thing: NDArray[np.int64]

    @classmethod
    def of(cls, path: Path) -> Table:
        """From a file of `vision.training.pairs`."""
        with np.load(path) as stored:
            things = ["", *sorted(set(stored["thing"].tolist()) - {""})]
            return cls(
                stored["crops"],
                np.unique(stored["place"], return_inverse=True)[1],
                np.unique(stored["picture"], return_inverse=True)[1],
                np.array([things.index(thing) for thing in stored["thing"].tolist()]),
            )

    def pairs(self) -> tuple[NDArray[np.int64], NDArray[np.bool_]]:
        """(P, 2) numbers of crops of the same place in two pictures, now and before, and whether something
        else lies there."""
        found = []
        for place in np.unique(self.place):
            own = np.flatnonzero(self.place == place)
            now, before = np.meshgrid(own, own, indexing="ij")
            found.append(np.column_stack([now.ravel(), before.ravel()])[now.ravel() != before.ravel()])
        every = np.concatenate(found)
        return every, self.thing[every[:, 0]] != self.thing[every[:, 1]]


class Pairs:
    """All tables' pairs: those that changed, those that carry the same, those that are empty both times."""

    def __init__(self, paths: list[Path]) -> None:
        tables = [Table.of(path) for path in paths]
        self.crops = torch.from_numpy(np.concatenate([table.crops for table in tables]))
        self.empty = torch.from_numpy(np.concatenate([table.thing for table in tables]) == 0)
        starts = np.cumsum([0, *(len(table.crops) for table in tables)])
        parts: list[list[NDArray[np.int64]]] = [[], [], []]
        for table, start in zip(tables, starts, strict=False):
            every, changed = table.pairs()
            carrying = table.thing[every[:, 0]] > 0
            for part, chosen in zip(parts, (changed, ~changed & carrying, ~changed & ~carrying), strict=True):
                part.append(every[chosen] + start)
        self.parts = [torch.from_numpy(np.concatenate(part)) for part in parts]

    def drawn(self, many: int, generator: torch.Generator) -> tuple[Tensor, Tensor, Tensor]:
        """(many, COMPARED, S, S) pairs, (many,) whether they changed, and whether nothing lies there now."""
        changed = round(many * CHANGED)
        carrying = round((many - changed) * CARRYING)
        sizes = (changed, carrying, many - changed - carrying)
        chosen = torch.cat(
            [
                part[torch.randint(len(part), (size,), generator=generator)]
                for part, size in zip(self.parts, sizes, strict=True)
            ]
        )
        differs = (torch.arange(many) < changed).float()
        now, before = self.crops[chosen[:, 0]].float() / STORED, self.crops[chosen[:, 1], :3].float() / STORED
        pairs = torch.cat([now[:, :3], before, now[:, 3:]], 1)
        return pairs, differs, self.empty[chosen[:, 0]].float()


def varied(pairs: Tensor, generator: torch.Generator) -> Tensor:
    """Mirrored, a little aside and larger, in other colours; each of its pictures a little aside, and taken
    anew."""
    n = len(pairs)
    mirrored = torch.rand(n, generator=generator) < 0.5
    pairs = torch.where(mirrored[:, None, None, None], pairs.flip(3), pairs)
    theta = torch.zeros(n, 2, 3)
    theta[:, 0, 0] = theta[:, 1, 1] = 1 + 0.06 * torch.randn(n, generator=generator).clamp(-2, 2)
    theta[:, :, 2] = (torch.rand(n, 2, generator=generator) - 0.5) * 2 * (3 / CROP_PX)
    grid = F.affine_grid(theta, list(pairs.shape), align_corners=False)
    knocked = (torch.rand(n, 1, 1, 1, generator=generator) < KNOCKED).float()
    aside = knocked * torch.randn(n, 1, 1, 2, generator=generator) / CROP_PX
    whole = F.grid_sample(pairs, grid, padding_mode="border", align_corners=False)
    before = F.grid_sample(pairs[:, 3:6], grid + aside, padding_mode="border", align_corners=False)
    order = torch.randperm(3, generator=generator)
    bright = 1 + 0.08 * torch.randn(n, 1, 1, 1, generator=generator)
    pictures = zip((whole[:, :3], before, whole[:, 6:9]), (1.0, 1.0, 0.5), strict=True)
    told = [_taken_anew(picture[:, order] * bright, by_itself, generator) for picture, by_itself in pictures]
    return torch.cat([*told, whole[:, 9:]], 1)


def _taken_anew(pictures: Tensor, much: float, generator: torch.Generator) -> Tensor:
    """(N, 3, S, S) brighter or darker, tinted, with a shadow over a part, blurred and noisy; so `much`."""
    n = len(pictures)

    def normal(*shape: int) -> Tensor:
        return torch.randn(n, *shape, generator=generator)

    def some(share: float) -> Tensor:
        strength, there = torch.rand(2, n, 1, 1, 1, generator=generator)
        return strength * (there < share)

    lit = pictures * (1 + much * (0.05 * normal(3, 1, 1) + 0.08 * normal(1, 1, 1)))
    across = torch.linspace(-1, 1, CROP_PX)
    edge = normal(1, 1, 1) * across[:, None] + normal(1, 1, 1) * across
    dark = torch.sigmoid((edge + 0.7 * normal(1, 1, 1)) * torch.exp(1.5 + normal(1, 1, 1)))
    lit = lit * (1 - 0.5 * dark * some(SHADED * much))
    soft = some(BLURRED)
    lit = lit * (1 - soft) + F.avg_pool2d(lit, 3, 1, 1, count_include_pad=False) * soft
    noise = 0.02 * torch.rand(n, 1, 1, 1, generator=generator)
    return (lit + noise * normal(3, CROP_PX, CROP_PX)).clamp(0, 1.4)


def train(options: argparse.Namespace) -> nn.Module:
    """Trains, prints as it goes, returns the network."""
    torch.manual_seed(options.seed)
    generator = torch.Generator().manual_seed(options.seed)
    learnt, held = shares(options.shards, options.apart, options.of)
    data = [(Pairs(paths), share) for paths, share in learnt]
    judged = Pairs(held) if held else None
    network = NETWORKS[options.network]()
    if options.start is not None:
        usual = (each.drawn(BATCH, generator)[0] for _ in range(6) for each, _ in data)
        restore(network, options.start / f"{options.network}.onnx", usual)
    network = network.to(memory_format=torch.channels_last)
    optimiser = torch.optim.AdamW(network.parameters(), lr=options.rate, weight_decay=1e-2)
    print(" + ".join(f"{len(paths)} files" for paths, _ in learnt), f"{len(held)} held out", flush=True)
    begun, mean = time.monotonic(), 0.7
    try:
        for step in range(options.steps):
            pace(optimiser, options.rate, step, options.steps)
            drawn = [each.drawn(round(BATCH * share), generator) for each, share in data]
            pairs, differs, empty = (torch.cat(part) for part in zip(*drawn, strict=True))
            pairs = varied(pairs, generator).contiguous(memory_format=torch.channels_last)
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
                told = network(pairs)
            told = told.float()
            loss = F.binary_cross_entropy_with_logits(told[:, 0], 0.99 * differs + 0.005)
            loss = loss + EMPTY_SHARE * F.binary_cross_entropy_with_logits(told[:, 1], 0.99 * empty + 0.005)
            descend(optimiser, network, loss, steepest=2.0)
            mean = 0.99 * mean + 0.01 * float(loss.detach())
            if step % 250 == 249 or step + 1 == options.steps:
                said = errors(network, judged) if judged else ""
                print(f"step {step + 1}, {time.monotonic() - begun:.0f} s: {mean:.4f} {said}", flush=True)
    except KeyboardInterrupt:
        print(f"interrupted at step {step}", flush=True)
    return network.eval()


def shares(shards: Path, apart: int, of: int) -> tuple[list[tuple[list[Path], float]], list[Path]]:
    """The files that are learnt from, of each kind with its share of a batch, and those held out: every
    series at each table whose number, in the order of their names, leaves `of` when divided by `apart`."""
    paths = sorted(shards.glob("*.npz"))
    composed = [path for path in paths if path.name.startswith(COMPOSED)]
    traced = [path for path in paths if path not in composed]
    tables = sorted({table_of(path) for path in traced})
    held = [path for path in traced if apart and tables.index(table_of(path)) % apart == of]
    learnt = [path for path in traced if path not in held]
    share = COMPOSED_SHARE if composed else 0.0
    kinds = [(composed, share), (learnt, 1 - share)]
    return [(each, part) for each, part in kinds if each], held


def table_of(path: Path) -> str:
    """The table at which a series was taken, of its file SERIES-TABLE-HOW.npz."""
    return path.stem.split("-")[1]


@torch.no_grad()
def errors(network: nn.Module, data: Pairs, many: int = 4096) -> str:
    """The shares of changes that are overlooked and made up, and of empty places taken wrongly."""
    network.eval()
    generator = torch.Generator().manual_seed(0)
    pairs, differs, empty = data.drawn(many, generator)
    told = torch.cat([network(part) for part in pairs.split(256)]).float()
    network.train()
    said, bare = told[:, 0] > 0, told[:, 1] > 0
    overlooked, made_up = float((~said)[differs > 0].float().mean()), float(said[differs == 0].float().mean())
    wrong = float((bare != (empty > 0)).float().mean())
    return f"overlooked {overlooked:.4f}, made up {made_up:.4f}, empty or not {wrong:.4f}"


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=6000)
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning, at its highest")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="go on from the file in this folder")
    parser.add_argument("--network", choices=[*NETWORKS], default="change")
    parser.add_argument("--apart", type=int, default=0, help="each such table is held out")
    parser.add_argument("--of", type=int, default=0, help="beginning with this one")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    network = train(options)
    options.out.mkdir(parents=True, exist_ok=True)
    sample = torch.zeros(2, COMPARED, CROP_PX, CROP_PX)
    export(network, options.out / f"{options.network}.onnx", sample, ("pairs", ["told"]))


if __name__ == "__main__":
    main()
