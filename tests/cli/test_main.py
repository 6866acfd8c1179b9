"""The `henge` command itself: exit codes, one clear line for what goes wrong, nothing loaded in vain."""

from __future__ import annotations

import importlib.util
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from cli import __version__
from cli.main import BAD_INPUT, COMMANDS, DONE, INTERRUPTED, build_parser, main
from engine.errors import HengeError

ROOT = Path(__file__).resolve().parents[2]
PRESENT = [name for name in COMMANDS if importlib.util.find_spec(f"cli.{name}")]


def henge(*arguments: str, **more: object) -> subprocess.CompletedProcess[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    environment.pop("HENGE_DEBUG", None)
    return subprocess.run(
        [sys.executable, "-P", "-m", "cli", *arguments],
        capture_output=True, text=True, env=environment, timeout=60, check=False, **more,  # type: ignore[call-overload]
    )  # fmt: skip


@pytest.fixture
def run_instead(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[object], int]], None]:
    """run_instead(function): `henge games` runs this function."""
    monkeypatch.delenv("HENGE_DEBUG", raising=False)
    return lambda function: monkeypatch.setattr("cli.games.run", function)


RunInstead = Callable[[Callable[[object], int]], None]


def raiser(error: BaseException) -> Callable[[object], int]:
    def run(args: object) -> int:
        raise error

    return run


def test_help_lists_every_command_and_imports_none() -> None:
    result = henge("--help")
    assert result.returncode == DONE
    for name in PRESENT:
        assert COMMANDS[name] in " ".join(result.stdout.split())


def test_every_module_of_the_folder_that_registers_is_a_known_command() -> None:
    modules = {
        path.stem for path in (ROOT / "cli").glob("*.py") if "def register(" in path.read_text("utf-8")
    }
    assert modules == set(PRESENT)


@pytest.mark.parametrize("name", PRESENT)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stop:
        build_parser(name).parse_args([name, "--help"])
    assert stop.value.code == 0
    assert f"usage: henge {name}" in capsys.readouterr().out


@pytest.mark.parametrize("arguments", [["--help"], ["rules", "--help"], ["games"]])
def test_the_rules_never_wait_for_the_eyes(arguments: list[str]) -> None:
    code = (
        "import sys, json, contextlib, io\n"
        "from cli.main import main\n"
        "with contextlib.redirect_stdout(io.StringIO()), contextlib.suppress(SystemExit):\n"
        f"    main({arguments!r})\n"
        "print(json.dumps(sorted({name.partition('.')[0] for name in sys.modules})))\n"
    )
    result = subprocess.run(
        [sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True, timeout=60
    )
    assert not {"cv2", "numpy", "flask", "rich", "PIL"} & set(json.loads(result.stdout))


def test_small_matrices_are_left_to_one_thread():
    """Told before anything loads NumPy, which looks at it only then."""
    code = "import sys, cli.main, os; print('numpy' in sys.modules, os.environ['OPENBLAS_NUM_THREADS'])"
    plain = {key: value for key, value in os.environ.items() if key != "OPENBLAS_NUM_THREADS"}
    for given, told in (({}, "1"), ({"OPENBLAS_NUM_THREADS": "2"}, "2")):
        done = subprocess.run(
            [sys.executable, "-c", code],
            env=plain | given,
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=True,
        )
        assert done.stdout.split() == ["False", told]


def test_version() -> None:
    assert henge("--version").stdout == f"henge {__version__}\n"


@pytest.mark.parametrize("arguments", [[], ["nonsense"], ["--nonsense"], ["rules"], ["rules", "new"]])
def test_wrong_usage_is_one_line(arguments: list[str]) -> None:
    result = henge(*arguments)
    assert result.returncode == BAD_INPUT
    assert result.stdout == ""
    assert result.stderr.startswith("henge")
    assert result.stderr.count("\n") == 1


def test_our_errors_are_one_line(run_instead: RunInstead, capsys: pytest.CaptureFixture[str]) -> None:
    run_instead(raiser(HengeError("no board found:\n  lay it flat")))
    assert main(["games"]) == BAD_INPUT
    assert capsys.readouterr().err == "henge: no board found: lay it flat\n"


def test_a_missing_file_is_named(run_instead: RunInstead, capsys: pytest.CaptureFixture[str]) -> None:
    run_instead(lambda args: len(Path("nowhere.jpg").read_bytes()))
    assert main(["games"]) == BAD_INPUT
    assert capsys.readouterr().err == "henge: nowhere.jpg: no such file or directory\n"


def test_the_unexpected_is_one_line_and_kept(
    run_instead: RunInstead,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
) -> None:
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    run_instead(raiser(ZeroDivisionError("oops")))
    assert main(["games"]) == BAD_INPUT
    line = capsys.readouterr().err
    (kept,) = tmp_path.iterdir()
    assert line.count("\n") == 1
    assert "ZeroDivisionError: oops" in line
    assert str(kept) in line
    assert "Traceback" in kept.read_text()


@pytest.mark.parametrize(
    ("error", "line"),
    [
        (
            ModuleNotFoundError("No module named 'chess'", name="chess.engine"),
            "the Python package chess is not installed",
        ),
        (
            ImportError("libGL.so.1: cannot open shared object file: No such file"),
            "install -y libgl1 libglib",
        ),
        (ModuleNotFoundError("No module named 'vision.eye'", name="vision.eye"), "should not have happened"),
    ],
)
def test_what_is_not_installed_is_named_with_what_to_type(
    run_instead: RunInstead, capsys: pytest.CaptureFixture[str], error: ImportError, line: str
) -> None:
    run_instead(raiser(error))
    assert main(["games"]) == BAD_INPUT
    assert line in capsys.readouterr().err


@pytest.mark.parametrize("error", [HengeError("known"), ZeroDivisionError("unknown"), OSError("file")])
def test_debugging_shows_the_traceback(
    run_instead: RunInstead, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    monkeypatch.setenv("HENGE_DEBUG", "1")
    run_instead(raiser(error))
    with pytest.raises(type(error)):
        main(["games"])


def test_ctrl_c(run_instead: RunInstead, capsys: pytest.CaptureFixture[str]) -> None:
    run_instead(raiser(KeyboardInterrupt()))
    assert main(["games"]) == INTERRUPTED
    assert capsys.readouterr().err == ""


def test_a_reader_that_stops_early_is_no_error() -> None:
    many = (
        "import sys, cli.games, cli.main\n"
        "cli.games.run = lambda args: [print('x' * 99) for _ in range(9999)] and 0\n"
        "sys.exit(cli.main.main(['games']))"
    )
    with subprocess.Popen(
        [sys.executable, "-c", many], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        assert process.stdout is not None and process.stderr is not None
        process.stdout.readline()
        process.stdout.close()
        assert process.stderr.read() == ""
        assert process.wait(timeout=30) == DONE


@pytest.mark.parametrize("closed", [">&-", "2>&-", ">&- 2>&-"])
def test_a_closed_output_is_no_error(closed: str) -> None:
    line = f'"{sys.executable}" -m cli board show knizia {closed}'
    done = subprocess.run(line, cwd=ROOT, shell=True, capture_output=True, text=True)
    assert (done.returncode, done.stderr) == (DONE, "")


def test_json_is_whole_where_the_output_knows_no_umlauts() -> None:
    done = subprocess.run(
        [sys.executable, "-m", "cli", "games", "--json"], cwd=ROOT, capture_output=True, check=True,
        env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert any("ü" in str(game) for game in json.loads(done.stdout))
