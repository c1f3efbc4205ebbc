"""The reasoning of a row, written anew without a model: facts as seen, the source's sound steps, the answer."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any

from operators.onevision.language import language_of
from operators.onevision.rewriting.facts import Told, needed
from operators.onevision.rewriting.reading import Described, described, used
from operators.onevision.rewriting.replies import TAGS, ends_at
from operators.onevision.rewriting.requests import readable
from operators.onevision.rewriting.sentences import joined, sentences_of
from operators.onevision.rewriting.steps import READ, holds, steps_of
from operators.onevision.rewriting.wording import Tongue, as_seen, closings, connected, label_sentence, opening

#: Characters of an answer that a sentence can state.
_ANSWER = 400
_DIGITS = re.compile(r"\d+")
_STATES = re.compile(
    r"\b(?:answer|option|choice|therefore|thus|hence|so|correct)\b|答案|所以|因此|于是|故|综上|选", re.IGNORECASE
)
_ANSWERS = re.compile(r"\b(?:answer|correct (?:option|choice))\b|答案|应?选", re.IGNORECASE)


def rewritten(row: Mapping[str, Any], seed: int) -> str | None:
    """The new reasoning of a row, without tags; None where the description does not hold what it needs.

    That is so where there is no description, where the steps that are left do not reach the answer, for none is
    appended that they do not lead to, and where the source's language is not the question's: rules translate nothing.
    """
    tongue = _tongue(row)
    answer = TAGS.sub(" ", readable(row["answer"])).strip()
    description = described(row["image_formal_description"][:READ])
    source = sentences_of(row["original_reasoning"])
    if tongue is None or not answer or len(answer) > _ANSWER or "<" in answer or not description.known or not source:
        return None
    draw = _stream(seed, row)
    begin, labels = _opening(row, description, source, tongue, draw)
    steps = steps_of(source, row, description)
    if not steps:
        return None
    told = Told(begin)
    fresh = [step for step in steps if not told.holds(step) and _bare(step).rstrip(".。!") != _bare(answer)]
    body = begin + labels + [connected(as_seen(step), tongue, draw) for step in fresh]
    return _ended(body, bool((begin or labels) and fresh), row, answer, tongue, draw)


def _tongue(row: Mapping[str, Any]) -> Tongue | None:
    """The language to write in: the question's, if the source's reasoning is in it."""
    own = language_of(row["original_reasoning"])
    if row["language"] == "other" or (own is not None and own != row["language"]):
        return None
    return "zh" if row["language"] == "zh" else "en"


def _stream(seed: int, row: Mapping[str, Any]) -> Random:
    """The row's own random draws, from its texts, so that neither its place nor its neighbours have a share in them."""
    told = [seed, row["question"], row["answer"], row["original_reasoning"]]
    return Random(hashlib.sha256(json.dumps(told).encode()).digest())  # noqa: S311 - choices, no secrets


def _opening(
    row: Mapping[str, Any], told: Described, source: list[str], tongue: Tongue, draw: Random
) -> tuple[list[str], list[str]]:
    """What the row needs of the picture: sentences of the description as seen, and one on the labels that it uses."""
    from operators.verify.options import stem_of

    options = " ".join(option.text for option in row["options"])[:READ]
    question = row["question"][:READ]
    tellable = told.tellable_in(tongue)
    # Where nothing is shared, what the picture shows as a whole.
    chosen = needed(tellable, " ".join([question, options, *source, row["answer"][:READ]])) or tellable[:1]
    begin = opening(chosen, tongue, draw) if chosen else []
    # Of options only names are read off; their numbers are none that the picture has to show.
    asked = f"{stem_of(question) if options else question}\n{_DIGITS.sub(' ', options)}"
    labels = used(told.listed if chosen else told.labels, asked, "\n".join(source))
    fresh = [label for label in labels if not any(holds(_bare(sentence), _bare(label)) for sentence in begin)]
    # A single sign by itself is more often a stroke that was taken for one, and single letters say little.
    fresh = (
        []
        if all(len(label) == 1 for label in fresh) and (len(fresh) < 2 or not any(map(str.isdigit, fresh)))
        else fresh
    )
    return begin, [label_sentence(fresh, tongue, draw, first=not begin)] if fresh else []


def _bare(text: str) -> str:
    return "".join(text.casefold().split())


def _ended(
    body: list[str], enough: bool, row: Mapping[str, Any], answer: str, tongue: Tongue, draw: Random
) -> str | None:
    """The whole text, ending at the answer; None if no sentence states the answer so that it can be read again.

    ``enough`` tells that there is more than the source's own steps, whose last one may then be the end.
    """
    whole = joined(body)
    if TAGS.search(whole):
        return None
    last = body[-1] if body else ""
    if (
        (enough or _ANSWERS.search(last))
        and _STATES.search(last)
        and holds(last, answer)
        and ends_at(whole, row) == "yes"
    ):
        return whole
    for closing in closings(answer, tongue, draw, last):
        text = joined([*body, closing])
        if ends_at(text, row) == "yes":
            return text
    return None
