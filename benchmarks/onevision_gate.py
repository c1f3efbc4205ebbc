"""What `onevision` keeps of damaged sources: `python benchmarks/onevision_gate.py [--seed N] [--rows N] [--judge P]`.

The good rows of `examples/visual_reasoning`, as its truth tells them, are damaged in their sources as `calibrate` does
it, and the whole pipeline is run on them again. By code alone, leaves with code 1 if more than 15 % of the wrong
conclusions are kept, or if a tenth of the undamaged rows is suspected. With --judge, a loopback model judges what code
does not drop: it sees picture and row, knows the picture's questions and answers, and says the opposite in a share P;
then more than 5 % of the wrong conclusions are too many, and of the undamaged a tenth and P. The checks were mended on
this set, so its rates flatter.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import sys
import tempfile
import time
from functools import partial
from pathlib import Path
from typing import Any

from dataflow_ext.models import OpenAIModel
from operators.onevision.calibration import UNDAMAGED, Measure, measure, table_of
from operators.onevision.damages import COPIES, DAMAGES
from pipelines.onevision import pipeline

ROOT = Path(__file__).parents[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=200, metavar="N")
    parser.add_argument("--rows", type=int, metavar="N", help="at most so many rows a kind (default: all)")
    parser.add_argument("--judge", type=float, metavar="P", help="with a judge that errs in this share of its replies")
    args = parser.parse_args()
    sys.path.insert(0, str(ROOT))
    from tests.loopback import Loopback
    from tests.onevision.checking.example_rows import example_rows

    os.environ["OPENAI_API_KEY"] = "none"
    rows, began = example_rows(), time.process_time()
    with tempfile.TemporaryDirectory() as folder, Loopback(partial(judged, errs=args.judge)) as server:
        judge = None if args.judge is None else OpenAIModel(name="judge", base_url=server.url)
        steps = pipeline(ROOT, Path(folder), None, judge, ocr=None)
        kinds = (*DAMAGES, *COPIES) if judge is None else KINDS
        found = measure(rows, steps, seed=args.seed, per_kind=args.rows, kinds=kinds, judged=judge is not None)
    print(*table_of(found), sep="\n")
    print(f"{len(rows)} good rows, seed {args.seed}, {time.process_time() - began:.0f} CPU s")
    return int(not good(found, args.judge))


#: What a judge is measured on that knows answers and pictures.
KINDS = ("wrong conclusion", "wrong conclusion, told", "another picture")


def judged(body: dict[str, Any], errs: float) -> str:
    """The reply of a judge that knows each picture's questions and answers; in a share of its replies the opposite."""
    from tests.onevision import sets
    from tests.onevision.asked import asked
    from tests.onevision.seeing import same

    request = asked(body)
    right = any(same(sets.turns()[turn]["right"], request.blocks["final"]) for turn in request.turns)
    points = 9.0 if right is (random.Random(json.dumps(body["messages"])).random() >= errs) else 2.0
    points_of = dict.fromkeys(("description", "grounding", "logic", "answer"), points)
    return json.dumps(
        {"seen": request.picture or "nothing known", **points_of, "faults": [], "comment": "By its truth."}
    )


def good(found: list[Measure], judge: float | None) -> bool:
    """Whether as many are caught and as few suspected as is wanted."""
    by_kind = {each.kind: (each.judge or each.code).rate for each in found}
    wrong = [rate for kind, rate in by_kind.items() if kind.startswith("wrong conclusion")]
    return min(wrong) >= (0.85 if judge is None else 0.95) and by_kind[UNDAMAGED] <= 0.1 + (judge or 0.0)


if __name__ == "__main__":
    raise SystemExit(main())
