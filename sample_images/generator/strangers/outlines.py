"""Outlines of pieces that no set of ours has: turned figures and discs of any profile, and flat men.

A profile is a list of (radius, height) in mm, from the middle of the foot to the middle of the top.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from numpy.random import Generator

Profile = list[tuple[float, float]]
# How often a figure is a cone, a pawn, a post, or turned in any other way.
FIGURES = {"cone": 0.22, "pawn": 0.18, "post": 0.15, "turned": 0.45}
# How often a disc is flat, a dome, a pebble, or has turned rings, a dish or a button.
DISCS = {"flat": 0.35, "dome": 0.15, "pebble": 0.10, "ringed": 0.40}
# A flat man seen from the front: shares of his width (of both sides) and of his height.
MAN = ((0.0, 0.22), (0.15, 0.0), (0.5, 0.0), (0.34, 0.42), (0.55, 0.6), (0.5, 0.7), (0.2, 0.66),
       (0.2, 0.86), (0.1, 0.97))  # fmt: skip


def random_figure(rng: Generator, base: float, height: float) -> Profile:
    """A figure `base` wide at its foot and `height` high (mm)."""
    made: dict[str, Callable[[Generator, float, float], Profile]]
    made = {"cone": _cone, "pawn": _pawn, "post": _post, "turned": _turned}
    return made[rng.choice(list(FIGURES), p=list(FIGURES.values()))](rng, base / 2, height)


def random_disc(rng: Generator, diameter: float, height: float) -> Profile:
    """A disc of this diameter and height (mm)."""
    kind, radius = rng.choice(list(DISCS), p=list(DISCS.values())), diameter / 2
    if kind == "dome":
        return [(0, 0), (radius - 0.3, 0), (radius, 0.3), *_arc((0, 0.4 * height), (radius, 0.6 * height))]
    if kind == "pebble":
        side = height / 2
        return [(0, 0), *_arc((radius - side, side), (side, side), -math.pi / 2), (0, height)]
    bevel = rng.uniform(0.05, 0.45) * height
    profile: Profile = [(0, 0), (radius - bevel, 0), (radius, bevel), (radius, height - bevel)]
    inner = radius - bevel * rng.uniform(0.5, 1)
    profile.append((inner, height))
    if kind == "ringed":
        for _ in range(rng.integers(1, 4)):
            edge, deeper = inner * rng.uniform(0.6, 0.95), rng.random() < 0.7
            step = -rng.uniform(0.05, 0.35) if deeper else rng.uniform(0.03, 0.2)
            profile += [(edge, profile[-1][1]), (0.96 * edge, (1 + step) * height)]
            inner = 0.9 * edge
    return [*profile, (0, profile[-1][1])]


def standing_ball(radius: float, middle: float) -> Profile:
    """A ball whose middle is so high (mm, less than its radius): it stands on what is cut off."""
    begin = -math.asin(middle / radius)
    return [(0, 0), *_arc((0, middle), (radius, radius), begin, 18)]


def flat_man(base: float, height: float) -> Profile:
    """The outline (x, z) of a man cut from a board: both sides, from his left heel around his head."""
    right = [(x * base, z * height) for x, z in MAN]
    return [*right, *((-x, z) for x, z in reversed(right[1:]))]


def _arc(
    middle: tuple[float, float], radii: tuple[float, float], begin: float = 0.12, count: int = 10
) -> Profile:
    """A quarter of an ellipse (or more, from the angle `begin`) up to above its middle, by so many points."""
    (r, z), (wide, high) = middle, radii
    return [(r + wide * math.cos(a), z + high * math.sin(a)) for a in np.linspace(begin, math.pi / 2, count)]


def _cone(rng: Generator, foot: float, height: float) -> Profile:
    """Straight or bent, sharp, blunt or with a round top."""
    top, plinth, bend = rng.uniform(0.03, 0.55) * foot, rng.uniform(0, 0.1) * height, rng.uniform(0.7, 1.5)
    rounded = rng.random() < 0.6
    rise = height - plinth - (0.6 * top if rounded else 0)
    sides = [(foot - (foot - top) * share**bend, plinth + rise * share) for share in np.linspace(0, 1, 9)[1:]]
    cap = _arc((0, plinth + rise), (top, 0.6 * top)) if rounded else [(0.0, height)]
    return [(0, 0), (foot, 0), (foot, plinth), *sides, *cap]


def _pawn(rng: Generator, foot: float, height: float) -> Profile:
    """Any body with a ball on top, perhaps with a collar."""
    ball = min(rng.uniform(0.35, 0.75) * foot, 0.3 * height)
    neck, low, shoulder = rng.uniform(0.25, 0.9) * ball, height - 2 * ball, foot * rng.uniform(0.7, 1)
    plinth, bend = rng.uniform(0.03, 0.2) * height, rng.uniform(0.35, 1.6)
    body = [
        (shoulder + (neck - shoulder) * share**bend, plinth + (low + 0.1 * ball - plinth) * share)
        for share in np.linspace(0, 1, 8)
    ]
    if rng.random() < 0.3:
        body += [(1.5 * neck, low + 0.1 * ball), (1.5 * neck, low + 0.2 * ball)]
    return [
        (0, 0), (foot, 0), (foot, plinth), *body,
        *_arc((0, height - ball), (ball, ball), -math.acos(min(0.95, neck / ball))),
    ]  # fmt: skip


def _post(rng: Generator, foot: float, height: float) -> Profile:
    """A cylinder, a barrel or an hourglass with rounded edges."""
    wide, belly, edge = foot * rng.uniform(0.75, 1), rng.uniform(-0.2, 0.12), rng.uniform(0.03, 0.5) * foot
    sides = [
        (wide * (1 + belly * math.sin(math.pi * share)), (height - edge) * share)
        for share in np.linspace(0.05, 1, 8)
    ]
    return [(0, 0), (wide, 0), *sides, *_arc((wide - edge, height - edge), (edge, edge)), (0, height)]


def _turned(rng: Generator, foot: float, height: float) -> Profile:
    """Whatever a lathe makes: thinner towards the top, mostly, with sharp or soft steps."""
    count = int(rng.integers(4, 9))
    heights = np.concatenate([[0], np.sort(rng.uniform(0.05, 0.97, count)), [1]])
    thinner = 1 - 0.65 * np.sort(rng.uniform(0, 1, count)) + rng.normal(0, 0.14, count)
    radii = np.concatenate([[1], np.clip(thinner, 0.2, 1), [rng.uniform(0.02, 0.5)]])
    if rng.random() < 0.6:
        fine = np.linspace(0, 1, 22)
        radii = np.interp(fine, heights, radii)
        radii[1:-1] = np.convolve(radii, np.full(3, 1 / 3), "same")[1:-1]
        heights = fine
    sides = [(float(foot * r), float(height * z)) for r, z in zip(radii, heights, strict=True)]
    return [(0, 0), *sides, (0, height)]
