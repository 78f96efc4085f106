//! The chapter on compensators.
use super::page::Page;
use crate::compensate::pictures as compensators;
use crate::identify::records::quote;
use std::fmt::Write;
use stiction::compensate::MethodResult;
use stiction::html::text;
use stiction::number::{round, short};

impl Page<'_> {
    pub fn control(&mut self) {
        let tour = self.tour;
        self.section("What it does for the control", |page| {
            page.paragraph(
                "The rig becomes a servo: a position loop at 1 kHz follows two sines while the pressure changes. Its friction is \
                 the true one. The methods are told the identified law, and do not see the pressure.",
            );
            page.command(&tour.compare.shown(&tour.dir));
            page.methods();
            let all = compensators::figures(&tour.compared.title, &tour.compared.found);
            if let Some((_, figure)) = all.first() {
                page.figure(figure, "The error of each method, all to one scale.");
            }
            let best = tour.best().map_or("none", |row| row.method.name.as_str());
            let file = quote(&tour.dir.join(format!("{best}.toml")).to_string_lossy());
            page.paragraph("Each method is a scenario in the folder, every gain written out. The best one, run, and taken home as C:");
            page.command(&format!("stiction run {file} -o proof"));
            page.command(&format!("stiction export controller {file} --target c -o firmware"));
            page.own(
                "Describe your axis as a scenario with its loop, as <code>stiction scenarios rig-servo</code> does, and give \
                 <code>--model found/model.toml</code>. <code>--tune</code> gives every method its best gains first; without \
                 <code>--exact</code> each runs with models that are off, too.",
            );
        });
    }

    fn methods(&mut self) {
        let tour = self.tour;
        self.out += "<div class=\"wide\"><table>\n<thead><tr><th>method</th><th>rms error [mm]</th><th>largest [mm]</th>\
                     <th>smaller by</th><th>settled after [s]</th><th>rms command [N]</th><th>its noise</th></tr></thead>\n";
        let alone = tour.alone().unwrap_or(f64::NAN);
        let quiet =
            tour.compared.found.results.iter().find(|row| row.method.parts.is_empty()).and_then(|row| row.performance);
        let quiet = quiet.map_or(f64::NAN, |score| score.command_change_rms);
        let three = |x: f64| short(round(x, 3));
        for row in &tour.compared.found.results {
            let name = &row.method.name;
            let _ = match row.performance {
                Some(s) => writeln!(
                    self.out,
                    "<tr><td>{name}</td><td>{}</td><td>{}</td><td>×{}</td><td>{}</td><td>{}</td><td>×{}</td></tr>",
                    three(1e3 * s.rms),
                    three(1e3 * s.peak),
                    three(alone / s.rms),
                    s.settling.map_or_else(|| "not".to_owned(), three),
                    three(s.effort),
                    three(s.command_change_rms / quiet)
                ),
                None => writeln!(self.out, "<tr><td>{name}</td><td colspan=\"6\">fails</td></tr>"),
            };
        }
        self.out += "</table></div>\n";
        let band = three(1e3 * tour.compared.found.task.band);
        let broken: Vec<String> = tour.compared.found.results.iter().filter_map(unstable).collect();
        let broken = match broken.join("; ") {
            none if none.is_empty() => "All conditions of stability that are known hold.".to_owned(),
            some => format!("Conditions of stability that do not hold: {}.", text(&some)),
        };
        let _ = writeln!(
            self.out,
            "<p class=\"soft\">Settled: the error stays within {band} mm. Noise: how much the command changes from sample to \
             sample, in that of the loop alone. {broken}</p>"
        );
    }
}

/// Conditions that a method breaks.
fn unstable(row: &MethodResult) -> Option<String> {
    let broken: Vec<&str> = row.stability.iter().filter(|(_, v)| !v.holds).map(|(_, v)| v.condition).collect();
    (!broken.is_empty()).then(|| format!("{}: {}", row.method.name, broken.join(", ")))
}
