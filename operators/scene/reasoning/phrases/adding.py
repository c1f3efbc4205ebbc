"""Why a new piece comes in, where it goes and how large it is."""

PHRASES = {
    "add.first": (
        "The largest piece fixes the rest of the layout, so I begin with {a_name}.",
        "I start with the piece that decides all others, {a_name}.",
        "{a_name} comes first, because later pieces have to find their place around it.",
        "It makes sense to open with {a_name} and to build up from there.",
        "Before anything small can come, the room needs {a_name} as its anchor.",
    ),
    "add.core": (
        "{a_name} is core furniture in a {room}, so it comes before anything decorative.",
        "A {room} needs {a_name}; that settles what to bring in now.",
        "Core furniture goes first, and in a {room} that means {a_name}.",
        "What makes this a {room} is {a_name}, so I bring it in now.",
        "{a_name} belongs to what a {room} has to offer, ahead of any decoration.",
    ),
    "add.pair": (
        "{other} should have its counterpart, which is {name}.",
        "One {noun} alone looks unfinished; {name} gives the group its balance.",
        "There is {has} in the room already, and {name} completes the set.",
        "To go with the {noun} that is there, I bring in {name}.",
        "{name} keeps the look consistent with the {noun} that is there.",
    ),
    "add.more": (
        "There are {has} in the room, and {name} belongs with them.",
        "{name} joins the {has} that are there.",
        "The {has} in the room are to get company by {name}.",
    ),
    "add.group": (
        "{list} belong together, so they come in one go.",
        "I bring in {list} together, as they make one group.",
        "{list} come as a set.",
    ),
    "add.group.partner": (
        "{other} is of little use alone, so {list} come with it.",
        "Around {other} I place {list}.",
        "{list} go with {other}.",
    ),
    "add.each": (
        "{name} goes to ({x}, {y}, {z}){stance}",
        "{name} comes to ({x}, {y}, {z}){stance}",
        "{name} stands at ({x}, {y}, {z}){stance}",
    ),
    "add.each.plain": (
        "{name} comes in{stance}",
        "{name} finds its place{stance}",
    ),
    "add.looks": (
        "What I have in mind is {looks}.",
        "{looks} will do well here.",
        "In style I go for {looks}.",
        "I choose {looks}.",
    ),
    "add.partner": (
        "{other} calls for {a_name} close by.",
        "{a_name} serves {other}, so it goes near it.",
        "With {other} in place, {a_name} is the natural companion.",
        "{a_name} makes {other} more useful.",
    ),
    "add.light": (
        "The room needs light of its own, and {a_name} gives it.",
        "For the evening there has to be {a_name}.",
        "{a_name} brings light to this part of the room.",
        "Lighting comes next: {a_name}.",
    ),
    "add.green": (
        "{a_name} softens the room and brings some green.",
        "Some greenery would make the room friendlier, so I choose {a_name}.",
        "A bit of life helps here, and {a_name} brings it.",
    ),
    "add.store": (
        "Things have to go somewhere, and {a_name} gives the room storage.",
        "{a_name} adds the storage that the room can use.",
        "For order in the room I add {a_name}.",
        "Everyday things need a home, which {a_name} offers.",
    ),
    "add.sit": (
        "{a_name} gives one more spot to sit.",
        "More seating is useful here, so {a_name} comes in.",
        "People need somewhere to sit, which {a_name} provides.",
    ),
    "add.surface": (
        "A surface within reach is useful, so {a_name} comes in.",
        "{a_name} gives a surface to put things on.",
        "Something to put things down on is needed here: {a_name}.",
    ),
    "add.large": (
        "{a_name} takes space, so it is better placed early.",
        "{a_name} is one of the larger pieces, and those should be settled before the small ones.",
        "Large pieces are easier to fit in early, and {a_name} is one of them.",
    ),
    "add.rest": (
        "{a_name} rounds off what is there.",
        "The larger pieces have their places, so {a_name} can follow.",
        "{a_name} is a detail, but one that makes the room more complete.",
        "Now a smaller touch: {a_name}.",
        "{a_name} adds to the character of the room.",
    ),
    "place.wall": (
        "{name} goes against the {wall} wall with a gap of {gap} m, which keeps the middle of the floor free.",
        "I set {name} {gap} m from the {wall} wall, close enough to feel anchored.",
        "{name} stands {gap} m from the {wall} wall and leaves the walkway open.",
        "The {wall} wall is the right backing for {name}, with {gap} m to the {wall} wall.",
        "{name} keeps {gap} m from the {wall} wall.",
    ),
    "place.back": (
        "{name} stands with its back {gap} m from the {wall} wall and faces {facing} into the room.",
        "With its back to the {wall} wall at {gap} m, {name} looks {facing}.",
        "I put {name} with its back {gap} m from the {wall} wall, so that it faces {facing}.",
        "The back of {name} is {gap} m from the {wall} wall, and its front faces {facing}.",
    ),
    "place.wall.flush": (
        "{name} goes flush against the {wall} wall, which keeps the middle of the floor free.",
        "Flush with the {wall} wall, {name} leaves the walkway open.",
        "I set {name} directly against the {wall} wall.",
    ),
    "place.back.flush": (
        "{name} stands with its back flush against the {wall} wall and faces {facing}.",
        "Its back directly at the {wall} wall, {name} looks {facing} into the room.",
    ),
    "place.near": (
        "{name} stands {gap} m from the {wall} wall.",
        "{name} keeps {gap} m from the {wall} wall.",
    ),
    "place.near.flush": (
        "{name} touches the {wall} wall.",
        "There is no gap between {name} and the {wall} wall.",
    ),
    "place.partner": (
        "{name} stands {gap} m from {other}.",
        "Between {name} and {other} there are {gap} m.",
        "I keep {gap} m between {name} and {other}.",
        "From {other} to {name} it is {gap} m, close enough to be used together.",
    ),
    "place.touch": (
        "{name} stands right at {other}.",
        "There is no space between {name} and {other}; they belong together.",
        "{name} goes directly next to {other}.",
    ),
    "place.on": (
        "{name} stands on {other}, its base at a height of {y} m.",
        "I set {name} on top of {other}, {y} m above the floor.",
        "The top of {other}, {y} m up, carries {name}.",
    ),
    "place.ceiling": (
        "{name} hangs from the ceiling, {y} m above the floor.",
        "Up at the ceiling, {name} takes no floor space and hangs {y} m above the floor.",
        "{name} goes up under the ceiling and leaves {y} m of height below it.",
    ),
    "place.high": (
        "{name} is mounted at a height of {y} m.",
        "{name} hangs {y} m above the floor.",
    ),
    "place.free": (
        "{name} stands free in the {where} of the room, {gap} m from the {wall} wall.",
        "I place {name} in the {where} of the room, {gap} m from the {wall} wall.",
        "{name} goes to the {where} of the room, with {gap} m to the {wall} wall.",
    ),
    "place.plain": (
        "{name} goes to the {where} of the room.",
        "I give {name} a spot in the {where} of the room.",
    ),
    "face.ahead": (
        "{name} faces {facing}, towards {other}.",
        "The front of {name} looks {facing}, at {other}.",
        "Turned to the {facing}, {name} looks at {other}.",
    ),
    "face.plain": (
        "{name} faces {facing}.",
        "{name} is turned so that it faces {facing}.",
        "The front of {name} looks {facing}.",
    ),
    "size.full": (
        "Its size is {w} m by {d} m on the floor and {h} m in height.",
        "It measures {w} m in width, {d} m in depth and {h} m in height.",
        "It takes {w} m by {d} m of floor and is {h} m high.",
        "It is {w} m wide, {d} m deep and {h} m high.",
    ),
    "size.hung": (
        "It is {w} m wide, {d} m deep and {h} m high.",
        "It measures {w} m by {d} m and is {h} m high.",
    ),
    "spot.wall": (
        "The {wall} wall runs at {axis} {at}, and with a {kind} of {extent} m the middle has to be at {axis} {middle}.",
        "Counted from the {wall} wall at {axis} {at}, half its {kind} of {extent} m and the gap give {axis} {middle}.",
        "As the {wall} wall is at {axis} {at} and its {kind} is {extent} m, its middle comes to {axis} {middle}.",
    ),
    "spot.full": (
        "That puts its middle at x {x} and z {z}.",
        "In coordinates that is x {x}, z {z}.",
        "So the position is ({x}, {y}, {z}).",
        "Its middle comes to ({x}, {y}, {z}).",
        "This gives the position ({x}, {y}, {z}).",
    ),
    "add.short": (
        "I also bring in {a_name} at ({x}, {y}, {z}){stance}",
        "Then comes {a_name} at ({x}, {y}, {z}){stance}",
        "For {a_name} I choose ({x}, {y}, {z}){stance}",
        "{a_name} follows at ({x}, {y}, {z}){stance}",
    ),
    "add.short.plain": (
        "I also bring in {a_name}{stance}",
        "Then comes {a_name}{stance}",
        "{a_name} follows{stance}",
    ),
    "stance.wall": (", {gap} m from the {wall} wall.", ", with {gap} m to the {wall} wall."),
    "stance.partner": (", {gap} m from {other}.", ", at a distance of {gap} m from {other}."),
    "stance.on": (", on top of {other}.",),
    "stance.ceiling": (", up at the ceiling.", ", hanging {y} m above the floor."),
    "stance.flush": (", flush against the {wall} wall.", ", directly at the {wall} wall."),
    "stance.touch": (", touching the {wall} wall.",),
    "stance.where": (", in the {where} of the room.",),
}  # fmt: skip
