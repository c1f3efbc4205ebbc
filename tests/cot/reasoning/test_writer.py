"""Reasonings by rules: proven, in order, within every rule, the answer last, and the same for the same sample."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from dataflow_ext import RowError
from dataflow_ext.claims import check, stripped
from dataflow_ext.claims.phrases import read_phrases
from dataflow_ext.text.sentences import sentences
from operators.cot.anchors import anchors_of
from operators.cot.items import load_plan
from operators.cot.plan import Affordance, CausalChain, Failure, Plan, Spatial, Step
from operators.cot.reasoning.writer import PARTS, Sample, altered, cut_of, reasoning_of
from operators.cot.rules.response import response_problems
from operators.cot.rules.vocabulary import vocabulary_of
from operators.cot.sample import PLAN_FILE
from operators.cot.support.facts import Fact, conditions_of
from operators.cot.tasks import TASKS, conclusion
from operators.cot.tasks.conclusion import Answered, closing_of, state_of
from operators.cot.texts import bare
from operators.cot.world import world_of
from tests.cot.drafted import EXAMPLES, drafted

NEXT = TASKS["Task_29_Next_Action_Prediction"]

WASH = Step(
    1,
    "Wash the cup.",
    "Clean cups taste of nothing else",
    CausalChain(
        causal_precondition_on_spatial=[Spatial("inside", ["cup", "sink"])],
        causal_effect_on_spatial=[Spatial("wet", ["cup"])],
        causal_effect_on_affordance=[Affordance("cup", ["clean"], "No tea is left in it.")],
    ),
    failure_reflecting=Failure("The cup slips.", "Hold the cup with both hands."),
)
FILL = Step(
    2,
    "Fill the cup.",
    "To drink hot tea",
    CausalChain(
        causal_precondition_on_affordance=[Affordance("cup", ["clean"])],
        causal_effect_on_spatial=[Spatial("inside", ["tea", "cup"])],
    ),
)
DRINK = Step(3, "Drink the tea.", "", CausalChain(causal_precondition_on_spatial=[Spatial("inside", ["tea", "cup"])]))
TEA = Plan("Have tea.", [WASH, FILL, DRINK])


def answered_of(row: Mapping[str, Any]) -> Answered:
    plan, fields = load_plan(row["plan_file"]), json.loads(row["fields"])
    return Answered(TASKS[row["task_name"]], plan, row["step_index"], fields, row["answer"])


@cache
def written() -> list[tuple[Mapping[str, Any], Answered, str]]:
    """The samples of the examples, each with its reasoning with marks."""
    made = ((row, answered_of(row)) for row in drafted())
    return [(row, of, reasoning_of(of, row["anchors"], row["id"]).marked) for row, of in made]


def next_of(plan: Plan, key: str = "a") -> str:
    """The reasoning about what follows the first step, which is within the rules."""
    fields = {"current_step_goal": plan.steps[0].step_goal, "next_step_goal": plan.steps[1].step_goal}
    anchors, answer = anchors_of(NEXT.anchor_steps(plan, 1, fields)), NEXT.answer(fields)
    of = Answered(NEXT, plan, 1, fields, answer)
    reasoning = reasoning_of(of, anchors, key).plain
    turn = f"<think>{reasoning}</think>\n{answer}\n"
    assert response_problems(turn, answer, anchors, vocabulary_of(plan), closing=closing_of(of)) == []
    return reasoning


def test_a_reasoning_goes_from_the_state_to_what_is_missing_and_to_the_answer() -> None:
    anchors = anchors_of(NEXT.anchor_steps(TEA, 1, {}))
    of = Answered(NEXT, TEA, 1, {}, "Fill the cup.")
    assert reasoning_of(of, anchors, "c").marked == (
        '"Wash the cup" is done [done(1)], and it leaves the cup wet [leaves(1, effect_1_1)]. '
        '"Drink the tea" depends on the tea inside the cup [needs(3, condition_3_1)], and nothing that was done has left this so [missing(condition_3_1)]. '
        "Functionally, the cup must be clean. "
        'It was "Wash the cup" that made this so [leaves(1, condition_2_1)], and it still holds [holds(condition_2_1)]. '
        "After the action, spatially, the tea will be inside the cup. "
        '"Drink the tea" builds on it by requiring the tea inside the cup [leaves(2, condition_3_1) and needs(3, condition_3_1)]. '
        'Hence the plan turns to "Fill the cup" now.'
    )


def test_every_sample_of_the_examples_is_within_every_rule() -> None:
    for row, of, reasoning in written():
        turn = f"<think>{stripped(reasoning)}</think>\n{row['answer']}\n"
        said = turn, row["answer"], row["anchors"], vocabulary_of(of.plan)
        assert response_problems(*said, closing=closing_of(of)) == []


def test_no_mark_is_false_or_proves_nothing() -> None:
    verdicts: Counter[str] = Counter()
    for _, of, reasoning in written():
        verdicts.update(claim.verdict for claim in check(reasoning, world_of(of.plan, cut_of(of))).claims)
    assert set(verdicts) == {"proven"}
    assert verdicts["proven"] > 5 * len(written())


def test_every_sample_is_proven_when_it_is_read_back_and_its_opposite_is_not(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("operators.cot.reasoning.writer.wrote", lambda *_: False)  # as in a process of its own
    for row, of, reasoning in written():
        task, text = TASKS[row["task_name"]], stripped(reasoning)
        sample = Sample(of, task.anchor_steps(of.plan, of.step_index, of.fields), row["anchors"], row["id"])
        assert altered(sample, text) == [], row["task_name"]
        first, rest = text[: text.index(". ") + 2], text[text.index(". ") + 2 :]
        turned = f"It is wrong that {first}"
        assert altered(sample, turned + rest) == [turned.strip()], row["task_name"]


def test_nothing_is_told_of_a_text_that_somebody_else_wrote() -> None:
    row, of, _ = written()[0]
    task = TASKS[row["task_name"]]
    sample = Sample(of, task.anchor_steps(of.plan, of.step_index, of.fields), row["anchors"], row["id"])
    own = (
        f"{of.goal()} is what was done. {' '.join(row['anchors'])} The tire does not matter. {sample.closing.sentence}"
    )
    assert altered(sample, own) == []


def test_the_answer_is_named_in_the_last_sentence_only() -> None:
    for row, of, reasoning in written():
        if of.task.number in (29, 30, 32, 33, 34, 38, 42):
            text = stripped(reasoning)
            before = text[: text.rindex(closing_of(of).last(text))].casefold()
            golds = [part for each in closing_of(of).gold for part in ([each] if isinstance(each, str) else each)]
            assert [gold for gold in golds if len(gold) > 1 and gold.casefold() in before] == [], row["task_name"]


def test_a_recovery_is_not_named_before_its_required_sentence() -> None:
    for row, of, reasoning in written():
        if of.task.number in (39, 40):
            gold = bare(str(of.fields.get("recovery_strategy") or of.fields["gold_recovery_strategy"]))
            assert gold not in stripped(reasoning).partition(row["anchors"][-1])[0]


def test_fewer_than_two_in_five_sentences_stand_in_another_sample_too() -> None:
    said: Counter[str] = Counter()
    for row, _, reasoning in written():
        text = stripped(reasoning)
        for anchor in row["anchors"]:
            text = text.replace(anchor, "\n")
        said.update(sentences(text))
    assert sum(count for count in said.values() if count > 1) < 0.4 * said.total()


def test_the_same_sample_has_the_same_text_and_others_have_other_phrasings() -> None:
    assert next_of(TEA, "a") == next_of(TEA, "a")
    assert len({next_of(TEA, key) for key in "abcdefgh"}) > 5


def test_a_text_of_the_plan_that_looks_like_a_leak_is_left_out() -> None:
    goal = "Show the cup of frame 3."
    plan = Plan("Have tea.", [replace(WASH, step_goal=goal), FILL, DRINK])
    assert all("frame" not in next_of(plan, key) for key in "abcd")


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
    assert '"倒茶"' in next_of(plan)


def test_a_step_without_annotations_still_has_a_conclusion() -> None:
    assert '"Fill the cup"' in next_of(Plan("", [Step(1, "Wash the cup."), Step(2, "Fill the cup.")]))


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
@example(["0) 0", "", "(", "(", "", ""])
@example(["0) 0 (a", "0) 0 (a", "a", "（", "x) y (", "x) y ("])
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
        reasoning = reasoning_of(Answered(NEXT, plan, 1, fields, "A"), anchors, "a").plain
    except RowError:
        return
    turn = f"<think>{reasoning}</think>\nA\n"
    assert response_problems(turn, "A", anchors, vocabulary_of(plan)) == []


def test_an_item_elsewhere_has_the_same_texts(tmp_path: Path) -> None:
    for plan_file in EXAMPLES.glob(f"*/{PLAN_FILE}"):
        (tmp_path / plan_file.parent.name).mkdir()
        shutil.copy(plan_file, tmp_path / plan_file.parent.name)
    made = [reasoning_of(answered_of(row), row["anchors"], row["id"]).marked for row in drafted(tmp_path)]
    assert made == [reasoning for _, _, reasoning in written()]


def test_every_task_has_the_words_that_its_class_names() -> None:
    forms = read_phrases(Path(conclusion.__file__).with_name("closings.tsv"))
    for name, task in TASKS.items():
        assert set(task.flow) <= PARTS.keys(), name
        assert any(topic.startswith(str(task.number)) for topic in forms), name


def test_what_a_step_needs_before_another_brings_it_back_was_there_from_the_beginning() -> None:
    on = Spatial("screwed_onto", ["nuts", "trap"])
    lift, undo, back = (
        Step(1, "Place a bucket.", "", CausalChain(causal_effect_on_spatial=[Spatial("under", ["bucket", "trap"])])),
        Step(
            2,
            "Unscrew the nuts.",
            "",
            CausalChain(
                causal_precondition_on_spatial=[on],
                causal_effect_on_spatial=[replace(on, truth=False)],
            ),
        ),
        Step(3, "Screw the nuts on.", "", CausalChain(causal_effect_on_spatial=[on])),
    )
    (fact,) = conditions_of(undo)
    assert not world_of(Plan("Clean it.", [lift, undo, back]), 0).missing(fact)
    assert world_of(Plan("Clean it.", [lift, undo, back]), 1).missing(fact)
    assert world_of(Plan("Clean it.", [lift, back, undo]), 0).missing(fact)
