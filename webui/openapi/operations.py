"""Every operation of the API. A test holds that no route is missing."""

from __future__ import annotations

from typing import Final, NamedTuple

from calibration.styles import STYLES
from engine import GAMES
from engine.words import COLOURS
from webui.openapi.schemas import (
    STRING,
    TEXT,
    WHOLE,
    WORDS,
    YES_NO,
    Json,
    a_list,
    an_object,
    or_null,
    ref,
)

T: Final = "/api/tables/{table_id}"
JPEG: Final = "image/jpeg"
SVG: Final = "image/svg+xml"
TABLE: Final = ref("Table")
ANYTHING: Final[Json] = {"type": "object"}
NOTHING: Final = an_object()  # a body that says nothing


class Operation(NamedTuple):
    """One method of one path. body, answer: a schema of JSON, or a media type; body None: none."""

    method: str
    path: str
    summary: str
    body: Json | str | None
    answer: Json | str
    status: int = 200


def get(path: str, summary: str, answer: Json | str) -> Operation:
    return Operation("get", path, summary, None, answer)


def post(path: str, summary: str, body: Json | str, answer: Json = TABLE, status: int = 200) -> Operation:
    return Operation("post", path, summary, body, answer, status)


def put(path: str, summary: str, body: Json, answer: Json = TABLE) -> Operation:
    return Operation("put", path, summary, body, answer)


NEW_GAME: Final = an_object(
    "game players",
    game={"enum": list(GAMES)},
    players=a_list({"enum": list(COLOURS)}),
    variants=ANYTHING,
    name=TEXT,
    dealt=YES_NO,
)
PACE: Final = {"type": "number", "minimum": 0.05, "maximum": 60}
PIN: Final = {"type": "string", "pattern": "^[0-9]{4,12}$"}

OPERATIONS: Final[tuple[Operation, ...]] = (
    # --- all tables
    get("/api/tables", "the tables being played, and the shelf of past games", ref("Hall")),
    post("/api/tables", "a new game", NEW_GAME, status=201),
    post("/api/logs", "a new table with the record of a log file",
         an_object("text", text=STRING, name=TEXT), status=201),
    get("/api/records", "the record table of Rolling Rocks: games that are over, the best first",
        a_list(ref("Record"))),
    get("/api/camera", "whether there is a camera, and which table it watches", ref("Camera")),
    put("/api/camera", "the camera watches another table from now on", an_object("table", table=TEXT),
        ref("Camera")),
    # --- one table
    get(T, "one table as it is now", TABLE),
    put(T + "/name", "renames the table", an_object("name", name=TEXT)),
    put(T + "/shelf", "puts the game on the shelf, or back on the table", an_object("away", away=YES_NO)),
    get(T + "/moments/{number}", "the table after one entry; 0 is the beginning", ref("Moment")),
    get(T + "/moves", "the legal moves", ref("Moves")),
    get(T + "/moves/check", "whether a typed move is legal, why not, and what it would change",
        ref("Checked")),
    get(T + "/events", "what happens, as server-sent events: entry, status, view, opened",
        "text/event-stream"),
    # --- what people do
    post(T + "/moves", "plays a move, written in English or German", an_object("text", text=TEXT)),
    post(T + "/draw", "lets Henge draw, deal or roll what is due", NOTHING),
    post(T + "/undo", "takes back the last move; entries: how many there were, so that no other is meant",
         an_object(entries=or_null(WHOLE))),
    post(T + "/redo", "does again what was taken back", an_object(entries=or_null(WHOLE))),
    post(T + "/answers", "answers the question asked; counts from 0. text: the English of the answer as read",
         an_object("number", number=WHOLE, text=or_null(TEXT))),
    post(T + "/corrections", "says what really lies at a place (null is nothing), instead of at another one",
         an_object("place", place=TEXT, thing=or_null(ref("Thing")), instead_of=or_null(TEXT))),
    post(T + "/lessons", "the eyes learn from what was put right", NOTHING),
    post(T + "/agreements", "goes on from what lies on the table", an_object(to_move=or_null(STRING))),
    post(T + "/notes", "enters a remark", an_object("text", text=WORDS)),
    # --- hands
    get(T + "/seats", "which seats have a PIN, and which this browser opened", a_list(ref("Seat"))),
    put(T + "/seats/{player}", "takes a free seat by choosing its PIN, or opens a taken one by knowing it",
        an_object("pin", pin=PIN), ref("Me")),
    Operation("delete", T + "/seats/{player}", "forgets the PIN of a seat", None, TABLE),
    get(T + "/hands/{player}", "what only this player may know; needs his PIN", ref("Hand")),
    post(T + "/hands/{player}", "the player tells in private which cards he holds",
         an_object("cards", cards=a_list(STRING)), ref("Hand")),
    # --- to take along
    get(T + "/log.txt", "the record as a log file", "text/plain"),
    get(T + "/log.json", "the record as JSON", ANYTHING),
    get(T + "/sheet.{ending}", "the score sheet, as PDF or PNG", "application/pdf"),
    get(T + "/series", "the games of Stonehenge with the same name and players, and the running total",
        an_object("games totals", games=a_list(ANYTHING), totals=ANYTHING)),
    # --- pictures
    get(T + "/observation", "what was read in the last picture", ref("Observation")),
    get(T + "/picture", "the last picture", JPEG),
    get(T + "/picture/straight", "the last picture, straightened onto the board", JPEG),
    get(T + "/health", "how well the camera sees the table", ref("Health")),
    get(T + "/photos/{name}", "the picture from which an entry was recorded", JPEG),
    post(T + "/photos", "sends a photograph to be read", JPEG),
    get(T + "/player", "a recorded table: how far it has been played", ref("Player")),
    put(T + "/player", "plays, pauses or steps a recorded table",
        an_object(playing=YES_NO, step=YES_NO, seconds=PACE), ref("Player")),
    # --- what there is to play with
    get("/api/games", "the games there are", a_list(ref("Game"))),
    get("/api/boards", "the ids of the boards", a_list(STRING)),
    get("/api/boards/{board_id}", "a board file", ref("Board")),
    get("/api/boards/{board_id}/artwork.svg", "the printed board", SVG),
    # --- coming in
    get("/api/me", "what this browser may do", ref("Me")),
    get("/api/pairing", "the codes that let other devices in",
        an_object("lan codes", lan=YES_NO, codes=ANYTHING)),
    post("/api/pairing", "lets a device in by a code", an_object("code", code=TEXT), ref("Me")),
    get("/api/pairing/{right}.svg", "address and code as a QR code", SVG),
    get("/api/openapi.json", "this document", ANYTHING),
)  # fmt: skip

PARAMETERS: Final[dict[str, Json]] = {
    "table_id": STRING,
    "board_id": STRING,
    "name": STRING,
    "player": STRING,
    "ending": {"enum": ["pdf", "png"]},
    "right": {"enum": ["play", "look"]},
    "number": {"type": "integer", "minimum": 0},
}
QUERIES: Final[dict[str, dict[str, Json]]] = {
    T + "/sheet.{ending}": {"language": {"enum": ["en", "de"]}},
    T + "/events": {"after": {"type": "integer", "minimum": 0}},
    T + "/moves/check": {"text": {"type": "string"}},
    "/api/boards/{board_id}/artwork.svg": {"style": {"enum": list(STYLES)}},
}
