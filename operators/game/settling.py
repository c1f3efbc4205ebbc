"""How the three values of a round settle each other: by sureness, by the rule, and by further looks."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from operators.game.rounds import (
    CardUnsure,
    Found,
    Light,
    LightUnsure,
    Look,
    NumbersUnsure,
    Reading,
    RoundContradiction,
    UnsureError,
    agrees,
    asked_for,
    told,
)

#: What is read in a round, with the column of its reading.
FIELDS = {"numbers": "numbers_read", "light": "light_read", "card": "card_read"}
READINGS = dict.fromkeys(FIELDS.values(), Reading)
#: The columns of a round that was read: its values, null for nothing, and where they come from.
READ: Mapping[str, Any] = {"numbers": list[int] | None, "light": Light | None, "card": int | None, **READINGS}
_ERRORS = {"numbers": NumbersUnsure, "light": LightUnsure, "card": CardUnsure}
#: How sure a value is that two looks agree on, that the rule leaves, and that is disputed.
_AGREED, _LEFT, _DISPUTED = 0.95, 0.85, 0.5
#: What is less sure is a guess: that it goes by the rule is chance, one in three.
_GUESS = 0.35


@dataclass(frozen=True, slots=True)
class Round:
    """The values of a round and where they come from, both by field."""

    values: Mapping[str, Any]
    readings: Mapping[str, Reading]

    def seen(self, field: str, value: Any, look: Look) -> Round:
        """The round after one more look; its reading counts if it brought another value or more sureness."""
        old = self.readings[field]
        looks = [*old.looks, look]
        if value == self.values[field]:
            reading = replace(old, confidence=look.confidence, looks=looks)
        else:
            reading = Reading(look.by, look.confidence, look.reason, looks)
        return Round({**self.values, field: value}, {**self.readings, field: reading})

    def noted(self, field: str, look: Look) -> Round:
        """The round with a look on record that changes nothing."""
        old = self.readings[field]
        return Round(self.values, {**self.readings, field: replace(old, looks=[*old.looks, look])})

    def forgotten(self, field: str, why: str) -> Round:
        """The round without a value that was seen in a wrong place; what was seen stays on record."""
        reading = Reading("none", 0.0, why, self.readings[field].looks)
        return Round({**self.values, field: None}, {**self.readings, field: reading})

    def unsure(self, sure: float) -> list[str]:
        """The fields whose reading is below ``sure``."""
        return [field for field in FIELDS if self.readings[field].confidence < sure]

    def told_by_model(self, field: str) -> bool:
        """Whether a value rests on the model's word, which nothing else that was seen agrees with."""
        reading = self.readings[field]
        return reading.by == "vlm" and reading.confidence < _AGREED

    @property
    def consistent(self) -> bool:
        """Whether the card is the one that the rule asks for."""
        known = all(self.values[field] is not None for field in FIELDS)
        return known and agrees(self.values["numbers"], self.values["light"], self.values["card"])


def round_of(row: Mapping[str, Any]) -> Round:
    """The three values of a row, with their readings."""
    return Round({field: row[field] for field in FIELDS}, {field: row[column] for field, column in FIELDS.items()})


def settled(made: Round, rule: bool, sure: float) -> tuple[Round, str] | UnsureError:
    """The round as it is used, with how the rule judged it, or why it is not used.

    A light or a card that is unsure is settled by the rule if all else is sure: another light would ask for
    another card. Guesses are not, and numbers are not: the same card may be right for other numbers, too. Nor
    is what a model says settled by what the same model says of another value.
    """
    unsure = made.unsure(sure)
    if not rule:
        return unsure_error(made, unsure[0]) if unsure else (made, "not applied")
    if guessed := [field for field in unsure if made.readings[field].confidence < _GUESS]:
        return unsure_error(made, guessed[0])
    if not made.consistent:
        return contradiction(made)
    if unsure and (unsure[0] == "numbers" or len(unsure) > 1 or _props_itself(made, unsure[0])):
        return unsure_error(made, unsure[0])
    wanted = asked_for(made.values["numbers"], made.values["light"])
    verdict = "agrees"
    if made.values["card"] != wanted:  # twins: the leftmost counts
        look = Look("rule", told(wanted), made.readings["card"].confidence, "the leftmost of equal cards counts")
        made, verdict = made.seen("card", wanted, look), "agrees, with the leftmost of equal cards"
    for field in unsure:
        value = made.values[field]
        made = made.seen(field, value, Look("rule", told(value), _LEFT, "the rule leaves only this"))
        verdict = f"agrees, which settles the unsure {field}"
    return made, verdict


def _props_itself(made: Round, field: str) -> bool:
    """Whether a value of the model's would be settled by another that is the model's, too."""
    return made.told_by_model(field) and any(made.told_by_model(other) for other in FIELDS if other != field)


def unsure_error(made: Round, field: str) -> UnsureError:
    """The error of a round in which this field is unsure."""
    reading = made.readings[field]
    return _ERRORS[field](f"{reading.reason} ({told(made.values[field])}, confidence {reading.confidence:.2f}).")


def contradiction(made: Round) -> RoundContradiction:
    """The error of a round whose values do not go together."""
    numbers, light, card = (made.values[field] for field in FIELDS)
    return RoundContradiction(
        f"the numbers {told(numbers)} and the light {light} ask for card {asked_for(numbers, light)}, "
        f"but card {card} is marked as the right one."
    )


def with_found(made: Round, field: str, found: Found) -> Round:
    """The round after one more look at its light or its card; of two that differ the surer one counts, as unsure.

    Two looks that agree make it no surer than the better one: the same rules may err twice in the same way.
    """
    look, old = found.look, made.readings[field]
    if found.value is None:
        return made.noted(field, look)
    if made.values[field] is None:
        return made.seen(field, found.value, look)
    if found.value == made.values[field]:
        return made.seen(field, found.value, replace(look, confidence=max(old.confidence, look.confidence)))
    if look.confidence > old.confidence:
        return made.seen(field, found.value, replace(look, confidence=_DISPUTED))
    first = made.values[field]
    why = f"another look saw {told(found.value)}: {look.reason}"
    return made.seen(field, first, Look(look.by, told(first), _DISPUTED, why))


def with_model(made: Round, answers: Mapping[str, Any], rule: bool) -> Round | None:
    """The round after a model was asked about all of it; None if it cannot be told who is right.

    What both saw is sure. If they differ in one value and the rule allows one of the two, that one is taken;
    the model's only if the other values do not rest on its word.
    An answer that is a Look is one that could not be read; it goes on record.
    """
    for field, answer in answers.items():
        if isinstance(answer, Look):
            made = made.noted(field, answer)
    answers = {field: answer for field, answer in answers.items() if not isinstance(answer, Look)}
    disputed = [field for field, value in answers.items() if value != made.values[field]]
    for field, value in answers.items():
        # A value that is the model's own gets no surer by asking it again.
        if field not in disputed and made.readings[field].by != "vlm":
            made = made.seen(field, value, Look("vlm", told(value), _AGREED, "the model sees the same"))
    if not disputed:
        return made
    if len(disputed) > 1 or not rule:
        return None
    [field] = disputed
    said = told(answers[field])
    if made.values[field] is None and any(
        look.by == "vlm" and look.value == said for look in made.readings[field].looks
    ):
        # What further looks have spoken against is no truer for being said again.
        return None
    options = [made.values[field], answers[field]]
    allowed = [v for v in options if Round({**made.values, field: v}, made.readings).consistent]
    if len(allowed) != 1:
        return None
    why = f"the rules saw {told(options[0])}, the model {told(options[1])}, and the game's rule allows the one"
    if allowed[0] == options[1]:
        if any(made.told_by_model(other) for other in FIELDS if other != field):
            return None
        return made.seen(field, allowed[0], Look("vlm", told(allowed[0]), _LEFT, why))
    other = f"the model sees another than the {made.readings[field].by}"
    made = made.noted(field, Look("vlm", told(options[1]), _DISPUTED, other))
    return made.seen(field, allowed[0], Look("rule", told(allowed[0]), _LEFT, why))
