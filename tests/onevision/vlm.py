"""A loopback model that answers as a good VLM would, and on the rest of the pictures and rows in each bad way in turn."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random
from threading import Lock

from tests.loopback import Body, Brain
from tests.onevision import faults, sets
from tests.onevision.asked import Asked, asked
from tests.onevision.seeing import Judge, insufficient, same


class VLM:
    """The brain of a server: answers each step of the pipeline from the truth about the set.

    ``ways`` tells in which bad way it answers about which picture (by path) or row (by turn). ``used`` holds what it
    did: step, path or turn, way, once each; the way of a good answer is "". Ways in :data:`faults.MENDED` are good
    in the end. ``judging`` answers for the judge and the blind solver.
    """

    def __init__(self, good: float = 0.8, seed: int = 0) -> None:
        self.seed = seed
        paths, rows = sorted(sets.pictures()), sorted(sets.turns(fate="row", good=True))
        self.ways = {
            **_drawn(paths, [*faults.OF_IMAGE, *faults.OF_DESCRIPTION], good, Random(f"pictures {seed}")),
            **_drawn(_firsts(rows), list(faults.OF_REWRITE), good, Random(f"rows {seed}")),
        }
        self.used: set[tuple[str, str, str]] = set()
        self.judging = Judge()
        self._lock = Lock()

    def __call__(self, body: Body) -> str:
        request = asked(body)
        if request.step in ("judge", "blind"):
            return self.judging.reply(request)
        if request.step == "rewrite":
            return self._rewrite(request)
        return self._see(request)

    @property
    def bad_pictures(self) -> dict[str, str]:
        """The pictures that it tells of in a way that stays bad."""
        return {key: way for key, way in self.ways.items() if key in sets.pictures() and way not in faults.MENDED}

    @property
    def bad_rows(self) -> dict[str, str]:
        """The turns that it answers in a way that stays bad, those that ask the same of the same picture included."""
        bad = {key: way for key, way in self.ways.items() if key not in sets.pictures() and way not in faults.MENDED}
        found = {}
        for turn in sets.turns(fate="row", good=True):
            if (way := bad.get(_first(turn))) is not None:
                found[turn] = way
        return found

    def _see(self, request: Asked) -> str:
        """Type, caption and things of a picture, or its description and code."""
        if request.picture is None:
            return "I cannot make out this picture."
        truth, way = sets.pictures()[request.picture], self.ways.get(request.picture, "")
        if way not in (faults.OF_IMAGE if request.step == "image" else faults.OF_DESCRIPTION):
            way = ""
        self._note(request.step, request.picture, way)
        if request.step == "image":
            labels = list(dict.fromkeys(each["label"] for each in truth["objects"]))
            good = {"image_type": truth["type"], "caption": truth["caption"], "objects": labels[:20]}
            return faults.of_image(way, good, request)
        return faults.of_description(way, truth, request)

    def _rewrite(self, request: Asked) -> str:
        turn = _turn_of(request)
        if turn is None:
            return "INSUFFICIENT"
        way = self.ways.get(_first(turn), "")
        self._note("rewrite", turn, way)
        truth = sets.turns()[turn]
        if not way and (not _agrees(request, truth) or insufficient(request.blocks["description"], turn)):
            return "INSUFFICIENT"
        return faults.of_rewrite(way, turn, request, Random(f"{self.seed} {turn}"))

    def _note(self, step: str, key: str, way: str) -> None:
        with self._lock:
            self.used.add((step, key, way))


def vlm(good: float = 0.8, seed: int = 0) -> VLM:
    """A model that is good on that share of pictures and rows."""
    return VLM(good, seed)


def judge() -> Brain:
    """A judge and blind solver that sees what its request holds, and the picture."""
    judging = Judge()
    return lambda body: judging.reply(asked(body))


def _drawn(keys: Sequence[str], ways: Sequence[str], good: float, rng: Random) -> dict[str, str]:
    """Ways in turn for the share of keys that is not good."""
    drawn = rng.sample(keys, round(len(keys) * (1 - good)))
    return {key: ways[number % len(ways)] for number, key in enumerate(drawn)}


@cache
def _leading() -> dict[tuple[str, str], str]:
    """The first of the turns that ask the same question of the same picture."""
    found: dict[tuple[str, str], str] = {}
    for turn in sorted(sets.turns(fate="row")):
        found.setdefault((sets.turns()[turn]["image"], sets.question(turn)), turn)
    return found


def _first(turn: str) -> str:
    """The turn that all those are told by that ask the same of the same picture."""
    return _leading()[sets.turns()[turn]["image"], sets.question(turn)]


def _firsts(turns: Sequence[str]) -> list[str]:
    return sorted({_first(turn) for turn in turns})


def _turn_of(request: Asked) -> str | None:
    """The turn that a rewriting request is about: of those that ask so, one with this answer and good, if there is."""
    turns = sorted(request.turns, key=lambda turn: not sets.turns()[turn]["good"])
    agreeing = [turn for turn in turns if same(sets.turns()[turn]["answer"], request.blocks.get("answer", ""))]
    return next(iter(agreeing or turns), None)


def _agrees(request: Asked, truth: sets.Truth) -> bool:
    """Whether the answer that the row gives is the right one."""
    return same(truth["right"], request.blocks.get("answer", ""))
