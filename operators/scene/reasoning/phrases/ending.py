"""What is said when the room is finished, and the one sentence at the end of every turn."""

PHRASES = {
    "end.open": (
        "Time to look at the whole before calling it done.",
        "Before I stop, I go through the room once more.",
        "I check the finished room as a whole.",
        "All that was planned is in place, so I take stock.",
        "Nothing is left on my list, but a last look is due.",
    ),
    "end.has": (
        "The {room} now has {list}.",
        "In the room there {is_are} {list}.",
        "What was asked for is there: the {room} holds {list}.",
        "It holds {count} {pieces}: {list}.",
    ),
    "end.core": (
        "The core pieces of a {room} are present: {list}.",
        "What a {room} needs most, {list}, have their place.",
        "With {list} the main use of the {room} is covered.",
    ),
    "end.core.one": (
        "The core piece of a {room} is present: {list}.",
        "With {list} the main use of the {room} is covered.",
        "What a {room} needs most, {list}, is there.",
    ),
    "end.wall.flush": (
        "{name} stands flush against the {wall} wall, where it should be.",
        "{name} keeps close to the {wall} wall, without a gap.",
    ),
    "end.path": (
        "{turns} steps led to this room.",
        "After {turns} steps the layout is settled.",
        "It took {turns} steps to come here.",
    ),
    "end.path.one": (
        "One step was enough to come here.",
        "It took a single step.",
    ),
    "end.wall": (
        "{name} stands {gap} m from the {wall} wall, where it should be.",
        "{name} keeps to the {wall} wall with a gap of {gap} m.",
        "{name} is {gap} m from the {wall} wall, close enough.",
    ),
    "end.partner": (
        "{name} is {gap} m from {other}, close enough to be used with it.",
        "{name} and {other} are {gap} m apart and work together.",
    ),
    "end.clear": (
        "No two objects overlap where they should not, and nothing stands outside of the room.",
        "I find no overlaps and nothing beyond the outline of the room.",
        "There are no collisions left, and every piece is inside of the room.",
    ),
    "end.clear.overlap": (
        "No two objects overlap where they should not.",
        "There are no collisions between the pieces.",
    ),
    "end.left": (
        "It is not perfect: {problem}, but that comes with how these pieces belong in this room, and I leave it.",
        "One thing remains, {problem}; it is no reason to start again.",
        "I accept one flaw: {problem}.",
        "What stays open is this: {problem}.",
    ),
    "end.left.many": (
        "It is not perfect. {count} problems remain, the largest being that {problem}.",
        "{count} flaws are left, above all that {problem}, and I leave them as they are.",
        "I accept that {count} problems stay, first of all that {problem}.",
    ),
    "end.space": (
        "The {where} stays open with {w} m by {d} m of floor to move about.",
        "In the {where} {w} m by {d} m of floor are still open.",
    ),
    "end.close": (
        "More would only take away from that, so this is where I stop.",
        "I see no change that would still improve on it, so the room is finished.",
        "With that, the room does what was asked for.",
        "So the work is complete.",
        "A further change would be change for its own sake.",
    ),
    "end.close.flawed": (
        "What was asked for is there, so I stop here.",
        "The furniture that was asked for is in place, and with that I finish.",
        "The task itself is fulfilled, so this is the end of the work.",
    ),
    "finish.conclusion": (
        "The {room} has what was asked for, so I finish here.",
        "I finish here, as the {room} with its {count} {pieces} is complete.",
        "The {room} is complete, and the editing ends.",
        "Nothing more is to be changed, so the work on the {room} is finished.",
        "I end the work, because the {room} is done.",
    ),
    # The end of every other turn; {deeds} tells each action with its objects.
    "conclusion": (
        "I {deeds}.",
        "In this step I {deeds}.",
        "So I {deeds}.",
        "To sum up, I {deeds}.",
        "This turn I {deeds}.",
    ),
    "conclusion.empty": (
        "To begin with, I {deeds}.",
        "I start the room and {deeds}.",
        "As a first step I {deeds}.",
    ),
}
