"""The data set: what is in which file, that it reads back, and that pairs verify again from the file alone."""

import json
from itertools import pairwise
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from PIL import Image

from dataflow_ext import InputError
from dataflow_ext.commands.export import source_of
from dataflow_ext.datasets.export import export
from dataflow_ext.datasets.rejects_and_stats import write_card, write_stats
from dataflow_ext.models import Reply, ScriptedModel
from operators import CoTSampler, SampleWriter
from operators.sampling.export import HOLDS, Selection
from operators.sampling.output import figures_of
from operators.verify.answer import Option
from operators.verify.equivalence import equivalent
from operators.verify.extraction import answer_in
from tests.sampling.question_sets import CHOICE, PLAIN, WORDED, boxed, judge, read


def lines(path: Path) -> list[dict]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def written(out: Path, *rows: dict, model=None, root=None, **options):
    table = CoTSampler(model=model or boxed("5", "4"), **options)(read(*rows, root=root))
    SampleWriter(out=out)(table)
    return table


def test_right_attempts_pairs_and_questions_are_written_and_read_back(tmp_path):
    thought = ScriptedModel(
        lambda request: Reply(
            f"2 + 2 = 4. \\boxed{{{5 if not request.seed else 4}}}", reasoning="2, 3, 4", reasoning_source="reasoning"
        ),
        name="m",
    )
    table = written(tmp_path, PLAIN, model=thought)
    id = table["question_id"][0].as_py()
    about = {"name": None, "label": None, "chapter": None, "question_type": None}
    said = "<think>\n2, 3, 4\n</think>\n\n2 + 2 = 4. \\boxed{4}"
    user = {"role": "user", "content": "What is 2 + 2?"}
    assert lines(tmp_path / "sft.jsonl") == [
        {
            "id": f"{id}.1",
            "messages": [user, {"role": "assistant", "content": said}],
            "images": [],
            "answer": "4",
            "options": [],
            "verdict_by": "rules",
            "reasoning_source": "reasoning",
            "solver": "m",
            "pass_rate": 0.5,
            **about,
        }
    ]
    [pair] = lines(tmp_path / "dpo.jsonl")
    assert (pair["id"], pair["prompt"]) == (f"{id}.1-0", [user])
    assert pair["chosen"] == [{"role": "assistant", "content": said}]
    assert pair["rejected"] == [{"role": "assistant", "content": said.replace("{4}", "{5}")}]
    [question] = lines(tmp_path / "grpo.jsonl")
    rate = {name: question[name] for name in ("answer", "pass_rate", "band", "attempts", "right")}
    assert rate == {"answer": "4", "pass_rate": 0.5, "band": "medium", "attempts": 3, "right": 2}
    steps = lines(tmp_path / "steps.jsonl")
    assert steps[0]["completions"] == ["2 + 2 = 4."]
    assert [(row["labels"], row["right"]) for row in steps] == [([True], n > 0) for n in range(3)]
    kept = pq.read_table(tmp_path / "attempts.parquet")
    assert kept["verdict"].to_pylist() == ["no", "yes", "yes"]
    assert "seconds" not in kept.column_names


def test_a_step_ends_where_something_is_computed_and_says_whether_it_is_so(tmp_path):
    text = "Both are even. So 2 + 2 = 4. Then we double it. Hence 4 * 2 = 9. Good. \\boxed{4}"
    written(tmp_path, PLAIN, model=ScriptedModel(lambda request: text), policy="fixed", cap=1)
    [row] = lines(tmp_path / "steps.jsonl")
    assert row["completions"] == ["Both are even. So 2 + 2 = 4.", "Then we double it. Hence 4 * 2 = 9."]
    assert row["labels"] == [True, False]


def test_what_is_exported_is_what_the_files_hold(tmp_path):
    model = ScriptedModel(lambda request: f"2 + 2 = 4. \\boxed{{{4 if request.seed else 5}}}")
    written(tmp_path / "out", PLAIN, model=model)
    for to in ("messages", "grpo", "dpo", "prm"):
        export(source_of(tmp_path / "out"), to, tmp_path / to)
    conversations = lines(tmp_path / "messages" / "messages.jsonl")
    assert conversations[0]["messages"] == lines(tmp_path / "out" / "sft.jsonl")[0]["messages"]
    assert lines(tmp_path / "grpo" / "grpo.jsonl")[0]["solution"] == "4"
    [pair], [mine] = lines(tmp_path / "dpo" / "dpo.jsonl"), lines(tmp_path / "out" / "dpo.jsonl")
    assert [pair[name] for name in ("prompt", "chosen", "rejected")] == [
        mine[name] for name in ("prompt", "chosen", "rejected")
    ]
    assert {tuple(row["labels"]) for row in lines(tmp_path / "prm" / "prm.jsonl")} == {(True,)}


def test_answers_are_texts_whatever_they_look_like(tmp_path):
    written(tmp_path, {"question": "What is 007?", "answer": "007"}, model=boxed("007"))
    assert [row["answer"] for name in ("sft", "grpo") for row in lines(tmp_path / f"{name}.jsonl")] == ["007"] * 2


def test_every_pair_verifies_again_from_the_file_alone(tmp_path):
    mixed = ScriptedModel(lambda request: f"I think.\n\\boxed{{{'ABCD'[request.seed // 4]}}}")
    rows = [{**CHOICE, "question": CHOICE["question"].replace("rod", f"rod {n}")} for n in range(4)]
    plain = [{"question": f"What is {n} + 2?", "answer": str(n + 2)} for n in range(6)]
    written(tmp_path / "choice", *rows, model=mixed, policy="fixed", cap=12)
    written(tmp_path / "plain", *plain, model=boxed("3", "4", "5"), policy="fixed", cap=3)
    pairs = [*lines(tmp_path / "choice/dpo.jsonl"), *lines(tmp_path / "plain/dpo.jsonl")]
    assert len(pairs) == 3
    for pair in pairs:
        options = [Option(**each) for each in pair["options"]]
        verdicts = []
        for side in ("chosen", "rejected"):
            found = answer_in(pair[side][0]["content"], question=pair["question"], options=options)
            assert found is not None
            verdicts.append(equivalent(found.text, pair["answer"], question=pair["question"], options=options).verdict)
        assert verdicts == ["yes", "no"]


def test_what_a_judge_or_the_end_of_a_reply_decided_makes_no_pair(tmp_path):
    cut = ScriptedModel(lambda request: "cold air" if request.seed else Reply("It is", "length"))
    written(tmp_path, WORDED, model=cut, judge=judge(lambda one, two: True))
    assert [row["verdict_by"] for row in lines(tmp_path / "sft.jsonl")] == ["judge"]
    assert lines(tmp_path / "dpo.jsonl") == []


def test_undecided_questions_have_no_rate_and_no_row(tmp_path):
    written(tmp_path, WORDED, model=boxed("cold air"))
    assert [lines(tmp_path / f"{name}.jsonl") for name in ("sft", "dpo", "grpo")] == [[], [], []]


def test_guessed_choice_questions_teach_nothing_but_are_told(tmp_path):
    written(tmp_path, CHOICE, model=boxed("B"), policy="fixed", cap=4)
    assert lines(tmp_path / "sft.jsonl") == [] and lines(tmp_path / "dpo.jsonl") == []
    assert [row["band"] for row in lines(tmp_path / "grpo.jsonl")] == ["guessed"]


def test_answers_that_affirm_or_deny_are_guessed_unless_nearly_always_right(tmp_path):
    row = {"question": "Is 7 a prime number?", "answer": "Yes"}
    written(tmp_path / "few", row, model=boxed("Yes"), policy="second")
    written(tmp_path / "many", row, model=boxed("No", "Yes"), policy="fixed", cap=8)
    assert lines(tmp_path / "few/sft.jsonl") == []
    assert len(lines(tmp_path / "many/sft.jsonl")) == 1


def test_pictures_are_copied_and_have_places_in_the_texts(tmp_path):
    (tmp_path / "rows").mkdir()
    Image.new("RGB", (9, 9), "red").save(tmp_path / "rows/fig.png")
    written(
        tmp_path / "out",
        {"question": "See ![](fig.png): 2 + 2?", "answer": "4"},
        model=boxed("4"),
        root=tmp_path / "rows",
    )
    row = lines(tmp_path / "out/sft.jsonl")[0]
    assert row["messages"][0]["content"] == "<image>\nSee [picture 1]: 2 + 2?"
    with Image.open(tmp_path / "out" / row["images"][0]) as picture:
        assert picture.size == (9, 9)
    assert pq.read_table(tmp_path / "out/attempts.parquet")["images"][0].as_py() == row["images"]


def test_files_of_others_are_not_replaced(tmp_path):
    (tmp_path / "sft.jsonl").write_text("mine")
    with pytest.raises(InputError, match="was not written by a run"):
        written(tmp_path, PLAIN)
    assert (tmp_path / "sft.jsonl").read_text() == "mine"


def test_the_funnel_of_the_card_loses_no_row(tmp_path):
    model = boxed("4", "5", "4")
    done = CoTSampler(model=model).apply(read(PLAIN, {**PLAIN, "answer": "9"}, CHOICE, WORDED))
    figures = figures_of(done.table, done.rejects, Selection())
    funnel = figures["funnel"]
    assert [step["in"] - step["out"] for step in funnel] == [sum(step["reasons"].values()) for step in funnel]
    assert all(one["out"] == other["in"] for one, other in pairwise(funnel))
    assert figures["rows"] == {"sft": 1, "dpo": 1, "grpo": 3}
    write_stats(figures, tmp_path)
    text = write_card(tmp_path, "sample_cot", 1, HOLDS).read_text(encoding="utf-8")
    assert '- config_name: "sft"\n  data_files: "sft.jsonl"\n' in text
    assert "| sft.jsonl | right attempts" in text and "## Chance that one of k attempts" in text
    assert "| solved | 4 | 1 | 2 never right, 1 undecided |" in text
