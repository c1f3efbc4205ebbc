"""What a sentence states without saying so: several solutions, or one number with what it measures or counts."""

from __future__ import annotations

import re

from dataflow_ext.text import patterns
from operators.verify.equations import assigned
from operators.verify.intervals import intervals_of
from operators.verify.lists import collection_of
from operators.verify.quantities import quantity_of
from operators.verify.questions import asked

_LONGEST = 300
_JOINT = re.compile(r"\s*[,、;]\s*(?:and\s+|or\s+)?|\s+(?:and|or)\s+|\s*(?:或者|或|和|与)\s*")
_GIVEN = re.compile(r"[A-Za-zα-ω](?:_?\{?\d{1,2}\}?)?\s*=\s*[^=]{1,40}$")
_OPENED = re.compile(r"(?:\b(?:is|are|so|then|thus|therefore|get|gives?|has|have)|[是为得有即:]|所以|因此|故)?[\s,]*")
_REASON = re.compile(r"\b(?:since|because|when|if|where|given|with)\b|因为|由于|如果|当|若", re.IGNORECASE)
_AMOUNT = re.compile(r"\bhow (?:much|many)\b|多少|几", re.IGNORECASE)
_MONEY = re.compile(r"(?:US\$|[$€£¥￥])\s*$")
_PART = re.compile(
    r"[,.;:!?()]| (?:on|in|at|for|from|to|of|with|by|and|or|is|are|was|were|per day|each|left|altogether)\b"
)
_MOST_WORDS = 3
_QUOTED = re.compile(r'"([^"]{1,200})"')
_WRITING = re.compile(patterns(__package__, "data/patterns.tsv")["writing"], re.IGNORECASE)
_COPULA = re.compile(r"\b(?:is|are|was|were|be|equals?|gives?|get|has|have)\b|[是为有得:：]")
_BRACKETED = re.compile(r"[A-Z]?'?[(\[{]")


def solutions_in(sentence: str) -> str:
    """The solutions that end a sentence, one name's or after "are"; "" unless there are several.

    >>> solutions_in("The roots are x = 2 or x = 3"), solutions_in("m = 2 kg and so T = 3 N")
    ('x = 2 or x = 3', '')
    """
    if len(sentence) > _LONGEST or sentence.count("=") < 2:
        return ""
    joints = list(_JOINT.finditer(sentence))
    starts = [0, *(joint.end() for joint in joints)]
    ends = [*(joint.start() for joint in joints), len(sentence)]
    names: list[str] = []
    begin = len(sentence)
    for start, end in zip(reversed(starts), reversed(ends), strict=True):
        given = _GIVEN.search(sentence[start:end])
        pair = assigned(given[0]) if given else None
        if given is None or pair is None or quantity_of(pair[1]) is None:
            break
        begin = start + given.start()
        names.append(pair[0][0])
        if given.start():
            break
    before = sentence[:begin]
    one = len(set(names)) == 1
    if len(names) < 2 or _REASON.search(before) or not (one or _OPENED.fullmatch(before)):
        return ""
    return sentence[begin:]


def parts_in(sentence: str) -> str:
    """The tuples, set, interval or numbers that end a sentence, whole; "" if it ends otherwise.

    >>> parts_in("The vertices are (1, 2) and (3, 4)"), parts_in("The roots are 2, -3"), parts_in("It is red, not 2")
    ('(1, 2) and (3, 4)', '2, -3', '')
    """
    if len(sentence) > _LONGEST or not any(letter in sentence for letter in ",，([{"):
        return ""
    for found in _COPULA.finditer(sentence):
        said = sentence[found.end() :].strip()
        if said and (intervals_of(said) is not None or _of_values(said)):
            return said
    return ""


def _of_values(text: str) -> bool:
    """Whether a text is a tuple, a set, or several numbers or tuples."""
    whole = collection_of(text)
    if whole is None:
        return False
    if whole.form in ("set", "tuple", "square"):
        return True
    return all(quantity_of(part) is not None or _is_tuple(part) for part in whole.parts)


def _is_tuple(text: str) -> bool:
    whole = collection_of(text) if _BRACKETED.match(text) else None
    return whole is not None and whole.form in ("set", "tuple", "square")


def converted_in(sentence: str, question: str) -> str:
    """Of one quantity in several units, 18 km/h = 5 m/s, that in the unit which the question asks for; else ""."""
    if len(sentence) > _LONGEST or "=" not in sentence:
        return ""
    unit = asked(question).unit
    first, *sides = (side.strip() for side in sentence.split("="))
    words = first.split(" ")
    starts = [" ".join(words[start:]) for start in range(max(0, len(words) - _MOST_WORDS), len(words))]
    sides = [next((start for start in starts if quantity_of(start) is not None), ""), *sides]
    read = [quantity_of(side) for side in sides]
    if unit is None or len(sides) < 2 or any(each is None or each.unit is None for each in read):
        return ""
    return next((side for side, each in zip(sides, read, strict=True) if each is not None and each.unit == unit), "")


def quoted_in(sentence: str, question: str) -> str:
    """What a sentence quotes, where the question asks what something says; "" unless it quotes one thing.

    >>> quoted_in('The sign says "No Parking"', "What does the sign say?")
    'No Parking'
    """
    if not _WRITING.search(asked(question).text):
        return ""
    quoted = _QUOTED.findall(sentence[:_LONGEST])
    return quoted[0].strip() if len(quoted) == 1 else ""


def amount_in(sentence: str, question: str) -> str:
    """The one quantity or number in a sentence, where the question asks how much or how many; else "".

    >>> amount_in("Three notebooks cost $15", "How much do three notebooks cost?")
    '$15'
    """
    if len(sentence) > _LONGEST or not _AMOUNT.search(question):
        return ""
    from operators.verify.numbers import numbers_in

    told = asked(question).text
    found = [each for each in numbers_in(sentence) if not _repeated(each.text, told)]
    if len(found) != 1:
        return ""
    start, end = found[0].start, found[0].start + len(found[0].text)
    sign = _MONEY.search(sentence[:start])
    if sign:
        money = sentence[sign.start() : end]
        return money if quantity_of(money) else ""
    return _with_unit(sentence[start:], end - start)


def _repeated(text: str, question: str) -> bool:
    """Whether a number in words is one of the question's own."""
    return text.isalpha() and re.search(rf"\b{re.escape(text.lower())}\b", question) is not None


def _with_unit(text: str, size: int) -> str:
    """A number and the unit right behind it; else the thing that it counts, up to the end of the phrase."""
    rest = text[size:]
    tokens = [found.end() for found in re.finditer(r"\s*[^\s,;:!?()]+", rest[:60])][:_MOST_WORDS]
    for end in reversed(tokens):
        quantity = quantity_of(text[: size + end])
        if quantity is not None and quantity.unit is not None:
            return text[: size + end]
    stop = _PART.search(rest)
    thing = text[: size + stop.start()] if stop else text
    counted = quantity_of(thing.strip())
    return thing.strip() if counted is not None and len(thing[size:].split()) <= _MOST_WORDS else ""
