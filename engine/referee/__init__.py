"""From observations to moves: what legally explains what the camera saw, and what to say if nothing does."""

from engine.referee.chance import unseen_event
from engine.referee.decision import Alarm, Decision, Explanation, Repair
from engine.referee.prices import Prices
from engine.referee.referee import Referee, decode

__all__ = ["Alarm", "Decision", "Explanation", "Prices", "Referee", "Repair", "decode", "unseen_event"]
