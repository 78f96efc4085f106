//! Every law as a program with its parameters as inputs: replayed over floats, dual numbers and lanes it gives the law's own bits, its
//! text reads back, and its derivative program agrees with dual numbers.
use stiction::core::models::{self, LawVisitor};
use stiction::core::program::{Replay, derivative};
use stiction::core::{Dual, Friction, Input, Lanes, Law, Real, StateVector};
use stiction::export::recorder::{RecordedNumber, record};
use stiction::export::{Precision, Program};

type Pair = Dual<f64, 2>;

fn random(stream: u32, k: usize) -> f64 {
    f64::uniform(f64::from(stream), k as f64)
}

/// Force, then rates, over any number. Inputs: velocity, load, states, parameters.
fn flow<R: Real, F: Friction<R>>(law: &F, x: &[R]) -> Vec<R> {
    let mut z = F::State::zero();
    for i in 0..F::State::LEN {
        z.set(i, x[2 + i]);
    }
    let (rate, force) = law.flow(&z, &Input { v: x[0], load: x[1] });
    std::iter::once(force).chain((0..F::State::LEN).map(|i| rate.get(i))).collect()
}

/// The law over a number, its parameters taken from the inputs.
fn law_of<M: Law<f64>, R: Real>(x: &[R]) -> M::With<R> {
    let mut next = 2 + M::State::LEN;
    M::nominal().cast(|_| {
        next += 1;
        x[next - 1]
    })
}

/// Inputs at which laws are tried: speeds over six decades, rests, memories of any sign.
fn inputs<M: Law<f64>>(k: usize) -> Vec<f64> {
    let r = |j: usize| random(31, 256 * k + j);
    let speed = 10f64.powf(-6.0 + 6.0 * r(0));
    let v = if r(1) < 0.05 { 0.0 } else { speed * (r(2) - 0.5).signum() };
    let mut out = vec![v, 0.5 + r(3)];
    // a settled memory, moved a little
    let values: Vec<f64> = M::PARAMS
        .iter()
        .enumerate()
        .map(|(i, p)| (p.default * (1.0 + 0.2 * (r(8 + i) - 0.5))).clamp(p.min, p.max))
        .collect();
    let settled = M::from_slice(&values).settled(&Input::at(if v == 0.0 { 1e-3 } else { v }));
    out.extend((0..M::State::LEN).map(|i| settled.get(i) * (1.2 * r(64 + i) - 0.1)));
    out.extend(values);
    out
}

fn bits(numbers: impl IntoIterator<Item = f64>) -> Vec<u64> {
    // every NaN is one, whatever its payload
    numbers.into_iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}

/// Bits of derivatives. A product with a literal 1 or a sum with a literal 0 that was left out turns a derivative of −0 into 0.
fn slope_bits(numbers: impl IntoIterator<Item = f64>) -> Vec<u64> {
    bits(numbers.into_iter().map(|x| if x == 0.0 { 0.0 } else { x }))
}

struct Replays(usize);
impl LawVisitor for Replays {
    fn visit<M: Law<f64>>(&mut self) {
        let count = (2 + M::State::LEN + M::PARAMS.len()) as u32;
        let program = record(Precision::Double, count, |x| flow(&law_of::<M, RecordedNumber>(x), x));
        let text = program.to_string();
        let read: Program = text.parse().expect("a program");
        assert_eq!((read.to_string(), read.operations.len()), (text, program.operations.len()), "{}", M::NAME);
        let replay = Replay::new(&program).unwrap_or_else(|| panic!("{} cannot be replayed", M::NAME));
        let slopes = derivative(&program, &[0, 1]).expect("no operations on bits");
        let slopes = Replay::new(&slopes).expect("registers enough");
        let width = 1 + M::State::LEN;
        for k in 0..64 {
            let x = inputs::<M>(k);
            let mut got = vec![0.0; width];
            replay.run(|i| x[i], &mut got);
            let want = flow(&law_of::<M, f64>(&x), &x);
            assert_eq!(bits(got), bits(want), "{} over floats at {x:?}", M::NAME);

            let dual: Vec<Pair> = x.iter().enumerate().map(|(i, x)| Pair::var(*x, i)).collect();
            let mut got = vec![Pair::constant(0.0); width];
            replay.run(|i| dual[i], &mut got);
            let want = flow(&law_of::<M, Pair>(&dual), &dual);
            let all = |list: &[Pair]| slope_bits(list.iter().flat_map(|d| [d.re, d.eps[0], d.eps[1]]));
            assert_eq!(all(&got), all(&want), "{} over dual numbers at {x:?}", M::NAME);

            let mut all = vec![0.0; 3 * width];
            slopes.run(|i| x[i], &mut all);
            for i in 0..width {
                for (block, want) in want[i].eps.iter().enumerate() {
                    let got = all[(1 + block) * width + i];
                    let same = (got - want).abs() <= 1e-12 * want.abs() || got.to_bits() == want.to_bits();
                    // a dual number multiplies every zero, and zero times infinity is not a number
                    assert!(
                        same || want.is_nan(),
                        "{}, output {i} by input {block} at {x:?}: {got} instead of {want}",
                        M::NAME
                    );
                }
            }

            let four: Vec<Vec<f64>> = (0..4).map(|j| inputs::<M>(4 * k + j)).collect();
            let lanes: Vec<Lanes<4>> = (0..x.len()).map(|i| Lanes(std::array::from_fn(|j| four[j][i]))).collect();
            let mut got = vec![Lanes([0.0; 4]); width];
            replay.run(|i| lanes[i], &mut got);
            let want = flow(&law_of::<M, Lanes<4>>(&lanes), &lanes);
            let all = |list: &[Lanes<4>]| bits(list.iter().flat_map(|x| x.0));
            assert_eq!(all(&got), all(&want), "{} over lanes", M::NAME);
        }
        self.0 += 1;
    }
}

#[test]
fn every_law_is_its_program_over_any_number() {
    let mut all = Replays(0);
    models::for_each(&mut all);
    assert_eq!(all.0, models::ALL.len());
}

#[test]
fn the_text_of_a_program_is_checked() {
    for (text, line) in [
        ("", 1),
        ("program triple 1\nreturn", 1),
        ("program double 1\n%0 = input 1\nreturn %0", 2),
        ("program double 1\n%1 = input 0\nreturn %1", 2),
        ("program double 1\n%0 = input 0\n%1 = add %0 %1\nreturn %1", 3),
        ("program double 1\n%0 = input 0\n%1 = add %0\nreturn %1", 3),
        ("program double 1\n%0 = input 0\n", 3),
        ("program double 1\n%0 = input 0\n%1 = shift_left %0 64\nreturn %1", 3),
    ] {
        let error = text.parse::<Program>().expect_err(text);
        assert_eq!(error.line, line, "{text}: {error}");
    }
}
