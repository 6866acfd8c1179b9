"""A player of Rolling Rocks for the recorded games: a bank now and then beside the way to a gate that is
still open, and a wheel in the middle of the kick-off zone."""

from __future__ import annotations

import math
import random

from engine.action import Action
from engine.games.rolling import look
from engine.games.rolling.actions import PlaceBank, SetGate, SetUpWheel
from engine.games.rolling.course import Pose
from engine.games.rolling.state import RollingState

BANKS = 0.6  # in so many turns a bank is placed
TRIES = 100
ROOM_MM = 34.0  # between the middles of things that stand beside one another
KICK_OFF_Y_MM = 472
# A course of free-standing gates in two rows: where they stand, and how they are turned.
COURSE = (Pose(110, 150, 12), Pose(250, 120, 0), Pose(390, 150, 168), Pose(170, 270, 35), Pose(330, 270, 145))


def choose_rolling(state: RollingState, rng: random.Random) -> Action:
    """The roll itself is an event."""
    if state.phase == "course":
        pose = COURSE[len(state.gates)]
        return SetGate(len(state.gates) + 1, pose.x_mm, pose.y_mm, pose.angle_deg)
    bank = _bank(state, rng) if state.phase == "banks" and rng.random() < BANKS else None
    return bank or SetUpWheel(state.wheel_colours()[0], rng.randrange(220, 281, 5), KICK_OFF_Y_MM)


def _bank(state: RollingState, rng: random.Random) -> PlaceBank | None:
    """Beside an open gate, on the side of the players, slanting towards it; None if there is no room."""
    gates = look.gate_poses(state)
    taken = [*gates, *(bank.pose for bank in state.banks)]
    open_gates = [pose for pose, marker in zip(gates, state.markers, strict=True) if marker is None]
    for _ in range(TRIES):
        gate, side = rng.choice(open_gates), rng.choice((-1, 1))
        x = gate.x_mm + side * rng.randrange(30, 60, 2)
        y = min(385, gate.y_mm + rng.randrange(28, 70, 2))
        angle = (90 - side * rng.randrange(10, 40, 5)) % 180
        bank = PlaceBank(x, y, angle)
        far = all(math.dist((x, y), (each.x_mm, each.y_mm)) > ROOM_MM for each in taken)
        if far and 20 < x < 480 and y > 40 and state.why_not(bank) is None:
            return bank
    return None
