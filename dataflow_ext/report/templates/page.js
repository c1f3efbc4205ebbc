// Shows what is wanted. It stands in the address: #list=NAME&row=KEY&q=WORDS&in=COLUMN&page=N&FACET=VALUE.
const AT_ONCE = 10, PATIENCE = 60;
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

const article = (list, at, [key, look, , parts, labels]) => {
  const link = el("a", { className: "place", href: address({ list: list.name, row: key, values: {} }), title: `Link to this row: ${key}`, textContent: number(at + 1) });
  const node = el("article", { className: `row ${look}`, tabIndex: -1 }, link, ...parts.map((part) => build(part)));
  node.dataset.key = key;
  if (list.labels) node.append(form(list, key, labels, node));
  if (list.lives.length) node.append(life(list, key));
  return node;
};

// What each step read and wrote of a row, which the page has of some rows, and the command has of all.
const life = (list, key) => {
  const box = el("details", { className: "life" }, el("summary", { textContent: "Step by step" }));
  box.addEventListener("toggle", async () => {
    if (!box.open || box.childElementCount > 1) return;
    const parts = list.lives.includes(key) ? (await list.given("lives"))[key]
      : [["p", {}, `The page has the steps of ${number(list.lives.length)} rows of this list, those with doubts first; of this row they are told by `, ["code", {}, `rowsmith trace OUT ${key}`], "."]];
    box.append(...parts.map((part) => build(part)));
  });
  return box;
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
    const place = wanted.row ? (await list.given("index")).keys.indexOf(wanted.row) : -1;
    const found = filtered ? [] : { length: list.total, indexOf: (row) => row, slice: (from, till) => Array.from({ length: till - from }, (_, n) => from + n) };
    let rows = null, full = false, then = performance.now();
    if (filtered) {
      for await (const some of list.found(wanted.values, wanted.q, wanted.column)) {
        if (mine !== turn) return;
        for (const row of some) found.push(row);
        // What is found is shown while further rows are still looked for; a row that is wanted is waited for.
        const late = performance.now() - then > PATIENCE, more = found.length >= wanted.page * SIZE;
        if (place < 0 && !full && (more || (late && some.length))) {
          rows = await fill(list, wanted, found, mine);
          full = more;
        }
        if (!late) continue;
        count.value = `${number(found.length)} rows so far …`;
        await new Promise((go) => setTimeout(go));
        then = performance.now();
      }
    }
    if (mine !== turn) return;
    const at = place < 0 ? -1 : found.indexOf(place);
    // A row is shown whatever was filtered before.
    if (place >= 0 && at < 0) return show({ ...wanted, values: {}, q: "", column: "" }, move);
    if (at >= 0) wanted.page = Math.floor(at / SIZE) + 1;
    const total = found.length;
    wanted.page = Math.min(wanted.page, Math.max(1, Math.ceil(total / SIZE)));
    shown = { length: total };
    tell(list, total);
    const chosen = full ? rows : await fill(list, wanted, found, mine);
    if (mine !== turn) return;
    list.empty.hidden = total > 0;
    list.empty.textContent = list.total ? "No row has all of this." : list.nothing;
    if (move === "top" && bar.getBoundingClientRect().top < 1) list.section.scrollIntoView({ block: "start" });
    choose(place >= 0 ? chosen[at % SIZE] : { first: chosen[0], last: chosen.at(-1) }[move]);
    document.body.dataset.shown = address(wanted);
    performance.mark("shown");
  } catch (error) {
    if (mine === turn) count.value = String(error.message);
  }
};
// The rows of the page that is wanted; the first ones stand there while files with further ones are on their way.
const fill = async (list, wanted, found, mine) => {
  const numbers = found.slice((wanted.page - 1) * SIZE, Math.min(found.length, wanted.page * SIZE)), chosen = [];
  let heading = "";
  list.box.ariaBusy = "true";
  for (let n = 0; n < numbers.length || !n; n += AT_ONCE) {
    const rows = await list.rows(numbers.slice(n, n + AT_ONCE)), nodes = [];
    if (mine !== turn) return chosen;
    rows.forEach((row, m) => {
      if (row[2] && row[2] !== heading) nodes.push(el("h3", { textContent: row[2] }));
      heading = row[2];
      chosen.push(article(list, numbers[n + m], row));
      nodes.push(chosen.at(-1));
    });
    if (n) list.box.append(...nodes);
    else list.box.replaceChildren(...nodes);
    if (!n) performance.mark("first");
  }
  list.box.ariaBusy = "false";
  marked(list.box, wanted.q);
  return chosen;
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
bar.addEventListener("focusin", () => lists.get(state.list).given("index").catch(() => {}));
search.addEventListener("focus", () => ahead());
const ahead = async () => {
  const list = lists.get(state?.list);
  for (let n = 0; n < (list?.finds ?? 0); n++) await list.text(n).catch(() => {});
};
let typing = 0;
search.addEventListener("input", () => {
  clearTimeout(typing);
  typing = setTimeout(() => go({ ...state, q: search.value.trim(), page: 1, row: "" }, "top", true), 60);
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
  else if (event.key === "t") for (const box of document.querySelectorAll(".current > .life")) box.open = !box.open;
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
const keys = build(["p", {}, ["kbd", {}, "/"], " search · ", ["kbd", {}, "j"], " ", ["kbd", {}, "k"], " next and previous row · ", ...([...lists.values()].some(({ lives }) => lives.length) ? [["kbd", {}, "t"], " its steps · "] : []), ["kbd", {}, "Esc"], " show all · words in quotes stand together"]);
const begin = async () => {
  const here = document.querySelector('script[data-name="pictures"]');
  for (const [place, data] of here ? await load("pictures") : []) held.set(place, data);
  const header = el("header", {}, el("p", { className: "kind", textContent: shell.kind }), el("h1", { textContent: shell.title }));
  header.append(build(["div", { class: "figures" }, ...shell.figures]), ...shell.head.map((part) => build(part)));
  document.body.append(header, ...(lists.size ? [tabs, bar] : []), ...[...lists.values()].map((list) => list.section), el("footer", { className: "end" }, ...shell.foot.map((part) => build(part)), keys));
  if (lists.size) await show(read(location.hash));
  // So that the first search does not wait for what it looks through.
  setTimeout(ahead, 1000);
};
begin();
