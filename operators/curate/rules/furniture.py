"""What is printed in a text and is no part of it: numbers of items, marks, sources, page heads and feet."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import cache

from operators.curate.model import Span, joined, stripped, without
from operators.curate.rules.cues import BLANK, PICTURE, rows_of
from operators.curate.rules.question_parts import runs_in


@cache
def _shape(where: str) -> re.Pattern[str]:
    """What stands at one place of a text, as one pattern."""
    patterns = "|".join(pattern for found, pattern in rows_of("furniture.tsv") if found == where)
    shapes = {"line": rf"^[ \t]*(?:{patterns})[ \t]*(?:\n|\Z)", "start": rf"\A\s*(?:{patterns})\s*"}
    flags = re.MULTILINE | (re.IGNORECASE if where in ("number", "lead") else re.NOFLAG)
    return re.compile(shapes.get(where, patterns), flags)


def furniture_of_question(text: str, label: str = "", heads: Sequence[str] = ()) -> list[Span]:
    """What is to be cut out of a question: its number at the head, marks and sources, heads and feet of pages.

    ``heads`` are what may stand at a page's head: the book's name, the chapter's title. Links to pictures stay.

    >>> text = "4. (5分) 在 2014.5 年 第 12 页 共 90 页 求 x"
    >>> [span.of(text) for span in furniture_of_question(text, "4")]
    ['4. (5分)', '第 12 页 共 90 页 ']
    >>> [span.of("13) 13 g of salt") for span in furniture_of_question("13) 13 g of salt", "13")]
    ['13) ']
    """
    number = _number(text, label)
    found = [*_of_pages(text, heads), *number]
    # What stands at the head, or the end, shows only when what stood around it is gone.
    for _ in range(3):
        kept = stripped(text, without([Span(0, len(text))], found))
        if not kept:
            break
        start, end = kept[0].start, kept[-1].end
        rest = text[start:end]
        inner = [] if number else _number(rest, label)  # an item has one number
        number = number or inner
        more = [*_patterns(rest, "start"), *inner, *_patterns(rest, "leak"), *_patterns(rest, "page")]
        more += [span for span in _heads(rest, heads) if span.start == 0]
        # An answer that is printed with its question goes, but no place for one.
        more = [span for span in more if not BLANK.search(span.of(rest))]
        if not more:
            break
        found += [Span(start + span.start, start + span.end) for span in more]
    return _outside_pictures(text, found)


def furniture_of_solution(text: str, label: str = "", heads: Sequence[str] = ()) -> list[Span]:
    """What is to be cut out of a solution: its number, and heads and feet of pages."""
    return _outside_pictures(text, [*_number(text, label), *_of_pages(text, heads)])


def _of_pages(text: str, heads: Sequence[str]) -> list[Span]:
    """Heads and feet of pages, also a lone number between the lines of one sentence or behind the last one."""
    return [*_patterns(text, "line"), *_patterns(text, "page"), *_heads(text, heads), *_patterns(text, "anywhere")]


def furniture_of_answer(text: str, label: str = "") -> list[Span]:
    """What stands before a short answer, or behind it: its number, "Answer:", marks.

    >>> [span.of("答案：3 cm") for span in furniture_of_answer("答案：3 cm")]
    ['答案：']
    >>> furniture_of_answer("3 mol", "3")
    []
    """
    # A number that no mark follows may be the answer's own.
    found = [span for span in _number(text, label) if not span.of(text).rstrip()[-1:].isdigit()] if label else []
    start = found[-1].end if found else 0
    if lead := _shape("lead").match(text, start):
        found.append(Span(start, lead.end()))
    found += [span for span in _patterns(text, "anywhere") if span.of(text) != text]
    return _outside_pictures(text, found)


def _number(text: str, label: str) -> list[Span]:
    """The item's number at the head of a text, as its label says, or as numbers are printed."""
    bare = label.strip().strip("().（）、．")
    if bare:
        [shape] = [pattern for where, pattern in rows_of("furniture.tsv") if where == "label"]
        found = re.match(shape.replace("LABEL", re.escape(bare)), text, re.IGNORECASE)
        if found and not (found[0].strip()[-1:] in ")）" and _begins_run(text, found.end())):
            return [Span(0, found.end())]
    found = _shape("number").match(text)
    if found is None or not text[found.end() :].strip() or (bare and _begins_run(text, found.end())):
        return []
    return [Span(0, found.end())]


def _begins_run(text: str, end: int) -> bool:
    """Whether what looks like an item's number is the first of the markers of its parts."""
    return any(run.markers[0].start < end for run in runs_in(text))


def _patterns(text: str, where: str) -> list[Span]:
    return [Span(*found.span()) for found in _shape(where).finditer(text) if found.end() > found.start()]


def _heads(text: str, heads: Sequence[str]) -> Iterator[Span]:
    """Lines that repeat the chapter's title or the book's name, with a page number or without."""
    for head in heads:
        words = r"\s*".join(map(re.escape, head.split()))
        if len(head.strip()) < 4:
            continue
        pattern = rf"^[ \t]*(?:\d{{1,4}}\s*[|│·•–—-]?\s*)?{words}(?:\s*[|│·•–—-]?\s*\d{{1,4}})?[ \t]*(?:\n|\Z)"
        yield from (Span(*found.span()) for found in re.finditer(pattern, text, re.MULTILINE | re.IGNORECASE))


def _outside_pictures(text: str, spans: Sequence[Span]) -> list[Span]:
    """The spans that touch no link to a picture."""
    links = [found.span() for found in PICTURE.finditer(text)]
    return joined(s for s in spans if not any(s.start < end and start < s.end for start, end in links))


def cleaned(text: str, cuts: Sequence[Span]) -> list[Span]:
    """What is kept of a text: all but the cuts, without white space at its ends, and one blank where a cut left two."""
    seams = []
    for cut in cuts:
        before, after = text[: cut.start], text[cut.end :]
        if before[-1:].isspace() and after[:1] in (" ", "\t", "\u3000"):
            seams.append(Span(cut.end, cut.end + len(after) - len(after.lstrip(" \t\u3000"))))
    return stripped(text, without([Span(0, len(text))], [*cuts, *seams]))
