"""Lies in the reasoning of a room's edits: how many does the checker catch, and how often does it blame the truth?

    python benchmarks/scene_lies.py [--cases 300] [--texts 60] [--honest 300] [--seed 1] [--misses 5]
    python benchmarks/scene_lies.py --phrasings FILE.py

Texts in free words are made about the turns of real chains (rooms of our own, both forms, some of them dirty):
honest ones, and ones with exactly one lie of eight kinds, evenly over the phrasings of each kind. Printed are the
share of lies caught, by kind and phrasing, how many of those caught have a code that fits the kind, and the share of
honest texts that are blamed, with Wilson's 95 % bounds. A lie counts as caught if there is a problem that the text
without the lie does not have. FILE.py has other phrasings, as PHRASINGS of tests/scene/lies/phrasings.py. Leaves with
code 1 if less than 95 % of the lies of any kind are caught, or 5 % of the honest texts or more are blamed.
"""

import argparse
import random
import runpy
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dataflow_ext.wilson import wilson
from operators.scene.facts import check_text
from tests.scene.lies.lying import told
from tests.scene.lies.phrasings import KINDS, PHRASINGS
from tests.scene.lies.texts import STYLES, honest
from tests.scene.lies.turns import drawn_cases

CAUGHT, BLAMED = 0.95, 0.05


def blamed(text, case):
    """The problems that the checker finds in a text."""
    return problems(text.think, text.conclusion, case)


def problems(think, conclusion, case):
    return check_text(think, conclusion, case.before, case.calls, case.after, case.retrievals)


def caught_lie(text, case):
    """The codes of the problems that are there because of the lie: the text without it does not have them."""
    rest = set(map(str, problems(*text.without, case)))
    return {problem.code for problem in blamed(text, case) if str(problem) not in rest}


def lies(cases, kind, count, seed, phrasings):
    """So many texts with a lie of a kind, evenly over its phrasings, with their turns."""
    each = -(-count // len(phrasings[kind]))
    for number in range(len(phrasings[kind])):
        made = 0
        for case in random.Random(f"{seed} {kind} {number}").sample(cases, len(cases)):
            text = told(case, kind, number, random.Random(f"{seed} {case.id} {kind} {number}"), phrasings)
            if text is not None:
                yield text, case
                made += 1
            if made == each:
                break


def share(right, of):
    low, high = wilson(right, of)
    return f"{right:4d} of {of:4d} = {right / max(of, 1):6.1%} ({low:.1%} to {high:.1%})"


def measured_lies(cases, args, phrasings):
    """The share caught of each kind."""
    shares = {}
    for kind in phrasings:
        caught, fitting, by = 0, 0, {}
        missed, codes = [], Counter()
        for text, case in lies(cases, kind, args.texts, args.seed, phrasings):
            found = caught_lie(text, case)
            caught, fitting = caught + bool(found), fitting + bool(found & set(KINDS[kind][1]))
            codes.update(found)
            by.setdefault(text.phrasing, []).append(bool(found))
            if not found:
                missed.append((text, case))
        total = sum(map(len, by.values()))
        shares[kind] = caught / max(total, 1)
        print(f"{kind}  {share(caught, total)}, code fits {fitting} of {caught} {dict(codes)}: {KINDS[kind][0]}")
        for name, results in by.items():
            print(f"     {sum(results):4d} of {len(results):3d}  {name}")
        for text, case in missed[: args.misses]:
            print(f"     MISSED {case.id}: {text.lie}")
    return shares


def measured_honesty(cases, args):
    """The share of honest texts that are blamed."""
    wrong, by_style, codes = [], Counter(), Counter()
    for i in range(args.honest):
        case, style = cases[i % len(cases)], STYLES[i % len(STYLES)]
        text = honest(case, random.Random(f"{args.seed} {case.id} honest {i}"), style)
        if found := blamed(text, case):
            wrong.append((text, case, found))
            by_style[style] += 1
            codes.update({problem.code for problem in found})
    print(f"honest texts blamed: {share(len(wrong), args.honest)}, by style {dict(by_style)} {dict(codes)}")
    for text, case, found in wrong[: args.misses]:
        print(f"     BLAMED {case.id}: {'; '.join(map(str, found[:3]))}")
        print(f"            {text.think}\n            => {text.conclusion}")
    return len(wrong) / max(args.honest, 1)


def run():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--cases", type=int, default=300, help="turns that are written about")
    parser.add_argument("--texts", type=int, default=60, help="texts with a lie, of each kind")
    parser.add_argument("--honest", type=int, default=300)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--misses", type=int, default=0, help="so many of each sort are shown")
    parser.add_argument("--phrasings", type=Path, help="a file with other phrasings")
    args = parser.parse_args()
    phrasings = runpy.run_path(str(args.phrasings))["PHRASINGS"] if args.phrasings else PHRASINGS
    with tempfile.TemporaryDirectory() as folder:
        cases = drawn_cases(Path(folder), args.cases, args.seed)
    began = time.perf_counter()
    shares = measured_lies(cases, args, phrasings)
    false = measured_honesty(cases, args)
    print(
        f"{len(cases)} turns, {time.perf_counter() - began:.0f} s; "
        f"wanted: {CAUGHT:.0%} of each kind, below {BLAMED:.0%}"
    )
    return int(min(shares.values()) < CAUGHT or false >= BLAMED)


if __name__ == "__main__":
    sys.exit(run())
