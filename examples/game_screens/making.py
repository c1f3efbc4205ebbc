"""Rounds of games in the collector's own layout, with their labels."""

from __future__ import annotations

import csv
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from random import Random

from examples.game_screens.canvas import Area
from examples.game_screens.game import played
from examples.game_screens.recipe import SIZES, Recipe
from examples.game_screens.themes import THEMES, Theme

#: Rounds in an episode, as the collector has them.
EPISODE = 10
#: The share of episodes that are played in dark mode.
_DARK = 0.35


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
