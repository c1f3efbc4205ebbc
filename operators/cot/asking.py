"""What a model is told of a sample beside its question, and what its reply holds."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from dataflow_ext.errors import RowError
from dataflow_ext.models.structured.extract import extract_all
from operators.cot.plan import Affordance, Plan, Step
from operators.cot.tasks.options import LETTERS
from operators.cot.tasks.task import Task
from operators.cot.texts import normalised, one_line, spoken
from operators.cot.world import conditions, effects

#: Fields that the answer, the question or other parts of the context say already, or that are only for checks.
_LEFT_OUT = frozenset(("high_level_goal", "label", "label_set", "K", "prefix_end_step", "proof"))
#: Characters of a text, and entries of a list, that are told.
_MOST_LETTERS, _MOST_ENTRIES = 400, 12

_STEP, _OPTIONS, _MARKS = "Step", "Options", "Names for marks"

Pair = tuple[str, str]


def context_of(
    task: Task, plan: Plan, step_index: int, fields: Mapping[str, Any], besides: Sequence[str]
) -> list[Pair]:
    """Names and one-line texts: the goal, the task's own fields, the steps that the reasoning is about, their facts.

    What is part of what is told ``besides`` (question, answer, required sentences), or already, is not told again.
    """
    told = [normalised(text) for text in besides]
    found: list[Pair] = []
    for name, text in _all(task, plan, step_index, fields):
        key = normalised(text)
        # A step is always named, as what follows is about it.
        if key and (name == _STEP or not any(key in each for each in told)):
            told.append(key)
            found.append(
                (name, text if name in (_OPTIONS, _MARKS) or len(text) <= _MOST_LETTERS else f"{text[:_MOST_LETTERS]}…")
            )
    return found


def _all(task: Task, plan: Plan, step_index: int, fields: Mapping[str, Any]) -> Iterator[Pair]:
    yield "High-level goal", one_line(plan.high_level_goal)
    if isinstance(options := fields.get("options"), Sequence):
        yield _OPTIONS, "; ".join(f"{letter}: {_told(each)}" for letter, each in zip(LETTERS, options, strict=False))
    for name, value in fields.items():
        if name not in _LEFT_OUT and name != "options":
            yield spoken(name).capitalize(), _told(value)
    of = task.anchor_steps(plan, step_index, fields)
    for step in plan.steps:
        if step is of.conditions:
            yield from _needs(step)
        elif step is of.effects or step is of.failure:
            yield _STEP, one_line(step.step_goal)
        if step is of.effects:
            yield from _whys(step.causal_chain.causal_effect_on_affordance)
    steps = {step.step_id: step for step in (of.conditions, of.effects)}.values()
    facts = (f"{name} {fact.text}" for step in steps for name, fact in (*conditions(step), *effects(step)))
    yield _MARKS, "; ".join(facts)


def _needs(step: Step) -> Iterator[Pair]:
    yield _STEP, one_line(step.step_goal)
    yield "Its rationale", one_line(step.rationale)
    yield "Its action", one_line(step.causal_chain.action)
    yield from _whys(step.causal_chain.causal_precondition_on_affordance)


def _whys(affordances: Sequence[Affordance]) -> Iterator[Pair]:
    """Why an object is what a required sentence says of it."""
    for each in affordances[:1]:
        kinds = ", ".join(spoken(kind) for kind in each.affordance_types[:2])
        yield f"Why the {spoken(each.object_name)} is {kinds}", one_line(each.reasons)


def _told(value: object) -> str:
    """A field as one line; numbers alone are left out, as a reasoning names no steps by number."""
    if isinstance(value, str):
        return one_line(value)
    if isinstance(value, Mapping):
        # Of an effect that establishes a condition, the condition is what the answer names.
        return _told([value["condition"]] if "condition" in value else list(value.values()))
    if isinstance(value, Sequence):
        return "; ".join(dict.fromkeys(text for each in value[:_MOST_ENTRIES] if (text := _told(each))))
    return ""


#: The shape that is asked for, as JSON schema.
REPLY_SCHEMA: Mapping[str, object] = {
    "type": "object",
    "properties": {"reasoning": {"type": "string"}, "answer": {"type": "string"}},
    "required": ["reasoning", "answer"],
    "additionalProperties": False,
}

_NEITHER = (
    'the reply holds no JSON object {"reasoning": "...", "answer": "..."}, and no <think>reasoning</think> with the '
    "answer behind it"
)
_OPEN, _CLOSE = r"<(?:think|thinking|reasoning)>", r"</(?:think|thinking|reasoning)>"
_THOUGHT = re.compile(rf"\s*{_OPEN}(?P<thought>.*?){_CLOSE}(?P<rest>.*)", re.DOTALL | re.IGNORECASE)
_OPENED, _CLOSED = re.compile(_OPEN, re.IGNORECASE), re.compile(_CLOSE, re.IGNORECASE)
_EDGE = re.compile(rf"^\s*{_OPEN}|{_CLOSE}\s*$", re.IGNORECASE)
_KEYED = re.compile(r'\{\s*["“\']?(?:reasoning|answer|assistant_text)["”\']?\s*[:：]', re.IGNORECASE)
#: A code fence with thoughts in it, wherever it stands.
_FENCED = re.compile(
    rf"^\s*(?P<fence>`{{3,}}|~{{3,}})\w*\n(?P<inside>\s*{_OPEN}.*?)\n\s*(?P=fence)\s*$",
    re.DOTALL | re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Said:
    """A reasoning and an answer, as a model wrote them."""

    reasoning: str
    answer: str


def read_reply(text: str) -> Said:
    """What a reply says; of several objects the last one counts. ValueError if nothing can be read.

    Read are an object with ``reasoning`` and ``answer``, one whose ``assistant_text`` is
    ``<think>reasoning</think>`` and the answer, and that text without any JSON: in code fences or not, with
    whatever is said before or behind them, and behind the thoughts that a server passes on before the reply itself.
    Keys may have any capitals. What is said behind an answer without JSON cannot be told from it.

    >>> read_reply('```json\\n{"reasoning": "The cup is clean.", "answer": "B"}\\n```')
    Said(reasoning='The cup is clean.', answer='B')
    >>> read_reply("Sure!\\n<think>They want JSON.</think><think>The cup is clean.</think>\\nB")
    Said(reasoning='The cup is clean.', answer='B')
    """
    text = text.lstrip("\ufeff").strip()
    if (fenced := _FENCED.search(text)) is not None and "{" not in text[: fenced.start()]:
        text = fenced["inside"].strip()
    opened = _OPENED.search(text)
    if opened is not None and "{" not in text[: opened.start()]:
        return _from_thought(text[opened.start() :])
    try:
        return _from_json(_without_thoughts(text))
    except ValueError:
        if opened is None or _looks_like_json(text):
            raise
    return _from_thought(text[opened.start() :])


def _from_thought(text: str) -> Said:
    """What a text says that begins with a thought."""
    thought = _THOUGHT.fullmatch(text)
    if thought is None:
        raise RowError("the reply is cut off within its reasoning")
    return _behind(thought["thought"], thought["rest"])


def _behind(thought: str, rest: str) -> Said:
    """What follows a thought: a reply of its own, or the answer to which the thought is the reasoning."""
    if _OPENED.match(rest.strip()):
        return read_reply(rest)
    if "{" in rest:
        try:
            return _from_json(rest)
        except ValueError:
            if _looks_like_json(rest):
                raise
    return _checked(thought, rest)


def _without_thoughts(text: str) -> str:
    """The text from its first brace on, thoughts before it left out even if the server swallowed their opening tag."""
    end = _CLOSED.search(text)
    first, opened = text.find("{"), _OPENED.search(text)
    if end is not None and (opened is None or opened.start() > end.start()):
        # A closing tag that nothing opened: all before it are thoughts, drafts of the reply included.
        inside = first != -1 and first < end.start() and text.find("{", end.end()) == -1
        text = text if inside else text[end.end() :]
        first = text.find("{")
    # From the brace on, so that tags in the object's strings are not taken for a server's.
    return text[first:] if first != -1 else ""


def _from_json(text: str) -> Said:
    if "{" not in text:
        raise RowError(_NEITHER)
    found = extract_all(text[text.index("{") :])
    if any(each.cut for each in found):
        raise RowError("the reply is cut off, its JSON has no end")
    for each in reversed(found):
        if isinstance(each.value, Mapping):
            said = _said(each.value)
            if said is not None:
                return said
    raise RowError(_NEITHER)


def _said(value: Mapping[str, Any]) -> Said | None:
    value = {str(key).strip().lower(): each for key, each in value.items()}
    whole = value.get("assistant_text")
    if isinstance(whole, str):
        thought = _THOUGHT.fullmatch(whole)
        return None if thought is None else _checked(thought["thought"], thought["rest"])
    reasoning, answer = value.get("reasoning"), _text(value.get("answer"))
    if not isinstance(reasoning, str) or answer is None:
        return None
    return _checked(_EDGE.sub("", reasoning), answer)


def _text(answer: object) -> str | None:
    """An answer as text: of a number its digits, of a list its lines."""
    if isinstance(answer, list) and all(isinstance(each, str) for each in answer):
        return "\n".join(answer)
    if isinstance(answer, int) and not isinstance(answer, bool):
        return str(answer)
    return answer if isinstance(answer, str) else None


def _checked(reasoning: str, answer: str) -> Said:
    if not reasoning.strip():
        raise RowError("the reply has no reasoning")
    if not answer.strip():
        raise RowError("the reply has no answer")
    return Said(reasoning.strip(), answer.strip())


def _looks_like_json(text: str) -> bool:
    return _KEYED.search(text) is not None
