//! What a USD text file says of its joints and units.
use crate::error::RobotError;
use std::ops::Range;

/// A joint of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct UsdJoint {
    /// Its path, such as `/robot/joints/elbow`.
    pub path: String,
    /// Its type, such as `PhysicsRevoluteJoint`.
    pub kind: String,
    /// Whether it is there in a variant of its robot only.
    pub in_variant: bool,
}

/// What the file says.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct UsdFile {
    /// Its joints.
    pub joints: Vec<UsdJoint>,
    /// The settings of the stage: `defaultPrim`, `upAxis`, ...
    pub stage: Vec<StageSetting>,
}

/// A setting of the stage.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StageSetting {
    /// Its name.
    pub name: String,
    /// Its value as it is written, with quotation marks and brackets.
    pub value: String,
    /// Whether files are named in it, by paths that may be relative to this one.
    pub names_files: bool,
}

impl UsdFile {
    /// A setting of the stage that is a number.
    pub fn number(&self, name: &str) -> Option<f64> {
        self.stage.iter().find(|setting| setting.name == name).and_then(|setting| setting.value.parse().ok())
    }
}

/// A piece of the text.
#[derive(Clone, Debug, PartialEq)]
enum Token<'a> {
    /// A name, a keyword or a number.
    Word(&'a str),
    /// What stands between quotation marks, without them.
    Quoted(&'a str),
    /// A reference to a file.
    File,
    /// A bracket or another sign.
    Sign(char),
}

/// The pieces of a text, each with its line and its place. Comments are left out.
fn tokens(text: &str) -> Result<Vec<(Token<'_>, usize, Range<usize>)>, RobotError> {
    let (mut out, mut at, mut line) = (Vec::new(), 0, 1);
    let delimiters = ["\"\"\"", "'''", "@@@", "\"", "'", "@"];
    while let Some(c) = text[at..].chars().next() {
        let rest = &text[at..];
        let delimiter = delimiters.iter().find(|delimiter| rest.starts_with(**delimiter));
        let (length, token) = if let Some(&delimiter) = delimiter {
            let inside = &rest[delimiter.len()..];
            let Some(end) = closing(inside, delimiter) else {
                return Err(RobotError::UsdText { message: "a quotation mark is not closed", line });
            };
            let is_file = delimiter.starts_with('@');
            let token = if is_file { Token::File } else { Token::Quoted(&inside[..end]) };
            (end + 2 * delimiter.len(), Some(token))
        } else if c == '#' {
            (rest.find('\n').unwrap_or(rest.len()), None)
        } else if is_word(c) {
            let end = rest.find(|c| !is_word(c)).unwrap_or(rest.len());
            (end, Some(Token::Word(&rest[..end])))
        } else {
            (c.len_utf8(), (!c.is_whitespace()).then_some(Token::Sign(c)))
        };
        out.extend(token.map(|token| (token, line, at..at + length)));
        line += rest[..length].matches('\n').count();
        at += length;
    }
    Ok(out)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | ':' | '.' | '+' | '-')
}

/// Where a quotation ends; a backslash takes the next character with it.
fn closing(inside: &str, delimiter: &str) -> Option<usize> {
    let mut skip = false;
    for (i, c) in inside.char_indices() {
        if std::mem::take(&mut skip) {
            continue;
        }
        if c == '\\' && !delimiter.starts_with('@') {
            skip = true;
        } else if inside[i..].starts_with(delimiter) {
            return Some(i);
        }
    }
    None
}

/// Settings of a layer that another one above it does not repeat: what is said of the file itself, and what USD composes of all layers. All others are
/// those of the stage, which USD takes from its first layer alone.
const OF_THE_FILE: [&str; 8] =
    ["doc", "documentation", "comment", "subLayers", "relocates", "owner", "sessionOwner", "hasOwnedSubLayers"];

/// The number of the last token of the value that begins with token `first`: the one that closes its bracket, or itself.
fn end_of_value(tokens: &[(Token<'_>, usize, Range<usize>)], first: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (k, (token, ..)) in tokens.iter().enumerate().skip(first) {
        match token {
            Token::Sign('(' | '[' | '{') => depth += 1,
            Token::Sign(')' | ']' | '}') => depth = depth.checked_sub(1)?,
            _ => {}
        }
        if depth == 0 {
            return Some(k);
        }
    }
    None
}

/// Reads a file.
///
/// # Errors
/// [`RobotError::UsdText`] for brackets or quotation marks that are not closed.
pub(super) fn read(text: &str) -> Result<UsdFile, RobotError> {
    let tokens = tokens(text)?;
    let mut out = UsdFile::default();
    // the prims around; one without a name for other braces, such as those of dictionaries
    let mut around: Vec<Option<&str>> = Vec::new();
    let mut named = None;
    // the number of braces around the first set of variants around
    let mut variants = None;
    let (mut brackets, mut k) = (0_usize, 0);
    while k < tokens.len() {
        match &tokens[k].0 {
            Token::Sign('(' | '[') => brackets += 1,
            Token::Sign(')' | ']') => {
                let line = tokens[k].1;
                brackets = brackets
                    .checked_sub(1)
                    .ok_or(RobotError::UsdText { message: "a bracket closes that was not opened", line })?;
            }
            // a dictionary between the name of a prim and its brace leaves the name
            Token::Sign('{') => around.push(if brackets == 0 { named.take() } else { None }),
            Token::Sign('}') => {
                let line = tokens[k].1;
                around.pop().ok_or(RobotError::UsdText { message: "a brace closes that was not opened", line })?;
                variants = variants.filter(|outside| *outside < around.len());
            }
            Token::Word("variantSet") if brackets == 0 => variants = variants.or(Some(around.len())),
            Token::Word("def" | "over" | "class") if brackets == 0 => {
                let (kind, name) = match (tokens.get(k + 1).map(|t| &t.0), tokens.get(k + 2).map(|t| &t.0)) {
                    (Some(Token::Quoted(name)), _) => ("", Some(*name)),
                    (Some(Token::Word(kind)), Some(Token::Quoted(name))) => (*kind, Some(*name)),
                    _ => ("", None),
                };
                if let Some(name) = name {
                    named = Some(name);
                    if kind.ends_with("Joint") {
                        let names = around.iter().flatten().copied().chain([name]);
                        let path = names.map(|name| format!("/{name}")).collect();
                        out.joints.push(UsdJoint { path, kind: kind.to_owned(), in_variant: variants.is_some() });
                    }
                    k += if kind.is_empty() { 1 } else { 2 };
                }
            }
            // the settings of the stage are those of the brackets at the beginning
            Token::Word(name) if brackets == 1 && around.is_empty() && named.is_none() => {
                let is_set = tokens.get(k + 1).is_some_and(|t| t.0 == Token::Sign('='));
                if let Some(last) = end_of_value(&tokens, k + 2).filter(|_| is_set) {
                    let value = &tokens[k + 2..=last];
                    if !OF_THE_FILE.contains(name) {
                        out.stage.push(StageSetting {
                            name: (*name).to_owned(),
                            value: text[value[0].2.start..value[value.len() - 1].2.end].to_owned(),
                            names_files: value.iter().any(|t| t.0 == Token::File),
                        });
                    }
                    // brackets of the value are closed within it
                    k = last;
                }
            }
            _ => {}
        }
        k += 1;
    }
    if brackets > 0 || !around.is_empty() {
        return Err(RobotError::UsdText { message: "a bracket is not closed", line: text.lines().count() });
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    const ROBOT: &str = "#usda 1.0\n(\n    defaultPrim = \"arm\"\n    metersPerUnit = 1\n    upAxis = \"Z\"\n    doc = \"\"\"a { brace ( and 'quotes\"\"\"\n)\n\n# def PhysicsRevoluteJoint \"no\"\ndef Xform \"arm\" (\n    prepend references = @./a{b}.usd@\n    customData = { string a = \"x\" }\n)\n{\n    token[] a = [\"def\", \"}\"]\n    def Scope \"joints\"\n    {\n        def PhysicsRevoluteJoint \"elbow\" (\n            prepend apiSchemas = [\"PhysicsDriveAPI:angular\"]\n        )\n        {\n            float physics:lowerLimit = -90\n        }\n        def PhysicsPrismaticJoint \"lift\" {}\n    }\n    over \"tool\" { def PhysicsFixedJoint \"weld\" { } }\n}\n";

    #[test]
    fn joints_have_their_paths_and_the_stage_its_settings() {
        let file = read(ROBOT).unwrap();
        let paths: Vec<(&str, &str)> = file.joints.iter().map(|j| (j.path.as_str(), j.kind.as_str())).collect();
        let want = [
            ("/arm/joints/elbow", "PhysicsRevoluteJoint"),
            ("/arm/joints/lift", "PhysicsPrismaticJoint"),
            ("/arm/tool/weld", "PhysicsFixedJoint"),
        ];
        assert_eq!(paths, want);
        assert_eq!(file.number("metersPerUnit"), Some(1.0));
        let stage: Vec<_> = file.stage.iter().map(|s| (s.name.as_str(), s.value.as_str())).collect();
        assert_eq!(stage, [("defaultPrim", "\"arm\""), ("metersPerUnit", "1"), ("upAxis", "\"Z\"")]);
    }

    /// Time codes and dictionaries of the stage were lost in the layer above it.
    #[test]
    fn all_settings_of_the_stage_are_seen() {
        let text = "#usda 1.0\n(\n \"a comment\"\n doc = \"arm\"\n subLayers = [@./a.usda@ (offset = 2)]\n timeCodesPerSecond = 60\n startTimeCode = -1.5\n colour = @./x.ocio@\n customLayerData = {\n  string upAxis = \"X\"\n  dictionary d = { int[] a = [1, 2] }\n }\n upAxis = \"Z\"\n)\ndef Xform \"arm\" (\n kind = \"component\"\n)\n{\n}\n";
        let stage = read(text).unwrap().stage;
        let names: Vec<_> = stage.iter().map(|s| (s.name.as_str(), s.names_files)).collect();
        let want = [
            ("timeCodesPerSecond", false),
            ("startTimeCode", false),
            ("colour", true),
            ("customLayerData", false),
            ("upAxis", false),
        ];
        assert_eq!(names, want);
        assert_eq!(stage[1].value, "-1.5");
        assert!(stage[3].value.starts_with("{\n  string upAxis") && stage[3].value.ends_with("}\n }"), "{stage:?}");
        assert!(read("#usda 1.0\n(\n customLayerData = {\n").is_err());
    }

    #[test]
    fn a_joint_of_a_variant_is_marked() {
        let text = "#usda 1.0\ndef \"a\" (variants = { string v = \"x\" })\n{\n variantSet \"v\" = {\n \"x\" (doc = \"{\") {\n def \"b\" { def PhysicsRevoluteJoint \"one\" {} }\n def PhysicsRevoluteJoint \"two\" {}\n }\n \"y\" { }\n }\n def PhysicsRevoluteJoint \"three\" {}\n}\n";
        let found: Vec<bool> = read(text).unwrap().joints.iter().map(|joint| joint.in_variant).collect();
        assert_eq!(found, [true, true, false]);
    }

    #[test]
    fn text_that_is_cut_off_is_refused() {
        let within = |text: &str| ROBOT.find(text).unwrap() + 2;
        for cut in [ROBOT.len() - 3, within("upAxis"), within("elbow"), within("lowerLimit")] {
            assert!(matches!(read(&ROBOT[..cut]), Err(RobotError::UsdText { .. })), "{cut}");
        }
    }
}
