"""Closed vocabulary: words that mean the same, and families of words of which no two do."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache


@dataclass(frozen=True, slots=True)
class Term:
    """A word of a closed vocabulary: its family, and what it says there."""

    family: str
    value: str


#: Of each family: what may be said, and the ways to say it.
_FAMILIES: Mapping[str, Mapping[str, str]] = {
    "polarity": {
        "yes": "yes|yeah|yep|true|correct|affirmative|是|是的|对|对的|正确|真|yes it is|yes it does|it is true|"
        "it is correct",
        "no": "no|nope|false|incorrect|wrong|negative answer|否|不是|不是的|不对|错|错误|错的|不正确|假|not true|"
        "not correct|no it is not|no it does not|it is false|untrue",
    },
    "undetermined": {
        "undetermined": "cannot be determined|can not be determined|it cannot be determined|cannot determine|"
        "undetermined|indeterminate|not enough information|insufficient information|cannot tell|cannot be known|"
        "there is not enough information|无法确定|不能确定|无法判断|不能判断|不确定|信息不足|条件不足",
    },
    "amount": {
        "none": "none|nothing|no one|nobody|none of them|没有|无|一个也没有",
        "all": "all|all of them|every one|everything|全部|所有|都是",
        "both": "both|both of them|两者都是|两个都是",
    },
    "colour": {
        "red": "red|红|红色",
        "orange": "橙|橙色|橘色",
        "yellow": "yellow|黄|黄色",
        "green": "green|绿|绿色",
        "blue": "blue|蓝|蓝色",
        "purple": "purple|紫|紫色",
        "violet": "violet",
        "pink": "pink|粉|粉色|粉红|粉红色",
        "brown": "brown|棕|棕色|褐色",
        "black": "black|黑|黑色",
        "white": "white|白|白色",
        "gray": "gray|grey|灰|灰色",
        "cyan": "cyan|青|青色",
        "beige": "beige",
        "gold": "golden|金色",
        "silver": "银色",
        "magenta": "magenta",
        "turquoise": "turquoise",
    },
    "direction": {
        "left": "left|leftward|leftwards|left side|left-hand side|lefthand|左|左边|左侧|左面|向左|往左",
        "right": "right|rightward|rightwards|right side|right-hand side|右|右边|右侧|右面|向右|往右",
        "up": "up|upward|upwards|上|上边|向上|往上|上方",
        "down": "down|downward|downwards|下|下边|向下|往下|下方",
        "forward": "forward|forwards|前|前面|向前|前方",
        "backward": "backward|backwards|后|后面|向后|后方",
    },
    "placement": {
        "above": "above|上面",
        "below": "below|beneath|下面",
        "inside": "inside|里面|内部",
        "outside": "outside|外面|外部",
    },
    "part": {
        "top": "top|顶部",
        "bottom": "bottom|底部",
        "middle": "middle|center|centre|中间|中央|中心",
    },
    "compass": {
        "north": "north|northward|northwards|北|北方|北边|向北",
        "south": "south|southward|southwards|南|南方|南边|向南",
        "east": "east|eastward|eastwards|东|东方|东边|向东",
        "west": "west|westward|westwards|西|西方|西边|向西",
        "northeast": "northeast|north east|north-east|ne|东北|东北方",
        "northwest": "northwest|north west|north-west|nw|西北|西北方",
        "southeast": "southeast|south east|south-east|se|东南|东南方",
        "southwest": "southwest|south west|south-west|sw|西南|西南方",
    },
    "turning": {
        "clockwise": "clockwise|顺时针|顺时针方向",
        "counterclockwise": "counterclockwise|counter clockwise|counter-clockwise|anticlockwise|anti-clockwise|逆时针|"
        "逆时针方向",
    },
    "weekday": {
        "monday": "monday|mon|星期一|周一|礼拜一",
        "tuesday": "tuesday|tue|tues|星期二|周二",
        "wednesday": "wednesday|wed|星期三|周三",
        "thursday": "thursday|thu|thur|thurs|星期四|周四",
        "friday": "friday|fri|星期五|周五",
        "saturday": "saturday|sat|星期六|周六",
        "sunday": "sunday|sun|星期日|星期天|周日|周天",
    },
    "month": {
        "january": "january|jan|一月|1月|一月份",
        "february": "february|feb|二月|2月",
        "march": "march|mar|三月|3月",
        "april": "april|apr|四月|4月",
        "may": "may|五月|5月",
        "june": "june|jun|六月|6月",
        "july": "july|jul|七月|7月",
        "august": "august|aug|八月|8月",
        "september": "september|sep|sept|九月|9月",
        "october": "october|oct|十月|10月",
        "november": "november|nov|十一月|11月",
        "december": "december|dec|十二月|12月",
    },
    "season": {
        "spring": "spring|springtime|春|春天|春季",
        "summer": "summer|summertime|夏|夏天|夏季",
        "autumn": "autumn|fall|秋|秋天|秋季",
        "winter": "winter|wintertime|冬|冬天|冬季",
    },
    "trend": {
        "increasing": "increasing|increase|increases|increased|rising|rises|上升|增加|增大|变大|递增",
        "decreasing": "decreasing|decrease|decreases|decreased|falling|falls|下降|减少|减小|变小|递减",
        "constant": "constant|stays the same|remains the same|unchanged|no change|stay the same|remains constant|不变|"
        "保持不变",
    },
    "state of matter": {
        "solid": "solid|固体|固态",
        "liquid": "liquid|液体|液态",
        "gas": "gas|gaseous|气体|气态",
    },
    "size": {
        "greater": "greater|larger|bigger|greater than|larger than|大于|更大",
        "less": "less|smaller|less than|smaller than|lower than|小于|更小",
        "equal": "equal|equal to|the same size|等于|相等|一样大",
    },
    "likeness": {"same": "same|identical|相同|一样", "different": "different|not the same|不同|不一样"},
    "switch": {"open": "open|opened|打开|开", "closed": "closed|shut|关闭|关"},
    "sex": {"male": "male|男|男性", "female": "female|女|女性"},
    "shape": {
        "circle": "circle|圆|圆形",
        "square": "square|正方形|方形",
        "triangle": "triangle|三角形",
        "rectangle": "rectangle|长方形|矩形",
        "pentagon": "pentagon|五边形",
        "hexagon": "hexagon|六边形",
        "octagon": "octagon|八边形",
        "oval": "oval|ellipse|椭圆|椭圆形",
        "sphere": "sphere|球|球体",
        "cube": "cube|立方体|正方体",
        "cylinder": "cylinder|圆柱|圆柱体",
        "cone": "cone|圆锥|圆锥体",
        "pyramid": "pyramid|棱锥",
    },
    "animal": {
        "cat": "cat|猫",
        "dog": "dog|狗|犬",
        "horse": "horse|马",
        "cow": "cow|牛",
        "sheep": "sheep|羊|绵羊",
        "goat": "goat|山羊",
        "pig": "pig|猪",
        "elephant": "elephant|大象|象",
        "giraffe": "giraffe|长颈鹿",
        "zebra": "zebra|斑马",
        "bear": "bear|熊",
        "lion": "lion|狮子",
        "tiger": "tiger|老虎|虎",
        "rabbit": "rabbit|兔|兔子",
        "mouse": "mouse|老鼠",
        "fox": "fox|狐狸",
        "wolf": "wolf|狼",
        "monkey": "monkey|猴|猴子",
        "bird": "bird|鸟",
        "fish": "fish|鱼",
        "frog": "frog|青蛙",
        "snake": "snake|蛇",
    },
    "fruit": {
        "apple": "apple|苹果",
        "banana": "banana|香蕉",
        "pear": "pear|梨",
        "grape": "grape|葡萄",
        "lemon": "lemon|柠檬",
        "strawberry": "strawberry|草莓",
        "watermelon": "watermelon|西瓜",
    },
    "vehicle": {
        "car": "car|汽车|小汽车|轿车",
        "bus": "bus|公交车|公共汽车|巴士",
        "truck": "truck|lorry|卡车",
        "train": "train|火车",
        "bicycle": "bicycle|bike|自行车",
        "motorcycle": "motorcycle|motorbike|摩托车",
        "boat": "boat|小船",
        "airplane": "airplane|plane|aeroplane|飞机",
    },
    "ordinal": {
        "1": "first|1st|第一|第1",
        "2": "2nd|第二|第2|second",
        "3": "third|3rd|第三|第3",
        "4": "fourth|4th|第四|第4",
        "5": "fifth|5th|第五|第5",
        "6": "sixth|6th|第六|第6",
        "7": "seventh|7th|第七|第7",
        "8": "eighth|8th|第八|第8",
        "9": "ninth|9th|第九|第9",
        "10": "tenth|10th|第十|第10",
    },
}
#: Families of which a word never names what a word of another one does.
APART = frozenset(
    (
        "polarity",
        "undetermined",
        "colour",
        "weekday",
        "month",
        "season",
        "state of matter",
        "shape",
        "animal",
        "vehicle",
    )
)
_TERMS: Mapping[str, Term] = {
    way: Term(family, value)
    for family, values in _FAMILIES.items()
    for value, ways in values.items()
    for way in ways.split("|")
}

#: Words that say nothing of their own.
ARTICLES = frozenset({"a", "an", "the"})
FILLER = frozenset(
    re.split(
        r"\s+",
        "a an the it its this that these those they there here is are was were be on in at to of for from by with "
        "side one ones which so thus shown seen depicted therefore we get have has as color 的 在 是 了 色",
    )
)
NEGATIONS = frozenset(
    re.split(r"\s+", "not no never without none neither nor cannot nobody nothing hardly unable fails lacks")
)
CHINESE_NEGATIONS = "不没无非未"
#: Beginnings that turn a word into its opposite.
OPPOSITES = ("un", "in", "im", "ir", "il", "dis", "non", "a")

_SPELLING = {
    "colour": "color",
    "colours": "colors",
    "grey": "gray",
    "centre": "center",
    "metre": "meter",
    "litre": "liter",
    "aluminium": "aluminum",
    "favourite": "favorite",
    "neighbour": "neighbor",
    "sulphur": "sulfur",
    "tyre": "tire",
    "theatre": "theater",
    "organise": "organize",
    "labelled": "labeled",
    "travelling": "traveling",
}
_IRREGULAR = {
    "people": "person",
    "persons": "person",
    "children": "child",
    "men": "man",
    "women": "woman",
    "mice": "mouse",
    "geese": "goose",
    "teeth": "tooth",
    "feet": "foot",
    "leaves": "leaf",
    "knives": "knife",
    "wolves": "wolf",
    "shelves": "shelf",
    "halves": "half",
    "vertices": "vertex",
    "buses": "bus",
    "oxen": "ox",
    "news": "news",
    "physics": "physics",
    "mathematics": "mathematics",
    "series": "series",
    "species": "species",
    "lens": "lens",
    "gas": "gas",
}


def term_of(text: str) -> Term | None:
    """What a folded text says in a closed vocabulary.

    >>> term_of("grey"), term_of("红色")
    (Term(family='colour', value='gray'), Term(family='colour', value='red'))
    """
    return _TERMS.get(text) or _TERMS.get(singular(text)) if len(text) <= 60 else None


def american(word: str) -> str:
    """A word in the spelling that is used here."""
    return _SPELLING.get(word, word)


@lru_cache(maxsize=4096)
def singular(word: str) -> str:
    """A noun in the singular, as far as its ending tells.

    >>> singular("boxes"), singular("cities"), singular("glass"), singular("people")
    ('box', 'city', 'glass', 'person')
    """
    if word in _IRREGULAR:
        return _IRREGULAR[word]
    if len(word) < 4 or not word.endswith("s") or word.endswith(("ss", "us", "is")):
        return word
    if word.endswith("ies") and len(word) > 4:
        return word[:-3] + "y"
    if word.endswith(("ches", "shes", "xes", "sses", "zes", "oes")):
        return word[:-2]
    return word[:-1]
