"""What stands on the fields, of which colours, and what nobody can see."""

from __future__ import annotations

from collections import defaultdict

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.position import TOP
from vision.fields.covered import SHRINK, outlines_read
from vision.fields.network import EMPTY, HIDDEN
from vision.fields.places import Place
from vision.overlay import draw_overlay
from vision.stages.look import Look
from vision.stages.sheet import (
    CROP_PX,
    DOUBT,
    INK,
    beside,
    captioned,
    cross,
    dimmed,
    enlarged,
    from_floats,
    from_planes,
    line,
    sheet,
    sureness,
    tile,
    write,
)

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
# A swatch of colour is so wide and high (px).
SWATCH_PX = 40


def draw_places(look: Look) -> Image:
    """Each place as the networks see it: photograph, empty board, where a piece would stand; the colour that
    they see, and what they say stands there."""
    title = "each place: photograph, empty board, where pieces would stand, the colour seen"
    sight, places = look.sight, _seen(look)
    if not places:
        return sheet(title, [])
    crops, looks = sight.crops(places), look.reader.look(sight, places)
    tiles = []
    for place, crop, kind, seen in zip(places, crops, looks.kind, looks.seen, strict=True):
        name, sure = _named(place, kind)
        bodies = from_floats(crop[9:].max(axis=0))
        swatch = np.full((CROP_PX, 12, 3), np.clip(seen * 255, 0, 255), np.uint8)
        shown = (from_planes(crop[:3]), from_planes(crop[3:6]), bodies)
        pictures = (enlarged(each, CROP_PX) for each in shown)
        picture = beside(*pictures, swatch)
        tiles.append(tile(picture, f"{name} {sure:.2f}", place.id, colour=sureness(sure)))
    return sheet(title, tiles)


def draw_colours(look: Look) -> Image:
    """The shades of the set on the table, and what is seen of each piece under that which it was told."""
    palette, told = look.reader.colours, look.told
    places = tuple(place for place in look.reader.places if place.id in told)
    seen = look.reader.look(look.sight, places).seen if places else ()
    of_thing: dict[tuple[str, str], list[Floats]] = defaultdict(list)
    for place, each in zip(places, seen, strict=True):
        thing = told[place.id]
        of_thing[thing.kind, str(thing.colour)].append(each)
    tiles = []
    for (kind, name), own in sorted(of_thing.items()):
        number = palette.names.index(name)
        known = (palette.shades[number], palette.of_pieces(kind).shades[number])
        swatches = [*(_swatch(each) for each in known), *(_swatch(each, framed=True) for each in own)]
        tiles.append(tile(beside(*swatches), f"{kind} {name}: {len(own)}"))
    title = "board file's shade, this set's shade, and each piece that was told so, in even light"
    return sheet(title, tiles, width_px=1)


def draw_covered(look: Look) -> Image:
    """The ground that the pieces which were read hide, and the places that are told as not seen."""
    sight = look.sight
    mask = outlines_read(look.board, sight, look.reader.places)
    height, width = look.working.shape[:2]
    large = cv2.resize(mask, None, fx=SHRINK, fy=SHRINK, interpolation=cv2.INTER_NEAREST)[:height, :width]
    out = dimmed(look.working)
    out[large > 0] = (0.5 * out[large > 0] + [110, 60, 20]).astype(np.uint8)
    for name, why in look.read.unseen.items():
        each = look.board.fields.get(name.removesuffix(TOP))
        if each is not None:
            outline = sight.view.project(np.array(each.outline_mm(24)))
            line(out, outline, DOUBT)
            cross(out, outline)
            left, bottom = round(float(outline[:, 0].min())), round(float(outline[:, 1].max())) + 12
            write(out, why, (left, bottom), DOUBT)
    return captioned(out, f"tinted: hidden by what was read; crossed out: {len(look.read.unseen)} not seen")


def draw_result(look: Look) -> Image:
    """What is told in the end."""
    seen = look.read
    return draw_overlay(look.picture, look.board, seen, look.reader.last_view(look.picture))


def _seen(look: Look) -> tuple[Place, ...]:
    """The places of which the picture shows anything."""
    return tuple(place for place in look.reader.places if look.sight.unseen.get(place.id) is None)


def _named(place: Place, kind: Floats) -> tuple[str, float]:
    """What the networks hold for likeliest, and how likely."""
    slot, body = place.likeliest(kind)
    found = {"empty": kind[EMPTY], "hidden": kind[HIDDEN], body.kind: kind[1 + slot]}
    name = max(found, key=lambda each: float(found[each]))
    return name, float(found[name])


def _swatch(shade: Floats, *, framed: bool = False) -> Image:
    """A square of a colour; framed: one that was seen, beside those that are known."""
    out = np.full((SWATCH_PX, SWATCH_PX, 3), np.clip(shade * 255, 0, 255), np.uint8)
    if framed:
        cv2.rectangle(out, (0, 0), (SWATCH_PX - 1, SWATCH_PX - 1), INK, 1)
    return out
