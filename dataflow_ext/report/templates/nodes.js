// Nodes of the parts that data describe: known elements and attributes, and texts.
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
