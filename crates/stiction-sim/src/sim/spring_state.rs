//! Springs as the solver uses them.
//!
//! A spring with a gap has the force `F = e + d` with the elastic force `e` of how far it is pressed, and the force `d = c v` of its damper,
//! limited to `|d| ≤ |e|`: a surface presses and does not pull, and the force begins and ends at zero. `F` is continuous, with kinks where the
//! surface is touched and left, and where the limit begins and ends to act. A run locates them: within a step one piece of `F` holds, continued
//! beyond its ends, so that the step is that of a smooth system.
use super::components::ConstraintRow;
use crate::system::{SignalDerivatives, Spring};

/// Which piece of the force of a spring with a gap holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GapPiece {
    /// Within the gap: no force.
    Open,
    /// Pressed at the lower end (−1) or the upper end (+1).
    Pressed(f64, PressedDamping),
}

/// The damping force of a spring that is pressed.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PressedDamping {
    /// That of the damper.
    Full,
    /// As large as the elastic force: while it is pressed fast (+1), in its direction; while it is released fast (−1), against it.
    Limited(f64),
}

/// A kink of the force of a spring with a gap: the zero of a guard that is positive in the piece that holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum GapGuard {
    /// The lower or upper end is touched.
    Low,
    High,
    /// The end is left.
    Leave,
    /// The damping force meets the limit, while it is pressed (+1) or released (−1).
    Limit(f64),
}

/// The force of a spring and its derivatives by displacement and velocity: all of it, and the part that dissipates.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct SpringForce {
    pub total: f64,
    pub by_x: f64,
    pub by_v: f64,
    pub damping: f64,
    pub damping_by_x: f64,
    pub damping_by_v: f64,
}

pub(super) struct SpringState<'s> {
    pub name: &'s str,
    pub row: ConstraintRow,
    /// The angle that a kinematic error is a function of.
    pub error_row: ConstraintRow,
    pub parameters: &'s Spring,
    /// Current force.
    pub force: f64,
    /// For a spring with a gap: the piece that holds in a step between events; none: that of the present state.
    pub piece: Option<GapPiece>,
}

impl SpringState<'_> {
    /// The first and second derivative of the kinematic error, if there is one, and its value before them.
    #[inline(always)]
    pub fn error(&self, y: &[f64], motions: &[SignalDerivatives]) -> Option<[f64; 3]> {
        self.parameters.error.as_ref().map(|error| error.at(self.error_row.x(y, motions)))
    }
    /// Displacement.
    #[inline(always)]
    pub fn x(&self, y: &[f64], motions: &[SignalDerivatives]) -> f64 {
        let x = self.row.x(y, motions);
        self.error(y, motions).map_or(x, |[error, ..]| x - error)
    }
    /// Rate of the displacement.
    #[inline(always)]
    pub fn v(&self, y: &[f64], motions: &[SignalDerivatives]) -> f64 {
        let v = self.row.v(y, motions);
        self.error(y, motions).map_or(v, |[_, slope, _]| v - slope * self.error_row.v(y, motions))
    }
    /// Subtracts its force from the generalised forces: the work of `f` along a change of the displacement is that of the forces on the
    /// coordinates, so that energy is kept whatever the kinematic error is.
    #[inline(always)]
    pub fn subtract_force(&self, f: f64, y: &[f64], motions: &[SignalDerivatives], force: &mut [f64]) {
        self.row.subtract_force(f, force);
        if let Some([_, slope, _]) = self.error(y, motions) {
            self.error_row.subtract_force(-slope * f, force);
        }
    }
    /// Contribution of the prescribed motions to the rate of the displacement.
    #[inline(always)]
    pub fn driven_speed(&self, y: &[f64], motions: &[SignalDerivatives]) -> f64 {
        let v = self.row.driven(motions, 1);
        self.error(y, motions).map_or(v, |[_, slope, _]| v - slope * self.error_row.driven(motions, 1))
    }
    /// Force at displacement `x` and velocity `v`.
    #[inline(always)]
    pub fn at(&self, x: f64, v: f64) -> SpringForce {
        let c = self.parameters.damping;
        if let Some(gap) = self.parameters.gap {
            return self.with_gap(gap, x, v);
        }
        let (elastic, slope) = self.elastic(x);
        SpringForce { total: elastic + c * v, by_x: slope, by_v: c, damping: c * v, damping_by_x: 0.0, damping_by_v: c }
    }
    /// Elastic force and stiffness of a spring without a gap.
    #[inline(always)]
    pub fn elastic(&self, x: f64) -> (f64, f64) {
        let x = x - self.parameters.rest;
        match &self.parameters.curve {
            None => (self.parameters.stiffness * x, self.parameters.stiffness),
            Some(curve) => curve.at(x),
        }
    }
    fn with_gap(&self, gap: [f64; 2], x: f64, v: f64) -> SpringForce {
        let (k, c) = (self.parameters.stiffness, self.parameters.damping);
        match self.piece.unwrap_or_else(|| self.piece_at(x, v)) {
            GapPiece::Open => SpringForce::default(),
            GapPiece::Pressed(end, damping) => {
                let elastic = k * (x - self.parameters.rest - gap[usize::from(end > 0.0)]);
                let (d, by_x, by_v) = match damping {
                    PressedDamping::Full => (c * v, 0.0, c),
                    PressedDamping::Limited(side) => (side * elastic, side * k, 0.0),
                };
                SpringForce {
                    total: elastic + d,
                    by_x: k + by_x,
                    by_v,
                    damping: d,
                    damping_by_x: by_x,
                    damping_by_v: by_v,
                }
            }
        }
    }
    /// The piece of the force that holds in a state, for a spring with a gap.
    pub fn piece_at(&self, x: f64, v: f64) -> GapPiece {
        let [low, high] = self.parameters.gap.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let x = x - self.parameters.rest;
        let end = if x > high {
            1.0
        } else if x < low {
            -1.0
        } else {
            return GapPiece::Open;
        };
        let pressed = |damping| GapPiece::Pressed(end, damping);
        let full = pressed(PressedDamping::Full);
        let [up, down] =
            [1.0, -1.0].map(|side| self.gap_guard(full, GapGuard::Limit(side), x + self.parameters.rest, v));
        if up < 0.0 {
            pressed(PressedDamping::Limited(1.0))
        } else if down < 0.0 {
            pressed(PressedDamping::Limited(-1.0))
        } else {
            full
        }
    }
    /// The kinks that may end a piece.
    pub fn gap_guards(&self, piece: GapPiece) -> &'static [GapGuard] {
        match piece {
            GapPiece::Open => &[GapGuard::Low, GapGuard::High],
            GapPiece::Pressed(_, PressedDamping::Full) if self.parameters.damping == 0.0 => &[GapGuard::Leave],
            GapPiece::Pressed(_, PressedDamping::Full) => {
                &[GapGuard::Leave, GapGuard::Limit(1.0), GapGuard::Limit(-1.0)]
            }
            GapPiece::Pressed(_, PressedDamping::Limited(side)) if side > 0.0 => {
                &[GapGuard::Leave, GapGuard::Limit(1.0)]
            }
            GapPiece::Pressed(..) => &[GapGuard::Leave, GapGuard::Limit(-1.0)],
        }
    }
    /// The value of a guard of a piece: positive as long as the piece holds. Lengths, or forces for a limit.
    pub fn gap_guard(&self, piece: GapPiece, guard: GapGuard, x: f64, v: f64) -> f64 {
        let [low, high] = self.parameters.gap.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let x = x - self.parameters.rest;
        match (guard, piece) {
            (GapGuard::Low, _) => x - low,
            (GapGuard::High, _) => high - x,
            (GapGuard::Leave, GapPiece::Pressed(end, _)) => end * (x - if end > 0.0 { high } else { low }),
            (GapGuard::Limit(side), GapPiece::Pressed(end, damping)) => {
                let elastic = self.parameters.stiffness * end * (x - if end > 0.0 { high } else { low });
                let room = elastic - side * end * self.parameters.damping * v;
                if damping == PressedDamping::Full { room } else { -room }
            }
            (_, GapPiece::Open) => f64::INFINITY,
        }
    }
    /// The piece after a guard of this piece has become zero.
    pub fn next_piece(&self, piece: GapPiece, guard: GapGuard) -> GapPiece {
        let touched = |end: f64| {
            let damped = self.parameters.damping > 0.0;
            GapPiece::Pressed(end, if damped { PressedDamping::Limited(1.0) } else { PressedDamping::Full })
        };
        match (guard, piece) {
            (GapGuard::Low, _) => touched(-1.0),
            (GapGuard::High, _) => touched(1.0),
            (GapGuard::Limit(side), GapPiece::Pressed(end, PressedDamping::Full)) => {
                GapPiece::Pressed(end, PressedDamping::Limited(side))
            }
            (GapGuard::Limit(_), GapPiece::Pressed(end, _)) => GapPiece::Pressed(end, PressedDamping::Full),
            (GapGuard::Leave | GapGuard::Limit(_), _) => GapPiece::Open,
        }
    }
    /// Elastic energy.
    pub fn energy(&self, x: f64) -> f64 {
        if let Some([low, high]) = self.parameters.gap {
            let x = x - self.parameters.rest;
            let depth = (x - high).max(low - x).max(0.0);
            return 0.5 * self.parameters.stiffness * depth * depth;
        }
        let x = x - self.parameters.rest;
        match &self.parameters.curve {
            None => 0.5 * self.parameters.stiffness * x * x,
            Some(curve) => curve.integral(x),
        }
    }
}
