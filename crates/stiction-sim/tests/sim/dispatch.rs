//! Every set of vector instructions gives the same bits as plain doubles.
use stiction_core::{Friction, Input, Lanes, Params, Real, models::LuGre};
use stiction_sim::dispatch::{self, Kernel, Level};

const N: usize = 8;
const STEPS: usize = 2000;
const DT: f64 = 1e-4;

/// Speed of contact `lane` at sample `k`: reversals, rest and six decades, from a seeded sequence.
fn speed(lane: usize, k: usize) -> f64 {
    let draw = |i: usize| f64::uniform(3.0, ((k * N + lane) * 2 + i) as f64);
    if k.is_multiple_of(50) { 0.0 } else { 10_f64.powf(6.0 * draw(0) - 6.0) * (2.0 * draw(1) - 1.0).signum() }
}
/// Parameters of contact `lane`: all differ, and both ways to compute the exponent are taken.
fn law<R: Real>(pick: impl Fn(fn(usize) -> f64) -> R) -> LuGre<R> {
    LuGre {
        fc: pick(|lane| 1.0 + 0.01 * lane as f64),
        exponent: pick(|lane| if lane % 2 == 0 { 2.0 } else { 0.7 }),
        vd: pick(|lane| if lane % 3 == 0 { 0.01 } else { 1e9 }),
        ..LuGre::nominal()
    }
}

/// Forces of all contacts at every sample.
struct ForceKernel;
impl Kernel for ForceKernel {
    type Out = Vec<[f64; N]>;
    #[inline(always)]
    fn run(self) -> Self::Out {
        let law = law(|of| Lanes(std::array::from_fn(of)));
        let mut z = [Lanes([0.0; N])];
        (0..STEPS)
            .map(|k| {
                let u = Input::at(Lanes(std::array::from_fn(|lane| speed(lane, k))));
                z = law.step(&z, &u, Lanes::lit(DT));
                law.force(&z, &u).0
            })
            .collect()
    }
}

#[test]
fn every_level_equals_scalar_bit_for_bit() {
    let mut scalar = vec![[0.0; N]; STEPS];
    for lane in 0..N {
        let law = law(|of| of(lane));
        let mut z = [0.0];
        for (k, row) in scalar.iter_mut().enumerate() {
            let u = Input::at(speed(lane, k));
            z = law.step(&z, &u, DT);
            row[lane] = law.force(&z, &u);
        }
    }
    let bits = |run: &[[f64; N]]| run.iter().flatten().map(|x| x.to_bits()).collect::<Vec<_>>();
    for level in Level::ALL.into_iter().filter(|level| level.available()) {
        assert!(bits(&dispatch::dispatch_at(level, ForceKernel)) == bits(&scalar), "{}", level.name());
    }
    assert!(bits(&dispatch::dispatch(ForceKernel)) == bits(&scalar));
}

#[test]
fn the_best_level_is_available_and_named() {
    assert!(Level::Baseline.available() && Level::best().available());
    assert_eq!(dispatch::instruction_set_name(), Level::best().name());
}

#[test]
fn a_level_the_machine_lacks_runs_as_baseline() {
    struct Answer;
    impl Kernel for Answer {
        type Out = u32;
        #[inline(always)]
        fn run(self) -> u32 {
            42
        }
    }
    assert!(Level::ALL.into_iter().all(|level| dispatch::dispatch_at(level, Answer) == 42));
}
