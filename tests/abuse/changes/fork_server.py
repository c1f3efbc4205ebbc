"""Runs users' scripts, each in a process of its own that has the library loaded: a fork instead of a start.

Reads a JSON line a script (folder, script, arguments, environment, further folders of modules) and answers with a
JSON line: what the script wrote, and its exit code.
"""

import contextlib
import gc
import importlib
import json
import os
import runpy
import sys
import tempfile
import traceback
from pathlib import Path


def preload():
    """Import what a run imports, as a run in a child tells; this process itself makes none, and has one thread."""
    reading, writing = os.pipe()
    if os.fork() == 0:
        from dataflow_ext import RowOperator, run

        class Op(RowOperator):
            inputs = {"text": str}  # noqa: RUF012
            outputs = {"out": str}  # noqa: RUF012

            def row(self, text: str) -> dict[str, str]:
                return {"out": text}

        with tempfile.TemporaryDirectory() as memory:
            run([Op()], [{"text": "a"}], cache_dir=memory)
        names = [name for name in sys.modules if name != "__main__"]  # in the order of their import
        os.write(writing, json.dumps(names).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as told:
        names = json.load(told)
    os.wait()
    for name in names:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    gc.collect()
    gc.freeze()  # a child's collector leaves alone, and so unshared, what it shares with this process


def child(job):
    """What the forked process does: be the script."""
    os.chdir(job["cwd"])
    os.environ.update(job["environment"])
    script = str(Path(job["folder"]) / job["script"])
    sys.argv = [script, *job["arguments"]]
    sys.path[0:0] = [job["folder"], *job["path"]]
    sys.dont_write_bytecode = True  # two versions within a second would share one compiled file
    runpy.run_path(script, run_name="__main__")


def answer(job):
    """Fork, run, and collect."""
    out, err = job["log"] + ".out", job["log"] + ".err"
    pid = os.fork()
    if pid == 0:
        code = 1
        try:
            for number, path in ((1, out), (2, err)):
                os.dup2(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), number)
            child(job)
            code = 0
        except SystemExit as stopped:
            code = stopped.code if isinstance(stopped.code, int) else 1
        except BaseException:
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            sys.stderr.flush()
            os._exit(code)
    _, status = os.waitpid(pid, 0)
    return {"code": os.waitstatus_to_exitcode(status)}


if __name__ == "__main__":
    preload()
    replies = os.fdopen(os.dup(1), "w")
    for line in sys.stdin:
        print(json.dumps(answer(json.loads(line))), file=replies, flush=True)
