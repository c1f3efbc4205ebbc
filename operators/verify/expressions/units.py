"""Units as they stand after numbers, and the factors that a change of unit leaves between two sides."""

from __future__ import annotations

import re
from collections.abc import Iterable

_SHORT = (
    "kg mg μg g km cm mm nm μm dm m min ms μs hr hrs h s kN mN N kJ MJ J kWh kW MW mW W kPa MPa Pa mV kV V mA A "
    "kΩ Ω MHz kHz GHz Hz mol K °C °F C T Wb F μF H mL ml cL L l ft in yd mi lb lbs oz mph rad rpm eV MeV dB atm "
    "units unit sq bits bytes KB MB GB TB USD EUR RMB CNY"
).split()
_LONG = (
    "kilogram gram kilometer kilometre centimeter centimetre millimeter millimetre meter metre mile inch foot yard "
    "hour minute second day week month year decade newton joule watt volt ampere amp ohm hertz pascal liter litre "
    "pound ounce degree dollar cent euro yuan radian mole kelvin percentage point"
).split()
_CHINESE = (
    "平方千米 平方公里 平方厘米 平方分米 平方米 立方厘米 立方分米 立方米 千米每小时 米每秒 公里 千米 厘米 毫米 分米 米 "
    "千克 公斤 毫克 克 吨 小时 分钟 秒 天 周 个月 年 牛顿 牛 焦耳 焦 千瓦 瓦特 瓦 伏特 伏 安培 安 欧姆 欧 赫兹 帕斯卡 帕 "
    "毫升 升 万元 亿元 美元 元 角 摄氏度 度 弧度 摩尔 个百分点"
).split()
_PLURAL = [word + end for word in _LONG for end in ("s", "es", "")] + ["inches", "feet"]
_ONE = "|".join(re.escape(unit) for unit in sorted({*_SHORT, *_PLURAL, "Ω"}, key=lambda unit: (-len(unit), unit)))
_POWER = r"(?:\^\{?-?\d\}?|[²³]|⁻[¹²³])?"
_WRITTEN = rf"(?:square\ |cubic\ |sq\.?\ )?(?:{_ONE}){_POWER}(?:(?:/|\*|\ per\ |\ /\ )(?:{_ONE}){_POWER}(?![A-Za-z]))*(?![A-Za-z'_])"
#: A unit right after a number, in LaTeX's \text, plain or Chinese.
UNIT = re.compile(
    rf"(?:\\[,;:!\ ]|[\ ~]|\$)*(?:\\(?:text|mathrm|rm|textrm|operatorname)\s*\{{(?P<worded>[^{{}}]{{0,30}})\}}{_POWER}"
    rf"(?:\s*/\s*\\(?:text|mathrm)\s*\{{[^{{}}]{{0,20}}\}}{_POWER})*"
    rf"|(?P<plain>{_WRITTEN})|(?P<chinese>(?:{'|'.join(_CHINESE)}|时(?![间候刻期]))(?:/(?:时|{'|'.join(_CHINESE)})[²³]?)?))"
)
#: Words that multiply the number before them.
SCALES = {"hundred", "thousand", "million", "billion", "trillion", "dozen", "k", "m", "bn", "times", "fold", "万", "亿", "千", "百", "倍"}

#: Factors of a change of unit, by what the units must look like for it.
_FACTORS = (
    (re.compile(r"h|s|min|秒|分|时|天|周|年|月"), (60, 3600, 3.6, 24, 7, 1440, 86400, 365, 52, 30, 12)),
    (re.compile(r"day|week|month|year"), (7, 12, 24, 30, 52, 365)),
    (re.compile(r"ft|foot|feet|in|yd|yard|mi"), (2.54, 12, 3, 36, 1.609, 1.6, 3.28, 5280, 0.3048)),
    (re.compile(r"lb|pound|oz|ounce"), (2.2046, 2.2, 16)),
    (re.compile(r"°|degree|rad|度"), (57.29578, 1.8)),
)
_TENS = tuple(10.0**power for power in range(1, 13))


def conversion(left: float, right: float, units: Iterable[str] | None = None) -> bool:
    """Whether a change of these units (of any, without) may explain how two values differ.

    >>> conversion(72, 20, ["km/h", "m/s"]), conversion(1.5, 1500, ["km"]), conversion(58.8, 68.8)
    (True, True, False)
    """
    if left == 0 or right == 0 or left * right < 0:
        return False
    ratio = abs(left / right)
    ratio = max(ratio, 1 / ratio) if ratio else 0.0
    factors = list(_TENS)
    for pattern, of in _FACTORS:
        if units is None or any(pattern.search(unit) for unit in units):
            factors += of
    return any(abs(ratio / factor - 1) < 0.005 for factor in factors)


def plain_unit(text: str) -> str:
    """A unit without LaTeX, spaces and the plural's s, to be compared with another.

    >>> plain_unit(r"\\\\text{ dollars}"), plain_unit(" m/s^2")
    ('dollar', 'm/s2')
    """
    text = re.sub(r"\\[a-z]+\s*|\\[,;:! ]|[{}\s~^]", "", text).replace("²", "2").replace("³", "3")
    return text[:-1] if len(text) > 3 and text.endswith("s") else text
