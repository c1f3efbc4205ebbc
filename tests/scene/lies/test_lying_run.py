"""A whole run with a model that lies: no lie comes out."""

import json
import shutil
from pathlib import Path

from operators import SceneReader, SceneReverseEditor
from operators.scene.rooms import rooms
from pipelines.scene_edit import main
from tests.scene.lies.server import Liar, served
from tests.scene.lies.turns import EXAMPLES


def test_a_model_that_lies_is_asked_again_until_what_comes_out_is_true(tmp_path: Path) -> None:
    (tmp_path / "rooms").mkdir()
    shutil.copy(EXAMPLES / "room_0001.json", tmp_path / "rooms")
    read = SceneReader().apply(rooms([tmp_path / "rooms"])).table
    liar = Liar(SceneReverseEditor(chains=3, seed=1).apply(read).table["chain"].to_pylist())
    flags = ["--no-filter", "--chains", "3", "--keep", "3", "--seed", "1", "--model", "liar"]
    with served(liar) as server:
        code = main([str(tmp_path / "rooms"), "--out", str(tmp_path / "out"), *flags, "--base-url", server.url])
    kept = (tmp_path / "out" / "conversations.jsonl").read_text(encoding="utf-8")
    rejects = (tmp_path / "out" / "rejects.jsonl").read_text(encoding="utf-8").splitlines()
    lies = [text.lie for _, text in liar.told if text.kind]
    assert code == 0
    assert len(kept.splitlines()) + len(rejects) == 3
    assert len(lies) >= 2
    assert [lie for lie in lies if json.dumps(lie, ensure_ascii=False)[1:-1] in kept] == []
