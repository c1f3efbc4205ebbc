"""Every exported operator of the family keeps the laws; one that is exported without a case fails the first test."""

import json
from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest

import operators
from dataflow_ext import Operator
from dataflow_ext.claims.marks import Mark, marked
from dataflow_ext.models import Request, ScriptedModel
from dataflow_ext.testing import check_operator
from examples.made_rooms.room import synthetic_room
from operators import (
    ChainJudge,
    ChainValidator,
    ConversationReader,
    InstructionWriter,
    SceneCoTGenerator,
    SceneFilter,
    SceneReader,
    SceneRenderer,
    SceneRepair,
    SceneReverseEditor,
    SceneWriter,
    TopKChains,
    WordingJudge,
)
from operators.scene.conversation_reader import conversation_files
from operators.scene.model.chain import Chain
from operators.scene.model.scene import written
from tests.scene.finished import BED, CHAIN, EMPTY, TURNS, row
from tests.scene.output.sets import finished, several, table
from tests.scene.output.sets import written as written_set
from tests.scene.rooms_on_disk import a_room, files, in_groups, spread, thing, wrote

#: An operator, its table, how many rows live, and how many are rejected.
Case = tuple[Operator, pa.Table, int, int]

VERDICT = {"comment": "Large things first.", "coherence": 30, "naturalness": 30.5, "instruction": 15, "visual": 8}
#: What a user may say of any room: no piece of furniture is named.
WISH = "I would like a calm and friendly place where I can rest, with soft colors and a mood that feels like home."


#: A bed, and that is all: what is long to check is checked on this one.
SHORT = Chain(EMPTY, [TURNS[0], TURNS[-1]], {"tool_1": BED})


def rooms(*texts: str) -> pa.Table:
    return pa.table({"scene_id": [f"room {i}" for i in range(len(texts))], "scene": list(texts)})


def office(form: Any = "ssr") -> str:
    return written(synthetic_room(1, 19, room_type="office", form=form))


def chains(*bad: dict[str, Any], **changes: Any) -> pa.Table:
    """Two rows with a chain, and bad ones."""
    final = written(CHAIN.states()[-1])
    good = [{**row(id=id, chain_id=n), "scene": final, **changes} for n, id in enumerate(("a", "b"), 1)]
    keys = ("id", "scene_id", "scene", "chain_id", "conversation_type", "chain", "instruction", *changes)
    return pa.Table.from_pylist(
        [{key: each[key] for key in keys} for each in (*good, *({**good[0], **b} for b in bad))]
    )


def reader(folder: Path) -> Case:
    many = b"\n".join([json.dumps(a_room(thing("a"), thing("a"), thing("far", x=99))).encode(), b"{", b"[]"])
    paths = [
        wrote(folder / "groups.json", in_groups(("main", [thing("b"), thing("flat", size=[1, 0, 1])]))),
        wrote(folder / "many.jsonl", many),
        wrote(folder / "torn.json", b'{"objects": ['),
        folder / "gone.json",
    ]
    return SceneReader(), files(*paths), 2, 4


def scene_repair(folder: Path) -> Case:
    good = {**spread(3), "room_type": "cellar"}
    bed = {"desc": "A bed.", "jid": "big", "size": [9.0, 1.0, 9.0], "pos": [0.0, 0.0, 0.0], "rot": [0.0, 0.0, 0.0, 1.0]}
    return SceneRepair(), rooms(written(good), written({**good, "objects": [bed]}), "{"), 1, 2


def scene_filter(folder: Path) -> Case:
    crowd = a_room(*(thing(f"c{i}", 1.0, 1.0) for i in range(9)))
    return SceneFilter(), rooms(written(spread(6)), written(spread(20)), written(crowd), "{"), 2, 2


def editor(folder: Path) -> Case:
    same = written(a_room(thing("twice"), thing("twice")))
    source = rooms(office(), office("groups"), "{", same, written(a_room(thing("a", desc=""))))
    return SceneReverseEditor(chains=2, turns=(2, 3), seed=4), source, 4, 3


def single_turns(folder: Path) -> Case:
    return SceneReverseEditor(chains=2, single_turn=True), rooms(office(), "[]"), 2, 1


def unasked() -> pa.Table:
    """The chains without instructions, one with a room that is none."""
    return chains({"scene": "{"}).drop_columns(["instruction"])


def instructions(folder: Path) -> Case:
    return InstructionWriter(seed=2), unasked(), 2, 1


def wish(request: Request) -> str:
    return WISH


def invention(request: Request) -> str:
    return "Give me a grand piano and two aquariums, please, and nothing else."


def asked_for(folder: Path) -> Case:
    return InstructionWriter(model=ScriptedModel(wish), max_attempts=2), unasked(), 2, 1


def asked_for_in_vain(folder: Path) -> Case:
    return InstructionWriter(model=ScriptedModel(invention), max_attempts=2), unasked(), 0, 3


def judge(folder: Path) -> Case:
    return (
        ChainJudge(),
        chains({"chain": "{"}, {"chain": CHAIN.text().replace('"own-chair","new', '"gone","new')}),
        2,
        2,
    )


def verdict(request: Request) -> str:
    return "no" if "a hopeless room" in request.prompt else json.dumps(VERDICT)


def seeing_judge(folder: Path) -> Case:
    images = [str(path) for path in finished(folder)["images"]]
    source = chains({"images": images[:2]}, {"instruction": "a hopeless room"}, images=images)
    return ChainJudge(model=ScriptedModel(verdict)), source, 2, 2


def best(folder: Path) -> Case:
    given = [row(id=f"{room}-{n}", scene_id=room, chain_id=n, score=float(n % 3)) for room in "RS" for n in range(4)]
    kept = [{k: v for k, v in each.items() if k not in ("images", "texts")} for each in given]
    return TopKChains(best=2), pa.Table.from_pylist([*kept, {**kept[0], "id": "x", "score": float("nan")}]), 4, 5


def renderer(folder: Path) -> Case:
    return SceneRenderer(folder=folder / "drawn"), chains({"chain": "{"}, {"chain": '{"start": {}, "turns": []}'}), 2, 2


def rules(folder: Path) -> Case:
    return SceneCoTGenerator(seed=1), chains({"chain": "{"}, chain=SHORT.text()), 2, 1


@cache
def texts() -> dict[str, Any]:
    """What rules write of the chain, with its claims."""
    (made,) = SceneCoTGenerator()(chains(chain=SHORT.text()).slice(0, 1)).select(["texts", "claims"]).to_pylist()
    return dict(made)


def reasoned(request: Request) -> str:
    if "hopeless" in request.prompt:
        return "It fits."
    number = 0 if "Turn 1 of 2" in request.prompt else 1
    claims = [each for each in texts()["claims"][number]["claims"] if each["part"] == "think"]
    return marked(texts()["texts"][number]["think"], [Mark(each["expression"], each["place"]) for each in claims])


def asked(folder: Path) -> Case:
    images = [str(path) for path in finished(folder)["images"][:2]]
    bad = [{"images": images[:1]}, {"instruction": "a hopeless room"}]
    model = ScriptedModel(reasoned)
    return SceneCoTGenerator(model=model, max_attempts=2), chains(*bad, chain=SHORT.text(), images=images), 2, 2


def agreed(request: Request) -> str:
    many = len(request.prompt.splitlines())
    return json.dumps({"verdicts": [{"sentence": n, "agrees": n > 1} for n in range(1, many + 1)]})


def wording(folder: Path) -> Case:
    given = chains({"chain": "{"}, chain=SHORT.text(), wording="not judged", **texts())
    return WordingJudge(model=ScriptedModel(agreed)), given, 2, 1


def validator(folder: Path) -> Case:
    drawn = SceneRenderer(folder=folder / "drawn")(chains(chain=SHORT.text()).slice(0, 1))
    [made] = drawn.select(["images", "camera"]).to_pylist()
    good = row(chain=SHORT.text(), **texts(), instruction="I want a bedroom with a bed.", **made)
    bad = [{"instruction": "I want a bedroom with a grand piano."}, {"images": good["images"][:1]}, {"chain": "{"}]
    return ChainValidator(), table([good, *({**good, **each} for each in bad)]), 1, 3


def writer(folder: Path) -> Case:
    rows = several(folder)
    bad = [{**rows[0], "instruction": "told twice"}, {**rows[1], "id": "../x"}, {**rows[2], "id": "new", "chain": "{"}]
    return SceneWriter(out=folder / "out"), table([*rows, *bad]), 4, 3


def loader(folder: Path) -> Case:
    out = written_set(folder / "set", several(folder))
    with (out / "conversations.jsonl").open("ab") as file:
        file.write(b"{\n\xff\n")
    return ConversationReader(), pa.concat_tables([conversation_files(out), conversation_files(out)]), 8, 4


CASES: Mapping[str, Callable[[Path], Case]] = {
    "SceneReader": reader,
    "SceneFilter": scene_filter,
    "SceneRepair": scene_repair,
    "SceneReverseEditor": editor,
    "SceneReverseEditor, single turns": single_turns,
    "InstructionWriter": instructions,
    "InstructionWriter, with a model": asked_for,
    "InstructionWriter, with a model that invents": asked_for_in_vain,
    "ChainJudge": judge,
    "ChainJudge, with a model": seeing_judge,
    "TopKChains": best,
    "SceneRenderer": renderer,
    "SceneCoTGenerator": rules,
    "SceneCoTGenerator, with a model": asked,
    "WordingJudge": wording,
    "ChainValidator": validator,
    "SceneWriter": writer,
    "ConversationReader": loader,
}


def test_every_exported_operator_of_the_family_has_a_case() -> None:
    homes = {name for name, home in operators._HOME.items() if home.startswith("operators.scene.")}
    found = {name for name in homes if issubclass(getattr(operators, name), Operator)}
    assert found == {name.partition(",")[0] for name in CASES}


@pytest.mark.parametrize("name", CASES)
def test_the_operator_keeps_the_laws(name: str, tmp_path: Path) -> None:
    operator, source, rows, rejected = CASES[name](tmp_path)
    assert type(operator).__name__ == name.partition(",")[0]
    assert check_operator(operator, source).num_rows == rows
    rejects = operator.apply(source).rejects
    assert rejects.num_rows == rejected, rejects["message"].to_pylist()
    told = rejects["message"].to_pylist()
    assert all(message and "Traceback" not in message for message in told), told
