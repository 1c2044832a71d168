// Live lists of a LiveLists application, for pages and programs with elements of their own.

const SILENCE = 70_000; // the server sends a comment every 40 to 55 seconds
const [SHORTEST_WAIT, LONGEST_WAIT] = [100, 15_000];

/** The sections, each {section, rows}, after change records (docs/changes.md); the given ones stay as they are.
 *  make: makes what stands for a row, from its record and from what stood for the row before. */
export function replay(sections, changes, make = (change) => change.row) {
  const lists = sections.map(({ section, rows }) => ({ section, rows: [...rows] }));
  const of = (kind, ...types) => changes.filter((each) => each.kind === kind && types.includes(each.type));
  const up = (name) => (a, b) => a[name][0] - b[name][0] || a[name][1] - b[name][1];
  const down = (name) => (a, b) => up(name)(b, a);
  const taken = new Map();
  for (const each of of("object", "delete", "move").sort(down("old")))
    taken.set(each, lists[each.old[0]].rows.splice(each.old[1], 1)[0]);
  for (const each of of("section", "delete", "move").sort(down("old")))
    taken.set(each, lists.splice(each.old[0], 1)[0]);
  for (const each of of("section", "insert", "move").sort(up("new")))
    lists.splice(each.new[0], 0, { section: each.section, rows: taken.get(each)?.rows ?? [] });
  for (const each of of("object", "insert", "move").sort(up("new")))
    lists[each.new[0]].rows.splice(each.new[1], 0, make(each, taken.get(each)));
  for (const each of of("section", "update")) lists[each.new[0]].section = each.section;
  for (const each of of("object", "update")) {
    const { rows } = lists[each.new[0]];
    rows[each.new[1]] = make(each, rows[each.new[1]]);
  }
  return lists;
}

/** Follows a window of a list: calls apply(sections, {position, count, changes}) now and after each change; changes
 *  is null if all rows are new. After a lost connection it continues with what has changed meanwhile.
 *  options: at, before, after; status(state, reason), called with "live", "lost", "stale" (the server can't read the
 *  list at the moment) or "refused" (it ends); headers; fetch. Returns {move(options), close()}. */
export function follow(url, apply, { status = () => {}, fetch = globalThis.fetch, headers = {}, ...place } = {}) {
  let shown = { sections: [], position: 0, count: 0 };
  let [id, controller, timer, failures] = [null, null, null, 0];

  const address = () => {
    const target = new URL(url, globalThis.document?.baseURI ?? globalThis.location?.href);
    const { at = "start", before = 0, after = 50 } = place;
    // The row may be gone when the connection is lost.
    const places = id !== null && at.startsWith("identity:") ? [at, `index:${shown.position + before}`] : [at];
    places.forEach((each) => target.searchParams.append("at", each));
    target.searchParams.set("before", before);
    target.searchParams.set("after", after);
    return target;
  };
  const receive = (event) => {
    const lines = event.split("\n").filter((line) => line.includes(": "));
    const fields = Object.fromEntries(lines.map((line) => line.split(/: (.*)/s, 2)));
    if (fields.data === undefined) return;
    const data = JSON.parse(fields.data);
    if (fields.event === "failed") return "stale";
    const { position, count, changes = null } = data;
    id = null; // without it the server sends all rows, should these records not fit
    shown = { sections: changes === null ? data.sections : replay(shown.sections, changes), position, count };
    id = fields.id;
    try {
      apply(shown.sections, { position, count, changes });
    } catch (error) {
      queueMicrotask(() => { throw error; }); // reported as any error of the program
    }
  };
  const read = async (mine, response) => {
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (let waiting = ""; ; ) {
      const silence = setTimeout(() => mine.abort(), SILENCE);
      const { done, value } = await reader.read().finally(() => clearTimeout(silence));
      if (done || mine !== controller) return;
      const events = (waiting + value).split("\n\n");
      waiting = events.pop();
      failures = 0;
      for (const event of events) status(receive(event) ?? "live");
    }
  };
  const connect = async () => {
    const mine = (controller = new AbortController());
    let wait = SHORTEST_WAIT; // after the end of a stream
    try {
      const all = { ...headers, Accept: "text/event-stream", ...(id !== null && { "Last-Event-ID": id }) };
      const response = await fetch(address(), { headers: all, signal: mine.signal, cache: "no-store" });
      if (response.status >= 400 && response.status < 500 && response.status !== 429) {
        const reason = await response.json().then((body) => body.error, () => response.statusText);
        if (mine === controller) status("refused", reason);
        return;
      }
      if (!response.ok) throw new Error(response.statusText);
      await read(mine, response);
    } catch (error) {
      if (mine !== controller) return;
      wait = Math.min(LONGEST_WAIT, 250 * 2 ** failures++) * (0.5 + Math.random() / 2);
      status("lost", error.message);
    }
    if (mine === controller) timer = setTimeout(connect, wait);
  };
  const stop = () => {
    const old = controller;
    controller = null;
    clearTimeout(timer);
    old?.abort();
  };
  const move = (options) => {
    Object.assign(place, options);
    stop();
    connect();
  };
  const hurry = () => failures > 0 && move({});
  globalThis.addEventListener?.("online", hurry);
  connect();
  return { move, close: () => (globalThis.removeEventListener?.("online", hurry), stop()) };
}
