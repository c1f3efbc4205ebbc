"""Sentences on the four turns: what is true of them, and lies of eight kinds."""

HONEST = {
    "BEDROOM": """
The bed stands against the north wall and faces south.
The king-size bed is centred on the north wall, with its foot pointing south into the room.
Nightstand 2 overlaps the bed by 0.10 m.
The right-hand nightstand cuts 0.10 m into the bed, which is a physical problem.
There is a collision between the bed and nightstand 2: they intersect by about 10 cm.
Nightstand 1 is 0.10 m from the bed and flush with the north wall.
Nightstand 1 sits 0.5 m from the west wall.
The wardrobe stands along the west wall, 0.05 m off it, and looks east.
On the other side of the room, the wardrobe faces east towards the office chair.
The floor lamp is tucked into the southeast corner, 0.10 m from the east wall and 0.10 m from the south wall.
In the southeast corner stands a floor lamp.
The office chair faces north but there is no desk in front of it.
The chair has nothing to work at: the room still needs a desk.
A desk is missing.
There is no desk yet.
The room is 4 x 5 m and has a ceiling of 2.60 m.
The floor measures 20 m², most of which is free in the middle.
There are six objects in the room: a bed, two nightstands, a wardrobe, a floor lamp and an office chair.
Two nightstands flank the bed.
Both nightstands stand at the north wall.
I count two nightstands and one wardrobe.
The wardrobe is 1.6 m wide, 2.2 m tall and 0.6 m deep.
The wardrobe measures 1.60 x 2.20 x 0.60 m.
The bed has a footprint of 1.8 by 2.1 m.
The bed sits at (0.00, 0.00, -1.45).
The chair stands at x = 1.2, z = 1.0.
I move nightstand 2 by 0.20 m to the east, so that it no longer cuts into the bed.
Shifting nightstand 2 eastward to (1.25, 0.00, -2.30) leaves a gap of 0.10 m to the bed.
After the move, nightstand 2 is 0.10 m from the bed, just like nightstand 1.
Nightstand 2 will then be 0.50 m from the east wall.
The new desk goes at (1.20, 0.00, 0.35), right in front of the chair.
A desk of 1.20 x 0.75 x 0.60 m fits between the bed and the chair.
The desk will stand 0.20 m from the east wall and 0.05 m from the chair.
Placing the desk north of the chair means that the chair faces it.
The desk then faces south, towards the office chair.
I add a white writing desk on the east side of the room.
I should not move the bed, since it already stands where it belongs.
There is no need to rotate the wardrobe.
The bed does not overlap nightstand 1.
The wardrobe is clear of every other piece.
Nothing floats and nothing is outside the room.
The bed could stay where it is.
A rug or a painting could follow in a later turn.
The user asks for a bedroom with a bed, a desk and a bookshelf.
What is wrong here? The nightstand on the east runs into the bed.
Is the bed against the wall? Yes, against the north wall.
Why not move the wardrobe? It is fine at the west wall.
The office chair is 0.50 m from the east wall.
The lamp is 1.60 m tall.
The lamp's footprint is only 0.4 x 0.4 m.
The lamp is more than half a metre away from the chair.
From the chair to the floor lamp there are 0.70 m.
The distance between the wardrobe and the chair is 2.25 m.
It keeps at least 0.60 m of clearance, as is usually recommended.
The bed occupies the northern half of the room.
The west side holds the wardrobe.
The bed is 1.0 m high.
The bed's headboard is at the north wall.
The desk is added because the chair has no table to serve.
The centre of the room stays open.
The closet stays where it is, on the west side.
Once shifted, the bedside table stands clear of the bed.
The wardrobe is far from the floor lamp.
Next to the bed are two bedside tables.
The bed lies north of the chair.
The floor lamp is to the right of the wardrobe.
South of the bed there is free floor.
The nightstands are 2.30 m apart, measured between their centres.
With the desk in place the room has seven objects.
The chair's back is to the south.
The wardrobe turns its back to the west wall.
""",
    "LIVINGROOM": """
The sofa stands against the south wall and faces north, towards the TV stand.
The gray sofa is 0.05 m from the south wall.
The coffee table sits 0.35 m in front of the sofa.
Between the sofa and the coffee table there is a gap of 0.35 m.
The green armchair faces south, so it turns its side to the coffee table.
The green armchair on the west side looks south instead of towards the coffee table.
The blue armchair is oriented to the west and looks at the coffee table.
The plant sticks out through the east wall by 0.15 m.
About 30 % of the plant lies outside the room.
The potted plant is out of bounds.
The bookshelf floats 0.40 m above the floor.
The bookshelf hovers in mid-air next to the north wall.
The bookshelf is in the northwest corner, 0.10 m from the west wall.
The pendant lamp hangs above the coffee table, 1.80 m above the floor.
The pendant lamp hangs from the ceiling.
Two armchairs flank the coffee table.
The room has eight objects.
The living room is 6.00 m wide and 4.00 m deep.
I rotate the green armchair by 90 degrees so that it faces east.
Turning the green armchair 90° counterclockwise makes it face the coffee table.
After the rotation the green armchair looks east.
I remove the plant, which cannot be seen as part of the room.
The plant is taken out.
I take out the plant because it goes through the east wall.
The coffee table grows from 1.0 x 0.6 m to 1.2 x 0.7 m.
I enlarge the coffee table by 20 % in width.
Scaling the coffee table to 1.20 m wide suits the sofa better.
The enlarged coffee table is then 0.30 m from the sofa.
The TV stand is replaced with an oak sideboard.
I swap the TV stand for a sideboard, which takes its place at the north wall.
Replacing the TV stand by an oak sideboard of 1.80 x 0.70 x 0.40 m gives more storage.
Moving the bookshelf down by 0.40 m puts it on the floor.
The bookshelf is lowered to y = 0.
I lower the bookshelf by 0.40 m until it stands on the floor.
The green armchair is 0.60 m from the west wall.
The blue armchair is 1.10 m from the coffee table.
The sofa does not overlap the coffee table.
No two objects overlap.
There are no collisions in the room.
The TV stand is 0.05 m from the north wall.
The sofa's back is against the south wall.
There is no rug yet, and a floor lamp is missing too.
The room lacks a rug.
A side table might be added later.
The couch is 2.20 m wide.
The sofa is 0.85 m tall.
The largest free area lies in the north.
The seating group stands in the southern half of the room.
The plant stands in the northeast corner.
The plant's centre lies at (2.90, 0.00, -1.60).
The blue armchair stays as it is.
The sofa and the TV stand face each other.
The coffee table stands in the centre of the seating group.
The pendant lamp is directly above the coffee table.
The bookshelf is 1.80 m tall and 0.30 m deep.
The green armchair is to the left of the coffee table.
The blue armchair is east of the coffee table.
The TV stand is opposite the sofa, 2.60 m away from it.
The sideboard will face south.
Once the plant is gone, nothing leaves the room.
Physical: the bookshelf floats, the plant is out of bounds. Layout: the green armchair is misoriented. Spatial: balanced.
The room will hold seven objects after this turn.
""",
    "DININGROOM": """
The dining table stands in the middle of the room.
Four dining chairs surround the table, and each of them faces it.
Each chair is 0.08 m from the table.
The sideboard stands against the north wall.
The sideboard is flush with the north wall and faces south.
The chandelier hangs above the table, 2.00 m above the floor.
The vase stands on top of the dining table.
The vase is at a height of 0.75 m.
Nothing overlaps and nothing is outside the room.
There are eight objects in the room.
The room needs nothing else.
Dining chair 1 stands north of the table and faces south.
The chair on the west side faces east.
The table is round, 1.20 m across.
The sideboard is 1.80 m wide.
The gap between the sideboard and dining chair 1 is 0.47 m or so.
No furniture is missing.
No rug was asked for.
The dining table is 1.40 m away from the east wall.
The room is complete, so no call but terminate is needed.
The four chairs are spread evenly.
All four chairs are clear of the sideboard.
""",
    "EMPTY": """
The room is still empty.
The bedroom measures 3.6 x 4.2 m, about 15 m².
There is no furniture yet.
No bed, no wardrobe and no nightstand are there yet.
The bed comes first, as it is the largest piece.
I place the bed against the north wall at (0.00, 0.00, -1.05), facing south.
The bed's headboard touches the north wall.
The bed will leave 1.00 m on either side.
The wardrobe goes on the east side, 0.02 m from the east wall, and faces west.
The wardrobe will stand in the southeast corner.
The nightstand goes to the left of the bed, 0.08 m from it.
The nightstand will be 0.02 m from the north wall.
I add three pieces: a bed, a wardrobe and a nightstand.
The bed is 1.60 x 0.90 x 2.10 m.
After this turn the room has three objects.
Nothing overlaps after these calls.
The nightstand is placed west of the bed.
Lamps and a rug can follow in later turns.
The wardrobe is 2.10 m tall, below the ceiling of 2.60 m.
A second nightstand may come later.
The bed and the wardrobe do not touch.
""",
}

LIES = {
    "BEDROOM": """
object: The bookshelf stands against the west wall.
object: A sofa fills the southern half of the room.
object: In the southeast corner there is an armchair.
object: The dresser next to the bed is too close.
object: I notice that the mirror hangs opposite the bed.
object: The rug lies under the bed.
object: Nightstand 3 is in the way.
object: The bed, the wardrobe and the TV stand leave little room.
object: There is no bed in the room.
object: The wardrobe is missing.
object: The room has no floor lamp.
distance: Nightstand 1 is 0.45 m from the bed.
distance: Nightstand 1 sits 0.9 m from the west wall.
distance: The wardrobe stands 0.35 m off the west wall.
distance: The floor lamp is 0.60 m from the east wall.
distance: From the chair to the floor lamp there are 1.40 m.
distance: The distance between the wardrobe and the chair is 1.15 m.
distance: The desk will stand 0.80 m from the east wall.
distance: Nightstand 2 will then be 0.35 m from the bed.
distance: Shifting nightstand 2 leaves a gap of 0.30 m to the bed.
distance: A gap of 85 cm separates the office chair from the east wall.
distance: I move nightstand 2 by 0.60 m to the east.
distance: The nightstands are 3.10 m apart.
size: The wardrobe is 2.0 m wide.
size: The wardrobe measures 1.20 x 2.20 x 0.60 m.
size: The bed has a footprint of 1.4 by 2.1 m.
size: The lamp is 1.20 m tall.
size: The desk is 1.60 m wide.
size: A desk of 0.90 x 0.75 x 0.45 m fits here.
size: The room is 6 x 5 m.
size: The bed sits at (0.50, 0.00, -1.45).
size: The floor measures 28 m².
overlap: The wardrobe overlaps the bed.
overlap: Nightstand 1 cuts into the bed.
overlap: The chair and the floor lamp collide.
overlap: Nightstand 2 overlaps the bed by 0.25 m.
overlap: The office chair intersects the wardrobe by 0.10 m.
overlap: Nightstand 2 is clear of the bed.
overlap: There is no overlap between nightstand 2 and the bed.
overlap: The bed does not touch nightstand 2.
overlap: The floor lamp sticks out through the south wall.
overlap: The wardrobe is partly out of bounds.
overlap: The chair floats above the floor.
wall: The bed stands against the south wall.
wall: The wardrobe stands along the east wall.
wall: The floor lamp is tucked into the northwest corner.
wall: The wardrobe is on the east side of the room.
wall: In the southwest corner stands a floor lamp.
wall: The office chair is near the west wall.
wall: The bed occupies the southern half of the room.
wall: Nightstand 1 is on the right side of the room.
wall: The desk will go on the west side.
wall: The bed lies south of the chair.
wall: The floor lamp is to the left of the wardrobe.
facing: The bed faces north.
facing: The wardrobe looks west.
facing: The office chair faces south.
facing: The wardrobe's doors face the north wall.
facing: The chair is turned towards the east.
facing: I move nightstand 2 to the west.
facing: Nightstand 2 is shifted towards the south wall.
facing: Shifting nightstand 2 closer to the bed solves it.
facing: The desk then faces north.
facing: The chair faces away from the bed.
count: There are three nightstands.
count: There are seven objects in the room.
count: I count two wardrobes.
count: The room holds four pieces of furniture.
count: Two floor lamps light the room.
count: Three nightstands flank the bed.
count: With the desk the room has nine objects.
count: The room has only one nightstand.
action: I rotate the bed by 90 degrees.
action: I remove the floor lamp.
action: I move the wardrobe to the south.
action: I add a bookshelf.
action: Replacing the chair with an armchair helps.
action: I enlarge the wardrobe.
action: I will move nightstand 1 away from the bed.
action: Next to the bed I place a floor lamp.
action: I'll swap the bed for a smaller one.
action: Then I shrink the desk chair.
""",
    "LIVINGROOM": """
object: The rug lies under the coffee table.
object: A floor lamp stands beside the sofa.
object: The dining table is too close to the sofa.
object: The piano stands at the north wall.
object: The desk in the corner is unused.
object: There is no sofa in the room.
object: The coffee table is missing.
distance: The coffee table sits 0.80 m in front of the sofa.
distance: The gray sofa is 0.40 m from the south wall.
distance: The green armchair is 0.15 m from the west wall.
distance: The blue armchair is 2.40 m from the coffee table.
distance: The TV stand is 0.50 m from the north wall.
distance: The bookshelf floats 0.15 m above the floor.
distance: The plant sticks out through the east wall by 0.40 m.
distance: The pendant lamp hangs 1.20 m above the floor.
distance: I rotate the green armchair by 45 degrees.
distance: I lower the bookshelf by 0.90 m.
size: The couch is 1.70 m wide.
size: The coffee table grows to 1.5 x 0.9 m.
size: The coffee table is scaled up by 50 %.
size: The sideboard measures 1.40 x 0.70 x 0.40 m.
size: The living room is 5.00 m wide.
size: The bookshelf is 2.30 m tall.
overlap: The sofa overlaps the coffee table.
overlap: The blue armchair collides with the plant.
overlap: The TV stand intersects the bookshelf by 0.20 m.
overlap: About 60 % of the plant lies outside the room.
overlap: The plant stands fully inside the room.
overlap: The blue armchair is out of bounds.
overlap: The coffee table floats.
wall: The sofa stands against the north wall.
wall: The TV stand is at the south wall.
wall: The bookshelf is in the southeast corner.
wall: The plant sticks out through the west wall.
wall: The green armchair is on the east side.
wall: The green armchair is to the right of the coffee table.
wall: The blue armchair is west of the coffee table.
facing: The sofa faces south.
facing: The sofa faces away from the TV stand.
facing: The blue armchair looks east.
facing: The green armchair faces the coffee table at the moment.
facing: After the rotation the green armchair looks west.
facing: I rotate the green armchair so that it faces north.
facing: I turn the green armchair clockwise by 90 degrees.
facing: I rotate the green armchair to face the bookshelf.
facing: The bookshelf is moved up.
count: There are three armchairs.
count: The room has ten objects.
count: Two sofas face each other.
count: The room will hold five objects after this turn.
action: I remove the sofa.
action: I rotate the blue armchair.
action: I add a potted plant.
action: I move the coffee table to the north.
action: I replace the sofa with an oak sideboard.
action: I shrink the coffee table.
action: The TV stand is replaced with a bookcase.
action: I swap the coffee table for a sideboard.
action: The plant is moved to the west.
action: The blue armchair is taken out.
""",
    "DININGROOM": """
object: The rug lies under the table.
object: A bar stool stands by the sideboard.
object: There is no sideboard in the room.
distance: Each chair is 0.40 m from the table.
distance: The dining table is 0.60 m away from the east wall.
size: The table is 1.60 m across.
size: The sideboard is 1.20 m wide.
overlap: Dining chair 1 overlaps the table.
overlap: The vase floats, as nothing holds it, and the chandelier overlaps the table.
wall: The sideboard stands against the south wall.
wall: The dining table stands in the northwest corner.
facing: The sideboard faces north.
facing: Dining chair 1 faces north.
facing: The chair on the west side faces west.
count: Six dining chairs surround the table.
count: There are ten objects in the room.
count: There are three dining chairs in the room.
action: I add a rug.
action: I move the sideboard to the south.
action: I remove dining chair 2.
""",
    "EMPTY": """
object: The desk goes next to the wardrobe.
object: The sofa is already there.
distance: The nightstand will be 0.40 m from the bed.
distance: The wardrobe goes 0.30 m from the east wall.
size: The bed is 1.90 m wide.
size: The wardrobe is 1.80 m tall.
size: The bedroom measures 4.6 x 4.2 m.
overlap: The nightstand will overlap the bed.
wall: The wardrobe goes on the west side.
wall: I place the bed against the south wall.
wall: The nightstand is placed east of the bed.
facing: The wardrobe faces east.
facing: The bed will face north.
count: I add two wardrobes.
count: After this turn the room has five objects.
count: I add four pieces.
action: I add a desk.
action: I remove the bed.
action: I rotate the wardrobe by 90 degrees.
""",
}

HONEST_CONCLUSIONS = {
    "BEDROOM": """
Moves nightstand 2 clear of the bed and adds a writing desk in front of the chair.
I shift the right nightstand 0.20 m east and place a desk by the office chair.
Nightstand 2 is moved away from the bed, and a white desk is added.
Adding a desk for the chair and moving a nightstand to end its overlap with the bed.
The desk is put in front of the chair and the nightstand is nudged eastwards.
Relocate a bedside table; bring in a writing desk.
""",
    "LIVINGROOM": """
Turns the green armchair to the coffee table, takes out the plant, resizes the coffee table, swaps the TV stand for a sideboard and moves the bookshelf down.
The armchair is rotated, the plant removed, the coffee table enlarged, the TV stand replaced by a sideboard, and the bookshelf moved to the floor.
Rotate the green armchair, delete the plant, scale the coffee table, replace the TV stand, and move the bookshelf onto the floor.
""",
    "DININGROOM": """
The dining room is finished, and no more edits are needed.
The room is complete.
All furniture is in place, so the editing ends here.
Nothing else is needed; done.
""",
    "EMPTY": """
Adds a bed, a wardrobe and a nightstand.
The bed, the wardrobe and a nightstand are placed in the empty room.
I furnish the empty bedroom with a bed, a nightstand and a wardrobe.
Three pieces are added: bed, wardrobe and nightstand.
""",
}

LYING_CONCLUSIONS = {
    "BEDROOM": """
Adds a writing desk.
Moves nightstand 2 clear of the bed.
Moves the wardrobe and adds a desk.
Moves nightstand 2 and adds a bookshelf.
Removes nightstand 2 and adds a desk.
Rotates the bed and adds a writing desk.
Moves nightstand 2, adds a writing desk and removes the floor lamp.
The room is complete.
Moves nightstand 2 to the west and adds a desk.
""",
    "LIVINGROOM": """
Rotates the green armchair, removes the plant and enlarges the coffee table.
Rotates the green armchair, adds a plant, enlarges the coffee table, replaces the TV stand with a sideboard and moves the bookshelf down.
Rotates the blue armchair, removes the plant, enlarges the coffee table, replaces the TV stand with a sideboard and moves the bookshelf down.
Rotates the green armchair, removes the sofa, enlarges the coffee table, replaces the TV stand with a sideboard and moves the bookshelf down.
Rotates the green armchair, removes the plant, shrinks the coffee table, replaces the TV stand with a sideboard and moves the bookshelf down.
""",
    "DININGROOM": """
Adds a rug under the table.
Moves the sideboard to the wall.
""",
    "EMPTY": """
Adds a bed and a wardrobe.
Adds a bed, a wardrobe and a desk.
Adds a bed, two wardrobes and a nightstand.
Removes the bed, the wardrobe and the nightstand.
The room is finished.
""",
}


def lines(text):
    return [line for line in text.strip().splitlines() if line]
