"""How far the headings over answers name those over questions."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.pdf.merging.entries import Section
from operators.pdf.numbering.titles import UNKNOWN, Title, read_title, title_similarity

#: From this similarity on, headings name the same chapter; up to the other, they name two.
SURE, CONTRADICTION = 0.65, 0.1
#: How near chapters are if the heading right over the answers says nothing, and one above it names this one or another.
_ABOVE, _OTHER = 0.55, 0.2
#: Headings, of which no more are compared with each other; where there are more, those that share number or name,
#: unless too many do: these name none of them.
_MANY, _SHARED = 500, 40
#: Headings that letters count: Part A is not Part B, whatever their names share.
_LETTERED = re.compile(r"(?:part|section|paper|group)\s+([A-H])\b", re.IGNORECASE)
#: What it costs if answers are headed by a chapter, and the questions by a section inside it.
_INSIDE = 0.2


class Headings:
    """The headings over a document's questions, with which those over its answers are compared.

    A heading over answers that names none of them says nothing ("Mark scheme", or a wrong one), unless it has a
    number where theirs have one.
    """

    def __init__(self, questions: Sequence[Section], *, strict: bool) -> None:
        self.strict = strict
        self._asking = {id(section) for section in questions}
        self._named: dict[int, tuple[str, ...]] = {}
        self._telling: dict[int, tuple[str, ...]] = {}
        self.texts = list(dict.fromkeys(text for section in questions for text in self._texts(section)))
        self.forms = {_form(read_title(text)) for text in self.texts} - {None}
        self._shelves = _shelved(self.texts)
        self._read = _Read()
        self._near: dict[tuple[str, str], float] = {}
        self._told: dict[str, bool] = {}
        self._pairs: dict[tuple[tuple[str, ...], tuple[str, ...]], float] = {}

    def near(self, question: Section, answer: Section) -> float:
        """How sure it is that two sections are of one chapter: 1 surely, UNKNOWN nobody knows, 0 surely not."""
        if id(answer) in self._asking:
            return float(question is answer) if self.strict else UNKNOWN
        if self.strict:
            return _equal(question.title, answer.title)
        named = self._named
        ours, theirs = named.get(id(question)) or self._texts(question), named.get(id(answer)) or self._texts(answer)
        if len(ours) == len(theirs) == 1:
            said = self._alike(theirs[0], ours[0]) if self._tells(theirs[0]) else UNKNOWN
            return said if said > CONTRADICTION else 0.0
        near = self._pairs.get((ours, theirs))
        if near is None:
            near = self._pairs[ours, theirs] = self._agreement(ours, theirs)
        return near

    def named(self, answer: Section) -> list[str]:
        """The headings over questions that may be those over answers, in a document that has very many."""
        return [other for text in self._texts(answer) for other in self._shelf(text)]

    def allow(self, question: Section, answer: Section) -> bool:
        """Whether headings do not forbid that a section of answers answers this one of questions."""
        return self.strict or not self.telling(answer) or self.near(question, answer) > CONTRADICTION

    def telling(self, answer: Section) -> tuple[str, ...]:
        """The headings of a section of answers that tell whose they are, the outermost first.

        Where questions stand in it, its answers may have had a heading of their own that was not in sight.
        """
        if id(answer) not in self._telling:
            texts = () if id(answer) in self._asking else self._texts(answer)
            self._telling[id(answer)] = tuple(text for text in texts if self._tells(text))
        return self._telling[id(answer)]

    def _texts(self, section: Section) -> tuple[str, ...]:
        """The headings of a section that name anything, the outermost first."""
        if id(section) not in self._named:
            texts = dict.fromkeys((*section.path, section.text))
            self._named[id(section)] = tuple(t for t in texts if (title := read_title(t)).numbers or title.name)
        return self._named[id(section)]

    def _agreement(self, ours: tuple[str, ...], theirs: tuple[str, ...]) -> float:
        """How far two headings agree; those above them are inferred, and only tell apart what these leave open."""
        if not theirs or not ours:
            return UNKNOWN
        if not self._tells(theirs[-1]):
            above = [max(self._alike(text, other) for other in ours) for text in theirs[:-1] if self._tells(text)]
            if not above:
                return UNKNOWN
            return _ABOVE if min(above) >= SURE else UNKNOWN if min(above) > CONTRADICTION else _OTHER
        near = self._alike(theirs[-1], ours[-1])
        over = [self._alike(theirs[-1], text) for text in ours[:-1]]
        if near >= SURE:
            return near if self._agree_above(ours, theirs) else UNKNOWN
        if near <= CONTRADICTION and (not over or self._counted(theirs[-1], ours[-1])):
            return 0.0
        if max(over, default=0.0) >= SURE:
            return max(SURE, max(over) - _INSIDE) if self._agree_above(ours, theirs) else UNKNOWN
        return max([near, *over]) if min(over, default=1.0) > CONTRADICTION else 0.0

    def _agree_above(self, ours: tuple[str, ...], theirs: tuple[str, ...]) -> bool:
        """Whether no heading above these answers names questions under another one, as Paper A is not Paper B."""
        told = [text for text in theirs[:-1] if self._tells(text)]
        return all(max((self._alike(text, other) for other in ours[:-1]), default=1.0) >= SURE for text in told)

    def _counted(self, one: str, two: str) -> bool:
        """Whether two headings count their chapters' sections, as 4.1 does, or sections and chapters."""
        return max(len(read_title(one).numbers), len(read_title(two).numbers)) > 1

    def _shelf(self, text: str) -> list[str]:
        return [other for key in _keys(text) for other in self._shelves.get(key, ())]

    def _tells(self, text: str) -> bool:
        if text not in self._told:
            others = self.texts if len(self.texts) <= _MANY else self._shelf(text)
            counted = _form(read_title(text)) in self.forms
            self._told[text] = counted or any(self._alike(text, other) >= SURE for other in others)
        return self._told[text]

    def _alike(self, one: str, two: str) -> float:
        near = self._near.get((one, two))
        if near is None:
            (letter, title), (other, second) = self._read[one], self._read[two]
            apart = letter and other and letter != other
            near = self._near[one, two] = 0.0 if apart else _similarity(title, second)
        return near


class _Read(dict[str, tuple[str, Title]]):
    """By its text, the letter that counts a heading, "" if none does, and the heading taken apart."""

    def __missing__(self, text: str) -> tuple[str, Title]:
        found = _LETTERED.match(text)
        self[text] = read = found[1].upper() if found else "", read_title(text)
        return read


def _keys(text: str) -> list[str]:
    """What headings of one chapter share: the digits of their numbers, or their names."""
    title = read_title(text)
    return [key for key in ("".join(map(str, title.numbers)), title.name) if key]


def _shelved(texts: Sequence[str]) -> dict[str, list[str]]:
    shelves: dict[str, list[str]] = {}
    for text in texts:
        for key in _keys(text):
            shelves.setdefault(key, []).append(text)
    return {key: shelf for key, shelf in shelves.items() if len(shelf) <= _SHARED}


def _form(title: Title) -> tuple[str, int] | None:
    """What headings that count alike have in common, as Chapter 3 and Chapter 4."""
    return (title.kind, len(title.numbers)) if title.numbers else None


def _similarity(one: Title, two: Title) -> float:
    near = title_similarity(one, two)
    if len(one.numbers) != len(two.numbers):
        shared = min(len(one.numbers), len(two.numbers))
        if shared and one.numbers[:shared] == two.numbers[:shared]:
            # 2.1 stands under Chapter 2: neither the same nor another.
            return max(UNKNOWN, near)
    return near


def _equal(one: Title, two: Title) -> float:
    """1 if the headings have the same numbers and, where both have one, the same name, else 0."""
    same = one.numbers == two.numbers and (one.name == two.name or (bool(one.numbers) and not (one.name and two.name)))
    return float(same and bool(one.numbers or one.name))
