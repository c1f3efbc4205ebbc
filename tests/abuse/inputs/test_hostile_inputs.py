"""Each command on a folder of hostile inputs: every input is a row or a reject, memory is bounded, no page is alive."""

import json
import re

import pytest

from tests.abuse.commands import GB, command
from tests.abuse.inputs.hostile_inputs import ALL
from tests.abuse.inputs.live_script import SCRIPTS, live_in_markdown, live_in_page

#: 0 there are rows, 1 there are none, 2 refused as given, and whatever the docs name for a run that left things undone.
CODES = range(7)


@pytest.fixture(scope="module", params=ALL)
def done(request, tmp_path_factory):
    """The folder, what was in it, and the command's end."""
    folder = tmp_path_factory.mktemp(request.param)
    case = ALL[request.param](folder)
    ended = command([*case.arguments, "--out", "out"], folder)
    print(f"{request.param}: exit code {ended.code}, {ended.seconds:.0f} s, peak {ended.peak / GB:.2f} GB")
    return folder, case, ended


def rejects(folder):
    """The rejects as they stand in the file."""
    lines = (folder / "out" / "rejects.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines]


def test_the_command_ends_with_a_sentence_and_no_traceback(done):
    _, _, ended = done
    assert ended.code in CODES, ended.text[-2_000:]
    assert "Traceback" not in ended.text
    assert ended.text.strip()


def test_every_hostile_input_is_named_by_a_reject_with_a_sentence(done):
    folder, case, ended = done
    said = [(json.dumps(reject, ensure_ascii=False), reject["message"]) for reject in rejects(folder)]
    silent = [name for name in case.bad if not any(re.search(rf"\b{re.escape(name)}\b", text) for text, _ in said)]
    assert silent == [], ended.text[-2_000:]
    for _, message in said:
        assert 5 < len(message) <= 10_000
        assert "Traceback" not in message


def test_what_is_good_is_not_lost_among_them(done):
    folder, case, ended = done
    if not case.good:
        pytest.skip("this command's good inputs take OCR")
    files = [
        path for path in (folder / "out").rglob("*.jsonl") if ".run" not in path.parts and path.name != "rejects.jsonl"
    ]
    assert any(case.good in path.read_text(encoding="utf-8") for path in files), ended.text[-2_000:]


def test_memory_stays_below_a_gigabyte_and_a_half(done):
    *_, ended = done
    assert ended.peak < 1.5 * GB


def test_no_page_and_no_markdown_holds_a_live_script(done):
    folder, *_ = done
    texts = {path: path.read_text(encoding="utf-8") for path in (folder / "out").rglob("*.html")}
    found = {path.name: live_in_page(text) for path, text in texts.items()}
    texts = {path: path.read_text(encoding="utf-8") for path in (folder / "out").rglob("*.md")}
    found |= {path.name: live_in_markdown(text) for path, text in texts.items()}
    assert found == {name: [] for name in found}


def test_no_file_of_another_kind_is_handed_on_as_a_picture(done):
    folder, *_ = done
    for path in (folder / "out").rglob("*"):
        if path.suffix.lower() in (".png", ".jpg", ".jpeg", ".svg") and path.is_file():
            data = path.read_bytes()
            assert b"<script" not in data, path
            assert data, path
            assert len(data) < 1 << 20, path


@pytest.mark.parametrize("script", SCRIPTS)
def test_the_finder_of_live_scripts_finds_each_of_them_as_it_is(script):
    if "{{" in script:
        pytest.skip("lives in templates only")
    page = live_in_page(f"<html><title>x</title><body><p title='{script}'>{script}</p></body></html>")
    assert page or live_in_markdown(script), script
