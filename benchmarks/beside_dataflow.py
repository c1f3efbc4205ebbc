"""Flatten + parse + merge beside DataFlow's operators of the same names, in one process, on one book with one reply.

    python benchmarks/beside_dataflow.py --dataflow DIR [--blocks 20000] [--repeat 3] [--json FILE]

DIR is a checkout of DataFlow, or what `pip download --no-deps open-dataflow` gives, unpacked; `SKIPPED` without. Of it
the three classes and the functions that they call are loaded, without its other packages: their bases, the registry and
the logger are stand-ins that do nothing. Its operators pass files, whose reading and writing is in their figures; ours
pass tables. Ours find each heading's place in the book's tree, theirs do not: so there are two ratios. The reply is the
one of a model that knows the book, for the whole of it, so that nothing is chunked.
"""

import argparse
import contextlib
import importlib.util
import io
import json
import logging
import re
import sys
import tempfile
import time
import types
from pathlib import Path

import pyarrow as pa
from kernels import KnowsTheBook, book, timed_headings, told

from dataflow_ext.codec import encode
from dataflow_ext.identity import with_row_ids
from dataflow_ext.operator import put_column
from operators import ChunkedPromptedGenerator, LLMOutputParser, MinerU2LLMInput, QA_Merger
from operators.pdf.blocks import ContentItem


class Registry:
    """Stands in for DataFlow's registry."""

    def register(self):
        return lambda cls: cls


class Storage:
    """One table that DataFlow's operators read and write."""

    def __init__(self, frame):
        self.frame = frame

    def read(self, kind):
        return self.frame

    def write(self, frame):
        self.frame = frame


def theirs(folder):
    """DataFlow's three classes."""
    stand_ins = {
        "dataflow": {"get_logger": lambda: logging.getLogger("dataflow")},
        "dataflow.core": {"OperatorABC": object},
        "dataflow.utils": {},
        "dataflow.utils.pdf2vqa": {},
        "dataflow.utils.registry": {"OPERATOR_REGISTRY": Registry()},
        "dataflow.utils.storage": {"DataFlowStorage": Storage},
    }
    for name, values in stand_ins.items():
        sys.modules[name] = types.ModuleType(name)
        vars(sys.modules[name]).update(values)
    logging.getLogger("dataflow").setLevel(logging.ERROR)
    load(folder / "dataflow/utils/pdf2vqa/format_utils.py", "dataflow.utils.pdf2vqa.format_utils")
    generate = folder / "dataflow/operators/pdf2vqa/generate"
    return (
        load(generate / "mineru_to_llm_input_operator.py", "their_input").MinerU2LLMInputOperator,
        load(generate / "llm_output_parser.py", "their_parser").LLMOutputParser,
        load(generate / "qa_merger.py", "their_merger").QA_Merger,
    )


def load(path, name):
    spec = importlib.util.spec_from_file_location(name, path)
    sys.modules[name] = module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def in_mineru_s_words(item):
    """An entry of a content list, as DataFlow reads it."""
    if item.type == "list":
        return {"type": "list", "sub_type": "text", "list_items": list(item.items)}
    if item.type == "image":
        return {"type": "image", "img_path": "images/a.jpg", "image_caption": list(item.captions)}
    return {"type": "text", "text": item.text, "text_level": item.level}


def written_out(reply):
    """The reply with each id of a range, which DataFlow does not read."""
    return re.sub(r"(?<=[>,])(\d+)-(\d+)(?=[<,])", lambda m: ",".join(map(str, range(int(m[1]), int(m[2]) + 1))), reply)


def timed(steps):
    """The processor seconds of each step by name, and what the last one gave."""
    times, made = {}, None
    for name, step in steps:
        began = time.process_time()
        made = step(made)
        times[name] = time.process_time() - began
    return times, made


def ours(items, roles, headings):
    """The steps of this project, and the reply that both get: that of a model that knows the book."""
    source = with_row_ids(pa.table({"name": ["book"], "content": encode([items], list[ContentItem])}))
    flatten, parse, merge, model = MinerU2LLMInput(), LLMOutputParser(), QA_Merger(), KnowsTheBook()
    before = headings.function
    headings.function = lambda blocks: {}
    flat = flatten.step(source)
    headings.function = before
    told(model, flat, roles)
    replies = ChunkedPromptedGenerator(model=model, max_chunk_tokens=100 * len(items)).step(flat)
    replies = put_column(replies, "reply", pa.array([written_out(reply) for reply in replies["reply"].to_pylist()]))
    headings.taken()
    steps = [
        ("flatten", lambda _: flatten.step(source)),
        ("parse", lambda _: parse.step(replies)),
        ("merge", merge.step),
    ]
    return steps, replies["reply"][0].as_py(), len(flat["blocks"][0])


def of_theirs(classes, items, reply, folder):
    """DataFlow's steps over the files of a book."""
    import pandas

    (folder / "book_content_list.json").write_text(json.dumps([in_mineru_s_words(i) for i in items]), encoding="utf-8")
    (folder / "reply.txt").write_text(reply, encoding="utf-8")
    flatten, parse, merge = classes[0](), classes[1](str(folder / "out")), classes[2](str(folder / "out"))
    frame = pandas.DataFrame({"name": ["book"], "md": [str(folder / "book.md")], "reply": [str(folder / "reply.txt")]})
    for column in ("layout", "list", "merged", "pages"):
        frame[column] = ""
    storage = Storage(frame)
    return [
        ("flatten", lambda _: flatten.run(storage, "md", "layout")),
        ("parse", lambda _: parse.run(storage, "reply", "layout", "name", "list")),
        ("merge", lambda _: (merge.run(storage, "list", "name", "merged", "pages"), storage.frame)[1]),
    ]


def measured(folder, blocks, repeat):
    """Blocks a CPU second of both, the best of a few editions of the book that they take one after the other."""
    classes, headings, best = theirs(folder), timed_headings(), {}
    for edition in range(repeat):
        items, roles = book(blocks, edition)
        our_steps, reply, size = ours(items, roles, headings)
        with tempfile.TemporaryDirectory() as files, contextlib.redirect_stdout(io.StringIO()):
            contenders = {"ours": our_steps, "dataflow": of_theirs(classes, items, reply, Path(files))}
            for name, steps in contenders.items():
                times, made = timed(steps)
                if name == "ours":
                    times = {"flatten": times["flatten"] - headings.spent, "headings": headings.taken()} | {
                        step: times[step] for step in ("parse", "merge")
                    }
                if name not in best or sum(times.values()) < sum(best[name][0].values()):
                    best[name] = times, len(made)
    return figures(best, size)


def figures(best, blocks):
    found = {"blocks": blocks}
    for name, (times, rows) in best.items():
        each = {step: round(seconds * 1e6 / blocks, 2) for step, seconds in times.items()}
        found[name] = {"us_a_block": each, "blocks_a_cpu_s": round(blocks / sum(times.values())), "rows": rows}
    dataflow, mine = (sum(best[name][0].values()) for name in ("dataflow", "ours"))
    found["ratio"] = round(dataflow / mine, 2)
    found["ratio_without_headings"] = round(dataflow / (mine - best["ours"][0]["headings"]), 2)
    return found


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataflow", type=Path)
    parser.add_argument("--blocks", type=int, default=20_000)
    parser.add_argument("--repeat", type=int, default=3)
    parser.add_argument("--json", type=Path)
    args = parser.parse_args()
    if args.dataflow is None or not (args.dataflow / "dataflow/operators/pdf2vqa").is_dir():
        print("SKIPPED: give --dataflow with a folder in which dataflow/operators/pdf2vqa lies")
        return
    text = json.dumps(measured(args.dataflow, args.blocks, args.repeat), indent=2)
    print(text)
    if args.json:
        args.json.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    main()
