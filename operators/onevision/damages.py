"""What is done to the sources of good rows, each kind by its name."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from decimal import Decimal
from typing import Any

from dataflow_ext.text import rows as rows_of
from operators.onevision.checking.material import chinese_share, is_chinese, listed, tokens
from operators.onevision.model.language import language_of, sentences
from operators.verify.arithmetic import equations_in
from operators.verify.equivalence import equivalent


def _bank(kind: str) -> tuple[list[str], ...]:
    """What damages of a kind are made of: mostly the English and the Chinese of each, {} for what is put in."""
    return tuple(cells for of, *cells in rows_of(__package__, "data/damages.tsv") if of == kind)


#: Things that hardly any picture shows, by the word to look for in a row; sentences that tell of a thing; answers in
#: words to put in the place of others; how a reasoning ends at an answer.
THINGS, SEEN, WORDS, CLOSINGS = map(_bank, ("thing", "seen", "words", "closing"))
#: Units, to put in the place of others.
UNITS = [unit for [unit] in _bank("unit")]
#: Reasonings by their language; relations and their opposites.
REASONINGS = dict(_bank("reasoning"))
FLIPPED = dict(_bank("flipped"))
#: What a copy opens with, in English and Chinese.
[OPENINGS] = _bank("opening")

#: A number in digits, with nothing that makes it part of a name: no letter before it.
_LONE_NUMBER = re.compile(r"(?<![\w.,^_])\d+(?:\.\d+)?(?![\d^])")
#: Numbers that any reasoning may hold.
_TRIVIAL = listed("0 1 2 3 10 100 180 360")
_COLONS = (":", "：")
#: What stands behind the number of a step or an item.
_MARKER = re.compile(r"[.)、）：:](?:\s|$)")
_STEP = re.compile(r"(?:\bsteps?|\bitem|第)\s?\Z", re.IGNORECASE)


def changed_number(text: str, rng: random.Random) -> str | None:
    """The text with one number changed, none of the trivial ones; None if it has no other."""
    found = [each for each in _LONE_NUMBER.finditer(text) if each[0] not in _TRIVIAL and not _counts(text, each)]
    if not found:
        return None
    chosen = rng.choice(found)
    before, behind = text[: chosen.start()], text[chosen.end() :]
    # A time stays one: as many digits.
    of_time = before[-1:] in _COLONS or behind[:1] in _COLONS
    return before + (_other_digit(chosen[0], rng) if of_time else other_number(chosen[0], rng)) + behind


def other_number(written: str, rng: random.Random) -> str:
    """Another number in the same form: a digit changed, a little more or less, or ten times as much.

    >>> other_number("6", random.Random(1)) != "6"
    True
    """
    while True:
        way = rng.randrange(4)
        if way == 0:
            made = _other_digit(written, rng)
        elif way == 1:
            made = str(Decimal(written) + rng.choice((1, 2, 3, 5)))
        elif way == 2:
            made = str(abs(Decimal(written) - rng.choice((1, 2, 4))))
        else:
            made = str(Decimal(written) * rng.choice((2, 10)))
        if Decimal(made) != Decimal(written) and Decimal(made) != 0:
            return made


def _other_digit(written: str, rng: random.Random) -> str:
    """A number with its last digit changed; of a decimal fraction any."""
    places = [n for n, sign in enumerate(written) if sign.isdigit()]
    place = rng.choice(places) if "." in written else places[-1]
    return written[:place] + rng.choice([each for each in "123456789" if each != written[place]]) + written[place + 1 :]


def _counts(text: str, found: re.Match[str]) -> bool:
    """Whether a number counts steps or items of a list."""
    before = text[max(found.start() - 10, 0) : found.start()]
    first = not before.strip() or before.rstrip(" ").endswith("\n")
    return bool(_STEP.search(before)) or (first and bool(_MARKER.match(text, found.end())))


_OPPOSITE = {"yes": "no", "no": "yes", "true": "false", "false": "true", "是": "否", "否": "是", "对": "错", "错": "对"}
_OPPOSITE |= {"left": "right", "right": "left", "more": "fewer", "up": "down", "down": "up", "东": "西", "北": "南"}
#: How often another one is drawn.
_TRIES = 12


def wrong_answer(row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], rng: random.Random) -> str | None:
    """An answer that is not the row's; None if none is found that surely is another one."""
    answer, options = str(row["answer"]), row["options"]
    for _, other in zip(range(_TRIES), _drawn(row, rows, rng), strict=False):
        if not other or other.casefold() == answer.casefold():
            continue
        if equivalent(other, answer, question=str(row["question"]), options=options).verdict != "yes":
            return other
    return None


def _drawn(row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], rng: random.Random) -> Iterator[str]:
    answer = str(row["answer"])
    while True:
        if row["answer_type"] == "letter":
            yield rng.choice([option.letter for option in row["options"]] or list("ABCD"))
        elif answer.casefold() in _OPPOSITE:
            yield _OPPOSITE[answer.casefold()]
        elif _NUMBER.search(answer):
            yield _numeric(answer, str(row["answer_type"]), rng)
        else:
            yield _wordy(row, rows, rng)


def _numeric(answer: str, kind: str, rng: random.Random) -> str:
    """Another number, or of a quantity sometimes another unit."""
    found = rng.choice(list(_NUMBER.finditer(answer)))
    unit = answer[found.end() :].strip()
    if kind == "quantity" and unit and rng.random() < 0.3:
        return f"{answer[: found.end()]} {rng.choice([each for each in UNITS if each != unit])}"
    return answer[: found.start()] + other_number(found[0], rng) + answer[found.end() :]


def _wordy(row: Mapping[str, Any], rows: Sequence[Mapping[str, Any]], rng: random.Random) -> str:
    """Words of another row's answer or of a bank, or another option's text."""
    answer = str(row["answer"])
    texts = [
        option.text for option in row["options"] if option.text and option.text.casefold() not in answer.casefold()
    ]
    if texts:
        return str(rng.choice(texts))
    chinese = chinese_share(answer) > 0.5
    others = [
        str(each["answer"])
        for each in rows
        if each["answer_type"] == "words" and (chinese_share(str(each["answer"])) > 0.5) == chinese
    ]
    return rng.choice([*others, *(words[chinese] for words in WORDS)])


Row = Mapping[str, Any]
Damage = Callable[[Row, Sequence[Row], random.Random], dict[str, Any] | None]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: The usual Chinese characters.
_HAN = (0x4E00, 0x9FA5)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")
_FLIPPED = re.compile("|".join(rf"\b{word}\b" if word.isascii() else word for word in FLIPPED))


def _reasoned(row: Row, text: str | None) -> dict[str, Any] | None:
    return None if text is None or text == row["original_reasoning"] else {**row, "original_reasoning": text}


def _wrong(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """A wrong conclusion behind the right reasoning."""
    answer = wrong_answer(row, rows, rng)
    return None if answer is None else {**row, "original_conclusion": answer}


def _wrong_told(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """A wrong conclusion at which the reasoning ends, too."""
    damaged = _wrong(row, rows, rng)
    if damaged is None:
        return None
    text = str(row["original_reasoning"])
    end = rng.choice(CLOSINGS)[chinese_share(text) > 0.5].format(damaged["original_conclusion"])
    return {**damaged, "original_reasoning": " ".join((*sentences(text)[:-1], end))}


def _other_picture(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    others = [each for each in rows if each["picture_key"] != row["picture_key"]]
    return {**row, "picture_key": rng.choice(others)["picture_key"]} if others else None


def _invented(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """A thing that no text of the row speaks of, in its reasoning."""
    found = _things(row, rng)
    if found is None:
        return None
    told = sentences(str(row["original_reasoning"]))
    text = _seen(*found, chinese=row["language"] == "zh")
    return _reasoned(row, " ".join((*told[:1], text, *told[1:])))


def _invented_twice(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """The same in the caption and in the reasoning."""
    found = _things(row, rng)
    if found is None:
        return None
    told = sentences(str(row["original_reasoning"]))
    caption = str(row["original_caption"]).rstrip()
    return {
        **row,
        "original_caption": f"{caption} {_seen(*found, chinese=chinese_share(caption) > 0.5)}",
        "original_reasoning": " ".join((*told[:1], _seen(*found, chinese=row["language"] == "zh"), *told[1:])),
    }


def _things(row: Row, rng: random.Random) -> tuple[list[str], list[str]] | None:
    """A thing that the row does not speak of, and a sentence for it."""
    said = " ".join(str(row[name]) for name in ("question", "original_caption", "original_reasoning"))
    things = [each for each in THINGS if each[0] not in said.lower() and each[2][-2:] not in said]
    return (rng.choice(things), rng.choice(SEEN)) if things and row["language"] != "other" else None


def _seen(thing: Sequence[str], seen: Sequence[str], *, chinese: bool) -> str:
    return seen[chinese].format(thing[1 + chinese])


def _changed(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    return _reasoned(row, changed_number(str(row["original_reasoning"]), rng))


def _flipped(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """One relation turned round: left becomes right, larger smaller."""
    text = str(row["original_reasoning"])
    found = list(_FLIPPED.finditer(text))
    if not found:
        return None
    one = rng.choice(found)
    return _reasoned(row, text[: one.start()] + FLIPPED[one[0]] + text[one.end() :])


def _false_step(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """One computation that comes to another number than it does."""
    text = str(row["original_reasoning"])
    computed = [
        each for each in equations_in(text) if each.holds and _NUMBER.fullmatch(each.right) and each.text in text
    ]
    if not computed:
        return None
    one = rng.choice(computed)
    step = one.text[: one.text.rindex(one.right)] + other_number(one.right, rng)
    return _reasoned(row, text.replace(one.text, step + one.text[one.text.rindex(one.right) + len(one.right) :], 1))


def _shuffled(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    text = str(row["original_reasoning"])
    chinese = chinese_share(text) > 0.5
    words = list(tokens(text)) if chinese else text.split()
    if len(words) < 8:
        return None
    rng.shuffle(words)
    return _reasoned(row, ("" if chinese else " ").join(words))


def _letters(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """Random letters, and random characters, in the place of words; numbers and signs stay."""

    def noise(found: re.Match[str]) -> str:
        return "".join(chr(rng.randint(*_HAN)) if is_chinese(each) else rng.choice(_LETTERS) for each in found[0])

    return _reasoned(row, re.sub(r"[^\W\d_]+", noise, str(row["original_reasoning"])))


def _loop(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """A few words over and over, behind the first sentence."""
    text = str(row["original_reasoning"])
    told, chinese = sentences(text), chinese_share(text) > 0.5
    words = list(tokens(text)) if chinese else text.split()
    length = rng.randint(1, 4)
    start = rng.randint(0, max(len(words) - length, 0))
    again = ("" if chinese else " ").join(words[start : start + length] * rng.randint(12, 30))
    return _reasoned(row, " ".join((*told[:1], again, *told[-1:])))


def _other_language(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """The reasoning of a row in another language, or sentences in one with the numbers of its own."""
    own = language_of(str(row["question"]))
    if own is None:
        return None
    foreign = [each for each in rows if each["language"] != own and {each["language"], own} == {"en", "zh"}]
    if foreign and rng.random() < 0.5:
        return _reasoned(row, str(rng.choice(foreign)["original_reasoning"]))
    numbers = ", ".join(dict.fromkeys(_NUMBER.findall(str(row["original_reasoning"])))) or "1"
    languages = [each for each in REASONINGS if each != own and not (own == "other" and each in ("fr", "de", "es"))]
    return _reasoned(row, REASONINGS[rng.choice(languages)].format(numbers))


#: The damages of a source by their names.
DAMAGES: Mapping[str, Damage] = {
    "wrong conclusion": _wrong,
    "wrong conclusion, told": _wrong_told,
    "changed number": _changed,
    "false step": _false_step,
    "flipped relation": _flipped,
    "invented object": _invented,
    "invented, in both texts": _invented_twice,
    "another picture": _other_picture,
    "gibberish: shuffled": _shuffled,
    "gibberish: letters": _letters,
    "gibberish: loop": _loop,
    "other language": _other_language,
}

#: What a careless writer does, by name, and whether it opens with a sentence of its own.
COPIES: Mapping[str, bool] = {"copy": False, "copy with an opening": True}
