"use strict";
// Builds the page of the data in it, and loads rows and what search looks through when they are needed. What is shown
// stands in the address: #list=NAME&row=KEY&q=WORDS&in=COLUMN&page=N&FACET=VALUE. All data become text of known elements.
(() => {
  const shell = JSON.parse(document.getElementById("shell").textContent);
  const [FIELD_END, ROW_END] = shell.ends, SIZE = shell.size;
  const SPACES = { math: "http://www.w3.org/1998/Math/MathML", svg: "http://www.w3.org/2000/svg" };
  const words = (text) => new Set(text.trim().split(/\s+/));
  const TAGS = words(`a b blockquote br code dd div dl dt em figcaption figure details h1 h2 h3 h4 h5 i img kbd li mark ol p pre
    progress s section small span strong sub summary sup table tbody td th thead tr u ul math mrow mi mn mo mtext mspace mfrac
    msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup munder mover munderover mtable mtr mtd svg rect text title
    path`);
  const ATTRIBUTES = words(`alt class colspan rowspan height href max open src title value width viewBox x y rx d display
    mathvariant stretchy fence separator accent accentunder movablelimits largeop displaystyle depth lspace rspace voffset
    linethickness minsize maxsize scriptlevel form columnalign notation`);
  // Places in the run's folder or beside it, places of this page, and pictures that the page holds itself.
  const isPlace = (name, value) =>
    (name === "href" && value.startsWith("#")) || /^(?![a-z][a-z0-9+.-]*:|[\\/])[^\\\0-\x1f]*$/i.test(value) ||
    (name === "src" && /^data:image\/(?:jpeg|png|webp|gif);base64,[A-Za-z0-9+/=]*$/.test(value));
  const held = new Map();

  const build = (part, space = null) => {
    if (!Array.isArray(part)) return document.createTextNode(String(part));
    const [tag, attributes, ...parts] = part;
    if (!TAGS.has(tag)) return document.createTextNode("");
    const within = SPACES[tag] ?? space;
    const node = within ? document.createElementNS(within, tag) : document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) {
      if (ATTRIBUTES.has(name) && ((name !== "href" && name !== "src") || isPlace(name, String(value)))) node.setAttribute(name, value);
    }
    if (tag === "img") return picture(node, attributes.src, parts);
    node.append(...parts.map((each) => build(each, within)));
    return node;
  };
  const el = (tag, attributes = {}, ...parts) => {
    const node = Object.assign(document.createElement(tag), attributes);
    node.append(...parts);
    return node;
  };

  // A picture, which leads to its file, and the boxes on it; where it cannot be shown, a frame that says so.
  const picture = (img, place, boxes) => {
    const [uri, width, height] = held.get(place) ?? [];
    if (uri && isPlace("src", uri)) img.src = uri;
    img.loading = "lazy";
    img.decoding = "async";
    const frame = !img.src || img.src.startsWith("data:") ? el("span", { className: "marked" }, img) : el("a", { className: "marked", href: img.getAttribute("src") ?? "" }, img);
    img.addEventListener("error", () => frame.replaceWith(el("div", { className: "lost", textContent: "picture cannot be shown" })));
    if (boxes.length) img.addEventListener("load", () => frame.append(drawn(boxes, width ?? img.naturalWidth, height ?? img.naturalHeight)), { once: true });
    return frame;
  };
  const drawn = (boxes, width, height) => {
    // A thumbnail stands for the picture on which the boxes were measured, whose size it brings.
    const svg = build(["svg", { viewBox: `0 0 ${width} ${height}`, class: "boxes" }]);
    for (const [, { title }, kind, ...edges] of boxes) {
      const [x0, y0, x1, y1] = edges.map(Number);
      if (![x0, y0, x1, y1].every(Number.isFinite)) continue;
      svg.append(build(["rect", { x: Math.min(x0, x1), y: Math.min(y0, y1), width: Math.abs(x1 - x0), height: Math.abs(y1 - y0), class: `mark ${kind}` }, ["title", {}, title ?? ""]], SPACES.svg));
    }
    return svg;
  };

  // Files of data say their name and what they hold; in a page of one file they stand in it.
  const waiting = new Map();
  const policy = window.trustedTypes?.createPolicy("rowsmith", {
    createScriptURL: (place) => { if (/^[\w./-]+\.js$/.test(place) && !place.startsWith("/")) return place; throw new TypeError(place); },
  });
  window.rowsmith = (name, text) => waiting.get(name)?.(text);
  const opened = async (text) => {
    let bytes;
    if (Uint8Array.fromBase64) bytes = Uint8Array.fromBase64(text);
    else {
      const letters = atob(text);
      bytes = new Uint8Array(letters.length);
      for (let n = 0; n < letters.length; n++) bytes[n] = letters.charCodeAt(n);
    }
    return new Response(new Blob([bytes]).stream().pipeThrough(new DecompressionStream("gzip"))).json();
  };
  const load = (name) => new Promise((resolve, reject) => {
    const here = document.querySelector(`script[data-name="${name}"]`);
    if (here) return resolve(here.textContent);
    const script = document.createElement("script"), place = `${shell.folder}${name}.js`;
    const end = (act, value) => { waiting.delete(name); script.remove(); act(value); };
    waiting.set(name, (text) => end(resolve, text));
    script.onerror = () => end(reject, new Error(`${place} cannot be read`));
    script.src = policy ? policy.createScriptURL(place) : place;
    document.head.append(script);
  }).then(opened);

  const number = (n) => n.toLocaleString("en");
  const pad = (n) => String(n).padStart(4, "0");
  const KEPT = 40;
  class List {
    constructor(told) {
      Object.assign(this, told);
      this.shards = new Map();
      this.box = el("div", { className: "rows" });
      this.section = el("section", { className: "list", id: `list-${this.name}` });
      this.menus = el("span", { className: "menus" });
    }
    shard(at) {
      if (!this.shards.has(at)) {
        this.shards.set(at, load(`${this.name}-rows-${pad(at + 1)}`));
        for (const old of [...this.shards.keys()].slice(0, Math.max(0, this.shards.size - KEPT))) this.shards.delete(old);
      }
      return this.shards.get(at);
    }
    shardOf(row) {
      let [low, high] = [0, this.starts.length];
      while (high - low > 1) { const middle = (low + high) >> 1; if (this.starts[middle] <= row) low = middle; else high = middle; }
      return low;
    }
    // These rows (counted from 0), in their order: key, look, heading, parts, labels.
    async rows(numbers) {
      const shards = await Promise.all(numbers.map((row) => this.shard(this.shardOf(row))));
      return numbers.map((row, n) => shards[n][row - this.starts[this.shardOf(row)]]);
    }
    index() { return (this.indexGiven ??= load(`${this.name}-index`)); }
    // What search looks through: some megabytes at a time, with the place in them at which each row begins.
    texts() {
      const found = async () => {
        let first = 0;
        const texts = [];
        for (const text of await Promise.all(Array.from({ length: this.finds }, (_, n) => load(`${this.name}-find-${pad(n + 1)}`)))) {
          const starts = [0];
          for (let at = text.indexOf(ROW_END); at >= 0; at = text.indexOf(ROW_END, at + 1)) starts.push(at + 1);
          texts.push({ text, starts, first });
          first += starts.length;
        }
        return texts;
      };
      return (this.textsGiven ??= found());
    }
    async holding(word, column) {
      const has = new Uint8Array(this.total);
      for (const { text, starts, first } of await this.texts()) {
        let row = 0;
        for (let at = text.indexOf(word); at >= 0; ) {
          while (row + 1 < starts.length && starts[row + 1] <= at) row++;
          const fits = column < 0 || text.slice(starts[row], at).split(FIELD_END).length - 1 === column;
          if (fits) has[first + row] = 1;
          // The next row, unless this one may have the word in the right column further on.
          at = text.indexOf(word, fits ? starts[row + 1] ?? text.length : at + 1);
        }
      }
      return (row) => has[row] === 1;
    }
    async found(values, q, column) {
      const tests = [];
      for (const [name, value] of Object.entries(values)) {
        const choice = this.menus_of(name)?.choices.find(([path]) => path.join(" › ") === value);
        if (!choice) continue;
        const [, , , first, last] = choice, numbers = (await this.index()).facets[name], has = (n) => first <= n && n <= last;
        tests.push((row) => (Array.isArray(numbers[row]) ? numbers[row].some(has) : has(numbers[row])));
      }
      for (const word of searched(q)) tests.push(await this.holding(word, this.columns.indexOf(column)));
      const found = [];
      for (let row = 0; row < this.total; row++) if (tests.every((test) => test(row))) found.push(row);
      return found;
    }
    menus_of(name) { return this.offered.find((each) => each.name === name); }
  }
  // The words that are looked for, in the form in which texts were put; in quotes they stand together.
  const searched = (q) => [...q.normalize("NFKC").toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map(([, whole, word]) => (whole ?? word).replace(/\s+/g, " ").trim()).filter(Boolean);

  const lists = new Map(shell.lists.map((told) => [told.name, new List({ ...told, offered: told.menus })]));
  let state = null, shown = [], turn = 0;

  const read = (hash) => {
    const given = new URLSearchParams(hash.slice(1)), take = (name) => { const value = given.get(name) ?? ""; given.delete(name); return value; };
    const [list, row, q, column, page] = ["list", "row", "q", "in", "page"].map(take);
    return { list: lists.has(list) ? list : lists.keys().next().value, row, q, column, page: Math.max(1, Number(page) || 1), values: Object.fromEntries(given) };
  };
  const address = ({ list, row, q, column, page, values }) => {
    const told = { ...(list === lists.keys().next().value ? {} : { list }), ...values, q, in: column, page: page > 1 ? page : "", row };
    return "#" + new URLSearchParams(Object.entries(told).filter(([, value]) => value !== "" && value !== undefined));
  };

  const search = el("input", { type: "search", id: "search", placeholder: "Search ( / )", ariaLabel: "Search", autocomplete: "off", spellcheck: false });
  const column = el("select", { id: "column", ariaLabel: "Where to search" });
  const count = el("output", { id: "count", ariaLive: "polite" });
  const button = (text, label, act) => el("button", { type: "button", textContent: text, ariaLabel: label, onclick: act });
  const page = el("input", { type: "number", id: "page", min: "1", ariaLabel: "Page" }), pages = el("span", { id: "pages" });
  const before = button("‹", "Page before", () => turnTo(state.page - 1, "top")), after = button("›", "Next page", () => turnTo(state.page + 1, "top"));
  const all = button("Show all", "Show all", () => clear());
  const turns = el("span", { id: "turns" }, before, " ", page, " ", pages, " ", after);
  const bar = el("div", { className: "bar" }, search, column, ...[...lists.values()].map((list) => list.menus), all, el("span", { className: "turn" }, count, turns));

  const menu = (list, facet) => {
    const options = facet.choices.map(([path, rows]) => el("option", { value: path.join(" › "), textContent: `${"\u2003".repeat(path.length - 1)}${path.at(-1).slice(0, 60)} (${number(rows)})` }));
    const more = facet.left ? [el("option", { disabled: true, textContent: `${number(facet.left)} more` })] : [];
    return el("select", { name: facet.name, ariaLabel: facet.title }, el("option", { value: "", textContent: `${facet.title}: all` }), ...options, ...more);
  };
  const contents = (list, facet) => {
    const items = facet.choices.map(([path, rows, row]) => {
      const link = el("a", { href: `#${new URLSearchParams({ list: list.name, row })}`, textContent: path.at(-1) });
      return el("li", { className: `depth${Math.min(path.length, 5)}` }, link, " ", el("span", { className: "quiet", textContent: number(rows) }));
    });
    const head = el("summary", {}, `${facet.title} `, el("span", { className: "quiet", textContent: number(facet.choices.length + facet.left) }));
    return el("details", { className: "contents" }, head, el("ol", {}, ...items));
  };

  // What a person tells of rows, by list and key; it is saved as a file of the browser's, and stays in its tab until then.
  const labelled = new Map(), forms = new WeakMap();
  let saved = true;
  const cell = (value) => {
    // A sheet program must not take a cell for a formula.
    const text = /^'*[=+\-@\t\r＝＋－＠]/.test(value) ? `'${value}` : value;
    return /[",;\t\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
  };
  const csv = (list) => {
    const lines = [...labelled.values()].filter((each) => each.list === list && each.state !== "bad")
      .map(({ values }) => [...list.labels.given, ...list.labels.fields.map(({ name }) => name)].map((name) => cell(values[name] ?? "")));
    return `${[[...list.labels.given, ...list.labels.fields.map(({ name }) => name)], ...lines].map((line) => line.join(",")).join("\r\n")}\r\n`;
  };
  const form = (list, key, initial, node) => {
    const id = `${list.name} ${key}`, fields = new Map(), start = { ...initial };
    for (const { name, kind } of list.labels.fields) start[name] ??= kind === "tick" ? "0" : "";
    const current = () => ({ ...start, ...labelled.get(id)?.values });
    const told = el("p", { className: "state", role: "status" });
    const tell = () => {
      const { state = "" } = labelled.get(id) ?? {};
      told.textContent = { bad: list.labels.fields.map(({ hint }) => hint).filter(Boolean).join("; "), right: "right as read", changed: "changed" }[state] ?? "";
      node.dataset.labelled = state;
      list.tell();
    };
    const put = (values) => {
      const fits = list.labels.fields.every(({ name, pattern }) => !pattern || new RegExp(`^(?:${pattern})$`).test(values[name]));
      const same = list.labels.fields.every(({ name }) => values[name] === start[name]);
      labelled.set(id, { list, values, state: fits ? (same ? "right" : "changed") : "bad" });
      saved = false;
      tell();
    };
    const fill = () => {
      const values = current();
      for (const { name, kind } of list.labels.fields) {
        for (const input of fields.get(name)) { if (kind === "words") input.value = values[name]; else input.checked = values[name] === input.value; }
      }
    };
    const set = (name, value, refill = true) => {
      const values = { ...current(), [name]: value };
      for (const { name: other, implies } of list.labels.fields) {
        if (!implies) continue;
        if (other === name && value === "1") values[implies[0]] = implies[1];
        else if (name === implies[0] && value !== implies[1]) values[other] = "0";
      }
      put(values);
      if (refill) fill();
    };
    const group = list.labels.fields.map(({ name, title, kind, options }) => {
      const offered = kind === "choice" ? [...options, ["", "cannot be told"]] : [["1", title]];
      const inputs = kind === "words"
        ? [el("input", { type: "text", maxLength: 300, autocomplete: "off", ariaLabel: title, oninput: (event) => set(name, event.target.value.normalize("NFKC").trim().replace(/\s+/g, " "), false) })]
        : offered.map(([value]) => el("input", { type: kind === "tick" ? "checkbox" : "radio", name: `${id} ${name}`, value, oninput: (event) => set(name, kind === "tick" && !event.target.checked ? "0" : value) }));
      fields.set(name, inputs);
      if (kind === "words") return el("label", {}, `${title} `, ...inputs);
      const shown = offered.map(([, text], n) => el("label", {}, inputs[n], ` ${text}`));
      return kind === "tick" ? shown[0] : el("span", { className: "choice" }, el("b", { textContent: `${title} ` }), ...shown);
    });
    fill();
    const confirm = Object.keys(initial).some((name) => fields.has(name)) ? [button("Right as it stands", "Right as it stands", () => { put(current()); step(1); })] : [];
    const reset = () => { labelled.delete(id); fill(); tell(); };
    forms.set(node, { confirm: () => put(current()), reset });
    queueMicrotask(tell);
    return el("div", { className: "ticks" }, ...group, ...confirm, told);
  };
  const saver = (list) => {
    const { file, note } = list.labels, done = el("output"), area = el("textarea", { hidden: true, readOnly: true, ariaLabel: file });
    const save = button(`Save ${file}`, `Save ${file}`, () => {
      const link = el("a", { href: URL.createObjectURL(new Blob(["\ufeff", csv(list)], { type: "text/csv" })), download: file });
      link.click();
      URL.revokeObjectURL(link.href);
      saved = true;
    });
    save.className = "main";
    const show = button("Show as text", "Show as text", () => { area.hidden = !area.hidden; area.value = csv(list); });
    list.tell = () => {
      const mine = [...labelled.values()].filter((each) => each.list === list), of = (state) => mine.filter((each) => each.state === state).length;
      done.value = `${number(of("right") + of("changed"))} of ${number(list.total)} labelled${of("bad") ? `, ${of("bad")} incomplete` : ""}`;
      save.disabled = !(of("right") + of("changed"));
      if (!area.hidden) area.value = csv(list);
    };
    list.tell();
    return [el("p", { className: "quiet", textContent: note }), el("div", { className: "saver" }, save, show, done), area];
  };
  window.addEventListener("beforeunload", (event) => { if (!saved) event.preventDefault(); });

  const article = (list, at, [key, look, , parts, labels]) => {
    const link = el("a", { className: "place", href: address({ list: list.name, row: key, values: {} }), title: `Link to this row: ${key}`, textContent: number(at + 1) });
    const node = el("article", { className: `row ${look}`, tabIndex: -1 }, link, ...parts.map((part) => build(part)));
    node.dataset.key = key;
    if (list.labels) node.append(form(list, key, labels, node));
    return node;
  };

  // Words that were looked for are marked without a change to the page.
  const marked = (box, q) => {
    if (!window.Highlight) return;
    const ranges = [];
    const looked = searched(q);
    for (const walk = document.createTreeWalker(box, NodeFilter.SHOW_TEXT); looked.length && walk.nextNode() && ranges.length < 500; ) {
      const text = walk.currentNode.data.toLowerCase();
      if (text.length !== walk.currentNode.data.length) continue;
      for (const word of looked) {
        for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + word.length)) {
          const range = new Range();
          range.setStart(walk.currentNode, at);
          range.setEnd(walk.currentNode, at + word.length);
          ranges.push(range);
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  };
  const choose = (node) => {
    for (const old of document.querySelectorAll(".row.current")) old.classList.remove("current");
    if (!node) return;
    node.classList.add("current");
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "start" });
    window.scrollBy(0, -bar.getBoundingClientRect().height - 12);
  };

  // Shows what is wanted and moves afterwards: at the first row, the last one, the top of the list, or where one is.
  const show = async (wanted, move = "") => {
    const mine = ++turn, list = lists.get(wanted.list);
    state = wanted;
    for (const each of lists.values()) each.section.hidden = each.menus.hidden = each !== list;
    for (const link of document.querySelectorAll(".lists a")) link.setAttribute("aria-current", link.dataset.list === wanted.list);
    for (const each of list.menus.querySelectorAll("select")) {
      each.value = wanted.values[each.name] ?? "";
      if (each.selectedIndex < 0) each.value = "";
    }
    column.replaceChildren(el("option", { value: "", textContent: "in: all" }), ...list.columns.map((name) => el("option", { value: name, textContent: `in: ${name.replaceAll("_", " ")}` })));
    column.hidden = list.columns.length < 2;
    column.value = list.columns.includes(wanted.column) ? wanted.column : "";
    if (search !== document.activeElement) search.value = wanted.q;
    count.value = "…";
    try {
      const filtered = wanted.q || Object.keys(wanted.values).length;
      let found = filtered ? await list.found(wanted.values, wanted.q, wanted.column) : null;
      const place = wanted.row ? (await list.index()).keys.indexOf(wanted.row) : -1;
      if (mine !== turn) return;
      // A row is shown whatever was filtered before.
      if (place >= 0 && found && !found.includes(place)) return show({ ...wanted, values: {}, q: "", column: "" }, move);
      const total = found ? found.length : list.total, at = found ? found.indexOf(place) : place;
      if (at >= 0) wanted.page = Math.floor(at / SIZE) + 1;
      wanted.page = Math.min(wanted.page, Math.max(1, Math.ceil(total / SIZE)));
      shown = { length: total };
      tell(list, total);
      const from = (wanted.page - 1) * SIZE, till = Math.min(total, from + SIZE);
      const numbers = found ? found.slice(from, till) : Array.from({ length: till - from }, (_, n) => from + n);
      list.box.ariaBusy = "true";
      const rows = await list.rows(numbers);
      if (mine !== turn) return;
      let heading = "";
      const nodes = [], chosen = [];
      rows.forEach((row, n) => {
        if (row[2] && row[2] !== heading) nodes.push(el("h3", { textContent: row[2] }));
        heading = row[2];
        nodes.push(article(list, numbers[n], row));
        chosen.push(nodes.at(-1));
      });
      list.box.replaceChildren(...nodes);
      list.box.ariaBusy = "false";
      list.empty.hidden = total > 0;
      list.empty.textContent = list.total ? "No row has all of this." : list.nothing;
      marked(list.box, wanted.q);
      if (move === "top" && bar.getBoundingClientRect().top < 1) list.section.scrollIntoView({ block: "start" });
      choose(place >= 0 ? chosen[numbers.indexOf(place)] : { first: chosen[0], last: chosen.at(-1) }[move]);
      document.body.dataset.shown = address(wanted);
      performance.mark("shown");
    } catch (error) {
      if (mine === turn) count.value = String(error.message);
    }
  };
  const tell = (list, found) => {
    const many = Math.max(1, Math.ceil(found / SIZE));
    count.value = `${found === list.total ? "" : `${number(found)} of `}${number(list.total)} row${list.total === 1 ? "" : "s"}`;
    turns.hidden = many < 2;
    page.value = state.page;
    page.max = many;
    pages.textContent = `of ${number(many)}`;
    before.disabled = state.page < 2;
    after.disabled = state.page >= many;
    all.hidden = !state.q && !Object.keys(state.values).length;
  };

  const go = (wanted, move, replace = false) => {
    const values = Object.fromEntries(Object.entries(wanted.values).filter(([, value]) => value));
    const next = { row: "", page: 1, column: "", ...wanted, values };
    history[replace ? "replaceState" : "pushState"](null, "", address(next));
    show(next, move);
  };
  const turnTo = (to, move) => { if (to >= 1 && to <= Math.ceil(shown.length / SIZE) && to !== state.page) go({ ...state, row: "", page: to }, move); };
  const clear = () => {
    search.value = "";
    go({ list: state.list, q: "", values: {} });
  };
  const step = (by) => {
    const rows = [...lists.get(state.list).box.querySelectorAll("article")];
    const current = rows.findIndex((row) => row.classList.contains("current"));
    // Without a row that was chosen, the first that is in sight.
    const next = current < 0 ? Math.max(rows.findIndex((row) => row.getBoundingClientRect().bottom > 120), 0) : current + by;
    if (rows[next]) choose(rows[next]);
    else turnTo(state.page + by, by > 0 ? "first" : "last");
  };

  // What will be needed is fetched while one is still about to ask for it.
  bar.addEventListener("focusin", () => lists.get(state.list).index().catch(() => {}));
  search.addEventListener("focus", () => lists.get(state.list).texts().catch(() => {}));
  let typing = 0;
  search.addEventListener("input", () => {
    clearTimeout(typing);
    typing = setTimeout(() => go({ ...state, q: search.value.trim(), page: 1, row: "" }, "top", true), 100);
  });
  bar.addEventListener("change", (event) => {
    if (event.target === page) turnTo(Number(page.value), "top");
    else if (event.target === column) go({ ...state, column: column.value, page: 1, row: "" }, "top");
    else if (event.target.localName === "select") go({ ...state, values: { ...state.values, [event.target.name]: event.target.value }, page: 1, row: "" }, "top");
  });
  document.addEventListener("click", (event) => {
    const hash = event.target.closest?.("a[href^='#']")?.getAttribute("href");
    if (!hash || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", hash);
    const wanted = read(hash);
    show(wanted, wanted.row ? "" : "top");
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return;
    const typed = event.target.closest?.("input, select, textarea");
    const form = forms.get(document.activeElement?.closest("article"));
    if (form && event.key === "Enter" && event.target.localName !== "button") {
      event.preventDefault();
      choose(event.target.closest("article"));
      form.confirm();
      step(1);
    } else if (form && event.key === "Escape") form.reset();
    else if (event.key === "Escape" && typed !== search && typed) typed.blur();
    else if (event.key === "Escape" && !all.hidden) { search.blur(); clear(); }
    else if (typed && typed.type !== "radio" && typed.type !== "checkbox") { if (event.key === "Escape" || (event.key === "Enter" && typed === search)) typed.blur(); }
    else if (event.key === "/") { event.preventDefault(); search.focus(); search.select(); }
    else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
  });
  window.addEventListener("popstate", () => show(read(location.hash)));

  const tabs = el("nav", { className: "lists", ariaLabel: "Lists" });
  for (const list of lists.values()) {
    const link = el("a", { href: `#list=${list.name}` }, `${list.title} `, el("b", { textContent: number(list.total) }));
    link.dataset.list = list.name;
    tabs.append(link);
    list.menus.append(...list.offered.map((facet) => menu(list, facet)));
    list.empty = el("p", { className: "nothing", hidden: true });
    list.section.append(...(list.labels ? saver(list) : []), ...list.intro.map((part) => build(part)), ...list.offered.filter((facet) => facet.contents).map((facet) => contents(list, facet)), list.box, list.empty);
  }
  const keys = build(["p", {}, ["kbd", {}, "/"], " search · ", ["kbd", {}, "j"], " ", ["kbd", {}, "k"], " next and previous row · ", ["kbd", {}, "Esc"], " show all · words in quotes stand together"]);
  const begin = async () => {
    const here = document.querySelector('script[data-name="pictures"]');
    for (const [place, data] of here ? await load("pictures") : []) held.set(place, data);
    const header = el("header", {}, el("p", { className: "kind", textContent: shell.kind }), el("h1", { textContent: shell.title }));
    header.append(build(["div", { class: "figures" }, ...shell.figures]), ...shell.head.map((part) => build(part)));
    document.body.append(header, ...(lists.size ? [tabs, bar] : []), ...[...lists.values()].map((list) => list.section), el("footer", { className: "end" }, ...shell.foot.map((part) => build(part)), keys));
    if (lists.size) await show(read(location.hash));
    // So that the first search does not wait for what it looks through.
    setTimeout(() => lists.get(state?.list)?.texts().catch(() => {}), 1000);
  };
  begin();
})();
