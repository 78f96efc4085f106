//! Another law in a contact of a scenario that is parsed, but not built yet.
use super::component_table::{ComponentTable, unknown_name};
use super::keys;
use crate::toml_tree::{SourceLocation, TomlEntry, TomlNode, TomlTable};
use crate::{Error, LawError, LawFile, ParameterGroup, Spec, parameter_file};
use stiction_core::Param;

/// The components that consist of a law and what it acts between.
const KINDS: [&str; 3] = ["contact", "clutch", "brake"];
/// The keys of such a component that belong to its law.
const OF_LAW: [&str; 7] = ["law", "force", "table", "definition", "from", "reverse", "noise"];

/// See [`super::Template::replace_law`].
pub(super) fn replace_law(root: &mut TomlTable, name: &str, law: &Spec) -> Result<(), Error> {
    let at = SourceLocation::option(&format!("{name} = {}", law.law().name));
    let (kind, own) = match name.split_once('.') {
        Some((kind, own)) => (Some(kind), own),
        None => (None, name),
    };
    let known: Vec<(&str, String)> = KINDS
        .into_iter()
        .filter(|candidate| kind.is_none_or(|kind| kind == *candidate))
        .flat_map(|kind| names(root, kind).into_iter().map(move |name| (kind, name)))
        .collect();
    let found: Vec<&str> = known.iter().filter(|(_, name)| name == own).map(|(kind, _)| *kind).collect();
    let kind = match found[..] {
        [one] => one,
        [] => {
            let names: Vec<String> = known.into_iter().map(|(_, name)| name).collect();
            return Err(at.error(unknown_name("contact", own, &names)));
        }
        _ => {
            let known = found.iter().map(|kind| format!("{kind}.{own}")).collect();
            return Err(at.error(Error::AmbiguousName { what: "contact", name: own.to_owned(), known }));
        }
    };
    if law.has(ParameterGroup::Load) {
        // a contact has a load of its own
        return Err(at.error(LawError::Unsuited { why: "has a map of its load: give 'load' of the contact instead" }));
    }
    let component = keys::find(kind).map_or(&[][..], |component| component.keys);
    let stays = |key: &str| component.iter().any(|own| own.name == key) && !OF_LAW.contains(&key);
    let Some(table) = root.get_mut(kind).and_then(TomlNode::table_mut).and_then(|table| table.get_mut(own)) else {
        return Ok(());
    };
    let Some(table) = table.table_mut() else { return Ok(()) };
    table.0.retain(|entry| stays(&entry.key));
    let entry = |key: &str, node: TomlNode| TomlEntry { key: key.to_owned(), at: at.clone(), node };
    table.0.push(entry("law", TomlNode::text_at(law.law().name, &at)));
    if let Some(file) = LawFile::of(law.law()) {
        // a name stands for the law that was read last; the scenario keeps the one that was meant
        table.0.push(entry(parameter_file::DEFINITION, TomlNode::text_at(file.text(), &at)));
    }
    let rows = |part| {
        let rows = law.rows(part).into_iter().map(|(p, value)| entry(p.name, TomlNode::number_at(value, &at)));
        rows.collect::<Vec<_>>()
    };
    table.0.extend(rows(ParameterGroup::Law));
    for part in [ParameterGroup::Reverse, ParameterGroup::Noise] {
        if law.has(part) {
            table.0.push(entry(part.prefix(), TomlNode::table_at(TomlTable(rows(part)), &at)));
        }
    }
    Ok(())
}

/// The entries of a section that are for its law, and the names of those that are left out: where `--set` has put another law there, values of the file
/// for which it has no parameter. They belong to the law before.
pub(super) fn entries_of_law(s: &ComponentTable<'_>, law: &Spec) -> (TomlTable, Vec<String>) {
    let (mut entries, mut left_out) = (s.table.clone(), Vec::new());
    if !s.get("law").is_some_and(|node| node.at.is_option()) {
        return (entries, left_out);
    }
    let recipe_has = |table: &TomlTable| {
        let has = |inputs: &[Param]| table.0.iter().all(|entry| inputs.iter().any(|input| input.name == entry.key));
        law.law().recipes.iter().any(|recipe| has(recipe.inputs))
    };
    let mut keep = |entry: &TomlEntry, key: &str, stays: bool| {
        let stays = stays || entry.node.at.is_option();
        if !stays {
            left_out.push(key.to_owned());
        }
        stays
    };
    entries.0.retain_mut(|entry| {
        let key = entry.key.clone();
        let part = ParameterGroup::wrapper(&key);
        let stays = match entry.node.table_mut() {
            Some(table) if key == "from" => recipe_has(table) || table.0.iter().any(|input| input.node.at.is_option()),
            Some(table) if part.is_some() => {
                table.0.retain(|inner| {
                    let name = part.map_or_else(String::new, |part| part.key(&inner.key));
                    keep(inner, &name, law.get(&name).is_ok())
                });
                true
            }
            _ => s.component.key(&key).is_some() || law.get(&key).is_ok(),
        };
        keep(entry, &key, stays)
    });
    (entries, left_out)
}

/// The names of the components of one kind.
fn names(root: &mut TomlTable, kind: &str) -> Vec<String> {
    let table = root.get_mut(kind).and_then(TomlNode::table_mut);
    table.map_or_else(Vec::new, |table| table.0.iter().map(|entry| entry.key.clone()).collect())
}

#[cfg(test)]
mod tests {
    use super::names;
    use crate::scenario::{Scenario, Template};
    use crate::sim::NullObserver;
    use crate::{LawFile, Spec};

    #[test]
    fn the_law_is_replaced_with_all_its_parameters() {
        let mut law = Spec::new("stribeck").expect("a law");
        law.set("fc", 0.7).and_then(|law| law.set("reverse.fc", 0.5)).expect("parameters");
        let mut template = Template::find("a7", &[""; 0]).expect("a scenario");
        let text = template.replace_law("table", &law).expect("a contact").text();
        // the text is a scenario that runs as the template does
        let read = Scenario::parse(&text, "a7.toml".as_ref(), &[""; 0]).expect("a scenario");
        let run = |scenario: &Scenario| {
            let options = &scenario.options;
            scenario.simulation().expect("valid").run(options, &mut NullObserver).expect("runs").row
        };
        assert_eq!(run(&read), run(&template.build().expect("builds")));
        assert!(text.contains("law = \"stribeck\"") && !text.contains("sigma0"), "{text}");
    }

    #[test]
    fn a_law_of_a_file_stays_the_one_that_was_put_in() {
        let law = |level: &str| {
            let text = format!(
                "name = \"twice-named\"\n[params]\nfc = {{ unit = \"N\", default = 1.0 }}\n\
                 [equations]\nforce = \"{level}*load*fc*sign(v)\"\nhold = \"{level}*load*fc\"\n"
            );
            LawFile::parse(&text, "law.toml".as_ref()).expect("a law").spec()
        };
        let mut template = Template::find("g1", &[""; 0]).expect("a scenario");
        let name = names(&mut template.root, "contact")[0].clone();
        let end = |template: &Template| {
            let scenario = template.build().expect("builds");
            scenario.simulation().expect("valid").run(&scenario.options, &mut NullObserver).expect("runs").row
        };
        template.replace_law(&name, &law("1")).expect("a contact");
        let before = end(&template);
        // another law of the same name does not take its place, and the text needs no other file
        let mut other = template.clone();
        other.replace_law(&name, &law("2")).expect("a contact");
        assert_ne!(end(&other), before);
        assert_eq!(end(&template), before);
        let read = Template::parse(&template.text(), "again.toml".as_ref(), &[""; 0]).expect("a scenario");
        assert_eq!(end(&read), before);
    }

    #[test]
    fn unknown_contacts_and_laws_with_a_load_are_refused() {
        let mut template = Template::find("a7", &[""; 0]).expect("a scenario");
        let error = template.replace_law("tabel", &Spec::new("coulomb").expect("a law")).expect_err("no such contact");
        assert!(error.to_string().contains("there is no contact 'tabel'"), "{error}");
        let mut law = Spec::new("coulomb").expect("a law");
        law.set("load.slope", 0.1).expect("a parameter");
        assert!(template.replace_law("table", &law).is_err());
    }
}
