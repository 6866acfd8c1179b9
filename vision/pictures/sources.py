"""Where pictures come from: a camera, a stream, a video file, a folder of photographs.

    open_source("0")  open_source("/dev/video2")  open_source("http://phone:8080/video")
    open_source("evening.mp4")  open_source("photos/")

A *live* source gives its newest picture and forgets the others; it may vanish and come back. A *kept*
source (video, folder) gives every picture in order and then ends; a folder can be watched for new ones.
"""

from __future__ import annotations

import os
import re
import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from PIL import ExifTags
from PIL import Image as Pillow

from vision.errors import CannotRead, SourceLost
from vision.pictures.images import MOST_PIXELS, Image, load_image

PHOTOS: Final = (".jpg", ".jpeg", ".png", ".heic", ".heif", ".avif", ".webp", ".bmp", ".tif", ".tiff")
VIDEOS: Final = (".mp4", ".mov", ".avi", ".mkv", ".webm", ".m4v", ".mjpg", ".mjpeg")
RETRY_S: Final = 1.0
VIDEO_STEP_S: Final = 0.1  # of a video file so often one picture is looked at
_TAKEN, _TAKEN_PARTS = ExifTags.Base.DateTimeOriginal, ExifTags.Base.SubsecTimeOriginal


@dataclass(frozen=True)
class Frame:
    """One picture. image: uint8 (H, W, 3) BGR, or None with `problem` saying why it could not be had.
    name: of the file, or the picture's number. at: when it was taken (ISO 8601), if known."""

    image: Image | None
    name: str
    at: str | None = None
    problem: str | None = None
    path: Path | None = None


class Source(ABC):
    """live: only the newest picture matters. still: every picture was taken to be read (a photograph),
    so that nobody has to wait until hands are gone. lost: why nothing comes at the moment."""

    live = False
    still = False
    lost: str | None = None
    ended = False

    @abstractmethod
    def read(self, timeout_s: float = 1.0) -> Frame | None:
        """The next picture, or None if there is none within `timeout_s` or none any more (`ended`)."""

    def close(self) -> None:  # noqa: B027 - most sources hold nothing
        """Lets go of the device."""

    def __enter__(self) -> Source:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def open_source(spec: str, *, watch: bool = False) -> Source:
    """The source that a person named: index or device of a camera, URL, video file, folder of photos.

    watch: a folder does not end but waits for new photographs. Raises SourceLost if it is not there."""
    if spec.isdigit():
        return Camera(lambda: cv2.VideoCapture(int(spec)), f"camera {spec}")
    if "://" in spec:
        return Camera(lambda: cv2.VideoCapture(spec), spec)
    path = Path(spec)
    if spec.startswith("/dev/"):
        return Camera(lambda: cv2.VideoCapture(spec), spec)
    if path.is_dir():
        return Photos(folder=path, watch=watch)
    if path.suffix.lower() in VIDEOS and path.is_file():
        return Video(path)
    if path.is_file():
        return Photos([path])
    raise SourceLost(
        f"{spec} is not there: expected the number of a camera, a device, a URL, a video or a folder of "
        "photographs"
    )


# --- photographs -------------------------------------------------------------------------------------


def in_order(paths: Iterable[Path]) -> list[Path]:
    """Photographs in the order in which they were taken: by their EXIF times if all have one, else by
    name, numbers in it counted as numbers."""
    by_name = sorted(paths, key=lambda path: (natural(path.name), str(path)))
    times = {path: taken_at(path) for path in by_name}
    if all(times.values()):
        by_name.sort(key=lambda path: str(times[path]))  # stable: the same second stays in order of names
    return by_name


def natural(name: str) -> list[tuple[int, int | str]]:
    """A key that puts photo-9 before photo-10."""
    return [
        (0, int(part)) if part.isdecimal() else (1, part.lower()) for part in re.split(r"(\d+)", name) if part
    ]


def taken_at(path: Path) -> str | None:
    """When the photograph was taken, as ISO 8601 text, from its EXIF data; None if it does not say."""
    try:
        with Pillow.open(path) as picture:
            exif = picture.getexif().get_ifd(ExifTags.IFD.Exif)
        taken = datetime.strptime(str(exif[_TAKEN]).strip("\0 "), "%Y:%m:%d %H:%M:%S")
    except Exception:  # whatever a broken header makes Pillow stumble over: it does not say
        return None
    parts = re.sub(r"\D", "", str(exif.get(_TAKEN_PARTS, "")))
    return taken.isoformat() + (f".{parts}" if parts else "")


def film_focal_mm(path: Path) -> float | None:
    """The 35 mm equivalent of the focal length that a phone wrote into the photograph; None if it did not."""
    try:
        with Pillow.open(path) as picture:
            value = float(picture.getexif().get_ifd(ExifTags.IFD.Exif)[ExifTags.Base.FocalLengthIn35mmFilm])
    except Exception:  # whatever a broken header makes Pillow stumble over: it does not say
        return None
    return value if 5 < value < 500 else None


class Photos(Source):
    """Photographs, each of them to be read: those given, or those of a folder, new ones included."""

    still = True

    def __init__(
        self, paths: Sequence[Path] = (), *, folder: Path | None = None, watch: bool = False,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:  # fmt: skip
        self._folder, self._watch, self._sleep = folder, watch, sleep
        self._waiting = in_order(paths)
        self._known = {path.name for path in paths}
        self._sizes: dict[Path, int] = {}
        if folder is not None:
            self._waiting = in_order(photos_in(folder))
            self._known = {path.name for path in self._waiting}
            if not self._waiting and not watch:
                raise SourceLost(no_photographs(folder))

    def __len__(self) -> int:
        """How many are waiting."""
        return len(self._waiting)

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        if not self._waiting and self._watch:
            self._look_for_new()
            if not self._waiting:
                self._sleep(min(timeout_s, RETRY_S))
                return None
        if not self._waiting:
            self.ended = True
            return None
        path = self._waiting.pop(0)
        try:
            return Frame(load_image(path), path.name, taken_at(path), path=path)
        except (CannotRead, SourceLost) as error:
            return Frame(None, path.name, problem=str(error), path=path)

    def _look_for_new(self) -> None:
        """New photographs, once their size has stopped growing: a phone may still be sending them."""
        assert self._folder is not None
        try:
            found = photos_in(self._folder)
        except OSError as error:
            self.lost = f"{self._folder} is gone: {error.strerror or error}"
            return
        self.lost = None
        ready = []
        for path in found:
            if path.name in self._known:
                continue
            size = path.stat().st_size
            if size and self._sizes.get(path) == size:
                ready.append(path)
                self._known.add(path.name)
            self._sizes[path] = size
        self._waiting = in_order(ready)


def photos_in(folder: Path) -> list[Path]:
    """The photographs that lie in a folder, those of its subfolders and hidden ones not among them."""
    return [
        path for path in folder.iterdir() if path.suffix.lower() in PHOTOS and not path.name.startswith(".")
    ]


def no_photographs(folder: Path) -> str:
    """What is said of a folder without any."""
    return f"{folder} holds no photographs ({', '.join(PHOTOS)})"


# --- moving pictures -----------------------------------------------------------------------------------


class Video(Source):
    """A video file: about ten pictures of every second, in order, none lost."""

    def __init__(self, path: Path, step_s: float = VIDEO_STEP_S) -> None:
        self._capture = cv2.VideoCapture(str(path))
        self._name = path.name
        if not self._capture.isOpened():
            raise SourceLost(f"{path} cannot be played: expected a video file such as MP4")
        per_second = self._capture.get(cv2.CAP_PROP_FPS) or 25.0
        self._skip = max(0, round(per_second * step_s) - 1)
        self._per_second, self._number = per_second, 0

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        for _ in range(self._skip if self._number else 0):
            self._number += 1
            if not self._capture.grab():
                break
        ok, image = self._capture.read()
        if not ok or image is None:
            self.ended = True
            return None
        seconds = self._number / self._per_second
        self._number += 1
        return Frame(np.asarray(image, np.uint8), f"{self._name} at {seconds:.1f} s")

    def skip_to(self, seconds: float) -> None:
        """Passes over what was looked at before."""
        while self.seconds < seconds and self._capture.grab():
            self._number += 1

    @property
    def seconds(self) -> float:
        """How far the video has been looked at."""
        return self._number / self._per_second

    def close(self) -> None:
        self._capture.release()


class Camera(Source):
    """A camera or stream. A thread reads all the time, because drivers and phones queue old pictures; when
    nothing comes any more the camera is opened again, every second until it is back."""

    live = True

    def __init__(self, connect: Callable[[], Any], name: str, retry_s: float = RETRY_S) -> None:
        """connect: makes a `cv2.VideoCapture` or the like. Raises SourceLost if there is no picture."""
        self._connect, self._name, self._retry_s = connect, name, retry_s
        self._fresh = threading.Condition()
        self._newest: Frame | None = None
        self._number = 0
        self._closing = threading.Event()
        self._capture = self._opened()
        if self._capture is None:
            raise SourceLost(
                f"no picture comes from {name}: is it connected, and does no other program use it?"
            )
        self._thread = threading.Thread(target=self._run, name=f"camera {name}", daemon=True)
        self._thread.start()

    def read(self, timeout_s: float = 1.0) -> Frame | None:
        with self._fresh:
            self._fresh.wait_for(lambda: self._newest is not None, timeout_s)
            frame, self._newest = self._newest, None
            return frame

    def close(self) -> None:
        self._closing.set()
        self._thread.join(timeout=5)

    def _opened(self) -> Any | None:
        """The camera if it gives a picture of a reasonable size now, else None."""
        capture = self._connect()
        if capture.isOpened():
            capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)
            ok, image = capture.read()
            if ok and image is not None and image.shape[0] * image.shape[1] <= MOST_PIXELS:
                return capture
        capture.release()
        return None

    def _run(self) -> None:
        while not self._closing.is_set():
            if self._capture is None:
                self._capture = self._opened()
                if self._capture is None:
                    self._closing.wait(self._retry_s)
                    continue
                self.lost = None
            ok, image = self._capture.read()
            if not ok or image is None:
                self._capture.release()
                self._capture = None
                self.lost = f"no picture comes from {self._name} any more: check the cable or the phone"
                continue
            self._put(np.asarray(image, np.uint8))
        if self._capture is not None:
            self._capture.release()

    def _put(self, image: Image) -> None:
        with self._fresh:
            self._number += 1
            now = datetime.now().astimezone().isoformat("T", "milliseconds")
            self._newest = Frame(image, str(self._number), now)
            self._fresh.notify_all()


def quiet_opencv() -> None:
    """OpenCV writes its own messages about missing cameras to stderr; ours say it better."""
    os.environ.setdefault("OPENCV_LOG_LEVEL", "SILENT")
    cv2.utils.logging.setLogLevel(cv2.utils.logging.LOG_LEVEL_SILENT)
