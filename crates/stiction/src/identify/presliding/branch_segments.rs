//! Segments of a path on which the force is a function of the travel from one reversal.
//!
//! A path that passes its second last reversal has closed a loop and continues on the earlier branch (wiping-out property).
//! The measured reversals are kept on a stack, as in Nouri's law.
use super::{Branch, HysteresisPath};

/// Samples on the branch of one reversal.
#[derive(Clone, Debug, PartialEq)]
pub struct BranchSegment {
    /// Direction: 1 or −1.
    pub direction: f64,
    /// Whether it is a virgin curve, from zero force instead of a reversal.
    pub virgin: bool,
    /// Travel from the reversal \[m\].
    pub z: Vec<f64>,
    /// Force \[N\].
    pub force: Vec<f64>,
}

/// The history before the oldest reversal on the stack.
enum StackBottom {
    /// Zero force at this displacement.
    Virgin(f64),
    /// Unknown, beyond the range of displacements visited since.
    Unknown([f64; 2]),
    /// Sliding, which erases the memory.
    Slid,
}

/// Origin of a segment.
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
    /// Removes the loops closed at `x`, moving in direction `d`; returns the origin of the current branch.
    fn pass(&mut self, x: f64, d: f64) -> Option<Origin> {
        loop {
            let count = self.stack.len();
            let close = match (&self.stack[..], &self.bottom) {
                ([.., before, _], _) => Some(*before),
                // a single reversal after a virgin curve closes at its mirror image
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

/// All segments of a path, in order.
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
