"""What the pages say is true: their code runs, their commands are accepted, their links lead somewhere."""

from __future__ import annotations

import ast
import importlib
import importlib.util
import json
import re
import shlex
import shutil
import subprocess
import sys
import types
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from dataflow_ext import OptionError, check
from dataflow_ext.commands import main as rowsmith
from dataflow_ext.prompt import export
from operators.scene.blender import program_of
from pipelines.commands.scene_edit import COMMANDS as SCENE_COMMANDS
from pipelines.cot_planning import COMMANDS as COT_COMMANDS
from pipelines.game_annotate import COMMANDS as GAME_COMMANDS
from pipelines.onevision import COMMANDS as ONEVISION_COMMANDS

ROOT = Path(__file__).resolve().parents[2]
PAGES = [ROOT / "README.md", *sorted((ROOT / "docs").glob("*.md"))]
NOTEBOOKS = sorted((ROOT / "docs" / "notebooks").glob("*.ipynb"))
BOOKLETS = ROOT / "examples" / "booklets"
ROOM = ROOT / "examples" / "rooms" / "room_0001.json"
#: The commands of each pipeline beside its run.
COMMANDS = {
    "pdf_vqa": (),
    "game_annotate": tuple(GAME_COMMANDS),
    "cot_planning": tuple(COT_COMMANDS),
    "scene_edit": tuple(SCENE_COMMANDS),
    "onevision": tuple(ONEVISION_COMMANDS),
    "sample_cot": (),
    "curate": (),
}

_FENCE = re.compile(r"^```(\w*)[^\n]*\n(.*?)^```$", re.MULTILINE | re.DOTALL)
_LINK = re.compile(r"\[[^\]]*\]\(([^()\s]+)\)")


def blocks(text: str, language: str) -> Iterator[tuple[int, str]]:
    """The fenced blocks of a language, each with the number of lines above its first."""
    for found in _FENCE.finditer(text):
        if found[1] == language:
            yield text.count("\n", 0, found.start(2)), found[2]


def check_code_runs(name: str, pieces: list[tuple[int, str]], folder: Path) -> None:
    """Run pieces of code in one namespace, as a module, so that their classes can be pickled.

    Each line stands in the module where it stands on its page, so a traceback's line is the page's.
    """
    source = ""
    for above, code in pieces:
        source += "\n" * (above - source.count("\n")) + code
    path = folder / f"{name}.py"
    path.write_text(source, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    try:
        spec.loader.exec_module(module)
    finally:
        del sys.modules[name]


def test_operators_that_are_copied_from_their_page_pass_the_linter():
    page = (ROOT / "docs" / "writing_an_operator.md").read_text(encoding="utf-8")
    code = "\n\n".join(piece for _, piece in blocks(page, "python"))
    one_after_the_other = "E402,F811,I001,S101"  # imports in the middle, and asserts
    lint = [sys.executable, "-m", "ruff", "check", "--ignore", one_after_the_other]
    lint += ["--stdin-filename", str(ROOT / "operators" / "page.py"), "-"]
    found = subprocess.run(lint, input=code, capture_output=True, text=True, cwd=ROOT)
    assert found.returncode == 0, found.stdout


def run_cell(source: str, kernel: types.ModuleType) -> str:
    """Run a cell as a kernel does, where classes have no file; what is shown of its last value."""
    tree = ast.parse(source)
    last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, "cell", "exec"), kernel.__dict__)
    if not isinstance(last, ast.Expr):
        return ""
    value = eval(compile(ast.Expression(last.value), "cell", "eval"), kernel.__dict__)
    return value._repr_html_() if hasattr(value, "_repr_html_") else repr(value)


def links(page: Path) -> list[str]:
    """Where the links of a page lead; what stands in code is no link."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    return _LINK.findall(re.sub(r"`[^`\n]*`", "", text))


def anchors(page: Path) -> set[str]:
    """The anchors of a page's headings, made as GitHub makes them."""
    text = _FENCE.sub("", page.read_text(encoding="utf-8"))
    heads = re.findall(r"^#{1,6} +(.+?) *$", text, re.MULTILINE)
    return {re.sub(r"[^\w\- ]", "", head.lower()).replace(" ", "-") for head in heads}


def commands(start: str) -> list[tuple[str, str]]:
    """All commands on all pages that start so, with the page they are on."""
    found: list[tuple[str, str]] = []
    for page in PAGES:
        for _, code in blocks(page.read_text(encoding="utf-8"), "sh"):
            lines = code.replace("\\\n", " ").splitlines()
            found += [(page.name, line) for line in lines if line.startswith(start)]
    return found


@pytest.fixture(scope="session")
def rounds(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with two rounds of a game, as a collector leaves them, and their labels."""
    from examples.game_screens import make_rounds

    folder = tmp_path_factory.mktemp("game") / "rounds"
    make_rounds(folder, rounds=2, seed=1, devices=["phone_small"])
    return folder


@pytest.fixture(scope="session")
def scenes(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """What a run leaves that makes one conversation of one room."""
    from pipelines.scene_edit import main

    room, out = ROOM, tmp_path_factory.mktemp("scene") / "scenes"
    assert main([str(room), "--out", str(out), "--chains", "1", "--keep", "1", "--turns", "2"]) == 0
    return out


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, rounds: Path) -> Path:
    """A working folder with the files that the pages speak of."""
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    for name, booklet in {
        "book.pdf": "algebra_en.pdf",
        "questions.pdf": "physics_zh_questions.pdf",
        "answers.pdf": "physics_zh_answers.pdf",
    }.items():
        shutil.copyfile(BOOKLETS / booklet, tmp_path / name)
    shutil.copytree(BOOKLETS / "workbook_list", tmp_path / "mineru_output" / "workbook" / "auto")
    line = {"input_pdf_paths": ["questions.pdf", "answers.pdf"], "name": "physics"}
    (tmp_path / "books.jsonl").write_text(json.dumps(line) + "\n", encoding="utf-8")
    (tmp_path / "rows.jsonl").write_text('{"question": "What is 2 + 2?", "answer": "4"}\n', encoding="utf-8")
    (tmp_path / "game_data_raw").symlink_to(rounds)
    (tmp_path / "my_rooms").mkdir()
    shutil.copyfile(ROOM, tmp_path / "my_rooms" / ROOM.name)
    (tmp_path / "furniture.csv").write_text("jid,desc,w,h,d\nlamp-1,A floor lamp,0.4,1.6,0.4\n", encoding="utf-8")
    shutil.copyfile(rounds / "labels.csv", tmp_path / "labels.csv")
    export(tmp_path / "my_prompts")
    (tmp_path / "vqa_out").mkdir()
    for name in ("vqa_out/vqa.jsonl", "math_500.jsonl"):
        (tmp_path / name).write_text('{"question": "Find 2 + 2.", "answer": "4"}\n', encoding="utf-8")
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    return tmp_path


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_code_of_a_page_runs(page: Path, desk: Path) -> None:
    check_code_runs(f"page_{page.stem.lower()}", list(blocks(page.read_text(encoding="utf-8"), "python")), desk)


@pytest.mark.parametrize(("page", "command"), commands("python -m pipelines."))
def test_a_command_on_a_page_is_accepted(
    page: str,
    command: str,
    desk: Path,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    words = shlex.split(command, comments=True)
    main = importlib.import_module(words[2]).main
    arguments = words[3:]
    if arguments[0] in COMMANDS[words[2].removeprefix("pipelines.")]:
        _has_flags(main, arguments, capsys)
        return
    if "--only" in arguments:
        (desk / "scenes").symlink_to(request.getfixturevalue("scenes"))
    if "--api-key-env" in arguments:
        monkeypatch.setenv(arguments[arguments.index("--api-key-env") + 1], "a key")
    if (missing := _missing_program(arguments)) is not None:
        _has_flags(main, arguments, capsys)
        pytest.skip(missing)
    if arguments != ["--help"] and arguments[0] != "prompts":
        arguments += ["--dry-run", "--no-preflight"]
    if arguments == ["--help"]:
        with pytest.raises(SystemExit, match=r"^0$"):
            main(arguments)
    else:
        assert main(arguments) == 0, f"{page}: {command}\n{capsys.readouterr().err}"


@pytest.mark.parametrize(("page", "command"), commands("rowsmith "))
def test_a_command_by_name_on_a_page_has_the_flags_that_it_is_given(
    page: str, command: str, capsys: pytest.CaptureFixture[str]
) -> None:
    words = shlex.split(command, comments=True)[1:]
    there = _flags_of(rowsmith, words[: 2 if words[0] == "cache" else 1], capsys)
    assert [word for word in words if word.startswith("--") and word not in there] == [], page


def _missing_program(arguments: list[str]) -> str | None:
    """Why a command cannot run here, even dry: the program that it is to start is not there."""
    if "blender" not in arguments:  # as --renderer's value
        return None
    named = arguments[arguments.index("--blender") + 1] if "--blender" in arguments else None
    try:
        program_of(named)
    except OptionError as error:
        return f"the command is not run: {error}"
    return None


def _has_flags(main: Callable[[list[str]], int], arguments: list[str], capsys: pytest.CaptureFixture[str]) -> None:
    """A command that is not run has at least the flags that it is given."""
    there = _flags_of(main, [word for word in arguments[:1] if not word.startswith("-")], capsys)
    assert [word for word in arguments if word.startswith("--") and word not in there] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.stem)
def test_the_links_of_a_page_lead_somewhere(page: Path) -> None:
    broken = []
    for target in links(page):
        if target.startswith(("https://", "http://")):
            continue
        name, _, anchor = target.partition("#")
        there = (page.parent / name).resolve() if name else page
        if not there.exists() or (anchor and anchor not in anchors(there)):
            broken.append(target)
    assert broken == []


def test_the_index_names_every_page_and_notebook() -> None:
    index = ROOT / "docs" / "index.md"
    named = {target.partition("#")[0] for target in links(index)}
    there = {p.relative_to(index.parent).as_posix() for p in [*PAGES[1:], *NOTEBOOKS] if p != index}
    assert there - named == set()


def cells_of(path: Path) -> list[dict[str, Any]]:
    """The cells of a notebook that hold code."""
    notebook = json.loads(path.read_text(encoding="utf-8"))
    return [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_holds_no_outputs(path: Path) -> None:
    cells = cells_of(path)
    assert [(cell["outputs"], cell["execution_count"]) for cell in cells] == [([], None)] * len(cells)


@pytest.mark.parametrize("folder", ["docs/notebooks", "."], ids=["own-folder", "project"])
@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_in_its_own_folder_and_in_the_projects(
    path: Path, folder: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "examples").symlink_to(ROOT / "examples")
    (tmp_path / "docs" / "notebooks").mkdir(parents=True)
    monkeypatch.chdir(tmp_path / folder)
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    cells = cells_of(path)
    kernel = types.ModuleType(f"notebook_{path.stem}")
    monkeypatch.setitem(sys.modules, kernel.__name__, kernel)
    shown = [run_cell("".join(cell["source"]), kernel) for cell in cells]
    assert sum("<table" in html for html in shown) == sum("".join(cell["source"]).count("show(") for cell in cells)


@pytest.mark.parametrize("picture", sorted((ROOT / "docs" / "img").glob("*.svg")), ids=lambda path: path.stem)
def test_a_picture_is_an_svg_with_a_title(picture: Path) -> None:
    root = ElementTree.parse(picture).getroot()
    assert root.tag == "{http://www.w3.org/2000/svg}svg"
    assert root.findtext("{http://www.w3.org/2000/svg}title")


@pytest.mark.parametrize(
    ("name", "options"),
    [
        ("pdf_vqa", {}),
        ("game_annotate", {"out": Path("out")}),
        ("cot_planning", {"out": Path("out")}),
        ("scene_edit", {"pictures": Path("pictures")}),
        ("onevision", {"images": Path("images"), "folder": Path("pictures"), "out": Path("out")}),
    ],
)
def test_the_page_on_a_pipeline_names_its_operators_in_order_before_all_else(
    name: str, options: dict[str, Any]
) -> None:
    steps = importlib.import_module(f"pipelines.{name}").pipeline(**options)
    top = (ROOT / "docs" / f"{name}.md").read_text(encoding="utf-8").partition("\n- [Commands](#commands)")[0]
    told = top.partition("Its [operators](operators.md), in order: ")[2]
    assert re.findall("`(\\w+)`", told) == [type(step).__name__ for step in steps]


def test_the_page_on_pdf_vqa_lists_the_columns_that_come() -> None:
    from pipelines.pdf_vqa import pipeline

    wiring = check(pipeline(), {"name": str, "input_pdf_paths": list[str]})
    said = _first_cells("docs/pdf_vqa_reference.md", "## Columns")
    assert sorted(said) == sorted([*wiring.schema.names, "images"])


@pytest.mark.parametrize("name", COMMANDS)
def test_the_pages_on_a_pipeline_and_on_models_name_only_flags_that_are_there_and_all_of_them(
    name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    main = importlib.import_module(f"pipelines.{name}").main
    there = _flags_of(main, [], capsys)
    others = [_flags_of(main, [command], capsys) for command in COMMANDS[name]]
    # Flags of other programs stand in lines that begin with their names.
    lines = _page(name).splitlines()
    own = "\n".join(line for line in lines if not line.startswith(("mineru", "pip", "rowsmith")))
    named = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", own))
    assert named <= there.union(*others)
    page = (ROOT / "docs" / "models.md").read_text(encoding="utf-8")
    shared = set(re.findall(r"`(--[a-z][a-z-]*)", "\n".join(re.findall(r"^\| `--.*$", page, re.MULTILINE))))
    assert shared <= there
    assert there - named - shared <= {"--help"}


def _flags_of(main: Callable[[list[str]], int], command: list[str], capsys: pytest.CaptureFixture[str]) -> set[str]:
    with pytest.raises(SystemExit, match=r"^0$"):
        main([*command, "--help"])
    return set(re.findall(r"--[a-z][a-z-]*", capsys.readouterr().out))


def test_the_page_on_pdf_vqa_lists_the_files_and_the_fields_that_come(desk: Path) -> None:
    from pipelines.pdf_vqa import main

    assert main(["book.pdf", "--pages", "1-3", "--out", "out"]) == 0
    said = _first_cells("docs/pdf_vqa.md", "## What comes out")
    files = [name for name in said if "." in name or "/" in name]
    assert sorted(name.rstrip("/") for name in files) == sorted(path.name for path in (desk / "out").iterdir())
    with (desk / "out" / "vqa.jsonl").open(encoding="utf-8") as lines:
        assert [name for name in said if name not in files] == list(json.loads(next(lines)))


def test_the_page_on_game_annotate_lists_the_files_that_come_and_shows_a_row_of_the_form_that_comes(desk: Path) -> None:
    from pipelines.game_annotate import main

    assert main(["game_data_raw", "--out", "out"]) == 0
    said = _first_cells("docs/game_annotate.md", "## What comes out")
    assert sorted(name.rstrip("/") for name in said) == sorted(path.name for path in (desk / "out").iterdir())
    with (desk / "out" / "data" / "train.jsonl").open(encoding="utf-8") as lines:
        row = json.loads(next(lines))
    page = (ROOT / "docs" / "game_annotate.md").read_text(encoding="utf-8")
    [shown] = [json.loads(code) for _, code in blocks(page, "json") if '"problem"' in code]
    assert list(shown) == list(row)
    assert re.sub(r"GREEN|RED|YELLOW|\d+", "", shown["problem"]) == re.sub(r"GREEN|RED|YELLOW|\d+", "", row["problem"])


def test_the_page_on_game_annotate_names_codes_of_the_checker_and_errors_of_the_pipeline() -> None:
    from operators.game.easyr1.form import CODES

    text = (ROOT / "docs" / "game_annotate.md").read_text(encoding="utf-8")
    section = text.partition("\n## Does EasyR1 accept it?\n")[2].partition("\n## ")[0]
    codes = re.findall(r"^\| (`[^|]+) \| (\w+) \|", section, re.MULTILINE)
    said = {code: severity for names, severity in codes for code in re.findall(r"`([a-z0-9-]+)`", names)}
    assert said and {code: CODES.get(code) for code in said} == said
    section = text.partition("\n## Rejects\n")[2].partition("\n## ")[0]
    source = "\n".join(path.read_text(encoding="utf-8") for path in (ROOT / "operators" / "game").rglob("*.py"))
    source += (ROOT / "dataflow_ext" / "datasets" / "folder.py").read_text(encoding="utf-8")
    errors = re.findall(r"`(\w+)`", "".join(re.findall(r"^\| (`[^|]+) \|", section, re.MULTILINE)))
    assert errors and [name for name in errors if f"class {name}(" not in source] == []


def test_the_page_on_cot_planning_lists_the_files_that_come_and_shows_a_sample_of_the_form_that_comes(
    desk: Path,
) -> None:
    from pipelines.cot_planning import main

    assert main(["examples/causal_plans", "--out", "out", "--tasks", "29"]) == 0
    said = _first_cells("docs/cot_planning.md", "## What comes out")
    there = {path.name for path in (desk / "out").iterdir()}
    task = next(name for name in there if name.startswith("Task_29"))
    assert sorted(name.rstrip("/") for name in said) == sorted([*there - {task}, "TASK_NAME/data.jsonl"])
    with (desk / "out" / task / "data.jsonl").open(encoding="utf-8") as lines:
        sample = json.loads(next(lines))
    page = _page("cot_planning")
    [shown] = [json.loads(code) for _, code in blocks(page, "json") if '"conversations"' in code]
    assert (list(shown), list(shown["meta"])) == (list(sample), list(sample["meta"]))
    assert (shown["id"], shown["image"], shown["meta"]["assistant_generator"]) == (
        sample["id"], sample["image"], sample["meta"]["assistant_generator"],
    )  # fmt: skip


def test_the_page_on_cot_planning_has_all_codes_and_all_tasks_with_their_fields_and_questions() -> None:
    from operators import CoTPlanReader, CoTSampleBuilder
    from operators.cot.items import items
    from operators.cot.problems import CODES

    page = _page("cot_planning")
    section = page.partition("\n## Codes\n")[2].partition("\n## ")[0]
    assert dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", section, re.MULTILINE)) == CODES
    samples = CoTSampleBuilder()(CoTPlanReader()(items(ROOT / "examples" / "causal_plans"))).to_pylist()
    fields = {row["task_name"]: ", ".join(list(json.loads(row["fields"]))[1:]) for row in samples}
    assert {cells[0]: cells[2] for cells in _rows(page, "| Task_")} == fields
    asked: dict[str, set[str]] = {}
    for row in samples:
        asked.setdefault(row["task_name"].split("_")[1], set()).add(row["question"])
    said = {cells[0]: cells[1] for cells in _rows(page, "| ") if cells[0] in asked and len(cells) == 2}
    assert said.keys() == asked.keys()
    assert {number for number in asked if asked[number] == {said[number]}} == asked.keys() - {"37", "38", "39", "40"}


def test_the_page_on_cot_planning_names_reasons_and_errors_of_the_pipeline() -> None:
    section = _page("cot_planning")
    section = section.partition("\n## Rejects and skips\n")[2].partition("\n## ")[0]
    files = [*(ROOT / "operators" / "cot").rglob("*.py"), *(ROOT / "dataflow_ext").rglob("*.py")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    errors = re.findall(r"^\| \w+ \| `(\w+)`", section, re.MULTILINE)
    assert errors and [name for name in errors if f"class {name}(" not in source and f'"{name}"' not in source] == []
    reasons = re.findall(r"`([a-z][^`]* [^`]*)`", "".join(re.findall(r"^\| (`[^|]+) \|", section, re.MULTILINE)))
    assert len(reasons) > 5 and [each for each in reasons if f'"{each}"' not in source] == []


def test_the_page_on_scene_edit_lists_the_files_that_come_and_shows_a_conversation_of_the_form_that_comes(
    scenes: Path,
) -> None:
    said = _first_cells("docs/scene_edit.md", "## What comes out")
    assert sorted(name.rstrip("/") for name in said) == sorted(path.name for path in scenes.iterdir())
    with (scenes / "conversations.jsonl").open(encoding="utf-8") as lines:
        made = json.loads(next(lines))
    page = _page("scene_edit")
    [shown] = [json.loads(code) for _, code in blocks(page, "json") if '"messages"' in code]
    assert (list(shown), list(shown["metadata"])) == (list(made), list(made["metadata"]))
    for name in ("camera", "scores"):
        assert list(shown["metadata"][name]) == list(made["metadata"][name])
    marks = [[(each["role"], re.findall(r"</?[a-z_]+>", each["content"])) for each in row["messages"][1:3]]
             for row in (shown, made)]  # fmt: skip
    assert marks[0] == marks[1] and len(marks[0]) == 2


def test_the_page_on_scene_edit_has_all_codes_and_the_columns_of_each_operator() -> None:
    import operators
    from operators.scene.model.records import CODES, FINISHED

    page = _page("scene_edit")
    section = page.partition("\n### Codes\n")[2].partition("\n## ")[0]
    assert dict(re.findall(r"^\| `([^`]+)` \| (.+) \|$", section, re.MULTILINE)) == CODES
    section = page.partition("\n## From Python\n")[2].partition("\n## ")[0]
    said = {cells[0].partition("`")[2].partition("`")[0]: cells[1:] for cells in _rows(section, "| `")}
    homes = {path.stem for path in (ROOT / "operators" / "scene").glob("*.py")}
    there = {name for name in operators.__all__ if getattr(operators, name).__module__.split(".")[-1] in homes}
    assert said.keys() == {name for name in there if getattr(operators, name).__module__.startswith("operators.scene.")}
    for name, cells in said.items():
        for cell, columns in zip(
            cells, (getattr(operators, name).inputs, getattr(operators, name).outputs), strict=True
        ):
            named = list(FINISHED) if cell == "the finished row" else re.findall(r"`(\w+)`", cell)
            assert sorted(named) == sorted(columns), name


def test_the_page_on_scene_edit_tells_the_odds_the_points_and_the_errors_that_are_there() -> None:
    from operators.scene.editing.state import MULTI_TURN, SINGLE_TURN
    from operators.scene.judging import MOST

    page = _page("scene_edit")
    section = page.partition("\n## How a chain is made\n")[2].partition("\n## ")[0]
    odds = {
        cells[0].strip("`"): [float(cell) for cell in cells[2:]] for cells in _rows(section, "| `") if len(cells) == 4
    }
    assert odds == {name: [MULTI_TURN[name], SINGLE_TURN[name]] for name in MULTI_TURN}
    section = page.partition("\n## Judging\n")[2].partition("\n## ")[0]
    points = {cells[0]: cells[1] for cells in _rows(section, "| ") if cells[1].isdigit()}
    assert {name: float(most) for name, most in points.items()} == MOST
    section = page.partition("\n## Rejects\n")[2].partition("\n## ")[0]
    files = [*(ROOT / "operators" / "scene").rglob("*.py"), *(ROOT / "dataflow_ext").rglob("*.py")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    errors = re.findall(r"^\| [\w, ]+ \| `(\w+)`", section, re.MULTILINE)
    assert errors and [name for name in errors if f"class {name}(" not in source and f'"{name}"' not in source] == []


def test_the_page_on_onevision_lists_the_files_that_come_and_shows_a_row_of_the_form_that_comes(desk: Path) -> None:
    from pipelines.onevision import main

    visual = Path("examples/visual_reasoning")
    few = ["--ocr", "never", "--limit", "6"]
    assert main([str(visual / "train.jsonl"), "--images", str(visual / "images"), "--out", "ov", *few]) == 0
    said = _first_cells("docs/onevision.md", "## What comes out")
    assert sorted(name.rstrip("/") for name in said) == sorted(path.name for path in (desk / "ov").iterdir())
    with (desk / "ov" / "onevision.jsonl").open(encoding="utf-8") as lines:
        row = json.loads(next(lines))
    page = _page("onevision")
    [shown] = [json.loads(code) for _, code in blocks(page, "json") if '"cot_thinking"' in code]
    assert list(shown) == list(row)
    for name in ("judge", "models"):
        assert list(shown[name]) == list(row[name])
    assert list(shown["checks"][0]) == list(row["checks"][0])


def test_the_page_on_onevision_has_all_codes_types_profiles_and_damages() -> None:
    from operators.onevision.damages import COPIES, DAMAGES
    from operators.onevision.detecting import PROFILES
    from operators.onevision.judging import OPEN_MATTERS, OPEN_UNJUDGED
    from operators.onevision.model.records import CODES, DETECTED, EFFECT, FORMAL_LANGUAGE

    page = _page("onevision")
    told = {cells[0].strip("`"): tuple(cells[1:]) for cells in _rows(_section(page, "Checks"), "| `")}
    assert told == {code: (EFFECT[code], said) for code, said in CODES.items()}
    open_ones = _section(page, "Checks").partition("An unsure one")[2].partition("\n\n")[0]
    assert set(re.findall(r"`([a-z.]+)`", open_ones)) == OPEN_MATTERS | OPEN_UNJUDGED
    types = {cells[0].strip("`"): cells[1:] for cells in _rows(_section(page, "Types of pictures"), "| `")}
    assert {name: cells[0].split("`")[1] for name, cells in types.items()} == dict(FORMAL_LANGUAGE)
    assert [name for name, cells in types.items() if cells[1] == "yes"] == list(DETECTED)
    assert {cells[0].split("`")[1] for cells in _rows(_section(page, "Detectors"), "| `") if "---" not in cells[0]} == {
        *PROFILES, "--profile"
    }  # fmt: skip
    kinds = [cells[0] for cells in _rows(_section(page, "Calibrate"), "| ") if cells[0] not in ("damage", "---")]
    kinds = [*kinds[:-1], *kinds[-1].split(", ")]
    assert {name.partition(":")[0] for name in kinds} == {name.partition(":")[0] for name in (*DAMAGES, *COPIES)}


def test_the_page_on_onevision_has_the_columns_of_rows_and_operators_and_names_errors_that_are_there() -> None:
    import operators
    from operators.onevision.model.records import FINISHED

    page = _page("onevision")
    columns = page.partition("\n## Columns\n")[2].partition("\n## ")[0]
    named = [name for cells in _rows(columns, "| `") for name in re.findall(r"`(\w+)`", cells[0])]
    assert sorted(named) == sorted(FINISHED)
    said = {
        cells[0].split("`")[1]: cells[1:] for cells in _rows(_section(page, "From Python"), "| `") if len(cells) == 3
    }
    there = [n for n in operators.__all__ if getattr(operators, n).__module__.startswith("operators.onevision.")]
    assert sorted(said) == sorted(there)
    for name, cells in said.items():
        made = getattr(operators, name)
        for cell, wanted in zip(cells, (made.inputs, made.outputs), strict=True):
            told = list(FINISHED) if cell == "the finished row" else re.findall(r"`(\w+)`", cell)
            assert sorted(told) == sorted(wanted), name
    rejects = _section(page, "Rejects")
    files = [*(ROOT / "operators" / "onevision").rglob("*.py"), *(ROOT / "dataflow_ext").rglob("*.py")]
    source = "\n".join(path.read_text(encoding="utf-8") for path in files)
    errors = re.findall(r"^\| [\w, ]+ \| `(\w+)`", rejects, re.MULTILINE)
    assert errors and [name for name in errors if f"class {name}(" not in source] == []


def _page(name: str) -> str:
    """What is said of a pipeline: its page, and where it has one the reference."""
    pages = [ROOT / "docs" / f"{name}.md", ROOT / "docs" / f"{name}_reference.md"]
    return "\n".join(page.read_text(encoding="utf-8") for page in pages if page.is_file())


def _section(page: str, heading: str) -> str:
    return page.partition(f"\n## {heading}\n")[2].partition("\n## ")[0]


def _rows(page: str, start: str) -> list[list[str]]:
    """The cells of the table rows that begin so."""
    return [[cell.strip() for cell in line[1:-1].split("|")] for line in page.splitlines() if line.startswith(start)]


def _first_cells(page: str, heading: str) -> list[str]:
    """The names in the first column of the tables of a section."""
    text = (ROOT / page).read_text(encoding="utf-8")
    section: Any = text.partition(f"\n{heading}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", section, re.MULTILINE)
