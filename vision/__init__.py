"""The eyes: from a picture to an `engine.Observation`."""

import os

# As in cli/main.py, for programs that load the eyes before NumPy.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

from vision.errors import CannotRead, NoBoard, NotAnImage, SourceLost, TooLarge, TooPoor
from vision.reader import Reader

__all__ = ["CannotRead", "NoBoard", "NotAnImage", "Reader", "SourceLost", "TooLarge", "TooPoor"]
