//! The measures of a kernel: what is kept of each while a trajectory runs, and what it becomes.
use super::operand::number;
use crate::sim::batch::{CLOSED, CONSTANT, Ensemble, PeriodColumn, ROUNDING, WHOLE};
use crate::sim::{EventKind, Probe};

/// Most periods between the two events of a `period` measure: each is a number that every thread keeps.
const MOST_PERIODS: u32 = 8;

/// What happens at a contact, and its name in the text.
const EVENTS: [(EventKind, &str); 5] = [
    (EventKind::Stick, "STICK"),
    (EventKind::SlipUp, "SLIP_UP"),
    (EventKind::SlipDown, "SLIP_DOWN"),
    (EventKind::ReverseUp, "REVERSE_UP"),
    (EventKind::ReverseDown, "REVERSE_DOWN"),
];

/// Statements of a kernel.
#[derive(Default)]
pub(super) struct Measures {
    /// Functions that they call.
    pub functions: String,
    /// Declarations of what is kept.
    pub declare: String,
    /// Where a trajectory begins.
    pub begin: String,
    /// After each step that is accepted, with its columns.
    pub look: String,
    /// Where something has `happened` at contact `k`.
    pub event: String,
    /// Where a trajectory ends.
    pub finish: String,
    /// Guards of a contact but for the velocity.
    guards: usize,
}

impl Measures {
    /// The statements, or the measure that a kernel cannot take.
    pub fn new(ensemble: &Ensemble) -> Result<Self, String> {
        let functions = motion_period_functions(ensemble);
        let mut out = Self { functions, guards: ensemble.guards(), ..Self::default() };
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
                    out.event += &format!(
                        "                        if ((happened == STICK || happened == REVERSE_UP || happened == REVERSE_DOWN) && t >= {}) m{m}_count += 1.0;\n",
                        number(*from)
                    );
                    out.result(m, &format!("m{m}_count"));
                }
                Probe::Period { part, kind, every: None } => out.motion_period(m, contact(part), kind),
                Probe::Period { part, kind, every: Some(every) } => {
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
                Probe::Event { part, kind, nth, column, from } if column == "t" && *nth >= -1 && *nth != 0 => {
                    out.keep(m, "at", "NAN");
                    if *nth > 0 {
                        out.keep(m, "count", "0.0");
                    }
                    let from = number(*from);
                    let take = if *nth < 0 {
                        format!("if (t >= {from}) m{m}_at = t;")
                    } else {
                        format!("if (t >= {from} && (m{m}_count += 1.0) == {nth}.0) m{m}_at = t;")
                    };
                    out.at_event(contact(part), kind, &[take]);
                    out.result(m, &format!("m{m}_at"));
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
        let Some(condition) = condition(contact, kind, self.guards) else { return };
        self.event += &format!("                    if ({condition}) {{\n");
        lines.iter().for_each(|line| self.event += &format!("                        {line}\n"));
        self.event += "                    }\n";
    }
    /// The time after which the motion repeats.
    fn motion_period(&mut self, m: usize, contact: Option<usize>, kind: &str) {
        self.declare += &format!("    Turns m{m};\n");
        self.begin += &format!("            turns_begin(&m{m});\n");
        let counts = condition(contact, kind, self.guards).unwrap_or_else(|| "0".to_owned());
        self.event += "                    {\n                        double v[PERIOD_COLUMNS];\n";
        self.event += "                        period_row(p, t, y, side, v);\n";
        self.event += &format!("                        turns_event(&m{m}, t, v, {counts});\n                    }}\n");
        self.result(m, &format!("turns_period(&m{m})"));
    }
    fn result(&mut self, m: usize, value: &str) {
        self.finish += &format!("            results[(size_t)i * RESULTS + {m}] = {value};\n");
    }
}

/// Whether what has `happened` at contact `k` is of this contact and kind; none if no event is.
fn condition(contact: Option<usize>, kind: &str, guards: usize) -> Option<String> {
    let known = EVENTS.iter().filter(|(event, _)| event.is(kind));
    let mut named: Vec<String> = known.map(|(_, name)| format!("happened == {name}")).collect();
    for k in 0..guards {
        let number = (k + 1).min(255) as u8;
        if EventKind::GuardDown(number).is(kind) {
            named.push(format!("happened == GUARD_DOWN({k})"));
        }
        if EventKind::GuardUp(number).is(kind) {
            named.push(format!("happened == GUARD_DOWN({k}) + 1"));
        }
    }
    let contact = contact?;
    (!named.is_empty()).then(|| format!("k == {contact} && ({})", named.join(" || ")))
}

/// The columns that tell whether a motion repeats, and the functions that find its period; empty if no measure asks.
fn motion_period_functions(ensemble: &Ensemble) -> String {
    let columns = ensemble.period_columns();
    if columns.is_empty() {
        return String::new();
    }
    let options = ensemble.options();
    let mut out = format!("\n#define PERIOD_COLUMNS {}\n", columns.len());
    for (name, value) in [
        ("PERIOD_CLOSED", CLOSED),
        ("PERIOD_WHOLE", WHOLE),
        ("PERIOD_CONSTANT", CONSTANT),
        ("PERIOD_ROUNDING", ROUNDING),
        ("PERIOD_MIDDLE", 0.5 * (options.start + options.end)),
    ] {
        out += &format!("#define {name} {}\n", number(value));
    }
    let mut table = |name: &str, of: &dyn Fn(&PeriodColumn) -> i64| {
        let values: Vec<String> = columns.iter().map(|column| of(column).to_string()).collect();
        out += &format!("static STICTION_CONSTANT const int {name}[PERIOD_COLUMNS] = {{{}}};\n", values.join(", "));
    };
    table("period_group", &|column| column.group as i64);
    table("period_travels", &|column| i64::from(column.travels));
    table("period_lengths", &|column| column.lengths.map_or(-1, |group| group as i64));
    out += include_str!("motion_period.cu");
    out += "\n/* The columns that tell whether a motion repeats. */\nSTICTION_FUNCTION void period_row(const double *p, double t, const double *y, const double *side, double *v) {\n";
    for (i, column) in columns.iter().enumerate() {
        out += &format!("    v[{i}] = column_now_{}(p, t, y, side);\n", column.column);
    }
    out + "}\n"
}
