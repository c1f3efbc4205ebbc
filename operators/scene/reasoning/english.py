"""Small pieces of English, and what the texts of turns are made of: how they are proven, cut and counted."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from dataflow_ext.claims import Checked, check
from dataflow_ext.claims.marks import Mark, marked
from dataflow_ext.text import NUMBER_WORDS, patterns
from dataflow_ext.text.nouns import plural
from operators.scene.claims.world import RoomWorld
from operators.scene.model.records import Claimed, TurnClaims, TurnText, placeholder_in

_NUMBERS = ("no", *NUMBER_WORDS[1:13])
#: Begins that sound otherwise than they are spelt.
_AN = re.compile(
    r"(?!u[snt]i|uni|eu|one\b|ou[ij])[aeiou]|hour|heir|honest|L-shaped|8|11\b|18\b|S-shaped|X-", re.IGNORECASE
)
#: What has capitals of its own, which the vocabulary does not tell.
_CAPITALS = {
    "tv": "TV", "christmas": "Christmas", "scandinavian": "Scandinavian", "victorian": "Victorian", "dvd": "DVD",
    "persian": "Persian",
}  # fmt: skip
_CAPITAL = re.compile(rf"\b(?:{'|'.join(_CAPITALS)})\b")
#: Where a sentence begins.
_BEGIN = re.compile(r"(?:^|(?<=[.?!] ))[a-z]")
_NUMBERED = re.compile(r"\s\d+$")


def number(value: int) -> str:
    """A small number as a word.

    >>> number(3), number(21)
    ('three', '21')
    """
    return _NUMBERS[value] if 0 <= value < len(_NUMBERS) else str(value)


def the(name: str) -> str:
    """A name in a sentence: with the article, unless it is numbered or no English.

    >>> the("gray sofa"), the("nightstand 2"), the("black shoes"), the("双人床")
    ('the gray sofa', 'nightstand 2', 'the set of black shoes', '双人床')
    """
    return name if _NUMBERED.search(name) or not name.isascii() else f"the {_one(name)}"


def a(name: str) -> str:
    """A new thing in a sentence; a numbered one has its name already.

    >>> a("armchair"), a("nightstand 2"), a("unit"), a("双人床")
    ('an armchair', 'nightstand 2', 'a unit', '双人床')
    """
    if _NUMBERED.search(name) or not name.isascii():
        return name
    one = _one(name)
    return f"{'an' if _AN.match(one) else 'a'} {one}"


def _one(name: str) -> str:
    """A name that has a singular: shoes and books come in sets."""
    return f"set of {name}" if _has_no_singular(name) else name


def _has_no_singular(name: str) -> bool:
    return name.endswith("s") and not name.endswith("ss") and plural(name) == name


def plain(name: str) -> str:
    """A name without its number."""
    return _NUMBERED.sub("", name)


def listing(things: Sequence[str]) -> str:
    """Things one after the other.

    >>> listing(["a bed", "a desk", "two chairs"])
    'a bed, a desk and two chairs'
    """
    if len(things) < 2:
        return "".join(things)
    return f"{', '.join(things[:-1])} and {things[-1]}"


def several(many: int, noun: str, plural: str) -> str:
    """So many things of a kind.

    >>> several(2, "bed", "beds"), several(2, "shoes", "shoes")
    ('two beds', 'two sets of shoes')
    """
    return f"{number(many)} {f'sets of {noun}' if _has_no_singular(noun) else plural}"


def capitals(text: str) -> str:
    """The text with capitals where words have them by themselves.

    >>> capitals("tv stand")
    'TV stand'
    """
    return _CAPITAL.sub(lambda found: _CAPITALS[found[0]], text)


def sentence(text: str) -> str:
    """The text with capitals where sentences begin, and a stop at its end.

    >>> sentence("the bed stands well")
    'The bed stands well.'
    """
    text = capitals(" ".join(text.split()))
    text = _BEGIN.sub(lambda found: found[0].upper(), text)
    return text if text.endswith((".", "?", "!")) else f"{text}."


#: The parts of a turn's text.
PARTS = ("think", "conclusion")

#: Words of a reasoning, fewest and most; of a conclusion, most.
MIN_WORDS, MAX_WORDS, MAX_CONCLUSION = 30, 420, 80

#: How a problem of a reasoning's length begins.
LENGTH = "the reasoning has"

#: What no text may hold, by what it is called.
_UNFIT = {what: re.compile(source, re.IGNORECASE | re.MULTILINE)
          for what, source in patterns("operators.scene", "data/form.tsv").items()}  # fmt: skip
#: The end of a sentence, with another one behind it; not the point of a number or of an abbreviation.
_NEXT = re.compile(r"(?<!\b[a-z])(?<!e\.g)(?<!i\.e)(?<!approx)[.!?。！？]+[\"”')]*\s+(?=\S)", re.IGNORECASE)
_END = re.compile(r"[.!?。！？][\"”')]*$")


def taken_apart(think: Checked, conclusion: Checked, template: str) -> tuple[TurnText, TurnClaims]:
    """The texts without marks, and their claims with the places where they stood."""
    found = [
        Claimed(part, each.expression, each.value, each.verdict, each.said, each.at)
        for part, checked in zip(PARTS, (think, conclusion), strict=True)
        for each in checked.claims
    ]
    return TurnText(think.text, conclusion.text, template), TurnClaims(found, round(think.proven_share, 3))


def proven_again(text: TurnText, claims: Sequence[Claimed], world: RoomWorld) -> Iterator[tuple[str, Checked]]:
    """Each part of a text, checked with its claims as marks where they are said to stand."""
    for part in PARTS:
        plain = str(getattr(text, part))
        marks = [Mark(each.expression, each.place) for each in claims if each.part == part]
        yield part, check(marked(plain, marks), world)


def accepted(checked: Checked) -> str:
    """The text with its marks, without the sentences that are false or need a claim."""
    kept = list(checked.text)
    out = [each for each in checked.sentences if each.verdict in ("false", "unclaimed")]
    marks = [Mark(each.expression, each.at) for s in checked.sentences if s not in out for each in s.claims]
    for sentence in reversed(out):
        start, end = sentence.start, sentence.start + len(sentence.text)
        while end < len(kept) and kept[end] == " ":
            end += 1
        del kept[start:end]
        marks = [Mark(m.source, m.at - (end - start) if m.at > start else m.at) for m in marks]
    return marked("".join(kept), marks)


def form_problems(think: str, conclusion: str) -> list[str]:
    """What is wrong with the form of a turn's two texts, each in one sentence.

    >>> form_problems("The desk stands free. " * 10, "I move the desk. Then I rest.")
    ['the conclusion is not exactly one sentence']
    """
    return [*_length_problems(think, conclusion), *_word_problems(think, conclusion)]


def _length_problems(think: str, conclusion: str) -> Iterator[str]:
    words = _words(think)
    if not MIN_WORDS <= words <= MAX_WORDS:
        yield f"{LENGTH} {words} words, and not {MIN_WORDS} to {MAX_WORDS}"
    if not conclusion.strip():
        yield "the conclusion is empty"
    elif len(conclusion.splitlines()) > 1 or _NEXT.search(conclusion) or not _END.search(conclusion):
        yield "the conclusion is not exactly one sentence"
    elif _words(conclusion) > MAX_CONCLUSION:
        yield f"the conclusion has more than {MAX_CONCLUSION} words"


def _words(text: str) -> int:
    """Words, of which two letters of a language without spaces make one."""
    wide = sum("\u2e80" <= letter <= "\uffef" for letter in text)
    return len(text.split()) + wide // 2


def _word_problems(think: str, conclusion: str) -> Iterator[str]:
    for what, pattern in _UNFIT.items():
        for name, text in (("reasoning", think), ("conclusion", conclusion)):
            if (found := pattern.search(text)) is not None:
                yield f"the {name} holds {what}: {found[0].strip()[:40]!r}"
    for name, text in (("reasoning", think), ("conclusion", conclusion)):
        if (left := placeholder_in(text)) is not None:
            yield f"the {name} holds a placeholder: {left[:40]!r}"
