//! The test of the module for Node.
use super::quoted;
use crate::export::law::{FunctionKind, LawCode};

/// The text of the runner, with the points of every function.
pub(super) fn runner(code: &LawCode) -> String {
    let name = &code.name;
    let list = |names: Vec<&str>| names.iter().map(|name| quoted(name)).collect::<Vec<_>>().join(", ");
    let mut out = format!(
        "// Tests {name}.mjs: every function has to give the bits of the law at these points. Run: node {name}.test.mjs\n"
    );
    out += &format!("import * as law from \"./{name}.mjs\";\n\n");
    out += &format!("const states = [{}];\n", list(code.law.states.iter().map(|state| state.name).collect()));
    out += &format!("const params = [{}];\n\n", list(code.params().iter().map(|p| p.name).collect()));
    out += "// name; whether it takes the memory, and gives it; results before the memory; rows of arguments and results\n";
    out += "const functions = [\n";
    code.functions.iter().for_each(|function| out += &points(code, function.kind));
    out += "];\n";
    out + &RUN.replace("NAME", name)
}

fn points(code: &LawCode, kind: FunctionKind) -> String {
    let results: Vec<String> = kind.results().iter().map(|signal| quoted(signal.name)).collect();
    let mut out = format!(
        "  {{\n    name: {}, takesMemory: {}, givesMemory: {}, signals: {}, results: [{}],\n    rows: [\n",
        quoted(kind.name()),
        kind.takes_memory() && code.has_memory(),
        kind.gives_memory() && code.has_memory(),
        kind.signals().len(),
        results.join(", ")
    );
    for point in code.test_points(kind) {
        let row: Vec<String> = point.inputs.iter().chain(&point.outputs).map(|x| number(*x)).collect();
        out += &format!("      [{}],\n", row.join(", "));
    }
    out + "    ],\n  },\n"
}

/// The shortest decimal that reads back as the same number.
fn number(x: f64) -> String {
    match x {
        x if x.is_nan() => "NaN".to_owned(),
        f64::INFINITY => "Infinity".to_owned(),
        f64::NEG_INFINITY => "-Infinity".to_owned(),
        x => crate::number::short(x),
    }
}

const RUN: &str = r#"
const named = (names, values) => Object.fromEntries(names.map((name, i) => [name, values[i]]));

/** The results of a function as a list. */
function call({ name, takesMemory, givesMemory, signals, results }, row) {
  const rest = row.slice(signals);
  const given = row.slice(0, signals);
  if (takesMemory) given.push(named(states, rest.splice(0, states.length)));
  if (params.length > 0) given.push(named(params, rest));
  const got = law[name](...given);
  if (typeof got === "number") return [got];
  const memory = results.length === 0 ? got : got.memory;
  return [...results.map((result) => got[result]), ...(givesMemory ? states.map((state) => memory[state]) : [])];
}

let count = 0;
for (const entry of functions) {
  const inputs = entry.signals + (entry.takesMemory ? states.length : 0) + params.length;
  for (const [k, row] of entry.rows.entries()) {
    const got = call(entry, row);
    const want = row.slice(inputs);
    // Object.is tells the two zeros apart and takes NaN for NaN; all other numbers are equal only if their bits are
    const same = got.length === want.length && got.every((x, i) => Object.is(x, want[i]));
    if (!same) {
      console.log(`NAME: ${entry.name}, point ${k}: ${got.join(" ")} instead of ${want.join(" ")}`);
      process.exit(1);
    }
    count += 1;
  }
}
console.log(`NAME: ${functions.length} functions, ${count} points agree bit for bit`);
"#;
