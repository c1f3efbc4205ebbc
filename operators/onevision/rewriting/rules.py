"""The reasoning of a row, written anew without a model: facts as seen, the source's sound steps, the answer."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from operators.onevision.model.language import language_of
from operators.onevision.rewriting.facts import Described, Facts, Told, bare, described, needed, used, words_of
from operators.onevision.rewriting.replies import TAGS, ends_at, readable
from operators.onevision.rewriting.sentences import joined, sentences_of, without_talk
from operators.onevision.rewriting.vague import is_vague, plain, without_asides
from operators.onevision.rewriting.wording import Tongue, as_seen, closings, connected, label_sentence, opening
from operators.verify.reaching import reach

#: Characters of a question or code that are read.
READ = 8_000
COMPUTES = re.compile(r"[=≈]\s*[-+]?\s*[\d\\(√π.]|\d\s*[+×*/÷]\s*\d")
#: Clauses of a sentence; only what the guess is about has to be borne out, the others are said plainly already.
_CLAUSES = re.compile(r",\s(?=(?:so|and|but|thus|hence|which|because|since|as)\b)|，|；|;\s")
_WITHIN = frozenset("abcdefghijklmnopqrstuvwxyz0123456789")
_BEFORE = _WITHIN | {"."}


def steps_of(source: Sequence[str], row: Mapping[str, Any], told: Described) -> list[str]:
    """The source's steps without talk; nothing where they do not come to the answer.

    A guess is said plainly where the description bears it out, where it computes, or where the last one states the
    answer. The others go, but for those with a number of a later step or a word of the answer, unless the steps come to
    the answer only with all of them, or more than half of the source would go.
    """
    facts = Facts([*told.sentences, *told.labels, (row["formal_code"] or "")[:READ]])
    said = list(dict.fromkeys(each for each in map(without_talk, source) if each is not None))
    answers = [row["answer"], *(option.text for option in row["options"] if option.letter == row["answer"].strip())]
    steps: list[tuple[str, bool]] = []
    for number, sentence in enumerate(said, 1):
        step = _plainly(sentence, facts, answers if number == len(said) else ())
        steps.append((step or sentence, step is not None))
        facts.add(step or "")
    if all(map(is_vague, said)):
        choices = [[step for step, sure in steps if sure]]
    else:
        needed, every = _needed(steps, answers), [step for step, _ in steps]
        choices = [needed, every] if 2 * len(needed) >= len(every) > len(needed) else [every]
    return next((each for each in choices if _reaches(each, row)), [])


def holds(sentence: str, text: str) -> bool:
    """Whether a text stands in a sentence, not within a longer word or number.

    >>> holds("So it is 3.", "3"), holds("So it is 3.5.", "3")
    (True, False)
    """
    bare, where = text.strip().casefold(), sentence.casefold()
    at = where.find(bare) if bare else -1
    while at >= 0:
        end = at + len(bare)
        goes_on = where[end : end + 1] in _WITHIN or (
            where[end : end + 1] == "." and where[end + 1 : end + 2].isdigit()
        )
        if not goes_on and (at == 0 or where[at - 1] not in _BEFORE):
            return True
        at = where.find(bare, at + 1)
    return False


def _plainly(sentence: str, facts: Facts, answers: Sequence[str]) -> str | None:
    """A sentence that states a fact, or a guess as a fact if something bears it out; None for other guesses."""
    if not is_vague(sentence):
        return sentence
    said = plain(sentence)
    guessed = [clause for clause in _CLAUSES.split(sentence) if is_vague(clause)]
    claim = plain(guessed[0]) if len(guessed) == 1 else said
    if said is not None and claim is not None:
        known = facts.bear_out(claim) or COMPUTES.search(sentence) is not None
        if known or any(holds(claim, each) for each in answers):
            return said
    bare = without_asides(sentence)
    return None if is_vague(bare) else bare


def _needed(steps: Sequence[tuple[str, bool]], answers: Sequence[str]) -> list[str]:
    """The sure steps, and the guesses that tell a word of the answer or a number of a step behind them."""
    aim, kept = words_of(" ".join(answers)), []
    for step, sure in reversed(steps):
        words = words_of(step)
        if sure or words & aim:
            kept.append(step)
            aim |= {word for word in words if word[0].isdigit()}
    return kept[::-1]


def _reaches(steps: Sequence[str], row: Mapping[str, Any]) -> bool:
    found = reach(joined(steps), row["answer"], question=row["question"], options=row["options"])
    return bool(steps) and found.verdict == "reached"


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
    fresh = [step for step in steps if not told.holds(step) and bare(step).rstrip(".。!") != bare(answer)]
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
    chosen = needed(tellable, [question, options, *source, row["answer"][:READ]]) or tellable[:1]
    begin = opening(chosen, tongue, draw) if chosen else []
    # Of options only names are read off; their numbers are none that the picture has to show.
    asked = f"{stem_of(question) if options else question}\n{_DIGITS.sub(' ', options)}"
    labels = used(told.listed if chosen else told.labels, asked, source)
    fresh = [label for label in labels if not any(holds(bare(sentence), bare(label)) for sentence in begin)]
    # A single sign by itself is more often a stroke that was taken for one, and single letters say little.
    fresh = (
        []
        if all(len(label) == 1 for label in fresh) and (len(fresh) < 2 or not any(map(str.isdigit, fresh)))
        else fresh
    )
    return begin, [label_sentence(fresh, tongue, draw, first=not begin)] if fresh else []


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
