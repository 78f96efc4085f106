//! The chapters of the page, in their order.
use super::page::Page;
use super::pictures;
use super::test_rig::{FORCE, NOMINAL, POSITION, PRESSURE, RECORDS};
use super::text::{four, interval, percent, unit};
use crate::identify::records::quote;
use std::fmt::Write;
use stiction::doc::Doc;
use stiction::html::text;
use stiction::identify::Tone;

impl Page<'_> {
    pub fn machine(&mut self) {
        let tour = self.tour;
        let law = tour.truth.law.law();
        self.section("The machine", |page| {
            page.paragraph(&format!(
                "A slide of {} kg on a rodless pneumatic cylinder, as Nouri measured it (ISA Transactions 43, 2004). Its seals \
                 are rubber: before they slide they yield by more than a millimetre, along loops that remember every turn. \
                 Then they break away. Sliding, friction is larger while the speed rises than while it falls. And all dry \
                 friction grows by {} with every bar of supply pressure. The law is <code>hysteresis</code>:",
                four(tour.truth.mass),
                percent(tour.truth.slope().unwrap_or(f64::NAN))
            ));
            let _ = writeln!(page.out, "<pre>{}</pre>", text(&Doc::of(law.doc).equations.join("\n")));
            page.paragraph(
                "Four experiments are run on it: slow pulls until it breaks away, strokes of a millimetre and less, fast \
                 sines, and a second day with other motions at other pressures. Each is a scenario that can be run by itself:",
            );
            for (name, _) in RECORDS {
                page.command(&format!("stiction run {name} -o {name}"));
            }
            page.own("Leave this step out. A rig that you want to plan comes first as a scenario, too: <code>stiction scenarios</code>.");
        });
    }

    pub fn log(&mut self) {
        let tour = self.tour;
        self.section("The logs", |page| {
            page.paragraph(&format!(
                "What is written down is not what happens. The scale counts in steps of {} µm with noise of {} µm: a very good one, of \
                 the class of interferometers, such as is put on a rig to measure it once. The servo at the end has a plainer one, \
                 as <code>rig-servo</code> says. The force comes from a pressure \
                 difference, with noise of {} N in steps of {} N; the supply pressure is known to {} bar. The logs hold time, \
                 position, force and pressure, a thousand times a second, and nothing else: no velocity, no mass.",
                four(1e6 * POSITION.step),
                four(1e6 * POSITION.noise),
                four(FORCE.noise),
                four(FORCE.step),
                four(PRESSURE.noise)
            ));
            let file = |k: usize| quote(&tour.dir.join(RECORDS[k].1).to_string_lossy());
            page.command(&format!("stiction data {}", file(2)));
            if let Some(log) = tour.logs.get(2) {
                page.figure(&pictures::log(log), "The first seconds of <code>fast.csv</code>. At 2 s the pressure falls by 5 bar.");
            }
            page.own(
                "<code>stiction data</code> reads CSV, JSON, MATLAB and Parquet, and tells of gaps, jitter, resolution and \
                 delays before they spoil a fit. <code>stiction excite</code> plans a motion that shows more in less time.",
            );
        });
    }

    pub fn breakaway(&mut self) {
        let step = &self.tour.found.breakaway;
        self.section("Break-away", |page| {
            page.paragraph(
                "Pulled ever harder, the slide yields, and then lets go. The instant is found as a change-point in the \
                 position, without a threshold; force and pressure are read off there, in both directions, at six pressures.",
            );
            page.of(step);
            page.pictures(
                step,
                &[
                    "Each pull, and where it lets go.",
                    "The way to break-away. The contact yields by a millimetre before it slides.",
                    "Break-away grows with the pressure: a line with its confidence.",
                ],
            );
            page.numbers(step);
            page.own("Raise the force slowly from rest, some times each way. Without a pressure leave out the three <code>--load</code> options.");
        });
    }

    pub fn presliding(&mut self) {
        let step = &self.tour.found.presliding;
        self.section("Presliding", |page| {
            page.paragraph(
                "Below break-away friction is a function of the way, with memory: from every turn the force rises along the \
                 same curve, and a loop that closes is forgotten. The record is cut at its turns, the pieces are laid upon \
                 one another, and the curve through them is fitted: three stiffnesses, a force, a length.",
            );
            page.of(step);
            page.pictures(
                step,
                &[
                    "Loops within loops, measured and replayed by two laws. Where the slide breaks away for a moment the \
                     measured force drops: that is inertia, for the mass is not known yet.",
                    "All branches from their turns on: one curve, as it should be.",
                ],
            );
            page.numbers(step);
            page.paragraph("Whether there is such a curve at all was tested against the noise:");
            page.remarks(step, &[Tone::Good, Tone::Bad]);
            page.own("Move to and fro by less than break-away takes, with turns within turns, slowly. A friction force instead of a drive's: <code>--mass 0</code>.");
        });
    }

    pub fn sliding(&mut self) {
        let tour = self.tour;
        let step = &tour.found.sliding;
        self.section("Sliding, without memory", |page| {
            page.paragraph(
                "What everybody tries first: mass, Coulomb level, viscous coefficient, by linear least squares. It looks well, \
                 and it is wrong.",
            );
            page.of(step);
            page.pictures(step, &["Friction over velocity. The cloud has two sides: one for rising speed, one for falling.", ""]);
            page.numbers(step);
            let mass = step.finding().and_then(|finding| finding.estimate("mass")).map_or(f64::NAN, |e| e.value);
            page.paragraph(&format!(
                "It finds {} kg where there are {}. More force while the speed rises, less while it falls: that is what \
                 inertia does, and a law without memory can only call it so. The report notices that something is amiss, and takes \
                 it for a delay between the channels or a difference between the directions of speed:",
                four(mass),
                four(tour.truth.mass)
            ));
            page.remarks(step, &[Tone::Doubt]);
            page.own("This is still the right beginning: it takes no time, and it tells mass and viscosity where friction has no memory. Leave out <code>--model</code> and the best law is sought.");
        });
    }

    pub fn dynamic(&mut self) {
        let tour = self.tour;
        let step = &tour.found.dynamic;
        self.section("The whole law", |page| {
            page.paragraph(&format!(
                "Now the law with memory runs along the measured motion, sample by sample, and its numbers are sought so that it \
                 gives the measured force: break-away, both sliding curves, the dependence on pressure, and the mass. What \
                 presliding has told is held, for the fast record runs through it within milliseconds. The scale is good enough to smooth \
                 its positions less than usual, so that a force that jumps is not blurred. Pressure counts from {} bar, so that the \
                 levels are those at {} bar.",
                four(NOMINAL),
                four(NOMINAL)
            ));
            page.paragraph(
                "The name of the law is given, not found: it is the one that the rig was made with. And <code>--filter</code> and \
                 <code>--bounds</code> were chosen with the truth in view: with the usual smoothing the mass came out too large. \
                 Without a truth to look at, try several filters and compare the numbers: where these move by more than their \
                 intervals, the intervals are too short. The residual alone does not tell, for more smoothing also lets less noise through. \
                 A mass that was weighed, or a second record, tells more.",
            );
            page.of(step);
            if let Some(figure) = tour.logs.get(2).and_then(|log| pictures::law(step, log)) {
                page.figure(&figure, "What was measured, and what the law makes of the same motion: two curves, six pressures.");
            }
            page.numbers(step);
            page.own(
                "Any law of <code>stiction models</code> can stand in the place of <code>hysteresis</code>; \
                 <code>lugre</code> is the usual one. <code>--set</code> holds what you know, <code>--bounds</code> says where to look, \
                 <code>--profile</code> takes its time for the intervals.",
            );
        });
    }

    pub fn sure(&mut self) {
        let tour = self.tour;
        self.section("How sure, and how true", |page| {
            page.paragraph(&format!(
                "A measured machine has no such table. {} of {} intervals hold the truth; of intervals for 95 % one in twenty \
                 should not.",
                tour.held(),
                tour.rows.len()
            ));
            page.out += "<div class=\"wide\"><table>\n<thead><tr><th>step</th><th class=\"text\">what</th><th></th><th>true</th>\
                         <th>identified</th><th>95 % interval</th><th class=\"text\">unit</th><th>holds</th></tr></thead>\n";
            for row in &tour.rows {
                let (class, word) = if row.holds() { ("yes", "yes") } else { ("no", "no") };
                let _ = writeln!(
                    page.out,
                    "<tr><td>{}</td><td class=\"text\">{}</td><td>{}</td><td>{}</td><td>{}</td><td>{}</td>\
                     <td class=\"text\">{}</td><td class=\"{class}\">{word}</td></tr>",
                    row.step,
                    text(&row.doc),
                    text(&row.label()),
                    four(row.truth),
                    four(row.found.value),
                    interval(row.found.interval),
                    text(&unit(&row.found))
                );
            }
            page.out += "</table></div>\n";
            for row in tour.rows.iter().filter(|row| !row.holds()) {
                let name = text(&row.label());
                page.paragraph(&format!("<b>{name}</b> ({}) is off by {}. {}", row.step, percent(row.off()), row.reason()));
            }
            page.figure(
                &pictures::intervals(&tour.rows),
                "Identified less true, with its interval, row by row of the table. What is off by more than a tenth stands in \
                 the table alone.",
            );
        });
    }

    pub fn check(&mut self) {
        let tour = self.tour;
        self.section("Another record", |page| {
            page.paragraph(
                "A law is worth what it predicts. Both laws, as they were found, meet a record of another day: other \
                 motions, other pressures, nothing fitted.",
            );
            page.of(&tour.check);
            page.of(&tour.baseline);
            if let Some(figure) = pictures::check(&tour.check, &tour.baseline) {
                page.figure(
                    &figure,
                    "Friction measured and predicted, around a step of the pressure at 4 s, and what is left.",
                );
            }
            page.out += "<div class=\"wide\"><table>\n<thead><tr><th>law</th><th>rms of what is left [N]</th>\
                         <th>of the friction's rms</th><th>of its range</th></tr></thead>\n";
            for (name, step) in [("hysteresis, identified", &tour.check), ("Coulomb and viscous", &tour.baseline)] {
                let [rms, relative, range] = ["rms", "relative", "nrmse"].map(|key| step.score(key));
                let _ = writeln!(
                    page.out,
                    "<tr><td>{name}</td><td>{}</td><td>{}</td><td>{}</td></tr>",
                    four(rms),
                    percent(relative),
                    percent(range)
                );
            }
            page.out += "</table></div>\n";
            page.paragraph(&format!(
                "The force sensor alone has noise of {} N: a law that were exact could not leave less. One limit is not seen \
                 here: where the slide slows down gently this law has no answer between its two curves and chatters from one to \
                 the other, and no record tells which came first. These motions are brisk.",
                four(FORCE.noise)
            ));
            page.own(
                "RowSample a record back, and hold the law against it with <code>--check</code> before you believe it.",
            );
        });
    }

    pub fn yours(&mut self) {
        let tour = self.tour;
        self.section("Your turn", |page| {
            page.paragraph("A log with time, position and force is enough:");
            for (line, what) in tour.next() {
                page.command(&line.shown(&tour.dir));
                page.paragraph(&format!("<span class=\"soft\">{}</span>", text(what)));
            }
        });
    }
}
