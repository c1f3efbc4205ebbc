"""EpisodeReader: metadata of every layout becomes rounds, and whatever cannot be used is a reject of its own."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext.operator import Applied
from operators.game.episode_reader import EpisodeReader


def entry(number: object = 1, name: str = "a", **more: object) -> dict[str, Any]:
    return {
        "round": number,
        "question_screenshot": f"{name}_question.png",
        "result_screenshot": f"{name}_result.png",
        **more,
    }


def wrote(path: Path, rounds: object) -> Path:
    """A metadata file; what is no bytes stands under "rounds"."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(rounds if isinstance(rounds, bytes) else json.dumps({"rounds": rounds}).encode())
    return path


def drawn(root: Path, *names: str) -> list[Path]:
    for name in names:
        (root / name).parent.mkdir(parents=True, exist_ok=True)
        (root / name).touch()
    return [root / name for name in names]


def table(root: Path, *episodes: list[Path]) -> pa.Table:
    files = pa.array([[str(path) for path in files] for files in episodes], pa.list_(pa.string()))
    return pa.table({"root": pa.array([str(root)] * len(episodes), pa.string()), "files": files})


def read(root: Path, *files: Path) -> Applied:
    return EpisodeReader().apply(table(root, list(files)))


def found(done: Applied) -> list[tuple[Any, ...]]:
    """Device, episode, round and picture of each round."""
    return [tuple(row.values()) for row in done.table.select(["device", "episode", "round", "image"]).to_pylist()]


def why(done: Applied) -> list[tuple[str, str]]:
    assert set(done.rejects["kind"].to_pylist()) <= {"failed"}
    return list(zip(done.rejects["error"].to_pylist(), done.rejects["message"].to_pylist(), strict=True))


def lost(tmp_path: Path, *rounds: object) -> list[tuple[str, str]]:
    return why(read(tmp_path, wrote(tmp_path / "phone" / "episode_001_metadata.json", list(rounds))))


def test_the_collectors_layout_gives_a_row_a_round(tmp_path):
    drawn(tmp_path, "phone/e_question.png", "phone/e_result.png")
    rounds = [entry(1, "phone/e", selected_index=2, click_position=[3, 4]), entry(2, "phone/f")]
    done = read(tmp_path, wrote(tmp_path / "phone" / "episode_001_metadata.json", rounds))
    assert done.table.drop_columns(["row_id"]).to_pylist() == [
        {
            "device": "phone",
            "episode": "episode_001",
            "round": number,
            "question": str(tmp_path / f"phone/{name}_question.png"),
            "result": str(tmp_path / f"phone/{name}_result.png"),
            "image": f"phone/{name}_question.png",
            "selected": selected,
            "clicked": clicked,
        }
        for number, name, selected, clicked in [(1, "e", 2, [3.0, 4.0]), (2, "f", None, None)]
    ]
    assert done.rejects.num_rows == 0


@pytest.mark.parametrize(
    ("root", "file", "device", "episode"),
    [
        (".", "phone/episode_001_metadata.json", "phone", "episode_001"),
        (".", "phone/Spiel 7/metadata.json", "phone", "Spiel 7"),
        (".", "lab/phone/e_metadata.json", "lab/phone", "e"),
        (".", "lab/phone/7/metadata.json", "lab/phone", "7"),
        ("phone", "phone/episode_001_metadata.json", "phone", "episode_001"),
        ("phone", "phone/7/metadata.json", "phone", "7"),
        ("phone/7", "phone/7/metadata.json", "phone", "7"),
        (".", "phone/named.json", "phone", "named"),
    ],
)
def test_device_and_episode_are_called_by_their_folders_and_file(root, file, device, episode, tmp_path):
    done = read(tmp_path / "all" / root, wrote(tmp_path / "all" / file, [entry()]))
    assert [row[:3] for row in found(done)] == [(device, episode, 1)]


def test_two_episodes_of_one_name_in_a_device_are_told_apart(tmp_path):
    files = [wrote(tmp_path / "phone" / name, [entry()]) for name in ("7_metadata.json", "7/metadata.json")]
    assert [found(read(tmp_path, file))[0][:2] for file in files] == [("phone", "7"), ("phone", "7_folder")]


@pytest.mark.parametrize(
    ("root", "named", "there", "image"),
    [
        (".", "phone/q.png", "phone/q.png", "phone/q.png"),  # relative to the root, as the collector writes it
        (".", "phone/q.png", None, "phone/q.png"),
        (".", "q.png", "phone/7/q.png", "phone/7/q.png"),  # relative to the metadata
        (".", "q.png", None, "phone/7/q.png"),
        (".", "shots/q.png", None, "phone/7/shots/q.png"),
        (".", "7/q.png", "phone/7/q.png", "phone/7/q.png"),  # relative to a folder between
        (".", "../q.png", "phone/q.png", "phone/q.png"),
        (".", "./x/../q.png", "phone/7/q.png", "phone/7/q.png"),
        (".", "phone\\7\\q.png", "phone/7/q.png", "phone/7/q.png"),  # from Windows
        ("phone", "phone/7/q.png", "phone/7/q.png", "7/q.png"),  # relative to the folder above a device's
        ("phone", "phone/q.png", None, "q.png"),
        ("phone/7", "phone/7/q.png", "phone/7/q.png", "q.png"),
        ("phone/7", "7/q.png", None, "q.png"),
        (".", "图 1#?%.png", "phone/7/图 1#?%.png", "phone/7/图 1#?%.png"),
    ],
)
def test_pictures_are_found_from_the_root_or_from_the_metadata(root, named, there, image, tmp_path):
    if there:
        drawn(tmp_path, there)
    file = wrote(tmp_path / "phone" / "7" / "metadata.json", [entry(question_screenshot=named)])
    assert [row[3] for row in found(read(tmp_path / root, file))] == [image]


def test_where_both_are_there_the_root_goes_first(tmp_path):
    drawn(tmp_path, "q.png", "phone/q.png")
    file = wrote(tmp_path / "phone" / "e_metadata.json", [entry(question_screenshot="q.png")])
    assert [row[3] for row in found(read(tmp_path, file))] == ["q.png"]


def test_every_key_of_the_format_names_a_picture_and_the_bare_word_last(tmp_path):
    rounds = [
        {"question" + key: f"q{n}.png", "result" + key: f"r{n}.png"}
        for n, key in enumerate(("_screenshot", "_image", "_path", ""))
    ]
    rounds.append(
        {
            "question": "Which one?",
            "question_image": "q4.png",
            "result": True,
            "result_path": "r4.png",
            "result_image": None,
        }
    )
    done = read(tmp_path, wrote(tmp_path / "phone" / "e_metadata.json", rounds))
    assert found(done) == [("phone", "e", n + 1, f"phone/q{n}.png") for n in range(5)]
    assert [Path(path).name for path in done.table["result"].to_pylist()] == [f"r{n}.png" for n in range(5)]


def test_a_byte_order_mark_and_any_script_are_read(tmp_path):
    text = json.dumps({"rounds": [entry(name="图")]}, ensure_ascii=False)
    done = read(tmp_path, wrote(tmp_path / "phone" / "metadata.json", b"\xef\xbb\xbf" + text.encode()))
    assert [row[3] for row in found(done)] == ["phone/图_question.png"]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "not JSON (Expecting value: line 1 column 1 (char 0))."),
        (b'{"rounds": [', "not JSON (Expecting value: line 1 column 13 (char 12))."),
        ('{"rounds": []}'.encode("utf-16"), "not UTF-8 (byte 0); save it as UTF-8."),
        ('{"rounds": "é"}'.encode("latin-1"), "not UTF-8 (byte 12); save it as UTF-8."),
        (b"[" * 100_000, None),
        (b"[1]", "metadata is an object with 'rounds', this is a list."),
        (b'"x"', "metadata is an object with 'rounds', this is a text."),
        (b"null", "metadata is an object with 'rounds', this is null."),
        (b"{}", "there is no 'rounds' in it, only nothing."),
        (b'{"a\\u001b": 1, "b": 2}', "there is no 'rounds' in it, only 'a\\x1b', 'b'."),
        (b'{"rounds": {"1": {}}}', "'rounds' is an object, not a list of rounds."),
        (b'{"rounds": null}', "'rounds' is null, not a list of rounds."),
        (b'{"rounds": [' + b"1," * 100_000 + b"1]}", "100,001 rounds are no episode; the most is 100,000."),
    ],
)
def test_a_file_that_is_no_metadata_is_one_reject(content, message, tmp_path):
    file = wrote(tmp_path / "phone" / "e_metadata.json", content)
    [(error, told)] = why(read(tmp_path, file))
    assert error == "MetadataError"
    assert told == f"{file}: {message}" if message else told.startswith(f"{file}: not JSON (")


def test_files_that_are_not_there_or_no_episode_are_rejects(tmp_path):
    (tmp_path / "phone" / "folder_metadata.json").mkdir(parents=True)
    outside = wrote(tmp_path.with_name("other") / "e_metadata.json", [entry()])
    (tmp_path / "link_metadata.json").symlink_to(outside)
    pictures = drawn(tmp_path, "a.png", "b.txt")
    done = EpisodeReader().apply(
        table(
            tmp_path,
            [tmp_path / "none_metadata.json"],
            [tmp_path / "phone" / "folder_metadata.json"],
            [outside],
            [tmp_path / "link_metadata.json"],
            pictures,
            [],
        )
    )
    assert why(done) == [
        ("MetadataError", f"{tmp_path}/none_metadata.json: there is no such file."),
        ("MetadataError", f"{tmp_path}/phone/folder_metadata.json: there is no such file."),
        ("PathError", f"{outside} does not lie in the root {tmp_path}."),
        ("PathError", f"{tmp_path}/link_metadata.json is, or lies behind, a link that leads out of the root."),
        ("MetadataError", "An episode is one metadata file (.json) or pictures, not 'a.png', 'b.txt'."),
        ("MetadataError", "An episode is one metadata file (.json) or pictures, not nothing."),
    ]


def test_an_episode_without_rounds_is_empty(tmp_path):
    file = wrote(tmp_path / "phone" / "e_metadata.json", [])
    assert read(tmp_path, file).rejects.select(["kind", "error", "message"]).to_pylist() == [
        {
            "kind": "empty",
            "error": "MetadataError",
            "message": f"{file}: the episode has no rounds; its list of rounds is empty.",
        }
    ]


def test_each_round_that_cannot_be_used_is_a_reject_and_the_others_live(tmp_path):
    rounds = [
        entry(1, "a"),
        "no object",
        None,
        entry(4, "d", result_screenshot=""),
        {"round": 5},
        entry(6, "f", result_screenshot="f_question.png"),
        entry(7, "g"),
    ]
    file = wrote(tmp_path / "phone" / "e_metadata.json", rounds)
    done = read(tmp_path, file)
    assert [row[2:] for row in found(done)] == [(1, "phone/a_question.png"), (7, "phone/g_question.png")]
    here = "phone/e_metadata.json, entry"
    assert why(done) == [
        ("RoundError", f"{here} 2: a round is an object, this is a text."),
        ("RoundError", f"{here} 3: a round is an object, this is null."),
        ("RoundError", f"{here} 4 (round 4): no result picture is named; it stands under 'result_screenshot'."),
        ("RoundError", f"{here} 5 (round 5): no question picture is named; it stands under 'question_screenshot'."),
        ("RoundError", f"{here} 6 (round 6): question and result are the same picture, 'phone/f_question.png'."),
    ]
    assert [json.loads(inputs) for inputs in done.rejects["inputs"].to_pylist()] == [rounds[n] for n in (1, 2, 3, 4, 5)]


@pytest.mark.parametrize(
    ("path", "reason"),
    [
        ("/etc/passwd", "'/etc/passwd' is an absolute path; screenshots are named relative to the root."),
        ("C:\\shots\\q.png", "'C:\\\\shots\\\\q.png' is an absolute path; screenshots are named relative to the root."),
        ("c:q.png", "'c:q.png' is an absolute path; screenshots are named relative to the root."),
        (
            "\\\\server\\q.png",
            "'\\\\\\\\server\\\\q.png' is an absolute path; screenshots are named relative to the root.",
        ),
        ("../../q.png", "'../../q.png' names no file in the root; screenshots lie in it."),
        ("phone/../../../q.png", "'phone/../../../q.png' names no file in the root; screenshots lie in it."),
        ("..\\..\\q.png", "'../../q.png' names no file in the root; screenshots lie in it."),
        ("..", "'..' names no file in the root; screenshots lie in it."),
        ("a\0.png", "'a\\x00.png' holds characters that no path has."),
        ("a\ud800.png", "'a\\ud800.png' holds characters that no path has."),
        ("x" * 256, f"'{'x' * 79}…' is too long for a path, 256 bytes."),
        ("x/" * 501, f"'{'x/' * 39}x…' is too long for a path, 1,002 bytes."),
        ("é/" * 400, f"'{'é/' * 39}é…' is too long for a path, 1,200 bytes."),
        (7, "a path is a text, this is a number."),
        (["q.png"], "a path is a text, this is a list."),
        (False, "a path is a text, this is true or false."),
        ("out/q.png", "'out/q.png' is, or lies behind, a link that leads out of the root."),
        ("out.png", "'out.png' is, or lies behind, a link that leads out of the root."),
        ("dangling.png", "'dangling.png' is, or lies behind, a link that leads out of the root."),
    ],
)
def test_a_path_that_leads_out_of_the_root_is_refused_with_its_reason(path, reason, tmp_path):
    root = tmp_path / "root"
    drawn(tmp_path, "outside/q.png", "root/phone/x.png")
    (root / "phone" / "out").symlink_to(tmp_path / "outside")
    (root / "phone" / "out.png").symlink_to(tmp_path / "outside" / "q.png")
    (root / "phone" / "dangling.png").symlink_to(tmp_path / "not there")
    expected = [("PathError", f"phone/episode_001_metadata.json, entry 1 (round 1): {reason}")]
    assert lost(root, entry(question_screenshot=path)) == expected
    [inputs] = read(root, root / "phone" / "episode_001_metadata.json").rejects["inputs"].to_pylist()
    assert json.loads(inputs)["question_screenshot"] == path


def test_a_link_within_the_root_and_a_root_that_is_one_are_followed(tmp_path):
    drawn(tmp_path, "real/phone/a_question.png")
    (tmp_path / "real" / "phone" / "in.png").symlink_to("a_question.png")
    (tmp_path / "link").symlink_to("real")
    wrote(tmp_path / "real" / "phone" / "e_metadata.json", [entry(question_screenshot="in.png")])
    done = read(tmp_path / "link", tmp_path / "link" / "phone" / "e_metadata.json")
    assert found(done) == [("phone", "e", 1, "phone/in.png")]
    assert done.table["question"].to_pylist() == [str(tmp_path / "link" / "phone" / "in.png")]


def test_a_round_without_a_number_has_its_place_in_the_list(tmp_path):
    numbers = [None, True, "3", 2.5, -1, 10**30, float("nan"), 1e999, 0]
    rounds = [entry(number, name=f"p{n}") for n, number in enumerate(numbers)] + [{**entry(name="q"), "round": 3}]
    done = read(tmp_path, wrote(tmp_path / "phone" / "e_metadata.json", rounds))
    assert [row[2] for row in found(done)] == [1, 2, 11, 4, 5, 6, 7, 8, 0, 3]  # place 3 is another round's number


def test_doubles_are_rejects_that_say_so_and_the_first_is_kept(tmp_path):
    rounds = [
        entry(1, "a"),
        entry(1, "b"),
        entry(2, "a"),
        entry(3, "c", result_screenshot="a_result.png"),
        entry(4, "b"),
    ]
    done = read(tmp_path, wrote(tmp_path / "phone" / "e_metadata.json", rounds))
    assert [row[2:] for row in found(done)] == [(1, "phone/a_question.png"), (4, "phone/b_question.png")]
    assert why(done) == [
        ("RoundError", "phone/e_metadata.json, entry 2 (round 1): an earlier entry has the same number."),
        (
            "RoundError",
            "phone/e_metadata.json, entry 3 (round 2): 'phone/a_question.png' is a picture of entry 1 already.",
        ),
        (
            "RoundError",
            "phone/e_metadata.json, entry 4 (round 3): 'phone/a_result.png' is a picture of entry 1 already.",
        ),
    ]


def test_a_selection_that_is_no_card_is_none(tmp_path):
    picked = [0, 1, 2, 3, -1, True, "1", 1.0, None, [1]]
    rounds = [entry(n, str(n), selected_index=index) for n, index in enumerate(picked)]
    done = read(tmp_path, wrote(tmp_path / "phone" / "e_metadata.json", rounds))
    assert done.table["selected"].to_pylist() == [0, 1, 2, *[None] * 7]


def test_a_long_round_is_kept_in_part_with_its_reject(tmp_path):
    file = wrote(tmp_path / "phone" / "e_metadata.json", [{"note": "é" * 20_000}])
    [inputs] = read(tmp_path, file).rejects["inputs"].to_pylist()
    assert json.loads(inputs)["cut"] == ('{"note": "' + "é" * 20_000)[:10_000]


def test_pictures_without_metadata_are_paired_by_their_names(tmp_path):
    names = [
        f"episode_002_round_{n:02}_{what}.{kind}"
        for n, kind in ((1, "png"), (10, "JPG"), (2, "webp"))
        for what in ("question", "result")
    ]
    done = read(tmp_path, *drawn(tmp_path / "phone", *names))
    assert found(done) == [
        ("phone", "episode_002", n, f"phone/episode_002_round_{n:02}_question.{kind}")
        for n, kind in ((1, "png"), (2, "webp"), (10, "JPG"))
    ]
    assert [Path(path).name for path in done.table["result"].to_pylist()] == [names[1], names[5], names[3]]
    assert done.table["selected"].to_pylist() == [None] * 3


@pytest.mark.parametrize(
    ("names", "rounds"),
    [
        (["Question-3.png", "RESULT-3.jpeg"], [3]),
        (["question_01.png", "question_01_result.png"], [1]),
        (["3 question.png", "3 result 20240101.png"], []),  # two numbers against one
        (["e1_round_03_question_1699.png", "e1_round_03_result_1702.png"], [3]),
        (["episode_1_round_1_question_5.png", "episode_2_round_1_result_6.png"], []),
        ([f"round_1_{what}_{time}.png" for what, time in (("question", 5), ("result", 6), ("result", 7))], []),
        (["q3_question.png", "r03_result.png"], [3]),
        (["a_question_1.png", "a_result_1.png", "b_question_1.png", "b_result_1.png"], [1, 2]),
        (["question.png", "result.png"], [1]),
        (["questions/1_question.png", "results/1_result.png"], [1]),
        (["question_1.png", "result_1.png", f"question_{'9' * 30}.png", f"result_{'9' * 30}.png"], [1, 2]),
    ],
)
def test_names_are_compared_first_and_then_their_numbers(names, rounds, tmp_path):
    done = read(tmp_path, *drawn(tmp_path / "phone" / "7", *names))
    assert [row[2] for row in found(done)] == rounds
    assert len(why(done)) == len(names) - 2 * len(rounds)


def test_a_picture_without_a_partner_is_a_reject_that_says_so(tmp_path):
    names = [
        "logo.png",
        "question_1.jpg",
        "question_1.png",
        "question_2.png",
        "question_3.png",
        "result_1.png",
        "result_3.png",
    ]
    done = read(tmp_path, *drawn(tmp_path / "phone" / "7", *names))
    assert found(done) == [("phone", "7", 3, "phone/7/question_3.png")]
    assert why(done) == [
        ("RoundError", "'phone/7/logo.png' has neither 'question' nor 'result' in its name."),
        ("RoundError", "'phone/7/question_1.jpg' has no partner: not exactly one result picture is named like it."),
        ("RoundError", "'phone/7/question_1.png' has no partner: not exactly one result picture is named like it."),
        ("RoundError", "'phone/7/question_2.png' has no partner: not exactly one result picture is named like it."),
        ("RoundError", "'phone/7/result_1.png' has no partner: not exactly one question picture is named like it."),
    ]
    assert json.loads(done.rejects["inputs"][0].as_py()) == {"picture": "phone/7/logo.png"}


@pytest.mark.parametrize(
    ("root", "folder", "prefix", "called"),
    [
        (".", "phone", "", ("phone", "phone")),
        (".", "phone", "episode_1_", ("phone", "episode_1")),
        (".", "phone/7", "", ("phone", "7")),
        (".", "phone/episode_1", "episode_1_", ("phone", "episode_1")),
        (".", "episode_1", "", ("all", "episode_1")),
        ("phone", "phone", "episode_1_", ("phone", "episode_1")),
        ("phone/7", "phone/7", "", ("phone", "7")),
    ],
)
def test_pictures_are_called_by_their_folders_and_by_the_episode_in_their_names(root, folder, prefix, called, tmp_path):
    pictures = drawn(tmp_path / "all" / folder, f"{prefix}question_1.png", f"{prefix}result_1.png")
    assert [row[:2] for row in found(read(tmp_path / "all" / root, *pictures))] == [called]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=6,
)
PATHS = st.lists(
    st.sampled_from(["..", ".", "a", "phone", "q.png", "C:", "", "\\", "é", "\ud800", "\0", "out"]), max_size=4
).map("/".join)
ENTRIES = JSON | st.fixed_dictionaries(
    {"question": PATHS | JSON, "result": PATHS | JSON},
    optional={"round": JSON, "selected_index": JSON, "question_path": PATHS},
)


@settings(max_examples=150)
@given(st.lists(ENTRIES, max_size=6))
def test_whatever_stands_in_the_metadata_each_entry_is_a_row_or_a_reject_and_no_path_leaves_the_root(
    tmp_path_factory, rounds
):
    root = tmp_path_factory.getbasetemp() / "fuzz" / "root"
    if not root.exists():
        drawn(root, "phone/q.png")
        (root / "phone" / "out").symlink_to(root.parent)
    done = read(root, wrote(root / "phone" / "e_metadata.json", rounds))
    assert done.table.num_rows + done.rejects.num_rows == max(1, len(rounds))
    for column in ("question", "result"):
        assert all(Path(path).resolve().is_relative_to(root.resolve()) for path in done.table[column].to_pylist())
    numbers = done.table["round"].to_pylist()
    assert len(set(numbers)) == len(numbers)
    for inputs in done.rejects["inputs"].to_pylist():
        json.loads(inputs)
