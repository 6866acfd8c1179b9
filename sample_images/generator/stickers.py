"""Number stickers of sets that are not ours, cover art for the things that lie about, creases.
All pictures are RGB, uint8, row 0 at the top."""

from __future__ import annotations

import random
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

from sample_images.generator.sets import RGB, Druid

Picture = NDArray[np.uint8]
# The first font that the machine has is taken; Pillow's own one stands in for all.
TYPEFACES = {
    "sans": ("DejaVuSans-Bold.ttf", "LiberationSans-Bold.ttf", "Arial Bold.ttf"),
    "serif": ("LiberationSerif-Bold.ttf", "DejaVuSerif-Bold.ttf", "Times New Roman Bold.ttf"),
    "hand": (
        "C059-BdIta.otf",
        "Z003-MediumItalic.otf",
        "DejaVuSerif-BoldItalic.ttf",
        "Georgia Bold Italic.ttf",
    ),
    "slab": ("URWBookman-Demi.otf", "DejaVuSerifCondensed-Bold.ttf", "Rockwell.ttc"),
    "narrow": ("LiberationSansNarrow-Bold.ttf", "DejaVuSansCondensed-Bold.ttf", "Arial Narrow Bold.ttf"),
    "mono": ("LiberationMono-Bold.ttf", "DejaVuSansMono-Bold.ttf", "Courier New Bold.ttf"),
}
FONT_FOLDERS = ("/usr/share/fonts", "/Library/Fonts", "/System/Library/Fonts")


def typeface(name: str, size_px: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    """The font of that name at a size."""
    for file in TYPEFACES[name]:
        for folder in FONT_FOLDERS:
            for path in sorted(Path(folder).rglob(file)):
                return ImageFont.truetype(str(path), size_px)
    return ImageFont.load_default(size_px)


def number_sticker(value: int, stone: Druid, stone_colour: RGB, size_px: int = 256) -> Picture:
    """The round sticker of a druid stone, filling the square picture."""
    cream = (232, 226, 206)
    ground, ink = (cream, (30, 28, 30)) if stone.sticker == "pale" else (stone_colour, cream)
    image = Image.new("RGB", (size_px, size_px), ground)
    draw = ImageDraw.Draw(image)
    edge = size_px * 0.045
    draw.ellipse((edge, edge, size_px - edge, size_px - edge), outline=ink, width=max(2, size_px // 50))
    font = typeface(stone.typeface, round(size_px * 0.62))
    draw.text((size_px / 2, size_px * 0.49), str(value), fill=ink, font=font, anchor="mm")
    if stone.underline and value == 6:
        draw.rectangle((size_px * 0.34, size_px * 0.79, size_px * 0.66, size_px * 0.825), fill=ink)
    return np.asarray(image)


def cover(chance: random.Random, size_px: tuple[int, int] = (300, 420)) -> Picture:
    """A printed cover or page for the things that lie around: a title, a picture, lines of text."""
    width, height = size_px
    paper = (
        tuple(chance.randint(205, 246) for _ in range(3))
        if chance.random() < 0.6
        else tuple(chance.randint(20, 190) for _ in range(3))
    )
    ink = (30, 30, 34) if sum(paper) > 380 else (228, 226, 218)
    image = Image.new("RGB", size_px, paper)
    draw = ImageDraw.Draw(image)
    if chance.random() < 0.5:
        fill = tuple(chance.randint(30, 220) for _ in range(3))
        draw.rectangle((24, 24, width - 24, 24 + height // 3), fill=fill)
    y = 40 + height // 3
    while y < height - 30:
        right = chance.uniform(0.5, 0.92) * width
        draw.rectangle((26, y, right, y + 5), fill=ink)
        y += chance.choice((14, 14, 26))
    return np.asarray(image)


def fold_lines(picture: Picture, size_mm: tuple[float, float]) -> Picture:
    """The artwork with the worn creases of a board that folds in four."""
    worn = picture.astype(np.float32)
    height, width = picture.shape[:2]
    half = max(1.0, 0.3 * width / size_mm[0])
    for axis, length in ((1, width), (0, height)):
        across = np.abs(np.arange(length) - (length - 1) / 2)
        dark = 1 - 0.28 * np.exp(-((across / half) ** 2))
        worn *= dark[None, :, None] if axis == 1 else dark[:, None, None]
    return worn.astype(np.uint8)
