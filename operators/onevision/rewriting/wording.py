"""How a reasoning that is written by rules begins and ends, in several forms each."""

from __future__ import annotations

import re
from collections.abc import Sequence
from random import Random
from typing import Literal

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
#: Labels that the picture holds, where the description is in another language than the row.
_LABELS = {
    "en": ("In the image I can read {}.", "The image is marked with {}.", "As seen in the image, it is marked {}."),
    "zh": ("图中标有{}。", "从图中可以看到标注{}。", "如图所示，图中标注了{}。"),
}
#: The same behind other facts.
_LABELS_TOO = {"en": ("I can also read {}.", "The labels include {}."), "zh": ("图中标有{}。", "图上写有{}。")}
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
    r"pulls|pushes|flows|lists|gives|displays|compares|consists?|begins|starts|ends|runs|says|sees|can|splits|divides|tells|makes|goes|"
    r"stand|sit|lie|hold|have|meet|touch|cross|fly|walk|move|join|play|plays)\b",
    re.IGNORECASE,
)
#: What may begin a thing without a verb: "A table with five apples."
_THING = re.compile(
    r"\A(?:an?|one|two|three|four|five|six|seven|eight|several|some|many)(?:\s[\w-]+){1,4},?\s"
    r"(?:with|of|without|that|which|who|(?:(?<!s\s)|(?<=ss\s))(?:in|on))\s",
    re.IGNORECASE,
)
_MANY = re.compile(r"\A(?!an?\s|one\s)", re.IGNORECASE)
_RELATIVE = re.compile(r"(,?\s(?:in\swhich|on\swhich|that|which|who)\s)")
_IS_SHOWN = re.compile(
    r"\b(?:is|are)\s(?:shown|drawn|depicted)\.?\Z|\bin\sthe\s(?:image|picture|figure|diagram|photo|chart|map)\b"
)
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
    lead = draw.choice(_SEEN[tongue])
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
    state = _state(fact)
    of_image = _OF_IMAGE.search(fact[:40]) is not None or _ITSELF.match(fact) is not None or _IS_SHOWN.search(fact)
    if state == "thing" and of_image:
        return "This is " + _small(fact)
    if of_image or state == "unclear" or not lead:
        return capital(fact)
    if state == "sentence":
        return capital(lead + _small(fact))
    plural = _MANY.match(fact) is not None
    return f"{_SEEN_ANY[len(fact) % len(_SEEN_ANY)]}there {'are' if plural else 'is'} {_small(fact)}"


def _seen_chinese(fact: str, lead: str) -> str:
    if not lead or _OF_IMAGE.search(fact[:40]) or _ITSELF.match(fact) or fact.startswith("这是"):
        one = _ONE.match(fact)
        return f"这是{fact}" if one is not None and _OF_IMAGE.search(one[0]) else fact
    return ("图中有" if _ONE.match(fact) else lead) + fact


def _state(fact: str) -> Literal["sentence", "thing", "unclear"]:
    """Whether a fact is a sentence or a thing without a verb, such as "A table with five apples.".

    >>> _state("A park with a bench that is empty."), _state("A flag is blue."), _state("A dog that is old runs.")
    ('thing', 'sentence', 'unclear')
    """
    head, _, rest = _RELATIVE.split(fact, maxsplit=1) if _RELATIVE.search(fact) else (fact, "", "")
    if _FINITE.search(head) or not _THING.match(fact):
        return "sentence" if _FINITE.search(fact) else "unclear"
    verbs = list(_FINITE.finditer(rest))[1:]
    linked = all(rest[: found.start()].rstrip().endswith((",", "and", "or")) for found in verbs)
    return "thing" if linked else "unclear"


def _small(sentence: str) -> str:
    """A sentence that goes on behind a comma: with a small letter, if its first word has no capital of its own."""
    word = re.match(r"[A-Za-z]+", sentence)
    return sentence[0].lower() + sentence[1:] if word is not None and word[0].lower() in _SMALL else sentence
