"""HybridGenerator: what goes to the model, whose answer stands, and what is kept of both."""

import json
from collections.abc import Callable

import pyarrow as pa

from dataflow_ext import estimate, run
from dataflow_ext.codec import encode
from dataflow_ext.models import OpenAIModel, RefusedError, Reply, Request, ScriptedModel, TruncatedReplyError
from dataflow_ext.testing import check_operator
from operators import ChunkedPromptedGenerator, LLMOutputParser, PDFRules, QA_Merger
from operators.pdf.blocks import Block
from operators.pdf.doubts import hybrid_figures, hybrid_summary
from operators.pdf.hybrid import HybridGenerator
from operators.pdf.reply import ReplyChapter, ReplyPair, render
from tests.pdf.rules_book import book

Said = Callable[[Request], str | Reply | Exception]

WHOLE = ["# Chapter 1 Sets", *(f"{n}. Find x if 3x = {n}." for n in range(1, 7))]
#: Label 3 is lost, so the rules read its line as part of question 2.
LOST = [*WHOLE[:3], "Find x if 3x = 3.", *WHOLE[4:]]


def documents(*books: list[str]) -> pa.Table:
    names = [f"book{n}" for n in range(len(books))]
    blocks = encode([book(*lines) for lines in books], list[Block])
    return pa.table({"row_id": names, "name": names, "document": names, "blocks": blocks})


def model(said: Said | str) -> ScriptedModel:
    return ScriptedModel(said if callable(said) else lambda request: said, name="m")


def pairs(*items: tuple[str, list[int]], title: int = 0) -> str:
    return render([ReplyChapter([title], [ReplyPair(label, ids, "", [], ids[0]) for label, ids in items])])


def found(operator: HybridGenerator, *books: list[str]) -> list[tuple[str, list[int], list[int], str]]:
    """Label, title ids, question ids and origin of each pair."""
    table = LLMOutputParser()(operator(documents(*books)))
    names = ("label", "title_ids", "question_ids", "extracted_by")
    return list(zip(*(table[name].to_pylist() for name in names), strict=True))


def test_a_book_that_the_rules_are_sure_of_costs_nothing() -> None:
    rows = found(HybridGenerator(model=ScriptedModel([])), WHOLE)
    assert rows == [(str(n), [0], [n], "rules") for n in range(1, 7)]


def test_only_the_stretch_in_doubt_is_shown_with_its_heading_and_the_openings_of_its_neighbours() -> None:
    prompts: list[str] = []
    lines = [*LOST, "Why?", *(f"{n}. Find x if 3x = {n}." for n in range(7, 20))]

    def said(request: Request) -> str:
        prompts.append(request.prompt)
        return "<empty></empty>"

    HybridGenerator(model=model(said), probes=0)(documents(lines))
    assert prompts == [
        "[0] # Chapter 1 Sets\n[1] 1. Find x if 3x = 1.\n[2] 2. Find x if 3x = 2.\n[3] Find x if 3x = 3.\n"
        "[4] 4. Find x if 3x = 4."
    ]


def test_the_models_pairs_replace_those_of_the_rules_where_it_was_asked() -> None:
    operator = HybridGenerator(model=model(pairs(("2", [2]), ("3", [3]))))
    assert found(operator, LOST) == [
        ("1", [0], [1], "rules"),
        ("2", [0], [2], "m"),
        ("3", [0], [3], "m"),
        *((str(n), [0], [n], "rules") for n in range(4, 7)),
    ]


def test_where_both_say_the_same_the_origin_names_both() -> None:
    operator = HybridGenerator(model=model(pairs(("2", [2, 3]))))
    assert found(operator, LOST)[1] == ("2", [0], [2, 3], "rules+m")


def test_what_the_model_says_of_neighbours_that_it_only_saw_is_not_asked_for() -> None:
    reply = pairs(("9", [1]), ("2", [2]), ("3", [3]), ("8", [4]))
    assert [row[0] for row in found(HybridGenerator(model=model(reply)), LOST)] == ["1", "2", "3", "4", "5", "6"]


def test_both_answers_and_the_doubts_are_kept_with_the_stretch() -> None:
    operator = HybridGenerator(model=model(pairs(("2", [2]), ("3", [3]))))
    rows = operator(documents(LOST)).to_pylist()
    assert [(r["core"], r["stretch"]) for r in rows] == [([0, 1], "sure"), ([2, 3], "settled"), ([4, 6], "sure")]
    doubted = ReplyPair("2", [2, 3], at=2, doubts=["number missing between 2 and 4: 3"])
    assert rows[1]["rules_reply"] == render([ReplyChapter([0], [doubted])])
    assert rows[1]["model_reply"] == rows[1]["reply"] == pairs(("2", [2]), ("3", [3]))
    assert rows[1]["stretch_doubts"] == [
        {"label": "2", "at": 2, "confidence": 0.4, "reasons": ["number missing between 2 and 4: 3"]}
    ]
    assert [(r["rules_reply"], r["model_reply"], r["sent"]) for r in (rows[0], rows[2])] == [("", "", 0)] * 2


def test_a_model_that_fails_leaves_the_rules_pairs_and_a_reject() -> None:
    done = HybridGenerator(model=model(lambda request: RefusedError("I would rather not."))).apply(documents(LOST))
    assert [(r["extracted_by"], r["stretch"]) for r in done.table.to_pylist()] == [
        ("rules", "sure"),
        ("rules", "kept"),
        ("rules", "sure"),
    ]
    (reject,) = done.rejects.to_pylist()
    assert (reject["row_id"], reject["kind"], reject["error"]) == ("book0", "failed", "RefusedError")
    assert reject["message"] == "blocks 2 to 3, of which the rules' reading is kept: I would rather not."
    assert json.loads(reject["inputs"])["cores"] == [[2, 3]]


def test_a_reply_that_names_no_block_that_was_shown_is_not_taken_for_nothing() -> None:
    done = HybridGenerator(model=model(pairs(("9", [99])))).apply(documents(LOST))
    assert done.table["stretch"].to_pylist() == ["sure", "kept", "sure"]
    (reject,) = done.rejects.to_pylist()
    assert (reject["kind"], reject["error"]) == ("dropped", "Contradiction")


def test_a_reply_that_names_blocks_which_were_not_shown_is_not_believed() -> None:
    done = HybridGenerator(model=model(pairs(("2", [2]), ("3", [3, 77])))).apply(documents(LOST))
    assert done.table["stretch"].to_pylist() == ["sure", "kept", "sure"]
    (reject,) = done.rejects.to_pylist()
    assert (reject["kind"], reject["error"]) == ("dropped", "Contradiction")
    assert "question names block 77, which does not exist" in reject["message"]
    assert "77" in json.loads(reject["inputs"])["reply"]


def test_stretches_of_a_document_travel_together_with_a_mark_where_lines_are_left_out() -> None:
    lines = ["# Chapter 1 Sets", *(f"{n}. Find x if 3x = {n}." if n not in (3, 15) else "Why?" for n in range(1, 20))]
    prompts: list[str] = []

    def said(request: Request) -> str:
        prompts.append(request.prompt)
        return pairs(("2", [2]), ("3", [3]), ("14", [14]), ("15", [15]))

    rows = found(HybridGenerator(model=model(said), probes=0), lines)
    assert len(prompts) == 1
    shown = [0, 1, 2, 3, 4, None, 13, 14, 15, 16]
    assert [line[1:].partition("]")[0] for line in prompts[0].splitlines()] == [
        "" if i is None else str(i) for i in shown
    ]
    assert [row[0] for row in rows] == [str(n) for n in range(1, 20)]
    assert {row[0] for row in rows if row[3] == "m"} == {"2", "3", "14", "15"}


def test_where_the_model_leaves_the_word_of_labels_out_it_is_left_out_of_all_of_the_rules_labels() -> None:
    lines = ["# Chapter 1 Sets", *(f"Exercise {n}. Find x if 3x = {n}." if n != 3 else "Why?" for n in range(1, 9))]
    rows = found(HybridGenerator(model=model(lambda _: pairs(("2", [2]), ("3", [3])))), lines)
    assert [row[0] for row in rows] == [str(n) for n in range(1, 9)]
    rows = found(HybridGenerator(model=model(lambda _: pairs(("Exercise 2", [2]), ("3", [3])))), lines)
    assert [row[0] for row in rows] == ["Exercise 1", "Exercise 2", "3", *(f"Exercise {n}" for n in range(4, 9))]


def test_a_request_is_no_larger_than_a_chunk_and_is_halved_when_its_reply_has_no_room() -> None:
    lines = ["# Chapter 1 Sets", *(f"{n}. Find x if 3x = {n}." if n % 4 else "Why?" for n in range(1, 60))]
    sizes: list[int] = []

    def said(request: Request) -> str | Exception:
        sizes.append(request.prompt.count("\n") + 1)
        return TruncatedReplyError("Too long.") if sizes[-1] > 12 else "<empty></empty>"

    done = HybridGenerator(model=model(said), max_chunk_tokens=300).apply(documents(lines))
    whole = [size for size in sizes if size > 12]
    assert len(whole) >= 2
    assert max(whole) < 45  # of the 60 lines, so none saw all
    # With a fourth of its labels gone, the whole book is asked for.
    assert set(done.table["stretch"].to_pylist()) == {"settled"}
    assert done.rejects.num_rows == 0


def two_chapters(heading: str) -> list[str]:
    first = ["# Chapter 1 Sets", *(f"{n}. Find x if 3x = {n}." for n in range(1, 7))]
    second = [heading, *(f"{n}. Solve 5y = {n}." for n in range(1, 7))]
    third = ["# Chapter 3 Limits", *(f"{n}. Solve 7z = {n}." for n in range(1, 7))]
    return [*first, *second, *third]


def test_a_heading_that_the_model_tells_is_the_title_of_all_that_stands_under_it() -> None:
    lines = two_chapters("Graphs and what they are good for")

    def said(request: Request) -> str:
        assert "[7] Graphs" in request.prompt
        assert "[12]" not in request.prompt
        reply = [ReplyChapter([0], [ReplyPair("6", [6], at=6)]), ReplyChapter([7], [ReplyPair("1", [8], at=8)])]
        return render(reply)

    rows = found(HybridGenerator(model=model(said), probes=0), lines)
    assert [(label, title) for label, title, _, _ in rows] == [
        (str(n), [title]) for title in (0, 7, 14) for n in range(1, 7)
    ]
    assert {origin for label, title, _, origin in rows if title == [7] and label in "3456"} == {"rules+m"}


def test_a_book_in_which_the_rules_find_nothing_goes_to_the_model_whole() -> None:
    lines = ["On sets", "Find all x with 3x = 6, please", "Tell what a set is"]
    assert found(HybridGenerator(model=model(pairs(("a", [1]), title=0))), lines) == [("a", [0], [1], "m")]


def test_a_book_in_which_the_rules_find_nothing_is_asked_for_whole_however_little_must_be_sure() -> None:
    lines = ["# Riddles", "What walks on four legs in the morning?", "A man does.", "What is white?", "Snow is."]
    operator = HybridGenerator(model=model(pairs(("a", [1]), ("b", [3]))), sure_from=0)
    assert found(operator, lines) == [("a", [0], [1], "m"), ("b", [0], [3], "m")]
    assert found(HybridGenerator(model=ScriptedModel([]), sure_from=0), LOST)[1] == ("2", [0], [2, 3], "rules")


def test_a_chapter_that_asks_nothing_is_read_as_answers_if_all_numbers_then_find_their_question() -> None:
    questions = [f"{n}. Find x if 3x = {n}." for n in range(1, 7)]
    answers = [f"{n}. {n}/3" for n in range(1, 7)]
    lines = ["# 1.1 Sets", *questions, "# 1.2 Maps", *questions, "# Answers", "# Exercise 1.1", *answers]
    lines += ["# Answers to 1.2", *answers]
    for generator in (HybridGenerator(model=ScriptedModel([])), ChunkedPromptedGenerator(model=PDFRules())):
        table = run([generator, LLMOutputParser(), QA_Merger()], documents(lines)).table
        assert table["answer"].to_pylist() == [f"{n}/3" for n in range(1, 7)] * 2


def test_the_origin_of_a_question_reaches_its_row() -> None:
    operator = HybridGenerator(model=model(pairs(("2", [2]), ("3", [3]))))
    table = run([operator, LLMOutputParser(), QA_Merger()], documents(LOST, WHOLE)).table
    assert table["extracted_by"].to_pylist() == ["rules", "m", "m", "rules", "rules", "rules", *["rules"] * 6]


def test_the_figures_tell_what_went_to_the_model_and_what_changed() -> None:
    operator = HybridGenerator(model=model(pairs(("2", [2]), ("3", [3]))))
    rows = operator(documents(LOST, WHOLE))
    figures = hybrid_figures(rows, pairs=12)
    sent = figures.sent
    assert figures.to_dict() == {
        "documents": 2, "pairs": 12, "stretches": 1, "kept": 0, "tokens": figures.tokens, "asked": figures.asked,
        "sent": sent, "same": 0, "changed": 1, "added": 1, "dropped": 0, "followed": 0,
    }  # fmt: skip
    assert 0 < figures.asked < figures.tokens / 4
    assert hybrid_summary(rows, pairs=12) == (
        f"to the model: {figures.asked / figures.tokens:.1%} of the text in 1 stretches; {sent:,} tokens, "
        f"{sent / 12:.1f} a pair\nit found 0 pairs as the rules had, 1 otherwise, 1 more and 0 fewer; by its headings "
        "the rules read 0 pairs anew"
    )


def test_an_estimate_counts_only_the_stretches_in_doubt() -> None:
    operator = HybridGenerator(model=OpenAIModel(name="m", base_url="http://localhost:9/v1", api_key_env=""))
    assert [e.requests for e in estimate([operator], documents(WHOLE)).calls] == []
    (calls,) = estimate([operator], documents(LOST, WHOLE)).calls
    (whole,) = estimate([operator], documents(["Tell what a set is, at length."] * 200)).calls
    assert calls.to_ask == 1
    assert calls.prompt_tokens < whole.prompt_tokens - 1_000


def refusing(request: Request) -> str | Exception:
    return RefusedError("No.") if "please" in request.prompt else pairs(("2", [2]), ("3", [3]))


def test_the_operator_keeps_the_laws() -> None:
    table = documents(LOST, ["~ a head"], ["no numbers here, please"], WHOLE)
    operator = HybridGenerator(model=ScriptedModel(refusing))
    assert check_operator(operator, table)["stretch"].to_pylist() == ["sure", "settled", "sure", "kept", "sure"]
    assert operator.apply(table).rejects["error"].to_pylist() == ["Empty", "RefusedError"]


#: Two items that the rules are sure of are probes: 6 and 16.
LONG = ["# Chapter 1 Sets", *(f"{n}. Find x if 3x = {n}." for n in range(1, 21))]


def test_an_eighth_of_what_the_rules_are_sure_of_is_shown_as_a_probe_and_stays_as_it_is_if_the_model_agrees() -> None:
    prompts: list[str] = []

    def said(request: Request) -> str:
        prompts.append(request.prompt)
        return pairs(("6", [6]), ("16", [16]))

    rows = found(HybridGenerator(model=model(said)), LONG)
    (prompt,) = prompts
    assert [line for line in prompt.splitlines() if line.startswith(("[6]", "[16]"))] == [
        "[6] 6. Find x if 3x = 6.", "[16] 16. Find x if 3x = 16."
    ]  # fmt: skip
    assert [(label, by) for label, _, _, by in rows if by != "rules"] == [("6", "rules+m"), ("16", "rules+m")]
    assert len(rows) == 20


def test_a_probe_that_the_model_reads_alike_under_another_title_keeps_the_title_of_the_rules() -> None:
    lines = [*LONG[:15], "15. Which of these holds for all x?", *LONG[16:]]

    def said(request: Request) -> str:
        assert "[15] 15. Which of these holds" in request.prompt
        return render([ReplyChapter([0], [ReplyPair("6", [6], at=6)]), ReplyChapter([15], [ReplyPair("16", [16])])])

    assert found(HybridGenerator(model=model(said)), lines) == [
        (str(n), [0], [n], "rules+m" if n in (6, 16) else "rules") for n in range(1, 21)
    ]


def test_if_a_model_reads_the_probes_otherwise_all_of_the_book_is_asked_for() -> None:
    prompts: list[str] = []

    def said(request: Request) -> str:
        prompts.append(request.prompt)
        ids = [int(line[1 : line.index("]")]) for line in request.prompt.splitlines() if line.startswith("[")]
        return pairs(*((f"1.{i}", [i]) for i in ids if i))

    done = HybridGenerator(model=model(said)).apply(documents(LONG))
    rows = LLMOutputParser()(done.table)
    assert len(prompts) == 2
    assert rows["label"].to_pylist() == [f"1.{n}" for n in range(1, 21)]
    reasons = {
        reason for row in done.table["stretch_doubts"].to_pylist() for doubt in row for reason in doubt["reasons"]
    }
    assert reasons == {"its book was probably misread: a model read 2 of 2 probes otherwise"}


def test_of_a_short_book_nothing_is_a_probe() -> None:
    assert found(HybridGenerator(model=ScriptedModel([])), LONG[:8]) == [
        (str(n), [0], [n], "rules") for n in range(1, 8)
    ]


def test_a_model_that_finds_nothing_in_any_probe_is_not_asked_further() -> None:
    prompts: list[str] = []

    def said(request: Request) -> str:
        prompts.append(request.prompt)
        return "<empty></empty>"

    rows = found(HybridGenerator(model=model(said)), LONG)
    assert (len(prompts), [label for label, *_ in rows]) == (1, [str(n) for n in range(1, 21) if n not in (6, 16)])
