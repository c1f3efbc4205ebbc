"""Operators with one method: what it takes and gives, and how one bad row leaves its neighbours alone."""

import asyncio
import enum
import json
import logging
from collections.abc import AsyncIterator
from typing import Annotated, Any, ClassVar, Literal

import numpy as np
import pyarrow as pa
import pytest
from pydantic import BaseModel

from dataflow_ext import Failure, GroupOperator, Merged, RowOperator
from dataflow_ext.errors import AllRowsFailed, ColumnError, OptionError
from dataflow_ext.rejects import REJECTS_SCHEMA
from dataflow_ext.testing import check_operator
from tests.core.samples import AsyncLength, AsyncWords, Join, Length, LongOnly, Upper, Words


def texts(*values):
    return pa.table({"row_id": list("abcdefgh")[: len(values)], "text": pa.array(values, pa.string())})


def causes(rejects):
    return [(r["row_id"], r["kind"], r["error"], r["message"]) for r in rejects.to_pylist()]


@pytest.mark.parametrize("operator", [Length, AsyncLength])
def test_a_row_s_exception_rejects_that_row_with_its_cause_and_inputs(operator):
    done = operator().apply(texts("one", "", "four"))
    assert done.table.to_pylist() == [
        {"row_id": "a", "text": "one", "length": 3},
        {"row_id": "c", "text": "four", "length": 4},
    ]
    assert done.rejects.to_pylist() == [
        {
            "row_id": "b",
            "operator": operator.__name__,
            "step": 0,
            "kind": "failed",
            "error": "ValueError",
            "message": "the text is empty",
            "attempts": 1,
            "inputs": '{"text": ""}',
        }
    ]
    assert done.rejects.schema == REJECTS_SCHEMA


def test_a_reject_tells_how_often_it_was_tried():
    class Tried(RowOperator):
        inputs, outputs = {"text": str}, {"n": int}

        def row(self, text: str) -> dict[str, int]:
            error = ConnectionError()
            error.attempts = 4
            raise error

    reject = Tried().apply(texts("x")).rejects.to_pylist()[0]
    assert (reject["error"], reject["message"], reject["attempts"]) == ("ConnectionError", "ConnectionError", 4)


def test_a_null_in_an_input_that_is_not_optional_rejects_its_row():
    done = Length().apply(texts("one", None))
    assert done.table["length"].to_pylist() == [3]
    assert causes(done.rejects) == [("b", "failed", "RowError", "column 'text' is null")]
    assert done.rejects["inputs"].to_pylist() == ['{"text": null}']


def test_a_column_of_nothing_but_nulls_rejects_every_row():
    done = Length().apply(pa.table({"row_id": ["a", "b"], "text": pa.nulls(2)}))
    assert done.table.num_rows == 0
    assert [c[3] for c in causes(done.rejects)] == ["column 'text' is null"] * 2


def test_a_null_in_an_optional_input_is_none():
    class Maybe(RowOperator):
        inputs, outputs = {"text": str | None}, {"there": bool, "again": str | None}

        def row(self, text: str | None) -> dict[str, Any]:
            return {"there": text is not None, "again": text}

    done = Maybe().apply(texts("x", None))
    assert done.table.select(["there", "again"]).to_pylist() == [
        {"there": True, "again": "x"},
        {"there": False, "again": None},
    ]


def test_a_filter_drops_a_row_with_its_reason():
    done = LongOnly().apply(texts("x", "long"))
    assert done.table.to_pylist() == [{"row_id": "b", "text": "long"}]
    assert causes(done.rejects) == [("a", "dropped", "Dropped", "1 characters, 2 wanted")]


@pytest.mark.parametrize("kind", [bool, np.bool_])
def test_a_filter_that_gives_no_reason_drops_rows_too(kind):
    class Long(RowOperator):
        inputs, rows = {"text": str}, "filter"

        def row(self, text: str) -> Any:
            return kind(len(text) > 1)

    done = Long().apply(texts("x", "long"))
    assert done.table["text"].to_pylist() == ["long"]
    assert causes(done.rejects) == [("a", "dropped", "Dropped", "row returned False")]


@pytest.mark.parametrize("answer", [None, 1, {}], ids=repr)
def test_a_filter_gives_a_truth_or_a_reason_and_nothing_else(answer):
    class Vague(RowOperator):
        inputs, rows = {"text": str}, "filter"

        def row(self, text: str) -> Any:
            return answer

    message = f"a filter's row returns True, False or a reason, got {answer!r}"
    assert causes(Vague().apply(texts("x")).rejects) == [("a", "failed", "ValueTypeError", message)]


@pytest.mark.parametrize("operator", [Words, AsyncWords])
def test_explode_names_its_rows_under_their_parent_and_drops_what_it_consumed(operator):
    done = operator().apply(texts("x y", "", "p ! q", "z"))
    assert done.table.to_pylist() == [
        {"row_id": "a.0", "word": "x", "place": 0},
        {"row_id": "a.1", "word": "y", "place": 1},
        {"row_id": "d.0", "word": "z", "place": 0},
    ]
    assert causes(done.rejects) == [
        ("b", "empty", "Empty", "gave no row"),
        ("c", "failed", "ValueError", "no word: !"),
    ]


@pytest.mark.parametrize(
    ("result", "message"),
    [
        ({"length": 1.5}, "column 'length': expected int, got float 1.5"),
        ({"length": "3"}, "column 'length': expected int, got str '3'"),
        ({"length": None}, "column 'length': expected int, got None"),
        ({"size": 3}, "row returned ['size'], declared outputs are ['length']"),
        ({"length": 3, "size": 3}, "row returned ['length', 'size'], declared outputs are ['length']"),
        (None, "row returned NoneType, declared outputs are ['length']"),
    ],
    ids=repr,
)
def test_a_wrong_result_rejects_its_row_alone(result, message):
    class Sometimes(RowOperator):
        inputs, outputs = {"text": str}, {"length": int}

        def row(self, text: str) -> Any:
            return result if text == "bad" else {"length": len(text)}

    done = Sometimes().apply(texts("one", "bad", "four"))
    assert done.table["length"].to_pylist() == [3, 4]
    assert causes(done.rejects) == [("b", "failed", "ValueTypeError", message)]


def test_an_exploded_row_with_one_wrong_part_is_rejected_as_a_whole():
    class Digits(RowOperator):
        inputs, outputs, rows = {"text": str}, {"digit": int}, "explode"

        async def row(self, text: str) -> Any:
            return ({"digit": int(c) if c.isdigit() else c} for c in text)

    done = Digits().apply(texts("12", "3x", "4"))
    assert done.table.to_pylist() == [
        {"row_id": "a.0", "digit": 1},
        {"row_id": "a.1", "digit": 2},
        {"row_id": "c.0", "digit": 4},
    ]
    assert causes(done.rejects) == [("b", "failed", "ValueTypeError", "column 'digit': expected int, got str 'x'")]


class Level(enum.Enum):
    LOW = "low"
    HIGH = "high"


def test_a_string_that_is_no_member_of_an_input_s_enum_rejects_its_row():
    class Rank(RowOperator):
        inputs, outputs = {"level": Level, "unit": Literal["m", "km"]}, {"rank": int}

        def row(self, level: Level, unit: Literal["m", "km"]) -> dict[str, int]:
            return {"rank": 1 if level is Level.HIGH else 0}

    table = pa.table({"row_id": list("abc"), "level": ["low", "mid", "high"], "unit": ["m", "m", "inch"]})
    done = Rank().apply(table)
    assert done.table["rank"].to_pylist() == [0]
    assert [c[3] for c in causes(done.rejects)] == [
        "column 'level': expected one of high, low, got 'mid'",
        "column 'unit': expected one of km, m, got 'inch'",
    ]


def test_a_number_that_its_declared_type_cannot_hold_rejects_its_row():
    class Half(RowOperator):
        inputs, outputs = {"x": float | None}, {"half": float | None}

        def row(self, x: float | None) -> dict[str, Any]:
            return {"half": None if x is None else x / 2}

    done = Half().apply(pa.table({"row_id": list("abc"), "x": [1, 2**60 + 1, None]}))
    assert done.table.to_pylist() == [
        {"row_id": "a", "x": 1, "half": 0.5},
        {"row_id": "c", "x": None, "half": None},
    ]
    (reject,) = causes(done.rejects)
    assert reject[:3] == ("b", "failed", "RowError")
    assert reject[3].startswith("column 'x': values of type int64 cannot be read as double: ")


def test_rejects_keep_pictures_as_base64_and_long_ones_as_their_length():
    class Look(RowOperator):
        inputs, outputs = {"picture": bytes, "rank": int}, {"n": int}

        def row(self, picture: bytes, rank: int) -> dict[str, int]:
            raise ValueError("blind")

    table = pa.table({"picture": [b"\0\1", b"x" * 300], "rank": [1, 2], "more": ["not", "read"]})
    inputs = [json.loads(text) for text in Look().apply(table).rejects["inputs"].to_pylist()]
    assert inputs == [{"picture": "AAE=", "rank": 1}, {"picture": "<300 bytes>", "rank": 2}]


def test_calling_an_operator_counts_its_rejects_in_one_warning(caplog):
    with caplog.at_level(logging.WARNING):
        table = Length()(texts("one", "", ""))
    assert table["length"].to_pylist() == [3]
    assert [r.getMessage() for r in caplog.records] == ["Length: 2 rejects of 3 rows; use apply() to see why"]


def test_calling_an_operator_that_fails_on_every_row_raises_the_first_cause():
    with pytest.raises(AllRowsFailed) as caught:
        Length()(texts("", ""))
    assert str(caught.value) == "Length: every row failed (2); the first: the text is empty"


def test_a_filter_that_drops_every_row_is_no_failure():
    assert LongOnly()(texts("x")).num_rows == 0


def test_a_call_on_an_empty_table_gives_the_promised_columns():
    assert Words()(texts()).schema == pa.schema([("row_id", pa.string()), ("word", pa.string()), ("place", pa.int64())])


def test_an_operator_called_within_an_async_row_is_refused_as_that_row_s_reject():
    class Nested(RowOperator):
        inputs, outputs = {"text": str}, {"length": int}

        async def row(self, text: str) -> dict[str, int]:
            if text == "nested":
                return {"length": AsyncLength()(texts("x"))["length"][0].as_py()}
            return {"length": len(text)}

    done = Nested().apply(texts("one", "nested"))
    assert done.table["length"].to_pylist() == [3]
    (reject,) = causes(done.rejects)
    assert reject == (
        "b",
        "failed",
        "NestedCallError",
        "A synchronous call was made from inside asynchronous work that it would have to wait for: an operator "
        "was called within another operator's async row. Put both in one pipeline instead.",
    )


@pytest.mark.parametrize("kind", [RowOperator, GroupOperator])
@pytest.mark.parametrize(
    ("error", "message"),
    [
        (SystemExit("gone"), "The call raised SystemExit: gone."),
        (GeneratorExit(), "The call raised GeneratorExit."),
        (asyncio.CancelledError(), "The call was cancelled from within."),
    ],
)
def test_what_would_end_more_than_a_row_costs_the_row_or_its_group_alone(kind, error, message):
    class Ends(RowOperator):
        inputs, outputs = {"text": str}, {"length": int}

        def row(self, text: str) -> dict[str, int]:
            if text == "b":
                raise error
            return {"length": len(text)}

    class EndsGroups(GroupOperator):
        inputs, outputs, key = {"text": str}, {"length": int}, ("text",)

        def group(self, text: list[str]) -> list[Merged]:
            if text == ["b"]:
                raise error
            return [Merged([0], {"length": len(text[0])})]

    done = (Ends if kind is RowOperator else EndsGroups)().apply(texts("a", "b", "cc"))
    assert done.table["length"].to_pylist() == [1, 2]
    assert causes(done.rejects) == [("b", "failed", "DataflowError", message)]


def test_an_interrupt_within_a_row_is_one_of_the_run():
    class Interrupted(RowOperator):
        inputs, outputs = {"text": str}, {"length": int}

        def row(self, text: str) -> dict[str, int]:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        Interrupted().apply(texts("a"))


@pytest.mark.parametrize("rows", ["same", "explode"])
def test_an_async_row_that_ends_itself_costs_itself_alone(rows):
    async def one(text):
        if text == "cancel":
            asyncio.current_task().cancel()
        if text == "interrupt":
            raise KeyboardInterrupt
        await asyncio.sleep(0)
        return {"length": len(text)}

    class Row(RowOperator):
        inputs, outputs = {"text": str}, {"length": int}

        async def row(self, text: str) -> dict[str, int]:
            return await one(text)

    class Rows(RowOperator):
        inputs, outputs, rows = {"text": str}, {"length": int}, "explode"

        async def row(self, text: str) -> AsyncIterator[dict[str, int]]:
            yield await one(text)

    done = (Row if rows == "same" else Rows)().apply(texts("one", "cancel", "interrupt", "four"))
    assert done.table["length"].to_pylist() == [3, 4]
    assert causes(done.rejects) == [
        ("b", "failed", "DataflowError", "The call was cancelled from within."),
        ("c", "failed", "DataflowError", "The call raised KeyboardInterrupt."),
    ]


def test_more_rows_than_fit_a_slice_keep_their_order():
    values = [str(i) for i in range(9000)]
    done = Upper().apply(pa.table({"text": values}))
    assert done.table["text"].to_pylist() == values


class Name(BaseModel):
    first: str


@pytest.mark.parametrize(
    ("inputs", "method", "message"),
    [
        (
            {"a": int},
            lambda self, b: {},
            "Op.row takes b, but inputs declares a; make the two agree.",
        ),
        (
            {"a": int, "b": int},
            lambda self, a: {},
            "Op.row takes a, but inputs declares a, b; make the two agree.",
        ),
        ({"a": int | str}, lambda self, a: {}, "Op, inputs 'a': A column cannot be declared as int | str; use "),
        ({}, lambda self: {}, "Op declares no inputs; an operator reads one column at least."),
    ],
    ids=["another", "missing", "union", "none"],
)
def test_columns_and_method_cannot_drift_apart(inputs, method, message):
    method.__name__ = "row"
    with pytest.raises(ColumnError) as caught:
        type("Op", (RowOperator,), {"__module__": __name__, "inputs": inputs, "outputs": {"b": int}, "row": method})
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (
            {"rows": "filtre"},
            "Op: rows is 'filtre'; did you mean 'filter'? There are 'same', 'filter', 'explode', 'whole'.",
        ),
        (
            {"rows": "filter"},
            "Op is a filter, which passes rows on as they are, but declares the outputs b; write them",
        ),
        (
            {"least": 5},
            "Op: 'least = 5' has no type; write 'least: TYPE = 5' for an option, 'least: ClassVar[TYPE] = 5'",
        ),
    ],
    ids=["kind", "outputs", "type"],
)
def test_a_mistake_in_a_class_is_told_in_a_sentence_where_it_is_written(body, message):
    def row(self, a: int) -> Any:
        return {}

    with pytest.raises(ColumnError) as caught:
        type(RowOperator)(
            "Op",
            (RowOperator,),
            {"__module__": __name__, "inputs": {"a": int}, "outputs": {"b": int}, "row": row, **body},
        )
    assert str(caught.value).startswith(message)


def test_an_operator_that_changes_itself_is_told_what_to_do_instead():
    class Own(RowOperator):
        inputs: ClassVar = {"text": str}
        outputs: ClassVar = {"words": int}

        def __init__(self, words):
            self.words = words

        def row(self, text: str) -> dict[str, int]:
            return {"words": 1}

    class Counts(Length):
        seen: int = 0

        def row(self, text: str) -> dict[str, int]:
            self.seen += 1
            return {"length": self.seen}

    why = "cannot be set: operators do not change. Declare options in the class"
    with pytest.raises(OptionError, match=f"^Own.words {why}"):
        Own(3)
    [(_, kind, error, message)] = causes(Counts().apply(texts("x")).rejects)
    assert (kind, error) == ("failed", "OptionError")
    assert message.startswith(f"Counts.seen {why}")


def test_an_annotation_that_differs_from_the_declared_type_is_refused():
    with pytest.raises(ColumnError) as caught:

        class Op(RowOperator):
            inputs, outputs = {"name": Name | None}, {}

            def row(self, name: Name) -> dict[str, Any]:
                return {}

    assert str(caught.value) == (f"Op.row takes 'name' as {Name}, but inputs declares {Name | None}; make them agree.")


def test_annotated_says_more_about_a_type_and_makes_no_other():
    class Op(RowOperator):
        inputs, outputs = {"a": Annotated[int, "metres"], "b": int}, {"c": int}

        def row(self, a: int, b: Annotated[int, "feet"]) -> dict[str, int]:
            return {"c": a + b}

    assert Op()(pa.table({"a": [1], "b": [2]}))["c"].to_pylist() == [3]


def words(*rows):
    doc, word, place = zip(*rows, strict=True)
    ids = [f"w{i}" for i in range(len(rows))]
    return pa.table({"row_id": ids, "doc": doc, "word": word, "place": pa.array(place, pa.int64())})


def test_a_merge_keeps_the_ids_of_its_members_and_sorts_them_by_the_order_columns():
    done = Join().apply(words(("p", "two", 2), ("q", "only", 1), ("p", "one", 1), ("p", "?", 3)))
    first, second = done.table["row_id"].to_pylist()
    assert done.table.to_pylist() == [
        {"row_id": first, "doc": "p", "parents": ["w2", "w0"], "text": "one two"},
        {"row_id": second, "doc": "q", "parents": ["w1"], "text": "only"},
    ]
    assert causes(done.rejects) == [("w3", "failed", "RowError", "a question mark is no word")]


def test_a_merged_row_s_id_is_made_of_its_members_whatever_else_is_in_the_table():
    alone = Join().apply(words(("p", "one", 1), ("p", "two", 2))).table
    among = Join().apply(words(("p", "one", 1), ("p", "two", 2), ("q", "more", 1))).table
    assert alone["row_id"].to_pylist() == among["row_id"].to_pylist()[:1]


def test_an_exception_rejects_its_whole_group_even_after_rows_were_made():
    class Half(Join):
        def group(self, doc: list[str], word: list[str], place: list[int]) -> Any:
            yield Merged([0], {"text": word[0]})
            if "bad" in word:
                raise ValueError("bad word")

    done = Half().apply(words(("p", "one", 1), ("p", "bad", 2), ("q", "fine", 1)))
    assert done.table["text"].to_pylist() == ["fine"]
    assert causes(done.rejects) == [
        ("w0", "failed", "ValueError", "bad word"),
        ("w1", "failed", "ValueError", "bad word"),
    ]


@pytest.mark.parametrize(
    ("made", "message"),
    [
        (Merged([0], {"text": 5}), "column 'text': expected str, got int 5"),
        (
            Merged([0], {"txt": "a"}),
            "group returned ['txt'] for 1 rows, declared outputs are ['text'] for one row or more",
        ),
        (
            Merged([], {"text": "a"}),
            "group returned ['text'] for 0 rows, declared outputs are ['text'] for one row or more",
        ),
        (Merged([9], {"text": "a"}), "list index out of range"),
    ],
    ids=["type", "name", "nothing", "place"],
)
def test_a_wrong_result_rejects_its_group_alone(made, message):
    class Odd(Join):
        def group(self, doc: list[str], word: list[str], place: list[int]) -> Any:
            return [made] if word == ["odd"] else [Merged(range(len(word)), {"text": word[0]})]

    done = Odd().apply(words(("p", "odd", 1), ("q", "fine", 1)))
    assert done.table["text"].to_pylist() == ["fine"]
    assert [(i, m) for i, _, _, m in causes(done.rejects)] == [("w0", message)]


def test_nulls_in_an_order_column_come_first():
    class Loose(GroupOperator):
        inputs, outputs = {"doc": str, "place": int | None}, {"places": list[int | None]}
        key, order = ("doc",), ("place",)

        def group(self, doc: list[str], place: list[int | None]) -> Any:
            yield Merged(range(len(place)), {"places": place})

    table = pa.table({"doc": ["p"] * 3, "place": [2, None, 1]})
    assert Loose()(table)["places"].to_pylist() == [[None, 1, 2]]


def test_without_a_key_all_rows_are_one_group():
    class Count(GroupOperator):
        inputs, outputs, order = {"text": str}, {"n": int}, ("text",)

        def group(self, text: list[str]) -> Any:
            yield Merged(range(len(text)), {"n": len(text)})

    assert Count()(texts("b", "a")).select(["parents", "n"]).to_pylist() == [{"parents": ["b", "a"], "n": 2}]


def test_rows_merged_twice_from_the_same_members_have_two_ids():
    class Twice(GroupOperator):
        inputs, outputs, order = {"text": str}, {"n": int}, ("text",)

        def group(self, text: list[str]) -> Any:
            yield Merged([0, 1], {"n": 1})
            yield Merged([0, 1], {"n": 2})

    first, second = Twice()(texts("x", "y"))["row_id"].to_pylist()
    assert second == f"{first}#1"


def test_list_columns_may_be_carried_and_are_joined_in_the_order_of_the_rows():
    class Gather(GroupOperator):
        inputs, outputs = {"doc": str, "place": int, "marks": list[int] | None}, {"marks": list[int]}
        key, order, carried = ("doc",), ("place",), ("marks",)

        def group(self, doc: list[str], place: list[int]) -> Any:
            yield Merged(range(len(doc)), {})

    table = pa.table({"doc": ["p", "q", "p", "q"], "place": [2, 1, 1, 2], "marks": [[1, 2], [3], [4], None]})
    assert Gather()(table).select(["doc", "marks"]).to_pylist() == [
        {"doc": "p", "marks": [4, 1, 2]},
        {"doc": "q", "marks": [3]},
    ]


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"key": ("page",)}, "Op: 'page' is no input; they are doc, words."),
        ({"order": ("page",)}, "Op: 'page' is no input; they are doc, words."),
        ({"key": ("words",)}, "Op: 'words' cannot be a key, as its values have parts."),
        (
            {"inputs": {"doc": str}, "key": ()},
            "Op.group takes doc, words, but inputs declares doc; make the two agree.",
        ),
    ],
    ids=["key", "order", "nested", "method"],
)
def test_a_merge_s_columns_and_method_cannot_drift_apart(change, message):
    def group(self, doc, words):
        return [Failure(0, "never")]

    columns = {"inputs": {"doc": str, "words": list[str]}, "outputs": {}, "key": ("doc",), "group": group}
    with pytest.raises(ColumnError) as caught:
        type("Op", (GroupOperator,), {"__module__": __name__, **columns, **change})
    assert str(caught.value) == message


class Lengths(RowOperator):
    """An option decides whether their sum comes out."""

    inputs, outputs = {"text": str}, {"length": int, "twice": int}
    doubled: bool = False

    def promised_outputs(self) -> dict[str, type]:
        return self.outputs if self.doubled else {"length": int}

    def row(self, text: str) -> dict[str, int]:
        return {"length": len(text)} | ({"twice": 2 * len(text)} if self.doubled else {})


class SomeLengths(GroupOperator):
    """The same of a group."""

    inputs, outputs, key = {"text": str}, {"length": int, "twice": int}, ("text",)

    def promised_outputs(self) -> dict[str, type]:
        return {"length": int}

    def group(self, text: list[str]) -> list[Merged]:
        return [Merged([0], {"length": len(text[0])})]


def test_an_operator_delivers_the_columns_that_its_options_promise():
    assert Lengths()(texts("ah")).to_pylist() == [{"row_id": "a", "text": "ah", "length": 2}]
    assert Lengths(doubled=True)(texts("ah")).to_pylist() == [{"row_id": "a", "text": "ah", "length": 2, "twice": 4}]
    assert SomeLengths()(texts("ah")).select(["text", "length"]).to_pylist() == [{"text": "ah", "length": 2}]
    assert check_operator(Lengths(), texts("ah", "b"))["length"].to_pylist() == [2, 1]
