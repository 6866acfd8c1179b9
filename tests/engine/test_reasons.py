"""Every refusal is a sentence that a player understands, in English and in German.

For every game and number of players, thousands of actions that are not legal are put to random states:
all kinds of actions of the game, with the fields, cards and colours of other ones.
"""

from __future__ import annotations

import ast
import dataclasses
import random
import re
from collections import Counter
from collections.abc import Iterator
from functools import cache
from itertools import product
from pathlib import Path

import pytest

from engine import CHANCE, Action, State, draw_chance, load_game
from engine.words import GERMAN, Text
from tests.engine.games.properties import tells_more
from tests.engine.seats import SEATS, ending, seats

ROOT = Path(__file__).resolve().parent.parent.parent
# Words that only one of the two languages has, as they stand in a sentence.
ENGLISH_ONLY = {
    "the", "is", "are", "not", "and", "of", "to", "you", "your", "with", "has", "have", "no", "only", "must",
    "may", "can", "cannot", "this", "that", "by", "from", "before", "after", "turn", "move", "hand", "who",
    "first", "there", "be", "on", "it", "its", "their", "nobody", "another", "already", "stones", "cards",
    *(word for word, german in GERMAN.items() if german.casefold() != word),
} - {"hand"}  # fmt: skip
GERMAN_ONLY = {
    "der", "das", "ist", "sind", "nicht", "und", "ein", "eine", "kein", "keine", "mit", "nur", "muss", "darf",
    "kann", "schon", "noch", "wer", "zug", "karte", "karten", "feld", "spieler", "hier", "jetzt", "auf",
    *(german.casefold() for word, german in GERMAN.items() if german.casefold() != word),
} - {"block"}  # fmt: skip


def words(sentence: str) -> set[str]:
    return set(re.findall(r"[a-zäöüß]+", sentence.casefold()))


def fault(reason: Text) -> str | None:
    """What is wrong with a reason, or None."""
    if reason.en == reason.de:
        return "the same text in both languages"
    for sentence in (reason.en, reason.de):
        if len(sentence.split()) < 3:
            return "no sentence"
        if (
            re.search(r"\bNone\b|[{}<>\[\]]|\(\)|  |\bTrue\b|\bFalse\b|_", sentence)
            or sentence != sentence.strip()
        ):
            return "a program's words or gaps"
        if re.search(r"\billegal\b|not legal|not allowed$|\binvalid\b|ungültig|nicht erlaubt$", sentence):
            return "does not say why"
    if left := words(reason.de) & (ENGLISH_ONLY):
        return f"English in the German text: {', '.join(sorted(left))}"
    if left := words(reason.en) & GERMAN_ONLY:
        return f"German in the English text: {', '.join(sorted(left))}"
    return None


def kind_of(reason: Text) -> str:
    """The rule without the numbers, fields and colours of the case."""
    return re.sub(r"[\w?]*-[\w-]+|\b(white|blue|green|yellow|red|black|brown|grey)\b|\d+", "…", reason.en)


@cache
def refusals(game_id: str, count: int) -> dict[tuple[str, str], int]:
    """(English, German) reasons and how often they were given, in states of random games by the usual rules
    and by house rules."""
    found: Counter[tuple[str, str]] = Counter()
    rng = random.Random(count)
    for half_seen, house_rules in product((False, True), repeat=2):
        rules = {v.key: rng.choice(v.choices) for v in load_game(game_id).variants} if house_rules else {}
        game = load_game(game_id, **{**rules, **ending(game_id, 50), "half_seen": half_seen})
        pool: dict[type[Action], list[Action]] = {kind: [] for kind in game.actions}
        met: list[State] = []
        while len(met) < 60:
            path = random_path(game.start(seats(game, count)), pool, rng)
            met += [*rng.sample(path[:-1], min(60 - len(met), len(path) - 1)), path[-1]]
        for state in met:
            listed = set(state.legal_actions())
            kinds = [actions for actions in pool.values() if actions]
            for action in {varied(rng.choice(actions), pool, rng) for actions in kinds for _ in range(3)}:
                reason = state.why_not(action)
                if action not in listed and not (reason is None and tells_more(action, listed)):
                    assert reason is not None, f"{action} is not listed, but allowed: {state.to_json()}"
                    found[reason.en, reason.de] += 1
    return found


def random_path(state: State, pool: dict[type[Action], list[Action]], rng: random.Random) -> list[State]:
    """All states of a random game; `pool` collects actions that were legal on the way."""
    path = [state]
    while state.to_move is not None:
        legal = state.legal_actions()
        for action in rng.sample(legal, min(3, len(legal))):
            pool.setdefault(type(action), []).append(action)
        state = state.apply(draw_chance(state, rng) if state.to_move == CHANCE else rng.choice(legal))
        path.append(state)
    return path


def varied(action: Action, pool: dict[type[Action], list[Action]], rng: random.Random) -> Action:
    """`action`, or the same with one of its fields from another action of its kind."""
    fields = dataclasses.fields(action)
    if not fields or rng.random() < 0.4:
        return action
    name = rng.choice(fields).name
    return dataclasses.replace(action, **{name: getattr(rng.choice(pool[type(action)]), name)})


@pytest.mark.parametrize(("game_id", "count"), SEATS)
def test_every_reason_is_a_sentence_in_both_languages(game_id, count):
    wrong = {
        (en, de): what for en, de in refusals(game_id, count) if (what := fault(Text(en, de))) is not None
    }
    assert not wrong


@pytest.mark.parametrize(("game_id", "count"), SEATS)
def test_the_reasons_name_many_rules(game_id, count):
    given = refusals(game_id, count)
    assert sum(given.values()) > 300
    assert len({kind_of(Text(en, de)) for en, de in given}) >= 8


@pytest.mark.parametrize(
    ("reason", "complaint"),
    [
        (Text("illegal move", "illegaler Zug"), "no sentence"),
        (Text("this move is illegal here", "dieser Zug geht hier so"), "does not say why"),
        (Text("field 7 is blue", "field 7 is blue"), "the same text in both languages"),
        (Text("field 7 is taken", "Feld 7 ist von white besetzt"), "English in the German text: white"),
        (Text("card 7-Tag is not yours", "Karte 7-Tag ist nicht deine"), "German in the English text: tag"),
        (Text("field None is taken", "Feld None ist besetzt"), "a program's words or gaps"),
    ],
)
def test_bad_reasons_are_noticed(reason, complaint):
    assert fault(reason) == complaint


def test_good_reasons_pass():
    assert fault(Text("field 7 is blue: this card is red", "Feld 7 ist blau: diese Karte ist rot")) is None


def in_source() -> Iterator[tuple[str, ast.expr, ast.expr]]:
    """(where, English, German) of every Text and Notation that stands in the engine's source."""
    for path in sorted((ROOT / "engine").rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            called = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
            if called and node.func.id in ("Text", "Notation") and len(node.args) == 2:
                yield f"{path.relative_to(ROOT)}:{node.lineno}", *node.args


def literal_texts() -> Iterator[tuple[str, str, str]]:
    """Their words."""
    for where, english, german in in_source():
        yield where, without_values(english), without_values(german)


def without_values(node: ast.expr) -> str:
    """The words of a string; what is filled in leaves a gap."""
    if isinstance(node, ast.JoinedStr):
        return "".join(part.value if isinstance(part, ast.Constant) else "…" for part in node.values)
    return re.sub(r"\{\w+\}", "…", str(node.value)) if isinstance(node, ast.Constant) else ""


def test_every_sentence_in_the_source_is_in_its_language():
    """Also those for cases that random games never meet."""
    texts = list(literal_texts())
    assert len(texts) > 400
    wrong = [
        (where, english, german)
        for where, english, german in texts
        if words(german) & ENGLISH_ONLY or words(english) & GERMAN_ONLY
    ]
    assert wrong == []
    assert [where for where, en, de in texts if en == de and len(words(en)) > 1] == []


NAMES = ("colour", "mover", "player", "victim", "who")


def named_as_in_programs() -> Iterator[str]:
    """Where a German sentence of the source names a player or a colour as programs do."""
    for where, _, german in in_source():
        filled = [part.value for part in ast.walk(german) if isinstance(part, ast.FormattedValue)]
        if any(isinstance(each, ast.Name) and each.id in NAMES for each in filled):
            yield where


def test_players_and_colours_have_german_names_in_german_sentences():
    assert list(named_as_in_programs()) == []
