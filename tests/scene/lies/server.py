"""A model for the whole pipeline that tells of every fifth turn with a lie."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from operators.scene.chain import Chain
from operators.scene.reasoning.prompting import values_of
from operators.scene.reasoning.turn import turns_of
from prompts import SceneCoTPrompt, SceneJudgePrompt, SceneTurnPrompt
from tests.loopback import Body, Loopback, prompt_of
from tests.scene.lies.lying import lying
from tests.scene.lies.phrasings import KINDS
from tests.scene.lies.texts import Text, honest
from tests.scene.lies.turns import Case, cases_of

_PIECE = re.compile(r"^- (\d+) ([^(;\n]+?)(?: \(|;|$)", re.MULTILINE)
_CHANGE = re.compile(r"The changes, all of them to be asked for:\n((?:- .*\n?)+)")


@dataclass
class Liar:
    """Answers what the pipeline asks about these chains; a ``share`` of the texts about turns has a lie.

    ``told`` holds every text that was sent, with the name of its turn.
    """

    chains: Iterable[str]
    share: float = 0.2
    seed: int = 1
    told: list[tuple[str, Text]] = field(default_factory=list)
    _cases: dict[str, Case] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for text in self.chains:
            cases = list(cases_of(Chain.read(text), f"chain {len(self._cases)}"))
            for turn, case in zip(turns_of(text), cases, strict=True):
                asked = SceneTurnPrompt().fill(instruction="", template="", **values_of(turn))
                self._cases[_room_and_calls(asked)] = case

    def __call__(self, body: Body) -> str:
        asked = prompt_of(body)
        if asked.startswith(SceneJudgePrompt().text):
            points = {"coherence": 33, "naturalness": 27.5, "instruction": 12, "visual": 8}
            return json.dumps({"comment": "A plan that can be followed.", **points})
        if asked.startswith(SceneCoTPrompt().text):
            return self._turn(asked)
        return instruction(asked)

    def _turn(self, asked: str) -> str:
        question = asked[len(SceneCoTPrompt().text) :]
        case = self._cases[_room_and_calls(question)]
        # The whole prompt decides, so that another reply follows where a text was sent back.
        rng = random.Random(f"{self.seed} {asked}")
        text = None
        if rng.random() < self.share:
            kinds = rng.sample(list(KINDS), len(KINDS))
            text = next((found for kind in kinds if (found := lying(case, kind, rng))), None)
        style = found[1] if (found := re.search(r"Template: ([A-E])", question)) else ""
        text = text or honest(case, rng, style)
        self.told.append((case.id, text))
        return json.dumps({"think": text.think, "conclusion": text.conclusion})


def _room_and_calls(question: str) -> str:
    """The part of a turn's question that tells it from all others: from its objects to what its calls change."""
    part = question[question.index("Objects (") :]
    found = re.match(r"(?:.*\n)*?What they change:\n?(?:- .*\n?)*", part)
    return (found[0] if found else part).strip()


def instruction(asked: str) -> str:
    """What a user might say who wants what is listed."""
    if changes := _CHANGE.search(asked):
        wishes = [line[2:].rstrip(".") for line in changes[1].splitlines() if line.startswith("- ")]
        return f"Please {', then '.join(wishes)}."
    told: Mapping[str, str] = {
        noun.strip(): count for count, noun in _PIECE.findall(asked.partition("It will hold:")[2])
    }
    pieces = [
        f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}" if n == "1" else noun for noun, n in list(told.items())[:3]
    ]
    kind = re.search(r"The room: (.+)", asked)
    wish = f"I would like a comfortable {kind[1].strip() if kind else 'room'} with {' and '.join(pieces)}."
    return f"{wish} It should feel calm and be easy to live in from day to day."


def served(liar: Liar) -> Loopback:
    """The server that answers so, to be used in a ``with`` block."""
    return Loopback(liar, threads=0)
