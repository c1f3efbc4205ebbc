"""How many of the phrasings of forms_more are caught when they lie, and blamed when they are true.

    python -m tests.scene.facts.forms_true [--cases 240] [--each 3] [--seed 1] [--all]

Each sentence is told alone of so many turns, with what fills its blanks falsely and with what fills them truly.
Printed are the shares of each group, and the sentences that are missed or blamed at least once.
"""

import argparse
import random
import tempfile
from pathlib import Path

from operators.scene.facts import check_text
from operators.scene.facts.things import overlap
from tests.scene.facts.forms_more import DEEDS, TRUE
from tests.scene.lies.deeds import target
from tests.scene.lies.falsehoods import SHAPES
from tests.scene.lies.measures import drawn, used
from tests.scene.lies.turns import drawn_cases
from tests.scene.lies.world import COMPASS, WORDS, World, angle, cap, turned_by

LIES = {"meet": "no overlap", "part": "overlap", "sound": "trouble", "sound after": "after", "count": "count",
        "total": "total", "only": "only one", "total after": "total", "facing after": "turn",
        **dict.fromkeys(DEEDS, "idle")}  # fmt: skip


def pair(world, *, meet):
    """Two things that overlap before and after, or that stand clear of each other."""
    things = drawn(world, world.still)
    for one in things[:8]:
        for other in things:
            deep, gap = overlap(one, other), world.before.room.gap(one, other)
            if other is not one and (deep > 0.08 if meet else deep == 0 and 0.2 < gap < 3):
                return {"a": world.the(one), "b": world.the(other), "n": f"{deep:.2f} m"}
    return None


def counted(world, *, only=False):
    for thing in drawn(world, world.still):
        of = [sum(t.kind.is_a(thing.kind.noun) for t in sheet.room.things) for sheet in world.sheets]
        n = of[0]
        if of[0] == of[1] and (n == 1 if only else 2 <= n < len(WORDS)) and thing.kind.plural != thing.kind.noun:
            return {"n": WORDS[n], "N": cap(WORDS[n]), "ks": thing.kind.plural, "k": thing.kind.noun, "d": str(n)}
    return None


def totalled(world, sheet):
    n = len(sheet.room.things)
    return {"n": WORDS[n] if n < len(WORDS) else str(n), "N": cap(WORDS[n] if n < len(WORDS) else str(n)), "d": str(n)}


def faced(world):
    for call in used(world, "rotate_object"):
        thing = target(world, call)
        if thing in world.seen and thing.kind.faces and abs(turned_by(world, call)) > 20:
            front = world.after.room.by_id[thing.jid].box.front
            for name, (x, z) in COMPASS.items():
                if angle(front, x, z) < 10:
                    return {"a": world.the(thing), "to": name}
    return None


def acted(tool, world):
    for call in used(world, tool):
        if target(world, call) in world.seen:
            return {"a": world.the(target(world, call))}
    return None


def true_blanks(group, world):
    if group in DEEDS:
        return acted(group, world)
    if group in ("meet", "part"):
        return pair(world, meet=group == "meet")
    if group in ("sound", "sound after"):
        return None if any(each.depth > 0 for sheet in world.sheets for each in sheet.overlaps) else {}
    if group in ("count", "only"):
        return counted(world, only=group == "only")
    return faced(world) if group == "facing after" else totalled(world, world.sheets[group == "total after"])


def blamed(case, text):
    problems = check_text(text, "", case.before, case.calls, case.after, case.retrievals)
    empty = map(str, check_text("", "", case.before, case.calls, case.after, case.retrievals))
    return [str(problem) for problem in problems if str(problem) not in set(empty)]


def told(group, text, cases, args, *, true):
    """Each telling of a sentence, and what is blamed in it."""
    results = []
    for case in random.Random(f"{args.seed} {text}").sample(cases, len(cases)):
        world = World(case, random.Random(f"{args.seed} {case.id} {text}"))
        blanks = true_blanks(group, world) if true else SHAPES[LIES[group]](world)
        if blanks is None or ("{n}" in text and "n" not in blanks):
            continue
        says = text.format(**blanks, **({"A": cap(blanks["a"])} if "a" in blanks else {}))
        results.append((says, blamed(case, says)))
        if len(results) == args.each:
            break
    return results


def run():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=240)
    parser.add_argument("--each", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--all", action="store_true", help="show every miss and blame")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        cases = drawn_cases(Path(folder), args.cases, args.seed)
    for group, texts in TRUE.items():
        lies = [(t, each) for t in texts for each in told(group, t, cases, args, true=False)]
        truths = [each for t in texts for each in told(group, t, cases, args, true=True)]
        caught, wrong = sum(bool(f) for _, (_, f) in lies), [each for each in truths if each[1]]
        print(f"{group:15} lies caught {caught:3d} of {len(lies):3d} = {caught / max(1, len(lies)):6.1%}; "
              f"truths blamed {len(wrong):3d} of {len(truths):3d}")  # fmt: skip
        if args.all:
            for text in dict.fromkeys(t for t, (_, found) in lies if not found):
                print(f"    MISSED {text}")
            for says, found in wrong:
                print(f"    BLAMED {says} <= {found[0][:110]}")


if __name__ == "__main__":
    run()
