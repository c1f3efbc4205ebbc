"""The text layer of one PDF page as runs of characters."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import pypdfium2 as pdfium

from operators.pdf.formulas import Formula, Stroke
from operators.pdf.parser.formula_glyphs import place_formulas
from operators.pdf.parser.letter_repairs import forget_codes, know_nameless, upright, with_accents, with_names
from operators.pdf.parser.letters import Letter, read_letters
from operators.pdf.parser.page_frame import Frame
from operators.pdf.parser.runs import DOLLAR, Box, Run, RunBuilder

#: From this many letters on, what most of a page is set in is not heavy.
_PAGEFUL = 200


@dataclass(slots=True)
class TextLayer:
    """The runs of a page in the order of its content stream, with what they say about its worth.

    ``hidden`` counts characters drawn invisibly (as OCR software does), ``unknown`` those without a
    Unicode value, ``chars`` all that are not blank. ``formulas`` were found among the characters, each is
    a run of its own; they hold the rules whose indices are ``used``.
    """

    runs: list[Run]
    chars: int
    hidden: int
    unknown: int
    formulas: list[Formula] = field(default_factory=list)
    used: set[int] = field(default_factory=set)


def read_text(
    page: pdfium.PdfPage,
    frame: Frame,
    walls: Sequence[Box] = (),
    rules: Sequence[Box] = (),
    strokes: Sequence[Stroke] = (),
) -> TextLayer:
    """The text layer of one open page; the caller holds :data:`PDFIUM_LOCK`.

    ``walls`` are upright rules, which part the characters on their two sides (cells of a table), ``rules``
    level ones, which may be bars of formulas, ``strokes`` other drawings, which may be roots and arrows of formulas.
    """
    textpage = page.get_textpage()
    try:
        letters = with_names(textpage.raw, list(read_letters(textpage, frame)))
        forget_codes(textpage.raw, letters)
        read = {letter.drawn for letter in letters}
        letters = upright(with_accents(letters))
        styles = {id(letter.style): letter.style for letter in letters if letter.style is not None}.values()
        know_nameless(textpage.raw, letters, styles)
        layer = TextLayer([], 0, 0, 0)
        taken: dict[int, Run] = {}
        if frame.a == 1 and any(style.family.encoding not in ("", "ITALIC") or not style.named for style in styles):
            layer.formulas, layer.used, taken = place_formulas(
                page, textpage, frame, letters, (rules, walls, strokes), read
            )
        _add_runs(layer, letters, taken, walls)
        return layer
    finally:
        textpage.close()


def _add_runs(layer: TextLayer, letters: Sequence[Letter], taken: Mapping[int, Run], walls: Sequence[Box]) -> None:
    """Put letters together to runs; those at the places ``taken`` have one already."""
    builder = RunBuilder(layer.runs, walls)
    for at, letter in enumerate(letters):
        if letter.style is None:
            builder.blank(typed=letter.typed)
            continue
        layer.chars += 1
        layer.hidden += letter.style.hidden
        if at in taken:
            builder.place(taken[at])
            continue
        if not " " < letter.char < "\ue000":
            layer.unknown += _is_unknown(letter.char)
        char = DOLLAR if taken and letter.char == "$" else letter.char
        builder.add(char, letter.style, letter.x0, letter.x1)
    builder.close()
    _weigh(layer.runs)


def _weigh(runs: Sequence[Run]) -> None:
    """Heavy is what stands out: on a page of heavy letters nothing does."""
    letters = sum(len(run.text) for run in runs)
    if letters >= _PAGEFUL and 2 * sum(len(run.text) for run in runs if run.bold) > letters:
        for run in runs:
            run.bold, run.lead = False, 0


def _is_unknown(char: str) -> bool:
    return char == "\ufffd" or "\ue000" <= char <= "\uf8ff" or char < " "
