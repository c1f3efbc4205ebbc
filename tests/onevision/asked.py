"""What a request of the pipeline asks: which of its steps it is, of which picture and row."""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import cache

import prompts
from tests.loopback import Body, prompt_of
from tests.onevision import sets

_PROMPTS = {
    "image": prompts.OneVisionImagePrompt,
    "describe": prompts.OneVisionDescribePrompt,
    "rewrite": prompts.OneVisionRewritePrompt,
    "blind": prompts.OneVisionBlindPrompt,
    "judge": prompts.OneVisionJudgePrompt,
}
_BLOCK = re.compile(r"<row_(\w+)>\n(.*?)\n</row_\1>", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Asked:
    """A request: its step, the path of the picture that it shows if it is one of the set, the blocks of its row.

    ``again`` says that it tells of an earlier reply that was bad.
    """

    step: str
    picture: str | None
    blocks: dict[str, str]
    text: str
    again: bool

    @property
    def turns(self) -> list[str]:
        """The turns that ask this question, of this picture if one is shown."""
        found = turns_that_ask(self.blocks.get("question", ""))
        return [turn for turn in found if self.picture in (None, picture_of(turn))]


def asked(body: Body) -> Asked:
    """The request in a body."""
    text = prompt_of(body)
    step = next((name for name, prompt in _texts().items() if prompt in text), "")
    if not step:
        raise ValueError(f"no step of the pipeline asks so: {text[:200]!r}")
    picture = next(iter(shown_in(body)), None)
    again = any(message["role"] == "assistant" for message in body["messages"])
    user = "\n".join(prompt_of({"messages": [each]}) for each in body["messages"] if each["role"] == "user")
    return Asked(step, picture, dict(_BLOCK.findall(user)), user, again)


def shown_in(body: Body) -> Iterable[str]:
    """The paths of the pictures of the set that a request shows."""
    for message in body["messages"]:
        content = message.get("content")
        for part in content if isinstance(content, list) else []:
            if part["type"] == "image_url":
                data = base64.b64decode(part["image_url"]["url"].partition("base64,")[2])
                path = sets.shown(data)
                if path is not None:
                    yield path


def picture_of(turn: str) -> str:
    """The path of a turn's picture."""
    path: str = sets.turns()[turn]["image"]
    return path


@cache
def _texts() -> dict[str, str]:
    return {name: prompt().text for name, prompt in _PROMPTS.items()}


@cache
def _by_question() -> dict[str, list[str]]:
    found: dict[str, list[str]] = {}
    for turn in sets.turns(fate="row"):
        found.setdefault(_key(sets.question(turn)), []).append(turn)
    return found


def turns_that_ask(question: str) -> list[str]:
    """The turns of a question, in the order of the truth."""
    return _by_question().get(_key(question), [])


def _key(text: str) -> str:
    return "".join(text.split())
