// Sliders with a field for the number beside each.
/** From the place of a slider, 0 to 1, to the value of a parameter, and back. */
function scale({ default: start, min, max }) {
  // a straight scale where the value lies well within its bounds
  if (max - min <= 100 && (start - min) / (max - min) >= 0.05) {
    return { value: (s) => min + s * (max - min), place: (x) => (x - min) / (max - min) };
  }
  if (min < 0) {
    const reach = 10 * Math.abs(start) || 1;
    const [low, high] = [Math.max(min, -reach), Math.min(max, reach)];
    return { value: (s) => low + s * (high - low), place: (x) => (x - low) / (high - low) };
  }
  // decades around the value that the law has; zero, where it is allowed, at the left end
  const middle = start > 0 ? start : 1;
  const low = Math.log10(Math.max(middle / 1e3, min || middle / 1e3));
  const high = Math.log10(Math.min(middle * 1e3, max));
  const value = (s) => (s <= 0 && min === 0 ? 0 : 10 ** (low + s * (high - low)));
  const place = (x) => (x <= 0 ? 0 : Math.min(1, Math.max(0, (Math.log10(x) - low) / (high - low))));
  return { value, place };
}

/** A number as it stands in a field: four digits. */
function entry(x) {
  const rounded = Number(x.toPrecision(4));
  const size = Math.abs(rounded);
  return size >= 1e5 || (size > 0 && size < 1e-3) ? rounded.toExponential().replace("e+", "e") : String(rounded);
}

/** A row with the name of a quantity, a slider and a field for its number; `of` tells apart what is on the page. */
function control({ of, name, unit, doc, default: start, min, max }, change) {
  const row = document.createElement("div");
  row.className = "control";
  const id = `${of}-${name}`;
  const label = document.createElement("label");
  label.htmlFor = id;
  label.textContent = name;
  label.title = doc;
  const slider = Object.assign(document.createElement("input"), { type: "range", min: 0, max: 1, step: 0.001 });
  slider.setAttribute("aria-label", `${name}: ${doc}`);
  const field = Object.assign(document.createElement("input"), { type: "number", id, step: "any", min, max });
  const text = document.createElement("span");
  text.className = "unit";
  text.textContent = unit === "-" ? "" : unit;
  const { value, place } = scale({ default: start, min, max });
  // the place of a slider is a share of its length, which tells a listener nothing
  const say = (x) => slider.setAttribute("aria-valuetext", `${entry(x)} ${text.textContent}`.trim());
  const show = (x) => {
    field.value = entry(x);
    field.setAttribute("aria-invalid", "false");
    slider.value = place(x);
    say(x);
  };
  show(start);
  slider.addEventListener("input", () => {
    const x = Number(value(Number(slider.value)).toPrecision(4));
    field.value = entry(x);
    field.setAttribute("aria-invalid", "false");
    say(x);
    change(x);
  });
  field.addEventListener("input", () => {
    const x = Number(field.value);
    const good = field.value !== "" && x >= min && x <= max;
    field.setAttribute("aria-invalid", String(!good));
    if (!good) return;
    slider.value = place(x);
    say(x);
    change(x);
  });
  row.append(label, slider, field, text);
  return { row, set: show };
}
