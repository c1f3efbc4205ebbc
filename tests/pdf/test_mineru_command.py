"""MinerU as a command: found, called as its version wants it, kept in check, its result kept."""

import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import time
from functools import partial
from pathlib import Path

import pytest

from dataflow_ext import InputError
from operators.pdf.mineru import command
from operators.pdf.mineru.command import MagicPDF, MinerUCommand, TimeOver, run_tool
from operators.pdf.mineru.content_list import load_content_list
from operators.pdf.mineru.parsers import ParserError, ParserMissing, read_with
from operators.pdf.parser.survey import survey
from tests.pdf.mineru_tools import tool

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "examples/booklets/algebra_en.pdf"


@pytest.fixture(autouse=True)
def short_grace(monkeypatch):
    monkeypatch.setattr(command, "GRACE", 0.2)


def calls(folder):
    return [json.loads(line) for line in (folder / "calls.jsonl").read_text().splitlines()]


def words(arguments):
    """The arguments without the paths of the run."""
    return [word for word in arguments if not word.startswith("/")]


def ends(pid):
    for _ in range(100):
        try:
            os.kill(pid, 0)
        except ProcessLookupError:
            return True
        if (
            Path(f"/proc/{pid}/stat").exists()
            and Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z"
        ):
            return True
        time.sleep(0.05)
    return False


# --- each version's way -------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("version", "made", "called", "name"),
    [
        ("v1_3", MagicPDF, ["-p", "-o", "-m", "auto"], "document_content_list.json"),
        ("v2_5", MinerUCommand, ["-p", "-o", "-b", "pipeline"], "document_content_list.json"),
        ("v3_0", MinerUCommand, ["-p", "-o", "-b", "pipeline"], "document_content_list.json"),
        (
            "v4_0",
            MinerUCommand,
            ["parse", "-o", "--tier", "flash", "--ocr-mode", "txt", "-f", "zip"],
            "structured_content.json",
        ),
    ],
)
def test_every_version_is_called_in_its_own_way_and_its_list_found_with_pictures(tmp_path, version, made, called, name):
    command = tool(tmp_path / "bin", version)
    path = made(command=str(command)).parse(BOOK, tmp_path / "kept")
    assert words(calls(tmp_path / "bin")[0]["args"]) == called
    assert path.name == name
    items = load_content_list(path).items
    assert items[-1].text == "Answers: 1. B 2. 9"
    assert [Path(item.image).is_file() for item in items if item.image] == [True] * 4
    assert list((tmp_path / "kept").rglob("*.pdf")) == list((tmp_path / "kept").rglob("*.zip")) == []


def test_options_take_the_place_of_defaults(tmp_path):
    old, new = tool(tmp_path / "old", "v2_5"), tool(tmp_path / "new", "v4_0")
    MinerUCommand(command=str(old), options=("-b vlm-transformers", "--lang=en")).parse(BOOK, tmp_path / "kept")
    MinerUCommand(command=str(new), options=("--tier=standard",)).parse(BOOK, tmp_path / "kept")
    MinerUCommand(command=str(new), options=("--ocr-mode", "auto")).parse(BOOK, tmp_path / "kept")
    assert words(calls(tmp_path / "old")[0]["args"]) == ["-p", "-o", "-b", "vlm-transformers", "--lang=en"]
    first, second = (words(call["args"]) for call in calls(tmp_path / "new"))
    assert first == ["parse", "-o", "--tier=standard", "-f", "zip"]
    assert second == ["parse", "-o", "--tier", "flash", "--ocr-mode", "auto", "-f", "zip"]


def test_a_command_is_found_on_the_path_and_says_what_it_is(tmp_path, monkeypatch):
    tool(tmp_path / "bin", "v4_0")
    monkeypatch.setenv("PATH", str(tmp_path / "bin"), prepend=os.pathsep)
    assert MinerUCommand().identity() == "mineru-kit 4.0.12 --tier flash --ocr-mode txt -f zip"
    tool(tmp_path / "bin2", "v3_0")
    assert MinerUCommand(command=str(tmp_path / "bin2/mineru")).identity() == "mineru 3.4.5 -b pipeline"


def test_a_missing_command_tells_how_to_get_it():
    with pytest.raises(ParserMissing, match=r"no command no-such-mineru .*pip install mineru, then --parser-command"):
        MinerUCommand(command="no-such-mineru").identity()
    with pytest.raises(ParserMissing, match=r"no command no-such-magic .*magic-pdf\[full\].*AGPL"):
        MagicPDF(command="no-such-magic").identity()


def test_a_command_that_is_another_one_is_told(tmp_path):
    other = tool(tmp_path / "bin", "v2_5", says="usage: mineru SONG")
    with pytest.raises(ParserMissing, match=r"told no version, but: usage: mineru SONG"):
        MinerUCommand(command=str(other)).identity()
    kitless = tool(tmp_path / "bin2", "v4_0")
    (tmp_path / "bin2" / "mineru-kit").unlink()
    with pytest.raises(ParserMissing, match=r"is MinerU 4\.0\.12, but mineru-kit is not beside it"):
        MinerUCommand(command=str(kitless)).identity()


# --- its environment ------------------------------------------------------------------------------


def test_neither_our_interpreter_nor_our_secrets_reach_the_tool(tmp_path, monkeypatch):
    for name in (
        "OPENAI_API_KEY",
        "HF_TOKEN",
        "AWS_SECRET_ACCESS_KEY",
        "DB_PASSWORD",
        "AZURE_OPENAI_KEY",
        "VIRTUAL_ENV",
    ):
        monkeypatch.setenv(name, "private")
    monkeypatch.setenv("PYTHONPATH", "/ours")
    monkeypatch.setenv("MINERU_MODEL_SOURCE", "local")
    MinerUCommand(command=str(tool(tmp_path / "bin", "v2_5"))).parse(BOOK, tmp_path / "kept")
    (call,) = calls(tmp_path / "bin")
    assert [name for name, value in call["env"].items() if value in ("private", "/ours")] == []
    assert call["env"]["MINERU_MODEL_SOURCE"] == "local"
    assert call["env"]["PATH"].split(os.pathsep)[0] == str(tmp_path / "bin")
    assert Path(call["cwd"]).parent == tmp_path / "kept"


# --- results are kept -----------------------------------------------------------------------------


def test_a_finished_book_is_not_parsed_again_unless_pages_options_or_version_differ(tmp_path):
    command = tool(tmp_path / "bin", "v2_5")
    parser = MinerUCommand(command=str(command))
    first = parser.parse(BOOK, tmp_path / "kept")
    assert parser.parse(BOOK, tmp_path / "kept") == first
    assert len(calls(tmp_path / "bin")) == 1
    parser.parse(BOOK, tmp_path / "kept", pages=[1])
    MinerUCommand(command=str(command), options=("-l", "en")).parse(BOOK, tmp_path / "kept")
    tool(tmp_path / "bin", "v2_5", says="mineru, version 2.5.5")
    parser.parse(BOOK, tmp_path / "kept")
    assert len(calls(tmp_path / "bin")) == 4
    record = json.loads((first.parents[3] / "parsed.json").read_text())
    assert {**record, "seconds": 0} == {
        "pdf": "algebra_en.pdf", "parser": "mineru 2.5.4 -b pipeline", "pages": None, "seconds": 0,
    }  # fmt: skip


def test_pages_are_cut_out_for_the_tool_and_counted_as_in_the_book(tmp_path):
    count = "import re; open(HERE / 'pages', 'w').write(str(len(re.findall(rb'/Type\\s*/Page\\b', pdf.read_bytes()))))"
    parser = MinerUCommand(command=str(tool(tmp_path / "bin", "v2_5", does=count)))
    loaded = read_with(parser, BOOK, tmp_path / "kept", file=2, pages=[3, 5])
    assert (tmp_path / "bin/pages").read_text() == "2"
    assert {(item.page, item.file) for item in loaded.items} == {(3, 2), (5, 2)}


@pytest.mark.parametrize(("pages", "first"), [([5, 6, 7, 8], 8), ([40], 41)])
def test_pages_that_the_book_has_not_are_refused_as_by_the_built_in_parser(tmp_path, pages, first):
    parser = MinerUCommand(command=str(tool(tmp_path / "bin", "v2_5")))
    said = f"{BOOK}: there is no page {first}; give pages from 1 to 7."
    for read in (partial(parser.parse, BOOK, tmp_path / "kept", pages=pages), partial(survey, BOOK, pages)):
        with pytest.raises(InputError) as error:
            read()
        assert str(error.value) == said
    assert not (tmp_path / "bin/calls.jsonl").exists()


def test_failed_work_leaves_its_log_and_nothing_else(tmp_path):
    does = "print('loading\\nLayout Predict:  50%|#### | 1/2 [00:01]', flush=True); print('CUDA out of memory', file=sys.stderr); sys.exit(3)"
    parser = MinerUCommand(command=str(tool(tmp_path / "bin", "v2_5", does=does)))
    with pytest.raises(
        ParserError, match=r"mineru 2\.5\.4 ended with code 3; it said: loading \| CUDA out of memory\. "
    ) as told:
        parser.parse(BOOK, tmp_path / "kept")
    (log,) = (tmp_path / "kept").iterdir()
    assert str(log) in str(told.value) and told.value.transient
    assert "CUDA out of memory" in log.read_text()
    tool(tmp_path / "bin", "v2_5")
    parser.parse(BOOK, tmp_path / "kept")
    assert not log.exists()


@pytest.mark.parametrize(
    ("does", "said"),
    [
        ("sys.exit(0)", "one content list was expected of the parser, and it wrote nothing"),
        ("(out / 'a.md').write_text('#'); sys.exit(0)", r"and it wrote only a\.md"),
        (
            "(out / 'a_content_list.json').write_text('[{'); sys.exit(0)",
            "wrote cannot be used: a_content_list.json is not complete JSON",
        ),
        ("[(out / f'{n}_content_list.json').write_text('[]') for n in 'ab']; sys.exit(0)", "2 of them: a_content_list"),
    ],
)
def test_a_tool_that_ends_well_without_a_list_is_told_and_not_remembered(tmp_path, does, said):
    parser = MinerUCommand(command=str(tool(tmp_path / "bin", "v2_5", does=does)))
    with pytest.raises(InputError, match=said):
        parser.parse(BOOK, tmp_path / "kept")
    assert [path.suffix for path in (tmp_path / "kept").iterdir()] == [".log"]


def test_what_a_killed_run_left_long_ago_is_cleared_away(tmp_path):
    parser = MinerUCommand(command=str(tool(tmp_path / "bin", "v2_5")), timeout=10)
    key = parser.parse(BOOK, tmp_path / "kept").parents[3].name
    (tmp_path / "kept" / key).rename(tmp_path / "kept" / f".{key}.old")
    os.utime(tmp_path / "kept" / f".{key}.old", (0, 0))
    (tmp_path / "kept" / f".{key}.new").mkdir()
    parser.parse(BOOK, tmp_path / "kept")
    assert sorted(path.name for path in (tmp_path / "kept").iterdir()) == [f".{key}.new", key]


# --- time, interrupts, death ------------------------------------------------------------------------

#: Starts a child, writes both process numbers, and neither of them ends when it is asked to.
STUBBORN = """
    signal.signal(signal.SIGTERM, signal.SIG_IGN)
    child = subprocess.Popen([sys.executable, "-c", "import signal, time; signal.signal(15, 1); time.sleep(60)"])
    (HERE / "pids.part").write_text(f"{os.getpid()} {child.pid}")
    (HERE / "pids.part").rename(HERE / "pids")
    print("Layout Predict:  43%|####      | 3/7 [00:02<00:03]", flush=True)
    time.sleep(60)
"""


def test_a_tool_whose_time_is_over_is_killed_with_its_children(tmp_path):
    parser = MinerUCommand(command=str(tool(tmp_path / "bin", "v2_5", does=STUBBORN)), timeout=1.3)
    heard = []
    with pytest.raises(ParserError, match=r"was stopped after 1\.3 s; give it more with --parser-timeout"):
        parser.parse(BOOK, tmp_path / "kept", on_progress=heard.append)
    pids = [int(pid) for pid in (tmp_path / "bin/pids").read_text().split()]
    assert all(ends(pid) for pid in pids)
    assert set(heard) == {"Layout Predict 3/7, 1 s"}


def test_an_interrupt_ends_the_tool(tmp_path):
    def interrupt():
        while not (tmp_path / "bin/pids").exists():
            time.sleep(0.02)
        os.kill(os.getpid(), signal.SIGINT)

    parser = MinerUCommand(command=str(tool(tmp_path / "bin", "v2_5", does=STUBBORN)))
    threading.Thread(target=interrupt, daemon=True).start()
    with pytest.raises(KeyboardInterrupt):
        parser.parse(BOOK, tmp_path / "kept")
    assert all(ends(int(pid)) for pid in (tmp_path / "bin/pids").read_text().split())
    assert list((tmp_path / "kept").iterdir()) == []


def test_the_tool_does_not_outlive_a_killed_run(tmp_path):
    command = tool(tmp_path / "bin", "v2_5", does=STUBBORN)
    code = f"""
        from pathlib import Path
        from operators.pdf.mineru import command
        from operators.pdf.mineru.command import MinerUCommand
        command.GRACE = 0.2
        MinerUCommand(command={str(command)!r}).parse(Path({str(BOOK)!r}), Path({str(tmp_path / "kept")!r}))
    """
    run = subprocess.Popen([sys.executable, "-c", textwrap.dedent(code)], cwd=ROOT)
    while not (tmp_path / "bin/pids").exists():
        assert run.poll() is None
        time.sleep(0.02)
    run.kill()
    run.wait()
    assert all(ends(int(pid)) for pid in (tmp_path / "bin/pids").read_text().split())


def test_what_a_tool_leaves_running_is_ended_with_it(tmp_path):
    does = """
        child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
        (HERE / "pids").write_text(str(child.pid))
    """
    MinerUCommand(command=str(tool(tmp_path / "bin", "v2_5", does=does))).parse(BOOK, tmp_path / "kept")
    assert ends(int((tmp_path / "bin/pids").read_text()))


def test_the_exit_code_is_the_tools_own_or_its_signals(tmp_path):
    for code, wanted in (("raise SystemExit(7)", 7), ("import os; os.kill(os.getpid(), 9)", 137)):
        assert run_tool([sys.executable, "-c", code], log=tmp_path / "log", timeout=20) == wanted
    with pytest.raises(TimeOver):
        run_tool([sys.executable, "-c", "import time; time.sleep(9)"], log=tmp_path / "log", timeout=0.1)
