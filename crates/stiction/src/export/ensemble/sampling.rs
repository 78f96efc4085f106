//! Samples of trajectories at equal times.
use super::KernelSamples;
use crate::sim::batch::ColumnForm;

/// Statements of a kernel.
pub(super) struct Sampling {
    /// Declarations.
    pub declare: String,
    /// Where a trajectory begins.
    pub begin: String,
    /// After each step that is accepted.
    pub look: String,
}

impl Sampling {
    /// The statements, or the column that cannot be sampled.
    pub fn new(forms: &[(&str, ColumnForm)], samples: &KernelSamples) -> Result<Self, String> {
        let place = |name: &String| {
            forms
                .iter()
                .position(|(column, _)| column == name)
                .ok_or_else(|| format!("no measure looks at '{name}', which is to be sampled"))
        };
        let places = samples.columns.iter().map(place).collect::<Result<Vec<usize>, String>>()?;
        if places.is_empty() || samples.each() == 0 {
            return Ok(Self { declare: "    (void)samples;\n".to_owned(), begin: String::new(), look: String::new() });
        }
        Ok(Self {
            declare: "    double due = 0.0;\n    int sample = 0;\n".to_owned(),
            begin: format!("            sample = 0;\n            due = {};\n", at(samples, "0")),
            look: look(&places, &at(samples, "sample")),
        })
    }
}

/// When a sample is due.
fn at(samples: &KernelSamples, sample: &str) -> String {
    if samples.times.is_empty() {
        format!("START + (double)({sample} + 1) * ((END - START) / (double)SAMPLES)")
    } else {
        format!("sample_times[{sample}]")
    }
}

/// The statements that write the samples of a step; when the next is due.
fn look(places: &[usize], at: &str) -> String {
    let pad = "            ";
    let mut out = format!(
        "{pad}if (due <= s.t + s.theta * s.h + 1e-12 * s.h) {{\n{pad}    const double by_h = reciprocal(s.h);\n{pad}    do {{\n"
    );
    out += &format!("{pad}        const double theta = (due - s.t) * by_h;\n");
    for (column, k) in places.iter().enumerate() {
        out += &format!(
            "{pad}        samples[((size_t)i * SAMPLED_COLUMNS + {column}) * SAMPLES + (size_t)sample] = column_at_{k}(p, &s, side, SMALLER(theta, s.theta));\n"
        );
    }
    // the last sample is the end of the run, on which steps land
    out += &format!(
        "{pad}        sample++;\n{pad}        due = sample < SAMPLES ? {at} : 1e300;\n{pad}    }} while (due <= s.t + s.theta * s.h + 1e-12 * s.h);\n{pad}}}\n"
    );
    out
}
