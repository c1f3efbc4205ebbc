"""The text beside a data set that tells how to train on it with EasyR1."""

from __future__ import annotations

from collections import Counter
from string import Template

from operators.game.easyr1.data_files import DataSet
from operators.game.easyr1.form import (
    ACTOR_BATCH,
    ANSWERS,
    MAX_PIXELS,
    PROMPT_LENGTH,
    ROLLOUT_BATCH,
    SCREEN_PIXELS,
)
from operators.game.easyr1.pictures import Facts, image_tokens

_TEXT = Template("""\
# Number cards: data for EasyR1

$counts

| file | what it holds |
|---|---|
| `data/train.jsonl`, `data/test.jsonl` | a row a line: `images` (paths below `images/`), `problem`, `answer` |
| `parquet/train.parquet`, `parquet/test.parquet` | the same rows in the same order, with the pictures' bytes |
| `images/` | the question pictures as they were collected |

$missing## Train

Set `DATA` to the absolute path of this folder; it must not contain `@`, at which EasyR1 would cut the path.
These settings go on the command line, or into a copy of EasyR1's `examples/config.yaml`:

```bash
DATA=/path/to/this/folder
python3 -m verl.trainer.main config=examples/config.yaml \\
$settings
```

With the pictures inside Parquet (no `data.image_dir` is needed), these two take the place of the files above:

```bash
    data.train_files="$$DATA/parquet/train.parquet" \\
    data.val_files="$$DATA/parquet/$val.parquet" \\
```

## Why these settings

* `data.train_files` and `data.val_files` name single files, without `@train` or `@test` behind them: a single file
  has only the split `train`.
* `data.prompt_key=problem`: the key's default in EasyR1's code is `prompt`.
* `data.image_dir`: the paths in `images` are relative to it. Every machine that trains must see this folder.
* $pixels
* $batch
* `worker.actor.model.model_path`: a model that takes pictures; the one in `examples/config.yaml` does not.
* `answer` is a text ("0" is the left card, "1" the middle one, "2" the right one). An integer would earn no reward.

## Check

```bash
python -m pipelines.game_annotate validate .
```
""")

_EMPTY = """\
**There are no $split rows.** EasyR1 cannot load an empty file, so there is none. $remedy

"""
_REMEDY = {
    "train": "Nothing can be trained on this data set.",
    "test": (
        "EasyR1 wants one validation row at least: the settings below validate on the training rows, "
        "which tells nothing about new rounds."
    ),
}


def readme(data: DataSet) -> str:
    """The README of a data set, with the settings that fit its very rows and pictures."""
    rows = {split: data.of(split) for split in ("train", "test")}
    val = "test" if rows["test"] else "train"
    batch = _batch(len(rows["train"]))
    missing = [Template(_EMPTY).substitute(split=s, remedy=_REMEDY[s]) for s in rows if not rows[s]]
    return _TEXT.substitute(
        counts=_counts(data),
        missing="".join(missing),
        settings=" \\\n".join(f"    {setting}" for setting in _settings(batch, val)),
        val=val,
        pixels=_pixels(data),
        batch=_about_batch(batch, len(rows["train"])),
    )


def _counts(data: DataSet) -> str:
    parts = []
    for split, name in (("train", "training"), ("test", "test")):
        rows = data.of(split)
        by = Counter(example.answer for example in rows)
        shares = ", ".join(f"{by[answer]:,} x {answer}" for answer in ANSWERS)
        parts.append(f"{len(rows):,} {name} rows (answers: {shares})")
    return f"{parts[0]}, {parts[1]}, {len(data.facts):,} pictures."


def _settings(batch: int, val: str) -> list[str]:
    settings = [
        'data.train_files="$DATA/data/train.jsonl"',
        f'data.val_files="$DATA/data/{val}.jsonl"',
        "data.prompt_key=problem",
        "data.answer_key=answer",
        "data.image_key=images",
        'data.image_dir="$DATA/images"',
        f"data.max_pixels={SCREEN_PIXELS}",
        f"data.max_prompt_length={PROMPT_LENGTH}",
        f"data.rollout_batch_size={batch}",
        f"worker.actor.global_batch_size={min(batch, ACTOR_BATCH)}",
    ]
    if batch % 2:
        settings.append("worker.actor.micro_batch_size_per_device_for_experience=1")
    return [*settings, "worker.actor.model.model_path=Qwen/Qwen2.5-VL-7B-Instruct"]


def _batch(rows: int) -> int:
    """EasyR1's own rollout batch, or the largest power of two that the training rows fill."""
    return ROLLOUT_BATCH if rows >= ROLLOUT_BATCH else 1 << max(rows.bit_length() - 1, 0)


def _about_batch(batch: int, rows: int) -> str:
    rule = "it must be a multiple of `worker.actor.global_batch_size`, and both must suit the number of GPUs"
    if batch == ROLLOUT_BATCH:
        return (
            f"`data.rollout_batch_size={batch}` is EasyR1's default and fits: an epoch has {rows // batch:,} full "
            f"batches of the {rows:,} training rows. If you change it, {rule}."
        )
    return (
        f"`data.rollout_batch_size={batch}`: EasyR1 drops a batch that is not full, and its default of "
        f"{ROLLOUT_BATCH} is more than the {rows:,} training rows, so that nothing would be trained. "
        f"If you change it, {rule}."
    )


def _pixels(data: DataSet) -> str:
    if not data.facts:
        return f"`data.max_pixels={SCREEN_PIXELS}` keeps screenshots within the prompt's length."
    costs = max(map(_costs, data.facts.values()))
    own, ours, width, height = costs
    text = (
        f"`data.max_pixels={SCREEN_PIXELS}`: the largest picture ({width} x {height}) costs {own:,} image tokens by "
        f"Qwen2.5-VL's rule (sides rounded to multiples of 28 pixels, a token for each 28 x 28) with EasyR1's own "
        f"{MAX_PIXELS}, and {ours:,} with this setting. The prompt may have `data.max_prompt_length={PROMPT_LENGTH}` "
        "tokens, its text included"
    )
    if own >= PROMPT_LENGTH:
        return text + (
            ": without the setting such rows are left out, or cut with the error that image features and image "
            "tokens do not match."
        )
    return text + ", which both keep; the setting spares memory."


def _costs(facts: Facts) -> tuple[int, int, int, int]:
    size = facts.width, facts.height
    return image_tokens(*size), image_tokens(*size, max_pixels=SCREEN_PIXELS), *size
