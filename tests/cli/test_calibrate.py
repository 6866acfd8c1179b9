"""`henge calibrate`: from photographs to a profile, and everything that is done with profiles."""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from PIL import ExifTags
from PIL import Image as Pillow

from calibration.drawing import rasterise
from calibration.kit.paper import PAPERS
from calibration.kit.sheets import charuco_page
from calibration.lens import Lens
from calibration.profile import load_profile
from calibration.shelf import Shelf
from cli.errors import UsageError
from cli.main import main
from cli.profiles import reader_for, remembered
from engine.board import load_board
from sample_images.flat import FlatCamera, around
from vision.training.photographs import view_of

PHOTOS = Path(__file__).parents[2] / "sample_images" / "photos"
EMPTY, PIECES = PHOTOS / "build-empty-1.jpg", PHOTOS / "build-full-6.jpg"


@pytest.fixture(autouse=True)
def home(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("HENGE_FOLDER", str(tmp_path / "henge"))
    return tmp_path / "henge"


def said(capsys: pytest.CaptureFixture[str], *words: object) -> tuple[int, str, str]:
    code = main(["calibrate", *map(str, words)])
    output = capsys.readouterr()
    return code, output.out, output.err


@pytest.fixture(scope="module")
def lens_photos(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    """Five photographs of the chessboard sheet by a bent lens, 960 x 540."""
    folder = tmp_path_factory.mktemp("lens")
    camera = FlatCamera(Lens((960, 540), 620.0, (480.0, 268.0), (-0.25, 0.08, 0.0, 0.0, 0.0)), seed=4)
    page = rasterise(charuco_page(PAPERS["a4"], "").drawing, 6.0)
    for number, stand in enumerate(around((210, 297), 5, 330, seed=2)):
        cv2.imwrite(str(folder / f"lens-{number}.jpg"), camera.take(page, 6.0, stand))
    return sorted(folder.iterdir())


def test_a_profile_from_an_empty_board_and_a_photograph_of_the_pieces(
    capsys: pytest.CaptureFixture[str], home: Path
) -> None:
    code, out, err = said(
        capsys, "--reference", EMPTY, "--pieces", PIECES, "--game", "build", "-o", "Kitchen", "--json"
    )
    assert code == 0
    told = json.loads(out)
    assert [step["step"] for step in told["steps"]] == ["lens", "board", "pieces"]
    assert "give or take" in err and "found by 4 of 4 tags" in err and "measured: block" in err
    profile = Shelf().load("Kitchen")
    assert (home / "profiles" / "Kitchen.zip").exists() and profile.lens is not None
    sizes = profile.board.pieces  # the set in the photograph is smaller than the kit's own
    assert sizes["disc"].diameter_mm == pytest.approx(14, abs=0.7)
    assert sizes["figure"].diameter_mm == pytest.approx(15, abs=1.1)
    assert sizes["block"].length_mm == pytest.approx(23.5, abs=2.2)
    assert set(profile.colours["block"]) == {"white", "blue", "green", "red"}
    red, green, blue = profile.colours["block"]["red"]
    assert red > 1.5 * max(green, blue)
    assert said(capsys, "list")[1].startswith("Kitchen  anthology")
    assert "yellow" in err and "not shown" in err

    assert main(["read", str(PHOTOS / "build-opening-2.jpg"), "--profile", "Kitchen", "--game", "build"]) == 0
    assert "green" in capsys.readouterr().out
    assert main(["read", str(EMPTY), "--profile", "Kitchen", "--game", "stonehenge"]) == 2
    assert "profile Kitchen is of the anthology board" in capsys.readouterr().err


def test_a_lens_is_added_and_the_rest_kept(
    capsys: pytest.CaptureFixture[str], lens_photos: list[Path], tmp_path: Path
) -> None:
    path = tmp_path / "mine.zip"
    code, out, err = said(capsys, "--charuco", *lens_photos, "--board", "knizia", "-o", path)
    assert code == 0 and "5 photographs, reprojection error 0." in err and "mine.zip: kept" in out
    profile = load_profile(path)
    assert profile.lens is not None and profile.lens.focal_px == pytest.approx(620, rel=0.02)
    assert profile.board.id == "knizia" and profile.reference is None
    code, _, _ = said(capsys, "--reference", PHOTOS / "stonehenge-empty-1.jpg", "-o", path)
    again = load_profile(path)
    assert code == 0 and again.lens == profile.lens and again.reference is not None


def test_photographs_are_sorted_by_what_they_show(
    capsys: pytest.CaptureFixture[str], lens_photos: list[Path], tmp_path: Path
) -> None:
    folder = tmp_path / "all"
    folder.mkdir()
    for path in (*lens_photos, EMPTY, PIECES):
        (folder / path.name.replace("build", "x-build")).write_bytes(path.read_bytes())
    code, _, err = said(capsys, "--photos", folder, "--game", "build", "-o", "All")
    assert code == 0 and "5 photographs" in err and "seen (block" in err
    assert Shelf().load("All").lens.source == "charuco"  # type: ignore[union-attr]


def test_a_lens_is_taken_with_a_camera_and_told_where_to_hold_the_sheet(
    capsys: pytest.CaptureFixture[str], lens_photos: list[Path]
) -> None:
    code, _, err = said(
        capsys, "--charuco", "--camera", lens_photos[0].parent, "--board", "knizia", "--reference",
        PHOTOS / "stonehenge-empty-1.jpg", "-o", "Live",
    )  # fmt: skip
    assert code == 0 and "next, hold the sheet" in err and Shelf().load("Live").camera


def test_a_camera_takes_the_empty_board_and_the_pieces(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "camera"
    folder.mkdir()
    (folder / "1.jpg").write_bytes(EMPTY.read_bytes())
    (folder / "2.jpg").write_bytes(PIECES.read_bytes())
    code, _, err = said(capsys, "--camera", folder, "--pieces", "--game", "build", "-o", "Shelf")
    assert code == 0 and "found by 4 of 4 tags" in err and "measured: block" in err
    assert Shelf().load("Shelf").colours["block"]["red"]


def test_the_phone_says_its_focal_length(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    picture = Pillow.open(EMPTY)
    exif = picture.getexif()
    exif.get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm] = 26
    picture.save(tmp_path / "phone.jpg", exif=exif, quality=95)
    assert said(capsys, "--reference", tmp_path / "phone.jpg", "-o", "Phone")[0] == 0
    lens = Shelf().load("Phone").lens
    assert lens is not None and lens.source == "exif" and lens.focal_spread == 0.05


def test_profiles_are_renamed_exported_imported_and_deleted(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert said(capsys, "--reference", EMPTY, "-o", "One")[0] == 0
    assert said(capsys, "rename", "One", "Two")[0] == 0
    assert said(capsys, "export", "Two", tmp_path / "two.zip")[0] == 0
    assert said(capsys, "import", tmp_path / "two.zip")[:2] == (2, "")
    assert said(capsys, "import", tmp_path / "two.zip", "--name", "Three")[0] == 0
    assert said(capsys, "import", tmp_path / "two.zip", "--replace")[0] == 0
    assert [each["name"] for each in json.loads(said(capsys, "list", "--json")[1])] == ["Three", "Two"]
    assert "1280 x 720 pixels" in said(capsys, "show", "Three")[1]
    assert said(capsys, "delete", "Two")[0] == 0 and said(capsys, "delete", "Two")[0] == 2


def test_check_says_what_is_good_and_what_is_not(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, out, _ = said(capsys, "check", EMPTY)
    assert code == 0 and "4 of 4" in out and "seen well" in out
    blurred = cv2.GaussianBlur(cv2.imread(str(EMPTY)), (0, 0), 6)
    cv2.imwrite(str(tmp_path / "soft.jpg"), blurred)
    code, out, _ = said(
        capsys, "check", tmp_path / "soft.jpg", "--board", "anthology", "--lang", "de", "--json"
    )
    data = json.loads(out)
    assert code == 0 and data["grade"] == "poor" and "unscharf" in data["advice"]["de"]


@pytest.mark.parametrize(
    ("words", "text"),
    [
        ((), "how shall the profile be called"),
        (("-o", "x"), "nothing to learn from"),
        (("-o", "../x", "--reference", EMPTY), "cannot be a profile's name"),
        (("-o", "x", "--reference", "no.jpg"), "cannot open no.jpg"),
        (("-o", "x", "--reference", __file__), "not a picture"),
        (("-o", "x", "--charuco", EMPTY, "--board", "knizia"), "found in 0 photographs, at least 4"),
        (("-o", "x", "--charuco", "--board", "knizia"), "needs --camera"),
        (("-o", "x", "--reference", EMPTY, "--pieces"), "needs --camera"),
        (("-o", "x", "--pieces", EMPTY, "--game", "build"), "no pieces are seen"),
        (("-o", "x", "--reference", EMPTY, "--corners", "1,2"), "corners are four points"),
        (("-o", "x", "--reference", EMPTY, "--board", "knizia"), "anthology board"),
        (("show", "x"), "no profile x: none is kept yet"),
        (("import", "no.zip"), "cannot read the profile no.zip"),
        (("import", EMPTY), "is not a profile"),
        (("check", "no.jpg"), "cannot open no.jpg"),
        (("-o", "x", "--camera", "no-such-source"), "is not there"),
    ],
)
def test_bad_input_gets_one_clear_line(
    capsys: pytest.CaptureFixture[str], words: tuple[object, ...], text: str
) -> None:
    code, out, err = said(capsys, *words)
    assert code == 2 and out == "" and text in err.splitlines()[-1], err
    assert "Traceback" not in err and Shelf().names() == ()


# ---- boards that are taught


def test_a_board_is_taught_from_a_photograph_and_a_few_of_its_fields(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    label = json.loads((PHOTOS / "build-opening-1.json").read_text(encoding="utf-8"))
    board, view = load_board("anthology"), view_of(label)
    words: list[str] = []
    for name in ("ring-1", "ring-11", "ring-21", "slot-6", "pit-16-day", "trilith-1", "trilith-4",
                 "bluestone-1", "bluestone-10", "altar"):  # fmt: skip
        x, y = view.project(np.array([board.fields[name].centre_mm]))[0]
        words += ["--at", f"{name}={x:.1f},{y:.1f}"]
    corners = " ".join(f"{x:.1f},{y:.1f}" for x, y in label["corners_px"])
    made, drawn = tmp_path / "mine.json", tmp_path / "mine.png"
    photo = str(PHOTOS / "build-opening-1.jpg")
    teaching = ["board", "teach", photo, "--size", "500x500", "--corners", corners]
    code = main([*teaching, "--layout", "anthology", *words, "-o", str(made), "--overlay", str(drawn)])
    assert code == 0 and "fit to 0." in capsys.readouterr().err and drawn.exists()
    taught = load_board(made)
    off = [np.subtract(taught.fields[each.id].centre_mm, each.centre_mm) for each in board.fields.values()]
    assert np.abs(off).max() < 0.5
    assert main(["board", "check", str(made)]) == 0

    own = tmp_path / "own.json"
    fields = ["--circle", "pond-1=640,300,20", "--polygon", "hut=500,300 540,300 540,340 500,340"]
    assert main([*teaching, "--layout", "none", *fields, "--pieces-of", "knizia", "-o", str(own)]) == 0
    assert set(load_board(own).fields) == {"pond-1", "hut"} and "druid" in load_board(own).pieces

    capsys.readouterr()
    for wrong, text in (
        (["--layout", "anthology", "--at", "ring-1=5"], "should be FIELD=x,y with numbers"),
        (["--layout", "anthology", "--at", "moat=5,5"], "moat is no field"),
        (["--layout", "anthology"], "0 fields were pointed at"),
        (["--layout", "none"], "no field was drawn"),
        (["--layout", "none", "--polygon", "a=1,2"], "fields[0].polygon"),
    ):
        assert main([*teaching, *wrong, "-o", str(own)]) == 2
        assert text in capsys.readouterr().err


def test_a_table_remembers_its_profile(capsys: pytest.CaptureFixture[str]) -> None:
    said(capsys, "--reference", EMPTY, "-o", "Hall")
    asked, later = argparse.Namespace(profile="Hall"), argparse.Namespace(profile=None)
    assert remembered(later, "table-1") is None
    assert remembered(asked, "table-1") == remembered(later, "table-1") == Shelf().load("Hall")
    assert remembered(later, "table-2") is None
    reader = reader_for("build", ("red", "blue", "green"), None, remembered(later, "table-1"))
    assert reader.profile is not None and reader.profile.own_print
    assert reader.surface is None  # our own print is known better than from a photograph
    with pytest.raises(UsageError, match="played on the knizia board"):
        reader_for("stonehenge", ("black", "brown"), None, Shelf().load("Hall"))
