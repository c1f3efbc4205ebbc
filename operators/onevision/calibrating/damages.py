"""Damages of good rows, each in one known way; None where a row has nothing to damage in that way."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from operators.onevision.calibrating.answers import wrong_answer
from operators.onevision.calibrating.banks import REASONINGS, SEEN, THINGS
from operators.onevision.calibrating.figures import changed_number
from operators.onevision.checking.words import chinese_share, is_chinese, sentences, tokens
from operators.onevision.language import language_of

Row = Mapping[str, Any]
Damage = Callable[[Row, Sequence[Row], random.Random], dict[str, Any] | None]

_LETTERS = "abcdefghijklmnopqrstuvwxyz"
#: The usual Chinese characters.
_HAN = (0x4E00, 0x9FA5)
_NUMBER = re.compile(r"\d+(?:\.\d+)?")


def bare(row: Row) -> str:
    """The reasoning of a row without its tags."""
    return str(row["cot_thinking"]).removeprefix("<think>").removesuffix("</think>")


def thinking(text: str) -> str:
    """A reasoning in its tags."""
    return f"<think>{text}</think>"


def _wrong(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    answer = wrong_answer(row, rows, rng)
    return None if answer is None else {**row, "answer": answer, "final_answer": f"<answer>{answer}</answer>"}


def _wrong_told(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """A wrong answer at which the reasoning ends, too."""
    damaged = _wrong(row, rows, rng)
    if damaged is None:
        return None
    told = sentences(bare(row))
    end = (
        f"所以答案是{damaged['answer']}。"
        if chinese_share(bare(row)) > 0.5
        else f"So the answer is {damaged['answer']}."
    )
    return {**damaged, "cot_thinking": thinking(" ".join((*told[:-1], end)))}


def _other_picture(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    others = [each for each in rows if each["picture_key"] != row["picture_key"]]
    if not others:
        return None
    other = rng.choice(others)
    return {**row, **{name: other[name] for name in ("image", "picture", "picture_key", "width", "height")}}


def _invented(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """A thing that no text of the row speaks of, in its description and its reasoning."""
    said = " ".join(
        str(row[name]) for name in ("question", "image_formal_description", "original_reasoning", "cot_thinking")
    )
    things = [each for each in THINGS if each[0] not in said.lower() and each[2][-2:] not in said]
    if not things or row["language"] == "other":
        return None
    thing, seen = rng.choice(things), rng.choice(SEEN)
    description = str(row["image_formal_description"]).rstrip()
    told = sentences(bare(row))
    place = min(1, len(told))
    return {
        **row,
        "image_formal_description": f"{description} {_seen(thing, seen, chinese_share(description) > 0.5)}",
        "cot_thinking": thinking(" ".join((*told[:place], _seen(thing, seen, row["language"] == "zh"), *told[place:]))),
    }


def _seen(thing: tuple[str, str, str], seen: tuple[str, str], chinese: bool) -> str:
    return seen[chinese].format(thing[1 + chinese])


def _changed(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    text = changed_number(bare(row), rng)
    return None if text is None else {**row, "cot_thinking": thinking(text)}


def _shuffled(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    text = bare(row)
    chinese = chinese_share(text) > 0.5
    words = list(tokens(text)) if chinese else text.split()
    if len(words) < 8:
        return None
    rng.shuffle(words)
    return {**row, "cot_thinking": thinking(("" if chinese else " ").join(words))}


def _letters(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """Random letters, and random characters, in the place of words; numbers and signs stay."""

    def noise(found: re.Match[str]) -> str:
        return "".join(chr(rng.randint(*_HAN)) if is_chinese(each) else rng.choice(_LETTERS) for each in found[0])

    return {**row, "cot_thinking": thinking(re.sub(r"[^\W\d_]+", noise, bare(row)))}


def _loop(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """A few words over and over, behind the first sentence."""
    told = sentences(bare(row))
    words = bare(row).split() if chinese_share(bare(row)) <= 0.5 else list(tokens(bare(row)))
    length = rng.randint(1, 4)
    start = rng.randint(0, max(len(words) - length, 0))
    glue = " " if chinese_share(bare(row)) <= 0.5 else ""
    again = glue.join(words[start : start + length] * rng.randint(12, 30))
    return {**row, "cot_thinking": thinking(" ".join((*told[:1], again, *told[-1:])))}


def _copied(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    return {**row, "cot_thinking": thinking(str(row["original_reasoning"]))} if row["original_reasoning"] else None


def _other_language(row: Row, rows: Sequence[Row], rng: random.Random) -> dict[str, Any] | None:
    """The reasoning of a row in another language, or sentences in one with the numbers of its own."""
    own = language_of(str(row["question"]))
    if own is None:
        return None
    foreign = [each for each in rows if each["language"] != own and {each["language"], own} == {"en", "zh"}]
    if foreign and rng.random() < 0.5:
        return {**row, "cot_thinking": rng.choice(foreign)["cot_thinking"]}
    numbers = ", ".join(dict.fromkeys(_NUMBER.findall(bare(row)))) or "1"
    languages = [each for each in REASONINGS if each != own and not (own == "other" and each in ("fr", "de", "es"))]
    return {**row, "cot_thinking": thinking(REASONINGS[rng.choice(languages)].format(numbers))}


#: The damages by their names.
DAMAGES: Mapping[str, Damage] = {
    "wrong answer": _wrong,
    "wrong answer, told": _wrong_told,
    "another picture": _other_picture,
    "invented object": _invented,
    "changed number": _changed,
    "gibberish: shuffled": _shuffled,
    "gibberish: letters": _letters,
    "gibberish: loop": _loop,
    "copied reasoning": _copied,
    "other language": _other_language,
}
