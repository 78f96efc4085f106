//! The test of the functions.
use super::{FunctionKind, LawCode, Matlab, Names, Signature, comment, gives_memory, takes_memory};
use crate::export::source_text::Syntax;
use stiction_core::program::Precision;

/// The text of the runner, with the points of every function.
pub(super) fn runner(code: &LawCode, names: &Names) -> String {
    let (name, law) = (names.function("test"), code.law.name);
    let mut out = format!("function {name}()\n");
    out += &comment(&[
        format!("{}  Tests the functions of the law {law} at points with known results.", name.to_uppercase()),
        "  Stops with an error if one differs. All points at once, then some one by one.".to_owned(),
    ]);
    out += "    worst = 0;\n";
    for function in &code.functions {
        let kind = function.kind.name();
        let inputs = function.program.inputs;
        out += &format!("    worst = max(worst, check('{kind}', @call_{kind}, {kind}_points(), {inputs}));\n");
    }
    let points: usize = code.functions.iter().map(|function| code.test_points(function.kind).len()).sum();
    out += &format!(
        "    fprintf('{law}: {} functions, {points} points agree (largest relative error %.0e)\\n', worst);\nend\n",
        code.functions.len()
    );
    out += &CHECK.replace("LAW", law);
    if !code.params().is_empty() {
        out += "\nfunction p = parameters(x)\n% Parameters from one row for each.\n";
        for (i, field) in names.fields.iter().enumerate() {
            out += &format!("    p.{field} = x({}, :);\n", i + 1);
        }
        out += "end\n";
    }
    code.functions.iter().for_each(|function| out += &call(code, names, function.kind));
    code.functions.iter().for_each(|function| out += &points_of(code, function.kind));
    out
}

/// A function that takes all inputs as rows of one array, and gives all outputs so.
fn call(code: &LawCode, names: &Names, kind: FunctionKind) -> String {
    let mut arguments: Vec<String> = (1..=kind.signals().len()).map(|i| format!("x({i}, :)")).collect();
    let mut next = kind.signals().len() + 1;
    if takes_memory(code, kind) {
        let last = next + code.law.states.len() - 1;
        arguments.push(format!("x({next}:{last}, :)"));
        next = last + 1;
    }
    if !code.params().is_empty() {
        arguments.push(format!("parameters(x({next}:end, :))"));
    }
    let count = kind.results().len() + usize::from(gives_memory(code, kind));
    let results: Vec<String> =
        if count == 1 { vec!["y".to_owned()] } else { (1..=count).map(|i| format!("y{i}")).collect() };
    let signature = Signature { arguments, results };
    let text = signature.text(&names.function(kind.name()));
    let list = signature.results.join("; ");
    let joined = if count == 1 { String::new() } else { format!("    y = [{list}];\n") };
    format!("\nfunction y = call_{}(x)\n    {text};\n{joined}end\n", kind.name())
}

fn points_of(code: &LawCode, kind: FunctionKind) -> String {
    let mut out = format!("\nfunction points = {}_points()\n", kind.name());
    out += &comment(&[format!("{}; {}", code.inputs(kind).join(" "), code.outputs(kind).join(" "))]);
    out += "    points = [\n";
    for point in code.test_points(kind) {
        let row = point.inputs.iter().chain(&point.outputs).map(|x| Matlab.number(Precision::Double, *x));
        out += &format!("        {}\n", row.collect::<Vec<_>>().join(", "));
    }
    out + "    ];\nend\n"
}

const CHECK: &str = "
function worst = check(name, call, points, inputs)
    x = points(:, 1:inputs).';
    want = points(:, inputs + 1:end).';
    % The libraries of exp and others differ in the last bit, and where terms cancel, the last bit of a term is many of the
    % result: so what may differ is measured by the largest result, too.
    scale = max(abs(want), [], 2);
    got = call(x);
    for k = 1:32:size(x, 2)
        got = [got, call(x(:, k))]; %#ok<AGROW>
        want = [want, want(:, k)]; %#ok<AGROW>
    end
    size_of = max(abs(want), scale);
    off = abs(got - want);
    same = got == want | (isnan(got) & isnan(want)) | off <= 1e-12 * size_of;
    [row, column] = find(~same, 1);
    if ~isempty(row)
        error('LAW:test', 'LAW: %s, point %d, result %d: %.17g instead of %.17g', name, column, row, ...
              got(row, column), want(row, column));
    end
    relative = off(size_of > 0 & isfinite(size_of)) ./ size_of(size_of > 0 & isfinite(size_of));
    worst = max([0; relative(:)]);
end
";
