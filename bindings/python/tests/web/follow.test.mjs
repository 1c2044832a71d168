// What fetchedresults.js does with records and connections: node --test follow.test.mjs
// CASES names a file of [old sections, records, new sections], which lists have delivered.

import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test, { mock } from "node:test";

import { follow, replay } from "../../src/fetchedresults/web/fetchedresults.js";

const sections = (...lists) => lists.map((rows, index) => ({ section: { name: `s${index}` }, rows }));
const rowsOf = (lists) => lists.map(({ rows }) => rows);
const text = new TextEncoder();

/** A server whose responses the test writes. */
class Server {
  requests = [];
  #waiting = [];

  fetch = (url, options) =>
    new Promise((resolve, reject) => {
      const request = { url: new URL(url), headers: options.headers, isOpen: true };
      options.signal.addEventListener("abort", () => {
        request.isOpen = false;
        reject(new Error("aborted"));
        try { request.stream?.error(new Error("aborted")); } catch { /* it has ended */ }
      });
      request.respond = (status = 200, body = null) => {
        const stream = new ReadableStream({ start: (controller) => (request.stream = controller) });
        resolve(new Response(body ?? stream, { status }));
      };
      request.send = async (...parts) => {
        for (const part of parts) {
          request.stream.enqueue(text.encode(part));
          await settle();
        }
      };
      this.requests.push(request);
      this.#waiting.shift()?.(request);
    });

  /** The next request, when there is one. */
  next() {
    const { length } = this.requests;
    return new Promise((resolve) => this.#waiting.push(resolve)).then((request) => {
      assert.equal(this.requests.length, length + 1);
      return request;
    });
  }
}

const settle = () => new Promise((resolve) => setImmediate(() => setImmediate(resolve)));

function event(name, id, data) {
  return `id: ${id}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;
}

const first = event("window", "one", { position: 3, count: 9, sections: sections(["a", "b"]) });
const second = event("changes", "two", {
  position: 3, count: 8, changes: [{ kind: "object", type: "delete", old: [0, 0] }],
});

function start(options = {}) {
  const server = new Server();
  const [shown, states] = [[], []];
  const status = (state, reason) => state !== states.at(-1)?.[0] && states.push([state, reason]);
  const coming = server.next();
  const following = follow("http://host/tasks?order=title", (...each) => shown.push(each), {
    fetch: server.fetch, status, ...options,
  });
  return { server, shown, states, following, coming };
}

test("a move can have equal paths", () => {
  const old = sections(["a", "b", "c"]);
  const changes = [
    { kind: "object", type: "move", old: [0, 1], new: [0, 1], row: "B" },
    { kind: "object", type: "move", old: [0, 0], new: [0, 2], row: "a" },
  ];
  assert.deepEqual(rowsOf(replay(old, changes)), [["c", "B", "a"]]);
  assert.deepEqual(rowsOf(old), [["a", "b", "c"]]);
});

test("a row stays while its section is replaced", () => {
  const changes = [
    { kind: "section", type: "delete", old: [1, -1] },
    { kind: "section", type: "insert", new: [0, -1], section: { name: "new" } },
    { kind: "object", type: "move", old: [1, 0], new: [0, 0], row: "d" },
  ];
  const made = replay(sections(["a"], ["d"]), changes);
  assert.deepEqual(made.map(({ section, rows }) => [section.name, rows]), [["new", ["d"]], ["s0", ["a"]]]);
});

test("a section moves with its rows, and another one is updated", () => {
  const changes = [
    { kind: "section", type: "move", old: [0, -1], new: [1, -1], section: { name: "s0" } },
    { kind: "section", type: "update", old: [1, -1], new: [0, -1], section: { name: "renamed" } },
    { kind: "object", type: "update", old: [1, 0], new: [0, 0], row: "D" },
  ];
  const made = replay(sections(["a", "b"], ["d"]), changes);
  assert.deepEqual(made.map(({ section, rows }) => [section.name, rows]), [["renamed", ["D"]], ["s0", ["a", "b"]]]);
});

test("records of lists lead to what the lists show", { skip: !process.env.CASES }, () => {
  const cases = JSON.parse(readFileSync(process.env.CASES, "utf8"));
  assert.ok(cases.length > 20);
  for (const [old, changes, expected] of cases) assert.deepEqual(replay(old, changes), expected);
});

test("messages arrive in pieces, and comments are none", async () => {
  const { shown, states, coming, following } = start({ at: "end", before: 7, after: 0 });
  const request = await coming;
  assert.equal(request.url.search, "?order=title&at=end&before=7&after=0");
  assert.deepEqual(request.headers, { Accept: "text/event-stream" });
  request.respond();
  await request.send(":\n\n", first.slice(0, 20), first.slice(20) + second.slice(0, -1), "\n", ":\n\n");
  assert.deepEqual(shown.map(([lists, { position, count }]) => [rowsOf(lists), position, count]), [
    [[["a", "b"]], 3, 9],
    [[["b"]], 3, 8],
  ]);
  assert.equal(shown[0][1].changes, null);
  assert.equal(shown[1][1].changes.length, 1);
  assert.deepEqual(states, [["live", undefined]]);
  following.close();
  assert.equal(request.isOpen, false);
});

test("letters that two pieces share are whole", async () => {
  const { shown, coming, following } = start();
  const request = await coming;
  request.respond();
  const bytes = text.encode(event("window", "one", { position: 0, count: 1, sections: sections(["é"]) }));
  const middle = bytes.indexOf(0xc3) + 1;
  request.stream.enqueue(bytes.slice(0, middle));
  await settle();
  request.stream.enqueue(bytes.slice(middle));
  await settle();
  assert.deepEqual(rowsOf(shown[0][0]), [["é"]]);
  following.close();
});

test("a lost connection resumes with the last id, and at the place of its row", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { server, shown, states, coming, following } = start({ at: "identity:7", before: 2 });
  const request = await coming;
  request.respond();
  await request.send(first);
  request.stream.error(new Error("broken"));
  await settle();
  assert.deepEqual(states.map(([state]) => state), ["live", "lost"]);
  const again = server.next();
  t.mock.timers.tick(250);
  const resumed = await again;
  assert.equal(resumed.headers["Last-Event-ID"], "one");
  assert.deepEqual(resumed.url.searchParams.getAll("at"), ["identity:7", "index:5"]);
  resumed.respond();
  await resumed.send(second);
  assert.deepEqual(rowsOf(shown[1][0]), [["b"]]);
  assert.equal(states.at(-1)[0], "live");
  following.close();
});

test("a stream that the server ends is opened again soon", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { server, states, coming, following } = start();
  const request = await coming;
  request.respond();
  await request.send(first);
  const again = server.next();
  request.stream.close();
  await settle();
  t.mock.timers.tick(100);
  assert.equal((await again).headers["Last-Event-ID"], "one");
  assert.deepEqual(states.map(([state]) => state), ["live"]);
  following.close();
});

test("failures are tried again more and more slowly", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  t.mock.method(Math, "random", () => 1);
  const { server, states, coming, following } = start();
  let request = await coming;
  for (const wait of [250, 500, 1000, 2000, 4000, 8000, 15000, 15000]) {
    request.respond(503, "busy");
    await settle();
    const again = server.next();
    const { length } = server.requests;
    t.mock.timers.tick(wait - 1);
    assert.equal(server.requests.length, length);
    t.mock.timers.tick(1);
    request = await again;
  }
  assert.deepEqual(states.map(([state]) => state), ["lost"]);
  following.close();
});

test("a silent connection is lost", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { states, coming, following } = start();
  const request = await coming;
  request.respond();
  await request.send(first);
  t.mock.timers.tick(70_000);
  await settle();
  assert.equal(request.isOpen, false);
  assert.equal(states.at(-1)[0], "lost");
  following.close();
});

test("a refusal ends it, with the reason", async () => {
  const { server, states, coming } = start();
  (await coming).respond(400, JSON.stringify({ error: "order must be one of: title" }));
  await settle();
  await settle();
  assert.deepEqual(states, [["refused", "order must be one of: title"]]);
  assert.equal(server.requests.length, 1);
});

test("a window moves by another request, which continues with the id", async () => {
  const { server, shown, coming, following } = start();
  const request = await coming;
  request.respond();
  await request.send(first);
  const next = server.next();
  following.move({ at: "index:5", before: 1, after: 1 });
  const moved = await next;
  assert.equal(request.isOpen, false);
  assert.equal(moved.url.search, "?order=title&at=index%3A5&before=1&after=1&at=index%3A4");
  assert.equal(moved.headers["Last-Event-ID"], "one");
  moved.respond();
  await moved.send(second);
  assert.deepEqual(rowsOf(shown[1][0]), [["b"]]);
  following.close();
});

test("a server that can't read the list is stale, not lost", async () => {
  const { shown, states, coming, following } = start();
  const request = await coming;
  request.respond();
  await request.send(first, event("failed", "one", { reason: "no" }));
  assert.deepEqual(states.map(([state]) => state), ["live", "stale"]);
  await request.send(second);
  assert.equal(states.at(-1)[0], "live");
  assert.equal(shown.length, 2);
  following.close();
});

test("records that do not fit are replaced by all rows", async (t) => {
  t.mock.timers.enable({ apis: ["setTimeout"] });
  const { server, coming, following } = start();
  const request = await coming;
  request.respond();
  await request.send(first);
  const again = server.next();
  await request.send(event("changes", "x", { position: 0, count: 0, changes: [{ kind: "object", type: "delete", old: [7, 0] }] }));
  t.mock.timers.tick(250);
  assert.equal("Last-Event-ID" in (await again).headers, false);
  following.close();
});

test("an error of the program is reported and does not end it", async () => {
  const errors = [];
  const listeners = process.listeners("uncaughtException");
  process.removeAllListeners("uncaughtException");
  process.once("uncaughtException", (error) => errors.push(error.message));
  const server = new Server();
  const coming = server.next();
  let calls = 0;
  const following = follow("http://host/tasks", () => { if (!calls++) throw new Error("mine"); }, { fetch: server.fetch });
  const request = await coming;
  request.respond();
  await request.send(first, second);
  listeners.forEach((each) => process.on("uncaughtException", each));
  assert.deepEqual([errors, calls], [["mine"], 2]);
  following.close();
});

mock.reset();
