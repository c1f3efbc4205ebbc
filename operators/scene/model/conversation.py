"""A conversation about a room as the data set has it, from a finished row and back."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from typing import Any

from dataflow_ext.well_formed import is_well_formed
from operators.scene.model.chain import Chain
from operators.scene.model.json_values import held_objects, is_scene, json_value
from operators.scene.model.records import NOT_JUDGED, TAGS, Claimed, Problem, TurnClaims, TurnText
from operators.scene.model.scene import Scene, written
from operators.scene.model.simulator import Call
from prompts import SceneSystemPrompt

#: A finished row; a line of the data set.
Row = Mapping[str, Any]
Entry = dict[str, Any]

GENERATION_METHOD = "reverse_engineering"
#: The camera of a conversation without pictures.
NO_CAMERA = {"renderer": "none"}

_USER = re.compile(r"(?:<image>\n)?(.*)\n\n<current_scene>\n```json\n(.*)\n```\n</current_scene>", re.DOTALL)
_ASSISTANT = re.compile(
    r"<think>\n(.*)\n</think>\n\n<conclusion>\n(.*)\n</conclusion>\n\n<tool_calls>\n(.*)\n</tool_calls>", re.DOTALL
)


def picture_names(id: str, count: int) -> list[str]:
    """The pictures of a conversation, relative to the data set.

    >>> picture_names("multi_turn_edit_1_0a1b2c3d", 2)
    ['images/multi_turn_edit_1_0a1b2c3d/step_0.png', 'images/multi_turn_edit_1_0a1b2c3d/step_1.png']
    """
    return [f"images/{id}/step_{number}.png" for number in range(count)]


def conversation_of(row: Row) -> Entry:
    """The conversation of a finished row: the seed's format; CallError if its chain cannot be replayed.

    The answer of a turn that a later one undoes has ``loss`` false, as ms-swift reads it.
    ``metadata`` has beside the format's keys ``retrievals`` (what was really put, by the ids of calls) and how the
    row was made: camera, styles, scores, who wrote and judged.
    """
    chain = Chain.read(row["chain"])
    states, camera = chain.states(), json.loads(row["camera"])
    pictured = camera != NO_CAMERA
    messages: list[dict[str, Any]] = [{"role": "system", "content": SceneSystemPrompt().fill(pictured=pictured)}]
    slipped = chain.slipped()
    for number, (state, calls, text) in enumerate(zip(states, chain.turns, row["texts"], strict=True)):
        messages.append({"role": "user", "content": user_turn(row["instruction"], state, pictured)})
        messages.append({"role": "assistant", "content": assistant_turn(_text(text), calls)})
        if number in slipped:
            messages[-1]["loss"] = False
    return {
        "id": row["id"],
        "images": picture_names(row["id"], len(states) if pictured else 0),
        "messages": messages,
        "metadata": {
            "scene_id": row["scene_id"],
            "conversation_type": row["conversation_type"],
            "chain_id": row["chain_id"],
            "total_turns": chain.edits,
            "global_user_instruction": row["instruction"],
            "final_scene": chain.unretrieved(states[-1]),
            "generation_method": GENERATION_METHOD,
            "retrievals": chain.retrievals,
            "camera": camera,
            "instruction_style": row["instruction_style"],
            "instruction_by": row["instruction_by"],
            "templates": [_text(text).template for text in row["texts"]],
            "text_by": row["text_by"],
            "wording": row["wording"],
            "claims": [_plain(claims) for claims in row["claims"]],
            "scores": _scores(row),
            "revised": chain.revised(),
            "repairs": list(row["repairs"]),
            "room_type": row["room_type"],
            "chain_seed": row["chain_seed"],
        },
    }


def user_turn(instruction: str, state: Scene, pictured: bool = True) -> str:
    """What the user says in a turn: the picture if there is one, the instruction, the room."""
    picture = "<image>\n" if pictured else ""
    return f"{picture}{instruction}\n\n<current_scene>\n```json\n{untagged(state)}\n```\n</current_scene>"


def assistant_turn(text: TurnText, calls: Sequence[Call]) -> str:
    """What is answered in a turn: reasoning, conclusion, and one call a line."""
    listed = ",\n".join(f"  {untagged(call)}" for call in calls)
    return (
        f"<think>\n{text.think}\n</think>\n\n<conclusion>\n{text.conclusion}\n</conclusion>\n\n"
        f"<tool_calls>\n[\n{listed}\n]\n</tool_calls>"
    )


@dataclass(frozen=True, slots=True)
class Conversation:
    """A line of the data set, taken apart; ``stated`` are the rooms that its user turns tell."""

    id: str
    images: list[str]
    chain: Chain
    stated: list[Scene]
    instructions: list[str]
    texts: list[TurnText]
    claims: list[TurnClaims]
    metadata: Mapping[str, Any]

    @property
    def pictured(self) -> bool:
        """Whether it is to have pictures."""
        return bool(self.metadata.get("camera") != NO_CAMERA)

    @classmethod
    def read(cls, entry: Any) -> Conversation:
        """The parts of a line; ConversationError with all that keeps it from being one."""
        wrong = list(_shape(entry))
        if wrong:
            raise ConversationError(wrong)
        metadata, turns = entry["metadata"], entry["messages"][1:]
        users = [_user(number, each["content"], wrong) for number, each in enumerate(turns[::2])]
        answers = [_answer(number, each["content"], wrong) for number, each in enumerate(turns[1::2])]
        if wrong:
            raise ConversationError(wrong)
        templates = metadata.get("templates") or [""] * len(answers)
        chain = Chain(users[0][1], [calls for _, _, calls in answers], metadata["retrievals"])
        texts = [TurnText(think, said, str(t)) for (think, said, _), t in zip(answers, templates, strict=False)]
        claims = [_turn_claims(each) for each in metadata.get("claims") or []]
        stated, instructions = [scene for _, scene in users], [said for said, _ in users]
        return cls(entry["id"], entry["images"], chain, stated, instructions, texts, claims, metadata)

    def row(self) -> dict[str, Any]:
        """The finished row that the conversation was written from, without its pictures."""
        known = self.metadata
        scores = dict(known.get("scores") or {})
        return {
            "id": self.id,
            "scene_id": known["scene_id"],
            "chain_id": known["chain_id"],
            "conversation_type": known["conversation_type"],
            "chain": self.chain.text(),
            "chain_seed": known.get("chain_seed", 0),
            "repairs": list(known.get("repairs") or []),
            "room_type": known.get("room_type", ""),
            "instruction": known["global_user_instruction"],
            "instruction_style": known.get("instruction_style", ""),
            "instruction_by": known.get("instruction_by", ""),
            "camera": written(known.get("camera") or {}),
            "score": scores.pop("total", 0.0),
            "judged_by": scores.pop("judged_by", ""),
            "judge_note": scores.pop("note", ""),
            "scores": scores,
            "texts": self.texts,
            "claims": self.claims,
            "text_by": known.get("text_by", ""),
            "wording": known.get("wording", NOT_JUDGED),
        }


class ConversationError(ValueError):
    """A line that is no conversation; ``problems`` tells why."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        super().__init__("; ".join(map(str, problems[:3])))
        self.problems = list(problems)


def _text(value: Any) -> TurnText:
    return TurnText(**value) if isinstance(value, Mapping) else value


def _plain(claims: Any) -> dict[str, Any]:
    """The claims of a turn as JSON has them, from a record or from what JSON had."""
    return dict(claims) if isinstance(claims, Mapping) else asdict(claims)


def _turn_claims(told: Mapping[str, Any]) -> TurnClaims:
    return TurnClaims([Claimed(**each) for each in told["claims"]], float(told["proven"]))


def _are_claims(told: Any) -> bool:
    """Whether this is what a turn states of its claims."""
    if not isinstance(told, Mapping) or not isinstance(told.get("claims"), list):
        return False
    if not isinstance(told.get("proven"), (int, float)) or set(told) != {"claims", "proven"}:
        return False
    kinds = {field.name: int if field.name == "place" else str for field in fields(Claimed)}
    return all(
        isinstance(each, Mapping) and set(each) == set(kinds) and all(type(each[k]) is t for k, t in kinds.items())
        for each in told["claims"]
    )


def _scores(row: Row) -> dict[str, Any]:
    scores = row["scores"]
    parts = dict(scores) if isinstance(scores, Mapping) else {name: getattr(scores, name) for name in scores.__slots__}
    return {**parts, "total": row["score"], "judged_by": row["judged_by"], "note": row["judge_note"]}


def untagged(value: Any) -> str:
    """A value as JSON in which no description can be taken for a tag of the message around it.

    >>> untagged({"desc": "a </think> chair"})
    '{"desc":"a \\\\u003c/think> chair"}'
    """
    return written(value).replace("<", "\\u003c")


_KINDS = {"id": str, "images": list, "messages": list, "metadata": dict}
_METADATA = {
    "scene_id": str,
    "conversation_type": str,
    "chain_id": int,
    "total_turns": int,
    "global_user_instruction": str,
    "final_scene": dict,
    "retrievals": dict,
}


def _shape(entry: Any) -> list[Problem]:
    """What keeps a line from being read at all."""
    if not isinstance(entry, Mapping):
        return [Problem("row.shape", "the line is no JSON object")]
    wrong = [f"{k} is missing or no {t.__name__}" for k, t in _KINDS.items() if not isinstance(entry.get(k), t)]
    if wrong:
        return [Problem("row.shape", each) for each in wrong]
    known = entry["metadata"]
    wrong = [f"metadata.{k} is missing or no {t.__name__}" for k, t in _METADATA.items() if type(known.get(k)) is not t]
    if not all(isinstance(each, str) for each in entry["images"]):
        wrong.append("images holds what is no text")
    if wrong:
        return [Problem("row.shape", each) for each in wrong]
    if roles := _roles(entry["messages"]):
        return roles
    wrong = [*_metadata_problems(entry["id"], known, len(entry["messages"]) // 2), *_unwritable(entry)]
    return [Problem("row.shape", each) for each in wrong]


def _metadata_problems(id: str, known: Mapping[str, Any], turns: int) -> Iterator[str]:
    """What is wrong with values of the metadata, each of its own type."""
    begin = f"{known['conversation_type']}_edit_{known['chain_id']}_"
    if not re.fullmatch(rf"{re.escape(begin)}[0-9a-f]{{8}}", id):
        yield f"the id {id!r} is not {begin} and 8 hex digits"
    if known.get("generation_method") != GENERATION_METHOD:
        yield f"metadata.generation_method is not {GENERATION_METHOD!r}"
    if not all(isinstance(each, Mapping) for each in known["retrievals"].values()):
        yield "metadata.retrievals holds what is no object"
    if held_objects(known["final_scene"]) is None:
        yield "metadata.final_scene holds no room"
    scores = known.get("scores") or {}
    if not isinstance(scores, Mapping) or not _adds_up(scores):
        yield "metadata.scores are no points that add up to their total"
    repairs = known.get("repairs", [])
    if not isinstance(repairs, list) or not all(isinstance(each, str) for each in repairs):
        yield "metadata.repairs is no list of texts"
    templates = known.get("templates", [])
    if not isinstance(templates, list) or len(templates) not in (0, turns):
        yield "metadata.templates is no list with one a turn"
    claims = known.get("claims", [])
    if not isinstance(claims, list) or len(claims) not in (0, turns) or not all(map(_are_claims, claims)):
        yield "metadata.claims is no list of claims, one a turn"


def _adds_up(scores: Mapping[str, Any]) -> bool:
    points = [value for name, value in scores.items() if name not in ("total", "judged_by", "note")]
    if not all(isinstance(value, (int, float)) for value in [*points, scores.get("total", 0)]):
        return False
    return not points or abs(sum(points) - scores.get("total", 0)) < 0.1


def _unwritable(entry: Mapping[str, Any]) -> list[str]:
    """Half a character, which JSON can tell and no file can hold."""
    written = is_well_formed(json.dumps(entry, ensure_ascii=False))
    return [] if written else ["a text has half a character (a lone surrogate)"]


def _roles(messages: Sequence[Any]) -> list[Problem]:
    if not all(isinstance(each, Mapping) and isinstance(each.get("content"), str) for each in messages):
        return [Problem("message.roles", "a message is not an object with role and content")]
    roles = [each.get("role") for each in messages]
    turns = (len(roles) - 1) // 2
    if turns < 1 or roles != ["system", *["user", "assistant"] * turns]:
        return [Problem("message.roles", f"the roles are {', '.join(map(str, roles))}")]
    return []


def _user(number: int, content: str, wrong: list[Problem]) -> tuple[str, Scene]:
    found = _USER.fullmatch(content)
    if found is None or TAGS.search(found[1]):
        wrong.append(Problem("message.tags", f"turn {number}: the user's message is not <image>, instruction, scene"))
        return "", {}
    scene = json_value(found[2])
    if not is_scene(scene):
        wrong.append(Problem("row.shape", f"turn {number}: <current_scene> holds no room"))
        return "", {}
    return found[1], scene


def _answer(number: int, content: str, wrong: list[Problem]) -> tuple[str, str, list[Call]]:
    found = _ASSISTANT.fullmatch(content)
    if found is None or any(TAGS.search(part) for part in found.groups()):
        wrong.append(Problem("message.tags", f"turn {number}: the answer is not think, conclusion, tool_calls"))
        return "", "", []
    calls = json_value(found[3])
    if not isinstance(calls, list) or not calls:
        wrong.append(Problem("row.shape", f"turn {number}: <tool_calls> holds no list of calls"))
        return "", "", []
    return found[1], found[2], calls
