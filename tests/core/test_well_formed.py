"""The border for text: whatever string, exception or file name comes, Arrow can hold it, and what was legal stays."""

import json
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from dataflow_ext import Failure, InputError, RowOperator, run, to_table
from dataflow_ext.codec import decode, encode
from dataflow_ext.files import write_text
from dataflow_ext.fingerprint.content import input_hash
from dataflow_ext.models import Request, ScriptedModel, complete
from dataflow_ext.operator import Made, Operator
from dataflow_ext.well_formed import arrow_array, message_of, path_of, path_text, shortened, well_formed

HALF, PAIR = "\ud835", "\ud835\udc65"

#: Any Python string: of all code points, halves of surrogate pairs among them, and often of those.
strings = st.text(st.characters(codec=None)) | st.text(st.sampled_from("a%𝑥\ud835\udc65\udcff\ufeff"))
values = st.recursive(
    strings | st.none(), lambda inner: st.lists(inner) | st.dictionaries(strings, inner, max_size=3), max_leaves=8
)


@given(strings)
def test_every_string_becomes_legal_for_good_and_a_legal_one_stays_what_it_is(text):
    made = well_formed(text)
    assert pa.array([made]).to_pylist() == [made]
    assert well_formed(made) is made
    if not any("\ud800" <= letter <= "\udfff" for letter in text):
        assert made is text


@pytest.mark.parametrize(
    ("text", "wanted"),
    [(PAIR, "𝑥"), (HALF, "�"), (PAIR[::-1], "��"), (HALF + PAIR, "�𝑥"), ("\ufeffa" + HALF, "\ufeffa�")],
)
def test_pairs_are_the_letter_they_mean_and_a_lone_half_is_a_replacement_character(text, wanted):
    assert well_formed(text) == wanted


@given(st.lists(strings | st.none()))
def test_an_array_of_any_strings_holds_them_well_formed(texts):
    assert arrow_array(texts, pa.string()).to_pylist() == [t if t is None else well_formed(t) for t in texts]


@given(st.lists(st.lists(strings)))
def test_texts_in_lists_are_mended_in_their_places(lists):
    wanted = [[well_formed(text) for text in texts] for texts in lists]
    assert arrow_array(lists, pa.list_(pa.string())).to_pylist() == wanted
    assert encode(lists, list[str]).to_pylist() == wanted


@given(strings, st.integers(10, 60))
def test_a_shortened_text_fits_and_one_that_fits_stays(text, size):
    made = shortened(text, size)
    assert len(made.encode()) <= size
    assert made == (whole if len((whole := well_formed(text)).encode()) <= size else made[:-1] + "…")
    assert well_formed(text).startswith(made.removesuffix("…"))


@given(strings)
def test_an_exception_of_any_text_becomes_a_reject(text):
    class Fails(RowOperator):
        inputs, outputs = {"n": int}, {"out": int}

        def row(self, n: int) -> dict[str, int]:
            raise KeyError(text) if n else ValueError(text)

    rejects = Fails().apply(pa.table({"n": [0, 1]})).rejects.to_pylist()
    assert [r["error"] for r in rejects] == ["ValueError", "KeyError"]
    assert [r["message"] for r in rejects] == [message_of(ValueError(text)), message_of(KeyError(text))]
    assert rejects[0]["message"] in (path_text(text), "ValueError")


class _Mute(Exception):
    def __str__(self) -> str:
        raise RuntimeError("no words")


class _NoText(Exception):
    def __str__(self) -> Any:
        return 7


class _Foreign(Exception):
    """An error of a library that means something else by the names that ours have."""

    transient = "perhaps"
    attempts = 10**30

    @property
    def reply(self) -> str:
        raise RuntimeError("no reply")


@pytest.mark.parametrize(
    ("error", "wanted"),
    [
        (_Mute(), ("_Mute", "_Mute", 1)),
        (_NoText(), ("_NoText", "_NoText", 1)),
        (_Foreign("x"), ("_Foreign", "x", 2**31 - 1)),
        (ValueError("y" * 20_000), ("ValueError", "y" * 9_997 + "…", 1)),
        (ValueError("𝑥" * 9_000), ("ValueError", "𝑥" * 2_499 + "…", 1)),
        (FileNotFoundError(2, "no file", "b\udcff.pdf"), ("FileNotFoundError", "[Errno 2] no file: 'b\\udcff.pdf'", 1)),
        (InputError("b\udcff.pdf: no PDF"), ("InputError", "b%FF.pdf: no PDF", 1)),
    ],
)
def test_an_exception_that_cannot_say_what_it_is_costs_its_row_alone(error, wanted):
    class Raises(RowOperator):
        inputs, outputs = {"n": int}, {"out": int}

        def row(self, n: int) -> dict[str, int]:
            if n:
                raise error
            return {"out": n}

    done = Raises().apply(pa.table({"n": [1, 0]}))
    assert done.table["out"].to_pylist() == [0]
    assert [(r["error"], r["message"], r["attempts"]) for r in done.rejects.to_pylist()] == [wanted]


class Spelled(BaseModel):
    """A record with texts in it."""

    word: str
    more: dict[str, str] = {}


def test_an_operator_s_values_reasons_and_failures_are_mended():
    class Speaks(RowOperator):
        inputs, outputs = {"n": int}, {"text": str, "record": Spelled, "typed": pa.map_(pa.string(), pa.string())}

        def row(self, n: int) -> dict[str, Any]:
            return {
                "text": PAIR,
                "record": Spelled.model_construct(word=HALF, more={PAIR: HALF}),
                "typed": {HALF: PAIR},
            }

    class Drops(RowOperator):
        inputs, rows = {"n": int}, "filter"

        def row(self, n: int) -> str:
            return f"no {PAIR}{HALF}"

    class Says(Operator):
        inputs, outputs = {"n": int}, {"out": int}

        def batch(self, table: pa.Table) -> Made:
            return Made({"out": pa.array([], pa.int64())}, [], [Failure(0, HALF, HALF, inputs=HALF)])

    table = pa.table({"row_id": ["a"], "n": [1]})
    assert Speaks()(table).drop_columns(["row_id", "n"]).to_pylist() == [
        {"text": "𝑥", "record": {"word": "�", "more": [("𝑥", "�")]}, "typed": [("�", "𝑥")]}
    ]
    assert Drops().apply(table).rejects["message"].to_pylist() == ["no 𝑥�"]
    said = Says().apply(table).rejects.to_pylist()[0]
    assert (said["message"], said["error"], said["inputs"]) == ("�", "�", "�")


def test_replies_with_halves_are_read_and_rejected_with_the_reply(tmp_path):
    class Ask(RowOperator):
        inputs, outputs = {"n": int}, {"said": str}
        model: ScriptedModel = ScriptedModel(lambda request: HALF + PAIR)

        async def row(self, n: int) -> dict[str, str]:
            said = (await complete(self.model, Request(str(n)))).text
            if n:
                raise ValueError(said)
            return {"said": said}

    result = run([Ask()], pa.table({"n": [0, 1]}), cache_dir=tmp_path)
    assert result.table["said"].to_pylist() == ["�𝑥"]
    assert result.rejects["message"].to_pylist() == ["�𝑥"]


@pytest.mark.parametrize("kind", ["dicts", "jsonl", "json", "frame"])
def test_tables_from_outside_are_mended(kind, tmp_path):
    rows = [{"name" + HALF: PAIR, "list": [HALF]}, {"name" + HALF: "a", "list": []}]
    source: Any = rows
    if kind == "frame":
        source = pytest.importorskip("pandas").DataFrame({"name�": [PAIR, "a"], "list": [[HALF], []]}, dtype=object)
    elif kind != "dicts":
        source = tmp_path / f"a.{kind}"
        source.write_text("\n".join(map(json.dumps, rows)) if kind == "jsonl" else json.dumps(rows))
    assert to_table(source).to_pylist() == [{"name�": "𝑥", "list": ["�"]}, {"name�": "a", "list": []}]


def test_names_that_are_one_when_mended_are_refused():
    with pytest.raises(InputError, match="several columns of the name �"):
        to_table([{HALF: 1}, {"�": 2}])


def test_a_table_whose_texts_are_no_utf_8_is_mended_or_refused_by_its_column():
    bad = pa.StringArray.from_buffers(2, pa.array([0, 2, 3], pa.int32()).buffers()[1], pa.py_buffer(b"\xffab"))
    assert to_table(pa.table({"text": bad})).to_pylist() == [{"text": "�a"}, {"text": "b"}]
    with pytest.raises(InputError, match=r"Column 'parts' cannot be read: .*Invalid UTF8"):
        to_table(pa.table({"parts": pa.StructArray.from_arrays([bad], ["text"])}))


def test_a_text_file_is_utf_8_whatever_is_written(tmp_path):
    assert write_text(tmp_path / "a.txt", f"{PAIR}{HALF}\n").read_bytes() == "𝑥�\n".encode()


@given(st.binary().map(os.fsdecode) | strings)
def test_a_path_s_text_can_be_held_and_is_the_path_where_that_is_utf_8(text):
    made = path_text(text)
    assert pa.array([made]).to_pylist() == [made]
    assert path_text(made) == made
    if well_formed(text) == text:
        assert made == text


@pytest.fixture
def raw_name(tmp_path: Path) -> Iterator[Path]:
    path = tmp_path / os.fsdecode(b"b\xff\xc3%41.txt")
    try:
        path.write_text("words")
    except OSError:
        pytest.skip("this file system takes UTF-8 names alone")
    yield path


def test_a_file_whose_name_is_no_utf_8_is_found_again_from_a_table(raw_name):
    class Opens(RowOperator):
        inputs, outputs = {"file": Path}, {"words": str, "again": Path}

        def row(self, file: Path) -> dict[str, Any]:
            return {"words": file.read_text(), "again": file}

    table = pa.table({"row_id": ["a"], "file": encode([raw_name], Path)})
    made = Opens()(table)
    assert made["words"].to_pylist() == ["words"]
    assert made["again"].to_pylist() == [str(raw_name.parent / "b%FF%C3%41.txt")]
    assert decode(made["again"], Path) == [raw_name]
    before = input_hash(Opens(), table)
    raw_name.write_text("other words")
    assert input_hash(Opens(), table) != before


def test_a_name_with_percent_signs_is_what_it_says(tmp_path, raw_name):
    told = tmp_path / "b%FF%C3%41.txt"
    told.write_text("another file")
    assert path_of(str(told)) == told
    (tmp_path / "é.txt").touch()
    missing = str(tmp_path / "%C3%A9.txt")
    assert path_of(missing) == Path(missing)
