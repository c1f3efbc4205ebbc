"""SceneRepair: finished rooms with their problems mended by small moves; those that cannot be are left out."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa

from dataflow_ext import Failure, Made, Operator, progress
from dataflow_ext.columns import Columns
from dataflow_ext.outcomes import Outcome, Record, made_of_rows
from operators.scene.facts import problems_of
from operators.scene.facts.things import Fault, Room, Thing, badness, supports
from operators.scene.model.geometry import turned_by
from operators.scene.model.limits import EXACT, FACING
from operators.scene.model.records import first_few
from operators.scene.model.scene import Scene, rounded, with_objects, written

#: The metres of a repair, the smallest first; it is the farthest that the editor moves anything.
_WAYS = (0.02, 0.04, 0.06, 0.1, 0.15, 0.2, 0.3, 0.4, 0.5)
#: Repairs of one room; a room that needs more was never finished.
_MOST = 12


@dataclass(frozen=True, slots=True)
class Repaired:
    """A room after its repairs, each in a sentence, and the problems that remain."""

    scene: Scene
    done: Sequence[str]
    left: Sequence[str]


def repaired(scene: Scene) -> Repaired:
    """The room with the problems of its fact sheet mended, as far as small moves and turns on the spot do it.

    What stands on a thing goes with it. No repair brings another problem.

    >>> corners = [[0, 0, 0], [4, 0, 0], [4, 0, 3], [0, 0, 3]]
    >>> bed = {"jid": "b", "desc": "A bed.", "size": [2.0, 0.9, 1.6], "pos": [0.9, 0.0, 1.0], "rot": [0, 0, 0, 1]}
    >>> found = repaired({"bounds_bottom": corners, "bounds_top": corners, "room_type": "bedroom", "objects": [bed]})
    >>> found.done, found.left
    (['bed moved by 0.02 m'], [])
    """
    done: list[str] = []
    gone = set[str]()
    while len(done) < _MOST:
        room = Room.of(scene)
        problem = next((each for each in problems_of(room) if str(each) not in gone), None)
        if problem is None:
            break
        better = _better(room, scene, problem)
        if better is None:
            gone.add(str(problem))
            continue
        scene, told = better
        done.append(told)
    return Repaired(scene, done, [str(each) for each in problems_of(Room.of(scene))])


def _better(room: Room, scene: Scene, problem: Fault) -> tuple[Scene, str] | None:
    """The room after the smallest change that ends a problem and brings no other; None if none does."""
    given = problems_of(room)
    bad, count = badness(given), len(given)
    things = sorted(problem.things, key=lambda each: each.box.volume)
    for changes, told in (made for thing in things for made in _changes(room, thing, problem)):
        other = _changed(scene, changes)
        left = problems_of(Room.of(other))
        now, number = badness(left), len(left)
        lighter = now < bad - EXACT or (number < count and now <= bad + EXACT)
        if lighter and number <= count and problem.about not in (each.about for each in left):
            return other, told
    return None


def _changes(room: Room, thing: Thing, problem: Fault) -> Iterator[tuple[Mapping[str, Mapping[str, Any]], str]]:
    """Ways to change a thing, the smallest first: other values of it and of what stands on it, told in words."""
    if problem.word == "lifted":
        yield _moved(room, thing, 0.0, -problem.amount, 0.0), f"{thing.name} set down on the floor"
        return
    if problem.word == "misturned":
        for degrees in (180.0, 90.0, -90.0):
            turned = rounded(turned_by(thing.obj["rot"], degrees), "rot")
            yield {thing.jid: {"rot": turned}}, f"{thing.name} turned by {abs(degrees):.0f}°"
    fx, fz = thing.box.front
    own = [(fx, fz), (-fx, -fz), (fz, -fx), (-fz, fx)]
    for far in _WAYS:
        for wx, wz in [*own, (1, 0), (-1, 0), (0, 1), (0, -1)]:
            yield _moved(room, thing, far * wx, 0.0, far * wz), f"{thing.name} moved by {far:.2f} m"
    square = _square(thing)
    if square is not None:
        yield {thing.jid: {"rot": square}}, f"{thing.name} turned to stand square"


def _moved(room: Room, thing: Thing, dx: float, dy: float, dz: float) -> dict[str, dict[str, Any]]:
    made = {}
    for each in _carried(room, thing):
        x, y, z = each.pos
        made[each.jid] = {"pos": rounded([x + dx, y + dy, z + dz], "pos")}
    return made


def _carried(room: Room, thing: Thing) -> list[Thing]:
    """A thing with all that stands on it, and on that."""
    found = [thing]
    for each in found:
        found += [o for o in room.things
                  if o not in found and o.box.low > each.box.low + 0.1 and supports(each, o)]  # fmt: skip
    return found


def _square(thing: Thing) -> list[float] | None:
    """The rotation to the next quarter turn, for a thing that is a little askew; None for any other."""
    x, _, z, _ = thing.obj["rot"]
    quarter = round(thing.yaw / 90) * 90
    if x or z or not 0.5 < abs(thing.yaw - quarter) < FACING:
        return None
    half = math.radians(quarter) / 2
    return rounded([0.0, math.sin(half), 0.0, math.cos(half)], "rot")


def _changed(scene: Scene, changes: Mapping[str, Mapping[str, Any]]) -> Scene:
    """The room with other values of some objects."""
    return with_objects(scene, lambda objects: [{**each, **changes.get(str(each["jid"]), {})} for each in objects])


#: The most problems that a reject names.
_NAMED = 3


class SceneRepair(Operator):
    """Rooms in which the fact sheet finds no problem: nothing overlaps, is outside, floats or is misplaced.

    What does is moved by half a metre at most, turned on the spot, or set down, with what stands on it; the repaired
    room takes the place of the other. Rooms that keep a problem are left out.

    Reads:
        scene_id: the room's name, for the reject.
        scene: a room as SceneReader gives it.

    Writes:
        scene: the room after its repairs.
        repairs: each repair in a few words, "bed moved by 0.06 m"; none for a room without problems.

    Options:
        keep_faulty: keep rooms that keep a problem.
        enabled: False lets all rooms pass as they are.

    Rejects:
        Dropped: problems that no small change ends, or a piece that the room cannot be used without is missing.

    Example:
        >>> corners = [[0, 0, 0], [4, 0, 0], [4, 0, 3], [0, 0, 3]]
        >>> bed = {"jid": "b", "desc": "A bed.", "size": [2.0, 0.9, 1.6], "pos": [0.9, 0, 1.0], "rot": [0, 0, 0, 1]}
        >>> room = {"bounds_bottom": corners, "bounds_top": corners, "room_type": "bedroom", "objects": [bed]}
        >>> SceneRepair()(pa.table({"scene_id": ["R"], "scene": [json.dumps(room)]}))["repairs"].to_pylist()
        [['bed moved by 0.02 m']]
    """

    rows: ClassVar[Any] = "filter"
    spread = True
    inputs: ClassVar[Columns] = {"scene_id": str, "scene": str}
    outputs: ClassVar[Columns] = {"scene": str, "repairs": list[str]}
    record: ClassVar[tuple[str, ...]] = ("repairs",)

    keep_faulty: bool = False
    enabled: bool = True

    def batch(self, table: pa.Table) -> Made:
        """Repair one room after the other."""
        return made_of_rows(self, table, lambda rows: map(self._repaired, rows))

    def _repaired(self, row: Record) -> Outcome | Failure:
        """The room with what was done, or the problems that nothing small ends."""
        text = row["scene"]
        try:
            if not self.enabled:
                return {"scene": text, "repairs": []}
            found = repaired(json.loads(text))
        except Exception as error:
            return error
        finally:
            progress.advance()
        if found.left and not self.keep_faulty:
            problems = first_few(found.left, _NAMED)
            told = json.dumps({"scene_id": row["scene_id"], "problems": problems}, ensure_ascii=False)
            return Failure(0, f"problems remain: {problems}", "Dropped", kind="dropped", inputs=told)
        return {"scene": written(found.scene) if found.done else text, "repairs": list(found.done)}
