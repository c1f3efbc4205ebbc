"""What a conversation says, against the rooms and calls that it says it of."""

from __future__ import annotations

from collections.abc import Iterator

from operators.scene.conversation import Conversation
from operators.scene.facts.checking import check_text
from operators.scene.instructions.check import instruction_problems
from operators.scene.problems import Problem


def text_problems(conversation: Conversation) -> Iterator[Problem]:
    """What is untrue in reasonings, conclusions and the instruction."""
    chain = conversation.chain
    states = [*conversation.stated, conversation.stated[-1]]
    for number, (text, calls) in enumerate(zip(conversation.texts, chain.turns, strict=True)):
        if not text.think.strip() or not text.conclusion.strip():
            yield Problem("text.empty", f"turn {number} has no {'conclusion' if text.think.strip() else 'reasoning'}")
            continue
        before, after = states[number], states[number + 1]
        for problem in check_text(text.think, text.conclusion, before, calls, after, chain.retrievals):
            yield Problem(problem.code, f"turn {number}: {problem.message}")
    start = states[0] if conversation.metadata["conversation_type"] == "single_turn" else None
    yield from instruction_problems(conversation.metadata["global_user_instruction"], states[-1], start)
