"""The words of a plan: its goals, its agents, and which words it has anywhere."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache

from dataflow_ext.text.tokens import stem, tokens
from operators.cot.plan import CausalChain, KeyFrame, Plan, Step
from operators.cot.tasks.fields import normalised, one_line

_STOPS = ".!?。！？ "
_LETTER = re.compile(r"[^\W\d_]")


class Vocabulary:
    """What a plan speaks of."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.goals = [one_line(step.step_goal) for step in plan.steps]

    @cached_property
    def keys(self) -> list[str]:
        """The steps' goals as they are compared."""
        return [normalised(goal) for goal in self.goals]

    @cached_property
    def stems(self) -> frozenset[str]:
        """The stems of all words that the plan has anywhere."""
        return stems_of(_texts(self.plan))

    @cached_property
    def aims(self) -> frozenset[str]:
        """The stems of what the plan is to reach and why: its goal, the steps' goals and rationales."""
        whys = [step.rationale for step in self.plan.steps]
        return stems_of([self.plan.high_level_goal, *self.goals, *whys])

    @cached_property
    def agents(self) -> frozenset[str]:
        """The names of those who act."""
        chains = [chain for step in self.plan.steps for chain in chains_of(step)]
        return frozenset(tokens_key(chain.agent) for chain in chains if chain.agent.strip())


def stems_of(texts: Iterable[str]) -> frozenset[str]:
    """The stems of the texts' words."""
    return frozenset(map(stem, {word for text in texts for word in tokens(text)}))


def tokens_key(name: str) -> str:
    """A name in one spelling."""
    return " ".join(tokens(name))


def bare(goal: str) -> str:
    """A goal without the stop at its end, to stand within a sentence."""
    return one_line(goal).rstrip(_STOPS)


def like(goal: str, text: str) -> str:
    """``text`` with the stop at its end that ``goal`` has."""
    return f"{text}." if goal.endswith(".") else text


@lru_cache(maxsize=1 << 13)
def in_latin(text: str) -> bool:
    """Whether English words can be added to the text: most of its letters are those of English.

    >>> in_latin("Stir the crème brûlée."), in_latin("把水倒进水壶。")
    (True, False)
    """
    letters: list[str] = _LETTER.findall(text)
    return 2 * sum(map(str.isascii, letters)) > len(letters)


def chains_of(step: Step) -> list[CausalChain]:
    """The step's causal chain, and those of its key frames."""
    return [step.causal_chain, *(frame.causal_chain for frame in step.critical_frames)]


def _texts(plan: Plan) -> list[str]:
    texts = [plan.high_level_goal]
    for step in plan.steps:
        failure = step.failure_reflecting
        texts += [step.step_goal, step.rationale, failure.reason, failure.recovery_strategy]
        texts += [step.counterfactual_challenge_question, step.expected_challenge_outcome]
        for chain in chains_of(step):
            texts += _chain_texts(chain)
        for frame in step.critical_frames:
            texts += _frame_texts(frame)
    return texts


def _chain_texts(chain: CausalChain) -> Iterator[str]:
    yield from (chain.agent, chain.action, chain.patient)
    for relation in (*chain.causal_precondition_on_spatial, *chain.causal_effect_on_spatial):
        yield from (relation.relation, *relation.objects)
    for affordance in (*chain.causal_precondition_on_affordance, *chain.causal_effect_on_affordance):
        yield from (affordance.object_name, *affordance.affordance_types, affordance.reasons)


def _frame_texts(frame: KeyFrame) -> Iterator[str]:
    interaction, hotspot = frame.interaction, frame.interaction.hotspot
    yield from (frame.action_state_change_description, *interaction.tools, *interaction.materials)
    yield from (hotspot.description, hotspot.affordance_type, hotspot.mechanism)
