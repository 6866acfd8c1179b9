"""From the second picture of a table on: what moved, what came between, what earlier ones tell."""
