"""The set-up page in a real Chromium: from an empty profile to a read position, with a video file as the
browser's camera and with photographs as uploads; by mouse, by touch, by keyboard."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

from calibration.drawing import rasterise
from calibration.kit.paper import PAPERS
from calibration.kit.sheets import charuco_page
from calibration.lens import Lens
from calibration.shelf import Shelf
from engine.board import load_board
from sample_images.flat import FlatCamera, around
from table import Hall
from vision import Reader
from vision.images import load_image
from vision.locate import by_corners

PHOTOS = Path(__file__).parents[2] / "sample_images" / "photos"
EMPTY, PIECES, GAME = (PHOTOS / f"build-{name}.jpg" for name in ("empty-1", "full-6", "opening-2"))
WIDE, PHONE = {"width": 1280, "height": 800}, {"width": 390, "height": 844}


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("HENGE_FOLDER", str(tmp_path / "henge"))


def post(client: FlaskClient, path: str, picture: Path | bytes) -> Any:
    data = picture if isinstance(picture, bytes) else picture.read_bytes()
    return client.post(f"/setup/api/{path}", data=data, content_type="image/jpeg")


def begin(client: FlaskClient, board: str = "anthology", game: str | None = "build") -> None:
    assert client.post("/setup/api", json={"name": "Test", "board": board, "game": game}).status_code == 200


# ---- the steps, without a browser


def test_from_nothing_to_a_read_position(client: FlaskClient) -> None:
    assert client.get("/setup/api").get_json()["draft"] is None
    begin(client)
    board = post(client, "empty", EMPTY).get_json()
    assert "4 of 4 tags" in board["steps"]["board"]["text"]["en"] and len(board["outlines"]) == 149
    assert "give or take" in board["steps"]["lens"]["text"]["en"]
    assert client.get("/setup/api/empty.jpg").data.startswith(b"\xff\xd8")
    pieces = post(client, "pieces", PIECES).get_json()
    assert {"kind": "block", "colour": "red"}.items() <= next(
        each for each in pieces["shown"] if (each["kind"], each["colour"]) == ("block", "red")
    ).items()
    seen = post(client, "read", GAME).get_json()
    assert {"block", "figure"} <= {piece["kind"] for piece in seen["pieces"]}
    health = post(client, "health?rate=10", GAME).get_json()
    assert health["grade"] == "good" and [m["name"] for m in health["measures"]][-1] == "rate"
    assert client.post("/setup/api/save").get_json()["saved"] and Shelf().names() == ("Test",)
    assert Shelf().load("Test").colours["block"]["red"]


def test_a_lens_says_where_to_hold_the_sheet_next(client: FlaskClient) -> None:
    begin(client)
    camera = FlatCamera(Lens((640, 360), 420.0, (319.5, 179.5), (-0.2, 0.05, 0.0, 0.0, 0.0)), seed=1)
    page = rasterise(charuco_page(PAPERS["a4"], "").drawing, 4.0)
    hints = []
    for stand in around((210, 297), 5, 330, seed=2):
        picture = cv2.imencode(".jpg", camera.take(page, 4.0, stand))[1].tobytes()
        answer = post(client, "lens", picture)
        if answer.status_code == 200:
            hints.append(answer.get_json()["coverage"]["hint"]["en"])
    assert len(hints) >= 4 and "hold the sheet" in hints[0]
    told = client.get("/setup/api").get_json()["draft"]["steps"]["lens"]["text"]["en"]
    assert "reprojection error 0." in told
    assert "not seen in this picture" in post(client, "lens", EMPTY).get_json()["error"]


def test_another_edition_is_taught_by_pointing_at_some_fields(client: FlaskClient) -> None:
    begin(client)
    label = json.loads((PHOTOS / "build-empty-2.json").read_text(encoding="utf-8"))
    board = load_board("anthology")
    view = by_corners(np.array(label["corners_px"]), board, (1280, 720)).view
    names = (
        "ring-1",
        "ring-11",
        "ring-21",
        "slot-6",
        "pit-16-day",
        "trilith-1",
        "trilith-4",
        "bluestone-1",
        "altar",
    )
    fields = {name: list(view.project(np.array([board.fields[name].centre_mm]))[0]) for name in names}
    post(client, "empty", PHOTOS / "build-empty-2.jpg")
    body = {"layout": "anthology", "size_mm": [500, 500], "corners_px": label["corners_px"], "fields": fields}
    taught = client.post("/setup/api/teach", json=body).get_json()
    assert taught["tags"] == 0 and len(taught["outlines"]) == 149
    outline = np.array(taught["outlines"]["bluestone-12"]).mean(axis=0)
    wanted = view.project(np.array([board.fields["bluestone-12"].centre_mm]))[0]
    assert np.linalg.norm(outline - wanted) < 3
    moved = client.post("/setup/api/move", json={"field": "altar", "at_px": [640, 300]}).get_json()
    assert np.linalg.norm(np.array(moved["outlines"]["altar"]).mean(axis=0) - [640, 300]) < 4
    wrong = client.post("/setup/api/teach", json={**body, "fields": {"moat-1": [1, 2]}})
    assert wrong.status_code == 409 and "moat-1 is no field" in wrong.get_json()["error"]


def test_profiles_are_kept_carried_renamed_and_deleted(client: FlaskClient) -> None:
    begin(client)
    assert "nothing is known yet" in client.post("/setup/api/save").get_json()["error"]
    post(client, "empty", EMPTY)
    client.post("/setup/api/save")
    data = client.get("/setup/api/profiles/Test.zip").data
    assert client.post("/setup/api/profiles/Test/name", json={"name": "Küche"}).status_code == 200
    assert client.post("/setup/api/profiles", data=data).get_json() == {"name": "Test"}
    assert [each["name"] for each in client.get("/setup/api/profiles").get_json()] == ["Küche", "Test"]
    assert client.post("/setup/api/tables/t-1", json={"profile": "Küche"}).status_code == 200
    assert Shelf().of_table("t-1") == "Küche"
    assert client.delete("/setup/api/profiles/Test").status_code == 200
    assert client.delete("/setup/api/profiles/Test").status_code == 409


def test_what_cannot_be_is_refused_in_one_line(client: FlaskClient) -> None:
    for path in ("empty", "pieces", "lens", "health", "read"):
        answer = post(client, path, EMPTY)
        assert answer.status_code == 409 and "choose a board first" in answer.get_json()["error"]
    for body in ({"name": "x", "board": "chess"}, {"name": "", "board": "knizia"}, {"name": "x", "board": {}},
                 {"name": "x", "board": "knizia", "game": "build"}):  # fmt: skip
        assert client.post("/setup/api", json=body).status_code == 409
    assert client.post("/setup/api", json=[1]).status_code == 400
    begin(client)
    for path, body in (("corners", {"corners_px": [[1, 2]]}), ("corners", {}), ("teach", {"layout": "none"}),
                       ("move", {"field": "altar"})):  # fmt: skip
        assert client.post(f"/setup/api/{path}", json=body).status_code == 409
    assert post(client, "empty", b"no picture").status_code == 409
    assert client.get("/setup/api/empty.jpg").status_code == 404


def test_the_health_of_a_tables_last_picture(hall: Hall, client: FlaskClient) -> None:
    table = hall.create("stonehenge", ("black", "brown"))
    path = f"/setup/api/tables/{table.id}/health"
    assert client.get(path).status_code == 404
    picture = PHOTOS / "stonehenge-opening-1.jpg"
    observation = Reader("knizia", game="stonehenge").read(load_image(picture))
    table.see(observation, picture.read_bytes())
    health = client.get(path).get_json()
    assert health["grade"] in ("good", "fair") and health["measures"][0]["name"] == "board"


# ---- in the browser


@pytest.fixture
def open_setup(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """open_setup(size) is the set-up page, freshly opened; what the browser complains of fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def opened(size: dict[str, int], language: str = "en", at: Any = None) -> Any:
        context = (at or browser).new_context(viewport=size, locale=language, has_touch=size is PHONE)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(180_000)  # a picture is read meanwhile
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(address + "/setup")
        page.locator(".step h2").wait_for()
        return page

    yield opened
    for context in contexts:
        context.close()
    assert complaints == []


def key(page: Any, name: str) -> Any:
    return page.locator(f'[data-key="{name}"]')


def press(page: Any, name: str) -> None:
    """By touch where there is touch, else by mouse."""
    if page.evaluate("navigator.maxTouchPoints > 0"):
        key(page, name).tap()
    else:
        key(page, name).click()


def arrives(page: Any, what: str) -> Any:
    """Waits for a part of the page; a refusal in its stead is told."""
    page.locator(f'{what}, [role="alert"]').first.wait_for()
    assert page.locator('[role="alert"]').all_inner_texts() == []
    return page.locator(what).first


def fits_in(page: Any) -> bool:
    """Nothing is wider than the window."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= innerWidth"))


@pytest.mark.parametrize(("size", "language"), [(WIDE, "en"), (PHONE, "de")], ids=["wide", "phone"])
def test_the_whole_set_up_with_photographs(
    open_setup: Callable[..., Any], size: dict[str, int], language: str
) -> None:
    page = open_setup(size, language)
    key(page, "name").fill("Küche")
    key(page, "game").select_option("build")
    press(page, "begin")
    press(page, "next")
    press(page, "next")
    key(page, "file").set_input_files(str(EMPTY))
    arrives(page, '[data-step="board"]')
    assert page.locator(".frame polygon[data-field]").count() == 149
    assert fits_in(page)
    press(page, "fits")
    key(page, "file").set_input_files(str(PIECES))
    arrives(page, ".chip")
    press(page, "next")
    press(page, "save")
    arrives(page, '[data-step="saved"]')
    key(page, "file").set_input_files(str(GAME))
    arrives(page, '[data-step="read"] li')
    assert fits_in(page) and Shelf().names() == ("Küche",)
    assert Shelf().load("Küche").colours["block"]


def test_corners_are_set_by_mouse_and_by_keyboard(open_setup: Callable[..., Any]) -> None:
    page = open_setup(WIDE)
    key(page, "name").fill("Corners")
    key(page, "name").press("Enter")
    key(page, "step-board").wait_for()
    key(page, "step-board").press("Enter")
    key(page, "file").set_input_files(str(EMPTY))
    arrives(page, '[data-step="board"]')
    x, y = handle_at(page, "corner-0")
    key(page, "corner-0").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowUp")
    assert page.locator(".lens-glass").is_visible()
    assert handle_at(page, "corner-0") == pytest.approx((x - 3, y - 20), abs=1)
    page.keyboard.press("Enter")
    page.locator(".said", has_text="by its corners").wait_for()
    page.locator('[role="status"]').wait_for(state="detached")
    key(page, "corner-2").scroll_into_view_if_needed()
    box = key(page, "corner-2").bounding_box()
    before = handle_at(page, "corner-2")
    page.mouse.move(box["x"] + 22, box["y"] + 22)
    page.mouse.down()
    page.mouse.move(box["x"] + 42, box["y"] + 32, steps=4)
    page.mouse.up()
    page.locator('[role="status"]').wait_for(state="detached")
    after = handle_at(page, "corner-2")
    assert after[0] > before[0] + 18 and after[1] > before[1] + 8


def handle_at(page: Any, name: str) -> tuple[float, float]:
    label = key(page, name).get_attribute("aria-label")
    x, y = label.rpartition(":")[2].split(",")
    return float(x), float(y)


def test_a_video_file_as_the_browsers_camera(
    chromium: str, browser: Any, open_setup: Callable[..., Any], tmp_path: Path
) -> None:
    film = tmp_path / "table.mjpeg"
    film.write_bytes(EMPTY.read_bytes() * 3)
    flags = ("no-sandbox", "disable-gpu", "use-fake-ui-for-media-stream", "use-fake-device-for-media-stream",
             f"use-file-for-fake-video-capture={film}")  # fmt: skip
    other = browser.browser_type.launch(executable_path=chromium, args=[f"--{flag}" for flag in flags])
    try:
        page = open_setup(WIDE, at=other)
        key(page, "begin").click()
        key(page, "camera-on").click()
        page.locator("video").wait_for()
        arrives(page, '[data-step="health"]')
        assert "4 of 4" in page.locator(".health").inner_text()
        press(page, "step-board")
        press(page, "take")
        arrives(page, '[data-step="board"]')
        assert "4 of 4 tags" in page.locator('[data-step="board"]').inner_text()
        press(page, "step-done")
        press(page, "save")
        arrives(page, '[data-step="saved"]')
        press(page, "take")
        page.get_by_text("The board is empty.").wait_for()
    finally:
        other.close()


def test_another_edition_is_taught_in_the_browser_by_keyboard(open_setup: Callable[..., Any]) -> None:
    """Its corners and some of its fields are pointed at; the rest follows."""
    label = json.loads((PHOTOS / "stonehenge-empty-1.json").read_text(encoding="utf-8"))
    board = load_board("knizia")
    view = by_corners(np.array(label["corners_px"]), board, (1280, 720)).view
    page = open_setup(WIDE)
    key(page, "board").select_option("knizia")
    key(page, "edition").select_option("other")
    press(page, "begin")
    press(page, "step-board")
    key(page, "file").set_input_files(str(PHOTOS / "stonehenge-empty-1.jpg"))
    arrives(page, '[data-step="board"]')  # its tags are found; the fields are pointed at all the same
    for name in ("space-A", "space-J", "space-R"):
        key(page, "field").fill(name)
        press(page, "add-field")
        step_to(page, f"field-{name}", view.project(np.array([board.fields[name].centre_mm]))[0])
    key(page, "size").fill("360 x 360")
    key(page, "size").press("Tab")
    press(page, "teach")
    page.locator(".said", has_text="by its corners").wait_for()
    outline = page.locator('.frame polygon[data-field="space-L"]').get_attribute("points")
    middle = np.array([pair.split(",") for pair in outline.split()], float).mean(axis=0)
    wanted = view.project(np.array([board.fields["space-L"].centre_mm]))[0]
    assert np.linalg.norm(middle - wanted) < 4


def step_to(page: Any, name: str, place: Any) -> None:
    """With the arrow keys; Shift makes large steps."""
    key(page, name).focus()
    for axis, (less, more) in enumerate((("ArrowLeft", "ArrowRight"), ("ArrowUp", "ArrowDown"))):
        away = round(float(place[axis]) - handle_at(page, name)[axis])
        arrow = more if away > 0 else less
        for _ in range(abs(away) // 20):
            page.keyboard.press(f"Shift+{arrow}")
        for _ in range(abs(away) % 20):
            page.keyboard.press(arrow)
