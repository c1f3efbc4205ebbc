"""Whole runs of ``scene_edit`` with models that answer well, late and badly: nothing untrue gets in, nothing is lost."""

import json
import multiprocessing
import random
import shutil
import signal
import socket
import sqlite3
import time
from collections import Counter
from collections.abc import Iterator, Mapping
from contextlib import closing
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pyarrow.compute as pc
import pytest

from dataflow_ext import run
from dataflow_ext.claims.vocabulary import prompt_text
from operators import SceneReader, SceneReverseEditor
from operators.scene.claims.world import ROOM
from operators.scene.reading.room_file import rooms as rooms_in
from pipelines.scene_edit import main
from prompts import SceneCoTPrompt, SceneJudgePrompt, SceneWordingPrompt
from tests.loopback import Body, Fault, Loopback, limited, prompt_of
from tests.pipelines.scene_sets import (
    LEFT,
    LIBRARY,
    STUDY,
    VERDICT,
    WISH,
    chains_in,
    data_of,
    edit,
    entries_of,
    library,
    lost,
    put,
    rejects_of,
    stats_of,
    study,
    true_texts,
    turn_key,
)

SEED, CHAINS = 1, 2
FLAGS = ("--seed", SEED, "--chains", CHAINS, "--keep", 1, "--turns", 2, "--spare", "0")
#: Questions about all chains, about all of them again, about each turn of those that are kept, and about their words.
ASKED = 2 * CHAINS + 2 * CHAINS + 2 * 3 + 2

#: What spoils a reply, whatever it is a reply to.
TEXTS = ("no form", "an invention", "an empty text")
#: Calls that go wrong on their way.
FAULTS: Mapping[str, Fault] = {
    "too many requests": limited(0),
    "a cut stream": Fault("cut"),
    "an empty reply": Fault("empty"),
    "a server error": Fault("status", 500),
    "garbage": Fault("garbage"),
}
STEPS = {"instruction": "InstructionWriter", "judge": "ChainJudge", "turn": "SceneCoTGenerator"}
#: How often each is asked for a good reply.
ATTEMPTS = {"instruction": 3, "judge": 2, "turn": 4}


def stage_of(body: Body) -> str:
    """What a question is about."""
    system = [message["content"] for message in body["messages"] if message["role"] == "system"]
    reasoning = SceneCoTPrompt().fill(claims=prompt_text(ROOM))
    wording = SceneWordingPrompt().fill(claims=prompt_text(ROOM))
    return {SceneJudgePrompt().text: "judge", reasoning: "turn", wording: "wording"}.get("".join(system), "instruction")


def question_of(body: Body) -> str:
    """The text of a question, also where it is asked again."""
    first = next(message for message in body["messages"] if message["role"] == "user")
    return prompt_of({"messages": [first]})


def spoilt(kind: str, stage: str, good: str) -> str:
    """A bad reply in place of a good one."""
    if kind == "an empty text":
        return json.dumps(dict.fromkeys(json.loads(good), "")) if stage == "judge" else " "
    if kind == "no form":
        return "" if stage == "instruction" else "As an AI I would rather not say."
    if stage == "instruction":
        return "Set up the room with a grand piano and two aquariums."
    if stage == "judge":
        return json.dumps({**VERDICT, "coherence": 41})
    return " ".join(f"The grand piano stays {n} m away [top(grand piano)]." for n in range(20))


@dataclass
class Mind:
    """A model that knows good replies, and of whose replies to ``stages`` a ``share`` is bad in one of the ``kinds``."""

    texts: Mapping[str, str]
    kinds: tuple[str, ...] = ()
    share: float = 1.0
    stages: tuple[str, ...] = tuple(STEPS)
    visits: Counter[str] = field(default_factory=Counter)
    drawn: Counter[str] = field(default_factory=Counter)
    kind: dict[str, str] = field(default_factory=dict)

    def fault(self, number: int, body: Body) -> Fault | None:
        """What goes wrong with a call: decided by what is asked, and by how often it was asked before."""
        asked = json.dumps(body)
        self.visits[asked] += 1
        dice = random.Random(f"{self.visits[asked]} {asked}")
        bad = self.kinds and stage_of(body) in self.stages and dice.random() < self.share
        self.kind[asked] = dice.choice(self.kinds) if bad else ""
        self.drawn[self.kind[asked]] += 1
        return FAULTS.get(self.kind[asked])

    def __call__(self, body: Body) -> str:
        stage, kind = stage_of(body), self.kind[json.dumps(body)]
        replies = {"instruction": WISH, "judge": json.dumps(VERDICT)}
        if stage == "wording":
            many = len(question_of(body).splitlines())
            return json.dumps({"verdicts": [{"sentence": n, "agrees": True} for n in range(1, many + 1)]})
        good = replies.get(stage) or self.texts.get(turn_key(question_of(body)), "{}")
        return spoilt(kind, stage, good) if kind in TEXTS else good


def served(mind: Mind, **options: Any) -> Loopback:
    return Loopback(mind, fault=mind.fault, threads=0, **options)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Short waits between tries."""
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return put(tmp_path_factory.mktemp("rooms"), **{STUDY: study(), LIBRARY: library()})


@pytest.fixture(scope="module")
def texts(rooms: Path) -> dict[str, str]:
    """True texts of all turns of all chains."""
    editor = SceneReverseEditor(chains=CHAINS, turns=(2, 2), seed=SEED)
    return true_texts(run([SceneReader(), editor], rooms_in([rooms])).table, SEED)


@dataclass(frozen=True)
class Good:
    """A run with models that answer well: one writes, the other judges."""

    rooms: Path
    out: Path
    calls: int

    def beginning(self, out: Path) -> Path:
        """A folder for another run, with pictures that are drawn already."""
        shutil.copytree(self.out / ".run" / "pictures", out / ".run" / "pictures")
        return out


@pytest.fixture(scope="module")
def good(rooms: Path, texts: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> Good:
    out = tmp_path_factory.mktemp("good") / "out"
    with served(Mind(texts)) as server:
        assert edit(rooms, out, *FLAGS, *model(server), "--judge-model", "critic") == 0
        calls = len(server.calls)
        before = data_of(out)
        assert edit(rooms, out, *FLAGS, *model(server), "--judge-model", "critic") == 0
        assert len(server.calls) == calls, "a second run asks nothing"
    assert data_of(out) == before
    return Good(rooms, out, calls)


def model(server: Loopback) -> tuple[str, ...]:
    return "--model", "writer", "--base-url", server.url


def sound(out: Path) -> bool:
    """Whether the check finds nothing in a data set; the pictures are not drawn again."""
    return main(["validate", str(out), "--no-redraw"]) == 0


ALL = [(LIBRARY, 1), (LIBRARY, 2), (STUDY, 1), (STUDY, 2)]


def test_models_that_answer_well_are_asked_once_each_and_are_named(good: Good) -> None:
    assert good.calls == ASKED
    assert sorted(chains_in(good.out)) == sorted(ALL)
    assert lost(good.out) == []
    assert sound(good.out)
    known = [entry["metadata"] for entry in entries_of(good.out)]
    assert [(each["instruction_by"], each["text_by"], each["scores"]["judged_by"]) for each in known] == [
        ("writer", "writer", "critic")
    ] * 2
    assert [each["global_user_instruction"] for each in known] == [WISH] * 2
    assert [(each["scores"]["total"], each["scores"]["note"]) for each in known] == [(86.5, "Large things first.")] * 2
    assert [each["chain_id"] for each in known] == [1, 1], "of chains with as many points the first is kept"


def test_the_model_is_its_own_judge_if_none_is_named_and_sees_every_picture(good: Good, tmp_path: Path) -> None:
    out = good.beginning(tmp_path / "out")
    mind = Mind({}, ("no form",), stages=("turn",))
    with served(mind) as server:
        assert edit(good.rooms, out, *FLAGS, *model(server)) == 1
        judged = [call.body for call in server.calls if stage_of(call.body) == "judge"]
    shown = [sum(part["type"] == "image_url" for part in body["messages"][-1]["content"]) for body in judged]
    assert shown == [3] * 4
    assert {body["model"] for body in judged} == {"writer"}
    dropped = [json.loads(each["inputs"]) for each in rejects_of(out) if each["operator"] == "TopKChains"]
    assert [each["judged_by"] for each in dropped] == ["writer"] * 2


def test_with_three_bad_replies_in_ten_every_chain_is_accounted_for_none_is_wrong_and_the_key_is_in_no_file(
    good: Good, texts: dict[str, str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = "sk-quite-secret-0123456789"
    monkeypatch.setenv("OUR_KEY", key)
    out = good.beginning(tmp_path / "out")
    mind = Mind(texts, (*TEXTS, *FAULTS), share=0.3)
    with served(mind) as server:
        arguments = (*FLAGS, *model(server), "--max-retries", 6, "--api-key-env", "OUR_KEY")
        assert edit(good.rooms, out, *arguments) == 0
        calls = len(server.calls)
        assert calls > ASKED
        assert edit(good.rooms, out, *arguments) == 0
        assert len(server.calls) == calls, "what was rejected is not paid for again"
        assert {call.authorization for call in server.calls} == {f"Bearer {key}"}
    files = [path for path in out.rglob("*") if path.is_file()]
    assert len(files) > 10
    assert [path for path in files if key.encode() in path.read_bytes()] == []
    assert sum(mind.drawn[kind] for kind in TEXTS) > 1, mind.drawn
    assert sum(mind.drawn[kind] for kind in FAULTS) > 1, mind.drawn
    assert sorted(chains_in(out)) == sorted(ALL)
    assert sound(out)
    right = {entry["id"]: entry for entry in entries_of(good.out)}
    for entry in entries_of(out):
        if entry["id"] in right:
            assert entry["messages"] == right[entry["id"]]["messages"]


@pytest.mark.parametrize("stage", STEPS)
def test_a_model_whose_replies_are_always_bad_makes_rejects_after_its_attempts(
    stage: str, good: Good, texts: dict[str, str], tmp_path: Path
) -> None:
    out = good.beginning(tmp_path / "out")
    mind = Mind(texts, TEXTS, stages=(stage,))
    with served(mind) as server:
        assert edit(good.rooms, out, *FLAGS, *model(server)) == 1
        calls = Counter(stage_of(call.body) for call in server.calls)
    assert all(mind.drawn[kind] for kind in TEXTS), mind.drawn
    asked = {"instruction": 4, "judge": 4, "turn": 6}[stage]
    assert calls[stage] == asked * ATTEMPTS[stage]
    rejects = lost(out)
    assert {(each["operator"], each["kind"], each["attempts"]) for each in rejects} == {
        (STEPS[stage], "failed", ATTEMPTS[stage])
    }
    assert len(rejects) == (2 if stage == "turn" else 4)
    assert all("reply" in json.loads(each["inputs"]) for each in rejects), "the last reply is kept"
    assert sorted(chains_in(out)) == sorted(ALL)
    assert data_of(out) == {}


def test_a_server_that_is_out_of_order_leaves_with_3_and_the_same_command_does_the_rest(
    good: Good, texts: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = good.beginning(tmp_path / "out")
    mind = Mind(texts, ("too many requests", "a cut stream", "a server error"), stages=("turn",), share=0.7)
    arguments = (*FLAGS, "--judge-model", "critic", "--max-retries", 0)
    with served(mind) as server:
        assert edit(good.rooms, out, *arguments, *model(server)) == 3
        said = capsys.readouterr().err
        assert ("Traceback" in said, said.splitlines()[-1]) == (
            False,
            "What was finished is kept; the same command goes on from there.",
        )
        mind.kinds, failed = (), sum(mind.drawn[kind] for kind in FAULTS)
        assert failed > 1
        assert edit(good.rooms, out, *arguments, *model(server)) == 0
        assert server.received == ASKED + failed, "what was answered is not asked again"
    assert data_of(out) == data_of(good.out)
    assert rejects_of(out) == rejects_of(good.out)


def test_a_server_that_is_gone_when_it_is_asked_leaves_with_3_and_a_sentence(
    good: Good, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    flags = (*FLAGS, "--model", "m", "--base-url", closed(), "--max-retries", 0, "--no-preflight")
    assert edit(good.rooms, tmp_path / "out", *flags) == 3
    said = capsys.readouterr().err.splitlines()
    assert not any("Traceback" in line for line in said)
    assert sum(line.startswith("error: not done: ") for line in said) == 1
    assert data_of(tmp_path / "out") == {}


def closed() -> str:
    """The address of a server that has gone."""
    with socket.create_server(("127.0.0.1", 0)) as gone:
        port = gone.getsockname()[1]
    return f"http://127.0.0.1:{port}/v1"


def test_a_budget_stops_the_run_cleanly_and_a_larger_one_goes_on(
    good: Good, texts: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = good.beginning(tmp_path / "out")
    arguments = (*FLAGS, "--judge-model", "critic", "--max-in-flight", 1)
    with served(Mind(texts)) as server:
        assert edit(good.rooms, out, *arguments, *model(server), "--budget", "9000tok") == 4
        said = capsys.readouterr().err
        assert ("Traceback" in said, said.splitlines()[-1]) == (
            False,
            "What was finished is kept; the same command with a larger budget goes on from there.",
        )
        assert 0 < server.received < ASKED
        assert edit(good.rooms, out, *arguments, *model(server), "--budget", "1Mtok") == 0
        assert server.received == ASKED, "nothing is asked twice"
    assert data_of(out) == data_of(good.out)


def test_an_estimate_asks_nothing_and_makes_nothing(good: Good, tmp_path: Path) -> None:
    with served(Mind({})) as server:
        assert edit(good.rooms, tmp_path / "out", *FLAGS, *model(server), "--estimate") == 0
        assert server.received == 0
    assert entries_of(tmp_path / "out") == []


def test_reasoning_can_be_written_again_by_a_model_and_a_dead_server_leaves_the_data_set_as_it_was(
    good: Good, texts: dict[str, str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out = Path(shutil.copytree(good.out, tmp_path / "out"))
    before = {path: path.read_bytes() for path in out.rglob("*") if path.is_file() and ".run" not in path.parts}
    again = ("--only", "cot", "--out", str(out), "--seed", "1", "--model", "another")
    assert main([*again, "--base-url", closed(), "--max-retries", "0", "--no-preflight"]) == 3
    said = capsys.readouterr().err
    assert ("Traceback" in said, f"The data set in {out} is as it was." in said.splitlines()) == (False, True)
    assert said.splitlines()[-1] == "What was finished is kept; the same command goes on from there."
    assert {path: path.read_bytes() for path in before} == before
    assert {path.name for path in out.iterdir()} == LEFT
    with served(Mind(texts)) as server:
        assert main([*again, "--base-url", server.url]) == 0
        assert Counter(stage_of(call.body) for call in server.calls) == {"turn": 6}
    known = [entry["metadata"] for entry in entries_of(out)]
    assert [(each["text_by"], each["instruction_by"], each["scores"]["judged_by"]) for each in known] == [
        ("another", "writer", "critic")
    ] * 2
    assert [entry["messages"] for entry in entries_of(out)] == [entry["messages"] for entry in entries_of(good.out)]
    assert sound(out)


def test_a_model_that_writes_nothing_true_leaves_data_set_and_figures_as_they_were(
    good: Good, texts: dict[str, str], tmp_path: Path
) -> None:
    out = Path(shutil.copytree(good.out, tmp_path / "out"))
    with served(Mind(texts, ("an invention",))) as server:
        assert main(["--only", "cot", "--out", str(out), "--seed", "1", *model(server)]) == 1
    assert data_of(out) == data_of(good.out)
    assert (stats_of(out)["conversations"], stats_of(out)["texts_by"]) == (2, {"writer": 2})


def test_chains_can_be_judged_again_by_another_model(good: Good, texts: dict[str, str], tmp_path: Path) -> None:
    out = Path(shutil.copytree(good.out, tmp_path / "out"))
    with served(Mind(texts)) as server:
        flags = ("--only", "judge", "--out", str(out), "--seed", "1", "--keep", "1", *model(server))
        assert main([*flags, "--judge-model", "mild"]) == 0
        assert Counter(stage_of(call.body) for call in server.calls) == {"judge": 4, "turn": 6, "wording": 2}
        assert main([*flags, "--judge-model", "stern"]) == 0
        assert Counter(stage_of(call.body) for call in server.calls) == {"judge": 8, "turn": 6, "wording": 4}
    known = [entry["metadata"] for entry in entries_of(out)]
    assert [(each["text_by"], each["scores"]["judged_by"]) for each in known] == [("writer", "stern")] * 2
    assert sorted(chains_in(out)) == sorted(ALL)


def test_the_next_best_chain_takes_the_place_of_one_whose_text_fails(
    good: Good, texts: dict[str, str], tmp_path: Path
) -> None:
    kept = [(each["metadata"]["scene_id"], each["metadata"]["chain_id"]) for each in entries_of(good.out)]
    room, best = kept[0]
    made = run(
        [SceneReader(), SceneReverseEditor(chains=CHAINS, turns=(2, 2), seed=SEED)], rooms_in([good.rooms])
    ).table
    fails = made.filter(pc.and_(pc.equal(made["scene_id"], room), pc.equal(made["chain_id"], best)))
    known = {key: text for key, text in texts.items() if key not in true_texts(fails, SEED)}
    out = good.beginning(tmp_path / "out")
    with served(Mind(known)) as server:
        assert edit(good.rooms, out, *FLAGS, *model(server), "--judge-model", "critic", "--spare", "1") == 0
    other = ({1, 2} - {best}).pop()
    assert [(each["metadata"]["scene_id"], each["metadata"]["chain_id"]) for each in entries_of(out)] == [
        (room, other), *kept[1:]
    ]  # fmt: skip
    assert sorted(chains_in(out)) == sorted(ALL)


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
def slow(texts: dict[str, str]) -> Iterator[tuple[Mind, Loopback]]:
    mind = Mind(texts)
    with served(mind, delay=0.1) as server:
        yield mind, server


def test_a_run_that_is_killed_asks_again_for_nothing_that_was_answered(
    good: Good, slow: tuple[Mind, Loopback], tmp_path: Path
) -> None:
    mind, server = slow
    out = good.beginning(tmp_path / "out")
    flags = (*FLAGS, *model(server), "--judge-model", "critic", "--max-in-flight", 2)
    arguments = [str(good.rooms), "--out", str(out), *map(str, flags)]
    forks = multiprocessing.get_context("forkserver")
    forks.set_forkserver_preload(["pipelines.scene_edit", "operators.scene.output.page", "operators.scene.model.floor"])
    process = forks.Process(target=main, args=(arguments,))
    process.start()
    deadline = time.monotonic() + 60
    while stored(out) < 9 and process.is_alive() and time.monotonic() < deadline:
        time.sleep(0.005)
    process.kill()
    process.join(30)
    assert process.exitcode == -signal.SIGKILL
    assert data_of(out) == {}
    time.sleep(0.2)  # what was under way is answered into the void
    kept, before = stored(out), server.received
    assert 9 <= kept < ASKED
    server.delay = 0.0
    assert main(arguments) == 0
    assert server.received - before == ASKED - kept, "what was answered is not asked again, all else is, once"
    assert len(mind.visits) == ASKED
    assert max(mind.visits.values()) <= 2
    assert data_of(out) == data_of(good.out)
