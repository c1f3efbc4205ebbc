"""A memory that was damaged costs its work again, never the run: the same rows, and no exception."""

import random
from collections.abc import Callable
from pathlib import Path

import pytest

from dataflow_ext import RowError, RowOperator, run
from dataflow_ext.models import Model, Request, ScriptedModel, complete
from tests.abuse.settings import LONG


class Asked(RowOperator):
    """A model's answer."""

    inputs = {"text": str}  # noqa: RUF012
    outputs = {"answer": str}  # noqa: RUF012
    model: Model

    async def row(self, text: str) -> dict[str, str]:
        if text == "bad":
            raise RowError("a bad row")
        return {"answer": (await complete(self.model, Request(text))).text}


class Long(RowOperator):
    """The answer's length."""

    inputs = {"answer": str}  # noqa: RUF012
    outputs = {"length": int}  # noqa: RUF012

    def row(self, answer: str) -> dict[str, int]:
        return {"length": len(answer)}


def flipped(data: bytes, rng: random.Random) -> bytes:
    made = bytearray(data)
    for _ in range(min(20, len(made))):
        made[rng.randrange(len(made))] ^= 1 << rng.randrange(8)
    return bytes(made)


DAMAGES: dict[str, Callable[[bytes, random.Random], bytes]] = {
    "emptied": lambda data, rng: b"",
    "cut to half": lambda data, rng: data[: len(data) // 2],
    "without its last byte": lambda data, rng: data[:-1],
    "zeros": lambda data, rng: bytes(len(data)),
    "noise": lambda data, rng: rng.randbytes(len(data)),
    "bits flipped": flipped,
    "its head twice": lambda data, rng: data[:100] + data,
    "another kind of file": lambda data, rng: b'{"a": 1}',
    "a file of one line": lambda data, rng: b"\n",
}
ROWS = [{"text": f"question {n}"} for n in range(40)] + [{"text": "bad"}]


def done(memory):
    """A run's rows and rejects."""
    model = ScriptedModel(lambda request: f"answer to {request.prompt}")
    result = run([Asked(model=model), Long()], ROWS, cache_dir=memory)
    return result.table.to_pylist(), result.rejects.to_pylist(), len(model.calls)


def files(memory: Path) -> list[Path]:
    return sorted(path for path in memory.rglob("*") if path.is_file())


@pytest.mark.parametrize("seed", range(10 if LONG else 2))
@pytest.mark.parametrize("damage", DAMAGES)
def test_a_run_on_damaged_memories_gives_the_same_rows(damage, seed, tmp_path):
    memory = tmp_path / "memory"
    rows, rejects, calls = done(memory)
    assert (len(rows), len(rejects), calls) == (40, 1, 40)
    rng = random.Random(f"{damage} {seed}")
    for path in files(memory):
        path.write_bytes(DAMAGES[damage](path.read_bytes(), rng))
    again, rejected, _ = done(memory)
    assert (again, rejected) == (rows, rejects)
    third, _, calls = done(memory)
    assert third == rows
    assert calls == 0, "what was done after the damage is remembered"


def test_another_runs_step_file_is_not_taken_for_ones_own(tmp_path):
    memory, other = tmp_path / "memory", tmp_path / "other"
    rows, _, _ = done(memory)
    model = ScriptedModel(lambda request: "another answer")
    run([Asked(model=model), Long()], ROWS, cache_dir=other)
    strange = [path for path in files(other) if path.parent.name == "steps" or "steps" in path.parts]
    own = [path for path in files(memory) if path.parent.name == "steps" or "steps" in path.parts]
    assert strange and own
    for path, from_other in zip(own, strange, strict=False):
        path.write_bytes(from_other.read_bytes())
    assert done(memory)[0] == rows
