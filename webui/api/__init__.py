"""The API under /api, one blueprint per topic. The page uses nothing else."""

from webui.api import boards, cameras, description, doors, events, halls, moves, photos, players, tables

BLUEPRINTS = (
    boards.blueprint,
    cameras.blueprint,
    description.blueprint,
    doors.blueprint,
    events.blueprint,
    halls.blueprint,
    moves.blueprint,
    photos.blueprint,
    players.blueprint,
    tables.blueprint,
)
