"""Running text cut into stretches of mathematics: numbers, signs and words for signs, with their relations."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from .pieces import Item, ItemKind, Stretch
from .signs import GREEK, GREEK_NAMES, LOWERED, RAISED, VULGAR
from .tokens import FUNCTIONS, NUMBER
from .units import Unit, unit_at
from .word_lists import CHINESE_FOR_SIGNS, RELATIONS, SHORT_WORDS, WORDS_FOR_SIGNS
from .wording import ONES, SCALES, TENS, number_word

_CHINESE_END = re.compile(r"(?P<word>约等于|大约等于|等于|乘以|除以|加上|减去|加|减|乘|约为|约是|是|为|得|得到)$")
_POISON = (
    r"&[a-z]{2,8};|\d+(?::\d+)+|\d+(?:\.\d+){2,}|\d{4}-\d{1,2}-\d{1,2}(?!\d)|\d{1,2}/\d{1,2}/\d{4}(?!\d)|[#@]\d+|[<>=-]{1,3}>|<-{1,3}|=>"
    r"|</?[a-zA-Z][^<>\n]{0,60}>|[A-Za-z]+\d[\dA-Za-z]*[A-Za-z]"
    # A name with a number: x1, T2, Step3; no function of a number, and not the sign of 2x3.
    r"|(?<![A-Za-z0-9\\_)])(?!(?:(?:a|arc)?(?:sin|cos|tan)|cot|sec|csc|log|ln|lg|sqrt|exp|is)\d)"
    r"(?:(?<!\d )|(?!x))[A-Za-z]{1,12}\d+(?!\.?\d)"
)
_PIECE = re.compile(
    rf"(?P<space>(?:[\s~$]|&(?![a-z]{{2,8}};))+|\\(?:[,;:!()\[\]\s\\$]|q?quad\b|left\b\s*\.?|right\b\s*\.?|[bB]igg?[lr]?\b|displaystyle\b)|(?<![\w)\s])\*\*|\*\*(?!\s*[\w(\\-])|(?<=\s)\*\*(?=\S))"
    rf"|(?P<poison>{_POISON})"
    rf"|(?P<number>{NUMBER})"
    rf"|(?P<relation>\\(?:approx|leqslant|geqslant|leq|geq|neq|simeq|cong|le|ge|lt|gt|ne)(?![A-Za-z])|[<>!=]=|[=≈<>≤≥≠≡])"
    rf"|(?P<degree>\^\s*(?:\\circ|\{{\s*\\circ\s*\}})|\\circ|°|\\degree)"
    rf"|(?P<command>\\(?:[A-Za-z]+|[%{{}}|*]))"
    rf"|(?P<phrase>(?:multiplied\ by|divided\ by|is\ equal\ to|equal\ to|is\ approximately|is\ about|per\ cent)\b)"
    rf"|(?P<word>[A-Za-z]+(?:_(?:\{{[^{{}}]{{0,20}}\}}|[A-Za-z0-9]+)|[{''.join(LOWERED)}]+)?)"
    rf"|(?P<greek>[{''.join(GREEK)}](?:_(?:\{{[^{{}}]{{0,20}}\}}|[A-Za-z0-9]+)|[{''.join(LOWERED)}]+)?)"
    rf"|(?P<chinese>[一-鿿]+)"
    rf"|(?P<raised>[{re.escape(''.join(RAISED))}]+)|(?P<vulgar>[{''.join(VULGAR)}])"
    rf"|(?P<sign>.)",
    re.DOTALL,
)
_OPERATORS = {"+", "-", "*", "/", "^", "±"}
_COMMANDS = {"*": "*", "cdot": "*", "times": "*", "ast": "*", "div": "/", "pm": "±"}
_OPENING = {"frac", "dfrac", "tfrac", "cfrac", "sqrt", "binom"}
#: Longer words that may begin a stretch.
_KNOWN = frozenset((*FUNCTIONS, *ONES, *TENS, *SCALES))
_NEEDS_OPERAND = ("operator", "open", "relation", "function")


@lru_cache(maxsize=1024)
def stretches(text: str) -> tuple[Stretch, ...]:
    """The stretches of a narrowed text that hold a relation and something on both its sides, not to be changed."""
    return tuple(
        stretch
        for stretch in _Scanner(text).all()
        if any(item.kind == "relation" for item in stretch.items) and len(stretch.items) > 2
    )


class _Scanner:
    def __init__(self, text: str) -> None:
        self.text = text
        self.now = Stretch()
        self.done: list[Stretch] = []

    def all(self) -> list[Stretch]:
        place = 0
        while place < len(self.text):
            match = _PIECE.match(self.text, place)
            assert match is not None  # noqa: S101 - the last branch takes any sign
            place = match.end()
            kind = str(match.lastgroup)
            if kind == "word" and not self.now.items and self._is_prose(match.group()):
                self.now.before = match.group().lower()
            elif kind != "space":
                place = self.take(kind, match)
        self.cut("")
        return self.done

    @staticmethod
    def _is_prose(word: str) -> bool:
        return len(word) > 3 and "_" not in word and word.lower() not in _KNOWN

    def last(self) -> ItemKind | Literal[""]:
        return self.now.items[-1].kind if self.now.items else ""

    def add(self, kind: ItemKind, text: str, start: int, end: int) -> None:
        self.now.items.append(Item(kind, text, start, end))

    def cut(self, word: str) -> None:
        """End the stretch; the word stands after it and before the next one."""
        if self.now.items:
            self.now.after = word
            self.done.append(self.now)
            self.now = Stretch(before=word)
        else:
            self.now.before = word

    def take(self, kind: str, match: re.Match[str]) -> int:
        text, start, end = match.group(), match.start(), match.end()
        if kind in ("number", "vulgar"):
            return self.number(text, start, end)
        if kind == "relation":
            self.relation(RELATIONS[text], start, end)
        elif kind in ("degree", "raised"):
            self.postfix("°" if kind == "degree" else text, start, end)
        elif kind == "command":
            return self.command(text[1:], match)
        elif kind in ("word", "phrase"):
            return self.word(text, start, end)
        elif kind == "greek":
            self.operand("name" if text != "π" else "number", text, start, end)
        elif kind == "chinese":
            self.chinese(text, start, end)
        elif kind == "sign":
            return self.sign(text, start, end)
        else:
            self.cut("\0")
        return end

    def operand(self, kind: ItemKind, text: str, start: int, end: int) -> None:
        if kind == "number" and self.last() in ("number", "close", "name", "postfix", "unit", "label") and text != "π":
            fraction = self.last() == "number" and re.match(r"\s*/\s*\d", self.text[end : end + 12])
            if not (fraction or text in VULGAR):
                # Two numbers side by side are no product.
                self.cut("\0")
        elif self.last() == "label":
            self.cut("")
        self.add(kind, text, start, end)

    def number(self, text: str, start: int, end: int) -> int:
        ended = text.endswith(".")
        self.operand("number", text.rstrip("."), start, end - ended)
        return end - ended if ended else self.unit(end)

    def unit(self, place: int) -> int:
        """Take the unit that stands here, if there is one."""
        unit = unit_at(self.text, place)
        if unit is None or (unit.text in ("in", "A") and self._is_word(unit)):
            return place
        tight = len(unit.text) == 1 and unit.text.isascii() and unit.start == place
        self.add("unit", ("'" if tight else "") + unit.text, place, unit.end)
        return unit.end

    def _is_word(self, unit: Unit) -> bool:
        # "5 in the", "7 A man": a word, not a unit, if another word follows.
        following = self.text[unit.end : unit.end + 2]
        return following[:1] == " " and following[1:].isalpha()

    def relation(self, sign: str, start: int, end: int) -> None:
        if self.last() in ("", "operator", "open", "function", "relation"):
            self.cut("\0" if self.now.items else "=")
            return
        self.add("relation", sign, start, end)

    def postfix(self, text: str, start: int, end: int) -> None:
        if self.last() in ("number", "close", "name", "postfix", "unit", "function"):
            self.add("postfix", text, start, end)
        else:
            self.cut("\0")

    def command(self, name: str, match: re.Match[str]) -> int:
        start, end = match.span()
        if name in _COMMANDS:
            self.operator(_COMMANDS[name], start, end)
        elif name in _OPENING:
            self.operand("function", f"\\{name}", start, end)
        elif name in FUNCTIONS:
            return self.function(name, start, end)
        elif name == "pi":
            self.operand("number", "π", start, end)
        elif name in GREEK_NAMES:
            self.operand("name", f"\\{name} ", start, end)
        elif name == "%":
            self.postfix("%", start, end)
        elif name in ("text", "mathrm", "rm", "mathbf", "boxed", "therefore", "because", "Rightarrow", "implies", "to"):
            unit = self.unit(start) if self.last() in ("number", "close", "postfix") else start
            if unit > start:
                return unit
            self.cut("\0" if name in ("boxed", "mathbf") else "")
        elif name in ("end", "begin", "quad", "hspace", "item"):
            self.cut("")
        else:
            self.cut("\0")
        return end

    def function(self, name: str, start: int, end: int) -> int:
        """Take a function with the base or power that is written at its name."""
        match = _AT_FUNCTION.match(self.text, end)
        end = match.end() if match is not None else end
        self.operand("function", f"\\{name}{match.group() if match is not None else ''}", start, end)
        return end

    def operator(self, text: str, start: int, end: int) -> None:
        if self.last() in ("operator", "") and text not in ("-", "+", "±"):
            # A "*" that begins a line is a bullet; else something that was not read comes before the sign.
            bullet = not self.now.items and not self.text[:start].rpartition("\n")[2].strip()
            self.cut("" if bullet else "\0")
            return
        self.add("operator", text, start, end)

    def sign(self, text: str, start: int, end: int) -> int:
        if text in _OPERATORS or text == "*":
            self.operator(text, start, end)
        elif text in "([{":
            if self.last() in ("label",):
                self.cut("")
            self.add("open", text, start, end)
        elif text in ")]}":
            self.add("close", text, start, end)
            return self.unit(end) if text != "}" or self.text[end : end + 1] in " \\" else end
        elif text in "%!":
            self.postfix(text, start, end)
        elif text in "√|":
            self.operand("function" if text == "√" else "open", text, start, end)
        elif text == "_" and self.last() == "function":
            self.add("postfix", "_", start, end)
        else:
            self.cut(text)
        return end

    def word(self, text: str, start: int, end: int) -> int:
        low = text.lower()
        if (
            low in ("x",)
            and self.last() in ("number", "unit", "close")
            and re.match(r"\s*[\d(]", self.text[end : end + 3])
        ):
            self.operator("*", start, end)
        elif low == "times" and not re.match(
            r"\s+(?:[-\d(√\\$]|[a-z]+\s(?:is|equals|gives|makes)\b)", self.text[end : end + 25]
        ):
            # "4 times the width" is no product.
            self.cut(low)
        elif low in WORDS_FOR_SIGNS and self.last() in ("number", "unit", "label", "close", "postfix"):
            self.worded(WORDS_FOR_SIGNS[low], start, end)
        elif low == "of" and self._of_part():
            self.operator("*", start, end)
        elif low.startswith("log_"):
            self.operand("function", low, start, end)
        elif low in FUNCTIONS and text not in ("max", "min"):
            return self.function(low, start, end)
        elif (found := number_word(self.text, start)) is not None and (
            self.last() in _NEEDS_OPERAND or not self.now.items
        ):
            self.operand("number", str(found[0]), start, found[1])
            return self.unit(found[1])
        elif len(text) > 2 and self.last() in ("number", "label", "unit", "close") and self._is_label(start):
            self.add("label", text, start, end)
        elif len(text.split("_")[0].rstrip("".join(LOWERED))) <= 3 and low not in SHORT_WORDS:
            self.operand("name", text, start, end)
        else:
            self.cut(low)
        return end

    def worded(self, sign: str, start: int, end: int) -> None:
        if sign in ("=", "is", "≈"):
            self.relation(sign, start, end)
        elif sign in ("%", "^2", "^3"):
            self.postfix(sign, start, end)
        else:
            self.operator(sign, start, end)

    def _of_part(self) -> bool:
        items = self.now.items
        if not items or not re.match(r"\s*\$?\d", self.text[items[-1].end :].lstrip()[2:6]):
            return False
        if items[-1].text in ("%", *VULGAR):
            return True
        return (
            len(items) > 2
            and [item.kind for item in items[-3:]] == ["number", "operator", "number"]
            and items[-2].text == "/"
        )

    def _is_label(self, start: int) -> bool:
        """Whether the words from here, three at most, lead to a sign: "3 red balls + 4"."""
        return _LABEL.match(self.text, start) is not None

    def chinese(self, text: str, start: int, end: int) -> None:
        ended = _CHINESE_END.search(text)
        joined = self.last() in ("number", "unit", "close", "postfix")
        if joined and ended is not None and re.match(r"\s*[-\d(√\\$]", self.text[end : end + 3]):
            if ended.start() > 0:
                if len(text) - len(ended.group()) > 4:
                    self.cut(text)
                    return
                self.add("label", text[: ended.start()], start, start + ended.start())
            self.worded(CHINESE_FOR_SIGNS[ended.group("word")], start + ended.start(), end)
        elif joined and len(text) <= 6 and re.match(r"\s*[-+*/=≈<>≤≥)]", self.text[end : end + 3]):
            self.add("label", text, start, end)
        else:
            self.cut(text)


_AT_FUNCTION = re.compile(r"\s*(?:[_^]\s*(?:\{\s*-?\d{1,4}\s*\}|\d{1,2})|[²³])")
_LABEL = re.compile(
    r"(?!(?:and|or|but|so|then|is|are|was|if|when|while|because|since|from|to|the)\b)"
    r"[A-Za-z]+(?:[ -][A-Za-z]+){0,2}\s*(?:[+*/=≈<>≤≥)]|-\s|\\(?:times|cdot|approx))"
)
