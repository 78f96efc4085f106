//! A law of programs behind [`DynLaw`].
use super::DynLaw;
use crate::program::{LawProgram, PROGRAM_STATES_MAX, ProgramLaw};
use crate::{Dual, Input};
use alloc::vec;

/// A number with the derivative by the velocity.
type One = Dual<f64, 1>;

/// A law of programs with its parameters.
pub(super) struct Erased {
    law: ProgramLaw<'static, f64>,
    /// The same over dual numbers.
    dual: ProgramLaw<'static, One>,
}

impl Erased {
    pub fn new(program: &'static LawProgram, values: &[f64]) -> Self {
        Self {
            law: ProgramLaw::new(program, values.to_vec()),
            dual: ProgramLaw::new(program, values.iter().map(|x| One::constant(*x)).collect()),
        }
    }
    /// The law whose parameters have these derivatives.
    fn with_slopes(&self, by: &[f64]) -> ProgramLaw<'static, One> {
        let mut each = by.iter();
        let slope = |x: &f64| One { re: *x, eps: [each.next().copied().unwrap_or(0.0)] };
        ProgramLaw::new(self.program(), self.law.values().iter().map(slope).collect())
    }
    fn program(&self) -> &'static LawProgram {
        self.law.program()
    }
}

impl DynLaw for Erased {
    fn len(&self) -> usize {
        self.law.len()
    }
    fn is_linear(&self) -> bool {
        false
    }
    fn settles(&self) -> bool {
        self.program().settles
    }
    fn guard_count(&self) -> usize {
        1 + self.program().guard_count()
    }
    fn force(&self, z: &[f64], u: &Input<f64>) -> f64 {
        self.law.force(z, u)
    }
    fn rate(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]) {
        self.law.flow(z, u, out);
    }
    fn flows(&self, i: usize) -> bool {
        self.program().equations.flows.get(i).copied().unwrap_or(true)
    }
    fn flow(&self, z: &[f64], u: &Input<f64>, rate: &mut [f64]) -> f64 {
        self.law.flow(z, u, rate)
    }
    fn partials(&self, z: &[f64], u: &Input<f64>, which: &[usize], by_load: bool, rows: &mut [f64]) {
        // a value for the force and for each rate, then the same by the velocity, by the load, and by each state
        let count = 1 + self.len();
        let mut small = [0.0; 20];
        let mut large;
        let all = match count * (2 + count) {
            room @ ..=20 => &mut small[..room],
            room => {
                large = vec![0.0; room];
                &mut large[..]
            }
        };
        self.law.partials(z, u, all);
        let wide = 3 + which.len();
        let of = |row: usize| if row == 0 { 0 } else { 1 + which.get(row - 1).copied().unwrap_or(0) };
        for (r, row) in rows.chunks_exact_mut(wide).enumerate().take(1 + which.len()) {
            let at = |block: usize| all.get(block * count + of(r)).copied().unwrap_or(0.0);
            (row[0], row[1]) = (at(0), at(1));
            if by_load {
                row[2] = at(2);
            }
            row[3..].iter_mut().zip(which).for_each(|(to, i)| *to = at(3 + i));
        }
    }
    fn settled(&self, u: &Input<f64>, out: &mut [f64]) {
        let len = self.len().min(out.len());
        self.law.settled(u, &mut out[..len]);
    }
    fn steady(&self, u: &Input<f64>) -> f64 {
        self.law.steady(u)
    }
    fn step(&self, z: &mut [f64], u: &Input<f64>, dt: f64) {
        let len = self.len().min(z.len());
        self.law.step(&mut z[..len], u, dt);
    }
    fn sample(&self, z: &mut [f64], u: &Input<f64>, dt: f64) -> f64 {
        let len = self.len().min(z.len());
        self.law.sample(&mut z[..len], u, dt)
    }
    fn tangent(&self, z: &[f64], u: &Input<f64>, dt: f64) -> [f64; 2] {
        let mut now = [One::constant(0.0); PROGRAM_STATES_MAX];
        now.iter_mut().zip(z).for_each(|(to, x)| *to = One::constant(*x));
        let u = Input { v: One::var(u.v, 0), load: One::constant(u.load) };
        let force = self.dual.sample(&mut now[..self.len()], &u, One::constant(dt));
        [force.re, force.eps[0]]
    }
    fn hold(&self, z: &[f64], u: &Input<f64>, dir: f64) -> f64 {
        self.law.hold(z, u, dir)
    }
    fn band(&self, u: &Input<f64>) -> f64 {
        self.law.band(u)
    }
    fn guards(&self, z: &[f64], u: &Input<f64>, out: &mut [f64]) {
        if let Some((first, others)) = out.split_first_mut() {
            *first = u.slip();
            self.law.guards(z, u, others);
        }
    }
    fn extremum(&self, _: &[f64]) -> f64 {
        0.0
    }
    // a law of programs with other parameters in each direction jumps by those of the new direction
    fn slides(&self, _: &[f64]) -> f64 {
        0.0
    }
    fn jump(&self, z: &mut [f64], u: &Input<f64>) {
        let len = self.len().min(z.len());
        self.law.jump(&mut z[..len], u);
    }
    fn jump_along(&self, z: &[f64], dz: &mut [f64], u: &Input<f64>, du: &Input<f64>, by: &[f64]) {
        let mut now = [One::constant(0.0); PROGRAM_STATES_MAX];
        now.iter_mut().zip(z).zip(&*dz).for_each(|((to, x), d)| *to = One { re: *x, eps: [*d] });
        let u = Input { v: One { re: u.v, eps: [du.v] }, load: One { re: u.load, eps: [du.load] } };
        self.with_slopes(by).jump(&mut now[..self.len()], &u);
        dz.iter_mut().zip(&now[..self.len()]).for_each(|(to, x)| *to = x.eps[0]);
    }
    fn flow_by_parameters(&self, z: &[f64], u: &Input<f64>, by: &[f64], rate: &mut [f64]) -> f64 {
        let mut now = [One::constant(0.0); PROGRAM_STATES_MAX];
        now.iter_mut().zip(z).for_each(|(to, x)| *to = One::constant(*x));
        let mut rates = [One::constant(0.0); PROGRAM_STATES_MAX];
        let u = Input { v: One::constant(u.v), load: One::constant(u.load) };
        let count = self.len();
        let force = self.with_slopes(by).flow(&now[..count], &u, &mut rates[..count]);
        rate.iter_mut().zip(&rates[..count]).for_each(|(to, x)| *to = x.eps[0]);
        force.eps[0]
    }
    fn parameters(&self, out: &mut [f64]) -> usize {
        out.iter_mut().zip(self.law.values()).for_each(|(to, x)| *to = *x);
        self.law.values().len()
    }
}
