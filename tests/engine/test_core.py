"""The parts of the engine that all games share: words, cards, positions, notation."""

from __future__ import annotations

import doctest
from dataclasses import dataclass

import pytest
from hypothesis import given
from hypothesis import strategies as st

import engine.action
import engine.cards
import engine.position
import engine.words
from engine import GAMES, Piece, Position, StateError, Thing, UnknownActionError, difference, load_game
from engine.action import Action, Notation, parse
from engine.cards import ALL_CARDS, colour_of, fits, number_of
from engine.observation import Observation, certain
from engine.words import COLOURS, ENGLISH, GERMAN, english_word, name, shade, translate_word


@pytest.mark.parametrize("module", [engine.action, engine.cards, engine.position, engine.words])
def test_examples_in_docstrings_hold(module):
    assert doctest.testmod(module).failed == 0


def test_there_are_65_cards_each_once():
    assert len(set(ALL_CARDS)) == 65
    assert [colour_of(f"{n}-day") for n in (1, 2, 3, 4, 5, 6, 30)] == [
        "white", "blue", "green", "yellow", "red", "black", "black"]  # fmt: skip
    assert number_of("trilith-red") is None and colour_of("trilith-red") == "red"
    assert sum(fits(card, "??-day") for card in ALL_CARDS) == 30


def test_every_german_word_stands_for_one_english_word():
    assert len(ENGLISH) == len(GERMAN)


@given(st.lists(st.sampled_from([*GERMAN, "7", "12", "??"]), min_size=1, max_size=3))
def test_tokens_survive_translation(parts):
    token = "-".join(parts)
    assert english_word(translate_word(token, "de")) == token


@pytest.mark.parametrize(
    ("thing", "english", "german", "as_object"),
    [
        (Thing("druid", "brown", 4), "brown druid 4", "brauner Druidenstein 4", "braunen Druidenstein 4"),
        (Thing("druid", "black"), "black druid face down", "schwarzer Druidenstein verdeckt",
         "schwarzen Druidenstein verdeckt"),
        (Thing("disc", "white"), "white disc", "weiße Scheibe", "weiße Scheibe"),
        (Thing("block", "blue", count=3), "3 blue blocks", "3 blaue Blöcke", "3 blaue Blöcke"),
        (Thing("block", "blue", count=None), "several blue blocks", "mehrere blaue Blöcke",
         "mehrere blaue Blöcke"),
        (Thing("figure", "red", lying=True), "lying red figure", "liegende rote Figur",
         "liegende rote Figur"),
        (Thing("trilith", "grey"), "grey trilith", "grauer Trilith", "grauen Trilithen"),
        (Thing("card", number=7, phase="night"), "7-night card", "Karte 7-Nacht", "Karte 7-Nacht"),
        (Thing("card", "red", face="up"), "trilith-red card", "Karte Trilith-Rot", "Karte Trilith-Rot"),
        (Thing("card", face="up"), "unread card", "ungelesene Karte", "ungelesene Karte"),
        (Thing("card", number=7, face="up"), "7 card (day or night)", "Karte 7 (Tag oder Nacht)",
         "Karte 7 (Tag oder Nacht)"),
        (Thing("card", "white", phase="night"), "unread card (night)", "ungelesene Karte (Nacht)",
         "ungelesene Karte (Nacht)"),
        (Thing("card", face="down"), "face-down card", "verdeckte Karte", "verdeckte Karte"),
    ],
)  # fmt: skip
def test_pieces_are_named_with_the_right_endings(thing, english, german, as_object):
    assert (thing.text(), thing.text("de"), thing.text("de", object_=True)) == (english, german, as_object)


def test_colours_are_names_and_properties():
    assert (name("red").de, shade("red").de, shade("white").de) == ("Rot", "rot", "weiß")


@dataclass(frozen=True, slots=True)
class Lay(Action):
    notation = Notation("lay {cards}[ on {place}]", "lege {cards}[ auf {place}]")
    cards: tuple[str, ...]
    place: str | None = None


@given(st.lists(st.sampled_from(ALL_CARDS), min_size=1, max_size=3), st.sampled_from([None, "pit-3-night"]))
def test_notation_reads_back_in_both_languages(cards, place):
    action = Lay(tuple(cards), place)
    assert parse(str(action), (Lay,)) == action
    assert parse(action.text("de"), (Lay,)) == action


def test_text_that_is_no_move_is_refused_with_the_ways_to_write_one():
    with pytest.raises(UnknownActionError, match=r"lay \{cards\}"):
        parse("burn the witch", (Lay,))


pieces = st.builds(
    Piece,
    st.sampled_from(["disc", "block", "figure"]),
    st.sampled_from(COLOURS),
    field=st.sampled_from(["ring-1", "ring-2", "altar"]),
    lying=st.booleans(),
    count=st.sampled_from([1, 2, None]),
)


@given(st.lists(pieces, max_size=6), st.lists(pieces, max_size=6))
def test_difference_leads_from_one_position_to_the_other(old, new):
    before, after = Position("anthology", tuple(old)), Position("anthology", tuple(new))
    change = difference(before, after)
    rest = list(old)
    for piece in change.gone:
        rest.remove(piece)
    assert Position("anthology", (*rest, *change.come)).same_as(after)
    assert bool(change) != before.same_as(after)


@given(st.lists(pieces, max_size=6))
def test_positions_survive_json(lying):
    position = Position("anthology", tuple(lying), "build", ("ring-3",))
    assert Position.from_json(position.to_json()) == position


def test_places_cover_pairs_and_capstones():
    piece = Piece.from_json(
        {"kind": "figure", "colour": "red", "fields": ["ring-4", "ring-5"], "on": "trilith"}
    )
    assert piece.place == "ring-4+ring-5^"
    assert piece.at("trilith-2").place == "trilith-2" and piece.at("trilith-2").on is None


@pytest.mark.parametrize("pair", [("ring-4", "ring-5"), ("ring-9", "ring-10"), ("ring-30", "ring-1")])
def test_a_trilith_stands_on_the_same_two_fields_in_whichever_order_they_are_named(pair):
    there, again = (Piece("trilith", "grey", fields=fields) for fields in (pair, pair[::-1]))
    assert there == again and hash(there) == hash(again) and again.place == "+".join(pair)
    assert again.at(f"{pair[1]}+{pair[0]}^").place == "+".join(pair) + "^"
    one, other = Position("anthology", (there,)), Position("anthology", (again,))
    assert one.same_as(other) and not difference(one, other)
    data = {"kind": "trilith", "colour": "grey", "fields": list(pair[::-1])}
    assert Piece.from_json(data) == there


def test_places_are_told_in_words():
    rider = Piece("figure", "red", fields=("ring-22", "ring-23"), on="trilith")
    disc = Piece("disc", "red", field="trilith-2", on="trilith")
    told = difference(Position("anthology", (rider,)), Position("anthology", (disc,))).text()
    assert told.en == (
        "red figure leaves the capstone of ring-22+ring-23; red disc comes to the capstone of trilith-2"
    )
    assert told.de == (
        "rote Figur verlässt Deckstein von Ring-22+Ring-23; rote Scheibe kommt auf Deckstein von Trilith-2"
    )


@pytest.mark.parametrize("count", [0, -1])
def test_a_heap_has_a_piece_at_least(count):
    with pytest.raises(StateError, match=f"'count' of a piece is .*, found {count}"):
        Piece("block", "red", field="trilith-5", count=count)


@pytest.mark.parametrize("game_id", GAMES)
def test_players_that_a_game_does_not_have_get_no_score(game_id):
    game = load_game(game_id)
    empty = Position(game.board, (), game_id)
    assert list(game.score_position(empty, game.colours[:1])) == [game.colours[0]]
    with pytest.raises(StateError, match=f"colours of {', '.join(game.colours)}; found purple"):
        game.score_position(empty, ("purple",))


def test_a_face_down_stone_differs_from_a_missing_value():
    assert Piece("druid", "black", field="space-A").to_json()["value"] is None
    assert str(Thing("druid", "black")) == "black druid face down"


@pytest.mark.parametrize(
    "data", [[], {"pieces": []}, {"board": "x"}, {"board": "x", "pieces": [{"colour": "red"}]}]
)
def test_bad_positions_are_refused(data):
    with pytest.raises(StateError):
        Position.from_json(data)


@pytest.mark.parametrize(
    ("key", "value"),
    [
        ("colour", 5), ("field", ["ring-7"]), ("facing", True), ("lying", "yes"), ("count", "many"),
        ("value", 4.5), ("count", 0), ("number", True), ("x_mm", "far"), ("angle_deg", float("nan")),
        ("y_mm", 10**400),
    ],
)  # fmt: skip
def test_a_piece_that_is_told_wrongly_is_refused_with_its_key(key, value):
    piece = {"kind": "block", "colour": "red", "field": "ring-7", key: value}
    with pytest.raises(StateError, match=f"'{key}' of a piece is .*, found "):
        Position.from_json({"board": "anthology", "pieces": [piece]})


@pytest.mark.parametrize(("key", "value"), [("occluded", 5), ("occluded", [5]), ("game", ["build"])])
def test_a_position_that_is_told_wrongly_is_refused_with_its_key(key, value):
    with pytest.raises(StateError, match=f"'{key}' of a position is .*, found "):
        Position.from_json({"board": "anthology", "pieces": [], key: value})


def test_observations_hold_probabilities():
    with pytest.raises(ValueError, match=r"ring-1 sum to 0\.5"):
        Observation("anthology", {"ring-1": {None: 0.5}}, Position("anthology"))
    seen = certain(
        Position("anthology", (Piece("disc", "red", field="ring-1"),)), ("ring-1", "ring-2"), doubt=0.1
    )
    assert seen.probability("ring-1", Thing("disc", "red")) == pytest.approx(0.9)
    assert seen.ranked("ring-2")[0] == (None, 1.0)
