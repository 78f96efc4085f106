//! A comparison of methods that compensate friction.
use crate::text::{list, table, wrap};
use crate::{Report, compensation_pictures};
use serde_json::{Map, Value, json};
use stiction::Error;
use stiction::compensate::{Comparison, CompensationStudy, MethodResult, ServoTask, compare_with};
use stiction::number::{round, short};
use stiction::plot::Figure;
use stiction::scenario::Template;
use stiction::unit_prefix::readable;

/// A finished comparison.
pub struct CompensationReport {
    name: String,
    /// Title of the scenario; may be empty.
    pub title: String,
    /// What was compared.
    pub study: CompensationStudy,
    /// Results of the methods.
    pub found: Comparison,
}

impl CompensationReport {
    /// Compares methods on the servo of a scenario, which is called `name`. `progress` is told the share that is done.
    ///
    /// # Errors
    /// As [`compare_with`].
    pub fn compare(
        name: &str,
        mut template: Template,
        study: CompensationStudy,
        progress: &(dyn Fn(f64) + Sync),
    ) -> Result<Self, Error> {
        // without measures and plots, which a shorter run might not reach
        template.remove_measures_and_plots();
        let title = template.build()?.title;
        let found = compare_with(&template, &study, progress)?;
        Ok(Self { name: name.to_owned(), title, study, found })
    }
}

impl Report for CompensationReport {
    fn text(&self) -> String {
        text(&format!("{}: {}", self.name, self.title), &self.study, &self.found)
    }
    fn json(&self) -> Value {
        value(&self.name, &self.study, &self.found)
    }
    fn figures(&self) -> Vec<(&'static str, Figure)> {
        compensation_pictures::figures(if self.title.is_empty() { &self.name } else { &self.title }, &self.found)
    }
}

/// Rounded to four digits.
fn four(x: f64) -> String {
    short(round(x, 4))
}
/// A length or angle in the unit in which it is read best.
fn quantity(x: f64, unit: &str) -> String {
    let (power, unit) = readable(unit, x);
    format!("{} {unit}", four(x * 10.0_f64.powi(-power)))
}
/// The power of ten and the unit in which the errors of all methods are read best.
fn error_unit(found: &Comparison) -> (i32, String) {
    let peaks = found.results.iter().filter_map(|row| row.performance).map(|p| p.peak).filter(|peak| peak.is_finite());
    readable(found.task.servo.unit, peaks.fold(0.0, f64::max))
}
/// Rounded to three digits, for long lines.
fn three(x: f64) -> String {
    short(round(x, 3))
}
/// The row of the linear loop alone.
fn alone(found: &Comparison) -> Option<&MethodResult> {
    found.results.iter().find(|row| row.method.parts.is_empty())
}
/// The rms change of the command relative to that of the linear loop alone.
fn amplification(row: &MethodResult, found: &Comparison) -> Option<f64> {
    let base = alone(found)?.performance?.command_change_rms;
    (base > 0.0).then_some(row.performance?.command_change_rms / base)
}

fn text(title: &str, study: &CompensationStudy, found: &Comparison) -> String {
    let task = &found.task;
    let force = if task.servo.unit == "rad" { "N·m" } else { "N" };
    let model = if study.model.is_some() { "as given" } else { "that of the contact" };
    let mut out = format!("{title}\n\n");
    let about = format!(
        "servo '{}', every {} s; model: {}, {model}; errors from {} s to {} s, settled within {}; commands in {force}",
        task.servo.name,
        four(task.servo.period),
        task.model.law().name,
        four(task.from),
        four(task.span[1]),
        quantity(task.band, task.servo.unit),
    );
    out += &wrap("  ", &about, 2);
    if task.servo.quantum > 0.0 {
        out += &format!("  a count of the encoder is {}\n", quantity(task.servo.quantum, task.servo.unit));
    }
    for note in notes(task) {
        out += &wrap("  ", &note, 2);
    }
    out.push('\n');
    out += &measures(found);
    out += &robustness(found);
    for row in &found.results {
        if let Some(failure) = &row.run.failure {
            out += &wrap("\n  ", &format!("{} fails {failure}", row.method.name), 2);
        }
    }
    out += &tuned(study, found);
    out += &idle(found);
    out += "\nStability conditions, with margins\n";
    for row in &found.results {
        let broken: Vec<String> = row
            .stability
            .iter()
            .filter(|(_, v)| !v.holds)
            .map(|(part, v)| format!("{part}: {} ({})", v.condition, short(round(v.margin, 2))))
            .collect();
        let said = match broken.len() {
            0 => format!("all {} hold", row.stability.len()),
            n => format!("{n} of {} fail: {}", row.stability.len(), broken.join("; ")),
        };
        out += &wrap("  ", &format!("{}: {said}", row.method.name), 4);
    }
    if let Some(verdict) = verdict(found) {
        out += "\nVerdict\n";
        out += &wrap("  ", &verdict, 2);
    }
    out
}

/// What speaks against a method, if anything does.
fn objection(row: &MethodResult) -> Option<String> {
    let broken = row.stability.iter().filter(|(_, check)| !check.holds).count();
    let performance = row.performance?;
    if performance.chatters {
        Some("it chatters".to_owned())
    } else if performance.hunting.is_some() {
        Some("it hunts".to_owned())
    } else if broken > 0 {
        Some(format!("{broken} of its {} stability conditions fail", row.stability.len()))
    } else {
        None
    }
}

/// The rms error of a method.
fn error(row: &MethodResult) -> f64 {
    row.performance.map_or(f64::INFINITY, |p| p.rms)
}

/// The method with the least error among those that ran and that `admits` accepts.
fn least(found: &Comparison, admits: impl Fn(&MethodResult) -> bool) -> Option<&MethodResult> {
    let ran = found.results.iter().filter(|row| row.performance.is_some());
    ran.filter(|row| admits(row)).min_by(|a, b| error(a).total_cmp(&error(b)))
}

/// The method to choose: the one with the least error against which nothing speaks.
fn best(found: &Comparison) -> Option<&MethodResult> {
    least(found, |row| objection(row).is_none())
}

/// Which method to choose, and what the one with the least error of all has against it. None if nothing was compared.
fn verdict(found: &Comparison) -> Option<String> {
    let (power, unit) = error_unit(found);
    // in the unit of the table, unless nothing would be left of the number
    let quantity = |x: f64| match x * 10.0_f64.powi(-power) {
        small if small < 1e-2 => quantity(x, found.task.servo.unit),
        shown => format!("{} {unit}", three(shown)),
    };
    if found.results.len() < 2 {
        return None;
    }
    let first = least(found, |_| true)?;
    let Some(sound) = best(found) else {
        let why = objection(first).unwrap_or_default();
        return Some(format!("no method is sound: {} leaves the least error, but {why}.", first.method.name));
    };
    let (name, rms) = (&sound.method.name, error(sound));
    let gain = alone(found).map(|row| error(row) / rms).filter(|gain| gain.is_finite());
    let mut out = match gain {
        _ if sound.method.parts.is_empty() => "nothing that is sound does better than the loop alone".to_owned(),
        Some(gain) => format!("{name}: rms {}, {} times less than the loop alone", quantity(rms), three(gain)),
        None => format!("{name}: rms {}", quantity(rms)),
    };
    if let Some(why) = objection(first) {
        out += &format!(". {} leaves less, {}, but {why}", first.method.name, quantity(error(first)));
    }
    Some(out + ".")
}

/// Assumptions about the scenario.
fn notes(task: &ServoTask) -> Vec<String> {
    let mut out = Vec::new();
    if task.continuous {
        let (name, period) = (&task.servo.name, four(task.servo.period));
        out.push(format!(
            "[control.{name}] runs as a controller that samples every {period} s; --set control.{name}.period=SECONDS changes that"
        ));
    }
    if let Some(end) = task.shortened_from {
        let (end, enough) = (four(end), four(task.span[1]));
        out.push(format!(
            "the scenario ends at {end} s; this run ends at {enough} s, after enough samples; --end {end} runs all of it"
        ));
    }
    out
}

/// One line for each method.
fn measures(found: &Comparison) -> String {
    let (power, unit) = error_unit(found);
    let [rms, peak, hunts] = ["rms", "peak", "hunts"].map(|name| format!("{name} [{unit}]"));
    let [method, settled, chatters, effort, noise] =
        ["method", "settled", "chatters", "effort", "noise"].map(str::to_owned);
    let head = [method, rms, peak, settled, chatters, effort, noise, hunts];
    let steady = found.task.is_steady();
    let length = |x: f64| three(x * 10.0_f64.powi(-power));
    let rows = found.results.iter().map(|row| {
        let name = row.method.name.clone();
        let Some(s) = row.performance else {
            let none = || "-".to_owned();
            return [name, "fails".to_owned(), none(), none(), none(), none(), none(), none()];
        };
        let hunts = match s.hunting {
            Some(h) => format!("±{}, {} s", length(h.amplitude), three(h.period)),
            None if steady && s.is_inconclusive() => "open".to_owned(),
            None if steady => "no".to_owned(),
            None => "-".to_owned(),
        };
        let noise = amplification(row, found).map_or_else(|| three(s.command_change_rms), |x| format!("×{}", three(x)));
        let settled = s.settling.map_or("-".to_owned(), |t| format!("{} s", three(t)));
        let chatters = match s.jumps {
            _ if s.chatters => format!("±{}", three(s.chatter_amplitude)),
            // the error hunts, and the command is a square wave
            Some(jumps) => format!("jumps ±{}", three(jumps)),
            None => "no".to_owned(),
        };
        [name, length(s.rms), length(s.peak), settled, chatters, three(s.effort), noise, hunts]
    });
    let mut out = table(&[head].into_iter().chain(rows).collect::<Vec<_>>(), &[1, 2, 3, 5]);
    if steady {
        let task = &found.task;
        let part = || format!("{} of the motion", four(task.resolution() / task.reference_range));
        let what = if task.servo.quantum > 0.0 { "a count of the encoder".to_owned() } else { part() };
        let text = format!(
            "hunts: amplitude and period of an error that from {} s on reversed three times or more by over {} \
             ({what}) and did not decay; 'no' does not exclude smaller oscillations",
            four(task.from),
            quantity(task.resolution(), task.servo.unit)
        );
        out += &wrap("\n  ", &text, 2);
    }
    if steady && found.results.iter().any(|row| row.performance.is_some_and(|s| s.is_inconclusive())) {
        let text = "open: the error reversed once or twice by more than a count; a longer run decides, --end SECONDS";
        out += &wrap("\n  ", text, 2);
    }
    out
}

/// The error if what a method knows is wrong by a factor.
fn robustness(found: &Comparison) -> String {
    let all: Vec<&MethodResult> = found.results.iter().filter(|row| !row.robustness.is_empty()).collect();
    if all.is_empty() {
        return String::new();
    }
    let (power, unit) = error_unit(found);
    let head =
        ["method".to_owned(), format!("worst [{unit}]"), format!("rms [{unit}] with the model wrong by a factor")];
    let length = |x: f64| three(x * 10.0_f64.powi(-power));
    let rows = all.iter().map(|row| {
        let worst = row.worst().map_or("fails".to_owned(), |(_, rms)| length(rms));
        let rms = |x: &Option<f64>| x.map_or("fails".to_owned(), length);
        let curve: Vec<String> = row.robustness.iter().map(|(f, x)| format!("×{}:{}", short(*f), rms(x))).collect();
        [row.method.name.clone(), worst, curve.join(", ")]
    });
    format!("\n{}", table(&[head].into_iter().chain(rows).collect::<Vec<_>>(), &[1]))
}

fn tuned(study: &CompensationStudy, found: &Comparison) -> String {
    let Some(how) = &study.tuning else { return String::new() };
    let mut out = format!(
        "\nTuned: cost = rms/rms of none + {} noise/noise of none, {} runs each at most\n",
        short(how.weight),
        how.evaluations
    );
    for row in &found.results {
        if let Some(t) = &row.tuning {
            let gains: Vec<String> =
                t.gains.iter().map(|(name, [a, b])| format!("{name} {} -> {}", four(*a), four(*b))).collect();
            let cost = format!("cost {} -> {}", four(t.cost[0]), four(t.cost[1]));
            let gains = if gains.is_empty() { String::new() } else { format!("{cost}; {}", gains.join(", ")) };
            let idle = match t.without_effect.len() {
                0 => String::new(),
                _ => format!("{} no effect here", have(&t.without_effect)),
            };
            let said: Vec<String> = [gains, idle].into_iter().filter(|text| !text.is_empty()).collect();
            out += &wrap("  ", &format!("{}: {}", row.method.name, said.join("; ")), 4);
        }
    }
    out
}

/// Methods and gains that make no difference.
fn idle(found: &Comparison) -> String {
    let mut out = String::new();
    for row in &found.results {
        let name = &row.method.name;
        if row.as_without {
            out += &wrap("  ", &format!("{name}: makes no difference here: the run is that of the loop alone"), 4);
        } else if !row.without_effect.is_empty() {
            out += &wrap("  ", &format!("{name}: {} no effect here", have(&row.without_effect)), 4);
        }
    }
    if out.is_empty() { out } else { format!("\nWithout effect\n{out}") }
}

/// Names with the verb that belongs to their number.
fn have(names: &[String]) -> String {
    format!("{} {}", list(names), if names.len() == 1 { "has" } else { "have" })
}

fn value(name: &str, study: &CompensationStudy, found: &Comparison) -> Value {
    let task = &found.task;
    json!({
        "scenario": name,
        "controller": task.servo.name,
        "model": task.model.law().name,
        "unit": task.servo.unit,
        "period": task.servo.period,
        "quantum": task.servo.quantum,
        "continuous": task.continuous,
        "cut_from": task.shortened_from,
        "from": task.from,
        "end": task.span[1],
        "band": task.band,
        "steady": task.is_steady(),
        "tune": study.tuning.map(|t| json!({ "evaluations": t.evaluations, "weight": t.weight, "seed": t.seed })),
        "methods": found.results.iter().map(|row| method(row, found)).collect::<Vec<_>>(),
        "best": best(found).map(|row| row.method.name.as_str()),
        "verdict": verdict(found),
    })
}

fn method(row: &MethodResult, found: &Comparison) -> Value {
    let parts: Map<String, Value> = row
        .parts
        .iter()
        .map(|part| {
            let values = part.entry.params.iter().zip(&part.values).map(|(p, x)| (p.name.to_owned(), json!(x)));
            (part.entry.name.to_owned(), Value::Object(values.collect()))
        })
        .collect();
    let robust = row.robustness.iter().map(|(factor, rms)| json!({ "factor": factor, "rms": rms }));
    let stability = row
        .stability
        .iter()
        .map(|(part, v)| json!({ "part": part, "condition": v.condition, "holds": v.holds, "margin": v.margin }));
    json!({
        "method": row.method.name,
        "parts": parts,
        "failure": row.run.failure,
        "rms": row.performance.map(|s| s.rms),
        "peak": row.performance.map(|s| s.peak),
        "settling": row.performance.and_then(|s| s.settling),
        "hunting": row.performance.and_then(|s| s.hunting).map(|h| json!({ "amplitude": h.amplitude, "period": h.period, "turns": h.turns })),
        "turns": row.performance.map(|s| s.error_reversals),
        "chatters": row.performance.map(|s| s.chatters),
        "chatter": row.performance.map(|s| s.chatter_amplitude),
        "jumps": row.performance.and_then(|s| s.jumps),
        "shake": row.performance.map(|s| s.chatter_rms),
        "effort": row.performance.map(|s| s.effort),
        "noise": row.performance.map(|s| s.command_change_rms),
        "noise_over_none": amplification(row, found),
        "robust": robust.collect::<Vec<_>>(),
        "worst": row.worst().map(|(factor, rms)| json!({ "factor": factor, "rms": rms })),
        "without_effect": row.without_effect,
        "as_without": row.as_without,
        "stability": stability.collect::<Vec<_>>(),
        "tuned": row.tuning.as_ref().map(|t| json!({
            "cost": t.cost, "evaluations": t.evaluations, "without_effect": t.without_effect,
            "gains": t.gains.iter().map(|(name, [a, b])| json!({ "name": name, "before": a, "after": b })).collect::<Vec<_>>(),
        })),
    })
}
