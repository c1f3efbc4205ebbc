"""Doubts about what an item says: labels hidden in it, parts or paragraphs unlike those of its likes, odd length."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Sequence
from statistics import quantiles

from operators.pdf.doubts.counts import Segment
from operators.pdf.doubts.stretches import FAINT, POSSIBLE, SURE, Book
from operators.pdf.numbering import option_letter, solution_marker, sub_label
from operators.pdf.numbering.numerals import number as value_of
from operators.pdf.rules.lines import Kind, Line, Zone
from operators.pdf.rules.words import ASKS, FIGURE_WORD

#: From this share of its likes on, what they have is missed where it is missing.
_USUAL = 0.8
#: Up to this share, what an item has is odd.
_SELDOM = 0.1
#: Characters from which on a text is one of sentences.
_PROSE = 40
#: Fewer likes than this tell nothing.
_ENOUGH = 5
#: An item so many times as long as the middle one of its likes, and about a page long, holds more than itself: the
#: longest of a workbook's 572 that is right has 12 times.
_MANY_TIMES, _A_PAGE = 15, 1_200
#: Up to this number a line inside an item may count steps of its own.
_FIRST_STEPS = 3
#: Units between an item and its figure.
_NEAR = 3
_ALIKE = str.maketrans("lI|OoQSsBZzbgq", "11100055822699")
_NUMERAL = re.compile(r"[\dlI|OoQSsBZzbgq]{1,3}(?=\s*[.．、,，:：]|\s)")
_WORDED = re.compile(r"(?P<word>[^\W\d]{1,3})\s*(?P<n>\d{1,3}|[①-⑳])(?!\d)")
_OPENS = frozenset({"解", "证明", "证", "Solution", "Proof", "Sol", "解答", "SOLUTION", "PROOF"})
_BLANK_CHOICE = re.compile(r"[（(]\s*[)）]\s*[。.]?\s*$")


def doubt_texts(book: Book, segments: Sequence[Segment]) -> None:
    """Note what is odd about the texts of all items, compared with their likes in this book."""
    _hidden_labels(book, segments)
    _parts(book)
    _figures(book)
    _lengths(book)
    _strayed(book)
    _paragraphs(book)
    for n in book.listed:
        if book.lines[book.items[n].start].block.level is not None and book.kind(n) != "example":
            book.unit(n).doubt("it begins in a heading", 2 * FAINT)


def _hidden_labels(book: Book, segments: Sequence[Segment]) -> None:
    for segment in segments:
        for word, count in segment.counts.items():
            numbers = [book.number(n) for n in count]
            for n, before, own, coming in zip(count, [0, *numbers], numbers, [*numbers[1:], 0], strict=False):
                following = own + 1
                asked = own > _FIRST_STEPS and any(_is_label(line, word, own) for line in _asked(book, n))
                if asked or (own > before + 1 and any(_is_label(line, word, own) for line in _behind(book, n))):
                    book.unit(n).doubt("its label opens another line in it too", SURE)
                if coming == following:
                    continue
                unit = book.unit(n)
                lines = _behind(book, n)
                passed = [line.label.label for line in lines if line.label and _passed_over(line, word, numbers)]
                if passed:
                    unit.doubt(f"a line in it opens with {passed[0]}, which is missing among the items", SURE)
                if any(reads_as_label(line.text, word, following) for line in lines):
                    unit.doubt(f"a line in it opens like a damaged label {word}{following}", SURE)


def _behind(book: Book, n: int) -> list[Line]:
    """The shown lines of an item's unit, the first one excepted."""
    unit = book.unit(n)
    return [line for line in book.by_id[unit.first + 1 : unit.end] if line.block.shown]


def _asked(book: Book, n: int) -> list[Line]:
    """The lines of an item's question, the first one excepted."""
    return [book.lines[i] for i in dict.fromkeys(book.items[n].question) if i != book.items[n].start]


def _is_label(line: Line, word: str, number: int) -> bool:
    return line.label is not None and line.label.prefix == word and line.label.number == number


def _passed_over(line: Line, word: str, numbers: Sequence[int]) -> bool:
    """Whether a line opens with a label that would fit the count."""
    if line.label is None or line.label.prefix != word or not line.label.number:
        return False
    return line.label.number not in numbers and min(numbers) < line.label.number <= max(numbers) + 1


def reads_as_label(text: str, word: str, expected: int) -> bool:
    """Whether a line opens with what a misread label of that number looks like.

    >>> reads_as_label("l2. 求值", "", 12), reads_as_label("12 求值", "", 12), reads_as_label("倒③ 求值", "例", 3)
    (True, True, True)
    >>> reads_as_label("(2) 求值", "", 2), reads_as_label("13 求值", "", 12)
    (False, False)
    """
    if not word:
        found = _NUMERAL.match(text)
        return found is not None and found[0].translate(_ALIKE) == str(expected)
    worded = _WORDED.match(text)
    if worded:
        return len(worded["word"]) <= len(word) and value_of(worded["n"]) == expected
    return False


def _parts(book: Book) -> None:
    """Solutions and options that likes have; what stands twice."""
    groups: dict[tuple[str, bool], list[int]] = defaultdict(list)
    for n in book.listed:
        groups[book.kind(n), bool(_BLANK_CHOICE.search(book.lines[book.items[n].start].text))].append(n)
    for (kind, choice), among in groups.items():
        if kind == "answer":
            _odd(book, among, [_opened(book, n) > 1 for n in among], "two answers seem to stand in it", SURE)
            continue
        solved = [bool(book.items[n].solution or book.items[n].answer) for n in among]
        _usual(book, among, solved, "it has no solution, and the others of its kind have one", SURE)
        _odd(book, among, [_opened(book, n) > 1 for n in among], "two solutions begin in it", SURE)
        _odd(book, among, [_options(book, n)["A"] > 1 for n in among], "its options stand twice", SURE)
        if choice:
            optioned = [len(_options(book, n)) > 1 for n in among]
            _usual(book, among, optioned, "it has no options, and the others of its kind have them", SURE)
        broken = [bool(o) and "A" not in o for o in (_options(book, n) for n in among)]
        _odd(book, among, broken, "its options do not begin with A", POSSIBLE)


def _opened(book: Book, n: int) -> int:
    """How many solutions begin in an item."""
    item = book.items[n]
    if item.chapter.zone is not Zone.ANSWERS:
        return sum(solution_marker(book.lines[i].text) in _OPENS for i in dict.fromkeys(item.solution))
    return sum(_EXPLAINS.search(line.text) is not None for line in book.own(n))


_EXPLAINS = re.compile(r"(?:解析|分析|详解|解|Explanation|Solution)\s*[】\])）]?\s*[:：]")


def _options(book: Book, n: int) -> Counter[str]:
    lines = (book.lines[i].text for i in dict.fromkeys(book.items[n].question))
    return Counter(letter for letter in map(option_letter, lines) if letter)


def _paragraphs(book: Book) -> None:
    """Items that end in a paragraph more than their likes have, which asks nothing: told matter, or another item."""
    for among in book.kinds.values():
        for part in ("question", "solution"):
            told = {n: _silent(book, n, getattr(book.items[n], part)) for n in among}
            have = [n for n in among if getattr(book.items[n], part)]
            _odd(book, have, [told[n] > 1 for n in have], f"its {part} has a paragraph more than its likes", POSSIBLE)


def _silent(book: Book, n: int, places: Sequence[int]) -> int:
    """How many paragraphs some lines of an item have that ask nothing, the first one counted with what it opens."""
    lines = [book.lines[i] for i in places if i != book.items[n].start]
    silent = [line for line in lines if _is_prose(line) and not ASKS.search(line.text) and not _opens_part(line.text)]
    return 1 + len(silent)


def _is_prose(line: Line) -> bool:
    return line.kind is Kind.TEXT and line.block.type in ("text", "list_item") and len(line.text) > _PROSE


def _opens_part(text: str) -> bool:
    return bool(option_letter(text) or sub_label(text) or solution_marker(text))


def _odd(book: Book, among: Sequence[int], have: Sequence[bool], reason: str, weight: float) -> None:
    """Note what few of some items have."""
    if 0 < sum(have) <= max(1.0, _SELDOM * len(among)):
        for n, has in zip(among, have, strict=True):
            if has:
                book.unit(n).doubt(reason, weight)


def _usual(book: Book, among: Sequence[int], have: Sequence[bool], reason: str, weight: float) -> None:
    if len(among) >= _ENOUGH and _USUAL * len(among) <= sum(have) < len(among):
        for n, has in zip(among, have, strict=True):
            if not has:
                book.unit(n).doubt(reason, weight)


def _figures(book: Book) -> None:
    """Figures that are asked for and not there, and pictures that stand between two items and are nobody's."""
    asking = [n for n in book.listed if book.kind(n) != "answer" and FIGURE_WORD.search(_words(book, n))]
    shown = [any(line.kind is Kind.PICTURE for line in book.own(n)) for n in asking]
    _usual(book, asking, shown, "it speaks of a figure that is not there", POSSIBLE)
    claimed = {line.block.id for n in book.listed for line in book.own(n)}
    for unit in book.units:
        lines = book.by_id[unit.first : unit.end]
        loose = [line for line in lines if line.kind is Kind.PICTURE and line.block.id not in claimed]
        if unit.items and any(line.block.caption or line.block.box is None for line in loose):
            unit.doubt("a figure behind it belongs to no item", POSSIBLE)
        for n in unit.items:
            for line in book.own(n):
                caption = line.caption
                if caption and caption.low and not _named(book, n, caption.low, caption.high):
                    unit.doubt(f"its figure's caption names item {caption.low}", POSSIBLE)


def _strayed(book: Book) -> None:
    """Items with text from another place, unless several have it: what serves a group stands before it.

    Pictures may stand near; one that is given far away has lost its item where it stands.
    """
    owners: Counter[int] = Counter(line.block.id for n in book.listed for line in book.own(n))
    for n in book.listed:
        unit = book.unit(n)
        for line in book.own(n):
            if unit.first <= line.block.id < unit.end or owners[line.block.id] > 1:
                continue
            there = book.place(line.block.id)
            if line.kind not in (Kind.PICTURE, Kind.CAPTION):
                unit.doubt("a text of it stands at another place", SURE)
            elif abs(there - book.at[n]) > _NEAR:
                unit.doubt("a figure of it stands at another place", POSSIBLE)
                book.units[there].doubt("a figure in it went to an item far away", POSSIBLE)


def _named(book: Book, n: int, low: int, high: int) -> bool:
    number = book.items[n].label.number
    return number is None or low <= number <= max(low, high)


def _words(book: Book, n: int) -> str:
    return " ".join(book.lines[i].text for i in book.items[n].question)


def _lengths(book: Book) -> None:
    for among in book.kinds.values():
        sizes = [sum(len(line.text) for line in book.own(n)) for n in among]
        if len(among) < _ENOUGH:
            continue
        low, middle, high = quantiles(sizes, n=4)
        for n, size in zip(among, sizes, strict=True):
            if size > high + 3 * (high - low) and size > 3 * middle:
                why = f"far longer than its likes: {size} characters, most have up to {high:.0f}"
                book.unit(n).doubt(why, SURE if size > max(_A_PAGE, _MANY_TIMES * middle) else 2 * FAINT)
