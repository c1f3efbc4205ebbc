"""AnchorWriter: each sample's required sentences, from the steps that its task says."""

from pathlib import Path
from typing import Any

import pyarrow as pa

from operators import AnchorWriter
from operators.cot.sample import PLAN_FILE, written_fields
from operators.cot.tasks import TASKS
from tests.cot.plans_on_disk import a_plan, a_step, write_json

NAMES = {task.number: name for name, task in TASKS.items()}


def a_told_step(number: int) -> dict[str, Any]:
    """A step whose six sentences all tell its number."""
    spatial = [{"relation": "on", "objects": [f"cup_{number}", "tray"], "truth": True}]
    able = [{"object_name": f"cup_{number}", "affordance_types": ["clean"], "reasons": ""}]
    chain = {
        "causal_precondition_on_spatial": spatial,
        "causal_precondition_on_affordance": able,
        "causal_effect_on_spatial": spatial,
        "causal_effect_on_affordance": able,
    }
    failure = {"reason": f"cup {number} slips.", "recovery_strategy": f"Lift cup {number}."}
    return a_step(number, f"Wash cup {number}.", causal_chain=chain, failure_reflecting=failure)


def before(number: int) -> list[str]:
    return [f"Spatially, the cup {number} must be on the tray.", f"Functionally, the cup {number} must be clean."]


def after(number: int) -> list[str]:
    return [
        f"After the action, spatially, the cup {number} will be on the tray.",
        f"After the action, functionally, the cup {number} will be clean.",
    ]


def failure(number: int) -> list[str]:
    return [f"A likely failure is that cup {number} slips.", f"If that happens, Lift cup {number}."]


def all_of(number: int) -> list[str]:
    return [*before(number), *after(number), *failure(number)]


def samples(plan_file: Path, *rows: tuple[int | str, int, str]) -> pa.Table:
    names = [NAMES.get(task, task) if isinstance(task, int) else task for task, _, _ in rows]
    return pa.table(
        {
            "plan_file": [str(plan_file)] * len(rows),
            "task_name": pa.array(map(str, names), pa.string()),
            "step_index": [step for _, step, _ in rows],
            "fields": [fields for *_, fields in rows],
        }
    )


def fields_of(**fields: Any) -> str:
    return written_fields({"high_level_goal": "Wash up.", **fields})


def test_sentences_come_from_the_step_that_the_task_is_about(tmp_path: Path) -> None:
    write_json(tmp_path / PLAN_FILE, a_plan(*map(a_told_step, (1, 2, 3, 4)), goal="Wash up."))
    two = {"current_step_goal": "Wash cup 2.", "next_step_goal": "Wash cup 3."}
    support = {"spatial": [], "affordance": []}
    failed = {"failure_reason": "cup 2 slips.", "recovery_strategy": "Lift cup 2."}
    table = samples(
        tmp_path / PLAN_FILE,
        (28, 2, fields_of(step_n_goal="Wash cup 2.", step_next_goal="Wash cup 3.", dependency_support=support)),
        (29, 2, fields_of(**two)),
        (30, 2, fields_of(**two, prefix_end_step=2)),
        (31, 2, fields_of(all_steps=[f"Wash cup {n}." for n in (1, 2, 3, 4)], prefix_end_step=2, label=2)),
        (32, 1, fields_of(head_step_goal="Wash cup 1.", tail_step_goal="Wash cup 4.",
                          middle_steps=["Wash cup 2.", "Wash cup 3."])),
        (39, 3, fields_of(step_goal="Wash cup 3.", reason="cup 3 slips.", recovery_strategy="Lift cup 3.")),
        (41, 2, fields_of(**two, **failed, label="retry_current_step")),
    )  # fmt: skip
    done = AnchorWriter().apply(table)
    assert done.rejects.to_pylist() == []
    assert done.table["anchors"].to_pylist() == [
        [*before(3), *after(2), *failure(3)],
        all_of(3),
        all_of(3),
        all_of(2),
        all_of(2),
        all_of(3),
        all_of(2),
    ]


def test_a_plan_that_says_nothing_asks_for_no_sentence(tmp_path: Path) -> None:
    write_json(tmp_path / PLAN_FILE, a_plan(a_step(1, "Wash."), a_step(2, "Dry.")))
    fields = written_fields({"high_level_goal": "x", "current_step_goal": "Wash.", "next_step_goal": "Dry."})
    assert AnchorWriter()(samples(tmp_path / PLAN_FILE, (29, 1, fields)))["anchors"].to_pylist() == [[]]


def test_what_is_no_sample_is_a_reject_that_says_why(tmp_path: Path) -> None:
    write_json(tmp_path / PLAN_FILE, a_plan(a_told_step(1), a_told_step(2)))
    good = fields_of(current_step_goal="Wash cup 1.", next_step_goal="Wash cup 2.")
    table = samples(
        tmp_path / PLAN_FILE,
        ("Task_99", 1, good),
        (29, 1, "[1"),
        (29, 1, "[1]"),
        (29, 1, "{}"),
        (29, 99, good),
        (29, 1, good),
    )
    done = AnchorWriter().apply(table)
    assert done.table["anchors"].to_pylist() == [all_of(2)]
    assert [(each["error"], each["message"]) for each in done.rejects.to_pylist()] == [
        ("RowError", "There is no task 'Task_99'."),
        ("RowError", "The column 'fields' holds no JSON object."),
        ("RowError", "The column 'fields' holds no JSON object."),
        ("RowError", f"The column 'fields' is not what {NAMES[29]} has: high_level_goal is missing"),
        ("RowError", f"{NAMES[29]} cannot be asked about step 99 of the plan: The plan has no step 99."),
    ]


def test_a_plan_that_is_gone_costs_its_own_samples(tmp_path: Path) -> None:
    write_json(tmp_path / PLAN_FILE, a_plan(a_told_step(1), a_told_step(2)))
    row = (29, 1, fields_of(current_step_goal="Wash cup 1.", next_step_goal="Wash cup 2."))
    table = pa.concat_tables([samples(tmp_path / "gone.json", row), samples(tmp_path / PLAN_FILE, row)])
    done = AnchorWriter().apply(table)
    assert done.table["anchors"].to_pylist() == [all_of(2)]
    [reject] = done.rejects.to_pylist()
    assert (reject["error"], "gone.json: the plan cannot be read" in reject["message"]) == ("PlanError", True)
