"""How the objects of a finished room stand to each other, as a user would ask for it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from operators.scene.geometry import Box, box_of, floor_of, nearest_wall, plan_gap
from operators.scene.instructions.contents import Contents, Piece, number_word, written_noun
from operators.scene.scene import Scene

#: Metres: closer than this is "against", "beside", "around".
_AGAINST, _BESIDE, _AROUND = 0.12, 0.5, 0.6
_TABLES = ("table", "desk")


def layout_wishes(scene: Scene, contents: Contents) -> list[str]:
    """What can be said of the room's layout, each a half sentence that is so, as "the bed against a wall".

    >>> rot = [0.0, 0.0, 0.0, 1.0]
    >>> room = {"room_type": "bedroom", "bounds_top": [[0, 2.5, 0]],
    ...         "bounds_bottom": [[-2, 0, -2], [2, 0, -2], [2, 0, 2], [-2, 0, 2]],
    ...         "objects": [{"desc": "A bed", "size": [1.6, 0.8, 2.0], "pos": [0.0, 0.0, -0.95], "rot": rot},
    ...                     {"desc": "A nightstand", "size": [0.5, 0.5, 0.5], "pos": [1.1, 0.0, -1.7], "rot": rot},
    ...                     {"desc": "A nightstand", "size": [0.5, 0.5, 0.5], "pos": [-1.1, 0.0, -1.7], "rot": rot}]}
    >>> from operators.scene.instructions.contents import contents_of
    >>> layout_wishes(room, contents_of(room))
    ['the bed against a wall', 'a nightstand on either side of the bed']
    """
    boxes = {piece.kind.noun: [box_of(each) for each in piece.objects] for piece in contents.pieces}
    main = contents.main
    return [*_against_walls(main, boxes, scene), *_around(main, boxes), *_either_side(main, boxes),
            *_above(contents.of("lamp"), main, boxes), *_beside(contents, boxes)]  # fmt: skip


def _name(piece: Piece) -> str:
    return written_noun(piece.kind.noun)


def _against_walls(main: Sequence[Piece], boxes: dict[str, list[Box]], scene: Scene) -> Iterator[str]:
    """Single pieces of furniture that stand at a wall."""
    floor = floor_of(scene)
    for piece in main:
        if piece.count > 1 or piece.kind.stands != "floor" or piece.kind.family in ("rug", "plant", "lamp"):
            continue
        wall = nearest_wall(boxes[piece.kind.noun][0], floor)
        if wall is not None and abs(wall.gap) <= _AGAINST:
            yield f"the {_name(piece)} against a wall"


def _around(main: Sequence[Piece], boxes: dict[str, list[Box]]) -> Iterator[str]:
    """Three seats or more, all at one table."""
    seats = [piece for piece in main if piece.kind.family == "seat" and piece.count >= 3]
    for table in (piece for piece in main if piece.kind.family == "table" and piece.count == 1):
        (top,) = boxes[table.kind.noun]
        for piece in seats:
            if all(plan_gap(each, top) <= _AROUND for each in boxes[piece.kind.noun]):
                yield f"the {number_word(piece.count)} {written_noun(piece.kind.plural)} around the {_name(table)}"


def _either_side(main: Sequence[Piece], boxes: dict[str, list[Box]]) -> Iterator[str]:
    """Two of a kind, left and right of a bed or a sofa."""
    for middle in (piece for piece in main if piece.kind.family in ("bed", "sofa") and piece.count == 1):
        (box,) = boxes[middle.kind.noun]
        for piece in (piece for piece in main if piece.count == 2 and piece is not middle):
            if piece.kind.family == "lamp":
                continue
            both = boxes[piece.kind.noun]
            (fx, fz) = box.front
            sides = [fz * (each.x - box.x) - fx * (each.z - box.z) for each in both]
            close = all(plan_gap(each, box) <= _BESIDE for each in both)
            if close and sides[0] * sides[1] < 0 and min(map(abs, sides)) > box.wide * 0.8:
                noun = _name(piece)
                yield f"{'an' if noun[0] in 'aeiou' else 'a'} {noun} on either side of the {_name(middle)}"


def _above(lamps: Sequence[Piece], main: Sequence[Piece], boxes: dict[str, list[Box]]) -> Iterator[str]:
    """A lamp of the ceiling that hangs over a table, a bed or a desk."""
    for lamp in (piece for piece in lamps if piece.count == 1 and piece.kind.stands == "ceiling"):
        (box,) = boxes[lamp.kind.noun]
        for piece in main:
            if piece.count == 1 and piece.kind.family in (*_TABLES, "bed"):
                (under,) = boxes[piece.kind.noun]
                if box.low >= under.high and _within(box, under):
                    yield f"the {_name(lamp)} above the {_name(piece)}"


def _beside(contents: Contents, boxes: dict[str, list[Box]]) -> Iterator[str]:
    """Two single pieces that stand next to each other on the floor."""
    single = [p for p in contents.pieces if p.count == 1 and p.kind.stands == "floor" and p.kind.family != "rug"]
    for i, piece in enumerate(single):
        for other in single[i + 1 :]:
            (one,), (two,) = boxes[piece.kind.noun], boxes[other.kind.noun]
            on_one_level = one.low < two.high and two.low < one.high
            if on_one_level and abs(one.x - two.x) + abs(one.z - two.z) < 4 and 0.0 < plan_gap(one, two) <= _BESIDE:
                yield f"the {_name(other)} next to the {_name(piece)}"


def _within(box: Box, under: Box) -> bool:
    """Whether the middle of one box lies over the other one's footprint."""
    (fx, fz), dx, dz = under.front, box.x - under.x, box.z - under.z
    return abs(fx * dx + fz * dz) <= under.deep and abs(fz * dx - fx * dz) <= under.wide
