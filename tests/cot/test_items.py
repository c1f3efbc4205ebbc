"""Items: which folders are one, which of their files count, and what is said when there is none."""

import logging
import os
from pathlib import Path
from typing import Any

import pytest

from dataflow_ext import InputError
from operators.cot.items import items, load_item, load_plan
from operators.cot.plan_files import PlanError
from tests.cot.plans_on_disk import MP4, PLAN_FILE, a_plan, a_step, tea, write_bytes, write_item, write_json


def rows(root: Path) -> list[dict[str, Any]]:
    return items(root).to_pylist()


def sources(root: Path) -> list[str]:
    return items(root)["source_path"].to_pylist()


def why(root: Path, source_path: str) -> str:
    with pytest.raises(PlanError) as caught:
        load_item(root, source_path)
    return str(caught.value)


def test_a_row_tells_the_plan_the_manifests_and_the_files_of_an_item(tmp_path):
    plan = a_plan(a_step(1, "Boil water."))
    write_item(tmp_path, "kitchen/video_1", plan)
    assert rows(tmp_path) == [
        {
            "root": str(tmp_path),
            "source_path": f"kitchen/video_1/{PLAN_FILE}",
            "plan_file": str(tmp_path / "kitchen" / "video_1" / PLAN_FILE),
            "manifests": [
                str(tmp_path / "kitchen/video_1/01_boil_water/step_meta.json"),
                str(tmp_path / "kitchen/video_1/stage1/frame_manifest.json"),
            ],
            "files": [
                "kitchen/video_1/01_boil_water/frame_003_ts_0.50s.jpg",
                "kitchen/video_1/01_boil_water/frame_009_ts_9.50s.jpg",
                "kitchen/video_1/cumulative_last_frame_segments/segment_start_to_step01_last.mp4",
                "kitchen/video_1/stage1/sampled_frames/sample_001_ts_0.00s.jpg",
                "kitchen/video_1/stage1/sampled_frames/sample_002_ts_2.50s.jpg",
                "kitchen/video_1/stage1/sampled_frames/sample_003_ts_5.00s.jpg",
                "kitchen/video_1/stage1/sampled_frames/sample_004_ts_7.50s.jpg",
            ],
        }
    ]


def test_items_are_found_at_any_depth_in_the_order_of_their_folders(tmp_path):
    for name in ("b", "a/deep/er", "a-1", "b/within"):
        write_json(tmp_path / name / PLAN_FILE, tea())
    write_json(tmp_path / "c" / "other.json", tea())
    assert sources(tmp_path) == [f"{name}/{PLAN_FILE}" for name in ("a/deep/er", "a-1", "b", "b/within")]


def test_a_root_may_be_an_item(tmp_path):
    write_item(tmp_path, "video", a_plan(a_step(1, "Boil water.")), parts=["frames"])
    [row] = rows(tmp_path / "video")
    assert (row["source_path"], row["files"]) == (
        PLAN_FILE,
        ["01_boil_water/frame_003_ts_0.50s.jpg", "01_boil_water/frame_009_ts_9.50s.jpg"],
    )
    assert load_item(tmp_path / "video", PLAN_FILE).media.steps[0].end_frame == "01_boil_water/frame_009_ts_9.50s.jpg"


def test_only_pictures_and_videos_of_the_format_count(tmp_path):
    write_json(tmp_path / "v" / PLAN_FILE, tea())
    write_json(tmp_path / "v" / "tasting" / "step_meta.json", {"step_id": 10})
    for name in ("tasting/a.JPG", "01_x/b.webp", "stage1/sampled_frames/c.png", "cumulative_last_frame_segments/d.MOV"):
        write_bytes(tmp_path / "v" / name)
    for name in ("cover.jpg", "notes/a.jpg", "01_x/notes.txt", "01_x/a.mp4", "stage2/step_clips/a.mp4", "stage1/a.jpg"):
        write_bytes(tmp_path / "v" / name, MP4)
    (tmp_path / "v" / "01_x" / "folder.jpg").mkdir()
    assert rows(tmp_path)[0]["files"] == [
        "v/01_x/b.webp",
        "v/cumulative_last_frame_segments/d.MOV",
        "v/stage1/sampled_frames/c.png",
        "v/tasting/a.JPG",
    ]


def test_hidden_folders_earlier_runs_and_links_out_of_the_root_are_passed_by(tmp_path):
    root, away = tmp_path / "root", tmp_path / "away"
    write_item(root, "v", a_plan(a_step(1, "Boil water.")), parts=["metas"])
    write_item(away, "w", tea())
    for name in (".git", ".run", "out/.run", "out/v", "v/.hidden"):
        write_json(root / name / PLAN_FILE, tea())
    (root / "linked").symlink_to(away / "w")
    for name in ("x", "y"):
        (root / name).mkdir()
    (root / "x" / PLAN_FILE).symlink_to(away / "w" / PLAN_FILE)
    (root / "y" / PLAN_FILE).symlink_to(tmp_path / "nothing")
    step = root / "v" / "01_boil_water"
    write_bytes(step / "own.jpg")
    write_bytes(step / ".hidden.jpg")
    (step / "within.jpg").symlink_to(step / "own.jpg")
    (step / "leaving.jpg").symlink_to(away / "w" / "10_boil_water" / "frame_003_ts_0.50s.jpg")
    (step / "broken.jpg").symlink_to(step / "nothing.jpg")
    (step / "circle.jpg").symlink_to(step / "circle.jpg")
    (root / "v" / "02_linked").symlink_to(away / "w" / "10_boil_water")
    (root / "v" / "stage1").symlink_to(away / "w" / "stage1")
    [row] = rows(root)
    assert row["files"] == ["v/01_boil_water/own.jpg", "v/01_boil_water/within.jpg"]
    assert row["manifests"] == [str(step / "step_meta.json")]


def test_names_that_cannot_be_written_are_told_of_and_cost_nothing_else(tmp_path, caplog):
    write_item(tmp_path, "v", a_plan(a_step(1, "Boil water.")), parts=["frames"])
    write_bytes(tmp_path / "v" / "01_boil_water" / "a\\b.jpg")
    bad = os.fsencode(tmp_path / "v" / "01_boil_water") + b"/\xff.jpg"
    Path(os.fsdecode(bad)).write_bytes(b"")
    with caplog.at_level(logging.WARNING):
        assert len(rows(tmp_path)[0]["files"]) == 2
    [told] = caplog.messages
    assert told.startswith(f"{tmp_path}: 2 folder(s) or file(s) cannot be read or have names that cannot be written;")


def test_a_root_without_items_is_an_error_that_tells_what_one_looks_like(tmp_path):
    (tmp_path / "file").touch()
    (tmp_path / "empty").mkdir()
    for name, problem in (
        ("nothing", "there is no such folder"),
        ("file", "is a file, no folder"),
        ("empty", f"there is no {PLAN_FILE} in it"),
    ):
        with pytest.raises(InputError) as caught:
            items(tmp_path / name)
        assert str(caught.value) == (
            f"{tmp_path / name}: {problem}; a root looks like this: ROOT/VIDEO/{PLAN_FILE} with the folders of its "
            "steps beside it, such as ROOT/VIDEO/01_open_the_box/ with step_meta.json and frame_003_ts_0.48s.jpg."
        )


def test_a_loaded_plan_is_the_same_object_until_its_file_changes(tmp_path):
    place = write_item(tmp_path, "v", tea())
    plan, item = load_plan(tmp_path / place), load_item(tmp_path, place)
    assert load_plan(str(tmp_path / place)) is plan
    assert load_item(str(tmp_path), place) is item
    assert item.plan == plan
    write_json(tmp_path / place, a_plan(a_step(1, "Wash up.")))
    assert load_plan(tmp_path / place).steps[0].step_goal == "Wash up."
    assert load_item(tmp_path, place).media.steps[0].step_id == 1


def test_a_plan_that_cannot_be_read_is_an_error_with_its_path_every_time(tmp_path):
    place = write_item(tmp_path, "v", {"high_level_goal": "Tea.", "steps": [{}]}, parts=[])
    told = f"{tmp_path / place}: $.steps[0].step_id: it is missing; $.steps[0].step_goal: it is missing."
    assert [why(tmp_path, place), why(tmp_path, place)] == [told, told]
    assert why(tmp_path, f"w/{PLAN_FILE}") == (
        f"{tmp_path}/w/{PLAN_FILE}: the plan cannot be read (No such file or directory)."
    )
    (tmp_path / "x").mkdir()
    os.mkfifo(tmp_path / "x" / PLAN_FILE)
    (tmp_path / "y" / PLAN_FILE).mkdir(parents=True)
    for name in "xy":
        assert why(tmp_path, f"{name}/{PLAN_FILE}") == (
            f"{tmp_path}/{name}/{PLAN_FILE}: the plan cannot be read (it is no file)."
        )


def test_a_source_path_stays_in_the_root_and_names_a_plan(tmp_path):
    root = tmp_path / "root"
    write_item(root, "v", tea())
    write_item(tmp_path, "w", tea())
    (root / "away").symlink_to(tmp_path / "w")
    (root / "beside").symlink_to(root / "v")
    for given in (
        f"../w/{PLAN_FILE}", f"v/../../w/{PLAN_FILE}", f"./v/{PLAN_FILE}", f"v//{PLAN_FILE}", f"/{PLAN_FILE}",
        str(tmp_path / "w" / PLAN_FILE), str(root / "v" / PLAN_FILE), f"v\\..\\{PLAN_FILE}/{PLAN_FILE}", f"v\0/{PLAN_FILE}",
    ):  # fmt: skip
        assert "a plan's path is relative to the root, with / between its parts." in why(root, given)
    for given in ("", "v", f"v/{PLAN_FILE}x", f"v/{PLAN_FILE}/", "v/01_x/step_meta.json"):
        assert f"it is not the path of a {PLAN_FILE}." in why(root, given)
    assert why(root, f"away/{PLAN_FILE}") == (f"away/{PLAN_FILE}: it is, or lies behind, a link that leaves the root.")
    assert load_item(root, f"beside/{PLAN_FILE}").plan == load_item(root, f"v/{PLAN_FILE}").plan
