"""--profile in the commands that read pictures: a table as `henge calibrate` got to know it."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from calibration.profile import Profile
from calibration.shelf import Shelf
from cli.errors import UsageError
from engine import load_game
from engine.board import Board, load_board
from vision import Reader


def add_profile(parser: argparse.ArgumentParser) -> None:
    """Adds --profile."""
    parser.add_argument(
        "--profile", metavar="P", help="a profile made by henge calibrate: its name, or its zip file"
    )


def profile_of(args: argparse.Namespace) -> Profile | None:
    """The profile that was asked for. Raises ProfileError."""
    return Shelf().load(args.profile) if args.profile else None


def board_of(named: str | None, profile: Profile | None, game: str | None) -> Board | None:
    """The board to read on: named, or the profile's, or the game's own; None if nobody says. Raises
    UsageError if the profile is of a board on which the game is not played."""
    if named:
        return load_board(named)
    own = load_game(game).board if game else None
    if profile is None:
        return load_board(own) if own else None
    if own and own not in (profile.board.id, profile.board.extra.get("layout")):
        raise UsageError(
            f"the profile {profile.name} is of the {profile.board.id} board, but {game} is played on the "
            f"{own} board: choose another profile or game"
        )
    return profile.board


def reader_for(game: str, players: Sequence[str], board: str | None, profile: Profile | None) -> Reader:
    """The eyes of a game's table."""
    return Reader(
        board_of(board, profile, game) or load_board(load_game(game).board), game=game, players=players,
        profile=profile,
    )  # fmt: skip


def remembered(args: argparse.Namespace, table_id: str) -> Profile | None:
    """The profile of a table: the one asked for, which the table remembers from now on, or the one that it
    remembers."""
    shelf = Shelf()
    if args.profile:
        profile = shelf.load(args.profile)
        if args.profile in shelf.names():
            shelf.remember(table_id, args.profile)
        return profile
    known = shelf.of_table(table_id)
    return shelf.load(known) if known else None
