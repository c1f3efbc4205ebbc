"""A reasoning is one paragraph of prose in the plan's language, and tells no frame, time or file of the video."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from dataflow_ext.text import general_words, lists, patterns, rows
from operators.cot.problems import Problem
from operators.cot.rules.vocabulary import Vocabulary, folded
from operators.cot.texts import WORD

_BREAK_SIGNS = "⏎␊␍␤↵¶"
_WRITTEN_BREAK = re.compile(
    r"\\+(?:[nrvf](?![a-z])|n|u000[a-d]|u0085|u202[89]|x0[a-d]|x85)|<\s*/?\s*(?:br|p|div)\b[^>]*>|"
    rf"&(?:#(?:1[0-3]|133|x0*[a-d]|x85|x2028|x2029|823[23])|newline);|%0[ad]|[{_BREAK_SIGNS}]",
    re.IGNORECASE,
)

_PATTERNS = patterns(__package__, "prose.tsv")
_BULLET = re.compile(r"-+>?(?=\s|[^\W\d_])|=+>|[+>*•◦▪▫‣⁃∙·●○■□◆◇►▶➤➢✓✔–—](?=\s)|\\item\b")
_NUMBERED = re.compile(r"[(\[]?\s*#?\d{1,2}\s*(?:[.)\]}>/。]+:?|:|、|-\s)(?=\s*[^\W\d_])")
_BRACKETED = re.compile(r"\(\s*\d{1,2}\s*\)\s|(?<![\w(.,])\d{1,2}\)\s")
_LETTERED = re.compile(
    r"(?:(?:^|[;:,.])\s*\(|^|[\s;:,.])(?:a|i)[.)]\s[^\n]*?[\s;:,.]\(?(?:b|ii)[.)]\s|^\s*\(?[a-h1ivx]\)\s", re.MULTILINE
)
_HEADING = re.compile(_PATTERNS["heading"])
_EASTERN = re.compile(
    r"(?:^|(?<=[.!?;:。！？；：,，\s]))(?:\(?[一二三四五六七八九十]+\)?[、.)]|第[一二三四五六七八九十\d]+(?:步|点|条)?[:、])|首先:",
    re.MULTILINE,
)
_ENCLOSED = re.compile("[\u2460-\u249b\u24ea-\u24ff\u2776-\u2793\U0001f100-\U0001f10a]|\\d\ufe0f?\u20e3")
_LAYOUT = re.compile(_PATTERNS["layout"], re.MULTILINE)
#: Where an entry of a list may begin: a line, or what follows a stop.
_START = re.compile(r"[.!?;:,\n。！？；，](?:(?<=[\n。！？；])|[\"')\]]*\s)\s*")
_LAYOUT_SIGNS = "*`_~|#<"


def line_problems(reasoning: str, known: Vocabulary) -> list[Problem]:
    """``think.lines`` for a line break in any spelling: a real one, or one that a reader may turn into one."""
    if len(reasoning.splitlines()) > 1 or reasoning[-1:].splitlines() == [""]:
        return [Problem("think.lines", "the reasoning has line breaks")]
    if reasoning.isascii() and not any(sign in reasoning for sign in "\\<&%"):
        return []
    written = [found.group() for found in _WRITTEN_BREAK.finditer(reasoning)]
    told = [each for each in written if not any(each in text for text in known.texts)]
    return [Problem("think.lines", f"the reasoning has written line breaks: {told[0]!r}")] if told else []


def list_problems(outside: str, known: Vocabulary) -> list[Problem]:
    """``think.list`` for bullets, numbers before sentences, headings and marks of layout.

    ``outside`` is what is no required sentence; it has a line for each part between required sentences.
    """
    for found in _list_marks(outside):
        if len(found) > 1 or found == "-" or found not in known.characters:
            return [Problem("think.list", f"the reasoning is a list or has layout: {found!r}")]
    return []


def _list_marks(outside: str) -> Iterator[str]:
    text = "\n" + (outside if outside.isascii() else unicodedata.normalize("NFKC", outside)).lower()
    if not outside.isascii():
        yield from (match.group() for match in _EASTERN.finditer(text))
        yield from (match.group() for match in _ENCLOSED.finditer(outside))
    if not text.isascii() or any(map(text.__contains__, _LAYOUT_SIGNS)):
        yield from (match.group() for match in _LAYOUT.finditer(text))
    if ")" in text or " b. " in text or " ii. " in text:
        yield from (match.group() for match in _LETTERED.finditer(text))
        yield from (match.group() for match in _BRACKETED.finditer(text) if not _in_brackets(text, match.start()))
    for start in _START.finditer(text):
        comma = start.group().startswith(",")
        for pattern in (_NUMBERED,) if comma else (_NUMBERED, _BULLET, _HEADING):
            match = pattern.match(text, start.end())
            if match is not None:
                yield match.group()


def _in_brackets(text: str, place: int) -> bool:
    """Whether a bracket stands open before the place, on its line."""
    before = text[text.rfind("\n", 0, place) + 1 : place]
    return before.count("(") > before.count(")")


_ANNOUNCED = re.compile(_PATTERNS["announced"])
_MAY_ANNOUNCE = ("answer", "ans.", "ans:", "ans ", "=", ":", "boxed", "####", "->", "--", " - ")


def answer_problems(outside: str, answer: str) -> list[Problem]:
    """``think.answer`` for words that announce the answer instead of reasoning towards it."""
    plain = outside.lower()
    if outside.isascii() and not any(each in plain for each in _MAY_ANNOUNCE):
        return []
    quoted = f"answer is {folded(answer)}"
    for line in outside.split("\n"):
        bare = re.sub(r"[*#`]|__+", "", folded(line))
        match = _ANNOUNCED.search(bare)
        if match is not None or quoted in bare:
            told = match.group().strip() if match is not None else quoted
            return [Problem("think.answer", f"the reasoning announces the answer: {told!r}")]
    return []


#: What Python and readers of text files take for a line break.
LINE_BREAKS = frozenset("\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029")

#: Blank or hidden, though Unicode counts them among letters, marks and symbols; and what stands for a broken character.
_BLANK = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180f\u2800\u3164\ufe00-\ufe0f\uffa0\ufffc\ufffd\U000e0100-\U000e01ef]"
)

_SHOWN = 3


def control_problems(text: str, where: str, known: Vocabulary) -> list[Problem]:
    """``text.control`` if a text has hidden characters that the plan has not.

    Line breaks are the concern of other rules. Lone surrogates are never right: they cannot be written as UTF-8.
    """
    if text.replace("\n", " ").isprintable() and (text.isascii() or not _BLANK.search(text)):
        return []
    hidden = dict.fromkeys(each for each in text if not each.isprintable() or _BLANK.match(each))
    odd = [each for each in hidden if each not in LINE_BREAKS]
    odd = [each for each in odd if each not in known.characters or unicodedata.category(each) == "Cs"]
    if not odd:
        return []
    names = [f"U+{ord(each):04X} {unicodedata.name(each, '')}".rstrip() for each in odd]
    more = f" and {len(names) - _SHOWN} more" if len(names) > _SHOWN else ""
    return [Problem("text.control", f"{where} has hidden characters: {', '.join(names[:_SHOWN])}{more}")]


_NOT_ASCII = re.compile(r"[^\x00-\x7f]")
#: One Greek letter by itself is a symbol, not a word.
_SYMBOL = re.compile("(?<![\u0370-\u03ff\u1f00-\u1fff])[\u0370-\u03ff](?![\u0370-\u03ff\u1f00-\u1fff])")
_FEWEST = 2

#: Words that hardly a sentence of a language goes without and that English does not have.
_OF_LANGUAGE = {
    language: words - general_words() for language, words in lists(__package__, "function_words.tsv").items()
}
FOREIGN = frozenset().union(*_OF_LANGUAGE.values())


def language_problems(outside: str, known: Vocabulary) -> list[Problem]:
    """``language.mixed`` for a reasoning with letters of a script, or words of a language, that the plan lacks."""
    if not outside.isascii():
        letters = filter(str.isalpha, _NOT_ASCII.findall(_SYMBOL.sub(" ", outside)))
        foreign = [script for script in map(_script, letters) if script not in _scripts(known)]
        if len(foreign) >= _FEWEST:
            return [Problem("language.mixed", f"the reasoning has {len(foreign)} letters of {foreign[0]} script")]
    said = set(WORD.findall(folded(outside)))
    for language, words in _OF_LANGUAGE.items():
        told = (words & said) - known.words
        if len(told) >= _FEWEST:
            return [Problem("language.mixed", f"the reasoning is partly {language}: {', '.join(sorted(told))}")]
    return []


def _scripts(known: Vocabulary) -> frozenset[str]:
    return frozenset({"LATIN", *map(_script, filter(str.isalpha, known.characters))})


@lru_cache(maxsize=1 << 12)
def _script(letter: str) -> str:
    """The script of a letter, by the first word of its name; Chinese and Japanese letters count as one script."""
    name = unicodedata.name(letter, "UNKNOWN").split()[0]
    if name in ("CJK", "HIRAGANA", "KATAKANA", "KATAKANA-HIRAGANA", "HALFWIDTH"):
        return "EASTERN"
    return "LATIN" if name in ("FULLWIDTH", "FEMININE", "MASCULINE", "MICRO", "MODIFIER") else name


#: Not the sentences of other texts: these have small letters on one line, and a number goes with what is before it, as
#: "frame. 12" is a leak.
_SENTENCE = re.compile(r" (?<=[.!?] )(?<! no\. )(?=[a-zA-Z\"])")  # begins with the space, which is found fast
_DURATION = re.compile(r"(\d+(?:[.,]\d+)?)\s*-?\s*([a-z])[a-z]*")
_WHAT = {
    "leak.frame": "names a picture or video by its number or place",
    "leak.time": "tells a time",
    "leak.file": "names a file or its ending",
    "leak.path": "tells a path or an address",
}


@dataclass(frozen=True, slots=True)
class _Rule:
    """A pattern of leaks; without a word that has what is ``near`` there is none.

    ``spared`` tells what makes such words innocent: that they lie within a ``name`` of an object or agent, or within
    any ``term`` of the plan; that they are an ``amount`` which the plan's texts tell; nothing if it is empty.
    """

    code: str
    spared: str
    near: re.Pattern[str]
    pattern: re.Pattern[str]


class _Hit(NamedTuple):
    rule: _Rule
    words: str
    start: int


def leak_problems(text: str, where: str, known: Vocabulary, place: str = "", *, plain: bool = False) -> list[Problem]:
    """A problem for each kind of leak in a text, with what was found.

    What lies within the name of an object or agent is no number of a frame (an object ``picture_frame_2``), and a
    duration or clock time that the plan's own texts tell is no time of the video. All else is a leak even where the
    plan says it. ``place`` is the path of the plan: the names of its folders are leaks, too, if they have digits or
    underscores. In a ``plain`` text nothing else is looked for: its sentences have no leaks.

    >>> known = Vocabulary(["Hang picture_frame_2 on the wall."], names=["picture_frame_2"])
    >>> leak_problems("The picture frame 2 hangs.", "the reasoning", known)
    []
    >>> [str(each) for each in leak_problems("It hangs in Ｆrame-１２.", "the reasoning", known)]
    ["leak.frame: the reasoning names a picture or video by its number or place: 'frame-12'"]
    """
    told: dict[str, list[str]] = {}
    for sentence in () if plain else sentences_of(folded(text)):
        for hit in _found(sentence):
            if not _is_spared(known, hit, sentence):
                by_plan = " (from the plan)" if hit.words in known.folded else ""
                told.setdefault(hit.rule.code, []).append(f"{hit.words!r}{by_plan}")
    for name in known.folders(place):
        if _stands(name, folded(text)):
            told.setdefault("leak.path", []).append(repr(name))
    return [
        Problem(code, f"{where} {what}: {', '.join(list(dict.fromkeys(told[code]))[:_SHOWN])}")
        for code, what in _WHAT.items()
        if code in told
    ]


def sentences_of(text: str) -> list[str]:
    """The sentences of a text; no leak reaches from one into another."""
    return _SENTENCE.split(text)


def _found(plain: str) -> list[_Hit]:
    """What every rule finds in a folded sentence; the same words may be found by several rules."""
    near = set().union(*map(rules_near, plain.split(" ")))
    found = []
    for rule in (_rules()[place] for place in sorted(near)):
        for match in rule.pattern.finditer(plain):
            words = match.group()
            found.append(_Hit(rule, words.strip(), match.start() + len(words) - len(words.lstrip())))
    return found


def _is_spared(known: Vocabulary, hit: _Hit, plain: str) -> bool:
    """Whether words are no leak because of what the plan says."""
    if hit.rule.spared != "amount":
        return hit.rule.spared != "" and known.names(
            plain, hit.start, hit.start + len(hit.words), terms=hit.rule.spared == "term"
        )
    if _stands(hit.words, known.folded):
        return True
    duration = _DURATION.fullmatch(hit.words)  # in another spelling of its unit
    return duration is not None and bool(
        re.search(rf"(?<![\d.,]){re.escape(duration[1])}[\s-]*{duration[2]}", known.folded)
    )


def _stands(words: str, text: str) -> bool:
    """Whether words stand in a folded text, not as a part of longer ones."""
    return words in text and re.search(rf"(?<![^\W_]){re.escape(words)}(?![^\W_])", text) is not None


@lru_cache(maxsize=1 << 15)
def rules_near(word: str) -> Sequence[int]:
    """The rules that find nothing without what a word in small letters has."""
    return [place for place, rule in enumerate(_rules()) if rule.near.search(word)] if _near().search(word) else ()


@lru_cache(maxsize=1)
def _near() -> re.Pattern[str]:
    """What a word has to which any rule is near: hardly one in twenty."""
    return re.compile("|".join(dict.fromkeys(rule.near.pattern for rule in _rules())))


@lru_cache(maxsize=1)
def _rules() -> tuple[_Rule, ...]:
    """The rules of ``leaks.tsv``; in it, names in angle brackets stand for the patterns above them."""
    parts: dict[str, str] = {}
    found = []
    for code, spared, near, pattern in rows(__package__, "leaks.tsv"):
        near, pattern = (re.sub(r"<([A-Z]+)>", lambda name: parts[name[1]], each) for each in (near, pattern))
        if code.startswith("leak."):
            found.append(_Rule(code, spared, re.compile(pattern if near == "=" else near), re.compile(pattern)))
        else:
            parts[code] = f"(?:{pattern})"
    return tuple(found)
