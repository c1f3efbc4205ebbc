"""Tables of a run made by hand: kept rounds as the last step writes them, rejects, and the pictures behind them."""

import json
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa
from PIL import Image, ImageDraw

from dataflow_ext.codec import encode
from dataflow_ext.rejects import REJECTS_SCHEMA
from operators.game.output.run_rounds import Rounds
from operators.game.rounds import Box, Look, Reading

CARDS = [(10.0, 120.0, 60.0, 180.0), (75.0, 120.0, 125.0, 180.0), (140.0, 120.0, 190.0, 180.0)]
COLUMNS = {
    "row_id": str, "device": str, "episode": str, "round": int, "question": str, "result": str, "image": str,
    "selected": int | None, "numbers": list[int], "cards": list[Box] | None, "numbers_read": Reading,
    "light": str, "light_read": Reading, "card": int, "card_read": Reading, "rule_read": str,
    "problem": str, "answer": str, "split": str, "place": int,
}  # fmt: skip
LOOKED = list(COLUMNS)[: list(COLUMNS).index("rule_read")]
READ = LOOKED[:8]


def reading(by: str, value: str, confidence: float = 0.99, *earlier: Look, reason: str = "plain to see") -> Reading:
    return Reading(by, confidence, reason, [*earlier, Look(by, value, confidence, reason)])


def row(root: Path, number: int, *, device: str = "phone", episode: str = "episode_001", **more: object) -> dict:
    image = f"{device}/{episode}_round_{number:02d}_question.png"
    made = {
        "row_id": f"{device}-{episode}-{number}", "device": device, "episode": episode, "round": number,
        "question": str(root / image), "result": str(root / image.replace("question", "result")), "image": image,
        "selected": None, "numbers": [5, 8, 3], "cards": CARDS, "light": "GREEN", "card": 1, "rule_read": "agrees",
        "split": "train", "place": number, **more,
    }  # fmt: skip
    seen = " ".join(map(str, made["numbers"]))
    given = {
        "numbers_read": reading("ocr", seen),
        "light_read": reading("colour", made["light"]),
        "card_read": reading("difference", str(made["card"])),
        "problem": f"<image>Light: {made['light']}. Numbers: {seen.replace(' ', ', ')}. Select the correct one.",
        "answer": str(made["card"]),
    }
    return {**given, **made}


def table(rows: list[dict], names: list[str] | None = None) -> pa.Table:
    return pa.table({n: encode([r[n] for r in rows], COLUMNS[n]) for n in names or COLUMNS})


def reject(row_id: str, message: str, *, operator: str = "OCRNumberExtractor", step: int = 2, **more: object) -> dict:
    return {
        "row_id": row_id, "operator": operator, "step": step, "kind": "failed", "error": "NumbersUnsure",
        "message": message, "attempts": 1, "inputs": json.dumps({"question": "q.png"}), **more,
    }  # fmt: skip


def rounds(
    root: Path,
    kept: list[dict],
    *,
    looked: Sequence[dict] = (),
    read: Sequence[dict] = (),
    rejects: Sequence[dict] = (),
) -> Rounds:
    """A run in which these rounds were kept; ``looked`` and ``read`` are those that got as far and no farther."""
    return Rounds(
        read=table([*kept, *looked, *read], READ),
        looked=table([*kept, *looked], LOOKED),
        kept=table(kept),
        rejects=pa.Table.from_pylist(list(rejects), REJECTS_SCHEMA),
        root=root,
    )


def screenshots(root: Path, rows: list[dict], size: tuple[int, int] = (200, 300)) -> None:
    """Question and result picture of these rounds: three cards on grey, the correct one green in the result."""
    for each in rows:
        for name in ("question", "result"):
            picture = Image.new("RGB", size, (120, 130, 140))
            draw = ImageDraw.Draw(picture)
            for place, card in enumerate(CARDS):
                draw.rectangle(card, fill="green" if name == "result" and place == each["card"] else "white")
            path = Path(each[name])
            path.parent.mkdir(parents=True, exist_ok=True)
            picture.save(path)
