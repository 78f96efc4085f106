// Looking into a plot: values at the pointer or at a cursor that keys move, a part of it by dragging, and back to the whole.

/** Name and unit of an axis such as "t [s]". */
function axisParts(label) {
  const parts = label.match(/^(.*?)\s*\[(.*)\]$/);
  return parts ? { name: parts[1], unit: parts[2] === "-" ? "" : parts[2] } : { name: label, unit: "" };
}

/** A value as it is read from a plot: as many digits as a thousandth of the axis has, four at least. */
function reading(x, [low, high], unit) {
  const size = Math.max(Math.abs(x), 1e-300);
  const digits = Math.min(12, Math.max(4, Math.ceil(Math.log10(size / (high - low))) + 3));
  const rounded = Number(x.toPrecision(digits));
  const far = rounded !== 0 && (Math.abs(rounded) >= 1e6 || Math.abs(rounded) < 1e-4);
  return `${far ? rounded.toExponential().replace("e+", "e") : rounded}${unit ? ` ${unit}` : ""}`;
}

/** Whether all lines go from left to right, so that there is one value of each at a place. */
function goesRight(drawn) {
  drawn.goesRight ??= drawn.lines.every(({ points }) => points.every((p, k) => k === 0 || !(p[0] < points[k - 1][0])));
  return drawn.goesRight;
}

/** The point of a line that goes right which is nearest to a place; none where it has no values. */
function nearestAt(points, x) {
  let [low, high] = [0, points.length - 1];
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (points[middle][0] <= x) low = middle;
    else high = middle;
  }
  const near = [points[low], points[high]].filter((p) => p && Number.isFinite(p[1]));
  return near.sort((a, b) => Math.abs(a[0] - x) - Math.abs(b[0] - x))[0];
}

const KEYS_OF_PLOTS = "Arrow keys read values; plus and minus look closer and wider; Shift with arrow keys moves; 0 shows all";

/**
 * Makes a plot readable by pointer, touch and keys. `look` is called with the view to be drawn, or with null for all of it, and draws. Gives what
 * belongs below the plot, and `refresh`, which is to be called after every drawing.
 */
function explore(svg, look) {
  const node = (name, cls) => Object.assign(document.createElement(name), { className: cls });
  const [below, legend, said, tools] = [node("div", "below"), node("div", "legend"), node("output", "reading"), node("span", "tools")];
  let [view, from, mark, cursor, over] = [null, null, null, null, null];
  const { left, right, top, bottom } = FRAME;
  svg.setAttribute("tabindex", "0");
  svg.setAttribute("role", "application");
  svg.setAttribute("aria-roledescription", "plot");
  svg.setAttribute("aria-description", KEYS_OF_PLOTS);

  // in a cell of a notebook the plot is in a tree of its own
  const focused = () => svg.getRootNode().activeElement === svg;
  const show = (next) => {
    view = next;
    look(view);
  };
  // what was asked for, which may not be drawn yet: keys come faster than rows of a long record
  const inSight = () => ({ xs: view?.x ?? svg.drawn.xs, ys: view?.y ?? svg.drawn.ys });
  /** The window of the horizontal axis about a place in it, narrower or wider by a factor. */
  const zoom = (factor, about) => {
    const { xs, ys } = inSight();
    const [whole, wholeHeights] = svg.whole;
    const middle = about ?? (cursor ? cursor[0] : (xs[0] + xs[1]) / 2);
    const x = xs.map((end) => middle + factor * (end - middle));
    if (x[1] - x[0] >= whole[1] - whole[0]) return show(null);
    // as close as numbers can be told apart
    if (x[1] - x[0] < 1e-9 * Math.max(Math.abs(x[0]), Math.abs(x[1]))) return undefined;
    if (goesRight(svg.drawn)) return show({ x: within(x, whole) });
    const high = cursor ? cursor[1] : (ys[0] + ys[1]) / 2;
    return show({ x: within(x, whole), y: within(ys.map((end) => high + factor * (end - high)), wholeHeights) });
  };
  /** The same window, moved so that it lies within the whole. */
  const within = ([low, high], [least, most]) => {
    const by = Math.max(0, least - low) - Math.max(0, high - most);
    return [low + by, high + by];
  };
  const pan = (share) => {
    if (!view) return;
    const { xs } = inSight();
    show({ ...view, x: within(xs.map((end) => end + share * (xs[1] - xs[0])), svg.whole[0]) });
  };
  for (const [text, label, act] of [["◀", "earlier", () => pan(-0.5)], ["▶", "later", () => pan(0.5)], ["−", "wider", () => zoom(2)], ["+", "closer", () => zoom(0.5)], ["All", "the whole plot", () => show(null)]]) {
    const button = Object.assign(node("button", ""), { type: "button", textContent: text, title: label });
    button.setAttribute("aria-label", label);
    button.addEventListener("click", () => {
      act();
      // a button that has gone would take the focus with it
      if (!view) svg.focus();
    });
    tools.append(button);
  }
  tools.hidden = true;
  below.append(legend, said, tools);

  /** Reads the values at a place of the axes. */
  const read = (x, y) => {
    const { lines, px, py, xs, ys, x: xLabel, y: yLabel } = svg.drawn;
    over?.remove();
    const [xAxis, yAxis] = [axisParts(xLabel), axisParts(yLabel)];
    over = element("g", { class: "cursor" });
    const dot = (p) => over.append(element("circle", { cx: px(p[0]), cy: py(p[1]), r: 4 }));
    if (goesRight(svg.drawn)) {
      const found = lines.map((line) => [line, nearestAt(line.points, x)]).filter(([, p]) => p);
      if (found.length === 0) return;
      const at = found.map(([, p]) => p).sort((a, b) => Math.abs(a[0] - x) - Math.abs(b[0] - x))[0][0];
      over.append(element("line", { x1: px(at), x2: px(at), y1: top, y2: svg.frame.height - bottom }));
      found.forEach(([, p]) => dot(p));
      const values = found.map(([line, p]) => `${line.name ?? yAxis.name} = ${reading(p[1], ys, yAxis.unit)}`);
      said.textContent = `${xAxis.name} = ${reading(at, xs, xAxis.unit)}: ${values.join(", ")}`;
      cursor = [at, found[0][1][1]];
    } else {
      const far = (p) => (px(p[0]) - px(x)) ** 2 + (py(p[1]) - py(y)) ** 2;
      let best = null;
      for (const line of lines) {
        line.points.forEach((p, k) => {
          const distance = far(p);
          if (distance < (best?.distance ?? Infinity)) best = { distance, p, k, line };
        });
      }
      if (!best) return;
      dot(best.p);
      const name = best.line.name ? `${best.line.name}: ` : "";
      said.textContent = `${name}${xAxis.name} = ${reading(best.p[0], xs, xAxis.unit)}, ${yAxis.name} = ${reading(best.p[1], ys, yAxis.unit)}`;
      cursor = Object.assign([...best.p], { line: best.line, k: best.k });
    }
    svg.append(over);
  };
  const forget = () => {
    over?.remove();
    [over, cursor] = [null, null];
    said.textContent = "";
  };
  /** The next place that the keys lead to. */
  const step = (by) => {
    const { xs, ys, lines } = svg.drawn;
    if (!goesRight(svg.drawn)) {
      const line = cursor?.line ?? lines[0];
      const count = line.points.length;
      const next = line.points[((cursor?.k ?? 0) + by * Math.max(1, Math.round(count / 100)) + count) % count];
      return read(...next);
    }
    const x = (cursor?.[0] ?? (by > 0 ? xs[0] : xs[1])) + (by * (xs[1] - xs[0])) / 100;
    return read(Math.min(xs[1], Math.max(xs[0], x)), ys[0]);
  };
  const ACTIONS = {
    ArrowRight: () => step(1), ArrowLeft: () => step(-1), "Shift+ArrowRight": () => pan(0.25), "Shift+ArrowLeft": () => pan(-0.25),
    "+": () => zoom(0.5), "=": () => zoom(0.5), "-": () => zoom(2), "0": () => show(null), Escape: () => forget(),
  };
  svg.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const act = ACTIONS[`${event.shiftKey && event.key.startsWith("Arrow") ? "Shift+" : ""}${event.key}`];
    if (!act) return;
    event.preventDefault();
    act();
  });

  const at = (event) => {
    const box = svg.getBoundingClientRect();
    const { width, height } = svg.frame;
    const scale = width / box.width;
    const inside = (value, low, high) => Math.min(high, Math.max(low, value));
    return [inside((event.clientX - box.left) * scale, left, width - right), inside((event.clientY - box.top) * scale, top, height - bottom)];
  };
  const release = () => {
    mark?.remove();
    [from, mark] = [null, null];
  };
  svg.addEventListener("pointerdown", (event) => {
    if (event.button !== 0 || !svg.drawn) return;
    from = at(event);
    // a finger that taps does not move
    read(svg.drawn.px.back(from[0]), svg.drawn.py.back(from[1]));
    mark = element("rect", { class: "choice" });
    svg.append(mark);
    svg.setPointerCapture(event.pointerId);
  });
  svg.addEventListener("pointermove", (event) => {
    if (!svg.drawn) return;
    const [x, y] = at(event);
    read(svg.drawn.px.back(x), svg.drawn.py.back(y));
    if (!from) return;
    const tall = !goesRight(svg.drawn);
    const rectangle = { x: Math.min(x, from[0]), width: Math.abs(x - from[0]), y: tall ? Math.min(y, from[1]) : top, height: tall ? Math.abs(y - from[1]) : svg.frame.height - top - bottom };
    for (const [key, value] of Object.entries(rectangle)) mark.setAttribute(key, value);
  });
  svg.addEventListener("pointerup", (event) => {
    if (!from) return;
    const [begin, end] = [from, at(event)];
    release();
    const { px, py } = svg.drawn;
    const ends = (k, back) => [begin[k], end[k]].map((place) => back(place)).sort((a, b) => a - b);
    const tall = !goesRight(svg.drawn);
    if (Math.abs(end[0] - begin[0]) < 6 || (tall && Math.abs(end[1] - begin[1]) < 6)) return;
    show(tall ? { x: ends(0, px.back), y: ends(1, py.back) } : { x: ends(0, px.back) });
  });
  svg.addEventListener("pointercancel", release);
  // a finger leaves when it is lifted, and what it read is to be seen then
  svg.addEventListener("pointerleave", (event) => event.pointerType === "mouse" && !from && !focused() && forget());
  svg.addEventListener("blur", forget);
  svg.addEventListener("dblclick", () => show(null));
  svg.addEventListener("wheel", (event) => {
    // without the key the page scrolls
    if (!event.ctrlKey || !svg.drawn) return;
    event.preventDefault();
    zoom(event.deltaY > 0 ? 1.25 : 0.8, svg.drawn.px.back(at(event)[0]));
  }, { passive: false });

  /** What the legend says, and which buttons are of use. */
  const refresh = () => {
    const named = svg.drawn.lines.filter(({ name }) => name);
    legend.replaceChildren(...named.map(({ name, style }) => {
      const entry = node("span", "");
      entry.append(node("b", `${style.split(" ")[0]}-key`), name);
      return entry;
    }));
    tools.hidden = !view;
    if (cursor && focused()) read(...cursor);
    else forget();
  };
  return { below, refresh, get view() { return view; }, set view(next) { view = next; } };
}
