"""Signs of mathematics as they are typed, full-width, raised, lowered, in Unicode or LaTeX, told in few."""

from __future__ import annotations


def words(text: str) -> list[str]:
    """The words of a text, parted by spaces: short tables are written as running text."""
    return text.split()


#: No text longer than this is read as one expression.
LONGEST = 2000

# One sign for one sign, so that places in the narrowed text are places in the text as written.
# The full-width comma parts clauses, so it stays: 100，200 are two numbers.
_NARROW: dict[int, int | str] = {0xFF01 + i: 0x21 + i for i in range(94) if i != 11}
_NARROW |= {
    0x3000: 0x20,
    0xA0: 0x20,
    0x2009: 0x20,
    0x202F: 0x20,
}
_NARROW |= {0x200A: 0x20, 0x2002: 0x20, 0x2003: 0x20, 0x2062: 0x20, 0xFEFF: 0x20, 0x200B: 0x20}
_NARROW |= {ord(c): "-" for c in "−–﹣‐‑‒"} | {ord(c): "*" for c in "×✕✖⨯·∙⋅•∗・⋆"} | {ord(c): "/" for c in "÷∕⁄➗"}
_NARROW |= {ord(c): "°" for c in "˚º"} | {ord("➕"): "+", ord("➖"): "-"}
_NARROW |= {ord("【"): "[", ord("】"): "]", ord("∣"): "|", ord("′"): "'", ord("’"): "'", ord("∶"): ":", ord("﹦"): "="}
_NARROW |= {ord("≦"): "≤", ord("≧"): "≥", ord("⩽"): "≤", ord("⩾"): "≥", ord("≅"): "≈", ord("≃"): "≈", ord("≒"): "≈"}
_NARROW |= dict.fromkeys(map(ord, "\u0445\u0425"), "x")  # Cyrillic letters that stand for a times sign
_NARROW |= {ord("𝑥"): "x", ord("𝑦"): "y", ord("𝜋"): "π", ord("∆"): "Δ", ord("µ"): "μ", ord("Ω"): "Ω"}

RAISED = dict(zip("⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁽⁾ⁿ", "0123456789+-()n", strict=True))
LOWERED = dict(zip("₀₁₂₃₄₅₆₇₈₉ₐₑₒₓₙₘₖₜ", "0123456789aeoxnmkt", strict=True))
#: Fractions of one sign, as numerator and denominator.
VULGAR = {
    "½": (1, 2), "⅓": (1, 3), "⅔": (2, 3), "¼": (1, 4), "¾": (3, 4), "⅕": (1, 5), "⅖": (2, 5), "⅗": (3, 5),
    "⅘": (4, 5), "⅙": (1, 6), "⅚": (5, 6), "⅐": (1, 7), "⅛": (1, 8), "⅜": (3, 8), "⅝": (5, 8), "⅞": (7, 8),
    "⅑": (1, 9), "⅒": (1, 10),
}  # fmt: skip

_LETTERS = words(
    "alpha beta gamma delta epsilon zeta eta theta iota kappa lambda mu nu xi omicron pi rho _ sigma tau "
    "upsilon phi chi psi omega"
)
#: Greek letters by their signs; pi stands here too.
GREEK = {chr(0x3B1 + i): name for i, name in enumerate(_LETTERS) if name != "_"}
GREEK |= {chr(0x391 + i): name.capitalize() for i, name in enumerate(_LETTERS) if name != "_"}
GREEK |= {"ϕ": "phi", "ϵ": "epsilon", "ϑ": "theta", "ς": "sigma"}
#: Greek letters by their LaTeX names.
GREEK_NAMES = {name: name for name in GREEK.values()} | {
    "varepsilon": "epsilon",
    "varphi": "phi",
    "vartheta": "theta",
    "varrho": "rho",
    "varsigma": "sigma",
}


def narrow(text: str) -> str:
    """The text, as long as it was, with full-width, typographic and look-alike signs in their plain form.

    >>> narrow("（３ × ５）−２")
    '(3 * 5)-2'
    """
    return text if text.isascii() else text.translate(_NARROW)


def raised(text: str) -> str:
    """Raised digits and signs as they stand on the line.

    >>> raised("⁻¹²")
    '-12'
    """
    return "".join(RAISED[sign] for sign in text)


def lowered(text: str) -> str:
    """Lowered digits and letters as they stand on the line."""
    return "".join(LOWERED[sign] for sign in text)
