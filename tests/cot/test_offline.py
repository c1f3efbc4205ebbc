"""Reasonings by rules: fluent, in order, within every rule, and the same for the same sample."""

from __future__ import annotations

import json
import re
import shutil
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext import RowError
from operators.cot.anchors import anchors_of
from operators.cot.endings import ENDINGS
from operators.cot.faults import state_of
from operators.cot.load import load_plan
from operators.cot.offline import reasoning_of
from operators.cot.phrasings import (
    CHANGES,
    FAULTS,
    FLAWS,
    LINKS,
    OTHER_CHANGES,
    PLAIN_STARTS,
    PREVIOUS_CHANGES,
    PURPOSES,
    RISKS,
    STARTS,
)
from operators.cot.plan import Affordance, CausalChain, Failure, Plan, Spatial, Step
from operators.cot.rules.response import given_of, response_problems
from operators.cot.rules.vocabulary import Vocabulary, vocabulary_of
from operators.cot.sample import PLAN_FILE
from operators.cot.support.facts import Fact
from operators.cot.tasks import TASKS
from tests.cot.drafted import EXAMPLES, drafted

NEXT = TASKS["Task_29_Next_Action_Prediction"]

WASH = Step(
    1,
    "Wash the cup.",
    "Clean cups taste of nothing else",
    CausalChain(
        causal_precondition_on_spatial=[Spatial("inside", ["cup", "sink"])],
        causal_precondition_on_affordance=[Affordance("cup", ["washable"], "The cup is of glass")],
        causal_effect_on_spatial=[Spatial("wet", ["cup"])],
        causal_effect_on_affordance=[Affordance("cup", ["clean"], "No tea is left in it.")],
    ),
    failure_reflecting=Failure("The cup slips.", "Hold the cup with both hands."),
)
FILL = replace(WASH, step_id=2, step_goal="Fill the cup.", rationale="To drink hot tea", failure_reflecting=Failure())


def said(row: Mapping[str, Any], **changed: Any) -> str:
    """The reasoning of a drafted row."""
    row = {**row, **changed}
    plan, fields = load_plan(row["plan_file"]), json.loads(row["fields"])
    where = plan, row["step_index"], fields, row["anchors"], row["answer"]
    return reasoning_of(TASKS[row["task_name"]], *where, row["id"])


def problems(
    plan: Plan, reasoning: str, answer: str, anchors: list[str], fields: Mapping[str, Any] | None = None
) -> list[str]:
    turn, given = f"<think>{reasoning}</think>\n{answer}\n", given_of(fields or {})
    return [str(each) for each in response_problems(turn, answer, anchors, vocabulary_of(plan), given=given)]


def next_of(plan: Plan, key: str = "a") -> str:
    """The reasoning about what follows the first step, which is within the rules."""
    fields = {"current_step_goal": plan.steps[0].step_goal, "next_step_goal": plan.steps[1].step_goal}
    anchors, answer = anchors_of(NEXT.anchor_steps(plan, 1, fields)), NEXT.answer(fields)
    reasoning = reasoning_of(NEXT, plan, 1, fields, anchors, answer, key)
    assert problems(plan, reasoning, answer, anchors) == []
    return reasoning


def test_a_reasoning_reads_like_one() -> None:
    plan = Plan("Have tea.", [WASH, replace(WASH, step_id=2, step_goal="Fill the cup.")])
    assert next_of(plan, "c") == (
        'To see how this goes on, look at "Fill the cup" and at what it requires. '
        "Spatially, the cup must be inside the sink. Functionally, the cup must be washable. The cup is of glass. "
        "With this in place, the action can do its work. "
        "After the action, spatially, the cup will be wet. After the action, functionally, the cup will be clean. "
        "No tea is left in it. There is also a risk to consider. "
        "A likely failure is that The cup slips. If that happens, Hold the cup with both hands. "
        "What the step is for matters as well. Clean cups taste of nothing else. "
        '"Wash the cup" is finished, and the action that the plan has after it is "Fill the cup".'
    )


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_every_sample_of_the_examples_is_within_every_rule(seed: int) -> None:
    rows = list(drafted(seed=seed))
    assert {row["task_name"] for row in rows} == set(TASKS)
    for row in rows:
        fields = json.loads(row["fields"])
        assert problems(load_plan(row["plan_file"]), said(row), row["answer"], row["anchors"], fields) == []


def test_the_same_sample_has_the_same_text_and_others_have_other_phrasings() -> None:
    row = next(iter(drafted()))
    texts = [said(row, id=str(key)) for key in range(60)]
    assert texts == [said(row, id=str(key)) for key in range(60)]
    assert len(set(texts)) > 40


def test_no_phrasing_has_words_that_a_plan_would_have_to_bring() -> None:
    known = Vocabulary([])
    endings = [text for each in ENDINGS.values() for text in (*each.told, *each.plain)]
    faults = [text for each in FAULTS.values() for text in each]
    before = [*STARTS, *PLAIN_STARTS, *CHANGES, *PREVIOUS_CHANGES, *OTHER_CHANGES, *RISKS, *PURPOSES]
    texts = [*before, *FLAWS.values(), *LINKS, *faults, *endings]
    assert {text: found for text in texts if (found := known.unknown(re.sub(r"\{\w+\}", "it", text)))} == {}


def test_every_task_has_its_conclusions() -> None:
    assert {int(kind[:2]) for kind in ENDINGS} == {task.number for task in TASKS.values()}


@pytest.mark.parametrize(
    ("rationale", "becomes"),
    [
        ("to keep the tea hot", "The point is to keep the tea hot."),
        ("Removes the tea", "This removes the tea."),
        ("the tea is hot:", "The tea is hot."),
        ("The tea\n is  hot!", "The tea is hot!"),
        ('They call it "tea."', 'They call it "tea."'),
    ],
)
def test_fragments_become_sentences(rationale: str, becomes: str) -> None:
    assert f" {becomes} " in next_of(Plan("Have tea.", [WASH, replace(FILL, rationale=rationale)]))


def test_how_long_something_takes_is_no_leak() -> None:
    reasoning = next_of(Plan("Have tea.", [WASH, replace(FILL, rationale="The tea has to stand for 10 minutes.")]))
    assert "The tea has to stand for 10 minutes." in reasoning


def test_pieces_that_break_a_rule_only_together_are_left_out() -> None:
    chain = CausalChain(causal_precondition_on_affordance=[Affordance("cup", ["washable"], "It is so (a) by its form")])
    alone = Plan("Have tea.", [WASH, replace(FILL, causal_chain=chain, rationale="The tea is hot")])
    both = Plan("Have tea.", [WASH, replace(FILL, causal_chain=chain, rationale="It is so (b) by its size")])
    assert "It is so (a) by its form." in next_of(alone)
    assert "It is so" not in next_of(both)


@pytest.mark.parametrize(
    "dirt",
    [
        "See frame 12 for the cup.",
        "The cup in cup_03.png is full.",
        "At 00:12 the cup is full.",
        "- the cup\n- the sink",
        "1. Take the cup. 2. Fill it.",
        "The cup" + " and the cup" * 60,
    ],
)
def test_texts_of_the_plan_that_break_a_rule_are_left_out(dirt: str) -> None:
    dirty = CausalChain(causal_precondition_on_affordance=[Affordance("cup", ["washable"], dirt)])
    goal = "Fill the cup of frame 3."
    plan = Plan("Have tea.", [WASH, replace(FILL, rationale=dirt, causal_chain=dirty)])
    assert dirt[:20] not in next_of(plan)
    fields = {"current_step_goal": goal, "next_step_goal": "Fill the cup."}
    reasoning = reasoning_of(NEXT, replace(plan, steps=[replace(WASH, step_goal=goal), FILL]), 1, fields, [], "A", "a")
    assert "frame" not in reasoning


def test_a_required_sentence_that_breaks_a_rule_is_a_clear_error() -> None:
    failing = replace(FILL, failure_reflecting=Failure("the cup is gone, as cup_03.png shows"))
    with pytest.raises(RowError) as error:
        next_of(Plan("Have tea.", [WASH, failing]))
    assert str(error.value).startswith(
        "The plan's own text cannot be used: the required sentence 'A likely failure is that the cup is gone, as "
        "cup_03.png shows.' breaks a rule: leak.file: "
    )


def test_a_plan_in_another_script_is_told_in_its_own_words() -> None:
    chain = CausalChain(causal_precondition_on_spatial=[Spatial("放在", ["茶杯", "桌子"])])
    plan = Plan("喝茶。", [Step(1, "洗茶杯。"), Step(2, "倒茶。", "热茶在茶杯里。", chain)])
    assert "Spatially, the 茶杯 must be 放在 the 桌子." in next_of(plan)
    assert "热茶在茶杯里。" in next_of(plan)
    assert '"倒茶"' in next_of(plan)


def test_a_step_without_annotations_still_has_a_conclusion() -> None:
    bare = Plan("", [Step(1, "Wash the cup."), Step(2, "Fill the cup.")])
    assert '"Fill the cup"' in next_of(bare)


def test_a_state_is_told_with_its_objects() -> None:
    assert state_of(Fact("affordance", "open_on_one_side", ("tire",))) == "the tire open on one side"
    assert state_of(Fact("spatial", "inside", ("new_tube", "tire"))) == "the new tube inside the tire"
    assert state_of(Fact("spatial", "inside", ("tube", "tire"), False)) == "the tube not inside the tire"
    assert state_of(Fact("spatial", "mixed", ("dye", "buffer", "flask"))) == "the dye, the buffer and the flask mixed"


words = st.text(st.characters(exclude_categories=("Cs",)), max_size=40) | st.sampled_from(
    ["frame 3", "img_2.png", "{goal}", "{0}", "a\nb", "1) a 2) b", '"', "<think>", "Answer: B", "t=3.2s", "\u2028", "…"]
)


@settings(max_examples=60, deadline=None)
@given(st.lists(words, min_size=6, max_size=6))
def test_whatever_a_plan_says_the_reasoning_is_within_the_rules_or_there_is_none(texts: list[str]) -> None:
    goal, rationale, name, kind, reason, failure = texts
    chain = CausalChain(
        causal_precondition_on_affordance=[Affordance(name, [kind], reason)],
        causal_effect_on_affordance=[Affordance(kind, [name], rationale)],
    )
    step = Step(2, goal or "Go.", rationale, chain, failure_reflecting=Failure(failure, reason))
    plan = Plan(goal, [replace(step, step_id=1), step])
    fields = {"current_step_goal": goal, "next_step_goal": goal}
    anchors = anchors_of(NEXT.anchor_steps(plan, 1, fields))
    try:
        reasoning = reasoning_of(NEXT, plan, 1, fields, anchors, "A", "a")
    except RowError:
        return
    assert problems(plan, reasoning, "A", anchors) == []


def test_an_item_elsewhere_has_the_same_texts(tmp_path: Path) -> None:
    for plan_file in EXAMPLES.glob(f"*/{PLAN_FILE}"):
        (tmp_path / plan_file.parent.name).mkdir()
        shutil.copy(plan_file, tmp_path / plan_file.parent.name)
    assert [said(row) for row in drafted(tmp_path)] == [said(row) for row in drafted()]


def drawn(number: int, step_index: int, item: str = "bike_workshop_tube", flaw: str = "") -> Mapping[str, Any]:
    """The row of a task about a step of an example."""
    rows = (row for row in drafted() if item in row["plan_file"] and row["step_index"] == step_index)
    of_task = (row for row in rows if TASKS[row["task_name"]].number == number)
    return next(row for row in of_task if not flaw or json.loads(row["fields"])["flaw_type"] == flaw)


def of_each_phrasing(row: Mapping[str, Any]) -> set[str]:
    """What follows the last required sentence, in every phrasing, without the step's purpose."""
    told = {said(row, id=str(key)).rpartition(row["anchors"][-1])[2] for key in range(400)}
    rationales = [step.rationale for step in load_plan(row["plan_file"]).steps]
    for rationale in rationales:
        told = {text.rpartition(rationale)[2] for text in told}
    return {text.strip() for text in told}


def filled(texts: tuple[str, ...], **words: str) -> set[str]:
    return {text.format(**words) for text in texts}


def test_no_step_is_said_to_establish_conditions_that_it_does_not() -> None:
    row = drawn(28, 1)
    before, behind = (
        '"Deflate the tire by pressing the valve core"',
        "After the action, spatially, the tire will not be",
    )
    between = {said(row, id=str(key)).partition("the tire is empty. ")[2].partition(behind)[0] for key in range(99)}
    assert between == {f"{text} " for text in filled(PREVIOUS_CHANGES, goal=before)}
    states = "the tire bead not pressed against the wheel rim and the tire bead pliable"
    coming = '"Pry the tire bead over the rim with two levers"'
    assert of_each_phrasing(row) == filled(ENDINGS["28"].told, current=before, next=coming, support=states)


@pytest.mark.parametrize("number", [35, 36])
@pytest.mark.parametrize("flaw", FLAWS)
def test_a_flaw_is_told_with_its_step_and_what_is_wrong_with_it(number: int, flaw: str) -> None:
    row = drawn(number, 1, flaw=flaw)
    fields, plan = json.loads(row["fields"]), load_plan(row["plan_file"])
    bad = f'"{fields["bad_plan_steps"][fields["flaw_step"] - 1].rstrip(".")}"'
    first = plan.steps[plan.position(fields["proof"]["prerequisite"]) or 0].step_goal
    words = {"bad": bad, "first": f'"{first.rstrip(".")}"', "state": "the new tube inside the tire", "reason": ""}
    endings = of_each_phrasing(row)
    told = {text.rstrip() for text in filled(FAULTS[flaw], **words)}
    assert {text for text in told if any(ending.startswith(text) for ending in endings)} == told
    assert all(any(ending.startswith(text) for text in told) for ending in endings)


def test_what_is_wrong_with_a_tool_or_a_thing_is_told_in_words() -> None:
    tool, thing = of_each_phrasing(drawn(36, 1, flaw="tool_mismatch")), drawn(36, 1, flaw="hallucinated_object")
    assert all('the affordance "' in text and "no such affordance." in text for text in tool)
    name = json.loads(thing["fields"])["proof"]["condition"].removeprefix("The plan knows ")
    assert all(f"It needs {name}, an object that is not part of the plan." in text for text in of_each_phrasing(thing))


def test_a_flaw_that_nothing_proves_is_told_as_it_is_stated_or_as_a_difference() -> None:
    row = drawn(35, 1, flaw="goal_mismatch")
    fields = json.loads(row["fields"])
    fields["bad_plan_steps"][fields["flaw_step"] - 1] = "Sing a song for the tire."
    stated = {
        **row,
        "fields": json.dumps(fields),
        "answer": row["answer"].partition("Reason=")[0] + "Reason=It is a song.",
    }
    words = {"bad": '"Sing a song for the tire"', "reason": "It is a song."}
    assert all(
        any(text in said(stated, id=str(key)) for text in filled(FAULTS["stated"], **words)) for key in range(20)
    )
    other = {**drawn(36, 1, flaw="goal_mismatch"), "fields": json.dumps(fields)}
    gold = f'"{fields["gold_plan_steps"][fields["flaw_step"] - 1].rstrip(".")}"'
    differs = filled(FAULTS["different"], bad='"Sing a song for the tire"', first=gold)
    assert all(any(text in said(other, id=str(key)) for text in differs) for key in range(20))


@pytest.mark.parametrize(
    ("item", "step_index", "case"),
    [
        ("wet_lab_dilution", 2, "anew"),
        ("bike_workshop_tube", 1, "done"),
        ("wet_lab_dilution", 4, "on"),
    ],
)
def test_what_follows_a_recovery_is_told_by_what_the_recovery_does(item: str, step_index: int, case: str) -> None:
    for number in (41, 42):
        row = drawn(number, step_index, item)
        steps = [f'"{step.step_goal.rstrip(".")}"' for step in load_plan(row["plan_file"]).steps]
        now, coming = steps[step_index - 1], steps[step_index]
        gold = now if case == "anew" else coming
        wanted = filled(ENDINGS[f"{number} {case}"].told, current=now, next=coming, gold=gold)
        assert of_each_phrasing(row) == wanted


def test_a_recovery_that_restores_conditions_makes_the_step_possible_again() -> None:
    task = TASKS["Task_41_Recovery_then_Retry_or_Continue"]
    dry = replace(WASH, failure_reflecting=Failure("The cup is not in the sink.", "Put the cup inside the sink."))
    plan = Plan("Have tea.", [dry, FILL])
    fields = {"current_step_goal": "Wash the cup.", "next_step_goal": "Fill the cup.", "label": "retry_current_step"}
    words = {"current": '"Wash the cup"', "next": '"Fill the cup"'}
    texts = {reasoning_of(task, plan, 1, fields, [], fields["label"], str(key)) for key in range(20)}
    told = filled(ENDINGS["41 ready"].told, **words)
    assert all(any(text.endswith(each) for each in told) for text in texts)
    silent = replace(dry, failure_reflecting=Failure("The cup is not in the sink.", "Go home."))
    text = reasoning_of(task, Plan("Have tea.", [silent, FILL]), 1, fields, [], fields["label"], "a")
    assert any(text.endswith(each) for each in filled(ENDINGS["41 retry"].told, **words))


@pytest.mark.parametrize("number", [33, 34])
def test_one_of_the_next_steps_is_said_to_lead_to_the_one_after_it(number: int) -> None:
    row = drawn(number, 2)
    words = {"first": '"Pull the punctured tube out of the tire"', "second": '"Insert the new tube into the tire"'}
    told = filled(LINKS, state="the old tube not inside the tire", **words)
    texts = of_each_phrasing(row)
    assert {each for each in told if any(each in text for text in texts)} == told


def test_of_steps_that_do_not_lead_to_each_other_nothing_is_said() -> None:
    task = TASKS["Task_34_Next_K_Steps_Reordering_From_Prefix"]
    goals = ["Wash it.", "Fill it.", "Lift it.", "Turn it."]
    plan = Plan("Have tea.", [Step(number, goal) for number, goal in enumerate(goals, 1)])
    fields = {"K": 3, "gold_next_k_step_goals": goals[1:], "label": goals[1:], "presented_steps": goals[:0:-1]}
    text = reasoning_of(task, plan, 1, fields, [], "1) Fill it.", "a")
    order = '"Fill it", then "Lift it", and finally "Turn it"'
    assert text.partition('"Fill it"')[2].partition(". ")[2] in filled(ENDINGS["34"].told, order=order)
