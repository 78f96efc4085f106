//! The keys of a law file, read from its TOML table.
use super::curve::Curve;
use super::dimension::Dimension;
use super::is_built_in;
use super::table::{MeasuredPoint, MeasuredTable};
use crate::Error;
use crate::error::LawFileError;
use crate::toml_tree::{SourceLocation, TomlEntry, TomlNode, TomlTable, TomlValue, unknown};

/// The keys of a law file.
const KEYS: [&str; 13] = [
    "name",
    "summary",
    "doc",
    "cite",
    "units",
    "load",
    "require",
    "params",
    "states",
    "equations",
    "when",
    "table",
    "curve",
];
/// The keys of a parameter.
const PARAM_KEYS: [&str; 5] = ["unit", "default", "min", "max", "doc"];
/// The keys of a change of mode.
const WHEN_KEYS: [&str; 4] = ["guard", "direction", "if", "set"];
/// The keys of a curve.
const CURVE_KEYS: [&str; 3] = ["input", "rows", "unit"];
/// The keys of a table.
const TABLE_KEYS: [&str; 1] = ["rows"];
/// Most parameters and changes of mode of a law.
const MAX_ITEMS: usize = 64;
/// Most equations of a law: one that was made by a program names much.
const MAX_EQUATIONS: usize = 512;
/// Names that equations have a meaning for.
pub(super) const RESERVED: [&str; 12] =
    ["v", "load", "dir", "dt", "pi", "rate", "force", "hold", "band", "settled", "step", "set"];

/// Names that files give another meaning to beside the parameters of a law.
const KEYS_OF_FILES: [&str; 14] = [
    "name",
    "definition",
    "reverse",
    "noise",
    "law",
    "table",
    "peak",
    "heating",
    "radius",
    "between",
    "from",
    "on",
    "command",
    "memory",
];

/// A text with its position in the file.
#[derive(Clone, Debug)]
pub(crate) struct Expression {
    pub text: String,
    pub at: SourceLocation,
}

impl Expression {
    fn of(node: &TomlNode, key: &str) -> Result<Self, Error> {
        Ok(Self { text: node.text(key)?.to_owned(), at: node.at.clone() })
    }
    /// The error at a character of the text, from one.
    pub fn error(&self, (position, error): (usize, LawFileError)) -> Error {
        self.at.within_text(position).error(error)
    }
}

/// A parameter.
pub(crate) struct ParamSource {
    pub name: String,
    pub unit: String,
    pub dimension: Dimension,
    pub default: f64,
    pub min: f64,
    pub max: f64,
    pub doc: String,
}

/// A number of memory.
pub(crate) struct StateSource {
    pub name: String,
    pub unit: String,
    pub dimension: Dimension,
    pub at: SourceLocation,
}

/// A change of mode.
pub(crate) struct WhenSource {
    pub guard: Option<Expression>,
    pub falling: bool,
    pub condition: Option<Expression>,
    /// States and their new values.
    pub set: Vec<(usize, Expression)>,
}

/// A quantity that is interpolated between points.
pub(crate) struct CurveSource {
    pub name: String,
    pub input: Expression,
    pub curve: Curve,
    pub dimension: Dimension,
}

/// A law file.
pub(crate) struct LawSource {
    pub name: String,
    pub summary: String,
    pub doc: String,
    pub cite: Vec<String>,
    pub signed_load: bool,
    /// Whether units are checked; if not, every quantity is a plain number.
    pub units_checked: bool,
    pub require: Vec<Expression>,
    pub params: Vec<ParamSource>,
    pub states: Vec<StateSource>,
    /// Curves by name.
    pub curves: Vec<CurveSource>,
    /// Named quantities, in the order of the file.
    pub definitions: Vec<(String, Expression)>,
    pub force: Option<Expression>,
    pub hold: Option<Expression>,
    pub band: Option<Expression>,
    /// By state.
    pub rates: Vec<Option<Expression>>,
    pub settled: Vec<Option<Expression>>,
    pub step: Vec<Option<Expression>>,
    pub whens: Vec<WhenSource>,
    pub table: Option<MeasuredTable>,
    pub top: SourceLocation,
    /// Where the equations begin.
    pub head: SourceLocation,
}

impl LawSource {
    pub fn read(root: &TomlTable, top: &SourceLocation) -> Result<Self, Error> {
        check_keys(root, &KEYS)?;
        for table in ["params", "states", "equations"] {
            misplaced(root, table)?;
        }
        let text = |key: &str| root.get(key).map_or(Ok(""), |node| node.text(key)).map(str::to_owned);
        let units_checked = units_checked(root)?;
        let (mut params, mut states) = (params(root)?, states(root)?);
        if !units_checked {
            params.iter_mut().for_each(|(param, _)| param.dimension = Dimension::NONE);
            states.iter_mut().for_each(|state| state.dimension = Dimension::NONE);
        }
        let mut taken: Vec<(&str, &'static str)> =
            RESERVED.iter().map(|name| (*name, "a quantity of every law")).collect();
        for (name, what, at) in params
            .iter()
            .map(|(p, at)| (&p.name, "a parameter", at))
            .chain(states.iter().map(|s| (&s.name, "a state", &s.at)))
        {
            check_name(name, what, &taken, at)?;
            taken.push((name, what));
        }
        let mut taken: Vec<(String, &'static str)> =
            taken.into_iter().map(|(name, what)| (name.to_owned(), what)).collect();
        let count = states.len();
        let mut out = Self {
            name: name(root, top)?,
            summary: text("summary")?,
            doc: text("doc")?,
            cite: cite(root)?,
            signed_load: signed_load(root)?,
            units_checked,
            require: require(root)?,
            params: params.into_iter().map(|(param, _)| param).collect(),
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
        if let Some(node) = root.get("curve") {
            for TomlEntry { key, at, node } in &node.table("curve")?.0 {
                let known: Vec<(&str, &'static str)> =
                    taken.iter().map(|(name, what)| (name.as_str(), *what)).collect();
                check_name(key, "a curve", &known, at)?;
                taken.push((key.clone(), "a curve"));
                let mut curve = curve(key, at, node)?;
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
            if ["equations", "when", "states", "params", "curve", "require"].iter().any(|key| root.get(key).is_some()) {
                return Err(entry.at.error(Error::Conflict {
                    key: "table",
                    why: "stands alone: leave out equations, when, states, params, curve and require",
                }));
            }
            let points = points(&entry.node)?;
            let table = MeasuredTable::new(&points).map_err(|error| entry.at.error(error))?;
            out.table = Some(table);
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
                    check_name(name, "an equation", &known, at)?;
                    taken.push((name.to_owned(), "an equation"));
                    self.definitions.push((name.to_owned(), Expression::of(node, name)?));
                }
            }
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

fn name(root: &TomlTable, top: &SourceLocation) -> Result<String, Error> {
    let Some(node) = root.get("name") else {
        return Err(top.error(LawFileError::Missing { key: "name".into(), example: "name = \"my-law\"".into() }));
    };
    let name = node.text("name")?;
    let sound = name.starts_with(|c: char| c.is_ascii_lowercase())
        && name.len() <= 64
        && name.chars().all(|c| c.is_ascii_lowercase() || c.is_ascii_digit() || matches!(c, '-' | '_'));
    if !sound {
        let why = "use small letters, digits and hyphens, and begin with a letter, as in my-law";
        return Err(node.at.error(LawFileError::Name { name: name.to_owned(), what: "law", why }));
    }
    if is_built_in(name) {
        return Err(node.at.error(LawFileError::BuiltIn { name: name.to_owned() }));
    }
    Ok(name.to_owned())
}

/// Checks the name of a parameter, a state or an equation.
fn check_name(
    name: &str,
    what: &'static str,
    taken: &[(&str, &'static str)],
    at: &SourceLocation,
) -> Result<(), Error> {
    if let Some((_, known)) = taken.iter().find(|(known, _)| *known == name) {
        return Err(at.error(LawFileError::Taken { name: name.to_owned(), what: known }));
    }
    let sound = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_')
        && name.len() <= 64
        && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_');
    let word = ["and", "or", "not"].contains(&name) || stiction_io::expression::Function::find(name).is_some();
    let what = what.strip_prefix("an ").or(what.strip_prefix("a ")).unwrap_or(what);
    if !sound {
        let why = "use letters, digits and underscores, and begin with a letter, as in sigma0";
        return Err(at.error(LawFileError::Name { name: name.to_owned(), what, why }));
    }
    if what == "parameter" && KEYS_OF_FILES.contains(&name) {
        let why = "it has a meaning of its own beside the parameters of a law, in scenarios or parameter files";
        return Err(at.error(LawFileError::Name { name: name.to_owned(), what, why }));
    }
    if word {
        let why = "it has a meaning of its own in equations";
        return Err(at.error(LawFileError::Name { name: name.to_owned(), what, why }));
    }
    Ok(())
}

fn dimension(unit: &str, at: &SourceLocation) -> Result<Dimension, Error> {
    Dimension::parse(unit).map_err(|error| at.error(error))
}

fn params(root: &TomlTable) -> Result<Vec<(ParamSource, SourceLocation)>, Error> {
    let Some(node) = root.get("params") else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for TomlEntry { key: name, at, node } in &node.table("params")?.0 {
        let table = node.table(name)?;
        check_keys(table, &PARAM_KEYS)?;
        let missing = |key: &str| {
            let example = format!("it, as in {name} = {{ unit = \"N\", default = 1.0, min = 0.0, max = 1e9 }}");
            at.error(LawFileError::Missing { key: format!("{key} of '{name}'"), example })
        };
        let unit = table.get("unit").ok_or_else(|| missing("unit"))?;
        let default = table.get("default").ok_or_else(|| missing("default"))?;
        let bound = |key: &str, otherwise: f64| table.get(key).map_or(Ok(otherwise), |node| node.number(key));
        let text = unit.text("unit")?.to_owned();
        let param = ParamSource {
            name: name.clone(),
            dimension: dimension(&text, &unit.at)?,
            unit: if text.trim().is_empty() { "-".to_owned() } else { one_line(&text) },
            default: default.number("default")?,
            // infinite: no bound
            min: bound("min", f64::MIN)?.max(f64::MIN),
            max: bound("max", f64::MAX)?.min(f64::MAX),
            doc: one_line(table.get("doc").map_or(Ok(""), |node| node.text("doc"))?),
        };
        let ParamSource { default, min, max, .. } = param;
        if let Some((what, _)) = [("default", default), ("min", min), ("max", max)].iter().find(|(_, x)| x.is_nan()) {
            return Err(at.error(LawFileError::NoNumber { name: name.clone(), what }));
        }
        if !(min <= default && default <= max && default.is_finite()) {
            return Err(at.error(LawFileError::Default { name: name.clone(), default, min, max }));
        }
        out.push((param, at.clone()));
    }
    Ok(out)
}

/// A text on one line: it is written behind values, as a comment.
fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

fn states(root: &TomlTable) -> Result<Vec<StateSource>, Error> {
    let Some(node) = root.get("states") else { return Ok(Vec::new()) };
    let mut out = Vec::new();
    for TomlEntry { key: name, at, node } in &node.table("states")?.0 {
        let unit = node.text(name)?;
        let dimension = dimension(unit, &node.at)?;
        out.push(StateSource { name: name.clone(), unit: unit.to_owned(), dimension, at: at.clone() });
    }
    Ok(out)
}

fn cite(root: &TomlTable) -> Result<Vec<String>, Error> {
    match root.get("cite") {
        None => Ok(Vec::new()),
        Some(node) => match &node.value {
            TomlValue::List(list) => list.iter().map(|node| Ok(node.text("cite")?.to_owned())).collect(),
            _ => Ok(vec![node.text("cite")?.to_owned()]),
        },
    }
}

fn units_checked(root: &TomlTable) -> Result<bool, Error> {
    let Some(node) = root.get("units") else { return Ok(true) };
    match node.text("units")? {
        "checked" => Ok(true),
        "unchecked" => Ok(false),
        other => Err(node.at.error(unknown(other, vec!["checked".into(), "unchecked".into()]))),
    }
}

fn signed_load(root: &TomlTable) -> Result<bool, Error> {
    let Some(node) = root.get("load") else { return Ok(false) };
    match node.text("load")? {
        "pressing" => Ok(false),
        "signed" => Ok(true),
        other => Err(node.at.error(unknown(other, vec!["pressing".into(), "signed".into()]))),
    }
}

fn require(root: &TomlTable) -> Result<Vec<Expression>, Error> {
    let Some(node) = root.get("require") else { return Ok(Vec::new()) };
    node.list("require")?.iter().map(|node| Expression::of(node, "require")).collect()
}

fn curve(name: &str, at: &SourceLocation, node: &TomlNode) -> Result<CurveSource, Error> {
    let table = node.table(name)?;
    check_keys(table, &CURVE_KEYS)?;
    let missing = |key: &str, example: &str| {
        at.error(LawFileError::Missing { key: format!("{key} of '{name}'"), example: example.to_owned() })
    };
    let input = table.get("input").ok_or_else(|| missing("input", "input = \"abs(v)\""))?;
    let unit = table.get("unit").ok_or_else(|| missing("unit", "the unit of the values, unit = \"N\""))?;
    let (points, _) = rows(table, node)?;
    let pair = |k: usize| {
        let numbers = points.iter().map(|row| row.get(k).copied().filter(|_| row.len() == 2));
        numbers.collect::<Option<Vec<f64>>>().ok_or_else(|| {
            at.error(LawFileError::Curve { why: "has a row that is not an argument and a value".to_owned() })
        })
    };
    let curve = Curve::new(pair(0)?, pair(1)?).map_err(|error| at.error(error))?;
    Ok(CurveSource {
        name: name.to_owned(),
        input: Expression::of(input, "input")?,
        curve,
        dimension: dimension(unit.text("unit")?, &unit.at)?,
    })
}

/// Keys of the whole law that stand below the line of a table, and so belong to it.
fn misplaced(root: &TomlTable, table: &str) -> Result<(), Error> {
    let Some(node) = root.get(table) else { return Ok(()) };
    let top = ["name", "summary", "doc", "cite", "require"];
    match node.table(table)?.0.iter().find(|entry| top.contains(&entry.key.as_str())) {
        // a quantity may have such a name if it has the form of one
        Some(TomlEntry { key, at, node }) if table != "params" || !matches!(node.value, TomlValue::Table(_)) => {
            Err(at.error(LawFileError::Misplaced { key: key.clone() }))
        }
        _ => Ok(()),
    }
}

fn check_keys(table: &TomlTable, keys: &[&str]) -> Result<(), Error> {
    match table.0.iter().find(|entry| !keys.contains(&entry.key.as_str())) {
        Some(TomlEntry { key, at, .. }) => {
            Err(at.error(unknown(key, keys.iter().map(|key| (*key).to_owned()).collect())))
        }
        None => Ok(()),
    }
}

/// The points of a table.
fn points(node: &TomlNode) -> Result<Vec<MeasuredPoint>, Error> {
    let table = node.table("table")?;
    check_keys(table, &TABLE_KEYS)?;
    let (rows, at) = rows(table, node)?;
    let point = |row: &Vec<f64>| match row[..] {
        [v, force] => Ok(MeasuredPoint { load: 1.0, v, force }),
        [v, force, load] => Ok(MeasuredPoint { load, v, force }),
        _ => Err(at.error(LawFileError::Curve {
            why: "has a row that is not velocity, force and, if it varies, load".into(),
        })),
    };
    rows.iter().map(point).collect()
}

/// The rows of a table, and where they stand.
fn rows<'a>(table: &'a TomlTable, node: &TomlNode) -> Result<(Vec<Vec<f64>>, &'a SourceLocation), Error> {
    let Some(rows) = table.get("rows") else {
        let example = "rows = [[0.001, 1.2], [0.1, 1.0]]".to_owned();
        return Err(node.at.error(LawFileError::Missing { key: "rows".to_owned(), example }));
    };
    let row = |node: &TomlNode| node.list("rows")?.iter().map(|x| x.number("rows")).collect();
    Ok((rows.list("rows")?.iter().map(row).collect::<Result<_, Error>>()?, &rows.at))
}
