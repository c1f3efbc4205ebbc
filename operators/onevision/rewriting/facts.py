"""What a description holds: its sentences and labels, what a row needs of them, and what they bear out."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dataflow_ext.text import lists, patterns, stem
from operators.onevision.model.language import language_of
from operators.onevision.rewriting.sentences import is_vague, sentences_of, without_talk

#: Facts that are told at the start, and the characters of one.
MOST, LONGEST = 3, 320

_WORD = re.compile(r"[a-zà-ÿ]+|\d+(?:[.,:]\d+)*|[\u3400-\u9fff]+|[α-ωΔ°%]")
_PATTERNS = patterns(__package__, "talk.tsv")
#: A claim is borne out piece by piece, so that the colour of one thing does not become that of another.
_PIECES = re.compile(_PATTERNS["pieces"], re.IGNORECASE)
_STOP = lists(__package__, "lists.tsv")["say nothing"]
_STOP_CHINESE = re.compile(
    r"[的了着是有在个这那它其于]|图中|图片|可以|看到|一个|一条|一只|一张|因此|所以|于是|综上|由此|可知|可见"
)


@lru_cache(maxsize=4096)
def words_of(text: str) -> frozenset[str]:
    """The words that carry a text's content, by their stems, its numbers, and pairs of Chinese characters.

    >>> sorted(words_of("The dogs are running on 12 tables."))
    ['12', 'dog', 'on', 'run', 'tabl']
    >>> sorted(words_of("小车静止。"))
    ['小车', '车静', '静止']
    """
    words = _WORD.findall(text.lower())
    found = {stem(word) for word in words if word not in _STOP and word[0] < "\u3400"}
    for run in words if not text.isascii() else ():
        if run[0] >= "\u3400":
            for part in _STOP_CHINESE.split(run):
                found.update(part[i : i + 2] for i in range(max(len(part) - 1, 1)) if part)
    return frozenset(found)


#: Where it stands is told in so many ways that it does not tell two sentences apart.
_PLACE = re.compile(r"\b(?:on|in|at|upon|inside)\b", re.IGNORECASE)
_AS_SEEN = re.compile(rf"\A(?:{_PATTERNS['as seen']})", re.IGNORECASE)
#: What is inferred is a step, even if all of its words were told.
_INFERS = re.compile(_PATTERNS["infers"], re.IGNORECASE)
_FORMULA = re.compile(r"[=≈+×÷<>]")


class Facts:
    """The facts of a row as pieces of text: of its description and formal code, and of what was said since.

    >>> facts = Facts(["A red car stands beside a blue truck."])
    >>> facts.bear_out("The car is red."), facts.bear_out("The truck is red."), facts.bear_out("The car is fast.")
    (True, False, False)
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._pieces: list[frozenset[str]] = []
        self._waiting = list(texts)

    def add(self, text: str) -> None:
        """Take what a text says for true."""
        self._waiting.append(text)

    def bear_out(self, claim: str) -> bool:
        """Whether each piece of a claim stands in one piece of the facts; a claim without content is not borne out."""
        for text in self._waiting:
            self._pieces += _pieces(text)
        self._waiting.clear()
        pieces = _pieces(claim)
        return bool(pieces) and all(any(words <= known for known in self._pieces) for words in pieces)


def needed(description: Sequence[str], need: Iterable[str]) -> list[str]:
    """The sentences of a description that share most with the texts that a row needs, in the description's order.

    >>> needed(["The sky is grey.", "A mass of 6 kg hangs on a string."], ["Find the mass on the string."])
    ['A mass of 6 kg hangs on a string.']
    """
    wanted = frozenset[str]().union(*map(words_of, need))
    scored: list[tuple[bool, float, int]] = []
    for number, sentence in enumerate(description):
        words = words_of(sentence) if len(sentence) <= LONGEST else frozenset()
        shared = words & wanted
        points = sum(2.0 if word[0].isdigit() else 1.0 for word in shared)
        if shared:
            scored.append((points < 2 and shared != words, -points * (1 + len(shared) / len(words)), number))
    scored.sort()
    # One that shares a single word is told only if no other one shares more.
    most = MOST if scored and not scored[0][0] else 1
    return [
        description[number] for number in sorted(number for weak, _, number in scored[:most] if weak is scored[0][0])
    ]


class Told:
    """What was told as seen already, so that it is not told again.

    >>> Told(["A red car is parked."]).holds("We see a red car."), Told(["It has 6, 3 and 9."]).holds("6 + 3 = 9")
    (True, False)
    >>> Told(["三角形中，∠A = 50°。"]).holds("由图可知，∠A=50°。")
    True
    """

    def __init__(self, sentences: Sequence[str]) -> None:
        self._facts = Facts(_PLACE.sub(" ", each) for each in sentences)
        self._bare = bare(" ".join(sentences))

    def holds(self, sentence: str) -> bool:
        """Whether a sentence says nothing but what was told; what it computes is new unless it stands there."""
        if not self._bare or _INFERS.search(sentence):
            return False
        said = _AS_SEEN.sub("", sentence)
        if not _FORMULA.search(said):
            return self._facts.bear_out(_PLACE.sub(", ", said))
        return all(bare(piece) in self._bare for piece in _PIECES.split(said))


@lru_cache(maxsize=4096)
def _pieces(text: str) -> list[frozenset[str]]:
    return [words for words in map(words_of, _PIECES.split(text)) if words]


def bare(text: str) -> str:
    """A text in small letters, without spaces."""
    return "".join(text.casefold().split())


#: Labels that a reasoning cites at most, and the characters of one.
LABELS, LABEL = 6, 40

#: The line of a description that lists all texts of the picture; it is never told as it is.
_LIST = re.compile(r"^[ \t]{0,8}(?:Text in the picture, from top to bottom:|图中文字，自上而下：)(.*)$", re.MULTILINE)
#: The list of what a detector found; nobody sees numbers of pixels.
_BOXES = ("Objects with boxes (", "物体及其边界框（")
#: Texts and quantities that can be read off a picture: "m = 6 kg", 'the text "STOP"', 30°.
_QUOTED = re.compile(r"[\"“「]([^\"”」\n]{1,200})[\"”」]")
_LABEL = re.compile(r"[\"“「]([^\"”」\n]{1,24})[\"”」]|(?<!\w)([A-Za-z]{1,2}\s?=\s?\d[\d.,]*\s?[A-Za-zΩ°%]{0,5})")
_HAN = re.compile(r"[\u3400-\u9fff]+")
_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
#: What a computation comes to is not what was read.
_RESULT = re.compile(r"(?<=[\d)])\s{0,2}[=≈]\s{0,2}\d[\d.,]*")
_LETTER = re.compile(r"(?<![A-Za-z0-9])[B-HJ-Zb-z](?![A-Za-z0-9])")


@dataclass(frozen=True, slots=True)
class Described:
    """A description: its sentences, those that can be told in each language, and the labels."""

    sentences: tuple[str, ...]
    tellable: tuple[tuple[str | None, str], ...]
    listed: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def known(self) -> bool:
        """Whether anything is described at all."""
        return bool(self.sentences or self.labels)

    def tellable_in(self, tongue: str) -> list[str]:
        """The sentences that somebody who writes in this language can tell as seen."""
        return [text for language, text in self.tellable if language in (None, tongue)]


@lru_cache(maxsize=512)
def described(text: str) -> Described:
    """A description, taken apart once for all rows of its picture.

    >>> described('A jar.\\nText in the picture, from top to bottom: "Jam"; "250 g".').labels
    ('Jam', '250 g')
    """
    listed = tuple(dict.fromkeys(label.strip() for line in _LIST.findall(text) for label in _QUOTED.findall(line)))
    sentences = tuple(dict.fromkeys(sentences_of(_LIST.sub("", text))))
    seen = [(each, without_talk(each)) for each in sentences if not is_vague(each) and not each.startswith(_BOXES)]
    tellable = tuple((language_of(each), told) for each, told in seen if told is not None)
    quoted = [(found[1] or found[2]).strip() for each in sentences for found in _LABEL.finditer(each)]
    labels = tuple(dict.fromkeys([*quoted, *listed]))
    return Described(sentences, tellable, listed, labels)


def used(labels: tuple[str, ...], asked: str, sentences: Sequence[str]) -> list[str]:
    """The labels that a row's question or steps use, in the picture's order; those of the question, if too many.

    >>> used(("0", "Pears", "30", "15"), "What is half of the pears?", ["The bar shows 30 pears.", "30 / 2 = 15."])
    ['Pears', '30']
    """
    if not labels:
        return []
    steps = "\n".join(sentences)
    computed = "=" in steps or "≈" in steps
    need = f"{asked}\n{_RESULT.sub(' ', steps) if computed else steps}"
    first = words_of(asked)
    known = words_of(need) if computed else first.union(*map(words_of, sentences))
    letters = frozenset(_LETTER.findall(need))
    results = {number for found in _RESULT.findall(steps) for number in _NUMBER.findall(found)} if computed else set()
    shared = [each for each in labels if each not in results and _is_used(each, known, letters, need)]
    if len(shared) > LABELS:
        ranked = sorted(shared, key=lambda each: (not words_of(each) <= first, len(each) < 2))
        shared = sorted(ranked[:LABELS], key=labels.index)
    return shared


def _is_used(label: str, known: frozenset[str], letters: frozenset[str], need: str) -> bool:
    if len(label) > LABEL:
        return False
    if len(label) == 1 and not label.isdigit():
        return label in letters
    numbers = [number for number in _NUMBER.findall(label) if number != "0"]
    if numbers:
        return known.issuperset(numbers)
    words = {word for word in words_of(label) if word[0] <= "\u33ff"}
    runs = _HAN.findall(label)
    return bool(words or runs) and words <= known and all(run in need for run in runs)
