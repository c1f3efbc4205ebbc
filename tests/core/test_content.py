"""Equal content has an equal hash however it lies in memory, and any changed value changes it."""

import subprocess
import sys
import textwrap
from dataclasses import dataclass
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext import RowOperator
from dataflow_ext.fingerprint import fingerprint
from dataflow_ext.fingerprint.content import file_hash, input_hash, table_hash
from tests.core.samples import Length, LongOnly, Mode, Options, Upper, half, third

S = pa.struct([("a", pa.int64()), ("b", pa.list_(pa.string()))])

COLUMNS = {
    "null": (pa.null(), [None, None, None, None]),
    "bool": (pa.bool_(), [True, None, False, True]),
    "int": (pa.int64(), [1, None, 0, 2]),
    "float": (pa.float32(), [1.5, None, 0.0, 2.0]),
    "date": (pa.date32(), [1, None, 0, 2]),
    "decimal": (pa.decimal128(5, 2), [1, None, 0, 2]),
    "fixed bytes": (pa.binary(2), [b"ab", None, b"\0\0", b"cd"]),
    "string": (pa.string(), ["a", None, "", "bc"]),
    "large string": (pa.large_string(), ["a", None, "", "bc"]),
    "string view": (pa.string_view(), ["a", None, "", "a string of more than twelve bytes"]),
    "binary": (pa.binary(), [b"a", None, b"", b"bc"]),
    "list": (pa.list_(pa.int64()), [[1, None], None, [], [2]]),
    "large list": (pa.large_list(pa.string()), [["a", None], None, [], ["b"]]),
    "fixed list": (pa.list_(pa.float64(), 2), [[1, 2], None, [0, None], [3, 4]]),
    "map": (pa.map_(pa.string(), pa.int64()), [[("k", 1)], None, [], [("l", None), ("m", 2)]]),
    "struct": (S, [{"a": 1, "b": ["x"]}, None, {"a": None, "b": None}, {"a": 2, "b": []}]),
    "structs": (pa.list_(S), [[{"a": 1, "b": ["x"]}, None], None, [], [{"a": 2, "b": [None, "y"]}]]),
    "category": (pa.dictionary(pa.int32(), pa.string()), ["a", None, "", "a"]),
}


def one(array):
    return table_hash(pa.table({"x": array}))


@pytest.mark.parametrize("name", COLUMNS)
def test_chunks_and_slices_make_no_difference(name):
    dtype, values = COLUMNS[name]
    array = pa.array(values, dtype)
    whole = one(array)
    around = pa.concat_arrays([array[1:], array, array[:3]])
    assert one(around.slice(3, 4)) == whole
    assert one(pa.chunked_array([array[:1], array[1:1], array[1:3], array[3:]])) == whole
    assert one(pa.chunked_array([around.slice(3, 2), around.slice(5, 2)])) == whole
    assert one(pa.chunked_array([], dtype)) == one(array[:0]) != whole


@pytest.mark.parametrize("name", [n for n in COLUMNS if n != "null"])
def test_rows_in_another_order_or_missing_are_other_content(name):
    dtype, values = COLUMNS[name]
    array = pa.array(values, dtype)
    others = [array[:3], array[1:], pa.concat_arrays([array, array[:1]])]
    others += [pa.array(values[:1] * 4, dtype), pa.array([None] * 4, dtype), pa.array(values[::-1], dtype)]
    assert len({one(a) for a in [array, *others]}) == 7


def test_what_lies_under_a_null_is_no_content():
    valid = pa.py_buffer(bytes([0b101]))
    dirty = pa.Array.from_buffers(pa.int64(), 3, [valid, pa.array([1, 99, 3]).buffers()[1]])
    text = pa.array(["a", "dirt", "b"])
    dirty_text = pa.Array.from_buffers(pa.string(), 3, [valid, *text.buffers()[1:]])
    lists = pa.array([[1], [99], [3]])
    dirty_lists = pa.ListArray.from_arrays(lists.offsets, lists.values, mask=pa.array([False, True, False]))
    fixed = pa.FixedSizeListArray.from_arrays(pa.array([1, 2, 98, 99, 3, 4]), 2, mask=pa.array([False, True, False]))
    struct = pa.StructArray.from_arrays([pa.array([1, 99, 3])], ["a"], mask=pa.array([False, True, False]))
    for got, clean in (
        (dirty, pa.array([1, None, 3])),
        (dirty_text, pa.array(["a", None, "b"])),
        (dirty_lists, pa.array([[1], None, [3]])),
        (fixed, pa.array([[1, 2], None, [3, 4]], pa.list_(pa.int64(), 2))),
        (struct, pa.array([{"a": 1}, None, {"a": 3}])),
    ):
        assert got.to_pylist() == clean.to_pylist()
        assert one(got) == one(clean)


def test_a_null_an_empty_one_and_a_list_of_null_are_three_things():
    dtype = pa.list_(pa.string())
    assert len({one(pa.array([v], dtype)) for v in (None, [], [None], [""])}) == 4
    struct = pa.struct([("a", pa.int64())])
    assert len({one(pa.array([v], struct)) for v in (None, {"a": None}, {"a": 0})}) == 3


def test_where_one_text_ends_and_the_next_begins_is_content():
    assert one(pa.array(["ab", "c"])) != one(pa.array(["a", "bc"]))
    assert one(pa.array([["a"], ["b", "c"]])) != one(pa.array([["a", "b"], ["c"]]))


def test_names_and_types_are_content_and_the_order_of_columns_is_not():
    x, y = pa.array([1]), pa.array([2])
    both = table_hash(pa.table({"x": x, "y": y}))
    assert table_hash(pa.table({"y": y, "x": x})) == both
    assert table_hash(pa.table({"x": y, "y": x})) != both
    assert table_hash(pa.table({"x": x})) != both
    assert one(x) != one(x.cast(pa.int32())) != one(pa.array(["1"]))


def test_the_codes_of_a_category_are_no_content():
    values = ["b", "a", None, "b"]
    first = pa.DictionaryArray.from_arrays(pa.array([1, 0, None, 1]), pa.array(["a", "b"]))
    second = pa.DictionaryArray.from_arrays(pa.array([0, 2, None, 0]), pa.array(["b", "unused", "a"]))
    assert first.to_pylist() == second.to_pylist() == values
    assert one(first) == one(second)


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_equal_values_hash_alike_and_different_ones_do_not(data):
    dtype, _ = COLUMNS["structs"]
    record = st.fixed_dictionaries(
        {"a": st.none() | st.integers(0, 2), "b": st.none() | st.lists(st.sampled_from(["", "x", None]), max_size=2)}
    )
    rows = st.lists(st.none() | st.lists(st.none() | record, max_size=2), max_size=4)
    first, second = data.draw(rows), data.draw(rows)
    cut = data.draw(st.integers(0, len(first)))
    array = pa.array(first, dtype)
    assert (one(pa.chunked_array([array[:cut], array[cut:]], dtype)) == one(pa.array(second, dtype))) is (
        first == second
    )


@dataclass
class Page:
    number: int
    scans: list[Path]


class ReadFiles(RowOperator):
    inputs, outputs = {"pages": dict[str, list[Page]], "title": str}, {"size": int}

    def row(self, pages: dict[str, list[Page]], title: str) -> dict[str, int]:
        return {"size": sum(s.stat().st_size for ps in pages.values() for p in ps for s in p.scans)}


def test_a_file_that_a_path_column_names_belongs_to_the_input(tmp_path):
    scan = tmp_path / "scan.png"
    scan.write_bytes(b"1")
    op = ReadFiles(reads={"pages": "p"})
    column = pa.array(
        [{"x": [{"number": 1, "scans": [str(scan)]}]}],
        pa.map_(pa.string(), pa.list_(pa.struct([("number", pa.int64()), ("scans", pa.list_(pa.string()))]))),
    )
    table = pa.table({"p": column, "title": [str(scan)]})
    first = input_hash(op, table)
    scan.write_bytes(b"22")
    second = input_hash(op, table)
    scan.unlink()
    assert len({first, second, input_hash(op, table)}) == 3


def test_a_file_s_hash_is_that_of_its_bytes(tmp_path):
    a, b = tmp_path / "a", tmp_path / "b"
    a.write_bytes(b"same")
    b.write_bytes(b"same")
    assert file_hash(a) == file_hash(b) != file_hash(tmp_path) == "no file" == file_hash("\0")


def test_a_fingerprint_tells_apart_classes_options_and_column_maps():
    operators = [
        Length(),
        Length(extra=1),
        Length(reads={"text": "body"}),
        Length(writes={"length": "n"}),
        Upper(),
        LongOnly(),
        Options(),
        Options(labels={"a", "b"}),
        Options(mode=Mode.SLOW),
        Options(path=Path("b")),
        Options(work=half),
        Options(work=third),
        Options(work=lambda x: x + 1),
        Options(work=lambda x: x + 2),
        Options(work=half.__class__),
        Options(work={"a": [1, {"b"}]}),
        Options(work={"a": [1, {"c"}]}),
        Options(work=b"ab"),
        Options(work="ab"),
        Options(work=Length()),
        Options(work=Length(extra=1)),
    ]
    assert len({fingerprint(op) for op in operators}) == len(operators)


def test_an_option_may_be_left_out_of_the_fingerprint():
    assert fingerprint(Options(noise=1)) == fingerprint(Options(noise=2))


def test_a_fingerprint_is_the_same_in_every_process():
    script = (
        "from tests.core.samples import *\n"
        "from dataflow_ext.fingerprint import fingerprint\n"
        "ops = [Options(labels={'a', 'b', 'c'}), Options(work=half), Options(work=Mode.SLOW)]\n"
        "print(*map(fingerprint, ops))"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=Path(__file__).parents[2]
    )
    here = [Options(labels={"c", "a", "b"}), Options(work=half), Options(work=Mode.SLOW)]
    assert done.stdout.split() == [fingerprint(op) for op in here]


def test_a_changed_method_in_a_notebook_is_another_operator():
    cell = textwrap.dedent("""
        from dataflow_ext import RowOperator
        class Cell(RowOperator):
            inputs, outputs = {"a": int}, {"b": int}
            def row(self, a: int):
                return {"b": a + %s}
    """)
    made = []
    for number in ("1", "2", "1"):
        space = {"__name__": "a_notebook"}
        exec(cell % number, space)
        made.append(fingerprint(space["Cell"]()))
    assert made[0] == made[2] != made[1]


def fingerprint_of(folder: Path, name: str, helper: str) -> str:
    """The fingerprint in a process of its own of ``Filed`` in a package whose helper module has this text."""
    package = folder / "filed_package"
    package.mkdir(exist_ok=True)
    (package / "__init__.py").write_text("")
    (package / "helper.py").write_text(helper)
    (package / "base.py").write_text(
        textwrap.dedent("""
        from dataflow_ext import RowOperator
        from . import helper
        class Base(RowOperator):
            inputs, outputs = {"a": int}, {"b": int}
            def row(self, a: int):
                return {"b": helper.add(a)}
    """)
    )
    (package / "filed.py").write_text("from filed_package.base import Base\nclass Filed(Base): pass\n")
    script = f"{name}\nfrom filed_package.filed import Filed\nfrom dataflow_ext.fingerprint import fingerprint\nprint(fingerprint(Filed()))"
    command = [sys.executable, "-B", "-c", script]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=True).stdout


def test_a_changed_helper_makes_another_operator_and_neither_a_comment_nor_other_imports_do(tmp_path):
    first = fingerprint_of(tmp_path, "", "def add(a): return a + 1")
    commented = fingerprint_of(tmp_path, "import dataflow_ext.prompt, prompts", "def add(a): return a + 1  # one")
    changed = fingerprint_of(tmp_path, "", "def add(a): return a + 2")
    assert first == commented != changed
