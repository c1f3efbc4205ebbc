"""Words, numbers and pairs of words as the loopback judge compares them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from functools import cache
from itertools import pairwise

from tests.onevision import sets

_WORD = re.compile(r"[a-zA-Z]+|[\u4e00-\u9fff]")
_NUMBER = re.compile(r"(?<![A-Za-z])\d+(?:\.\d+)?|(?<=[A-Za-z])\d+(?=\s?=)")
_UNIT = r"(?:\s?(?![xyn]\b)[a-zA-ZΩ%]{1,5})?"
_SUM = re.compile(
    rf"(?<![\w./²³√(^])(\d+(?:\.\d+)?)((?:{_UNIT}\s?[-+×*÷/]\s?\d+(?:\.\d+)?)+){_UNIT}\s?=\s?(\d+(?:\.\d+)?)(?![\d./²³^]\S)"
)
_POWER = re.compile(r"\^\{?\d+\}?")
_STEP = re.compile(r"([-+×*÷/])\s?(\d+(?:\.\d+)?)")

#: Things that a judge knows when it reads of them, in English and Chinese.
THINGS = frozenset(
    """
    ape backpack balloon banana bear bicycle bike bird boat book boot bottle butterfly cactus camel camera candle
    castle cat chair clock cow crocodile crown cup deer dinosaur dolphin dragon drum duck elephant fish flower
    fork giraffe guitar hammer hat helicopter horse kangaroo kite ladder lamp laptop lighthouse lion monkey
    motorcycle mountain octopus owl panda parrot penguin phone piano pig pineapple pizza plane rabbit robot rocket
    rose sheep ship shoe skateboard snake snowman sofa statue teapot tent tiger train truck trumpet turtle
    umbrella unicorn vase violin watermelon whale wheelchair wolf zebra
    """.split()  # noqa: SIM905
)
ZH_THINGS = tuple(
    """
    企鹅 雨伞 自行车 吉他 长颈鹿 灯塔 小提琴 直升机 乌龟 背包 章鱼 茶壶 雪人 鹦鹉 轮椅
    仙人掌 大象 狮子 老虎 猴子 熊猫 兔子 飞机 火箭 轮船 气球 钢琴 帽子 椅子 沙发
    花瓶 蜡烛 恐龙 鲸鱼 海豚 骆驼 袋鼠 摩托车 卡车 斑马 蝴蝶 香蕉 西瓜
    """.split()  # noqa: SIM905
)


def words(text: str) -> list[str]:
    """The words of a text in small letters without the ending of a plural, and its Chinese characters."""
    found = (word.lower() for word in _WORD.findall(text))
    return [
        word[:-1] if len(word) > 3 and word.endswith("s") and not word.endswith(("ss", "us")) else word
        for word in found
    ]


def numbers(text: str) -> set[float]:
    """The numbers of a text that are written in digits, exponents left out."""
    return {float(each) for each in _NUMBER.findall(_POWER.sub("", text.replace(",", "")))}


def pairs(text: str) -> Counter[tuple[str, str]]:
    """The pairs of words that stand side by side."""
    found = words(text)
    return Counter(pairwise(found))


def things(text: str) -> set[str]:
    """The things that a text names."""
    return {word for word in words(text) if word in THINGS} | {thing for thing in ZH_THINGS if thing in text}


def wrong_sums(text: str) -> list[str]:
    """The equations of a text that do not hold, worked out from left to right with × and ÷ first."""
    found = []
    for each in _SUM.finditer(text.replace(",", "")):
        value = _worked_out(each[1], _STEP.findall(each[2]))
        if value is not None and abs(value - float(each[3])) > 0.011 * max(1.0, abs(value)):
            found.append(each[0])
    return found


def _worked_out(first: str, steps: list[tuple[str, str]]) -> float | None:
    terms = [float(first)]
    for sign, text in steps:
        value = float(text)
        if sign in "×*":
            terms[-1] *= value
        elif sign in "÷/":
            if value == 0:
                return None
            terms[-1] /= value
        else:
            terms.append(value if sign == "+" else -value)
    return sum(terms)


def chinese(text: str) -> float:
    """The share of Chinese characters among letters and characters."""
    letters = [sign for sign in text if sign.isalpha()]
    return sum("\u4e00" <= sign <= "\u9fff" for sign in letters) / max(1, len(letters))


@cache
def language() -> tuple[frozenset[str], frozenset[tuple[str, str]]]:
    """The words, and the pairs of words, of all texts of the set: what somebody who can read has read before."""
    texts = [*_texts()]
    seen = frozenset(word for text in texts for word in words(text))
    return seen, frozenset(pair for text in texts for pair in pairs(text))


@cache
def common() -> frozenset[str]:
    """Words that are used about eight pictures or more: they say little about any."""
    counts: Counter[str] = Counter()
    for picture in sets.pictures().values():
        counts.update(set(words(f"{picture['description']} {picture['caption']}")))
    return frozenset(word for word, count in counts.items() if count >= 8)


def _texts() -> Iterable[str]:
    for picture in sets.pictures().values():
        yield from (picture["caption"], picture["description"], *picture["texts"])
    for name, turn in sets.turns().items():
        yield from (*sets.said(name), turn["think"])
