"""How something that is there is moved, turned, resized, replaced or removed, and what comes of it."""

PHRASES = {
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
