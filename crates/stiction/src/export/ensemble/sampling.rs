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
        if places.is_empty() || samples.count == 0 {
            return Ok(Self { declare: "    (void)samples;\n".to_owned(), begin: String::new(), look: String::new() });
        }
        Ok(Self {
            declare: "    double due = 0.0;\n    int sample = 0;\n".to_owned(),
            begin: "            sample = 0;\n            due = START + (END - START) / (double)SAMPLES;\n".to_owned(),
            look: look(&places),
        })
    }
}

/// The statements that write the samples of a step.
fn look(places: &[usize]) -> String {
    let pad = "            ";
    let at = "START + (double)(sample + 1) * ((END - START) / (double)SAMPLES)";
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
