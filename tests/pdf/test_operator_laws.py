"""Every exported operator keeps the laws; one that is exported without being here fails the first test."""

from collections.abc import Callable
from pathlib import Path

import pyarrow as pa
import pytest

import operators
from dataflow_ext import Operator
from dataflow_ext.codec import encode
from dataflow_ext.models import RefusedError, ScriptedModel
from dataflow_ext.testing import check_operator
from operators import (
    ChunkedPromptedGenerator,
    DocumentReader,
    HybridGenerator,
    LLMOutputParser,
    MinerU2LLMInput,
    PDFRules,
    QA_Merger,
)
from operators.pdf.blocks import Block, ContentItem
from tests.pdf.test_document_reader import documents, drawn, figures, painted
from tests.pdf.test_hybrid_generator import LOST, WHOLE, refusing
from tests.pdf.test_hybrid_generator import documents as books
from tests.pdf.test_qa_merger import Pair, answer, question
from tests.pdf.test_qa_merger import table as pairs
from tests.scan.test_scanned_books import Steady

Case = tuple[Operator, pa.Table, int]


def reader(folder: Path) -> Case:
    painted(folder / "b" / "images" / "1.png", 7)
    paths = [drawn(folder / "q.pdf", "The sum", "scan"), folder / "none.pdf", figures(folder / "b", "1.png")]
    return DocumentReader(image_dir=folder / "pictures", engine=Steady()), documents(*paths), 2


CONTENTS = [
    [ContentItem("text", "第1章 集合", level=1), ContentItem("list", items=["1. 求值", "2. 化简"], captions=["c"])],
    [],
    None,
    [ContentItem("header", "数学"), ContentItem("image", image="/x/1.png", captions=["图 1"], file=1, ref="3")],
]


def flattener(folder: Path) -> Case:
    content = pa.concat_arrays(
        [
            encode([c], list[ContentItem]) if c is not None else encode([None], list[ContentItem] | None)
            for c in CONTENTS
        ]
    )
    return MinerU2LLMInput(), pa.table({"name": list("abcd"), "content": content}), 3


BOOKS = [
    [Block(0, "text", "第1章 集合", level=1), *(Block(n, "text", f"{n}. 求值{'甲' * 90}") for n in range(1, 9))],
    [Block(0, "header", "x", shown=False)],
    [Block(0, "text", "no, please")],
    [Block(0, "text", "1. 求值"), Block(1, "page_number", "3", shown=False), Block(2, "image", "", image="/x/1.png")],
]


def said(request: object) -> str | Exception:
    prompt = request.prompt  # type: ignore[attr-defined]
    return RefusedError("I would rather not.") if "please" in prompt else f"<empty></empty>{prompt}"


def generator(folder: Path) -> Case:
    table = pa.table({"name": list("abcd"), "blocks": encode(BOOKS, list[Block])})
    return ChunkedPromptedGenerator(model=ScriptedModel(said), max_chunk_tokens=200), table, 5


def hybrid(folder: Path) -> Case:
    table = books(LOST, ["~ a head"], ["no numbers here, please"], WHOLE)
    return HybridGenerator(model=ScriptedModel(refusing)), table, 5


def parser(folder: Path) -> Case:
    reply = "<chapter><title>0</title>{}</chapter>"
    one = "<qa_pair><at>1</at><label>1</label><question>1,2</question><answer>A</answer><solution>2,9</solution></qa_pair>"
    table = pa.table(
        {
            "document": ["p", "p", "q", "q"],
            "chunk": [0, 1, 0, 1],
            "reply": [reply.format(one), reply.format(one * 2), "I am sorry.", "<empty></empty>"],
            "core": encode([(0, 8), (2, 8), (0, 0), (0, 2)], tuple[int, int]),
            "blocks": encode([BOOKS[0], BOOKS[0], BOOKS[2], BOOKS[3]], list[Block]),
        }
    )
    return LLMOutputParser(), table, 3


def merger(folder: Path) -> Case:
    made = pairs(
        question(1, "1", 0, "第1章 集合"),
        question(5, "2", in_core=False),
        answer(21, "1", "A", 20, "第1章 答案", chunk=1),
        Pair(4, "", [], "B", [4], chunk=1, item=0),
        answer(22, "9", "C", 20, "第1章 答案", chunk=1),
        question(1, "1", 0, "第1章 集合", document="other"),
    )
    return QA_Merger(), made, 2


CASES: dict[str, Callable[[Path], Case]] = {
    "DocumentReader": reader,
    "MinerU2LLMInput": flattener,
    "ChunkedPromptedGenerator": generator,
    "HybridGenerator": hybrid,
    "LLMOutputParser": parser,
    "QA_Merger": merger,
}


def exported() -> dict[str, object]:
    return {name: getattr(operators, name) for name in operators.__all__}


def test_every_exported_operator_has_a_case() -> None:
    homes = {name for name, home in operators._HOME.items() if home.startswith("operators.pdf.")}
    values = {name: value for name, value in exported().items() if name in homes}
    found = {name for name, value in values.items() if isinstance(value, type) and issubclass(value, Operator)}
    assert found == set(CASES)


def test_the_names_of_the_package_are_its_exports() -> None:
    assert sorted(operators._HOME) == sorted(operators.__all__)
    assert exported()["PDFRules"] is PDFRules
    with pytest.raises(AttributeError, match=r"^module 'operators' has no attribute 'Nothing'$"):
        operators.Nothing  # noqa: B018


@pytest.mark.parametrize("name", CASES)
def test_the_operator_keeps_the_laws(name: str, tmp_path: Path) -> None:
    operator, table, rows = CASES[name](tmp_path)
    assert type(operator).__name__ == name
    assert check_operator(operator, table).num_rows == rows
    assert operator.apply(table).rejects.num_rows > 0, "the table has a row that is rejected"
