"""A reading is put right on the page, as players do it: by touch on a phone, by mouse, and by the keyboard
alone; a table that is out of step is brought into step in each of the three ways."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from engine import Piece, Position
from table import Hall, Table
from tests.webui.conftest import asking, out_of_step
from tests.webui.seeing import stone, view_of, with_piece
from tests.webui.test_page import LANGUAGES, PHONE, SIZES, WIDE, open_page, open_table, tap, until  # noqa: F401

IS = {"en": "It is", "de": "Es ist:"}


def misread(hall: Hall) -> Table:
    """A table at which a 5 was taken for a 3, and recorded so; the reader's second guess is right."""
    table = hall.create("stonehenge", ("black", "brown"))
    table.play("place 4 on space-A")
    table.see(*view_of(table.state.visible()))
    after = with_piece(table.state.visible(), Piece("druid", "brown", field="space-G", value=3))
    doubt = {"space-G": {stone("brown", 3): 0.93, stone("brown", 5): 0.06, None: 0.01}}
    for _ in range(4):
        table.see(*view_of(after, doubt))
    assert [entry.text for entry in table.entries] == ["place 4 on space-A", "place 3 on space-G"]
    return table


def moved_away(hall: Hall) -> Table:
    """A table on which a stone has wandered to another space."""
    table = hall.create("stonehenge", ("black", "brown"))
    table.play("place 4 on space-A")
    table.see(*view_of(table.state.visible()))
    elsewhere = Position(table.game.board, (Piece("druid", "black", field="space-Q", value=4),), "stonehenge")
    for _ in range(4):
        table.see(*view_of(elsewhere))
    assert table.status.name == "out_of_step", table.status
    return table


@SIZES
@LANGUAGES
def test_a_reading_is_put_right_in_two_touches(
    open_page: Any,  # noqa: F811
    hall: Hall,
    size: dict[str, int],
    language: str,
) -> None:
    """The field, then the reader's second guess: the record follows, and says that it was corrected."""
    table = misread(hall)
    page = open_table(open_page, table, size, language)
    tap(page, "space-G")
    guesses = page.locator(".alternative")
    words = {"en": "brown druid 5", "de": "brauner Druidenstein 5"}[language]
    until(lambda: guesses.count() == 3)  # the 3, the 5, nothing
    expect(guesses.nth(1)).to_contain_text(f"{IS[language]} {words}")
    guesses.nth(1).click()
    until(lambda: table.entries[-1].kind == "correction")
    assert table.entries[-1].text == "place 5 on space-G"
    page.locator(".status.in_step").wait_for()
    page.locator('[data-key="teach"]').click()
    until(lambda: table.take_lesson(table._read) is not None)


@SIZES
@LANGUAGES
def test_an_alarm_leaves_the_board_free_and_all_its_ways_in_sight(
    open_page: Any,  # noqa: F811
    hall: Hall,
    size: dict[str, int],
    language: str,
) -> None:
    page = open_table(open_page, out_of_step(hall), size, language)
    page.locator(".alarm").wait_for()
    until(lambda: page.evaluate("window.henge.ready"))
    [alarm], [board] = boxes(page, ".alarm"), boxes(page, ".stage")
    assert alarm["top"] >= board["bottom"] or alarm["left"] >= board["right"]
    expect(page.locator(".ring.wrong")).to_have_count(1)
    ways = boxes(page, ".way")
    assert len(ways) == 3
    assert all(way["height"] >= 44 and way["bottom"] <= size["height"] for way in ways)
    large = "parseFloat(getComputedStyle(document.querySelector('.status.out_of_step b')).fontSize) >= 20"
    until(lambda: page.evaluate(large))


def boxes(page: Any, selector: str) -> Any:
    """Where these elements are now (a locator may miss them while they are drawn anew)."""
    return page.evaluate(
        "s => [...document.querySelectorAll(s)].map(e => e.getBoundingClientRect().toJSON())", selector
    )


@SIZES
@pytest.mark.parametrize("way", ["put it back", "the reading is wrong", "we agreed"])
def test_a_table_comes_into_step_in_each_of_three_ways(
    open_page: Any,  # noqa: F811
    hall: Hall,
    size: dict[str, int],
    way: str,
) -> None:
    table = out_of_step(hall) if way == "the reading is wrong" else moved_away(hall)
    right = table.state.visible()
    page = open_table(open_page, table, size)
    page.locator(".alarm").wait_for()
    if way == "put it back":
        for _ in range(3):
            table.see(*view_of(right))
    elif way == "the reading is wrong":
        page.locator('[data-key="wrong"]').click()
        page.get_by_role("button", name="It is nothing").click()
    else:
        page.locator('[data-key="allow"]').click()
    page.locator(".status.in_step").wait_for()
    expect(page.locator(".alarm, .ring.wrong")).to_have_count(0)
    assert table.status.name == "in_step"
    lies = [piece.field for piece in table.state.visible().pieces]
    assert lies == (["space-Q"] if way == "we agreed" else ["space-A"])


def test_a_question_shows_what_each_answer_would_change_and_a_key_answers(
    open_page: Any,  # noqa: F811
    hall: Hall,
) -> None:
    table = asking(hall)
    page = open_table(open_page, table, WIDE, "de")
    answers = page.locator(".answer")
    until(lambda: answers.count() >= 2)
    shown = [answers.nth(i).locator(".cutout .ghost text").all_text_contents() for i in range(2)]
    assert sorted(shown) == [["3"], ["5"]]
    page.get_by_role("button", name="Setze 5 auf Feld G").hover()
    expect(page.locator(".stage .ghost")).to_have_count(1)
    page.keyboard.press(str(shown.index(["5"]) + 1))
    page.locator(".status.in_step").wait_for()
    assert table.entries[-1].text == "place 5 on space-G"


def middle(page: Any, field: str) -> tuple[float, float]:
    box = page.locator(f'.target[data-field="{field}"]').bounding_box()
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def carry(page: Any, start: str, end: str) -> None:
    """A piece is carried from field to field: by a finger if the screen can be touched, else by the mouse."""
    (x0, y0), (x1, y1) = middle(page, start), middle(page, end)
    way = [(x0 + (x1 - x0) * i / 8, y0 + (y1 - y0) * i / 8) for i in range(9)]
    if not page.evaluate("navigator.maxTouchPoints > 0"):
        page.mouse.move(*way[0])
        page.mouse.down()
        for x, y in way:
            page.mouse.move(x, y)
        return page.mouse.up()
    finger = page.context.new_cdp_session(page)
    for i, (x, y) in enumerate(way):
        finger.send(
            "Input.dispatchTouchEvent",
            {"type": "touchMove" if i else "touchStart", "touchPoints": [{"x": x, "y": y}]},
        )
    return finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@SIZES
def test_a_piece_is_dragged_to_where_it_really_lies(
    open_page: Any,  # noqa: F811
    hall: Hall,
    size: dict[str, int],
) -> None:
    table = hall.create("stonehenge", ("black", "brown"))
    table.play("place 4 on space-A")
    table.see(*view_of(table.state.visible()))
    page = open_table(open_page, table, size)
    page.locator(".tile .mark").first.wait_for()
    carry(page, "space-A", "space-G")
    until(lambda: table.entries[-1].text == "the reading was wrong: black druid 4 lies at space-G")
    assert "the reading was wrong: nothing lies at space-A" in [entry.text for entry in table.entries]
    assert table.view is not None and table.view.observation.ranked("space-G")[0][0] == stone("black", 4)
    expect(page.locator(".carried")).to_have_count(0)


def focused(page: Any) -> str:
    return str(
        page.evaluate("document.activeElement.dataset.field ?? document.activeElement.dataset.key ?? ''")
    )


def press_until(page: Any, key: str, where: Any, most: int = 60) -> None:
    for _ in range(most):
        if where(focused(page)):
            return
        page.keyboard.press(key)
    raise AssertionError(f"{key} never came there")


def test_the_keyboard_alone_puts_a_reading_right(open_page: Any, hall: Hall) -> None:  # noqa: F811
    """No mouse, no script: Tab to the board, arrows to the field, Enter, Tab to the second guess, Enter."""
    table = misread(hall)
    page = open_table(open_page, table, WIDE)
    press_until(page, "Tab", lambda at: page.locator(f'.target[data-field="{at}"]').count() == 1)
    press_until(page, "ArrowRight", lambda at: at in ("space-A", "space-B", "space-E", "space-I", "space-N"))
    page.locator(".target:focus").wait_for()
    walk_to(page, "space-G")
    page.keyboard.press("Enter")
    page.locator(".alternative:focus, .move:focus").wait_for()
    press_until(page, "Tab", lambda at: "brown druid 5" in at)
    page.keyboard.press("Enter")
    until(lambda: table.entries[-1].kind == "correction")
    page.locator(".status.in_step").wait_for()
    until(lambda: focused(page) == "space-G")  # and one goes on from there
    page.keyboard.press("u")
    until(lambda: table.entries[-1].kind == "undo")
    page.keyboard.press("r")
    until(lambda: table.entries[-1].kind == "redo")


def walk_to(page: Any, field: str, most: int = 40) -> None:
    """Arrow keys towards a field of the drawn board."""
    for _ in range(most):
        at = focused(page)
        if at == field:
            return
        (x, y), (to_x, to_y) = middle(page, at), middle(page, field)
        dx, dy = to_x - x, to_y - y
        if abs(dx) > abs(dy):
            page.keyboard.press("ArrowRight" if dx > 0 else "ArrowLeft")
        else:
            page.keyboard.press("ArrowDown" if dy > 0 else "ArrowUp")
    raise AssertionError(f"the arrows do not lead to {field}")


def test_the_keyboard_alone_resolves_an_alarm(open_page: Any, hall: Hall) -> None:  # noqa: F811
    table = out_of_step(hall)
    page = open_table(open_page, table, WIDE)
    press_until(page, "Tab", lambda at: at == "wrong")
    page.keyboard.press("Enter")
    page.locator(".alternative:focus").wait_for()
    page.keyboard.press("Escape")
    until(lambda: page.locator(".alarm").count() == 1)
    press_until(page, "Tab", lambda at: at == "wrong")
    page.keyboard.press("Enter")
    press_until(page, "Tab", lambda at: "nothing" in at)
    page.keyboard.press("Enter")
    page.locator(".status.in_step").wait_for()
    until(lambda: page.evaluate("document.activeElement !== document.body"))
