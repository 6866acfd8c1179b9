"""For schemathesis: the addresses it makes up mostly name what is there (see test_openapi.py)."""

from __future__ import annotations

import json
import os
import re
from typing import Any
from zlib import crc32

import schemathesis

NAMES: dict[str, list[str]] = json.loads(os.environ["HENGE_NAMES"])


@schemathesis.hook
def map_path_parameters(context: Any, path_parameters: dict[str, Any] | None) -> dict[str, Any] | None:
    """Seven times in eight a name of the list stands for whatever was made up; what a link found stays."""
    for key, value in (path_parameters or {}).items():
        if key == "table_id" and re.match(r"\d{8}-\d{6}-", str(value)):
            continue
        number = crc32(str(value).encode(errors="replace"))
        if key in NAMES and number % 8:
            path_parameters[key] = NAMES[key][number % len(NAMES[key])]  # type: ignore[index]
    return path_parameters
