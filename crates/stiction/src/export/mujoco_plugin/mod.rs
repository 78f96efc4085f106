//! A law as a plugin of MuJoCo: C that MuJoCo's headers compile, and that acts in any joint.
//!
//! A law with a set of forces at rest uses MuJoCo's own constraint of dry friction: the plugin writes the law's level into it at every step, and
//! MuJoCo solves it together with contacts, limits and other joints. So the joint truly rests. Any other law is a passive force.
//!
//! ```
//! use stiction::Spec;
//! use stiction::export::mujoco_plugin::MujocoPlugin;
//!
//! let plugin = MujocoPlugin::new(&Spec::new("stribeck")?)?;
//! assert_eq!((plugin.name(), plugin.holds()), ("stiction.stribeck".to_owned(), true));
//! assert!(plugin.source().contains("efc_frictionloss"));
//! # Ok::<(), stiction::Error>(())
//! ```
use super::SourceFile;
use super::language_c::{C, FLOATS, INCLUDES, comment, elementary, helpers, to_ascii};
use super::law::{FunctionKind, LawCode, LawCodeError};
use super::recorder::function_program;
use super::robot::{MASS_BOUNDS, escaped};
use super::source_text::{Syntax, statements};
use crate::error::RobotError;
use crate::number::short;
use crate::system::Contact;
use crate::{Error, Spec};
use std::collections::BTreeSet;
use stiction_core::Input;
use stiction_core::program::{Function, Precision, Program};
use stiction_core::registry::DynLaw;

/// The prefix of the law's functions.
const PREFIX: &str = "law";
/// The longest and the shortest time step of an example [s]; with the latter a second takes minutes.
const LONGEST_STEP: f64 = 1e-3;
const SHORTEST_STEP: f64 = 1e-8;

/// A law as a plugin.
pub struct MujocoPlugin {
    code: LawCode,
    force: Program,
    /// The memory after a sample.
    step: Option<Program>,
    hold: Option<Program>,
    band: Option<Program>,
    law: Box<dyn DynLaw>,
    /// Mass or moment of inertia of the example.
    mass: f64,
    /// Whether the joint of the example turns.
    turns: bool,
}

impl MujocoPlugin {
    /// Of a law; its values are those of a joint that sets no others.
    ///
    /// # Errors
    /// [`LawCodeError`] for a law that is random or too long, or has parameters of noise; as [`Contact::new`].
    pub fn new(spec: &Spec) -> Result<Self, Error> {
        let code = LawCode::of(spec)?;
        // a law that a contact refuses
        Contact::new(spec)?;
        let program = |kind: FunctionKind| code.function(kind).map(|function| function.program.clone());
        let states = code.law.states.len();
        // of the force and the memory after a sample, the memory
        let step = program(FunctionKind::Step).map(|step| step.with_outputs(&(1..=states).collect::<Vec<_>>()));
        // every law has a force
        let force = program(FunctionKind::Force).unwrap_or_else(|| code.functions[0].program.clone());
        let draws = |program: &Program| program.functions().contains(&Function::Uniform);
        if draws(&force) || step.as_ref().is_some_and(draws) {
            return Err(LawCodeError::Random { law: code.law.name }.into());
        }
        let (hold, band) = (code.hold(), code.band());
        let turns = code.turns();
        Ok(Self { force, step, hold, band, law: spec.build()?, mass: 1.0, turns, code })
    }
    /// The same with an example of this mass, or moment of inertia.
    ///
    /// # Errors
    /// [`RobotError::Mass`] if it is not a positive number.
    pub fn with_mass(mut self, mass: f64) -> Result<Self, Error> {
        if !(MASS_BOUNDS.0..=MASS_BOUNDS.1).contains(&mass) {
            return Err(RobotError::Mass { mass }.into());
        }
        self.mass = mass;
        Ok(self)
    }
    /// The same with an example whose joint turns, or slides.
    #[must_use]
    pub fn with_turns(mut self, turns: bool) -> Self {
        self.turns = turns;
        self
    }
    /// The name of the plugin in a model.
    pub fn name(&self) -> String {
        format!("stiction.{}", self.code.name)
    }
    /// The name of the source, without its ending.
    pub fn file_name(&self) -> String {
        format!("stiction_{}", self.code.name)
    }
    /// The law.
    pub fn code(&self) -> &LawCode {
        &self.code
    }
    /// Whether the law holds a joint by a set of forces at rest.
    pub fn holds(&self) -> bool {
        self.hold.is_some()
    }
    /// The largest force forwards that the law holds under nominal load in a joint that has never moved; 0 without a set of forces.
    pub fn limit(&self) -> f64 {
        self.limit_towards(1.0)
    }
    /// The same backwards.
    pub fn limit_backwards(&self) -> f64 {
        self.limit_towards(-1.0)
    }
    fn limit_towards(&self, dir: f64) -> f64 {
        let (rest, memory) = (Input::at(0.0), vec![0.0; self.law.len()]);
        if self.holds() { dir * self.law.force(&memory, &rest) + self.law.hold(&memory, &rest, dir) } else { 0.0 }
    }
    fn programs(&self) -> impl Iterator<Item = &Program> {
        std::iter::once(&self.force).chain(self.step.iter()).chain(self.hold.iter()).chain(self.band.iter())
    }
    /// The C source, one file.
    pub fn source(&self) -> String {
        let library = format!("lib{}.so", self.file_name());
        let mut lines = self.code.description();
        lines.extend([
            String::new(),
            format!("As a plugin of MuJoCo (4.0), {}. In a model:", self.name()),
            format!("  <extension><plugin plugin=\"{}\">", self.name()),
            "    <instance name=\"elbow_friction\"><config key=\"joint\" value=\"elbow\"/></instance>".to_owned(),
            "  </plugin></extension>".to_owned(),
            "Other keys are the load, a factor, and the parameters of the law.".to_owned(),
            format!(
                "Build it with MuJoCo's headers and library, and load it with mj_loadPluginLibrary(\"{library}\")."
            ),
        ]);
        let mut out = comment(&lines) + INCLUDES + FLOATS;
        out += &self.tables();
        out += &self.functions();
        out += &self.conditions();
        out + include_str!("plugin.c")
    }
    /// The keys of the law's parameters in the configuration of an instance.
    pub fn keys(&self) -> Vec<String> {
        // the plugin has keys of its own
        let key = |name: &str| if ["joint", "load"].contains(&name) { format!("law.{name}") } else { name.to_owned() };
        self.code.keys().iter().map(|name| key(name)).collect()
    }
    /// Which condition between parameters does not hold; -1 if all do.
    fn conditions(&self) -> String {
        let conditions = self.code.conditions();
        let names = self.input_names(&[]);
        let (lines, outputs) = statements(&conditions.program, &C(PREFIX), |i| names[i as usize].clone());
        let texts = conditions.texts.iter().map(|text| format!("\"{}\"", to_ascii(text)));
        let texts: Vec<String> = texts.chain(["NULL".to_owned()]).collect();
        let mut out = format!("\nstatic const char *const law_conditions[] = {{{}}};\n", texts.join(", "));
        out += "\n/* The first condition between parameters that does not hold; -1 if all do. */\nstatic int law_broken(const double *p) {\n    (void)p;\n";
        lines.iter().for_each(|line| out += &format!("{line}\n"));
        for (i, holds) in outputs.iter().enumerate() {
            out += &format!("    if (!({holds} > 0.5)) {{\n        return {i};\n    }}\n");
        }
        out + "    return -1;\n}\n"
    }
    /// Sizes, names and bounds.
    fn tables(&self) -> String {
        let params = self.code.params();
        let number = |x: f64| C(PREFIX).number(Precision::Double, x);
        let mut out = String::from("\n");
        for (name, value) in [
            ("PLUGIN_NAME", format!("\"{}\"", self.name())),
            ("LAW_MEMORY", self.code.law.states.len().to_string()),
            ("LAW_PARAMETERS", params.len().to_string()),
            ("LAW_HAS_SET", u8::from(self.hold.is_some()).to_string()),
            ("LAW_HAS_BAND", u8::from(self.band.is_some()).to_string()),
            (
                "LAW_LEAST_LOAD",
                if self.code.signed_load() || self.code.maps_load() { "-1e12" } else { "0.0" }.to_owned(),
            ),
            (
                "LAW_NAMES",
                self.keys().iter().map(|key| format!("\"{}\"", to_ascii(key))).collect::<Vec<_>>().join(", "),
            ),
        ] {
            out += &format!("#define {name} {value}\n");
        }
        for (name, of) in [
            ("start", (|p| p.default) as fn(&stiction_core::Param) -> f64),
            ("least", |p| p.min),
            ("largest", |p| p.max),
        ] {
            let values: Vec<String> = params.iter().map(|p| number(of(p))).chain([number(0.0)]).collect();
            out += &format!("static const double law_{name}[] = {{{}}};\n", values.join(", "));
        }
        out
    }
    /// The functions of the law over arrays of memory `z` and parameters `p`.
    fn functions(&self) -> String {
        let functions: BTreeSet<_> = self.programs().flat_map(Program::functions).collect();
        let mut bodies: Vec<Program> = functions.iter().map(|f| function_program(*f)).collect();
        bodies.extend(self.programs().cloned());
        let mut out: String = helpers(PREFIX, &bodies).concat();
        functions.iter().for_each(|f| out += &elementary(PREFIX, *f));
        let define = |name: &str, doc: &str, signals: &[&str], program: &Program| {
            let names = self.input_names(signals);
            let (lines, outputs) = statements(program, &C(PREFIX), |i| names[i as usize].clone());
            let args: String = signals.iter().map(|signal| format!(", double {signal}")).collect();
            let (result, memory) = if name == "step" { ("void", "double *z") } else { ("double", "const double *z") };
            let mut text = format!("\n/* {doc} */\nstatic {result} law_{name}({memory}{args}, const double *p) {{\n");
            for unused in ["z", "p"].iter().chain(signals) {
                text += &format!("    (void){unused};\n");
            }
            lines.iter().for_each(|line| text += &format!("{line}\n"));
            if name == "step" {
                // all numbers are read before one is written
                for (i, x) in outputs.iter().enumerate() {
                    text += &format!("    const double next{i} = {x};\n");
                }
                (0..outputs.len()).for_each(|i| text += &format!("    z[{i}] = next{i};\n"));
            } else {
                text += &format!("    return {};\n", outputs[0]);
            }
            text + "}\n"
        };
        out += &define("force", "The friction force.", &["v", "load"], &self.force);
        match &self.step {
            Some(step) => {
                out += &define("step", "The memory after a sample at constant velocity.", &["v", "load", "dt"], step)
            }
            None => {
                out += "\n/* The law has no memory. */\nstatic void law_step(double *z, double v, double load, double dt, const double *p) {\n    (void)z;\n    (void)v;\n    (void)load;\n    (void)dt;\n    (void)p;\n}\n"
            }
        }
        if let Some(hold) = &self.hold {
            let doc = "Half-width of the set of forces at rest against motion in a direction.";
            out += &define("hold", doc, &["load", "dir"], hold);
        }
        if let Some(band) = &self.band {
            let doc = "Speed below which a joint that moves in a direction counts as at rest.";
            out += &define("band", doc, &["load", "dir"], band);
        }
        out
    }
    /// The names of a program's inputs: the signals, the memory, the parameters.
    fn input_names(&self, signals: &[&str]) -> Vec<String> {
        let memory = (0..self.code.law.states.len()).map(|i| format!("z[{i}]"));
        let params = (0..self.code.params().len()).map(|i| format!("p[{i}]"));
        signals.iter().map(|signal| (*signal).to_owned()).chain(memory).chain(params).collect()
    }
    /// The longest step with which an explicit force of the law is stable in a joint of this mass, as the plugin itself tells it \[s\]; without a
    /// bound for a law that holds, which is a constraint. That of a law whose force arises at rest (`dieterich`) is too short for any simulation.
    pub fn longest_stable_step(&self) -> f64 {
        if self.holds() {
            return f64::INFINITY;
        }
        let (speed, time) = (1e-9, 1e-3);
        let mut memory = vec![0.0; self.law.len()];
        let force = |memory: &[f64], v: f64| self.law.force(memory, &Input::at(v));
        let at_rest = force(&memory, 0.0);
        let damping = (force(&memory, speed) - at_rest) / speed;
        self.law.sample(&mut memory, &Input::at(speed), time);
        let stiffness = (force(&memory, 0.0) - at_rest) / (speed * time);
        let stable = [self.mass / damping, (self.mass / stiffness).sqrt()].into_iter().filter(|step| *step > 0.0);
        stable.fold(f64::INFINITY, f64::min)
    }
    /// The time step of the example: a millisecond, or a stable one. Where that would be too short to simulate anything, it is a millisecond, and the
    /// example is not stable.
    pub fn time_step(&self) -> f64 {
        let step = Some(self.longest_stable_step().min(LONGEST_STEP));
        let step = step.filter(|step| *step >= SHORTEST_STEP).unwrap_or(LONGEST_STEP);
        // 1, 2 or 5 of a power of ten
        let decade = 10_f64.powi(step.log10().floor() as i32);
        [5.0, 2.0, 1.0].into_iter().map(|digit| digit * decade).find(|round| *round <= step).unwrap_or(step)
    }
    /// A model of one joint with the plugin.
    pub fn example(&self) -> String {
        let kind = if self.turns { "hinge" } else { "slide" };
        let step = self.time_step();
        // the law acts in the place of this level
        let row = if self.holds() {
            let time = short(2.0 * step);
            format!(" frictionloss=\"1\" solreffriction=\"{time} 1\" solimpfriction=\"0.9999 0.9999 0.001\"")
        } else {
            String::new()
        };
        let (mass, step) = (short(self.mass), short(step));
        // the values of this law, whatever those are of the library that is loaded: one library serves all joints with its law
        let keys = self.keys();
        let values = keys.iter().zip(self.code.params()).map(|(key, p)| {
            format!("        <config key=\"{}\" value=\"{}\"/>\n", escaped(&to_ascii(key)), short(p.default))
        });
        let values: String = values.collect();
        let solver = if self.holds() { " noslip_iterations=\"100\" noslip_tolerance=\"0\"" } else { "" };
        format!(
            "<mujoco model=\"{0}\">\n  <extension>\n    <plugin plugin=\"{0}\">\n      <instance name=\"joint_friction\">\n        <config key=\"joint\" value=\"joint\"/>\n{values}      </instance>\n    </plugin>\n  </extension>\n  <option timestep=\"{step}\" gravity=\"0 0 0\"{solver}/>\n  <worldbody>\n    <body name=\"body\">\n      <joint name=\"joint\" type=\"{kind}\" axis=\"1 0 0\"{row}/>\n      <inertial pos=\"0 0 0\" mass=\"{mass}\" diaginertia=\"{mass} {mass} {mass}\"/>\n    </body>\n  </worldbody>\n  <actuator>\n    <motor name=\"joint_motor\" joint=\"joint\"/>\n  </actuator>\n</mujoco>\n",
            self.name()
        )
    }
    /// A Python program that compiles the plugin, loads it, and compares the friction of the example with the law.
    pub fn check_script(&self) -> String {
        let speeds = [1e-3, 1e-2, 0.1, 1.0].into_iter().flat_map(|v| [v, -v]);
        let rows: String = speeds
            .map(|v| (v, self.law.steady(&Input::at(v))))
            .filter(|(_, force)| force.is_finite())
            .map(|(v, force)| format!("    ({}, {}),\n", short(v), short(force)))
            .collect();
        let mut limits = vec![self.limit()];
        if self.limit_backwards() != self.limit() {
            limits.push(-self.limit_backwards());
        }
        let limits: Vec<String> = limits.into_iter().filter(|limit| *limit != 0.0).map(short).collect();
        let limits = format!("[{}]", limits.join(", "));
        include_str!("check.py")
            .replace("{file}", &self.file_name())
            .replace("{limits}", &limits)
            .replace("{memory}", if self.step.is_some() { "True" } else { "False" })
            .replace("{rows}", &rows)
    }
    /// The files: source, example and check.
    pub fn files(&self) -> Vec<SourceFile> {
        let file = |path: String, text: String| SourceFile { path, text };
        vec![
            file(format!("{}.c", self.file_name()), self.source()),
            file("example.xml".to_owned(), self.example()),
            file("check.py".to_owned(), self.check_script()),
        ]
    }
}
