"""The application: one blueprint per topic, every error as one line of JSON, nothing from other hosts."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from flask import Flask, Response, jsonify
from werkzeug.exceptions import HTTPException

from engine import Observation
from engine.errors import HengeError
from table import Hall, Lookout, NoSuchTable, Table
from webui import api, guard, page, setup
from webui.player import Player
from webui.refusals import reason_of, refusal
from webui.rights import Doors, TooManyTries
from webui.showing import Gallery

Eyes = Callable[[Table, bytes], Observation]


def create_app(
    hall: Hall,
    *,
    players: Mapping[str, Player] | None = None,
    eyes: Eyes | None = None,
    hosts: tuple[str, ...] = (),
    doors: Doors | None = None,
    lookout: Lookout | None = None,
) -> Flask:
    """The page and the API over the tables of `hall`.

    players: table id -> what plays a recorded table there. eyes: reads a photograph that a phone sent
    (JPEG bytes); without it photographs are refused. hosts: names by which this server may be called
    besides those of this machine (a page elsewhere must not reach it through a name of its own). doors: who
    may come in from other machines. lookout: the camera of this server, if it has one."""
    app = Flask(__name__, static_folder=None)
    app.config["MAX_CONTENT_LENGTH"] = guard.LARGEST_BODY_BYTES
    app.json.sort_keys = False  # type: ignore[attr-defined]
    app.extensions["henge"] = Gallery(hall, dict(players or {}), eyes, lookout)
    app.extensions["doors"] = doors or Doors()
    guard.protect(app, hosts, app.extensions["doors"])
    for blueprint in (*api.BLUEPRINTS, page.blueprint):
        app.register_blueprint(blueprint)
    setup.install(app)
    _speak_plainly(app)
    return app


def _speak_plainly(app: Flask) -> None:
    """Every error as a `refusal`."""

    @app.errorhandler(HengeError)
    def henge_error(error: HengeError) -> tuple[Response, int]:
        return jsonify(refusal(str(error), reason_of(error))), 404 if isinstance(error, NoSuchTable) else 409

    @app.errorhandler(TooManyTries)
    def too_many_tries(error: TooManyTries) -> tuple[Response, int]:
        return jsonify(refusal("too many wrong tries: wait a minute")), 429

    @app.errorhandler(HTTPException)
    def http_error(error: HTTPException) -> Response:
        response = jsonify(refusal(error.description or error.name))
        response.status_code = error.code or 500
        for name, value in error.get_headers():
            if name.lower() not in ("content-type", "content-length"):
                response.headers[name] = value  # "Allow", which belongs to 405
        return response
