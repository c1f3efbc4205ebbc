"""A small data set of each family, and the forms that it can be exported to."""

from pathlib import Path

from operators import CoTSampler, EasyR1Writer, OneVisionWriter, SampleWriter
from operators.pdf.output.writer import write_outputs
from pipelines.curate import main as curate
from tests.game.easyr1 import data_sets
from tests.onevision import finished
from tests.pdf import final_rows
from tests.sampling.question_sets import boxed, read
from tests.scene.output.sets import several
from tests.scene.output.sets import written as scene_written


def pdf(folder: Path) -> Path:
    figure = final_rows.picture(folder / "made" / "a.png")
    shown = final_rows.row("1", "Look:\n![fig](vqa_images/a.png)", answer="B", question_images=["vqa_images/a.png"],
                           evidence=[final_rows.figure(figure)])  # fmt: skip
    write_outputs(final_rows.table(shown), final_rows.rejects(), folder / "out")
    return folder / "out"


def curated(folder: Path) -> Path:
    assert curate([str(pdf(folder)), "--out", str(folder / "curated")]) == 0
    return folder / "curated"


def game(folder: Path) -> Path:
    EasyR1Writer(out=folder / "out")(data_sets.table(data_sets.rows(folder / "raw")))
    return folder / "out"


def onevision(folder: Path) -> Path:
    OneVisionWriter(out=folder / "out")(finished.table([finished.row(finished.picture(folder))]))
    return folder / "out"


def scene(folder: Path) -> Path:
    return scene_written(folder / "out", several(folder))


def sampled(folder: Path) -> Path:
    final_rows.picture(folder / "rows" / "a.png")
    row = {"question": "See ![](a.png): 2 + 2?", "answer": "4"}
    table = CoTSampler(model=boxed("5", "4"))(read(row, root=folder / "rows"))
    SampleWriter(out=folder / "out")(table)
    return folder / "out"


HAS = {
    pdf: {"hf", "sharegpt", "llamafactory", "swift", "easyr1", "grpo", "messages", "jsonl"},
    curated: {"hf", "sharegpt", "llamafactory", "swift", "easyr1", "grpo", "messages", "jsonl"},
    game: {"hf", "sharegpt", "llamafactory", "swift", "easyr1", "grpo", "messages", "jsonl"},
    onevision: {"hf", "sharegpt", "llamafactory", "swift", "easyr1", "grpo", "messages", "jsonl"},
    scene: {"hf", "sharegpt", "llamafactory", "swift", "grpo", "messages", "jsonl"},
    sampled: {"hf", "sharegpt", "llamafactory", "swift", "easyr1", "grpo", "dpo", "messages", "jsonl"},
}
