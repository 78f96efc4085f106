//! A law file read from its TOML table.
use super::dimension::Dimension;
use super::keys;
use super::source::{Expression, LawSource, WhenSource};
use crate::Error;
use crate::error::LawFileError;
use crate::toml_tree::{SourceLocation, TomlEntry, TomlNode, TomlTable, unknown};

/// The keys of a law file.
const KEYS: [&str; 14] = [
    "name",
    "summary",
    "doc",
    "cite",
    "units",
    "load",
    "position",
    "require",
    "params",
    "states",
    "equations",
    "when",
    "table",
    "curve",
];
/// The keys of a change of mode.
const WHEN_KEYS: [&str; 4] = ["guard", "direction", "if", "set"];
/// Most parameters and changes of mode of a law.
const MAX_ITEMS: usize = 64;
/// Most equations of a law: one that was made by a program names much.
const MAX_EQUATIONS: usize = 512;

impl LawSource {
    pub fn read(root: &TomlTable, top: &SourceLocation) -> Result<Self, Error> {
        keys::check_keys(root, &KEYS)?;
        for table in ["params", "states", "equations"] {
            keys::misplaced(root, table)?;
        }
        let text = |key: &str| root.get(key).map_or(Ok(""), |node| node.text(key)).map(str::to_owned);
        let units_checked = keys::units_checked(root)?;
        let (mut params, mut states) = (keys::params(root, units_checked)?, keys::states(root)?);
        let position = root.0.iter().find(|entry| entry.key == "position");
        if let Some(entry) = position {
            let rotates = params.iter().any(|(param, _)| param.unit.contains("rad"));
            states.push(keys::position_state(&entry.node, rotates)?);
        }
        if !units_checked {
            params.iter_mut().for_each(|(param, _)| param.dimension = Dimension::NONE);
            states.iter_mut().for_each(|state| state.dimension = Dimension::NONE);
        }
        let mut taken: Vec<(&str, &'static str)> = Vec::new();
        for (name, what, at) in params
            .iter()
            .map(|(p, at)| (&p.name, "a parameter", at))
            .chain(states.iter().map(|s| (&s.name, "a state", &s.at)))
        {
            keys::check_name(name, what, &taken, at)?;
            taken.push((name, what));
        }
        let mut taken: Vec<(String, &'static str)> =
            taken.into_iter().map(|(name, what)| (name.to_owned(), what)).collect();
        let count = states.len();
        let mut out = Self {
            name: keys::name(root, top)?,
            summary: text("summary")?,
            doc: text("doc")?,
            cite: keys::cite(root)?,
            signed_load: keys::signed_load(root)?,
            units_checked,
            require: keys::require(root)?,
            params: params.into_iter().map(|(param, _)| param).collect(),
            position: position.map(|_| count - 1),
            states,
            curves: Vec::new(),
            definitions: Vec::new(),
            force: None,
            hold: None,
            band: None,
            rates: vec![None; count],
            settled: vec![None; count],
            step: vec![None; count],
            whens: Vec::new(),
            table: None,
            top: top.clone(),
            head: top.clone(),
        };
        if let (Some(i), Some(entry)) = (out.position, position) {
            out.rates[i] = Some(Expression { text: "v".to_owned(), at: entry.node.at.clone() });
        }
        if let Some(node) = root.get("curve") {
            for TomlEntry { key, at, node } in &node.table("curve")?.0 {
                let known: Vec<(&str, &'static str)> =
                    taken.iter().map(|(name, what)| (name.as_str(), *what)).collect();
                keys::check_name(key, "a curve", &known, at)?;
                taken.push((key.clone(), "a curve"));
                let mut curve = keys::curve(key, at, node)?;
                if !units_checked {
                    curve.dimension = Dimension::NONE;
                }
                out.curves.push(curve);
            }
        }
        if let Some(entry) = root.0.iter().find(|entry| entry.key == "equations") {
            out.head = entry.at.clone();
            out.equations(entry.node.table("equations")?, taken)?;
        }
        if let Some(node) = root.get("when") {
            for item in node.list("when")? {
                let when = out.when(item)?;
                out.whens.push(when);
            }
        }
        if let Some(entry) = root.0.iter().find(|entry| entry.key == "table") {
            if ["equations", "when", "states", "params", "curve", "require", "position"]
                .iter()
                .any(|key| root.get(key).is_some())
            {
                return Err(entry.at.error(Error::Conflict {
                    key: "table",
                    why: "stands alone: leave out equations, when, states, params, curve, require and position",
                }));
            }
            out.table = Some(keys::measured_table(&entry.node)?);
        } else if out.force.is_none() {
            let example = "force = \"load*fc*sign(v)\" to [equations]".to_owned();
            return Err(out.head.error(LawFileError::Missing { key: "force".to_owned(), example }));
        }
        let items = out.params.len().max(out.whens.len()).max(out.require.len());
        let equations = out.definitions.len();
        let what = if items > MAX_ITEMS {
            format!("{items} parameters, conditions or changes of mode, more than {MAX_ITEMS}")
        } else if equations > MAX_EQUATIONS {
            format!("{equations} equations, more than {MAX_EQUATIONS}")
        } else {
            return Ok(out);
        };
        Err(top.error(LawFileError::TooLarge { what }))
    }
    fn equations(&mut self, table: &TomlTable, mut taken: Vec<(String, &'static str)>) -> Result<(), Error> {
        for TomlEntry { key, at, node } in &table.0 {
            match key.as_str() {
                "force" => self.force = Some(Expression::of(node, key)?),
                "hold" => self.hold = Some(Expression::of(node, key)?),
                "band" => self.band = Some(Expression::of(node, key)?),
                "rate" | "settled" | "step" => {
                    for TomlEntry { key: state, at, node } in &node.table(key)?.0 {
                        let i = self.state(state, at)?;
                        self.check_not_position(i, at)?;
                        let expression = Expression::of(node, &format!("{key}.{state}"))?;
                        let list = match key.as_str() {
                            "rate" => &mut self.rates,
                            "settled" => &mut self.settled,
                            _ => &mut self.step,
                        };
                        list[i] = Some(expression);
                    }
                }
                name => {
                    let known: Vec<(&str, &'static str)> =
                        taken.iter().map(|(name, what)| (name.as_str(), *what)).collect();
                    keys::check_name(name, "an equation", &known, at)?;
                    taken.push((name.to_owned(), "an equation"));
                    self.definitions.push((name.to_owned(), Expression::of(node, name)?));
                }
            }
        }
        if self.position.is_some() && self.settled.iter().any(Option::is_some) {
            let why = "needs a law that does not depend on the position, which has no limit";
            return Err(self.head.error(Error::Conflict { key: "settled", why }));
        }
        // the position after a sample of constant velocity
        if let (Some(i), true) = (self.position, self.step.iter().any(Option::is_some)) {
            let text = format!("{} + v*dt", self.states[i].name);
            self.step[i] = Some(Expression { text, at: self.head.clone() });
        }
        for (what, list) in [("settled", &self.settled), ("step", &self.step)] {
            let given = list.iter().filter(|expression| expression.is_some()).count();
            if given > 0 && given < list.len() {
                let missing = list.iter().position(Option::is_none).map_or("", |i| &self.states[i].name);
                let key = format!("{what}.{missing}");
                let example = format!("it, or leave out {what} for all states");
                return Err(self.head.error(LawFileError::Missing { key, example }));
            }
        }
        Ok(())
    }
    fn state(&self, name: &str, at: &SourceLocation) -> Result<usize, Error> {
        self.states.iter().position(|state| state.name == name).ok_or_else(|| {
            let known = self.states.iter().map(|state| state.name.clone()).collect();
            at.error(unknown(name, known))
        })
    }
    /// Refuses an equation for the position, which follows from the motion.
    fn check_not_position(&self, i: usize, at: &SourceLocation) -> Result<(), Error> {
        if self.position != Some(i) {
            return Ok(());
        }
        let why = "is given by the motion: leave out its rate, settled, step and set; a state of its own is listed in [states]";
        Err(at.error(Error::Conflict { key: "position", why }))
    }
    fn when(&self, node: &TomlNode) -> Result<WhenSource, Error> {
        let table = node.table("when")?;
        let mut out = WhenSource { guard: None, falling: false, condition: None, set: Vec::new() };
        for TomlEntry { key, at, node } in &table.0 {
            match key.as_str() {
                "guard" => out.guard = Some(Expression::of(node, key)?),
                "direction" => {
                    out.falling = match node.text(key)? {
                        "rising" => false,
                        "falling" => true,
                        other => return Err(node.at.error(unknown(other, vec!["rising".into(), "falling".into()]))),
                    }
                }
                "if" => out.condition = Some(Expression::of(node, key)?),
                "set" => {
                    for TomlEntry { key: state, at, node } in &node.table(key)?.0 {
                        self.check_not_position(self.state(state, at)?, at)?;
                        out.set.push((self.state(state, at)?, Expression::of(node, &format!("set.{state}"))?));
                    }
                }
                _ => return Err(at.error(unknown(key, WHEN_KEYS.map(str::to_owned).to_vec()))),
            }
        }
        let missing = |key: &str, example: &str| {
            let error = LawFileError::Missing { key: key.to_owned(), example: example.to_owned() };
            Err(node.at.error(error))
        };
        if out.guard.is_none() && out.condition.is_none() {
            return missing("guard or if", "guard = \"abs(z) - z0\" or if = \"abs(z) >= z0\"");
        }
        if out.set.is_empty() {
            return missing("set", "set.NAME = \"...\" for a state");
        }
        Ok(out)
    }
}
