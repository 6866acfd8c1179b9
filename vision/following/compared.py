"""Two pictures of one place, beside its print, as small networks compare them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.fields.places import MOST_BODIES
from vision.nets import answers

Floats = NDArray[np.float32]
# Each errs in other places than the other: of 14,400 pairs of pictures at six tables, on evenings from which
# neither learnt, they tell 2.6 and 1.7 % wrongly, their mean 1.3.
NETWORKS = ("change", "ratios")
# The place now (3), before (3), empty (3), and bodies (4).
COMPARED = 9 + MOST_BODIES


def compared(crops: Floats, before: Floats) -> Floats:
    """(N,) the log-odds that something else lies on N places than before, see `vision.training.comparing`.
    crops: (N, CHANNELS, S, S), see `vision.fields.crops.cut`; before: (N, 3, S, S), how each looked, evened
    out."""
    if not len(crops):
        return np.zeros(0, np.float32)
    pairs = np.concatenate([crops[:, :3], before, crops[:, 3:6], crops[:, 9:]], axis=1)
    # What they say of what lies there now is only asked while they learn.
    told = [answers(name, pairs, ("told",))[0][:, 0] for name in NETWORKS]
    return np.mean(told, axis=0)
