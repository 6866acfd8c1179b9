"""Random positions and where their pieces are put down."""

from __future__ import annotations

from collections import Counter

import pytest

from engine.board import Board, load_board
from sample_images.generator.placing import Placed, footprints, overlap_mm, place_pieces
from sample_images.generator.positions import FIELDS_OF, GAMES, STAGES, board_of, random_position
from sample_images.generator.scene import Placement
from sample_images.generator.sets import SETS

SEEDS = range(12)
# What a set holds at most, per colour.
MOST = {
    "disc": 10,
    "block": 10,
    "figure": 1,
    "trilith": 5,
    "druid": 9,
    "megalith": 8,
    "pillar": 10,
    "capstone": 5,
    "card": 60,
}


@pytest.mark.parametrize("game", GAMES)
def test_the_same_seed_gives_the_same_position(game: str) -> None:
    assert random_position(game, "middle", 7) == random_position(game, "middle", 7)
    assert random_position(game, "middle", 7) != random_position(game, "middle", 8)


@pytest.mark.parametrize("game", GAMES)
def test_pieces_lie_where_they_may(game: str) -> None:
    board = load_board(board_of(game))
    for seed in SEEDS:
        pieces = random_position(game, "full", seed, board)
        counted = Counter()
        for piece in pieces:
            counted[piece.kind, piece.colour] += piece.count or 1
            names = piece.fields or ((piece.field,) if piece.field else ())
            for name in names:
                assert name in board.fields
                assert board.fields[name].kind in FIELDS_OF[game]
                allowed = board.pieces[piece.kind].on
                assert board.fields[name].kind in allowed or name in allowed or piece.on == "trilith"
        for (kind, _), count in counted.items():
            assert count <= MOST[kind], (game, seed, kind)


@pytest.mark.parametrize("game", GAMES)
def test_stages_fill_the_board(game: str) -> None:
    counts = [sum(len(random_position(game, stage, seed)) for seed in SEEDS) for stage in STAGES]
    assert counts[0] == 0 and counts[1] > 0
    assert counts[3] < counts[1] if game == "roulette" else counts[1] < counts[3]


def test_an_unknown_stage_is_refused() -> None:
    with pytest.raises(ValueError, match="stages empty, opening"):
        random_position("build", "late", 1)


@pytest.mark.parametrize("name", SETS)
@pytest.mark.parametrize("game", GAMES)
def test_pieces_do_not_stand_in_each_other(game: str, name: str) -> None:
    board = load_board(board_of(game))
    for seed in range(3):
        placed = place_pieces(
            random_position(game, "full", seed, board), board, SETS[name], Placement(0.15, 20), seed
        )
        assert _deepest(placed, board, name) < 0.5


def _deepest(placed: dict[str, Placed], board: Board, name: str) -> float:
    bodies = [body for lies in placed.values() if lies.piece.on is None for body in lies.bodies]
    deepest = 0.0
    for index, one in enumerate(bodies):
        for other in bodies[:index]:
            if one.key == other.key:
                continue
            for mine in footprints(one, SETS[name], board):
                for theirs in footprints(other, SETS[name], board):
                    deepest = max(deepest, overlap_mm(mine, theirs))
    return deepest


def test_careless_pieces_stay_in_their_field() -> None:
    board = load_board("knizia")
    pieces = random_position("stonehenge", "full", 3, board)
    for lies in place_pieces(pieces, board, SETS["kit"], Placement(0.36, 180), 3).values():
        home = board.fields[lies.piece.field]
        offset = (
            (lies.bodies[0].x_mm - home.centre_mm[0]) ** 2 + (lies.bodies[0].y_mm - home.centre_mm[1]) ** 2
        ) ** 0.5
        assert offset <= 0.36 * home.radius_mm + 1e-6


def test_what_stays_stays_exactly() -> None:
    board = load_board("anthology")
    before = random_position("build", "middle", 4, board)
    first = place_pieces(before, board, SETS["kit"], Placement(), 4)
    later = place_pieces(
        before[1:] + random_position("council", "opening", 1, board),
        board,
        SETS["kit"],
        Placement(),
        4,
        first,
    )
    kept = set(first) & set(later)
    assert len(kept) >= len(before) - 2
    assert all(first[key] == later[key] for key in kept)


def test_a_mark_lies_on_its_trilith() -> None:
    board = load_board("anthology")
    placed = place_pieces(random_position("ramming", "full", 2, board), board, SETS["wood"], Placement(), 2)
    stone = SETS["wood"].trilith
    tops = [lies.bodies[0].base_mm for lies in placed.values() if lies.piece.on == "trilith"]
    assert tops and all(top == stone.pillar_height + stone.capstone_height - stone.recess for top in tops)
