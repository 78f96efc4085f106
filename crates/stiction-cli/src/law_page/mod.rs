//! The documentation of one law or wrapper, as data, as text and in Markdown.
pub mod group;
mod markdown;
pub use markdown::PHENOMENA;

use crate::wrappers::Wrapper;
use serde::Serialize;
use std::collections::BTreeMap;
use stiction::core::registry::{LawEntry, WRAPPERS};
use stiction::core::{Param, Recipe};
use stiction::{ParameterGroup, Spec, law_documentation::LawDocumentation, number::short};
use stiction_report::references::Source;
use stiction_report::text::{command, list, table, wrap};

/// One law or wrapper.
#[derive(Serialize)]
pub struct LawPage {
    name: &'static str,
    kind: &'static str,
    doc: String,
    equations: Vec<String>,
    remarks: Vec<String>,
    cite: &'static [&'static str],
    sources: Vec<Source>,
    shows: &'static [&'static str],
    params: Vec<ParamView>,
    relations: Vec<&'static str>,
    states: Vec<StateView>,
    recipes: Vec<RecipeView>,
    usage: Vec<String>,
    /// Values of a parameter file.
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<FileView>,
}

#[derive(Serialize)]
struct FileView {
    path: String,
    values: BTreeMap<String, f64>,
    #[serde(skip)]
    rows: Vec<[String; 3]>,
}

#[derive(Serialize)]
struct ParamView {
    name: String,
    unit: &'static str,
    default: f64,
    min: f64,
    max: f64,
    doc: &'static str,
}

#[derive(Serialize)]
struct StateView {
    name: &'static str,
    unit: &'static str,
}

#[derive(Serialize)]
struct RecipeView {
    doc: &'static str,
    inputs: Vec<ParamView>,
    outputs: &'static [&'static str],
}

impl ParamView {
    fn new(part: ParameterGroup, p: &Param) -> Self {
        let (unit, doc) = (p.unit, p.doc.trim());
        Self { name: part.key(p.name), unit, default: p.default, min: p.min, max: p.max, doc }
    }
    fn row(&self) -> [String; 6] {
        let [default, min, max] = [self.default, self.min, self.max].map(short);
        [self.name.clone(), self.unit.to_owned(), default, min, max, self.doc.to_owned()]
    }
}

impl RecipeView {
    fn new(recipe: &Recipe) -> Self {
        let inputs = recipe.inputs.iter().map(|p| ParamView::new(ParameterGroup::Law, p)).collect();
        Self { doc: recipe.doc, inputs, outputs: recipe.outputs }
    }
}

impl LawPage {
    /// The page of a law.
    pub fn law(law: &LawEntry) -> Self {
        let recipe = |recipe: &Recipe| {
            let known: Vec<_> =
                recipe.inputs.iter().map(|p| format!("--from {}={}", p.name, short(p.default))).collect();
            format!("stiction params {} {}", law.name, known.join(" "))
        };
        let mut usage = vec![format!("stiction curve {} --range -0.1:0.1:5", law.name)];
        usage.extend(law.recipes.iter().map(recipe));
        Self { kind: "law", usage, ..Self::of(law, ParameterGroup::Law) }
    }
    /// The page of the law of a parameter file, with the values of the file.
    pub fn of_file(path: &str, spec: &Spec) -> Self {
        let parts = ParameterGroup::ALL.into_iter().flat_map(|part| {
            spec.rows(part).into_iter().map(move |(p, x)| (part.key(p.name), x, p.unit)).collect::<Vec<_>>()
        });
        let parts: Vec<(String, f64, &str)> = parts.collect();
        let rows = parts.iter().map(|(name, x, unit)| [name.clone(), short(*x), (*unit).to_owned()]).collect();
        let values = parts.into_iter().map(|(name, x, _)| (name, x)).collect();
        let usage = vec![format!("stiction curve {path} --range -0.1:0.1:5")];
        Self { usage, file: Some(FileView { path: path.to_owned(), values, rows }), ..Self::law(spec.law()) }
    }
    /// The page of a wrapper.
    pub fn wrapper(wrapper: &Wrapper) -> Self {
        let usage = vec![wrapper.usage.to_owned()];
        let page = match WRAPPERS.iter().find(|entry| entry.name == wrapper.group.prefix()) {
            Some(entry) => Self::of(entry, wrapper.group),
            None => Self::empty(wrapper.doc, wrapper.cite, wrapper.shows),
        };
        Self { name: wrapper.name, kind: "wrapper", usage, ..page }
    }

    fn of(entry: &LawEntry, part: ParameterGroup) -> Self {
        Self {
            name: entry.name,
            params: entry.params.iter().map(|p| ParamView::new(part, p)).collect(),
            relations: entry.relations.iter().map(|relation| relation.text).collect(),
            states: entry.states.iter().map(|state| StateView { name: state.name, unit: state.unit }).collect(),
            recipes: entry.recipes.iter().map(RecipeView::new).collect(),
            ..Self::empty(entry.doc, entry.cite, entry.shows)
        }
    }
    fn empty(doc: &str, cite: &'static [&'static str], shows: &'static [&'static str]) -> Self {
        let LawDocumentation { summary: doc, equations, remarks } = LawDocumentation::parse(doc);
        let (params, relations, states, recipes) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let (name, kind, usage, file) = ("", "", Vec::new(), None);
        let sources = cite.iter().map(|key| Source::new(key)).collect();
        Self {
            name,
            kind,
            doc,
            equations,
            remarks,
            cite,
            sources,
            shows,
            params,
            relations,
            states,
            recipes,
            usage,
            file,
        }
    }

    /// A row of the list: name, number of states, summary.
    pub fn row(&self) -> [String; 3] {
        let states = if self.kind == "law" { self.states.len().to_string() } else { String::new() };
        [self.name.to_owned(), states, self.doc.clone()]
    }

    /// The page as text.
    pub fn text(&self) -> String {
        let mut out = wrap(&format!("{}  ", self.name), &self.doc, 0);
        let mut section = |title: &str, body: String| {
            if !body.trim().is_empty() {
                out += &format!("\n{title}\n{body}");
            }
        };
        if let Some(file) = &self.file {
            section(&format!("Values in {}", file.path), table(&file.rows, &[1]));
        }
        section("Equations", self.equations.iter().map(|line| format!("  {line}\n")).collect());
        section("Remarks", self.remarks.iter().map(|text| wrap("  ", text, 2)).collect());
        section("Parameters", params(&self.params));
        section("Conditions", list(&self.relations));
        let mut states = states(&self.states);
        if states.is_empty() && self.kind == "law" {
            states.push("none".to_owned());
        }
        section("States", list(&states));
        section("Captures", list(self.shows));
        let recipe = |recipe: &RecipeView| wrap("  ", recipe.doc, 2) + &params(&recipe.inputs);
        section("From what you know", self.recipes.iter().map(recipe).collect::<Vec<_>>().join("\n"));
        section("Use", self.usage.iter().map(|line| command(line)).collect());
        let sources: Vec<_> = self.sources.iter().map(|source| [source.key.to_owned(), source.text()]).collect();
        section("Sources", table(&sources, &[]));
        out
    }
}

/// Names and units of states; of numbered ones only the first and the last.
fn states(states: &[StateView]) -> Vec<String> {
    let stem = |state: &StateView| state.name.trim_end_matches(|c: char| c.is_ascii_digit());
    let alike = |a: &StateView, b: &StateView| stem(a) != a.name && stem(a) == stem(b) && a.unit == b.unit;
    let one = |state: &StateView| format!("{} [{}]", state.name, state.unit);
    let run = |run: &[StateView]| match run {
        [first, _, .., last] => vec![format!("{} … {}", first.name, one(last))],
        few => few.iter().map(one).collect(),
    };
    states.chunk_by(alike).flat_map(run).collect()
}

fn params(params: &[ParamView]) -> String {
    if params.is_empty() {
        return String::new();
    }
    let mut rows = vec![["name", "unit", "default", "min", "max", "meaning"].map(str::to_owned)];
    rows.extend(params.iter().map(ParamView::row));
    table(&rows, &[2, 3, 4])
}
