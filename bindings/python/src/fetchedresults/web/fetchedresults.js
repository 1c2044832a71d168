// Live lists of a LiveLists application: the element <fr-list>, and the function follow.

import { follow, replay } from "./follow.js";

export { follow, replay };

const STYLE = `@layer fr-list {
  fr-list { display: grid; grid-template-rows: minmax(0, 1fr) auto; }
  .fr-view { overflow: auto; overflow-anchor: none; scroll-padding-top: 2em; }
  .fr-header { position: sticky; top: 0; background: Canvas; font-weight: bold; }
  .fr-row[aria-selected="true"] { background: Highlight; color: HighlightText; }
  .fr-view:focus-visible .fr-active { outline: 2px solid; outline-offset: -2px; }
  .fr-status:empty { display: none; }
}`;
const SPACER = 4_000_000; // browsers limit the height of an element
const textOf = (value) => (value !== null && typeof value === "object" ? Object.values(value)[0] : (value ?? ""));
const topOf = (element) => element.getBoundingClientRect().top;
let elements = 0;

function make(className, attributes, ...children) {
  const made = Object.assign(document.createElement("div"), { className });
  Object.entries(attributes).forEach((each) => made.setAttribute(...each));
  made.append(...children);
  return made;
}

/** Makes these the children of an element. Children that stay are not touched. */
function place(parent, children) {
  const wanted = new Set(children);
  [...parent.children].forEach((each) => wanted.has(each) || each.remove());
  let next = parent.firstElementChild;
  for (const child of children) {
    if (child === next) next = next.nextElementSibling;
    else parent.insertBefore(child, next);
  }
}

/** <fr-list src="lists/tasks?order=title"><template><b data-text="title"></b></template></fr-list>
 *  docs/web.md describes its attributes, its events, and what it makes of the template. */
export class FrList extends (globalThis.HTMLElement ?? class {}) {
  static observedAttributes = ["src"];
  static texts = { lost: "Connection lost. Connecting again.", stale: "Not up to date.", refused: "Not available: " };

  #groups = []; // as sections, with elements in place of rows
  #boxes = new WeakMap(); // the element of each section
  #where = { position: 0, count: 0 };
  #selection = new Set();
  #active = null;
  #then = null; // the row to show when the window has moved there
  #isMoving = false;
  #at = "start";
  #following = null;
  #view = null;

  connectedCallback() {
    if (!this.#view) this.#build();
    this.#restart();
  }

  disconnectedCallback() {
    this.#restart();
  }

  attributeChangedCallback() {
    if (this.#view) this.#restart();
  }

  /** The identities of the selected rows; a row may have left the list since. */
  get selected() {
    return [...this.#selection].map((each) => JSON.parse(each));
  }

  get #rows() {
    return this.#groups.flatMap(({ rows }) => rows);
  }

  get #page() {
    return Number(this.getAttribute("page") ?? 100);
  }

  #build() {
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    if (!elements++) document.adoptedStyleSheets = [...document.adoptedStyleSheets, sheet];
    const parts = ["fr-before", "fr-rows", "fr-after"].map((name) => make(name, { role: "none" }));
    const view = make("fr-view", { role: "listbox", tabindex: 0 }, ...parts);
    view.setAttribute("aria-label", this.getAttribute("label") ?? "");
    view.setAttribute("aria-multiselectable", this.hasAttribute("multiple"));
    let frame = null;
    view.addEventListener("scroll", () => (frame ??= requestAnimationFrame(() => ((frame = null), this.#look()))));
    view.addEventListener("keydown", (event) => this.#press(event));
    view.addEventListener("click", ({ target }) => this.#choose(target.closest(".fr-row"), "fr-select"));
    view.addEventListener("dblclick", ({ target }) => this.#choose(target.closest(".fr-row"), "fr-choose"));
    this.#view = view;
    this.append(view, make("fr-status", { role: "status" }));
  }

  #restart() {
    this.#following?.close();
    this.#following = null;
    if (!this.isConnected || !this.hasAttribute("src")) return;
    [this.#at, this.#then, this.#isMoving, this.#where] = ["start", null, false, { position: 0, count: 0 }];
    this.#view.scrollTop = 0;
    const status = (state, reason) => this.#report(state, reason);
    const show = (sections, info) => this.#show(sections, info);
    this.#following = follow(this.getAttribute("src"), show, { after: this.#page - 1, status });
  }

  #report(state, reason = "") {
    if (state === "live") this.#isMoving = false;
    if (this.dataset.state === state) return;
    this.dataset.state = state;
    this.querySelector(".fr-status").textContent = (FrList.texts[state] ?? "") + (state === "refused" ? reason : "");
    this.#send("fr-status", { state, reason });
  }

  #send(type, detail) {
    this.dispatchEvent(new CustomEvent(type, { bubbles: true, detail }));
  }

  #move(at) {
    if (at === this.#at && !this.#then) return; // a page of fewer rows than fit on the screen
    this.#isMoving = true;
    this.#at = at;
    const before = at === "start" ? 0 : this.#page >> 1;
    this.#following.move({ at, before, after: this.#page - 1 - before });
  }

  // Showing

  #fill(element, values, template) {
    const source = this.querySelector(`:scope > template${template}`);
    if (source && !element.firstChild) element.append(source.content.cloneNode(true));
    element.querySelectorAll("[data-text]").forEach((each) => (each.textContent = textOf(values[each.dataset.text])));
    return element;
  }

  #row(row, element = make("fr-row", { role: "option", id: `fr-${++elements}` })) {
    element.dataset.key = JSON.stringify(row.identity);
    element.setAttribute("aria-selected", this.#selection.has(element.dataset.key));
    this.#fill(element, row.values, ":not([data-section])");
    this.#send("fr-row", { row, element });
    return element;
  }

  #box(section) {
    const found = this.#boxes.get(section);
    if (found) return found;
    const name = section.name ?? "";
    const header = this.#fill(make("fr-header", { role: "presentation" }), section, "[data-section]");
    if (!header.firstChild) header.append(name);
    header.hidden = section.name === null && !header.firstElementChild;
    const box = make("fr-section", { role: "group", "aria-label": name }, header);
    this.#boxes.set(section, box);
    return box;
  }

  #show(sections, { position, count, changes }) {
    const view = this.#view;
    const [before, body, after] = view.children;
    const isAtTop = view.scrollTop === 0 && this.#where.position === 0 && !this.#isMoving;
    const activeIndex = this.#rows.indexOf(this.#active) + this.#where.position;
    const tops = new Map(this.#rows.map((each) => [each, topOf(each)]));
    const moved = new Set();
    if (changes === null) {
      const old = new Map(this.#rows.map((each) => [each.dataset.key, each]));
      const made = (row) => this.#row(row, old.get(JSON.stringify(row.identity)));
      this.#groups = sections.map(({ section, rows }) => ({ section, rows: rows.map(made) }));
    } else {
      this.#groups = replay(this.#groups, changes, (change, old) => {
        const made = this.#row(change.row, old);
        if (change.type !== "update") moved.add(made);
        return made;
      });
    }
    place(body, this.#groups.map(({ section }) => this.#box(section)));
    for (const { section, rows } of this.#groups) place(this.#box(section), [this.#box(section).firstChild, ...rows]);
    this.#where = { position, count };
    const rows = this.#rows;
    const height = rows.length ? body.offsetHeight / rows.length : 0;
    before.style.height = `${Math.min(position * height, SPACER)}px`;
    after.style.height = `${Math.min((count - position - rows.length) * height, SPACER)}px`;
    rows.forEach((each, index) => {
      each.setAttribute("aria-posinset", position + index + 1);
      each.setAttribute("aria-setsize", count);
    });

    const anchor = rows.find((each) => !moved.has(each) && tops.get(each) + each.offsetHeight > topOf(view));
    if (anchor && !isAtTop) view.scrollTop += topOf(anchor) - tops.get(anchor);
    const then = this.#then;
    if (then && rows[then.index - position]) {
      this.#then = null;
      if (then.isActive) this.#activate(then.index);
      else rows[then.index - position].scrollIntoView({ block: "start" });
    } else if (this.#active && !this.#active.isConnected && !then && rows.length) {
      this.#activate(Math.max(position, Math.min(activeIndex, position + rows.length - 1)), false);
    }
    if (changes !== null && this.hasAttribute("animate")) this.#animate(tops);
    requestAnimationFrame(() => this.#look());
  }

  #animate(tops) {
    if (matchMedia("(prefers-reduced-motion: reduce)").matches) return;
    for (const each of this.#rows) {
      const by = (tops.get(each) ?? topOf(each)) - topOf(each);
      if (by) each.animate([{ transform: `translateY(${by}px)` }, { transform: "none" }], 200);
    }
  }

  /** Moves the window if rows that it lacks are on the screen, or nearly so. */
  #look() {
    const rows = this.#rows;
    if (this.#isMoving || !rows.length || !this.#following) return;
    const { position, count } = this.#where;
    const { top, bottom } = this.#view.getBoundingClientRect();
    const [before, , after] = this.#view.children;
    const end = position + rows.length;
    const first = rows.findIndex((each) => each.getBoundingClientRect().bottom > top);
    const next = rows.findIndex((each) => topOf(each) >= bottom);
    const last = next < 0 ? rows.length : next;
    if (first < 0 || last === 0) {
      const part = (spacer) => Math.max(0, (top - topOf(spacer)) / spacer.offsetHeight);
      const index = first < 0 ? end + (count - end) * part(after) : position * part(before);
      this.#then = { index: Math.min(count - 1, Math.floor(index)) };
      this.#move(`index:${this.#then.index}`);
    } else if (first === 0 && position === 0 && this.#at !== "start" && this.#view.scrollTop === 0) {
      this.#move("start");
    } else if ((first < this.#page / 4 && position > 0) || (rows.length - last < this.#page / 4 && end < count)) {
      this.#move(`identity:${rows[(first + last) >> 1].dataset.key}`);
    }
  }

  // The user

  #press(event) {
    if (event.target !== this.#view) return; // a field in a row
    const [, body] = this.#view.children;
    const page = Math.max(1, Math.floor((this.#view.clientHeight * this.#rows.length) / body.offsetHeight) - 1);
    const steps = { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -Infinity, End: Infinity };
    if (event.key in steps) this.#activate(this.#where.position + this.#rows.indexOf(this.#active) + steps[event.key]);
    else if (event.key === " ") this.#choose(this.#active, "fr-select");
    else if (event.key === "Enter") this.#choose(this.#active, "fr-choose");
    else return;
    event.preventDefault();
  }

  #activate(number, isShown = true) {
    const { position, count } = this.#where;
    const index = Math.max(0, Math.min(count - 1, number));
    const found = this.#rows[index - position];
    if (!found) {
      this.#then = { index, isActive: true };
      this.#move(`index:${index}`);
      return;
    }
    this.#active?.classList.remove("fr-active");
    this.#active = found;
    found.classList.add("fr-active");
    this.#view.setAttribute("aria-activedescendant", found.id);
    if (isShown) found.scrollIntoView({ block: "nearest" });
  }

  #choose(row, type) {
    if (!row) return;
    const { key } = row.dataset;
    this.#activate(this.#where.position + this.#rows.indexOf(row));
    if (type === "fr-select") {
      const wasSelected = this.#selection.has(key);
      if (!this.hasAttribute("multiple")) this.#selection.clear();
      if (wasSelected) this.#selection.delete(key);
      else this.#selection.add(key);
      this.#rows.forEach((each) => each.setAttribute("aria-selected", this.#selection.has(each.dataset.key)));
    }
    this.#send(type, { identity: JSON.parse(key), element: row, selected: this.selected });
  }
}

globalThis.customElements?.define("fr-list", FrList);
