//! Derivatives of a run by parameters of its system: of the columns of the trace at fixed times, and of the times of events.
//!
//! With the state y, a parameter p and `S = dy/dp`, the sensitivities obey the variational equation between events,
//!
//! ```text
//! S' = f_y·S + f_p
//! ```
//!
//! which is linear and is solved along the accepted steps of the run ([`variational`]). At an event, located by a guard
//! `g(y, t, p) = 0`, with the reset `y⁺ = R(y⁻, t, p)`, the time t* of the event depends on p, and S jumps:
//!
//! ```text
//! dt*/dp = −(g_y·S⁻ + g_p) / (g_y·f⁻ + g_t)
//! E⁻ = S⁻ + f⁻·dt*/dp            derivative of the state at the event, which moves with p
//! E⁺ = R_y·E⁻ + R_t·dt*/dp + R_p
//! S⁺ = E⁺ − f⁺·dt*/dp            the saltation
//! ```
//!
//! The transition of the run itself gives f⁺, since it decides the new modes; E passes through its resets ([`saltation`]).
//!
//! A parameter is given by two systems in which it has been changed a little: any value of a system can be a parameter. The
//! partial derivatives by p are difference quotients of the right-hand side, of guards and of resets, at the same time, state and
//! mode, where all of these are smooth functions of p. (Laws are differentiated by dual numbers: a law may bend where its state
//! meets one of its parameters.) For a central difference over `±h·p` with `h = ε^(1/3)`, truncation and
//! rounding are both of the order h² ≈ 4e-11 of the size of the function divided by p. No run is ever compared with another.
//!
//! All evaluations are made in copies of the right-hand side, which are set to the modes of the run ([`shadow`]). The run
//! therefore takes the same steps and finds the same events as without sensitivities.
mod columns;
mod resets;
mod saltation;
mod shadow;
mod variational;

use super::components::{ContactState, ControllerKind};
use super::flow::Flow;
use super::jacobian::Jacobian;
use super::rosenbrock::Step;
use super::setup::initial;
use super::{Event, IntegrationMethod, SimErrorKind, SimulationOptions};
use crate::SimError;
use crate::system::{SwitchedPart, System};
pub(super) use saltation::Cause;
use shadow::Shadow;
use variational::Knot;

/// The best relative change of a parameter for a central difference: the cube root of the rounding unit.
pub const RELATIVE_CHANGE: f64 = 6.055_454_452_393_343e-6;
/// Most states: the linear systems of a step have three times their number of unknowns.
const MAX_STATES: usize = 400;

/// A parameter by which a run is differentiated.
pub struct VariedParameter<'s> {
    /// Its name, for the names of the derivatives.
    pub name: String,
    /// Two systems that differ from the simulated one only in this parameter, each with the change of the parameter: usually
    /// `±`[`RELATIVE_CHANGE`] of its value. At the end of its range both changes may be on one side, as `h` and `2h`.
    pub systems: [(f64, &'s System); 2],
}

/// What makes a derivative one-sided or undefined.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SensitivityFlagKind {
    /// A guard was touched rather than crossed, within the tolerance of the run: a small change of the parameter may
    /// remove the event, and the derivative does not exist.
    Grazing,
    /// Several events at one instant, which the parameter moves apart: the derivative is that for the order in which the run
    /// took them.
    Simultaneous,
    /// A series of bounces has become lower than the tolerance: from then on it counts as ended, at rest.
    Accumulation,
    /// The variational equation could not be solved to the tolerance.
    Unresolved,
    /// A law remembers an extremum of the speed, as `hysteresis` does while it slides: its derivatives are not available.
    SpeedExtremum,
}

impl SensitivityFlagKind {
    /// In words.
    pub fn text(self) -> &'static str {
        match self {
            Self::Grazing => "an event is grazing: the derivative does not exist",
            Self::Simultaneous => "simultaneous events that the parameter moves apart: the derivative is one-sided",
            Self::Accumulation => "a series of bounces below the tolerance counts as ended",
            Self::Unresolved => "the variational equation could not be solved to the tolerance",
            Self::SpeedExtremum => "a law remembers extrema of the speed: no derivatives",
        }
    }
    /// Whether the derivatives by this parameter do not exist from then on.
    pub fn ends_derivative(self) -> bool {
        matches!(self, Self::Grazing | Self::Unresolved | Self::SpeedExtremum)
    }
}

/// A remark on the derivatives by one parameter.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SensitivityFlag {
    /// Time \[s\]; the remark holds from then on.
    pub t: f64,
    /// Index of the parameter.
    pub parameter: usize,
    /// What it is.
    pub kind: SensitivityFlagKind,
}

/// An event, and the derivative of its time by each parameter \[s per unit of the parameter\]; NaN where it does not exist.
#[derive(Clone, Debug, PartialEq)]
pub struct EventSensitivity {
    /// The event.
    pub event: Event,
    /// The derivatives of its time.
    pub dt: Vec<f64>,
}

/// What a run with sensitivities gives beside its rows.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct SensitivityReport {
    /// The events with the derivatives of their times.
    pub events: Vec<EventSensitivity>,
    /// Where derivatives are one-sided or do not exist. Those that do not exist are NaN in the rows.
    pub flags: Vec<SensitivityFlag>,
}

/// One parameter and the derivatives by it.
struct Parameter<'s> {
    /// The right-hand side with the parameter changed.
    varied: [Shadow<'s>; 2],
    /// Weights of the values with the unchanged and the changed parameter in the derivative.
    weights: [f64; 3],
    /// Changes of the parameter.
    changes: [f64; 2],
    /// The size of the parameter.
    size: f64,
    /// dy/dp at the present time; within a transition, the derivative E of the state at the event.
    s: Vec<f64>,
    /// Derivatives of the parameters of the law of each contact; empty where they do not depend on the parameter.
    laws: Vec<Vec<f64>>,
    /// Derivatives of the states of the laws that only jump; zero for those that flow, which are part of y.
    memory: Vec<Vec<f64>>,
    /// Derivative of the time of the present transition; zero between transitions, NaN where the event is grazing.
    dt: f64,
    /// Derivative of the time of the last transition.
    last_dt: f64,
    /// The present transition is one of a series of bounces below the tolerance, whose times have no derivatives.
    in_series: bool,
    /// A reset has changed the state in the present transition.
    is_reset: bool,
    /// Largest size of each of `s` so far, as reference of its error.
    most: Vec<f64>,
    /// The derivative does not exist any more.
    lost: bool,
}

impl Parameter<'_> {
    /// The partial derivative of a value by the parameter.
    fn quotient(&self, base: f64, varied: [f64; 2]) -> f64 {
        // differences first: a value that does not depend on the parameter has the derivative zero to the last bit
        self.weights[1] * (varied[0] - base) + self.weights[2] * (varied[1] - base)
    }
}

/// The sensitivities of a run in progress.
pub(super) struct Sensitivity<'s> {
    base: Shadow<'s>,
    parameters: Vec<Parameter<'s>>,
    jacobian: Jacobian,
    rtol: f64,
    atol: Vec<f64>,
    /// Number of states.
    numbers: usize,
    /// The sensitivities within the present step; empty between steps.
    knots: Vec<Knot>,
    /// Number of parts of a step in which the variational equation was solved last.
    parts: usize,
    /// Rates before the present transition.
    before: Vec<f64>,
    /// The present transition begins at a kink of the force of a spring.
    at_spring_kink: bool,
    /// The stop that was struck last.
    last_stop: Option<usize>,
    /// Time of the last transition, and of the last breakpoint \[s\].
    last_transition: f64,
    last_breakpoint: f64,
    pub report: SensitivityReport,
}

impl<'s> Sensitivity<'s> {
    /// Prepares the sensitivities of a run that starts as `flow` and `options` say.
    pub fn new(
        system: &'s System,
        parameters: &[VariedParameter<'s>],
        options: &SimulationOptions,
    ) -> Result<Self, SimError> {
        let refuse = |why: String| SimError::Run { t: options.start, kind: SimErrorKind::NoSensitivity { why } };
        if options.method != IntegrationMethod::Rodas5P {
            return Err(refuse(format!("method = \"{}\"", options.method.name())));
        }
        if let Some(joint) = system.lossy_gears.first() {
            return Err(refuse(format!("the gear '{}' has an efficiency", joint.name)));
        }
        let forgets = |part| matches!(part, SwitchedPart::Spring(_) | SwitchedPart::Contact(_));
        if let Some((name, _)) = system.switches().find(|(_, switch)| forgets(switch.part)) {
            return Err(refuse(format!("a signal switches '{name}', and what it remembers is lost")));
        }
        if !options.sections.is_empty() {
            return Err(refuse("Poincaré sections".to_owned()));
        }
        let mut base = Shadow::new(system);
        let numbers = base.flow.components.n + base.flow.components.nu;
        if numbers > MAX_STATES {
            return Err(refuse(format!("{numbers} states, more than {MAX_STATES}")));
        }
        for controller in &base.flow.components.controllers {
            if matches!(controller.kind, ControllerKind::Sampled { .. }) {
                return Err(refuse(format!("'{}' is a sampled controller", controller.name)));
            }
        }
        let start = |system: &System, flow: &mut Flow<'_>| {
            flow.components.start_positions(system, options.start);
            let mut y = vec![0.0; flow.len()];
            initial(system, flow, &mut y);
            y
        };
        let y = start(system, &mut base.flow);
        let mut all = Vec::new();
        for VariedParameter { name, systems } in parameters {
            let [(a, first), (b, second)] = *systems;
            if !(a != 0.0 && b != 0.0 && a != b && a.is_finite() && b.is_finite()) {
                return Err(refuse(format!("'{name}' is not changed")));
            }
            // the quadratic through three values: exact for the derivative of polynomials of degree 2
            let (wa, wb) = (-b / (a * (a - b)), -a / (b * (b - a)));
            let mut varied = [Shadow::new(first), Shadow::new(second)];
            if !varied.iter().all(|varied| varied.has_shape_of(&base)) {
                return Err(refuse(format!("'{name}' changes the components or the number of states")));
            }
            let [ya, yb] = [start(first, &mut varied[0].flow), start(second, &mut varied[1].flow)];
            let mut parameter = Parameter {
                weights: [-(wa + wb), wa, wb],
                changes: [a, b],
                size: a.abs().max(b.abs()) / RELATIVE_CHANGE,
                s: vec![0.0; numbers],
                laws: Vec::new(),
                memory: varied[0].memory_derivatives(),
                dt: 0.0,
                last_dt: 0.0,
                in_series: false,
                is_reset: false,
                most: vec![0.0; numbers],
                lost: false,
                varied,
            };
            for i in 0..numbers {
                parameter.s[i] = parameter.quotient(y[i], [ya[i], yb[i]]);
            }
            parameter.differentiate_laws(&base);
            parameter.differentiate_initial_memory(&base);
            all.push(parameter);
        }
        let (n, nu) = (base.flow.components.n, base.flow.components.nu);
        Ok(Self {
            jacobian: Jacobian::new(n, nu, None),
            base,
            parameters: all,
            rtol: options.rtol,
            atol: Vec::new(),
            numbers,
            knots: Vec::new(),
            parts: 1,
            before: Vec::new(),
            at_spring_kink: false,
            last_stop: None,
            last_transition: f64::NEG_INFINITY,
            last_breakpoint: options.start,
            report: SensitivityReport::default(),
        })
    }
    /// Takes over the tolerances of a run, and refuses contacts whose laws cannot be differentiated.
    pub fn prepare(&mut self, flow: &Flow<'_>, atol: &[f64], t: f64) -> Result<(), SimError> {
        self.atol = atol.to_vec();
        match flow.components.contacts.iter().find_map(reason_against) {
            Some(why) => Err(SimError::Run { t, kind: SimErrorKind::NoSensitivity { why } }),
            None => Ok(()),
        }
    }
    /// The scale of state number `i`: its size, and what its absolute tolerance says about it.
    fn scale(&self, i: usize, y: &[f64]) -> f64 {
        y[i].abs() + self.atol[i] / self.rtol
    }
    /// The factor of a direction in state space by which it moves the state by [`RELATIVE_CHANGE`] of its scale; zero for
    /// no direction at all.
    fn factor(&self, y: &[f64], direction: &[f64]) -> f64 {
        let most = direction.iter().enumerate().fold(0.0_f64, |most, (i, x)| most.max(x.abs() / self.scale(i, y)));
        if most > 0.0 && most.is_finite() { RELATIVE_CHANGE / most } else { 0.0 }
    }
    fn flag(&mut self, t: f64, parameter: usize, kind: SensitivityFlagKind) {
        if kind.ends_derivative() {
            let lost = &mut self.parameters[parameter];
            lost.lost = true;
            lost.s.fill(f64::NAN);
            lost.memory.iter_mut().for_each(|memory| memory.fill(f64::NAN));
        }
        let known = |flag: &SensitivityFlag| flag.parameter == parameter && flag.kind == kind;
        if !self.report.flags.iter().any(known) {
            self.report.flags.push(SensitivityFlag { t, parameter, kind });
        }
    }
    /// Notes an event of the present transition.
    pub fn note_event(&mut self, event: &Event) {
        let dt =
            |parameter: &Parameter<'_>| if parameter.lost || parameter.in_series { f64::NAN } else { parameter.dt };
        self.report.events.push(EventSensitivity { event: *event, dt: self.parameters.iter().map(dt).collect() });
    }
}

/// Why the law of a contact cannot be differentiated, if so.
fn reason_against(contact: &ContactState<'_>) -> Option<String> {
    let name = contact.name;
    if contact.noisy {
        return Some(format!("the law of '{name}' contains noise"));
    }
    // MIN_POSITIVE where no slope is replaced
    if contact.singular_at_rest
        || contact.has_rate_cusp
        || contact.cusp.is_some()
        || contact.slope_speed > f64::MIN_POSITIVE
    {
        return Some(format!("the law of '{name}' has an unbounded slope at rest"));
    }
    None
}

/// The derivative at zero of a function, by central differences over `h` and `h/2`, extrapolated (Richardson): of fourth order.
fn derivative(h: f64, mut value: impl FnMut(f64) -> f64) -> f64 {
    if h == 0.0 {
        return 0.0;
    }
    let mut slope = |h: f64| (value(h) - value(-h)) / (2.0 * h);
    let (whole, half) = (slope(h), slope(0.5 * h));
    (4.0 * half - whole) / 3.0
}

/// Length of a state vector with its padding.
fn padded(flow: &Flow<'_>) -> usize {
    Step::pad(flow)
}
