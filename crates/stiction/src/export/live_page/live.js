// A live part: sliders change a law's parameters, and everything is computed anew.

/** What a part shows, and its law ready to run; where the browser cannot run it, the part says so, and there is nothing. */
async function lawOf(root) {
  const about = JSON.parse(root.querySelector("script").textContent);
  const bytes = Uint8Array.from(atob(about.module), (c) => c.charCodeAt(0));
  try {
    const { module, instance } = await WebAssembly.instantiate(bytes);
    return { about, law: new Law(module, instance) };
  } catch (error) {
    root.querySelector('[data-part="condition"]').textContent = `This browser cannot run the law: ${error.message}`;
    return null;
  }
}

/**
 * Makes one part live, at first with `values` by key; those that the law cannot have are left out. `name` tells its fields from those of other
 * parts. `moved` is called after every drawing with the keys and values that differ from those given. Returns a function that sets values.
 */
function start(root, { about, law }, { name, values, moved }) {
  const by = (part) => root.querySelector(`[data-part="${part}"]`);
  const { speed, length, stiffness } = about.scales;
  // a law without friction leaves nothing to scale by
  const peak = about.scales.peak > 0 ? about.scales.peak : 1;
  // times and masses follow from the scales of the law: a body that the bristles carry swings in a thirtieth of the break-away test, and the test
  // of a heavier one is as much slower, so that its friction follows the force and not its inertia
  const shortest = (200 * length) / speed;
  const mass = about.mass ?? (stiffness ? stiffness * (shortest / 200) ** 2 : (peak * shortest) / (50 * speed));
  const time = Math.max(shortest, stiffness ? 200 * Math.sqrt(mass / stiffness) : (50 * speed * mass) / peak);
  const soft = stiffness ? Math.min(stiffness / 1e3, peak / (20 * length)) : peak / (20 * length);
  const rig = { load: about.load.default, mass, stiffness: soft, speed: 0.3 * speed };
  const given = { ...rig };
  const { speed: v, force: f, length: l } = about.units;
  const curves = () => {
    law.load = rig.load;
    const loops = [5, 1.5, 0.5].map((k, j) => ({ points: loop(law, k * length, 0.01 * speed), style: "abc"[j], name: `± ${quantityText(k * length, l)}` }));
    const test = breakAway(law, { mass: rig.mass, rate: (1.6 * peak) / time, end: time });
    const pulled = stickSlip(law, { ...rig, end: (6 * peak) / (rig.stiffness * rig.speed) });
    return { steady: steadyCurve(law, about.reach * speed), loops, test, pulled };
  };
  // what the law does with the values given stays in sight as a thin line: axes follow the curves, so that a change of size is not seen otherwise
  const before = curves();
  const figures = Object.fromEntries(["steady", "loops", "breakaway", "stick-slip"].map((name) => [name, liveFigure(by(name))]));
  let pending = false;
  const draw = () => {
    pending = false;
    const broken = law.broken(about.conditions);
    by("condition").textContent = broken.length > 0 ? `The law holds for ${broken.join(", ")}: not so now.` : "";
    const now = curves();
    const moves = about.values.some((value, k) => value !== law.values[k]) || Object.keys(given).some((key) => given[key] !== rig[key]);
    const withBefore = (lines, others) => (moves ? [...others.map((points, k) => ({ points, style: "before", name: k === 0 ? "as given" : undefined })), ...lines] : lines);
    const name = moves ? "now" : undefined;
    const reach = about.reach * speed;
    figures.steady({ x: ["v", v], y: ["F", f], lines: withBefore([{ points: now.steady, style: "a", name }], [before.steady]) });
    figures.loops({ x: ["x", l], y: ["F", f], lines: withBefore(now.loops, before.loops.map((line) => line.points)) });
    const { test, pulled } = now;
    const lines = [{ points: test.applied, style: "soft", name: "applied force" }, { points: test.friction, style: "a", name: "friction" }];
    figures.breakaway({ x: ["t", "s"], y: ["F", f], lines: withBefore(lines, [before.test.friction]), mark: test.slides ? test.top : undefined });
    by("breakaway-text").textContent = test.slides
      ? `Largest friction: ${quantityText(test.top[1], f)} after ${quantityText(test.top[0], "s")}.`
      : "Friction follows the force all the way: nothing breaks away.";
    figures["stick-slip"]({ x: ["t", "s"], y: ["spring", f], lines: withBefore([{ points: pulled.spring, style: "a", name }], [before.pulled.spring]) });
    by("stick-slip-text").textContent =
      `Slower than a tenth of the pull ${Math.round(100 * pulled.slow)} % of the time, fastest ${quantityText(pulled.fastest, v)}; ` +
      `samples of ${quantityText(pulled.dt, "s")}, a tenth of it while it slips.`;
    const changed = about.keys
      .map((key, k) => [key, law.values[k], about.values[k]])
      .filter(([, value, given]) => value !== given)
      .map(([key, value]) => [key, value]);
    const load = rig.load === 1 ? [] : [`--load ${rig.load}`];
    const range = `--range ${entry(-reach)}:${entry(reach)}:401`;
    const options = [...changed.map(([key, value]) => `--set ${key}=${value}`), ...load, range, "--plot"];
    by("command").textContent = [`stiction curve ${about.source}`, ...options].join(" ");
    moved(changed);
    root.dataset.drawn = String(Number(root.dataset.drawn ?? 0) + 1);
  };
  const later = () => {
    if (!pending) requestAnimationFrame(draw);
    pending = true;
  };
  const rows = law.parameters.map((p, k) =>
    control({ ...p, of: name, name: about.keys[k] }, (x) => {
      law.values[k] = x;
      later();
    }),
  );
  by("parameters").append(...rows.map((row) => row.row));
  const quantity = (key, unit, doc, bounds) => {
    const value = given[key];
    const { min, max } = bounds ?? { min: value / 1e6, max: value * 1e6 };
    return control({ of: `${name}-rig`, name: key, unit, doc, default: value, min, max }, (x) => {
      rig[key] = x;
      later();
    });
  };
  const rigRows = {
    load: quantity("load", "-", "Load on the contact", about.load),
    mass: quantity("mass", about.units.mass, "Mass of the body"),
    stiffness: quantity("stiffness", about.units.stiffness, "Stiffness of the spring that pulls it"),
    speed: quantity("speed", about.units.speed, "Speed at which the end of the spring moves"),
  };
  by("rig").append(...Object.values(rigRows).map((row) => row.row));
  by("reset").addEventListener("click", () => {
    about.values.forEach((value, k) => {
      law.values[k] = value;
      rows[k].set(value);
    });
    Object.assign(rig, given);
    for (const [key, row] of Object.entries(rigRows)) row.set(given[key]);
    later();
  });
  const assign = (values) => {
    law.parameters.forEach((p, k) => {
      const x = Number(values[about.keys[k]] ?? NaN);
      if (x >= p.min && x <= p.max && x !== law.values[k]) {
        law.values[k] = x;
        rows[k].set(x);
      }
    });
  };
  assign(values);
  draw();
  return (other) => {
    assign(other);
    later();
  };
}

/** A plot that can be looked into; gives the function that draws it anew. A part that is in sight stays so while sliders move. */
function liveFigure(svg) {
  let content = null;
  const draw = () => {
    plotInScaledUnits(svg, { ...content, view: explorer.view ?? undefined });
    explorer.refresh();
  };
  const explorer = explore(svg, draw);
  svg.after(explorer.below);
  return (next) => {
    const units = svg.drawn && [svg.drawn.x, svg.drawn.y].join();
    content = next;
    draw();
    // numbers of the axes in another unit are of no use
    if (explorer.view && units !== [svg.drawn.x, svg.drawn.y].join()) {
      explorer.view = null;
      draw();
    }
  };
}
