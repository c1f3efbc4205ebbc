"""What a fingerprint sees: whatever a result may depend on, wherever it stands; and nothing else."""

import importlib
import logging
import sys
import types
from pathlib import Path

import pytest

from dataflow_ext import OptionError, OutputPath, RowOperator, run
from dataflow_ext.fingerprint import Unprovable, fingerprint
from tests.core.samples import Length

HEAD = "from typing import ClassVar\nfrom dataflow_ext import RowOperator\n"
ROW = """class Op(RowOperator):
    inputs, outputs = {"a": int}, {"b": int}
    def row(self, a: int):
        return {"b": %s}
"""


def cell(text: str, name: str = "a_notebook", space: dict | None = None) -> dict:
    """The names of a notebook after a cell of this text was run in it."""
    space = {"__name__": name} if space is None else space
    exec(HEAD + text, space)
    return space


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("def help(a): return a\n" + ROW % "help(a)", "def help(a): return -a\n" + ROW % "help(a)"),
        ("K = 1\n" + ROW % "a + K", "K = 2\n" + ROW % "a + K"),
        ("K = [1, {2}]\n" + ROW % "a + len(K)", "K = [1, {3}]\n" + ROW % "a + len(K)"),
        (ROW % "a if a else 1", ROW % "a if a else 2"),
        ("def f(x=1): return x\n" + ROW % "f()", "def f(x=2): return x\n" + ROW % "f()"),
        ("def m(k): return lambda a: a + k\nf = m(1)\n" + ROW % "f(a)", "def m(k): return lambda a: a + k\nf = m(2)\n" + ROW % "f(a)"),
        ("from functools import *\nf = partial(max, 1)\n" + ROW % "f(a)", "from functools import *\nf = partial(max, 2)\n" + ROW % "f(a)"),
        (ROW % "[x for x in [K]][0]" + "K = 1", ROW % "[x for x in [K]][0]" + "K = 2"),
        ("import math\n" + ROW % "math.ceil(a)", "import math\n" + ROW % "math.floor(a)"),
        (ROW % "a" + "    k: ClassVar = 1", ROW % "a" + "    k: ClassVar = 2"),
        (ROW % "self.p" + "    @property\n    def p(self): return 1", ROW % "self.p" + "    @property\n    def p(self): return 2"),
        ("class B:\n    def h(self): return 1\n" + ROW.replace("(RowOp", "(B, RowOp") % "self.h()",
         "class B:\n    def h(self): return 2\n" + ROW.replace("(RowOp", "(B, RowOp") % "self.h()"),
    ],
)  # fmt: skip
def test_whatever_a_cell_of_a_notebook_changes_is_seen(first, second):
    made = [fingerprint(cell(text)["Op"]()) for text in (first, second, first)]
    assert made[0] == made[2] != made[1]


@pytest.mark.parametrize(
    "other",
    [
        ROW % "a + K" + "\nK = 1\n# a comment\n",
        (ROW % "a + K").replace("int):", "int):\n        '''A docstring.'''") + "\nK = 1",
        ROW % "(a\n    +   K)" + "\nK = 1\ndef unrelated(): return 5",
        "import json, os\n" + ROW % "a + K" + "\nK = 1",
    ],
)
def test_what_is_said_beside_the_code_is_no_change(other):
    assert fingerprint(cell(other)["Op"]()) == fingerprint(cell(ROW % "a + K" + "\nK = 1")["Op"]())


def test_a_global_and_a_class_variable_that_are_set_while_the_program_runs_are_seen():
    space = cell("K = 1\n" + ROW % "a + K + self.k" + "    k: ClassVar = 1")
    made = [fingerprint(space["Op"]())]
    space["K"] = 5
    made.append(fingerprint(space["Op"]()))
    space["Op"].k = 5
    made.append(fingerprint(space["Op"]()))
    assert len(set(made)) == 3


@pytest.fixture
def package(tmp_path, monkeypatch):
    """Writes and imports modules of a package ``changing``, anew each time."""
    monkeypatch.syspath_prepend(str(tmp_path))

    def write(**modules: str) -> types.ModuleType:
        (tmp_path / "changing").mkdir(exist_ok=True)
        for name, text in {"__init__": "", **modules}.items():
            (tmp_path / "changing" / f"{name}.py").write_text(text)
        for name in [n for n in sys.modules if n.partition(".")[0] == "changing"]:
            del sys.modules[name]
        importlib.invalidate_caches()
        return importlib.import_module("changing.op")

    yield write
    for name in [n for n in sys.modules if n.partition(".")[0] == "changing"]:
        del sys.modules[name]


LATE = HEAD + (ROW % "f(a)").replace("        return", "        from .late import f\n        return")


def test_a_module_that_is_imported_late_counts_by_its_text_and_by_what_was_put_into_it(package):
    first = fingerprint(package(op=LATE, late="K = 1\ndef f(a): return a + K").Op())
    second = fingerprint(package(op=LATE, late="K = 2\ndef f(a): return a + K").Op())
    op = package(op=LATE, late="K = 1  # one\ndef f(a):\n    'Says more.'\n    return a + K").Op
    assert fingerprint(op()) == first != second
    late = importlib.import_module("changing.late")
    assert fingerprint(op()) == first
    late.K = 2
    assert fingerprint(op()) not in (first, second)
    late.K = 1
    assert fingerprint(op()) == first
    late.f = lambda a: a
    assert fingerprint(op()) != first


def test_code_that_was_loaded_before_its_file_changed_is_neither_the_old_nor_the_new(package, tmp_path):
    op = package(op=LATE, late="def f(a): return a + 1").Op
    importlib.import_module("changing.late")
    old = fingerprint(op())
    (tmp_path / "changing" / "late.py").write_text("def f(a): return a + 2")
    mixed = fingerprint(op())
    new = fingerprint(package(op=LATE, late="def f(a): return a + 2").Op())
    assert len({old, mixed, new}) == 3


def test_files_beside_a_package_s_modules_count(package, tmp_path):
    op = package(op=HEAD + ROW % "a").Op
    made = [fingerprint(op())]
    (tmp_path / "changing" / "words.txt").write_text("one")
    made.append(fingerprint(op()))
    (tmp_path / "changing" / "words.txt").write_text("two")
    made.append(fingerprint(op()))
    assert len(set(made)) == 3


def test_what_is_put_into_this_library_is_seen(monkeypatch):
    import dataflow_ext.columns

    before = fingerprint(Length())
    monkeypatch.setattr(dataflow_ext.columns, "compatible", lambda actual, wanted: True)
    patched = fingerprint(Length())
    monkeypatch.undo()
    assert fingerprint(Length()) == before != patched


class Files(RowOperator):
    """Reads one file, writes another."""

    inputs, outputs = {"a": int}, {"b": str}
    words: Path = Path("words.txt")
    out: OutputPath | None = None

    def row(self, a: int) -> dict[str, str]:
        return {"b": self.words.read_text()}


def test_a_path_counts_with_its_file_or_folder_but_one_that_is_written_to_by_its_name(tmp_path):
    words, folder, out = tmp_path / "words", tmp_path / "folder", tmp_path / "out"
    folder.mkdir()
    made = []
    for text in ("one", "two"):
        words.write_text(text)
        (folder / "a").write_text(text)
        made.append([fingerprint(Files(words=words)), fingerprint(Files(words=folder))])
    assert made[0][0] != made[1][0]
    assert made[0][1] != made[1][1]
    before = fingerprint(Files(words=words, out=out))
    out.write_text("made")
    assert fingerprint(Files(words=words, out=out)) == before != fingerprint(Files(words=words, out=tmp_path / "other"))


def test_depends_names_files_variables_and_the_environment(tmp_path, monkeypatch):
    file = tmp_path / "list.txt"
    monkeypatch.setenv("DF_WORDS", "1")
    steps = [Length(depends=(what,)) for what in (file, str(file), "$DF_WORDS", "tests.core.test_fingerprint.LATE")]
    file.write_text("one")
    before = [fingerprint(step) for step in steps]
    file.write_text("two")
    monkeypatch.setenv("DF_WORDS", "2")
    monkeypatch.setattr(sys.modules[__name__], "LATE", "other")
    monkeypatch.setitem(sys.modules, "tests.core.test_fingerprint", sys.modules[__name__])
    assert all(b != fingerprint(step) for b, step in zip(before, steps, strict=True))
    with pytest.raises(OptionError, match=r"depends names 'no_such\.THING', which is neither a file nor a variable"):
        fingerprint(Length(depends=("no_such.THING",)))


def test_what_cannot_be_compared_is_done_anew_in_each_run_and_said_once(tmp_path, caplog):
    space = cell(
        "import threading, logging\nlock, log, done = threading.Lock(), logging.getLogger('x'), open('/dev/null', 'w')\n"
        + ROW % "counted(a, lock, log, done)"
    )
    calls = []
    space["counted"] = types.MethodType(lambda self, a, *rest: self.append(a) or a, calls)
    op = space["Op"]()
    with pytest.raises(Unprovable, match=r"^a value of type TextIOWrapper \(global done\)$"):
        fingerprint(op)
    with caplog.at_level(logging.WARNING):
        for _ in range(2):
            assert run([op], [{"a": 1}, {"a": 2}], cache_dir=tmp_path).table["b"].to_pylist() == [1, 2]
    assert calls == [1, 2, 1, 2]
    assert caplog.messages == [
        "Op is done anew in each run: what it depends on cannot all be compared, namely a value of type TextIOWrapper "
        "(global done)."
    ]


def test_a_function_that_reaches_anything_cannot_be_compared():
    with pytest.raises(Unprovable, match=r"^what Op.row reaches by eval\(\) \(attribute row\)$"):
        fingerprint(cell(ROW % "eval('a')")["Op"]())


def test_an_operator_that_was_changed_since_its_run_is_not_remembered_by_a_retry(tmp_path):
    space = cell(
        "K, FAIL = 1, [True]\n"
        + (ROW % "a + K").replace("        return", "        if a == 2 and FAIL[0]: raise ValueError\n        return")
    )
    data = [{"a": 1}, {"a": 2}]
    result = run([space["Op"]()], data, cache_dir=tmp_path)
    space["FAIL"][0] = False
    space["K"] = 10
    assert result.retry().table["b"].to_pylist() == [2, 12]
    assert run([space["Op"]()], data, cache_dir=tmp_path).table["b"].to_pylist() == [11, 12]
