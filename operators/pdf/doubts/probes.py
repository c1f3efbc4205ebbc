"""Probes: a few units that the rules are sure of, which a model is shown all the same, and what their answers prove."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from operators.pdf.doubts.reconcile import Placed
from operators.pdf.doubts.units import Book, Unit
from operators.pdf.numbering import label_key, letters_of
from operators.pdf.reply import ReplyPair

#: A unit in so many is a probe, up to as many as are wanted.
_ONE_IN = 8
#: So large a share of probes may be read otherwise by a model, which errs at times: beyond it the book was misread.
_MAY_DIFFER = 0.25


def probes(book: Book, sure: Sequence[int], most: int) -> list[int]:
    """Places of units spread evenly over those that the rules are ``sure`` of, which hold items.

    >>> from operators.pdf.blocks import Block
    >>> from operators.pdf.doubts.judge import judge
    >>> book = judge([Block(n, "text", f"{n + 1}. Find {n}.") for n in range(40)])
    >>> probes(book, range(40), 4)
    [5, 15, 25, 35]
    """
    held = [place for place in sure if book.units[place].items]
    count = min(most, len(held) // _ONE_IN)
    return [held[(2 * n + 1) * len(held) // (2 * count)] for n in range(count)]


def differs(unit: Unit, rules: Iterable[Placed], model: Iterable[Placed]) -> bool:
    """Whether a model reads a unit otherwise: other labels, or mostly other blocks, or another answer or none.

    Under which title it reads them is not compared, nor whether it gives an answer as words or as blocks.
    """
    ours, theirs = (
        {_name(placed): placed.pair for placed in pairs if unit.first <= placed.at < unit.end}
        for pairs in (rules, model)
    )
    return ours.keys() != theirs.keys() or any(_contradict(pair, theirs[name]) for name, pair in ours.items())


def is_misread(different: int, count: int) -> bool:
    """Whether so many probes of some that were read otherwise tell that a whole book was misread."""
    return different > _MAY_DIFFER * count


def _name(placed: Placed) -> str:
    """A label without its word."""
    return label_key((placed.pair.label.split() or [""])[-1])


def _contradict(one: ReplyPair, two: ReplyPair) -> bool:
    told = bool(one.answer or one.solution), bool(two.answer or two.solution)
    return (
        told[0] != told[1]
        or _apart(one.question, two.question)
        or _apart(one.solution, two.solution)
        or not _within(letters_of(one.answer), letters_of(two.answer))
    )


def _apart(one: Sequence[int], two: Sequence[int]) -> bool:
    """Whether two lists of blocks have less than half of what is in either in common."""
    return bool(one and two) and 2 * len({*one} & {*two}) < len({*one, *two})


def _within(one: str, two: str) -> bool:
    return one in two or two in one
