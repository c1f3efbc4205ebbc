"""Whole runs of ``cot_planning`` with a model that answers well, late and badly: no wrong sample gets in."""

import base64
import json
import multiprocessing
import random
import re
import signal
import sqlite3
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from operators.cot.mending import CLOSED, CUT, INSERTED, JOINED
from pipelines.cot_planning import main
from tests.loopback import Body, Fault, Loopback, limited
from tests.pipelines.cot_sets import BIKE, EXAMPLES, Entry, copied, data_of, entries_of, number_of, rejects_of, stats_of

#: How a reasoning ends, when it is asked for the first time and later.
ENDS = (
    "That is why the answer holds in this plan.",
    "This is why the answer holds here.",
    "So the answer holds in this plan.",
    "Therefore the answer holds as the plan says.",
)

Reply = Callable[[list[str], str, str], str]

_TOLD = re.compile(r"Required sentences, in this order:\n(.*?)\n\nGold answer:\n(.*)", re.DOTALL)


def said(sentences: list[str], answer: str, between: str = " ") -> str:
    return json.dumps({"reasoning": between.join(sentences), "answer": answer})


#: Replies that are bad, by what is bad in them.
TEXTS: Mapping[str, Reply] = {
    "no JSON": lambda anchors, answer, end: f"I think that {answer} {end}",
    "a lost sentence": lambda anchors, answer, end: said([*anchors[:1], *anchors[2:], end], answer),
    "lost sentences": lambda anchors, answer, end: said([anchors[0], end], answer),
    "another answer": lambda anchors, answer, end: said([*anchors, end], f"Not {answer}"),
    "line breaks": lambda anchors, answer, end: said([*anchors, end], answer, "\n"),
    "a leak": lambda anchors, answer, end: said(
        [*anchors, "The tire or the pipette is there in frame 12.", end], answer
    ),
    "an invented object": lambda anchors, answer, end: said([*anchors, "A trombone is of help.", end], answer),
}
#: Calls that go wrong on their way.
FAULTS: Mapping[str, Fault] = {
    "too many requests": limited(0),
    "a cut stream": Fault("cut"),
    "an empty reply": Fault("empty"),
    "a server error": Fault("status", 500),
}
#: What code may mend, and the note that says so.
MENDED = {"a lost sentence": INSERTED, "line breaks": JOINED, "an invented object": CUT}


def first_asked(body: Body) -> str:
    """The text of a sample's question, also where it is asked again."""
    content = next(message["content"] for message in body["messages"] if message["role"] == "user")
    return content if isinstance(content, str) else "".join(p["text"] for p in content if p["type"] == "text")


def told(body: Body) -> tuple[list[str], str]:
    """The required sentences and the gold answer of a sample."""
    found = _TOLD.search(first_asked(body))
    assert found is not None
    return found[1].split("\n"), found[2].rstrip("\n")


@dataclass
class Mind:
    """A model whose ``share`` of replies is bad, each in a way that is drawn from ``kinds``."""

    kinds: tuple[str, ...] = ()
    share: float = 1.0
    visits: Counter[str] = field(default_factory=Counter)
    samples: Counter[str] = field(default_factory=Counter)
    kind: dict[str, str] = field(default_factory=dict)
    drawn: Counter[str] = field(default_factory=Counter)

    def fault(self, number: int, body: Body) -> Fault | None:
        """What goes wrong with a call: decided by what is asked, and by how often it was asked before."""
        asked = json.dumps(body["messages"])
        self.visits[asked] += 1
        dice = random.Random(f"{self.visits[asked]} {asked}")
        kind = dice.choice(self.kinds) if self.kinds and dice.random() < self.share else ""
        self.kind[asked] = kind
        self.drawn[kind] += 1
        return FAULTS.get(kind)

    def __call__(self, body: Body) -> str:
        kind = self.kind[json.dumps(body["messages"])]
        anchors, answer = told(body)
        if kind not in TEXTS:
            return said([*anchors, ENDS[0]], answer)
        # The same request is not sent twice, so a bad reply must not be what it was before.
        self.samples[first_asked(body)] += 1
        return TEXTS[kind](anchors, answer, ENDS[(self.samples[first_asked(body)] - 1) % len(ENDS)])


def served(mind: Mind, **options: Any) -> Loopback:
    return Loopback(mind, fault=mind.fault, threads=0, **options)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short waits between tries."""
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)


def flags(server: Loopback, out: Path, *more: object) -> list[str]:
    of = ["--model", "m", "--base-url", server.url, "--seed", "1", *map(str, more)]
    return [str(EXAMPLES), "--out", str(out), *of]


def sound(out: Path) -> bool:
    """Whether the strict check finds nothing in a data set."""
    return main(["validate", "--input-root", str(EXAMPLES), "--cot-root", str(out), "--strict"]) == 0


def asked_of_a_model(out: Path) -> list[dict[str, Any]]:
    """The rejects of samples that were to be written by a model."""
    return [each for each in rejects_of(out) if each["operator"] != "CoTSampleBuilder"]


@dataclass(frozen=True)
class Good:
    """A run with a model that answers well."""

    out: Path
    entries: list[Entry]
    calls: int


@pytest.fixture(scope="module")
def good(tmp_path_factory: pytest.TempPathFactory) -> Good:
    out = tmp_path_factory.mktemp("good") / "out"
    with served(Mind()) as server:
        assert main(flags(server, out)) == 0
        calls = len(server.calls)
        before = data_of(out)
        assert main(flags(server, out)) == 0
        assert len(server.calls) == calls, "a second run asks nothing"
        generators = [each["meta"]["assistant_generator"] for each in entries_of(out)]
        assert generators == [
            {
                "type": "api_generate_v1",
                "api_base_url": server.url,
                "model_provider_id": "127.0.0.1",
                "model_name": "m",
            }
        ] * len(generators)
    assert data_of(out) == before
    return Good(out, entries_of(out), calls)


def test_a_model_that_answers_well_is_asked_once_a_sample(good: Good) -> None:
    assert good.calls == len(good.entries) > 100
    assert asked_of_a_model(good.out) == []
    assert sound(good.out)
    assert {number_of(entry["meta"]["task_name"]) for entry in good.entries} == set(range(28, 43))
    assert stats_of(good.out)["generators"] == {"api_generate_v1": good.calls}


def test_what_is_asked_and_answered_is_the_same_with_a_model_as_by_rules(good: Good, tmp_path: Path) -> None:
    assert main([str(EXAMPLES), "--out", str(tmp_path / "out"), "--seed", "1", "--tasks", "29,34,42"]) == 0
    by_rules = {entry["id"]: entry for entry in entries_of(tmp_path / "out")}
    by_model = {entry["id"]: entry for entry in good.entries if entry["id"] in by_rules}
    assert by_rules.keys() == by_model.keys()
    for key, entry in by_rules.items():
        other = by_model[key]
        assert entry["conversations"][0] == other["conversations"][0]
        parts = [e["conversations"][1]["value"].rpartition("</think>\n")[2] for e in (entry, other)]
        assert parts[0] == parts[1]
        both = [{**e["meta"], "assistant_generator": None} for e in (entry, other)]
        assert both[0] == both[1]


def test_with_three_bad_replies_in_ten_every_sample_is_kept_or_rejected_and_none_is_wrong(
    good: Good, tmp_path: Path
) -> None:
    mind = Mind((*TEXTS, *FAULTS), share=0.3)
    with served(mind) as server:
        assert main(flags(server, tmp_path / "out", "--max-retries", 5)) == 0
        calls = len(server.calls)
        assert main(flags(server, tmp_path / "out", "--max-retries", 5)) == 0
        assert len(server.calls) == calls, "what was rejected is not paid for again"
    assert all(mind.drawn[kind] for kind in (*TEXTS, *FAULTS)), mind.drawn
    kept, lost = entries_of(tmp_path / "out"), asked_of_a_model(tmp_path / "out")
    assert len(kept) + len(lost) == len(good.entries)
    assert len(lost) < len(good.entries) / 20
    assert {(each["operator"], each["attempts"]) for each in lost} <= {("CoTGenerator", 4)}
    assert sound(tmp_path / "out")
    right = {entry["id"]: entry["conversations"][1]["value"] for entry in good.entries}
    mended = sum(stats_of(tmp_path / "out")["mended"].values())
    assert {plain(entry["conversations"][1]["value"]) == plain(right[entry["id"]]) for entry in kept} == {True}
    assert mended > 0


def plain(response: str) -> str:
    """A response whose reasoning ends as it does when it is asked for the first time."""
    for end in ENDS:
        response = response.replace(end, ENDS[0])
    return response


@pytest.mark.parametrize("kind", TEXTS)
def test_a_model_that_is_always_bad_in_one_way_is_mended_or_rejected_after_its_attempts(
    kind: str, good: Good, tmp_path: Path
) -> None:
    with served(Mind((kind,))) as server:
        code = main(flags(server, tmp_path / "out", "--tasks", 37))
        calls = len(server.calls)
    wanted = [entry for entry in good.entries if number_of(entry["meta"]["task_name"]) == 37]
    if kind in MENDED:
        assert (code, calls, asked_of_a_model(tmp_path / "out")) == (0, len(wanted), [])
        assert stats_of(tmp_path / "out")["mended"] == dict.fromkeys((MENDED[kind], CUT, CLOSED), len(wanted))
        assert [entry["conversations"] for entry in entries_of(tmp_path / "out")] == [
            entry["conversations"] for entry in wanted
        ]
    else:
        assert (code, calls, data_of(tmp_path / "out")) == (1, 4 * len(wanted), {})
        rejects = asked_of_a_model(tmp_path / "out")
        assert {(each["operator"], each["kind"], each["attempts"]) for each in rejects} == {
            ("CoTGenerator", "failed", 4)
        }
        assert len(rejects) == len(wanted)
        assert all("reply" in json.loads(each["inputs"]) for each in rejects), "the last reply is kept"


def test_one_attempt_is_one_request(good: Good, tmp_path: Path) -> None:
    with served(Mind(("no JSON",))) as server:
        assert main(flags(server, tmp_path / "out", "--tasks", 29, "--max-sample-attempts", 1)) == 1
        calls = len(server.calls)
    rejects = asked_of_a_model(tmp_path / "out")
    assert [each["attempts"] for each in rejects] == [1] * calls
    assert calls == sum(number_of(entry["meta"]["task_name"]) == 29 for entry in good.entries)


@pytest.mark.parametrize("kind", ["too many requests", "a cut stream", "a server error"])
def test_a_server_that_is_out_of_order_leaves_with_3_and_the_same_command_does_the_rest(
    kind: str, good: Good, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    mind = Mind((kind,))
    with served(mind) as server:
        assert main(flags(server, tmp_path / "out", "--tasks", 29, "--max-retries", 0)) == 3
        assert "Traceback" not in capsys.readouterr().err
        assert data_of(tmp_path / "out") == {}
        mind.kinds = ()
        assert main(flags(server, tmp_path / "out", "--tasks", 29, "--max-retries", 0)) == 0
    wanted = [entry["id"] for entry in good.entries if number_of(entry["meta"]["task_name"]) == 29]
    assert [entry["id"] for entry in entries_of(tmp_path / "out")] == wanted
    assert sound(tmp_path / "out")


def pictures_in(body: Body) -> list[bytes]:
    contents = [message["content"] for message in body["messages"] if isinstance(message["content"], list)]
    urls = [part["image_url"]["url"] for parts in contents for part in parts if part["type"] == "image_url"]
    return [base64.b64decode(url.partition(",")[2]) for url in urls]


def test_the_evidence_is_sent_along_if_it_is_asked_for(good: Good, tmp_path: Path) -> None:
    with served(Mind()) as server:
        assert main(flags(server, tmp_path / "out", "--tasks", "29,41", "--with-images")) == 0
        bodies = [call.body for call in server.calls]
    wanted = [entry for entry in good.entries if number_of(entry["meta"]["task_name"]) in (29, 41)]
    shown = sorted([(EXAMPLES / path).read_bytes() for path in entry["image"]] for entry in wanted)
    assert sorted(pictures_in(body) for body in bodies) == shown
    assert [entry["conversations"] for entry in entries_of(tmp_path / "out")] == [e["conversations"] for e in wanted]


def test_without_that_flag_no_picture_is_sent(good: Good, tmp_path: Path) -> None:
    with served(Mind()) as server:
        assert main(flags(server, tmp_path / "out", "--tasks", 31, "--provider-id", "our own")) == 0
        assert [pictures_in(call.body) for call in server.calls] == [[]] * len(server.calls)
    names = {entry["meta"]["assistant_generator"]["model_provider_id"] for entry in entries_of(tmp_path / "out")}
    assert names == {"our own"}


def test_the_key_goes_to_the_server_and_into_no_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    key = "sk-quite-secret-0123456789"
    monkeypatch.setenv("OUR_KEY", key)
    with served(Mind(("another answer", "a server error"), share=0.5)) as server:
        main(flags(server, tmp_path / "out", "--tasks", 29, "--api-key-env", "OUR_KEY", "--max-retries", 9))
        assert {call.authorization for call in server.calls} == {f"Bearer {key}"}
    files = [path for path in (tmp_path / "out").rglob("*") if path.is_file()]
    assert len(files) > 5
    assert [path for path in files if key.encode() in path.read_bytes()] == []


def test_a_plan_that_is_damaged_costs_its_own_samples_alone(good: Good, tmp_path: Path) -> None:
    copied(tmp_path / "root")
    plan = copied(tmp_path / "root", name="broken") / "causal_plan_with_keyframes.json"
    plan.write_text("[")
    with served(Mind()) as server:
        assert main([str(tmp_path / "root"), *flags(server, tmp_path / "out", "--tasks", 29)[1:]]) == 5
    wanted = [entry for entry in good.entries if number_of(entry["meta"]["task_name"]) == 29]
    ids = [entry["id"] for entry in wanted if entry["meta"]["source_path"].startswith(BIKE)]
    assert [entry["id"] for entry in entries_of(tmp_path / "out")] == ids
    assert [each["error"] for each in asked_of_a_model(tmp_path / "out")] == ["PlanError"]


def stored(out: Path) -> int:
    """How many replies are remembered."""
    path = out / ".run" / "requests.sqlite"
    if not path.is_file():
        return 0
    with closing(sqlite3.connect(path, timeout=10)) as database:
        try:
            found: int = database.execute("SELECT count(*) FROM replies").fetchone()[0]
        except sqlite3.OperationalError:  # the table is not there yet
            return 0
    return found


@pytest.fixture
def slow() -> Iterator[tuple[Mind, Loopback]]:
    mind = Mind()
    with served(mind, delay=0.05) as server:
        yield mind, server


def test_a_run_that_is_killed_asks_again_for_nothing_that_was_answered(
    good: Good, slow: tuple[Mind, Loopback], tmp_path: Path
) -> None:
    mind, server = slow
    out = tmp_path / "out"
    arguments = flags(server, out, "--tasks", "29,30,37,39", "--max-in-flight", 4)
    wanted = [entry for entry in good.entries if number_of(entry["meta"]["task_name"]) in (29, 30, 37, 39)]
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(["pipelines.cot_planning"])
    process = forks.Process(target=main, args=(arguments,))
    process.start()
    deadline = time.monotonic() + 60
    while stored(out) < 8 and process.is_alive() and time.monotonic() < deadline:
        time.sleep(0.005)
    process.kill()
    process.join(30)
    assert process.exitcode == -signal.SIGKILL
    assert data_of(out) == {}
    time.sleep(0.2)  # what was under way is answered into the void
    kept, before = stored(out), server.received
    assert 8 <= kept < len(wanted)
    assert main(arguments) == 0
    assert server.received - before == len(wanted) - kept, "what was answered is not asked again, all else is, once"
    assert len(mind.visits) == len(wanted)
    assert max(mind.visits.values()) <= 2
    assert [entry["conversations"] for entry in entries_of(out)] == [entry["conversations"] for entry in wanted]
