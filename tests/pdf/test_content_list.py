"""Every form of MinerU's list becomes the same items; odd entries are named, useless files refused."""

import json
import math
import os
import time
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.pdf.blocks import ContentItem
from operators.pdf.mineru.content_list import (
    ContentListError,
    find_content_lists,
    load_content_list,
)
from tests.pdf.lists import read_list


def one(entry: object, **more: object) -> ContentItem:
    loaded = read_list([entry])
    assert loaded.problems == more.get("problems", [])
    (item,) = loaded.items
    return item


def problems(*entries: object) -> list[str]:
    return read_list(list(entries)).problems


def span(text: str) -> dict[str, str]:
    return {"type": "text", "content": text}


def math_span(text: str) -> dict[str, str]:
    return {"type": "equation_inline", "content": text}


# --- the forms ---------------------------------------------------------------------------------


def test_a_flat_list_gives_one_item_an_entry_with_its_index_as_ref():
    entries = [
        {"type": "text", "text": "第一章 数", "text_level": 1, "bbox": [10, 20, 300, 40], "page_idx": 0},
        {"type": "text", "text": "1. 计算", "bbox": [10, 50, 300, 70], "page_idx": 1},
        {"type": "page_number", "text": "7", "bbox": [480, 950, 520, 970], "page_idx": 1},
    ]
    loaded = read_list(entries, file=2)
    assert loaded.items == [
        ContentItem("text", "第一章 数", level=1, page=0, box=(10.0, 20.0, 300.0, 40.0), file=2, ref="0"),
        ContentItem("text", "1. 计算", page=1, box=(10.0, 50.0, 300.0, 70.0), file=2, ref="1"),
        ContentItem("page_number", "7", page=1, box=(480.0, 950.0, 520.0, 970.0), file=2, ref="2"),
    ]
    assert (loaded.version, loaded.problems) == ("content_list", [])


def test_version_1_captions_under_their_old_names_are_read():
    entry = {
        "type": "image",
        "img_path": "",
        "img_caption": "图1",
        "img_footnote": ["注", "源"],
        "page_idx": 4,
    }
    assert one(entry) == ContentItem("image", captions=["图1"], footnotes=["注", "源"], page=4, ref="0")


def test_old_and_new_caption_names_with_the_same_words_count_once():
    assert one({"type": "image", "img_caption": ["图1"], "image_caption": ["图1"]}).captions == ["图1"]


def test_tables_code_charts_and_equations_keep_body_captions_and_footnotes():
    entries = [
        {"type": "table", "table_body": "<table/>", "table_caption": ["表1"], "table_footnote": ["注"]},
        {"type": "code", "sub_type": "code", "code_body": "x = 1", "code_caption": ["代码1"]},
        {"type": "chart", "content": "a: 1", "chart_caption": ["图2"], "chart_footnote": "据统计"},
        {"type": "equation", "text": "$$\nx^2\n$$", "text_format": "latex"},
    ]
    assert read_list(entries).items == [
        ContentItem("table", "<table/>", captions=["表1"], footnotes=["注"], ref="0"),
        ContentItem("code", "x = 1", captions=["代码1"], ref="1"),
        ContentItem("chart", "a: 1", captions=["图2"], footnotes=["据统计"], ref="2"),
        ContentItem("equation", "$$\nx^2\n$$", ref="3"),
    ]


@pytest.mark.parametrize("sub_type", [{}, {"sub_type": "text"}, {"sub_type": "ref_text"}, {"sub_type": None}])
def test_list_items_of_every_sub_type_are_kept_at_their_positions(sub_type: dict[str, object]):
    item = one({"type": "list", "list_items": ["1. 甲", "", "2. 乙"], **sub_type})
    assert item == ContentItem("list", items=["1. 甲", "", "2. 乙"], ref="0")


def test_nested_list_items_are_spread_out_in_order():
    entry = {"type": "list", "list_items": ["甲", ["乙", ["丙"]], {"text": "丁", "list_items": ["戊"]}]}
    assert one(entry).items == ["甲", "乙", "丙", "丁", "戊"]


def test_a_list_written_as_lines_becomes_items_and_further_lines_stay_with_theirs():
    entry = {"type": "list", "content": "- 甲\n  续\n    - 乙\n\n2. 丙"}
    assert one(entry).items == ["- 甲 续", "- 乙", "2. 丙"]


def test_a_stem_beside_list_items_is_kept_as_text():
    assert one({"type": "list", "text": "选择", "list_items": ["A"]}) == ContentItem(
        "list", "选择", items=["A"], ref="0"
    )


def test_a_heading_that_carries_a_list_as_well_keeps_both():
    entry = {"type": "text", "text": "选择", "text_level": 1, "bbox": [1, 2, 3, 4], "page_idx": 0}
    item = one({**entry, "list_items": ["A"]})
    assert item == ContentItem("text", "选择", level=1, items=["A"], box=(1.0, 2.0, 3.0, 4.0), ref="0")


def test_the_second_form_gives_text_levels_lists_and_captions_from_spans():
    pages = [
        [
            {
                "type": "title",
                "content": {"title_content": [span("第一章")], "level": 2},
                "bbox": [0, 0, 9, 9],
            },
            {
                "type": "paragraph",
                "content": {"paragraph_content": [span("若 "), math_span("x<3"), span("and")]},
            },
        ],
        [],
        [
            {
                "type": "list",
                "content": {
                    "list_type": "text_list",
                    "list_items": [
                        {"item_type": "text", "item_content": [span("A. "), math_span("x")]},
                        {"item_type": "text", "item_content": [span("B. 2")]},
                    ],
                },
            },
            {
                "type": "image",
                "content": {
                    "image_source": {"path": "images/"},
                    "image_caption": [span("图1 "), math_span("y"), span("线"), span("图2")],
                    "image_footnote": [],
                },
            },
            {"type": "equation_interline", "content": {"math_content": "x^2", "math_type": "latex"}},
            {
                "type": "algorithm",
                "content": {"algorithm_caption": [span("算法1")], "algorithm_content": [span("loop")]},
            },
            {
                "type": "table",
                "content": {"html": "<table/>", "table_caption": [span("表1")], "table_nest_level": 1},
            },
            {"type": "page_aside_text", "content": {"page_aside_text_content": [span("旁注")]}},
        ],
    ]
    loaded = read_list(pages)
    assert loaded.items == [
        ContentItem("text", "第一章", level=2, box=(0.0, 0.0, 9.0, 9.0), ref="0"),
        ContentItem("text", "若 $x<3$ and", ref="1"),
        ContentItem("list", items=["A. $x$", "B. 2"], page=2, ref="2"),
        ContentItem("image", captions=["图1 $y$线", "图2"], page=2, ref="3"),
        ContentItem("equation", "x^2", page=2, ref="4"),
        ContentItem("code", "loop", captions=["算法1"], page=2, ref="5"),
        ContentItem("table", "<table/>", captions=["表1"], page=2, ref="6"),
        ContentItem("aside_text", "旁注", page=2, ref="7"),
    ]
    assert (loaded.version, loaded.problems) == ("content_list_v2", [])


def test_structured_content_gives_boxes_in_thousandths_and_pages_by_their_own_number():
    data = {
        "pages": [
            {
                "page_idx": 5,
                "blocks": [
                    {"type": "doc_title", "level": 1, "content": "数学", "bbox": [0.1, 0.2, 0.5, 0.25]},
                    {"type": "paragraph_title", "content": "1.1", "bbox": [0, 0, 1, 1]},
                    {"type": "list", "content": "A. 1\nB. 2"},
                ],
            },
            {
                "blocks": [
                    {
                        "type": "chart",
                        "content": "| a |",
                        "captions": [{"bbox": [0, 0, 1, 1], "content": "图1"}, {"content": "图2"}],
                        "footnotes": [{"content": "注"}],
                    }
                ]
            },
        ],
        "metadata": {"producer": {"name": "mineru"}},
    }
    loaded = read_list(data)
    assert loaded.items == [
        ContentItem("text", "数学", level=1, page=5, box=(100.0, 200.0, 500.0, 250.0), ref="0"),
        ContentItem("text", "1.1", level=2, page=5, box=(0.0, 0.0, 1000.0, 1000.0), ref="1"),
        ContentItem("list", items=["A. 1", "B. 2"], page=5, ref="2"),
        ContentItem("chart", "| a |", captions=["图1", "图2"], footnotes=["注"], page=1, ref="3"),
    ]
    assert (loaded.version, loaded.problems) == ("structured_content", [])


def test_empty_lists_of_all_forms_give_no_items():
    assert [read_list(data).items for data in ([], [[]], {"pages": []})] == [[], [], []]


# --- odd entries -------------------------------------------------------------------------------


def test_an_unknown_type_with_text_is_kept_as_text_and_named():
    said = ["Entry 0: type 'phonetics' is not known; kept as text."]
    assert one({"type": "phonetics", "text": "ā"}, problems=said) == ContentItem("text", "ā", ref="0")


def test_an_unknown_type_with_a_picture_is_kept_as_image(tmp_path: Path):
    (tmp_path / "a.png").write_bytes(b"")
    loaded = read_list([{"type": "stamp", "img_path": "a.png"}], root=tmp_path)
    assert loaded.items == [ContentItem("image", image=str(tmp_path.resolve() / "a.png"), ref="0")]
    assert loaded.problems == ["Entry 0: type 'stamp' is not known; kept as image."]


def test_text_in_an_unforeseen_field_is_found_and_the_field_named():
    said = ["Entry 0: its text was found in field 'image_body'."]
    assert one({"type": "image", "image_body": "A 到 B"}, problems=said).text == "A 到 B"


def test_a_missing_page_is_that_of_the_entry_before():
    entries = [{"type": "text", "text": "a", "page_idx": 3}, {"type": "text", "text": "b"}]
    assert [item.page for item in read_list(entries).items] == [3, 3]


@pytest.mark.parametrize("page", [-1, 1.5, True, "2", 10**30, [1]])
def test_a_page_that_is_no_page_is_replaced_by_the_last_one(page: object):
    entries = [{"type": "text", "text": "a", "page_idx": 3}, {"type": "text", "text": "b", "page_idx": page}]
    loaded = read_list(entries)
    assert [item.page for item in loaded.items] == [3, 3]
    assert len(loaded.problems) == 1
    assert loaded.problems[0].startswith("Entry 1: field 'page_idx' is ")


@pytest.mark.parametrize(
    "box",
    [
        [1, 2, 3],
        [1, 2, 3, 4, 5],
        [1, 2, math.nan, 4],
        [1, 2, math.inf, 4],
        ["1", "2", "3", "4"],
        [True, True, True, True],
        [0, 0, 1654, 2339],
        [10**400, 0, 10**400, 0],
        [50, 50, 40, 60],
        "1 2 3 4",
        {"x0": 1},
        7,
    ],
)
def test_a_nonsense_box_is_left_out_and_named(box: object):
    loaded = read_list([{"type": "text", "text": "a", "bbox": box, "page_idx": 0}])
    assert loaded.items == [ContentItem("text", "a", ref="0")]
    assert len(loaded.problems) == 1
    assert loaded.problems[0].startswith("Entry 0: field 'bbox', ")


@pytest.mark.parametrize(
    ("box", "read"),
    [
        ([-2, 0, 1003, 1000], (0.0, 0.0, 1000.0, 1000.0)),
        ([0.0, 0.5, 1.0, 0.75], (0.0, 500.0, 1000.0, 750.0)),
        ([12.5, 20, 30, 40.25], (12.5, 20.0, 30.0, 40.25)),
    ],
)
def test_boxes_just_off_the_page_are_cut_and_fractions_scaled(box: list[float], read: tuple[float, ...]):
    assert one({"type": "text", "text": "a", "bbox": box}).box == read


@pytest.mark.parametrize("level", [True, -1, 1.0, 10, "1", 10**1000, [1]])
def test_a_heading_level_that_is_none_is_left_out_and_named(level: object):
    loaded = read_list([{"type": "text", "text": "a", "text_level": level}])
    assert loaded.items == [ContentItem("text", "a", ref="0")]
    assert len(loaded.problems) == 1
    assert loaded.problems[0].endswith("is not a number from 1 to 9; left out.")


def test_level_0_means_no_heading_and_is_no_problem():
    assert one({"type": "text", "text": "a", "text_level": 0}).level is None


def test_wrong_types_of_text_are_kept_as_text_where_they_can_be():
    entries = [
        {"type": "text", "text": 12},
        {"type": "text", "text": True},
        {"type": "text", "text": ["a", ["b"]]},
    ]
    loaded = read_list(entries)
    assert [item.text for item in loaded.items] == ["12", "", "ab"]
    assert loaded.problems == [
        "Entry 0: field 'text' is 12, not text; kept as text.",
        "Entry 1: field 'text' is true, not text; left out.",
    ]


def test_entries_that_are_no_objects_are_named_and_bare_text_is_kept():
    loaded = read_list([None, 3, "字", {"type": "text", "text": "a"}, ["b"]])
    assert loaded.items == [ContentItem("text", "字", ref="2"), ContentItem("text", "a", ref="3")]
    assert loaded.problems == [
        "Entry 0: is null, not an object; left out.",
        "Entry 1: is 3, not an object; left out.",
        "Entry 2: is bare text, not an object; kept as text.",
        "Entry 4: is a list of 1, not an object; left out.",
    ]


def test_only_the_first_hundred_problems_are_spelled_out():
    said = problems(*[7] * 250)
    assert len(said) == 101
    assert said[-1] == "150 more problems are not listed."


def test_halves_of_surrogate_pairs_become_replacement_characters():
    said = ["Entry 0: its text has broken characters (half of a pair); replaced by U+FFFD."]
    item = one({"type": "list", "list_items": ["a\ud800b", "c"], "image_caption": "\udc00"}, problems=said)
    assert (item.items, item.captions) == (["a\ufffdb", "c"], ["\ufffd"])


def test_a_middle_json_of_version_4_is_read_as_far_as_it_goes_and_named():
    data = {"pages": [{"blocks": [{"type": "text", "content": [span("a")]}]}]}
    loaded = read_list(data)
    assert [item.text for item in loaded.items] == ["a"]
    assert "middle_json.json" in loaded.problems[0]


# --- pictures ----------------------------------------------------------------------------------


def test_a_picture_inside_the_folder_gets_its_absolute_path(tmp_path: Path):
    (tmp_path / "images").mkdir()
    (tmp_path / "images" / "a.jpg").write_bytes(b"x")
    entries = [{"type": "image", "img_path": path} for path in ("images/a.jpg", "./images\\a.jpg")]
    loaded = read_list(entries, root=tmp_path)
    assert [item.image for item in loaded.items] == [str(tmp_path.resolve() / "images" / "a.jpg")] * 2
    assert loaded.problems == []


@pytest.mark.parametrize(
    "path",
    [
        "../secret.png",
        "images/../../secret.png",
        "..\\secret.png",
        "/etc/passwd",
        "\\\\server\\share\\a.png",
        "C:\\a.png",
        "c:a.png",
        "https://example.org/a.png",
        "file:///etc/passwd",
        "data:image/png;base64,AAAA",
        "a\0.png",
        "\ud800.png",
        "out/a.png",
        "..",
    ],
)
def test_a_picture_path_that_leaves_the_folder_is_refused(tmp_path: Path, path: str):
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "a.png").write_bytes(b"x")
    root = tmp_path / "list"
    root.mkdir()
    (root / "out").symlink_to(outside)
    loaded = read_list([{"type": "image", "img_path": path}], root=root)
    assert loaded.items == [ContentItem("image", ref="0")]
    assert len(loaded.problems) == 1
    assert loaded.problems[0].startswith("Entry 0: field 'img_path', ")
    assert loaded.problems[0].endswith("; the picture is left out.")
    loaded.problems[0].encode()


def test_a_folder_whose_name_begins_alike_is_not_inside(tmp_path: Path):
    (tmp_path / "book").mkdir()
    (tmp_path / "book2").mkdir()
    loaded = read_list([{"type": "image", "img_path": "../book2/a.png"}], root=tmp_path / "book")
    assert loaded.items[0].image is None


def test_missing_pictures_keep_their_paths_and_are_counted_once(tmp_path: Path):
    (tmp_path / "a.png").write_bytes(b"x")
    entries = [{"type": "image", "img_path": name} for name in ("a.png", "b.png", "c.png")]
    loaded = read_list(entries, root=tmp_path)
    assert loaded.items[2].image == str(tmp_path.resolve() / "c.png")
    assert loaded.problems == ["2 of 3 pictures are not beside the list."]


@pytest.mark.parametrize("path", [5, ["a.png"], {"path": 5}])
def test_a_picture_path_of_a_wrong_type_is_left_out_and_named(path: object):
    loaded = read_list([{"type": "image", "img_path": path}])
    assert loaded.items == [ContentItem("image", ref="0")]
    assert len(loaded.problems) == 1


# --- files -------------------------------------------------------------------------------------


def test_a_file_is_read_with_pictures_from_its_own_folder(tmp_path: Path):
    (tmp_path / "a.png").write_bytes(b"x")
    path = tmp_path / "b_content_list.json"
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps([{"type": "image", "img_path": "a.png"}]).encode())
    loaded = load_content_list(path, file=1)
    assert loaded.items == [ContentItem("image", image=str(tmp_path.resolve() / "a.png"), file=1, ref="0")]
    assert loaded.problems == []


def test_a_file_and_its_parsed_value_give_the_same_items(tmp_path: Path):
    data = [
        {"type": "text", "text": "a\ud800", "page_idx": 1},
        {"type": "list", "list_items": ["b"]},
        {"type": "text", "text": "c", "bbox": [1, 2, 3, 4], "page_idx": 2},
    ]
    path = tmp_path / "content_list.json"
    for value in (data, [data, data], {"pages": [{"blocks": data}]}):
        path.write_text(json.dumps(value))
        assert load_content_list(path) == read_list(value, root=tmp_path)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-32"])
def test_byte_order_marks_are_understood(tmp_path: Path, encoding: str):
    path = tmp_path / "content_list.json"
    path.write_bytes(json.dumps([{"type": "text", "text": "题"}], ensure_ascii=False).encode(encoding))
    assert load_content_list(path).items == [ContentItem("text", "题", ref="0")]


@pytest.mark.parametrize(
    ("raw", "said"),
    [
        (b"", "is empty"),
        (b" \n", "is empty"),
        (b"\xef\xbb\xbf", "is not complete JSON"),
        (b'[{"type": "te', "is not complete JSON (line 1, column "),
        (b'[{"text": "\xff"}]', "is not readable text (byte 11 is not UTF-8)"),
        (b"[" * 200_000, "is nested too deeply"),
        (b'{"a":' * 200_000, "is nested too deeply"),
        (b"{}", "is an object without a list of 'pages'"),
        (b'{"pages": 3}', "is an object without a list of 'pages'"),
        (b'{"pdf_info": []}', "is a middle.json"),
        (b"7", "is 7, not a list of entries"),
        (b"null", "is null, not a list of entries"),
        (b'"text"', "is 'text', not a list of entries"),
        (b"9" * 10_000, "not a list of entries"),
        (b"9" * 10_000 + b"[", "is not complete JSON"),
    ],
    ids=lambda value: str(value)[:24],
)
def test_a_file_that_cannot_be_used_is_refused_with_its_path_and_a_remedy(tmp_path: Path, raw: bytes, said: str):
    path = tmp_path / "content_list.json"
    path.write_bytes(raw)
    with pytest.raises(ContentListError) as caught:
        load_content_list(path)
    assert str(caught.value).startswith(str(path))
    assert said in str(caught.value)
    assert "give a *_content_list.json" in str(caught.value) or "MinerU again" in str(caught.value)


def test_a_missing_file_and_a_folder_are_refused(tmp_path: Path):
    with pytest.raises(ContentListError, match=r"cannot be read \(No such file"):
        load_content_list(tmp_path / "none.json")
    with pytest.raises(ContentListError, match="cannot be read"):
        load_content_list(tmp_path / "a\0b.json")
    with pytest.raises(ContentListError, match="is not a file"):
        load_content_list(tmp_path)


def test_numbers_of_thousands_of_digits_cost_only_their_field(tmp_path: Path):
    path = tmp_path / "content_list.json"
    path.write_text('[{"type": "text", "text": "a", "page_idx": 2, "bbox": [1, 2, 3, ' + "9" * 9000 + "]}]")
    loaded = load_content_list(path)
    assert loaded.items == [ContentItem("text", "a", page=2, ref="0")]
    assert loaded.problems == ["Entry 0: field 'bbox', [1, 2, 3, inf], is not a box on the page; left out."]


def test_nan_and_repeated_keys_in_a_file_do_no_harm(tmp_path: Path):
    path = tmp_path / "content_list.json"
    path.write_text('[{"type": "text", "text": "a", "text": "b", "bbox": [NaN, 0, Infinity, 1]}]')
    loaded = load_content_list(path)
    assert loaded.items == [ContentItem("text", "b", ref="0")]
    assert loaded.problems == ["Entry 0: field 'bbox', [nan, 0, inf, 1], is not a box on the page; left out."]


def test_nesting_near_the_limit_of_the_json_reader_is_read_or_named():
    deep: object = "end"
    for _ in range(900):
        deep = [deep]
    said = problems({"type": "text", "text": deep}, {"type": "text", "text": "a"})
    assert said == ["Entry 0: field 'text' is a list of 1 in which no words were found."]


# --- finding -----------------------------------------------------------------------------------


def test_one_list_a_document_is_found_and_the_flat_form_preferred(tmp_path: Path):
    names = [
        "out/a/auto/a_content_list.json",
        "out/a/auto/a_content_list_v2.json",
        "out/a/auto/a_middle.json",
        "out/b/vlm/b_content_list_v2.json",
        "out/b/vlm/b_structured_content.json",
        "out/c/content_list.json",
        "out/c/structured_content.json",
        "out/d/structured_content.json",
        "out/.run/x_content_list.json",
        "out/d/notes.json",
    ]
    for name in names:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text("[]")
    found = [path.relative_to(tmp_path).as_posix() for path in find_content_lists(tmp_path)]
    assert found == [
        "out/a/auto/a_content_list.json",
        "out/b/vlm/b_content_list_v2.json",
        "out/c/content_list.json",
        "out/d/structured_content.json",
    ]


def test_two_documents_in_one_folder_are_both_found(tmp_path: Path):
    for name in ("q_content_list.json", "a_content_list_v2.json"):
        (tmp_path / name).write_text("[]")
    assert [path.name for path in find_content_lists(tmp_path)] == [
        "a_content_list_v2.json",
        "q_content_list.json",
    ]


def test_a_folder_that_is_none_is_refused(tmp_path: Path):
    with pytest.raises(ContentListError, match="is not a folder"):
        find_content_lists(tmp_path / "none")


# --- laws --------------------------------------------------------------------------------------

KEYS = [
    *(
        "type",
        "text",
        "content",
        "bbox",
        "page_idx",
        "text_level",
        "level",
        "img_path",
        "image_source",
        "path",
    ),
    *(
        "image_caption",
        "img_caption",
        "captions",
        "footnotes",
        "table_footnote",
        "list_items",
        "item_content",
    ),
    *("paragraph_content", "code_body", "html", "children", "pages", "blocks", "odd_text"),
]
KINDS = [
    "text",
    "list",
    "image",
    "table",
    "paragraph",
    "title",
    "doc_title",
    "equation_inline",
    "header",
    "odd",
]
leaves = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.integers(-2, 1100),
    st.floats(),
    st.text(st.characters(), max_size=8),
    st.sampled_from([*KINDS, "../a.png", "images/a.png", "a\0b", 10**1000]),
)
values = st.recursive(
    leaves,
    lambda inner: st.one_of(
        st.lists(inner, max_size=5),
        st.dictionaries(st.one_of(st.sampled_from(KEYS), st.text(max_size=4)), inner, max_size=6),
    ),
    max_leaves=25,
)
entries_with_text = st.builds(
    lambda entry, kind, text: {**entry, "type": kind, "text": text},
    st.dictionaries(st.sampled_from(KEYS), values, max_size=5),
    st.one_of(st.sampled_from(KINDS), leaves),
    st.text(st.characters(), min_size=1, max_size=8),
)


@settings(deadline=None, max_examples=300)
@given(values)
def test_any_value_is_read_or_refused_with_the_loaders_own_error(value: object):
    with TemporaryDirectory() as folder:
        root = Path(folder).resolve()
        try:
            loaded = read_list(value, root=root)
        except ContentListError:
            return
    for item in loaded.items:
        "".join([item.text, *item.items, *item.captions, *item.footnotes]).encode()
        assert item.image is None or item.image.startswith(f"{root}/")
        assert item.box is None or all(0 <= number <= 1000 for number in item.box)
        assert item.level is None or 1 <= item.level <= 9
    "".join(loaded.problems).encode()


@settings(deadline=None, max_examples=200)
@given(st.lists(entries_with_text, max_size=4))
def test_every_entry_with_text_gives_an_item_or_a_problem(entries: list[dict[str, object]]):
    loaded = read_list(entries)
    named = {line.split(":")[0] for line in loaded.problems}
    read = {item.ref for item in loaded.items}
    missing = [i for i in range(len(entries)) if str(i) not in read and f"Entry {i}" not in named]
    assert missing == []


@settings(deadline=None, max_examples=200)
@given(st.lists(entries_with_text, max_size=4))
def test_the_short_way_for_plain_entries_and_the_long_way_give_the_same(entries: list[dict[str, object]]):
    # One more field sends an entry the long way; this one says nothing.
    longer = [{**entry, "note": None} for entry in entries]
    with TemporaryDirectory() as folder:
        assert read_list(entries, Path(folder)) == read_list(longer, Path(folder))


def test_many_captions_in_one_entry_take_no_more_than_linear_time():
    entry = {"type": "image", "image_caption": [f"图{i}" for i in range(50_000)]}
    start = time.process_time()
    assert len(one(entry).captions) == 50_000
    assert time.process_time() - start < 5


@pytest.mark.skipif(os.name == "nt", reason="Windows needs a privilege to make links")
def test_the_folder_itself_may_be_a_link(tmp_path: Path):
    (tmp_path / "real").mkdir()
    (tmp_path / "real" / "a.png").write_bytes(b"x")
    (tmp_path / "link").symlink_to(tmp_path / "real")
    loaded = read_list([{"type": "image", "img_path": "a.png"}], root=tmp_path / "link")
    assert loaded.items[0].image == str((tmp_path / "real" / "a.png").resolve())


def test_a_list_of_more_entries_than_any_book_has_is_refused_before_it_is_parsed(tmp_path):
    path = tmp_path / "shelf_content_list.json"
    entry = '{"type":"text","text":"1. Why is \\"type\\" a word?","page_idx":0}'
    path.write_text(f"[{','.join([entry] * 200_001)}", encoding="utf-8")  # and cut off, which nobody sees
    with pytest.raises(ContentListError) as raised:
        load_content_list(path)
    told = "holds 200,001 entries, and a document may have 200,000; "
    assert str(raised.value) == f"{path} {told}give each book as a list of its own."


def test_spans_of_an_entry_count_as_no_entries(tmp_path):
    path = tmp_path / "long_content_list_v2.json"
    spans = [{"type": "text", "content": "a"}, {"type": "equation_inline", "content": "x"}] * 5
    entry = {"type": "paragraph", "bbox": [1, 2, 3, 4], "content": {"paragraph_content": spans}}
    path.write_text(json.dumps([[entry] * 200] * 100), encoding="utf-8")  # 220,000 types
    assert len(load_content_list(path).items) == 20_000


def test_a_list_of_more_bytes_than_memory_may_hold_is_refused_unread(tmp_path):
    path = tmp_path / "shelf_content_list.json"
    with path.open("wb") as file:
        file.truncate((1 << 29) + 1)  # takes no room on the disk
    with pytest.raises(ContentListError) as raised:
        load_content_list(path)
    told = "has 536,870,913 bytes, and a list may have 536,870,912; give each book as a list of its own."
    assert str(raised.value) == f"{path} {told}"
