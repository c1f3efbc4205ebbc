"""Common units by what they measure, with their size in one unit of each kind: for 72 km/h = 20 m/s."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache

#: Kind and size of a unit; a currency is of no kind.
_SIZES: Mapping[str, Mapping[str, float]] = {
    "length": {
        "km": 1000, "m": 1, "dm": 0.1, "cm": 0.01, "mm": 0.001, "μm": 1e-6, "nm": 1e-9, "in": 0.0254, "ft": 0.3048,
        "yd": 0.9144, "mi": 1609.344, "kilometer": 1000, "meter": 1, "centimeter": 0.01, "millimeter": 0.001,
        "inche": 0.0254, "inch": 0.0254, "foot": 0.3048, "feet": 0.3048, "yard": 0.9144, "mile": 1609.344,
        "千米": 1000, "公里": 1000, "米": 1, "分米": 0.1, "厘米": 0.01, "毫米": 0.001,
    },
    "time": {
        "h": 3600, "hr": 3600, "hrs": 3600, "min": 60, "s": 1, "ms": 0.001, "μs": 1e-6, "hour": 3600, "minute": 60,
        "second": 1, "day": 86400, "week": 604800, "小时": 3600, "时": 3600, "分钟": 60, "秒": 1,
        "天": 86400, "周": 604800,
    },
    "mass": {
        "kg": 1000, "g": 1, "mg": 0.001, "μg": 1e-6, "t": 1e6, "kilogram": 1000, "gram": 1, "千克": 1000, "公斤": 1000,
        "克": 1, "毫克": 0.001, "吨": 1e6,
    },
    "volume": {
        "L": 1, "l": 1, "mL": 0.001, "ml": 0.001, "cL": 0.01, "liter": 1, "litre": 1, "升": 1, "毫升": 0.001,
    },
    "force": {"N": 1, "kN": 1000, "mN": 0.001, "newton": 1, "牛": 1, "牛顿": 1},
    "energy": {"J": 1, "kJ": 1000, "MJ": 1e6, "mJ": 0.001, "kWh": 3.6e6, "joule": 1, "焦": 1, "焦耳": 1},
    "power": {"W": 1, "kW": 1000, "MW": 1e6, "mW": 0.001, "watt": 1, "瓦": 1, "瓦特": 1, "千瓦": 1000},
    "pressure": {"Pa": 1, "kPa": 1000, "MPa": 1e6, "atm": 101325, "帕": 1, "帕斯卡": 1},
    "voltage": {"V": 1, "kV": 1000, "mV": 0.001, "volt": 1, "伏": 1, "伏特": 1},
    "current": {"A": 1, "mA": 0.001, "ampere": 1, "安": 1, "安培": 1},
    "resistance": {"Ω": 1, "kΩ": 1000, "ohm": 1, "欧": 1, "欧姆": 1},
    "frequency": {"Hz": 1, "kHz": 1000, "MHz": 1e6, "GHz": 1e9, "赫兹": 1},
}  # fmt: skip
_KINDS: Mapping[str, tuple[str, float]] = {
    name: (kind, float(size)) for kind, sizes in _SIZES.items() for name, size in sizes.items()
}
_PART = re.compile(r"([^\d/*-]+)([23])?")
#: Units of which products give each other, without a factor.
_COHERENT = frozenset(("m", "s", "kg", "N", "J", "W", "Pa", "V", "A", "Ω", "C", "F", "T", "Hz", "mol"))


def converted_factors(one: str, other: str) -> tuple[float, float] | None:
    """The sizes of two units of one kind in a common unit; None if they are not known to be of one kind.

    >>> converted_factors("km/h", "m/s"), converted_factors("km", "s")
    ((0.2777777777777778, 1.0), None)
    """
    first, second = _measured(one), _measured(other)
    return (first[1], second[1]) if first and second and first[0] == second[0] else None


def is_coherent(unit: str) -> bool:
    """Whether a unit is made of SI units without prefixes, so that no factor hides in a product of such.

    >>> is_coherent("m/s2"), is_coherent("km/h")
    (True, False)
    """
    return all(part is not None and part[1] in _COHERENT for part in map(_PART.fullmatch, re.split(r"[/*]", unit)))


@lru_cache(maxsize=512)
def _measured(unit: str) -> tuple[tuple[str, ...], float] | None:
    kinds: list[str] = []
    size = 1.0
    for number, part in enumerate(unit.split("/")):
        found = _PART.fullmatch(part)
        if found is None or found[1] not in _KINDS or number > 1:
            return None
        kind, each = _KINDS[found[1]]
        power = int(found[2] or 1) * (1 if number == 0 else -1)
        kinds.append(f"{kind} {power}")
        size *= each**power
    return tuple(kinds), size
