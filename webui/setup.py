"""The set-up page: camera, lens, board and pieces become a profile, step by step.

One set-up goes on at a time; every device that is let in sees the same one, so that a phone can send the
pictures while the steps are followed on the large screen.
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import Any

import numpy as np
from flask import Blueprint, Flask, Response, abort, current_app, g, jsonify, request
from numpy.typing import NDArray

from calibration.coverage import coverage
from calibration.lens import Sheet, find_sheet
from calibration.profile import Profile, checked_name, jpeg_of
from calibration.shelf import Shelf
from calibration.teach import LAYOUTS, moved_field, teach
from engine import GAMES, load_game
from engine.board import Board, board_from_json, board_ids, load_board
from engine.words import Text
from vision import CannotRead, Reader
from vision.calibrate import (
    Step,
    board_step,
    find_board,
    grey_of,
    lens_of_view,
    lens_step,
    lens_told,
    pieces_step,
    with_board,
)
from vision.health import view_health
from vision.images import load_image, shrunk
from vision.locate import Located
from vision.outlines import outlines_px
from webui.api.asking import the_table
from webui.eyes import health_of
from webui.page import STATIC
from webui.rights import enough

Image = NDArray[np.uint8]
MOST_SHEETS = 30
LONGEST_PX = 1920
blueprint = Blueprint("setup", __name__)


@dataclass
class Draft:
    """The set-up that is going on. `empty`: the empty board's picture, `located`: the board in it."""

    profile: Profile
    game: str | None = None
    sheets: list[Sheet] = field(default_factory=list)
    empty: Image | None = None
    located: Located | None = None
    steps: dict[str, Step] = field(default_factory=dict)
    shown: list[dict[str, Any]] = field(default_factory=list)
    size_px: tuple[int, int] | None = None
    version: int = 0
    saved: bool = False


@dataclass
class Workshop:
    """The draft and its guard: one picture is worked on at a time."""

    draft: Draft | None = None
    guard: threading.RLock = field(default_factory=threading.RLock)


def install(app: Flask) -> None:
    """Adds the set-up page to the application."""
    app.extensions["setup"] = Workshop()
    app.register_blueprint(blueprint)


def workshop() -> Workshop:
    made: Workshop = current_app.extensions["setup"]
    return made


def _draft() -> Draft:
    draft = workshop().draft
    if draft is None:
        abort(409, "no set-up is going on: choose a board first")
    return draft


@blueprint.get("/setup")
def page() -> Response:
    """The page; its module does the rest."""
    return Response((STATIC / "setup.html").read_bytes(), mimetype="text/html")


# --- the steps ---------------------------------------------------------------------------------------


@blueprint.get("/setup/api")
def state() -> Response:
    """What is known so far, for every device that looks."""
    with workshop().guard:
        draft = workshop().draft
        choices = {"boards": list(board_ids()), "layouts": list(LAYOUTS), "games": list(GAMES)}
        return jsonify(choices | {"draft": None if draft is None else _state(draft)})


@blueprint.post("/setup/api")
def start() -> Response:
    """{"name", "board": an id of ours or a board file's content, "game" or null}."""
    data = _json()
    chosen = data.get("board")
    board = (
        board_from_json(chosen) if isinstance(chosen, Mapping) else load_board(_known(chosen, board_ids()))
    )
    game = None if data.get("game") is None else _known(data["game"], tuple(GAMES))
    if game and load_game(game).board not in (board.id, board.extra.get("layout")):
        abort(409, f"{game} is not played on the {board.id} board")
    made = datetime.now().astimezone().isoformat("T", "seconds")
    with workshop().guard:
        draft = Draft(Profile(checked_name(str(data.get("name", ""))), board, made=made), game)
        workshop().draft = draft
        return jsonify(_state(draft))


@blueprint.post("/setup/api/lens")
def lens() -> Response:
    """A picture of the chessboard sheet; the answer says where to hold it next."""
    image = _image()
    with workshop().guard:
        draft = _draft()
        sheet = find_sheet(grey_of(image))
        if sheet is None:
            abort(409, "the chessboard sheet is not seen in this picture: show most of it, flat and sharp")
        if draft.sheets and draft.sheets[0].size_px != sheet.size_px:
            draft.sheets.clear()
        draft.sheets = [*draft.sheets, sheet][-MOST_SHEETS:]
        found, step = lens_step(draft.sheets)
        draft.steps["lens"] = step
        if found is not None:
            draft.profile = replace(draft.profile, lens=found)
        return _changed(draft)


@blueprint.post("/setup/api/empty")
def empty() -> Response:
    """A picture of the empty board. Where it is not found by tags, its corners are asked for."""
    image = _image()
    with workshop().guard:
        draft = _draft()
        draft.empty, draft.located = image, None
        draft.size_px = (image.shape[1], image.shape[0])
        draft.steps.pop("board", None)
        if draft.profile.board.markers:
            try:
                _take_board(draft, find_board(image, draft.profile.board, None, _lens(draft)))
            except CannotRead as error:
                draft.steps["board"] = _not_found(str(error))
        return _changed(draft)


@blueprint.get("/setup/api/empty.jpg")
def empty_picture() -> Response:
    with workshop().guard:
        draft = _draft()
        if draft.empty is None:
            abort(404, "there is no picture of the empty board yet")
        return Response(jpeg_of(draft.empty), mimetype="image/jpeg")


@blueprint.post("/setup/api/corners")
def corners() -> Response:
    """{"corners_px": four points}: the board's corners in the empty board's picture."""
    data = _json()
    with workshop().guard:
        draft = _draft()
        image = _empty(draft)
        points = _points(data.get("corners_px"), 4)
        _take_board(draft, find_board(image, draft.profile.board, points, _lens(draft)))
        return _changed(draft)


@blueprint.post("/setup/api/teach")
def teach_board() -> Response:
    """{"layout", "size_mm", "corners_px", "fields": {field: [x, y] in px}}: another edition of a board."""
    data = _json()
    layout = _known(data.get("layout"), LAYOUTS[:2])
    width, height = (float(side) for side in _points([data.get("size_mm")], 1)[0])
    if not (10 <= width <= 5000 and 10 <= height <= 5000):
        abort(409, "the board's width and height are between 10 and 5000 mm")
    with workshop().guard:
        draft = _draft()
        image = _empty(draft)
        blank = board_from_json({"id": "sheet", "size_mm": [width, height], "fields": [], "pieces": {}})
        located = find_board(image, blank, _points(data.get("corners_px"), 4), _lens(draft))
        taught = teach(layout, (width, height), _anchors(data.get("fields"), located))
        draft.profile = replace(draft.profile, board=taught.board, colours={})
        _take_board(draft, located)
        return _changed(draft)


@blueprint.post("/setup/api/move")
def move_field() -> Response:
    """{"field", "at_px": [x, y]}: this field's middle is there."""
    data = _json()
    with workshop().guard:
        draft = _draft()
        if draft.located is None:
            abort(409, "the board has not been found yet")
        ((name, place),) = _anchors({str(data.get("field")): data.get("at_px")}, draft.located).items()
        draft.profile = replace(draft.profile, board=moved_field(draft.profile.board, name, place))
        return _changed(draft)


@blueprint.post("/setup/api/pieces")
def pieces() -> Response:
    """A picture of some pieces of each colour on fields of the board."""
    image = _image()
    with workshop().guard:
        draft = _draft()
        profile, learnt, step = pieces_step(image, draft.profile, draft.game, _same_view(draft, image))
        draft.profile, draft.steps["pieces"] = profile, step
        draft.shown = [
            {"kind": kind, "colour": colour, "rgb": list(rgb)}
            for kind, named in learnt.colours.items()
            for colour, rgb in named.items()
        ]
        return _changed(draft)


@blueprint.post("/setup/api/health")
def health() -> Response:
    """How well the table is seen in a picture (?rate= pictures per second). Nothing is kept."""
    image = _image()
    with workshop().guard:
        draft = _draft()
        rate = request.args.get("rate", type=float)
        found = view_health(
            image, draft.profile.board, corners_px=_same_view(draft, image), pictures_per_s=rate
        )
        return jsonify(found.to_json())


@blueprint.post("/setup/api/read")
def read() -> Response:
    """What the profile makes of a picture: the proof."""
    image = _image()
    with workshop().guard:
        draft = _draft()
        reader = Reader(draft.profile.board, game=draft.game, profile=draft.profile)
        seen = reader.read(image, corners_px=_same_view(draft, image))
        return jsonify(seen.to_json())


@blueprint.post("/setup/api/save")
def save() -> Response:
    with workshop().guard:
        draft = _draft()
        if draft.located is None and draft.profile.lens is None:
            abort(409, "nothing is known yet: show the empty board first")
        Shelf().keep(draft.profile)
        draft.saved = True
        return _changed(draft)


# --- the kept ones -----------------------------------------------------------------------------------


@blueprint.get("/setup/api/profiles")
def profiles() -> Response:
    shelf = Shelf()
    kept = [shelf.load(name) for name in shelf.names()]
    return jsonify([{"name": each.name, "board": each.board.id, "made": each.made,
                     "lens": each.lens.source if each.lens else None} for each in kept])  # fmt: skip


@blueprint.post("/setup/api/profiles")
def take_in() -> Response:
    """A profile's zip file as the body; ?name= keeps it under another name."""
    _only_here()
    profile = Shelf().take_in(request.get_data(), "the file", request.args.get("name"))
    return jsonify({"name": profile.name})


@blueprint.get("/setup/api/profiles/<name>.zip")
def export(name: str) -> Response:
    data = Shelf().path(name).read_bytes()
    response = Response(data, mimetype="application/zip")
    response.headers.set("Content-Disposition", "attachment", filename=f"{name}.zip")
    return response


@blueprint.post("/setup/api/profiles/<name>/name")
def rename(name: str) -> Response:
    _only_here()
    Shelf().rename(name, str(_json().get("name", "")))
    return jsonify({"name": _json().get("name")})


@blueprint.delete("/setup/api/profiles/<name>")
def delete(name: str) -> Response:
    _only_here()
    Shelf().delete(name)
    return jsonify({"deleted": name})


@blueprint.post("/setup/api/tables/<table_id>")
def of_table(table_id: str) -> Response:
    """{"profile"}: the table is played with it from now on."""
    _only_here()
    Shelf().remember(table_id, str(_json().get("profile", "")))
    return jsonify({"table": table_id, "profile": _json().get("profile")})


@blueprint.get("/setup/api/tables/<table_id>/health")
def table_health(table_id: str) -> Response:
    """How well the camera sees that table, from its last picture and what was read in it."""
    found = health_of(the_table(table_id))
    if found is None:
        abort(404, "there is no picture of this table yet")
    return jsonify(found.to_json())


# --- asking ------------------------------------------------------------------------------------------


def _only_here() -> None:
    if not enough(g.session, "all"):
        abort(403, "only the machine at the table may do that")


def _json() -> Mapping[str, Any]:
    data = request.get_json(silent=True)
    if not isinstance(data, Mapping):
        abort(400, "expected a JSON object")
    return data


def _known(word: object, known: tuple[str, ...]) -> str:
    if word not in known:
        abort(409, f"expected one of {', '.join(known)}, found {word}")
    return str(word)


def _image() -> Image:
    """The picture in the body, at most LONGEST_PX wide. Raises CannotRead."""
    return shrunk(load_image(request.get_data()), LONGEST_PX)[0]


def _points(data: object, count: int) -> NDArray[np.float64]:
    try:
        points = np.array(data, float).reshape(-1, 2)
    except (TypeError, ValueError):
        points = np.empty((0, 2))
    if points.shape != (count, 2) or not np.isfinite(points).all():
        abort(409, f"expected {count} point{'s' if count > 1 else ''} [x, y]")
    return points


def _anchors(data: object, located: Located) -> dict[str, tuple[float, float]]:
    if not isinstance(data, Mapping) or not data:
        abort(409, "point at some fields first")
    pixels = _points(list(data.values()), len(data))
    places = located.view.on_plane(pixels)
    return {str(name): (float(x), float(y)) for name, (x, y) in zip(data, places, strict=True)}


def _empty(draft: Draft) -> Image:
    if draft.empty is None:
        abort(409, "show the empty board first")
    return draft.empty


def _lens(draft: Draft) -> Any:
    return None if draft.size_px is None else lens_of_view(draft.profile, draft.size_px)


def _same_view(draft: Draft, image: Image) -> NDArray[np.float64] | None:
    """The corners, for boards without tags, in a picture by the same camera in the same place."""
    corners = draft.profile.reference_corners_px
    same = draft.size_px == (image.shape[1], image.shape[0])
    return np.array(corners, float) if corners and same and not draft.profile.board.markers else None


def _take_board(draft: Draft, located: Located) -> None:
    image = _empty(draft)
    told = draft.profile.lens is None or draft.profile.lens.source == "board"
    draft.located = located
    draft.profile = with_board(draft.profile, image, located, keep_picture=True)
    draft.steps["board"] = board_step(image, draft.profile.board, located)
    if told and draft.profile.lens is not None:
        draft.steps["lens"] = lens_told(draft.profile.lens)


def _not_found(reason: str) -> Step:
    return Step(
        "board", "poor", Text(reason, "das Brett wird nicht gefunden"),
        Text("drag the four points to the board's corners", "die vier Punkte auf die Brettecken ziehen"),
    )  # fmt: skip


def _changed(draft: Draft) -> Response:
    draft.version += 1
    return jsonify(_state(draft))


def _state(draft: Draft) -> dict[str, Any]:
    board: Board = draft.profile.board
    located = draft.located
    return {
        "version": draft.version,
        "name": draft.profile.name,
        "board": board.id,
        "layout": board.extra.get("layout"),
        "tags": len(board.markers),
        "size_mm": list(board.size_mm),
        "game": draft.game,
        "steps": {name: step.to_json() for name, step in draft.steps.items()},
        "coverage": coverage(draft.sheets).to_json(),
        "size_px": None if draft.size_px is None else list(draft.size_px),
        "corners_px": [list(corner) for corner in draft.profile.reference_corners_px or ()]
        if located
        else [],
        "outlines": {} if located is None else outlines_px(board, located.view),
        "shown": draft.shown,
        "saved": draft.saved,
    }
