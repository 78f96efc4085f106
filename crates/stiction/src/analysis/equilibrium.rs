//! Equilibria of a system, steady sliding or sticking, and their stability.
//!
//! ```
//! use stiction::{analysis::equilibrium, scenario::Scenario};
//!
//! let scenario = Scenario::named("a7", &["motion.hand.position.ramp.slope=0.2"])?;
//! let found = equilibrium::find(&scenario.system, scenario.options.end)?;
//! assert!(!found[0].stable);                           // below about 0.5 m/s steady sliding is unstable
//! # Ok::<(), stiction::Error>(())
//! ```
//! In steady motion springs keep their length: a coordinate moves with the body it is connected to, and the unknowns are
//! the constant offsets. A sticking contact may have any force within its limits, so that there is a set of equilibria:
//! from `G·u = −r − P·λ`, with the system's own stiffness `G` and unit forces `P`, the positions `u` are a linear image of
//! the box of forces λ, whose extent is a sum of absolute values.
use super::steady_motion::{SteadyMotion, check_components, check_steady_inputs};
use super::{AnalysisError, reduced_system};
use crate::Error;
use crate::linalg::{
    BoundedEigenvalue, Complex, Svd, balanced, eigenvalues, hurwitz_determinants, polynomial_from_roots,
};
use crate::sim::{Linearisation, RestTreatment, Simulation, StateRole, SystemState};
use crate::system::System;
use stiction_core::Input;

/// Trial speeds where a speed is not determined \[m/s\]: lowest, highest, and number per decade.
const TRIAL_SPEEDS: (f64, f64, f64) = (1e-6, 1e3, 2.0);

/// Error of an entry of a balanced system matrix, relative to the largest of its row: an entry is a sum of some products, each with a few
/// roundings.
const ENTRY_ERROR: f64 = 16.0 * f64::EPSILON;

/// An equilibrium.
#[derive(Clone, Debug)]
pub struct Equilibrium {
    /// The state at the given time.
    pub state: SystemState,
    /// The contacts.
    pub contacts: Vec<ContactEquilibrium>,
    /// The equilibrium set, if a contact sticks: name, unit, smallest and largest value of each state variable.
    pub set: Vec<(String, &'static str, f64, f64)>,
    /// Local stability, for each direction of sliding if they differ.
    pub local_stability: Vec<LocalStability>,
    /// Whether no eigenvalue is to the right of the imaginary axis by more than its error.
    pub stable: bool,
    /// Whether the linearisation cannot decide, because an eigenvalue is on the imaginary axis within its error: an undamped oscillation, or an
    /// integrator with a contact at rest, which may stay there or hunt. At rest an eigenvalue of zero without a controller is not counted: what friction
    /// holds stays where it was moved to.
    pub undecided: bool,
}

/// A contact in equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct ContactEquilibrium {
    /// Its name.
    pub name: String,
    /// Sliding velocity.
    pub v: f64,
    /// Force.
    pub force: f64,
    /// Smallest and largest force at rest.
    pub limits: (f64, f64),
    /// Whether it sticks by a set-valued law.
    pub held: bool,
    /// Slope of the steady curve there.
    pub slope: f64,
}

/// The linear system about an equilibrium.
#[derive(Clone, Debug, PartialEq)]
pub struct LocalStability {
    /// The sign of the velocity it is for; none if both are alike.
    pub side: Option<f64>,
    /// Names of the state variables that can change.
    pub states: Vec<String>,
    /// System matrix, row by row.
    pub matrix: Vec<f64>,
    /// The eigenvalues, largest real part first.
    pub eigenvalues: Vec<Complex>,
    /// Bound of the error of each eigenvalue by rounding; infinite for multiple eigenvalues that share an eigenvector.
    pub errors: Vec<f64>,
    /// The characteristic polynomial: 1, a1, a2, ...
    pub polynomial: Vec<f64>,
    /// The Hurwitz determinants; the last but one vanishes where an oscillation begins to grow.
    pub hurwitz: Vec<f64>,
}

impl LocalStability {
    /// The largest real part; minus infinity if there are no eigenvalues.
    pub fn growth(&self) -> f64 {
        self.eigenvalues.first().map_or(f64::NEG_INFINITY, |z| z.re)
    }
    /// Number of eigenvalues that are on the imaginary axis within their error.
    pub fn neutral(&self) -> usize {
        self.on_axis().count()
    }
    /// Whether eigenvalue number `k` is zero within its error.
    pub fn is_zero(&self, k: usize) -> bool {
        self.eigenvalues[k].abs() <= self.resolution(k)
    }
    /// Whether eigenvalue number `k` is on the imaginary axis within its error.
    pub fn is_neutral(&self, k: usize) -> bool {
        self.eigenvalues[k].re.abs() <= self.resolution(k)
    }
    fn on_axis(&self) -> impl Iterator<Item = usize> {
        (0..self.eigenvalues.len()).filter(|&k| self.is_neutral(k))
    }
    fn resolution(&self, k: usize) -> f64 {
        resolution(&self.eigenvalues, &self.errors, k)
    }
    /// Natural frequency [rad/s] and damping ratio of each oscillation.
    pub fn oscillations(&self) -> Vec<(f64, f64)> {
        self.eigenvalues.iter().filter(|z| z.im > 0.0).map(|z| (z.abs(), -z.re / z.abs())).collect()
    }
}

/// The equilibria at time `t`, for inputs that are steady from then on. Empty if the system accelerates without limit.
///
/// # Errors
/// [`Error::Analysis`] if the inputs are not steady, or as [`Simulation::run`].
pub fn find(system: &System, t: f64) -> Result<Vec<Equilibrium>, Error> {
    check_steady_inputs(system, t).map_err(Error::Analysis)?;
    if let Some(stop) = system.stops.first() {
        return Err(Error::Analysis(AnalysisError::HasStop(stop.name.clone())));
    }
    if let Some(joint) = system.freewheels.first() {
        return Err(Error::Analysis(AnalysisError::HasFreewheel(joint.name.clone())));
    }
    check_components(system).map_err(Error::Analysis)?;
    if let Some(spring) = system.springs.iter().find(|spring| spring.component.gap.is_some()) {
        return Err(Error::Analysis(AnalysisError::HasGap(spring.name.clone())));
    }
    let simulation = Simulation::new(system)?;
    let start = simulation.initial();
    let linear = simulation.linearise(&start, t, RestTreatment::Free)?;
    let motion = SteadyMotion::new(system, t, &linear).map_err(Error::Analysis)?;
    let task = EquilibriumSolver { system, simulation: &simulation, t, motion: &motion };
    let mut out = Vec::new();
    if motion.free.is_empty() {
        out.extend(task.solve(0.0)?);
        return Ok(out);
    }
    // speeds that no input determines: rest, or any speed at which the forces balance
    let (least, most, per_decade) = TRIAL_SPEEDS;
    let count = ((most / least).log10() * per_decade).round() as i32;
    let speeds = (0..=count).map(|k| least * 10_f64.powf(f64::from(k) / per_decade));
    for v in std::iter::once(0.0).chain(speeds.flat_map(|v| [v, -v])) {
        // a trial speed without a solution is not an error
        if let Ok(Some(found)) = task.solve(v) {
            let near = |a: &Equilibrium| alike(&a.contacts, &found.contacts);
            if !out.iter().any(near) {
                out.push(found);
            }
        }
    }
    Ok(out)
}

fn alike(a: &[ContactEquilibrium], b: &[ContactEquilibrium]) -> bool {
    a.iter().zip(b).all(|(a, b)| (a.v - b.v).abs() <= 1e-6 * (a.v.abs() + b.v.abs()))
}

struct EquilibriumSolver<'a> {
    system: &'a System,
    simulation: &'a Simulation<'a>,
    t: f64,
    motion: &'a SteadyMotion,
}

impl EquilibriumSolver<'_> {
    /// The equilibrium found from a start at which undetermined speeds are `v`.
    fn solve(&self, v: f64) -> Result<Option<Equilibrium>, Error> {
        let roles: Vec<StateRole> = self.simulation.states().into_iter().map(|(_, role)| role).collect();
        let mut state = self.simulation.initial();
        for (y, role) in state.y.iter_mut().zip(&roles) {
            match *role {
                StateRole::Position(i) => *y += self.motion.velocity[i] * self.t,
                StateRole::Velocity(i) => {
                    *y = self.motion.velocity[i] + self.motion.free.iter().map(|d| d[i] * v).sum::<f64>();
                }
                _ => {}
            }
        }
        self.settle(&mut state, &roles)?;
        let mut forces = Vec::new();
        let mut off = f64::INFINITY;
        for _ in 0..60 {
            let linear = self.simulation.linearise(&state, self.t, RestTreatment::Free)?;
            let Some(step) = self.newton(&linear, &roles, v == 0.0) else { return Ok(None) };
            forces = step.forces;
            off = 0.0;
            for (y, (d, size)) in state.y.iter_mut().zip(step.change.iter().zip(&step.size)) {
                *y += d;
                off = off.max(d.abs() / (y.abs() + size));
                if y.abs() < 1e-14 * size {
                    *y = 0.0;
                }
            }
            if !off.is_finite() {
                break;
            }
            if v != 0.0 {
                self.settle(&mut state, &roles)?;
            }
            if off < 1e-13 {
                break;
            }
        }
        if off.is_nan() || off > 1e-9 {
            return Err(Error::Analysis(AnalysisError::NotConverged { what: "equilibrium", off }));
        }
        self.describe(state, &roles, &forces)
    }
    /// Sets the states of sliding contacts to their steady values.
    fn settle(&self, state: &mut SystemState, roles: &[StateRole]) -> Result<(), Error> {
        let linear = self.simulation.linearise(state, self.t, RestTreatment::Natural)?;
        for (c, touch) in linear.contacts.iter().enumerate().filter(|(_, touch)| touch.v != 0.0) {
            let u = Input { v: touch.v, load: touch.load };
            self.system.contacts[c].component.law.settled(&u, &mut state.memory[c]);
            self.store(state, roles, c);
        }
        Ok(())
    }
    /// Copies the continuous states of a law into the state vector.
    fn store(&self, state: &mut SystemState, roles: &[StateRole], c: usize) {
        let law = &self.system.contacts[c].component.law;
        let flows = (0..law.len()).filter(|&i| law.flows(i));
        let places = roles.iter().enumerate().filter(|(_, role)| **role == StateRole::Memory(c));
        places.zip(flows).for_each(|((at, _), i)| state.y[at] = state.memory[c][i]);
    }
    /// One step of Newton's iteration; none if no contact forces balance the system.
    fn newton(&self, linear: &Linearisation, roles: &[StateRole], still: bool) -> Option<NewtonStep> {
        let n = roles.len();
        let rests = |c: usize| linear.contacts[c].v == 0.0;
        let single = |role: StateRole| match role {
            StateRole::Position(_) | StateRole::Control => true,
            StateRole::Velocity(_) => false,
            StateRole::Memory(c) => !rests(c),
        };
        // an unknown is a state, or the speed in a free direction: states with their changes per unit of it
        let mut unknowns: Vec<Vec<(usize, f64)>> =
            (0..n).filter(|&j| single(roles[j])).map(|j| vec![(j, 1.0)]).collect();
        if !still {
            unknowns.extend(self.motion.free.iter().map(|direction| {
                let velocities = roles.iter().enumerate().filter_map(|(j, role)| match *role {
                    StateRole::Velocity(i) if direction[i] != 0.0 => Some((j, direction[i])),
                    _ => None,
                });
                velocities.collect()
            }));
        }
        let rows: Vec<usize> = (0..n)
            .filter(|&i| {
                !matches!(roles[i], StateRole::Position(_)) && !matches!(roles[i], StateRole::Memory(c) if rests(c))
            })
            .collect();
        let resting: Vec<usize> = (0..linear.contacts.len()).filter(|&c| rests(c)).collect();
        let r: Vec<f64> = rows.iter().map(|&i| -linear.rate[i]).collect();
        let g = |k: usize, i: usize| unknowns[k].iter().map(|&(j, d)| d * linear.matrix[i * n + j]).sum::<f64>();
        // first without the forces of sticking contacts, then with them
        let bare = ScaledMatrix::new(rows.len(), unknowns.len(), |i, k| g(k, rows[i]));
        let (mut u, mut forces) = (bare.solve(&r), vec![0.0; resting.len()]);
        if !bare.fits(&u, &r) {
            let wide = unknowns.len() + resting.len();
            let all = ScaledMatrix::new(rows.len(), wide, |i, j| match j.checked_sub(unknowns.len()) {
                None => g(j, rows[i]),
                Some(k) => linear.contacts[resting[k]].push[rows[i]],
            });
            u = all.solve(&r);
            if !all.fits(&u, &r) {
                return None;
            }
            forces.copy_from_slice(&u[unknowns.len()..]);
        }
        let mut change = vec![0.0; n];
        for (states, u) in unknowns.iter().zip(&u) {
            states.iter().for_each(|&(j, d)| change[j] += d * u);
        }
        // change of each unknown with a unit of each force
        let reach = resting.iter().map(|&c| {
            let push: Vec<f64> = rows.iter().map(|&i| -linear.contacts[c].push[i]).collect();
            let by = bare.solve(&push);
            bare.fits(&by, &push).then_some(by)
        });
        let reach: Option<Vec<Vec<f64>>> = reach.collect();
        let spread = |c: usize| linear.contacts[c].limits.1 - linear.contacts[c].limits.0;
        let mut size = vec![1e-3; n];
        for (j, role) in roles.iter().enumerate() {
            if let StateRole::Memory(c) = role {
                size[j] = linear.contacts[*c].memory;
            }
        }
        for (by, &c) in reach.iter().flatten().zip(&resting) {
            for (states, by) in unknowns.iter().zip(by) {
                states.iter().for_each(|&(j, d)| size[j] += (d * by).abs() * spread(c));
            }
        }
        let forces = resting.iter().zip(forces).map(|(&c, force)| (c, force)).collect();
        Some(NewtonStep { change, size, forces, unknowns, reach })
    }
    /// The equilibrium with its stability; none if a contact force would exceed its limit.
    fn describe(
        &self,
        mut state: SystemState,
        roles: &[StateRole],
        forces: &[(usize, f64)],
    ) -> Result<Option<Equilibrium>, Error> {
        let linear = self.simulation.linearise(&state, self.t, RestTreatment::Free)?;
        for &(c, force) in forces {
            let (low, high) = linear.contacts[c].limits;
            if force < low || force > high {
                return Ok(None);
            }
            if force != 0.0 && !self.system.contacts[c].component.law.is_empty() {
                // bristle deflection that carries the force: that of steady sliding, scaled
                let (v, limit) = if force > 0.0 { (SLOW_SLIDING, high) } else { (-SLOW_SLIDING, low) };
                let u = Input { v, load: linear.contacts[c].load };
                self.system.contacts[c].component.law.settled(&u, &mut state.memory[c]);
                state.memory[c].iter_mut().for_each(|z| *z *= force / limit);
                self.store(&mut state, roles, c);
            }
        }
        let names = self.simulation.states();
        let set = match self.newton(&linear, roles, true) {
            // without free speeds, each unknown is one state
            Some(NewtonStep { unknowns, reach: Some(reach), .. }) if !forces.is_empty() => unknowns
                .iter()
                .enumerate()
                .flat_map(|(k, states)| states.iter().map(move |&(j, _)| (k, j)))
                .map(|(k, j)| {
                    let (mut lo, mut hi) = (state.y[j], state.y[j]);
                    for (by, &(c, force)) in reach.iter().zip(forces) {
                        let (low, high) = linear.contacts[c].limits;
                        let ends = [by[k] * (low - force), by[k] * (high - force)];
                        lo += ends[0].min(ends[1]);
                        hi += ends[0].max(ends[1]);
                    }
                    (names[j].0.name.clone(), names[j].0.unit, lo, hi)
                })
                .collect(),
            _ => Vec::new(),
        };
        let natural = self.simulation.linearise(&state, self.t, RestTreatment::Natural)?;
        let contacts = natural.contacts.iter().zip(&self.system.contacts);
        let contacts: Vec<ContactEquilibrium> = contacts
            .map(|(touch, joint)| ContactEquilibrium {
                name: joint.name.clone(),
                v: touch.v,
                force: touch.force,
                limits: touch.limits,
                held: touch.held,
                slope: touch.slope,
            })
            .collect();
        let side = |side: f64| self.answer(&state, RestTreatment::Side(side), Some(side));
        let [up, down] = [side(1.0)?, side(-1.0)?];
        let same = up.matrix.iter().zip(&down.matrix).all(|(a, b)| (a - b).abs() <= 1e-9 * (a.abs() + b.abs()));
        let local_stability = if same { vec![LocalStability { side: None, ..up }] } else { vec![up, down] };
        let rests = contacts.iter().any(|contact| contact.v == 0.0);
        let grows = |answer: &LocalStability| {
            (0..answer.eigenvalues.len()).any(|k| answer.eigenvalues[k].re > 0.0 && !answer.is_neutral(k))
        };
        let stable = !local_stability.iter().any(grows);
        let steers = |answer: &LocalStability| {
            let own = names.iter().filter(|(_, role)| *role == StateRole::Control);
            own.into_iter().any(|(column, _)| answer.states.contains(&column.name))
        };
        // at rest a perturbation may remain constant, which friction without a controller allows
        let open = |answer: &LocalStability| answer.on_axis().any(|k| !rests || steers(answer) || !answer.is_zero(k));
        let undecided = stable && local_stability.iter().any(open);
        Ok(Some(Equilibrium { state, contacts, set, local_stability, stable, undecided }))
    }
    fn answer(&self, state: &SystemState, rest: RestTreatment, side: Option<f64>) -> Result<LocalStability, Error> {
        let linear = self.simulation.linearise(state, self.t, rest)?;
        let names: Vec<String> = self.simulation.states().into_iter().map(|(column, _)| column.name).collect();
        let roles: Vec<StateRole> = self.simulation.states().into_iter().map(|(_, role)| role).collect();
        let (keep, matrix) = reduced_system::reduce(&linear, &roles, &self.motion.free);
        let Spectrum { eigenvalues, errors } = Spectrum::new(&matrix, keep.len());
        let polynomial = polynomial_from_roots(&eigenvalues);
        let hurwitz = hurwitz_determinants(&polynomial);
        let states = keep.iter().map(|&i| names[i].clone()).collect();
        Ok(LocalStability { side, states, matrix, eigenvalues, errors, polynomial, hurwitz })
    }
}

/// The eigenvalues of a system matrix, largest real part first, and the bounds of their errors by rounding.
pub(super) struct Spectrum {
    pub eigenvalues: Vec<Complex>,
    errors: Vec<f64>,
}

impl Spectrum {
    pub fn new(matrix: &[f64], n: usize) -> Self {
        let matrix = balanced(matrix, n);
        let largest = |row: &[f64]| row.iter().fold(0.0_f64, |most, x| most.max(x.abs()));
        let errors: Vec<f64> =
            matrix.chunks_exact(n.max(1)).flat_map(|row| vec![ENTRY_ERROR * largest(row); n]).collect();
        let eigenvalues = eigenvalues(&matrix, n);
        let bound = |z: &Complex| BoundedEigenvalue::near(*z, &matrix, &errors, n).error;
        let errors = eigenvalues.iter().map(bound).collect();
        Self { eigenvalues, errors }
    }
    /// Whether eigenvalue number `k` is on the imaginary axis within its error.
    pub fn is_neutral(&self, k: usize) -> bool {
        self.eigenvalues[k].re.abs() <= resolution(&self.eigenvalues, &self.errors, k)
    }
}

/// How far an eigenvalue may be from its value. Where m of them share an eigenvector, an error e of the matrix moves them by the m-th root of e
/// times the size of the matrix, so that only those nearer to zero than the square root are in doubt.
fn resolution(eigenvalues: &[Complex], errors: &[f64], k: usize) -> f64 {
    let fastest = eigenvalues.iter().fold(0.0_f64, |most, z| most.max(z.abs()));
    errors[k].min(ENTRY_ERROR.sqrt() * fastest.max(f64::MIN_POSITIVE))
}

/// A slow speed that sets the direction of bristle deflection [m/s].
const SLOW_SLIDING: f64 = 1e-12;

struct NewtonStep {
    change: Vec<f64>,
    /// Scale of each unknown.
    size: Vec<f64>,
    /// Sticking contacts and their forces.
    forces: Vec<(usize, f64)>,
    /// The unknowns: states with their changes per unit of the unknown.
    unknowns: Vec<Vec<(usize, f64)>>,
    /// For each contact force the change of each unknown with a unit of it; none if no solution exists.
    reach: Option<Vec<Vec<f64>>>,
}

/// Singular value decomposition of a matrix with scaled rows and columns.
struct ScaledMatrix {
    svd: Svd,
    a: Vec<f64>,
    rows: Vec<f64>,
    columns: Vec<f64>,
}

impl ScaledMatrix {
    fn new(m: usize, n: usize, at: impl Fn(usize, usize) -> f64) -> Self {
        let one = |x: f64| if x > 0.0 { x } else { 1.0 };
        let rows: Vec<f64> = (0..m).map(|i| one((0..n).map(|j| at(i, j).abs()).fold(0.0, f64::max))).collect();
        let columns: Vec<f64> =
            (0..n).map(|j| one((0..m).map(|i| at(i, j).abs() / rows[i]).fold(0.0, f64::max))).collect();
        let a: Vec<f64> = (0..m * n).map(|k| at(k / n, k % n) / rows[k / n] / columns[k % n]).collect();
        Self { svd: Svd::new(&a, m, n), a, rows, columns }
    }
    fn solve(&self, b: &[f64]) -> Vec<f64> {
        let b: Vec<f64> = b.iter().zip(&self.rows).map(|(b, s)| b / s).collect();
        self.svd.solve(&b, 1e-11).iter().zip(&self.columns).map(|(x, s)| x / s).collect()
    }
    /// Whether `x` is a solution, not only a least-squares solution.
    fn fits(&self, x: &[f64], b: &[f64]) -> bool {
        let (n, size) = (x.len(), b.iter().zip(&self.rows).map(|(b, s)| (b / s).abs()).fold(0.0, f64::max));
        b.iter().zip(&self.rows).enumerate().all(|(i, (b, s))| {
            let own: f64 = (0..n).map(|j| self.a[i * n + j] * x[j] * self.columns[j]).sum();
            let terms: f64 = (0..n).map(|j| (self.a[i * n + j] * x[j] * self.columns[j]).abs()).sum();
            (own - b / s).abs() <= 1e-9 * size + 1e-12 * terms
        })
    }
}
