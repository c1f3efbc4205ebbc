"""Whether a number follows from others by one step of arithmetic that its sentence speaks of."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from itertools import combinations

from operators.onevision.checking.places import Place

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
_ANGLE = re.compile(r"°|\bangle|\bdegree|角|度|supplement|complement|互补|互余|triangle|straight", re.IGNORECASE)
_TWO = re.compile(r"\b(?:half|halv|twice|double|two|both|pair|radius|diameter|midpoint|bisect)|半|倍|两|双|直径|半径|中点", re.IGNORECASE)
_UNITS = (10, 24, 60, 100, 1000, 3600, 3.6)
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
    units = any(each.measure and place.measure and each.measure != place.measure for each in earlier)
    slack = 0.5 * 10.0**-place.digits if place.digits else 0.0
    if place.percent and place.value > 1:
        slack = max(slack, 0.05)
    for result in _results(values, sentence, units):
        for each in wanted:
            if abs(result - each) <= slack * (each / place.value) + 1e-9 * each:
                return True
    return False


def _results(values: Sequence[float], sentence: str, units: bool) -> Iterator[float]:
    for one, other in combinations(values, 2):
        yield one + other
        yield abs(one - other)
        yield one * other
        for above, below in ((one, other), (other, one)):
            if below:
                yield above / below
                yield abs(above - below) / below
    for value in values:
        yield value * value
        if units:
            for factor in _UNITS:
                yield value * factor
                yield value / factor
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
    yield from _roots(values)


def _roots(values: Sequence[float]) -> Iterator[float]:
    for value in values:
        yield math.sqrt(value)
    for one, other in combinations(values, 2):
        yield math.sqrt(one * one + other * other)
        yield math.sqrt(abs(one * one - other * other))
