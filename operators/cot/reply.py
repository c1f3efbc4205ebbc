"""What a model's reply holds: a reasoning and an answer, in whichever of the known forms it came."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from dataflow_ext.errors import RowError
from dataflow_ext.models.structured.extract import extract_all

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
