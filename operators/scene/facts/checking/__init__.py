"""Whether a free text about a turn is true: what it names, counts and measures, and what it says is done."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from operators.scene.facts.checking.actions import action_problems
from operators.scene.facts.checking.conclusion import conclusion_problems
from operators.scene.facts.checking.counts import count_problems, object_problems
from operators.scene.facts.checking.mentions import Mention, mentions
from operators.scene.facts.checking.numbers import number_problems
from operators.scene.facts.checking.reader import Sentence, sentences
from operators.scene.facts.checking.relations import relation_problems
from operators.scene.facts.checking.world import World
from operators.scene.problems import Problem
from operators.scene.scene import Object, Scene
from operators.scene.simulator import Call


def check_text(
    think: str,
    conclusion: str,
    before: Scene,
    calls: Sequence[Call],
    after: Scene,
    retrievals: Mapping[str, Object] | None = None,
) -> list[Problem]:
    """What a turn's reasoning and conclusion tell that is not so, by the rooms before and after and by the calls.

    What no rule understands is not blamed, unless it has a number or names an object that fits nothing. Where words
    leave it open which object or which of the two rooms is meant, one that fits is enough.
    """
    world = World.of(before, calls, after, retrievals or {})
    problems: list[Problem] = []
    for name, text in (("reasoning", think), ("conclusion", conclusion)):
        if not re.search(r"\w", text or ""):
            problems.append(Problem("text.empty", f"the {name} is empty"))
    problems += _problems(think or "", world, concluding=False)[0]
    found, parts = _problems(conclusion or "", world, concluding=True)
    problems += found
    if parts:
        problems += conclusion_problems(parts, world)
    return list(dict.fromkeys(problems))


def _problems(
    text: str, world: World, *, concluding: bool
) -> tuple[list[Problem], list[tuple[Sentence, list[Mention]]]]:
    problems: list[Problem] = []
    parts: list[tuple[Sentence, list[Mention]]] = []
    carried: list[Mention] = []
    ids = {jid: thing.name for jid, thing in world.things.items()}
    for sentence in sentences(text, ids):
        found = mentions(sentence, world)
        parts.append((sentence, found))
        problems += object_problems(sentence, found, world)
        if not sentence.asks:
            problems += number_problems(sentence, found, carried, world)
            problems += count_problems(sentence, found, world)
            problems += relation_problems(sentence, found, carried, world)
            problems += action_problems(sentence, found, world, concluding=concluding)
        named = [mention for mention in found if mention.ids and mention.families is None]
        # "It looks away from the bed. It …": what is spoken of stays the same.
        goes_on = re.match(r"(?:besides, |then again, |and |but |also )?its?\b", sentence.text)
        carried = [*carried[:1], *named] if goes_on else named or carried
    return problems, parts
