"""ProblemBuilder: the problem that a round poses to a model in training, and its answer."""

from __future__ import annotations

from collections.abc import Sequence
from string import Formatter
from typing import Any, ClassVar

from pydantic import field_validator
from pydantic_core import PydanticCustomError

from dataflow_ext import RowError, RowOperator
from operators.game.rounds import Light

_FIELDS = ("light", "numbers")


class ProblemBuilder(RowOperator):
    """The problem that a round poses, with one ``<image>`` for the question picture, and its answer.

    Reads:
        numbers: those on the three cards, in reading order.
        light: GREEN, RED or YELLOW.
        card: the correct card: 0, 1 or 2.

    Writes:
        problem: the template, filled.
        answer: "0", "1" or "2".

    Options:
        template: has ``<image>`` once, and may have ``{light}`` and ``{numbers}``.

    Rejects:
        RowError: a round that has not three numbers, or whose card is none of the three.

    Example:
        >>> made = ProblemBuilder()([{"numbers": [5, 8, 3], "light": "GREEN", "card": 1}])
        >>> made.select(["problem", "answer"]).to_pylist()
        [{'problem': '<image>Light: GREEN. Numbers: 5, 8, 3. Select the correct one.', 'answer': '1'}]
    """

    inputs: ClassVar[Any] = {"numbers": list[int], "light": Light, "card": int}
    outputs: ClassVar[Any] = {"problem": str, "answer": str}

    template: str = "<image>Light: {light}. Numbers: {numbers}. Select the correct one."

    @field_validator("template")
    @classmethod
    def _template_can_be_filled(cls, template: str) -> str:
        """Refuse a template that no round could fill, or that a trainer would not take."""
        if why := _wrong_with(template):
            raise PydanticCustomError("template", "{why}", {"why": why})
        return template

    def row(self, numbers: list[int], light: Light, card: int) -> dict[str, str]:
        """Fill the template."""
        if len(numbers) != 3 or None in numbers:
            raise RowError(f"a round has three numbers, this one has {_told(numbers)}")
        if card not in (0, 1, 2):
            raise RowError(f"the correct card is 0, 1 or 2, not {card}")
        return {"problem": _filled(self.template, numbers, light), "answer": str(card)}


def _filled(template: str, numbers: Sequence[int], light: str) -> str:
    return template.format(light=light, numbers=", ".join(map(str, numbers)))


def _wrong_with(template: str) -> str:
    """What a user has to mend in a template; nothing if it is good."""
    try:
        fields = [tuple(part[1:]) for part in Formatter().parse(template) if part[1] is not None]
    except ValueError as error:
        return f"its braces do not pair ({error}); write {{{{ and }}}} for braces in the text"
    for name, spec, conversion in fields:
        if name not in _FIELDS or spec or conversion:
            whole = f"{name}{'!' + conversion if conversion else ''}{':' + spec if spec else ''}"
            return f"it has the field {{{whole}}}; there are {{light}} and {{numbers}}"
    images = _filled(template, (5, 8, 3), "GREEN").count("<image>")
    return "" if images == 1 else f"it has <image> {images} times; a problem has it once, for its one picture"


def _told(numbers: Sequence[int | None]) -> str:
    first = ", ".join("null" if number is None else str(number) for number in numbers[:5])
    return f"{len(numbers)} ({first}{', …' if len(numbers) > 5 else ''})" if numbers else "none"
