"""`henge board` and `henge kit` as a person types them."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import pytest

from cli.main import main
from engine.board import board_from_json, load_board


def test_list_names_both_boards(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "list"]) == 0
    assert "anthology" in (text := capsys.readouterr().out) and "18 space" in text
    assert main(["board", "list", "--json"]) == 0
    assert {board["id"] for board in json.loads(capsys.readouterr().out)} >= {"anthology", "knizia"}


def test_show_prints_a_board_file_that_can_be_used_again(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["board", "show", "anthology"]) == 0
    assert board_from_json(json.loads(capsys.readouterr().out)) == load_board("anthology")


def test_png_has_the_size_that_its_dpi_says(tmp_path: Path) -> None:
    path = tmp_path / "board.png"
    assert main(["board", "png", "knizia", "-o", str(path), "--dpi", "50", "--style", "night"]) == 0
    picture = cv2.imread(str(path))
    assert picture is not None and picture.shape == (709, 709, 3)


def test_check_lists_every_mistake(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "mine.json"
    path.write_text(json.dumps({"id": "mine", "size_mm": [100], "fields": [{"id": "a"}], "pieces": {}}))
    assert main(["board", "check", str(path)]) == 1
    lines = capsys.readouterr().out.splitlines()
    assert {line.partition(":")[0] for line in lines} == {"size_mm", "fields[0].kind", "fields[0]"}
    path.write_text(json.dumps(load_board("knizia").to_json()))
    assert main(["board", "check", str(path)]) == 0
    assert "good" in capsys.readouterr().out


def test_kit_writes_a_pdf(tmp_path: Path) -> None:
    path = tmp_path / "kit.pdf"
    assert main(["kit", "knizia", "-o", str(path), "--paper", "letter", "--ink-saving"]) == 0
    assert path.read_bytes().startswith(b"%PDF")


@pytest.mark.parametrize(
    "arguments",
    [
        ["board", "show", "stonehedge"],
        ["board", "png", "knizia", "-o", "nowhere/board.png"],
        ["board", "png", "knizia", "-o", "b.png", "--dpi", "0"],
        ["board", "png", "knizia", "-o", "b.png", "--dpi", "1e9"],
        ["board", "png", "knizia", "-o", "b.png", "--dpi", "nan"],
        ["board", "check", "nowhere.json"],
        ["kit", "stonehedge", "-o", "kit.pdf"],
        ["kit", "knizia", "-o", "nowhere/kit.pdf"],
    ],
)
def test_bad_input_is_one_line_and_exit_code_2(
    arguments: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 2
    assert len(capsys.readouterr().err.strip().splitlines()) == 1
    assert not list(tmp_path.iterdir())
