"""What rules write of a turn: proven sentences, reasons for each call, five ways to build a text; and its form."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext import RowError
from dataflow_ext.claims import check, stripped
from dataflow_ext.claims.marks import Mark, marked
from dataflow_ext.claims.phrases import read_phrases
from dataflow_ext.claims.steps import falsify, steps_of
from dataflow_ext.text.sentences import sentences
from examples.made_rooms.room import synthetic_room
from operators.scene.claims.world import RoomWorld
from operators.scene.cot_generator import read_reply
from operators.scene.model.chain import Chain
from operators.scene.model.scene import written
from operators.scene.reading.room_file import read_room
from operators.scene.reasoning.english import (
    MAX_CONCLUSION,
    MAX_WORDS,
    MIN_WORDS,
    accepted,
    form_problems,
    proven_again,
)
from operators.scene.reasoning.templates import written_texts
from operators.scene.reasoning.turn import Turn, turns_of
from operators.scene.reasoning.voice import bindings, options, words
from operators.scene.reverse_editor import SceneReverseEditor
from tests.scene.finished import EMPTY, FLAT, add, call

BED = {"jid": "bed", "desc": "A modern double bed with a gray cover", "size": [1.6, 0.9, 2.1]}
DESK = {"jid": "desk", "desc": "A modern white desk with two drawers", "size": [1.2, 0.75, 0.6]}
CHAIR = {"jid": "chair", "desc": "A black office chair", "size": [0.5, 0.9, 0.5]}
PLANT = {"jid": "plant", "desc": "A tall green potted plant", "size": [0.4, 1.2, 0.4]}
WEST = [0.0, 0.70711, 0.0, -0.70711]


def placed(thing: dict[str, Any], x: float, z: float, rot: Sequence[float] = tuple(FLAT)) -> dict[str, Any]:
    return {**thing, "pos": [x, 0.0, z], "rot": list(rot)}


def room(*things: dict[str, Any]) -> dict[str, Any]:
    return {**EMPTY, "objects": list(things)}


def chain_of(start: dict[str, Any], *turns: list[dict[str, Any]], puts: Sequence[dict[str, Any]] = ()) -> Chain:
    """The calls as a chain that ends; ``puts`` are what the adds and replacements put, in their order."""
    asked = [c["id"] for calls in turns for c in calls if c["name"] in ("add_object", "replace_object")]
    end = call(99, "terminate", reason="The room is furnished.")
    return Chain(start, [*turns, [end]], dict(zip(asked, puts, strict=True)))


def turn_of(start: dict[str, Any], *calls: dict[str, Any], puts: Sequence[dict[str, Any]] = ()) -> Turn:
    """The only editing turn of a chain."""
    return turns_of(chain_of(start, list(calls), puts=puts).text())[0]


#: The bed stands half a metre into the desk, and moves out of it.
OVERLAP = room(placed(BED, 0.0, -0.95), placed(DESK, 0.9, -1.7))
OUT_OF_IT = call(1, "move_object", jid="desk", new_position=[1.4, 0.0, -1.7])

TURNS = {
    "add": turn_of(room(), add(1, BED, [0.0, 0.0, -0.9]), puts=[BED]),
    "add beside": turn_of(room(placed(DESK, 0.0, -1.7)), add(1, CHAIR, [0.0, 0.0, -1.0]), puts=[CHAIR]),
    "move": turn_of(OVERLAP, OUT_OF_IT),
    "move for nothing": turn_of(
        room(placed(BED, 0.0, -0.9), placed(PLANT, 1.2, 1.2)),
        call(1, "move_object", jid="plant", new_position=[1.4, 0.0, 1.2]),
    ),
    "rotate": turn_of(
        room(placed(DESK, 0.0, -1.7), placed(CHAIR, 0.0, -0.9)),
        call(1, "rotate_object", jid="chair", new_rotation=[0.0, 1.0, 0.0, 0.0]),
    ),
    "scale": turn_of(room(placed(BED, 0.0, -0.9)), call(1, "scale_object", jid="bed", new_size=[1.76, 0.99, 2.1])),
    "replace": turn_of(
        room(placed(BED, 0.0, -0.9), placed(CHAIR, 1.5, 1.5)),
        call(1, "replace_object", jid_to_replace="chair", new_object_description=PLANT["desc"]),
        puts=[PLANT],
    ),
    "remove": turn_of(OVERLAP, call(1, "remove_object", jid="desk")),
    "end": turns_of(chain_of(OVERLAP, [OUT_OF_IT]).text())[1],
    "end with a fault": turns_of(chain_of(OVERLAP, [call(1, "move_object", jid="desk", new_position=[0.8, 0.0, -1.7])])
                                 .text())[1],
}  # fmt: skip


PHRASES = read_phrases(files("operators.scene.data") / "phrases.tsv")
ALL = [phrase for phrases in PHRASES.values() for phrase in phrases]


@cache
def chains():
    """Some chains in rooms of our own."""
    import pyarrow as pa

    rooms = [
        synthetic_room(5, number, room_type=kind) for number, kind in enumerate(("bedroom", "livingroom", "kitchen"))
    ]
    read = [read_room(written(room).encode()).scene for room in rooms]
    table = pa.table({"scene_id": ["a", "b", "c"], "scene": [written(room) for room in read]})
    return [turns_of(text) for text in SceneReverseEditor(chains=2, seed=5)(table)["chain"].to_pylist()]


@pytest.mark.parametrize("template", "ABCDE")
@pytest.mark.parametrize("kind", TURNS)
def test_every_turn_has_a_text_in_form_whose_claims_are_proven_again_from_the_record(kind, template):
    turn = TURNS[kind]
    for seed in range(3):
        ((text, claims),) = written_texts([turn], [template], random.Random(seed))
        assert form_problems(text.think, text.conclusion) == []
        world = RoomWorld.of(turn.before, turn.calls, turn.retrievals)
        for part, checked in proven_again(text, claims.claims, world):
            assert {each.verdict for each in checked.sentences} <= {"proven", "unproven"}
            assert [each.value for each in checked.claims] == [c.value for c in claims.claims if c.part == part]


@pytest.mark.parametrize("turns", range(6))
def test_no_sentence_comes_twice_in_a_conversation_and_each_call_has_a_reason(turns):
    told = chains()[turns]
    texts = written_texts(told, ["ABCDE"[n % 5] for n in range(len(told))], random.Random(turns))
    said = Counter(said for text, _ in texts for said in sentences(text.think))
    assert [sentence for sentence, times in said.items() if times > 1] == []
    for turn, (_, claims) in zip(told, texts, strict=True):
        argued = " ".join(each.expression for each in claims.claims if each.part == "think")
        calls = [call["id"] for call in turn.calls if call["name"] != "terminate"]
        assert [call for call in calls if not re.search(rf"\b{call}\b", argued)] == []


def test_a_problem_that_is_named_is_solved_by_the_turn():
    solved = {"overlaps": "not overlaps", "leaves_room": "not leaves_room", "blocked": "not blocked",
              "blocks": "not blocks", "faces_away": "not faces_away"}  # fmt: skip
    for phrase in ALL:
        if not phrase.topic.endswith(".problem") or phrase.topic.startswith("remove."):
            continue
        for claim in phrase.claims:
            word = claim.split("(")[0]
            if word in solved and "after" not in claim:
                assert any(other.startswith(f"{solved[word]}(") and "after" in other for other in phrase.claims), phrase


def test_the_templates_are_built_in_different_ways():
    turn = chains()[0][1]
    texts = {t: written_texts([turn], [t], random.Random(1))[0][0].think for t in "ABCDE"}
    paragraphs = {template: text.count("\n") + 1 for template, text in texts.items()}
    assert (paragraphs["A"], paragraphs["B"], paragraphs["D"], paragraphs["E"]) == (4, 3, 1, 1)
    assert paragraphs["C"] > 3 and texts["C"].count("?") >= 3 and "?" not in texts["A"]
    assert len(texts["E"].split()) < len(texts["A"].split())


def test_the_same_draws_give_the_same_texts():
    turns = chains()[1]
    one, two = (written_texts(turns, ["A"] * len(turns), random.Random(9)) for _ in range(2))
    assert one == two


def test_there_are_more_than_three_hundred_phrasings_and_every_topic_is_asked_for():
    assert len({phrase.text for phrase in ALL}) > 300 and len({phrase.first for phrase in ALL}) > 150


@given(st.sampled_from(ALL), st.integers(0, 5), st.data())
def test_a_phrase_of_rooms_that_is_rendered_is_never_false(phrase, chain, data):
    turn = data.draw(st.sampled_from(chains()[chain]))
    world = RoomWorld.of(turn.before, turn.calls, turn.retrievals)
    if turn.ends or not turn.subjects:
        return
    jid = str(data.draw(st.sampled_from(list(turn.subjects))))
    for names in list(bindings(phrase.slots, options(turn, jid, "tool_1")))[:3]:
        text = phrase.proven(names, world, words(names))
        if text is not None:
            assert {each.verdict for each in check(text, world).sentences} <= {"proven", "unproven"}


@settings(max_examples=25, deadline=None)
@given(st.sampled_from("ABCDE"), st.integers(0, 5), st.integers(0, 99), st.data())
def test_a_step_of_rooms_that_is_made_false_is_false(template, chain, seed, data):
    turn = data.draw(st.sampled_from(chains()[chain]))
    world = RoomWorld.of(turn.before, turn.calls, turn.retrievals)
    ((text, claims),) = written_texts([turn], [template], random.Random(seed))
    marks = [Mark(each.expression, each.place) for each in claims.claims if each.part == "think"]
    step = data.draw(st.sampled_from(steps_of(marked(text.think, marks), world)))
    false = falsify(step, world, random.Random(seed))
    if false is not None:
        assert not false.label and check(false.marked, world).false and false.text != step.text


def test_a_fault_is_named_before_anything_else_that_speaks_for_a_call():
    """The bed stands half a metre in the desk: that it is so, and ends, is said whatever the draws."""
    turn = TURNS["move"]
    for seed in range(10):
        ((_, claims),) = written_texts([turn], ["A"], random.Random(seed))
        named = [each for each in claims.claims if each.expression.startswith("overlaps(")]
        assert [each.verdict for each in named] == ["proven"]


def test_false_sentences_are_cut_with_their_marks():
    world = RoomWorld.of(TURNS["move"].before, TURNS["move"].calls)
    text = "The bed is 9 m wide [width(bed)]. It is 1.6 m wide [width(bed)]. It floats [floats(bed)]. Fine."
    assert accepted(check(text, world)) == "It is 1.6 m wide [width(bed)]. Fine."
    assert stripped("") == ""


THINK = "The bedroom is empty, so the bed comes first. It stands 0.05 m from the north wall. " * 3


@pytest.mark.parametrize(
    "think", [THINK, f"{THINK}\n{THINK}", "房间是空的，所以先放床，" * 10, f"{THINK} x < 3 m, e.g. here."]
)
def test_what_is_in_form_has_no_problems(think: str) -> None:
    assert form_problems(think, "I add a bed 0.05 m from the north wall.") == []


@pytest.mark.parametrize(
    ("spoilt", "told"),
    [
        ("</think>", "a tag: '</think>'"),
        ("<image>", "a tag: '<image>'"),
        ("<|im_end|>", "a tag: '<|im_end|>'"),
        ("[…]", "a placeholder: '[…]'"),
        ("[OBJECT NAME]", "a placeholder: '[OBJECT NAME]'"),
        ("TODO", "a placeholder: 'TODO'"),
        ("{name}", "a placeholder: '{name}'"),
        ("<NEED_RETRIVEAL>", "a tag: '<NEED_RETRIVEAL>'"),
        ("tool_3", "a part of a tool call: 'tool_3'"),
        ("move_object", "a part of a tool call: 'move_object'"),
        ("new_position", "a part of a tool call: 'new_position'"),
        ("8a737f44-4f63-4fcb-ab50-ea429b04deae", "the id of an object: '8a737f44-4f63-4fcb-ab50-ea429b04deae'"),
        ("the fact sheet", "words about how the text was asked for: 'fact sheet'"),
        ("\n- first", "a list or a heading: '-'"),
        ("\n## Plan", "a list or a heading: '##'"),
        ("**bold**", "Markdown: '**'"),
    ],
)
def test_what_no_text_may_hold_is_told(spoilt: str, told: str) -> None:
    assert f"the reasoning holds {told}" in form_problems(f"{THINK}{spoilt} here.", "I add a bed.")
    if "\n" not in spoilt:
        assert f"the conclusion holds {told}" in form_problems(THINK, f"I add a bed {spoilt} here.")


@pytest.mark.parametrize(
    ("conclusion", "problem"),
    [
        ("", "the conclusion is empty"),
        ("  ", "the conclusion is empty"),
        ("I add a bed", "the conclusion is not exactly one sentence"),
        ("I add a bed. I move a desk.", "the conclusion is not exactly one sentence"),
        ("I add a bed.\nDone.", "the conclusion is not exactly one sentence"),
        ("I add a bed" + " and" * MAX_CONCLUSION + ".", f"the conclusion has more than {MAX_CONCLUSION} words"),
    ],
)
def test_a_conclusion_is_one_sentence(conclusion: str, problem: str) -> None:
    assert form_problems(THINK, conclusion) == [problem]


@pytest.mark.parametrize(
    ("words", "fine"), [(MIN_WORDS - 1, False), (MIN_WORDS, True), (MAX_WORDS, True), (MAX_WORDS + 1, False)]
)
def test_a_reasoning_is_neither_short_nor_long(words: int, fine: bool) -> None:
    found = form_problems("word " * words, "I add a bed.")
    assert found == ([] if fine else [f"the reasoning has {words} words, and not {MIN_WORDS} to {MAX_WORDS}"])


@pytest.mark.parametrize("reply", [
    "It stands [at_wall(bed)].", "  It stands [at_wall(bed)].\n", "```\nIt stands [at_wall(bed)].\n```",
    "<think>They want a bed.</think>It stands [at_wall(bed)].",
])  # fmt: skip
def test_a_reply_is_read_with_what_is_around_it(reply: str) -> None:
    assert read_reply(reply) == "It stands [at_wall(bed)]."


@pytest.mark.parametrize("reply", ["", " \n", "```\n\n```"])
def test_a_reply_that_holds_no_text_is_refused(reply: str) -> None:
    with pytest.raises(RowError):
        read_reply(reply)
