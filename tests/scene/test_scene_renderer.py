"""SceneRenderer: which pictures there are, where they lie, and what they rest on."""

import json
from pathlib import Path

import pyarrow as pa
import pytest

from dataflow_ext import InputError, OptionError, parallel
from dataflow_ext.testing import check_operator
from operators.scene.model.chain import Chain
from operators.scene.painter import VERSION, azimuth_of
from operators.scene.redrawing import redrawn
from operators.scene.scene_renderer import SceneRenderer, picture_name
from tests.scene.finished import BED, CHAIN, EMPTY, RETRIEVALS, TURNS, add

#: Another chain of the same room: it begins with the same empty room, and ends in another one.
OTHER = Chain(EMPTY, [[add(1, BED, [0.5, 0.0, -0.9])], TURNS[-1]], {"tool_1": BED})


def chains(*made: Chain) -> pa.Table:
    return pa.table({"id": [f"chain {n}" for n in range(len(made))], "chain": [each.text() for each in made]})


def files(folder: Path) -> dict[str, int]:
    """All files below a folder, and when they were written."""
    return {path.name: path.stat().st_mtime_ns for path in sorted(folder.rglob("*")) if path.is_file()}


def test_a_chain_has_a_picture_of_each_state_which_can_be_drawn_again_from_the_camera(tmp_path):
    [row] = SceneRenderer(folder=tmp_path)(chains(CHAIN)).to_pylist()
    states, camera = CHAIN.states(), json.loads(row["camera"])
    assert camera == {"renderer": "painter", "version": VERSION, "azimuth": azimuth_of(states[-1])}
    names = [picture_name(state, camera) for state in states]
    assert row["images"] == [str(tmp_path / name[:2] / name) for name in names]
    assert len(set(names)) == CHAIN.edits + 1
    for path, state in zip(row["images"], states, strict=True):
        assert Path(path).read_bytes() == redrawn(state, camera)


def test_the_law_of_operators_holds(tmp_path):
    table = pa.table({"chain": [OTHER.text(), "no chain"]})
    assert check_operator(SceneRenderer(folder=tmp_path), table).num_rows == 1


def test_what_is_drawn_is_not_drawn_again(tmp_path):
    renderer = SceneRenderer(folder=tmp_path)
    [row] = renderer(chains(OTHER)).to_pylist()
    Path(row["images"][0]).unlink()
    before = files(tmp_path)
    assert renderer(chains(OTHER))["images"].to_pylist() == [row["images"]]
    after = files(tmp_path)
    assert {name: after[name] for name in before} == before
    assert set(after) - set(before) == {Path(row["images"][0]).name}


def test_chains_share_the_pictures_of_states_that_they_share(tmp_path):
    twin = Chain(EMPTY, [[add(9, BED, [0.5, 0.0, -0.9])], TURNS[-1]], {"tool_9": BED})
    rows = SceneRenderer(folder=tmp_path)(chains(OTHER, twin)).to_pylist()
    assert rows[0]["images"] == rows[1]["images"]
    assert len(files(tmp_path)) == 2


def test_another_process_draws_the_same(tmp_path):
    [here] = SceneRenderer(folder=tmp_path / "here")(chains(OTHER)).to_pylist()
    with parallel.workers(2, at_once=True):
        [there] = SceneRenderer(folder=tmp_path / "there")(chains(OTHER)).to_pylist()
    assert here["camera"] == there["camera"]
    for one, other in zip(here["images"], there["images"], strict=True):
        assert Path(one).name == Path(other).name
        assert Path(one).read_bytes() == Path(other).read_bytes()


def test_a_chain_that_cannot_be_replayed_is_a_reject(tmp_path):
    broken = Chain(EMPTY, [TURNS[2], TURNS[-1]], RETRIEVALS)
    table = pa.table({"chain": [broken.text(), "[]", OTHER.text().replace("-0.9", "NaN")]})
    done = SceneRenderer(folder=tmp_path).apply(table)
    assert done.table.num_rows == 0
    replayed, read, told = done.rejects["message"].to_pylist()
    start = "The chain cannot be replayed: "
    assert replayed == start + "tool_4 (replace_object): the room has no object 'own-chair'."
    assert read.startswith("The column 'chain' holds no chain of edits (TypeError: ")
    assert told == start + "tool_1 (add_object): position is to be a list of 3 numbers, not [0.5, 0.0, nan]."
    assert files(tmp_path) == {}


@pytest.mark.parametrize(
    ("camera", "why"),
    [
        ({"renderer": "blender", "version": "4.2", "azimuth": 45}, r"is none of the painter's"),
        ({"renderer": "painter", "version": VERSION, "azimuth": "45"}, r"is none of the painter's"),
        ({"renderer": "painter", "version": VERSION, "azimuth": 10**400}, r"is none of the painter's"),
        ({"renderer": "painter", "version": "0", "azimuth": 45}, rf"by version 0 of the painter, this is {VERSION}"),
    ],
)
def test_a_picture_of_another_camera_is_not_drawn_again(camera, why):
    with pytest.raises(InputError, match=why):
        redrawn(EMPTY, camera)


def test_an_unknown_renderer_is_refused():
    with pytest.raises(OptionError, match="renderer"):
        SceneRenderer(renderer="pencil")
