"""A profile: one table's lens, board, pieces and empty board, in one file that can be carried elsewhere.

A zip file with

    profile.json     format, name, when it was made, lens, colours, the reference picture's corners
    board.json       the board file, pieces with the sizes that were measured
    reference.jpg    the empty board (may be absent)

HengeError
  x ProfileError    a profile that is not there, not readable, or cannot be kept; the text says what to do
"""

from __future__ import annotations

import io
import json
import math
import os
import re
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from engine.board import Board, board_from_json
from engine.boards.layout import board_text
from engine.errors import HengeError

FORMAT = 1
MOST_BYTES = 60_000_000
JPEG_QUALITY = 95
NAME = re.compile(r"[\w][\w .,+-]{0,59}")
Json = dict[str, Any]
# From an older format to the next one: {1: upgrade_to_2}. What is not here is refused.
UPGRADES: dict[int, Callable[[Json], Json]] = {}
RGB = tuple[int, int, int]
Corners = tuple[tuple[float, float], ...]


class ProfileError(HengeError):
    """A profile that cannot be used or kept."""


@dataclass(frozen=True)
class Profile:
    """colours: kind of piece -> colour -> red, green, blue (0..255) as the reference's light shows them.
    reference: the JPEG of the empty board; reference_corners_px: its board's corners, as printed from the
    top left clockwise, in that picture. camera: what the camera is called, for people. own_print: the board
    was printed from Henge's kit, so that its artwork is known better than from any photograph."""

    name: str
    board: Board
    lens: Lens | None = None
    colours: Mapping[str, Mapping[str, RGB]] = field(default_factory=dict)
    reference: bytes | None = None
    reference_corners_px: Corners | None = None
    made: str = ""
    camera: str = ""
    own_print: bool = False
    extra: Mapping[str, Any] = field(default_factory=dict)

    def reference_image(self) -> NDArray[np.uint8] | None:
        """The empty board as uint8 (H, W, 3) BGR. Raises ProfileError for a damaged picture."""
        if self.reference is None:
            return None
        image = cv2.imdecode(np.frombuffer(self.reference, np.uint8), cv2.IMREAD_COLOR)
        if image is None:
            raise ProfileError(f"the reference picture in the profile {self.name} is damaged: make it anew")
        return np.asarray(image, np.uint8)

    def to_bytes(self) -> bytes:
        """The zip file. Equal profiles give equal bytes."""
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w") as archive:
            head = json.dumps(self._head(), indent=1, ensure_ascii=False)
            _put(archive, "profile.json", head.encode(), zipfile.ZIP_DEFLATED)
            _put(archive, "board.json", board_text(self.board.to_json()).encode(), zipfile.ZIP_DEFLATED)
            if self.reference is not None:
                _put(archive, "reference.jpg", self.reference, zipfile.ZIP_STORED)
        return buffer.getvalue()

    def _head(self) -> Json:
        return {
            "henge": "profile",
            "format": FORMAT,
            "name": self.name,
            "made": self.made,
            "camera": self.camera,
            "own_print": self.own_print,
            "lens": self.lens.to_json() if self.lens else None,
            "colours": {
                kind: {c: list(rgb) for c, rgb in named.items()} for kind, named in self.colours.items()
            },
            "reference_corners_px": _listed(self.reference_corners_px),
            **self.extra,
        }


def jpeg_of(image: NDArray[np.uint8]) -> bytes:
    """A picture as a profile keeps it."""
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, JPEG_QUALITY])
    if not ok:
        raise ProfileError("the reference picture cannot be kept")
    return bytes(data.tobytes())


def _put(archive: zipfile.ZipFile, name: str, data: bytes, method: int) -> None:
    entry = zipfile.ZipInfo(name, (2000, 1, 1, 0, 0, 0))  # equal profiles give equal files
    entry.compress_type = method
    archive.writestr(entry, data)


def _listed(corners: Corners | None) -> list[list[float]] | None:
    return None if corners is None else [[round(x, 3), round(y, 3)] for x, y in corners]


def load_profile(path: str | os.PathLike[str]) -> Profile:
    """The profile in a file. Raises ProfileError in one sentence."""
    try:
        if Path(path).stat().st_size > MOST_BYTES:
            raise ProfileError(f"{path} is not a profile: it has more than {MOST_BYTES // 10**6} MB")
        data = Path(path).read_bytes()
    except OSError as error:
        raise ProfileError(f"cannot read the profile {path}: {error.strerror or error}") from None
    return profile_from_bytes(data, str(path))


def profile_from_bytes(data: bytes, where: str) -> Profile:
    """The profile in a zip file's bytes; `where` is what a person calls it. Raises ProfileError."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            head = _json_in(archive, "profile.json", where)
            board = _json_in(archive, "board.json", where)
            reference = _part(archive, "reference.jpg") if "reference.jpg" in archive.namelist() else None
    except (zipfile.BadZipFile, KeyError, NotImplementedError, RuntimeError, EOFError, OSError):
        raise ProfileError(
            f"{where} is not a profile: expected a zip file that henge calibrate made, with profile.json and "
            "board.json in it"
        ) from None
    head = _current(head, where)
    try:
        return _profile(head, board, reference, where)
    except ProfileError:
        raise
    except HengeError as error:
        raise ProfileError(f"{where}: {error}") from None


def _part(archive: zipfile.ZipFile, name: str) -> bytes:
    # The size is that of the directory, which a bad file may lie about: so no more than that is unpacked.
    with archive.open(name) as part:
        data = part.read(MOST_BYTES + 1)
    if len(data) > MOST_BYTES:
        raise ProfileError(
            f"{name} in the profile is larger than {MOST_BYTES // 10**6} MB: that is no profile"
        )
    return data


def _json_in(archive: zipfile.ZipFile, name: str, where: str) -> Any:
    try:
        return json.loads(_part(archive, name))
    except (ValueError, RecursionError):
        raise ProfileError(f"{where}: {name} in it is not JSON text; make the profile anew") from None


def _current(head: Any, where: str) -> Json:
    """The head in today's format."""
    version = head.get("format") if isinstance(head, dict) else None
    if not isinstance(head, dict) or head.get("henge") != "profile" or not isinstance(version, int):
        raise ProfileError(f'{where} is not a profile: profile.json should begin with "henge": "profile"')
    if version > FORMAT:
        raise ProfileError(
            f"{where} was made by a newer Henge (format {version}, this one reads up to {FORMAT}): update "
            "Henge, or make the profile anew with henge calibrate"
        )
    while version < FORMAT:
        if version not in UPGRADES:
            raise ProfileError(
                f"{where} was made by an older Henge (format {version}) and cannot be taken over: make it "
                "anew with henge calibrate"
            )
        head, version = UPGRADES[version](head), version + 1
    return head


def _profile(head: Json, board: Any, reference: bytes | None, where: str) -> Profile:
    known = (
        "henge", "format", "name", "made", "camera", "own_print", "lens", "colours", "reference_corners_px",
    )  # fmt: skip
    lens = head.get("lens")
    return Profile(
        checked_name(str(head.get("name", ""))),
        board_from_json(board, f"{where}: board.json"),
        None if lens is None else Lens.from_json(lens),
        _colours(head.get("colours") or {}, where),
        reference,
        _corners(head.get("reference_corners_px"), where),
        str(head.get("made", "")),
        str(head.get("camera", "")),
        head.get("own_print") is True,
        {key: value for key, value in head.items() if key not in known},
    )


def _colours(data: Any, where: str) -> dict[str, dict[str, RGB]]:
    try:
        found = {
            str(kind): {str(name): _rgb(value) for name, value in named.items()}
            for kind, named in data.items()
        }
    except (AttributeError, TypeError, ValueError):
        raise ProfileError(
            f"{where}: colours should name a red, green and blue (0 to 255) for each colour of each kind"
        ) from None
    return found


def _rgb(value: Any) -> RGB:
    red, green, blue = (int(part) for part in value)
    if not all(0 <= part <= 255 for part in (red, green, blue)):
        raise ValueError(value)
    return red, green, blue


def _corners(data: Any, where: str) -> Corners | None:
    if data is None:
        return None
    try:
        corners = tuple((float(x), float(y)) for x, y in data)
    except (TypeError, ValueError):
        corners = ()
    if len(corners) != 4 or not all(math.isfinite(value) for corner in corners for value in corner):
        raise ProfileError(f"{where}: reference_corners_px should be four points [x, y] in pixels")
    return corners


def checked_name(name: str) -> str:
    """The name if a profile may be called so. Raises ProfileError."""
    if not NAME.fullmatch(name) or name.endswith((".", " ")):
        raise ProfileError(
            f'"{name}" cannot be a profile\'s name: expected up to 60 letters, digits, spaces, and . , + - _'
        )
    return name
