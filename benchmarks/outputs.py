"""What the example inputs of the five pipelines become, as a digest of each file: kept, and compared at another commit.

    python benchmarks/outputs.py --keep before.json [pdf_vqa cot_planning …]
    python benchmarks/outputs.py --compare before.json [pdf_vqa cot_planning …]

A reorganisation changes none of them. Pages to look at, statistics and cards of data sets are left out, as they tell
times and versions. Without Blender the rooms are painted by the project's own painter.
"""

import argparse
import hashlib
import json
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
EXAMPLES = ROOT / "examples"
#: What tells times, versions or folders beside the data.
LEFT_OUT = {"stats.json", "README.md", "index.html", "page.html", "report.html"}
#: What each pipeline is given: examples by their place, and a folder of drawn game rounds.
COMMANDS = {
    "pdf_vqa": [f"booklets/{path.name}" for path in sorted(EXAMPLES.glob("booklets/*.pdf"))]
    + ["booklets/workbook_list"],
    "game_annotate": ["rounds"],
    "cot_planning": ["causal_plans"],
    "onevision": ["visual_reasoning/train.jsonl", "--images", "visual_reasoning/images"],
    "scene_edit": ["rooms"],
}


def inputs(pipeline, folder):
    """The pipeline's inputs in a folder of their own, as arguments."""
    if pipeline == "game_annotate":
        make = [sys.executable, str(EXAMPLES / "game_screens" / "make.py"), str(folder / "rounds"), "--rounds", "12"]
        subprocess.run(make, check=True, capture_output=True, cwd=ROOT)
    else:
        home = COMMANDS[pipeline][0].partition("/")[0]
        shutil.copytree(EXAMPLES / home, folder / home)
    return [each if each.startswith("--") else str(folder / each) for each in COMMANDS[pipeline]]


def digests(pipeline, folder):
    """The digest of each data file that the pipeline's command leaves, by its path in the folder."""
    out = folder / pipeline
    command = [sys.executable, "-m", f"pipelines.{pipeline}", *inputs(pipeline, folder), "--out", str(out)]
    done = subprocess.run([*command, "--cache-dir", str(folder / "memory")], capture_output=True, text=True, cwd=ROOT)
    if done.returncode:
        sys.exit(f"{' '.join(command)} ended with {done.returncode}:\n{done.stderr[-2000:]}")
    files = (path for path in sorted(out.rglob("*")) if path.is_file() and ".run" not in path.parts)
    return {
        path.relative_to(out).as_posix(): hashlib.sha256(path.read_bytes()).hexdigest()
        for path in files
        if path.name not in LEFT_OUT and path.suffix != ".html"
    }


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("pipelines", nargs="*", choices=[*COMMANDS, []], help="all of them if none is named")
    way = parser.add_mutually_exclusive_group(required=True)
    way.add_argument("--keep", type=Path, help="write the digests to this file")
    way.add_argument("--compare", type=Path, help="tell what differs from the digests of this file")
    args = parser.parse_args()
    # Always the same folder, as rows name their pictures by the path they were given.
    folder = Path(tempfile.gettempdir()) / "rowsmith-outputs"
    folder.mkdir()
    try:
        made = {name: digests(name, folder) for name in args.pipelines or COMMANDS}
    finally:
        shutil.rmtree(folder)
    if args.keep:
        args.keep.write_text(json.dumps(made, indent=1) + "\n")
        return 0
    kept = json.loads(args.compare.read_text())
    differ = [
        f"{name}/{path}: {'missing' if path not in now else 'new' if path not in kept[name] else 'differs'}"
        for name, now in made.items()
        for path in sorted({*now, *kept[name]})
        if now.get(path) != kept[name].get(path)
    ]
    print("\n".join(differ) or f"{sum(map(len, made.values()))} files of {', '.join(made)}: the same")
    return 1 if differ else 0


if __name__ == "__main__":
    sys.exit(main())
