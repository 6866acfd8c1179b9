"""What is done with networks' files: the mean of those that began as one another, and a part of one."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.network import MODELS

onnx = pytest.importorskip("onnx", reason="only for training")
from vision.training.averaged import averaged, is_weight  # noqa: E402
from vision.training.only import only  # noqa: E402

STAND, SHADE, JUDGE = (onnx.load(MODELS / f"{name}.onnx") for name in ("stand", "shade", "judge"))
CROPS = np.random.default_rng(1).random((3, 13, 48, 48)).astype(np.float32)


def weights(network: onnx.ModelProto) -> list[np.ndarray]:
    return [onnx.numpy_helper.to_array(each) for each in network.graph.initializer if is_weight(each)]


def kind_by(path) -> np.ndarray:
    net = cv2.dnn.readNetFromONNX(str(path), cv2.dnn.ENGINE_CLASSIC)
    net.setInput(CROPS)
    return net.forward(["kind"])[0]


@pytest.fixture
def other() -> onnx.ModelProto:
    """`STAND` with other weights."""
    found = onnx.ModelProto()
    found.CopyFrom(STAND)
    for each in found.graph.initializer:
        if is_weight(each):
            each.CopyFrom(onnx.numpy_helper.from_array(onnx.numpy_helper.to_array(each) + 0.5, each.name))
    return found


def test_each_weight_is_the_mean_with_the_shares_that_are_told(other: onnx.ModelProto) -> None:
    mean = averaged([STAND, other], [1, 3])
    for one, both in zip(weights(STAND), weights(mean), strict=True):
        assert both == pytest.approx(one + 0.75 * 0.5, abs=1e-6)


def test_the_mean_of_a_network_and_itself_answers_as_it_does(tmp_path) -> None:
    onnx.save(averaged([STAND, STAND], [1, 1]), tmp_path / "mean.onnx")
    assert kind_by(tmp_path / "mean.onnx") == pytest.approx(kind_by(MODELS / "stand.onnx"), abs=1e-4)


def test_networks_that_are_built_otherwise_cannot_be_averaged() -> None:
    with pytest.raises(ValueError, match="not built alike"):
        averaged([STAND, JUDGE], [1, 1])


def test_a_part_of_a_network_answers_as_the_whole(tmp_path) -> None:
    part = only(SHADE, "kind")
    onnx.save(part, tmp_path / "part.onnx")
    assert (kind_by(tmp_path / "part.onnx") == kind_by(MODELS / "shade.onnx")).all()
    assert [each.name for each in part.graph.output] == ["kind"]
    assert len(part.graph.node) < len(SHADE.graph.node)


def test_of_what_a_network_does_not_tell_there_is_no_part() -> None:
    with pytest.raises(ValueError, match="tells kind and seen, not digit"):
        only(STAND, "digit")
