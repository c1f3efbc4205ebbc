"""Phrases that a reasoning must not hold: leaks, tags and talk about the task, and guesses."""

from __future__ import annotations

import re

from dataflow_ext.text import patterns
from operators.onevision.checking.material import Material, quoted
from operators.onevision.model.records import Check
from operators.onevision.model.sentences import sentences
from operators.onevision.rewriting.vague import is_vague

#: What takes its answer from elsewhere; talk of the text that describes the picture, which who looks at the
#: picture does not have; tags and talk about the task; and what each of them holds.
_PATTERNS = patterns(__package__, "phrases.tsv")
_LEAK = re.compile(rf"\b(?:{_PATTERNS['leak']})", re.IGNORECASE)
_LEAK_CHINESE = re.compile(_PATTERNS["leak, Chinese"])
_DESCRIBED = re.compile(rf"\b(?:{_PATTERNS['described']})", re.IGNORECASE)
_DESCRIBED_CHINESE = re.compile(_PATTERNS["described, Chinese"])
_TAG = re.compile(_PATTERNS["tag"], re.IGNORECASE | re.MULTILINE)
_OF_LEAKS, _OF_TAGS = (_PATTERNS[name].split("|") for name in ("near leak", "near tag"))
_NOUNS = ("description", "caption", "描述")


def phrase_checks(row: Material) -> list[Check]:
    """The checks of leaks and tags, which are none where the question uses them itself, and of guesses."""
    if row.thinking is None:
        return [
            Check(code, "not run", "there is no reasoning")
            for code in ("rewrite.leak", "rewrite.tags", "rewrite.vague")
        ]
    low = " ".join(row.thinking.lower().split())
    leak = _found(_LEAK, row.thinking, row.question) if any(map(low.__contains__, _OF_LEAKS)) else None
    if not row.thinking.isascii():
        leak = leak or _found(_LEAK_CHINESE, row.thinking, row.question)
    leak = leak or _described(row, row.thinking)
    tag = _found(_TAG, row.thinking, row.question) if any(map(low.__contains__, _OF_TAGS)) else None
    vague = next((each for each in sentences(row.thinking) if is_vague(each)), None)
    return [
        _check("rewrite.leak", leak, "it takes its answer from elsewhere: {}"),
        _check("rewrite.tags", tag, "it holds {}"),
        _check("rewrite.vague", vague, "it guesses: {}"),
    ]


def _found(pattern: re.Pattern[str], text: str, question: str) -> str | None:
    """The first place of a pattern in a text that does not stand in the question, too."""
    for found in pattern.finditer(text):
        if found[0].casefold() not in question.casefold():
            return found[0]
    return None


def _described(row: Material, thinking: str) -> str | None:
    """Where a reasoning speaks of the picture's description, unless the picture or the question has one of its own."""
    shown = "\n".join((row.question, row.description, *row.read, *(option.text for option in row.options))).casefold()
    if not any(noun in thinking.casefold() for noun in _NOUNS):
        return None
    for pattern in (_DESCRIBED, _DESCRIBED_CHINESE):
        for found in pattern.finditer(thinking):
            if all(noun not in shown for noun in _NOUNS if noun in found[0].casefold()):
                return found[0]
    return None


def _check(code: str, found: str | None, note: str) -> Check:
    return Check(code, "failed", note.format(quoted(found))) if found is not None else Check(code, "passed")
