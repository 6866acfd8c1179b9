"""From scenes to files: JPEG and label side by side. Needs `bpy`."""

from __future__ import annotations

import json
import random
import tempfile
import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine.board import Board, load_board
from engine.position import Piece
from sample_images.generator import sensor
from sample_images.generator.camera import place_camera
from sample_images.generator.conditions import Wish, make_scene
from sample_images.generator.editions import scenes, write_board
from sample_images.generator.label import field_shares, label, solids, tags_in_view
from sample_images.generator.lessons import LESSONS
from sample_images.generator.placing import Placed, place_pieces
from sample_images.generator.scene import Hand, Scene
from sample_images.generator.series import series
from sample_images.generator.sets import piece_set
from sample_images.generator.studio import SAMPLES, Studio

Say = Callable[[str], None]
PLAIN_TRIES = 30


@dataclass(frozen=True)
class Craft:
    """How to render: the folder of environments, samples per pixel, threads (0: all)."""

    environments: Path | None = None
    samples: int = SAMPLES
    threads: int = 0


def photograph(
    scene: Scene, path: Path, craft: Craft, studio: Studio | None = None, with_solids: bool = False
) -> dict[str, Any]:
    """Render one scene to `path` (.jpg) with its label beside it; returns the label. The label is written
    last, so a picture that has one is complete. with_solids: it also tells `solids`."""
    board = load_board(scene.board)
    studio, placed = _prepare(scene, board, craft) if studio is None else (studio, _place(scene, board, {}))
    studio.show(placed, scene.hands)
    extra = {"solids": solids(placed, piece_set(scene.piece_set))} if with_solids else None
    return _expose(scene, board, studio, placed, path, None, extra=extra)[0]


def _place(scene: Scene, board: Board, before: dict[str, Placed]) -> dict[str, Placed]:
    return place_pieces(scene.pieces, board, piece_set(scene.piece_set), scene.placement, scene.seed, before)


def _prepare(scene: Scene, board: Board, craft: Craft) -> tuple[Studio, dict[str, Placed]]:
    view = place_camera(scene.camera, board.size_mm)
    studio = Studio(scene, board, view, craft.environments, craft.samples, craft.threads)
    placed = _place(scene, board, {})
    studio.show(placed, scene.hands)
    return studio, placed


def _expose(
    scene: Scene,
    board: Board,
    studio: Studio,
    placed: dict[str, Placed],
    path: Path,
    metering: sensor.Metering | None,
    frame: int = 0,
    extra: Mapping[str, Any] | None = None,
) -> tuple[dict[str, Any], sensor.Metering]:
    light = sensor.bend(studio.photograph(), studio.view)
    metering = metering or sensor.meter(light, scene.sensor, studio.light_colour)
    picture = sensor.expose(light, scene.sensor, metering, scene.seed * 1000 + frame)
    view, cast = studio.view, studio.caster()
    made = label(scene, board, studio.set, view, placed, cast, picture, path.name) | dict(extra or {})
    path.parent.mkdir(parents=True, exist_ok=True)
    sensor.save_photo(picture, path, scene.sensor.jpeg_quality, scene.camera.exif_orientation)
    write_label(made, path.with_suffix(".json"))
    return made, metering


def write_label(content: dict[str, Any], path: Path) -> None:
    """One line per piece, so that a person can read and compare labels."""
    lines = []
    for key, value in content.items():
        text = json.dumps(value, ensure_ascii=False, indent=1 if key == "score" else None)
        if key == "pieces" and value:
            text = "[\n  " + ",\n  ".join(json.dumps(piece, ensure_ascii=False) for piece in value) + "]"
        lines.append(f'"{key}": {text}')
    path.write_text("{" + ",\n ".join(lines) + "}\n", encoding="utf-8")


class NoSuchView(ValueError):
    """In no scene of many was everything seen that the wish says."""


def shoot_set(wishes: Iterable[tuple[str, Wish, int]], out: Path, craft: Craft, say: Say) -> int:
    """Photograph every (name, wish, seed) whose label is not there yet; returns how many were made.

    A plain scene in which a tag or a field turns out to be hidden is drawn again from the next seed; a wish
    that no scene fulfils is left out."""
    todo = [(name, wish, seed) for name, wish, seed in wishes if not (out / f"{name}.json").exists()]
    started = time.monotonic()
    for count, (name, wish, seed) in enumerate(todo, start=1):
        try:
            scene, studio = _settle(wish, seed, craft)
        except NoSuchView as error:
            say(f"{count}/{len(todo)} {name} is left out: {error}")
            continue
        made = photograph(scene, out / f"{name}.jpg", craft, studio)
        spent = (time.monotonic() - started) / count
        left = (len(todo) - count) * spent / 60
        say(
            f"{count}/{len(todo)} {name}: {', '.join(made['tags'])}; {len(made['pieces'])} pieces, "
            f"{len(made['occluded'])} fields hidden; {spent:.0f} s each, {left:.0f} min left"
        )
    return len(todo)


def _settle(wish: Wish, seed: int, craft: Craft) -> tuple[Scene, Studio]:
    """The first scene from `seed` on that is what it claims to be, in its studio."""
    for attempt in range(PLAIN_TRIES):
        scene = make_scene(wish, seed + 100_000 * attempt)
        board = load_board(scene.board)
        studio, placed = _prepare(scene, board, craft)
        if _as_claimed(scene, board, studio, placed):
            return scene, studio
    raise NoSuchView(
        f"no such view in {PLAIN_TRIES} tries for {wish}: something always hides a field or a tag"
    )


def _as_claimed(scene: Scene, board: Board, studio: Studio, placed: dict[str, Placed]) -> bool:
    """A plain picture shows every tag and field; a cropped one keeps two tags, so that it can be located."""
    cast = studio.caster()
    tags = tags_in_view(board, studio.view, cast)
    if "plain" not in scene.tags:
        return "cropped" not in scene.tags or tags >= 2
    if tags < len(board.markers):
        return False
    return min(field_shares(scene, board, studio.set, studio.view, placed, cast).values()) >= 0.5


def shoot_sequence(
    scene: Scene,
    positions: list[dict[str, Any]],
    out: Path,
    craft: Craft,
    say: Say,
    only: Collection[int] = (),
) -> int:
    """Photograph positions one after another from one fixed camera; returns how many pictures there are.

    Each entry is a position (`pieces`); with "hand": true a picture is taken before it, in which an arm
    reaches for the first place that changes while everything still lies as before; "label" holds further
    keys for its label, "tags" further tags. "camera" and "light" hold what is different from there on, for a
    camera that is knocked and a lamp that is switched on: both hold on until another entry says otherwise.
    "copy" names a photograph, as seen from `out`, that is put there instead of taking one; with "taken":
    false the position only says where things have come to lie by then.
    What does not change stays exactly where it lies; exposure and white balance stay as the first picture in
    a light set them. Pictures that have a label already are kept (only the first is taken again, for its
    exposure); `only`: just those with these numbers."""
    board = load_board(scene.board)
    studio: Studio | None = None
    placed: dict[str, Placed] = {}
    metering, number, made, started = None, 0, 0, time.monotonic()
    for index, entry in enumerate(positions):
        pieces = tuple(Piece.from_json(piece) for piece in entry["pieces"])
        then = _place(replace(scene, pieces=pieces), board, placed)
        scene, known = _changed(scene, entry), scene
        if scene.light != known.light:
            studio = metering = None
        elif studio and scene.camera != known.camera:
            studio.aim(place_camera(scene.camera, board.size_mm))
        frames = [(then, ())] if entry.get("taken", True) else []
        if entry.get("hand"):
            frames.insert(0, (placed, (_reaching(board, placed, then, scene.seed + index),)))
        for shown, hands in frames:
            number += 1
            tags = (*scene.tags, *entry.get("tags", ()), *(("hand",) if hands else ()))
            if hands:
                tags = tuple("hard" if tag == "plain" else tag for tag in tags)
            path = out / f"{number:04d}.jpg"
            if only and number not in only:
                continue
            if "copy" in entry and not hands:
                _copy_photo(out / entry["copy"], path)
                continue
            if metering and path.with_suffix(".json").exists():
                continue
            studio = studio or _prepare(replace(scene, pieces=()), board, craft)[0]
            studio.show(shown, hands)
            tagged = replace(scene, tags=tags)
            extra = {} if hands else entry.get("label", {})
            _, metering = _expose(tagged, board, studio, dict(shown), path, metering, number, extra)
            made += 1
            spent = (time.monotonic() - started) / made
            say(f"{index + 1}/{len(positions)} {path.name}: {spent:.0f} s each")
        placed = then
    return number


def _changed(scene: Scene, entry: Mapping[str, Any]) -> Scene:
    """The scene as it is from this entry of a sequence on."""
    camera, light = (replace(old, **entry.get(key, {})) for key, old in
                     (("camera", scene.camera), ("light", scene.light)))  # fmt: skip
    return replace(scene, camera=camera, light=light)


def _copy_photo(source: Path, path: Path) -> None:
    """The same photograph once more, with its label."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(source.read_bytes())
    content = json.loads(source.with_suffix(".json").read_text(encoding="utf-8"))
    write_label(content | {"image": path.name}, path.with_suffix(".json"))


def shoot_lessons(of: str, tables: Iterable[int], out: Path, craft: Craft, say: Say) -> int:
    """Photograph tables to learn from (`of`: a name of LESSONS), several positions on each; returns how many
    pictures there are."""
    count, made, started = 0, 0, time.monotonic()
    for table in tables:
        scenes = LESSONS[of](table)
        paths = [out / f"{table:06d}-{number}-{each.game}.jpg" for number, each in enumerate(scenes)]
        count += len(paths)
        if all(path.with_suffix(".json").exists() for path in paths):
            continue
        board = load_board(scenes[0].board)
        studio = _prepare(replace(scenes[0], pieces=()), board, craft)[0]
        for scene, path in zip(scenes, paths, strict=True):
            studio.show({})
            studio.aim(place_camera(scene.camera, board.size_mm))
            photograph(scene, path, craft, studio, with_solids=True)
        made += len(paths)
        say(f"table {table}: {made} pictures, {(time.monotonic() - started) / made:.0f} s each")
    return count


def shoot_edition(name: str, out: Path, craft: Craft, say: Say) -> int:
    """Photograph a table that is not ours into out/name; returns how many photographs there are."""
    count, studio = 0, None
    with tempfile.TemporaryDirectory() as folder:
        for file, scene in scenes(name, write_board(name, Path(folder) / f"{name}.json")):
            count += 1
            path = out / name / f"{file}.jpg"
            if path.with_suffix(".json").exists():
                continue
            studio = studio or _prepare(replace(scene, pieces=()), load_board(scene.board), craft)[0]
            photograph(scene, path, craft, studio)
            say(str(path))
    return count


def shoot_series(name: str, seed: int, out: Path, craft: Craft, say: Say) -> int:
    """Photograph a series at a table that is not ours into out/name, the empty board into out/empty, its
    board file into out/boards; returns how many photographs there are. seed: which evening there."""
    board_file = write_board(name, out / "boards" / f"{name}.json")
    scene, steps = series(name, load_board(str(board_file)), board_file, seed)
    count = shoot_sequence(scene, steps, out / name, craft, say)
    (out / "empty").mkdir(exist_ok=True)
    for kind in (".jpg", ".json"):
        (out / name / "0001").with_suffix(kind).replace((out / "empty" / name).with_suffix(kind))
    return count


def _reaching(board: Board, before: dict[str, Placed], after: dict[str, Placed], seed: int) -> Hand:
    """An arm from a side of the table to where the first piece comes or goes."""
    chance = random.Random(f"hand {seed}")
    changed = [lies for key, lies in (after | before).items() if (key in before) != (key in after)]
    piece = changed[0].piece if changed else None
    x, y = (piece.x_mm, piece.y_mm) if piece else (board.size_mm[0] / 2, board.size_mm[1] / 2)
    side = chance.choice((0, 90, 180, 270)) + chance.gauss(0, 15)
    return Hand(x or 0.0, y or 0.0, side, chance.uniform(15, 40), chance.random(), (0.2, 0.25, 0.35))
