"""The options of a multiple-choice question, as they stand in its text, and the letters that an answer names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import islice, pairwise

from dataflow_ext.text import rows
from operators.verify.answer import Option

#: Characters of a question that are looked at.
_LONGEST = 20_000
_MOST = 26
#: Markers from which options are looked for, at most.
_MOST_MARKERS = 400
#: Runs of letters that are tried, from the last one back.
_MOST_RUNS = 8
#: Characters before a run that are looked at, and of an option's text.
_NEAR = 80
_LONGEST_TEXT = 2000

_WIDE: dict[int, str | int | None] = {
    **{0xFF21 + n: chr(0x41 + n) for n in range(26)},
    **{0xFF41 + n: chr(0x61 + n) for n in range(26)},
    **str.maketrans("（）．：【】\u3000\r\u00a0", "().:[]   "),
}
_CIRCLED: dict[int, str] = {
    **{0x24B6 + n: chr(0x41 + n) for n in range(26)},
    **{0x24D0 + n: chr(0x61 + n) for n in range(26)},
}
#: Styles of markers: each with a sign that all of them have, to see cheaply that a text has none, and what they are.
_MARKERS = [(style, sign, re.compile(pattern)) for style, sign, pattern in rows(__package__, "data/markers.tsv")]
_LEAD = re.compile(
    r"(?:\b(?:answer )?(?:options|choices|option|choice)\b(?: are)?|选项|备选项|候选答案)\s*"
    r"(?:are|如下|为)?\s*[:.]?\s*$",
    re.IGNORECASE,
)
_BREAK = re.compile(r"[?？.。:：)_=,，;；一-鿿]\s*$")
_BULLET = re.compile(r"(?:^|\n)[ \t]*(?:[-*•·]|\d{1,2}[.)])[ \t]*$")
_INSTRUCTION = re.compile(
    r"\s*\b(?:please )?(?:answer|choose|select|respond) (?:with|from|by|using|the) .*\Z", re.IGNORECASE | re.DOTALL
)

_LETTERS_LEAD = r"(?:(?:options?|choices?|answers?|letters?|选项|选择|选|答案|应选|故选)(?: is| are|是|为|:)?\s*)"
_ONE = re.compile(rf"{_LETTERS_LEAD}?[(\[]?\s*([A-Z])\s*[)\]]?[.):、]?", re.IGNORECASE)
_SURE = re.compile(
    rf"{_LETTERS_LEAD}[(\[]?\s*[A-Z]\s*[)\]]?[.):、]?|[(\[]\s*[A-Z]\s*[)\]][.:]?|[A-Z][.):、]", re.IGNORECASE
)
_LEADING = re.compile(_LETTERS_LEAD, re.IGNORECASE)
_PIECE = re.compile(r"[A-Za-z]+|[^\sA-Za-z]")
_BETWEEN = frozenset([*",;、&/+()[]{}和与及", "and"])
_TIGHT = re.compile(rf"{_LETTERS_LEAD}?([A-Z]{{2,10}})")
_WITH_TEXT = re.compile(
    rf"{_LETTERS_LEAD}?(?:[(\[]\s*([A-Z])\s*[)\]]\s*[.:、]?|([A-Z])\s*[.):、](?![A-Z]\b))\s*(.+)",
    re.IGNORECASE | re.DOTALL,
)
_LONGEST_ANSWER = 200


@dataclass(frozen=True, slots=True)
class _Marker:
    letter: str
    start: int
    end: int


def options_in(question: str) -> list[Option]:
    """The options that a question gives, with upper-case letters; none if it gives none.

    Their letters follow each other from A, two at least, all marked in one style.

    >>> options_in("How long is it? (A) 3 m (B) 4 m")
    [Option(letter='A', text='3 m'), Option(letter='B', text='4 m')]
    >>> options_in("Is A. Smith taller than B. Jones?")
    []
    """
    text, found = _found(question)
    return [Option(marker.letter, words) for marker, words in _texts(text, found)]


def stem_of(question: str) -> str:
    """The question without its options and the word that announces them.

    >>> stem_of("How long is it? Options: A. 3 m, B. 4 m")
    'How long is it?'
    """
    _, found = _found(question)
    if not found:
        return question.strip()
    stem = _BULLET.sub("", question[: found[0].start])
    stem = _LEAD.sub("", stem.translate(_WIDE).rstrip()) if _LEAD.search(stem.translate(_WIDE).rstrip()) else stem
    return stem.rstrip(" \t\r\n-*•(（,:：")


@lru_cache(maxsize=4096)
def _found(question: str) -> tuple[str, Sequence[_Marker]]:
    """The text with plain brackets and letters (each in its old place), and the options' markers in it."""
    text = question[:_LONGEST].translate(_WIDE)
    best: list[_Marker] = []
    for style, sign, pattern in _MARKERS:
        if sign not in text or (style == "circled" and text.isascii()):
            continue
        some = islice(pattern.finditer(text), _MOST_MARKERS)
        markers = [_Marker(found[1].translate(_CIRCLED), found.start(), found.end()) for found in some]
        for lower in (False, True):
            run = _run([each for each in markers if each.letter.islower() is lower], text, style)
            if len(run) > len(best):
                best = [_Marker(each.letter.upper(), each.start, each.end) for each in run]
    return text, best


def _run(markers: list[_Marker], text: str, style: str) -> list[_Marker]:
    """The last run of letters from A on, without a gap, that reads like options."""
    starts = [number for number, marker in enumerate(markers) if marker.letter.upper() == "A"]
    for start in reversed(starts[-_MOST_RUNS:]):
        run = [markers[start]]
        for marker in markers[start + 1 :]:
            if marker.letter.upper() == "A":
                break
            if ord(marker.letter) == ord(run[-1].letter) + 1 and len(run) < _MOST:
                run.append(marker)
        if len(run) > 1 and _reads_like_options(run, text, style):
            return run
    return []


def _reads_like_options(run: list[_Marker], text: str, style: str) -> bool:
    """Each has a text; letters with a stop or a colon begin lines, or stand behind "options", "?" or a stop."""
    if not all(words for _, words in _texts(text, run)):
        return False
    if style in ("round", "square", "circled", "bold"):
        return _not_named(run, text)
    if style == "unmarked":
        return _unmarked(run, text)
    before = text[max(0, run[0].start - _NEAR) : run[0].start]
    lines = [_starts_line(text, each.start) for each in run]
    if all(lines) or style == "dash":
        return all(lines)
    if not (not before or lines[0] or _LEAD.search(before.rstrip()) or _BREAK.search(before)):
        return False
    if style in ("stop", "tight"):
        return _LEAD.search(before.rstrip()) is not None or not _initials(run, text)
    return True


def _unmarked(run: list[_Marker], text: str) -> bool:
    """Whether bare capitals are options: three at least, on one line, right behind the question's end."""
    before = text[max(0, run[0].start - _NEAR) : run[0].start].rstrip(" ")
    between = text[run[0].start : run[-1].end]
    if re.search(r"[\n.!?;]|\b(?:and|or|with|is|are)\b", between):
        return False
    return len(run) > 2 and before[-1:] in ("?", "？", "\n") and _not_named(run, text)


def _starts_line(text: str, place: int) -> bool:
    line = text[text.rfind("\n", 0, place) + 1 : place]
    return not line.strip(" \t-*•·>(")


def _initials(run: list[_Marker], text: str) -> bool:
    """Whether the letters are initials of names, as in "A. Smith and B. Jones"."""
    gaps = [text[one.end : other.start] for one, other in pairwise(run)]
    return any(re.search(r"\b(?:and|or|than|with|by)\s*$", gap) for gap in gaps)


def _not_named(run: list[_Marker], text: str) -> bool:
    """Whether what stands between bracketed letters are options, and not "the points (A) and (B)"."""
    gaps = [text[one.end : other.start].strip(" ,;.") for one, other in pairwise(run)]
    return not any(gap in ("and", "or", "&", "和", "与", "或") for gap in gaps)


def _texts(text: str, run: Sequence[_Marker]) -> list[tuple[_Marker, str]]:
    """Each marker's text: up to the next one, the last one's to the end of its line or paragraph."""
    pairs = []
    for number, marker in enumerate(run):
        last = number == len(run) - 1
        end = len(text) if last else run[number + 1].start
        words = text[marker.end : min(end, marker.end + _LONGEST_TEXT)]
        words = words.removeprefix(":").lstrip(" \t")
        if last:
            words = _ended(words)
        words = _BULLET.sub("", words).strip() or words.strip()  # "9." is an option, and no bullet of the next one
        words = re.sub(r"[\s,;；，]+(?:or|and|或)?$", "", words) if not last else words
        pairs.append((marker, _text(words)))
    return pairs


def _text(words: str) -> str:
    words = " ".join(words.split())
    if len(words) > 1:
        words = words.rstrip(";,；，。?？")
    return words[:-1] if words.endswith(".") and words.count(".") == 1 and len(words) > 2 else words


def _ended(words: str) -> str:
    """What belongs to the last option: its line, without a request that follows."""
    line = words.lstrip().partition("\n")[0]
    return _INSTRUCTION.sub("", line)


def letters_of(text: str, options: Sequence[Option] = ()) -> frozenset[str]:
    """The letters that a bare answer names, in upper case; none if it is no answer by letters.

    Several letters count only among ``options``; without them, one letter does if it is upper-case or in brackets.

    >>> sorted(letters_of("(b)")), sorted(letters_of("AC"))
    (['B'], [])
    >>> sorted(letters_of("AC", [Option("A", "1"), Option("B", "2"), Option("C", "3")]))
    ['A', 'C']
    """
    if not text or len(text) > _LONGEST_ANSWER:
        return frozenset()
    one = _ONE.fullmatch(text)
    if one:
        sure = options or one[1].isupper() or _SURE.fullmatch(text)
        return frozenset(one[1].upper()) if sure else frozenset()
    if not options:
        return frozenset()
    known = {option.letter.upper() for option in options}
    tight = _TIGHT.fullmatch(text)
    found = list(tight[1]) if tight else _apart(text)
    return frozenset(found) if set(found) <= known and len(set(found)) == len(found) else frozenset()


def _apart(text: str) -> list[str]:
    """The letters of "A, C and D"; none if anything else stands between them."""
    lead = _LEADING.match(text)
    pieces = [piece for piece in _PIECE.findall(text[lead.end() :] if lead else text) if piece.lower() not in _BETWEEN]
    return [piece.upper() for piece in pieces] if all(len(piece) == 1 and piece.isalpha() for piece in pieces) else []


def letter_and_text(text: str) -> tuple[str, str] | None:
    """The letter and the text of an answer that gives both, as "B. 60 N"."""
    found = _WITH_TEXT.fullmatch(text) if len(text) <= _LONGEST_ANSWER else None
    return ((found[1] or found[2]).upper(), found[3].strip()) if found else None
