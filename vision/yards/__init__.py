"""Yards and the altar: what lies anywhere on an area, cards among it."""
