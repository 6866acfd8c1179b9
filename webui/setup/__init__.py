"""The set-up page: camera, lens, board and pieces become a profile, step by step.

One set-up goes on at a time; every device that is let in sees the same one, so that a phone can send the
pictures while the steps are followed on the large screen.
"""

from flask import Flask

from webui.setup import kept, live, steps
from webui.setup.draft import Workshop


def install(app: Flask) -> None:
    """Adds the set-up page to the application."""
    app.extensions["setup"] = Workshop()
    for part in (steps, live, kept):
        app.register_blueprint(part.blueprint)
