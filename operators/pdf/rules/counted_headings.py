"""Headings of unknown wording that count up, by numbers or letters: one alone might be an item."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Sequence
from itertools import pairwise

from operators.pdf.blocks import Block
from operators.pdf.numbering import option_letter, solution_marker
from operators.pdf.numbering.dress import BARE, Dress, Mark, read_letter
from operators.pdf.numbering.label_words import words
from operators.pdf.numbering.titles import read_title
from operators.pdf.rules.counts import numbers_ahead
from operators.pdf.rules.lines import SENTENCE_END, Kind, Line, Zone

_COUNTED = re.compile(r"(?:§\s*)?\d")
#: A letter and words, without another option's letter in them.
_NAMED = re.compile(r"[A-H][.．、)]\s*[¿¡“«]?[^\W\d_](?:(?!\s[B-H][.．、)）]).){2,50}")
_WORD = re.compile(r"[^\W\d_]")
#: Words that number exercises.
_EXERCISES = frozenset(word.casefold() for word in words("question", "example"))
_COUNTING = frozenset({Kind.TITLE, Kind.PART, Kind.HEADING})
#: Numbered lines that headings which are dressed as items hold on average.
_HELD = 3
#: The share of numbers below a heading that begin with its own: a year may open a line.
_NEARLY = 0.8
_TITLES = frozenset({Kind.TITLE, Kind.HEADING})
_SERIES = frozenset({Kind.TEXT, Kind.HEADING, Kind.PART})
#: No heading that counts on is longer.
_LONGEST = 60
#: What neither a heading nor a name ends with.
_ENDS = frozenset((*SENTENCE_END, "."))
#: A line's place, the line, and the number that it opens with.
Marked = tuple[int, Line, Mark]
#: Places of a heading over questions and over their answers.
_TWICE = 2


def count_sections(lines: Sequence[Line]) -> None:
    """Make titles of headings of one level that count up from 1: "1 Sets", "2 Maps", or 1.1 behind "1 Sets"."""
    last: dict[tuple[int, int | None], tuple[int, Line]] = {}
    latest: tuple[int, Line] | None = None
    for line in lines:
        if line.kind not in _TITLES or line.running_head or not _COUNTED.match(line.text):
            continue
        title = read_title(line.text)
        if line.kind is Kind.TITLE and latest is not None and title.numbers[:2] == (latest[0], 1):
            latest[1].kind = Kind.TITLE
        if line.kind is Kind.TITLE:
            continue
        if len(title.numbers) != 1 or title.part is not None or not title.name:
            continue
        key = line.block.file, line.block.level
        before = last.get(key)
        if before is not None and title.numbers[0] == before[0] + 1:
            before[1].kind = line.kind = Kind.TITLE
        latest = title.numbers[0], line
        if title.numbers[0] == 1 or (before is not None and line.kind is Kind.TITLE):
            last[key] = latest


def count_labelled(lines: Sequence[Line], marked: Sequence[Marked]) -> None:
    """Make titles of numbers that are labels by their dress, "1. Sets", but are set as headings over other numbers.

    They count up, and each holds several lines with numbers that are set as text.
    """
    heads: dict[tuple[int, int], list[int]] = defaultdict(list)
    numbered: list[int] = []
    for index, line, _ in marked:
        block = line.block
        if line.kind is not Kind.TEXT or line.zone is Zone.CONTENTS:
            continue
        if block.level is None:
            numbered.append(index)
        elif line.label is not None and not line.label.prefix and line.label.number:
            heads[block.file, block.level].append(index)
    for places in heads.values():
        numbers = [label.number or 0 for i in places if (label := lines[i].label)]
        counts = numbers[0] == 1 and all(two in (1, one + 1) for one, two in pairwise(numbers))
        ends = [bisect_left(numbered, i) for i in (*places, len(lines))]
        held = [two - one for one, two in pairwise(ends)]
        if counts and len(places) > 1 and min(held) > 1 and sum(held) >= _HELD * len(places):
            for index in places:
                lines[index].kind, lines[index].label = Kind.TITLE, None


def count_holding(lines: Sequence[Line], marked: Sequence[Marked]) -> None:
    """Make titles of short lines "1. Sets", "2. Maps" below which nearly all numbers begin with theirs: 1.3, 2.1."""
    end = next((n for n, line in enumerate(lines) if line.kind is Kind.ANSWERS), len(lines))
    shown = [(line, mark) for n, line, mark in marked if line.zone is not Zone.CONTENTS and n < end]
    told: list[tuple[Line, Mark, list[int]]] = []
    for line, mark in shown if any(len(mark.numbers) > 1 for _, mark in shown) else ():
        if len(mark.numbers) > 1 and told:
            told[-1][2].append(mark.numbers[0])
        elif _is_named(line) and (not told or mark.dress == told[0][1].dress):
            told.append((line, mark, []))
    counted = [mark.numbers[0] for _, mark, _ in told] == list(range(1, len(told) + 1))
    plain = all(_hold(mark.numbers[0], below) and line.text[-1:] not in _ENDS for line, mark, below in told)
    for line, _, _ in told if counted and plain and len(told) > 1 else ():
        line.kind, line.label = Kind.TITLE, None


def _hold(number: int, below: Sequence[int]) -> bool:
    """Whether nearly all of some numbers are that of a heading."""
    return len(below) > 0 and below.count(number) >= _NEARLY * len(below)


def _is_named(line: Line) -> bool:
    """Whether a line is a short text behind a plain label."""
    label = line.label if line.kind is Kind.TEXT and len(line.text) <= _LONGEST else None
    return label is not None and not label.prefix and _WORD.search(line.text, label.end) is not None


def count_words(lines: Sequence[Line], marked: Sequence[Marked]) -> None:
    """Make titles of headings in which a word of no table counts up, as Capitolo 1 does, and below which others count.

    Items set as headings hold none that count: at most parts, in a minority of them.
    """
    heads: dict[tuple[int, str, int | None], list[int]] = defaultdict(list)
    for index, line, mark in marked:
        if mark.dress.word and not mark.dress.role and line.zone is not Zone.CONTENTS and _may_head(lines, index, mark):
            heads[line.block.file, mark.dress.word, line.block.level].append(index)
    for (_, word, _), places in heads.items():
        numbers = [found.numbers for i in places if (found := lines[i].mark)]
        on = sum(two in ((1,), (*one[:-1], one[-1] + 1)) for one, two in pairwise([(0,), *numbers]))
        held = [_most_counted(lines[one + 1 : two], word) for one, two in pairwise([*places, len(lines)])]
        if len(places) > 1 and on == len(places) and 2 * sum(count > 1 for count in held) > len(held):
            for index in places:
                lines[index].kind = Kind.TITLE


def _may_head(lines: Sequence[Line], index: int, mark: Mark) -> bool:
    """Whether a line is a heading, or a word and a number alone right above one."""
    line, below = lines[index], lines[index + 1 : index + 2]
    alone = line.kind is Kind.TEXT and mark.end == len(line.text)
    return line.kind is Kind.HEADING or (alone and any(line.kind is Kind.HEADING for line in below))


def _most_counted(lines: Sequence[Line], word: str) -> int:
    """How many numbers those of one dress have, of the marks that have not this word and may be labels."""
    counts: dict[Dress, set[tuple[int, ...]]] = defaultdict(set)
    for line in lines:
        mark = line.mark if line.zone is not Zone.CONTENTS else None
        if mark is not None and mark.dress.word != word and mark.dress.role not in ("told", "answer"):
            counts[mark.dress].add(mark.numbers)
    return max(map(len, counts.values()), default=0)


def shown_lines(lines: Sequence[Line]) -> list[Line]:
    """The lines of a book that are neither furniture nor contents."""
    hidden, contents = Kind.HIDDEN, Zone.CONTENTS
    return [line for line in lines if line.kind is not hidden and line.zone is not contents]


def name_numbers(shown: Sequence[Line]) -> None:
    """Make headings of the short lines below titles that are numbers alone, if all of a series have one: Unit 1, Sets.

    Where the titles stand once more, as in a key, no name need be told again.
    """
    series: dict[tuple[int, Dress], dict[tuple[int, ...], Line]] = defaultdict(dict)
    for title, line in pairwise(shown):
        mark = title.mark if title.kind is Kind.TITLE else None
        if mark is not None and mark.end == len(title.text):
            series[title.block.file, mark.dress].setdefault(mark.numbers, line)
    for names in series.values():
        texts = {line.text for line in names.values() if line.kind is Kind.TEXT and line.mark is None}
        short = all(0 < len(text) <= _LONGEST and text[-1:] not in _ENDS for text in texts)
        if short and len(texts) == len(names) > 1:
            for line in names.values():
                line.kind = Kind.HEADING


def count_numbers(shown: Sequence[Line]) -> None:
    """Make titles of numbers that stand alone, each right above a heading of its page and as high, and count up."""
    chain: list[Line] = []
    number = "1"
    for line, heading in pairwise(shown):
        if line.text == number and line.kind is Kind.TEXT and _is_as_high(line.block, heading.block):
            chain.append(line)
            number = str(len(chain) + 1)
    for line in chain if len(chain) > 1 else ():
        line.kind = Kind.TITLE


def _is_as_high(number: Block, heading: Block) -> bool:
    if heading.level is None or number.box is None or heading.box is None:
        return False
    beside = (number.file, number.page) == (heading.file, heading.page) and number.box[3] <= heading.box[1]
    return beside and (heading.box[3] - heading.box[1]) - (number.box[3] - number.box[1]) <= 1.0


def repeat_headings(shown: Sequence[Line]) -> None:
    """Make headings of short lines that stand twice, right above the same numbers: over questions and their answers.

    Several do, in the same order both times.
    """
    places: dict[str, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    headed = {line.text for line in shown if line.kind is Kind.HEADING and line.block.level is not None}
    for index in [n for n, following in enumerate(shown) if n and following.mark is not None]:
        line, mark = shown[index - 1], shown[index].mark
        if mark is None or line.label is not None or line.kind is not Kind.TEXT:
            continue
        short = 0 < len(line.text) <= _LONGEST and line.text[-1:] not in _ENDS and not _is_remark(line.text)
        if short and (line.mark is None or mark.numbers == (1,)):  # numbers begin anew below 2 Waves
            places[line.text].append((index - 1, mark.numbers))
        if short and line.text in headed and mark.numbers == (1,):
            line.kind = Kind.HEADING  # the name of a group of questions, over their answers
    twice = [found for found in places.values() if len(found) == _TWICE and found[0][1] == found[1][1]]
    told = [there for _, (there, _) in twice]
    if len(twice) > 1 and told == sorted(told) and twice[-1][0][0] < told[0]:
        for (asked, _), (there, _) in twice:
            shown[asked].kind = shown[there].kind = Kind.HEADING


def _is_remark(text: str) -> bool:
    """Whether a text states an answer, 【答案】B, or stands in brackets as a whole, as what is to be done does."""
    return solution_marker(text) is not None or (text[0] in "(（" and text[-1] in ")）")


def count_on(lines: Sequence[Line], marked: Sequence[Marked]) -> None:
    """Make headings of lines that sound like sentences, but count on from headings in their dress, or up to them.

    They are set as high as these, or as text: 四、解决问题。 behind 三、选择题, and then numbers begin anew below.
    """
    counting = [
        (index, line, mark)
        for index, line, mark in marked
        if len(mark.numbers) == 1
        and (line.kind is Kind.TEXT or line.kind in _COUNTING)
        and len(line.text) <= _LONGEST
        and line.zone is not Zone.CONTENTS
        and not line.running_head
    ]
    headed = {(line.block.file, mark.dress) for _, line, mark in counting if line.kind in _COUNTING}
    counting = [one for one in counting if (one[1].block.file, one[2].dress) in headed] if headed else []
    ahead = numbers_ahead(lines) if counting else []
    for step, order in ((1, counting), (-1, counting[::-1])):
        last: dict[tuple[int, Dress], tuple[int, Line]] = {}
        for index, line, mark in order:
            number, before = last.get((line.block.file, mark.dress), (0, line))
            level = line.block.level
            alike = level == before.block.level if level is not None else ahead[index] == 1
            if line.kind is Kind.TEXT and mark.numbers[0] == number + step and before is not line and alike:
                line.kind, line.label = before.kind, None
            if line.kind in _COUNTING:
                last[line.block.file, mark.dress] = mark.numbers[0], line


def count_groups(shown: Sequence[Line]) -> None:
    """Make parts of lines 一、选择题：…, 二、填空题：… that count up, however long, each right above a label."""
    chain: list[Line] = []
    for line, following in pairwise(shown):
        mark = line.mark
        if mark is None or mark.dress.shape != "一" or mark.dress.word or line.kind not in (Kind.TEXT, Kind.PART):
            continue
        chain = chain if mark.numbers[0] == len(chain) + 1 else []
        if mark.numbers[0] != len(chain) + 1 or following.label is None or line.label is not None:
            continue
        chain.append(line)
        for heading in chain if len(chain) > 1 else ():
            heading.kind = Kind.PART


def count_series(shown: Sequence[Line]) -> None:
    """Make headings of short lines above items that count by a word or a letter: Topic 1: Heat, B. Maps, II. Trade.

    Each stands right above a number, above another heading, or above what is to be done where numbers begin anew:
    "C. ¿Por o para?", "Elige la preposición.", 1. Options never do; the last one of its question may, but the next
    such is the same letter again. Words of exercises head them only where numbers begin anew: Exercise A.
    """
    chains: dict[tuple[str, str], list[Line]] = defaultdict(list)
    last: dict[tuple[str, str], tuple[int, ...]] = {}
    named = [n for n, line in enumerate(shown[:-1]) if line.text[:1].isalnum() and len(line.text) <= _LONGEST]
    series = [(n, found) for n in named if (found := _series(shown[n])) is not None]
    # Those of an outer series stand above those of an inner one.
    for _ in range(2):
        chains.clear()
        for index, (word, shape, numbers) in series:
            if not _heads(shown, index, word):
                continue
            chain, before = chains[word, shape], last.get((word, shape), (0,))
            on = (*before[:-1], before[-1] + 1)
            anew = len(numbers) > 1 and numbers == (numbers[0], 1) and numbers[0] > before[0]
            if not chain or not (numbers == on or anew):
                if numbers[-1] != 1:
                    continue
                chain.clear()
            chain.append(shown[index])
            last[word, shape] = numbers
            for line in chain if len(chain) > 1 else ():
                if line.kind is Kind.TEXT:
                    group = not word and line.block.level is None
                    chapter = "1" in shape and word not in _EXERCISES
                    line.kind = Kind.PART if group else Kind.TITLE if chapter else Kind.HEADING
                    line.label = None


def _heads(shown: Sequence[Line], index: int, word: str) -> bool:
    """Whether a line of a series may be a heading by what stands below it."""
    line, (following, *more) = shown[index], shown[index + 1 : index + 3]
    number = _plain_number(following)
    anew = number if number is not None or option_letter(following.text) else _plain_number(more[0]) if more else None
    if line.mark is not None and line.mark.dress == BARE:
        return following.kind in _COUNTING
    if anew == 1:
        return True
    if word in _EXERCISES or line.label is not None:
        return False
    named = number is not None and not line.text.endswith((*SENTENCE_END, "."))
    return named or line.block.level is not None or following.kind in _COUNTING


def _plain_number(line: Line) -> int | None:
    """The number of a line of text that has no word before it."""
    plain = line.kind is Kind.TEXT and line.mark is not None and not line.mark.dress.word
    return line.mark.numbers[-1] if plain and line.mark is not None else None


def _series(line: Line) -> tuple[str, str, tuple[int, ...]] | None:
    """By what a line counts that may head items: its word, the shape and signs of its numbers, and these."""
    if (line.label is not None and not line.label.prefix) or line.kind not in _SERIES or line.running_head:
        return None
    if letter := read_letter(line.text):
        # "The answer is B." ends with what it counts by.
        worded = letter.word and (letter.end < len(line.text) or not letter.sign)
        return (letter.word, letter.sign, letter.numbers) if worded or _NAMED.fullmatch(line.text) else None
    mark = line.mark
    if mark is None or not (mark.dress.word or mark.dress.shape == "I" or (mark.dress == BARE and line.label is None)):
        return None
    # Exercise 1.1 alone on its line may head numbers, and so may "Zu 1.1" above answers.
    alone = len(mark.numbers) > 1 and mark.end == len(line.text)
    exercises = alone and bool(mark.dress.word) and mark.dress.role in ("", "question")
    if not exercises and (len(mark.numbers) > 1 or mark.dress.role not in ("", "heading")):
        return None
    return mark.dress.word, mark.dress.shape + mark.dress.signs, mark.numbers
