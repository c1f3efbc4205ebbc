"use strict";
// A page of rows, or of data, that the first page has opened in a frame gives it what it holds, as plain values.
(() => {
  if (window.parent === window) return;
  const data = document.getElementById("data");
  const attributes = (node) => Object.fromEntries([...node.attributes].map(({ name, value }) => [name, value]));
  const tree = (node) =>
    node.nodeType === Node.TEXT_NODE ? node.data : [node.localName, attributes(node), ...[...node.childNodes].map(tree)];
  // Those whose numbers stand in the address, each with its number and the heading above it.
  const rows = () => {
    const wanted = new Set(location.hash.slice(1).split(",").map(Number)), found = [];
    let heading = "";
    for (const node of document.querySelectorAll(".rows > *")) {
      const number = Number(node.id.split("-").pop());
      if (node.localName === "h3") heading = node.textContent;
      else if (wanted.has(number)) found.push([number, heading, tree(node)]);
    }
    return found;
  };
  window.parent.postMessage(data ? JSON.parse(data.textContent) : rows(), "*");
})();
