"""The command ``onevision`` as people run it, without a model: rows, rejects, exports, kills, and the same bytes."""

import io
import json
import multiprocessing
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from PIL import Image

from dataflow_ext.ocr import engine
from operators.onevision.model.records import CODES, FORMAL_LANGUAGE
from pipelines.onevision import PROMPTS, main
from tests.onevision import sets
from tests.pipelines.onevision_sets import (
    BY_VERDICT,
    CLEAN,
    LEFT,
    Row,
    all_told,
    data_of,
    expected,
    files_of,
    kept_in,
    known_to_err,
    lines_of,
    part,
    pictures_of,
    rejects_of,
    rows_of,
    see,
    stats_of,
    steps_of,
    turns_of,
)
from tests.support.report_page import ReportPage

ROOT = Path(__file__).parents[2]
REWARD = re.compile(r"<think>.*?</think>\s*<answer>.*?</answer>", re.DOTALL)


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run on the whole set leaves behind."""
    out = tmp_path_factory.mktemp("first") / "out"
    assert see(sets.ROWS, out) == 0
    return out


@dataclass(frozen=True)
class Small:
    """A few records, and what a run on them leaves behind."""

    records: Path
    out: Path


#: Clean records and two that err, one as a record and one at its picture.
FEW = (*CLEAN[:5], "dirty_no_tags", *CLEAN[5:], "dirty_cut_picture")


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Small:
    folder = tmp_path_factory.mktemp("small")
    records = part(folder / "train.jsonl", FEW)
    assert see(records, folder / "out") == 0
    return Small(records, folder / "out")


def test_a_run_leaves_a_data_set_figures_rejects_and_a_page_behind(first: Path) -> None:
    assert {path.name for path in first.iterdir()} == LEFT
    rows = rows_of(first)
    assert {row["image"] for row in rows.values()} == {
        path.relative_to(first).as_posix() for path in (first / "images").iterdir()
    }
    page = ReportPage(first / "report.html")
    page.must_be_inert()
    assert str(first) not in page.html + page.words() + page.words("rejects")
    figures = stats_of(first)
    assert figures["pictures"] == len({row["source_image"] for row in rows.values()})
    assert set(figures["image_types"]) == set(FORMAL_LANGUAGE)


def test_every_turn_is_kept_reviewed_dropped_or_errored_as_the_truth_says(first: Path) -> None:
    figures = stats_of(first)
    verdicts = {verdict: len(lines_of(first / name)) for verdict, name in BY_VERDICT.items()}
    assert {verdict: figures[verdict] for verdict in BY_VERDICT} == verdicts
    assert set(rows_of(first)) == expected()
    assert figures["errored"] == len(rejects_of(first)) == len(known_to_err())
    assert figures["turns"] == sum(verdicts.values()) + figures["errored"] == all_told()
    told = {(row["id"], row["verdict"]) for row in rows_of(first).values()}
    assert told == {(row["id"], name) for name, file in BY_VERDICT.items() for row in lines_of(first / file)}


#: What is said of a turn that errs, by what is wrong with it.
SAID = {
    "no record": "JSON",
    "repeated id": "another row has this id",
    "the question has no answer": "the question has no answer after it",
    "the answer has no reasoning": "the answer has no REASONING",
    "the answer is empty": "the answer is empty",
    "the conclusion is empty": "the answer has no CONCLUSION",
    "the answer has no tags": "none of the tags",
    "the picture is an empty file": "is an empty file",
    "the path is absolute": "put the picture below the images' folder",
    "the picture is damaged": "is damaged",
    "the picture is missing": "is missing: there is no such file",
    "the file is no picture": "is no picture; PNG, JPEG",
    "the picture has too many pixels": "has too many pixels",
    "the path leads out of the folder": "leads out of its folder; give a path below it",
}


def names_of(turn: str) -> set[str]:
    """How a sentence may name what errs: by file and line, by turn, or by file."""
    if turn not in sets.turns():
        return {f"{turn}: "}
    record, _, rest = turn.partition("#")
    number, _, _ = rest.partition("@")
    line = f"Record '{record}' (train.jsonl:{sets.turns()[turn]['line']}), turn {number}: "
    return {line, f"{record}#{number}: ", sets.turns()[turn]["image"]}


def test_each_turn_that_errs_has_a_sentence_that_names_it_and_says_what_is_wrong(first: Path) -> None:
    messages = [reject["message"] for reject in rejects_of(first)]
    found = {}
    for turn, why in known_to_err().items():
        mine = [text for text in messages if any(name in text for name in names_of(turn)) and SAID[why] in text]
        found[turn] = len(mine)
    assert found == dict.fromkeys(known_to_err(), 1), messages
    assert all("Traceback" not in text and "\n" not in text and text.endswith(".") for text in messages), messages


def test_each_row_says_by_whom_it_was_made_and_what_was_not_run(first: Path) -> None:
    made = {"type": "rules", "caption": "rules", "description": "rules", "rewrite": "rules"}
    idle = {"detections": "not run", "ocr": "not run", "judge": "not run"}
    for row in rows_of(first).values():
        assert row["models"] == made | idle, row["id"]
        assert (row["detections"], row["ocr"], row["score"]) == ([], [], None)
        assert (row["formal_code"] is None) == (row["formal_state"] == "not run"), row["id"]
        assert row["formal_language"] in (FORMAL_LANGUAGE[row["image_type"]], "text")
        assert (row["judge"]["status"], row["reasons"][-1]) == ("not run", "not judged"), "nothing passes unjudged"
        assert [check["code"] for check in row["checks"]] == [
            code for code in CODES if not code.startswith(("judge.", "blind."))
        ]
    assert stats_of(first)["judged"] == {}


def test_rows_are_the_turns_of_their_records(first: Path) -> None:
    for id, row in rows_of(first).items():
        if id.startswith("dirty_repeated"):
            continue
        truth = sets.turns()[id]
        assert (row["source_image"], row["language"], row["turn"]) == (
            truth["image"],
            truth["language"],
            int(id.partition("#")[2]),
        )
        assert row["question"] == sets.question(id)
        assert row["final_answer"] == f"<answer>{row['answer']}</answer>"
        shown = sets.pictures()[truth["image"]]
        assert (row["width"], row["height"]) == (shown["width"], shown["height"]), id


def test_what_code_can_see_is_not_kept_and_what_is_good_mostly_is(first: Path) -> None:
    seen = {"wrong sum", "letter of no option", "other end", "other than gold"}
    bad = {f"{sets.records()[line]['id']}#1" for case in seen for line in sets.dirty(case)}
    kept = {row["id"] for row in kept_in(first)}
    assert len(bad) == 4
    assert kept & bad == set()
    good = set(sets.turns(fate="row", good=True)) & expected()
    assert len(kept & good) >= 0.9 * len(good), sorted(good - kept)


def test_rows_on_one_picture_share_all_that_is_said_of_it(first: Path) -> None:
    shared: dict[str, list[Row]] = {}
    for row in rows_of(first).values():
        shared.setdefault(row["source_image"], []).append(row)
    of_picture = ("image", "image_type", "image_formal_description", "formal_code", "dense_caption", "ocr", "width")
    told = {path: {json.dumps([row[name] for name in of_picture]) for row in rows} for path, rows in shared.items()}
    assert {path: len(each) for path, each in told.items()} == dict.fromkeys(shared, 1)
    assert sum(len({row["record_id"] for row in rows}) > 1 for rows in shared.values()) >= 8


def test_a_second_run_adds_nothing_and_leaves_the_same_bytes(first: Path) -> None:
    before = files_of(first)
    made = {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (first / "images").iterdir()}
    assert see(sets.ROWS, first) == 0
    assert files_of(first) == before
    assert {path: (path.stat().st_ino, path.stat().st_mtime_ns) for path in (first / "images").iterdir()} == made
    told = {name: step["remembered"] for name, step in steps_of(first).items()}
    assert {name for name, remembered in told.items() if not remembered} == {"ImageNormalizer", "OneVisionWriter"}


NO_NETWORK = """
import socket
_connect, _lookup = socket.socket.connect, socket.getaddrinfo
def _refuse(host):
    raise AssertionError(f"something wanted to reach {host!r}")
def connect(self, address):
    return _refuse(address) if isinstance(address, tuple) else _connect(self, address)
socket.socket.connect = socket.socket.connect_ex = connect
socket.getaddrinfo = socket.create_connection = lambda host, *rest, **options: _refuse(host)
"""


@pytest.fixture
def closed(tmp_path: Path) -> dict[str, str]:
    """The surroundings of a process that, with its children, reaches no network at all."""
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "sitecustomize.py").write_text(NO_NETWORK)
    return {**os.environ, "PYTHONPATH": f"{tmp_path / 'closed'}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}


def test_the_closed_process_of_these_tests_reaches_nothing(closed: dict[str, str]) -> None:
    code = "import socket\nfor call in (lambda: socket.create_connection(('127.0.0.1', 9)), "
    code += "lambda: socket.getaddrinfo('example.org', 80), lambda: socket.socket().connect(('127.0.0.1', 9))):\n"
    code += "    try:\n        call()\n    except AssertionError as error:\n        print(error)"
    done = subprocess.run([sys.executable, "-c", code], env=closed, capture_output=True, text=True, check=True)
    assert done.stdout.count("something wanted to reach") == 3


def test_two_workers_and_the_records_backwards_without_any_network_give_the_same_files(
    small: Small, closed: dict[str, str], tmp_path: Path
) -> None:
    backwards = part(tmp_path / "train.jsonl", FEW[::-1])
    line = [sys.executable, "-m", "pipelines.onevision", str(backwards), "--images", str(sets.IMAGES)]
    line += ["--out", str(tmp_path / "out"), "--ocr", "never", "--workers", "2"]
    done = subprocess.run(line, env=closed, capture_output=True, text=True, timeout=150, check=False)
    assert (done.returncode, "something wanted to reach" in done.stderr) == (0, False), done.stderr
    assert data_of(tmp_path / "out") == data_of(small.out)
    assert [row["id"] for row in kept_in(small.out)] == sorted(row["id"] for row in kept_in(small.out))
    told = [
        Counter(re.sub(r"jsonl:\d+", "", each["message"]) for each in rejects_of(out))
        for out in (tmp_path / "out", small.out)
    ]
    assert told[0] == told[1]
    assert told[0].total() == 2


#: What the command loads on its way, so that a process that is killed has no long start.
PRELOADED = [
    *("pipelines.onevision", "operators.onevision.onevision_writer", "operators.onevision.output"),
    *("operators.verify.equivalence", "pint", "PIL.Image", "pyarrow.parquet"),
]


def killed(arguments: list[str], when: Callable[[], bool]) -> bool:
    """Run the command in a process of its own and kill it at a moment; whether it was still running."""
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(PRELOADED)
    process = forks.Process(target=main, args=(arguments,))
    process.start()
    deadline = time.monotonic() + 60
    while not when() and process.is_alive() and time.monotonic() < deadline:
        time.sleep(0.001)
    process.kill()
    process.join(30)
    return process.exitcode == -signal.SIGKILL


def test_a_run_that_is_killed_again_and_again_gives_the_same_bytes(small: Small, tmp_path: Path) -> None:
    out, dice = tmp_path / "out", random.Random()
    arguments = [str(small.records), "--images", str(sets.IMAGES), "--out", str(out), "--ocr", "never"]
    steps = dice.randint(2, 9)
    moments: dict[str, Callable[[], bool]] = {
        f"with {steps} files of steps": lambda: len(list((out / ".run" / "parts").rglob("*-*.arrow"))) >= steps,
        "amid the writing": lambda: any(out.glob("images/*")),
    }
    whole = data_of(small.out)
    for moment, when in moments.items():
        assert killed(arguments, when), f"it came to its end before it was killed {moment}"
        assert data_of(out).items() <= whole.items(), f"a file that is there is whole, killed {moment}"
    assert main(arguments) == 0
    assert data_of(out) == whole
    assert {path.name for path in out.iterdir()} == LEFT
    assert list((out / ".run" / "onevision").glob("*.part")) == [], "what was half written is cleared away"


def test_pictures_are_looked_for_in_each_folder_in_turn(small: Small, tmp_path: Path) -> None:
    paths = sorted(pictures_of(FEW))
    for number, path in enumerate(paths):
        target = tmp_path / ("one", "other")[number % 2] / path
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(sets.IMAGES / path, target)
    out = tmp_path / "out"
    assert see(small.records, out, "--images", tmp_path / "other", images=tmp_path / "one") == 0
    assert data_of(out) == data_of(small.out)


def test_a_limit_is_one_of_records(tmp_path: Path) -> None:
    records = part(tmp_path / "train.jsonl")
    assert see(records, tmp_path / "out", "--limit", 3) == 0
    assert set(rows_of(tmp_path / "out")) == set(turns_of(CLEAN[:3]))


def test_pictures_can_stay_out_of_the_parquet_file(small: Small, tmp_path: Path) -> None:
    out = tmp_path / "out"
    assert see(small.records, out, "--no-embed", "--cache-dir", small.out / ".run") == 0
    found = pq.read_table(out / "onevision.parquet")["image"].to_pylist()
    assert {each["bytes"] for each in found} == {None}
    assert all((out / each["path"]).is_file() for each in found)
    whole = {name: data for name, data in data_of(small.out).items() if name != "onevision.parquet"}
    assert {name: data for name, data in data_of(out).items() if name != "onevision.parquet"} == whole


def test_a_dry_run_writes_nothing(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert see(sets.ROWS, tmp_path / "out", "--dry-run") == 0
    told = f"Records: {len(sets.lines())}. Steps: 12. The wiring is sound; nothing was run.\n"
    assert capsys.readouterr().err == told
    assert not (tmp_path / "out").exists()


def test_the_prompts_can_be_written_out_and_given_back(tmp_path: Path) -> None:
    assert main(["prompts", str(tmp_path / "mine")]) == 0
    assert {path.name for path in (tmp_path / "mine").iterdir()} == {each.template for each in PROMPTS}
    assert see(sets.ROWS, tmp_path / "out", "--prompts", tmp_path / "mine", "--dry-run") == 0


@pytest.mark.skipif(engine.installed_version("rapidocr") is None, reason="rapidocr is not installed")
def test_text_in_pictures_is_read_for_real(tmp_path: Path) -> None:
    records = part(tmp_path / "train.jsonl", ("chartqa_1042", "phys_412_1", "el_520", "mathverse_45", "tabmwp_3120"))
    out = tmp_path / "out"
    assert see(records, out, "--limit", 4, ocr="always") == 0
    rows = rows_of(out)
    assert {row["record_id"] for row in rows.values()} == {"chartqa_1042", "phys_412_1", "el_520", "mathverse_45"}
    assert {row["models"]["ocr"] for row in rows.values()} == {"rapidocr"}
    for row in rows.values():
        read = "".join(line["text"] for line in row["ocr"]).replace(" ", "")
        written = [text.replace(" ", "") for text in sets.pictures()[row["source_image"]]["texts"]]
        assert sum(text in read for text in written) >= len(written) / 2, (row["id"], written, read)
        for line in row["ocr"]:
            x0, y0, x1, y1 = line["box"]
            assert 0 <= x0 < x1 <= row["width"] and 0 <= y0 < y1 <= row["height"], (row["id"], line)


def test_no_file_for_people_names_a_place_on_this_disk_and_a_folder_that_moved_can_be_gone_on_from(
    first: Path, tmp_path: Path
) -> None:
    out = tmp_path / "moved"
    shutil.copytree(first, out)
    assert [name for name, data in files_of(out).items() if str(first).encode() in data] == []
    # Messages name the folder of images as the command did.
    assert [reject["id"] for reject in rejects_of(out) if str(sets.IMAGES) in reject["inputs"]] == []
    rows = pq.read_table(out / "rows.parquet")
    places = rows["picture"].to_pylist()
    assert not any(place in json.dumps(rows.to_pylist()) for place in (str(first), str(sets.IMAGES)))
    assert {p.parts[0] for p in map(Path, places)} == {"images"}
    assert all((out / p).is_file() for p in places)
    told = [json.loads(reject["inputs"]).get("picture") for reject in rejects_of(out)]
    assert [p for p in told if p is not None and Path(p).is_absolute()] == []
    assert any(told)
    assert main(["sample", str(out), "--n", "3"]) == 0
    shown = ReportPage(out / "sample.html").places()
    assert len(shown) == 3
    assert all((out / place).is_file() for place in shown)


def test_conversations_have_a_place_for_each_picture_and_replies_that_fit_the_reward(first: Path) -> None:
    info = json.loads((first / "dataset_info.json").read_text())["onevision"]
    kept = kept_in(first)
    talks = lines_of(first / info["file_name"])
    assert [each["id"] for each in talks] == [row["id"] for row in kept]
    for each, row in zip(talks, kept, strict=True):
        talk = each[info["columns"]["messages"]]
        assert [entry[info["tags"]["role_tag"]] for entry in talk] == ["user", "assistant"] * (len(talk) // 2)
        said = [entry[info["tags"]["content_tag"]] for entry in talk]
        assert "".join(said).count("<image>") == len(each[info["columns"]["images"]]) == 1
        assert each["images"] == [row["image"]]
        assert (first / row["image"]).is_file()
        assert said[0] == f"<image>\n{row['question']}"
        assert REWARD.fullmatch(said[-1])
        assert said[-1] == f"{row['cot_thinking']}\n{row['final_answer']}"
    shared = lines_of(first / "sharegpt.jsonl")
    assert [each["id"] for each in shared] == [row["id"] for row in kept]
    for each, talk in zip(shared, talks, strict=True):
        assert [entry["from"] for entry in each["conversations"]] == ["human", "gpt"]
        assert [entry["value"] for entry in each["conversations"]] == [entry["content"] for entry in talk["messages"]]


def test_rows_for_grpo_have_the_rows_answers(first: Path) -> None:
    found = {
        each["id"]: (each["answer"], each["answer_type"], each["options"]) for each in lines_of(first / "grpo.jsonl")
    }
    assert found == {row["id"]: (row["answer"], row["answer_type"], row["options"]) for row in kept_in(first)}
    for each in lines_of(first / "grpo.jsonl"):
        assert each["problem"].count("<image>") == len(each["images"]) == 1


def test_the_parquet_file_opens_with_pictures_as_their_rows_say(first: Path) -> None:
    found = pq.read_table(first / "onevision.parquet")
    assert json.loads(found.schema.metadata[b"huggingface"])["info"]["features"] == {"image": {"_type": "Image"}}
    assert found["id"].to_pylist() == [row["id"] for row in kept_in(first)]
    for row, made in zip(kept_in(first), found.to_pylist(), strict=True):
        with Image.open(io.BytesIO(made["image"]["bytes"])) as picture:
            assert (picture.size, picture.mode in ("L", "RGB")) == ((row["width"], row["height"]), True)
        assert made["image"]["path"] == row["image"]
        wanted = ("question", "image_formal_description", "cot_thinking", "final_answer", "answer", "image_type")
        assert {name: made[name] for name in wanted} == {name: row[name] for name in wanted}


#: Arguments, and what the last line says of them; RECORDS, IMAGES, OUT and HERE stand for places.
RUN = ("RECORDS", "--images", "IMAGES", "--out", "OUT")
MISTAKES: dict[str, tuple[tuple[str, ...], str]] = {
    "no records": (("--images", "IMAGES", "--out", "OUT"), "are required: RECORDS"),
    "no folder of pictures": (("RECORDS", "--out", "OUT"), "--images"),
    "pictures that are not there": (("RECORDS", "--images", "HERE/gone", "--out", "OUT"), "there is no folder"),
    "a second folder that is not there": ((*RUN, "--images", "HERE/gone"), "there is no folder"),
    "a file in place of pictures": (("RECORDS", "--images", "RECORDS", "--out", "OUT"), "there is no folder"),
    "records that are not there": (("HERE/gone.jsonl", "--images", "IMAGES", "--out", "OUT"), "There is no file"),
    "an empty file": (("HERE/empty.jsonl", "--images", "IMAGES", "--out", "OUT"), "has no records"),
    "a file of no records": (("HERE/blank.jsonl", "--images", "IMAGES", "--out", "OUT"), "has no records"),
    "an empty list": (("HERE/list.json", "--images", "IMAGES", "--out", "OUT"), "has no records"),
    "a list that is torn": (("HERE/torn.json", "--images", "IMAGES", "--out", "OUT"), "Cannot read"),
    "a folder without records": (("HERE/nothing", "--images", "IMAGES", "--out", "OUT"), "has no .jsonl file"),
    "records of another kind": (("HERE/notes.txt", "--images", "IMAGES", "--out", "OUT"), "records are in files"),
    "a table without conversations": (("HERE/other.parquet", "--images", "IMAGES", "--out", "OUT"), "no column"),
    "a file in place of the results": (("RECORDS", "--images", "IMAGES", "--out", "HERE/notes.txt"), "notes.txt"),
    "blind without a model": ((*RUN, "--blind"), "--blind needs --model"),
    "a profile without a detector": ((*RUN, "--profile", "simple"), "need --detector"),
    "a detector's key without a detector": ((*RUN, "--detector-api-key-env", "KEY"), "need --detector"),
    "a detector that is no address": ((*RUN, "--detector", "localhost", "--profile", "simple"), "detector"),
    "an unknown profile": ((*RUN, "--detector", "http://x", "--profile", "magic"), "argument --profile"),
    "a share above 1": ((*RUN, "--detector-threshold", "2"), "argument --detector-threshold"),
    "a key that is not set": ((*RUN, "--detector", "http://x", "--detector-api-key-env", "NO_KEY"), "detector's key"),
    "an unknown engine": ((*RUN, "--ocr-engine", "eyes"), "argument --ocr-engine"),
    "pictures without a side": ((*RUN, "--max-side", "0"), "argument --max-side"),
    "pictures too small": ((*RUN, "--max-side", "10"), "--max-side"),
    "no limit": ((*RUN, "--limit", "0"), "argument --limit"),
    "a budget for nobody": ((*RUN, "--budget", "1usd"), "--budget"),
    "an estimate for nobody": ((*RUN, "--estimate"), "--estimate"),
    "a judge's server without a judge": ((*RUN, "--judge-base-url", "http://x/v1"), "--judge-model"),
    "prompts that are not there": ((*RUN, "--prompts", "HERE/gone"), "there is no folder"),
    "an unknown flag": ((*RUN, "--magic"), "--magic"),
    "calibrating nothing": (("calibrate", "HERE/gone"), "rows.parquet"),
    "calibrating no run": (("calibrate", "HERE/nothing"), "rows.parquet"),
    "a sample of nothing": (("sample", "HERE/gone"), "HERE/gone"),
}  # fmt: skip


def complained(arguments: list[str], capsys: pytest.CaptureFixture[str]) -> str:
    """The last line that a run with a mistake in its arguments says, after leaving with 2."""
    capsys.readouterr()
    try:
        code = main(arguments)
    except SystemExit as left:
        code = int(left.code or 0)
    said = capsys.readouterr().err
    assert (code, "Traceback" in said) == (2, False), said
    return said.strip().splitlines()[-1]


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_one_sentence_and_leaves_nothing(
    mistake: str, tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delenv("NO_KEY", raising=False)
    here = tmp_path / "here"
    (here / "nothing").mkdir(parents=True)
    texts = {"empty.jsonl": "", "blank.jsonl": "\n \n", "list.json": "[]", "torn.json": '[{"id": ', "notes.txt": "a\n"}
    for name, text in texts.items():
        (here / name).write_text(text)
    pq.write_table(pa.table({"text": ["a"]}), here / "other.parquet")
    before = sorted(here.rglob("*"))
    places = {"RECORDS": sets.ROWS, "IMAGES": sets.IMAGES, "OUT": tmp_path / "out", "HERE": here}
    arguments, sentence = MISTAKES[mistake]

    def placed(text: str) -> str:
        return re.sub("^(RECORDS|IMAGES|OUT|HERE)", lambda found: str(places[found[0]]), text)

    told = complained([placed(each) for each in arguments], capsys)
    assert placed(sentence) in told
    assert not (tmp_path / "out").exists()
    assert sorted(here.rglob("*")) == before


@pytest.mark.parametrize(
    "name",
    [
        "onevision.jsonl",
        "review.jsonl",
        "rows.parquet",
        "dataset_info.json",
        "rejects.jsonl",
        "stats.json",
        "report.html",
    ],
)
def test_a_folder_with_files_of_others_is_refused_before_any_work(
    name: str, small: Small, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    theirs = tmp_path / "out" / name
    theirs.parent.mkdir()
    theirs.write_text("{}\n")
    line = [str(small.records), "--images", str(sets.IMAGES), "--out", str(tmp_path / "out"), "--ocr", "never"]
    told = complained(line, capsys)
    assert name in told
    assert [(path.name, path.read_text()) for path in (tmp_path / "out").iterdir()] == [(name, "{}\n")]


def test_sentences_and_figures_name_pictures_as_the_command_did(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    ids = ("mathverse_45", "dirty_cut_picture", "dirty_empty_file", "dirty_no_picture", "dirty_missing_picture")
    part(tmp_path / "train.jsonl", ids)
    shutil.copytree(sets.IMAGES / "sqa", tmp_path / "images" / "sqa")
    shutil.copytree(sets.IMAGES / "mathverse", tmp_path / "images" / "mathverse")
    monkeypatch.chdir(tmp_path)
    assert see(Path("train.jsonl"), Path("out"), images=Path("images")) == 0
    assert [each["message"] for each in rejects_of(Path("out")) if str(tmp_path) in each["message"]] == []
    assert str(tmp_path) not in (Path("out") / "stats.json").read_text(encoding="utf-8")


def test_a_run_in_which_nothing_can_be_read_leaves_with_1_and_says_why(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    records = part(tmp_path / "train.jsonl", ("dirty_no_tags", "dirty_missing_picture"))
    assert see(records, tmp_path / "out") == 1
    said = capsys.readouterr().err
    assert "2 turns: 0 kept, 0 review, 0 dropped, 2 errored." in said
    assert "none of the tags" in said
    assert len(rejects_of(tmp_path / "out")) == 2
