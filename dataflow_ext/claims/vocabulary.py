"""What claims may say: a family's measures and predicates, and the world that answers for them."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol

from dataflow_ext.text import Dimension, dimension


@dataclass(frozen=True, slots=True)
class Sort:
    """What an argument may be: its name in the vocabulary, and what that means.

    ``words`` closes a sort: each value with the words by which a text may speak of it. A text speaks of the arguments
    of a sort that is a ``thing``; one that has words of a closed sort has the claimed one.
    """

    name: str
    meaning: str
    thing: bool = False
    words: Mapping[str, Sequence[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Term:
    """A measure (with a unit, ``1`` for counts, shares and ratios) or a predicate (without).

    ``parameters`` names the sorts of the arguments; one with ``?`` may be left out. ``answer`` gets the world's view
    of a state and what was found for each argument; it returns a number in the base unit, or whether it is so.
    ``places`` are the digits with which a value is written; values that differ by less than half of the last one are
    not told apart. ``share`` writes a value as per cent.
    """

    word: str
    parameters: tuple[str, ...]
    meaning: str
    answer: Callable[..., Any]
    unit: str | None = None
    places: int = 2
    share: bool = False

    @property
    def is_measure(self) -> bool:
        """Whether it gives a number."""
        return self.unit is not None

    @property
    def dimension(self) -> Dimension:
        """What its number measures."""
        return dimension(self.unit or "")

    @property
    def slack(self) -> float:
        """Half of the last digit with which its value is written."""
        return 0.0 if self.unit == "1" and not self.places else float(f"5e-{self.places + 1}")

    @property
    def form(self) -> str:
        """How it is called: ``gap(thing, thing)``."""
        return f"{self.word}({', '.join(self.parameters)})"


@dataclass(frozen=True)
class Vocabulary:
    """A family's sorts and terms; ``states`` are those of its world, first the one that is meant when none is named."""

    sorts: Sequence[Sort]
    terms: Sequence[Term]
    states: Sequence[str] = ("now",)

    @cached_property
    def by_word(self) -> Mapping[str, Term]:
        """The terms by their words."""
        return {term.word: term for term in self.terms}

    @cached_property
    def sort(self) -> Mapping[str, Sort]:
        """The sorts by their names."""
        return {sort.name: sort for sort in self.sorts}


class World(Protocol):
    """What is true: it finds what names mean, and gives each state as the terms of its vocabulary take it."""

    @property
    def vocabulary(self) -> Vocabulary:
        """What may be claimed of it."""
        ...

    def find(self, sort: str, name: str, state: str) -> Sequence[Any]:
        """What a name may mean in a state: nothing if there is none, several if it leaves open which."""
        ...

    def view(self, state: str) -> Any:
        """A state, as the terms' answers take it."""
        ...

    def spoken(self, sort: str, found: Any) -> Collection[str]:
        """The words by which a text may speak of what was found, in lower case."""
        ...

    def nouns(self) -> Mapping[str, bool]:
        """Every word for a kind of thing, in lower case, with whether the world has one in any state."""
        ...

    def names(self) -> Collection[str]:
        """The names of all its things, as texts write them."""
        ...
