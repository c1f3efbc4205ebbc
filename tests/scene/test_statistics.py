"""Statistics of rooms: every bin, and before and after the filter."""

import json

from operators.scene.output.stats import filter_statistics, object_bin, room_statistics
from operators.scene.scene_filter import SceneFilter
from operators.scene.scene_reader import SceneReader
from tests.scene.rooms_on_disk import files, spread, wrote


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
