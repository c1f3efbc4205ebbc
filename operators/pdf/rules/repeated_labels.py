"""Labels of answers that stand once more behind those of their questions, and are spelt as these are."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from dataclasses import replace

from operators.pdf.numbering import ItemLabel
from operators.pdf.numbering.dress import BARE
from operators.pdf.numbering.label_words import roles
from operators.pdf.numbering.titles import heading_key
from operators.pdf.rules.counts import Start, noted, set_label
from operators.pdf.rules.lines import HEADINGS, Kind, Line, Role, Zone

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
