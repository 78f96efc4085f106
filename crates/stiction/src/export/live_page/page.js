// The page of a law: sliders change its parameters, and everything is computed anew.
const about = JSON.parse(document.getElementById("law-data").textContent);

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

/** A row with the name of a quantity, a slider and a field for its number; `of` tells the law from the rig. */
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
  const show = (x) => {
    field.value = entry(x);
    slider.value = place(x);
  };
  show(start);
  slider.addEventListener("input", () => {
    const x = Number(value(Number(slider.value)).toPrecision(4));
    field.value = entry(x);
    change(x);
  });
  field.addEventListener("input", () => {
    const x = Number(field.value);
    const good = field.value !== "" && x >= min && x <= max;
    field.setAttribute("aria-invalid", String(!good));
    if (!good) return;
    slider.value = place(x);
    change(x);
  });
  row.append(label, slider, field, text);
  return { row, set: show };
}

/** The values that the address gives after its #, such as #fc=2&fs=3; those that the law cannot have are left out. */
function fromAddress(law) {
  const given = new URLSearchParams(location.hash.slice(1));
  law.parameters.forEach((p, k) => {
    const x = Number(given.get(p.name) ?? NaN);
    if (x >= p.min && x <= p.max) law.values[k] = x;
  });
}

function start(law) {
  fromAddress(law);
  const by = (id) => document.getElementById(id);
  const { speed, length, stiffness } = about.scales;
  // a law without friction leaves nothing to scale by
  const peak = about.scales.peak > 0 ? about.scales.peak : 1;
  // times and masses follow from the scales of the law: a body that the bristles carry swings in a thirtieth of the break-away test
  const time = (200 * length) / speed;
  const mass = stiffness ? stiffness * (time / 200) ** 2 : (peak * time) / (50 * speed);
  const soft = stiffness ? Math.min(stiffness / 1e3, peak / (20 * length)) : peak / (20 * length);
  const rig = { mass, stiffness: soft, speed: 0.3 * speed };
  let pending = false;
  const draw = () => {
    pending = false;
    const broken = law.broken(about.conditions);
    by("condition").textContent = broken.length > 0 ? `The law holds for ${broken.join(", ")}: not so now.` : "";
    const { speed: v, force: f, length: l } = about.units;
    const reach = about.reach * speed;
    plot(by("steady"), { x: `v [${v}]`, y: `F [${f}]`, lines: [{ points: steadyCurve(law, reach), style: "a" }] });
    const loops = [5, 1.5, 0.5].map((k, j) => ({ points: loop(law, k * length, 0.01 * speed), style: "abc"[j] }));
    plot(by("loops"), { x: `x [${l}]`, y: `F [${f}]`, lines: loops });
    const test = breakAway(law, { mass: rig.mass, rate: (1.6 * peak) / time, end: time });
    const lines = [{ points: test.applied, style: "soft" }, { points: test.friction, style: "a" }];
    plot(by("breakaway"), { x: "t [s]", y: `F [${f}]`, lines, mark: test.top });
    by("breakaway-text").textContent = `Largest friction: ${short(test.top[1])} ${f} after ${short(test.top[0])} s.`;
    const end = (6 * peak) / (rig.stiffness * rig.speed);
    const pulled = stickSlip(law, { ...rig, end });
    plot(by("stick-slip"), { x: "t [s]", y: `spring [${f}]`, lines: [{ points: pulled.spring, style: "a" }] });
    by("stick-slip-text").textContent =
      `Slower than a tenth of the pull ${Math.round(100 * pulled.slow)} % of the time, fastest ${short(pulled.fastest)} ${v}; ` +
      `samples of ${short(pulled.dt)} s, a tenth of it while it slips.`;
    const changed = law.parameters
      .map((p, k) => [p.name, law.values[k], about.values[k]])
      .filter(([, value, given]) => value !== given)
      .map(([name, value]) => `${name}=${value}`);
    by("command").textContent = [`stiction curve ${about.source}`, ...changed.map((text) => `--set ${text}`), "--plot"].join(" ");
    history.replaceState(null, "", changed.length > 0 ? `#${changed.join("&")}` : location.pathname + location.search);
    document.body.dataset.drawn = String(Number(document.body.dataset.drawn ?? 0) + 1);
  };
  const later = () => {
    if (!pending) requestAnimationFrame(draw);
    pending = true;
  };
  const rows = law.parameters.map((p, k) =>
    control({ of: "law", ...p }, (x) => {
      law.values[k] = x;
      later();
    }),
  );
  rows.forEach((row, k) => row.set(law.values[k]));
  by("parameters").append(...rows.map((row) => row.row));
  const given = { ...rig };
  const quantity = (name, unit, doc) => {
    const value = given[name];
    const of = { of: "rig", name, unit, doc, default: value, min: value / 1e6, max: value * 1e6 };
    return control(of, (x) => {
      rig[name] = x;
      later();
    });
  };
  const rigRows = {
    mass: quantity("mass", about.units.mass, "Mass of the body"),
    stiffness: quantity("stiffness", about.units.stiffness, "Stiffness of the spring that pulls it"),
    speed: quantity("speed", about.units.speed, "Speed at which the end of the spring moves"),
  };
  by("rig").append(...Object.values(rigRows).map((row) => row.row));
  by("reset").addEventListener("click", () => {
    law.parameters.forEach((p, k) => {
      law.values[k] = about.values[k];
      rows[k].set(about.values[k]);
    });
    Object.assign(rig, given);
    for (const [name, row] of Object.entries(rigRows)) row.set(given[name]);
    later();
  });
  draw();
}

const bytes = Uint8Array.from(atob(about.module), (c) => c.charCodeAt(0));
WebAssembly.instantiate(bytes).then(
  ({ module, instance }) => start(new Law(module, instance)),
  (error) => {
    document.getElementById("condition").textContent = `This browser cannot run the law: ${error.message}`;
  },
);
