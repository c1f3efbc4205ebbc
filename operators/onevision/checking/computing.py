"""Whether a number follows from others by one step of arithmetic that its sentence speaks of."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from operators.onevision.checking.places import Place
from operators.onevision.checking.words import listed

#: What stands right before a number that comes out.
_RESULT = re.compile(
    r"(?:[=≈＝]|\b(?:gives?|giving|gets?|makes?|making|equals?|yields?|leaves?|leaving|becomes?|obtain|comes? to|"
    r"comes? out at|amounts? to|total of|sum of|sum is|total is|product is|to get)|得到|得出|得|等于|就是|即|结果是)"
    r"\s{0,2}(?:about |approximately |约)?[$¥]?\Z",
    re.IGNORECASE,
)
_SUM = re.compile(
    r"\b(?:total|sum|add|plus|together|altogether|combin|in all|perimeter|count|number of)|[共和加]|合计|周长",
    re.IGNORECASE,
)
_GAP = re.compile(
    r"\b(?:differ|subtract|minus|less|fewer|more|remain|left|rise|rose|increas|decreas|drop|fall|fell|grow|grew|climb|"
    r"gain|gap|exceed|apart|between|range|spread|balance|ahead|behind|taller|longer|higher|lower|save|further|after)"
    r"|[差减剩增降超多少]",
    re.IGNORECASE,
)
_PRODUCT = re.compile(
    r"\b(?:multipl|product|times|area|volume|each|per\b|cost|price|weight|force|distance|work)|[乘积倍]", re.IGNORECASE
)
_QUOTIENT = re.compile(
    r"\b(?:divid|quotient|ratio|percent|share|fraction|speed|rate|simplif|probab|current|resist|each|scale|factor|"
    r"of the)"
    r"|[%％除比占率商]|百分",
    re.IGNORECASE,
)
_MEAN = re.compile(r"\b(?:average|mean)\b|平均", re.IGNORECASE)
_ANGLE = re.compile(
    r"supplement|complement|interior|straight|third angle|other angle|remaining angle|angles? of|"
    r"互补|互余|内角|平角|余角|补角",
    re.IGNORECASE,
)
_SQUARE = re.compile(r"squar|root|hypoten|pythag|diagonal|area|[²√^]|平方|开方|勾股|斜边|对角线|面积", re.IGNORECASE)
#: Where a sentence ends.
_ENDS = re.compile(r"(?<=[.!?])\s+|[。！？\n]")
_TWO = re.compile(
    r"\b(?:half|halv|twice|double|two|both|pair|diameter|midpoint|bisect)|一半|半个|两倍|2倍|双|直径|中点",
    re.IGNORECASE,
)
#: Factors between units of one kind, and the units of each kind.
_FACTORS = (10, 24, 60, 100, 1000, 3600, 3.6, 7)
_KINDS = (
    listed(
        "mm cm dm m km metre metres meter meters centimetres centimeters kilometres kilometers "
        "毫米 厘米 分米 米 千米 公里"
    ),
    listed("s sec second seconds min minute minutes h hr hour hours day days week weeks 秒 分钟 分 小时 时 天 周"),
    listed("mg g kg t gram grams kilogram kilograms ton tons tonnes 克 千克 公斤 吨"),
    listed("ma a mv v mω ω kω w kw mw ml l m/s km/h hz khz mhz j kj pa kpa"),
    listed("¢ cent cents $ dollar dollars 元 角 分 €"),
)
#: Ratios between them, rounding, and a power of ten's on the scale of powers.
_RATIOS = (1.8, 3.6, 7.0, 24.0, 30.0, 60.0, 168.0, 1440.0, 3600.0)
_ROUNDING = 0.03
_SHARE_OF_TEN = 0.002
#: Larger numbers are not computed with.
_LARGEST = 1e15
#: Numbers that are tried together.
_MOST = 12


def follows(place: Place, earlier: Sequence[Place], text: str) -> bool:
    """Whether a number's value is a sum, difference, product, quotient, share, mean, square or root of earlier ones.

    Only what its sentence speaks of, or anything right behind a sign or word for a result. Rounded as it is written.
    """
    if not 0 < place.value < _LARGEST:
        return False
    result = _RESULT.search(text[max(place.start - 24, 0) : place.start]) is not None
    sentence = _around(text, place)
    values = list(dict.fromkeys(each.value for each in reversed(earlier) if each.value < _LARGEST))[:_MOST]
    wanted = (place.value, place.value / 100, place.value * 100) if place.percent else (place.value,)
    units = [each.value for each in earlier if convertible(each.measure, place.measure)]
    slack = 0.5 * 10.0**-place.digits if place.digits else 0.0
    if place.percent and place.value > 1:
        slack = max(slack, 0.05)
    for made in _results(values, sentence, units, result):
        for each in wanted:
            if abs(made - each) <= slack * (each / place.value) + 1e-9 * each:
                return True
    return False


def _around(text: str, place: Place) -> str:
    """The sentence of a number, as far as it is near."""
    before, behind = text[max(place.start - 110, 0) : place.start], text[place.end : place.end + 40]
    return _ENDS.split(before)[-1] + text[place.start : place.end] + _ENDS.split(behind)[0]


def _results(values: Sequence[float], sentence: str, units: Sequence[float], result: bool) -> Iterator[float]:
    sums, gaps = result or _SUM.search(sentence), result or _GAP.search(sentence)
    products, quotients = result or _PRODUCT.search(sentence), result or _QUOTIENT.search(sentence)
    for one, other in combinations(values, 2):
        if sums:
            yield one + other
        if gaps:
            yield abs(one - other)
        if products:
            yield one * other
        for above, below in ((one, other), (other, one)) if quotients else ():
            if below:
                yield above / below
                yield abs(above - below) / below
    for value in units:
        for factor in _FACTORS:
            yield value * factor
            yield value / factor
    for value in values:
        if _TWO.search(sentence):
            yield value * 2
            yield value / 2
        if _ANGLE.search(sentence):
            for full in (90, 180, 360):
                yield abs(full - value)
    for count in range(2, len(values) + 1):
        total = sum(values[:count])
        if sums:
            yield total
        if result or _MEAN.search(sentence):
            yield total / count
        if gaps:
            yield abs(2 * max(values[:count]) - total)
    if _ANGLE.search(sentence):
        for one, other in combinations(values, 2):
            yield abs(180 - one - other)
    if _SQUARE.search(sentence):
        yield from _squares(values)


def convertible(unit: str, other: str) -> bool:
    """Whether two units are different ones of one kind, such as lengths."""
    return unit != other and any(unit in kind and other in kind for kind in _KINDS)


def may_convert(value: float, other: float) -> bool:
    """Whether two values may be one in two units of a kind, rounding allowed.

    >>> may_convert(72, 20), may_convert(500, 0.5), may_convert(500, 1.0)
    (True, True, False)
    """
    ratio = max(value, other) / min(value, other)
    if not 0 < ratio < _LARGEST:
        return True
    power = math.log10(ratio)
    if abs(power - round(power)) < _SHARE_OF_TEN:
        return True
    return any(abs(ratio / each - 1) < _ROUNDING for each in _RATIOS)


def _squares(values: Sequence[float]) -> Iterator[float]:
    for value in values:
        yield value * value
        yield math.sqrt(value)
    for one, other in combinations(values, 2):
        yield math.sqrt(one * one + other * other)
        yield math.sqrt(abs(one * one - other * other))
