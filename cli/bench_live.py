"""`henge bench live`: how long after the hand is gone a move is on record.

A recorded evening's photographs are streamed as a camera in the network does it: so many JPEG pictures a
second over HTTP, with a sensor's noise. Between two of them an arm, cut out of a photograph of another
evening, reaches over the board. The live loop of `henge serve` follows the stream, and the table's page is
open in a Chromium.
"""

from __future__ import annotations

import argparse
import itertools
import statistics
import tempfile
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import cv2
import numpy as np
from rich.progress import track

from cli.bench_page import page_of
from cli.bench_vision import labelled
from cli.errors import UsageError
from cli.main import DONE
from cli.output import add_json, print_json
from engine.log import load
from engine.position import Position
from table import Hall, Table
from table.camera import Watcher
from vision import Reader
from vision.pictures.images import Image, load_image
from vision.pictures.sources import open_source, quiet_opencv
from webui import create_app
from webui.server import served

DEMO = Path(__file__).resolve().parents[1] / "sample_images" / "demo"
# An arm over the board, and the same table without it.
ARM = (DEMO / "council" / "0006.jpg", DEMO / "council" / "0005.jpg")
ARM_DIFFERS = 24  # of 255
REACHES = (0.3, 0.12, 0.0, 0.0)  # how far the arm is from where it was photographed, in picture heights
NOISE, NOISY_PICTURES = 2.0, 5  # standard deviation of 255; so many different ones
QUALITY = 88
PATIENCE_S = 8.0
PAUSE_S = 1.0  # between a move and the next hand


def add_arguments(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "folder", nargs="?", type=Path, default=DEMO / "stonehenge",
        help="a recorded game: photographs with labels, and a log (default: %(default)s)",
    )  # fmt: skip
    parser.add_argument("--moves", type=int, help="so many (default: all)")
    parser.add_argument("--fps", type=float, default=10.0, help="pictures a second (default: %(default)g)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    if not 1 <= args.fps <= 60 or (args.moves is not None and args.moves < 1):
        raise UsageError("--fps is from 1 to 60, --moves at least 1")
    evening = [(path, Position.from_json(label)) for path, label in labelled(args.folder)]
    logs = sorted(args.folder.glob("*.henge"))
    if len(evening) < 2 or not logs:
        raise UsageError(f"{args.folder} is no recorded game: it takes photographs with labels, and a log")
    quiet_opencv()
    log, arm = load(logs[0]).log, Arm(*map(load_image, ARM))
    with (
        tempfile.TemporaryDirectory(prefix="henge-bench-") as folder,
        Hall(folder) as hall,
        served(create_app(hall)) as address,
        page_of() as page,
        Stream(args.fps).served() as stream,
    ):
        table = hall.create(log.game, log.players, {**log.variant, "half_seen": True})
        page.goto(f"{address}/table/{table.id}")
        stream.play([], noisy(load_image(evening[0][0])))
        watcher = Watcher(table, open_source(stream.address), Reader(table.state.game.board, game=log.game))
        watcher.start()
        waits = list(followed(evening, arm, stream, table, args.moves))
        watcher.stop()
        drawn = int(page.evaluate("henge.entries"))
        if drawn != len(table.entries):
            raise UsageError(f"the page shows {drawn} entries, the record has {len(table.entries)}")
    report(waits, args)
    return DONE


def followed(
    evening: Sequence[tuple[Path, Position]], arm: Arm, stream: Stream, table: Table, most: int | None
) -> Iterator[float | None]:
    """Seconds from the first picture without the hand until the record says what lies there, per move; None
    if that did not come: there was a question, which nobody answers here."""
    until(lambda: table.status.name == "in_step", PATIENCE_S)
    pairs = [pair for pair in itertools.pairwise(evening) if not pair[0][1].same_as(pair[1][1])]
    for (before, _), (after, position) in track(pairs[:most], "playing", transient=True):
        time.sleep(PAUSE_S)
        old, new = load_image(before), load_image(after)
        away = [arm.over(old, reach) for reach in REACHES] + [arm.over(new, reach) for reach in REACHES[::-1]]
        stream.play([jpeg(image) for image in away], noisy(new))
        stream.is_free.wait(PATIENCE_S)
        recorded = until(partial(shows, table, position), PATIENCE_S)
        yield time.monotonic() - stream.free_at if recorded else None


def shows(table: Table, position: Position) -> bool:
    return table.state.visible().same_as(position)


def until(true: Callable[[], bool], seconds: float) -> bool:
    """Waits so long at most; whether it came true."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if true():
            return True
        time.sleep(0.005)
    return False


def report(waits: Sequence[float | None], args: argparse.Namespace) -> None:
    times = sorted(each for each in waits if each is not None)
    if not times:
        raise UsageError(f"no move of {args.folder} came into the record")
    found = {
        "game": args.folder.name,
        "moves": len(waits),
        "recorded": len(times),
        "within_1_s": sum(each <= 1.0 for each in times),
        "median_s": round(statistics.median(times), 2),
        "p90_s": round(times[int(len(times) * 0.9)], 2),
        "longest_s": round(times[-1], 2),
    }
    if args.json:
        print_json(found)
        return
    print(
        f"{found['game']}: {found['recorded']} of {found['moves']} moves recorded, "
        f"{found['within_1_s']} within 1 s after the hand was gone: median {found['median_s']} s, "
        f"9 of 10 within {found['p90_s']} s, longest {found['longest_s']} s"
    )


# --- the pictures ---------------------------------------------------------------------------------------


def jpeg(image: Image) -> bytes:
    return bytes(cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])[1].tobytes())


def noisy(image: Image) -> list[bytes]:
    """The picture as a sensor gives it, again and again."""
    rng = np.random.default_rng(7)
    noise = (rng.normal(0, NOISE, image.shape) for _ in range(NOISY_PICTURES))
    return [jpeg(np.clip(image + each, 0, 255).astype(np.uint8)) for each in noise]


class Arm:
    """What differs between a photograph with an arm over the board and the same without it, and reaches in
    from the picture's rim."""

    def __init__(self, photo: Image, without: Image) -> None:
        apart = cv2.absdiff(photo, without).max(axis=2) > ARM_DIFFERS
        closed = cv2.morphologyEx(apart.astype(np.uint8), cv2.MORPH_CLOSE, np.ones((13, 13), np.uint8))
        _, labels, stats, centres = cv2.connectedComponentsWithStats(closed)
        largest = 1 + int(stats[1:, cv2.CC_STAT_AREA].argmax())
        self._photo, self._mask = photo, (labels == largest).astype(np.uint8)
        height, width = self._mask.shape
        aside = centres[largest] - (width / 2, height / 2)
        self._away = aside / np.linalg.norm(aside) * height

    def over(self, image: Image, reach: float) -> Image:
        """The picture with the arm, drawn back by so many picture heights."""
        dx, dy = self._away * reach
        moved = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
        size = (image.shape[1], image.shape[0])
        mask = cv2.warpAffine(self._mask, moved, size)[..., None] > 0
        return np.where(mask, cv2.warpAffine(self._photo, moved, size), image).astype(np.uint8)


class Stream:
    """A camera in the network: pictures once, then others again and again. free_at: when the first of the
    latter was sent (`time.monotonic`)."""

    def __init__(self, per_second: float) -> None:
        self._period_s = 1 / per_second
        self._guard = threading.Lock()
        self._once: list[bytes] = []
        self._then: list[bytes] = []
        self._number = 0
        self.is_free = threading.Event()
        self.free_at = 0.0
        self.address = ""

    def play(self, once: Sequence[bytes], then: Sequence[bytes]) -> None:
        with self._guard:
            self._once, self._then = list(once), list(then)
            self.is_free.clear()

    def _next(self) -> bytes:
        with self._guard:
            if self._once:
                return self._once.pop(0)
            if not self.is_free.is_set():
                self.free_at = time.monotonic()
                self.is_free.set()
            self._number += 1
            return self._then[self._number % len(self._then)]

    @contextmanager
    def served(self) -> Iterator[Stream]:
        stream, ending = self, threading.Event()

        class Pictures(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                self.send_response(200)
                self.send_header("Content-Type", "multipart/x-mixed-replace; boundary=picture")
                self.end_headers()
                due = time.monotonic()
                while not ending.is_set():
                    data = stream._next()
                    head = f"--picture\r\nContent-Type: image/jpeg\r\nContent-Length: {len(data)}\r\n\r\n"
                    try:
                        self.wfile.write(head.encode() + data + b"\r\n")
                    except OSError:
                        return  # nobody looks any more
                    due = max(due + stream._period_s, time.monotonic())
                    time.sleep(max(0.0, due - time.monotonic()))

            def log_message(self, *_: object) -> None:
                pass

        with ThreadingHTTPServer(("127.0.0.1", 0), Pictures) as server:
            server.daemon_threads = True
            threading.Thread(target=server.serve_forever, daemon=True).start()
            self.address = f"http://127.0.0.1:{server.server_port}/stream.mjpg"
            yield self
            ending.set()
            server.shutdown()
