//! Reduction of a linear system to the state variables that can change and that affect others.
use crate::sim::{Linearisation, StateRole};

/// The remaining state variables, and their system matrix.
///
/// A sticking contact removes a coordinate: its displacement cannot change, so that one coordinate depends on the others. A free direction
/// that the sticking contacts allow removes one, too: no force depends on how far the system has moved in it, and what is left are positions relative to one coordinate.
/// Then state variables that never change, and those that nothing depends on, are removed.
pub(super) fn reduce(linear: &Linearisation, roles: &[StateRole], free: &[Vec<f64>]) -> (Vec<usize>, Vec<f64>) {
    let n = roles.len();
    let mut a = linear.matrix.clone();
    let mut keep: Vec<usize> = (0..n).collect();
    let place = |wanted: StateRole| roles.iter().position(|role| *role == wanted);
    // constraint rows of the sticking contacts, reduced by elimination
    let mut held: Vec<Vec<f64>> = Vec::new();
    let coordinates = roles.iter().filter(|role| matches!(role, StateRole::Position(_))).count();
    for touch in linear.contacts.iter().filter(|touch| touch.held) {
        let mut row = vec![0.0; coordinates];
        touch.row.iter().for_each(|&(i, c)| row[i] += c);
        held.push(row);
    }
    for k in 0..held.len() {
        let pivot = (0..coordinates).max_by(|&i, &j| held[k][i].abs().total_cmp(&held[k][j].abs()));
        let Some(p) = pivot.filter(|&p| held[k][p].abs() > 1e-12) else { continue };
        let row: Vec<f64> = held[k].iter().map(|c| c / held[k][p]).collect();
        for other in held.iter_mut().skip(k + 1) {
            let f = other[p];
            other.iter_mut().zip(&row).for_each(|(x, c)| *x -= f * c);
        }
        for wrap in [StateRole::Position, StateRole::Velocity] {
            let Some(gone) = place(wrap(p)) else { continue };
            for (i, c) in row.iter().enumerate().filter(|&(i, c)| i != p && *c != 0.0) {
                if let Some(j) = place(wrap(i)) {
                    (0..n).for_each(|r| a[r * n + j] -= c * a[r * n + gone]);
                }
            }
            keep.retain(|&i| i != gone);
        }
    }
    for direction in allowed(free, linear) {
        let kept = (0..coordinates).filter(|&i| place(StateRole::Position(i)).is_some_and(|at| keep.contains(&at)));
        let pivot = kept.max_by(|&i, &j| direction[i].abs().total_cmp(&direction[j].abs()));
        let Some(p) = pivot.filter(|&p| direction[p] != 0.0) else { continue };
        let Some(gone) = place(StateRole::Position(p)) else { continue };
        for (i, d) in direction.iter().enumerate().filter(|&(i, d)| i != p && *d != 0.0) {
            if let Some(at) = place(StateRole::Position(i)) {
                (0..n).for_each(|j| a[at * n + j] -= d / direction[p] * a[gone * n + j]);
            }
        }
        keep.retain(|&i| i != gone);
    }
    loop {
        let idle = keep.iter().copied().find(|&i| {
            let constant = keep.iter().all(|&j| a[i * n + j] == 0.0);
            let unasked = keep.iter().all(|&j| a[j * n + i] == 0.0);
            constant || unasked
        });
        match idle {
            Some(idle) => keep.retain(|&i| i != idle),
            None => break,
        }
    }
    let matrix = keep.iter().flat_map(|&i| keep.iter().map(move |&j| (i, j))).map(|(i, j)| a[i * n + j]).collect();
    (keep, matrix)
}

/// The combinations of free directions in which no sticking contact would slide.
fn allowed(free: &[Vec<f64>], linear: &Linearisation) -> Vec<Vec<f64>> {
    let mut out = free.to_vec();
    for touch in linear.contacts.iter().filter(|touch| touch.held) {
        let slip = |d: &[f64]| touch.row.iter().map(|&(i, c)| c * d[i]).sum::<f64>();
        let Some(most) = (0..out.len()).max_by(|&a, &b| slip(&out[a]).abs().total_cmp(&slip(&out[b]).abs())) else {
            break;
        };
        if slip(&out[most]) == 0.0 {
            continue;
        }
        let removed = out.remove(most);
        for direction in &mut out {
            let factor = slip(direction) / slip(&removed);
            direction.iter_mut().zip(&removed).for_each(|(d, r)| *d -= factor * r);
        }
    }
    out
}
