"""Doubts that only show when questions and answers printed apart are laid side by side."""

from __future__ import annotations

from collections import Counter, defaultdict
from itertools import pairwise

from operators.pdf.doubts.counts import is_tight
from operators.pdf.doubts.units import FAINT, POSSIBLE, SURE, Book
from operators.pdf.merging import Entry, merge
from operators.pdf.numbering import find_solution_start, label_key
from operators.pdf.rules.lines import Zone
from operators.pdf.rules.words import ASKS

#: From this share of answered exercises on, a book is one that answers them.
_ANSWERS = 0.5
#: A chapter of which no more than one item in so many asks anything may be one of answers.
_SELDOM = 6
_FEW = 3


def doubt_answers(book: Book) -> None:
    """Note questions without an answer and answers without a question, where the book otherwise has both."""
    items = {n: _entry(book, n) for n in book.listed}
    merged = merge(items.values())
    apart: dict[int, int] = {}
    answered: set[int] = set()
    for row in merged.rows:
        if row.how != "unanswered":
            answered.add(row.question.order)
        for answer in row.answers:
            apart[answer.order] = row.question.order
    chapters: dict[int, list[int]] = defaultdict(list)
    for n in book.listed:
        chapters[id(book.items[n].chapter)].append(n)
    telling = [among for among in chapters.values() if _tells(book, among, answered)]
    for among in telling:
        _doubt_chapter(book, among, "its chapter asks nothing, as answers do")
    _doubt_second_pass(book, list(chapters.values()))
    left = {n for among in telling for n in among}
    asked = [n for n in book.listed if book.kind(n) == "exercise" and n not in left]
    # As many questions as there are such items may be waiting for them.
    if asked and sum(n in answered for n in asked) >= _ANSWERS * (len(asked) - len(left)):
        rest = {key: among for key, among in chapters.items() if not left.issuperset(among)}
        _compare(book, rest, answered, apart, len(telling))


def _compare(
    book: Book, chapters: dict[int, list[int]], answered: set[int], apart: dict[int, int], telling: int
) -> None:
    """Note what is missing in each chapter; ``telling`` is how many more may be answers."""
    votes: dict[int, Counter[int]] = defaultdict(Counter)
    for a, q in apart.items():
        votes[id(book.items[q].chapter)][id(book.items[a].chapter)] += 1
    silent: list[list[int]] = []
    for key, among in chapters.items():
        if book.items[among[0]].chapter.zone is Zone.ANSWERS:
            _without_question(book, among, apart)
            continue
        asked = [n for n in among if book.kind(n) == "exercise"]
        lost = [n for n in asked if n not in answered]
        if _alternate(book, asked, lost):
            continue
        if lost and (2 * len(lost) > len(asked) or key not in votes):
            silent.append(lost)
        elif lost:
            _without_answer(book, asked, lost, chapters[votes[key].most_common(1)[0][0]])
    for lost in silent[telling:]:
        _doubt_chapter(book, lost, "most questions of its chapter have no answer, those of others have")


def _alternate(book: Book, asked: list[int], lost: list[int]) -> bool:
    """Whether a book answers only the odd numbers of a chapter, or only the even ones."""
    sides = [
        {(book.items[n].label.number or 0) % 2 for n in asked if (n in lost) is without} for without in (True, False)
    ]
    return bool(sides[0]) and bool(sides[1]) and sides[0].isdisjoint(sides[1])


def _entry(book: Book, n: int) -> Entry:
    item = book.items[n]
    title = tuple(book.lines[i].block.id for i in item.chapter.title)
    words = " ".join(book.lines[i].text for i in item.chapter.title)
    question = tuple(book.lines[i].block.id for i in item.question)
    solution = tuple(book.lines[i].block.id for i in item.solution)
    file = book.lines[item.start].block.file
    both = (bool(question), question, item.answer, solution)
    return Entry(book.head(n), item.label.label, title, words, *both, chunk=0, file=file, order=n)


def _without_question(book: Book, among: list[int], apart: dict[int, int]) -> None:
    """Answers of a chapter that found no question: their own label is wrong, or a question's is lost."""
    lost = [n for n in among if n not in apart and (book.items[n].answer or book.items[n].solution)]
    if 2 * len(lost) > len(among):
        _doubt_chapter(book, among, "no question was found for most answers of its chapter")
        return
    for n in lost:
        earlier = [apart[m] for m in among[: among.index(n)] if m in apart]
        unit = book.unit(earlier[-1]) if earlier else None
        label = book.items[n].label
        explained = unit is not None and label.number in unit.missing
        book.unit(n).doubt("an answer without a question", FAINT if explained else SURE)
        if unit is not None:
            unit.doubt(f"an answer {label.label} has no question, which may stand behind this one", SURE)


def _without_answer(book: Book, asked: list[int], lost: list[int], answers: list[int]) -> None:
    """Questions that the answers of their chapter pass over; an answer that is lost hides in the one before."""
    place = {label_key(book.items[a].label.label): a for a in answers}
    for n in lost:
        book.unit(n).doubt("it has no answer, and the others have one", FAINT)
        earlier = [label_key(book.items[m].label.label) for m in asked[: asked.index(n)]]
        known = [place[key] for key in earlier if key in place]
        unit = book.unit(known[-1]) if known else book.before(answers[0])
        why = f"the answer to {book.items[n].label.label} is missing and may stand in this one"
        unit.doubt(why, FAINT if is_tight(book, unit) else SURE)


def _doubt_second_pass(book: Book, chapters: list[list[int]]) -> None:
    """Answers read as told a second time, under one heading, that are others than the first time."""
    for first, second in pairwise(chapters):
        one, two = book.items[first[0]].chapter, book.items[second[0]].chapter
        if one.zone is not Zone.ANSWERS or two.zone is not Zone.ANSWERS or one.title != two.title:
            continue
        told = {label_key(book.items[n].label.label): book.items[n].answer for n in first}
        again = [(told.get(label_key(book.items[n].label.label)), book.items[n].answer) for n in second]
        both = [a == b for a, b in again if a and b]
        if 2 * sum(both) < len(both):
            _doubt_chapter(book, second, "other answers to the same questions stand before it")


def _tells(book: Book, among: list[int], answered: set[int]) -> bool:
    """Whether a chapter of questions asks nothing, and few are answered: it may be one of answers."""
    if len(among) < _FEW or any(book.kind(n) != "exercise" for n in among):
        return False
    if 2 * len(answered.intersection(among)) > len(among):
        return False
    return sum(_asking(book, n) for n in among) * _SELDOM < len(among)


def _asking(book: Book, n: int) -> bool:
    """Whether an item's first words ask something, up to any 解析; its label may have a line of its own."""
    item = book.items[n]
    body = book.lines[item.start].text[item.label.end : item.end]
    if not body.strip():
        body = next((book.lines[i].text for i in item.question if i > item.start), "")
    return bool(ASKS.search(body[: find_solution_start(body)]))


def _doubt_chapter(book: Book, among: list[int], reason: str) -> None:
    """A chapter as a whole is judged by its beginning: what stands before these items of it, and two of them."""
    for n in among[:2]:
        book.unit(n).doubt(reason, SURE)
    book.before(among[0]).doubt_with(reason, SURE)
    for n in among[2:]:
        book.unit(n).doubt(reason, POSSIBLE / 2)
