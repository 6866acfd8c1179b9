"""Goes on from a network that was written for OpenCV: in the file every batch normalisation is folded into
the convolution before it; here it gets one again, without changing an answer."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import Tensor, nn

from vision.training.packed import trained_weight


@torch.no_grad()
def restore(network: nn.Module, path: Path, batches: Iterable[Tensor]) -> None:
    """Put the weights of an .onnx file of the same network in; `batches` of its usual input show how much
    every channel varies, which is what a normalisation wants to know."""
    graph = onnx.load(str(path)).graph
    stored = {each.name: torch.from_numpy(numpy_helper.to_array(each).copy()) for each in graph.initializer}
    own = {name: value for name, value in stored.items() if name in network.state_dict()}
    network.load_state_dict(own, strict=False)
    folded = [node.input[1:3] for node in graph.node if node.op_type == "Conv" and node.input[1] not in own]
    batches = list(batches)
    layers = _normalised(network.eval(), batches[0][:1])
    if len(folded) != len(layers):
        raise ValueError(f"{path} is another network: {len(folded)} layers, expected {len(layers)}")
    for (conv, norm), (weight, bias) in zip(layers, folded, strict=True):
        conv.weight.copy_(as_trained(stored[weight], conv.weight.shape))
        norm.running_mean.zero_()
        norm.running_var.fill_(1 - norm.eps)
        norm.weight.fill_(1)
        norm.bias.copy_(stored[bias])
    _unfold(network.eval(), layers, batches)
    network.train()


def as_trained(weight: Tensor, shape: torch.Size) -> Tensor:
    """A convolution's weight in the shape in which it is trained: the first one's is written `packed`."""
    return weight if weight.shape == shape else torch.from_numpy(trained_weight(weight.numpy(), shape[1]))


def _normalised(network: nn.Module, sample: Tensor) -> list[tuple[nn.Conv2d, nn.BatchNorm2d]]:
    """Convolutions that are normalised, as they follow one another in the file: as they are used."""
    normalised = {
        first: second
        for first, second in pairwise(network.modules())
        if isinstance(first, nn.Conv2d) and isinstance(second, nn.BatchNorm2d)
    }
    used: list[nn.Conv2d] = []
    hooks = [
        conv.register_forward_hook(lambda module, _given, _answer: used.append(module)) for conv in normalised
    ]
    network(sample)
    for hook in hooks:
        hook.remove()
    return [(conv, normalised[conv]) for conv in used]


def _unfold(
    network: nn.Module, layers: list[tuple[nn.Conv2d, nn.BatchNorm2d]], batches: Iterable[Tensor]
) -> None:
    sums = [np.zeros((3, conv.out_channels)) for conv, _ in layers]

    def watch(total: np.ndarray):  # type: ignore[no-untyped-def]
        def hook(_module: nn.Module, _given: object, answer: Tensor) -> None:
            values = answer.double()
            count = values.numel() / values.shape[1]
            total[:] += [
                np.full(values.shape[1], count),
                values.sum(dim=(0, 2, 3)).numpy(),
                (values**2).sum(dim=(0, 2, 3)).numpy(),
            ]

        return hook

    hooks = [conv.register_forward_hook(watch(s)) for (conv, _), s in zip(layers, sums, strict=True)]
    for batch in batches:
        network(batch)
    for hook in hooks:
        hook.remove()
    for (_, norm), (count, total, squares) in zip(layers, sums, strict=True):
        mean = torch.from_numpy(total / count).float()
        variance = torch.from_numpy(squares / count).float() - mean**2
        norm.running_mean.copy_(mean)
        norm.running_var.copy_(variance)
        norm.weight.copy_(torch.sqrt(variance + norm.eps))
        norm.bias.add_(mean)
