"""Whether an action goes the way that a sentence tells: its direction, its turn, its growth."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.reader import Sentence
from operators.scene.facts.checking.words import DIRECTIONS, GROWING, PLAN_SIDES, SHRINKING
from operators.scene.facts.checking.world import Action, World, step
from operators.scene.facts.things import centre_distance

_WAYS = "|".join(sorted((*DIRECTIONS, "left", "right"), key=len, reverse=True))
_GOES = re.compile(
    rf"(?<!facing )(?<!face )(?<!faces )(?<!look )(?<!looks )(?<!the )\b(?:(?:to|towards?|into) the "
    rf")?(?P<way>{_WAYS})(?:wards?)?\b"
    r"(?!\s*-?\s*(?:hand )?(?:\w+ )?(?:wall|side|corner|half|part|end|edge|area|of\b))"
)
_GOES_TOWARDS = re.compile(rf"\btowards? (?:the )?(?P<way>{_WAYS})(?:ern)? (?:wall|side|corner|end|half|edge)")
_TURNS_TO = re.compile(rf"\w+(?: [\w-]+){{1,6}}? (?:to|"
                       rf"towards?) (?:the )?(?P<way>{'|'.join(sorted(DIRECTIONS, key=len, reverse=True))})"
                       r"(?:\s*(?:$|[.,;])| (?:so|and|because|since|as|for|which)\b)")  # fmt: skip
_CLOSER = re.compile(r"\b(?:closer|nearer|towards?|up) to(?:wards?)? |\btowards? ")
_AWAY = re.compile(r"\b(?:away|further|farther|off|out) from |\boff ")


def goes_wrong(sentence: Sentence, i: int, end: int, word: str, matched: list[Action], found: Sequence[Mention],
                world: World) -> bool:  # fmt: skip
    """Whether the actions that a verb tells go another way than the words from it to ``end`` say."""
    rest = sentence.text[sentence.tokens[i].start : end]
    if len(matched) > 1 and len({a.name for a in matched}) == 1 and not _named_alone(sentence, i, found, matched):
        return all(_one_goes_wrong(rest, sentence, i, end, word, each, found, world) for each in matched)
    return _one_goes_wrong(rest, sentence, i, end, word, matched[0], found, world)


def _named_alone(sentence: Sentence, i: int, found: Sequence[Mention], matched: list[Action]) -> bool:
    return any(m.start > i and m.exact for m in found)


def _one_goes_wrong(
    rest: str, sentence: Sentence, i: int, end: int, word: str, action: Action, found: Sequence[Mention], world: World
) -> bool:
    if action.name == "move_object":
        return _moves_wrong(rest, sentence, i, end, action, found, world)
    if action.name == "rotate_object":
        if abs(action.turn) > 175:
            return False
        # On the plan, which shows x to the right and z down, a positive turn goes against the clock.
        if re.search(r"\b(?:counter|anti)-?\s?clockwise\b", rest):
            return action.turn < 0
        if re.search(r"\bclockwise\b", rest):
            return action.turn > 0
        return _turns_wrong(rest, action)
    if action.name == "scale_object" and action.ratios:
        grows, shrinks = max(action.ratios) > 1.004, min(action.ratios) < 0.996
        bigger = word in GROWING or re.search(r"\b(?:larger|bigger|wider|taller|deeper|longer|up)\b", rest)
        smaller = word in SHRINKING or re.search(r"\b(?:smaller|narrower|shorter|shallower|down)\b", rest)
        return bool((bigger and not smaller and not grows) or (smaller and not bigger and not shrinks))
    return False


def _turns_wrong(rest: str, action: Action) -> bool:
    """Whether "turned to the west" is another direction than the one it looks in afterwards."""
    match = _TURNS_TO.match(rest)
    if not match or not action.new:
        return False
    way = DIRECTIONS[match["way"]]
    x, z = action.new.box.front
    return (x * way[0] + z * way[1]) / step(*way) < 0.5


def _moves_wrong(
    rest: str, sentence: Sentence, i: int, end: int, action: Action, found: Sequence[Mention], world: World
) -> bool:
    x, y, z = action.shift
    if abs(y) > 0.02 and step(x, z) < abs(y) and re.search(r"\b(?:up|upwards?|raise[sd]?|raising|"
                                                           r"lift\w*)\b" if y < 0 else
                                                         r"\b(?:down|downwards?|lower\w*)\b", rest):  # fmt: skip
        return True
    for match in (*_GOES.finditer(rest), *_GOES_TOWARDS.finditer(rest)):
        way = DIRECTIONS.get(match["way"]) or PLAN_SIDES[match["way"]]
        if (x * way[0] + z * way[1]) <= 0.0 or _is_sideways(x, z, way):
            return True
    place = sentence.tokens[i].start
    for pattern, sign in ((_CLOSER, -1), (_AWAY, 1)):
        near = pattern.search(rest)
        if not near or not (action.old and action.new):
            continue
        target = next(
            (
                m
                for m in found
                if sentence.tokens[m.start].start >= place + near.end() - 1 and m.ids and m.families is None
            ),
            None,
        )
        between = sentence.text[place + near.end() : sentence.tokens[target.start].start] if target else ""
        if not target or len(between.split()) > 4 or "wall" in between or action.jids & target.ids:
            continue
        changes = [
            centre_distance(action.new, world.after.by_id[j]) - centre_distance(action.old, world.before.by_id[j])
            for j in target.ids
            if j in world.before.by_id and j in world.after.by_id
        ]
        if changes and all(change * sign < 0.0 for change in changes):
            return True
    return False


def _is_sideways(x: float, z: float, way: tuple[int, int]) -> bool:
    """Whether the named direction is the lesser part of a move by far."""
    along = abs(x * way[0] + z * way[1]) / (step(*way) or 1.0)
    return along < 0.25 * step(x, z)
