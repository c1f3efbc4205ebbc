"""What a plan speaks of: its texts, words and names, folded as they are compared."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cached_property

from operators.cot.plan import Kept, Plan, chains_of, once, texts_of
from operators.cot.texts import WORD

_HIDDEN, _DASHES = (
    re.compile("[\u00ad\u200b-\u200f\u202a-\u202e\u2060-\u2064\ufe0f\ufeff]"),
    re.compile("[\u2010-\u2015]"),
)


class Vocabulary(Kept):
    """The words of texts.

    ``texts`` are a plan's texts as they stand; ``names`` are what its objects and agents are called, ``terms`` are its
    other names: of relations, for instance.
    """

    def __init__(self, texts: Iterable[str], names: Iterable[str] = (), terms: Iterable[str] = ()) -> None:
        self.texts = tuple(dict.fromkeys(texts))
        self._names, self._terms = frozenset(names), frozenset(terms)

    def names(self, text: str, start: int, end: int, *, terms: bool = False) -> bool:
        """Whether a part of a folded text lies within the name of an object or agent, or of anything if ``terms``."""
        text = text.replace("_", " ")
        return any(_covers(name, text, start, end) for name in (self._all_terms if terms else self._all_names))

    @once
    def folders(self, place: str) -> list[str]:
        """The folders of a plan's path that no word is called like, folded: not if a thing or a term is."""
        parts = place.split("/")[:-1]
        odd = (folded(part) for part in parts if "_" in part or not part.isalpha())
        return [part for part in odd if " ".join(part.replace("_", " ").split()) not in self._all_terms]

    @cached_property
    def folded(self) -> str:
        """The texts folded, names once with their underscores and once without, line breaks between texts."""
        texts = "\n".join(map(folded, self.texts))
        return f"{texts}\n{texts.replace('_', ' ')}"

    @cached_property
    def words(self) -> frozenset[str]:
        """The folded words of the texts."""
        return frozenset(WORD.findall(self.folded))

    @cached_property
    def characters(self) -> frozenset[str]:
        """Every character of the texts."""
        return frozenset("".join(self.texts))

    @cached_property
    def _all_names(self) -> frozenset[str]:
        return frozenset(filter(None, map(_spoken, self._names)))

    @cached_property
    def _all_terms(self) -> frozenset[str]:
        return self._all_names.union(filter(None, map(_spoken, self._terms)))


@once
def vocabulary_of(plan: Plan) -> Vocabulary:
    """The vocabulary of a plan, made once."""
    names = list(_named(plan))
    things, others = ({name for is_thing, name in names if is_thing is wanted} for wanted in (True, False))
    return Vocabulary(texts_of(plan), things, others)


def folded(text: str) -> str:
    """A text as its words are compared: small letters, one form for letters and dashes of several forms."""
    if text.isascii():
        return text.lower()
    return _DASHES.sub("-", _HIDDEN.sub("", unicodedata.normalize("NFKC", text))).casefold()


def _named(plan: Plan) -> Iterator[tuple[bool, str]]:
    """Every name in the plan's chains, and whether it is that of an object or agent."""
    for step in plan.steps:
        for chain in chains_of(step):
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
