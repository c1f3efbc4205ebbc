"""What the gate of `onevision` catches: `python benchmarks/onevision_gate.py [--seeds 200 201 202] [--judge]`.

The good rows of `examples/visual_reasoning`, as its truth tells them, are damaged in the ways that `calibrate` knows,
anew with each seed. Told are, for each kind, how many were caught, with 95 % bounds (Wilson) over all seeds, and how
many undamaged rows were suspected. With --judge a loopback judge that sees picture, row and gold alone is asked too.
Leaves with code 1 if a kind that code can see is caught in less than 95 %, if 5 % or more of the undamaged rows are
suspected, or if with the judge any kind is caught in less than 95 % or less than 90 % of the good rows are kept.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections import Counter
from pathlib import Path

from dataflow_ext.loopback import Loopback
from dataflow_ext.models import OpenAIModel, Session
from dataflow_ext.wilson import wilson
from operators.onevision.calibrating.measuring import UNDAMAGED, Measure, measure

ROOT = Path(__file__).parents[1]
#: What only somebody sees who looks at the picture.
UNSEEN = ("another picture", "invented object")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seeds", type=int, nargs="+", default=[200, 201, 202], metavar="N")
    parser.add_argument("--rows", type=int, metavar="N", help="at most so many rows a kind (default: all)")
    parser.add_argument("--judge", action="store_true")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from tests.onevision.checking.example_rows import example_rows
    from tests.onevision.vlm import judge

    rows = example_rows()
    began = time.process_time()
    if args.judge:
        with Loopback(judge()) as server, Session():
            model = OpenAIModel(name="judge", base_url=server.url)
            found = [each for seed in args.seeds for each in measure(rows, judge=model, seed=seed, per_kind=args.rows)]
    else:
        found = [each for seed in args.seeds for each in measure(rows, seed=seed, per_kind=args.rows)]
    print(f"{len(rows)} good rows, seeds {args.seeds}, {time.process_time() - began:.0f} CPU s")
    return int(not told(found, judged=args.judge))


def told(found: list[Measure], *, judged: bool) -> bool:
    """Print a line a kind; whether all is as wanted."""
    made, caught = Counter[str](), Counter[str]()
    for each in found:
        made[each.kind] += each.made
        caught[each.kind] += each.caught
    good = True
    for kind in made:
        low, high = wilson(caught[kind], made[kind])
        rate = caught[kind] / made[kind]
        wanted = rate < 0.05 if kind == UNDAMAGED else rate >= 0.95 or (kind in UNSEEN and not judged)
        good &= wanted
        print(f"{kind:22}{made[kind]:6}{caught[kind]:6}{rate:8.1%}  {low:.1%} to {high:.1%}{'' if wanted else '  !'}")
    return good


if __name__ == "__main__":
    raise SystemExit(main())
