"""The rules' reading of a book, judged unit by unit: its language, its count, answers beside their questions."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise, product

from operators.pdf.blocks import Block
from operators.pdf.doubts.counts import doubt_counts, doubt_titles, is_tight
from operators.pdf.doubts.stretches import FAINT, POSSIBLE, SURE, Book
from operators.pdf.doubts.texts import doubt_texts
from operators.pdf.merging import Entry, merge
from operators.pdf.numbering import find_solution_start, label_key
from operators.pdf.numbering.label_words import languages, words
from operators.pdf.rules import read_book
from operators.pdf.rules.lines import Zone
from operators.pdf.rules.reading import NOTHING, Assumptions
from operators.pdf.rules.words import ASKS

#: Words that stand in every text of a language, in small letters, and the least share that they have of its words.
_COMMON = [frozenset(found) for language in languages() if (found := words("common", language=language))]
_SHARE = 0.08
#: Fewer words, or Chinese characters, tell nothing.
_FEWEST = 100

#: Words in Latin, Greek and Cyrillic letters; Chinese characters; those that only Japanese and Korean have.
_WORD = re.compile("[A-Za-z\u00c0-\u024f]{2,}|[\u0370-\u03ff]{2,}|[\u0400-\u04ff]{2,}")
_HAN, _OTHER = re.compile("[\u4e00-\u9fff]"), re.compile("[\u3040-\u30ff\uac00-\ud7af]")


def is_known(texts: Iterable[str]) -> bool:
    """Whether texts are in languages whose words the rules know, or too few to tell.

    >>> is_known(["Find the sum of all numbers that divide 12."] * 20), is_known(["求函数的最小值"] * 20)
    (True, True)
    >>> is_known(["Bereken de afstand tussen twee punten."] * 20), is_known(["Kalkulatu bi puntuen distantzia."] * 30)
    (True, False)
    """
    text = "\n".join(texts)
    found = [word.casefold() for word in _WORD.findall(text)]
    han, other = len(_HAN.findall(text)), len(_OTHER.findall(text))
    if max(len(found), han + other) < _FEWEST:
        return True
    if han + other > len(found):
        return True
    counts = Counter(found)
    return max(sum(counts[word] for word in common) for common in _COMMON) >= _SHARE * len(found)


#: How the doubt begins that all rows of a book have that was read as misread ones are.
MISREAD = "its book was probably misread"
#: The share of a book's items that may be odd. Of 75 books by six authors those that were wrong in a fifth of their
#: questions or more have .07 and up, all that were right up to .06, and damaged ones whose damage is seen up to .10.
_ODD = 0.07


def doubt_misread(book: Book) -> None:
    """Note of all units that their book was probably misread, by gaps in its questions' numbers and text left over."""
    fit, items = book.reading.fit, len(book.listed)
    odd = fit.unread + fit.gaps
    # One wrong label leaves two gaps, which are doubted where they are.
    if items and odd > max(2, _ODD * items):
        for unit in book.units:
            unit.doubt(f"{MISREAD}: {odd:.0f} gaps or texts are left between its {items} items", SURE)


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
    sides = [{book.number(n) % 2 for n in asked if (n in lost) is without} for without in (True, False)]
    return bool(sides[0]) and bool(sides[1]) and sides[0].isdisjoint(sides[1])


def _entry(book: Book, n: int) -> Entry:
    item = book.items[n]
    title = tuple(book.lines[i].block.id for i in item.chapter.title)
    question = tuple(book.lines[i].block.id for i in item.question)
    solution = tuple(book.lines[i].block.id for i in item.solution)
    file = book.lines[item.start].block.file
    both = (bool(question), question, item.answer, solution)
    return Entry(book.head(n), book.label(n), title, book.title(n), *both, chunk=0, file=file, order=n)


def _without_question(book: Book, among: list[int], apart: dict[int, int]) -> None:
    """Answers of a chapter that found no question: their own label is wrong, or a question's is lost."""
    lost = [n for n in among if n not in apart and (book.items[n].answer or book.items[n].solution)]
    if 2 * len(lost) > len(among):
        _doubt_chapter(book, among, "no question was found for most answers of its chapter")
        return
    for n in lost:
        earlier = [apart[m] for m in among[: among.index(n)] if m in apart]
        unit = book.unit(earlier[-1]) if earlier else None
        explained = unit is not None and book.items[n].label.number in unit.missing
        book.unit(n).doubt("an answer without a question", FAINT if explained else SURE)
        if unit is not None:
            unit.doubt(f"an answer {book.label(n)} has no question, which may stand behind this one", SURE)


def _without_answer(book: Book, asked: list[int], lost: list[int], answers: list[int]) -> None:
    """Questions that the answers of their chapter pass over; an answer that is lost hides in the one before."""
    place = {label_key(book.label(a)): a for a in answers}
    for n in lost:
        book.unit(n).doubt("it has no answer, and the others have one", FAINT)
        earlier = [label_key(book.label(m)) for m in asked[: asked.index(n)]]
        known = [place[key] for key in earlier if key in place]
        unit = book.unit(known[-1]) if known else book.before(answers[0])
        why = f"the answer to {book.label(n)} is missing and may stand in this one"
        unit.doubt(why, FAINT if is_tight(book, unit) else SURE)


def _doubt_second_pass(book: Book, chapters: list[list[int]]) -> None:
    """Answers read as told a second time, under one heading, that are others than the first time."""
    for first, second in pairwise(chapters):
        one, two = book.items[first[0]].chapter, book.items[second[0]].chapter
        if one.zone is not Zone.ANSWERS or two.zone is not Zone.ANSWERS or one.title != two.title:
            continue
        told = {label_key(book.label(n)): book.items[n].answer for n in first}
        again = [(told.get(label_key(book.label(n))), book.items[n].answer) for n in second]
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


def judge(blocks: Sequence[Block], told: Mapping[int, bool] | None = None) -> Book:
    """A book in units, each with what speaks against the rules' reading of it.

    ``told`` holds block ids that are known to head a chapter, true where it is a chapter of answers.

    >>> texts = ["Chapter 1 Sets", "1. Find x.", "2. Find y.", "l3. Find z.", "4. Find t."]
    >>> for unit in judge([Block(i, "text", text) for i, text in enumerate(texts)]).units:
    ...     print(unit.first, round(unit.confidence, 2), [*unit.reasons])
    0 1.0 []
    1 1.0 []
    2 0.4 ['number missing between 2 and 4: 3']
    4 0.4 ['its label leaves a gap behind 2']
    """
    book = Book(read_book(blocks, Assumptions(titles=told) if told else NOTHING), len(blocks))
    segments = doubt_counts(book)
    doubt_titles(book)
    doubt_texts(book, segments)
    doubt_answers(book)
    doubt_misread(book)
    reasons = () if book.listed else ("no item was found",)
    if not (book.is_counted_out or is_known(block.text for block in blocks)):
        reasons = (*reasons, "the rules do not know the words of its language")
    for unit, reason in product(book.units, reasons):
        unit.doubt(reason, SURE)
    return book
