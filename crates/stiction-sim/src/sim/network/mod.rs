//! Large networks: a fixed step, linearly implicit and aware of friction, at a cost in proportion to the bodies.
//!
//! Velocities are those at the end of the step (Moreau1988):
//!
//! ```text
//! M (v⁺ − v) = h [f(t + h) − K (x + h v⁺) − D v⁺ − Jᵀ λ],   x⁺ = x + h v⁺
//! λ ∈ F(J v⁺)                                               for each contact, its memory advanced with it
//! ```
//!
//! First order, and stable for every `h`. Springs are taken at the end of the step (those with a curve by their tangent),
//! and so is friction: energy is lost and never made. What is lost to the method damps waves of frequency ω at the rate
//! `h·ω²/2`, which the statistics of a chain may show; see [`Network::with_theta`]. A bristle's damping that acts for less
//! than a step is not seen. A contact that holds has no speed at all, to the last bit.
//!
//! **Contacts.** A law's graph, with its vertical part at rest, is a curve; the step is a Newton method along it. Each
//! round replaces every graph by its tangent at one of its points, `λ = λₖ + s·(w − wₖ)`, `s` infinite where it holds;
//! solves one banded system of matrix `M + hD + h²K + hJᵀsJ`; and finds the points on the graphs that belong to the
//! solution by `a·w + F(w) ∋ a·wₖ + λₖ`, which is [`contact::step`](stiction_core::contact::step) for a single body, with
//! the mass that the contact feels. For Coulomb's law that is the primal-dual active set method, which is a semismooth
//! Newton method (Hintermueller2002): it converges superlinearly from near enough, and the contacts of the step before are
//! near. The solution is unique where laws fall less steeply than bodies are heavy, `−dF/dv < m/h`; a step should be that
//! short anyway, to follow the fall. Rounds that do not end, seen in chains only with steps near that limit, are followed
//! by Gauss–Seidel sweeps, body by body, which converge for contacts with the ground and laws that do not fall, because
//! what is not smooth is then separable (Tseng2001); then by halves of the step; then by an error that names the contact.
//! Karnopp's band counts as nothing here: the step needs none to stop.
//!
//! **RestPrediction.** Where every body has one contact with the ground and signals are straight lines, a network at rest is not
//! stepped: the forces on the contacts are linear in time, and [`Network::run_until`] goes straight to the first that reaches its
//! limit. During a slip, too, only the run of bodies that slip or feel it is computed.
//!
//! [`Simulation::run`](super::Simulation::run) with [`IntegrationMethod::Network`](super::IntegrationMethod::Network) gives rows, events, probes
//! and energies of such a run.
//!
//! ```
//! use stiction_sim::sim::network::{BurridgeKnopoffChain, Network};
//!
//! let system = BurridgeKnopoffChain { blocks: 50, ..BurridgeKnopoffChain::default() }.system()?;
//! let mut network = Network::new(&system)?;
//! let mut moments = Vec::new();
//! network.run_until(600.0, 0.05, |quake| moments.push(quake.moment))?;
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
pub(super) use run::run;

use super::SimErrorKind;
use crate::SimError;
use crate::system::{SignalDerivatives, System};
use energy_audit::EnergyAudit;
use model::NetworkModel;
use rest_prediction::RestPrediction;
use std::ops::Range;
use stiction_core::Input;
use symmetric_band::SymmetricBand;

/// A time of slip: from the first contact that lets go while all hold until all hold again.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SlipEvent {
    /// When it began \[s\].
    pub start: f64,
    /// When it ended \[s\].
    pub end: f64,
    /// Sum of the distances over which contacts slipped \[m\].
    pub moment: f64,
    /// Contacts that slipped.
    pub blocks: usize,
}

/// Where on its graph a contact is: `force + slope·(w − speed)` is the tangent there.
#[derive(Clone, Copy, Debug)]
struct GraphPoint {
    held: bool,
    speed: f64,
    force: f64,
    slope: f64,
    /// The set of forces at rest.
    low: f64,
    high: f64,
    /// Normal load.
    load: f64,
    /// What prescribed motions contribute to its speed.
    driven: f64,
    /// Distance in the present quake.
    slid: f64,
}

/// What it took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NetworkStatistics {
    /// Steps, halves counted.
    pub steps: u64,
    /// Banded systems solved.
    pub newton_iterations: u64,
    /// Bodies in these, together.
    pub solved_rows: u64,
    /// Times that sweeps were needed.
    pub sweeps: u64,
    /// Times that a step was halved.
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
    /// Value and speed of each signal at the end of the step.
    inputs: Vec<[f64; 2]>,
    /// The matrix without friction for steps of this length; and one to factor.
    length: f64,
    matrix: SymmetricBand,
    factored: SymmetricBand,
    /// Right side without friction; solution; what contacts that do not hold firmly take of it.
    right: Vec<f64>,
    next: Vec<f64>,
    taken: Vec<f64>,
    /// One contact's memory.
    scratch: Vec<f64>,
    /// Bodies that are computed.
    window: Range<usize>,
    rest: RestPrediction,
    /// When the present quake began, and the contacts that may have slipped in it.
    begun: Option<(f64, Range<usize>)>,
    statistics: NetworkStatistics,
    /// Kept where somebody asks.
    audit: Option<EnergyAudit>,
}

impl<'s> Network<'s> {
    /// The network at t = 0.
    ///
    /// # Errors
    /// [`SimError::System`] for a system with plants, stops or controllers, or one that makes no sense.
    pub fn new(system: &'s System) -> Result<Self, SimError> {
        let net = NetworkModel::new(system)?;
        let x = system.bodies.iter().map(|body| body.x).collect();
        let v = system.bodies.iter().map(|body| body.v).collect();
        let memory = net.memory.clone();
        Ok(Self::at(net, 0.0, x, v, memory))
    }
    /// The network at time `t` with these positions, velocities and memories.
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
    /// Takes springs, dampers and forces at this part θ of the step, ½ to 1, instead of at its end: at ½ springs lose
    /// no energy to the method, and waves are not damped. Friction is that of the velocity at the end as before; the step in
    /// which a contact comes to rest may then make energy, some `h²` of it.
    ///
    /// # Errors
    /// [`SimError::Run`] if θ is not within its limits.
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
    /// Positions, in the order the bodies were added; geared ones are one.
    pub fn positions(&self) -> &[f64] {
        &self.x
    }
    /// Velocities, likewise.
    pub fn velocities(&self) -> &[f64] {
        &self.v
    }
    /// What it took so far.
    pub fn statistics(&self) -> NetworkStatistics {
        self.statistics
    }
    /// How many contacts slip.
    pub fn slipping(&self) -> usize {
        let contacts = self.contacts();
        self.points[contacts].iter().filter(|point| !point.held).count()
    }
    /// Speed of the contact called `name`, exactly zero while it holds, and its force.
    pub fn contact(&self, name: &str) -> Option<(f64, f64)> {
        let c = self.net.contacts.iter().position(|contact| contact.name == name)?;
        let point = &self.points[c];
        Some((if point.held { 0.0 } else { point.speed }, point.force))
    }
    /// Kinetic energy and that of the springs \[J\].
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
    fn input(&self, c: usize, v: f64) -> Input<f64> {
        Input { v, load: self.points[c].load }
    }
    fn error_now(&self, kind: SimErrorKind) -> SimError {
        SimError::Run { t: self.t, kind }
    }
}
