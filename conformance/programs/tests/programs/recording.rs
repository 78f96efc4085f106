//! Every law, controller and function runs over a number that records, and the recorded program gives its bits at other
//! inputs: nothing branches on a value, and what is folded or left out changes no bit.
use stiction::core::control::{self, Control, MotionSample, Signals};
use stiction::core::models::{self, LawVisitor};
use stiction::core::{Friction, Input, Law, Param, Real, StateVector};
use stiction::export::recorder::{RecordedNumber, function_program, record};
use stiction::export::{Function, Precision};

fn random(stream: u32, k: u64) -> f64 {
    f64::uniform(f64::from(stream), k as f64)
}

/// Defaults, and sets in which no value is neutral, neither an exponent of 1 or 2 nor a coefficient of 0.
fn parameters<M: Law<f64>>(set: u32) -> Vec<f64> {
    let value = |(i, p): (usize, &Param)| match set {
        0 => p.default,
        _ if p.name == "seed" => f64::from(set),
        _ => ((p.default + f64::from(u8::from(p.default == 0.0)) * 1e-3) * (0.8 + 0.4 * random(100 + set, i as u64)))
            .clamp(p.min, p.max),
    };
    M::PARAMS.iter().enumerate().map(value).collect()
}

/// A velocity and a sample time: speeds over six decades, reversals, rests; ways of a nanometre to a millimetre.
fn motion(k: u64) -> (f64, f64) {
    let r = |j| random(8, 8 * k + j);
    let speed = 10f64.powf(-6.0 + 6.0 * r(0));
    let v = if r(1) < 0.05 { 0.0 } else { speed * (r(2) - 0.5).signum() };
    (v, 10f64.powf(-9.0 + 6.0 * r(3)) / speed)
}

struct Laws(usize);
impl LawVisitor for Laws {
    fn visit<M: Law<f64>>(&mut self) {
        for set in 0..3 {
            let values = parameters::<M>(set);
            if M::check(&values).is_err() {
                assert!(set > 0, "{}: defaults are refused", M::NAME);
                continue;
            }
            let law = M::from_slice(&values);
            // inputs: v, load, dt, then the memory; parameters become literals
            let program = record(Precision::Double, 3 + M::State::LEN as u32, |x| {
                let recorded = law.cast(RecordedNumber::lit);
                let mut z = <M::With<RecordedNumber> as Friction<RecordedNumber>>::State::zero();
                for i in 0..M::State::LEN {
                    z.set(i, x[3 + i]);
                }
                let u = Input { v: x[0], load: x[1] };
                let z = recorded.step(&z, &u, x[2]);
                let mut out = vec![recorded.force(&z, &u)];
                out.extend((0..M::State::LEN).map(|i| z.get(i)));
                out
            });
            let mut z = M::State::zero();
            for k in 0..300 {
                let ((v, dt), load) = (motion(k), 1.0 + 0.5 * (k as f64).sin());
                let mut inputs = vec![v, load, dt];
                inputs.extend((0..M::State::LEN).map(|i| z.get(i)));
                let got = program.evaluate(&inputs);
                let u = Input { v, load };
                z = law.step(&z, &u, dt);
                let want = std::iter::once(law.force(&z, &u)).chain((0..M::State::LEN).map(|i| z.get(i)));
                for (i, (got, want)) in got.iter().zip(want).enumerate() {
                    let name = M::NAME;
                    assert_eq!(got.to_bits(), want.to_bits(), "{name} set {set}, output {i}: {got} instead of {want}");
                }
            }
            self.0 += 1;
        }
    }
}
#[test]
fn every_law_is_a_straight_line_program() {
    let mut all = Laws(0);
    models::for_each(&mut all);
    assert!(all.0 > 50, "{}", all.0);
}

/// The same for controllers: inputs are the nine signals, dt, then the memory.
struct Controllers(usize);
impl control::ControllerVisitor for Controllers {
    fn visit<C: Control<f64>>(&mut self, name: &'static str, c: C) {
        fn signals<R: Real>(x: &[R]) -> Signals<R> {
            let motion = |i| MotionSample { x: x[i], v: x[i + 1], a: x[i + 2] };
            Signals { reference: motion(0), measured: motion(3), load: x[6], commanded: x[7], applied: x[8] }
        }
        let program = record(Precision::Double, 10 + C::State::LEN as u32, |x| {
            let mut w = <C::With<RecordedNumber> as Control<RecordedNumber>>::State::zero();
            for i in 0..C::State::LEN {
                w.set(i, x[10 + i]);
            }
            vec![c.cast(RecordedNumber::lit).step(&w, &signals(x), x[9]).1]
        });
        let mut w = C::State::zero();
        for k in 0..300_u64 {
            let mut x: Vec<f64> = (0..9).map(|i| 2.0 * random(21, 16 * k + i) - 1.0).collect();
            // now and then at rest, and where it should be; or nowhere
            if k % 3 == 0 {
                (x[1], x[4], x[3]) = (0.0, 0.0, x[0]);
            }
            if name == "guard" && k % 7 == 0 {
                x[3] = f64::NAN;
            }
            x.push(10f64.powi(-((k % 4) as i32) - 1));
            x.extend((0..C::State::LEN).map(|i| w.get(i)));
            let (next, want) = c.step(&w, &signals(&x), x[9]);
            let got = program.evaluate(&x)[0];
            assert_eq!(got.to_bits(), want.to_bits(), "{name}: the recorded program gives {got} instead of {want}");
            w = next;
        }
        self.0 += 1;
    }
}
#[test]
fn every_controller_is_a_straight_line_program() {
    let mut all = Controllers(0);
    control::for_each(&mut all);
    assert!(all.0 > 14, "{}", all.0);
}

#[test]
fn functions_are_programs_of_sums_products_and_bits() {
    for function in Function::ALL {
        let program = function_program(function);
        assert!(program.functions().is_empty(), "{} calls another function", function.name());
        for k in 0..20_000_u64 {
            // any 64 bits, or numbers of everyday size
            let bits = |j: u64| {
                let half = |j: u64| (random(31, 8 * k + j) * 4_294_967_296.0) as u64;
                f64::from_bits(half(2 * j) << 32 | half(2 * j + 1))
            };
            let small = |j: u64| 40.0 * random(32, 8 * k + j) - 20.0;
            let [x, y] = if k % 2 == 0 { [bits(0), bits(1)] } else { [small(0), small(1)] };
            let [x, y] = if function == Function::Uniform { [x, y].map(|x| x.abs().floor() % 1e6) } else { [x, y] };
            let (got, want) = (program.evaluate(&[x, y])[0], function.value(x, y));
            let same = got.to_bits() == want.to_bits() || (got.is_nan() && want.is_nan());
            assert!(same, "{}({x}, {y}): {got} instead of {want}", function.name());
        }
    }
}
