//! The measures of a kernel: what is kept of each while a trajectory runs, and what it becomes.
use super::operand::number;
use crate::sim::batch::Ensemble;
use crate::sim::{EventKind, Probe};

/// Most periods between the two events of a `period` measure: each is a number that every thread keeps.
const MOST_PERIODS: u32 = 8;

/// Statements of a kernel.
#[derive(Default)]
pub(super) struct Measures {
    /// Declarations of what is kept.
    pub declare: String,
    /// Where a trajectory begins.
    pub begin: String,
    /// After each step that is accepted, with its columns.
    pub look: String,
    /// Where the sliding velocity of contact `k` goes through zero; its new direction is `side[k]`.
    pub event: String,
    /// Where a trajectory ends.
    pub finish: String,
}

impl Measures {
    /// The statements, or the measure that a kernel cannot take.
    pub fn new(ensemble: &Ensemble) -> Result<Self, String> {
        let mut out = Self::default();
        let forms = ensemble.column_forms();
        let place = |name: &String| forms.iter().position(|(column, _)| column == name);
        let contact = |name: &String| ensemble.contacts().iter().position(|contact| contact == name);
        for (m, probe) in ensemble.options().probes.iter().enumerate() {
            let column = probe.column().map(str::to_owned).and_then(|name| place(&name));
            let unknown = || format!("measure number {} needs more than steps and events", m + 1);
            match probe {
                Probe::Max { from, to, .. } | Probe::Min { from, to, .. } => {
                    let sign = if matches!(probe, Probe::Max { .. }) { "1.0" } else { "-1.0" };
                    out.keep(m, "best", "-1e300");
                    let column = column.ok_or_else(unknown)?;
                    out.within(
                        [*from, *to],
                        &[format!("m{m}_best = column_peak_{column}(p, &s, side, {sign}, m{m}_best);")],
                    );
                    out.result(m, &format!("m{m}_best > -1e300 ? {sign} * m{m}_best : NAN"));
                }
                Probe::Range { from, to, .. } => {
                    out.keep(m, "top", "-1e300");
                    out.keep(m, "bottom", "-1e300");
                    let column = column.ok_or_else(unknown)?;
                    let line = |name: &str, sign: &str| {
                        format!("m{m}_{name} = column_peak_{column}(p, &s, side, {sign}, m{m}_{name});")
                    };
                    out.within([*from, *to], &[line("top", "1.0"), line("bottom", "-1.0")]);
                    out.result(m, &format!("m{m}_top > -1e300 ? m{m}_top + m{m}_bottom : NAN"));
                }
                Probe::Mean { from, to, .. } | Probe::Rms { from, to, .. } => {
                    let square = matches!(probe, Probe::Rms { .. });
                    out.keep(m, "sum", "0.0");
                    out.keep(m, "time", "0.0");
                    let of = if square { "mean_square" } else { "mean_value" };
                    let values = format!("column_{}(p, &s, side, v);", column.ok_or_else(unknown)?);
                    let sum = format!("m{m}_sum += s.theta * s.h * {of}(v);");
                    out.within(
                        [*from, *to],
                        &["double v[5];".to_owned(), values, sum, format!("m{m}_time += s.theta * s.h;")],
                    );
                    let mean = format!("m{m}_sum / m{m}_time");
                    let value = if square { format!("sqrt({mean})") } else { mean };
                    out.result(m, &format!("m{m}_time > 0.0 ? {value} : NAN"));
                }
                Probe::Final { .. } => {
                    let k = column.ok_or_else(unknown)?;
                    out.result(m, &format!("column_now_{k}(p, t, y, side)"));
                }
                Probe::Count { part, kind } => {
                    out.keep(m, "count", "0.0");
                    out.at_event(contact(part), kind, &[format!("m{m}_count += 1.0;")]);
                    out.result(m, &format!("m{m}_count"));
                }
                Probe::Rests { from } => {
                    out.keep(m, "count", "0.0");
                    out.event += &format!("                        if (t >= {}) m{m}_count += 1.0;\n", number(*from));
                    out.result(m, &format!("m{m}_count"));
                }
                Probe::Period { part, kind, every } => {
                    let every = (*every).max(1);
                    if every > MOST_PERIODS {
                        return Err(format!("measure number {} looks back over {every} events", m + 1));
                    }
                    for back in 0..=every {
                        out.keep(m, &format!("t{back}"), "NAN");
                    }
                    let mut lines: Vec<String> =
                        (1..=every).rev().map(|back| format!("m{m}_t{back} = m{m}_t{};", back - 1)).collect();
                    lines.push(format!("m{m}_t0 = t;"));
                    out.at_event(contact(part), kind, &lines);
                    out.result(m, &format!("m{m}_t0 - m{m}_t{every}"));
                }
                _ => return Err(unknown()),
            }
        }
        Ok(out)
    }
    /// A number that is kept along a trajectory.
    fn keep(&mut self, m: usize, name: &str, start: &str) {
        self.declare += &format!("    double m{m}_{name} = {start};\n");
        self.begin += &format!("            m{m}_{name} = {start};\n");
    }
    /// Statements for steps between two times.
    fn within(&mut self, [from, to]: [f64; 2], lines: &[String]) {
        // steps land on the ends of spans, but for rounding
        let end = "s.t + s.theta * s.h";
        self.look += &format!("            if (s.t >= {} && {end} <= {} + 1e-9 * s.h) {{\n", number(from), number(to));
        lines.iter().for_each(|line| self.look += &format!("                {line}\n"));
        self.look += "            }\n";
    }
    /// Statements at the events of a contact of a kind, which may be none of those that there are.
    fn at_event(&mut self, contact: Option<usize>, kind: &str, lines: &[String]) {
        let Some(contact) = contact else { return };
        let [up, down] = [EventKind::ReverseUp, EventKind::ReverseDown].map(|event| event.is(kind));
        let direction = match (up, down) {
            (true, true) => "",
            (true, false) => " && side[k] > 0.0",
            (false, true) => " && side[k] < 0.0",
            (false, false) => return,
        };
        self.event += &format!("                        if (k == {contact}{direction}) {{\n");
        lines.iter().for_each(|line| self.event += &format!("                            {line}\n"));
        self.event += "                        }\n";
    }
    fn result(&mut self, m: usize, value: &str) {
        self.finish += &format!("            results[(size_t)i * RESULTS + {m}] = {value};\n");
    }
}
