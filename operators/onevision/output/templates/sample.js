"use strict";
(() => {
  const main = document.querySelector("main");
  const header = main.dataset.header.split(",");
  const groups = [...document.querySelectorAll(".ticks")];
  const save = document.getElementById("save"), area = document.getElementById("csv"), count = document.getElementById("count");

  // A sheet program must not take a cell for a formula.
  const cell = (value) => {
    const text = /^'*[=+\-@\t\r＝＋－＠]/.test(value) ? "'" + value : value;
    return /[",\n\r]/.test(text) ? '"' + text.replaceAll('"', '""') + '"' : text;
  };
  const ticked = (group, name) => group.querySelector(`input[name="${name}"]`).checked;
  const note = (group) => group.querySelector('input[name="note"]').value.trim();
  const faults = header.filter((name) => !["id", "verdict", "reviewed", "note"].includes(name));
  const done = (group) => ticked(group, "good") || faults.some((name) => ticked(group, name)) || note(group) !== "";

  const csv = () => {
    const rows = groups.filter(done).map((group) => [
      group.dataset.id, group.dataset.verdict, ticked(group, "good") ? "good" : faults.some((name) => ticked(group, name)) ? "bad" : "noted",
      ...faults.map((name) => (ticked(group, name) ? "1" : "0")), note(group),
    ]);
    return [header, ...rows].map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
  };
  const tell = () => {
    const number = groups.filter(done).length;
    count.textContent = `${number} of ${groups.length} reviewed`;
    save.disabled = number === 0;
    area.value = csv();
  };
  main.addEventListener("input", (event) => {
    const group = event.target.closest(".ticks");
    // Good and faulty exclude each other; the last tick counts.
    if (group && event.target.checked && event.target.name === "good") {
      for (const name of faults) group.querySelector(`input[name="${name}"]`).checked = false;
    } else if (group && event.target.checked && faults.includes(event.target.name)) {
      group.querySelector('input[name="good"]').checked = false;
    }
    tell();
  });
  document.getElementById("text").addEventListener("click", () => { area.hidden = !area.hidden; });
  save.addEventListener("click", () => {
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob(["\ufeff" + csv()], { type: "text/csv" }));
    link.download = "review.csv";
    link.click();
    URL.revokeObjectURL(link.href);
  });
  tell();
})();
