"""The wheel in an environment of its own: what it holds, its command, and a user's folders of the same names."""

import os
import subprocess
import sys
import venv
import zipfile
from importlib.util import find_spec
from pathlib import Path

import pyarrow as pa
import pytest

import dataflow_ext

ROOT = Path(__file__).parents[2]
PACKAGES = ("dataflow_ext", "operators", "pipelines", "prompts")

if find_spec("hatchling") is None:
    pytest.skip("hatchling is not installed: pip install 'rowsmith[dev]'", allow_module_level=True)


@pytest.fixture(scope="module")
def wheel(tmp_path_factory):
    """The wheel as it would be published."""
    folder = tmp_path_factory.mktemp("dist")
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)
    [made] = folder.glob("*.whl")
    return made


@pytest.fixture(scope="module")
def bin_folder(wheel, tmp_path_factory):
    """The programs of an environment that the wheel is installed into; its dependencies are those of the tests."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False)
    [place] = folder.glob("lib/python*/site-packages")
    # Installed ones, as a user has them: what a .pth file names would be read, file by file, as the user's own code.
    for entry in Path(pa.__file__).parents[1].iterdir():
        if entry.suffix != ".pth" and not entry.name.startswith("rowsmith"):
            (place / entry.name).symlink_to(entry)
    pip = [sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python")]
    subprocess.run([*pip, "install", "--no-deps", "--no-index", str(wheel)], check=True)
    return folder / "bin"


@pytest.fixture
def project(tmp_path):
    """A user's folder with packages of the same names as ours."""
    for name in ("operators", "prompts"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "__init__.py").touch()
        (tmp_path / name / "mine.py").write_text(f"MINE = 'my {name}'\n")
    return tmp_path


def done(*command, cwd, path=None):
    """A command as a user runs it in a folder: exit code, what it wrote, and the last line of what it complained of."""
    env = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    if path is not None:
        env["PYTHONPATH"] = str(path)
    ended = subprocess.run([str(each) for each in command], cwd=cwd, env=env, capture_output=True, text=True)
    return ended.returncode, ended.stdout, ended.stderr.strip().rpartition("\n")[2]


def test_the_wheel_holds_the_four_packages_with_all_their_files_and_nothing_else(wheel):
    with zipfile.ZipFile(wheel) as archive:
        names = {name for name in archive.namelist() if ".dist-info/" not in name}
    files = (path for package in PACKAGES for path in (ROOT / package).rglob("*"))
    there = {path.relative_to(ROOT).as_posix() for path in files if path.is_file() and path.suffix != ".pyc"}
    assert names == there
    assert {f"{package}/py.typed" for package in PACKAGES} <= names


def test_the_command_tells_its_version_which_is_that_of_the_distribution(bin_folder, tmp_path):
    told = f"rowsmith {dataflow_ext.__version__}\n"
    assert done(bin_folder / "rowsmith", "--version", cwd=tmp_path) == (0, told, "")
    script = "from importlib.metadata import version; print('rowsmith', version('rowsmith'))"
    assert done(bin_folder / "python", "-c", script, cwd=tmp_path) == (0, told, "")


def test_help_names_the_command_as_it_was_called(bin_folder, tmp_path):
    code, by_name, _ = done(bin_folder / "rowsmith", "scene-edit", "validate", "--help", cwd=tmp_path)
    assert code == 0 and "rowsmith scene-edit validate out\n" in by_name
    module = ("-m", "pipelines.scene_edit", "validate", "--help")
    _, by_module, _ = done(bin_folder / "python", *module, cwd=tmp_path)
    assert by_module.replace("python -m pipelines.scene_edit", "rowsmith scene-edit").split() == by_name.split()


def test_packages_of_the_users_own_go_on_working(bin_folder, project):
    script = "import operators.mine, prompts.mine, dataflow_ext; print(operators.mine.MINE, prompts.mine.MINE)"
    assert done(bin_folder / "python", "-c", script, cwd=project) == (0, "my operators my prompts\n", "")


def test_folders_of_the_users_own_without_an_init_go_on_working_with_ours_beside_them(bin_folder, tmp_path):
    for name in ("operators", "pipelines", "prompts"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "mine.py").write_text(f"MINE = 'my {name}'\n")
    script = (
        "import operators.mine, pipelines.mine, prompts.mine\n"
        "from operators import QA_Merger\n"
        "from pipelines.pdf_vqa import pipeline\n"
        "from prompts import QAExtractPrompt\n"
        "print(operators.mine.MINE, pipelines.mine.MINE, prompts.mine.MINE, QA_Merger.__name__, len(QAExtractPrompt().text) > 0)"
    )
    told = "my operators my pipelines my prompts QA_Merger True\n"
    assert done(bin_folder / "python", "-c", script, cwd=tmp_path) == (0, told, "")


def test_modules_of_packages_behind_ours_on_the_path_are_found(bin_folder, project):
    script = f"import sys; sys.path.append({str(project)!r}); import operators.mine; print(operators.mine.MINE)"
    assert done(bin_folder / "python", "-I", "-c", script, cwd=project) == (0, "my operators\n", "")


def test_the_command_and_its_workers_find_our_packages_where_the_users_hide_them(bin_folder, project):
    books = [ROOT / "examples" / "booklets" / name for name in ("algebra_en.pdf", "geometry_zh.pdf")]
    (project / "pipelines").mkdir()
    (project / "pipelines" / "__init__.py").touch()
    words = ["pdf-vqa", *books, "--pages", "1-2", "--workers", "2", "--out", "out"]
    code, _, said = done(bin_folder / "rowsmith", *words, cwd=project, path=project)
    assert (code, said.partition(" ")[0]) == (0, "data:")
    assert len((project / "out" / "vqa.jsonl").read_text(encoding="utf-8").splitlines()) > 0
    module = ("-m", "dataflow_ext", "pdf-vqa", books[0], "--dry-run")
    code, _, said = done(bin_folder / "python", *module, cwd=project)
    assert code == 0, said


@pytest.mark.parametrize(
    ("hidden", "how"),
    [
        ("operators", ["-m", "pipelines.pdf_vqa", "--help"]),
        ("operators", ["-c", "from pipelines.cot_planning import pipeline"]),
        ("prompts", ["-m", "pipelines.pdf_vqa", "--help"]),
        ("prompts", ["-c", "from operators import CoTGenerator"]),
    ],
)
def test_where_a_package_of_the_users_hides_ours_one_sentence_says_so(bin_folder, project, hidden, how):
    other = {"operators": "prompts", "prompts": "operators"}[hidden]
    (project / other).rename(project / "else")
    code, _, said = done(bin_folder / "python", *how, cwd=project)
    assert code == 1
    assert said == (
        f"dataflow_ext.errors.HiddenPackageError: Rowsmith's own package '{hidden}' is hidden by yours, "
        f"{project / hidden / '__init__.py'}; rename yours, or use the command `rowsmith`, which finds its own."
    )
