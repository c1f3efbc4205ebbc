"""Which number of a sentence belongs to which of its marks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from dataflow_ext.claims.expressions import Binary, Call, ClaimError, Expression, Number, parse, parts_of
from dataflow_ext.claims.marks import Mark
from dataflow_ext.claims.numbers import agrees
from dataflow_ext.claims.proof import COMPARED, GENERAL, NOTHING, Quantity, Value, answers
from dataflow_ext.claims.vocabulary import World
from dataflow_ext.text.quantities import Said

#: What may stand between a number and a statement that it belongs to: two words.
_CLOSE = re.compile(r"\s?(?:[A-Za-z]+\s?){0,2}|[^\x00-\x7f]{0,4}")


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

    @property
    def factors(self) -> list[float]:
        """The parts of a whole that its divisions and products by a written number tell: "half", of ``width() / 2``."""
        found = []
        for part in parts_of(self.expression) if self.expression else ():
            match part:
                case Binary("/", _, Number(digits, "")) if float(digits):
                    found.append(1 / float(digits))
                case Binary("*", _, Number(digits, "")) | Binary("*", Number(digits, ""), _):
                    found.append(float(digits))
        return found

    def states(self, said: Said) -> bool:
        """Whether a number is one that a statement compares, or that common knowledge may tell.

        A bound, "less than 0.6 m", is the written number of the statement if that has one.
        """
        if self.is_general or self.is_number:
            return self.is_general
        if said.fraction and said.dimension is None and any(abs(n - said.value) <= NOTHING for n in self.factors):
            return True
        written = [each for each in self.compared if each.digits is not None]
        if any(abs(each.value - said.value) <= NOTHING for each in written):
            return True
        bound = bool(written) and said.bound not in ("", "about")
        return not bound and any(agrees(said, each) for each in self.compared if each.digits is None)


def paired(
    proofs: Sequence[Proof], numbers: Sequence[Said], text: str
) -> Iterator[tuple[Proof, Said | None, set[Said]]]:
    """Each mark with the number before it that it has to prove, and those that it covers.

    Marks in a row have the last numbers before them, in their order. A statement has to prove the number right before
    it only if it compares numbers itself.
    """
    begin = 0
    for at in sorted({proof.at for proof in proofs}):
        row = [proof for proof in proofs if proof.at == at]
        before = [said for said in numbers if begin <= said.start and said.end <= at]
        begin = at
        left = [said for said in before if not said.weak]
        taken: dict[int, Said] = {}
        for i in reversed(range(len(row))):
            if row[i].is_number and (said := _last(row[i], left)):
                if one := _count(row[i], [each for each in before if each.weak and each.start > said.end]):
                    taken[i] = one
                    continue
                taken[i] = said
                left = left[: left.index(said)]
        for i, proof in enumerate(row):
            number = taken.get(i)
            if number is None and proof.is_number:
                number = _weak(proof, before)
            if not proof.is_number:
                near = [said for said in left if _CLOSE.fullmatch(text[said.end : at])]
                number = next((s for s in near if s.is_measured and proof.compared and not proof.states(s)), None)
            yield proof, number, {said for said in before if said is number or proof.states(said)}


def _compared(expression: Expression, world: World) -> Iterator[Quantity]:
    for part in parts_of(expression):
        if isinstance(part, Binary) and part.sign in COMPARED:
            for side in (part.left, part.right):
                for value in answers(side, world):
                    if isinstance(value, Quantity):
                        yield value


def _last(proof: Proof, left: Sequence[Said]) -> Said | None:
    """The last number that may be the value of a claim: one of its unit, else one without, else any."""
    value = proof.values[0]
    if not isinstance(value, Quantity) or not left:
        return None
    if value.dimension:
        ranks = [
            [s for s in left if s.dimension == value.dimension or s.unread],
            [s for s in left if s.dimension is None],
        ]
    elif value.share or value.ratio:
        ranks = [[s for s in left if s.dimension == () or s.fraction], [s for s in left if s.dimension is None]]
    else:
        ranks = [[s for s in left if s.dimension in (None, ())]]
    return next((rank[-1] for rank in ranks if rank), left[-1])


def _count(proof: Proof, nearer: Sequence[Said]) -> Said | None:
    """A weak word that says a count, and stands nearer to it than a number does: "three seats: one chair [count()]"."""
    counts = [v for v in proof.values if isinstance(v, Quantity) and not v.places and not v.dimension]
    return next((s for s in reversed(nearer) if counts and all(agrees(s, count) for count in counts)), None)


def _weak(proof: Proof, before: Sequence[Said]) -> Said | None:
    """A weak word before a claim that says its value; "twice" before a quotient says it in any case."""
    weak = [each for each in reversed(before) if each.weak]
    values = [value for value in proof.values if isinstance(value, Quantity)]
    for said in weak:
        if all(agrees(said, value) for value in values):
            return said
    return next((said for said in weak if said.value > 1 and all(value.ratio for value in values)), None)
