"""The empty board: what is printed on it, and how it is lit in a picture."""
