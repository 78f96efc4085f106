// Elements of a page. Everything that comes from outside becomes text, never markup.

/** An element; properties that begin with "on" are listeners, children are elements or text. */
export function h(name, properties = {}, ...children) {
  const node = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === undefined || value === null || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else if (key === "class") node.className = value;
    else if (key in node && typeof value !== "string") node[key] = value;
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.flat(Infinity).filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

export const svg = (label, cls = "") => {
  const node = element("svg", { role: "img", "aria-label": label });
  if (cls) node.setAttribute("class", cls);
  return node;
};

/** A number in a table: five digits; nothing for what is not known. */
export function number(x) {
  if (typeof x !== "number" || !Number.isFinite(x)) return "";
  const size = Math.abs(x);
  const rounded = Number(x.toPrecision(5));
  return size !== 0 && (size >= 1e6 || size < 1e-3) ? rounded.toExponential().replace("e+", "e") : String(rounded);
}

/** A table with heads; numbers stand right. */
export function table(heads, rows) {
  const cell = (x) => (typeof x === "number" ? h("td", { class: "number" }, number(x)) : h("td", {}, x ?? ""));
  return h("div", { class: "scroll", tabindex: "0" },
    h("table", {}, h("thead", {}, h("tr", {}, heads.map((head) => h("th", { scope: "col" }, head)))),
      h("tbody", {}, rows.map((row) => h("tr", {}, row.map(cell))))));
}

/** A field with a label and an explanation. */
export function field(label, input, note) {
  return h("label", {}, label, input, note ? h("span", {}, note) : null);
}

export const textInput = (value = "", more = {}) => h("input", { type: "text", value, spellcheck: "false", autocomplete: "off", ...more });

export function select(options, chosen, more = {}) {
  return h("select", more, options.map(([value, text]) => h("option", { value, selected: value === chosen }, text)));
}
