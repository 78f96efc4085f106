//! A module of JavaScript around the module of WebAssembly: arguments by name, defaults, documentation.
use crate::export::law::{FunctionKind, LawCode};
use crate::export::source_text::wrapped;
use crate::number::short;

/// The text of the module.
pub(super) fn library(code: &LawCode) -> String {
    let mut lines = code.description();
    lines.push(String::new());
    lines.extend(example(code));
    lines.extend([String::new(), "@module".to_owned()]);
    let mut out = comment("", &lines);
    out += &LOADER.replace("FILE", &format!("{}.wasm", code.name));
    if !code.params().is_empty() {
        out += &parameters(code);
    }
    if code.has_memory() {
        out += &memory(code);
    }
    code.functions.iter().for_each(|function| out += &definition(code, function.kind));
    out
}

/// How it is used, for the head of the file.
fn example(code: &LawCode) -> Vec<String> {
    let (name, has_params) = (&code.name, !code.params().is_empty());
    let mut out = vec!["@example".to_owned(), format!("import * as law from \"./{name}.mjs\";")];
    if let Some(p) = code.params().first() {
        let changed = property(p.name, &short(p.default));
        out.push(format!("const params = law.parameters({{ {changed} }}); // the others have their defaults"));
    }
    let params = if has_params { ", params" } else { "" };
    if code.has_memory() {
        out.push("let memory = law.rest;".to_owned());
        out.push("let force;".to_owned());
        out.push(format!(
            "({{ force, memory }} = law.step(0.01, 1, 1e-3, memory{params})); // once a millisecond, at 0.01 m/s"
        ));
    } else {
        out.push(format!("const force = law.steady(0.01, 1{params}); // at 0.01 m/s"));
    }
    out
}

/// How the file beside this one is found and read.
const LOADER: &str = r#"
/** Reads a file: from the disk where there is one, else over the network. */
async function bytes(url) {
  if (url.protocol === "file:") {
    const { readFile } = await import("node:fs/promises");
    return readFile(url);
  }
  const response = await fetch(url);
  if (!response.ok) {
    throw new Error(`cannot read ${url}: ${response.status} ${response.statusText}`);
  }
  return response.arrayBuffer();
}

const { instance } = await WebAssembly.instantiate(await bytes(new URL("FILE", import.meta.url)));

/**
 * The functions of the WebAssembly module itself. They take numbers: the arguments of the functions below, then the memory, then
 * the parameters, in the order in which they are listed. They return a number, or an array if the results are several.
 */
export const raw = instance.exports;
"#;

fn parameters(code: &LawCode) -> String {
    let mut out = "\n/** Parameters and their defaults. */\nexport const defaults = Object.freeze({\n".to_owned();
    for p in code.params() {
        let range = format!("{} to {}", short(p.min), short(p.max));
        let unit = if p.unit == "-" { String::new() } else { format!(" {}", p.unit) };
        let doc = p.doc.trim().trim_end_matches('.');
        let colon = if doc.is_empty() { "" } else { ": " };
        out += &comment("  ", &[format!("{doc}{colon}{range}{unit}.")]);
        out += &format!("  {},\n", property(p.name, &short(p.default)));
    }
    out + r#"});

const complete = new WeakSet([defaults]);

/**
 * All parameters: those given, and the defaults of the others.
 *
 * The functions below take what this returns, or only what differs from the defaults; the latter is checked at every call.
 *
 * @param {Partial<typeof defaults>} changes
 * @returns {typeof defaults}
 * @throws {RangeError} if there is no parameter of that name
 */
export function parameters(changes) {
  if (complete.has(changes)) {
    return changes;
  }
  const unknown = Object.keys(changes).find((name) => !Object.hasOwn(defaults, name));
  if (unknown !== undefined) {
    throw new RangeError(`there is no parameter ${unknown}; there are ${Object.keys(defaults).join(", ")}`);
  }
  const all = Object.freeze({ ...defaults, ...changes });
  complete.add(all);
  return all;
}
"#
}

fn memory(code: &LawCode) -> String {
    let mut out =
        "\n/** The memory of a contact that has never moved. */\nexport const rest = Object.freeze({\n".to_owned();
    for state in code.law.states {
        let unit = if state.unit == "-" { String::new() } else { format!(" // {}", state.unit) };
        out += &format!("  {},{unit}\n", property(state.name, "0"));
    }
    out + r#"});

function known(memory) {
  for (const name of Object.keys(rest)) {
    if (typeof memory[name] !== "number") throw new TypeError(`the memory has no number '${name}'`);
  }
  return memory;
}
"#
}

/// A property of an object that is written down. Only this name would mean something else.
fn property(name: &str, value: &str) -> String {
    if name == "__proto__" { format!("[\"{name}\"]: {value}") } else { format!("{name}: {value}") }
}

fn definition(code: &LawCode, kind: FunctionKind) -> String {
    let takes_memory = kind.takes_memory() && code.has_memory();
    let gives_memory = kind.gives_memory() && code.has_memory();
    let unit = |unit: &str| if unit == "-" { String::new() } else { format!(" ({unit})") };
    // what may be left out stands at the end
    let load_is_last = kind.signals().last().is_some_and(|signal| signal.name == "load");
    let (mut doc, mut arguments, mut values) =
        (vec![format!("{}.", kind.doc()), String::new()], Vec::new(), Vec::new());
    for signal in kind.signals() {
        let optional = load_is_last && signal.name == "load";
        let name = if optional { "[load=1]" } else { signal.name };
        doc.push(format!("@param {{number}} {name} {}{}", code.doc_of(signal), unit(code.unit_of(signal))));
        arguments.push(if optional { "load = 1".to_owned() } else { signal.name.to_owned() });
        values.push(signal.name.to_owned());
    }
    if takes_memory {
        doc.push("@param {typeof rest} [memory] Memory before".to_owned());
        arguments.push("memory = rest".to_owned());
        values.extend(code.law.states.iter().map(|state| format!("memory.{}", state.name)));
    }
    if !code.params().is_empty() {
        doc.push("@param {Partial<typeof defaults>} [params] Parameters that differ from the defaults".to_owned());
        arguments.push("params = defaults".to_owned());
        values.extend(code.params().iter().map(|p| format!("p.{}", p.name)));
    }
    let results = kind.results();
    let after: Vec<String> = code.law.states.iter().filter(|_| gives_memory).map(|s| s.name.to_owned()).collect();
    let list = || (0..results.len() + after.len()).map(|i| format!("y{i}"));
    let states = || {
        let pairs = after.iter().zip(list().skip(results.len()));
        format!("{{ {} }}", pairs.map(|(state, y)| property(state, &y)).collect::<Vec<_>>().join(", "))
    };
    let memory_doc = gives_memory.then(|| "memory: typeof rest".to_owned());
    let (returned, given) = match kind {
        FunctionKind::Rate => ("{typeof rest} Rates of the memory, in its units per second".to_owned(), states()),
        _ if results.len() == 1 && !gives_memory => {
            (format!("{{number}} {}{}", results[0].doc, unit(code.unit_of(&results[0]))), "y0".to_owned())
        }
        _ => {
            let types = results.iter().map(|signal| format!("{}: number", signal.name)).chain(memory_doc);
            let mut doc = format!("{{{{ {} }}}} ", types.collect::<Vec<_>>().join(", "));
            let named = results
                .iter()
                .map(|signal| format!("{}: {}{}", signal.name, code.doc_of(signal), unit(code.unit_of(signal))));
            doc += &named.collect::<Vec<_>>().join("; ");
            let fields = results.iter().zip(list()).map(|(signal, y)| format!("{}: {y}", signal.name));
            let fields = fields.chain(gives_memory.then(|| format!("memory: {}", states())));
            (doc, format!("{{ {} }}", fields.collect::<Vec<_>>().join(", ")))
        }
    };
    doc.push(format!("@returns {returned}"));
    let name = kind.name();
    let mut out = format!("\n{}export function {name}({}) {{\n", comment("", &doc), arguments.join(", "));
    if !code.params().is_empty() {
        out += "  const p = parameters(params);\n";
    }
    if takes_memory {
        out += "  known(memory);\n";
    }
    let call = call(name, &values);
    let count = list().count();
    if given == "y0" {
        out += &format!("  return {call};\n");
    } else {
        // one result comes as a number, several as an array
        let names = list().collect::<Vec<_>>().join(", ");
        let names = if count == 1 { names } else { format!("[{names}]") };
        out += &format!("  const {names} = {call};\n  return {given};\n");
    }
    out + "}\n"
}

/// The call of the module, in lines of bearable length.
fn call(name: &str, values: &[String]) -> String {
    let short = format!("raw.{name}({})", values.join(", "));
    if short.len() <= 100 {
        return short;
    }
    let lines = wrapped(&[values.join(", ")], 112);
    format!("raw.{name}(\n    {},\n  )", lines.join("\n    "))
}

/// A comment of documentation.
fn comment(indent: &str, lines: &[String]) -> String {
    let lines = wrapped(lines, 120);
    let sound = |line: &String| line.replace("*/", "* /").replace(char::is_control, " ");
    if let [line] = lines.as_slice() {
        return format!("{indent}/** {} */\n", sound(line));
    }
    let mut out = format!("{indent}/**\n");
    lines.iter().for_each(|line| out += &format!("{}\n", format!("{indent} * {}", sound(line)).trim_end()));
    out + indent + " */\n"
}
