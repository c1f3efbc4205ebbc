"""Rounds of games in the collector's own layout, with their labels."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from io import StringIO
from pathlib import Path
from random import Random
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, get_args

from examples.game_screens.canvas import Area, Canvas
from examples.game_screens.game import GameRound, Language, played
from examples.game_screens.layout import draw_screen
from examples.game_screens.stage import SHOWN, Shown, Stage
from examples.game_screens.themes import THEMES, Theme

if TYPE_CHECKING:
    from PIL import Image

#: Rounds in an episode, as the collector has them.
EPISODE = 10
#: The share of episodes that are played in dark mode.
_DARK = 0.35

#: Screens by device: width and height in pixels.
SIZES: Mapping[str, tuple[int, int]] = MappingProxyType(
    {
        "phone_720": (720, 1280),
        "phone_1080": (1080, 1920),
        "phone_long": (1080, 2340),
        "phone_notch": (1170, 2532),
        "phone_fine": (1440, 3200),
        "phone_small": (480, 854),
        "phone_wide": (2340, 1080),
        "tablet": (1600, 2560),
        "tablet_wide": (2048, 1536),
        "desktop": (1366, 768),
    }
)

Kind = Literal[
    "result missing",
    "question missing",
    "question truncated",
    "result truncated",
    "result empty",
    "wrong keys in metadata",
    "wrong file in metadata",
    "no cards",
    "five cards",
    "no lamp",
]
KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True, slots=True)
class MadeRound:
    """A round that was drawn: what it was drawn from, and where its three cards lie in the question's pixels."""

    recipe: Recipe
    cards: tuple[Area, ...]

    @property
    def label(self) -> tuple[str, str, int, str, str, int]:
        """Its row of ``labels.csv``: device, episode, round, numbers, light, answer."""
        recipe, game = self.recipe, self.recipe.game
        numbers = " ".join(map(str, game.numbers))
        return recipe.device, recipe.episode, game.number, numbers, game.light, game.answer


def make_rounds(
    folder: Path,
    rounds: int = 200,
    seed: int = 0,
    themes: Sequence[Theme] = THEMES,
    devices: Sequence[str] = tuple(SIZES),
) -> list[MadeRound]:
    """Draw rounds into a folder, ten an episode, with metadata and ``labels.csv``; returns them in their order.

    Each episode is one theme on one device; both go round, so that 200 rounds show every theme and every size.
    The same seed gives the same files with the same version of Pillow.

    >>> import tempfile
    >>> with tempfile.TemporaryDirectory() as folder:
    ...     made = make_rounds(Path(folder), rounds=1, seed=5, devices=["phone_small"])
    ...     names = sorted(path.name.partition(".")[0] for path in Path(folder, "phone_small").iterdir())
    >>> names
    ['episode_001_metadata', 'episode_001_round_01_question', 'episode_001_round_01_result']
    """
    folder.mkdir(parents=True, exist_ok=True)
    made: list[MadeRound] = []
    for index, (device, episode, theme) in enumerate(_episodes(rounds, seed, themes, devices)):
        (folder / device).mkdir(exist_ok=True)
        many = min(EPISODE, rounds - index * EPISODE)
        played_here = [
            MadeRound(recipe, tuple(recipe.store(folder)))
            for recipe in _recipes(device, episode, theme, many, f"{seed}/{index}")
        ]
        _write_metadata(folder, played_here)
        made += played_here
    _write_table(folder / "labels.csv", ("device", "episode", "round", "numbers", "light", "answer"), made)
    return made


def _episodes(
    rounds: int, seed: int, themes: Sequence[Theme], devices: Sequence[str]
) -> Iterator[tuple[str, str, Theme]]:
    """Device, name and theme of each episode."""
    devices, themes = list(devices), list(themes)
    dice = Random(f"{seed}/episodes")
    dice.shuffle(devices)
    dice.shuffle(themes)
    used_up = math.lcm(len(devices), len(themes))
    for index in range(-(-rounds // EPISODE)):
        lap, place = divmod(index, len(devices))
        # One theme further each time that the pairs are used up, so that new ones come.
        yield devices[place], f"episode_{lap + 1:03d}", themes[(index + index // used_up) % len(themes)]


def _recipes(device: str, episode: str, theme: Theme, rounds: int, seed: str) -> Iterator[Recipe]:
    """The rounds of an episode: of one look, as a game keeps its places, lamps and marks while it is played."""
    dice = Random(seed)
    dark, language = dice.random() < _DARK, dice.choice(theme.languages)
    for game in played(dice, rounds, theme.digits):
        yield Recipe(device, episode, theme, dark, language, game, seed)


def _write_metadata(folder: Path, made: Sequence[MadeRound]) -> None:
    """One episode's metadata, as the collector writes it."""
    device, episode = made[0].recipe.device, made[0].recipe.episode
    metadata = {
        "episode_id": episode,
        "device_id": device,
        "rounds": [_entry(each) for each in made],
        "completed_rounds": len(made),
        "success": True,
    }
    path = folder / device / f"{episode}_metadata.json"
    path.write_text(json.dumps(metadata, indent=2) + "\n", "utf-8", newline="")


def _entry(made: MadeRound) -> dict[str, object]:
    recipe, game = made.recipe, made.recipe.game
    dice = Random(f"{recipe.seed}/{game.number}/click")
    x0, y0, x1, y1 = made.cards[game.picked]
    return {
        "round": game.number,
        "question_screenshot": recipe.path("question"),
        "result_screenshot": recipe.path("result"),
        "selected_index": game.picked,
        "click_position": [
            round(x0 + (x1 - x0) * dice.uniform(0.3, 0.7)),
            round(y0 + (y1 - y0) * dice.uniform(0.3, 0.7)),
        ],
        "timestamp": f"2025-01-{1 + int(recipe.episode[-3:]) % 28:02d}T10:{game.number:02d}:00",
    }


def _write_table(path: Path, head: Sequence[str], made: Sequence[MadeRound]) -> None:
    text = StringIO()
    table = csv.writer(text, lineterminator="\n")
    table.writerow(head)
    table.writerows(each.label for each in made)
    path.write_text(text.getvalue(), "utf-8", newline="")


@dataclass(frozen=True, slots=True)
class Recipe:
    """A round of a game on a device; ``cards`` other than 3, or no lamp, make a broken screen."""

    device: str
    episode: str
    theme: Theme
    dark: bool
    language: Language
    game: GameRound
    seed: str
    cards: int = 3
    lamp: bool = True

    @property
    def capture(self) -> Capture:
        """How the screens are stored."""
        return captured(Random(f"{self.seed}/{self.game.number}"))

    def path(self, shown: Shown) -> str:
        """Where a screen is stored, relative to the folder of all devices."""
        return f"{self.device}/{self.episode}_round_{self.game.number:02d}_{shown}.{self.capture.suffix}"

    def store(self, folder: Path) -> list[Area]:
        """Draw and write both screens; returns where the cards lie, left to right."""
        from PIL import Image

        width, height = SIZES[self.device]
        unit = min(width / 100, height / 150)
        places: list[Area] = []
        for shown in SHOWN:
            canvas = Canvas(Image.new("RGB", (width, height)))
            stage = Stage(
                canvas, unit, self.theme, self.dark, self.language, self.game, shown, self.seed, self.cards, self.lamp
            )
            places = draw_screen(stage)
            self.capture.store(canvas.image, folder / self.path(shown), shown == "result")
        return places


@dataclass(frozen=True, slots=True)
class Capture:
    """What is done to the two screens of a round before they are stored.

    ``quality`` is that of a JPEG, None for PNG; ``soft`` the share of the size that the picture was made smaller
    to and enlarged again; ``tint`` the strength of the three colours; ``cut`` by how many pixels at the left and
    the top the result screen is smaller than the question.
    """

    quality: int | None
    soft: float
    tint: tuple[float, float, float]
    cut: tuple[int, int]

    @property
    def suffix(self) -> str:
        """The file's ending."""
        return "png" if self.quality is None else "jpg"

    def store(self, image: Image.Image, path: Path, result: bool) -> None:
        """Write the picture."""
        from PIL import Image as images

        size = image.size
        if self.soft < 1:
            small = [round(side * self.soft) for side in size]
            image = image.resize((small[0], small[1]), images.Resampling.BILINEAR)
            image = image.resize(size, images.Resampling.BILINEAR)
        if self.tint != (1.0, 1.0, 1.0):
            image = image.point([round(value * share) for share in self.tint for value in range(256)])
        if result and any(self.cut):
            image = image.crop((*self.cut, *size))
        if self.quality is None:
            image.save(path, compress_level=1)
        else:
            image.save(path, quality=self.quality)


def captured(dice: Random) -> Capture:
    """One way to store a round."""
    cast = (dice.uniform(0.93, 1.0), dice.uniform(0.93, 1.0), dice.uniform(0.9, 1.0))
    cut = (dice.randrange(0, 3), dice.randrange(0, 3))
    soft = dice.choice((0.6, 0.75)) if dice.random() < 0.12 else 1.0
    return Capture(
        quality=dice.randrange(60, 96) if dice.random() < 0.6 or soft < 1 else None,
        soft=soft,
        tint=cast if dice.random() < 0.15 else (1.0, 1.0, 1.0),
        cut=cut if dice.random() < 0.1 else (0, 0),
    )


@dataclass(frozen=True, slots=True)
class Damaged:
    """One round and what was done to it."""

    kind: Kind
    device: str
    episode: str
    round: int


def damage(folder: Path, made: Sequence[MadeRound], seed: int = 0, kinds: Sequence[Kind] = KINDS) -> list[Damaged]:
    """Damage one round of those in a folder for each kind; all others stay as they are.

    Truncated are PNG pictures, where there are any. ValueError if there are fewer rounds than kinds.
    """
    if len(made) < len(kinds):
        raise ValueError(f"{len(kinds)} kinds of damage need as many rounds, but there are {len(made)}; make more.")
    left = list(made)
    Random(f"{seed}/damage").shuffle(left)
    done = []
    # What asks for a PNG takes its round first.
    for kind in sorted(kinds, key=lambda each: "truncated" not in each):
        wanted = [each for each in left if each.recipe.capture.suffix == "png"] if "truncated" in kind else left
        hit = (wanted or left)[0]
        left.remove(hit)
        _HOW[kind](folder, hit)
        done.append(Damaged(kind, hit.recipe.device, hit.recipe.episode, hit.recipe.game.number))
    return sorted(done, key=lambda each: kinds.index(each.kind))


def _truncate(path: Path, share: float) -> None:
    content = path.read_bytes()
    path.write_bytes(content[: int(len(content) * share)])


def _change_entry(folder: Path, made: MadeRound, change: Callable[[dict[str, object]], dict[str, object]]) -> None:
    path = folder / made.recipe.device / f"{made.recipe.episode}_metadata.json"
    metadata = json.loads(path.read_text("utf-8"))
    entries = metadata["rounds"]
    metadata["rounds"] = [change(each) if each["round"] == made.recipe.game.number else each for each in entries]
    path.write_text(json.dumps(metadata, indent=2) + "\n", "utf-8", newline="")


def _wrong_keys(folder: Path, made: MadeRound) -> None:
    names = {"question_screenshot": "before_shot", "result_screenshot": "after_shot"}
    _change_entry(folder, made, lambda entry: {names.get(key, key): value for key, value in entry.items()})


def _wrong_file(folder: Path, made: MadeRound) -> None:
    name = f"{made.recipe.device}/screen_{made.recipe.game.number}.png"
    _change_entry(folder, made, lambda entry: {**entry, "question_screenshot": name})


_HOW: Mapping[Kind, Callable[[Path, MadeRound], object]] = {
    "result missing": lambda folder, made: (folder / made.recipe.path("result")).unlink(),
    "question missing": lambda folder, made: (folder / made.recipe.path("question")).unlink(),
    "question truncated": lambda folder, made: _truncate(folder / made.recipe.path("question"), 0.5),
    "result truncated": lambda folder, made: _truncate(folder / made.recipe.path("result"), 0.7),
    "result empty": lambda folder, made: _truncate(folder / made.recipe.path("result"), 0),
    "wrong keys in metadata": _wrong_keys,
    "wrong file in metadata": _wrong_file,
    "no cards": lambda folder, made: replace(made.recipe, cards=0).store(folder),
    "five cards": lambda folder, made: replace(made.recipe, cards=5).store(folder),
    "no lamp": lambda folder, made: replace(made.recipe, lamp=False).store(folder),
}
