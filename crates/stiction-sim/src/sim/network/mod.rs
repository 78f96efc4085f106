//! Large networks: a fixed step, linearly implicit, with true stick, at a cost proportional to the number of bodies.
//!
//! The velocities are those at the end of the step (Moreau1988):
//!
//! ```text
//! M (v⁺ − v) = h [f(t + h) − K (x + h v⁺) − D v⁺ − Jᵀ λ],   x⁺ = x + h v⁺
//! λ ∈ F(J v⁺)                                               for each contact, its states advanced with it
//! ```
//!
//! First order, and stable for every `h`. Springs are evaluated at the end of the step (nonlinear ones by their tangent),
//! and so is friction: numerical errors dissipate energy and never add any. The numerical damping of waves of frequency ω is
//! `h·ω²/2`, which may be visible in the statistics of a chain; see [`Network::with_theta`]. Bristle damping with a time
//! constant below a step is not resolved. A sticking contact has a velocity of exactly zero.
//!
//! **Contacts.** The graph of a law, with its vertical segment at rest, is a curve; the step is a Newton method along it.
//! Each iteration replaces every graph by its tangent at one of its points, `λ = λₖ + s·(w − wₖ)`, with infinite `s` where
//! it sticks; solves one banded system with the matrix `M + hD + h²K + hJᵀsJ`; and projects the solution back to the graphs
//! by `a·w + F(w) ∋ a·wₖ + λₖ`, which is [`contact::step`](stiction_core::contact::step) for a single body with the
//! effective mass at the contact. For Coulomb's law this is the primal-dual active set method, a semismooth Newton method
//! (Hintermueller2002) with local superlinear convergence; the previous step gives good initial values. The solution is
//! unique where laws fall less steeply than `−dF/dv < m/h`; a step should be that short anyway, to resolve the fall. If the
//! iteration does not converge, which is seen in chains only with steps near that limit, it is followed by Gauss–Seidel
//! sweeps over the bodies, which converge for contacts with the ground and laws that do not fall, because the nonsmooth part
//! is then separable (Tseng2001); then by halving the step; then by an error that names the contact. Karnopp's zero-velocity
//! band is ignored: the method does not need it to stop a body.
//!
//! **Rest.** Where every body has one contact with the ground and signals are piecewise linear, a network at rest is not
//! stepped: the forces on the contacts are linear in time, and [`Network::run_until`] advances directly to the first that
//! reaches its limit. During a slip event, too, only the range of bodies that slip or are affected is computed.
//!
//! [`Simulation::run`](super::Simulation::run) with [`IntegrationMethod::Network`](super::IntegrationMethod::Network) adds
//! rows, events, probes and energies.
//!
//! ```
//! use stiction_sim::sim::network::{BurridgeKnopoffChain, Network};
//!
//! let system = BurridgeKnopoffChain { blocks: 50, ..BurridgeKnopoffChain::default() }.system()?;
//! let mut network = Network::new(&system)?;
//! let mut moments = Vec::new();
//! network.run_until(600.0, 0.05, |event| moments.push(event.moment))?;
//! assert!(moments.len() > 5);
//! # Ok::<(), stiction_sim::SimError>(())
//! ```
mod chain;
mod energy_audit;
mod model;
mod newton;
mod rest_prediction;
mod run;
mod step;
mod symmetric_band;
mod trace_columns;

pub use chain::BurridgeKnopoffChain;
pub use model::check_supported;
pub(super) use run::NetworkRun;

use super::SimErrorKind;
use crate::SimError;
use crate::system::{SignalDerivatives, System};
use energy_audit::EnergyAudit;
use model::NetworkModel;
use rest_prediction::RestPrediction;
use std::ops::Range;
use stiction_core::Input;
use symmetric_band::SymmetricBand;

/// A slip event (quake): from the first contact that slips while all stick until all stick again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipEvent {
    /// Start time \[s\].
    pub start: f64,
    /// End time \[s\].
    pub end: f64,
    /// Sum of the slip distances of all contacts \[m\].
    pub moment: f64,
    /// Number of contacts that slipped.
    pub blocks: usize,
}

/// A point on the graph of a contact law: `force + slope·(w − speed)` is the tangent there.
#[derive(Clone, Copy, Debug)]
struct GraphPoint {
    held: bool,
    speed: f64,
    force: f64,
    slope: f64,
    /// Limits of the force at rest.
    low: f64,
    high: f64,
    /// Normal load.
    load: f64,
    /// Contribution of prescribed motions to its speed.
    driven: f64,
    /// Slip distance in the present slip event.
    slid: f64,
}

/// Numerical effort.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkStatistics {
    /// Steps; a halved step counts as two.
    pub steps: u64,
    /// Newton iterations: banded systems solved.
    pub newton_iterations: u64,
    /// Sum of the sizes of these systems.
    pub solved_rows: u64,
    /// Number of times that Gauss–Seidel sweeps were used.
    pub sweeps: u64,
    /// Number of times that a step was halved.
    pub halved_steps: u64,
}

/// A network of bodies in motion.
pub struct Network<'s> {
    net: NetworkModel<'s>,
    t: f64,
    theta: f64,
    x: Vec<f64>,
    v: Vec<f64>,
    memory: Vec<f64>,
    points: Vec<GraphPoint>,
    /// Value and rate of each signal at the end of the step.
    inputs: Vec<[f64; 2]>,
    /// Step length of the matrix without friction; that matrix; and its copy to factor.
    length: f64,
    matrix: SymmetricBand,
    factored: SymmetricBand,
    /// Right-hand side without friction; solution; forces of contacts that are not eliminated.
    right: Vec<f64>,
    next: Vec<f64>,
    taken: Vec<f64>,
    /// Scratch: states of one contact.
    scratch: Vec<f64>,
    /// Range of bodies that are computed.
    window: Range<usize>,
    rest: RestPrediction,
    /// Start of the present slip event, and the range of contacts that may have slipped in it.
    begun: Option<(f64, Range<usize>)>,
    statistics: NetworkStatistics,
    /// Energy audit, if requested.
    audit: Option<EnergyAudit>,
}

impl<'s> Network<'s> {
    /// The network at t = 0.
    ///
    /// # Errors
    /// [`SimError::System`] for a system with plants, stops or controllers, or an invalid one.
    pub fn new(system: &'s System) -> Result<Self, SimError> {
        let net = NetworkModel::new(system)?;
        let x = system.bodies.iter().map(|body| body.x).collect();
        let v = system.bodies.iter().map(|body| body.v).collect();
        let memory = net.memory.clone();
        Ok(Self::at(net, 0.0, x, v, memory))
    }
    /// The network at time `t` with these positions, velocities and contact states.
    fn at(net: NetworkModel<'s>, t: f64, x: Vec<f64>, v: Vec<f64>, memory: Vec<f64>) -> Self {
        let (n, band) = (net.n, net.stiffness.band);
        let jets: Vec<SignalDerivatives> = net.signals[..net.motions].iter().map(|s| s.eval(t, t)).collect();
        let point = |contact: &model::NetworkContact<'_>| {
            let speed = contact.row.driven(&jets, 1) + contact.row.coordinates().map(|(i, c)| c * v[i]).sum::<f64>();
            let held = speed == 0.0;
            let (force, slope, load, driven, slid) = (0.0, 0.0, 1.0, 0.0, 0.0);
            GraphPoint { held, speed, force, slope, low: 0.0, high: 0.0, load, driven, slid }
        };
        let points = net.contacts.iter().map(point).collect();
        let widest = net.contacts.iter().map(|contact| contact.law.len()).max().unwrap_or(0);
        let mut this = Self {
            t,
            theta: 1.0,
            points,
            inputs: vec![[0.0; 2]; net.signals.len()],
            length: 0.0,
            matrix: SymmetricBand::new(n, band),
            factored: SymmetricBand::new(n, band),
            right: vec![0.0; n],
            next: v.clone(),
            taken: vec![0.0; if net.rest_is_predictable { 0 } else { n }],
            scratch: vec![0.0; widest],
            window: 0..n,
            rest: RestPrediction::new(&net),
            begun: None,
            statistics: NetworkStatistics::default(),
            audit: None,
            memory,
            x,
            v,
            net,
        };
        for c in 0..this.points.len() {
            this.update_load(c, t);
            this.update_limits(c, 0.0);
        }
        this
    }
    /// Evaluates springs, dampers and forces at the fraction θ of the step, ½ to 1, instead of at its end: at ½ springs have no
    /// numerical dissipation, and waves are not damped. Friction remains that of the velocity at the end; the step in which a
    /// contact comes to rest may then add energy of order `h²`.
    ///
    /// # Errors
    /// [`SimError::Run`] if θ is outside this range.
    pub fn with_theta(mut self, theta: f64) -> Result<Self, SimError> {
        if !(0.5..=1.0).contains(&theta) {
            return Err(self.error_now(SimErrorKind::InvalidOption {
                key: "theta",
                value: theta,
                requirement: "from 0.5 to 1",
            }));
        }
        (self.theta, self.length) = (theta, 0.0);
        Ok(self)
    }
    /// Time \[s\].
    pub fn t(&self) -> f64 {
        self.t
    }
    /// Positions, in the order in which the bodies were added; geared bodies share one.
    pub fn positions(&self) -> &[f64] {
        &self.x
    }
    /// Velocities, in the same order.
    pub fn velocities(&self) -> &[f64] {
        &self.v
    }
    /// Numerical effort so far.
    pub fn statistics(&self) -> NetworkStatistics {
        self.statistics
    }
    /// Number of slipping contacts.
    pub fn slipping(&self) -> usize {
        let contacts = self.contacts();
        self.points[contacts].iter().filter(|point| !point.held).count()
    }
    /// Sliding velocity of the contact called `name`, exactly zero while it sticks, and its force.
    pub fn contact(&self, name: &str) -> Option<(f64, f64)> {
        let c = self.net.contacts.iter().position(|contact| contact.name == name)?;
        let point = &self.points[c];
        Some((if point.held { 0.0 } else { point.speed }, point.force))
    }
    /// Kinetic energy and energy of the springs \[J\].
    pub fn energy(&self) -> f64 {
        let jets: Vec<SignalDerivatives> =
            self.net.signals[..self.net.motions].iter().map(|s| s.eval(self.t, self.t)).collect();
        let kinetic: f64 = self.net.masses.iter().zip(&self.v).map(|(m, v)| 0.5 * m * v * v).sum();
        kinetic + self.net.springs.iter().map(|spring| spring.energy(spring.row.x(&self.x, &jets))).sum::<f64>()
    }

    /// The contacts of the bodies that are computed.
    fn contacts(&self) -> Range<usize> {
        if self.net.rest_is_predictable { self.window.clone() } else { 0..self.points.len() }
    }
    /// Contacts and their load factors.
    fn load_factors(&self) -> impl Iterator<Item = (usize, f64)> {
        self.net.contacts.iter().zip(&self.points).map(|(contact, point)| (contact.index, point.load))
    }
    fn input(&self, c: usize, v: f64) -> Input<f64> {
        Input { v, load: self.points[c].load }
    }
    fn error_now(&self, kind: SimErrorKind) -> SimError {
        SimError::Run { t: self.t, kind }
    }
}
