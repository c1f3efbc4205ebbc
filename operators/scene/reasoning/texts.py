"""The texts of a turn: taken apart from their claims, put together again, proven, and without what none may hold."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dataflow_ext.claims import Checked, check
from dataflow_ext.claims.marks import Mark, marked
from operators.scene.claims.world import RoomWorld
from operators.scene.model.problems import placeholder_in
from operators.scene.model.records import Claimed, TurnClaims, TurnText

#: The parts of a turn's text.
PARTS = ("think", "conclusion")

#: Words of a reasoning, fewest and most; of a conclusion, most.
MIN_WORDS, MAX_WORDS, MAX_CONCLUSION = 30, 420, 80

#: How a problem of a reasoning's length begins.
LENGTH = "the reasoning has"

_TAG = re.compile(r"</?[A-Za-z_][\w -]*/?>|<\|[^|]*\|>")
_BLANK = re.compile(r"\[…\]|\{[^{}]*\}")
_CALL = re.compile(
    r"\btool_?\d+\b|\btool[ _]calls?\b|\bjids?\b|"
    r"\b(?:add|remove|move|rotate|scale|replace)_object\b|\b(?:new_)?(?:position|rotation|size)\s*=|"
    r"\bnew_(?:position|rotation|size|object_description)\b|\bobject_description\b|\bjid_to_replace\b|\bgroup_name\b",
    re.IGNORECASE,
)
_ID = re.compile(r"\b[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}\b", re.IGNORECASE)
_TOLD = re.compile(
    r"\bfact[ -]?sheet\b|\btemplate\b|\b(?:the )?(?:given|provided|listed|measured) facts\b|"
    r"\bthe (?:given|provided|listed) (?:tool )?calls?\b|\bas (?:an|a large) (?:AI|language) model\b|\bthe prompt\b",
    re.IGNORECASE,
)
_MARKUP = re.compile(r"^\s*(?:[-*•]|#+|\d+[.)]|```)\s", re.MULTILINE)
_BOLD = re.compile(r"\*\*|__|```")
#: The end of a sentence, with another one behind it; not the point of a number or of an abbreviation.
_NEXT = re.compile(r"(?<!\b[a-z])(?<!e\.g)(?<!i\.e)(?<!approx)[.!?。！？]+[\"”')]*\s+(?=\S)", re.IGNORECASE)
_END = re.compile(r"[.!?。！？][\"”')]*$")


def taken_apart(think: Checked, conclusion: Checked, template: str) -> tuple[TurnText, TurnClaims]:
    """The texts without marks, and their claims with the places where they stood."""
    found = [
        Claimed(part, each.expression, each.value, each.verdict, each.said, each.at)
        for part, checked in zip(PARTS, (think, conclusion), strict=True)
        for each in checked.claims
    ]
    return TurnText(think.text, conclusion.text, template), TurnClaims(found, round(think.proven_share, 3))


def proven_again(text: TurnText, claims: Sequence[Claimed], world: RoomWorld) -> Iterator[tuple[str, Checked]]:
    """Each part of a text, checked with its claims as marks where they are said to stand."""
    for part in PARTS:
        plain = str(getattr(text, part))
        marks = [Mark(each.expression, each.place) for each in claims if each.part == part]
        yield part, check(marked(plain, marks), world)


def accepted(checked: Checked) -> str:
    """The text with its marks, without the sentences that are false or need a claim."""
    kept = list(checked.text)
    out = [each for each in checked.sentences if each.verdict in ("false", "unclaimed")]
    marks = [Mark(each.expression, each.at) for s in checked.sentences if s not in out for each in s.claims]
    for sentence in reversed(out):
        start, end = sentence.start, sentence.start + len(sentence.text)
        while end < len(kept) and kept[end] == " ":
            end += 1
        del kept[start:end]
        marks = [Mark(m.source, m.at - (end - start) if m.at > start else m.at) for m in marks]
    return marked("".join(kept), marks)


def form_problems(think: str, conclusion: str) -> list[str]:
    """What is wrong with the form of a turn's two texts, each in one sentence.

    >>> form_problems("The desk stands free. " * 10, "I move the desk. Then I rest.")
    ['the conclusion is not exactly one sentence']
    """
    return [*_length_problems(think, conclusion), *_word_problems(think, conclusion)]


def _length_problems(think: str, conclusion: str) -> Iterator[str]:
    words = _words(think)
    if not MIN_WORDS <= words <= MAX_WORDS:
        yield f"{LENGTH} {words} words, and not {MIN_WORDS} to {MAX_WORDS}"
    if not conclusion.strip():
        yield "the conclusion is empty"
    elif len(conclusion.splitlines()) > 1 or _NEXT.search(conclusion) or not _END.search(conclusion):
        yield "the conclusion is not exactly one sentence"
    elif _words(conclusion) > MAX_CONCLUSION:
        yield f"the conclusion has more than {MAX_CONCLUSION} words"


def _words(text: str) -> int:
    """Words, of which two letters of a language without spaces make one."""
    wide = sum("\u2e80" <= letter <= "\uffef" for letter in text)
    return len(text.split()) + wide // 2


def _word_problems(think: str, conclusion: str) -> Iterator[str]:
    for pattern, what in (
        (_TAG, "a tag"), (_BLANK, "a placeholder"), (_CALL, "a part of a tool call"),
        (_ID, "the id of an object"), (_TOLD, "words about how the text was asked for"),
        (_MARKUP, "a list or a heading"), (_BOLD, "Markdown"),
    ):  # fmt: skip
        for name, text in (("reasoning", think), ("conclusion", conclusion)):
            if (found := pattern.search(text)) is not None:
                yield f"the {name} holds {what}: {found[0].strip()[:40]!r}"
    for name, text in (("reasoning", think), ("conclusion", conclusion)):
        if (left := placeholder_in(text)) is not None:
            yield f"the {name} holds a placeholder: {left[:40]!r}"
