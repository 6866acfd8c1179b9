"""The evenings that are recorded: who plays, from which seed, at which table, in which light."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from sample_images.generator.scene import Camera, Light, Placement, Scene, Sensor, Table


@dataclass(frozen=True)
class Recording:
    """One game. `players` in seat order; `seed` of the game; `until`: so many photographs are taken, then the
    evening is over though the game is not (None: it is played to its end); `hands`: before these of the
    photographs (from 1, those with a hand not counted) one is taken with an arm over the board."""

    players: tuple[str, ...]
    seed: int
    name: str
    scene: Scene
    variant: Mapping[str, Any] = field(default_factory=dict)
    until: int | None = None
    hands: frozenset[int] = frozenset()


def _tags(scene: str) -> tuple[str, ...]:
    return ("plain", "demo", scene)


RECORDINGS = {
    "build": Recording(
        ("red", "blue", "green"),
        47,
        "Demo: Build Stonehenge!",
        Scene(
            "anthology", "build", seed=2026, style="chalk", piece_set="kit",
            camera=Camera(elevation_deg=66, azimuth_deg=4, roll_deg=-0.6, fill=0.9, field_of_view_deg=58,
                          k1=-0.02),
            light=Light("overcast", direction_deg=300, elevation_deg=48, warmth=0.05, softness=0.6,
                        ambient=0.5),
            table=Table("walnut", 0.4, clutter=2, board_gloss=0.15),
            placement=Placement(0.18, 9.0), sensor=Sensor(exposure_ev=0.15, noise=0.1, jpeg_quality=88),
            tags=_tags("overcast"),
        ),
    ),
    "stonehenge": Recording(
        ("black", "brown"),
        9,
        "Demo: Stonehenge",
        Scene(
            "knizia", "stonehenge", seed=2027, style="chalk", piece_set="kit",
            camera=Camera(elevation_deg=56, azimuth_deg=354, roll_deg=0.8, fill=0.9, field_of_view_deg=58,
                          k1=-0.02),
            light=Light("window", direction_deg=60, elevation_deg=46, warmth=0.1, softness=0.4, ambient=0.5),
            table=Table("oak", 0.5, clutter=2, board_gloss=0.15),
            placement=Placement(0.15, 9.0), sensor=Sensor(noise=0.1, jpeg_quality=88),
            tags=_tags("window"),
        ),
    ),
    "council": Recording(
        ("white", "red"),
        133,
        "Demo: The High Council",
        Scene(
            "anthology", "council", seed=2028, style="chalk", piece_set="plastic",
            camera=Camera(elevation_deg=70, azimuth_deg=357, roll_deg=0.5, fill=0.88, field_of_view_deg=58,
                          k1=-0.02),
            light=Light("lamp", direction_deg=35, elevation_deg=64, warmth=0.5, softness=0.8, ambient=0.2),
            table=Table("cloth", 0.4, clutter=2, board_gloss=0.1),
            placement=Placement(0.16, 9.0), sensor=Sensor(noise=0.15, jpeg_quality=78),
            tags=_tags("lamp"),
        ),
        hands=frozenset({6, 15}),
    ),
    "rolling": Recording(
        ("red", "green", "blue"),
        0,
        "Demo: Rolling Rocks",
        Scene(
            "anthology", "rolling", seed=2029, style="night", piece_set="wood",
            camera=Camera(elevation_deg=64, azimuth_deg=6, roll_deg=-0.4, fill=0.88, field_of_view_deg=58,
                          k1=-0.02),
            light=Light("overcast", direction_deg=210, elevation_deg=50, warmth=0.0, softness=0.6,
                        ambient=0.5),
            table=Table("oak", 0.35, clutter=2, board_gloss=0.1),
            placement=Placement(0.15, 6.0), sensor=Sensor(noise=0.12, jpeg_quality=78),
            tags=_tags("overcast"),
        ),
        variant={"marker_from_supply": True},
        hands=frozenset({5}),
    ),
    "ramming": Recording(
        ("red", "blue", "white"),
        31,
        "Demo: Trilith Bang",
        Scene(
            "anthology", "ramming", seed=2030, style="chalk", piece_set="resin",
            camera=Camera(elevation_deg=72, azimuth_deg=355, roll_deg=0.7, fill=0.9, field_of_view_deg=58,
                          k1=-0.02),
            light=Light("window", direction_deg=290, elevation_deg=50, warmth=0.05, softness=0.5,
                        ambient=0.55),
            table=Table("slate", 0.5, clutter=2, board_gloss=0.1),
            placement=Placement(0.14, 5.0), sensor=Sensor(noise=0.12, jpeg_quality=78),
            tags=_tags("window"),
        ),
        hands=frozenset({8, 17}),
    ),
    "roulette": Recording(
        ("red", "blue", "white", "green"),
        5,
        "Demo: Sacrifice Roulette",
        Scene(
            "anthology", "roulette", seed=2031, style="chalk", piece_set="kit",
            camera=Camera(elevation_deg=74, azimuth_deg=3, roll_deg=0.3, fill=0.9, field_of_view_deg=58,
                          k1=-0.02),
            light=Light("studio", direction_deg=140, elevation_deg=52, softness=0.7, ambient=0.5),
            table=Table("walnut", 0.5, clutter=2, board_gloss=0.1),
            placement=Placement(0.12, 6.0), sensor=Sensor(noise=0.1, jpeg_quality=78),
            tags=_tags("studio"),
        ),
        until=20,  # the whole pile is played twice: it takes more than fifty to the end
        hands=frozenset({14}),
    ),
}  # fmt: skip
