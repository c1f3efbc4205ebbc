"""The public face: what is exported, what importing costs, and what a user's mistakes say."""

import subprocess
import sys
from importlib import import_module
from pathlib import Path

import pyarrow as pa
import pytest

import dataflow_ext
from dataflow_ext import InputError, OptionError, check, run
from dataflow_ext.errors import DataflowError
from tests.core.samples import Length, LongOnly, Words

ROOT = Path(__file__).parents[2]


def test_importing_the_package_loads_no_heavy_library():
    script = (
        "import sys, dataflow_ext\n"
        "heavy = {'pyarrow', 'pydantic', 'openai', 'numpy', 'pandas', 'jinja2', 'rich', 'PIL', 'pypdfium2', 'asyncio'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "[]\n"


def test_a_run_without_models_loads_no_client():
    script = (
        "import sys\n"
        "from dataflow_ext import run\n"
        "from tests.core.samples import Length\n"
        "run([Length()], [{'text': 'a'}])\n"
        "heavy = {'openai', 'jinja2', 'rich', 'PIL', 'pypdfium2'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "[]\n"


def test_importing_all_operators_loads_no_library_that_only_some_jobs_need():
    script = (
        "import sys, operators\n"
        "[getattr(operators, name) for name in operators.__all__]\n"
        "heavy = {'openai', 'pandas', 'pyarrow.dataset', 'pyarrow.parquet', 'jinja2', 'rich', 'PIL', 'pypdfium2', 'cv2', "
        "'shapely', 'pint', 'lxml', 'latex2mathml', 'json_repair', 'genai_prices', 'h11', 'rapidocr', 'onnxruntime', "
        "'ray', 'datasets', 'huggingface_hub', 'toktok'}\n"
        "print(sorted(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout == "[]\n"


def test_an_operator_builds_the_checks_of_its_options_when_the_first_is_made():
    class Late(dataflow_ext.RowOperator):
        inputs, outputs = {"text": str}, {"n": int}
        least: int = 0

        def row(self, text: str) -> int:
            return max(self.least, len(text))

    assert not Late.__pydantic_complete__
    with pytest.raises(OptionError, match="Late: option 'least': Input should be a valid integer"):
        Late(least="few")
    assert Late.__pydantic_complete__


def test_the_help_of_the_main_command_loads_neither_operators_nor_what_they_stand_on():
    script = (
        "import sys\n"
        "from pipelines.pdf_vqa import main\n"
        "try:\n"
        "    main(['--help'])\n"
        "except SystemExit:\n"
        "    print(sorted({'pyarrow', 'pydantic', 'asyncio', 'pypdfium2', 'dataflow_ext.models'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True, cwd=ROOT)
    assert done.stdout.startswith("usage: ")
    assert done.stdout.endswith("\n[]\n")


def test_every_public_name_is_there_and_listed():
    assert sorted(dataflow_ext.__all__, key=str.lower) == sorted(dataflow_ext._HOME, key=str.lower)
    for name in dataflow_ext.__all__:
        assert getattr(dataflow_ext, name) is getattr(import_module(dataflow_ext._HOME[name]), name)
    assert set(dataflow_ext.__all__) <= set(dir(dataflow_ext))


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError) as caught:
        _ = dataflow_ext.Operater
    assert str(caught.value) == "module 'dataflow_ext' has no attribute 'Operater'"


ROWS = [{"text": "a"}]


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda: run([Length], ROWS), "Step 1 is the class Length; call it: Length(…)."),
        (lambda: run([Length(), len], ROWS), "Step 2 is no operator but a builtin_function_or_method: <built-in "),
        (lambda: run(Length(), ROWS), "A pipeline is a list of operators; put the Length into one."),
        (lambda: check([[Length()]], {}), "Step 1 is no operator but a list: [Length("),
        (
            lambda: Length(extra="many"),
            "Length: option 'extra': Input should be a valid integer, unable to parse string as an integer "
            "(got 'many').",
        ),
        (
            lambda: Length(extras=1),
            "Length has no option 'extras'; did you mean 'extra'? It has reads, writes, keep, depends, row_timeout, extra.",
        ),
        (lambda: Length(reads={"body": "text"}), "Length: reads renames body, but its columns are text."),
        (lambda: LongOnly(writes={"text": "t"}), "LongOnly: writes renames text, but its columns are none."),
        (lambda: Length(reads="text"), "Length: option 'reads': Input should be a valid dictionary (got 'text')."),
        (lambda: Words(keep=("words",)), "Words: keep names words, but the columns that it consumes are text."),
    ],
    ids=range(10),
)
def test_a_wrong_option_or_pipeline_is_one_clear_sentence(mistake, message):
    with pytest.raises(OptionError) as caught:
        mistake()
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("mistake", "message"),
    [
        (lambda: run([Length()], "no.parquet"), "There is no file no.parquet."),
        (lambda: run([Length()], 5), "Cannot make a table of int; give an Arrow table, a data frame, "),
        (lambda: check([Length()], 5), "Cannot make a table of int; give an Arrow table, a data frame, "),
        (
            lambda: run([Length()], {"text": ["a"], "row_id": ["x"]}.items()),
            "Cannot make a table of dict_items; give an Arrow table, ",
        ),
        (
            lambda: run([Length()], [{"text": "a", "row_id": "x"}] * 2),
            "The column 'row_id' is reserved and must be unique; rename or drop yours.",
        ),
        (
            lambda: run([Length()], [{"text": "a", "_reject": "x"}]),
            "The column '_reject' is reserved; rename or drop yours.",
        ),
        (lambda: Length()(5), "Cannot make a table of int; give an Arrow table, a data frame, "),
    ],
    ids=range(7),
)
def test_a_wrong_input_is_one_clear_sentence(mistake, message):
    with pytest.raises(InputError) as caught:
        mistake()
    assert str(caught.value).startswith(message)


def test_an_operator_whose_columns_are_not_what_it_declares_stops_the_run_with_its_name():
    class Odd(dataflow_ext.Operator):
        inputs, outputs = {"text": str}, {"n": int}

        def batch(self, table: pa.Table) -> dataflow_ext.Made:
            return dataflow_ext.Made({"n": pa.array(["x"])})

    with pytest.raises(DataflowError) as caught:
        run([Odd()], ROWS)
    assert str(caught.value) == ("Odd delivered column 'n' as 1 values of string, but declares int64 and made 1 rows.")
