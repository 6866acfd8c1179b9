"""Erbaut Stonehenge!: the sentences of the rule book, one by one, on tables made for them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from engine import CHANCE, Piece, StateError, load_game
from tests.engine.games.build_tables import (
    PLAYERS,
    at,
    blocks,
    bluestones,
    dealt,
    druid,
    legal,
    play,
    project,
    refusal,
    table,
    triliths,
)

HANDS = [("7-night", "8-day", "9-night"), ("1-day", "2-night", "3-night"), ("4-day", "5-night", "6-night")]
OPEN = ("10-day", "11-day", "12-day")
THREE = ("13-day", "14-day", "15-day")


# --- set-up and the first round ----------------------------------------------------------------------


def test_set_up_deals_number_cards_only_and_opens_three_cards():
    state = load_game("build").start(PLAYERS[:3])
    assert state.to_move == CHANCE and len(state.legal_actions()) == 60
    assert "trilith" in refusal(state, "deal trilith-red to red")
    state = dealt(HANDS, OPEN)
    assert state.to_json()["pile"]["shuffled"] == 53
    assert state.to_move == "red"
    four = dealt([*HANDS, ("13-day", "14-day", "15-day")], OPEN, count=4)
    assert four.to_json()["pile"]["shuffled"] == 50


def test_the_first_round_is_the_project_phase_only():
    state = play(dealt(HANDS, OPEN), "play 7-night on ring-13")
    assert state.to_move == "blue" and "play 1-day face down" in legal(state)
    state = play(state, "play 1-day face down; play 5-night on ring-5")
    assert state.to_move == "red" and legal(state) == ["build at ring-13"]
    assert refusal(state, "draw from the pile").startswith("not now: red builds")


# --- projects ------------------------------------------------------------------------------------------


def test_a_night_card_is_open_and_its_druid_stands_on_a_field_of_its_colour():
    state = dealt(HANDS, OPEN)
    sites = [move for move in legal(state) if move.startswith("play 7-night")]
    assert sites == [f"play 7-night on ring-{n}" for n in (1, 7, 13, 19, 25)]
    assert refusal(state, "play 7-night on ring-8") == "field 8 is blue: this card is white"
    assert "face down" in refusal(state, "play 8-day on ring-8")
    assert "only those are played face down" in refusal(state, "play 7-night face down")
    assert "is in the hand of blue" in refusal(state, "play 2-night on ring-2")
    after = play(state, "play 7-night on ring-13")
    assert at(after, "yard-1") == ["7-night card"] and at(after, "ring-13") == ["red figure"]


def test_a_day_card_lies_face_down_until_the_next_build_phase():
    state = play(dealt(HANDS, OPEN), "play 8-day face down")
    assert at(state, "yard-1") == ["face-down card"] and not state.visible().at("ring-8")
    state = play(state, "play 2-night on ring-2; play 5-night on ring-5")
    assert set(legal(state)) == {f"reveal 8-day on ring-{n}" for n in (8, 14, 20, 26)}
    assert "occupied by the druid of blue" in refusal(state, "reveal 8-day on ring-2")
    state = play(state, "reveal 8-day on ring-20")
    assert at(state, "yard-1") == ["8-day card"] and at(state, "ring-20") == ["red figure"]
    assert state.to_move == "blue", "only the build phase happens while a project lies in the yard"


def test_a_bluestone_needs_the_own_number_built_on():
    state = table(blocks("blue", 13))
    assert {f"play 13-night on bluestone-{n}" for n in range(1, 20)} <= set(legal(state))
    assert "not built on yet" in refusal(state, "play 7-night on bluestone-1")
    assert "already built on" in refusal(state, "play 7-night on ring-13")
    busy = table(project("blue", "7-night", "ring-7"))
    assert "not built on yet" in refusal(busy, "play 7-day face down; play") if False else True
    assert "not built on yet" in refusal(
        table(project("blue", "1-night", "ring-7")), "play 7-night on bluestone-1"
    )
    generous = table(project("blue", "1-night", "ring-7"), druid_counts_as_built=True)
    assert "play 7-night on bluestone-1" in legal(generous)


def test_only_number_fields_if_the_group_plays_by_number():
    state = table(blocks("blue", 13), block_site="number")
    sevens = [move for move in legal(state) if move.startswith("play 7-night")]
    assert sevens == ["play 7-night on ring-7"]
    assert "on field 7 only" in refusal(state, "play 7-night on ring-1")
    assert len([move for move in legal(state) if move.startswith("play 13-night")]) == 19


def test_a_player_without_discs_builds_no_bluestone():
    state = table(blocks("blue", 7), bluestones("red", *range(1, 11)))
    assert "no disc is left" in refusal(state, "play 7-night on bluestone-12")


def test_a_card_without_a_site_may_not_be_played():
    whites = (1, 7, 13, 19, 25)
    state = table(blocks("blue", *whites[:3]), blocks("green", *whites[3:]), bluestones("red", *range(1, 11)))
    assert not any(move.startswith(("play 7-night", "play 7-day")) for move in legal(state))
    told = state.with_hand("red", ("7-day", "1-night", "5-day"))
    assert "no site is left" in refusal(told, "play 7-day face down")
    assert "play 5-day face down" in legal(told)


# --- building --------------------------------------------------------------------------------------------


def test_a_block_is_set_the_druid_goes_home_and_the_card_is_out_of_the_game():
    state = play(table(project("red", "7-night", "ring-13")), "build at ring-13")
    assert at(state, "ring-13") == ["red block"] and at(state, "yard-1") == []
    assert state.to_json()["out_of_game"] == ["7-night"]
    assert state.to_json()["seats"]["red"]["druid"] is None
    assert state.to_json()["phase"] == "draw", "the yard is empty again: draw and play in the same turn"


def test_a_block_on_the_own_colour_earns_an_influence_card():
    state = play(table(project("red", "5-night", "ring-11")), "build")
    assert state.to_json()["seats"]["red"]["influence"] == ["5-night"]
    other = play(table(project("red", "7-night", "ring-7")), "build")
    assert other.to_json()["seats"]["red"]["influence"] == []
    stone = play(table(blocks("blue", 5), project("red", "5-night", "bluestone-3")), "build")
    assert stone.to_json()["seats"]["red"]["influence"] == []


def test_neutral_blocks_belong_to_the_first_who_needs_one():
    mine = blocks("red", 1, 2, 3, 4, 6, 7, 8, 9, 10)
    others = blocks("blue", 12, 13, 14, 15, 16, 18, 19, 20, 21)
    state = table(mine, others, project("red", "5-night", "ring-5"), project("blue", "11-night", "ring-11"))
    state = play(state, "build at ring-5")
    assert at(state, "ring-5") == ["yellow block"] or at(state, "ring-5") == ["white block"]
    assert state.to_json()["neutral_owner"] == "red"
    score = state.scores()["red"]
    assert {part.key: part.points for part in score.parts} == {
        "blocks": 9, "neutral_blocks": 1, "block_pairs": 9, "block_run": 5}  # fmt: skip
    assert state.to_json()["seats"]["red"]["influence"] == ["5-night"], "the field counts, not the block"
    strict = table(mine, project("red", "5-night", "ring-5"), influence_needs_own_block=True)
    assert play(strict, "build").to_json()["seats"]["red"]["influence"] == []
    later = play(
        state, "draw from the pile; deal ?? to red; play 17-night on ring-17; end turn; build at ring-11"
    )
    assert later.to_json()["neutral_owner"] == "red" and at(later, "ring-11") == at(state, "ring-5")
    assert later.scores()["blue"].total == state.scores()["blue"].total


def test_the_last_neutral_block_is_kept_for_the_druid_who_waits_for_it():
    state = table(
        blocks("red", 1, 2, 3, 4, 5, 6, 7, 8, 9), blocks("blue", 10, 11, 12, 13, 14, 15, 16, 17, 18),
        blocks("white", 19, 20, 21, 22, 23, 24, 25, 26, 27), project("blue", "28-night", "ring-28"),
        neutral_owner="red", neutral_colour="white",
    )  # fmt: skip
    assert "every neutral one is spoken for" in refusal(state, "play 29-night on ring-29")
    assert "play 23-night on bluestone-1" in legal(state)


def test_a_trilith_takes_four_steps_and_is_marked_at_the_third():
    state = table(project("red", "trilith-blue", "trilith-2"))
    yards = []
    for _ in range(3):
        state = play(state, "build at yard-1")
        yards.append(at(state, "yard-1"))
        state = to_red(state)
    card = "trilith-blue card"
    assert yards == [
        ["grey pillar", card],
        ["grey pillar", "grey pillar", card],
        ["grey capstone", "grey pillar", "grey pillar", "red disc", card],
    ]
    assert at(state, "trilith-2") == ["red figure"]
    state = play(state, "build at trilith-2")
    assert at(state, "trilith-2") == ["grey trilith"] and at(state, "trilith-2^") == ["red disc"]
    assert at(state, "yard-1") == [] and state.scores()["red"].total == 8
    assert state.to_json()["seats"]["red"]["discs"] == 9


def to_red(state):
    """The others do whatever comes first until it is red's turn."""
    while state.to_move != "red":
        state = state.apply(state.legal_actions()[0])
    return state


def test_an_unmarked_capstone_when_no_disc_is_left():
    state = table(bluestones("red", *range(1, 11)), project("red", "trilith-red", "trilith-1", pillars=2))
    state = to_red(play(state, "build"))
    assert "red disc" not in at(state, "yard-1") and "grey capstone" in at(state, "yard-1")
    state = play(state, "build")
    assert at(state, "trilith-1^") == [] and state.scores()["red"].parts[-1].key == "triliths"


# --- drawing ---------------------------------------------------------------------------------------------


def drawing(display, hands=HANDS):
    """Red has built and is to draw one card."""
    state = dealt(hands, display)
    return play(state, "play 7-night on ring-13; play 1-day face down; play 5-night on ring-5; build")


def test_the_hand_is_filled_from_display_or_pile_and_the_display_only_afterwards():
    state = drawing(OPEN)
    assert legal(state) == ["take 10-day", "take 11-day", "take 12-day", "draw from the pile"]
    state = play(state, "take 11-day")
    assert state.to_json()["display"] == ["10-day", None, "12-day"] and state.to_move == CHANCE
    state = play(state, "turn up 20-day in place 2")
    assert state.to_json()["phase"] == "project"
    assert state.to_json()["seats"]["red"]["hand"] == ["8-day", "11-day", "9-night"]


def test_a_trilith_in_the_display_must_be_taken_and_goes_to_the_yard():
    state = drawing(("10-day", "trilith-green", "12-day"))
    assert legal(state) == ["take trilith-green"]
    assert "must be taken first" in refusal(state, "take 10-day")
    assert "must be taken first" in refusal(state, "draw from the pile")
    state = play(state, "take trilith-green; turn up 20-day in place 2")
    assert at(state, "yard-1") == ["trilith-green card"] and state.to_move == "red"
    assert legal(state) == [f"occupy trilith-{n}" for n in range(1, 6)]
    assert "which" in refusal(state, "occupy ring-3") or "name it" in refusal(state, "occupy ring-3")
    state = play(state, "occupy trilith-4")
    assert at(state, "trilith-4") == ["red figure"] and state.to_move == "blue"
    assert len(state.to_json()["seats"]["red"]["hand"]) == 2, "the trilith counts as the card drawn"


def test_a_trilith_from_the_pile_goes_openly_to_the_yard():
    state = play(drawing(OPEN), "draw from the pile")
    assert state.to_move == CHANCE
    state = play(state, "deal trilith-red to yard-1")
    assert at(state, "yard-1") == ["trilith-red card"] and state.to_json()["phase"] == "occupy"
    assert "goes to yard-1" in refusal(play(drawing(OPEN), "draw from the pile"), "deal trilith-red to red")


def test_with_a_full_hand_nobody_has_to_take_a_trilith():
    state = play(table(), "play 7-night on ring-7")
    assert state.to_move == "blue" and state.to_json()["phase"] == "project"


def two_to_draw(display):
    """Red has two cards to draw: he gave two away for a trilith that was erected since."""
    state = dealt(HANDS, OPEN)
    data = state.to_json()
    data["turns"], data["phase"], data["to_move"] = 3, "draw", "red"
    data["seats"]["red"]["hand"] = ["8-day"]
    data["out_of_game"] = [*data["display"], "7-night", "9-night"]
    data["display"] = list(display)
    data["pile"]["shuffled"] -= sum(card is not None for card in display)
    return state.game.from_json(data)


def test_after_a_trilith_the_second_card_is_an_open_number_card():
    state = play(
        two_to_draw(("13-day", "14-day", "15-day")), "draw from the pile; deal trilith-red to yard-1"
    )
    assert legal(state) == ["take 13-day", "take 14-day", "take 15-day"]
    assert "must be an open number card" in refusal(state, "draw from the pile")
    state = play(state, "take 13-day; turn up 20-day in place 1")
    assert len(state.to_json()["seats"]["red"]["hand"]) == 2
    more = play(two_to_draw(THREE), "take 13-day")
    assert legal(more) == ["take 14-day", "take 15-day", "draw from the pile"]


def test_of_two_triliths_one_is_taken_and_then_the_pile_serves():
    state = play(two_to_draw(("trilith-red", "trilith-blue", None)), "take trilith-red")
    assert legal(state) == ["draw from the pile"]
    assert "a trilith came already" in refusal(state, "take trilith-blue")
    state = play(state, "draw from the pile; deal trilith-white to pile")
    assert state.to_json()["pile"]["below"] == ["trilith-white"]
    assert at(state, "yard-1") == ["trilith-red card"] and state.to_json()["phase"] == "draw"
    state = play(state, "draw from the pile; deal 20-day to red")
    assert "20-day" in state.to_json()["seats"]["red"]["hand"]


def test_a_trilith_besides_the_cards_if_the_group_plays_so():
    state = dealt(HANDS, ("10-day", "trilith-green", "12-day"), trilith_counts_as_draw=False)
    moves = "play 7-night on ring-13; play 1-day face down; play 5-night on ring-5; build; take trilith-green"
    assert legal(play(state, moves)) == ["take 10-day", "take 12-day"]


# --- theft ---------------------------------------------------------------------------------------------


def thief(**more):
    """Blue builds a trilith with a red card; green, whose turn it is, knows his hand."""
    state = table(project("blue", "trilith-white", "trilith-2", pillars=1), to_move="green", **more)
    return state.with_hand("green", ("2-day", "7-night", "3-day"))


def test_an_unmarked_trilith_can_be_stolen_for_two_cards():
    state = thief()
    assert {f"steal the trilith of blue for trilith-{n}" for n in range(1, 6)} <= set(legal(state))
    state = play(state, "steal the trilith of blue for trilith-2")
    assert at(state, "yard-3") == ["grey pillar", "trilith-white card"] and at(state, "yard-2") == []
    assert at(state, "trilith-2") == ["green figure"], "the place that the victim left is free"
    assert legal(state) == ["give ??", "give 2-day", "give 7-night"], "of blue's colour or the card's"
    assert "the compensation is blue or white" in refusal(state, "give 3-day")
    state = play(state, "give 2-day; give 7-night")
    assert state.to_move == "blue" and state.to_json()["phase"] == "discard"
    assert state.to_json()["seats"]["blue"]["hand"] == ["2-day", "7-night", "??", "??"]
    state = play(state, "discard ??")
    assert state.to_json()["pile"]["below"] == ["??"] and state.to_move == "red"
    assert state.to_json()["seats"]["blue"]["hand"] == ["??"] * 3, "nobody knows which card he kept"


def test_what_cannot_be_stolen():
    marked = table(project("blue", "trilith-white", "trilith-2", pillars=2, capstone=True), to_move="green")
    assert "marked" in refusal(marked, "steal the trilith of blue for trilith-1")
    assert "no trilith project" in refusal(marked, "steal the trilith of red for trilith-1")
    assert "himself" in refusal(marked, "steal the trilith of green for trilith-1")
    poor = table(project("blue", "trilith-white", "trilith-2"), to_move="green")
    poor = poor.with_hand("green", ("2-day", "4-night", "3-day"))
    assert "two cards that are blue or white" in refusal(poor, "steal the trilith of blue for trilith-1")
    rivals = thief_with(project("red", "trilith-red", "trilith-5"))
    assert "occupied by the druid of red" in refusal(rivals, "steal the trilith of blue for trilith-5")


def thief_with(*pieces):
    return table(project("blue", "trilith-white", "trilith-2"), *pieces, to_move="green")


def test_a_thief_may_take_it_from_a_victim_at_the_altar_who_stays_there():
    lying = [*project("blue", "trilith-white"), *druid("blue", "altar", lying=True)]
    state = play(table(lying, to_move="green"), "steal the trilith of blue for trilith-1; give ??; give ??")
    assert at(state, "altar") == ["lying blue figure"] and at(state, "trilith-1") == ["green figure"]


# --- sabotage ------------------------------------------------------------------------------------------


def saboteur(*pieces, **variant):
    state = table(project("red", "5-night", "ring-11"), *pieces, **variant)
    return play(state, "build")


def test_sabotage_aborts_a_number_project_for_two_build_phases():
    state = saboteur(project("blue", "8-night", "ring-14"))
    assert "sabotage blue with 5-night" in legal(state) and "sabotage green with 5-night" not in legal(state)
    assert "no project" in refusal(state, "sabotage green with 5-night")
    assert "himself" in refusal(state, "sabotage red with 5-night")
    assert "no influence card" in refusal(state, "sabotage blue with 7-night")
    state = play(state, "sabotage blue with 5-night")
    assert at(state, "altar") == ["lying blue figure"] and at(state, "ring-14") == at(state, "yard-2") == []
    assert state.to_json()["pile"]["below"] == ["8-night"] and "5-night" in state.to_json()["out_of_game"]
    state = play(state, "draw from the pile; deal ?? to red; play 7-night on ring-7")
    assert legal(state) == ["ritual"] and state.to_move == "blue"
    state = play(state, "ritual")
    assert at(state, "altar") == ["blue figure"] and state.to_move == "green", "he only stands up"
    state = play(
        state, "play ??-day face down; build; draw from the pile; deal ?? to red; play ??-day face down"
    )
    state = play(state, "ritual")
    assert at(state, "altar") == [] and state.to_move == "blue", "then he draws and plays again"
    assert state.to_json()["phase"] == "draw"


def test_a_trilith_project_survives_sabotage_without_its_place():
    state = saboteur(project("blue", "trilith-red", "trilith-3", pillars=2, capstone=True))
    state = play(state, "sabotage blue with 5-night")
    assert at(state, "trilith-3") == [] and len(at(state, "yard-2")) == 5
    state = play(state, "draw from the pile; deal ?? to red; play 7-night on ring-7; ritual")
    state = play(
        state, "play ??-day face down; build; draw from the pile; deal ?? to red; play ??-day face down"
    )
    assert legal(state) == [f"ritual and back to trilith-{n}" for n in range(1, 6)]
    state = play(state, "ritual and back to trilith-5")
    assert at(state, "trilith-5") == ["blue figure"] and state.to_move == "green"


def test_a_face_down_project_goes_below_the_pile_unseen():
    state = play(saboteur(project("blue", "??-day")), "sabotage blue with 5-night")
    assert state.to_json()["pile"]["below"] == ["??"] and at(state, "yard-2") == []


def test_sabotage_once_per_turn_and_not_from_the_altar():
    busy = blocks("red", 5, 11), project("blue", "8-night", "ring-8"), project("green", "9-night", "ring-9")
    state = table(*busy, influence={"red": 2})
    once = play(state, "sabotage blue with ??")
    assert "once per turn" in refusal(once, "sabotage green with ??")
    twice = table(*busy, influence={"red": 2}, sabotage_per_turn=2)
    assert "sabotage green with ??" in legal(play(twice, "sabotage blue with ??"))
    often = table(*busy, blocks("red", 17), influence={"red": 3}, sabotage_per_turn=2)
    often = play(often, "sabotage blue with ??; sabotage green with ??")
    assert "twice per turn" in refusal(often, "sabotage green with ??")
    praying = table(*busy, druid("red", "altar"), influence={"red": 1})
    assert legal(praying) == ["ritual"]
    assert "rituals at the altar" in refusal(praying, "sabotage blue with ??")
    assert "already" in refusal(play(twice, "sabotage blue with ??"), "sabotage blue with ??")


def test_the_turn_is_ended_by_hand_only_where_sabotage_is_still_possible():
    state = table(blocks("red", 5), project("blue", "8-night", "ring-8"), influence={"red": 1})
    state = play(state, "play 7-night on ring-7")
    assert legal(state) == ["end turn", "sabotage blue with ??"]
    assert play(state, "end turn").to_move == "blue"
    assert play(state, "sabotage blue with ??").to_move == "blue"
    assert play(table(project("blue", "8-night", "ring-8")), "play 7-night on ring-7").to_move == "blue"


def test_house_rules_of_sabotage():
    spent = saboteur(project("blue", "8-night", "ring-14"), influence_spent="under_pile")
    assert play(spent, "sabotage blue with 5-night").to_json()["pile"]["below"] == ["5-night", "8-night"]
    idle = play(saboteur(sabotage_idle=True), "sabotage green with 5-night")
    assert at(idle, "altar") == ["lying green figure"]
    blocked = play(crowded(influence={"blue": 1}, sabotage_idle=True), "blocked")
    assert "red is blocked" in refusal(blocked, "sabotage red with ??")
    slow = table(druid("red", "altar"), ritual_blocks_whole_turn=True)
    assert play(slow, "ritual").to_move == "blue"


# --- blocked and the end -------------------------------------------------------------------------------


def crowded(**variant):
    """Only the fields of class 5 (red) are free, and red has no discs left."""
    some = [n for n in range(1, 31) if n % 6 != 5]
    return table(
        blocks("red", *some[:9]), blocks("blue", *some[9:18]), blocks("green", *some[18:]),
        bluestones("red", *range(1, 11)), count=3, **variant,
    )  # fmt: skip


def test_a_player_without_a_playable_card_is_blocked_for_good():
    state = crowded()
    told = state.with_hand("red", ("1-day", "2-day", "5-day"))
    assert "5-day can still be played" in refusal(told, "blocked")
    assert "blocked" not in legal(told)
    told = state.with_hand("red", ("1-day", "2-day", "3-day"))
    assert legal(told) == ["blocked"]
    told = play(told, "blocked, showing 1-day+2-day+3-day")
    assert (
        told.to_json()["blocked"]
        if "blocked" in told.to_json()
        else told.to_json()["seats"]["red"]["blocked"]
    )
    assert told.view(None).to_json()["seats"]["red"]["hand"] == ["1-day", "2-day", "3-day"], (
        "the hand is shown"
    )
    assert "red" in told.insights()["blocked"] and told.to_move == "blue"


def test_a_hand_that_nobody_knows_may_be_blocked():
    assert "blocked" in legal(crowded())
    assert "blocked" not in legal(table()), "at the beginning every card is playable"
    shown = crowded()
    assert "can still be played" in refusal(shown, "blocked, showing 1-day+2-day+5-day")
    assert "whole hand" in refusal(shown, "blocked, showing 1-day+2-day")


def test_a_blocked_player_is_left_out_and_the_game_ends_when_all_are():
    state = play(crowded(), "blocked")
    state = state.with_hand("blue", ("1-night", "2-night", "3-night"))
    while not state.is_over:
        assert state.to_move != "red"
        moves = [action for action in state.legal_actions() if str(action) == "blocked"]
        state = state.apply((moves or state.legal_actions())[0])
    assert all(seat["blocked"] for seat in state.to_json()["seats"].values())


def test_who_could_steal_is_not_blocked_in_some_groups():
    pieces = project("blue", "trilith-white", "trilith-2")
    hand = ("1-day", "2-day", "3-day")
    for prevents in (False, True):
        state = crowded_with(pieces, steal_prevents_block=prevents).with_hand("red", hand)
        assert ("blocked" in legal(state)) is not prevents
        assert any(move.startswith("steal") for move in legal(state))


def test_a_trilith_that_was_just_stolen_binds_nobody():
    """Else players without another move would take it from each other for ever."""
    pieces = bluestones("blue", *range(11, 20)), project("blue", "trilith-white", "trilith-2")
    state = crowded_with(*pieces, steal_prevents_block=True)
    state = state.with_hand("red", ("1-day", "2-day", "3-day")).with_hand("blue", ("7-night", "9-night"))
    state = state.with_hand("green", ("13-night", "19-night", "15-night"))
    assert "that of blue" in refusal(state, "blocked")
    state = play(state, "steal the trilith of blue for trilith-3; give 1-day; give 2-day; discard 2-day")
    assert state.to_move == "blue" and state.to_json()["seats"]["red"]["project"]["stolen"]
    assert any(move.startswith("steal the trilith of red") for move in legal(state)), "he may take it back"
    assert state.game.from_json(state.to_json()) == state
    state = play(state, "blocked")
    assert any(move.startswith("steal the trilith of red") for move in legal(state)), "green may, too"
    taken = play(state, "steal the trilith of red for trilith-4; give 13-night; give 19-night")
    assert taken.to_json()["seats"]["green"]["project"]["stolen"]
    state = play(state, "blocked; build at yard-1")
    assert not state.to_json()["seats"]["red"]["project"]["stolen"]


def crowded_with(*pieces, **variant):
    some = [n for n in range(1, 31) if n % 6 != 5]
    return table(
        blocks("red", *some[:9]), blocks("blue", *some[9:18]), blocks("green", *some[18:]),
        bluestones("red", *range(1, 11)), *pieces, **variant,
    )  # fmt: skip


def test_the_game_ends_at_once_when_everything_stands():
    rest = [n for n in range(1, 31) if n != 5]
    state = table(
        blocks("red", *rest[:8]), blocks("blue", *rest[8:17]), blocks("green", *rest[17:26]),
        blocks("yellow", *rest[26:]), bluestones("blue", *range(1, 11)), bluestones("green", *range(11, 20)),
        triliths("red", 1, 2, 3, 4, 5), project("red", "5-night", "ring-5"),
        neutral_owner="blue", neutral_colour="yellow",
    )  # fmt: skip
    state = play(state, "build at ring-5")
    assert state.is_over and legal(state) == []
    totals = {player: score.total for player, score in state.scores().items()}
    best = max(totals.values())
    assert [result == 1 for result in state.returns()] == [totals[p] == best for p in state.players]


def test_equal_fame_is_shared_or_decided_by_triliths():
    def over(**variant):
        data = table(**variant).to_json()
        data["phase"], data["to_move"] = "over", None
        data["seats"]["red"]["built"] = ["trilith-1"]
        data["seats"]["blue"]["built"] = [f"bluestone-{n}" for n in (1, 3, 5, 7)]
        return load_game("build", half_seen=True, **variant).from_json(data)

    assert over().returns() == (0.0, 0.0, -1.0)
    assert over(tiebreak="triliths").returns() == (1.0, -1.0, -1.0)


def test_a_revealed_card_without_a_site_is_aborted():
    whites = (1, 7, 13, 19, 25)
    for rule, place in (("under_pile", "below"), ("box", None)):
        start = table(bluestones("red", *range(1, 11)), dead_reveal=rule)
        data = play(start, "play ??-day face down").to_json()
        data["seats"]["blue"]["built"] = [f"ring-{n}" for n in whites]
        data["out_of_game_unknown"][0] += 5
        data["pile"]["shuffled"] -= 5
        data["turn_of"] = data["to_move"] = "red"
        data["phase"], data["turns"] = "build", 6
        state = start.game.from_json(data)
        assert "reveal 7-day" in legal(state)
        after = play(state, "reveal 7-day")
        assert at(after, "yard-1") == [] and after.to_json()["phase"] == "draw"
        where = after.to_json()["pile"]["below"] if place else after.to_json()["out_of_game"]
        assert where == ["7-day"]
        assert "can still be built" in refusal(state, "reveal 8-day")


# --- positions -----------------------------------------------------------------------------------------


def test_a_game_goes_on_from_what_lies_on_the_table():
    state = table(
        blocks("red", 3, 4), bluestones("blue", 5), triliths("green", 2), blocks("white", 9),
        project("blue", "8-night", "ring-14"), project("green", "trilith-red", "trilith-4", pillars=1),
        druid("red", "altar", lying=True), neutral_owner="green", neutral_colour="white",
    )  # fmt: skip
    again = state.game.from_position(state.visible(), state.players, "blue", neutral_owner="green")
    assert again.visible().same_as(state.visible()) and again.to_move == "blue"
    assert legal(again) == ["build at ring-14"] and legal(state) == ["ritual"]
    assert again.scores() == state.scores()


def test_a_game_begun_where_everything_stands_is_over():
    """Only where the last block is missing somebody still plays."""
    everything = (
        *(blocks(player, *range(9 * i + 1, 9 * i + 10)) for i, player in enumerate(PLAYERS[:3])),
        bluestones("red", *range(1, 8)), bluestones("blue", *range(8, 15)),
        bluestones("green", *range(15, 20)),
        triliths("red", 1, 2), triliths("green", 3, 4, 5),
    )  # fmt: skip
    state = table(*everything, blocks("yellow", 28, 29, 30), neutral_owner="blue", neutral_colour="yellow")
    assert state.is_over and legal(state) == [] and state.game.from_json(state.to_json()) == state
    assert sorted(state.returns()) == [-1, -1, 1]
    state = table(*everything, blocks("yellow", 28, 29), neutral_owner="blue", neutral_colour="yellow")
    assert state.to_move == "red"


def test_hands_are_as_large_as_the_cards_left_allow():
    """Everything that stands has used up a card: 11 number cards are left of 60."""
    four = [blocks(player, *range(7 * i + 1, 7 * i + 8)) for i, player in enumerate(PLAYERS)]
    stones = [bluestones(player, *range(5 * i + 1, min(5 * i + 6, 20))) for i, player in enumerate(PLAYERS)]
    everything = *four, *stones, triliths("red", 1, 2), triliths("green", 3, 4, 5)
    state = table(*everything, blocks("yellow", 29, 30), count=4, neutral_colour="yellow")
    assert state.is_over and hand_sizes(state) == [3, 3, 3, 2]
    state = table(*everything, blocks("yellow", 29), project("red", "30-night", "ring-30"), count=4)
    assert hand_sizes(state) == [2, 3, 3, 3] and legal(state) == ["build at ring-30"]
    assert state.game.from_json(state.to_json()) == state


def hand_sizes(state):
    return [len(seat["hand"]) for seat in state.to_json()["seats"].values()]


def test_pillars_that_nobody_could_count_are_two():
    card, built = project("red", "trilith-blue", "trilith-1"), Piece("pillar", "grey", field="yard-1")
    for count, parts in ((1, 1), (2, 2), (None, 2)):
        state = table(card, [replace(built, count=count)])
        assert state.to_json()["seats"]["red"]["project"]["parts"] == parts


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        (
            triliths("red", 1, 2, 3, 4)
            + project("red", "trilith-red", "trilith-5")
            + project("blue", "trilith-blue", "altar"),
            "more trilith cards would be in use",
        ),
        (blocks("red", 3) + blocks("blue", 3), "only one piece can stand there"),
        (bluestones("red", *range(1, 12)), "more pieces on the board than in the box"),
        (blocks("yellow", 3), "no player's colour"),
        (druid("red", "ring-3"), "no open card"),
        (project("red", "7-night"), "a site that fits its card"),
        (druid("red", "ring-3") + druid("red", "ring-4"), "one druid"),
        (project("red", "7-night", "ring-1") + project("red", "7-day"), "one project at a time"),
        (project("red", "7-night", "ring-1") + project("blue", "7-night", "ring-7"), "in two yards"),
        ([*triliths("red", 2)][1:], "no trilith stands under it"),
        (project("red", "7-night", "ring-1", pillars=1), "without a trilith card"),
    ],
)
def test_impossible_positions_are_refused(pieces, message):
    with pytest.raises(StateError, match=message):
        table(pieces)


def test_bad_states_are_refused_by_name():
    game = load_game("build")
    good = game.start(PLAYERS[:3]).to_json()
    for key, value, message in (
        ("phase", "tea", "'phase' is one of"), ("players", ["red"], "played by 3 or 4"),
        ("to_move", 5, "'to_move' is one of chance, found 5"),
        ("turn_of", "white", "'turn_of'"), ("display", [], "three cards"), ("seats", {}, "'seats'"),
        ("pile", {"shuffled": 3, "below": []}, "accounts for 3"), ("turns", -1, "'turns'"),
    ):  # fmt: skip
        with pytest.raises(StateError, match=message):
            game.from_json({**good, key: value})
    with pytest.raises(StateError, match="two places"):
        game.from_json({**good, "display": ["7-day", "7-day", None]})
    with pytest.raises(StateError, match="a colour that nobody plays"):
        load_game("build", neutral_colour="red").start(PLAYERS[:3])
    with pytest.raises(StateError, match="each player has a yard"):
        game.start(PLAYERS[:3], yards=("yard-1", "yard-1", "yard-2"))
    assert (
        game.start(PLAYERS[:3], yards=("yard-4", "yard-1", "yard-2")).to_json()["seats"]["red"]["yard"]
        == "yard-4"
    )
