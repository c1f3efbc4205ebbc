"""The commands as jobs that can be killed: inputs, arguments, and a model that answers each in its own form."""

import hashlib
import json
import shutil
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.loopback import Body, Loopback
from tests.pipelines.cot_sets import copied
from tests.pipelines.numbered_book import brain as pairs
from tests.pipelines.numbered_book import write_book
from tests.pipelines.onevision_sets import part
from tests.pipelines.scene_sets import LIBRARY, STUDY, library, put, study

#: Seconds of the slowest reply: a run has to last for a moment to be killed in.
SLOWEST = 0.4


@dataclass(frozen=True)
class Job:
    """A command without a model: what it is called with in a folder that holds its inputs."""

    name: str
    make: Callable[[Path], list[str]]
    brain: Callable[[Path], Callable[[Body], str]]
    asking: tuple[str, ...] = ()
    """Arguments that only a run with a model has."""
    alone: bool = True
    """Whether it does anything without a model."""


def pdf(folder: Path) -> list[str]:
    """A numbered book as a list, and a booklet."""
    write_book(folder / "books", 8)
    shutil.copy(Path(__file__).parents[3] / "examples/booklets/algebra_en.pdf", folder / "books")
    return ["pipelines.pdf_vqa", "books", "--ocr", "never", "--chunk-tokens", "300"]


def cot(folder: Path) -> list[str]:
    """An annotated plan."""
    copied(folder / "plans")
    return ["pipelines.cot_planning", "plans", "--tasks", "28-33"]


def reasoning(folder: Path) -> Callable[[Body], str]:
    """A model that says the sentences that it has to say."""
    from tests.pipelines.test_cot_models import ENDS, said, told

    def brain(body: Body) -> str:
        sentences, answer = told(body)
        return said([*sentences, ENDS[0]], answer)

    return brain


def scene(folder: Path) -> list[str]:
    """Two rooms."""
    put(folder / "furnished", **{STUDY: study(), LIBRARY: library()})
    return ["pipelines.scene_edit", "furnished", "--seed", "1", "--chains", "2", "--keep", "1", "--turns", "2"]


def furnishing(folder: Path) -> Callable[[Body], str]:
    """A model that tells the truth about each turn."""
    from dataflow_ext import run
    from operators import SceneReader, SceneReverseEditor
    from operators.scene.reading.room_file import rooms
    from tests.pipelines.scene_sets import true_texts
    from tests.pipelines.test_scene_models import Mind

    editor = SceneReverseEditor(chains=2, turns=(2, 2), seed=1)
    mind = Mind(true_texts(run([SceneReader(), editor], rooms([folder / "furnished"])).table, 1))

    def brain(body: Body) -> str:
        mind.kind[json.dumps(body)] = ""
        return mind(body)

    return brain


def onevision(folder: Path) -> list[str]:
    """Nine records of the example set."""
    from tests.onevision.sets import IMAGES

    part(folder / "records.jsonl")
    return ["pipelines.onevision", "records.jsonl", "--images", str(IMAGES), "--ocr", "never"]


def seeing(folder: Path) -> Callable[[Body], str]:
    """A model that sees well."""
    from tests.onevision.vlm import vlm

    return vlm(good=1.0)


def game(folder: Path) -> list[str]:
    """Rounds of a game, drawn."""
    from examples.game_screens import make_rounds

    make_rounds(folder / "rounds", rounds=3, seed=5, devices=["phone_small"])
    return ["pipelines.game_annotate", "rounds"]


def playing(folder: Path) -> Callable[[Body], str]:
    """A model that answers in the right form, and always the same."""
    from tests.abuse.kills.forms import game_reply

    return game_reply


def raw_rows(folder: Path) -> list[str]:
    """Made question rows, and a benchmark of which some are items."""
    from examples.question_rows.make import make

    make(folder / "raw", 60, 5)
    return ["pipelines.curate", "raw/rows.jsonl", "--benchmark", "raw/benchmark.jsonl"]


def reviewing(folder: Path) -> Callable[[Body], str]:
    """A model that takes each row for one question."""
    from tests.pipelines.test_curate import answer

    return answer


def questions(folder: Path) -> list[str]:
    """Question rows with a picture."""
    from tests.pipelines.sample_sets import put as put_rows

    put_rows(folder / "rows")
    return ["pipelines.sample_cot", "rows/rows.jsonl"]


def solving(folder: Path) -> Callable[[Body], str]:
    """A solver and a judge, of which some replies cannot be used."""
    from tests.pipelines.sample_sets import brain

    return brain


JOBS = (
    Job("pdf_vqa", pdf, lambda folder: pairs),
    Job("cot_planning", cot, reasoning),
    Job("scene_edit", scene, furnishing),
    Job("onevision", onevision, seeing),
    Job("game_annotate", game, playing, ("--vlm-first", "--rule", "none")),
    Job("curate", raw_rows, reviewing),
    Job("sample_cot", questions, solving, ("--judge-model", "j"), alone=False),
)


class Server(Loopback):
    """A model whose replies take a time that their question decides; it keeps what it was asked and what it said."""

    def __init__(self, brain: Callable[[Body], str], slowest: float = SLOWEST) -> None:
        super().__init__(self._slow, threads=8)
        self.mind, self.slowest = brain, slowest
        self.asked: list[str] = []
        self.said: dict[str, str] = {}

    def _slow(self, body: Body) -> str:
        name = digest(body)
        self.asked.append(name)
        time.sleep(self.slowest * (0.1 + 0.9 * int(name[:4], 16) / 0xFFFF))
        text = self.mind(body)
        self.said[name] = text
        return text


def digest(body: dict[str, Any]) -> str:
    """A name of what was asked."""
    return hashlib.sha256(json.dumps(body, sort_keys=True).encode()).hexdigest()
