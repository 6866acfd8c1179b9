"""Still pictures, hands and lamps, told apart on drawn pictures; and that it costs next to nothing."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest

from vision.pictures.settle import Settler

STEP_S = 0.1


@cache
def table() -> np.ndarray:
    rng = np.random.default_rng(1)
    picture = np.full((720, 1280, 3), 150, np.uint8)
    for _ in range(80):
        x, y = rng.integers(100, 1180), rng.integers(60, 660)
        cv2.circle(picture, (int(x), int(y)), 22, rng.uniform(40, 220, 3).tolist(), -1)
    return picture


def board(seed: int = 0, light: float = 1.0) -> np.ndarray:
    """A table with print on it, (720, 1280, 3) uint8; every picture has its own noise."""
    noise = np.zeros((720, 1280, 3), np.int8)
    cv2.setRNGSeed(seed)
    cv2.randn(noise, 0, 2)
    return cv2.add(cv2.convertScaleAbs(table(), alpha=light), noise, dtype=cv2.CV_8U)


def with_stone(picture: np.ndarray) -> np.ndarray:
    cv2.circle(picture, (640, 360), 24, (20, 20, 20), -1)
    return picture


def with_arm(picture: np.ndarray, x: int = 640) -> np.ndarray:
    cv2.line(picture, (x, 719), (x - 60, 380), (120, 150, 200), 130)
    return picture


class Watch:
    def __init__(self) -> None:
        self.settler, self.at_s, self.number = Settler(), 0.0, 0

    def see(self, make, times: int = 6):
        motion = None
        for _ in range(times):
            self.number += 1
            self.at_s += STEP_S
            motion = self.settler.update(make(board(self.number)), self.at_s)
        return motion

    def settled(self) -> Watch:
        assert self.see(lambda p: p).state == "still"
        self.settler.settled()
        return self


def test_a_quiet_table_is_still_and_unchanged():
    motion = Watch().settled().see(lambda p: p)
    assert motion.state == "still" and not motion.changed


def test_a_new_stone_is_a_change_once_it_is_still():
    watch = Watch().settled()
    assert watch.see(with_stone, times=1).state == "moving"
    motion = watch.see(with_stone)
    assert motion.state == "still" and motion.changed


def test_a_hand_that_moves_is_motion_and_one_that_rests_is_a_hand():
    watch = Watch().settled()
    for x in (400, 500, 600):
        assert watch.see(lambda p, x=x: with_arm(p, x), times=1).state == "moving"
    assert watch.see(lambda p: with_arm(p, 600)).state == "hand"
    motion = watch.see(with_stone)
    assert motion.state == "still" and motion.changed


def test_what_lies_there_for_long_is_no_hand():
    watch = Watch().settled()
    assert watch.see(with_arm, times=80).state == "still"


def test_automatic_exposure_is_no_change():
    watch = Watch().settled()
    watch.number += 1
    for light in (0.97, 0.95, 0.95, 0.95, 0.95, 0.95):
        watch.at_s += STEP_S
        motion = watch.settler.update(board(watch.number, light), watch.at_s)
    assert motion.state == "still" and not motion.changed


def test_a_lamp_that_is_switched_is_a_change_and_no_hand():
    watch = Watch().settled()
    for number in range(6):
        watch.at_s += STEP_S
        motion = watch.settler.update(board(number, 0.45), watch.at_s)
    assert motion.state == "still" and motion.changed


def test_another_size_begins_anew():
    watch = Watch().settled()
    assert watch.settler.update(board()[:360], 99.0).state == "moving"


@pytest.mark.parametrize("shape", [(480, 640), (1080, 1920), (100, 60)])
def test_any_size_will_do(shape):
    settler = Settler()
    for number in range(6):
        motion = settler.update(np.zeros((*shape, 3), np.uint8), number * 0.1)
    assert motion.state == "still"
