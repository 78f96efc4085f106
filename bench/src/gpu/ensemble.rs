//! One kernel, timed and compared with the simulator.
use std::time::Instant;
use stiction::accelerator::{Accelerator, KernelBuffers};
use stiction::core::Real;
use stiction::export::ensemble::{EnsembleKernel, KernelSamples};
use stiction::scenario::{Scenario, Template, embedded};
use stiction::sim::batch::{Ensemble, Unsupported};
use stiction::sim::{NullObserver, Probe, SimulationOptions};
use stiction::{Error, parallel};

/// Trajectories whose error is measured, and times at which it is.
const CHECKED: u64 = 4096;
const SAMPLES: usize = 200;
/// End of a trajectory \[s\].
const END: f64 = 20.0;
const ROUNDS: usize = 5;
/// Points whose numbers a thread prepares at a time.
const SHARE: u64 = 4096;

/// A scenario at two tolerances, with two of its numbers varied.
pub struct Case {
    name: String,
    template: Template,
    rtol: f64,
    atol: f64,
    /// Whether positions are written along the way, or measures alone.
    sampled: bool,
    varied: [Varied; 2],
}

/// A number that is varied between two ends, in equal steps or factors.
#[derive(Clone, Copy)]
struct Varied {
    path: &'static str,
    ends: [f64; 2],
    log: bool,
}

/// Stiffness from 0.5 to 8 N/m and pull from 0.5 to 5 m/s.
const PULLED: [Varied; 2] = [
    Varied { path: "spring.pull.stiffness", ends: [0.5, 8.0], log: false },
    Varied { path: "motion.hand.position.ramp.slope", ends: [0.5, 5.0], log: true },
];

/// Amplitude from 0.8 to 3 N and frequency from 0.5 to 2 rad/s.
const SWUNG: [Varied; 2] = [
    Varied { path: "force.push.force.sine.amplitude", ends: [0.8, 3.0], log: false },
    Varied { path: "force.push.force.sine.omega", ends: [0.5, 2.0], log: true },
];

/// What a kernel took, and how well it agrees.
pub struct Timed {
    name: String,
    rtol: f64,
    atol: f64,
    points: u64,
    /// Seconds of the device, and with the copies.
    device: f64,
    clock: f64,
    /// Sorted, of the trajectories that are checked; none if positions are not written.
    errors: Vec<f64>,
    unfinished: usize,
}

impl Timed {
    pub fn line(&self) -> String {
        let [device, clock] = [self.device, self.clock].map(|seconds| self.points as f64 / seconds);
        let begin = format!("{},{:e},{:e},{},{device:.3e},{clock:.3e}", self.name, self.rtol, self.atol, self.points);
        if self.errors.is_empty() {
            return format!("{begin},,,,,,{}", self.unfinished);
        }
        let at = |part: f64| self.errors[((self.errors.len() - 1) as f64 * part) as usize];
        let above = |limit: f64| self.errors.iter().filter(|e| **e > limit).count() as f64 / self.errors.len() as f64;
        let (p50, p99, p999) = (at(0.5), at(0.99), at(0.999));
        format!("{begin},{p50:.1e},{p99:.1e},{p999:.1e},{:.1e},{:.1e},{}", above(1e-4), above(1e-6), self.unfinished)
    }
}

fn probe_at(i: usize) -> Probe {
    Probe::At { column: "block.x".to_owned(), t: END * i as f64 / SAMPLES as f64 }
}

impl Case {
    /// Stick-slip.
    pub fn a7(rtol: f64, atol: f64, sampled: bool) -> Result<Self, Error> {
        let text = embedded::find("a7").map_or("", |entry| entry.text);
        let mut template = Template::parse(text, "a7.toml".as_ref(), &["contact.table.sigma2=0.2"])?;
        template.remove_measures_and_plots();
        let name = if sampled { "a7 with 200 samples" } else { "a7 measures alone" };
        Ok(Self { name: name.to_owned(), template, rtol, atol, sampled, varied: PULLED })
    }
    /// A body with Coulomb friction under a sine, which sticks between its slides.
    pub fn g5(rtol: f64, atol: f64) -> Result<Self, Error> {
        let text = embedded::find("g5").map_or("", |entry| entry.text);
        let mut template = Template::parse(text, "g5.toml".as_ref(), &[""; 0])?;
        template.remove_measures_and_plots();
        Ok(Self { name: "g5".to_owned(), template, rtol, atol, sampled: true, varied: SWUNG })
    }
    /// A block that is pulled, with a law.
    pub fn law(law: &str, parameters: &str) -> Result<Self, Error> {
        let text = format!(
            "[body.block]\nmass = 1\n[motion.hand]\nposition = {{ ramp = {{ slope = 0.5 }} }}\n[spring.pull]\nbetween = [\"hand\", \"block\"]\nstiffness = 4\n[contact.table]\nbetween = [\"block\", \"ground\"]\nlaw = \"{law}\"\n{parameters}\n[run]\nend = 20\n"
        );
        let template = Template::parse(&text, "law.toml".as_ref(), &[""; 0])?;
        Ok(Self { name: law.to_owned(), template, rtol: 1e-4, atol: 1e-5, sampled: true, varied: PULLED })
    }
    /// The values of a point; points are in random order.
    fn point(&self, i: u64) -> [f64; 2] {
        let draw = |k: u64| f64::uniform(3.0, (2 * i + k) as f64);
        let value = |k: usize| {
            let Varied { ends: [from, to], log, .. } = self.varied[k];
            let u = draw(k as u64);
            if log { from * ((to / from).ln() * u).exp() } else { from + (to - from) * u }
        };
        [value(0), value(1)]
    }
    fn scenario(&self, values: [f64; 2]) -> Result<Scenario, Error> {
        let mut template = self.template.clone();
        for (varied, value) in self.varied.iter().zip(values) {
            template.number(varied.path, value)?;
        }
        template.build()
    }
    /// Positions of a trajectory by the ordinary simulator.
    fn exact(&self, i: u64) -> Result<Vec<f64>, Error> {
        let scenario = self.scenario(self.point(i))?;
        let probes = (1..=SAMPLES).map(probe_at).collect();
        let options = SimulationOptions { end: END, rtol: 1e-11, atol: 1e-14, probes, ..scenario.options.clone() };
        let ran = scenario.simulation()?.run(&options, &mut NullObserver)?;
        Ok(ran.probes.into_iter().map(|x| x.unwrap_or(f64::NAN)).collect())
    }
    /// Runs so many points.
    pub fn time(&self, device: &dyn Accelerator, points: u64) -> Result<Timed, Error> {
        let first = self.scenario(self.point(0))?;
        let probes = vec![
            Probe::Max { column: "block.v".to_owned(), from: 0.0, to: END },
            Probe::Rests { from: 0.5 * END },
            Probe::Final { column: "block.x".to_owned() },
        ];
        let results = probes.len();
        let options = SimulationOptions { end: END, rtol: self.rtol, atol: self.atol, probes, ..first.options.clone() };
        let ensemble = Ensemble::new(&first.system, &options)?.map_err(Error::Unsupported)?;
        let values: Vec<Vec<f64>> = (0..64).map(|i| self.point(i).to_vec()).collect();
        let build = |values: &[f64]| Ok(self.scenario([values[0], values[1]])?.system);
        let direct = ensemble.direct(&values, &build)?.ok_or(Error::Unsupported(Unsupported::Shape))?;
        let numbers = |i: u64| {
            let mut numbers = Vec::new();
            direct.write(&self.point(i), &mut numbers);
            numbers
        };
        let some: Vec<Vec<f64>> = (0..64).map(numbers).collect();
        let count = if self.sampled { SAMPLES } else { 0 };
        let columns = if self.sampled { vec!["block.x".to_owned()] } else { Vec::new() };
        let kernel =
            EnsembleKernel::new(&ensemble, &some, &KernelSamples { columns, count, ..KernelSamples::default() })?;
        let kernel = kernel.map_err(|why| stiction::error::AcceleratorError::UnsupportedSweep { why })?;
        let shares: Vec<u64> = (0..points.div_ceil(SHARE)).collect();
        let rows = parallel::map(&shares, |share| {
            let all = share * SHARE..points.min((share + 1) * SHARE);
            all.map(|i| kernel.row(&ensemble, &numbers(i))).collect::<Result<Vec<_>, _>>().map(|rows| rows.concat())
        });
        let rows = rows.into_iter().collect::<Result<Vec<_>, _>>()?.concat();
        let begin = Instant::now();
        let prepared = device.prepare(&kernel)?;
        eprintln!("{}: kernel ready after {:.2} s", self.name, begin.elapsed().as_secs_f64());
        let n = points as usize;
        let (mut found, mut samples, mut status) = (vec![0.0; n * results], vec![0.0; n * count], vec![0; n]);
        let [mut on_device, mut clock] = [f64::INFINITY; 2];
        for _ in 0..ROUNDS {
            let begin = Instant::now();
            let buffers =
                KernelBuffers { rows: &rows, results: &mut found, samples: &mut samples, status: &mut status };
            on_device = on_device.min(prepared.run(buffers)?);
            clock = clock.min(begin.elapsed().as_secs_f64());
        }
        let unfinished = status.iter().filter(|status| **status != 0).count();
        let mut errors = Vec::new();
        if self.sampled {
            let checked: Vec<u64> = (0..CHECKED.min(points)).collect();
            let all = parallel::map(&checked, |i| {
                let exact = self.exact(*i)?;
                let got = &samples[*i as usize * SAMPLES..(*i as usize + 1) * SAMPLES];
                let size = exact.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
                let far = got.iter().zip(&exact).map(|(a, b)| (a - b).abs());
                // what is not a number is as wrong as can be
                Ok::<f64, Error>(far.fold(0.0, |most: f64, x| if x <= most { most } else { x }) / size)
            });
            errors = all.into_iter().collect::<Result<Vec<f64>, _>>()?;
            errors.sort_unstable_by(f64::total_cmp);
        }
        let name = self.name.clone();
        Ok(Timed { name, rtol: self.rtol, atol: self.atol, points, device: on_device, clock, errors, unfinished })
    }
}
