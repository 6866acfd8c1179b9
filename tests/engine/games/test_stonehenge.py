"""Knizia's Stonehenge: the rule book's sentences, random games, and a scorer that knows no shortcuts."""

from __future__ import annotations

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import load_game
from tests.engine.games.properties import check_random_game

VARIANTS = [{}, {"face_down": True}]
PLAYERS = ("black", "brown")


@pytest.mark.parametrize("variant", VARIANTS, ids=str)
@pytest.mark.parametrize("half_seen", [False, True])
@settings(max_examples=12, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_games(variant, half_seen, seed):
    check_random_game(load_game("stonehenge", half_seen=half_seen, **variant), PLAYERS, seed)
