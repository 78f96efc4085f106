//! Which contacts stick and which slip: one complementarity problem on accelerations for all that are at rest.
//!
//! At rest a contact carries any force λ within its limits [L, U]; accelerations are `a = a_free − G·λ` with
//! `G = J·A·Jᵀ`. Wanted is `a = 0` where `L < λ < U`, `a ≥ 0` where `λ = U`, `a ≤ 0` where `λ = L`: the conditions of
//! the convex programme `min ½λᵀGλ − λᵀa_free` over the box. A solution exists always; the accelerations are unique,
//! and so are the forces unless contacts are redundant (G singular). Those held then share by the least norm, see
//! [`LeastNorm`]. Solved by least-index pivoting, see [`Problem`]; a stop is a contact that can only push.
use super::flow::Flow;
use super::groups::Groups;
use super::least_norm::{LeastNorm, dot};
use super::matrix::Matrix;
use super::parts::{Mode, Parts, Rests, Row};
use super::pivoting::{Candidate, Problem, Set};
use stiction_core::Input;

/// What is held, and how its forces follow from reactions: `J·Jᵀ·λ = −J·r`, the solution of least norm.
#[derive(Default)]
pub(super) struct Holds {
    rows: Vec<(usize, Row)>,
    system: Option<LeastNorm>,
    wanted: Vec<f64>,
    forces: Vec<f64>,
}

impl Holds {
    /// Notes what is held.
    pub fn note(&mut self, parts: &Parts<'_>) {
        let rubs = parts.rubs.iter().enumerate().filter(|(_, rub)| rub.mode == Mode::Stuck && rub.row.nq > 0);
        let bumps = parts.bumps.iter().enumerate().filter(|(_, bump)| bump.mode != Rests::Free && bump.row.nq > 0);
        self.rows.clear();
        self.rows.extend(rubs.map(|(i, rub)| (i, rub.row)));
        self.rows.extend(bumps.map(|(i, bump)| (parts.rubs.len() + i, bump.row)));
        let k = self.rows.len();
        if k < 2 {
            self.system = None;
            return;
        }
        let rows: Vec<Row> = self.rows.iter().map(|(_, row)| *row).collect();
        self.system = LeastNorm::new(parts.n, &rows, |a, b| dot(&rows[a], &rows[b]));
        for list in [&mut self.wanted, &mut self.forces] {
            list.resize(k, 0.0);
        }
    }
    /// Whether anything is held.
    pub fn any(&self) -> bool {
        !self.rows.is_empty()
    }
}

impl Flow<'_> {
    /// Decides for every contact at rest and every stop that is touched whether it stays, with the motion at time `t`
    /// in state `y`. `dy` is for scratch.
    pub fn resolve(&mut self, t: f64, y: &[f64], dy: &mut [f64]) {
        for _ in 0..=self.parts.rubs.len() + self.parts.bumps.len() {
            if !self.resolve_once(t, y, dy) {
                break;
            }
        }
        self.parts.rubs.iter_mut().for_each(|rub| rub.rests = false);
        self.regroup();
    }
    /// One solution with the forces of what slips as they are; true if something began to slip whose force then falls
    /// below the limit, so that others must be asked again.
    fn resolve_once(&mut self, t: f64, y: &[f64], dy: &mut [f64]) -> bool {
        let candidates = self.candidates(t, y);
        if candidates.is_empty() {
            return false;
        }
        // all candidates let go: accelerations without them, and how they answer to forces
        for c in &candidates {
            match self.parts.rubs.get_mut(c.part) {
                // its force is taken out below
                Some(rub) => rub.mode = Mode::Stuck,
                None => self.parts.bumps[c.part - self.parts.rubs.len()].mode = Rests::Free,
            }
        }
        self.regroup_without();
        self.rhs(t, y, dy);
        let (n, k) = (self.parts.n, candidates.len());
        let mut g = Matrix::full(k);
        let mut free = vec![0.0; k];
        let mut answer = vec![0.0; n];
        for (j, c) in candidates.iter().enumerate() {
            free[j] = c.row.driven(&self.motions, 2);
            free[j] += c.row.coordinates().map(|(i, x)| x * self.acceleration[i]).sum::<f64>();
            self.answer(&c.row, &mut answer);
            for (i, other) in candidates.iter().enumerate() {
                g.add(i, j, other.row.coordinates().map(|(q, x)| x * answer[q]).sum());
            }
        }
        let problem = Problem { n, g: &g, free: &free, candidates: &candidates };
        if let [c] = &candidates[..] {
            let Some((set, force, still)) = problem.alone() else {
                self.undecided = true;
                return false;
            };
            return self.decide(c, set, force, still, false, t);
        }
        let Some((sets, force)) = problem.solve() else {
            self.undecided = true;
            return false;
        };
        let held = problem.held(&sets);
        let mut again = false;
        for (j, c) in candidates.iter().enumerate() {
            let (a, kept) = problem.beyond(j, (&sets, &force), &held);
            let still = a == 0.0;
            again |= self.decide(c, sets[j], force[j], still, still && kept, t);
        }
        again
    }
    #[allow(clippy::too_many_arguments, reason = "one decision")]
    fn decide(&mut self, c: &Candidate, set: Set, force: f64, still: bool, kept: bool, t: f64) -> bool {
        let count = self.parts.rubs.len();
        let Some(rub) = self.parts.rubs.get_mut(c.part) else {
            let bump = &mut self.parts.bumps[c.part - count];
            let end = if c.high > 0.0 { 1.0 } else { -1.0 };
            bump.mode = if set == Set::Free { Rests::At(end) } else { Rests::Free };
            bump.held = force;
            return false;
        };
        rub.held = force;
        let side = if set == Set::High { 1.0 } else { -1.0 };
        match set {
            Set::Free => rub.mode = Mode::Stuck,
            // at its limit, and yet others keep it from sliding
            _ if kept => rub.mode = Mode::Pinned(side),
            // exactly at its limit: it goes when the force grows further
            _ if still => rub.mode = Mode::Stuck,
            _ => {
                rub.mode = Mode::Slip(side);
                // with its sliding force from now on, also if it is asked about because it came to rest
                (rub.released, rub.rests) = (t, false);
                let u = Input { v: rub.asked(side, 0.0), load: rub.load[0] };
                let sliding = rub.law.force(&rub.memory, &u);
                return (sliding - force).abs() > 1e-12 * force.abs();
            }
        }
        false
    }
    fn candidates(&mut self, t: f64, y: &[f64]) -> Vec<Candidate> {
        let mut out = Vec::new();
        let motions = &self.motions;
        for (part, rub) in self.parts.rubs.iter_mut().enumerate() {
            let held = !matches!(rub.mode, Mode::Slip(_));
            let rests = held || rub.rests || (rub.row.v(y, motions) == 0.0 && rub.released < t);
            if rub.row.nq == 0 || !rests {
                continue;
            }
            let (low, high) = rub.limits();
            if low < high {
                out.push(Candidate { row: rub.row, part, low, high });
            } else if held {
                // nothing presses it any more
                rub.mode = Mode::Slip(if rub.held < low { -1.0 } else { 1.0 });
            }
        }
        for (k, bump) in self.parts.bumps.iter().enumerate() {
            // what only motions move answers to no force
            if let Rests::At(end) = bump.mode
                && bump.row.nq > 0
            {
                let far = f64::INFINITY;
                let (low, high) = if end > 0.0 { (0.0, far) } else { (-far, 0.0) };
                out.push(Candidate { row: bump.row, part: self.parts.rubs.len() + k, low, high });
            }
        }
        out
    }
    /// Groups as if nothing were held; contacts marked stuck exert no force.
    fn regroup_without(&mut self) {
        self.groups.reset();
        let coupled = self.has_plants();
        self.groups.settle(&self.parts.masses, coupled);
    }
    /// Accelerations of all coordinates under a unit force along `row`.
    pub fn answer(&self, row: &Row, out: &mut [f64]) {
        let n = self.parts.n;
        out.fill(0.0);
        for (i, c) in row.coordinates() {
            if self.groups.is_full {
                out.iter_mut().enumerate().for_each(|(k, out)| *out += self.groups.full[k * n + i] * c);
            } else {
                out[i] += self.groups.inverse[i] * c;
            }
        }
    }
    /// Whether what else is held keeps contact `c` from sliding.
    pub fn is_kept(&self, c: usize) -> bool {
        let mut held = Groups::new(self.parts.n);
        for (i, rub) in self.parts.rubs.iter().enumerate() {
            if i != c && rub.mode == Mode::Stuck {
                held.hold(&rub.row);
            }
        }
        for bump in self.parts.bumps.iter().filter(|bump| bump.mode != Rests::Free) {
            held.hold(&bump.row);
        }
        !held.hold(&self.parts.rubs[c].row)
    }
    /// Changes velocities by an impulse along `row` that changes its speed by `change`. Only masses answer: what sticks
    /// cannot carry an impulse. Returns the impulse against the displacement.
    pub fn impulse(&mut self, row: &Row, change: f64, y: &mut [f64]) -> f64 {
        self.regroup_without();
        let mut answer = vec![0.0; self.parts.n];
        self.answer(row, &mut answer);
        let own: f64 = row.coordinates().map(|(i, c)| c * answer[i]).sum();
        for (answer, &v) in answer.iter().zip(&self.parts.vi) {
            y[v] += answer * change / own;
        }
        self.regroup();
        -change / own
    }
    /// Forces of what is held, from the accelerations of the last [`Flow::rhs`]: of least norm where redundant.
    pub fn hold_forces(&mut self) {
        let mut holds = std::mem::take(&mut self.holds);
        if let [(part, row)] = holds.rows[..] {
            // one alone: the reaction of any of its coordinates
            let (i, c) = row.q[0];
            self.note_held(part, -self.reaction(i) / c);
        } else if let Some(system) = &mut holds.system {
            for (wanted, (_, row)) in holds.wanted.iter_mut().zip(&holds.rows) {
                *wanted = row.coordinates().map(|(i, c)| -c * self.reaction(i)).sum();
            }
            system.solve(&holds.wanted, &mut holds.forces);
            for (k, &force) in holds.forces.iter().enumerate() {
                self.note_held(holds.rows[k].0, force);
            }
        }
        self.holds = holds;
    }
    fn note_held(&mut self, part: usize, force: f64) {
        let count = self.parts.rubs.len();
        match self.parts.rubs.get_mut(part) {
            Some(rub) => rub.held = force,
            None => self.parts.bumps[part - count].held = force,
        }
    }
}
