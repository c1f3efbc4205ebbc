"""Why something that is there is moved, turned, resized, replaced or removed."""

PHRASES = {
    # What an earlier turn of the same chain put, and why it goes.
    "own.gain": (
        "{name} was brought in earlier, and it has turned out not to fit.",
        "{name} came in with an earlier step, but it did not prove right.",
        "I brought {name} in earlier, and that was not the best choice.",
        "That {name} came in earlier was worth a try, but it has a flaw.",
        "Earlier I brought in {name}; by now I see what is wrong with it.",
    ),
    "own.since": (
        "{name} was brought in earlier; now that {other} is there, the room can do without it.",
        "{name} was brought in earlier, and with {other} in the room it is one piece too many.",
        "{name} came in at an earlier step, but since {other} has come the room does not need it.",
        "With {other} in the room, {name}, which was brought in earlier, can go.",
        "Earlier I brought in {name}; since {other} came it adds little.",
        "It was my own choice to bring in {name} earlier, but now that {other} is here it is too much.",
    ),
    "own.remove": (
        "{name} was brought in earlier, and seen with the whole room it is one piece too many.",
        "I brought {name} in earlier, but the room can do without it.",
        "{name} came in at an earlier step, and it has turned out to add little.",
        "Earlier I brought in {name}; on a second look the room is better without it.",
        "It was my own choice to bring in {name} earlier, and I take it back.",
    ),
    "own.replace": (
        "{name} was brought in earlier, but at this spot a different piece does more for the room.",
        "I brought {name} in earlier; the spot is right, the piece is not.",
        "{name} came in at an earlier step, and on a second look another piece suits the spot better.",
        "Earlier I brought in {name}; seen with the rest, its spot asks for something else.",
        "It was my own choice to bring in {name} earlier, and another piece serves better there.",
    ),
    # Before: what is wrong, where the call makes it measurably better.
    "why.overlap.gone": (
        "{name} overlaps {other} by {depth} m, and that has to be solved.",
        "The trouble is with {name}, which cuts into {other} by {depth} m.",
        "{name} and {other} overlap by {depth} m, which no real room allows.",
        "I notice an overlap of {depth} m between {name} and {other}.",
    ),
    "why.overlap.less": (
        "{name} overlaps {other} by {depth} m; even where that cannot be undone at once it can be reduced.",
        "{name} cuts into {other} by {depth} m, more than need be.",
        "The overlap of {name} and {other}, {depth} m, is deeper than it has to be.",
    ),
    "why.outside.gone": (
        "{share} % of the base of {name} is outside of the room.",
        "{name} reaches beyond the room with {share} % of its base and has to come in.",
    ),
    "why.outside.less": (
        "{share} % of the base of {name} is outside of the room, and less would be better.",
        "{name} stands too far out, with {share} % of its base beyond the outline.",
    ),
    "why.wall.reached": (
        "{name} stands {gap} m off the {wall} wall and wastes the strip at the wall.",
        "{name} is {gap} m from the {wall} wall, and the strip at the wall is of no use.",
        "{name} should be closer to the {wall} wall than {gap} m.",
    ),
    "why.wall.freed": (
        "{name} reaches into the {wall} wall.",
        "{name} stands too close: it cuts into the {wall} wall.",
    ),
    "why.partner.nearer": (
        "{name} is {gap} m from {other}, too far for two pieces that are used together.",
        "{gap} m between {name} and {other} are more than is handy.",
        "{name} belongs to {other}, but {gap} m lie between them.",
    ),
    "why.partner.touch": (
        "{name} is {gap} m from {other}, too far for two pieces that are used together.",
        "{name} belongs to {other}, but {gap} m lie between them.",
    ),
    "why.room.wider": (
        "{name} and {other} are only {gap} m apart, which is tight.",
        "Just {gap} m lie between {name} and {other}.",
        "The {gap} m between {name} and {other} leave hardly any room to pass.",
    ),
    "why.faces.now": (
        "{name} is of more use when it is turned to {other}.",
        "{name} should be turned towards {other}.",
        "For {name} to be of use, its front ought to point at {other}.",
    ),
    "why.back.now": (
        "{name} does not have its back to the {wall} wall, though it stands next to it.",
        "{name} stands at the {wall} wall without turning its back to it.",
    ),
    "why.inward.now": (
        "{name} faces {was}, with the middle of the room behind it.",
        "{name} looks {was}, while the room lies behind it.",
    ),
    "why.straight.now": (
        "{name} stands askew to the walls.",
        "{name} is out of line with the walls.",
        "{name} stands at an angle that nothing in the room answers.",
    ),
    "why.removed.overlap": (
        "{name} overlaps {other} by {depth} m.",
        "{name} stands where {other} already is; they overlap by {depth} m.",
    ),
    "why.removed.outside": (
        "{name} stands with {share} % of its base outside of the room.",
        "{share} % of the base of {name} lies beyond the outline of the room.",
    ),
    "why.removed.stranger": (
        "{name} has little to do with a {room}.",
        "{name} is out of place in a {room}.",
        "In a {room} I would not look for {name}.",
    ),
    "why.removed.spare": (
        "{name} is more than the room needs; {left} {noun} {stay} without it.",
        "The room can do without {name}, since {left} {noun} {stay}.",
    ),
    "why.move.plain": (
        "{name} could use a better spot, a little further {way}.",
        "I want {name} a bit further {way}.",
        "The position of {name} can be fine-tuned.",
        "{name} would suit the layout a little further {way}.",
    ),
    "why.rotate.plain": (
        "{name} faces {was} at the moment.",
        "At present {name} looks {was}.",
        "The front of {name} points {was} as it stands.",
    ),
    "why.rotate.round": (
        "The angle of {name} can be adjusted.",
        "{name} can still be turned a little differently.",
        "The orientation of {name} is not settled yet.",
    ),
    "why.lift.plain": (
        "The height of {name} is not right yet.",
        "{name} should sit a bit further {way}.",
    ),
    "why.scale.plain": (
        "The size of {name} is the matter here; it takes {ow} m by {od} m and is {oh} m high.",
        "{name} measures {ow} m by {od} m and is {oh} m high, which can be adjusted.",
        "The proportions of {name} are the next thing to settle; it is {ow} m wide, {od} m deep and {oh} m high.",
    ),
    "why.replace.plain": (
        "{name} is in the right spot, but another piece can take it.",
        "The place of {name} is good; the piece itself is what I change.",
        "At the spot of {name} a different piece will do more for the room.",
        "I keep the spot of {name} and exchange what stands on it.",
    ),
    "why.remove.plain": (
        "The room can do without {name}.",
        "{name} takes floor that is better left open.",
        "{name} adds little here.",
    ),
    "why.remove.high": (
        "The room can do without {name}.",
        "{name} adds little here.",
    ),
    # What is done, with its numbers.
}
