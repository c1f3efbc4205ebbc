"""Readers of what others wrote: any input gives a value or one of our errors, in bounded time and memory."""

import copy
import json
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from dataflow_ext import DataflowError
from dataflow_ext.models.structured.extract import extract_all, extract_json
from operators.cot.asking import read_reply as read_reasoning
from operators.cot.plan_files import parse_plan
from operators.game.number_extractor import OCRNumberExtractor
from operators.onevision.formal import html_page
from operators.onevision.judging import solved
from operators.onevision.rewriting.facts import described
from operators.onevision.rewriting.replies import unwrapped
from operators.onevision.sources.tags import tagged
from operators.pdf.mineru.content_list import load_content_list
from operators.pdf.mineru.fields import plain, unfenced
from operators.pdf.reply import read_reply as read_pairs
from tests.abuse.fuzzing.bounds import bounded, little_memory
from tests.abuse.fuzzing.texts import TEXT, anything
from tests.abuse.settings import LONG, ROOT

CASES = settings(
    max_examples=3_000 if LONG else 60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.function_scoped_fixture],
)


def told(read: Callable[[str], object], text: str) -> object:
    """What a reader says whose ValueError is the next question to the model: a sentence, and a short one."""
    try:
        return read(text)
    except ValueError as error:
        assert 0 < len(str(error)) < 1_000
        return None


READERS: dict[str, Callable[[str], object]] = {
    "structured replies: one value": extract_json,
    "structured replies: all values": extract_all,
    "pairs of a book": lambda text: read_pairs(text, set(range(50)), {7}),
    "reasoning on a plan": read_reasoning,
    "tags of a reasoning": tagged,
    "a rewrite's wrapping": unwrapped,
    "a description": described,
    "a solution": lambda text: solved(text, "How many? A. 1 B. 2", []),
    "code of a page": html_page.problem,
    "numbers on cards": lambda text: told(OCRNumberExtractor().read_reply, text),
    "numbers on cards, leniently": lambda text: told(OCRNumberExtractor(parser="seed").read_reply, text),
    "Markdown of a block": plain,
    "a fence of Markdown": unfenced,
}


@pytest.fixture(autouse=True)
def frugal() -> Iterator[None]:
    with little_memory():
        yield


def check_reading(read: Callable[[], object]) -> None:
    """Let it read: an error has to be ours, and to say something."""
    with bounded():
        try:
            read()
        except DataflowError as error:
            assert str(error).strip()


@pytest.mark.parametrize("name", READERS)
def test_any_text_is_read_or_refused(name):
    @CASES
    @given(TEXT)
    def every(text: str) -> None:
        check_reading(lambda: READERS[name](text))

    every()


def damaged(value: Any, keys: tuple[str, ...]) -> st.SearchStrategy[Any]:
    """A record with anything in some of its places."""

    def put(draws: list[tuple[int, object]]) -> Any:
        made = copy.deepcopy(value)
        for number, junk in draws:
            places = list(spots(made))
            holder, key = places[number % len(places)]
            holder[key] = junk
        return made

    return st.lists(st.tuples(st.integers(0, 10**6), anything(keys)), min_size=1, max_size=4).map(put)


def spots(value: Any) -> Iterator[tuple[Any, Any]]:
    """Every container with every key of it."""
    for key in value if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ():
        yield value, key
        yield from spots(value[key])


def written(value: object) -> bytes:
    """As JSON, lone surrogates and all."""
    return json.dumps(value).encode()


PLAN = json.loads(
    (ROOT / "examples/causal_plans/bike_workshop_tube/causal_plan_with_keyframes.json").read_text("utf-8")
)
PLAN["steps"] = PLAN["steps"][:2]
ROOM = json.loads(sorted((ROOT / "examples/rooms").glob("*.json"))[0].read_text("utf-8"))
LIST = json.loads((ROOT / "examples/booklets/workbook_list/workbook_content_list.json").read_text("utf-8"))[:12]
PLAN_KEYS = ("steps", "step_id", "step_goal", "high_level_goal", "causal_chain", "frame_index", "critical_frames")
ROOM_KEYS = ("objects", "groups", "bounds_top", "bounds_bottom", "pos", "rot", "size", "desc", "room_type")
LIST_KEYS = ("type", "text", "bbox", "page_idx", "img_path", "list_items", "table_body", "image_caption", "content")


@CASES
@given(damaged(PLAN, PLAN_KEYS) | anything(PLAN_KEYS))
def test_any_plan_is_read_or_refused(value):
    check_reading(lambda: parse_plan(written(value)))


@CASES
@given(st.binary(max_size=200) | TEXT.map(lambda text: text.encode("utf-8", "surrogatepass")))
def test_any_bytes_are_read_as_a_plan_or_refused(data):
    check_reading(lambda: parse_plan(data))


@CASES
@given(damaged(LIST, LIST_KEYS) | anything(LIST_KEYS))
def test_any_content_list_is_read_or_refused(value):
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "book_content_list.json")
        path.write_bytes(written(value))
        check_reading(lambda: load_content_list(path))


@CASES
@given(damaged(ROOM, ROOM_KEYS) | anything(ROOM_KEYS))
def test_any_room_is_read_or_rejected(value):
    from operators import SceneReader
    from operators.scene.reading.room_file import rooms

    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "room.json")
        path.write_bytes(written(value))

        def read() -> None:
            table = rooms([path])
            done = SceneReader().apply(table)
            assert done.table.num_rows + done.rejects.num_rows >= table.num_rows

        check_reading(read)
