"""The answer in the reply of a blind solver."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.onevision.rewriting.replies import unwrapped
from operators.onevision.rewriting.requests import readable
from operators.verify.answer import Option

#: A line that gives the answer, with what models put around the word.
_ANSWER = re.compile(
    r"^[\s*_#>\-]{0,8}(?:the\s)?(?:final\s)?(?:answer|答案)(?:\s?(?:is|是))?[\s*_]{0,4}[:：](?P<said>.*)$",
    re.IGNORECASE,
)
_TAGGED = re.compile(r"<answer>(?P<said>[^<>]{1,400})</answer>", re.IGNORECASE)
_AROUND = '*_`"“” \t'
#: Characters of an answer; what is longer is none.
_MOST = 400


def solved(text: str, question: str, options: Sequence[Option]) -> str | None:
    """The bare answer on the last line of a reply that gives one; None if no line does, or it is "unknown".

    >>> solved("Two cars stand there.\\nAnswer: 2", "How many cars?", [])
    '2'
    >>> solved("I cannot see it.\\nAnswer: unknown", "How many cars?", []) is None
    True
    """
    from operators.verify.extraction import answer_in

    said = _said(readable(text))
    if said is None or said.casefold().rstrip(".") in ("", "unknown", "none", "n/a", "未知", "…", "..."):
        return None
    found = answer_in(said, question=question, options=options)
    return None if found is None else found.text


def _said(text: str) -> str | None:
    """What stands behind the last "Answer:", on its line or, if that is empty, on the next."""
    tagged = list(_TAGGED.finditer(text))
    lines = [line for line in unwrapped(text).splitlines() if line.strip()]
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number][: _MOST + 100]
        found = _ANSWER.match(line)
        if found is not None:
            said = found["said"].strip(_AROUND)
            if not said and number + 1 < len(lines):
                said = lines[number + 1].strip(_AROUND)
            return said if len(said) <= _MOST else None
    return tagged[-1]["said"].strip() if tagged else None
