"""Yards and the altar: fields on which several pieces lie anywhere, standing or lying.

Cards are read by their tags; solid pieces by the ground network, which marks where they are seen, and then by
the place network, which looks at each of them again and tells its colour.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

import cv2
import numpy as np
from numpy.typing import NDArray

from engine.board import Board, Field, PieceType
from engine.position import Piece
from vision.colours.palette import Palette
from vision.fields.covered import BEHIND, UNKNOWN_PRINT, outlines_read, share_covered
from vision.fields.network import EMPTY
from vision.fields.network import HIDDEN as UNSEEN
from vision.fields.places import Place
from vision.geometry.bodies import Body, Prism, body_of
from vision.geometry.view import View
from vision.yards.altar import Patch, figures_in, stands_at
from vision.yards.cards import SeenCard, find_cards
from vision.yards.cells import (
    Bools,
    Box,
    Floats,
    among,
    belongs,
    footprint_of,
    inside_area,
    patches_of,
    points_mm,
    worth_of,
)
from vision.yards.ground import CELL_MM, KINDS, STEP_PX, Footprint, kinds_at, stretch
from vision.yards.known_cards import KnownCard
from vision.yards.marks import STONES, find_mark, keep_one_mark, mark_on
from vision.yards.solids import ALTAR, Explanation, best, explain
from vision.yards.trilith import Seen, trilith_in

if TYPE_CHECKING:
    from vision.sight import Sight

AREA_KINDS = ("yard", "altar")
# What lies in the areas of each game; None: whatever the board has.
GAME_AREAS: dict[str | None, dict[str, tuple[str, ...]]] = {
    "build": {"yard": ("card", "pillar", "capstone", "disc"), "altar": ("figure", "lying")},
    None: {"yard": ("card", "pillar", "capstone", "disc"), "altar": ("figure", "lying")},
}
# What is no figure on the altar, if most of a patch looks so: a hand, or a trilith that leans over it. A
# figure may be behind so much of that.
NO_FIGURE, HIDES_A_FIGURE = ("trilith", "capstone", "hidden"), 0.25
# What it is worth if the place networks surely see a figure stand where an outline does.
STANDS_MM2 = 60.0
# Where the evened-out photograph, looked at in so many mm a pixel, differs from the empty board by less than
# this (0..1, averaged over a square of so many mm) nothing lies; and what the network is shown around that.
COARSE_MM, DIFFERS, DIFFERENCE_MM, MARGIN_MM = 2, 0.08, 7, 16
# How much the second look counts, and at stones: it sees one piece closely, but not what it stands beside.
# What both looks together are less sure of is not told.
SECOND_LOOK, AT_STONES, LEAST_SURE = 0.5, 0.15, 0.3
# A disc of which so much lies behind a piece on a field is that piece's head, a figure a part of it: a
# trilith's capstone lies like a figure before the altar. So is a stone that looks like something else.
BEHIND_A_PIECE, BEHIND_IF_DOUBTED = {"disc": 0.34, "figure": 0.55}, 0.34
# The camera looks from higher up: a top leans over no more than this.
MOST_LEAN_MM = 80.0
# A card lies no farther than this from where any is seen, and is seen with at least this chance.
OVERHANG_MM, MAY_BE_CARD = 20.0, 0.1
# Cards are taken for so much longer and wider than they are; if more than this share of what looks like card
# lies beside those that were read, there is another.
BESIDE_CARD_MM, A_BIT = 5.0, 0.3
# So much card, farther from those that were read than this, is one that could not be read: what lies there is
# not known. (Of 342 yards it is true of one, in which a hand lies on the card; all others show 180 at most.)
UNREAD_MM2, AROUND_CARD_MM = 250.0, 8.0


@dataclass(frozen=True)
class Candidate:
    """A solid piece that may stand somewhere, as a place of its own."""

    footprint: Footprint
    body: Body
    place: Place


@dataclass(frozen=True)
class AreaSeen:
    """What an area shows before the colours of the set are known: its cards, where solid pieces may stand,
    whether too much of it is hidden to tell more than its cards, and points a few millimetres apart at which
    anything but a card is seen."""

    area: Field
    cards: tuple[SeenCard, ...] = ()
    candidates: tuple[Candidate, ...] = ()
    hidden: bool = False
    busy_mm: tuple[tuple[float, float], ...] = ()


def areas_of(board: Board, game: str | None) -> tuple[Field, ...]:
    """The areas of `board` on which something can lie in `game`."""
    table = GAME_AREAS.get(game, {})
    return tuple(each for each in board.fields.values() if each.kind in table)


def area_place(area: Field) -> Place:
    """The area as a place without bodies of its own: its box, for seeing whether it changed."""
    left, top, right, bottom = _box(area)
    corners = ((left, top), (right, top), (right, bottom), (left, bottom))
    body = Body(area.kind, (Prism(corners, 0.0, 30.0),), 30.0)
    return Place(area.id, (0.0, 0.0), 0.0, (body,), 0.0)


def look_over(
    board: Board,
    game: str | None,
    sight: Sight,
    areas: tuple[Field, ...],
    known: Mapping[str, Sequence[KnownCard]],
) -> list[AreaSeen]:
    """What these areas show; nothing where the print was only guessed: what lies there was taken for print.
    known: the cards that lay in each of them before. `sight` is only looked at, so that another thread may
    read the places meanwhile."""
    if sight.surface.guessed:
        return []
    shown = (area for area in areas if area.id not in sight.surface.hidden)
    return [_look_over(board, game, sight, area, known.get(area.id, ())) for area in shown]


def _look_over(
    board: Board, game: str | None, sight: Sight, area: Field, known: Sequence[KnownCard]
) -> AreaSeen:
    table = GAME_AREAS.get(game, {})
    kinds = tuple(
        kind for kind in table[area.kind] if (kind if kind != "lying" else "figure") in board.pieces
    )
    part = _busy(area, _lean_mm(board, sight.view, area, kinds), sight)
    if part is None:
        return AreaSeen(area)
    chances = kinds_at(stretch(sight.halves, sight.view, sight.surface, sight.light, part))
    shown = chances[KINDS.index("card")]
    cards = _cards(sight, area, part, shown) if "card" in kinds else []
    corner = np.array(part[:2])
    others = [each for each in known if not each.is_one_of(cards)]
    cards += [each.card for each in others if each.is_seen(sight, shown, corner, CELL_MM)]
    chances = _cards_where_they_lie(chances, cards, (part[0], part[1]))
    inside, winner = inside_area(area, corner, chances.shape[1:]), chances.argmax(axis=0)
    hidden = bool(inside.any() and _is_hidden(winner[inside], kinds))
    hidden |= "card" in kinds and _is_unread(winner, cards, part[:2], inside)
    if hidden:
        return AreaSeen(area, tuple(cards), hidden=True)
    candidates = _solids(board, sight, area, (part, chances), kinds, cards)
    busy = tuple(points_mm(~among(winner, ("ground", "card", "hidden")) & inside, part[:2]))
    return AreaSeen(area, tuple(cards), tuple(candidates), busy_mm=busy)


def _is_hidden(winner: NDArray[np.int64], kinds: tuple[str, ...]) -> bool:
    """Whether too little is seen of an area in which these kinds may lie; winner: (N,) what each of its cells
    looks most like."""
    if "lying" in kinds:
        return bool(among(winner, NO_FIGURE).mean() > HIDES_A_FIGURE)
    return bool(among(winner, ("hidden",)).mean() > 0.5)


def _is_unread(
    winner: NDArray[np.int64], cards: Sequence[SeenCard], origin_mm: Sequence[float], inside: Bools
) -> bool:
    """Whether more is seen of a card in an area than those that were read explain."""
    unread = among(winner, ("card",)) & inside & ~_under(cards, AROUND_CARD_MM, origin_mm, winner.shape)
    return bool(unread.sum() * CELL_MM**2 > UNREAD_MM2)


def read_areas(
    board: Board,
    game: str | None,
    palette: Palette,
    sight: Sight,
    places: tuple[Place, ...],
    areas: tuple[Field, ...],
    seen: Sequence[AreaSeen],
) -> None:
    """Add the loose pieces of these areas to `sight`, given what they show and what was read on the places
    of the board; areas mostly hidden become unseen, and all where the print was only guessed."""
    if sight.surface.guessed:
        sight.unseen |= {area.id: UNKNOWN_PRINT for area in areas}
        return
    sight.unseen |= {area.id: UNKNOWN_PRINT for area in areas if area.id in sight.surface.hidden}
    sight.unseen |= {each.area.id: BEHIND for each in seen if each.hidden}
    sight.loose += [card.piece(each.area.id) for each in seen for card in each.cards]
    candidates = [(each.area, found) for each in seen for found in each.candidates]
    _name(board, game, palette, sight, _not_leaning(board, sight, places, candidates))
    for each in seen:
        find_mark(board, game, palette, sight, each.area, each.busy_mm)


def _box(area: Field) -> Box:
    xs, ys = zip(*area.outline_mm(), strict=True)
    return min(xs), min(ys), max(xs), max(ys)


def _lean_mm(board: Board, view: View, area: Field, kinds: tuple[str, ...]) -> tuple[float, float]:
    """How far the top of the tallest piece that may lie here seems to lie from its foot, mm of the plane."""
    pieces = (board.pieces["figure" if kind == "lying" else kind] for kind in kinds)
    tallest = max((piece.height_mm for piece in pieces), default=0.0)
    foot = np.array([area.centre_mm])
    x, y = np.clip(view.on_plane(view.project(foot, tallest))[0] - foot[0], -MOST_LEAN_MM, MOST_LEAN_MM)
    return float(x), float(y)


def _reaching(box: Box, margin_mm: float, lean_mm: tuple[float, float]) -> Box:
    """The box with a margin, and with what the tops of pieces in it seem to cover."""
    (left, top, right, bottom), (x, y) = box, lean_mm
    return (
        left - margin_mm + min(0.0, x),
        top - margin_mm + min(0.0, y),
        right + margin_mm + max(0.0, x),
        bottom + margin_mm + max(0.0, y),
    )


def _cards(sight: Sight, yard: Field, box_mm: Box, chances: Floats) -> list[SeenCard]:
    """The cards in a yard, looked for where the ground network sees any; chances: (H, W) of that, in cells of
    the box."""
    rows, columns = np.nonzero(chances > MAY_BE_CARD)
    if not len(rows):
        return []
    left, top = box_mm[0] + CELL_MM * columns.min(), box_mm[1] + CELL_MM * rows.min()
    right, bottom = box_mm[0] + CELL_MM * columns.max(), box_mm[1] + CELL_MM * rows.max()
    reach = (left - OVERHANG_MM, top - OVERHANG_MM, right + OVERHANG_MM, bottom + OVERHANG_MM)
    seen = find_cards(sight.grey, sight.view, tuple(float(each) for each in reach))
    return [card for card in seen if yard.contains(*card.at_mm)]


def _cards_where_they_lie(chances: Floats, cards: list[SeenCard], origin_mm: tuple[float, float]) -> Floats:
    """Of cards that were read it is known how far they reach: what looks like a bit of card beside them is
    something else, as a stone that leans over one. chances: (KINDS, H, W) of cells, the first at
    `origin_mm`."""
    card = KINDS.index("card")
    told = chances.argmax(axis=0) == card
    beside = told & ~_under(cards, BESIDE_CARD_MM, origin_mm, told.shape)
    if not cards or beside.sum() > A_BIT * told.sum():
        return chances
    found = chances.copy()
    found[card, beside] = 0.0
    return found


def _under(
    cards: Sequence[SeenCard], wider_mm: float, origin_mm: Sequence[float], shape: tuple[int, ...]
) -> Bools:
    """(H, W) which cells of a grid these cards cover, taken for so much longer and wider than they are."""
    known = np.zeros(shape, np.uint8)
    for each in cards:
        corners = each.outline_mm(wider_mm)
        cv2.fillConvexPoly(known, np.round((corners - origin_mm) / CELL_MM).astype(np.int32), (1,))
    return known > 0


def _solids(
    board: Board,
    sight: Sight,
    area: Field,
    busy: tuple[Box, Floats],
    kinds: tuple[str, ...],
    cards: list[SeenCard],
) -> list[Candidate]:
    """The solid pieces in the busy part of one area, where the ground network sees them. busy: its box and
    what the network says of it."""
    box, chances = busy
    corner = (box[0], box[1])
    if "lying" in kinds:
        seen = _figures(board, sight, chances, corner, partial(belongs, area))
    else:
        seen = trilith_in(board, sight.view, area, Seen(chances, corner), kinds)
    found = []
    for each in seen:
        own = each.kind in STONES or belongs(area, each.at_mm)
        if own and not any(_on_card(each, card) for card in cards):
            lying = each.kind == "lying"
            body = body_of(board.pieces["figure" if lying else each.kind], lying=lying)
            place = Place(area.id, each.at_mm, each.angle_deg, (body,), max(each.width_mm / 2, 4.0))
            found.append(Candidate(each, body, place))
    return found


def _busy(area: Field, lean_mm: tuple[float, float], sight: Sight) -> Box | None:
    """The part of an area in which the photograph differs from the empty board, with what may lean out of it
    and a margin for the network to see its surroundings; None if nothing differs. Most yards are mostly
    bare."""
    box = _reaching(_box(area), 0.0, lean_mm)
    coarse = stretch(sight.halves, sight.view, sight.surface, sight.light, box, COARSE_MM)
    reach = round(DIFFERENCE_MM / COARSE_MM)
    differs = cv2.blur(np.abs(coarse[6:9]).max(axis=0), (reach, reach)) > DIFFERS
    rows, columns = np.nonzero(differs & inside_area(area, box[:2], differs.shape, COARSE_MM))
    if not len(rows):
        return None
    (left, right), (top, bottom) = (
        (COARSE_MM * float(each.min()), COARSE_MM * float(each.max() + 1)) for each in (columns, rows)
    )
    left, top, right, bottom = _reaching((left, top, right, bottom), MARGIN_MM, lean_mm)
    # The network's steps begin at the area's corner, wherever in it something lies.
    left, top = (max(0, side // STEP_PX * STEP_PX) for side in (left, top))
    right, bottom = (-(-side // STEP_PX) * STEP_PX for side in (right, bottom))
    return box[0] + left, box[1] + top, min(box[0] + right, box[2]), min(box[1] + bottom, box[3])


def _figures(
    board: Board,
    sight: Sight,
    chances: Floats,
    origin_mm: tuple[float, float],
    within: Callable[[Sequence[float]], bool],
) -> list[Footprint]:
    """Figures on the altar, standing or lying: nothing else lies there, so whatever stands out is theirs, but
    for what looks like a hand or a gate over it."""
    winner = chances.argmax(axis=0)
    solid, other = winner != KINDS.index("ground"), among(winner, NO_FIGURE)
    figure = board.pieces["figure"]
    bodies = {"figure": body_of(figure), "lying": body_of(figure, lying=True)}
    worth = {kind: worth_of(chances, kind, tuple(bodies)) for kind in bodies}
    found = []
    for patch in patches_of(solid, solid):
        if other[patch > 0].mean() > 0.5:
            continue
        figures = figures_in(sight, figure, Patch(patch, worth, origin_mm, CELL_MM, within))
        if not figures:
            tried = explain(patch, origin_mm, CELL_MM, sight.view, bodies, ALTAR)
            figures = best(_weighed(sight, figure, tried))
        found += [footprint_of(board, each) for each in figures]
    return found


def _weighed(sight: Sight, figure: PieceType, tried: Sequence[Explanation]) -> list[Explanation]:
    """Explanations of the altar, weighed with the place networks' word for the figures that stand."""
    standing = {stone.at_mm for _, stones in tried for stone in stones if stone.kind == "figure"}
    word = {at_mm: STANDS_MM2 * stands_at(sight, figure, at_mm) for at_mm in standing}
    return [
        (value + sum(word[stone.at_mm] for stone in stones if stone.kind == "figure"), stones)
        for value, stones in tried
    ]


def _on_card(each: Footprint, card: SeenCard) -> bool:
    """Whether a footprint is print on a card: its centre lies well inside the card."""
    angle = np.radians(card.angle_deg)
    dx, dy = each.at_mm[0] - card.at_mm[0], each.at_mm[1] - card.at_mm[1]
    along, across = dx * np.cos(angle) + dy * np.sin(angle), dy * np.cos(angle) - dx * np.sin(angle)
    return bool(abs(along) < 20 and abs(across) < 13)


def _not_leaning(
    board: Board, sight: Sight, places: tuple[Place, ...], candidates: list[tuple[Field, Candidate]]
) -> list[tuple[Field, Candidate]]:
    """Candidates without those that are a part of a piece which stands on a field before the area."""
    if not any(_may_lean(each) for _, each in candidates):
        return candidates
    covered = outlines_read(board, sight, places)
    return [
        (area, each)
        for area, each in candidates
        if not _may_lean(each)
        or share_covered(covered, sight.view, (each.body, each.place.at_mm, each.place.angle_deg, 0.0))
        <= BEHIND_A_PIECE.get(each.body.kind, BEHIND_IF_DOUBTED)
    ]


def _may_lean(each: Candidate) -> bool:
    return each.body.kind in BEHIND_A_PIECE or each.footprint.doubted


def _name(
    board: Board,
    game: str | None,
    palette: Palette,
    sight: Sight,
    candidates: list[tuple[Field, Candidate]],
) -> None:
    """Look again at each candidate for its colour; what both networks doubt is dropped."""
    if not candidates:
        return
    looks = sight.look([each.place for _, each in candidates])
    colours = palette.told(looks, board, game, [c.body.kind for _, c in candidates])
    for (area, each), kind, colour in zip(candidates, looks.kind, colours, strict=True):
        there = max(0.0, float(1 - kind[EMPTY] - kind[UNSEEN]))
        counts = AT_STONES if each.body.kind in STONES else SECOND_LOOK
        sure = each.footprint.confidence * there**counts
        if sure < LEAST_SURE:
            continue
        likeliest = int(colour.argmax())
        x, y = each.footprint.at_mm
        sight.loose.append(
            Piece(
                each.body.kind,
                palette.names[likeliest],
                field=area.id,
                lying=each.footprint.kind == "lying",
                x_mm=round(x, 1),
                y_mm=round(y, 1),
                angle_deg=round(each.footprint.angle_deg, 1),
                confidence=round(sure * float(colour[likeliest]), 4),
            )
        )
        if each.body.kind == "capstone" and "disc" in board.pieces:
            mark_on(board, game, palette, sight, area, each.place)
    for area_id in {area.id for area, _ in candidates}:
        keep_one_mark(board, sight, area_id)
    if game is not None:
        _keep_one_figure(sight)


def _keep_one_figure(sight: Sight) -> None:
    """A set has one figure of each colour: of two the surer is one, the other a part or a shadow of it."""
    figures = sorted(
        (piece for piece in sight.loose if piece.kind == "figure"), key=lambda piece: -(piece.confidence or 0)
    )
    twice = [piece for n, piece in enumerate(figures) if piece.colour in {f.colour for f in figures[:n]}]
    sight.loose = [piece for piece in sight.loose if not any(piece is each for each in twice)]
