"""White discs on white print: told by what the empty pits of the same photograph have in common."""

from __future__ import annotations

import numpy as np
import pytest

from engine.board import load_board
from vision.fields.consensus import ENOUGH, Consensus, around, is_flat, looks_of, weighed_with
from vision.fields.crops import CHANNELS, CROP_PX
from vision.fields.network import EMPTY, HIDDEN
from vision.fields.places import SLOTS, bystanders_of, places_of
from vision.geometry.bodies import body_of

PITS = tuple(p for p in places_of(load_board("anthology"), "roulette") if p.id.startswith("pit"))[:12]
DISC = 1 + SLOTS.index("cylinder")
PRINT = 0.8
# The camera shows the print everywhere a little warmer than it is, and no pit quite like the next.
CAST = np.array([0.96, 1.0, 1.03])[:, None, None]


def photograph(number=12, seed=1):
    """(N, CHANNELS, 48, 48) crops of empty pits."""
    rng = np.random.default_rng(seed)
    crops = np.zeros((number, CHANNELS, CROP_PX, CROP_PX), np.float32)
    crops[:, 3:6] = PRINT
    crops[:, :3] = PRINT * CAST * rng.normal(1, 0.01, (number, 1, 1, 1))
    crops[:, :3] += rng.normal(0, 0.01, crops[:, :3].shape)
    crops[:, 9 + SLOTS.index("cylinder"), 12:36, 12:36] = 1
    return crops


def said_of(number, empty=0.99):
    """(N, 6) of a network that thinks all of them empty."""
    kind = np.zeros((number, 6), np.float32)
    kind[:, EMPTY], kind[:, DISC] = empty, 1 - empty
    return kind


def weighed(crops, kind, bystanders=dict, own=True):
    places = PITS[: len(crops)]
    looks = looks_of(crops, places)
    said = {place.id: row for place, row in zip(places, kind, strict=True)}
    ground = around(crops, places)
    return weighed_with(Consensus.of(looks, said, ground, bystanders, own=own), looks, places, kind, ground)


def test_a_white_disc_on_white_print_is_no_empty_pit():
    crops, kind = photograph(), said_of(len(PITS))
    crops[0, :3, 12:36, 12:36] *= 1.12
    kind[0, [EMPTY, DISC]] = 0.85, 0.15
    after = weighed(crops, kind)
    assert after[0, DISC] > 0.9
    assert (after[1:, EMPTY] > 0.98).all()
    assert after.sum(axis=1) == pytest.approx(1)


def test_a_pit_in_a_lamps_light_is_no_white_disc():
    """What is brighter there is brighter beside it, too."""
    crops, kind = photograph(), said_of(len(PITS))
    kind[:2, EMPTY], kind[:2, DISC] = 0.85, 0.15
    crops[:2, :3, 12:36, 12:36] *= 1.2
    crops[0, :3] *= 1.15
    after = weighed(crops, kind)
    assert after[0] == pytest.approx(kind[0])
    assert after[1, DISC] > 0.9


def test_a_tint_that_no_other_pit_has_counts():
    crops, kind = photograph(), said_of(len(PITS))
    crops[0, 0, 12:36, 12:36] *= 1.15
    kind[0, [EMPTY, DISC]] = 0.6, 0.4
    assert weighed(crops, kind)[0, DISC] > 0.9


def test_a_plain_tint_outvotes_a_network_that_is_sure_of_our_boards_alone():
    """On our boards all pits are printed alike; on others' several colours may change each in its way."""
    crops, kind = photograph(), said_of(len(PITS), empty=0.999)
    crops[0, 0, 12:36, 12:36] *= 1.3
    assert weighed(crops, kind)[0, DISC] > 0.9
    assert weighed(crops, kind, own=False)[0, EMPTY] > 0.5


@pytest.mark.parametrize("factor", [0.6, 0.9])
def test_a_shadow_is_no_disc(factor):
    crops, kind = photograph(), said_of(len(PITS))
    crops[0, :3] *= factor
    kind[0, [EMPTY, DISC]] = 0.7, 0.3
    assert weighed(crops, kind)[0, EMPTY] > 0.8


def test_what_shines_on_half_of_a_pit_is_no_disc():
    crops, kind = photograph(), said_of(len(PITS))
    crops[0, :3, :24] *= 1.2
    kind[0, [EMPTY, DISC]] = 0.85, 0.15
    assert weighed(crops, kind)[0, EMPTY] > 0.85


def test_a_few_empty_pits_have_nothing_in_common():
    crops, kind = photograph(ENOUGH), said_of(ENOUGH)
    crops[0, :3, 12:36, 12:36] *= 1.12
    kind[0, [EMPTY, DISC]] = 0.85, 0.15
    assert weighed(crops, kind) == pytest.approx(kind)


def test_print_on_which_nothing_can_lie_helps_out_where_few_pits_are_empty():
    crops, kind = photograph(3), said_of(3)
    crops[0, :3, 12:36, 12:36] *= 1.12
    kind[0, [EMPTY, DISC]] = 0.85, 0.15
    assert weighed(crops, kind) == pytest.approx(kind)
    bystanders = bystanders_of(load_board("anthology"), "roulette")
    assert not {place.id for place in bystanders} & {place.id for place in PITS}
    beside = looks_of(photograph(len(bystanders), seed=2), bystanders)
    assert weighed(crops, kind, lambda: beside)[0, DISC] > 0.9


def test_what_is_hidden_stays_hidden():
    crops, kind = photograph(), said_of(len(PITS))
    crops[0, :3] *= 1.16
    kind[0] = 0
    kind[0, [EMPTY, HIDDEN]] = 0.1, 0.9
    assert weighed(crops, kind)[0] == pytest.approx(kind[0])


def test_an_upright_stone_is_not_told_by_what_its_top_would_be_seen_before():
    """That is other print, or what lies beside the board: at the rim of one four empty lines were called
    megaliths, because a pale table is behind where these would stand."""
    board = load_board("knizia")
    flat = {name: is_flat(body_of(piece)) for name, piece in board.pieces.items()}
    assert flat == {"druid": True, "megalith": False}
    lines = tuple(place for place in places_of(board, "stonehenge") if place.id.startswith("line"))[:12]
    crops = photograph()
    crops[:, 9 + SLOTS.index("box"), 2:10, 18:30] = 1
    crops[:, 3:6, :12] = 0.1
    crops[:, :3, :12] *= 0.1 / PRINT
    crops[:4, :3, :12] = 0.6
    looks = looks_of(crops, lines)
    said = said_of(12)
    said[:, [DISC, 1 + SLOTS.index("box")]] = said[:, [1 + SLOTS.index("box"), DISC]]
    ground = around(crops, lines)
    consensus = Consensus.of(looks, {place.id: row for place, row in zip(lines, said, strict=True)}, ground)
    assert (weighed_with(consensus, looks, lines, said, ground)[:, EMPTY] > 0.9).all()
