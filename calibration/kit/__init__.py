"""The print-and-play kit: board, stickers, cards and calibration sheets in one PDF, true to the mm."""

from calibration.kit.make import KitError, kit_pages, make_kit
from calibration.kit.paper import PAPERS, Paper
from calibration.kit.sheets import CHARUCO, COLOUR_SHEET, charuco_board

__all__ = ["CHARUCO", "COLOUR_SHEET", "PAPERS", "KitError", "Paper", "charuco_board", "kit_pages", "make_kit"]
