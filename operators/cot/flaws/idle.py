"""goal_mismatch: a step that changes nothing and serves nothing takes the place of one that does."""

from __future__ import annotations

import re
from functools import lru_cache

from operators.cot.flaws.vocabulary import Vocabulary, in_latin, stems_of, tokens_key
from operators.cot.plan import Step
from operators.cot.support.facts import conditions_of, effects_of
from operators.cot.support.names import is_hand, is_stuff
from operators.cot.support.tokens import tokens
from operators.cot.tasks.fields import normalised

#: What one can do with a thing without changing it or learning anything for a plan, and the words that tell it:
#: where a plan is about one of them, the step may well serve it.
POINTLESS = (
    ("Admire the {} from every side", "admire"),
    ("Take a souvenir photograph of the {}", "souvenir photograph photo picture camera"),
    ("Guess the price of the {}", "guess price cost buy sell"),
    ("Draw a sketch of the {}", "draw sketch paint picture"),
    ("Make up a story about the {}", "story tell write"),
    ("Show the {} to a visitor", "show visitor guest present"),
)

# Names of more words are seldom those of one thing.
_LONGEST = 3


@lru_cache(maxsize=1 << 10)
def things_of_steps(plan: Vocabulary, prefix: int, k: int) -> list[str]:
    """The things that the ``k`` steps after the prefix deal with, as they are spoken of: no hands, agents or stuff."""
    steps = plan.plan.steps[prefix + 1 : prefix + 1 + k]
    names = dict.fromkeys(name for step in steps for name in _objects(step))
    return [" ".join(tokens(name)) for name in names if _is_thing(name, plan)]


def pointless(plan: Vocabulary, thing: str) -> list[str]:
    """The goals of steps about a thing that serve nothing in this plan."""
    return [form.format(thing) for form, words in POINTLESS if _serves_nothing(words, plan)]


def is_pointless(text: str, plan: Vocabulary) -> bool:
    """Whether a text is the goal of such a step, about a thing that the plan knows."""
    said = normalised(text)
    for pattern, words in _patterns():
        if found := pattern.fullmatch(said):
            return _serves_nothing(words, plan) and stems_of([found[1]]) <= plan.stems
    return False


def _objects(step: Step) -> list[str]:
    facts = [name for fact in (*conditions_of(step), *effects_of(step)) for name in fact.objects]
    return [step.causal_chain.patient, *facts]


def _is_thing(name: str, plan: Vocabulary) -> bool:
    words = tokens(name)
    if not words or len(words) > _LONGEST or "and" in words or not in_latin(name):
        return False
    return not is_hand(name) and not is_stuff(name) and tokens_key(name) not in plan.agents


def _serves_nothing(words: str, plan: Vocabulary) -> bool:
    return stems_of([words]).isdisjoint(plan.aims)


@lru_cache(maxsize=1)
def _patterns() -> tuple[tuple[re.Pattern[str], str], ...]:
    halves = [(normalised(form).split("{}"), words) for form, words in POINTLESS]
    return tuple((re.compile("(.+)".join(map(re.escape, parts))), words) for parts, words in halves)
