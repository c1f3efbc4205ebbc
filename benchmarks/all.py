"""The quick benchmarks one after the other, as one JSON: kernels, beside DataFlow, the engine, workers, start-up.

    python benchmarks/all.py [--dataflow DIR] [--json FILE] [--quick]

Each runs in a process of its own, on one core, in some minutes together. Beside the figures stand the date, the
machine and its load (the mean number of running processes, before and after): where that is above its cores, others
were at work, and figures of different times cannot be compared, only the ratios within one process.
"""

import argparse
import datetime
import json
import os
import platform
import resource
import subprocess
import sys
from pathlib import Path

import pyarrow as pa

HERE = Path(__file__).parent
#: What is started: a word for it, its command, and the CPU seconds that it may take.
STARTS = {
    "import dataflow_ext": (["-c", "import dataflow_ext"], 0.05),
    "pdf_vqa --help": (["-m", "pipelines.pdf_vqa", "--help"], 0.6),
}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--dataflow", type=Path, help="folder for beside_dataflow.py")
    parser.add_argument("--json", type=Path)
    parser.add_argument("--quick", action="store_true", help="a tenth of the rows, and kernels once")
    args = parser.parse_args()
    rows = 100_000 if args.quick else 1_000_000
    repeat = "1" if args.quick else "3"
    beside = [] if args.dataflow is None else ["--dataflow", str(args.dataflow)]
    found = {"date": datetime.datetime.now(datetime.UTC).date().isoformat(), "machine": machine(), "load": [load()]}
    found["kernels"] = told("kernels.py", "--json", "-", "--repeat", repeat)
    found["beside_dataflow"] = told("beside_dataflow.py", "--repeat", repeat, *beside)
    found["engine"] = told("engine.py", "--rows", str(rows), "--streamed", str(rows // 10))
    found["workers"] = told("workers.py", *(["--seconds", "4"] if args.quick else []))
    found["start_up_cpu_s"] = {name: started(command, most) for name, (command, most) in STARTS.items()}
    found["load"].append(load())
    text = json.dumps(found, indent=2, ensure_ascii=False)
    print(text)
    if args.json:
        args.json.write_text(text, encoding="utf-8")


def machine():
    """What the figures were measured on."""
    model = Path("/proc/cpuinfo")
    names = [line for line in model.read_text().splitlines() if "model name" in line] if model.exists() else []
    return {
        "processor": names[0].partition(":")[2].strip() if names else platform.processor(),
        "cores": os.cpu_count(),
        "python": platform.python_version(),
        "pyarrow": pa.__version__,
    }


def load():
    return round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None


def told(script, *options):
    """The JSON that a benchmark prints, or what it says instead."""
    command = [sys.executable, str(HERE / script), *options]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    try:
        return json.loads(done.stdout)
    except ValueError:
        return (done.stdout + done.stderr).strip().splitlines()[-1:]


def started(command, most):
    """The least processor time of three starts, beside what it may be."""
    times = []
    for _ in range(3):
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        subprocess.run([sys.executable, *command], capture_output=True, check=True)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        times.append(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime)
    return {"cpu_s": round(min(times), 3), "may_be": most, "holds": min(times) <= most}


if __name__ == "__main__":
    main()
