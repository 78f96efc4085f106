//! Laws as functions for MATLAB and GNU Octave, over scalars and rows alike.
mod names;
mod test_runner;

use super::{FunctionKind, LawCode, LawFunction};
use crate::export::SourceFile;
use crate::export::source_text::{LoopText, Syntax, ValueKind, decimal, statements, wrapped};
use crate::number::short;
use names::Names;
use stiction_core::program::{Arithmetic, Function, Precision, WordOperator};

/// The parameters, the functions, and a test.
pub fn files(code: &LawCode) -> Vec<SourceFile> {
    let names = Names::new(code);
    let file = |name: String, text: String| SourceFile { path: format!("{name}.m"), text };
    let mut out = Vec::new();
    if !code.params().is_empty() {
        out.push(file(names.function("params"), parameters(code, &names)));
    }
    for function in &code.functions {
        out.push(file(names.function(function.kind.name()), definition(code, &names, function)));
    }
    out.push(file(names.function("test"), test_runner::runner(code, &names)));
    out
}

/// The function that runs the test.
pub fn test_name(code: &LawCode) -> String {
    Names::new(code).function("test")
}

struct Matlab;
impl Syntax for Matlab {
    fn declare(&self, _: ValueKind, _: Precision, name: &str, value: &str) -> String {
        format!("    {name} = {value};")
    }
    fn number(&self, precision: Precision, x: f64) -> String {
        match x {
            x if x.is_nan() => "NaN".to_owned(),
            f64::INFINITY => "Inf".to_owned(),
            f64::NEG_INFINITY => "-Inf".to_owned(),
            x => decimal(precision, x),
        }
    }
    // a literal has the precision of a double, so a word is made of two halves
    fn word(&self, x: u64) -> String {
        format!("bitor(bitshift(uint64({}), 32), uint64({}))", x >> 32, x & 0xFFFF_FFFF)
    }
    fn arithmetic(&self, operator: Arithmetic, a: &str, b: &str) -> String {
        let sign = match operator {
            Arithmetic::Add => "+",
            Arithmetic::Subtract => "-",
            Arithmetic::Multiply => ".*",
            Arithmetic::Divide => "./",
        };
        format!("{a} {sign} {b}")
    }
    fn abs(&self, _: Precision, a: &str) -> String {
        format!("abs({a})")
    }
    fn call(&self, _: Precision, function: Function, args: &[&str]) -> String {
        let name = match function {
            Function::Exp => "exp",
            Function::ExpM1 => "expm1",
            Function::Ln => "real_log",
            Function::Ln1p => "real_log1p",
            Function::Tanh => "tanh",
            Function::Sqrt => "real_sqrt",
            Function::Floor => "floor",
            Function::Pow => "real_power",
            Function::Uniform => "uniform",
        };
        format!("{name}({})", args.join(", "))
    }
    fn same(&self, a: &str, b: &str) -> String {
        format!("{a} == {b}")
    }
    fn nan(&self, a: &str) -> String {
        format!("isnan({a})")
    }
    fn not(&self, a: &str) -> String {
        format!("~{a}")
    }
    fn select(&self, m: &str, a: &str, b: &str) -> String {
        format!("where({m}, {a}, {b})")
    }
    fn bits(&self, a: &str) -> String {
        format!("typecast({a}, 'uint64')")
    }
    fn of_bits(&self, a: &str) -> String {
        format!("typecast({a}, 'double')")
    }
    fn word_arithmetic(&self, operator: WordOperator, a: &str, b: &str) -> String {
        let name = match operator {
            WordOperator::And => "bitand",
            WordOperator::Or => "bitor",
            WordOperator::Xor => "bitxor",
            WordOperator::Add => "plus64",
            WordOperator::Subtract => "minus64",
            WordOperator::Multiply => "times64",
        };
        format!("{name}({a}, {b})")
    }
    fn shift(&self, a: &str, left: bool, n: u32) -> String {
        format!("bitshift({a}, {}{n})", if left { "" } else { "-" })
    }
    fn repeat(&self, _: Precision, repeat: &LoopText) -> Vec<String> {
        let (k, open) = (format!("k{}", repeat.index), format!("open{}", repeat.index));
        let mut out: Vec<String> =
            repeat.carried.iter().map(|carried| format!("    {} = {};", carried.name, carried.start)).collect();
        // a column that is done keeps its numbers while others go on
        if repeat.done.is_some() {
            out.push(format!("    {open} = true;"));
        }
        out.push(format!("    for {k} = 1:{}", repeat.count));
        out.extend(repeat.lines.iter().map(|line| format!("    {line}")));
        for carried in repeat.carried.iter().filter(|carried| carried.name != carried.next) {
            let (name, next) = (&carried.name, &carried.next);
            out.push(match repeat.done {
                Some(_) => format!("        {name} = where({open}, {next}, {name});"),
                None => format!("        {name} = {next};"),
            });
        }
        if let Some(done) = &repeat.done {
            out.push(format!("        {open} = {open} & ~{done};"));
            out.push(format!("        if ~any({open}(:)), break; end"));
        }
        out.push("    end".to_owned());
        out
    }
}

fn unit(unit: &str) -> String {
    if unit == "-" { String::new() } else { format!(" ({unit})") }
}

/// Lines of a comment.
fn comment(lines: &[String]) -> String {
    let mut out = String::new();
    for line in wrapped(lines, 96) {
        out += format!("% {}", line.replace(char::is_control, " ")).trim_end();
        out.push('\n');
    }
    out
}

/// The function that gives the parameters. The description of the law stands here and in no other file.
fn parameters(code: &LawCode, names: &Names) -> String {
    let name = names.function("params");
    let mut lines = vec![
        format!("{}  Parameters of the friction law {}.", name.to_uppercase(), code.law.name),
        format!("  p = {name}() gives the defaults."),
    ];
    if let (Some(p), Some(field)) = (code.params().first(), names.fields.first()) {
        let default = short(p.default);
        lines.push(format!("  p = {name}('{field}', {default}) gives the defaults but for what is named."));
    }
    lines.push(String::new());
    lines.extend(code.description());
    let mut out = format!("function p = {name}(varargin)\n{}", comment(&lines));
    for (p, field) in code.params().iter().zip(&names.fields) {
        let doc = p.doc.trim().trim_end_matches('.').replace(char::is_control, " ");
        let text = format!("{doc}{}", unit(p.unit));
        let text = if text.is_empty() { text } else { format!(" % {}", text.trim_start()) };
        out += &format!("    p.{field} = {};{text}\n", short(p.default));
    }
    out += "    for k = 1:2:numel(varargin)\n        if ~isfield(p, varargin{k})\n";
    out += &format!("            error('{name}:unknown', 'there is no parameter %s', varargin{{k}});\n");
    out += "        end\n        p.(varargin{k}) = varargin{k + 1};\n    end\nend\n";
    out
}

/// The argument list of a function, and its results.
struct Signature {
    arguments: Vec<String>,
    results: Vec<String>,
}

impl Signature {
    fn new(code: &LawCode, kind: FunctionKind) -> Self {
        let mut arguments: Vec<String> = kind.signals().iter().map(|signal| signal.name.to_owned()).collect();
        if takes_memory(code, kind) {
            arguments.push("memory".to_owned());
        }
        if !code.params().is_empty() {
            arguments.push("p".to_owned());
        }
        let mut results: Vec<String> = kind.results().iter().map(|signal| signal.name.to_owned()).collect();
        if kind == FunctionKind::Rate {
            results.push("rate".to_owned());
        } else if gives_memory(code, kind) {
            results.push("memory".to_owned());
        }
        Self { arguments, results }
    }
    /// The call of a function with this name.
    fn text(&self, name: &str) -> String {
        let results = match self.results.as_slice() {
            [result] => result.clone(),
            results => format!("[{}]", results.join(", ")),
        };
        format!("{results} = {name}({})", self.arguments.join(", "))
    }
}

fn takes_memory(code: &LawCode, kind: FunctionKind) -> bool {
    kind.takes_memory() && code.has_memory()
}

fn gives_memory(code: &LawCode, kind: FunctionKind) -> bool {
    kind.gives_memory() && code.has_memory()
}

/// The help of a function: what it does, its arguments and results.
fn help(code: &LawCode, names: &Names, kind: FunctionKind, signature: &Signature) -> String {
    let name = names.function(kind.name());
    let mut lines = vec![format!("{}  {}.", name.to_uppercase(), kind.doc())];
    lines.push(format!("  {}", signature.text(&name)));
    lines.push(String::new());
    for signal in kind.signals() {
        lines.push(format!("  {}: {}{}", signal.name, code.doc_of(signal), unit(code.unit_of(signal))));
    }
    if takes_memory(code, kind) {
        let states: Vec<String> = code.law.states.iter().map(|z| format!("{}{}", z.name, unit(z.unit))).collect();
        lines.push(format!(
            "  memory: a row for each of {}; zeros({}, 1) for a contact that has never moved",
            states.join(", "),
            states.len()
        ));
    }
    if !code.params().is_empty() {
        lines.push(format!("  p: parameters, see {}; the defaults if left out", names.function("params")));
    }
    for signal in kind.results() {
        lines.push(format!("  {}: {}{}", signal.name, code.doc_of(signal), unit(code.unit_of(signal))));
    }
    if kind == FunctionKind::Rate {
        lines.push("  rate: a row for each row of the memory, in its unit per second".to_owned());
    }
    lines.push(String::new());
    lines.push(if takes_memory(code, kind) {
        "  Arguments and parameters are scalars or rows of one length: then column k of the results is that of contact k."
            .to_owned()
    } else {
        "  Arguments and parameters are scalars or arrays of one size.".to_owned()
    });
    let mut out = comment(&lines);
    if code.params().is_empty() {
        out += "\n";
        out += &comment(&code.description());
    } else {
        out += &comment(&[
            String::new(),
            format!("  Made by stiction {}. Do not edit: generate it again.", env!("CARGO_PKG_VERSION")),
        ]);
    }
    out
}

/// A function with its helpers.
fn definition(code: &LawCode, names: &Names, function: &LawFunction) -> String {
    let kind = function.kind;
    let signature = Signature::new(code, kind);
    let name = names.function(kind.name());
    let mut out = format!("function {}\n{}", signature.text(&name), help(code, names, kind, &signature));
    if !code.params().is_empty() {
        out += &format!("    if nargin < {}, p = {}(); end\n", signature.arguments.len(), names.function("params"));
    }
    let states = code.law.states.len();
    let mut inputs: Vec<String> = kind.signals().iter().map(|signal| signal.name.to_owned()).collect();
    let used = function.program.used_inputs();
    for name in &inputs {
        out += &format!("    {name} = real_double({name});\n");
    }
    if takes_memory(code, kind) {
        out += "    memory = real_double(memory);\n";
        out += &format!("    if size(memory, 1) ~= {states}\n");
        out +=
            &format!("        error('{name}:memory', 'memory has %d rows, not {states}', size(memory, 1));\n    end\n");
        for (i, local) in names.states.iter().enumerate() {
            // a row that is not used still says how many columns there are
            out += &format!("    {local} = memory({}, :);\n", i + 1);
        }
        inputs.extend(names.states.iter().cloned());
    }
    let mut sized = inputs.clone();
    for (local, field) in names.params.iter().zip(&names.fields) {
        if used.contains(&(inputs.len() as u32)) {
            out += &format!("    {local} = real_double(p.{field});\n");
            sized.push(local.clone());
        }
        inputs.push(local.clone());
    }
    out += &format!("    shape = common_size({});\n", continued(&sized));
    if takes_memory(code, kind) {
        out += "    if shape(1) ~= 1\n";
        out += &format!("        error('{name}:size', 'arguments are scalars or rows, not columns');\n    end\n");
    }
    let (lines, outputs) = statements(&function.program, &Matlab, |i| inputs[i as usize].clone());
    lines.iter().for_each(|line| out += &format!("{line}\n"));
    let expanded: Vec<String> = outputs.iter().map(|x| format!("expand({x}, shape)")).collect();
    let (results, after) = expanded.split_at(kind.results().len());
    let rows = match after {
        [] => None,
        [row] => Some(row.clone()),
        rows => Some(format!("[{}]", rows.join("; ...\n        "))),
    };
    // the velocity, which is an argument too, comes last, when nothing reads the argument any more
    let written: Vec<String> = results.iter().cloned().chain(rows).collect();
    for (name, x) in signature.results.iter().zip(&written).rev() {
        out += &format!("    {name} = {x};\n");
    }
    out += "end\n";
    out += REAL_DOUBLE;
    out += COMMON_SIZE;
    out += EXPAND;
    for (call, text) in HELPERS {
        if lines.iter().any(|line| line.contains(call)) {
            out += text;
        }
    }
    out
}

/// A list over several lines where it is long.
fn continued(list: &[String]) -> String {
    wrapped(&[list.join(", ")], 96).join(" ...\n        ")
}

const REAL_DOUBLE: &str = "
function y = real_double(x)
% The argument in the arithmetic of the law: integers and single precision would round on the way.
    if ~isreal(x)
        error('real_double:complex', 'arguments and parameters are real numbers');
    end
    y = double(x);
end
";

const COMMON_SIZE: &str = "
function shape = common_size(varargin)
% The size of the arguments that are not scalars.
    shape = [1, 1];
    for k = 1:numel(varargin)
        if ~isscalar(varargin{k})
            if ~isequal(shape, [1, 1]) && ~isequal(shape, size(varargin{k}))
                error('common_size:differ', 'the sizes of arguments or parameters differ');
            end
            shape = size(varargin{k});
        end
    end
end
";

const EXPAND: &str = "
function y = expand(x, shape)
% A result in full size.
    if isscalar(x), y = repmat(x, shape); else, y = x; end
end
";

/// Helpers, each by a call of it.
const HELPERS: [(&str, &str); 6] = [
    (
        "where(",
        "
function y = where(m, a, b)
% The elements of a where m holds, else those of b. What is not chosen may be NaN or infinite.
    if isscalar(m)
        if m, y = a; else, y = b; end
        return
    end
    if isscalar(b), y = repmat(b, size(m)); else, y = b; end
    if isscalar(a), y(m) = a; else, y(m) = a(m); end
end
",
    ),
    (
        "real_log(",
        "
function y = real_log(x)
% The logarithm; NaN, not a complex number, for what is negative.
    x(x < 0) = NaN;
    y = log(x);
end
",
    ),
    (
        "real_log1p(",
        "
function y = real_log1p(x)
% The logarithm of 1 + x; NaN, not a complex number, for what is below -1.
    x(x < -1) = NaN;
    y = log1p(x);
end
",
    ),
    (
        "real_sqrt(",
        "
function y = real_sqrt(x)
% The square root; NaN, not a complex number, for what is negative.
    x(x < 0) = NaN;
    y = sqrt(x);
end
",
    ),
    (
        "real_power(",
        "
function z = real_power(x, y)
% x to the power of y; for negative x NaN, not a complex number, but for the exponents 0, 1 and 2.
    z = (1 - 2 * (x < 0 & y == 1)) .* abs(x) .^ y;
    z(x < 0 & y ~= 0 & y ~= 1 & y ~= 2) = NaN;
end
",
    ),
    (
        "uniform(",
        "
function y = uniform(seed, k)
% A number in [0, 1), the same for the same two whole numbers: SplitMix64 of 64-bit words.
    base = uint64(2 ^ 62 + 51 * 2 ^ 52); % the bits of the number 2^52
    y = double(bitshift(scramble(bitxor(base + uint64(k), scramble(base + uint64(seed)))), -12)) * 2 ^ -52;
end

function x = scramble(x)
    x = plus64(x, word64(2654435769, 2135587861));
    x = times64(bitxor(x, bitshift(x, -30)), word64(3210233709, 484763065));
    x = times64(bitxor(x, bitshift(x, -27)), word64(2496678331, 321982955));
    x = bitxor(x, bitshift(x, -31));
end

function y = word64(high, low)
% A word of two halves: a literal number has no more than 53 bits.
    y = bitor(bitshift(uint64(high), 32), uint64(low));
end

function y = plus64(a, b)
% a + b modulo 2^64; integers of MATLAB stop at their largest value instead.
    room = intmax('uint64') - b;
    y = a + b;
    over = a > room;
    if isscalar(room), room = repmat(room, size(over)); end
    if isscalar(a), a = repmat(a, size(over)); end
    y(over) = a(over) - room(over) - 1;
end

function y = times64(a, b)
% a b modulo 2^64, from products of halves, which have no more than 64 bits.
    half = uint64(2 ^ 32 - 1);
    [al, ah] = deal(bitand(a, half), bitshift(a, -32));
    [bl, bh] = deal(bitand(b, half), bitshift(b, -32));
    middle = bitand(al .* bh, half) + bitand(ah .* bl, half);
    y = plus64(al .* bl, bitshift(bitand(middle, half), 32));
end
",
    ),
];
