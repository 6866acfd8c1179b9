"""Lessons from another renderer: boards of players' own making and ours, with pieces of any outline.

What is learnt from one renderer's pictures alone is learnt from its habits, too. See `__main__`.
"""
