"""Photographs with labels, and the generator that makes them."""
