"""Each family's whole pipeline gives the same rows in a list of ours and, step by step, in DataFlow's storage."""

import json
import logging
from pathlib import Path

import pytest

pytest.importorskip("dataflow.core")

from dataflow.utils.storage import FileStorage

from dataflow_ext import run, write_table
from dataflow_ext.identity import with_row_ids
from dataflow_ext.interop.dataflow import exact, in_dataflow
from pipelines import cot_planning, game_annotate, onevision, pdf_vqa, scene_edit

EXAMPLES = Path(__file__).resolve().parents[2] / "examples"


def family(name: str, folder: Path):
    """The steps of a family, and a table to begin with."""
    if name == "pdf_vqa":
        from operators.pdf.inputs import documents

        return pdf_vqa.pipeline(image_dir=folder), documents([EXAMPLES / "booklets" / "geometry_zh.pdf"])
    if name == "cot_planning":
        from operators.cot.items import items

        return cot_planning.pipeline(tasks=["28", "29"]), items(EXAMPLES / "causal_plans").slice(0, 1)
    if name == "scene_edit":
        pytest.importorskip("shapely")
        from operators.scene.reading.room_file import rooms

        return scene_edit.pipeline(folder, chains=2, keep=1), rooms([EXAMPLES / "rooms" / "room_0001.json"])
    if name == "onevision":
        from operators.onevision.sources.source import records

        steps = onevision.pipeline(EXAMPLES / "visual_reasoning" / "images", folder, ocr=None)
        return steps, records([EXAMPLES / "visual_reasoning" / "train.jsonl"]).slice(0, 4)
    pytest.importorskip("rapidocr")
    from operators.game.inputs import episodes

    return game_annotate.pipeline(), episodes(EXAMPLES / "game_pages" / "rounds").slice(2, 1)


def plain(values):
    """JSON values, with a picture as the path of its file, and numbers with the digits that pandas writes."""
    if isinstance(values, float):
        return round(values, 4)
    if isinstance(values, dict):
        if values.keys() == {"bytes", "path"}:
            return values["path"] or "a file"
        return {name: plain(value) for name, value in values.items()}
    return [plain(value) for value in values] if isinstance(values, list) else values


@pytest.mark.parametrize("name", ["pdf_vqa", "cot_planning", "scene_edit", "onevision", "game_annotate"])
def test_a_family_s_pipeline_gives_the_same_rows_by_dataflow_s_storage(tmp_path, name):
    logging.getLogger("DataFlow").setLevel(logging.CRITICAL)
    steps, table = family(name, tmp_path / "pictures")
    table = with_row_ids(table)
    wanted = run(steps, table)
    write_table(table, tmp_path / "rows.jsonl")
    storage = exact(FileStorage(str(tmp_path / "rows.jsonl"), cache_path=str(tmp_path / "cache")))
    rejects = []
    for step in steps:
        operator = in_dataflow(step)
        operator.run(storage.step())
        rejects += operator.rejects["message"].to_pylist()
    lines = (tmp_path / "cache" / f"dataflow_cache_step_step{len(steps)}.jsonl").read_text().splitlines()
    made = [json.loads(line) for line in lines if line]
    expected = wanted.table.to_pylist(maps_as_pydicts="strict")
    assert expected, "something comes out"
    assert plain([{name: row[name] for name in expected[0]} for row in made]) == plain(expected)
    assert sorted(rejects) == sorted(wanted.rejects["message"].to_pylist())
