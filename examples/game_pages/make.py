"""Draw rounds of three games that are web pages, with a real browser: python make.py DIR [--seed 1] [--rounds 24].

The pages take a round as JSON in the address's fragment; here one browser shows one after the other and takes the
pictures. Needs Debian's chromium (or the one that CHROMIUM names), and the project for its game and metadata.
"""

from __future__ import annotations

import argparse
import base64
import csv
import io
import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from random import Random

from PIL import Image

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parents[1]))

from examples.game_screens.game import GameRound, played  # noqa: E402

#: By device: the page, its width and height in CSS pixels, the scale, how pictures are stored, and digits.
DEVICES = {
    "crossing_phone": ("crossing", 360, 780, 3, "png", (1, 1, 2)),
    "crossing_small": ("crossing", 360, 640, 2, "jpg", (1, 2)),
    "quiz_phone": ("quiz", 390, 844, 3, "png", (1, 1, 2)),
    "quiz_tablet": ("quiz", 800, 1280, 1.5, "jpg", (1, 2, 3)),
    "desk_laptop": ("desk", 1366, 768, 1, "png", (1, 2, 3)),
    "desk_tablet": ("desk", 1024, 768, 2, "png", (1, 2)),
}
FLAGS = [
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--hide-scrollbars",
    "--remote-debugging-pipe",
]


class Browser:
    """A chromium that is told what to do through its DevTools pipe."""

    def __init__(self, program: str, profile: str) -> None:
        read, self._out = os.pipe()
        self._in, write = os.pipe()

        def wire() -> None:  # chromium reads from 3 and writes to 4
            a, b = os.dup(read), os.dup(write)
            os.dup2(a, 3)
            os.dup2(b, 4)

        command = [program, *FLAGS, f"--user-data-dir={profile}", "about:blank"]
        self._process = subprocess.Popen(
            command, preexec_fn=wire, close_fds=False, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        os.close(read)
        os.close(write)
        self._rest, self._count, self._session = b"", 0, ""
        page = next(each for each in self.ask("Target.getTargets")["targetInfos"] if each["type"] == "page")
        attached = self.ask("Target.attachToTarget", targetId=page["targetId"], flatten=True)
        self._session = attached["sessionId"]
        self.ask("Page.enable")

    def ask(self, method: str, **options: object) -> dict:
        """The result of a command."""
        self._count += 1
        message = {"id": self._count, "method": method, "params": options}
        if self._session:
            message["sessionId"] = self._session
        os.write(self._out, json.dumps(message).encode() + b"\0")
        while (answer := self._next()).get("id") != self._count:
            pass
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']}")
        return answer["result"]

    def _next(self) -> dict:
        while b"\0" not in self._rest:
            piece = os.read(self._in, 1 << 20)
            if not piece:
                raise RuntimeError("chromium has ended.")
            self._rest += piece
        one, _, self._rest = self._rest.partition(b"\0")
        return json.loads(one)

    def open(self, path: Path, width: int, height: int, scale: float) -> None:
        """Load a page into a window of a size and wait until it and its fonts are there."""
        self.ask(
            "Emulation.setDeviceMetricsOverride", width=width, height=height, deviceScaleFactor=scale, mobile=False
        )
        self.ask("Page.navigate", url=path.as_uri())
        while self._next().get("method") != "Page.loadEventFired":
            pass

    def picture(self, state: dict) -> Image.Image:
        """The page as it shows a state."""
        done = "new Promise(done => requestAnimationFrame(() => requestAnimationFrame(done)))"
        script = f"show({json.dumps(state)}); document.fonts.ready.then(() => {done})"
        self.ask("Runtime.evaluate", expression=script, awaitPromise=True)
        data = base64.b64decode(self.ask("Page.captureScreenshot", format="png")["data"])
        return Image.open(io.BytesIO(data)).convert("RGB")

    def close(self) -> None:
        self.ask("Browser.close")
        self._process.wait(timeout=30)


def make_pages(folder: Path, rounds: int, seed: int, program: str) -> None:
    """Write pictures, metadata and labels; each device has one episode."""
    labels: list[tuple] = []
    with tempfile.TemporaryDirectory() as profile:
        browser = Browser(program, profile)
        for place, device in enumerate(DEVICES):
            many = (rounds - place - 1) // len(DEVICES) + 1
            if many > 0:
                labels += episode(browser, folder, device, many, seed)
        browser.close()
    with (folder / "labels.csv").open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerows([("device", "episode", "round", "numbers", "light", "answer"), *labels])


def episode(browser: Browser, folder: Path, device: str, rounds: int, seed: int) -> list[tuple]:
    page, width, height, scale, suffix, digits = DEVICES[device]
    dice = Random(f"{seed}/{device}")
    (folder / device).mkdir(parents=True, exist_ok=True)
    browser.open(HERE / f"{page}.html", width, height, scale)
    labels, entries = [], []
    for game in played(dice, rounds, digits):
        variant, dark, paths = dice.randrange(6), dice.random() < 0.35, []
        for shown in ("question", "result"):
            picture = browser.picture(state_of(game, dark, variant, shown == "result"))
            paths.append(f"{device}/episode_001_round_{game.number:02d}_{shown}.{suffix}")
            store(picture, folder / paths[-1])
        numbers = " ".join(map(str, game.numbers))
        labels.append((device, "episode_001", game.number, numbers, game.light, game.answer))
        entries.append(
            entry_of(game, paths, round(width * scale * (0.25 + 0.25 * game.picked)), round(height * scale * 0.7))
        )
    metadata = {
        "episode_id": "episode_001",
        "device_id": device,
        "rounds": entries,
        "completed_rounds": rounds,
        "success": True,
    }
    (folder / device / "episode_001_metadata.json").write_text(json.dumps(metadata, indent=2) + "\n", "utf-8")
    return labels


def state_of(game: GameRound, dark: bool, variant: int, result: bool) -> dict:
    names = ("number", "of", "numbers", "light", "picked", "answer", "gain", "lives", "coins", "gems", "level")
    score = game.score + (game.gain if result and game.won else 0)
    state = {name: getattr(game, name) for name in names}
    return {
        **state,
        "score": score,
        "seconds": game.seconds - result,
        "dark": dark,
        "variant": variant,
        "result": result,
    }


def entry_of(game: GameRound, paths: list[str], x: int, y: int) -> dict:
    return {
        "round": game.number,
        "question_screenshot": paths[0],
        "result_screenshot": paths[1],
        "selected_index": game.picked,
        "click_position": [x, y],
        "timestamp": f"2025-02-01T09:{game.number:02d}:00",
    }


def store(picture: Image.Image, path: Path) -> None:
    if path.suffix == ".jpg":
        picture.save(path, quality=85)
    else:
        picture.quantize(128, dither=Image.Dither.NONE).save(path, optimize=True)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rounds", type=int, default=24)
    options = parser.parse_args()
    program = os.environ.get("CHROMIUM") or shutil.which("chromium")
    if not program:
        print(
            "NOTHING WAS MADE: there is no chromium; install it (apt install chromium) or name it by CHROMIUM.",
            file=sys.stderr,
        )
        return 2
    make_pages(options.folder, options.rounds, options.seed, program)
    print(f"{options.rounds} rounds are in {options.folder}.")
    return 0


if __name__ == "__main__":
    sys.exit(main())
