//! The chapter on compensators.
use super::page::{Page, command, on_your_data};
use maud::{Markup, html};
use stiction::compensate::MethodResult;
use stiction::number::{round, short};
use stiction_report::Report;
use stiction_report::text::quote;

impl Page<'_> {
    pub fn control(&mut self) -> Markup {
        let tour = self.tour;
        let all = tour.compared.figures();
        let best = tour.best().map_or("none", |row| row.method.name.as_str());
        let file = quote(&tour.dir.join(format!("{best}.toml")).to_string_lossy());
        let body = html! {
            p {
                "The rig becomes a servo: a position loop at 1 kHz follows two sines while the pressure changes. Its friction is \
                 the true one. The methods are given the identified law, and do not measure the pressure."
            }
            (command(&tour.compare.shown(&tour.dir)))
            (self.methods())
            @if let Some((_, figure)) = all.first() {
                (self.figure(figure, html! { "The error of each method, all to one scale." }))
            }
            p { "Each method is a scenario in the folder, with all its gains. The best one, run, and exported as C:" }
            (command(&format!("stiction run {file} -o proof")))
            (command(&format!("stiction export controller {file} --target c -o firmware")))
            (on_your_data(html! {
                "Describe your axis as a scenario with its loop, as " code { "stiction scenarios rig-servo" } " does, and give "
                code { "--model found/model.toml" } ". " code { "--tune" } " gives every method its best gains first; without "
                code { "--exact" } " each also runs with inexact models."
            }))
        };
        self.section("What it does for the control", body)
    }

    fn methods(&self) -> Markup {
        let found = &self.tour.compared.found;
        let alone = self.tour.alone().unwrap_or(f64::NAN);
        let linear = found.results.iter().find(|row| row.method.parts.is_empty()).and_then(|row| row.performance);
        let noise = linear.map_or(f64::NAN, |score| score.command_change_rms);
        let three = |x: f64| short(round(x, 3));
        let broken: Vec<String> = found.results.iter().filter_map(unstable).collect();
        html! {
            div class="wide" {
                table {
                    thead {
                        tr {
                            th { "method" } th { "rms error [mm]" } th { "largest [mm]" } th { "smaller by" }
                            th { "settled after [s]" } th { "rms command [N]" } th { "its noise" }
                        }
                    }
                    @for row in &found.results {
                        tr {
                            td { (row.method.name) }
                            @if let Some(s) = row.performance {
                                td { (three(1e3 * s.rms)) } td { (three(1e3 * s.peak)) } td { "×" (three(alone / s.rms)) }
                                td { (s.settling.map_or_else(|| "not".to_owned(), three)) } td { (three(s.effort)) }
                                td { "×" (three(s.command_change_rms / noise)) }
                            } @else {
                                td colspan="6" { "fails" }
                            }
                        }
                    }
                }
            }
            p class="soft" {
                "Settled: the error stays within " (three(1e3 * found.task.band)) " mm. Noise: how much the command changes from \
                 sample to sample, relative to that of the loop alone. "
                @if broken.is_empty() {
                    "All conditions of stability that are known hold."
                } @else {
                    "Conditions of stability that do not hold: " (broken.join("; ")) "."
                }
            }
        }
    }
}

/// Conditions that a method breaks.
fn unstable(row: &MethodResult) -> Option<String> {
    let broken: Vec<&str> = row.stability.iter().filter(|(_, v)| !v.holds).map(|(_, v)| v.condition).collect();
    (!broken.is_empty()).then(|| format!("{}: {}", row.method.name, broken.join(", ")))
}
