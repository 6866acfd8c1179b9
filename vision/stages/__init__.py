"""Every stage of a reading, alone on a picture, and what it saw.

A stage draws from a `Look`, which does no more of the reading than the stages that are drawn need: where the
board lies is found out without any network. Answers are those of the reading itself, or are asked for anew
with the function that the reading calls.
"""

from vision.stages.look import Look
from vision.stages.of_reading import STAGES, Stage

__all__ = ["STAGES", "Look", "Stage"]
