"""Networks that begin as OpenCV is quick at."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

onnx = pytest.importorskip("onnx", reason="only for training")
from onnx import TensorProto, helper, numpy_helper  # noqa: E402

from vision.training.packed import packed, packed_weight, trained_weight, without_difference  # noqa: E402

RNG = np.random.default_rng(5)
WEIGHT = RNG.normal(size=(4, 11, 5, 5)).astype(np.float32)


def network() -> onnx.ModelProto:
    """A convolution of 5 x 5 that halves a picture of 11 channels, and nothing else."""
    given, told = (
        helper.make_tensor_value_info(name, TensorProto.FLOAT, [1, channels, "h", "w"])
        for name, channels in (("picture", 11), ("told", 4))
    )
    conv = helper.make_node(
        "Conv", ["picture", "weight"], ["told"], kernel_shape=[5, 5], pads=[2] * 4, strides=[2, 2]
    )
    graph = helper.make_graph([conv], "halves", [given], [told], [numpy_helper.from_array(WEIGHT, "weight")])
    return helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=8)


def answer(model: onnx.ModelProto, picture: np.ndarray) -> np.ndarray:
    net = cv2.dnn.readNetFromONNX(np.frombuffer(model.SerializeToString(), np.uint8), cv2.dnn.ENGINE_CLASSIC)
    net.setInput(picture)
    return net.forward()


@pytest.mark.parametrize("difference", [False, True])
def test_a_packed_network_answers_as_before(difference: bool) -> None:
    picture = RNG.random((1, 11, 24, 40), np.float32)
    picture[:, 6:9] = picture[:, 0:3] - picture[:, 3:6]
    expected = answer(network(), picture)
    assert answer(packed(network(), difference=difference), picture) == pytest.approx(expected, abs=1e-3)


def test_what_is_packed_is_not_packed_again() -> None:
    with pytest.raises(ValueError, match="packed already"):
        packed(packed(network()))


def test_a_packed_weight_can_be_trained_on() -> None:
    assert np.array_equal(trained_weight(packed_weight(WEIGHT), 11), WEIGHT)
    assert np.array_equal(trained_weight(WEIGHT, 11), WEIGHT)
    kept = without_difference(WEIGHT)
    whole = trained_weight(packed_weight(kept), 11)
    assert not whole[:, 6:9].any()
    assert np.array_equal(np.delete(whole, slice(6, 9), axis=1), kept)
