"""The board on several sheets: one tile per page with cut and join marks, and the picture of the whole."""

from __future__ import annotations

from calibration.drawing import Drawing, rectangle
from calibration.kit.page import BoardWindow, Page
from calibration.kit.paper import GREY, INK, MARGIN_MM, Tile, Tiling, crop_marks, sheet_of


def tile_page(tiling: Tiling, tile: Tile, title: str) -> Page:
    """A tile in true size. Its flaps show the neighbour's first millimetres, to glue the neighbour onto."""
    page = sheet_of(tiling.paper, f"{title} · {tile.name}")
    x, y = tile_origin_mm(tiling, tile)
    right, bottom = x + tile.width_mm, y + tile.height_mm
    wide, high = tile.width_mm + tile.flap_right_mm, tile.height_mm + tile.flap_below_mm
    crop_marks(page, x, y, x + wide, y + high)
    page.words(x + 8, y - 4.0, tile.name, 3.4, INK, align=-1)
    if tile.flap_right_mm:
        _join_mark(page, right, y, 0, -1)
        _join_mark(page, right, y + high, 0, 1)
        follower = f"{tile.name[0]}{tile.column + 2}"
        page.words(right - 4, y - 4.0, f"glue {follower} here", 2.0, GREY, align=1, font="regular")
    if tile.flap_below_mm:
        _join_mark(page, x, bottom, -1, 0)
        _join_mark(page, x + wide, bottom, 1, 0)
        follower = f"{chr(ord(tile.name[0]) + 1)}{tile.column + 1}"
        page.words(
            x - 4.0, bottom - 4, f"glue {follower} here", 2.0, GREY, angle_deg=-90, align=-1, font="regular"
        )
    return Page(page, BoardWindow(x, y, wide, high, tile.x_mm, tile.y_mm))


def tile_origin_mm(tiling: Tiling, tile: Tile) -> tuple[float, float]:
    """Where the tile's top-left corner lies on its page: tile and flaps stand in the middle."""
    usable_x, usable_y = tiling.paper.usable_mm
    spare_x = usable_x - tile.width_mm - tile.flap_right_mm
    spare_y = usable_y - tile.height_mm - tile.flap_below_mm
    return MARGIN_MM + spare_x / 2, MARGIN_MM + spare_y / 2


def assembly(
    page: Drawing, tiling: Tiling, board: Drawing, x: float, y: float, room_mm: float
) -> BoardWindow:
    """The whole board, small, with the tiles' borders and names; returns the window behind them."""
    scale = room_mm / max(board.width_mm, board.height_mm)
    for tile in tiling.tiles:
        left, top = x + tile.x_mm * scale, y + tile.y_mm * scale
        wide, high = tile.width_mm * scale, tile.height_mm * scale
        page.outline(rectangle(left, top, wide, high), INK, 0.4)
        label = (left + wide / 2, top + high / 2)
        page.area(rectangle(label[0] - 6, label[1] - 4, 12, 8), (255, 255, 255))
        page.outline(rectangle(label[0] - 6, label[1] - 4, 12, 8), INK, 0.25)
        page.words(*label, tile.name, 4.2, INK)
    return BoardWindow(x, y, board.width_mm * scale, board.height_mm * scale, scale=scale)


def _join_mark(page: Drawing, x: float, y: float, right: int, down: int) -> None:
    """A small arrow outside the print, its tip on the line up to which the neighbour is glued."""
    tip = (x + right * 1.0, y + down * 1.0)
    side = (1.2 * down, 1.2 * right)
    base = (x + right * 4.0, y + down * 4.0)
    page.area([tip, (base[0] + side[0], base[1] + side[1]), (base[0] - side[0], base[1] - side[1])], INK)
