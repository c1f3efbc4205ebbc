"""ChunkedPromptedGenerator: what goes out, what comes back, and what becomes of a chunk that fails."""

import json
from collections.abc import Callable, Iterator
from pathlib import Path

import pyarrow as pa
import pytest

from dataflow_ext import OptionError, run
from dataflow_ext.codec import encode
from dataflow_ext.errors import AllRowsFailed
from dataflow_ext.models import OpenAIModel, Reply, Request, ScriptedModel
from operators import ChunkedPromptedGenerator, LLMOutputParser
from operators.pdf.blocks import Block
from prompts import QAExtractPrompt
from tests.loopback import Body, Fault, Loopback, prompt_of

SECRETS = ("/home/me/pictures/fig.png", "0.123456", "source-ref-7")


@pytest.fixture(autouse=True)
def quick_retries(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("dataflow_ext.models.gate.retry.FIRST_WAIT", 0.01)


def book(questions: int, chapters: int = 1) -> list[Block]:
    """Chapters of questions, a picture after each; a page's number between them."""
    blocks: list[Block] = []

    def add(kind: str, text: str, **more: object) -> None:
        box = (0.123456, 2.0, 3.0, 4.0)
        blocks.append(Block(len(blocks), kind, text, box=box, source_ref=SECRETS[2], **more))  # type: ignore[arg-type]

    for c in range(chapters):
        add("text", f"第{c + 1}章 集合", level=1)
        for n in range(1, questions + 1):
            add("text", f"{n}. 已知函数，求值 " + "甲" * 40)
            add("image", "", image=SECRETS[0], caption=f"第{n}题图")
            add("page_number", f"- {n} -", shown=False)
    return blocks


def documents(*books: list[Block]) -> pa.Table:
    names = [f"book{n}" for n in range(len(books))]
    return pa.table({"row_id": names, "name": names, "document": names, "blocks": encode(list(books), list[Block])})


def openai(server: Loopback, retries: int = 0) -> OpenAIModel:
    return OpenAIModel(name="m", base_url=server.url, max_retries=retries)


def failing(words: str, fault: Fault) -> Callable[[int, Body], Fault | None]:
    return lambda number, body: fault if words in prompt_of(body) else None


@pytest.fixture
def server() -> Iterator[Loopback]:
    with Loopback(lambda body: "<empty></empty>") as loopback:
        yield loopback


def test_a_model_sees_ids_and_text_and_nothing_else(server: Loopback) -> None:
    ChunkedPromptedGenerator(model=openai(server))(documents(book(2)))
    (call,) = server.calls
    assert call.body["messages"] == [
        {"role": "system", "content": QAExtractPrompt().text},
        {
            "role": "user",
            "content": f"[0] # 第1章 集合\n[1] 1. 已知函数，求值 {'甲' * 40}\n[2] <image> 第1题图\n"
            f"[4] 2. 已知函数，求值 {'甲' * 40}\n[5] <image> 第2题图",
        },
    ]
    wire = json.dumps(call.body, ensure_ascii=False)
    assert [secret for secret in SECRETS if secret in wire] == []


def test_chunks_hold_their_blocks_core_and_reply(server: Loopback) -> None:
    server.brain = prompt_of
    table = ChunkedPromptedGenerator(model=openai(server), max_chunk_tokens=200)(documents(book(9), book(1)))
    rows = table.to_pylist()
    assert [r["chunk"] for r in rows] == [*range(len(rows) - 1), 0]
    assert [r["row_id"] for r in rows] == [*(f"book0.{n}" for n in range(len(rows) - 1)), "book1.0"]
    cores = [r["core"] for r in rows[:-1]]
    assert [i for first, last in cores for i in range(first, last + 1)] == list(range(28))
    for row in rows:
        ids = [b["id"] for b in row["blocks"]]
        assert set(range(row["core"][0], row["core"][1] + 1)) <= set(ids)
        shown = [b["id"] for b in row["blocks"] if b["shown"]]
        lines = row["reply"].split("The part:\n")[1].splitlines()
        assert [f"[{i}]" for i in shown] == [line.split()[0] for line in lines]
    assert {r["extracted_by"] for r in rows} == {"m"}


def test_later_chunks_begin_with_the_heading_in_force(server: Loopback) -> None:
    ChunkedPromptedGenerator(model=openai(server), max_chunk_tokens=200)(documents(book(9)))
    parts = [p.split("The part:\n")[1] for p in server.prompts]
    assert len(parts) == 3
    assert {p.splitlines()[0] for p in parts} == {"[0] # 第1章 集合"}


def test_the_static_part_comes_first_and_is_the_same_in_every_request(server: Loopback) -> None:
    ChunkedPromptedGenerator(model=openai(server), max_chunk_tokens=200)(documents(book(9)))
    assert {call.body["messages"][0]["content"] for call in server.calls} == {QAExtractPrompt().text}


def test_a_chunk_that_fails_is_a_reject_with_its_number_and_text_while_the_others_live(server: Loopback) -> None:
    server.fault = failing("[13] 5.", Fault("status", 400, "bad_request"))
    operator = ChunkedPromptedGenerator(model=openai(server), max_chunk_tokens=200)
    done = operator.apply(documents(book(9)))
    rejects = done.rejects.to_pylist()
    failed = [json.loads(r["inputs"]) for r in rejects]
    assert len(failed) in (1, 2)  # a block may be seen by the chunk before, too
    assert sorted([*done.table["chunk"].to_pylist(), *(f["chunk"] for f in failed)]) == list(range(len(server.calls)))
    for reject, inputs in zip(rejects, failed, strict=True):
        first, last = inputs["core"]
        assert (reject["row_id"], reject["kind"], reject["error"]) == ("book0", "failed", "RejectedRequestError")
        assert reject["message"].startswith(f"chunk {inputs['chunk']} (blocks {first} to {last}): ")
        assert "[13] 5. 已知函数" in inputs["text"]


def test_a_chunk_whose_reply_is_cut_off_is_asked_for_in_halves_until_the_replies_are_whole(server: Loopback) -> None:
    def fault(number: int, body: Body) -> Fault | None:
        return Fault("length") if prompt_of(body).split("The part:\n")[1].count("\n") > 8 else None

    server.fault, server.brain = fault, prompt_of
    done = ChunkedPromptedGenerator(model=openai(server)).apply(documents(book(9), book(1)))
    assert done.rejects.num_rows == 0
    cores = [r["core"] for r in done.table.to_pylist() if r["row_id"].startswith("book0")]
    assert len(cores) > 2
    assert [i for first, last in cores for i in range(first, last + 1)] == list(range(28))
    assert done.table["chunk"].to_pylist() == [*range(len(cores)), 0]
    assert {first % 3 for first, _ in cores[1:]} == {1}  # cut before questions, not before their pictures
    halves = [p.split("The part:\n")[1].splitlines()[0] for p in server.prompts]
    assert set(halves) == {"[0] # 第1章 集合"}


def test_a_block_whose_reply_never_fits_is_a_reject_with_what_there_is_of_it(server: Loopback) -> None:
    server.fault = failing("[13] 5.", Fault("length"))
    server.brain = lambda body: "<empty></empty>"
    done = ChunkedPromptedGenerator(model=openai(server)).apply(documents(book(9), book(1)))
    rejects = done.rejects.to_pylist()
    assert [(r["row_id"], r["error"]) for r in rejects] == [("book0", "TruncatedReplyError")]
    assert rejects[0]["message"] == (
        "chunk 4 (blocks 13 to 13): The reply of m was cut off at the server's own token limit, once asked. "
        "Set max_tokens, or ask for less at once."
    )
    assert json.loads(rejects[0]["inputs"])["reply"] == "<empty>"
    seen = {b["id"] for r in done.table.to_pylist() for b in r["blocks"] if b["shown"]}
    assert seen == {b.id for b in book(9) if b.shown} - {13}


def test_the_limit_of_a_reply_is_raised_where_a_block_cannot_be_cut(server: Loopback) -> None:
    server.fault = lambda number, body: Fault("length") if body["max_tokens"] < 400 else None
    model = OpenAIModel(name="m", base_url=server.url, max_tokens=100)
    one = [Block(0, "text", "1. 已知函数，求值")]
    assert ChunkedPromptedGenerator(model=model).apply(documents(one)).rejects.num_rows == 0
    assert [call.body["max_tokens"] for call in server.calls] == [100, 200, 400]


def test_a_reply_without_a_tag_is_asked_for_once_more_with_what_is_wrong(server: Loopback) -> None:
    replies = iter(["There are two questions.", "<empty></empty>"])
    server.brain = lambda body: next(replies)
    done = ChunkedPromptedGenerator(model=openai(server)).apply(documents(book(2)))
    assert done.table["reply"].to_pylist() == ["<empty></empty>"]
    first, second = (call.body["messages"] for call in server.calls)
    assert second[:2] == first
    assert [m["role"] for m in second[2:]] == ["assistant", "user"]
    assert second[2]["content"] == "There are two questions."
    assert second[3]["content"].startswith("Your reply cannot be used: the reply has none of the tags")


def test_a_reply_that_stays_useless_is_a_reject_that_keeps_it(server: Loopback, tmp_path: Path) -> None:
    server.brain = lambda body: "There are two questions."
    steps = [ChunkedPromptedGenerator(model=openai(server)), LLMOutputParser()]
    result = run(steps, documents(book(2)), cache_dir=tmp_path)
    (reject,) = result.rejects.to_pylist()
    assert (reject["step"], reject["error"], reject["attempts"]) == (1, "UnreadableReplyError", 2)
    assert json.loads(reject["inputs"])["reply"] == "There are two questions."
    assert result.report.models["m"].repairs == 1
    plain = ChunkedPromptedGenerator(model=openai(server), reads_as="text").apply(documents(book(2)))
    assert plain.table["reply"].to_pylist() == ["There are two questions."]


def test_a_refusal_is_a_reject_with_the_models_words(server: Loopback) -> None:
    server.fault = failing("[13] 5.", Fault("refusal"))
    operator = ChunkedPromptedGenerator(model=openai(server), max_chunk_tokens=8_000)
    (reject,) = operator.apply(documents(book(9), book(1))).rejects.to_pylist()
    assert (reject["row_id"], reject["error"]) == ("book0", "RefusedError")
    assert "I would rather not." in reject["message"]


def test_if_every_chunk_fails_a_call_by_hand_says_so(server: Loopback) -> None:
    server.fault = lambda number, body: Fault("status", 400)
    with pytest.raises(AllRowsFailed, match=r"^ChunkedPromptedGenerator: every row failed \(1\); the first: chunk 0 "):
        ChunkedPromptedGenerator(model=openai(server))(documents(book(1)))


def test_retry_pays_only_for_the_chunk_that_failed(server: Loopback, tmp_path: Path) -> None:
    steps = [ChunkedPromptedGenerator(model=openai(server), max_chunk_tokens=200)]
    server.brain = prompt_of
    server.fault = failing("[13] 5.", Fault("status", 500))
    first = run(steps, documents(book(9), book(2)), cache_dir=tmp_path)
    failed = first.rejects.num_rows
    calls = len(server.calls)
    server.fault = lambda number, body: None
    second = first.retry()
    assert 0 < failed == len(server.calls) - calls
    assert second.rejects.num_rows == 0
    assert second.table.equals(run(steps, documents(book(9), book(2)), cache_dir=tmp_path / "other").table)


def test_after_a_retry_the_later_steps_hold_each_chunk_once(server: Loopback, tmp_path: Path) -> None:
    server.brain = lambda body: f"<qa_pair><label>{len(prompt_of(body))}</label><at>4</at></qa_pair>"
    server.fault = failing("[13] 5.", Fault("status", 500))
    steps = [ChunkedPromptedGenerator(model=openai(server), max_chunk_tokens=200), LLMOutputParser()]
    first = run(steps, documents(book(9), book(2)), cache_dir=tmp_path)
    server.fault = lambda number, body: None
    second = first.retry()
    whole = run(steps, documents(book(9), book(2)), cache_dir=tmp_path / "other")
    assert second.table.equals(whole.table)


def test_a_run_that_is_begun_again_asks_only_for_what_is_missing(server: Loopback, tmp_path: Path) -> None:
    server.fault = failing("[13] 5.", Fault("status", 500))
    steps = [ChunkedPromptedGenerator(model=openai(server), max_chunk_tokens=200)]
    failed = run(steps, documents(book(9)), cache_dir=tmp_path).rejects.num_rows
    server.fault = lambda number, body: None
    calls = len(server.calls)
    again = run(steps, documents(book(9)), cache_dir=tmp_path)
    assert len(server.calls) == calls + failed
    assert again.rejects.num_rows == 0


def test_local_models_get_the_blocks_and_others_do_not() -> None:
    class Local:
        name = "here"
        local = True
        seen: list[object] = []  # noqa: RUF012

        def identity(self) -> dict[str, object]:
            return {"model": "Local"}

        async def complete(self, request: Request) -> Reply:
            self.seen.append(request.context)
            return Reply("<empty></empty>", model="here")

    blocks = book(1)
    ChunkedPromptedGenerator(model=Local())(documents(blocks))
    assert Local.seen == [blocks]
    scripted = ScriptedModel(lambda request: "<empty></empty>")
    ChunkedPromptedGenerator(model=scripted)(documents(blocks))
    assert [r.context for r in scripted.calls] == [None]


def test_a_folder_of_prompts_overrides_the_text(tmp_path: Path) -> None:
    (tmp_path / "qa_extract.md").write_text("Find them {all} {{ as is }}.\n", encoding="utf-8")
    model = ScriptedModel(lambda request: "<empty></empty>")
    ChunkedPromptedGenerator(model=model, prompt=QAExtractPrompt(folder=tmp_path))(documents(book(1)))
    assert [r.system for r in model.calls] == ["Find them {all} {{ as is }}."]


def test_a_folder_without_this_prompt_leaves_the_built_in_text(tmp_path: Path) -> None:
    assert QAExtractPrompt(folder=tmp_path).text == QAExtractPrompt().text
    with pytest.raises(OptionError, match=r"^There is no folder of prompts .*/none\.$"):
        QAExtractPrompt(folder=tmp_path / "none")


def test_chunk_sizes_hold_in_exact_tokens() -> None:
    from operators.pdf.chunks import count_tokens

    model = ScriptedModel(lambda request: "<empty></empty>")
    operator = ChunkedPromptedGenerator(model=model, max_chunk_tokens=300, tokenizer="o200k_base")
    operator(documents(book(30)))
    sizes = [count_tokens([r.prompt], "o200k_base")[0] for r in model.calls]
    assert max(sizes) <= 300 and min(sizes[:-1]) > 100


def test_documents_without_a_shown_block_ask_nothing_and_are_accounted_for() -> None:
    model = ScriptedModel(lambda request: "<empty></empty>")
    hidden = [Block(0, "header", "x", shown=False)]
    done = ChunkedPromptedGenerator(model=model).apply(documents([], hidden, book(1)))
    assert [(r["row_id"], r["kind"]) for r in done.rejects.to_pylist()] == [("book0", "empty"), ("book1", "empty")]
    assert len(model.calls) == done.table.num_rows == 1


@pytest.mark.parametrize("options", [{"max_chunk_tokens": 199}, {"model": 7}, {"chunk_tokens": 500}])
def test_options_that_cannot_be_are_refused_when_the_operator_is_made(options: dict[str, object]) -> None:
    with pytest.raises(OptionError, match=f"ChunkedPromptedGenerator.*{next(iter(options))}"):
        ChunkedPromptedGenerator(**{"model": ScriptedModel([]), **options})
