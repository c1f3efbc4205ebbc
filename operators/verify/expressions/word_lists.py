"""Words and signs that scanning knows, and lists of words written as running text."""

from __future__ import annotations


def words(text: str) -> list[str]:
    """The words of a text, parted by spaces."""
    return text.split()


#: A relation, in signs; words for one are looked for only between numbers.
RELATIONS = {
    "=": "=", "==": "=", "≈": "≈", "\\approx": "≈", "<": "<", ">": ">", "≤": "≤", "≥": "≥", "<=": "≤", ">=": "≥",
    "\\le": "≤", "\\leq": "≤", "\\ge": "≥", "\\geq": "≥", "\\lt": "<", "\\gt": ">", "≠": "≠", "\\ne": "≠",
    "\\neq": "≠", "!=": "≠", "\\simeq": "≈", "\\cong": "≈", "\\leqslant": "≤", "\\geqslant": "≥", "≡": "=",
}  # fmt: skip
#: Words for signs; "is" and the like only join a computed left side to a right one.
WORDS_FOR_SIGNS = {
    "plus": "+", "minus": "-", "times": "*", "multiplied by": "*", "divided by": "/", "equals": "=", "equal": "=",
    "is equal to": "=", "equal to": "=", "is": "is", "gives": "is", "makes": "is", "percent": "%", "per cent": "%",
    "squared": "^2", "cubed": "^3", "is approximately": "≈", "is about": "≈", "approximately": "≈", "are": "is",
}  # fmt: skip
CHINESE_FOR_SIGNS = {
    "等于": "=", "约等于": "≈", "大约等于": "≈", "约为": "≈", "约是": "≈", "乘以": "*", "除以": "/",
    "加上": "+", "减去": "-",
    "加": "+", "减": "-", "乘": "*", "是": "is", "为": "is", "得": "is", "得到": "is",
}  # fmt: skip
#: Words of up to three letters that are no names.
SHORT_WORDS = frozenset(
    words(
        "a i an the and or of is in on at to by as so we he it its if be do for not but can has had was are "
        "may our out one two six ten let all any per via now then thus hence get set sum mean how who why you "
        "she her his they yes no up off big too use new old see my me us am go got did won let say add put "
        "run end top own each"
    )
) - {"a", "i"}
