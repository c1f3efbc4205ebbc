"""The command ``rowsmith``, in this process: what it lists, and what it says to a command that it does not have."""

import re
import tomllib
from importlib.metadata import EntryPoint
from pathlib import Path

import pytest

import dataflow_ext
from dataflow_ext.cli.terminal import as_called
from dataflow_ext.commands import main
from dataflow_ext.packages import install_hint

ROOT = Path(__file__).parents[2]

LIST = """\
  cot-planning    Causal plans to chain-of-thought samples
  curate          Raw question rows to rows to train on
  game-annotate   Game screenshots to EasyR1 training data
  onevision       LLaVA-CoT rows to R1-Onevision rows
  pdf-vqa         Textbook PDFs to question–answer rows with pictures
  sample-cot      Question rows to verified reasonings and rates
  scene-edit      Finished rooms to conversations that furnish them
"""


@pytest.mark.parametrize("words", [[], ["--help"], ["-h"], ["help"]])
def test_help_lists_the_pipelines_and_what_is_beside_them(words, capsys):
    assert main(words) == 0
    said = capsys.readouterr().out
    assert LIST in said
    beside = ["list", "show", "run", "new", "view", "trace", "export", "cache"]
    assert re.findall(r"^  (\S+)  ", said, re.MULTILINE)[-8:] == beside


def test_list_begins_with_the_pipelines_and_version_is_all_that_is_said(capsys):
    assert main(["list"]) == 0
    assert capsys.readouterr().out.startswith(f"{LIST}\n")
    assert main(["--version"]) == 0
    assert capsys.readouterr().out == f"rowsmith {dataflow_ext.__version__}\n"


@pytest.mark.parametrize("name", ["pdf-vqa", "pdf_vqa"])
def test_a_pipeline_runs_by_its_name(name, tmp_path, capsys):
    book = ROOT / "examples" / "booklets" / "algebra_en.pdf"
    assert main([name, str(book), "--out", str(tmp_path / "out"), "--dry-run"]) == 0
    assert main([name, str(tmp_path / "gone.pdf"), "--out", str(tmp_path / "out")]) == 2
    assert "gone.pdf" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("word", "said"),
    [("pdfvqa", "did you mean pdf-vqa?"), ("book.pdf", "`rowsmith --help` tells which there are.")],
)
def test_a_command_that_is_not_there_is_one_sentence(word, said, capsys):
    assert main([word]) == 2
    assert capsys.readouterr().err == f"error: There is no command {word}; {said}\n"


def test_commands_are_named_as_this_one_was_called(monkeypatch):
    text = "check it: python -m pipelines.scene_edit validate out"
    monkeypatch.setattr("sys.argv", ["/usr/bin/pytest"])
    assert as_called(text) == text
    monkeypatch.setattr("sys.argv", ["/home/me/.venv/bin/rowsmith", "scene-edit"])
    assert as_called(text) == "check it: rowsmith scene-edit validate out"


def test_the_hint_names_this_interpreter_in_words_that_a_shell_takes(monkeypatch):
    monkeypatch.setattr("sys.executable", "/home/my name/bin/python")
    assert install_hint("ocr") == "'/home/my name/bin/python' -m pip install 'rowsmith[ocr]'"


def test_code_and_pages_name_only_our_distribution_and_extras_that_it_has():
    extras = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]["optional-dependencies"]
    code = [path for name in ("dataflow_ext", "operators", "pipelines") for path in (ROOT / name).rglob("*.py")]
    pages = [ROOT / "README.md", *(ROOT / "docs").glob("*.md"), *(ROOT / "docs" / "notebooks").glob("*.ipynb")]
    texts = {path: path.read_text(encoding="utf-8") for path in [*code, *pages]}
    named = {(path, extra) for path, text in texts.items() for extra in re.findall(r"rowsmith\[(\w+)\]", text)}
    named |= {(path, extra) for path in code for extra in re.findall(r"install_hint\(['\"](\w+)", texts[path])}
    assert len(named) > 20
    assert [(path, extra) for path, extra in named if extra not in extras] == []
    assert [path for path, text in texts.items() if re.search(r"pip install \S*dataflow-ext", text)] == []


def test_operators_of_other_packages_are_listed_and_shown(monkeypatch, capsys):
    there = EntryPoint("Length", "tests.core.samples:Length", "rowsmith.operators")
    gone = EntryPoint("Gone", "no_such_package:Gone", "rowsmith.operators")
    monkeypatch.setattr(
        "dataflow_ext.commands.entry_points", lambda group: {"rowsmith.operators": [there, gone]}[group]
    )
    assert main(["list"]) == 0
    said = capsys.readouterr()
    assert re.search(r"^  Length +Kind ``same``: the number of characters", said.out, re.MULTILINE)
    assert said.err == "note: no_such_package:Gone cannot be loaded: No module named 'no_such_package'\n"
    assert main(["show", "Length"]) == 0
    assert "from tests.core.samples import Length" in capsys.readouterr().out
