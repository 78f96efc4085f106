//! Butcher tableaux of the explicit methods: `k_i = f(t + c_i h, y + h Σ a_ij k_j)`, `y(t + θh) = y + h Σ b_i(θ) k_i`.
use crate::sim::IntegrationMethod;

/// Largest number of stages.
pub(super) const MAX_STAGES: usize = 7;

/// One method.
pub(in crate::sim) struct Tableau {
    pub c: &'static [f64],
    /// Rows from the second stage on.
    pub a: &'static [&'static [f64]],
    /// Weights as polynomials of the fraction θ of the step: coefficients of θ, θ², ... for each stage. At θ = 1 they give the
    /// step itself.
    pub dense: &'static [&'static [f64]],
    /// Difference between the weights of the step and those of the embedded method; empty where there is none.
    pub error: &'static [f64],
    /// Whether the last stage is the first of the next step (FSAL).
    pub first_same_as_last: bool,
}

/// The tableau of a method; none for one that is not explicit.
pub(in crate::sim) fn tableau(method: IntegrationMethod) -> Option<&'static Tableau> {
    match method {
        IntegrationMethod::Rodas5P | IntegrationMethod::Network => None,
        IntegrationMethod::Euler => Some(&EULER),
        IntegrationMethod::Rk4 => Some(&RK4),
        IntegrationMethod::BogackiShampine => Some(&BOGACKI_SHAMPINE),
        IntegrationMethod::DormandPrince => Some(&DORMAND_PRINCE),
    }
}

static EULER: Tableau = Tableau { c: &[0.0], a: &[], dense: &[&[1.0]], error: &[], first_same_as_last: false };

/// Kutta1901; dense output of order 3 (Hairer1993, II.6).
static RK4: Tableau = Tableau {
    c: &[0.0, 0.5, 0.5, 1.0],
    a: &[&[0.5], &[0.0, 0.5], &[0.0, 0.0, 1.0]],
    dense: &[&[1.0, -1.5, 2.0 / 3.0], &[0.0, 1.0, -2.0 / 3.0], &[0.0, 1.0, -2.0 / 3.0], &[0.0, -0.5, 2.0 / 3.0]],
    error: &[],
    first_same_as_last: false,
};

/// Bogacki1989; dense output by a cubic Hermite polynomial, of order 3.
static BOGACKI_SHAMPINE: Tableau = Tableau {
    c: &[0.0, 0.5, 0.75, 1.0],
    a: &[&[0.5], &[0.0, 0.75], &[2.0 / 9.0, 1.0 / 3.0, 4.0 / 9.0]],
    dense: &[&[1.0, -4.0 / 3.0, 5.0 / 9.0], &[0.0, 1.0, -2.0 / 3.0], &[0.0, 4.0 / 3.0, -8.0 / 9.0], &[0.0, -1.0, 1.0]],
    error: &[-5.0 / 72.0, 1.0 / 12.0, 1.0 / 9.0, -1.0 / 8.0],
    first_same_as_last: true,
};

/// Dormand1980; Shampine's dense output of order 4 (Hairer1993, II.6), expanded in powers.
static DORMAND_PRINCE: Tableau = Tableau {
    c: &[0.0, 0.2, 0.3, 0.8, 8.0 / 9.0, 1.0, 1.0],
    a: &[
        &[0.2],
        &[3.0 / 40.0, 9.0 / 40.0],
        &[44.0 / 45.0, -56.0 / 15.0, 32.0 / 9.0],
        &[19372.0 / 6561.0, -25360.0 / 2187.0, 64448.0 / 6561.0, -212.0 / 729.0],
        &[9017.0 / 3168.0, -355.0 / 33.0, 46732.0 / 5247.0, 49.0 / 176.0, -5103.0 / 18656.0],
        &[35.0 / 384.0, 0.0, 500.0 / 1113.0, 125.0 / 192.0, -2187.0 / 6784.0, 11.0 / 84.0],
    ],
    dense: &[
        &[1.0, -8048581381.0 / 2820520608.0, 8663915743.0 / 2820520608.0, -12715105075.0 / 11282082432.0],
        &[0.0, 0.0, 0.0, 0.0],
        &[0.0, 131558114200.0 / 32700410799.0, -68118460800.0 / 10900136933.0, 87487479700.0 / 32700410799.0],
        &[0.0, -1754552775.0 / 470086768.0, 14199869525.0 / 1410260304.0, -10690763975.0 / 1880347072.0],
        &[0.0, 127303824393.0 / 49829197408.0, -318862633887.0 / 49829197408.0, 701980252875.0 / 199316789632.0],
        &[0.0, -282668133.0 / 205662961.0, 2019193451.0 / 616988883.0, -1453857185.0 / 822651844.0],
        &[0.0, 40617522.0 / 29380423.0, -110615467.0 / 29380423.0, 69997945.0 / 29380423.0],
    ],
    error: &[71.0 / 57600.0, 0.0, -71.0 / 16695.0, 71.0 / 1920.0, -17253.0 / 339200.0, 22.0 / 525.0, -1.0 / 40.0],
    first_same_as_last: true,
};

#[cfg(test)]
mod tests {
    use super::{MAX_STAGES, tableau};
    use crate::sim::IntegrationMethod;

    /// Rows sum to their nodes, weights to one, and the dense weights integrate powers of time exactly: conditions that every
    /// Runge–Kutta method satisfies.
    #[test]
    fn the_tables_are_consistent() {
        for (method, table) in IntegrationMethod::ALL.into_iter().filter_map(|method| Some((method, tableau(method)?)))
        {
            let name = method.name();
            assert!(
                table.c.len() <= MAX_STAGES && table.dense.len() == table.c.len() && table.a.len() + 1 == table.c.len()
            );
            for (row, c) in table.a.iter().zip(&table.c[1..]) {
                // sums of a few fractions, the largest above ten: rounding, here and below
                assert!((row.iter().sum::<f64>() - c).abs() < 1e-14, "{name}: {row:?}");
            }
            let weights: Vec<f64> = table.dense.iter().map(|w| w.iter().sum()).collect();
            for power in 0..method.order() as i32 {
                // ∫ t^power over the step
                let sum: f64 = weights.iter().zip(table.c).map(|(b, c)| b * c.powi(power)).sum();
                assert!((sum - 1.0 / f64::from(power + 1)).abs() < 1e-13, "{name}: {power}");
            }
            let dense = table.dense[0].len() as i32;
            for (power, theta) in (0..dense).flat_map(|power| [0.3, 0.8].map(|theta: f64| (power, theta))) {
                let at = |w: &[f64]| w.iter().rev().fold(0.0, |sum, w| (sum + w) * theta);
                let sum: f64 = table.dense.iter().zip(table.c).map(|(w, c)| at(w) * c.powi(power)).sum();
                assert!(
                    (sum - theta.powi(power + 1) / f64::from(power + 1)).abs() < 1e-13,
                    "{name}: {power} at {theta}"
                );
            }
            assert!(table.error.iter().sum::<f64>().abs() < 1e-15, "{name}: the error of a constant rate");
        }
    }
}
