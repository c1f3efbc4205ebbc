"""Runs of answers given to the runs of questions that they fit: by their headings, their labels and their order."""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import chain

from operators.pdf.merging.alignment import LAYER, NEVER, Candidate, Choice, assign
from operators.pdf.merging.headings import CONTRADICTION, SURE, Headings
from operators.pdf.merging.label_runs import Run
from operators.pdf.numbering.titles import UNKNOWN

#: How sure it is that answers without a heading are those of the questions before them: by place, and if from this
#: overlap on the labels are the same as well (of 20 made books none was wrong then).
_BESIDE, _COUNTED, _SAME = 0.7, 0.9, 0.9
#: How sure answers are whose labels are all those of the questions, and no others: of 71 such runs without a heading
#: that told, in made books with damaged headings and in LaTeX books, none was another chapter's.
AGREED, _ALL, ENOUGH = 0.8, 0.95, 4
#: From this margin on nothing else in the book comes near: of the right pairs of 59 made books nearly all have it.
_CLEAR = 0.5
#: What headings and labels add to the worth of a pair of runs.
_BY_HEADING, _BY_LABELS = 0.6, 0.4
#: Which share of the answers must have a question if no heading tells: labels are misread now and then.
_HELD = 0.8
#: Selected answers, of which there are so many at least, may be fewer than half of the questions.
_FEW = 3
#: Which share of short answers is the same in worked solutions that state them: some are misread, or dressed otherwise.
_AGREE = 0.9
#: Pairs of runs up to which all are looked at, 50 by 50, or 500 by 500 for answers whose heading names no questions;
#: and beyond that, how far on either side of their place.
_FEW_PAIRS, _ALL_PAIRS = 2_500, 250_000
_BESIDE_NAMED, _REACH = 10, 100
#: What an assignment must be better than the next best by.
MARGIN = 0.09


#: An option's letter before what explains it.
_LETTER = re.compile(r"\s*[(（\[]?([A-Za-z])(?:[)）\]][.:：]?|[.:：、])\s*\S")


@dataclass(slots=True)
class Link:
    """A run of answers and the run of questions that it answers; ``how`` as a row tells it."""

    question: Run
    answer: Run
    worth: float
    confidence: float
    how: str


@dataclass(slots=True)
class Doubt:
    """Runs that fit equally well: answers and two runs of questions, or two runs of answers and questions."""

    questions: Sequence[Run]
    answers: Sequence[Run]


@dataclass(slots=True)
class Pairing:
    """The links between runs, the surest first, and the runs of answers that nobody can place.

    A run of questions may have several links: a short key and, further on, the worked solutions. ``surplus`` are
    runs of answers to questions that have other, better fitting ones.
    """

    links: list[Link] = field(default_factory=list)
    doubts: list[Doubt] = field(default_factory=list)
    surplus: list[Run] = field(default_factory=list)
    #: The runs of answers whose heading names questions.
    named: list[Run] = field(default_factory=list)


def pair_runs(questions: Sequence[Run], answers: Sequence[Run], headings: Headings) -> Pairing:
    """The runs of answers given to runs of questions, where no other assignment is nearly as good."""
    fit = _Fit(questions, answers, headings)
    choices = assign([fit.candidate(a) for a in range(len(answers))], len(questions))
    pairing = Pairing(named=[run for run, named in zip(answers, fit.named, strict=True) if named])
    links: list[Link] = []
    for a, choice in enumerate(choices):
        if choice is not None and choice.margin > MARGIN:
            links.append(fit.link(a, choice))
        elif choice is not None and choice.rival is not None:
            both = sorted((choice.question, choice.rival))
            pairing.doubts.append(Doubt([questions[q] for q in both], [answers[a]]))
    given: dict[int, list[Link]] = {}
    for link in links:
        given.setdefault(id(link.question), []).append(link)
    for link in sorted(links, key=_sureness):
        rivals = [o for o in given[id(link.question)] if o is not link and not _complete(o.answer, link.answer)]
        equal = [other for other in rivals if other.how == link.how and abs(other.worth - link.worth) <= MARGIN]
        if equal:
            pairing.doubts.append(Doubt([link.question], [link.answer, equal[0].answer]))
        elif any(_sureness(other) < _sureness(link) for other in rivals):
            pairing.surplus.append(link.answer)
        else:
            pairing.links.append(link)
    return pairing


def _sureness(link: Link) -> tuple[str, float]:
    return link.how, -link.worth  # "chapter+label" before "order"


class _Fit:
    """How well each run of answers fits each run of questions."""

    def __init__(self, questions: Sequence[Run], answers: Sequence[Run], headings: Headings) -> None:
        self.questions = questions
        self.answers = answers
        self.headings = headings
        self.second_pass = _second_pass(answers)
        self.starts = [run.first for run in questions]
        self.places = [self._before(run) for run in answers]
        self.by_text: dict[str, list[int]] = {}
        for q, run in enumerate(questions):
            for text in {text for section in run.sections for text in (*section.path, section.text)}:
                self.by_text.setdefault(text, []).append(q)
        self.by_heading = [
            {q: self._by_heading(questions[q], run) for q in self._within_reach(a)} for a, run in enumerate(answers)
        ]
        self.named = [frozenset(q for q, near in row.items() if near >= SURE) for row in self.by_heading]
        self.alone = [self._names_one(named) for named in self.named]
        self.crowded = self._crowded()
        stands = Counter(key for run in questions for key in run.keys)
        #: The labels of each run of questions that others have, too.
        self.elsewhere = [{key for key in run.keys if stands[key] > 1} for run in questions]

    def candidate(self, a: int) -> Candidate:
        """What it is worth to give a run of answers to each run of questions it can belong to."""
        answer, worth, back = self.answers[a], {}, set()
        for q in self.by_heading[a]:
            near = self.near(a, q)
            if near <= CONTRADICTION:  # of nearly all pairs in a book of many chapters
                continue
            overlap = _overlap(self.questions[q], answer)
            if self._fits(q, a, near, overlap):
                worth[q] = _worth(near, overlap)
                if a == self.second_pass or (near >= SURE and self.alone[a]):
                    back.add(q)
        return Candidate(worth, back, _cost(self.answers[a - 1], answer) if a else NEVER)

    def _within_reach(self, a: int) -> Sequence[int]:
        """The runs of questions looked at: all, or in a very long document those named alike, or as far on in it."""
        n, m = len(self.questions), len(self.answers)
        if n * m <= _FEW_PAIRS:
            return range(n)
        named = {text for section in self.answers[a].sections for text in self.headings.named(section)}
        alike = {*chain.from_iterable(found for text in named if len(found := self.by_text[text]) <= _REACH)}
        if not alike and n * m <= _ALL_PAIRS:
            return range(n)
        middle, reach = a * n // m, _BESIDE_NAMED if alike else _REACH
        return sorted({*range(max(0, middle - reach), min(n, middle + reach + 1)), *alike})

    def near(self, a: int, q: int) -> float:
        """How sure headings and place are that these answers belong to these questions."""
        question, answer = self.questions[q], self.answers[a]
        near = self.by_heading[a][q]
        if near >= SURE:
            return near
        if q == self.places[a] and _overlap(question, answer) >= 0.5:
            return _COUNTED if _overlap(question, answer) >= _SAME else _BESIDE
        if self.headings.strict or self._is_ahead(q, a):
            return 0.0
        # A second run may stand under a heading that is not its own: the next one was not in sight.
        loose = UNKNOWN if question.index or answer.index or self.crowded[a] else 0.0
        return loose if self.named[a] else max(near, loose)

    def _by_heading(self, question: Run, answer: Run) -> float:
        """How sure headings are, those of the sections that agree best."""
        ours, theirs = question.sections, answer.sections
        if len(ours) == len(theirs) == 1:  # as nearly all, of which there are as many pairs as chapters by chapters
            return self.headings.near(ours[0], theirs[0])
        return max(self.headings.near(s, t) for s in ours for t in theirs)

    def _names_one(self, named: frozenset[int]) -> bool:
        """Whether runs of questions are those of one section."""
        return len({id(section) for q in named for section in self.questions[q].sections[:1]}) == 1

    def _crowded(self) -> list[bool]:
        """Whether answers have a heading under which others to the same labels stand: one of them is wrong."""
        groups: dict[frozenset[int], list[int]] = {}
        for a, named in enumerate(self.named):
            if named:
                groups.setdefault(named, []).append(a)
        crowded = [False] * len(self.answers)
        for named, among in groups.items():
            if len(among) > len(named):
                for a in among:
                    others = (self.answers[b] for b in among if b != a)
                    crowded[a] = not all(_complete(run, self.answers[a]) for run in others)
        return crowded

    def _before(self, answer: Run) -> int:
        """The questions right before answers without a heading of their own, -1 if place does not tell whose they are.

        At the end of the book they may as well be those of its first chapter, whose heading was not in sight.
        """
        at = bisect_left(self.starts, answer.first) - 1
        if at < 0 or self.starts[at][0] != answer.first[0]:
            return -1
        within = any(section is answer.sections[0] for section in self.questions[at].sections)
        if not within and self.headings.telling(answer.sections[0]):
            return -1
        amid = at + 1 < len(self.starts) and self.starts[at + 1][0] == answer.first[0]
        said = within and any(entry.title for entry in answer.entries.values())
        return at if amid or said else -1

    def _is_ahead(self, q: int, a: int) -> bool:
        """Whether the questions stand behind the answers."""
        (file, at), (other, end) = self.starts[q], self.answers[a].first
        return file == other and at > end

    def _fits(self, q: int, a: int, near: float, overlap: float) -> bool:
        """Whether labels allow it: any in common under one heading, nearly all where no heading tells."""
        common = self.questions[q].keys & self.answers[a].keys
        if near >= SURE or not common:
            return bool(common)
        share = len(common) / len(self.answers[a].keys)
        return share >= _HELD and (overlap >= 0.5 or (share == 1 and len(common) >= _FEW))

    def link(self, a: int, choice: Choice) -> Link:
        """The link of a choice, with how it was found."""
        question, answer = self.questions[choice.question], self.answers[a]
        near = self.near(a, choice.question)
        by_heading = near >= SURE
        confidence = near if by_heading else min(0.6, 0.3 + choice.margin)
        overlap, clear = _overlap(question, answer), choice.margin >= _CLEAR
        same = overlap >= _ALL
        held = len(answer.keys & question.keys) >= _HELD * len(answer.keys)
        # What no other questions are labelled needs no heading.
        alone = answer.keys <= question.keys and not answer.keys & self.elsewhere[choice.question]
        enough = len(answer.keys) >= ENOUGH
        if ((same or alone) and enough) or (clear and held and (by_heading or overlap >= _SAME)):
            confidence = max(confidence, AGREED)
        worth = _worth(near, _overlap(question, answer))
        return Link(question, answer, worth, confidence, "chapter+label" if by_heading else "order")


def _overlap(question: Run, answer: Run) -> float:
    """How far the labels of questions that wait for an answer, and those of answers, agree, 0 to 1."""
    asked = question.open or question.keys
    return 2 * len(asked & answer.keys) / (len(asked) + len(answer.keys))


def _worth(near: float, overlap: float) -> float:
    return _BY_HEADING * near + _BY_LABELS * overlap


def _second_pass(answers: Sequence[Run]) -> int:
    """The first of the worked solutions, where all answers before it are short ones; -1 if they are mixed."""
    worked = [run.is_worked for run in answers]
    first = worked.index(True) if True in worked else 0
    return first if first and all(worked[first:]) else -1


def _cost(before: Run, answer: Run) -> float:
    """What it costs to give a run of answers to the questions that the run before is given to."""
    if before.keys.isdisjoint(answer.keys):
        return 0.0
    return LAYER if _complete(before, answer) else NEVER


def _complete(one: Run, two: Run) -> bool:
    """Whether two runs can answer the same questions: they have other labels, or short answers and say the same."""
    common = one.keys & two.keys
    if common and one.is_worked and two.is_worked:
        return False
    both = [(one.entries[key].answer, two.entries[key].answer) for key in common]
    said = [a == b or _explains(a, b) or _explains(b, a) for a, b in both if a and b]
    return sum(said) >= _AGREE * len(said)


def _explains(answer: str, letter: str) -> bool:
    """Whether an answer says more of an option's letter: (b) Because it grows, for b."""
    found = _LETTER.match(answer)
    return found is not None and found[1].casefold() == letter.strip("()（）[] .").casefold()
