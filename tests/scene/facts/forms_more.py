"""Further phrasings of overlaps, turns, counts and actions, for lies and, by :data:`TRUE`, for truths.

``benchmarks/scene_lies.py --phrasings tests/scene/facts/forms_more.py`` tells lies in them, and
``python -m tests.scene.facts.forms_true`` the truth.
"""

from tests.scene.lies.phrasings import Phrasing

MEET = """{A} swallows a part of {b}.|{A} is half hidden within {b}.|{A} plunges into {b}.|{A} has been shoved into {b}.
{A} pokes through {b}.|{A} pokes into {b}.|{A} and {b} are fused together.|{A} protrudes into {b}.
{A} digs into {b} by {n}.|{A} invades the space of {b}.|{A} is lodged inside {b}.|{A} reaches {n} into {b}.
{A} extends {n} into {b}.|{A} and {b} run into each other.|{A} and {b} sit on top of one another.
{A} and {b} are entangled.|{A} is sunk into {b}.|{A} spills over into {b}.|{A} trespasses on {b}.
{A} and {b} are jammed together.|{A} is crammed into {b}.|{A} violates the footprint of {b}.
{A} is entering {b}.|{A} occupies part of the volume of {b}.|{A} and {b} crash into one another.
The footprints of {a} and {b} cover each other in part.|Part of {a} lies inside {b}.|{A} shares {n} of floor with {b}.
The volume of {a} cuts into that of {b}.|{A} is physically stuck in {b}.|{A} is at odds with the space of {b}.
A piece of {a} vanishes into {b}.|{A} bumps into {b}.|{A} rams {b}.|{A} goes right into {b}.
{A} melts into {b}.|I see {b} pierced by {a}.|I see {b} penetrated by {a}.|I see that {b} is overlapped by {a}.
With {a} intersecting {b}, the layout cannot stay.|{A} is in a physical conflict with {b}.
The most obvious flaw is {a} colliding with {b}.|{A} and {b} compete for the same floor.|{A} is blocked in by {b}, with which it overlaps."""
PART = """Air remains between {a} and {b}.|{A} leaves a gap to {b}.|{A} and {b} keep a respectful distance.
{A} and {b} do not share any space.|There is daylight between {a} and {b}.|{A} misses {b}.
{A} and {b} have nothing to do with each other spatially.|{A} is separate from {b}.|{A} is not in the way of {b}.
Nothing of {a} enters {b}.|{A} and {b} steer clear of one another.|{A} spares {b}.|{A} is out of reach of {b}.
{A} has breathing room from {b}.|{A} ends before {b} begins.|There is a clear gap between {a} and {b}.
{A} and {b} do not come into contact.|{A} stands free of {b}.|A gap separates {a} from {b}.|{A} is kept apart from {b}.
{A} stops short of {b}.|{A} and {b} stay in their own footprints.|{A} avoids {b}.|{A} has clearance to {b}."""
ROOM = """Everything is spatially sound.|Every object stands free.|Nothing runs into anything.|All objects keep their distance.
There is air between all pieces.|Not a single pair of objects overlaps.|The scene shows no interpenetration.
All furniture is placed without conflict.|I see nothing that intersects.|Collisions are absent.
The arrangement is physically valid.|No piece sticks into another.|No two things share the same space."""
LATER = """Afterwards all pieces stand clear of each other.|The new layout is free of conflicts.|Then nothing runs into anything.
With that, the last collision is gone.|No conflict is left behind.|The outcome is a layout without overlaps.
Everything will then have its own space.|This leaves every piece with space of its own.|After this turn, nothing intersects."""
MOVE = """Giving {a} a new place helps the flow.|By shifting {a}, I open the floor.|With {a} moved, the room breathes.
Once moved, {a} looks better.|{A} is given a new spot.|{A} ends up in another place.|{A} will find itself somewhere else.
A shift of {a} to the side does the rest.|A small move of {a} is enough.|The relocation of {a} helps.
While I am at it, I nudge {a}.|Besides, I slide {a} over.|At the same time {a} is being moved.|{A} has been moved.
{A} gets pushed over a bit.|Moving {a} is the second step.|It pays to shift {a} too.|I let {a} slide aside.
I have {a} move over.|I will be shifting {a}.|My plan includes moving {a}.|The move of {a} settles it.|{A} travels a little.
{A} wanders to the other side.|{A} steps back.|{A} needs to move, so I move it.|I decide to move {a}.|I choose to shift {a}.
I start by moving {a}.|The next call moves {a}.|One call shifts {a}.|{A} takes up a new position.|{A} changes its spot.|I find {a} a better home.
I transfer {a} to another spot.|I carry {a} elsewhere.|{A} ends up elsewhere.|Nudging {a} completes the step.|I also see to it that {a} is moved.
A nudge to {a} does it.|The position of {a} changes.|The position of {a} is adjusted.|I adjust where {a} stands.|I correct the position of {a}.|{A} now stands elsewhere."""
TURN = """With {a} turned, the room works.|Giving {a} a twist helps.|By rotating {a}, I gain a view.|Once turned, {a} fits in.
A turn of {a} in place follows.|The rotation of {a} helps.|{A} is given a new orientation.|{A} gets rotated.
While I am at it, I rotate {a}.|{A} swings around.|{A} swivels on the spot.|{A} is being turned.|{A} has been rotated.
I let {a} face the other way.|The orientation of {a} changes.|The orientation of {a} is corrected.|A small turn of {a} is enough.
Rotating {a} is the second step.|One call rotates {a}.|I have {a} turn around.|{A} makes a small turn.|{A} performs a slight turn.|I decide to rotate {a}.
A twist of {a} does the rest.|A rotation is applied to {a}.|I apply a rotation to {a}.|{A} ends up rotated.|{A} turns on its axis."""
SCALE = """With {a} enlarged, the balance is right.|Making {a} smaller frees some floor.|By resizing {a}, I gain space.|Once resized, {a} fits.
{A} is given a new size.|{A} gets smaller.|{A} ends up smaller.|{A} is brought down in size.|{A} has been resized.|{A} is being scaled down.
The size of {a} changes.|The size of {a} is reduced.|A smaller size suits {a}, so I scale it.|I bring {a} down in size.|I trim {a}.
Shrinking {a} is the second step.|One call resizes {a}.|I change how big {a} is.|{A} loses some width.|{A} gains some width.|{A} is scaled.
I adapt the dimensions of {a}.|The scaling of {a} helps.|A reduction of {a} does it.|{A} takes on a smaller format.|{A} is cut to size.|I also reduce {a} in size."""
SWAP = """With {a} replaced, the style fits.|Replacing {a} is the second step.|{A} is traded for another model.|{A} makes place for another model.
By swapping {a}, I gain space.|{A} is being replaced.|{A} has been replaced.|A replacement for {a} is found.|A new model takes over from {a}.
Something else stands where {a} stood.|One call replaces {a}.|The replacement of {a} helps.|{A} is superseded by another piece.|I exchange {a}.
{A} cedes its place to another model.|Another model steps in for {a}.|{A} gets replaced.|A swap of {a} does it.|I substitute {a}.|{A} hands over its place."""
OUT = """With {a} removed, there is more floor.|With {a} gone, the room breathes.|Removing {a} is the second step.|By taking {a} out, I gain space.
{A} is being removed.|{A} has been removed.|{A} gets discarded.|{A} is dispensed with.|The removal of {a} helps.|I decide against keeping {a}.
I no longer keep {a}.|I do without {a}.|{A} is dropped.|{A} is no longer part of the room.|One call removes {a}.|{A} exits the room.|{A} is sent away.
While I am at it, I remove {a}.|{A} is eliminated.|{A} can go, so I delete it.|I strip the room of {a}.|I free the room of {a}.|The room is rid of {a}.|{A} is scrapped.
I let {a} go.|The room says goodbye to {a}.|{A} will be gone.|Without {a} there is more floor, so out it goes.|I take out {a}.|{A} gets thrown out.|I delete {a} as well."""
FACING = """Once turned, {a} looks {to}.|I rotate {a} so that it then points to the {to}.|After the turn {a} faces {to}.
{A} is rotated until its front shows {to}.|Turning {a} lets it look {to}.|{A} ends up facing {to}.|{A} gets turned to the {to}.
The rotation leaves {a} facing {to}.|I have {a} turn to the {to}.|With its front now to the {to}, {a} makes sense.|I turn {a}, and it will look {to}.
{A} comes to face {to}.|The turn brings the front of {a} to the {to}.|{A} swings round to the {to}.|A turn of {a} to the {to} follows.
Rotated, {a} addresses the {to}.|I turn {a} {to}ward.|I point {a} {to}.|I aim {a} to the {to}.|{A} is made to face {to}.|{A} is spun to look {to}.
The new heading of {a} is {to}.|The new orientation of {a} is {to}.|Its rotation makes {a} open to the {to}.|I set the front of {a} to the {to}.|I let {a} face {to}.|{A} then turns its front to the {to}."""
COUNT = """I see the {ks}, {n} of them.|The {ks}, {n} in number, form a group.|There are the {ks}, {n} in all.|{N} of the pieces are {ks}.
A group of {n} {ks} is here.|A set of {n} {ks} stands ready.|As many as {n} {ks} are here.|Among the furniture are {n} {ks}.
The {ks} number {n}.|The {ks} add up to {n}.|The {ks} total {n}.|{N} is the number of {ks}.|The count of {ks} is {n}.|Of {ks} there are {n}.
No fewer than {n} {ks} are present.|All in all there are {n} {ks}.|I find {n} {ks} in total.|The room comes with {n} {ks}.|The room boasts {n} {ks}.
The scene features {n} {ks}.|{N} {ks} make up the group.|I am looking at {n} {ks}.|It is a room with {n} {ks}.|How many {ks} are there? There are {n}.|{N} {ks} populate the scene.|Altogether, {n} {ks} serve the room."""
TOTAL = """It is a scene of {d} objects.|The room is furnished with {n} pieces.|This {d}-piece arrangement works.|In all, {n} objects are here.
The objects, {n} of them, fill the room.|The furniture consists of {n} pieces.|{N} objects make up the scene.|The objects number {n}.|The objects add up to {n}.
Its {n} objects are well spread.|The pieces come to {n}.|The list has {n} entries.|The object count is {n}.|Altogether {n} items populate the scene.|I look at a room of {n} objects."""
ONLY = """There is one {k} and no other.|The room has one {k}, no more.|The {k} is the only one of its kind.|The one and only {k} is enough.|A lone {k} is here.|The room has a single {k} only.|I find just a single {k}.|There is no second {k}.|The {k} is alone of its kind.|It is the only {k} in the room."""
ENDING = """The room then counts {d} objects.|{N} objects remain.|We end with {d} objects.|The object count becomes {d}.|The room now holds {d} pieces.|{N} objects will then be there.|I end up with {d} objects.|The tally is now {d}.|That brings the count to {d}.|The scene grows or shrinks to {d} objects."""


def _lines(text):
    return [each.strip() for line in text.splitlines() for each in line.split("|") if each.strip()]


#: Which tool each group of actions tells, and whether each sentence is told of a truth too.
DEEDS = {
    "move_object": MOVE,
    "rotate_object": TURN,
    "scale_object": SCALE,
    "replace_object": SWAP,
    "remove_object": OUT,
}
#: What makes each group true: the name of a sort of truth, with its sentences.
TRUE = {
    "meet": _lines(MEET), "part": _lines(PART), "sound": _lines(ROOM), "sound after": _lines(LATER),
    "count": _lines(COUNT), "total": _lines(TOTAL), "only": _lines(ONLY), "total after": _lines(ENDING),
    "facing after": _lines(FACING), **{tool: _lines(text) for tool, text in DEEDS.items()},
}  # fmt: skip


def _of(where, shape, name):
    return [Phrasing(shape, where, text) for text in TRUE[name]]


PHRASINGS = {
    "d": [*_of("seen", "no overlap", "meet"), *_of("seen", "overlap", "part"), *_of("seen", "trouble", "sound"),
          *_of("outcome", "after", "sound after")],
    "f": _of("deed", "turn", "facing after"),
    "g": [*_of("seen", "count", "count"), *_of("seen", "total", "total"), *_of("seen", "only one", "only"),
          *_of("outcome", "total", "total after")],
    "h": [each for tool in DEEDS for each in _of("deed+", "idle", tool)],
}  # fmt: skip
