"""Lines of data files: whatever stands in one, the others are read, and memory stays bounded."""

import json

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext import InputError
from operators.cot.dataset import data_files as module
from operators.cot.dataset.data_files import Line, lines_of
from operators.cot.problems import Problem


def read(tmp_path, data: bytes) -> list[Line]:
    path = tmp_path / "data.jsonl"
    path.write_bytes(data)
    return list(lines_of(path))


def told(tmp_path, raw: bytes) -> tuple[str, str]:
    """What is wrong with a line between two good ones."""
    before, line, after = read(tmp_path, b'{"n": 1}\n' + raw + b'\n{"n": 3}\n')
    assert (before.entry, after.entry) == ({"n": 1}, {"n": 3})
    assert (before.problems, after.problems) == ([], [])
    assert (line.number, line.raw, line.entry) == (2, raw, None)
    [problem] = line.problems
    return problem.code, problem.message


@pytest.mark.parametrize(
    ("raw", "code", "message"),
    [
        (b"", "json.blank", "the line is blank"),
        (b" \t\r", "json.blank", "the line is blank"),
        (b"{", "json.syntax", "expecting property name enclosed in double quotes at column 2"),
        (b'{"a": 1} {"a": 2}', "json.syntax", "extra data at column 10"),
        (b"{'a': 1}", "json.syntax", "expecting property name enclosed in double quotes at column 2"),
        (b'{"a": "b', "json.syntax", "unterminated string at column 7"),
        (b'{"a": "\x01"}', "json.syntax", "invalid control character at column 8"),
        (b'{"a": NaN}', "json.syntax", "NaN is no JSON value"),
        (b'{"a": [-Infinity]}', "json.syntax", "-Infinity is no JSON value"),
        (b'{"a": 1e999}', "json.syntax", "a number is too large"),
        (b"[1]", "json.syntax", "the line is JSON, but no object"),
        (b"null", "json.syntax", "the line is JSON, but no object"),
        (b'{"a": 1, "b": {"c": 1, "d": 2, "c": 3}}', "json.duplicate_key", "an object has the key 'c' twice"),
        (b'{"a": 1, "\\u0061": 2}', "json.duplicate_key", "an object has the key 'a' twice"),
        (b'{"a": "\xff"}', "file.encoding", "the line is not UTF-8 (byte 8)"),
        (b'{"a": "\xed\xa0\x80"}', "file.encoding", "the line is not UTF-8 (byte 8)"),
        (b'{"a": "\\ud83d"}', "text.control", "a text has half a character (a lone surrogate)"),
        (b'{"\\uDE00": 1}', "text.control", "a text has half a character (a lone surrogate)"),
        (b'{"a": ' + b"[" * 100_000, "json.syntax", "the line has objects or lists nested too deeply"),
        (b'{"a": ' + b"[" * 60 + b"]" * 60 + b"}", "json.syntax", "the line has objects or lists nested too deeply"),
    ],
)
def test_a_damaged_line_is_told_and_costs_no_other(tmp_path, raw, code, message):
    assert told(tmp_path, raw) == (code, message)


def test_a_number_of_thousands_of_digits_is_told_and_not_converted(tmp_path):
    code, message = told(tmp_path, b'{"a": ' + b"1" * 10_000 + b"}")
    assert (code, "4300 digits" in message) == ("json.syntax", True)


def test_a_byte_order_mark_is_told_and_the_line_is_read_all_the_same(tmp_path):
    [line] = read(tmp_path, b'\xef\xbb\xbf{"a": 1}')
    assert line.entry == {"a": 1}
    assert line.problems == [Problem("file.encoding", "the file begins with a byte order mark")]
    assert told(tmp_path, b'\xef\xbb\xbf{"a": 1}')[0] == "json.syntax"


def test_only_a_line_feed_ends_a_line(tmp_path):
    text = "a\u2028b\u2029c\u0085d"
    data = json.dumps({"a": text}, ensure_ascii=False).encode() + b"\r\n" + b'{"b":\r 1,\x0b "c": 2}'
    first, second = read(tmp_path, data)
    assert (first.number, first.entry) == (1, {"a": text})
    assert (second.number, second.problems[0].code) == (2, "json.syntax")


def test_pairs_of_surrogates_and_many_lists_beside_each_other_are_fine(tmp_path):
    wide = {"a": [[{"b": [n]}] for n in range(100)], "c": "😀"}
    assert [line.entry for line in read(tmp_path, json.dumps(wide).encode())] == [wide]


def test_a_line_that_is_too_long_is_told_without_being_in_memory_as_a_whole(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_BYTES", 1000)
    fits = b'{"a": "' + b"x" * 991 + b'"}'
    assert len(fits) == 1000
    first, long, longer, last = read(tmp_path, b"\n".join([fits, fits + b" ", b"y" * 5000, b'{"n": 1}']))
    assert first.entry == {"a": "x" * 991}
    assert [line.problems[0].code for line in (long, longer)] == ["json.syntax", "json.syntax"]
    assert len(longer.raw) == 1002
    assert (last.number, last.entry) == (4, {"n": 1})


def test_an_empty_file_has_no_lines(tmp_path):
    assert read(tmp_path, b"") == []


def test_a_file_that_cannot_be_read_is_a_sentence(tmp_path):
    with pytest.raises(InputError, match=r"Cannot read .*: No such file or directory"):
        list(lines_of(tmp_path / "none"))
    with pytest.raises(InputError, match="Is a directory"):
        list(lines_of(tmp_path))


VALUES = st.dictionaries(
    st.text(max_size=6), st.text(max_size=12) | st.integers() | st.lists(st.text(max_size=3)), max_size=4
)


@settings(max_examples=60, deadline=None)
@given(st.lists(VALUES, max_size=5), st.booleans())
def test_whatever_json_writes_is_read_back(tmp_path_factory, entries, ascii_only):
    folder = tmp_path_factory.getbasetemp()
    data = "\n".join(json.dumps(each, ensure_ascii=ascii_only) for each in entries).encode()
    assert [(line.number, line.entry) for line in read(folder, data)] == list(enumerate(entries, 1))


@settings(max_examples=80, deadline=None)
@given(st.binary(max_size=60))
def test_any_bytes_give_as_many_lines_as_they_have_and_each_is_an_object_or_told(tmp_path_factory, data):
    folder = tmp_path_factory.getbasetemp()
    found = read(folder, data)
    assert len(found) == len(data.removesuffix(b"\n").split(b"\n")) * bool(data)
    assert [line.entry is not None or bool(line.problems) for line in found] == [True] * len(found)
