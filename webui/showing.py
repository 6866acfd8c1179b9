"""What the page gets to see of a table, as JSON: only ever views, never what a player keeps to himself."""

from __future__ import annotations

import json
import re
import threading
from collections import OrderedDict
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from itertools import combinations
from typing import TYPE_CHECKING, Any

from engine import CHANCE, GAMES, Change, Game, Observation, State, Thing, difference, load_game
from engine.errors import StateError
from engine.words import Text
from table import Hall, Lookout, Table, UnreadableTable
from table.store import TableRow

if TYPE_CHECKING:
    from webui.app import Eyes
    from webui.player import Player

Json = dict[str, Any]
# With more moves than that, what each would change is told one by one, when it is pointed at.
MOVES_WITH_CHANGES = 160
KEPT_MOMENTS = 4000


@dataclass
class Gallery:
    """The tables and what has been worked out about them. States never change, so what is known about a
    moment of a game stays true."""

    hall: Hall
    players: dict[str, Player] = field(default_factory=dict)
    eyes: Eyes | None = None
    lookout: Lookout | None = None
    _kept: OrderedDict[tuple[str, str, int], Any] = field(default_factory=OrderedDict)
    _newest: dict[tuple[str, str], int] = field(default_factory=dict)
    _at_work: dict[tuple[str, str, int], threading.RLock] = field(default_factory=dict)
    _guard: threading.Lock = field(default_factory=threading.Lock)

    def table(self, table_id: str) -> Table:
        """Raises NoSuchTable."""
        return self.hall.open(table_id)

    def remember(self, what: str, table: Table, number: int, work_out: Any) -> Any:
        """`work_out()` for this table and number, once; the oldest are forgotten. Whoever asks meanwhile
        waits for the one who works it out: all onlookers ask at the same moment."""
        key = (what, table.id, number)
        with self._guard:
            if key in self._kept:
                self._kept.move_to_end(key)
                return self._kept[key]
            at_work = self._at_work.setdefault(key, threading.RLock())
        with at_work:
            with self._guard:
                if key in self._kept:
                    return self._kept[key]
            try:
                found = work_out()
            finally:
                with self._guard:
                    self._at_work.pop(key, None)
            with self._guard:
                self._kept[key] = found
                while len(self._kept) > KEPT_MOMENTS:
                    self._kept.popitem(last=False)
        return found

    def newest(self, what: str, table: Table, number: int, work_out: Any) -> Any:
        """`remember` for what is only asked for as it is now: the one before is forgotten. A whole table or a
        picture at every event of an evening would fill the machine."""
        found = self.remember(what, table, number, work_out)
        with self._guard:
            before = self._newest.get((what, table.id), number)
            self._newest[what, table.id] = max(before, number)
            if before != number:
                self._kept.pop((what, table.id, min(before, number)), None)
        return found

    # --- whole tables ------------------------------------------------------------------------------

    def snapshot(self, table: Table) -> bytes:
        """Everything the page shows of a table except moves and pictures; JSON text, made once per event."""
        number = table.last_event_id
        text: bytes = self.newest("snapshot", table, number, lambda: self._snapshot(table, number))
        return text

    def _snapshot(self, table: Table, event: int) -> bytes:
        entries, state = table.entries, table.state
        data = {
            "id": table.id,
            "name": table.row.name,
            "game": table.row.game,
            "title": state.game.title.to_json(),
            "board": state.game.board,
            "players": list(table.players),
            "variant": dict(table.row.variant),
            "created": table.row.created,
            "closed": table.row.closed,
            "event": event,
            "can_undo": table.can_undo,
            "can_redo": table.can_redo,
            "can_teach": table.can_teach,
            "status": self.status(table),
            "view": self._view(table),
            "moment": self.moment(table, len(entries)),
            "entries": [self._entry(table, entry) for entry in entries],
            "curve": [self._totals(table, number) for number in range(len(entries) + 1)],
            "replayed": table.id in self.players,
            "dealt": table.is_dealt,
        }
        return _as_bytes(data)

    def status(self, table: Table) -> Json:
        """The table's status; each answer to a question comes with the picture of its difference."""
        status = table.status
        data = status.to_json()
        for answer, shown in zip(status.answers, data["answers"], strict=True):
            shown["change"] = change_json(answer.change)
        if status.alarm is not None:
            data["alarm"]["change"] = change_json(status.alarm.change)
        return data

    def _view(self, table: Table) -> Json | None:
        view = table.view
        return (
            None if view is None else {"number": view.number, "at": view.at, "picture": view.jpeg is not None}
        )

    def summary(self, row: TableRow) -> Json:
        """A table in the hall: as much as fits on a card."""
        data = row.to_json() | {"title": load_game(row.game).title.to_json()}
        if row.closed is not None:
            return data
        try:
            table = self.table(row.id)
        except UnreadableTable as error:  # the other tables can be played on
            return data | {"unreadable": str(error)}
        count = len(table.entries)
        state = table.state
        return data | {
            "board": state.game.board,
            "prompt": state.view(None).prompt().to_json(),
            "to_move": state.to_move,
            "status": table.status.name,
            "entries": count,
            "replayed": row.id in self.players,
            "totals": self._totals(table, count),
            "seen": table.view is not None,
            "watched": self.watched() is table,
            "position": self.moment(table, count)["position"],
        }

    def watched(self) -> Table | None:
        """The table that the camera watches; None also without a camera."""
        return self.lookout.table if self.lookout is not None and self.lookout.is_there else None

    def camera(self) -> Json:
        """Whether there is a camera, and which table it watches."""
        table = self.watched()
        told = None
        if table is not None:
            title = table.game.title.to_json()
            told = {"id": table.id, "name": table.row.name, "title": title, "closed": table.row.closed}
        return {"present": self.lookout is not None and self.lookout.is_there, "table": told}

    def series(self, table: Table) -> Json:
        """The games of Stonehenge that bear the same name, played by the same colours: the megaliths that
        the loser of each had left, and their sum; fewer is better."""
        games = [] if table.row.game != "stonehenge" else [
            {"id": row.id, "closed": row.closed, "left": _left(row)}
            for row in reversed(self.hall.shelf())
            if row.game == "stonehenge" and row.result and row.name == table.row.name
            and set(row.players) == set(table.players)
        ]  # fmt: skip
        totals = {player: sum(game["left"].get(player, 0) for game in games) for player in table.players}
        return {"games": games, "totals": totals}

    def records(self) -> list[Json]:
        """The record table of Rolling Rocks: games that are over, most gates first, then fewest wheels."""
        games = []
        for row in self.hall.shelf():
            if row.game == "rolling" and row.result:
                with suppress(UnreadableTable):
                    games.append(self._record(row))
        return sorted(games, key=lambda game: (-game["gates"], game["wheels"]))

    def _record(self, row: TableRow) -> Json:
        def line() -> Json:
            told = table.state.insights()
            return {
                "id": row.id,
                "name": row.name,
                "closed": row.closed,
                "players": list(row.players),
                "gates": len(told["gates"]) - told["gates_left"],
                "wheels": told["wheels_used"],
                "course": told["course"],
            }

        table = self.table(row.id)
        found: Json = self.newest("record", table, table.last_event_id, line)
        return found

    # --- moments -----------------------------------------------------------------------------------

    def moment(self, table: Table, number: int) -> Json:
        """The table after entry `number`, as everybody may see it. Raises StateError if there is none."""
        found: Json = self.remember("moment", table, number, lambda: moment(table.state_at(number), number))
        return found

    def _totals(self, table: Table, number: int) -> Json:
        def totals() -> Json:
            return {
                player: score.total for player, score in table.state_at(number).view(None).scores().items()
            }

        found: Json = self.remember("totals", table, number, totals)
        return found

    def _entry(self, table: Table, entry: Any) -> Json:
        """One line of the story, its move in both languages, with the places it concerns."""

        def line() -> Json:
            game = table.state.game
            data: Json = entry.to_json()
            data.pop("data", None)
            data["words"] = _words(game, entry).to_json()
            before = table.state_at(entry.number - 1).view(None)
            after = table.state_at(entry.number).view(None)
            data["change"] = change_json(_difference(before, after))
            data["mover"] = entry.who or before.to_move
            return data

        found: Json = self.remember("entry", table, entry.number, line)
        return found

    def moves(self, table: Table) -> bytes:
        """The moves that are legal now, in groups as players think; JSON text. What happens without a move
        (a hand over the board) does not make them be worked out again."""
        event, number = table.last_event_id, len(table.entries)
        legal: bytes = self.newest(
            "moves", table, number, lambda: _as_bytes(_moves(table.state_at(number).view(None)))
        )
        return b'{"event":%d,%s' % (event, legal[1:])

    def observation(self, table: Table) -> bytes | None:
        """What was read in the last picture, with what people said about it; JSON text. None without one."""

        def told() -> bytes | None:
            view = table.view
            if view is None:
                return None
            return _as_bytes({"number": view.number, "at": view.at} | observation_json(view.observation))

        text: bytes | None = self.newest("observation", table, table.last_event_id, told)
        return text


def _left(row: TableRow) -> dict[str, int]:
    """What the loser of a game of Stonehenge had left of his eight megaliths; {} if nobody lost."""
    placed = {player: int(count) for player, count in re.findall(r"(\w+) (\d+)", row.result)}
    fewest = min(placed.values())
    return {} if len(set(placed.values())) == 1 else {p: 8 - n for p, n in placed.items() if n == fewest}


def moment(state: State, number: int, player: str | None = None) -> Json:
    """Position, scores, what an onlooker (or `player`) would point out, whose turn it is, of one state."""
    public = state.view(player)
    returns = state.returns() if state.is_over else ()
    return {
        "number": number,
        "to_move": public.to_move,
        "prompt": public.prompt().to_json(),
        "is_over": public.is_over,
        "position": public.visible().to_json(),
        "scores": {player: score.to_json() for player, score in public.scores().items()},
        "winners": [p for p, result in zip(state.players, returns, strict=False) if result == max(returns)],
        "insights": public.insights(),
        "state": public.to_json(),
    }


def _as_bytes(data: Json) -> bytes:
    return json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()


def _moves(state: State) -> Json:
    actions = state.legal_actions()
    with_change = len(actions) <= MOVES_WITH_CHANGES
    chances = dict(state.chance_outcomes()) if state.to_move == CHANCE else {}
    moves = []
    for action in actions:
        move = action.to_json() | {
            "words": {"en": str(action), "de": action.text("de")},
            "title": type(action).title.to_json(),
            "places": list(action.places()),
        }
        if with_change:
            move["change"] = change_json(state.visible_change(action))
        if chances:
            move["probability"] = round(chances[action], 6)
        moves.append(move)
    return {"to_move": state.to_move, "moves": moves}


def hand(table: Table, player: str) -> Json:
    """What only `player` may know of the table now."""
    number, event, state = len(table.entries), table.last_event_id, table.state
    mine = state.view(player)
    moves = _moves(mine)["moves"] if state.to_move == player else []
    if table.is_dealt:  # every card of his is known: nothing is left open
        legal = set(map(str, state.legal_actions()))
        moves = [move for move in moves if move["text"] in legal]
    return {
        "player": player,
        "event": event,
        "dealt": table.is_dealt,
        "cards": _cards(mine.to_json(), player) or [],
        "moment": moment(state, number, player),
        "moves": {"event": event, "to_move": state.to_move, "moves": moves},
    }


def _cards(data: Any, player: str) -> list[str] | None:
    """The hand of `player` in a state's JSON: under "hands", or in his seat; None if there are no hands."""
    if not isinstance(data, Mapping):
        return None
    if player in (hands := data.get("hands") or {}):
        return list(hands[player])
    if player in (seats := data.get("seats") or {}):
        return list(seats[player].get("hand") or ())
    return next((found for each in data.values() if (found := _cards(each, player)) is not None), None)


def change_json(change: Change) -> Json:
    return {
        "gone": [piece.to_json() for piece in change.gone],
        "come": [piece.to_json() for piece in change.come],
        "words": change.text().to_json(),
    }


def _difference(before: State, after: State) -> Change:
    return difference(before.visible(), after.visible())


_ENTRY_WORDS: Mapping[str, Text] = {
    "undo": Text("taken back", "zurückgenommen"),
    "redo": Text("done again", "wiederholt"),
    "correction": Text("corrected: ", "korrigiert: "),
    "allowed": Text("agreed: on from here", "abgemacht: von hier weiter"),
    "hand": Text("a hand was told", "eine Hand wurde genannt"),
}


def _words(game: Any, entry: Any) -> Text:
    if entry.kind == "move":
        return _in_both(game, entry.text)
    if entry.kind == "correction":
        parts = [_in_both(game, part.strip()) for part in entry.text.split(";") if part.strip()]
        said = Text("; ".join(p.en for p in parts), "; ".join(p.de for p in parts))
        return _ENTRY_WORDS["correction"] + said
    return _ENTRY_WORDS.get(entry.kind, Text(entry.text, entry.extra.get("de", entry.text)))


def _in_both(game: Any, text: str) -> Text:
    return Text(text, game.parse(text).text("de"))


def observation_json(observation: Observation, at_most: int = 4) -> Json:
    """A reading: for every place what may lie there, most likely first."""
    places = {}
    for place in observation.fields:
        ranked = [(thing, p) for thing, p in observation.ranked(place)[:at_most] if p >= 0.001]
        places[place] = [
            {"thing": thing_json(thing), "probability": round(float(p), 4)} for thing, p in ranked
        ]
    return observation.to_json() | {"places": places}


def thing_json(thing: Thing | None) -> Json | None:
    """A thing as data, with its name in both languages; None is "nothing"."""
    if thing is None:
        return None
    data = {name: getattr(thing, name) for name in _THING_KEYS if getattr(thing, name) not in (None, False)}
    return data | {"words": {"en": thing.text(), "de": thing.text("de")}}


_THING_KEYS = ("kind", "colour", "value", "facing", "lying", "count", "number", "phase", "face")


def games_json() -> list[Json]:
    """The games, with players, colours and variants, in the order of the rule books."""
    return [_game(load_game(game_id)) for game_id in GAMES]


def _suggested_players(game: Game) -> tuple[str, ...]:
    """The first colours, in the game's order, that can play it together (alone is dull)."""
    count = next(number for number in game.player_counts if number > 1)
    for players in combinations(game.colours, count):
        with suppress(StateError):
            return game.start(players).players
    return ()


def _game(game: Game) -> Json:
    return {
        "id": game.id,
        "title": game.title.to_json(),
        "board": game.board,
        "player_counts": list(game.player_counts),
        "colours": list(game.colours),
        "suggested_players": list(_suggested_players(game)),
        "variants": [
            {
                "key": variant.key,
                "choices": list(variant.choices),
                "label": variant.label.to_json(),
                "house_rule": variant.house_rule,
            }
            for variant in game.variants
        ],
    }
