"""Trains the place network on the shards of `vision.training.scenes` and writes it for OpenCV.

    python -m vision.training.train --shards FOLDER --steps 15000 --seed 1 --out vision/models
    python -m vision.training.train --network judge --start OLD --shards MADE TRACED --batch 128 96 --out NEW

The second is the judge of what the first doubts (`vision.training.doubted`): it goes on from that in OLD,
or begins as the place network there. "matt" is a place network that learns more of colours than of kinds,
"top" one that sees nothing but capstones (`vision.training.tops`).
Of several folders each gives so much of a batch.

Interrupted, it writes what it has learnt so far.
"""

from __future__ import annotations

import argparse
import signal
import time
from collections.abc import Iterable, Sequence
from pathlib import Path

import numpy as np
import onnx.utils
import torch
from torch import Tensor
from torch.nn import functional as F

from vision.colours.shades import SPACE
from vision.fields.crops import CHANNELS, CROP_PX
from vision.fields.places import MOST_BODIES
from vision.training.learning import HALF, export, pace
from vision.training.network import JudgeNetwork, PlaceNetwork
from vision.training.restart import restore
from vision.training.scenes import STORED

# How much what is learnt of colours counts beside what is learnt of kinds; and by how much (display-referred)
# a shade may be missed before it counts in proportion, in the space in which shades are told apart: rather
# the side of a piece, which is too dark, than its face, which mirrors a lamp.
PLACE, JUDGE, MATT, TOP = "place", "judge", "matt", "top"
COLOUR_SHARES, SHADE = {PLACE: 3.6, JUDGE: 1.8, MATT: 8.0, TOP: 1.8}, 0.05
# Asked only what stands there: what tells colours, a fifth of the work, is left out of their files.
KINDS_ONLY = (JUDGE, TOP)
PERCEIVED = torch.from_numpy(SPACE) * SHADE


class Crops:
    """All shards in memory, as bytes."""

    def __init__(self, paths: list[Path]) -> None:
        parts = [np.load(path) for path in paths]
        pictures, first = [], 0
        for part in parts:
            pictures.append(part["picture"] + first)
            first += len(part["palettes"])
        self.crops = torch.from_numpy(np.concatenate([part["crops"] for part in parts]))
        self.labels = torch.from_numpy(np.concatenate([part["labels"] for part in parts]).astype(np.int64))
        self.colours = torch.from_numpy(np.concatenate([part["colours"] for part in parts]).astype(np.int64))
        palettes = np.concatenate([part["palettes"] for part in parts])
        picture = np.concatenate(pictures)
        self.palettes = torch.from_numpy(palettes[picture])

    def __len__(self) -> int:
        return len(self.labels)

    def batch(self, index: Tensor, generator: torch.Generator | None) -> tuple[Tensor, Tensor, Tensor]:
        """(crops with difference channels, labels, palettes); with a generator also varied: mirrored,
        shifted, in other colours, brighter or darker, blurred, noisy."""
        stored = self.crops[index].float() / STORED
        labels, palettes = self.labels[index].clone(), self.palettes[index].clone()
        if generator is not None:
            stored = _shifted(stored, generator)
        photo, empty, masks = stored[:, 0:3], stored[:, 3:6], stored[:, 6:]
        if generator is not None:
            # What is red in one picture may be green in another: nothing depends on the names of channels.
            order = torch.randperm(3, generator=generator)
            photo, empty, palettes = photo[:, order], empty[:, order], palettes[:, :, order]
            tint = 1 + 0.06 * torch.randn(len(index), 3, 1, 1, generator=generator)
            bright = 1 + 0.05 * torch.randn(len(index), 1, 1, 1, generator=generator)
            photo, empty = photo * tint * bright, empty * bright
            soft = torch.rand(len(index), 1, 1, 1, generator=generator) * (
                torch.rand(len(index), 1, 1, 1, generator=generator) < 0.3
            )
            photo = photo * (1 - soft) + F.avg_pool2d(photo, 3, 1, 1, count_include_pad=False) * soft
            noise = 0.015 * torch.rand(len(index), 1, 1, 1, generator=generator)
            photo = (photo + noise * torch.randn(photo.shape, generator=generator)).clamp(0, 1.4)
        crops = torch.cat([photo, empty, photo - empty, masks], 1)
        if generator is not None:
            mirrored = torch.rand(len(index), generator=generator) < 0.5
            crops[mirrored] = crops[mirrored].flip(3)
        return crops, labels, palettes


def _shifted(stored: Tensor, generator: torch.Generator) -> Tensor:
    """The whole crop a few pixels aside and a little larger or smaller, as if it had been cut so."""
    theta = torch.zeros(len(stored), 2, 3)
    theta[:, 0, 0] = theta[:, 1, 1] = 1 + 0.06 * torch.randn(len(stored), generator=generator).clamp(-2, 2)
    theta[:, :, 2] = (torch.rand(len(stored), 2, generator=generator) - 0.5) * 2 * (3 / CROP_PX)
    grid = F.affine_grid(theta, list(stored.shape), align_corners=False)
    return F.grid_sample(stored, grid, padding_mode="border", align_corners=False)


def losses(
    place: PlaceNetwork, data: Crops, index: Tensor, generator: torch.Generator | None
) -> tuple[Tensor, Tensor, dict[str, float]]:
    crops, labels, palettes = data.batch(index, generator)
    with torch.autocast("cpu", dtype=torch.bfloat16, enabled=HALF):
        logits, seen = place(crops.contiguous(memory_format=torch.channels_last))
    logits, seen = logits.float(), seen.float()
    absent = crops[:, 9:].flatten(2).amax(2) == 0
    logits = logits.masked_fill(F.pad(absent, (1, 1)), -30.0)
    kind_loss = F.cross_entropy(logits, labels, label_smoothing=0.01)
    known = (data.colours[index] >= 0) & (labels >= 1) & (labels <= MOST_BODIES)
    # The colour that is read off must be the piece's own, not that of its shaded side: sets are learnt by it.
    own = palettes[known][torch.arange(int(known.sum())), data.colours[index][known]]
    missed = (seen[known] - own) @ PERCEIVED
    colour_loss = F.smooth_l1_loss(missed, torch.zeros_like(missed), beta=SHADE)
    figures = {
        "kind": float((logits.argmax(1) == labels).float().mean()),
        "shade": float((seen[known] - own).detach().abs().mean()),
    }
    return kind_loss, colour_loss, figures


def train(
    shards: Sequence[Path],
    batch: Sequence[int],
    steps: int,
    seed: int,
    start: Path | None = None,
    rate: float = 2e-3,
    name: str = PLACE,
) -> PlaceNetwork:
    """Trains in so many steps, prints as it goes, returns the network of this name. batch: how many crops of
    each folder of shards a step learns from; one shard in 15 is only for judging. Stops early when
    interrupted."""
    torch.manual_seed(seed)
    generator = torch.Generator().manual_seed(seed)
    paths = [sorted(folder.glob("*.npz")) for folder in shards]
    held = Crops([path for each in paths for path in each[::15]])
    every = [Crops([path for n, path in enumerate(each) if n % 15]) for each in paths]
    place = JudgeNetwork() if name == JUDGE else PlaceNetwork()
    if start is not None:
        usual = (data.batch(torch.randint(len(data), (512,)), None)[0] for _ in range(6) for data in every)
        begin(place, start, name, usual)
    place = place.to(memory_format=torch.channels_last)
    parameters = list(place.parameters())
    optimiser = torch.optim.AdamW(parameters, lr=rate, weight_decay=1e-3)
    print(
        f"{' + '.join(str(len(data)) for data in every)} crops, {len(held)} for judging, "
        f"{sum(p.numel() for p in parameters)} weights",
        flush=True,
    )
    begun, smooth = time.monotonic(), dict[str, float]()
    try:
        for step in range(steps):
            pace(optimiser, rate, step, steps, warm_up=200)
            optimiser.zero_grad()
            for data, size in zip(every, batch, strict=True):
                index = torch.randint(len(data), (size,), generator=generator)
                kind_loss, colour_loss, figures = losses(place, data, index, generator)
                ((kind_loss + COLOUR_SHARES[name] * colour_loss) * (size / sum(batch))).backward()
            torch.nn.utils.clip_grad_norm_(parameters, 2.0)
            optimiser.step()
            smooth = {k: smooth.get(k, v) * 0.98 + v * 0.02 for k, v in figures.items()}
            if step % 250 == 249:
                shown = ", ".join(f"{k} {v:.4f}" for k, v in smooth.items())
                took = time.monotonic() - begun
                said = judged(place, held)
                print(f"step {step + 1}, {took:.0f} s: {shown}; held out: {said}", flush=True)
    except KeyboardInterrupt:
        print(f"interrupted at step {step}", flush=True)
    return place.eval()


def begin(network: PlaceNetwork, models: Path, name: str, usual: Iterable[Tensor]) -> None:
    """Go on from the network's own file among `models`, less what tells colours if the file does not (see
    `KINDS_ONLY`); one that has none there begins as the place network.
    usual: batches of crops, see `restore`."""
    if not (path := models / f"{name}.onnx").exists():
        first = PlaceNetwork()
        restore(first, models / f"{PLACE}.onnx", usual)
        network.load_state_dict(first.state_dict(), strict=False)
    else:
        restore(network, path, usual)


@torch.no_grad()
def judged(place: PlaceNetwork, data: Crops) -> str:
    place.eval()
    total: dict[str, float] = {}
    some = torch.arange(0, len(data), max(1, len(data) // 4096))
    parts = some.split(512)
    for index in parts:
        _, _, figures = losses(place, data, index, None)
        total = {k: total.get(k, 0.0) + v / len(parts) for k, v in figures.items()}
    place.train()
    return ", ".join(f"{k} {v:.4f}" for k, v in total.items())


def write(place: PlaceNetwork, path: Path) -> None:
    """The network as a file for cv2.dnn."""
    path.parent.mkdir(parents=True, exist_ok=True)
    sample = torch.zeros(2, CHANNELS, CROP_PX, CROP_PX)
    export(place, path, sample, ("crops", ["kind", "seen"]), difference=True)
    if path.stem in KINDS_ONLY:
        onnx.utils.extract_model(path, path, ["crops"], ["kind"])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shards", type=Path, nargs="+", required=True)
    parser.add_argument("--batch", type=int, nargs="+", default=[256], help="crops of each folder at a step")
    parser.add_argument("--network", choices=tuple(COLOUR_SHARES), default=PLACE)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=15000)
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning, at its highest")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--start", type=Path, help="a folder: go on from its judge.onnx or place.onnx")
    options = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)  # a shell's background jobs ignore it
    if len(options.batch) != len(options.shards):
        parser.error(f"--batch: {len(options.shards)} numbers wanted, one for each folder of shards")
    network = train(
        options.shards,
        options.batch,
        options.steps,
        options.seed,
        options.start,
        options.rate,
        options.network,
    )
    write(network, options.out / f"{options.network}.onnx")


if __name__ == "__main__":
    main()
