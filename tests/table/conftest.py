"""A hall in an empty folder."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

import pytest

from table import Hall


class Clock:
    """Every look at it is a second later."""

    def __init__(self) -> None:
        self.now = datetime(2026, 3, 6, 19, 30, tzinfo=UTC)

    def __call__(self) -> datetime:
        self.now += timedelta(seconds=1)
        return self.now


@pytest.fixture
def hall(tmp_path) -> Iterator[Hall]:
    with Hall(tmp_path / "games", Clock()) as opened:
        yield opened


@pytest.fixture
def reopen(hall, tmp_path) -> Callable[[], Hall]:
    """Closes the hall and opens it again, as after a restart."""

    def again() -> Hall:
        hall.close()
        return Hall(tmp_path / "games", Clock())

    return again
