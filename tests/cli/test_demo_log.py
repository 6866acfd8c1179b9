"""The recorded games come out move for move from their photographs alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

from cli.main import main
from engine.log import load, replay
from engine.position import Position

DEMO = Path(__file__).resolve().parents[2] / "sample_images" / "demo"

# What no camera sees of a move of Build Stonehenge!: a card that goes from hand to hand or lies face down,
# and whether one came from the pile or from the display, which lies beside the board.
HIDDEN = (
    (r"take \S+|draw from the pile", "draw ??"),
    (r"(give|discard) \S+", r"\1 ??"),
    (r"play \d+-day face down", "play ??-day face down"),
)


def photographs(game: str) -> list[str]:
    return [str(path) for path in sorted((DEMO / game).glob("*.jpg"))]


def moves(path: Path) -> list[str]:
    return [entry.text for entry in load(path).log.entries if entry.kind == "move"]


def knowable(text: str) -> str:
    for hidden, shown in HIDDEN:
        if re.fullmatch(hidden, text):
            return re.sub(hidden, shown, text)
    return text


def told(path: Path) -> list[tuple[str, str, Position]]:
    """Every move of a player: who, what, and the table that a camera sees when the next player's move is
    due. Deals are told by that table: a trilith card comes to a yard in sight, all others unseen."""
    found: list[tuple[str, str, Position]] = []
    for step in replay(load(path).log).steps:
        position = step.after.visible()
        if not step.by_chance:
            found.append((str(step.before.to_move), knowable(str(step.action)), position))
        elif found:
            found[-1] = (*found[-1][:2], position)
    return found


def test_the_photographs_of_the_recorded_game_give_its_log(tmp_path):
    out = tmp_path / "game.henge"
    line = ["log", *photographs("stonehenge"), "--game", "stonehenge", "--players", "black,brown"]
    assert main([*line, "-o", str(out)]) == 0
    assert moves(out) == moves(DEMO / "stonehenge" / "game.henge")
    assert len(moves(out)) == 32


def test_the_photographs_of_the_recorded_build_game_give_its_log(tmp_path):
    """Who, what, where, in which order, and every card that was laid open, of all 238 moves; what was not
    to be seen stands as ?? in the log and is not made up."""
    out, recorded = tmp_path / "game.henge", DEMO / "build" / "game.henge"
    line = ["log", *photographs("build"), "--game", "build", "--players", "red,blue,green"]
    assert main([*line, "-o", str(out)]) == 0
    mine, theirs = told(out), told(recorded)
    for number, (mine_here, theirs_here) in enumerate(zip(mine, theirs, strict=False), 1):
        assert mine_here[:2] == theirs_here[:2], f"move {number}"
        assert mine_here[2].same_as(theirs_here[2]), f"the table after move {number}"
    assert len(mine) == len(theirs) == 238
    hidden = [text for text in moves(out) if re.match(r"take|give|discard|.* face down$", text)]
    assert hidden and all("??" in text for text in hidden)
    assert load(out).log.result == load(recorded).log.result == "red 46, blue 63, green 67"


def test_the_last_photograph_of_the_build_game_has_the_score_counted_by_hand(capsys):
    """A single picture does not tell whose the neutral blocks are: they stand in a line of their own."""
    photo = DEMO / "build" / "0097.jpg"
    counted = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))["score_without_owner"]
    assert main(["score", str(photo), "--game", "build", "--players", "red,blue,green", "--json"]) == 0
    scores = json.loads(capsys.readouterr().out)["scores"]
    assert {player: score["total"] for player, score in scores.items()} == counted
