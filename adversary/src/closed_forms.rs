//! Motions in closed form: one body that slides and sticks by Coulomb's law under a swinging or constant force, on a spring, or on
//! a belt; and a ball that bounces. Between events the motion is an elementary function; events are its zeros, in closed form or
//! by bisection of it.
use crate::model::{Load, Model, Node, ROWS, Signal};
use crate::trajectory::Trajectory;
use std::f64::consts::{PI, TAU};

/// The motion of a model that has one in closed form.
pub fn solution(model: &Model) -> Option<Trajectory> {
    let body = model.bodies.first()?;
    let bare = model.bodies.len() == 1
        && body.pendulum.is_none()
        && model.gears.is_empty()
        && model.controls.is_empty()
        && model.freewheels.is_empty();
    if !bare || model.forces.len() > 1 {
        return None;
    }
    let force = Applied::new(model)?;
    let times = (0..=ROWS).map(|k| model.row_time(k));
    let rows = if model.stops.is_empty() {
        let block = Block::new(model, force)?;
        let pieces = block.pieces(model)?;
        times.map(|t| pieces.iter().rev().find(|piece| piece.start <= t).map(|piece| block.at(piece, t))).collect()
    } else {
        bounces(model, &force)?
    };
    let rows: Option<Vec<[f64; 2]>> = rows;
    Some(Trajectory { columns: model.columns(), rows: rows?.into_iter().map(|row| row.to_vec()).collect() })
}

/// `constant + amplitude sin(omega t + phase)`.
struct Applied {
    constant: f64,
    amplitude: f64,
    omega: f64,
    phase: f64,
}

impl Applied {
    fn new(model: &Model) -> Option<Self> {
        let (constant, amplitude, omega, phase) = match model.forces.first().map(|force| &force.force) {
            None => (0.0, 0.0, 1.0, 0.0),
            Some(Signal::Constant(x)) => (*x, 0.0, 1.0, 0.0),
            Some(Signal::Sine { mean, amplitude, omega, phase }) if *amplitude > 0.0 && *omega > 0.0 => {
                (*mean, *amplitude, *omega, *phase)
            }
            _ => return None,
        };
        Some(Self { constant, amplitude, omega, phase })
    }
    fn at(&self, t: f64) -> f64 {
        self.constant + self.amplitude * (self.omega * t + self.phase).sin()
    }
}

/// A body under dry friction.
struct Block {
    force: Applied,
    mass: f64,
    fc: f64,
    fs: f64,
    stiffness: f64,
    rest: f64,
    /// Speed of the belt.
    belt: f64,
}

/// From `start` on the body slides towards `side` (0: it sticks to the belt) from this position and velocity.
#[derive(Clone, Copy)]
struct Piece {
    start: f64,
    side: f64,
    x: f64,
    v: f64,
}

impl Block {
    fn new(model: &Model, force: Applied) -> Option<Self> {
        let [contact] = &model.contacts[..] else { return None };
        let plain = contact.law.reverse.is_empty()
            && contact.law.noise.is_empty()
            && contact.map.is_none()
            && contact.heating.is_none();
        let value = |key: &str| contact.law.values.iter().find(|(name, _)| *name == key).map(|(_, x)| *x);
        let (fc, fs) = match contact.law.name {
            "coulomb" => (value("fc")?, value("fc")?),
            "stiction" if value("fv") == Some(0.0) => (value("fc")?, value("fs")?),
            _ => return None,
        };
        let belt = match contact.ends {
            [Node::Body(0), Node::Ground] => 0.0,
            [Node::Body(0), Node::Motion(m)] => match model.motions[m].position {
                Signal::Ramp { slope, start, end, .. } if start <= model.start && end >= model.end => slope,
                _ => return None,
            },
            _ => return None,
        };
        let (stiffness, rest) = match &model.springs[..] {
            [] => (0.0, 0.0),
            [s] if s.ends == [Node::Body(0), Node::Ground]
                && s.table.is_empty()
                && s.gap.is_none()
                && s.damping == 0.0 =>
            {
                (s.stiffness, s.rest)
            }
            _ => return None,
        };
        // a swinging force on a spring has a closed form between events, but none for the break-away
        if !plain || contact.load != Load::Nominal || stiffness > 0.0 && force.amplitude > 0.0 {
            return None;
        }
        Some(Self { force, mass: model.bodies[0].mass, fc, fs, stiffness, rest, belt })
    }
    /// Position and velocity at `t` on a piece.
    fn at(&self, piece: &Piece, t: f64) -> [f64; 2] {
        let tau = t - piece.start;
        if piece.side == 0.0 {
            return [piece.x + self.belt * tau, self.belt];
        }
        let Applied { constant, amplitude, omega, phase } = self.force;
        let push = constant - piece.side * self.fc;
        if self.stiffness > 0.0 {
            let (w, middle) = ((self.stiffness / self.mass).sqrt(), self.rest + push / self.stiffness);
            let (sin, cos) = (w * tau).sin_cos();
            let away = piece.x - middle;
            return [middle + away * cos + piece.v / w * sin, piece.v * cos - away * w * sin];
        }
        let (a, begin, now) = (push / self.mass, omega * piece.start + phase, omega * t + phase);
        let swing = amplitude / (self.mass * omega);
        let v = piece.v + swing * (begin.cos() - now.cos()) + a * tau;
        let x = piece.x
            + piece.v * tau
            + swing * (begin.cos() * tau - (now.sin() - begin.sin()) / omega)
            + 0.5 * a * tau * tau;
        [x, v]
    }
    /// The force that friction must carry at rest.
    fn needed(&self, piece: &Piece, t: f64) -> f64 {
        self.force.at(t) - self.stiffness * (piece.x + self.belt * (t - piece.start) - self.rest)
    }
    /// When a body that sticks from `piece` on lets go, and towards which side.
    fn release(&self, piece: &Piece) -> Option<(f64, f64)> {
        if self.stiffness > 0.0 {
            let rate = -self.stiffness * self.belt;
            let side = rate.signum();
            return (rate != 0.0)
                .then(|| (piece.start + (side * self.fs - self.needed(piece, piece.start)) / rate, side));
        }
        let Applied { constant, amplitude, omega, phase } = self.force;
        let next = |side: f64| {
            let level = (side * self.fs - constant) / amplitude;
            if amplitude == 0.0 || level.abs() >= 1.0 {
                return None;
            }
            // rising through the upper limit, falling through the lower one
            let angle = if side > 0.0 { level.asin() } else { PI - level.asin() };
            let turns = ((omega * piece.start + phase - angle) / TAU).ceil();
            Some(((angle + TAU * turns - phase) / omega, side))
        };
        [next(1.0), next(-1.0)].into_iter().flatten().min_by(|a, b| a.0.total_cmp(&b.0))
    }
    /// When the sliding velocity next comes to zero.
    fn stop(&self, piece: &Piece, end: f64) -> Option<f64> {
        let period =
            if self.stiffness > 0.0 { TAU * (self.mass / self.stiffness).sqrt() } else { TAU / self.force.omega };
        let step = (period / 20_000.0).min((end - piece.start) / 1000.0);
        let against = |t: f64| piece.side * (self.at(piece, t)[1] - self.belt) < 0.0;
        let mut low = piece.start + step;
        while low < end {
            if against(low + step) {
                let mut high = low + step;
                for _ in 0..60 {
                    let middle = 0.5 * (low + high);
                    *(if against(middle) { &mut high } else { &mut low }) = middle;
                }
                return Some(high);
            }
            low += step;
        }
        None
    }
    /// All pieces until the end; none if an event is too close to the start of its piece to be told.
    fn pieces(&self, model: &Model) -> Option<Vec<Piece>> {
        let body = &model.bodies[0];
        let mut piece = Piece { start: model.start, side: (body.v - self.belt).signum(), x: body.x, v: body.v };
        if body.v == self.belt {
            piece = self.arrive(piece);
        }
        let mut out = vec![piece];
        while out.len() < 10_000 {
            let next = if piece.side == 0.0 {
                self.release(&piece).filter(|(t, _)| *t < model.end).map(|(t, side)| {
                    let [x, v] = self.at(&piece, t);
                    Piece { start: t, side, x, v }
                })
            } else {
                self.stop(&piece, model.end).map(|t| {
                    let [x, _] = self.at(&piece, t);
                    self.arrive(Piece { start: t, side: 0.0, x, v: self.belt })
                })
            };
            match next {
                None => return Some(out),
                Some(next) if next.start < piece.start => return None,
                Some(next) => piece = next,
            }
            out.push(piece);
        }
        None
    }
    /// At rest against the belt: sticks, or slides on.
    fn arrive(&self, piece: Piece) -> Piece {
        let needed = self.needed(&piece, piece.start);
        let side = if needed.abs() <= self.fs { 0.0 } else { needed.signum() };
        Piece { side, ..piece }
    }
}

/// A ball under a constant force towards a stop.
fn bounces(model: &Model, force: &Applied) -> Option<Option<Vec<[f64; 2]>>> {
    let [stop] = &model.stops[..] else { return None };
    let body = &model.bodies[0];
    let a = force.constant / body.mass;
    let (end, limit) = if a > 0.0 { (1.0, stop.hi) } else { (-1.0, stop.lo) };
    let other = if a > 0.0 { stop.lo } else { stop.hi };
    let free = model.contacts.is_empty() && model.springs.is_empty() && force.amplitude == 0.0 && a != 0.0;
    let ball = free && stop.ends == [Node::Body(0), Node::Ground] && limit.is_finite() && other.is_infinite();
    if !ball || stop.restitution >= 1.0 {
        return None;
    }
    // flights: start, distance from the stop and speed away from it
    let g = a.abs();
    let mut flights = vec![(model.start, end * (limit - body.x), -end * body.v)];
    while let Some(&(t, gap, up)) = flights.last() {
        let hit = ((up * up + 2.0 * g * gap).sqrt(), t);
        let landing = hit.1 + (up + hit.0) / g;
        let rebound = stop.restitution * hit.0;
        if landing > model.end || flights.len() > 5000 {
            break;
        }
        // the rest of the bounces takes less than 1e-13 of the run
        let short = rebound / g < 1e-14 * (model.end - model.start);
        flights.push((landing, 0.0, if short { 0.0 } else { rebound }));
        if short {
            break;
        }
    }
    let rows = (0..=ROWS).map(|k| model.row_time(k)).map(|t| {
        let &(start, gap, up) = flights.iter().rev().find(|flight| flight.0 <= t)?;
        let tau = t - start;
        if gap == 0.0 && up == 0.0 {
            return Some([limit, 0.0]);
        }
        Some([limit - end * (gap + up * tau - 0.5 * g * tau * tau), -end * (up - g * tau)])
    });
    Some(rows.collect())
}
