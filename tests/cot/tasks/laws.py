"""What every task keeps to, whatever the plan."""

from __future__ import annotations

import json
from random import Random

from hypothesis import strategies as st

from operators.cot.plan import Plan, Step
from operators.cot.tasks.task import Draft, Task
from tests.cot.tasks.plans import codes, drafted, streams


def any_plan(most: int = 9) -> st.SearchStrategy[Plan]:
    """Plans of up to ``most`` goals of any text, some of them again and again, with ids in any order."""
    goal = st.text(max_size=12).filter(str.strip) | st.sampled_from(
        ["Stir.", "stir", "Stir the pot", "搅拌", "Go\nin."]
    )
    ids = st.lists(st.integers(1, 99), min_size=1, max_size=most, unique=True)
    made = ids.flatmap(
        lambda given: st.tuples(st.just(given), st.lists(goal, min_size=len(given), max_size=len(given)))
    )
    return st.builds(
        lambda text, pairs: Plan(text, [Step(i, each) for i, each in zip(*pairs, strict=True)]),
        st.text(max_size=9),
        made,
    )


def check_lawful(task: Task, plan: Plan, seed: int) -> list[Draft]:
    """The drafts, after a look at what is true of those of all tasks."""
    made = drafted(task, plan, seed)
    for draft in made:
        fields = json.loads(json.dumps(draft.fields))
        assert fields == draft.fields
        assert list(fields)[:1] == ["high_level_goal"]
        assert list(fields)[1:] == [name for name in task.types if name != "high_level_goal"]
        assert codes(task, plan, draft.step_index, fields) == []
        question = task.question(fields)
        assert question.splitlines() == [question.strip()]
        assert task.answer(fields).strip() == task.answer(fields)
        task.wanted(plan, draft.step_index, fields)
        task.anchor_steps(plan, draft.step_index, fields)
    assert drafted(task, plan, seed) == made
    told = [(draft.step_index, draft.variant) for draft in made]
    assert len(set(told)) == len(told)
    assert {each.step_index for each in task.drafts(plan, streams(task, seed))} == {s.step_id for s in plan.steps}
    return made


def check_one_stream_a_sample(task: Task, plan: Plan) -> None:
    """No stream is asked for twice, and each is of a step of the plan."""
    asked = []
    given = streams(task)

    def stream(step_id: int, variant: str) -> Random:
        asked.append((step_id, variant))
        return given(step_id, variant)

    list(task.drafts(plan, stream))
    assert len(set(asked)) == len(asked)
    assert {step_id for step_id, _ in asked} <= {step.step_id for step in plan.steps}
