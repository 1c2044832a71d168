"""Measures fetchedresults.web with uvicorn, many clients and another process that commits: `make
bench-web`.

FR_ROWS, FR_CLIENTS, FR_RESUMES and FR_SECONDS change how much there is of each. A latency is the
time from before a commit to the receipt of its message by a client; both read the same clock. The
server is idle for 90 seconds, in which each client gets two heartbeats.

At the end 100 pages that follow their windows are compared with 100 pages that select them again
every second, as cheaply as possible: by a range of rowids. `python Benchmarks/web.py compare` does
that alone.
"""

from __future__ import annotations

import asyncio
import json
import os
import random
import socket
import sqlite3
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

from fetchedresults import Request
from fetchedresults.web import Limits, ListRoute, LiveLists

ROWS = int(os.environ.get("FR_ROWS", 1_000_000))
CLIENTS = int(os.environ.get("FR_CLIENTS", 1000))
RESUMES = int(os.environ.get("FR_RESUMES", 5000))
SECONDS = float(os.environ.get("FR_SECONDS", 10))
IDLE = 90
RATE = 50
PAGES = 100


def serve(path: str, port: str) -> None:
    """The server's process."""
    from fetchedresults.web._server import Server as WebServer

    route = ListRoute("items", Request("items", sort="place"), ["title", "written"])
    application = LiveLists(path, [route], limits=Limits(kept=600))
    listener = socket.create_server(("127.0.0.1", int(port)), backlog=4096)
    WebServer(application, application.close).run([listener])


def select(path: str, port: str) -> None:
    """The process of a server whose pages select their rows again."""
    import uvicorn

    connection = sqlite3.connect(path)

    async def application(scope: Any, receive: Any, send: Any) -> None:
        sql = "SELECT id, title, written FROM items WHERE id >= ? ORDER BY id LIMIT 50"
        rows = connection.execute(sql, [int(scope["path"].strip("/"))]).fetchall()
        body = json.dumps([{"id": row[0], "title": row[1], "written": row[2]} for row in rows]).encode()
        headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    listener = socket.create_server(("127.0.0.1", int(port)), backlog=4096)
    config = uvicorn.Config(application, interface="asgi3", lifespan="off", log_level="warning")
    uvicorn.Server(config).run([listener])


def write(path: str, step: str, rate: str) -> None:
    """The writer's process: each commit changes one row, of every `step`th row."""
    writer = sqlite3.connect(path, isolation_level=None, timeout=30)
    writer.execute("PRAGMA synchronous = normal")
    random_ = random.Random(1)
    begin = time.monotonic()
    for number in range(int(SECONDS * float(rate))):
        time.sleep(max(0.0, begin + number / float(rate) - time.monotonic()))
        row = random_.randrange(ROWS // int(step)) * int(step) + 3
        writer.execute("UPDATE items SET written = ? WHERE id = ?", [time.monotonic_ns() // 1000, row])


class Client(asyncio.Protocol):
    """One stream. It notes when a message about a row arrives."""

    latencies: list[float] = []
    size = 0
    errors = 0

    def __init__(self, place: str, last_id: str = "") -> None:
        self.request = f"GET /items?at={place}&after=49 HTTP/1.1\r\nHost: localhost\r\nAccept: text/event-stream\r\n"
        self.request += f"Last-Event-ID: {last_id}\r\n\r\n" if last_id else "\r\n"
        self.has_begun: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self.id = ""
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = transport
        transport.write(self.request.encode())

    def data_received(self, data: bytes) -> None:
        now = time.monotonic_ns() // 1000
        Client.size += len(data)
        if not self.has_begun.done():
            self.received += data
            if not self.received.startswith(b"HTTP/1.1 200"[: len(self.received)]):
                Client.errors += 1
            if self.received.endswith(b"\n\n\r\n") and b"\r\n\r\n" in self.received:
                body = self.received.partition(b"\r\n\r\n")[2]
                if b"id: " in body:
                    self.id = body.partition(b"id: ")[2].partition(b"\n")[0].decode()
                self.has_begun.set_result(None)
                self.received = b""
        elif b'"written":' in data:
            written = int(data.rpartition(b'"written":')[2].partition(b"}")[0])
            Client.latencies.append((now - written) / 1000)

    def connection_lost(self, error: Exception | None) -> None:
        if not self.has_begun.done():
            Client.errors += 1
            self.has_begun.set_result(None)


async def select_again(port: int, place: int) -> None:
    """A page that selects its window every second."""
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    seen = 0
    await asyncio.sleep(random.random())
    while True:
        begin = time.monotonic()
        writer.write(f"GET /{place} HTTP/1.1\r\nHost: localhost\r\n\r\n".encode())
        head = await reader.readuntil(b"\r\n\r\n")
        body = await reader.readexactly(int(head.lower().partition(b"content-length: ")[2].split()[0]))
        now = time.monotonic_ns() // 1000
        Client.size += len(head) + len(body)
        written = [row["written"] for row in json.loads(body)]
        Client.latencies += [(now - each) / 1000 for each in written if each > seen]
        seen = max(written)
        await asyncio.sleep(begin + 1 - time.monotonic())


def shown(name: str, value: str) -> None:
    print(f"{name:<60} {value:>16}", flush=True)


def percentile(values: list[float], part: float) -> float:
    return sorted(values)[int(part * (len(values) - 1))]


class Server:
    """The server, and what it uses."""

    def __init__(self, path: str, kind: str = "serve") -> None:
        self.kind = kind
        with socket.create_server(("127.0.0.1", 0)) as free:
            self.port = free.getsockname()[1]
        self.path = path
        self.start()

    def start(self) -> None:
        self.process = subprocess.Popen([sys.executable, __file__, self.kind, self.path, str(self.port)])

    def stop(self) -> None:
        self.process.terminate()
        self.process.wait()

    @property
    def memory(self) -> int:
        """The resident memory in kB."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        return int(status.partition("VmRSS:")[2].split()[0])

    @property
    def seconds(self) -> float:
        """The processor time, which the kernel measures in nanoseconds."""
        threads = Path(f"/proc/{self.process.pid}/task").glob("*/schedstat")
        return sum(int(each.read_text().split()[0]) for each in threads) / 1e9

    async def connect(self, place: str, last_id: str = "") -> Client:
        """A client that has its window."""
        while True:
            try:
                loop = asyncio.get_running_loop()
                _, client = await loop.create_connection(lambda: Client(place, last_id), "127.0.0.1", self.port)
                break
            except ConnectionRefusedError:
                await asyncio.sleep(0.02)
        await client.has_begun
        return client


async def latencies(server: Server, name: str, step: int, rate: float) -> None:
    Client.latencies.clear()
    Client.size = 0
    writer = await asyncio.create_subprocess_exec(sys.executable, __file__, "write", server.path, str(step), str(rate))
    before = server.seconds
    begin = time.monotonic()
    await writer.wait()
    seconds = time.monotonic() - begin
    used = (server.seconds - before) / seconds
    await asyncio.sleep(0.5)
    found = Client.latencies
    shown(f"{name}: messages", str(len(found)))
    for part in (0.5, 0.99):
        shown(f"{name}: commit to message, p{part * 100:g}", f"{percentile(found, part):.2f} ms")
    shown(f"{name}: the server's processor time", f"{used * 100:.1f} % of a core")
    shown(f"{name}: received by all clients", f"{Client.size / seconds / 1000:.1f} kB/s")


async def measure(path: str) -> None:
    server = Server(path)
    begin = time.monotonic()
    first = await server.connect("start")
    shown(f"from the start of the server to the first window of {ROWS:,} rows", f"{time.monotonic() - begin:.2f} s")
    memory = server.memory
    step = ROWS // CLIENTS
    clients = [first]
    begin = time.monotonic()
    for number in range(CLIENTS):
        clients.append(await server.connect(f"index:{number * step}"))
    shown(f"{CLIENTS:,} clients, one after another", f"{time.monotonic() - begin:.2f} s")
    shown("memory for each client with a window of its own", f"{(server.memory - memory) / CLIENTS:.0f} kB")
    await latencies(server, f"{CLIENTS:,} windows, {RATE} commits/s", step, RATE)
    before = server.seconds
    await asyncio.sleep(IDLE)
    shown("idle", f"{(server.seconds - before) / IDLE * 100:.3f} % of a core")
    for client in clients:
        client.transport.abort()

    clients = await asyncio.gather(*(server.connect("start") for _ in range(CLIENTS)))
    await latencies(server, f"{CLIENTS:,} clients of one window, 1 commit/s", ROWS, 1)
    for client in clients:
        client.transport.abort()

    step = ROWS // RESUMES
    states = [await server.connect(f"index:{number * step}") for number in range(RESUMES)]
    server.stop()
    server.start()
    Client.errors = 0
    begin = time.monotonic()
    await asyncio.gather(*(server.connect(f"index:{number * step}", client.id) for number, client in enumerate(states)))
    shown(f"{RESUMES:,} resumes after a restart", f"{time.monotonic() - begin:.2f} s")
    shown("the server's processor time since its start", f"{server.seconds:.2f} s")
    shown("errors", str(Client.errors))
    server.stop()


async def compare(path: str) -> None:
    step = ROWS // PAGES
    server = Server(path)
    clients = [await server.connect(f"index:{number * step}") for number in range(PAGES)]
    for rate in (RATE, 1):
        await latencies(server, f"{PAGES} pages that follow {rate} commits/s", step, rate)
    for client in clients:
        client.transport.abort()
    server.stop()

    server = Server(path, "select")
    await asyncio.sleep(1)
    pages = [asyncio.create_task(select_again(server.port, number * step + 1)) for number in range(PAGES)]
    await asyncio.sleep(2)
    for rate in (RATE, 1):
        await latencies(server, f"{PAGES} pages that select, {rate} commits/s", step, rate)
    for page in pages:
        page.cancel()
    await asyncio.gather(*pages, return_exceptions=True)
    server.stop()


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = str(Path(folder, "items.db"))
        writer = sqlite3.connect(path)
        writer.execute("PRAGMA journal_mode = wal")
        writer.execute("CREATE TABLE items (id INTEGER PRIMARY KEY, place INT, title TEXT, written INT)")
        writer.execute(
            "WITH n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < ?) "
            "INSERT INTO items SELECT i, i, 'item number ' || i, 0 FROM n",
            [ROWS],
        )
        writer.commit()
        writer.close()
        if sys.argv[1:] != ["compare"]:
            asyncio.run(measure(path))
        asyncio.run(compare(path))


if __name__ == "__main__":
    if len(sys.argv) > 2:
        {"serve": serve, "select": select, "write": write}[sys.argv[1]](*sys.argv[2:])
    else:
        main()
