"""An expression cut into tokens: numbers, names, functions and signs, plain and LaTeX alike, however they are typed."""

from __future__ import annotations

import re
from fractions import Fraction
from typing import Literal, NamedTuple

from dataflow_ext.text import FULL_WIDTH

#: No text longer than this is read as one expression.
LONGEST = 2000

# One sign for one sign, so that places in the narrowed text are places in the text as written.
# The full-width comma parts clauses, so it stays: 100，200 are two numbers.
_NARROW: dict[int, int | str] = {wide: plain for wide, plain in FULL_WIDTH.items() if plain != ord(",")}
_NARROW |= dict.fromkeys((0x3000, 0xA0, 0x2009, 0x202F, 0x200A, 0x2002, 0x2003, 0x2062, 0xFEFF, 0x200B), " ")
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

_LETTERS = (
    *("alpha", "beta", "gamma", "delta", "epsilon", "zeta", "eta", "theta", "iota", "kappa", "lambda", "mu", "nu"),
    *("xi", "omicron", "pi", "rho", "_", "sigma", "tau", "upsilon", "phi", "chi", "psi", "omega"),
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


Kind = Literal[
    "number", "name", "constant", "function", "+", "-", "*", "/", "^", "raised", "lowered", "open", "close",
    "bar", "!", "%", "°", "±", "∓", ",", "frac", "binom", "sqrt", "root",
]  # fmt: skip

#: No expression of more tokens is read.
MOST_TOKENS = 600
_LONGEST_NUMBER = 400
_LARGEST_EXPONENT = 400

_ANGLES = ("sin", "cos", "tan", "cot", "sec", "csc")
_OTHERS = ("sinh", "cosh", "tanh", "ln", "log", "lg", "exp", "abs", "min", "max", "gcd", "lcm", "sqrt", "cbrt")
#: Functions by their names; the value is the name that evaluation knows.
FUNCTIONS = {name: name for name in (*_ANGLES, *(f"arc{name}" for name in _ANGLES), *_OTHERS)}
FUNCTIONS |= {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "arctg": "arctan"}
FUNCTIONS |= {"tg": "tan", "ctg": "cot", "cosec": "csc"}
_LONG_FIRST = sorted(FUNCTIONS, key=lambda name: (-len(name), name))

#: A number as it is written; thousands apart by comma, LaTeX comma, thin or plain space.
NUMBER = (
    r"(?:\d{1,3}(?:(?:,|\{,\}|\\,|\ )\d{3})+(?!\d)(?:\.\d+)?|\d+(?:\.(?!\.)\d*)?|\.\d+)"
    r"(?:[eE][+-]?\d{1,4}(?![\d.]))?"
)
_DEGREE = r"°|∘|\\degree|\^\s*(?:\\circ|\{\s*(?:\\circ|°)\s*\}|°|∘)|\\circ"
_LOWERED = (
    r"_\s*(?:\{(?P<lower>[^{}]{0,40})\}|"
    r"\{\\(?:text|mathrm|rm|textrm)\s*\{(?P<text>[^{}]{0,40})\}\}|(?P<one>\d+|[A-Za-z]))"
)
_TOKEN = re.compile(
    rf"(?P<skip>[\s$~&]+|\\(?:[,;:!\s()\[\]$]|q?quad\b|left\b\s*\.?|right\b\s*\.?|[bB]igg?[lr]?\b|displaystyle\b|limits\b))"
    rf"|(?P<number>{NUMBER})"
    rf"|(?P<degree>{_DEGREE})"
    rf"|(?P<latex>\\[A-Za-z]+|\\[%{{}}|])"
    rf"|(?P<letters>[A-Za-z]+)"
    rf"|{_LOWERED}|(?P<lowered>[{''.join(LOWERED)}]+)|(?P<raised>[{re.escape(''.join(RAISED))}]+)"
    rf"|(?P<vulgar>[{''.join(VULGAR)}])"
    rf"|(?P<power>\*\*)"
    rf"|(?P<sign>.)",
    re.DOTALL,
)
_SIGNS: dict[str, Kind] = {
    "+": "+", "-": "-", "*": "*", "/": "/", "^": "^", "!": "!", "%": "%", "±": "±", "∓": "∓", ",": ",", "(": "open",
    "[": "open", "{": "open", ")": "close", "]": "close", "}": "close", "|": "bar", "√": "sqrt",
    "∛": "root", "∜": "root",
}  # fmt: skip
_LATEX: dict[str, tuple[Kind, str]] = {
    "cdot": ("*", "*"), "times": ("*", "*"), "ast": ("*", "*"), "div": ("/", "/"), "pm": ("±", "±"), "mp": ("∓", "∓"),
    "frac": ("frac", ""), "dfrac": ("frac", ""), "tfrac": ("frac", ""), "cfrac": ("frac", ""),
    "binom": ("binom", ""), "dbinom": ("binom", ""), "tbinom": ("binom", ""), "sqrt": ("sqrt", ""),
    "lvert": ("bar", "("), "rvert": ("bar", ")"), "vert": ("bar", "|"), "mid": ("bar", "|"), "|": ("bar", "|"),
    "{": ("open", "("), "}": ("close", ")"), "lbrace": ("open", "("), "rbrace": ("close", ")"), "%": ("%", "%"),
    "pi": ("constant", "pi"), "prime": ("name", "'"),
}  # fmt: skip
#: Commands that hold words or letters in braces.
_WORDED = {"text", "mathrm", "textrm", "mathit", "mathbf", "textbf", "operatorname", "mbox", "rm", "mathsf", "textit"}
_BRACED = re.compile(r"\s*\{([^{}]{0,60})\}")
_CLOSED_FRACTION = re.compile(r"\\([dtc]?frac|d?binom)\s*(\d)\s*(\d)")
_HALF_FRACTION = re.compile(r"(\\[dtc]?frac\s*(?:\{[^{}]{0,80}\}|[A-Za-z]))\s*(\d)")
_OPEN_FRACTION = re.compile(r"(\\[dtc]?frac)\s*(\d)(?=\s*[{\\A-Za-z])")


class Refused(Exception):
    """The text is no expression that is understood, or its value is none or too large."""


class Token(NamedTuple):
    """One sign of an expression: its kind, its text, its value if it is a number, and whether space came before."""

    kind: Kind
    text: str
    value: Fraction | int = 0
    spaced: bool = False


def tokens_of(text: str) -> list[Token]:
    """The tokens of an expression; Refused for signs that are no mathematics, and for too many of them.

    >>> [token.text for token in tokens_of(r"2\\frac{1}{x_0} + sin30°")]
    ['2', '', '{', '1', '}', '{', 'x_0', '}', '+', 'sin', '30', '°']
    """
    text = narrow(text).replace("，", ",")
    if "\\" in text:
        text = _LaTeX_arguments(text)
    made: list[Token] = []
    place, spaced = 0, False
    while place < len(text):
        match = _TOKEN.match(text, place)
        assert match is not None  # noqa: S101 - the last branch takes any sign
        kind, place = match.lastgroup, match.end()
        if kind == "skip":
            spaced = True
            continue
        if kind == "latex":
            place = _command(match.group()[1:], text, place, made, spaced)
        else:
            _add(made, str(kind), match, spaced)
        if len(made) > MOST_TOKENS:
            raise Refused
        spaced = False
    return made


def _LaTeX_arguments(text: str) -> str:
    # \frac12 takes one digit for each of its places.
    if "frac" in text or "binom" in text:
        text = _CLOSED_FRACTION.sub(r"\\\1{\2}{\3}", text)
        text = _HALF_FRACTION.sub(r"\1{\2}", text)
        text = _OPEN_FRACTION.sub(r"\1{\2}", text)
    return text


def _add(made: list[Token], kind: str, match: re.Match[str], spaced: bool) -> None:
    text = match.group()
    if kind == "number":
        _number(made, text, match, spaced)
    elif kind == "degree":
        made.append(Token("°", "°"))
    elif kind == "letters":
        _letters(made, text, spaced)
    elif kind in ("lower", "text", "one"):
        _lower(made, match.group(kind))
    elif kind == "lowered":
        _lower(made, "".join(LOWERED[sign] for sign in text))
    elif kind == "raised":
        made.append(Token("raised", raised(text)))
    elif kind == "vulgar":
        made.append(Token("number", "vulgar", Fraction(*VULGAR[text]), spaced))
    elif kind == "power":
        made.append(Token("^", "^"))
    elif text in _SIGNS:
        sign = "(" if text in "([{" else ")" if text in ")]}" else text
        made.append(Token(_SIGNS[text], sign if text not in "{}[]" else text, 3 if text == "∛" else 4, spaced))
    elif text == "'" and made and made[-1].kind == "name":
        made[-1] = made[-1]._replace(text=made[-1].text + "'")
    elif text in GREEK:
        made.append(Token("constant" if GREEK[text] == "pi" else "name", GREEK[text], 0, spaced))
    else:
        raise Refused


def _number(made: list[Token], text: str, match: re.Match[str], spaced: bool) -> None:
    last = made[-1] if made else None
    if last and last.kind == "name" and not spaced and len(last.text) == 1:
        if not text.isdecimal():
            raise Refused
        made[-1] = last._replace(text=f"{last.text}_{text}")
    elif (
        last
        and last.kind == "function"
        and last.text == "log"
        and not spaced
        and match.string[match.end() :][:1] == "("
    ):
        made.append(Token("lowered", text))
    else:
        if (value := number_value(text)) is None:
            raise Refused
        made.append(Token("number", text, value, spaced))


def number_value(text: str) -> Fraction | int | None:
    """The value of a number as :data:`NUMBER` finds it; None if it is too long."""
    if len(text) > _LONGEST_NUMBER:
        return None
    if text.isdecimal():
        return int(text)
    plain = text.replace("{,}", "").replace("\\,", "").replace(",", "").replace(" ", "").lower()
    digits, _, exponent = plain.partition("e")
    if exponent and abs(int(exponent)) > _LARGEST_EXPONENT:
        return None
    whole, _, part = digits.partition(".")
    scale = int(exponent or 0) - len(part)
    number = int((whole + part) or "0")
    if scale >= 0:
        return int(number * 10**scale)
    value = Fraction(number, 10**-scale)
    return value.numerator if value.denominator == 1 else value


def _letters(made: list[Token], run: str, spaced: bool) -> None:
    single = len(run) == 1
    while run:
        name = next((name for name in _LONG_FIRST if run.startswith(name)), None) if len(run) > 1 else None
        if name:
            made.append(Token("function", FUNCTIONS[name], 0, spaced))
        elif run.startswith("pi"):
            name = "pi"
            made.append(Token("constant", "pi", 0, spaced))
        elif run.lower() in GREEK_NAMES and len(run) > 2:
            name = run
            made.append(Token("name", GREEK_NAMES.get(run, run), 0, spaced))
        elif len(run) > 3:
            raise Refused
        else:
            name = run[0]
            constant = name in ("e", "i") and (single or name == "i" or len(run) == 1)
            made.append(Token("constant" if constant else "name", name, 0, spaced))
        run, spaced = run[len(name) :], False


def _lower(made: list[Token], text: str) -> None:
    for command in ("\\text", "\\mathrm", "\\rm"):
        text = text.replace(command, "")
    text = "".join(text.split())
    last = made[-1] if made else None
    if last and last.kind == "function" and last.text == "log":
        made.append(Token("lowered", text))
    elif last and last.kind in ("name", "constant") and text and "_" not in last.text:
        made[-1] = Token("name", f"{last.text}_{text}", 0, last.spaced)
    else:
        raise Refused


def _command(name: str, text: str, place: int, made: list[Token], spaced: bool) -> int:
    if name in _LATEX:
        kind, sign = _LATEX[name]
        made.append(Token(kind, sign, 0, spaced))
    elif name in FUNCTIONS:
        made.append(Token("function", FUNCTIONS[name], 0, spaced))
    elif name in GREEK_NAMES:
        made.append(Token("name", GREEK_NAMES[name], 0, spaced))
    elif name in _WORDED:
        match = _BRACED.match(text, place)
        if match is None:
            raise Refused
        _worded("".join(match.group(1).split()), made, spaced)
        return match.end()
    elif name not in ("boxed", "mathord", "mathop", "textstyle", "tiny", "small", "large"):
        raise Refused
    return place


def _worded(word: str, made: list[Token], spaced: bool) -> None:
    if word in FUNCTIONS:
        made.append(Token("function", FUNCTIONS[word], 0, spaced))
    elif len(word) == 1 and word.isascii() and word.isalpha():
        _letters(made, word, spaced)
    elif word:
        # A unit or a word is a name of its own: it equals nothing but itself.
        made.append(Token("name", f"text {word}", 0, spaced))
