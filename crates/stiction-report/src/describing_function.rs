//! The describing function of a law.
use crate::text::{self, digits};
use crate::{Report, ReportTable};
use serde_json::{Value, json};
use stiction::Error;
use stiction::analysis::characteristic_scales::CharacteristicScales;
use stiction::analysis::describing_function::{DescribingFunction, approximate_gain, grid};
use stiction::analysis::test_rig::TestRig;
use stiction::linalg::Complex;
use stiction::parallel;
use stiction::plot::{Axis, Figure, HeatMap, Panel};
use stiction::table::ColumnHeaders;
use stiction::units::LawUnits;

/// The input of a describing function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum InputQuantity {
    /// Displacement: N in N/m.
    #[default]
    Displacement,
    /// Velocity: N in N·s/m.
    Velocity,
}

/// A law's describing function over a grid.
pub struct DescribingFunctionReport {
    rig: TestRig,
    on: InputQuantity,
    amplitudes: Vec<f64>,
    omegas: Vec<f64>,
    /// For each amplitude, one for each frequency.
    rows: Vec<Vec<DescribingFunction>>,
}

impl DescribingFunctionReport {
    /// Computes it over a grid of amplitudes and angular frequencies; empty ones are chosen around the characteristic length
    /// and speed of the law.
    ///
    /// # Errors
    /// As [`grid`].
    pub fn compute(
        rig: TestRig,
        on: InputQuantity,
        mut amplitudes: Vec<f64>,
        mut omegas: Vec<f64>,
    ) -> Result<Self, Error> {
        if amplitudes.is_empty() || omegas.is_empty() {
            let scales = CharacteristicScales::measure(&rig.spec)?;
            let round = |x: f64| stiction::number::round(x, 2);
            if amplitudes.is_empty() {
                amplitudes = (-3..=5).map(|k| round(scales.length * 10_f64.powf(f64::from(k) / 2.0))).collect();
            }
            if omegas.is_empty() {
                omegas = (-2..=1).map(|k| round(10_f64.powi(k) / scales.time())).collect();
            }
        }
        for list in [&mut amplitudes, &mut omegas] {
            list.sort_by(f64::total_cmp);
            list.dedup();
        }
        let rows = grid(&rig, &amplitudes, &omegas)?;
        Ok(Self { rig, on, amplitudes, omegas, rows })
    }
    /// Amplitude of the input, and the gain.
    fn shown(&self, d: &DescribingFunction) -> (f64, Complex) {
        match self.on {
            InputQuantity::Displacement => (d.amplitude, d.gain),
            InputQuantity::Velocity => (d.speed(), d.on_velocity()),
        }
    }
    /// Name and unit of the input, and unit of the gain.
    fn names(&self) -> (String, String) {
        let law = self.rig.spec.law();
        let LawUnits { displacement: way, speed, force } = LawUnits::of(law);
        match self.on {
            InputQuantity::Displacement => (format!("X [{way}]"), format!("{force}/{way}")),
            InputQuantity::Velocity => (format!("V [{speed}]"), format!("{force}·s/{way}")),
        }
    }
    /// Columns of the table in a file.
    fn heads(&self) -> ColumnHeaders {
        let law = self.rig.spec.law();
        let LawUnits { displacement: way, speed, force } = LawUnits::of(law);
        let (stiffness, damping) = (format!("{force}/{way}"), format!("{force}·s/{way}"));
        ColumnHeaders::from([
            ("amplitude", way),
            ("omega", "rad/s"),
            ("speed", speed),
            ("re", &stiffness),
            ("im", &stiffness),
            ("re_on_velocity", &damping),
            ("im_on_velocity", &damping),
            ("third", ""),
        ])
    }
    /// Rows of the table in a file.
    fn rows(&self) -> Vec<Vec<f64>> {
        let row = |d: &DescribingFunction| {
            let v = d.on_velocity();
            vec![d.amplitude, d.omega, d.speed(), d.gain.re, d.gain.im, v.re, v.im, d.third]
        };
        self.all().map(row).collect()
    }
    fn all(&self) -> impl Iterator<Item = &DescribingFunction> {
        self.rows.iter().flatten()
    }
    /// A map over amplitude and frequency, with steps of the law itself: three digits are enough for colours.
    fn map(&self, unit: &str) -> Option<Figure> {
        let ([x0, .., x1], [w0, .., w1]) = (&self.amplitudes[..], &self.omegas[..]) else { return None };
        let law = self.rig.spec.build().ok()?;
        let steps = |lo: f64, hi: f64| -> Vec<f64> {
            (0..MAP_POINTS).map(|k| lo * (hi / lo).powf(f64::from(k) / f64::from(MAP_POINTS - 1))).collect()
        };
        let (amplitudes, omegas) = (steps(*x0, *x1), steps(*w0, *w1));
        let load = self.rig.load.at(0.0);
        let gains: Vec<Vec<Complex>> = parallel::map(&amplitudes, |x| {
            let on = |omega: &f64| {
                let n = approximate_gain(law.as_ref(), load, *x, *omega);
                match self.on {
                    InputQuantity::Displacement => n,
                    InputQuantity::Velocity => Complex::new(n.im / omega, -n.re / omega),
                }
            };
            omegas.iter().map(on).collect()
        });
        let panel = |z: Axis, what: fn(Complex) -> f64| {
            let values: Vec<Vec<f64>> = gains.iter().map(|row| row.iter().map(|n| what(*n)).collect()).collect();
            let y = Axis::log(format!("X [{}]", LawUnits::of(self.rig.spec.law()).displacement));
            Panel::new(Axis::log("ω [rad/s]"), y).heat_map(HeatMap::new(z, &omegas[..], &amplitudes[..], values))
        };
        let figure = Figure::new(format!("{}: describing function", self.rig.spec.law().name));
        let figure = figure.panel(panel(Axis::log(format!("|N| [{unit}]")), Complex::abs));
        Some(figure.panel(panel(Axis::linear("phase of N [deg]"), |n| n.im.atan2(n.re).to_degrees())))
    }
}

impl Report for DescribingFunctionReport {
    fn text(&self) -> String {
        let (input, unit) = self.names();
        let head = [
            input,
            "omega [rad/s]".into(),
            format!("Re N [{unit}]"),
            format!("Im N [{unit}]"),
            format!("|N| [{unit}]"),
            "phase [deg]".into(),
            "3rd/1st".into(),
        ];
        let row = |d: &DescribingFunction| {
            let (input, n) = self.shown(d);
            let phase = n.im.atan2(n.re).to_degrees();
            let mark = if d.repeats { "" } else { " *" };
            [input, d.omega, n.re, n.im, n.abs(), phase]
                .map(short)
                .into_iter()
                .chain([format!("{}{mark}", short(d.third))])
        };
        let rows: Vec<[String; 7]> = self
            .all()
            .map(|d| {
                let mut cells = row(d);
                std::array::from_fn(|_| cells.next().unwrap_or_default())
            })
            .collect();
        let law = self.rig.spec.law().name;
        let on =
            if self.on == InputQuantity::Velocity { "velocity V sin(omega t)" } else { "displacement X sin(omega t)" };
        let mut out = format!("{law}: describing function on {on}\n\n");
        out += &text::table(&[head].into_iter().chain(rows).collect::<Vec<_>>(), &[]);
        if self.all().any(|d| !d.repeats) {
            out += "\n* the force was not periodic after 30 cycles\n";
        }
        out
    }
    fn json(&self) -> Value {
        let row = |d: &DescribingFunction| {
            let v = d.on_velocity();
            json!({
                "amplitude": d.amplitude, "omega": d.omega, "speed": d.speed(),
                "on_displacement": [d.gain.re, d.gain.im], "on_velocity": [v.re, v.im],
                "third": d.third, "repeats": d.repeats,
            })
        };
        json!({
            "law": self.rig.spec.law().name,
            "amplitudes": self.amplitudes,
            "omegas": self.omegas,
            "describing": self.all().map(row).collect::<Vec<_>>(),
        })
    }
    /// Curves over the amplitude, and a map where there is a grid.
    fn figures(&self) -> Vec<(&'static str, Figure)> {
        let (input, unit) = self.names();
        let law = self.rig.spec.law().name;
        let (mut size, mut phase) = (
            Panel::new(Axis::log(&input), Axis::log(format!("|N| [{unit}]"))),
            Panel::new(Axis::log(&input), Axis::linear("phase of N [deg]")),
        );
        for (k, omega) in self.omegas.iter().enumerate() {
            let name = format!("{} rad/s", digits(*omega));
            let points = || self.rows.iter().filter_map(move |row| row.get(k)).map(|d| self.shown(d));
            size = size.line(&name, points().map(|(x, n)| (x, n.abs())));
            phase = phase.line(&name, points().map(|(x, n)| (x, n.im.atan2(n.re).to_degrees())));
        }
        let mut out = vec![("curves", Figure::new(format!("{law}: describing function")).panel(size).panel(phase))];
        if let Some(map) = self.map(&unit) {
            out.push(("map", map));
        }
        out
    }
    fn tables(&self) -> Vec<ReportTable> {
        vec![("describing", self.heads(), self.rows())]
    }
}

/// Grid points of the map in each direction.
const MAP_POINTS: u32 = 41;

/// Rounded to five digits.
fn short(x: f64) -> String {
    stiction::number::short(stiction::number::round(x, 5) + 0.0)
}
