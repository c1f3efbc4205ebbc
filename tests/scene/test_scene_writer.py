"""SceneWriter: what stands in the folder afterwards, byte for byte, and what is never touched."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from dataflow_ext import InputError
from dataflow_ext.datasets.folder import must_be_ours
from dataflow_ext.testing import check_operator
from operators.scene.model.conversation import conversation_of
from operators.scene.model.records import NAMES
from operators.scene.scene_writer import SceneWriter, write_data_set
from tests.scene.finished import CHAIN
from tests.scene.output.sets import DATA, LIST, files, finished, lines, png, several, table, written


def names(folder: Path) -> set[str]:
    return set(files(folder))


def pictures(id: str, count: int = 4) -> set[str]:
    return {f"images/{id}/step_{number}.png" for number in range(count)}


def test_a_row_becomes_a_line_of_the_format_with_its_pictures_beside_it(tmp_path):
    row = finished(tmp_path)
    done = SceneWriter(out=tmp_path / "out").apply(table([row]))
    assert (done.table.num_rows, done.rejects.num_rows) == (1, 0)
    assert names(tmp_path / "out") == {*DATA, LIST, *pictures(row["id"])}
    [line] = lines(tmp_path / "out" / "conversations.jsonl")
    assert json.dumps(line) == json.dumps(conversation_of(row))
    for name, source in zip(line["images"], row["images"], strict=True):
        assert (tmp_path / "out" / name).samefile(source)


def test_lines_are_sorted_by_room_chain_and_id_however_the_rows_come(tmp_path):
    rows = several(tmp_path)
    one, other = written(tmp_path / "a", rows), written(tmp_path / "b", rows[::-1])
    assert files(one) == files(other)
    told = [line["metadata"] for line in lines(one / "conversations.jsonl")]
    assert [(each["scene_id"], each["chain_id"]) for each in told] == [("a", 1), ("a", 10), ("b", 1), ("b", 2)]


def test_a_second_run_gives_the_same_bytes_and_writes_no_picture_again(tmp_path):
    out = written(tmp_path / "out", several(tmp_path))
    before, times = files(out), {path: path.stat().st_ino for path in out.rglob("*.png")}
    written(out, several(tmp_path))
    assert files(out) == before
    assert {path: path.stat().st_ino for path in out.rglob("*.png")} == times


def test_what_a_row_no_longer_has_goes_and_files_of_others_stay(tmp_path):
    rows = several(tmp_path)
    out = written(tmp_path / "out", rows)
    gone = rows[0]["id"]
    (out / "images" / gone / "notes.txt").write_text("mine")
    (out / "images" / "mine.png").write_bytes(png(1))
    (out / "readme.txt").write_text("mine")
    written(out, rows[1:])
    assert len(lines(out / "conversations.jsonl")) == 3
    kept = {name for row in rows[1:] for name in pictures(row["id"])}
    assert names(out) == {*DATA, LIST, *kept, f"images/{gone}/notes.txt", "images/mine.png", "readme.txt"}
    written(out, rows)
    (out / "images" / gone / "notes.txt").unlink()
    written(out, rows[1:])
    assert not (out / "images" / gone).exists()


def test_a_shorter_chain_of_the_same_id_leaves_no_picture_behind(tmp_path):
    out = written(tmp_path / "out", [finished(tmp_path)])
    chain = CHAIN.__class__(CHAIN.start, [CHAIN.turns[0], CHAIN.turns[-1]], {"tool_1": CHAIN.retrievals["tool_1"]})
    full = finished(tmp_path)
    short = {**full, "chain": chain.text(), "images": full["images"][:2], "texts": full["texts"][:2]}
    written(out, [short])
    assert names(out) == {*DATA, LIST, *pictures(full["id"], 2)}


def test_a_picture_that_somebody_changed_is_put_right_and_the_renderers_is_not_touched(tmp_path):
    row = finished(tmp_path)
    out = written(tmp_path / "out", [row])
    before = files(out)
    shown = out / f"images/{row['id']}/step_1.png"
    shown.unlink()
    shown.write_bytes(png(99))
    written(out, [row])
    assert files(out) == before
    assert row["images"][1].read_bytes() == before[f"images/{row['id']}/step_1.png"]


@pytest.mark.parametrize("damage", ["", "{", "null", "\0\0", "3", '{"files": 3}'])
def test_one_s_own_folder_is_not_refused_because_its_list_is_damaged(tmp_path, damage):
    rows = several(tmp_path)
    out = written(tmp_path / "out", rows)
    whole = files(out)
    (out / LIST).write_text(damage)
    must_be_ours(out, NAMES)
    (out / f"images/{rows[0]['id']}/step_1.png").unlink()
    written(out, rows)
    assert files(out) == whole


@pytest.mark.skipif(not Path("/dev/shm").is_dir(), reason="needs a second file system")
def test_pictures_of_another_file_system_are_copied(tmp_path):
    import tempfile

    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        row = finished(Path(folder))
        out = written(tmp_path / "out", [row])
        shown = out / f"images/{row['id']}/step_1.png"
        assert shown.read_bytes() == row["images"][1].read_bytes()
        assert shown.stat().st_nlink == 1


def test_of_two_rows_with_one_id_the_first_is_written_whatever_the_order(tmp_path):
    twins = [finished(tmp_path, 1, "b", id="twin"), finished(tmp_path, 2, "a", id="twin"), finished(tmp_path, 3, "c")]
    for name, rows in (("one", twins), ("other", twins[::-1])):
        done = SceneWriter(out=tmp_path / name).apply(table(rows))
        assert done.rejects.select(["error", "message"]).to_pylist() == [
            {"error": "row.shape", "message": "row.shape: another row has the id twin"}
        ]
    assert files(tmp_path / "one") == files(tmp_path / "other")
    assert [line["metadata"]["scene_id"] for line in lines(tmp_path / "one" / "conversations.jsonl")] == ["a", "c"]


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"id": "../x"}, "images.names: the id '../x' cannot be the name of a folder"),
        ({"id": ""}, "images.names: the id '' cannot be the name of a folder"),
        ({"chain": "{"}, "row.shape: the row makes no conversation (JSONDecodeError"),
        ({"camera": "{"}, "row.shape: the row makes no conversation (JSONDecodeError"),
        ({"texts": []}, "row.shape: the row makes no conversation (ValueError"),
        ({"images": []}, "images.count: 0 pictures for 4 turns"),
        ({"score": float("nan")}, "row.shape: a number is not finite"),
        ({"instruction": "A room <image> please"}, "images.count: message 1 (user) has <image> 1 times"),
        ({"text_by": "m", "texts": [{"think": "<video>", "conclusion": "", "template": "A"}] * 4},
         "images.count: message 4 (assistant) has <video> 1 times"),
        ({"chain": CHAIN.text().replace('"jid":"stand-1","new_position"', '"jid":"none","new_position"')},
         "call.no_such_object: tool_5 (move_object): the room has no object 'none'"),
    ],
)  # fmt: skip
def test_a_row_that_cannot_be_written_is_a_reject_and_costs_no_other_its_line(tmp_path, changes, message):
    done = SceneWriter(out=tmp_path / "out").apply(table([finished(tmp_path), finished(tmp_path, 2, **changes)]))
    [reject] = done.rejects.to_pylist()
    assert reject["message"].startswith(message)
    assert reject["error"] == message.partition(":")[0]
    assert names(tmp_path / "out") == {*DATA, LIST, *pictures("multi_turn_edit_1_0a1b2c3d")}
    assert len(lines(tmp_path / "out" / "conversations.jsonl")) == len(lines(tmp_path / "out" / "swift.jsonl")) == 1


@pytest.mark.parametrize("damage", [None, b"", png(1)[:-4], b"GIF89a" + png(1)])
def test_a_picture_that_is_no_whole_png_costs_its_row(tmp_path, damage):
    row = finished(tmp_path)
    row["images"][2] = tmp_path / "damaged.png"
    if damage is not None:
        row["images"][2].write_bytes(damage)
    [reject] = SceneWriter(out=tmp_path / "out").apply(table([row, finished(tmp_path, 2)])).rejects.to_pylist()
    assert reject["message"].startswith(f"image.missing: the picture of turn 2, {tmp_path}/damaged.png, ")


def test_without_any_conversation_nothing_is_written_or_removed(tmp_path):
    out = written(tmp_path / "out", several(tmp_path))
    before = files(out)
    SceneWriter(out=out).apply(table([]))
    assert files(out) == before
    SceneWriter(out=out).apply(table([finished(tmp_path, images=[])]))
    assert {name: data for name, data in files(out).items() if name != LIST} == {
        name: data for name, data in before.items() if name != LIST
    }
    SceneWriter(out=tmp_path / "new").apply(table([]))
    assert not (tmp_path / "new").exists()


@pytest.mark.parametrize("name", sorted(DATA))
def test_a_data_file_that_no_run_wrote_is_never_replaced(tmp_path, name):
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / name).write_text("mine")
    with pytest.raises(InputError, match=f"{name} was not written by a run of this pipeline"):
        SceneWriter(out=tmp_path / "out").apply(table([finished(tmp_path)]))
    with pytest.raises(InputError, match="name another output folder"):
        must_be_ours(tmp_path / "out", NAMES)
    assert files(tmp_path / "out") == {name: b"mine"}


def test_a_folder_of_pictures_that_no_run_wrote_costs_its_row(tmp_path):
    row = finished(tmp_path)
    folder = tmp_path / "out" / "images" / row["id"]
    folder.mkdir(parents=True)
    (folder / "step_0.png").write_bytes(b"mine")
    done = SceneWriter(out=tmp_path / "out").apply(table([row, finished(tmp_path, 2)]))
    assert done.rejects["message"].to_pylist() == [
        f"images.names: images/{row['id']} has pictures that no run of this pipeline wrote; move them away"
    ]
    written(tmp_path / "out", [finished(tmp_path, 2)])
    assert (folder / "step_0.png").read_bytes() == b"mine"


def test_links_to_other_places_are_not_followed(tmp_path):
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / "images").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(InputError, match="is a link to another place"):
        SceneWriter(out=tmp_path / "out").apply(table([finished(tmp_path)]))
    assert files(tmp_path / "elsewhere") == {}


def test_stopped_amid_the_rows_the_old_data_stands_and_the_next_run_is_as_if_nothing_had_been(tmp_path):
    rows = several(tmp_path)
    out = written(tmp_path / "out", rows[:2])
    before = files(out)

    def broken():
        yield 0, {**rows[2], "texts": [*rows[2]["texts"]]}
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        write_data_set(broken(), out, {row["id"]: 4 for row in rows[2:]})
    after = files(out)
    assert {name: after[name] for name in before if name != LIST} == {n: d for n, d in before.items() if n != LIST}
    assert pictures(rows[2]["id"]) < set(after)
    written(out, rows[1:2])
    assert files(out) == files(written(tmp_path / "fresh", rows[1:2]))


def test_killed_amid_the_rows_the_next_run_is_as_if_nothing_had_been(tmp_path):
    rows = several(tmp_path)
    program = (
        "import os, signal, sys; from pathlib import Path\n"
        "from tests.scene.output.sets import several\n"
        "from operators.scene.scene_writer import write_data_set\n"
        "root = Path(sys.argv[1]); rows = several(root)\n"
        "def some():\n"
        "    yield 0, rows[0]\n"
        "    yield 1, rows[1]\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n"
        "write_data_set(some(), root / 'out', {row['id']: 4 for row in rows})\n"
    )
    killed = subprocess.run([sys.executable, "-c", program, str(tmp_path)], timeout=60, check=False)
    assert killed.returncode == -9
    assert not DATA & names(tmp_path / "out")
    (tmp_path / "out" / ".run" / "dataset" / "picture.part").hardlink_to(rows[2]["images"][0])
    written(tmp_path / "out", rows[2:])
    assert files(tmp_path / "out") == files(written(tmp_path / "fresh", rows[2:]))


def test_texts_stay_as_they_are_but_no_reader_finds_a_line_break_in_them(tmp_path):
    text = "茶 😀\u2028a\u2029b\u0085c\x0bd\re"
    out = written(tmp_path / "out", [finished(tmp_path, instruction=text)])
    for name in ("conversations.jsonl", "swift.jsonl"):
        told = (out / name).read_bytes().decode()
        assert len(told.splitlines()) == 1
        assert "茶 😀\\u2028a\\u2029b\\u0085c\\u000bd\\re" in told
    assert lines(out / "conversations.jsonl")[0]["metadata"]["global_user_instruction"] == text


def test_the_laws_of_operators_hold(tmp_path):
    rows = [*several(tmp_path), finished(tmp_path, 1, "z", images=[])]
    assert check_operator(SceneWriter(out=tmp_path / "out"), table(rows)).num_rows == 4
