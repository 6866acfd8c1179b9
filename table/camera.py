"""The live loop: from a source of pictures to the table, in a thread of its own.

A camera's pictures are watched until hands are gone and nothing moves; then one is read and shown to the
referee. Photographs are read one by one. A camera that vanishes is waited for; whatever a picture is like,
the loop goes on. When a game is over and the page says so, the camera rests until the next one.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine import Observation, Position, Text, Thing
from engine.errors import HengeError
from table.german import in_both
from table.remarks import CLEAR_AWAY, LAY_OUT, named
from table.table import Table
from vision.errors import CannotRead
from vision.pictures.settle import Settler
from vision.pictures.sources import Frame, Source

HAND: Final = Text("a hand is over the board", "eine Hand ist über dem Brett")
MOVING: Final = Text("waiting for a still picture", "wartet auf ein ruhiges Bild")
UNREADABLE: Final = Text(
    "this picture cannot be read: the next one will be looked at",
    "dieses Bild lässt sich nicht lesen: das nächste wird angesehen",
)
# A picture that left something open is looked at again, the next one at first.
AGAIN_S: Final = (0.0, 0.3, 1.5)
QUALITY: Final = 85
Lying = tuple[str, Thing]  # a place, and what lies there


class Eyes(Protocol):
    """What the loop needs of `vision.Reader`."""

    def read(self, image: NDArray[np.uint8], before: Position | None = None) -> Observation: ...

    def learn(self, truth: Position) -> None: ...


class Watcher:
    """Watches one source for one table, later for another one (`watch`). `start` and `stop`, or `run` in a
    thread of your own."""

    def __init__(
        self,
        table: Table | None,
        source: Source,
        eyes: Eyes | None,
        *,
        settler: Settler | None = None,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str], None] | None = None,
        take_over: bool = False,
        to_move: str | None = None,
    ) -> None:
        """table, eyes: None until there is a game to watch. tell: is told in one line of every picture that
        could not be read. take_over: the first view is of a game that is already going on, with `to_move` to
        move."""
        self._table, self._source, self._eyes = table, source, eyes
        self._next: tuple[Table, Eyes] | None = None
        self._guard = threading.Lock()  # held while a view is entered: none is after the table has changed
        self._left: frozenset[Lying] | None = None  # of the last game, until the next one is laid out
        self._settler = settler or Settler()
        self._clock, self._tell = clock, tell or (lambda line: None)
        self._take_over, self._to_move = take_over, to_move
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self.run, name="watcher", daemon=True)
        self._last: Observation | None = None
        self._again_at = 0.0
        self._looks = 0  # at the same picture, one after the other
        self._moving_since: float | None = None
        self._frames = 0
        self.failure: BaseException | None = None

    def start(self) -> None:
        self._thread.start()

    @property
    def table(self) -> Table | None:
        """The table that the next picture is shown to."""
        following = self._next  # taken first: the loop sets the table before it forgets what was next
        return following[0] if following else self._table

    @property
    def has_ended(self) -> bool:
        """Whether nothing is watched any more: at the end of a video, or after a failure."""
        return self._source.ended or self.failure is not None

    def watch(self, table: Table, eyes: Eyes) -> None:
        """Goes on with another table. What is being read just now is not entered at the one before."""
        with self._guard:
            self._next = (table, eyes)

    def stop(self) -> None:
        """Ends the loop after the picture it is at."""
        self._stopping.set()
        if self._thread.is_alive():
            self._thread.join(timeout=20)

    def wait(self, timeout_s: float | None = None) -> bool:
        """Waits for the end of a source that has one; whether it has come."""
        self._thread.join(timeout_s)
        return not self._thread.is_alive()

    def run(self) -> None:
        """Watches until stopped, or until a video or folder is at its end."""
        try:
            while not self._stopping.is_set() and not self._source.ended:
                self.step()
        except BaseException as error:
            self.failure = error
            if self._table is not None:
                self._table.blind(
                    Text(f"the camera loop has stopped: {error}", f"die Kamera-Schleife steht: {error}")
                )
            raise
        finally:
            self._source.close()

    def step(self, timeout_s: float = 0.3) -> None:
        """Takes the next picture, if there is one, and does what is to be done with it."""
        self._change_over()
        table, eyes = self._table, self._eyes
        if table is None or eyes is None or _is_done(table):
            self._stopping.wait(timeout_s)
            return
        frame = self._source.read(timeout_s)
        if frame is None:
            if self._source.lost:
                self._settler.forget()
                table.blind(in_both(self._source.lost))
            return
        if frame.image is None:
            self._tell(frame.problem or "")
            table.blind(in_both(frame.problem or ""))
        elif self._source.still or self._is_ready(table, frame):
            self._look(table, eyes, frame, frame.image)

    def _change_over(self) -> None:
        """Turns to the table that is next, if there is one. Nothing is written into a game that is over."""
        with self._guard:
            if self._next is None:
                return
            before, last = self._table, self._last
            (self._table, self._eyes), self._next = self._next, None
        if before is not None and before is not self._table:
            self._left = _lying(before.state.visible()) | (_lying(last.position) if last else frozenset())
            if before.row.closed is None:
                before.unwatch()
        self._settler.forget()
        self._last, self._looks, self._again_at, self._moving_since = None, 0, 0.0, None
        self._take_over = False

    def _is_ready(self, table: Table, frame: Frame) -> bool:
        """Whether this picture of a camera is worth reading: still, no hand, and something is new or open."""
        assert frame.image is not None
        self._frames += 1
        # A video file tells its own time: ten pictures a second, however fast they come.
        now = self._clock() if self._source.live else self._frames * 0.1
        motion = self._settler.update(frame.image, now)
        if motion.state != "still":
            self._say_what_moves(table, motion.state, motion.changed, now)
            return False
        self._moving_since = None
        if motion.changed:
            self._looks = 0
        return motion.changed or (now >= self._again_at and table.status.name != "in_step")

    def _say_what_moves(self, table: Table, state: str, changed: bool, now: float) -> None:
        """A flicker is not worth a word: only what goes on for a moment is told."""
        if not changed:
            return
        if self._moving_since is None:
            self._moving_since = now
        if state == "hand" or now - self._moving_since > 0.3:
            table.looking(HAND)

    def _look(self, table: Table, eyes: Eyes, frame: Frame, image: NDArray[np.uint8]) -> None:
        now = self._clock() if self._source.live else self._frames * 0.1
        self._again_at = now + AGAIN_S[min(self._looks, len(AGAIN_S) - 1)]
        self._looks += 1
        if (lesson := table.take_lesson(self._last)) is not None:
            eyes.learn(lesson)
        try:
            observation = eyes.read(image, before=self._before(table))
        except (CannotRead, cv2.error) as error:
            self._settler.settled()
            self._tell(f"{frame.name}: {error}")
            table.blind(in_both(error) if isinstance(error, CannotRead) else UNREADABLE)
            return
        self._settler.settled()
        self._last = observation
        with self._guard:
            if self._next is None and not _is_done(table):
                self._enter(table, observation, frame, image)

    def _enter(self, table: Table, observation: Observation, frame: Frame, image: NDArray[np.uint8]) -> None:
        if (waits_for := self._waits_for(table, observation)) is not None:
            table.looking(waits_for)
            return
        try:
            if self._take_over:
                table.take_over(observation, _jpeg(image), self._to_move)
                self._take_over = False
            else:
                table.see(observation, _jpeg(image), frame.at)
        except HengeError as error:
            self._tell(f"{frame.name}: {error}")
            table.looking(in_both(error))

    def _waits_for(self, table: Table, observation: Observation) -> Text | None:
        """While the last game is being cleared away and the next one laid out: what is still to be done. That
        is over when the table shows the new game, or something that is of neither."""
        if self._left is None:
            return None
        lies, begins = _lying(observation.position), _lying(table.state.visible())
        if table.shows(observation) or not lies <= self._left | begins:
            self._left = None
            return None
        gone = sorted({place for place, _ in lies - begins})
        to_come = sorted({place for place, _ in begins - lies})
        return CLEAR_AWAY + named(gone) if gone else LAY_OUT + named(to_come)

    def _before(self, table: Table) -> Position | None:
        """What lay there at the last settled view: what the record says, if it was seen to be right."""
        if self._last is None:
            return None
        is_right = table.status.name == "in_step" and self._left is None
        return table.state.visible() if is_right else self._last.position


def _is_done(table: Table) -> bool:
    """Whether the game is on the shelf, and nothing is open about its end: what is done at the table then has
    nothing to do with it."""
    return table.row.closed is not None and (not table.state.is_over or table.status.name == "in_step")


def _lying(position: Position) -> frozenset[Lying]:
    return frozenset((piece.place, piece.thing) for piece in position.pieces if piece.place)


def _jpeg(image: NDArray[np.uint8]) -> bytes:
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not ok:
        raise CannotRead("the picture could not be kept")
    return bytes(data.tobytes())
