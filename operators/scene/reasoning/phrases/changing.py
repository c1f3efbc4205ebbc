"""Why something that is there is moved, turned, resized, replaced or removed, and what comes of it."""

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
    "do.move": (
        "I move {name} {far} m {way}, to ({x}, {y}, {z}).",
        "So {name} moves {far} m {way}; its new position is ({x}, {y}, {z}).",
        "Moving {name} by {far} m to the {way} brings it to ({x}, {y}, {z}).",
        "A move of {far} m {way} takes {name} to ({x}, {y}, {z}).",
    ),
    "do.lift": (
        "I move {name} {way} by {far} m, to ({x}, {y}, {z}).",
        "{name} moves {way} by {far} m; its new position is ({x}, {y}, {z}).",
    ),
    "do.rotate": (
        "I rotate {name} by {angle} degrees{sense}, so that it faces {now} instead of {was}.",
        "A rotation of {angle} degrees{sense} turns {name} from {was} to {now}.",
        "{name} rotates {angle} degrees{sense}, and its front then faces {now}.",
    ),
    "do.rotate.slight": (
        "I rotate {name} by {angle} degrees{sense}.",
        "A rotation of {angle} degrees{sense} is enough for {name}.",
        "{name} rotates {angle} degrees{sense}.",
    ),
    "do.scale": (
        "I resize {name} to {w} m by {d} m with a height of {h} m{by}.",
        "{name} becomes {w} m wide, {d} m deep and {h} m high{by}.",
        "The new size of {name} is {w} m by {d} m, {h} m high{by}.",
    ),
    "do.replace": (
        "I replace {name} with {new}, at the same position.",
        "{name} is replaced by {new}, which takes over its position.",
        "In place of {name} comes {new}.",
    ),
    "do.replace.looks": (
        "Instead of {old} the room gets {new}.",
        "The look changes from {old} to {new}.",
        "What was {old} is then {new}.",
    ),
    "do.replace.size": (
        "{put} measures {w} m by {d} m and is {h} m high, where {name} took {ow} m by {od} m.",
        "While {name} took {ow} m by {od} m of floor, {put} takes {w} m by {d} m and is {h} m high.",
        "In size {put} has {w} m by {d} m and {h} m of height.",
    ),
    "do.remove": (
        "I remove {name}, which frees {w} m by {d} m of floor.",
        "Removing {name} opens up {w} m by {d} m of floor.",
        "So {name} is removed, and {w} m by {d} m of floor become free.",
    ),
    "do.remove.high": (
        "I remove {name}.",
        "So {name} is removed.",
    ),
    # After it; {it} is the object's name, or "it" where it was just named, {its} "its" or the name with its 's.
    "then.overlap.gone": (
        "{it} is then clear of {other}.",
        "Then {it} is clear of {other}.",
        "After that {it} is clear of {other}.",
    ),
    "then.overlap.less": (
        "Then {it} still overlaps {other} by {left} m.",
        "Then {it} overlaps {other} by {left} m only.",
    ),
    "then.outside.gone": (
        "{it} is then wholly inside of the room.",
        "Then {it} lies within the room from edge to edge.",
        "Afterwards {it} is completely within the room.",
    ),
    "then.outside.less": (
        "The share of {its} base outside of the room falls from {share} % to {left} %.",
        "Then {left} % of {its} base are outside, after {share} %.",
    ),
    "then.wall.reached": (
        "Afterwards {it} is {left} m from the {wall} wall, as close as it should be.",
        "Then {it} is only {left} m from the {wall} wall.",
        "Then {it} stands {left} m from the {wall} wall.",
    ),
    "then.wall.freed": (
        "Then {it} keeps {left} m from the {wall} wall.",
        "Afterwards {it} stands {left} m off the {wall} wall.",
    ),
    "then.partner.touch": (
        "Then {it} stands right at {other}.",
        "There is then no space left between {it} and {other}.",
    ),
    "then.partner.nearer": (
        "The distance from {it} to {other} drops from {gap} m to {left} m.",
        "Then only {left} m separate {it} from {other}.",
        "That leaves {left} m between {it} and {other}.",
    ),
    "then.room.wider": (
        "The gap between {it} and {other} widens from {gap} m to {left} m.",
        "Then there are {left} m between {it} and {other}.",
        "{other} gets more air: {left} m after {gap} m.",
    ),
    "then.faces.now": (
        "Then {it} looks at {other}.",
        "Then {it} faces {facing}, towards {other}.",
        "Then {it} faces {facing} and looks at {other}.",
    ),
    "then.back.now": (
        "Then {its} back is {left} m from the {wall} wall.",
        "Then {it} has its back to the {wall} wall and faces {facing}.",
    ),
    "then.inward.now": (
        "Then {it} looks {facing}, into the room.",
        "Then {it} faces {facing}, where the room is open.",
    ),
    "then.straight.now": (
        "Then {it} is in line with the walls.",
        "Afterwards {it} runs parallel to the walls.",
    ),
    "then.removed.overlap": (
        "{other} has its space to itself again.",
        "Then nothing is left of the overlap with {other}.",
    ),
    "then.removed.outside": (
        "Nothing of it reaches beyond the outline any more.",
    ),
    "then.removed.stranger": (
        "What stays fits the use of the room better.",
        "The rest of the room reads more clearly without it.",
    ),
    "then.removed.spare": (
        "The room keeps what it needs of that kind.",
        "What stays is enough.",
    ),
    "then.near": (
        "{it} ends up {gap} m from {other}.",
        "Then {it} is {gap} m from {other}.",
        "That puts {it} {gap} m from {other}.",
    ),
    "then.wall": (
        "Then {it} stands {gap} m from the {wall} wall.",
        "Then {it} is {gap} m from the {wall} wall.",
    ),
    "then.honest.move": (
        "The rest of the room keeps its place.",
        "In that {its} size and direction stay the same.",
        "Only {its} position changes.",
    ),
    "then.honest.rotate": (
        "In that {its} position stays the same.",
        "Nothing else changes for {it} by that.",
        "So {it} stays in {its} spot and only changes direction.",
    ),
    "then.honest.scale": (
        "The spot stays the same, only the proportions of {it} change.",
        "In that {its} direction stays the same.",
    ),
    "then.honest.replace": (
        "Position and direction stay as they were.",
        "The layout stays untouched by that.",
        "Only the piece changes, the spot does not.",
    ),
    "then.honest.remove": (
        "The rest of the layout stays as it is.",
        "Nothing else has to change for that.",
        "No other piece is touched by that.",
    ),
}  # fmt: skip
