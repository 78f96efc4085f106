//! The branch function of parallel springs that slip one after another (Iwan model).
use super::pooled_branches::PooledBranches;
use crate::NumericsError;
use crate::fit::{Fit, Parameter};

/// Four slipping springs: `Fd = Σ κ·min(z, ζ)`. The last one slips beyond the data, so that its `ζ` is infinite.
pub(super) fn fit_springs(pool: &PooledBranches) -> Result<(Vec<[f64; 2]>, f64), NumericsError> {
    let (top, [k0, ..]) = (pool.longest(), pool.starts());
    let curve = |p: &[f64], z: f64| p[0] * z.min(p[4]) + p[1] * z.min(p[5]) + p[2] * z.min(p[6]) + p[3] * z;
    let stiffness = |name, part: f64| Parameter::new(name, part * k0).within(1e-9 * k0, 1e3 * k0).log();
    let place = |name, part: f64| Parameter::new(name, part * top).within(1e-4 * top, top).log();
    let mut best: Option<Fit> = None;
    for [first, second, third] in [[0.06, 0.2, 0.6], [0.025, 0.08, 0.25], [0.12, 0.25, 0.5]] {
        let parameters = [
            stiffness("κ1", 0.6),
            stiffness("κ2", 0.25),
            stiffness("κ3", 0.1),
            stiffness("κ4", 0.05),
            place("ζ1", first),
            place("ζ2", second),
            place("ζ3", third),
        ];
        if let Ok(fit) = pool.fit(&parameters, &curve)
            && best.as_ref().is_none_or(|b| fit.cost < b.cost)
        {
            best = Some(fit);
        }
    }
    let fit = best.ok_or(NumericsError::NotFiniteAtStart { at: 0 })?;
    let p = &fit.values;
    Ok(((0..4).map(|i| [p[i], if i < 3 { p[4 + i] } else { f64::INFINITY }]).collect(), fit.sigma))
}
