"""Which number of a sentence belongs to which of its marks."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass

from dataflow_ext.claims.expressions import Binary, Call, ClaimError, Expression, parse, parts_of
from dataflow_ext.claims.marks import Mark
from dataflow_ext.claims.numbers import Said, agrees
from dataflow_ext.claims.proof import COMPARED, GENERAL, NOTHING, Quantity, Value, answers
from dataflow_ext.claims.vocabulary import World


@dataclass(frozen=True, slots=True)
class Proof:
    """A mark of a sentence: its place there, its values in all readings, and the quantities that it compares."""

    mark: Mark
    at: int
    expression: Expression | None = None
    values: Sequence[Value] = ()
    error: ClaimError | None = None
    compared: Sequence[Quantity] = ()

    @classmethod
    def of(cls, mark: Mark, at: int, world: World) -> Proof:
        """The mark, proven as far as it can be."""
        try:
            expression = parse(mark.source)
            if isinstance(expression, Call) and expression.word == GENERAL:
                return cls(mark, at, expression)
            values = answers(expression, world)
            return cls(mark, at, expression, values, compared=list(_compared(expression, world)))
        except ClaimError as error:
            return cls(mark, at, error=error)

    @property
    def is_number(self) -> bool:
        """Whether it is a number and no statement."""
        return bool(self.values) and isinstance(self.values[0], Quantity)

    @property
    def is_general(self) -> bool:
        """Whether it is common knowledge."""
        return isinstance(self.expression, Call) and self.expression.word == GENERAL

    def covers(self, said: Said) -> bool:
        """Whether a number is one that a statement compares, or that common knowledge may tell.

        One that words widen, "less than 0.6 m", is the written number of the statement if that has one.
        """
        if self.is_general or self.is_number or said.by == "unread":
            return self.is_general
        written = [each for each in self.compared if each.digits is not None]
        if any(abs(each.value - said.value) <= NOTHING for each in written):
            return True
        return (said.exact or not written) and any(agrees(said, each) for each in self.compared if each.digits is None)


def paired(
    proofs: Sequence[Proof], numbers: Sequence[Said]
) -> Iterator[tuple[Proof, Said | None, bool, Collection[Said]]]:
    """Each mark with the number before it that it has to prove, whether that may disprove it, and all that it covers.

    Marks in a row have the last numbers before them, in their order.
    """
    begin = 0
    for at in sorted({proof.at for proof in proofs}):
        row = [proof for proof in proofs if proof.at == at]
        before = [said for said in numbers if begin <= said.start < at]
        begin = at
        left, taken = list(before), dict[int, Said]()
        for i in reversed(range(len(row))):
            if row[i].is_number and (said := _last(row[i], left)):
                taken[i] = said
                left = left[: left.index(said)]
        for i, proof in enumerate(row):
            said, sure = taken.get(i), _is_sure(proof, before)
            covered = {each for each in before if each is said or proof.covers(each)}
            if said and said.joined and left and len(taken) == 1:
                first = max((each for each in left if each.by == "digits"), key=lambda each: each.start, default=said)
                if any(agrees(said.since(first), each) for each in proof.values if isinstance(each, Quantity)):
                    covered.add(first)
                    said = said.since(first)
            yield proof, said, sure, covered


def _is_sure(proof: Proof, before: Sequence[Said]) -> bool:
    """Whether a mark's number can be no other one: no quantity in words is there, and no number that agrees."""
    values = [value for value in proof.values if isinstance(value, Quantity)]
    return not any(said.by == "unread" or any(agrees(said, value) for value in values) for said in before)


def _compared(expression: Expression, world: World) -> Iterator[Quantity]:
    for part in parts_of(expression):
        if isinstance(part, Binary) and part.sign in COMPARED:
            for side in (part.left, part.right):
                for value in answers(side, world):
                    if isinstance(value, Quantity):
                        yield value


def _last(proof: Proof, left: Sequence[Said]) -> Said | None:
    """The last number that may be the value of a claim: one of its unit, else one without.

    A count may stand in words; one that says another number is no count of this claim if it is weak.
    """
    value = proof.values[0]
    if not isinstance(value, Quantity):
        return None
    begin = max((i + 1 for i, said in enumerate(left) if said.by == "unread"), default=0)
    digits = [said for said in left[begin:] if said.by == "digits"]
    if value.dimension or value.share or value.ratio:
        ranks = ([said for said in digits if said.dimension == value.dimension],
                 [said for said in digits if said.dimension is None])  # fmt: skip
        return next((rank[-1] for rank in ranks if rank), None)
    counts = [said for said in left[begin:] if said.dimension is None or not said.dimension]
    return next((said for said in reversed(counts) if said.by != "weak" or agrees(said, value)), None)
