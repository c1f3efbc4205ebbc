"""The closing sentence of a reasoning: put by code, or the writer's own if it names the gold and no rival."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache

from dataflow_ext.claims.sentences import sentences

#: Words that name a gold: one text, several of which all have to be named in their order, or in any order.
Gold = str | tuple[str, ...] | frozenset[str]

#: What denies the words right behind it, and what is said of words right before it.
_DENIED = re.compile(
    r"(?:\b(?:not|never|neither|nor|rather than|instead of)|不是|而非)\s*"
    r"(?:(?:the|to|be|option|step|with)\s+)*[\"'“‘(]*$",
    re.IGNORECASE,
)
_REFUTED = re.compile(
    r"[\"'”’).]*\s+(?:is|are|was|would be|will be)\s+(?:not|never|wrong|false|incorrect|out of the question)\b",
    re.IGNORECASE,
)
#: A conclusion that denies its own grounds, or is for something else than what was asked about.
_DENIAL = re.compile(
    r"\b(?:none|nothing|no part) (?:of|in|about) (?:this|that|these|it|the above|what)\b[^.]*"
    r"\b(?:support|speak|show|prove|follow|lead|point|justif)"
    r"|\b(?:with|is|be|choose|take|prefer|to) (?:another|a different|some other|any other)"
    r" (?:step|option|answer|action|outcome|strategy|order|label|choice|flaw)\b",
    re.IGNORECASE,
)

#: What parts clauses, each of which is denied by itself, and what denies a clause unless it is a way to insist.
_BOUNDARY = re.compile(
    r"[,;]|\b(?:although|though|while|whereas|because|since|as|for|but|and|so|that|which|if|when|once|until)\b",
    re.IGNORECASE,
)
_NEGATION = re.compile(
    r"\b(?:(?:not(?! only| just| merely)|never|cannot|\w+n['’]t|hardly|neither|nor|fails? to)\b"
    r"|no (?!doubt|other|longer)|nothing (?!else|but|other)|none (?!else|but|other)|off the table|out of the question)",
    re.IGNORECASE,
)


@dataclass
class Closing:
    """How a reasoning ends: the sentence for it, the words of which one names the gold, and those that name a rival.

    ``context`` are words that may stand beside the gold, and name a rival where the gold is not named. ``forms`` are
    all sentences of which code puts one: a text that ends with one of them is closed, and needs no reading. ``late``
    says that nothing but the last sentence, and what is required, may name the gold, ``announced`` that nothing may
    before the last sentence that is required; ``about`` are words beside it of which the gold is said.
    """

    sentence: str
    gold: Sequence[Gold]
    rivals: Sequence[str] = ()
    context: Sequence[str] = ()
    forms: Sequence[str] = ()
    late: bool = False
    announced: bool = False
    about: Sequence[str] = ()

    def end_of(self, text: str) -> str:
        """The sentence of code that a text ends with; "" if it ends with none.

        >>> closing = Closing("So it is B.", ["B"], ["A"], forms=["So it is B.", "Hence B."])
        >>> closing.end_of("The lamp is lit. Hence B."), closing.end_of("It is wrong that Hence B.")
        ('Hence B.', '')
        """
        ends = (each for each in self.forms or (self.sentence,) if each and text.endswith(each))
        return next((each for each in ends if text[: len(text) - len(each)].rstrip()[-1:] in _STOPS), "")

    def names_gold(self, text: str) -> bool:
        """Whether a text names the gold, or a part of it."""
        return any(word.casefold() in self._parts for _, word in self._named(text))

    def early(self, before: str) -> list[str]:
        """What a text tells of the gold before anything may name it.

        >>> Closing("", ["Open the lid"], ["Open the lid wide"]).early("One may open the lid. Or not.")
        ["'Open the lid' is named before its place"]
        """
        golds = [part for part in self._parts if len(part) > 1]
        folded = before.casefold()
        if not any(gold in folded for gold in golds):
            return []
        named = dict.fromkeys(word for _, word in self._named(before) if word.casefold() in golds)
        return [f"'{word}' is named before its place" for word in named]

    def errors(self, last: str) -> list[str]:
        """What contradicts the gold in a last sentence.

        >>> Closing("So it is B.", ["B", "the red lamp"], ["A", "C"]).errors("Hence A.")
        ["the last sentence names 'A', which is not the answer"]
        >>> Closing("", [("Open it", "Go in")]).errors("First go in, then open it.")
        ['the last sentence names the parts of the answer in another order']
        >>> Closing("", ["Go in"]).errors("So it is not to go in.")
        ["the last sentence denies 'Go in'"]
        """
        named = self._named(last)
        own = [each for each in named if each[1].casefold() in self._parts]
        wrong = [word for _, word in named if word in self.rivals and word.casefold() not in self._parts]
        if not own:
            wrong += [word for _, word in named if word in self.context]
        found = [f"the last sentence names '{word}', which is not the answer" for word in dict.fromkeys(wrong)]
        if any(isinstance(each, tuple) and self._mixed(each, own) for each in self.gold):
            found.append("the last sentence names the parts of the answer in another order")
        for at, word in own:
            if _DENIED.search(last[:at]) or _REFUTED.match(last[at + len(word) :]):
                found.append(f"the last sentence denies '{word}'")
        if denial := _DENIAL.search(last):
            found.append(f"the last sentence denies what was reasoned: '{denial[0]}'")
        return found

    def warnings(self, last: str) -> list[str]:
        """What leaves open whether a last sentence means the gold: it is not named, or its clause has a negation.

        >>> Closing("", ["go in"]).warnings("So it will not come to this: go in.")
        ["the last sentence may deny 'go in': 'not'"]
        """
        named = {word.casefold() for _, word in self._named(last)}
        if denied := self._doubted(last):
            return [denied]
        if not self.gold or any(all(part.casefold() in named for part in _parts(each)) for each in self.gold):
            return []
        first = next((part for part in _parts(self.gold[0]) if part.casefold() not in named), "")
        return [f"the last sentence does not name '{first}' word for word"]

    def last(self, text: str) -> str:
        """The last sentence of a text; stops within quotation marks or the words that it may name end none.

        >>> Closing("", ["Open it", "Go in"]).last('It is dark. First "Open it." and then "Go in."')
        'First "Open it." and then "Go in."'
        """
        masked = _QUOTED_STOP.sub("x", text)
        for word in self._words:
            if _INNER_STOP.search(word):
                masked = re.sub(re.escape(word), lambda found: "x" * len(found[0]), masked, flags=re.IGNORECASE)
        places = list(sentences(masked))
        return text[slice(*places[-1])] if places else ""

    @cached_property
    def _parts(self) -> frozenset[str]:
        return frozenset(part.casefold() for each in self.gold for part in _parts(each))

    @cached_property
    def _words(self) -> list[str]:
        """All words that may be named, the longest first, so that none is found within another."""
        words = [*(part for each in self.gold for part in _parts(each)), *self.rivals, *self.context]
        return sorted(dict.fromkeys(filter(None, words)), key=len, reverse=True)

    @cached_property
    def _folded(self) -> list[tuple[str, str]]:
        """The same words, each in small letters too where it may be named so."""
        return [(word, word.casefold() if word.isascii() and len(word) > 1 else "") for word in self._words]

    def _named(self, text: str) -> list[tuple[int, str]]:
        """The words that a text names, with their places, in its order."""
        if (known := self._read.get(text)) is not None:
            return known
        asked, found = text, list[tuple[int, str]]()
        folded = text.casefold()
        for word, plain in self._folded:
            # Most words are not there, which is cheap to see before a pattern looks for their places.
            if (plain not in folded) if plain else (word not in text):
                continue
            for start, end in _places(text, word):
                found.append((start, word))
                text = f"{text[:start]}{chr(0) * (end - start)}{text[end:]}"
        self._read[asked] = sorted(found)
        return self._read[asked]

    @cached_property
    def _read(self) -> dict[str, list[tuple[int, str]]]:
        """What was found in the texts that were looked at."""
        return {}

    def _doubted(self, last: str) -> str:
        """What is said of a clause with a negation that names the gold, or what it is about; "" without one."""
        told = [(at, word) for at, word in self._named(last) if word.casefold() in self._parts]
        told += [(at, word) for word in self.about for at, _ in _places(last, word)]
        plain = last
        for at, word in told:
            plain = plain[:at] + "x" * len(word) + plain[at + len(word) :]
        for at, word in told:
            start = max((found.end() for found in _BOUNDARY.finditer(plain, 0, at)), default=0)
            behind = _BOUNDARY.search(plain, at)
            if denial := _NEGATION.search(plain, start, behind.start() if behind else len(plain)):
                return f"the last sentence may deny '{word}': '{denial[0].strip()}'"
        return ""

    def _mixed(self, series: tuple[str, ...], named: Sequence[tuple[int, str]]) -> bool:
        """Whether all parts of a series are named, but not in its order."""
        first: dict[str, int] = {}
        for at, word in named:
            first.setdefault(word.casefold(), at)
        places = [first.get(part.casefold(), -1) for part in series]
        return -1 not in places and places != sorted(places)


_STOPS = ("", *".!?。！？\"'”’」)")
#: The stop of a quotation within a sentence, which goes on behind it.
_QUOTED_STOP = re.compile(r"[.!?](?=[\"”’]\s+[a-z])")
_INNER_STOP = re.compile(r"[.!?]\s|[。！？]")


def _parts(gold: Gold) -> Sequence[str] | Set[str]:
    return (gold,) if isinstance(gold, str) else gold


def _places(text: str, word: str) -> Iterator[tuple[int, int]]:
    """Where a text names a word; a pattern, which is dear to make, is asked only about what is not plain letters."""
    if len(word) > 1 and text.isascii() and word.isascii():
        folded, plain, start = text.lower(), word.lower(), 0
        while (start := folded.find(plain, start)) >= 0:
            end = start + len(plain)
            if not _is_letter(folded[start - 1 : start]) and not _is_letter(folded[end : end + 1]):
                yield start, end
                start = end
            else:
                start += 1
        return
    for found in _pattern(word).finditer(text):
        yield found.span()


def _is_letter(sign: str) -> bool:
    return sign.isalnum() or sign == "_"


@lru_cache(maxsize=1 << 14)
def _pattern(word: str) -> re.Pattern[str]:
    if not word.isascii():
        return re.compile(re.escape(word))
    if len(word) == 1:
        # A letter of an option counts only as a capital, and not where it is an article: "A later step".
        return re.compile(rf"(?<!\w){re.escape(word)}(?!\w|['’]|\s+(?!and\b|or\b|is\b)[a-z])")
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
