//! Stretches of a path on which the force is a function of the travel from one reversal.
//!
//! A path that passes the reversal before its last has closed a loop, which is forgotten: it goes on along the branch it was
//! on before. Reversals are kept on a stack, as Nouri's law keeps them; here the measured ones.
use super::{Branch, HysteresisPath};

/// Samples that belong to one reversal.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchSegment {
    /// 1 or −1.
    pub direction: f64,
    /// Whether it begins at a contact without force, not at a reversal.
    pub virgin: bool,
    /// Travel from where it begins \[m\].
    pub z: Vec<f64>,
    /// Force \[N\].
    pub force: Vec<f64>,
}

/// What was before the reversals that are remembered.
enum StackBottom {
    /// A contact without force at this place.
    Virgin(f64),
    /// Something, of which nothing is known beyond what was visited.
    Unknown([f64; 2]),
    /// A slide, which forgets all.
    Slid,
}

/// Where a way begins.
#[derive(Clone, Copy, PartialEq)]
enum Origin {
    Reversal(f64),
    Virgin(f64),
}

struct ReversalStack {
    bottom: StackBottom,
    stack: Vec<f64>,
}

impl ReversalStack {
    /// Forgets the loops that are closed at `x`, coming in direction `d`; tells where the way there begins.
    fn pass(&mut self, x: f64, d: f64) -> Option<Origin> {
        loop {
            let count = self.stack.len();
            let close = match (&self.stack[..], &self.bottom) {
                ([.., before, _], _) => Some(*before),
                // a lone virgin reversal closes at its mirror image
                ([first], StackBottom::Virgin(from)) => Some(2.0 * from - first),
                ([_], StackBottom::Unknown([low, high])) => Some(if d > 0.0 { *high } else { *low }),
                _ => None,
            };
            match close {
                Some(close) if d * x > d * close => self.stack.truncate(count.saturating_sub(2)),
                _ => break,
            }
        }
        match (self.stack.last(), &self.bottom) {
            (Some(last), _) => Some(Origin::Reversal(*last)),
            (None, StackBottom::Virgin(from)) => Some(Origin::Virgin(*from)),
            _ => None,
        }
    }
    fn visited(&mut self, x: f64) {
        if let StackBottom::Unknown([low, high]) = &mut self.bottom {
            (*low, *high) = (low.min(x), high.max(x));
        }
    }
}

/// All ways of a path, in order.
pub(super) fn branch_segments(path: &HysteresisPath) -> Vec<BranchSegment> {
    let mut out: Vec<BranchSegment> = Vec::new();
    let Some(first) = path.branches.first() else { return out };
    let start = path.x[first.rows.start];
    let bottom = if first.virgin { StackBottom::Virgin(start) } else { StackBottom::Unknown([start; 2]) };
    let mut memory = ReversalStack { bottom, stack: Vec::new() };
    for (k, Branch { rows, direction, presliding_samples, breakaway_force, .. }) in path.branches.iter().enumerate() {
        if k > 0 {
            memory.stack.push(path.x[rows.start]);
        }
        let mut now: Option<Origin> = None;
        for row in rows.start..rows.start + presliding_samples {
            let x = path.x[row];
            let origin = memory.pass(x, *direction);
            if let Some(origin) = origin {
                let (from, virgin) = match origin {
                    Origin::Reversal(from) => (from, false),
                    Origin::Virgin(from) => (from, true),
                };
                if now != Some(origin) {
                    out.push(BranchSegment { direction: *direction, virgin, z: Vec::new(), force: Vec::new() });
                }
                if let Some(way) = out.last_mut() {
                    way.z.push(direction * (x - from));
                    way.force.push(path.force[row]);
                }
            }
            now = origin;
        }
        memory.visited(path.x[rows.end - 1]);
        if breakaway_force.is_some() {
            memory = ReversalStack { bottom: StackBottom::Slid, stack: Vec::new() };
        }
    }
    out
}
