"""A picture whose stages are drawn."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from engine.observation import Observation, likeliest
from engine.position import Thing
from vision.finding.finder import working_size
from vision.geometry.view import Array
from vision.reader import Reader
from vision.sight import Sight

Image = NDArray[np.uint8]


@dataclass
class Look:
    """A picture, (H, W, 3) BGR, looked at for the first time by a reader; corners_px: (4, 2) the board's, if
    they were given by hand. Whatever a stage needs is worked out when it asks for it, and raises
    vision.CannotRead where the picture does not show it."""

    reader: Reader
    picture: Image
    corners_px: Array | None = None

    @property
    def board(self) -> Board:
        return self.reader.board

    @cached_property
    def working(self) -> Image:
        """The picture in the size in which it is looked at."""
        return working_size(self.picture)[0]

    @cached_property
    def found(self) -> Sight:
        """Where the board lies and how it is lit."""
        if "read" in self.__dict__:
            return self.sight
        return self.reader.find(self.picture, self.corners_px)

    @cached_property
    def read(self) -> Observation:
        """What is told of the picture in the end."""
        self.reader.forget()
        return self.reader.read(self.picture, corners_px=self.corners_px)

    @cached_property
    def told(self) -> dict[str, Thing]:
        """The things that are told of the places that are seen."""
        likely = {name: likeliest(belief) for name, belief in self.sight.seen().items()}
        return {name: thing for name, thing in likely.items() if thing is not None}

    @property
    def sight(self) -> Sight:
        """Everything that is known once the picture was read."""
        assert self.read
        sight = self.reader.sight
        assert sight is not None
        return sight
