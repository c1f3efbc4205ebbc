"""The reasoning of a row, written anew without a model: facts as seen, the source's sound steps, the answer."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any

from operators.onevision.language import language_of
from operators.onevision.rewriting.facts import Facts, Told, needed, of_description
from operators.onevision.rewriting.meta import without_talk
from operators.onevision.rewriting.replies import TAGS, ends_at
from operators.onevision.rewriting.requests import readable
from operators.onevision.rewriting.sentences import joined, sentences_of
from operators.onevision.rewriting.vague import is_vague, plain, without_asides
from operators.onevision.rewriting.wording import Tongue, as_seen, closings, connected, label_opening, opening

#: Characters of a text that is searched for facts, and of an answer that a sentence can state.
_READ, _ANSWER = 8_000, 400
_STATES = re.compile(
    r"\b(?:answer|option|choice|therefore|thus|hence|so|correct)\b|答案|所以|因此|故|综上|选", re.IGNORECASE
)
_ANSWERS = re.compile(r"\b(?:answer|correct (?:option|choice))\b|答案|应?选", re.IGNORECASE)
_COMPUTES = re.compile(r"[=≈]\s*[-+]?\s*[\d\\(√π.]|\d\s*[+×*/÷]\s*\d")
#: Texts and quantities that can be read off a picture: "m = 6 kg", 'the text "STOP"', 30°.
_LABEL = re.compile(r"[\"“「]([^\"”」\n]{1,24})[\"”」]|(?<!\w)([A-Za-z]{1,2}\s?=\s?\d[\d.,]*\s?[A-Za-zΩ°%]{0,5})")


def rewritten(row: Mapping[str, Any], seed: int) -> str | None:
    """The new reasoning of a row, without tags; None where the description does not hold what it needs.

    That is so where there is no description, where the source ends at another answer than its own, where no step of
    it is left, and where its language is not the question's, for rules translate nothing.
    """
    tongue = _tongue(row)
    answer = TAGS.sub(" ", readable(row["answer"])).strip()
    description = of_description(row["image_formal_description"][:_READ])
    source = sentences_of(row["original_reasoning"])
    if tongue is None or not answer or len(answer) > _ANSWER or "<" in answer or not description or not source:
        return None
    if _contradicts(source, row):
        return None
    draw = _stream(seed, row)
    begin = _opening(row, description, source, answer, tongue, draw)
    steps = _steps(source, row, description)
    if not steps:
        return None
    told = Told(begin)
    fresh = [step for step in steps if not told.holds(step)]
    body = begin + [connected(as_seen(step), tongue, draw) for step in fresh]
    return _ended(body, bool(fresh), row, answer, tongue, draw)


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
    """Whether the source's last sentence states another answer than the row's, of the same type."""
    from operators.verify.extraction import answer_in

    last = source[-1]
    if not _STATES.search(last):
        return False
    found = answer_in(last, question=row["question"], options=row["options"])
    if found is None or (found.type != row["answer_type"] and not _ANSWERS.search(last)):
        return False
    if _holds(last, row["answer"]) or any(
        option.letter == row["answer"].strip() and option.text and _holds(last, option.text)
        for option in row["options"]
    ):
        return False
    return ends_at(last, row) == "no"


def _holds(sentence: str, text: str) -> bool:
    bare = text.strip().casefold()
    return bool(bare) and re.search(rf"(?<![\w.]){re.escape(bare)}(?![\w]|\.\d)", sentence.casefold()) is not None


def _opening(
    row: Mapping[str, Any], description: list[str], source: list[str], answer: str, tongue: Tongue, draw: Random
) -> list[str]:
    """The facts that the row needs, as seen; of a description in another language the labels that it shares."""
    options = " ".join(option.text for option in row["options"])
    need = " ".join([row["question"][:_READ], options[:_READ], *source, answer])
    spoken = [
        sentence for sentence in description if language_of(sentence) in (None, tongue) and without_talk(sentence)
    ]
    chosen = [without_talk(each) or each for each in needed([each for each in spoken if not is_vague(each)], need)]
    if chosen:
        return opening(chosen, tongue, draw)
    known = _bare(need)
    labels = [(found[1] or found[2]).strip() for found in _LABEL.finditer(" ".join(description))]
    shared = list(dict.fromkeys(label for label in labels if _bare(label).split("=")[-1] in known))[:4]
    return [label_opening(shared, tongue, draw)] if shared else []


def _bare(text: str) -> str:
    return "".join(text.casefold().split())


def _steps(source: list[str], row: Mapping[str, Any], description: list[str]) -> list[str]:
    """The source's steps without talk, and without guesses that nothing bears out."""
    facts = Facts([*description, (row["formal_code"] or "")[:_READ]])
    steps: list[str] = []
    for sentence in source:
        said = without_talk(sentence)
        if said is not None and is_vague(said):
            said = _certain(said, facts)
        if said is None or said in steps:
            continue
        facts.add(said)
        steps.append(said)
    return steps


def _certain(sentence: str, facts: Facts) -> str | None:
    """A guess as a fact, if the facts bear it out; a computation stays in any case; else None."""
    said = plain(sentence)
    if said is not None and facts.bear_out(said):
        return said
    bare = without_asides(sentence)
    if bare != sentence and not is_vague(bare):
        return bare
    # What is computed is checked by itself; that it was called likely adds nothing.
    return said if _COMPUTES.search(sentence) else None


def _ended(
    body: list[str], stepped: bool, row: Mapping[str, Any], answer: str, tongue: Tongue, draw: Random
) -> str | None:
    """The whole text, ending at the answer; None if no sentence states the answer so that it can be read again."""
    whole = joined(body)
    if TAGS.search(whole):
        return None
    if stepped and _STATES.search(body[-1]) and ends_at(whole, row) == "yes":
        return whole
    for closing in closings(answer, tongue, draw, body[-1] if body else ""):
        text = joined([*body, closing])
        if ends_at(text, row) == "yes":
            return text
    return None
