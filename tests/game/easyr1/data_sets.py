"""Rows for EasyR1Writer with real pictures, small and each one different."""

from pathlib import Path

import pyarrow as pa
from PIL import Image

PROBLEM = "<image>Light: GREEN. Numbers: 5, 8, 3. Select the correct one."


def picture(path: Path, number: int, size: tuple[int, int] = (90, 160)) -> Path:
    """A picture file whose content is its number, in the format of its ending."""
    path.parent.mkdir(parents=True, exist_ok=True)
    image = Image.new("RGB", size, (number % 256, number // 256 % 256, 77))
    image.paste((255, 255, 255), (10, 10, 10 + number % 60, 30))
    image.save(path)
    return path


def row(root: Path, image: str, number: int, split: str = "train", **changes: object) -> dict[str, object]:
    """One row whose picture stands at ``image`` below ``root``."""
    question = picture(root / image, number)
    made = {"question": str(question), "image": image, "problem": PROBLEM, "answer": str(number % 3)}
    return {**made, "split": split, "place": number, **changes}


def rows(root: Path) -> list[dict[str, object]]:
    """Six training rows and two test rows of two devices: Chinese names, spaces, PNG and JPEG."""
    made = []
    for number in range(8):
        device = "设备 1" if number % 2 else "phone"
        episode = f"episode_{number // 2:03}_round_{number % 2 + 1:02}_question"
        image = f"{device}/{episode}.{'jpg' if number % 3 == 0 else 'png'}"
        made.append(row(root, image, number, "train" if number < 6 else "test"))
    return made


def table(made: list[dict[str, object]]) -> pa.Table:
    """The rows as the writer is called with them."""
    return pa.Table.from_pylist(made)
