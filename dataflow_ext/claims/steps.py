"""Steps with labels for process reward models: true by proof, and false ones made of them and proven false."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from dataflow_ext.claims.checking import check
from dataflow_ext.claims.expressions import ClaimError, Expression, Name, Number, calls_of, parse, replaced
from dataflow_ext.claims.marks import Mark, marked, read_marks, stripped
from dataflow_ext.claims.proof import readings
from dataflow_ext.claims.vocabulary import Sort, World

#: By what a number is multiplied to make it false; near ones are hard to tell, far ones easy.
_FACTORS = (0.5, 0.7, 0.8, 1.25, 1.4, 2.0)


@dataclass(frozen=True, slots=True)
class Step:
    """A sentence with its marks, and whether it is true."""

    marked: str
    label: bool

    @property
    def text(self) -> str:
        """The sentence as a model reads it."""
        return stripped(self.marked)


def steps_of(text: str, world: World) -> list[Step]:
    """The proven sentences of a text with marks."""
    checked = check(text, world)
    return [Step(each.marked, True)
            for each in checked.sentences if each.verdict == "proven"]  # fmt: skip


def falsify(step: Step, world: World, draw: random.Random, called: Mapping[str, str] | None = None) -> Step | None:
    """The step with one number, thing or direction changed, in its words and its marks, so that it is false now.

    What is still true after the change is passed by; None if no change makes it false. ``called`` tells what texts call
    the names of claims, where that is more than the name: ``{"3": "Pour the tea"}``.
    """
    changed = [*_numbers(step, world), *_arguments(step, world, called or {})]
    draw.shuffle(changed)
    for text in changed:
        checked = check(text, world)
        claims = checked.claims
        if text != step.marked and any(each.verdict == "false" and each.value for each in claims):
            return Step(text, False)
    return None


def labelled(
    prompt: str, text: str, world: World, draw: random.Random, called: Mapping[str, str] | None = None
) -> list[dict[str, object]]:
    """Rows for a trainer: the proven steps of a text, all true; and the same up to one that is made false.

    A row has ``prompt``, ``completions`` and ``labels`` of the same length, as TRL's stepwise format, and ``marked``:
    the steps with their marks, by which :func:`problems_of` proves them again.
    """
    steps = steps_of(text, world)
    if not steps:
        return []
    rows = [steps]
    for i in draw.sample(range(len(steps)), len(steps)):
        false = falsify(steps[i], world, draw, called)
        if false is not None:
            rows.append([*steps[:i], false])
            break
    return [
        {"prompt": prompt, "completions": [each.text for each in row], "labels": [each.label for each in row],
         "marked": [each.marked for each in row]}
        for row in rows
    ]  # fmt: skip


def problems_of(row: dict[str, list[str]], world: World) -> Iterator[str]:
    """What is wrong with a row of labelled steps: a true one that is not proven, a false one that is not disproved."""
    for marked_text, text, label in zip(row["marked"], row["completions"], row["labels"], strict=True):
        checked = check(marked_text, world)
        if checked.text != text:
            yield f"'{text}' is not the text of its marks"
        if label and any(each.verdict != "proven" for each in checked.sentences):
            yield f"'{text}' is labelled true and is not proven"
        if not label and not any(each.verdict == "false" and each.value for each in checked.claims):
            yield f"'{text}' is labelled false and is not disproved"


def _numbers(step: Step, world: World) -> Iterator[str]:
    """The step with another number in its words."""
    plain, marks = read_marks(step.marked)
    for claim in check(step.marked, world).claims:
        if not claim.said:
            continue
        place = plain.rfind(claim.said, 0, claim.at + 1)
        for other in _others(claim.said) if place >= 0 else ():
            yield _with(plain, marks, place, claim.said, other)


def _others(said: str) -> Iterator[str]:
    """Other numbers, written as this one."""
    found = re.search(r"\d+(?:\.\d+)?", said)
    if found:
        places = len(found[0].partition(".")[2])
        for factor in _FACTORS:
            yield said[: found.start()] + f"{float(found[0]) * factor:.{places}f}" + said[found.end() :]


def _with(plain: str, marks: Sequence[Mark], place: int, old: str, new: str) -> str:
    """The text with other words at a place, the marks where they stood."""
    end, more = place + len(old), len(new) - len(old)
    moved = [Mark(mark.source, mark.at + more if mark.at >= end else mark.at) for mark in marks]
    return marked(plain[:place] + new + plain[end:], moved)


def _arguments(step: Step, world: World, called: Mapping[str, str]) -> Iterator[str]:
    """The step with another thing or direction, in words and marks."""
    plain, marks = read_marks(step.marked)
    for name, sort in _named(marks, world):
        words = re.compile(rf"(?<!\w){re.escape(called.get(name, name.replace('_', ' ')))}(?!\w)", re.IGNORECASE)
        if not words.search(plain):
            continue
        known = sorted(world.names()) if sort.thing else [each for each in called if world.find(sort.name, each, "")]
        for new in sort.words or known:
            other = called.get(new, new)
            if new.casefold() == name.casefold() or words.search(other):
                continue
            text, renamed = plain, [Mark(_renamed(mark.source, name, new), mark.at) for mark in marks]
            while found := words.search(text):
                more = len(other) - len(found[0])
                put = other if found.start() else other[:1].upper() + other[1:]
                text = text[: found.start()] + put + text[found.end() :]
                renamed = [Mark(m.source, m.at + more if m.at >= found.end() else m.at) for m in renamed]
            yield marked(text, renamed)


def _named(marks: Sequence[Mark], world: World) -> list[tuple[str, Sort]]:
    found: dict[tuple[str, str], Sort] = {}
    for mark in marks:
        try:
            expression = parse(mark.source)
            reading = next(readings(expression, world))
        except (ClaimError, StopIteration):
            continue
        for call in calls_of(expression):
            for argument in reading[id(call)][2] if id(call) in reading else ():
                found[argument.name, argument.sort.name] = argument.sort
    return [(name, sort) for (name, _), sort in found.items()]


def _renamed(source: str, old: str, new: str) -> str:
    try:
        expression: Expression = parse(source)
    except ClaimError:
        return source
    return str(replaced(expression, _argument(old), _argument(new)))


def _argument(name: str) -> Expression:
    return Number(name) if name.isdecimal() else Name(name)
