"""Questions and answers of one document joined: by chapter occurrence first, by label inside it.

A chapter is an occurrence of a heading, told by its blocks, never by its words alone: labels that restart
in each chapter cannot collide. An answer that has no sure question is left alone and listed with the
reason, since a wrong pair is worse than a missing one.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise

from operators.pdf.merging.entries import Entry, Section, counted, fold, place
from operators.pdf.merging.headings import Headings
from operators.pdf.merging.label_runs import Run, runs_of
from operators.pdf.merging.pairing import AGREED, ENOUGH, Doubt, Link, pair_runs
from operators.pdf.numbering import label_key

__all__ = ["Entry", "Merged", "MergedRow", "merge"]


#: Letters of options, and the least words of a note on them.
_LETTERS, _WORDS = re.compile(r"[A-H]{1,4}|[a-h]"), 3
_COMPOUND = re.compile(r"\d[.\-]\d")


@dataclass(slots=True)
class MergedRow:
    """A question with its answers, usually one, none if the document has none.

    ``how`` is ``interleaved`` if the answer stood with the question, ``beside`` if it followed as a piece
    of its own, ``chapter+label``, ``order`` if only the run of the labels told the chapter, or
    ``unanswered``. ``confidence`` goes from 0 to 1. The titles are those of the sections, carried
    forward to entries whose heading was not in sight; so are the question's ``chapter``, the block of its
    heading, and ``path``.
    """

    question: Entry
    answers: list[Entry] = field(default_factory=list)
    confidence: float = 0.0
    how: str = "unanswered"
    question_title: str = ""
    answer_title: str = ""
    chapter: int = -1
    path: tuple[str, ...] = ()
    doubts: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Merged:
    """What :func:`merge` gives: a row a question, answers without a question, and (kept, dropped) copies."""

    rows: list[MergedRow]
    orphans: list[tuple[Entry, str]]
    folded: list[tuple[Entry, Entry]]


def merge(
    entries: Iterable[Entry],
    *,
    headings: Mapping[int, str] | None = None,
    strict_title_match: bool = False,
) -> Merged:
    """The questions of a document in reading order, each with its answers.

    After folding, questions in are rows out, and answers in are answers in rows and orphans. The order of
    ``entries`` makes no difference. ``headings`` gives a heading's text by its block where the entries do
    not tell it. With ``strict_title_match`` chapters pair only if their titles are equal in numbers and
    name.

    >>> question = Entry(5, "1", (4,), "第1章 圆", True, (5,), "", (), chunk=0, file=0)
    >>> answer = Entry(9, "1", (8,), "第一章 答案", False, (), "B", (), chunk=1, file=0)
    >>> [(r.question.position, r.answers[0].answer, r.how) for r in merge([answer, question]).rows]
    [(5, 'B', 'chapter+label')]
    """
    said = list(entries)
    kept, folded = fold(said)
    sections = place(kept, said, headings)
    join = _Join(sections)
    join.link_compound()
    join.link_runs(strict=strict_title_match)
    if not strict_title_match:
        join.link_counted()
    rows = sorted(join.rows, key=lambda row: (row.question.file, row.question.position))
    return Merged(rows, join.orphans(), folded)


class _Join:
    """The rows of a document while its answers are given out."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections = sections
        self.rows: list[MergedRow] = []
        self.row_of: dict[int, MergedRow] = {}
        self.reasons: dict[int, str] = {}
        self.loose: list[tuple[Section, list[Entry]]] = []
        for section in sections:
            self._read(section)

    def _read(self, section: Section) -> None:
        """Rows for a section's questions; answers that stand right beside theirs are given out."""
        waiting: MergedRow | None = None
        answers: list[Entry] = []
        for entry in section.entries:
            if entry.has_question:
                row = MergedRow(entry, question_title=section.text, chapter=section.start, path=section.path)
                if entry.answer or entry.solution:
                    row.confidence, row.how = 1.0, "interleaved"
                self.rows.append(row)
                self.row_of[id(entry)] = row
                waiting = row
            elif waiting and not waiting.answers and _is_beside(waiting.question, entry):
                waiting.answers.append(entry)
                waiting.answer_title = section.text
                waiting.confidence, waiting.how = max(waiting.confidence, 0.95), "beside"
            else:
                answers.append(entry)
        if answers:
            self.loose.append((section, answers))

    def link_compound(self) -> None:
        """Gives out answers whose label, such as 4.12, names its chapter itself and stands once on either side.

        Their headings need not agree: 1.1 to 1.10 of two sections may be answered under "Chapter 1".
        """
        rows: dict[str, list[MergedRow]] = {}
        answers: dict[str, list[tuple[Section, Entry]]] = {}
        for row in self.rows:
            rows.setdefault(label_key(row.question.label), []).append(row)
        for section, entries in self.loose:
            for entry in entries:
                answers.setdefault(label_key(entry.label), []).append((section, entry))
        for key, ((section, entry), *more) in answers.items():
            waiting = rows.get(key, ())
            if more or len(waiting) != 1 or not _COMPOUND.search(key) or not (entry.answer or entry.solution):
                continue
            row = waiting[0]
            if row.how == "unanswered":
                row.how, row.confidence, row.answer_title = "chapter+label", 1.0, section.text
                self._append(row, entry)
        self.loose = [(s, [e for e in es if self.reasons.get(id(e)) != ""]) for s, es in self.loose]
        self.loose = [(s, es) for s, es in self.loose if es]

    def link_runs(self, *, strict: bool) -> None:
        """Gives out the answers of each run to the questions of the run that they fit."""
        asked = [(section, [e for e in section.entries if e.has_question]) for section in self.sections]
        questions = runs_of(asked, across=True)
        for run in questions:
            run.open = {k.partition("#")[0] for k, e in run.entries.items() if self.row_of[id(e)].how == "unanswered"}
        answers = runs_of([(section, self._useful(entries)) for section, entries in self.loose], across=False)
        headings = Headings([section for section, entries in asked if entries], strict=strict)
        pairing = pair_runs(questions, answers, headings)
        for link in pairing.links:
            self._link(link, headings)
        for run in pairing.surplus:
            self.reasons.update((id(entry), "its question has another answer") for entry in run.entries.values())
        for doubt in pairing.doubts:
            self._note(doubt)
        for run in pairing.named:
            for entry in run.entries.values():
                self.reasons.setdefault(id(entry), "no question with this label waits in its chapter")

    def link_counted(self) -> None:
        """Gives out what is left where numbers run on through all chapters: a label then needs no heading.

        Labels with a word of their own count by themselves: examples do not break off the count of the exercises.
        Numbers of which none is missing count as well, as columns may have been read in another order.

        A running head, or a heading that says whose answer follows, may stand over answers in place of their chapter's.
        A single chapter is answered label by label below a heading that counts the answers as a chapter: 2 Solutions.
        """
        alone = len({row.chapter for row in self.rows}) == 1
        words: dict[str, list[tuple[int, str, MergedRow]]] = {}
        for row in self.rows:
            key, word, number = counted(row.question.label)
            words.setdefault(word, []).append((number, key, row))
        rows: dict[str, MergedRow] = {}
        for counts in words.values():
            numbers = [number for number, *_ in counts]
            if _runs_on(numbers) and (alone or len(counts) >= ENOUGH):
                rows |= {key: row for _, key, row in counts}
        if not rows:
            return
        waiting = {key for key, row in rows.items() if row.how == "unanswered"}
        stands = Counter((label_key(e.label), id(section)) for section, entries in self.loose for e in entries)
        left = [(section, e) for section, entries in self.loose for e in entries if self.reasons.get(id(e)) != ""]
        for section, entry in left:
            asked = rows.get(label_key(entry.label))
            if asked is None or stands[label_key(entry.label), id(section)] != 1:
                continue
            if asked.how == "unanswered":
                if alone and ({label for label, _ in stands} != waiting or not _only_answers(section)):
                    continue
                asked.how, asked.confidence, asked.answer_title = "order", AGREED, section.text
                self._append(asked, entry)
            elif asked.how == "order" or _notes((asked.question, *asked.answers), entry):
                self._add(asked, entry, is_example=True)

    def _useful(self, entries: Sequence[Entry]) -> list[Entry]:
        """The answers that have a label and say anything; the others' reasons are noted."""
        for entry in entries:
            if not (entry.answer or entry.solution):
                self.reasons[id(entry)] = "it holds neither an answer nor a solution"
            elif not label_key(entry.label):
                self.reasons[id(entry)] = "it has no label"
        return [entry for entry in entries if id(entry) not in self.reasons]

    def _link(self, link: Link, headings: Headings) -> None:
        """Gives the answers of a run to the questions of a run that have the same labels."""
        question, doubled = link.question, link.question.doubled ^ link.answer.doubled
        allowed: dict[tuple[int, int], bool] = {}
        for key, answer in link.answer.entries.items():
            asked, label = question.entries.get(key), key.partition("#")[0]
            if asked is not None:
                ours, theirs = question.homes[key], link.answer.homes[key]
                pair = id(ours), id(theirs)
                if pair not in allowed:  # of a run's entries most stand in one section
                    allowed[pair] = headings.allow(ours, theirs)
            if asked is None or not allowed[pair]:
                self.reasons.setdefault(id(answer), "no question with this label waits in its chapter")
            elif label in doubled:
                self.reasons[id(answer)] = "its label stands twice on one side"
            elif self.row_of[id(asked)].how in ("interleaved", "beside"):
                # A key lists worked examples too; a bare number is more likely an exercise that was lost, if one is.
                lost = label.isdecimal() and question.open and not link.answer.keys <= question.keys
                self._add(self.row_of[id(asked)], answer, is_example=not lost)
            else:
                self._give(self.row_of[id(asked)], answer, link)

    def _give(self, row: MergedRow, answer: Entry, link: Link) -> None:
        if row.answers and not _completes(row.answers, answer):
            self.reasons[id(answer)] = "its question has another answer"
            return
        if not row.answers:
            row.how, row.confidence = link.how, link.confidence
            row.answer_title = link.answer.homes[next(iter(link.answer.homes))].text
        self._append(row, answer)

    def _append(self, row: MergedRow, answer: Entry) -> None:
        row.answers.append(answer)
        row.answers.sort(key=lambda entry: (entry.file, entry.position))
        self.reasons[id(answer)] = ""

    def _add(self, row: MergedRow, answer: Entry, *, is_example: bool) -> None:
        """Gives a further answer to a question that had one with it."""
        if not is_example:
            self.reasons[id(answer)] = "no question with this label waits in its chapter"
        elif _completes((row.question, *row.answers), answer):
            self._append(row, answer)
        else:
            self.reasons[id(answer)] = "its question has another answer"

    def _note(self, doubt: Doubt) -> None:
        """Tells answers that nobody can place, and the questions that they may be to, what fits as well."""
        questions, answers = _names(doubt.questions), _names(doubt.answers)
        reason, other = f"it fits the questions under {questions} equally well", "it and others"
        if len(doubt.questions) == 1:
            reason, other = f"the answers under {answers} fit the same questions equally well", "it"
        run = doubt.answers[0]
        self.reasons.update((id(entry), reason) for entry in run.entries.values())
        also = f"answers under {answers} fit {other} equally well"
        for question in doubt.questions:
            for key in sorted(run.keys & question.open):
                row = self.row_of[id(question.entries[key])]
                if row.how == "unanswered" and also not in row.doubts:
                    row.doubts.append(also)

    def orphans(self) -> list[tuple[Entry, str]]:
        """The answers that were not given out, in reading order, with the reasons."""
        left = [(e, self.reasons.get(id(e), "no chapter of questions fits")) for _, es in self.loose for e in es]
        return sorted((pair for pair in left if pair[1]), key=lambda pair: (pair[0].file, pair[0].position))


def _runs_on(numbers: Sequence[int]) -> bool:
    """Whether numbers rise, or none is missing between the first and the last."""
    rises = all(a < b for a, b in pairwise(numbers))
    return rises or sorted(numbers) == list(range(min(numbers), max(numbers) + 1))


def _only_answers(section: Section) -> bool:
    """Whether the heading of a section says that answers follow, and nothing of whose they are but a number."""
    title = section.title
    return title.is_answers and not title.name and not title.kind


def _names(runs: Sequence[Run]) -> str:
    """The headings of runs, in order, for a reader."""
    texts = [run.sections[0].text for run in sorted(runs, key=lambda run: run.first)]
    return " and under ".join(f"“{text}”" if text else "no heading" for text in texts)


def _is_beside(question: Entry, answer: Entry) -> bool:
    """Whether an answer is the rest of the question before it: the same label or none, the next blocks."""
    if answer.label and label_key(answer.label) != label_key(question.label):
        return False
    end = max((question.position, *question.question, *question.solution))
    return end <= answer.position <= end + 3 and not (question.answer and answer.answer)


def _completes(given: Sequence[Entry], answer: Entry) -> bool:
    """Whether a second answer adds to the first, as solutions do to a short key, and agrees with it or says why."""
    told = {"".join(e.answer.split()) for e in (*given, answer) if e.answer}
    agrees = len(told) < 2 or _notes(given, answer)
    return agrees and not (answer.solution and any(e.solution for e in given))


def _notes(given: Sequence[Entry], answer: Entry) -> bool:
    """Whether an answer says in words why the letter of an option is right."""
    told = ["".join(entry.answer.split()) for entry in given if entry.answer]
    return bool(told) and len(answer.answer.split()) >= _WORDS and all(map(_LETTERS.fullmatch, told))
