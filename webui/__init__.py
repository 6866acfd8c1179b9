"""The page that lies open beside the table, and the API it uses.

app = create_app(hall)                 a Flask application over a `table.Hall`
serve(app, port=8000)                  with waitress, on this machine only unless told otherwise
"""

from webui.app import create_app
from webui.player import Player, PlayerState
from webui.server import PortTaken, bound_server, serve

__all__ = ["Player", "PlayerState", "PortTaken", "bound_server", "create_app", "serve"]
