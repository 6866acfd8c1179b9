"""Tables that are not ours: boards with their own measures and print and without tags, pieces of other
makers, other cameras. Nothing that reads photographs is tuned on them: they show what `henge calibrate` is
worth. Pictures are uint8 BGR (H, W, 3) like all artwork.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field, board_from_json
from engine.boards.layout import AnthologyLayout, KniziaLayout, anthology, board_text, knizia
from engine.position import Piece
from sample_images.generator.positions import random_position
from sample_images.generator.scene import Camera, Light, Placement, Scene, Sensor, Table
from sample_images.generator.sets import COLOUR_NAMES, RGB

Picture = NDArray[np.uint8]
Floats = NDArray[np.float32]
FIRST_SEED, SEEDS_APART = 70_000, 100
STAGES = ("opening", "middle", "middle", "full", "full")


@dataclass(frozen=True)
class Print:
    """The look of an edition. `ground`: colours between which its texture wanders, `grain_mm`: how coarse;
    `spot`: where pieces land, None for the field's own colour; `line`: what outlines are drawn in."""

    ground: tuple[RGB, RGB, RGB]
    grain_mm: float
    spot: RGB | None
    line: RGB
    colours: dict[str, RGB]
    weave: float = 0.0


@dataclass(frozen=True)
class Edition:
    """One table of somebody else: `game` is played there with `pieces` under `light` before `camera`."""

    game: str
    board: dict[str, Any]
    look: Print
    pieces: str
    light: Light
    camera: Camera
    table: Table
    sensor: Sensor

    def board_of(self, name: str) -> Board:
        return board_from_json({**self.board, "id": name, "markers": []}, name)


def _colours(*shades: RGB) -> dict[str, RGB]:
    return dict(zip(COLOUR_NAMES, shades, strict=True))


ENAMEL = _colours((238, 234, 222), (58, 84, 140), (86, 128, 70), (226, 186, 74), (172, 62, 50),
                  (140, 138, 132), (48, 46, 50), (120, 84, 56))  # fmt: skip
EDITIONS = {
    "meadow": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=470, rim_radius_mm=221, ring_radius_mm=204, slot_radius_mm=174,
                                  pit_radius_mm=153, trilith_radius_mm=104, horseshoe_radius_mm=70,
                                  horseshoe_leg_mm=48, yard_reach_mm=158)),
        Print(((92, 118, 58), (122, 142, 74), (74, 92, 46)), 5.0, (204, 198, 182), (64, 58, 48), ENAMEL),
        "glass", Light("lamp", 60, 62, 0.5, 0.6, 0.15),
        Camera(57, 8, 0.8, 0.62, (0.0, 0.0), 74, -0.12, 0.014, 0.0, 1280, 800),
        Table("walnut", 0.45, 1, 0.2, False), Sensor(0.1, 0.85, (1.02, 1.0, 0.99), 0.22, 0.6),
    ),
    "weave": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=520, rim_radius_mm=246, ring_radius_mm=226, slot_radius_mm=190,
                                  pit_radius_mm=168, trilith_radius_mm=116, horseshoe_radius_mm=78,
                                  horseshoe_leg_mm=55, yard_reach_mm=174)),
        Print(((206, 190, 160), (194, 176, 146), (214, 200, 172)), 9.0, None, (96, 60, 42),
              _colours((232, 226, 212), (132, 150, 180), (152, 172, 134), (226, 202, 140), (200, 138, 122),
                       (170, 164, 154), (112, 106, 102), (150, 116, 88)), 0.05),
        "felt", Light("window", 250, 42, 0.0, 0.3, 0.5),
        Camera(68, -14, -1.0, 0.66, (0.0, 0.0), 58, -0.04, 0.004, 0.0, 1280, 960),
        Table("slate", 0.5, 1, 0.1, False), Sensor(0.0, 0.9, (1.0, 1.0, 1.02), 0.1, 0.5),
    ),
    "quarry": Edition(
        "stonehenge",
        knizia(KniziaLayout(size_mm=400, spacing_mm=58, space_mm=17, line_end_mm=10)),
        Print(((58, 64, 74), (74, 80, 88), (48, 52, 62)), 14.0, (176, 162, 136), (216, 208, 190), ENAMEL),
        "horn", Light("several", 150, 60, 0.35, 0.5, 0.2),
        Camera(52, 20, 1.5, 0.6, (0.0, 0.0), 66, -0.07, 0.008, 0.0, 1280, 720),
        Table("pine", 0.5, 1, 0.2, False), Sensor(0.0, 0.85, (0.99, 1.0, 1.02), 0.2, 0.55),
    ),
    "harbour": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=490, rim_radius_mm=232, ring_radius_mm=214, slot_radius_mm=182,
                                  pit_radius_mm=160, trilith_radius_mm=110, horseshoe_radius_mm=74,
                                  horseshoe_leg_mm=50, yard_reach_mm=166)),
        Print(((64, 104, 118), (84, 126, 136), (52, 88, 104)), 7.0, (188, 182, 160), (28, 40, 52), ENAMEL),
        "bone", Light("lamp", 210, 55, 0.6, 0.4, 0.25),
        Camera(49, 186, 0.5, 0.64, (0.0, 0.0), 62, -0.09, 0.01, 0.0, 1600, 900),
        Table("oak", 0.5, 1, 0.2, False), Sensor(0.05, 0.85, (1.03, 1.0, 0.97), 0.25, 0.6),
    ),
    "ember": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=455, rim_radius_mm=214, ring_radius_mm=198, slot_radius_mm=169,
                                  pit_radius_mm=149, trilith_radius_mm=102, horseshoe_radius_mm=69,
                                  horseshoe_leg_mm=47, yard_reach_mm=153)),
        Print(((112, 74, 58), (138, 96, 74), (90, 60, 50)), 11.0, None, (34, 22, 20),
              _colours((214, 204, 186), (70, 90, 124), (92, 112, 76), (198, 160, 84), (150, 70, 58),
                       (136, 130, 120), (60, 54, 52), (104, 74, 52))),
        "acrylic", Light("several", 100, 58, 0.3, 0.5, 0.2),
        Camera(63, 92, -1.2, 0.66, (0.0, 0.0), 70, -0.15, 0.02, 0.0, 1280, 960),
        Table("slate", 0.5, 1, 0.15, False), Sensor(0.0, 0.88, (1.0, 1.0, 1.0), 0.2, 0.55),
    ),
    "frost": Edition(
        "stonehenge",
        knizia(KniziaLayout(size_mm=430, spacing_mm=63, space_mm=18, line_end_mm=11)),
        Print(((206, 212, 214), (190, 198, 204), (218, 222, 220)), 6.0, None, (70, 84, 104), ENAMEL),
        "bead", Light("window", 20, 48, 0.0, 0.35, 0.45),
        Camera(44, -30, 0.8, 0.6, (0.0, 0.0), 60, -0.1, 0.012, 0.0, 1280, 720),
        Table("walnut", 0.45, 1, 0.2, False), Sensor(0.05, 0.85, (0.98, 1.0, 1.03), 0.2, 0.55),
    ),
    "cedar": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=480, rim_radius_mm=226, ring_radius_mm=208, slot_radius_mm=178,
                                  pit_radius_mm=157, trilith_radius_mm=107, horseshoe_radius_mm=72,
                                  horseshoe_leg_mm=49, yard_reach_mm=162)),
        Print(((152, 112, 74), (170, 130, 90), (132, 96, 64)), 8.0, (214, 204, 178), (58, 38, 26), ENAMEL),
        "teak", Light("window", 130, 50, 0.2, 0.4, 0.4),
        Camera(55, 14, -0.7, 0.64, (0.0, 0.0), 68, -0.08, 0.008, 0.0, 1280, 720),
        Table("pine", 0.5, 1, 0.2, False), Sensor(0.05, 0.85, (1.0, 1.0, 1.01), 0.2, 0.55),
    ),
    "lagoon": Edition(
        "stonehenge",
        knizia(KniziaLayout(size_mm=415, spacing_mm=60.5, space_mm=17.5, line_end_mm=10.5)),
        Print(((96, 146, 148), (116, 162, 158), (78, 128, 136)), 10.0, (222, 216, 196), (30, 52, 60), ENAMEL),
        "shell", Light("lamp", 310, 58, 0.4, 0.5, 0.2),
        Camera(58, -100, 1.1, 0.62, (0.0, 0.0), 72, -0.11, 0.013, 0.0, 1280, 960),
        Table("oak", 0.5, 1, 0.2, False), Sensor(0.05, 0.86, (1.02, 1.0, 0.98), 0.22, 0.6),
    ),
    "ochre": Edition(
        "ramming",
        anthology(AnthologyLayout(size_mm=505, rim_radius_mm=239, ring_radius_mm=220, slot_radius_mm=186,
                                  pit_radius_mm=164, trilith_radius_mm=113, horseshoe_radius_mm=76,
                                  horseshoe_leg_mm=52, yard_reach_mm=170)),
        Print(((196, 154, 88), (208, 168, 104), (180, 138, 76)), 6.0, None, (74, 46, 28),
              _colours((236, 226, 200), (88, 116, 160), (110, 140, 88), (232, 206, 120), (182, 92, 66),
                       (164, 152, 132), (80, 66, 58), (128, 90, 60)), 0.03),
        "clay", Light("several", 190, 60, 0.3, 0.5, 0.2),
        Camera(60, 172, 0.4, 0.65, (0.0, 0.0), 64, -0.06, 0.006, 0.0, 1600, 1200),
        Table("walnut", 0.45, 1, 0.2, False), Sensor(0.0, 0.88, (0.99, 1.0, 1.0), 0.15, 0.5),
    ),
    "plum": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=460, rim_radius_mm=217, ring_radius_mm=200, slot_radius_mm=171,
                                  pit_radius_mm=151, trilith_radius_mm=103, horseshoe_radius_mm=70,
                                  horseshoe_leg_mm=48, yard_reach_mm=155)),
        Print(((90, 66, 92), (110, 82, 108), (74, 54, 78)), 12.0, (198, 190, 176), (226, 218, 204), ENAMEL),
        "resin", Light("lamp", 20, 60, 0.5, 0.6, 0.2),
        Camera(50, 32, -0.4, 0.63, (0.0, 0.0), 66, -0.13, 0.016, 0.0, 1280, 800),
        Table("slate", 0.5, 1, 0.15, False), Sensor(0.08, 0.85, (1.02, 1.0, 0.99), 0.22, 0.6),
    ),
    "gorse": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=500, rim_radius_mm=236, ring_radius_mm=218, slot_radius_mm=185,
                                  pit_radius_mm=163, trilith_radius_mm=112, horseshoe_radius_mm=75,
                                  horseshoe_leg_mm=52, yard_reach_mm=168)),
        Print(((188, 172, 76), (204, 188, 96), (168, 156, 66)), 7.0, (226, 220, 200), (52, 60, 40), ENAMEL),
        "maple", Light("overcast", 80, 40, -0.1, 0.5, 0.5),
        Camera(58, 96, 0.9, 0.63, (0.0, 0.0), 64, -0.07, 0.007, 0.0, 1280, 720),
        Table("white", 0.5, 1, 0.2, False), Sensor(0.05, 0.86, (1.0, 1.0, 1.02), 0.18, 0.55),
    ),
    "flint": Edition(
        "stonehenge",
        knizia(KniziaLayout(size_mm=390, spacing_mm=57, space_mm=16.5, line_end_mm=10)),
        Print(((64, 62, 60), (82, 80, 76), (50, 50, 50)), 9.0, None, (190, 180, 160), ENAMEL),
        "pebble", Light("lamp", 240, 64, 0.5, 0.5, 0.2),
        Camera(50, 78, -0.8, 0.6, (0.0, 0.0), 70, -0.1, 0.011, 0.0, 1280, 800),
        Table("green", 0.5, 1, 0.15, False), Sensor(0.0, 0.85, (1.02, 1.0, 0.98), 0.22, 0.55),
    ),
    "tern": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=475, rim_radius_mm=224, ring_radius_mm=207, slot_radius_mm=176,
                                  pit_radius_mm=155, trilith_radius_mm=106, horseshoe_radius_mm=71,
                                  horseshoe_leg_mm=49, yard_reach_mm=160)),
        Print(((214, 216, 212), (226, 228, 224), (202, 206, 204)), 10.0, None, (60, 66, 74),
              _colours((246, 246, 242), (96, 126, 168), (120, 152, 116), (232, 208, 122), (190, 104, 92),
                       (158, 158, 156), (70, 70, 74), (146, 112, 84))),
        "stud", Light("several", 40, 60, 0.25, 0.5, 0.2),
        Camera(64, -70, 0.6, 0.66, (0.0, 0.0), 60, -0.05, 0.005, 0.0, 1600, 1200),
        Table("oak", 0.5, 1, 0.2, False), Sensor(0.0, 0.88, (1.0, 1.0, 1.0), 0.15, 0.5),
    ),
    "heath": Edition(
        "ramming",
        anthology(AnthologyLayout(size_mm=465, rim_radius_mm=219, ring_radius_mm=202, slot_radius_mm=172,
                                  pit_radius_mm=152, trilith_radius_mm=104, horseshoe_radius_mm=70,
                                  horseshoe_leg_mm=48, yard_reach_mm=157)),
        Print(((126, 106, 116), (146, 124, 132), (108, 90, 102)), 6.0, (206, 196, 184), (44, 34, 44), ENAMEL),
        "cork", Light("window", 60, 46, 0.1, 0.4, 0.45),
        Camera(56, 200, -0.9, 0.65, (0.0, 0.0), 66, -0.09, 0.01, 0.0, 1280, 960),
        Table("linen", 0.5, 1, 0.2, False), Sensor(0.05, 0.86, (0.99, 1.0, 1.02), 0.2, 0.55),
    ),
    "kelp": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=515, rim_radius_mm=243, ring_radius_mm=224, slot_radius_mm=189,
                                  pit_radius_mm=167, trilith_radius_mm=115, horseshoe_radius_mm=77,
                                  horseshoe_leg_mm=54, yard_reach_mm=173)),
        Print(((58, 76, 68), (74, 94, 82), (46, 62, 56)), 8.0, (182, 186, 170), (206, 206, 186), ENAMEL),
        "opal", Light("lamp", 130, 58, 0.4, 0.6, 0.2),
        Camera(48, -8, 0.7, 0.62, (0.0, 0.0), 72, -0.12, 0.014, 0.0, 1280, 800),
        Table("cloth", 0.45, 1, 0.2, False), Sensor(0.08, 0.85, (1.02, 1.0, 0.98), 0.2, 0.6),
    ),
    "sorrel": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=485, rim_radius_mm=229, ring_radius_mm=211, slot_radius_mm=180,
                                  pit_radius_mm=158, trilith_radius_mm=109, horseshoe_radius_mm=73,
                                  horseshoe_leg_mm=50, yard_reach_mm=164)),
        Print(((168, 92, 78), (186, 110, 92), (148, 80, 68)), 9.0, (232, 222, 204), (70, 30, 28), ENAMEL),
        "rattan", Light("overcast", 200, 44, 0.0, 0.5, 0.5),
        Camera(60, -86, -0.6, 0.64, (0.0, 0.0), 66, -0.08, 0.009, 0.0, 1280, 960),
        Table("walnut", 0.5, 1, 0.2, False), Sensor(0.0, 0.87, (1.01, 1.0, 0.99), 0.18, 0.5),
    ),
    "basalt": Edition(
        "stonehenge",
        knizia(KniziaLayout(size_mm=405, spacing_mm=59, space_mm=17, line_end_mm=10.5)),
        Print(((88, 92, 100), (104, 108, 116), (72, 76, 84)), 7.0, (206, 204, 198), (30, 32, 38), ENAMEL),
        "tin", Light("several", 70, 60, 0.3, 0.5, 0.2),
        Camera(54, 188, 1.0, 0.6, (0.0, 0.0), 64, -0.06, 0.007, 0.0, 1280, 720),
        Table("linen", 0.5, 1, 0.2, False), Sensor(0.05, 0.86, (1.0, 1.0, 1.01), 0.2, 0.55),
    ),
    "dune": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=450, rim_radius_mm=212, ring_radius_mm=196, slot_radius_mm=167,
                                  pit_radius_mm=147, trilith_radius_mm=101, horseshoe_radius_mm=68,
                                  horseshoe_leg_mm=46, yard_reach_mm=152)),
        Print(((220, 204, 170), (232, 218, 186), (206, 190, 156)), 12.0, None, (104, 84, 60),
              _colours((248, 242, 228), (112, 142, 176), (140, 164, 118), (238, 210, 130), (204, 124, 100),
                       (176, 168, 152), (92, 82, 72), (160, 124, 88)), 0.03),
        "amber", Light("window", 320, 48, 0.1, 0.4, 0.45),
        Camera(52, 10, 0.5, 0.64, (0.0, 0.0), 68, -0.1, 0.012, 0.0, 1600, 900),
        Table("slate", 0.5, 1, 0.15, False), Sensor(0.05, 0.86, (1.0, 1.0, 1.02), 0.18, 0.55),
    ),
    "reed": Edition(
        "ramming",
        anthology(AnthologyLayout(size_mm=495, rim_radius_mm=234, ring_radius_mm=216, slot_radius_mm=183,
                                  pit_radius_mm=161, trilith_radius_mm=111, horseshoe_radius_mm=75,
                                  horseshoe_leg_mm=51, yard_reach_mm=167)),
        Print(((110, 120, 88), (128, 138, 104), (94, 104, 74)), 5.0, (198, 200, 182), (36, 42, 30), ENAMEL),
        "chalkstone", Light("lamp", 280, 60, 0.5, 0.5, 0.2),
        Camera(58, 100, -0.5, 0.65, (0.0, 0.0), 62, -0.07, 0.008, 0.0, 1280, 960),
        Table("pine", 0.5, 1, 0.2, False), Sensor(0.0, 0.87, (1.02, 1.0, 0.98), 0.2, 0.5),
    ),
    "birch": Edition(
        "council",
        anthology(AnthologyLayout(size_mm=470, rim_radius_mm=222, ring_radius_mm=205, slot_radius_mm=174,
                                  pit_radius_mm=153, trilith_radius_mm=105, horseshoe_radius_mm=71,
                                  horseshoe_leg_mm=48, yard_reach_mm=158)),
        Print(((206, 198, 180), (220, 212, 194), (190, 182, 164)), 9.0, (150, 164, 150), (60, 70, 64),
              _colours((240, 238, 232), (70, 100, 150), (84, 132, 92), (220, 184, 90), (178, 76, 64),
                       (150, 148, 142), (58, 54, 52), (126, 92, 66)), 0.02),
        "any-9101", Light("window", 100, 52, 0.15, 0.4, 0.4),
        Camera(50, 215, 1.0, 0.62, (0.0, 0.0), 66, -0.09, 0.01, 0.0, 1600, 1200),
        Table("walnut", 0.5, 1, 0.2, False), Sensor(0.05, 0.86, (1.01, 1.0, 0.99), 0.2, 0.55),
    ),
    "coral": Edition(
        "roulette",
        anthology(AnthologyLayout(size_mm=480, rim_radius_mm=227, ring_radius_mm=210, slot_radius_mm=178,
                                  pit_radius_mm=156, trilith_radius_mm=107, horseshoe_radius_mm=73,
                                  horseshoe_leg_mm=49, yard_reach_mm=162)),
        Print(((190, 120, 104), (206, 138, 120), (172, 104, 90)), 6.0, (226, 214, 196), (72, 36, 32), ENAMEL),
        "any-9102", Light("lamp", 160, 60, 0.45, 0.5, 0.2),
        Camera(44, 320, -0.5, 0.64, (0.0, 0.0), 70, -0.11, 0.013, 0.0, 1920, 1080),
        Table("oak", 0.5, 1, 0.2, False), Sensor(0.05, 0.87, (1.02, 1.0, 0.98), 0.2, 0.55),
    ),
    "marsh": Edition(
        "build",
        anthology(AnthologyLayout(size_mm=505, rim_radius_mm=239, ring_radius_mm=221, slot_radius_mm=187,
                                  pit_radius_mm=165, trilith_radius_mm=114, horseshoe_radius_mm=77,
                                  horseshoe_leg_mm=52, yard_reach_mm=170)),
        Print(((82, 104, 96), (98, 122, 112), (66, 86, 80)), 8.0, (180, 190, 170), (24, 34, 30),
              _colours((236, 232, 216), (74, 110, 176), (110, 158, 98), (228, 190, 84), (190, 80, 62),
                       (158, 162, 154), (44, 46, 46), (140, 104, 74)), 0.02),
        "any-9103", Light("several", 250, 60, 0.25, 0.5, 0.2),
        Camera(56, 75, 0.5, 0.65, (0.0, 0.0), 64, -0.08, 0.009, 0.0, 1280, 960),
        Table("pine", 0.5, 1, 0.2, False), Sensor(0.05, 0.86, (0.99, 1.0, 1.02), 0.2, 0.55),
    ),
    "larch": Edition(
        "ramming",
        anthology(AnthologyLayout(size_mm=460, rim_radius_mm=217, ring_radius_mm=201, slot_radius_mm=170,
                                  pit_radius_mm=150, trilith_radius_mm=103, horseshoe_radius_mm=70,
                                  horseshoe_leg_mm=47, yard_reach_mm=155)),
        Print(((172, 134, 92), (188, 150, 106), (154, 118, 78)), 7.0, (224, 208, 178), (56, 40, 26), ENAMEL),
        "any-9104", Light("window", 210, 50, 0.1, 0.4, 0.4),
        Camera(52, 145, 0.5, 0.66, (0.0, 0.0), 66, -0.08, 0.01, 0.0, 1280, 720),
        Table("slate", 0.5, 1, 0.15, False), Sensor(0.05, 0.85, (1.0, 1.0, 1.01), 0.2, 0.55),
    ),
    "fjord": Edition(
        "council",
        anthology(AnthologyLayout(size_mm=490, rim_radius_mm=232, ring_radius_mm=214, slot_radius_mm=181,
                                  pit_radius_mm=160, trilith_radius_mm=110, horseshoe_radius_mm=75,
                                  horseshoe_leg_mm=51, yard_reach_mm=165)),
        Print(((92, 118, 146), (110, 136, 164), (76, 100, 126)), 10.0, (206, 214, 220), (22, 30, 44), ENAMEL),
        "any-9105", Light("lamp", 340, 58, 0.35, 0.5, 0.2),
        Camera(58, 280, -0.5, 0.66, (0.0, 0.0), 62, -0.06, 0.007, 0.0, 1280, 720),
        Table("white", 0.5, 1, 0.2, False), Sensor(0.05, 0.85, (1.01, 1.0, 0.99), 0.2, 0.55),
    ),
}  # fmt: skip


# --- what is printed ---------------------------------------------------------------------------------


def edition_artwork(board: Board, look: Print, px_per_mm: float) -> Picture:
    """The printed board."""
    width, height = (round(side * px_per_mm) for side in board.size_mm)
    chance = np.random.default_rng(len(board.fields))
    ground = _texture((height, width), look, px_per_mm, chance)
    picture = np.asarray(np.clip(ground, 0, 255), np.uint8)
    for each in sorted(board.fields.values(), key=lambda field: -field.radius_mm):
        _draw_field(picture, each, look, px_per_mm)
    return picture


def _texture(size: tuple[int, int], look: Print, px_per_mm: float, chance: np.random.Generator) -> Floats:
    """A ground that wanders between the look's colours, coarse and fine, perhaps woven."""
    height, width = size
    low, middle, high = (np.array(shade[::-1], np.float32) for shade in look.ground)
    way = np.zeros(size, np.float32)
    for octave, share in enumerate((0.5, 0.3, 0.2)):
        cell = look.grain_mm * 4 * px_per_mm / 3**octave
        cells = (max(2, int(height / cell)), max(2, int(width / cell)))
        field = chance.standard_normal(cells).astype(np.float32)
        way += share * cv2.resize(field, (width, height), interpolation=cv2.INTER_CUBIC)
    way = np.clip(way, -1.2, 1.2)[..., None]
    picture = middle + np.where(way < 0, -way * (low - middle), way * (high - middle))
    if look.weave:
        x, y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
        thread = np.sin(x / px_per_mm * 2.1) * np.sin(y / px_per_mm * 2.1)
        picture *= 1 + look.weave * thread[..., None]
    return np.asarray(picture, np.float32)


def _draw_field(picture: Picture, each: Field, look: Print, px_per_mm: float) -> None:
    outline = np.round(np.array(each.outline_mm()) * px_per_mm).astype(np.int32)
    own = look.colours.get(each.colour or "", look.spot or look.colours["grey"])
    line = tuple(float(part) for part in look.line[::-1])
    if each.kind in ("yard", "altar"):
        cv2.polylines(picture, [outline], True, line, max(1, round(0.8 * px_per_mm)), cv2.LINE_AA)
        return
    fill = tuple(float(part) for part in (look.spot or own)[::-1])
    cv2.fillPoly(picture, [outline], fill, cv2.LINE_AA)
    rim = tuple(float(part) for part in own[::-1]) if look.spot and each.colour else line
    cv2.polylines(picture, [outline], True, rim, max(1, round(1.3 * px_per_mm)), cv2.LINE_AA)
    if each.kind in ("ring", "space", "line"):
        _draw_name(picture, each, line, px_per_mm)


def _draw_name(picture: Picture, each: Field, line: tuple[float, ...], px_per_mm: float) -> None:
    """A number or letter, a little off the middle as printers like it."""
    text = each.id.rpartition("-")[2]
    size = 0.5 * each.radius_mm * px_per_mm / 22
    thick = max(1, round(0.35 * px_per_mm))
    (wide, high), _ = cv2.getTextSize(text, cv2.FONT_HERSHEY_TRIPLEX, size, thick)
    x, y = (value * px_per_mm for value in each.centre_mm)
    at = (round(x - wide / 2), round(y + high / 2 + 0.35 * each.radius_mm * px_per_mm))
    cv2.putText(picture, text, at, cv2.FONT_HERSHEY_TRIPLEX, size, line, thick, cv2.LINE_AA)


# --- what is photographed ----------------------------------------------------------------------------


def scenes(name: str, board_file: Path) -> Iterator[tuple[str, Scene]]:
    """(file name, scene): the empty board, the pieces on it and beside it, then positions of the game."""
    edition = EDITIONS[name]
    board = edition.board_of(name)
    seed = FIRST_SEED + SEEDS_APART * list(EDITIONS).index(name)
    base = Scene(
        str(board_file), edition.game, (), seed, name, edition.pieces, edition.camera, edition.light,
        edition.table, Placement(), edition.sensor, tags=("plain", name),
    )  # fmt: skip
    yield "empty", replace(base, tags=("setup",))
    yield "pieces", replace(base, pieces=shown_pieces(board, edition.game, seed), tags=("setup",))
    for number, stage in enumerate(STAGES, 1):
        pieces = random_position(edition.game, stage, seed + number, board)
        yield f"{number:02d}", replace(base, pieces=pieces, tags=("plain", name, stage))


def shown_pieces(board: Board, game: str, seed: int) -> tuple[Piece, ...]:
    """What a person shows once: of each colour something, half of it on fields, half beside the board."""
    chance = random.Random(f"shown {seed}")
    colours = ("black", "brown") if game == "stonehenge" else ("white", "blue", "green", "yellow", "red")
    kinds = {"druid": "space", "megalith": "line"} if game == "stonehenge" else {
        "block": "ring", "disc": "bluestone", "figure": "ring"
    }  # fmt: skip
    places = {kind: [field.id for field in board.fields_of_kind(kind)] for kind in set(kinds.values())}
    for names in places.values():
        chance.shuffle(names)
    lying, beside = [], iter(_beside(board))
    for row, (kind, on) in enumerate(kinds.items()):
        for column, colour in enumerate(colours):
            value = {"value": 1 + column + row} if kind == "druid" else {}
            if (row + column) % 2 == 0:
                lying.append(Piece(kind, colour, field=places[on].pop(), **value))
            else:
                x, y = next(beside)
                turn = round(chance.uniform(0, 180), 1)
                lying.append(Piece(kind, colour, x_mm=x, y_mm=y, angle_deg=turn, **value))
    return tuple(lying)


def _beside(board: Board) -> list[tuple[float, float]]:
    """Places on the table left and right of the board."""
    width, height = board.size_mm
    return [(x, round(height * share, 1)) for share in (0.3, 0.45, 0.6, 0.75) for x in (-38.0, width + 38.0)]


def write_board(name: str, path: Path) -> Path:
    """The edition's board as printed, as a board file; a player of it would not have one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(board_text(json.loads(json.dumps(EDITIONS[name].board_of(name).to_json()))), "utf-8")
    return path
