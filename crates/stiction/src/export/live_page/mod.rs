//! A law as a live page: sliders for its parameters, and its steady curve, its loops, its break-away and stick-slip, which the page
//! computes itself. It is one file of HTML that needs no network and no server: the law is in it as WebAssembly, written from the
//! same program as the law in the simulator.
//!
//! ```
//! use stiction::{Spec, export::live_page};
//!
//! let html = live_page::html(&Spec::new("stribeck")?, "stribeck")?;
//! assert!(html.contains("Stribeck") && !html.contains("://"));
//! # Ok::<(), stiction::Error>(())
//! ```
use super::law::{LawCode, LawCodeError, wasm};
use super::law_conditions::Conditions;
use crate::analysis::characteristic_scales::CharacteristicScales;
use crate::law_documentation::LawDocumentation;
use crate::units::LawUnits;
use crate::{Error, ParameterGroup, Spec};
use base64::prelude::{BASE64_STANDARD, Engine};
use maud::{DOCTYPE, PreEscaped, html};
use wasm::quoted;

/// Colours and shapes of pages, in the light and in the dark.
pub const STYLE: &str = include_str!("page.css");
/// Draws line plots as SVG.
pub const PLOT_SCRIPT: &str = include_str!("plot.js");
const SCRIPT: [&str; 3] = [include_str!("law.js"), PLOT_SCRIPT, include_str!("page.js")];
/// Range of the steady curve in characteristic speeds of the law, as in the book.
const REACH: f64 = 8.0;

/// The page of a law with its values; `source` is the name or file, with its options, that the commands on the page take.
///
/// # Errors
/// [`LawCodeError`]: as for a law as source code.
pub fn html(spec: &Spec, source: &str) -> Result<String, Error> {
    let wrapped = [ParameterGroup::Reverse, ParameterGroup::Load, ParameterGroup::Noise];
    if wrapped.into_iter().any(|part| spec.has(part)) {
        return Err(LawCodeError::Wrapped.into());
    }
    let law = spec.law();
    let code = LawCode::new(law)?.with_defaults(&spec.values(ParameterGroup::Law));
    let about = LawDocumentation::parse(law.doc);
    let script = SCRIPT.concat();
    // nothing but this script and this style runs, and nothing is loaded
    let policy = format!(
        "default-src 'none'; script-src 'sha256-{}' 'wasm-unsafe-eval'; style-src 'sha256-{}'",
        hash(&script),
        hash(STYLE)
    );
    let page = html! {
        (DOCTYPE)
        html lang="en" {
            head {
                meta charset="utf-8";
                meta http-equiv="Content-Security-Policy" content=(policy);
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "stiction: " (law.name) }
                style { (PreEscaped(STYLE)) }
            }
            body {
                header {
                    h1 { (law.name) }
                    p { (about.summary) }
                    @if source != law.name { p class="note" { "Values of " code { (source) } } }
                    @if !about.equations.is_empty() { pre { (about.equations.join("\n")) } }
                }
                main {
                    section class="controls" {
                        h2 { "Parameters" }
                        div id="parameters" {}
                        p id="condition" role="status" {}
                        button id="reset" type="button" { "As given" }
                        h2 { "Body and spring" }
                        div id="rig" {}
                        h2 { "The same in the program" }
                        pre id="command" {}
                    }
                    div class="plots" {
                        @for (id, title, text) in FIGURES {
                            figure {
                                h2 { (title) }
                                svg id=(id) role="img" aria-label=(title) {}
                                figcaption { p { (text) } p id={ (id) "-text" } {} }
                            }
                        }
                    }
                }
                footer {
                    p class="note" {
                        "Made by " code { "stiction " (env!("CARGO_PKG_VERSION")) } ". The page computes everything itself, with the law of the \
                         simulator as WebAssembly. Bodies move in samples of a fixed length; the program's own runs choose their \
                         steps by the error and locate every event."
                    }
                    noscript { p { "The plots need JavaScript and WebAssembly." } }
                }
                script type="application/json" id="law-data" { (PreEscaped(data(&code, spec, source)?)) }
                script { (PreEscaped(script.as_str())) }
            }
        }
    };
    Ok(page.into_string())
}

/// The plots: identifier, title and what it shows.
const FIGURES: [(&str, &str, &str); 4] = [
    ("steady", "Steady curve", "Friction after long sliding at each speed."),
    ("loops", "Loops", "Friction while the contact moves to and fro slowly, over three amplitudes."),
    ("breakaway", "Break-away", "The force on a body at rest (dashed) rises until friction no longer follows it."),
    ("stick-slip", "Stick-slip", "The force of a spring that pulls the body at constant speed."),
];

/// What the script needs: the module, the values, and the scales on which the law acts. The less-than sign, which could end the element, is
/// written as an escape.
fn data(code: &LawCode, spec: &Spec, source: &str) -> Result<String, Error> {
    let scales = CharacteristicScales::measure(spec)?;
    let conditions = Conditions::of(code.law, 0);
    let units = LawUnits::of(code.law);
    let turns = code.turns();
    let list = |items: Vec<String>| format!("[{}]", items.join(","));
    let number = |x: f64| if x.is_finite() { x.to_string() } else { "null".to_owned() };
    let fields = [
        ("module", quoted(&BASE64_STANDARD.encode(wasm::module_with(code, &holds(code, &conditions))))),
        ("source", quoted(source)),
        ("values", list(code.params.iter().map(|p| number(p.default)).collect())),
        ("conditions", list(conditions.texts.iter().map(|text| quoted(text)).collect())),
        ("reach", number(REACH)),
        (
            "scales",
            format!(
                "{{\"speed\":{},\"length\":{},\"peak\":{},\"stiffness\":{}}}",
                number(scales.speed),
                number(scales.length),
                number(scales.peak),
                scales.stiffness.map_or_else(|| "null".to_owned(), number)
            ),
        ),
        (
            "units",
            format!(
                "{{\"speed\":{},\"force\":{},\"length\":{},\"mass\":{},\"stiffness\":{}}}",
                quoted(units.speed),
                quoted(units.force),
                quoted(units.displacement),
                quoted(if turns { "kg·m²" } else { "kg" }),
                quoted(if turns { "N·m/rad" } else { "N/m" })
            ),
        ),
    ];
    let fields: Vec<String> = fields.iter().map(|(name, value)| format!("{}:{value}", quoted(name))).collect();
    Ok(format!("{{{}}}", fields.join(",")).replace('<', "\\u003c"))
}

/// The function that tells which conditions between parameters hold, if there are any.
fn holds(code: &LawCode, conditions: &Conditions) -> Vec<wasm::NamedProgram> {
    if conditions.texts.is_empty() {
        return Vec::new();
    }
    let memory = code.law.states.iter().map(|state| state.name.to_owned());
    let arguments = memory.chain(code.params.iter().map(|p| p.name.to_owned())).collect();
    vec![wasm::NamedProgram { name: "holds", arguments, program: conditions.program.clone() }]
}

/// The digest of a script or style, as a policy of a page names it.
fn hash(text: &str) -> String {
    // reading from memory does not fail
    let hex = crate::digest::sha256(text.as_bytes()).unwrap_or_default();
    let byte = |k: usize| u8::from_str_radix(&hex[2 * k..2 * k + 2], 16).unwrap_or_default();
    BASE64_STANDARD.encode((0..hex.len() / 2).map(byte).collect::<Vec<u8>>())
}
