"""What is wrong with what is said: the human turn, and the assistant's turn with its reasoning and its answer."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dataflow_ext.claims.closing import Closing
from operators.cot.problems import Problem
from operators.cot.rules.invisible import LINE_BREAKS, control_problems
from operators.cot.rules.language import language_problems
from operators.cot.rules.leaks import leak_problems
from operators.cot.rules.paragraph import answer_problems, line_problems, list_problems
from operators.cot.rules.required import Placed, placed, without
from operators.cot.rules.vocabulary import Vocabulary, words_of

_OPEN, _CLOSE = "<think>", "</think>"
_TAG = re.compile(r"<\s*/?\s*think\b[^>]*>?|</?\s*think", re.IGNORECASE)
_FEWEST_WORDS = 4
_FEWEST_EASTERN = 6


def split_response(response: str) -> tuple[str, str] | None:
    """Reasoning and answer of an assistant's turn that has the form to the letter, else None.

    >>> split_response("<think>A holds. So B.</think>\\nB\\n")
    ('A holds. So B.', 'B')
    >>> split_response("<think>A holds. So B.</think>B") is None
    True
    """
    if not (response.startswith(_OPEN) and response.endswith("\n")):
        return None
    reasoning, closed, answer = response[len(_OPEN) : -1].partition(_CLOSE + "\n")
    if not closed or not answer.strip() or reasoning != reasoning.strip(" ") or _TAG.search(reasoning + answer):
        return None
    return None if answer[0] in LINE_BREAKS or answer[-1] in LINE_BREAKS else (reasoning, answer)


def response_problems(
    response: str,
    answer: str,
    anchors: Sequence[str],
    known: Vocabulary,
    *,
    place: str = "",
    closing: Closing | None = None,
) -> list[Problem]:
    """What is wrong with an assistant's turn, given the gold answer, the required sentences and the plan's words.

    ``place`` is the path of the plan, whose folders nothing may tell, ``closing`` what the last sentence
    may name.
    """
    problems = control_problems(response, "the response", known)
    parts = split_response(response)
    if parts is None:
        problems.append(Problem("response.form", _wrong_form(response)))
        parts = _loosely_split(response)
        if parts is None:
            return problems
    reasoning, answered = parts
    required = placed(reasoning, anchors)
    problems += _reasoning_problems(reasoning, required, answer, anchors, known, place)
    if closing is not None:
        problems += _closing_problems(required.after.strip(), closing)
    if answered != answer:
        problems.append(Problem("answer.text", f"the answer is {_short(answered)}, not {_short(answer)}"))
    problems += leak_problems(answered, "the answer", known, place)
    return problems


def question_problems(question: str, expected: str, known: Vocabulary, *, place: str = "") -> list[Problem]:
    """What is wrong with a human turn, given the task's question and the path of the plan."""
    problems = control_problems(question, "the question", known)
    if not LINE_BREAKS.isdisjoint(question):
        problems.append(Problem("question.lines", "the question has line breaks"))
    if question != expected:
        problems.append(Problem("question.text", f"the question is {_short(question)}, not {_short(expected)}"))
    return problems + leak_problems(question, "the question", known, place)


def _reasoning_problems(
    reasoning: str,
    required: Placed,
    answer: str,
    anchors: Sequence[str],
    known: Vocabulary,
    place: str,
) -> Iterator[Problem]:
    yield from line_problems(reasoning, known)
    empty = not any(map(str.isalnum, reasoning))
    if empty:
        yield Problem("think.empty", "there is no reasoning")
    yield from required.problems
    if not empty and not _says_something(without(required.after, anchors)):
        yield Problem("think.conclusion", f"what follows the last required sentence is {_short(required.after)}")
    outside = "\n".join(required.between)
    yield from list_problems(outside, known)
    yield from answer_problems(outside, answer)
    yield from language_problems(outside, known)
    yield from leak_problems(reasoning, "the reasoning", known, place)


def _closing_problems(after: str, closing: Closing) -> Iterator[Problem]:
    """A closing sentence that names a rival or denies the gold; a warning for one that does not name the gold."""
    if closing.end_of(after):
        return
    last = closing.last(after)
    errors = closing.errors(last)
    yield from (Problem("closing.rival", told) for told in errors)
    if last and not errors:
        yield from (Problem("closing.gold", told, "warning") for told in closing.warnings(last))


def _says_something(text: str) -> bool:
    words = words_of(text)
    return len(words) >= _FEWEST_WORDS or (not text.isascii() and sum(map(len, words)) >= _FEWEST_EASTERN)


def _wrong_form(response: str) -> str:
    tags = _TAG.findall(response)
    if tags.count(_OPEN) != 1 or tags.count(_CLOSE) != 1 or len(tags) != len((_OPEN, _CLOSE)):
        return f"the response needs {_OPEN} and {_CLOSE} once each, and has {', '.join(tags) or 'neither'}"
    if not response.startswith(_OPEN):
        return f"the response does not start with {_OPEN}"
    if _CLOSE + "\n" not in response:
        return f"no line break follows {_CLOSE}"
    if not response.endswith("\n"):
        return "the response does not end with a line break"
    return "the response has spaces or line breaks at the ends of its reasoning or of its answer"


def _loosely_split(response: str) -> tuple[str, str] | None:
    """Reasoning and answer of a turn that is not in form, so that more can be said about it; None if there are none."""
    tags = list(_TAG.finditer(response))
    opening = next((tag for tag in tags if "/" not in tag.group()), None)
    closing = next((tag for tag in reversed(tags) if "/" in tag.group()), None)
    if opening is None or closing is None or closing.start() < opening.end():
        return None
    return response[opening.end() : closing.start()].strip(" "), response[closing.end() :].strip()


def _short(text: str, size: int = 60) -> str:
    return repr(text if len(text) <= size else text[: size - 1] + "…")
