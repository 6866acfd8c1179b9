"""Where the board lies in a picture, what is printed on it and how it is lit: all that is found out before
any place is looked at."""

from __future__ import annotations

import time
from functools import cached_property

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import LensError
from calibration.profile import Profile
from engine.board import Board
from vision.errors import NoBoard, TooPoor
from vision.finding.by_outline import by_outline, four_sided
from vision.finding.by_print import by_print, by_surface, details_of
from vision.finding.field_edges import along_lines
from vision.finding.locate import (
    FAINT,
    FEWEST_TAGS,
    FEWEST_TO_GUESS,
    NOT_SEEN,
    Features,
    Located,
    Tags,
    TooFewTags,
    by_corners,
    by_reference,
    by_tags,
    features_from_afar,
    features_on_board,
    matched,
    of_tags,
    refine,
    tags_of,
)
from vision.geometry.lens import view_of_lens
from vision.geometry.view import Array, View
from vision.pictures.halves import Halves
from vision.pictures.images import in_copy, sharpness, shrunk
from vision.prints.bare import bare_surface
from vision.prints.light import fit_light
from vision.prints.printed import PRINTS, print_seen, printed_surface
from vision.prints.surface import Surface
from vision.sight import Sight

Image = NDArray[np.uint8]
Grey = NDArray[np.uint8]
# Pictures are looked at with at most this many pixels on the longer side.
WORKING_PX = 1920
# What is less like one of our prints inside its outline (see `by_outline`) is not looked at closely (boards
# full of pieces, seen from low, are by 0.26 at least), and of what is more no more than so many.
PERHAPS_OURS, TRIED_OF_OURS = 0.2, 2
# Pictures with less sharpness than this, in which no tags are found, are too blurred.
BLURRED = 2.5
# Pixels by which the print may miss (in the median) before the profile's lens is doubted.
LENS_IS_OFF = 0.45
# How far (as a share) the focal length that the print tells may be from the profile's: focusing changes it.
FOCAL_IS_OFF = 0.05


class Finder:
    """Finds one board in pictures.

    surface, reference: where the artwork is known from a photograph of the empty board, that, and the
    photograph in grey with its view; else None."""

    def __init__(
        self,
        board: Board,
        profile: Profile | None = None,
        reference: tuple[Image, Array | None] | None = None,
    ) -> None:
        self.board = board
        self.profile = profile
        if profile is not None and not profile.own_print:
            reference = reference or _reference_of(profile)
        self.reference: tuple[Grey, View] | None = None
        self.surface = None if reference is None else self._surface_of(*reference)
        self._settled: Surface | None = None

    def _surface_of(self, photo: Image, corners_px: Array | None) -> Surface:
        image, factor = working_size(photo)
        grey = cv2.cvtColor(image, cv2.COLOR_BGR2GRAY)
        try:
            check_quality(np.asarray(grey, np.uint8))
        except TooPoor as error:
            raise TooPoor(f"the photo of the empty board: {error}") from None
        # A lens that was told from this very picture is right for it, whatever it is for others.
        lens = self._lens((grey.shape[1], grey.shape[0]), ("charuco", "board"))
        if corners_px is not None:
            corners = in_copy(np.asarray(corners_px, float).reshape(-1, 2), factor)
            located = by_corners(corners, self.board, (grey.shape[1], grey.shape[0]), lens=lens)
        elif not self.board.markers:
            raise NoBoard(
                f"the {self.board.id} board has no tags: give its corners in the photo of the empty board"
            )
        else:
            try:
                located = by_tags(np.asarray(grey, np.uint8), self.board, lens=lens)
            except NoBoard as error:
                raise NoBoard(f"the photo of the empty board: {error}") from None
        view = along_lines(image, located, self.board).view
        self.reference = (np.asarray(grey, np.uint8), view)
        return Surface.of_photo(image, view, self.board.size_mm)

    def settle(self, surface: Surface | None) -> None:
        """From now on this is the print of the table in front of the camera; None: that is forgotten."""
        self._settled = surface

    def first_look(
        self,
        working: Image,
        corners_px: Array | None = None,
        last: Sight | None = None,
        *,
        still: bool = False,
    ) -> Sight:
        """Where the board is and how it is lit, in a picture of working size. last: an earlier picture of the
        same table, by which a board without tags is found again; `still`: it lies where it lay there, only
        the light is another one."""
        clock = time.perf_counter()
        timings: dict[str, float] = {}
        grey = np.asarray(cv2.cvtColor(working, cv2.COLOR_BGR2GRAY), np.uint8)
        check_quality(grey)
        timings["prepare"] = (time.perf_counter() - clock) * 1e3
        clock = time.perf_counter()
        lens = self._lens((grey.shape[1], grey.shape[0]))
        halves = Halves(working)
        if still and last is not None:
            located = last.located
        else:
            located = self._locate(halves, grey, corners_px, lens, last)
        timings["locate"] = (time.perf_counter() - clock) * 1e3
        clock = time.perf_counter()
        surface = self._surface_in(halves, located)
        if surface is None:
            located = along_lines(halves[0], located, self.board)
            surface = bare_surface(halves[0], located.view, self.board)
        timings["artwork"] = (time.perf_counter() - clock) * 1e3
        clock = time.perf_counter()
        lens_is_off = False
        if not still:
            located = refine(grey, located, surface, lens=lens)
            if lens is not None and located.error_px > LENS_IS_OFF:
                free = refine(grey, self._locate(halves, grey, corners_px, None, last), surface)
                lens_is_off = free.error_px < 0.5 * located.error_px
                located = free if lens_is_off else located
        if lens is not None:
            # Hundreds of details of the print outvote a focal length that is wrong: then it has moved.
            lens_is_off |= abs(float(np.log(located.view.focal_px / lens.focal_px))) > FOCAL_IS_OFF
        timings["register"] = (time.perf_counter() - clock) * 1e3
        clock = time.perf_counter()
        light = fit_light(halves, located.view, surface)
        timings["light"] = (time.perf_counter() - clock) * 1e3
        return Sight(halves, located, light, surface, timings_ms=timings, lens_is_off=lens_is_off)

    def _surface_in(self, halves: Halves, located: Located) -> Surface | None:
        """The artwork that is seen: that of the table which is known, the reference's, or that of our prints
        which fits best; None if none does."""
        known = self._settled or self.surface
        if known is not None:
            return known
        # Ours have tags: a board without them is somebody else's, however alike it is.
        seen = print_seen(halves, located.view, self.board) if self.board.markers else None
        return None if seen is None else printed_surface(self.board, seen)

    def _locate(
        self,
        halves: Halves,
        grey: NDArray[np.uint8],
        corners_px: Array | None,
        lens: View | None = None,
        last: Sight | None = None,
    ) -> Located:
        if corners_px is not None:
            return by_corners(corners_px, self.board, (grey.shape[1], grey.shape[0]), lens=lens)
        if self.board.markers:
            tags = tags_of(grey, self.board)
            tried = len(tags.quads) if len(tags.quads) < FEWEST_TAGS and self.reference is None else 0
            if tried:
                # Our print is quicker to be seen than the other tags.
                roughly = self._roughly(tags, grey, lens)
                anywhere = tried < FEWEST_TO_GUESS
                try:
                    return by_print(grey, self.board, lens=lens, roughly=roughly, anywhere=anywhere)
                except NoBoard:
                    pass
            try:
                located = by_tags(grey, self.board, lens=lens, tags=tags)
            except NoBoard as missing:
                if sharpness(grey) < BLURRED:
                    raise TooPoor(
                        "the picture is too blurred: hold the camera still and let it focus"
                    ) from None
                return self._without_tags(halves, grey, lens, missing, tried)
            if located.tags == len(self.board.markers) or self.surface is not None:
                return located
            # Three tags alone leave the fourth corner some pixels off.
            return self._without_tags(halves, grey, lens, located)
        if last is not None:
            try:
                return by_reference(grey, last.grey, last.view, lens=lens)
            except NoBoard:
                if self.reference is None:
                    raise
        if self.reference is not None:
            return self._by_empty_board(halves, grey, lens)
        raise TooPoor(
            f"the {self.board.id} board has no tags: give its corners or a photo of the empty board"
        )

    def _by_empty_board(self, halves: Halves, grey: Grey, lens: View | None) -> Located:
        """Beside the photograph of the empty board: as it shows the print, or, seen from quite another side,
        as that would look from there; or by its outline and its colours."""
        assert self.surface is not None
        size_px = (grey.shape[1], grey.shape[0])
        try:
            return matched(features_from_afar(grey), self._as_photographed, size_px, lens=lens)
        except NoBoard:
            pass
        try:
            return by_surface(grey, self.surface, self._from_all_sides, lens=lens)
        except NoBoard:
            return by_outline(
                halves[0], self.board, self.surface, lens=lens, perhaps=self._where_it_lay(size_px)
            )

    def _where_it_lay(self, size_px: tuple[int, int]) -> list[Array]:
        """The corners in the photograph of the empty board, if that may be by the same camera."""
        assert self.reference is not None
        view = self.reference[1]
        return [view.project(np.array(self.board.corners_mm))] if view.size_px == size_px else []

    @cached_property
    def _as_photographed(self) -> Features:
        assert self.reference is not None
        return features_on_board(*self.reference)

    @cached_property
    def _from_all_sides(self) -> Features:
        assert self.surface is not None
        return details_of(self.surface, FAINT)

    def _without_tags(
        self,
        halves: Halves,
        grey: NDArray[np.uint8],
        lens: View | None,
        so_far: Located | NoBoard,
        tried: int = 0,
    ) -> Located:
        """By what is printed between the tags. If that does not show the board: `so_far`, raised if it is
        none. tried: beside so many tags our print was not seen where they tell, or, if they tell nothing,
        anywhere."""
        try:
            if self.reference is not None:
                return self._by_empty_board(halves, grey, lens)
            if not isinstance(so_far, Located):
                tags = so_far.tags if isinstance(so_far, TooFewTags) else Tags({})
                roughly = self._roughly(tags, grey, lens) if len(tags.quads) > tried else None
                anywhere = not 0 < tried < FEWEST_TO_GUESS
                try:
                    return by_print(grey, self.board, lens=lens, roughly=roughly, anywhere=anywhere)
                except NoBoard:
                    return self._by_outline_of_ours(halves, lens)
            style = print_seen(halves, so_far.view, self.board) or ""
            return by_print(grey, self.board, lens=lens, roughly=so_far, style=style)
        except NoBoard:
            if isinstance(so_far, Located):
                return so_far
            raise so_far from None

    def _roughly(self, tags: Tags, grey: Grey, lens: View | None) -> Located | None:
        """Where the board lies as far as these few tags tell; None if they tell nothing."""
        if not FEWEST_TO_GUESS <= len(tags.quads) < FEWEST_TAGS:
            return None
        try:
            return of_tags(tags, self.board, (grey.shape[1], grey.shape[0]), lens=lens)
        except NoBoard:
            return None

    def _by_outline_of_ours(self, halves: Halves, lens: View | None) -> Located:
        """By the outline and the colours of one of our prints: where it is so much out of focus that neither
        tags nor details show. What it shows must be one of ours: others have the same lines."""
        sides = four_sided(halves[0])
        for style in PRINTS:
            surface = printed_surface(self.board, style)
            try:
                found = by_outline(
                    halves[0],
                    self.board,
                    surface,
                    lens=lens,
                    least=PERHAPS_OURS,
                    tried=TRIED_OF_OURS,
                    sides=sides,
                )
            except NoBoard:
                continue
            if print_seen(halves, found.view, self.board) is not None:
                return found
        raise NoBoard(NOT_SEEN)

    def _lens(self, size_px: tuple[int, int], sources: tuple[str, ...] = ("charuco",)) -> View | None:
        """The profile's lens for pictures of that size; None if there is none that came from one of these
        sources, or they are not its."""
        if self.profile is None or self.profile.lens is None or self.profile.lens.source not in sources:
            return None
        try:
            return view_of_lens(self.profile.lens, size_px)
        except LensError:
            return None


def _reference_of(profile: Profile) -> tuple[Image, Array | None] | None:
    """The profile's empty board and its corners."""
    image = profile.reference_image()
    if image is None:
        return None
    corners = profile.reference_corners_px
    return image, None if corners is None else np.array(corners, float)


def working_size(image: Image) -> tuple[Image, float]:
    """The picture at working size, and the factor."""
    if image.ndim != 3 or image.shape[2] != 3 or image.dtype != np.uint8:
        raise ValueError(f"an image is uint8 (H, W, 3) BGR, found {image.dtype} {image.shape}")
    if not image.size:
        raise _too_small(image)
    return shrunk(image, WORKING_PX)


def _too_small(picture: NDArray[np.uint8]) -> TooPoor:
    height, width = picture.shape[:2]
    return TooPoor(f"the picture is only {width} x {height} pixels: at least 320 x 240 are needed")


def check_quality(grey: NDArray[np.uint8]) -> None:
    """Raises TooPoor for pictures in which nobody could see a board."""
    if min(grey.shape) < 120:
        raise _too_small(grey)
    small = cv2.resize(grey, (160, 120), interpolation=cv2.INTER_AREA)
    bright = float(np.percentile(small, 98))
    if bright < 22:
        raise TooPoor("the picture is too dark: switch a lamp on or take the lens cap off")
    if float(np.percentile(small, 5)) > 245:
        raise TooPoor(
            "the picture is too bright: everything is white; turn the lamp away or lower the exposure"
        )
