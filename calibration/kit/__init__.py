"""The print-and-play kit: a board, its stickers and cards and the calibration sheets as one PDF, true to the millimetre."""

from calibration.kit.make import KitError, kit_pages, make_kit
from calibration.kit.paper import PAPERS, Paper
from calibration.kit.sheets import CHARUCO, COLOUR_SHEET, charuco_board

__all__ = ["CHARUCO", "COLOUR_SHEET", "PAPERS", "KitError", "Paper", "charuco_board", "kit_pages", "make_kit"]
