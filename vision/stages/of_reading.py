"""The stages of a reading in their order."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.stages import on_board, on_fields, on_some_boards
from vision.stages.look import Look

Image = NDArray[np.uint8]


@dataclass(frozen=True)
class Stage:
    """What it does, and how what it saw is drawn: (H, W, 3) BGR, or None where there is nothing of its kind
    on this board or in this game."""

    does: str
    draw: Callable[[Look], Image | None]


STAGES = {
    "tags": Stage("finds the printed tags", on_board.draw_tags),
    "locate": Stage("finds the board, lens and camera", on_board.draw_place),
    "register": Stage("lays the print over the photograph", on_board.draw_register),
    "light": Stage("evens out the light", on_board.draw_light),
    "places": Stage("says what stands on each place", on_fields.draw_places),
    "colours": Stage("learns the colours of the set", on_fields.draw_colours),
    "covered": Stage("says what nobody can see", on_fields.draw_covered),
    "digits": Stage("reads druid stones", on_some_boards.draw_digits),
    "facing": Stage("tells which way the stone ball looks", on_some_boards.draw_facing),
    "piles": Stage("counts discs on one another", on_some_boards.draw_piles),
    "heaps": Stage("counts blocks in heaps", on_some_boards.draw_heaps),
    "areas": Stage("reads yards and altar", on_some_boards.draw_areas),
    "free": Stage("finds what stands on no field", on_some_boards.draw_free),
    "result": Stage("tells the position", on_fields.draw_result),
}
