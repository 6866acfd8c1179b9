"""Lens, pose and solids: the way between millimetres of the board and pixels of a picture."""
