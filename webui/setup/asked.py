"""What requests to the set-up bring: pictures, points, words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from flask import abort, g, request
from numpy.typing import NDArray

from vision.finding.locate import Located
from vision.pictures.images import load_image, shrunk
from webui.api.asking import json_object
from webui.rights import enough
from webui.setup.draft import Image, workshop

LONGEST_PX = 1920


def only_here() -> None:
    if not enough(g.session, "all"):
        abort(403, "only the machine at the table may do that")


def json_body() -> Mapping[str, Any]:
    return json_object()


def known(word: object, words: tuple[str, ...]) -> str:
    if word not in words:
        abort(409, f"expected one of {', '.join(words)}, found {word}")
    return str(word)


def picture() -> Image:
    """The picture in the body, or with ?from=live the one that a device's camera sent last; at most
    LONGEST_PX wide. Raises CannotRead."""
    data = request.get_data()
    if request.args.get("from") == "live":
        live = workshop().live
        if live is None or not live.is_fresh:
            abort(409, "no camera sends pictures any more: open this page there and switch the camera on")
        data = live.jpeg
    return shrunk(load_image(data), LONGEST_PX)[0]


def points(data: object, count: int) -> NDArray[np.float64]:
    """(count, 2) numbers."""
    try:
        found = np.array(data, float).reshape(-1, 2)
    except (OverflowError, TypeError, ValueError):
        found = np.empty((0, 2))
    if found.shape != (count, 2) or not np.isfinite(found).all():
        abort(409, f"expected {count} point{'s' if count > 1 else ''} [x, y]")
    return found


def size_mm(data: object) -> tuple[float, float]:
    width, height = (float(side) for side in points([data], 1)[0])
    if not (10 <= width <= 5000 and 10 <= height <= 5000):
        abort(409, "the board's width and height are between 10 and 5000 mm")
    return width, height


def anchors(data: object, located: Located) -> dict[str, tuple[float, float]]:
    """{field: [x, y] in px} as places on the board in mm."""
    if not isinstance(data, Mapping) or not data:
        abort(409, "point at some fields first")
    places = located.view.on_plane(points(list(data.values()), len(data)))
    return {str(name): (float(x), float(y)) for name, (x, y) in zip(data, places, strict=True)}
