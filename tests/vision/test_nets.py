"""Networks are asked by many threads at once: every table, and every phone that sends a picture, has one."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from vision.fields.crops import CROP_PX
from vision.fields.places import MOST_BODIES
from vision.nets import BATCH, answers
from vision.stacked.heaps import CHANNELS as OF_HEAPS

THREADS = 4
OUTPUTS = ("kind", "seen")


def _crops(seed: int) -> np.ndarray:
    """As many places as each thread asks about: other numbers, so that answers mixed up do not even fit."""
    rng = np.random.default_rng(seed)
    return rng.random((BATCH + 3 * seed, 9 + MOST_BODIES, CROP_PX, CROP_PX), np.float32)


def test_threads_that_ask_at_the_same_time_get_the_answers_to_their_own_questions() -> None:
    """With one network for all of them the process died of this."""
    asked = [_crops(seed) for seed in range(THREADS)]
    alone = [answers("place", crops, OUTPUTS) for crops in asked]
    with ThreadPoolExecutor(THREADS) as threads:
        every = [threads.submit(answers, "place", asked[n % THREADS], OUTPUTS) for n in range(6 * THREADS)]
        for number, got in enumerate(every):
            for output, known in zip(got.result(), alone[number % THREADS], strict=True):
                np.testing.assert_allclose(output, known, rtol=1e-4, atol=1e-4)


def test_answers_do_not_depend_on_who_else_is_in_the_batch() -> None:
    crops = _crops(2)
    whole = answers("place", crops, OUTPUTS)
    for number in (0, BATCH - 1, BATCH, len(crops) - 1):
        for output, known in zip(answers("place", crops[number : number + 1], OUTPUTS), whole, strict=True):
            np.testing.assert_allclose(output[0], known[number], rtol=1e-3, atol=1e-3)


def test_a_network_with_one_answer_needs_no_name_for_it() -> None:
    crops = np.zeros((3, OF_HEAPS, CROP_PX, CROP_PX), np.float32)
    (told,) = answers("heap", crops)
    assert len(told) == 3 and np.isfinite(told).all()
