"""Chapters of questions and chapters of answers paired: by heading, by the run of their labels, by order."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache

from operators.pdf.merging.alignment import align, increasing
from operators.pdf.merging.occurrences import Entry, Section
from operators.pdf.numbering import label_key
from operators.pdf.numbering.titles import UNKNOWN, Title, title_similarity

#: From this similarity on, headings name the same chapter; up to the other, they name two.
SURE, CONTRADICTION = 0.65, 0.1
#: How sure it is that answers without a heading are those of the questions before them: by place, and if from this
#: overlap on the labels are the same as well (of 20 made books none was wrong then).
_BESIDE, _COUNTED, _SAME = 0.7, 0.9, 0.9
#: How sure answers are whose labels are all those of the questions, and no others: of 71 such runs without a heading
#: that told, in made books with damaged headings and in LaTeX books, none was another chapter's.
_AGREED, _ALL, _ENOUGH = 0.8, 0.95, 4
#: What a pair must be better than its best alternative by.
MARGIN = 0.09


@dataclass(slots=True)
class Run:
    """Entries of one section whose labels count on; the next run of the section starts anew.

    ``entries`` holds them by their label's key; ``doubled`` the keys that stand in the run twice.
    """

    side: Side
    index: int
    entries: dict[str, Entry] = field(default_factory=dict)
    doubled: set[str] = field(default_factory=set)


@dataclass(slots=True)
class Side:
    """The questions, or the answers, of one section; ``blank`` if its heading does not tell whose."""

    section: Section
    runs: list[Run]
    blank: bool = False
    parent: int | None = None


@dataclass(slots=True)
class Link:
    """A run of questions and a run of answers that belongs to it; ``adds`` if only to answers it has."""

    question: Run
    answer: Run
    confidence: float
    how: str
    adds: bool = False


_NUMBER = re.compile(r"(.*?)(\d+)\D*$")


@lru_cache(maxsize=1 << 16)
def _counted(label: str) -> tuple[str, str, int]:
    """A label's key, the word before its last number, and that number, 0 if it has none."""
    key = label_key(label)
    found = _NUMBER.match(key)
    return (key, found[1], int(found[2])) if found else (key, key, 0)


def side_of(section: Section, entries: Sequence[Entry]) -> Side:
    """The entries of a section as runs; a number that falls back begins the next run."""
    side = Side(section, [])
    last: dict[str, int] = {}
    run: Run | None = None
    before = ""
    for entry in entries:
        key, word, number = _counted(entry.label)
        drop = last.get(word, 0) - number
        again = run is not None and key in run.entries
        if run is None or (number and drop > -1 and _starts_anew(number, drop, again, word != before)):
            run = Run(side, len(side.runs))
            side.runs.append(run)
            last.clear()
            again = False
        if again:
            run.doubled.add(key)
            key = f"{key}#{len(run.entries)}"
        run.entries[key] = entry
        last[word] = number
        before = word
    return side


def _starts_anew(number: int, drop: int, again: bool, resumed: bool) -> bool:
    """Whether a number not above its forerunner begins a run; 12, 11 and 5, 5 are mere slips."""
    if drop >= 3 or (resumed and drop >= 1):
        return True
    return (again and (number <= 3 or drop >= 2)) or (number <= 2 <= drop)


def pair_runs(questions: Sequence[Side], answers: Sequence[Side], *, strict: bool = False) -> list[Link]:
    """The links between runs of questions and runs of answers, the surest first.

    A run of questions may have several links: a short key and, further on, the worked solutions.
    """
    alike = _equal if strict else _alike
    claims = _claims(questions, answers, strict)
    chain = [claims[i] for i in increasing([q for q, _, _ in claims])]
    links: list[Link] = []
    open_q = open_a = 0
    claimed = {a: (q, near) for q, a, near in chain}
    ends = (len(questions), len(answers), 0.0)
    for q, a, near in [*chain, ends]:
        straight = _straight(questions[q], answers[a]) if q < len(questions) else []
        if not straight and q < len(questions):
            continue
        window = _Window(questions[open_q:q], answers[open_a:a], open_q, open_a, claimed, alike)
        links += window.links()
        links += [
            Link(s, t, _agreed(s, t, near), "chapter+label", adds=n >= len(questions[q].runs))
            for n, (s, t) in enumerate(straight)
        ]
        open_q, open_a = q + 1, a + 1
    kept = set(chain)
    for claim in claims:
        q, a, near = claim
        if claim not in kept and not answers[a].blank:
            links += [Link(s, t, _agreed(s, t, near), "chapter+label") for s, t in _straight(questions[q], answers[a])]
    return links


def _straight(question: Side, answer: Side) -> list[tuple[Run, Run]]:
    """The runs of two sections that belong together, if that is plain, else none."""
    ours, theirs = question.runs, answer.runs
    if len(ours) == 1 and len(theirs) == 2 and _two_layers(*theirs):
        return [(ours[0], theirs[0]), (ours[0], theirs[1])]
    if len(ours) != len(theirs):
        return []
    pairs = list(zip(ours, theirs, strict=True))
    # In a section of several runs one may lack its answers and the next one's heading be out of sight.
    return pairs if len(pairs) == 1 or all(_overlap(s, t) >= 0.5 for s, t in pairs) else []


def _two_layers(first: Run, second: Run) -> bool:
    """Whether two runs answer the same questions, one with the results and one with the solutions."""
    worked = [sum(bool(e.solution) for e in run.entries.values()) for run in (first, second)]
    if _overlap(first, second) < 0.8 or min(worked) or 2 * max(worked) < len(first.entries):
        return False
    both = [(e.answer, second.entries[k].answer) for k, e in first.entries.items() if k in second.entries]
    said = [a == b for a, b in both if a and b]
    return 10 * sum(said) >= 9 * len(said)


def _overlap(question: Run, answer: Run) -> float:
    """How far the labels of two runs agree, 0 to 1."""
    common = len(question.entries.keys() & answer.entries.keys())
    return 2 * common / (len(question.entries) + len(answer.entries))


def _agreed(question: Run, answer: Run, confidence: float) -> float:
    """How sure a link is: more so if the labels are the same."""
    same = len(answer.entries) >= _ENOUGH and _overlap(question, answer) >= _ALL
    return max(confidence, _AGREED) if same else confidence


def _alike(a: Title, b: Title) -> float:
    return title_similarity(a, b)


def _equal(a: Title, b: Title) -> float:
    """1 if the headings have the same numbers and, where both have one, the same name, else 0."""
    same = a.numbers == b.numbers and (a.name == b.name or (bool(a.numbers) and not (a.name and b.name)))
    return float(same and bool(a.numbers or a.name))


def _claims(questions: Sequence[Side], answers: Sequence[Side], strict: bool) -> list[tuple[int, int, float]]:
    """For each section of answers, the one section of questions that its heading names, if it is sure."""
    shelves: dict[str, list[int]] = {}
    for i, side in enumerate(questions):
        for key in _shelf_keys(side.section.title):
            shelves.setdefault(key, []).append(i)
    claims: list[tuple[int, int, float]] = []
    taken: set[int] = set()
    for a, answer in enumerate(answers):
        if answer.blank:
            continue
        found = _named(questions, answer.section.title, shelves, _equal if strict else _alike)
        if found:
            claims.append((found[0], a, found[1]))
            taken.add(found[0])
    for a, answer in enumerate(answers):
        q = answer.parent
        if q is None or q in taken or (strict and not _same_place(questions[q], answer)):
            continue
        if _belongs(questions, answer, q, taken):
            claims.append((q, a, _BESIDE if _overlap(questions[q].runs[0], answer.runs[0]) < _SAME else _COUNTED))
    return sorted(claims, key=lambda claim: claim[1])


def _same_place(question: Side, answer: Side) -> bool:
    return (question.section.file, question.section.start) == (answer.section.file, answer.section.start)


def _shelf_keys(title: Title) -> list[str]:
    keys = []
    if title.numbers:
        keys.append("".join(map(str, title.numbers)))
    if title.name:
        keys.append(title.name)
    return keys


def _named(
    questions: Sequence[Side],
    title: Title,
    shelves: dict[str, list[int]],
    alike: Callable[[Title, Title], float],
) -> tuple[int, float] | None:
    near = {q for key in _shelf_keys(title) for q in shelves.get(key, ())}
    # A heading that so many share names none of them; order has to tell.
    if not near or len(near) > 40:
        return None
    best, second, at = 0.0, 0.0, -1
    for q in near:
        value = alike(title, questions[q].section.title)
        if value > best:
            best, second, at = value, best, q
        elif value > second:
            second = value
    return (at, best) if best >= SURE and best - second > MARGIN else None


def _belongs(questions: Sequence[Side], answer: Side, q: int, taken: set[int]) -> bool:
    """Whether answers without a heading of their own belong to the questions before them.

    At the end of the book they may as well be the first chapter's, whose heading was not in sight.
    """
    if not questions[q].runs or len(answer.runs) > len(questions[q].runs):
        return False
    own = _overlap(questions[q].runs[0], answer.runs[0])
    if own < 0.5 or q < len(questions) - 1:
        return own >= 0.5
    free = (s for i, s in enumerate(questions) if i != q and i not in taken and s.runs)
    return all(own - _overlap(s.runs[0], answer.runs[0]) > 0.15 for s in free)


class _Window:
    """What lies between two sure pairs of sections: runs aligned by their labels, in order."""

    def __init__(
        self,
        questions: Sequence[Side],
        answers: Sequence[Side],
        first_q: int,
        first_a: int,
        claimed: dict[int, tuple[int, float]],
        alike: Callable[[Title, Title], float],
    ) -> None:
        self.questions = [(first_q + i, r) for i, s in enumerate(questions) for r in s.runs]
        self.answers = [(first_a + i, r) for i, s in enumerate(answers) for r in s.runs]
        self.claimed = claimed
        self.claimed_questions = {q for q, _ in claimed.values()} if self.questions and self.answers else set()
        self.alike = alike

    def links(self) -> list[Link]:
        """The links that no other alignment would break."""
        pairs = align(len(self.questions), len(self.answers), self._weight)
        out = []
        for i, j, margin in pairs:
            if margin > MARGIN:
                near = self._near(i, j)
                how = "chapter+label" if near >= SURE else "order"
                confidence = near if near >= SURE else min(0.6, 0.3 + margin)
                ours, theirs = self.questions[i][1], self.answers[j][1]
                out.append(Link(ours, theirs, _agreed(ours, theirs, confidence), how))
        return out

    def _near(self, i: int, j: int) -> float:
        """How alike the headings are, 0 if they contradict each other."""
        (q, question), (a, answer) = self.questions[i], self.answers[j]
        claim = self.claimed.get(a)
        if claim and claim[0] == q:
            return claim[1]
        strict = self.alike is _equal
        # A second run may stand under a heading that is not its own: the next one was not in sight.
        loose = UNKNOWN if not strict and (question.index or answer.index or answer.side.blank) else 0.0
        if claim or q in self.claimed_questions or answer.side.blank:
            return loose
        near = self.alike(question.side.section.title, answer.side.section.title)
        return max(near, loose) if near > CONTRADICTION else loose

    def _weight(self, i: int, j: int) -> float:
        near = self._near(i, j)
        if not near:
            return 0.0
        overlap = _overlap(self.questions[i][1], self.answers[j][1])
        if near < SURE and overlap < 0.5:
            return 0.0
        return 0.6 * near + 0.4 * overlap if overlap else 0.0
