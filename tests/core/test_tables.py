"""Tables in and out of files and frames, unchanged, and nothing half written left behind."""

import datetime as dt
import json

import pandas
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from dataflow_ext import InputError, read_table, to_pandas, to_table, write_table
from dataflow_ext.files import atomic, write_text
from dataflow_ext.images import IMAGE, with_image_features

ROWS = pa.table(
    {
        "label": ["001", "1.0", "NA", "", 'a "b"\nc,d', "例1"],
        "n": pa.array([1, None, 3, 4, 5, 6], pa.int64()),
        "parts": [["a"], [], None, ["b", "c"], ["NaN"], ["null"]],
    }
)


@pytest.mark.parametrize("ending", ["parquet", "arrow", "jsonl", "PARQUET"])
def test_a_table_comes_back_from_a_file_as_it_was(tmp_path, ending):
    path = write_table(ROWS, tmp_path / "deep" / f"rows.{ending}")
    assert read_table(path).equals(ROWS)
    assert [p.name for p in path.parent.iterdir()] == [f"rows.{ending}"]


def test_every_csv_cell_is_text_as_it_stands(tmp_path):
    path = write_table(ROWS, tmp_path / "rows.csv")
    back = read_table(path)
    assert back["label"].to_pylist() == ROWS["label"].to_pylist()
    assert back["n"].to_pylist() == ["1", "", "3", "4", "5", "6"]
    assert [json.loads(text or "null") for text in back["parts"].to_pylist()] == ROWS["parts"].to_pylist()


def test_csv_cells_of_every_kind_of_string_are_written_the_same_way(tmp_path):
    strings = pa.array(["001", None])
    table = pa.table({"a": strings, "b": strings.cast(pa.large_string()), "c": strings.dictionary_encode()})
    path = write_table(table, tmp_path / "rows.csv")
    assert path.read_text() == '"a","b","c"\n"001","001","001"\n,,\n'


def test_a_sheet_for_people_has_no_formula_and_a_data_file_has_its_texts(tmp_path):
    texts = ["=HYPERLINK(A1)", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "＝1", "a=1", "'=1", "", None, "'"]
    table = pa.table(
        {"=n": pa.array(texts, pa.string_view()), "n": range(-1, 11), "k": pa.array(texts).dictionary_encode()}
    )
    safe = read_table(write_table(table, tmp_path / "sheet.csv", csv_safe=True))
    marked = ["'=HYPERLINK(A1)", "'+1", "'-1", "'@SUM(A1)", "'\t=1", "'\r=1", "'＝1", "a=1", "''=1", "", "", "'"]
    assert safe.to_pydict() == {"'=n": marked, "n": [str(n) for n in range(-1, 11)], "k": marked}
    raw = read_table(write_table(table, tmp_path / "data.csv"))
    assert raw["=n"].to_pylist() == [text or "" for text in texts]


def test_csv_cells_may_hold_lines_across_blocks_of_the_reader(tmp_path):
    long = ["line\n" * 300_000, "001"]
    path = write_table(pa.table({"text": long, "n": ["1", "2"]}), tmp_path / "rows.csv")
    assert read_table(path).to_pylist() == [{"text": long[0], "n": "1"}, {"text": "001", "n": "2"}]


def test_json_lines_hold_times_and_bytes_as_text(tmp_path):
    when = dt.datetime(2024, 5, 1, tzinfo=dt.UTC)
    table = pa.table({"when": pa.array([when], pa.timestamp("us", "UTC")), "picture": [b"\0\1"]})
    path = write_table(table, tmp_path / "rows.jsonl")
    assert path.read_text() == '{"when": "2024-05-01 00:00:00+00:00", "picture": "AAE="}\n'


def test_a_json_file_is_a_list_of_objects(tmp_path):
    path = write_text(tmp_path / "rows.json", '[{"a": "001"}, {"b": 2}]')
    assert read_table(path).to_pylist() == [{"a": "001", "b": None}, {"a": None, "b": 2}]


def test_a_byte_order_mark_and_blank_lines_are_passed_over(tmp_path):
    path = tmp_path / "rows.jsonl"
    path.write_bytes(b'\xef\xbb\xbf{"a": 1}\n\n{"a": 2}\n')
    assert read_table(path)["a"].to_pylist() == [1, 2]


@pytest.mark.parametrize(
    ("name", "content", "message"),
    [
        ("a.jsonl", b'{"a": 1}\n{"a":', "{path}, line 2: not JSON (Expecting value: line 1 column 6 (char 5)); mend "),
        ("a.jsonl", b"[1]\n", "{path}, line 1: not a JSON object but list."),
        (
            "a.jsonl",
            b'{"a": 1}\n{"a": "x"}\n',
            "Field 'a' of {path} cannot be a column of one type: int in row 1 and str in row 2.",
        ),
        ("a.jsonl", b'{"a": %d}\n' % 2**70, "Field 'a' of {path} cannot be a column of one type: "),
        ("a.jsonl", b"[" * 100_000, "{path}, line 1: not JSON ("),
        ("a.jsonl", b'{"a": "\xff"}\n', "{path}, line 1: not JSON ('utf-8' codec can't decode byte 0xff"),
        ("a.json", b"{}", "{path}: not a list of JSON objects."),
        ("a.json", b"[", "{path}: not JSON (Expecting value: line 1 column 2 (char 1))."),
        ("a.csv", b"", "Cannot read {path}: Empty CSV file"),
        ("a.csv", b"a,b\n1\n", "Cannot read {path}: CSV parse error: "),
        ("a.parquet", b"PAR1 is not enough", "Cannot read {path}: "),
        ("a.arrow", b"ARROW1 neither", "Cannot read {path}: "),
        ("a.xlsx", b"", "Cannot read {path}: known endings are .arrow, .csv, .json, .jsonl, .parquet."),
    ],
    ids=str,
)
def test_a_file_that_cannot_be_read_is_one_clear_sentence(tmp_path, name, content, message):
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(InputError) as caught:
        read_table(path)
    assert str(caught.value).startswith(message.format(path=path))


def test_a_truncated_parquet_file_is_one_clear_sentence(tmp_path):
    path = write_table(pa.table({"a": list(range(10_000))}), tmp_path / "a.parquet")
    path.write_bytes(path.read_bytes()[:5000])
    with pytest.raises(InputError, match=r"^Cannot read .*a\.parquet: "):
        read_table(path)


def test_a_missing_file_and_a_folder_are_no_files(tmp_path):
    why = {
        tmp_path / "no.csv": f"There is no file {tmp_path / 'no.csv'}.",
        tmp_path: f"{tmp_path} is a folder; name a file in it. A run with out= reads a folder of tables as one.",
    }
    for path, message in why.items():
        with pytest.raises(InputError) as caught:
            to_table(path)
        assert str(caught.value) == message


def test_an_unknown_ending_is_not_written(tmp_path):
    with pytest.raises(InputError) as caught:
        write_table(ROWS, tmp_path / "rows.xlsx")
    assert str(caught.value) == (
        f"Cannot write {tmp_path}/rows.xlsx: known endings are .arrow, .csv, .jsonl, .parquet."
    )


def test_a_write_that_fails_leaves_the_old_file_and_nothing_else(tmp_path):
    path = write_text(tmp_path / "rows.csv", "old")
    with pytest.raises(RuntimeError, match="halfway"), atomic(path) as partial:
        partial.write_text("new")
        raise RuntimeError("halfway")
    with pytest.raises(InputError, match=r"^Cannot write .*rows\.parquet: Cannot write struct type 'a' with no child"):
        write_table(pa.table({"a": [{}]}), tmp_path / "rows.parquet")
    assert {p.name: p.read_text() for p in tmp_path.iterdir()} == {"rows.csv": "old"}


def test_text_is_written_in_utf_8_with_plain_newlines(tmp_path):
    path = write_text(tmp_path / "deep" / "page.html", "例\n")
    assert path.read_bytes() == "例\n".encode()


def test_a_data_frame_is_a_table_without_its_index_and_with_its_strings_unchanged():
    frame = pandas.DataFrame({"label": ["000", "001", None], "n": [1, 2, 3]}, index=["x", "y", "z"])
    table = to_table(frame[frame.n > 1])
    assert table.to_pylist() == [{"label": "001", "n": 2}, {"label": None, "n": 3}]
    assert table.schema.metadata is None


def test_a_table_is_a_data_frame():
    frame = to_pandas(pa.table({"label": ["001", None]}))
    assert frame["label"].tolist()[0] == "001"
    assert frame["label"].isna().tolist() == [False, True]


def test_other_libraries_tables_come_by_the_arrow_stream():
    class Foreign:
        def __arrow_c_stream__(self, schema=None):
            column = pa.array(["001", None], pa.string_view())
            return pa.table({"label": column, "n": [1, 2]}).__arrow_c_stream__(schema)

    table = to_table(Foreign())
    assert table.schema == pa.schema([("label", pa.large_string()), ("n", pa.int64())])
    assert table.to_pylist() == [{"label": "001", "n": 1}, {"label": None, "n": 2}]


def test_a_data_set_of_hugging_face_s_is_a_table_with_its_selection():
    datasets = pytest.importorskip("datasets")
    rows = [{"a": "x", "b": [1]}, {"a": "y", "b": []}, {"a": None, "b": [2, 3]}]
    data = datasets.Dataset.from_list(rows)
    assert to_table(data).to_pylist() == rows
    assert to_table(data.select([2, 0])).to_pylist() == [rows[2], rows[0]]
    with pytest.raises(InputError, match="Cannot make a table of DatasetDict"):
        to_table(datasets.DatasetDict({"train": data}))


def test_a_table_is_taken_as_it_is_and_a_batch_as_a_table():
    batch = pa.record_batch({"a": [1]})
    assert to_table(ROWS) is ROWS
    assert to_table(batch).equals(pa.table({"a": [1]}))


@pytest.mark.parametrize(
    ("data", "message"),
    [
        ({"a": [1]}, "Cannot make a table of dict; give an Arrow table, a data frame, a list of dicts, or the "
                     "path of a .parquet, .jsonl, .json or .csv file."),
        ([{"a": 1}, {"a": "x"}], "Field 'a' of the list of dicts cannot be a column of one type: int in row 1 and str in row 2."),
        ([{"a": 2**70}], "Field 'a' of the list of dicts cannot be a column of one type: Python int too large"),
        ([{1: 2}], "A field of the list of dicts is named 1, which is no string."),
        (pandas.DataFrame({"a": [1, "x"]}), "The data frame cannot be a table: Could not convert 'x' with type str: "),
        (pa.table([[1], [2]], names=["a", "a"]), "The table has several columns of the name a; rename or drop them."),
    ],
    ids=["dict", "mixed", "huge", "name", "frame", "repeated"],
)  # fmt: skip
def test_what_cannot_be_a_table_is_one_clear_sentence(data, message):
    with pytest.raises(InputError) as caught:
        to_table(data)
    assert str(caught.value).startswith(message)


def test_picture_columns_open_as_images_in_datasets(tmp_path):
    pictures = pa.array([{"bytes": b"x", "path": "a.png"}], IMAGE)
    table = pa.table({"p": pictures, "many": pa.array([pictures.to_pylist()], pa.list_(IMAGE)), "n": [1]})
    marked = with_image_features(table)
    path = write_table(marked, tmp_path / "a.parquet")
    features = json.loads(pq.read_schema(path).metadata[b"huggingface"])["info"]["features"]
    assert features == {"p": {"_type": "Image"}, "many": [{"_type": "Image"}]}
    assert with_image_features(table.select(["n"])).schema.metadata is None
