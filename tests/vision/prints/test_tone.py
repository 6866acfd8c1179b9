"""How a camera renders the table: told by the print, and taken back where it is beyond what lenses do."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.position import Thing
from vision import Reader
from vision.pictures.images import load_image
from vision.prints.tone import Tone

JUDGED = Path(__file__).parents[3] / "sample_images" / "judged"
TABLE = "104-council"


def read(image: np.ndarray) -> Reader:
    reader = Reader(json.loads((JUDGED / f"{TABLE}.json").read_text())["board"], game="council")
    reader.read(image)
    return reader


def tone_of(reader: Reader) -> Tone | None:
    assert reader.sight is not None
    return reader.sight.light.tone


def told(reader: Reader) -> dict[str, Thing | None]:
    assert reader.sight is not None
    beliefs = reader.sight.seen().items()
    return {place: max(belief, key=belief.__getitem__) for place, belief in beliefs}


def pale(image: np.ndarray) -> np.ndarray:
    """As a camera shows it that pales all colours and lifts the dark."""
    hsv = cv2.cvtColor(image, cv2.COLOR_BGR2HSV).astype(np.float32)
    hsv[..., 1] *= 0.5
    faded = cv2.cvtColor(hsv.astype(np.uint8), cv2.COLOR_HSV2BGR)
    return (faded * 0.85 + 25).astype(np.uint8)


def striking(image: np.ndarray) -> np.ndarray:
    """As a telephone shows it that makes light and dark stand out, each part of the picture by itself."""
    lab = cv2.cvtColor(image, cv2.COLOR_BGR2LAB)
    lab[..., 0] = cv2.createCLAHE(4.0, (6, 6)).apply(np.ascontiguousarray(lab[..., 0]))
    return cv2.cvtColor(lab, cv2.COLOR_LAB2BGR)


@pytest.fixture(scope="module")
def photo() -> np.ndarray:
    return load_image(str(JUDGED / f"{TABLE}.jpg"))


def test_photograph_as_usual_is_left_as_it_is(photo: np.ndarray) -> None:
    assert tone_of(read(photo)) is None


def test_pale_colours_are_deepened_and_told_more_often(
    photo: np.ndarray, monkeypatch: pytest.MonkeyPatch
) -> None:
    usual, paled = read(photo), read(pale(photo))
    tone = tone_of(paled)
    assert tone is not None and tone.depth > 1.2 and tone.contrast == 1.0
    monkeypatch.setattr("vision.prints.light.tone_of", lambda *_: None)
    left_pale = read(pale(photo))
    assert tone_of(left_pale) is None
    right = told(usual)
    with_tone, without = (
        {place for place, thing in told(each).items() if thing != right.get(place)}
        for each in (paled, left_pale)
    )
    assert with_tone < without


def test_striking_contrast_is_toned_down(photo: np.ndarray) -> None:
    tone = tone_of(read(striking(photo)))
    assert tone is not None and tone.contrast < 0.95


def test_most_of_the_print_stays_as_it_is() -> None:
    usual = np.array([0.6, 0.74, 0.81], np.float32)
    tone = Tone(0.8, 1.5, usual)
    assert tone.undone(usual[None]) == pytest.approx(usual[None], abs=1e-5)


def test_colours_beside_the_tint_of_the_print_are_deepened_and_light_and_dark_brought_nearer() -> None:
    usual = np.full(3, 0.7, np.float32)
    red, dark = np.array([[0.5, 0.5, 0.8], [0.2, 0.2, 0.2]], np.float32)
    deeper = Tone(1.0, 1.5, usual).undone(red[None])[0]
    assert np.ptp(deeper) > 1.3 * np.ptp(red) and deeper.mean() == pytest.approx(red.mean(), abs=1e-5)
    assert 0.2 < Tone(0.8, 1.0, usual).undone(dark[None])[0, 0] < 0.3
