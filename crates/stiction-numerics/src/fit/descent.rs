//! A fit that asks for what it needs instead of computing it: many of them proceed together, and what they ask for is computed at once.
//!
//! The steps are those of [`super::nonlinear`] with squares as losses. It knows of the residuals and of their difference quotients only the
//! products, so that whoever computes them may keep the residuals: of a record on a GPU they are never moved.
use super::jacobian::{Differences, first_step, moved};
use super::levenberg_marquardt::{Directions, Next, StopReason, Trial, Verdict, first_radius, rescale};
use super::trust_region::Linearised;
use super::{FitOptions, LeastSquaresProblem, Parameter};
use crate::NumericsError;
use crate::linalg::Svd;

/// What a fit asks for: the residuals at some values of the parameters, and at those with one of them moved each.
#[derive(Clone, Debug, PartialEq)]
pub struct DescentRequest {
    /// The parameters.
    pub values: Vec<f64>,
    /// The parameters with one moved, and by what length of its coordinate; none if the cost is all that is asked for.
    pub moved: Vec<(Vec<f64>, f64)>,
}

/// What it waits for.
#[derive(Clone, Debug)]
enum Phase {
    /// Derivatives: for each coordinate the length by which it is moved, zero for one that is held.
    Slopes {
        lengths: Vec<f64>,
        turned: Vec<bool>,
    },
    /// The cost at the place that a step leads to.
    Trial(Trial),
    Ended(StopReason),
}

/// What is known at the present place: a square system with the products of the Jacobian.
#[derive(Clone, Debug, Default)]
struct Here {
    r: Vec<f64>,
    c: Vec<f64>,
    room: Vec<[f64; 2]>,
    free: Vec<bool>,
    /// Scaled length of the coordinates.
    length: f64,
}

/// A nonlinear least-squares fit of squares with bounds, one request at a time.
///
/// ```
/// use stiction_numerics::fit::{Descent, FitOptions, Parameter};
///
/// // y = a·e^(−b·t) at three times
/// let (t, y) = ([0.0, 1.0, 2.0_f64], [2.0, 1.2, 0.75]);
/// let parameters = [Parameter::new("a", 1.0).within(0.0, 10.0), Parameter::new("b", 1.0).within(0.0, 10.0)];
/// let residual = |p: &[f64]| t.map(|t| p[0] * (-p[1] * t).exp()).iter().zip(y).map(|(f, y)| f - y).collect::<Vec<f64>>();
/// let mut fit = Descent::new(&parameters, &FitOptions::default(), &[1.0, 1.0])?;
/// while let Some(request) = fit.request() {
///     let here = residual(&request.values);
///     let mut columns = vec![here.clone()];
///     for (values, length) in &request.moved {
///         columns.push(residual(values).iter().zip(&here).map(|(there, here)| (there - here) / length).collect());
///     }
///     let product = |i: usize, j: usize| columns[i].iter().zip(&columns[j]).map(|(a, b)| a * b).sum();
///     let n = columns.len();
///     let products: Vec<f64> = (0..n).flat_map(|i| (i..n).map(move |j| (i, j))).map(|(i, j)| product(i, j)).collect();
///     fit.answer(&products);
/// }
/// assert!((fit.values()[0] - 2.0).abs() < 0.01 && (fit.values()[1] - 0.5).abs() < 0.01);
/// # Ok::<(), stiction_numerics::NumericsError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Descent<'a> {
    parameters: &'a [Parameter],
    bounds: Vec<[f64; 2]>,
    tolerance: f64,
    most: usize,
    differences: Differences,
    coordinates: Vec<f64>,
    scaling: Vec<f64>,
    radius: f64,
    evaluations: usize,
    /// None before the first answer.
    cost: Option<f64>,
    here: Here,
    phase: Phase,
}

impl<'a> Descent<'a> {
    /// A fit that begins at these values; of the options tolerance, evaluations and precision are used.
    ///
    /// # Errors
    /// As [`super::nonlinear`] for the parameters.
    pub fn new(parameters: &'a [Parameter], options: &FitOptions, values: &[f64]) -> Result<Self, NumericsError> {
        let problem = LeastSquaresProblem::new(parameters, usize::MAX, &|_, _| {});
        problem.check()?;
        let coordinates = problem.inner(values);
        let mut out = Self {
            parameters,
            bounds: parameters.iter().map(Parameter::limits).collect(),
            tolerance: options.tolerance,
            most: options.evaluations,
            differences: Differences { central: false, noise: options.precision },
            scaling: vec![0.0; coordinates.len()],
            coordinates,
            radius: 0.0,
            evaluations: 0,
            cost: None,
            here: Here::default(),
            phase: Phase::Ended(StopReason::Stopped),
        };
        out.ask_for_slopes();
        Ok(out)
    }
    /// The parameters now.
    pub fn values(&self) -> Vec<f64> {
        self.outer(&self.coordinates)
    }
    /// Half the sum of squares; not a number before the first answer.
    pub fn cost(&self) -> f64 {
        self.cost.unwrap_or(f64::NAN)
    }
    /// Why it has ended; none while it goes on.
    pub fn reason(&self) -> Option<StopReason> {
        if let Phase::Ended(reason) = self.phase { Some(reason) } else { None }
    }
    /// What it needs next; none once it has ended.
    pub fn request(&self) -> Option<DescentRequest> {
        match &self.phase {
            Phase::Ended(_) => None,
            Phase::Trial(trial) => Some(DescentRequest { values: self.outer(&trial.place), moved: Vec::new() }),
            Phase::Slopes { lengths, .. } => {
                let moved = self.moving(lengths).map(|j| {
                    let mut there = self.coordinates.clone();
                    there[j] += lengths[j];
                    (self.outer(&there), lengths[j])
                });
                Some(DescentRequest { values: self.values(), moved: moved.collect() })
            }
        }
    }
    /// Goes on with what was asked for: the products of the residuals and of the difference quotients by each parameter that was moved, the
    /// upper triangle row by row. What is not finite could not be computed.
    pub fn answer(&mut self, products: &[f64]) {
        match self.phase.clone() {
            Phase::Ended(_) => {}
            Phase::Trial(trial) => {
                self.evaluations += 1;
                self.judge(trial, 0.5 * products.first().copied().unwrap_or(f64::NAN));
            }
            Phase::Slopes { lengths, turned } => self.differentiated(&lengths, &turned, products),
        }
    }
    fn outer(&self, u: &[f64]) -> Vec<f64> {
        self.parameters.iter().zip(u).map(|(p, u)| p.outer(*u)).collect()
    }
    /// The coordinates that are moved, in the order of the request.
    fn moving<'b>(&self, lengths: &'b [f64]) -> impl Iterator<Item = usize> + use<'b> {
        (0..lengths.len()).filter(|j| lengths[*j] != 0.0)
    }
    /// By what a coordinate is moved, forwards or the other way round.
    fn length(&self, j: usize, turned: bool) -> f64 {
        let (p, u) = (&self.parameters[j], self.coordinates[j]);
        if p.is_held() {
            return 0.0;
        }
        let first = first_step(p, u, self.differences);
        let by = moved(p, u, if turned { -first } else { first }) - u;
        if by == 0.0 && !turned { moved(p, u, -first) - u } else { by }
    }
    fn ask_for_slopes(&mut self) {
        let n = self.coordinates.len();
        if self.evaluations >= self.most {
            self.phase = Phase::Ended(StopReason::Evaluations);
            return;
        }
        let lengths = (0..n).map(|j| self.length(j, false)).collect();
        self.phase = Phase::Slopes { lengths, turned: vec![false; n] };
    }
    /// The derivatives are there.
    fn differentiated(&mut self, lengths: &[f64], turned: &[bool], products: &[f64]) {
        let (n, moving) = (lengths.len(), self.moving(lengths).collect::<Vec<_>>());
        let columns = moving.len() + 1;
        let at = |i: usize, j: usize| {
            let (i, j) = (i.min(j), i.max(j));
            products.get(i * columns - i * i.saturating_sub(1) / 2 + j - i).copied().unwrap_or(f64::NAN)
        };
        self.evaluations += moving.len() + usize::from(self.cost.is_none());
        let now = *self.cost.get_or_insert(0.5 * at(0, 0));
        if !now.is_finite() {
            self.phase = Phase::Ended(StopReason::NoDerivatives);
            return;
        }
        // once more on the other side of what the model does not take
        let failed: Vec<usize> =
            (0..moving.len()).filter(|i| !at(i + 1, i + 1).is_finite()).map(|i| moving[i]).collect();
        if !failed.is_empty() {
            let (mut lengths, mut other) = (lengths.to_vec(), turned.to_vec());
            for j in &failed {
                lengths[*j] = self.length(*j, true);
                other[*j] = true;
            }
            let hopeless = failed.iter().any(|j| turned[*j] || lengths[*j] == 0.0);
            self.phase = if hopeless {
                Phase::Ended(StopReason::NoDerivatives)
            } else {
                Phase::Slopes { lengths, turned: other }
            };
            return;
        }
        let (mut sizes, mut downhill) = (vec![0.0; n], vec![0.0; n]);
        for (i, j) in moving.iter().enumerate() {
            sizes[*j] = at(i + 1, i + 1).max(0.0).sqrt();
            downhill[*j] = -at(0, i + 1);
        }
        rescale(&mut self.scaling, &sizes);
        let Directions { room, free, steep } = Directions::new(&self.coordinates, &self.bounds, &sizes, &downhill);
        let size = (2.0 * now).sqrt();
        if size == 0.0 || steep <= self.tolerance * size {
            self.phase = Phase::Ended(StopReason::Gradient);
            return;
        }
        let (r, c) = square_system(&moving, &sizes, &downhill, &|i, j| at(i + 1, j + 1));
        self.here = Here { r, c, room, free, length: 0.0 };
        self.here.length = self.linearised().length(&self.coordinates);
        self.radius = first_radius(self.radius, self.here.length);
        self.try_step();
    }
    fn linearised(&self) -> Linearised<'_> {
        Linearised { r: &self.here.r, c: &self.here.c, scaling: &self.scaling, room: &self.here.room }
    }
    fn try_step(&mut self) {
        let trial = Trial::new(&self.linearised(), &self.here.free, self.radius, &self.coordinates, &self.bounds);
        self.phase = Phase::Trial(trial);
    }
    /// The cost at the end of a step is there.
    fn judge(&mut self, trial: Trial, next: f64) {
        let Trial { place, length, gain } = trial;
        let (now, here) = (self.cost(), self.here.length);
        let verdict = Verdict::new(gain, [length, here], [now, next], self.tolerance);
        self.radius = verdict.next_radius(self.radius, length, next);
        if verdict.accepted() {
            (self.coordinates, self.cost) = (place, Some(next));
        }
        match verdict.follows(self.radius, here, self.evaluations < self.most) {
            Next::Derivatives => self.ask_for_slopes(),
            Next::ShorterStep => self.try_step(),
            Next::End(reason) => self.phase = Phase::Ended(reason),
        }
    }
}

/// A square system `R·s + c` with the products `RᵀR` and `Rᵀc` of a Jacobian and the residuals, of which the products of the columns and
/// the slopes downhill are known. With unit columns `D·G·D = V·Λ·Vᵀ` it is `R = √Λ·Vᵀ·D⁻¹`; a direction that no column sees has none.
fn square_system(
    moving: &[usize],
    sizes: &[f64],
    downhill: &[f64],
    product: &dyn Fn(usize, usize) -> f64,
) -> (Vec<f64>, Vec<f64>) {
    let (n, k) = (sizes.len(), moving.len());
    let unit = |i: usize| if sizes[moving[i]] > 0.0 { sizes[moving[i]] } else { 1.0 };
    let gram: Vec<f64> = (0..k * k).map(|at| product(at / k, at % k) / (unit(at / k) * unit(at % k))).collect();
    let svd = Svd::new(&gram, k, k);
    // products of unit columns are known to some roundings of one
    let least = 1e-14 * svd.s.iter().fold(0.0_f64, |most, s| most.max(*s));
    let (mut r, mut c) = (vec![0.0; n * n], vec![0.0; n]);
    for ((row, s), v) in svd.s.iter().enumerate().zip(&svd.v).filter(|((_, s), _)| **s > least) {
        let root = s.sqrt();
        for (i, v) in v.iter().enumerate() {
            r[row * n + moving[i]] = root * v * unit(i);
            c[row] -= v * downhill[moving[i]] / (unit(i) * root);
        }
    }
    (r, c)
}
