"""``check`` proves that steps fit: every problem is a sentence with step, operator, column, types and remedy."""

import pandas
import pyarrow as pa
import pytest

from dataflow_ext import RowOperator, check
from dataflow_ext.errors import WiringError
from dataflow_ext.testing import check_operator
from operators import ChunkedPromptedGenerator, LLMOutputParser, PDFRules, QA_Merger
from tests.core.samples import Join, Length, LongOnly, Upper, Words

DOCS = {"doc": str, "text": str}


class Tag(RowOperator):
    """Writes a column that may go unread."""

    inputs, outputs = {"text": str}, {"tag": str}

    def row(self, text: str) -> dict[str, str]:
        return {"tag": text}


class NeedsBlocks(RowOperator):
    inputs, outputs = {"blocks": list[dict[str, int]]}, {}

    def row(self, blocks: list[dict[str, int]]) -> dict[str, str]:
        return {}


class Reserved(RowOperator):
    inputs, outputs = {"text": str}, {"row_id": str, "parents": str}

    def row(self, text: str) -> dict[str, str]:
        return {}


def problems(pipeline, schema):
    with pytest.raises(WiringError) as caught:
        check(pipeline, schema)
    assert str(caught.value) == "\n".join(caught.value.problems)
    return caught.value.problems


def test_a_wiring_that_holds_gives_the_schema_after_every_step():
    wiring = check([Length(), Words(), Join()], {**DOCS, "unknown": bytes})
    assert [s.names for s in wiring.schemas] == [
        ["row_id", "doc", "text", "unknown"],
        ["row_id", "doc", "text", "unknown", "length"],
        ["row_id", "doc", "unknown", "length", "word", "place"],
        ["row_id", "doc", "parents", "text"],
    ]
    assert wiring.schema.field("parents").type == pa.list_(pa.string())


def test_a_wiring_is_printed_in_a_line_with_its_warnings_below():
    assert repr(check([Words(), LongOnly(reads={"text": "word"})], DOCS)) == (
        "input → 1. Words → 2. LongOnly: row_id, doc, word, place"
    )
    told = repr(check([Tag(), Join(reads={"word": "text", "place": "n"}, writes={"text": "all"})], DOCS | {"n": int}))
    assert told.splitlines()[1].startswith("Step 1 (Tag) writes column 'tag'")


def test_a_missing_column_is_named_with_what_there_is_and_the_remedy():
    assert problems([Upper(), NeedsBlocks()], DOCS) == [
        "Step 2 (NeedsBlocks) needs column 'blocks' (list<map<string, int64>>), but the table has doc, text; "
        "add an operator that writes it before this step, or read another column with reads={'blocks': '…'}."
    ]


def test_columns_that_a_step_misses_are_told_together_with_the_operator_that_writes_them():
    steps = [ChunkedPromptedGenerator(model=PDFRules()), QA_Merger()]
    assert problems(steps, {"document": str, "name": str}) == [
        "Step 1 (ChunkedPromptedGenerator) needs column 'blocks' (list<struct<id, type, text, …>>), but the table has "
        "document, name; put MinerU2LLMInput, which writes it, before this step, or read another column with "
        "reads={'blocks': '…'}.",
        "Step 2 (QA_Merger) needs columns 'item' (int64), 'at' (int64), 'in_core' (bool), 'label' (string) and 16 more, "
        "but the table has document, name, chunk, core, blocks, reply, extracted_by; put LLMOutputParser, which writes "
        "them, before this step, or read other columns with reads={'item': '…', …}.",
    ]
    [told, _] = problems([LLMOutputParser()], {"Blocks": str, "core": int})
    assert "put ChunkedPromptedGenerator, which writes 'reply', before this step" in told


def test_names_that_are_near_are_told_where_no_operator_writes_them():
    assert problems([Join()], {"Doc": str, "words": str, "place": int}) == [
        "Step 1 (Join) needs columns 'doc' (string), 'word' (string), but the table has Doc, words, place (did you mean "
        "'Doc', 'words'?); add an operator that writes them before this step, or read other columns with "
        "reads={'doc': '…', …}."
    ]


def test_a_column_that_an_explosion_consumed_is_missing_afterwards_unless_it_is_kept():
    assert problems([Words(), Length()], DOCS) == [
        "Step 2 (Length) needs column 'text' (string), but the table has doc, word, place; "
        "add an operator that writes it before this step, or read another column with reads={'text': '…'}."
    ]
    assert check([Words(keep=("text",)), Length()], DOCS).warnings == []


def test_a_wrong_type_is_named_with_both_types_and_the_remedy():
    assert problems([Length()], {"text": int}) == [
        "Step 1 (Length) needs column 'text' as string, but the table has it as int64; cast it before this step "
        "or read another column with reads={'text': '…'}."
    ]


def test_an_overwritten_column_is_named_with_both_types_and_the_remedy():
    assert problems([Length(), Length(extra=1)], DOCS) == [
        "Step 2 (Length) would overwrite column 'length' (int64) with int64; "
        "give its output another name with writes={'length': '…'}."
    ]


def test_an_input_may_be_written_in_place_but_not_with_another_type():
    assert check([Upper(), Upper()], DOCS).schema.field("text").type == pa.string()
    assert problems([Length(writes={"length": "text"})], DOCS) == [
        "Step 1 (Length) would overwrite column 'text' (string) with int64; "
        "give its output another name with writes={'length': '…'}."
    ]


def test_two_outputs_of_one_name_are_refused():
    assert problems([Words(writes={"word": "w", "place": "w"})], DOCS) == [
        "Step 1 (Words) writes column 'w' more than once; use writes={'word': '…'}.",
        "Step 1 (Words) writes column 'w' more than once; use writes={'place': '…'}.",
    ]


def test_reserved_columns_cannot_be_written():
    assert problems([Reserved()], DOCS) == [
        "Step 1 (Reserved) writes column 'row_id', which is reserved; use writes={'row_id': '…'}.",
        "Step 1 (Reserved) writes column 'parents', which is reserved; use writes={'parents': '…'}.",
    ]


def test_every_problem_of_every_step_is_found_at_once():
    found = problems([Length(reads={"text": "body"}), Length(), NeedsBlocks()], DOCS)
    assert [text.split(" ", 4)[:4] for text in found] == [
        ["Step", "1", "(Length)", "needs"],
        ["Step", "2", "(Length)", "would"],
        ["Step", "3", "(NeedsBlocks)", "needs"],
    ]


def test_the_same_operator_stands_twice_under_two_names():
    pipeline = [Length(), Length(reads={"text": "doc"}, writes={"length": "doc_length"})]
    assert check(pipeline, DOCS).schema.names == ["row_id", "doc", "text", "length", "doc_length"]


def test_an_output_that_is_dropped_unread_is_a_warning():
    assert check([Words(), Tag(reads={"text": "word"}), Join()], DOCS).warnings == [
        "Step 2 (Tag) writes column 'tag' (string), but no step reads it before Step 3 (Join) drops it; "
        "leave the step out, or keep the column there."
    ]


def test_an_output_that_is_for_the_record_may_be_dropped_unread():
    class Noted(Tag):
        record = ("tag",)

    assert check([Words(), Noted(reads={"text": "word"}), Join()], DOCS).warnings == []


@pytest.mark.parametrize(
    "source",
    [
        pa.schema([("text", pa.large_string())]),
        pa.table({"text": ["a"]}),
        pandas.DataFrame({"text": ["a"]}),
        [{"text": "a"}],
        {"text": pa.dictionary(pa.int32(), pa.string())},
    ],
    ids=lambda s: type(s).__name__,
)
def test_a_schema_may_be_given_as_whatever_has_one(source):
    assert check([LongOnly()], source).schema.names == ["row_id", "text"]


def test_the_error_of_a_single_call_names_the_operator_without_a_step():
    with pytest.raises(WiringError) as caught:
        Length()(pa.table({"body": ["a"]}))
    assert str(caught.value) == (
        "Length needs column 'text' (string), but the table has body; add an operator that writes it before this "
        "step, or read another column with reads={'text': '…'}."
    )


class Share(RowOperator):
    """Needs the column ``of`` only with its option."""

    rows = "explode"
    inputs, outputs = {"text": str, "of": int}, {"share": float}
    shared: bool = False

    def needed_inputs(self) -> dict[str, type]:
        return self.inputs if self.shared else {"text": str}

    def row(self, text: str, of: int = 1) -> list[dict[str, float]]:
        return [{"share": len(text) / of}]


def test_an_input_that_an_option_makes_needless_may_be_absent_or_anything_and_passes_through():
    table = pa.table({"row_id": ["a"], "text": ["four"], "of": ["no number"]})
    assert Share()(table).to_pylist() == [{"row_id": "a.0", "of": "no number", "share": 4.0}]
    assert check_operator(Share(), pa.table({"text": ["four", None]}))["share"].to_pylist() == [4.0]
    assert problems([Share(shared=True)], {"text": str}) == [
        "Step 1 (Share) needs column 'of' (int64), but the table has text; add an operator that writes it before this "
        "step, or read another column with reads={'of': '…'}."
    ]
    with_of = pa.table({"row_id": ["a"], "text": ["four"], "of": [8]})
    assert Share(shared=True)(with_of).to_pylist() == [{"row_id": "a.0", "share": 0.5}]
    # Which columns there may be is the class's, so one that is renamed for nothing is no mistake.
    assert Share(reads={"of": "all"})(with_of)["share"].to_pylist() == [4.0]


def test_a_column_that_is_called_nearly_so_is_told_beside_the_operator_that_writes_it():
    [told] = problems([ChunkedPromptedGenerator(model=PDFRules())], {"document": str, "block": str})
    assert "has document, block (did you mean 'block'?); put MinerU2LLMInput, which writes it, before" in told
    [told] = problems([ChunkedPromptedGenerator(model=PDFRules(), reads={"blocks": "parts"})], {"document": str})
    assert "needs column 'parts'" in told
    assert "; add an operator that writes it before this step" in told
