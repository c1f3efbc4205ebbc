"""``rowsmith cache``: what it shows and removes, and what it says when it cannot."""

import json
import sqlite3
import subprocess
import sys

import pytest

from dataflow_ext.commands import main
from dataflow_ext.models import Reply, Request, RequestCache, request_key
from dataflow_ext.models.budget import Usage
from dataflow_ext.models.cache_files import size_on_disk

DAY = 86_400


def key(number):
    return request_key({}, Request(str(number)))


@pytest.fixture
def folder(tmp_path):
    """A run's folder with six replies of two models, three of which are 40 days old."""
    cache = RequestCache(tmp_path / "out" / ".run" / "requests.sqlite")
    for number in range(6):
        cache.put(key(number), Reply(f"答 {number}", "stop", 1000, 200, 50, ("qwen3", "other")[number % 2]))
    cache.close()
    database = sqlite3.connect(cache.path)
    with database:
        database.execute("UPDATE replies SET stored = stored - ? WHERE id <= 3", (40 * DAY,))
    database.close()
    return tmp_path / "out"


def told(capsys):
    return capsys.readouterr().out.splitlines()


def test_stats_shows_replies_size_age_tokens_and_price(folder, capsys):
    prices = folder / "prices.json"
    prices.write_text(json.dumps({"qwen3": {"input": 10, "cached_input": 5, "output": 100}}))
    assert main(["cache", "stats", str(folder), "--prices", str(prices)]) == 0
    path, size, since, other, qwen3, runs = told(capsys)
    assert path == str(folder / ".run" / "requests.sqlite")
    assert size.startswith("  6 replies, ") and size.endswith("kB on disk")
    assert since == "  oldest 40 days ago, newest less than a minute ago"
    assert other == "  other: 3 replies, 3,000 prompt and 150 completion tokens, no price known"
    assert qwen3 == "  qwen3: 3 replies, 3,000 prompt and 150 completion tokens, 0.04 USD at list price"
    assert runs == "  no run has recorded itself here yet"


def test_stats_shows_how_often_the_cache_helped(folder, capsys):
    cache = RequestCache(folder / ".run" / "requests.sqlite")
    cache.note_session(Usage(requests=10, shared=1, made=9, prompt_tokens=900, completion_tokens=90, usd=1.5))
    cache.note_session(Usage(requests=10, cached=10, usd=None))
    cache.close()
    assert main(["cache", "stats", str(folder)]) == 0
    overall, last, first = told(capsys)[-3:]
    assert overall == "  hits: 11 of 20 requests (55%) in 2 runs; the last:"
    assert last.endswith("Z  10 of 10 requests (100%), 0 paid (0 + 0 tokens)")
    assert first.endswith("Z  1 of 10 requests (10%), 9 paid for 1.50 USD (900 + 90 tokens)")


@pytest.mark.parametrize(
    ("options", "removed"), [(["--older-than", "30d"], 3), (["--model", "other"], 3), (["--older-than", "5w", "--model", "other"], 1),
                             (["--older-than", "60d"], 0)],
)  # fmt: skip
def test_prune_removes_by_age_and_model_and_tells_first(folder, capsys, options, removed):
    cache = RequestCache(folder / ".run" / "requests.sqlite")
    assert main(["cache", "prune", str(folder), *options, "--dry-run"]) == 0
    assert f"would remove {removed} repl" in told(capsys)[0]
    assert cache.count() == 6
    assert main(["cache", "prune", str(folder), *options]) == 0
    assert f"removed {removed} repl" in told(capsys)[0]
    assert cache.count() == 6 - removed


def test_prune_gives_space_back_beside_an_open_cache(tmp_path, capsys):
    cache = RequestCache(tmp_path / "requests.sqlite")
    for number in range(300):
        cache.put(key(number), Reply("x" * 2000, model="m"))
    before = size_on_disk(tmp_path / "requests.sqlite")
    assert main(["cache", "prune", str(tmp_path), "--model", "m"]) == 0
    assert size_on_disk(tmp_path / "requests.sqlite") < before / 5
    cache.put(key(1), Reply("new"))
    assert cache.get(key(1)).text == "new"


def test_prune_beside_a_process_in_the_middle_of_a_write_is_one_sentence(folder, capsys, monkeypatch):
    monkeypatch.setattr("dataflow_ext.models.cache_files._BUSY", 0.05)
    busy = sqlite3.connect(folder / ".run" / "requests.sqlite", isolation_level=None)
    busy.execute("BEGIN IMMEDIATE")
    assert main(["cache", "prune", str(folder), "--model", "other"]) == 2
    assert capsys.readouterr().err.endswith("requests.sqlite cannot be used: database is locked.\n")
    busy.execute("ROLLBACK")
    assert main(["cache", "prune", str(folder), "--model", "other"]) == 0


def test_prune_wants_to_know_what_to_remove(folder, capsys):
    for wrong, said in (
        ([], "prune needs --older-than, --model, or both"),
        (["--older-than", "soon"], "is no age such as"),
    ):
        with pytest.raises(SystemExit) as stop:
            main(["cache", "prune", str(folder), *wrong])
        assert stop.value.code == 2
        assert said in capsys.readouterr().err


@pytest.mark.parametrize("command", [["stats"], ["prune", "--model", "m"]])
def test_where_there_is_no_cache_one_sentence_says_so_and_none_is_made(tmp_path, capsys, command):
    (tmp_path / "notes.txt").write_text("not a database, but long enough to be taken for one" * 10)
    with sqlite3.connect(tmp_path / "other.sqlite") as database:
        database.execute("CREATE TABLE other (x)")
    before = sorted(tmp_path.iterdir())
    for name, said in (("", "There is no request cache in"), ("gone", "There is no request cache in"),
                       ("notes.txt", "is no request cache"), ("other.sqlite", "it has no replies")):  # fmt: skip
        assert main(["cache", *command, str(tmp_path / name)]) == 2
        error = capsys.readouterr().err
        assert said in error
        assert error.startswith("error: ") and error.count("\n") == 1
    assert sorted(tmp_path.iterdir()) == before


def test_help_has_examples_and_says_what_is_kept(capsys):
    assert main(["cache"]) == 0
    said = capsys.readouterr().out
    assert "rowsmith cache stats out" in said and "no prompts and no keys" in " ".join(said.split())
    with pytest.raises(SystemExit) as stop:
        main(["cache", "prune", "--help"])
    assert stop.value.code == 0
    assert "--older-than 30d --dry-run" in capsys.readouterr().out


def test_the_module_runs_and_a_reader_that_stops_early_is_no_error(folder):
    command = [sys.executable, "-m", "dataflow_ext", "cache", "stats", str(folder)]
    process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    process.stdout.close()
    assert (process.stderr.read(), process.wait()) == (b"", 0)
