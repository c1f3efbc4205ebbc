"""Model calls that sharing by picture saves: `python benchmarks/onevision_calls.py [--records FILE --images DIR]`.

The command runs on `examples/visual_reasoning` with the loopback model of the tests, which answers every request; with
--records on other rows only the calls are counted that a run would make, from turns and pictures. Told are the calls
by step, the calls that asking about each row's picture anew would have made, and what a second run asks (nothing).
Leaves with code 1 if a picture is asked about twice, or if a second run asks anything.
"""

from __future__ import annotations

import argparse
import json
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from operators.onevision.estimate import source_of  # noqa: E402 - found by the line above
from operators.onevision.sources.source import records  # noqa: E402
from pipelines.onevision import main as command  # noqa: E402
from tests.loopback import Loopback  # noqa: E402

EXAMPLE = ROOT / "examples" / "visual_reasoning"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=Path, help="LLaVA-CoT's train.jsonl, to count without asking")
    args = parser.parse_args()
    if args.records is not None:
        source = source_of(records([args.records]))
        shared, alone = 2 * source.pictures + source.turns, 3 * source.turns
        print(f"{source.turns:,} turns on {source.pictures:,} pictures: {shared:,} calls, one by one {alone:,}")
        print(f"saved: {1 - shared / alone:.1%}")
        return 0
    return asked()


def asked() -> int:
    """The figures of a real run against the loopback model."""
    sys.path.insert(0, str(ROOT))
    from tests.onevision.vlm import vlm

    with tempfile.TemporaryDirectory() as folder, Loopback(vlm(good=1.0)) as server:
        out = Path(folder, "out")
        line = [str(EXAMPLE / "train.jsonl"), "--images", str(EXAMPLE / "images"), "--out", str(out), "--ocr", "never"]
        line += ["--model", "vlm", "--base-url", server.url]
        command(line)
        first = len(server.calls)
        report = json.loads((out / ".run" / "report.json").read_text())
        rows = json.loads((out / "stats.json").read_text())
        command(line)
        again = len(server.calls) - first
    made = {each["step"].partition(". ")[2]: each["requests"] for each in report["calls"]}
    living = next(step["rows_in"] for step in report["steps"] if step["operator"] == "ImageTypeClassifier")
    pictures = rows["pictures"]
    of_pictures = made["ImageTypeClassifier"] + made["FormalDescriber"]
    print(f"{living} rows on {pictures} pictures; calls by step: {made}; all {first}")
    saved = 1 - of_pictures / (2 * living)
    print(f"about pictures {of_pictures}, row by row they would be {2 * living}: {saved:.1%} saved")
    print(f"of all calls {1 - first / (first - of_pictures + 2 * living):.1%} saved; a second run asked {again}")
    return int(of_pictures > 2 * pictures or again > 0)


if __name__ == "__main__":
    raise SystemExit(main())
