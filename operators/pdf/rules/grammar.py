"""The grammar of a book's labels, learnt from the book: which dresses number its items and its answers.

A few dresses are labels in any book, "1." or "Exercise 2"; whether "5.1", "(3)", "Puzzle 4" or 一、 are labels
depends on the book. They are if the numbers in one dress make long rising sequences and what they open is asked.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from itertools import pairwise

from operators.pdf.blocks import FURNITURE
from operators.pdf.numbering import ItemLabel, solution_marker, sub_label
from operators.pdf.numbering.dress import BARE, Dress, Mark, read_mark
from operators.pdf.numbering.label_words import numbering, roles
from operators.pdf.numbering.titles import begins_title, heading_key
from operators.pdf.rules.counts import answered_dresses, noted, set_label
from operators.pdf.rules.late_labels import name_repeated
from operators.pdf.rules.lines import HEADINGS, SENTENCE_END, Kind, Line, Role, Zone
from operators.pdf.rules.openers import solved
from operators.pdf.rules.sections import chapter_above
from operators.pdf.rules.tables import marked_answers
from operators.pdf.rules.words import ASKS

#: So many labels of one dress, and so large a share of them that counts on, make a sequence.
_FEWEST, _SURE = 3, 0.8
#: A bare number opens too many lines of text to be believed earlier.
_FEWEST_BARE = 4
#: The share of a dress's labels that must ask, where nothing else tells that they open questions.
_ASKING = 0.5
#: Numbers that a sequence may leave out: answers are often given to every other question.
_STEP = 4
#: Lines below a question among which its solution begins.
_NEAR = 8
#: Roles of words that number items, whatever stands below these.
_NAMED = ("question", "example", "task")
#: What has parts below it is an item if these ask.
_FIRST_PARTS = ("(a)", "(i)", "(1)")
#: The mark of a first part inside a line, which is no argument such as that of f(1).
_FIRST_PART = re.compile(r"(?<![\w\\^$})])\(\s?[1ai]\s?\)|（\s?[1ai]\s?）|①")
#: What the items of a group are worth, at the end of its heading.
_WORTH = re.compile(r"\s*[（(][^（()）]*[)）]\s*$")
_TEXTS = frozenset({"text", "list_item"} | FURNITURE)


@dataclass(slots=True)
class _Seen:
    """A mark at the start of a line; ``headed`` if no label stands between it and the heading before.

    ``holds`` tells that labels which are sure stand between it and the next mark: it heads a group of items.
    """

    line: int
    mark: Mark
    headed: bool = False
    holds: bool = False


_Spelt = dict[tuple[int, ...], ItemLabel]


def learn_labels(
    lines: Sequence[Line], known: Set[tuple[Dress, bool]] = frozenset(), proven: Set[tuple[Dress, bool]] = frozenset()
) -> None:
    """Give the lines the labels that they open with in the dresses of this book, and mend the zones by them.

    A label that is sure has ``role`` ITEM, that of a solution ("Solution 1.1") ANSWER; it is spelt as the
    question's own label is. The lines must have their zones. ``known`` are dresses that are taken for labels, those
    of answers if true; ``proven`` are others that surely are, which begin with 1 below any line.
    """
    groups: dict[tuple[Dress, bool], list[_Seen]] = defaultdict(list)
    for seen in _marks(lines):
        groups[seen.mark.dress, lines[seen.line].zone is Zone.ANSWERS].append(seen)
    asked = _asked(lines)
    named: list[_Seen] = []
    #: Those of questions in Roman or circled numerals, which their answers keep, whatever else is counted.
    counted: set[Dress] = set()
    found: list[tuple[_Seen, ItemLabel, _Spelt | None]] = []
    for (dress, answers), group in sorted(groups.items(), key=lambda one: one[0][1]):
        names = not answers and (dress, True) in known and (dress, False) not in known | proven
        if dress.role == "answer" or names or (dress.word == "a" and "q" in asked):
            named += group
            continue
        sure = (dress, answers) in known or (dress, answers) in proven
        anew = (dress, answers) in proven
        items = _chain(group, answers, proven=anew) if sure else _items_among(lines, group, answers)
        items = _with_lone(lines, items) if dress == BARE else items
        same = dress.word or dress in counted
        if answers and same and {seen.mark.numbers for seen in group} <= asked[dress.word].keys():
            items = group
        if not sure and not answers and dress.word and not dress.role and solved(lines, [seen.line for seen in group]):
            items, sure = group, True
        spelt = _answered(items, asked) if answers else None
        if not sure and not (spelt is not None if answers else _asked_for(lines, items, groups)):
            continue
        for seen in items:
            own = ItemLabel(seen.mark.name, seen.mark.end, seen.mark.numbers[-1], dress.word)
            found.append((seen, own, {} if spelt is not None and dress in counted else spelt))
            if not answers:
                counted |= {dress} if dress.shape in ("I", "①") else set()
                asked[dress.word].setdefault(seen.mark.numbers, own)
    if found:
        _shorten(lines, found)
    for seen, own, spelt in found:
        set_label(lines[seen.line], Role.ITEM, _spelt_as(spelt or {}, seen, own))
    _name_answers(lines, named, asked)
    _read_tables(lines, asked)
    name_repeated(lines)
    mend_zones(lines)


def _shorten(lines: Sequence[Line], found: Sequence[tuple[_Seen, ItemLabel, _Spelt | None]]) -> None:
    """Leave out words of no table where they number questions: their label is the number, as of Exercise 3.

    Those are words whose numbers are answered, and the commonest one where numbers without a word are less common:
    rarer ones, such as those of examples, tell their items from the others.
    """
    plain_words = ((own.prefix, seen.mark.dress) for seen, own, spelt in found if spelt is None)
    counts = Counter(word for word, dress in plain_words if not dress.role or dress.word in numbering())
    plain = sum(line.label is not None and not line.label.prefix and line.zone is Zone.BODY for line in lines)
    words = {word for word, count in counts.most_common(1) if count > max(plain, counts[""])}
    words |= {dress.word for dress in answered_dresses(lines)}
    for seen, own, _ in found:
        if own.prefix in words:
            number, word = seen.mark.name.split()[-1], own.prefix.split()[-1]
            own.label = number if seen.mark.dress.lettered or word.isascii() else number.removeprefix(word)


def _marks(lines: Sequence[Line]) -> list[_Seen]:
    """The marks of all lines that no fixed rule has taken for labels."""
    marks: list[_Seen] = []
    headed = True
    last: _Seen | None = None
    labelled: Line | None = None
    part: Mark | None = None
    example = -1
    heads = [line for line in lines if line.kind in HEADINGS]
    titles = {heading_key(line.text) for line in heads if line.zone is not Zone.ANSWERS}
    large = {
        (line.mark.dress, line.mark.numbers): heading_key(line.text)
        for line in heads
        if line.mark is not None and line.block.level is not None
    }
    for index, line in noted(lines):
        if line.zone is Zone.CONTENTS or line.block.type not in _TEXTS:
            continue
        mark = line.mark
        told = line.zone is Zone.SUMMARY or line.zone is Zone.FRONT
        unsure = told and mark is not None and (not mark.dress.word or mark.dress.lettered)
        if line.label is not None:
            labelled, part = line, None
            if not unsure:
                # Exercises may begin behind worked examples.
                headed = headed and roles().get(line.label.prefix.casefold()) == "example"
                example = index
                if last is not None:
                    last.holds = True
            continue
        if mark is not None:
            if part is None and labelled is not None:
                part = _part_in(labelled.text[labelled.label.end :].strip()) if labelled.label else None
                labelled = None
            if part is not None and _goes_on(part, mark):
                part = mark  # (2) below 6. (1) is a part of 6
                continue
        if unsure:
            continue
        if mark is not None and _is_open(line, mark, titles, large):
            last = _Seen(index, mark, headed and _is_behind_solution(lines, example, index))
            marks.append(last)
            headed = False
        elif line.kind in HEADINGS:
            headed, example = True, -1
            # Groups such as 一、选择题 stand inside what a mark heads, unless they are set larger.
            last = last if line.kind is Kind.PART and last and not _is_larger(line, lines[last.line]) else None
    _mark_heads(lines, marks)
    return marks


def _is_behind_solution(lines: Sequence[Line], example: int, index: int) -> bool:
    """Whether a line stands behind the solution of an example, if it has one above: before it stand its parts."""
    return example < 0 or any(solution_marker(line.text) for line in lines[example + 1 : index])


def _is_larger(one: Line, two: Line) -> bool:
    """Whether both lines are set as headings, and the first one larger."""
    return one.block.level is not None and two.block.level is not None and one.block.level < two.block.level


def _part_in(text: str) -> Mark | None:
    """The mark that opens what stands behind a label, or that of a first part in it, as of (12 marks) Solution: (1)."""
    mark = read_mark(text)
    first = _FIRST_PART.search(text) if mark is None or mark.dress.signs == "(" else None
    return read_mark(text[first.start() :]) if first else mark


def _goes_on(one: Mark, two: Mark) -> bool:
    return one.dress == two.dress and (*one.numbers[:-1], one.numbers[-1] + 1) == two.numbers


def _mark_heads(lines: Sequence[Line], marks: Sequence[_Seen]) -> None:
    """Note the marks of headings that no word calls items, and below which lines that are none count 1, 2.

    Those lines are headed by them; what stands behind labels that are sure is not.
    """
    above: set[int] = set()
    below: dict[Dress, set[int]] = defaultdict(set)
    for seen in reversed(marks):
        dress, level = seen.mark.dress, lines[seen.line].block.level
        if level is None and len(seen.mark.numbers) == 1:
            below[dress].add(seen.mark.numbers[0])
        elif level is not None:
            counted = any({1, 2} <= numbers for other, numbers in below.items() if other != dress)
            if counted and dress.role not in _NAMED and not seen.holds:
                seen.holds = True
                above.add(seen.line)
            below.clear()
    for seen, following in pairwise(marks):
        following.headed = following.headed or seen.line in above


def _is_open(line: Line, mark: Mark, titles: Set[str], large: Mapping[tuple[Dress, tuple[int, ...]], str]) -> bool:
    """Whether a mark may be a label: not one already, no heading's and none of a theorem or a figure.

    What is set as text is no title, "3.3 Carbon dioxide", unless it is one of the book's ``titles``: among answers,
    or where another heading has the same number and is set ``large``.
    """
    if line.label is not None or mark.dress.role in ("told", "heading"):
        return False
    if mark.dress.role == "answer":
        return True
    if line.kind is Kind.HIDDEN or line.kind is Kind.CAPTION:
        return False
    if mark.dress.word:
        # 习题19.1 alone names a lesson.
        worded = line.block.level is None and mark.end < len(line.text)
        counted = line.kind is Kind.TITLE and not worded and not mark.dress.role
        return not counted and (mark.dress.role != "task" or bool(line.text[mark.end :]))
    if line.block.level is not None and mark.dress.shape != "一":
        return False
    if line.kind in HEADINGS and line.text[mark.end :]:
        own = heading_key(line.text)
        answers = line.zone is Zone.ANSWERS and own not in titles
        # 一、选择题 over answers is the group of questions that is headed 一、选择题（共 40 分）.
        bare = heading_key(_WORTH.sub("", line.text))
        if answers and mark.dress.shape == "一" and any(begins_title(bare, title) for title in titles):
            return False
        if line.block.level is None and (answers or large.get((mark.dress, mark.numbers), own) != own):
            return True
        return line.text.endswith((*SENTENCE_END, ".")) or ASKS.search(line.text) is not None
    return True


def _asked(lines: Sequence[Line]) -> dict[str, _Spelt]:
    """The labels of questions that are sure already, by their word: numbers, and the label."""
    found: dict[str, _Spelt] = defaultdict(dict)
    for line in lines:
        label = line.label
        if label is None or label.number is None or line.zone is Zone.CONTENTS or line.zone is Zone.ANSWERS:
            continue
        mark = line.mark if label.prefix else None
        found[label.prefix.casefold()].setdefault(mark.numbers if mark else (label.number,), label)
    return found


def _items_among(lines: Sequence[Line], group: Sequence[_Seen], answers: bool) -> list[_Seen]:
    """The marks of a dress that count as the labels of items do, none if they are a list's or a group's.

    Two are enough behind a word of no table if both ask by their last sign.
    """
    bare = not group[0].mark.dress.word and not group[0].mark.dress.signs
    anew = not answers and _counts_anew(lines, group)
    announced = {
        line.caption.low for line in lines if line.kind is Kind.CAPTION and line.caption and not line.caption.name
    }
    chain = _chain(group, answers, proven=anew, announced=announced)
    if 2 * sum(seen.holds for seen in chain) > len(chain):
        return []
    asking = all(lines[seen.line].text.endswith(("?", "？")) for seen in group)
    dress = group[0].mark.dress
    fewest = _FEWEST_BARE if bare else _FEWEST - (asking and bool(dress.word) and not dress.role)
    if len(chain) < max(fewest, _SURE * len(group)):
        return []
    begun = [seen for seen in chain if seen.mark.numbers == (1,)]
    worded = bool(group[0].mark.dress.word)
    return chain if worded or anew or sum(seen.headed for seen in begun) >= _SURE * len(begun) else []


def _counts_anew(lines: Sequence[Line], group: Sequence[_Seen]) -> bool:
    """Whether marks count from 1 on several times, though nothing heads them, and open what is asked, or solved below.

    The steps of a solution count anew, too, but neither ask nor have solutions; parts do where other labels are sure.
    """
    if any(line.label is not None and line.zone is Zone.BODY and not line.label.prefix for line in lines):
        return False
    begun = [at for at, seen in enumerate(group) if seen.mark.numbers == (1,)]
    runs = [group[at:end] for at, end in pairwise([*begun, len(group)])]
    counted = all([seen.mark.numbers for seen in run] == [(n,) for n in range(1, len(run) + 1)] for run in runs)
    if begun[:1] != [0] or len(runs) == 1 or not counted or min(map(len, runs)) < _FEWEST:
        return False
    ends = [seen.line for seen in group[1:]] + [len(lines)]
    solved = sum(
        any(solution_marker(line.text) for line in lines[seen.line + 1 : min(end, seen.line + _NEAR)])
        for seen, end in zip(group, ends, strict=True)
    )
    return solved >= _SURE * len(group) or sum(_asks(lines, seen) for seen in group) >= _SURE * len(group)


def _with_lone(lines: Sequence[Line], chain: Sequence[_Seen]) -> list[_Seen]:
    """A chain of bare numbers with those that it leaves out and that stand alone on a line there, above their parts."""
    found: list[_Seen] = []
    for one, two in pairwise(chain):
        found.append(one)
        for index in range(one.line + 1, two.line):
            number = found[-1].mark.numbers[0] + 1
            if lines[index].text == str(number) != str(two.mark.numbers[0]) and lines[index].kind is Kind.TEXT:
                found.append(_Seen(index, Mark(BARE, (number,), str(number), len(str(number)))))
    return [*found, *chain[-1:]]


def _answered(group: Sequence[_Seen], asked: Mapping[str, _Spelt]) -> _Spelt | None:
    """The labels of the questions whose numbers these answers repeat, None if they repeat no sequence.

    B1 to B4 answer questions of this letter, though there are A1 to A4 as well.
    """
    if not group:
        return None
    return _spelling({seen.mark.numbers for seen in group}, group[0].mark.dress.word, asked) or None


def _spelling(numbers: Set[tuple[int, ...]], own: str, asked: Mapping[str, _Spelt]) -> _Spelt:
    """The labels of the questions that have these numbers, of several those with the same word; none if few do."""
    word = max(asked, key=lambda word: (len(numbers & asked[word].keys()), word == own), default="")
    found = asked.get(word, {})
    return found if len(numbers & found.keys()) >= _SURE * len(numbers) else {}


def _spelt_as(spelt: _Spelt, seen: _Seen, own: ItemLabel) -> ItemLabel:
    """The label of the question with this number, in the place of an answer's own."""
    label = spelt.get(seen.mark.numbers)
    return own if label is None else replace(label, start=0, end=seen.mark.end)


def _chain(
    group: Sequence[_Seen], answers: bool, *, proven: bool = False, announced: Set[int | None] = frozenset()
) -> list[_Seen]:
    """The marks of a dress that count on, each from the one before it in the chain, or begin anew.

    Answers may begin anywhere: a table of letters may have told the first ones. So do those ``announced`` above,
    Questions 14 to 16.
    """
    chain: list[_Seen] = []
    for seen in group:
        numbers, before = seen.mark.numbers, chain[-1].mark.numbers if chain else ()
        counts = bool(before) and numbers[:-1] == before[:-1] and 0 < numbers[-1] - before[-1] <= _STEP
        anew = not before or seen.headed or numbers[:-1] > before[:-1] or (answers and numbers < before)
        anew = anew or (proven and numbers[-1] == 1)
        told = bool(before) and numbers > before and numbers[-1] in announced
        if counts or told or (anew and (answers or numbers[-1] <= _STEP)):
            chain.append(seen)
    return chain


def _asked_for(lines: Sequence[Line], items: Sequence[_Seen], groups: Mapping[tuple[Dress, bool], list[_Seen]]) -> bool:
    """Whether the marks of a dress open questions: they ask, or a sequence among the answers has their numbers."""
    if sum(_asks(lines, seen) for seen in items) >= _ASKING * len(items):
        return True
    numbers = {seen.mark.numbers for seen in items}
    told = ({seen.mark.numbers for seen in _chain(group, True)} for (_, answers), group in groups.items() if answers)
    return any(len(there) >= _FEWEST and len(numbers & there) >= _SURE * len(numbers) for there in told)


def _asks(lines: Sequence[Line], seen: _Seen) -> bool:
    """Whether what a mark opens, here or on the next line, asks something."""
    text = lines[seen.line].text[seen.mark.end :]
    below = lines[seen.line + 1].text if seen.line + 1 < len(lines) else ""
    if not text.strip() or sub_label(below) in _FIRST_PARTS:
        text = f"{text} {below}"
    return ASKS.search(text) is not None


def _name_answers(lines: Sequence[Line], named: Sequence[_Seen], asked: Mapping[str, _Spelt]) -> None:
    """Label what names the question that it answers, as that question is labelled."""
    numbers = {seen.mark.numbers for seen in named}
    of = {seen.mark.dress.of for seen in named} - {""}
    likeliest = max(asked, key=lambda word: (word in of, len(numbers & asked[word].keys()), word), default="")
    for seen in named:
        own = seen.mark.dress.of
        spelt = asked.get(own if own and own in asked else likeliest, {})
        if seen.mark.numbers in spelt:
            set_label(lines[seen.line], Role.ANSWER, _spelt_as(spelt, seen, spelt[seen.mark.numbers]))


def _read_tables(lines: Sequence[Line], asked: Mapping[str, _Spelt]) -> None:
    """Give tables of answers the labels of the questions that their rows have the numbers of."""
    tables = [line for line in lines if line.block.type == "table" and line.zone is Zone.ANSWERS]
    found = [(line, told) for line in tables if (told := marked_answers(line.text))]
    by_word: dict[str, set[tuple[int, ...]]] = defaultdict(set)
    for _, told in found:
        for mark, _ in told:
            by_word[mark.dress.word].add(mark.numbers)
    spelt = {word: _spelling(numbers, word, asked) for word, numbers in by_word.items()}
    for line, told in found:
        own = [(spelt[mark.dress.word].get(mark.numbers), answer) for mark, answer in told]
        line.told = [(label, answer) for label, answer in own if label is not None]


def mend_zones(lines: Sequence[Line]) -> None:
    """Where answers name their questions, an answers' zone is what lies between one of them and the next question.

    An answer right behind its own question is no zone: the question's solution stands with it.
    """
    told = {line.label.label for line in lines if line.role is Role.ANSWER and line.label}
    if len(told) < _FEWEST:
        return
    zone: Zone | None = None
    open_label = ""
    headed = False  # by a heading of answers
    asked = [line.label for line in lines if line.label is not None and line.role is not Role.ANSWER]
    words = {label.label: label.prefix for label in asked if label.prefix}
    for index, line in enumerate(lines):
        label = line.label
        # The parts 1., 2. of Exercice 2 are no questions: these have their word.
        other = label is not None and line.role is Role.OPEN and label.prefix != words.get(label.label, label.prefix)
        if label is None or other or label.label not in told or line.zone in (Zone.CONTENTS, Zone.SUMMARY):
            headed = headed or (line.kind is Kind.ANSWERS and not line.running_head and line.block.level is not None)
        elif line.role is not Role.ANSWER:
            zone, open_label, headed = Zone.BODY, label.label, False
            _begin_zone(lines, index, zone)
        elif label.label != open_label or headed:
            zone, open_label, headed = Zone.ANSWERS, "", False
            _begin_zone(lines, index, zone)
        if zone is not None and line.zone in (Zone.BODY, Zone.ANSWERS):
            line.zone = zone


def _begin_zone(lines: Sequence[Line], index: int, zone: Zone) -> None:
    """Count the headings right above a line to its zone; what follows answers begins at the highest one behind them."""
    first = index
    while first and (lines[first - 1].kind in HEADINGS or lines[first - 1].kind is Kind.HIDDEN):
        first -= 1
    if zone is Zone.BODY:
        first = min(first, chapter_above(lines, index))
    for line in lines[first:index]:
        if line.zone is not Zone.CONTENTS:
            line.zone = zone
