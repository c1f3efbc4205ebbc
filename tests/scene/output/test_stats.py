"""The figures of a run."""

import json

import pyarrow as pa

from dataflow_ext.datasets.rejects_and_stats import write_stats
from operators.scene.output.stats import filter_statistics, object_bin, room_statistics, stats
from operators.scene.scene_filter import SceneFilter
from operators.scene.scene_reader import SceneReader
from tests.scene.output.sets import LOST, finished, rejects, several, table, with_junk
from tests.scene.rooms_on_disk import files, spread, wrote


def test_the_figures_of_a_run_are_counted_from_its_rows_and_rejects(tmp_path):
    rows = several(tmp_path)
    rows[0] = {**rows[0], "score": 90.0, "instruction_style": "detailed/specific", "judged_by": "m-1"}
    figures = stats(with_junk(table(rows), [[], [], ["a box"], []]), LOST)
    seven = {"add_object": 12, "remove_object": 0, "move_object": 4, "rotate_object": 0, "scale_object": 0,
             "replace_object": 4, "terminate": 4}  # fmt: skip
    alike = {"coherence": 35.0, "naturalness": 30.0, "instruction": 15.0, "visual": 8.0}
    assert figures == {
        "conversations": 4,
        "rooms": room_statistics([("bedroom", 3), ("bedroom", 3)]),
        "filter": None,
        "conversation_types": {"multi_turn": 4},
        "turns": {"min": 3, "median": 3.0, "max": 3},
        "calls": seven,
        "free": None,
        "forced_adds": None,
        "calls_a_turn": {"min": 1, "median": 2.0, "max": 2},
        "order": 1.0,
        "instruction_styles": {"brief/B": 3, "detailed/specific": 1},
        "instructions_by": {"rules": 4},
        "templates": {"A": 16},
        "texts_by": {"rules": 4},
        "judged_by": {"geometry": 3, "m-1": 1},
        "scores": {"total": {"min": 88.0, "median": 88.0, "max": 90.0},
                   **{name: {"min": points, "median": points, "max": points} for name, points in alike.items()}},
        "junk": {"b": ["a box"]},
        "repaired": 0,
        "rejects": [
            {"operator": "TopKChains", "error": "Dropped", "code": "", "kind": "dropped", "count": 2,
             "example": "50 points"},
            {"operator": "ChainValidator", "error": "RuleError", "code": "claim.false", "kind": "failed", "count": 1,
             "example": "claim.false: turn 1: it is 3 m; claim.other: turn 2"},
            {"operator": "SceneFilter", "error": "Dropped", "code": "", "kind": "dropped", "count": 1,
             "example": "3 objects are too few"},
        ],
    }  # fmt: skip


def test_with_the_rooms_that_the_filter_let_pass_both_sides_of_it_are_counted(tmp_path):
    rooms = pa.table({"room_type": ["bedroom"], "objects": pa.array([7], pa.int64())})
    figures = stats(table([finished(tmp_path)]), LOST, rooms)
    assert figures["filter"] == {
        "before": room_statistics([("bedroom", 7), ("hall", 3)]),
        "after": room_statistics([("bedroom", 7)]),
        "dropped": 1,
    }


def test_calls_that_were_drawn_and_adds_that_were_not_are_counted_apart(tmp_path):
    made = table(several(tmp_path)[:2])
    free = pa.array([{"add_object": 2, "move_object": 1}, {"add_object": 1}], pa.map_(pa.string(), pa.int64()))
    made = made.append_column("free", free).append_column("forced", pa.array([3, 4]))
    figures = stats(made, rejects())
    assert figures["forced_adds"] == 7
    assert figures["free"] == {"add_object": 3, "remove_object": 0, "move_object": 1, "rotate_object": 0,
                               "scale_object": 0, "replace_object": 0}  # fmt: skip


def test_what_nobody_judged_has_no_scores(tmp_path):
    figures = stats(table([finished(tmp_path, judged_by="", score=0.0)]), rejects())
    assert (figures["judged_by"], figures["scores"]) == ({"nobody": 1}, {})


def test_the_file_has_the_same_bytes_whatever_the_order_of_the_rows(tmp_path):
    rows = several(tmp_path)
    one = write_stats(stats(table(rows), LOST), tmp_path / "a")
    other = write_stats(stats(table(rows[::-1]), LOST.take([3, 2, 1, 0])), tmp_path / "b")
    assert one.read_bytes() == other.read_bytes()
    assert json.loads(one.read_text(encoding="utf-8"))["conversations"] == 4


def test_an_empty_run_has_figures_too():
    figures = stats(table([]), rejects())
    assert (figures["conversations"], figures["turns"], figures["order"]) == (0, None, None)
    assert figures["rooms"] == room_statistics([])


def test_each_number_of_objects_is_in_one_bin():
    bins = [object_bin(n) for n in range(1, 34)]
    assert [(name, bins.count(name)) for name in dict.fromkeys(bins)] == [
        ("0-4", 4), ("5-10", 6), ("11-15", 5), ("16-20", 5), ("21-25", 5), ("26-30", 5), ("31+", 3),
    ]  # fmt: skip


def test_no_rooms_have_statistics_too():
    assert room_statistics([]) == {
        "rooms": 0,
        "mean_objects": 0.0,
        "by_room_type": {},
        "by_objects": dict.fromkeys(("0-4", "5-10", "11-15", "16-20", "21-25", "26-30", "31+"), 0),
    }


def test_before_and_after_the_filter(tmp_path):
    rooms = {"a": spread(3), "b": spread(6), "c": {**spread(25), "room_type": "office"}, "d": {}}
    paths = [wrote(tmp_path / f"{name}.json", room) for name, room in rooms.items()]
    done = SceneFilter().apply(SceneReader()(files(*paths)))
    told = filter_statistics(done.table, done.rejects)
    assert json.loads(json.dumps(told)) == told
    assert (told["before"]["rooms"], told["after"]["rooms"], told["dropped"]) == (3, 2, 1)
    assert (told["before"]["mean_objects"], told["after"]["mean_objects"]) == (11.33, 15.5)
    assert told["before"]["by_room_type"] == {"bedroom": 2, "office": 1}
    assert told["after"]["by_room_type"] == {"bedroom": 1, "office": 1}
    assert {name: n for name, n in told["before"]["by_objects"].items() if n} == {"0-4": 1, "5-10": 1, "21-25": 1}
