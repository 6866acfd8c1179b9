"""Which photographs the project ships, each from its own seed: change a line and `shipped` makes it anew.

SHIPPED is for looking and trying; JUDGED is the split by which the eyes are judged: nothing is tuned on it.
"""

from __future__ import annotations

import itertools
import random
from collections.abc import Sequence

from sample_images.generator.conditions import LIGHTS, STYLES, TROUBLES, VIEWS, Wish
from sample_images.generator.positions import GAMES
from sample_images.generator.sets import SETS

# name, game, stage, style, set, light, view, table, troubles
_ROWS = """
build-empty-1        build      empty   chalk     kit     overcast ordinary oak    -
build-empty-2        build      empty   night     kit     lamp     steep    walnut -
build-opening-1      build      opening chalk     kit     overcast ordinary oak    -
build-opening-2      build      opening chalk     wood    window   steep    linen  -
build-opening-3      build      opening parchment plastic lamp     ordinary walnut -
build-opening-4      build      opening night     resin   studio   above    white  -
build-middle-1       build      middle  chalk     kit     lamp     ordinary oak    -
build-middle-2       build      middle  chalk     plastic overcast steep    slate  -
build-middle-3       build      middle  chalk     wood    several  above    green  -
build-middle-4       build      middle  parchment resin   window   steep    pine   -
build-middle-5       build      middle  night     plastic studio   portrait oak    -
build-middle-6       build      middle  chalk     kit     window   portrait white  -
build-full-1         build      full    chalk     kit     overcast steep    walnut -
build-full-2         build      full    chalk     resin   lamp     steep    cloth  -
build-full-3         build      full    chalk     plastic window   above    oak    -
build-full-4         build      full    night     wood    several  steep    pine   -
build-full-5         build      full    parchment kit     studio   above    slate  -
build-full-6         build      full    chalk     wood    studio   portrait linen  -
build-hard-hand      build      middle  chalk     kit     lamp     ordinary oak    hand
build-hard-glare     build      middle  chalk     plastic overcast ordinary walnut glare
build-hard-low       build      full    chalk     kit     overcast low      pine   careless
build-hard-dim       build      middle  chalk     wood    lamp     steep    cloth  dim,cast
build-hard-cropped   build      full    chalk     resin   window   ordinary white  cropped
stonehenge-empty-1   stonehenge empty   chalk     kit     overcast ordinary oak    -
stonehenge-empty-2   stonehenge empty   parchment kit     window   above    white  -
stonehenge-opening-1 stonehenge opening chalk     kit     lamp     ordinary walnut -
stonehenge-opening-2 stonehenge opening chalk     wood    overcast steep    linen  -
stonehenge-opening-3 stonehenge opening night     plastic studio   ordinary slate  -
stonehenge-middle-1  stonehenge middle  chalk     kit     overcast ordinary oak    -
stonehenge-middle-2  stonehenge middle  chalk     wood    lamp     steep    green  -
stonehenge-middle-3  stonehenge middle  chalk     resin   window   ordinary pine   -
stonehenge-middle-4  stonehenge middle  parchment plastic several  above    walnut -
stonehenge-middle-5  stonehenge middle  night     kit     studio   portrait white  -
stonehenge-middle-6  stonehenge middle  chalk     plastic overcast portrait cloth  -
stonehenge-full-1    stonehenge full    chalk     kit     lamp     steep    oak    -
stonehenge-full-2    stonehenge full    chalk     wood    overcast ordinary slate  -
stonehenge-full-3    stonehenge full    chalk     plastic window   steep    linen  -
stonehenge-full-4    stonehenge full    night     resin   several  steep    oak    -
stonehenge-full-5    stonehenge full    parchment kit     studio   above    pine   -
stonehenge-full-6    stonehenge full    chalk     resin   lamp     above    white  -
stonehenge-hard-hand stonehenge middle  chalk     kit     window   ordinary oak    hand
stonehenge-hard-low  stonehenge full    chalk     wood    lamp     low      walnut noise
stonehenge-hard-blur stonehenge middle  chalk     plastic overcast steep    green  blur,jpeg
stonehenge-hard-cast stonehenge full    chalk     resin   window   wide     linen  glare,cast
"""


def _shipped() -> list[tuple[str, Wish, int]]:
    rows = [line.split() for line in _ROWS.strip().splitlines()]
    wishes = []
    for seed, (name, game, stage, style, pieces, light, view, surface, troubles) in enumerate(rows, start=1):
        named = () if troubles == "-" else tuple(troubles.split(","))
        wishes.append((name, Wish(game, stage, style, pieces, light, view, named, surface=surface), seed))
    return wishes


SHIPPED = _shipped()


# A view that the judged split leaves out: a picture of twelve megapixels takes minutes to render.
LEFT_OUT = "large"
FIRST_JUDGED_SEED = 19_000


def judged(
    first_seed: int = FIRST_JUDGED_SEED, environments: Sequence[str] = (), count: int = 108
) -> list[tuple[str, Wish, int]]:
    """Every second photograph is plain. All games, lights, views, styles and sets come equally often; of the
    troubles, one or two in every hard photograph, each at least eight times. Another seed makes another split
    to judge by; with `environments`, names of captured lights, every third photograph is lit by one."""
    chance = random.Random(f"judged {first_seed}")
    views = [view for view in VIEWS if view != LEFT_OUT]

    def evenly(values: list[str]) -> list[str]:
        enough = list(itertools.islice(itertools.cycle(values), count))
        chance.shuffle(enough)
        return enough

    columns = [evenly(list(each)) for each in (STYLES, SETS, LIGHTS, views)]
    stages = evenly(["opening", "middle", "middle", "full", "full"])
    troubles = itertools.cycle(chance.sample(list(TROUBLES), len(TROUBLES)))
    wishes = []
    for index, (style, pieces, light, view) in enumerate(zip(*columns, strict=True)):
        game = GAMES[index % len(GAMES)]
        hard = index // len(GAMES) % 2 == 1
        named = tuple(itertools.islice(troubles, 1 + index % 2)) if hard else ()
        captured = chance.choice(environments) if environments and index % 3 == 0 else None
        wish = Wish(
            game, stages[index], style, pieces, None if captured else light, view, named, environment=captured
        )
        wishes.append((f"{index + 1:03d}-{game}", wish, first_seed + index))
    return wishes


JUDGED = judged()
