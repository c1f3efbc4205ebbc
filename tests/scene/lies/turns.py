"""Turns of real chains: the room before, the calls, the room after."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from operators import SceneReader, SceneReverseEditor
from operators.scene.chain import Chain
from operators.scene.facts.sheet import FactSheet, fact_sheet
from operators.scene.rooms import rooms
from operators.scene.synthetic import write_rooms

EXAMPLES = Path(__file__).resolve().parents[3] / "examples" / "rooms"


@dataclass(frozen=True)
class Case:
    """One turn of a chain; ``id`` names it."""

    id: str
    before: Mapping[str, Any]
    calls: Sequence[Mapping[str, Any]]
    after: Mapping[str, Any]
    retrievals: Mapping[str, Any]

    @cached_property
    def sheets(self) -> tuple[FactSheet, FactSheet]:
        """What is measured before and after."""
        return fact_sheet(self.before), fact_sheet(self.after)


def turns_of(folder: Path, chains: int, seed: int, *, single_turn: bool = False) -> Iterator[Case]:
    """All turns of so many chains of each room of a folder; terminate turns too."""
    read = SceneReader().apply(rooms([folder])).table
    made = SceneReverseEditor(chains=chains, seed=seed, single_turn=single_turn).apply(read).table
    for row in made.select(["id", "scene_id", "chain"]).to_pylist():
        yield from cases_of(Chain.read(row["chain"]), f"{row['scene_id']}/{row['id']}")


def cases_of(chain: Chain, name: str) -> Iterator[Case]:
    """The turns of a chain; the last room is that before the last turn."""
    states = chain.states()
    for number, calls in enumerate(chain.turns):
        after = states[min(number + 1, len(states) - 1)]
        yield Case(f"{name}/{number + 1}", states[number], calls, after, chain.retrievals)


def drawn_cases(folder: Path, count: int, seed: int) -> list[Case]:
    """``count`` turns, evenly out of the chains of the examples and of rooms of both forms, some of them dirty."""
    made: list[Path] = [EXAMPLES]
    if count > 200:
        write_rooms(folder / "clean", 16, seed=seed, form="mixed")
        write_rooms(folder / "dirty", 8, seed=seed + 1, form="mixed", dirty=True)
        made += [folder / "clean", folder / "dirty"]
    found: list[Case] = []
    for each in made:
        found += turns_of(each, 4 if count > 200 else 2, seed)
        found += turns_of(each, 3 if count > 200 else 1, seed, single_turn=True)
    step = max(1, len(found) // count)
    return found[::step][:count] if len(found) > count else found
