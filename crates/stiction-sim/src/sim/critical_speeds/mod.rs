//! The critical speeds of a law of equations: the extrema of its functions of the speed alone.
//!
//! A step knows the law at the speeds at which it evaluates it. Between the speeds at its two ends a function without an extremum lies
//! between its values there: what the step does not see is not larger than what it sees. A hump, however narrow, has an extremum, and a
//! step from one of its sides to the other may have seen neither. So a step that crosses a critical speed is taken again to end
//! there, where the error estimate sees the law. That is the whole of the rule; where a hump is wider than the steps, it costs one step more.
//!
//! The functions are found in the law's program: operations that depend on the speed and on constants alone, where they enter one that also depends on a
//! state, or where they are the force itself. For a bristle that is its g(v). A load that varies is no constant. Their extrema are
//! zeros of their derivatives, which are a program as well. An interval of speeds in which [interval arithmetic](interval) gives a derivative one
//! sign has none; others are halved, down to the digits of a number. So none is missed, and where bounds are too wide to tell, a speed that is
//! none may be taken for one, which does no harm. Speeds are searched when a step comes to them, and only once.
mod interval;

use super::root_finding::{Quartic, approximate_root, first_crossing};
use crate::ParameterGroup;
use crate::system::Contact;
use interval::{Interval, bounds};
use std::collections::BTreeMap;
use stiction_core::program::{LawEquations, Operation, OperationId, Program, derivative, inputs};

/// Speeds are searched in ranges, each this many times the one before; the factor puts their ends at no speed that is likely in a law.
const RANGE: f64 = 16.0;
const FIRST_END: f64 = 1.037_129_3;
/// Each range reaches this part beyond its ends, so that an extremum at its end is within another one.
const OVERLAP: f64 = 1e-3;
/// The slowest speed that is looked at [m/s or rad/s].
const SLOWEST: f64 = 1e-100;

/// The fastest speed: laws do not compute beyond it.
const FASTEST: f64 = 1e15;

/// Width down to which an interval is halved, relative to its speed: some digits above rounding.
const NARROWEST: f64 = 1e-13;
/// Width up to which an interval that may have an extremum is one speed, relative to it.
const ONE_SPEED: f64 = 1e-9;
/// Most intervals that are looked at in a range. A law with so many extrema within a factor of sixteen varies at random, as far as a
/// step can tell; of the intervals that are left, the ends are critical.
const MAX_INTERVALS: u32 = 20_000;

/// The functions of the speed in a law with its parameters, and their extrema as far as they were looked for.
#[derive(Debug)]
pub(super) struct CriticalSpeeds {
    /// The derivatives of the functions.
    slopes: Program,
    /// The inputs of this program for the two directions, forwards first.
    inputs: [Vec<Interval>; 2],
    /// The critical speeds in each range of each direction, rising.
    found: [BTreeMap<i32, Vec<f64>>; 2],
}

impl CriticalSpeeds {
    /// Those of the law of a contact, whose load factor this is if it is constant. None if it is no law of equations, or none of its functions
    /// has an extremum at any speed.
    pub fn new(contact: &Contact, load: Option<f64>) -> Option<Self> {
        let equations = &contact.entry.program()?.equations;
        let slopes = slopes(equations, load.is_some())?;
        let load = if equations.signed_load { load } else { load.map(|load| load.max(0.0)) };
        let inputs = [ParameterGroup::Law, ParameterGroup::Reverse].map(|group| {
            let mut all = vec![Interval::ALL; equations.flow.inputs as usize];
            all[inputs::LOAD as usize] = load.map_or(Interval::ALL, Interval::point);
            let values = contact.spec.values(group);
            all.iter_mut().skip(equations.param(0) as usize).zip(values).for_each(|(to, x)| *to = Interval::point(x));
            all
        });
        let rises_or_falls = |(inputs, direction): (&Vec<Interval>, f64)| {
            let mut all = inputs.clone();
            let ends = [SLOWEST * direction, FASTEST * direction];
            all[inputs::V as usize] = Interval::new(ends[0].min(ends[1]), ends[0].max(ends[1]));
            bounds(&slopes, &all).into_iter().all(|slope| slope.sign().is_some())
        };
        let is_plain = inputs.iter().zip([1.0, -1.0]).all(rises_or_falls);
        (!is_plain).then(|| Self { slopes, inputs, found: Default::default() })
    }
    /// The first fraction of a step at which its sliding velocity passes a critical speed by more than `tolerance`, to which speeds are known.
    /// A step that begins or ends at one has seen it. Given are the velocities at the sample points of the step.
    pub fn first_passed(&mut self, velocities: &[f64; 5], tolerance: f64) -> Option<f64> {
        let (low, high) = velocities.iter().fold((f64::INFINITY, f64::NEG_INFINITY), |(a, b), &v| (a.min(v), b.max(v)));
        let start = velocities[0];
        let passed = |speed: Option<f64>, side: f64| {
            let guard = velocities.map(|v| v - speed.unwrap_or(f64::NAN));
            let (lo, hi) = first_crossing(&guard, side, tolerance)?;
            let quartic = Quartic::new(&guard);
            Some(approximate_root(|theta| quartic.at(theta), side, lo, hi))
        };
        let below = passed(self.nearest([low, start - tolerance], tolerance, f64::max), 1.0);
        let above = passed(self.nearest([start + tolerance, high], tolerance, f64::min), -1.0);
        [below, above].into_iter().flatten().reduce(f64::min)
    }
    /// The velocities next to `start` on both sides up to which a motion passes no critical speed; they need not be critical themselves.
    pub fn free_range(&mut self, start: f64, tolerance: f64) -> [f64; 2] {
        let least = tolerance.max(SLOWEST);
        let (slower, faster) = (start.abs() / RANGE, start.abs().max(least) * RANGE);
        let ends =
            if start.abs() < least { [-faster, faster] } else { [start.signum() * slower, start.signum() * faster] };
        let [low, high] = [ends[0].min(ends[1]), ends[0].max(ends[1])];
        [
            self.nearest([low, start], tolerance, f64::max).unwrap_or(low),
            self.nearest([start, high], tolerance, f64::min).unwrap_or(high),
        ]
    }
    /// The least or the largest critical velocity between two, of those whose speed is above `least`.
    fn nearest(&mut self, [low, high]: [f64; 2], least: f64, choose: fn(f64, f64) -> f64) -> Option<f64> {
        let mut best = None;
        for (direction, sign) in [1.0, -1.0].into_iter().enumerate() {
            let [from, to] = if sign > 0.0 { [low, high] } else { [-high, -low] };
            let from = from.max(least).max(SLOWEST);
            if !(from < to && to.is_finite()) {
                continue;
            }
            for range in number_of_range(from)..=number_of_range(to) {
                let Self { slopes, inputs, found } = self;
                let speeds =
                    found[direction].entry(range).or_insert_with(|| search(slopes, &inputs[direction], sign, range));
                let within = speeds.iter().filter(|speed| (from..=to).contains(*speed)).map(|speed| sign * speed);
                best = within.chain(best).reduce(choose);
            }
        }
        best
    }
}

fn number_of_range(speed: f64) -> i32 {
    (speed / FIRST_END).log(RANGE).floor() as i32
}

/// The program of the derivatives by the velocity of a law's functions of the velocity alone. None if it has no such function, or none that can have
/// an extremum.
fn slopes(equations: &LawEquations, load_is_constant: bool) -> Option<Program> {
    let flow = &equations.flow;
    let functions = functions_of_speed(equations, load_is_constant);
    let program = Program::new(flow.precision, &flow.operations, flow.inputs, &functions);
    let count = program.outputs.len();
    let slopes = derivative(&program, &[inputs::V])?.with_outputs(&(count..2 * count).collect::<Vec<_>>());
    (!functions.is_empty()).then_some(slopes)
}

/// What an operation depends on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Dependence {
    Constants,
    Speed,
    /// A state, or a load that varies.
    Others,
}

/// The operations that depend on the speed alone, where they enter one that depends on others as well, or are results.
fn functions_of_speed(equations: &LawEquations, load_is_constant: bool) -> Vec<OperationId> {
    let flow = &equations.flow;
    let states = inputs::STATES..equations.param(0);
    let mut depends: Vec<Dependence> = Vec::with_capacity(flow.operations.len());
    let mut functions: Vec<OperationId> = Vec::new();
    for operation in &flow.operations {
        let on = match operation {
            Operation::Input(inputs::V) => Dependence::Speed,
            Operation::Input(inputs::LOAD) if !load_is_constant => Dependence::Others,
            Operation::Input(i) if states.contains(i) => Dependence::Others,
            _ => operation.operands().map(|id| depends[id as usize]).max().unwrap_or(Dependence::Constants),
        };
        if on == Dependence::Others {
            functions.extend(operation.operands().filter(|id| depends[*id as usize] == Dependence::Speed));
        }
        depends.push(on);
    }
    functions.extend(flow.outputs.iter().filter(|id| depends[**id as usize] == Dependence::Speed));
    functions.retain(|id| !flow.operations[*id as usize].is_boolean());
    functions.sort_unstable();
    functions.dedup();
    functions
}

/// Searches a range of speeds for sign changes of slopes, from slow to fast.
struct Search<'p> {
    slopes: &'p Program,
    inputs: Vec<Interval>,
    direction: f64,
    /// How many intervals may still be looked at.
    left: u32,
    /// The last sign of each slope that was not zero; zero where a critical interval was noted since.
    signs: Vec<f64>,
    found: Vec<[f64; 2]>,
}

impl Search<'_> {
    fn between(&mut self, low: f64, high: f64) {
        self.left = self.left.saturating_sub(1);
        self.inputs[inputs::V as usize] =
            if self.direction > 0.0 { Interval::new(low, high) } else { Interval::new(-high, -low) };
        let signs: Vec<Option<f64>> = bounds(self.slopes, &self.inputs).into_iter().map(Interval::sign).collect();
        let is_narrow = self.left == 0 || high - low <= NARROWEST * high;
        if !is_narrow && signs.contains(&None) {
            // over many decades in equal ratios
            let middle = if high > 2.0 * low { (low * high).sqrt() } else { 0.5 * (low + high) };
            self.between(low, middle);
            return self.between(middle, high);
        }
        for (k, sign) in signs.into_iter().enumerate() {
            match sign {
                None => self.note(k, [low, high], 0.0),
                Some(sign) if sign * self.signs[k] < 0.0 => self.note(k, [low, low], sign),
                Some(sign) if sign != 0.0 => self.signs[k] = sign,
                Some(_) => {}
            }
        }
    }
    fn note(&mut self, k: usize, [low, high]: [f64; 2], sign: f64) {
        self.signs[k] = sign;
        match self.found.last_mut() {
            Some(last) if low <= last[1] => last[1] = last[1].max(high),
            _ => self.found.push([low, high]),
        }
    }
}

/// The critical speeds in a range, rising.
fn search(slopes: &Program, inputs: &[Interval], direction: f64, range: i32) -> Vec<f64> {
    let signs = vec![0.0; slopes.outputs.len()];
    let mut search =
        Search { slopes, inputs: inputs.to_vec(), direction, left: MAX_INTERVALS, signs, found: Vec::new() };
    let [low, high] = [range, range + 1].map(|n| FIRST_END * RANGE.powi(n));
    search.between(low * (1.0 - OVERLAP), high * (1.0 + OVERLAP));
    let mut speeds = Vec::new();
    for [low, high] in search.found {
        if high - low <= ONE_SPEED * high { speeds.push(0.5 * (low + high)) } else { speeds.extend([low, high]) }
    }
    speeds
}

#[cfg(test)]
mod tests {
    use super::{CriticalSpeeds, Interval};
    use stiction_core::program::{Builder, Function, Precision, Program, derivative, inputs};

    /// The critical speeds of a function of the velocity.
    fn of(function: impl Fn(&mut Builder, u32) -> u32) -> CriticalSpeeds {
        let mut builder = Builder::new(Precision::Double);
        let v = builder.input(inputs::V);
        let value = function(&mut builder, v);
        let program: Program = builder.program(4, &[value]);
        let slopes = derivative(&program, &[inputs::V]).expect("a derivative").with_outputs(&[1]);
        let inputs = [(); 2].map(|()| vec![Interval::ALL; 4]);
        CriticalSpeeds { slopes, inputs, found: Default::default() }
    }

    /// `sign(v) (1 + 2 exp(−((|v| − centre)/width)²))`
    fn hump(builder: &mut Builder, v: u32, centre: f64, width: f64) -> u32 {
        let (speed, sign) = (builder.abs(v), builder.sign(v));
        let (centre, width) = (builder.number(centre), builder.number(width));
        let off = builder.subtract(speed, centre);
        let off = builder.divide(off, width);
        let square = builder.multiply(off, off);
        let minus = builder.negate(square);
        let bell = builder.call(Function::Exp, minus);
        let (one, two) = (builder.number(1.0), builder.number(2.0));
        let bell = builder.multiply(two, bell);
        let level = builder.add(one, bell);
        builder.multiply(level, sign)
    }

    #[test]
    fn the_top_of_a_hump_is_critical_however_narrow_it_is() {
        // also where it lies at the end of an interval of the search
        for centre in [0.5, 0.37, super::FIRST_END, 2.0 * super::FIRST_END] {
            for width in [0.3, 1e-3, 1e-6, 1e-9] {
                let mut speeds = of(|builder, v| hump(builder, v, centre, width * centre));
                for side in [1.0, -1.0] {
                    let velocities = [0.9, 0.8, 0.6, 0.4, 0.2].map(|x| side * x * centre * 2.0);
                    let theta = speeds.first_passed(&velocities, 1e-12 * centre).expect("passed");
                    // where the quartic through these velocities is at the top, to a few digits: 0.5 is between the third and the fourth
                    assert!(theta > 0.5 && theta < 0.75, "{centre} {width}: {theta}");
                    assert_eq!(
                        speeds.first_passed(&[0.9, 0.8, 0.75, 0.7, 0.6].map(|x| side * x * centre * 2.0), 0.0),
                        None
                    );
                    let [low, high] = speeds.free_range(side * 0.9 * centre, 0.0);
                    let end = if side > 0.0 { high } else { -low };
                    assert!((end / centre - 1.0).abs() < 1e-9, "{centre} {width}: {end}");
                }
            }
        }
    }

    #[test]
    fn a_function_that_rises_or_falls_everywhere_has_no_critical_speed() {
        let mut fall = of(|builder, v| {
            let speed = builder.abs(v);
            let rate = builder.number(-300.0);
            let x = builder.multiply(rate, speed);
            builder.call(Function::Exp, x)
        });
        assert_eq!(fall.first_passed(&[1.0, 0.5, 0.1, 1e-3, 1e-5], 1e-9), None);
        assert_eq!(fall.first_passed(&[1.0, 0.5, 0.1, -0.1, -0.5], 1e-9), None);
    }

    #[test]
    fn a_step_that_begins_or_ends_at_a_critical_speed_has_seen_it() {
        let mut speeds = of(|builder, v| hump(builder, v, 0.5, 1e-3));
        assert_eq!(speeds.first_passed(&[0.5 + 1e-10, 0.4, 0.3, 0.2, 0.1], 1e-9), None);
        assert_eq!(speeds.first_passed(&[0.9, 0.8, 0.7, 0.6, 0.5 - 1e-10], 1e-9), None);
        assert!(speeds.first_passed(&[0.5 + 1e-8, 0.4, 0.3, 0.2, 0.1], 1e-9).is_some());
    }
}
