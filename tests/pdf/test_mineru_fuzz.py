"""Content lists of every version with damage: items or one clear error, rows or rejects, never anything else."""

import copy
import json
import shutil
import tempfile
from pathlib import Path

import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dataflow_ext import InputError
from operators import DocumentReader, MinerU2LLMInput
from operators.pdf.mineru.content_list import find_content_lists, load_content_list

FIXTURES = Path(__file__).parent / "fixtures_mineru"
LISTS = [path for folder in sorted(FIXTURES.iterdir()) for path in find_content_lists(folder)]

JUNK = st.one_of(
    st.none(),
    st.booleans(),
    st.sampled_from([-1, 0, 3, 10**20, 10**400, 1e308, -1e-300, float("nan"), float("inf")]),
    st.sampled_from(
        ["", " ", "x", "\ud800", "a\udfffb", "\0", "9" * 50, "../../x.jpg", "images/", "/etc/passwd", "**", "$"]
    ),
    st.sampled_from(["text", "list", "equation", "image", "header", "ratatouille"]),
    st.recursive(
        st.sampled_from([None, 1, "x", "\udc00"]),
        lambda inner: (
            st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["type", "content", "text"]), inner)
        ),
        max_leaves=8,
    ),
)
#: Where, by a number that picks one of all places; what is done there; with what.
DAMAGE = st.lists(
    st.tuples(st.integers(0, 10**6), st.sampled_from(["put", "drop", "twice", "wrap"]), JUNK), min_size=1, max_size=6
)


def places(value):
    """Every container with every key of it."""
    keys = list(value) if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for key in keys:
        yield value, key
        yield from places(value[key])


def damaged(data, damage):
    for number, how, junk in damage:
        found = list(places(data))
        if not found:
            return data
        holder, key = found[number % len(found)]
        if how == "put":
            holder[key] = junk
        elif how == "drop":
            del holder[key]
        elif how == "wrap":
            holder[key] = [holder[key]] if number % 2 else {"content": holder[key]}
        elif isinstance(holder, list):
            holder.append(copy.deepcopy(holder[key]))
        else:
            holder[f"{key}_{number % 3}"] = copy.deepcopy(holder[key])
    return data


DATA = {path: json.loads(path.read_text(encoding="utf-8")) for path in LISTS}
BOOKS = st.builds(
    lambda path, damage: (path, damaged(copy.deepcopy(DATA[path]), damage)), st.sampled_from(LISTS), DAMAGE
)


@pytest.fixture(scope="module")
def folder():
    with tempfile.TemporaryDirectory() as name:
        for version in FIXTURES.iterdir():
            shutil.copytree(next(version.rglob("images")), Path(name) / "images", dirs_exist_ok=True)
        yield Path(name)


def written(folder, book):
    path, data = book
    target = folder / path.name
    target.write_text(json.dumps(data), encoding="utf-8")
    return target


@settings(deadline=None, max_examples=120)
@given(book=BOOKS)
def test_a_damaged_list_gives_items_or_one_error(folder, book):
    path = written(folder, book)
    try:
        loaded = load_content_list(path)
    except InputError as error:
        assert str(path) in str(error) and "\n" not in str(error)
        return
    for item in loaded.items:
        "".join([item.text, *item.items, *item.captions, *item.footnotes]).encode()
        assert item.image is None or Path(item.image).is_relative_to(folder.resolve())
        assert item.box is None or (0 <= item.box[0] <= item.box[2] <= 1000 and 0 <= item.box[1] <= item.box[3] <= 1000)
        assert 0 <= item.page < 10**6
    assert all("\n" not in problem for problem in loaded.problems)


@settings(deadline=None, max_examples=25)
@given(books=st.lists(BOOKS, min_size=1, max_size=2))
def test_damaged_lists_give_rows_or_rejects_and_the_next_step_takes_them(folder, books):
    paths = []
    for number, book in enumerate(books):
        (folder / str(number)).mkdir(exist_ok=True)
        paths.append(str(written(folder / str(number), book)))
    table = pa.table({"name": [str(n) for n in range(len(paths))], "input_pdf_paths": [[path] for path in paths]})
    read = DocumentReader(image_dir=folder / "pictures").apply(table)
    rejects = read.rejects.to_pylist()
    lost = {r["row_id"] for r in rejects if r["kind"] != "dropped"}
    assert read.table.num_rows + len(lost) == len(paths)
    assert {r["error"] for r in rejects} <= {"InputError", "ContentListError"}
    if read.table.num_rows:
        blocks = MinerU2LLMInput().apply(read.table)
        assert blocks.table.num_rows + blocks.rejects.num_rows >= read.table.num_rows
