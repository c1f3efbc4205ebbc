"""What a turn does, in a few words: each kind of action with its objects, and the sentence that concludes."""

from __future__ import annotations

from collections.abc import Sequence

from operators.scene.furniture.kinds import plural_of
from operators.scene.reasoning.changes import Change
from operators.scene.reasoning.voice import Voice
from operators.scene.reasoning.words import a, listing, number, plain, sentence

#: The verb of each action, in the order in which they are told.
_VERBS = {
    "add": "add", "remove": "remove", "move": "move", "rotate": "rotate", "scale": "resize", "replace": "replace",
}  # fmt: skip


def deeds(changes: Sequence[Change]) -> str:
    """The actions with their objects: "add a bed and two nightstands, and move the desk"."""
    told = []
    for kind, verb in _VERBS.items():
        of_kind = [change for change in changes if change.kind == kind]
        if of_kind:
            told.append(f"{verb} {_objects(kind, of_kind)}")
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])}, and {told[-1]}" if told else ""


def conclusion(changes: Sequence[Change], voice: Voice, *, empty: bool) -> str:
    """The sentence that concludes a turn which edits."""
    return sentence(voice.say("conclusion.empty" if empty else "conclusion", deeds=deeds(changes)))


def _objects(kind: str, changes: Sequence[Change]) -> str:
    if kind == "replace":
        return listing([f"{change.name} with {replacement(change)}" for change in changes])
    if kind == "add":
        return listing(kinds_of([change.turn.names[change.jid] for change in changes]))
    return listing([change.name for change in changes])


def replacement(change: Change) -> str:
    """What comes in place of an object."""
    name = change.turn.names[change.put]
    same = plain(name) == plain(change.turn.names[change.jid])
    return f"another {plain(name)}" if same else a(name)


def kinds_of(names: Sequence[str]) -> list[str]:
    """New things, those of one name together.

    >>> kinds_of(["bed", "nightstand 1", "nightstand 2"])
    ['a bed', 'two nightstands']
    """
    stems: dict[str, int] = {}
    for name in names:
        stems[plain(name)] = stems.get(plain(name), 0) + 1
    return [a(stem) if count == 1 else f"{number(count)} {plural_of(stem)}" for stem, count in stems.items()]
