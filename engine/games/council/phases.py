"""What is due in the council: the values of `phase`."""

DEAL, TURN, DRAW = "deal", "turn", "draw"
LIFT, DISCARD, ANSWER = "lift", "discard", "answer"
OFFER, OVER = "offer", "over"
PHASES = (DEAL, TURN, DRAW, LIFT, DISCARD, ANSWER, OFFER, OVER)
CHANCE_PHASES = frozenset((DEAL, DRAW))
