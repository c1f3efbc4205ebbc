"""CoTPlanReader: plans with what there is to see of them; damaged plans leave, damaged manifests cost their times."""

import logging
from pathlib import Path
from typing import Any

import pytest

from dataflow_ext.testing import check_operator
from operators.cot.items import items, load_item
from operators.cot.media import Media, Scene, StepMedia
from operators.cot.plan_reader import CoTPlanReader
from tests.cot.plans_on_disk import MP4, a_plan, a_step, tea, write_bytes, write_item, write_json

BOILED = "v/10_boil_water/frame_003_ts_0.50s.jpg", "v/10_boil_water/frame_009_ts_9.50s.jpg"


@pytest.fixture
def item(tmp_path: Path) -> Path:
    """One step's item: its key frames, its clip's times and a scene picture at 0 s."""
    write_item(tmp_path, "v", a_plan(a_step(10, "Boil water.")), parts=["metas", "frames"])
    write_bytes(tmp_path / "v" / "stage1" / "sampled_frames" / "a.jpg")
    write_json(manifest(tmp_path / "v"), {"frames": [{"timestamp_sec": 0, "image_relpath": "sampled_frames/a.jpg"}]})
    return tmp_path / "v"


def manifest(item: Path) -> Path:
    return item / "stage1" / "frame_manifest.json"


def media(item: Path) -> Media:
    """What the operator finds, which is what the loader finds; once a test, as the loader remembers it."""
    table = items(item.parent)
    done = CoTPlanReader().apply(table)
    [found] = done.table["media"].to_pylist()
    loaded = load_item(item.parent, table["source_path"][0].as_py()).media
    as_objects = Media([StepMedia(**step) for step in found["steps"]], [Scene(**scene) for scene in found["scenes"]])
    assert as_objects == loaded
    return loaded


def only_step(item: Path) -> StepMedia:
    [step] = media(item).steps
    return step


def test_each_step_has_its_frames_times_and_video_in_the_plans_order(tmp_path):
    write_item(tmp_path, "v", tea())
    found = media(tmp_path / "v")
    assert found.steps == [
        StepMedia(10, *BOILED, 0.0, 10.0, "v/cumulative_last_frame_segments/segment_start_to_step10_last.mp4"),
        StepMedia(
            20,
            "v/20_pour_the_water/frame_003_ts_10.50s.jpg",
            "v/20_pour_the_water/frame_009_ts_19.50s.jpg",
            10.0,
            20.0,
            "v/cumulative_last_frame_segments/segment_start_to_step20_last.mp4",
        ),
        StepMedia(
            5,
            "v/05_drink_the_tea/frame_003_ts_20.50s.jpg",
            "v/05_drink_the_tea/frame_009_ts_29.50s.jpg",
            20.0,
            30.0,
            "v/cumulative_last_frame_segments/segment_start_to_step05_last.mp4",
        ),
    ]
    assert found.scenes[:2] == [
        Scene("v/stage1/sampled_frames/sample_001_ts_0.00s.jpg", 0.0),
        Scene("v/stage1/sampled_frames/sample_002_ts_2.50s.jpg", 2.5),
    ]
    assert [scene.time for scene in found.scenes] == [2.5 * n for n in range(12)]


def test_the_laws_hold_and_a_damaged_plan_costs_its_own_row(tmp_path):
    good = write_item(tmp_path, "a", tea(), parts=["metas", "frames"])
    write_item(tmp_path, "b", a_plan({"step_id": 1, "step_goal": ""}), parts=[])
    bare = write_item(tmp_path, "c", tea(), parts=[])
    table = items(tmp_path)
    assert check_operator(CoTPlanReader(), table)["source_path"].to_pylist() == [good, bare]
    rejects = CoTPlanReader().apply(table).rejects
    assert rejects.select(["error", "message"]).to_pylist() == [
        {
            "error": "PlanError",
            "message": f"{tmp_path}/b/causal_plan_with_keyframes.json: $.steps[0].step_goal: it is empty.",
        }
    ]


def test_the_folder_of_a_step_is_told_by_its_meta_whatever_it_is_called(item):
    (item / "10_boil_water").rename(item / "03_boil_water")
    assert only_step(item) == StepMedia(
        10, "v/03_boil_water/frame_003_ts_0.50s.jpg", "v/03_boil_water/frame_009_ts_9.50s.jpg", 0.0, 10.0
    )


@pytest.mark.parametrize(
    "damage", [None, b"{", b"[1]", b'{"step_id": "10"}', b'{"step_id": true}', b"[" * 100_000, b"\xff"]
)
def test_without_a_meta_that_tells_it_the_number_of_the_folder_does(item, damage):
    meta = item / "10_boil_water" / "step_meta.json"
    if damage is None:
        meta.unlink()
    else:
        meta.write_bytes(damage)
    (item / "10_boil_water").rename(item / "0010_boil_water")
    assert only_step(item) == StepMedia(10, *(path.replace("/10_", "/0010_") for path in BOILED))


def test_a_meta_that_names_another_step_outdoes_the_number_of_the_folder(item):
    write_json(item / "10_boil_water" / "step_meta.json", {"step_id": 4, "clip_start_sec": 0, "clip_end_sec": 1})
    assert only_step(item) == StepMedia(10)


def test_of_two_folders_of_a_step_that_with_its_goal_counts_and_else_none(item, caplog):
    other = {"step_id": 10, "step_goal": "Boil milk.", "clip_start_sec": 5, "clip_end_sec": 6}
    write_json(item / "10_boil_milk" / "step_meta.json", other)
    write_bytes(item / "10_boil_milk" / "frame_003_ts_5.00s.jpg")
    [found] = CoTPlanReader().apply(items(item.parent)).table["media"].to_pylist()
    assert StepMedia(**found["steps"][0]) == StepMedia(10, *BOILED, 0.0, 10.0)
    write_json(item / "10_boil_milk" / "step_meta.json", other | {"step_goal": "Boil water."})
    with caplog.at_level(logging.WARNING):
        assert CoTPlanReader().apply(items(item.parent)).table["media"].to_pylist()[0]["steps"][0]["end_frame"] is None
    assert caplog.messages == [
        "v/causal_plan_with_keyframes.json: not used, as there are two of it: 'v/10_boil_milk', 'v/10_boil_water'"
    ]


def test_a_key_frame_is_the_one_picture_with_its_number(item):
    for name in ("frame_004_ts_1.00s.jpg", "frame_003.jpg", "xframe_003_ts_0.50s.jpg", "frame_03x_ts_1s.jpg"):
        write_bytes(item / "10_boil_water" / name)
    write_bytes(item / "frame_003_ts_0.50s.jpg")
    assert only_step(item).start_frame == BOILED[0]


def test_of_two_pictures_with_the_number_of_a_key_frame_none_is_it(item):
    write_bytes(item / "10_boil_water" / "frame_3_ts_0.70s.png")
    assert only_step(item) == StepMedia(10, None, BOILED[1], 0.0, 10.0)


@pytest.mark.parametrize(
    "times",
    [
        {"clip_start_sec": 10, "clip_end_sec": 10}, {"clip_start_sec": 11, "clip_end_sec": 10}, {"clip_end_sec": 10},
        {"clip_start_sec": -1, "clip_end_sec": 10}, {"clip_start_sec": 0, "clip_end_sec": float("nan")},
        {"clip_start_sec": 0, "clip_end_sec": float("inf")}, {"clip_start_sec": 0, "clip_end_sec": 10**400},
        {"clip_start_sec": False, "clip_end_sec": True}, {"clip_start_sec": "0", "clip_end_sec": "10"},
        {"clip_start_sec": None, "clip_end_sec": [10]},
    ],
)  # fmt: skip
def test_times_that_are_none_are_left_out(item, times):
    write_json(item / "10_boil_water" / "step_meta.json", {"step_id": 10, **times})
    assert only_step(item) == StepMedia(10, *BOILED)


@pytest.mark.parametrize(
    "frame",
    [
        {"image_relpath": "sampled_frames/a.jpg"}, {"image_relpath": "sampled_frames/a.jpg", "timestamp_sec": "0"},
        {"image_relpath": "sampled_frames/a.jpg", "timestamp_sec": -0.1},
        {"image_relpath": "sampled_frames/a.jpg", "timestamp_sec": float("nan")},
        {"image_relpath": "sampled_frames/a.jpg", "timestamp_sec": 10**400},
        {"image_relpath": "sampled_frames/b.jpg", "timestamp_sec": 0}, {"image_relpath": "a.jpg", "timestamp_sec": 0},
        {"image_relpath": "../10_boil_water/frame_003_ts_0.50s.jpg", "timestamp_sec": 0},
        {"image_relpath": "../../w/stage1/sampled_frames/a.jpg", "timestamp_sec": 0},
        {"image_relpath": "/etc/passwd", "timestamp_sec": 0}, {"image_relpath": 3, "timestamp_sec": 0},
        {"timestamp_sec": 0}, None, "sampled_frames/a.jpg", [],
    ],
)  # fmt: skip
def test_a_scene_picture_needs_a_time_and_a_file_of_the_item(item, frame):
    write_bytes(item.parent / "w" / "stage1" / "sampled_frames" / "a.jpg")
    write_json(manifest(item), {"frames": [frame]})
    assert media(item).scenes == []


def test_scene_pictures_come_by_time_and_one_of_which_two_times_are_told_is_left_out(item):
    for name in "bcd":
        write_bytes(item / "stage1" / "sampled_frames" / f"{name}.jpg")
    told = [("a", 7), ("b", 1.5), ("c", 2), ("c", 3), ("d", 0), ("d", 0), ("./b", 1.5)]
    frames = [{"image_relpath": f"sampled_frames/{name}.jpg", "timestamp_sec": time} for name, time in told]
    frames[-1]["image_relpath"] = "sampled_frames\\.\\b.jpg"
    write_json(manifest(item), {"frames": frames})
    assert [(scene.path[-5:], scene.time) for scene in media(item).scenes] == [
        ("d.jpg", 0.0),
        ("b.jpg", 1.5),
        ("a.jpg", 7.0),
    ]


@pytest.mark.parametrize(
    "damage", [b"", b"{", b"[]", b'{"frames": {}}', b'{"frames": null}', b"\xff\xff", b"[" * 100_000]
)
def test_a_damaged_scene_manifest_costs_the_scenes_alone(item, damage):
    manifest(item).write_bytes(damage)
    assert media(item) == Media([StepMedia(10, *BOILED, 0.0, 10.0)], [])


def test_damaged_manifests_are_told_of_once_an_item(item, caplog):
    manifest(item).write_text("{")
    (item / "10_boil_water" / "step_meta.json").write_text("[]")
    with caplog.at_level(logging.WARNING):
        CoTPlanReader().apply(items(item.parent))
    assert caplog.messages == [
        "v/causal_plan_with_keyframes.json: '10_boil_water/step_meta.json' cannot be used (not an object); "
        "'stage1/frame_manifest.json' cannot be used (Expecting property name enclosed in double quotes: line 1 column 2 (char 1))"
    ]


@pytest.mark.parametrize(
    ("name", "found"),
    [
        ("segment_start_to_step10_last.mp4", True), ("segment_start_to_step0010_last.mp4", True),
        ("segment_start_to_step1_last.mp4", False), ("segment_start_to_step10.mp4", False),
        ("xsegment_start_to_step10_last.mp4", False), ("segment_start_to_step10_last.mp4.txt", False),
    ],
)  # fmt: skip
def test_the_video_of_a_prefix_is_the_one_with_the_steps_number(item, name, found):
    write_bytes(item / "cumulative_last_frame_segments" / name, MP4)
    path = f"v/cumulative_last_frame_segments/{name}"
    assert only_step(item).prefix_video == (path if found else None)


def test_steps_without_key_frames_and_items_without_files_have_nothing_to_see(tmp_path):
    step: dict[str, Any] = {"step_id": 1, "step_goal": "Boil water."}
    write_item(tmp_path, "v", a_plan(step), parts=[])
    assert media(tmp_path / "v") == Media([StepMedia(1)], [])
    assert items(tmp_path)["files"].to_pylist() == [[]]
