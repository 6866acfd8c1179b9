"""Where pictures come from: folders in order, videos, cameras that vanish and come back."""

from __future__ import annotations

import threading
from pathlib import Path

import cv2
import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from PIL import Image as Pillow

from vision.errors import SourceLost
from vision.pictures.sources import Camera, Photos, Video, in_order, natural, open_source, taken_at


def photo(path: Path, taken: str | None = None, colour: int = 90) -> Path:
    picture = Pillow.new("RGB", (64, 48), (colour, colour, colour))
    exif = Pillow.Exif()
    if taken:
        exif.get_ifd(0x8769)[0x9003] = taken
    picture.save(path, exif=exif)
    return path


def test_photos_come_in_the_order_in_which_they_were_taken(tmp_path):
    photo(tmp_path / "a.jpg", "2026:03:06 20:00:00")
    photo(tmp_path / "b.jpg", "2026:03:06 19:00:00")
    assert [path.name for path in in_order(tmp_path.iterdir())] == ["b.jpg", "a.jpg"]
    assert taken_at(tmp_path / "b.jpg") == "2026-03-06T19:00:00"


def test_without_times_they_come_in_the_order_of_their_numbers(tmp_path):
    for name in ("photo10.jpg", "photo9.jpg", "photo1.jpg"):
        photo(tmp_path / name)
    photo(tmp_path / "photo2.jpg", "1999:01:01 00:00:00")  # one time alone says nothing
    names = [path.name for path in in_order(tmp_path.iterdir())]
    assert names == ["photo1.jpg", "photo2.jpg", "photo9.jpg", "photo10.jpg"]


@given(st.text(max_size=8), st.text(max_size=8))
def test_any_two_names_can_be_ordered(first, second):
    assert (natural(first) < natural(second)) in (True, False)


def test_every_photo_is_given_once_and_a_bad_one_with_its_problem(tmp_path):
    photo(tmp_path / "1.jpg")
    (tmp_path / "2.jpg").write_text("this is no picture")
    photo(tmp_path / "3.jpg")
    (tmp_path / "notes.txt").write_text("not a photo at all")
    with open_source(str(tmp_path)) as source:
        frames = [source.read() for _ in range(4)]
    assert [frame and frame.name for frame in frames] == ["1.jpg", "2.jpg", "3.jpg", None] and source.ended
    assert frames[1].image is None and "2.jpg" in frames[1].problem
    assert frames[0].image.shape == (48, 64, 3)


def test_a_watched_folder_gives_new_photos_once_they_are_whole(tmp_path):
    source = Photos(folder=tmp_path, watch=True, sleep=lambda seconds: None)
    assert source.read() is None and not source.ended
    photo(tmp_path / "1.jpg")
    assert source.read() is None, "it may still be growing"
    assert source.read().name == "1.jpg"
    assert source.read() is None


@pytest.mark.parametrize("spec", ["/nowhere/at/all", "missing.mp4"])
def test_what_is_not_there_is_told_in_one_line(spec):
    with pytest.raises(SourceLost, match="is not there"):
        open_source(spec)


def test_a_folder_without_photos_is_told(tmp_path):
    with pytest.raises(SourceLost, match="holds no photographs"):
        open_source(str(tmp_path))


def test_a_video_gives_ten_pictures_a_second(tmp_path):
    path = tmp_path / "evening.avi"
    writer = cv2.VideoWriter(str(path), cv2.VideoWriter.fourcc(*"MJPG"), 30.0, (64, 48))
    for number in range(60):
        writer.write(np.full((48, 64, 3), number * 4, np.uint8))
    writer.release()
    with Video(path) as video:
        grey = []
        while (frame := video.read()) is not None:
            grey.append(int(frame.image.mean()) // 4)
    assert 19 <= len(grey) <= 21 and grey == sorted(grey) and video.ended
    assert grey[1] - grey[0] in (2, 3, 4)


def test_a_text_file_is_no_video(tmp_path):
    (tmp_path / "evening.mp4").write_text("not a video")
    with pytest.raises(SourceLost, match="cannot be played"):
        open_source(str(tmp_path / "evening.mp4"))


class Plug:
    """A camera with a plug: gives pictures while it is in."""

    def __init__(self) -> None:
        self.plugged = threading.Event()
        self.plugged.set()
        self.given = 0

    def isOpened(self) -> bool:  # noqa: N802 - as OpenCV calls it
        return self.plugged.is_set()

    def set(self, *_: object) -> None:
        pass

    def release(self) -> None:
        pass

    def read(self):
        threading.Event().wait(0.002)
        if not self.plugged.is_set():
            return False, None
        self.given += 1
        return True, np.full((4, 4, 3), self.given % 250, np.uint8)


def test_a_camera_vanishes_and_comes_back():
    plug = Plug()
    camera = Camera(lambda: plug, "camera 0", retry_s=0.01)
    try:
        assert camera.read().image is not None and camera.lost is None
        plug.plugged.clear()
        wait_until(lambda: camera.lost is not None)
        assert "camera 0" in camera.lost
        plug.plugged.set()
        wait_until(lambda: camera.lost is None)
        assert camera.read() is not None
    finally:
        camera.close()


def test_only_the_newest_picture_of_a_camera_matters():
    plug = Plug()
    camera = Camera(lambda: plug, "camera 0")
    try:
        first = int(camera.read().name)
        wait_until(lambda: plug.given > first + 20)
        assert int(camera.read().name) > first + 10
    finally:
        camera.close()


def test_a_camera_that_is_not_there_is_told_in_one_line():
    plug = Plug()
    plug.plugged.clear()
    with pytest.raises(SourceLost, match="no picture comes from camera 7"):
        Camera(lambda: plug, "camera 7")


def wait_until(true) -> None:
    for _ in range(1000):
        if true():
            return
        threading.Event().wait(0.005)
    pytest.fail("waited in vain")
