"""How a reasoning that is written by rules begins and ends, in several forms each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Literal, get_args

from dataflow_ext.text import lists, patterns, rows
from operators.onevision.rewriting.sentences import capital

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
    bare = answer.strip()
    short = len(bare) <= 60 and not bare.endswith((".", "。", "!", "?")) and not _is_sentence(bare)
    every = [*forms, *_LONG_CLOSINGS[tongue]] if short else [*_LONG_CLOSINGS[tongue], *forms]
    stop = "" if bare.endswith((".", "。", "!", "?")) else "。" if tongue == "zh" else "."
    return [_stated(form + stop if form in _LONG_CLOSINGS[tongue] else form, bare) for form in every]


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
