"""The API under /api, one blueprint per topic. The page uses nothing else."""

from webui.api import boards, description, doors, events, halls, moves, photos, players, tables

BLUEPRINTS = (
    boards.blueprint,
    description.blueprint,
    doors.blueprint,
    events.blueprint,
    halls.blueprint,
    moves.blueprint,
    photos.blueprint,
    players.blueprint,
    tables.blueprint,
)
