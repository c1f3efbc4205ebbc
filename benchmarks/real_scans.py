"""Runs the pipeline on two real scanned pages, offline, and tells what it made of them.

    python benchmarks/real_scans.py DIR [--gold FILE] [--out DIR] [OPTION OF THE COMMAND …]

DIR holds math_question.pdf and math_answer.pdf, which are no part of this project, and neither is the gold: a file
``{questions: [{label, question, answer}], figures: [{label, role, file, page, box}], without_question: [label]}``
with fractions as 1/2 and boxes in thousandths of the page. With it, each thing that must hold is a line PASS or
FAIL, and a failure leaves with code 1; without it, labels, figures and counts are told only. Options that are not
known here go to the command.
"""

from __future__ import annotations

import argparse
import json
import re
import subprocess
import sys
import unicodedata
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

ROOT = Path(__file__).resolve().parents[1]
NAMES = ("math_question.pdf", "math_answer.pdf")
WANTED, HALF = 0.95, 0.5
#: Signs that look the same in print, whichever of them a person or a program wrote.
TWINS = str.maketrans("∇∆", "▽△")
Row = dict[str, Any]


def plain(text: str) -> str:
    """A text for comparing: NFKC, without picture links, white space and underscores.

    >>> plain("1．  长是（　　）____。 ![图](vqa_images/a.png)")
    '1.长是()。'
    """
    text = re.sub(r"!\[[^\]]*\]\([^)]*\)", "", text)
    return re.sub(r"[\s_]+", "", unicodedata.normalize("NFKC", text)).translate(TWINS)


def likeness(a: str, b: str) -> float:
    """How alike two texts are, 0 to 1."""
    return SequenceMatcher(None, plain(a), plain(b), autojunk=False).ratio()


def overlap(a: Sequence[float], b: Sequence[float]) -> float:
    """Intersection over union of two boxes."""
    both = max(min(a[2], b[2]) - max(a[0], b[0]), 0) * max(min(a[3], b[3]) - max(a[1], b[1]), 0)
    union = sum((box[2] - box[0]) * (box[3] - box[1]) for box in (a, b)) - both
    return both / union if union > 0 else 0.0


def figures_of(row: Row) -> list[Row]:
    """The pictures of a row as its evidence tells them: role, file, page, box, image."""
    shown = {*row["question_images"], *row["solution_images"]}
    return [part for part in row["evidence"] or [] if part["image"] in shown and part["box"]]


def told_row(row: Row, wanted: Row | None) -> str:
    """What to say of one row."""
    alike = f"  text {likeness(row['question'], wanted['question']):.3f}" if wanted else ""
    lines = [f"{row['label']:>4}{alike}  answer {row['answer']!r}  solution: {len(row['solution'] or '')} characters"]
    for part in figures_of(row):
        box = ", ".join(f"{edge:.0f}" for edge in part["box"])
        lines.append(f"      {part['role']} figure on page {part['page'] + 1} of file {part['file'] + 1} at {box}")
        lines.append(f"      {part['image']}")
    if wanted and plain(row["question"]) != plain(wanted["question"]):
        lines += [f"      wanted {plain(wanted['question'])}", f"      got    {plain(row['question'])}"]
    return "\n".join(lines)


def checks(gold: Row, rows: Sequence[Row], rejects: Sequence[Row]) -> Iterable[tuple[str, list[str]]]:
    """What must hold, and what is wrong with it; nothing if it holds."""
    asked = {q["label"]: q for q in gold["questions"]}
    found = {label: best_of(rows, label, q["question"]) for label, q in asked.items()}
    yield f"{len(asked)} question texts at {WANTED} or better, each with its label", wrong_texts(asked, rows)
    yield f"{len(gold['figures'])} figures at IoU {HALF}, each with its place", wrong_figures(gold["figures"], rows)
    answers = [(label, q["answer"], found[label].get("answer") or "") for label, q in asked.items()]
    wrong = [f"answer {n}: {got!r}, wanted {want!r}" for n, want, got in answers if plain(want) != plain(got)]
    yield "answers matched by label", wrong
    lone = [json.loads(r["inputs"])["label"] for r in rejects if r["error"] == "AnswerWithoutQuestion"]
    expected = gold["without_question"]
    wrong = [f"rejected: {', '.join(lone) or 'none'}"] if sorted(lone) != sorted(expected) else []
    yield f"answers {', '.join(expected)} rejected as AnswerWithoutQuestion", wrong


def best_of(rows: Sequence[Row], label: str, question: str) -> Row:
    """The row of this label that is most like a question; an empty one if there is none."""
    same = (row for row in rows if row["label"] == label)
    return max(same, key=lambda row: likeness(row["question"], question), default={})


def wrong_texts(asked: dict[str, Row], rows: Sequence[Row]) -> list[str]:
    """Questions without a row, rows without a question, labels that stand twice, and texts that are not alike."""
    labels = [row["label"] for row in rows]
    wrong = [f"question {label}: no row" for label in asked if label not in labels]
    wrong += [f"{n} rows of label {label}" for label in dict.fromkeys(labels) if (n := labels.count(label)) > 1]
    for row in rows:
        if row["label"] not in asked:
            wrong.append(f"row {row['label']} is no question of the page")
        elif (alike := likeness(row["question"], asked[row["label"]]["question"])) < WANTED:
            wrong.append(f"question {row['label']}: likeness {alike:.3f}")
    return wrong


def wrong_figures(figures: Sequence[Row], rows: Sequence[Row]) -> list[str]:
    """Figures that are not with their question or solution, or not at their place, and figures too many."""
    wrong = []
    left = [(row["label"], part) for row in rows for part in figures_of(row)]
    for figure in figures:
        key = [figure[name] for name in ("label", "role", "file", "page")]
        same = [(label, p) for label, p in left if [label, p["role"], p["file"], p["page"]] == key]
        found = max(same, key=lambda pair: overlap(pair[1]["box"], figure["box"]), default=None)
        if found is None:
            wrong.append(f"{figure['role']} {figure['label']} has no figure of its own")
        else:
            left.remove(found)
            share = overlap(found[1]["box"], figure["box"])
            wrong += [f"{figure['role']} {figure['label']}: figure at IoU {share:.2f}"] if share < HALF else []
    return wrong + [f"{part['role']} {label}: a figure too many" for label, part in left]


def tell(out: Path, gold: Row | None) -> bool:
    """Prints rows, rejects, pictures and checks of a finished run; whether all holds."""
    rows = pq.read_table(out / "vqa.parquet").to_pylist()
    rejects = [json.loads(line) for line in (out / "rejects.jsonl").read_text(encoding="utf-8").splitlines() if line]
    asked = {q["label"]: q for q in gold["questions"]} if gold else {}
    for chapter in dict.fromkeys(row["question_chapter_title"] for row in rows):
        print(f"\n{chapter or '(no title)'}")
        for row in rows:
            if row["question_chapter_title"] == chapter:
                print(told_row(row, asked.get(row["label"])))
    print(f"\n{len(rows)} rows, {sum(len(figures_of(row)) for row in rows)} figures, {len(rejects)} rejects")
    for reject in rejects:
        print(f"  {reject['error']}: {reject['message']}")
    for what, where in (("crops", "vqa_images"), ("overlays", ".run/overlays")):
        found = sorted((out / where).glob("*.png"))
        print(f"{what} in {out / where}: {', '.join(path.name for path in found) or 'none'}")
    holds = True
    for what, wrong in checks(gold, rows, rejects) if gold else ():
        print(f"{'FAIL' if wrong else 'PASS'} {what}")
        print("".join(f"     {line}\n" for line in wrong), end="")
        holds &= not wrong
    return holds


def main() -> int:
    """Run the check; the exit code says whether it held."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path, metavar="DIR")
    parser.add_argument("--gold", type=Path, metavar="FILE")
    parser.add_argument("--out", type=Path, default=Path("real_scans_out"), help="default: %(default)s")
    options, others = parser.parse_known_args()
    question, answer = (options.folder / name for name in NAMES)
    missing = [str(path) for path in (question, answer) if not path.is_file()]
    if missing:
        print(f"SKIPPED: there is no {' and no '.join(missing)}; give the folder that holds {' and '.join(NAMES)}")
        return 0
    gold = json.loads(options.gold.read_text(encoding="utf-8")) if options.gold else None
    command = [sys.executable, "-m", "pipelines.pdf_vqa", str(question.resolve()), "--answers", str(answer.resolve())]
    code = subprocess.run(
        [*command, "--overlays", "--out", str(options.out.resolve()), *others], cwd=ROOT, check=False
    ).returncode
    if code:
        print(f"FAIL the command left with code {code}")
        return 1
    return 0 if tell(options.out, gold) else 1


if __name__ == "__main__":
    sys.exit(main())
