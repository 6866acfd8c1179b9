"""The API: what it answers is what it says it answers, and what happens is announced."""

from __future__ import annotations

import io
import json
import threading
import urllib.request
from typing import Any

import jsonschema
import pypdf
import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image

from engine import CHANCE, Piece, Position, Text
from engine.record import Entry
from table import Hall
from tests.webui.conftest import a_stonehenge, asking, out_of_step, played
from tests.webui.seeing import view_of
from webui.openapi import OPERATIONS, document
from webui.openapi.links import FROM_A_TABLE, links_of


def as_described(schema_name: str, data: Any) -> None:
    described = document()
    schema = {"$ref": f"#/components/schemas/{schema_name}", "components": described["components"]}
    jsonschema.Draft202012Validator(schema).validate(data)


def test_every_route_is_described(app: Flask) -> None:
    described = {(method, path) for method, path, *_ in OPERATIONS}
    served = {
        (method.lower(), rule.rule.replace("<int:", "{").replace("<", "{").replace(">", "}"))
        for rule in app.url_map.iter_rules()
        if rule.rule.startswith("/api")
        for method in rule.methods or ()
        if method in ("GET", "POST", "PUT", "DELETE")
    }
    assert served == described


def test_the_description_holds_together(client: FlaskClient) -> None:
    text = client.get("/api/openapi.json").get_data(as_text=True)
    names = set(json.loads(text)["components"]["schemas"])
    references = {part.split('"')[0] for part in text.split("#/components/schemas/")[1:]}
    assert references <= names


def test_links_lead_somewhere(hall: Hall, client: FlaskClient) -> None:
    """From the hall to a table and along all its links: each names an operation of this document and brings
    what it needs."""
    seen = a_stonehenge(hall, moves=3)
    seen.see(*view_of(seen.state.visible()))
    found = [("get", "/api/tables", {}, client.get("/api/tables").get_json())]
    followed = set()
    while found:
        method, path, given, answer = found.pop()
        for name, link in links_of(method, path).items():
            if (method, path, name) in followed:
                continue
            target = follow(client, link, given, answer)
            if target is not None:
                followed.add((method, path, name))
                found.append(target)
    assert len(followed) > 50
    assert {name for method, path, name in followed if (method, path) == ("get", TABLE)} == {
        name for name, *_ in FROM_A_TABLE
    }


TABLE = "/api/tables/{table_id}"


def follow(client: FlaskClient, link: Any, given: Any, answer: Any) -> Any:
    """Goes along a link: (method, path, parameters, answer) of where it leads; None if it has nothing to take
    along."""

    def value(told: Any) -> Any:
        if isinstance(told, dict):
            return {key: value(each) for key, each in told.items()}
        if not isinstance(told, str) or not told.startswith("$"):
            return told
        if told.startswith("$request.path."):
            return given[told.rpartition(".")[2]]
        found = answer
        for part in told.partition("#/")[2].split("/"):
            found = found[int(part) if part.isdigit() else part]
        return found

    _, _, path, method = (part.replace("~1", "/") for part in link["operationRef"].split("/"))
    needed = {
        each["name"]
        for each in document()["paths"][path][method].get("parameters", ())
        if each.get("required")
    }
    assert needed <= set(link["parameters"])
    try:
        parameters, body = value(link["parameters"]), value(link.get("requestBody"))
    except (IndexError, KeyError):
        return None
    text = {"text": parameters["text"]} if "text" in parameters else None
    done = client.open(path.format(**parameters), method=method, json=body, query_string=text)
    assert done.status_code in (200, 403, 404, 409), done.get_data(as_text=True)
    return method, path, parameters, done.get_json(silent=True) or {}


@pytest.mark.parametrize(
    ("game", "players"),
    [("stonehenge", ("black", "brown")), ("build", ("red", "blue", "green"))],
)
def test_answers_are_as_described(
    hall: Hall, client: FlaskClient, game: str, players: tuple[str, ...]
) -> None:
    table = played(hall.create(game, players), 12, seed=2)
    snapshot = client.get(f"/api/tables/{table.id}").get_json()
    as_described("Table", snapshot)
    as_described("Moves", client.get(f"/api/tables/{table.id}/moves").get_json())
    as_described("Moment", client.get(f"/api/tables/{table.id}/moments/3").get_json())
    as_described("Hall", client.get("/api/tables").get_json())
    assert len(snapshot["curve"]) == len(snapshot["entries"]) + 1
    assert snapshot["moment"]["position"] == table.state.view(None).visible().to_json()


def test_a_game_by_its_moves(client: FlaskClient) -> None:
    made = client.post("/api/tables", json={"game": "stonehenge", "players": ["black", "brown"]})
    assert made.status_code == 201
    path = f"/api/tables/{made.get_json()['id']}"
    after = client.post(f"{path}/moves", json={"text": "setze 4 auf Feld-A"}).get_json()
    assert after["entries"][-1]["words"] == {"en": "place 4 on space-A", "de": "setze 4 auf Feld-A"}
    assert after["moment"]["to_move"] == "brown"
    assert client.post(f"{path}/undo", json={}).get_json()["moment"]["to_move"] == "black"
    assert client.post(f"{path}/redo", json={}).get_json()["moment"]["to_move"] == "brown"
    assert client.get(f"{path}/moments/0").get_json()["position"]["pieces"] == []


def test_an_illegal_move_is_refused_with_its_rule(hall: Hall, client: FlaskClient) -> None:
    table = a_stonehenge(hall)
    table.play("place 4 on space-A")
    answer = client.post(f"/api/tables/{table.id}/moves", json={"text": "place 4 on space-A"})
    assert answer.status_code == 409
    assert "besetzt" in answer.get_json()["reason"]["de"]
    checked = client.get(f"/api/tables/{table.id}/moves/check?text=place+4+on+space-A").get_json()
    assert checked == {"legal": False, "reason": answer.get_json()["reason"]}


def test_every_move_that_is_listed_can_be_played(hall: Hall, client: FlaskClient) -> None:
    table = played(hall.create("build", ("red", "blue", "green")), 25, seed=5)
    for move in client.get(f"/api/tables/{table.id}/moves").get_json()["moves"]:
        assert client.get(
            f"/api/tables/{table.id}/moves/check", query_string={"text": move["text"]}
        ).get_json()["legal"]


def test_chance_is_drawn_only_when_it_is_due(hall: Hall, client: FlaskClient) -> None:
    table = hall.create("stonehenge", ("black", "brown"))
    assert table.state.to_move != CHANCE
    assert client.post(f"/api/tables/{table.id}/draw", json={}).status_code == 409


def test_a_question_is_answered(hall: Hall, client: FlaskClient) -> None:
    table = asking(hall)
    status = client.get(f"/api/tables/{table.id}").get_json()["status"]
    assert [answer["change"]["come"][0]["value"] for answer in status["answers"]] == [3, 5]
    words = status["answers"][1]["text"]["en"]
    assert client.post(f"/api/tables/{table.id}/answers", json={"number": 1, "text": "no"}).status_code == 409
    after = client.post(f"/api/tables/{table.id}/answers", json={"number": 1, "text": words}).get_json()
    assert after["entries"][-1]["text"] == "place 5 on space-G"
    assert client.post(f"/api/tables/{table.id}/answers", json={"number": 0}).status_code == 409


def test_two_who_take_back_the_same_move_take_back_one(hall: Hall, client: FlaskClient) -> None:
    path = f"/api/tables/{a_stonehenge(hall, moves=3).id}"
    seen = {"entries": len(client.get(path).get_json()["entries"])}
    assert client.post(f"{path}/undo", json=seen).status_code == 200
    late = client.post(f"{path}/undo", json=seen)
    assert late.status_code == 409 and "meanwhile" in late.get_json()["error"]
    assert client.post(f"{path}/redo", json=seen).status_code == 409
    assert client.post(f"{path}/redo", json={"entries": 4}).status_code == 200
    assert client.post(f"{path}/undo", json={"entries": "4"}).status_code == 400
    assert client.post(f"{path}/undo", json={}).status_code == 200


def test_a_wrong_reading_is_corrected(hall: Hall, client: FlaskClient) -> None:
    table = out_of_step(hall)
    observation = client.get(f"/api/tables/{table.id}/observation").get_json()
    as_described("Observation", observation)
    assert observation["places"]["space-Q"][0]["thing"]["value"] == 5
    after = client.post(
        f"/api/tables/{table.id}/corrections", json={"place": "space-Q", "thing": None}
    ).get_json()
    assert after["status"]["name"] == "in_step" and after["can_teach"]
    agreed = client.post(f"/api/tables/{table.id}/lessons", json={})
    assert agreed.status_code == 200 and not agreed.get_json()["can_teach"]
    assert table.take_lesson(table._read) == table.state.visible()
    assert table.take_lesson(table._read) is None
    assert client.post(f"/api/tables/{table.id}/lessons", json={}).status_code == 409
    nowhere = {"place": "space-A", "thing": None, "instead_of": "../x"}
    assert client.post(f"/api/tables/{table.id}/corrections", json=nowhere).status_code == 409
    for thing in ({"kind": "move"}, {"kind": "druid", "colour": "pink"}, {"kind": "card"}):
        refused = client.post(
            f"/api/tables/{table.id}/corrections", json={"place": "space-Q", "thing": thing}
        )
        assert refused.status_code == 409 and "no such piece" in refused.get_json()["error"]
    unknown = client.post(f"/api/tables/{table.id}/corrections", json={"place": "../x", "thing": None})
    assert unknown.status_code == 409


def test_the_players_may_agree_to_go_on(hall: Hall, client: FlaskClient) -> None:
    table = a_stonehenge(hall)
    table.play("place 4 on space-A")
    elsewhere = Position("knizia", (Piece("druid", "black", field="space-B", value=4),), "stonehenge")
    table.see(*view_of(elsewhere))
    after = client.post(f"/api/tables/{table.id}/agreements", json={}).get_json()
    assert after["status"]["name"] == "in_step"
    assert [piece["field"] for piece in after["moment"]["position"]["pieces"]] == ["space-B"]


def test_a_long_evening_is_not_kept_in_memory_as_it_was_at_every_moment(
    hall: Hall, app: Flask, client: FlaskClient
) -> None:
    table = a_stonehenge(hall, moves=3)
    path = f"/api/tables/{table.id}"

    def look(times: int) -> int:
        for number in range(times):
            table.see(*view_of(table.state.visible()))
            table.looking(Text(f"{number}", f"{number}"))
            for rest in ("", "/moves", "/observation", "/picture/straight", "/health"):
                assert client.get(path + rest).status_code == 200
        return len(app.extensions["henge"]._kept)

    assert look(1) == look(5)


def test_pictures(hall: Hall, client: FlaskClient) -> None:
    table = a_stonehenge(hall)
    assert client.get(f"/api/tables/{table.id}/picture").status_code == 404
    table.see(*view_of(table.state.visible()))
    assert client.get(f"/api/tables/{table.id}/picture").data.startswith(b"\xff\xd8")
    assert client.get(f"/api/tables/{table.id}/picture/straight").mimetype == "image/jpeg"
    assert client.get(f"/api/tables/{table.id}/photos/0001.jpg").status_code == 404


def test_a_log_goes_out_and_comes_in(hall: Hall, client: FlaskClient) -> None:
    table = a_stonehenge(hall, moves=9)
    text = client.get(f"/api/tables/{table.id}/log.txt").get_data(as_text=True)
    copy = client.post("/api/logs", json={"text": text}).get_json()
    assert (
        copy["moment"]["position"] == client.get(f"/api/tables/{table.id}").get_json()["moment"]["position"]
    )
    assert client.get(f"/api/tables/{table.id}/log.json").get_json()["entries"]
    assert client.post("/api/logs", json={"text": "no log"}).status_code == 409


def test_the_shelf(hall: Hall, client: FlaskClient) -> None:
    table = a_stonehenge(hall, moves=300)
    shelf = client.get("/api/tables").get_json()["shelf"]
    assert [row["id"] for row in shelf] == [table.id]
    back = client.put(f"/api/tables/{table.id}/shelf", json={"away": False}).get_json()
    assert back["closed"] is None
    assert client.get("/api/tables").get_json()["shelf"] == []


def test_a_table_bears_its_new_name_at_once(hall: Hall, client: FlaskClient) -> None:
    path = f"/api/tables/{a_stonehenge(hall, moves=1).id}"
    client.get(path)
    assert client.put(f"{path}/name", json={"name": "Friday"}).get_json()["name"] == "Friday"
    assert client.put(f"{path}/shelf", json={"away": True}).get_json()["closed"] is not None
    assert client.get(path).get_json()["name"] == "Friday"


def test_a_game_that_cannot_be_opened_leaves_the_others(hall: Hall, client: FlaskClient) -> None:
    kept, damaged = hall.create("stonehenge", ("black", "brown")), a_stonehenge(hall, moves=2).id
    hall._store._db.execute("UPDATE events SET data = '{' WHERE table_id = ? AND kind = 'entry'", (damaged,))
    hall._open.clear()  # as after a restart
    listed = client.get("/api/tables").get_json()
    as_described("Hall", listed)
    assert [row["id"] for row in listed["tables"]] == [kept.id, damaged]
    assert damaged in listed["tables"][1]["unreadable"] and "unreadable" not in listed["tables"][0]
    answer = client.get(f"/api/tables/{damaged}")
    assert answer.status_code == 409 and "cannot be opened" in answer.get_json()["error"]
    assert client.get(f"/table/{damaged}").status_code == 200


def test_nobody_is_told_what_a_player_told_privately(hall: Hall, client: FlaskClient) -> None:
    table = hall.create("build", ("red", "blue", "green"))
    path = f"/api/tables/{table.id}"

    def everything_shown() -> list[Any]:
        moves = client.get(f"{path}/moves").get_json()["moves"]
        return [client.get(path).get_json()["moment"] | {"number": 0}, moves]

    before = everything_shown()
    table.tell("blue", ["7-day", "12-night", "30-day"])
    assert table.state.to_json() != table.state.view(None).to_json()
    assert everything_shown() == before
    for rest in ("", "/log.txt", "/log.json"):
        told = client.get(path + rest).get_data(as_text=True)
        assert "30-day" not in told.replace(json.dumps(before[1]), "")


def test_a_table_always_hides_its_hands(client: FlaskClient) -> None:
    open_game = {"game": "build", "players": ["red", "blue", "green"], "variants": {"half_seen": False}}
    assert client.post("/api/tables", json=open_game).status_code == 400


@pytest.mark.parametrize(
    ("method", "path"), [(each.method, each.path) for each in OPERATIONS if isinstance(each.body, dict)]
)
def test_a_body_that_is_no_json_is_refused(client: FlaskClient, hall: Hall, method: str, path: str) -> None:
    """Before anything else; but nobody else's hand is there for this browser, and no recorded table."""
    table = a_stonehenge(hall, moves=6)
    address = path.replace("{table_id}", table.id).replace("{player}", "black")
    answer = client.open(address, method=method.upper(), data=b":\xef3/^", content_type="application/json")
    not_there = {"/api/tables/{table_id}/hands/{player}": 403, "/api/tables/{table_id}/player": 404}
    assert answer.status_code == not_there.get(path, 400), answer.text


# --- the event stream ---------------------------------------------------------------------------------


def read_events(response: Any, count: int) -> list[tuple[int, str]]:
    """(id, kind) of the next events in an open stream."""
    found: list[tuple[int, str]] = []
    number = 0
    while len(found) < count:
        line = response.readline().decode()
        if line.startswith("id: "):
            number = int(line[4:])
        if line.startswith("event: "):
            found.append((number, line[7:].strip()))
    return found


def test_events_have_ids_and_resume(hall: Hall, address: str) -> None:
    table = a_stonehenge(hall)
    before = table.last_event_id
    for text in ("place 4 on space-A", "place 1 on space-R"):
        table.play(text)
    path = f"{address}/api/tables/{table.id}/events"
    with urllib.request.urlopen(f"{path}?after={before}", timeout=10) as stream:
        events = read_events(stream, 4)
    entries = [number for number, kind in events if kind == "entry"]
    assert len(entries) == 2
    resumed = urllib.request.Request(path, headers={"Last-Event-ID": str(entries[0])})
    with urllib.request.urlopen(resumed, timeout=10) as stream:
        rest = read_events(stream, 2)
    assert [number for number, kind in rest if kind == "entry"] == entries[1:]


def test_many_open_streams_leave_the_page_quick(hall: Hall, address: str) -> None:
    table = a_stonehenge(hall)
    path = f"{address}/api/tables/{table.id}/events"
    streams = [urllib.request.urlopen(f"{path}?after={table.last_event_id}", timeout=20) for _ in range(24)]
    heard: list[list[tuple[int, str]]] = []
    listeners = [threading.Thread(target=lambda s=s: heard.append(read_events(s, 1))) for s in streams]
    for listener in listeners:
        listener.start()
    with urllib.request.urlopen(f"{address}/api/tables", timeout=10) as answer:
        assert answer.status == 200
    table.play("place 4 on space-A")
    for listener in listeners:
        listener.join(timeout=15)
    assert len(heard) == 24
    for stream in streams:
        stream.close()


# --- score sheets and series --------------------------------------------------------------------------


@pytest.mark.parametrize("language", ["en", "de"])
def test_a_score_sheet_tells_the_score(hall: Hall, client: FlaskClient, language: str) -> None:
    table = a_stonehenge(hall, moves=300)
    path = f"/api/tables/{table.id}/sheet"
    with pypdf.PdfReader(io.BytesIO(client.get(f"{path}.pdf?language={language}").data)) as pdf:
        assert len(pdf.pages) == 1
        text = pdf.pages[0].extract_text()
    assert {"en": "Moves", "de": "Züge"}[language] in text
    for score in table.state.scores().values():
        assert str(score.total) in text.split()
    with Image.open(io.BytesIO(client.get(f"{path}.png").data)) as picture:
        assert picture.format == "PNG" and picture.width * 297 // 210 - picture.height < 3
    assert client.get(f"{path}.exe").status_code == 404


def test_a_score_sheet_tells_the_moves_that_stand(hall: Hall, client: FlaskClient) -> None:
    table = hall.create("stonehenge", ("black", "brown"))
    table.play("place 4 on space-A")
    table.undo()
    table.play("place 3 on space-A")
    table.enter_all([Entry("correction", "place 5 on space-B", back=1)])
    with pypdf.PdfReader(io.BytesIO(client.get(f"/api/tables/{table.id}/sheet.pdf").data)) as pdf:
        text = pdf.pages[0].extract_text()
    assert "1. place 5 on space-B" in text
    assert "space-A" not in text and "2. " not in text


def test_a_series_adds_up_what_the_losers_had_left(hall: Hall, client: FlaskClient) -> None:
    tables = [played(hall.create("stonehenge", ("black", "brown"), name="Solstice"), 300, n) for n in (1, 2)]
    played(hall.create("stonehenge", ("black", "brown"), name="another"), 300, 3)
    left = {"black": 0, "brown": 0}
    for table in tables:
        totals = {player: score.total for player, score in table.state.scores().items()}
        loser = min(totals, key=totals.__getitem__)
        left[loser] += 8 - totals[loser] if len(set(totals.values())) > 1 else 0
    found = client.get(f"/api/tables/{tables[0].id}/series").get_json()
    assert len(found["games"]) == 2 and found["totals"] == left and sum(left.values()) > 0


def test_what_is_refused_is_told_in_both_languages(client: FlaskClient, hall: Hall) -> None:
    table = hall.create("stonehenge", ("black", "brown"))
    refused = client.post(f"/api/tables/{table.id}/undo").get_json()
    assert refused["reason"] == {"en": refused["error"], "de": "es gibt keinen Zug zurückzunehmen"}
    unread = client.post(f"/api/tables/{table.id}/photos", data=b"").get_json()
    assert unread["reason"]["de"] == "dieser Server liest keine Fotos"
