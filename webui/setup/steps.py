"""The steps of the set-up: name, lens, board, pieces, and keeping what was learnt."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from datetime import datetime
from functools import cache
from typing import Any

from flask import Blueprint, Response, abort, jsonify

from calibration.coverage import alike
from calibration.lens import find_sheet
from calibration.profile import Profile, checked_name, jpeg_of
from calibration.shelf import Shelf
from calibration.teach import LAYOUTS, drawn_board, moved_field, teach
from engine import GAMES, load_game
from engine.board import Board, board_from_json, board_ids, load_board
from engine.boards.layout import board_text
from vision import Reader
from vision.calibrating.calibrate import find_board, grey_of, lens_step, pieces_step
from vision.finding.locate import Located
from webui.page import STATIC
from webui.setup.asked import anchors, json_body, known, only_here, picture, points, size_mm
from webui.setup.draft import MOST_SHEETS, Draft, Image, board_name, changed, the_draft, workshop

blueprint = Blueprint("setup", __name__)
MOST_SHAPES = 400


@blueprint.get("/setup")
def page() -> Response:
    """The page; its module does the rest."""
    return Response((STATIC / "setup.html").read_bytes(), mimetype="text/html")


@blueprint.get("/setup/api")
def state() -> Response:
    """What is known so far, for every device that looks."""
    with workshop().guard:
        draft, live = workshop().draft, workshop().live
        now = {
            "draft": None if draft is None else draft.to_json(),
            "live": live.device if live is not None and live.is_fresh else None,
        }
        return jsonify(_choices() | now)


@cache
def _choices() -> dict[str, Any]:
    """What can be chosen; every device that looks asks for it again and again."""
    games = {game: load_game(game).title.to_json() for game in GAMES}
    boards = {board: board_name(load_board(board)) for board in board_ids()}
    return {"boards": boards, "layouts": list(LAYOUTS), "games": games}


@blueprint.post("/setup/api")
def start() -> Response:
    """{"name", "board": an id of ours or a board file's content, "game" or null}."""
    data = json_body()
    chosen = data.get("board")
    board = board_from_json(chosen) if isinstance(chosen, Mapping) else load_board(known(chosen, board_ids()))
    game = None if data.get("game") is None else known(data["game"], tuple(GAMES))
    if game and load_game(game).board not in (board.id, board.extra.get("layout")):
        abort(409, f"{game} is not played on the {board.id} board")
    made = datetime.now().astimezone().isoformat("T", "seconds")
    with workshop().guard:
        draft = Draft(Profile(checked_name(str(data.get("name", ""))), board, made=made), game)
        workshop().draft = draft
        return jsonify(draft.to_json())


@blueprint.post("/setup/api/lens")
def lens() -> Response:
    """A picture of the chessboard sheet; the answer says where to hold it next."""
    image = picture()
    with workshop().guard:
        draft = the_draft()
        sheet = find_sheet(grey_of(image))
        if sheet is None:
            abort(409, "the chessboard sheet is not seen in this picture: show most of it, flat and sharp")
        if draft.sheets and draft.sheets[0].size_px != sheet.size_px:
            draft.sheets.clear()
        if any(alike(sheet, other) for other in draft.sheets):
            return changed(draft)  # a camera that takes pictures by itself sees it where it was
        draft.sheets = [*draft.sheets, sheet][-MOST_SHEETS:]
        found, step = lens_step(draft.sheets)
        draft.steps["lens"] = step
        if found is not None:
            draft.profile = replace(draft.profile, lens=found)
        return changed(draft)


# --- the board ---------------------------------------------------------------------------------------


@blueprint.post("/setup/api/empty")
def empty() -> Response:
    """A picture of the empty board. Where it is not found by tags, its corners are asked for."""
    image = picture()
    with workshop().guard:
        draft = the_draft()
        draft.take_empty(image)
        return changed(draft)


@blueprint.get("/setup/api/empty.jpg")
def empty_picture() -> Response:
    with workshop().guard:
        return _jpeg(the_draft().empty, "there is no picture of the empty board yet")


@blueprint.post("/setup/api/corners")
def corners() -> Response:
    """{"corners_px": four points}: the board's corners in the empty board's picture."""
    data = json_body()
    with workshop().guard:
        draft = the_draft()
        image = draft.the_empty()
        given = points(data.get("corners_px"), 4)
        draft.take_board(find_board(image, draft.profile.board, given, draft.lens()))
        return changed(draft)


@blueprint.post("/setup/api/teach")
def teach_board() -> Response:
    """{"layout", "size_mm", "corners_px", "fields": {field: [x, y] in px}}: another edition of a board."""
    data = json_body()
    layout = known(data.get("layout"), LAYOUTS[:2])
    size = size_mm(data.get("size_mm"))
    with workshop().guard:
        draft = the_draft()
        located = _sheet_at(draft, size, data)
        taught = teach(layout, size, anchors(data.get("fields"), located))
        _use_board(draft, taught.board, located)
        return changed(draft)


@blueprint.post("/setup/api/draw")
def draw_board() -> Response:
    """{"id", "size_mm", "corners_px", "shapes": [{"id", "at_px", "radius_mm"} or {"id", "points_px"}],
    "pieces_of": board, "pieces": [kind]}: a home-made board. Every piece may lie on every field."""
    data = json_body()
    size = size_mm(data.get("size_mm"))
    shapes = data.get("shapes")
    if not isinstance(shapes, list) or not 1 <= len(shapes) <= MOST_SHAPES:
        abort(409, f"draw 1 to {MOST_SHAPES} fields first")
    with workshop().guard:
        draft = the_draft()
        located = _sheet_at(draft, size, data)
        fields = [_drawn(shape, located) for shape in shapes]
        kinds = list(dict.fromkeys(each["kind"] for each in fields))
        offered = load_board(known(data.get("pieces_of"), board_ids())).to_json()["pieces"]
        wanted = data.get("pieces") or list(offered)
        pieces = {name: {**piece, "on": kinds} for name, piece in offered.items() if name in wanted}
        board = drawn_board(str(data.get("id") or "my-board"), size, fields, pieces)
        _use_board(draft, board, located)
        return changed(draft)


@blueprint.get("/setup/api/board.json")
def board_file() -> Response:
    """The board as a file, for every command that takes --board."""
    board = the_draft().profile.board
    response = Response(board_text(board.to_json()), mimetype="application/json")
    response.headers.set("Content-Disposition", "attachment", filename=f"{board.id}.json")
    return response


@blueprint.post("/setup/api/move")
def move_field() -> Response:
    """{"field", "at_px": [x, y]}: this field's middle is there."""
    data = json_body()
    with workshop().guard:
        draft = the_draft()
        if draft.located is None:
            abort(409, "the board has not been found yet")
        ((name, place),) = anchors({str(data.get("field")): data.get("at_px")}, draft.located).items()
        draft.profile = replace(draft.profile, board=moved_field(draft.profile.board, name, place))
        if draft.bare is not None:
            draft.bare = moved_field(draft.bare, name, place)
        return changed(draft)


def _sheet_at(draft: Draft, size: tuple[float, float], data: Mapping[str, Any]) -> Located:
    """Where a board of that size lies by its corners, whatever is on it."""
    blank = board_from_json({"id": "sheet", "size_mm": list(size), "fields": [], "pieces": {}})
    return find_board(draft.the_empty(), blank, points(data.get("corners_px"), 4), draft.lens())


def _use_board(draft: Draft, board: Board, located: Located) -> None:
    """Another board from now on: what was known of pieces was measured against the old one."""
    draft.profile = replace(draft.profile, board=board, colours={})
    draft.bare, draft.seen, draft.pieces_picture = None, [], None
    draft.steps.pop("pieces", None)
    draft.take_board(located)


def _drawn(shape: object, located: Located) -> dict[str, Any]:
    """A drawn field as a board file has it; its kind is its name up to the last hyphen."""
    if not isinstance(shape, Mapping) or not shape.get("id"):
        abort(409, "every field needs a name, such as pond-1")
    name = str(shape["id"])
    head = {"id": name, "kind": name.rpartition("-")[0] or "field"}
    if "points_px" in shape:
        outline = shape["points_px"]
        count = len(outline) if isinstance(outline, list) else 0
        place = located.view.on_plane(points(outline, max(3, count)))
        return {**head, "polygon": [[round(float(x), 2), round(float(y), 2)] for x, y in place]}
    ((x, y),) = located.view.on_plane(points([shape.get("at_px")], 1))
    radius = shape.get("radius_mm")
    if not isinstance(radius, int | float) or not 1 <= radius <= 500:
        abort(409, f"the radius of {name} is between 1 and 500 mm")
    return {**head, "x": round(float(x), 2), "y": round(float(y), 2), "radius_mm": float(radius)}


# --- the pieces --------------------------------------------------------------------------------------


@blueprint.post("/setup/api/pieces")
def pieces() -> Response:
    """A picture of some pieces of each colour on the board or beside it."""
    image = picture()
    with workshop().guard:
        draft = the_draft()
        bare = draft.bare or draft.profile.board
        _, learnt, _ = pieces_step(
            image, replace(draft.profile, board=bare), draft.game, draft.same_view(image)
        )
        draft.take_pieces(image, list(learnt.shown), bare)
        return changed(draft)


@blueprint.get("/setup/api/pieces.jpg")
def pieces_picture() -> Response:
    with workshop().guard:
        return _jpeg(the_draft().pieces_picture, "no pieces were shown yet")


@blueprint.post("/setup/api/pieces/say")
def say_piece() -> Response:
    """{"number", "kind", "colour"}: what the piece of that number is; kind null: it is none."""
    data = json_body()
    number = data.get("number")
    if not isinstance(number, int):
        abort(409, "expected the number of a piece")
    with workshop().guard:
        draft = the_draft()
        kind, colour = data.get("kind"), data.get("colour")
        draft.say(number, None if kind is None else str(kind), None if colour is None else str(colour))
        return changed(draft)


# --- the end -----------------------------------------------------------------------------------------


@blueprint.post("/setup/api/read")
def read() -> Response:
    """What the profile makes of a picture: the proof."""
    image = picture()
    with workshop().guard:
        draft = the_draft()
        reader = Reader(draft.profile.board, game=draft.game, profile=draft.profile)
        seen = reader.read(image, corners_px=draft.same_view(image))
        return jsonify(seen.to_json())


@blueprint.post("/setup/api/save")
def save() -> Response:
    with workshop().guard:
        draft = the_draft()
        if draft.located is None and draft.profile.lens is None:
            abort(409, "nothing is known yet: show the empty board first")
        if not draft.saved and draft.profile.name in Shelf().names():
            only_here()  # it would replace what was learnt another time
        Shelf().keep(draft.profile)
        draft.saved = True
        return changed(draft)


def _jpeg(image: Image | None, missing: str) -> Response:
    if image is None:
        abort(404, missing)
    response = Response(jpeg_of(image), mimetype="image/jpeg")
    # Its address names the picture (?v=): it need not be sent again while fields are drawn over it.
    response.headers["Cache-Control"] = "private, max-age=600"
    return response
