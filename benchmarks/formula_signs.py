"""Write the table of the signs of LaTeX's mathematical font packages: what pdfium reads for each sign in each font.

    python benchmarks/formula_signs.py PACKAGES.tsv TABLE.tsv

Needs pdfLaTeX with the packages. Every sign that the other tables know, and large brackets, roots, accents and
braces in several sizes, is set in a field of its own, once with and once without Unicode values, and read back. A sign
of several letters says nothing; a font that words are set in is left out; so are two signs that read alike. Rows of
fonts that no package here has stay as they are.
"""

from __future__ import annotations

import csv
import ctypes
import re
import string
import subprocess
import sys
import tempfile
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pypdfium2 as pdfium
import pypdfium2.raw as raw

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from operators.pdf.formulas.signs import bare_name, base_family, sign_of  # noqa: E402
from operators.pdf.parser.letters import font_name  # noqa: E402
from tests.pdf.known_signs import known_signs  # noqa: E402

#: Fields of 30 mm, 20 in a row, 16 rows a page.
_PITCH, _COLUMNS, _ROWS = 85.04, 20, 16
_HEIGHTS = (*range(2, 40), 60)
_WIDTHS = (8, 12, 16, 20, 25, 30, 40)
_BRACES = {
    r"\overbrace": (r"\braceld", r"\braceru", r"\bracelu", r"\bracerd"),
    r"\underbrace": (r"\bracelu", r"\bracerd", r"\braceld", r"\braceru"),
}
_MORE = [
    (r"\llbracket", "open"),
    (r"\rrbracket", "close"),
    *((latex, "op") for latex in (r"\iint", r"\iiint", r"\oiint", r"\oint")),
    *((latex, "letter") for latex in (r"\hbar", r"\hslash")),
]
_BRACKETS = [
    *((latex, "open") for latex in ("(", "[", r"\{")),
    *((latex, "close") for latex in (")", "]", r"\}")),
    *((latex, "fence") for latex in ("|", r"\|")),
    ("/", "slash"),
]
#: Signs that read alike in many fonts: what is above their letters tells phi apart, both forms of h and of the empty
#: set mean one; the digit is more common than its double-struck form.
_MAY_BE_ALIKE = [
    {"1", r"\mathbb{1}"},
    {r"\emptyset", r"\varnothing"},
    {r"\hbar", r"\hslash"},
    {r"\phi", r"\varphi"},
    {r"\boldsymbol{\phi}", r"\boldsymbol{\varphi}"},
]
#: The private values of the pieces of tall brackets.
_PIECES = range(0xF8E6, 0xF8FF)
#: Fonts that follow an encoding as far as it goes, and have more letters.
_LARGER = re.compile("Kp-(?:Light)?-|MathDesign|Fourier")
#: What loads the fonts of OpenType, which XeLaTeX sets, always with Unicode values.
_OPENTYPE = "unicode-math"
_WORDS = "abcdefghijklmnopqrstuvwxyz ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789 (.,;:!?'[]-+=/)"
_DRESSED = [
    *((f"\\{style}", string.ascii_uppercase) for style in ("mathcal", "mathscr", "mathbb", "mathfrak")),
    *((f"\\{style}", string.ascii_letters) for style in ("mathbf", "boldsymbol")),
    (r"\mathfrak", string.ascii_lowercase),
]
Ink = tuple[int, int]


class Read(NamedTuple):
    """A letter as pdfium reads it, where it stands, and where its ink begins, in tenths of a point."""

    font: str
    unnamed: bool
    code: int
    x: float
    ink: Ink


def fields() -> Iterator[tuple[str, str, str]]:
    """What to set, and the sign and the kind of its one letter (or of its pieces)."""
    for letter in string.ascii_letters:
        yield letter, letter, "letter"
    for digit in string.digits:
        yield digit, digit, "digit"
    for style, letters in _DRESSED:
        for letter in letters:
            yield f"{style}{{{letter}}}", f"{style}{{{letter}}}", "letter"
    # The pieces of tall brackets are shared: they count for the most common ones.
    for latex, kind in _BRACKETS:
        yield from brackets(latex, kind)
    # Some fonts have the long arrows as one letter that other arrows or the minus sign are as well.
    for latex, kind in sorted([*known_signs(), ("-", "bin"), *_MORE], key=lambda sign: "long" in sign[0].lower()):
        # pdfium takes these for letters of Hebrew and mirrors the signs on their line.
        if latex in (r"\aleph", r"\beth", r"\gimel", r"\daleth"):
            continue
        if kind in ("piece", "radpiece", "fencepiece", "overbrace", "prime") or latex[0] not in "\\-":
            continue
        if kind == "accent":
            yield from ((rf"{latex}{{{what}}}", latex, kind) for what in (r"\vrule width2pt", "x", "xy", "xyz"))
            # The stretched ones have larger forms for more letters.
            yield from ((rf"{latex}{{\hskip{wide}pt}}", latex, kind) for wide in _WIDTHS)
        elif kind in ("op", "ord", "letter", "bin", "rel", "varcap", "not"):
            yield latex, latex, kind
            yield rf"\displaystyle{latex}", latex, kind
            if kind in ("letter", "varcap"):
                yield rf"\boldsymbol{{{latex}}}", rf"\boldsymbol{{{latex}}}", "letter"
        elif kind in ("open", "close", "fence"):
            yield from brackets(latex, kind)
    for sign, kind in ((".", "punct"), (",", "punct"), ("<", "rel"), (">", "rel"), ("/", "ord"), ("=", "rel")):
        yield sign, sign, kind
    for sign, kind in (("+", "bin"), ("-", "bin"), ("*", "bin"), (r"x\prime", "prime"), (r"x{'}", "prime")):
        yield sign, r"\prime" if kind == "prime" else sign, kind
    for height in _HEIGHTS:
        yield rf"\sqrt{{\rule{{0pt}}{{{height}pt}}}}", r"\sqrt", "radical"
    for brace in _BRACES:
        yield rf"{brace}{{\hspace{{20mm}}}}", brace, "overbrace"
    for letter in (r"\aleph", r"\beth", r"\gimel", r"\daleth"):
        yield from ((" ", "", "ord"),) * _COLUMNS
        yield letter, letter, "letter"
    yield r"\mathbb{1}", r"\mathbb{1}", "letter"  # many fonts have another sign in its place, which is named above


def brackets(latex: str, kind: str) -> Iterator[tuple[str, str, str]]:
    """A bracket in its own size and in all larger ones."""
    yield latex, latex, kind
    yield rf"\big{latex}", latex, kind
    for height in _HEIGHTS:
        yield rf"\left{latex}\rule{{0pt}}{{{height}pt}}\right.", latex, kind


def source(preamble: str, unicode: bool, cells: list[tuple[str, str, str]]) -> str:
    """A document with a field for each, behind a page with the fonts of its words."""
    names = (r"\textrm", r"\textit", r"\textbf", r"\textsl", r"\textsc", r"\textsf", r"\texttt")
    names += (r"\bfseries\textit", r"\bfseries\textsf")
    values = r"\input glyphtounicode \pdfgentounicode=1 " if unicode else r"\pdfgentounicode=0 "
    values = "" if _OPENTYPE in preamble else values
    body = "".join(f"{{{name}{{{_WORDS}}}}}\\par " for name in names) + r"\clearpage" + "\n"
    for at, (what, _, _) in enumerate(cells):
        if at % _COLUMNS == 0:
            ends = ("}\n" if at else "") + (r"\clearpage " if at and at % (_COLUMNS * _ROWS) == 0 else "")
            body += ends + r"\hbox{"
        guard = "".join(rf"\ifcsname {name}\endcsname" for name in re.findall(r"\\([A-Za-z]+)", what))
        close = r"\fi" * guard.count(r"\ifcsname")
        field = rf"{guard}\smash{{\hbox{{$\relax {what}$}}}}\hss{close}"
        # TeX gives up after a hundred errors in one paragraph: each field begins with one that is not shown.
        body += rf"\hbox to 30mm{{\setbox0\vbox{{\noindent x}}\vrule width0pt height 10mm depth 20mm {field}}}%" + "\n"
    return (
        r"\documentclass[10pt]{article}\usepackage[paperwidth=620mm,paperheight=500mm,margin=5mm]{geometry}"
        rf"\pagestyle{{empty}}\parindent0pt\lineskip0pt {values}{preamble}\begin{{document}}{body}}}\end{{document}}"
    )


def read(path: Path) -> tuple[set[str], dict[int, list[Read]]]:
    """The fonts of the words, and what stands in each field: font, whether its code has no name, code, place."""
    document = pdfium.PdfDocument(path)
    words: set[str] = set()
    found: dict[int, list[Read]] = {}
    for number, page in enumerate(document):
        text, height = page.get_textpage(), page.get_height()
        for index in range(text.count_chars()):
            code = raw.FPDFText_GetUnicode(text.raw, index)
            if raw.FPDFText_IsGenerated(text.raw, index) or 0xDC00 <= code <= 0xDFFF or 0xFE00 <= code <= 0xFE0F:
                continue
            if 0xD800 <= code <= 0xDBFF:
                code = 0x10000 + ((code - 0xD800) << 10) + raw.FPDFText_GetUnicode(text.raw, index + 1) - 0xDC00
            font = font_name(text.raw, index)[0]
            if number == 0:
                words.add(bare_name(font))
                continue
            x, y = (ctypes.c_double() for _ in range(2))
            raw.FPDFText_GetCharOrigin(text.raw, index, x, y)
            row = round((height - y.value - 14.17 - 28.35) / _PITCH)
            cell = ((number - 1) * _ROWS + row) * _COLUMNS + int((x.value - 8) / _PITCH)
            unnamed = raw.FPDFText_HasUnicodeMapError(text.raw, index) == 1
            left, right, bottom, top = (ctypes.c_double() for _ in range(4))
            raw.FPDFText_GetCharBox(text.raw, index, left, right, bottom, top)
            ink = round(10 * (left.value - x.value)), round(10 * (top.value - y.value))
            found.setdefault(cell, []).append(Read(font, unnamed, code, x.value, ink))
    return words, found


def signs(
    cell: tuple[str, str, str], glyphs: list[Read], letters: set[tuple[str, bool, int]]
) -> Iterator[tuple[Read, str, str]]:
    """The letters of a field with their signs and kinds."""
    _, latex, kind = cell
    if kind in ("accent", "prime"):
        glyphs = [one for one in glyphs if one[:3] not in letters]
    if kind == "overbrace":
        # Some fonts have bars, which repeat, between the four pieces of TeX's own.
        often = Counter(one[:3] for one in glyphs)
        ordered = sorted((one for one in glyphs if often[one[:3]] == 1), key=lambda one: one.x)
        if len(ordered) == 4:
            yield from ((one, name, kind) for one, name in zip(ordered, _BRACES[latex], strict=True))
            yield from ((one, r"\bracebar", kind) for one in glyphs if often[one[:3]] > 1)
    elif len(glyphs) == 1:
        yield glyphs[0], latex, "piece" if glyphs[0].code in _PIECES else kind
    elif glyphs and kind in ("open", "close"):
        yield from ((one, latex, "piece") for one in glyphs)
    elif glyphs and kind in ("fence", "radical"):
        yield from ((one, latex, "fencepiece" if kind == "fence" else "radpiece") for one in glyphs)


def is_common(font: str) -> bool:
    """Whether the tables of encodings hold for a font."""
    if _LARGER.search(font):
        return False
    return ("STIX" in font and "Calligraphy" not in font) or base_family(font).encoding not in (
        "",
        "UNICODE",
        "STRANGE",
    )


def _is_read(key: tuple[str, bool, int], latex: str) -> bool:
    """Whether Unicode's values say the same of a letter, as they do of most in fonts that have all their letters."""
    base = base_family(key[0])
    sign = sign_of(chr(key[2]), key[1], base, True) if base.encoding == "UNICODE" else None
    return sign is not None and sign.latex == latex


class Table:
    """The signs found; of two that differ in their ink but read alike, none."""

    def __init__(self) -> None:
        self.signs: dict[tuple[str, bool, int], tuple[str, str]] = {}
        self._inks: dict[tuple[str, bool, int], set[Ink]] = {}
        self._alike: set[tuple[str, bool, int]] = set()

    def add(self, one: Read, latex: str, kind: str) -> None:
        """Take a letter for a sign, unless an earlier sign has it."""
        key = (bare_name(one.font), one.unnamed, one.code)
        first, first_kind = self.signs.setdefault(key, (latex, kind))
        inks = self._inks.setdefault(key, {one.ink})
        if kind == first_kind == "piece" and {latex, first} == {r"\{", r"\}"}:
            self.signs[key] = ("brace", "piece")
        elif first == latex:
            inks.add(one.ink)
        elif one.ink not in inks and "piece" not in kind + first_kind and {first, latex} not in _MAY_BE_ALIKE:
            self._alike.add(key)

    def rows(self, words: set[str]) -> Iterator[tuple[str, str, str, str, str]]:
        """The table's rows, without the fonts that words are set in, as those are that have bold letters alone."""
        fonts = {key[0] for key, (latex, _) in self.signs.items() if not latex.startswith(r"\mathbf{")}
        words = words | ({key[0] for key in self.signs} - fonts)
        lettered = {font for font, _, code in self.signs if chr(code) in string.ascii_letters}
        for key, (latex, kind) in sorted(self.signs.items()):
            if key[0] not in words and key not in self._alike and (key[0] in lettered or not _is_read(key, latex)):
                yield key[0], str(int(key[1])), f"{key[2]:04X}", latex, kind


def chart(preamble: str, unicode: bool, cells: list[tuple[str, str, str]], table: Table) -> set[str]:
    """Set all signs, read them back into a table, and give the fonts of the words."""
    with tempfile.TemporaryDirectory(prefix="signs-") as folder:
        Path(folder, "chart.tex").write_text(source(preamble, unicode, cells), encoding="utf-8")
        command = ["xelatex" if _OPENTYPE in preamble else "pdflatex", "-interaction=batchmode", "chart.tex"]
        subprocess.run(command, cwd=folder, capture_output=True, check=False)
        words, found = read(Path(folder, "chart.pdf"))
    letters = {found[at][0][:3] for at in range(52) if len(found.get(at, [])) == 1}
    for at, cell in enumerate(cells):
        for one, latex, kind in signs(cell, found.get(at, []), letters):
            if one.font and not is_common(one.font):
                table.add(one, latex, kind)
    return words


def main() -> int:
    """Chart every package and write the table."""
    with Path(sys.argv[1]).open(encoding="utf-8") as file:
        packages = list(csv.reader(file, delimiter="\t"))[1:]
    cells, table, words = list(fields()), Table(), set[str]()
    for name, preamble in packages:
        for unicode in (True,) if _OPENTYPE in preamble else (False, True):
            words |= chart(preamble, unicode, cells, table)
        print(name, len(table.signs), "signs", flush=True)
    rows = list(table.rows(words))
    found = {row[0] for row in rows} | words
    kept = Path(sys.argv[2]).read_text(encoding="utf-8").splitlines()[1:] if Path(sys.argv[2]).exists() else []
    lines = ["\t".join(row) for row in rows] + [line for line in kept if line.partition("\t")[0] not in found]
    with Path(sys.argv[2]).open("w", encoding="utf-8", newline="") as out:
        out.write("font\traw\tcode\tlatex\tkind\n")
        out.writelines(f"{line}\n" for line in sorted(lines))
    return 0


if __name__ == "__main__":
    sys.exit(main())
