"""A real model end to end: what it says is never judged, only that everything arrives and nothing is lost."""

import json
import os
import re
import shutil
import sqlite3
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from pydantic import BaseModel, Field

from dataflow_ext.background import map_async, run_async
from dataflow_ext.models import OpenAIModel, Request, Session, ask, complete

ROOT = Path(__file__).resolve().parents[2]


class Circle(BaseModel):
    """A circle of a drawing."""

    label: str = Field(max_length=12)
    radius: int
    filled: bool


@pytest.fixture
def model(real):
    url, name = real
    return OpenAIModel(name=name, base_url=url, max_tokens=40)


def tell(**figures):
    """Figures for whoever runs this with -s."""
    print(json.dumps(figures), flush=True)


def test_a_chat_has_words_tokens_and_a_reason_to_end(model):
    start = time.monotonic()
    reply = run_async(model.complete(Request("Name one colour.", "Answer in one word.")))
    tell(what="chat", seconds=round(time.monotonic() - start, 2), tokens=reply.tokens)
    assert reply.text.strip()
    assert (reply.origin, reply.from_cache, reply.finish_reason in ("stop", "length")) == ("remote", False, True)
    assert 5 < reply.prompt_tokens < 100
    assert 0 < reply.completion_tokens <= 40


def test_a_reply_that_hits_its_limit_says_so(model):
    request = Request("Count from one to a hundred in words.", max_tokens=8)
    reply = run_async(model.complete(request))
    assert (reply.finish_reason, reply.completion_tokens) == ("length", 8)


def test_the_same_seed_gives_the_same_words(model):
    request = Request("Tell me about circles.", seed=7, temperature=0.0, max_tokens=16)
    first, second = (run_async(model.complete(request)).text for _ in range(2))
    assert first == second


def test_eight_at_once_are_all_answered_in_order_and_a_second_time_from_the_cache(model, tmp_path):
    requests = [Request(f"Write the number {n}.", max_tokens=12) for n in range(8)]
    spent = []
    for _ in range(2):
        with Session(tmp_path / "r.sqlite") as session:
            start = time.monotonic()
            replies = run_async(map_async(lambda request: complete(model, request), requests, 8))
            spent.append((session.usage[model.name], [reply.text for reply in replies]))
            tell(what="eight", seconds=round(time.monotonic() - start, 2), tokens=session.usage[model.name].tokens)
    (first, before), (second, after) = spent
    assert (first.requests, first.cached, first.failures) == (8, 0, 0)
    assert first.tokens > 8 * 10
    assert (second.requests, second.cached, second.tokens, second.spared_tokens) == (8, 8, 0, first.tokens)
    assert after == before


def test_a_reply_with_a_schema_is_a_value(model):
    request = Request("Describe a circle for a drawing as JSON.", max_tokens=120)
    with Session() as session:
        start = time.monotonic()
        answer = run_async(ask(model, request, Circle))
        used = session.usage[model.name]
        tell(what="schema", seconds=round(time.monotonic() - start, 2), tokens=used.tokens, calls=answer.attempts)
    assert isinstance(answer.value, Circle)
    assert json.loads(answer.reply.text).keys() == {"label", "radius", "filled"}


def run_pipeline(real, out, extra_body):
    """How it ended, and what the run says about itself."""
    url, name = real
    book = ROOT / "examples" / "booklets" / "algebra_en.pdf"
    command = [sys.executable, "-m", "pipelines.pdf_vqa", str(book), "--out", str(out), "--pages", "2-3"]
    command += ["--model", name, "--base-url", url, "--max-in-flight", "2", "--chunk-tokens", "400"]
    command += ["--max-tokens", "300", "--extra-body", json.dumps(extra_body)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    start = time.monotonic()
    done = subprocess.run(command, capture_output=True, text=True, env=environment, timeout=1_500)
    print(done.stderr)
    report = json.loads((out / ".run" / "report.json").read_text(encoding="utf-8"))
    used = report["models"].get(name, {})
    tell(what="pdf_vqa", seconds=round(time.monotonic() - start, 1), exit=done.returncode, **used)
    return done.returncode, report["models"].get(name), rejects(out)


def rejects(out):
    """The rejects of a run."""
    return [json.loads(line) for line in (out / "rejects.jsonl").read_text(encoding="utf-8").splitlines()]


def stored(out):
    """The replies in the request cache, in the order in which they came."""
    database = sqlite3.connect(out / ".run" / "requests.sqlite")
    return [json.loads(text) for (text,) in database.execute("SELECT reply FROM replies ORDER BY id")]


def asked(url):
    """Tokens that the server has read and written in its life, None if it does not tell."""
    try:
        with urllib.request.urlopen(url.removesuffix("/v1") + "/metrics", timeout=10) as answer:
            lines = answer.read().decode().splitlines()
    except OSError:
        return None
    return [
        line for line in lines if line.startswith(("llamacpp:prompt_tokens_total", "llamacpp:tokens_predicted_total"))
    ]


#: The form that the prompt asks for, so that even a small model keeps to it.
GRAMMAR = r"""
root ::= "<chapter><title>" ids? "</title>\n" pair pair? "</chapter>"
pair ::= "<qa_pair>" at label question answer solution "</qa_pair>\n"
at ::= "<at>" id "</at>"
label ::= "<label>" [A-Za-z0-9 .]{1,9} "</label>"
question ::= "<question>" ids "</question>"
answer ::= "<answer>" [a-z0-9=., ]{0,9} "</answer>"
solution ::= "<solution>" ids? "</solution>"
ids ::= id ("," id){0,2}
id ::= [0-9] [0-9]?
"""


@pytest.mark.parametrize(
    "extra_body",
    [{"grammar": GRAMMAR}, {"stop": ["\n"]}],
    ids=["in the form asked for", "one line of whatever it says"],
)
def test_the_pipeline_keeps_every_reply_and_asks_nothing_twice(real, tmp_path, extra_body):
    url, _ = real
    code, used, refused = run_pipeline(real, tmp_path, extra_body)
    replies = stored(tmp_path)
    # 1: it ran, and no reply held a question, which is up to the model.
    assert code in (0, 1)
    for file in ("vqa.jsonl", "vqa.parquet", "vqa.md", "report.html"):
        assert (tmp_path / file).is_file(), file
    rows = pq.read_table(tmp_path / "vqa.parquet").num_rows
    assert rows == len((tmp_path / "vqa.jsonl").read_text(encoding="utf-8").splitlines())
    assert (code == 0) == (rows > 0)
    assert len(replies) == used["requests"] - used["failures"] > 0
    assert {reply["origin"] for reply in replies} == {"remote"}
    assert min(reply["prompt_tokens"] for reply in replies) > 500
    kept = sum(reply["prompt_tokens"] + reply["completion_tokens"] for reply in replies)
    assert kept == used["prompt_tokens"] + used["completion_tokens"]
    assert [reject for reject in refused if not reject["message"]] == []
    if "grammar" in extra_body:
        assert (used["failures"], used["repairs"]) == (0, 0)
        assert all(re.fullmatch(r"<chapter>.*</chapter>", reply["text"], re.DOTALL) for reply in replies)
    before = asked(url)
    shutil.rmtree(tmp_path / ".run" / "steps")  # so that the replies themselves have to be remembered
    code_again, used_again, refused_again = run_pipeline(real, tmp_path, extra_body)
    assert (code_again, refused_again, len(stored(tmp_path))) == (code, refused, len(replies))
    assert asked(url) == before
    assert used_again["cached"] == len(replies)
