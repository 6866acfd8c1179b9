"""The mean of networks that began as one another."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from vision.nets import MODELS

onnx = pytest.importorskip("onnx", reason="only for training")
from vision.training.averaged import averaged, is_weight  # noqa: E402

PLACE, STAND, JUDGE = (onnx.load(MODELS / f"{name}.onnx") for name in ("place", "stand", "judge"))


def weights(network: onnx.ModelProto) -> list[np.ndarray]:
    return [onnx.numpy_helper.to_array(each) for each in network.graph.initializer if is_weight(each)]


def test_each_weight_is_the_mean_with_the_shares_that_are_told() -> None:
    mean = averaged([PLACE, STAND], [1, 3])
    for one, other, both in zip(weights(PLACE), weights(STAND), weights(mean), strict=True):
        assert both == pytest.approx(one / 4 + other * 3 / 4, abs=1e-6)


def test_the_mean_of_a_network_and_itself_answers_as_it_does(tmp_path) -> None:
    onnx.save(averaged([PLACE, PLACE], [1, 1]), tmp_path / "mean.onnx")
    crops = np.random.default_rng(1).random((3, 13, 48, 48)).astype(np.float32)
    answers = []
    for path in (MODELS / "place.onnx", tmp_path / "mean.onnx"):
        net = cv2.dnn.readNetFromONNX(str(path), cv2.dnn.ENGINE_CLASSIC)
        net.setInput(crops)
        answers.append(net.forward("kind"))
    assert answers[0] == pytest.approx(answers[1], abs=1e-4)


def test_networks_that_are_built_otherwise_cannot_be_averaged() -> None:
    with pytest.raises(ValueError, match="not built alike"):
        averaged([PLACE, JUDGE], [1, 1])
