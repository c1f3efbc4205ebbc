"""What `curate` makes of each row of a file, one JSON object a row, to be compared with what is known of it.

    python benchmarks/curate_rows.py ROWS.jsonl [--benchmark FILE] [--model NAME --base-url URL] > predicted.jsonl
    python benchmarks/curate_rows.py ROWS.jsonl --benchmark FILE --truth TRUTH.jsonl

Without a model, rules do the work. A row has `id`, `cleaned` (its question without furniture, blanks put back, split or
not), `parts` (label, question, answer, type, depends_on of each), and for a row without parts its `type` and `answer`;
`duplicate_of`, `benchmark_hit`, `contradiction`, `lost_picture`, and `drop`, the error it was rejected with. `--truth`
takes objects with those of these fields that are known, and prints a figure for each.
"""

import argparse
import json
import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from dataflow_ext import run
from dataflow_ext.identity import parent_of
from dataflow_ext.models import OpenAIModel
from operators.curate.inputs import question_rows
from operators.verify.equivalence import equivalent
from pipelines.curate import pipeline

OF_ROW = ("NearDuplicate", "BenchmarkItem")


def predicted(rows, benchmarks=(), model=None):
    """What comes of the rows of a file, in their order."""
    with tempfile.TemporaryDirectory() as folder:
        table = question_rows([rows], Path(folder)).table
        result = run(pipeline(model, benchmarks=benchmarks), table, limit=None)
        places = {"QuestionReviewer": defaultdict(list), "BlankRestorer": defaultdict(list)}
        for step, found in places.items():
            for row in result.after(step).to_pylist():
                found[row["parent_id"]].append(row)
    rejects = defaultdict(list)
    ids = set(table["parent_id"].to_pylist())
    for reject in result.rejects.to_pylist():
        own = reject["row_id"] if reject["row_id"] in ids else parent_of(reject["row_id"])
        rejects[own].append(reject)
    return [_row(each, places, rejects[each]) for each in table["parent_id"].to_pylist()]


def _row(name, places, rejects):
    before, after = places["QuestionReviewer"].get(name, []), places["BlankRestorer"].get(name, [])
    errors = {reject["error"]: reject for reject in rejects}
    parts = [
        {
            "label": row["part"],
            "question": row["question"],
            "answer": row["answer"],
            "type": row["question_type"],
            "depends_on": row["depends_on"],
            "question_images": row["question_images"],
        }
        for row in after
    ]
    split = len(parts) > 1
    return {
        "id": name,
        "cleaned": before[0]["question"] if split else parts[0]["question"] if parts else None,
        "parts": parts if split else [],
        "depends_on": {part["label"]: part["depends_on"] for part in parts} if split else {},
        "type": None if split or not parts else parts[0]["type"],
        "answer": None if split or not parts else parts[0]["answer"],
        "duplicate_of": _last_word(errors.get("NearDuplicate")),
        "benchmark_hit": "BenchmarkItem" in errors,
        "contradiction": any(row["review_reasons"] for row in after),
        "lost_picture": "LostPicture" in errors,
        "drop": next(iter(errors), None),
    }


def _last_word(reject):
    return reject["message"].rpartition(" ")[2] if reject else None


def figures(truth, made):
    """A figure for each thing that is known of some rows: the share that is right, and how many."""
    right, wrong = defaultdict(int), defaultdict(list)

    def note(what, row, good):
        right[what] += good
        if not good:
            wrong[what].append(row)

    found = {row["id"]: row for row in made}
    for known in truth:
        row = found[known["id"]]
        if "parts" in known:
            note("parts", known["id"], len(row["parts"]) == len(known["parts"]))
        if known.get("parts") and len(row["parts"]) == len(known["parts"]):
            for mine, its in zip(row["parts"], known["parts"], strict=True):
                for name in set(its) & {"type", "depends_on", "question_images"}:
                    note(f"part {name}", known["id"], mine[name] == its[name])
                if "answer" in its:
                    note("part answer", known["id"], _same(mine["answer"], its["answer"]))
        for name in ("type", "duplicate_of", "benchmark_hit", "contradiction", "lost_picture", "drop"):
            if name in known and not (name == "type" and row["type"] is None):
                note(name, known["id"], row[name] == known[name])
        if known.get("answer") is not None and row["answer"] is not None:
            note("answer", known["id"], _same(row["answer"], known["answer"]))
        if known.get("cleaned") is not None and row["cleaned"] is not None:
            note("cleaned", known["id"], _plain(row["cleaned"]) == _plain(known["cleaned"]))
    return {what: (right[what], right[what] + len(wrong[what]), wrong[what]) for what in sorted({*right, *wrong})}


def _same(one, other):
    return _plain(one) == _plain(other) or (bool(one and other) and equivalent(one, other).verdict == "yes")


def _plain(text):
    return re.sub(r"\s+", "", text).rstrip("。.．;；")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("rows", type=Path)
    parser.add_argument("--benchmark", type=Path, action="append", default=[])
    parser.add_argument("--model")
    parser.add_argument("--base-url")
    parser.add_argument("--truth", type=Path)
    args = parser.parse_args()
    model = OpenAIModel(name=args.model, base_url=args.base_url) if args.model else None
    made = predicted(args.rows, args.benchmark, model)
    if args.truth is None:
        for row in made:
            print(json.dumps(row, ensure_ascii=False))
        return
    truth = [json.loads(line) for line in args.truth.read_text(encoding="utf-8").splitlines()]
    for what, (right, total, wrong) in figures(truth, made).items():
        print(f"{what:24} {right:5} of {total:5}  {right / total:.3f}  {' '.join(wrong[:12])}")


if __name__ == "__main__":
    main()
