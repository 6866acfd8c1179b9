"""Profiles survive being written, renamed, carried elsewhere and damaged."""

from __future__ import annotations

import io
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest

from calibration import profile as profiles
from calibration.lens import Lens
from calibration.profile import Profile, ProfileError, jpeg_of, load_profile, profile_from_bytes
from calibration.shelf import Shelf, profiles_folder
from engine.board import load_board

LENS = Lens((1280, 720), 1000.0, (640.0, 360.0), (-0.1, 0.02, 0.0, 0.0, 0.0), "charuco", 0.1, 0.002, 9)
PICTURE = np.full((72, 128, 3), 120, np.uint8)
FULL = Profile(
    "Kitchen table",
    load_board("knizia"),
    LENS,
    {"druid": {"black": (40, 38, 36), "brown": (120, 80, 50)}},
    jpeg_of(PICTURE),
    ((1.0, 2.0), (100.5, 2.0), (100.0, 60.0), (1.0, 60.0)),
    "2026-11-20T15:00:00+01:00",
    "camera 0",
    own_print=True,
)


@pytest.fixture
def shelf(tmp_path: Path) -> Shelf:
    return Shelf(tmp_path / "profiles")


def with_head(**changes: object) -> bytes:
    """FULL with another profile.json."""
    buffer = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(FULL.to_bytes())) as old, zipfile.ZipFile(buffer, "w") as new:
        for name in old.namelist():
            data = old.read(name)
            new.writestr(name, json.dumps(json.loads(data) | changes) if name == "profile.json" else data)
    return buffer.getvalue()


def test_a_profile_is_read_as_it_was_written() -> None:
    for each in (FULL, Profile("bare", load_board("anthology"))):
        again = profile_from_bytes(each.to_bytes(), "x")
        assert again == each and again.to_bytes() == each.to_bytes()
    image = profile_from_bytes(FULL.to_bytes(), "x").reference_image()
    assert image is not None and image.shape == PICTURE.shape and abs(float(image.mean()) - 120) < 2


def test_unknown_keys_are_kept() -> None:
    again = profile_from_bytes(with_head(owner="Ada"), "x")
    assert again.extra == {"owner": "Ada"} and b"Ada" in zipped(again.to_bytes())


def zipped(data: bytes) -> bytes:
    return zipfile.ZipFile(io.BytesIO(data)).read("profile.json")


def test_keep_list_rename_export_import_delete(shelf: Shelf, tmp_path: Path) -> None:
    assert shelf.names() == ()
    shelf.keep(FULL)
    shelf.remember("table-1", "Kitchen table")
    shelf.rename("Kitchen table", "Küche")
    assert shelf.names() == ("Küche",) and shelf.load("Küche").name == "Küche"
    assert shelf.of_table("table-1") == "Küche" and shelf.of_table("table-2") is None
    shelf.export("Küche", tmp_path / "carried.zip")
    shelf.delete("Küche")
    assert shelf.names() == () and shelf.of_table("table-1") is None
    again = shelf.take_in((tmp_path / "carried.zip").read_bytes(), "carried.zip", "Saal")
    assert again.lens == LENS and shelf.load("Saal").colours == FULL.colours
    assert shelf.load(str(tmp_path / "carried.zip")).name == "Küche"
    with pytest.raises(ProfileError, match="there is a profile Saal already"):
        shelf.take_in((tmp_path / "carried.zip").read_bytes(), "carried.zip", "Saal")
    shelf.keep(FULL)
    with pytest.raises(ProfileError, match="there is a profile Saal already"):
        shelf.rename("Kitchen table", "Saal")


def test_profiles_that_are_not_there(shelf: Shelf) -> None:
    with pytest.raises(ProfileError, match="no profile attic: none is kept yet"):
        shelf.load("attic")
    shelf.keep(FULL)
    with pytest.raises(ProfileError, match="no profile attic: expected one of Kitchen table"):
        shelf.delete("attic")
    with pytest.raises(ProfileError, match=r"cannot read the profile attic\.zip"):
        shelf.load("attic.zip")


@pytest.mark.parametrize("name", ["", "../up", "a/b", ".hidden", "x" * 61, "dot.", "nul\0"])
def test_names_that_could_be_trouble(shelf: Shelf, name: str) -> None:
    with pytest.raises(ProfileError, match="cannot be a profile's name"):
        shelf.keep(Profile(name, FULL.board))
    assert shelf.names() == ()


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"", "not a profile: expected a zip file"),
        (b"PK\3\4 nonsense", "not a profile: expected a zip file"),
        (FULL.to_bytes()[:-60], "not a profile: expected a zip file"),
        (with_head(henge="log"), "not a profile"),
        (with_head(format="1"), "not a profile"),
        (with_head(format=9), r"made by a newer Henge \(format 9, this one reads up to 1\): update"),
        (with_head(format=0), r"made by an older Henge \(format 0\).*anew"),
        (with_head(lens={"size_px": [1, 2]}), "focal_px"),
        (with_head(colours={"druid": {"black": [1, 2]}}), "red, green and blue"),
        (with_head(colours=[]), None),
        (with_head(reference_corners_px=[[1, 2]]), "four points"),
    ],
)
def test_files_that_are_no_profile(data: bytes, text: str | None) -> None:
    if text is None:
        assert profile_from_bytes(data, "f.zip").colours == {}
        return
    with pytest.raises(ProfileError, match=text) as caught:
        profile_from_bytes(data, "f.zip")
    assert "\n" not in str(caught.value) and "f.zip" in str(caught.value)


def test_an_older_profile_is_upgraded_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(
        profiles, "UPGRADES", {0: lambda head: {**head, "camera": "camera " + head["device"]}}
    )
    assert profile_from_bytes(with_head(format=0, device="3"), "f.zip").camera == "camera 3"


def test_a_damaged_reference_picture_is_said() -> None:
    broken = Profile("x", FULL.board, reference=b"no picture")
    with pytest.raises(ProfileError, match="reference picture in the profile x is damaged"):
        broken.reference_image()


def test_a_board_with_mistakes_is_refused_with_the_key(tmp_path: Path) -> None:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        archive.writestr("profile.json", zipped(FULL.to_bytes()))
        archive.writestr("board.json", '{"id": "x"}')
    (tmp_path / "b.zip").write_bytes(buffer.getvalue())
    with pytest.raises(ProfileError, match="size_mm"):
        load_profile(tmp_path / "b.zip")


def test_the_folder_follows_the_environment(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("HENGE_FOLDER", str(tmp_path))
    assert profiles_folder() == tmp_path / "profiles" == Shelf().folder
