"""Leaves out of a network what is not asked for: what looks everywhere need not see colours.

python -m vision.training.only kind place.onnx --out place.onnx
"""

from __future__ import annotations

import argparse
from pathlib import Path

import onnx
from onnx.utils import Extractor


def only(network: onnx.ModelProto, answer: str) -> onnx.ModelProto:
    """The part of a network that gives this answer. Raises ValueError if it gives no such."""
    answers = [each.name for each in network.graph.output]
    if answer not in answers:
        raise ValueError(f"it tells {' and '.join(answers)}, not {answer}")
    return Extractor(network).extract_model([each.name for each in network.graph.input], [answer])


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("answer", help="what is asked for")
    parser.add_argument("network", type=Path)
    parser.add_argument("--out", type=Path, required=True)
    options = parser.parse_args()
    onnx.save(only(onnx.load(options.network), options.answer), options.out)


if __name__ == "__main__":
    main()
