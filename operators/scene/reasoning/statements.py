"""Sentences put by code: what a turn does, and claims whose words a judge rejected."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache

from dataflow_ext.claims import ClaimError, check, expressions, fill, holds, parse
from operators.scene.claims.world import RoomWorld
from operators.scene.data import rows
from operators.scene.furniture.kinds import kind_of, plural_of
from operators.scene.instructions.contents import room_name
from operators.scene.model.simulator import Call
from operators.scene.reasoning.turn import Turn
from operators.scene.reasoning.voice import Voice
from operators.scene.reasoning.words import a, listing, plain, sentence, several, the

#: The verb and the statement of each tool, in the order in which they are told.
_VERBS = {"add_object": ("add", "adds"), "remove_object": ("remove", "removes"), "move_object": ("move", "moves"),
          "rotate_object": ("turn", "turns"), "scale_object": ("resize", "resizes"),
          "replace_object": ("replace", "replaces")}  # fmt: skip
_BEGINS = ("I", "Now I", "So I", "Here I", "In this turn I", "Therefore I", "For this I", "Accordingly I")
_ENDS = ("The {room} is finished", "I end here, as the {room} is complete", "With that the {room} is done",
         "The {room} needs no further call", "I finish the {room}", "Nothing more is due in the {room}")  # fmt: skip

#: A call with the id of what it is about.
_Done = tuple[Call, str]


def conclusion(turn: Turn, world: RoomWorld, voice: Voice) -> str:
    """One sentence, with marks, that names each kind of call with its objects."""
    if turn.ends:
        return f"{voice.draw.choice(_ENDS).format(room=room_name(turn.before.get('room_type')))} [ends()]."
    done = list(zip(turn.calls, map(str, turn.subjects), strict=True))
    told = []
    for tool, (verb, statement) in _VERBS.items():
        same = [each for each in done if each[0]["name"] == tool]
        if same:
            told.append(f"{verb} {_objects(turn, world, tool, statement, same)}")
    whole = told[0] if len(told) == 1 else f"{', '.join(told[:-1])}, and {told[-1]}"
    return sentence(f"{voice.draw.choice(_BEGINS)} {whole}")


def _objects(turn: Turn, world: RoomWorld, tool: str, statement: str, done: Sequence[_Done]) -> str:
    if tool != "add_object":
        return listing([_one(turn, tool, statement, call, jid) for call, jid in done])
    stems: dict[str, list[_Done]] = {}
    for call, jid in done:
        stems.setdefault(plain(turn.names[jid]), []).append((call, jid))
    return listing([_added(turn, world, stem, same) for stem, same in stems.items()])


def _one(turn: Turn, tool: str, statement: str, call: Call, jid: str) -> str:
    name = the(turn.names[jid])
    if tool == "replace_object":
        put = call.get("retrieval") or turn.retrievals[call["id"]]
        name = f"{name} with {a(turn.names[str(put['jid'])])}"
    return f"{name} {_mark(turn, statement, call, jid)}"


def _added(turn: Turn, world: RoomWorld, stem: str, same: Sequence[_Done]) -> str:
    """New things of one name; more than three are counted by a claim of their own."""
    marks = " ".join(_mark(turn, "adds", call, jid) for call, jid in same)
    if len(same) == 1:
        return f"{a(turn.names[same[0][1]])} {marks}"
    if len(same) <= 3:
        return f"{several(len(same), stem, plural_of(stem))} {marks}"
    noun = kind_of(str(turn.new[same[0][1]]["desc"])).noun
    count = f"count({noun}, after) - count({noun})"
    try:
        proven = holds(parse(f"{count} = {len(same)}"), world)
    except ClaimError:  # none of the kind before: no count of it to subtract, so no number is said
        proven = False
    number = f"{several(len(same), stem, plural_of(stem))} [{count}]" if proven else plural_of(stem)
    return f"{number} {marks}"


def _mark(turn: Turn, statement: str, call: Call, jid: str) -> str:
    return f"[{expressions.Call(statement, (expressions.Name(turn.names[jid]), expressions.Name(str(call['id']))))}]"


#: Sorts whose arguments are no things, and so have no article.
_BARE = ("kind", "direction", "call")


def stated(source: str, world: RoomWorld) -> str | None:
    """The claim as a sentence with its mark; None if no text of the table says it, or if it is not proven so."""
    try:
        claim = parse(source)
    except ClaimError:
        return None
    term = world.vocabulary.by_word.get(claim.word) if isinstance(claim, expressions.Call) else None
    if not isinstance(claim, expressions.Call) or term is None:
        return None
    state = next((s for s in world.vocabulary.states if claim.arguments and str(claim.arguments[-1]) == s), "")
    arguments = [str(each) for each in claim.arguments[: -1 if state else None]]
    sorts = [parameter.rstrip("?").split("|")[0] for parameter in term.parameters]
    names = [name if sort in _BARE else the(name) for name, sort in zip(arguments, sorts, strict=False)]
    names = [name for name, sort in zip(names, sorts, strict=False) if sort != "call"]
    text = _texts().get((claim.word, len(names)))
    if text is None or len(names) != len(arguments) - sum(sort == "call" for sort in sorts[: len(arguments)]):
        return None
    said = text.replace("{}", f"{{{source}}}") if term.is_measure else f"{text} [{source}]"
    for place, name in enumerate(names):
        said = said.replace(f"{{{place}}}", name)
    made = fill(sentence(f"{said}{' after this turn' if state == 'after' else ''}"), world)
    return made if [each.verdict for each in check(made, world).sentences] == ["proven"] else None


def restated(sources: Sequence[str], world: RoomWorld) -> str:
    """The claims of a sentence as sentences with their marks; nothing for those that none says."""
    return " ".join(dict.fromkeys(said for source in sources if (said := stated(source, world))))


@cache
def _texts() -> Mapping[tuple[str, int], str]:
    """The texts by their term and how many arguments they name."""
    return {(term, sum(f"{{{n}}}" in text for n in range(3))): text for term, text in rows("statements.tsv")}
