"""Sets of made rounds for whole runs: their truth, an engine and a model that know it, and what a run leaves behind."""

from __future__ import annotations

import base64
import hashlib
import json
import shutil
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext.ocr import OCRLine, pixels_of
from examples.game_screens import MadeRound
from tests.loopback import Body, prompt_of

if TYPE_CHECKING:
    from dataflow_ext.ocr.engine import Pixels

#: What a run writes beside its own folder ``.run``, but for the page, which tells times.
DATA = ("data", "parquet", "images", "README.md", "annotations.jsonl", "annotation_stats.json", "rejects.jsonl")

#: Device, episode and number of a round.
Key = tuple[str, str, int]
#: An image's path in the data set, with the problem and the answer beside it.
Example = tuple[str, str]


def key_of(made: MadeRound) -> Key:
    return made.recipe.device, made.recipe.episode, made.recipe.game.number


def truth(made: Iterable[MadeRound]) -> dict[str, Example]:
    """The problem and the answer that belong to each round's question picture."""
    return {each.recipe.path("question"): _example(each) for each in made}


def _example(made: MadeRound) -> Example:
    game = made.recipe.game
    numbers = ", ".join(map(str, game.numbers))
    return f"<image>Light: {game.light}. Numbers: {numbers}. Select the correct one.", str(game.answer)


def emitted(out: Path) -> dict[str, Example]:
    """The problem and the answer of each picture in a data set, both its files taken together."""
    lines = [line for name in ("train", "test") for line in (out / f"data/{name}.jsonl").read_text().splitlines()]
    rows = [json.loads(line) for line in lines]
    found = {row["images"][0]: (row["problem"], row["answer"]) for row in rows}
    assert len(found) == len(rows), "each picture stands in the data once"
    return found


def stats_of(out: Path) -> Any:
    return json.loads((out / "annotation_stats.json").read_text(encoding="utf-8"))


def rejected(out: Path) -> dict[str, int]:
    """How many rounds or files were rejected, by operator and error."""
    return {f"{each['operator']}: {each['error']}": each["count"] for each in stats_of(out)["rejects"]}


def files_of(out: Path) -> dict[str, str]:
    """Names and hashes of all that must not differ between two runs on the same rounds."""
    paths = [path for name in DATA for path in ([out / name] if (out / name).is_file() else (out / name).rglob("*"))]
    return {
        path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in paths
        if path.is_file()
    }


def part_of(source: Path, made: Sequence[MadeRound], target: Path) -> Path:
    """Some rounds of a set, in a folder of their own; their pictures are the same bytes."""
    for each in made:
        (target / each.recipe.device).mkdir(parents=True, exist_ok=True)
        for shown in ("question", "result"):
            shutil.copy(source / each.recipe.path(shown), target / each.recipe.path(shown))
    for episode in {(each.recipe.device, each.recipe.episode) for each in made}:
        name = f"{episode[0]}/{episode[1]}_metadata.json"
        metadata = json.loads((source / name).read_text())
        numbers = {each.recipe.game.number for each in made if key_of(each)[:2] == episode}
        metadata["rounds"] = [entry for entry in metadata["rounds"] if entry["round"] in numbers]
        (target / name).write_text(json.dumps(metadata))
    return target


def _hash(pixels: Pixels) -> str:
    return hashlib.sha256(b"%d,%d:" % pixels.shape[:2] + pixels.tobytes()).hexdigest()


@dataclass
class KnowingEngine:
    """Reads the numbers on the cards of whole question pictures that it knows, and nothing anywhere else.

    Lines are text, score and box, by the hash of the picture's pixels.
    """

    known: Mapping[str, Sequence[tuple[str, float, tuple[float, float, float, float]]]]
    name: str = "knowing"

    @staticmethod
    def of(
        folder: Path, made: Sequence[MadeRound], missed: Mapping[Key, Iterable[int]] = {}, scores: float = 0.99
    ) -> KnowingEngine:
        """The engine that knows some rounds, and overlooks the cards at the places in ``missed``."""
        known = {}
        for each in made:
            left = set(range(3)) - set(missed.get(key_of(each), ()))
            lines = [(str(each.recipe.game.numbers[i]), scores, _digits(each, i)) for i in sorted(left)]
            known[_hash(pixels_of(folder / each.recipe.path("question")))] = lines
        return KnowingEngine(known)

    def identity(self) -> Mapping[str, object]:
        """Name and lines."""
        return {"engine": self.name, "known": {digest: list(lines) for digest, lines in self.known.items()}}

    def read(self, pictures: Sequence[Any]) -> list[list[OCRLine]]:
        """The lines that it knows."""
        return [[OCRLine(*line) for line in self.known.get(_hash(pixels), ())] for pixels in pictures]


def _digits(made: MadeRound, place: int) -> tuple[float, float, float, float]:
    """Where the number on a card stands, about."""
    x0, y0, x1, y1 = made.cards[place]
    height = 0.4 * min(y1 - y0, x1 - x0)
    width = 0.55 * height * len(str(made.recipe.game.numbers[place]))
    x, y = (x0 + x1) / 2, (y0 + y1) / 2
    return x - width / 2, y - height / 2, x + width / 2, y + height / 2


@dataclass
class Eyes:
    """A model that knows each picture by its bytes and answers as the labels say; ``lies`` are asked first.

    A lie gets the round and which of the three is asked for, and returns a text, or None for the truth.
    """

    rounds: Mapping[str, MadeRound]
    paths: Mapping[str, Path]
    lies: Callable[[MadeRound, str], str | None] = lambda made, asked: None

    @staticmethod
    def on(folder: Path, made: Sequence[MadeRound]) -> Eyes:
        """Eyes on the pictures of some rounds."""
        paths = [(folder / each.recipe.path(shown), each) for each in made for shown in ("question", "result")]
        known = {hashlib.sha256(path.read_bytes()).hexdigest(): (path, each) for path, each in paths}
        return Eyes(
            {name: made for name, (_, made) in known.items()}, {name: path for name, (path, _) in known.items()}
        )

    def lying(self, lies: Callable[[MadeRound, str], str | None]) -> Eyes:
        """The same that tell lies."""
        return Eyes(self.rounds, self.paths, lies)

    def __call__(self, body: Body) -> str:
        """The reply to a chat."""
        made, asked = self.asked(body)
        lie = self.lies(made, asked)
        return answer(made, asked) if lie is None else lie

    def asked(self, body: Body) -> tuple[MadeRound, str]:
        """Which round a question is about, and what it asks for."""
        prompt = prompt_of(body)
        kinds = {"number cards in this": "numbers", "traffic light": "light", "CORRECT answer": "card"}
        [asked] = [kind for words, kind in kinds.items() if words in prompt]
        content = [part for message in body["messages"] if isinstance(message["content"], list)
                   for part in message["content"]]  # fmt: skip
        [url] = [part["image_url"]["url"] for part in content if part["type"] == "image_url"]
        data = base64.b64decode(url.partition(",")[2])
        made = self.rounds.get(hashlib.sha256(data).hexdigest())
        return self._framed(data) if made is None else made, asked

    def _framed(self, data: bytes) -> MadeRound:
        """The round whose picture another framing was made from: the one that has most of its rows of pixels."""
        part = pixels_of(data)
        telling = int(part.std(axis=(1, 2)).argmax())
        return self.rounds[max(self.paths, key=lambda digest: _shared(part, telling, _pixels(self.paths[digest])))]


@lru_cache(maxsize=64)
def _pixels(path: Path) -> Pixels:
    return pixels_of(path)


def _shared(part: Pixels, telling: int, whole: Pixels) -> int:
    """How many rows of pixels a part of a picture has in common with it, where a row that tells much stands."""
    found = whole.tobytes().find(part[telling].tobytes())
    x, top = found // 3 % whole.shape[1], max(0, found // 3 // whole.shape[1] - telling)
    there = whole[top : top + len(part), x : x + part.shape[1]]
    return 0 if found < 0 or there.shape != part.shape else int((there == part).all(axis=(1, 2)).sum())


def answer(made: MadeRound, asked: str) -> str:
    """The true answer to what is asked about a round, in the form that the prompts want."""
    game = made.recipe.game
    return {"numbers": str(list(game.numbers)), "light": game.light, "card": str(game.answer)}[asked]
