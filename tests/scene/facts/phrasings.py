"""More phrasings of truths and lies on the four turns, and three whole texts."""

HONEST = {
    "BEDROOM": """
The priority is to fix the collision. Because the nightstand on the right overlaps the bed, it has to go 20 cm to the east. With about 70 cm between it and the east wall there is enough room; after the shift 0.50 m remain.
The wardrobe, which is 2.20 m high, does not block anything. Its doors open towards the east.
Looking from above, the bed is in the upper half of the plan. The lamp is in the lower right corner.
No lamp stands near the bed, although there is a floor lamp in the opposite corner.
The desk would otherwise be too close to the bed; at z = 0.35 it keeps 0.45 m.
Against the north wall we find the bed, with a nightstand to its left and another to its right.
The gap between the wardrobe's south end and the south wall is 0.50 m.
Nightstand 2 (at x = 1.05) and the bed share a strip of 10 cm.
The bed runs from z = -2.50 to z = -0.40.
If you measure from the bed to nightstand 1, you get 0.10 m.
Of the six objects, only nightstand 2 causes trouble.
The bed's foot end points to the south.
The wardrobe's front looks to the east.
The chair currently faces empty floor.
Roughly 0.7 m separates the chair from the lamp.
A new desk joins the chair on the east side.
The desk will be 1.2 m wide and 0.6 m deep, with its top at 0.75 m.
I nudge the eastern nightstand 0.2 m to the right.
Nightstand 2 slides east by 20 cm, ending at x = 1.25.
The bed remains where it is.
I leave the wardrobe untouched.
The lamp in the corner does not need to move.
The chair is about 2.3 m from the wardrobe.
It would be wrong to move the bed to the south wall.
A mirror on the west wall would be a good addition later on.
The chair has its back to the south wall.
With a depth of 0.6 m, the wardrobe leaves the way past it free.
The clearance to the east wall shrinks from 0.70 m to 0.50 m.
The nightstand's new position is (1.25, 0.00, -2.30).
Both bedside tables are then equally far from the bed: 0.10 m each.
The room is a 4.00 m by 5.00 m bedroom with most furniture placed along the walls.
Looking at the bed first: it rests with its back at the north wall.
The lamp and the wardrobe are fine and stay.
Since the office chair is turned to the north, the desk belongs north of it.
Moving nightstand 2 from x = 1.05 to x = 1.25 removes the 0.10 m overlap.
By then the gap on both sides of the bed is 0.10 m.
One of the two nightstands collides with the bed.
There are no lamps other than the floor lamp.
The only physical problem is the overlap of nightstand 2 and the bed.
No object is out of bounds.
Only one wardrobe is there.
I want the desk to face the chair.
""",
    "LIVINGROOM": """
The seating is arranged around the coffee table: the sofa to the south, one armchair to the west and one to the east. However, the green armchair looks south, past the table, so I turn it by 90 degrees to make it face east. The plant breaks through the east wall, with 30 % of its footprint outside, so I take it away. The bookshelf hangs 0.40 m above the ground without support; I set it down on the floor. The coffee table is a bit small for a sofa of 2.20 m, so I widen it from 1.00 to 1.20 m. Lastly, a sideboard takes the place of the TV stand.
Both armchairs are 1.10 m away from the coffee table.
The TV stand sits opposite the sofa; 2.60 m lie between them.
While the blue armchair already faces the coffee table, the green one does not.
The new sideboard is 0.20 m wider than the TV stand was: 1.80 m instead of 1.60 m.
Only the plant is out of bounds.
The coffee table becomes 0.20 m wider and 0.10 m deeper.
The shelf is not standing on the floor but floating at 0.40 m.
The lamp hangs over the table.
The green armchair should face the table, so I rotate it by a quarter turn.
The blue one is fine.
Behind the sofa, 0.05 m remain to the south wall.
The plant is 1.2 m tall, and part of it is beyond the east wall.
I scale the table up to 1.20 x 0.40 x 0.70 m.
The coffee table is scaled from 1.00 m to 1.20 m in width and from 0.60 m to 0.70 m in depth.
An oak sideboard, 1.80 m wide, goes in place of the TV stand.
The bookshelf drops from 0.40 m to 0.00 m.
The two armchairs are 3.20 m apart.
Between the two armchairs lie 3.20 m.
The sofa faces the TV stand across the coffee table.
Removing the plant leaves seven objects.
""",
    "DININGROOM": """
A round table forms the heart of the room, and four chairs are grouped around it.
Each chair points at the table.
The sideboard's long side runs along the north wall, with no gap to speak of.
From the table's edge to the west wall I measure 1.40 m.
The chandelier hangs right above the table, at a height of 2.00 m.
The blue vase sits on the dining table.
There is nothing that sticks out of the room.
Dining chairs 3 and 4 sit to the west and to the east of the table.
The southern chair faces north.
A rug was not requested, and the room does not lack anything.
The furniture is balanced: the table is in the middle and the sideboard on the north side.
The sideboard is 0.80 m tall and 0.40 m deep.
Dining chair 1 is 0.47 m away from the sideboard.
I stop here: nothing has to be moved, added or removed.
""",
    "EMPTY": """
I start with an empty shell of 3.60 m by 4.20 m.
The platform bed is centred on the north wall, so that a metre of floor is left to the west and to the east of it.
The wardrobe is turned to the west so that its doors open into the room.
Next to the bed I set a small nightstand at (-1.10, 0.00, -1.88).
No lamp is placed yet; lighting follows later.
The bed takes 1.60 x 2.10 m of the floor.
The wardrobe, 1.40 m wide, stands against the east wall.
None of the three pieces collide.
Large pieces come first: the bed and the wardrobe.
The bed's foot will be 2.10 m away from the south wall.
A chair or a desk would be too much for one turn.
""",
}

LIES = {
    "BEDROOM": """
The eastern nightstand reaches 0.30 m into the bed.
The white wardrobe lines the south wall and takes no space.
In the north-east corner a floor lamp gives light to the chair.
Next to the chair stands a bookcase full of books.
I shift nightstand 2 to x = 1.60, which leaves a gap.
I bring in a writing desk, 1.60 m wide.
Physical: nightstand 1 and the bed intersect. Layout: the office chair has no desk.
Nightstand 2 goes from x = 1.05 to x = 1.45.
The desk is 0.40 m from the chair.
A: There will be nine objects.
Because the nightstand on the right overlaps the bed, it has to go 40 cm to the east.
Its footprint aside, the wardrobe, which is 1.80 m high, does not block anything.
The lamp is in the upper left corner.
The doors of the wardrobe open towards the west.
First, the floor lamp is moved away from the corner.
I therefore delete the wardrobe.
The office chair looks south, away from the bed.
The bed, a large piece, dominates the south side.
To fix this, I pull nightstand 2 westwards.
My plan: rotate the chair by 90 degrees.
The dressing table by the window is in the way.
The three nightstands make the room cramped.
Its only nightstand is on the left.
The wardrobe and the bed are in each other's way: they overlap by 0.2 m.
Wardrobe and floor lamp touch each other.
The room contains two wardrobes, a bed and a lamp.
There is a total of five objects.
The chair is right next to the wardrobe.
The floor lamp is 1.95 m high.
Against the east wall we find the bed.
The gap between the wardrobe and the south wall is 1.20 m.
Nightstand 2 (at x = 0.45) overlaps the bed.
If you measure from the bed to nightstand 1, you get 0.60 m.
The bed's foot end points to the west.
The wardrobe's front looks to the north.
Roughly 1.5 m separates the chair from the lamp.
A new desk joins the chair on the west side.
The desk will be 1.2 m wide and 0.9 m deep.
I nudge the eastern nightstand 0.2 m to the left.
Nightstand 2 slides east by 50 cm.
I throw out the lamp.
I scoot the bed to the south.
The chair is about 4 m from the wardrobe.
Opposite the bed there is a television.
The clearance to the east wall shrinks from 0.90 m to 0.50 m.
The nightstand's new position is (1.45, 0.00, -2.30).
Two chairs stand in the room.
A pair of wardrobes fills the west side.
All four nightstands touch the wall.
The wardrobe's doors open to the west wall.
The wardrobe crosses into the bed.
The lamp and the chair are in the same spot.
The bed is 1.5 m long.
The lamp occupies the north-west corner.
The bench at the foot of the bed is too long.
I give the wardrobe a new orientation by rotating it.
The floor lamp gets swapped for a taller one.
The chair is behind the wardrobe, hugging the west wall.
The desk ends up facing the north wall.
The room is a 5.00 m by 5.00 m bedroom.
It rests with its back at the wall: the bed touches the east wall.
The office chair is turned to the west.
Moving nightstand 2 from x = 1.05 to x = 1.55 removes the overlap.
The distance from the wardrobe to the bed is 0.36 m.
Both nightstands collide with the wardrobe.
There are two lamps in the room.
The only physical problem is the overlap of nightstand 1 and the bed.
The wardrobe is out of bounds.
I scale the nightstand down to 0.4 m.
The stool beside the wardrobe has no use.
Between the wardrobe and the chair the passage is just 0.9 m.
The wardrobe can be found in the north-east corner.
The lamp's shade is at 1.9 m, far above the chair.
The bed is the tallest object with 1.6 m.
The desk is turned by 90 degrees to the east.
""",
    "LIVINGROOM": """
I turn the green armchair by 180 degrees.
The plant breaks through the west wall.
The bookshelf hangs 0.80 m above the ground.
I widen the coffee table from 1.00 to 1.50 m.
Lastly, a sideboard takes the place of the sofa.
Both armchairs are 0.60 m away from the coffee table.
The blue armchair turns its back to the coffee table.
The new sideboard is 0.50 m wider than the TV stand.
The sofa is out of bounds.
The pendant lamp is above the TV stand.
The three armchairs form a circle.
The ottoman near the sofa is too big.
I will rotate the blue armchair to face south.
To balance the room I add a second plant.
The green armchair blocks the east wall.
The bookshelf touches the south wall.
The armchairs collide with the coffee table.
The shelf stands on the floor already.
The blue armchair points east.
I spin the blue armchair around.
The plant is 2.0 m tall.
I scale the table up to 1.50 x 0.40 x 0.70 m.
An oak sideboard goes in place of the sofa.
The bookshelf drops from 0.80 m to 0.00 m.
The two armchairs are 1.20 m apart.
The sofa is on the north side.
I get rid of the bookshelf.
Two plants decorate the corner.
The TV stand looks north.
The pendant lamp floats outside the room.
The rug beneath the coffee table is missing a corner.
The coffee table collides with the sofa by 0.15 m.
The armchairs are 2.50 m from the coffee table.
I also rotate the sofa by 180 degrees.
The stool next to the sofa is empty.
The bookshelf is next to the sofa.
""",
    "DININGROOM": """
A round table forms the heart of the room, and six chairs are grouped around it.
Dining chair 2 points away from the table.
The sideboard runs along the east wall.
From the table's edge to the west wall I measure 0.70 m.
The chandelier hangs at a height of 1.20 m.
The vase sits on the sideboard.
The sideboard sticks out of the room.
Dining chair 3 sits to the east of the table.
The southern chair faces west.
A rug covers the floor.
The sideboard is 1.30 m tall.
I remove one chair.
The bookcase is full.
The chandelier collides with the vase.
Five chairs are too many for this table.
The wall clock shows noon.
The table is square-edged, 1.50 m across.
The table is pushed into the south-east corner.
The sideboard overlaps dining chair 1 by 0.05 m.
""",
    "EMPTY": """
I start with an empty shell of 5.20 m by 4.20 m.
The bed is centred on the south wall.
The wardrobe is turned to the north.
Next to the bed I set a small table lamp.
The wardrobe, 1.90 m wide, stands against the east wall.
The bed will collide with the wardrobe.
I place the wardrobe in the northwest corner.
A desk is added under the window.
The nightstand goes 0.50 m from the bed.
The bed's foot will be 1.10 m away from the south wall.
I put two nightstands beside the bed.
The sofa is moved to the wall.
The existing wardrobe is scaled down.
The bed faces the north wall.
""",
}

BEDROOM_TEXTS = [
    """
Let me begin with what the picture shows. The double bed is placed with its headboard to the north wall, and a walnut nightstand stands on either side of it. The eastern one is the problem: it reaches 0.10 m into the bed. The white wardrobe lines the west wall and takes no space from the walkway. In the south-east corner a floor lamp gives light to the chair. The office chair faces north, but it has no desk yet.

I therefore do two things. First, I shift nightstand 2 to x = 1.25, which is 0.20 m further east and leaves 0.10 m to the mattress. Second, I bring in a writing desk, 1.20 m wide, at (1.20, 0.00, 0.35), where it stands just in front of the chair.
""",
    """
Step 1: Problem identification. Physical: nightstand 2 and the bed intersect by 0.10 m. Layout: the office chair has no desk. Spatial: most things stand in the north and along the edges.
Step 2: Strategy. Resolve the overlap first, then give the chair a desk.
Step 3: Parameters. Nightstand 2 goes from x = 1.05 to x = 1.25. The desk measures 1.20 x 0.75 x 0.60 m and has its centre at z = 0.35.
Step 4: Impact. Afterwards the nightstand stands 0.10 m from the bed; the desk is 0.05 m from the chair and 0.20 m from the east wall. No new overlap arises.
""",
    """
Q: What is physically wrong?
A: Nightstand 2 overlaps the bed by 0.10 m; nothing else collides.
Q: Is any furniture missing?
A: A desk is missing, because the office chair has nothing in front of it.
Q: What will the room look like after the edit?
A: There will be seven objects, and the two nightstands will sit symmetrically at 0.10 m from the bed.
""",
]
