"""Formulas of LaTeX documents through the text-layer reader: source to PDF to LaTeX, exact after normalising.

    python benchmarks/formulas.py SOURCE.tex=FILE.pdf… | BOOK… [--errors N] [--json FILE]

A BOOK is a folder with `gold.json` (whose texts hold formulas between dollar signs) and the PDFs it names. A formula is
`exact` when its normalised LaTeX is found in order, `picture` when a picture stands for it, `lost` when a sign of it is
missing or invented with no mark, `differs` for the rest (all signs there: in another form, cut at another place, or as
words of the text between the formulas before and behind it). Numbers and single words without any sign of maths are
not counted: a text shows no difference between ``$6$`` and 6.
"""

from __future__ import annotations

import argparse
import html
import json
import re
import string
import sys
import tempfile
import unicodedata
from collections import Counter
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

_DISPLAYS = "equation|align|gather|multline|displaymath|eqnarray|flalign|alignat"
_FORMULA = re.compile(
    rf"\\begin\{{(?P<env>(?:{_DISPLAYS})\*?)\}}(?P<body>.*?)\\end\{{(?P=env)\}}|(?<!\\)\\\[(?P<disp>.*?)\\\]"
    r"|\$\$(?P<two>.*?)\$\$|(?<!\\)\\\((?P<par>.*?)\\\)|(?<!\\)\$(?P<one>[^$]+?)(?<!\\)\$",
    re.DOTALL,
)
#: Drawings are pictures, with the letters in them.
_DRAWN = re.compile(r"\\begin\{tikzpicture\}.*?\\end\{tikzpicture\}", re.DOTALL)
#: What the reader writes: dollar signs that are no formula's have a backslash.
_DOLLARS = re.compile(r"(?<!\\)\$\$(?P<two>[^\n]*?)\$\$|(?<!\\)\$(?P<one>[^$\n]+?)(?<!\\)\$")
_DROPPED = re.compile(
    r"\\(?:displaystyle|textstyle|scriptstyle|limits|nolimits|left|right|middle|[bB]ig+[lrm]?|nonumber|notag|quad|qquad"
    r"|allowbreak|nobreak|strut|null|phantom\{[^{}]*\}|label\{[^{}]*\}|tag\*?\{[^{}]*\}|hspace\*?\{[^{}]*\}"
    r"|mathstrut|qedhere|ensuremath|hline|mathbin|mathrel|mathord|intertext\{[^{}]*\})(?![a-zA-Z])"
    r"|\\[,;:!> ]|~|\\hfill|\\relax"
)
_SAME = {
    r"\leq": r"\le",
    r"\geq": r"\ge",
    r"\neq": r"\ne",
    r"\rightarrow": r"\to",
    r"\dfrac": r"\frac",
    r"\tfrac": r"\frac",
    r"\cfrac": r"\frac",
    r"\dbinom": r"\binom",
    r"\tbinom": r"\binom",
    r"\lbrace": r"\{",
    r"\rbrace": r"\}",
    r"\vert": "|",
    r"\lvert": "|",
    r"\rvert": "|",
    r"\mid": "|",
    r"\lVert": r"\|",
    r"\rVert": r"\|",
    r"\Vert": r"\|",
    r"\parallel": r"\|",
    r"\dots": r"\ldots",
    r"\dotsc": r"\ldots",
    r"\dotsb": r"\cdots",
    r"\dotsm": r"\cdots",
    r"\land": r"\wedge",
    r"\lor": r"\vee",
    r"\lnot": r"\neg",
    r"\gets": r"\leftarrow",
    r"\ast": "*",
    r"\colon": ":",
    r"\mathrm": r"\text",
    r"\textrm": r"\text",
    r"\operatorname": r"\text",
    r"\operatorname*": r"\text",
    r"\mbox": r"\text",
    r"\textnormal": r"\text",
    r"\mathop": "",
    r"\bm": r"\boldsymbol",
    r"\textbf": r"\mathbf",
    r"\implies": r"\Longrightarrow",
    r"\impliedby": r"\Longleftarrow",
    r"\Longleftrightarrow": r"\iff",
    r"\owns": r"\ni",
    r"\cdotp": r"\cdot",
    r"\lbrack": "[",
    r"\rbrack": "]",
    r"\bot": r"\perp",
    r"\Bbb": r"\mathbb",
    r"\mathds": r"\mathbb",
    r"\mathbbm": r"\mathbb",
    r"\textup": r"\text",
    r"\symbf": r"\mathbf",
    r"\textit": r"\mathit",
    r"\smallsetminus": r"\backslash",
    r"\stackrel": r"\overset",
    r"\lgroup": "(",
    r"\rgroup": ")",
    r"\symup": r"\text",
    r"\bigtriangleup": r"\triangle",
    r"\longrightarrow": r"\longrightarrow",
    r"\pmod": r"\pmod",
    r"\textstyle": "",
    r"\mathstrut": "",
    r"\omicron": "o",
    r"\prime": "'",
    r"\dag": r"\dagger",
    r"\square": r"\square",
    r"\Box": r"\square",
    r"\mod": r"\bmod",
    r"\textbackslash": r"\backslash",
    r"\limits": "",
    r"\Diamond": r"\lozenge",
    r"\doublecap": r"\Cap",
    r"\setminus": r"\backslash",
}
#: Names that are set as upright words are; three full stops are dots.
_NAMED = re.compile(
    r"\\(arccos|arcsin|arctan|arg|cos|cosh|cot|coth|csc|deg|det|dim|exp|gcd|hom|inf|ker|lg|lim|liminf|limsup|ln|log|max"
    r"|min|Pr|sec|sin|sinh|sup|tan|tanh)(?![A-Za-z])"
)
#: The words that lead a formula.
_LED = re.compile(r"^\s*\\(?:text|mbox)\{([A-Za-z ]{5,})\}\s*&?(?!\s*[(\[])")
_TOKEN = re.compile(r"(?:begin|end)•\w+|\\[A-Za-z]+\*?|\\.|\S", re.DOTALL)
#: Commands that take their arguments without braces.
_TAKES = {
    r"\frac": 2,
    r"\binom": 2,
    r"\sqrt": 1,
    r"\text": 1,
    r"\mathbf": 1,
    r"\boldsymbol": 1,
    r"\mathbb": 1,
    r"\mathcal": 1,
    "^": 1,
    "_": 1,
}
_ARGUED = {
    *_TAKES,
    r"\overline",
    r"\underline",
    r"\hat",
    r"\bar",
    r"\vec",
    r"\tilde",
    r"\dot",
    r"\ddot",
    r"\mathit",
    r"\mathsf",
    r"\mathtt",
    r"\mathfrak",
    r"\widehat",
    r"\widetilde",
    r"\overset",
    r"\underset",
}


_STYLES = {r"\mathbf", r"\mathit", r"\mathsf", r"\mathtt", r"\mathfrak", r"\mathcal", r"\mathbb", r"\boldsymbol"}
_LETTER = re.compile(
    r"[^\W_]|\\(var)?(alpha|beta|gamma|delta|epsilon|zeta|eta|theta|iota|kappa|lambda|mu|nu|xi|pi|rho|sigma|tau|upsilon"
    r"|phi|chi|psi|omega|Gamma|Delta|Theta|Lambda|Xi|Pi|Sigma|Upsilon|Phi|Psi|Omega|ell)"
)
_MATRIX = r"begin•matrix((?:(?!begin•|end•).)*)end•matrix"
#: Brackets that stand around a matrix of no brackets, and the matrix that prints the same.
_AROUND = {r"\(": (r"\)", "p"), r"\[": (r"\]", "b"), r"(?<!\\)\|": (r"\|", "v"), r"\\\|": (r"\\\|", "V")}
#: What amsmath sets centred dots before.
_CENTRED = (
    r"\\dots(?=\s*(?:[-+*=<>]"
    r"|\\(?:leq?|geq?|lt|gt|times|cdot|prec|succ|subset(?:eq)?|cap|cup|oplus|otimes)(?![a-zA-Z])))"
)
#: Signs that a package sets as others.
_PACKAGES = {
    "unicode-math": {r"\mathscr": r"\mathcal", r"\varnothing": r"\emptyset"},
    "eucal": {r"\mathscr": r"\mathcal"},
    "mathptmx": {r"\varepsilon": r"\epsilon", r"\mathcal": r"\mathscr"},
    "eulervm": {r"\leq": r"\leqslant", r"\le": r"\leqslant", r"\geq": r"\geqslant", r"\ge": r"\geqslant"},
}


def normal(source: str) -> list[str]:
    """The tokens of a formula that say what it means: no spacing, no sizes, one name for each sign."""
    text = re.sub(r"(?<!\\)%.*", "", source)
    # Words before a formula print as those of the text before it; `compare` looks whether they are there.
    text = _LED.sub("", text)
    text = re.sub(r"\\\\(\[[^\]]*\])?", " ⏎ ", text)
    text = re.sub(
        r"\\begin\{(?:aligned|split|gathered|alignedat)\}(?:\[\w\])?|\\end\{(?:aligned|split|gathered|alignedat)\}",
        " ",
        text,
    )
    text = re.sub(r"\\begin\{(array|tabular)\}(?:\[\w\])?\{[^{}]*\}", r"\\begin{matrix}", text)
    text = re.sub(r"\\end\{(array|tabular)\}", r"\\end{matrix}", text)
    text = re.sub(r"\\(begin|end)\{(\w+\*?)\}", r" \1•\2 ", text)
    text = re.sub(r"\\pmod\s*(?:\{([^{}]*)\}|(\w))", r"(\\bmod \1\2)", text)
    text = _NAMED.sub(r" \\text{\1} ", text).replace("...", r"\ldots ")
    text = re.sub(_CENTRED, r"\\cdots ", text)
    text = _ARROW.sub(_over_arrow, text)
    text = text.replace("•smallmatrix", "•matrix")
    text = re.sub(r"\\not\s*=", r"\\ne ", text)
    text = re.sub(r"\\not\s*\\in(?![a-z])", r"\\notin ", text)
    text = re.sub(r"\\(left|right)\s*\.", " ", text)
    text = re.sub(
        r"\\(?:\{|lbrace)\s*begin•matrix((?:(?!begin•).)*?)end•matrix\s*$",
        r"begin•cases\1end•cases",
        _DROPPED.sub(" ", text).strip(),
    )
    text = _DROPPED.sub(" ", text)
    text = re.sub(r"(\s*⏎)+\s*end•", " end•", text)
    for left, (right, letter) in _AROUND.items():
        text = re.sub(
            rf"{left}\s*{_MATRIX}\s*{right}", rf" begin•{letter}matrix\1end•{letter}matrix ", text, flags=re.DOTALL
        )
    text = re.sub(r"\\[dt]isplaystyle", " ", text)
    text = re.sub(r"'+", lambda m: "^{" + "'" * len(m[0]) + "}", text)
    tokens = [_SAME.get(token, token) for token in _TOKEN.findall(text)]
    tokens = [token for token in tokens if token]
    tree, _ = _parse(tokens, 0)
    flat = list(_flat(tree))
    while flat and flat[-1] in (".", ",", ";"):
        flat.pop()
    return flat


_ARROW = re.compile(r"\\xrightarrow(?:\[([^\]]*)\])?(?=\s*\{)(.*)", re.DOTALL)


def _over_arrow(found: re.Match[str]) -> str:
    """A long arrow with words over it, and below it, as it is set: by its name or by parts."""
    rest, depth = found[2].lstrip(), 0
    for at, char in enumerate(rest):
        depth += (char == "{") - (char == "}")
        if depth == 0:
            arrow = rf"\overset{rest[: at + 1]}{{\longrightarrow}}"
            arrow = rf"\underset{{{found[1]}}}{{{arrow}}}" if found[1] else arrow
            return arrow + _ARROW.sub(_over_arrow, rest[at + 1 :])
    return found[0]


def _parse(tokens: Sequence[str], at: int) -> tuple[list, int]:
    parts: list = []
    while at < len(tokens):
        token = tokens[at]
        if token == "}":
            return parts, at + 1
        if token == "{":
            inner, at = _parse(tokens, at + 1)
            parts.append(inner)
        else:
            parts.append(token)
            at += 1
    return parts, at


def _flat(parts: list) -> Iterator[str]:
    """Tokens in order, groups only where a command takes them; of two scripts the lower one first."""
    at = 0
    while at < len(parts):
        part = parts[at]
        if isinstance(part, list):
            yield from _flat(part)
            at += 1
        elif part in ("^", "_"):
            scripts: dict[str, list] = {}
            while at < len(parts) and parts[at] in ("^", "_") and at + 1 < len(parts):
                value = parts[at + 1]
                taken = _TAKES.get(value, 1) if isinstance(value, str) and value in _ARGUED else 0
                whole = [value, *parts[at + 2 : at + 2 + taken]]
                scripts.setdefault(parts[at], []).extend(value if isinstance(value, list) else whole)
                at += 2 + taken
            for mark in ("_", "^"):
                if mark in scripts:
                    yield mark
                    yield "{"
                    yield from _flat(scripts[mark])
                    yield "}"
            if at < len(parts) and parts[at] in ("^", "_"):
                at += 1
        elif part == r"\text":
            inner = parts[at + 1] if at + 1 < len(parts) else []
            yield from (
                f"⟨{token}⟩" if token.isalpha() else token
                for token in _flat(inner if isinstance(inner, list) else [inner])
            )
            at += 2
        elif part == r"\boldsymbol" and parts[at + 1 : at + 2] and not _is_latin(parts[at + 1]):
            parts[at] = r"\mathbf"  # Greek letters and digits have one bold form
        elif part in _STYLES and at + 1 < len(parts) and isinstance(parts[at + 1], list) and len(parts[at + 1]) != 1:
            yield from _flat(list(_letters_in(part, parts[at + 1])))
            at += 2
        elif part in _ARGUED:
            yield part
            at += 1
            if part == r"\sqrt" and at < len(parts) and parts[at] == "[":
                end = parts.index("]", at) if "]" in parts[at:] else at
                yield from ("[", *_flat(parts[at + 1 : end]), "]")
                at = end + 1
            for _ in range(_TAKES.get(part, 2 if part in (r"\overset", r"\underset") else 1)):
                if at < len(parts):
                    yield "{"
                    yield from _flat(parts[at] if isinstance(parts[at], list) else [parts[at]])
                    yield "}"
                    at += 1
        else:
            if part != "&":
                yield part
            at += 1


def _is_latin(part: str | list) -> bool:
    inner = part if isinstance(part, list) else [part]
    return any(_is_latin(one) if isinstance(one, list) else one in string.ascii_letters for one in inner)


def _letters_in(style: str, parts: list) -> Iterator[str | list]:
    """What a style was set over, with the style at each of its letters: both print the same."""
    own = False
    for part in parts:
        if own:
            yield part
        elif isinstance(part, list):
            yield list(_letters_in(style, part))
        elif _LETTER.fullmatch(part):
            yield from (style, [part])
        else:
            yield part
        own = isinstance(part, str) and (part in _STYLES or part == r"\text")


def as_printed(source: str) -> str:
    """A document with the signs as its packages set them."""
    preamble, _, body = source.partition(r"\begin{document}")
    loaded = {
        name.strip()
        for found in re.findall(r"\\usepackage(?:\[.*?\])?\{(.*?)\}", preamble)
        for name in found.split(",")
    }
    for package in loaded & _PACKAGES.keys():
        for sign, printed in _PACKAGES[package].items():
            body = re.sub(rf"{re.escape(sign)}(?![A-Za-z])", lambda _, to=printed: to, body)
    return rf"{preamble}\begin{{document}}{body}" if body else source


def formulas_of(text: str) -> Iterator[str]:
    """The formulas of a LaTeX text in order; each row of a display is one."""
    for found in _FORMULA.finditer(text):
        body = next(found[name] for name in ("body", "disp", "two", "par", "one") if found[name] is not None)
        if found["env"] and found["env"].startswith("alignat"):
            body = re.sub(r"^\{\d\}", "", body)
        if found["par"] or found["one"]:
            body = _with_brackets(text, found.start(), found.end(), body)
        yield from _rows(body)


def read_formulas(text: str) -> Iterator[tuple[str, int, int]]:
    """The formulas of what was read, an item a line, each with where it begins and ends."""
    for found in _DOLLARS.finditer(text):
        body = _with_brackets(text, found.start(), found.end(), found["one"]) if found["one"] else found["two"]
        for row in _rows(body):
            yield row, found.start(), found.end()


def _with_brackets(text: str, start: int, end: int, body: str) -> str:
    """A formula with the brackets of the text right around it, and the word before them: "MA($q$)" is "$MA(q)$"."""
    before = re.search(r"(?<![A-Za-z])([A-Za-z]{0,9})([(\[])$", text[max(0, start - 12) : start])
    if before is None or text[end : end + 1] not in (")", "]"):
        return body
    word = rf"\mathrm{{{before[1]}}}" if before[1] else ""
    return f"{word}{before[2]}{body}{text[end]}"


def _rows(body: str) -> Iterator[str]:
    body = re.sub(
        r"\\left\s*\\\{\s*\\begin\{(aligned|array)\}(\{\w+\})?(.*?)\\end\{\1\}\s*\\right\s*\.",
        r"\\begin{cases}\3\\end{cases}",
        body,
        flags=re.DOTALL,
    )
    inner = re.sub(r"\\(begin|end)\{(aligned|split|gathered)\}", "", body)
    alone = re.fullmatch(r"\s*\\begin\{array\}(?:\[\w\])?\{[^{}]*\}(.*)\\end\{array\}[\s.,]*", inner, flags=re.DOTALL)
    if alone and _is_balanced(alone[1]):
        inner = alone[1]  # rows without brackets are lines of a display
    depth, start = 0, 0
    for mark in re.finditer(r"\\begin\{|\\end\{|\\\\(?:\[[^\]]*\])?|\{|\}", inner):
        if mark[0] == r"\begin{":
            depth += 1
        elif mark[0] == r"\end{":
            depth -= 1
        elif mark[0].startswith("\\\\") and depth == 0:
            yield inner[start : mark.start()]
            start = mark.end()
    yield inner[start:]


def _is_balanced(body: str) -> bool:
    depth = 0
    for mark in re.finditer(r"\\(begin|end)\{array\}", body):
        depth += 1 if mark[1] == "begin" else -1
        if depth < 0:
            return False
    return depth == 0


def counted(tokens: Sequence[str]) -> bool:
    """Whether a formula can be told from a text at all."""
    bare = re.sub(r"⟨\w⟩", "", "".join(tokens))
    return re.search(r"[a-zA-Z]|[=<>+\-*]", re.sub(r"^[-+]?[\d.,]*$", "", bare)) is not None


#: Formulas of more signs stand in a document once.
_LONG = 12
_DRESS = {"{", "}", "^", "_", "\\\\", "[", "]", ",", ".", r"\text", r"\mathbf", r"\boldsymbol", r"\mathit"}


def signs(tokens: Sequence[str]) -> Counter[str]:
    """The signs of a formula, without what only groups or dresses them."""
    return Counter(
        t
        for t in tokens
        if t not in ("{", "}", "^", "_", "\\\\", r"\text", r"\mathbf", r"\boldsymbol", r"\mathit", "[", "]", ",", ".")
    )


def compare(gold: Sequence[str], text: str, pictures: int) -> tuple[Counter[str], list[str]]:
    """The counts of one document, of which ``text`` was read, and its errors told.

    >>> compare([r"\\text{where } x=1"], "where $x=1$", 0)[0]["exact"], compare(["x"], "$y$", 0)[0]["lost"]
    (1, 1)
    >>> compare(["a=1", "x", "b=2"], "$a=1$ so that x and $b=2$", 0)[0]["differs"]
    1
    """
    want = [tokens for tokens in map(normal, gold) if counted(tokens)]
    placed = [(normal(formula), start, end) for formula, start, end in read_formulas(text)]
    placed = [each for each in placed if counted(each[0])]
    counts: Counter[str] = Counter(formulas=len(want), pictures=pictures)
    for at, place in _moved(["".join(t) for t in want], ["".join(t) for t, _, _ in placed]):
        want[at], placed[place] = [], ([], *placed[place][1:])
        counts["exact"] += 1
    want, placed = [tokens for tokens in want if tokens], [each for each in placed if each[0]]
    one, two = ["".join(t) for t in want], ["".join(t) for t, _, _ in placed]
    errors: list[str] = []
    match = SequenceMatcher(None, one, two, autojunk=False)
    for kind, a, b, c, d in match.get_opcodes():
        if kind == "equal":
            counts["exact"] += b - a
            continue
        start = placed[c - 1][2] if c else 0
        end = placed[d][1] if d < len(placed) else len(text)
        whole = _all_there(want[a:b], placed[c:d], text, start, end)
        cause = "differs" if whole else "lost"
        counts[cause] += b - a
        counts["invented"] += (d - c) if a == b else 0
        errors.append(f"{cause}: {'   '.join(one[a:b])}  ⇒  {'   '.join(two[c:d])}")
    kept = min(pictures, counts["lost"])
    counts["lost"] -= kept
    counts["picture"] += kept
    led = [found[1] for found in map(_LED.match, gold) if found]
    gone = [words for words in led if "".join(words.split()) not in "".join(text.split())]
    counts["exact"] -= len(gone)
    counts["lost"] += len(gone)
    return counts, errors + [f"lost: words before a formula: {words}" for words in gone]


def _moved(gold: Sequence[str], found: Sequence[str]) -> Iterator[tuple[int, int]]:
    """The places of long formulas that were read elsewhere: a note stands at the foot of its page."""
    match = SequenceMatcher(None, gold, found, autojunk=False)
    steps = [step for step in match.get_opcodes() if step[0] != "equal"]
    left = [at for _, _, _, c, d in steps for at in range(c, d)]
    for at in (at for _, a, b, _, _ in steps for at in range(a, b) if len(gold[at]) > _LONG):
        place = next((place for place in left if found[place] == gold[at]), None)
        if place is not None:
            left.remove(place)
            yield at, place


def _all_there(
    want: Sequence[list[str]], found: Sequence[tuple[list[str], int, int]], text: str, start: int, end: int
) -> bool:
    """Whether every sign of formulas stands in those that were found, or in the words of this stretch of text."""
    words = text[:end]
    for _, first, last in found:
        words = words[:first] + " " * (last - first) + words[last:]
    words = unicodedata.normalize("NFKC", words[start:]).replace("−", "-")
    upright: set[str] = set()
    left: Counter[str] = Counter()
    for tokens in want:
        if not _is_plain_in(tokens, words):
            left += signs(_without_words(tokens, text[start:end], upright))
    have = sum((signs(_without_words(tokens, " ".join(upright), set())) for tokens, _, _ in found), Counter[str]())
    lone = Counter(re.findall(r"(?<![^\W\d_])[^\W\d_](?![^\W\d_])|\d|[^\w\s]", words))
    missing = left - have
    return have <= left and Counter({token.strip("⟨⟩"): n for token, n in missing.items()}) <= lone


def _is_plain_in(tokens: Sequence[str], words: str) -> bool:
    """Whether a formula without anything above a line stands among words."""
    if {"^", "_"} & set(tokens) or any(token[:1] == "\\" for token in tokens if token not in _DRESS):
        return False
    plain = [
        re.escape(char) for token in tokens if token not in _DRESS - {"[", "]", ",", "."} for char in token.strip("⟨⟩")
    ]
    return re.search(r"(?<!\w)" + r"\s*".join(plain) + r"(?!\w)", words) is not None


def _without_words(tokens: Sequence[str], text: str, upright: set[str]) -> list[str]:
    """A formula without its runs of upright letters that stand in a text; these are added to ``upright``."""
    left: list[str] = []
    for is_upright, run in groupby(tokens, key=lambda token: token[:1] == "⟨"):
        part = list(run)
        letters = [token.strip("⟨⟩") for token in part]
        if is_upright and len(part) > 1 and re.search(r"\s*".join(map(re.escape, letters)), text):
            upright.add("".join(letters))
        else:
            left += part
    return left


def read(pdf: Path) -> tuple[str, int]:
    """The text of a PDF with its formulas, and how many of these are pictures."""
    from operators.pdf.parser.parse import assemble
    from operators.pdf.parser.survey import survey

    found = survey(pdf)
    # Letters of words that OCR is to read are no part of formulas.
    found.drafts += [page.draft for page in found.scans if page.draft is not None]
    with tempfile.TemporaryDirectory(prefix="formulas-") as folder:
        items = assemble(pdf, found, Path(folder)).items
    words = [
        [
            html.unescape(item.text) if item.type == "table" else item.text,
            *(item.captions if item.text or item.type != "equation" else ()),
        ]
        for item in items
    ]
    return "\n".join(text.replace("\n", " ") for texts in words for text in texts), sum(
        item.type == "equation" and not item.text for item in items
    )


def gold_of(book: Path) -> tuple[list[str], list[Path]]:
    """The formulas of a book's gold, and its files."""
    gold = json.loads((book / "gold.json").read_text(encoding="utf-8"))
    texts = [item[name] for item in gold["items"] for name in ("question", "answer", "solution")]
    return [f for text in texts for f in formulas_of(text or "")], [book / name for name in gold["files"]]


def bag(gold: Sequence[str], got: Sequence[str], pictures: int) -> tuple[Counter[str], list[str]]:
    """As :func:`compare`, without an order: a book's answers stand elsewhere than its gold has them."""
    want = Counter("".join(t) for t in map(normal, gold) if counted(t))
    have = Counter("".join(t) for t in map(normal, got) if counted(t))
    missing, extra = want - have, have - want
    counts = Counter(formulas=want.total(), exact=(want & have).total(), lost=missing.total(), pictures=pictures)
    errors = [f"missing: {m}" for m in missing] + [f"extra: {m}" for m in extra]
    return counts, errors


def main(argv: Sequence[str] | None = None) -> int:
    """Measure all documents and print the counts."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("documents", nargs="+", metavar="SOURCE.tex=FILE.pdf|BOOK")
    parser.add_argument("--errors", type=int, default=0, metavar="N", help="list N errors of each document")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write counts and all errors there")
    options = parser.parse_args(argv)
    total: Counter[str] = Counter()
    kept = {}
    for name in options.documents:
        source, _, pdf = name.partition("=")
        if pdf:
            text = as_printed(Path(source).read_text(encoding="utf-8", errors="ignore"))
            text = re.sub(r"(?<!\\)%.*", "", text.partition(r"\begin{document}")[2] or text)
            text = _DRAWN.sub("", text)
            counts, errors = compare(list(formulas_of(text)), *read(Path(pdf)))
        else:
            gold, files = gold_of(Path(source))
            got = [read(file) for file in files]
            counts, errors = bag(gold, [f for one, _ in got for f, _, _ in read_formulas(one)], sum(n for _, n in got))
        total.update(counts)
        kept[name] = {**counts, "errors": errors}
        print(f"{Path(source).name:<28}", dict(counts), flush=True)
        for error in errors[: options.errors]:
            print("    ", error[:300])
    print(f"{'all':<28}", dict(total), f"exact {total['exact'] / max(total['formulas'], 1):.4f}")
    if options.json:
        options.json.write_text(json.dumps(kept, ensure_ascii=False, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
