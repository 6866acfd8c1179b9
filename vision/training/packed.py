"""Rewrites how a network begins, so that OpenCV gives the same answers in four fifths of the time.

OpenCV takes three times as long for a convolution that halves a picture as for others. One of 5 x 5 pixels
that halves it is one of 3 x 3 that does not, of four pictures of half the size: every second pixel of every
second row. And where some channels are the difference of others, these alone tell the first convolution as
much. `export` writes every network so; files of before are rewritten by

    python -m vision.training.packed place.onnx ground.onnx --difference
    python -m vision.training.packed digit.onnx
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import helper, numpy_helper

Floats = NDArray[np.float32]
# The channels of `vision.fields.crops` and `vision.yards.ground`: the picture, the empty board, and what they
# differ by.
PICTURE, BOARD, DIFFERENCE = slice(0, 3), slice(3, 6), slice(6, 9)
# To the end of an axis.
END = np.iinfo(np.int64).max


def packed(network: onnx.ModelProto, *, difference: bool = False) -> onnx.ModelProto:
    """The network with its first convolution, 5 x 5 that halves, rewritten; difference: some of its channels
    are. Raises ValueError if it begins otherwise."""
    found = onnx.ModelProto()
    found.CopyFrom(network)
    graph = found.graph
    first = next((node for node in graph.node if node.op_type == "Conv"), None)
    stored = {each.name: each for each in graph.initializer}
    weight = None if first is None else stored[first.input[1]]
    if first is None or weight is None or [*weight.dims[2:]] != [5, 5]:
        raise ValueError("the network does not begin with a convolution of 5 x 5: is it packed already?")
    trained = numpy_helper.to_array(weight)
    if difference:
        trained = without_difference(trained)
    weight.CopyFrom(numpy_helper.from_array(packed_weight(trained), weight.name))
    for name, value in (("kernel_shape", [3, 3]), ("pads", [1, 1, 1, 1]), ("strides", [1, 1])):
        attribute = next(each for each in first.attribute if each.name == name)
        attribute.ints[:] = value
    nodes, first.input[0] = _packing(graph, first.input[0], difference=difference)
    at = [*graph.node].index(first)
    for node in reversed(nodes):
        graph.node.insert(at, node)
    return found


def packed_weight(weight: Floats) -> Floats:
    """(O, 4 C, 3, 3) of (O, C, 5, 5): for the pixels of even rows and columns, of even and odd ones, of odd
    and even, of odd ones."""
    out, channels = weight.shape[:2]
    wide = np.pad(weight, ((0, 0), (0, 0), (0, 1), (0, 1))).reshape(out, channels, 3, 2, 3, 2)
    return np.ascontiguousarray(wide.transpose(0, 3, 5, 1, 2, 4).reshape(out, 4 * channels, 3, 3))


def trained_weight(weight: Floats, channels: int) -> Floats:
    """(O, channels, 5, 5) of what `packed` made of it; as it was, if it is not packed."""
    if weight.shape[2] == 5:
        return weight
    out, kept = weight.shape[0], weight.shape[1] // 4
    wide = weight.reshape(out, 2, 2, kept, 3, 3).transpose(0, 3, 4, 1, 5, 2).reshape(out, kept, 6, 6)
    whole = np.zeros((out, channels, 5, 5), np.float32)
    rest = np.r_[0:channels] if kept == channels else np.delete(np.r_[0:channels], DIFFERENCE)
    whole[:, rest] = wide[:, :, :5, :5]
    return whole


def without_difference(weight: Floats) -> Floats:
    """(O, C - 3, 5, 5) of (O, C, 5, 5): what is learnt from the difference told by what differs."""
    found = weight.copy()
    found[:, PICTURE] += weight[:, DIFFERENCE]
    found[:, BOARD] -= weight[:, DIFFERENCE]
    return np.delete(found, DIFFERENCE, axis=1)


def _packing(graph: onnx.GraphProto, given: str, *, difference: bool) -> tuple[list[onnx.NodeProto], str]:
    """The nodes that part a picture into four, and the name of their answer."""
    nodes: list[onnx.NodeProto] = []

    def numbers(name: str, values: list[int]) -> str:
        graph.initializer.append(numpy_helper.from_array(np.array(values, np.int64), name))
        return name

    def part(of: str, name: str, first: list[int], last: list[int], axes: list[int], step: int) -> str:
        told = [("first", first), ("last", last), ("axes", axes), ("steps", [step] * len(axes))]
        inputs = [numbers(f"{name}/{what}", values) for what, values in told]
        nodes.append(helper.make_node("Slice", [of, *inputs], [name], name=name))
        return name

    def together(parts: list[str], name: str) -> str:
        nodes.append(helper.make_node("Concat", parts, [name], name=name, axis=1))
        return name

    if difference:
        before = part(given, "/packed/before", [0], [DIFFERENCE.start], [1], 1)
        behind = part(given, "/packed/behind", [DIFFERENCE.stop], [END], [1], 1)
        given = together([before, behind], "/packed/kept")
    quarters = [
        part(given, f"/packed/{row}{column}", [row, column], [END, END], [2, 3], 2)
        for row in range(2)
        for column in range(2)
    ]
    return nodes, together(quarters, "/packed/quarters")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("networks", type=Path, nargs="+")
    parser.add_argument("--difference", action="store_true", help="channels 6 to 8 are 0 to 2 less 3 to 5")
    options = parser.parse_args()
    for path in options.networks:
        onnx.save(packed(onnx.load(path), difference=options.difference), path)


if __name__ == "__main__":
    main()
