"""What opens the solutions of a book whose words for them are in no table: learnt from where it stands."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from itertools import pairwise, takewhile

from operators.pdf.numbering import option_letter, solution_marker, sub_label
from operators.pdf.rules.counts import Start
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Zone
from operators.pdf.rules.words import ASKS, BLANK, HINTS

#: A sign of its own, or up to two words with a sign behind them or a line to themselves.
_OPENER = re.compile(
    r"\s*(?P<sign>[^\w\s\d$\\(\[{（【“\"'‘<–—\-•·∙◦▪*+=~|_.,;:!?。，；：！？]{1,2})\s+(?=\S)"
    r"|\s*[【\[]?(?P<word>[^\W\d_]{2,16}(?:\s[^\W\d_]{2,12})?)\s*(?:[:：】\]]|[.．—–](?=\s)|$)"
)
#: Items that have to have it, at least; which share of them; and up to which share of what it opens may ask.
_FEWEST, _SHARE, _ASKING = 4, 0.6, 0.3
#: Examples that have it, at least, in books whose other items are answered apart.
_FEWEST_EXAMPLES = 2
#: So many words at the same place in all items are parts of what is asked, as Input and Output are.
_MANY = 3


def learn_openers(lines: Sequence[Line], starts: Sequence[Start]) -> frozenset[str]:
    """The words or signs with which lines open that solve the items above them; none if the rules know the book's own.

    Most items have one such line, none has two, none begins with it, and it does not ask. Where most have a word that
    is known, it is that of the others of their kind, and none of those has it. Where answers stand apart, all examples
    must have it, which keep their word.
    """
    worded = [start for start in starts if start.label.label[:1].isalpha()]
    if any(line.zone is Zone.ANSWERS and (line.label is not None or line.told) for line in lines):
        return _learnt(lines, worded, _FEWEST_EXAMPLES, 1.0)
    return _learnt(lines, starts, _FEWEST, _SHARE) or _learnt(lines, worded, _FEWEST_EXAMPLES + 1, 1.0)


def _learnt(lines: Sequence[Line], starts: Sequence[Start], fewest: int, share: float) -> frozenset[str]:
    found = _bodies(lines, starts)
    known = [(word, body) for word, body in found if any(solution_marker(line.text) for line in body)]
    bodies = [body for _, body in found]
    taken: set[str] = set()
    if 2 * len(known) >= len(found):
        taken = {opener for _, body in known for opener in map(_opens, body) if opener}
        kinds, solved = {word for word, _ in known}, {id(body) for _, body in known}
        bodies = [body for word, body in found if word in kinds and id(body) not in solved]
    if len(bodies) < fewest:
        return frozenset()
    seen = [Counter(filter(None, map(_opens, body))) for body in bodies]
    counts = Counter(word for found in seen for word in found)
    twice = {word for found in seen for word, count in found.items() if count > 1}
    usual = {word for word, count in counts.items() if count >= max(fewest, share * len(bodies))}
    usual -= twice | taken
    if not usual or len(usual) >= _MANY:
        return frozenset()
    opened = [line for body in bodies for line in body if _opens(line) in usual]
    asking = sum(ASKS.search(line.text) is not None or BLANK.search(line.text) is not None for line in opened)
    return frozenset(usual) if asking <= _ASKING * len(opened) else frozenset()


def free_openers(lines: Sequence[Line]) -> None:
    """Make text of headings of answers that are set as text and stand once in every item: they open its solution."""
    heads: dict[str, list[int]] = defaultdict(list)
    for index, line in enumerate(lines):
        if line.kind is Kind.ANSWERS and not line.running_head:
            heads[line.text].append(index)
    for places in heads.values():
        between = [sum(line.label is not None for line in lines[one:two]) for one, two in pairwise(places)]
        if len(places) >= _FEWEST and between.count(1) >= _SHARE * len(between):
            for index in places:
                lines[index].kind = Kind.TEXT


def solved(lines: Sequence[Line], places: Sequence[int]) -> bool:
    """Whether lines have one each behind them that opens with the same word, which opens no other line of the book.

    What stands right below a label alone is the question of that.
    """
    words: set[str] | None = None
    if any(place and _is_label(lines[place - 1]) for place in places):
        return False
    for place, end in pairwise([*places, len(lines)]):
        behind = takewhile(lambda line: line.label is None and line.kind not in HEADINGS, lines[place + 1 : end])
        found = set(filter(None, (_opens(line) for line in behind if line.kind is Kind.TEXT)))
        words = found if words is None else words & found
        if not words:
            return False
    return len(places) > 1 and any(sum(_opens(line) == word for line in lines) == len(places) for word in words or ())


def _is_label(line: Line) -> bool:
    return line.label is not None and not line.text[line.label.end :].strip()


def opens_solution(line: Line, openers: frozenset[str]) -> bool:
    """Whether a line opens a solution in this book's own way."""
    return bool(openers) and _opens(line) in openers


def _bodies(lines: Sequence[Line], starts: Sequence[Start]) -> list[tuple[str, list[Line]]]:
    """The word of each item's label in the book's body, and its lines behind its first one, up to the next heading."""
    words = {start.line: start.label.prefix.casefold() for start in starts if lines[start.line].zone is Zone.BODY}
    places = sorted(words)
    bodies: list[tuple[str, list[Line]]] = []
    for place, end in zip(places, [*places[1:], len(lines)][: len(places)], strict=True):
        body: list[Line] = []
        for line in lines[place + 1 : end]:
            if line.kind in HEADINGS and not line.running_head:
                break
            if line.kind is Kind.TEXT:
                body.append(line)
        # A label on a line of its own has the question's first words on the next.
        bodies.append((words[place], body[_is_label(lines[place]) :]))
    return bodies


def _opens(line: Line) -> str | None:
    """The word or sign that a line opens with, if it is no label, part, option or hint."""
    text = line.text
    if option_letter(text) or sub_label(text) or line.mark or HINTS.match(text):
        return None
    found = _OPENER.match(text)
    return (found["sign"] or found["word"]).casefold() if found else None
