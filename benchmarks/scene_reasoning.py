"""Whether the chains and reasoning of scene_edit are worth learning from, over many conversations by rules.

    python benchmarks/scene_reasoning.py [ROOMS...] [--conversations 100] [--chains 10] [--keep 3] [--seed 1] [--slips]

ROOMS are folders or files with rooms; without them rooms of our own are made. Rooms go through filter, repair, chains,
instructions, judge and reasoning, without pictures. Prints JSON: shares are of what their name says, ``seconds`` of
one process. "Named problems" are statements of a fault that stand in the reasoning of a turn that edits.
"""

import argparse
import itertools
import json
import re
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from dataflow_ext import run
from dataflow_ext.claims import ClaimError, holds, parse
from dataflow_ext.text.sentences import sentences
from examples.made_rooms import write_rooms
from operators.scene.claims.world import RoomWorld
from operators.scene.editing.chains import first_slip
from operators.scene.facts import fact_sheet
from operators.scene.model.chain import Chain
from pipelines.scene_edit import pipeline, rooms

#: Statements that name a fault, as marks write them, with their arguments.
_FAULT = re.compile(r"(overlaps|leaves_room|floats|blocked|blocks|faces_away|off_wall|misplaced|missing)\(([^()]*)\)")
_GRAM = 4


def measured(rows):
    """The figures of finished rows."""
    counts, told, grams = Counter(), Counter(), []
    for row in rows:
        chain = Chain.read(row["chain"])
        states = chain.states()
        _count_chain(counts, chain, states)
        for turn, (text, claims) in enumerate(zip(row["texts"], row["claims"], strict=True)):
            counts["turns"] += 1
            told.update(sentences(text["think"]))
            words = re.findall(r"[^\W\d_]+|\d+(?:\.\d+)?", text["think"].lower())
            grams.append({tuple(words[i : i + _GRAM]) for i in range(len(words) - _GRAM + 1)})
            if turn < chain.edits:
                world = RoomWorld.of(states[turn], chain.turns[turn], chain.retrievals)
                _count_problems(counts, claims["claims"], world)
    return _figures(len(rows), counts, told, grams)


def _count_chain(counts, chain, states):
    counts["calls"] += sum(map(len, chain.turns[:-1]))
    counts["undone"] += len(chain.revised())
    counts["untidy starts"] += bool(states[0].get("objects") or any(g["objects"] for g in states[0].get("groups", ())))
    counts["worse"] += sum(first_slip(pair) is not None for pair in itertools.pairwise([*states, states[-1]]))
    sheet = fact_sheet(states[-1])
    counts["physical"] += bool(len(sheet.problems) > len(sheet.layout))
    counts["layout"] += bool(sheet.layout)


def _count_problems(counts, claims, world):
    """The faults that a turn's reasoning states, and those of them that the turn ends."""
    for each in claims:
        found = _FAULT.fullmatch(each["expression"])
        if found and each["part"] == "think" and not found[2].endswith("after"):
            try:
                ends = not holds(parse(f"{found[1]}({found[2]}, after)"), world)
            except ClaimError:  # what it is about is gone
                ends = True
            counts["named"] += 1
            counts["solved"] += ends


def _figures(rows, counts, told, grams):
    seen = Counter(gram for each in grams for gram in each)
    shared = [sum(seen[gram] > 1 for gram in each) / len(each) for each in grams if each]
    whole = sum(told.values())
    share = {
        "named problems solved": (counts["solved"], counts["named"]),
        "finished rooms with a physical fault": (counts["physical"], rows),
        "finished rooms with a layout problem": (counts["layout"], rows),
        "turns that make the room worse": (counts["worse"], counts["turns"]),
        "calls that a later turn undoes or changes": (counts["undone"], counts["calls"]),
        "conversations that begin in an untidy room": (counts["untidy starts"], rows),
        "sentences that stand elsewhere word for word": (sum(n for n in told.values() if n > 1), whole),
    }
    return {
        "conversations": rows, "turns": counts["turns"], "sentences": whole,
        **{name: {"count": a, "of": b, "share": round(a / b, 4) if b else None} for name, (a, b) in share.items()},
        "4-grams of a turn that stand in another turn": round(sum(shared) / max(len(shared), 1), 4),
    }  # fmt: skip


def benchmark():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=Path, nargs="*", metavar="ROOMS")
    parser.add_argument("--conversations", type=int, default=100)
    parser.add_argument("--chains", type=int, default=10)
    parser.add_argument("--keep", type=int, default=3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--slips", action="store_true")
    args = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        source = args.source or [Path(folder) / "rooms"]
        if not args.source:
            count = -(-args.conversations // args.keep) + 4
            write_rooms(source[0], count, seed=args.seed)
        steps = pipeline(Path(folder), chains=args.chains, keep=args.keep, seed=args.seed, slips=args.slips)
        kept = [step for step in steps if type(step).__name__ not in ("SceneRenderer", "ChainValidator")]
        began = time.perf_counter()
        result = run(kept, rooms(source), cache_dir="memory")
        seconds = time.perf_counter() - began
    rows = result.table.slice(0, args.conversations).to_pylist()
    rejects = Counter(result.rejects["operator"].to_pylist())
    print(json.dumps({**measured(rows), "seconds": round(seconds, 1), "rejects": dict(rejects)}, indent=2))
    return 0


if __name__ == "__main__":
    sys.exit(benchmark())
