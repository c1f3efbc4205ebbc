// The lists of the page: their rows, and what they are searched and filtered by, loaded when they are needed.
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
  // The keys with what they are filtered by ("index"), or lives of rows.
  given(what) { return (this[`${what}Given`] ??= load(`${this.name}-${what}`)); }
  // What search looks through: some megabytes at a time, with the place in them at which each row begins.
  text(n) {
    this.texts ??= [];
    return (this.texts[n] ??= load(`${this.name}-find-${pad(n + 1)}`).then((text) => {
      const starts = [0];
      for (let at = text.indexOf(ROW_END); at >= 0; at = text.indexOf(ROW_END, at + 1)) starts.push(at + 1);
      return { text, starts };
    }));
  }
  // The rows that are found, as the files arrive that they are looked for in.
  async *found(values, q, column) {
    // Long words are rare: few rows are left to look for the others in.
    const tests = [], looked = searched(q).sort((one, other) => other.length - one.length), at = this.columns.indexOf(column);
    for (const [name, value] of Object.entries(values)) {
      const choice = this.menus_of(name)?.choices.find(([path]) => path.join(" › ") === value);
      if (!choice) continue;
      const [, , , first, last] = choice, numbers = (await this.given("index")).facets[name], has = (n) => first <= n && n <= last;
      tests.push((row) => (Array.isArray(numbers[row]) ? numbers[row].some(has) : has(numbers[row])));
    }
    const fits = (rows) => rows.filter((row) => tests.every((test) => test(row)));
    if (!looked.length) return yield fits(Array.from({ length: this.total }, (_, row) => row));
    for (let n = 0, first = 0; n < this.finds; n++) {
      const { text, starts } = await this.text(n);
      if (n + 1 < this.finds) this.text(n + 1).catch(() => {});
      let rows = null;
      for (const word of looked) rows = holding(text, starts, word, at, rows);
      yield fits(rows.map((row) => row + first));
      first += starts.length;
    }
  }
  menus_of(name) { return this.offered.find((each) => each.name === name); }
}
// The rows of a text, of these or all, that have a word, in this column or any.
const holding = (text, starts, word, column, among) => {
  const rows = [], end = (row) => starts[row + 1] ?? text.length + 1;
  if (among) {
    for (const row of among) if (column < 0 ? text.slice(starts[row], end(row)).includes(word) : text.slice(starts[row], end(row)).split(FIELD_END)[column]?.includes(word)) rows.push(row);
    return rows;
  }
  let row = 0;
  for (let at = text.indexOf(word); at >= 0; ) {
    while (end(row) <= at) row++;
    const fits = column < 0 || text.slice(starts[row], at).split(FIELD_END).length - 1 === column;
    if (fits) rows.push(row);
    // The next row, unless this one may have the word in the right column further on.
    at = text.indexOf(word, fits ? end(row) : at + 1);
  }
  return rows;
};
// The words that are looked for, in the form in which texts were put; in quotes they stand together.
const searched = (q) => [...q.normalize("NFKC").toLowerCase().matchAll(/"([^"]+)"|(\S+)/g)].map(([, whole, word]) => (whole ?? word).replace(/\s+/g, " ").trim()).filter(Boolean);

const lists = new Map(shell.lists.map((told) => [told.name, new List({ ...told, offered: told.menus })]));
