"""LetterBalancer: letters dealt out over a task, the right option under its letter."""

import json
from collections import Counter

import pyarrow as pa

from operators import LetterBalancer

CHOICE, ORDER = "Task_38_Counterfactual_Outcome_MCQ", "Task_34_Next_K_Steps_Reordering_From_Prefix"


def table(ids: list[str], task: str = CHOICE) -> pa.Table:
    """Samples of which the first option is the right one."""
    fields = json.dumps({"options": ["yes", "no", "perhaps", "never"], "label": "A"})
    return pa.table(
        {"id": ids, "task_name": [task] * len(ids), "fields": [fields] * len(ids), "answer": ["A"] * len(ids)}
    )


def test_each_letter_is_right_as_often_as_another_give_or_take_one() -> None:
    made = LetterBalancer()(table([f"{n:02}" for n in range(10)]))
    assert Counter(made["answer"].to_pylist()) == {"A": 3, "B": 3, "C": 2, "D": 2}


def test_the_right_option_stands_under_its_letter_and_the_others_are_kept() -> None:
    for row in LetterBalancer()(table(list("abcdef"))).to_pylist():
        fields = json.loads(row["fields"])
        assert fields["label"] == row["answer"]
        assert fields["options"]["ABCD".index(row["answer"])] == "yes"
        assert sorted(fields["options"]) == ["never", "no", "perhaps", "yes"]


def test_letters_rest_on_the_ids_and_not_on_the_order_of_the_rows() -> None:
    one, other = LetterBalancer()(table(list("abcdef"))), LetterBalancer()(table(list("fedcba")))
    assert sorted(zip(one["id"].to_pylist(), one["answer"].to_pylist(), strict=True)) == sorted(
        zip(other["id"].to_pylist(), other["answer"].to_pylist(), strict=True)
    )


def test_samples_without_one_right_option_stay_as_they_are() -> None:
    for fields in ('{"label": ["go", "stop"]}', '{"options": ["a"], "label": "B"}', '{"options": 3}'):
        rows = pa.table({"id": ["a"], "task_name": [ORDER], "fields": [fields], "answer": ["x"]})
        assert LetterBalancer()(rows).select(rows.column_names).to_pylist() == rows.to_pylist()
