//! What happens at an event: velocities are projected, stops rebound, contacts hold or let go, memories jump.
use super::elements::{ContactMode, StopMode};
use super::guards::{GuardKind, row_speed, speed_noise};
use super::integrate::{Integration, ReferenceError};
use super::linear::{Outcome, RestProblem, impulses, solve};
use super::mechanics::Mechanics;

impl Integration {
    /// Applies an event with these guards beyond zero. `at_once`: it came at the very beginning of the step.
    pub fn transition(&mut self, fired: &[GuardKind], at_once: bool) -> Result<(), ReferenceError> {
        let count = self.m.contacts.len();
        let mut rests = vec![false; count];
        let mut exceeded = vec![None; count];
        let mut hit = Vec::new();
        for kind in fired {
            match *kind {
                GuardKind::Velocity(c) => rests[c] = true,
                GuardKind::Limit(c, side) => exceeded[c] = Some(side),
                GuardKind::Law(c, 1) if self.enters_band(c) => {
                    self.arrest(c)?;
                    self.release_moving();
                    rests[c] = true;
                }
                GuardKind::Gap(s, end) => hit.push((s, end)),
                GuardKind::Engage(s) => hit.push((s, 1.0)),
                _ => {}
            }
        }
        // a freewheel beside a contact that comes to rest has no speed either: both are decided together, whichever was seen first
        if rests.contains(&true) {
            let stops = 0..self.m.stops.len();
            let beside = stops.filter(|&s| {
                let is_open = self.m.stops[s].one_way && self.m.stop_modes[s] == StopMode::Open;
                is_open && self.velocity(count + s).abs() <= speed_noise(&self.m, count + s, &self.top_speed)
            });
            let beside: Vec<_> = beside.map(|s| (s, 1.0)).filter(|new| !hit.contains(new)).collect();
            hit.extend(beside);
        }
        if !hit.is_empty() {
            self.impact(&hit)?;
        }
        self.settle(&rests, &exceeded, at_once)?;
        for kind in fired {
            match *kind {
                GuardKind::Law(c, k) => self.signs.laws[c][k] = -self.signs.laws[c][k],
                GuardKind::Load(c) => self.signs.loads[c] = -self.signs.loads[c],
                GuardKind::Saturation(k) => self.signs.saturations[k] = -self.signs.saturations[k],
                _ => {}
            }
        }
        self.update_signs();
        Ok(())
    }
    fn velocity(&self, i: usize) -> f64 {
        self.m.row(i).v(&self.y[self.m.n..2 * self.m.n], &self.m.motions)
    }
    /// Whether the law of contact `c` has a band of speeds that count as rest, and the contact is in it.
    fn enters_band(&self, c: usize) -> bool {
        let band = self.m.contacts[c].law.band(&self.m.input(c, &self.y));
        let slides = matches!(self.m.contact_modes[c], ContactMode::Slides(_));
        // its first guard is the distance from the end of the band, and has fallen to zero at this instant, whatever rounding makes of the speed
        band > 0.0 && slides && self.signs.laws[c][1] > 0.0
    }
    /// An impulse brings the velocity of contact `c` to zero; closed stops push, without a rebound, where they would close further, and so do
    /// freewheels that overrun, where the impulse would turn them backwards.
    fn arrest(&mut self, c: usize) -> Result<(), ReferenceError> {
        let count = self.m.contacts.len();
        let closed: Vec<(usize, f64)> = (0..self.m.stops.len())
            .filter_map(|s| match self.m.stop_modes[s] {
                _ if self.m.stops[s].row.coordinates.is_empty() => None,
                StopMode::Closed(end) => Some((count + s, end)),
                StopMode::Open => self.m.stops[s].one_way.then_some((count + s, 1.0)),
            })
            .collect();
        let rows: Vec<usize> = std::iter::once(c).chain(closed.iter().map(|(i, _)| *i)).collect();
        let g = self.m.mobility(&rows);
        // what is left of the other rows' responses and speeds once the contact is at rest; speeds counted as separating
        let v = self.velocity(c);
        let sign = |k: usize| -closed[k].1;
        let left = |i: usize, j: usize| sign(i) * sign(j) * (g[i + 1][j + 1] - g[i + 1][0] * g[0][j + 1] / g[0][0]);
        let w: Vec<f64> =
            (0..closed.len()).map(|k| sign(k) * (self.velocity(closed[k].0) - g[k + 1][0] * v / g[0][0])).collect();
        let response: Vec<Vec<f64>> =
            (0..closed.len()).map(|i| (0..closed.len()).map(|j| left(i, j)).collect()).collect();
        let pushes = impulses(&response, &w, |_, _| 0.0).ok_or(ReferenceError::NoImpact)?.0;
        let pushes: Vec<f64> = pushes.iter().enumerate().map(|(k, p)| sign(k) * p).collect();
        let own = -(v + pushes.iter().enumerate().map(|(k, p)| g[0][k + 1] * p).sum::<f64>()) / g[0][0];
        let all: Vec<f64> = std::iter::once(own).chain(pushes).collect();
        self.m.apply_impulses(&mut self.y, &rows, &all);
        for (&(i, end), push) in closed.iter().zip(&all[1..]) {
            if *push != 0.0 {
                self.m.stop_modes[i - count] = StopMode::Closed(end);
            }
        }
        Ok(())
    }
    /// After a jump of velocities: what moves slides, and stops that open are open.
    pub fn release_moving(&mut self) {
        for c in 0..self.m.contacts.len() {
            let v = self.velocity(c);
            if v.abs() > speed_noise(&self.m, c, &self.top_speed) {
                self.m.contact_modes[c] = ContactMode::Slides(v.signum());
            }
        }
        let count = self.m.contacts.len();
        for s in 0..self.m.stops.len() {
            let v = self.velocity(count + s);
            if let StopMode::Closed(end) = self.m.stop_modes[s]
                && -end * v > speed_noise(&self.m, count + s, &self.top_speed)
            {
                self.m.stop_modes[s] = StopMode::Open;
            }
        }
    }
    /// Stops are hit. All that are closed, or touch and approach, take part.
    pub fn impact(&mut self, hit: &[(usize, f64)]) -> Result<(), ReferenceError> {
        let count = self.m.contacts.len();
        let mut taking: Vec<(usize, f64)> = hit.to_vec();
        for (s, stop) in self.m.stops.iter().enumerate() {
            if hit.iter().any(|(other, _)| *other == s) {
                continue;
            }
            if let StopMode::Closed(end) = self.m.stop_modes[s] {
                taking.push((s, end));
                continue;
            }
            if stop.one_way {
                taking.push((s, 1.0));
                continue;
            }
            let x = stop.row.x(&self.y[..self.m.n], &self.m.motions);
            let coordinates = stop.row.coordinates.iter();
            let near = self.leeway.together(coordinates.map(|(i, c)| (c * self.largest[*i]).abs()).sum());
            let touching = [(-1.0, stop.lo), (1.0, stop.hi)].into_iter().find(|(end, limit)| {
                limit.is_finite() && end * (limit - x) <= near.max(1e-12 * (x.abs() + limit.abs()))
            });
            if let Some((end, _)) = touching
                && end * self.velocity(count + s) > 0.0
            {
                taking.push((s, end));
            }
        }
        taking.retain(|(s, _)| !self.m.stops[*s].row.coordinates.is_empty());
        let rows: Vec<usize> = taking.iter().map(|(s, _)| count + s).collect();
        // an event is located just beyond the stop: put back, lest the depths of many small rebounds add up
        let depth = taking.iter().map(|(s, end)| {
            let stop = &self.m.stops[*s];
            if stop.one_way {
                return 0.0;
            }
            (if *end > 0.0 { stop.hi } else { stop.lo }) - stop.row.x(&self.y[..self.m.n], &self.m.motions)
        });
        let depth: Vec<f64> = depth.collect();
        self.m.change_positions(&mut self.y, &rows, &depth);
        // counted as separating: towards the inside
        let speeds: Vec<f64> = taking.iter().map(|(s, end)| -end * self.velocity(count + s)).collect();
        let scale = rows.iter().map(|&i| row_speed(&self.m, i, &self.top_speed)).fold(0.0, f64::max);
        for ((s, end), w) in taking.iter().zip(&speeds) {
            // touching without speed: closed, if something presses
            if w.abs() <= 1e-13 * scale {
                self.m.stop_modes[*s] = StopMode::Closed(*end);
            }
        }
        if speeds.iter().all(|w| *w >= -1e-13 * scale) {
            return Ok(());
        }
        let mut g = self.m.mobility(&rows);
        for (i, (_, a)) in taking.iter().enumerate() {
            for (j, (_, b)) in taking.iter().enumerate() {
                g[i][j] *= a * b;
            }
        }
        // Rebounds that no longer matter end in contact: too slow, or lower than the rounding of positions. A closed stop has no speed of
        // approach, but a neighbour's blow passes through it: what counts is the impulse.
        self.m.evaluate(self.t, &self.y, true);
        let pressing = self.m.row_accelerations(&rows);
        let restitution = |k: usize, blow: f64| {
            let stop = &self.m.stops[taking[k].0];
            let rebound = stop.restitution * blow;
            let size = stop.row.coordinates.iter().map(|(i, c)| (c * self.y[*i]).abs()).sum::<f64>();
            let rounding = 1e-14 * (size + stop.row.constant.abs());
            let low = rebound * rebound < 2.0 * pressing[k].abs() * rounding;
            if low || rebound < self.smallest_rebound * scale { 0.0 } else { stop.restitution }
        };
        let (p, e) = impulses(&g, &speeds, restitution).ok_or(ReferenceError::NoImpact)?;
        let along: Vec<f64> = p.iter().zip(&taking).map(|(p, (_, end))| -end * p).collect();
        self.m.apply_impulses(&mut self.y, &rows, &along);
        for ((s, end), e) in taking.iter().zip(&e) {
            let w = -end * self.velocity(count + s);
            let stays = w <= 1e-13 * scale || *e == 0.0 && w < 1e-9 * scale;
            self.m.stop_modes[*s] = if stays { StopMode::Closed(*end) } else { StopMode::Open };
        }
        let top = &mut self.top_speed;
        for (i, top) in top.iter_mut().enumerate() {
            *top = top.max(self.y[self.m.n + i].abs());
        }
        self.release_moving();
        Ok(())
    }
    /// Decides all contacts at rest and closed stops. `rests`: contacts that have just stopped; `exceeded`: holding contacts whose
    /// force has passed this limit.
    pub fn settle(&mut self, rests: &[bool], exceeded: &[Option<f64>], at_once: bool) -> Result<(), ReferenceError> {
        let count = self.m.contacts.len();
        // contacts that others keep at rest, and closed stops
        let pinned = |c: &usize| matches!(self.m.contact_modes[*c], ContactMode::Pinned(_));
        let pinned: Vec<usize> = (0..count).filter(pinned).collect();
        let closed: Vec<(usize, StopMode)> = self.m.stop_modes.iter().copied().enumerate().collect();
        let opening = Opening { pinned, closed };
        self.m.evaluate(self.t, &self.y, false);
        let mut sides = vec![0.0; count];
        let mut candidates = Vec::new();
        let mut turning = Vec::new();
        for c in 0..count {
            let mode = self.m.contact_modes[c];
            if let ContactMode::Slides(side) | ContactMode::Pinned(side) = mode {
                sides[c] = side;
            }
            let row = self.m.row(c);
            if row.coordinates.is_empty() {
                // prescribed: the velocity, or the acceleration at an instant of rest
                let (v, a) = (self.velocity(c), row.driven(&self.m.motions, 2));
                let side = if v.abs() > 1e-14 * row_speed(&self.m, c, &self.top_speed) && !rests[c] { v } else { a };
                let side = if rests[c] && side == 0.0 { -sides[c] } else { side };
                if side != 0.0 {
                    self.m.contact_modes[c] = ContactMode::Slides(side.signum());
                }
                continue;
            }
            let moves = matches!(mode, ContactMode::Slides(_));
            let still = self.velocity(c).abs() <= 0.1 * speed_noise(&self.m, c, &self.top_speed);
            if moves && !rests[c] && !still {
                continue;
            }
            let [low, high] = self.m.limits(c, &self.y);
            if high > low {
                candidates.push(c);
            } else {
                turning.push(c);
            }
        }
        // velocities of what rests are zero to rounding
        let mut rows = candidates.clone();
        rows.extend((0..self.m.stops.len()).filter(|&s| self.m.stop_modes[s] != StopMode::Open).map(|s| count + s));
        rows.retain(|&i| !self.m.row(i).coordinates.is_empty());
        let change: Vec<f64> = rows.iter().map(|&i| -self.velocity(i)).collect();
        self.m.change_velocities(&mut self.y, &rows, &change);
        for &c in &turning {
            let v = self.velocity(c);
            self.m.change_velocities(&mut self.y, &[c], &[-v]);
            // without limits nothing holds it; provisionally with the force of the direction in which it moved
            self.m.contact_modes[c] = ContactMode::Slides(if sides[c] == 0.0 { 1.0 } else { sides[c] });
        }
        let mut decided_with = self.m.contact_modes.clone();
        self.decide(&candidates, exceeded, rests)?;
        self.choose_sides(&turning, &sides, &opening, at_once);
        // A contact that turns and a memory that jumps change the force of a contact: what is still at rest is decided again with it, at the same
        // instant. Every round but the last makes a contact let go.
        for _ in 0..=count {
            let turned = turning.iter().any(|&c| self.m.contact_modes[c] != decided_with[c]);
            if !self.jump() && !turned {
                break;
            }
            decided_with.clone_from(&self.m.contact_modes);
            self.m.evaluate(self.t, &self.y, false);
            candidates.retain(|&c| !matches!(self.m.contact_modes[c], ContactMode::Slides(_)));
            self.decide(&candidates, &vec![None; count], &vec![false; count])?;
        }
        Ok(())
    }
    /// Solves the problem at rest, again while a contact that lets go slides with another force. Those that `turn`, having slid until now, are
    /// the first to let go: the ends of their sets are forces that they do not exert, and nothing else lets go because of them.
    fn decide(&mut self, candidates: &[usize], exceeded: &[Option<f64>], turn: &[bool]) -> Result<(), ReferenceError> {
        let count = self.m.contacts.len();
        let mut candidates = candidates.to_vec();
        let closed: Vec<(usize, f64)> = (0..self.m.stops.len())
            .filter_map(|s| match self.m.stop_modes[s] {
                StopMode::Closed(end) if !self.m.stops[s].row.coordinates.is_empty() => Some((s, end)),
                _ => None,
            })
            .collect();
        let mut closed = closed;
        for _ in 0..=candidates.len() + closed.len() {
            candidates.iter().for_each(|&c| self.m.contact_modes[c] = ContactMode::Holds);
            self.m.evaluate(self.t, &self.y, true);
            let rows: Vec<usize> = candidates.iter().copied().chain(closed.iter().map(|(s, _)| count + s)).collect();
            if rows.is_empty() {
                return Ok(());
            }
            if rows.len() > 8 {
                return Err(ReferenceError::TooManyAtRest);
            }
            let limits: Vec<[f64; 2]> = candidates
                .iter()
                .map(|&c| self.m.limits(c, &self.y))
                .chain(
                    closed
                        .iter()
                        .map(|(_, end)| if *end > 0.0 { [0.0, f64::INFINITY] } else { [f64::NEG_INFINITY, 0.0] }),
                )
                .collect();
            let problem = RestProblem {
                g: self.m.mobility(&rows),
                b: self.m.row_accelerations(&rows),
                low: limits.iter().map(|limit| limit[0]).collect(),
                high: limits.iter().map(|limit| limit[1]).collect(),
                exceeded: rows.iter().map(|&i| exceeded.get(i).copied().flatten()).collect(),
            };
            let outcomes = problem.solve().ok_or(ReferenceError::NoSolutionAtRest)?;
            let mut again = false;
            let turns = |i: usize, outcome: &Outcome| i < count && turn[i] && matches!(outcome, Outcome::LetsGo(_));
            let first = rows.iter().zip(&outcomes).any(|(&i, outcome)| turns(i, outcome));
            for (&i, outcome) in rows.iter().zip(&outcomes).filter(|&(&i, outcome)| !first || turns(i, outcome)) {
                if i >= count {
                    // a stop without force is open, also where a contact still keeps the body beside it
                    if *outcome != Outcome::Holds {
                        self.m.stop_modes[i - count] = StopMode::Open;
                        closed.retain(|(s, _)| count + s != i);
                    }
                    continue;
                }
                self.m.contact_modes[i] = match outcome {
                    Outcome::Holds => ContactMode::Holds,
                    Outcome::Pinned(side) => ContactMode::Pinned(*side),
                    Outcome::LetsGo(side) => {
                        candidates.retain(|&c| c != i);
                        again = true;
                        ContactMode::Slides(*side)
                    }
                };
            }
            if !again {
                break;
            }
        }
        Ok(())
    }
    /// Contacts that cannot hold go on in the direction of their acceleration, unless others keep them at rest.
    fn choose_sides(&mut self, turning: &[usize], before: &[f64], opening: &Opening, at_once: bool) {
        for &c in turning {
            if is_kept(&self.m, c) {
                // at rest, though not by itself
                self.m.contact_modes[c] = ContactMode::Pinned(if before[c] == 0.0 { 1.0 } else { before[c] });
                continue;
            }
            self.m.evaluate(self.t, &self.y, false);
            let a = self.m.row_accelerations(&[c])[0];
            let size: f64 = self.m.row(c).coordinates.iter().map(|(i, x)| (x * self.m.acceleration[*i]).abs()).sum();
            let side = if let Some(side) = self.side_of_opening(c, opening) {
                side
            } else if at_once && before[c] != 0.0 {
                -before[c]
            } else if a.abs() > 1e-12 * size.max(1e-290) {
                a.signum()
            } else if before[c] != 0.0 {
                -before[c]
            } else {
                1.0
            };
            self.m.contact_modes[c] = ContactMode::Slides(side);
        }
    }
    /// The direction in which contact `c` goes with the stops that have opened, and that kept it at rest before. Their force has just become zero,
    /// so that the acceleration there is rounding.
    fn side_of_opening(&self, c: usize, before: &Opening) -> Option<f64> {
        if !before.pinned.contains(&c) {
            return None;
        }
        let count = self.m.contacts.len();
        let along = before.closed.iter().filter_map(|&(s, mode)| match mode {
            StopMode::Closed(end) if self.m.stop_modes[s] == StopMode::Open => {
                Some(-end * self.m.mobility(&[c, count + s])[0][1])
            }
            _ => None,
        });
        let along: f64 = along.filter(|along| *along != 0.0).map(f64::signum).sum();
        (along != 0.0).then(|| along.signum())
    }
    /// Applies the jumps of all memories; true if one has changed.
    pub fn jump(&mut self) -> bool {
        self.m.set_instant(self.t, &self.y);
        let mut changed = false;
        for c in 0..self.m.contacts.len() {
            let u = self.m.input(c, &self.y);
            let contact = &self.m.contacts[c];
            let memory = &mut self.y[contact.at..contact.at + contact.len];
            let before = memory.to_vec();
            contact.law.jump(memory, &u);
            changed |= before != memory;
        }
        changed
    }
    /// Signs of all guards that are clearly on one side.
    pub fn update_signs(&mut self) {
        self.m.evaluate(self.t, &self.y, false);
        for c in 0..self.m.contacts.len() {
            let u = self.m.input(c, &self.y);
            let contact = &self.m.contacts[c];
            let mut values = vec![0.0; contact.law.guard_count()];
            contact.law.guards(&self.y[contact.at..contact.at + contact.len], &u, &mut values);
            for (sign, g) in self.signs.laws[c].iter_mut().zip(&values) {
                if *g != 0.0 {
                    *sign = g.signum();
                }
            }
            if self.m.loads[c] != 0.0 {
                self.signs.loads[c] = self.m.loads[c].signum();
            }
        }
        for s in 0..self.m.springs.len() {
            if self.m.springs[s].has_kinks() {
                self.signs.springs[s] = super::mechanics::spring_piece(&self.m, s, &self.y);
            }
        }
        for k in 0..self.m.controls.len() {
            let inside = self.m.controls[k].control.limit - self.m.unlimited_output(k, &self.y).abs();
            if inside != 0.0 {
                self.signs.saturations[k] = inside.signum();
            }
        }
    }
}

/// What was at rest before a transition: contacts that others keep, and the modes of stops.
struct Opening {
    pinned: Vec<usize>,
    closed: Vec<(usize, StopMode)>,
}

/// Whether what holds keeps contact `c` from moving: a force along it accelerates nothing. Prescribed motions are left out.
fn is_kept(m: &Mechanics, c: usize) -> bool {
    let held = m.held();
    if held.is_empty() || held.iter().chain([&c]).any(|&i| !m.row(i).motions.is_empty()) {
        return false;
    }
    let all: Vec<usize> = held.iter().copied().chain([c]).collect();
    let (g, last) = (m.mobility(&all), held.len());
    let Some(forces) = solve(&m.mobility(&held), &g[last][..last], false) else { return false };
    let taken: f64 = forces.iter().zip(&g[last]).map(|(force, g)| force * g).sum();
    // rounding, with masses of many sizes
    g[last][last] - taken <= 1e-9 * g[last][last]
}
