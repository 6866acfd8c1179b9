"""How much memory a process has used that reads a series: arm, other light and a knocked camera included."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from tests.vision.conftest import SERIES

# What `getrusage` tells of a new process is at least what its parent used.
STATUS = Path("/proc/self/status")
READ = """
import sys
from pathlib import Path
from engine.position import Position
from vision.pictures.images import load_image
from vision.training.pairs import opened_series
reader, pictures = opened_series(Path(sys.argv[1]), reference=sys.argv[2] == "beside")
before = Position.from_json(pictures[0].label)
for number, (path, label, corners) in enumerate(pictures):
    before = reader.read(load_image(path), before, corners).position
    if number == 0:
        before = Position.from_json(label)
        reader.learn(before)
print(Path("/proc/self/status").read_text().split("VmHWM:")[1].split()[0])
"""


@pytest.mark.skipif(not STATUS.exists(), reason="only Linux tells how much memory a process has used")
@pytest.mark.parametrize("how", ["beside", "alone"])
def test_a_series_takes_less_than_400_megabytes(how):
    run = [sys.executable, "-c", READ, str(SERIES / "flint"), how]
    said = subprocess.run(run, check=True, capture_output=True, text=True, timeout=300)
    assert int(said.stdout) * 1024 < 400e6
