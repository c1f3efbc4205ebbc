"""What the model session costs a call, and how close it keeps to a server's ideal throughput.

    python benchmarks/model_calls.py [--calls 20000] [--in-flight 64 256] [--delay 0.2] [--requests 2000]

Overhead: calls to a model that answers at once, with no cache, a cache in memory and one in a file, each asked
for the first time and again. Throughput: a loopback server in a process of its own that takes ``--delay``
seconds a reply; ideal is in-flight / delay replies a second.
"""

import argparse
import asyncio
import multiprocessing
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dataflow_ext.background import map_async, run_async  # noqa: E402 - the tests are found by the line above
from dataflow_ext.models import OpenAIModel, Reply, Request, RequestCache, ScriptedModel, Session, complete  # noqa: E402
from tests.loopback import Loopback  # noqa: E402


class Local:
    """A local model that answers at once."""

    name = "local"
    local = True

    def identity(self):
        return {}

    async def complete(self, request):
        return Reply("ok")


def requests(count):
    return [Request(f"{n} " + "x" * 2_000, system="s" * 500) for n in range(count)]


def ask(model, asked, in_flight=64):
    """Seconds for all calls; an error of any of them is an error here."""
    began = time.perf_counter()
    replies = run_async(map_async(lambda request: complete(model, request), asked, in_flight))
    seconds = time.perf_counter() - began
    for reply in replies:
        if isinstance(reply, Exception):
            raise reply
    return seconds


def overhead(count, folder):
    """Microseconds a call, by kind of cache."""
    asked = requests(count)
    run_async(asyncio.sleep(0))  # starts the loop
    caches = {"no cache": None, "cache in memory": RequestCache(), "cache in a file": RequestCache(folder / "r.sqlite")}
    for name, cache in caches.items():
        model = ScriptedModel(lambda request: "ok")
        with Session(cache) as session:
            first, again = ask(model, asked), ask(model, asked)
            cached = session.usage[model.name].cached
        assert cached == (count if cache else 0)
        print(f"{name:16} first {first / count * 1e6:6.1f} µs a call   again {again / count * 1e6:6.1f} µs a call")
    with Session():
        print(f"{'local model':16} {ask(Local(), asked) / count * 1e6:12.1f} µs a call")


def serve(delay, pipe):
    """A loopback server until the pipe says that it is over."""
    with Loopback(lambda body: "ok", delay=delay) as server:
        pipe.send(server.url)
        pipe.recv()
        pipe.send(server.max_in_flight)


def throughput(in_flight, delay, count):
    """Replies a second against the ideal, after a round that opens the connections."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(delay, there))
    process.start()
    model = OpenAIModel(name="m", base_url=here.recv())
    asked = requests(count + in_flight)
    with Session(max_in_flight=in_flight) as session:
        ask(model, asked[:in_flight], in_flight)
        cpu = time.process_time()
        seconds = ask(model, asked[in_flight:], in_flight)
        cpu = time.process_time() - cpu
        used = session.usage["m"]
    here.send("over")
    most = here.recv()
    process.join()
    ideal = in_flight / delay
    print(
        f"{in_flight:4} in flight: {count / seconds:6.0f} replies a second, {count / seconds / ideal:4.0%} of ideal; "
        f"{cpu / count * 1e3:.2f} ms CPU a call, {used.retries} retries, at most {most} at once at the server"
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--in-flight", type=int, nargs="*", default=[16, 64, 128])
    parser.add_argument("--delay", type=float, default=0.2)
    parser.add_argument("--requests", type=int, default=2_000)
    args = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="model-calls-") as folder:
        overhead(args.calls, Path(folder))
    for in_flight in args.in_flight:
        throughput(in_flight, args.delay, args.requests)


if __name__ == "__main__":
    main()
