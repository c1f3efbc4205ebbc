"""What the writer leaves, loaded by the library that EasyR1 loads with; only where ``datasets`` is installed."""

import shutil
import warnings
from importlib.util import find_spec
from pathlib import Path

import pytest
from PIL import Image

from operators.game.easyr1_writer import EasyR1Writer
from tests.game.easyr1.data_sets import PROBLEM, rows, table

if find_spec("datasets") is None:
    why = "datasets is not installed: that EasyR1's own loader takes the data set is not proved here"
    warnings.warn(why, stacklevel=1)
    pytest.skip(why, allow_module_level=True)


@pytest.fixture
def load(tmp_path, monkeypatch):
    """The loader with a cache of its own, and no way to any hub."""
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setenv("HF_DATASETS_OFFLINE", "1")
    import datasets

    datasets.disable_progress_bars()
    return lambda kind, **files: datasets.load_dataset(kind, split="train", cache_dir=str(tmp_path / "cache"), **files)


@pytest.fixture
def out(tmp_path) -> Path:
    EasyR1Writer(out=tmp_path / "out")(table(rows(tmp_path / "raw")))
    return tmp_path / "out"


def test_jsonl_loads_with_texts_as_texts_and_pictures_below_image_dir(load, out):
    for split, count in (("train", 6), ("test", 2)):
        loaded = load("json", data_files=str(out / f"data/{split}.jsonl"))
        assert len(loaded) == count
        for row in loaded:
            assert (type(row["answer"]), row["problem"], len(row["images"])) == (str, PROBLEM, 1)
            with Image.open(out / "images" / row["images"][0]) as opened:
                opened.load()
                assert opened.size == (90, 160)


def test_parquet_loads_with_pictures_that_are_open(load, out):
    for split, count in (("train", 6), ("test", 2)):
        loaded = load("parquet", data_files=str(out / f"parquet/{split}.parquet"))
        lines = load("json", data_files=str(out / f"data/{split}.jsonl"))
        assert len(loaded) == count
        for row, line in zip(loaded, lines, strict=True):
            assert (row["answer"], row["problem"]) == (line["answer"], line["problem"])
            with Image.open(out / "images" / line["images"][0]) as opened:
                assert row["images"][0].tobytes() == opened.tobytes()


def test_folders_of_data_load_as_a_whole(load, out):
    assert len(load("json", data_dir=str(out / "data"))) == 6
    assert len(load("parquet", data_dir=str(out / "parquet"))) == 6


def test_a_folder_whose_other_split_has_no_rows_loads_too(load, tmp_path):
    made = rows(tmp_path / "raw")[:6]
    EasyR1Writer(out=tmp_path / "only")(table(made))
    assert len(load("json", data_dir=str(tmp_path / "only/data"))) == 6
    assert len(load("parquet", data_dir=str(tmp_path / "only/parquet"))) == 6


def test_a_file_without_rows_does_not_load_which_is_why_there_is_none(load, out):
    (out / "data/test.jsonl").write_text("")
    with pytest.raises(Exception):  # noqa: B017 - StopIteration in some versions, another error in others
        load("json", data_files=str(out / "data/test.jsonl"))
    shutil.rmtree(out)
