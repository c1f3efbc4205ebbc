"""The request cache: what makes a key, and that nothing stored is ever lost."""

import json
import os
import pickle
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from dataflow_ext.errors import InputError
from dataflow_ext.models import OpenAIModel, Prices, Reply, Request, RequestCache, request_key
from dataflow_ext.models.budget import Usage
from dataflow_ext.models.cache_files import held, opened, prune

REPLY = Reply("text ü 𝄞", "length", 3, 2, 1, "m-2026", "remote")
REMEMBERED = replace(REPLY, from_cache=True)
KEY = request_key({}, Request("a"))

DIFFERENT = [
    Request("a"),
    Request("b"),
    Request("", system="a"),
    Request("a", system="s"),
    Request("as"),
    Request("a", max_tokens=1),
    Request("a", temperature=0.0),
    Request("a", seed=1),
    Request("a", json_schema={"x": 1, "y": 2}),
    Request("a", json_schema={"y": 2, "x": 1}),
    Request("a", json_schema={"x": 1, "y": 2}, schema_name="other"),
    Request("a", images=(b"1",)),
    Request("a", images=(b"1", b"2")),
    Request("a", images=(b"12",)),
    Request("a", images=("http://x/1",)),
    Request("a", follow_up=("b", "c")),
    Request("a", follow_up=("bc", "")),
    Request("a", follow_up=("b",), images=(b"c",)),
    Request("a", images=(b"b", b"c")),
    Request("ab", follow_up=("c",)),
    Request("a", follow_up=("b", "c", "")),
    Request("a\ud800"),
]


def test_whatever_a_reply_depends_on_makes_another_key():
    keys = [request_key({"name": "m"}, request) for request in DIFFERENT]
    keys.append(request_key({"name": "n"}, DIFFERENT[0]))
    assert len(set(keys)) == len(DIFFERENT) + 1


def test_neither_context_nor_where_a_picture_lies_makes_another_key(tmp_path):
    (tmp_path / "one").write_bytes(b"picture")
    (tmp_path / "two").write_bytes(b"picture")
    images = [str(tmp_path / "one"), str(tmp_path / "two"), b"picture"]
    assert len({request_key({}, Request("a", images=(image,), context=image)) for image in images}) == 1


def test_neither_key_nor_patience_makes_another_key(monkeypatch):
    models = [OpenAIModel(name="m"), OpenAIModel(name="m", api_key_env="OTHER", timeout=1.0, max_retries=0)]
    assert len({request_key(model.identity(), Request("a")) for model in models}) == 1


@given(st.lists(st.tuples(st.text(max_size=4), st.text(max_size=4)), min_size=2, max_size=2, unique=True))
def test_two_prompts_never_run_into_one(pairs):
    first, second = (request_key({}, Request(prompt, system=system)) for prompt, system in pairs)
    assert first != second


#: Requests of every shape: system, prompt, turns and pictures, of few letters so that they look alike when joined.
SHORT = st.text("a:,;1", max_size=2)
SHAPES = st.builds(
    Request,
    SHORT,
    system=SHORT,
    follow_up=st.lists(SHORT, max_size=3).map(tuple),
    images=st.lists(SHORT.map(str.encode), max_size=3).map(tuple),
)


@given(st.lists(SHAPES, min_size=2, max_size=12, unique=True))
def test_neither_turns_nor_pictures_pass_for_each_other_or_for_the_prompt(requests):
    assert len({request_key({}, request) for request in requests}) == len(requests)


@pytest.mark.parametrize("in_file", [True, False])
def test_a_stored_reply_comes_back_whole_and_marked(tmp_path, in_file):
    cache = RequestCache(tmp_path / "deep" / "r.sqlite" if in_file else None)
    assert cache.get(KEY) is None
    cache.put(KEY, REPLY)
    assert cache.get(KEY) == replace(REPLY, from_cache=True)
    cache.put(KEY, replace(REPLY, text="newer"))
    assert cache.get(KEY).text == "newer"


def test_closing_keeps_the_replies_and_pickling_keeps_the_path(tmp_path):
    cache = RequestCache(tmp_path / "r.sqlite")
    cache.put(KEY, REPLY)
    cache.close()
    assert cache.get(KEY).text == pickle.loads(pickle.dumps(cache)).get(KEY).text == REPLY.text


def test_stats_count_by_model_and_prune_removes_the_old(tmp_path):
    cache = RequestCache(tmp_path / "r.sqlite")
    for number, model in enumerate(["a", "b", "b"]):
        cache.put(request_key({}, Request(str(number))), replace(REPLY, model=model))
    with opened(tmp_path / "r.sqlite") as database:
        assert {each.model: each.replies for each in held(database, Prices())} == {"a": 1, "b": 2}
    assert prune(tmp_path / "r.sqlite", before=time.time() - 86_400).replies == 0
    assert prune(tmp_path / "r.sqlite", before=time.time() + 1).replies == 3
    assert cache.count() == 0


def test_threads_may_share_a_cache(tmp_path):
    cache = RequestCache(tmp_path / "r.sqlite")

    def fill(start):
        for number in range(start, start + 50):
            cache.put(request_key({}, Request(str(number))), REPLY)

    threads = [threading.Thread(target=fill, args=(start,)) for start in (0, 50, 100)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert cache.count() == 150


WRITER = """
import sys
from dataflow_ext.models import Reply, Request, RequestCache, request_key
cache = RequestCache(sys.argv[1])
for number in range(int(sys.argv[2]), int(sys.argv[3])):
    cache.put(request_key({}, Request(str(number))), Reply(str(number) * 500))
    print(number, flush=True)
"""


def writer(path, start, end):
    command = [sys.executable, "-c", WRITER, str(path), str(start), str(end)]
    return subprocess.Popen(command, stdout=subprocess.PIPE, text=True)


def test_writers_that_share_a_file_lose_nothing_when_one_of_them_is_killed(tmp_path):
    path = tmp_path / "r.sqlite"
    writers = [writer(path, start, start + 200) for start in (0, 1000, 2000)]
    acknowledged = [int(writers[0].stdout.readline()) for _ in range(20)]
    writers[0].send_signal(signal.SIGKILL)
    for process in writers:
        acknowledged.extend(int(line) for line in process.communicate()[0].splitlines())
    assert set(acknowledged) >= {*range(1000, 1200), *range(2000, 2200)}
    cache = RequestCache(path)
    assert [cache.get(request_key({}, Request(str(n)))).text for n in acknowledged] == [
        str(n) * 500 for n in acknowledged
    ]
    assert cache.count() - len(acknowledged) <= 1  # stored, but killed before it was printed
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert not list(tmp_path.glob("*damaged*"))


def test_what_was_stored_before_a_kill_is_there_after_it(tmp_path):
    path = tmp_path / "r.sqlite"
    expected = []
    for round_ in range(3):
        process = writer(path, round_ * 100_000, (round_ + 1) * 100_000)
        expected.extend(int(process.stdout.readline()) for _ in range(40 + 17 * round_))
        process.send_signal(signal.SIGKILL)
        expected.extend(int(line) for line in process.stdout.read().splitlines())
        process.wait()
        cache = RequestCache(path)
        texts = [cache.get(request_key({}, Request(str(number)))).text for number in expected]
        assert texts == [str(number) * 500 for number in expected]
        assert cache.count() - len(expected) <= round_ + 1  # stored, but killed before it was printed
        cache.close()
    assert not list(tmp_path.glob("*damaged*"))


def test_a_forked_child_has_a_connection_of_its_own(tmp_path):
    cache = RequestCache(tmp_path / "r.sqlite")
    cache.put(KEY, REPLY)
    other = request_key({}, Request("from the child"))
    child = os.fork()
    if child == 0:
        try:
            cache.put(other, cache.get(KEY))
        finally:
            os._exit(0)
    os.waitpid(child, 0)
    assert cache.get(other).text == REPLY.text
    cache.put(KEY, replace(REPLY, text="later"))
    assert RequestCache(tmp_path / "r.sqlite").get(KEY).text == "later"


@pytest.mark.parametrize("damage", ["no database", "pages overwritten"])
def test_a_damaged_file_is_set_aside_and_work_goes_on(tmp_path, caplog, damage):
    path = tmp_path / "r.sqlite"
    if damage == "no database":
        path.write_bytes(b"this is no database at all" * 100)
    else:
        cache = RequestCache(path)
        for number in range(300):
            cache.put(request_key({}, Request(str(number))), REPLY)
        cache.close()
        with path.open("r+b") as file:
            file.seek(4096)
            file.write(b"\xa5" * (path.stat().st_size - 4096))
    cache = RequestCache(path)
    cache.put(KEY, REPLY)
    assert cache.get(KEY).text == REPLY.text
    assert (tmp_path / "r.sqlite.damaged-1").exists()
    assert "is damaged" in caplog.text
    assert sqlite3.connect(path).execute("PRAGMA integrity_check").fetchone() == ("ok",)


WRONG = [
    "[]",
    '"text"',
    "7",
    "null",
    "{}",
    '{"text": null}',
    '{"text": 5}',
    '{"text": "a", "prompt_tokens": "3"}',
    '{"text": "a", "prompt_tokens": -3}',
    '{"text": "a", "prompt_tokens": true}',
    '{"text": "a", "prompt_tokens": 1e30}',
    '{"text": "a", "finish_reason": {}}',
    '{"text": "a", "batch": 1}',
    None,
]


@pytest.mark.parametrize("stored", WRONG, ids=range(len(WRONG)))
def test_a_row_of_the_wrong_shape_is_a_miss_that_is_told_and_replaced(tmp_path, caplog, stored):
    cache = RequestCache(tmp_path / "r.sqlite")
    other = request_key({}, Request("b"))
    for key in (KEY, other):
        cache.put(key, REPLY)
    cache.close()
    put_in(tmp_path / "r.sqlite", stored)
    assert cache.get(KEY) is None
    assert [record.getMessage().partition(" cannot be read")[0] for record in caplog.records] == [
        f"The reply {KEY} in {tmp_path / 'r.sqlite'}"
    ]
    cache.put(KEY, REPLY)
    assert (cache.get(KEY), cache.get(other), cache.count()) == (REMEMBERED, REMEMBERED, 2)
    assert sorted(path.name for path in tmp_path.iterdir() if "damaged" in path.name) == []


def put_in(path, stored):
    """Replace what is stored under KEY, as a fault of the disk would: without the index noticing."""
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("DROP INDEX replies_by_model")
    database.execute("PRAGMA writable_schema = ON")
    database.execute("UPDATE sqlite_master SET sql = replace(sql, 'reply TEXT NOT NULL', 'reply TEXT')")
    database.close()
    database = sqlite3.connect(path, isolation_level=None)
    database.execute("UPDATE replies SET reply = CAST(? AS TEXT) WHERE key = ?", (stored, bytes.fromhex(KEY)))
    database.close()


def test_a_row_that_the_disk_damaged_is_a_miss_and_the_others_stay(tmp_path):
    path = tmp_path / "r.sqlite"
    cache = RequestCache(path)
    keys = [request_key({}, Request(f"{n}")) for n in range(50)]
    for n, key in enumerate(keys):
        cache.put(key, Reply(f"UNIQUE{n}. text"))
    cache.close()
    whole = path.read_bytes()
    assert whole.count(b'{"text":"UNIQUE7.') == 1
    path.write_bytes(whole.replace(b'{"text":"UNIQUE7.', b'#\xfftext":"UNIQUE7.'))
    assert [n for n, key in enumerate(keys) if cache.get(key) is None] == [7]
    cache.put(keys[7], Reply("new"))
    assert [cache.get(keys[n]).text for n in (6, 7, 8)] == ["UNIQUE6. text", "new", "UNIQUE8. text"]
    assert [file.name for file in tmp_path.iterdir() if "damaged" in file.name] == []


def test_fields_of_a_newer_version_are_passed_over(tmp_path):
    cache = RequestCache(tmp_path / "r.sqlite")
    cache.put(KEY, REPLY)
    cache.close()
    put_in(tmp_path / "r.sqlite", json.dumps(REPLY.record() | {"newer": [1]}))
    assert cache.get(KEY) == REMEMBERED


def test_half_a_surrogate_pair_is_kept_as_it_came(tmp_path):
    cache = RequestCache(tmp_path / "r.sqlite")
    cache.put(KEY, replace(REPLY, text="cut \ud83d"))
    assert cache.get(KEY).text == "cut \ud83d"


def test_a_session_that_asked_for_something_leaves_its_figures(tmp_path):
    path = tmp_path / "r.sqlite"
    cache = RequestCache(path)
    figures = {"cached": 3, "shared": 1, "made": 4, "prompt_tokens": 500, "completion_tokens": 60}
    cache.note_session(Usage())
    assert not path.exists()
    cache.note_session(Usage(requests=8, **figures, usd=0.25))
    cache.note_session(Usage(requests=9, **figures, usd=None))
    rows = sqlite3.connect(path).execute("SELECT * FROM sessions ORDER BY requests").fetchall()
    assert [row[1:] for row in rows] == [(8, 3, 1, 4, 500, 60, 0.25), (9, 3, 1, 4, 500, 60, None)]


FIRST_LAYOUT = """
    CREATE TABLE replies (id INTEGER PRIMARY KEY, key BLOB NOT NULL UNIQUE, model TEXT NOT NULL, stored REAL NOT NULL,
                          reply TEXT NOT NULL);
    CREATE INDEX replies_by_age ON replies (stored, model);
    PRAGMA user_version = 1
"""


def test_a_file_of_the_first_version_is_read_and_written_as_it_is(tmp_path):
    path = tmp_path / "r.sqlite"
    old = {"text": "old", "finish_reason": "stop", "prompt_tokens": 7, "cached_tokens": 0, "completion_tokens": 2,
           "model": "m", "origin": "remote"}  # fmt: skip
    database = sqlite3.connect(path)
    database.executescript(FIRST_LAYOUT)
    with database:
        database.execute("INSERT INTO replies VALUES (1, ?, 'm', 1.0, ?)", (bytes.fromhex(KEY), json.dumps(old)))
    database.close()
    cache = RequestCache(path)
    assert cache.get(KEY) == Reply("old", "stop", 7, 0, 2, "m", from_cache=True)
    cache.put(request_key({}, Request("new")), REPLY)
    with opened(path) as database:
        assert {each.model: each.replies for each in held(database, Prices())} == {"m": 1, "m-2026": 1}
    assert prune(path, before=time.time() - 86_400).replies == 1


def test_a_cache_of_a_newer_version_is_left_alone(tmp_path):
    path = tmp_path / "r.sqlite"
    database = sqlite3.connect(path)
    database.execute("PRAGMA user_version = 99")
    database.close()
    with pytest.raises(InputError, match="newer version"):
        RequestCache(path).get(KEY)
    assert [file.name for file in tmp_path.iterdir() if "damaged" in file.name] == []


def test_a_place_that_cannot_hold_a_file_is_named(tmp_path):
    (tmp_path / "r.sqlite").mkdir()
    with pytest.raises(InputError, match=r"r\.sqlite cannot be used"):
        RequestCache(tmp_path / "r.sqlite").get(KEY)


def test_the_stored_text_holds_a_reply_its_sum_and_nothing_else(tmp_path):
    RequestCache(tmp_path / "r.sqlite").put(KEY, REPLY)
    (row,) = sqlite3.connect(tmp_path / "r.sqlite").execute("SELECT model, reply FROM replies")
    assert (row[0], json.loads(row[1])) == (
        "m-2026",
        {
            "text": "text ü 𝄞",
            "finish_reason": "length",
            "prompt_tokens": 3,
            "cached_tokens": 2,
            "completion_tokens": 1,
            "model": "m-2026",
            "origin": "remote",
            "reasoning_tokens": 0,
            "batch": False,
            "sum": "d76a869e",
        },
    )
