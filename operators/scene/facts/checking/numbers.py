"""Whether each number of a sentence agrees with something that it may tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, permutations

from operators.scene.facts.checking import values
from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.quantities import Quantity, quantities
from operators.scene.facts.checking.reader import Sentence
from operators.scene.facts.checking.words import DIRECTIONS, NORM, PLAN_SIDES, VERBS
from operators.scene.facts.checking.world import World
from operators.scene.problems import Problem

_SIZE_AFTER = re.compile(r"^[\s-]*(?:in )?(?:overall )?(?:wide|long|deep|tall|high|thick|width|depth|height|length|across|broad|size)\b")
_SIZE_BEFORE = re.compile(
    r"\b(?:width|depth|height|length|sizes?|dimensions?|footprint|measur\w+|wide|deep|tall|high|long|thick|span\w*)\b[^,;\d]{0,28}$"
)
_FREE = re.compile(r"\b(?:gap|aisle|passage|strip|corridor|walkway|path|clearance|opening|space|room for|free|empty|bare|open|unused|void|clear)\b")
_OVERLAP = re.compile(r"\b(?:overlap\w*|intersect\w*|collid\w*|collision\w*|penetrat\w*|interpenetrat\w*|clip\w*|cuts? into|into each other|"
                      r"runs? into|pokes? into|digs? into|sinks? into|intrud\w*|encroach\w*|clash\w*|inside each other|reach\w* into|bites? into|juts? into)\b")  # fmt: skip
_PAST = re.compile(r"\b(?:past|beyond|through|outside|out of|sticks? out|protrud\w*|pokes?|cross\w*|overshoot\w*|exceed\w*|juts?|behind|over the edge)\b")
_LIFT = re.compile(r"\b(?:float\w*|hover\w*|hang\w*|hung|suspend\w*|floor|ground|ceiling|air|lift\w*|rais\w*|lower\w*|drop\w*|sink\w*|sunk\w*|height|up)\b")
_CHANGE = re.compile(r"\b(?:closer|nearer|further|farther|by|more|less|larger|smaller|wider|narrower|taller|shorter|deeper|change\w*|differ\w*|"
                     r"increase\w*|decrease\w*|grow\w*|shrink\w*|gain\w*|from|extra|additional|bigger|enlarge\w*|reduc\w*|moved?|trim\w*)\b")  # fmt: skip
_PRONOUN = re.compile(r"\b(?:it|its|them|they|their|this|that|which|each other|one another|both|these|those|he|other)\b")
_MOVE = frozenset(form for form, tools in VERBS.items() if "move_object" in tools)
_WALL = re.compile(r"\bwalls?\b")


@dataclass
class Scope:
    """The objects that a number may be about: those of its clause, and others that may stand beside them."""

    here: list[frozenset[str]]
    beside: list[frozenset[str]]

    @property
    def ids(self) -> set[str]:
        """All objects of the clause, or, if it names none, those beside."""
        return set().union(*(self.here or self.beside))

    def couples(self) -> Iterator[tuple[frozenset[str], frozenset[str]]]:
        """Pairs of mentions, of which at least one is of the clause."""
        for i, one in enumerate(self.here):
            yield from ((one, other) for other in (*self.here[i + 1 :], *self.beside))
            if len(one) > 1:
                yield one, one
        if not self.here:
            for i, one in enumerate(self.beside):
                yield from ((one, other) for other in self.beside[i:])


def number_problems(sentence: Sentence, found: Sequence[Mention], carried: Sequence[Mention], world: World) -> list[Problem]:
    """What the sentence says in numbers that agrees with nothing."""
    problems = []
    for quantity in quantities(_without_names(sentence, found)):
        if _is_named(sentence, quantity):
            continue
        clause = sentence.clause_at(quantity.start)
        left, right = sentence.text[clause.start : quantity.start], sentence.text[quantity.end : clause.end]
        if re.match(r"\s*(?:m |metres? )?(?:off|from|away from|before|of) (?:it|that|there)\b", right):
            left = sentence.text[: quantity.start].rstrip(" ,") + " "
            right = re.sub(r"\b(?:it|that|there)\b", "", right, count=1)
        if NORM.search(sentence.text) and quantity.unit in ("m", "deg", "%", "m2"):
            continue
        scope = scope_at(sentence, quantity.start, found, carried, world)
        if not _agrees(quantity, left, right, scope, world):
            problems.append(Problem("text.number", f'"{quantity.text.strip()}" agrees with nothing in "{sentence.text[:160]}"'))
    return problems


def scope_at(sentence: Sentence, place: int, found: Sequence[Mention], carried: Sequence[Mention], world: World) -> Scope:
    """The objects that what stands at a place of a sentence may be about."""
    clause = sentence.clause_at(place)
    named = [m for m in found if m.ids and m.families is None]
    here = [m for m in named if clause.start <= sentence.tokens[m.start].start < clause.end]
    rest = [m for m in named if m not in here]
    groups = [m.ids for m in here]
    beside = [m.ids for m in rest]
    if _PRONOUN.search(clause.text) or len(here) < 2 and not rest or not here:
        beside += [m.ids for m in carried if m.ids and m.families is None]
    if not groups and not beside and world.called:
        beside = [frozenset(world.called)]
    return Scope(groups, beside)


def _without_names(sentence: Sentence, found: Sequence[Mention]) -> str:
    """The sentence with the numbers in names blotted out."""
    text = sentence.text
    for mention in found:
        start, end = sentence.tokens[mention.start].start, sentence.tokens[mention.end - 1].end
        text = text[:start] + re.sub(r"\d", "_", text[start:end]) + text[end:]
    return text


def _is_named(sentence: Sentence, quantity: Quantity) -> bool:
    """Whether the number counts or numbers something."""
    if quantity.unit == "none":
        before = sentence.text[: quantity.start]
        if re.search(r"\b(?:turn|step|no\.?|number|tool_?|option|template|problem|issue|point|phase|#|class|level|stage)\s*#?$", before):
            return True
        return quantity.values[0].is_integer() and "." not in quantity.text
    return False


def _agrees(quantity: Quantity, left: str, right: str, scope: Scope, world: World) -> bool:
    ids = scope.ids or set(world.things)
    if quantity.unit == "tuple":
        return _any_point(quantity, ids, world) or (not scope.here and _any_point(quantity, set(world.things), world))
    if quantity.unit == "dims":
        return _any_dims(quantity, ids, left + right, world)
    if quantity.unit == "axis":
        return _any(quantity, values.coordinates(world, ids, quantity.axis))
    if quantity.unit == "deg":
        return _any(quantity, values.angles(world, ids), 1.0, extra=0.6)
    if quantity.unit == "%":
        return _any(quantity, values.percents(world, ids, left + right), 1.0, extra=0.6)
    if quantity.unit == "m2":
        return _any(quantity, values.areas(world, ids), extra=0.03)
    if quantity.unit == "m3":
        return _any(quantity, values.volumes(world, ids), extra=0.03)
    if quantity.unit == "times":
        return _any(quantity, values.factors(world, ids), extra=0.005)
    if quantity.unit == "none":
        pool = chain(_lengths(quantity, left, right, scope, world), *(values.coordinates(world, ids, axis) for axis in "xyz"),
                     values.factors(world, ids), *values.points(world, ids))  # fmt: skip
        return _any(quantity, pool)
    return _any(quantity, _lengths(quantity, left, right, scope, world))


def _lengths(quantity: Quantity, left: str, right: str, scope: Scope, world: World) -> Iterator[float]:
    """The lengths that a number in metres may tell, by the words around it."""
    clause, ids = f"{left} # {right}", scope.ids
    change = bool(_CHANGE.search(clause))
    if _SIZE_AFTER.search(right) and not _FREE.search(right[:45]):
        yield from chain(values.sizes(world, ids), () if scope.here else values.room_lengths(world))
        if re.match(r"^[\s-]*high", right):
            yield from values.heights(world, ids)
        return
    if _OVERLAP.search(clause) and not re.match(r"^\s*(?:from|off|away)\b", right):
        yield from _paired(values.depths, scope, world)
        if _PAST.search(clause) or _WALL.search(clause):
            yield from values.past(world, ids)
        if not _moved(clause):
            return
    wall = _wall_of(left, right)
    if wall is not None:
        yield from _wall_lengths(wall, clause, ids, change, world)
        if not _moved(clause):
            return
    if re.search(r"\bceiling\b[^,;\d]{0,25}$", left):
        yield world.before.floor.height
    if re.search(r"\b(?:sides?|either|around|free|all)\b", clause):
        yield from values.around(world, ids)
    if _SIZE_BEFORE.search(left):
        yield from chain(values.sizes(world, ids), values.heights(world, ids), values.room_lengths(world) if not scope.here else ())
        if not _FREE.search(clause):
            return
    if _LIFT.search(clause):
        yield from values.heights(world, ids)
    if _PAST.search(clause):
        yield from values.past(world, ids)
    if _FREE.search(clause):
        yield from values.empties(world)
    if _moved(clause):
        yield from chain(values.moves(world, ids), values.sizes(world, ids))
    yield from _paired(lambda w, a, b: values.pairs(w, a, b, change=change), scope, world)
    if _direction_in(clause) or re.search(r"\b(?:axis|along|sideways|across)\b", clause):
        yield from _paired(values.along, scope, world)
    if re.search(r"\b(?:room|floor|ceiling|wall)\b", clause) and not scope.here:
        yield from values.room_lengths(world)
    if re.search(r"\b(?:size|scale\w*|resiz\w*|from|to)\b", clause) and re.search(r"\b(?:wid|deep|dep|tall|heigh|size|scal|resiz|long|enlarg|shr)", clause):
        yield from values.sizes(world, ids)


def _wall_lengths(wall: str, clause: str, ids: Iterable[str], change: bool, world: World) -> Iterator[float]:
    way = _direction_in(wall)
    centre = re.search(r"\b(?:centre|center|middle|midpoint)\b", clause) is not None
    yield from values.walls(world, ids, way, centre=centre, change=change)
    if _PAST.search(clause) or _OVERLAP.search(clause):
        yield from values.past(world, ids)
    if re.search(r"\bwall is\b|\blong wall\b|\bwall of\b", clause):
        yield from values.room_lengths(world)


def _wall_of(left: str, right: str) -> str | None:
    """The words of the wall that the number is about: after it, before any other thing; else before it."""
    match = re.match(r"^[^,;\d]{0,60}?\bwalls?\b", right)
    if match and not _names_other(match.group()):
        return match.group()
    near = re.search(r"(?:[a-z-]+ ){0,3}walls?\b[^,;\d]{0,40}$", left)
    if near and not re.match(r"^\s*(?:from|to|of|off|away from|between|beside|next to) (?:the |its |a )?(?!wall)", right):
        return near.group()
    return None


def _names_other(text: str) -> bool:
    """Whether a thing is named between a number and a wall: "0.30 m from the nightstand by the west wall"."""
    from operators.scene.furniture.kinds import nouns

    words = text.split()
    return any(word.strip(".,") in nouns() for word in words[:-1])


def _direction_in(text: str) -> tuple[int, int] | None:
    """The last direction named in a text."""
    found = None
    for word in re.findall(r"[a-z-]+", text):
        found = DIRECTIONS.get(word) or PLAN_SIDES.get(word) or found
    return found


def _moved(clause: str) -> bool:
    return any(word in _MOVE or word in ("move", "shift", "nudge", "displacement", "further", "farther", "closer", "nearer")
               for word in re.findall(r"[a-z-]+", clause))  # fmt: skip


def _paired(measure: object, scope: Scope, world: World) -> Iterator[float]:
    couples = list(scope.couples())
    if not any(one != other for one, other in couples) and len(scope.ids) == 1:
        couples = [(frozenset(scope.ids), frozenset(world.things))]
    for one, other in couples or [(frozenset(world.things), frozenset(world.things))]:
        yield from measure(world, one, other)  # type: ignore[operator]


def _any(quantity: Quantity, pool: Iterable[float], factor: float = 1.0, extra: float = 0.0) -> bool:
    value, slack = quantity.values[0], quantity.slack * factor + extra
    if quantity.compared:
        return any((abs(each) - value) * quantity.compared >= -slack for each in pool)
    return any(abs(abs(each) - value) <= slack or abs(each - value) <= slack for each in pool)


def _any_point(quantity: Quantity, ids: Iterable[str], world: World) -> bool:
    n, slack = len(quantity.values), quantity.slack
    return any(
        len(point) == n and all(abs(a - b) <= slack for a, b in zip(point, quantity.values, strict=True))
        for point in values.points(world, ids)
    )


def _any_dims(quantity: Quantity, ids: Iterable[str], clause: str, world: World) -> bool:
    n, slack = len(quantity.values), quantity.slack
    wanted: list[tuple[float, ...]] = [thing.size for jid in ids for _, thing in world.states(jid)]
    x0, z0, x1, z1 = world.before.floor.bounds
    if re.search(r"\b(?:room|floor|space|area|bedroom|office|shell|plan|rectangle|zone)\b", clause) or _FREE.search(clause):
        wanted += [(x1 - x0, z1 - z0), (x1 - x0, z1 - z0, world.before.floor.height)]
        empties = list(values.empties(world))
        wanted += [tuple(empties[i : i + 2]) for i in range(0, len(empties), 2)]
    return any(
        all(abs(a - b) <= slack for a, b in zip(some, quantity.values, strict=True))
        for dims in wanted
        for some in permutations(dims, n)
        if len(dims) >= n
    )
