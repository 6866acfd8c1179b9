"""The pictures of every view of the page in docs/pictures: python -m tests.webui.pictures [NAME ...]

Names are those of `VIEWS`, without any all are taken; `--language de`, `--theme dark` and `--out DIR` take
the same views another way, to look at. Recorded tables come with their photographs, read as always.
"""

from __future__ import annotations

import argparse
import io
import re
import tempfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from PIL import Image
from playwright.sync_api import sync_playwright

from engine import Observation, Piece
from engine.observation import Belief
from table import Hall, Table
from tests.conftest import find_chromium
from tests.webui.conftest import played
from tests.webui.seeing import stone, with_piece
from tests.webui.test_page import until
from webui import create_app
from webui.eyes import PhotoReader
from webui.rights import Doors
from webui.server import served

ROOT = Path(__file__).resolve().parents[2]
DEMO = ROOT / "sample_images" / "demo"
SIZES = {"": {"width": 1280, "height": 800}, "-phone": {"width": 390, "height": 844}}
ALSO_DARK = ("stonehenge", "build", "alarm")
PLAYERS = {
    "stonehenge": ("black", "brown"), "council": ("white", "red"), "build": ("red", "blue", "green"),
    "rolling": ("red", "blue"), "ramming": ("red", "blue", "green"), "roulette": ("red", "blue", "green"),
}  # fmt: skip
UNTIL_OVER = 3000


@dataclass
class Scenes:
    """Tables to look at; the same one is made once."""

    hall: Hall
    eyes: PhotoReader = field(default_factory=PhotoReader)
    made: dict[tuple[Any, ...], Table] = field(default_factory=dict)

    def by_chance(self, game: str, moves: int, seed: int = 1, name: str = "Sunday", **variants: Any) -> Table:
        """The table after so many random moves."""
        key = (game, moves, seed, name)
        if key not in self.made:
            self.made[key] = played(self.hall.create(game, PLAYERS[game], variants, name=name), moves, seed)
        return self.made[key]

    def recorded(self, game: str, moves: int, name: str = "Friday evening") -> Table:
        """The recorded game after so many moves, as the last photograph of them shows it."""
        key = (game, moves, name)
        if key not in self.made:
            self.made[key] = self._recorded(game, moves, name)[0]
        return self.made[key]

    def misread(self, moves: int, piece: Piece, times: int, doubt: Mapping[str, Belief]) -> Table:
        """The recorded game of Stonehenge, on which a piece too many is seen."""
        table, seen, jpeg = self._recorded("stonehenge", moves, "Solstice")
        after = with_piece(table.state.visible(), piece)
        for _ in range(times):
            table.see(replace(seen, position=after, fields={**seen.fields, **doubt}), jpeg)
        return table

    def _recorded(self, game: str, moves: int, name: str) -> tuple[Table, Observation, bytes]:
        lines = (DEMO / game / "game.henge").read_text(encoding="utf-8").splitlines()
        is_move = [bool(re.match(r"\d+\. ", line)) for line in lines]
        head = [line for line, move in zip(lines, is_move, strict=True) if not move and "result" not in line]
        kept = [line for line, move in zip(lines, is_move, strict=True) if move][:moves]
        table = self.hall.import_log("\n".join([*head, *kept]) + "\n", name=name)
        table.take_out()
        photo = re.findall(r"photo=(\d+\.jpg)", "\n".join(kept))[-1]
        jpeg = (DEMO / game / photo).read_bytes()
        seen = self.eyes(table, jpeg)
        table.see(seen, jpeg)
        return table, seen, jpeg


def of(table: Table, rest: str = "") -> str:
    return f"/table/{table.id}{rest}"


def alarm(scenes: Scenes) -> str:
    stray = Piece("druid", "brown", field="space-Q", value=5)
    return of(scenes.misread(13, stray, 4, {"space-Q": {stone("brown", 5): 1.0}}))


def question(scenes: Scenes) -> str:
    new = Piece("druid", "brown", field="space-A", value=3)
    doubt = {"space-A": {stone("brown", 3): 0.53, stone("brown", 2): 0.47}}
    return of(scenes.misread(14, new, 6, doubt))


def furnished(scenes: Scenes) -> str:
    """The hall with tables on it and games on the shelf."""
    if not scenes.hall.tables():
        for game, name in {"build": "Friday evening", "council": "Anna", "roulette": ""}.items():
            scenes.by_chance(game, 40, name=name)
        scenes.recorded("stonehenge", 14, "Solstice")
        for seed in (1, 2, 3):
            scenes.by_chance("stonehenge", UNTIL_OVER, seed, "Solstice")
        scenes.by_chance("rolling", UNTIL_OVER, 1, "Holiday")
    return "/"


def dealt(scenes: Scenes) -> str:
    """The page of the hand of whoever is to move."""
    key = ("dealt",)
    if key not in scenes.made:
        scenes.made[key] = scenes.hall.create("build", PLAYERS["build"], {"half_seen": False}, name="Sunday")
    table = scenes.made[key]
    return of(table, f"/hand/{table.state.to_move}")


# --- what is done on the page before the picture is taken ---------------------------------------------


def tap(place: str) -> Callable[[Any], None]:
    def go(page: Any) -> None:
        box = page.locator(f'.target[data-field="{place}"]').bounding_box()
        page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)

    return go


def click(*keys: str) -> Callable[[Any], None]:
    def go(page: Any) -> None:
        for key in keys:
            page.locator(f'[data-key="{key}"]').first.click()

    return go


def press(*keys: str) -> Callable[[Any], None]:
    def go(page: Any) -> None:
        for key in keys:
            page.keyboard.press(key)
            page.wait_for_timeout(200)

    return go


def half_faded(page: Any) -> None:
    page.locator(".fade").fill("0.5")


def sheet_up(page: Any) -> None:
    if page.locator(".handle").is_visible():
        page.locator(".handle").click()


def take_seat(page: Any) -> None:
    page.locator('[data-key="pin"]').fill("2468")
    page.locator('[data-key="take"]').click()
    page.locator('[data-key="cover"]').wait_for()


View = tuple[Callable[[Scenes], str], Callable[[Any], None] | None]
VIEWS: dict[str, View] = {
    "empty": (lambda _: "/", None),
    "hall": (furnished, None),
    "shelf": (lambda scenes: furnished(scenes) + "shelf", None),
    "new": (lambda _: "/new", click("game-build")),
    "phones": (lambda _: "/phones", None),
    "pair": (lambda _: "/pair", None),
    "setup": (lambda _: "/setup", None),
    "stonehenge": (lambda scenes: of(scenes.recorded("stonehenge", 14, "Solstice")), None),
    "build": (lambda scenes: of(scenes.recorded("build", 211)), None),
    "rolling": (lambda scenes: of(scenes.recorded("rolling", 14)), None),
    "ramming": (lambda scenes: of(scenes.recorded("ramming", 141)), None),
    "council": (lambda scenes: of(scenes.by_chance("council", 96, 0)), None),
    "roulette": (lambda scenes: of(scenes.recorded("roulette", 81)), None),
    "alarm": (alarm, None),
    "correct": (alarm, tap("space-Q")),
    "question": (question, None),
    "fade": (lambda scenes: of(scenes.recorded("stonehenge", 14, "Solstice")), half_faded),
    "photo": (lambda scenes: of(scenes.recorded("build", 211)), press("c")),
    "replay": (lambda scenes: of(scenes.recorded("stonehenge", 14, "Solstice"), "?at=6"), None),
    "story": (lambda scenes: of(scenes.recorded("build", 211)), click("tab-story")),
    "text": (lambda scenes: of(scenes.recorded("stonehenge", 14, "Solstice")), click("tab-table")),
    "sheet": (lambda scenes: of(scenes.recorded("build", 211)), sheet_up),
    "scores": (lambda scenes: of(scenes.recorded("build", 211)), click("summary-red")),
    "field": (lambda scenes: of(scenes.recorded("stonehenge", 14, "Solstice")), tap("space-A")),
    "menu": (lambda scenes: of(scenes.recorded("stonehenge", 14, "Solstice")), click("menu-summary")),
    "help": (lambda scenes: of(scenes.recorded("stonehenge", 14, "Solstice")), press("?")),
    "large": (lambda scenes: of(scenes.recorded("stonehenge", 14, "Solstice")), press("l")),
    "whose-hand": (lambda scenes: dealt(scenes).rpartition("/")[0], None),
    "pin": (dealt, None),
    "hand": (dealt, take_seat),
}


def played_out(game: str, seed: int) -> Callable[[Scenes], str]:
    """A game to its end."""
    name = "Solstice" if game == "stonehenge" else "Sunday"
    limit = {"turn_limit": 20} if game == "ramming" else {}
    return lambda scenes: of(scenes.by_chance(game, UNTIL_OVER, seed, name, **limit))


SEEDS = {"stonehenge": 1, "council": 0, "build": 3, "rolling": 1, "ramming": 3, "roulette": 3}
VIEWS |= {f"over-{game}": (played_out(game, seed), None) for game, seed in SEEDS.items()}


# --- taking them --------------------------------------------------------------------------------------


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("names", nargs="*", choices=[*VIEWS, []], metavar="NAME")
    parser.add_argument("--out", type=Path, default=ROOT / "docs" / "pictures")
    parser.add_argument("--language", choices=("en", "de"), default="en")
    parser.add_argument("--theme", choices=("light", "dark"), help="instead of light, and dark for a few")
    parser.add_argument("--size", choices=("wide", "phone"), help="instead of both")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    with (
        tempfile.TemporaryDirectory() as folder,
        Hall(folder) as hall,
        served(create_app(hall, eyes=PhotoReader(), doors=Doors(lan=True))) as address,
        chromium() as browser,
    ):
        scenes = Scenes(hall)
        for name in args.names or VIEWS:
            make, then = VIEWS[name]
            path = make(scenes)
            for ending, size in SIZES.items():
                if args.size and (args.size == "phone") != bool(ending):
                    continue
                usual = ("light", "dark") if name in ALSO_DARK else ("light",)
                for theme in (args.theme,) if args.theme else usual:
                    picture = picture_of(browser, address + path, size, args.language, theme, then)
                    dark = "-dark" if theme == "dark" and not args.theme else ""
                    target = args.out / f"page-{name}{ending}{dark}.png"
                    smaller(picture).save(target, optimize=True)
                    print(target, flush=True)


@contextmanager
def chromium() -> Iterator[Any]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        yield browser
        browser.close()


def picture_of(
    browser: Any,
    address: str,
    size: Any,
    language: str,
    theme: str,
    then: Callable[[Any], None] | None,
) -> bytes:
    context = browser.new_context(
        viewport=size,
        locale=language,
        color_scheme=theme,
        has_touch=size["width"] < 500,
        reduced_motion="reduce",
    )
    page = context.new_page()
    page.set_default_timeout(60_000)
    page.goto(address)
    page.locator("main h1, .page-part").first.wait_for()
    if "/table/" in address:
        until(lambda: page.evaluate("Boolean(window.henge) && (henge.ready || !henge.event)"))
    page.wait_for_timeout(1500)  # the picture's tile and how well the camera sees come a moment later
    if then is not None:
        then(page)
        page.wait_for_timeout(600)
    picture: bytes = page.screenshot()
    context.close()
    return picture


def smaller(picture: bytes) -> Image.Image:
    """With a palette: a third of the bytes, and nothing that is seen."""
    image = Image.open(io.BytesIO(picture)).convert("RGB")
    return image.quantize(256, method=Image.Quantize.MEDIANCUT, dither=Image.Dither.NONE)


if __name__ == "__main__":
    main()
