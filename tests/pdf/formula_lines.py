"""Lines of letters as a page shows them, for tests of where formulas begin and end."""

from __future__ import annotations

from operators.pdf.formulas import Glyph, family, sign_of


def glyph(at: int, char: str, x0: float, font: str = "CMMI10", *, y: float = 100, size: float = 10) -> Glyph:
    found = family(font)
    ink = (x0, y - 0.45 * size, x0 + 0.5 * size, y)
    return Glyph([at], char, sign_of(char, False, found, False), found, x0, x0 + 0.5 * size, ink, y, size)


def spaced(*glyphs: tuple[str, str, float], first: int = 0, x0: float = 20, y: float = 100) -> list[Glyph]:
    """Letters on one line, each with its font and the gap before it in ems."""
    found = []
    for at, (char, font, gap) in enumerate(glyphs, first):
        found.append(glyph(at, char, x0 + 10 * gap, font, y=y))
        x0 = found[-1].x1
    return found


def line(*parts: str | float) -> list[Glyph]:
    """A line of words in the text's font and, between bars, of formulas; numbers are gaps in ems."""
    found: list[tuple[str, str, float]] = []
    gap, maths = 0.0, False
    for part in parts:
        if isinstance(part, float):
            gap = part
            continue
        for char in part:
            if char == "¦":
                maths = not maths
                continue
            font = (
                "CMSY10"
                if maths and char in "−→∼∈"
                else "CMMI10"
                if maths and char not in "=+0123456789()[]%"
                else "CMR10"
            )
            found.append((char, "FandolSong" if char >= "\u2e80" else font, gap))
            gap = 0.0
    return spaced(*found)


#: Words with the spaces of a line.
SAID = ("ww", 0.25, "ww", 0.25, "ww", 0.25, "ww")
#: Words as far apart as in a line that is stretched.
LOOSE = ("ww", 0.33, "ww", 0.33, "ww")


def two_lines(first: list[Glyph], *rest: tuple[str, str, float]) -> list[Glyph]:
    """A line, and one below it that begins with these letters and goes on with words."""
    second = spaced(*rest, *((char, "CMR10", gap) for char, gap in (("w", 0.25), ("w", 0), ("w", 0.25), ("w", 0))),
                    first=90, y=112)  # fmt: skip
    return [*first, *second]
