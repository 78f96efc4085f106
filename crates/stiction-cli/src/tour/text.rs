//! The text that the tour prints at the end.
use super::Tour;
use stiction::identify::Estimate;
use stiction::number::{self, round, short};
use stiction_report::text::{table, wrap};

/// A number for a reader.
pub fn four(x: f64) -> String {
    short(round(x, 4))
}

/// The interval of a number.
pub fn interval([low, high]: [f64; 2]) -> String {
    if low.is_finite() && high.is_finite() { number::interval([low, high], 4) } else { "-".to_owned() }
}

/// The unit of a number: the load is a pressure here.
pub fn unit(estimate: &Estimate) -> String {
    estimate.unit.replace("load", "bar")
}

/// A fraction as a percentage.
pub fn percent(x: f64) -> String {
    format!("{:.1} %", 100.0 * x)
}

/// Results, the page to open, and suggested commands.
pub fn text(tour: &Tour) -> String {
    let head = ["step", "", "true", "identified", "95 % interval", "holds", "unit"].map(str::to_owned);
    let rows = tour.rows.iter().map(|row| {
        let holds = if row.holds() { "yes" } else { "no" }.to_owned();
        let found = &row.found;
        let unit = unit(found);
        [row.step.to_owned(), row.label(), four(row.truth), four(found.value), interval(found.interval), holds, unit]
    });
    let mut out = "Nouri's pneumatic rig, identified from its logs\n\n".to_owned();
    out += &table(&[head].into_iter().chain(rows).collect::<Vec<_>>(), &[2, 3, 4]);
    out += &format!("\n{} of {} intervals contain the true value.\n", tour.held(), tour.rows.len());
    for row in tour.rows.iter().filter(|row| !row.holds()) {
        let text = format!("{} ({}) has an error of {}. {}", row.label(), row.step, percent(row.off()), row.reason());
        out += &wrap("  - ", &text, 4);
    }
    let [law, other] = [&tour.check, &tour.baseline].map(|step| percent(step.score("relative")));
    out += &wrap(
        "\n",
        &format!(
            "On a second record, the identified law leaves {law} of the friction unexplained; Coulomb and viscous friction leave {other}."
        ),
        0,
    );
    out += "\nTracking with each compensator, which is given the identified law\n";
    out += &methods(tour);
    out += &format!("\nOpen {}\n\nNext:\n", tour.dir.join("index.html").display());
    let next = tour.next().map(|(line, what)| [line.shown(&tour.dir), what.to_owned()]);
    out + &table(&next, &[])
}

fn methods(tour: &Tour) -> String {
    let head = ["method", "rms error [mm]", "smaller by", "settled [s]", "rms command [N]"].map(str::to_owned);
    let alone = tour.alone().unwrap_or(f64::NAN);
    let rows = tour.compared.found.results.iter().map(|row| {
        let name = row.method.name.clone();
        let Some(score) = row.performance else { return [name, "fails".into(), "-".into(), "-".into(), "-".into()] };
        let three = |x: f64| short(round(x, 3));
        let settled = score.settling.map_or_else(|| "no".to_owned(), three);
        [name, three(1e3 * score.rms), format!("×{}", three(alone / score.rms)), settled, three(score.effort)]
    });
    table(&[head].into_iter().chain(rows).collect::<Vec<_>>(), &[1, 2, 3])
}
