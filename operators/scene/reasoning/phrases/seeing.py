"""What is seen in a room before a turn: what there is, and which problems."""

PHRASES = {
    "seen.empty": (
        "The {room} is still empty and measures {w} m by {d} m.",
        "I look at a bare {room}: nothing stands in it, and the floor measures {w} m by {d} m.",
        "Nothing has been placed yet. The {room} measures {w} m by {d} m, and every piece can go where it works best.",
        "This is an empty {room} of {w} m by {d} m, with no furniture to work around.",
        "Both views show bare floor. The {room} spans {w} m by {d} m and has everything still to come.",
        "There is no furniture in the {room} so far, only {w} m by {d} m of open floor.",
    ),
    "seen.all": (
        "The {room} now holds {list}.",
        "At this point there {is_are} {list} in the {room}.",
        "What I see in the {room} so far: {list}.",
        "Looking at the two views, the {room} has {list}.",
        "So far the {room} contains {list}.",
        "The picture shows {list}.",
        "{count} {pieces} {stand} in the {room} at the moment: {list}.",
        "From above I can make out {list}.",
        "The {room} as it is has {list}, {count} {pieces} in all.",
    ),
    "seen.one": (
        "So far {list} is all that the {room} holds.",
        "The {room} has {list} and nothing else yet.",
        "The picture shows {list} and otherwise open floor.",
        "There is {list} in the {room}, and the rest is open.",
    ),
    "seen.main": (
        "The {room} holds {count} pieces by now, among them {list}.",
        "With {count} objects the {room} is fairly full; the main ones are {list}.",
        "There are {count} objects in the {room}, and {list} set the tone.",
        "Of the {count} objects in the {room}, {list} matter most for the layout.",
        "I count {count} objects in the {room}, {list} among them.",
        "The views show {count} objects; {list} carry the layout.",
    ),
    "problem.overlap": (
        "{one} and {other} overlap by {depth} m.",
        "{one} cuts into {other} by {depth} m.",
        "{one} overlaps {other} by {depth} m, which cannot be so in a real room.",
        "There is an overlap of {depth} m between {one} and {other}.",
        "{one} and {other} get in each other's way: they overlap by {depth} m.",
    ),
    "problem.outside": (
        "{name} stands partly outside: {share} % of its base is beyond the room's outline.",
        "{share} % of the base of {name} lies outside of the room.",
        "{name} reaches out of the room with {share} % of its base.",
    ),
    "problem.floats": (
        "{name} hangs {height} m above the floor with nothing under it.",
        "Nothing carries {name}, which floats {height} m above the floor.",
    ),
    "problem.wall": (
        "{name} stands free, {gap} m from the {wall} wall as the nearest one.",
        "{name} would do better against a wall; as it is, {name} stands {gap} m from the {wall} wall.",
        "{name} stands {gap} m from the {wall} wall, although such a piece does better close to a wall.",
    ),
    "problem.lacks": (
        "What a {room} cannot do without, {thing}, is still missing.",
        "The {room} still lacks {thing}.",
        "A {room} without {thing} does not work yet.",
        "{thing} is missing, and a {room} needs one.",
    ),
    "problem.sinks": (
        "{name} sinks {height} m below the floor.",
        "The base of {name} is {height} m below the floor.",
    ),
    "problem.turned": (
        "{text}.",
        "As things are, {text}.",
    ),
    "problem.astray": (
        "{text}, which is too far.",
        "{text}.",
    ),
    "problem.cluster": (
        "{list} are crowded together.",
        "{list} stand in one tight cluster.",
    ),
    "space.empty": (
        "The largest empty area, {w} m by {d} m, is in the {where}.",
        "In the {where} an area of {w} m by {d} m is still empty.",
        "The {where} has the most open floor, an empty area of {w} m by {d} m.",
        "There is an empty area of {w} m by {d} m in the {where}.",
    ),
    "space.lopsided": (
        "{share} % of the furniture's footprint lies in the {half} half, so the room leans that way.",
        "The room is lopsided, with {share} % of the furniture's footprint in the {half} half.",
    ),
    "problem.later": (
        "That is not what this step is about, so I leave it as it is.",
        "I note it, but this step is about something else.",
        "It has no part in this step.",
        "This step does not touch it.",
    ),
    "problem.none": (
        "No two objects overlap, and nothing stands outside of the room.",
        "Nothing overlaps and nothing leaves the room, so the base is sound.",
        "Physically all is well: no overlaps, nothing beyond the walls.",
        "I find no overlaps and nothing outside of the room.",
    ),
}  # fmt: skip
