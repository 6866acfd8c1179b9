"""The recorded demo table: one game of `build` and one of `stonehenge`, played by the engine and
photographed turn by turn from one fixed camera.

    python -m sample_images.generator.demo stonehenge --out sample_images/demo/stonehenge
    python -m sample_images.generator.demo build --out sample_images/demo/build --log-only

The folder then holds `game.henge` (the whole game, hidden cards included; each move names the photograph
that shows it first), `0001.jpg` .. with their labels, the first one of the empty board. Photographs that are
there already are kept, so an interrupted run goes on where it stopped.
"""

from __future__ import annotations

import argparse
import random
import sys
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from engine import log
from engine.action import Action
from engine.board import Board, load_board
from engine.game import CHANCE, State
from engine.games.build.actions import Sabotage
from engine.games.build.state import BuildState
from engine.position import Piece, Position
from engine.record import Entry
from sample_images.generator.count import count_by_hand
from sample_images.generator.players import play
from sample_images.generator.scene import Camera, Light, Placement, Scene, Sensor, Table

LOG = "game.henge"
SAMPLES = 4


@dataclass(frozen=True)
class Recording:
    """What is recorded: game, players in seat order, the seed of the game, table and camera."""

    players: tuple[str, ...]
    seed: int
    name: str
    scene: Scene


RECORDINGS = {
    "build": Recording(
        ("red", "blue", "green"),
        47,
        "Demo: Build Stonehenge!",
        Scene(
            "anthology", "build", seed=2026, style="chalk", piece_set="kit",
            camera=Camera(elevation_deg=66, azimuth_deg=4, roll_deg=-0.6, fill=0.9, field_of_view_deg=58,
                          k1=-0.02),
            light=Light("overcast", direction_deg=300, elevation_deg=48, warmth=0.05, softness=0.6,
                        ambient=0.5),
            table=Table("walnut", 0.4, clutter=2, board_gloss=0.15),
            placement=Placement(0.18, 9.0), sensor=Sensor(exposure_ev=0.15, noise=0.1, jpeg_quality=88),
            tags=("plain", "demo", "overcast"),
        ),
    ),
    "stonehenge": Recording(
        ("black", "brown"),
        9,
        "Demo: Stonehenge",
        Scene(
            "knizia", "stonehenge", seed=2027, style="chalk", piece_set="kit",
            camera=Camera(elevation_deg=56, azimuth_deg=354, roll_deg=0.8, fill=0.9, field_of_view_deg=58,
                          k1=-0.02),
            light=Light("window", direction_deg=60, elevation_deg=46, warmth=0.1, softness=0.4, ambient=0.5),
            table=Table("oak", 0.5, clutter=2, board_gloss=0.15),
            placement=Placement(0.15, 9.0), sensor=Sensor(noise=0.1, jpeg_quality=88),
            tags=("plain", "demo", "window"),
        ),
    ),
}  # fmt: skip


@dataclass(frozen=True)
class View:
    """One photograph to be taken: `step` actions of the game have happened by then."""

    step: int
    position: Position
    label: dict[str, Any]

    @staticmethod
    def photo(number: int) -> str:
        """The file name of the photograph with this index (from 0)."""
        return f"{number + 1:04d}.jpg"


# --- when a photograph is taken ---------------------------------------------------------------------


def views_of(start: State, steps: list[tuple[Action, State]]) -> list[View]:
    """The empty board, then a view wherever one is due and shows something new."""
    views = [View(0, start.visible(), {})]
    before = start
    for number, (action, after) in enumerate(steps, start=1):
        following = steps[number][0] if number < len(steps) else None
        position = after.visible()
        if is_due(before, action, after, following) and not position.same_as(views[-1].position):
            views.append(View(number, position, {}))
        before = after
    last = steps[-1][1]
    if isinstance(last, BuildState):
        views[-1] = replace(views[-1], label=count_by_hand(last.visible(), *_owner(last)))
    return views


def _owner(state: BuildState) -> tuple[tuple[str, ...], str | None]:
    return state.players, state.players[state.neutral_owner] if state.neutral_owner >= 0 else None


def is_due(before: State, action: Action, after: State, following: Action | None) -> bool:
    """At the end of every turn, and in the middle of it where the order of moves could not be seen."""
    if following is None:
        return True
    if isinstance(before, BuildState) and isinstance(after, BuildState):
        # Who sabotages chooses the moment: what came before it and what comes after it are told apart.
        return after.turn != before.turn or isinstance(action, Sabotage) or isinstance(following, Sabotage)
    return True  # a stone, and every line that is claimed with it


# --- the log ----------------------------------------------------------------------------------------


def game_log(game: str, recording: Recording, start: State, steps: list[tuple[Action, State]],
             views: list[View]) -> log.GameLog:  # fmt: skip
    """The whole game; every action names the first photograph taken after it."""
    entries, before, shown = [], start, iter(enumerate(views))
    number, view = next(shown)
    for index, (action, after) in enumerate(steps, start=1):
        while view is not None and view.step < index:
            number, view = next(shown, (0, None))
        photo = View.photo(number) if view is not None else None
        entries.append(Entry("move", str(action), who=before.to_move or CHANCE, photo=photo))
        before = after
    totals = ", ".join(f"{player} {score.total}" for player, score in before.scores().items())
    return log.GameLog(game, recording.players, name=recording.name, entries=tuple(entries), result=totals,
                       extra={"seed": str(recording.seed)})  # fmt: skip


# --- the table --------------------------------------------------------------------------------------

# Where things lie in yard-1, in mm and degrees; the other yards are its mirror images. The card lies on its
# printed place, the parts of a trilith in the yard's two arms.
PILLARS = ((113.0, 33.0), (136.0, 27.0))
CAPSTONE = (20.0, 122.0)
MIRRORED = {
    "yard-1": (False, False),
    "yard-2": (True, False),
    "yard-3": (True, True),
    "yard-4": (False, True),
}


def laid_out(position: Position, board: Board, seed: int) -> tuple[Piece, ...]:
    """The pieces with the places of those in the yards, where nothing hides a card."""
    pillars: dict[str, int] = {}
    placed = []
    for piece in position.pieces:
        field = piece.field or ""
        if field not in MIRRORED:
            placed.append(piece)
            continue
        count = pillars[field] = pillars.get(field, -1) + (piece.kind == "pillar")
        chance = random.Random(f"{seed} {field} {piece.thing} {count}")
        x, y, angle = _spot(piece, board, max(count, 0))
        if piece.kind != "disc":  # it lies on the capstone
            x, y, angle = x + chance.gauss(0, 1), y + chance.gauss(0, 1), angle + chance.gauss(0, 3)
        placed.append(replace(piece, x_mm=round(x, 1), y_mm=round(y, 1), angle_deg=round(angle % 360, 1)))
    return tuple(placed)


def _spot(piece: Piece, board: Board, pillar: int) -> tuple[float, float, float]:
    yard = board.fields[piece.field or ""]
    across, along = MIRRORED[yard.id]
    if piece.kind == "card":
        return *yard.centre_mm, 315.0 if across == along else 225.0
    x, y = PILLARS[pillar] if piece.kind == "pillar" else CAPSTONE
    width, height = board.size_mm
    return width - x if across else x, height - y if along else y, 90.0


def positions(views: list[View], board: Board, seed: int) -> Iterator[dict[str, Any]]:
    """The views as a sequence for the photographer."""
    for view in views:
        pieces = laid_out(view.position, board, seed)
        yield {"pieces": [piece.to_json() for piece in pieces], "label": view.label}


# --- command line -----------------------------------------------------------------------------------


def record(
    game: str, out: Path, only: Collection[int] = (), log_only: bool = False, samples: int = SAMPLES
) -> int:
    """Play, write the log, take the photographs; returns how many there are."""
    recording = RECORDINGS[game]
    steps = play(game, recording.players, recording.seed)
    start = log.GameLog(game, recording.players).first_state()
    views = views_of(start, steps)
    out.mkdir(parents=True, exist_ok=True)
    written = log.write(game_log(game, recording, start, steps, views))
    (out / LOG).write_text(written, encoding="utf-8")
    _say(f"{len(steps)} actions, {len(views)} photographs: {out / LOG}")
    if log_only:
        return len(views)
    from sample_images.generator import shoot

    scene = recording.scene
    wanted = list(positions(views, load_board(scene.board), scene.seed))
    shoot.shoot_sequence(scene, wanted, out, shoot.Craft(samples=samples), _say, only)
    return len(views)


def _say(text: str) -> None:
    print(text, file=sys.stderr, flush=True)


def main(arguments: Iterable[str] | None = None) -> int:
    """Entry point: 0 done, 2 bad input."""
    parser = argparse.ArgumentParser(prog="python -m sample_images.generator.demo", description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)  # fmt: skip
    parser.add_argument("game", choices=tuple(RECORDINGS))
    parser.add_argument("--out", type=Path, required=True, help="folder for log, photographs and labels")
    parser.add_argument("--log-only", action="store_true", help="play and write the log, render nothing")
    parser.add_argument("--only", type=int, nargs="+", metavar="N", help="render only these photographs")
    parser.add_argument("--samples", type=int, default=SAMPLES, help="light paths per pixel")
    options = parser.parse_args(list(arguments) if arguments is not None else None)
    record(options.game, options.out, options.only or (), options.log_only, options.samples)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
