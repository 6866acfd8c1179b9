"""Opferroulette: the rule book's sentences, whole games, and a second opinion that walks field by field."""

from __future__ import annotations

import doctest
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import engine.games.roulette.ring
from engine import CHANCE, IllegalActionError, Piece, Position, StateError, load_game
from engine.cards import ALL_CARDS, NUMBER_CARDS, TRILITH_CARDS
from engine.games.roulette.actions import Fall, Flip, Move, MoveAndFall, Offer, PlaceOffering, TurnUp
from engine.hands import Draw, mask_of
from tests.engine.games import naive_roulette as naive
from tests.engine.games.properties import check_random_game, random_action, random_game

COLOURS = ("red", "white", "green", "yellow", "blue")
HOUSE_RULES = {
    "pass_allowed": False, "trilith_first_only": True, "match_forces_fall": True,
    "trilith_free_pit_only": True, "two_player_ignore_all": True, "ascending_is_clockwise": False,
    "neutral_colour": "blue", "refill_before_fall": True, "end": "immediate",
}  # fmt: skip


def start(count=3, **variant):
    return load_game("roulette", **variant).start(COLOURS[:count])


def play(state, *moves):
    for move in moves:
        state = state.apply(state.game.parse(move))
    return state


def table(hand, ball="ring-1", pits=None, facing="clockwise", seat="red", **changes):
    """A three-player game in the middle of play: red to move with `hand`, the others with whatever."""
    variant = changes.pop("variant", {})
    data = ready(**variant).to_json()
    data |= {"ball": ball, "facing": facing, "pits": pits or {}, "seat": seat, "to_move": seat}
    data["captured"] = {player: [] for player in data["players"]}
    left = [card for card in ALL_CARDS if card not in hand]
    data["hands"] = {"red": list(hand), "white": left[20:25], "green": left[40:45]}
    data["pile"] = 65 - 10 - len(hand)
    return load_game("roulette", **variant).from_json(data | changes)


def ready(count=3, seed=1, **variant):
    """A random game, set up and dealt."""
    return next(s for s, _ in random_game(load_game("roulette", **variant), COLOURS[:count], seed)
                if s.phase == "play")  # fmt: skip


def conserved(state):
    """Ten discs of each colour in play, 65 cards."""
    discs = [c for heap in (*state.pits, *state.captured) for c in heap]
    if state.phase in ("offerings", "neutral", "triliths"):
        expected = state.drawn.bit_count() - len(state.waiting)
        assert len(discs) == expected
    else:
        colours = {*state.players, state.neutral_colour} if len(state.players) == 2 else {*state.players}
        assert all(discs.count(c) == 10 for c in colours) and len(discs) == 10 * len(colours)
    hands = state.hands
    in_hands = sum(hands.size(seat) for seat in range(len(state.players)))
    return in_hands + hands.pile_count + hands.discards.bit_count()


def swap_hidden(state, player, rng):
    """The same game with a card of another hand exchanged for one that is still in the pile."""
    hands, seats = state.hands, [i for i, p in enumerate(state.players) if p != player]
    seat = rng.choice(seats)
    drawn = [c for c in ALL_CARDS if mask_of([c]) & hands.known[seat] & hands.pools[-1]]
    pile = [c for c in ALL_CARDS if mask_of([c]) & hands.pile]
    if not drawn or not pile or state.game.half_seen:
        return None
    data, mine, other = state.to_json(), rng.choice(drawn), rng.choice(pile)
    hand = data["hands"][state.players[seat]]
    hand[hand.index(mine)] = other
    return state.game.from_json(data)


@pytest.mark.parametrize("half_seen", [False, True], ids=["open", "half-seen"])
@pytest.mark.parametrize("count", [2, 3, 4, 5])
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_games(count, half_seen, seed):
    game = load_game("roulette", half_seen=half_seen)
    check_random_game(
        game, COLOURS[:count], seed, conserved=conserved, swap_hidden=swap_hidden, thoroughness=0.03
    )


@pytest.mark.parametrize("half_seen", [False, True], ids=["open", "half-seen"])
@pytest.mark.parametrize("variant", [HOUSE_RULES, {"trilith_alone": True}], ids=["all", "trilith_alone"])
@settings(max_examples=3, deadline=None)
@given(seed=st.integers(0, 2**32))
def test_random_games_by_house_rules(variant, half_seen, seed):
    game = load_game("roulette", half_seen=half_seen, **variant)
    check_random_game(game, COLOURS[:2], seed, conserved=conserved, thoroughness=0.03)


def test_examples_in_docstrings_hold():
    assert doctest.testmod(engine.games.roulette.ring).failed == 0


# --- set-up --------------------------------------------------------------------------------------


def test_a_day_card_4_puts_the_disc_on_the_day_pit_of_field_4():
    state = play(start(), "red offers 4-day")
    assert state.visible().pieces == (Piece("disc", "red", field="pit-4-day"),)
    assert state.why_not(Offer("red", "4-day")).en == "4-day is not in the pile: it has been dealt already"
    assert "now a card comes up" in state.why_not(Offer("white", "5-day")).en


def test_offerings_of_trilith_cards_come_last_and_in_the_order_of_colours():
    state, rest = start(), iter(NUMBER_CARDS)
    triliths = {"red": "trilith-red", "white": "trilith-blue", "green": "trilith-green"}
    for player in state.players:
        state = play(state, f"{player} offers {triliths[player]}")
        for _ in range(9):
            state = play(state, f"{player} offers {next(rest)}")
    order = []
    while state.phase == "triliths":
        order.append(state.to_move)
        assert state.legal_actions() == tuple(PlaceOffering(f"pit-{card}") for card in NUMBER_CARDS)
        state = play(state, "offer on pit-1-day")  # taken already, and still allowed
    assert order == ["white", "green", "red"]
    assert state.pits[0] == ("red", "white", "green", "red")


def test_a_free_pit_may_be_asked_for_by_house_rule():
    state = start(trilith_free_pit_only=True)
    for player in state.players:
        for card in [c for c in ALL_CARDS[::-1] if not state.drawn & mask_of([c])][:10]:
            state = play(state, f"{player} offers {card}")
    assert state.phase == "triliths"
    assert state.why_not(PlaceOffering("pit-30-night")).en == (
        "pit-30-night is taken: this offering goes into a free pit"
    )


def test_two_players_lay_ten_neutral_discs_and_no_trilith_counts_for_them():
    state = next(
        s for s, _ in random_game(load_game("roulette"), ("red", "white"), 3) if s.phase == "neutral"
    )
    assert state.neutral_colour == "blue"
    left = next(c for c in TRILITH_CARDS if not state.drawn & mask_of([c]))
    assert state.why_not(Offer("blue", left)).en == f"{left} does not count here: draw another card for it"
    assert ready(2, 3).visible().things() and sum(
        p.count for p in ready(2, 3).visible() if p.colour == "blue" and p.kind == "disc"
    ) == 10  # fmt: skip


def test_the_ball_starts_on_the_number_of_a_card_facing_clockwise():
    state = next(s for s, _ in random_game(load_game("roulette"), COLOURS[:3], 2) if s.phase == "ball")
    chances = state.chance_outcomes()
    assert 15 <= len(chances) <= 30 and {round(p * 60) for _, p in chances} <= set(range(1, 6))
    ball = state.apply(chances[0][0]).visible().pieces[-1]
    assert ball.kind == "figure" and ball.colour == "grey" and ball.facing == "clockwise"


def test_hands_and_passes():
    for count in (2, 3, 4, 5):
        state = ready(count)
        assert [state.hands.size(seat) for seat in range(count)] == [5] * count
        assert state.hands.pile_count == 65 - 5 * count
        assert state.passes_left == (3 if count == 5 else 2)
        assert state.to_move == "red"


# --- a turn: the rule book's example -------------------------------------------------------------


THREE_RED = ["5-day", "11-night", "23-day", "2-day", "trilith-white"]


def test_three_red_cards_move_three_red_fields():
    state = play(table(THREE_RED), "move 23-day", "move 5-day", "move 11-night")
    assert state.ball == 17 and state.to_move == "red"  # from 1: 5, 11, 17


def test_or_two_red_fields_and_a_fall():
    state = play(table(THREE_RED, pits={"pit-11-night": ["green", "red"], "pit-11-day": ["white"]}),
                 "move 23-day", "move 5-day", "fall 11-night")  # fmt: skip
    assert state.ball == 11 and state.to_move == CHANCE
    night = next(a for a in state.legal_actions() if a.card.endswith("-night"))
    after = state.apply(night)
    assert after.captured[0] == ("green", "red") and after.visible().at("pit-11-day")
    assert not after.visible().at("pit-11-night")


def test_or_three_fields_and_a_fall_when_the_last_card_has_the_number_of_its_field():
    state = play(table(["5-day", "11-night", "17-day", "2-day", "9-day"]), "move 5-day", "move 11-night")
    assert state.why_not(MoveAndFall("17-day")) is None
    assert play(state, "move and fall 17-day").ball == 17
    state = play(table(THREE_RED), "move 11-night", "move 5-day")
    assert state.why_not(MoveAndFall("23-day")).en == (
        "the ball reaches field 17, not 23: to move and fall the card needs the number of the field"
    )


def test_a_fall_needs_an_earlier_move_but_a_match_may_be_the_first_card():
    state = table(THREE_RED)
    assert state.why_not(Fall("5-day")).en == (
        "the ball falls only after another card has moved it in this turn"
    )
    assert state.why_not(MoveAndFall("5-day")) is None and state.why_not(Move("5-day")) is None


def test_matching_numbers_force_the_fall_by_house_rule():
    state = table(THREE_RED, variant={"match_forces_fall": True})
    assert "it has to fall" in state.why_not(Move("5-day")).en
    assert state.why_not(MoveAndFall("5-day")) is None


def test_one_colour_per_turn():
    state = play(table(THREE_RED), "move 5-day")
    assert state.why_not(Move("2-day")).en == (
        "all number cards of a turn have one colour: this turn is red, 2-day is blue"
    )
    assert state.why_not(Move("2-day")).de.endswith("dieser Zug ist rot, 2-Tag ist blau")


def test_trilith_cards_turn_the_ball_round_and_two_cancel_out():
    state = table(["5-day", "trilith-white", "trilith-red", "1-day", "2-day"], ball="ring-11")
    once = play(state, "flip trilith-white")
    assert once.facing == "anticlockwise" and play(once, "move 5-day").ball == 5
    assert play(once, "flip trilith-red", "move 5-day").ball == 17
    assert once.why_not(state.game.parse("end turn")).en == (
        "a trilith card is played in addition: play a number card, too"
    )
    assert play(once, "move 5-day", "flip trilith-red").facing == "clockwise"
    assert state.why_not(Flip("5-day")).en == "5-day does not turn the ball round: only trilith cards do"
    assert "only turns the ball round" in state.why_not(Move("trilith-red")).en


def test_trilith_cards_by_house_rules():
    hand = ["5-day", "trilith-white", "trilith-red", "1-day", "2-day"]
    first = play(table(hand, variant={"trilith_first_only": True}), "move 5-day")
    assert first.why_not(Flip("trilith-red")).en == "trilith cards are played before the number cards"
    alone = play(table(hand, variant={"trilith_alone": True}), "flip trilith-red")
    assert play(alone, "end turn").to_move == CHANCE


def test_a_hand_of_triliths_can_only_pass():
    state = table(list(TRILITH_CARDS), variant={"pass_allowed": False})
    assert [str(a) for a in state.legal_actions()] == ["pass"]
    assert "there is none in this hand" in state.why_not(Flip("trilith-red")).en
    state = table(THREE_RED, variant={"pass_allowed": False})
    assert "passing is not allowed" in state.why_not(state.game.parse("pass")).en


def test_passing_goes_to_the_next_player_and_the_ball_stays():
    state = play(table(THREE_RED), "pass")
    assert state.to_move == "white" and state.ball == 1
    state = play(table(THREE_RED), "move 5-day")
    assert "end the turn instead" in state.why_not(state.game.parse("pass")).en


def test_cards_that_one_does_not_hold():
    state = table(THREE_RED)
    assert state.why_not(Move("7-day")).en == "red does not hold 7-day"
    half = state.view("red")
    other = next(c for c in NUMBER_CARDS if mask_of([c]) & state.hands.known[1])
    assert half.why_not(Move(other)).en.startswith("red does not hold")
    after = play(state, "move 5-day")
    assert after.why_not(Move("5-day")).en == "red does not hold 5-day: it lies on the discard pile"


# --- the fall ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("kind", "hit"), [("day", ["day"]), ("night", ["night"]), ("trilith", ["day", "night"])]
)
def test_the_card_turned_up_says_which_pits_are_hit(kind, hit):
    pits = {"pit-5-day": ["green"], "pit-5-night": ["white", "white"]}
    state = play(table(THREE_RED, pits=pits), "move and fall 5-day")
    card = next(a for a in state.legal_actions() if kind in a.card)
    after = state.apply(card)
    assert list(after.captured[0]) == [c for phase in hit for c in pits[f"pit-5-{phase}"]]
    assert state.insights()["here"][kind] == list(after.captured[0])


def test_own_offerings_crushed_raise_the_hand_limit_for_good():
    state = play(table(THREE_RED, pits={"pit-5-day": ["red"], "pit-5-night": ["red"]}), "move and fall 5-day")
    card = next(a for a in state.legal_actions() if "trilith" in a.card)
    state = state.apply(card)
    assert state.hand_limit(0) == 7
    while state.to_move == CHANCE:
        state = state.apply(state.legal_actions()[0])
    assert state.hands.size(0) == 7 and state.to_move == "white"


def test_by_house_rule_the_hand_is_filled_up_before_the_ball_falls():
    pits = {"pit-5-day": ["red"], "pit-5-night": ["red"]}
    state = play(table(THREE_RED, pits=pits, variant={"refill_before_fall": True}), "move and fall 5-day")
    assert state.prompt().en == "red draws up to the hand limit"
    assert state.game.from_json(state.to_json()) == state and state.to_json()["turn"]["falling"]
    state = state.apply(state.legal_actions()[0])
    assert state.hands.size(0) == 5 and "lets the ball fall" in state.prompt().en
    state = state.apply(next(a for a in state.legal_actions() if "trilith" in a.card))
    assert (state.hand_limit(0), state.hands.size(0), state.to_move) == (7, 5, "white")


def last_card(left, **variant):
    """Red, with one pass to go and `left` cards in the pile, lets the ball fall on the discs of pit 5."""
    pits = {"pit-5-day": ["green"], "pit-5-night": ["green"]}
    others = [card for card in ALL_CARDS if card not in THREE_RED]
    pile, discards = others[:left], others[left + 10 :]
    hands = {"red": THREE_RED, "white": others[left : left + 5], "green": others[left + 5 : left + 10]}
    unseen = [*pile, *(card for hand in hands.values() for card in hand)]
    state = table(
        THREE_RED, pits=pits, variant=variant, hands=hands, discards=discards, pile=left, passes_left=1,
        unseen=[{"cards": unseen, "unknown": {"red": 0, "white": 0, "green": 0}}],
    )  # fmt: skip
    return play(state, "move and fall 5-day")


@pytest.mark.parametrize(("end", "crushed"), [("turn", 1), ("immediate", 0)])
def test_the_fall_with_the_last_card_of_all_counts_or_not(end, crushed):
    state = last_card(1, end=end)
    state = state.apply(state.legal_actions()[0])
    assert state.is_over and len(state.captured[0]) == crushed
    more = last_card(2, end=end)
    more = more.apply(more.legal_actions()[0])
    assert not more.is_over and len(more.captured[0]) == 1


def test_when_drawing_uses_up_the_last_pile_the_ball_does_not_fall_any_more():
    state = last_card(1, refill_before_fall=True)
    state = state.apply(state.legal_actions()[0])
    assert state.is_over and state.captured[0] == () and state.ball == 5


def test_the_ball_goes_on_from_where_it_fell_and_keeps_its_facing():
    state = table(["29-day", "trilith-white", "1-day", "2-day", "3-day"])
    state = play(state, "flip trilith-white", "move and fall 29-day")
    while state.to_move == CHANCE:
        state = state.apply(state.legal_actions()[0])
    assert (state.ball, state.facing, state.to_move) == (29, "anticlockwise", "white")


def test_the_game_ends_when_the_pile_has_been_played_through_as_often_as_it_takes():
    for count, passes in ((2, 2), (3, 2), (5, 3)):
        shuffles, before = 0, None
        for state, _ in random_game(load_game("roulette"), COLOURS[:count], 9):
            if before is not None and state.passes_left < before.passes_left:
                shuffles += 1
                assert before.hands.pile_count == 1
            before = state
        assert shuffles == passes and state.hands.pile_count == 0 and state.passes_left == 0


# --- scores --------------------------------------------------------------------------------------


def test_two_points_for_each_offering_left_and_one_for_each_crushed():
    captured = {"red": ["red", "green", "white"], "white": [], "green": ["red"]}
    pits = {"pit-1-day": ["red", "red"], "pit-2-night": ["white"]}
    state = table(THREE_RED, pits=pits, captured=captured)
    scores = state.scores()
    assert {p: s.total for p, s in scores.items()} == {"red": 4 + 3, "white": 2, "green": 1}
    assert scores["red"].parts[0].places == ("pit-1-day", "pit-1-day")
    assert {part.key: part.points for part in scores["red"].parts} == {
        "left": 4, "crushed-red": 1, "crushed-green": 1, "crushed-white": 1}  # fmt: skip
    seen = load_game("roulette").score_position(state.visible())
    assert {p: s.total for p, s in seen.items()} == {"red": 4, "white": 2}


def test_scores_agree_with_counting_and_sum_up():
    for seed in range(12):
        *_, (state, _) = random_game(load_game("roulette"), COLOURS[: 2 + seed % 4], seed)
        pits, captured = state.to_json()["pits"], state.to_json()["captured"]
        totals = {p: s.total for p, s in state.scores().items()}
        assert totals == {p: naive.points(pits, captured[p], p) for p in state.players}
        left = sum(discs.count(p) for discs in pits.values() for p in state.players)
        assert sum(totals.values()) == 2 * left + sum(map(len, captured.values()))
        best = max(totals.values())
        winners = [p for p in state.players if totals[p] == best]
        results = dict(zip(state.players, state.returns(), strict=True))
        assert all(results[p] == (1 if len(winners) == 1 else 0) for p in winners)
        assert all(results[p] == -1 for p in state.players if p not in winners)


# --- a second opinion ----------------------------------------------------------------------------


def test_movement_agrees_with_walking_field_by_field():
    """6,000 random plays, cards and flips in any order, on boards of either direction."""
    rng = random.Random(3)
    states = {way: table(THREE_RED, variant={"ascending_is_clockwise": way}) for way in (True, False)}
    for _ in range(6000):
        way, ball, facing = rng.random() < 0.5, rng.randint(1, 30), rng.choice(["clockwise", "anticlockwise"])
        state = states[way]._copy()
        state.ball, state.facing = ball, facing
        colour = rng.choice(naive.COLOURS)
        cards = [c for c in rng.sample(NUMBER_CARDS, 60) if naive.colour(int(c.split("-")[0])) == colour]
        hand = [*cards[: rng.randint(1, 6)], *rng.sample(TRILITH_CARDS, rng.randint(0, 3))]
        state.hands = type(state.hands).fresh(mask_of(ALL_CARDS), 3)
        for card in hand:
            state.hands = state.hands.draw(0, card)
        rng.shuffle(hand)
        for card in hand:
            state = state.apply(Flip(card) if card in TRILITH_CARDS else Move(card))
        steps = ["flip" if card in TRILITH_CARDS else colour for card in hand]
        assert (state.ball, state.facing) == naive.roll(ball, facing, steps, way)


def test_five_cards_of_its_colour_bring_the_ball_round_to_where_it_was():
    for number in range(1, 31):
        colour = naive.colour(number)
        hand = [card for card in NUMBER_CARDS if naive.colour(int(card.split("-")[0])) == colour][:5]
        for facing in ("clockwise", "anticlockwise"):
            state = table(hand, ball=f"ring-{number}", facing=facing)
            ahead = state.insights()["ahead"][colour]
            for card, entry in zip(hand, ahead, strict=True):
                state = state.apply(Move(card))
                assert entry["field"] == f"ring-{state.ball}"
            assert (state.ball, state.facing) == (number, facing)


# --- half seen -----------------------------------------------------------------------------------


def test_hands_are_dealt_unseen_and_any_card_may_be_shown():
    state = ready(3, half_seen=True)
    assert state.to_json()["hands"]["red"] == ["??"] * 5
    moves = [a for a in state.legal_actions() if isinstance(a, Move)]
    assert len(moves) == 60 and state.why_not(Draw("red", "??")) is not None
    state = play(state, "move 7-day")
    assert state.why_not(Move("7-day")).en == "red does not hold 7-day: it lies on the discard pile"
    assert state.why_not(Move("13-night")) is None
    drawing = play(state, "end turn")
    assert drawing.legal_actions() == (Draw("red", "??"),)
    assert "face down" in drawing.why_not(Draw("red", "9-day")).en


def test_who_has_not_drawn_since_the_shuffle_cannot_hold_a_card_of_the_new_pile():
    rng = random.Random(6)
    state = ready(3, half_seen=True)
    while state.passes_left == 2:
        before, state = state, state.apply(random_action(state, rng))
    shuffled = [c for c in ALL_CARDS if mask_of([c]) & state.hands.pools[-1]]
    waiting = next(i for i in range(3) if i != before.seat)
    assert shuffled and not any(state.hands.holds(waiting, card) for card in shuffled)


def test_a_card_that_was_in_a_hand_at_the_shuffle_does_not_come_up():
    rng = random.Random(6)
    state = ready(3, half_seen=True)
    while state.passes_left == 2 or state.phase != "fall":
        state = state.apply(random_action(state, rng))
    kept = next(card for card in ALL_CARDS if mask_of([card]) & state.hands.pools[0])
    reason = state.why_not(TurnUp(kept))
    assert reason.en == f"{kept} is not in the pile: it was not among the cards that were shuffled"
    assert reason.de.endswith("ist nicht im Stapel: sie war nicht unter den gemischten Karten")


def test_a_card_that_comes_back_from_the_discards_tells_that_a_pass_has_ended():
    """Nobody read the card by which the ball fell into an empty pit: how full the pile is, is a guess."""
    empty = ready(half_seen=True).to_json() | {"pits": {}, "ball": "ring-1", "facing": "clockwise"}
    state = load_game("roulette", half_seen=True).from_json(empty)
    played = next(move for move in state.legal_actions() if isinstance(move, Move))
    after = state.apply(played)
    fall = next(fall for fall in after.legal_actions() if isinstance(fall, Fall))
    waiting = drawn(after.apply(fall).apply(TurnUp("??")))
    assert waiting.passes_left == 2 and waiting.why_not(played) is None
    last = drawn(play(waiting.apply(played), "end turn"))
    assert last.passes_left == 1 and played not in last.legal_actions()
    assert "lies on the discard pile" in last.why_not(played).en


def drawn(state):
    """Once the hand is filled up."""
    while state.to_move == CHANCE:
        state = state.apply(state.legal_actions()[0])
    return state


@pytest.mark.parametrize("seed", range(3))
def test_a_game_whose_fallen_cards_nobody_reads_comes_to_its_end(seed):
    state, rng = start(2, half_seen=True), random.Random(seed)
    for _ in range(1500):
        if state.is_over:
            break
        events = state.legal_actions() if state.to_move == CHANCE else ()
        unread = [turned for turned in map(TurnUp, ["??"]) if events and state.why_not(turned) is None]
        state = state.apply(rng.choice(unread or state.legal_actions()))
    assert state.is_over and state.passes_left == 0


def falling(pits=("pit-7-day", "pit-7-night")):
    """The ball falls at 7, where discs lie in these pits; the pile is unknown."""
    seen = Position("anthology", (
        *(Piece("disc", "white", field=pit) for pit in pits), Piece("figure", "grey", field="ring-1")
    ))  # fmt: skip
    state = load_game("roulette").from_position(seen, ("white", "blue", "green"))
    return play(state, "move and fall 7-??")


def test_the_two_pits_that_a_fall_hit_are_named_in_either_order():
    for told in (
        "turn up ?? hitting pit-7-day+pit-7-night",
        "turn up ?? hitting pit-7-night+pit-7-day",
        "decke ?? auf und triff Mulde-7-Nacht, Mulde-7-Tag",
    ):
        action = falling().game.parse(told)
        assert str(action) == "turn up ?? hitting pit-7-day+pit-7-night"
        assert falling().apply(action).captured[0] == ("white", "white")


@pytest.mark.parametrize(
    ("told", "english", "german"),
    [
        ("turn up 7-night hitting pit-7-night", "name no pits", "nenne keine Mulden"),
        ("turn up ?? hitting pit-8-day", "turn up ?? hitting pit-7-day / turn up ?? hit",
         "decke ?? auf und triff Mulde-7-Tag / decke"),
        ("turn up ??-day", "told what it hit", "gesagt, was sie trifft"),
    ],
)  # fmt: skip
def test_a_fall_that_is_told_wrongly_is_refused_for_that(told, english, german):
    reason = falling().why_not(falling().game.parse(told))
    assert english in reason.en and german in reason.de
    assert falling().why_not(TurnUp("7-night")) is None


def test_a_player_tells_his_hand_and_a_view_keeps_it_to_himself():
    state = ready(3, half_seen=True)
    told = state.with_hand("red", ["7-day", "8-night", "trilith-red", "??", "??"])
    assert told.view("red").to_json()["hands"]["red"][:2] == ["7-day", "8-night"]
    assert told.view("white") == state.view("white")
    assert (
        told.with_hand("red", ["1-day", "7-day", "8-night", "trilith-red", "2-day"])
        .why_not(Move("3-day"))
        .en.startswith("red does not hold 3-day")
    )
    with pytest.raises(IllegalActionError, match="7-day"):
        told.with_hand("white", ["7-day"])
    with pytest.raises(IllegalActionError):
        told.with_hand("red", ["1-day", "2-day", "3-day"])
    with pytest.raises(IllegalActionError, match="does not play"):
        told.with_hand("black", [])


def test_a_known_game_deals_known_cards():
    state = play(table(THREE_RED), "move 5-day", "end turn")
    assert state.why_not(Draw("red", "??")).en == "say which card: ?? is none"
    assert state.why_not(Draw("red", "5-day")).en.startswith("5-day is not in the pile")
    assert "now a card comes up" in state.why_not(TurnUp("7-day")).en


# --- positions taken over ------------------------------------------------------------------------


def test_a_game_can_be_taken_over_from_the_board():
    seen = Position("anthology", (
        Piece("disc", "red", field="pit-3-day", count=2),
        Piece("figure", "grey", field="ring-9", facing="anticlockwise")))  # fmt: skip
    state = load_game("roulette").from_position(seen, ("red", "green", "blue"), "green")
    assert state.to_move == "green" and state.ball == 9 and state.facing == "anticlockwise"
    assert state.game.half_seen and state.visible().same_as(seen)
    assert state.scores()["red"].total == 4
    assert play(state, "move 6-day").ball == 6


@pytest.mark.parametrize(
    ("pieces", "message"),
    [
        ([], "one grey figure, the ball"),
        ([Piece("figure", "grey", field="ring-9"), Piece("figure", "grey", field="ring-8")], "found 2"),
        ([Piece("figure", "red", field="ring-9")], "found red figure on ring-9"),
        ([Piece("disc", "yellow", field="pit-1-day")], "found yellow disc"),
        ([Piece("disc", "red", field="pit-1-day", count=11)], "found 11 red discs"),
        (
            [Piece("disc", "red", field="pit-1-day", count=None)],
            "several red discs lie on pit-1-day: say how",
        ),
        ([Piece("figure", "grey", field="ring-9", facing="up")], "faces 'up'"),
    ],
)
def test_impossible_positions_are_refused(pieces, message):
    with pytest.raises(StateError, match=message):
        load_game("roulette").from_position(Position("anthology", tuple(pieces)), ("red", "green", "blue"))


def test_the_neutral_colour_cannot_be_a_players():
    with pytest.raises(StateError, match="neutral offerings are red"):
        load_game("roulette", neutral_colour="red").start(("red", "white"))


@pytest.mark.parametrize("key", ["phase", "pits", "hands", "unseen", "turn", "seat", "passes_left"])
def test_broken_states_are_refused(key):
    data = ready().to_json()
    del data[key]
    with pytest.raises(StateError):
        load_game("roulette").from_json(data)


def test_a_turn_has_a_colour_of_the_board():
    data = ready().to_json()
    data["turn"]["colour"] = "purple"
    with pytest.raises(StateError, match=r"'colour' of a turn is one of .*, found 'purple'"):
        load_game("roulette").from_json(data)
