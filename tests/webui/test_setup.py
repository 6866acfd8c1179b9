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
from flask import Flask
from flask.testing import FlaskClient
from playwright.sync_api import expect

from calibration.drawing import rasterise
from calibration.kit.paper import PAPERS
from calibration.kit.sheets import charuco_page
from calibration.lens import Lens
from calibration.profile import Profile
from calibration.qr import read_qr
from calibration.shelf import Shelf
from engine.board import board_from_json, load_board
from sample_images.flat import FlatCamera, around
from tests.webui.test_page import script
from vision.finding.locate import by_corners
from webui.setup import steps

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
    for path, body in (("corners", {"corners_px": [[1, 2]]}), ("corners", {}),
                       ("corners", {"corners_px": [[10**400, 1]] * 4}), ("teach", {"layout": "none"}),
                       ("move", {"field": "altar"})):  # fmt: skip
        assert client.post(f"/setup/api/{path}", json=body).status_code == 409
    assert post(client, "empty", b"no picture").status_code == 409
    assert client.get("/setup/api/empty.jpg").status_code == 404


def test_a_home_made_board_is_drawn(client: FlaskClient) -> None:
    blank = {"id": "my-board", "size_mm": [400, 400], "fields": [], "pieces": {}}
    assert client.post("/setup/api", json={"name": "Own", "board": blank}).status_code == 200
    post(client, "empty", EMPTY)
    corners = json.loads((PHOTOS / "build-empty-1.json").read_text(encoding="utf-8"))["corners_px"]
    shapes = [
        {"id": "pond-1", "at_px": [640, 360], "radius_mm": 20},
        {"id": "hut", "points_px": [[500, 300], [560, 300], [560, 350], [500, 350]]},
    ]
    body = {"size_mm": [500, 500], "corners_px": corners, "shapes": shapes, "pieces_of": "knizia",
            "pieces": ["druid"]}  # fmt: skip
    drawn = client.post("/setup/api/draw", json=body).get_json()
    assert set(drawn["outlines"]) == {"pond-1", "hut"} and set(drawn["pieces"]) == {"druid"}
    assert np.abs(np.mean(drawn["outlines"]["pond-1"], axis=0) - [640, 360]).max() < 3
    board = board_from_json(json.loads(client.get("/setup/api/board.json").data))
    assert board.fields["pond-1"].kind == "pond" and board.pieces["druid"].on == ("pond", "field")
    for wrong, text in (
        ({"shapes": []}, "draw 1 to"),
        ({"shapes": [{"id": "a"}]}, "expected 1 point"),
        ({"shapes": [{"id": "a", "at_px": [1, 1]}]}, "radius of a"),
        ({"shapes": [{"id": "a", "points_px": [[1, 1], [2, 2]]}]}, "expected 3 points"),
        ({"shapes": [shapes[0], shapes[0]]}, "pond-1"),
        ({"shapes": [{"at_px": [1, 1]}]}, "needs a name"),
        ({"pieces_of": "chess"}, "expected one of"),
        ({"size_mm": [1, 1]}, "between 10 and 5000"),
    ):
        answer = client.post("/setup/api/draw", json={**body, **wrong})
        assert answer.status_code == 409 and text in answer.get_json()["error"]


def test_a_person_says_what_a_piece_is(client: FlaskClient) -> None:
    begin(client)
    post(client, "empty", EMPTY)
    shown = post(client, "pieces", PIECES).get_json()["shown"]
    assert client.get("/setup/api/pieces.jpg").data.startswith(b"\xff\xd8")
    number = next(n for n, each in enumerate(shown) if each["kind"] == "disc")
    said = {"number": number, "kind": "block", "colour": "yellow"}
    after = client.post("/setup/api/pieces/say", json=said).get_json()
    assert (after["shown"][number]["kind"], after["shown"][number]["colour"]) == ("block", "yellow")
    assert "yellow" in after["steps"]["pieces"]["text"]["en"].partition(";")[0]
    fewer = client.post("/setup/api/pieces/say", json={"number": number, "kind": None}).get_json()
    assert len(fewer["shown"]) == len(shown) - 1
    for wrong in ({"number": 999, "kind": None}, {"number": 0, "kind": "block", "colour": "pink"}, {}):
        assert client.post("/setup/api/pieces/say", json=wrong).status_code == 409


def test_a_cameras_picture_of_the_moment_is_for_every_device(client: FlaskClient) -> None:
    begin(client)
    assert client.get("/setup/api/live.jpg").status_code == 404
    assert "no camera sends pictures" in client.post("/setup/api/empty?from=live").get_json()["error"]
    now = post(client, "live?device=phone&rate=12", EMPTY).get_json()
    assert len(now["outlines"]) == 149 and now["size_px"] == [1280, 720]
    assert now["health"]["measures"][0]["value"] == 1
    assert client.get("/setup/api").get_json()["live"] == "phone"
    assert client.get("/setup/api/live.jpg").data == EMPTY.read_bytes()
    board = client.post("/setup/api/empty?from=live").get_json()
    assert "4 of 4 tags" in board["steps"]["board"]["text"]["en"]


def test_a_phone_comes_by_a_code(client: FlaskClient, app: Flask) -> None:
    told = client.get("/setup/api/phone").get_json()
    assert "/setup?code=" in told["address"] and not told["lan"]
    drawing = client.get("/setup/api/phone.svg").data
    assert b"<svg" in drawing
    elsewhere = app.test_client()
    away = {"REMOTE_ADDR": "192.168.1.7"}
    # The page itself, and nothing of the set-up.
    assert elsewhere.get("/setup", environ_base=away).status_code == 200
    assert elsewhere.get("/setup/api", environ_base=away).status_code == 401
    assert elsewhere.get("/setup/api/phone.svg", environ_base=away).status_code in (401, 403)
    code = told["address"].partition("code=")[2]
    assert elsewhere.post("/api/pairing", json={"code": code}, environ_base=away).status_code == 200
    assert elsewhere.get("/setup/api", environ_base=away).status_code == 200


def test_a_phone_replaces_no_profile_that_is_kept(client: FlaskClient, app: Flask) -> None:
    def taught() -> None:
        begin(client)
        post(client, "empty", EMPTY)

    doors = app.extensions["doors"]
    phone, away = app.test_client(), {"REMOTE_ADDR": "192.168.1.7"}
    phone.post("/api/pairing", json={"code": doors.codes["play"]}, environ_base=away)
    taught()
    for _ in range(2):  # its own once more is no other one
        assert phone.post("/setup/api/save", environ_base=away).status_code == 200
    kept = Shelf().load("Test").made
    taught()
    assert phone.post("/setup/api/save", environ_base=away).status_code == 403
    assert Shelf().load("Test").made == kept
    assert client.post("/setup/api/save").status_code == 200


# ---- in the browser


@pytest.fixture
def open_setup(browser: Any, address: str) -> Iterator[Callable[..., Any]]:
    """open_setup(size) is the set-up page, freshly opened; what the browser complains of fails the test."""
    contexts: list[Any] = []
    complaints: list[str] = []

    def opened(size: dict[str, int], language: str = "en", at: Any = None, code: str = "") -> Any:
        context = (at or browser).new_context(viewport=size, locale=language, has_touch=size is PHONE)
        contexts.append(context)
        page = context.new_page()
        page.set_default_timeout(60_000)  # a picture is read meanwhile
        page.on("pageerror", lambda error: complaints.append(str(error)))
        # From the start: told just before a key is pressed, a busy browser may hear of the key first.
        page.on("filechooser", lambda _: None)
        page.goto(f"{address}/setup{code}")
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
    expect(page.locator(".frame polygon[data-field]")).to_have_count(149)
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


def tab_to(page: Any, name: str) -> None:
    """Steps with the Tab key alone to what has this key."""
    for _ in range(120):
        if page.evaluate("document.activeElement?.dataset?.key") == name:
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"the keyboard does not reach {name}")


def choose_file(page: Any, path: Path) -> None:
    """The key opens the browser's own dialogue; a browser that plays a phone shows none."""
    tab_to(page, "file")
    if page.viewport_size == PHONE:
        page.locator(":focus").set_input_files(str(path))
        return
    with page.expect_file_chooser() as chooser:
        page.keyboard.press("Space")
    chooser.value.set_files(str(path))


def settled(page: Any) -> None:
    page.locator('[role="status"]').wait_for(state="detached")
    assert page.locator('[role="alert"]').all_inner_texts() == []


def step_of(page: Any) -> str:
    """The step that the set-up is at."""
    return str(page.locator('[aria-current="step"]').text_content())


def go_on_with(page: Any, name: str) -> None:
    """By the keyboard to the next step; what has the same key there and here is not mixed up."""
    before = step_of(page)
    tab_to(page, name)
    page.keyboard.press("Enter")
    page.wait_for_function(f"document.querySelector('[aria-current=step]')?.textContent !== {before!r}")
    settled(page)


@pytest.mark.parametrize("size", [WIDE, PHONE], ids=["wide", "phone"])
def test_the_whole_set_up_by_keyboard_alone(open_setup: Callable[..., Any], size: dict[str, int]) -> None:
    page = open_setup(size)
    tab_to(page, "name")
    page.keyboard.press("Control+A")
    page.keyboard.type("Keys")
    tab_to(page, "game")
    page.keyboard.type("build")
    tab_to(page, "begin")
    page.keyboard.press("Enter")
    for _ in range(2):
        page.locator('[data-key="next"]').wait_for()
        settled(page)
        go_on_with(page, "next")
    choose_file(page, EMPTY)
    arrives(page, '[data-step="board"]')
    settled(page)
    # One field is stepped aside with the arrow keys, and back.
    middle = outline_of(page, "altar")
    tab_to(page, "nudge")
    page.keyboard.press("a")  # the only field that begins so
    key(page, "moving").wait_for()
    tab_to(page, "moving")
    page.keyboard.press("Shift+ArrowRight")
    page.keyboard.press("Enter")
    settled(page)
    assert outline_of(page, "altar")[0] == pytest.approx(middle[0] + 20, abs=3)
    tab_to(page, "moving")
    page.keyboard.press("Shift+ArrowLeft")
    page.keyboard.press("Enter")
    settled(page)
    go_on_with(page, "fits")
    choose_file(page, PIECES)
    arrives(page, ".chip")
    settled(page)
    tab_to(page, "next")
    page.keyboard.press("Enter")
    tab_to(page, "save")
    page.keyboard.press("Enter")
    arrives(page, '[data-step="saved"]')
    settled(page)
    choose_file(page, GAME)
    arrives(page, '[data-step="read"] li')
    assert Shelf().names() == ("Keys",)


def outline_of(page: Any, field: str) -> np.ndarray:
    text = page.locator(f'.frame polygon[data-field="{field}"]').get_attribute("points")
    return np.array([pair.split(",") for pair in text.split()], float).mean(axis=0)


def test_corners_are_set_by_mouse_and_by_keyboard(open_setup: Callable[..., Any]) -> None:
    page = open_setup(WIDE)
    key(page, "name").fill("Corners")
    key(page, "name").press("Enter")
    expect(key(page, "step-board")).to_be_enabled()  # it is there before the set-up has begun
    key(page, "step-board").press("Enter")
    key(page, "file").set_input_files(str(EMPTY))
    arrives(page, '[data-step="board"]')
    x, y = handle_at(page, "corner-0")
    key(page, "corner-0").focus()
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    page.keyboard.press("Shift+ArrowUp")
    expect(page.locator(".lens-glass")).to_be_visible()
    assert handle_at(page, "corner-0") == pytest.approx((x - 3, y - 20), abs=1)
    page.keyboard.press("Enter")
    page.locator(".said", has_text="by its corners").wait_for()
    settled(page)
    key(page, "corner-2").scroll_into_view_if_needed()
    box = key(page, "corner-2").bounding_box()
    before = handle_at(page, "corner-2")
    page.mouse.move(box["x"] + 22, box["y"] + 22)
    page.mouse.down()
    page.mouse.move(box["x"] + 42, box["y"] + 32, steps=4)
    page.mouse.up()
    settled(page)
    after = handle_at(page, "corner-2")
    assert after[0] > before[0] + 18 and after[1] > before[1] + 8


def shows_its_board(page: Any) -> None:
    """On a phone a set-up is begun, and a photograph of the empty board given."""
    key(page, "begin").tap()
    key(page, "camera-on").wait_for()
    press(page, "step-board")
    key(page, "file").set_input_files(str(EMPTY))
    arrives(page, '[data-step="board"]')
    settled(page)


def test_a_corner_is_dragged_by_a_finger(open_setup: Callable[..., Any]) -> None:
    page = open_setup(PHONE)
    shows_its_board(page)
    key(page, "corner-1").scroll_into_view_if_needed()
    before, box = handle_at(page, "corner-1"), key(page, "corner-1").bounding_box()
    x, y = box["x"] + 30, box["y"] + 15  # a finger that is a little off the point
    finger = page.context.new_cdp_session(page)

    def touch(kind: str, *at: tuple[float, float]) -> None:
        places = [{"x": a, "y": b} for a, b in at]
        finger.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": places})

    touch("touchStart", (x, y))
    for step in range(1, 6):
        touch("touchMove", (x - 2 * step, y + step))
    expect(page.locator(".lens-glass")).to_be_visible()
    touch("touchEnd")
    page.locator(".said", has_text="by its corners").wait_for()
    settled(page)
    scale = 1280 / page.locator(".frame").bounding_box()["width"]
    after = handle_at(page, "corner-1")
    assert after == pytest.approx((before[0] - 10 * scale, before[1] + 5 * scale), abs=scale)


def test_corners_at_the_pictures_edge_are_whole_on_a_phone(open_setup: Callable[..., Any]) -> None:
    """Handle and name, wherever a corner lies; then the words of the pieces."""
    page = open_setup(PHONE, "de")
    shows_its_board(page)
    for number, away in enumerate(("Left Up", "Right Up", "Right Down", "Left Down")):
        key(page, f"corner-{number}").focus()
        for arrow in away.split():
            for _ in range(1280 // 20):
                page.keyboard.press(f"Shift+Arrow{arrow}")
    page.evaluate("document.activeElement.blur()")
    assert all(page.evaluate(script("whole_handle"), f"corner-{number}") for number in range(4))
    assert fits_in(page)
    press(page, "step-pieces")
    key(page, "file").set_input_files(str(PIECES))
    arrives(page, ".chip")
    select = page.locator(".chip select").first
    select.evaluate("each => each.add(new Option('schwarz Druidenstein', '', true, true), 0)")
    width = "each => each.offsetWidth"
    shown = select.evaluate(width)
    select.evaluate("each => { each.style.maxWidth = 'none'; }")
    assert select.evaluate(width) == shown  # all of its words
    assert fits_in(page)


def handle_at(page: Any, name: str) -> tuple[float, float]:
    label = key(page, name).get_attribute("aria-label")
    x, y = label.rpartition(":")[2].split(",")
    return float(x), float(y)


@pytest.fixture
def filmed(chromium: str, browser: Any, tmp_path: Path) -> Iterator[Callable[[Path], Any]]:
    """filmed(photo) is a browser whose camera sees that photograph."""
    opened: list[Any] = []

    def launch(photo: Path) -> Any:
        film = tmp_path / f"{photo.stem}.mjpeg"
        film.write_bytes(photo.read_bytes() * 3)
        flags = ("no-sandbox", "disable-gpu", "use-fake-ui-for-media-stream",
                 "use-fake-device-for-media-stream", f"use-file-for-fake-video-capture={film}")  # fmt: skip
        opened.append(
            browser.browser_type.launch(executable_path=chromium, args=[f"--{flag}" for flag in flags])
        )
        return opened[-1]

    yield launch
    for each in opened:
        each.close()


@pytest.mark.parametrize("size", [pytest.param(WIDE, marks=pytest.mark.slow), PHONE], ids=["wide", "phone"])
def test_the_whole_set_up_with_a_video_file_as_the_browsers_camera(
    open_setup: Callable[..., Any], filmed: Callable[[Path], Any], size: dict[str, int]
) -> None:
    page = open_setup(size, at=filmed(EMPTY))
    key(page, "game").select_option("build")
    press(page, "begin")
    key(page, "camera-on").wait_for()
    press(page, "camera-on")
    page.locator("video").wait_for()
    arrives(page, '[data-step="health"]')
    expect(page.locator(".health")).to_contain_text("4 of 4")
    # The fields' outlines lie over the live picture.
    expect(page.locator(".live-frame polygon")).to_have_count(149)
    assert fits_in(page)
    press(page, "step-board")
    press(page, "take")
    arrives(page, '[data-step="board"]')
    expect(page.locator('[data-step="board"]')).to_contain_text("4 of 4 tags")
    settled(page)
    page.context.close()
    # The pieces are laid out: the camera sees them now.
    page = open_setup(size, at=filmed(PIECES))
    press(page, "step-camera")
    press(page, "camera-on")
    page.locator("video").wait_for()
    press(page, "step-pieces")
    press(page, "take")
    arrives(page, ".chip")
    settled(page)
    press(page, "step-done")
    press(page, "save")
    arrives(page, '[data-step="saved"]')
    settled(page)
    press(page, "take")
    arrives(page, '[data-step="read"] li')
    expect(page.locator('[data-step="read"] li').nth(10)).to_be_visible()
    assert fits_in(page)
    assert Shelf().load("My table").colours["block"]


def test_another_devices_camera_is_seen_and_used(
    open_setup: Callable[..., Any], filmed: Callable[[Path], Any], app: Flask
) -> None:
    """As with a phone on a tripod that scanned the code and whose browser may stream: the large screen shows
    and takes its picture."""
    screen = open_setup(WIDE)
    press(screen, "begin")
    key(screen, "camera-on").wait_for()
    phone = open_setup(PHONE, at=filmed(EMPTY), code=f"?code={app.extensions['doors'].codes['play']}")
    assert phone.url.endswith("/setup")
    expect(key(phone, "step-board")).to_have_attribute("aria-current", "step")
    press(phone, "step-camera")
    press(phone, "camera-on")
    screen.locator('[data-step="other"]').wait_for()
    screen.locator(".live-frame img").wait_for()
    press(screen, "step-board")
    press(screen, "take")
    arrives(screen, '[data-step="board"]')
    expect(screen.locator('[data-step="board"]')).to_contain_text("4 of 4 tags")


def test_the_code_for_a_phone_is_read_from_the_screen(client: FlaskClient, browser: Any) -> None:
    page = browser.new_page()
    page.set_content(client.get("/setup/api/phone.svg").get_data(as_text=True))
    seen = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    page.close()
    assert read_qr(seen) == (client.get("/setup/api/phone").get_json()["address"],)


def test_a_home_made_board_is_drawn_in_the_browser(open_setup: Callable[..., Any]) -> None:
    page = open_setup(WIDE)
    key(page, "edition").select_option("home")
    press(page, "begin")
    key(page, "camera-on").wait_for()
    press(page, "step-board")
    key(page, "file").set_input_files(str(EMPTY))
    key(page, "add-circle").wait_for()
    settled(page)
    key(page, "size").fill("500 x 500")
    key(page, "size").press("Tab")
    press(page, "add-circle")
    page.locator('.frame polygon[data-field="field-1"]').wait_for()
    settled(page)
    key(page, "shape-field-1").focus()
    page.keyboard.press("Shift+ArrowDown")
    page.keyboard.press("Enter")
    settled(page)
    assert outline_of(page, "field-1")[1] > 370
    press(page, "add-polygon")
    page.locator('.frame polygon[data-field="area-1"]').wait_for()
    settled(page)
    press(page, "more-1")
    key(page, "shape-area-1-4").wait_for()
    settled(page)
    key(page, "name-0").fill("pond-1")
    key(page, "name-0").press("Tab")
    page.locator('.frame polygon[data-field="pond-1"]').wait_for()
    settled(page)
    press(page, "kind-block")
    settled(page)
    press(page, "fits")
    press(page, "step-done")
    press(page, "save")
    arrives(page, '[data-step="saved"]')
    board = Shelf().load("My table").board
    assert set(board.fields) == {"pond-1", "area-1"} and len(board.fields["area-1"].polygon_mm or ()) == 5
    assert "block" not in board.pieces and board.pieces["disc"].on == ("pond", "area")


@pytest.fixture
def named_boards(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Boards whose files bear a name in both languages, in one, in German alone, and none."""
    folder = tmp_path / "boards"
    folder.mkdir()
    data = {key: value for key, value in load_board("knizia").to_json().items() if key != "name"}
    names: dict[str, Any] = {"a": {"en": "Hill", "de": "Hügel"}, "b": "Henge 3", "c": {"de": "Tal"}}
    for board in "abcd":
        named = data | {"id": board} | ({"name": names[board]} if board in names else {})
        (folder / f"{board}.json").write_text(json.dumps(named), encoding="utf-8")
    monkeypatch.setattr("engine.board.BOARDS_FOLDER", folder)
    steps._choices.cache_clear()
    yield
    steps._choices.cache_clear()


@pytest.mark.parametrize(
    ("language", "names"),
    [("en", ["Hill", "Henge 3", "Tal", "d"]), ("de", ["Hügel", "Henge 3", "Tal", "d"])],
)
def test_boards_are_listed_by_name(
    named_boards: None, open_setup: Callable[..., Any], language: str, names: list[str]
) -> None:
    page = open_setup(WIDE, language)
    Shelf().keep(Profile("Küche", load_board("a")))
    page.reload()
    expect(key(page, "board").locator("option")).to_have_text(names)
    expect(page.locator(".profiles li .quiet")).to_have_text(names[0])
    key(page, "board").select_option(names[2])
    press(page, "begin")
    key(page, "camera-on").wait_for()
    assert workshop_board(page) == "c"
    press(page, "step-start")
    key(page, "edition").select_option("home")
    press(page, "begin")
    key(page, "camera-on").wait_for()
    press(page, "step-board")
    key(page, "file").set_input_files(str(EMPTY))
    expect(key(page, "pieces-of").locator("option")).to_have_text(names)
    settled(page)
    press(page, "add-circle")
    page.locator('.frame polygon[data-field="field-1"]').wait_for()


def test_our_own_boards_have_names(open_setup: Callable[..., Any]) -> None:
    page = open_setup(WIDE, "de")
    options = key(page, "board").locator("option")
    expect(options).to_have_text(["Brett der fünf Spiele", "Reiner Knizias Stonehenge"])


def workshop_board(page: Any) -> str:
    """The id of the board that is set up."""
    return str(page.evaluate("fetch('/setup/api').then((answer) => answer.json())")["draft"]["board"])


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
