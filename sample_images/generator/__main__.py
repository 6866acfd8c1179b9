"""Renders photographs with labels: `python -m sample_images.generator --help`."""

from __future__ import annotations

import argparse
import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path

from engine.errors import HengeError
from sample_images.generator.conditions import LIGHTS, STYLES, TROUBLES, VIEWS, Wish
from sample_images.generator.editions import EDITIONS
from sample_images.generator.lessons import LESSONS
from sample_images.generator.positions import GAMES, STAGES
from sample_images.generator.recipes import FIRST_JUDGED_SEED, SHIPPED, judged
from sample_images.generator.scene import Scene
from sample_images.generator.sets import SETS

NO_BLENDER = (
    "rendering needs Blender as a Python module: with Python 3.11, make an environment of its own and "
    "pip install -r sample_images/generator/requirements.txt"
)


def parser() -> argparse.ArgumentParser:
    """The command line."""
    top = argparse.ArgumentParser(prog="python -m sample_images.generator", description=__doc__)
    commands = top.add_subparsers(dest="command", required=True)
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--out", type=Path, required=True, help="folder for the photographs and labels")
    common.add_argument("--environments", type=Path, help="folder of .hdr files, for light 'hdr'")
    common.add_argument("--samples", type=int, default=5, help="light paths per pixel (5; 16 for showpieces)")
    common.add_argument("--threads", type=int, default=0, help="processor threads (0: all)")
    scene = commands.add_parser("scene", parents=[common], help="one scene file, or several")
    scene.add_argument("files", type=Path, nargs="+", metavar="SCENE.json")
    some = commands.add_parser("set", parents=[common], help="a random set from a seed")
    some.add_argument("--count", type=int, required=True)
    some.add_argument("--seed", type=int, default=1)
    for name, known in (
        ("game", GAMES),
        ("stage", STAGES),
        ("style", STYLES),
        ("piece-set", SETS),
        ("light", LIGHTS),
        ("view", VIEWS),
        ("trouble", TROUBLES),
    ):
        some.add_argument(
            f"--{name}", nargs="+", choices=tuple(known), help="any of these (default: the seed decides)"
        )
    some.add_argument(
        "--hard-share", type=float, default=0.0, help="share of pictures with a random trouble (0)"
    )
    series = commands.add_parser(
        "sequence", parents=[common], help="a game's positions from one fixed camera"
    )
    series.add_argument(
        "file", type=Path, metavar="SEQUENCE.json", help='{"scene": {...}, "positions": [{"pieces": [...]}]}'
    )
    commands.add_parser("shipped", parents=[common], help="the photographs that the project ships")
    tables = commands.add_parser("editions", parents=[common], help="tables that are not ours, to calibrate")
    tables.add_argument("--only", nargs="+", choices=tuple(EDITIONS), default=tuple(EDITIONS))
    evenings = commands.add_parser("series", parents=[common], help="those tables from a fixed camera")
    evenings.add_argument("--only", nargs="+", choices=tuple(EDITIONS), default=tuple(EDITIONS))
    evenings.add_argument("--seed", type=int, default=0, help="another evening, light and side of the table")
    learn = commands.add_parser("lessons", parents=[common], help="photographs that the networks learn from")
    learn.add_argument("--tables", type=int, required=True, help="each is photographed several times")
    learn.add_argument("--seed", type=int, default=1)
    learn.add_argument("--of", choices=tuple(LESSONS), default="games", help="(default: games)")
    split = commands.add_parser(
        "judged", parents=[common], help="the photographs by which the eyes are judged"
    )
    split.add_argument("--seed", type=int, default=FIRST_JUDGED_SEED, help="another split of the same kind")
    return top


def random_wishes(options: argparse.Namespace) -> Iterator[tuple[str, Wish, int]]:
    """(name, wish, seed) for `set`: every picture draws its own conditions from the allowed ones."""
    for seed in range(options.seed, options.seed + options.count):
        chance = random.Random(f"set {seed}")
        game = chance.choice(options.game or GAMES)
        stage = chance.choice(options.stage or ("opening", "middle", "middle", "full", "full"))
        troubles = (chance.choice(options.trouble),) if options.trouble else ()
        if not troubles and chance.random() < options.hard_share:
            troubles = (chance.choice(tuple(TROUBLES)),)
        environment = None
        if options.environments and not options.light and chance.random() < 0.3:
            environment = chance.choice(sorted(path.name for path in options.environments.glob("*.hdr")))
        wish = Wish(
            game,
            stage,
            *(
                chance.choice(values) if values else None
                for values in (options.style, options.piece_set, options.light, options.view)
            ),
            troubles=troubles,
            environment=environment,
        )
        yield f"{game}-{stage}-{seed:05d}", wish, seed


def _split(options: argparse.Namespace) -> list[tuple[str, Wish, int]]:
    folder = options.environments
    return judged(options.seed, sorted(path.name for path in folder.glob("*.hdr")) if folder else ())


def run(options: argparse.Namespace) -> int:
    """Do what the command line says; returns how many photographs were made."""
    from sample_images.generator import shoot

    craft = shoot.Craft(options.environments, options.samples, options.threads)
    if options.command == "scene":
        for file in options.files:
            shoot.photograph(Scene.load(file), options.out / f"{file.stem}.jpg", craft)
            _say(str(options.out / f"{file.stem}.jpg"))
        return len(options.files)
    if options.command == "sequence":
        data = json.loads(options.file.read_text(encoding="utf-8"))
        return shoot.shoot_sequence(
            Scene.from_json(data["scene"]), data["positions"], options.out, craft, _say
        )
    if options.command == "editions":
        return sum(shoot.shoot_edition(name, options.out, craft, _say) for name in options.only)
    if options.command == "series":
        return sum(shoot.shoot_series(name, options.seed, options.out, craft, _say) for name in options.only)
    if options.command == "lessons":
        tables = range(options.seed, options.seed + options.tables)
        return shoot.shoot_lessons(options.of, tables, options.out, craft, _say)
    if options.command == "set":
        wishes = random_wishes(options)
    else:
        wishes = iter(_split(options) if options.command == "judged" else SHIPPED)
    return shoot.shoot_set(wishes, options.out, craft, _say)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(arguments: list[str] | None = None) -> int:
    """Entry point: 0 done, 2 bad input."""
    options = parser().parse_args(arguments)
    try:
        count = run(options)
    except ModuleNotFoundError as error:
        _say(NO_BLENDER if error.name in ("bpy", "mathutils", "bmesh") else f"missing module: {error.name}")
        return 2
    except (HengeError, ValueError, OSError, KeyError) as error:
        _say(f"cannot render: {error}")
        return 2
    except KeyboardInterrupt:
        return 130
    _say(f"{count} photographs in {options.out}")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
