"""The health of a view: what is poor is found, named, and answered with one sentence."""

from __future__ import annotations

from functools import cache

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.artwork import render_artwork
from calibration.drawing import rasterise
from calibration.kit.paper import PAPERS
from calibration.kit.sheets import colour_page
from calibration.lens import Lens
from engine.board import load_board
from sample_images.flat import FlatCamera, Stand
from vision.calibrating.colours import sheet_colours
from vision.calibrating.health import Health, view_health
from vision.finding.locate import by_tags

BOARD = load_board("knizia")
Image = NDArray[np.uint8]


@cache
def camera() -> FlatCamera:
    return FlatCamera(Lens((960, 540), 820.0, (479.5, 269.5)), seed=2)


@cache
def artwork() -> Image:
    return render_artwork(BOARD, 3.0)


USUAL = Stand((180, 560, 500), (180, 190))


def taken(stand: Stand = USUAL, **how: float) -> Image:
    return camera().take(artwork(), 3.0, stand, **{"falloff": 0.1, **how})  # type: ignore[arg-type]


@cache
def good() -> Image:
    return taken()


def grades(health: Health) -> dict[str, str]:
    return {measure.name: measure.grade for measure in health.measures}


def test_a_good_view_is_called_good_and_everything_is_measured() -> None:
    health = view_health(good(), BOARD, pictures_per_s=12.0)
    assert health.grade == "good" and "seen well" in health.advice.en and "gut zu sehen" in health.advice.de
    assert list(grades(health)) == [
        "board", "tags", "sharpness", "light", "glare", "scale", "angle", "fields", "rate"
    ]  # fmt: skip
    data = health.to_json()
    assert data["grade"] == "good" and data["measures"][1]["value"] == 4
    assert {"en", "de"} == set(data["measures"][0]["label"])


def mirrored_lamp(x_mm: float, y_mm: float) -> Image:
    """The good picture with a burnt patch over a place of the board."""
    view = by_tags(cv2.cvtColor(good(), cv2.COLOR_BGR2GRAY), BOARD).view
    (x, y), scale = view.project(np.array([[x_mm, y_mm]]))[0], view.px_per_mm((x_mm, y_mm))
    image = good().copy()
    cv2.ellipse(
        image, (round(x), round(y)), (round(45 * scale), round(28 * scale)), 0, 0, 360, (255, 255, 255), -1
    )
    return image


@pytest.mark.parametrize(
    ("name", "image", "advice"),
    [
        ("light", lambda: taken(exposure=0.02), "switch on a lamp"),
        ("light", lambda: np.full_like(good(), 255), "too bright"),
        ("sharpness", lambda: cv2.GaussianBlur(good(), (0, 0), 7), "blurred"),
        ("glare", lambda: mirrored_lamp(90, 270), "mirrors on the lower left"),
        ("scale", lambda: taken(Stand((180, 600, 620), (180, 185))), "small in the picture"),
        ("angle", lambda: taken(Stand((180, 760, 250), (180, 200))), "raise it"),
        ("tags", lambda: covered(good()), "3 of the 4 tags"),
        ("board", lambda: np.full_like(good(), 120), "no board found"),
    ],
    ids=["dark", "bright", "blurred", "glare", "far", "low", "covered", "nothing"],
)
def test_what_is_poor_gets_the_advice_that_helps(name: str, image: object, advice: str) -> None:
    health = view_health(image(), BOARD)  # type: ignore[operator]
    assert grades(health)[name] != "good"
    said = [measure.advice for measure in health.measures if measure.name == name]
    assert said[0] is not None and advice in said[0].en and said[0].de


def covered(image: Image) -> Image:
    """A cup on one tag."""
    view = by_tags(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), BOARD).view
    x, y = view.project(np.array([np.mean(BOARD.markers[2].corners_mm, axis=0)]))[0]
    out = image.copy()
    cv2.circle(out, (round(float(x)), round(float(y))), 45, (60, 90, 140), -1)
    return out


def test_hidden_fields_and_slow_cameras_are_told() -> None:
    unseen = tuple(list(BOARD.fields)[:10])
    health = view_health(good(), BOARD, unseen=unseen, pictures_per_s=0.4)
    told = {measure.name: measure for measure in health.measures}
    assert told["fields"].grade == "poor" and told["fields"].value == pytest.approx(
        1 - 10 / len(BOARD.fields)
    )
    assert told["rate"].grade == "poor" and "something hides" in health.advice.en


def test_a_board_that_leaves_the_picture_is_told_by_its_corners() -> None:
    corners = np.array([[-200.0, 100], [700, 100], [800, 800], [-300, 800]])
    health = view_health(good(), BOARD, corners_px=corners)
    fields = next(measure for measure in health.measures if measure.name == "fields")
    assert fields.grade == "poor" and fields.advice is not None and "outside the picture" in fields.advice.en


def test_large_pictures_are_measured_as_small_ones() -> None:
    large = cv2.resize(good(), None, fx=2.5, fy=2.5, interpolation=cv2.INTER_CUBIC)
    small, big = ({m.name: m for m in view_health(np.asarray(image, np.uint8), BOARD).measures}
                  for image in (good(), large))  # fmt: skip
    assert small.keys() == big.keys()
    assert big["scale"].value == pytest.approx(2.5 * small["scale"].value, rel=0.05)  # what the camera shows
    assert big["sharpness"].value == pytest.approx(small["sharpness"].value, rel=0.15)
    assert big["light"].value == pytest.approx(small["light"].value, abs=3)


@pytest.mark.parametrize(
    ("gains", "grade", "words"),
    [
        ((1.0, 1.0, 1.0), "good", ""),
        ((0.85, 1.0, 1.08), "fair", "reddish"),
        ((1.5, 1.0, 0.7), "poor", "bluish"),
        ((1.2, 0.7, 1.2), "poor", "purplish"),
    ],
)
def test_the_colour_sheet_tells_the_colour_cast(
    gains: tuple[float, float, float], grade: str, words: str
) -> None:
    """gains: of blue, green and red in display values."""
    page = rasterise(colour_page(PAPERS["a4"], "").drawing, 3.0)
    plain = camera().take(page, 3.0, Stand((105, 330, 420), (105, 120)), falloff=0.1, exposure=0.6)
    image = np.clip(plain * np.array(gains) ** 0.5, 0, 255).astype(np.uint8)
    measured = [each for each in view_health(image, BOARD).measures if each.name == "colours"]
    assert [each.grade for each in measured] == [grade]
    assert words in (measured[0].advice.en if measured[0].advice else "")
    shown = sheet_colours(image)
    assert shown is not None and 0.7 < shown.saturation < 1.4


def test_without_the_colour_sheet_nothing_is_said_of_colours() -> None:
    assert "colours" not in grades(view_health(good(), BOARD)) and sheet_colours(good()) is None
