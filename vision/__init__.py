"""The eyes: from a picture to an `engine.Observation`."""

from vision.errors import CannotRead, NoBoard, NotAnImage, SourceLost, TooLarge, TooPoor
from vision.reader import Reader

__all__ = ["CannotRead", "NoBoard", "NotAnImage", "Reader", "SourceLost", "TooLarge", "TooPoor"]
