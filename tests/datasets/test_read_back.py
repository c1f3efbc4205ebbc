"""Exports of all families read by the library that trainers read with, ``datasets``."""

import pytest

from dataflow_ext.commands.export import source_of
from dataflow_ext.datasets.export import FORMS, export
from tests.datasets.families import HAS

datasets = pytest.importorskip("datasets")


@pytest.mark.parametrize("family", HAS)
def test_every_form_of_a_family_loads_and_its_pictures_are_open(tmp_path, monkeypatch, family):
    for name in ("HF_HUB_OFFLINE", "HF_DATASETS_OFFLINE"):
        monkeypatch.setenv(name, "1")
    datasets.disable_progress_bars()
    source = source_of(family(tmp_path))
    for to in sorted(HAS[family]):
        out = tmp_path / "exports" / to
        count = export(source, to, out)
        form = "parquet" if to == "hf" else "json"
        files = {split: str(out / path) for split, path in FORMS[to].files.items() if (out / path).is_file()}
        loaded = datasets.load_dataset(form, data_files=files, cache_dir=str(tmp_path / "cache" / to))
        assert sum(split.num_rows for split in loaded.values()) == count
        for row in loaded["train"]:
            if to == "hf":
                shown = row.get("images") or row["image"]
                assert all(each.size for each in (shown if isinstance(shown, list) else [shown]))
            elif to != "easyr1":
                assert all((out / path).is_file() for path in row.get("images") or [])
