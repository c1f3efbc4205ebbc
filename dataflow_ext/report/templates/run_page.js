"use strict";
// Search, filters, pages and keys. What is shown stands in the address: #LIST[-ROW][?FACET=VALUE&q=WORDS&page=N].
// Rows of other pages come as plain values from a frame and are built of known elements and attributes alone.
(() => {
  const SIZE = Number(document.body.dataset.size), FOLDER = document.body.dataset.folder, BACK = "../../";
  const MATHML = "http://www.w3.org/1998/Math/MathML";
  const words = (text) => new Set(text.trim().split(/\s+/));
  const MATH = words(`math mrow mi mn mo mtext mspace mfrac msqrt mroot mstyle mpadded mphantom menclose msub msup msubsup
    munder mover munderover mtable mtr mtd`);
  const HTML = words(`a article b br code dd details div dl dt em figcaption figure h3 h4 h5 i img kbd li ol p pre s small span
    strong sub summary sup table tbody td th thead tr u ul`);
  const ATTRIBUTES = words(`alt class colspan height href id loading open rowspan src title width display mathvariant stretchy
    fence separator accent accentunder movablelimits largeop displaystyle depth lspace rspace voffset linethickness minsize
    maxsize scriptlevel form columnalign notation`);
  const at = (id) => document.getElementById(id), bar = document.querySelector(".bar");

  const build = (tree) => {
    if (!Array.isArray(tree)) return document.createTextNode(String(tree));
    const [tag, attributes, ...children] = tree;
    const node = MATH.has(tag) ? document.createElementNS(MATHML, tag) : document.createElement(HTML.has(tag) ? tag : "span");
    for (const [name, value] of Object.entries(attributes)) {
      if (!ATTRIBUTES.has(name)) continue;
      if (name !== "href" && name !== "src") node.setAttribute(name, value);
      // From a page below the folder all links lead back into it first.
      else if (value.startsWith(BACK) && /^[^:/\\#?][^:\\]*$/.test(value.slice(BACK.length))) {
        node.setAttribute(name, value.slice(BACK.length));
      }
    }
    node.append(...children.map(build));
    return node;
  };

  // What a file of the folder gives, opened in a frame that may do nothing else.
  const given = (name) => new Promise((resolve, reject) => {
    const frame = document.createElement("iframe");
    const end = (act, value) => {
      clearTimeout(timer);
      window.removeEventListener("message", hear);
      frame.remove();
      act(value);
    };
    const hear = (event) => { if (event.source === frame.contentWindow) end(resolve, event.data); };
    const timer = setTimeout(() => end(reject, new Error(`${FOLDER}${name} cannot be read`)), 30000);
    window.addEventListener("message", hear);
    frame.hidden = true;
    frame.setAttribute("sandbox", "allow-scripts");
    frame.src = FOLDER + name;
    document.body.append(frame);
  });

  const KEPT = 3000, AT_ONCE = 6;
  class List {
    constructor(section) {
      this.section = section;
      this.name = section.dataset.list;
      this.total = Number(section.dataset.total);
      this.box = section.querySelector(".rows");
      this.menus = document.querySelector(`.menus[data-list="${this.name}"]`);
      // Heading and node of rows by their numbers; those of the first page stay.
      this.kept = new Map();
      let heading = "";
      for (const node of this.box.children) {
        if (node.localName === "h3") heading = node.textContent;
        else this.kept.set(this.kept.size + 1, [heading, node]);
      }
    }
    async load(page, rows) {
      const missing = rows.filter((row) => !this.kept.has(row));
      if (!missing.length) return;
      const found = await given(`${this.name}-${String(page).padStart(4, "0")}.html#${missing}`);
      for (const [number, heading, tree] of found) this.kept.set(number, [heading, build(tree)]);
    }
    // Heading and node of these rows, page by page, as they come.
    async *rows(numbers) {
      for (const row of [...this.kept.keys()].slice(SIZE, Math.max(SIZE, this.kept.size - KEPT))) this.kept.delete(row);
      const pages = new Map(), loads = [];
      for (const row of numbers) {
        const page = Math.floor((row - 1) / SIZE) + 1;
        pages.set(page, [...(pages.get(page) ?? []), row]);
      }
      const groups = [...pages];
      for (const [n, [, rows]] of groups.entries()) {
        while (loads.length < Math.min(groups.length, n + AT_ONCE)) loads.push(this.load(...groups[loads.length]));
        await loads[n];
        yield rows.map((row) => this.kept.get(row)).filter(Boolean);
      }
    }
    facets() { return (this.facetsGiven ??= given(`${this.name}-find.html`)); }
    texts() {
      const load = async () => {
        const names = Array.from({ length: Number(this.section.dataset.texts) }, (_, n) => `${this.name}-find-${String(n + 1).padStart(4, "0")}.html`);
        const texts = await Promise.all(names.map(given));
        return texts.flatMap((text) => text.split("\n"));
      };
      return (this.textsGiven ??= load());
    }
    // The numbers of the rows that have these values and hold all these words.
    async found(values, search) {
      const all = Array.from({ length: this.total }, (_, n) => n + 1);
      const tests = [];
      for (const [name, value] of Object.entries(values)) {
        const option = [...this.menus.querySelectorAll(`select[name="${name}"] option`)].find((each) => each.value === value);
        if (!option) continue;
        const [first, last] = [Number(option.dataset.first), Number(option.dataset.last)];
        const numbers = (await this.facets())[name], has = (n) => first <= n && n <= last;
        tests.push((row) => (Array.isArray(numbers[row - 1]) ? numbers[row - 1].some(has) : has(numbers[row - 1])));
      }
      for (const word of search) {
        const texts = await this.texts();
        tests.push((row) => texts[row - 1].includes(word));
      }
      return tests.length ? all.filter((row) => tests.every((test) => test(row))) : all;
    }
  }

  const lists = new Map([...document.querySelectorAll("section.list")].map((section) => [section.dataset.list, new List(section)]));
  let state = null, numbers = [], turn = 0;

  const read = (hash) => {
    const [, name, row, query] = /^#?([a-z]*)(?:-(\d+))?(?:\?(.*))?$/.exec(hash) ?? [];
    const values = new URLSearchParams(query ?? ""), list = lists.has(name) ? name : lists.keys().next().value;
    const [q, page] = [values.get("q") ?? "", Math.max(1, Number(values.get("page")) || 1)];
    values.delete("q");
    values.delete("page");
    return { list, row: row && lists.has(name) ? Number(row) : 0, q, page, values: Object.fromEntries(values) };
  };
  const address = ({ list, q, page, values }) => {
    const said = new URLSearchParams(values);
    if (q) said.set("q", q);
    if (page > 1) said.set("page", page);
    return `#${list}${String(said) && `?${said}`}`;
  };
  const searched = (q) => q.normalize("NFKC").toLowerCase().split(/\s+/).filter(Boolean);

  const marked = (box, search) => {
    if (!window.Highlight) return;
    CSS.highlights.delete("found");
    if (!search.length) return;
    const ranges = [], walker = document.createTreeWalker(box, NodeFilter.SHOW_TEXT);
    while (walker.nextNode() && ranges.length < 2000) {
      const text = walker.currentNode.data.toLowerCase();
      for (const word of search) {
        for (let place = text.indexOf(word); place >= 0 && ranges.length < 2000; place = text.indexOf(word, place + word.length)) {
          if (place + word.length > walker.currentNode.data.length) break;
          const range = new Range();
          range.setStart(walker.currentNode, place);
          range.setEnd(walker.currentNode, place + word.length);
          ranges.push(range);
        }
      }
    }
    CSS.highlights.set("found", new Highlight(...ranges));
  };

  const choose = (row) => {
    for (const old of document.querySelectorAll("article.current")) old.classList.remove("current");
    if (!row) return;
    row.classList.add("current");
    row.tabIndex = -1;
    row.focus({ preventScroll: true });
    const covered = getComputedStyle(bar).position === "sticky" ? bar.offsetHeight : 0;
    document.documentElement.style.scrollPaddingTop = `${covered + 12}px`;
    row.scrollIntoView({ block: "start" });
  };

  // `move` is where to look afterwards: at the first row, the last one, the top of the list, or where one is.
  const show = async (wanted, move = "") => {
    const mine = ++turn, list = lists.get(wanted.list), search = searched(wanted.q);
    state = wanted;
    for (const each of lists.values()) each.section.hidden = each !== list;
    for (const link of document.querySelectorAll(".lists a")) link.setAttribute("aria-current", link.hash === `#${wanted.list}`);
    for (const menus of document.querySelectorAll(".menus")) menus.hidden = menus.dataset.list !== wanted.list;
    for (const menu of list.menus.querySelectorAll("select")) {
      menu.value = wanted.values[menu.name] ?? "";
      if (menu.selectedIndex < 0) menu.value = "";
    }
    if (at("search") !== document.activeElement) at("search").value = wanted.q;
    at("count").value = "…";
    try {
      let found = await list.found(wanted.values, search);
      if (mine !== turn) return;
      const among = wanted.row && found.includes(wanted.row);
      // A row is shown whatever was filtered before.
      if (wanted.row && !among) return show({ ...wanted, values: {}, q: "", row: wanted.row <= list.total ? wanted.row : 0 }, move);
      if (among) wanted.page = Math.floor(found.indexOf(wanted.row) / SIZE) + 1;
      const pages = Math.max(1, Math.ceil(found.length / SIZE));
      wanted.page = Math.min(wanted.page, pages);
      numbers = found;
      tell(list, found.length, pages);
      if (move === "top" && bar.getBoundingClientRect().top < 1) bar.scrollIntoView({ block: "start" });
      list.box.ariaBusy = "true";
      let heading = "";
      const nodes = [];
      for await (const rows of list.rows(found.slice((wanted.page - 1) * SIZE, wanted.page * SIZE))) {
        if (mine !== turn) return;
        const more = [];
        for (const [title, node] of rows) {
          if (title && title !== heading) more.push(Object.assign(document.createElement("h3"), { textContent: title }));
          heading = title;
          more.push(node);
        }
        if (nodes.length) list.box.append(...more);
        else list.box.replaceChildren(...more);
        nodes.push(...rows.map(([, node]) => node));
      }
      if (!nodes.length) list.box.replaceChildren();
      list.box.ariaBusy = "false";
      marked(list.box, search);
      choose(wanted.row ? at(`${wanted.list}-${wanted.row}`) : { first: nodes[0], last: nodes.at(-1) }[move]);
    } catch (error) {
      if (mine === turn) at("count").value = String(error.message);
    }
  };
  const tell = (list, found, pages) => {
    const number = (n) => n.toLocaleString("en");
    at("count").value = `${found === list.total ? "" : `${number(found)} of `}${number(list.total)} row${list.total === 1 ? "" : "s"}`;
    at("turns").hidden = pages < 2;
    at("page").value = state.page;
    at("page").max = pages;
    at("pages").textContent = `of ${number(pages)}`;
    at("before").disabled = state.page < 2;
    at("after").disabled = state.page >= pages;
    at("clear").hidden = !state.q && !Object.keys(state.values).length;
  };

  const go = (wanted, move, replace = false) => {
    const values = Object.fromEntries(Object.entries(wanted.values).filter(([, value]) => value));
    const next = { row: 0, page: 1, ...wanted, values };
    history[replace ? "replaceState" : "pushState"](null, "", address(next));
    show(next, move);
  };
  const turnTo = (page, move) => {
    const pages = Math.max(1, Math.ceil(numbers.length / SIZE));
    if (page >= 1 && page <= pages && page !== state.page) go({ ...state, row: 0, page }, move);
  };
  const clear = () => {
    at("search").value = "";
    go({ list: state.list, q: "", values: {} });
  };
  const step = (by) => {
    const rows = [...lists.get(state.list).box.querySelectorAll("article")];
    const current = rows.findIndex((row) => row.classList.contains("current"));
    // Without a row that was chosen, the first that is in sight.
    const seen = rows.findIndex((row) => row.getBoundingClientRect().bottom > 120);
    const next = current < 0 ? Math.max(seen, 0) : current + by;
    if (rows[next]) choose(rows[next]);
    else turnTo(state.page + by, by > 0 ? "first" : "last");
  };

  // What will be needed is fetched while one is still about to ask for it.
  bar.addEventListener("focusin", () => lists.get(state.list).facets().catch(() => {}));
  at("search").addEventListener("focus", () => lists.get(state.list).texts().catch(() => {}));
  let waiting = 0;
  at("search").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => go({ ...state, q: at("search").value.trim(), page: 1, row: 0 }, "top", true), 120);
  });
  bar.addEventListener("change", (event) => {
    const menu = event.target.closest("select");
    if (menu) go({ ...state, values: { ...state.values, [menu.name]: menu.value }, page: 1, row: 0 }, "top");
    else if (event.target === at("page")) turnTo(Number(at("page").value), "top");
  });
  at("clear").addEventListener("click", clear);
  at("before").addEventListener("click", () => turnTo(state.page - 1, "top"));
  at("after").addEventListener("click", () => turnTo(state.page + 1, "top"));
  // Links to rows and filters lead to the same row here, whatever page it is on.
  document.addEventListener("click", (event) => {
    const link = event.target.closest("a[href]");
    const place = link && /^(?:report\.html|\.run\/report\/[a-z]+-\d+\.html)?(#([a-z]+)(-\d+)?(?:\?.*)?)$/.exec(link.getAttribute("href"));
    if (!place || !lists.has(place[2]) || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    history.pushState(null, "", place[1]);
    show(read(place[1]), place[3] ? "" : "top");
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (event.key === "Escape" && (state.q || !at("clear").hidden)) { at("search").blur(); clear(); }
    else if (event.target.closest("input, select, textarea")) { if (event.key === "Escape" || (event.key === "Enter" && event.target === at("search"))) event.target.blur(); }
    else if (event.key === "/") { event.preventDefault(); at("search").focus(); at("search").select(); }
    else if (event.key === "j" || event.key === "k") step(event.key === "j" ? 1 : -1);
  });
  window.addEventListener("popstate", () => show(read(location.hash)));

  document.documentElement.classList.add("scripted");
  bar.hidden = false;
  document.querySelector(".keys").hidden = false;
  show(read(location.hash));
})();
