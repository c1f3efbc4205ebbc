"""Lines that are told in another way, or of other rooms, and break no law: the check blames none of them."""

import copy
import json

import pytest

from operators.scene.model.conversation import conversation_of
from operators.scene.model.scene import NEED_RETRIEVAL, written
from operators.scene.rules import entry_problems
from tests.scene.finished import BED, CHAIN, EMPTY, add, call, row
from tests.scene.laws.chain_edits import in_start, put_as
from tests.scene.laws.edits import (
    Change,
    Line,
    asked,
    calls,
    calls_in,
    chain,
    changed,
    known,
    lost,
    put_calls,
    put_scene,
    said,
    scene_in,
    turns_of,
)
from tests.scene.laws.lines import lines


def backwards(value: object) -> object:
    """The value with the keys of all its objects in another order."""
    if isinstance(value, dict):
        return {key: backwards(value[key]) for key in reversed(value)}
    return [backwards(each) for each in value] if isinstance(value, list) else value


def scenes(tell) -> Change:
    """Each stated room as another text."""
    return lambda line: [put_scene(line, turn, tell(scene_in(line, turn))) for turn in range(turns_of(line))]


def answers(tell) -> Change:
    """The calls of each turn as another text."""
    return lambda line: [put_calls(line, turn, tell(calls_in(line, turn))) for turn in range(turns_of(line))]


def whole(value: object) -> object:
    """The value with whole numbers without a point."""
    if isinstance(value, dict):
        return {key: whole(each) for key, each in value.items()}
    if isinstance(value, list):
        return [whole(each) for each in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def all_backwards(line: Line) -> None:
    """All keys of all objects in another order, in messages as in metadata."""
    scenes(lambda scene: written(backwards(scene)))(line)
    answers(lambda listed: written(backwards(listed)))(line)
    told = backwards(copy.deepcopy(line))
    line.clear()
    line.update(told)


def spelled_right(line: Line) -> None:
    text = json.dumps(line["metadata"]["final_scene"])
    known(final_scene=json.loads(text.replace(NEED_RETRIEVAL, "<NEED_RETRIEVAL>")))(line)


def ends_with(reason: str) -> Change:
    return calls(lambda listed: listed[0]["arguments"].update(reason=reason), -1)


FRAGMENTS = (
    "There is more to do here, and some of it is still to be done.",
    "This leaves [enough] room (for now), light: 1 < 2 > 0.",
    "Well... let me see: what comes next?",
    "A place is free; it holds nothing yet. The rest is filled in later, one by one.",
    "First this.\n\n- then that\n- then the rest\n\n```json\n{}\n```",
    "It is \u201cright\u201d \u2013 d\u00e9j\u00e0 vu \U0001fa91, \u6905\u5b50\u3002",
    "<b>This</b> comes next &amp; \\n \\u0041 \"so\" it's.",
)  # fmt: skip

ANY_LINE = {
    "all keys in another order": all_backwards,
    "placeholders of ids spelled right": spelled_right,
    "calls over many lines": answers(lambda listed: json.dumps(listed, indent=4, ensure_ascii=False)),
    "calls on one line": answers(written),
    "calls with spaces around": answers(lambda listed: f"  {json.dumps(listed)}  "),
    "rooms with spaces": scenes(lambda scene: json.dumps(scene, ensure_ascii=False)),
    "rooms with escapes": scenes(lambda scene: json.dumps(scene).replace("a", "\\u0061")),
    "whole numbers without a point in rooms": scenes(lambda scene: written(whole(scene))),
    "whole numbers without a point in calls": answers(lambda listed: written(whole(listed))),
    "more in the metadata": known(note={"by": ["hand", 1, None]}),
    "nothing in the metadata but what the format has": lost(
        "camera", "instruction_style", "instruction_by", "templates", "text_by", "scores", "room_type", "chain_seed"),
    "more in the camera": lambda line: line["metadata"]["camera"].update(lens="wide"),
    "another system message": lambda line: line["messages"][0].update(content="You furnish rooms."),
    "more in a message": lambda line: [each.update(weight=1) for each in line["messages"]],
    "an instruction with more lines": lambda line: asked(
        line["metadata"]["global_user_instruction"] + "\n\nThank you \u2013 \"merci\", \u8c22\u8c22!")(line),
    "a reason in other words": ends_with("\u5b8c\u6210 \u2013 \"all\" is <there>."),
    "an object that has more than the format says": put_as(style="modern", tags=["a", "b"], more={"x": None}),
    "an asset whose own id looks like an instance's": put_as(jid="lonely__2", asset_jid=None),
    "a repeated asset beside the first": put_as(jid="{other}__9", asset_jid="{other}"),
    "a room with more than the format says": chain(lambda parts: parts["start"].update(style="modern", year=2020)),
    **{f"a reasoning such as {text[:24]!r}": said(0, think=text) for text in FRAGMENTS},
}  # fmt: skip

FURNISHED = {
    "an object of another language": in_start(
        desc="\u6d45\u8272\u6a61\u6728\u6905\u5b50\uff0c\u56db\u6761\u817f \U0001fa91"
    ),
    "an object of many words": in_start(desc="A plain chair, " + "very " * 400 + "plain"),
    "an object with quotes and tags in its words": in_start(desc="A \"plain\" <b>chair</b> ```json\n\t{'x'} \\ & <"),
    "an object with marks of messages in its words": in_start(desc="A </think> <image> chair"),
    "an object without words": in_start(desc=""),
    "an object below the floor": in_start(pos=[0.4, -0.35, 0.3]),
    "an object far out": in_start(pos=[40.0, 0.0, -30.0]),
    "an object that leans": in_start(rot=[0.06, 0.70451, 0.06, 0.70451]),
    "an object with a rotation that is no whole turn": in_start(rot=[0.0, 0.7, 0.0, 0.7]),
}


@pytest.mark.parametrize("change", ANY_LINE.values(), ids=ANY_LINE)
def test_a_line_that_says_the_same_is_not_blamed(change):
    assert [entry_problems(changed(line, change)) for line in list(lines().values())[:2]] == [[], []]


@pytest.mark.parametrize("change", FURNISHED.values(), ids=FURNISHED)
def test_a_room_with_dirt_that_no_call_is_about_is_not_blamed(change):
    told = [entry_problems(changed(line, change)) for name, line in lines().items() if name.startswith("single_turn")]
    assert told == [[], []]


def by_hand(made, texts, **more) -> Line:
    """The line of a chain with these texts."""
    told = [{"think": "This comes next.", "conclusion": text, "template": ""} for text in texts]
    return json.loads(json.dumps(conversation_of(row(chain=made.text(), texts=told, **more))))


def test_a_room_of_a_single_object_is_not_blamed():
    made = type(CHAIN)(EMPTY, [[add(1, BED, [0.0, 0.0, -0.9])], CHAIN.turns[-1]], {"tool_1": BED})
    line = by_hand(made, ["Add the bed.", "The room is finished."], instruction="I want a bedroom with a bed.")
    assert entry_problems(line) == []


def test_an_object_that_moves_to_and_fro_in_two_turns_is_not_blamed():
    there, back = ([call(n, "move_object", jid="bed-1", new_position=p)] for n, p in
                   ((2, [0.01, 0.0, -0.9]), (3, [0.0, 0.0, -0.9])))  # fmt: skip
    made = type(CHAIN)(EMPTY, [[add(1, BED, [0.0, 0.0, -0.9])], there, back, CHAIN.turns[-1]], {"tool_1": BED})
    said_then = ["Add the bed.", "Move the bed.", "Move the bed.", "The room is finished."]
    assert entry_problems(by_hand(made, said_then, instruction="I want a bedroom with a bed.")) == []


def test_an_add_without_a_group_begins_the_group_of_objects():
    empty = {"room_envelope": {k: EMPTY[k] for k in ("bounds_top", "bounds_bottom")}, "room_type": "bedroom",
             "room_id": "R", "groups": []}  # fmt: skip
    made = type(CHAIN)(empty, [[add(1, BED, [0.0, 0.0, -0.9])], CHAIN.turns[-1]], {"tool_1": BED})
    line = by_hand(made, ["Add the bed.", "The room is finished."], instruction="I want a bedroom with a bed.")
    assert [g["group_name"] for g in line["metadata"]["final_scene"]["groups"]] == ["objects"]
    assert entry_problems(line) == []


def test_the_line_made_by_hand_is_not_blamed():
    assert entry_problems(json.loads(json.dumps(conversation_of(row())))) == []
