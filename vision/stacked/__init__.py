"""How many discs lie on one another, and blocks in a heap."""
