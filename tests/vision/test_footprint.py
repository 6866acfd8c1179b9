"""How much memory a process has used that reads a series: arm, other light and a knocked camera included."""

from __future__ import annotations

import subprocess
import sys

import pytest

from tests.vision.conftest import SERIES

resource = pytest.importorskip("resource", reason="only Unix tells how much memory a process has used")
READ = """
import resource, sys
from pathlib import Path
from engine.position import Position
from vision.images import load_image
from vision.training.pairs import opened_series
reader, pictures = opened_series(Path(sys.argv[1]), reference=sys.argv[2] == "beside")
before = Position.from_json(pictures[0].label)
for number, (path, label, corners) in enumerate(pictures):
    before = reader.read(load_image(path), before, corners).position
    if number == 0:
        before = Position.from_json(label)
        reader.learn(before)
print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)
"""
# macOS tells bytes, Linux 1024 of them.
UNIT = 1 if sys.platform == "darwin" else 1024


@pytest.mark.parametrize("how", ["beside", "alone"])
def test_a_series_takes_less_than_400_megabytes(how):
    run = [sys.executable, "-c", READ, str(SERIES / "flint"), how]
    said = subprocess.run(run, check=True, capture_output=True, text=True, timeout=300)
    assert int(said.stdout) * UNIT < 400e6
