"""Examples are composed and stored in files of many, so that composing can be broken off and taken up."""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np
from rich.progress import track

# Stores one shard's examples at that path, made from that chance alone, and tells how many they are.
Store = Callable[[np.random.Generator, Path], int]


def compose_shards(out: Path, count: int, name: str, seed: tuple[int, ...], store: Store) -> None:
    """`count` shards out/name-0000.npz ..., those that are there already left out. seed: (seed, ...); the
    shard's number comes second."""
    out.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    begun = time.monotonic()
    for shard in range(count):
        path = out / f"{name}-{shard:04d}.npz"
        if not path.exists():
            made = store(np.random.default_rng([seed[0], shard, *seed[1:]]), path)
            print(f"{path.name}: {made} examples, {time.monotonic() - begun:.0f} s", flush=True)


def made_or_cut(about: str, scenes: int, per_shard: int) -> argparse.Namespace:
    """The command line of examples that are composed (so many, if nothing is said) or cut out of photographs:
    `command` is "compose" or "photographs"."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    make = commands.add_parser("compose")
    make.add_argument("--scenes", type=int, default=scenes)
    make.add_argument("--per-shard", type=int, default=per_shard)
    cuts = commands.add_parser("photographs")
    cuts.add_argument("--photos", type=Path, required=True)
    for command in (make, cuts):
        command.add_argument("--out", type=Path, required=True)
        command.add_argument("--seed", type=int, default=1)
    return parser.parse_args()


def photographs(options: argparse.Namespace) -> Iterator[tuple[np.random.Generator, Path]]:
    """The labelled photographs of `made_or_cut`, each with a chance of its own; makes the folder for what is
    cut out of them."""
    options.out.mkdir(parents=True, exist_ok=True)
    labels = sorted(options.photos.glob("*.json"))
    for number, label in enumerate(track(labels, "photographs")):
        yield np.random.default_rng([options.seed, number]), label.with_suffix(".jpg")
