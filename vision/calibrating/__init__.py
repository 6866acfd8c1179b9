"""Getting to know a table: its camera, its set of pieces, its light."""
