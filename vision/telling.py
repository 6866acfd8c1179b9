"""What was seen in a picture, put together for those who asked: the observation, and what they should know of
the picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from calibration.profile import Profile
from engine.board import Board
from engine.observation import Observation
from engine.position import Position, thing_at
from engine.words import Text
from vision.fields.beliefs import told
from vision.pictures.images import in_whole
from vision.sight import Sight

# A board that is so far from the reference photograph (see Light.misfit) is another one, or printed anew.
CHANGED_BOARD = 0.32


def observation_of(
    board: Board, game: str | None, sight: Sight, factor: float, warnings: Sequence[Text]
) -> Observation:
    """What a picture shows; factor: by which it was made smaller to be looked at."""
    pieces = []
    for place, belief in sight.beliefs.items():
        thing, confidence = told(belief)
        if thing is not None and place not in sight.unseen:
            pieces.append(replace(thing_at(thing, place), confidence=round(confidence, 4)))
            pieces += sight.below.get(place, ())
    pieces += sight.loose
    occluded = tuple(sorted(place for place in sight.unseen if place in board.fields))
    corners = sight.view.project(np.array(board.corners_mm))
    corners = in_whole(corners, factor)
    quality = {
        "found_by": sight.located.how,
        "tags": sight.located.tags,
        "error_px": round(sight.located.error_px, 3),
        "elevation_deg": round(sight.view.elevation_deg, 1),
        "ms": {k: round(v, 1) for k, v in sight.timings_ms.items()},
    }
    if warnings:
        quality["warnings"] = [warning.to_json() for warning in warnings]
    return Observation(
        board.id,
        sight.beliefs,
        Position(board.id, tuple(pieces), game, occluded),
        sight.unseen,
        tuple(sight.loose),
        tuple((float(x), float(y)) for x, y in corners),
        quality,
    )


def warnings_of(
    sight: Sight, profile: Profile | None, *, has_reference: bool, colourless: bool
) -> list[Text]:
    """What a person should know of a picture that could be read: has it colours, is its print known, and is
    it still the profile's table?"""
    found = []
    if colourless:
        found.append(
            Text(
                "this picture is black and white, so its pieces' colours are guessed: take it in colour",
                "dieses Bild ist schwarzweiß, darum sind die Farben der Figuren geraten: in Farbe aufnehmen",
            )
        )
    if sight.surface.guessed:
        found.append(
            Text(
                "the print of this board is not known, so much is uncertain: photograph the empty board",
                "der Druck dieses Bretts ist nicht bekannt, darum ist vieles unsicher: das leere Brett "
                "fotografieren",
            )
        )
    lens = None if profile is None else profile.lens
    if lens is not None and not lens.fits(sight.view.size_px):
        found.append(
            Text(
                "this picture has another shape than those of the profile: its lens is left aside",
                "dieses Bild hat ein anderes Format als die des Profils: sein Objektiv bleibt außer Acht",
            )
        )
    elif sight.lens_is_off:
        found.append(
            Text(
                "the profile's lens does not fit this camera: calibrate the lens anew",
                "das Objektiv des Profils passt nicht zu dieser Kamera: Objektiv neu kalibrieren",
            )
        )
    if has_reference and sight.light.misfit > CHANGED_BOARD:
        found.append(
            Text(
                "the board looks different from the photograph of it empty: photograph it empty anew",
                "das Brett sieht anders aus als auf dem Foto des leeren Bretts: es leer neu fotografieren",
            )
        )
    return found
