"""The place network: what stands on a place, and where in the crop its colour can be read.

Input (N, CHANNELS, 48, 48), see `vision.fields.crops`. Output: logits for empty, body 1..4, hidden; the
pooled colour of the piece. Which colour of the set that is, the palette tells (`vision.colours.palette`), so
that no colour is learnt by heart.
"""

from __future__ import annotations

from functools import reduce

import torch
from torch import Tensor, nn
from torch.nn import functional as F

from vision.fields.crops import CHANNELS, CROP_PX
from vision.fields.places import MOST_BODIES

CLASSES = MOST_BODIES + 2
# How many numbers tell of the whole crop, of each of its coarse parts, and of each part of a body.
BODY, LIFTED, PARTS = 96, 16, 32
# Of each body its sides, its upper faces and what it alone covers; and what any covers.
REGIONS = 3 * MOST_BODIES + 1


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
        self.body = nn.Sequential(nn.Linear(6 * width, BODY), nn.ReLU())
        self.kind = nn.Linear(BODY, CLASSES)
        self.lift = nn.Conv2d(3 * width, LIFTED, 1)
        self.look = nn.Sequential(
            nn.Conv2d(width + LIFTED, 24, 3, padding=1), nn.ReLU(), nn.Conv2d(24, 1, 3, padding=1)
        )

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        fine = self.fine(crops)
        coarse = self.coarse(self.middle(fine))
        return self.kind(self.body(pooled(coarse))), self.seen(crops, fine, self.lift(coarse))

    def seen(self, crops: Tensor, fine: Tensor, lifted: Tensor) -> Tensor:
        """(N, 3) the colour of the piece: of the pixels it is told to be read at."""
        # Plain numbers: OpenCV's older engine takes shapes worked out as it runs for those of one crop.
        pixels = (CROP_PX // 2) ** 2
        large = F.interpolate(lifted, scale_factor=4.0, mode="nearest")
        weight = torch.softmax(self.look(torch.cat([fine, large], 1)).reshape(-1, 1, pixels), dim=2)
        small = F.avg_pool2d(crops[:, 0:3], 2).reshape(-1, 3, pixels)
        return (small * weight).sum(2)


class JudgeNetwork(PlaceNetwork):
    """A place network for what is doubted: larger, and it asks of each body what is seen where its sides
    are, where its upper faces are, and where nothing else would be. It begins as the place network whose
    weights it is given: what is added says nothing at first."""

    def __init__(self, width: int = 24) -> None:
        super().__init__(width)
        self.middle_more, self.coarse_more = Block(2 * width), Block(3 * width)
        self.parts = conv(2 * width + LIFTED, PARTS)
        self.of_body = nn.Sequential(
            nn.Linear(4 * PARTS + 3 + BODY + MOST_BODIES, 64), nn.ReLU(), nn.Linear(64, 1)
        )
        self.of_none = nn.Sequential(nn.Linear(2 * PARTS + BODY, 64), nn.ReLU(), nn.Linear(64, 2))
        for block in (self.middle_more, self.coarse_more):
            nn.init.zeros_(block.second[1].weight)
        for last in (self.of_body[-1], self.of_none[-1]):
            nn.init.zeros_(last.weight)
            nn.init.zeros_(last.bias)
        self.register_buffer("slots", torch.eye(MOST_BODIES), persistent=False)

    def forward(self, crops: Tensor) -> tuple[Tensor, Tensor]:
        fine = self.fine(crops)
        middle = self.middle_more(self.middle(fine))
        coarse = self.coarse_more(self.coarse(middle))
        body, lifted = self.body(pooled(coarse)), self.lift(coarse)
        kind = self.kind(body) + self.by_parts(crops, middle, lifted, body)
        return kind, self.seen(crops, fine, lifted)

    def by_parts(self, crops: Tensor, middle: Tensor, lifted: Tensor, body: Tensor) -> Tensor:
        """(N, CLASSES) what the parts of the bodies add to each one's logit."""
        cells = CROP_PX // 4
        large = F.interpolate(lifted, scale_factor=2.0, mode="nearest")
        parts = self.parts(torch.cat([middle, large], 1))
        every = F.avg_pool2d(parts, cells).flatten(1)
        regions = F.avg_pool2d(regions_of(crops[:, -MOST_BODIES:]), 4).reshape(-1, REGIONS, cells**2)
        areas = regions.sum(2)
        shares = regions / (areas.reshape(-1, REGIONS, 1) + 0.25)
        means = torch.matmul(shares, parts.reshape(-1, PARTS, cells**2).transpose(1, 2))
        means = means.reshape(-1, REGIONS * PARTS)
        logits = []
        for slot in range(MOST_BODIES):
            own = range(slot, 3 * MOST_BODIES, MOST_BODIES)
            about = [means[:, region * PARTS : (region + 1) * PARTS] for region in own]
            size = torch.cat([areas[:, region : region + 1] for region in own], 1) * 0.04
            # Plus nothing: so that it is as long as the batch.
            which = self.slots[slot : slot + 1] + 0 * areas[:, :MOST_BODIES]
            logits.append(self.of_body(torch.cat([*about, every, size, body, which], 1)))
        none = self.of_none(torch.cat([means[:, -PARTS:], every, body], 1))
        return torch.cat([none[:, 0:1], *logits, none[:, 1:2]], 1)


def pooled(coarse: Tensor) -> Tensor:
    """(N, 2 C) the mean and the highest of each of C features."""
    side = CROP_PX // 8
    return torch.cat([F.avg_pool2d(coarse, side).flatten(1), F.max_pool2d(coarse, side).flatten(1)], 1)


def regions_of(drawn: Tensor) -> Tensor:
    """(N, REGIONS, H, W) of bodies as they are drawn (`vision.fields.crops`): each one's sides, each one's
    upper faces, where each one would be and no other, and where any would be."""
    top = F.relu(2 * drawn - 1)
    there = 2 * drawn - top
    each = there.split(1, 1)
    alone = []
    for slot, own in enumerate(each):
        first, *others = (other for number, other in enumerate(each) if number != slot)
        alone.append(F.relu(own - reduce(torch.maximum, others, first)))
    return torch.cat([there - top, top, *alone, reduce(torch.maximum, each)], 1)
