"""Labels of answers that are found once the others are known: lacked by a count, or spelt otherwise than asked."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import pairwise

from operators.pdf.numbering import ItemLabel
from operators.pdf.numbering.dress import BARE
from operators.pdf.numbering.label_words import roles
from operators.pdf.numbering.numerals import CIRCLED, narrow
from operators.pdf.numbering.numerals import number as value_of
from operators.pdf.numbering.titles import heading_key
from operators.pdf.rules.chapters import Chapter
from operators.pdf.rules.counts import Start, noted, set_label
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Role, Zone

#: A label: what stands before its number, the number, and the sign behind it.
_FORM = re.compile(r"(?P<before>.*?)(?P<n>\d{1,3})(?P<sign>\s*[.．、:：)）\]】]?)\s*", re.DOTALL)
#: A circled number that stands apart.
_CIRCLE = re.compile(rf"(?:^|(?<=[\s;；。．，,]))(?P<n>[{CIRCLED}])\s*(?=\S)")
#: What numbers its chapter in a label such as 1.2.
_CHAPTER = re.compile(r"(?:\d{1,3}[.\-–—])+$")
#: Sets of labels of chapters, beyond which none is looked for.
_HOMES = 500
#: Lines that an answer may have, and how many of a label's words are looked at.
_LINES, _WORDS = 40, 60


def hidden_labels(lines: Sequence[Line], chapters: Sequence[Chapter]) -> list[Start]:
    """Where the answers begin that are missing between those of a chapter, or behind the last one.

    A question asks for each, and it is numbered as the answer before it: behind "Es. 1" only "Es. 2" is one.
    Other numbers in that form count steps, so nothing behind them is taken.
    """
    asked = [[start.label.label for start in c.starts] for c in chapters if c.zone is Zone.BODY]
    every = [label for labels in asked for label in labels]
    asked += [every] if len(set(every)) == len(every) else []  # one count through the whole book
    homes = {frozenset(labels): labels for labels in asked}  # most chapters have the same ones
    found: list[Start] = []
    starts = {start.line for chapter in chapters for start in chapter.starts}
    following = dict(pairwise([*sorted(starts | _headings(lines)), len(lines)]))
    for chapter in chapters:
        told = {start.label.label for start in chapter.starts}
        fit = [some for some in homes if told <= some] if chapter.zone is Zone.ANSWERS and len(homes) <= _HOMES else []
        labels = homes[max(fit, key=len)] if fit else []
        for place, start in enumerate(chapter.starts if len(told) < len(labels) else ()):
            behind = chapter.starts[place + 1].label.label if place + 1 < len(chapter.starts) else None
            at = labels.index(start.label.label) + 1
            end = labels.index(behind) if behind is not None else len(labels)
            if labels[at:end] and start.label.number is not None and not start.answer:
                found += _between(lines, start, labels[at:end], following[start.line])
    return found


def _headings(lines: Sequence[Line]) -> set[int]:
    return {index for index, line in enumerate(lines) if line.kind in HEADINGS}


def _between(lines: Sequence[Line], start: Start, missing: Sequence[str], end: int) -> Iterator[Start]:
    """The missing labels that stand between one and line ``end``, in order."""
    own = lines[start.line].text[start.label.start : start.label.end]
    form = _FORM.fullmatch(own)
    if own.strip() in CIRCLED:
        yield from _taken(lines, start, end, _CIRCLE, missing)
        return
    if form is None or not (form["before"].strip() or form["sign"].strip()):
        return
    sign = form["sign"].strip()
    wide = bool(sign) and narrow(sign) != sign
    signs = f"[{re.escape(sign)}{re.escape(narrow(sign))}．]" if narrow(sign) == "." else re.escape(sign)
    words = r"\s*".join(map(re.escape, form["before"][-_WORDS:].split()))
    label = re.compile(rf"(?:^|(?<=[\s;；。，,])){words}\s*(?P<n>\d{{1,3}})(?:{signs}(?!\d)|．)\s*(?=\S)")
    if not sign:
        label = re.compile(rf"(?:^|(?<=[\s;；。，,])){words}\s*(?P<n>\d{{1,3}})(?![\d.．])\s*(?=\S)")
    chapter = "".join(_CHAPTER.findall(narrow(form["before"]))[-1:])
    yield from _taken(lines, start, end, label, missing, chapter, wide=wide)


def _taken(
    lines: Sequence[Line],
    start: Start,
    end: int,
    label: re.Pattern[str],
    missing: Sequence[str],
    chapter: str = "",
    *,
    wide: bool = False,
) -> Iterator[Start]:
    """The missing labels in a form, up to a number that is none of them."""
    left = list(missing)
    for index in range(start.line, min(end, start.line + _LINES)):
        for mark in label.finditer(lines[index].text, start.label.end if index == start.line else 0):
            name = next((one for one in left if one.split()[-1] == chapter + mark["n"]), None)
            if name is None or (wide and "." in mark[0]):
                return
            left = left[left.index(name) + 1 :]
            own = replace(start.label, label=name, start=mark.start(), end=mark.end(), number=value_of(mark["n"]))
            yield Start(index, own)


#: So many labels, and so large a share of them that questions have, are those of answers.
_FEWEST, _SURE = 3, 0.8


def name_repeated(lines: Sequence[Line]) -> None:
    """Note labels that stand once more behind themselves, with the same words each time: Exercise 1: Answer.

    A heading with the number of a label in a dress that the book taught, Exercice 1 – corrigé, is such a label, too;
    so is any line with its number behind another word, each time the same: Corrigé 1.
    """
    labels: list[tuple[Line, ItemLabel, str]] = []
    twice: list[tuple[Line, ItemLabel, str]] = []
    loose: set[str] = set()
    last: Line | None = None
    for _, line in noted(lines):
        heading = line.kind in HEADINGS and not line.running_head
        learnt = line.label or (_learnt_again(last, line) if heading else None)
        dress = line.mark.dress if line.mark is not None and learnt is None else BARE
        word = dress.word if not dress.role and " " not in dress.word else ""
        label = learnt or (_with_word(last, line) if word else None)
        if heading and label is None:
            last = None  # numbers begin anew
        if label is None:
            loose.add(word)
        if label is None or line.zone is Zone.CONTENTS:
            continue
        labels.append((line, label, word))
        if last is not None and last.label is not None and last.label.label == label.label:
            twice.append((line, label, word))
        last = line if line.label is not None else last
    if len(twice) < _FEWEST:
        return
    rests = Counter(word or heading_key(line.text[label.end :]) for line, label, word in labels)
    again: dict[str, list[tuple[Line, ItemLabel]]] = defaultdict(list)
    for line, label, word in twice:
        if word not in loose or not word:
            again[word or heading_key(line.text[label.end :])].append((line, label))
    for rest, found in again.items():
        if rest and len(found) >= _FEWEST and rests[rest] == len(found):
            for line, label in found:
                if line.label is None:
                    set_label(line, Role.ANSWER, label)
                line.role = Role.ANSWER


def _learnt_again(last: Line | None, line: Line) -> ItemLabel | None:
    """The label of the last item, if a line opens with it once more in a dress that only this book has."""
    if last is None or last.label is None or last.role is not Role.ITEM or last.mark is None or line.mark is None:
        return None
    same = (last.mark.dress, last.mark.numbers) == (line.mark.dress, line.mark.numbers)
    return replace(last.label, end=line.mark.end) if same else None


def _with_word(last: Line | None, line: Line) -> ItemLabel | None:
    """The label of the last item, if a line opens with its number behind another word."""
    if last is None or last.label is None or last.mark is None or line.mark is None or line.kind is Kind.CAPTION:
        return None
    same = last.mark.numbers == line.mark.numbers and last.mark.dress.word != line.mark.dress.word
    return replace(last.label, start=0, end=line.mark.end) if same else None


def spell_answers(lines: Sequence[Line], starts: Sequence[Start]) -> None:
    """Label answers as the questions are, where only these have plain numbers, or only the answers.

    "1." answers Exercise 1 if the book asks Exercise 1, 2, 3 and nothing else; "Exercise 1." answers 1 if it asks
    plain numbers, and no Exercise.
    """
    asked: dict[str, dict[str, str]] = defaultdict(dict)
    told: dict[str, list[Start]] = defaultdict(list)
    for start in starts:
        if lines[start.line].zone is not Zone.ANSWERS:
            asked[start.label.prefix].setdefault(_number_of(start), start.label.label)
        else:
            told[start.label.prefix].append(start)
    words = [word for word in asked if word and roles().get(word.casefold(), "question") in ("question", "task")]
    for word, answers in told.items():
        if word in asked or (word and roles().get(word.casefold()) != "question"):
            continue
        if not word and len(words) != 1:
            continue
        own = "" if word else words[0]
        spelt = asked.get(own, {})
        if sum(_number_of(start) in spelt for start in answers) < _SURE * len(answers):
            continue
        for start in answers:
            label = spelt.get(_number_of(start))
            if label is not None:
                start.label = replace(start.label, label=label, prefix=own)


def _number_of(start: Start) -> str:
    """A label's number, 1.2 of Exercise 1.2."""
    return start.label.label[len(start.label.prefix) :].strip() or start.label.label
