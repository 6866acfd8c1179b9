"""From a lens, a printed board and a set of pieces to numbers: artwork, cards, the kit, profiles."""
