"""AnchorValidator: good samples pass, and each broken rule is a reject that names its code."""

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from operators import AnchorValidator, AnchorWriter, CoTGenerator, CoTPlanReader, CoTSampleBuilder
from operators.cot.items import items
from operators.cot.sample import PLAN_FILE

EXAMPLES = Path(__file__).parents[2] / "examples" / "causal_plans"

Row = dict[str, Any]


def finished(root: Path, tasks: tuple[int, ...] = (29, 38)) -> pa.Table:
    """Samples by rules of the plans below a root."""
    table: pa.Table = CoTGenerator()(
        AnchorWriter()(CoTSampleBuilder(tasks=tasks, seed=1)(CoTPlanReader()(items(root))))
    )
    return table


@pytest.fixture(scope="module")
def good() -> pa.Table:
    return finished(EXAMPLES)


def judged(table: pa.Table, **options: Any) -> tuple[int, list[str]]:
    """How many rows pass, and why the others do not."""
    done = AnchorValidator(**options).apply(table)
    rejects = done.rejects.to_pylist()
    assert {(each["error"], each["kind"]) for each in rejects} <= {("RuleError", "failed")}
    return done.table.num_rows, [each["message"] for each in rejects]


def changed(table: pa.Table, change: Callable[[Row], None], row: int = 0) -> pa.Table:
    rows = table.to_pylist()
    change(rows[row])
    return pa.Table.from_pylist(rows, table.schema)


def test_good_samples_pass_as_they_are(good: pa.Table) -> None:
    done = AnchorValidator().apply(good)
    assert good.num_rows > 10
    assert done.table.drop_columns(["row_id"]).equals(good.drop_columns(["row_id"]))
    assert done.rejects.num_rows == 0


def say(old: str, new: str) -> Callable[[Row], None]:
    def change(row: Row) -> None:
        assert old in row["response"]
        row["response"] = row["response"].replace(old, new, 1)

    return change


def put(**values: Any) -> Callable[[Row], None]:
    return lambda row: row.update(values)


def put_fields(**values: Any) -> Callable[[Row], None]:
    return lambda row: row.update(fields=json.dumps({**json.loads(row["fields"]), **values}))


def swap_sentences(row: Row) -> None:
    first, second = row["anchors"][:2]
    said = row["response"].replace(first, "|").replace(second, first).replace("|", second)
    assert said != row["response"]
    row["response"] = said


DAMAGES: dict[str, Callable[[Row], None]] = {
    "id.form": put(id="1"),
    "task.unknown": put(task_name="Task_43"),
    "step.unknown": put(step_index=77),
    "source.path": put(source_path="../causal_plan_with_keyframes.json"),
    "source.plan": put(source_path="gone/causal_plan_with_keyframes.json"),
    "fields.plan": put_fields(high_level_goal="Bake a cake."),
    "fields.unknown": put_fields(colour="red"),
    "evidence.gone": lambda row: row.update(image=[f"{row['image'][0][:-4]}_.jpg"]),
    "evidence.empty": put(image=[]),
    "evidence.type": put(evidence_type="video_prefix"),
    "question.text": put(question="What comes next?"),
    "question.lines": put(question="What is the next\nplanned action?"),
    "response.form": say("</think>\n", "</think>"),
    "think.lines": say(". ", ".\n"),
    "anchor.missing": say("Spatially, the ", "Spatially, a "),
    "anchor.order": swap_sentences,
    "answer.text": lambda row: row.update(response=row["response"][:-2] + "!\n"),
    "leak.frame": say("</think>", " It is seen in frame 12.</think>"),
    "leak.file": say("</think>", " It is seen in picture.jpg.</think>"),
    "leak.time": say("</think>", " It happens at 00:12.</think>"),
    "closing.rival": say("</think>", ' So the step in question is "Inflate the tire with the floor pump".</think>'),
    "closing.gold": say("</think>", " So the plan goes on with another step.</think>"),
}


@pytest.mark.parametrize("code", DAMAGES)
def test_a_damaged_sample_is_rejected_by_its_code_and_no_other_is(code: str, good: pa.Table) -> None:
    passed, [reason] = judged(changed(good, DAMAGES[code]))
    assert passed == good.num_rows - 1
    assert code in [told.split(": ")[0] for told in reason.split("; ")]


def test_one_that_breaks_many_rules_names_the_first_of_them(good: pa.Table) -> None:
    leaks = " ".join(f"See frame {n}, sample_{n:03d}.png at 00:0{n}." for n in range(1, 7))
    passed, [reason] = judged(changed(good, lambda row: row.update(response=f"<think>{leaks}</think>\nNo.\n")))
    assert passed == good.num_rows - 1
    assert reason.count("; ") >= 8
    assert reason.rpartition("; ")[2].startswith("and ")


def test_a_warning_counts_when_it_is_strict(good: pa.Table) -> None:
    odd = changed(good, put_fields(colour="red"))
    assert judged(odd, strict=False) == (good.num_rows, [])
    passed, [reason] = judged(odd)
    assert (passed, reason) == (good.num_rows - 1, "fields.unknown: the task has no field 'colour'")


def test_what_changed_on_the_disk_is_seen(tmp_path: Path) -> None:
    root = tmp_path / "root"
    shutil.copytree(EXAMPLES / "bike_workshop_tube", root / "bike", ignore=shutil.ignore_patterns("stage*", "*.mp4"))
    table = finished(root, (29,))
    assert judged(table) == (table.num_rows, [])
    shown = table["image"].to_pylist()[0][0]
    (root / shown).rename(tmp_path / "away.jpg")
    passed, [reason] = judged(table)
    assert (passed, reason.split(": ")[0]) == (table.num_rows - 1, "evidence.gone")
    (tmp_path / "away.jpg").rename(root / shown)
    plan = json.loads((root / "bike" / PLAN_FILE).read_text())
    plan["steps"][1]["step_goal"] = "Open the tire bead with two levers."
    (root / "bike" / PLAN_FILE).write_text(json.dumps(plan))
    passed, reasons = judged(table)
    # Two samples have the old goal as a field, the reasonings of two others name it.
    codes = sorted(reason.split(": ")[0] for reason in reasons)
    assert (passed, codes) == (table.num_rows - 4, [*["claim.unproven"] * 2, *["fields.plan"] * 2])


def test_a_row_that_is_no_sample_at_all_is_a_reject(good: pa.Table) -> None:
    for fields in ("{", "[" * 100_000):
        passed, reasons = judged(changed(good, put(fields=fields)))
        assert (passed, reasons) == (good.num_rows - 1, ["schema.type: the column 'fields' holds no JSON"])


@pytest.mark.parametrize("detour", ["", "/../causal_plans", "/"])
def test_absolute_paths_below_the_root_pass_however_the_root_is_spelled(detour: str, good: pa.Table) -> None:
    def absolute(row: Row) -> None:
        row["source_path"] = f"{EXAMPLES}/{row['source_path']}"
        row["image"] = [f"{EXAMPLES}/{path}" for path in row["image"]]
        row["root"] = f"{EXAMPLES}{detour}"

    assert judged(changed(good, absolute)) == (good.num_rows, [])
