"""The mean, weight by weight, of networks that began as one another: it errs less than each of them where
none has learnt, and takes no longer than one (Wortsman et al., "Model soups", 2022).

    python -m vision.training.averaged place.onnx stand.onnx --out mean.onnx
    python -m vision.training.averaged place.onnx stand.onnx --shares 0.3 0.7 --out mean.onnx
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

import numpy as np
import onnx
from onnx import TensorProto, numpy_helper


def averaged(networks: Sequence[onnx.ModelProto], shares: Sequence[float]) -> onnx.ModelProto:
    """A network with the mean of these networks' weights, with such shares of them. Raises ValueError if they
    are not all built alike."""
    every = [[each for each in network.graph.initializer if is_weight(each)] for network in networks]
    shapes = {tuple(tuple(each.dims) for each in weights) for weights in every}
    if len(shapes) != 1:
        raise ValueError("the networks are not built alike: only such can be averaged")
    mean = onnx.ModelProto()
    mean.CopyFrom(networks[0])
    into = [each for each in mean.graph.initializer if is_weight(each)]
    for tensor, alike in zip(into, zip(*every, strict=True), strict=True):
        values = np.average([numpy_helper.to_array(each) for each in alike], axis=0, weights=shares)
        tensor.CopyFrom(numpy_helper.from_array(values.astype(np.float32), tensor.name))
    return mean


def is_weight(tensor: TensorProto) -> bool:
    """Whether it was learnt; the others are shapes. `export` writes them all in the same order."""
    return bool(tensor.data_type == TensorProto.FLOAT)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("networks", type=Path, nargs="+")
    parser.add_argument("--shares", type=float, nargs="+", help="how much each counts; all alike if not told")
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    shares = options.shares or [1.0] * len(options.networks)
    if len(shares) != len(options.networks):
        parser.error(f"--shares: {len(options.networks)} numbers wanted, one for each network")
    onnx.save(averaged([onnx.load(path) for path in options.networks], shares), options.out)


if __name__ == "__main__":
    main()
