//! The comparison of the functions with the law.
use super::language::Modelica;
use super::{Package, quoted};
use crate::export::law::{FunctionKind, TestPoint};
use crate::export::source_text::{Syntax, wrapped};
use stiction_core::program::Precision;

/// A package with the test points of every function, and a model that compares them.
pub(super) fn text(package: &Package) -> String {
    let name = &package.name;
    let functions: Vec<FunctionKind> = package.code.functions.iter().map(|function| function.kind).collect();
    let mut points = Vec::new();
    let mut all = 0;
    for kind in &functions {
        let of_kind = package.code.test_points(*kind);
        all += of_kind.len();
        points.push(of_kind);
    }
    let mut out =
        format!("// The functions of {name} compared with the law, made by stiction {}.\n", env!("CARGO_PKG_VERSION"));
    out += &format!("// Simulate {name}Test.Compare, for any time: it fails at the start where a value differs.\n");
    out += &format!("package {name}Test {}\n", quoted(&format!("Comparison of {name} with the law")));
    for (kind, points) in functions.iter().zip(&points) {
        out += &function(package, *kind, points);
    }
    out += "\n  model Compare \"Compares all functions\"\n    extends Modelica.Icons.Example;\n";
    for kind in &functions {
        out += &format!("    parameter Real {0}_error = {0}() \"Largest error of {0}, relative\";\n", kind.name());
    }
    let largest: Vec<String> = functions.iter().map(|kind| format!("{}_error", kind.name())).collect();
    out += "  initial algorithm\n";
    out += &format!(
        "    Modelica.Utilities.Streams.print(\"{}: {} functions, {all} points agree (largest relative error \" + String(max({{{}}})) + \")\");\n",
        package.code.law.name,
        functions.len(),
        largest.join(", ")
    );
    out += "    annotation (experiment(StopTime=0.001));\n  end Compare;\n";
    out + &format!("  annotation (uses(Modelica(version=\"4.0.0\")));\nend {name}Test;\n")
}

/// The comparison of one function.
fn function(package: &Package, kind: FunctionKind, points: &[TestPoint]) -> String {
    let name = &package.name;
    let number = |x: &f64| Modelica::default().number(Precision::Double, *x).trim_matches(['(', ')']).to_owned();
    let (Some(first), count) = (points.first(), points.len()) else { return String::new() };
    let (inputs, outputs) = (first.inputs.len(), first.outputs.len());
    let mut out = format!("\n  function {0} \"Largest error of {1}.{0}, relative\"\n", kind.name(), name);
    out += "    extends Modelica.Icons.Function;\n    output Real error = 0;\n  protected\n";
    out += &format!("    constant Real points[{count}, {}] = {{\n", inputs + outputs);
    let rows = points.iter().map(|point| {
        let row: Vec<String> = point.inputs.iter().chain(&point.outputs).map(number).collect();
        let lines = wrapped(&[format!("      {{{}}}", row.join(", "))], 110);
        lines.join("\n")
    });
    out += &rows.collect::<Vec<_>>().join(",\n");
    out += "} \"Inputs, then outputs\";\n";
    out += &format!("    Real got[{outputs}];\n    Real want;\n    Real scale;\n  algorithm\n");
    out += &format!("    for k in 1:{count} loop\n");
    let params = package.params.len();
    let at = |from: usize, to: usize| (from..=to).map(|i| format!("points[k, {i}]")).collect::<Vec<_>>();
    let mut arguments = at(1, inputs - params);
    arguments.push(format!("{name}.Parameters({})", at(inputs - params + 1, inputs).join(", ")));
    let left: Vec<String> = (1..=outputs).map(|i| format!("got[{i}]")).collect();
    let left = if outputs == 1 { left.join("") } else { format!("({})", left.join(", ")) };
    let call = format!("      {left} := {name}.{}({});", kind.name(), arguments.join(", "));
    out += &wrapped(&[call], 110).join("\n");
    out += &format!("\n      for i in 1:{outputs} loop\n");
    out += &format!("        want := points[k, {inputs} + i];\n");
    out += "        // the last digits of a sum of large parts are not those of a small result: errors count against the largest value\n";
    out += &format!("        scale := max(abs(points[:, {inputs} + i]));\n");
    out += "        assert(abs(got[i] - want) <= 1e-12*scale,\n";
    out += &format!(
        "          \"{}, point \" + String(k) + \", output \" + String(i) + \": \" + String(got[i], significantDigits=17) + \" instead of \" + String(want, significantDigits=17));\n",
        kind.name()
    );
    out += "        error := if scale > 0.0 then max(error, abs(got[i] - want)/scale) else error;\n";
    out + &format!("      end for;\n    end for;\n  end {};\n", kind.name())
}
