"""Whether a conclusion names what the calls do: each kind of action, and its objects."""

from __future__ import annotations

import re
from collections.abc import Sequence

from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.reader import Sentence
from operators.scene.facts.checking.words import ACTION_NOUNS, GROWING, PHRASES, SHRINKING, VERBS
from operators.scene.facts.checking.world import Action, World
from operators.scene.problems import Problem

_SAYS = {
    "add_object": "add", "move_object": "move", "rotate_object": "rotate", "scale_object": "resize",
    "replace_object": "replace", "remove_object": "remove",
}  # fmt: skip
_EXTRA = {
    "add_object": re.compile(r"\b(?:join|joins|new|gets|gains|receives|complet\w+|fill\w*|furnish\w*|gives?|"
                             r"giving|goes|comes?|now has|start\w*|begin\w*|arrives?|arrival|welcome\w*|"
                             r"introduc\w+|with)\b"),
    "move_object": re.compile(r"\b(?:clos\w+|against|space|goes|to the|towards?|room|spread\w*|away|distance|"
                              r"position\w*|corner|over)\b"),
    "rotate_object": re.compile(r"\b(?:fac\w+|degrees|direction|orientation|parallel|square|look\w*|point\w*|"
                                r"way round|around)\b"),
    "scale_object": re.compile(r"\b(?:larger|smaller|bigger|wider|narrower|taller|shorter|size\w*|proportion\w*|"
                               r"deeper|fit\w*|compact)\b"),
    "replace_object": re.compile(r"\b(?:instead|in place|makes? way|gives? way|becomes?|for a|with a|new|turns? "
                                 r"into|stead)\b"),
    "remove_object": re.compile(r"\b(?:takes?|out|goes|away|free\w*|without|clear\w*|declutter\w*|gone|leaves?|"
                                r"rid|empt\w+|loses?)\b"),
}  # fmt: skip
_ENDS = re.compile(
    r"\b(?:complete\w*|finish\w*|done|final\w*|no (?:more|further|other)|nothing (?:more|else|further|left)|"
    r"ends?|ended|ending|"
    r"terminat\w+|stops?|stopp\w+|ready|fulfil\w*|satisf\w+|conclud\w+|enough|as it is|as is|meets?|met|closed?|"
    r"settled|"
    r"in place|stays?|remains?|well furnished|good|success\w*|wrap\w*|leave|close|closes|fully|everything|all "
    r"set|all)\b"
)


def conclusion_problems(parts: Sequence[tuple[Sentence, Sequence[Mention]]], world: World) -> list[Problem]:
    """The calls that a conclusion passes over."""
    text = " ".join(sentence.text for sentence, _ in parts)
    if world.ends:
        return (
            []
            if _ENDS.search(text)
            else [Problem("text.conclusion", "the conclusion does not say that the room is finished")]
        )
    told = _tools_told(text)
    named = {jid for _, found in parts for m in found if m.families is None for jid in m.ids}
    families = [m.families for _, found in parts for m in found if m.families is not None]
    problems = []
    for action in world.actions:
        if action.name not in told and not _EXTRA[action.name].search(text):
            problems.append(
                Problem("text.conclusion", f"the conclusion does not {_SAYS[action.name]} anything, as a call does")
            )
        if not (action.jids & named or _is_grouped(action, families)):
            thing = action.new or action.old
            problems.append(
                Problem("text.conclusion", f"the conclusion does not name the {thing.name if thing else 'object'}")
            )
    return list(dict.fromkeys(problems))


def _tools_told(text: str) -> set[str]:
    told: set[str] = set()
    for word in re.findall(r"[a-z']+(?:-[a-z]+)*", text):
        told |= VERBS.get(word, frozenset()) | ({ACTION_NOUNS[word]} if word in ACTION_NOUNS else set())
        if word in GROWING or word in SHRINKING:
            told.add("scale_object")
    told |= {tool for phrase, tool in PHRASES.items() if tool and phrase in text}
    return told


def _is_grouped(action: Action, families: Sequence[tuple[str, ...]]) -> bool:
    """Whether a word for many kinds covers the object: "the seating", "the furniture"."""
    things = [thing for thing in (action.old, action.new) if thing]
    return any(not group or any(thing.kind.family in group for thing in things) for group in families)
