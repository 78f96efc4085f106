//! The chapters of the page, in their order.
use super::page::{Page, command, numbers, on_your_data, remarks};
use super::pictures;
use super::test_rig::{FORCE, NOMINAL, POSITION, PRESSURE, RECORDS};
use super::text::{four, interval, percent, unit};
use maud::{Markup, html};
use stiction::export::live_page::LiveLaw;
use stiction::identify::Severity;
use stiction_report::text::quote;

impl Page<'_> {
    pub fn machine(&mut self) -> Markup {
        let truth = &self.tour.truth;
        let body = html! {
            p {
                "A slide of " (four(truth.mass)) " kg on a rodless pneumatic cylinder, as Nouri measured it (ISA Transactions 43, \
                 2004). Its seals are rubber: before they slide they yield by more than a millimetre, along hysteresis loops \
                 with memory of every turning point. Then they break away. In sliding, friction is larger while the speed \
                 rises than while it falls. And all dry friction grows by " (percent(truth.slope().unwrap_or(f64::NAN)))
                " with every bar of supply pressure. The law is " code { "hysteresis" } ":"
            }
            @if let Ok(equations) = LiveLaw::new(&truth.law, truth.law.law().name).equations() { (equations) }
            p {
                "Four experiments are run on it: slow pulls until it breaks away, strokes of a millimetre and less, fast sines, \
                 and a second day with other motions at other pressures. Each is a scenario that can be run by itself:"
            }
            @for (name, _) in RECORDS { (command(&format!("stiction run {name} -o {name}"))) }
            (on_your_data(html! {
                "Leave this step out. A rig that you want to plan comes first as a scenario, too: "
                code { "stiction scenarios" } "."
            }))
        };
        self.section("The machine", body)
    }

    pub fn logs(&mut self) -> Markup {
        let tour = self.tour;
        let file = quote(&tour.dir.join(RECORDS[2].1).to_string_lossy());
        let body = html! {
            p {
                "Sensors do not record the motion itself. The position sensor has a resolution of " (four(1e6 * POSITION.step))
                " µm and noise of " (four(1e6 * POSITION.noise)) " µm: a very good one, of the class of interferometers, such as \
                 is mounted on a rig to measure it once. The servo at the end has a plainer one, as " code { "rig-servo" }
                " says. The force comes from a pressure difference, with noise of " (four(FORCE.noise)) " N and a resolution of "
                (four(FORCE.step)) " N; the supply pressure is known to " (four(PRESSURE.noise)) " bar. The logs hold time, \
                 position, force and pressure, a thousand times a second, and nothing else: no velocity, no mass."
            }
            (command(&format!("stiction data {file}")))
            @if let Some(log) = tour.logs.get(2) {
                (self.figure(&pictures::log(log), html! {
                    "The first seconds of " code { "fast.csv" } ". At 2 s the pressure falls by 5 bar."
                }))
            }
            (on_your_data(html! {
                code { "stiction data" } " reads CSV, JSON, MATLAB, Parquet and MCAP, and reports gaps, jitter, resolution and delays \
                 before they spoil a fit. " code { "stiction excite" } " plans a motion that shows more in less time."
            }))
        };
        self.section("The logs", body)
    }

    pub fn breakaway(&mut self) -> Markup {
        let step = &self.tour.found.breakaway;
        let body = html! {
            p {
                "Under a rising force the slide yields, and then breaks away. The instant is found as a change point in the \
                 position, without a threshold; force and pressure are read there, in both directions, at six pressures."
            }
            (self.command_of(step))
            (self.pictures(step, &[
                "Each pull, and where it breaks away.",
                "The displacement up to break-away. The contact yields by half a millimetre and more before it slides.",
                "Break-away grows with the pressure: a line with its confidence band.",
            ]))
            (numbers(step))
            (on_your_data(html! {
                "Raise the force slowly from rest, some times each way. Without a pressure leave out the three "
                code { "--load" } " options."
            }))
        };
        self.section("Break-away", body)
    }

    pub fn presliding(&mut self) -> Markup {
        let step = &self.tour.found.presliding;
        let body = html! {
            p {
                "Below break-away friction is a function of the displacement, with memory: from every turning point the force \
                 rises along the same curve, and a loop that closes is forgotten. The record is cut at its turning points, the \
                 pieces are laid upon one another, and the curve through them is fitted: three stiffnesses, a force, a length."
            }
            (self.command_of(step))
            (self.pictures(step, &[
                "Loops within loops, measured and replayed by two laws. The widest stays just short of break-away; the last \
                 pull breaks away, and the record ends while the slide slides.",
                "All branches from their turning points on: one curve, as it should be.",
            ]))
            (numbers(step))
            p { "Whether there is such a curve at all was tested against the noise:" }
            (remarks(step, &[Severity::Good, Severity::Critical]))
            (on_your_data(html! {
                "Move to and fro by less than break-away takes, with reversals within reversals, slowly. If friction itself was \
                 measured, not the force of a drive: " code { "--mass 0" } "."
            }))
        };
        self.section("Presliding", body)
    }

    pub fn sliding(&mut self) -> Markup {
        let tour = self.tour;
        let step = &tour.found.sliding;
        let mass = step.result().and_then(|result| result.estimate("mass")).map_or(f64::NAN, |e| e.value);
        let body = html! {
            p {
                "What everybody tries first: mass, Coulomb level, viscous coefficient, by linear least squares. The fit looks \
                 good, and it is wrong."
            }
            (self.command_of(step))
            (self.pictures(step, &[
                "Friction over velocity. The cloud has two sides: one for rising speed, one for falling.",
                "",
            ]))
            (numbers(step))
            p {
                "It finds " (four(mass)) " kg where there are " (four(tour.truth.mass)) ". More force while the speed rises, less \
                 while it falls: that is what inertia does, and a law without memory can only attribute it to inertia. The \
                 report notices that something is wrong, and suspects a delay between the channels or a difference between \
                 the directions of motion:"
            }
            (remarks(step, &[Severity::Warning]))
            (on_your_data(html! {
                "This is still the right beginning: it takes no time, and it gives mass and viscosity where friction has no \
                 memory. Leave out " code { "--model" } " and the best law is sought."
            }))
        };
        self.section("Sliding, without memory", body)
    }

    pub fn dynamic(&mut self) -> Markup {
        let tour = self.tour;
        let step = &tour.found.dynamic;
        let picture = tour.logs.get(2).and_then(|log| pictures::law(step, log));
        let body = html! {
            p {
                "Now the law with memory is driven by the measured motion, sample by sample, and its parameters are fitted so \
                 that it gives the measured force: break-away, both sliding curves, the dependence on pressure, and the mass. \
                 The parameters known from presliding are held, for the fast record passes through presliding within \
                 milliseconds. The position sensor is good enough to filter its positions less than usual, so that a force that \
                 jumps is not blurred. Pressure counts from " (four(NOMINAL)) " bar, so that the levels are those at "
                (four(NOMINAL)) " bar."
            }
            p {
                "The name of the law is given, not found: it is the one that the rig was made with. And " code { "--filter" }
                " and " code { "--bounds" } " were chosen with the truth in view: with the usual filter the mass came out too \
                 large. Without a truth to look at, try several filters and compare the numbers: where these move by more than \
                 their intervals, the intervals are too short. The residual alone does not tell, for a stronger filter also lets \
                 less noise through. A mass that was weighed, or a second record, tells more."
            }
            (self.command_of(step))
            @if let Some(figure) = picture {
                (self.figure(&figure, html! {
                    "The measured force, and the force of the law for the same motion: two curves, six pressures."
                }))
            }
            (numbers(step))
            (self.live_law())
            (on_your_data(html! {
                "Any law of " code { "stiction models" } " can take the place of " code { "hysteresis" } "; " code { "lugre" }
                " is the usual one. " code { "--set" } " holds what you know, " code { "--bounds" } " says where to look, "
                code { "--profile" } " takes more time for the intervals."
            }))
        };
        self.section("The whole law", body)
    }

    pub fn accuracy(&mut self) -> Markup {
        let tour = self.tour;
        let body = html! {
            p {
                "A measured machine has no such table. " (tour.held()) " of " (tour.rows.len()) " intervals contain the true value; \
                 of 95 % intervals one in twenty should not."
            }
            div class="wide" {
                table {
                    thead {
                        tr {
                            th { "step" } th class="text" { "what" } th {} th { "true" } th { "identified" }
                            th { "95 % interval" } th class="text" { "unit" } th { "holds" }
                        }
                    }
                    @for row in &tour.rows {
                        @let word = if row.holds() { "yes" } else { "no" };
                        tr {
                            td { (row.step) } td class="text" { (row.doc) } td { (row.label()) } td { (four(row.truth)) }
                            td { (four(row.found.value)) } td { (interval(row.found.interval)) }
                            td class="text" { (unit(&row.found)) } td class=(word) { (word) }
                        }
                    }
                }
            }
            @for row in tour.rows.iter().filter(|row| !row.holds()) {
                p { b { (row.label()) } " (" (row.step) ") has an error of " (percent(row.off())) ". " (row.reason()) }
            }
            (self.figure(&pictures::intervals(&tour.rows), html! {
                "Identified minus true value, with its interval, for each row of the table. Numbers with an error of more than \
                 a tenth are in the table only."
            }))
        };
        self.section("How certain, and how true", body)
    }

    pub fn validation(&mut self) -> Markup {
        let tour = self.tour;
        let body = html! {
            p {
                "A law is worth what it predicts. Both laws, as they were found, are compared with a record of another day: other \
                 motions, other pressures, nothing fitted."
            }
            (self.command_of(&tour.check))
            (self.command_of(&tour.baseline))
            @if let Some(figure) = pictures::check(&tour.check, &tour.baseline) {
                (self.figure(&figure, html! {
                    "Friction measured and predicted, around a step of the pressure at 4 s, and the residual."
                }))
            }
            div class="wide" {
                table {
                    thead {
                        tr { th { "law" } th { "rms residual [N]" } th { "of the friction's rms" } th { "of its range" } }
                    }
                    @for (name, step) in [("hysteresis, identified", &tour.check), ("Coulomb and viscous", &tour.baseline)] {
                        tr {
                            td { (name) } td { (four(step.score("rms"))) } td { (percent(step.score("relative"))) }
                            td { (percent(step.score("nrmse"))) }
                        }
                    }
                }
            }
            p {
                "The force sensor alone has noise of " (four(FORCE.noise)) " N: even an exact law could not leave less. One limit \
                 is not seen here: where the slide slows down gently this law has no force between its two curves and chatters \
                 from one to the other, and no record tells which came first. These motions are brisk."
            }
            (on_your_data(html! {
                "Keep a record back, and compare the law with it by " code { "--check" } " before you believe it."
            }))
        };
        self.section("Another record", body)
    }

    pub fn next_steps(&mut self) -> Markup {
        let tour = self.tour;
        let body = html! {
            p { "A log with time, position and force is enough:" }
            @for (line, what) in tour.next() {
                (command(&line.shown(&tour.dir)))
                p { span class="soft" { (what) } }
            }
        };
        self.section("Your turn", body)
    }
}
