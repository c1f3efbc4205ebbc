"""What code may mend in a model's reply without changing what it says; all else is the model's to do again."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from dataflow_ext.claims.closing import Closing
from dataflow_ext.text.sentences import sentences
from dataflow_ext.well_formed import short
from operators.cot.asking import Said
from operators.cot.plan import Plan, once
from operators.cot.rules.response import before_gold, placed
from operators.cot.sample import turn_of
from operators.cot.support.facts import things_of
from operators.cot.tasks.options import right_place
from operators.cot.texts import WORD, root, spoken

#: Words of a goal that may stand for what it is about: long enough to be none of "with", "into", "then".
_LONG_WORD = re.compile(r"[^\W\d_]{5,}")
_PART = re.compile(r"[^\W_]{3,}")
#: Words that speak of reasoning rather than of a plan's things, though a goal may have them.
_ABOUT_REASONING = frozenset(map(root, ("answer", "step", "steps", "plan", "action", "order", "option", "another")))


@once
def names_of(plan: Plan) -> frozenset[str]:
    """The stems of the words by which a text speaks of a plan: of its things' names, and of its goals."""
    things = (word for name in things_of(plan) for word in _PART.findall(spoken(name).lower()))
    goals = (word for step in plan.steps for word in _LONG_WORD.findall(step.step_goal.lower()))
    return frozenset(map(root, (*things, *goals))) - _ABOUT_REASONING


def cut(reasoning: str, anchors: Sequence[str], names: Set[str]) -> str:
    """A reasoning without the sentences that name nothing of the plan; required ones stay.

    >>> cut("None of this matters. The tube is flat. It is on. So be it.", ["It is on."], frozenset(["tube"]))
    'The tube is flat. It is on.'
    """
    found = placed(reasoning, anchors)
    if found.problems or len(found.between) != len(anchors) + 1:
        return reasoning
    between = [list(sentences(text)) for text in found.between]
    parts = [" ".join(each for each in some if names_something(each, names)) for some in between]
    return " ".join(part for pair in zip_longest(parts, anchors, fillvalue="") for part in pair if part)


def names_something(sentence: str, names: Set[str]) -> bool:
    """Whether a sentence has one of the plan's names; one in other letters may have."""
    return not sentence.isascii() or not names.isdisjoint(map(root, _PART.findall(sentence.lower())))


#: What was mended, as rows record it.
JOINED = "line breaks joined"
REWORDED = "required sentence put right"
INSERTED = "required sentence put back"
RESTORED = "form of the answer restored"
CUT = "sentence that names nothing of the plan cut"
CLOSED = "closing sentence put"

_BREAKS = re.compile(r"[ \t]*[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]+\s*")
_ITEM = re.compile(r"^\s*(?:[-*+•·–—]|\(?(?:\d{1,2}|[a-zA-Z])[.):])\s", re.MULTILINE)
_ARTICLES = frozenset(("a", "an", "the"))
_STOPS = ".!?。！？"
_OPENERS, _CLOSERS = "\"'“‘*_(", _STOPS + "\"'”’*_)"
#: How required sentences begin, as words without articles: no other sentence may begin like a missing one.
_OPENINGS = (
    "after action spatially",
    "after action functionally",
    "spatially",
    "functionally",
    "likely failure is",
    "if that happens",
)
_PREFIX = re.compile(
    r"\s*(?:the\s+)?(?:final\s+|correct\s+|gold\s+)*(?:answer|option|choice|step_?\s?id|step)\b(?:\s+is\b)?\s*[:：=]?\s*",
    re.IGNORECASE,
)
_LETTERS = re.compile(r"[A-Z](?:,[A-Z])*")
_NUMBERING = re.compile(r"^\s*(?:\(?\d{1,2}[.):]|[-*•])\s*", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Mended:
    """An assistant's turn, and what was mended in it; each note once."""

    response: str
    notes: list[str]
    #: The reasoning with its marks, as it was written.
    marked: str = ""


def mended(
    said: Said,
    answer: str,
    anchors: Sequence[str],
    fields: Mapping[str, Any] | None = None,
    *,
    closing: Closing | None = None,
    names: Set[str] = frozenset(),
) -> Mended:
    """The assistant's turn that a reply makes, mended where that is safe. ValueError if its answer is another one.

    Line breaks in the reasoning are joined, unless they separate the items of a list. A required sentence that
    stands there with other capitals, stops, articles or underscores gets its own words; one that is missing
    is put behind the one before it, if no more than half of them are missing and nothing stands in its place.
    Sentences are never moved, as their neighbours may refer to them. The gold answer takes the place of one that
    differs in form alone: of another answer the reasoning may be another, too. With a ``closing``, sentences that name
    none of the plan's ``names`` are cut, and the closing sentence is put unless the last one will do.

    >>> anchors = ["Spatially, the cup must be on the table.", "If that happens, lift it again."]
    >>> said = Said("Spatially, cup must be on the table.\\nSo it can be lifted.", "(b)")
    >>> made = mended(said, "B", anchors)
    >>> print(made.response)
    <think>Spatially, the cup must be on the table. If that happens, lift it again. So it can be lifted.</think>
    B
    <BLANKLINE>
    >>> made.notes
    ['line breaks joined', 'required sentence put right', 'required sentence put back', 'form of the answer restored']
    """
    notes: list[str] = []
    known = fields or {}
    reasoning = said.reasoning.strip()
    if _BREAKS.search(reasoning) and not _ITEM.search(reasoning):
        reasoning = _BREAKS.sub(" ", reasoning)
        notes.append(JOINED)
    reasoning, changes = _with_anchors(reasoning, anchors)
    notes += changes
    if said.answer != answer:
        option = _option(answer, known)
        if not same_answer(said.answer, answer, option):
            raise ValueError(
                f"answer.text: the answer is {_quoted(said.answer)}, but the gold answer is {_quoted(answer)}"
            )
        notes.append(RESTORED)
    if closing is not None:
        reasoning, changes = _with_closing(reasoning, anchors, closing, names)
        notes += changes
    return Mended(turn_of(reasoning, answer), notes)


def same_answer(said: str, gold: str, option: str = "") -> bool:
    """Whether an answer is the gold one in another form: its words in their order, its letters, or its ``option``.

    >>> same_answer("Answer: (C).", "C"), same_answer("1. Open it\\n2. Go in.", "1) Open it.\\n2) Go in.")
    (True, True)
    >>> same_answer("D", "C"), same_answer("Open the lid", "Close the lid.")
    (False, False)
    """
    forms = [said, bare] if (bare := _PREFIX.sub("", said, count=1)) != said else [said]
    if _LETTERS.fullmatch(gold):
        spelled = [_words(option), _words(f"{gold} {option}")] if option else []
        return any(_letters(form) == gold.split(",") or _words(form) in spelled for form in forms)
    wanted = (_words(gold), _words(_NUMBERING.sub("", gold)))
    for form in forms:
        if _words(form) == wanted[0]:
            return True
        if "\n" in gold and form.count("\n") == gold.count("\n") and _words(_NUMBERING.sub("", form)) == wanted[1]:
            return True
    return False


def _letters(text: str) -> list[str]:
    """The letters that an answer names, sorted; none if it says more than letters."""
    parts = [part for part in re.split(r"[\s,;&()\[\]\"'`*.:]+|\band\b", text) if part]
    return sorted({part.upper() for part in parts}) if all(len(part) == 1 for part in parts) else []


def _with_anchors(reasoning: str, anchors: Sequence[str]) -> tuple[str, list[str]]:
    """The reasoning with its required sentences put right and put back, and notes; as it is, if that is not safe."""
    made, missing, reworded = reasoning, set(), False
    place = 0
    for number, anchor in enumerate(anchors):
        found = made.find(anchor, place)
        if found < 0 and anchor in made:
            return reasoning, []  # it stands before an earlier one: nothing is moved
        if found < 0 and (span := _altered(made, anchor, place)) is not None:
            made = made[: span[0]] + anchor + made[span[1] :]
            found, reworded = span[0], True
        if found < 0:
            missing.add(number)
        else:
            place = found + len(anchor)
    notes = [REWORDED] if reworded else []
    few = 0 < len(missing) <= len(anchors) - len(missing)
    if few and not any(_said_otherwise(made, anchors[n], anchors) for n in missing):
        return _inserted(made, anchors, missing), [*notes, INSERTED]
    return made, notes


def _inserted(reasoning: str, anchors: Sequence[str], missing: Set[int]) -> str:
    """The reasoning with each missing sentence behind the one that is required before it."""
    place = 0
    for number, anchor in enumerate(anchors):
        if number in missing:
            before, behind = reasoning[:place].rstrip(), reasoning[place:].lstrip()
            reasoning = " ".join(part for part in (before, anchor, behind) if part)
            place = len(before) + bool(before) + len(anchor)
        else:
            place = reasoning.index(anchor, place) + len(anchor)
    return reasoning


def _altered(reasoning: str, anchor: str, start: int) -> tuple[int, int] | None:
    """Where the anchor's words stand as a sentence of its own, articles and stops aside."""
    wanted = [word for word, _ in _spoken(anchor)]
    heard = list(_spoken(reasoning))
    if not wanted:
        return None
    for i in range(len(heard) - len(wanted) + 1):
        if heard[i][1][0] < start or heard[i][0] != wanted[0]:
            continue
        if [word for word, _ in heard[i : i + len(wanted)]] == wanted:
            begin, end = _with_article(reasoning, heard[i][1][0]), heard[i + len(wanted) - 1][1][1]
            while end < len(reasoning) and reasoning[end] in _CLOSERS:
                end += 1
            while begin and reasoning[begin - 1] in _OPENERS:
                begin -= 1
            if _begins_sentence(reasoning, begin) and _ends_sentence(reasoning, end):
                return begin, end
    return None


def _with_article(text: str, begin: int) -> int:
    """The place of the article before a word, or of the word: "A likely failure" begins with its article."""
    found = re.search(r"(?<![^\W_])(?:an?|the)\s+$", text[max(0, begin - 8) : begin], re.IGNORECASE)
    return begin - len(found[0]) if found is not None else begin


def _begins_sentence(text: str, begin: int) -> bool:
    before = text[:begin].rstrip()
    return not before or before[-1] in _CLOSERS


def _ends_sentence(text: str, end: int) -> bool:
    behind = text[end:].lstrip()
    return not behind or text[end - 1] in _CLOSERS or behind[0].isupper()


def _said_otherwise(reasoning: str, missing: str, anchors: Sequence[str]) -> bool:
    """Whether a sentence that is not required opens like the missing one: it says the same in other words."""
    for anchor in anchors:
        reasoning = reasoning.replace(anchor, "|")
    heard = " ".join(word for word, _ in _spoken(reasoning))
    words = " ".join(word for word, _ in _spoken(missing))
    # The longer openings come first, and what they are found in is none of the shorter ones.
    for opening in _OPENINGS:
        if words.startswith(opening):
            return re.search(rf"(?<!\S){opening}(?!\S)", heard) is not None
        heard = heard.replace(opening, "|")
    return False


def _with_closing(reasoning: str, anchors: Sequence[str], closing: Closing, names: Set[str]) -> tuple[str, list[str]]:
    """The reasoning with a closing sentence of code last, and what was changed; ValueError if it is for another answer.

    A last sentence of the writer's own that names the answer gives way to it: no rule tells whether it denies it.
    """
    required = placed(reasoning, anchors)
    after = required.after.strip()
    end = closing.end_of(after)
    own = end or closing.last(after)
    if not end and (errors := closing.errors(own)):
        raise ValueError(f"closing.rival: {errors[0]}")
    if early := closing.early(before_gold(required, closing)):
        raise ValueError(f"closing.early: {early[0]}")
    body = reasoning.removesuffix(own).rstrip() if end or closing.names_gold(own) else reasoning
    made = cut(body, anchors, names)
    wide = not made or not made[-1].isascii()
    notes = [*([CUT] if made != body else []), *([] if end else [CLOSED])]
    return f"{made}{'' if wide else ' '}{end or closing.sentence}", notes


def _option(answer: str, fields: Mapping[str, Any]) -> str:
    """The text of the option that a single letter names; nothing if the answer is none."""
    place = right_place(options := fields.get("options"), answer)
    return "" if options is None or place is None else str(options[place])


def _spoken(text: str) -> Iterator[tuple[str, tuple[int, int]]]:
    """The words of a text as they are compared, without articles, and where they stand."""
    for found in WORD.finditer(text):
        word = _folded(found[0])
        if word not in _ARTICLES:
            yield word, found.span()


def _words(text: str) -> list[str]:
    return [_folded(word) for word in WORD.findall(text)]


@lru_cache(maxsize=1 << 14)
def _folded(word: str) -> str:
    return unicodedata.normalize("NFKC", word).casefold()


def _quoted(text: str) -> str:
    return f'"{short(" ".join(text.split()), 80)}"'
