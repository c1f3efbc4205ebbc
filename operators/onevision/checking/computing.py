"""Whether a number follows from others by one step of arithmetic that its sentence speaks of."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence
from fractions import Fraction
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
_UNITS = (Fraction(10), Fraction(24), Fraction(60), Fraction(100), Fraction(1000), Fraction(3600), Fraction(18, 5))
#: Numbers that are tried together.
_MOST = 12


def follows(place: Place, earlier: Sequence[Place], sentence: str) -> bool:
    """Whether a number's value is a sum, difference, product, quotient, share, mean, square or root of earlier ones.

    Only if its ``sentence`` speaks of such a thing. Rounded as it is written.
    """
    if not (_CUE.search(sentence) or _CUE_CHINESE.search(sentence)):
        return False
    values = list(dict.fromkeys(each.value for each in reversed(earlier)))[:_MOST]
    wanted = (place.value, place.value / 100, place.value * 100) if place.percent else (place.value,)
    units = any(each.unit and place.unit and each.unit != place.unit for each in earlier)
    slack = Fraction(1, 2 * 10**place.digits) if place.digits else Fraction(0)
    if place.percent:
        slack /= 1 if place.value > 1 else 100
    for result in _results(values, sentence, units):
        if any(abs(result - each) <= slack for each in wanted):
            return True
    return any(_about(result, place) for result in _roots(values))


def _results(values: Sequence[Fraction], sentence: str, units: bool) -> Iterator[Fraction]:
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
        total = sum(values[:count], Fraction(0))
        yield total
        yield total / count
        yield abs(2 * max(values[:count]) - total)
    if _ANGLE.search(sentence):
        for one, other in combinations(values, 2):
            yield abs(180 - one - other)


def _roots(values: Sequence[Fraction]) -> Iterator[float]:
    for value in values:
        if value < 10**12:
            yield math.sqrt(value)
    for one, other in combinations(values, 2):
        if one < 10**6 and other < 10**6:
            yield math.sqrt(one * one + other * other)
            yield math.sqrt(abs(one * one - other * other))


def _about(result: float, place: Place) -> bool:
    return place.value < 10**12 and abs(result - float(place.value)) <= (0.5 * 10**-place.digits if place.digits else 1e-9)
