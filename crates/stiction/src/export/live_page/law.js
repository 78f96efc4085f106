// A friction law that runs in the page: the functions of its WebAssembly module, which describes itself.
class Law {
  constructor(module, instance) {
    const [section] = WebAssembly.Module.customSections(module, "stiction");
    const about = JSON.parse(new TextDecoder().decode(section));
    this.parameters = about.parameters;
    this.functions = about.functions;
    this.rest = about.states.map(() => 0);
    this.raw = instance.exports;
    this.values = about.parameters.map((p) => p.default);
    this.load = 1;
  }
  /** The force of steady sliding. */
  steady(v) {
    return this.raw.steady(v, this.load, ...this.values);
  }
  /** Force and memory after a sample at constant velocity. */
  step(v, dt, memory) {
    if (!this.raw.step) return [this.raw.force(v, this.load, ...this.values), memory];
    const [force, ...after] = this.raw.step(v, this.load, dt, ...memory, ...this.values);
    return [force, after];
  }
  /** One step of a body under an applied force: velocity, friction, whether it is held, memory. */
  contact(v, dt, mass, applied, memory) {
    const [after, force, stuck, ...rest] = this.raw.contact(v, this.load, dt, mass, applied, ...memory, ...this.values);
    return { v: after, force, stuck: stuck === 1, memory: rest };
  }
  /** The conditions between parameters that do not hold. */
  broken(conditions) {
    if (conditions.length === 0) return [];
    const holds = this.raw.holds(...this.rest, ...this.values);
    return conditions.filter((_, k) => (conditions.length === 1 ? holds : holds[k]) !== 1);
  }
}

/** The steady curve from -reach to reach; at rest it jumps if the force does. */
function steadyCurve(law, reach, points = 200) {
  const side = (sign) => {
    // denser near rest, where curves bend most: speeds grow as the cube
    const speeds = Array.from({ length: points }, (_, k) => reach * ((k + 1) / points) ** 3);
    return speeds.map((v) => [sign * v, law.steady(sign * v)]);
  };
  return [...side(-1).reverse(), ...side(1)];
}

/** The loop of a law that is moved to and fro slowly: friction over displacement, after some cycles. */
function loop(law, amplitude, speed, cycles = 3, points = 400) {
  const omega = speed / amplitude;
  const dt = (2 * Math.PI) / omega / points;
  let memory = law.rest;
  const path = [];
  for (let k = 0; k < cycles * points; k++) {
    // the mean velocity of the sample, so that displacements are exact
    const at = (j) => amplitude * Math.sin(omega * j * dt);
    const v = (at(k + 1) - at(k)) / dt;
    let force;
    [force, memory] = law.step(v, dt, memory);
    if (k >= (cycles - 1) * points) path.push([at(k + 1), force]);
  }
  path.push(path[0]);
  return path;
}

/**
 * A force on a body at rest rises until the body slides: applied force and friction over time. A body that still rests, or nearly, at the end is
 * pushed twice as far, up to a thousand times; `slides` tells whether it broke away at all.
 */
function breakAway(law, { mass, rate, end }, points = 2000) {
  const first = ramp(law, { mass, rate, end }, points);
  let test = first;
  for (let more = 2; more <= 1024 && !test.slides; more *= 2) test = ramp(law, { mass, rate, end: more * end }, points);
  return test.slides ? test : first;
}

function ramp(law, { mass, rate, end }, points) {
  const dt = end / points;
  let [v, memory] = [0, law.rest];
  const friction = [];
  const applied = [];
  for (let k = 1; k <= points; k++) {
    const after = law.contact(v, dt, mass, rate * k * dt, memory);
    ({ v, memory } = after);
    friction.push([k * dt, after.force]);
    applied.push([k * dt, rate * k * dt]);
  }
  // the first peak, or what friction has come to when the body runs away: viscous friction may exceed it later
  let top = friction[0];
  for (const [k, point] of friction.entries()) {
    if (point[1] > top[1]) top = point;
    else if (point[1] < 0.98 * top[1]) break;
    if (applied[k][1] - point[1] > 0.06 * rate * end) break;
  }
  // friction that still follows the force holds the body
  const slides = friction[points - 1][1] < 0.95 * applied[points - 1][1];
  return { friction, applied, top, slides };
}

/**
 * A body that is pulled by a spring whose other end moves at constant speed. While the body is faster than that end, samples are ten times
 * shorter: slips are a small part of the time, and the error of a sample falls with its length.
 */
function stickSlip(law, { mass, stiffness, speed, end }) {
  // a fortieth of the period of the spring, and no fewer than 4000 samples
  const period = 2 * Math.PI * Math.sqrt(mass / stiffness);
  const samples = Math.min(20000, Math.max(4000, Math.ceil((40 * end) / period)));
  const dt = end / samples;
  let [x, v, memory] = [0, 0, law.rest];
  const spring = [];
  let [slow, fastest] = [0, 0];
  for (let k = 0; k < samples; k++) {
    const parts = Math.abs(v) > speed ? 10 : 1;
    const h = dt / parts;
    for (let j = 1; j <= parts; j++) {
      // the spring in the middle of the part, if the body goes on as before
      const pull = stiffness * (speed * (k * dt + (j - 0.5) * h) - x - 0.5 * v * h);
      const after = law.contact(v, h, mass, pull, memory);
      x += 0.5 * (v + after.v) * h;
      ({ v, memory } = after);
    }
    slow += Math.abs(v) < 0.1 * speed ? 1 : 0;
    fastest = Math.max(fastest, v);
    spring.push([(k + 1) * dt, stiffness * (speed * (k + 1) * dt - x)]);
  }
  return { spring, slow: slow / samples, fastest, dt };
}
