//! The linear system around a contact: its compliance as seen from the contact.
use crate::Error;
use crate::analysis::AnalysisError;
use crate::linalg::{Complex, eigenvalues};
use crate::sim::{RestTreatment, Simulation, StateRole};
use crate::system::{Controller, Load, Signal, System};

/// The linear system around a contact, without its force.
#[derive(Clone, Debug, PartialEq)]
pub struct LinearPlant {
    /// Names of its states.
    pub states: Vec<String>,
    /// System matrix, row by row.
    matrix: Vec<f64>,
    /// Effect of a unit contact force on the derivatives of the states.
    push: Vec<f64>,
    /// Weights of the states in the displacement of the contact.
    row: Vec<f64>,
    /// The column of the displacement, if it is the position of one body.
    pub position: Option<String>,
    /// Name of the contact.
    pub contact: String,
    /// Normal load of the contact.
    pub load: f64,
    /// Whether a controller has an integrator, so that its force grows while the system is at rest.
    pub integrates: bool,
}

impl LinearPlant {
    /// Linearises the system around its only contact at time `t`, at the initial positions and at rest.
    ///
    /// # Errors
    /// [`AnalysisError::NotALinearLoop`] if there is not one contact, at rest; [`AnalysisError::SampledController`] if the loop is not in
    /// continuous time.
    pub fn new(system: &System, t: f64) -> Result<Self, Error> {
        let fail = |why| Err(Error::Analysis(AnalysisError::NotALinearLoop { why }));
        let [joint] = &system.contacts[..] else { return fail("it must have exactly one contact") };
        if !system.motions.iter().all(Signal::is_constant) {
            return fail("a prescribed motion moves it");
        }
        if !system.forces.iter().all(|(_, _, force)| force.is_constant()) {
            return fail("a force on it changes with time");
        }
        if !system.stops.is_empty() {
            return fail("it has a stop");
        }
        if !system.freewheels.is_empty() {
            return fail("it has a freewheel");
        }
        if system.switches().next().is_some() {
            return fail("a signal switches a component of it");
        }
        if !system.lossy_gears.is_empty() {
            return fail("it has a gear with an efficiency");
        }
        if system.springs.iter().any(|spring| spring.component.gap.is_some()) {
            return fail("it has a gap");
        }
        if system.springs.iter().any(|spring| spring.component.error.is_some()) {
            return fail("it has a kinematic error");
        }
        if system.springs.iter().any(|spring| spring.component.third.is_some()) {
            return fail("it has a planetary gear");
        }
        if let Some(slot) = system.controllers.iter().find(|slot| matches!(slot.controller, Controller::Sampled { .. }))
        {
            return Err(Error::Analysis(AnalysisError::SampledController(slot.name.clone())));
        }
        if !matches!(joint.component.load, Load::Signal(_)) {
            return fail("the load of its contact depends on a spring or a controller");
        }
        let simulation = Simulation::new(system)?;
        let states = simulation.states();
        let mut start = simulation.initial();
        for (y, (_, role)) in start.y.iter_mut().zip(&states) {
            if matches!(role, StateRole::Velocity(_)) {
                *y = 0.0;
            }
        }
        let linear = simulation.linearise(&start, t, RestTreatment::Free)?;
        let touch = &linear.contacts[0];
        let keep: Vec<usize> = (0..states.len()).filter(|&i| !matches!(states[i].1, StateRole::Memory(_))).collect();
        let weight = |i: &usize| match states[*i].1 {
            StateRole::Position(k) => touch.row.iter().filter(|(j, _)| *j == k).map(|(_, c)| c).sum(),
            _ => 0.0,
        };
        let row: Vec<f64> = keep.iter().map(weight).collect();
        let one: Vec<usize> = (0..keep.len()).filter(|&k| row[k] != 0.0).collect();
        let position = match one[..] {
            [k] if row[k].abs() == 1.0 => Some(states[keep[k]].0.name.clone()),
            _ => None,
        };
        let n = states.len();
        let acts = |i: usize| (0..n).any(|row| row != i && linear.matrix[row * n + i] != 0.0);
        let grows = |i: usize| matches!(states[i].1, StateRole::Control) && linear.matrix[i * n + i] == 0.0 && acts(i);
        Ok(Self {
            integrates: (0..n).any(grows),
            states: keep.iter().map(|&i| states[i].0.name.clone()).collect(),
            matrix: keep
                .iter()
                .flat_map(|&i| keep.iter().map(move |&j| (i, j)))
                .map(|(i, j)| linear.matrix[i * n + j])
                .collect(),
            push: keep.iter().map(|&i| touch.push[i]).collect(),
            row,
            position,
            contact: joint.name.clone(),
            load: touch.load,
        })
    }
    /// Its eigenvalues.
    pub fn eigenvalues(&self) -> Vec<Complex> {
        eigenvalues(&self.matrix, self.states.len())
    }
    /// G(jω): displacement of the contact for a unit of force along it [m/N].
    pub fn compliance(&self, omega: f64) -> Complex {
        let n = self.states.len();
        let entry = |i: usize, j: usize| Complex::new(-self.matrix[i * n + j], if i == j { omega } else { 0.0 });
        let mut a: Vec<Vec<Complex>> = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
        // the push of the friction force is against the motion
        let mut b: Vec<Complex> = self.push.iter().map(|p| Complex::new(-p, 0.0)).collect();
        for k in 0..n {
            let pivot = (k..n).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs())).unwrap_or(k);
            a.swap(k, pivot);
            b.swap(k, pivot);
            for i in k + 1..n {
                let f = a[i][k] / a[k][k];
                if f.abs() > 0.0 {
                    let row = a[k].clone();
                    (k..n).for_each(|j| a[i][j] = a[i][j] - f * row[j]);
                    b[i] = b[i] - f * b[k];
                }
            }
        }
        for k in (0..n).rev() {
            let known = (k + 1..n).fold(b[k], |sum, j| sum - a[k][j] * b[j]);
            b[k] = known / a[k][k];
        }
        self.row.iter().zip(&b).fold(Complex::default(), |sum, (c, x)| sum + Complex::new(c * x.re, c * x.im))
    }
}
