"""A judge and blind solver that sees picture and row, and compares them with the truth by rules of its own."""

from __future__ import annotations

import json
import re
import unicodedata
from dataclasses import dataclass, field

from tests.onevision import sets, wording
from tests.onevision.asked import Asked, turns_that_ask

_END = re.compile(r"(?:answer is|答案是)\s*(?P<told>.{1,80}?)\s*[.。]?\s*\Z")
_HEDGES = re.compile(
    r"\b(?:seems?|appears?|likely|probably|perhaps|might|looks? like|we can infer)\b|似乎|好像|看起来|看上去|大概|可能|可以推断"
)


@dataclass(slots=True)
class Points:
    """A judgement while it is made: points that only sink, and faults."""

    description: float = 10
    grounding: float = 10
    logic: float = 10
    answer: float = 10
    faults: list[str] = field(default_factory=list)

    def sink(self, dimension: str, points: float, fault: str) -> None:
        """Lower a dimension to points, for a fault."""
        setattr(self, dimension, min(getattr(self, dimension), points))
        if fault not in self.faults:
            self.faults.append(fault)


class Judge:
    """Answers what a judge and what a blind solver is asked; it knows nothing but the request and the truth."""

    def reply(self, request: Asked) -> str:
        """The reply to a request of either."""
        return self._solved(request) if request.step == "blind" else json.dumps(self._judged(request))

    def _solved(self, request: Asked) -> str:
        turn = next(iter(request.turns), None)
        if turn is None or request.picture is None:
            return "I cannot tell from this picture.\nAnswer: unknown"
        return f"I look at the picture and work it out.\nAnswer: {sets.turns()[turn]['right']}"

    def _judged(self, request: Asked) -> dict[str, object]:
        points = Points()
        if request.picture is None:
            points.sink("description", 0, "wrong_picture")
            seen = "a picture that I do not know"
        else:
            seen = sets.pictures()[request.picture]["caption"]
            self._look(request, points)
            self._read(request, points)
        self._text(request, points)
        told = {name: getattr(points, name) for name in ("description", "grounding", "logic", "answer")}
        return {
            "seen": seen,
            **told,
            "faults": points.faults,
            "comment": ", ".join(points.faults) or "All of it holds.",
        }

    def _look(self, request: Asked, points: Points) -> None:
        """The description against the picture."""
        assert request.picture is not None
        truth, told = facts(request.picture), request.blocks["description"]
        if fit(told, truth) < 0.5:
            points.sink("description", 0, "wrong_picture")
        if wording.things(told) - wording.things(truth):
            points.sink("description", 3, "invented_object")
        if wording.numbers(told) - wording.numbers(truth):
            points.sink("description", 4, "wrong_number")

    def _read(self, request: Asked, points: Points) -> None:
        """Reasoning and answer against picture and question."""
        assert request.picture is not None
        question, reasoning, final = (request.blocks[name] for name in ("question", "reasoning", "final"))
        turns = request.turns
        if not turns and turns_that_ask(question):
            points.sink("description", 0, "wrong_picture")
            points.sink("grounding", 0, "wrong_picture")
            return
        known = " ".join([facts(request.picture), question, *(sets.turns()[turn]["think"] for turn in turns)])
        known += " ".join(sets.said(turn)[1] for turn in turns if sets.turns()[turn]["good"])
        if wording.things(reasoning) - wording.things(known):
            points.sink("grounding", 2, "invented_object")
        if wording.numbers(reasoning) - wording.numbers(known):
            points.sink("grounding", 2, "wrong_number")
        if turns and not any(same(sets.turns()[turn]["right"], final) for turn in turns):
            points.sink("answer", 0, "wrong_answer")

    def _text(self, request: Asked, points: Points) -> None:
        """What is wrong with the reasoning as a text."""
        question, reasoning, final = (request.blocks[name] for name in ("question", "reasoning", "final"))
        if wording.wrong_sums(reasoning):
            points.sink("logic", 2, "wrong_number")
        if gibberish(reasoning):
            points.sink("logic", 0, "gibberish")
        if (wording.chinese(reasoning) > 0.3) != (wording.chinese(question) > 0.3):
            points.sink("logic", 4, "other_language")
        if (hedges := len(_HEDGES.findall(reasoning))) > 1:
            points.sink("grounding", 4, "copied")
        elif hedges:
            points.grounding = min(points.grounding, 5)
        if re.search(r"</?\w+>", reasoning):
            points.sink("logic", 4, "other")
        end = _END.search(reasoning)
        if end is not None and not (same(end["told"], final) or same(final, end["told"])):
            points.sink("answer", 1, "wrong_answer")


def facts(picture: str) -> str:
    """All that the truth says about a picture, as one text."""
    truth = sets.pictures()[picture]
    objects = (f"{each['label']} {' '.join(each['attributes'])}" for each in truth["objects"])
    shown = f"{truth['width']} {truth['height']}"
    return " ".join([truth["description"], truth["caption"], truth["code"], shown, *truth["texts"], *objects])


def fit(description: str, truth: str) -> float:
    """The share of what a description says in particular that is true; 1 if it says nothing in particular."""
    told = set(wording.words(description)) - wording.common()
    return len(told & set(wording.words(truth))) / len(told) if len(told) > 2 else 1.0


def gibberish(text: str) -> bool:
    """Whether a text is no running text: unknown words, words in no order, or the same ones over and over."""
    words, (known, beside) = wording.words(text), wording.language()
    if len(words) < 8:
        return False
    pairs = wording.pairs(text)
    unknown = sum(word not in known for word in words) / len(words)
    strange = sum(count for pair, count in pairs.items() if pair not in beside) / pairs.total()
    fours = [tuple(words[place : place + 4]) for place in range(len(words) - 3)]
    return unknown > 0.35 or strange > 0.42 or len(set(fours)) / len(fours) < 0.6


def same(right: str, told: str) -> bool:
    """Whether an answer is the right one: it may say more than that in words, but no other number, letter or unit."""
    right, told = (unicodedata.normalize("NFKC", text).replace("^", "") for text in (right, told))
    if re.fullmatch("[A-H]", right) or re.fullmatch("[A-H]", told):
        return right == told
    if wording.numbers(right) != wording.numbers(told):
        return False
    signs = [re.findall(r"[^\W\d_]+|[%$π√]", text.casefold()) for text in (right, told)]
    if not wording.numbers(right):
        return set(wording.words(right)) <= set(wording.words(told))
    return set(signs[0]) <= set(signs[1]) or "".join(signs[0]) in "".join(signs[1]) or not signs[1]


def insufficient(description: str, turn: str) -> bool:
    """Whether a description lacks what the good reasoning of a turn has to see."""
    truth = sets.turns()[turn]
    picture = sets.pictures()[truth["image"]]["description"]
    seen = wording.numbers(truth["think"]) & wording.numbers(picture)
    told = wording.numbers(description) | wording.numbers(sets.question(turn))
    particular = set(wording.words(picture)) - wording.common()
    share = len(particular & set(wording.words(description))) / max(1, len(particular))
    return bool(seen - told) or share < 0.4
