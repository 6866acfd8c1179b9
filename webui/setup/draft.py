"""The set-up that is going on: what is known so far, and how it is told to the page."""

from __future__ import annotations

import secrets
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
from flask import Response, abort, current_app, jsonify
from numpy.typing import NDArray

from calibration.coverage import coverage
from calibration.lens import Sheet
from calibration.profile import Profile
from engine.board import Board
from engine.words import LANGUAGES, Text
from vision import CannotRead
from vision.calibrating.calibrate import (
    Step,
    board_step,
    find_board,
    lens_of_view,
    lens_told,
    pieces_told,
    with_board,
    with_pieces,
)
from vision.calibrating.learn import Shown, learnt_from
from vision.finding.locate import Located
from vision.geometry.outlines import outlines_px

Image = NDArray[np.uint8]
MOST_SHEETS = 30
# A picture that a device sent longer ago than this is no live one.
LIVE_S = 8.0


@dataclass(frozen=True)
class Live:
    """The last picture that a device's camera sent by itself: a JPEG, when, and by which device."""

    jpeg: bytes
    at_s: float
    device: str

    @property
    def is_fresh(self) -> bool:
        return time.monotonic() - self.at_s < LIVE_S


@dataclass
class Draft:
    """`empty`: the empty board's picture, `located`: the board in it. `bare`: the board before sizes were
    learnt, `seen`: the pieces that were shown; `game`: None for any."""

    profile: Profile
    game: str | None = None
    sheets: list[Sheet] = field(default_factory=list)
    empty: Image | None = None
    located: Located | None = None
    steps: dict[str, Step] = field(default_factory=dict)
    bare: Board | None = None
    seen: list[Shown] = field(default_factory=list)
    pieces_picture: Image | None = None
    version: int = 0
    pictures: int = 0
    key: str = field(default_factory=lambda: secrets.token_hex(4))
    saved: bool = False

    @property
    def size_px(self) -> tuple[int, int] | None:
        """Width and height of the empty board's picture."""
        return None if self.empty is None else (self.empty.shape[1], self.empty.shape[0])

    def take_empty(self, image: Image) -> None:
        """A picture of the empty board; where it has tags it is found at once."""
        self.empty, self.located = image, None
        self.pictures += 1
        self.steps.pop("board", None)
        if self.profile.board.markers:
            try:
                self.take_board(find_board(image, self.profile.board, None, self.lens()))
            except CannotRead as error:
                self.steps["board"] = _not_found(str(error))

    def take_board(self, located: Located) -> None:
        """The board was found in the empty board's picture."""
        image = self.the_empty()
        told = self.profile.lens is None or self.profile.lens.source == "board"
        self.located = located
        self.profile = with_board(self.profile, image, located, keep_picture=True)
        self.steps["board"] = board_step(image, self.profile.board, located)
        if told and self.profile.lens is not None:
            self.steps["lens"] = lens_told(self.profile.lens)

    def take_pieces(self, image: Image, shown: list[Shown], bare: Board) -> None:
        """These pieces were found in a picture; `bare`: the board against which they were measured."""
        self.pieces_picture, self.bare, self.seen = image, bare, shown
        self.pictures += 1
        self.learn()

    def say(self, number: int, kind: str | None, colour: str | None) -> None:
        """A person says what the piece of that number is; None: it is none."""
        if self.bare is None or not 0 <= number < len(self.seen):
            abort(409, f"there is no piece {number}")
        if kind is None or colour is None:
            del self.seen[number]
        else:
            piece = self.bare.pieces.get(kind)
            if piece is None or colour not in piece.colours:
                abort(409, f"no piece of this board is a {colour} {kind}")
            self.seen[number] = replace(self.seen[number], kind=kind, colour=colour, confidence=1.0)
        self.learn()

    def learn(self) -> None:
        """Shades and sizes from the pieces as they are known now."""
        assert self.bare is not None
        learnt = learnt_from(self.bare, self.seen)
        self.profile = with_pieces(replace(self.profile, colours={}), learnt)
        self.steps["pieces"] = pieces_told(learnt)

    def the_empty(self) -> Image:
        if self.empty is None:
            abort(409, "show the empty board first")
        return self.empty

    def lens(self) -> Any:
        return None if self.size_px is None else lens_of_view(self.profile, self.size_px)

    def same_view(self, image: Image) -> NDArray[np.float64] | None:
        """The corners, for boards without tags, in a picture by the same camera in the same place."""
        corners = self.profile.reference_corners_px
        same = self.size_px == (image.shape[1], image.shape[0])
        return np.array(corners, float) if corners and same and not self.profile.board.markers else None

    def to_json(self) -> dict[str, Any]:
        """What every device is told."""
        board: Board = self.profile.board
        corners = self.profile.reference_corners_px if self.located else None
        return {
            "version": self.version,
            "pictures": f"{self.key}-{self.pictures}",  # another one: pictures are to be asked for anew
            "name": self.profile.name,
            "board": board.id,
            "layout": board.extra.get("layout"),
            "tags": len(board.markers),
            "size_mm": list(board.size_mm),
            "game": self.game,
            "steps": {name: step.to_json() for name, step in self.steps.items()},
            "coverage": coverage(self.sheets).to_json(),
            "size_px": None if self.size_px is None else list(self.size_px),
            "corners_px": [list(corner) for corner in corners or ()],
            "outlines": {} if self.located is None else outlines_px(board, self.located.view),
            "pieces": {kind: list(piece.colours) for kind, piece in board.pieces.items() if kind != "card"},
            "shown": [
                {"kind": each.kind, "colour": each.colour, "place": each.place, "rgb": list(each.rgb),
                 "at_px": list(each.at_px), "confidence": each.confidence}
                for each in self.seen
            ],
            "shown_px": None if self.pieces_picture is None else list(self.pieces_picture.shape[1::-1]),
            "saved": self.saved,
        }  # fmt: skip


@dataclass
class Workshop:
    """The draft and its guard: one picture is worked on at a time. live: what a camera sends meanwhile."""

    draft: Draft | None = None
    live: Live | None = None
    guard: threading.RLock = field(default_factory=threading.RLock)


def workshop() -> Workshop:
    made: Workshop = current_app.extensions["setup"]
    return made


def the_draft() -> Draft:
    draft = workshop().draft
    if draft is None:
        abort(409, "no set-up is going on: choose a board first")
    return draft


def changed(draft: Draft) -> Response:
    """The answer to everything that changes the draft."""
    draft.version += 1
    return jsonify(draft.to_json())


def board_name(board: Board) -> dict[str, str]:
    """What a board is called in each language: its file's "name", a text or one for each; else its id."""
    name = board.extra.get("name")
    names = name if isinstance(name, Mapping) else dict.fromkeys(LANGUAGES, name)
    known = {each: names[each] for each in LANGUAGES if isinstance(names.get(each), str) and names[each]}
    return {each: known.get(each, next(iter(known.values()), board.id)) for each in LANGUAGES}


def _not_found(reason: str) -> Step:
    return Step(
        "board", "poor", Text(reason, "das Brett wird nicht gefunden"),
        Text("drag the four points to the board's corners", "die vier Punkte auf die Brettecken ziehen"),
    )  # fmt: skip
