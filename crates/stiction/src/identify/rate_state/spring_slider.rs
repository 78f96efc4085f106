//! A slider pulled by a spring: rates and their derivatives.
use stiction_core::Real;

/// State evolution law.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum StateEvolution {
    /// Ageing law (Dieterich): contacts age even at rest.
    #[default]
    Ageing,
    /// Slip law (Ruina): contacts change only in slip.
    Slip,
    /// The law of Perrin, Rice and Zheng.
    PerrinRiceZheng,
    /// The law of Nagata, Nakatani and Yoshida: the ageing law, and contacts weakened by a rise of the shear stress.
    Nagata,
}

/// Parameters of a spring slider.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringSlider<R> {
    /// Friction coefficient in steady sliding at `v0`.
    pub mu0: R,
    /// Direct effect of speed.
    pub a: R,
    /// Evolution effects.
    pub b: [R; 2],
    /// Critical distances \[m\].
    pub dc: [R; 2],
    /// Stiffness over normal load \[1/m\].
    pub k: R,
    /// Weakening by shear stress, in the law of Nagata alone.
    pub c: R,
    /// Reference speed \[m/s\].
    pub v0: R,
}

/// The rates of friction and states, and their Jacobian by rows.
pub(super) struct StateRates<R, const N: usize> {
    pub f: [R; N],
    pub j: [[R; N]; N],
}

impl<R: Real> SpringSlider<R> {
    /// Friction and states in steady sliding at `v`; the first of `N` numbers is the friction, the others are states.
    pub(super) fn steady<const N: usize>(&self, v: f64) -> [R; N] {
        let x = (R::lit(v) / self.v0).ln();
        let mut y = [-x; N];
        let evolved = self.b[0] + if N > 2 { self.b[1] } else { R::lit(0.0) };
        y[0] = self.mu0 + (self.a - evolved) * x;
        y
    }
    /// Rates while the load point moves at `load`.
    pub(super) fn rates<const N: usize>(&self, y: &[R; N], load: f64, law: StateEvolution) -> StateRates<R, N> {
        let zero = R::lit(0.0);
        // x = ln(v/v0), and its derivatives
        let mut x = y[0] - self.mu0;
        let mut dx = [R::lit(1.0) / self.a; N];
        for i in 1..N {
            x = x - self.b[i - 1] * y[i];
            dx[i] = -(self.b[i - 1] / self.a);
        }
        let x = x / self.a;
        let v = self.v0 * x.exp();
        let mut out = StateRates { f: [zero; N], j: [[zero; N]; N] };
        out.f[0] = self.k * (R::lit(load) - v);
        out.j[0] = dx.map(|dx| -(self.k * v * dx));
        for (i, &psi) in y.iter().enumerate().skip(1) {
            let dc = self.dc[i - 1];
            let own = |c: usize| R::lit(if c == i { 1.0 } else { 0.0 });
            let row = |each: &dyn Fn(R, R) -> R| -> [R; N] { std::array::from_fn(|c| each(dx[c], own(c))) };
            match law {
                StateEvolution::Ageing => {
                    let fresh = self.v0 * (-psi).exp() / dc;
                    out.f[i] = fresh - v / dc;
                    out.j[i] = row(&|dx, own| -(own * fresh) - v / dc * dx);
                }
                StateEvolution::Slip => {
                    let pace = v / dc;
                    out.f[i] = -(pace * (psi + x));
                    out.j[i] = row(&|dx, own| -(pace * (dx * (psi + x) + own + dx)));
                }
                StateEvolution::Nagata => {
                    // - (c/b) dmu/dt beside the ageing law
                    let fresh = self.v0 * (-psi).exp() / dc;
                    let weakening = self.c / self.b[i - 1];
                    out.f[i] = fresh - v / dc - weakening * out.f[0];
                    let stress = out.j[0];
                    out.j[i] = std::array::from_fn(|c| -(own(c) * fresh) - v / dc * dx[c] - weakening * stress[c]);
                }
                StateEvolution::PerrinRiceZheng => {
                    let half = self.v0 / (R::lit(2.0) * dc);
                    let (fresh, worn) = (half * (-psi).exp(), half * (x + x + psi).exp());
                    out.f[i] = fresh - worn;
                    out.j[i] = row(&|dx, own| -(own * fresh) - (dx + dx + own) * worn);
                }
            }
        }
        out
    }
}
