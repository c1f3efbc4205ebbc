"""Question rows with a known truth, to try `curate` on: parts, kinds, lost blanks, furniture, copies, benchmark items.

    python examples/question_rows/make.py FOLDER [--rows 300] [--seed 0]

FOLDER gets `rows.jsonl` with the fields of pdf_vqa's rows, pictures in `vqa_images`, `benchmark.jsonl`, and
`truth.jsonl`, which benchmarks/curate_rows.py compares with what comes out.
"""

import argparse
import json
import random
from pathlib import Path

from PIL import Image

HERE = Path(__file__).parent
STYLES = (("(1)", "(2)", "(3)"), ("(a)", "(b)", "(c)"), ("①", "②", "③"), ("(i)", "(ii)", "(iii)"), ("1)", "2)", "3)"))
LABELS = {"(1)": "123", "(a)": "abc", "①": "123", "(i)": ("i", "ii", "iii"), "1)": "123"}
HEADS = ("{n}. ", "{n}．", "例{n} ", "Example {n}. ", "{n}. (5 marks) ", "{n}.（6分）", "{n}. (2019·期末) ")
FEET = ("\n第 {p} 页 共 120 页", "\nPage {p} of 120", "\n- {p} -", " www.example.com ")
BLANK = "____"


def table(name):
    lines = (HERE / name).read_text(encoding="utf-8").splitlines()
    head = lines[0].split("\t")
    return [dict(zip(head, line.replace("\\n", "\n").split("\t"), strict=True)) for line in lines[1:]]


def numbers(rng):
    """Numbers that fit each other: s = a x, r = s + b, and so on."""
    a, x, b = rng.randint(3, 19), rng.randint(11, 49), rng.randint(2, 9)
    g = rng.randint(3, 6)
    made = {"a": a, "x": x, "b": b, "s": a * x, "r": a * x + b, "y": x + b, "c": a + b, "t": a * b, "w": x * b}
    return made | {"v": 10 * x, "d": 5 * x * x, "z": (a * x + b) * a, "g": g}


class Maker:
    """Makes rows and what is true of them."""

    def __init__(self, folder, seed):
        self.rng, self.folder = random.Random(seed), folder
        self.items, self.splits = table("items.tsv"), table("parts.tsv")
        self.rows, self.truth, self.benchmark, self.used = [], [], [], set()

    def filled(self, record):
        """An item with numbers in it, unlike all before."""
        for _ in range(50):
            values = numbers(self.rng)
            made = {name: text.format(**values) for name, text in record.items()}
            asked = made.get("question") or made["stem"] + made["parts"]
            if asked not in self.used:
                self.used.add(asked)
                return made
        return None

    def add(self, question, printed, solution, **known):
        name = f"r{len(self.rows):04}"
        self.rows.append(
            {
                "id": name,
                "question": question,
                "answer": printed,
                "solution": solution,
                "label": str(len(self.rows) + 1),
                "name": f"book {len(self.rows) % 2}",
                "question_chapter_title": "Exercises",
                "question_images": [],
                "solution_images": [],
            }
        )
        usual = {"duplicate_of": None, "benchmark_hit": False, "contradiction": False, "lost_picture": False}
        self.truth.append({"id": name, "parts": [], **usual, **known})
        return name

    def dressed(self, question):
        """A question as a page prints it, with number, marks and page feet."""
        head = self.rng.choice(HEADS).format(n=len(self.rows) + 1)
        foot = self.rng.choice(FEET).format(p=self.rng.randint(2, 119)) if self.rng.random() < 0.25 else ""
        return head + question + foot

    def plain(self):
        item = self.filled(self.rng.choice(self.items))
        if item is None:
            return
        asked = item["question"]
        shown = asked.replace(BLANK, "") if item["type"] == "fill-in" and self.rng.random() < 0.6 else asked
        printed = item["answer"] if self.rng.random() < 0.5 else ""
        if not printed and item["type"] in ("fill-in", "other"):
            printed = item["answer"]
        known = {"type": item["type"], "cleaned": asked, "drop": None}
        if item["type"] in ("calculation", "choice", "fill-in"):
            known["answer"] = item["answer"]
        self.add(self.dressed(shown), printed, item["solution"], **known)

    def split(self):
        item = self.filled(self.rng.choice(self.splits))
        if item is None:
            return
        style = self.rng.choice(STYLES)
        if "(b)" in item["parts"] or "(1)" in item["parts"]:
            style = STYLES[1] if "(b)" in item["parts"] else STYLES[0]
        lists = {name: item[name].split("|") for name in ("parts", "answers", "solutions")}
        joint = self.rng.choice(("\n", " "))
        text = {
            name: joint.join(f"{mark} {each}" for mark, each in zip(style, texts, strict=False))
            for name, texts in lists.items()
        }
        rests = dict([item["rests"].split(":")]) if item["rests"] != "-" else {}
        labels = LABELS[style[0]]
        parts = [
            {
                "label": labels[n],
                "answer": answer,
                "depends_on": [labels[int(rests[str(n + 1)]) - 1]] if str(n + 1) in rests else [],
            }
            for n, answer in enumerate(lists["answers"])
        ]
        printed = text["answers"] if self.rng.random() < 0.6 else ""
        known = {"parts": parts, "cleaned": f"{item['stem']}{joint}{text['parts']}"}
        if not printed:
            for part in parts:
                part.pop("answer")
        self.add(self.dressed(f"{item['stem']}{joint}{text['parts']}"), printed, text["solutions"], **known)

    def copied(self):
        """A copy of an earlier row with other words around the same question, or with other numbers."""
        first = self.rng.choice(
            [row for row, known in zip(self.rows, self.truth, strict=True) if self._may_be_copied(known)]
        )
        known = next(each for each in self.truth if each["id"] == first["id"])
        text = known["cleaned"]
        changed = (
            text.replace("$", "").replace("，", ", ") if self.rng.random() < 0.5 else text.replace("Find", "Determine")
        )
        changed = changed.replace("多少", "几多") if self.rng.random() < 0.3 else changed.replace(". ", ".  ")
        self.add(self.dressed(changed), "", "", duplicate_of=first["id"], drop="NearDuplicate")

    @staticmethod
    def _may_be_copied(known):
        return known.get("drop", "") is None and not known["parts"] and known.get("type", "choice") != "choice"

    def planted(self):
        item = self.filled(self.rng.choice([i for i in self.items if i["type"] == "calculation"]))
        if item is None:
            return
        self.benchmark.append({"problem": item["question"], "answer": item["answer"]})
        self.add(self.dressed(item["question"]), item["answer"], "", benchmark_hit=True, drop="BenchmarkItem")

    def contradicted(self):
        item = self.filled(self.rng.choice([i for i in self.items if i["type"] in ("calculation", "choice")]))
        if item is not None:
            wrong = {"A": "B", "B": "C", "C": "A"}.get(item["answer"])
            wrong = wrong or item["answer"].replace(max(item["answer"].split(), key=len), "917") if wrong else "917"
            self.add(self.dressed(item["question"]), wrong, item["solution"], contradiction=True)

    def pictured(self):
        values = numbers(self.rng) | {"a": 2 * len(self.rows)}
        values["t"] = values["a"] * values["b"]
        zh = self.rng.random() < 0.5
        stem = (
            "如图，△ABC的底BC为{a}cm，高为{b}cm，求它的面积．"
            if zh
            else "The figure shows a triangle with base {a} cm and height {b} cm. Find its area."
        )
        stem, lost = stem.format(**values), self.rng.random() < 0.5
        link = f"vqa_images/fig{len(self.rows)}.png"
        name = self.add(
            self.dressed(stem + ("" if lost else f"\n![]({link})")),
            f"{values['t'] / 2:g} cm²",
            "",
            lost_picture=lost,
            drop="LostPicture" if lost else None,
        )
        if not lost:
            self.rows[-1]["question_images"] = [link]
            (self.folder / "vqa_images").mkdir(exist_ok=True)
            Image.new("RGB", (40, 30), (len(self.rows) % 255, 90, 90)).save(self.folder / link)
        return name

    def unanswered(self):
        item = self.filled(self.rng.choice(self.items))
        if item is not None:
            self.add(
                self.dressed(item["question"]), self.rng.choice(("", "略", "None", "See above.")), "", drop="NoAnswer"
            )


def make(folder, rows, seed):
    """Write the rows and their truth."""
    folder.mkdir(parents=True, exist_ok=True)
    maker = Maker(folder, seed)
    kinds = (
        [maker.plain] * 9
        + [maker.split] * 5
        + [maker.copied, maker.planted, maker.contradicted, maker.pictured, maker.pictured, maker.unanswered]
    )
    for _ in range(20):
        maker.plain()
    while len(maker.rows) < rows:
        maker.rng.choice(kinds)()
    for name, records in (("rows", maker.rows), ("truth", maker.truth), ("benchmark", maker.benchmark)):
        text = "".join(json.dumps(record, ensure_ascii=False) + "\n" for record in records)
        (folder / f"{name}.jsonl").write_text(text, encoding="utf-8")
    return folder


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--rows", type=int, default=300)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    make(args.folder, args.rows, args.seed)


if __name__ == "__main__":
    main()
