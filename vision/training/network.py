"""The place network: what stands on a place, and where in the crop its colour can be read.

Input (N, CHANNELS, 48, 48), see `vision.crops`. Output: logits for empty, body 1..4, hidden; the pooled
colour of the piece; a context vector. A small second network compares that colour with each colour of a
palette given at run time, so that no colour is learnt by heart.
"""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from vision.crops import CHANNELS, CROP_PX
from vision.places import MOST_BODIES

CLASSES = MOST_BODIES + 2
CONTEXT = 16


class Block(nn.Module):
    """Two 3x3 convolutions with a shortcut."""

    def __init__(self, channels: int) -> None:
        super().__init__()
        self.first = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels)
        )
        self.second = nn.Sequential(
            nn.Conv2d(channels, channels, 3, padding=1, bias=False), nn.BatchNorm2d(channels)
        )

    def forward(self, x: Tensor) -> Tensor:
        return F.relu(x + self.second(F.relu(self.first(x))))


def conv(a: int, b: int, stride: int = 1, kernel: int = 3) -> nn.Sequential:
    """A convolution, normalised, of which nothing negative is left."""
    return nn.Sequential(
        nn.Conv2d(a, b, kernel, stride, kernel // 2, bias=False), nn.BatchNorm2d(b), nn.ReLU()
    )


def down(a: int, b: int, kernel: int = 3) -> nn.Sequential:
    """A convolution that halves the picture."""
    return conv(a, b, 2, kernel)


class PlaceNetwork(nn.Module):
    def __init__(self, width: int = 24) -> None:
        super().__init__()
        self.fine = nn.Sequential(
            down(CHANNELS, width, 5),
            nn.Conv2d(width, width, 3, padding=1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(),
        )
        self.middle = nn.Sequential(down(width, 2 * width), Block(2 * width))
        self.coarse = nn.Sequential(down(2 * width, 3 * width), Block(3 * width))
        self.body = nn.Sequential(nn.Linear(6 * width, 96), nn.ReLU())
        self.kind = nn.Linear(96, CLASSES)
        self.context = nn.Linear(96, CONTEXT)
        self.lift = nn.Conv2d(3 * width, 16, 1)
        self.look = nn.Sequential(
            nn.Conv2d(width + 16, 24, 3, padding=1), nn.ReLU(), nn.Conv2d(24, 1, 3, padding=1)
        )

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor, Tensor]:
        fine = self.fine(crops)
        coarse = self.coarse(self.middle(fine))
        pooled = torch.cat([F.avg_pool2d(coarse, 6).flatten(1), F.max_pool2d(coarse, 6).flatten(1)], 1)
        body = self.body(pooled)
        lifted = F.interpolate(self.lift(coarse), scale_factor=4.0, mode="nearest")
        # Plain numbers: OpenCV's older engine takes shapes worked out as it runs for those of one crop.
        pixels = (CROP_PX // 2) ** 2
        weight = torch.softmax(self.look(torch.cat([fine, lifted], 1)).reshape(-1, 1, pixels), dim=2)
        small = F.avg_pool2d(crops[:, 0:3], 2).reshape(-1, 3, pixels)
        return self.kind(body), (small * weight).sum(2), self.context(body)


class ColourNetwork(nn.Module):
    """One number for how well a seen colour fits one colour of the palette."""

    def __init__(self) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(12 + CONTEXT, 48), nn.ReLU(), nn.Linear(48, 32), nn.ReLU(), nn.Linear(32, 1)
        )

    def forward(self, seen: Tensor, context: Tensor, palette: Tensor) -> Tensor:
        """(N, P) logits of seen (N, 3), context (N, CONTEXT), palette (N, P, 3)."""
        wide = seen[:, None].expand_as(palette)
        gap = wide - palette
        about = context[:, None].expand(-1, palette.shape[1], -1)
        return self.layers(torch.cat([wide, palette, gap, gap.abs(), about], 2))[..., 0]
