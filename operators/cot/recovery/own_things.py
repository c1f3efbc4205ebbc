"""Whether what is said of one step could be said of another one as well: a wrong option must not be right there too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from operators.cot.plan import Step
from operators.cot.recovery.words import LISTS, stem, words_of
from operators.cot.support.facts import conditions_of, effects_of

# From this share of the shorter text's words on, a text may say what the other one says.
_MUCH = 0.4
# Stems that name nothing, though a question may have them.
_GENERAL = LISTS["general"]


@dataclass(frozen=True, slots=True)
class Speech:
    """What a step is about: ``things`` by the stem of their names' last words, ``words`` by the stems of all."""

    things: frozenset[str]
    words: frozenset[str]


def speech_of(step: Step) -> Speech:
    """The step's things, but not who acts, and all words that it uses."""
    chain, failure = step.causal_chain, step.failure_reflecting
    facts = (*conditions_of(step), *effects_of(step))
    names = tuple(dict.fromkeys([chain.patient, *(name for fact in facts for name in fact.objects)]))
    texts = (
        step.step_goal,
        step.counterfactual_challenge_question,
        step.expected_challenge_outcome,
        failure.reason,
        failure.recovery_strategy,
        chain.action,
        *names,
    )
    return Speech(_things(names) - _things((chain.agent, "hand", "hands")), frozenset().union(*map(_stems, texts)))


def fits_only(text: str, own: Speech, other: Speech, about: str = "") -> bool:
    """Whether a text names one of its own step's things, or of what ``about`` names, of which the other is silent.

    What names none may fit the other step too: "stop and try again", "wipe it with a cloth".
    """
    named = (own.things | (_stems(about) - _GENERAL) if about else own.things) - other.words
    if not named.isdisjoint(_stems(text)):
        return True
    return not text.isascii() and any(thing in text for thing in named if not thing.isascii())


def says_much_of(text: str, gold: str) -> bool:
    """Whether a text says so much of what another one says that both may be right: "too little air gets in"."""
    ours, theirs = content_of(text), content_of(gold)
    return len(ours & theirs) >= _MUCH * min(len(ours), len(theirs))


@lru_cache(maxsize=1 << 12)
def content_of(text: str) -> frozenset[str]:
    """The stems of the words of a text that name or tell something.

    >>> sorted(content_of("The lids would slip off the jar"))
    ['jar', 'lid', 'slip']
    """
    return _stems(text) - _GENERAL


@lru_cache(maxsize=1 << 12)
def _things(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem(words[-1]) for name in names if (words := words_of(name)))


@lru_cache(maxsize=1 << 12)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, words_of(text)))
