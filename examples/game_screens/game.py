"""A round of the game: its numbers, light and answer, and the words of its screens."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from random import Random
from typing import Literal

Light = Literal["GREEN", "RED", "YELLOW"]
LIGHTS: tuple[Light, Light, Light] = ("GREEN", "RED", "YELLOW")

#: How often a player picks a wrong card, and how often two, or all three, cards show the same number.
_WRONG, _TWINS, _TRIPLETS = 0.4, 0.12, 0.01

Language = Literal["en", "zh"]

WORDS: Mapping[Language, Mapping[str, tuple[str, ...]]] = {
    "en": {
        "title": ("Number Lights", "Pick It!", "Signal Game", "Light & Number", "Daily Practice"),
        "score": ("Score", "SCORE", "Points", "Pts"),
        "round": ("Round {n}/{of}", "{n}/{of}", "ROUND {n}", "Level {level} · {n}/{of}", "Question {n}"),
        "level": ("Level", "Lv", "LEVEL"),
        "time": ("Time", "Timer", "Left"),
        "best": ("Best", "Record", "High"),
        "hint": (
            "Which card is it?",
            "Look at the light",
            "Choose one card",
            "Tap the right number",
            "Pick by the light",
        ),
        "label": ("ABC", "Option {n}", "{n}", "#{n}", "Card {n}", "abc", "No.{n}"),
        "button": ("Submit", "Next", "Skip", "Pause", "Help", "Hint ({gems})"),
        "tabs": ("Home", "Rank", "Shop", "Tasks", "Me"),
        "table": ("Today", "Week", "Best"),
        "right": ("Correct! +{gain}", "Great! +{gain}", "Right!", "Well done", "+{gain}", "Yes, {value} it is!"),
        "wrong": ("Wrong! It was {value}", "Oops, should be {value}", "Not quite", "Answer: {value}", "Miss! +0"),
        "legend": ("max", "min", "mid"),
        "streak": ("Streak", "Combo"),
    },
    "zh": {
        "title": ("数字信号灯", "看灯选数", "红绿灯挑战", "每天一练", "数字闯关"),
        "score": ("得分", "分数", "本局得分"),
        "round": ("第 {n}/{of} 轮", "第{n}题", "{n}/{of}", "第 {level} 关 {n}/{of}"),
        "level": ("等级", "关"),
        "time": ("剩余时间", "时间", "剩余"),
        "best": ("最高", "纪录", "历史最高"),
        "hint": ("请根据指示灯选择", "看灯选数字", "请选择一个数字", "选哪一个？", "点击正确的卡片"),
        "label": ("甲乙丙", "选项 {n}", "{n}", "选项{w}", "第{n}个", "ABC", "{w}"),
        "button": ("提交", "下一题", "跳过", "暂停", "提示（{gems}）", "再试一次"),
        "tabs": ("首页", "排行", "商店", "任务", "我的"),
        "table": ("今日", "本周", "历史"),
        "right": ("回答正确！+{gain}", "真棒！", "正确", "+{gain}", "太好了，加{gain}分", "对啦，就是 {value}"),
        "wrong": ("错误，应选 {value}", "很可惜！应选{value}", "答错了", "正确答案：{value}", "差一点"),
        "legend": ("最大", "最小", "中间"),
        "streak": ("连胜", "连对"),
    },
}


@dataclass(frozen=True, slots=True)
class GameRound:
    """One round: what the question shows, what was picked, and what is counted before and after."""

    number: int
    numbers: tuple[int, int, int]
    light: Light
    picked: int
    score: int
    gain: int
    seconds: int
    lives: int
    coins: int
    gems: int
    level: int
    of: int = 10

    @property
    def answer(self) -> int:
        """The correct card, from left: 0, 1 or 2."""
        return right_card(self.numbers, self.light)

    @property
    def won(self) -> bool:
        """Whether the right card was picked."""
        return self.picked == self.answer


def right_card(numbers: tuple[int, int, int], light: Light) -> int:
    """The card that the game's rule asks for: largest, smallest or middle number, the leftmost of equal ones.

    >>> right_card((5, 8, 3), "GREEN"), right_card((5, 8, 3), "RED"), right_card((4, 9, 4), "YELLOW")
    (1, 2, 0)
    """
    return numbers.index(sorted(numbers)[{"GREEN": 2, "RED": 0, "YELLOW": 1}[light]])


def played(dice: Random, rounds: int, digits: tuple[int, ...]) -> list[GameRound]:
    """The rounds of one episode, one after the other; ``digits`` are how many a number may have."""
    step = dice.choice((1, 5, 10, 20, 100))
    state = GameRound(
        number=0,
        numbers=(1, 2, 3),
        light="GREEN",
        picked=0,
        score=step * dice.randrange(0, 30),
        gain=step,
        seconds=0,
        lives=dice.randrange(2, 10),
        coins=dice.randrange(1, 3000),
        gems=dice.randrange(1, 100),
        level=dice.randrange(1, 40),
    )
    made = []
    for number in range(1, rounds + 1):
        numbers, light = _numbers(dice, digits), dice.choice(LIGHTS)
        right = right_card(numbers, light)
        others = [i for i in range(3) if numbers[i] != numbers[right]]
        picked = dice.choice(others) if others and dice.random() < _WRONG else right
        state = replace(
            state, number=number, numbers=numbers, light=light, picked=picked, seconds=dice.randrange(3, 60)
        )
        made.append(state)
        state = replace(state, score=state.score + (step if state.won else 0), coins=state.coins + dice.randrange(0, 9))
    return made


def _numbers(dice: Random, digits: tuple[int, ...]) -> tuple[int, int, int]:
    many = dice.choice(digits)
    low, high = (1, 9) if many == 1 else (10 ** (many - 1), 10**many - 1)
    if many > 1 and dice.random() < 0.3:
        low = 1  # numbers of different lengths in one row
    first, second, third = (dice.randint(low, high) for _ in range(3))
    while second == first:
        second = dice.randint(low, high)
    chance = dice.random()
    if chance < _TRIPLETS:
        return first, first, first
    if chance < _TRIPLETS + _TWINS:
        return dice.choice(((first, first, second), (first, second, first), (first, second, second)))
    while third in (first, second):
        third = dice.randint(low, high)
    return first, second, third
