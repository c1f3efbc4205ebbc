"""The shape of a sample: what is of the format passes, and every departure from it has its own code."""

from copy import deepcopy

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from operators.cot.problems import CODES, Problem
from operators.cot.rules.entry import form_of
from tests.cot.dataset.samples import OFFLINE, SERVED, entry

GONE = object()


def changed(where: str, value: object) -> object:
    """A good sample with one value put in, taken out (``GONE``), or added."""
    made = entry()
    holder: object = made
    *way, last = [int(part) if part.isdigit() else part for part in where.split(".")]
    for part in way:
        holder = holder[part]
    if value is GONE:
        del holder[last]
    elif isinstance(holder, list) and last == len(holder):
        holder.append(value)
    else:
        holder[last] = value
    return made


def codes(made: object) -> list[tuple[str, str]]:
    return [(problem.code, problem.level) for problem in form_of(made)]


@pytest.mark.parametrize(
    "made",
    [
        entry(),
        entry(video="bike/prefix.mp4"),
        entry(assistant_generator=SERVED),
        entry(assistant_generator={**SERVED, "api_base_url": "http://127.0.0.1:8000"}),
        entry(assistant_generator={**SERVED, "api_base_url": "http://[::1]:8000/v1/"}),
        entry(evidence_type="video_clip", step_index=10**6, fields={}),
    ],
)
def test_a_sample_of_the_formats_shape_has_no_problem(made):
    assert form_of(made) == []


@pytest.mark.parametrize(
    "key", ["id", "image", "conversations", "meta", "conversations.0.from", "conversations.1.value", "meta.task_name",
            "meta.item_type", "meta.evidence_type", "meta.source_path", "meta.step_index", "meta.fields",
            "meta.assistant_generator"],
)  # fmt: skip
def test_a_key_that_is_missing_is_an_error(key):
    assert codes(changed(key, GONE)) == [("schema.missing", "error")]


def test_evidence_files_may_be_missing():
    assert form_of(changed("meta.evidence_files", GONE)) == []


@pytest.mark.parametrize("key", ["note", "meta.note", "conversations.0.note", "Video"])
def test_a_key_that_the_format_does_not_have_is_a_warning(key):
    assert codes(changed(key, 1)) == [("schema.unknown", "warning")]


@pytest.mark.parametrize(
    ("key", "value", "told"),
    [
        ("id", 7, "id is a number, not a text"),
        ("image", "a.jpg", "image is a text, not a list"),
        ("image.0", None, "image[0] is null, not a text"),
        ("video", None, "video is null, not a text"),
        ("conversations", {}, "conversations is an object, not a list"),
        ("conversations.0", "What?", "conversations[0] is a text, not an object"),
        ("conversations.0.from", 1, "conversations[0].from is a number, not a text"),
        ("conversations.1.value", ["a"], "conversations[1].value is a list, not a text"),
        ("meta", [], "meta is a list, not an object"),
        ("meta.task_name", 29, "meta.task_name is a number, not a text"),
        ("meta.item_type", None, "meta.item_type is null, not a text"),
        ("meta.evidence_type", ["keyframe_single"], "meta.evidence_type is a list, not a text"),
        ("meta.source_path", None, "meta.source_path is null, not a text"),
        ("meta.step_index", "1", "meta.step_index is a text, not a whole number"),
        ("meta.step_index", True, "meta.step_index is a truth value, not a whole number"),
        ("meta.step_index", 1.0, "meta.step_index is a number, not a whole number"),
        ("meta.fields", "{}", "meta.fields is a text, not an object"),
        ("meta.evidence_files", None, "meta.evidence_files is null, not a list"),
        ("meta.evidence_files.0", 1, "meta.evidence_files[0] is a number, not a text"),
    ],
)
def test_a_value_of_the_wrong_type_is_told_with_its_place(key, value, told):
    assert form_of(changed(key, value)) == [Problem("schema.type", told)]


@pytest.mark.parametrize(
    ("key", "value", "code"),
    [
        ("conversations.2", {"from": "human", "value": "And?"}, "schema.value"),
        ("conversations.1", GONE, "schema.value"),
        ("conversations.0.from", "gpt", "schema.value"),
        ("conversations.1.from", "assistant", "schema.value"),
        ("conversations.0.from", "Human", "schema.value"),
        ("meta.item_type", "two_stage", "schema.value"),
        ("meta.evidence_type", "keyframes", "schema.value"),
        ("meta.step_index", 0, "schema.value"),
        ("meta.step_index", -3, "schema.value"),
        ("meta.task_name", "Task_29", "task.unknown"),
        ("meta.task_name", "", "task.unknown"),
        ("image", [], "evidence.empty"),
        ("image.0", "", "evidence.path"),
        ("video", "", "evidence.path"),
        ("meta.source_path", "", "source.path"),
        ("id", "", "id.form"),
        ("id", "00000000-0000-4000-8000-00000000000", "id.form"),
        ("id", "00000000-0000-4000-8000-00000000000A", "id.form"),
        ("id", "00000000-0000-1000-8000-000000000001", "id.form"),
        ("id", "00000000-0000-4000-c000-000000000001", "id.form"),
        ("id", "00000000000040008000000000000001", "id.form"),
        ("id", "{00000000-0000-4000-8000-000000000001}", "id.form"),
        ("id", "00000000-0000-4000-8000-000000000001\n", "id.form"),
    ],
)
def test_a_value_that_the_format_does_not_allow_has_its_own_code(key, value, code):
    assert codes(changed(key, value)) == [(code, "error")]


@pytest.mark.parametrize(
    "generator",
    [
        {**OFFLINE, "type": "api_generate_v2"},
        {**OFFLINE, "type": "api_generate_v1", "model_name": "m-1"},
        {**OFFLINE, "api_base_url": "http://models.example/v1"},
        {**OFFLINE, "model_name": "m-1"},
        {**OFFLINE, "model_provider_id": ""},
        {**OFFLINE, "api_key": "x"},
        {**OFFLINE, "api_base_url": None},
        {key: value for key, value in SERVED.items() if key != "model_name"},
        {**SERVED, "model_name": " "},
        {**SERVED, "model_provider_id": ""},
        {**SERVED, "api_base_url": "models.example/v1"},
        {**SERVED, "api_base_url": "ftp://models.example/v1"},
        {**SERVED, "api_base_url": "https://user:secret-1@models.example/v1"},
        {**SERVED, "api_base_url": "https://secret-1@models.example"},
        {**SERVED, "api_base_url": "https://models.example/v1?key=secret-1"},
        {**SERVED, "api_base_url": "https://models.example?key=secret-1"},
        {**SERVED, "api_base_url": "https://models.example/v1#secret-1"},
        {**SERVED, "api_base_url": "https://models.example/v1 secret-1"},
        {**SERVED, "api_base_url": "https:///v1"},
        {},
        [],
        "offline_rules_v1",
        None,
    ],
)
def test_a_record_of_the_generator_that_is_not_as_it_should_be_is_told_without_its_secrets(generator):
    [problem] = form_of(entry(assistant_generator=generator))
    assert (problem.code, problem.level) == ("generator.form", "error")
    assert "secret-1" not in problem.message


def test_rules_may_be_recorded_under_the_type_that_other_validators_know():
    assert form_of(entry(assistant_generator={**OFFLINE, "type": "api_generate_v1"})) == []


def test_all_that_is_wrong_is_told_at_once():
    made = entry(step_index=None, item_type="x")
    made["id"], made["image"] = "1", [3, ""]
    assert [code for code, _ in codes(made)] == [
        "id.form",
        "schema.type",
        "evidence.path",
        "schema.value",
        "schema.type",
    ]


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
    max_leaves=8,
)
PLACES = ["id", "image", "video", "conversations", "conversations.0", "conversations.1.from", "meta", "meta.task_name",
          "meta.step_index", "meta.assistant_generator", "meta.assistant_generator.type", "meta.evidence_files"]  # fmt: skip


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(PLACES), JSON)
def test_no_value_at_any_place_ever_raises_and_the_sample_is_left_as_it_was(place, value):
    made = changed(place, value)
    before = deepcopy(made)
    found = form_of(made)
    assert made == before
    assert {problem.code for problem in found} <= set(CODES)


@pytest.mark.parametrize("value", [None, [], "text", 3, True])
def test_what_is_no_object_is_told(value):
    assert codes(value) == [("schema.type", "error")]
