"""What `rowsmith new` writes works as it stands, and `rowsmith run` does a run again."""

import json
import os
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from dataflow_ext.cli.records import called, write_recipe
from dataflow_ext.commands import main
from dataflow_ext.models import OpenAIModel

ROOT = Path(__file__).parents[2]


def python(folder, *words, path=None):
    """What a command of Python says that is run in a folder, and that it ended well."""
    path = path or os.pathsep.join(map(str, (ROOT, folder)))
    done = subprocess.run(
        [sys.executable, *map(str, words)],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": path},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.mark.parametrize("kind", ["operator", "pipeline"])
def test_a_start_passes_its_own_tests_and_is_lint_free(kind, tmp_path):
    folder = tmp_path / "my-words"
    assert main(["new", kind, str(folder)]) == 0
    assert "2 passed" in python(folder, "-m", "pytest", "-p", "no:cacheprovider", "-q", "--rootdir", folder)
    told = tomllib.loads((folder / "pyproject.toml").read_text())
    points = told["project"].get("entry-points", {}).get("rowsmith.operators")
    assert points == ({"WordCount": "my_words:WordCount"} if kind == "operator" else None)


def test_a_start_is_written_into_new_folders_of_usable_names_alone(tmp_path, capsys):
    (tmp_path / "there").mkdir()
    (tmp_path / "there" / "file").touch()
    assert main(["new", "operator", str(tmp_path / "there")]) == 2
    assert main(["new", "operator", str(tmp_path / "1x")]) == 2
    assert main(["new", "thing", "x"]) == 2
    said = capsys.readouterr().err
    assert "is not empty; name a new folder" in said
    assert "'1x' cannot name a Python module" in said
    assert "usage: rowsmith new operator|pipeline FOLDER" in said


def test_a_run_is_repeated_by_the_folder_that_it_left(tmp_path, monkeypatch):
    folder = tmp_path / "graded"
    assert main(["new", "pipeline", str(folder)]) == 0
    python(folder, "-m", "graded", "questions.jsonl", "--out", "first", "--seed", "3")
    recipe = tomllib.loads((folder / "first" / ".run" / "run.toml").read_text())
    assert recipe["run"]["module"] == "graded"
    assert recipe["run"]["arguments"] == ["questions.jsonl", "--out", "first", "--seed", "3"]
    assert list(recipe["inputs"]) == [str(folder / "questions.jsonl")]
    assert {"python", "rowsmith"} <= recipe["versions"].keys()
    said = python(folder, "-P", "-m", "dataflow_ext", "run", "first", "--out", "second", path=str(ROOT))
    assert "note:" not in said
    first, second = ((folder / name / "questions.jsonl").read_bytes() for name in ("first", "second"))
    assert first == second
    (folder / "questions.jsonl").write_text('{"question": "Who are you?"}\n')
    said = python(folder, "-m", "dataflow_ext", "run", "first/.run/run.toml", "--out", "third")
    assert f"note: {folder / 'questions.jsonl'} is not what it was" in said


def test_a_start_writes_over_nothing_that_it_has_not_written(tmp_path):
    folder = tmp_path / "graded"
    assert main(["new", "pipeline", str(folder)]) == 0
    before = (folder / "questions.jsonl").read_bytes()
    run = [sys.executable, "-m", "graded"]
    env = {**os.environ, "PYTHONPATH": os.pathsep.join(map(str, (ROOT, folder)))}
    for words, why in [
        (["questions.jsonl", "--out", "."], "questions.jsonl was not written by a run of this pipeline; name another"),
        (["questions.jsonl", "--out", "out"], "1 questions, 1 rejects: out   page: out/report.html"),
        (["out/questions.jsonl", "--out", "out"], "out/questions.jsonl is an input, which this run would overwrite"),
    ]:
        done = subprocess.run([*run, *words], cwd=folder, env=env, capture_output=True, text=True, check=False)
        assert why in done.stderr
    assert (folder / "questions.jsonl").read_bytes() == before
    assert main(["view", str(folder / "out"), "--no-open"]) == 0


def test_a_recipe_of_a_pipeline_of_ours_is_repeated_too(tmp_path):
    book = ROOT / "examples" / "booklets" / "geometry_zh.pdf"
    assert main(["pdf-vqa", str(book), "--out", str(tmp_path / "a")]) == 0
    assert main(["run", str(tmp_path / "a"), "--out", str(tmp_path / "b")]) == 0
    recipe = tomllib.loads((tmp_path / "b" / ".run" / "run.toml").read_text())
    assert recipe["run"]["module"] == "pipelines.pdf_vqa"
    assert recipe["model"] == {"rules": {"model": "PDFRules"}}
    first, second = ((tmp_path / name / "vqa.jsonl").read_bytes() for name in "ab")
    assert first == second


def test_no_secret_stands_in_a_recipe(tmp_path):
    arguments = ["in", "--api-key-env", "sk-1", "--judge-api-key-env=sk-2", "--extra-body", json.dumps({"k": "sk-3"})]
    token = called.set(("m", [*arguments, "--out", "o"]))
    try:
        write_recipe(tmp_path, {}, [OpenAIModel(name="m", extra_body={"token": "sk-4"})])
    finally:
        called.reset(token)
    text = (tmp_path / "run.toml").read_text()
    assert "sk-" not in text
    assert tomllib.loads(text)["model"]["m"]["extra_body"] == ["token"]
    run = tomllib.loads(text)["run"]
    assert run["arguments"] == ["in", "--out", "o"]
    assert run["left_out"] == ["--api-key-env", "--judge-api-key-env", "--extra-body"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("x", "is no run.toml of a run"),
        ('[run]\nmodule = "no.such"\narguments = []\nfolder = "."\n[inputs]\n[versions]\n', "no module 'no.such'"),
    ],
)
def test_a_recipe_that_is_none_is_one_sentence(text, message, tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    Path("run.toml").write_text(text)
    assert main(["run", "run.toml"]) == 2
    assert message in capsys.readouterr().err


@pytest.mark.parametrize(
    "arguments", [["new", "operator", "--help"], ["new", "--help"], ["show", "--help"], ["run", "-h"]]
)
def test_asked_for_help_a_command_tells_its_use_and_writes_nothing(arguments, tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    assert main(arguments) == 0
    out, err = capsys.readouterr()
    assert f"usage: rowsmith {arguments[0]}" in out + err
    assert list(tmp_path.iterdir()) == []
