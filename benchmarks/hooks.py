"""Hooks that let a book runner measure this pipeline: `run_books.py BOOK --impl benchmarks/hooks.py`.

The prompt's ids are ours, so the map from id to source reference is written to ``work_dir/idmap.json``
before the first request; run with ``--id-space work:idmap.json --reply xml+at``.
"""

import json
import os
import shutil
from pathlib import Path

from dataflow_ext import run
from dataflow_ext.models import OpenAIModel
from operators import ChunkedPromptedGenerator, DocumentReader, LLMOutputParser, MinerU2LLMInput, QA_Merger


def extract(book_dir, base_url, work_dir, chunk_tokens):
    work = Path(work_dir)
    shutil.rmtree(work / "pictures", ignore_errors=True)
    documents = [{"input_pdf_paths": [str(Path(book_dir) / "book_content_list.json")], "name": "book"}]
    read = [DocumentReader(image_dir=work / "pictures"), MinerU2LLMInput()]
    blocks = run(read, documents).table
    idmap = {str(b["id"]): b["source_ref"] for row in blocks["blocks"].to_pylist() for b in row}
    (work / "idmap.json").write_text(json.dumps(idmap))
    model = OpenAIModel(name="m", base_url=base_url)
    rest = [
        ChunkedPromptedGenerator(
            model=model, max_chunk_tokens=chunk_tokens, tokenizer=os.environ.get("TOKENIZER", "cl100k_base")
        ),
        LLMOutputParser(),
        QA_Merger(),
    ]
    result = run(rest, blocks)
    for reject in result.rejects.to_pylist():
        if reject["kind"] == "failed":
            print("reject:", reject["operator"], reject["message"][:200])
    return [
        {
            "question": row["question"],
            "answer": row["answer"],
            "solution": row["solution"],
            "label": row["label"],
            "chapter": row["question_chapter_title"],
        }
        for row in result.table.to_pylist()
    ]
