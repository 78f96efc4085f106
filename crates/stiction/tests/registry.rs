//! A law by name answers as the law by type, in every method, bit for bit.
use stiction::core::contact::{self, Body};
use stiction::core::models::{Visit, for_each};
use stiction::core::registry::{Dress, Model, find};
use stiction::core::wrap::{Affine, Asymmetric, Dressed, Loaded, Noise, Stochastic};
use stiction::core::{Friction, Input, Law, Params, State};

fn numbers<S: State<f64>>(s: &S) -> Vec<u64> {
    (0..S::LEN).map(|i| s.get(i).to_bits()).collect()
}
fn bits(z: &[f64]) -> Vec<u64> {
    z.iter().map(|x| x.to_bits()).collect()
}

/// Drives both along a jerky motion and compares every answer.
fn same<M: Friction<f64>>(name: &str, typed: &M, erased: &dyn Model) {
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
        assert_eq!(bits(&guards), numbers(&typed.guards(&z, &u)), "{name}: guards");
        let mut jumped = w.clone();
        erased.jump(&mut jumped, &u);
        assert_eq!(bits(&jumped), numbers(&typed.jump(&z, &u)), "{name}: jump");
        let body = Body { mass: 0.5, applied: 1.5 * (0.3 * t).sin() };
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
        let (mut stepped, (next, force)) = (w.clone(), typed.sample(&z, &u, 1e-3));
        erased.step(&mut stepped, &u, 1e-3);
        assert_eq!(erased.sample(&mut w, &u, 1e-3).to_bits(), force.to_bits(), "{name}: sample");
        z = next;
        assert_eq!((bits(&w), bits(&stepped)), (numbers(&z), numbers(&z)), "{name}: step");
    }
}

struct Erased(usize);
impl Visit for Erased {
    fn visit<M: Law<f64>>(&mut self) {
        let entry = find(M::NAME).expect("every law is in the registry");
        let values: Vec<f64> = M::PARAMS.iter().map(|p| p.default).collect();
        let m = M::nominal();
        same(M::NAME, &m, entry.build(&values).unwrap().as_ref());
        // with one parameter changed in reverse, a load map and noise
        let mut reverse = values.clone();
        reverse[0] *= 0.99;
        let (load, noise) = ([0.2, 0.7], [0.05, 30.0, 100.0, 4.0]);
        let dress = Dress { reverse: Some(&reverse), load: Some(&load), noise: Some(&noise) };
        let dressed: Dressed<M, f64> = Stochastic {
            law: Loaded {
                law: Asymmetric { forward: m, reverse: M::from_slice(&reverse) },
                map: Affine::from_slice(&load),
            },
            noise: Noise::from_slice(&noise),
        };
        same(M::NAME, &dressed, entry.build_dressed(&values, &dress).unwrap().as_ref());
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
