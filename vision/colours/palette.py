"""Which colour of the set is this? Names and nominal shades come from the board file; the real shades of the
set on the table, under tonight's lamp, are learnt from the photograph itself."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import product
from operator import itemgetter

import numpy as np
from numpy.typing import NDArray

from engine.board import Board
from vision.colours.lamp import Lamp, find_lamp
from vision.colours.shades import BRIGHTNESS_UNIT, SPACE, TINT_UNIT, gap
from vision.fields.network import Looks
from vision.fields.places import colours_of
from vision.prints.surface import GAMMA, Surface

Floats = NDArray[np.float32]
Array = NDArray[np.float64]
# Brighter by, saturation, contrast.
Start = tuple[float, float, float]
Bools = NDArray[np.bool_]
# Display-referred, 0..1: how far all pieces of a kind may be brighter or darker than the board file says
# (gloss, print on them, their sides), how far tinted, and how far one colour may be on its own.
BRIGHTER_SPREAD, TINT_SPREAD, OWN_SPREAD = 0.14, 0.05, 0.04
# How much darker a single piece may be than its colour, in its shadow, and what that costs where the print
# around it is not as dark: a lamp behind it leaves its sides dark on bright print, and print that mirrors a
# window is brighter than what stands on it. (Of 4,830 pieces in 217 photographs by two programs 18 are told
# wrongly with this and APART, where 32 were with a spread of 0.1 and without.) Where the print is only known
# from a photograph a piece in shadow is rather another: grey is a lit black. Of a figure mostly its sides are
# seen, wherever it stands.
SHADOWS, SHADOW_SPREAD = (0.34, 0.42, 0.5, 0.58, 0.66, 0.75, 0.82, 0.9, 1.0, 1.1), 0.25
FOREIGN_SHADOW_SPREAD = 0.1
OF_SIDES = ("figure",)
# What a glossy piece in the light mirrors adds white to its colour; how much that usually is (display-
# referred). (On 411 composed tables, 209 of them not looked at before, 107 of 9,938 pieces are told wrongly,
# where 171 were: pale green or yellow ones as white; of 5,714 in photographs two, as before.)
# No more than MOST_MIRRORED of it: with more a white piece in tinted light was told as a mirroring black one.
# Not where the print is only known from a photograph, and so the light is: there grey pieces are taken for
# mirroring black ones (of 2,894 pieces on 25 boards of another renderer 42 are told wrongly so, 59 with it),
# or for red ones under a lamp (four in 245 photographs, and none was told rightly by it).
MIRRORED, MOST_MIRRORED, WHITE = 0.2, 0.4, np.full(3, 0.95, np.float32)
# Pieces that show more of their paint than this mirror no lamp (see `lamp`).
UNLIT = 0.95
# Where the search begins: brightness, saturation and contrast of the whole kind (a set may be stained dark).
STARTS = tuple(product((-0.12, 0.0, 0.12, 0.24), (0.6, 0.8, 1.0), (0.4, 0.6, 0.8, 1.0)))
# With shades that a profile tells, only the light can have changed.
KNOWN_STARTS = tuple(product((-0.08, 0.0, 0.08), (0.85, 1.0), (1.0,)))
CONTRAST_SPREAD = 0.4
# A colour that no piece seems to have draws those of others as much as one that so many have, one of so many
# pieces as much as any: without it yellow, of which no piece was there, came to lie on a dull green.
UNSEEN, SOME = 0.5, 2.0
# What is known of a set's spread before any piece is seen counts as much as so many pieces.
USUAL_SPREAD, SPREAD_PIECES = 0.7, 4.0
ROUNDS = 4
# The search begins with pieces so many times as far apart as is usual: colours that few pieces have are not
# left aside for being far from where they were looked for. (With 5 yellow ones are told as red; of figures,
# of which there are no more than a few, a white one in the shade as blue.)
APART = 3.0
# Where the pieces are worse explained than so (log likelihood of each), white is not white in this light: the
# colours may be under one of these casts, if that explains all of them better by so much. (Elsewhere they
# would be so told wrongly: 18 of 1,104 pieces instead of 10.) A cast: how bright blue, green and red are
# beside a neutral light.
STRANGE, BETTER = -2.0, 16.0
_TOWARDS = ((1, 0, -1), (-1, 0, 1), (1, -2, 1), (-1, 2, -1), (1, 1, -2), (-1, -1, 2), (-2, 1, 1), (2, -1, -1))
NEUTRAL = np.ones(3)
CASTS = tuple(
    np.exp(strength * np.array(way) / np.linalg.norm(way)) for way in _TOWARDS for strength in (0.6, 1.2)
)
# Of these kinds a set has one in each colour, of those ten, in the same paints: so many tell what these are,
# or so many of several kinds. (Blocks in heaps and those of `rolling` are no better told by what discs tell.)
FEW, MANY, ENOUGH = ("figure",), ("disc", "block"), 3
# These have their set's paints, too: where ENOUGH of the others are seen their shades are tried beside the
# board file's, unless a profile tells theirs. (The stickers and upper faces of druid stones mirror the room,
# megaliths show their sides.)
LIKE = {"druid": "megalith"}
OUTLIER = 1e-3
# Pieces of one colour have heavier tails than the space's unit says: like Student's distribution with so many
# degrees of freedom; heavier ones where the print is only known from a photograph, and so the light is. (The
# log loss of 1,219 pieces in 79 photographs of such boards is 198 so, 267 with the others; as many are told
# rightly. On our own prints the others are better.)
TRUST, TAILS, FOREIGN_TAILS = 0.6, 30.0, 12.0
# How often a piece's colour is rather that which is seen beside what it mirrors. (Of 8,578 pieces in 355
# photographs 14 were told wrongly without, the log loss was 111; so it is 12 and 85. With that colour alone,
# 31 and 204: white pieces mirror coloured ones.)
MIRRORS = 0.3
# No colour that a piece may have is less likely than this: a float32 holds it.
UNLIKELY = 1e-30


@dataclass(frozen=True)
class Set:
    """The pieces of one kind on the table: their shades, (P, 3), and how far pieces of one colour are from
    one another, as a share of what `shades.SPACE` takes for usual."""

    shades: Floats
    spread: float = 1.0


# What pieces tell of a set, and how well that explains them (log likelihood).
Fit = tuple[Set, float]


@dataclass(frozen=True)
class Palette:
    """Colour names and their nominal shades, (P, 3) display-referred BGR 0..1; `of_kind` holds what was
    learnt of each kind of piece, `paints` what that tells of kinds that were not seen, `known` what a profile
    tells of the set, `lamp` which one the pieces mirror; tails, mirrored,
    shadow_spread: see `TAILS`, `MIRRORED`, `SHADOWS`."""

    names: tuple[str, ...]
    shades: Floats
    of_kind: Mapping[str, Set] = field(default_factory=dict)
    known: Mapping[str, Set] = field(default_factory=dict)
    tails: float = TAILS
    mirrored: bool = True
    shadow_spread: float = SHADOW_SPREAD
    paints: Set | None = None
    lamp: Lamp | None = None

    @classmethod
    def of(
        cls, board: Board, names: Sequence[str], known: Mapping[str, tuple[int, int, int]] | None = None
    ) -> Palette:
        """The nominal shades of `names`: from a profile (`known`, RGB 0..255) or else from the board file."""
        rgb = [(known or {}).get(name) or board.colour_rgb(name) for name in names]
        return cls(tuple(names), (np.array(rgb, np.float32).reshape(-1, 3)[:, ::-1] / 255).astype(np.float32))

    def with_known(self, colours: Mapping[str, Mapping[str, tuple[int, int, int]]]) -> Palette:
        """The palette of a set whose shades a profile tells: kind -> colour -> RGB 0..255. Colours that
        were not shown are moved as those that were."""
        known = {}
        for kind, named in colours.items():
            told = [n for n, name in enumerate(self.names) if name in named]
            if not told:
                continue
            shades = self.shades.copy()
            rgb = np.array([named[self.names[n]] for n in told], np.float32)
            shades[told] = rgb[:, ::-1] / 255
            rest = [n for n in range(len(self.names)) if n not in told]
            shades[rest] += np.median(shades[told] - self.shades[told], axis=0)
            known[kind] = Set(np.clip(shades, 0, 1.2).astype(np.float32))
        return replace(self, of_kind=known, known=known)

    def on(self, surface: Surface) -> Palette:
        """The palette as it is to be trusted on this print."""
        foreign = surface.is_foreign
        return replace(
            self,
            tails=FOREIGN_TAILS if foreign else TAILS,
            mirrored=not foreign,
            shadow_spread=FOREIGN_SHADOW_SPREAD if foreign else SHADOW_SPREAD,
        )

    def of_pieces(self, kind: str) -> Set:
        """What is known of the pieces of a kind: learnt, or else that they have the paints of others, or else
        as the board file has them."""
        return self.of_kind.get(kind) or self.paints or Set(self.shades)

    def beliefs(
        self,
        seen: Floats,
        allowed: Bools,
        kinds: Sequence[str],
        around: Floats | float = 1.0,
        matt: Floats | None = None,
        at_mm: Array | None = None,
    ) -> Floats:
        """(N, P) probabilities of the colours of N pieces; `allowed` (N, P) says which a piece may have,
        `kinds` what each of them is; around, matt: (N,), (N, 3) see `Looks`; at_mm: (N, 2) where they lie, if
        they may mirror the lamp that others do."""
        paint = 1.0 if at_mm is None or self.lamp is None else self.lamp.paint(at_mm, kinds)
        likely = self.likely(seen, kinds, around, paint)
        if matt is not None:
            likely = (1 - MIRRORS) * likely + MIRRORS * self.likely(matt, kinds, around)
        likely = np.maximum(likely, UNLIKELY) * allowed
        return np.asarray(likely / np.maximum(likely.sum(axis=1, keepdims=True), UNLIKELY), np.float32)

    def likely(
        self, seen: Floats, kinds: Sequence[str], around: Floats | float = 1.0, paint: Floats | float = 1.0
    ) -> Floats:
        """(N, P) how likely N pieces look so if they have those colours, see `beliefs`; paint: (N,) how much
        of that they show, see `lamp`."""
        found = np.zeros((len(seen), len(self.names)), np.float32)
        dim, bare = (np.broadcast_to(np.float32(each), len(seen)) for each in (around, paint))
        for kind in dict.fromkeys(kinds):
            chosen = np.flatnonzero(np.array(kinds) == kind)
            own = self.of_pieces(kind)
            white = own.shades[self.names.index("white")] if "white" in self.names else WHITE
            share = bare[chosen, None, None]
            shades = share * own.shades + (1 - share) * white
            # What mirrors the lamp that is known mirrors nothing else.
            mirrored = (bare[chosen] > UNLIT) & self.mirrored
            odd = self._odd_shadow(kind)
            gaps = _gaps(seen[chosen], shades, own.spread, dim[chosen], kind, mirrored, odd)
            found[chosen] = np.exp(-0.5 * TRUST * self.tails * np.log1p(gaps / self.tails))
        return found

    def _odd_shadow(self, kind: str) -> float:
        return SHADOW_SPREAD if kind in OF_SIDES else self.shadow_spread

    def told(
        self, looks: Looks, board: Board, game: str | None, kinds: Sequence[str], at_mm: Array | None = None
    ) -> Floats:
        """`beliefs` of the pieces of these kinds that the networks looked at; each may have any colour that
        its kind has in `game`."""
        allowed = self.allowed(board, game, kinds)
        return self.beliefs(looks.seen, allowed, kinds, looks.around, looks.matt, at_mm)

    def nominal(self, board: Board, game: str | None, kind: str) -> Floats:
        """(P, 3) the shades that pieces of a kind have in `game`, as the board file says."""
        return self.shades[self.allowed(board, game, [kind])[0]]

    def allowed(self, board: Board, game: str | None, kinds: Sequence[str]) -> Bools:
        """(N, P): the colours that pieces of these N kinds can have in `game`."""
        of_kinds = [colours_of(board, game, kind) for kind in kinds]
        return np.array([[name in colours for name in self.names] for colours in of_kinds])

    def adapted(
        self,
        seen: Floats,
        allowed: Bools,
        weight: Floats,
        kinds: Sequence[str],
        around: Floats | float = 1.0,
        at_mm: Array | None = None,
    ) -> Palette:
        """The palette moved, kind by kind, to where the pieces seen have it; `weight` (N,) tells how surely
        each is a piece; around: (N,) see `Looks`. One piece moves it little, many move it fully; of figures,
        which are few, a set's discs or blocks tell what its paints are like. at_mm: (N, 2) where they lie; a
        lamp that they may mirror is looked for only if that is told."""
        named, dim = np.array(kinds), np.broadcast_to(np.float32(around), len(seen))
        counts = Counter(named[weight > 0].tolist())
        # Where a set shows nothing but its few, these tell of the light.
        many = [kind for kind in counts if kind not in FEW or kind in self.known] or list(counts)

        def fitted(of: Sequence[str], known: Floats, starts: Sequence[Start] = STARTS) -> Fit:
            among = np.isin(named, of) & (weight > 0)
            pieces = seen[among], allowed[among], weight[among], dim[among]
            return _fit(known, *pieces, starts, of[0], self.mirrored, self._odd_shadow(of[0]))

        def begun(kind: str) -> tuple[Floats, Sequence[Start]]:
            known = self.known.get(kind)
            return (self.shades, STARTS) if known is None else (known.shades, KNOWN_STARTS)

        def told(cast: Array) -> dict[str, Fit]:
            """Of each kind of which there are many, what its pieces tell in a light of that colour."""
            found: dict[str, Fit] = {}
            for kind in sorted(many, key=lambda kind: kind in LIKE):
                known, starts = begun(kind)
                found[kind] = fitted((kind,), _under(cast, known), starts)
                like = LIKE.get(kind, "")
                if like in found and counts[like] >= ENOUGH and kind not in self.known:
                    other = fitted((kind,), found[like][0].shades)
                    found[kind] = max(found[kind], other, key=itemgetter(1))
            return found

        def is_strange(kind: str, fit: Fit) -> bool:
            return fit[1] <= STRANGE * float(weight[named == kind].sum())

        usual, cast = told(NEUTRAL), NEUTRAL
        learnt = usual
        if any(is_strange(kind, fit) for kind, fit in usual.items()):
            # All pieces on a table lie in the same light.
            casts = [(NEUTRAL, usual), *((each, told(each)) for each in CASTS)]
            tried, others = max(casts, key=lambda found: _together(found[1]))
            if _together(others) > _together(usual) + BETTER:
                cast, learnt = tried, others
        sets = {kind: each for kind, (each, _) in learnt.items()}
        paints = self._paints(sets, counts, lambda: fitted(MANY, _under(cast, self.shades))[0])
        for kind in (kind for kind in FEW if counts[kind] and kind not in sets):
            sets[kind] = fitted((kind,), _under(cast, self.shades) if paints is None else paints.shades)[0]
        found = replace(self, of_kind={**self.known, **sets}, paints=paints, lamp=None)
        if at_mm is None or not self.mirrored:
            return found
        return replace(found, lamp=find_lamp(found, seen, allowed, weight, kinds, dim, at_mm))

    def _paints(
        self, learnt: Mapping[str, Set], counts: Mapping[str, int], of_all: Callable[[], Set]
    ) -> Set | None:
        """What a set's many pieces tell of its paints, if enough of them are seen; of_all: what those of
        several kinds tell together."""
        most = max(MANY, key=lambda kind: counts[kind])
        if counts[most] >= ENOUGH:
            return Set(learnt[most].shades)
        if sum(counts[kind] for kind in MANY) >= ENOUGH:
            return Set(of_all().shades)
        return None


def _together(fits: Mapping[str, Fit]) -> float:
    return sum(fit for _, fit in fits.values())


def _fit(
    known: Floats,
    seen: Floats,
    allowed: Bools,
    weight: Floats,
    around: Floats,
    starts: Sequence[Start],
    kind: str,
    mirrored: bool,
    odd: float,
) -> Fit:
    """The shades and how well they explain the pieces: expectation maximisation of a mixture of colours whose
    common shift and whose spread have a prior, from several starts at once (the first axis of all that is
    learnt): with all blacks looking brown, the nearest colours alone would lead astray."""
    brighter, saturation, contrast = np.array(starts, np.float32).T[..., None, None]
    grey = known.mean(axis=1, keepdims=True)
    start = contrast * (grey + (known - grey) * saturation)
    common = np.broadcast_to(brighter, (len(starts), 1, 3))
    own = np.zeros_like(start)
    spread = np.full_like(brighter, 1.0 if kind in FEW else APART)
    often = np.ones((len(starts), 1, len(known)), np.float32)
    for _ in range(ROUNDS):
        gaps = _gaps(seen, (start + common + own)[:, None], spread, around, kind, mirrored, odd)
        share = np.exp(-0.5 * gaps) * allowed * often
        share = share / (share.sum(axis=2, keepdims=True) + OUTLIER * spread**3) * weight[:, None]
        count = share.sum(axis=1)[..., None]
        often = (np.minimum(count, SOME) + UNSEEN).transpose(0, 2, 1)
        often /= often.max(axis=2, keepdims=True)
        moved = share.transpose(0, 2, 1) @ seen
        common = _common(count, moved - count * start)
        mean = moved / np.maximum(count, 1e-6) - start - common
        own = mean * (count / (count + (TINT_UNIT / OWN_SPREAD) ** 2))
        away = (
            3 * SPREAD_PIECES * USUAL_SPREAD**2 + (share * gaps).sum(axis=(1, 2))[:, None, None] * spread**2
        )
        spread = np.sqrt(away / (3 * SPREAD_PIECES + 3 * count.sum(axis=1, keepdims=True)))
    gaps = _gaps(seen, (start + common + own)[:, None], spread, around, kind, mirrored, odd)
    chance = (np.exp(-0.5 * gaps) * allowed).sum(axis=2)
    fit = (weight * np.log(chance / spread[..., 0] ** 3 + OUTLIER)).sum(axis=1)
    brightness = common.mean(axis=2, keepdims=True)
    fit -= 0.5 * ((brightness / BRIGHTER_SPREAD) ** 2)[:, 0, 0]
    fit -= 0.5 * (((common - brightness) / TINT_SPREAD) ** 2).sum(axis=(1, 2))
    fit -= 0.5 * ((own / OWN_SPREAD) ** 2).sum(axis=(1, 2)) + (2 * (1 - saturation) ** 2)[:, 0, 0]
    fit -= 0.5 * (((1 - contrast) / CONTRAST_SPREAD) ** 2)[:, 0, 0]
    fit -= 1.5 * SPREAD_PIECES * (2 * np.log(spread) + (USUAL_SPREAD / spread) ** 2)[:, 0, 0]
    best = int(fit.argmax())
    shades = np.clip((start + common + own)[best], 0, 1.2).astype(np.float32)
    return Set(shades, float(spread[best, 0, 0])), float(fit[best])


def _under(cast: NDArray[np.float64], shades: Floats) -> Floats:
    """(P, 3) how shades look in a light of another colour, (3,) linear."""
    return np.clip((shades**GAMMA * cast) ** (1 / GAMMA), 0, 1.2).astype(np.float32)


def _common(count: Floats, moved: Floats) -> Floats:
    """(K, 1, 3) shift of the whole kind, brightness and tint each shrunk by its prior, of (K, P, 1) pieces of
    each colour and (K, P, 3) sums of how far they are from it."""
    total = count.sum(axis=1, keepdims=True)
    mean = moved.sum(axis=1, keepdims=True) / np.maximum(total, 1e-6)
    brightness = mean.mean(axis=2, keepdims=True)
    tint = mean - brightness
    brightness = brightness * total / (total + (BRIGHTNESS_UNIT / BRIGHTER_SPREAD) ** 2)
    return np.asarray(brightness + tint * total / (total + (TINT_UNIT / TINT_SPREAD) ** 2), np.float32)


def _gaps(
    seen: Floats,
    shades: Floats,
    spread: Floats | float,
    around: Floats,
    kind: str,
    mirrored: Bools | bool,
    odd: float,
) -> Floats:
    """(..., N, P) squared distances of (N, 3) colours from (..., N or 1, P, 3) shades in units of the
    spread, each piece of the kind in as much shadow as suits it and lies around it, or, unless mostly its
    sides are seen and where any may be `mirrored`, mirroring as much light: a white block in the shade is a
    dim white, not a green, and a green one under a lamp a pale green, not a white. odd: what a shadow
    costs that does not lie around a piece, see `SHADOWS`."""
    unit = np.asarray(spread, np.float32)[..., None] if np.ndim(spread) else np.float32(spread)
    seen, shades = seen[:, None] / unit, shades / unit
    in_shadow = gap(seen, shades, SHADOWS, odd, around[:, None])
    if kind in OF_SIDES or not np.any(mirrored):
        return in_shadow
    mirroring = np.minimum(in_shadow, _gaps_of_mirrors(seen, shades, unit))
    return mirroring if np.all(mirrored) else np.where(np.asarray(mirrored)[:, None], mirroring, in_shadow)


def _gaps_of_mirrors(seen: Floats, shades: Floats, unit: Floats | np.float32) -> Floats:
    """The same (all divided by the `unit`) of pieces that mirror something bright, in no shadow: as much
    white is added as suits best, which costs the more the more it is."""
    away, white = (seen - shades) @ SPACE, (WHITE / unit) @ SPACE
    along, costs = (away * white).sum(axis=-1), (white * white).sum(axis=-1) + MIRRORED**-2
    added = np.clip(along / costs, 0, MOST_MIRRORED)
    return np.asarray((away * away).sum(axis=-1) + added * (added * costs - 2 * along), np.float32)
