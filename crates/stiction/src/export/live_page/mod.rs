//! A law as a live page: sliders for its parameters, and its steady curve, its loops, its break-away and stick-slip, which the page
//! computes itself. It is one file of HTML that needs no network and no server: the law is in it as WebAssembly, written from the
//! same program as the law in the simulator. The same part is in reports and in the tour.
//!
//! ```
//! use stiction::{Spec, export::live_page::LiveLaw};
//!
//! let spec = Spec::new("stribeck")?;
//! let html = LiveLaw::new(&spec, "stribeck").page()?;
//! assert!(html.contains("Stribeck") && !html.contains("://"));
//! # Ok::<(), stiction::Error>(())
//! ```
use super::law::{LawCode, latex, wasm};
use crate::analysis::characteristic_scales::CharacteristicScales;
use crate::law_documentation::LawDocumentation;
use crate::units::LawUnits;
use crate::{Error, ParameterGroup, Spec, html_page};
use base64::prelude::{BASE64_STANDARD, Engine};
use maud::{DOCTYPE, Markup, PreEscaped, html};
use wasm::quoted;

/// The style of the part with sliders and plots, for pages that have one.
pub const STYLE: &str = include_str!("live.css");
const PAGE_STYLE: &str = include_str!("page.css");
/// Draws line plots as SVG.
pub const PLOT_SCRIPT: &str = include_str!("plot.js");
/// Makes such a plot readable by pointer, touch and keys: values, a part of it, and back.
pub const EXPLORE_SCRIPT: &str = include_str!("explore.js");
/// The law, the plots and the sliders: functions that pages and cells of notebooks use.
const FUNCTIONS: [&str; 5] =
    [include_str!("law.js"), PLOT_SCRIPT, EXPLORE_SCRIPT, include_str!("controls.js"), include_str!("live.js")];
/// Range of the steady curve in characteristic speeds of the law, as in the book.
const REACH: f64 = 8.0;
/// Load factors that the slider of the load reaches.
const LOAD_FACTORS: [f64; 2] = [0.0, 3.0];

/// The script that makes every such part of a page live.
pub fn script() -> String {
    FUNCTIONS.concat() + include_str!("parts.js")
}

/// The module that makes such a part live in a cell of a notebook, as anywidget takes it: it shows `_markup` in `_style`, and `values` has the
/// parameters by their keys.
pub fn cell_script() -> String {
    FUNCTIONS.concat() + html_page::CELL_SCRIPT + include_str!("cell.js")
}

/// The style of a part in a cell of a notebook.
pub fn cell_style() -> String {
    html_page::cell_style(STYLE)
}

/// A law to be shown live.
#[derive(Clone, Copy, Debug)]
pub struct LiveLaw<'a> {
    spec: &'a Spec,
    source: &'a str,
    turns: Option<bool>,
    mass: Option<f64>,
}

impl<'a> LiveLaw<'a> {
    /// A law with its values; `source` is the name or file, with its options, that the commands on the page take.
    pub fn new(spec: &'a Spec, source: &'a str) -> Self {
        Self { spec, source, turns: None, mass: None }
    }
    /// Whether the contact turns, if that is known: torques and angles instead of forces and lengths.
    #[must_use]
    pub fn turns(self, turns: Option<bool>) -> Self {
        Self { turns, ..self }
    }
    /// The mass of the body, or its inertia, if that is known; else one that suits the scales of the law.
    #[must_use]
    pub fn mass(self, mass: Option<f64>) -> Self {
        Self { mass: mass.filter(|mass| *mass > 0.0 && mass.is_finite()), ..self }
    }
    /// The page of the law.
    ///
    /// # Errors
    /// As [`LawCode::of`], and as [`Spec::build`].
    pub fn page(&self) -> Result<String, Error> {
        let law = self.spec.law();
        let code = self.code()?;
        let script = script();
        let style = html_page::style(&format!("{STYLE}{PAGE_STYLE}"));
        let page = html! {
            (DOCTYPE)
            html lang="en" {
                (html_page::head(&format!("stiction: {}", law.name), &style, Some(&script)))
                body {
                    header {
                        h1 { (law.name) }
                        p { (LawDocumentation::parse(law.doc).summary) }
                        @if self.source != law.name { p class="soft" { "Values of " code { (self.source) } } }
                        (equations(&code))
                    }
                    main { (self.section_of(&code)?) }
                    footer {
                        p class="soft" {
                            "Made by " code { "stiction " (env!("CARGO_PKG_VERSION")) } ". The page computes everything itself, with the \
                             law of the simulator as WebAssembly. Bodies move in samples of a fixed length; the program's own runs \
                             choose their steps by the error and locate every event."
                        }
                    }
                    script { (PreEscaped(script.as_str())) }
                }
            }
        };
        Ok(page.into_string())
    }
    /// The part with sliders and plots. A page with one or several has [`STYLE`] after the common style, and [`script`] at its end.
    ///
    /// # Errors
    /// As [`LiveLaw::page`].
    pub fn section(&self) -> Result<Markup, Error> {
        self.section_of(&self.code()?)
    }
    /// The equations of the law, typeset.
    ///
    /// # Errors
    /// As [`LawCode::of`].
    pub fn equations(&self) -> Result<Markup, Error> {
        Ok(equations(&self.code()?))
    }
    fn code(&self) -> Result<LawCode, Error> {
        let code = LawCode::of(self.spec)?;
        Ok(if self.turns == Some(true) { code.in_rotational_units() } else { code })
    }
    fn section_of(&self, code: &LawCode) -> Result<Markup, Error> {
        Ok(html! {
            div class="live" {
                div class="live-parts" {
                    div class="controls" {
                        h3 { "Parameters" }
                        div data-part="parameters" {}
                        p class="condition" data-part="condition" role="status" {}
                        button data-part="reset" type="button" { "As given" }
                        h3 { "Load, body and spring" }
                        div data-part="rig" {}
                        h3 { "The same in the program" }
                        pre data-part="command" {}
                    }
                    div class="plots" {
                        @for (name, title, text) in FIGURES {
                            figure {
                                h3 { (title) }
                                svg data-part=(name) role="img" aria-label=(title) {}
                                figcaption { p { (text) } p data-part={ (name) "-text" } {} }
                            }
                        }
                        p class="note hint" { (READING) }
                    }
                }
                noscript { p { "The plots need JavaScript and WebAssembly." } }
                script type="application/json" { (PreEscaped(self.data(code)?)) }
            }
        })
    }
    /// What the script needs: the module, the values, and the scales on which the law acts. The less-than sign, which could end the
    /// element, is written as an escape.
    fn data(&self, code: &LawCode) -> Result<String, Error> {
        // the levels are those at the nominal load
        let scales = CharacteristicScales::measure(&self.spec.clone().without(ParameterGroup::Load))?;
        let conditions = code.conditions();
        let units = LawUnits::new(code.turns());
        let list = |items: Vec<String>| format!("[{}]", items.join(","));
        let number = |x: f64| if x.is_finite() { x.to_string() } else { "null".to_owned() };
        let texts = |texts: &[String]| list(texts.iter().map(|text| quoted(text)).collect());
        let record = |fields: &[(&str, String)]| -> String {
            let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
            format!("{{{}}}", fields.join(","))
        };
        let [load, least, most] = self.loads(code);
        let text = record(&[
            ("module", quoted(&BASE64_STANDARD.encode(wasm::module_with(code, &holds(code))))),
            ("source", quoted(self.source)),
            ("keys", texts(&code.keys())),
            ("values", list(code.params.iter().map(|p| number(p.default)).collect())),
            ("conditions", texts(&conditions.texts)),
            ("reach", number(REACH)),
            ("mass", self.mass.map_or_else(|| "null".to_owned(), number)),
            ("load", record(&[("default", number(load)), ("min", number(least)), ("max", number(most))])),
            (
                "scales",
                record(&[
                    ("speed", number(scales.speed)),
                    ("length", number(scales.length)),
                    ("peak", number(scales.peak)),
                    ("stiffness", scales.stiffness.map_or_else(|| "null".to_owned(), number)),
                ]),
            ),
            (
                "units",
                record(&[
                    ("speed", quoted(units.speed)),
                    ("force", quoted(units.force)),
                    ("length", quoted(units.displacement)),
                    ("mass", quoted(if code.turns() { "kg·m²" } else { "kg" })),
                    ("stiffness", quoted(if code.turns() { "N·m/rad" } else { "N/m" })),
                ]),
            ),
        ]);
        Ok(text.replace('<', "\\u003c"))
    }
    /// The load at which the levels hold, and the bounds of its slider.
    fn loads(&self, code: &LawCode) -> [f64; 3] {
        let [low, high] = LOAD_FACTORS;
        let low = if code.signed_load() { -high } else { low };
        if !code.maps_load() {
            return [1.0, low, high];
        }
        let map = self.spec.values(ParameterGroup::Load);
        let (base, slope) = (map[0], map[1]);
        if slope == 0.0 {
            // the load does nothing
            return [0.0, 0.0, 1.0];
        }
        let at = |factor: f64| (factor - base) / slope;
        [at(1.0), at(low).min(at(high)), at(low).max(at(high))]
    }
}

/// The equations of a law, typeset, and which parameter each symbol is; those that MathML has no way to write are shown as the plain text
/// of its documentation.
fn equations(code: &LawCode) -> Markup {
    let typeset = latex::equations_of(code).and_then(|written| {
        let symbols = written.params.iter().zip(code.keys());
        let symbols = symbols.map(|(symbol, key)| html_page::formula(&symbol.latex).map(|formula| (formula, key)));
        Some((html_page::typeset(&written.text).ok()?, symbols.collect::<Result<Vec<_>, _>>().ok()?))
    });
    let plain = || LawDocumentation::parse(code.law.doc).equations.join("\n");
    html! {
        @match typeset {
            Some((equations, symbols)) => {
                div class="equations" {
                    (equations)
                    @if !symbols.is_empty() {
                        p class="soft" {
                            "Parameters: "
                            @for (k, (symbol, key)) in symbols.iter().enumerate() {
                                @if k > 0 { ", " }
                                (symbol) " is " code { (key) }
                            }
                            "."
                        }
                    }
                }
            }
            None => { pre { (plain()) } }
        }
    }
}

/// The plots: name, title and what it shows.
const FIGURES: [(&str, &str, &str); 4] = [
    ("steady", "Steady curve", "Friction after long sliding at each speed."),
    ("loops", "Loops", "Friction while the contact moves to and fro slowly, over three amplitudes."),
    ("breakaway", "Break-away", "The force on a body at rest (dashed) rises until friction no longer follows it."),
    ("stick-slip", "Stick-slip", "The force of a spring that pulls the body at constant speed."),
];

/// How plots are read.
const READING: &str = "Point at a curve, or tap it, to read its values; drag across it to look closer, double-click to see all of it again (keys: \
                       arrows, plus, minus, 0). Thin lines show the law with the values given, once others are set.";

/// The function that tells which conditions between parameters hold, if there are any.
fn holds(code: &LawCode) -> Vec<wasm::NamedProgram> {
    let conditions = code.conditions();
    if conditions.texts.is_empty() {
        return Vec::new();
    }
    let memory = code.law.states.iter().map(|state| state.name.to_owned());
    let arguments = memory.chain(code.params.iter().map(|p| p.name.to_owned())).collect();
    vec![wasm::NamedProgram { name: "holds", arguments, program: conditions.program }]
}
