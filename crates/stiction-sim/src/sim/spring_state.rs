//! Springs as the solver uses them.
//!
//! A spring with a gap has the force `F = e + d` with the elastic force `e` of how far it is pressed, and the force `d = c v` of its damper,
//! limited to `|d| ≤ |e|`: a surface presses and does not pull, and the force begins and ends at zero. `F` is continuous, with kinks where the
//! surface is touched and left, and where the limit begins and ends to act. The force of a table of straight lines has its kinks at the points.
//! A run locates them: within a step one piece of `F` holds, continued beyond its ends, so that the step is that of a smooth system.
use super::EventKind;
use super::components::ConstraintRow;
use super::flow::Flow;
use crate::system::{Curve, SignalDerivatives, Spring};

/// Relative rounding of the difference of an elastic and a damping force.
const FORCE_ROUNDING: f64 = 1e-13;

/// Which piece of the force of a spring holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum SpringPiece {
    /// The straight line of a table that ends at the point with this number.
    Line(usize),
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

/// A kink of the force of a spring: the zero of a guard that is positive in the piece that holds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum PieceEnd {
    /// The lower or upper end of the gap or of the line is reached.
    Low,
    High,
    /// The end of the gap is left.
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
    /// The angle that a kinematic error is a function of, or that of the third place of a planetary gear.
    pub error_row: ConstraintRow,
    pub parameters: &'s Spring,
    /// Current force.
    pub force: f64,
    /// For a spring whose force has kinks: the piece that holds in a step between events; none: that of the present state.
    pub piece: Option<SpringPiece>,
    /// Displacement by which its rest position was moved when a signal last switched it on; it is part of its row.
    pub shift: f64,
}

impl SpringState<'_> {
    /// What is subtracted from the displacement, with its first and second derivative by another angle: the kinematic error, or the part of a
    /// third place.
    #[inline(always)]
    pub fn error(&self, y: &[f64], motions: &[SignalDerivatives]) -> Option<[f64; 3]> {
        if let Some(third) = self.parameters.third {
            return Some([third.ratio * self.error_row.x(y, motions), third.ratio, 0.0]);
        }
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
        match (&self.parameters.curve, self.piece) {
            (None, _) => (self.parameters.stiffness * x, self.parameters.stiffness),
            (Some(curve), Some(SpringPiece::Line(end))) => curve.on_line(end, x),
            (Some(curve), _) => curve.at(x),
        }
    }
    /// Whether the force has kinks.
    pub fn has_kinks(&self) -> bool {
        let bends = |curve: &Curve| curve.kinks().len() > 2 && !curve.jumps();
        self.parameters.gap.is_some() || self.parameters.curve.as_ref().is_some_and(bends)
    }
    fn with_gap(&self, gap: [f64; 2], x: f64, v: f64) -> SpringForce {
        let (k, c) = (self.parameters.stiffness, self.parameters.damping);
        match self.piece.unwrap_or_else(|| self.piece_at(x, v)) {
            SpringPiece::Open | SpringPiece::Line(_) => SpringForce::default(),
            SpringPiece::Pressed(end, damping) => {
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
    /// The piece of the force that holds in a state, for a spring whose force has kinks.
    pub fn piece_at(&self, x: f64, v: f64) -> SpringPiece {
        let [low, high] = self.parameters.gap.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]);
        let x = x - self.parameters.rest;
        if let Some(curve) = &self.parameters.curve {
            return SpringPiece::Line(curve.line_at(x));
        }
        let end = if x > high {
            1.0
        } else if x < low {
            -1.0
        } else {
            return SpringPiece::Open;
        };
        let pressed = |damping| SpringPiece::Pressed(end, damping);
        let full = pressed(PressedDamping::Full);
        let [up, down] =
            [1.0, -1.0].map(|side| self.piece_guard(full, PieceEnd::Limit(side), x + self.parameters.rest, v));
        if up < 0.0 {
            pressed(PressedDamping::Limited(1.0))
        } else if down < 0.0 {
            pressed(PressedDamping::Limited(-1.0))
        } else {
            full
        }
    }
    /// The kinks that may end a piece.
    pub fn piece_ends(&self, piece: SpringPiece) -> &'static [PieceEnd] {
        match piece {
            SpringPiece::Open | SpringPiece::Line(_) => &[PieceEnd::Low, PieceEnd::High],
            SpringPiece::Pressed(_, PressedDamping::Full) if self.parameters.damping == 0.0 => &[PieceEnd::Leave],
            SpringPiece::Pressed(_, PressedDamping::Full) => {
                &[PieceEnd::Leave, PieceEnd::Limit(1.0), PieceEnd::Limit(-1.0)]
            }
            SpringPiece::Pressed(_, PressedDamping::Limited(side)) if side > 0.0 => {
                &[PieceEnd::Leave, PieceEnd::Limit(1.0)]
            }
            SpringPiece::Pressed(..) => &[PieceEnd::Leave, PieceEnd::Limit(-1.0)],
        }
    }
    /// The value of a guard of a piece: positive as long as the piece holds. Lengths, or forces for a limit.
    pub fn piece_guard(&self, piece: SpringPiece, guard: PieceEnd, x: f64, v: f64) -> f64 {
        let [low, high] = match (&self.parameters.curve, piece) {
            (Some(curve), SpringPiece::Line(end)) => curve.line_ends(end),
            _ => self.parameters.gap.unwrap_or([f64::NEG_INFINITY, f64::INFINITY]),
        };
        let x = x - self.parameters.rest;
        match (guard, piece) {
            (PieceEnd::Low, _) => x - low,
            (PieceEnd::High, _) => high - x,
            (PieceEnd::Leave, SpringPiece::Pressed(end, _)) => end * (x - if end > 0.0 { high } else { low }),
            (PieceEnd::Limit(side), SpringPiece::Pressed(end, damping)) => {
                let elastic = self.parameters.stiffness * end * (x - if end > 0.0 { high } else { low });
                let room = elastic - side * end * self.parameters.damping * v;
                if damping == PressedDamping::Full { room } else { -room }
            }
            (_, SpringPiece::Open | SpringPiece::Line(_)) => f64::INFINITY,
        }
    }
    /// The derivative of a guard along a direction in state space: all of them are linear in displacement and velocity.
    pub fn guard_along(&self, guard: PieceEnd, direction: &[f64]) -> f64 {
        let Some(piece) = self.piece else { return 0.0 };
        let x: f64 = self.row.coordinates().map(|(i, c)| c * direction[i]).sum();
        match (guard, piece) {
            (PieceEnd::Low, _) => x,
            (PieceEnd::High, _) => -x,
            (PieceEnd::Leave, SpringPiece::Pressed(end, _)) => end * x,
            (PieceEnd::Limit(side), SpringPiece::Pressed(end, damping)) => {
                let v = self.row.own_speed(direction);
                let room = end * (self.parameters.stiffness * x - side * self.parameters.damping * v);
                if damping == PressedDamping::Full { room } else { -room }
            }
            _ => 0.0,
        }
    }
    /// Velocities or prescribed motions have jumped: the piece of the new state, if the present one no longer holds there.
    pub fn piece_after_jump(&self, y: &[f64], motions: &[SignalDerivatives]) -> Option<SpringPiece> {
        let piece = self.piece?;
        let (x, v) = (self.row.x(y, motions), self.row.v(y, motions));
        let ended = |guard: PieceEnd| {
            let rounding = match guard {
                PieceEnd::Limit(_) => {
                    let SpringForce { total, damping, .. } = self.at(x, v);
                    FORCE_ROUNDING * (total.abs() + damping.abs() + (self.parameters.damping * v).abs())
                }
                _ => self.row.position_rounding(y, motions),
            };
            self.piece_guard(piece, guard, x, v) < -rounding
        };
        self.piece_ends(piece).iter().any(|&guard| ended(guard)).then(|| self.piece_at(x, v))
    }
    /// The piece after a guard of this piece has become zero.
    pub fn next_piece(&self, piece: SpringPiece, guard: PieceEnd) -> SpringPiece {
        let touched = |end: f64| {
            let damped = self.parameters.damping > 0.0;
            SpringPiece::Pressed(end, if damped { PressedDamping::Limited(1.0) } else { PressedDamping::Full })
        };
        match (guard, piece) {
            (PieceEnd::Low, SpringPiece::Line(end)) => SpringPiece::Line(end - 1),
            (PieceEnd::High, SpringPiece::Line(end)) => SpringPiece::Line(end + 1),
            (PieceEnd::Low, _) => touched(-1.0),
            (PieceEnd::High, _) => touched(1.0),
            (PieceEnd::Limit(side), SpringPiece::Pressed(end, PressedDamping::Full)) => {
                SpringPiece::Pressed(end, PressedDamping::Limited(side))
            }
            (PieceEnd::Limit(_), SpringPiece::Pressed(end, _)) => SpringPiece::Pressed(end, PressedDamping::Full),
            (PieceEnd::Leave | PieceEnd::Limit(_), _) => SpringPiece::Open,
        }
    }
    /// The events between two pieces: the surface at an end of the gap is left, and touched.
    pub fn piece_events(old: SpringPiece, new: SpringPiece) -> impl Iterator<Item = EventKind> {
        let end = |piece: SpringPiece| match piece {
            SpringPiece::Pressed(end, _) => end,
            SpringPiece::Open | SpringPiece::Line(_) => 0.0,
        };
        let (old, new) = (end(old), end(new));
        let left = (old != 0.0 && old != new).then_some(if old > 0.0 {
            EventKind::SeparateHigh
        } else {
            EventKind::SeparateLow
        });
        let touched =
            (new != 0.0 && old != new).then_some(if new > 0.0 { EventKind::TouchHigh } else { EventKind::TouchLow });
        left.into_iter().chain(touched)
    }
    /// Moves its rest position by a displacement.
    pub fn move_rest(&mut self, by: f64) {
        self.shift += by;
        self.row.offset -= by;
    }
    /// Moves its rest position so that the spring has no elastic energy in a state: as little as necessary.
    pub fn relax(&mut self, y: &[f64], motions: &[SignalDerivatives]) {
        let Spring { rest, gap, .. } = self.parameters;
        let [low, high] = gap.unwrap_or_default();
        let x = self.x(y, motions) - rest;
        self.move_rest(x - x.clamp(low, high));
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

impl Flow<'_> {
    /// Velocities have jumped, at unchanged positions: another piece may hold, because the limit of the damping begins or ceases to act.
    pub fn renew_spring_pieces(&mut self, y: &[f64]) {
        let motions = &self.motions;
        for spring in &mut self.components.springs {
            spring.piece = spring.piece_after_jump(y, motions).or(spring.piece);
        }
    }
}
