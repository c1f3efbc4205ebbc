"""LLaVA-CoT rows to R1-Onevision rows: ``python -m pipelines.onevision train.jsonl --images DIR --out DIR``."""

from __future__ import annotations

import argparse
import json
import os
import shlex
import sys
from collections.abc import Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dataflow_ext import Operator, OptionError, StreamResult, cli
from dataflow_ext.cli.flags import positive, share
from dataflow_ext.models import Model, Prices
from dataflow_ext.ocr import OCREngine, RapidOCREngine
from operators import (
    AnswerEquivalence,
    AnswerExtractor,
    BlindSolver,
    CoTRewriter,
    FormalDescriber,
    GroundingChecks,
    ImageNormalizer,
    ImageTextReader,
    ImageTypeClassifier,
    LLaVACoTReader,
    ObjectDetector,
    OneVisionWriter,
    QualityJudge,
    VerdictGate,
)
from operators.onevision import estimate
from operators.onevision.detecting import PROFILES, Detector, detector_of
from operators.onevision.export import NAMES
from operators.onevision.sources.source import files_of, records
from pipelines.commands.onevision import calibrate, sample
from prompts import (
    OneVisionBlindPrompt,
    OneVisionDescribePrompt,
    OneVisionFactsPrompt,
    OneVisionImagePrompt,
    OneVisionJudgedPrompt,
    OneVisionJudgePrompt,
    OneVisionRewritePrompt,
    OneVisionRowPrompt,
)

if TYPE_CHECKING:
    import pyarrow as pa

__all__ = ["main", "pipeline", "records"]

EXAMPLES = """  python -m pipelines.onevision train.jsonl --images images --out ov
  python -m pipelines.onevision train.jsonl --images images --out ov --limit 200 --model qwen3-vl \\
      --base-url http://localhost:8000/v1
  python -m pipelines.onevision train.jsonl --images images --out ov --model gpt-4o --judge-model gpt-4.1 \\
      --blind --budget 20usd
  python -m pipelines.onevision train.jsonl --images images --out ov --detector http://localhost:9000 --profile simple

other commands (each has --help):
  python -m pipelines.onevision calibrate ov        how well the gate tells good rows from damaged ones
  python -m pipelines.onevision sample ov --n 50    a sheet with pictures and boxes to tick, to review rows by eye"""

#: Records that are in memory at one time, so few that what one step finds in a text is still remembered by the next; at
#: the end of so many a model's last replies are waited for.
ROWS_PER_PART = 2_000
#: Reasons that are told at the terminal; the page has all of them.
_SHOWN = 8

PROMPTS = (
    OneVisionImagePrompt,
    OneVisionDescribePrompt,
    OneVisionFactsPrompt,
    OneVisionRewritePrompt,
    OneVisionRowPrompt,
    OneVisionBlindPrompt,
    OneVisionJudgePrompt,
    OneVisionJudgedPrompt,
)


def pipeline(
    images: Path | Sequence[Path],
    folder: Path,
    model: Model | None = None,
    judge: Model | None = None,
    *,
    detector: Detector | None = None,
    ocr: OCREngine | None = RapidOCREngine(),  # noqa: B008 - frozen, and nothing is loaded
    blind: bool = False,
    max_side: int = 2048,
    seed: int = 0,
    prompts: Path | None = None,
    out: Path | None = None,
    embed_pictures: bool = True,
) -> list[Operator]:
    """The steps from :func:`records` to rows with a verdict, and to files in ``out`` if that is given.

    ``images`` is the folder, or the folders, that paths in the records are relative to; pictures that had to be made
    anew lie in ``folder``. Without a model, rules do what rules can, and what was not done is marked "not run".

    >>> [type(step).__name__ for step in pipeline(Path("images"), Path("pictures"))][-3:]
    ['GroundingChecks', 'QualityJudge', 'VerdictGate']
    """
    if blind and model is None:
        raise OptionError("blind needs a model: somebody has to solve the questions.")
    roots = (images,) if isinstance(images, Path) else tuple(images)
    return [
        LLaVACoTReader(),
        ImageNormalizer(roots=roots, folder=folder, max_side=max_side),
        AnswerExtractor(),
        ImageTypeClassifier(model=model, prompt=OneVisionImagePrompt(folder=prompts)),
        ObjectDetector(detector=detector),
        ImageTextReader(engine=ocr),
        FormalDescriber(
            model=model,
            prompt=OneVisionDescribePrompt(folder=prompts),
            facts_prompt=OneVisionFactsPrompt(folder=prompts),
        ),
        CoTRewriter(
            model=model,
            prompt=OneVisionRewritePrompt(folder=prompts),
            row_prompt=OneVisionRowPrompt(folder=prompts),
            seed=seed,
        ),
        GroundingChecks(),
        *(_blind(model, prompts) if blind else ()),
        QualityJudge(
            model=judge, prompt=OneVisionJudgePrompt(folder=prompts), row_prompt=OneVisionJudgedPrompt(folder=prompts)
        ),
        VerdictGate(blind=blind),
        *([] if out is None else [OneVisionWriter(out=out, embed_pictures=embed_pictures)]),
    ]


def _blind(model: Model | None, prompts: Path | None) -> list[Operator]:
    return [
        BlindSolver(model=model, prompt=OneVisionBlindPrompt(folder=prompts)),
        AnswerEquivalence(reads={"answer": "blind_answer", "reference": "answer"}),
    ]


#: The commands beside the run.
COMMANDS = {"calibrate": lambda argv: calibrate(argv, pipeline, PROMPTS), "sample": sample}


def main(argv: Sequence[str] | None = None) -> int:
    """The command; its exit code."""
    return cli.app(_main, argv, lambda: PROMPTS, COMMANDS)


def _main(argv: Sequence[str]) -> int:
    args = _arguments(argv)
    model, judge = cli.model_of(args), cli.judge_of(args)
    if args.blind and model is None:
        raise OptionError("--blind needs --model: somebody has to solve the questions.")
    for folder in args.images:
        if not folder.is_dir():
            raise OptionError(f"--images: there is no folder {folder}.")
    prompts = cli.prompts_of(args, PROMPTS)
    files = [file for path in args.records for file in files_of(path)]
    table = records(args.records)
    steps = pipeline(
        args.images,
        cli.cache_of(args) / "pictures",
        cli.batched(model, args),
        cli.batched(judge, args),
        detector=_detector(args),
        ocr=None if args.ocr == "never" else cli.ocr_of(args),
        blind=args.blind,
        max_side=args.max_side,
        seed=args.seed or 0,
        prompts=prompts,
        out=args.out,
        embed_pictures=not args.no_embed,
    )
    if model is not None or judge is not None:
        source = estimate.source_of(table if args.limit is None else table.slice(0, args.limit))
        cli.say(estimate.told(source, model, judge, Prices(args.prices), blind=args.blind, prompts=prompts))
    return cli.run_steps(
        args, steps, table, lambda result: _deliver(result, args), files,
        rows="Records", names=NAMES, rows_per_part=ROWS_PER_PART,
    )  # fmt: skip


def _deliver(result: StreamResult, args: argparse.Namespace) -> int:
    """Write what a run made, and tell of it; the exit code."""
    import pyarrow as pa

    from dataflow_ext.datasets.rejects_and_stats import write_beside
    from operators.onevision import output
    from operators.onevision.export import row_parts

    rejects = _from_folders(result.rejects, (args.out, cli.cache_of(args), *args.images))
    rejects = rejects.append_column("id", pa.array(_ids(result, rejects["row_id"]), pa.string()))
    # Without rows the data are those of an earlier run.
    rows = partial(row_parts, args.out) if result.num_rows else list[pa.Table]
    stats = output.stats(rows(), rejects)
    write_beside(args.out, "onevision", stats["kept"], stats, rejects)
    page = output.write_page(rows, rejects, stats, result.report, args.out)
    _tell(stats)
    if not result.num_rows:
        cli.say(f"No row was made, so no data were written; data of an earlier run in {args.out} stay as they are.")
    else:
        cli.say(f"data: {args.out / 'onevision.jsonl'}")
    cli.say(f"page: {page.resolve()}")
    if stats["kept"]:
        out = shlex.quote(str(args.out))
        cli.say(f"measure the gate on it: python -m pipelines.onevision calibrate {out}")
        cli.say(f"a sheet to review by eye: python -m pipelines.onevision sample {out} --n 50")
    return 0 if result.num_rows else 1


def _from_folders(rejects: pa.Table, folders: Iterable[Path]) -> pa.Table:
    """The rejects with paths of pictures as paths from these folders, so that they name no place on this disk."""
    import pyarrow.compute as pc

    for folder in folders:
        for whole in dict.fromkeys((os.path.abspath(folder), os.path.realpath(folder))):  # noqa: PTH100
            start = json.dumps(f"{whole}/", ensure_ascii=False)[:-1]  # with the mark that opens a value
            place = rejects.column_names.index("inputs")
            inputs = pc.replace_substring(rejects["inputs"], start, '"')
            rejects = rejects.set_column(place, "inputs", inputs)
    return rejects


def _ids(result: StreamResult, row_ids: pa.ChunkedArray) -> list[str | None]:
    """The turns' ids of rejected rows, as far as they had become turns."""
    import pyarrow.compute as pc

    known: dict[str, str] = {}
    for turns in result.parts_after("LLaVACoTReader", ["row_id", "id"]):
        mine = turns.filter(pc.is_in(turns["row_id"], value_set=row_ids))
        known.update(zip(mine["row_id"].to_pylist(), mine["id"].to_pylist(), strict=True))
    return [known.get(row_id) for row_id in row_ids.to_pylist()]


def _tell(stats: dict[str, Any]) -> None:
    """The counts, why rows are not kept, and why some have no verdict."""
    told = ", ".join(f"{stats[name]} {name}" for name in ("kept", "review", "dropped", "errored"))
    cli.say(f"{stats['turns']} turn{'' if stats['turns'] == 1 else 's'}: {told}.")
    if unjudged := stats["kept"] - stats["judged"].get("kept", 0):
        cli.say(f"No judge saw {unjudged} of the kept rows: they passed the checks alone, and are marked so.")
    if reasons := stats["reasons"]:
        most = ", ".join(f"{code} {count}" for code, count in list(reasons.items())[:_SHOWN])
        cli.say(f"reasons of rows not kept: {most}")
    cli.tell_rejects(stats["rejects"])


def _detector(args: argparse.Namespace) -> Detector | None:
    if args.detector is None:
        if args.profile is not None or args.detector_api_key_env is not None:
            raise OptionError("--profile and --detector-api-key-env need --detector: the URL of the detector.")
        return None
    return detector_of(args.detector, args.profile or "hf", api_key_env=args.detector_api_key_env,
                       threshold=args.detector_threshold, name=args.detector_name)  # fmt: skip


def _arguments(argv: Sequence[str]) -> argparse.Namespace:
    parser = cli.parser(
        "onevision",
        "Turn LLaVA-CoT rows into R1-Onevision rows: formal description, grounded reasoning, answer, verdict.",
        EXAMPLES,
        judge=True,
        seeds="the wording of reasoning by rules",
        inputs="RECORDS... --images DIR",
        unit="records",
    )
    parser.add_argument("records", type=Path, nargs="+", metavar="RECORDS",
                        help="files with LLaVA-CoT's records (jsonl, json, parquet, arrow), or folders")  # fmt: skip
    parser.add_argument("--images", type=Path, action="append", required=True, metavar="DIR",
                        help="folder that the pictures' paths are relative to; several: searched in turn")  # fmt: skip
    seen = parser.add_argument_group("what is read in pictures")
    seen.add_argument("--detector", metavar="URL", help='a detector\'s server; without one, no boxes ("not run")')
    seen.add_argument("--profile", choices=PROFILES, help="how that server talks (default: hf)")
    seen.add_argument("--detector-api-key-env", metavar="VAR", help="environment variable that holds its key")
    seen.add_argument("--detector-name", default="grounding-dino", metavar="NAME",
                      help="what records call it (default: %(default)s)")  # fmt: skip
    seen.add_argument("--detector-threshold", type=share, default=0.3, metavar="P",
                      help="least score of a box (default: %(default)s)")  # fmt: skip
    cli.add_ocr_flags(seen, {"always": "text is read in all pictures", "never": "in none"}, "it")
    seen.add_argument("--max-side", type=partial(positive, least=64), default=2048, metavar="PX",
                      help="larger pictures are made smaller, from 64 on (default: %(default)s)")  # fmt: skip
    judged = parser.add_argument_group("gate and files")
    judged.add_argument("--blind", action="store_true",
                        help="let the model solve each question without the answer, and compare")  # fmt: skip
    judged.add_argument("--no-embed", action="store_true", help="keep pictures out of the Parquet file")
    return parser.parse_args(argv)


if __name__ == "__main__":
    sys.exit(main())
