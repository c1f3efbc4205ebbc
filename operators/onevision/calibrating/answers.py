"""Wrong answers of the kind of the right one."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from operators.onevision.calibrating.banks import UNITS, WORDS
from operators.onevision.calibrating.figures import other_number
from operators.onevision.checking.words import chinese_share
from operators.verify.equivalence import equivalent

_NUMBER = re.compile(r"\d+(?:\.\d+)?")
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
