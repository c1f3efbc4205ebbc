"""Four turns in rooms of our own, whose facts can be worked out by hand."""

import math
from dataclasses import dataclass

from operators.scene.model.simulator import apply


def put(jid, desc, size, pos, yaw=0):
    return {"desc": desc, "size": size, "pos": pos, "rot": turned(yaw), "jid": jid}


def turned(yaw):
    half = math.radians(yaw) / 2
    return [0.0, round(math.sin(half), 5), 0.0, round(math.cos(half), 5)]


def room(room_type, width, depth, objects, height=2.6):
    corners = [(-width / 2, -depth / 2), (width / 2, -depth / 2), (width / 2, depth / 2), (-width / 2, depth / 2)]
    return {
        "bounds_top": [[x, height, z] for x, z in corners],
        "bounds_bottom": [[x, 0.0, z] for x, z in corners],
        "room_type": room_type,
        "room_id": room_type,
        "objects": objects,
    }


@dataclass
class Turn:
    """A turn: its room, its calls and what they put, and a conclusion that is true."""

    before: dict
    calls: list
    retrievals: dict
    conclusion: str

    @property
    def after(self):
        return apply(self.before, self.calls, self.retrievals)


def call(number, name, **arguments):
    return {"id": f"tool_{number}", "name": name, "arguments": arguments}


# A bedroom of 4 x 5 m: a nightstand cuts 0.10 m into the bed, and there is no desk for the chair.
BEDROOM = Turn(
    before=room(
        "bedroom", 4, 5,
        [
            put("bed-1", "A modern king-size bed with a gray headboard.", [1.8, 1.0, 2.1], [0.0, 0.0, -1.45]),
            put("ns-1", "A walnut nightstand with two drawers.", [0.5, 0.55, 0.4], [-1.25, 0.0, -2.3]),
            put("ns-1__2", "A walnut nightstand with two drawers.", [0.5, 0.55, 0.4], [1.05, 0.0, -2.3]),
            put("wr-1", "A tall white wardrobe with sliding doors.", [1.6, 2.2, 0.6], [-1.65, 0.0, 1.2], 90),
            put("fl-1", "A slim black floor lamp.", [0.4, 1.6, 0.4], [1.7, 0.0, 2.2]),
            put("ch-1", "An ergonomic office chair in black mesh.", [0.6, 0.9, 0.6], [1.2, 0.0, 1.0], 180),
        ],
    ),
    calls=[
        call(1, "move_object", jid="ns-1__2", new_position=[1.25, 0.0, -2.3]),
        call(2, "add_object", object_description="A white writing desk.", position=[1.2, 0.0, 0.35], rotation=turned(0),
             size=[1.2, 0.75, 0.6]),
    ],
    retrievals={"tool_2": {"jid": "dk-1", "desc": "A white writing desk.", "size": [1.2, 0.75, 0.6]}},
    conclusion="Moves nightstand 2 clear of the bed and adds a writing desk in front of the chair.",
)  # fmt: skip

# A living room of 6 x 4 m: an armchair turned away, a plant half out of the room, a bookshelf that floats.
LIVINGROOM = Turn(
    before=room(
        "livingroom", 6, 4,
        [
            put("so-1", "A three-seat gray fabric sofa.", [2.2, 0.85, 0.9], [0.0, 0.0, 1.5], 180),
            put("ct-1", "A low coffee table with a glass top.", [1.0, 0.4, 0.6], [0.0, 0.0, 0.4]),
            put("tv-1", "A black TV stand with open shelves.", [1.6, 0.5, 0.4], [0.0, 0.0, -1.75]),
            put("ar-1", "A green armchair with wooden legs.", [0.8, 0.9, 0.8], [-2.0, 0.0, 0.4], 0),
            put("ar-2", "A blue armchair with wooden legs.", [0.8, 0.9, 0.8], [2.0, 0.0, 0.4], -90),
            put("pl-1", "A potted plant with large leaves.", [0.5, 1.2, 0.5], [2.9, 0.0, -1.6]),
            put("pe-1", "A brass pendant lamp.", [0.6, 0.8, 0.6], [0.0, 1.8, 0.4]),
            put("bs-1", "A narrow oak bookshelf.", [0.8, 1.8, 0.3], [-2.5, 0.4, -1.8]),
        ],
    ),
    calls=[
        call(1, "rotate_object", jid="ar-1", new_rotation=turned(90)),
        call(2, "remove_object", jid="pl-1"),
        call(3, "scale_object", jid="ct-1", new_size=[1.2, 0.4, 0.7]),
        call(4, "replace_object", jid_to_replace="tv-1", new_object_description="A low oak sideboard."),
        call(5, "move_object", jid="bs-1", new_position=[-2.5, 0.0, -1.8]),
    ],
    retrievals={"tool_4": {"jid": "sb-1", "desc": "A low oak sideboard.", "size": [1.8, 0.7, 0.4]}},
    conclusion="Rotates the green armchair, removes the plant, enlarges the coffee table, replaces the TV stand with an oak "
               "sideboard and lowers the bookshelf by moving it down to the floor.",
)  # fmt: skip

# A finished dining room of 4 x 4 m.
DININGROOM = Turn(
    before=room(
        "diningroom", 4, 4,
        [
            put("dt-1", "A round oak dining table.", [1.2, 0.75, 1.2], [0.0, 0.0, 0.0]),
            put("dc-1", "A dining chair with a rush seat.", [0.45, 0.9, 0.45], [0.0, 0.0, -0.9], 0),
            put("dc-1__2", "A dining chair with a rush seat.", [0.45, 0.9, 0.45], [0.0, 0.0, 0.9], 180),
            put("dc-1__3", "A dining chair with a rush seat.", [0.45, 0.9, 0.45], [-0.9, 0.0, 0.0], 90),
            put("dc-1__4", "A dining chair with a rush seat.", [0.45, 0.9, 0.45], [0.9, 0.0, 0.0], -90),
            put("sb-1", "A long walnut sideboard.", [1.8, 0.8, 0.4], [0.0, 0.0, -1.8], 0),
            put("cl-1", "A small chandelier of clear glass.", [0.8, 0.6, 0.8], [0.0, 2.0, 0.0]),
            put("vs-1", "A blue ceramic vase.", [0.2, 0.3, 0.2], [0.0, 0.75, 0.0]),
        ],
    ),
    calls=[call(1, "terminate", reason="The dining room is furnished.")],
    retrievals={},
    conclusion="The dining room is finished, and no more edits are needed.",
)  # fmt: skip

# An empty bedroom of 3.6 x 4.2 m that gets its large furniture.
EMPTY = Turn(
    before=room("bedroom", 3.6, 4.2, []),
    calls=[
        call(1, "add_object", object_description="A platform bed in light oak.", position=[0.0, 0.0, -1.05], rotation=turned(0),
             size=[1.6, 0.9, 2.1]),
        call(2, "add_object", object_description="A white wardrobe.", position=[1.48, 0.0, 1.2], rotation=turned(-90),
             size=[1.4, 2.1, 0.6]),
        call(3, "add_object", object_description="A small nightstand.", position=[-1.1, 0.0, -1.88], rotation=turned(0),
             size=[0.45, 0.5, 0.4]),
    ],
    retrievals={
        "tool_1": {"jid": "b", "desc": "A platform bed in light oak.", "size": [1.6, 0.9, 2.1]},
        "tool_2": {"jid": "w", "desc": "A white wardrobe.", "size": [1.4, 2.1, 0.6]},
        "tool_3": {"jid": "n", "desc": "A small nightstand.", "size": [0.45, 0.5, 0.4]},
    },
    conclusion="Adds a bed, a wardrobe and a nightstand.",
)  # fmt: skip
