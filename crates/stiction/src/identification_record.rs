//! The origin of the values in a parameter file that were identified from data.
//!
//! ```toml
//! [identified]
//! version = "0.1.0"
//! command = "stiction identify log.csv"
//! files = ["log.csv"]
//! sha256 = ["9f86…"]
//! plant = { mass = 95.1 }             # identified together with the law
//! error = { fc = 0.1, mass = 0.2 }    # standard errors
//! interval = { fc = [20.2, 20.6] }    # 95 % confidence
//! terms = { gravity = "sin(q)" }      # other forces of the plant: their coefficients are in plant
//! unknown = ["vs"]                    # not identifiable from the data
//! turns = true                        # rotation: rad and N·m
//! fastest = 0.5                       # 99 % of the samples are slower
//! loads = [10.0, 40.0]                # least and largest load of the data
//! ```
use crate::Error;
use crate::toml_text::{float, multiline_string};
use crate::toml_tree::{TomlEntry, TomlNode, TomlTable, unknown};

/// How parameters were identified.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IdentificationRecord {
    /// The program's version.
    pub version: String,
    /// The command, with its options.
    pub command: String,
    /// The files.
    pub files: Vec<String>,
    /// Their digests, in the same order.
    pub sha256: Vec<String>,
    /// Quantities identified together with the law: mass, offset, coefficients of terms.
    pub plant: Vec<(String, f64)>,
    /// Other forces of the plant, of unknown size: the name of the coefficient, and a column or expression.
    pub terms: Vec<(String, String)>,
    /// Standard errors.
    pub error: Vec<(String, f64)>,
    /// Confidence intervals of 95 %.
    pub interval: Vec<(String, [f64; 2])>,
    /// Parameters that are not identifiable from the data.
    pub unknown: Vec<String>,
    /// Whether the motion is a rotation, with units rad and N·m; none if the file does not record it.
    pub turns: Option<bool>,
    /// The speed below which 99 % of the samples are [m/s or rad/s].
    pub fastest: Option<f64>,
    /// Least and largest load of the data, if it was measured.
    pub loads: Option<[f64; 2]>,
}

/// Largest mass and force: products of both with accelerations stay finite.
const MAX_PLANT_VALUE: f64 = 1e15;
const KEYS: [&str; 12] = [
    "version", "command", "files", "sha256", "plant", "terms", "error", "interval", "unknown", "turns", "fastest",
    "loads",
];

impl IdentificationRecord {
    /// A quantity identified together with the law, by name.
    pub fn plant(&self, name: &str) -> Option<f64> {
        self.plant.iter().find(|(known, _)| known == name).map(|(_, value)| *value)
    }
    pub(crate) fn read(table: &TomlTable) -> Result<Self, Error> {
        let mut out = Self::default();
        let texts = |node: &TomlNode, key: &str| -> Result<Vec<String>, Error> {
            node.list(key)?.iter().map(|item| item.text(key).map(str::to_owned)).collect()
        };
        let ends = |node: &TomlNode, key: &str| -> Result<[f64; 2], Error> {
            let ends: Vec<f64> = node.list(key)?.iter().map(|end| end.number(key)).collect::<Result<_, _>>()?;
            <[f64; 2]>::try_from(ends).map_err(|_| node.wrong(key, "two numbers"))
        };
        let numbers = |node: &TomlNode, key: &str| -> Result<Vec<(String, f64)>, Error> {
            node.table(key)?.0.iter().map(|entry| Ok((entry.key.clone(), entry.node.number(&entry.key)?))).collect()
        };
        for TomlEntry { key, at, node } in &table.0 {
            match key.as_str() {
                "version" => out.version = node.text(key)?.to_owned(),
                "command" => out.command = node.text(key)?.to_owned(),
                "files" => out.files = texts(node, key)?,
                "sha256" => out.sha256 = texts(node, key)?,
                "unknown" => out.unknown = texts(node, key)?,
                "turns" => out.turns = Some(node.flag(key)?),
                "fastest" => {
                    let speed = node.number(key)?;
                    if !(speed > 0.0 && speed <= MAX_PLANT_VALUE) {
                        return Err(node.wrong(key, "a number from 0 to 1e15"));
                    }
                    out.fastest = Some(speed);
                }
                "loads" => out.loads = Some(ends(node, key)?),
                "plant" => {
                    out.plant = numbers(node, key)?;
                    for TomlEntry { key, node, .. } in &node.table(key)?.0 {
                        let value = node.number(key)?;
                        let least = if key == "mass" { 0.0 } else { -MAX_PLANT_VALUE };
                        if !(least..=MAX_PLANT_VALUE).contains(&value) {
                            let expected =
                                if key == "mass" { "a number from 0 to 1e15" } else { "a number up to 1e15" };
                            return Err(node.wrong(key, expected));
                        }
                    }
                }
                "terms" => {
                    let text = |entry: &TomlEntry| Ok((entry.key.clone(), entry.node.text(&entry.key)?.to_owned()));
                    out.terms = node.table(key)?.0.iter().map(text).collect::<Result<_, Error>>()?;
                }
                "error" => out.error = numbers(node, key)?,
                "interval" => {
                    for TomlEntry { key, node, .. } in &node.table(key)?.0 {
                        out.interval.push((key.clone(), ends(node, key)?));
                    }
                }
                _ => return Err(at.error(unknown(key, KEYS.map(str::to_owned).to_vec()))),
            }
        }
        Ok(out)
    }
    pub(crate) fn write(&self, out: &mut String) {
        let list = |items: &[String]| items.iter().map(|item| multiline_string(item)).collect::<Vec<_>>().join(", ");
        *out += &format!(
            "\n[identified]\nversion = {}\ncommand = {}\n",
            multiline_string(&self.version),
            multiline_string(&self.command)
        );
        *out += &format!("files = [{}]\nsha256 = [{}]\n", list(&self.files), list(&self.sha256));
        if !self.unknown.is_empty() {
            *out += &format!("unknown = [{}]  # not identifiable from the data\n", list(&self.unknown));
        }
        if let Some(turns) = self.turns {
            let units = if turns { "rad, N·m" } else { "m, N" };
            *out += &format!("turns = {turns}  # {units}\n");
        }
        if let Some(fastest) = self.fastest {
            *out += &format!("fastest = {}  # 99 % of the samples are slower\n", float(fastest));
        }
        if let Some([least, largest]) = self.loads {
            *out += &format!("loads = [{}, {}]  # of the data\n", float(least), float(largest));
        }
        let finite = |items: &[(String, f64)]| {
            items.iter().filter(|(_, x)| x.is_finite()).map(|(name, x)| (name.clone(), float(*x))).collect::<Vec<_>>()
        };
        let intervals = self
            .interval
            .iter()
            .filter(|(_, ends)| ends.iter().all(|x| x.is_finite()))
            .map(|(name, [low, high])| (name.clone(), format!("[{}, {}]", float(*low), float(*high))))
            .collect();
        let terms = self.terms.iter().map(|(name, text)| (name.clone(), multiline_string(text))).collect();
        for (key, note, items) in [
            ("plant", "identified together with the law", finite(&self.plant)),
            ("terms", "other forces of the plant; their coefficients are in plant", terms),
            ("error", "standard errors", finite(&self.error)),
            ("interval", "95 % confidence", intervals),
        ] {
            if !items.is_empty() {
                *out += &format!("\n[identified.{key}]  # {note}\n");
                for (name, value) in items {
                    *out += &format!("{} = {value}\n", multiline_string(&name));
                }
            }
        }
    }
}
