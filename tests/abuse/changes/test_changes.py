"""The table of changes: what a result may depend on is seen, and what it does not depend on recomputes nothing."""

import shutil

import pytest

from tests.abuse.changes import code_kinds, harmless_kinds, option_kinds, state_kinds
from tests.abuse.changes.projects import ForkServer, Kind, Project
from tests.abuse.settings import LONG

CHANGES = [*code_kinds.ALL, *option_kinds.ALL, *state_kinds.ALL]
OF_FILES = [kind for kind in CHANGES if not kind.between]
OF_A_PROCESS = [kind for kind in CHANGES if kind.between]


def names(kinds):
    """The names of the kinds, each once."""
    found = [kind.name for kind in kinds]
    assert len(set(found)) == len(found), sorted(name for name in found if found.count(name) > 1)
    return found


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    made = ForkServer(tmp_path_factory.mktemp("server"))
    yield made
    made.close()


@pytest.fixture
def project(tmp_path, server):
    folder = tmp_path / "project"
    folder.mkdir()
    return Project(folder, server)


def check_result(kind, first, again, second):
    """The second version's result is the new one; while nothing had changed, the first one's was remembered."""
    assert (first, again[0], second[0]) == ((kind.before, [False]), kind.before, kind.after)
    if kind.provable:
        assert again[1] == [True], "nothing had changed, and it was done again"


@pytest.mark.parametrize("kind", OF_FILES, ids=names(OF_FILES))
def test_what_changed_between_two_starts_is_in_the_second_result(kind, project):
    project.write(kind.texts("1"))
    if LONG or "main.py" in kind.files:
        [first], [again] = project.run(kind), project.run(kind)
    else:  # both by one process, which is a third of the starts less
        first, again = project.run(kind, script="twice.py")
    project.write(kind.texts("2"))
    [second] = project.run(kind, "2")
    check_result(kind, first, again, second)


@pytest.mark.parametrize("kind", OF_A_PROCESS, ids=names(OF_A_PROCESS))
def test_what_changed_in_a_running_process_is_in_the_second_result(kind, project):
    project.write(kind.texts("1"))
    first, again, second = project.run(kind)
    check_result(kind, first, again, second)


@pytest.mark.parametrize("harmless", harmless_kinds.ALL, ids=names(harmless_kinds.ALL))
def test_a_harmless_change_recomputes_nothing(harmless, project, tmp_path):
    kind, start = harmless.kind, dict(harmless.start)
    texts = kind.texts("1")
    if start.pop("elsewhere", False):
        start["cwd"] = str(tmp_path)
        texts["main.py"] = texts["main.py"].replace('"memory"', repr(str(project.folder / "memory")))
    project.write(texts)
    assert project.run(kind) == [(kind.before, [False])]
    harmless.act(project.folder)
    if harmless.moved:
        moved = project.folder.with_name("moved")
        shutil.move(project.folder, moved)
        project = Project(moved, project.server)
    assert project.run(kind, **start) == [(kind.before, [True])]


@pytest.mark.parametrize("kind", harmless_kinds.TWICE, ids=names(harmless_kinds.TWICE))
def test_a_second_run_in_the_same_process_is_remembered(kind, project):
    project.write(kind.texts("1"))
    assert project.run(kind) == [(kind.before, [False]), (kind.before, [True]), (kind.before, [True])]


def test_another_version_of_a_project_is_told_from_an_unlike_project(project):
    kind = Kind("two projects with modules of the same names", "helper(text)", "from helpers import helper")
    for version in ("1", "2", "1"):
        project.write(kind.texts(version) | {"helpers.py": f"def helper(text):\n    return text + '{version}'\n"})
        [(values, remembered)] = project.run(kind)
        assert values == (f"a{version}",)
    assert remembered == [True]
