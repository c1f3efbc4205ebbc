"""The stretches of a book: front matter and summaries without items, and answer sections."""

from __future__ import annotations

from collections.abc import Mapping, Sequence, Set
from itertools import pairwise, zip_longest

from operators.pdf.numbering import find_labels, find_solution_start, option_letter
from operators.pdf.numbering.dress import read_letter
from operators.pdf.numbering.titles import read_title
from operators.pdf.rules.counts import answering_lines
from operators.pdf.rules.leads import may_serve
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Zone
from operators.pdf.rules.mirrors import Mirror
from operators.pdf.rules.nesting import title_level
from operators.pdf.rules.tables import marked_answers, table_answers
from operators.pdf.rules.words import ASKS, HINTS, PROVES, SENT_ON, SURELY_ASKS, TOPIC

#: Items looked at when a section is judged by what its items say.
_SAMPLE = 12
_SHORT_ANSWER = 14
#: Lines below a heading among which its first text is.
_NEAR = 4


def mark_zones(lines: Sequence[Line], told: Mapping[int, Zone] | None = None) -> None:
    """Set the zone of every line that is in no contents page.

    ``told`` holds the zones that are known to begin at lines.
    """
    zone = Zone.BODY
    hints = False
    opened = 0  # the heading of the answers that are open
    asking = _asking_below_summaries(lines)
    counted = first_counted(lines)
    file = lines[0].block.file if lines else 0
    for index, line in enumerate(lines):
        if line.block.file != file:
            file = line.block.file
            zone = Zone.ANSWERS if _holds_answers(lines, index, whole_file=True) else Zone.BODY
        if told and index in told:
            zone, hints = told[index], False
        elif line.zone is Zone.CONTENTS:
            continue
        elif line.kind in HEADINGS and not line.running_head:
            hints = (line.kind is Kind.SUMMARY and HINTS.match(line.text) is not None) or (
                hints and line.kind in (Kind.TITLE, Kind.HEADING) and _stood(lines, index)
            )
            before, zone = zone, Zone.SUMMARY if hints else _zone_after(lines, index, zone)
            if zone is Zone.ANSWERS and (before is not zone or line.kind is Kind.ANSWERS):
                opened = index
            elif zone is Zone.ANSWERS and (_ends_answers(lines, index, opened) or counts_on(lines, index, counted)):
                zone = Zone.BODY
        elif zone is Zone.SUMMARY and (index in asking or (line.label is not None and line.label.prefix)):
            zone = Zone.BODY
        line.zone = zone
        if line.kind is Kind.ANSWERS and zone is Zone.BODY and _is_titled(lines, index):
            line.kind = Kind.HEADING  # Chapter 2 over Reactions in Solution, Exercises with answers


def _is_titled(lines: Sequence[Line], index: int) -> bool:
    """Whether a heading is the first one of its file, or stands right below another."""
    file = lines[index].block.file
    above = (lines[i] for i in range(index - 1, -1, -1))
    before = next((line for line in above if line.kind is not Kind.HIDDEN and line.block.file == file), None)
    return before is None or before.kind in HEADINGS


def find_answers(lines: Sequence[Line], found: Sequence[Mirror]) -> dict[int, Zone]:
    """Where answers begin that the book's own counts tell, and where questions go on: at the headings above them.

    Those are numbers without a word that answer those behind one, and the runs that were ``found`` to mirror others.
    """
    zones: dict[int, Zone] = {}
    counted = first_counted(lines)
    asking = {n for mirror in found for run in mirror.asked for n in run.lines}
    telling = {n for mirror in found for run in mirror.told for n in run.lines}
    for asked, told in [*answering_lines(lines), (asking, telling)]:
        for before, index in pairwise(sorted({*asked, *told})):
            head = _headings_above(lines, index, asked)
            goes_on = any(counts_on(lines, at, counted) for at in range(head, index) if lines[at].kind in HEADINGS)
            if index in told and (before in asked or head < index) and not goes_on:
                zones[head] = Zone.ANSWERS
            elif before in told and index in asked:
                zones[chapter_above(lines, index, before)] = Zone.BODY
    return zones


def _headings_above(lines: Sequence[Line], index: int, asked: Set[int]) -> int:
    """The first of the headings right above a line, none of which is a question: 2.2 Name two of them."""
    while (
        index and index - 1 not in asked and (lines[index - 1].kind in HEADINGS or lines[index - 1].kind is Kind.HIDDEN)
    ):
        index -= 1
    return index


def chapter_above(lines: Sequence[Line], index: int, behind: int = -1) -> int:
    """The first of the headings that are set largest, of those between a line and the label before it, or the line.

    They stand ``behind`` a line.
    """
    heads: list[int] = []
    for at in range(index - 1, behind, -1):
        if lines[at].label is not None:
            break
        if lines[at].kind in HEADINGS and lines[at].block.level is not None and not lines[at].running_head:
            heads.append(at)
    return min(heads, key=lambda at: (lines[at].block.level or 0, at), default=index)


def _zone_after(lines: Sequence[Line], index: int, zone: Zone) -> Zone:
    kind = lines[index].kind
    if kind is Kind.ANSWERS and _names_answers(lines, index):
        return Zone.ANSWERS
    if kind is Kind.ANSWERS:
        return Zone.ANSWERS if zone is Zone.ANSWERS or _opens_answers(lines, index) else Zone.BODY
    if zone is Zone.ANSWERS:
        if kind is Kind.FRONT and all(line.label is None for line in lines[index:]):
            return Zone.FRONT  # the index behind the key
        return Zone.BODY if kind is Kind.TITLE and _asks_again(lines, index) else Zone.ANSWERS
    if kind is Kind.SUMMARY:
        return Zone.BODY if TOPIC.match(lines[index].text) and _asked_below(lines, index) else Zone.SUMMARY
    if kind is Kind.FRONT:
        return Zone.FRONT
    if kind is Kind.HEADING and zone is Zone.FRONT:
        return Zone.FRONT
    return Zone.BODY


def _names_answers(lines: Sequence[Line], index: int) -> bool:
    """Whether the first text below a heading is called a solution, "Solution 4.3"."""
    below = (line for line in lines[index + 1 : index + 1 + _NEAR] if line.kind is not Kind.HIDDEN)
    first = next(below, None)
    return first is not None and first.mark is not None and first.mark.dress.role == "answer"


def _asked_below(lines: Sequence[Line], index: int) -> bool:
    """Whether most of the numbered lines up to the next heading are surely questions."""
    asked = seen = 0
    for at in range(index + 1, len(lines)):
        line = lines[at]
        if line.kind in HEADINGS and not line.running_head:
            break
        if line.kind is Kind.TEXT and line.label is not None and not line.label.prefix:
            seen += 1
            optioned = at + 1 < len(lines) and option_letter(lines[at + 1].text) == "A"
            asked += optioned or bool(SURELY_ASKS.search(line.text[line.label.end :]))
            if seen == _SAMPLE:
                break
    return asked > 0 and asked * 2 >= seen


def _asking_below_summaries(lines: Sequence[Line]) -> frozenset[int]:
    """The first labels below summaries that end their sections and below which questions stand, as under "Remember".

    Where a section has exercises under a heading of their own, numbers above it count what is to be learnt.
    """
    found: set[int] = set()
    heads = [n for n, line in enumerate(lines) if line.kind in HEADINGS and not line.running_head]
    for head, following in zip_longest(heads, heads[1:], fillvalue=len(lines)):
        level = lines[head].block.level
        if lines[head].kind is not Kind.SUMMARY or level is None or not _asked_below(lines, head):
            continue
        after = lines[following].block.level if following < len(lines) else 0
        labels = ((n, label) for n in range(head + 1, following) if (label := lines[n].label) is not None)
        first, label = next(labels, (head, None))
        if after is not None and after < level and first > head + 1 and label is not None:
            leads = (n for n in range(head + 1, first) if lines[n].text and may_serve(lines[n].text, label.number))
            found.add(next(leads, first))
    return frozenset(found)


def _opens_answers(lines: Sequence[Line], index: int) -> bool:
    """Whether a heading 答案 is one: before anything was asked, only what surely reads like answers is."""
    before = (line for line in lines[:index] if line.kind is Kind.TEXT and line.zone is Zone.BODY)
    asked = any(line.label or line.mark or SURELY_ASKS.search(line.text) for line in before)
    return _holds_answers(lines, index) if asked else _telling(lines, index, Kind.TITLE) > 0


def _holds_answers(lines: Sequence[Line], index: int, whole_file: bool = False) -> bool:
    """Whether what stands under a heading 答案, or in a second file, is answers rather than questions."""
    if whole_file:
        heads = [line for line in lines[index : index + 12] if line.kind in HEADINGS]
        if any(line.kind is Kind.ANSWERS for line in heads):
            return True
    told = _telling(lines, index, None if whole_file else Kind.TITLE)
    return told >= 0 or (not whole_file and _repeats_numbers(lines, index))


def _repeats_numbers(lines: Sequence[Line], index: int) -> bool:
    """Whether the numbers below a heading of answers were asked before, and hardly any of them surely asks again.

    Worked solutions sound like questions: they let, suppose, show and determine.
    """
    asked = {_numbers(line) for line in lines[:index] if line.zone is Zone.BODY}
    seen = surely = 0
    for line in lines[index + 1 :]:
        if line.kind is not Kind.TEXT or (line.label is None and not _numbers(line)):
            continue
        if _numbers(line) not in asked:
            # Behind the answers of a round come the questions of the next one.
            if seen < 2:
                return False
            break
        # A paragraph may answer a whole exercise.
        seen += max(1, len(find_labels(line.text)))
        label = line.label or line.mark
        surely += label is not None and SURELY_ASKS.search(line.text[label.end :]) is not None
        if seen >= _SAMPLE:
            break
    return seen > 1 and 3 * surely <= seen


def _numbers(line: Line) -> tuple[int, ...]:
    """What a line counts, if it counts items: a key may answer 1.2 as Exercise 1.2."""
    mark = line.mark
    if mark is not None and mark.dress.role not in ("told", "heading"):
        return mark.numbers
    return (line.label.number or 0,) if line.label is not None else ()


def _asks_again(lines: Sequence[Line], index: int) -> bool:
    """Whether a title inside an answer section heads questions again."""
    if read_title(lines[index].text).is_answers:
        return False
    return _telling(lines, index, Kind.TITLE) < 0 and not (_headed(lines, index) and _repeats_numbers(lines, index))


def _stood(lines: Sequence[Line], index: int) -> bool:
    """Whether a heading has headed questions before, with its number or without."""
    key = read_title(lines[index].text).name or lines[index].text
    return any(
        line.zone is Zone.BODY and line.kind in HEADINGS and (read_title(line.text).name or line.text) == key
        for line in lines[:index]
    )


def _is_larger(lines: Sequence[Line], index: int, heading: int) -> bool:
    """Whether a heading of a chapter's or of unknown wording is set larger than another, whose matter it ends."""
    level, other = title_level(lines, index), title_level(lines, heading)
    heads = lines[index].kind in (Kind.TITLE, Kind.HEADING, Kind.PART)
    return heads and level is not None and other is not None and level < other


def _ends_answers(lines: Sequence[Line], index: int, opened: int) -> bool:
    """Whether a heading inside answers ends them: it is set larger, or as large with questions below it, and is new."""
    if _is_larger(lines, index, opened):
        return not _headed(lines, index)
    level, other = title_level(lines, index), title_level(lines, opened)
    alike = lines[index].kind is Kind.HEADING and level is not None and level == other
    return alike and (_asks_again(lines, index) or _names_a_question(lines, index))


def first_counted(lines: Sequence[Line]) -> dict[tuple[str, tuple[int, ...]], int]:
    """By word and numbers, the first heading that has them."""
    found: dict[tuple[str, tuple[int, ...]], int] = {}
    for index, line in enumerate(lines):
        if line.kind in HEADINGS and (own := _counter(line)) is not None:
            found.setdefault(own, index)
    return found


def counts_on(lines: Sequence[Line], index: int, first: Mapping[tuple[str, tuple[int, ...]], int]) -> bool:
    """Whether a heading is the next of those over questions, Sheet 2 after Sheet 1, and none had its number before.

    ``first`` are the headings that :func:`first_counted` gives.
    """
    own = _counter(lines[index])
    if own is None or first.get(own) != index:
        return False
    word, (*chapter, number) = own
    if first.get(("", own[1]), index) < index:
        return False  # 第五章 over the answers to 5 Buoyancy
    before = first.get((word, (*chapter, number - 1)), index)
    return before < index and lines[before].zone is Zone.BODY


def _counter(heading: Line) -> tuple[str, tuple[int, ...]] | None:
    """The word that counts a heading, and its numbers."""
    title, mark = read_title(heading.text), heading.mark
    if title.is_answers or heading.running_head:
        return None
    if title.kind and title.numbers:
        return title.kind, title.numbers
    if (letter := read_letter(heading.text)) is not None:
        return letter.word, letter.numbers
    if title.numbers:
        return "", title.numbers
    return (mark.dress.word, mark.numbers) if mark is not None and mark.dress.word else None


def _names_a_question(lines: Sequence[Line], index: int) -> bool:
    """Whether the first text below a heading is called an exercise with a number that was not asked before."""
    below = (line for line in lines[index + 1 : index + 1 + _NEAR] if line.kind is not Kind.HIDDEN)
    first = next(below, None)
    if first is None or first.mark is None or first.mark.dress.role != "question":
        return False
    same = (line.mark for line in lines[:index] if line.mark is not None and line.mark.dress.role == "question")
    return all(mark.numbers != first.mark.numbers for mark in same)


def _headed(lines: Sequence[Line], index: int) -> bool:
    """Whether a heading repeats one that questions stand under, by its words or its number alone."""
    title = read_title(lines[index].text)
    numbered = (
        (other.kind, other.numbers) == (title.kind, title.numbers)
        for other in (read_title(line.text) for line in lines[:index] if line.kind in HEADINGS)
    )
    return _stood(lines, index) or (bool(title.numbers) and any(numbered))


def _telling(lines: Sequence[Line], index: int, stop: Kind | None) -> int:
    """Items below that read like answers, less those that read like questions, of the next few.

    Where nothing has a label yet, any number may be one that the book is still to teach, if another follows.
    """
    return _balance(lines, index, stop) or _balance(lines, index, stop, learnt=False)


def _balance(lines: Sequence[Line], index: int, stop: Kind | None, *, learnt: bool = True) -> int:
    told = seen = 0
    for at in range(index + 1, len(lines)):
        line = lines[at]
        if seen and (line.kind is stop or (stop is not None and _as_high(line, lines[index]))):
            break
        if line.block.type == "table" and (key := table_answers(line.text) or marked_answers(line.text)):
            told, seen = told + len(key), seen + len(key)
            continue
        if line.kind is not Kind.TEXT or (line.label is None and (learnt or not _counts_items(line))):
            continue
        if line.label is not None and not learnt:
            return 0
        following = lines[at + 1] if at + 1 < len(lines) else None
        alone = line.label is not None and not line.text[line.label.end :].strip()
        told += 1 if answers(line) and not alone else -1 if asks(line, following) else 0
        seen += 1
        if seen >= _SAMPLE:
            break
    return told if learnt or seen > 1 else 0


def _counts_items(line: Line) -> bool:
    return line.mark is not None and line.mark.dress.role not in ("told", "heading", "answer")


def _as_high(line: Line, heading: Line) -> bool:
    """Whether a heading stands as high as another, and is not that of a group of questions."""
    if line.kind not in HEADINGS or line.kind is Kind.PART or line.running_head:
        return False
    return line.block.level is not None and heading.block.level is not None and line.block.level <= heading.block.level


def answers(line: Line) -> bool:
    """Whether an item's first line reads like an answer: short and asking nothing, up to any 解."""
    start = line.label.end if line.label else 0
    body = SENT_ON.split(line.text[start:], maxsplit=1)[0].strip()
    explained = 0 if PROVES.match(body) else find_solution_start(body)
    if explained is not None:
        body = body[:explained]
    return len(body) <= _SHORT_ANSWER and not ASKS.search(body)


def asks(line: Line, following: Line | None) -> bool:
    """Whether an item's first line asks something, or has options below it."""
    start = line.label.end if line.label else 0
    if ASKS.search(SENT_ON.split(line.text, maxsplit=1)[0], start):
        return True
    if following is None:
        return False
    alone = start == len(line.text) and following.label is None
    return option_letter(following.text) == "A" or (alone and ASKS.search(following.text) is not None)
