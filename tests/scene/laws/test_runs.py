"""Laws of whole runs: the same bytes however a run goes, adds from large to small, and what the pipeline turns away."""

import json
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

from dataflow_ext import run
from dataflow_ext.testing import LawBroken, check_operator
from examples.made_rooms import synthetic_room
from operators import ChainValidator, SceneReader, SceneReverseEditor, SceneWriter
from operators.scene.judging import size_order
from operators.scene.model.chain import Chain
from operators.scene.model.conversation import conversation_of
from operators.scene.model.scene import digest, written
from operators.scene.replaying import check
from tests.scene.finished import BED, CHAIN, EMPTY, STAND, TURNS, add, row
from tests.scene.laws.damages_of_folders import DATA
from tests.scene.laws.lines import made, room_files, steps
from tests.scene.output.sets import files, png
from tests.scene.rooms_on_disk import files as paths_table
from tests.scene.rooms_on_disk import wrote


def written_set(table: pa.Table, out: Path) -> dict[str, bytes]:
    """All files of the data set of finished rows."""
    SceneWriter(out=out)(table)
    return files(out)


def test_a_run_in_another_order_gives_the_same_bytes(tmp_path):
    rooms = room_files(tmp_path / "rooms")
    again = run(steps(made(True).drawn, single=True), rooms.take(pa.array([1, 0]))).table
    assert written_set(again, tmp_path / "out") == files(made(True).folder)


class ByTheFirst(SceneReverseEditor):
    """Breaks law 7: its draws rest on which room comes first."""

    def batch(self, table: pa.Table) -> Any:
        first = table["scene_id"][0].as_py() if table.num_rows else ""
        return SceneReverseEditor(chains=2, turns=(2, 2), seed=digest(first) >> 32).batch(table)


def read_rooms(folder: Path, *numbers: int) -> pa.Table:
    """Whole synthetic rooms, in both forms, as SceneReader gives them."""
    made_here = [wrote(folder / f"{n}.json", synthetic_room(2, n, form="groups" if n % 2 else "ssr")) for n in numbers]
    return SceneReader()(paths_table(*made_here)).select(["scene_id", "scene"])


def test_an_editor_whose_draws_rest_on_other_rooms_breaks_the_law(tmp_path):
    with pytest.raises(LawBroken, match=r"chunks|row order"):
        check_operator(ByTheFirst(), read_rooms(tmp_path, 0, 1))


def test_adds_run_from_large_to_small_and_turns_in_reverse_do_not(tmp_path):
    made_of = SceneReverseEditor(chains=4, slips=True).apply(read_rooms(tmp_path, *range(5))).table
    chains = [Chain.read(text) for text in made_of["chain"].to_pylist()]
    backwards = [Chain(c.start, [*reversed(c.turns[:-1]), c.turns[-1]], c.retrievals) for c in chains]
    assert len(chains) == 20
    assert mean(chains) > 0.5
    assert mean(backwards) == -mean(chains)


def mean(chains: list[Chain]) -> float:
    found = [order for order in map(size_order, chains) if order is not None]
    assert len(found) > len(chains) // 2
    return round(sum(found) / len(found), 9)


def test_the_check_of_a_folder_measures_the_order_of_sizes(tmp_path):
    adds = [[add(1, BED, [0.0, 0.0, -0.9])], [add(2, STAND, [-1.1, 0.0, -1.75])]]
    texts = ["Add the bed.", "Add the nightstand."]
    for name, order in (("large first", 1), ("small first", -1)):
        chain = Chain(EMPTY, [*adds[::order], TURNS[-1]], {"tool_1": BED, "tool_2": STAND})
        told = [{"think": "This comes next.", "conclusion": each, "template": "A"}
                for each in (*texts[::order], "The room is finished.")]  # fmt: skip
        wanted = "I want a bedroom with a bed and a nightstand."
        line = conversation_of(row(chain=chain.text(), texts=told, instruction=wanted))
        wrote(tmp_path / name / DATA, (json.dumps(line) + "\n").encode())
        for number, image in enumerate(line["images"]):
            wrote(tmp_path / name / image, png(number))
        done = check(tmp_path / name, redraw=False)
        assert (done.problems, done.order) == ([], order)


def a_row(**changes: Any) -> pa.Table:
    """The first finished row of one turn, changed."""
    table = made(True).rows
    [kept] = table.slice(0, 1).to_pylist()
    return pa.Table.from_pylist([{**kept, **{k: f(kept[k]) for k, f in changes.items()}}], table.schema)


def chain_with(change: Any) -> Any:
    def made_of(text: str) -> str:
        chain = json.loads(text)
        change(chain)
        return written(chain)

    return made_of


def said(**values: str) -> Any:
    return lambda texts: [{**texts[0], **values}, *texts[1:]]


ROWS = {
    "a call about nobody": ("call.no_such_object", {"chain": chain_with(
        lambda c: c["turns"][0].append(
            {"id": "tool_9", "name": "remove_object", "arguments": {"jid": "nobody"}}))}),
    "no end": ("chain.terminate", {"chain": chain_with(lambda c: c["turns"].__setitem__(-1, [
        {"id": "tool_9", "name": "remove_object", "arguments": {"jid": "nobody"}}]))}),
    "no retrieval": ("call.no_retrieval", {"chain": chain_with(lambda c: c.update(retrievals={}))}),
    "no reasoning": ("text.empty", {"texts": said(think="")}),
    "a placeholder": ("text.placeholder", {"texts": said(think="[insert reasoning here]")}),
    "another object": ("claim.other", {"texts": said(conclusion="I add a grand piano.")}),
    "a type that is not so": ("row.shape", {"conversation_type": lambda _: "multi_turn"}),
    "a picture too few": ("images.count", {"images": lambda paths: paths[:-1]}),
    "pictures in another order": ("image.other", {"images": lambda paths: paths[::-1]}),
    "a picture that is gone": ("image.missing", {"images": lambda paths: [*paths[:-1], "nowhere.png"]}),
    "another instruction": ("instruction.object", {"instruction": lambda _: "I want a grand piano."}),
}  # fmt: skip


@pytest.mark.parametrize(("code", "changes"), ROWS.values(), ids=ROWS)
def test_a_row_that_breaks_a_law_is_turned_away_by_its_code(code, changes):
    done = ChainValidator().apply(a_row(**changes))
    assert (done.table.num_rows, [each["message"].partition(":")[0] for each in done.rejects.to_pylist()]) == (
        0,
        [code],
    )


def test_finished_rows_pass():
    assert ChainValidator().apply(made(True).rows).rejects.num_rows == 0


def test_the_chain_made_by_hand_runs_from_large_to_small():
    assert size_order(CHAIN) == 1
