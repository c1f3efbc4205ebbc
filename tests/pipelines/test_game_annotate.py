"""The command ``game_annotate`` as people run it, on made rounds: files, figures, damage, kills, and no network."""

import json
import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import pytest

from examples.game_screens import KINDS, Damaged, MadeRound, damage, make_rounds
from pipelines.game_annotate import main
from tests.loopback import Loopback
from tests.pipelines.game_sets import Eyes, emitted, files_of, key_of, part_of, rejected, stats_of, truth

ROOT = Path(__file__).parents[2]
ROUNDS = 14
#: In a process and its children: whoever wants to reach anything but this machine fails, and says what it was.
NO_NETWORK = """
import socket
_connect, _connect_ex, _lookup = socket.socket.connect, socket.socket.connect_ex, socket.getaddrinfo
def _near(host):
    if host not in ("127.0.0.1", "::1", "localhost", None):
        raise AssertionError(f"something wanted to reach {host!r}")
def connect(self, address):
    _near(address[0] if isinstance(address, tuple) else None)
    return _connect(self, address)
def connect_ex(self, address):
    _near(address[0] if isinstance(address, tuple) else None)
    return _connect_ex(self, address)
def getaddrinfo(host, *rest, **options):
    _near(host)
    return _lookup(host, *rest, **options)
def create_connection(address, *rest, **options):
    _near(address[0])
    raise AssertionError(f"something wanted to reach {address!r}")
socket.socket.connect, socket.socket.connect_ex = connect, connect_ex
socket.getaddrinfo, socket.create_connection = getaddrinfo, create_connection
"""


@dataclass(frozen=True)
class Run:
    """A set of rounds, and what the first run made of it; ``cache`` remembers what OCR read."""

    raw: Path
    made: list[MadeRound]
    out: Path
    cache: Path


def annotate(raw: Path, out: Path, *arguments: object) -> int:
    return main([str(raw), "--out", str(out), *map(str, arguments)])


@pytest.fixture(scope="module")
def first(tmp_path_factory: pytest.TempPathFactory) -> Run:
    folder = tmp_path_factory.mktemp("game")
    made = make_rounds(folder / "raw", rounds=ROUNDS, seed=21, devices=["desktop", "phone_720"])
    assert annotate(folder / "raw", folder / "out", "--cache-dir", folder / "cache") == 0
    return Run(folder / "raw", made, folder / "out", folder / "cache")


def test_a_run_leaves_data_pictures_figures_and_a_record_behind(first: Run) -> None:
    names = {path.relative_to(first.out).as_posix() for path in first.out.iterdir()}
    folders = {".run", "data", "images", "parquet"}
    assert names == folders | {
        "README.md",
        "annotation_stats.json",
        "annotations.jsonl",
        "rejects.jsonl",
        "report.html",
    }
    assert sorted(path.name for path in (first.out / "data").iterdir()) == ["test.jsonl", "train.jsonl"]
    assert sorted(path.name for path in (first.out / "parquet").iterdir()) == ["test.parquet", "train.parquet"]
    pictures = {p.relative_to(first.out / "images").as_posix() for p in (first.out / "images").rglob("*.*")}
    assert pictures == set(emitted(first.out))


def test_every_row_is_right_and_nearly_all_rounds_have_one(first: Run) -> None:
    rows, labels = emitted(first.out), truth(first.made)
    assert {name: row for name, row in rows.items() if row != labels[name]} == {}
    assert len(rows) >= ROUNDS - 1


def test_the_figures_count_every_round_once(first: Run) -> None:
    stats, kept = stats_of(first.out), len(emitted(first.out))
    lines = {name: len((first.out / f"data/{name}.jsonl").read_text().splitlines()) for name in ("train", "test")}
    assert stats["rounds"] == {"seen": ROUNDS, "kept": kept, "rejected": ROUNDS - kept}
    assert sum(each["count"] for each in stats["rejects"]) == ROUNDS - kept
    assert {name: stats["split"][name]["rounds"] for name in lines} == lines
    assert lines["test"] == 4, "the shorter one of two episodes"
    assert (stats["accuracy"]["all_three"]["right"], stats["accuracy"]["all_three"]["of"]) == (kept, kept)
    assert stats["accuracy"]["kept"]["of"] == ROUNDS
    assert (stats["rule"]["name"], stats["rule"]["applied"], stats["rule"]["contradict"]) == ("auto", True, 0)
    for field in stats["fields"].values():
        assert sum(by["rounds"] for by in field["by"].values()) == kept


def test_easyr1_accepts_the_data(first: Run, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["validate", str(first.out)]) == 0
    assert "0 errors" in capsys.readouterr().err
    line = first.out / "data" / "train.jsonl"
    copy = first.out.parent / "broken"
    shutil.copytree(first.out, copy)
    (copy / "data" / "train.jsonl").write_text(line.read_text().replace('"answer": "', '"answer": "9', 1))
    assert main(["validate", str(copy)]) == 1


def test_a_second_run_does_nothing_anew_and_gives_the_same_bytes(first: Run) -> None:
    before = files_of(first.out)
    assert annotate(first.raw, first.out, "--cache-dir", first.cache) == 0
    steps = json.loads((first.out / ".run" / "report.json").read_text())["steps"]
    # The first step looks at files and the last writes them.
    assert {step["operator"]: step["remembered"] for step in steps[1:-1]} == {
        "OCRNumberExtractor": True,
        "LightColorReader": True,
        "CorrectCardFinder": True,
        "EpisodeMemory": True,
        "RoundChecker": True,
        "ProblemBuilder": True,
        "TrainTestSplit": True,
    }
    assert files_of(first.out) == before


def test_rounds_collected_in_another_order_in_another_place_give_the_same_bytes(first: Run, tmp_path: Path) -> None:
    for path in sorted(first.raw.rglob("*.*"), reverse=True):
        (tmp_path / "elsewhere" / path.relative_to(first.raw)).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(path, tmp_path / "elsewhere" / path.relative_to(first.raw))
    for metadata in (tmp_path / "elsewhere").rglob("*_metadata.json"):
        content = json.loads(metadata.read_text())
        metadata.write_text(json.dumps({**content, "rounds": content["rounds"][::-1]}))
    assert annotate(tmp_path / "elsewhere", tmp_path / "out", "--cache-dir", first.cache) == 0
    files = files_of(first.out)
    told = {"annotations.jsonl", "rejects.jsonl"}  # which hold the rounds' ids, made of what the metadata says
    found = files_of(tmp_path / "out")
    assert {name: found[name] for name in found.keys() - told} == {name: files[name] for name in files.keys() - told}


def test_pictures_with_other_names_give_the_same_problems(first: Run, tmp_path: Path) -> None:
    some = first.made[:4]
    raw = part_of(first.raw, some, tmp_path / "raw")
    [metadata] = raw.rglob("*_metadata.json")
    text = metadata.read_text()
    for number, each in enumerate(some):
        for shown, name in (("question", f"z{9 - number}"), ("result", f"a{number}")):
            old = each.recipe.path(shown)
            new = f"{each.recipe.device}/{name}{Path(old).suffix}"
            (raw / old).rename(raw / new)
            text = text.replace(old, new)
    metadata.write_text(text)
    assert annotate(raw, tmp_path / "out", "--cache-dir", first.cache, "--rule", "number-game") == 0
    rows, labels = emitted(tmp_path / "out"), truth(some)
    assert sorted(rows.values()) == sorted(labels[each.recipe.path("question")] for each in some)


@dataclass(frozen=True)
class Small:
    """A few rounds, the files that a run on them leaves, and the run's own settings."""

    raw: Path
    files: dict[str, str]


SMALL = ("--rule", "number-game", "--seed", "3")


@pytest.fixture(scope="module")
def small(first: Run, tmp_path_factory: pytest.TempPathFactory) -> Small:
    folder = tmp_path_factory.mktemp("small")
    raw = part_of(first.raw, first.made[:3], folder / "raw")
    assert annotate(raw, folder / "out", "--cache-dir", first.cache, *SMALL) == 0
    assert emitted(folder / "out") == truth(first.made[:3])
    return Small(raw, files_of(folder / "out"))


@pytest.fixture
def closed(tmp_path: Path) -> dict[str, str]:
    """The surroundings of a process that, with its children, reaches this machine alone."""
    (tmp_path / "closed").mkdir()
    (tmp_path / "closed" / "sitecustomize.py").write_text(NO_NETWORK)
    return {**os.environ, "PYTHONPATH": f"{tmp_path / 'closed'}:{ROOT}", "PYTHONDONTWRITEBYTECODE": "1"}


def test_the_closed_process_of_these_tests_reaches_nothing_but_this_machine(closed: dict[str, str]) -> None:
    for call in ("create_connection(('192.0.2.1', 80))", "getaddrinfo('example.org', 80)",
                 "socket().connect(('192.0.2.1', 80))"):  # fmt: skip
        code = f"import socket; socket.{call}"
        done = subprocess.run([sys.executable, "-c", code], env=closed, capture_output=True, text=True, check=False)
        assert "something wanted to reach" in done.stderr


def command(raw: Path, out: Path, *arguments: str) -> Sequence[str]:
    return [sys.executable, "-m", "pipelines.game_annotate", str(raw), "--out", str(out), *arguments]


def test_two_workers_without_any_network_make_the_same_bytes_from_nothing(
    small: Small, closed: dict[str, str], tmp_path: Path
) -> None:
    done = subprocess.run(
        command(small.raw, tmp_path / "out", *SMALL, "--workers", "2"),
        env=closed, capture_output=True, text=True, timeout=150, check=False,
    )  # fmt: skip
    assert (done.returncode, "something wanted to reach" in done.stderr) == (0, False), done.stderr
    assert files_of(tmp_path / "out") == small.files


def stored(out: Path) -> dict[bytes, float]:
    """What the memory of requests holds, by key, and when it was stored."""
    path = out / ".run" / "requests.sqlite"
    if not path.is_file():
        return {}
    database = sqlite3.connect(path, timeout=10)
    try:
        return dict(database.execute("SELECT key, stored FROM replies").fetchall())
    except sqlite3.OperationalError:  # the table is not there yet
        return {}
    finally:
        database.close()


def test_a_run_that_is_killed_goes_on_where_it_was_and_makes_the_same_bytes(
    small: Small, closed: dict[str, str], tmp_path: Path
) -> None:
    line, out = command(small.raw, tmp_path / "out", *SMALL), tmp_path / "out"
    with (tmp_path / "log").open("wb") as log:
        process = subprocess.Popen(line, env=closed, stdout=log, stderr=log, start_new_session=True)
        deadline = time.monotonic() + 100
        while len(stored(out)) < 2 and process.poll() is None and time.monotonic() < deadline:
            time.sleep(0.05)
        assert process.poll() is None, (tmp_path / "log").read_text()
        os.killpg(process.pid, signal.SIGKILL)
        process.wait(timeout=30)
    before = stored(out)
    assert len(before) >= 2
    assert not (out / "data").exists()
    done = subprocess.run(line, env=closed, capture_output=True, text=True, timeout=150, check=False)
    assert done.returncode == 0, done.stderr
    after = stored(out)
    assert {key: after[key] for key in before} == before, "what OCR had read was not read again"
    assert files_of(out) == small.files


#: Who rejects a damaged round, and what its message says.
REASONS = {
    "result missing": ("CorrectCardFinder", "is not there"),
    "question missing": ("OCRNumberExtractor", "is not there"),
    "question truncated": ("OCRNumberExtractor", "is damaged"),
    "result truncated": ("CorrectCardFinder", "is damaged"),
    "result empty": ("CorrectCardFinder", "is no picture"),
    "wrong keys in metadata": ("EpisodeReader", "no question picture is named"),
    "wrong file in metadata": ("OCRNumberExtractor", "is not there"),
    "no cards": ("RoundChecker", "confidence 0."),
    "five cards": ("RoundChecker", "four or more numbers or cards in the row"),
    "no lamp": ("RoundChecker", "light"),
}


@pytest.fixture(scope="module")
def damaged(first: Run, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Damaged]]:
    """A run on the same rounds, of which one was damaged in each way."""
    folder = tmp_path_factory.mktemp("damaged")
    shutil.copytree(first.raw, folder / "raw")
    done = damage(folder / "raw", first.made, seed=1)
    assert annotate(folder / "raw", folder / "out", "--cache-dir", first.cache, "--rule", "number-game") == 0
    return folder / "out", done


def test_each_kind_of_damage_is_a_counted_reject_with_its_reason(
    first: Run, damaged: tuple[Path, list[Damaged]]
) -> None:
    out, done = damaged
    assert [each.kind for each in done] == list(KINDS)
    rejects = [json.loads(line) for line in (out / "rejects.jsonl").read_text().splitlines()]
    paths = {key_of(each): each.recipe for each in first.made}
    found = {}
    for each in done:
        recipe = paths[each.device, each.episode, each.round]
        names = [recipe.path("question"), recipe.path("result"), f"{each.device}/screen_{each.round}.png",
                 f"{each.device}/{each.episode}_metadata.json, entry {each.round} "]  # fmt: skip
        of_round = [r for r in rejects if any(name in r["inputs"] + r["message"] for name in names)]
        found[each.kind] = [(r["operator"], REASONS[each.kind][1] in r["message"]) for r in of_round]
    assert found == {kind: [(operator, True)] for kind, (operator, _) in REASONS.items()}
    assert sum(rejected(out).values()) == stats_of(out)["rounds"]["rejected"]
    assert stats_of(out)["rounds"]["seen"] == ROUNDS


def test_damage_to_some_rounds_changes_no_other(first: Run, damaged: tuple[Path, list[Damaged]]) -> None:
    out, done = damaged
    hit = {(each.device, each.episode, each.round) for each in done}
    whole = {each.recipe.path("question") for each in first.made if key_of(each) not in hit}
    assert emitted(out) == {name: row for name, row in emitted(first.out).items() if name in whole}


@pytest.fixture
def served(first: Run) -> Iterator[Loopback]:
    with Loopback(Eyes.on(first.raw, first.made)) as server:
        yield server


def test_a_model_that_is_asked_first_is_asked_three_times_a_round_and_paid_once(
    first: Run, served: Loopback, tmp_path: Path
) -> None:
    flags = ("--cache-dir", first.cache, "--vlm-first", "--model", "m", "--base-url", served.url, "--max-retries", 0)
    assert annotate(first.raw, tmp_path / "out", *flags) == 0
    assert len(served.calls) == 3 * ROUNDS
    assert emitted(tmp_path / "out") == truth(first.made), "with a model that knows, every round is used"
    fields = stats_of(tmp_path / "out")["fields"]
    assert [fields[name]["model"]["asked"] for name in ("numbers", "light", "card")] == [ROUNDS] * 3
    assert annotate(first.raw, tmp_path / "again", *flags) == 0
    assert len(served.calls) == 3 * ROUNDS
    assert files_of(tmp_path / "again") == files_of(tmp_path / "out")


def test_a_server_that_is_not_there_leaves_with_3_and_the_same_command_does_the_rest(
    first: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    some = first.made[:2]
    raw = part_of(first.raw, some, tmp_path / "raw")
    server = Loopback(Eyes.on(raw, some))
    flags = ("--cache-dir", first.cache, "--rule", "number-game", "--vlm-first", "--model", "m",
             "--base-url", server.url.replace(str(server.port), "9"), "--max-retries", 0)  # fmt: skip
    assert annotate(raw, tmp_path / "out", *flags) == 3
    assert "does not answer" in capsys.readouterr().err
    assert annotate(raw, tmp_path / "out", *flags, "--no-preflight") == 3
    assert "not done" in capsys.readouterr().err
    assert not (tmp_path / "out" / "data").exists()
    there = [server.url if str(flag).endswith(":9/v1") else flag for flag in flags]
    with server:
        assert annotate(raw, tmp_path / "out", *there) == 0
    assert emitted(tmp_path / "out") == truth(some)


def test_mistakes_in_the_command_leave_with_2_and_say_what_to_do(
    first: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "empty").mkdir()
    for arguments, told in (
        ((tmp_path / "nowhere", tmp_path / "out"), "there is no such folder; a root looks like this"),
        ((tmp_path / "empty", tmp_path / "out"), "there is no episode in it; a root looks like this"),
        ((first.raw, first.raw), "--out is the folder of the collected rounds"),
        ((first.raw, tmp_path / "out", "--vlm-first"), "--vlm-first asks a model about every round"),
    ):
        assert annotate(*arguments) == 2
        assert told in capsys.readouterr().err


def test_a_run_without_a_usable_round_leaves_with_1_and_the_reason(
    first: Run, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    raw = part_of(first.raw, first.made[:1], tmp_path / "raw")
    (raw / first.made[0].recipe.path("result")).unlink()
    assert annotate(raw, tmp_path / "out", "--cache-dir", first.cache) == 1
    assert "is not there" in capsys.readouterr().err
