//! Builds the system of a scenario from its tables.
use super::component_table::{ComponentTable, unknown_name};
use super::keys::{self, Component};
use super::{
    Scenario, assignment, chain, contacts, control, controller, formula, identification_task, measure, mechanics,
    plane, plot_definition, signal, springs,
};
use crate::recipe::AssumedInput;
use crate::sim::network::check_supported;
use crate::sim::{IntegrationMethod, SimulationOptions};
use crate::system::{Node, Signal, System};
use crate::toml_tree::{SourceLocation, TomlEntry, TomlTable, TomlValue, unknown};
use crate::{Error, law_file, parameter_file, toml_tree};
use std::path::Path;

/// A scenario while it is built.
pub(super) struct Builder<'a> {
    root: &'a TomlTable,
    top: &'a SourceLocation,
    /// The folder that file names are relative to.
    pub folder: &'a Path,
    pub system: System,
    pub options: SimulationOptions,
    pub assumed: Vec<(String, AssumedInput)>,
    pub notes: Vec<String>,
    /// Measures without a value, and why.
    pub no_value: Vec<(String, String)>,
    /// Columns that the scenario names.
    pub wanted: Vec<(String, SourceLocation)>,
    /// Columns and formulas that its pictures show.
    pub shown: Vec<(String, SourceLocation)>,
    /// Components by their name in the system, for the positions of errors.
    pub placed: Vec<(String, ComponentTable<'a>)>,
    /// Chains and their numbers of blocks.
    pub chains: Vec<(String, usize)>,
}

impl<'a> Builder<'a> {
    pub fn new(root: &'a TomlTable, top: &'a SourceLocation, folder: &'a Path) -> Self {
        let (system, options) = (System::new(), SimulationOptions::default());
        let (assumed, notes, no_value) = (Vec::new(), Vec::new(), Vec::new());
        let (wanted, shown, placed, chains) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        Self { root, top, folder, system, options, assumed, notes, no_value, wanted, shown, placed, chains }
    }
    /// Builds the scenario: nodes first, then springs and contacts, then forces, controllers and measures.
    pub fn scenario(mut self) -> Result<Scenario, Error> {
        let [title, about] = self.top_level()?;
        let record = mechanics::run(&mut self)?;
        mechanics::nodes(&mut self)?;
        chain::chains(&mut self)?;
        plane::plane(&mut self)?;
        springs::springs(&mut self)?;
        contacts::contacts(&mut self)?;
        mechanics::forces(&mut self)?;
        control::controls(&mut self)?;
        controller::controllers(&mut self)?;
        formula::formulas(&mut self)?;
        self.check()?;
        let measures = measure::measures(&mut self)?;
        let plots = plot_definition::plots(&mut self)?;
        let identify = identification_task::identification_task(&mut self)?;
        let Self { system, options, assumed, notes, no_value, wanted, shown, chains, .. } = self;
        let (text, inputs) = (String::new(), Vec::new());
        Ok(Scenario {
            title,
            about,
            system,
            options,
            measures,
            plots,
            record,
            assumed,
            notes,
            no_value,
            text,
            inputs,
            identify,
            wanted,
            shown,
            chains,
        })
    }

    fn top_level(&self) -> Result<[String; 2], Error> {
        let tables: Vec<&Component> = keys::ALL.iter().copied().filter(|c| c.form.starts_with('[')).collect();
        let mut known: Vec<&str> = keys::TOP_LEVEL.iter().map(|key| key.name).collect();
        known.extend(tables.iter().map(|c| c.name));
        for TomlEntry { key, at, .. } in &self.root.0 {
            let is_model = parameter_file::KEYS.contains(&key.as_str()) && self.root.get("model").is_some();
            if is_model || law_file::is_law(self.root) {
                return Err(at.error(Error::LawFile));
            }
            if !known.contains(&key.as_str()) {
                return Err(at.error(unknown(key, known.iter().map(|key| (*key).to_owned()).collect())));
            }
        }
        let text = |key: &str| self.root.get(key).map_or(Ok(""), |node| node.text(key)).map(str::to_owned);
        Ok([text("title")?, text("about")?])
    }
    /// Checks of the whole system.
    fn check(&self) -> Result<(), Error> {
        let whole = self.system.check().and_then(|()| self.system.check_start(self.options.start));
        let whole = whole.and_then(|()| match self.options.method {
            IntegrationMethod::Network => check_supported(&self.system),
            _ => Ok(()),
        });
        whole.map_err(|error| match self.placed.iter().find(|(placed, _)| *placed == error.name) {
            Some((_, section)) => section.at_key(error),
            None => self.top.error(error),
        })
    }

    /// The table of a component that occurs at most once.
    pub fn single(&self, component: &'static Component) -> Result<Option<ComponentTable<'a>>, Error> {
        let find = |entry: &&'a TomlEntry| entry.key == component.name;
        let Some(TomlEntry { key, at, node }) = self.root.0.iter().find(find) else { return Ok(None) };
        Ok(Some(ComponentTable::new(key, node.table(key)?, at, component)?))
    }
    /// Checks that the component of a dotted path exists.
    pub fn check_path(&self, path: &str, at: &SourceLocation) -> Result<(), Error> {
        assignment::existing_path(self.root, path, at).map(|_| ())
    }
    /// The error of a name of a block beyond the end of its chain, if it is one.
    pub fn missing_block(&self, name: &str) -> Option<Error> {
        chain::missing_block(&self.chains, name)
    }
    /// A table of any keys.
    pub fn table(&self, name: &str) -> Result<Option<&'a TomlTable>, Error> {
        self.root.get(name).map(|node| node.table(name)).transpose()
    }
    /// The error of a missing component.
    pub fn lacks(&self, key: &'static str, doc: &'static str) -> Error {
        self.top.error(Error::MissingKey { name: String::new(), key, doc })
    }
    /// All tables of a component.
    pub fn each(&mut self, component: &'static Component) -> Result<Vec<ComponentTable<'a>>, Error> {
        let Some(node) = self.root.get(component.name) else { return Ok(Vec::new()) };
        let mut out = Vec::new();
        for TomlEntry { key, at, node } in &node.table(component.name)?.0 {
            let path = format!("{}.{key}", component.name);
            let section = ComponentTable::new(&path, node.table(&path)?, at, component)?;
            self.placed.push((key.clone(), section.clone()));
            out.push(section);
        }
        Ok(out)
    }
    /// All items of a list of tables.
    pub fn list(&self, component: &'static Component) -> Result<Vec<ComponentTable<'a>>, Error> {
        let Some(node) = self.root.get(component.name) else { return Ok(Vec::new()) };
        let TomlValue::List(items) = &node.value else {
            return Ok(vec![ComponentTable::of(component.name, node, component)?]);
        };
        items.iter().map(|item| ComponentTable::of(component.name, item, component)).collect()
    }

    /// The node called `name`.
    pub fn node(&self, name: &str, at: &SourceLocation) -> Result<Node, Error> {
        let known: Vec<&str> = self.system.nodes().collect();
        let none = || self.missing_block(name).unwrap_or_else(|| unknown_name("body", name, &known));
        self.system.node(name).ok_or_else(|| at.error(none()))
    }
    /// The node that `key` names.
    pub fn named_node(&self, section: &ComponentTable<'_>, key: &'static str) -> Result<Node, Error> {
        let node = section.required(key)?;
        self.node(node.text(key)?, &node.at)
    }
    /// The two nodes that a component connects.
    pub fn between(&self, section: &ComponentTable<'_>) -> Result<[Node; 2], Error> {
        let node = section.required("between")?;
        match node.list("between")? {
            [a, b] => {
                let place = |end: &toml_tree::TomlNode| self.node(end.text("between")?, &end.at);
                Ok([place(a)?, place(b)?])
            }
            _ => Err(node.wrong("between", "pair of names")),
        }
    }
    /// The signal of `key`.
    pub fn signal(&self, section: &ComponentTable<'_>, key: &'static str) -> Result<Signal, Error> {
        signal::signal(key, section.required(key)?, self.folder)
    }
    /// The signal of `key`, or a constant.
    pub fn signal_or(&self, section: &ComponentTable<'_>, key: &'static str, default: f64) -> Result<Signal, Error> {
        match section.get(key) {
            Some(node) => signal::signal(key, node, self.folder),
            None => Ok(Signal::Constant(default)),
        }
    }
}
