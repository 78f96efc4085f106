//! What ends a smooth piece: functions that are positive while the present modes hold.
use super::elements::{ContactMode, StopMode};
use super::mechanics::{Mechanics, spring_piece};
use crate::model::Load;

/// What a guard watches.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum GuardKind {
    /// The velocity of a sliding contact.
    Velocity(usize),
    /// The force of a holding contact against its upper (+1) or lower (−1) limit.
    Limit(usize, f64),
    /// Guard k of a contact's law.
    Law(usize, usize),
    /// A jump of a law's memory.
    Jump(usize),
    /// The load of a contact.
    Load(usize),
    /// The gap of an open stop at its upper (+1) or lower (−1) end.
    Gap(usize, f64),
    /// The velocity of a freewheel that overruns.
    Engage(usize),
    /// The force of a closed stop.
    StopForce(usize),
    /// The smooth piece of the force of a spring.
    SpringKink(usize),
    /// The limit of a controller's output.
    Saturation(usize),
}

/// Signs of guards that may be crossed either way, kept from one step to the next.
#[derive(Clone, Debug, Default)]
pub struct GuardSigns {
    pub laws: Vec<Vec<f64>>,
    pub loads: Vec<f64>,
    pub springs: Vec<usize>,
    pub saturations: Vec<f64>,
}

/// The values of all guards in a state, each with the size below which it is noise; the mechanics has been evaluated there.
pub fn guards(m: &Mechanics, y: &[f64], signs: &GuardSigns, top_speed: &[f64]) -> Vec<(GuardKind, f64, f64)> {
    let mut out = Vec::new();
    let v = &y[m.n..2 * m.n];
    for (c, contact) in m.contacts.iter().enumerate() {
        match m.contact_modes[c] {
            ContactMode::Slides(side) => {
                let noise = 1e-2 * speed_noise(m, c, top_speed);
                out.push((GuardKind::Velocity(c), side * contact.row.v(v, &m.motions), noise));
            }
            ContactMode::Holds => {
                let [low, high] = m.limits(c, y);
                let force = m.reactions[c];
                let noise = 1e-13 * low.abs().max(high.abs());
                out.push((GuardKind::Limit(c, 1.0), high - force, noise));
                out.push((GuardKind::Limit(c, -1.0), force - low, noise));
            }
            ContactMode::Pinned(_) => {}
        }
        let u = m.input(c, y);
        let z = &y[contact.at..contact.at + contact.len];
        let mut values = vec![0.0; contact.law.guard_count()];
        contact.law.guards(z, &u, &mut values);
        for (k, g) in values.iter().enumerate().skip(1) {
            out.push((GuardKind::Law(c, k), signs.laws[c][k] * g, 0.0));
        }
        let mut jumped = z.to_vec();
        contact.law.jump(&mut jumped, &u);
        out.push((GuardKind::Jump(c), if jumped == z { 1.0 } else { -1.0 }, 0.0));
        if !matches!(contact.load, Load::Nominal) {
            out.push((GuardKind::Load(c), signs.loads[c] * m.loads[c], 0.0));
        }
    }
    for (s, stop) in m.stops.iter().enumerate() {
        match m.stop_modes[s] {
            StopMode::Open if stop.one_way => {
                let noise = 1e-2 * speed_noise(m, m.contacts.len() + s, top_speed);
                out.push((GuardKind::Engage(s), -stop.row.v(v, &m.motions), noise));
            }
            StopMode::Open => {
                let x = stop.row.x(&y[..m.n], &m.motions);
                for (end, limit) in [(-1.0, stop.lo), (1.0, stop.hi)].into_iter().filter(|(_, x)| x.is_finite()) {
                    out.push((GuardKind::Gap(s, end), end * (limit - x), 1e-15 * (x.abs() + limit.abs())));
                }
            }
            StopMode::Closed(end) => {
                let force = m.reactions[m.contacts.len() + s];
                out.push((GuardKind::StopForce(s), end * force, 0.0));
            }
        }
    }
    for s in (0..m.springs.len()).filter(|&s| m.springs[s].has_kinks()) {
        out.push((GuardKind::SpringKink(s), if spring_piece(m, s, y) == signs.springs[s] { 1.0 } else { -1.0 }, 0.0));
    }
    for (k, element) in m.controls.iter().enumerate() {
        if element.control.period.is_none() && element.control.limit.is_finite() {
            let inside = element.control.limit - m.unlimited_output(k, y).abs();
            out.push((GuardKind::Saturation(k), signs.saturations[k] * inside, 0.0));
        }
    }
    out
}

/// Below this the velocity of contact or stop `c` is rounding: of the speeds that it is a difference of, and of forces that cancel.
pub fn speed_noise(m: &Mechanics, c: usize, top_speed: &[f64]) -> f64 {
    let forces: f64 = m.row(c).coordinates.iter().map(|(i, x)| x.abs() * m.top_acceleration[*i]).sum();
    1e-13 * row_speed(m, c, top_speed) + 1e-15 * forces * m.span
}

/// The largest speed that the velocity of contact `c` is a difference of.
pub fn row_speed(m: &Mechanics, c: usize, top_speed: &[f64]) -> f64 {
    let row = m.row(c);
    let own: f64 = row.coordinates.iter().map(|(i, x)| x.abs() * top_speed[*i]).sum();
    own + row.motions.iter().map(|(i, x)| (x * m.motions[*i][1]).abs()).sum::<f64>()
}
