"""`henge read` on single photographs, as a person types it."""

from __future__ import annotations

import json
from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
PHOTO = str(SAMPLES / "photos" / "build-full-1.jpg")


def test_a_picture_of_no_known_kind_is_refused(henge, tmp_path):
    result = henge("read", PHOTO, "--overlay", str(tmp_path / "checked.xyz"))
    assert result.code == 2 and len(result.err.splitlines()) == 1
    assert "checked.xyz" in result.err and ".png" in result.err
