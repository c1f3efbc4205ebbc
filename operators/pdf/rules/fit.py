"""How well a reading accounts for its book, in items that it leaves odd."""

from __future__ import annotations

from bisect import bisect_left, insort
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from operator import itemgetter
from statistics import median

from operators.pdf.numbering import ItemLabel, label_key, option_letter
from operators.pdf.numbering.dress import Dress, Mark
from operators.pdf.numbering.titles import begins_title, heading_key
from operators.pdf.rules.chapters import Chapter
from operators.pdf.rules.counts import passed_lines
from operators.pdf.rules.items import Item
from operators.pdf.rules.kinds import kinds_of
from operators.pdf.rules.lines import Kind, Line, Zone
from operators.pdf.rules.nesting import Node
from operators.pdf.rules.tables import table_answers
from operators.pdf.rules.words import ASKS, BLANK, QUESTION

#: Letters of an item at least, where unread text is counted in items: answers may be single letters.
_ITEM = 40
#: What a numbered line counts at least.
_SHORT = 0.5
#: Steps in the count of a question's parts at most.
_PARTS = 9
#: The same of numbers such as 1.1, which hardly ever count parts.
_SECTIONS = 3
#: What text may be called that asks all the same.
_TOLD = ("front matter", "summary", "theory")
#: Roles of words whose numbers count no items.
_NO_ITEMS = ("told", "heading")
#: What a gap or a question without an answer counts, which books may have.
_MAY_BE = 0.5
#: Lines above a count's first item of which one may say what to do with all of them.
_ABOVE = 2
#: More numbers than this in one gap are a jump of the book's own.
_GAP = 8


@dataclass(slots=True)
class Fit:
    """What is odd about a reading, each in items.

    ``unread`` is text that nothing explains, ``theory`` what is called so, which depends on the zone it is taken for;
    ``gaps`` are places at which counts of questions leave numbers out;
    ``unanswered`` are questions without an answer, where others have one, and ``orphans`` answers without a
    question; ``misread`` are answers and told matter that ask, and questions that ask nothing, where others do;
    ``doubled`` are questions whose title and label stood before; ``hidden`` are numbers that count on inside an item,
    ``passed`` those behind a word that count on and are no item's.
    ``places`` are the lines at which a reading is odd, each with how much.
    """

    unread: float = 0.0
    theory: float = 0.0
    gaps: int = 0
    unanswered: int = 0
    orphans: int = 0
    misread: int = 0
    doubled: int = 0
    hidden: int = 0
    passed: int = 0
    places: dict[int, float] = field(default_factory=lambda: defaultdict(float))

    @property
    def cost(self) -> float:
        """All of it: of two readings of a book, the one that costs less is the likelier."""
        return self.odd + self.theory

    @property
    def odd(self) -> float:
        """What no book should have: all but theory, of which a book may have as much as it likes."""
        return (
            self.unread
            + _MAY_BE * (self.gaps + self.unanswered)
            + self.misread
            + self.doubled
            + self.hidden
            + self.passed
            + self.orphans
        )


def fit_of(lines: Sequence[Line], items: Sequence[Item], outline: Mapping[int, Node]) -> Fit:
    """How well these items account for these lines, whose headings stand in a tree."""
    fit = Fit()
    listed = [item for item in items if item.question or item.solution or item.answer]
    asked = [item for item in listed if item.chapter.zone is not Zone.ANSWERS and not item.example]
    told = [item for item in listed if item.chapter.zone is Zone.ANSWERS]
    _count_unread(fit, lines, listed)
    _count_gaps(fit, asked)
    if asked:
        _pair(fit, asked, told)
    else:
        # A book of answers alone has no questions to them, and none that were taken for answers.
        fit.orphans = sum(not _asks_nothing(lines, item, item.solution) for item in told)
    _count_misread(fit, lines, asked, told)
    _count_doubled(fit, lines, asked, outline)
    for item in listed:
        _count_hidden(fit, lines, item)
    homes: dict[int, set[str]] = defaultdict(set)
    for item in listed:
        for index in item.lines:
            homes[index].add(item.label.label)
    for index in passed_lines(lines, homes):
        fit.passed += 1
        fit.places[index] += 1
    return fit


def _count_unread(fit: Fit, lines: Sequence[Line], items: Sequence[Item]) -> None:
    used = {lines[i].block.id for item in items for i in item.lines}
    titles = {lines[i].block.id for item in items for i in item.chapter.title}
    kinds = kinds_of(lines, used, titles)
    sizes = [sum(map(str.isalnum, "".join(lines[i].text for i in item.lines))) for item in items]
    size = max(_ITEM, median(sizes)) if sizes else _ITEM
    for index, line in enumerate(lines):
        kind = kinds.get(line.block.id)
        letters = sum(map(str.isalnum, line.text)) / size
        if kind == "unread":
            # What has a number is an answer, however short.
            letters = max(letters, _SHORT if letters and line.mark else 0)
            fit.places[index] += letters
        if kind == "theory" and (mark := line.mark) and mark.dress.role not in _NO_ITEMS:
            fit.places[index] += letters
        if kind == "theory" and line.block.type == "table":
            fit.places[index] += len(table_answers(line.text))
        if kind == "unread":
            fit.unread += letters
        if kind == "theory":
            fit.theory += letters
        if kind in _TOLD and _is_labelled_question(line):
            fit.misread += 1
            fit.places[index] += 1


def _count_gaps(fit: Fit, asked: Sequence[Item]) -> None:
    """Count the numbers left out between each label and the one before it, in its chapter or behind the last one."""
    last: dict[str, int] = {}
    seen: dict[tuple[int, str], set[int]] = defaultdict(set)
    for item in asked:
        number = item.label.number
        if number is None:
            continue
        name = item.label.label
        word = name.removesuffix(str(number)) if name.endswith(str(number)) else item.label.prefix
        have = seen[id(item.chapter), word]
        missing = number - 1 - max((n for n in have if n < number), default=0)
        if last.get(word) != number - 1 and number - 1 not in have and 0 < missing <= _GAP:
            fit.gaps += 1
            fit.places[item.start] += 1
        have.add(number)
        last[word] = number


def _pair(fit: Fit, asked: Sequence[Item], told: Sequence[Item]) -> None:
    """Count questions and answers by their labels alone; how they are joined is told later."""
    waiting: dict[str, list[Item]] = defaultdict(list)
    solved = [item for item in asked if item.solution or item.answer]
    for item in asked:
        if not (item.solution or item.answer):
            waiting[label_key(item.label.label)].append(item)
    known = {label_key(item.label.label) for item in asked}
    orphans: list[Item] = []
    again: list[Item] = []
    for item in told:
        key = label_key(item.label.label)
        if waiting[key] and waiting[key][0].start < item.start:
            solved.append(waiting[key].pop(0))
        else:
            (again if key in known else orphans).append(item)
    # Hints and then solutions, answers in short and then explained: a book tells all of them twice, or none.
    # More answers than questions belong to another book, as far as they are more.
    fit.orphans = min(len(orphans), len(asked)) + min(len(again), max(0, len(solved) - len(again)))
    silent = [item for items in waiting.values() for item in items]
    odd = {_is_odd(item) for item in solved}
    if len(odd) == 1 and len(solved) > sum(_is_odd(item) in odd for item in silent):
        silent = [item for item in silent if _is_odd(item) in odd]  # the odd numbers are answered, as in many books
    fit.unanswered = min(len(silent), len(solved))
    for item in [*orphans, *(silent if fit.unanswered else ())]:
        fit.places[item.start] += 1


def _is_odd(item: Item) -> bool:
    return (item.label.number or 0) % 2 == 1


def _count_misread(fit: Fit, lines: Sequence[Line], asked: Sequence[Item], told: Sequence[Item]) -> None:
    asking = [item for item in told if _asks(lines, item)]
    led = _led(lines, asked)
    silent = [item for item in asked if id(item.chapter) not in led and _asks_nothing(lines, item, item.question)]
    # Where questions ask by their last sign alone, the words with which others ask are of a language not known here.
    worded = sum(_asks_in_words(lines, item) for item in asked)
    fit.misread += len(asking) + min(len(silent), worded)
    for item in [*asking, *(silent if worded else ())]:
        fit.places[item.start] += 1


def _led(lines: Sequence[Line], asked: Sequence[Item]) -> set[int]:
    """The chapters whose first item has a line right above it that says what to do: "Mark each statement"."""
    first = {id(item.chapter): item for item in reversed(asked)}
    found: set[int] = set()
    for chapter, item in first.items():
        above = (
            line for line in reversed(lines[max(0, item.start - _ABOVE) : item.start]) if line.kind is not Kind.HIDDEN
        )
        if any(ASKS.search(line.text) for line in above):
            found.add(chapter)
    return found


def _count_doubled(fit: Fit, lines: Sequence[Line], asked: Sequence[Item], outline: Mapping[int, Node]) -> None:
    """Count the questions whose title and label stood before: a key has those of its questions.

    Review of Chapter 2 is another title than Review of Chapter 1.
    """
    seen: dict[str, list[tuple[str, Chapter]]] = defaultdict(list)
    for item in asked:
        node = outline.get(item.chapter.title[-1]) if item.chapter.title else None
        above = node.parent.path(lines) if node is not None and node.parent is not None else []
        title = heading_key(" ".join([*above, *(lines[i].text for i in item.chapter.title)]))
        before = seen[label_key(item.label.label)]
        if _stood_before(title, item.chapter, before):
            fit.doubled += 1
            fit.places[item.start] += 1
        elif title:
            insort(before, (title, item.chapter), key=itemgetter(0))


def _stood_before(title: str, chapter: Chapter, before: Sequence[tuple[str, Chapter]]) -> bool:
    """Whether a title begins one of those before, which are sorted, of another chapter."""
    for at in range(bisect_left(before, title, key=itemgetter(0)), len(before)):
        other, theirs = before[at]
        if not title or not other.startswith(title):
            return False
        if theirs is not chapter and begins_title(title, other):
            return True
    return False


def _count_hidden(fit: Fit, lines: Sequence[Line], item: Item) -> None:
    """Count the lines inside an item that count further than its parts do: those of a key, or of another chapter."""
    counts: dict[Dress, list[tuple[int, tuple[int, ...]]]] = defaultdict(list)
    for index in sorted(i for i in item.lines if i > item.start):
        if (mark := lines[index].mark) is not None:
            counts[mark.dress].append((index, mark.numbers))
    for count in counts.values():
        rising = [index for (index, one), (_, two) in pairwise(count) if two == (*one[:-1], one[-1] + 1)]
        if len(rising) >= (_PARTS if len(count[0][1]) == 1 else _SECTIONS):
            fit.hidden += len(rising)
            for index in rising:
                fit.places[index] += 1


def _asks(lines: Sequence[Line], item: Item) -> bool:
    """Whether an answer surely asks: by its first words, by a blank, or by options below it."""
    if _is_question(lines[item.start].text[item.label.end : item.end]):
        return True
    return any(option_letter(lines[i].text) == "A" and i != item.start for i in item.solution)


def _is_question(text: str) -> bool:
    return bool(QUESTION.search(text) or BLANK.search(text))


def _is_labelled_question(line: Line) -> bool:
    """Whether a line has a label, or what may be one, and asks."""
    label: ItemLabel | Mark | None = line.label
    if label is None and (mark := line.mark) and mark.dress.role not in _NO_ITEMS:
        label = mark
    return label is not None and _is_question(line.text[label.end :])


def _asks_in_words(lines: Sequence[Line], item: Item) -> bool:
    """Whether a question asks by more than the signs at its end and its blanks."""
    return any(ASKS.search(BLANK.sub("", lines[i].text).replace("?", "").replace("？", "")) for i in item.question)


def _asks_nothing(lines: Sequence[Line], item: Item, places: Sequence[int]) -> bool:
    """Whether an item's lines at these places are words alone, none of which ask; a lead before them does."""
    own = [lines[i] for i in places if i > item.start]
    if min(places, default=item.start) < item.start or any(
        line.kind is not Kind.TEXT or option_letter(line.text) for line in own
    ):
        return False
    first = lines[item.start].text[item.label.end : item.end]
    return not any(map(ASKS.search, (first, *(line.text for line in own))))
