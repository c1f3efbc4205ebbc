"""Effects and conditions judged by hand: which effect establishes the condition, which makes it false, which neither.

A line is ``effect -> condition``, then how it matches; "!" before a relation says that it does not hold. The names of
both are the plan's things, and those after "among" too.
"""

from __future__ import annotations

from dataclasses import dataclass

from operators.cot.support.facts import Fact, fact_of

SUPPORTS = """
# word for word, and in another spelling
inside(new_tube, tire) -> inside(new_tube, tire) = same
!inside(old_tube, tire) -> !inside(old_tube, tire) = same
tire: receptive -> tire: receptive = same
open(drawer) -> open(drawer) = same
evenly_mixed(dye, buffer, flask) -> evenly_mixed(dye, buffer, flask) = same
Inside(New_Tube, TIRE) -> inside(new_tube, tire) = spelling
on-top-of(cup, table) -> on_top_of(cup, table) = spelling
insideOf(cup, box) -> inside_of(cup, box) = spelling
tire lever: Rigid -> tire_lever: rigid = spelling
is_inside(cup, box) -> inside(cup, box) = spelling
# inflection
grasps(hand, spoon) -> grasping(hand, spoon) = spelling
blocks(rock, door) -> blocking(rock, door) = spelling
water_tap: dispensability -> water_tap: dispensable = spelling
milk: ready_to_pour -> milk: ready_for_pouring = spelling
cart: moveable -> cart: movable = spelling
# synonyms
on(cup, table) -> on_top_of(cup, table) = synonym
placed_on(cup, table) -> on_top_of(cup, table) = synonym
resting_on(spoon, counter) -> on(spoon, counter) = synonym
on_top_of(spoon, counter) -> positioned_on(spoon, counter) = synonym
in(key, lock) -> inside(key, lock) = synonym
placed_in(sieve, sink) -> inside(sieve, sink) = synonym
inside(sieve, sink) -> contained_in(sieve, sink) = synonym
stored_within(drill, case) -> inside(drill, case) = synonym
attached_to(tip, pipette) -> connected_to(tip, pipette) = synonym
fixed_to(bracket, wall) -> mounted_on(bracket, wall) = synonym
holding(hands, lid) -> grasping(hands, lid) = synonym
grasped(right_hand, spatula) -> holding(right_hand, spatula) = synonym
gripping(hand, rope) -> holding(hand, rope) = synonym
contacting(knife, board) -> touching(knife, board) = synonym
in_contact_with(probe, pad) -> contacting(probe, pad) = synonym
drawer: opened -> drawer: open = synonym
lamp: switched_on -> lamp: turned_on = synonym
jar: cleaned -> jar: clean = synonym
shelf: accessible -> shelf: reachable = synonym
handle: grippable -> handle: graspable = synonym
box: steadied -> box: stable = synonym
soup: heated -> soup: hot = synonym
fish: defrosted -> fish: thawed = synonym
# arguments in another order
contacting(probe, pad) -> contacting(pad, probe) = order
connected_to(hose, pump) -> connected_to(pump, hose) = order
aligned_with(stem, hole) -> aligned_with(hole, stem) = order
mixed(flour, egg) -> mixed(egg, flour) = order
evenly_mixed(dye, buffer, flask) -> evenly_mixed(buffer, flask, dye) = order
next_to(cup, plate) -> next_to(plate, cup) = order
near(robot, dock) -> near(dock, robot) = order
separated_from(yolk, white) -> separated_from(white, yolk) = order
inside(water, kettle) -> contains(kettle, water) = order
above(tip, flask) -> below(flask, tip) = order
supports(table, cup) -> on_top_of(cup, table) = order
left_of(fork, plate) -> right_of(plate, fork) = order
covered_by(pot, lid) -> covering(lid, pot) = order
held(kitchen_knife, right_hand) -> held(right_hand, kitchen_knife) = order
# opposites with opposite truth
closed(door) -> !open(door) = opposite
!open(door) -> closed(door) = opposite
outside_of(bead, rim) -> !inside(bead, rim) = opposite
!inside(cup, box) -> outside_of(cup, box) = opposite
detached_from(tip, pipette) -> !attached_to(tip, pipette) = opposite
!attached_to(wheel, hub) -> disconnected_from(wheel, hub) = opposite
released(hand, rope) -> !holding(hand, rope) = opposite
dry(hands) -> !wet(hands) = opposite
switched_off(stove) -> !on(stove) = opposite
not_inside(cup, box) -> !inside(cup, box) = spelling
no_longer_on(lid, jar) -> !on(lid, jar) = spelling
unlocked(gate) -> !locked(gate) = opposite
unpainted(fence) -> !painted(fence) = opposite
# a state as a relation and as an affordance
open(drawer) -> drawer: open = state
drawer: open -> open(drawer) = state
wet(celery) -> celery: wet = state
flowing(water) -> water: flowing = state
held_by(rope, hand) -> holding(hand, rope) = order
grasped(cube, robot_gripper) -> holding(robot_gripper, cube) = synonym
the_lid: clean -> lid: clean = object
oven: preheated -> oven: hot = implied
hung_on(coat, hook) -> hanging_from(coat, hook) = synonym
clamped_to(plank, bench) -> fixed_to(plank, bench) = implied
far_from(chair, desk) -> !next_to(desk, chair) = implied
grasping(hands, mug) -> holding(right_hand, mug) = object
closed(valve) -> valve: shut = state
# the same thing under another name
on_top_of(egg, plate) -> on_top_of(eggs, plate) = object
inside(milk, fridge) -> inside(milk, refrigerator) = object
inside(cup, refrigerator) -> inside(cup, refrigerator_interior) = object
on(cup, countertop) -> on(cup, counter) = object
open(lid_of_jar) -> open(jar_lid) = object
on(blue_lid, jar) -> on(lid, jar) = object
inside(soup, pan) -> inside(soup, frying_pan) = object
inside(hot_water, kettle) -> inside(water, kettle) = object
holding(right_hand, knife) -> holding(hands, knife) = object
knife: sharp -> knives: sharp = object
closed(refrigerator_door) -> closed(refrigerator) = object
bike: rideable -> bicycle: rideable = object
on(diced_zucchini, board) -> on(zucchini, board) = object
# lists of things, and places told by the relation's name
in_sink(knife, fork, kitchen_sink) -> inside(fork, kitchen_sink) = synonym
in_dish_rack(grater, kitchen_dish_rack) -> inside(grater, kitchen_dish_rack) = synonym
on_counter(dish, kitchen_counter) -> on_top_of(dish, kitchen_counter) = synonym
wet(knife, fork, dish) -> wet(dish) = object
in_sink(pan) -> inside(pan, sink) = synonym
in(knife, right_hand) -> holding(right_hand, knife) = synonym
in_hand(knife, right_hand) -> holding(right_hand, knife) = synonym
# what follows
holding(hand, knife) -> contacting(hand, knife) = implied
on_top_of(cup, table) -> contacting(table, cup) = implied
removed_from(cup, box) -> !inside(cup, box) = implied
removed_from(lid, jar) -> !on(lid, jar) = implied
unscrewed_from(bolt, frame) -> !attached_to(bolt, frame) = implied
filled_with(kettle, water) -> inside(water, kettle) = implied
filled_with(kettle, water) -> kettle: filled = implied
!inside(air, tire) -> !filled_with(tire, air) = implied
bolted_to(wheel, hub) -> attached_to(wheel, hub) = implied
submerged_in(tip, dye) -> inside(tip, dye) = implied
next_to(chair, desk) -> near(desk, chair) = implied
onion: diced -> onion: cut = implied
jar: sealed -> jar: closed = implied
jar: sealed -> !open(jar) = implied
vial: airtight -> vial: sealed = implied
plate: washed -> plate: clean = implied
cup: empty -> !full(cup) = implied
pan: hot -> !cold(pan) = implied
potato: boiled -> potato: cooked = implied
covering(lid, pot) -> pot: covered = implied
# degrees
tightly_sealed(jar) -> sealed(jar) = synonym
fully_closed(door) -> closed(door) = synonym
uniformly_distributed_in(rice, pan) -> evenly_distributed_in(rice, pan) = spelling
securely_attached_to(tip, pipette) -> attached_to(tip, pipette) = synonym
pan: now_hot -> pan: hot = spelling
# Chinese names match by equality alone
里面(水, 水壶) -> 里面(水, 水壶) = same
水壶: 可加热 -> 水壶: 可加热 = same
inside(ｔｅａ, cup) -> inside(tea, cup) = spelling
"""

NEITHER = """
# abilities are not states, and purposes are not what was done
jar: sealable -> jar: sealed
drawer: openable -> drawer: open
drawer: open -> drawer: openable
carton: pourable -> carton: poured
spoon: stirring -> soup: stirred
soup: stirring -> soup: stirred
plate: washable -> plate: washed
hook: attachable -> hook: attached
tire: inflatable -> tire: inflated
# other things
inside(new_tube, tire) -> inside(old_tube, tire)
inside(tube, tire) -> inside(tube, tire_bag)
on_top_of(zucchini_pieces, board) -> on_top_of(zucchini_slices, board)
holding(left_hand, knife) -> holding(right_hand, knife)
on(blue_lid, jar) -> on(lid, jar) among red_lid
open(upper_drawer) -> open(drawer)
on(bowl_1, tray) -> on(bowl_2, tray)
on(bowl_1, tray) -> on(bowl, tray)
on(cube_a, tray) -> on(cube_b, tray)
on(cube_a, tray) -> on(cube, tray)
tire_bead: pliable -> tire: pliable
photometer_lid: clean -> photometer: clean
inside(rice, pot) -> inside(boiled_rice, pot)
inside(water, kettle) -> inside(hot_water, kettle)
on(ring, right_hand) -> holding(right_hand, ring)
lamp: powered -> lamp: on
inside(milk_carton, fridge) -> inside(milk, fridge)
on(spoon_and_fork, table) -> on(fork, table)
knife: sharp -> knife_block: sharp
# other relations
inside(cup, box) -> inside(box, cup)
on_top_of(cup, table) -> on_top_of(table, cup)
holding(hand, cup) -> on_top_of(cup, table)
above(tip, flask) -> attached_to(flask, tip)
above(lamp, desk) -> on(lamp, desk)
under(dish, faucet) -> on_top_of(faucet, dish)
!above(tip, flask) -> below(tip, flask)
near(cup, plate) -> next_to(cup, plate)
near(cup, plate) -> contacting(cup, plate)
contacting(hand, knife) -> holding(hand, knife)
contacting(cup, table) -> on_top_of(cup, table)
inside(screw, hole) -> screwed_into(screw, hole)
attached_to(sign, wall) -> glued_to(sign, wall)
glued_to(sign, wall) -> bolted_to(sign, wall)
inside(dye, flask) -> submerged_in(flask, dye)
inside(bead, rim) -> seated_in(bead, rim)
facing(robot, wall) -> facing(wall, robot)
pressed_against(bead, rim) -> attached_to(bead, rim)
inside(water, kettle) -> filled_with(kettle, water)
on(cup, table) -> on(table)
lamp: on -> on(lamp, desk)
stove: hot -> stove: on
# less than what is needed
sealed(jar) -> tightly_sealed(jar)
jar: closed -> jar: sealed
onion: cut -> onion: diced
onion: sliced -> onion: diced
plate: clean -> plate: washed
partially_open(door) -> open(door)
!cold(soup) -> hot(soup)
!full(cup) -> empty(cup)
!tightly_sealed(jar) -> !sealed(jar)
bread: baked -> bread: ready_to_eat
oven: hot -> oven: preheated
inside(water, bucket) -> bucket: full
holding(gripper, cube) -> on(cube, tray)
placed_upside_down_on(cup, rack) -> on(cup, rack)
gauze: absorbent -> gauze: absorbed
in_front_of(robot, shelf) -> behind(shelf, robot)
pan_handle: hot -> pan: hot
rice: partially_cooked -> rice: cooked
pan: warm -> pan: hot
table: set -> table: clean
# a list that does not have all, and a denial of all together
in_sink(knife, kitchen_sink) -> in_sink(knife, fork, kitchen_sink)
!wet(knife, fork) -> !wet(fork)
# what stays where it was although some of it was taken, and places within places
inside(stock_dye, flask) -> inside(stock_dye, pipette_tip)
inside(milk, mug) -> inside(milk, carton)
on(cup, table) -> inside(cup, kitchen)
on(book, wooden_shelf) -> inside(book, shelf_unit)
on(plate, table) -> on(cup, plate)
holding(hand, tray) -> holding(hand, cup)
tire: firm -> tire: closed
里面(水, 水壶) -> 里面(茶, 水壶)
on(★, box) -> on(☆, box)
on(कि, box) -> on(का, box)
--(cup, box) -> ..(cup, box)
"""

CONTRADICTS = """
!inside(tube, tire) -> inside(tube, tire) = same
inside(tube, tire) -> !inside(tube, tire) = same
Inside(Tube, tire) -> !inside(tube, tire) = spelling
!contacting(hand, valve) -> touching(valve, hand) = synonym
closed(door) -> open(door) = opposite
drawer: shut -> drawer: open = opposite
door: locked -> door: unlocked = opposite
outside_of(bead, rim) -> inside(bead, rim) = opposite
!outside_of(bead, rim) -> outside_of(bead, rim) = same
detached_from(tip, pipette) -> connected_to(pipette, tip) = opposite
released(hand, rope) -> holding(hand, rope) = opposite
wet(towel) -> towel: dry = opposite
switched_off(lamp) -> lamp: on = opposite
closed(photometer_lid) -> open(photometer_lid) = opposite
dish: dirty -> dish: clean = opposite
removed_from(cup, box) -> inside(cup, box) = implied
taken_off(lid, pot) -> on(lid, pot) = implied
inside(cup, box) -> removed_from(cup, box) = implied
above(tip, flask) -> below(tip, flask) = implied
above(tip, flask) -> above(flask, tip) = implied
jar: sealed -> jar: open = implied
cup: empty -> cup: full = implied
locked(door) -> open(door) = implied
cloth: soaked -> cloth: dry = implied
screw: loosened -> screw: tight = opposite
cup: partially_filled -> cup: empty = implied
cup: partially_filled -> cup: full = implied
soup: hot -> soup: cold = implied
potato: boiled -> potato: raw = implied
!inside(water, kettle) -> filled_with(kettle, water) = implied
not_attached_to(tip, pipette) -> attached_to(tip, pipette) = spelling
closed(refrigerator_door) -> open(refrigerator) = object
lens: contaminated -> lens: sterile = opposite
gate: unreachable -> gate: accessible = opposite
wet(knife, fork, dish) -> dry(fork) = opposite
!in_sink(knife, kitchen_sink) -> in_sink(knife, fork, kitchen_sink) = object
on_top_of(board, table) -> inside(board, cupboard) = elsewhere
inside(sieve, sink) -> inside(sieve, cabinet) = elsewhere
on(lid, jar) -> on(lid, pot) = elsewhere
placed_on(box, dining_table) -> stored_in(box, lower_cabinet) = elsewhere
fully_closed(door) -> open(door) = opposite
open(door) -> tightly_closed(door) = opposite
"""


@dataclass(frozen=True, slots=True)
class Pair:
    """An effect, a condition, the names of the plan, and by which kind of match they meet."""

    effect: Fact
    condition: Fact
    things: frozenset[str]
    kind: str

    def __str__(self) -> str:
        return f"{self.effect.text} -> {self.condition.text}"


def fact(text: str) -> Fact:
    """A fact in the short form of the tables."""
    denied = text.startswith("!")
    read = fact_of(f"{text.removeprefix('!')} => {not denied}") if text.endswith(")") else fact_of(text)
    assert read is not None, text
    return read


def pairs(table: str) -> list[Pair]:
    """The table's lines, one a pair."""
    found = []
    for line in filter(lambda line: line and not line.startswith("#"), table.splitlines()):
        facts, _, kind = line.partition(" = ")
        facts, _, among = facts.partition(" among ")
        effect, condition = map(fact, facts.split(" -> "))
        things = {*effect.objects, *condition.objects, *filter(None, [among])}
        found.append(Pair(effect, condition, frozenset(things), kind))
    return found
