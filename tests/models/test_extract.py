"""JSON out of replies: what is meant is read, what is mended is said, and nothing is made up."""

import json
import time
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext.errors import RowError
from dataflow_ext.models.structured.extract import Extracted, extract_all, extract_json
from dataflow_ext.models.structured.lenient import mend_escapes

LATEX, BACKSLASH = "control character read as LaTeX", "single backslash"

# Line breaks and tabs before letters may be LaTeX, which has tests of its own.
TEXTS = st.text(st.characters(exclude_categories=["Cs", "Cc"]), max_size=20)
SCALARS = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | TEXTS
VALUES = st.recursive(
    SCALARS, lambda inner: st.lists(inner, max_size=4) | st.dictionaries(TEXTS, inner, max_size=4), max_leaves=12
)
OBJECTS = st.dictionaries(TEXTS, VALUES, min_size=1, max_size=4)
PARTS = st.floats(0, 1, exclude_max=True)
DUMPED = {"separators": (",", ":")}, {"indent": 2}, {"ensure_ascii": False}
FEW = settings(max_examples=30, deadline=None)


def problem(text):
    with pytest.raises(RowError) as caught:
        extract_json(text)
    return str(caught.value)


@FEW
@given(
    VALUES,
    st.sampled_from(DUMPED),
    st.sampled_from(["```json\n{}\n```", "~~~\n{}\n~~~\n", "````\n{}\n````", "{}", "\ufeff {} \n"]),
)
def test_any_value_comes_back_equal_from_a_fence(value, options, fence):
    assert extract_json(fence.replace("{}", json.dumps(value, **options))).value == value


@FEW
@given(
    OBJECTS | st.lists(OBJECTS, min_size=1),
    st.sampled_from(DUMPED),
    st.sampled_from(["Here it is:\n", "<think>Is it {}? [1]</think>\n", "On [0, 1) and {x}, ", "```json\n", "x: "]),
    st.sampled_from(["", "\nI hope that helps!", "\n```\nDone."]),
)
def test_any_object_comes_back_equal_from_chatter(value, options, before, after):
    assert extract_json(before + json.dumps(value, **options) + after).value == value


@FEW
@given(OBJECTS | st.lists(OBJECTS, min_size=1), PARTS, st.sampled_from(["", "```json\n", "It is "]))
def test_a_reply_that_ends_too_early_is_said_to_or_is_an_error(value, part, before):
    text = json.dumps(value, ensure_ascii=False)
    try:
        extracted = extract_json(before + text[: int(part * len(text))])
    except RowError:
        return
    assert extracted.cut and "cut off" in extracted.notes


@FEW
@given(OBJECTS, PARTS)
def test_what_is_left_of_a_cut_off_object_was_in_it(value, part):
    text = json.dumps(value)
    kept = extract_json(text[: max(1, int(part * len(text)))]).value

    def part_of(some, whole):
        if isinstance(some, dict):
            return all(key in whole and part_of(inner, whole[key]) for key, inner in some.items())
        if isinstance(some, list):
            return len(some) <= len(whole) and all(map(part_of, some, whole))
        # The last letter may be half of a surrogate pair.
        return some == whole or (isinstance(some, str) and whole.startswith(some[:-1]))

    assert part_of(kept, value)


@FEW
@given(st.text(max_size=60) | st.text("{}[]\":,\\'/*#“”：x1 \n`~<>", max_size=40))
def test_no_text_makes_anything_but_a_value_or_an_error(text):
    try:
        extracted = extract_json(text)
    except RowError:
        return
    assert json.loads(json.dumps(extracted.value)) == extracted.value


@pytest.mark.parametrize(
    ("text", "value", "notes"),
    [
        ('{"a": [1, 2,], }', {"a": [1, 2]}, ("trailing comma",)),
        ("{'a': 'say \"hi\"', 'b': 'it\\'s'}", {"a": 'say "hi"', "b": "it's"}, ("quotes", "single backslash")),
        ('{"a": True, "b": None, "c": False}', {"a": True, "b": None, "c": False}, ("Python literal",)),
        ("{a: 1, b_2: 2}", {"a": 1, "b_2": 2}, ("bare key",)),
        ('{"a": 1, // one\n "b": /* two */ 2 # three\n}', {"a": 1, "b": 2}, ("comment",)),
        ('{"url": "http://a#b", "c": "/* d */", }', {"url": "http://a#b", "c": "/* d */"}, ("trailing comma",)),
        ('{"a": "one\ntwo\tthree"}', {"a": "one\ntwo\tthree"}, ("line break in a string",)),
        ('｛“题”：“3：4，5”，"b"：［1，2］｝', {"题": "3：4，5", "b": [1, 2]}, ("full-width punctuation", "quotes")),
        ('{"a": NaN, "b": -Infinity}', {"a": None, "b": None}, ("NaN or infinity read as null",)),
        ('\ufeff{"a": 1}', {"a": 1}, ("byte order mark",)),
        ('<think>{"a": 2}?</think>{"a": 1}', {"a": 1}, ("reasoning left out",)),
        ('So {"a": 2}?</think>\n{"a": 1}', {"a": 1}, ("reasoning left out",)),
        ('{"tag": "</think>"}', {"tag": "</think>"}, ()),
        ('Sure!\n{"a": 1}\nBye [1].', {"a": 1}, ("text around it",)),
        ('```json\n{"a": 1,}\n```\nBye', {"a": 1}, ("code fence", "trailing comma")),
        ('```json\n{"a": "```py\n1\n```"}\n```', {"a": "```py\n1\n```"}, ("code fence", "line break in a string")),
        ('{"a": "x', {"a": "x"}, ("cut off",)),
        ('{"a": [1, 23', {"a": [1]}, ("cut off",)),
        ('{"a": "x", "b": tr', {"a": "x"}, ("cut off",)),
        ('{"a": "x\\u00', {"a": "x"}, ("cut off",)),
        ('{"a": 1, /* so', {"a": 1}, ("cut off",)),
        ('{"a": "he said "hi" to me", "b": 2.50}', {"a": 'he said "hi" to me', "b": 2.5}, ("damaged JSON",)),
        ('{"a": "\\u4e2d",\n "b": "\\d "q""\n}', {"a": "中", "b": '\\d "q"'}, (BACKSLASH, "damaged JSON")),
        ('{"a": "x"\n "b": [{"c": 1}\n {"c": 2}]}', {"a": "x", "b": [{"c": 1}, {"c": 2}]}, ("missing comma",)),
        ('{"a": "$\\alpha "b" \\frac12$"}', {"a": '$\\alpha "b" \\frac12$'}, (LATEX, BACKSLASH, "damaged JSON")),
    ],
)
def test_what_is_meant_is_read_and_what_was_mended_is_said(text, value, notes):
    extracted = extract_json(text)
    assert (extracted.value, extracted.notes) == (value, notes)
    assert extracted.cut == ("cut off" in notes)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "the reply is empty"),
        (" \n", "the reply is empty"),
        ("<think>so</think> ", "there is nothing behind the reasoning"),
        ('<think>{"a": 1}', "the reply is cut off within its reasoning"),
        ("hello", "there is no JSON object or list in the reply 'hello'"),
        ("“hello”", "there is no JSON object or list in the reply '“hello”'"),
        ("[1, 2 3]", "not JSON at line 1, column 7: expected ',' or the closing bracket (near '[1, 2 3]')"),
        # json_repair says {"a": 7}, {"a": "x"}, {"a": 12}, {"a": 1, "b": 2}, {"a": 2}, {"a": "it's'"}:
        ('{"a": 007}', "not JSON at line 1, column 7: expected a value (near '{\"a\": 007}')"),
        ('{"a": "x", "b"}', 'not JSON at line 1, column 15: expected \':\' (near \'{"a": "x", "b"}\')'),
        (
            '{"a": 12 apples}',
            "not JSON at line 1, column 10: expected ',' or the closing bracket (near '{\"a\": 12 apples}')",
        ),
        ('{"a": 1}, "b": 2}', "the JSON is closed too early, before ', \"b\": 2}'"),
        ('{"a": 1} "b": 2}', "the JSON is closed too early, before '\"b\": 2}'"),
        ('"a": "[1] x"}', "a bracket is closed that was not opened, before '}'"),
        (
            '{"a: 721,\n "b": {}}',
            "not JSON at line 2, column 3: expected ':' (near '{\"a: 721,\\n \"b\": {}}')",
        ),
        ('{"a": tue}', "not JSON at line 1, column 7: expected a value (near '{\"a\": tue}')"),
        (
            '{"a": "x"1, "b": []}',
            'not JSON at line 1, column 10: expected \',\' or the closing bracket (near \'{"a": "x"1, "b": []}\')',
        ),
        ('["a" "b"]', "not JSON at line 1, column 6: expected ',' or the closing bracket (near '[\"a\" \"b\"]')"),
        ('{"a": 1, "a": 2}', "the name 'a' stands twice in one object"),
        (
            "{'a': 'it's'}",
            "not JSON at line 1, column 11: expected ',' or the closing bracket (near \"{'a': 'it's'}\")",
        ),
        # Part of a broken value would be a wrong answer:
        ("So [1, x3, [4, 5]]", "not JSON at line 1, column 8: expected a value (near 'So [1, x3, [4, 5]]')"),
        (
            '{"a": "x "y"", "b": {"c": 1}',
            "not JSON at line 1, column 11: expected ',' or the closing bracket "
            '(near \'{"a": "x "y"", "b": {"c": 1}\')',
        ),
    ],
)
def test_where_one_would_have_to_guess_there_is_an_error(text, said):
    assert problem(text) == said


def test_of_several_values_the_longest_counts_and_one_in_a_fence_before_all_others():
    draft = 'Draft {"a": 1, "b": 2}, see [1].'
    assert extract_json(draft).value == {"a": 1, "b": 2}
    assert extract_json(draft + '\n```\n{"a": 3}\n```').value == {"a": 3}
    assert problem("See [1]: [1, x3, [4, 5]]").startswith("not JSON at line 1, column 14")
    assert [e.value for e in extract_all('{"a": 1}\n{"a": 2}')] == [{"a": 1}, {"a": 2}]


def test_a_value_that_is_cut_off_counts_alone():
    assert extract_json('Draft: {"a": [1, 2, 3]}\nFinal: {"a": [4') == Extracted(
        {"a": []}, ("text around it", "cut off"), cut=True, length=8
    )


@pytest.mark.parametrize(
    ("written", "read"),
    [
        (r"\frac{\pi}{2} \boxed{x} \beta", r"\frac{\pi}{2} \boxed{x} \beta"),
        (r"\nabla f \times \theta \rho \right) \text{if}", r"\nabla f \times \theta \rho \right) \text{if}"),
        (r"\( x_1 \) \[ y \] 5\% \{1\}", r"\( x_1 \) \[ y \] 5\% \{1\}"),
        (r"\underline{x} \u00e9", r"\underline{x} é"),
        (r"\\frac{1}{2}\nso \\(x\\)", "\\frac{1}{2}\nso \\(x\\)"),
        (r"First.\nThen it is.\n\nnot so\tto be\r\nend", "First.\nThen it is.\n\nnot so\tto be\r\nend"),
        (r"$a \ne b$\ne $\nu \to 0$\to", "$a \\ne b$\ne $\\nu \\to 0$\\to"),
        (r"\(a \not= b\)\not", "\\(a \\not= b\\)\not"),
        (r"\\(a \to b\\)\to", "\\(a \\to b\\)\\to"),
        (r"\begin{matrix} 1 & 2 \\ 3 & 4 \end{matrix}", r"\begin{matrix} 1 & 2 \\ 3 & 4 \end{matrix}"),
        (r"\\begin{matrix} 1 \\\\ 3 \\end{matrix}", r"\begin{matrix} 1 \\ 3 \end{matrix}"),
        (r"由 \tan x \to 1", r"由 \tan x \to 1"),
        (r"C:\\temp\\new \\ x", r"C:\temp\new \ x"),
        (r"it\'s \"so\" \/", 'it\'s "so" /'),
        ("a\\\nb", "a\nb"),
    ],
)
def test_backslashes_of_latex_survive_and_real_line_breaks_stay(written, read):
    assert extract_json(f'{{"a": "{written}"}}').value == {"a": read}


def test_notes_tell_a_command_that_json_would_have_eaten_from_an_escape_that_it_does_not_know():
    notes = [mend_escapes(text)[1] for text in (r"\frac12", r"\alpha", r"\nThe", "a\nb")]
    assert notes == [(LATEX,), (BACKSLASH,), (), ("line break in a string",)]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 400_000, "lists and objects are nested more than 100 deep"),
        ("[" * 1_000_000, "lists and objects are nested more than 100 deep"),
        ('{"a":' * 200_000, "lists and objects are nested more than 100 deep"),
        ("[1," * 150 + "]" * 150, "lists and objects are nested more than 100 deep"),
        (
            "a" * 10_000_000,
            "the reply has 10,000,000 characters and is not exact JSON; more than 400,000 are not mended",
        ),
        ("[x" * 100_000, "the reply has more than 1,000 brackets that are no single JSON value"),
        ("[1] " * 100_000, "the reply has more than 1,000 brackets that are no single JSON value"),
        ("x" * 33_000_000, "the reply has 33,000,000 characters, more than 32,000,000"),
    ],
    ids=["lists", "longer", "objects", "commas", "long", "broken", "many", "longest"],
)
def test_hostile_texts_are_refused_in_short_time(text, said):
    start = time.process_time()
    assert problem(text) == said
    assert time.process_time() - start < 3


@pytest.mark.parametrize("unit", ['["a" x ', "[/*", '["', '[" \\n', "```\n", "a-", "{'", '{"a":1,', "<think>", "\\\\ "])
def test_time_grows_with_length_and_not_with_its_square(unit):
    def seconds(count):
        text = "[" + unit * count
        start = time.perf_counter()
        with suppress(RowError):
            extract_json(text)
        return time.perf_counter() - start

    seconds(100)
    assert seconds(16_000) < max(0.25, 16 * 4 * seconds(1_000))


def test_long_exact_json_is_read():
    value = {"a": [{"b": "word " * 20, "n": 1.5}] * 20_000}
    assert extract_json(json.dumps(value)).value == value
