"""What models reply to the generator: good replies, and one for each way in which a reply is bad."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping

from dataflow_ext.models import Request

END = "That is why the answer holds in this plan."
#: Every way in which a reply is bad, and the code or words that the model is told.
BAD: Mapping[str, tuple[Callable[[list[str], str], str], str]] = {
    "no JSON": (lambda anchors, answer: "I cannot say.", "the reply holds no JSON object"),
    "no answer": (
        lambda anchors, answer: json.dumps({"reasoning": " ".join(anchors)}),
        "the reply holds no JSON object",
    ),
    "lost anchors": (lambda anchors, answer: replied([anchors[-1], END], answer), "anchor.missing"),
    "anchors out of order": (lambda anchors, answer: replied([*reversed(anchors), END], answer), "anchor.order"),
    "changed answer": (lambda anchors, answer: replied([*anchors, END], f"Not {answer}"), "answer.text"),
    "a list": (
        lambda anchors, answer: replied([f"\n- {each}" for each in ["The tire is ready.", *anchors]], answer),
        "think.l",
    ),
    "a leak": (lambda anchors, answer: replied([*anchors, "Frame 12 shows the tire.", END], answer), "leak.frame"),
    "a false mark": (
        lambda anchors, answer: replied([*anchors, "The tire is ready [supports(3, 1)].", END], answer),
        "[supports(3, 1)] is false",
    ),
    "a rival": (
        lambda anchors, answer: replied(
            [*anchors, f'So it is "Inflate the tire with the floor pump", option {"BA"[answer == "B"]}.'], answer
        ),
        "closing.rival",
    ),
    "announced": (lambda anchors, answer: replied(["Answer: the tire.", *anchors, END], answer), "think.answer"),
}


def replied(sentences: list[str], answer: str) -> str:
    return json.dumps({"reasoning": " ".join(sentences), "answer": answer})


def asked_for(prompt: str) -> tuple[list[str], str]:
    """The required sentences and the gold answer in a prompt."""
    found = re.search(r"Required sentences, in this order:\n(.*?)\n\nGold answer:\n(.*)", prompt, re.DOTALL)
    assert found is not None
    return found[1].split("\n"), found[2]


def good(request: Request) -> str:
    anchors, answer = asked_for(request.prompt)
    return replied([*anchors, END], answer)


def once(bad: str) -> Callable[[Request], str]:
    """A model whose first reply to each question is bad."""

    def brain(request: Request) -> str:
        return good(request) if request.follow_up else BAD[bad][0](*asked_for(request.prompt))

    return brain
