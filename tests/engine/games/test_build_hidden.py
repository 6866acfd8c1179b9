"""Erbaut Stonehenge! at a table where most cards are hidden, and as a camera sees it."""

from __future__ import annotations

import pytest

from engine import CHANCE, IllegalActionError, load_game
from engine.games import state_from_json
from tests.engine.games.build_tables import (
    PLAYERS,
    at,
    blocks,
    bluestones,
    dealt,
    legal,
    play,
    project,
    refusal,
    table,
)

OTHERS = [("1-day", "2-night", "3-night"), ("4-day", "5-night", "6-night")]


def half_seen(count=3, **variant):
    """After an unseen deal; the display is 10, 11 and 12 (day)."""
    state = load_game("build", half_seen=True, **variant).start(PLAYERS[:count])
    for _ in range(3 * count):
        assert legal(state)[0].startswith("deal ??")
        state = state.apply(state.legal_actions()[0])
    return play(state, "turn up 10-day in place 1; turn up 11-day in place 2; turn up 12-day in place 3")


def test_any_card_that_nobody_has_seen_may_come_out_of_a_hand():
    state = half_seen()
    numbers = {move.split()[1] for move in legal(state) if " on " in move}
    assert numbers == {f"{n}-night" for n in range(1, 31)} and "play ??-day face down" in legal(state)
    state = play(state, "play 7-night on ring-13")
    assert state.to_json()["seats"]["red"]["hand"] == ["??", "??"]
    assert "lies in the yard of red" in refusal(state, "play 7-night on ring-7")


def test_a_card_is_refused_once_it_was_seen_elsewhere():
    state = play(half_seen(), "play 7-night on ring-13; play ??-day face down; play 5-night on ring-5; build")
    assert "lies in the display" in refusal(play(state, "draw from the pile"), "deal 10-day to red")
    state = play(state, "take 10-day; turn up 7-day in place 1")
    assert state.to_json()["seats"]["red"]["hand"] == ["10-day", "??", "??"], "everybody saw him take it"
    assert "is out of the game" in refusal(state, "play 7-night on ring-7")
    state = play(state, "play 8-night on ring-8")
    assert "10-day" in refusal(state, "reveal 10-day on ring-10") and "hand of red" in refusal(
        state, "reveal 10-day on ring-10")  # fmt: skip
    assert "lies in the display" in refusal(state, "reveal 7-day on ring-7")
    assert "no day card" in refusal(state, "reveal 9-night on ring-9")
    play(state, "reveal 16-day on ring-10")


def test_a_face_down_card_that_everybody_may_have_seen_in_the_hand_becomes_unknown():
    state = play(half_seen(), "play 7-night on ring-13; play ??-day face down; play 5-night on ring-5; build")
    state = play(state, "take 10-day; turn up 7-day in place 1; play ??-day face down")
    assert state.to_json()["seats"]["red"]["hand"] == ["??", "??"]
    state = play(
        state, "reveal 8-day on ring-8; build; draw from the pile; deal ?? to green; play ??-day face down"
    )
    assert "reveal 10-day on ring-10" in legal(state)


def test_a_card_that_nobody_could_read_is_kept_as_unread_until_it_is_gone():
    state = half_seen()
    assert "triliths need a trilith card" in refusal(state, "play ??-night on trilith-1")
    assert "whose own field is built on" in refusal(state, "play ?? on bluestone-1")
    assert state.why_not(state.game.parse("play ?? on ring-14")) is None
    state = play(state, "play ??-night on ring-14; play ??-day face down; play 5-night on ring-5")
    red = state.to_json()["seats"]["red"]
    assert red["project"]["card"] == "??" and red["hand"] == ["??", "??"]
    assert [p.number for p in state.visible() if p.kind == "card" and p.field == "yard-1"] == [None]
    state = play(state, "build; draw from the pile; deal ?? to red; play ??-day face down")
    assert state.to_json()["out_of_game_unknown"] == [1, 0]
    assert "triliths need a trilith card" in refusal(state, "reveal ?? on trilith-1")
    state = play(state, "reveal ??-day on ring-9")
    assert state.to_json()["seats"]["blue"]["project"]["card"] == "??"
    assert "occupied by the druid of green" in refusal(
        play(half_seen(), "play ??-night on ring-7; play ??-night on ring-8; play ??-night on ring-5; build; "
             "draw from the pile; deal ?? to red"), "play ??-night on ring-5")  # fmt: skip


def test_an_unread_card_on_a_field_of_ones_own_becomes_an_unread_influence_card():
    state = play(half_seen(), "play ??-night on ring-5; play ??-day face down; play 8-night on ring-8; build")
    assert state.to_json()["seats"]["red"]["influence"] == ["??"]
    assert "sabotage blue with ??" in legal(state)


def test_which_of_several_influence_cards_was_used_may_stay_unread():
    data = play(half_seen(), "play ??-night on ring-5; play ??-day face down").to_json()
    data["seats"]["red"]["influence"] = ["11-night", "23-night"]
    data["pile"]["shuffled"] -= 2
    state = play(state_from_json(data), "play 8-night on ring-8; build")
    assert [str(a) for a in state.seen_actions() if "sabotage blue" in str(a)] == ["sabotage blue with ??"]
    assert "sabotage blue with 11-night" in legal(state), "people may say it"
    after = play(state, "sabotage blue with ??")
    assert after.to_json()["seats"]["red"]["influence"] == ["??", "??"], "one from before, one from ring 5"
    assert state_from_json(after.to_json()) == after
    only = play(state, "sabotage blue with 11-night")
    assert only.to_json()["seats"]["red"]["influence"] == ["23-night", "??"]


def test_a_player_who_has_told_his_hand_may_have_played_any_of_it_unread():
    state = half_seen().with_hand("red", ("7-night", "9-night", "3-day"))
    state = play(state, "play ??-night on ring-13")
    assert state.to_json()["seats"]["red"]["hand"] == ["3-day", "9-night"], "only the 7 is white"


def test_a_hidden_card_must_have_been_playable_when_it_was_laid():
    """All white fields were taken when the card was laid: it cannot be a white one."""
    full = [blocks("blue", 1, 7, 13, 19, 25), bluestones("red", *range(1, 11))]
    state = play(table(*full), "play ??-day face down")
    while state.to_move != "red" or state.to_json()["phase"] != "build":
        state = state.apply(state.legal_actions()[0])
    assert "could not be built with when the card was laid" in refusal(state, "reveal 13-day on ring-13")
    assert not any("13-day" in move for move in legal(state))


def test_face_down_cards_are_kept_apart_by_counting():
    """Two projects lie face down; only two day cards are left for them."""
    data = half_seen().to_json()
    used = [f"{n}-day" for n in range(1, 31) if n not in (3, 9, 10, 11, 12)]
    data["out_of_game"] = used
    data["pile"]["shuffled"] -= len(used) - 2
    data["turns"], data["phase"] = 6, "project"
    for player in ("blue", "green"):
        data["seats"][player]["project"] = {
            "card": "??-day", "face": "down", "parts": 0, "marked": False, "could_be": [3, 9]}  # fmt: skip
        data["seats"][player]["hand"].pop()
    data["out_of_game"].remove(used[0])
    data["out_of_game"].remove(used[1])
    state = load_game("build", half_seen=True).from_json(data)
    with pytest.raises(IllegalActionError, match="3-day must be one of the face-down projects"):
        state.with_hand("red", ("3-day", "8-night", "??"))


def test_a_player_tells_his_hand_to_the_table_only():
    state = half_seen().with_hand("red", ("7-night", "8-day", "9-night"))
    assert state.view("red").to_json()["seats"]["red"]["hand"] == ["8-day", "7-night", "9-night"]
    for viewer in ("blue", None):
        assert state.view(viewer).to_json()["seats"]["red"]["hand"] == ["??"] * 3
        assert "8-day" not in str(state.view(viewer).to_json())
    assert "is in the hand of red" in str(_refused(state, "blue", ("7-night", "1-day", "2-day")))
    assert "holds 3 cards" in str(_refused(state, "blue", ("1-day",)))
    assert "different number cards" in str(_refused(state, "blue", ("1-day", "1-day", "2-day")))
    assert "display" in str(_refused(state, "blue", ("10-day", "1-day", "2-day")))
    assert state.with_hand("blue", ("1-day", "??", "??")).to_json()["seats"]["blue"]["hand"][0] == "1-day"
    told = play(state, "play 8-day face down")
    assert told.view("red").to_json()["seats"]["red"]["project"]["card"] == "8-day"
    assert told.view("blue").to_json()["seats"]["red"]["project"]["card"] == "??-day"


def _refused(state, player, cards):
    with pytest.raises(IllegalActionError) as refused:
        state.with_hand(player, cards)
    return refused.value


def test_a_fully_known_game_hides_everything_from_onlookers():
    hands = [("7-night", "8-day", "9-night"), *OTHERS]
    state = play(dealt(hands, ("10-day", "11-day", "12-day")), "play 8-day face down")
    view = str(state.view(None).to_json())
    assert not any(f"'{card}'" in view for hand in hands for card in hand)
    assert "'8-day'" in str(state.view("red").to_json())
    assert "'8-day'" not in str(state.view("blue").to_json())


def test_unread_cards_of_the_display_can_be_taken_and_told():
    state = play(half_seen(), "play 7-night on ring-13; play ??-day face down; play 5-night on ring-5; build")
    state = play(state, "take 10-day; turn up ?? in place 1; play 8-night on ring-8")
    state = play(state, "reveal 2-day on ring-2; build; take ??")
    assert state.to_move == CHANCE and "deal trilith-red to yard-3" in legal(state)
    told = play(state, "deal 20-day to green")
    assert told.view("blue").to_json()["seats"]["green"]["hand"][0] == "20-day", "the display is open"
    assert at(play(state, "deal trilith-red to yard-3"), "yard-3") == ["trilith-red card"]


# --- what a camera sees --------------------------------------------------------------------------------

VISIBLE = [
    ([], "play 7-night on ring-13", "red figure comes to ring-13; 7-night card comes to yard-1"),
    ([], "play ??-day face down", "face-down card comes to yard-1"),
    (project("red", "7-night", "ring-13"), "build at ring-13",
     "red figure leaves ring-13; 7-night card leaves yard-1; red block comes to ring-13"),
    (project("red", "trilith-blue", "trilith-2"), "build at yard-1", "grey pillar comes to yard-1"),
    (project("red", "trilith-blue", "trilith-2", pillars=2), "build at yard-1",
     "grey capstone comes to yard-1; red disc comes to yard-1"),
    (project("red", "??-day"), "reveal 7-day on ring-13",
     "face-down card leaves yard-1; red figure comes to ring-13; 7-day card comes to yard-1"),
    (project("blue", "trilith-white", "trilith-2", pillars=1), "steal the trilith of blue for trilith-3",
     ("blue figure leaves trilith-2; grey pillar leaves yard-2; trilith-white card leaves yard-2; "
      "red figure comes to trilith-3; grey pillar comes to yard-1; trilith-white card comes to yard-1")),
]  # fmt: skip


@pytest.mark.parametrize(("pieces", "move", "seen"), VISIBLE)
def test_each_move_changes_the_board_in_one_way(pieces, move, seen):
    state = table(pieces)
    change = state.visible_change(state.game.parse(move))
    assert change.text().en == seen


def test_what_no_camera_can_tell_apart():
    state = table(project("red", "7-night", "ring-13"))
    state = play(state, "build; draw from the pile")
    unseen = next(group for group in state.look_alikes() if not state.visible_change(group[0]))
    assert [str(action) for action in unseen] == ["deal ?? to red"]
    hidden = dealt(
        [("7-night", "8-day", "9-day"), *OTHERS],
        ("10-day", "11-day", "12-day"),
    )
    alike = [sorted(map(str, group)) for group in hidden.look_alikes() if len(group) > 1]
    assert alike == [["play 8-day face down", "play 9-day face down"]]


def test_an_onlooker_is_told_what_can_happen():
    state = table(
        blocks("red", 5), project("blue", "trilith-white", "trilith-2"),
        project("green", "9-night", "ring-9"), influence={"red": 1},
    )  # fmt: skip
    insights = state.insights()
    assert insights["sabotage"] == ["blue", "green"]
    assert insights["steal"] == [
        {"player": "blue", "parts": 0, "colours": ["blue", "white"], "by_player_to_move": True}]  # fmt: skip
    assert insights["projects"] == [
        {"player": "blue", "card": "trilith-white", "site": "trilith-2", "becomes": "trilith", "steps": 4},
        {"player": "green", "card": "9-night", "site": "ring-9", "becomes": "block", "steps": 1},
    ]
    assert state.prompt().de == "Rot spielt ein Bauprojekt"


def test_neutral_blocks_of_an_owner_whom_nobody_told_count_for_nobody():
    untold = table(blocks("red", 3), blocks("white", 4))
    assert untold.insights()["neutral_blocks"] == {"owner": "??", "left": 9}
    assert [score.total for score in untold.scores().values()] == [1, 0, 0]
    assert table(blocks("red", 3), blocks("white", 4), neutral_owner="red").scores()["red"].total == 3
