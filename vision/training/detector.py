"""Trains the detector on the shards of `vision.training.strewn`.

python -m vision.training.detector --shards FOLDER --steps 6000 --seed 1 --out vision/models
"""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor, nn
from torch.nn import functional as F

from vision.anywhere.detector import ANSWERS, CELL_MM, MM_PER_PX, OFFSETS, TURNED, TURNS
from vision.training.ground import unpacked
from vision.training.learning import HALF, descend, export, options, pace
from vision.training.network import Block, conv
from vision.training.restart import restore
from vision.training.strewn import COMPOSED, LEFT_MM, PHOTOGRAPHED, turned_about, wanted
from vision.yards.ground import GROUND_CHANNELS

FILE = "detector.onnx"
BATCH = 8
# So many batches show how much the channels vary, where an earlier training goes on.
USUAL = 12
# So many of the boards that are learnt from were photographed, if any were.
PHOTOGRAPHS = 0.4
# Of the composed boards one in so many is not learnt from.
HELD = 20
# How much the error of a cell's offset or direction counts beside what is likely to be there: both are learnt
# in several cells around each middle.
POSE = 0.03
# At first nothing is likely.
UNLIKELY = -4.0


class DetectorNetwork(nn.Module):
    """Down four times, up three times, with shortcuts: the answer has CELL_MM a pixel."""

    def __init__(self) -> None:
        super().__init__()
        self.a = conv(GROUND_CHANNELS, 24, 2, 5)
        self.b = nn.Sequential(conv(24, 48, 2), conv(48, 48))
        self.c = nn.Sequential(conv(48, 72, 2), conv(72, 72), Block(72))
        self.d = nn.Sequential(conv(72, 96, 2), conv(96, 96), Block(96), Block(96))
        self.up_c, self.up_b, self.up_a = nn.Conv2d(96, 72, 1), nn.Conv2d(72, 48, 1), nn.Conv2d(48, 24, 1)
        self.mix_c, self.mix_b, self.mix_a = conv(72, 72), conv(48, 48), conv(24, 24)
        self.out = nn.Conv2d(24, ANSWERS, 1)
        for block in self.modules():
            if isinstance(block, Block):
                nn.init.zeros_(block.second[1].weight)
        nn.init.constant_(self.out.bias[:OFFSETS], UNLIKELY)

    def forward(self, boards: Tensor) -> Tensor:
        a = self.a(boards)
        b = self.b(a)
        c = self.c(b)
        c = self.mix_c(c + self._twice(self.up_c(self.d(c))))
        b = self.mix_b(b + self._twice(self.up_b(c)))
        return self.out(self.mix_a(a + self._twice(self.up_a(b))))  # type: ignore[no-any-return]

    @staticmethod
    def _twice(x: Tensor) -> Tensor:
        return F.interpolate(x, scale_factor=2.0, mode="nearest")


@dataclass(frozen=True)
class Boards:
    """Boards as bytes, (8, S, S) each, and the pieces on them. The first `held` of the `composed` ones are
    not learnt from; photographed ones come after them."""

    seen: list[NDArray[np.uint8]]
    pieces: list[NDArray[np.float32]]
    composed: int

    @classmethod
    def of(cls, shards: Path) -> Boards:
        seen: list[NDArray[np.uint8]] = []
        pieces: list[NDArray[np.float32]] = []
        counts = []
        for name in (COMPOSED, PHOTOGRAPHED):
            for path in sorted(shards.glob(f"{name}-*.npz")):
                with np.load(path) as stored:
                    rows = stored["pieces"]
                    pieces += [rows[rows[:, 0] == n, 1:] for n in range(len(stored["boards"]))]
                    seen += list(stored["boards"])
            counts.append(len(seen))
        return cls(seen, pieces, counts[0])

    @property
    def held(self) -> int:
        return self.composed // HELD

    def some(self, rng: np.random.Generator) -> NDArray[np.int64]:
        """Numbers of boards to learn from."""
        chosen = rng.integers(self.held, self.composed, BATCH)
        if self.composed < len(self.seen):
            swapped = rng.random(BATCH) < PHOTOGRAPHS
            chosen[swapped] = rng.integers(self.composed, len(self.seen), int(swapped.sum()))
        return chosen

    def batch(self, chosen: NDArray[np.int64], rng: np.random.Generator | None = None) -> list[Tensor]:
        """What the detector sees of these boards, should answer, and how much each cell counts; varied if
        there is any chance."""
        every = []
        for index in chosen:
            board = np.concatenate(unpacked(self.seen[index].astype(np.float32)))
            rows = self.pieces[index].copy()
            rows[:, 1:3] -= LEFT_MM
            if rng is not None:
                board, rows = turned_about(rng, board, rows, board.shape[2] * MM_PER_PX)
                # What is red in one picture may be green in another.
                order = rng.permutation(3)
                board[:6] = board[[*order, *(3 + order)]]
                board[:3] *= np.exp(rng.normal(0, 0.05, (3, 1, 1)))
            cells = int(board.shape[1] * MM_PER_PX / CELL_MM), int(board.shape[2] * MM_PER_PX / CELL_MM)
            answer, counts = wanted(rows, (0.0, 0.0), cells)
            every.append((np.concatenate([board[:6], board[:3] - board[3:6], board[6:]]), answer, counts))
        return [torch.from_numpy(np.stack(part).astype(np.float32)) for part in zip(*every, strict=True)]


def loss_of(answer: Tensor, truth: Tensor, counts: Tensor) -> Tensor:
    """The focal loss of "Objects as Points", and the errors of offsets and directions."""
    logits, peaks = answer[:, :OFFSETS], truth[:, :OFFSETS]
    chance, middle = torch.sigmoid(logits), (peaks == 1).float()
    many = middle.sum().clamp(min=1)
    hit = -F.logsigmoid(logits) * (1 - chance) ** 2 * middle
    missed = -F.logsigmoid(-logits) * chance**2 * (1 - peaks) ** 4 * (1 - middle)
    loss = (hit + missed) * counts[:, :1]
    away = (answer - truth).abs()
    pose = (away[:, OFFSETS:TURNS] * counts[:, 1:2]).sum()
    for number in range(len(TURNED)):
        own = (counts[:, 2:3] == 1 + number).float()
        pose = pose + (away[:, TURNS + 2 * number : TURNS + 2 * number + 2] * own).sum()
    return (loss.sum() + POSE * pose) / many


def train(shards: Path, out: Path, steps: int, rate: float, seed: int, start: Path | None = None) -> None:
    """Trains in so many steps, prints as it goes and writes detector.onnx. start: a folder from whose
    detector.onnx to go on."""
    torch.manual_seed(seed)
    rng = np.random.default_rng(seed)
    network = DetectorNetwork().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    boards = Boards.of(shards)
    if start is not None:
        usual = (boards.batch(boards.some(rng), rng)[0] for _ in range(USUAL))
        restore(network, start / FILE, usual)
    optimiser = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=1e-3)
    print(f"{len(boards.seen) - boards.held} boards to learn, {boards.held} to judge", flush=True)
    begun, mean = time.monotonic(), 0.0
    with ThreadPoolExecutor(1) as beside:
        ahead = beside.submit(lambda: boards.batch(boards.some(rng), rng))
        for step in range(steps):
            pace(optimiser, rate, step, steps)
            x, truth, counts = ahead.result()
            ahead = beside.submit(lambda: boards.batch(boards.some(rng), rng))
            with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
                answer = network(x.contiguous(memory_format=torch.channels_last))
            loss = loss_of(answer.float(), truth, counts)
            descend(optimiser, network, loss, steepest=5.0)
            mean += (loss.item() - mean) * max(0.01, 1 / (step + 1))
            if step % 200 == 199 or step == steps - 1:
                took = time.monotonic() - begun
                judged = _judged(network, boards)
                print(f"step {step + 1}, {took:.0f} s: loss {mean:.3f}, judged {judged:.3f}", flush=True)
    sample = torch.zeros(1, GROUND_CHANNELS, 128, 128)
    export(network, out / FILE, sample, ("board", ["answer"]), {2: "h", 3: "w"}, difference=True)


def _judged(network: DetectorNetwork, boards: Boards) -> float:
    """The loss on boards that are not learnt from."""
    network.eval()
    with torch.no_grad():
        losses = []
        for first in range(0, boards.held - BATCH + 1, BATCH):
            x, truth, counts = boards.batch(np.arange(first, first + BATCH))
            losses.append(loss_of(network(x), truth, counts).item())
    network.train()
    return float(np.mean(losses))


if __name__ == "__main__":
    given = options(str(__doc__), 6000, FILE)
    train(given.shards, given.out, given.steps, given.rate, given.seed, given.start)
