"""Shared by all tests: `--slow`, and the Chromium for page tests."""

from __future__ import annotations

import os
import shutil
from pathlib import Path

import pytest
from hypothesis import settings

# A busy machine is slow now and then: time is measured by `henge bench`, not by tests.
settings.register_profile("henge", deadline=None)
settings.load_profile("henge")

ROOT = Path(__file__).resolve().parent.parent
CHROMIUM_NAMES = ("chromium", "chromium-browser", "google-chrome-stable", "google-chrome")
CHROMIUM_ON_MACOS = (
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
)


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--slow", action="store_true", help="run the tests marked slow as well")


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    if config.getoption("--slow"):
        return
    for item in items:
        if item.get_closest_marker("slow"):
            item.add_marker(pytest.mark.skip(reason="slow: run with --slow"))


def find_chromium() -> str | None:
    """The path of a Chromium or Chrome: $HENGE_CHROMIUM, on the PATH, or among the macOS applications."""
    if named := os.environ.get("HENGE_CHROMIUM"):
        return named
    on_path = next(filter(None, map(shutil.which, CHROMIUM_NAMES)), None)
    return on_path or next((path for path in CHROMIUM_ON_MACOS if Path(path).exists()), None)


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of a Chromium. Without one the test is skipped, or fails where HENGE_REQUIRE_CHROMIUM=1."""
    path = find_chromium()
    if path is None and os.environ.get("HENGE_REQUIRE_CHROMIUM") == "1":
        pytest.fail("no Chromium on this machine, and HENGE_REQUIRE_CHROMIUM=1 asks for one")
    if path is None:
        pytest.skip("no Chromium on this machine: install the package chromium to run the page tests")
    return path
