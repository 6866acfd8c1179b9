"""Of stored crops those that the network which looks everywhere doubts or errs on, and a few of the others:
what its judge, `judge.onnx`, learns from.

    python -m vision.training.doubted --shards CROPS --out FOLDER --seed 1
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from rich.progress import track

from vision.fields.network import FIRST, chances, not_drawn, run
from vision.training.scenes import opened

# What is surer than this is left out but for such a share.
SURE, OTHERS = 0.985, 0.06
AT_ONCE = 256


def doubted(crops: NDArray[np.uint8], labels: NDArray[np.int8]) -> NDArray[np.bool_]:
    """(N,) whether the first network doubts what lies there, or errs. crops, labels: as they are stored."""
    found = []
    for first in range(0, len(crops), AT_ONCE):
        part = opened(crops[first : first + AT_ONCE])
        said = chances(run(FIRST, part)[0], not_drawn(part))
        found.append((said.max(axis=1) < SURE) | (said.argmax(axis=1) != labels[first : first + AT_ONCE]))
    return np.concatenate(found)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--others", type=float, default=OTHERS, help="share of what is not doubted")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    options.out.mkdir(parents=True, exist_ok=True)
    rng = np.random.default_rng(options.seed)
    for path in track(sorted(options.shards.glob("*.npz")), "looking"):
        with np.load(path) as shard:
            stored = dict(shard)
        kept = doubted(stored["crops"], stored["labels"])
        kept |= rng.random(len(kept)) < options.others
        for name in ("crops", "labels", "colours", "picture"):
            stored[name] = stored[name][kept]
        np.savez(options.out / path.name, **stored)


if __name__ == "__main__":
    main()
