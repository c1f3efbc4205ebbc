"""An instruction for a room that is furnished already: the changes that the calls make, in a user's words."""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from operators.scene.furniture.kinds import Kind, kind_of
from operators.scene.instructions.contents import Piece, pieces_of, with_article, wordings
from operators.scene.model.chain import Chain
from operators.scene.model.geometry import yaw_of
from operators.scene.model.scene import Object, Scene, objects_of
from operators.scene.model.simulator import apply, target_of
from operators.scene.reasoning.words import capitals, listing, number

#: A move goes towards a thing if that comes nearer by this share of the way.
_TOWARDS = 0.7


@dataclass(frozen=True, slots=True)
class Change:
    """One call as a user sees it: the tool, what is changed and how it is called, and what is put."""

    tool: str
    kind: Kind
    words: Mapping[str, str]
    new_kind: Kind | None = None


def changes_of(chain: Chain, looks: bool = False) -> list[Change]:
    """The changes that a chain makes, call by call, with colours and materials if ``looks``."""
    found: list[Change] = []
    state = chain.start
    for calls in chain.turns[:-1]:
        for call in calls:
            after = apply(state, [call], chain.retrievals)
            found.append(_change(call, state, after, chain.start, looks))
            state = after
    return found


def changes_text(chain: Chain, room: str, style: str, rng: random.Random) -> str:
    """What a user says who wants these changes, briefly or in detail.

    >>> place = {"size": [1.0] * 3, "pos": [0.0] * 3, "rot": [0.0, 0.0, 0.0, 1.0]}
    >>> chair = {"desc": "A grey armchair", "jid": "a", **place}
    >>> arguments = {"jid": "a", "new_rotation": [0.0, 1.0, 0.0, 0.0]}
    >>> call = {"id": "tool_1", "name": "rotate_object", "arguments": arguments}
    >>> changes_text(Chain({"objects": [chair]}, [[call], []]), "bedroom", "edit/brief", random.Random(0))
    'I want you to rotate the armchair around.'
    """
    detailed = style.endswith("detailed")
    changes = changes_of(chain, looks=detailed)
    if not detailed:
        clauses = [rng.choice(wordings()[f"verbs.{tool}"]).format(**words) for tool, words in _told_apart(changes)]
        return rng.choice(wordings()["changes.brief"]).format(clauses=listing(clauses))
    sentences = [rng.choice(wordings()[f"wishes.{tool}"]).format(**words) for tool, words in _told_apart(changes)]
    return " ".join([rng.choice(wordings()["changes.openings"]).format(room=room), *sentences])


def _told_apart(changes: Sequence[Change]) -> list[tuple[str, Mapping[str, str]]]:
    """Each change's tool and words: like pieces that are added come together, and of several "another" comes next."""
    told: list[tuple[str, Mapping[str, str]]] = []
    added = Counter(each.words["new"] for each in changes if each.tool == "add_object")
    pointed: set[str] = set()
    for each in changes:
        words = dict(each.words)
        if each.tool == "add_object":
            count = added.pop(words["new"], 0)
            if not count:
                continue
            if count > 1:
                words["new"] = f"{number(count)} {words['many']}"
        elif words["it"] in pointed:
            words["it"] = words["it"].replace("one of", "another of", 1)
        pointed.add(each.words.get("it", ""))
        told.append((each.tool, words))
    return told


def _change(call: Mapping[str, object], before: Scene, after: Scene, start: Scene, looks: bool) -> Change:
    """A call with its words; ``before`` and ``after`` are the room around it, ``start`` is what the user sees."""
    tool, jid = str(call["name"]), target_of(call)
    old = next((each for each in objects_of(before) if each["jid"] == jid), None)
    known = {each["jid"] for each in objects_of(before)}
    new = next((each for each in objects_of(after) if each["jid"] not in known), None)
    now = next((each for each in objects_of(after) if each["jid"] == jid), None)
    words: dict[str, str] = {}
    if old is not None:
        seen = objects_of(start)
        words["it"] = _called(old, seen if any(each["jid"] == jid for each in seen) else objects_of(before), looks)
    if new is not None:
        words["new"] = _new(new, old, looks)
        words["many"] = " ".join((*(_look(new) if looks else ()), _noun(kind_of(str(new["desc"])), plural=True)))
    if old is not None and now is not None:
        words |= {"where": _where(old, now, objects_of(after)), "turn": _turn(old, now), **_size(old, now)}
    about = old if old is not None else new
    assert about is not None  # noqa: S101 - a call that was applied is about one of them
    return Change(tool, kind_of(str(about["desc"])), words, None if new is None else kind_of(str(new["desc"])))


def _called(obj: Object, objects: Sequence[Object], looks: bool) -> str:
    """How a user points at an object: by its noun, where that is enough, by its look, or as one of several."""
    kind = kind_of(str(obj["desc"]))
    same = [each for each in objects if kind_of(str(each["desc"])).noun == kind.noun]
    noun = _noun(kind)
    look = _look(obj)
    alike = [each for each in same if _look(each) == look]
    if len(same) == 1:
        return f"the {' '.join((*look, noun)) if looks else noun}"
    if look and len(alike) == 1:
        return f"the {' '.join((*look, noun))}"
    return f"one of the {number(len(same))} {_noun(kind, plural=True)}"


def _new(new: Object, old: Object | None, looks: bool) -> str:
    """What is put, with an article; "a different one" if it is of the same noun."""
    kind = kind_of(str(new["desc"]))
    words = " ".join((*_look(new), _noun(kind))) if looks else _noun(kind)
    if old is not None and kind_of(str(old["desc"])).noun == kind.noun:
        return f"different {words}" if kind.plural == kind.noun else with_article(f"different {words}")
    return with_article(words, kind)


def _noun(kind: Kind, plural: bool = False) -> str:
    noun = kind.plural if plural else kind.noun
    return {"object": "item", "objects": "items"}.get(noun, capitals(noun))


def _look(obj: Object) -> tuple[str, ...]:
    piece: list[Piece] = pieces_of([obj])
    return piece[0].look() if piece else ()


def _where(old: Object, now: Object, objects: Sequence[Object]) -> str:
    """Where a move goes: closer to a thing, further from one, or just a little."""
    x, z, new_x, new_z = old["pos"][0], old["pos"][2], now["pos"][0], now["pos"][2]
    way = math.hypot(new_x - x, new_z - z)
    nouns = [kind_of(str(each["desc"])).noun for each in objects]
    best, text = _TOWARDS * way, " a little"
    for each, noun in zip(objects, nouns, strict=True):
        if each["jid"] == now["jid"] or nouns.count(noun) > 1 or noun == "object":
            continue
        ex, ez = each["pos"][0], each["pos"][2]
        nearer = math.hypot(ex - x, ez - z) - math.hypot(ex - new_x, ez - new_z)
        if abs(nearer) > best:
            best = abs(nearer)
            text = f" {'closer to' if nearer > 0 else 'further away from'} the {capitals(noun)}"
    return text


def _turn(old: Object, now: Object) -> str:
    """How far something is turned, where there is a word for it."""
    degrees = abs((yaw_of(now) - yaw_of(old) + 180) % 360 - 180)
    if degrees > 150:
        return " around"
    return " by a quarter turn" if 75 <= degrees <= 105 else ""


def _size(old: Object, now: Object) -> dict[str, str]:
    """Whether it gets bigger or smaller, by its volume."""
    was, is_now = (abs(math.prod(map(float, each["size"]))) for each in (old, now))
    word = "bigger" if is_now > was else "smaller" if is_now < was else "different"
    return {"bigger": word, "a_bigger": with_article(word)}
