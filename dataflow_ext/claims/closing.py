"""The closing sentence of a reasoning: put by code, or the writer's own if it names the gold and no rival."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import islice, pairwise

from dataflow_ext.text import patterns
from dataflow_ext.text.sentences import places as places_of

#: Words that name a gold: one text, several of which all have to be named in their order, or in any order.
Gold = str | tuple[str, ...] | frozenset[str]

#: What parts clauses; what denies one, by a negation or other words, or where it goes on about what it named;
#: and what says where a thing stands beside another one, and does not conclude it.
_BOUNDARY, _NEGATION, _DENIAL, _OF_NO_USE, _RELATED = (
    re.compile(pattern, re.IGNORECASE) for pattern in patterns(__package__, "closing.tsv").values()
)
#: Signs that are written in two ways.
_PLAIN = str.maketrans({"’": "'", "‘": "'", "“": '"', "”": '"', "–": "-", "‑": "-", "\u00a0": " ", "\n": " "})
#: What stands between the parts of a series, which says their order; other words may say another one.
_SERIES = re.compile(r"[\W_]*(?:(?:and|then|next|finally|last|lastly)\b[\W_]*)*")


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
        """What a last sentence concludes in place of the gold: a rival where the gold is not named, or another order.

        Beside a gold that is named a rival may be what it is preferred to, and one in a clause with a negation is not
        concluded: both are left open, and no error.

        >>> Closing("So it is B.", ["B", "the red lamp"], ["A", "C"]).errors("Hence A.")
        ["the last sentence names 'A', which is not the answer"]
        >>> Closing("", [("Open it", "Go in")]).errors("So go in, then open it.")
        ['the last sentence names the parts of the answer in another order']
        """
        named = self._named(last)
        if self._is_told(named):
            mixed = self._mixed(last, named, plain=True)
            return ["the last sentence names the parts of the answer in another order"] if mixed else []
        wrong = self._beside(named)
        if not any(word in self.about or word.casefold() in self._parts for _, word in named):
            wrong += [word for _, word in named if word in self.context]
        denied = self._denied(last)
        found = (word for word in dict.fromkeys(wrong) if word not in denied)
        return [f"the last sentence names '{word}', which is not the answer" for word in found]

    def warnings(self, last: str) -> list[str]:
        """What leaves open whether a last sentence means the gold.

        It is not named, or a rival is beside it, its parts stand in another order, or its clause has a negation.

        >>> Closing("", ["go in"], ["wait"]).warnings("So it will not come to this: go in.")
        ["the last sentence may deny 'go in': 'not'"]
        >>> Closing("", ["go in"], ["wait"]).warnings("So go in before you wait.")
        ["the last sentence names 'wait' beside the answer"]
        """
        named = self._named(last)
        beside = [*self._beside(named), *self._concluded(last, named)]
        found = [f"the last sentence names '{word}' beside the answer" for word in dict.fromkeys(beside)]
        if self._mixed(last, named):
            found.append("the last sentence may name the parts of the answer in another order")
        for word, negation in self._denied(last, denials=True).items():
            if word in self.about or word.casefold() in self._parts:
                return [*found, f"the last sentence may deny '{word}': '{negation}'"]
        told = {word.casefold() for _, word in named}
        golds = [*(() if self._is_told(named) else self.gold[:1]), *self.about]
        missing = (part for each in golds for part in _parts(each) if part and part.casefold() not in told)
        return [*found, *(f"the last sentence does not name '{part}' word for word" for part in islice(missing, 1))]

    def last(self, text: str) -> str:
        """The last sentence of a text; stops within quotation marks or the words that it may name end none.

        >>> Closing("", ["Open it", "Go in"]).last('It is dark. First "Open it." and then "Go in."')
        'First "Open it." and then "Go in."'
        """
        masked = _QUOTED_STOP.sub("x", text)
        for word in self._words:
            if _INNER_STOP.search(word):
                masked = re.sub(re.escape(word), lambda found: "x" * len(found[0]), masked, flags=re.IGNORECASE)
        places = list(places_of(masked))
        return text[slice(*places[-1])] if places else ""

    @cached_property
    def _parts(self) -> frozenset[str]:
        return frozenset(part.casefold() for each in self.gold for part in _parts(each))

    @cached_property
    def _words(self) -> list[str]:
        """All words that may be named, the longest first, so that none is found within another."""
        words = [*(part for each in self.gold for part in _parts(each)), *self.rivals, *self.context, *self.about]
        return sorted(dict.fromkeys(filter(None, words)), key=len, reverse=True)

    @cached_property
    def _folded(self) -> list[tuple[str, str, str]]:
        """The same words, each in plain signs, and in small letters too where it may be named so."""
        plain = [(word, word.translate(_PLAIN)) for word in self._words]
        return [(word, each, each.casefold() if each.isascii() and len(each) > 1 else "") for word, each in plain]

    def _named(self, text: str) -> list[tuple[int, str]]:
        """The words that a text names, with their places, in its order."""
        if (known := self._read.get(text)) is not None:
            return known
        asked, found = text, list[tuple[int, str]]()
        text = text.translate(_PLAIN)
        folded = text.casefold()
        for word, plain, small in self._folded:
            # Most words are not there, which is cheap to see before a pattern looks for their places.
            if (small not in folded) if small else (plain not in text):
                continue
            for start, end in _places(text, plain):
                found.append((start, word))
                text = f"{text[:start]}{chr(0) * (end - start)}{text[end:]}"
        self._read[asked] = sorted(found)
        return self._read[asked]

    @cached_property
    def _read(self) -> dict[str, list[tuple[int, str]]]:
        """What was found in the texts that were looked at."""
        return {}

    def _beside(self, named: Sequence[tuple[int, str]]) -> list[str]:
        """The rivals among the words that are named."""
        return [word for _, word in named if word in self.rivals and word.casefold() not in self._parts]

    def _is_told(self, named: Sequence[tuple[int, str]]) -> bool:
        """Whether all parts of the gold are among the words that are named."""
        told = {word.casefold() for _, word in named}
        return any(all(part.casefold() in told for part in _parts(each)) for each in self.gold)

    def _mixed(self, text: str, named: Sequence[tuple[int, str]], *, plain: bool = False) -> bool:
        """Whether all parts of a series are named, but not in its order; with ``plain``, as a series of words says."""
        first: dict[str, int] = {}
        for at, word in named:
            first.setdefault(word.casefold(), at)
        for parts in (each for each in self.gold if isinstance(each, tuple)):
            places = [first.get(part.casefold(), -1) for part in parts]
            order = sorted(range(len(parts)), key=places.__getitem__)
            turned = [(a, b) for a, b in pairwise(order) if b < a]
            if -1 not in places and any(
                not plain or _SERIES.fullmatch(text, places[a] + len(parts[a]), places[b]) for a, b in turned
            ):
                return True
        return False

    def _denied(self, last: str, *, denials: bool = False) -> dict[str, str]:
        """The words that are named in a clause with a negation, and what that is; ``denials`` need not be one."""
        named, plain = self._named(last), last
        for at, word in named:
            plain = plain[:at] + "x" * len(word) + plain[at + len(word) :]
        found = {}
        for at, word in named:
            start = max((found.end() for found in _BOUNDARY.finditer(plain, 0, at)), default=0)
            behind = _BOUNDARY.search(plain, at)
            end = behind.start() if behind else len(plain)
            looked = [_NEGATION.search(plain, start, end)]
            if denials:
                looked += [_DENIAL.search(plain, start, end), _OF_NO_USE.search(plain, at)]
            if negation := next(filter(None, looked), None):
                found[word] = negation[0].strip()
        return found

    def _concluded(self, last: str, named: Sequence[tuple[int, str]]) -> list[str]:
        """Words beside the gold that a sentence concludes: with it, or where it only says where they stand.

        >>> closing = Closing("", ["go in"], context=["open it"])
        >>> [closing.warnings(each) for each in ("After you open it, go in.", "Before you go in, it is to open it.")]
        [[], ["the last sentence names 'open it' beside the answer"]]
        """
        concluded, joined, start, before = list[str](), list[str](), 0, ""
        for at, word in named:
            between = last[start:at]
            if before in self._parts and word in self.context and between and _SERIES.fullmatch(between):
                joined.append(word)
            if not _RELATED.search(between):
                concluded.append(word)
            start, before = at + len(word), word.casefold()
        if any(word in self.about or word.casefold() in self._parts for word in concluded):
            return joined
        return [*(word for word in concluded if word in self.context), *joined]


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
        # A letter of an option counts only as a capital, and not where it may be an article: "A later step".
        letter = r"(?:(?<=[a-z,;(] )A|A(?!\s+(?!and\b|or\b|is\b)[a-z]))" if word == "A" else re.escape(word)
        return re.compile(rf"(?<!\w){letter}(?!\w|['’])")
    return re.compile(rf"(?<!\w){re.escape(word)}(?!\w)", re.IGNORECASE)
