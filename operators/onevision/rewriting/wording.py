"""How a reasoning that is written by rules begins and ends, in several forms each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Literal

from operators.onevision.rewriting.grammar import be
from operators.onevision.rewriting.sentences import capital

Tongue = Literal["en", "zh"]

#: What stands before the first fact, which then begins with a small letter.
_SEEN = {
    "en": (
        "In the image, ",
        "As seen in the image, ",
        "I see in the image that ",
        "Looking at the image, I can see that ",
    ),
    "zh": ("从图中可以看到，", "图中可以看到，", "如图所示，", "观察图像可见，"),
}
#: The same, where the fact may be no sentence: "A table with five apples."
_SEEN_ANY = ("In the image, ", "As seen in the image, ", "Looking at the image, ")
_SEEN_TOO = {
    "en": ("The image also shows that ", "I can also see that ", ""),
    "zh": ("另外，", "还可以看到，", ""),
}
#: Labels that the picture holds, where the description is in another language than the row.
_LABELS = {
    "en": ("In the image I can read {}.", "The image is marked with {}.", "As seen in the image, it is marked {}."),
    "zh": ("图中标有{}。", "从图中可以看到标注{}。", "如图所示，图中标注了{}。"),
}
_CLOSINGS = {
    "en": (
        "So the answer is {}.",
        "Therefore, the answer is {}.",
        "Hence, the answer is {}.",
        "Thus, the answer is {}.",
    ),
    "zh": ("因此答案是 {}。", "所以答案是 {}。", "综上，答案是 {}。", "由此可得，答案是 {}。"),
}
#: Behind a step that has drawn the conclusion already.
_PLAIN_CLOSINGS = {"en": ("The answer is {}.",), "zh": ("答案是 {}。",)}
_CONCLUDES = re.compile(r"\A(?:So|Therefore|Thus|Hence)\b|\A(?:因此|所以|于是|故|综上)")
_LONG_CLOSINGS = {"en": ("The answer is: {}",), "zh": ("答案是：{}",)}
#: Words at a sentence's start that may begin with a small letter.
_SMALL_WORDS = (
    "a an the there two three four five six seven eight nine ten several some many this these its it all both each one "
    "on in at under above below behind to from near next between most no"
)
_SMALL = frozenset(_SMALL_WORDS.split())
_SHOWS = re.compile(
    r"\A(?:the|this)\s(?P<noun>image|picture|photo|photograph|figure|diagram|chart|graph|table|map|screenshot|drawing|scene)\s"
    r"(?:also\s|clearly\s)?(?:shows|depicts|displays|presents|features|captures|portrays)\s"
    r"(?=(?:an?|the|two|three|four|five|six|several|some|many|various|that)\s)",
    re.IGNORECASE,
)
_OF_IMAGE = re.compile(
    r"\b(?:image|picture|photo|figure|diagram|chart|graph|drawing|map|screenshot|plot|shown)\b|图|照片|画面|可以看到",
    re.IGNORECASE,
)
_FINITE = re.compile(
    r"\b(?:is|are|was|were|has|have|reads|shows|reaches|equals|covers|connects?|hangs?|stands?|sits?|lies?|holds|wears|"
    r"walks|rides|drives|leans|rests|moves|flies|crosses|leads|appears|contains|includes|meets|joins|touches|carries|"
    r"pulls|pushes|flows|lists|gives|displays|compares|consists|begins|starts|ends|runs|says|sees|can)\b",
    re.IGNORECASE,
)
#: A thing without a verb: "A table with five apples."
_THING = re.compile(
    r"\A(?P<number>an?|one|two|three|four|five|six|several)(?:\s[\w-]+){1,4}\s(?:with|of|without)\s", re.IGNORECASE
)
_ITSELF = re.compile(r"\A[^.!?。]{0,40}[:：]")
_CONNECTIVES = {
    "en": (
        re.compile(r"\A(?:Therefore|Thus|Hence|Consequently|As a result),\s"),
        ("Therefore, ", "Thus, ", "Hence, ", "So "),
    ),
    "zh": (re.compile(r"\A(?:因此|所以|于是|故)[，,]?"), ("因此，", "所以，", "于是，")),
}


def opening(facts: Sequence[str], tongue: Tongue, draw: Random) -> list[str]:
    """The facts as seen, each a sentence; what each states stays word for word.

    >>> opening(["The image shows a cat.", "A dog sleeps."], "en", Random(1))
    ['In the image, I can see a cat.', 'A dog sleeps.']
    """
    first, second = draw.choice(_SEEN[tongue]), draw.choice(_SEEN_TOO[tongue])
    told = []
    for number, fact in enumerate(facts):
        lead = first if number == 0 else second if number == 1 else ""
        told.append(_seen(fact, lead, tongue, number == 0))
    return told


def label_opening(labels: Sequence[str], tongue: Tongue, draw: Random) -> str:
    """A sentence that reads labels off the picture.

    >>> label_opening(["m=6kg", "M=14kg"], "zh", Random(0))
    '从图中可以看到标注“m=6kg”、“M=14kg”。'
    """
    listed = (
        "、".join(f"“{label}”" for label in labels) if tongue == "zh" else ", ".join(f'"{label}"' for label in labels)
    )
    return draw.choice(_LABELS[tongue]).format(listed)


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
    short = len(bare) <= 60 and not bare.endswith((".", "。", "!", "?"))
    every = [*forms, *_LONG_CLOSINGS[tongue]] if short else [*_LONG_CLOSINGS[tongue], *forms]
    return [_stated(form, bare) for form in every]


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


def _seen(fact: str, lead: str, tongue: Tongue, first: bool) -> str:
    thing = None if _FINITE.search(re.split("[;:,]", fact)[0]) else _THING.match(fact)
    seen = as_seen(fact) if tongue == "en" else fact
    if seen != fact:
        return seen
    fact = fact if fact.endswith((".", "。", "!", "！", "?", "？", "…")) else fact + ("。" if tongue == "zh" else ".")
    if thing is not None and _OF_IMAGE.search(thing[0]):
        return "This is " + _small(fact)
    if _OF_IMAGE.search(fact[:40]) or _ITSELF.match(fact):
        return capital(fact)
    if tongue == "zh":
        return lead + fact
    if lead.endswith("that ") and not _FINITE.search(re.split("[;:]", fact)[0]):
        lead = _SEEN_ANY[len(fact) % len(_SEEN_ANY)] if first else ""
    if thing is not None:
        lead = f"{lead}there {be(thing['number'].lower() not in ('a', 'an', 'one'))} "
    return capital(lead + _small(fact))


def _small(sentence: str) -> str:
    """A sentence that goes on behind a comma: with a small letter, if its first word has no capital of its own."""
    word = re.match(r"[A-Za-z]+", sentence)
    return sentence[0].lower() + sentence[1:] if word is not None and word[0].lower() in _SMALL else sentence
