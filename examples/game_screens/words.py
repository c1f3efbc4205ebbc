"""The words on the screens, in English and Chinese."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal

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
