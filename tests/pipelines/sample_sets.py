"""Question rows and models on a loopback server that solve and judge them, the same way each time."""

import json
import re
from hashlib import sha256
from pathlib import Path
from typing import Any

from PIL import Image

from tests.loopback.replies import Body, prompt_of

#: Rows of each kind.
COUNT = 12


def rows() -> list[dict[str, Any]]:
    """Sums, choices, questions that only a judge can tell, two parts of one question, a picture, and a bad row."""
    sums = [{"question": f"What is {n} + {2 * n}?", "answer": str(3 * n)} for n in range(COUNT)]
    choices = [
        {"question": f"How many legs have {n} cats? A. {4 * n - 1} B. {4 * n} C. {4 * n + 1} D. {n}", "answer": "B"}
        for n in range(2, COUNT)
    ]
    worded = [{"question": f"Why does it rain in town {n}?", "answer": f"the clouds over {n} cool"} for n in range(4)]
    parts = [
        {
            "question": f"Part {part}: what is 1{part} + 3?",
            "answer": f"1{int(part) + 3}",
            "parent_id": "p",
            "part": part,
        }
        for part in ("1", "2")
    ]
    parts[1]["depends_on"] = ["1"]
    pictured = [{"question": "See ![Fig. 1](pictures/fig 1.png): what is 4 + 5?", "answer": "9"}]
    return [*sums, *choices, *worded, *parts, *pictured, {"question": "Prove it.", "answer": ""}]


def put(folder: Path) -> Path:
    """The path of a file with these rows, with its picture beside it."""
    (folder / "pictures").mkdir(parents=True)
    Image.new("RGB", (40, 20), "red").save(folder / "pictures" / "fig 1.png")
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows()), encoding="utf-8")
    return path


def brain(body: Body) -> str:
    """A solver that is right two times in three, with its thoughts in tags, and a judge that is unreadable at times.

    No two replies are the same.
    """
    text = prompt_of(body)
    name = sha256(f"{text}{body.get('seed')}".encode()).hexdigest()[:8]
    draw = int(name, 16) % 12
    if "<answer_1>" in text:
        return f'{{"reason": "case {name}", "same": {str(draw > 2).lower()}}}' if draw % 4 else f"Alike, {name}."
    sums = re.findall(r"(\d+) \+ (\d+)", text)
    cats = re.search(r"have (\d+) cats", text)
    if cats:
        right = re.search(rf"^([A-D])\. {4 * int(cats[1])}$", text, re.MULTILINE)
        return f"<think>Four each, {name}.</think>It is \\boxed{{{right[1] if right and draw < 8 else 'A'}}}"
    if sums:
        one, other = map(int, sums[-1])
        return f"<think>Add, {name}.</think>{one} + {other} = {one + other}, so \\boxed{{{one + other + (draw >= 8)}}}"
    return f"<think>{name}</think>The answer is \\boxed{{cold air up there}}"
