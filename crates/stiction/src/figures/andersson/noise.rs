//! Friction as a stochastic process.
use crate::Error;
use crate::figures::ExperimentOutcome;
use crate::figures::scenario_parameters::parameter_lines;
use crate::figures::simulated_scenario::simulate;
use crate::figures::traces::thinned;
use crate::plot::{Axis, Figure, Panel};
use std::f64::consts::{PI, TAU};

/// Standard deviation \[N\] and typical frequency \[Hz\] of the random part.
const DEVIATION: f64 = 0.1;
const TYPICAL: f64 = 50.0;
/// Samples in a piece of which a spectrum is taken; half of the next piece is the end of this one.
const PIECE: usize = 500;

/// Power spectral density by the method of Welch: the mean over pieces, under a Hann window. Frequency and density.
fn spectrum(values: &[f64], sample: f64) -> Vec<(f64, f64)> {
    let window: Vec<f64> = (0..PIECE).map(|k| (PI * k as f64 / PIECE as f64).sin().powi(2)).collect();
    let power: f64 = window.iter().map(|w| w * w).sum();
    let pieces = || (0..).map(|k| k * PIECE / 2).take_while(|from| from + PIECE <= values.len());
    let turns: Vec<(f64, f64)> = (0..PIECE).map(|k| (TAU * k as f64 / PIECE as f64).sin_cos()).collect();
    let mut sums = vec![0.0; PIECE / 2];
    for from in pieces() {
        let piece: Vec<f64> = values[from..from + PIECE].iter().zip(&window).map(|(x, w)| x * w).collect();
        for (f, sum) in sums.iter_mut().enumerate() {
            let wave = piece.iter().enumerate().fold((0.0, 0.0), |(s, c), (k, x)| {
                let turn = turns[f * k % PIECE];
                (s + x * turn.0, c + x * turn.1)
            });
            *sum += wave.0 * wave.0 + wave.1 * wave.1;
        }
    }
    // both signs of a frequency count as one
    let scale = 2.0 * sample / (power * pieces().count().max(1) as f64);
    sums.iter().enumerate().skip(1).map(|(f, sum)| (f as f64 / (PIECE as f64 * sample), scale * sum)).collect()
}

/// The density that the law promises: pulses h(t) ~ τ(1 − τ²)³, τ = t/2, one in every cell; the typical frequency over
/// the rate of cells is √13.5/4π. Their Fourier transform by Simpson's rule.
fn promised(f: f64) -> f64 {
    let cells = TYPICAL * 4.0 * PI / 13.5_f64.sqrt();
    let n = 200;
    // odd, so a sine transform over one half; ∫τ²(1 − τ²)⁶ over both is 2048/45045
    let pulse = |tau: f64| tau * (1.0 - tau * tau).powi(3) * (2.0 * TAU * f / cells * tau).sin();
    let weight = |k: u32| if k.is_multiple_of(n) { 1.0 } else { f64::from(2 + 2 * (k % 2)) };
    let half: f64 = (0..=n).map(|k| weight(k) * pulse(f64::from(k) / f64::from(n))).sum::<f64>() / (3.0 * f64::from(n));
    let energy = 2.0 * (2.0 * half).powi(2) * 45045.0 / 2048.0;
    2.0 * DEVIATION * DEVIATION * energy / cells
}

pub(super) fn stochastic() -> Result<ExperimentOutcome, Error> {
    let mut out = ExperimentOutcome { given: parameter_lines("b10")?, ..ExperimentOutcome::default() };
    let (sample, end) = (5e-4, 50.0);
    let noise = [("amplitude", DEVIATION), ("frequency", TYPICAL)];
    let mut set = vec![format!("run.end={end}"), format!("run.sample={sample}")];
    set.extend(noise.map(|(key, value)| format!("contact.friction.noise.{key}={value}")));
    let long = simulate("b10", &set)?;
    let force = long.column("friction.force")?;
    let count = force.len() as f64;
    let mean = force.iter().sum::<f64>() / count;
    let noise: Vec<f64> = force.iter().map(|f| f - mean).collect();
    out.value("mean", "N", mean);
    out.value("deviation", "N", (noise.iter().map(|x| x * x).sum::<f64>() / count).sqrt());
    // the typical frequency is the rate at which it rises through its mean
    let rises = noise.windows(2).filter(|x| x[0] < 0.0 && x[1] >= 0.0).count();
    out.value("frequency", "Hz", rises as f64 / end);
    let density = spectrum(&noise, sample);
    let top = density.iter().copied().fold((0.0, 0.0), |a, b| if b.1 > a.1 { b } else { a });
    out.value("peak_frequency", "Hz", top.0);
    let steady = simulate("b10", &["contact.friction.noise.amplitude=0"])?;
    let panel = Panel::new(Axis::linear("t [s]"), Axis::linear("F [N]"))
        .line("F_{stoc}", long.between("t", "friction.force", 0.0, 0.5)?)
        .line("F_{smooth}", steady.between("t", "friction.force", 0.0, 0.5)?);
    out.pictures.push(Figure::new("Friction with a random part").panel(panel));
    let shown: Vec<_> = density.into_iter().filter(|p| p.0 <= 300.0).collect();
    let law: Vec<_> = shown.iter().map(|p| (p.0, promised(p.0))).collect();
    let panel = Panel::new(Axis::log("frequency [Hz]"), Axis::log("power spectral density [N²/Hz]"))
        .points("simulated", shown)
        .line("as the law promises", law);
    out.pictures.push(Figure::new("The spectrum of the random part").panel(panel));
    // tied to distance: the same asperities at half the speed
    let place = |v: f64| {
        let set = ["noise.frequency=0", "noise.wave=500"].map(|set| format!("contact.friction.{set}"));
        simulate("b10", &[set[0].as_str(), &set[1], &format!("motion.slider.velocity={v}")])
    };
    let mut panel = Panel::new(Axis::linear("x [mm]").limits(0.0, 30.0), Axis::linear("F − F_{smooth} [N]"));
    for v in [0.1, 0.05] {
        let run = place(v)?;
        let level = run.law()?.steady(&stiction_core::Input::at(v));
        let points = run.points("slider.x", "friction.force")?.into_iter();
        let points: Vec<_> = points.map(|(x, f)| (1e3 * x, f - level)).filter(|p| p.0 <= 30.0).collect();
        let name = format!("v = {v} m/s");
        panel = if v < 0.1 { panel.points(name, thinned(points, 150)) } else { panel.line(name, points) };
    }
    out.pictures.push(Figure::new("A random part tied to distance").panel(panel));
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::{DEVIATION, PIECE, promised, spectrum};
    use std::f64::consts::TAU;

    /// The mean square is the area under the density.
    #[test]
    fn a_density_holds_the_variance() {
        // to twenty times the typical frequency, where the rest is below 1e-8 of it
        let area: f64 = (0..4000).map(|k| 0.25 * promised(0.25 * f64::from(k))).sum();
        assert!((area / DEVIATION.powi(2) - 1.0).abs() < 1e-6, "{area}");
    }

    #[test]
    fn a_wave_has_its_power_at_its_frequency() {
        let sample = 1e-3;
        let wave: Vec<f64> = (0..20 * PIECE).map(|k| 3.0 * (TAU * 40.0 * sample * k as f64).sin()).collect();
        let density = spectrum(&wave, sample);
        let width = 1.0 / (PIECE as f64 * sample);
        // whole periods in a piece: exact but for rounding
        let power: f64 = density.iter().map(|p| p.1 * width).sum();
        assert!((power - 4.5).abs() < 1e-9, "{power}");
        let far: f64 = density.iter().filter(|p| (p.0 - 40.0).abs() > 1.5 * width).map(|p| p.1 * width).sum();
        assert!(far < 1e-9, "{far}");
    }
}
