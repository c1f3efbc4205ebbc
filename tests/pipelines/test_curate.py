"""Whole runs of ``curate``: in is kept and rejected at each step, no picture is lost, kills change nothing."""

import hashlib
import json
import re
import shutil
from collections import Counter
from pathlib import Path

import pyarrow.parquet as pq
import pytest

from benchmarks.curate_rows import figures, predicted
from dataflow_ext.models import OpenAIModel
from examples.question_rows.make import make
from operators.curate.question_reviewer import sentences_of
from pipelines.curate import main
from tests.loopback import Body, Loopback, prompt_of

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def rows(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make(tmp_path_factory.mktemp("rows"), 200, 0)


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def data(out: Path) -> dict[str, str]:
    """The digests of all data files; pages and cards tell what was asked, and when."""
    files = [path for path in sorted(out.rglob("*")) if path.is_file() and ".run" not in path.parts]
    return {path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
            for path in files if path.name not in ("report.html", "README.md")}  # fmt: skip


def test_what_came_in_is_kept_or_rejected_at_each_step_and_every_picture_is_somewhere(
    rows: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    assert main([str(rows / "rows.jsonl"), "--out", str(out), "--benchmark", str(rows / "benchmark.jsonl")]) == 0
    stats = json.loads((out / "stats.json").read_text())
    for step in stats["funnel"]:
        assert step["in"] + step["added"] == step["out"] + sum(step["reasons"].values()), step
        assert not step["added"] or step["step"] == "SubQuestionSplitter"
    kept, review, rejects = lines(out / "curated.jsonl"), lines(out / "review.jsonl"), lines(out / "rejects.jsonl")
    assert (len(kept), len(review), len(rejects)) == (stats["kept"], stats["review"], stats["rejected"])
    sources = {row["id"] for row in lines(rows / "rows.jsonl")}
    assert {row["parent_id"] for row in (*kept, *review)} | {
        row["row_id"].partition(".")[0] for row in rejects
    } == sources
    pictures = stats["pictures"]
    assert pictures["unaccounted"] == 0
    assert pictures["in"] == pictures["kept"] + pictures["review"] + pictures["rejected"] > 2
    for link in (link for row in kept for link in row["question_images"]):
        assert (out / link).read_bytes().startswith(b"\x89PNG")
    table = pq.read_table(out / "curated.parquet")
    assert table.num_rows == len(kept)
    assert [len(images) for images in table["images"].to_pylist()] == [len(row["question_images"]) for row in kept]
    assert {row["error"] for row in rejects} >= {"NearDuplicate", "BenchmarkItem", "NoAnswer", "LostPicture"}
    assert "| SubQuestionSplitter | 1" in (out / "README.md").read_text(encoding="utf-8")
    before = data(out)
    assert main([str(rows / "rows.jsonl"), "--out", str(out), "--benchmark", str(rows / "benchmark.jsonl")]) == 0
    assert data(out) == before


def test_gold_stands_in_no_question_in_which_it_did_not_stand_before(rows: Path, tmp_path: Path) -> None:
    main([str(rows / "rows.jsonl"), "--out", str(tmp_path / "out")])
    sources = {row["id"]: row["question"] for row in lines(rows / "rows.jsonl")}
    for row in lines(tmp_path / "out" / "curated.jsonl"):
        letters = iter(sources[row["parent_id"]])
        assert all(letter in letters for letter in row["question"].replace("_", "").replace(" ", "")), row["row_id"]


def test_rules_find_nearly_all_that_is_known_of_made_rows(rows: Path) -> None:
    made = predicted(rows / "rows.jsonl", [rows / "benchmark.jsonl"])
    shares = {what: right / total for what, (right, total, _) in figures(lines(rows / "truth.jsonl"), made).items()}
    assert min(shares.values()) >= 0.9, shares


def answer(body: Body) -> str:
    """A review of a whole row as one question, which is what the row's own texts say."""
    text = prompt_of(body).rpartition("Question:")[2]
    names = [line.partition("]")[0][1:] for line in text.splitlines() if line.startswith("[")]
    words = {line[1:].partition("]")[0]: line.partition("] ")[2] for line in text.splitlines() if line.startswith("[")}
    last = next(
        (name for name in names if name.startswith("a")), next((n for n in reversed(names) if n[0] == "s"), None)
    )
    quote = {"at": last, "words": words[last]} if last else None
    return json.dumps({"furniture": [], "parts": [
        {"label": "", "sentences": [], "depends_on": [], "type": "calculation", "answer": quote,
         "blanks_behind": [], "problems": []}]})  # fmt: skip


def test_dataflows_rows_are_read_with_numbers_for_labels_and_links_in_the_text_alone(
    rows: Path, tmp_path: Path
) -> None:
    picture = next((rows / "vqa_images").glob("*.png"))
    (tmp_path / "in" / "question_images").mkdir(parents=True)
    shutil.copy(picture, tmp_path / "in" / "question_images" / "x.png")
    found = [
        {
            "label": 3,
            "question": "3. 如图，求 AB 的长。\n![第3题图](question_images/x.png)",
            "answer": None,
            "solution": "AB=5。",
        },
        {"label": 4, "question": "4. 求 2+2。\n![](../../etc/passwd.png)", "answer": 4, "solution": float("nan")},
    ]
    (tmp_path / "in" / "rows.jsonl").write_text("\n".join(json.dumps(row) for row in found))
    assert main([str(tmp_path / "in"), "--out", str(tmp_path / "out")]) == 0
    [row] = lines(tmp_path / "out" / "curated.jsonl")
    assert (row["label"], row["answer"], row["question_images"]) == ("3", "5", ["question_images/x.png"])
    assert (tmp_path / "out" / "question_images" / "x.png").read_bytes() == picture.read_bytes()
    [reject] = lines(tmp_path / "out" / "rejects.jsonl")
    assert reject["message"] == "The picture ../../etc/passwd.png is not there."


def test_two_pictures_of_one_name_are_both_kept(tmp_path: Path) -> None:
    from PIL import Image

    for book, color in (("a", "red"), ("b", "blue")):
        (tmp_path / book / "vqa_images").mkdir(parents=True)
        Image.new("RGB", (9, 9), color).save(tmp_path / book / "vqa_images" / "f.png")
        row = {"question": f"Find the {color} area in the figure.\n![](vqa_images/f.png)", "answer": "7"}
        (tmp_path / book / "vqa.jsonl").write_text(json.dumps(row | {"question_images": ["vqa_images/f.png"]}))
    assert main([str(tmp_path / "a"), str(tmp_path / "b"), "--out", str(tmp_path / "out")]) == 0
    first, second = lines(tmp_path / "out" / "curated.jsonl")
    assert first["question_images"] != second["question_images"]
    assert f"]({second['question_images'][0]})" in second["question"]
    links = [*first["question_images"], *second["question_images"]]
    assert len({(tmp_path / "out" / link).read_bytes() for link in links}) == 2


def test_what_a_user_did_wrong_is_one_sentence(rows: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "odd.jsonl").write_text('{"text": 1}\n')
    for arguments, told in (
        ([str(tmp_path / "none.jsonl")], "There is no file"),
        ([str(tmp_path / "odd.jsonl")], "row 1, has no field 'question', but text."),
        ([str(rows / "rows.jsonl"), "--benchmark", str(tmp_path / "none.jsonl")], "none.jsonl"),
    ):
        assert main([*arguments, "--out", str(tmp_path / "out")]) == 2
        assert told in capsys.readouterr().err
    assert main([str(rows / "rows.jsonl"), "--out", str(rows)]) == 2
    assert "is the folder that the rows come from" in capsys.readouterr().err


def test_a_bad_line_is_a_reject_and_the_other_rows_go_on(rows: Path, tmp_path: Path) -> None:
    good = (rows / "rows.jsonl").read_text().splitlines()
    (tmp_path / "whole.jsonl").write_text("\n".join(good))
    (tmp_path / "torn.jsonl").write_text("\n".join([good[0], '{"question": ', *good[1:], '{"text": 1}']))
    for name in ("whole", "torn"):
        assert main([str(tmp_path / f"{name}.jsonl"), "--out", str(tmp_path / name)]) == 0
    kept = [[row["question"] for row in lines(tmp_path / name / "curated.jsonl")] for name in ("whole", "torn")]
    assert kept[0] == kept[1] != []
    figures = json.loads((tmp_path / "torn/stats.json").read_text())
    assert figures["rows"] == len(good) + 2
    assert figures["questions"] == sum(figures[name] for name in ("kept", "review", "rejected"))
    told = [row["message"] for row in lines(tmp_path / "torn/rejects.jsonl") if row["operator"] == "input"]
    assert told == [
        f"{tmp_path}/torn.jsonl, line 2: not JSON (Expecting value: line 1 column 14 (char 13)).",
        f"{tmp_path}/torn.jsonl, row {len(good) + 1}, has no field 'question', but text.",
    ]


def test_sentences_of_a_row_make_its_texts_again(rows: Path) -> None:
    for row in lines(rows / "rows.jsonl"):
        texts = {side: row[side] for side in ("question", "answer", "solution")}
        made = Counter()
        for sentence in sentences_of(**texts).values():
            made[sentence.side] += len(sentence.span.of(texts[sentence.side]))
        assert made == {side: len(text) for side, text in texts.items() if text}


class Oracle:
    """A model that makes no mistake: it knows the truth of made rows, and tells it by sentences and quotes."""

    def __init__(self, folder: Path) -> None:
        found = lines(folder / "truth.jsonl")
        self.known = {"".join(row["cleaned"].replace("____", "").split()): row for row in found if "cleaned" in row}

    def __call__(self, body: Body) -> str:
        pairs = re.findall(
            r"^\[([qas]\d+)\] (.*(?:\n(?!\[|\n).*)*)", prompt_of(body).rpartition("Question:\n")[2], re.M
        )
        asked = "".join("".join(words.split()) for name, words in pairs if name[0] == "q")
        row = self.known.get(asked.replace("____", ""), {"parts": [], "type": "calculation"})
        labels = [part["label"] for part in row["parts"]]
        groups: dict[int, list[tuple[str, str]]] = {}
        for side in "qas":  # a part is all from its marker on
            at = -1
            for name, words in pairs:
                if name[0] != side:
                    continue
                marks = [n for n, label in enumerate(labels) if re.match(rf"\(?{label}\)|{chr(0x2460 + n)}", words)]
                at = marks[0] if marks else at
                groups.setdefault(at, []).append((name, words))
        if not labels:
            groups = {0: pairs}
        parts = [self._part(part, groups.get(n, [])) for n, part in enumerate(row["parts"] or [row | {"label": ""}])]
        return json.dumps({"furniture": [], "parts": parts}, ensure_ascii=False)

    @staticmethod
    def _part(part: dict, group: list[tuple[str, str]]) -> dict:
        gold = part.get("answer", "")
        quote = next((name for name, words in reversed(group) if gold and name[0] != "q" and gold in words), None)
        blanks = []
        if part.get("type") == "fill-in" and not any("____" in words for _, words in group):
            place, [(name, words), *_] = 0, group
            for before in part["cleaned"].split("____")[:-1]:
                place += len(before)
                blanks.append({"at": name, "words": words[:place].rstrip()})
        return {
            "label": part["label"], "sentences": [name for name, _ in group], "depends_on": part.get("depends_on", []),
            "type": part.get("type", "calculation"), "answer": {"at": quote, "words": gold} if quote else None,
            "blanks_behind": blanks, "problems": [],
        }  # fmt: skip


def test_with_a_model_that_makes_no_mistake_nearly_all_is_right(rows: Path) -> None:
    with Loopback(Oracle(rows)) as server:
        made = predicted(rows / "rows.jsonl", [rows / "benchmark.jsonl"], OpenAIModel(name="m", base_url=server.url))
    found = {what: right / total for what, (right, total, _) in figures(lines(rows / "truth.jsonl"), made).items()}
    wanted = ("parts", "part answer", "part depends_on", "type", "answer", "cleaned")
    assert min(found[what] for what in wanted) >= 0.97, found
