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
