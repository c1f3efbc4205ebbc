"""A data set's folder: what a run leaves is whole, and what others have put there stays."""

import json
import os
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dataflow_ext import InputError
from dataflow_ext.datasets.folder import BESIDE, DataFolder, PathTaken, is_inside, must_be_ours, writing
from dataflow_ext.datasets.rejects_and_stats import write_stats

NAMES = ("rows.jsonl", "data/train.jsonl")
LIST = ".run/dataset/files.json"


def files(folder):
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}


def data(folder):
    return {name: held for name, held in files(folder).items() if not name.startswith(".run")}


def written(out, texts, pictures=()):
    """A run that leaves these data files and pictures, and nothing that an earlier one had beside them."""
    with DataFolder(out, NAMES) as folder:
        folder.expect(pictures)
        for path in pictures:
            folder.put(path, path.encode())
        for name, text in texts.items():
            with folder.text(name) as file:
                file.write(text)
        folder.place()
        folder.keep_only(pictures)
    return out


def test_a_run_replaces_and_removes_what_runs_wrote_and_nothing_else(tmp_path):
    out = written(tmp_path / "out", {"rows.jsonl": "1", "data/train.jsonl": "2"}, ["images/a/1.png", "images/2.png"])
    (out / "images/mine.png").write_text("mine")
    written(out, {"rows.jsonl": "3"}, ["images/2.png"])
    assert data(out) == {"rows.jsonl": b"3", "images/2.png": b"images/2.png", "images/mine.png": b"mine"}
    assert not (out / "images/a").exists()
    assert not (out / "data").exists()
    assert json.loads((out / LIST).read_text()) == {"files": ["images/2.png", "rows.jsonl"]}


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=30)
@given(st.lists(st.tuples(st.sets(st.sampled_from(NAMES)), st.sets(st.sampled_from("abc")), st.booleans()), max_size=4))
def test_after_any_runs_with_any_damage_between_them_the_folder_is_that_of_the_last(tmp_path_factory, runs):
    out, fresh = tmp_path_factory.mktemp("runs"), tmp_path_factory.mktemp("fresh")
    (out / "mine.txt").write_text("mine")
    lost, was_damaged = set(), False
    for names, pictures, damaged in runs:
        shown = [f"images/{name}.png" for name in pictures]
        written(out, dict.fromkeys(names, "x"), shown)
        lost -= set(shown) if was_damaged else set()
        was_damaged = damaged
        if damaged:  # what a lost list named is ours only if the next run, which knows of the loss, has it too
            (out / LIST).write_text("{") if (out / LIST).exists() else None
            lost |= set(shown)
    for names, pictures, _ in runs[-1:]:
        written(fresh, dict.fromkeys(names, "x"), [f"images/{name}.png" for name in pictures])
    assert {name: held for name, held in data(out).items() if name not in lost - set(data(fresh))} == {
        **data(fresh),
        "mine.txt": b"mine",
    }


def test_nothing_comes_into_its_place_before_all_is_written(tmp_path):
    out = written(tmp_path / "out", {"rows.jsonl": "old"})
    with pytest.raises(KeyboardInterrupt), DataFolder(out, NAMES) as folder:
        folder.text("rows.jsonl").write("new")
        raise KeyboardInterrupt
    assert files(out) == files(written(tmp_path / "same", {"rows.jsonl": "old"}))


@pytest.mark.parametrize("was_here", [False, True])
@pytest.mark.parametrize("name", [*NAMES, "stats.json", "rejects.jsonl", "README.md", "report.html"])
def test_a_file_of_a_run_s_name_that_no_run_wrote_is_told_before_any_work(tmp_path, name, was_here):
    names = [*NAMES, *BESIDE]
    if was_here:
        with writing(tmp_path, names):
            for each in set(BESIDE) - {name}:
                (tmp_path / each).write_text("a run's")
    must_be_ours(tmp_path, names)
    (tmp_path / name).parent.mkdir(exist_ok=True)
    (tmp_path / name).write_text("mine")
    with pytest.raises(InputError, match=f"{name} was not written by a run of this pipeline; name another"):
        must_be_ours(tmp_path, names)


def test_what_a_run_reads_it_does_not_overwrite(tmp_path):
    written(tmp_path, {"rows.jsonl": "1"})
    must_be_ours(tmp_path, NAMES, [tmp_path / "images/a.png"])
    with pytest.raises(InputError, match=r"rows\.jsonl is an input, which this run would overwrite; name another"):
        must_be_ours(tmp_path, NAMES, [tmp_path / "data" / ".." / "rows.jsonl"])


def test_files_beside_the_data_outlast_the_cleaning_of_a_format(tmp_path):
    with writing(tmp_path, ["report.html", "stats.json"]):
        (tmp_path / "report.html").write_text("a run's")
    written(tmp_path, {"rows.jsonl": "1"})
    written(tmp_path, {"data/train.jsonl": "1"})
    assert set(data(tmp_path)) == {"report.html", "data/train.jsonl"}
    assert json.loads((tmp_path / LIST).read_text()) == {"files": ["data/train.jsonl", "report.html"]}


@pytest.mark.parametrize("damaged", [b"", b"{", b"null", b"\xff", b"[" * 100_000], ids=range(5))
def test_where_the_list_is_damaged_the_files_beside_the_data_are_still_a_run_s(tmp_path, damaged):
    for _ in range(2):
        with writing(tmp_path, [*NAMES, *BESIDE]):
            written(tmp_path, {"rows.jsonl": "1"})
            with writing(tmp_path, ["report.html"]):
                (tmp_path / "report.html").write_text("a run's")
        assert set(data(tmp_path)) == {"report.html", "rows.jsonl"}
        (tmp_path / LIST).write_bytes(damaged)


def test_a_place_that_somebody_else_has_or_that_leads_out_is_not_written_to(tmp_path):
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    (out / "images").mkdir(parents=True)
    elsewhere.mkdir()
    (out / "images/mine.png").write_text("mine")
    (out / "images/away").symlink_to(elsewhere)
    with DataFolder(out, NAMES) as folder:
        folder.expect(["images/mine.png", "images/away/x.png", "../x.png"])
        for path, why in {
            "images/mine.png": "is another file that no run has written",
            "images/away/x.png": "would leave .* by a link",
            "../x.png": "would leave .* by a link",
            f"images/{'x' * 300}.png": "cannot be the name of a file here",
        }.items():
            with pytest.raises(PathTaken, match=why):
                folder.put(path, b"ours")
        folder.put("images/mine.png", b"mine")  # what is right already stays
    assert (data(out), list(elsewhere.iterdir())) == ({"images/mine.png": b"mine"}, [])


@pytest.mark.parametrize("link", ["images", "data", "rows.jsonl"])
def test_links_to_other_places_are_refused(tmp_path, link):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / link).symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="name another output folder"):
        DataFolder(tmp_path / "out", NAMES)


def test_a_picture_is_linked_and_one_that_somebody_changed_is_put_right(tmp_path):
    source = tmp_path / "source.png"
    source.write_bytes(b"drawn")
    out = tmp_path / "out"
    for _ in range(2):
        with DataFolder(out, NAMES) as folder:
            folder.expect(["images/a.png"])
            folder.put("images/a.png", source)
        assert (out / "images/a.png").samefile(source)
        (out / "images/a.png").unlink()
        (out / "images/a.png").write_bytes(b"changed")
    assert source.read_bytes() == b"drawn"


def test_the_only_copy_of_an_input_is_never_removed(tmp_path):
    out = written(tmp_path / "out", {"rows.jsonl": "1"}, ["images/a.png", "images/b.png"])
    with DataFolder(out, NAMES) as folder:
        folder.keep_only(["images/a.png"], [out / "images/b.png"])
    assert (out / "images/b.png").is_file()


def test_a_folder_that_cannot_be_written_is_a_sentence(tmp_path):
    (tmp_path / "out").write_text("a file")
    with pytest.raises(InputError, match=r"Cannot write .*; make room or name another output folder, then run again"):
        written(tmp_path / "out", {"rows.jsonl": "1"})


@given(st.text(max_size=12))
def test_a_path_below_a_folder_stays_there(path):
    if is_inside(path):
        whole = os.path.normpath(Path("/out") / path)
        assert whole == f"/out/{path}"


def test_figures_are_json(tmp_path):
    assert json.loads(write_stats({"kept": 1, "by": {"茶": 0.5}}, tmp_path).read_text()) == {
        "kept": 1,
        "by": {"茶": 0.5},
    }
