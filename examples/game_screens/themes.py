"""How the games look: colours, faces, and which lamps, cards, marks and surroundings each one has."""

from __future__ import annotations

from dataclasses import dataclass

from examples.game_screens.canvas import Colour
from examples.game_screens.game import Language


@dataclass(frozen=True, slots=True)
class Palette:
    """The colours of a theme in light or in dark mode."""

    ground: Colour
    ground2: Colour
    ink: Colour
    faint: Colour
    panel: Colour
    card: Colour
    card_edge: Colour
    digit: Colour
    accent: Colour
    accent2: Colour


@dataclass(frozen=True, slots=True)
class Theme:
    """One game's look; where there are several of a thing, each round takes one."""

    name: str
    light: Palette
    dark: Palette
    grounds: tuple[str, ...]
    faces: tuple[str, ...]
    text: str
    cards: tuple[str, ...]
    lamps: tuple[str, ...]
    marks: tuple[str, ...]
    above: tuple[str, ...]
    below: tuple[str, ...]
    languages: tuple[Language, ...] = ("en", "zh")
    digits: tuple[int, ...] = (1, 1, 1, 2)


def _palette(colours: str) -> Palette:
    """Ten colours in hex, in the order of the fields."""
    parts = [bytes.fromhex(colour) for colour in colours.split()]
    return Palette(*((red, green, blue) for red, green, blue in parts))


THEMES: tuple[Theme, ...] = (
    Theme(
        name="plain",
        light=_palette("f7f8fa e8ecf2 1e2430 808a98 ffffff ffffff ced4de 181e2a 3b6edc f0783c"),
        dark=_palette("12141a 20242c eceff5 828a96 22262e 282d37 4e5664 ffffff 608cf0 f08c46"),
        grounds=("flat", "fade"),
        faces=("sans", "bold", "thin"),
        text="sans",
        cards=("plain", "outline", "shadow"),
        lamps=("single", "row"),
        marks=("fill", "edge", "tick", "tint"),
        above=("counters", "progress", "none"),
        below=("nav", "button", "counters"),
    ),
    Theme(
        name="candy",
        light=_palette("ffd6e2 ffb078 6e1e46 b45a78 fff0f6 ffffff ff82aa c82864 ff5c8c ff9632"),
        dark=_palette("46143c 781e46 ffe1ee dc96be 602454 fff0f6 ff82aa aa1e5a ff5c8c ff9632"),
        grounds=("fade", "blobs", "stripes"),
        faces=("bold", "hand"),
        text="bold",
        cards=("disc", "plain", "shadow"),
        lamps=("single", "row", "column"),
        marks=("fill", "tick", "glow", "grow"),
        above=("counters", "progress", "avatar", "stars"),
        below=("powers", "nav", "button"),
    ),
    Theme(
        name="night",
        light=_palette("1a183a 38185c e6e8ff 9696c8 2a2856 1e1c46 6478ff 96f0ff ff3c96 5a78ff"),
        dark=_palette("060812 140c28 dce2ff 787eaa 14162a 0c0e1e 46dcff aaf0ff ff3c96 5a78ff"),
        grounds=("fade", "blobs", "grain"),
        faces=("mono", "thin", "bold"),
        text="mono",
        cards=("outline", "glass", "bare"),
        lamps=("row", "single"),
        marks=("edge", "glow", "dim"),
        above=("counters", "table", "none"),
        below=("nav", "history", "table"),
        digits=(1, 1, 2, 3),
    ),
    Theme(
        name="road",
        light=_palette("cfd8dc b0bec5 263238 607078 eceff1 fafafa 90a0a8 212121 ef6c00 1976d2"),
        dark=_palette("2b3034 1d2124 f2f4f5 9aa4aa 3a4146 454d53 6b757b ffffff ff8f00 42a5f5"),
        grounds=("road", "hills", "flat"),
        faces=("bold", "sans"),
        text="bold",
        cards=("plain", "shadow", "outline"),
        lamps=("column", "column", "row"),
        marks=("tick", "edge", "grow", "fill"),
        above=("levels", "progress", "counters"),
        below=("counters", "nav", "none"),
    ),
    Theme(
        name="paper",
        light=_palette("f3e9d2 e4d3ac 3e2f1c 8a7550 faf4e4 fffaf0 a8895a 3a2a18 a0522d 7a5c99"),
        dark=_palette("2e2820 3c3428 f0e6d2 a89878 3c342a 4a4134 857250 f6ecd8 d08a50 9a7cb8"),
        grounds=("grain", "wood", "flat"),
        faces=("serif", "hand"),
        text="serif",
        cards=("bare", "outline", "plain"),
        lamps=("single", "row", "column"),
        marks=("edge", "dim", "tick", "tint"),
        above=("none", "table", "levels"),
        below=("history", "table", "button"),
        digits=(1, 1, 2),
    ),
    Theme(
        name="arcade",
        light=_palette("c8d4a0 b4c48c 28321c 5a6846 d8e2b8 dce6c0 4a5a34 202a14 8c3c28 3c5a8c"),
        dark=_palette("0a0a0a 1c0f2e f8f8f8 9c9cac 24242c 181820 f8b800 f8f8f8 d82800 0058f8"),
        grounds=("stripes", "flat", "grain"),
        faces=("mono", "bold"),
        text="mono",
        cards=("outline", "plain"),
        lamps=("row", "row", "single"),
        marks=("fill", "edge", "dim"),
        above=("versus", "counters", "stars"),
        below=("history", "keypad", "counters"),
        languages=("en",),
        digits=(1, 2, 2, 3),
    ),
    Theme(
        name="school",
        light=_palette("fdfdf6 eef3f8 23324a 7c8ba3 ffffff fffef6 8fb4d8 1f3a68 e2574c 4a90d9"),
        dark=_palette("2f5d4a 24493a f4f6ee b4c8b8 3a6b56 3f735c c8b088 ffffff e8a33d 6ab0e0"),
        grounds=("lines", "flat", "grain"),
        faces=("hand", "thin"),
        text="hand",
        cards=("outline", "plain", "bare"),
        lamps=("single", "column", "row"),
        marks=("edge", "tick", "fill"),
        above=("stars", "progress", "avatar"),
        below=("keypad", "history", "nav"),
        languages=("zh",),
    ),
    Theme(
        name="felt",
        light=_palette("1f7a4d 14593a fff8e0 b8d8b8 17633f ffffff d8c890 1a1a1a d4a017 a01828"),
        dark=_palette("0e3b28 082418 f4ecd0 90b09c 0a2e20 f8f4e8 b09850 181818 d4a017 a01828"),
        grounds=("fade", "grain", "flat"),
        faces=("serif", "bold"),
        text="serif",
        cards=("poker", "poker", "shadow"),
        lamps=("row", "single", "column"),
        marks=("glow", "tick", "grow", "dim"),
        above=("versus", "counters", "table"),
        below=("powers", "counters", "button"),
    ),
    Theme(
        name="ocean",
        light=_palette("5ac8fa 1e88e5 05294a 2f6690 d6f0ff ffffff ffffff 0b3d66 ff7043 26c6da"),
        dark=_palette("0a2a4a 04162c e0f2ff 7fa6c8 123a62 1a4a7a 4a90c8 ffffff ff7043 26c6da"),
        grounds=("fade", "blobs", "hills"),
        faces=("bold", "sans", "hand"),
        text="sans",
        cards=("glass", "disc", "shadow"),
        lamps=("single", "row"),
        marks=("fill", "glow", "tick"),
        above=("avatar", "stars", "progress"),
        below=("powers", "nav", "counters"),
    ),
    Theme(
        name="sunset",
        light=_palette("ff9f43 ee5a24 3d1400 803c10 ffe0bd fff6ec c44a12 5a1e00 c0392b 2ecc71"),
        dark=_palette("4a1c10 2c0f0c ffe6d0 d09878 6a2c18 fff0e0 ff9f43 4a1800 e74c3c 27ae60"),
        grounds=("fade", "stripes", "blobs"),
        faces=("bold", "serif"),
        text="bold",
        cards=("plain", "disc", "shadow"),
        lamps=("row", "column", "single"),
        marks=("tick", "fill", "grow"),
        above=("counters", "levels", "versus"),
        below=("counters", "powers", "nav"),
    ),
    Theme(
        name="zen",
        light=_palette("ffffff f4f4f2 2c2c2c a0a0a0 f6f6f6 fbfbfb d8d8d8 2c2c2c 9c88b0 88a0b0"),
        dark=_palette("000000 101010 e8e8e8 6c6c6c 141414 1a1a1a 3c3c3c f0f0f0 9c88b0 88a0b0"),
        grounds=("flat",),
        faces=("thin", "sans"),
        text="thin",
        cards=("bare", "bare", "disc"),
        lamps=("single", "row"),
        marks=("dim", "edge", "tick"),
        above=("none", "progress"),
        below=("none", "counters", "legend"),
        digits=(1, 2),
    ),
    Theme(
        name="board",
        light=_palette("dfe4ea ced6e0 2f3542 747d8c ffffff f1f2f6 a4b0be 1e272e 5352ed 2ed573"),
        dark=_palette("1b2028 252c38 dfe4ea 808ca0 2c3542 343f50 57657c f1f2f6 7b7aff 2ed573"),
        grounds=("flat", "grid"),
        faces=("sans", "mono", "bold"),
        text="sans",
        cards=("plain", "outline"),
        lamps=("row", "single", "column"),
        marks=("tint", "edge", "fill", "tick"),
        above=("table", "versus", "legend"),
        below=("keypad", "counters", "table"),
        digits=(1, 2, 3),
    ),
)
