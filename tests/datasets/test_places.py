"""Pictures that texts link to in Markdown have their places in what trainers read, whole rows compared."""

import json
from hashlib import sha256

import pytest

from dataflow_ext.commands import main
from dataflow_ext.datasets.files import with_places
from operators import CoTSampler, SampleWriter
from pipelines.curate import main as curate
from tests.pdf.final_rows import picture
from tests.sampling.question_sets import boxed, read

ASKED = "See ![Fig. 1](figures/a(1).png) and ![](figures/b.png). What is 2 + 2?"
PLACED = "See <image> and <image>. What is 2 + 2?"
IMAGES = ["images/figures/a(1).png", "images/figures/b.png"]
SAID = "By ![Fig. 2](figures/c.png): 2 + 2 = 4."
TOLD = "By Fig. 2: 2 + 2 = 4."


def rows_in(folder):
    for name, colour in (("a(1)", "red"), ("b", "green"), ("c", "blue")):
        picture(folder / f"figures/{name}.png", colour)
    row = {"row_id": "r", "name": "book", "label": "1", "question": ASKED, "answer": "", "solution": SAID}
    (folder / "rows.jsonl").write_text(json.dumps(row) + "\n", encoding="utf-8")
    return folder / "rows.jsonl"


def exported(folder, to, name):
    out = folder / "exports" / to
    assert main(["export", str(folder), "--to", to]) == 0
    [row] = [json.loads(line) for line in (out / name).read_text(encoding="utf-8").splitlines()]
    below = out / "images" if to == "easyr1" else out
    assert all((below / path).is_file() for path in row["images"])
    return row


@pytest.mark.parametrize("gone", [None, "curated.parquet", "curated.jsonl"])
def test_curated_rows_have_places_for_their_pictures_also_where_one_file_of_them_is_alone(tmp_path, gone):
    curated = tmp_path / "out"
    assert curate([str(rows_in(tmp_path)), "--out", str(curated)]) == 0
    if gone:
        (curated / gone).unlink()
    turns = [{"role": "user", "content": PLACED}, {"role": "assistant", "content": TOLD}]
    asked = PLACED.replace("<image>", "")
    wanted = {
        ("sharegpt", "sharegpt.jsonl"): {"id": "r.0", "conversations": [
            {"from": "human", "value": PLACED}, {"from": "gpt", "value": TOLD}], "images": IMAGES},
        ("llamafactory", "messages.jsonl"): {"id": "r.0", "messages": turns, "images": IMAGES},
        ("messages", "messages.jsonl"): {"id": "r.0", "messages": turns, "images": IMAGES},
        ("swift", "swift.jsonl"): {"messages": turns, "images": IMAGES},
        ("easyr1", "data/train.jsonl"): {
            "images": ["figures/a(1).png", "figures/b.png"], "problem": PLACED, "answer": "4"},
        ("grpo", "grpo.jsonl"): {
            "id": "r.0", "prompt": [{"role": "user", "content": asked}], "solution": "4", "images": IMAGES},
    }  # fmt: skip
    assert {form: exported(curated, *form) for form in wanted} == wanted


def test_samples_have_places_for_the_pictures_that_their_question_links_to(tmp_path):
    rows = rows_in(tmp_path / "rows")
    table = CoTSampler(model=boxed("5", "4"))(read({"row_id": "r", "question": ASKED, "answer": "4"}, root=rows.parent))
    SampleWriter(out=tmp_path / "out")(table)
    asked = "See [picture 1] and [picture 2]. What is 2 + 2?"
    placed = f"<image>\n<image>\n{asked}"
    digests = [sha256((rows.parent / f"figures/{name}.png").read_bytes()).hexdigest() for name in ("a(1)", "b")]
    names = [f"{digest[:16]}.png" for digest in digests]
    images = [f"images/{name}" for name in names]
    shown = {"id": "r.1", "images": images}
    prompt = [{"role": "user", "content": asked}]
    right, wrong = ([{"role": "assistant", "content": f"\\boxed{{{answer}}}"}] for answer in (4, 5))
    wanted = {
        ("sharegpt", "sharegpt.jsonl"): {**shown, "conversations": [
            {"from": "human", "value": placed}, {"from": "gpt", "value": "\\boxed{4}"}]},
        ("messages", "messages.jsonl"): {**shown, "messages": [{"role": "user", "content": placed}, *right]},
        ("easyr1", "data/train.jsonl"): {"images": names, "problem": placed, "answer": "4"},
        ("grpo", "grpo.jsonl"): {"id": "r", "prompt": prompt, "solution": "4", "images": images, "options": []},
        ("dpo", "dpo.jsonl"): {
            "id": "r.1-0", "prompt": prompt, "chosen": right, "rejected": wrong, "images": images},
    }  # fmt: skip
    assert {form: exported(tmp_path / "out", *form) for form in wanted} == wanted


@pytest.mark.parametrize(
    ("text", "images", "placed"),
    [
        ("![a](a.png)![b](b.png)", ["b.png", "a.png"], ("<image><image>", ["a.png", "b.png"])),
        ("![](a.png) is ![](a.png)", ["a.png"], ("<image> is <image>", ["a.png", "a.png"])),
        ("No link.", ["a.png", "b.png"], ("<image>\n<image>\nNo link.", ["a.png", "b.png"])),
        ("It is <image>.", ["a.png"], ("It is <image>.", ["a.png"])),
        ("The tag <image> and ![](a.png)", ["a.png"], ("The tag  and <image>", ["a.png"])),
        ("![](http://a.org/b.png)", [], ("![](http://a.org/b.png)", [])),
        ("![](a.png)", [{"bytes": b"p", "path": "a.png"}], ("<image>", [{"bytes": b"p", "path": "a.png"}])),
    ],
)
def test_each_picture_has_one_place_for_each_time_that_it_is_shown(text, images, placed):
    assert with_places(text, images) == placed
