"""The OpenAPI description of the API: every path, what goes in, what comes out. A test holds that no route is
missing and that real answers are as described."""

from __future__ import annotations

from typing import Any, Final

from calibration.styles import STYLES
from engine import GAMES
from engine.words import COLOURS
from webui.links import links_of

Json = dict[str, Any]


def _ref(name: str) -> Json:
    return {"$ref": f"#/components/schemas/{name}"}


def _object(required: str = "", /, **properties: Json) -> Json:
    schema: Json = {"type": "object", "properties": properties}
    if required:
        schema["required"] = required.split()
    return schema


def _list(items: Json) -> Json:
    return {"type": "array", "items": items}


def _or_null(schema: Json) -> Json:
    return {"anyOf": [schema, {"type": "null"}]}


TEXT: Final = {"type": "string", "maxLength": 2000, "pattern": r"^[^\u0000]*$"}
WORDS: Final = TEXT | {"minLength": 1}
STRING: Final = {"type": "string"}
WHOLE: Final = {"type": "integer"}
NUMBER: Final = {"type": "number"}
YES_NO: Final = {"type": "boolean"}
SHARE: Final = {"type": "number", "minimum": 0, "maximum": 1}

SCHEMAS: Final[Json] = {
    "Text": _object("en de", en=STRING, de=STRING) | {"description": "one sentence in English and German"},
    "Error": _object("error", error=STRING, reason=_ref("Text")),
    "Thing": _object(
        "kind",
        kind=STRING,
        colour=STRING,
        value=WHOLE,
        facing=STRING,
        lying=YES_NO,
        count=WHOLE,
        number=WHOLE,
        phase=STRING,
        face=STRING,
        words=_ref("Text"),
    ),
    "Piece": _object(
        "kind",
        kind=STRING,
        colour=_or_null(STRING),
        field=STRING,
        fields=_list(STRING),
        on=STRING,
        value=_or_null(WHOLE),
        count=_or_null(WHOLE),
        x_mm=NUMBER,
        y_mm=NUMBER,
        angle_deg=NUMBER,
        confidence=SHARE,
    ),
    "Position": _object(
        "board pieces", board=STRING, game=STRING, pieces=_list(_ref("Piece")), occluded=_list(STRING)
    ),
    "Change": _object("gone come", gone=_list(_ref("Piece")), come=_list(_ref("Piece")), words=_ref("Text")),
    "Score": _object(
        "total unit parts",
        total=WHOLE,
        unit=_ref("Text"),
        parts=_list(
            _object(
                "key label points places", key=STRING, label=_ref("Text"), points=WHOLE, places=_list(STRING)
            )
        ),
    ),
    "Move": _object(
        "kind text words title places",
        kind=STRING,
        text=STRING,
        words=_ref("Text"),
        title=_ref("Text"),
        places=_list(STRING),
        change=_ref("Change"),
        probability=SHARE,
    ),
    "Moves": _object("event to_move moves", event=WHOLE, to_move=_or_null(STRING), moves=_list(_ref("Move"))),
    "Moment": _object(
        "number to_move prompt is_over position scores winners insights state",
        number=WHOLE,
        to_move=_or_null(STRING),
        prompt=_ref("Text"),
        is_over=YES_NO,
        position=_ref("Position"),
        scores={"type": "object", "additionalProperties": _ref("Score")},
        winners=_list(STRING),
        insights={"type": "object"},
        state={"type": "object"},
    ),
    "Entry": _object(
        "number kind words change",
        number=WHOLE,
        kind=STRING,
        text=STRING,
        words=_ref("Text"),
        change=_ref("Change"),
        who=STRING,
        by=STRING,
        at=STRING,
        photo=STRING,
        confidence=SHARE,
    ),
    "Status": _object(
        "name message answers alarm places",
        message=_ref("Text"),
        places=_list(STRING),
        name={"enum": ["in_step", "looking", "asking", "out_of_step", "blind"]},
        answers=_list({"type": "object"}),
        alarm=_or_null({"type": "object"}),
    ),
    "Table": _object(
        "id name game title board players event status moment entries curve can_undo can_redo",
        id=STRING,
        name=STRING,
        game=STRING,
        title=_ref("Text"),
        board=STRING,
        players=_list(STRING),
        variant={"type": "object"},
        created=STRING,
        closed=_or_null(STRING),
        event=WHOLE,
        can_undo=YES_NO,
        can_redo=YES_NO,
        can_teach=YES_NO,
        status=_ref("Status"),
        moment=_ref("Moment"),
        view=_or_null(_object("number at picture", number=WHOLE, at=STRING, picture=YES_NO)),
        entries=_list(_ref("Entry")),
        replayed=YES_NO,
        dealt=YES_NO,
        curve=_list({"type": "object", "additionalProperties": WHOLE}),
    ),
    "Summary": _object(
        "id name game players title",
        id=STRING,
        name=STRING,
        game=STRING,
        players=_list(STRING),
        title=_ref("Text"),
        result=STRING,
        closed=_or_null(STRING),
        replayed=YES_NO,
    ),
    "Hall": _object("tables shelf", tables=_list(_ref("Summary")), shelf=_list(_ref("Summary"))),
    "Health": _object(
        "number grade advice measures",
        number=WHOLE,
        grade={"enum": ["good", "fair", "poor"]},
        advice=_ref("Text"),
        measures=_list({"type": "object"}),
    ),
    "Observation": _object(
        "number at board pieces places corners_px",
        number=WHOLE,
        at=STRING,
        board=STRING,
        pieces=_list(_ref("Piece")),
        unseen={"type": "object", "additionalProperties": STRING},
        corners_px=_list(_list(NUMBER)),
        quality={"type": "object"},
        places={
            "type": "object",
            "additionalProperties": _list(
                _object("thing probability", thing=_or_null(_ref("Thing")), probability=SHARE)
            ),
        },
    ),
    "Game": _object(
        "id title board player_counts colours suggested_players variants",
        id=STRING,
        title=_ref("Text"),
        board=STRING,
        player_counts=_list(WHOLE),
        colours=_list(STRING),
        suggested_players=_list(STRING),
        variants=_list(
            _object(
                "key choices label house_rule",
                key=STRING,
                choices={"type": "array"},
                label=_ref("Text"),
                house_rule=YES_NO,
            )
        ),
    ),
    "Board": _object(
        "id size_mm fields pieces",
        id=STRING,
        size_mm=_list(NUMBER),
        fields=_list({"type": "object"}),
        pieces={"type": "object"},
    ),
    "Player": _object(
        "source playing step count seconds",
        source={"enum": ["photographs", "log"]},
        playing=YES_NO,
        step=WHOLE,
        count=WHOLE,
        seconds=NUMBER,
    ),
    "Me": _object(
        "may seats lan",
        may={"enum": ["nothing", "look", "play", "all"]},
        seats=_list(_object("table player", table=STRING, player=STRING)),
        lan=YES_NO,
    ),
    "Seat": _object("player taken mine", player=STRING, taken=YES_NO, mine=YES_NO),
    "Hand": _object(
        "player event dealt cards moment moves",
        player=STRING,
        event=WHOLE,
        dealt=YES_NO,
        cards=_list(STRING),
        moment=_ref("Moment"),
        moves=_ref("Moves"),
    ),
    "Checked": _object(
        "legal", legal=YES_NO, text=STRING, error=STRING, reason=_ref("Text"), change=_ref("Change")
    ),
}

T: Final = "/api/tables/{table_id}"
JPEG: Final = "image/jpeg"
# method, path, what it does, schema of the body (None: none), schema or media type of the answer, status
OPERATIONS: Final[tuple[tuple[str, str, str, Json | str | None, Json | str, int], ...]] = (
    ("get", "/api/tables", "the tables being played, and the shelf of past games", None, _ref("Hall"), 200),
    (
        "post",
        "/api/tables",
        "a new game",
        _object(
            "game players",
            game={"enum": list(GAMES)},
            players=_list({"enum": list(COLOURS)}),
            variants={"type": "object"},
            name=TEXT,
            dealt=YES_NO,
        ),
        _ref("Table"),
        201,
    ),
    (
        "post",
        "/api/logs",
        "a new table with the record of a log file",
        _object("text", text=STRING, name=TEXT),
        _ref("Table"),
        201,
    ),
    ("get", T, "one table as it is now", None, _ref("Table"), 200),
    ("put", T + "/name", "renames the table", _object("name", name=TEXT), _ref("Table"), 200),
    (
        "put",
        T + "/shelf",
        "puts the game on the shelf, or back on the table",
        _object("away", away=YES_NO),
        _ref("Table"),
        200,
    ),
    (
        "get",
        T + "/moments/{number}",
        "the table after one entry; 0 is the beginning",
        None,
        _ref("Moment"),
        200,
    ),
    ("get", T + "/moves", "the legal moves", None, _ref("Moves"), 200),
    (
        "get",
        T + "/moves/check",
        "whether a typed move is legal, why not, and what it would change",
        None,
        _ref("Checked"),
        200,
    ),
    (
        "post",
        T + "/moves",
        "plays a move, written in English or German",
        _object("text", text=TEXT),
        _ref("Table"),
        200,
    ),
    ("post", T + "/draw", "lets Henge draw, deal or roll what is due", _object(), _ref("Table"), 200),
    ("post", T + "/undo", "takes back the last move", _object(), _ref("Table"), 200),
    ("post", T + "/redo", "does again what was taken back", _object(), _ref("Table"), 200),
    (
        "post",
        T + "/answers",
        "answers the question asked; counts from 0",
        _object("number", number=WHOLE),
        _ref("Table"),
        200,
    ),
    (
        "post",
        T + "/corrections",
        "says what really lies at a place; null is nothing",
        _object("place", place=TEXT, thing=_or_null(_ref("Thing"))),
        _ref("Table"),
        200,
    ),
    ("post", T + "/lessons", "the eyes learn from what was put right", _object(), _ref("Table"), 200),
    (
        "post",
        T + "/agreements",
        "goes on from what lies on the table",
        _object(to_move=_or_null(STRING)),
        _ref("Table"),
        200,
    ),
    ("post", T + "/notes", "enters a remark", _object("text", text=WORDS), _ref("Table"), 200),
    (
        "get",
        T + "/events",
        "what happens, as server-sent events: entry, status, view, opened",
        None,
        "text/event-stream",
        200,
    ),
    (
        "get",
        T + "/seats",
        "which seats have a PIN, and which this browser opened",
        None,
        _list(_ref("Seat")),
        200,
    ),
    (
        "put",
        T + "/seats/{player}",
        "takes a free seat by choosing its PIN, or opens a taken one by knowing it",
        _object("pin", pin={"type": "string", "pattern": "^[0-9]{4,12}$"}),
        _ref("Me"),
        200,
    ),
    ("delete", T + "/seats/{player}", "forgets the PIN of a seat", None, _ref("Table"), 200),
    ("get", T + "/hands/{player}", "what only this player may know; needs his PIN", None, _ref("Hand"), 200),
    (
        "post",
        T + "/hands/{player}",
        "the player tells in private which cards he holds",
        _object("cards", cards=_list(STRING)),
        _ref("Hand"),
        200,
    ),
    ("get", T + "/log.txt", "the record as a log file", None, "text/plain", 200),
    ("get", T + "/log.json", "the record as JSON", None, {"type": "object"}, 200),
    ("get", T + "/sheet.{ending}", "the score sheet, as PDF or PNG", None, "application/pdf", 200),
    (
        "get",
        T + "/series",
        "the games of Stonehenge with the same name and players, and the running total",
        None,
        _object("games totals", games=_list({"type": "object"}), totals={"type": "object"}),
        200,
    ),
    ("get", T + "/observation", "what was read in the last picture", None, _ref("Observation"), 200),
    ("get", T + "/picture", "the last picture", None, JPEG, 200),
    ("get", T + "/picture/straight", "the last picture, straightened onto the board", None, JPEG, 200),
    ("get", T + "/health", "how well the camera sees the table", None, _ref("Health"), 200),
    ("get", T + "/photos/{name}", "the picture from which an entry was recorded", None, JPEG, 200),
    ("post", T + "/photos", "sends a photograph to be read", JPEG, _ref("Table"), 200),
    ("get", T + "/player", "a recorded table: how far it has been played", None, _ref("Player"), 200),
    (
        "put",
        T + "/player",
        "plays, pauses or steps a recorded table",
        _object(playing=YES_NO, step=YES_NO, seconds={"type": "number", "minimum": 0.05, "maximum": 60}),
        _ref("Player"),
        200,
    ),
    ("get", "/api/games", "the games there are", None, _list(_ref("Game")), 200),
    ("get", "/api/boards", "the ids of the boards", None, _list(STRING), 200),
    ("get", "/api/boards/{board_id}", "a board file", None, _ref("Board"), 200),
    ("get", "/api/boards/{board_id}/artwork.svg", "the printed board", None, "image/svg+xml", 200),
    ("get", "/api/me", "what this browser may do", None, _ref("Me"), 200),
    (
        "get",
        "/api/pairing",
        "the codes that let other devices in",
        None,
        _object("lan codes", lan=YES_NO, codes={"type": "object"}),
        200,
    ),
    (
        "post",
        "/api/pairing",
        "lets a device in by a code",
        _object("code", code=TEXT),
        _ref("Me"),
        200,
    ),
    (
        "get",
        "/api/pairing/{right}.svg",
        "address and code as a QR code",
        None,
        "image/svg+xml",
        200,
    ),
    ("get", "/api/openapi.json", "this document", None, {"type": "object"}, 200),
)

PARAMETERS: Final[dict[str, Json]] = {
    "table_id": {"schema": STRING},
    "board_id": {"schema": STRING},
    "name": {"schema": STRING},
    "player": {"schema": STRING},
    "ending": {"schema": {"enum": ["pdf", "png"]}},
    "right": {"schema": {"enum": ["play", "look"]}},
    "number": {"schema": {"type": "integer", "minimum": 0}},
}
QUERIES: Final[dict[str, dict[str, Json]]] = {
    T + "/sheet.{ending}": {"language": {"enum": ["en", "de"]}},
    T + "/events": {"after": {"type": "integer", "minimum": 0}},
    T + "/moves/check": {"text": {"type": "string"}},
    "/api/boards/{board_id}/artwork.svg": {"style": {"enum": list(STYLES)}},
}
PROBLEMS: Final = {
    "400": "not understood",
    "401": "this device is not paired",
    "403": "not from the page, or not allowed to this device",
    "404": "not there",
    "409": "not possible now",
    "413": "too large",
    "429": "too many at once",
}


def document() -> Json:
    """The whole document, OpenAPI 3.1."""
    paths: dict[str, Json] = {}
    for method, path, summary, body, answer, status in OPERATIONS:
        operation: Json = {"summary": summary, "responses": _responses(answer, status)}
        if parameters := _parameters(method, path):
            operation["parameters"] = parameters
        if links := links_of(method, path):
            operation["responses"][str(status)]["links"] = links
        if body is not None:
            operation["requestBody"] = {"required": body != _object(), "content": _content(body)}
        paths.setdefault(path, {})[method] = operation
    return {
        "openapi": "3.1.0",
        "info": {
            "title": "Henge",
            "version": "1",
            "description": "Tables, moves, pictures and logs of Henge. "
            "Requests that change something need the header X-Henge: 1.",
        },
        "paths": paths,
        "components": {"schemas": SCHEMAS},
    }


def _responses(answer: Json | str, status: int) -> Json:
    problems = {
        code: {"description": what, "content": _content(_ref("Error"))} for code, what in PROBLEMS.items()
    }
    return {str(status): {"description": "done", "content": _content(answer)}, **problems}


def _content(schema: Json | str) -> Json:
    if schema == "application/pdf":
        return {schema: {}, "image/png": {}}
    return {schema: {}} if isinstance(schema, str) else {"application/json": {"schema": schema}}


def _parameters(method: str, path: str) -> list[Json]:
    inside = [
        {"name": name, "in": "path", "required": True, **how}
        for name, how in PARAMETERS.items()
        if f"{{{name}}}" in path
    ]
    asked = [
        {"name": name, "in": "query", "schema": schema} for name, schema in QUERIES.get(path, {}).items()
    ]
    sent = (
        [{"name": "X-Henge", "in": "header", "required": True, "schema": {"enum": ["1"]}}]
        if method in ("post", "put", "delete")
        else []
    )
    return [*inside, *asked, *sent]
