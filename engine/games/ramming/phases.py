"""What is due in a race: the values of `phase`."""

BLOCKS, DISPLAY, DEAL = "blocks", "display", "deal"
PLACE, DISCARD, ATTEMPT = "place", "discard", "attempt"
UNCOVER, SHOW, SWAP = "uncover", "show", "swap"
PEEK, DRAW, OVER = "peek", "draw", "over"
PHASES = (BLOCKS, DISPLAY, DEAL, PLACE, DISCARD, ATTEMPT, UNCOVER, SHOW, SWAP, PEEK, DRAW, OVER)
CHANCE_PHASES = frozenset((BLOCKS, DISPLAY, DEAL, SHOW, DRAW))
