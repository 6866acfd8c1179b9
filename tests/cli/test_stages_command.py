"""`henge stages` as a person types it."""

from __future__ import annotations

from pathlib import Path

import cv2

PHOTO = str(Path(__file__).resolve().parents[2] / "sample_images" / "photos" / "build-full-1.jpg")


def test_the_stages_that_were_asked_for_are_written(henge, tmp_path):
    result = henge("stages", PHOTO, "--game", "build", "--only", "light", "tags", "-o", str(tmp_path / "new"))
    assert result.code == 0 and result.err == ""
    assert sorted(path.name for path in (tmp_path / "new").iterdir()) == ["01-tags.png", "04-light.png"]
    assert all(cv2.imread(str(path)) is not None for path in (tmp_path / "new").iterdir())


def test_what_a_game_does_not_have_is_said(henge, tmp_path):
    result = henge("stages", PHOTO, "--game", "build", "--only", "digits", "-o", str(tmp_path))
    assert (result.code, result.out) == (0, "digits: nothing of the kind here\n")
    assert not list(tmp_path.iterdir())


def test_stages_that_there_are_not_are_refused(henge, tmp_path):
    result = henge("stages", PHOTO, "--only", "feelings", "-o", str(tmp_path))
    assert result.code == 2 and len(result.err.splitlines()) == 1 and "feelings" in result.err


def test_a_file_in_the_place_of_the_folder_is_refused(henge, tmp_path):
    there = tmp_path / "there"
    there.write_text("kept")
    result = henge("stages", PHOTO, "--only", "tags", "-o", str(there))
    assert result.code == 2 and len(result.err.splitlines()) == 1 and str(there) in result.err
    assert there.read_text() == "kept"
