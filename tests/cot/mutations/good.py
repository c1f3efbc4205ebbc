"""A good data set of the two example items, and ways to reach into one of its samples."""

from __future__ import annotations

import copy
import json
import re
import uuid
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pyarrow as pa

from dataflow_ext import run
from operators import CoTWriter
from operators.cot.items import load_plan
from operators.cot.sample import PLAN_FILE
from operators.cot.support.facts import Fact, effects_of, fact_of, things_of
from operators.cot.support.matching import support_of
from operators.cot.tasks.challenges import FailureRecovery, RecoveryChoice
from pipelines.cot_planning import items, pipeline

EXAMPLES = Path(__file__).parents[3] / "examples" / "causal_plans"
FREE, CHOICE = FailureRecovery(), RecoveryChoice()
BIKE, LAB = "bike_workshop_tube", "wet_lab_dilution"

#: The plans as JSON has them, by item.
PLANS: dict[str, Any] = {item: json.loads((EXAMPLES / item / PLAN_FILE).read_text("utf-8")) for item in (BIKE, LAB)}

Entry = dict[str, Any]
Edit = Callable[[Entry], object]


def steps(item: str = BIKE) -> list[Any]:
    return list(PLANS[item]["steps"])


def goals(item: str = BIKE) -> list[str]:
    return [step["step_goal"] for step in steps(item)]


def outcomes(item: str = BIKE) -> list[str]:
    return [step["expected_challenge_outcome"] for step in steps(item)]


def recoveries(item: str = BIKE) -> list[str]:
    return [step["failure_reflecting"]["recovery_strategy"] for step in steps(item)]


@dataclass(frozen=True)
class Which:
    """Which good sample: of a task, an item and, if it matters, of a step, a flaw, a verdict, or with two middle steps."""

    task: int
    item: str = BIKE
    step: int | None = None
    flaw: str | None = None
    verdict: str | None = None
    middle: int = 0


class GoodSet:
    """The samples of a data set by task; every one that is picked is a copy."""

    def __init__(self, root: Path, cot_root: Path) -> None:
        self.root = root
        self.names: dict[int, str] = {}
        self.samples: dict[int, list[Entry]] = {}
        for file in sorted(cot_root.glob("*/data.jsonl")):
            task = int(file.parent.name.split("_")[1])
            self.names[task] = file.parent.name
            self.samples[task] = [_listed(json.loads(line), root) for line in file.read_text("utf-8").splitlines()]

    def pick(self, which: Which) -> Entry:
        for sample in self.samples[which.task]:
            meta = sample["meta"]
            if (
                meta["source_path"].startswith(which.item)
                and which.step in (None, meta["step_index"])
                and which.flaw in (None, meta["fields"].get("flaw_type"))
                and which.verdict in (None, _verdict(sample))
                and which.middle <= len(meta["fields"].get("middle_steps", ()))
            ):
                return copy.deepcopy(sample)
        raise LookupError(f"The good set has no sample for {which}.")


def _listed(sample: Entry, root: Path) -> Entry:
    """A sample in the other shape that files may have: letters as a list, supports as objects with their effects."""
    told = sample["meta"]["fields"]
    if "label_set" in told:
        told["label_set"] = told["label_set"].split(",")
    if support := told.get("dependency_support"):
        plan = load_plan(root / sample["meta"]["source_path"])
        effects = effects_of(plan.steps[plan.position(sample["meta"]["step_index"]) or 0])
        for kind, text in support.items():
            support[kind] = _supporting(effects, fact_of(text), things_of(plan))
    return sample


def _supporting(effects: Sequence[Fact], condition: Fact | None, things: frozenset[str]) -> Entry | None:
    if condition is None:
        return None
    found = [(match, effect) for effect in effects if (match := support_of(effect, condition, things)) is not None]
    match, effect = max(found, key=lambda pair: pair[0].strength)
    told = {"kind": match.kind, "strength": round(match.strength, 2)}
    return {"effect": effect.text, "condition": condition.text, **told}


def _verdict(sample: Entry) -> str:
    """Whether a sample of Task_41 or Task_42 says that the step has to be done again."""
    meta = sample["meta"]
    again = steps(meta["source_path"].partition("/")[0])[meta["step_index"] - 1]["step_goal"]
    retry = meta["fields"].get("gold_next_step_goal") == again or meta["fields"].get("label") == "retry_current_step"
    return "retry" if retry else "continue"


def make(root: Path, cot_root: Path) -> GoodSet:
    """Run the pipeline offline over a root, without its last step, the validator."""
    steps = pipeline(seed=1)
    result = run(steps[:2], items(root))
    made = run([*steps[2:-1], CoTWriter(out=cot_root)], _with_choice(result.table))
    assert made.rejects.num_rows == 0, made.rejects
    assert result.rejects.num_rows == result.rejects.filter(_skipped(result.rejects)).num_rows, result.rejects
    return GoodSet(root, cot_root)


def _with_choice(samples: pa.Table) -> pa.Table:
    """The samples, and a choice of recoveries as others make it: beside those of other steps, whatever words tell."""
    rows = samples.drop_columns(["row_id"]).to_pylist()
    asked = (FREE.name, 2, f"{BIKE}/{PLAN_FILE}")
    row = next((each for each in rows if (each["task_name"], each["step_index"], each["source_path"]) == asked), None)
    if row is None:
        return samples
    step = load_plan(Path(row["plan_file"])).steps[1]
    fields = {"high_level_goal": json.loads(row["fields"])["high_level_goal"], **CHOICE.told(step)}
    gold = fields.pop("gold_recovery_strategy")
    others = recoveries()
    chosen = {"options": [others[0], others[2], gold, others[5]], "label": "C", "gold_recovery_strategy": gold}
    told = {"question": CHOICE.question(fields), "answer": "C", "fields": json.dumps({**fields, **chosen})}
    choice = {**row, **told, "task_name": CHOICE.name, "id": str(uuid.UUID(int=1, version=4))}
    return pa.Table.from_pylist([*rows, choice], samples.drop_columns(["row_id"]).schema)


def _skipped(rejects: Any) -> Any:
    import pyarrow.compute as pc

    return pc.not_equal(rejects["kind"], "failed")


# What a sample says


def fields(entry: Entry) -> dict[str, Any]:
    return entry["meta"]["fields"]  # type: ignore[no-any-return]


def response(entry: Entry) -> str:
    return str(entry["conversations"][1]["value"])


def reasoning(entry: Entry) -> str:
    """What stands between the tags."""
    return response(entry).removeprefix("<think>").partition("</think>")[0]


def answer(entry: Entry) -> str:
    """What stands after the tags, without the line break at its end."""
    return response(entry).partition("</think>\n")[2].removesuffix("\n")


_ANCHOR = re.compile(
    r"(?:Spatially, the |Functionally, the |After the action, spatially, |After the action, functionally, "
    r"|A likely failure is that |If that happens, ).*?\.(?= |$)"
)


def anchors(entry: Entry) -> list[str]:
    """The six required sentences, in their order; no sentence of the two plans has a stop within it."""
    found = _ANCHOR.findall(reasoning(entry))
    assert len(found) == 6, found
    return found


# Edits: each takes a sample and changes it


def everything(*edits: Edit) -> Edit:
    """One edit after the other: one damage that shows in several places."""

    def do(entry: Entry) -> None:
        for edit in edits:
            edit(entry)

    return do


def _parent(entry: Any, path: str) -> tuple[Any, Any]:
    *parents, last = (int(part) if part.isdigit() else part for part in path.split("."))
    for part in parents:
        entry = entry[part]
    return entry, last


def put(path: str, value: Any) -> Edit:
    """Put a value where a path such as ``meta.fields.K`` leads; a function makes it from the old one."""

    def do(entry: Entry) -> None:
        parent, key = _parent(entry, path)
        parent[key] = value(parent.get(key) if isinstance(parent, dict) else parent[key]) if callable(value) else value

    return do


def drop(path: str) -> Edit:
    def do(entry: Entry) -> None:
        parent, key = _parent(entry, path)
        del parent[key]

    return do


def rename(path: str, name: str) -> Edit:
    def do(entry: Entry) -> None:
        parent, key = _parent(entry, path)
        parent[name] = parent.pop(key)

    return do


def field(name: str, value: Any) -> Edit:
    """Put a value in a field of the task; a function makes it from the old one."""
    return put(f"meta.fields.{name}", value)


def reason(edit: Callable[[str], str]) -> Edit:
    """Change what stands between the tags."""

    def do(entry: Entry) -> None:
        old = reasoning(entry)
        new = edit(old)
        assert new != old, "the damage changes nothing"
        entry["conversations"][1]["value"] = f"<think>{new}</think>{response(entry).partition('</think>')[2]}"

    return do


def say(sentence: str) -> Edit:
    """Say a sentence more, between the last required sentence and the conclusion."""

    def do(entry: Entry) -> None:
        last = anchors(entry)[-1]
        reason(lambda text: text.replace(last, f"{last} {sentence}"))(entry)

    return do


def respond(edit: Callable[[str], str]) -> Edit:
    """Change the whole of the assistant's turn."""

    def do(entry: Entry) -> None:
        old = response(entry)
        new = edit(old)
        assert new != old, "the damage changes nothing"
        entry["conversations"][1]["value"] = new

    return do


def ask(edit: Callable[[str], str]) -> Edit:
    """Change the human turn."""
    return put("conversations.0.value", edit)


def answered(new: str | Callable[[str], str]) -> Edit:
    """Give another answer."""

    def do(entry: Entry) -> None:
        old = answer(entry)
        text = new(old) if callable(new) else new
        assert text != old, "the damage changes nothing"
        entry["conversations"][1]["value"] = f"<think>{reasoning(entry)}</think>\n{text}\n"

    return do


def shows(*images: str, video: str | None = None, evidence_type: str | None = None) -> Edit:
    """Show other pictures and another video, ``evidence_files`` along with them."""

    def do(entry: Entry) -> None:
        entry["image"] = list(images)
        entry.pop("video", None)
        if video is not None:
            entry["video"] = video
        entry["meta"]["evidence_files"] = [*images, *([video] if video else [])]
        if evidence_type is not None:
            entry["meta"]["evidence_type"] = evidence_type

    return do


def numbered(listed: list[str]) -> str:
    return "\n".join(f"{n}) {step}" for n, step in enumerate(listed, 1))
