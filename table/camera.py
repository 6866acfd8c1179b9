"""The live loop: from a source of pictures to the table, in a thread of its own.

A camera's pictures are watched until hands are gone and nothing moves; then one is read and shown to the
referee. Photographs are read one by one. A camera that vanishes is waited for; whatever a picture is like,
the loop goes on.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Final, Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from engine import Observation, Position, Text
from engine.errors import HengeError
from table.table import Table
from vision.errors import CannotRead
from vision.settle import Settler
from vision.sources import Frame, Source

HAND: Final = Text("a hand is over the board", "eine Hand ist über dem Brett")
MOVING: Final = Text("waiting for a still picture", "wartet auf ein ruhiges Bild")
UNREADABLE: Final = Text(
    "this picture cannot be read: the next one will be looked at",
    "dieses Bild lässt sich nicht lesen: das nächste wird angesehen",
)
# A picture that left something open is looked at again, the next one at first.
AGAIN_S: Final = (0.0, 0.3, 1.5)
QUALITY: Final = 85


class Eyes(Protocol):
    """What the loop needs of `vision.Reader`."""

    def read(self, image: NDArray[np.uint8], before: Position | None = None) -> Observation: ...

    def learn(self, truth: Position) -> None: ...


class Watcher:
    """Watches one source for one table. `start` and `stop`, or `run` in a thread of your own."""

    def __init__(
        self,
        table: Table,
        source: Source,
        eyes: Eyes,
        *,
        settler: Settler | None = None,
        clock: Callable[[], float] = time.monotonic,
        tell: Callable[[str], None] | None = None,
        take_over: bool = False,
        to_move: str | None = None,
    ) -> None:
        """tell: is told in one line of every picture that could not be read. take_over: the first view is
        of a game that is already going on, with `to_move` to move."""
        self._table, self._source, self._eyes = table, source, eyes
        self._settler = settler or Settler()
        self._clock, self._tell = clock, tell or (lambda line: None)
        self._take_over, self._to_move = take_over, to_move
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self.run, name=f"watcher {table.id}", daemon=True)
        self._last: Observation | None = None
        self._again_at = 0.0
        self._looks = 0  # at the same picture, one after the other
        self._moving_since: float | None = None
        self._frames = 0
        self.failure: BaseException | None = None

    def start(self) -> None:
        self._thread.start()

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
            self._table.blind(
                Text(f"the camera loop has stopped: {error}", f"die Kamera-Schleife steht: {error}")
            )
            raise
        finally:
            self._source.close()

    def step(self, timeout_s: float = 0.3) -> None:
        """Takes the next picture, if there is one, and does what is to be done with it."""
        frame = self._source.read(timeout_s)
        if frame is None:
            if self._source.lost:
                self._settler.forget()
                self._table.blind(
                    Text(self._source.lost, f"von der Kamera kommt nichts: {self._source.lost}")
                )
            return
        if frame.image is None:
            self._tell(frame.problem or "")
            self._table.blind(Text(frame.problem or "", frame.problem or ""))
        elif self._source.still or self._is_ready(frame):
            self._look(frame, frame.image)

    def _is_ready(self, frame: Frame) -> bool:
        """Whether this picture of a camera is worth reading: still, no hand, and something is new or open."""
        assert frame.image is not None
        self._frames += 1
        # A video file tells its own time: ten pictures a second, however fast they come.
        now = self._clock() if self._source.live else self._frames * 0.1
        motion = self._settler.update(frame.image, now)
        if motion.state != "still":
            self._say_what_moves(motion.state, motion.changed, now)
            return False
        self._moving_since = None
        if motion.changed:
            self._looks = 0
        return motion.changed or (now >= self._again_at and self._table.status.name != "in_step")

    def _say_what_moves(self, state: str, changed: bool, now: float) -> None:
        """A flicker is not worth a word: only what goes on for a moment is told."""
        if not changed:
            return
        if self._moving_since is None:
            self._moving_since = now
        if state == "hand" or now - self._moving_since > 0.3:
            self._table.looking(HAND)

    def _look(self, frame: Frame, image: NDArray[np.uint8]) -> None:
        now = self._clock() if self._source.live else self._frames * 0.1
        self._again_at = now + AGAIN_S[min(self._looks, len(AGAIN_S) - 1)]
        self._looks += 1
        if (lesson := self._table.take_lesson(self._last)) is not None:
            self._eyes.learn(lesson)
        try:
            observation = self._eyes.read(image, before=self._before())
        except (CannotRead, cv2.error) as error:
            self._settler.settled()
            self._tell(f"{frame.name}: {error}")
            words = Text(str(error), str(error)) if isinstance(error, CannotRead) else UNREADABLE
            self._table.blind(words)
            return
        self._settler.settled()
        self._last = observation
        try:
            if self._take_over:
                self._table.take_over(observation, _jpeg(image), self._to_move)
                self._take_over = False
            else:
                self._table.see(observation, _jpeg(image), frame.at)
        except HengeError as error:
            self._tell(f"{frame.name}: {error}")
            self._table.looking(Text(str(error), str(error)))

    def _before(self) -> Position | None:
        """What lay there at the last settled view: what the record says, if it was seen to be right."""
        if self._last is None:
            return None
        return self._table.state.visible() if self._table.status.name == "in_step" else self._last.position


def _jpeg(image: NDArray[np.uint8]) -> bytes:
    ok, data = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, QUALITY])
    if not ok:
        raise CannotRead("the picture could not be kept")
    return bytes(data.tobytes())
