//! Whether closed stops leave room for a motion: a prescribed motion may close the space in which a body is.
//!
//! A stop that is closed allows velocities that do not close it further: `s·(r·w + d) ≥ 0`, with `r` its row, `d` the velocity
//! of its prescribed motions and `s` = 1 at the lower end and −1 at the upper one. If no velocities `w` of the bodies satisfy
//! all of these inequalities, the motion has no solution from then on. The inequalities are eliminated one coordinate after the
//! other (Fourier and Motzkin); each has at most two coordinates, before and after. What is left are conditions on the
//! prescribed velocities alone.
use super::components::StopState;
use super::event_driven::EventDrivenRun;
use super::flow::Flow;
use super::impact_law::StopContact;
use crate::system::SignalDerivatives;

/// Most closed stops, and most inequalities during the elimination: beyond them nothing is said.
const MAX_STOPS: usize = 64;
const MAX_INEQUALITIES: usize = 4096;

/// `Σ a·w ≥ least`, a positive combination of the inequalities of some stops.
#[derive(Clone, Debug)]
struct Inequality {
    a: Vec<(usize, f64)>,
    least: f64,
    /// Size of the terms of `least`, for its rounding.
    size: f64,
    /// The stops, one bit each.
    stops: u64,
}

impl Inequality {
    fn coefficient(&self, i: usize) -> f64 {
        self.a.iter().find(|(k, _)| *k == i).map_or(0.0, |(_, c)| *c)
    }
    /// The sum of two inequalities in which coordinate `i` cancels; `up` has it with a positive coefficient, `down` with a
    /// negative one.
    fn without(i: usize, up: &Self, down: &Self) -> Self {
        let (p, q) = (1.0 / up.coefficient(i), -1.0 / down.coefficient(i));
        let mut a: Vec<(usize, f64)> = Vec::new();
        for (k, c) in up.a.iter().map(|(k, c)| (*k, p * c)).chain(down.a.iter().map(|(k, c)| (*k, q * c))) {
            match a.iter_mut().find(|(other, _)| *other == k) {
                Some((_, sum)) if (*sum + c).abs() <= 1e-12 * c.abs() => *sum = 0.0,
                Some((_, sum)) => *sum += c,
                None => a.push((k, c)),
            }
        }
        a.retain(|(k, c)| *k != i && *c != 0.0);
        Self {
            a,
            least: p * up.least + q * down.least,
            size: p * up.size + q * down.size,
            stops: up.stops | down.stops,
        }
    }
}

/// The stops, one bit each, whose inequalities contradict each other by more than `tolerance` in velocity.
fn contradiction(mut all: Vec<Inequality>, tolerance: f64) -> Option<u64> {
    while let Some(i) = all.iter().find_map(|one| one.a.first().map(|(i, _)| *i)) {
        let (with, mut rest): (Vec<_>, Vec<_>) = all.into_iter().partition(|one| one.coefficient(i) != 0.0);
        let (up, down): (Vec<_>, Vec<_>) = with.into_iter().partition(|one| one.coefficient(i) > 0.0);
        if rest.len() + up.len() * down.len() > MAX_INEQUALITIES {
            return None;
        }
        rest.extend(up.iter().flat_map(|up| down.iter().map(move |down| Inequality::without(i, up, down))));
        all = rest;
    }
    all.into_iter().find(|one| one.least > tolerance + 1e-12 * one.size).map(|one| one.stops)
}

/// The ends of a stop that are closed in state `y`: the sign of its inequality.
fn closed_ends(
    stop: &StopState<'_>,
    y: &[f64],
    motions: &[SignalDerivatives],
    tolerance: f64,
) -> impl Iterator<Item = f64> {
    let row = &stop.row;
    let x = row.x(y, motions);
    let size: f64 = row.coordinates().map(|(i, c)| (c * y[i]).abs()).sum::<f64>() + row.driven(motions, 0).abs();
    // positions are known to the tolerance and to their rounding
    let near = tolerance + 1e-14 * size;
    [(1.0, x - stop.parameters.lo), (-1.0, stop.parameters.hi - x)]
        .into_iter()
        .filter(move |(_, gap)| stop.is_on && *gap <= near)
        .map(|(side, _)| side)
}

/// The names of those among the closed `ends` (number of a stop, sign of its inequality) between which the prescribed motions
/// leave no room; `tolerance` is that of velocities.
fn without_room(flow: &Flow<'_>, ends: &[(usize, f64)], tolerance: f64) -> Option<Vec<String>> {
    if ends.iter().any(|(k, _)| *k >= MAX_STOPS) {
        return None;
    }
    let stops = &flow.components.stops;
    let inequality = |&(k, side): &(usize, f64)| {
        let row = &stops[k].row;
        let driven = row.driven(&flow.motions, 1);
        let a = row.coordinates().map(|(i, c)| (i, side * c)).collect();
        Inequality { a, least: -side * driven, size: driven.abs(), stops: 1 << k }
    };
    let found = contradiction(ends.iter().map(inequality).collect(), tolerance)?;
    let named = stops.iter().enumerate().filter(|(k, _)| *k < MAX_STOPS && found >> k & 1 == 1);
    Some(named.map(|(_, stop)| stop.name.to_owned()).collect())
}

impl EventDrivenRun<'_, '_> {
    /// The names of closed stops between which the prescribed motions leave no room.
    pub(super) fn stops_without_room(&self) -> Option<Vec<String>> {
        // without prescribed motions, rest is always possible
        if self.flow.components.motions.is_empty() {
            return None;
        }
        let (flow, tolerance) = (&self.flow, self.speed_tolerance);
        let closed = |(k, stop): (usize, &StopState<'_>)| {
            let ends: Vec<f64> = closed_ends(stop, &self.step.y0, &flow.motions, tolerance).collect();
            ends.into_iter().map(move |side| (k, side))
        };
        let ends: Vec<(usize, f64)> = flow.components.stops.iter().enumerate().flat_map(closed).collect();
        without_room(flow, &ends, tolerance)
    }
    /// The names of the stops because of which an impact at `contacts` has no solution.
    pub(super) fn stops_in_conflict(&self, contacts: &[StopContact]) -> Vec<String> {
        let ends: Vec<(usize, f64)> = contacts.iter().map(|c| (c.stop, -c.end)).collect();
        without_room(&self.flow, &ends, 0.0)
            .unwrap_or_else(|| contacts.iter().map(|c| self.flow.components.stops[c.stop].name.to_owned()).collect())
    }
}

#[cfg(test)]
mod tests {
    use super::{Inequality, contradiction};

    fn inequality(a: &[(usize, f64)], least: f64, k: u32) -> Inequality {
        Inequality { a: a.to_vec(), least, size: least.abs(), stops: 1 << k }
    }

    #[test]
    fn a_ball_between_a_floor_and_a_falling_ceiling_has_no_room() {
        // w >= 0 and -w >= 0.1
        let [floor, ceiling] = [inequality(&[(0, 1.0)], 0.0, 0), inequality(&[(0, -1.0)], 0.1, 1)];
        assert_eq!(contradiction(vec![floor.clone(), ceiling], 1e-11), Some(0b11));
        // a ceiling that rises
        assert_eq!(contradiction(vec![floor, inequality(&[(0, -1.0)], -0.1, 1)], 1e-11), None);
    }

    #[test]
    fn a_row_of_balls_has_no_room_and_what_is_beside_it_is_not_named() {
        let all = vec![
            inequality(&[(0, 1.0)], 0.0, 0),
            inequality(&[(0, -1.0), (1, 1.0)], 0.0, 1),
            inequality(&[(1, -2.0), (2, 2.0)], 0.0, 2),
            inequality(&[(2, -1.0)], 0.1, 3),
            inequality(&[(3, 1.0)], 5.0, 4),
            inequality(&[(1, 1.0), (3, -1.0)], -9.0, 5),
        ];
        assert_eq!(contradiction(all.clone(), 1e-11), Some(0b1111));
        // with one ball less the others can give way
        assert_eq!(contradiction(all.into_iter().filter(|one| one.stops != 2).collect(), 1e-11), None);
    }
}
