"""Keys, ``1 B, 2 C, 3 D``: labels in whatever dress, told by the count that they keep, and where a book has them."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import pairwise
from typing import NamedTuple

from operators.pdf.numbering import letters_of
from operators.pdf.numbering.dress import BARE
from operators.pdf.numbering.labels import ItemLabel
from operators.pdf.numbering.numerals import narrow
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Role, Zone

#: What may stand behind the number of an answer.
_CLOSES = ".．、:-–—="
#: A number that may be a label, and what stands around it. One in brackets on both sides numbers a part. It begins with
#: a digit, which the engine looks for at once; then comes what no digit may stand behind.
_NUMBER = re.compile(
    r"(?P<n>\d(?<![^\s,，;；.。:：]\d)\d{0,2})(?P<close>\s?[.．、):）\-–—=](?![\d.．])|(?=\s)|(?=[A-H√×✓✗TF](?![A-Za-z])))\s*"
)
#: A line of nothing but numbers, each with an option's letter, as tables of a key have them: 16 c 21 d 26 c.
_CELL = re.compile(r"\s*(?P<n>\d{1,3})\s?[.．、):）\-–—=]?\s*[(（]?(?:[A-H]|[a-h])[)）]?[,;，；.]?(?=\s|$)")
_CELLS = re.compile(rf"(?:{_CELL.pattern.replace('?P<n>', '')})+\s*")
_COUNTED = re.compile(r"(?<!\S)(\d{1,3})\s+(?=[^\W\d])")
#: What may be a label in a key, whatever its dress.
_TOKEN = re.compile(
    r"(?<!\S)(?P<open>[(\[（【]|第|)(?P<n>(?:[A-Z]\s?)?\d{1,3}(?:[.\-–]\d{1,3}){0,3})(?P<close>[)\]）】]|题|)(?:[.:：、–-])?(?=\s|$)\s*"
)
_DIGITS = re.compile(r"\d+")
#: Lines that a paragraph of answers may have.
_PARAGRAPH = 4
#: Numbers that a key has at least.
_FEWEST = 3
#: Letters of most answers, and of the longest answer and of the words before the first; of an option's letter.
_SHORT, _LONGEST, _LETTERS = 60, 200, 4


def key_labels(text: str, closes: str = _CLOSES) -> list[ItemLabel]:
    """The labels of the answers that a text holds, none if it holds anything else.

    Numbers of one dress count on, and each has a short answer behind it; before the first one a heading may stand.
    ``closes`` are the signs that may stand behind a number.

    >>> text = "Test A  1 B, 2 C, 3 D"
    >>> [(found.label, text[found.end : found.end + 1]) for found in key_labels(text)]
    [('1', 'B'), ('2', 'C'), ('3', 'D')]
    >>> [found.label for found in key_labels("1. A 7. C 13. B")]
    ['1', '7', '13']
    >>> key_labels("If 1 and 2 are true then 3 is")
    []
    """
    if _CELLS.fullmatch(text) and len(cells := list(_CELL.finditer(text))) > 1:
        return [ItemLabel(str(int(m["n"])), _behind(text, m), int(m["n"]), "", m.start("n")) for m in cells]
    if len(_NUMBER.findall(text)) < _FEWEST:
        return []
    dresses: dict[str, list[re.Match[str]]] = defaultdict(list)
    for found in _NUMBER.finditer(text):
        sign = narrow(found["close"].strip())
        if not sign or sign in closes:
            dresses[sign].append(found)
    chains = [_chain(text, among) or _across(text, among) for among in dresses.values()]
    best = max(chains, key=len, default=[])
    return [ItemLabel(str(int(m["n"])), m.end(), int(m["n"]), "", m.start()) for m in best]


def _behind(text: str, cell: re.Match[str]) -> int:
    """Where the answer of a cell begins, without the sign behind its number."""
    return next(at for at in range(cell.end("n"), cell.end()) if text[at].isalpha())


def goes_across(key: Sequence[ItemLabel]) -> bool:
    """Whether the labels of a line go across the columns of a key, 1, 7, 13, and not on from one to the next."""
    return len(key) > 1 and (key[1].number or 0) - (key[0].number or 0) > 1


def _chain(text: str, numbers: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The numbers that count on from the first one, if short answers stand between and behind them, and divide them.

    A bare number may stand in any sentence: behind an answer of more than a letter a sign or a wide space is before it.
    """
    chain: list[re.Match[str]] = []
    for found in numbers:
        if not chain:
            chain.append(found)
        elif int(found["n"]) == int(chain[-1]["n"]) + 1:
            sure = found["close"].strip() or found.start() - chain[-1].end() <= _LETTERS
            chain += [found] if sure or _separated(text, found.start()) else []
    head = text[: chain[0].start()] if chain else ""
    if len(chain) < _FEWEST or len(head) > _LONGEST or any(map(str.isdecimal, head)):
        return []
    told = [text[one.end() : two.start()].strip() for one, two in pairwise(chain)] + [text[chain[-1].end() :]]
    short = 2 * sum(len(answer) <= _SHORT for answer in told) >= len(told)
    return chain if short and all(len(answer) <= _LONGEST and any(map(str.isalnum, answer)) for answer in told) else []


def _across(text: str, numbers: Sequence[re.Match[str]]) -> list[re.Match[str]]:
    """The numbers of a line across the columns of a key, ``1. A 7. C 13. B``: even steps, each with a letter or two."""
    values = [int(found["n"]) for found in numbers]
    steps = {after - before for before, after in pairwise(values)}
    if len(values) < _FEWEST or len(steps) > 1 or min(steps) < 2 or text[: numbers[0].start()].strip():
        return []
    ends = [*(found.start() for found in numbers[1:]), len(text)]
    told = [text[found.end() : end].strip() for found, end in zip(numbers, ends, strict=True)]
    return list(numbers) if all(each.isalnum() and len(each) <= _LETTERS for each in told) else []


def counted_keys(lines: Sequence[Line]) -> dict[int, list[ItemLabel]]:
    """By their lines, the labels of answers that one paragraph holds, bare numbers told by their count alone.

    Its numbers count on from the one that it opens with, up to three at least, and what follows it does not go on from
    there: ``1 has lost 2 flew 3 spoke`` over the next paragraph's ``1``.
    """
    opened = [n for n, line in enumerate(lines) if line.mark is not None and _opens_count(line)] + [len(lines)]
    found: dict[int, list[ItemLabel]] = {}
    for index, following in pairwise(opened):
        first = _opening(lines[index])
        if following < len(lines) and _opening(lines[following]) == first + 1:
            continue
        labels: list[tuple[int, ItemLabel]] = []
        for place in range(index, min(following, index + _PARAGRAPH)):
            if lines[place].kind is not Kind.TEXT:
                break
            for number in _COUNTED.finditer(lines[place].text):
                if int(number[1]) == first + len(labels):
                    label = ItemLabel(number[1], number.end(), int(number[1]), "", number.start())
                    labels.append((place, label))
        if len(labels) >= _FEWEST:
            for place, label in labels:
                found.setdefault(place, []).append(label)
    return found


def labelled_keys(lines: Sequence[Line]) -> dict[int, list[ItemLabel]]:
    """By their lines, the labels of answers in keys ``1.1 B  1.2 C``, ``A1 5 A2 7`` or ``[1] B [2] C``.

    Three at least stand in a line, each that of the next question of the book, with short answers between them.
    Brackets on both sides count parts, but where questions have them.
    """
    marked = [
        line.mark for line in lines if line.zone is Zone.BODY and line.label is not None and line.mark is not None
    ]
    labels = dict.fromkeys(line.label.label for line in lines if line.zone is Zone.BODY and line.label is not None)
    names = [(label.split()[-1], place, label) for place, label in enumerate(labels) if label]
    named = {name: (place, label) for name, place, label in names if not name.isdecimal()}
    bracketed = {mark.dress.signs for mark in marked} | {"[]", "第题"}
    found: dict[int, list[ItemLabel]] = {}
    for index, line in enumerate(lines):
        if line.zone is not Zone.ANSWERS or not _may_hold_key(line):
            continue
        tokens = list(_TOKEN.finditer(line.text))
        if len(tokens) < _FEWEST:
            continue
        chain = _named_chain(line.text, tokens, named) or _numbered_chain(
            line.text, tokens, bracketed | ({line.mark.dress.signs} if line.role is Role.ITEM and line.mark else set())
        )
        if chain:
            found[index] = chain
    return found


def _named_chain(text: str, tokens: Sequence[re.Match[str]], named: Mapping[str, tuple[int, str]]) -> list[ItemLabel]:
    chain: list[re.Match[str]] = []
    last = -1
    for token in tokens:
        place, _ = named.get(narrow(token["n"]), (-1, ""))
        if place >= 0 and (not chain or place == last + 1):
            chain.append(token)
            last = place
    return [replace(found, label=named[found.label][1]) for found in _as_key(text, chain)]


def _numbered_chain(text: str, tokens: Sequence[re.Match[str]], dresses: Set[str]) -> list[ItemLabel]:
    chain: list[re.Match[str]] = []
    for token in tokens:
        signs = narrow(token["open"] + token["close"])
        if signs in dresses and len(signs) > 1 and token["n"].isdecimal():
            alike = not chain or signs == narrow(chain[0]["open"] + chain[0]["close"])
            chain += [token] if alike and (not chain or int(token["n"]) == int(chain[-1]["n"]) + 1) else []
    return _as_key(text, chain)


def _as_key(text: str, chain: Sequence[re.Match[str]]) -> list[ItemLabel]:
    """The labels of a chain that opens a text, none if answers are no short ones."""
    if len(chain) < _FEWEST or text[: chain[0].start()].strip():
        return []
    told = [
        text[one.end() : end].strip()
        for one, end in zip(chain, [*(m.start() for m in chain[1:]), len(text)], strict=True)
    ]
    if not all(told) or 2 * sum(len(answer) <= _SHORT for answer in told) < len(told):
        return []
    labels = [narrow(m["n"]) for m in chain]
    numbers = [int(_DIGITS.findall(label)[-1]) for label in labels]
    return [
        ItemLabel(label, m.end(), number, "", m.start())
        for label, number, m in zip(labels, numbers, chain, strict=True)
    ]


def _opens_count(line: Line) -> bool:
    mark = line.mark
    return line.kind is Kind.TEXT and mark is not None and mark.dress == BARE


def _opening(line: Line) -> int:
    return line.mark.numbers[0] if line.mark is not None else 0


def _separated(text: str, at: int) -> bool:
    """Whether a sign or a wide space stands before a number."""
    before = text[:at].rstrip()
    return not before or before[-1] in ",，;；.。、" or at - len(before) > 1


def closing_signs(lines: Sequence[Line]) -> str:
    """The signs that may stand behind the numbers of this book's keys: a bracket only if its labels have one."""
    second = {line.text[1:3] for line in lines if line.label is None}
    bracket = any(signs.lstrip().startswith((")", "）")) for signs in second)
    return _CLOSES + ")）" if bracket else _CLOSES


def find_keys(lines: Sequence[Line]) -> dict[int, Zone]:
    """Where keys begin: at the first of the headings above a stretch that holds keys alone, behind other text.

    A line with as many answers as there are items above it is their key; behind it the book goes on.
    """
    closes = closing_signs(lines)
    zones = _below_their_items(lines, closes)
    heads = [
        i
        for i, line in enumerate(lines)
        if line.kind in HEADINGS
        and not line.running_head
        and not (line.kind is Kind.TITLE and _may_hold_key(line) and _compound_key(line.text))
    ]
    for place, head in enumerate(heads):
        end = heads[place + 1] if place + 1 < len(heads) else len(lines)
        below = lines[head + 1 : end]
        if not all(line.kind is Kind.HIDDEN or _keeps_key(line, closes) for line in below):
            continue
        told = [line for line in below if line.kind is not Kind.HIDDEN]
        if sum(len(_CELL.findall(line.text)) for line in told) < _FEWEST and not any(
            key_labels(line.text, closes) or _compound_key(line.text) for line in told
        ):
            continue
        first = place
        while first and all(line.kind is Kind.HIDDEN for line in lines[heads[first - 1] + 1 : heads[first]]):
            first -= 1
        if any(line.kind is Kind.TEXT and line.zone is not Zone.CONTENTS for line in lines[: heads[first]]):
            zones[heads[first]] = Zone.ANSWERS
    return zones


def _keeps_key(line: Line, closes: str) -> bool:
    """Whether a line has answers of a key alone, or the only one of its row."""
    text, may = line.text, _may_hold_key(line)
    return may and (_CELLS.fullmatch(text) is not None or bool(key_labels(text, closes) or _compound_key(text)))


def _compound_key(text: str) -> list[ItemLabel]:
    """The labels of a key whose numbers have several numerals, or a letter, and count on: 1.1 B  1.2 C."""
    tokens = [token for token in _TOKEN.finditer(text) if not token["n"].isdecimal()]
    found = _as_key(text, tokens)
    return found if all(two.number == (one.number or 0) + 1 for one, two in pairwise(found)) else []


def _may_hold_key(line: Line) -> bool:
    """Whether a line is text, or has the wording of a section's title as "1.1. D  1.2. A" has."""
    return line.kind is Kind.TEXT or (line.kind is Kind.TITLE and line.block.level is None)


def _below_their_items(lines: Sequence[Line], closes: str) -> dict[int, Zone]:
    zones: dict[int, Zone] = {}
    above: list[int] = []
    for index, line in enumerate(lines):
        if line.kind is Kind.ANSWERS and line.block.level is None and _answers_all(line.text, above, closes):
            line.kind = Kind.TEXT  # Answers to Test 1: 1. b 2. c 3. a
        if line.kind in HEADINGS and not line.running_head:
            above = []
        elif (line.mark or line.label) is not None and (number := _item_number(line, above)) is not None:
            above.append(number)
        elif len(above) < _FEWEST or len(line.text) < 2 * len(above):
            continue  # each has a number and an answer
        elif line.kind is Kind.TEXT and _answers_all(line.text, above, closes):
            zones[index] = Zone.ANSWERS
            if index + 1 < len(lines):
                zones[index + 1] = Zone.BODY
            above = []
    return zones


def _item_number(line: Line, above: Sequence[int]) -> int | None:
    """The number of a line's label, or a bare one, no label everywhere, that counts on from those above."""
    if line.label is not None:
        return None if line.label.prefix else line.label.number
    bare = _opens_count(line) and (not above or _opening(line) == above[-1] + 1)
    return _opening(line) if bare else None


def _answers_all(text: str, above: Sequence[int], closes: str) -> bool:
    """Whether a text is the key of the items above it: only one that has their first and last number may be."""
    may = len(above) >= _FEWEST and ((str(above[-1]) in text and str(above[0]) in text) or not text.isascii())
    return may and [key.number for key in key_labels(text, closes)] == above


#: The signs of a heading that may stand before its answers, and how many do at least.
_LONGEST_TITLE, _FEWEST_RUN_IN = 60, 2
#: What counts a heading, before what names it.
_RUN_IN = re.compile(r"[^–—:：•]+(?=\s[–—•]|[:：])")
#: The first of several answers.
_FIRST_ANSWER = re.compile(r"(?<=\s)1(?:[)）．、]|\.(?!\d)|(?=\s))\s*(?=\S)")


class KeyHeading(NamedTuple):
    """A heading that opens a paragraph, as large as the one that it repeats, and where the answers begin."""

    text: str
    level: int | None
    end: int


def key_headings(paragraphs: Sequence[tuple[str, int | None] | None]) -> dict[int, KeyHeading]:
    """The paragraphs that open with a heading, by their places; each is its text and level, None what is none.

    A key may have a paragraph an exercise: "Exercises 1.1 1. 30 m 2. 5 s", "Exercises 1.2 1. …". What is alike is set
    as the heading is; two such paragraphs prove each other.

    >>> texts = ["Drill A", "1. Add.", "Drill B", "1. Halve.", "Drill A 1. 7 2. 9", "Drill B 1. 4 2. 6"]
    >>> key_headings([(text, 2 if "Drill" in text and len(text) == 7 else None) for text in texts])
    {4: KeyHeading(text='Drill A', level=2, end=8), 5: KeyHeading(text='Drill B', level=2, end=8)}
    """
    told = {
        place: first.start()
        for place, paragraph in enumerate(paragraphs)
        if paragraph is not None
        and paragraph[1] is None
        and paragraph[0][:1].isalpha()
        and (first := _FIRST_ANSWER.search(paragraph[0], 0, _LONGEST_TITLE))
    }
    if len(told) < _FEWEST_RUN_IN:
        return {}
    heads = _heads([paragraph for paragraph in paragraphs if paragraph is not None])
    found: dict[int, KeyHeading] = {}
    names: set[str] = set()
    for place, end in told.items():
        head = (paragraphs[place] or ("", None))[0][:end].rstrip(" .:：")
        if (name := letters_of(head)) in heads:
            found[place] = KeyHeading(head, heads[name], end)
            names.add(name)
    return found if len(names) >= _FEWEST_RUN_IN else {}


def _heads(paragraphs: Sequence[tuple[str, int | None]]) -> dict[str, int | None]:
    """The letters of what may be a heading, and of what counts it, Worksheet 1A of Worksheet 1A – Tenses."""
    heads: dict[str, int | None] = {}
    for text, level in paragraphs:
        if text[:1].isalpha() and len(text) <= _LONGEST_TITLE:
            heads.setdefault(letters_of(text), level)
            if level is not None and (counted := _RUN_IN.match(text)):
                heads.setdefault(letters_of(counted[0]), level)
    return heads
