"""`henge read` on single photographs, as a person types it."""

from __future__ import annotations

from pathlib import Path

SAMPLES = Path(__file__).resolve().parents[2] / "sample_images"
PHOTO = str(SAMPLES / "photos" / "build-full-1.jpg")


def test_a_picture_of_no_known_kind_is_refused(henge, tmp_path):
    result = henge("read", PHOTO, "--overlay", str(tmp_path / "checked.xyz"))
    assert result.code == 2 and len(result.err.splitlines()) == 1
    assert "checked.xyz" in result.err and ".png" in result.err


def test_what_cannot_be_seen_is_told_in_the_language_asked_for(henge):
    photo = str(SAMPLES / "photos" / "build-hard-hand.jpg")
    for language, words in (
        ("en", "not seen: ring-3, ring-4, yard-2"),
        ("de", "nicht zu sehen: Ring-3, Ring-4, Bauhof-2"),
    ):
        assert words in henge("read", photo, "--game", "build", "--lang", language).out


def test_a_game_that_is_not_played_on_the_board_is_refused(henge):
    for command in ("read", "score"):
        result = henge(command, PHOTO, "--board", "anthology", "--game", "stonehenge")
        assert (result.code, result.out, len(result.err.splitlines())) == (2, "", 1)
        assert "stonehenge is not played on the anthology board" in result.err
