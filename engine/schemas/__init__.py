"""JSON Schemas of the files that other programs read and write, one JSON file each beside this one."""

from __future__ import annotations

import json
from importlib.resources import files
from typing import Any

NAMES = ("board", "position", "state", "log")


def load_schema(name: str) -> dict[str, Any]:
    """The schema called `name`, one of NAMES, as JSON data (draft 2020-12)."""
    schema: dict[str, Any] = json.loads(files(__name__).joinpath(f"{name}.json").read_text(encoding="utf-8"))
    return schema
