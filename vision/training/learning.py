"""What all trainings have in common: how fast they learn when, and how a network is written for OpenCV."""

from __future__ import annotations

import argparse
import math
from collections.abc import Sequence
from pathlib import Path

import onnx
import torch
from torch import Tensor, nn

from vision.training.packed import packed

# Short numbers are quicker where the processor has them, ten times slower where it does not.
HALF = any(torch.cpu.get_capabilities().get(name, False) for name in ("avx512_bf16", "amx_bf16"))


def options(about: str, steps: int, goes_on: str = "") -> argparse.Namespace:
    """The command line of a training of so many steps, if nothing is said; one that can go on from the file
    `goes_on` of an earlier one is told where that is."""
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--judged", type=Path, help="shards that are not learnt from")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--steps", type=int, default=steps)
    parser.add_argument("--rate", type=float, default=2e-3, help="of learning, at its highest")
    parser.add_argument("--seed", type=int, default=1)
    if goes_on:
        parser.add_argument("--start", type=Path, help=f"go on from the {goes_on} in this folder")
    given = parser.parse_args()
    # Now, not when everything is learnt.
    given.out.mkdir(parents=True, exist_ok=True)
    return given


def pace(optimiser: torch.optim.Optimizer, highest: float, step: int, steps: int, warm_up: int = 100) -> None:
    """Sets the rate of learning for this step: up in a line, then down along a cosine."""
    rate = highest * min(1.0, (step + 1) / warm_up) * 0.5 * (1 + math.cos(math.pi * step / steps))
    for group in optimiser.param_groups:
        group["lr"] = rate


def descend(optimiser: torch.optim.Optimizer, network: nn.Module, loss: Tensor, steepest: float) -> None:
    """One step down the loss, along a gradient no longer than that."""
    optimiser.zero_grad()
    loss.backward()
    nn.utils.clip_grad_norm_(network.parameters(), steepest)
    optimiser.step()


@torch.no_grad()
def follow(steady: nn.Module, network: nn.Module, share: float) -> None:
    """Move `steady` to where the network is, keeping this share of where it was."""
    for kept, now in zip(steady.state_dict().values(), network.state_dict().values(), strict=True):
        kept.copy_(kept * share + now * (1 - share) if kept.is_floating_point() else now)


def export(
    network: nn.Module,
    path: Path,
    sample: Tensor,
    names: tuple[str, Sequence[str]],
    free: dict[int, str] | None = None,
    *,
    difference: bool = False,
) -> None:
    """Write `network` as ONNX, `packed`. names: of its input and its outputs; free: the axes of both whose
    lengths may differ from the sample's, {0: "n"} if nothing is said; difference: see `packed`."""
    given, answers = names
    torch.onnx.export(
        network.eval().to(memory_format=torch.contiguous_format),
        (sample,),
        str(path),
        input_names=[given],
        output_names=list(answers),
        dynamic_axes=dict.fromkeys([given, *answers], free or {0: "n"}),
        opset_version=17,
        dynamo=False,
    )
    onnx.save(packed(onnx.load(path), difference=difference), path)
