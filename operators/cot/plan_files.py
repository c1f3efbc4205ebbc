"""Plans out of ``causal_plan_with_keyframes.json``: cleaned texts, and what is wrong told by JSON path."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Iterator
from typing import Any

from dataflow_ext import InputError
from dataflow_ext.errors import Problems
from dataflow_ext.well_formed import short
from operators.cot.plan import (
    Affordance,
    CausalChain,
    Failure,
    Hotspot,
    Interaction,
    KeyFrame,
    Plan,
    Spatial,
    Step,
)

#: A longer file, or one with more steps, is no plan.
MOST_BYTES, _MOST_STEPS = 32 * 2**20, 1_000
_LARGEST = 2**63 - 1
#: Characters that are letters by their category and yet nothing to be seen.
_FILLERS = re.compile("[\u034f\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0]")


class PlanError(InputError):
    """A plan cannot be used; the message names up to five problems by their JSON paths."""


def parse_plan(data: bytes) -> Plan:
    """The plan that a file's bytes hold: texts on one line, what is optional and missing or null as "" or [].

    Unknown keys are ignored. Dropped are invisible characters, empty names of objects and affordances, and
    relations and affordances that have no name, no objects or no types. Raises :class:`PlanError`.

    >>> plan = parse_plan(b'{"high_level_goal": "Tea.", "steps": [{"step_id": 1, "step_goal": "Boil\\\\nwater."}]}')
    >>> plan.steps[0].step_goal
    'Boil water.'
    >>> parse_plan(b'{"high_level_goal": "Tea.", "steps": [{"step_id": true, "step_goal": ""}]}')
    Traceback (most recent call last):
    ...
    operators.cot.plan_files.PlanError: $.steps[0].step_id: a whole number from 1 is wanted, this is true; \
$.steps[0].step_goal: it is empty.
    """
    whole = _parsed(data)
    reading = _Reading()
    if isinstance(whole, dict):
        goal = reading.text(whole, "high_level_goal", "$", needed=True)
        steps = _steps(whole, reading)
    else:
        reading.wrong("$", f"an object is wanted, this is {_shown(whole)}")
    reading.close()
    return Plan(goal, steps)


def cleaned(text: str) -> str:
    """A text on one line, without invisible characters; ``ValueError`` if it holds half of a surrogate pair.

    >>> cleaned(" the\\u2028 red\\u200b\\tcup\\x00 ")
    'the red cup'
    """
    if not text.isprintable():
        text.encode()
        text = "".join(c for c in text if c.isspace() or unicodedata.category(c) not in ("Cc", "Cf"))
    elif text.isascii() and "  " not in text:
        return text.strip()
    if not text.isascii():
        text = _FILLERS.sub("", text)
    return " ".join(text.split())


class _Reading(Problems):
    """Values of wanted types out of JSON, and what was wrong with others."""

    def __init__(self) -> None:
        super().__init__(PlanError)
        self._texts: dict[str, str] = {}  # names come again and again: each is cleaned, and kept, once

    def text(self, holder: dict[str, Any], key: str, path: str, *, needed: bool = False) -> str:
        """The text under a key."""
        value = holder.get(key)
        if value is None:
            if needed:
                self.wrong(f"{path}.{key}", "it is missing")
            return ""
        text = self._texts.get(value) if type(value) is str else None
        if text is None:
            text = self._cleaned(value, f"{path}.{key}")
        if needed and text == "":
            self.wrong(f"{path}.{key}", "it is empty")
        return text or ""

    def texts(self, holder: dict[str, Any], key: str, path: str) -> list[str]:
        """The texts in the list under a key, without empty ones."""
        values = holder.get(key)
        if values is None:
            return []
        if not isinstance(values, list):
            self.wrong(f"{path}.{key}", f"a list of texts is wanted, this is {_shown(values)}")
            return []
        found = []
        for i, value in enumerate(values):
            text = self._texts.get(value) if type(value) is str else None
            if text or (text is None and (text := self._cleaned(value, f"{path}.{key}[{i}]"))):
                found.append(text)
        return found

    def within(self, holder: dict[str, Any], key: str, path: str) -> dict[str, Any]:
        """The object under a key."""
        value = holder.get(key)
        if value is None:
            return {}
        if not isinstance(value, dict):
            self.wrong(f"{path}.{key}", f"an object is wanted, this is {_shown(value)}")
            return {}
        return value

    def each(self, holder: dict[str, Any], key: str, path: str) -> Iterator[tuple[dict[str, Any], str]]:
        """The objects in the list under a key, with their paths."""
        values = holder.get(key)
        if values is None:
            return
        if not isinstance(values, list):
            self.wrong(f"{path}.{key}", f"a list of objects is wanted, this is {_shown(values)}")
            return
        for i, value in enumerate(values):
            if isinstance(value, dict):
                yield value, f"{path}.{key}[{i}]"
            else:
                self.wrong(f"{path}.{key}[{i}]", f"an object is wanted, this is {_shown(value)}")

    def count(self, holder: dict[str, Any], key: str, path: str) -> int:
        """The whole number from 1 under a key; 0 if there is none."""
        value = holder.get(key)
        if value is None:
            self.wrong(f"{path}.{key}", "it is missing")
        elif type(value) is not int or not 1 <= value <= _LARGEST:
            self.wrong(f"{path}.{key}", f"a whole number from 1 is wanted, this is {_shown(value)}")
        else:
            return value
        return 0

    def _cleaned(self, value: object, path: str) -> str | None:
        """A text as it is to be; None if it is none."""
        if not isinstance(value, str):
            self.wrong(path, f"a text is wanted, this is {_shown(value)}")
            return None
        try:
            return self._texts.setdefault(value, cleaned(value))
        except ValueError:
            self.wrong(path, "it holds half of a surrogate pair, which is no character")
            return None


def _parsed(data: bytes) -> Any:
    if len(data) > MOST_BYTES:
        raise PlanError(f"{len(data):,} bytes are no plan; the most is {MOST_BYTES:,}.")
    try:
        return json.loads(data.decode("utf-8-sig"), parse_constant=_no_constant)
    except UnicodeDecodeError as error:
        raise PlanError(f"not UTF-8 (byte {error.start}); save it as UTF-8.") from None
    except RecursionError:
        raise PlanError("not JSON that can be read: it is nested too deep.") from None
    except ValueError as error:
        raise PlanError(f"not JSON ({error}).") from None


def _no_constant(name: str) -> None:
    raise ValueError(f"{name} is no number in JSON")


def _steps(whole: dict[str, Any], reading: _Reading) -> list[Step]:
    given = whole.get("steps")
    if given is None or given == []:
        reading.wrong("$.steps", "it is missing" if given is None else "it is empty")
    elif isinstance(given, list) and len(given) > _MOST_STEPS:
        reading.wrong("$.steps", f"{len(given):,} steps are no plan; the most is {_MOST_STEPS:,}")
        return []
    steps = []
    first: dict[int, str] = {}
    for value, path in reading.each(whole, "steps", "$"):
        step = _step(value, path, reading)
        if step.step_id in first:
            reading.wrong(f"{path}.step_id", f"{step.step_id} is used already by {first[step.step_id]}")
        elif step.step_id:
            first[step.step_id] = path
        steps.append(step)
    return steps


def _step(value: dict[str, Any], path: str, reading: _Reading) -> Step:
    failure, its_path = reading.within(value, "failure_reflecting", path), f"{path}.failure_reflecting"
    return Step(
        step_id=reading.count(value, "step_id", path),
        step_goal=reading.text(value, "step_goal", path, needed=True),
        rationale=reading.text(value, "rationale", path),
        causal_chain=_chain(value, path, reading),
        counterfactual_challenge_question=reading.text(value, "counterfactual_challenge_question", path),
        expected_challenge_outcome=reading.text(value, "expected_challenge_outcome", path),
        failure_reflecting=Failure(
            reading.text(failure, "reason", its_path), reading.text(failure, "recovery_strategy", its_path)
        ),
        critical_frames=_frames(value, path, reading),
    )


def _chain(holder: dict[str, Any], path: str, reading: _Reading) -> CausalChain:
    value, path = reading.within(holder, "causal_chain", path), f"{path}.causal_chain"
    return CausalChain(
        agent=reading.text(value, "agent", path),
        action=reading.text(value, "action", path),
        patient=reading.text(value, "patient", path),
        causal_precondition_on_spatial=_spatial(value, "causal_precondition_on_spatial", path, reading),
        causal_precondition_on_affordance=_affordances(value, "causal_precondition_on_affordance", path, reading),
        causal_effect_on_spatial=_spatial(value, "causal_effect_on_spatial", path, reading),
        causal_effect_on_affordance=_affordances(value, "causal_effect_on_affordance", path, reading),
    )


def _spatial(holder: dict[str, Any], key: str, path: str, reading: _Reading) -> list[Spatial]:
    relations = []
    for value, its_path in reading.each(holder, key, path):
        relation, objects = reading.text(value, "relation", its_path), reading.texts(value, "objects", its_path)
        truth = value.get("truth", True)
        if not isinstance(truth, bool):
            reading.wrong(f"{its_path}.truth", f"true or false is wanted, this is {_shown(truth)}")
        elif relation and objects:
            relations.append(Spatial(relation, objects, truth))
    return relations


def _affordances(holder: dict[str, Any], key: str, path: str, reading: _Reading) -> list[Affordance]:
    affordances = []
    for value, its_path in reading.each(holder, key, path):
        name, types = reading.text(value, "object_name", its_path), reading.texts(value, "affordance_types", its_path)
        reasons = reading.text(value, "reasons", its_path)
        if name and types:
            affordances.append(Affordance(name, types, reasons))
    return affordances


def _frames(holder: dict[str, Any], path: str, reading: _Reading) -> list[KeyFrame]:
    given = holder.get("critical_frames")
    if isinstance(given, list) and len(given) != 2:
        reading.wrong(f"{path}.critical_frames", f"two frames are wanted, start and end, these are {len(given):,}")
        return []
    return [
        KeyFrame(
            reading.count(value, "frame_index", its_path),
            reading.text(value, "action_state_change_description", its_path),
            _chain(value, its_path, reading),
            _interaction(value, its_path, reading),
        )
        for value, its_path in reading.each(holder, "critical_frames", path)
    ]


def _interaction(holder: dict[str, Any], path: str, reading: _Reading) -> Interaction:
    value, path = reading.within(holder, "interaction", path), f"{path}.interaction"
    spot, its_path = reading.within(value, "hotspot", path), f"{path}.hotspot"
    texts = (reading.text(spot, key, its_path) for key in ("description", "affordance_type", "mechanism"))
    return Interaction(reading.texts(value, "tools", path), reading.texts(value, "materials", path), Hotspot(*texts))


def _shown(value: object) -> str:
    """A value from outside as messages show it: short, on one line."""
    if isinstance(value, list | dict):
        return "a list" if isinstance(value, list) else "an object"
    if isinstance(value, int) and abs(value) > 10**40:
        return "a huge number"
    return short(json.dumps(value), 60)
