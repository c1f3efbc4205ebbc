"""Files appear whole, outlast a power cut, and are open to whom the umask says, or to their owner alone."""

import os
import subprocess
import sys

import pyarrow as pa
import pytest

from dataflow_ext.files import atomic, forget_unfinished, json_object, make_folder, put, write_text
from dataflow_ext.tables import write_table

posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no modes")


@pytest.fixture(params=[0o022, 0o002, 0o077])
def umask(request):
    before = os.umask(request.param)
    yield request.param
    os.umask(before)


def mode(path):
    return oct(path.stat().st_mode & 0o777)


@posix
def test_files_that_were_asked_for_have_the_mode_of_the_umask_and_private_ones_are_their_owner_s(tmp_path, umask):
    made = [
        write_text(tmp_path / "out" / "page.html", "x"),
        write_table(pa.table({"a": [1]}), tmp_path / "out" / "rows.parquet"),
        write_table(pa.table({"a": [1]}), tmp_path / "out" / ".run" / "steps" / "key.arrow", private=True),
    ]
    assert [mode(path) for path in made] == [oct(0o666 & ~umask), oct(0o666 & ~umask), "0o600"]
    folders = (tmp_path / "out", tmp_path / "out" / ".run", tmp_path / "out" / ".run" / "steps")
    assert [mode(path) for path in folders] == [oct(0o777 & ~umask), "0o700", oct(0o777 & ~umask)]


@posix
def test_a_private_folder_is_its_owner_s_and_its_parents_are_as_the_umask_says(tmp_path, umask):
    folder = make_folder(tmp_path / "team" / "cache", private=True)
    assert (mode(folder), mode(folder.parent)) == ("0o700", oct(0o777 & ~umask))


@posix
def test_a_folder_that_is_there_keeps_its_mode(tmp_path):
    folder = tmp_path / "cache"
    folder.mkdir(0o755)
    assert mode(make_folder(folder, private=True)) == "0o755"


def test_a_file_in_the_place_of_a_folder_is_told(tmp_path):
    (tmp_path / "file").write_text("x")
    with pytest.raises(FileExistsError):
        make_folder(tmp_path / "file")
    with pytest.raises(NotADirectoryError):
        make_folder(tmp_path / "file" / "deeper")


@posix
def test_a_file_s_bytes_are_on_the_disk_before_its_name_and_its_name_before_anything_else(tmp_path, monkeypatch):
    done = []
    real, opened = os.fsync, os.fstat

    def seen(file):
        done.append((opened(file).st_ino, (tmp_path / "a.txt").exists()))
        real(file)

    monkeypatch.setattr(os, "fsync", seen)
    path = write_text(tmp_path / "a.txt", "x")
    assert done == [(path.stat().st_ino, False), (tmp_path.stat().st_ino, True)]


def test_a_write_that_fails_leaves_nothing(tmp_path):
    with pytest.raises(RuntimeError), atomic(tmp_path / "a.txt") as partial:
        partial.write_text("half")
        raise RuntimeError
    assert list(tmp_path.iterdir()) == []


def test_a_finished_file_takes_the_place_of_the_old_one(tmp_path):
    (tmp_path / "old").write_text("old")
    (tmp_path / "new").write_text("new")
    assert put(tmp_path / "new", tmp_path / "old").read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["old"]


@pytest.mark.parametrize(
    ("content", "known"),
    [
        (b'{"files": ["a"]}', {"files": ["a"]}),
        (b"", {}),
        (b"{", {}),
        (b"null", {}),
        (b"\xff", {}),
        (b"[" * 100_000, {}),
    ],
)
def test_a_file_that_holds_no_json_object_is_as_good_as_none(tmp_path, content, known):
    path = tmp_path / "files.json"
    assert json_object(path) == {}
    path.write_bytes(content)
    assert json_object(path) == known


def test_what_a_killed_process_had_begun_of_a_file_goes_and_nothing_else(tmp_path):
    code = """
import os, sys
from pathlib import Path
from dataflow_ext.files import atomic
files = [atomic(Path(name)) for name in sys.argv[1:]]
for file in files:
    file.__enter__()
os.kill(os.getpid(), 9)
"""
    names = [str(tmp_path / name) for name in ("stats.json", "card", "theirs.json")]
    assert subprocess.run([sys.executable, "-c", code, *names]).returncode == -9
    assert len(list(tmp_path.iterdir())) == 3
    kept = ["stats.json", ".stats.json.bak", ".stats.json.12345678.txt", ".other.json.12345678.json"]
    for name in kept:
        (tmp_path / name).touch()
    forget_unfinished(tmp_path, ["stats.json", "card"])
    forget_unfinished(tmp_path / "not there", ["stats.json"])
    left = {path.name for path in tmp_path.iterdir()} - set(kept)
    assert [name[: len(".theirs.json.")] for name in left] == [".theirs.json."]
    assert all((tmp_path / name).exists() for name in kept)
