"""Damages to the form of a line: its parts, its messages, its pictures' names and the shape of its calls."""

import json

from tests.scene.laws.edits import (
    Change,
    Line,
    NotHere,
    arguments,
    asked,
    call,
    calls,
    calls_in,
    in_message,
    known,
    last_state,
    lost,
    put_calls,
    put_scene,
    said,
    scene_in,
    thing,
    turns_of,
)


def both(*changes: Change) -> Change:
    """One change after the other."""
    return lambda line: [change(line) for change in changes]


def message(number: int, **values: object) -> Change:
    return lambda line: line["messages"][number].update(values)


def scene_text(old: str, new: str) -> Change:
    """Another text in the last room that is stated."""

    def change(line: Line) -> None:
        last = turns_of(line) - 1
        text = json.dumps(scene_in(line, last), ensure_ascii=False, separators=(",", ":"))
        if old not in text:
            raise NotHere
        put_scene(line, last, text.replace(old, new, 1))

    return change


def call_text(old: str, new: str) -> Change:
    """Another text in the first calls."""

    def change(line: Line) -> None:
        text = json.dumps(calls_in(line, 0), ensure_ascii=False, separators=(",", ":"))
        if old not in text:
            raise NotHere
        put_calls(line, 0, text.replace(old, new, 1))

    return change


def whole_call(change: Change) -> Change:
    return call(lambda each: change(each) and None)


def images(change: Change) -> Change:
    """Other names of pictures, from the list of the old ones."""
    return lambda line: line.update(images=change(line["images"]))


def second_image(new: str) -> Change:
    """Another name of the second picture; ``{id}`` is the conversation's."""
    return lambda line: line["images"].__setitem__(1, new.format(id=line["id"]))


ROW = {
    "no id": lost("id"),
    "an id that is a number": lambda line: line.update(id=7),
    "no images": lost("images"),
    "images that are a text": lambda line: line.update(images="step_0.png"),
    "an image that is a number": images(lambda names: [0, *names[1:]]),
    "an image that is null": images(lambda names: [*names[:-1], None]),
    "no messages": lost("messages"),
    "messages that are an object": lambda line: line.update(messages={}),
    "no metadata": lost("metadata"),
    "metadata in a list": lambda line: line.update(metadata=[line["metadata"]]),
    "no scene_id": lost("scene_id"),
    "a scene_id that is null": known(scene_id=None),
    "no conversation_type": lost("conversation_type"),
    "no chain_id": lost("chain_id"),
    "a chain_id that is a text": known(chain_id="1"),
    "a chain_id that is true": known(chain_id=True),
    "no total_turns": lost("total_turns"),
    "total_turns that is a text": known(total_turns="2"),
    "total_turns with a point": known(total_turns=2.0),
    "no global_user_instruction": lost("global_user_instruction"),
    "no final_scene": lost("final_scene"),
    "a final_scene in a list": lambda line: known(final_scene=[line["metadata"]["final_scene"]])(line),
    "a final_scene that is no room": known(final_scene={}),
    "no retrievals": lost("retrievals"),
    "retrievals in a list": known(retrievals=[]),
    "a retrieval that is a list": lambda line: line["metadata"]["retrievals"].update(tool_1=[]),
    "no generation_method": lost("generation_method"),
    "a template too few": known(templates=["A"]),
    "a number for the templates": known(templates=7),
    "half a character in a reasoning": said(0, think="This \ud800 comes next."),
    "a final_scene with null for its groups": lambda line: line["metadata"]["final_scene"].update(groups=None),
    "another generation_method": known(generation_method="forward"),
    "a state that is no JSON": scene_text("{", ""),
    "a state in a list": scene_text("{", "[{"),
    "a state with nan": scene_text("0.0", "NaN"),
    "a state with infinity": scene_text("0.0", "-Infinity"),
    "a state with a number beyond all bounds": scene_text("0.0", "1e400"),
    "a state that tells a key twice": scene_text('"room_id":', '"room_id":"Other","room_id":'),
    "a state whose object tells a key twice": scene_text('"desc":', '"desc":"A piano","desc":'),
    "a state whose object has no size": last_state(thing(lambda each: each.pop("size"))),
    "a state whose object has a flat place": last_state(thing(lambda each: each["pos"].pop())),
    "a state whose object has a place in words": last_state(thing(lambda each: each.update(pos=["0", "0", "0"]))),
    "a state whose object has a place that is true": last_state(thing(lambda each: each.update(pos=[True, 0.0, 0.0]))),
    "a state whose object has a rotation about one axis": last_state(thing(lambda each: each.update(rot=[90.0]))),
    "a state with an object that is null": scene_text('"objects":[', '"objects":[null,'),
    "a state without bounds": last_state(lambda s: s.get("room_envelope", s).pop("bounds_bottom") and None),
    "calls that are no JSON": call_text("}", ""),
    "calls that are one object": lambda line: put_calls(line, 0, json.dumps(calls_in(line, 0)[0])),
    "no calls in the list": lambda line: put_calls(line, 0, "[]"),
    "calls with nan": call_text("0.0", "NaN"),
    "calls that tell a key twice": call_text('"name":', '"name":"terminate","name":'),
}

ROLES = {
    "no system message": lambda line: line["messages"].pop(0),
    "a system message at the end": lambda line: line["messages"].append(line["messages"].pop(0)),
    "two system messages": lambda line: line["messages"].insert(0, line["messages"][0]),
    "no user in a turn": lambda line: line["messages"].pop(3),
    "no last answer": lambda line: line["messages"].pop(),
    "a user after the last answer": lambda line: line["messages"].append(line["messages"][1]),
    "roles that have changed places": both(message(1, role="assistant"), message(2, role="user")),
    "a tool that answers": message(2, role="tool"),
    "a role in capitals": message(1, role="User"),
    "a message without a role": lambda line: line["messages"][1].pop("role"),
    "a message without content": lambda line: line["messages"][2].pop("content"),
    "content in a list": lambda line: message(1, content=[{"type": "text", "text": line["messages"][1]["content"]}])(
        line
    ),
    "a message that is a text": lambda line: line["messages"].__setitem__(2, line["messages"][2]["content"]),
    "a system message alone": lambda line: line["messages"].__delitem__(slice(1, None)),
    "no message at all": lambda line: line["messages"].clear(),
}

TAGS = {
    "a think that does not end": in_message(2, "\n</think>", ""),
    "a think that does not begin": in_message(2, "<think>\n", ""),
    "no conclusion": lambda line: message(2, content=line["messages"][2]["content"].replace("conclusion>", "b>"))(line),
    "two conclusions": in_message(2, "</conclusion>", "</conclusion>\n\n<conclusion>\nAgain.\n</conclusion>"),
    "calls that do not end": in_message(2, "</tool_calls>", ""),
    "a think within a think": said(0, think="First <think>this</think> comes."),
    "a conclusion within a think": said(0, think="So: <conclusion>done</conclusion>"),
    "calls within a conclusion": said(0, conclusion="Do <tool_calls>[]</tool_calls>"),
    "a tag of another export in a think": said(0, think="<create_scene>"),
    "a picture in a think": said(0, think="In the <image> nothing stands."),
    "words before the think": lambda line: message(2, content="Well. " + line["messages"][2]["content"])(line),
    "words after the calls": lambda line: message(2, content=line["messages"][2]["content"] + "\nDone.")(line),
    "a tag in capitals": in_message(2, "<think>", "<THINK>"),
    "line ends of another system": lambda line: message(
        2, content=line["messages"][2]["content"].replace("\n", "\r\n"))(line),
    "no fence about the room": in_message(1, "```json\n", ""),
    "no current_scene": in_message(1, "<current_scene>", ""),
    "two rooms in a turn": in_message(1, "</current_scene>", "</current_scene>\n<current_scene></current_scene>"),
    "words after the room": in_message(1, "</current_scene>", "</current_scene> Go on."),
    "a picture in the instruction": asked("I want this room: <image>"),
    "an end of the room in the instruction": asked("</current_scene> Give me a room."),
}  # fmt: skip

#: Either code is true of these: a message lacks its picture, or has one too many.
PICTURE_MARKS = {
    "no picture in a user's turn": in_message(1, "<image>\n", ""),
    "two pictures in a user's turn": in_message(1, "<image>\n", "<image>\n<image>\n"),
    "no picture in the last turn": in_message(-2, "<image>\n", ""),
}

IMAGES = {
    "a picture too few": images(lambda names: names[:-1]),
    "a picture too many": images(lambda names: [*names, names[-1].replace("step_", "step_9")]),
    "no pictures": images(lambda _: []),
    "the first picture left out": images(lambda names: names[1:]),
    "a picture in the system message": in_message(0, "You", "<image> You"),
}

NAMES = {
    "pictures in another order": images(lambda names: names[::-1]),
    "a picture of a later number": second_image("images/{id}/step_9.png"),
    "a number with a zero before it": second_image("images/{id}/step_01.png"),
    "the same picture twice": images(lambda names: [names[0], *names[:-1]]),
    "a picture that is no PNG by its name": second_image("images/{id}/step_1.jpg"),
    "a picture in another folder": second_image("images/other/step_1.png"),
    "a picture outside of the data set": second_image("../{id}/step_1.png"),
    "a picture outside after a way round": second_image("images/../../{id}/step_1.png"),
    "all pictures outside": images(lambda names: [f"../{name}" for name in names]),
    "pictures anywhere on the disk": images(lambda names: [f"/{name}" for name in names]),
    "a picture on another drive": second_image("C:\\{id}\\step_1.png"),
    "a picture on a server": second_image("http://localhost/{id}/step_1.png"),
    "a picture as data": second_image("data:image/png;base64,iVBORw0KGgo="),
    "a name with back strokes": images(lambda names: [name.replace("/", "\\") for name in names]),
    "an empty name": second_image(""),
    "a name with a zero byte": second_image("images/{id}/step_1.png\0"),
    "a name with a space behind": second_image("images/{id}/step_1.png "),
    "a name with a line feed behind": second_image("images/{id}/step_1.png\n"),
}

CALL_SHAPE = {
    "a call without an id": whole_call(lambda each: each.pop("id")),
    "a call with an empty id": whole_call(lambda each: each.update(id="")),
    "a call with a number for its id": whole_call(lambda each: each.update(id=1)),
    "a call that is a text": call(lambda each: each["name"] + "()"),
    "a call that is null": calls(lambda listed: [None, *listed[1:]]),
    "a call that is a list": calls(lambda listed: [listed]),
    "a call with more than id, name and arguments": whole_call(lambda each: each.update(type="function")),
    "a call that tells itself what was put": call(
        lambda each: each.update(retrieval={"jid": "x", "desc": "A chair", "size": [0.5, 0.5, 0.5]}), "add_object"),
    "an id that two calls of a turn have": calls(lambda listed: _same_id(*listed[:2])),
    "an id that calls of two turns have": lambda line: calls(
        lambda listed: _same_id(calls_in(line, 0)[0], listed[0]), -1)(line),
}  # fmt: skip

TOOLS = {
    "a tool that is not there": whole_call(lambda each: each.update(name="paint_object")),
    "a tool that is nearly there": call(lambda each: each.update(name="add_objects"), "add_object"),
    "a tool in capitals": whole_call(lambda each: each.update(name=each["name"].upper())),
    "a tool with a space": whole_call(lambda each: each.update(name=" " + each["name"])),
    "a tool that is null": whole_call(lambda each: each.update(name=None)),
    "a tool that is a list": whole_call(lambda each: each.update(name=[each["name"]])),
    "a call without a name": whole_call(lambda each: each.pop("name")),
}

ARGUMENTS = {
    "no description": arguments("add_object", object_description=None),
    "an empty description": arguments("add_object", object_description=""),
    "a description that is a list": arguments("add_object", object_description=["A chair"]),
    "no position": arguments("add_object", position=None),
    "a position of two numbers": arguments("add_object", position=[0.0, 0.0]),
    "a position of words": arguments("add_object", position=["0", "0", "0"]),
    "a position with a truth": arguments("add_object", position=[True, 0.0, 0.0]),
    "a position in an object": arguments("add_object", position={"x": 0, "y": 0, "z": 0}),
    "a position beyond all bounds": arguments("add_object", position=[1e9, 0.0, 0.0]),
    "no rotation": arguments("add_object", rotation=None),
    "a rotation about one axis": arguments("add_object", rotation=[0.0, 90.0, 0.0]),
    "no size": arguments("add_object", size=None),
    "a size that is a number": arguments("add_object", size=1.0),
    "an add that names a jid": arguments("add_object", jid="chair-1"),
    "a group that is a number": arguments("add_object", group_name=3),
    "a removal of nothing": arguments("remove_object", jid=None),
    "a removal of a number": arguments("remove_object", jid=3),
    "a move to nowhere": arguments("move_object", new_position=None),
    "a move under another name": call(
        lambda each: each["arguments"].update(position=each["arguments"].pop("new_position")), "move_object"),
    "a turn to nowhere": arguments("rotate_object", new_rotation=None),
    "a turn by degrees": arguments("rotate_object", new_rotation=90.0),
    "a scaling to nothing": arguments("scale_object", new_size=None),
    "a scaling by a factor": arguments("scale_object", new_size=1.2),
    "a replacement of nothing": arguments("replace_object", jid_to_replace=None),
    "a replacement by nothing": arguments("replace_object", new_object_description=None),
    "a replacement that names a jid": arguments("replace_object", jid="chair-1"),
    "a replacement that names a size": arguments("replace_object", new_size=[1.0, 1.0, 1.0]),
    "an end without a reason": arguments("terminate", reason=None),
    "an end with an empty reason": arguments("terminate", reason=""),
    "arguments as a text": whole_call(lambda each: each.update(arguments=json.dumps(each["arguments"]))),
    "arguments in a list": whole_call(lambda each: each.update(arguments=[each["arguments"]])),
    "no arguments": whole_call(lambda each: each.pop("arguments")),
}  # fmt: skip


def _same_id(one: dict[str, object], other: dict[str, object] | None = None) -> None:
    if other is None:
        raise NotHere
    other["id"] = one["id"]


#: By their codes; where two codes are named, either is true.
OF_FORM: dict[str, dict[str, Change]] = {
    "row.shape": ROW,
    "message.roles": ROLES,
    "message.tags": TAGS,
    "images.count|message.tags": PICTURE_MARKS,
    "images.count": IMAGES,
    "images.names": NAMES,
    "call.shape": CALL_SHAPE,
    "call.unknown_tool": TOOLS,
    "call.arguments": ARGUMENTS,
}
