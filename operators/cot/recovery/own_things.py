"""Whether what is said of one step could be said of another one as well: a wrong option must not be right there too."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from operators.cot.plan import Step
from operators.cot.recovery.verbs import stem, words_of
from operators.cot.support.facts import conditions_of, effects_of


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


def fits_only(text: str, own: Speech, other: Speech) -> bool:
    """Whether a text names one of its own step's things of which the other step does not speak.

    What names none may fit the other step too: "stop and try again", "wipe it with a cloth".
    """
    return any(thing in _stems(text) or (not thing.isascii() and thing in text) for thing in own.things - other.words)


@lru_cache(maxsize=1 << 12)
def _things(names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(stem(words[-1]) for name in names if (words := words_of(name)))


@lru_cache(maxsize=1 << 12)
def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, words_of(text)))
