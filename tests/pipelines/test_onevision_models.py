"""Whole runs of ``onevision`` with models that see well, badly and late: nothing untrue is kept, nothing is lost."""

import json
import random
import re
import shutil
import socket
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from operators.onevision.model.records import DETECTED
from pipelines.onevision import main
from tests.loopback import Body, Fault, Loopback, limited
from tests.onevision import faults, sets
from tests.onevision.asked import Asked, asked
from tests.onevision.detecting.servers import DetectorServer
from tests.onevision.seeing import facts
from tests.onevision.vlm import VLM, judge, vlm
from tests.pipelines.onevision_sets import (
    Row,
    all_told,
    data_of,
    expected,
    files_of,
    kept_in,
    known_to_err,
    part,
    pictures_of,
    rejects_of,
    rows_of,
    see,
    stats_of,
    turns_of,
)

KEYS = {"OUR_KEY": "sk-quite-secret-0123456789", "JUDGES_KEY": "sk-more-secret-987654321"}


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short waits between tries."""
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)


def model(server: Loopback) -> tuple[str, ...]:
    return "--model", "seer", "--base-url", server.url


def bodies(server: Loopback) -> list[Asked]:
    """What was asked, in the order of arrival."""
    return [asked(call.body) for call in sorted(server.calls, key=lambda call: call.number)]


@dataclass(frozen=True)
class Run:
    """A run on the whole set by a model that is good on four in five, with another model as its judge."""

    out: Path
    brain: VLM
    asked: Sequence[Asked]
    models: Counter[str]
    again: int
    same: bool


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Run:
    out, brain = tmp_path_factory.mktemp("whole") / "out", vlm(good=0.8)
    flags = ("--judge-model", "critic", "--api-key-env", "OUR_KEY", "--judge-api-key-env", "JUDGES_KEY")
    with pytest.MonkeyPatch.context() as patch, Loopback(brain, threads=0) as server:
        for name, key in KEYS.items():
            patch.setenv(name, key)
        assert see(sets.ROWS, out, *model(server), *flags) == 0
        made, calls = bodies(server), len(server.calls)
        before = files_of(out)
        assert see(sets.ROWS, out, *model(server), *flags) == 0
        of = Counter(f"{call.body['model']} {call.authorization.removeprefix('Bearer ')}" for call in server.calls)
        return Run(out, brain, made, of, len(server.calls) - calls, files_of(out) == before)


def of_step(made: Sequence[Asked], step: str) -> list[Asked]:
    return [each for each in made if each.step == step]


def test_the_counts_add_up(whole: Run) -> None:
    figures = stats_of(whole.out)
    verdicts = Counter(row["verdict"] for row in rows_of(whole.out).values())
    assert {name: figures[name] for name in ("kept", "review", "dropped")} == dict(verdicts)
    assert figures["errored"] == len(rejects_of(whole.out)) == all_told() - verdicts.total()
    assert figures["turns"] == all_told()
    assert set(rows_of(whole.out)) <= expected()
    by_models = [
        each
        for each in rejects_of(whole.out)
        if each["operator"] in ("ImageTypeClassifier", "FormalDescriber", "CoTRewriter")
    ]
    assert len(by_models) == len(rejects_of(whole.out)) - len(known_to_err()), "each turn that is lost has a reason"
    assert all("seer" in each["message"] for each in by_models), by_models


def badly_told(brain: VLM) -> dict[str, str]:
    """The turns that were told badly or are bad in the source, with the way."""
    told = faults.bad_rows_of_pictures(brain.bad_pictures) | brain.bad_rows
    told |= {name: str(turn["why"]) for name, turn in sets.turns(good=False).items()}
    return told


def test_nothing_that_was_told_badly_is_kept(whole: Run) -> None:
    told = badly_told(whole.brain)
    used = {way for _, _, way in whole.brain.used}
    assert len(used & {*faults.OF_IMAGE, *faults.OF_DESCRIPTION, *faults.OF_REWRITE}) >= 15, used
    assert {row["id"]: told[row["id"]] for row in kept_in(whole.out) if row["id"] in told} == {}


def test_nine_in_ten_of_what_was_told_well_are_kept(whole: Run) -> None:
    good = set(sets.turns(fate="row", good=True)) & expected() - set(badly_told(whole.brain))
    kept = {row["id"] for row in kept_in(whole.out)}
    lost = {id: rows_of(whole.out).get(id, {}).get("reasons", "errored") for id in good - kept}
    assert len(good & kept) >= 0.9 * len(good), lost


def test_each_picture_is_shown_once_for_its_type_and_once_for_its_description(whole: Run) -> None:
    shown = {turn["image"] for turn in sets.turns(fate="row").values()}
    for step, of in (
        ("image", shown),
        ("describe", shown - {p for p, way in whole.brain.ways.items() if way == "refusal for a picture"}),
    ):
        made = of_step(whole.asked, step)
        assert Counter(each.picture for each in made if not each.again) == dict.fromkeys(of, 1)
        unfit = {path for path, way in whole.brain.ways.items() if way}
        assert {each.picture for each in made if each.again} <= unfit, "a good reply is not asked for again"


def test_what_is_asked_of_a_picture_holds_nothing_of_a_row(whole: Run) -> None:
    turns = sets.turns(fate="row")
    made = of_step(whole.asked, "image") + of_step(whole.asked, "describe")
    assert len({each.text for each in of_step(whole.asked, "image") if not each.again}) == 1
    for each in made:
        assert each.blocks == {}
        assert each.picture is not None
        for turn in turns:
            _, answer = sets.said(turn)
            stem = re.split(r"\n|\(A\)|A[.)、]", sets.question(turn))[0].strip()
            reasoning = re.search(r"<reasoning>(.*?)(?:</reasoning>|<conclusion>)", answer, re.DOTALL | re.IGNORECASE)
            assert len(stem) < 6 or stem not in each.text, turn
            assert reasoning is None or reasoning[1].strip()[:60] not in each.text, turn
            assert sets.turns()[turn]["think"][:40] not in each.text or not sets.turns()[turn]["think"], turn
            concluded = re.search(r"<conclusion>(.*?)(?:</conclusion>|$)", answer, re.DOTALL | re.IGNORECASE)
            said = concluded[1].strip() if concluded is not None else ""
            # What is written in the picture may be read there.
            assert len(said) < 8 or said not in each.text or said in facts(each.picture), turn


def test_a_second_run_asks_nothing_and_makes_the_same_bytes(whole: Run) -> None:
    assert (whole.again, whole.same) == (0, True)


def test_what_the_model_finds_insufficient_is_reviewed_without_a_reasoning(whole: Run) -> None:
    ways = {turn for turn, way in whole.brain.bad_rows.items() if way == "insufficient"}
    rows = [row for id, row in rows_of(whole.out).items() if id in ways]
    assert rows
    assert {(row["verdict"], row["cot_thinking"], row["rewrite_state"]) for row in rows} <= {
        ("review", None, "insufficient"),
        ("dropped", None, "insufficient"),
    }
    clean = [row for row in rows if row["source_image"] not in whole.brain.bad_pictures]
    assert {row["verdict"] for row in clean} == {"review"}
    assert all(row["judge"]["status"] == "skipped" for row in rows)


def test_models_are_named_in_rows_and_each_has_its_key(whole: Run) -> None:
    of = dict(each.split(" ") for each in whole.models)
    assert of == {"seer": KEYS["OUR_KEY"], "critic": KEYS["JUDGES_KEY"]}
    for row in rows_of(whole.out).values():
        by = row["models"]
        assert (by["type"], by["caption"], by["description"], by["rewrite"]) == ("seer",) * 4
        assert (by["detections"], by["ocr"]) == ("not run", "not run")
        judged = row["judge"]["status"] == "judged"
        assert (by["judge"], row["judge"]["by"]) == (("critic", "critic") if judged else ("not run", ""))
        assert (row["score"] is not None) == judged
    assert {row["judge"]["status"] for row in kept_in(whole.out)} == {"judged"}


def test_the_keys_are_in_no_file(whole: Run) -> None:
    files = [path for path in whole.out.rglob("*") if path.is_file()]
    assert len(files) > 60
    assert [path for path in files for key in KEYS.values() if key.encode() in path.read_bytes()] == []


@dataclass(frozen=True)
class Good:
    """A few clean records, and what a run by a model that is always right makes of them."""

    records: Path
    out: Path
    told: str
    asked: Sequence[Asked]


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Good:
    folder = tmp_path_factory.mktemp("good")
    records = part(folder / "train.jsonl")
    with Loopback(vlm(good=1.0), threads=0) as server, pytest.MonkeyPatch.context() as patch:
        said: list[str] = []
        patch.setattr("dataflow_ext.cli.say", said.append)
        assert see(records, folder / "out", *model(server)) == 0
        return Good(records, folder / "out", "\n".join(said), bodies(server))


def test_the_calls_that_were_told_before_the_run_are_those_that_are_made(good: Good) -> None:
    steps = Counter(each.step for each in good.asked)
    turns, pictures = len(turns_of()), len(pictures_of())
    assert steps == {"image": pictures, "describe": pictures, "rewrite": turns, "judge": turns}
    a_picture = re.search(r"^A picture: (\d+) calls,.*\((.*)\)\.$", good.told, re.MULTILINE)
    a_row = re.search(r"^A row: (\d+) calls,.*\((.*)\)\.$", good.told, re.MULTILINE)
    assert a_picture is not None and a_row is not None, good.told
    assert (a_picture[1], a_picture[2]) == ("2", "type and caption, description")
    assert (a_row[1], a_row[2]) == ("2", "reasoning, judgement")
    assert f"All {turns} rows, {pictures} different pictures: at most {steps.total()} calls, " in good.told


def test_a_judge_beside_rules_is_told_before_the_run_too(
    good: Good, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(judge(), threads=0) as server:
        flags = ("--judge-model", "critic", "--judge-base-url", server.url, "--limit", 2)
        assert see(good.records, tmp_path / "out", *flags) == 0
        assert server.received > 0
    said = capsys.readouterr().err
    assert re.search(r"^A row: 1 call, .*\(judgement\)\.$", said, re.MULTILINE), said.splitlines()[0]


def test_the_model_is_its_own_judge_if_none_is_named(good: Good) -> None:
    assert {row["judge"]["by"] for row in rows_of(good.out).values()} == {"seer"}
    assert sum(stats_of(good.out)["judged"].values()) == len(turns_of())
    assert len(kept_in(good.out)) >= 0.9 * len(turns_of())


def test_a_blind_solver_is_told_no_answer_and_one_who_disagrees_sends_the_row_to_review(
    good: Good, tmp_path: Path
) -> None:
    out = Path(shutil.copytree(good.out, tmp_path / "out"))
    wrong = "clevr_17#1"

    class Blind(VLM):
        def __call__(self, body: Body) -> str:
            request = asked(body)
            if request.step == "blind" and wrong in request.turns:
                return "I count them one by one.\nAnswer: 99"
            return super().__call__(body)

    with Loopback(Blind(good=1.0), threads=0) as server:
        flags = ("--model", "seer", "--base-url", server.url, "--blind")
        assert see(good.records, out, *flags, "--cache-dir", tmp_path / "cache") == 0
        made = bodies(server)
    assert Counter(each.step for each in made)["blind"] == len(turns_of())
    blind = of_step(made, "blind")
    for each in blind:
        assert set(each.blocks) <= {"question", "options"}
        [turn, *_] = each.turns
        truth = sets.turns()[turn]
        known = sets.question(turn)
        assert truth["answer"] in known or truth["answer"] not in each.blocks["question"], turn
        assert not truth["think"] or truth["think"][:30] not in each.text
        assert sets.said(turn)[1][:60] not in each.text
    before, rows = rows_of(good.out), rows_of(out)
    assert before[wrong]["verdict"] == "kept"
    assert {id: row["verdict"] for id, row in rows.items()} == {
        id: "review" if id == wrong else row["verdict"] for id, row in before.items()
    }
    assert rows[wrong]["reasons"][0].startswith("blind.answer: ")


#: Calls that go wrong on their way.
FAULTS: Mapping[str, Fault] = {
    "too many requests": limited(0),
    "a cut stream": Fault("cut"),
    "an empty reply": Fault("empty"),
    "a server error": Fault("status", 500),
    "garbage": Fault("garbage"),
}


@dataclass
class Weather:
    """Of the calls about ``steps`` a ``share`` goes wrong, decided by what is asked and how often it was before."""

    share: float
    kinds: Sequence[str] = tuple(FAULTS)
    visits: Counter[str] = field(default_factory=Counter)
    drawn: Counter[str] = field(default_factory=Counter)

    def __call__(self, number: int, body: Body) -> Fault | None:
        text = json.dumps(body)
        self.visits[text] += 1
        dice = random.Random(f"{self.visits[text]} {len(text)} {text[-200:]}")
        kind = dice.choice(list(self.kinds)) if dice.random() < self.share else ""
        self.drawn[kind] += 1
        return FAULTS.get(kind)


def test_calls_that_go_wrong_on_their_way_are_repeated_until_all_is_done(good: Good, tmp_path: Path) -> None:
    weather = Weather(0.3)
    with Loopback(vlm(good=1.0), fault=weather, threads=0) as server:
        assert see(good.records, tmp_path / "out", *model(server)) == 0
        calls = len(server.calls)
        assert see(good.records, tmp_path / "out", *model(server)) == 0
        assert len(server.calls) == calls
    assert len(weather.drawn) >= 5, weather.drawn
    assert data_of(tmp_path / "out") == data_of(good.out)
    assert rejects_of(tmp_path / "out") == []


def test_a_server_that_is_out_of_order_leaves_with_3_and_the_same_command_does_the_rest(
    good: Good, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, weather = tmp_path / "out", Weather(0.4, ("a server error", "too many requests"))
    with Loopback(vlm(good=1.0), fault=weather, threads=0) as server:
        assert see(good.records, out, *model(server), "--max-retries", 0) == 3
        said = capsys.readouterr().err
        assert ("Traceback" in said, said.splitlines()[-1]) == (
            False,
            "What was finished is kept; the same command goes on from there.",
        )
        assert rejects_of(out)
        assert stats_of(out)["turns"] == len(turns_of())
        weather.share, failed = 0.0, weather.drawn.total() - weather.drawn[""]
        assert see(good.records, out, *model(server), "--max-retries", 0) == 0
        assert server.received == len(good.asked) + failed, "what was answered is not asked again"
    assert data_of(out) == data_of(good.out)
    assert rejects_of(out) == []


def closed() -> str:
    """The address of a server that has gone."""
    with socket.create_server(("127.0.0.1", 0)) as gone:
        return f"http://127.0.0.1:{gone.getsockname()[1]}/v1"


def test_a_server_that_is_gone_when_it_is_asked_leaves_with_3_and_each_turn_is_errored(
    good: Good, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    assert see(good.records, out, "--model", "seer", "--base-url", closed(), "--max-retries", 0, "--no-preflight") == 3
    said = capsys.readouterr().err
    assert "Traceback" not in said
    assert sum(line.startswith("error: not done: ") for line in said.splitlines()) == 1
    assert (stats_of(out)["errored"], rows_of_none(out)) == (len(turns_of()), {})


def rows_of_none(out: Path) -> dict[str, Row]:
    """The rows of a folder in which there may be no data set."""
    return rows_of(out) if (out / "onevision.jsonl").is_file() else {}


def test_a_budget_stops_the_run_cleanly_and_a_larger_one_goes_on(
    good: Good, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = tmp_path / "out"
    with Loopback(vlm(good=1.0), threads=0) as server:
        flags = (*model(server), "--max-in-flight", 1)
        assert see(good.records, out, *flags, "--budget", "30000tok") == 4
        said = capsys.readouterr().err
        assert ("Traceback" in said, said.splitlines()[-1]) == (
            False,
            "What was finished is kept; the same command with a larger budget goes on from there.",
        )
        assert 0 < server.received < len(good.asked)
        assert see(good.records, out, *flags, "--budget", "1Mtok") == 0
        assert server.received == len(good.asked), "nothing is asked twice"
    assert data_of(out) == data_of(good.out)


def test_an_estimate_counts_the_calls_about_pictures_and_asks_nothing(
    good: Good, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    with Loopback(vlm(good=1.0), threads=0) as server:
        assert see(good.records, tmp_path / "out", *model(server), "--estimate") == 0
        assert server.received == 0
    said = capsys.readouterr().err
    [line] = [each.split() for each in said.splitlines() if "ImageTypeClassifier  seer" in each]
    pictures = str(len(pictures_of()))
    assert line[2:6] == ["seer", pictures, "0", pictures], said
    assert not (tmp_path / "out" / "onevision.jsonl").exists()


#: How sure the detector is, and where it sees something, in pixels.
BOX = (0.9, [1.0, 2.0, 30.0, 40.0])


class Eyes(DetectorServer):
    """A detector that finds the first thing that it is asked for, and is not sure about the last."""

    def _simple(self, body: Any) -> Any:
        first, last = body["labels"][0], body["labels"][-1]
        score, box = BOX
        return {"detections": [{"label": first, "score": score, "box": box}, {"label": last, "score": 0.1, "box": box}]}


def test_a_detector_looks_at_pictures_of_four_types_and_its_key_is_in_no_file(
    good: Good, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "detector-secret-13579"
    monkeypatch.setenv("EYES", key)
    out = tmp_path / "out"
    with Loopback(vlm(good=1.0), threads=0) as server, Eyes(key=key) as eyes:
        flags = ("--detector", eyes.url, "--profile", "simple", "--detector-api-key-env", "EYES")
        assert see(good.records, out, *model(server), *flags) == 0
        looked = len(eyes.asked)
        assert see(good.records, out, *model(server), *flags) == 0
        assert len(eyes.asked) == looked, "what was looked at is not looked at again"
    rows = rows_of(out)
    assert set(rows) == set(turns_of())
    of_type = {path: sets.pictures()[path]["type"] for path in pictures_of()}
    assert looked == sum(kind in DETECTED for kind in of_type.values()) > 2
    for row in rows.values():
        boxes = [(each["score"], each["box"]) for each in row["detections"]]
        found = (boxes, row["models"]["detections"] == "not for this type")
        assert found == (([BOX], False) if of_type[row["source_image"]] in DETECTED else ([], True)), row["id"]
    files = [path for path in out.rglob("*") if path.is_file()]
    assert [path for path in files if key.encode() in path.read_bytes()] == []


def calibration_of(out: Path) -> dict[str, Any]:
    return {each["kind"]: each for each in json.loads((out / "calibration.json").read_text())["kinds"]}


def measured(out: Path, *flags: object) -> tuple[dict[str, Any], dict[str, Any]]:
    """What calibrate wrote, whole and by kind, after seeing that its table says the same."""
    said: list[str] = []
    (out / "calibration.json").unlink(missing_ok=True)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("dataflow_ext.cli.say", said.append)
        assert main(["calibrate", str(out), *map(str, flags)]) == 0
    found = calibration_of(out)
    for kind, each in found.items():
        [line] = [line for line in said if line.startswith(f"{kind:26}")]
        code = each["code"]
        shown = [str(each["made"]), str(each["left_out"]), str(code["caught"]), f"{code['rate']:.1%}"]
        assert line[26:].split()[:4] == shown, line
        for figures in (code, each["judge"] or code):
            assert figures["low"] <= figures["rate"] <= figures["high"]
        assert each["errors"] == 0
    return json.loads((out / "calibration.json").read_text()), found


def test_without_a_model_calibrate_runs_all_steps_on_damaged_sources(whole: Run, tmp_path: Path) -> None:
    told, found = measured(shown(whole.out, tmp_path), "--rows", 36)
    assert (told["model"], told["judge"], told["kept"]) == (None, None, len(kept_in(whole.out)))
    for kind in ("wrong conclusion", "wrong conclusion, told", "other language", "copy"):
        assert found[kind]["code"]["rate"] >= 0.85, kind
    assert all(each["judge"] is None for each in found.values())


def test_with_a_judge_calibrate_tells_both_and_asks_nothing_twice(whole: Run, tmp_path: Path) -> None:
    out = shown(whole.out, tmp_path)
    with Loopback(judge(), threads=0) as server:
        flags = ("--judge-model", "critic", "--judge-base-url", server.url)
        some = measured(out, *flags, "--rows", 4)
        assert some[1]["undamaged"]["made"] == 4
        calls = server.received
        assert measured(out, *flags, "--rows", 4) == some
        assert server.received == calls > 4, "what was judged is not asked again"
    assert (some[0]["model"], some[0]["judge"]) == (None, "critic")
    for kind, each in some[1].items():
        assert each["judge"]["caught"] >= each["code"]["caught"] or kind == "undamaged", kind


def shown(out: Path, folder: Path) -> Path:
    """A folder with the rows and pictures of a run, for what is written beside them."""
    folder.mkdir(exist_ok=True)
    shutil.copy(out / "rows.parquet", folder)
    shutil.copytree(out / "images", folder / "images", dirs_exist_ok=True)
    return folder
