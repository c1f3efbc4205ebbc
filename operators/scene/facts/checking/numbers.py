"""Whether each number of a sentence agrees with something that it may tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain

from operators.scene.facts.checking import shares, values
from operators.scene.facts.checking.agreeing import FREE, any_dims, any_near, any_point
from operators.scene.facts.checking.mentions import Mention
from operators.scene.facts.checking.quantities import Quantity, quantities
from operators.scene.facts.checking.reader import Sentence
from operators.scene.facts.checking.scopes import Scope, scope_of
from operators.scene.facts.checking.words import DIRECTIONS, NORM, PLAN_SIDES, ROOM
from operators.scene.facts.checking.world import World
from operators.scene.problems import Problem

_SIZE_AFTER = re.compile(
    r"^[\s-]*(?:in |of )?(?:overall )?(?:wide|long|deep|tall|high|thick|width|depth|height|length|across|broad|"
    r"size|is how (?:wide|tall|deep|high|long)|"
    r"(?:(?:too|much|still) )?(?:wider|narrower|taller|shorter|deeper|longer|shallower|larger|smaller|bigger|"
    r"higher)|from (?:front to back|side to side|end to end|top to bottom|head to foot))\b(?! into\b)"
)
_SIZE_BEFORE = re.compile(
    r"\b(?:width|depth|height|length|sizes?|dimensions?|footprint|measur\w+|wide|deep|tall|high|long|thick|"
    r"span\w*)\b[^,;\d]{0,28}$"
)
_SIZE_WORD = re.compile(r"\b(?:wide|widths?|long|lengths?|deep|depths?|tall|high|heights?|sizes?|dimensions?|"
                        r"footprint|across|broad|thick|"
                        r"wider|narrower|taller|shorter|deeper|longer|larger|smaller|bigger|"
                        r"scal\w+|resiz\w+|enlarg\w+|shr[iu]nk\w*|widen\w*)\b")  # fmt: skip
_GAP = re.compile(r"\b(?:gaps?|clearance|clear|aisle|passage|separat\w*)\b")
_OVERLAP = re.compile(r"\b(?:overlap\w*|intersect\w*|collid\w*|collision\w*|penetrat\w*|interpenetrat\w*|"
                      r"clip\w*|cuts? into|into each other|"
                      r"runs? into|pokes? into|digs? into|sinks? into|intrud\w*|encroach\w*|clash\w*|"
                      r"(?:deep )?into(?= (?:the |an? |its )?(?:[a-z-]+ ){0,2}_)|inside "
                      r"each other|reach\w* into|bites? into|juts? into)\b")  # fmt: skip
_PAST = re.compile(
    r"\b(?:past|beyond|through|outside|out of|sticks? out|protrud\w*|pokes?|cross\w*|overshoot\w*|exceed\w*|"
    r"juts?|behind|over the edge)\b"
)
_LIFT = re.compile(
    r"\b(?:float\w*|hover\w*|hang\w*|hung|suspend\w*|floor|ground|ceiling|air|lift\w*|rais\w*|lower\w*|drop\w*|"
    r"sink\w*|sunk\w*|height|up|top|base|underside|edge)\b"
)
_CHANGE = re.compile(r"\b(?:closer|nearer|further|farther|by|more|less|larger|smaller|wider|narrower|taller|"
                     r"shorter|deeper|change\w*|differ\w*|"
                     r"increase\w*|decrease\w*|grow\w*|shrink\w*|gain\w*|from|extra|additional|bigger|"
                     r"enlarge\w*|reduc\w*|moved?|trim\w*)\b")  # fmt: skip
_MOVE = re.compile(r"\b(?:mov(?:e[sd]?|ing)|shift\w*|sli(?:d|des|de|ding)|push\w*|pull\w*|relocat\w*|drag\w*|"
                   r"nudg\w*|reposition\w*|displac\w*|"
                   r"translat\w*|further|farther|closer|nearer|go(?:es|ing)?|lower(?:s|ed|ing)?|rais(?:e[sd]?|ing)|"
                   r"lift\w*|travel\w*|advanc\w*|retreat\w*|scoot\w*|carr(?:y|ies|ied)|bring\w*|brought|slid|"
                   r"dragged|draw\w*)\b")  # fmt: skip
_BY = re.compile(
    r"\b(?:by|an? (?:\w+ )?(?:rotation|turn|spin|swivel|twist) of) (?:about |roughly |some |exactly |another |"
    r"around )?$"
)
_BETWEEN = re.compile(
    r"\b(?:between|gaps?|distance|clearance|spac(?:e|ing)|interval|separation|aisle|passage|strip|way)\b"
)
_WALL = re.compile(r"\bwalls?\b")
_ACROSS = re.compile(r"\bfrom (?:west to east|east to west|north to south|south to north|wall to wall|left to right)\b")
_WAYS = "|".join(sorted((*DIRECTIONS, *PLAN_SIDES), key=len, reverse=True))
_WALL_OR_ONE = re.compile(rf"\b(?P<way>{_WAYS})"
                         r"(?:[ -]hand)?(?: (?:\w+ )?(?:walls?|one|side)\b|(?= (?:and|or|nor) (?:the )?\w+ "
                         r"walls?))")  # fmt: skip


def number_problems(
    sentence: Sentence, found: Sequence[Mention], carried: Sequence[Mention], world: World
) -> list[Problem]:
    """What the sentence says in numbers that agrees with nothing."""
    problems = []
    text = sentence.plain
    for quantity in quantities(text):
        if _is_named(sentence, quantity) or (NORM.search(sentence.text) and quantity.unit in ("m", "deg", "%", "m2")):
            continue
        clause = sentence.clause_at(quantity.start)
        regions = [(clause.start, min(clause.end, len(text)))]
        if _is_poor(
            text[slice(*regions[0])], [m for m in found if clause.start <= sentence.tokens[m.start].start < clause.end]
        ):
            whole = (0, len(text))
            plain = [m for m in found if m.ids and m.families is None]
            regions = [whole] if _WALL.search(text) or len(plain) > 1 else [*regions, whole]
        for start, end in regions:
            scope = scope_of(sentence, (start, end), found, carried, world)
            if _agrees(quantity, text[start : quantity.start], text[quantity.end : end], scope, world):
                break
        else:
            problems.append(
                Problem("text.number", f'"{quantity.text.strip()}" agrees with nothing in "{sentence.text[:160]}"')
            )
    return problems


def _is_poor(text: str, named: Sequence[Mention]) -> bool:
    """Whether a clause does not tell by itself what a number in it is about."""
    return not named or (len(named) == 1 and not _WALL.search(text))


def _is_named(sentence: Sentence, quantity: Quantity) -> bool:
    """Whether the number counts or numbers something."""
    if quantity.unit == "none":
        before = sentence.text[: quantity.start]
        if re.search(
            r"\b(?:turn|step|no\.?|number|tool_?|option|template|problem|issue|point|phase|#|class|level|"
            r"stage)\s*#?$",
            before,
        ):
            return True
        return quantity.values[0].is_integer() and "." not in quantity.text
    return False


def _agrees(quantity: Quantity, left: str, right: str, scope: Scope, world: World) -> bool:
    ids = scope.ids or set(world.things)
    if quantity.unit == "tuple":
        return any_point(quantity, ids, world) or (not scope.here and any_point(quantity, set(world.things), world))
    if quantity.unit == "dims":
        return any_dims(quantity, ids, left + right, world)
    if quantity.unit == "axis":
        return any_near(quantity, values.coordinates(world, ids, quantity.axis, f"{left} {right}"))
    if quantity.unit == "deg":
        by = _BY.search(left) is not None
        return any_near(quantity, values.turns(world, ids) if by else values.angles(world, ids), 1.0, extra=0.6)
    if quantity.unit == "%":
        return any_near(quantity, shares.percents(world, ids, left + right), 1.0, extra=0.6)
    if quantity.unit == "m2":
        return any_near(quantity, shares.areas(world, ids), extra=0.03)
    if quantity.unit == "m3":
        return any_near(quantity, shares.volumes(world, ids), extra=0.03)
    if quantity.unit == "times":
        return any_near(quantity, values.factors(world, ids), extra=0.005)
    if quantity.unit == "none":
        places = (values.coordinates(world, ids, axis, left) for axis in "xyz")
        lengths = _lengths(quantity, left, right, scope, world)
        pool = chain(lengths, *places, values.factors(world, ids), *values.points(world, ids))
        return any_near(quantity, pool)
    return any_near(quantity, _lengths(quantity, left, right, scope, world))


def _lengths(quantity: Quantity, left: str, right: str, scope: Scope, world: World) -> Iterator[float]:
    """The lengths that a number in metres may tell, by the topics of the words around it."""
    text, ids = f"{left} # {right}", scope.ids
    change, moved = bool(_CHANGE.search(text)), _moved(text)
    size = _SIZE_AFTER.search(right)
    if size and not FREE.search(right[:45]):
        yield from _of_size(size.group(), ids, scope, world)
        return
    if _OVERLAP.search(text) and not re.match(r"^\s*(?:from|off|away)\b", right):
        yield from _paired(values.depths, scope, world)
        if _PAST.search(text) or _WALL.search(text):
            yield from values.past(world, ids)
        if not moved:
            return
    size = _SIZE_BEFORE.search(left)
    if (
        size
        and not FREE.search(size.group())
        and not ("measur" in size.group() and (_WALL.search(text) or _BETWEEN.search(left)))
        and not re.match(r"\s*(?:away |off )?(?:from|off|to)\b", right)
    ):
        yield from _of_size(size.group(), ids, scope, world)
        return
    if _WALL.search(text):
        yield from _wall_lengths(text, ids, change, world)
        if len(scope.here) > 1:
            yield from _paired(lambda w, a, b: values.pairs(w, a, b, change=change), scope, world)
        if not moved:
            return
    yield from _others(left, right, scope, world, change=change, moved=moved)


def _others(left: str, right: str, scope: Scope, world: World, *, change: bool, moved: bool) -> Iterator[float]:
    """The lengths of topics that do not shut out each other."""
    text, ids = f"{left} # {right}", scope.ids
    if re.search(r"\bceiling\b", text):
        yield world.before.floor.height
    if re.match(r"\s*(?:above|over|off|from|up from) the (?:floor|ground)\b", right):
        yield from values.lifts(world, ids)
    elif _LIFT.search(text):
        yield from values.heights(world, ids) if "ceiling" in text else values.lifts(world, ids)
    if _PAST.search(text):
        yield from values.past(world, ids)
    if re.search(r"\b(?:empty|free|open|unused|bare|void|area|strip)\b", text):
        yield from values.empties(world)
    if re.search(r"\b(?:sides?|either|around|free|all)\b", text):
        yield from values.around(world, ids)
    if moved:
        yield from values.moves(world, ids)
    if size := _SIZE_WORD.search(text):
        yield from _of_size(size.group(), ids, scope, world)
        if not FREE.search(text) and len(scope.here) < 2:
            return
    if re.search(r"\bof\s*$", left) and not _BETWEEN.search(left):
        yield from values.sizes(world, ids)
    if not scope.here:
        yield from values.around(world, ids)
    if not moved or len(scope.here) > 1 or _reaches(left, right):
        middles = not _GAP.search(text)
        yield from _paired(lambda w, a, b: values.pairs(w, a, b, change=change, middles=middles), scope, world)
    axial = _direction_in(text) or re.search(r"\b(?:axis|along|sideways|across)\b", text)
    if axial and len(scope.here) > 1:
        yield from _paired(values.along, scope, world)
    if not scope.here and (ROOM.search(text) or _ACROSS.search(text)):
        yield from values.room_lengths(world)


def _reaches(left: str, right: str) -> bool:
    """Whether a number beside a move tells what lies between two things, not how far one goes."""
    ahead = (
        rf"\s*(?:\w+ )?(?:to (?!the (?:{_WAYS})\b)|"
        r"from|between|apart|away|off|clear|free|in front|beside|remain|left\b)"
    )
    return bool(
        re.match(ahead, right) or re.search(r"\b(?:gap|clearance|distance|leav\w*|keep\w*|space)\b[^,]{0,20}$", left)
    )


def _of_size(words: str, ids: Iterable[str], scope: Scope, world: World) -> Iterator[float]:
    """The dimensions that a word of size means; of the room as well where no thing is named."""
    tall = re.search(r"\b(?:tall|high|heights?|taller|higher)\b", words)
    flat = re.search(
        r"\b(?:wide|widths?|long|lengths?|deep|depths?|across|broad|wider|narrower|deeper|longer)\b", words
    )
    if re.search(r"(?:er)\b", words):
        yield from _paired(values.size_differences, scope, world)
    yield from values.sizes(world, ids, (1,) if tall and not flat else (0, 2) if flat and not tall else (0, 1, 2))
    if tall:
        yield from values.heights(world, ids)
    if not scope.here or ROOM.search(words):
        yield from values.room_lengths(world)


def _wall_lengths(text: str, ids: Iterable[str], change: bool, world: World) -> Iterator[float]:
    centre = re.search(r"\b(?:centre|center|middle|midpoint)\b", text) is not None
    ids = list(ids)
    ways = [DIRECTIONS.get(match["way"]) or PLAN_SIDES[match["way"]] for match in _WALL_OR_ONE.finditer(text)]
    directed: list[tuple[int, int] | None] = [*ways] or [None]
    for way in directed:
        yield from values.walls(world, ids, way, centre=centre, change=change)
    if _PAST.search(text) or _OVERLAP.search(text):
        yield from values.past(world, ids)
    if re.search(r"\bwall is\b|\blong wall\b|\bwall of\b", text):
        yield from values.room_lengths(world)


def _direction_in(text: str) -> tuple[int, int] | None:
    """The last direction named in a text."""
    found = None
    for word in re.findall(r"[a-z-]+", text):
        found = DIRECTIONS.get(word) or PLAN_SIDES.get(word) or found
    return found


def _moved(text: str) -> bool:
    return _MOVE.search(text) is not None


def _paired(measure: object, scope: Scope, world: World) -> Iterator[float]:
    couples = list(scope.couples())
    if not any(one != other for one, other in couples) and len(scope.ids) == 1:
        couples = [(frozenset(scope.ids), frozenset(world.things))]
    for one, other in couples or [(frozenset(world.things), frozenset(world.things))]:
        yield from measure(world, one, other)  # type: ignore[operator]
