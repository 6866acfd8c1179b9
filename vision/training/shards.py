"""Examples are composed and stored in files of many, so that composing can be broken off and taken up."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np

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
