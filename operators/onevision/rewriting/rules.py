"""The reasoning of a row, written anew without a model: facts as seen, the source's sound steps, the answer."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, Literal, get_args

from dataflow_ext.text import lists, patterns, rows
from operators.onevision.model.language import language_of
from operators.onevision.rewriting.facts import Described, Facts, Told, bare, described, needed, used, words_of
from operators.onevision.rewriting.replies import TAGS, ends_at, readable
from operators.onevision.rewriting.sentences import (
    capital,
    is_vague,
    joined,
    plain,
    sentences_of,
    without_asides,
    without_talk,
)
from operators.verify.reaching import reach

Tongue = Literal["en", "zh"]


def _wordings(part: str) -> dict[Tongue, list[str]]:
    """The ways to say a part of a reasoning, by language."""
    told = [(tongue, wording) for of, tongue, wording in rows(__package__, "wordings.tsv") if of == part]
    return {each: [wording for tongue, wording in told if tongue == each] for each in get_args(Tongue)}


#: What stands before the first fact, be it a sentence or a thing: "A table with five apples."
_SEEN = _wordings("seen")
#: Labels that the picture holds, where the description is in another language than the row; and behind other facts.
_LABELS, _LABELS_TOO = _wordings("labels"), _wordings("more labels")
#: What states the answer: where a step has drawn the conclusion already it is plain, and long where the answer is.
_CLOSINGS, _PLAIN_CLOSINGS, _LONG_CLOSINGS = map(_wordings, ("closing", "plain closing", "long closing"))
_CONCLUDES = re.compile(r"\A(?:So|Therefore|Thus|Hence)\b|\A(?:因此|所以|于是|故|综上)")
#: Words at a sentence's start that may begin with a small letter.
_SMALL = lists(__package__, "lists.tsv")["may begin small"]
_SHOWS, _OF_IMAGE = (re.compile(patterns(__package__, "talk.tsv")[name], re.IGNORECASE) for name in ("shows", "image"))
_ONE_OF = re.compile(r"an?\s", re.IGNORECASE)
_ONE = re.compile(r"\A[一两三四几][张幅个条只辆座群位块根][^，。；]{0,40}")
_ITSELF = re.compile(r"\A[^.!?。]{0,40}[:：]")
_CONNECTIVES = {
    "en": (
        re.compile(r"\A(?:Therefore|Thus|Hence|Consequently|As a result),\s"),
        ("Therefore, ", "Thus, ", "Hence, ", "So "),
    ),
    "zh": (re.compile(r"\A(?:因此|所以|于是|故)[，,]?"), ("因此，", "所以，", "于是，")),
}


def opening(facts: Sequence[str], tongue: Tongue, draw: Random) -> list[str]:
    """The facts as seen, each a sentence, the first one with an opening; what each states stays word for word.

    >>> opening(["The image shows a cat.", "A dog sleeps."], "en", Random(1))
    ['In the image, I can see a cat.', 'A dog sleeps.']
    """
    lead = draw.choice(_SEEN[tongue]) + (" " if tongue == "en" else "")
    return [_seen(fact, lead if number == 0 else "", tongue) for number, fact in enumerate(facts)]


def label_sentence(labels: Sequence[str], tongue: Tongue, draw: Random, *, first: bool = True) -> str:
    """A sentence that reads labels off the picture, at the start of a reasoning or behind other facts.

    >>> label_sentence(["m=6kg", "M=14kg"], "zh", Random(0))
    '从图中可以看到标注“m=6kg”和“M=14kg”。'
    >>> label_sentence(["4 kg", "30°", "F"], "en", Random(0), first=False)
    'The labels include "4 kg", "30°" and "F".'
    """
    quoted = [f"“{label}”" if tongue == "zh" else f'"{label}"' for label in labels]
    comma, both = ("、", "和") if tongue == "zh" else (", ", " and ")
    listed = both.join([comma.join(quoted[:-1]), quoted[-1]]) if len(quoted) > 1 else quoted[0]
    return draw.choice((_LABELS if first else _LABELS_TOO)[tongue]).format(listed)


def closings(answer: str, tongue: Tongue, draw: Random, before: str = "") -> list[str]:
    """Sentences that state an answer behind the sentence ``before``, the one to be tried first in front.

    >>> closings("B", "en", Random(0))[0]
    'Hence, the answer is B.'
    """
    forms = list(_CLOSINGS[tongue])
    draw.shuffle(forms)
    if _CONCLUDES.match(before):
        forms = [*_PLAIN_CLOSINGS[tongue], *forms]
    told = answer.strip()
    short = len(told) <= 60 and not told.endswith((".", "。", "!", "?")) and not _is_sentence(told)
    every = [*forms, *_LONG_CLOSINGS[tongue]] if short else [*_LONG_CLOSINGS[tongue], *forms]
    stop = "" if told.endswith((".", "。", "!", "?")) else "。" if tongue == "zh" else "."
    return [_stated(form + stop if form in _LONG_CLOSINGS[tongue] else form, told) for form in every]


def _is_sentence(answer: str) -> bool:
    """Whether an answer is a sentence of its own, such as "It rises to the right"."""
    words = answer.split()
    return len(words) > 3 and words[0].istitle() and words[0].lower() in _SMALL


def _stated(form: str, answer: str) -> str:
    """A form with the answer in it; no space stands before Chinese."""
    return (form.replace(" {}", "{}") if answer[:1] >= "\u3400" else form).format(answer)


def connected(sentence: str, tongue: Tongue, draw: Random) -> str:
    """A sentence with a connective of its own choice, if it began with one."""
    pattern, others = _CONNECTIVES[tongue]
    found = pattern.match(sentence)
    if found is None:
        return sentence
    rest = sentence[found.end() :].lstrip()
    return draw.choice(others) + (_small(rest) if tongue == "en" else rest)


def as_seen(sentence: str) -> str:
    """ "The image shows a cat." as somebody says it who looks at the image; other sentences as they are.

    >>> as_seen("The diagram shows two parallel lines."), as_seen("The legend is blue.")
    ('In the diagram, I can see two parallel lines.', 'The legend is blue.')
    """
    found = _SHOWS.match(sentence)
    return sentence if found is None else f"In the {found['noun'].lower()}, I can see {sentence[found.end() :]}"


def _seen(fact: str, lead: str, tongue: Tongue) -> str:
    fact = fact if fact.endswith((".", "。", "!", "！", "?", "？", "…")) else fact + ("。" if tongue == "zh" else ".")
    if tongue == "zh":
        return _seen_chinese(fact, lead)
    shown = as_seen(fact)
    if shown != fact:
        return shown
    of_image = (_OF_IMAGE.search(fact[:40]) and not _ONE_OF.match(fact)) or _ITSELF.match(fact)
    return capital(fact) if of_image or not lead else lead + capital(fact)


def _seen_chinese(fact: str, lead: str) -> str:
    if not lead or _OF_IMAGE.search(fact[:40]) or _ITSELF.match(fact) or fact.startswith("这是"):
        one = _ONE.match(fact)
        return f"这是{fact}" if one is not None and _OF_IMAGE.search(one[0]) else fact
    return ("图中有" if _ONE.match(fact) else lead) + fact


def _small(sentence: str) -> str:
    """A sentence that goes on behind a comma: with a small letter, if its first word has no capital of its own."""
    word = re.match(r"[A-Za-z]+", sentence)
    return sentence[0].lower() + sentence[1:] if word is not None and word[0].lower() in _SMALL else sentence


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
