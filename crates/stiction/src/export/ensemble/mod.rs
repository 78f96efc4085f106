//! Ensembles as a CUDA kernel: whole trajectories, each in one thread.
//!
//! The step of the simulator's method, `equations`, is recorded as a program over the law's own program and its derivatives; numbers that
//! are the same at every point are literals, so that a compiler sees a law with known parameters. Around it stands `kernel.cu`: control of
//! the step, events located on the dense output, measures, and threads that take the next trajectory when theirs ends. The same text
//! compiles as C, for machines without a GPU.
//!
//! ```
//! use stiction::export::ensemble::{EnsembleKernel, KernelSamples};
//! use stiction::scenario::Scenario;
//! use stiction::sim::{Probe, SimulationOptions, batch::Ensemble};
//!
//! let scenario = |k: &str| Scenario::find("a7", &[format!("spring.pull.stiffness={k}")]);
//! let first = scenario("2")?;
//! let probes = vec![Probe::Final { column: "block.x".to_owned() }];
//! let options = SimulationOptions { end: 20.0, probes, ..first.options.clone() };
//! let ensemble = Ensemble::new(&first.system, &options)?.expect("runs in lanes");
//! let mut points = vec![Vec::new(), Vec::new()];
//! ensemble.read(&first.system, &mut points[0])?;
//! ensemble.read(&scenario("3")?.system, &mut points[1])?;
//! let kernel = EnsembleKernel::new(&ensemble, &points, &KernelSamples::default())?.expect("has a kernel");
//! assert!(kernel.source().contains("stiction_ensemble"));
//! // stiffness over mass, and the slope of the spring's force on the way of the hand
//! assert_eq!(kernel.row(&ensemble, &points[1])?, [3.0, 6.0]);
//! # Ok::<(), stiction::Error>(())
//! ```
mod columns;
mod equations;
mod finite_arithmetic;
mod law_programs;
mod measures;
mod operand;
mod piecewise;
mod products;
mod sampling;
mod statements;

use crate::export::language_c::{elementary, helpers};
use crate::export::recorder::function_program;
use crate::sim::SimError;
use crate::sim::batch::{CoefficientReader, Coefficients, Ensemble, Unsupported};
use crate::sim::rodas5p::NODES;
use columns::column_functions;
use equations::{CoefficientSource, Equations, TIMES};
use finite_arithmetic::{LARGE, finite};
use law_programs::LawPrograms;
use measures::Measures;
use operand::{line, number, operand, plus};
use piecewise::{MOST_SPANS, spans, table};
pub use products::{DrawnResiduals, FittedColumn, ProductsKernel};
use sampling::Sampling;
use statements::{PREFIX, statements};
use std::collections::BTreeSet;
use stiction_core::program::{Function, Program};

/// Most attempts of a trajectory: one that takes more holds the others up, and is given up.
const MOST_ATTEMPTS: u64 = 1 << 22;

/// Threads of a block of a kernel. A block whose warps begin their steps together fills a multiprocessor, and a thread has the registers that its
/// state needs: 128, or 168. Where a contact sticks, warps do not wait for each other, and a block is small.
fn threads_per_block(equations: &Equations<'_>) -> u32 {
    match equations.law.set_at_rest {
        Some(_) => 128,
        None if equations.states() < 4 => 512,
        None => 384,
    }
}

/// Rows that a kernel writes of a trajectory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct KernelSamples {
    /// Columns, of those that measures look at.
    pub columns: Vec<String>,
    /// How many samples, in equal steps: the last is the end of the run, the beginning is none.
    pub count: usize,
    /// At these times instead, which increase within the run; the first may be its beginning.
    pub times: Vec<f64>,
}

impl KernelSamples {
    /// Samples of each column of a trajectory.
    fn each(&self) -> usize {
        if self.times.is_empty() { self.count } else { self.times.len() }
    }
}

/// The source of a kernel, and how points become the numbers that it takes.
#[derive(Clone, Debug)]
pub struct EnsembleKernel {
    source: String,
    /// Where each number of [`Coefficients::numbers`] is from.
    sources: Vec<CoefficientSource>,
    varied: usize,
    results: usize,
    threads: u32,
}

impl EnsembleKernel {
    /// The name of the kernel in its text.
    pub const ENTRY: &str = "stiction_ensemble";
    /// A kernel for the points of an ensemble. `points` are the numbers of some, as [`Ensemble::read`] finds them: a coefficient that is the
    /// same in all of them becomes part of the kernel.
    ///
    /// The inner error says why there is no kernel.
    ///
    /// # Errors
    /// As [`Ensemble::coefficients`].
    pub fn new(
        ensemble: &Ensemble,
        points: &[Vec<f64>],
        samples: &KernelSamples,
    ) -> Result<Result<Self, String>, SimError> {
        let mut all = Vec::with_capacity(points.len());
        for numbers in points {
            all.push(ensemble.coefficients(numbers)?);
        }
        let Some(first) = all.first() else { return Ok(Err("there are no points".to_owned())) };
        let flat: Vec<Vec<f64>> = all.iter().map(Coefficients::numbers).collect();
        let (mut place, mut varied) = (0, 0);
        let sources = first.map(|value| {
            let same = flat.iter().all(|other| other[place].to_bits() == value.to_bits());
            place += 1;
            if same {
                return CoefficientSource::Literal(*value);
            }
            varied += 1;
            CoefficientSource::Point(varied - 1)
        });
        let law = match LawPrograms::new(ensemble) {
            Ok(law) => law,
            Err(why) => return Ok(Err(why)),
        };
        let equations = Equations { law: &law, coefficients: &sources, varied };
        let source = match write(ensemble, &equations, samples) {
            Ok(source) => source,
            Err(why) => return Ok(Err(why)),
        };
        let threads = threads_per_block(&equations);
        let results = ensemble.options().probes.len();
        let mut in_order = Vec::new();
        sources.map(|source| in_order.push(*source));
        let sources = in_order;
        Ok(Ok(Self { source, sources, varied, results, threads }))
    }
    /// The source: CUDA C++, and C99 without CUDA. Its kernel is `stiction_ensemble`; the comment there says what it takes.
    pub fn source(&self) -> &str {
        &self.source
    }
    /// How many numbers of each point the kernel takes.
    pub fn row_length(&self) -> usize {
        self.varied
    }
    /// How many measures of each point the kernel writes.
    pub fn results(&self) -> usize {
        self.results
    }
    /// Threads of a block of the kernel, which the text has as `STICTION_BLOCK`.
    pub fn threads_per_block(&self) -> u32 {
        self.threads
    }
    /// The numbers of a point that the kernel takes.
    ///
    /// # Errors
    /// As [`Ensemble::coefficients`]; [`SimError::Unsupported`] where the point differs from the kernel in a number that is part of it.
    pub fn row(&self, ensemble: &Ensemble, numbers: &[f64]) -> Result<Vec<f64>, SimError> {
        let mut row = Vec::with_capacity(self.varied);
        self.write_row(&mut ensemble.coefficient_reader(), numbers, &mut row)?;
        Ok(row)
    }
    /// The same behind the numbers of other points, with the reader of the ensemble.
    ///
    /// # Errors
    /// As [`EnsembleKernel::row`]; nothing is written then.
    pub fn write_row(
        &self,
        reader: &mut CoefficientReader<'_>,
        numbers: &[f64],
        rows: &mut Vec<f64>,
    ) -> Result<(), SimError> {
        let found = reader.read(numbers)?;
        let (first, mut fits, mut sources) = (rows.len(), true, self.sources.iter());
        rows.resize(first + self.varied, 0.0);
        found.each(&mut |value| match sources.next() {
            Some(CoefficientSource::Literal(known)) => fits &= known.to_bits() == value.to_bits(),
            Some(CoefficientSource::Point(k)) => rows[first + k] = value,
            None => fits = false,
        });
        if fits && sources.next().is_none() {
            return Ok(());
        }
        rows.truncate(first);
        Err(SimError::Unsupported(Unsupported::Shape))
    }
}

/// The whole source.
fn write(ensemble: &Ensemble, equations: &Equations<'_>, samples: &KernelSamples) -> Result<String, String> {
    let options = ensemble.options();
    let too_long = || format!("the step with '{}' takes too many operations", ensemble.law().name);
    if equations.coefficients.belt_waves.iter().flatten().any(|weight| *weight != CoefficientSource::Literal(0.0)) {
        return Err("a surface moves along a sine".to_owned());
    }
    if equations.coefficients.belt_pieces.iter().flatten().any(|weight| *weight != CoefficientSource::Literal(0.0)) {
        return Err("a surface moves along lines that bend".to_owned());
    }
    let signals = ensemble
        .piecewise_signals(MOST_SPANS)
        .ok_or_else(|| format!("the signals bend or jump more than {MOST_SPANS} times"))?;
    let step = finite(&equations.step().ok_or_else(too_long)?);
    let forces = finite(&equations.forces().ok_or_else(too_long)?);
    let rest = match equations.law.set_at_rest {
        Some(_) => Some(finite(&equations.rest().ok_or_else(too_long)?)),
        None => None,
    };
    let modes = if equations.law.modes.is_some() {
        let recorded = |program: Option<Program>| program.map(|program| finite(&program)).ok_or_else(too_long);
        Some([recorded(equations.guards())?, recorded(equations.jumped())?])
    } else {
        None
    };
    let measures = Measures::new(ensemble)?;
    let forms = ensemble.column_forms();
    let mut out = format!(
        "/* An ensemble of trajectories with the friction law {}. Made by stiction {}: generate it again instead of editing it.\n   With CUDA: nvcc -arch=native. Without: cc -std=c99 -O2. */\n",
        ensemble.law().name,
        env!("CARGO_PKG_VERSION")
    );
    let base = if options.atol > 0.0 { options.atol } else { 1e-3 * options.rtol };
    let attempts =
        if options.max_steps == 0 { MOST_ATTEMPTS } else { options.max_steps.saturating_mul(4).min(MOST_ATTEMPTS) };
    let (stops, lines) = spans(&signals, ensemble.stops(), options.end);
    for (name, value) in [
        ("STICTION_BLOCK", threads_per_block(equations).to_string()),
        ("STICKS", u8::from(rest.is_some()).to_string()),
        ("STARTS", if rest.is_some() { "starts" } else { "0" }.to_owned()),
        ("MODES", equations.modes().to_string()),
        ("GUARDS", modes.as_ref().map_or(0, |[guards, _]| guards.outputs.len()).to_string()),
        ("WAVES", equations.coefficients.waves.len().to_string()),
        ("STATES", equations.states().to_string()),
        ("CONTACTS", equations.contacts().to_string()),
        ("VARIED", equations.varied.to_string()),
        ("ROW_LENGTH", equations.varied.to_string()),
        ("RESULTS", options.probes.len().to_string()),
        ("SIGNALS", equations.signals().to_string()),
        ("SAMPLES", samples.each().to_string()),
        ("SAMPLED_COLUMNS", samples.columns.len().to_string()),
        ("STOPS", stops.len().to_string()),
        ("START", number(options.start)),
        ("END", number(options.end)),
        ("RTOL", number(options.rtol)),
        ("QUIET", number(base)),
        ("LARGE", number(LARGE)),
        ("MAX_ATTEMPTS", format!("{attempts}u")),
    ] {
        out += &format!("#define {name} {value}\n");
    }
    out += include_str!("types.cu");
    out += include_str!("prelude.cu");
    out += &functions(&[&step, &forces].into_iter().chain(&rest).chain(modes.iter().flatten()).collect::<Vec<_>>());
    let mut functions = String::new();
    functions += &step_function(equations, &step);
    functions += &point_functions(equations);
    functions += &slip_rounding(equations);
    if let Some(rest) = &rest {
        functions += &rest_functions(equations, rest);
    }
    if let Some([guards, jumped]) = &modes {
        functions += &mode_functions(equations, guards, jumped);
    }
    functions += &column_functions(ensemble, equations, &forces);
    functions += &measures.functions;
    let mut look = measures.look;
    let sampling = Sampling::new(&forms, samples)?;
    look += &sampling.look;
    let mut tables = table("stops", &stops);
    if !lines.is_empty() {
        tables += &table("lines", &lines);
    }
    if !samples.times.is_empty() {
        tables += &table("sample_times", &samples.times);
    }
    let mut kernel = include_str!("kernel.cu").to_owned();
    let at_rest = if rest.is_some() { include_str!("rest.cu").to_owned() + "\n" } else { String::new() };
    for (mark, text) in [
        ("@EQUATIONS@", functions),
        ("@MODES@", if modes.is_some() { include_str!("guards.cu").to_owned() + "\n" } else { String::new() }),
        ("@REST@", at_rest),
        ("@TABLES@\n", tables),
        ("@DECLARE@\n", measures.declare + &sampling.declare),
        ("@BEGIN@\n", begin(equations) + &measures.begin + &sampling.begin),
        ("@LOOK@\n", look),
        ("@EVENT@\n", measures.event),
        ("@FINISH@\n", measures.finish),
    ] {
        kernel = kernel.replace(mark, &text);
    }
    Ok(out + &kernel)
}

/// The elementary functions that these programs call.
fn functions(programs: &[&Program]) -> String {
    let called: BTreeSet<Function> = programs.iter().flat_map(|program| program.functions()).collect();
    let mut bodies: Vec<Program> = called.iter().map(|f| function_program(*f)).collect();
    bodies.extend(programs.iter().map(|program| (*program).clone()));
    let mut out: String = helpers(PREFIX, &bodies).concat();
    // the prelude has its own exponential
    called.iter().filter(|f| **f != Function::Exp).for_each(|f| out += &elementary(PREFIX, *f));
    out.replace("\nstatic ", "\nSTICTION_FUNCTION ")
}

/// What an input of the programs is called in a function with these arguments.
fn input_name(equations: &Equations<'_>, i: u32) -> String {
    let (i, states, first) = (i as usize, equations.states(), equations.first_number());
    let wave = equations.first_wave();
    match i {
        0 => "t".to_owned(),
        1 => "h".to_owned(),
        i if i < 2 + states => format!("y[{}]", i - 2),
        i if i < wave => format!("side[{}]", i - 2 - states),
        i if i < first => wave_name(i - wave),
        i => format!("p[{}]", i - first),
    }
}

/// What a sine or a cosine among the inputs is called, by its place among them.
fn wave_name(place: usize) -> String {
    let kind = if place % (2 * TIMES) < TIMES { "sine" } else { "cosine" };
    format!("{kind}_{}_{}", place / (2 * TIMES), place % TIMES)
}

/// The statements of a program in a function, with the sines that it uses, and the texts of its outputs.
fn body(equations: &Equations<'_>, program: &Program) -> (String, Vec<String>) {
    let (from, to) = (equations.first_wave(), equations.first_number());
    let mut out = String::new();
    let used = program.with_outputs(&(0..program.outputs.len()).collect::<Vec<_>>()).used_inputs();
    for place in used.iter().map(|i| *i as usize).filter(|i| (from..to).contains(i)).map(|i| i - from) {
        let [omega, phase] = equations.coefficients.waves[place / (2 * TIMES)].each_ref().map(operand);
        let function = if place % (2 * TIMES) < TIMES { "sin" } else { "cos" };
        let time = match NODES[place % TIMES] {
            0.0 => "t".to_owned(),
            node => format!("(t + {} * h)", number(node)),
        };
        out += &format!("    const double {} = {function}({omega} * {time} + {phase});\n", wave_name(place));
    }
    let (statements, outputs) = statements(program, |i| input_name(equations, i));
    (out + &statements, outputs)
}

fn step_function(equations: &Equations<'_>, step: &Program) -> String {
    let (body, outputs) = body(equations, step);
    let states = equations.states();
    let mut out = "\n/* A step of Rodas5P (Steinebach 2023) of length h: the state at its end, the estimated error, the dense output. */\nSTICTION_FUNCTION void step(const double *p, double t, double h, const double *y, const double *side, double *end, double *error, double *dense) {\n".to_owned();
    out += &body;
    for (i, value) in outputs.iter().enumerate() {
        let (name, place) = match i / states {
            0 => ("end", i),
            1 => ("error", i - states),
            _ => ("dense", i - 2 * states),
        };
        out += &format!("    {name}[{place}] = {value};\n");
    }
    out + "    (void)t;\n    (void)p;\n}\n"
}

/// Tolerances, the sliding velocity within a step, and rest.
fn point_functions(equations: &Equations<'_>) -> String {
    let p = equations.coefficients;
    let (n, contacts) = (equations.bodies(), equations.contacts());
    let mut out = "\n/* Absolute tolerance of a number of the state. */\nSTICTION_FUNCTION float tolerance(const double *p, int k) {\n    (void)p;\n    switch (k) {\n".to_owned();
    for (k, source) in p.tolerance.iter().enumerate() {
        out += &format!("    case {k}: return (float)({});\n", operand(source));
    }
    out += "    default: return 0.0f;\n    }\n}\n";
    out += "\n/* Bernstein coefficients of the sliding velocity of contact k along a step, in its direction. */\nSTICTION_FUNCTION void slip_quartic(const double *p, const Step *s, int k, double side, double *b) {\n    double start = 0.0, end = 0.0, d0 = 0.0, d1 = 0.0, d2 = 0.0;\n    (void)p;\n    switch (k) {\n";
    let slip = |c: usize, belt: &str, of: &dyn Fn(usize) -> String| {
        (0..n).fold(belt.to_owned(), |text, j| text + &plus(&p.row[c * n + j], &of(n + j)))
    };
    for c in 0..contacts {
        out += &format!("    case {c}:\n");
        out += &format!("        start = {};\n", slip(c, &line(&p.belt[c], "s->t"), &|x| format!("s->start[{x}]")));
        out +=
            &format!("        end = {};\n", slip(c, &line(&p.belt[c], "(s->t + s->h)"), &|x| format!("s->end[{x}]")));
        for d in 0..3 {
            out += &format!("        d{d} = {};\n", slip(c, "0.0", &|x| format!("s->dense[{} * STATES + {x}]", d)));
        }
        out += "        break;\n";
    }
    out += "    }\n    /* the chord, and theta (1 - theta) times a parabola */\n    b[0] = side * start;\n    b[1] = side * (0.75 * start + 0.25 * end + 0.25 * d0);\n    b[2] = side * (0.5 * (start + end) + (d0 + 0.5 * d1) * (1.0 / 3.0));\n    b[3] = side * (0.25 * start + 0.75 * end + 0.25 * (d0 + d1 + d2));\n    b[4] = side * end;\n}\n";
    out += &format!(
        "\n/* The longest step that still shows what the signals do. */\nSTICTION_FUNCTION double longest_step(const double *p) {{\n    (void)p;\n    return {};\n}}\n",
        operand(&p.longest_step)
    );
    out += "\n/* A contact of a single body that turns is at rest, to the last bit. */\nSTICTION_FUNCTION void rest(const double *p, double t, int k, double side, double *y) {\n    (void)p;\n    (void)t;\n    (void)k;\n    (void)side;\n    (void)y;\n";
    if n == 1 && contacts == 1 {
        let by_row = match &p.row[0] {
            CoefficientSource::Literal(row) => number(1.0 / row),
            row => format!("reciprocal({})", operand(row)),
        };
        out += &format!("    y[1] = (side * TINY - ({})) * {by_row};\n", line(&p.belt[0], "t"));
    }
    out + "}\n"
}

/// Rounding of the sliding velocities: that of the velocities of motions that they are differences of.
fn slip_rounding(equations: &Equations<'_>) -> String {
    let moves = |belt: &&[CoefficientSource; 2]| **belt != [CoefficientSource::Literal(0.0); 2];
    // eight roundings
    let terms = equations
        .coefficients
        .belt
        .iter()
        .filter(moves)
        .map(|belt| format!(" + 1.8e-15 * fabs({})", line(belt, "s->t")));
    format!(
        "\n/* Rounding of the sliding velocities. */\nSTICTION_FUNCTION double slip_rounding(const double *p, const Step *s) {{\n    (void)p;\n    (void)s;\n    return 0.0{};\n}}\n",
        terms.collect::<String>()
    )
}

/// The guards of all contacts, and their memory after a jump.
fn mode_functions(equations: &Equations<'_>, guards: &Program, jumped: &Program) -> String {
    let unused = "    (void)t;\n    (void)h;\n    (void)y;\n    (void)side;\n    (void)p;\n";
    let (text, outputs) = body(equations, guards);
    let mut out = "\n/* The guards of each contact but for its velocity. */\nSTICTION_FUNCTION void guards(const double *p, double t, const double *y, const double *side, double *out) {\n    const double h = 0.0;\n".to_owned();
    out += &text;
    outputs.iter().enumerate().for_each(|(k, value)| out += &format!("    out[{k}] = {value};\n"));
    out += unused;
    out += "}\n\n/* The memory of each contact jumps; says whether it has changed. */\nSTICTION_FUNCTION int jump(const double *p, double t, double *y, double *side) {\n    const double h = 0.0;\n    int changed = 0;\n";
    let (text, outputs) = body(equations, jumped);
    out += &text;
    let law = equations.law;
    let (mut state, mut mode) = (2 * equations.bodies(), equations.contacts());
    let mut places = Vec::new();
    for k in 0..outputs.len() {
        let next = if law.flowing.contains(&(k % law.memory)) { &mut state } else { &mut mode };
        let name = if law.flowing.contains(&(k % law.memory)) { "y" } else { "side" };
        places.push(format!("{name}[{next}]"));
        *next += 1;
    }
    // all of them are computed from the memory before
    for (k, value) in outputs.iter().enumerate() {
        out += &format!("    const double jumped_{k} = {value};\n");
    }
    for (k, place) in places.iter().enumerate() {
        out += &format!("    changed |= jumped_{k} < {place} || {place} < jumped_{k};\n    {place} = jumped_{k};\n");
    }
    out + unused + "    return changed;\n}\n"
}

/// The force at rest of a single contact, and the ends of its set.
fn rest_functions(equations: &Equations<'_>, rest: &Program) -> String {
    let belt = &equations.coefficients.belt[0];
    let now = line(belt, "t");
    let velocity = match &equations.coefficients.row[0] {
        CoefficientSource::Literal(row) => format!("-({now}) * {}", number(1.0 / row)),
        row => format!("-({now}) / {}", operand(row)),
    };
    let (body, outputs) = body(equations, rest);
    let [force, low, high] = [0, 1, 2].map(|k| outputs[k].as_str());
    format!(
        "\n/* The velocity of the body at rest on its contact. */\nSTICTION_FUNCTION double rest_velocity(const double *p, double t) {{\n    (void)p;\n    (void)t;\n    return {velocity};\n}}\n\n/* The force that keeps the body at rest on its contact, and the ends of the set that it may be of. */\nSTICTION_FUNCTION void rest_forces(const double *p, double t, const double *y, double *force, double *low, double *high) {{\n    const double h = 0.0;\n{body}    *force = {force};\n    *low = {low};\n    *high = {high};\n    (void)t;\n    (void)h;\n    (void)y;\n    (void)p;\n}}\n"
    )
}

/// Where a trajectory begins.
fn begin(equations: &Equations<'_>) -> String {
    let p = equations.coefficients;
    let pad = "            ";
    let mut out = format!("{pad}for (k = 0; k < VARIED; k++) p[k] = rows[(size_t)i * ROW_LENGTH + (size_t)k];\n");
    for (x, source) in p.state.iter().enumerate() {
        out += &format!("{pad}y[{x}] = {};\n", operand(source));
    }
    for (c, source) in p.side.iter().chain(&p.modes).enumerate() {
        out += &format!("{pad}side[{c}] = {};\n", operand(source));
    }
    out + &format!("{pad}want = {};\n", operand(&p.first_step))
}
