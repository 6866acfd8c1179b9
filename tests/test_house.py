"""The house keeps its order: imports go one way, the engine needs nothing but Python, and nothing in the
repository depends on the machine it was written on."""

from __future__ import annotations

import ast
import importlib
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
MAY_IMPORT = {
    "engine": (),
    "calibration": ("engine",),
    "sample_images": ("engine", "calibration"),
    "vision": ("engine", "calibration"),
    "table": ("engine", "calibration", "vision"),
    "webui": ("engine", "calibration", "vision", "table"),
    "cli": ("engine", "calibration", "vision", "table", "webui", "sample_images"),
}
# Put together here, so that this file does not contain what it looks for.
PACKAGE_HOSTS = (b"py" + b"pi.org", b"python" + b"hosted.org", b"npm" + b"js.org", b"deb.debian" + b".org")
MACHINE_PATH = re.compile(rb"(?<![\w.~*-])/(?:work|root|home|Users)/\w+")
# Packages whose import has another name than what is installed.
DISTRIBUTION = {"cv2": "opencv-python", "PIL": "pillow", "pillow_heif": "pillow-heif", "werkzeug": "flask"}
# Only for those who render pictures, train networks or measure speeds.
MAKERS = {
    "sample_images": {"bpy", "bmesh", "mathutils", "mitsuba", "drjit"},
    "vision": {"torch", "onnx"},
    "cli": {"chess", "playwright"},
}
PICTURES = {".jpg", ".jpeg", ".png", ".pdf", ".mp4", ".avi"}


def modules_of(folder: str) -> list[Path]:
    return sorted((ROOT / folder).rglob("*.py"))


def imported_packages(path: Path) -> Iterator[tuple[str, int]]:
    """(top-level package, line) of every import in a file, those inside functions included."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from ((name.name.partition(".")[0], node.lineno) for name in node.names)
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            yield node.module.partition(".")[0], node.lineno


def tracked_files() -> list[Path]:
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=False)
    if listed.returncode != 0:
        pytest.skip("not a git checkout")
    return [ROOT / name for name in listed.stdout.decode().split("\0") if name and (ROOT / name).is_file()]


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_imports_go_one_way(folder: str) -> None:
    others = set(MAY_IMPORT) - {folder, *MAY_IMPORT[folder]} | {"tests"}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {package}"
        for path in modules_of(folder)
        for package, line in imported_packages(path)
        if package in others
    ]
    assert not wrong


def test_the_engine_needs_only_the_standard_library() -> None:
    allowed = {"engine", *sys.stdlib_module_names}
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {package}"
        for path in modules_of("engine")
        for package, line in imported_packages(path)
        if package not in allowed
    ]
    assert modules_of("engine")
    assert not wrong


def test_what_players_install_is_all_that_is_imported() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for_everybody = names_of(project["dependencies"])
    wrong = [
        f"{path.relative_to(ROOT)}:{line} imports {package}"
        for folder in MAY_IMPORT
        for path in modules_of(folder)
        for package, line in imported_packages(path)
        if package not in {*MAY_IMPORT, *sys.stdlib_module_names, *MAKERS.get(folder, ())}
        and DISTRIBUTION.get(package, package) not in for_everybody
    ]
    assert not wrong


def test_the_check_sees_imports_inside_functions(tmp_path: Path) -> None:
    path = tmp_path / "module.py"
    path.write_text("def f():\n    import cv2.aruco\n    from webui.app import create_app\n")
    assert set(imported_packages(path)) == {("cv2", 2), ("webui", 3)}


def test_no_file_names_a_package_host_or_a_path_of_one_machine() -> None:
    wrong = []
    for path in tracked_files():
        if path.suffix.lower() in PICTURES:
            continue
        content = path.read_bytes()
        wrong += [f"{path.relative_to(ROOT)}: {host.decode()}" for host in PACKAGE_HOSTS if host in content]
        wrong += [f"{path.relative_to(ROOT)}: {found.decode()}" for found in MACHINE_PATH.findall(content)]
    assert not wrong


@pytest.mark.parametrize("folder", MAY_IMPORT)
def test_every_exported_name_exists(folder: str) -> None:
    package = importlib.import_module(folder)
    assert package.__file__ is not None, f"{folder}/ has no __init__.py"
    assert [name for name in getattr(package, "__all__", ()) if not hasattr(package, name)] == []


def test_the_engine_exports_what_others_rely_on() -> None:
    import engine

    assert {
        "CHANCE", "GAMES", "Action", "Game", "HengeError", "IllegalActionError", "Observation", "Piece",
        "Position", "Score", "State", "StateError", "Text", "UnknownActionError", "load_game",
    } <= set(engine.__all__)  # fmt: skip


def names_of(requirements: list[str]) -> set[str]:
    """The names in a list of requirements: ["flask>=3"] -> {"flask"}."""
    return {re.split(r"[^\w-]", entry)[0].replace("_", "-") for entry in requirements}


def pins(lock: str) -> set[str]:
    """The lines "name==version ; marker" of a lock file."""
    lines = (ROOT / lock).read_text(encoding="utf-8").splitlines()
    return {line.rstrip(" \\") for line in lines if re.match(r"[a-z0-9-]+==", line)}


def test_tests_run_on_the_versions_that_players_get() -> None:
    assert pins("requirements.lock")
    assert pins("requirements.lock") <= pins("requirements-test.lock")


def test_every_dependency_is_pinned_with_its_hashes() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    for lock, wanted in {
        "requirements.lock": project["dependencies"],
        "requirements-test.lock": project["dependencies"] + project["optional-dependencies"]["test"],
    }.items():
        assert names_of(wanted) <= {pin.partition("==")[0] for pin in pins(lock)}
        entries = re.split(r"\n(?=[a-z0-9-]+==)", (ROOT / lock).read_text(encoding="utf-8"))
        assert all("--hash=sha256:" in entry for entry in entries if "==" in entry)
