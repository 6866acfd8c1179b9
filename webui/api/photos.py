"""Pictures: the last view with what was read in it, its straightened board, the photographs of the record."""

from __future__ import annotations

import io
import re

import cv2
import numpy as np
from flask import Blueprint, Response, abort, jsonify, request
from PIL import Image, ImageOps
from werkzeug.exceptions import HTTPException

from engine.board import load_board
from table import Table, View
from vision.pictures.images import OF_PHONES
from webui.api.asking import done, gallery, json_bytes, the_table
from webui.eyes import health_of

blueprint = Blueprint("photos", __name__, url_prefix="/api/tables/<table_id>")
MOST_PIXELS = 40_000_000
STRAIGHT_PX_PER_MM = 2.0
NO_PICTURE = "no picture has been taken yet"
PHOTO_NAME = re.compile(r"\d{1,6}\.jpg")


@blueprint.get("/observation")
def observation(table_id: str) -> Response:
    """What was read in the last picture: for every place what may lie there, most likely first."""
    text = gallery().observation(the_table(table_id))
    if text is None:
        abort(404, NO_PICTURE)
    return json_bytes(text)


@blueprint.get("/picture")
def picture(table_id: str) -> Response:
    return _jpeg(_picture(_view(the_table(table_id))))


@blueprint.get("/picture/straight")
def straight_picture(table_id: str) -> Response:
    """The last picture, straightened so that it lies on the drawn board millimetre by millimetre."""
    table = the_table(table_id)
    view = _view(table)
    jpeg = gallery().newest("straight", table, view.number, lambda: _straightened(table, view))
    if jpeg is None:
        abort(404, "where the board lies in this picture is not known")
    return _jpeg(jpeg)


@blueprint.get("/health")
def health(table_id: str) -> Response:
    """How well the camera sees the table, from its last picture: a grade, advice, what was measured."""
    table = the_table(table_id)
    number = _view(table).number
    found = gallery().newest("health", table, number, lambda: health_of(table))
    if found is None:
        abort(404, "this view came without a picture")
    return jsonify({"number": number} | found.to_json())


@blueprint.get("/photos/<name>")
def photo(table_id: str, name: str) -> Response:
    """The picture from which an entry was recorded."""
    table = the_table(table_id)
    if not PHOTO_NAME.fullmatch(name) or name not in {entry.photo for entry in table.entries}:
        abort(404, "there is no such photograph at this table")
    response = _jpeg(table.photo(name))
    response.headers["Cache-Control"] = "private, max-age=86400"
    return response


@blueprint.post("/photos")
def send_photo(table_id: str) -> Response:
    """A photograph from a phone (the JPEG, PNG, WebP, HEIC or AVIF file itself as the body): read and judged
    like a camera's picture."""
    table, read = the_table(table_id), gallery().eyes
    if read is None:
        abort(409, "this server does not read photographs")
    jpeg = _checked_jpeg(request.get_data())
    table.see(read(table, jpeg), jpeg)
    return done(table)


def _checked_jpeg(data: bytes) -> bytes:
    """The picture as JPEG; its size is looked at before anything is unpacked. Aborts with 400 or 413."""
    try:
        with Image.open(io.BytesIO(data), formats=("JPEG", "PNG", "WEBP", *OF_PHONES)) as image:
            if image.width * image.height > MOST_PIXELS:
                abort(
                    413,
                    f"the picture has {image.width} x {image.height} pixels; send at most 40 million",
                )
            if image.format == "JPEG":
                return data
            file = io.BytesIO()
            ImageOps.exif_transpose(image).convert("RGB").save(file, "JPEG", quality=93)
            return file.getvalue()
    except Image.DecompressionBombError:
        abort(413, "the picture has far too many pixels; send at most 40 million")
    except HTTPException:
        raise
    except Exception:  # Pillow's readers raise whatever damaged data makes them stumble over
        abort(400, "this is no picture that can be read: expected a JPEG, PNG, WebP or HEIC file")


def _view(table: Table) -> View:
    if table.view is None:
        abort(404, NO_PICTURE)
    return table.view


def _picture(view: View) -> bytes:
    if view.jpeg is None:
        abort(404, "this view came without a picture")
    return view.jpeg


def _straightened(table: Table, view: View) -> bytes | None:
    """A homography from the board's corners; lens distortion stays in, a few pixels at most."""
    image = cv2.imdecode(np.frombuffer(_picture(view), np.uint8), cv2.IMREAD_COLOR)
    if len(view.observation.corners_px) != 4 or image is None:
        return None
    board = load_board(table.state.game.board)
    width, height = (round(side * STRAIGHT_PX_PER_MM) for side in board.size_mm)
    corners = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    there = cv2.getPerspectiveTransform(np.array(view.observation.corners_px, np.float32), corners)
    flat = cv2.warpPerspective(image, there, (width, height), flags=cv2.INTER_AREA)
    written, jpeg = cv2.imencode(".jpg", flat, [cv2.IMWRITE_JPEG_QUALITY, 85])
    return jpeg.tobytes() if written else None


def _jpeg(data: bytes) -> Response:
    return Response(data, mimetype="image/jpeg")
