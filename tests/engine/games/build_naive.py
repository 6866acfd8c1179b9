"""The fame of Erbaut Stonehenge! once more, as slowly and literally as a person counts it. Shares no code
with the engine: it walks over the fields and asks every neighbour."""

from __future__ import annotations


def naive_fame(mine, neutral=()):
    """mine: field ids; neutral: ring fields of neutral blocks that count as one's own."""
    blocks = {int(field[5:]) for field in (*mine, *neutral) if field.startswith("ring-")}
    stones = {int(field[10:]) for field in mine if field.startswith("bluestone-")}
    gates = {int(field[8:]) for field in mine if field.startswith("trilith-")}
    return naive_blocks(blocks) + naive_row(stones, 19, 2, 1, 3) + naive_row(gates, 5, 8, 5, None)


def naive_blocks(blocks):
    """1 each, 1 per neighbouring pair, 5 per group of four or more; field 30 is next to field 1."""
    points = len(blocks)
    for field in blocks:
        points += (field + 1 if field < 30 else 1) in blocks
    return points + 5 * sum(
        len(group) >= 4 for group in groups(blocks, lambda n: {n % 30 + 1, (n - 2) % 30 + 1})
    )


def naive_row(places, last, each, pair, bonus_from):
    points = each * len(places)
    for place in range(1, last):
        points += pair * (place in places and place + 1 in places)
    if bonus_from is not None:
        points += 5 * sum(len(group) >= bonus_from for group in groups(places, lambda n: {n - 1, n + 1}))
    return points


def groups(places, neighbours):
    """The connected groups, found by spreading from each place."""
    left, found = set(places), []
    while left:
        group, edge = set(), {left.pop()}
        while edge:
            place = edge.pop()
            group.add(place)
            edge |= neighbours(place) & left
            left -= edge
        found.append(group)
    return found
