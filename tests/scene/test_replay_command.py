"""The replay command: what it tells, what it draws, and its exit codes."""

import json
from base64 import b64decode
from pathlib import Path
from typing import Any

import pytest

from dataflow_ext import cli
from operators.scene.conversation_reader import conversation_in
from operators.scene.model.chain import Chain
from operators.scene.painter import picture
from operators.scene.replaying import replayed
from pipelines.commands.scene_edit import COMMANDS
from tests.scene.finished import CHAIN, TEXTS
from tests.scene.output.sets import finished, written
from tests.support.report_page import ReportPage

SHORT = Chain(CHAIN.start, [CHAIN.turns[0], CHAIN.turns[-1]], {"tool_1": CHAIN.retrievals["tool_1"]})


def short(root: Path, number: int = 1, **changes: Any) -> dict[str, Any]:
    """A row with one editing turn, so that there is little to draw."""
    row = finished(root, number)
    return {**row, "chain": SHORT.text(), "images": row["images"][:2], "texts": row["texts"][:2], **changes}


def data(root: Path, *rows: dict[str, Any]) -> Path:
    return written(root / "out", list(rows)) / "conversations.jsonl"


def edited(path: Path, old: str, new: str) -> None:
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new), encoding="utf-8")


def run(*words: object) -> int:
    return cli.app(COMMANDS["replay"], [str(word) for word in words])


def test_a_sound_conversation_is_told_turn_by_turn_and_drawn(tmp_path, capsys):
    path = data(tmp_path, short(tmp_path))
    assert run(path, "--out", tmp_path / "shown") == 0
    page = tmp_path / "shown" / "replay_multi_turn_edit_1_0a1b2c3d.html"
    assert capsys.readouterr().err.splitlines() == [
        "multi_turn_edit_1_0a1b2c3d: multi_turn, room home/bedroom",
        "asked for: I want a bedroom with a bed and two nightstands.",
        "",
        "Turn 1 of 2: the room is empty",
        "  - add bed at (0.00, 0.00, -0.90), 1.60 × 0.90 × 2.10 m, facing south (180°): A wide oak bed with a gray cover",
        "    bed is new, at (0.00, 0.00, -0.90)",
        "  agrees",
        "",
        "Turn 2 of 2: 1 object: bed",
        "  - finish: The bedroom is furnished.",
        "  agrees",
        "",
        f"2 turns, no mismatch   page: {page}",
    ]
    made = ReportPage(page)
    made.must_be_inert()
    pictures = [b64decode(place.removeprefix("data:image/png;base64,")) for place in made.places()]
    assert pictures == [picture(state, 45) for state in SHORT.states()]
    assert "Add the bed." in made.words()


def test_one_is_chosen_by_id_or_by_line(tmp_path, capsys):
    path = data(tmp_path, short(tmp_path, 1), short(tmp_path, 2))
    for words in (("--id", "multi_turn_edit_2_0a1b2c3d"), ("--number", "2")):
        assert run(path, *words, "--out", tmp_path / "shown") == 0
        assert capsys.readouterr().err.startswith("multi_turn_edit_2_0a1b2c3d: ")


def test_a_file_of_one_conversation_is_read_however_it_is_laid_out(tmp_path, capsys):
    entry = json.loads(data(tmp_path, short(tmp_path)).read_text(encoding="utf-8"))
    (tmp_path / "one.json").write_text(json.dumps(entry, indent=2), encoding="utf-8")
    assert run(tmp_path / "one.json", "--out", tmp_path / "shown") == 0
    assert "2 turns, no mismatch" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('\\"size\\":[1.6,0.9,2.1],\\"pos\\"', '\\"size\\":[1.6,0.9,2.2],\\"pos\\"',
         "Turn 1: the next turn states another room: 'bed-1' is told with size [1.6, 0.9, 2.2], the calls give "
         "[1.6, 0.9, 2.1]"),
        ('"final_scene": {', '"final_scene": {"extra": 1, ', "Turn 2: the final scene: extra differs"),
        ('"retrievals": {"tool_1"', '"retrievals": {"tool_9"',
         "Turn 1: a call cannot be done: tool_1: no retrieval tells which object was put"),
    ],
)  # fmt: skip
def test_what_does_not_agree_is_told_at_its_turn(tmp_path, capsys, old, new, message):
    path = data(tmp_path, short(tmp_path))
    edited(path, old, new)
    assert run(path, "--out", tmp_path / "shown") == 1
    turn, told = message.split(": ", 1)
    said = capsys.readouterr().err
    assert f"  MISMATCH: {told}" in said[said.index(f"{turn} of 2") :]
    assert "2 turns, 1 mismatch " in said
    [page] = (tmp_path / "shown").iterdir()
    assert ReportPage(page).words().count(told) == 1


def test_a_fault_of_one_turn_hides_no_other(tmp_path):
    path = data(tmp_path, finished(tmp_path))
    edited(path, '\\"pos\\":[-1.05,0.0,-1.7]', '\\"pos\\":[-1.05,0.0,-1.6]')
    edited(path, '\\"desc\\":\\"A black metal chair\\"', '\\"desc\\":\\"A blue chair\\"')
    turns = replayed(conversation_in(path.read_bytes().rstrip()))
    assert [bool(turn.problem) for turn in turns] == [False, True, True, False]
    assert len(turns) == len(TEXTS)


def test_signs_that_would_steer_a_terminal_are_not_sent_there(tmp_path, capsys):
    path = data(tmp_path, short(tmp_path, instruction="a\x1b[31mb"))
    assert run(path, "--out", tmp_path / "shown") == 0
    assert "\x1b" not in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["none.jsonl"], "error: There is no file {root}/none.jsonl."),
        (["out/conversations.jsonl", "--id", "x"], "error: {root}/out/conversations.jsonl has no conversation with the id 'x'."),
        (["out/conversations.jsonl", "--number", "7"], "error: {root}/out/conversations.jsonl has 1 lines; there is no line 7."),
        (["broken.jsonl"], "error: {root}/broken.jsonl, line 1: this is no conversation: row.shape: the line is no JSON"),
        (["broken.json"], "error: {root}/broken.json: this is no conversation: row.shape: the line is no JSON"),
        (["out/swift.jsonl"], "error: {root}/out/swift.jsonl is a file for ms-swift, which does not tell what objects were"),
    ],
)  # fmt: skip
def test_a_users_mistake_is_one_sentence_and_code_2(tmp_path, capsys, words, message):
    data(tmp_path, short(tmp_path))
    for name in ("broken.jsonl", "broken.json"):
        (tmp_path / name).write_text("{")
    assert run(tmp_path / words[0], *words[1:], "--out", tmp_path / "shown") == 2
    [told] = capsys.readouterr().err.splitlines()
    assert told.startswith(message.format(root=tmp_path))
    assert not (tmp_path / "shown").exists()


def test_help_has_examples(capsys):
    with pytest.raises(SystemExit) as done:
        COMMANDS["replay"](["--help"])
    assert done.value.code == 0
    said = capsys.readouterr().out
    assert said.count("python -m pipelines.scene_edit replay ") >= 3
    assert "exit code 0: all agrees" in said
