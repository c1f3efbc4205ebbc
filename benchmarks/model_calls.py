"""What the model session costs a call, and how close it keeps to a server's ideal throughput.

    python benchmarks/model_calls.py [--calls 20000] [--in-flight 64 256] [--delay 0.2] [--requests 2000] [--repeat 3]

Overhead: calls to a model that answers at once, with no cache, a cache in memory and one in a file, each asked
for the first time and again. Throughput: a server in a process of its own that takes ``--delay`` seconds a reply;
ideal is in-flight / delay replies a second. What a raw client gets, which only writes and counts bytes, is printed
beside it: the server cannot do more. Time spent waiting for a core is other programs' doing.
"""

import argparse
import asyncio
import multiprocessing
import re
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from dataflow_ext.background import map_async, run_async  # noqa: E402 - the package is found by the line above
from dataflow_ext.models import OpenAIModel, Reply, Request, RequestCache, ScriptedModel, Session, complete  # noqa: E402


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


class LeanServer(asyncio.Protocol):
    """A connection of a server that reads no more of a request than its length and always gives one reply."""

    delay = 0.2
    open = most = 0
    content = (
        b'{"id": "c", "object": "chat.completion", "created": 0, "model": "m", "choices": [{"index": 0, "message": '
        b'{"role": "assistant", "content": "ok"}, "finish_reason": "stop"}], "usage": {"prompt_tokens": 600, '
        b'"completion_tokens": 1, "total_tokens": 601, "prompt_tokens_details": {"cached_tokens": 0}}}'
    )
    reply = b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: %d\r\n\r\n" % len(content) + content

    def connection_made(self, transport):
        self.transport, self.received = transport, b""

    def data_received(self, data):
        self.received += data
        head, end, rest = self.received.partition(b"\r\n\r\n")
        if not end or len(rest) < int(re.search(rb"(?i)content-length: *(\d+)", head)[1]):
            return
        self.received = b""
        LeanServer.open += 1
        LeanServer.most = max(LeanServer.most, LeanServer.open)
        asyncio.get_running_loop().call_later(self.delay, self.answer)

    def answer(self):
        LeanServer.open -= 1
        self.transport.write(self.reply)


def serve(delay, pipe):
    """The lean server in a process of its own, until the pipe says that it is over."""

    async def run():
        LeanServer.delay, began = delay, time.process_time()
        loop = asyncio.get_running_loop()
        server = await loop.create_server(LeanServer, "127.0.0.1", 0, backlog=2048)
        pipe.send(server.sockets[0].getsockname()[1])
        await loop.run_in_executor(None, pipe.recv)
        pipe.send((LeanServer.most, time.process_time() - began))

    asyncio.run(run())


class RawClient(asyncio.Protocol):
    """A connection of a client that does nothing but write one request and count a reply's bytes."""

    def __init__(self, request, left, done):
        self.request, self.left, self.done, self.received = request, left, done, 0

    def connection_made(self, transport):
        self.transport = transport
        self.go_on()

    def go_on(self):
        if next(self.left, None) is not None:
            self.transport.write(self.request)
        else:
            self.transport.close()
            self.done()

    def data_received(self, data):
        self.received += len(data)
        if self.received == len(LeanServer.reply):
            self.received = 0
            self.go_on()


async def raw(port, in_flight, count):
    """Seconds that the raw client takes, which is what the server can do."""
    loop, over, content = asyncio.get_running_loop(), asyncio.Event(), b"x" * 2_700
    request = b"POST / HTTP/1.1\r\nHost: h\r\nContent-Length: %d\r\n\r\n" % len(content) + content
    left, running = iter(range(count)), in_flight

    def done():
        nonlocal running
        running -= 1
        if not running:
            over.set()

    began = time.perf_counter()
    await asyncio.gather(
        *(loop.create_connection(lambda: RawClient(request, left, done), "127.0.0.1", port) for _ in range(in_flight))
    )
    await over.wait()
    return time.perf_counter() - began


def waiting():
    """Seconds that this process's threads were ready to run and had no core, where the system counts them."""
    return sum(int(file.read_text().split()[1]) for file in Path("/proc/self/task").glob("*/schedstat")) / 1e9


def throughput(in_flight, delay, count):
    """Replies a second against the ideal and against a raw client, after a round that opens the connections."""
    here, there = multiprocessing.Pipe()
    process = multiprocessing.get_context("spawn").Process(target=serve, args=(delay, there))
    process.start()
    port = here.recv()
    model = OpenAIModel(name="m", base_url=f"http://127.0.0.1:{port}/v1")
    asked = requests(count + in_flight)
    bare = count / asyncio.run(raw(port, in_flight, count))
    with Session(max_in_flight=in_flight) as session:
        ask(model, asked[:in_flight], in_flight)
        cpu, waited = time.process_time(), waiting()
        rate = count / ask(model, asked[in_flight:], in_flight)
        cpu, waited = time.process_time() - cpu, waiting() - waited
        used = session.usage["m"]
    here.send("over")
    most, server_cpu = here.recv()
    process.join()
    ideal, calls = in_flight / delay, 2 * count + in_flight
    print(
        f"{in_flight:4} in flight: {rate:5.0f} replies a second, {rate / ideal:5.1%} of ideal and "
        f"{rate / bare:6.1%} of the raw client's {bare:5.0f}; CPU {cpu / count * 1e3:.2f} ms a call, "
        f"server {server_cpu / calls * 1e3:.2f}; {waited / count * rate:4.0%} of the time spent waiting for a core; "
        f"{used.retries} retries, at most {most} at once at the server",
        flush=True,
    )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--calls", type=int, default=20_000)
    parser.add_argument("--in-flight", type=int, nargs="*", default=[16, 64, 256])
    parser.add_argument("--delay", type=float, default=0.2)
    parser.add_argument("--requests", type=int, default=2_000)
    parser.add_argument("--repeat", type=int, default=1)
    args = parser.parse_args()
    if args.calls:
        with tempfile.TemporaryDirectory(prefix="model-calls-") as folder:
            overhead(args.calls, Path(folder))
    for in_flight in args.in_flight * args.repeat:
        throughput(in_flight, args.delay, args.requests)


if __name__ == "__main__":
    main()
