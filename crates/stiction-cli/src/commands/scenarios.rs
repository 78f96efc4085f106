//! `stiction scenarios`.
use crate::error::CommandError;
use crate::scenario::ScenarioNames;
use crate::stream;
use serde::Serialize;
use stiction::Error;
use stiction::core::control::registry::{self, ControllerEntry};
use stiction::scenario::keys::{self, Component};
use stiction::scenario::{Scenario, embedded};
use stiction::similar_names::similar;
use stiction_report::text;

/// List the scenarios that come with the program, or print one to start from.
#[derive(clap::Args)]
#[command(
    after_help = "Examples:\n  stiction scenarios\n  stiction scenarios a7 > mine.toml\n  stiction scenarios --keys\n  stiction scenarios --keys contact\n  stiction scenarios --keys kalman"
)]
pub struct Args {
    /// A scenario to print; with --keys, a component or a part of a controller to explain.
    #[arg(value_parser = ScenarioNames, hide_possible_values = true)]
    name: Option<String>,
    /// List the keys of scenario files: of every component, or of one.
    #[arg(long)]
    keys: bool,
    /// With --keys: as Markdown, for the pages of the book.
    #[arg(long, requires = "keys", hide = true)]
    markdown: bool,
}

#[derive(Serialize)]
struct ScenarioEntry {
    name: &'static str,
    title: String,
}

#[derive(Serialize)]
struct ScenarioText {
    name: &'static str,
    text: &'static str,
}

/// Runs the command.
pub fn run(args: &Args, json: bool) -> Result<(), CommandError> {
    match &args.name {
        _ if args.keys => explain(args.name.as_deref(), args.markdown, json),
        Some(name) => {
            let Some(entry) = embedded::find(name) else {
                let none: [&str; 0] = [];
                return Scenario::named(name, &none).map(drop).map_err(CommandError::from);
            };
            if json {
                return stream::json(&ScenarioText { name: entry.name, text: entry.text });
            }
            stream::text(entry.text)
        }
        None => list(json),
    }
}

fn list(json: bool) -> Result<(), CommandError> {
    let none: [&str; 0] = [];
    let title = |name: &'static str| Ok(ScenarioEntry { name, title: Scenario::named(name, &none)?.title });
    let entries = ScenarioNames::all().map(title).collect::<Result<Vec<_>, Error>>()?;
    if json {
        return stream::json(&entries);
    }
    let rows: Vec<_> = entries.into_iter().map(|entry| [entry.name.to_owned(), entry.title]).collect();
    let list = text::table(&rows, &[]) + "\n'stiction run NAME' runs one, 'stiction scenarios NAME' prints it.\n";
    stream::text(&list)
}

#[derive(Serialize)]
struct ComponentJson {
    name: &'static str,
    form: &'static str,
    doc: &'static str,
    keys: Vec<KeyJson>,
}

#[derive(Serialize)]
struct ControllerPartJson {
    name: &'static str,
    doc: String,
    cite: &'static [&'static str],
    keys: Vec<KeyJson>,
}

#[derive(Serialize)]
struct KeyJson {
    name: &'static str,
    is: &'static str,
    unit: &'static str,
    default: String,
    doc: &'static str,
}

impl KeyJson {
    fn new(key: &keys::Key) -> Self {
        let (name, is, unit, doc) = (key.name, key.kind.words(), key.unit, key.doc);
        Self { name, is, unit, default: key.default.to_string(), doc }
    }
}

impl ComponentJson {
    fn new(component: &Component) -> Self {
        let Component { name, form, doc, keys, .. } = *component;
        Self { name, form, doc, keys: keys.iter().map(KeyJson::new).collect() }
    }
}

/// The page of a part of a controller.
fn explain_part(entry: &ControllerEntry, keys: &[keys::Key], markdown: bool, json: bool) -> Result<(), CommandError> {
    // as the doc comment stands in the source, without the space after each ///
    let doc: Vec<&str> = entry.doc.lines().map(|line| line.strip_prefix(' ').unwrap_or(line)).collect();
    let doc = doc.join("\n");
    if json {
        let keys: Vec<KeyJson> = keys.iter().map(KeyJson::new).collect();
        return stream::json(&[ControllerPartJson { name: entry.name, doc, cite: entry.cite, keys }]);
    }
    if markdown {
        return stream::text(&format!("{}\n\n{}", doc.trim(), keys::markdown(keys)));
    }
    stream::text(&format!("{}\n{}\n{}", entry.name, plain(doc.trim()), key_table(keys)))
}

/// Keys in columns, the meaning wrapped.
fn key_table(keys: &[keys::Key]) -> String {
    let mut rows = vec![["key", "is", "unit", "default", "meaning"].map(str::to_owned)];
    rows.extend(keys.iter().map(|key| {
        let default = key.default.to_string();
        [key.name.to_owned(), key.kind.words().to_owned(), key.unit.to_owned(), default, key.doc.to_owned()]
    }));
    text::table(&rows, &[])
}

/// The Markdown of a doc comment as plain text: wrapped paragraphs, equations on lines of their own.
fn plain(markdown: &str) -> String {
    let (mut out, mut paragraph, mut equations) = (String::new(), String::new(), false);
    for line in markdown.lines().chain([""]) {
        let fence = line.trim_start().starts_with("```");
        if (fence || line.trim().is_empty()) && !paragraph.is_empty() {
            out += &text::wrap("  ", &paragraph.replace('`', ""), 2);
            paragraph.clear();
        }
        match line {
            _ if fence => equations = !equations,
            line if equations => out += &format!("    {line}\n"),
            line => paragraph = format!("{paragraph} {}", line.trim()).trim().to_owned(),
        }
    }
    out
}

fn explain(name: Option<&str>, markdown: bool, json: bool) -> Result<(), CommandError> {
    let components: Vec<&Component> = match name {
        None => keys::ALL.to_vec(),
        Some(name) => match keys::find(name) {
            Some(component) => vec![component],
            None => {
                if let Some((entry, keys)) = keys::part(name) {
                    return explain_part(entry, &keys, markdown, json);
                }
                let names = keys::ALL.iter().map(|c| c.name).chain(registry::ALL.iter().map(|part| part.name));
                let known: Vec<String> = names.map(str::to_owned).collect();
                let near = similar(name, known.iter().map(String::as_str)).into_iter().map(str::to_owned).collect();
                return Err(Error::UnknownName { what: "component", name: name.to_owned(), near, known }.into());
            }
        },
    };
    if json {
        return stream::json(&components.into_iter().map(ComponentJson::new).collect::<Vec<_>>());
    }
    let page = |c: &&Component| match markdown {
        true => format!("`{}`\n{}\n\n{}", c.form, c.doc, c.markdown()),
        false => format!("{}\n{}\n{}", c.form, text::wrap("  ", c.doc, 2), key_table(c.keys)),
    };
    let text = components.iter().map(page).collect::<Vec<_>>().join("\n");
    stream::text(&text)
}
