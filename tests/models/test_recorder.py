"""The recorder: what is played, what is asked, and a file that people read and kills do not spoil."""

import asyncio
import hashlib
import json
import pickle
import re
import signal
import subprocess
import sys
from dataclasses import replace
from typing import Any, ClassVar

import pyarrow as pa
import pytest

from dataflow_ext import RowOperator
from dataflow_ext.background import map_async, run_async
from dataflow_ext.errors import InputError, OptionError
from dataflow_ext.fingerprint import fingerprint
from dataflow_ext.models import (
    Model,
    OpenAIModel,
    RateLimitedError,
    RefusedError,
    Reply,
    Request,
    ScriptedModel,
    ScriptError,
    Session,
    complete,
)
from dataflow_ext.models.scripted import Recorder
from dataflow_ext.models.structured.ask import ask as asked_value
from tests.loopback import Loopback

PNG = b"\x89PNG\r\n\x1a\n picture"


def ask(model, *args, **kwargs):
    return run_async(model.complete(Request(*args, **kwargs)))


def lines(path):
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def test_what_was_recorded_is_played_without_the_model_and_costs_nothing(tmp_path):
    path = tmp_path / "deep" / "r.jsonl"
    reply = Reply("数 ü", "length", 7, 2, 3, "m-2026", "remote", 1)
    script = ScriptedModel([reply])
    first = ask(Recorder(script, path), "a", "s")
    again = [ask(Recorder(None, path), "a", "s"), ask(Recorder(script, path), "a", "s")]
    assert first == replace(reply, origin="scripted")
    assert again == [replace(first, from_cache=True)] * 2
    assert len(script.calls) == 1


def test_a_line_tells_a_person_the_whole_request_and_its_reply(tmp_path):
    path = tmp_path / "r.jsonl"
    (tmp_path / "p.png").write_bytes(PNG)
    request = Request(
        "两点", "s", (PNG, str(tmp_path / "p.png")), 50, 0.5, 3, {"type": "object"}, "pair", ("a", "b?"), context=1
    )
    run_async(Recorder(ScriptedModel([Reply("是", completion_tokens=2)], name="m"), path).complete(request))
    head, line = lines(path)
    assert (list(head), head["recording"], head["name"]) == (
        ["recording", "begun", "name", "server", "local", "max_tokens", "identity"],
        1,
        "m",
    )
    sha = hashlib.sha256(PNG).hexdigest()
    assert re.fullmatch(r"[0-9a-f]{64}", line["key"])
    assert list(line.items())[1:] == [
        ("model", "m"),
        ("system", "s"),
        ("prompt", "两点"),
        ("images", [sha, sha]),
        ("follow_up", ["a", "b?"]),
        (
            "settings",
            {
                "max_tokens": 50,
                "temperature": 0.5,
                "seed": 3,
                "json_schema": {"type": "object"},
                "schema_name": "pair",
            },
        ),
        ("reply", {"text": "是", "completion_tokens": 2, "model": "m", "origin": "scripted"}),
    ]
    assert '"prompt": "两点"' in path.read_text(encoding="utf-8")


def test_pictures_count_by_content_wherever_they_lie(tmp_path):
    path = tmp_path / "r.jsonl"
    (tmp_path / "p.png").write_bytes(PNG)
    ask(Recorder(ScriptedModel(["seen"]), path), "a", images=(str(tmp_path / "p.png"),))
    player = Recorder(None, path)
    assert ask(player, "a", images=(PNG,)).text == "seen"
    with pytest.raises(ScriptError, match="line 2; first difference, in images number 1 at character"):
        ask(player, "a", images=(PNG + b"!",))


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        (
            Request("Tell me about Euler and his bridges", "be brief"),
            "Nearest is line 2; first difference, in prompt at character 20: "
            "recorded 'Tell me about Euler.', asked 'Tell me about Euler and his bridges'.",
        ),
        (
            Request("Tell me about Gauss.", "be long", max_tokens=9),
            "Nearest is line 3; first difference, in system at character 4: recorded 'be brief', asked 'be long'.",
        ),
        (
            Request("Tell me about Gauss.", "be brief", max_tokens=8),
            "Nearest is line 3; first difference, in settings: recorded {'max_tokens': 9}, asked {'max_tokens': 8}.",
        ),
        (
            Request("Tell me about Gauss.", "be brief", max_tokens=9, follow_up=("x", "more")),
            "Nearest is line 3; first difference, in follow_up: recorded 0, asked 2.",
        ),
    ],
)
def test_a_request_that_is_missing_is_shown_beside_the_nearest(tmp_path, asked, said):
    path = tmp_path / "r.jsonl"
    recorder = Recorder(ScriptedModel(["e", "g"]), path)
    ask(recorder, "Tell me about Euler.", "be brief")
    ask(recorder, "Tell me about Gauss.", "be brief", max_tokens=9)
    with pytest.raises(ScriptError) as caught:
        run_async(Recorder(recorder.model, path, "replay").complete(asked))
    assert str(caught.value) == f"{path} has no reply for this request. {said}"


def test_an_empty_recording_says_so(tmp_path):
    path = tmp_path / "r.jsonl"
    Recorder(ScriptedModel(["a"]), path).identity()
    with pytest.raises(ScriptError, match="It holds no reply at all"):
        ask(Recorder(None, path), "a")


def test_refusals_are_kept_and_other_failures_are_asked_again(tmp_path):
    path = tmp_path / "r.jsonl"
    refusal = RefusedError("no", reply=Reply("I will not.", "refusal", 5, 0, 3, "m"))
    recorder = Recorder(ScriptedModel([refusal, RateLimitedError("busy"), "fine"]), path)
    with pytest.raises(RefusedError, match=r"I will not\.") as first:
        ask(recorder, "a")
    assert (first.value.reply.tokens, first.value.reply.from_cache) == (8, False)
    with pytest.raises(RefusedError, match=r"I will not\.") as played:
        ask(Recorder(None, path), "a")
    assert (played.value.reply.tokens, played.value.reply.from_cache) == (8, True)
    with pytest.raises(RateLimitedError):
        ask(recorder, "b")
    assert ask(recorder, "b").text == "fine"
    assert [line["reply"]["text"] for line in lines(path)[1:]] == ["I will not.", "fine"]


def test_identity_is_the_same_with_and_without_the_model_and_new_for_a_new_recording(tmp_path):
    path = tmp_path / "r.jsonl"
    recorder = Recorder(ScriptedModel({"a": "b"}), path)
    identity = recorder.identity()
    ask(recorder, "a")
    players = [
        Recorder(None, path),
        Recorder(OpenAIModel(name="x"), path, "replay"),
        pickle.loads(pickle.dumps(recorder)),
    ]
    assert [recorder.identity(), *(player.identity() for player in players)] == [identity] * 4
    assert identity["of"] == ScriptedModel({"a": "b"}).identity()
    assert [(player.name, player.server) for player in players] == [("scripted", "scripted")] * 3
    path.unlink()
    assert Recorder(ScriptedModel({"a": "b"}), path).identity() != identity


class Shout(RowOperator):
    """The model's words."""

    inputs: ClassVar[Any] = {"text": str}
    outputs: ClassVar[Any] = {"said": str}
    model: Model

    async def row(self, text: str) -> dict[str, Any]:
        return {"said": (await complete(self.model, Request(text))).text}


def test_as_an_operators_option_it_leaves_the_fingerprint_alone(tmp_path):
    path = tmp_path / "r.jsonl"
    live = Shout(model=Recorder(ScriptedModel({"": "ja"}), path))
    table = pa.table({"text": ["x", "y"]})
    before = fingerprint(live)
    steps = [live, pickle.loads(pickle.dumps(live)), Shout(model=Recorder(None, path))]
    assert [step(table)["said"].to_pylist() for step in steps] == [["ja", "ja"]] * 3
    assert [fingerprint(step) for step in steps] == [before] * 3


def test_a_recording_of_another_model_is_refused_by_name(tmp_path):
    path = tmp_path / "r.jsonl"
    first = OpenAIModel(name="m", base_url="http://127.0.0.1:9/v1", temperature=0.5)
    Recorder(first, path).identity()
    with pytest.raises(OptionError, match=r"another model \(temperature: recorded 0\.5, given 1\.0\)"):
        ask(Recorder(first.model_copy(update={"temperature": 1.0}), path), "a")


@pytest.mark.parametrize(
    ("options", "said"),
    [((None, "r.jsonl", "record"), "needs a model"), ((ScriptedModel([]), "r.jsonl", "play"), "mode is 'play'")],
)
def test_modes_that_make_no_sense_are_refused(options, said):
    with pytest.raises(OptionError, match=said):
        Recorder(*options)


def test_without_a_file_and_a_model_there_is_nothing_to_play(tmp_path):
    with pytest.raises(InputError, match=r"There is no recording .*none\.jsonl"):
        Recorder(None, tmp_path / "none.jsonl")


def test_a_line_that_was_cut_off_is_passed_over_and_written_again(tmp_path, caplog):
    path = tmp_path / "r.jsonl"
    recorder = Recorder(ScriptedModel(lambda request: request.prompt.upper()), path)
    for prompt in "ab":
        ask(recorder, prompt)
    whole = path.read_bytes()
    for cut in (1, 30, len(whole.splitlines()[-1])):
        path.write_bytes(whole[:-cut])
        caplog.clear()
        after = Recorder(recorder.model, path)
        assert [ask(after, prompt).text for prompt in "ab"] == ["A", "B"]
        assert path.read_bytes() in (whole, whole[:-1])
        assert ("was cut off" in caplog.text) == (cut > 1)
        assert ask(after, "c").text == "C"
        assert [line.get("prompt") for line in lines(path)] == [None, "a", "b", "c"]


def test_a_first_line_that_was_cut_off_is_written_again(tmp_path):
    path = tmp_path / "r.jsonl"
    path.write_bytes(b'{"recording": 1, "beg')
    assert ask(Recorder(ScriptedModel(["a"]), path), "a").text == "a"
    assert [next(iter(line)) for line in lines(path)] == ["recording", "key"]


@pytest.mark.parametrize("content", ["notes\n", "notes", "{}\n", '{"recording": 99}\n'])
def test_a_file_that_is_no_recording_is_left_alone(tmp_path, content):
    path = tmp_path / "r.jsonl"
    path.write_text(content)
    with pytest.raises(InputError, match="is no recording"):
        ask(Recorder(ScriptedModel(["a"]), path), "a")
    assert path.read_text() == content


@pytest.mark.parametrize("line", ["<<<<<<< ours", '{"key": "k"}', '{"key": "k", "reply": {"words": "a"}}', "[]"])
def test_a_line_that_was_spoilt_is_named(tmp_path, line):
    path = tmp_path / "r.jsonl"
    ask(Recorder(ScriptedModel(["a"]), path), "a")
    path.write_text(path.read_text() + line + "\n")
    with pytest.raises(InputError, match=r"r\.jsonl, line 3, cannot be read"):
        ask(Recorder(None, path), "b")


def test_half_a_surrogate_pair_is_recorded_in_a_file_that_is_utf_8(tmp_path):
    path = tmp_path / "r.jsonl"
    ask(Recorder(ScriptedModel(["a\ud800\u2028b"]), path), "p\udc00 \\ud801")
    assert ask(Recorder(None, path), "p\udc00 \\ud801").text == "a\ud800\u2028b"
    path.read_bytes().decode("utf-8")


def test_many_tasks_record_each_request_once(tmp_path):
    path = tmp_path / "r.jsonl"
    with Loopback(delay=0.02) as server, Session():
        model = Recorder(OpenAIModel(name="m", base_url=server.url), path)
        requests = [Request(f"prompt {n % 20}") for n in range(60)]
        texts = [r.text for r in run_async(map_async(lambda r: complete(model, r), requests, 60))]
    assert texts == [request.prompt for request in requests]
    assert sorted(line["prompt"] for line in lines(path)[1:]) == sorted({request.prompt for request in requests})
    assert server.received == 20


def test_two_tasks_that_ask_the_same_at_once_agree_with_the_file(tmp_path):
    path = tmp_path / "r.jsonl"
    model = Recorder(ScriptedModel(["one", "two"], delay=0.02), path)

    async def both():
        return await asyncio.gather(*(model.complete(Request("a")) for _ in range(2)))

    assert [reply.text for reply in asyncio.run(both())] == ["one", "one"]
    assert ask(Recorder(None, path), "a").text == "one"


WRITER = """
import sys
from dataflow_ext.background import run_async
from dataflow_ext.models import Request, ScriptedModel
from dataflow_ext.models.scripted import Recorder
from dataflow_ext.models.structured.ask import ask as asked_value
model = Recorder(ScriptedModel({"": "x" * 3000}), sys.argv[1])
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    run_async(model.complete(Request(str(number))))
    print(number, flush=True)
"""


def writer(path, start, end):
    command = [sys.executable, "-c", WRITER, str(path), str(start), str(end)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_several_processes_may_record_into_one_file(tmp_path):
    path = tmp_path / "r.jsonl"
    writers = [writer(path, *span) for span in ((0, 60), (30, 90))]
    assert [process.communicate()[0].count("\n") for process in writers] == [60, 60]
    head, *rest = lines(path)
    assert head["recording"] == 1
    assert sorted(int(line["prompt"]) for line in rest) == list(range(90))


def test_what_was_recorded_before_a_kill_is_there_after_it(tmp_path):
    path = tmp_path / "r.jsonl"
    process = writer(path, 0, 100_000)
    told = [int(process.stdout.readline()) for _ in range(40)]
    process.send_signal(signal.SIGKILL)
    told += [int(line) for line in process.stdout.read().splitlines()]
    process.wait()
    player = Recorder(None, path)
    assert {ask(player, str(number)).text for number in told} == {"x" * 3000}


def test_no_key_is_recorded(tmp_path, key):
    path = tmp_path / "r.jsonl"
    with Loopback() as server:
        ask(Recorder(OpenAIModel(name="m", base_url=server.url), path), "a")
    assert server.calls[0].authorization == f"Bearer {key}"
    assert key not in path.read_text()
    assert "uthorization" not in path.read_text()


def test_limits_and_retries_are_those_of_the_model_that_is_asked(tmp_path):
    path = tmp_path / "r.jsonl"
    inner = OpenAIModel(name="m", base_url="http://127.0.0.1:9/v1", max_retries=7, max_tokens=30)
    live = Recorder(inner, path)
    assert (live.server, live.max_retries, live.max_tokens, live.local, live.queued) == (
        inner.server,
        7,
        30,
        False,
        False,
    )
    live.identity()
    player = Recorder(None, path)
    assert (player.name, player.server, player.max_retries, player.max_tokens) == ("m", inner.server, 0, 30)


def test_recall_looks_and_asks_nobody(tmp_path):
    model = ScriptedModel(["a"])
    recorder = Recorder(model, tmp_path / "r.jsonl")
    assert recorder.recall(Request("a")) is None
    reply = ask(recorder, "a")
    assert (recorder.recall(Request("a")), len(model.calls)) == (replace(reply, from_cache=True), 1)


def test_a_cut_reply_is_asked_for_again_with_the_same_limits_when_it_is_played(tmp_path):
    path = tmp_path / "r.jsonl"
    model = ScriptedModel([Reply("[1, 2", "length"), "[1, 2, 3]"])
    model.max_tokens = 30
    answers = [run_async(asked_value(Recorder(inner, path), Request("Numbers."), list[int])) for inner in (model, None)]
    assert [(answer.value, answer.attempts) for answer in answers] == [([1, 2, 3], 2)] * 2
    assert [line["settings"].get("max_tokens") for line in lines(path)[1:]] == [None, 60]


def test_a_secret_in_an_extra_body_does_not_reach_the_file(tmp_path):
    path = tmp_path / "r.jsonl"
    for body, same in (({"token": "sk-canary"}, True), ({"token": "other"}, False)):
        model = Recorder(OpenAIModel(name="m", base_url="http://127.0.0.1:9/v1", extra_body=body), path)
        if same:
            model.identity()
        else:
            with pytest.raises(OptionError):
                model.identity()
    assert "sk-canary" not in path.read_text(encoding="utf-8")
