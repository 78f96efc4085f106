//! Bodies that stick together move as one. Active constraints form rigid groups of coordinates, and a matrix A gives their
//! accelerations from the generalised forces: `dv/dt = A·g`, exactly zero for bodies that stick to the ground.
use super::components::ConstraintRow;
use super::matrix::Matrix;

/// How a group moves.
#[derive(Clone, Copy, Debug, PartialEq)]
enum GroupMotion {
    Free,
    Fixed,
    /// As this prescribed motion, times a factor.
    Driven(usize, f64),
}

/// Coordinates joined by active constraints: each moves as `scale` times its group.
#[derive(Clone, Debug)]
pub(super) struct RigidGroups {
    group: Vec<usize>,
    scale: Vec<f64>,
    held: Vec<GroupMotion>,
    /// Inverse masses, where no two coordinates share a group.
    pub inverse: Vec<f64>,
    /// The matrix A, row by row, where some do.
    pub full: Vec<f64>,
    pub is_full: bool,
    /// A is diagonal, and no coordinate is driven.
    pub is_simple: bool,
    /// Coordinates that follow a prescribed motion: coordinate, motion, factor.
    pub driven: Vec<(usize, usize, f64)>,
}

impl RigidGroups {
    pub fn new(n: usize) -> Self {
        Self {
            group: (0..n).collect(),
            scale: vec![1.0; n],
            held: vec![GroupMotion::Free; n],
            inverse: vec![0.0; n],
            full: Vec::new(),
            is_full: false,
            is_simple: false,
            driven: Vec::new(),
        }
    }
    /// Removes all constraints.
    pub fn reset(&mut self) {
        self.group.iter_mut().enumerate().for_each(|(i, g)| *g = i);
        self.scale.fill(1.0);
        self.held.fill(GroupMotion::Free);
    }
    /// Adds the constraint that a displacement is constant. False if it follows from the constraints already present.
    pub fn hold(&mut self, row: &ConstraintRow) -> bool {
        match (row.nq, row.nm) {
            (1, 0) => self.bind(row.q[0], GroupMotion::Fixed),
            (1, _) => {
                let ((k, cm), c) = (row.m[0], row.q[0].1);
                self.bind(row.q[0], GroupMotion::Driven(k, -cm / c))
            }
            (2, _) => self.join(row.q[0], row.q[1]),
            _ => false,
        }
    }
    /// Couples coordinate `i` to the ground or to a prescribed motion.
    fn bind(&mut self, (i, _): (usize, f64), how: GroupMotion) -> bool {
        let g = self.group[i];
        if self.held[g] != GroupMotion::Free {
            return false;
        }
        self.held[g] = match how {
            GroupMotion::Driven(k, factor) => GroupMotion::Driven(k, factor / self.scale[i]),
            other => other,
        };
        true
    }
    /// Adds the constraint `a·v_i + b·v_j = 0`.
    fn join(&mut self, (i, a): (usize, f64), (j, b): (usize, f64)) -> bool {
        let (gi, gj) = (self.group[i], self.group[j]);
        if gi == gj {
            // two contradictory ratios lock the group
            let locks = (a * self.scale[i] + b * self.scale[j]).abs() > 1e-12 * (a * self.scale[i]).abs();
            if locks && self.held[gi] == GroupMotion::Free {
                self.held[gi] = GroupMotion::Fixed;
                return true;
            }
            return false;
        }
        let (hi, hj) = (self.held[gi], self.held[gj]);
        if hi != GroupMotion::Free && hj != GroupMotion::Free {
            return false;
        }
        // group j becomes part of group i: w_j = ratio·w_i
        let ratio = -a * self.scale[i] / (b * self.scale[j]);
        for k in 0..self.group.len() {
            if self.group[k] == gj {
                self.group[k] = gi;
                self.scale[k] *= ratio;
            }
        }
        self.held[gi] = match (hi, hj) {
            (GroupMotion::Free, GroupMotion::Driven(k, factor)) => GroupMotion::Driven(k, factor / ratio),
            (GroupMotion::Free, other) => other,
            (other, _) => other,
        };
        true
    }
    /// Collects the driven coordinates, and computes A if it is constant. `coupled`: the mass matrix is not diagonal.
    pub fn settle(&mut self, masses: &[f64], coupled: bool) {
        let n = self.group.len();
        self.driven.clear();
        for i in 0..n {
            if let GroupMotion::Driven(k, factor) = self.held[self.group[i]] {
                self.driven.push((i, k, factor * self.scale[i]));
            }
        }
        let shared = (0..n).any(|i| self.group[i] != i && self.held[self.group[i]] == GroupMotion::Free);
        self.is_full = coupled || shared;
        self.is_simple = !self.is_full && self.driven.is_empty();
        if self.is_full {
            if !coupled {
                self.invert(|i, j| if i == j { masses[i] } else { 0.0 });
            }
        } else {
            for ((inverse, mass), &g) in self.inverse.iter_mut().zip(masses).zip(&self.group) {
                *inverse = if self.held[g] == GroupMotion::Free { 1.0 / mass } else { 0.0 };
            }
        }
    }
    /// A from a mass matrix: `N·(Nᵀ·M·N)⁻¹·Nᵀ`, N the scales of the free groups. False if singular.
    pub fn invert(&mut self, mass: impl Fn(usize, usize) -> f64) -> bool {
        let n = self.group.len();
        if n == 1 {
            // a single pendulum needs this in every evaluation: without allocation
            let (m, free) = (self.scale[0] * mass(0, 0) * self.scale[0], self.held[0] == GroupMotion::Free);
            if free && (m == 0.0 || !m.is_finite()) {
                return false;
            }
            self.full.clear();
            self.full.push(if free { self.scale[0] * (1.0 / m) * self.scale[0] } else { 0.0 });
            return true;
        }
        let free: Vec<usize> = (0..n).filter(|&g| self.group[g] == g && self.held[g] == GroupMotion::Free).collect();
        let index = |i: usize| free.iter().position(|&g| g == self.group[i]);
        let place: Vec<Option<usize>> = (0..n).map(index).collect();
        let r = free.len();
        let mut reduced = Matrix::full(r);
        for i in 0..n {
            for j in 0..n {
                if let (Some(a), Some(b)) = (place[i], place[j]) {
                    reduced.add(a, b, self.scale[i] * mass(i, j) * self.scale[j]);
                }
            }
        }
        let mut pivots = vec![0; r];
        if r > 0 && !reduced.factor(&mut pivots) {
            return false;
        }
        self.full.clear();
        self.full.resize(n * n, 0.0);
        let mut column = vec![0.0; r];
        for (j, at) in place.iter().enumerate() {
            let Some(b) = *at else { continue };
            column.fill(0.0);
            column[b] = 1.0;
            reduced.solve(&pivots, &mut column);
            for (i, at) in place.iter().enumerate() {
                if let Some(a) = *at {
                    self.full[i * n + j] = self.scale[i] * column[a] * self.scale[j];
                }
            }
        }
        true
    }
    /// Whether the constraints keep a displacement constant: the velocities of all groups and prescribed motions cancel in it.
    pub fn keeps(&self, row: &ConstraintRow) -> bool {
        // coefficients of the velocities of free groups and of prescribed motions, at most four
        let own = row.coordinates().filter_map(|(i, c)| match self.held[self.group[i]] {
            GroupMotion::Free => Some(((false, self.group[i]), c * self.scale[i])),
            GroupMotion::Fixed => None,
            GroupMotion::Driven(k, factor) => Some(((true, k), c * self.scale[i] * factor)),
        });
        let (mut terms, mut count) = ([((false, 0), 0.0); 4], 0);
        for term in own.chain(row.m[..row.nm].iter().map(|&(k, c)| ((true, k), c))) {
            terms[count] = term;
            count += 1;
        }
        let terms = &terms[..count];
        terms.iter().all(|(of, _)| {
            let same = || terms.iter().filter(|term| term.0 == *of).map(|term| term.1);
            // products of a few ratios
            same().sum::<f64>().abs() <= 1e-12 * same().map(f64::abs).sum::<f64>()
        })
    }
    /// The displacement with what follows a prescribed motion counted as that motion, and what rests left out: its coordinates are those of
    /// free groups alone.
    pub fn reduced(&self, row: &ConstraintRow) -> ConstraintRow {
        let mut out = ConstraintRow { m: row.m, nm: row.nm, offset: row.offset, ..ConstraintRow::default() };
        for ((i, c), v) in row.coordinates().zip(row.v) {
            match self.held[self.group[i]] {
                GroupMotion::Free => {
                    (out.q[out.nq], out.v[out.nq]) = ((i, c), v);
                    out.nq += 1;
                }
                GroupMotion::Fixed => {}
                GroupMotion::Driven(k, factor) => {
                    out.m[out.nm] = (k, c * factor * self.scale[i]);
                    out.nm += 1;
                }
            }
        }
        out
    }
    /// The coordinates of free groups that follow the first of their group: coordinate, the first, and the scales of the first and of its own.
    pub fn members(&self) -> impl Iterator<Item = (usize, usize, [f64; 2])> + '_ {
        let is_free = |&i: &usize| self.held[self.group[i]] == GroupMotion::Free && self.group[i] != i;
        let member = |i: usize| (i, self.group[i], [self.scale[self.group[i]], self.scale[i]]);
        (0..self.group.len()).filter(is_free).map(member)
    }
    /// Whether the velocity of coordinate `i` is determined by the ground or a prescribed motion.
    pub fn is_held(&self, i: usize) -> bool {
        self.held[self.group[i]] != GroupMotion::Free
    }
    /// Sets the velocity of coordinate `i`, and of all that move with it.
    pub fn set_velocity(&self, i: usize, v: f64, y: &mut [f64], vi: &[usize]) {
        for k in (0..self.group.len()).filter(|&k| self.group[k] == self.group[i]) {
            y[vi[k]] = v / self.scale[i] * self.scale[k];
        }
    }
    /// Makes velocities satisfy the constraints exactly.
    pub fn align(&self, y: &mut [f64], vi: &[usize], motions: &[[f64; 4]]) {
        for i in 0..self.group.len() {
            let g = self.group[i];
            match self.held[g] {
                GroupMotion::Fixed => y[vi[i]] = 0.0,
                GroupMotion::Driven(k, factor) => y[vi[i]] = factor * self.scale[i] * motions[k][1],
                // the others follow the first of a group
                GroupMotion::Free if g != i => y[vi[i]] = y[vi[g]] / self.scale[g] * self.scale[i],
                GroupMotion::Free => {}
            }
        }
    }
}
