"""What a plan speaks of: its words, its numbers and its phrases."""

from __future__ import annotations

import re
import unicodedata
from collections import OrderedDict
from collections.abc import Collection, Iterable, Iterator
from functools import cached_property

from dataflow_ext.text.general_words import eastern_words, general_roots, general_words, root_of
from operators.cot.plan import Plan
from operators.cot.rules.folding import folded

_NUMERALS = """
zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen
nineteen twenty
""".split()  # noqa: SIM905 - as a text it can be read
_DIGITS = {word: str(value) for value, word in enumerate(_NUMERALS)}
_WORD_OF = {digits: word for word, digits in _DIGITS.items()}

#: ASCII signs that part words, underscores too.
_PARTING = {code: " " for code in range(128) if not chr(code).isalnum()}
_WORD = re.compile(r"[^\W_]+")
_NUMBER = re.compile(r"\d+(?:[.,:/]\d+)*")
_PART = re.compile(r"[^\W\d_]+")
_PREFIX = re.compile(r"(?:re|un|non|mis|pre)(?=\w{3})")
_OF_STEP = re.compile(r"\b(?:flaw)?steps?(?:[\s_]?id)?[\s=]*\d+(?:(?:\s*,\s*|\s*-\s*|\s+(?:to|and|or)\s+)\d+)*\b")

_UNITS = ("s|secs?|seconds?", "ms|msecs?|milliseconds?", "m|mins?|minutes?", "h|hrs?|hours?")

#: Scripts that put no spaces between words.
_UNSPACED = "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\U00020000-\U0003ffff"
_RUN = re.compile(f"[{_UNSPACED}]+")
_EASTERN = re.compile("|".join(sorted(map(re.escape, eastern_words()), key=len, reverse=True)))

_REACH = 40  # characters to either side that are looked at for the words there
_ALIKE = 2

#: Places of an item whose folders are remembered: it has one.
_PLACES = 16
_KEPT = 256
#: How many sentences are remembered with a plan.
_JUDGED = 4096
_known_plans: OrderedDict[int, tuple[Plan, Vocabulary]] = OrderedDict()


class Vocabulary:
    """The words of texts, together with those that any reasoning may use.

    ``texts`` are a plan's texts as they stand. ``step_ids`` are numbers that may be told after the word "step";
    ``names`` are what its objects and agents are called, ``terms`` are its other names: of relations, for instance.

    >>> known = Vocabulary(["Place the blue_mug on the table for 10 minutes."], step_ids=[1, 2])
    >>> known.unknown("Because the mugs were placed in step 2, the plan continues after 10 minutes.")
    []
    >>> known.unknown("The hammer and 3 mugs are on the table.")
    ['hammer', '3']
    """

    def __init__(
        self, texts: Iterable[str], step_ids: Iterable[int] = (), names: Iterable[str] = (), terms: Iterable[str] = ()
    ) -> None:
        self.texts = tuple(dict.fromkeys(texts))
        self._step_ids = frozenset(map(str, step_ids))
        self._names, self._terms = frozenset(names), frozenset(terms)
        self._folders: dict[str, tuple[str, ...]] = {}
        self.plain = plain(" \n ".join(self.texts))
        self._own = frozenset(words_of(self.plain))
        other_spellings = [table[word] for table in (_DIGITS, _WORD_OF) for word in self._own & table.keys()]
        self._passed = {*self._own, *other_spellings, *general_words()}
        self._numbers = {*_NUMBER.findall(self.plain), *other_spellings}
        #: What :mod:`operators.cot.rules.sentences` remembers of sentences.
        self.judged: dict[str, int] = {}

    def unknown(self, text: str, besides: str = "") -> list[str]:
        """The words, numbers and symbols of a text that are neither here nor in ``besides``, each once."""
        text = plain(text)
        words = words_of(text)
        strange: list[str] = []
        if not self.has(words):
            strange += [word for word in words if word not in self._passed and not self._knows(word)]
        if not text.isascii():
            strange += self._strange_runs(text) + self._strange_symbols(text)
        if not "".join(words).isalpha():
            strange += self._strange_numbers(text)
        if strange and besides:
            others = {root_of(word) for word in words_of(plain(besides)) if not word.isdecimal()}
            strange = [e for e in strange if root_of(e) not in others and (e.isascii() or e not in plain(besides))]
        return list(dict.fromkeys(strange))

    def has(self, words: Collection[str]) -> bool:
        """Whether all of some plain words are here."""
        return self._passed.issuperset(words) or all(word in self._passed or self._knows(word) for word in words)

    def trust(self, sentence: str) -> None:
        """Take a sentence for plain that was put together of the plan's words and known phrases."""
        if sentence.isascii() and sentence.endswith(".") and ". " not in sentence and len(self.judged) < _JUDGED:
            self.judged.setdefault(sentence[:-1], 0)

    def says(self, text: str, start: int, end: int) -> bool:
        """Whether a part of a folded text is here, too: after the same word or none of weight, or before the same."""
        phrase = text[start:end]
        before, behind = _last_word(text[:start]), _first_words(text[end:])
        for found in re.finditer(rf"(?<![^\W_]){re.escape(phrase)}(?![^\W_])", self.folded):
            last = _last_word(self.folded[max(0, found.start() - _REACH) : found.start()])
            if last in ("", "the", "a", "an", before):
                return True
            if len(behind) == _ALIKE and behind == _first_words(self.folded[found.end() : found.end() + _REACH]):
                return True
        return False

    def tells(self, phrase: str) -> bool:
        """Whether the texts have a folded phrase."""
        return phrase in self.folded

    def names(self, text: str, start: int, end: int, *, terms: bool = False) -> bool:
        """Whether a part of a folded text lies within the name of an object or agent, or of anything if ``terms``."""
        text = text.replace("_", " ")
        return any(_covers(name, text, start, end) for name in (self._all_terms if terms else self._all_names))

    def folders(self, place: str) -> tuple[str, ...]:
        """The folders of a plan's path that nobody would name who speaks of the plan, folded."""
        told = self._folders.get(place)
        if told is None:
            parts = map(folded, place.split("/")[:-1])
            told = tuple(part for part in parts if part and ("_" in part or self.unknown(part)))
            if len(self._folders) < _PLACES:
                self._folders[place] = told
        return told

    def lasts(self, amount: str, unit: str) -> bool:
        """Whether a duration is told here, in whatever spelling of its unit."""
        spellings = next((each for each in _UNITS if re.fullmatch(each, unit)), None)
        pattern = rf"(?<![\d.,]){re.escape(amount)}[\s-]*(?:{spellings})(?![^\W_])"
        return spellings is not None and re.search(pattern, self.folded) is not None

    @cached_property
    def folded(self) -> str:
        """The texts folded, names once with their underscores and once without, line breaks between texts."""
        texts = "\n".join(map(folded, self.texts))
        return f"{texts}\n{texts.replace('_', ' ')}"

    @cached_property
    def _all_names(self) -> frozenset[str]:
        return frozenset(filter(None, map(_spoken, self._names)))

    @cached_property
    def _all_terms(self) -> frozenset[str]:
        return self._all_names.union(filter(None, map(_spoken, self._terms)))

    @cached_property
    def characters(self) -> frozenset[str]:
        """Every character of the texts."""
        return frozenset("".join(self.texts))

    def _knows(self, word: str) -> bool:
        known = word.isdecimal() or (
            self._has_root(word) if word.isalpha() else all(map(self._has_root, _PART.findall(word)))
        )
        if known:
            self._passed.add(word)
        return known

    def _has_root(self, word: str) -> bool:
        if word in self._passed:
            return True
        if not word.isascii() and _RUN.search(word):
            return all(map(self._has_root, filter(None, _RUN.split(word))))  # the runs are looked at on their own
        if root_of(word) in general_roots() or self._has_own(word):
            return True
        prefix = _PREFIX.match(word)
        return prefix is not None and self._has_own(word[prefix.end() :])

    def _has_own(self, word: str) -> bool:
        root = root_of(word)
        return any(root_of(own) == root for own in self._by_start.get(word[:2], ()))

    @cached_property
    def _by_start(self) -> dict[str, list[str]]:
        groups: dict[str, list[str]] = {}
        for word in self._own:
            groups.setdefault(word[:2], []).append(word)
        return groups

    @cached_property
    def _pairs(self) -> frozenset[str]:
        runs = _RUN.findall(self.plain)
        return frozenset(run[i : i + size] for run in runs for size in (1, 2) for i in range(len(run) - size + 1))

    def _strange_runs(self, text: str) -> list[str]:
        pieces = (piece for run in _RUN.findall(text) for piece in _EASTERN.split(run) if piece)
        return [piece for piece in pieces if not all(pair in self._pairs for pair in _pairs_of(piece))]

    def _strange_symbols(self, text: str) -> list[str]:
        return [each for each in text if unicodedata.category(each) == "So" and each not in self.plain]

    def _strange_numbers(self, text: str) -> list[str]:
        strange = [number for number in _NUMBER.findall(text) if number not in self._numbers]
        if strange:
            told = {number for found in _OF_STEP.findall(text) for number in _HAS_DIGITS.findall(found)}
            outside = _NUMBER.findall(_OF_STEP.sub(" ", text))
            strange = [n for n in strange if n in outside or n not in told or n not in self._step_ids]
        return strange


_HAS_DIGITS = re.compile(r"\d+")


def vocabulary_of(plan: Plan) -> Vocabulary:
    """The vocabulary of a plan, made once for a plan that is asked about again and again."""
    kept = _known_plans.get(id(plan))
    if kept is not None and kept[0] is plan:
        return kept[1]
    things: set[str] = set()
    others: set[str] = set()
    for is_thing, name in _named(plan):
        (things if is_thing else others).add(name)
    made = Vocabulary(_texts(plan), (step.step_id for step in plan.steps), things, others)
    _known_plans[id(plan)] = plan, made
    while len(_known_plans) > _KEPT:
        _known_plans.popitem(last=False)
    return made


def plain(text: str) -> str:
    """A text as its words are compared: small letters, one form for letters of several forms."""
    return text.lower() if text.isascii() else unicodedata.normalize("NFKC", text).casefold()


def words_of(text: str) -> list[str]:
    """The runs of letters and digits of a plain text; names with underscores are several words."""
    return text.translate(_PARTING).split() if text.isascii() else _WORD.findall(text)


def _texts(part: object) -> Iterator[str]:
    if isinstance(part, str):
        yield part
    elif isinstance(part, (list, tuple)):
        for each in part:
            yield from _texts(each)
    else:
        for name in getattr(part, "__slots__", ()):
            yield from _texts(getattr(part, name))


def _named(plan: Plan) -> Iterator[tuple[bool, str]]:
    """Every name in the plan's chains, and whether it is that of an object or agent."""
    for step in plan.steps:
        for chain in (step.causal_chain, *(frame.causal_chain for frame in step.critical_frames)):
            yield from ((True, chain.agent), (True, chain.patient))
            for relation in (*chain.causal_precondition_on_spatial, *chain.causal_effect_on_spatial):
                yield False, relation.relation
                yield from ((True, thing) for thing in relation.objects)
            for affordance in (*chain.causal_precondition_on_affordance, *chain.causal_effect_on_affordance):
                yield True, affordance.object_name
                yield from ((False, kind) for kind in affordance.affordance_types)


def _spoken(name: str) -> str:
    """A name folded, with spaces for underscores."""
    return " ".join(folded(name).replace("_", " ").split())


def _covers(name: str, text: str, start: int, end: int) -> bool:
    """Whether a part of a text lies within a name that stands there, not as a part of longer words."""
    first = text.find(name, max(0, end - len(name)), start + len(name))
    while first >= 0:
        last = first + len(name)
        if not text[max(0, first - 1) : first].isalnum() and not text[last : last + 1].isalnum():
            return True
        first = text.find(name, first + 1, start + len(name))
    return False


def _pairs_of(piece: str) -> list[str]:
    return [piece] if len(piece) == 1 else [piece[i : i + 2] for i in range(len(piece) - 1)]


def _last_word(text: str) -> str:
    """The word at the end of a text, in its last line."""
    words = _WORD.findall(text[-_REACH:].rpartition("\n")[2])
    return words[-1] if words else ""


def _first_words(text: str) -> list[str]:
    return _WORD.findall(text[:_REACH].partition("\n")[0])[:_ALIKE]
