"""The reasoning of a row, written anew without a model: facts as seen, the source's sound steps, the answer."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping
from random import Random
from typing import Any

from operators.onevision.language import language_of
from operators.onevision.rewriting.facts import Facts, Told, needed, of_description, words_of
from operators.onevision.rewriting.meta import without_talk
from operators.onevision.rewriting.replies import TAGS, ends_at
from operators.onevision.rewriting.requests import readable
from operators.onevision.rewriting.sentences import joined, sentences_of
from operators.onevision.rewriting.vague import is_vague, plain, without_asides
from operators.onevision.rewriting.wording import Tongue, as_seen, closings, connected, label_opening, opening

#: Characters of a text that is searched for facts, and of an answer that a sentence can state.
_READ, _ANSWER = 8_000, 400
_STATES = re.compile(
    r"\b(?:answer|option|choice|therefore|thus|hence|so|correct)\b|答案|所以|因此|于是|故|综上|选", re.IGNORECASE
)
_ANSWERS = re.compile(r"\b(?:answer|correct (?:option|choice))\b|答案|应?选", re.IGNORECASE)
#: "Comparing these, …": how a conclusion was come to, in words of its own.
_LEAD = re.compile(
    r"\A(?:comparing|looking at|considering|given|based on|from|among|of)\s[^,.]{1,80},\s", re.IGNORECASE
)
#: What stands before the result in a sentence that computes it.
_SO = re.compile(
    r"\b(?:so|thus|hence|therefore)\b,?\s|所以|因此|\b(?:about|approximately|roughly)\s|大约是?|约为?", re.IGNORECASE
)
#: Types of answers that a sentence states as they are, without further claims.
_COMPUTED = ("letter", "number", "quantity", "expression")
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
#: Clauses of a sentence; only what the guess is about has to be borne out, the others are said plainly already.
_CLAUSES = re.compile(r",\s(?=(?:so|and|but|thus|hence|which|because|since|as)\b)|，|；|;\s")
_LEANS = re.compile(
    r"(?:(?:so|and|but|thus|hence|then|therefore),?\s)?(?:(?:[A-Za-z]+\s){0,3}(?:it|its|them|their|this|that|these|those)\b|"
    r"(?:both|the (?:other|second|third|next|same|former|latter)|another|one)\b)|"
    r"(?:因此|所以|那么)?[，,]?(?:它|其|这|该|两者|另)",
    re.IGNORECASE,
)
_CONCLUDING = words_of("what is asked for, the correct answer, option or choice")
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
    fresh = [step for step in steps if not told.holds(step) and _bare(step).rstrip(".。!") != _bare(answer)]
    body = begin + [connected(as_seen(step), tongue, draw) for step in fresh]
    return _ended(body, bool(begin and fresh), row, answer, tongue, draw)


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
    if not _STATES.search(last) or _holds(last, letter) or _holds(last, texts.get(letter, "")):
        return False
    said = _SO.split(plain(last) or last)[-1] if _COMPUTES.search(last) or is_vague(last) else last
    found = answer_in(said, question=question, options=options)
    if found is None:
        return False
    if letter in texts and found.type != "letter":
        others = [other for other in texts if other != letter]
        return any(equivalent(found.text, each, question=question, options=options).verdict == "yes" for each in others)
    if found.type != row["answer_type"] and not _ANSWERS.search(last):
        return False
    return equivalent(found.text, letter, question=question, options=options).verdict == "no"


def _holds(sentence: str, text: str) -> bool:
    bare = text.strip().casefold()
    return (
        bool(bare) and re.search(rf"(?<![a-z0-9.]){re.escape(bare)}(?![a-z0-9]|\.\d)", sentence.casefold()) is not None
    )


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
    """The source's steps without talk; of its guesses those that are borne out, plainly, or that a later step needs.

    The latter stay guesses, as the steps behind them would hang in the air without them.
    """
    facts = Facts([*description, (row["formal_code"] or "")[:_READ]])
    said = [each for each in map(without_talk, source) if each is not None]
    if all(map(is_vague, said)):
        said = [each for each in said if _certain(each, facts, row) is not None]
    steps: list[str] = []
    for number, sentence in enumerate(said):
        step: str | None = sentence
        if is_vague(sentence):
            step = _certain(sentence, facts, row) or (sentence if _is_needed(sentence, said[number + 1 :]) else None)
        if step is not None and step not in steps:
            facts.add(step)
            steps.append(step)
    return steps


def _certain(sentence: str, facts: Facts, row: Mapping[str, Any]) -> str | None:
    """A guess as a fact, if the facts or the answer bear it out; a computation stays in any case; else None."""
    said = plain(sentence)
    guessed = [clause for clause in _CLAUSES.split(sentence) if is_vague(clause)]
    claim = plain(guessed[0]) if len(guessed) == 1 else said
    if said is not None and claim is not None and (facts.bear_out(claim) or _is_answered(claim, row)):
        return said
    bare = without_asides(sentence)
    if bare != sentence and not is_vague(bare):
        return bare
    # What is computed is checked by itself; that it was called likely adds nothing.
    return said if _COMPUTES.search(sentence) else None


def _is_needed(sentence: str, later: list[str]) -> bool:
    """Whether later steps lean on a sentence: the next one by a word such as "it", or any by a number of this one."""
    if later and _LEANS.match(later[0]):
        return True
    numbers = set(_NUMBER.findall(sentence))
    return bool(numbers) and any(numbers & set(_NUMBER.findall(each)) for each in later)


def _is_answered(said: str, row: Mapping[str, Any]) -> bool:
    """Whether a sentence states the row's answer in words of its question and says nothing besides."""
    answer = row["answer"].strip()
    chosen = " ".join(option.text for option in row["options"] if option.letter == answer) or answer
    if row["answer_type"] in _COMPUTED and _STATES.search(said) and _holds(said, answer):
        return True
    stated, words = words_of(chosen), words_of(_LEAD.sub("", said, count=1))
    known = f"{row['question'][:_READ]} {answer} {chosen}"
    missing = words - words_of(known) - _CONCLUDING
    # A pair of Chinese characters may only stand across a seam.
    return bool(stated) and stated <= words and all(word[0] > "\u33ff" and set(word) <= set(known) for word in missing)


def _ended(
    body: list[str], enough: bool, row: Mapping[str, Any], answer: str, tongue: Tongue, draw: Random
) -> str | None:
    """The whole text, ending at the answer; None if no sentence states the answer so that it can be read again.

    ``enough`` tells that there is more than the source's own steps, whose last one may then be the end.
    """
    whole = joined(body)
    if TAGS.search(whole):
        return None
    if enough and _STATES.search(body[-1]) and _holds(body[-1], answer) and ends_at(whole, row) == "yes":
        return whole
    for closing in closings(answer, tongue, draw, body[-1] if body else ""):
        text = joined([*body, closing])
        if ends_at(text, row) == "yes":
            return text
    return None
