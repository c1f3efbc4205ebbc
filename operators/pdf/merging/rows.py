"""Questions and answers of one document joined: by chapter occurrence first, by label inside it.

A chapter is an occurrence of a heading, told by its blocks, never by its words alone: labels that restart
in each chapter cannot collide. An answer that has no sure question is left alone and listed with the
reason, since a wrong pair is worse than a missing one.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from operators.pdf.merging.occurrences import Entry, Section, fold, place
from operators.pdf.merging.pairing import Link, Run, Side, pair_runs, side_of
from operators.pdf.numbering import label_key

__all__ = ["Entry", "Merged", "MergedRow", "merge"]


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
    questions, answers = join.sides()
    for link in pair_runs(questions, answers, strict=strict_title_match):
        join.link(link)
    rows = sorted(join.rows, key=lambda row: (row.question.file, row.question.position))
    return Merged(rows, join.orphans(), folded)


class _Join:
    """The rows of a document while its answers are given out."""

    def __init__(self, sections: Sequence[Section]) -> None:
        self.sections = sections
        self.rows: list[MergedRow] = []
        self.row_of: dict[int, MergedRow] = {}
        self.reasons: dict[int, str] = {}
        self.told: dict[tuple[int, str], MergedRow | None] = {}
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
                    told = (id(section), label_key(entry.label))
                    self.told[told] = None if told in self.told else row
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

    def sides(self) -> tuple[list[Side], list[Side]]:
        """The sections with questions, by those that wait, and the sections with answers."""
        questions: list[Side] = []
        number: dict[int, int] = {}
        for section in self.sections:
            asked = [e for e in section.entries if e.has_question]
            if asked:
                number[id(section)] = len(questions)
                open_ = [e for e in asked if self.row_of[id(e)].how == "unanswered"]
                questions.append(side_of(section, open_))
                if not open_:
                    questions[-1].runs.append(Run(questions[-1], 0))
        answers = []
        for section, entries in self.loose:
            useful = [e for e in entries if label_key(e.label) and (e.answer or e.solution)]
            for entry in entries:
                if not (entry.answer or entry.solution):
                    self.reasons[id(entry)] = "it holds neither an answer nor a solution"
                elif not label_key(entry.label):
                    self.reasons[id(entry)] = "it has no label"
            if useful:
                answers.append(self._answer_side(section, useful, questions, number))
        return questions, answers

    @staticmethod
    def _answer_side(
        section: Section, entries: list[Entry], questions: Sequence[Side], number: Mapping[int, int]
    ) -> Side:
        side = side_of(section, entries)
        own = number.get(id(section))
        side.blank = own is not None or not (section.title.numbers or section.title.name)
        if own is not None:
            side.parent = own
        elif side.blank:
            before = [
                i
                for i, q in enumerate(questions)
                if q.section.file == section.file and q.section.start < entries[0].position
            ]
            side.parent = before[-1] if before else None
        return side

    def link(self, link: Link) -> None:
        """Gives the answers of a run to the questions of a run that have the same labels."""
        doubled = link.question.doubled ^ link.answer.doubled
        for key, answer in link.answer.entries.items():
            if id(answer) in self.reasons and self.reasons[id(answer)] == "":
                continue
            question = link.question.entries.get(key)
            label = key.partition("#")[0]
            told = self.told.get((id(link.question.side.section), label))
            # A key lists worked examples too; a bare number is more likely an exercise that was lost.
            if question is None and told and not (label.isdecimal() and link.question.entries):
                self._add(told, answer)
            elif question is None:
                self.reasons.setdefault(id(answer), "no question with this label waits in its chapter")
            elif label in doubled:
                self.reasons[id(answer)] = "its label stands twice on one side"
            else:
                self._give(self.row_of[id(question)], answer, link)

    def _give(self, row: MergedRow, answer: Entry, link: Link) -> None:
        if (row.answers and not _completes(row.answers, answer)) or (link.adds and not row.answers):
            self.reasons[id(answer)] = "its question has another answer" if row.answers else "its chapter is unsure"
            return
        if not row.answers:
            row.how, row.confidence = link.how, link.confidence
            row.answer_title = link.answer.side.section.text
        self._append(row, answer)

    def _append(self, row: MergedRow, answer: Entry) -> None:
        row.answers.append(answer)
        row.answers.sort(key=lambda entry: (entry.file, entry.position))
        self.reasons[id(answer)] = ""

    def _add(self, row: MergedRow, answer: Entry) -> None:
        """Gives a further answer to a question that had one with it."""
        if _completes((row.question, *row.answers), answer):
            self._append(row, answer)
        else:
            self.reasons[id(answer)] = "its question has another answer"

    def orphans(self) -> list[tuple[Entry, str]]:
        """The answers that were not given out, in reading order, with the reasons."""
        left = [(e, self.reasons.get(id(e), "no chapter of questions fits")) for _, es in self.loose for e in es]
        return sorted((pair for pair in left if pair[1]), key=lambda pair: (pair[0].file, pair[0].position))


def _is_beside(question: Entry, answer: Entry) -> bool:
    """Whether an answer is the rest of the question before it: the same label or none, the next blocks."""
    if answer.label and label_key(answer.label) != label_key(question.label):
        return False
    end = max((question.position, *question.question, *question.solution))
    return end <= answer.position <= end + 3 and not (question.answer and answer.answer)


def _completes(given: Sequence[Entry], answer: Entry) -> bool:
    """Whether a second answer adds to the first, as solutions do to a short key, and agrees with it."""
    texts = {"".join(e.answer.split()) for e in (*given, answer) if e.answer}
    return len(texts) < 2 and not (answer.solution and any(e.solution for e in given))
