"""Finding the board, and saying why it cannot be found."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from engine.board import load_board
from vision import Reader
from vision.errors import NoBoard
from vision.finding import locate
from vision.finding.locate import (
    TooFewTags,
    _expected,
    by_corners,
    by_reference,
    by_tags,
    features_of,
    find_tags,
    refine,
    which_board,
)
from vision.prints.light import fit_light
from vision.prints.printed import OTHER_ARTWORK, PRINTS, print_seen, printed_surface

PHOTOS = Path(__file__).resolve().parents[3] / "sample_images" / "photos"


def corners_of(picture):
    width, height = picture.board.size_mm
    return picture.view.project(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))


def off(located, picture):
    """Largest error of fields' places, px."""
    points = np.array([each.centre_mm for each in picture.board.fields.values()])
    return np.linalg.norm(located.view.project(points) - picture.view.project(points), axis=1).max()


@pytest.mark.parametrize("board_id", ["anthology", "knizia"])
def test_tags_and_print_give_the_view_to_a_fraction_of_a_pixel(picture_of, board_id):
    picture = picture_of(board_id)
    assert which_board(picture.grey) == board_id
    found = by_tags(picture.grey, picture.board)
    assert found.tags == 4
    better = refine(picture.grey, found, printed_surface(picture.board))
    assert better.points > 100 and off(better, picture) < 0.5


def test_corners_given_by_hand_are_put_right_by_the_print(picture_of):
    picture = picture_of("knizia")
    rough = corners_of(picture) + np.array([[3, -2], [-2, 3], [2, 2], [-3, 1]])
    found = by_corners(rough, picture.board, picture.view.size_px)
    better = refine(picture.grey, found, printed_surface(picture.board))
    assert off(better, picture) < 0.6 < off(found, picture)


def test_the_board_is_found_again_by_its_features(picture_of):
    picture = picture_of("anthology")
    turned = cv2.warpAffine(picture.image, cv2.getRotationMatrix2D((480, 360), 25, 0.8), (960, 720))
    found = by_reference(cv2.cvtColor(turned, cv2.COLOR_BGR2GRAY), picture.grey, picture.view)
    truth = (cv2.getRotationMatrix2D((480, 360), 25, 0.8) @ np.vstack([corners_of(picture).T, np.ones(4)])).T
    width, height = picture.board.size_mm
    seen = found.view.project(np.array([[0.0, 0.0], [width, 0.0], [width, height], [0.0, height]]))
    assert np.abs(seen - truth).max() < 4


def test_the_light_is_evened_out(picture_of):
    picture = picture_of("knizia")
    surface = printed_surface(picture.board)
    light = fit_light(picture.image, picture.view, surface)
    spaces = picture.board.fields_of_kind("space")
    # Beside the letters: the middle of a space carries its letter.
    mm = np.array([[(x - 8.5, y)] for x, y in (each.centre_mm for each in spaces)], np.float32)
    pixels = picture.view.project(mm.reshape(-1, 2)).astype(np.float32)
    seen = cv2.remap(picture.image, pixels[None], None, cv2.INTER_LINEAR)[0].astype(np.float32)
    evened = light.even_out(seen, mm[:, 0])
    printed = surface.sample(mm[None, :, :], [0.5])[0, :, 0]
    assert light.misfit < 0.2
    assert np.abs(evened - printed).mean() < 0.04 < np.abs(seen / 255 - printed).mean()


@pytest.mark.parametrize("board", ["anthology", "knizia"])
@pytest.mark.parametrize("style", PRINTS)
@pytest.mark.parametrize("gain", [(1.0, 1.0, 1.0), (0.3, 0.27, 0.22), (0.6, 0.9, 1.1)])
def test_prints_are_told_apart_in_any_light(picture_of, board, style, gain):
    picture = picture_of(board, style=style)
    lit = np.clip(picture.image * np.array(gain), 0, 255).astype(np.uint8)
    assert print_seen(lit, picture.view, picture.board) == style


def test_under_a_large_arm_the_print_is_known_by_its_details(picture_of):
    """Its colours alone say that it is none of ours."""
    picture = picture_of("anthology")
    image, (height, width) = picture.image.copy(), picture.image.shape[:2]
    elbow, wrist = (round(0.2 * width), height), (round(0.62 * width), round(0.35 * height))
    fingers = (round(0.7 * width), round(0.25 * height))
    cv2.line(image, elbow, wrist, (40, 110, 20), round(0.3 * width))
    cv2.line(image, wrist, fingers, (120, 150, 210), round(0.18 * width))
    misfit = fit_light(image, picture.view, printed_surface(picture.board)).misfit
    assert misfit > OTHER_ARTWORK
    assert print_seen(image, picture.view, picture.board) == "chalk"


def test_a_dark_print_under_bright_pieces_and_a_mirrored_sky_is_known_by_its_details(picture_of):
    """Its colours are nearer to those of a pale print."""
    picture = picture_of("anthology", style="night")
    image, width = picture.image.astype(float), picture.image.shape[1]
    colours = [(60, 40, 200), (60, 200, 230), (200, 120, 40), (90, 160, 60), (235, 235, 235)]
    for number, field in enumerate(picture.board.fields.values()):
        outline = np.round(picture.view.project(np.array(field.outline_mm()))).astype(np.int32)
        cv2.fillPoly(image, [outline], colours[number % 5], cv2.LINE_AA)
    mirrored = 110 * np.linspace(0.3, 1.7, width)[None, :, None]
    seen = np.clip(0.5 * image + mirrored, 0, 255).astype(np.uint8)
    misfits = {
        style: fit_light(seen, picture.view, printed_surface(picture.board, style)).misfit
        for style in ("night", "parchment")
    }
    assert misfits["night"] > 1.3 * misfits["parchment"]
    assert print_seen(seen, picture.view, picture.board) == "night"


def test_what_is_printed_otherwise_is_none_of_ours(picture_of):
    picture = picture_of("anthology")
    tiles = np.random.default_rng(3).integers(0, 255, (36, 48, 3), dtype=np.uint8)
    tiled = cv2.resize(tiles, (960, 720), interpolation=cv2.INTER_NEAREST)
    assert print_seen(tiled, picture.view, picture.board) is None


def other_artwork(board, texture) -> None:
    """Everything between the tags anew: pale fields on a grained green ground, as in no print of ours."""
    ours, scale = texture.copy(), 3.0
    grain = np.random.default_rng(5).normal(0, 5, (*texture.shape[:2], 1))
    texture[:] = np.clip(np.array([96, 118, 74]) + grain, 0, 255)
    for each in board.fields.values():
        outline = np.round(np.array(each.outline_mm()) * scale).astype(np.int32)
        if each.kind != "yard":
            cv2.fillPoly(texture, [outline], (188, 200, 204), cv2.LINE_AA)
        cv2.polylines(texture, [outline], True, (60, 60, 70), 3, cv2.LINE_AA)
    for marker in board.markers:
        corners = np.array(marker.corners_mm) * scale
        (left, top), (right, bottom) = (
            (corners.min(axis=0) - 12).astype(int),
            (corners.max(axis=0) + 12).astype(int),
        )
        texture[top:bottom, left:right] = ours[top:bottom, left:right]


class TestOtherArtworkWithOurTags:
    @pytest.mark.parametrize("style", ["chalk", "parchment"])
    def test_is_not_taken_for_ours(self, picture_of, style):
        """Its tags and the outlines of its fields lie where ours do; all else is different."""
        picture = picture_of("anthology", style=style, paint=other_artwork)
        assert print_seen(picture.image, picture.view, picture.board) is None

    def test_is_read_with_a_warning_and_without_what_nobody_can_know(self, picture_of):
        lying = [("disc", f"pit-{number}-day", "blue") for number in (3, 9, 14)]
        picture = picture_of("anthology", lying, paint=other_artwork)
        seen = Reader("anthology", game="roulette").read(picture.image)
        assert "print of this board is not known" in seen.quality["warnings"][0]["en"]
        assert {piece.field for piece in seen.position.pieces} == {field for _, field, _ in lying}
        assert max(max(belief.values()) for belief in seen.fields.values()) < 0.998
        yards = Reader("anthology", game="build").read(picture.image)
        assert {"yard-1", "yard-2", "yard-3", "yard-4", "altar"} <= set(yards.position.occluded)


class TestWhatCannotBeFoundIsSaid:
    def test_nothing(self):
        with pytest.raises(NoBoard, match="no board found"):
            by_tags(np.full((480, 640), 128, np.uint8), load_board("anthology"))

    def test_half_a_board(self, picture_of):
        grey = picture_of("anthology").grey.copy()
        grey[:, 480:] = 90
        with pytest.raises(NoBoard, match="only 2 of the 4 tags"):
            by_tags(grey, load_board("anthology"))

    def test_the_wrong_board(self, picture_of):
        with pytest.raises(NoBoard, match="this is the knizia board"):
            by_tags(picture_of("knizia").grey, load_board("anthology"))

    def test_two_boards(self, picture_of):
        both = np.hstack([picture_of("knizia").grey, picture_of("anthology").grey])
        with pytest.raises(NoBoard, match="two boards"):
            which_board(both)
        twice = np.hstack([picture_of("knizia").grey] * 2)
        with pytest.raises(NoBoard, match="two knizia boards"):
            by_tags(twice, load_board("knizia"))

    @pytest.mark.parametrize(
        "corners", [[[0, 0], [9, 0], [0, 9], [9, 9]], [[0, 0], [0, 9], [9, 9], [9, 0]], [[0, 0]] * 4]
    )
    def test_corners_that_do_not_go_round(self, corners):
        with pytest.raises(NoBoard, match="corners"):
            by_corners(np.array(corners, float), load_board("knizia"), (640, 480))


@pytest.mark.parametrize(("name", "width"), [("build-full-6", 640), ("build-full-3", 560)])
def test_small_tags_are_found_in_an_enlarged_picture(name, width):
    """Of this photograph's tags two or three show at this size, until it is enlarged."""
    photo = cv2.imread(str(PHOTOS / f"{name}.jpg"), cv2.IMREAD_GRAYSCALE)
    factor = width / max(photo.shape)
    small = cv2.resize(photo, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
    board = load_board("anthology")
    shown = find_tags(small, board.markers[0].dictionary)
    assert len({marker.id for marker in board.markers} & set(shown)) < 4
    found = by_tags(small, board)
    label = json.loads((PHOTOS / f"{name}.json").read_text())
    size = board.size_mm
    corners = found.view.project(np.array([[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]]))
    assert found.tags == 4
    assert np.abs(corners - (np.array(label["corners_px"]) + 0.5) * factor + 0.5).max() < 2.5


def test_tags_that_hardly_show_are_taken_where_the_others_say_they_lie():
    """Far away, on a white board that is nearly burnt out: one tag shows, three more or less."""
    photo = PHOTOS.parent / "judged" / "071-ramming"
    grey, board = cv2.imread(f"{photo}.jpg", cv2.IMREAD_GRAYSCALE), load_board("anthology")
    assert len(set(find_tags(grey, board.markers[0].dictionary)) & {0, 1, 2, 3}) < 3
    found = by_tags(grey, board)
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    size = board.size_mm
    corners = found.view.project(np.array([[0.0, 0.0], [size[0], 0.0], size, [0.0, size[1]]]))
    assert found.tags >= 3
    assert np.abs(corners - label["corners_px"]).max() < 12


def test_what_is_taken_for_a_missing_tag_elsewhere_is_none(picture_of):
    """Two tags of the board show; a third one of its numbers lies on the table."""
    board, grey = load_board("anthology"), picture_of("anthology").grey.copy()
    quads = {number: quad for number, [quad] in find_tags(grey, board.markers[0].dictionary).items()}
    hidden = sorted(quads)[:2]
    for number in hidden:
        x, y = quads[number].min(axis=0).astype(int) - 4
        right, bottom = quads[number].max(axis=0).astype(int) + 4
        grey[y:bottom, x:right] = np.median(grey[y:bottom, x:right])
    tag = cv2.aruco.generateImageMarker(
        cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50), hidden[0], 24
    )
    grey[20:60, 20:60] = 255
    grey[28:52, 28:52] = tag
    with pytest.raises(NoBoard):
        by_tags(grey, board)


def test_quads_without_extent_tell_nothing_of_the_other_tags():
    markers = load_board("anthology").markers
    point = np.full((4, 2), 50.0)
    assert _expected(markers[0], {markers[1]: point, markers[2]: point}) is None


@pytest.mark.parametrize("hidden", range(4))
def test_three_tags_of_a_bent_picture_tell_how_it_is_bent(hidden):
    """A wide-angle lens; taken for a straight one, the board's corners come out up to 62 pixels off."""
    photo = PHOTOS.parent / "judged" / "006-roulette"
    grey, board = cv2.imread(f"{photo}.jpg", cv2.IMREAD_GRAYSCALE), load_board("anthology")
    quads = {number: quad for number, [quad] in find_tags(grey, board.markers[0].dictionary).items()}
    cv2.fillConvexPoly(grey, np.round(quads[hidden]).astype(np.int32), 255)
    found = by_tags(grey, board)
    label = json.loads(photo.with_suffix(".json").read_text(encoding="utf-8"))
    assert found.tags == 3
    assert np.abs(found.view.project(np.array(board.corners_mm)) - label["corners_px"]).max() < 5


@pytest.mark.parametrize("name", ["build-middle-1", "build-opening-3"])
def test_one_tag_is_enough_and_another_shows_only_enlarged_to_a_patient_look(name):
    """A small and blurred picture: the print does the rest."""
    photo = cv2.imread(str(PHOTOS / f"{name}.jpg"))
    factor = 480 / photo.shape[1]
    small = cv2.GaussianBlur(
        cv2.resize(photo, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA), (0, 0), 0.9
    )
    label = json.loads((PHOTOS / f"{name}.json").read_text(encoding="utf-8"))
    corners = (np.array(label["corners_px"]) + 0.5) * factor - 0.5
    board, grey = load_board("anthology"), cv2.cvtColor(small, cv2.COLOR_BGR2GRAY)
    seen = locate.tags_of(grey, board)
    assert len(seen.quads) == 1
    with pytest.raises(TooFewTags) as missing:
        by_tags(grey, board, tags=seen)
    assert len(missing.value.tags.quads) == 2
    view = by_corners(corners, board, (grey.shape[1], grey.shape[0])).view
    for marker in board.markers:
        if marker.id in missing.value.tags.quads:
            there = view.project(np.array(marker.corners_mm)) - missing.value.tags.quads[marker.id]
            assert np.abs(there.mean(axis=0)).max() < 4
    reader = Reader("anthology", game="build")
    found = reader.read(small).corners_px
    assert reader.sight.located.how == "print"
    assert np.abs(np.array(found) - corners).max() < 1.5


def test_features_are_the_same_tile_by_tile(picture_of, monkeypatch):
    grey = picture_of("anthology").grey
    tiled = features_of(grey)
    monkeypatch.setattr(locate, "TILE_PX", 2000)
    whole = features_of(grey)
    assert len(tiled.points) > 300
    away = np.linalg.norm(whole.points[:, None] - tiled.points, axis=2).min(axis=1)
    assert (away < 0.1).mean() > 0.97 and abs(len(whole.points) - len(tiled.points)) < 0.03 * len(away)


def test_a_feature_is_known_again_if_it_is_like_one_place_alone():
    """A detail that is printed twice is not known again, but what lies close to it may be as like it."""
    rng = np.random.default_rng(5)
    words = rng.normal(size=(600, 128)).astype(np.float32)
    words /= np.linalg.norm(words, axis=1, keepdims=True)
    seen = locate.Features(rng.uniform(0, 1000, (600, 2)), words)
    at_mm = np.arange(1200.0).reshape(-1, 2) * 20
    order = rng.permutation(600)
    close = locate.Features(np.concatenate([at_mm, at_mm + 1]), np.concatenate([words[order]] * 2))
    pixels, millimetres = locate._known_again(seen, close)
    assert np.array_equal(pixels, seen.points)
    assert np.linalg.norm(millimetres - at_mm[np.argsort(order)], axis=1).max() < 2
    twice = locate.Features(np.concatenate([at_mm, at_mm[:300] + 7]), words[[*order, *order[:300]]])
    pixels, _ = locate._known_again(seen, twice)
    assert np.array_equal(pixels, seen.points[np.sort(order[300:])])


def test_features_of_a_large_picture_are_looked_for_in_a_small_copy(monkeypatch):
    """They would take hundreds of megabytes; where they lie is told in pixels of the large one."""
    rng = np.random.default_rng(3)
    picture = np.full((1200, 1920), 40, np.uint8)
    spots = np.column_stack([rng.uniform(80, 1840, 60), rng.uniform(80, 1120, 60)])
    for x, y in spots:
        cv2.circle(picture, (round(x * 16), round(y * 16)), 14 * 16, 220, -1, cv2.LINE_AA, 4)
    sizes = []
    looked_for = features_of
    monkeypatch.setattr(
        locate, "features_of", lambda grey, *how: sizes.append(grey.shape) or looked_for(grey, *how)
    )
    points = locate.features_from_afar(picture).points
    nearest = np.linalg.norm(spots[:, None] - points, axis=2).min(axis=1)
    assert max(sizes[0]) == locate.AFAR_PX and np.median(nearest) < 1.0


@pytest.mark.parametrize(("name", "blur_px"), [("build-full-1", 3.5), ("stonehenge-full-1", 4.0)])
def test_a_board_out_of_focus_is_found_by_its_tags_in_a_smaller_picture(name, blur_px, monkeypatch):
    photo = cv2.imread(str(PHOTOS / f"{name}.jpg"))
    label = json.loads((PHOTOS / f"{name}.json").read_text(encoding="utf-8"))
    blurred = cv2.GaussianBlur(photo, (0, 0), blur_px)
    found = Reader(label["board"], game=label["game"]).read(blurred).corners_px
    assert np.abs(np.array(found) - np.array(label["corners_px"])).max() < 1.5
    monkeypatch.setattr(locate, "BLURRED", ())
    with pytest.raises(NoBoard, match="none of the 4 tags"):
        by_tags(cv2.cvtColor(blurred, cv2.COLOR_BGR2GRAY), load_board(label["board"]))
