"""`henge read` on single photographs, as a person types it."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import cv2
import numpy as np

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
PHOTO = str(SAMPLES / "photos" / "build-full-1.jpg")


def test_a_picture_of_no_known_kind_is_refused(henge, tmp_path):
    result = henge("read", PHOTO, "--overlay", str(tmp_path / "checked.xyz"))
    assert result.code == 2 and len(result.err.splitlines()) == 1
    assert "checked.xyz" in result.err and ".png" in result.err


def test_the_overlay_is_written_although_nobody_reads_on(tmp_path):
    overlay = tmp_path / "checked.png"
    with subprocess.Popen(
        [sys.executable, "-u", "-m", "cli", "read", PHOTO, "--overlay", str(overlay)],
        cwd=SAMPLES.parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
    ) as process:  # fmt: skip
        assert process.stdout is not None and process.stderr is not None
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=60) == 0
    assert cv2.imread(str(overlay)) is not None


def test_a_black_picture_is_too_dark_also_where_no_board_was_named(henge, tmp_path):
    cv2.imwrite(str(tmp_path / "black.jpg"), np.zeros((480, 640, 3), np.uint8))
    result = henge("read", str(tmp_path / "black.jpg"))
    assert result.code == 2 and len(result.err.splitlines()) == 1 and "too dark" in result.err


def test_what_cannot_be_seen_is_told_in_the_language_asked_for(henge):
    photo = str(SAMPLES / "photos" / "build-hard-hand.jpg")
    for language, words in (
        ("en", "not seen: ring-3, ring-4, yard-2"),
        ("de", "nicht zu sehen: Ring-3, Ring-4, Bauhof-2"),
    ):
        assert words in henge("read", photo, "--game", "build", "--lang", language).out


def test_under_a_hand_banks_may_stand_that_nobody_sees(henge):
    photo = str(SAMPLES / "judged" / "022-rolling.jpg")
    for language, words in (("en", "there may be more that stands on no field"), ("de", "noch mehr stehen")):
        assert words in henge("read", photo, "--game", "rolling", "--lang", language).out


def test_a_game_that_is_not_played_on_the_board_is_refused(henge):
    for command in ("read", "score"):
        result = henge(command, PHOTO, "--board", "anthology", "--game", "stonehenge")
        assert (result.code, result.out, len(result.err.splitlines())) == (2, "", 1)
        assert "stonehenge is not played on the anthology board" in result.err


def test_of_a_photo_of_the_empty_board_it_is_told_what_is_wrong_with_it(henge):
    board = str(SAMPLES / "series" / "boards" / "flint.json")
    empty = str(SAMPLES / "series" / "empty" / "flint.jpg")
    result = henge("read", PHOTO, "--board", board, "--reference", empty)
    assert result.code == 2 and "no tags: give its corners in the photo of the empty board" in result.err
    other = str(SAMPLES / "photos" / "stonehenge-empty-1.jpg")
    result = henge("read", PHOTO, "--reference", other)
    assert result.code == 2 and "the photo of the empty board: this is the knizia board" in result.err


def test_of_a_picture_without_colours_it_is_said_that_they_are_guessed(henge, tmp_path):
    grey = cv2.imread(PHOTO, cv2.IMREAD_GRAYSCALE)
    cv2.imwrite(str(tmp_path / "grey.png"), grey)
    assert "black and white" in henge("read", str(tmp_path / "grey.png")).err
    assert henge("read", PHOTO).err == ""


def test_each_photograph_tells_its_own_board(henge):
    photos = [str(SAMPLES / "judged" / name) for name in ("001-stonehenge.jpg", "003-build.jpg")]
    result = henge("read", *photos, "--json")
    assert result.code == 0
    assert [json.loads(line)["board"] for line in result.out.splitlines()] == ["knizia", "anthology"]


def test_a_place_for_the_overlay_is_looked_for_before_anything_is_read(henge, tmp_path):
    for path in (tmp_path, tmp_path / "no-such-folder" / "x.png"):
        result = henge("read", PHOTO, "--overlay", str(path))
        assert (result.code, result.out, len(result.err.splitlines())) == (2, "", 1)


def test_corners_of_no_reference_are_refused(henge):
    result = henge("read", PHOTO, "--reference-corners", "1,1 2,1 2,2 1,2")
    assert result.code == 2 and "--reference-corners goes with --reference" in result.err


def test_a_score_tells_what_is_not_seen(henge):
    photo = str(SAMPLES / "judged" / "009-build.jpg")
    result = henge("score", photo, "--game", "build")
    assert result.code == 0 and "not seen, so not counted: ring-14, ring-15" in result.err
    assert "ring-14" in json.loads(henge("score", photo, "--game", "build", "--json").out)["unseen"]
