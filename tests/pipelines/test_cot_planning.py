"""The command ``cot_planning`` as people run it, without a model: samples, figures, damage, kills, and the same bytes."""

import json
import multiprocessing
import random
import signal
import time
import uuid
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.compute as pc
import pytest

from dataflow_ext import run
from operators import AnchorValidator, CoTPlanReader, CoTReader, CoTSampleBuilder, CoTWriter
from operators.cot.reader import data_files
from operators.cot.sample import PLAN_FILE, SAMPLE
from operators.cot.tasks import TASKS
from operators.cot.tasks.options import LETTERS
from pipelines.cot_planning import items, main, pipeline
from tests.cot.plans_on_disk import a_plan, a_step, write_item
from tests.pipelines.cot_sets import (
    BIKE,
    EXAMPLES,
    LAB,
    NAMES,
    copied,
    data_of,
    ends_of,
    entries_of,
    lines_of,
    number_of,
    rejects_of,
    rewritten,
    stats_of,
    steps_of,
    time_of,
)

#: Tasks that show the video up to the end of a step.
PREFIXES = (30, 31, 33, 34, 35, 36, 41, 42)


def plan_cot(root: Path, out: Path, *arguments: object) -> int:
    return main([str(root), "--out", str(out), *map(str, arguments)])


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run on the two items of the examples leaves behind."""
    out = tmp_path_factory.mktemp("cot") / "out"
    assert plan_cot(EXAMPLES, out, "--seed", 1) == 0
    return out


def sound(root: Path, out: Path, capsys: pytest.CaptureFixture[str]) -> Any:
    """The strict check of a data set, which has to find nothing."""
    capsys.readouterr()
    code = main(["validate", "--input-root", str(root), "--cot-root", str(out), "--strict", "--json"])
    found = json.loads(capsys.readouterr().out)
    assert (found["problems"], found["errors"], found["warnings"], code) == ([], 0, 0, 0)
    assert found["samples"] == len(lines_of(out))
    return found


#: How many samples the two plans give.
FIRST = {28: 10, 29: 9, 30: 9, 31: 11, 32: 12, 33: 5, 34: 5}
COUNTS = {**FIRST, 35: 19, 36: 19, 37: 11, 38: 5, 39: 11, 40: 4, 41: 6, 42: 6}


def counts_of(out: Path) -> dict[int, int]:
    return {number_of(name): len(data.splitlines()) for name, data in data_of(out).items()}


def test_every_task_has_samples_and_all_of_them_are_sound(first: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert counts_of(first) == COUNTS
    found = sound(EXAMPLES, first, capsys)
    assert found["by_task"] == {
        NAMES[number]: {"samples": count, "errors": 0, "warnings": 0} for number, count in COUNTS.items()
    }
    assert main(["validate", "--input-root", str(EXAMPLES), "--cot-root", str(first), "--strict"]) == 0
    assert capsys.readouterr().err == f"{sum(COUNTS.values())} samples, 0 errors, 0 warnings\n"


def test_a_run_leaves_samples_figures_rejects_and_a_page_behind(first: Path) -> None:
    assert {path.name for path in first.iterdir()} == {
        *TASKS,
        ".run",
        "rejects.jsonl",
        "report.html",
        "stats.json",
        "README.md",
    }
    figures, counts = stats_of(first), counts_of(first)
    assert {name: figures[name] for name in ("seed", "samples", "items", "tasks", "generators")} == {
        "seed": 1,
        "samples": sum(counts.values()),
        "items": 2,
        "tasks": {NAMES[number]: count for number, count in counts.items()},
        "generators": {"offline_rules_v1": sum(counts.values())},
    }
    assert figures["rejects"] == []
    assert sum(each["count"] for each in figures["skipped"]) == len(rejects_of(first))


def test_every_task_and_step_is_a_sample_or_was_skipped_for_a_reason(first: Path) -> None:
    assert accounted(EXAMPLES, first) == {
        (f"{item}/{PLAN_FILE}", name, step)
        for item in (BIKE, LAB)
        for name in TASKS
        for step in steps_of(EXAMPLES, f"{item}/{PLAN_FILE}")
    }
    assert {(each["operator"], each["error"], each["kind"]) for each in rejects_of(first)} == {
        ("CoTSampleBuilder", "Skipped", "dropped")
    }
    assert all(each["message"] for each in rejects_of(first))


def accounted(root: Path, out: Path) -> set[tuple[str, str, int]]:
    """Item, task and step of all samples, and of all rejects that tell them."""
    found = set()
    for entry in entries_of(out):
        source = Path(entry["meta"]["source_path"])
        place = source.relative_to(root) if source.is_absolute() else source
        found.add((place.as_posix(), entry["meta"]["task_name"], entry["meta"]["step_index"]))
    for reject in rejects_of(out):
        told = json.loads(reject["inputs"])
        if "task_name" in told:
            source = told.get("source_path") or Path(told["plan_file"]).relative_to(root).as_posix()
            found.add((source, told["task_name"], told["step_index"]))
    return found


def test_ids_are_uuids_of_version_4_each_once(first: Path) -> None:
    ids = [entry["id"] for entry in entries_of(first)]
    assert len(set(ids)) == len(ids) > 100
    parsed = [uuid.UUID(each) for each in ids]
    assert [str(each) for each in parsed] == ids
    assert {(each.version, each.variant) for each in parsed} == {(4, uuid.RFC_4122)}


def test_a_sample_says_that_rules_wrote_it(first: Path) -> None:
    generators = {json.dumps(entry["meta"]["assistant_generator"]) for entry in entries_of(first)}
    assert [json.loads(each) for each in generators] == [
        {
            "type": "offline_rules_v1",
            "api_base_url": "",
            "model_provider_id": "offline",
            "model_name": "offline",
        }
    ]


def test_the_seeds_names_of_the_flags_give_the_same_bytes(first: Path, tmp_path: Path) -> None:
    assert main(["--input-root", str(EXAMPLES), "--output-dir", str(tmp_path / "out"), "--seed", "1"]) == 0
    assert data_of(tmp_path / "out") == data_of(first)


def test_asked_tasks_alone_are_made_and_are_the_same(first: Path, tmp_path: Path) -> None:
    assert plan_cot(EXAMPLES, tmp_path / "out", "--seed", 1, "--tasks", "28,31-34") == 0
    whole = data_of(first)
    assert data_of(tmp_path / "out") == {NAMES[n]: whole[NAMES[n]] for n in (28, 31, 32, 33, 34)}


def test_a_limit_is_one_of_each_task(first: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert plan_cot(EXAMPLES, tmp_path / "out", "--seed", 1, "--limit-per-task", 2) == 0
    assert counts_of(tmp_path / "out") == dict.fromkeys(NAMES, 2)
    assert set(lines_of(tmp_path / "out")) <= set(lines_of(first))
    sound(EXAMPLES, tmp_path / "out", capsys)
    dropped = [each for each in rejects_of(tmp_path / "out") if each["operator"] == "Limit"]
    assert len(dropped) == len(lines_of(first)) - 2 * len(TASKS)


def test_absolute_paths_are_sound_and_all_that_differs(
    first: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plan_cot(EXAMPLES, tmp_path / "out", "--seed", 1, "--abs-paths") == 0
    sound(EXAMPLES, tmp_path / "out", capsys)
    prefix = f"{EXAMPLES}/"
    for entry, plain in zip(entries_of(tmp_path / "out"), entries_of(first), strict=True):
        paths = [*entry["image"], *entry["meta"]["evidence_files"], entry["meta"]["source_path"]]
        assert all(path.startswith(prefix) for path in [*paths, entry.get("video", prefix)])
        assert json.loads(json.dumps(entry).replace(prefix, "")) == plain


def test_another_seed_gives_other_ids_and_sound_samples(
    first: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert plan_cot(EXAMPLES, tmp_path / "out", "--seed", 2, "--tasks", "29,33-36,38,42") == 0
    sound(EXAMPLES, tmp_path / "out", capsys)
    ours, theirs = ({entry["id"] for entry in entries_of(out)} for out in (tmp_path / "out", first))
    assert not ours & theirs


MISTAKES = {
    "an unknown task": (["ROOT", "--tasks", "28,43"], "error: '43' is no task; use numbers from 28 to 42"),
    "no task": (["ROOT", "--tasks", ","], "error: '' is no task; use numbers from 28 to 42"),
    "a root by both names": (["ROOT", "--input-root", "ROOT"], "name one folder of annotated videos"),
    "no root": ([], "name one folder of annotated videos"),
    "a root that is not there": (["ROOT/gone"], "there is no such folder"),
    "a root that is a file": ([f"ROOT/{BIKE}/{PLAN_FILE}"], "is a file, no folder"),
    "a root without plans": ([f"ROOT/{BIKE}/stage1"], "there is no causal_plan_with_keyframes.json in it"),
    "pictures without a model": (["ROOT", "--with-images"], "error: --with-images is about a model's work"),
    "a provider without a model": (["ROOT", "--provider-id", "x"], "error: --provider-id is about a model's work"),
    "no attempts": (["ROOT", "--max-sample-attempts", "0"], "--max-sample-attempts"),
    "no limit": (["ROOT", "--limit-per-task", "0"], "--limit-per-task"),
}


def complained(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The last line that a run with a mistake in its arguments says, after leaving with 2."""
    try:
        code = main(arguments)
    except SystemExit as left:
        code = int(left.code or 0)
    said = capsys.readouterr().err
    assert (code, "Traceback" in said) == (2, False), said
    return said.strip().splitlines()[-1]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_and_leaves_nothing(
    mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    arguments, sentence = MISTAKES[mistake]
    told = complained(
        [*(each.replace("ROOT", str(EXAMPLES)) for each in arguments), "--out", str(tmp_path / "out")], capsys
    )
    assert sentence in told
    assert not (tmp_path / "out").exists()


def test_the_folder_of_the_videos_is_not_written_to(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    write_item(tmp_path, "tea", a_plan(a_step(1, "Ring the bell.")))
    assert "--out is the folder of the annotated videos" in complained(
        [str(tmp_path), "--out", f"{tmp_path}/tea/.."], capsys
    )
    assert {path.name for path in tmp_path.iterdir()} == {"tea"}


def test_another_data_set_is_not_written_over(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    theirs = tmp_path / "out" / NAMES[29] / "data.jsonl"
    theirs.parent.mkdir(parents=True)
    theirs.write_text("{}\n")
    complained([str(EXAMPLES), "--out", str(tmp_path / "out")], capsys)
    assert theirs.read_text() == "{}\n"


def test_a_dry_run_writes_nothing(tmp_path: Path) -> None:
    assert plan_cot(EXAMPLES, tmp_path / "out", "--dry-run") == 0
    assert not (tmp_path / "out").exists()


def test_a_second_run_and_two_workers_give_the_same_bytes(first: Path, tmp_path: Path) -> None:
    before = data_of(first)
    assert plan_cot(EXAMPLES, first, "--seed", 1) == 0
    steps = json.loads((first / ".run" / "report.json").read_text())["steps"]
    told = {step["operator"]: step["remembered"] for step in steps}
    assert told["CoTGenerator"]
    assert data_of(first) == before
    assert plan_cot(EXAMPLES, tmp_path / "out", "--seed", 1, "--workers", 2) == 0
    assert data_of(tmp_path / "out") == before


def test_rows_in_another_order_give_the_same_bytes_and_are_read_back_as_they_were(first: Path, tmp_path: Path) -> None:
    table = items(EXAMPLES)
    backwards = table.take(pa.array(range(table.num_rows))[::-1])
    result = run([*pipeline(seed=1), CoTWriter(out=tmp_path / "out", tasks=tuple(TASKS))], backwards)
    assert data_of(tmp_path / "out") == data_of(first)
    read = CoTReader().apply(data_files(tmp_path / "out", EXAMPLES))
    assert read.rejects.num_rows == 0
    columns = [*SAMPLE, "assistant_generator", "root", "plan_file"]
    made, again = (t.select(columns).sort_by("id").to_pylist() for t in (result.table, read.table))
    assert again == made
    assert AnchorValidator().apply(read.table).rejects.to_pylist() == []


def _letters(sample: dict[str, Any]) -> list[str]:
    return str(sample["label_set"]).split(",")


def test_a_plan_that_was_changed_is_read_anew(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    item = copied(tmp_path / "root")
    assert plan_cot(tmp_path / "root", tmp_path / "out", "--tasks", 29) == 0
    before = len(lines_of(tmp_path / "out"))

    def change(plan: Any) -> None:
        for step in plan["steps"]:
            step["step_goal"] = step["step_goal"].replace("the", "the workshop's")

    rewritten(item, change)
    assert plan_cot(tmp_path / "root", tmp_path / "out", "--tasks", 29) == 0
    sound(tmp_path / "root", tmp_path / "out", capsys)
    assert rejects_of(tmp_path / "out") == [each for each in rejects_of(tmp_path / "out") if each["error"] == "Skipped"]
    told = [entry["conversations"][1]["value"] for entry in entries_of(tmp_path / "out")]
    assert (len(told), all("the workshop's" in each for each in told)) == (before, True)


def killed(arguments: list[str], when: Callable[[], bool]) -> bool:
    """Run the command in a process of its own and kill it at a moment; whether it was still running."""
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(["pipelines.cot_planning"])
    process = forks.Process(target=main, args=(arguments,))
    process.start()
    deadline = time.monotonic() + 60
    while not when() and process.is_alive() and time.monotonic() < deadline:
        time.sleep(0.001)
    process.kill()
    process.join(30)
    return process.exitcode == -signal.SIGKILL


def test_a_run_that_is_killed_again_and_again_gives_the_same_bytes(first: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    steps, tasks = (lambda: len(list((out / ".run" / "steps").glob("*")))), (lambda: len(list(out.glob("Task_*"))))
    moments: dict[str, Callable[[], bool]] = {
        "with reasonings written": lambda: steps() >= 4,
        "with some files written": lambda: tasks() >= 4,
    }
    numbers = (29, 30, 32, 33, 37, 39)
    arguments = [str(EXAMPLES), "--out", str(out), "--seed", "1", "--tasks", ",".join(map(str, numbers))]
    whole = {name: data for name, data in data_of(first).items() if number_of(name) in numbers}
    for moment, when in moments.items():
        assert killed(arguments, when), f"it came to its end before it was killed {moment}"
        assert data_of(out).items() <= whole.items(), "a file that is there is whole"
    assert main(arguments) == 0
    assert data_of(out) == whole
    assert {path.name for path in out.iterdir()} == {
        *whole,
        ".run",
        "rejects.jsonl",
        "report.html",
        "stats.json",
        "README.md",
    }
    assert all([path.name for path in folder.iterdir()] == ["data.jsonl"] for folder in out.glob("Task_*"))


@pytest.fixture(scope="module")
def damaged(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A root with a good item and damaged ones, and what a run on it leaves behind."""
    root = tmp_path_factory.mktemp("damaged") / "root"
    copied(root)
    (copied(root, name="broken") / PLAN_FILE).write_text('{"high_level_goal": ')
    copied(root, name="no_pictures", without=("stage*", "*.jpg", "*.mp4"))
    write_item(root, "one_step", a_plan(a_step(1, "Ring the bell.")))
    rewritten(copied(root, name="same_ids"), lambda plan: plan["steps"][1].update(step_id=1))
    rewritten(
        copied(root, name="leaky"),
        lambda plan: [
            plan["steps"][2]["failure_reflecting"].update(reason="The tube tears, as frame 12 shows."),
            plan["steps"][4]["failure_reflecting"].update(reason="The bead slips, as frame_047.jpg shows."),
        ],
    )
    linked = copied(root, name="linked", without=("stage*", "*.mp4"))
    for picture in linked.rglob("*.jpg"):
        away = root.parent / "away" / picture.relative_to(root)
        away.parent.mkdir(parents=True, exist_ok=True)
        picture.rename(away)
        picture.symlink_to(away)
    out = root.parent / "out"
    assert plan_cot(root, out, "--seed", 1) == 5
    return root, out


def test_damaged_items_change_no_sample_of_a_good_one(first: Path, damaged: tuple[Path, Path]) -> None:
    place = f'"source_path": "{BIKE}/{PLAN_FILE}"'.encode()
    good, before = ([line for line in lines_of(out) if place in line] for out in (damaged[1], first))
    assert [line for line in good if not _is_dealt(line)] == [line for line in before if not _is_dealt(line)]
    assert len(good) > 50
    # Letters are dealt out over all samples of a file, so the options of these may stand in another order.
    assert [_unordered(line) for line in good if _is_dealt(line)] == [
        _unordered(line) for line in before if _is_dealt(line)
    ]


def _is_dealt(line: bytes) -> bool:
    return isinstance(label := json.loads(line)["meta"]["fields"].get("label"), str) and len(label) == 1


def _unordered(line: bytes) -> tuple[str, list[str]]:
    sample = json.loads(line)
    return sample["id"], sorted(sample["meta"]["fields"]["options"])


def test_each_damage_costs_its_own_rows_and_nothing_is_lost(
    damaged: tuple[Path, Path], capsys: pytest.CaptureFixture[str]
) -> None:
    root, out = damaged
    sound(root, out, capsys)
    rejects = rejects_of(out)
    plans = {
        json.loads(each["inputs"])["source_path"]: each["error"]
        for each in rejects
        if each["operator"] == "CoTPlanReader"
    }
    assert plans == {f"{name}/{PLAN_FILE}": "PlanError" for name in ("broken", "same_ids")}
    readable = {f"{name}/{PLAN_FILE}" for name in (BIKE, "leaky", "linked", "no_pictures", "one_step")}
    assert accounted(root, out) == {
        (source, name, step) for source in readable for name in TASKS for step in steps_of(root, source)
    }
    assert sum(each["count"] for each in stats_of(out)["skipped"]) + sum(
        each["count"] for each in stats_of(out)["rejects"]
    ) == len(rejects)


def test_what_cannot_be_seen_is_no_sample(damaged: tuple[Path, Path]) -> None:
    found = Counter(entry["meta"]["source_path"].split("/")[0] for entry in entries_of(damaged[1]))
    assert set(found) == {BIKE, "leaky", "one_step"}
    assert found["one_step"] == 1, "that the plan has been completed up to its only step"
    unseen = [
        each["message"]
        for each in rejects_of(damaged[1])
        if json.loads(each["inputs"]).get("source_path", "").startswith(("linked/", "no_pictures/"))
    ]
    assert Counter(unseen)["the item has no pictures"] > 100


def test_a_file_or_a_frame_that_a_plan_names_gets_into_no_sample(damaged: tuple[Path, Path]) -> None:
    texts = [json.dumps(entry["conversations"]) for entry in entries_of(damaged[1])]
    assert not any(".jpg" in text or "frame 12" in text for text in texts)
    rejected = [each for each in rejects_of(damaged[1]) if each["operator"] == "CoTGenerator"]
    assert rejected
    told = [each["message"] for each in rejected]
    assert {"leak.file" in message or "leak.frame" in message for message in told} == {True}, told
    assert any("leak.frame" in message for message in told)


#: What stands in plans that nobody has looked through, and must not spoil what is made of them.
DIRT = ("frame_012.jpg", "at 00:12", "</think>", "Answer: B", "1) do it\n2) go", "\u2028", "\x00", "\ud800", "{goal}",
        "{{ x }}", "水壶", "\u202etxt", "https://example.org/x", "İ", "x" * 3000, "...", " ")  # fmt: skip


def soiled(plan: Any, rng: random.Random) -> None:
    """Put dirt into some of a plan's texts, or in the place of them."""
    holders: list[tuple[Any, Any]] = []

    def collect(value: Any) -> None:
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            if isinstance(inner, str):
                holders.append((value, key))
            elif isinstance(inner, dict | list):
                collect(inner)

    collect(plan)
    for holder, key in rng.sample(holders, rng.choice((1, 3, 9))):
        holder[key] = rng.choice(DIRT) if rng.random() < 0.5 else f"{holder[key]} {rng.choice(DIRT)}"


def test_dirt_in_plans_gets_into_no_sample_and_loses_none(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    root, out, rng = tmp_path / "root", tmp_path / "out", random.Random(4)
    for n in range(4):
        item = copied(root, name=f"v{n}", without=("stage*", "*.mp4"))
        plan = json.loads((item / PLAN_FILE).read_text(encoding="utf-8"))
        soiled(plan, rng)
        (item / PLAN_FILE).write_text(json.dumps(plan), encoding="utf-8")
    assert plan_cot(root, out, "--seed", 1) == 0
    sound(root, out, capsys)
    unread = {json.loads(r["inputs"])["source_path"] for r in rejects_of(out) if r["operator"] == "CoTPlanReader"}
    sources = {f"v{n}/{PLAN_FILE}" for n in range(4)} - unread
    assert len(sources) > 1
    assert accounted(root, out) == {(source, name, s) for source in sources for name in TASKS for s in range(1, 7)}


def test_a_prefix_shows_nothing_that_comes_after_it(first: Path) -> None:
    ends = {f"{item}/{PLAN_FILE}": ends_of(EXAMPLES / item) for item in (BIKE, LAB)}
    seen = Counter[str]()
    for entry in entries_of(first):
        meta = entry["meta"]
        if number_of(meta["task_name"]) not in PREFIXES:
            continue
        end = ends[meta["source_path"]][meta["step_index"]]
        scenes = [path for path in entry["image"] if "/sampled_frames/" in path]
        assert 1 <= len(scenes) <= 3
        assert max(map(time_of, scenes)) < end, meta
        assert max(map(time_of, entry["image"])) <= end, meta
        assert entry["video"].endswith(f"segment_start_to_step{meta['step_index']:02d}_last.mp4")
        seen[meta["evidence_type"]] += 1
    counts = counts_of(first)
    assert seen == {"video_prefix": sum(counts[number] for number in PREFIXES)}


def test_items_with_key_frames_alone_give_samples_of_all_tasks(
    first: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    for item in (BIKE, LAB):
        copied(tmp_path / "root", item, without=("stage*", "*.mp4"))
    assert plan_cot(tmp_path / "root", tmp_path / "out", "--seed", 1) == 0
    sound(tmp_path / "root", tmp_path / "out", capsys)
    assert counts_of(tmp_path / "out") == counts_of(first)
    assert stats_of(tmp_path / "out")["evidence"] == {"keyframe_single": len(lines_of(first))}
    told = [(e["id"], e["conversations"], e["meta"]["fields"]) for e in entries_of(tmp_path / "out")]
    assert told == [(e["id"], e["conversations"], e["meta"]["fields"]) for e in entries_of(first)]


#: What a chi-square stays below with a probability of 0.999, by its degrees of freedom.
CHI_SQUARE = {3: 16.27, 4: 18.47, 5: 20.52, 6: 22.46, 7: 24.32}


@pytest.fixture(scope="module")
def many() -> list[dict[str, Any]]:
    """Samples of many items that have the same plan, each with its own random streams."""
    count = 150
    table = items(EXAMPLES)
    read = CoTPlanReader()(table.filter(pc.starts_with(table["source_path"], BIKE)))
    sources = pa.array([f"v{n}/{PLAN_FILE}" for n in range(count)])
    copies = pa.concat_tables([read.select(["root", "plan_file", "plan", "media"])] * count)
    made = CoTSampleBuilder(tasks=(33, 38, 40, 42), seed=1).apply(copies.append_column("source_path", sources)).table
    rows = made.select(["task_name", "fields"]).to_pylist()
    return [{"task": number_of(row["task_name"]), **json.loads(row["fields"])} for row in rows]


@pytest.mark.parametrize("task", [38, 40, 42])
def test_the_letters_of_right_options_are_even(task: int, many: list[dict[str, Any]]) -> None:
    labels = Counter(each["label"] for each in many if each["task"] == task)
    total = sum(labels.values())
    assert (total >= 150, set(labels)) == (True, set("ABCD")), labels
    assert sum((count - total / 4) ** 2 / (total / 4) for count in labels.values()) < CHI_SQUARE[3], labels


def test_the_places_of_right_options_among_many_are_even(many: list[dict[str, Any]]) -> None:
    shapes: dict[tuple[int, int], list[set[str]]] = {}
    for each in many:
        if each["task"] == 33:
            shapes.setdefault((len(each["options"]), len(_letters(each))), []).append(set(_letters(each)))
    assert len(many) >= 1800
    for (size, right), sets in shapes.items():
        if len(sets) < 100 or size == right:
            continue
        share = right / size
        spread = len(sets) * share * (1 - share)
        counts = Counter(letter for labels in sets for letter in labels)
        found = sum((counts[letter] - len(sets) * share) ** 2 / spread for letter in LETTERS[:size])
        # So many of each set are right: the counts are not free of each other.
        assert found * (size - 1) / size < CHI_SQUARE[size - 1], (size, right, counts)


def test_no_option_stands_twice_and_the_right_ones_are_the_gold(many: list[dict[str, Any]]) -> None:
    rng = random.Random(1)
    for each in rng.sample(many, 300):
        options = dict(zip(LETTERS, each["options"], strict=False))
        assert len({option.casefold() for option in each["options"]}) == len(each["options"])
        if each["task"] == 33:
            assert {options[letter] for letter in _letters(each)} == set(each["gold_next_k_step_goals"])
            assert len(options) - len(_letters(each)) >= 2
            assert len(options) <= 8
        else:
            assert len(options) == 4
