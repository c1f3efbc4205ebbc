"""Chains keep the laws of the format, whatever the room."""

from __future__ import annotations

import json
from collections import Counter
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.scene.editing.catalogue import catalogue
from operators.scene.editing.chains import ChainMaker, Wanted
from operators.scene.editing.planner import NoPlan
from operators.scene.editing.room import Room
from operators.scene.editing.state import EDITS, MULTI_TURN, SINGLE_TURN
from operators.scene.facts.things import Room as FactsRoom
from operators.scene.facts.things import faults_of, lifted
from operators.scene.judging import size_order
from operators.scene.model.chain import Chain
from operators.scene.model.scene import objects_of
from operators.scene.model.simulator import apply, target_of
from operators.scene.scene_filter import clashes
from tests.scene.editing.laws import broken
from tests.scene.editing.rooms import furnished, groups, rooms, ssr, thing

MULTI = Wanted("multi_turn", (4, 8), MULTI_TURN, 30, slips=True)
UNTIDY = Wanted("multi_turn", (4, 8), MULTI_TURN, 30)
SINGLE = Wanted("single_turn", (1, 1), SINGLE_TURN, 30)


def maker(room, wanted=MULTI, seed=0):
    return ChainMaker(Room.of(room, catalogue()), "r", seed, wanted)


def first_made(room, wanted, seed):
    """The first of a few chains; in a room with one object outside of it not every one can be made."""
    make = maker(room, wanted, seed)
    for number in range(1, 6):
        try:
            return make.make(number)
        except NoPlan as error:
            failed = error
    raise failed


@settings(max_examples=20, deadline=None)
@given(rooms(), st.integers(0, 1000))
def test_every_multi_turn_chain_keeps_the_laws(room, seed):
    made = first_made(room, MULTI, seed)
    assert broken(made.text, room, multi=True) == []
    assert 4 <= made.chain.edits <= 8
    assert made.chain == Chain.read(made.text)


@settings(max_examples=20, deadline=None)
@given(rooms(least=5), st.integers(0, 1000))
def test_every_chain_without_slips_keeps_the_laws_and_undoes_nothing(room, seed):
    made = first_made(room, UNTIDY, seed)
    assert broken(made.text, room, multi=True) == []
    assert (made.chain.revised(), made.chain.slipped()) == ([], set())
    assert 4 <= made.chain.edits <= 8
    assert made.chain == Chain.read(made.text)


@settings(max_examples=20, deadline=None)
@given(rooms(least=2), st.integers(0, 1000))
def test_every_single_turn_chain_keeps_the_laws(room, seed):
    made = first_made(room, SINGLE, seed)
    assert broken(made.text, room, multi=False) == []
    assert (made.chain.edits, made.forced) == (1, 0)


@settings(max_examples=15, deadline=None)
@given(rooms(), st.integers(0, 1000))
def test_no_value_of_an_object_comes_back_and_nothing_is_changed_three_times(room, seed):
    chain = first_made(room, MULTI, seed).chain
    seen: dict[tuple[str, str], list[list[float]]] = {}
    state = chain.start
    for calls in chain.turns:
        for call in calls:
            before = {each["jid"]: each for each in objects_of(state)}
            state = apply(state, [call], chain.retrievals)
            jid, key = target_of(call), {"move_object": "pos", "rotate_object": "rot", "scale_object": "size"}
            if call["name"] in key:
                was = seen.setdefault((jid, call["name"]), [before[jid][key[call["name"]]]])
                now = next(each for each in objects_of(state) if each["jid"] == jid)[key[call["name"]]]
                assert now not in was
                was.append(now)


def test_the_free_calls_of_many_chains_are_drawn_by_the_odds():
    make = maker(furnished(12))
    free, forced, adds, removed = Counter(), 0, 0, 0
    for number in range(1, 151):
        made = make.make(number)
        free.update(made.free)
        forced += made.forced
        names = Counter(call["name"] for calls in made.chain.turns for call in calls)
        adds, removed = adds + names["add_object"], removed + names["remove_object"]
        assert {name: names[name] for name in EDITS[1:]} == {name: made.free.get(name, 0) for name in EDITS[1:]}
    assert forced + free["add_object"] == adds == 150 * 12 + removed
    assert chi_square(free, MULTI_TURN) < 15.09  # one of a hundred true draws of five degrees is above


def test_single_turns_are_drawn_by_their_own_odds():
    make = maker(furnished(12), SINGLE)
    free = Counter()
    for number in range(1, 151):
        free.update(make.make(number).free)
    assert chi_square(free, SINGLE_TURN) < 15.09
    assert chi_square(free, MULTI_TURN) > 15.09


def chi_square(counts, odds):
    total = counts.total()
    return sum((counts[name] - total * odds[name]) ** 2 / (total * odds[name]) for name in EDITS)


def test_tools_with_other_odds_are_drawn_by_those():
    odds = {"move_object": 1.0}
    made = maker(furnished(), Wanted("multi_turn", (4, 8), odds, 30)).make(1)
    assert set(made.free) == {"move_object"}


def test_adds_run_from_large_to_small():
    sizes = ([0.4, 0.4, 0.4], [1.0, 1.0, 1.0], [2.0, 1.0, 2.0])
    room = ssr([thing(i, "A grey sofa.", list(sizes[i % 3]), -2 + 0.45 * i, 0.1 * i) for i in range(9)])
    make = maker(room)
    orders = [size_order(make.make(number).chain) for number in range(1, 41)]
    assert sum(orders) / len(orders) > 0.7


def test_adds_are_spread_evenly_over_the_turns():
    make = maker(furnished(16), Wanted("multi_turn", (4, 4), {"move_object": 1.0}, 30, slips=True))
    for number in range(1, 21):
        counts = [sum(call["name"] == "add_object" for call in calls) for calls in make.make(number).chain.turns]
        assert counts == [4, 4, 4, 4, 0]


def test_chains_of_a_room_differ_and_do_not_depend_on_how_many_there_are():
    texts = [maker(furnished()).make(1).text for _ in range(2)]
    assert texts[0] == texts[1]
    make = maker(furnished())
    several = [make.make(number).text for number in range(1, 9)]
    assert several[0] == texts[0]
    assert len(set(several)) == 8
    assert maker(furnished(), seed=1).make(1).text != texts[0]


def test_a_chain_that_equals_an_earlier_one_is_no_chain():
    room = ssr([thing(0, "?", [1.0, 1.0, 1.0])])
    make = maker(room, Wanted("multi_turn", (1, 1), MULTI_TURN, 10))
    made, failed = [], []
    for number in range(1, 20):
        try:
            made.append(make.make(number).text)
        except NoPlan as error:
            failed.append(str(error))
    assert len(set(made)) == len(made) > 0
    assert failed
    assert failed[0].startswith("no chain in 10 attempts; the last one failed: it is the same as chain ")


def test_an_object_of_the_catalogue_gets_an_id_that_the_chain_does_not_have():
    objects = [thing(i, "A chair.", [0.4, 0.9, 0.4], i - 1.0) for i in range(3)]
    taken = {each.jid for each in catalogue().for_room("bedroom")}
    for number, jid in enumerate(sorted(taken)):
        objects.append({**thing(9, "A chair.", [0.4, 0.9, 0.4], 50.0 + number), "jid": jid})
    odds = {"remove_object": 1.0}
    chain = maker(ssr(objects), Wanted("single_turn", (1, 1), odds, 30)).make(1).chain
    put = [each for each in chain.start["objects"] if each["jid"] not in {o["jid"] for o in objects}]
    assert put
    assert all(each["jid"] == f"{each['asset_jid']}__2" for each in put)


def on(number, desc, size, height, x=0.0, z=0.0):
    made = thing(number, desc, size, x, z)
    return {**made, "pos": [made["pos"][0], height, made["pos"][2]]}


#: A vase on a book on a table, a lamp on a nightstand, a box in a bookcase, and things that stand free.
STACKED = [
    thing(0, "A coffee table.", [1.2, 0.5, 0.8], 0.8, 0.8),
    on(1, "A thick book.", [0.3, 0.07, 0.25], 0.5, 0.7, 0.8),
    on(2, "A vase.", [0.1, 0.3, 0.1], 0.57, 0.7, 0.8),
    thing(3, "A small white nightstand with one drawer.", [0.5, 0.5, 0.4], -2.2, 0.0),
    on(4, "A table lamp.", [0.2, 0.4, 0.2], 0.52, -2.2, 0.05),
    thing(5, "An oak bookcase.", [1.2, 1.8, 0.4], 0.0, -1.8),
    on(6, "A cardboard box.", [0.3, 0.2, 0.3], 0.9, 0.2, -1.8),
    *(thing(i, "A dining chair.", [0.45, 0.9, 0.45], 1.0 + 0.7 * (i - 8), -0.7) for i in (7, 8, 9)),
]
CARRIERS = {"o1": "o0", "o2": "o1", "o4": "o3", "o6": "o5"}


def end_of(chain):
    """What each object is in the end, by all ids that it has on the way."""
    after = {call["arguments"]["jid_to_replace"]: chain.retrievals[call["id"]]["jid"]
             for calls in chain.turns for call in calls if call["name"] == "replace_object"}  # fmt: skip
    return {jid: after.get(after.get(jid, jid), after.get(jid, jid)) for jid in {*after, *(f"o{i}" for i in range(10))}}


@pytest.mark.parametrize("wanted", [MULTI, SINGLE], ids=["multi", "single"])
def test_nothing_is_without_what_it_stands_on_and_that_stays_as_it_is(wanted):
    room = ssr(STACKED)
    final = {each["jid"]: each for each in STACKED}
    make = maker(room, wanted)
    for number in range(1, 41):
        chain = make.make(number).chain
        ends, state = end_of(chain), chain.start
        for calls in chain.turns:
            for call in calls:
                state = apply(state, [call], chain.retrievals)
                there = {ends.get(each["jid"], each["jid"]): each for each in objects_of(state)}
                for upper, lower in CARRIERS.items():
                    if upper in there:
                        assert there.get(lower) == final[lower], (number, call)
        assert [
            each.amount for state in chain.states() for each in lifted(FactsRoom.of(state)) if each.amount > 0
        ] == []


def test_what_stands_on_others_is_moved_on_their_tops():
    make = maker(ssr(STACKED), Wanted("multi_turn", (4, 8), {"move_object": 1.0}, 30, slips=True))
    moved = Counter()
    table, nightstand = STACKED[0], STACKED[3]
    for number in range(1, 61):
        for state in make.make(number).chain.states():
            for each in objects_of(state):
                if each["jid"] in ("o1", "o4") and each != STACKED[int(each["jid"][1])]:
                    below, (x, y, z) = (table if each["jid"] == "o1" else nightstand), each["pos"]
                    assert y == STACKED[int(each["jid"][1])]["pos"][1]
                    assert abs(x - below["pos"][0]) <= below["size"][0] / 2
                    assert abs(z - below["pos"][2]) <= below["size"][2] / 2
                    moved[each["jid"]] += 1
    assert moved["o1"] > 5


def test_mistakes_on_the_way_are_mild_and_not_in_every_room():
    chairs = [
        thing(i, "A dining chair.", [0.45, 0.9, 0.45], -1.4 + 0.9 * (i % 4), 0.2 + 0.8 * (i // 4)) for i in range(8)
    ]
    walled = [thing(8, "A grey sofa.", [2.0, 0.8, 0.9], -1.2, -1.55), thing(9, "A desk.", [1.4, 0.8, 0.6], 1.2, -1.7)]
    room = ssr([*chairs[:5], *walled])
    assert (clashes(room).pairs, clashes(room).outside) == (0, 0)
    states = faulty = bad = 0
    make = maker(room)
    for number in range(1, 61):
        for state in make.make(number).chain.states()[1:-1]:
            seen = clashes(state, tolerance=0.02, outside_tolerance=0.01)
            coarse = clashes(state, tolerance=0.15, outside_tolerance=0.1)
            states += 1
            faulty += seen.pairs + seen.outside > 0
            bad += coarse.pairs + coarse.outside > 0
    assert 0.02 < faulty / states < 0.3
    assert bad / states < 0.05


def test_what_is_taken_away_again_was_there_for_two_turns():
    make = maker(furnished(12))
    stays = []
    for number in range(1, 81):
        chain = make.make(number).chain
        added = {chain.retrievals[call["id"]]["jid"]: turn for turn, calls in enumerate(chain.turns)
                 for call in calls if call["name"] == "add_object"}  # fmt: skip
        stays += [turn - added[call["arguments"]["jid"]] for turn, calls in enumerate(chain.turns)
                  for call in calls if call["name"] == "remove_object"]  # fmt: skip
    assert len(stays) > 40
    assert min(stays) == 2


@pytest.mark.parametrize("room", [furnished(), groups(furnished(), "a", "b")], ids=["ssr", "groups"])
def test_a_turn_first_changes_what_is_there_then_adds_the_larger_things_first(room):
    for calls in maker(room).make(1).chain.turns:
        adds = [call["name"] == "add_object" for call in calls]
        volumes = [c["arguments"]["size"] for c in calls if c["name"] == "add_object"]
        volumes = [w * h * d for w, h, d in volumes]
        assert adds == sorted(adds)
        assert all(a >= b for a, b in pairwise(volumes))


def test_the_last_sentence_tells_the_number_of_objects_or_turns_or_the_main_kind():
    reasons = set()
    make = maker(furnished(8))
    for number in range(1, 40):
        chain = make.make(number).chain
        reasons.add(chain.turns[-1][0]["arguments"]["reason"].replace(f"After {chain.edits} ", "After N "))
    assert reasons == {
        "The bedroom is finished: all of its 8 objects have found their place.",
        "The bedroom now holds 8 objects, and nothing is left to change.",
        "After N turns of editing the bedroom is complete.",
        "Nothing more needs to be added, moved or removed: the bedroom has 8 objects.",
        "With 8 objects in place, the bedroom needs no further edits.",
        "The bedroom is furnished as intended, with 2 wardrobes among its 8 objects.",
    }


def test_what_is_to_be_mended_is_there_from_the_start_and_stands_in_something_now_and_then():
    make = maker(furnished(12), UNTIDY)
    starts = faults = 0
    for number in range(1, 41):
        chain = make.make(number).chain
        first = {each["jid"] for each in objects_of(chain.start)}
        targets = [target_of(call) for calls in chain.turns for call in calls if target_of(call) is not None]
        assert set(targets) <= first and len(set(targets)) == len(targets)
        starts += bool(targets)
        faults += len(faults_of(FactsRoom.of(chain.start)))
    assert (starts, faults > 10) == (40, True)


def test_without_changes_a_chain_begins_in_the_empty_room():
    chain = maker(furnished(9), Wanted("multi_turn", (4, 8), {"add_object": 1.0}, 30)).make(1).chain
    assert objects_of(chain.start) == []


def test_a_room_in_groups_is_rebuilt_with_the_types_of_its_groups():
    room = groups(furnished(), "sleeping", "storing")
    chain = maker(room).make(1).chain
    assert chain.start["groups"] == []
    assert {put["group_type"] for put in chain.retrievals.values() if "group_type" in put} == {
        "sleeping type",
        "storing type",
    }
    assert json.loads(chain.text())["start"]["room_envelope"] == room["room_envelope"]


@pytest.mark.parametrize(
    ("damage", "law"),
    [
        (lambda told: told["turns"][-2].pop(), "(1) the calls do not give the room"),
        (lambda told: told["turns"][-1].append(told["turns"][0][0]), "(4) the last turn is not terminate alone"),
        (lambda told: told["start"]["objects"].append(thing(99, "A chair.", [1.0] * 3)), "(3) it begins in a room of"),
        (lambda told: told["turns"][0][0]["arguments"]["position"].__setitem__(0, 0.123), "(12) position has too many"),
        (lambda told: next(iter(told["retrievals"].values())).update(desc="<NEED_RETRIVEAL>"), "(8) a placeholder"),
    ],
)
def test_a_damaged_chain_breaks_a_law(damage, law):
    told = json.loads(maker(furnished(12), Wanted("multi_turn", (4, 4), MULTI_TURN, 30, slips=True)).make(1).text)
    damage(told)
    assert [problem for problem in broken(json.dumps(told), furnished(12), multi=True) if problem.startswith(law)]
