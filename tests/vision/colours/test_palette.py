"""Colours of a set that nobody has seen: told apart although all of them are off."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import pytest

from engine.board import load_board
from vision.colours.palette import Palette
from vision.fields.crops import CHANNELS, CROP_PX
from vision.fields.network import HIDDEN, dimmed, look
from vision.training import compose, scenes

NAMES = ("white", "blue", "green", "yellow", "red")


def set_of(rng, palette, shift, each=4):
    """Seen colours of a set whose shades are all shifted, and which colour each is."""
    truth = np.repeat(np.arange(len(palette.names)), each)
    return (palette.shades[truth] + shift + rng.normal(0, 0.015, (len(truth), 3))).astype(np.float32), truth


def learnt_of(kind, black, brown, each, spread, seed):
    """What is learnt of so many pieces of each of two colours (BGR), and which is taken for which."""
    palette = Palette.of(load_board("knizia"), ("black", "brown"))
    seen = (np.array([black] * each + [brown] * each) / 255).astype(np.float32)
    seen += np.random.default_rng(seed).normal(0, spread, seen.shape).astype(np.float32)
    count = 2 * each
    learnt = palette.adapted(seen, np.ones((count, 2), bool), np.ones(count, np.float32), [kind] * count)
    return learnt, nearest(learnt, seen, kind).tolist()


def nearest(palette, seen, kind):
    return ((seen[:, None] - palette.of_kind[kind].shades[None]) ** 2).sum(axis=2).argmin(axis=1)


@pytest.mark.parametrize("shift", [0.0, 0.2, -0.1, (0.05, 0.15, 0.22)])
def test_a_shifted_set_is_told_apart(shift):
    palette = Palette.of(load_board("anthology"), NAMES)
    seen, truth = set_of(np.random.default_rng(1), palette, np.asarray(shift))
    allowed = np.ones((len(seen), len(NAMES)), bool)
    learnt = palette.adapted(seen, allowed, np.ones(len(seen), np.float32), ["disc"] * len(seen))
    assert (nearest(learnt, seen, "disc") == truth).all()


def test_stones_brightened_by_their_digits_stay_black_and_brown():
    """Seen on a photograph: white digits lift black stones to where brown was expected."""
    _, taken = learnt_of("druid", (85, 91, 92), (95, 110, 137), each=9, spread=0.015, seed=2)
    assert taken == [0] * 9 + [1] * 9


def test_stones_that_mirror_a_bluish_room_are_told_by_the_megaliths_of_their_set():
    """Seen on a photograph by a path tracer: by themselves most of the brown stones would be black."""
    brown = [(26, 26, 25), (23, 22, 21), (24, 24, 25), (36, 33, 28), (30, 29, 29), (26, 28, 29), (42, 44, 46)]
    brown += [(83, 80, 79)]
    megaliths = [(20, 18, 16), (24, 20, 17), (28, 21, 17), (24, 19, 16)]
    megaliths += [(17, 23, 26), (19, 25, 31), (20, 24, 28), (22, 24, 29)]
    palette = Palette.of(load_board("knizia"), ("black", "brown"))

    def likely(*beside):
        """How likely the stones are brown, all together, if these megaliths are seen beside them."""
        seen = np.array([*brown, *beside], np.float32) / 100
        kinds = ["druid"] * len(brown) + ["megalith"] * len(beside)
        every = np.ones((len(seen), 2), bool), np.ones(len(seen), np.float32), kinds
        told = palette.adapted(seen, *every).beliefs(seen, every[0], kinds)
        return float(told[: len(brown), palette.names.index("brown")].prod())

    assert likely(*megaliths) > 3 * likely()


def test_where_a_profile_tells_the_stones_shades_megaliths_tell_nothing_of_them():
    told = {"black": (38, 38, 38), "brown": (112, 71, 43)}
    palette = Palette.of(load_board("knizia"), ("black", "brown")).with_known({"druid": told})
    stones = [(29, 23, 18), (31, 24, 20), (32, 23, 20), (26, 26, 25), (24, 24, 25), (30, 29, 29)]
    megaliths = [(20, 18, 16), (24, 20, 17), (28, 21, 17), (17, 23, 26), (19, 25, 31), (20, 24, 28)]
    learnt = []
    for around in ([], megaliths):
        seen = np.array([*stones, *around], np.float32) / 100
        kinds = ["druid"] * len(stones) + ["megalith"] * len(around)
        learnt.append(palette.adapted(seen, np.ones((len(seen), 2), bool), np.ones(len(seen)), kinds))
    alone, beside = (each.of_kind["druid"].shades for each in learnt)
    assert np.allclose(alone, beside, atol=1e-5)


def test_one_piece_moves_the_palette_only_a_little():
    palette = Palette.of(load_board("anthology"), NAMES)
    seen = palette.shades[:1] - 0.2
    learnt = palette.adapted(seen, np.ones((1, 5), bool), np.ones(1, np.float32), ["disc"])
    assert np.abs(learnt.of_kind["disc"].shades[1:] - palette.shades[1:]).max() < 0.2


def test_kinds_are_learnt_apart():
    palette = Palette.of(load_board("anthology"), NAMES)
    seen, _ = set_of(np.random.default_rng(3), palette, np.full(3, 0.1))
    kinds = ["disc"] * 10 + ["block"] * 10
    learnt = palette.adapted(seen, np.ones((20, 5), bool), np.ones(20, np.float32), kinds)
    assert set(learnt.of_kind) == {"disc", "block"}


def test_discs_tell_what_white_is_in_a_set_whose_figures_are_few():
    """Seen on a photograph: cream discs, and one cream figure that was taken for a yellow one."""
    palette = Palette.of(load_board("anthology"), NAMES)
    discs, truth = set_of(np.random.default_rng(5), palette, np.zeros(3))
    cream = np.array([0.6, 0.86, 0.9], np.float32)
    discs[truth == NAMES.index("white")] = cream
    seen = np.vstack([discs, cream[None]])
    allowed = np.ones((len(seen), len(NAMES)), bool)
    kinds = [*["disc"] * len(discs), "figure"]
    told = [
        palette.adapted(
            seen[first:], allowed[first:], np.ones(len(seen) - first, np.float32), kinds[first:]
        ).beliefs(cream[None], allowed[:1], ["figure"])[0]
        for first in (0, len(discs))
    ]
    white = NAMES.index("white")
    assert told[0][white] > 0.9 and told[1][white] < 0.1


def test_a_set_stained_dark_keeps_its_two_colours():
    """Seen on photographs: a brown so dark that it is nearer to the board file's black."""
    learnt, taken = learnt_of("megalith", (27, 27, 24), (34, 38, 46), each=4, spread=0.006, seed=4)
    assert taken == [0] * 4 + [1] * 4
    assert learnt.of_kind["megalith"].spread < 0.7


def test_pieces_that_differ_much_are_told_less_surely():
    """How far pieces of a colour are from one another is learnt: what separates colours on an even set does
    not on one that is blotched."""
    palette = Palette.of(load_board("anthology"), NAMES)
    even, truth = set_of(np.random.default_rng(5), palette, np.zeros(3), each=6)
    blotched = even + np.random.default_rng(6).normal(0, 0.05, even.shape).astype(np.float32)
    spreads = [
        palette.adapted(seen, np.ones((30, 5), bool), np.ones(30, np.float32), ["disc"] * 30)
        .of_pieces("disc")
        .spread
        for seen in (even, blotched)
    ]
    assert len(truth) == 30 and spreads[0] < 0.7 * spreads[1]


def test_a_piece_may_be_as_dim_as_the_print_around_it():
    """Seen on a photograph: yellow discs in the shadow of a window's bar, half as bright as others. On print
    that is only known from a photograph a shadow must be seen around a piece."""
    palette = Palette.of(load_board("anthology"), NAMES).on(SimpleNamespace(is_foreign=True))
    yellow, red = (0.24, 0.51, 0.7), (0.19, 0.25, 0.54)
    shade = 0.52 * np.array([yellow], np.float32)
    seen = np.concatenate([np.array([yellow] * 5 + [red] * 5, np.float32), shade])
    seen += np.random.default_rng(1).normal(0, 0.01, seen.shape).astype(np.float32)
    kinds, allowed = ["disc"] * 11, np.ones((11, 5), bool)

    def told(around: float) -> str:
        dim = np.array([1.0] * 10 + [around], np.float32)
        learnt = palette.adapted(seen, allowed, np.ones(11, np.float32), kinds, dim)
        return NAMES[int(learnt.beliefs(seen, allowed, kinds, dim)[-1].argmax())]

    assert told(1.0) != "yellow" == told(0.5)


@pytest.mark.parametrize("lit", [0.5, 0.8, 1.0, 1.3])
def test_how_dim_it_is_shows_on_the_print_beside_a_piece(lit):
    crop = np.zeros((1, CHANNELS, CROP_PX, CROP_PX), np.float32)
    crop[:, 3:6] = np.random.default_rng(2).uniform(0.2, 0.9, (CROP_PX, CROP_PX))
    crop[:, :3] = lit * crop[:, 3:6]
    crop[:, 9, 12:36, 12:36] = 1.0
    crop[:, :3, 12:36, 12:36] = 0.05
    assert dimmed(crop) == pytest.approx([min(lit, 1.0)], abs=1e-3)


def test_of_a_face_that_mirrors_a_lamp_nothing_is_sure():
    palette = Palette.of(load_board("anthology"), NAMES)
    white, yellow = (palette.shades[NAMES.index(name)][None] for name in ("white", "yellow"))
    allowed = np.ones((1, len(NAMES)), bool)
    alike, doubted = (palette.beliefs(white, allowed, ["disc"], matt=matt)[0] for matt in (white, yellow))
    assert alike[NAMES.index("white")] > 0.99
    assert 0.5 < doubted[NAMES.index("white")] < 0.9 and doubted[NAMES.index("yellow")] > 0.1


@pytest.mark.slow
def test_beside_what_a_piece_mirrors_more_of_its_colour_is_seen(monkeypatch):
    """On composed tables that nothing was learnt from, with something bright over each."""
    monkeypatch.setattr(compose, "MIRRORED", 1.0)
    tints: list[tuple[float, float]] = []
    for seed in range(91_000, 91_016):
        picture = scenes.one_picture(np.random.default_rng(seed), [])
        if picture is None:
            continue
        pieces = (picture.labels > 0) & (picture.labels < HIDDEN) & (picture.colours >= 0)
        tinted = pieces & (np.ptp(picture.palette[picture.colours], axis=1) > 0.3)
        if tinted.any():
            looks = look(picture.crops[tinted])
            each = zip(np.ptp(looks.seen, axis=1), np.ptp(looks.matt, axis=1), strict=True)
            tints += [(seen, matt) for seen, matt in each if matt != seen]
    seen, matt = np.mean(tints, axis=0)
    assert len(tints) > 50 and matt > 1.03 * seen


def told(names, pieces):
    """Which colours pieces are told to have: (kind, (red, green, blue) as seen) of each."""
    palette = Palette.of(load_board("anthology"), names)
    seen = np.array([rgb[::-1] for _, rgb in pieces], np.float32) / 255
    kinds, allowed = [kind for kind, _ in pieces], np.ones((len(pieces), len(names)), bool)
    learnt = palette.adapted(seen, allowed, np.ones(len(pieces), np.float32), kinds)
    return [names[number] for number in learnt.beliefs(seen, allowed, kinds).argmax(axis=1)]


@pytest.mark.parametrize("kind", ["disc", "figure"])
def test_in_a_green_light_white_is_mint_and_blue_is_teal(kind):
    """A photograph in which nothing is white: no usual shift explains any of its pieces."""
    mint, teal = (167, 240, 167), (66, 172, 128)
    pieces = [(kind, mint)] * 6 + [(kind, (115, 194, 140))] * 3 + [(kind, teal)] * 7
    assert told(("white", "blue"), pieces) == ["white"] * 9 + ["blue"] * 7


def test_of_three_figures_in_the_shade_blocks_and_discs_tell_the_paints():
    """Neither are blocks enough to tell them, nor discs, but both together; the white figure's sides are dark
    on bright print."""
    blocks = [
        ("block", rgb)
        for rgb in ((51, 101, 60), (188, 203, 210), (49, 119, 72), (46, 117, 67), (176, 46, 47))
    ]
    discs = [("disc", rgb) for rgb in ((165, 180, 196), (43, 67, 177), (159, 157, 33))]
    figures = [("figure", rgb) for rgb in ((150, 133, 55), (111, 67, 78), (98, 108, 120))]
    assert told(NAMES, [*blocks, *discs, *figures])[8:] == ["yellow", "red", "white"]


def test_what_stands_on_capstones_alone_is_told_by_the_paints_of_blocks():
    """Figures of a photograph, one on each of two triliths: beside its blocks their green is green."""
    shown = (92, 91, 90), (35, 40, 53), (42, 47, 40), (78, 64, 40), (58, 35, 33)
    blocks = np.repeat(np.array([rgb[::-1] for rgb in shown], np.float32) / 100, 4, axis=0)
    figures = np.array([(0.44, 0.53, 0.48), (0.61, 0.46, 0.42)], np.float32)
    palette = Palette.of(load_board("anthology"), NAMES)
    allowed = np.ones((20, len(NAMES)), bool)
    learnt = palette.adapted(blocks, allowed, np.ones(20, np.float32), ["block"] * 20)
    said = [each.beliefs(figures, allowed[:2], ["figure"] * 2).argmax(axis=1) for each in (palette, learnt)]
    assert [[NAMES[n] for n in colours] for colours in said] == [["white", "white"], ["green", "blue"]]


def test_a_camera_that_shows_everything_cyan_is_seen_through(monkeypatch):
    """Discs of a rendered photograph: brown looks blue and yellow green; only a cast explains them all."""
    seen = {
        "yellow": [(125, 178, 55), (90, 139, 90), (121, 175, 67), (78, 132, 76)],
        "brown": [(49, 64, 73), (43, 81, 103), (43, 72, 85), (42, 57, 59), (47, 66, 68), (44, 59, 65)],
        "blue": [(27, 91, 187), (35, 114, 216), (31, 99, 200), (21, 82, 188), (23, 86, 189)],
        "green": [(24, 124, 112), (47, 154, 159), (42, 151, 157), (33, 143, 139)],
    }
    pieces = [("disc", rgb) for every in seen.values() for rgb in every]
    truth = [name for name, every in seen.items() for _ in every]
    assert told(tuple(seen), pieces) == truth
    monkeypatch.setattr("vision.colours.palette.CASTS", ())
    wrong = [name != right for name, right in zip(told(tuple(seen), pieces), truth, strict=True)]
    assert sum(wrong) > 4


def test_what_all_blocks_deny_is_no_cast_of_four_discs():
    """A set of which blocks lie in all colours and discs in two of them, as one photograph shows them (BGR):
    by a cast that the discs alone suggested, a white disc was read as red."""
    palette = Palette.of(load_board("anthology"), NAMES)
    paints = {"white": (0.86, 0.95, 0.99), "blue": (0.79, 0.45, 0.14), "green": (0.25, 0.64, 0.13)}
    blocks = np.repeat(np.array(list(paints.values())), 7, axis=0)
    blocks = blocks * np.random.default_rng(2).normal(1, 0.04, (len(blocks), 1))
    discs = [(0.26, 0.66, 0.13), (0.25, 0.62, 0.12), (0.24, 0.64, 0.11), (0.80, 0.46, 0.13)]
    seen = np.array([*blocks, *discs], np.float32)
    kinds = ["block"] * len(blocks) + ["disc"] * len(discs)
    learnt = palette.adapted(seen, np.ones((len(seen), 5), bool), np.ones(len(seen), np.float32), kinds)
    white = np.array([(0.77, 0.85, 0.87)], np.float32)
    assert learnt.beliefs(white, np.ones((1, 5), bool), ["disc"])[0, NAMES.index("white")] > 0.9


def test_a_colour_is_trusted_less_on_a_print_that_is_only_photographed():
    palette = Palette.of(load_board("anthology"), NAMES)
    seen, _ = set_of(np.random.default_rng(5), palette, np.zeros(3))
    odd = np.array([[0.42, 0.33, 0.2]], np.float32)
    allowed = np.ones((1, len(NAMES)), bool)
    sure = []
    for foreign in (False, True):
        learnt = palette.on(SimpleNamespace(is_foreign=foreign)).adapted(
            seen, np.ones((len(seen), len(NAMES)), bool), np.ones(len(seen), np.float32), ["disc"] * len(seen)
        )
        sure.append(float(learnt.beliefs(odd, allowed, ["disc"]).max()))
    assert sure[1] < sure[0]


# Discs of a set without white ones (red, green, blue as seen), the last of each colour under a lamp.
UNDER_A_LAMP = {
    "red": ((163, 78, 69), (178, 76, 77), (195, 66, 60), (196, 78, 70), (179, 87, 82), (209, 128, 124)),
    "blue": ((78, 100, 128), (95, 125, 149), (124, 151, 179), (172, 196, 222)),
    "yellow": ((224, 209, 66), (229, 213, 94), (228, 203, 85), (231, 208, 95), (237, 224, 117)),
    "green": (
        (68, 131, 82), (80, 115, 85), (88, 144, 96), (123, 170, 132), (134, 183, 147), (154, 211, 158),
        (161, 218, 171), (174, 228, 180), (180, 234, 192),
    ),
}  # fmt: skip


def test_discs_that_mirror_a_lamp_are_pale_green_not_white():
    """Six of nine green ones, so that white seems to be a pale green in this light."""
    truth = [(name, rgb) for name, seen in UNDER_A_LAMP.items() for rgb in seen]
    assert told(NAMES, [("disc", rgb) for _, rgb in truth]) == [name for name, _ in truth]


# Discs (red, green, blue) in a photograph whose light is warm here and cold there.
IN_TWO_LIGHTS = {
    "white": ((222, 237, 249), (225, 245, 253), (261, 236, 251), (263, 228, 243)),
    "blue": ((64, 125, 238), (66, 126, 239), (68, 126, 235), (75, 137, 252)),
    "black": ((68, 78, 85), (70, 76, 93), (75, 79, 84), (76, 78, 76), (78, 84, 87), (90, 80, 89)),
}


def test_a_white_disc_in_another_light_is_no_black_one_that_mirrors():
    truth = [(name, rgb) for name, seen in IN_TWO_LIGHTS.items() for rgb in seen]
    names = tuple(IN_TWO_LIGHTS)
    assert told(names, [("disc", rgb) for _, rgb in truth]) == [name for name, _ in truth]


# Discs beside a photograph of the empty board that is as dim as what is seen of the grey ones.
GREY_AND_BLACK = {
    "grey": (
        (143, 161, 145), (150, 148, 153), (150, 148, 156), (148, 161, 156), (153, 156, 163), (153, 161, 161),
        (156, 161, 161), (158, 163, 168), (163, 173, 173), (163, 173, 176), (181, 178, 186),
    ),
    "black": (
        (54, 56, 64), (56, 54, 64), (59, 56, 61), (61, 56, 61), (66, 61, 66), (69, 61, 69), (71, 71, 76),
        (71, 79, 74), (74, 74, 82), (77, 71, 87),
    ),
}  # fmt: skip


def test_where_the_light_is_hardly_known_grey_is_no_mirroring_black():
    truth = [(name, rgb) for name, seen in GREY_AND_BLACK.items() for rgb in seen]
    names = tuple(GREY_AND_BLACK)
    seen = np.array([rgb[::-1] for _, rgb in truth], np.float32) / 255
    kinds, allowed = ["disc"] * len(seen), np.ones((len(seen), 2), bool)
    palette = Palette.of(load_board("anthology"), names).on(SimpleNamespace(is_foreign=True))
    beliefs = palette.adapted(seen, allowed, np.ones(len(seen), np.float32), kinds).beliefs(
        seen, allowed, kinds
    )
    assert [names[number] for number in beliefs.argmax(axis=1)] == [name for name, _ in truth]
    assert beliefs.max(axis=1).min() > 0.9
