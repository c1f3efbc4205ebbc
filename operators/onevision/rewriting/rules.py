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
from operators.onevision.rewriting.steps import COMPUTES, READ, STATES, holds, steps_of
from operators.onevision.rewriting.vague import is_vague, plain
from operators.onevision.rewriting.wording import Tongue, as_seen, closings, connected, label_sentence, opening

#: Characters of an answer that a sentence can state.
_ANSWER = 400
_DIGITS = re.compile(r"\d+")
_ANSWERS = re.compile(r"\b(?:answer|correct (?:option|choice))\b|答案|应?选", re.IGNORECASE)
#: What stands before the result in a sentence that computes it.
_SO = re.compile(
    r"\b(?:so|thus|hence|therefore)\b,?\s|所以|因此|\b(?:about|approximately|roughly)\s|大约是?|约为?", re.IGNORECASE
)


def rewritten(row: Mapping[str, Any], seed: int) -> str | None:
    """The new reasoning of a row, without tags; None where the description does not hold what it needs.

    That is so where there is no description, where the source ends at another answer than its own, where nothing that
    is left of it argues for the answer, and where its language is not the question's, for rules translate nothing.
    """
    tongue = _tongue(row)
    answer = TAGS.sub(" ", readable(row["answer"])).strip()
    description = described(row["image_formal_description"][:READ])
    source = sentences_of(row["original_reasoning"])
    if tongue is None or not answer or len(answer) > _ANSWER or "<" in answer or not description.known or not source:
        return None
    if _contradicts(source, row):
        return None
    draw = _stream(seed, row)
    begin, labels = _opening(row, description, source, tongue, draw)
    steps = steps_of(source, row, description, begin)
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


def _contradicts(source: list[str], row: Mapping[str, Any]) -> bool:
    """Whether the source's last sentence states another answer than the row's: of its type, or another option."""
    from operators.verify.equivalence import equivalent
    from operators.verify.extraction import answer_in

    last, letter = source[-1], row["answer"].strip()
    question, options = row["question"], row["options"]
    texts = {option.letter: option.text for option in options}
    if not STATES.search(last) or holds(last, letter) or holds(last, texts.get(letter, "")):
        return False
    said = _SO.split(plain(last) or last)[-1] if COMPUTES.search(last) or is_vague(last) else last
    found = answer_in(said, question=question, options=options)
    if found is None:
        return False
    if letter in texts and found.type != "letter":
        others = [other for other in texts if other != letter]
        return any(equivalent(found.text, each, question=question, options=options).verdict == "yes" for each in others)
    numeric = found.type in ("number", "quantity")
    if found.type != row["answer_type"] and not numeric and not _ANSWERS.search(last):
        return False
    verdict = equivalent(found.text, letter, question=question, options=options).verdict
    # 60 may be 60 N, but neither is 80 N or "Paris".
    return verdict == "no" or (verdict == "unsure" and numeric and _other_numbers(found.text, letter))


def _other_numbers(one: str, other: str) -> bool:
    """Whether two texts have no number in common."""
    from operators.verify.numbers import numbers_in

    return not {each.value for each in numbers_in(one)} & {each.value for each in numbers_in(other)}


def _opening(
    row: Mapping[str, Any], told: Described, source: list[str], tongue: Tongue, draw: Random
) -> tuple[list[str], list[str]]:
    """What the row needs of the picture: sentences of the description as seen, and one on the labels that it uses."""
    from operators.verify.options import stem_of

    options = " ".join(option.text for option in row["options"])[:READ]
    question = row["question"][:READ]
    chosen = needed(told.tellable_in(tongue), " ".join([question, options, *source, row["answer"][:READ]]))
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
        and STATES.search(last)
        and holds(last, answer)
        and ends_at(whole, row) == "yes"
    ):
        return whole
    for closing in closings(answer, tongue, draw, last):
        text = joined([*body, closing])
        if ends_at(text, row) == "yes":
            return text
    return None
