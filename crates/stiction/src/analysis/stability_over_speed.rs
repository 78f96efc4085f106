//! The driving speeds at which steady sliding becomes stable or unstable.
use super::equilibrium::{Equilibrium, find};
use super::steady_motion::{check_components, check_steady_inputs};
use crate::Error;
use crate::system::{NodeKind, Signal, System};

/// Speeds per decade of the search grid.
const PER_DECADE: f64 = 20.0;

/// A change with the driving speed.
#[derive(Clone, Debug, PartialEq)]
pub struct StabilityChange {
    /// The driving speed [m/s].
    pub v: f64,
    /// The kind of change.
    pub what: StabilityChangeKind,
}

/// The kinds of change.
#[derive(Clone, Debug, PartialEq)]
pub enum StabilityChangeKind {
    /// Sliding is stable above.
    Stable,
    /// Sliding is unstable above.
    Unstable,
    /// The steady curve of a contact rises above.
    Rises(String),
    /// The steady curve of a contact falls above.
    Falls(String),
}

/// Changes between two driving speeds, from the slowest: the speed of the first motion that moves at time `t`; others
/// keep their proportion to it. Empty if no motion drives the system. The system is restored at the end.
///
/// # Errors
/// As [`find`].
pub fn stability_changes(system: &mut System, t: f64, range: (f64, f64)) -> Result<Vec<StabilityChange>, Error> {
    check_steady_inputs(system, t).map_err(Error::Analysis)?;
    check_components(system).map_err(Error::Analysis)?;
    let speeds: Vec<f64> = system.motions.iter().map(|signal| signal.eval(t, t)[1]).collect();
    let Some(&base) = speeds.iter().find(|v| **v != 0.0) else { return Ok(Vec::new()) };
    let kept = system.motions.clone();
    let out = scan(system, t, range, |system, v| {
        for (signal, speed) in system.motions.iter_mut().zip(&speeds).filter(|(_, speed)| **speed != 0.0) {
            let slope = v * speed / base;
            *signal = Signal::Ramp { offset: 0.0, slope, start: 0.0, end: f64::INFINITY };
        }
    });
    system.motions = kept;
    out
}

/// The name of the motion whose speed [`stability_changes`] varies.
pub fn driver(system: &System, t: f64) -> Option<&str> {
    let moves = |k: usize| system.motions[k].eval(t, t)[1] != 0.0;
    let place = system.nodes.iter().find(|place| matches!(place.kind, NodeKind::Motion(k) if moves(k)));
    place.map(|place| place.name.as_str())
}

fn scan(
    system: &mut System,
    t: f64,
    (lo, hi): (f64, f64),
    set: impl Fn(&mut System, f64),
) -> Result<Vec<StabilityChange>, Error> {
    let mut at = |v: f64| -> Result<Option<Equilibrium>, Error> {
        set(system, v);
        Ok(find(system, t)?.into_iter().find(|e| e.contacts.iter().all(|c| c.v != 0.0)))
    };
    let count = ((hi / lo).log10() * PER_DECADE).ceil().max(1.0) as i32;
    let mut out = Vec::new();
    let mut before: Option<(f64, Equilibrium)> = None;
    for k in 0..=count {
        let v = lo * (hi / lo).powf(f64::from(k) / f64::from(count));
        let Some(now) = at(v)? else {
            before = None;
            continue;
        };
        if let Some((v0, old)) = &before {
            if margin(old) * margin(&now) < 0.0 {
                let root = bisect((*v0, v), margin(old), |v| Ok(at(v)?.map(|e| margin(&e))))?;
                out.push(StabilityChange {
                    v: root,
                    what: if now.stable { StabilityChangeKind::Stable } else { StabilityChangeKind::Unstable },
                });
            }
            for (c, (a, b)) in old.contacts.iter().zip(&now.contacts).enumerate() {
                if a.slope * b.slope < 0.0 {
                    let root = bisect((*v0, v), a.slope, |v| Ok(at(v)?.map(|e| e.contacts[c].slope)))?;
                    let name = b.name.clone();
                    out.push(StabilityChange {
                        v: root,
                        what: if b.slope > 0.0 {
                            StabilityChangeKind::Rises(name)
                        } else {
                            StabilityChangeKind::Falls(name)
                        },
                    });
                }
            }
        }
        before = Some((v, now));
    }
    out.sort_by(|a, b| a.v.total_cmp(&b.v));
    Ok(out)
}

/// Positive where sliding is stable, and zero at the boundary: the last but one Hurwitz determinant
/// where an oscillation starts to grow, otherwise minus the largest real part.
fn margin(equilibrium: &Equilibrium) -> f64 {
    let Some(answer) = equilibrium.local_stability.first() else { return f64::NAN };
    if answer.eigenvalues.is_empty() || answer.is_neutral(0) {
        return 0.0;
    }
    let count = answer.hurwitz.len();
    let constant = answer.polynomial.last().copied().unwrap_or(0.0);
    if count >= 2 && constant > 0.0 {
        // a smooth function of the speed, which the largest real part is not where two eigenvalues meet
        let border = answer.hurwitz[count - 2];
        if (border > 0.0) == equilibrium.stable {
            return border;
        }
    }
    -answer.growth()
}

/// The zero of a function whose sign at the lower end is that of `first`, to the last bits.
fn bisect(range: (f64, f64), first: f64, mut f: impl FnMut(f64) -> Result<Option<f64>, Error>) -> Result<f64, Error> {
    let (mut lo, mut hi) = range;
    while hi - lo > 4.0 * f64::EPSILON * hi {
        let mid = 0.5 * (lo + hi);
        // between two neighbouring numbers there is none
        if mid <= lo || mid >= hi {
            break;
        }
        match f(mid)? {
            Some(x) if x * first > 0.0 => lo = mid,
            _ => hi = mid,
        }
    }
    Ok(0.5 * (lo + hi))
}
