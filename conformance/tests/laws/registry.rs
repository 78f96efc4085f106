//! A law by name answers as the law by type, in every method, bit for bit.
use stiction_core::contact::{self, SlidingBody};
use stiction_core::models::{LawVisitor, find, for_each};
use stiction_core::registry::{DynLaw, Wrappers};
use stiction_core::wrap::{Affine, Asymmetric, Loaded, Noise, Stochastic, Wrapped};
use stiction_core::{Dual, Friction, Input, Law, Params, StateVector};

fn numbers<S: StateVector<f64>>(s: &S) -> Vec<u64> {
    (0..S::LEN).map(|i| s.get(i).to_bits()).collect()
}
fn bits(z: &[f64]) -> Vec<u64> {
    z.iter().map(|x| x.to_bits()).collect()
}

/// Drives both along a jerky motion and compares every answer.
fn same<M: Friction<f64>>(name: &str, typed: &M, erased: &dyn DynLaw) {
    let mut z = M::State::zero();
    let mut w = vec![0.0; erased.len()];
    assert_eq!(erased.len(), M::State::LEN, "{name}");
    assert_eq!(erased.is_empty(), M::State::LEN == 0, "{name}");
    for k in 0..200 {
        let t = f64::from(k);
        let u = Input { v: 2e-3 * (0.9 * t + 0.1 * t * t).sin(), load: 1.0 + 0.3 * t.cos() };
        let mut out = vec![0.0; erased.len()];
        erased.rate(&w, &u, &mut out);
        assert_eq!(bits(&out), numbers(&typed.rate(&z, &u)), "{name}: rate");
        erased.settled(&u, &mut out);
        assert_eq!(bits(&out), numbers(&typed.settled(&u)), "{name}: settled");
        let mut guards = vec![0.0; erased.guard_count()];
        erased.guards(&w, &u, &mut guards);
        // a law by name leaves out the guards that have no effect with its parameters: all of its own but the velocity
        let mut all = numbers(&typed.guards(&z, &u));
        all.drain(1..1 + all.len() - guards.len());
        assert_eq!(bits(&guards), all, "{name}: guards");
        let mut jumped = w.clone();
        erased.jump(&mut jumped, &u);
        assert_eq!(bits(&jumped), numbers(&typed.jump(&z, &u)), "{name}: jump");
        let body = SlidingBody { mass: 0.5, applied: 1.5 * (0.3 * t).sin() };
        let (mut held, want) = (w.clone(), contact::step(typed, &z, &u, &body, 1e-3));
        let got = erased.contact(&mut held, &u, &body, 1e-3);
        assert_eq!(
            (got.v.to_bits(), got.force.to_bits(), got.stuck),
            (want.v.to_bits(), want.force.to_bits(), want.stuck)
        );
        assert_eq!(bits(&held), numbers(&want.memory), "{name}: contact");
        let scalars = [
            (erased.force(&w, &u), typed.force(&z, &u)),
            (erased.steady(&u), typed.steady(&u)),
            (erased.hold(&w, &u, -1.0), typed.hold(&z, &u, -1.0)),
            (erased.band(&u), typed.band(&u)),
        ];
        assert!(scalars.iter().all(|(a, b)| a.to_bits() == b.to_bits()), "{name}: {scalars:?}");
        let mut flow = vec![0.0; erased.len()];
        let force = erased.flow(&w, &u, &mut flow);
        erased.rate(&w, &u, &mut out);
        assert_eq!((force.to_bits(), bits(&flow)), (scalars[0].1.to_bits(), bits(&out)), "{name}: flow");
        slopes(name, typed, erased, &z, &w, &u);
        let [value, slope] = erased.tangent(&w, &u, 1e-3);
        let at = u.map(Dual::<f64, 1>::constant).with_v(Dual::var(u.v, 0));
        let dual = typed.cast(Dual::<f64, 1>::constant);
        let wanted = dual.sample(&z.map_into(Dual::constant), &at, Dual::constant(1e-3)).1;
        assert_eq!([value, slope].map(f64::to_bits), [wanted.re, wanted.eps[0]].map(f64::to_bits), "{name}: tangent");
        let (mut stepped, (next, force)) = (w.clone(), typed.sample(&z, &u, 1e-3));
        erased.step(&mut stepped, &u, 1e-3);
        assert_eq!(erased.sample(&mut w, &u, 1e-3).to_bits(), force.to_bits(), "{name}: sample");
        z = next;
        assert_eq!((bits(&w), bits(&stepped)), (numbers(&z), numbers(&z)), "{name}: step");
    }
}

/// Partial derivatives against the typed law over a dual number, one variable at a time. A wrapped law differentiates
/// the law within and adds the wrappers' own derivatives, so the last bits may differ.
fn slopes<M: Friction<f64>>(name: &str, typed: &M, erased: &dyn DynLaw, z: &M::State, w: &[f64], u: &Input<f64>) {
    type D = Dual<f64, 1>;
    let which: Vec<usize> = (0..erased.len()).filter(|&i| erased.flows(i)).collect();
    assert!((0..erased.len()).all(|i| erased.flows(i) == M::flows(i)), "{name}: flows");
    let wide = 3 + which.len();
    let mut rows = vec![f64::NAN; (1 + which.len()) * wide];
    erased.partials(w, u, &which, true, &mut rows);
    let law = typed.cast(D::constant);
    for column in 1..wide {
        let var = |x: f64, here: bool| if here { D::var(x, 0) } else { D::constant(x) };
        let mut zd: <M::With<D> as Friction<D>>::State = z.map_into(D::constant);
        if column >= 3 {
            let i = which[column - 3];
            zd.set(i, D::var(z.get(i), 0));
        }
        let ud = Input { v: var(u.v, column == 1), load: var(u.load, column == 2) };
        let (force, rate) = (law.force(&zd, &ud), law.rate(&zd, &ud));
        let wanted = std::iter::once(force).chain(which.iter().map(|&i| rate.get(i)));
        for (row, wanted) in rows.chunks_exact(wide).zip(wanted) {
            // the same operations in another order: a few roundings, amplified by differences of large terms
            let close = |a: f64, b: f64| (a - b).abs() <= 1e-12 * (a.abs() + b.abs());
            assert!(close(row[0], wanted.re), "{name}: value {} for {}", row[0], wanted.re);
            assert!(
                close(row[column], wanted.eps[0]),
                "{name}: column {column}: {} for {}",
                row[column],
                wanted.eps[0]
            );
        }
    }
}

struct Erased(usize);
impl LawVisitor for Erased {
    fn visit<M: Law<f64>>(&mut self) {
        let entry = find(M::NAME).expect("every law is in the registry");
        let values: Vec<f64> = M::PARAMS.iter().map(|p| p.default).collect();
        let m = M::nominal();
        same(M::NAME, &m, entry.build(&values).unwrap().as_ref());
        // with one parameter changed in reverse, a load map and noise
        let mut reverse = values.clone();
        reverse[0] *= 0.99;
        let (load, noise) = ([0.2, 0.7], [0.05, 30.0, 100.0, 4.0]);
        let wrappers = Wrappers { reverse: Some(&reverse), load: Some(&load), noise: Some(&noise) };
        let wrapped: Wrapped<M, f64> = Stochastic {
            law: Loaded {
                law: Asymmetric { forward: m, reverse: M::from_slice(&reverse) },
                map: Affine::from_slice(&load),
            },
            noise: Noise::from_slice(&noise),
        };
        same(M::NAME, &wrapped, entry.build_wrapped(&values, &wrappers).unwrap().as_ref());
        self.0 += 1;
    }
}
#[test]
fn by_name_is_by_type() {
    let mut seen = Erased(0);
    for_each(&mut seen);
    assert!(seen.0 > 20);
    assert!(find("no-such-law").is_none());
}
