
"use strict";
const rounds = Array.from(document.querySelectorAll(".check"));
const all = (round, selector) => Array.from(round.querySelectorAll(selector));
const chosen = (round, name) => (round.querySelector("." + name + ":checked") || { value: "" }).value;
const told = { open: "", right: "right as read", changed: "changed", bad: "give three whole numbers, or none" };
let saved = true;

/* The labels of a round as it stands; numbers are null if they are neither three nor none. */
function labels(round) {
  /* Input methods write full-width digits too. */
  const numbers = all(round, ".number").map((field) => field.value.normalize("NFKC").trim());
  const whole = numbers.every((text) => /^[0-9]{1,9}$/.test(text));
  const none = numbers.every((text) => text === "");
  return [whole ? numbers.map(Number).join(" ") : none ? "" : null, chosen(round, "light"), chosen(round, "answer")];
}

/* The round as the page was written: browsers put back what was typed before a reload. */
function reset(round) {
  for (const field of all(round, "input")) {
    field.value = field.defaultValue;
    field.checked = field.defaultChecked;
  }
}

rounds.forEach(reset);
const asRead = new Map(rounds.map((round) => [round, labels(round).join("|")]));

function mark(round, state) {
  round.dataset.state = state;
  round.querySelector(".state").textContent = told[state];
  const done = rounds.filter((each) => ["right", "changed"].includes(each.dataset.state));
  const changed = done.filter((each) => each.dataset.state === "changed").length;
  const bad = rounds.filter((each) => each.dataset.state === "bad").length;
  document.getElementById("count").textContent = done.length + " of " + rounds.length + " checked" +
    (changed ? ", " + changed + " changed" : "") + (bad ? ", " + bad + " incomplete" : "");
  document.getElementById("save").disabled = !done.length;
}

function confirm(round) {
  const values = labels(round);
  mark(round, values[0] === null ? "bad" : values.join("|") === asRead.get(round) ? "right" : "changed");
  saved = false;
  return values[0] !== null;
}

function go(place) {
  const round = rounds[place];
  if (!round) return;
  round.focus({ preventScroll: true });
  round.scrollIntoView({ block: "start" });
}

function cell(value) {
  /* A sheet program must not take a cell for a formula; labels are read without the sign before it. */
  const text = /^'*[=+\-@\t\r＝＋－＠]/.test(value) ? "'" + value : value;
  return /[",;\t\r\n]|^\s|\s$/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
}

function csv() {
  const done = rounds.filter((round) => ["right", "changed"].includes(round.dataset.state));
  const rows = done.map((round) =>
    [round.dataset.device, round.dataset.episode, round.dataset.round, ...labels(round)].map(cell).join(","));
  return [document.querySelector("main").dataset.header, ...rows].join("\r\n") + "\r\n";
}

function save() {
  const link = document.createElement("a");
  /* With a byte order mark, so that spreadsheets read names in any language. */
  link.href = URL.createObjectURL(new Blob(["\ufeff", csv()], { type: "text/csv" }));
  link.download = "labels.csv";
  document.body.append(link);
  link.click();
  link.remove();
  saved = true;
}

rounds.forEach((round, place) => {
  round.addEventListener("input", () => confirm(round));
  round.querySelector(".confirm").addEventListener("click", () => { if (confirm(round)) go(place + 1); });
});

document.addEventListener("keydown", (event) => {
  const round = document.activeElement && document.activeElement.closest(".check");
  const place = rounds.indexOf(round);
  const radio = event.target.type === "radio";
  if (event.ctrlKey || event.altKey || event.metaKey || event.isComposing) return;
  if (event.key === "Enter" && event.target.tagName !== "BUTTON" && round) {
    event.preventDefault();
    if (confirm(round)) go(place + 1);
  } else if (event.key === "Escape" && round) {
    reset(round);
    mark(round, "open");
  } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && !radio && event.target.tagName !== "TEXTAREA") {
    event.preventDefault();
    go(round ? place + (event.key === "ArrowDown" ? 1 : -1) : 0);
  }
});

document.getElementById("save").addEventListener("click", save);
document.getElementById("text").addEventListener("click", () => {
  const area = document.getElementById("csv");
  area.hidden = !area.hidden;
  area.value = csv();
});
window.addEventListener("beforeunload", (event) => { if (!saved) event.preventDefault(); });
mark(rounds[0], "open");
go(0);
window.scrollTo(0, 0);
