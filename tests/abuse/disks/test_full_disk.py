"""A disk that is full, a folder that cannot be written, a folder of figures that was damaged: a sentence, and one goes on."""

import json
import resource

import pytest

from tests.abuse.commands import command
from tests.abuse.kills.trial import data_files, differences
from tests.abuse.settings import LONG
from tests.pipelines.cot_sets import copied

ARGUMENTS = ["pipelines.cot_planning", "plans", "--tasks", "28-30", "--out"]
#: The largest file that may be written, in bytes: stands for a disk that is full at different moments.
LIMITS = (0, 2_000, 20_000, 40_000) if LONG else (20_000,)


@pytest.fixture(scope="module")
def undisturbed(tmp_path_factory):
    """The folder of a run that was left alone, and its files."""
    folder = tmp_path_factory.mktemp("undisturbed")
    copied(folder / "plans")
    ended = command([*ARGUMENTS, "out"], folder)
    assert ended.code == 0, ended.text
    return folder, data_files(folder / "out")


@pytest.mark.parametrize("limit", LIMITS)
def test_a_full_disk_ends_the_run_with_a_sentence_and_the_next_run_goes_on(limit, undisturbed):
    folder, files = undisturbed
    arguments = [*ARGUMENTS, f"full{limit}"]

    def full() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (limit, limit))

    ended = command(arguments, folder, preexec_fn=full)
    assert ended.code not in (0, -1), ended.text
    assert "Traceback" not in ended.text
    assert ended.text.strip(), "it says why"
    again = command(arguments, folder)
    assert again.code == 0, again.text
    assert differences(files, data_files(folder / f"full{limit}")) == []


UNWRITABLE = ("file", "/proc/nowhere/out", "file/below", "/dev/null/out", "x" * 300)


@pytest.mark.parametrize("out", UNWRITABLE if LONG else UNWRITABLE[:2])
def test_a_folder_that_cannot_be_written_is_a_sentence(out, tmp_path):
    copied(tmp_path / "plans")
    (tmp_path / "file").write_text("a file", encoding="utf-8")
    ended = command([*ARGUMENTS, out], tmp_path)
    assert ended.code not in (0, -1), ended.text
    assert "Traceback" not in ended.text
    assert out[:100] in ended.text
    assert (tmp_path / "file").read_text(encoding="utf-8") == "a file"


DAMAGES = {
    "emptied": lambda data: b"",
    "cut": lambda data: data[: len(data) // 2],
    "zeros": lambda data: bytes(len(data)),
}


@pytest.mark.parametrize("damage", DAMAGES if LONG else ["zeros"])
def test_damaged_files_of_ones_own_run_cost_their_work_again(damage, undisturbed):
    folder, files = undisturbed
    for path in sorted((folder / "out" / ".run").rglob("*")):
        if path.is_file():
            path.write_bytes(DAMAGES[damage](path.read_bytes()))
    again = command([*ARGUMENTS, "out"], folder)
    assert again.code == 0, again.text
    assert "Traceback" not in again.text
    assert differences(files, data_files(folder / "out")) == []
    assert json.loads((folder / "out" / ".run" / "report.json").read_text(encoding="utf-8"))


def test_files_of_results_that_are_folders_are_a_sentence(tmp_path):
    copied(tmp_path / "plans")
    (tmp_path / "out" / "stats.json" / "x").mkdir(parents=True)
    ended = command([*ARGUMENTS, "out"], tmp_path)
    assert ended.code not in (0, -1), ended.text
    assert "Traceback" not in ended.text
    assert "stats.json" in ended.text
