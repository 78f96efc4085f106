//! The same law over other numbers.
use crate::{Property, all, ensure, reached, scale};
use stiction_core::{Dual, Friction, Input, Lanes, Law, Real, StateVector};

const N: usize = 8;
type L = Lanes<N>;

struct LaneByLane;
impl Property for LaneByLane {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        let ml = m.cast(L::lit);
        let md = m.cast(Dual::<L, 1>::lit);
        for group in reached(m, 6, 400).chunks_exact(N) {
            let mut zl = <M::With<L> as Friction<L>>::State::zero();
            let mut zd = <M::With<Dual<L, 1>> as Friction<Dual<L, 1>>>::State::zero();
            for i in 0..M::State::LEN {
                let lanes = Lanes(std::array::from_fn(|k| group[k].0.get(i)));
                zl.set(i, lanes);
                zd.set(i, Dual::constant(lanes));
            }
            let v = Lanes(std::array::from_fn(|k| group[k].1));
            let dt = Lanes(std::array::from_fn(|k| 10f64.powi(-(k as i32))));
            let (ul, ud) = (Input::at(v), Input { v: Dual::var(v, 0), load: Dual::lit(1.0) });
            let fl = ml.force(&ml.step(&zl, &ul, dt), &ul);
            let fd = md.force(&md.step(&zd, &ud, Dual::constant(dt)), &ud);
            let hl = ml.hold(&zl, &ul, L::lit(1.0));
            for (k, (z, v)) in group.iter().enumerate() {
                let u = Input::at(*v);
                let f = m.force(&m.step(z, &u, dt.0[k]), &u);
                ensure!(f.to_bits() == fl.0[k].to_bits(), "lane {k} gives {} instead of {f}", fl.0[k]);
                ensure!(m.hold(z, &u, 1.0).to_bits() == hl.0[k].to_bits(), "hold differs in lane {k}");
                // nested duals carry the same value; pow at exponents 1 and 2 included
                ensure!(f.to_bits() == fd.re.0[k].to_bits(), "dual over lane {k} gives {} instead of {f}", fd.re.0[k]);
            }
        }
        Ok(())
    }
}
#[test]
fn lanes_are_scalars_bit_for_bit() {
    all(&LaneByLane);
}

struct Single;
impl Property for Single {
    fn check<M: Law<f64>>(&self, m: &M) -> Result<(), String> {
        // parameters and states that single precision can hold, so that only the arithmetic differs
        let mut single = Vec::new();
        let _ = m.cast(|x| {
            single.push(f64::from(x as f32));
            x
        });
        let m = &M::from_slice(&single);
        let ms = m.cast(|x| x as f32);
        let (scale, mut off, mut all) = (scale(m), 0, 0);
        for (z, v) in reached(m, 7, 400) {
            let zs: <M::With<f32> as Friction<f32>>::State = z.map_into(|x| x as f32);
            let zf: M::State = zs.map_into(f64::from);
            let (us, u) = (Input::at(v as f32), Input::at(f64::from(v as f32)));
            for dt in [1e-5_f32, 1e-3] {
                let a = f64::from(ms.force(&ms.step(&zs, &us, dt), &us));
                let b = m.force(&m.step(&zf, &u, f64::from(dt)), &u);
                all += 1;
                // a few roundings of 6e-8, amplified where a damper multiplies a difference: sigma1 v/F up to 1e3
                off += u32::from((a - b).abs() > 1e-4 * (scale + b.abs()));
            }
        }
        // a threshold (break-away, a snapping bristle) may be met one rounding earlier or later
        ensure!(f64::from(off) < 0.02 * f64::from(all), "f32 and f64 differ in {off} of {all} samples");
        Ok(())
    }
}
#[test]
fn single_precision_agrees() {
    all(&Single);
}
