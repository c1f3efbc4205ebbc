"""Whether a number follows from others by one step of arithmetic that its sentence speaks of."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from operators.onevision.checking.places import Place
from operators.onevision.checking.words import listed

#: Words that tell that something is worked out.
_CUE = re.compile(
    r"[=≈＝]|\b(?:total|sum|add|plus|together|altogether|differ|subtract|minus|less|fewer|more|remain|left|rise|rose|"
    r"increas|decreas|drop|fall|fell|grow|grew|climb|gain|gap|divid|quotient|multipl|product|times|twice|double|triple|"
    r"half|halv|third|quarter|square|root|average|mean|ratio|percent|share|fraction|equal|gives?\b|giving|get|makes?\b|"
    r"comes?\b|becom|obtain|yield|result|amount|exceed|apart|between|each|per\b|simplif|reduc|convert|range|spread|"
    r"difference|combin|count|remaining|out of|save|cost|leav|balance|ahead|behind|taller|longer|higher|lower|number)",
    re.IGNORECASE,
)
_CUE_CHINESE = re.compile(
    r"[共和差加减乘除倍半余剩多少比占总均积商根增降超]|等于|平方|得到|得出|就是|即|结果|换算|合计|相当"
)
_ANGLE = re.compile(
    r"supplement|complement|interior|straight|third angle|other angle|remaining angle|angles? of|"
    r"互补|互余|内角|平角|余角|补角",
    re.IGNORECASE,
)
_SQUARE = re.compile(r"squar|root|hypoten|pythag|diagonal|area|[²√^]|平方|开方|勾股|斜边|对角线|面积", re.IGNORECASE)
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
#: Larger numbers are not computed with.
_LARGEST = 1e15
#: Numbers that are tried together.
_MOST = 12


def follows(place: Place, earlier: Sequence[Place], sentence: str) -> bool:
    """Whether a number's value is a sum, difference, product, quotient, share, mean, square or root of earlier ones.

    Only if its ``sentence`` speaks of such a thing. Rounded as it is written.
    """
    if not 0 < place.value < _LARGEST:
        return False
    if not (_CUE.search(sentence) or _CUE_CHINESE.search(sentence)):
        return False
    values = list(dict.fromkeys(each.value for each in reversed(earlier) if each.value < _LARGEST))[:_MOST]
    wanted = (place.value, place.value / 100, place.value * 100) if place.percent else (place.value,)
    units = [each.value for each in earlier if _convertible(each.measure, place.measure)]
    slack = 0.5 * 10.0**-place.digits if place.digits else 0.0
    if place.percent and place.value > 1:
        slack = max(slack, 0.05)
    for result in _results(values, sentence, units):
        for each in wanted:
            if abs(result - each) <= slack * (each / place.value) + 1e-9 * each:
                return True
    return False


def _results(values: Sequence[float], sentence: str, units: Sequence[float]) -> Iterator[float]:
    for one, other in combinations(values, 2):
        yield one + other
        yield abs(one - other)
        yield one * other
        for above, below in ((one, other), (other, one)):
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
    for count in range(3, len(values) + 1):
        total = sum(values[:count])
        yield total
        yield total / count
        yield abs(2 * max(values[:count]) - total)
    if _ANGLE.search(sentence):
        for one, other in combinations(values, 2):
            yield abs(180 - one - other)
    if _SQUARE.search(sentence):
        yield from _squares(values)


def _convertible(unit: str, other: str) -> bool:
    return unit != other and any(unit in kind and other in kind for kind in _KINDS)


def _squares(values: Sequence[float]) -> Iterator[float]:
    for value in values:
        yield value * value
        yield math.sqrt(value)
    for one, other in combinations(values, 2):
        yield math.sqrt(one * one + other * other)
        yield math.sqrt(abs(one * one - other * other))
