"""What a turn does, in a few words: each kind of action with its objects, and the sentence that concludes."""

from __future__ import annotations

from collections.abc import Sequence

from operators.scene.furniture.kinds import plural_of
from operators.scene.reasoning.changes import Change, percent, way
from operators.scene.reasoning.voice import Voice
from operators.scene.reasoning.words import a, listing, plain, sentence, several

#: The verb of each action, in the order in which they are told.
_VERBS = {
    "add": "add", "remove": "remove", "move": "move", "rotate": "rotate", "scale": "resize", "replace": "replace",
}  # fmt: skip


def deeds(changes: Sequence[Change], *, exact: bool = True) -> str:
    """The actions with their objects: "add a bed and two nightstands, and move the desk".

    Of a single action it is told how far it moves something, or where it turns it, unless that is not wanted.
    """
    told = []
    for kind, verb in _VERBS.items():
        of_kind = [change for change in changes if change.kind == kind]
        if of_kind:
            told.append(f"{verb} {_objects(kind, of_kind, exact and len(changes) == 1)}")
    return told[0] if len(told) == 1 else f"{', '.join(told[:-1])}, and {told[-1]}" if told else ""


def _how(change: Change) -> str:
    """How far something is moved, or where it is turned to; empty for what has no such thing."""
    if change.kind == "move":
        far, direction = way(change)
        return f" {direction} by {far} m" if direction in ("up", "down") else f" {far} m {direction}"
    turned = change.kind == "rotate" and change.now.thing.kind.faces and change.was.facing != change.now.facing
    return f" to face {change.now.facing}" if turned else ""


def wish(changes: Sequence[Change], voice: Voice) -> str:
    """What the user wants, told from all that is done: "the kettle smaller and a floor lamp in the room"."""
    told = [_wanted(change) for change in changes if change.kind != "add"]
    added = kinds_of([change.turn.names[change.jid] for change in changes if change.kind == "add"])
    return sentence(voice.say("wish", wish=listing([*told, *([f"{listing(added)} in the room"] if added else [])])))


def _wanted(change: Change) -> str:
    """What is wanted of an object that is there."""
    if change.kind == "move":
        direction = way(change)[1]
        return f"{change.name} further {direction}"
    if change.kind == "rotate":
        return f"{change.name} turned{_how(change)}"
    if change.kind == "replace":
        return f"{replacement(change)} in place of {change.name}"
    if change.kind == "remove":
        return f"{change.name} gone"
    parts = percent(change)
    same = min(parts) >= 0 or max(parts) <= 0
    return f"{change.name} {('larger' if max(parts) > 0 else 'smaller') if same else 'in another size'}"


def conclusion(changes: Sequence[Change], voice: Voice, *, empty: bool) -> str:
    """The sentence that concludes a turn which edits."""
    return sentence(voice.say("conclusion.empty" if empty else "conclusion", deeds=deeds(changes)))


def plainest(changes: Sequence[Change]) -> str:
    """The shortest sentence that names each action with its objects."""
    return sentence(f"I {deeds(changes, exact=False)}")


def _objects(kind: str, changes: Sequence[Change], alone: bool) -> str:
    if kind == "replace":
        return listing([f"{change.name} with {replacement(change)}" for change in changes])
    if kind == "add":
        return listing(kinds_of([change.turn.names[change.jid] for change in changes]))
    return listing([f"{change.name}{_how(change) if alone else ''}" for change in changes])


def replacement(change: Change) -> str:
    """What comes in place of an object."""
    return a(change.turn.names[change.put])


def kinds_of(names: Sequence[str]) -> list[str]:
    """New things, those of one name together.

    >>> kinds_of(["bed", "nightstand 1", "nightstand 2"])
    ['a bed', 'two nightstands']
    """
    stems: dict[str, list[str]] = {}
    for name in names:
        stems.setdefault(plain(name), []).append(name)
    return [a(same[0]) if len(same) == 1 else several(len(same), stem, plural_of(stem)) for stem, same in stems.items()]
