"""Which colour of its set a piece has, in whatever light."""
