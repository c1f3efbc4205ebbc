"""The parts of a question by its markers, (1) (2), ① ②, (a) (b), (i) (ii), 1) 2), Part A: where they begin and end.

Each part's places in the question's three texts, and on which others it rests.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice

from operators.curate.model import Span, joined
from operators.curate.rules.cues import PICTURE, asks, cue, cues, rows_of, says, sentences
from operators.verify.options import options_in

_ROMAN = {"i": 1, "ii": 2, "iii": 3, "iv": 4, "v": 5, "vi": 6, "vii": 7, "viii": 8, "ix": 9, "x": 10}
_HAN = {letter: n for n, letter in enumerate("一二三四五六七八九十", 1)}
_PATTERNS = [(style, re.compile(rf"(?:\*\*)?{pattern}(?:\*\*)?")) for style, pattern in rows_of("markers.tsv")]
#: What stands before a number that names a part, an equation or a case, and begins none.
_NAMED_BEFORE = re.compile(
    r"(?:\b(?:parts?|equations?|eqs?\.?|cases?|steps?|in|from|of|by|to|and|or|see|with|results?|answers?|using|question|"
    r"statement|statements|conditions?|formula|figure|fig\.?|inequality|sub-?part|both|into)|[由在据从见式把将对与和及问题中代入即得])\s*$",
    re.IGNORECASE,
)
#: What stands behind one.
_NAMED_BEHIND = re.compile(
    r"\s*(?:中(?![国华央学间午世心文])|式(?!子)|知(?![识道])|可(?![以能])|得(?!到)|[的所和与或及]|问的|、[(（①-⑳]"
    r"|above\b|below\b|we\b|gives?\b|shows?\b|implies\b|and\b|or\b|is\b|to get\b)"
)
_BEGINS = re.compile(
    r"(?:\A|[\n。．.;；:：?？!！,，)）】\]>】]|\b(?:[Ff]ind|[Ee]valuate|[Cc]alculate|[Cc]ompute|[Ss]olve|[Ss]implify"
    r"|[Dd]etermine|[Ff]actor|[Dd]ifferentiate|[Ii]ntegrate|[Ss]tate|[Ww]rite)\s|求|计算|化简)[ \t\u3000]*\Z"
)
_MATHS = re.compile(r"\$\$.*?\$\$|\$[^$\n]*\$|\\\(.*?\\\)|\\\[.*?\\\]", re.DOTALL)
_LONGEST = 60_000
#: Markers of one style that are looked at: no question has more parts, no solution more steps.
_MOST_MARKERS = 400
#: What may mark a part, if nobody knows whether it does: a piece too many costs a model nothing.
_MARK = re.compile(r"(?:(?<=[\s。；;，,?？])|\A)(?:[ivx]{1,4}[.)）]|[a-h][.)）]|\d{1,2}[)）])(?=[\s$一-鿿])\s*")
#: Parts of one question that are split; more are a list of something.
_MOST_PARTS = 20
_LETTERS = re.compile(r"[A-Za-z0-9一-鿿]")
_APART, _LINES = re.compile(r"\s*[;；]\s*"), re.compile(r"\s*\n\s*")
_ONE_LETTER = re.compile(r"\W*(?:answer|ans|答案)?\W*[(（]?[a-hA-H][)）]?\W*", re.IGNORECASE)
_LOOSE_END = re.compile(r"\s*\n(?:\s*!\[[^\]\n]*\]\([^)\n]*\))+\s*\Z")
_NAMES = (
    re.compile(r"(?:设|记|令)[^。；;\n]{0,30}?(?:为|是)\s*\$?(?P<name>[A-Za-z])(?![A-Za-z])"),
    re.compile(r"(?:设|记|令|\b[Ll]et\s|\b[Dd]enote\s|\b[Cc]all\s)\s*\$?(?P<name>[A-Za-z])(?![A-Za-z])"),
    re.compile(
        r"\b(?:[Dd]enoted?|[Cc]all(?:ed)?|[Ll]abel(?:led)?)\b[^.;\n]{0,40}?\b(?:by|it|as)\s+\$?(?P<name>[A-Za-z])(?![A-Za-z])"
    ),
)


@dataclass(frozen=True, slots=True)
class Marker:
    """A marker that begins a part: its number in its run, and how it is printed."""

    number: int
    start: int
    end: int
    label: str


@dataclass(frozen=True, slots=True)
class Run:
    """Markers that follow each other from the first one on, all in one style."""

    style: str
    markers: tuple[Marker, ...]

    def parts(self, length: int) -> list[Span]:
        """The text behind each marker, up to the next one."""
        ends = [*(marker.start for marker in self.markers[1:]), length]
        return [Span(marker.end, end) for marker, end in zip(self.markers, ends, strict=True)]


def runs_in(text: str) -> list[Run]:
    """The runs of two or more markers, those that begin first before the others.

    >>> [[m.label for m in run.markers] for run in runs_in("已知 x=3. (1) 求 y; (2) 由(1)求 z.")]
    [['1', '2']]
    >>> runs_in("Solve the system x + y = 3 (1) and x - y = 1 (2).")
    []
    """
    text = text[:_LONGEST]
    maths = [found.span() for found in _MATHS.finditer(text)]
    runs = [
        Run(name, tuple(markers))
        for name, pattern in _PATTERNS
        for markers in _runs(list(islice(_found(text, name, pattern, maths), _MOST_MARKERS)))
    ]
    return sorted(runs, key=lambda run: (run.markers[0].start, -len(run.markers)))


def _found(
    text: str, style: str, pattern: re.Pattern[str], maths: Sequence[tuple[int, int]]
) -> Iterator[tuple[Marker, bool]]:
    """The markers of a style, and whether each stands where a sentence or a line begins."""
    for found in pattern.finditer(text):
        groups = found.groupdict()
        label = groups.get("n") or groups.get("m") or ""
        number = _number(style, label)
        start, end = found.span()
        start += len(found[0]) - len(found[0].lstrip())
        formula = next(((a, b) for a, b in maths if a < start and end < b), None)
        if formula and text[slice(*formula)].strip("$ ") == found[0].strip():  # a marker that was read as a formula
            (start, end), formula = formula, None
        if number is None or formula or _is_named(text, start, end, style):
            continue
        begins = _BEGINS.search(text, max(0, start - 16), start) is not None or start == 0
        if start == 0 or text[start - 1].isspace():  # one space between two words is enough
            end += len(text[end:]) - len(text[end:].lstrip(" \t\u3000"))
        if begins or text[start - 1].isspace() or _ends_han(text, start):
            yield Marker(number, start, end, _plain(style, label)), begins


def _ends_han(text: str, start: int) -> bool:
    return "一" <= text[start - 1] <= "鿿" or text[start - 1] in '$}”"'


def _is_named(text: str, start: int, end: int, style: str) -> bool:
    """Whether a number is spoken of, rather than at the head of a part."""
    if style in ("asked", "stop", "letter stop", "part"):
        return _NAMED_BEFORE.search(text, max(0, start - 16), start) is not None and style == "part"
    line = text.rfind("\n", 0, start) + 1
    before = text[max(line, start - 16) : start]
    return _NAMED_BEFORE.search(before) is not None or _NAMED_BEHIND.match(text, end) is not None


def _runs(found: Sequence[tuple[Marker, bool]]) -> Iterator[list[Marker]]:
    """Runs from a first marker on, which has to begin something; each goes on as far as the numbers do."""
    taken = -1
    for place, (first, begins) in enumerate(found):
        if first.number != 1 or not begins or first.start <= taken:
            continue
        run = [first]
        for marker, _ in found[place + 1 :]:
            if marker.number == run[-1].number + 1:
                run.append(marker)
        if len(run) > 1:
            taken = run[-1].start
            yield run


def _number(style: str, label: str) -> int | None:
    if style.startswith("roman"):
        return _ROMAN.get(label)
    if style.startswith("letter"):
        return ord(label) - ord("a") + 1
    if label in _HAN:
        return _HAN[label]
    if "Ⅰ" <= label <= "Ⅻ":
        return ord(label) - ord("Ⅰ") + 1
    if "①" <= label <= "⑳":
        return ord(label) - ord("①") + 1
    if "⑴" <= label <= "⒇":
        return ord(label) - ord("⑴") + 1
    if label.isdecimal():
        return int(label)
    return _ROMAN.get(label.lower()) or (ord(label.lower()) - ord("a") + 1 if len(label) == 1 else None)


def _plain(style: str, label: str) -> str:
    number = _number(style, label)
    return str(number) if "①" <= label <= "⒇" or label in _HAN else label


def marks_in(text: str) -> list[Span]:
    """Whatever may mark the beginning of a part."""
    found = [Span(*mark.span()) for mark in _MARK.finditer(text)]
    return [*(Span(mark.start, mark.end) for run in runs_in(text) for mark in run.markers), *found]


class SplitQuestion:
    """A question's stem and parts as spans of its text; :func:`split_question` makes it."""

    def __init__(self, text: str, run: Run) -> None:
        self.text, self.run = text, run
        self.stem = [Span(0, run.markers[0].start)]
        self.labels = [marker.label for marker in run.markers]
        self.own = [[span] for span in run.parts(len(text))]
        self._take_loose_end()

    def _take_loose_end(self) -> None:
        """Pictures behind the last part belong to all, if the stem speaks of a picture and the part does not."""
        end = _LOOSE_END.search(self.text, self.own[-1][0].start)
        stem, last = self.text[: self.stem[0].end], self.own[-1][0]
        if end is None or not says("figure", stem) or says("figure", self.text[last.start : end.start()]):
            return
        self.own[-1] = [Span(last.start, end.start())]
        self.stem.append(Span(end.start(), end.end()))

    def whole(self, number: int, needed: Sequence[int]) -> list[Span]:
        """What a part is asked with: the stem, the parts that it rests on with their markers, and its own text."""
        chain = [Span(self.run.markers[n].start, self.own[n][0].end) for n in needed]
        marker = self.run.markers[number]
        mark = [Span(marker.start, marker.end)] if needed or self._glues(number) else []
        return joined([*self.stem, *chain, *mark, *self.own[number]])

    def _glues(self, number: int) -> bool:
        """Whether two words would be one if the marker between them went."""
        before, after = self.text[: self.stem[0].end][-1:], self.text[self.own[number][0].start :][:1]
        return (before + after).isascii() and bool(before.strip() and after.strip())


def split_question(question: str, answer: str, solution: str) -> SplitQuestion | None:
    """The question's parts, if it has parts that are asked for one by one; None for options, statements, conditions.

    >>> found = split_question("A box has 3 red and 5 blue balls. (a) How many balls? (b) What share is red?", "", "")
    >>> found.labels, [found.own[1][0].of(found.text)]
    (['a', 'b'], ['What share is red?'])
    >>> split_question("Which is prime? (a) 4 (b) 5 (c) 6", "b", "") is None
    True
    """
    for run in runs_in(question):
        if len(run.markers) > _MOST_PARTS or not _has_text(question, run):
            continue
        if _are_parts(question, answer, solution, run):
            return SplitQuestion(question, run)
    return None


def _has_text(text: str, run: Run) -> bool:
    return all(_LETTERS.search(PICTURE.sub(" ", span.of(text))) or PICTURE.search(span.of(text))
               for span in run.parts(len(text)))  # fmt: skip


def _are_parts(question: str, answer: str, solution: str, run: Run) -> bool:
    stem = question[: run.markers[0].start]
    texts = [span.of(question) for span in run.parts(len(question))]
    last = texts[-1]
    if _are_options(question, answer, run, texts):
        return False
    if _selected(stem, last) or _options_follow(question, run):
        return False
    asking = [asks(text) for text in texts]
    if all(asking):
        return True
    told = _last_sentence(stem)
    if (asks(told) or says("collective", told)) and not any("?" in t or "？" in t for t in texts[:1]):
        return says("collective", told) or _answered_apart(answer, solution, len(texts)) or sum(asking) * 2 > len(texts)
    return sum(asking) * 3 >= 2 * len(texts) and _answered_apart(answer, solution, len(texts))


def _answered_apart(answer: str, solution: str, parts: int) -> bool:
    return any(len(run.markers) == parts for text in (answer, solution) for run in runs_in(text))


def _are_options(question: str, answer: str, run: Run, texts: Sequence[str]) -> bool:
    """Whether the markers are those of options: letters without a question in them, one of which is the answer."""
    if run.style not in ("letter", "letter bracket", "letter stop", "digit", "bracket", "roman"):
        return False
    if any(asks(text) for text in texts):
        return False
    stem = question[: run.markers[0].start]
    chosen = bool(_ONE_LETTER.fullmatch(answer)) if run.style.startswith("letter") else False
    return (
        chosen or says("choice", stem) or ("letter" in run.style and "?" in stem[-3:] and not says("collective", stem))
    )


def _selected(stem: str, last: str) -> bool:
    """Whether it is asked which of the marked statements hold."""
    end = re.split(r"[。；;，,\n]", last.strip(" \t。.；;\n"))
    tail = end[-1] if len(end) > 1 else ""
    told = _last_sentence(stem)
    return says("selects", tail) or (says("selects", told) and not says("collective", told))


def _options_follow(question: str, run: Run) -> bool:
    """Whether options A, B, C … stand behind the last marker's text, which then belongs to one question."""
    options = options_in(question)
    if len(options) < 3:
        return False
    last = run.parts(len(question))[-1].of(question)
    return run.style != "letter" and len(options_in(last)) >= 3 and not says("calculation", last.partition("\n")[0])


def _last_sentence(text: str) -> str:
    found = sentences(text, ";；")
    return found[-1].of(text) if found else ""


def divided(text: str, question: SplitQuestion) -> list[list[Span]]:
    """For each part of a question its piece of an answer or a solution; all pieces are empty where none can be told.

    Looked for are markers of the question's own style, then of any style of as many, then as many lines, or in a short
    answer semicolons between as many. What stands before the first marker, if it says anything, is shared by all.

    >>> found = split_question("(1) Find the speed. (2) How far does it go?", "", "")
    >>> [[s.of("(1) 3; (2) 5") for s in each] for each in divided("(1) 3; (2) 5", found)]
    [['3; '], ['5']]
    """
    labels = question.labels
    count = len(labels)
    runs = sorted(runs_in(text), key=lambda each: each.style != question.run.style)
    for found in runs:
        if len(found.markers) >= count and [m.number for m in found.markers[:count]] == list(range(1, count + 1)):
            cut = Run(found.style, found.markers[:count])
            lead = Span(0, cut.markers[0].start)
            shared = [lead] if len(_LETTERS.findall(lead.of(text))) > 12 else []
            return [[*shared, span] for span in cut.parts(len(text))]
    for apart in (_LINES, _APART) if len(text) < 200 else (_LINES,):
        pieces = _pieces(text, apart)
        if len(pieces) == count:
            return [[piece] for piece in pieces]
    some = _some_of(text, labels, runs)
    return [some.get(label, []) for label in labels]


def _pieces(text: str, apart: re.Pattern[str]) -> list[Span]:
    pieces, start = [], 0
    for found in apart.finditer(text):
        pieces.append(Span(start, found.start()))
        start = found.end()
    pieces.append(Span(start, len(text)))
    return [piece for piece in pieces if piece.of(text).strip()]


def _some_of(text: str, labels: Sequence[str], runs: Sequence[Run]) -> Mapping[str, list[Span]]:
    """The pieces of those parts that a run names which is shorter than the question's."""
    for run in runs:
        named = [marker.label for marker in run.markers]
        if set(named) <= set(labels):
            return {label: [span] for label, span in zip(named, run.parts(len(text)), strict=True)}
    return {}


def dependencies(found: SplitQuestion) -> list[list[int]]:
    """For each part the numbers of the parts that it rests on, those that these rest on included.

    >>> found = split_question("(1) Find the speed of the car. (2) How far does it go at this speed?", "", "")
    >>> dependencies(found)
    [[], [0]]
    """
    stem = "".join(span.of(found.text) for span in found.stem)
    texts = ["".join(span.of(found.text) for span in own) for own in found.own]
    direct: list[set[int]] = []
    for number, text in enumerate(texts):
        needs = {n for n in range(number) if _names_part(text, found.run.markers[n], found.run.style)}
        if number and not needs and _rests(text, texts[:number], stem):
            needs = {number - 1}
        needs |= {n for n in range(number) if _symbols(texts[n]) & _letters(text) - _letters(stem)}
        direct.append(needs)
    whole: list[list[int]] = []
    for needs in direct:
        whole.append(sorted(needs | {far for n in needs for far in whole[n]}))
    return whole


def _names_part(text: str, marker: Marker, style: str) -> bool:
    """Whether a text speaks of an earlier part by its number."""
    label = re.escape(marker.label)
    bracketed = rf"[(（]\s*{label}\s*[)）]"
    if style == "circled":
        bracketed = chr(ord("①") + marker.number - 1)
    named = (
        rf"(?:\bparts?|\bquestion|\bstep|\bresults? (?:of|from|in)|"
        rf"\banswers? (?:to|from|in)|\bfrom|\bin|\busing|\bby|\band|"
        rf"[由在据从用对与和]|问题|结合|利用)\s*(?:the )?(?:parts?\s*)?{bracketed}"
        rf"|{bracketed}\s*(?:中|的|问|小题|所|知|得(?!到)|可知|above\b)"
        rf"|\bparts?\s+\(?{label}\)?(?![\w])|第\s*[(（]?\s*{label}\s*[)）]?\s*[小]?[问题]"
    )
    return re.search(named, text, re.IGNORECASE if len(marker.label) > 1 else 0) is not None


def _rests(text: str, before: Sequence[str], stem: str) -> bool:
    """Whether a text goes on from the part before it: "hence", "your answer", or a thing that only this one names."""
    if cue("previous").search(text):
        return True
    said = " ".join(before).lower()
    for pattern in cues("points_back"):
        for found in pattern.finditer(text):
            noun = found["noun"].lower()
            if noun in said and noun not in stem.lower() and noun not in text[: found.start()].lower():
                return True
    return False


def _symbols(text: str) -> set[str]:
    """Letters to which a part gives a meaning."""
    return {found["name"] for pattern in _NAMES for found in pattern.finditer(text)}


def _letters(text: str) -> set[str]:
    return set(re.findall(r"(?<![A-Za-z\\])[A-Za-z](?![A-Za-z])", text)) - {"a", "I"}
