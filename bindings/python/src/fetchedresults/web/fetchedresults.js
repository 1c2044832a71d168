// Live lists of a LiveLists application (docs/web.md): the element <fr-list>, and for pages with
// elements of their own the functions follow and replay.

const SILENCE = 70_000; // the server sends a comment every 40 to 55 seconds
const HIGHEST = 8_000_000; // browsers limit the height of an element

/** The sections, each {section, rows}, after change records (docs/changes.md), as new arrays. */
export function replay(sections, changes) {
  const lists = sections.map(({ section, rows }) => ({ section, rows: [...rows] }));
  const moved = new Map();
  const sorted = (side, ...types) => changes.filter(({ type }) => types.includes(type))
    .sort(({ [side]: a }, { [side]: b }) => a[0] - b[0] || a[1] - b[1]);
  // A section has row -1, so it leaves after its rows, and arrives before them.
  for (const each of sorted("old", "delete", "move").reverse()) {
    const [section, row] = each.old;
    if (each.kind === "object") lists[section].rows.splice(row, 1);
    else moved.set(each, lists.splice(section, 1)[0].rows);
  }
  for (const each of sorted("new", "insert", "move", "update")) {
    const [section, row] = each.new;
    const replaced = each.type === "update" ? 1 : 0;
    const rows = replaced ? lists[section].rows : (moved.get(each) ?? []);
    if (each.kind === "object") lists[section].rows.splice(row, replaced, each.row);
    else lists.splice(section, replaced, { section: each.section, rows });
  }
  return lists;
}

/** Follows a window of a list: calls apply(sections, {position, count, changes}) now and after each
 *  change. changes is null if all rows are new; a row that has not changed is the same object.
 *  options: at, before, after, headers, fetch, and status(state, reason), called with "live",
 *  "lost" (it connects again, and continues), "stale" (the server can't read the list) or "refused"
 *  (it ends). Returns {move(options), close()}. */
export function follow(url, apply, options = {}) {
  const { status = () => {}, fetch = globalThis.fetch, headers = {}, ...place } = options;
  let [sections, position, id, controller, timer, failures] = [[], null, null, null, null, 0];

  function receive(event) {
    const fields = Object.fromEntries(event.split("\n").map((line) => line.split(/: (.*)/s, 2)));
    if (fields.event === "failed") return status("stale");
    if (fields.data) {
      const { changes = null, count, ...window } = JSON.parse(fields.data);
      id = null; // without it the server sends all rows, should these records not fit
      sections = window.sections ?? replay(sections, changes);
      [position, id] = [window.position, fields.id];
      try { apply(sections, { position, count, changes }); }
      catch (error) { queueMicrotask(() => { throw error; }); } // reported as others of the program
    }
    status("live");
  }
  async function connect() {
    close();
    const mine = (controller = new AbortController());
    globalThis.addEventListener?.("online", () => failures && connect(), { signal: mine.signal });
    const { at = "start", before = 0, after = 50 } = place;
    const query = new URLSearchParams({ at, before, after });
    // The row may be gone when the connection is lost.
    if (position !== null) query.append("at", `index:${position + before}`);
    const address = `${url}${String(url).includes("?") ? "&" : "?"}${query}`;
    const sent = { ...headers, Accept: "text/event-stream", ...(id && { "Last-Event-ID": id }) };
    let wait = 100; // after the end of a stream
    try {
      const options = { headers: sent, signal: mine.signal, cache: "no-store" };
      const response = await fetch(address, options);
      if (response.status >= 400 && response.status < 500 && response.status !== 429) {
        const { error } = await response.json().catch(() => ({ error: response.statusText }));
        return mine === controller && status("refused", error);
      }
      if (!response.ok) throw new Error(response.statusText);
      const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
      for (let waiting = ""; ; ) {
        const silence = setTimeout(() => mine.abort(), SILENCE);
        const { done, value } = await reader.read().finally(() => clearTimeout(silence));
        if (done) break;
        const events = (waiting + value).split("\n\n");
        waiting = events.pop();
        failures = 0;
        for (const event of events) if (mine === controller) receive(event);
      }
    } catch (error) {
      if (mine !== controller) return;
      wait = Math.min(15_000, 250 * 2 ** failures++) * (0.5 + Math.random() / 2);
      status("lost", error.message);
    }
    if (mine === controller) timer = setTimeout(connect, wait);
  }
  function close() {
    clearTimeout(timer);
    controller?.abort();
    controller = null;
  }
  connect();
  return { close, move: (changed) => void connect(Object.assign(place, changed)) };
}

const textOf = (value) => (value instanceof Object ? Object.values(value)[0] : value);
const boundsOf = (element) => element.getBoundingClientRect();
const make = (className, properties) =>
  Object.assign(document.createElement("div"), { className, ...properties });
let made = 0;

/** Makes these the children of an element. Children that stay are not touched. */
function place(parent, children) {
  for (const each of [...parent.children]) if (!children.includes(each)) each.remove();
  children.forEach((each, index) => {
    if (each !== parent.children[index]) parent.insertBefore(each, parent.children[index]);
  });
}

/** <fr-list src="lists/tasks"> with a template of its rows: see docs/web.md. */
export class FrList extends (globalThis.HTMLElement ?? class {}) {
  static observedAttributes = ["src"];
  static texts = { live: "", lost: "Connection lost. Connecting again.", stale: "Not up to date.",
    refused: "Not available: " };

  #view; #following; // what scrolls, and what follow returned
  #rows = []; // elements
  #shown = new WeakMap(); // the row that an element shows, and the element of a section
  #window; // where it is in the list, where it moves to, and the row to show when it is there
  #active; #selection = new Set(); // a row, and the identities of rows as JSON

  connectedCallback() { this.#restart(); }
  disconnectedCallback() { this.#restart(); }
  attributeChangedCallback() { if (this.#view) this.#restart(); }

  /** The identities of the selected rows; a row may have left the list since. */
  get selected() { return [...this.#selection].map((each) => JSON.parse(each)); }
  get #page() { return Number(this.getAttribute("page") ?? 100); }
  #send(type, detail) { this.dispatchEvent(new CustomEvent(type, { bubbles: true, detail })); }

  #restart() {
    this.#following?.close();
    this.#following = null;
    if (!this.isConnected || !this.hasAttribute("src")) return;
    if (!this.#view) {
      this.#view = make("fr-view", { role: "listbox", tabIndex: 0,
        ariaLabel: this.getAttribute("label"), ariaMultiSelectable: this.hasAttribute("multiple"),
        onscroll: () => this.#look(), onkeydown: (event) => this.#press(event),
        onclick: ({ target }) => this.#choose(target.closest(".fr-row"), "fr-select"),
        ondblclick: ({ target }) => this.#choose(target.closest(".fr-row"), "fr-choose") });
      // Room for the rows before, the rows, room for the rows after.
      for (let part = 0; part < 3; part++) this.#view.append(make("", { role: "none" }));
      this.append(this.#view, make("fr-status", { role: "status" }));
    }
    this.#view.scrollTop = 0;
    this.#window = { position: 0, count: 0, at: "start", isMoving: false, target: null };
    const [show, status] = [(...all) => this.#show(...all), (...all) => this.#report(...all)];
    this.#following = follow(this.getAttribute("src"), show, { after: this.#page - 1, status });
  }

  #report(state, reason = "") {
    if (state === "live") this.#window.isMoving = false;
    if (this.dataset.state === state) return;
    this.dataset.state = state;
    const text = FrList.texts[state] + (state === "refused" ? reason : "");
    this.querySelector(".fr-status").textContent = text;
    this.#send("fr-status", { state, reason });
  }

  #fill(element, values, kind) {
    const template = this.querySelector(`:scope > template${kind}`);
    if (!element.firstChild && template) element.append(template.content.cloneNode(true));
    for (const each of element.querySelectorAll("[data-text]"))
      each.textContent = textOf(values[each.dataset.text]);
  }

  #row(row, old) {
    const key = JSON.stringify(row.identity);
    const element = old.get(key) ?? make("fr-row", { role: "option", id: `fr-${++made}` });
    if (this.#shown.get(element) === row) return element;
    this.#shown.set(element, row);
    element.dataset.key = key;
    this.#fill(element, row.values, ":not([data-section])");
    this.#send("fr-row", { row, element });
    return element;
  }

  #box(section) {
    const box = make("fr-section", { role: "group", ariaLabel: section.name });
    const header = make("fr-header", { role: "presentation" });
    this.#fill(header, section, "[data-section]");
    if (!header.firstChild) header.textContent = section.name;
    box.append(header);
    return this.#shown.set(section, box).get(section);
  }

  #show(sections, { position, count, changes }) {
    const [view, { target, isMoving }] = [this.#view, this.#window];
    const [before, body, after] = view.children;
    const isAtTop = view.scrollTop === 0 && this.#window.position === 0 && !isMoving;
    const activeIndex = this.#rows.indexOf(this.#active) + this.#window.position - position;
    const tops = new Map(this.#rows.map((each) => [each, boundsOf(each).top]));
    const old = new Map(this.#rows.map((each) => [each.dataset.key, each]));
    const groups = sections.map(({ rows }) => rows.map((row) => this.#row(row, old)));
    place(body, sections.map(({ section }) => this.#shown.get(section) ?? this.#box(section)));
    groups.forEach((each, at) => place(body.children[at], [body.children[at].firstChild, ...each]));
    const rows = (this.#rows = groups.flat());
    Object.assign(this.#window, { position, count });
    if (this.#active && !this.#active.isConnected)
      this.#active = rows[Math.max(0, Math.min(activeIndex, rows.length - 1))];
    this.#mark();
    const height = Math.min(body.offsetHeight / (rows.length || 1), HIGHEST / count);
    before.style.height = `${position * height}px`;
    after.style.height = `${(count - position - rows.length) * height}px`;
    // The first row on the screen that has not moved itself stays in its place.
    const moved = new Set(changes?.filter(({ type }) => type === "move").map(({ row }) => row));
    const anchor = rows.find((each) => !moved.has(this.#shown.get(each))
      && tops.get(each) + each.offsetHeight > boundsOf(view).top);
    if (anchor && !isAtTop) view.scrollTop += boundsOf(anchor).top - tops.get(anchor);
    if (target && count) this.#reveal(target.number, target.isActive);
    const isStill = matchMedia("(prefers-reduced-motion: reduce)").matches;
    for (const each of changes && this.hasAttribute("animate") && !isStill ? rows : []) {
      const by = tops.get(each) - boundsOf(each).top; // NaN for a new row
      if (by) each.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], 200);
    }
    requestAnimationFrame(() => this.#look());
  }

  /** Marks each row with its state and its number. */
  #mark() {
    this.#rows.forEach((each, index) => {
      each.classList.toggle("fr-active", each === this.#active);
      each.ariaSelected = this.#selection.has(each.dataset.key);
      each.ariaPosInSet = this.#window.position + index + 1;
      each.ariaSetSize = this.#window.count;
    });
    this.#view.setAttribute("aria-activedescendant", this.#active?.id ?? "");
  }

  /** Moves the window if rows that it lacks are on the screen, or nearly so. */
  #look() {
    const [rows, view, { position, count, isMoving }] = [this.#rows, this.#view, this.#window];
    if (isMoving || !rows.length || !view.offsetHeight) return;
    const [{ top, bottom }, near] = [boundsOf(view), this.#page / 4];
    const isVisible = (each) => boundsOf(each).bottom > top && boundsOf(each).top < bottom;
    const [first, last] = [rows.findIndex(isVisible), rows.findLastIndex(isVisible)];
    if (first < 0) return this.#reveal((view.scrollTop / view.scrollHeight) * count);
    const isNearEnd = rows.length - last <= near && position + rows.length < count;
    const isNearStart = position + first < near && !isNearEnd;
    if (isNearEnd || first < near)
      this.#move(isNearStart ? "start" : `identity:${rows[(first + last) >> 1].dataset.key}`);
  }

  #move(at) {
    if (at === this.#window.at && !this.#window.target) return; // few rows fit into a page
    Object.assign(this.#window, { at, isMoving: true });
    const before = at === "start" ? 0 : this.#page >> 1;
    this.#following?.move({ at, before, after: this.#page - 1 - before });
  }

  /** Scrolls to the row with a number in the list. */
  #reveal(wanted, isActive = false) {
    const number = Math.max(0, Math.min(this.#window.count - 1, Math.floor(wanted)));
    const element = this.#rows[number - this.#window.position];
    this.#window.target = element ? null : { number, isActive };
    if (!element) return this.#move(`index:${number}`);
    element.scrollIntoView({ block: isActive ? "nearest" : "start" });
    if (isActive) this.#active = element;
    this.#mark();
  }

  #press(event) {
    if (event.target !== this.#view) return; // a field in a row
    const height = this.#view.children[1].offsetHeight / this.#rows.length;
    const page = Math.max(1, Math.floor(this.#view.clientHeight / height) - 1);
    const rows = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page,
      Home: -Infinity, End: Infinity }[event.key];
    const sent = { " ": "fr-select", Enter: "fr-choose" }[event.key];
    const number = this.#window.position + this.#rows.indexOf(this.#active);
    if (sent) this.#choose(this.#active, sent);
    else if (rows) this.#reveal(number + rows, true);
    if (sent || rows) event.preventDefault();
  }

  #choose(element, type) {
    if (!element) return;
    const { key } = element.dataset;
    if (type === "fr-select") {
      const change = this.#selection.has(key) ? "delete" : "add";
      if (!this.hasAttribute("multiple")) this.#selection.clear();
      this.#selection[change](key);
    }
    this.#active = element;
    this.#mark();
    this.#send(type, { identity: JSON.parse(key), element, selected: this.selected });
  }
}

if (globalThis.customElements) {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(`@layer fr-list {
    fr-list { display: grid; grid-template-rows: minmax(0, 1fr) auto; }
    .fr-view { overflow: auto; overflow-anchor: none; scroll-padding-top: 2em; }
    .fr-header { position: sticky; top: 0; background: Canvas; font-weight: bold; }
    .fr-row[aria-selected="true"] { background: Highlight; color: HighlightText; }
    .fr-view:focus-visible .fr-active { outline: 2px solid; outline-offset: -2px; }
  }`);
  document.adoptedStyleSheets.push(sheet);
  customElements.define("fr-list", FrList);
}
