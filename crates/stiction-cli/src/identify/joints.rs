//! Several joints in one record: the same identification for each, with other columns.
use super::args::Args;
use super::records::ColumnArgs;
use crate::error::CommandError;
use std::num::NonZeroUsize;
use std::path::Path;
use stiction::identify::Estimate;
use stiction::identify::report::IdentificationReport;
use stiction::number::{round, short};

/// What stands for the joint in the columns.
const PLACE: char = '#';
/// More joints than any robot has: a mistake in the range.
const MAX_JOINTS: usize = 1000;

/// The joints, by name or number.
#[derive(Clone, Debug, PartialEq)]
pub struct JointList(Vec<String>);

impl JointList {
    /// Names separated by commas; of two numbers with a dash between them, all from one to the other.
    pub fn parse(text: &str) -> Result<Self, String> {
        let mut names = Vec::new();
        for item in text.split(',').map(str::trim) {
            let number = |text: &str| text.bytes().all(|c| c.is_ascii_digit()).then(|| text.parse().ok()).flatten();
            match item.split_once('-').and_then(|(first, last)| Some((first.len(), number(first)?, number(last)?))) {
                Some((width, first, last)) => names.extend(numbers(width, first, last)?),
                None => names.push(item.to_owned()),
            }
        }
        // each names a folder of its own
        if let Some(bad) =
            names.iter().find(|name| name.is_empty() || name.starts_with('.') || name.contains(['/', '\\']))
        {
            return Err(format!("'{bad}' is not the name of a joint; write names or numbers, as in 1-6 or hip,knee"));
        }
        match names.iter().enumerate().find(|(k, name)| names[..*k].contains(name)) {
            Some((_, twice)) => Err(format!("joint '{twice}' is there twice")),
            None => Ok(Self(names)),
        }
    }
    /// The names.
    pub fn names(&self) -> &[String] {
        &self.0
    }
}

/// The numbers from `first` to `last`, with leading zeros up to the width of the first.
fn numbers(width: usize, first: usize, last: usize) -> Result<Vec<String>, String> {
    match last.checked_sub(first).and_then(|n| NonZeroUsize::MIN.checked_add(n)) {
        Some(count) if count.get() <= MAX_JOINTS => Ok((first..=last).map(|k| format!("{k:0width$}")).collect()),
        Some(_) => Err(format!("more than {MAX_JOINTS} joints")),
        None => Err("the last number is below the first".to_owned()),
    }
}

/// The options for one joint: its name in the place of `#`, and a folder of its own in the output folder.
pub fn options_of(args: &Args, joint: &str) -> Result<Args, CommandError> {
    let fill = |text: &str| fill(text, joint);
    let columns = args.columns.map(&fill);
    let check = args.check.as_deref().map(fill);
    if columns == args.columns {
        return Err(CommandError::Usage {
            text: "--joints has no effect: no column depends on the joint",
            hint: "write # for the joint: --joints 1-6 --position 'q#' --force 'k#*i#'; by numbers of columns: '$(#+6)'",
        });
    }
    let output = args.output.as_deref().map(|dir| dir.join(joint));
    Ok(Args { columns, check, output, joints: None, ..args.clone() })
}

/// The words of the command that identifies this joint alone.
pub fn words_of(words: &[String], joint: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_str() {
            "--joints" => drop(words.next()),
            word if word.starts_with("--joints=") => {}
            // each joint has a folder of its own
            "-o" | "--output" => {
                out.push(word.clone());
                out.extend(words.next().map(|dir| Path::new(dir).join(joint).to_string_lossy().into_owned()));
            }
            word => out.push(fill(word, joint)),
        }
    }
    out
}

/// The joint in the place of `#`; then `$(2+6)` is the column `$8`.
fn fill(text: &str, joint: &str) -> String {
    let text = text.replace(PLACE, joint);
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some((before, after)) = rest.split_once("$(") {
        let sum = after.split_once(')').and_then(|(sum, after)| {
            let terms: Option<Vec<usize>> = sum.split('+').map(|term| term.trim().parse().ok()).collect();
            Some((terms?.into_iter().try_fold(0_usize, usize::checked_add)?, after))
        });
        out += before;
        match sum {
            Some((column, after)) => {
                out += &format!("${column}");
                rest = after;
            }
            None => {
                out += "$(";
                rest = after;
            }
        }
    }
    out + rest
}

/// What was found for each joint in one table: its recommended law, and the estimates with their standard errors.
pub fn table(found: &[(&str, IdentificationReport)]) -> (Vec<String>, Vec<Vec<String>>) {
    let results: Vec<_> = found.iter().filter_map(|(joint, report)| Some((*joint, report.results.first()?))).collect();
    // a quantity that has other units in other joints has a column for each
    let mut names: Vec<(String, String)> = Vec::new();
    let of = |estimate: &Estimate| (estimate.name.clone(), estimate.unit.clone());
    for estimate in results.iter().flat_map(|(_, result)| &result.estimates) {
        if !names.contains(&of(estimate)) {
            names.push(of(estimate));
        }
    }
    let head = |(name, unit): &(String, String)| {
        if matches!(unit.as_str(), "" | "-") { name.clone() } else { format!("{name} [{unit}]") }
    };
    let heads = ["joint", "law"].map(str::to_owned).into_iter().chain(names.iter().map(head)).collect();
    let rows = results.iter().map(|(joint, result)| {
        let law = result.law.as_ref().map_or_else(String::new, |spec| spec.law().name.to_owned());
        let cell = |name: &(String, String)| {
            let Some(estimate) = result.estimates.iter().find(|estimate| of(estimate) == *name) else {
                return String::new();
            };
            let value = short(round(estimate.value, 4));
            if estimate.error.is_finite() && estimate.error > 0.0 {
                format!("{value} ± {}", short(round(estimate.error, 2)))
            } else {
                value
            }
        };
        [(*joint).to_owned(), law].into_iter().chain(names.iter().map(cell)).collect()
    });
    (heads, rows.collect())
}

impl ColumnArgs {
    /// The same options with other expressions.
    fn map(&self, change: &impl Fn(&str) -> String) -> Self {
        let of = |text: &Option<String>| text.as_deref().map(change);
        Self {
            time: of(&self.time),
            position: of(&self.position),
            velocity: of(&self.velocity),
            acceleration: of(&self.acceleration),
            force: of(&self.force),
            load: of(&self.load),
            known: of(&self.known),
            weight: of(&self.weight),
            term: self.term.iter().map(|(name, text)| (change(name), change(text))).collect(),
            ..self.clone()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn joints_are_names_or_a_range_of_numbers() {
        let names = |text: &str| JointList::parse(text).map(|list| list.0);
        assert_eq!(names("2-4").unwrap(), ["2", "3", "4"]);
        assert_eq!(names("hip, knee").unwrap(), ["hip", "knee"]);
        assert_eq!(names("1-2,5,08-10").unwrap(), ["1", "2", "5", "08", "09", "10"]);
        assert_eq!(names("left-hip,right-hip").unwrap(), ["left-hip", "right-hip"]);
        for bad in ["", "1,,2", "4-2", "1,1", "../x", "1-99999999999"] {
            assert!(names(bad).is_err(), "{bad}");
        }
    }

    #[test]
    fn a_column_follows_its_joint() {
        assert_eq!(fill("k#*i#", "3"), "k3*i3");
        assert_eq!(fill("{#.effort}", "knee"), "{knee.effort}");
        assert_eq!(fill("10*$(#+12) - $(# + 1)", "2"), "10*$14 - $3");
        // not a sum of numbers: the reader of expressions says what is wrong
        assert_eq!(fill("$(#+12)", "knee"), "$(knee+12)");
    }

    #[test]
    fn the_command_of_a_joint_stands_alone() {
        let words = ["identify", "log.csv", "--joints", "1-6", "--position", "q#", "-o", "found"].map(str::to_owned);
        assert_eq!(words_of(&words, "2"), ["identify", "log.csv", "--position", "q2", "-o", "found/2"]);
        let words = ["identify", "--joints=1-6", "--force=i#"].map(str::to_owned);
        assert_eq!(words_of(&words, "2"), ["identify", "--force=i2"]);
    }
}
