"""A data set as a whole: duplicates, letters, labels, shortcuts and sentences that all samples share."""

import copy

import pytest

from operators.cot.dataset.check import check
from tests.cot.dataset.samples import entry, written

CHOICE = "Task_38_Counterfactual_Outcome_MCQ"
FILE = f"{CHOICE}/data.jsonl"
COUNTED = ("one", "two", "three", "four", "five")


def choice(
    number, *, letter="A", options=("It slips.", "It burns.", "It stops.", "It leaks."), said="", asked="What if?"
):
    """A choice that shares no word with its question, and says something of its own."""
    made = entry(number, task_name=CHOICE, fields={"options": list(options), "label": letter, "number": number})
    told = f"The {COUNTED[number % 5]} of {number} is here. {said}".strip()
    made["conversations"] = [
        {"from": "human", "value": asked},
        {"from": "gpt", "value": f"<think>{told} It is {number}.</think>\n{letter}\n"},
    ]
    return made


def found(tmp_path, *samples):
    """Codes and messages of the whole, of samples whose own rules find nothing."""
    (tmp_path / "root").mkdir()
    written(tmp_path / "cot", *samples, task=CHOICE)
    summary = check(tmp_path / "root", tmp_path / "cot", rules=lambda made, root, *, exists: [])
    assert {each.level for each in summary.problems} <= {"warning"}
    assert {each.file for each in summary.problems} <= {FILE}
    return [(each.line, each.code, each.message) for each in summary.problems]


def test_even_letters_and_sentences_of_their_own_are_sound(tmp_path):
    assert found(tmp_path, *(choice(n, letter="ABCD"[n % 4]) for n in range(40))) == []


def test_a_sample_under_another_id_is_told_with_the_place_of_the_first(tmp_path):
    again = copy.deepcopy(choice(1))
    again["id"] = entry(9)["id"]
    assert found(tmp_path, choice(1), choice(2), again) == [
        (3, "set.duplicate", f"but for its id, the sample is that of {FILE}:1")
    ]


def test_letters_that_are_right_too_often_are_told(tmp_path):
    samples = [choice(n, letter="A" if n % 8 else "B") for n in range(40)]
    told = "the right options stand under A 35, B 5, C 0, D 0: always the same letter is a good guess"
    assert found(tmp_path, *samples) == [(None, "set.letters", told)]


def test_of_few_samples_nothing_is_said(tmp_path):
    assert found(tmp_path, *(choice(n, letter="A") for n in range(19))) == []


def test_choices_that_counting_words_answers_are_told(tmp_path):
    def easy(number):
        options = [f"The {word} breaks." for word in ("lid", "pan", "pot", "cup")]
        right = number % 4
        return choice(number, letter="ABCD"[right], options=options, asked=f"What if the {options[right][4:7]} falls?")

    told = "the option that shares the most words with the question is right in 100% of 24 samples"
    assert found(tmp_path, *(easy(n) for n in range(24))) == [(None, "set.shortcut", told)]


@pytest.mark.parametrize(("share", "told"), [(2, "20 of 40 samples say"), (4, None)])
def test_a_sentence_of_many_samples_is_told(tmp_path, share, told):
    samples = [
        choice(n, letter="ABCD"[n // 4 % 4], said="So it has to be." if n % share == 0 else "") for n in range(40)
    ]
    wanted = [] if told is None else [(None, "set.boilerplate", f'{told} "So it has to be."')]
    assert found(tmp_path, *samples) == wanted


@pytest.mark.parametrize(
    "said",
    [
        "Spatially, the lid must be on the jar.",
        "Functionally, the lid must be rigid.",
        "After the action, spatially, the lid will be on the jar.",
        "A likely failure is that the lid slips.",
        "If that happens, press it down.",
    ],
)
def test_required_sentences_may_be_shared(tmp_path, said):
    samples = [choice(n, letter="ABCD"[n % 4], said=said) for n in range(40)]
    assert found(tmp_path, *samples) == []


def test_a_label_that_nearly_all_samples_have_is_told(tmp_path):
    (tmp_path / "root").mkdir()
    task = "Task_41_Recovery_then_Retry_or_Continue"
    labels = ["retry_current_step"] * 19 + ["continue_next_step"]
    samples = [choice(n) for n in range(20)]
    for sample, label in zip(samples, labels, strict=True):
        sample["meta"] |= {"task_name": task, "fields": {"label": label}}
    written(tmp_path / "cot", *samples, task=task)
    summary = check(tmp_path / "root", tmp_path / "cot", rules=lambda made, root, *, exists: [])
    assert [(each.code, each.message) for each in summary.problems] == [
        ("set.labels", "the label is retry_current_step in 19 of 20 samples")
    ]
