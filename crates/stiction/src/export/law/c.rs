//! Laws as C99, and as CUDA: the same functions for host and device.
use super::{FORCE, FunctionKind, LawCode, LawFunction, VELOCITY, identifier};
use crate::export::SourceFile;
use crate::export::language_c::{C, FLOATS, INCLUDES, comment, elementary, helpers, to_ascii};
use crate::export::recorder::function_program;
use crate::export::source_text::{Syntax, statements};
use stiction_core::program::{Precision, Program};

/// Words that are no names in C, C++ or CUDA, and names of this code.
const RESERVED: &str = "alignas alignof and asm auto bool break case catch char class compl const constexpr continue decltype \
    default delete do double else enum explicit export extern false float for friend goto if inline int long mutable namespace new \
    noexcept not nullptr operator or private protected public register restrict return short signed sizeof static struct switch \
    template this throw true try typedef typeid typename union unsigned using virtual void volatile wchar_t while xor \
    NAN INFINITY NULL EOF BUFSIZ HUGE_VAL FLT_MAX DBL_MAX FLT_MIN DBL_MIN FLT_EPSILON DBL_EPSILON UINT64_MAX INT64_MAX UINT32_MAX \
    INT32_MAX M_PI linux unix";

fn member(name: &str) -> String {
    identifier(name, RESERVED)
}

/// The function's head without its storage class.
fn signature(code: &LawCode, kind: FunctionKind) -> String {
    let name = &code.name;
    let result = match kind {
        FunctionKind::Steady | FunctionKind::Force | FunctionKind::Step => "double".to_owned(),
        FunctionKind::Rate => format!("{name}_memory"),
        FunctionKind::Contact => format!("{name}_body"),
    };
    let mut args = Vec::new();
    if code.has_memory() && kind.takes_memory() {
        let changes = kind.updates_memory();
        args.push(format!("{}{name}_memory *memory", if changes { "" } else { "const " }));
    }
    args.extend(kind.signals().iter().map(|signal| format!("double {}", signal.name)));
    if !code.params().is_empty() {
        args.push(format!("const {name}_params *p"));
    }
    format!("{result} {name}_{}({})", kind.name(), args.join(", "))
}

/// What a function does, as a comment in front of it.
fn doc(code: &LawCode, kind: FunctionKind) -> String {
    let mut text = format!("{}.", kind.doc());
    if code.has_memory() && kind.updates_memory() {
        text += " The memory is updated in place.";
    }
    comment(&[text])
}

/// Parameters, memory, and what a step of a body gives.
fn types(code: &LawCode) -> String {
    let (name, capitals) = (&code.name, code.name.to_uppercase());
    let mut out = String::new();
    let line = |name: &str, doc: &str, unit: &str| {
        let unit = if unit == "-" { String::new() } else { format!("({unit})") };
        let text = to_ascii(format!("{doc} {unit}").trim());
        let text = if text.is_empty() { text } else { format!(" /* {text} */") };
        format!("    double {};{text}\n", member(name))
    };
    if !code.params().is_empty() {
        out += &format!("/* Parameters. */\ntypedef struct {name}_params {{\n");
        code.params().iter().for_each(|p| out += &line(p.name, p.doc.trim().trim_end_matches('.'), p.unit));
        let defaults: Vec<String> =
            code.params().iter().map(|p| C(name).number(Precision::Double, p.default)).collect();
        out += &format!("}} {name}_params;\n\n/* Their defaults: {name}_params p = {capitals}_DEFAULTS; */\n");
        out += &format!("#define {capitals}_DEFAULTS {{{}}}\n\n", defaults.join(", "));
    }
    if code.has_memory() {
        out += &format!("/* Memory; zeros for a contact that has never moved. */\ntypedef struct {name}_memory {{\n");
        code.law.states.iter().for_each(|state| out += &line(state.name, "", state.unit));
        out += &format!("}} {name}_memory;\n\n");
    }
    out += &format!("/* A body after a step. */\ntypedef struct {name}_body {{\n");
    let unit = |signal| to_ascii(code.unit_of(signal));
    let (speed, force) = (unit(&VELOCITY), unit(&FORCE));
    out += &format!("    double v; /* velocity, exactly 0 where friction holds the body ({speed}) */\n");
    out += &format!("    double force; /* friction force over the step ({force}) */\n");
    out += "    int stuck; /* 1 where friction holds the body, else 0 */\n";
    out += &format!("}} {name}_body;\n\n");
    out
}

/// A function with its body.
fn definition(code: &LawCode, function: &LawFunction, storage: &str) -> String {
    let (kind, name) = (function.kind, &code.name);
    let memory: Vec<String> = code.law.states.iter().map(|state| member(state.name)).collect();
    let mut inputs: Vec<String> = kind.signals().iter().map(|signal| signal.name.to_owned()).collect();
    if kind.takes_memory() {
        inputs.extend(memory.iter().map(|state| format!("memory->{state}")));
    }
    inputs.extend(code.params().iter().map(|p| format!("p->{}", member(p.name))));
    let (lines, outputs) = statements(&function.program, &C(name), |i| inputs[i as usize].clone());
    let mut out = format!("{}{storage}{} {{\n", doc(code, kind), signature(code, kind));
    // arguments that the law does not use
    let used = function.program.used_inputs();
    for (_, signal) in (0..).zip(kind.signals()).filter(|(i, _)| !used.contains(i)) {
        out += &format!("    (void){};\n", signal.name);
    }
    let first = kind.signals().len();
    let memory_inputs = if kind.takes_memory() { memory.len() } else { 0 };
    let unused = |from: usize, count: usize| count > 0 && (from..from + count).all(|i| !used.contains(&(i as u32)));
    if unused(first, memory_inputs) && !kind.updates_memory() {
        out += "    (void)memory;\n";
    }
    if unused(first + memory_inputs, code.params().len()) {
        out += "    (void)p;\n";
    }
    lines.iter().for_each(|line| out += &format!("{line}\n"));
    let results = kind.results().len();
    let after = &outputs[results..];
    match kind {
        FunctionKind::Steady | FunctionKind::Force => out += &format!("    return {};\n", outputs[0]),
        FunctionKind::Rate => {
            out += &format!("    {name}_memory rate;\n");
            memory.iter().zip(after).for_each(|(state, x)| out += &format!("    rate.{state} = {x};\n"));
            out += "    return rate;\n";
        }
        FunctionKind::Step => {
            out += &format!("    const double force = {};\n", outputs[0]);
            out += &assign(&memory, after);
            out += "    return force;\n";
        }
        FunctionKind::Contact => {
            out += &format!("    {name}_body body;\n    body.v = {};\n    body.force = {};\n", outputs[0], outputs[1]);
            out += &format!("    body.stuck = {} > 0.5;\n", outputs[2]);
            out += &assign(&memory, after);
            out += "    return body;\n";
        }
    }
    out + "}\n"
}

/// The memory after a step. Numbers that only change places are read before any is written.
fn assign(memory: &[String], after: &[String]) -> String {
    let mut out = String::new();
    let mut values: Vec<String> = Vec::new();
    for (i, (state, x)) in memory.iter().zip(after).enumerate() {
        if x.starts_with("memory->") && *x != format!("memory->{state}") {
            out += &format!("    const double kept{i} = {x};\n");
            values.push(format!("kept{i}"));
        } else {
            values.push(x.clone());
        }
    }
    for (state, x) in memory.iter().zip(values) {
        if x != format!("memory->{state}") {
            out += &format!("    memory->{state} = {x};\n");
        }
    }
    out
}

/// Helpers and elementary functions that the law needs.
fn helper_functions(code: &LawCode, storage: &str) -> String {
    let functions: std::collections::BTreeSet<_> = code.functions.iter().flat_map(|f| f.program.functions()).collect();
    let mut programs: Vec<Program> = functions.iter().map(|f| function_program(*f)).collect();
    programs.extend(code.functions.iter().map(|f| f.program.clone()));
    let mut out: String = helpers(&code.name, &programs).concat();
    functions.iter().for_each(|f| out += &elementary(&code.name, *f));
    out.replace("\nstatic ", &format!("\n{storage}"))
}

fn header(code: &LawCode) -> String {
    let guard = format!("{}_H", code.name.to_uppercase());
    let mut out = comment(&code.description());
    out +=
        &format!("#ifndef {guard}\n#define {guard}\n\n#ifdef __cplusplus\nextern \"C\" {{\n#endif\n\n{}", types(code));
    for function in &code.functions {
        out += &format!("{}{};\n\n", doc(code, function.kind), signature(code, function.kind));
    }
    out + "#ifdef __cplusplus\n}\n#endif\n\n#endif\n"
}

/// The source file without the header.
fn source(code: &LawCode) -> String {
    let mut out = format!("{INCLUDES}{FLOATS}{}", helper_functions(code, "static "));
    code.functions.iter().for_each(|function| out += &format!("\n{}", definition(code, function, "")));
    out
}

/// Header and source in one file.
pub(super) fn single_file(code: &LawCode) -> SourceFile {
    SourceFile { path: format!("{}.c", code.name), text: format!("{}\n{}", header(code), source(code)) }
}

/// A header, a source file, and a test program.
pub(super) fn c_files(code: &LawCode) -> Vec<SourceFile> {
    let name = &code.name;
    let file = |end: &str, text: String| SourceFile { path: format!("{name}{end}"), text };
    vec![
        file(".h", header(code)),
        file(".c", format!("#include \"{name}.h\"\n{}", source(code))),
        file("_test.c", c_test(code)),
    ]
}

/// A header with all functions, and a test program that runs them in a kernel.
pub(super) fn cuda_files(code: &LawCode) -> Vec<SourceFile> {
    let (name, capitals) = (&code.name, code.name.to_uppercase());
    let qualifier = format!("{capitals}_FUNCTION ");
    let mut header = comment(&[
        code.description(),
        vec![String::new(), "For host and device. With nvcc -fmad=false the results have the bits of the law; with products and sums fused they differ in the last places.".to_owned()],
    ].concat());
    header += &format!("#ifndef {capitals}_CUH\n#define {capitals}_CUH\n\n{INCLUDES}");
    header += &format!(
        "#if defined(__CUDACC__)\n#define {qualifier}__host__ __device__ static inline\n#else\n#define {qualifier}static inline\n#endif\n\n"
    );
    header += &types(code);
    header += &helper_functions(code, &qualifier);
    for function in &code.functions {
        header += &format!("\n{}", definition(code, function, &qualifier));
    }
    header += "\n#endif\n";
    vec![
        SourceFile { path: format!("{name}.cuh"), text: header },
        SourceFile { path: format!("{name}_test.cu"), text: cuda_test(code) },
    ]
}

/// The points of all functions as arrays of inputs and outputs.
fn tables(code: &LawCode) -> String {
    let mut out = String::new();
    for function in &code.functions {
        let (kind, points) = (function.kind, code.test_points(function.kind));
        let row = |list: &[f64]| list.iter().map(|x| literal(*x)).collect::<Vec<_>>().join(", ");
        let names = [code.inputs(kind), code.outputs(kind)].concat().join(", ");
        let width = code.inputs(kind).len() + code.outputs(kind).len();
        out += &format!(
            "/* {} */\nstatic const double {}_points[{}][{width}] = {{\n",
            to_ascii(&names),
            kind.name(),
            points.len()
        );
        points.iter().for_each(|point| out += &format!("    {{{}, {}}},\n", row(&point.inputs), row(&point.outputs)));
        out += "};\n";
    }
    out
}

/// A number in a table; hexadecimal digits would be exact too, but decimals are read by every compiler and by people.
fn literal(x: f64) -> String {
    match x {
        x if x.is_nan() => "NAN".to_owned(),
        f64::INFINITY => "INFINITY".to_owned(),
        f64::NEG_INFINITY => "-INFINITY".to_owned(),
        x => C("").number(Precision::Double, x),
    }
}

/// A function that calls one of the law's functions on a row of numbers.
fn call(code: &LawCode, kind: FunctionKind, qualifier: &str) -> String {
    let name = &code.name;
    let signals = kind.signals();
    let mut out = format!("{qualifier}void call_{}(const double *x, double *y) {{\n", kind.name());
    let mut args = Vec::new();
    let mut next = signals.len();
    if code.has_memory() && kind.takes_memory() {
        out += &format!("    {name}_memory memory;\n");
        for state in code.law.states {
            out += &format!("    memory.{} = x[{next}];\n", member(state.name));
            next += 1;
        }
        args.push("&memory".to_owned());
    }
    args.extend((0..signals.len()).map(|i| format!("x[{i}]")));
    if !code.params().is_empty() {
        out += &format!("    {name}_params p;\n");
        for p in code.params() {
            out += &format!("    p.{} = x[{next}];\n", member(p.name));
            next += 1;
        }
        args.push("&p".to_owned());
    }
    let value = format!("{name}_{}({})", kind.name(), args.join(", "));
    let results = kind.results().len();
    let from = match kind {
        FunctionKind::Steady | FunctionKind::Force | FunctionKind::Step => {
            out += &format!("    y[0] = {value};\n");
            "memory"
        }
        FunctionKind::Rate => {
            out += &format!("    const {name}_memory rate = {value};\n");
            "rate"
        }
        FunctionKind::Contact => {
            out += &format!(
                "    const {name}_body body = {value};\n    y[0] = body.v;\n    y[1] = body.force;\n    y[2] = body.stuck;\n"
            );
            "memory"
        }
    };
    if kind.gives_memory() {
        for (i, state) in code.law.states.iter().enumerate() {
            out += &format!("    y[{}] = {from}.{};\n", results + i, member(state.name));
        }
    }
    out + "}\n"
}

/// Compares a row with what was expected, bit for bit.
const COMPARE: &str =
    "static int agrees(const double *got, const double *want, int count, const char *function, int point) {
    int i;
    for (i = 0; i < count; i++) {
        const int both_nan = !(got[i] <= got[i]) && !(want[i] <= want[i]);
        if (!both_nan && memcmp(&got[i], &want[i], sizeof got[i]) != 0) {
            printf(\"%s, point %d, output %d: %.17g instead of %.17g\\n\", function, point, i, got[i], want[i]);
            return 0;
        }
    }
    return 1;
}
";

fn c_test(code: &LawCode) -> String {
    let name = &code.name;
    let mut out =
        "/* Points with what the law gives there, bit for bit. Exit code 1 if a function gives something else. */\n"
            .to_owned();
    out += &format!(
        "#include \"{name}.h\"\n#include <math.h>\n#include <stdio.h>\n#include <string.h>\n\n{}\n{COMPARE}\n",
        tables(code)
    );
    code.functions.iter().for_each(|function| out += &(call(code, function.kind, "static ") + "\n"));
    out += "int main(void) {\n    int k, points = 0;\n    double y[64];\n";
    for function in &code.functions {
        let (kind, inputs, outputs) =
            (function.kind.name(), code.inputs(function.kind).len(), code.outputs(function.kind).len());
        out +=
            &format!("    for (k = 0; k < (int)(sizeof {kind}_points / sizeof {kind}_points[0]); k++, points++) {{\n");
        out += &format!(
            "        call_{kind}({kind}_points[k], y);\n        if (!agrees(y, {kind}_points[k] + {inputs}, {outputs}, \"{kind}\", k)) return 1;\n    }}\n"
        );
    }
    out += &format!(
        "    printf(\"{name}: {} functions, %d points agree bit for bit\\n\", points);\n    return 0;\n}}\n",
        code.functions.len()
    );
    out
}

fn cuda_test(code: &LawCode) -> String {
    let name = &code.name;
    let mut out = comment(&[
        "Points with what the law gives there. On a device each is computed by a thread of its own; without CUDA, compiled as C++ (g++ -x c++), by the host. Exit code 1 if a function gives something else.".to_owned(),
        format!("    nvcc -fmad=false {name}_test.cu -o {name}_test && ./{name}_test"),
    ]);
    out += &format!("#include \"{name}.cuh\"\n#include <math.h>\n#include <stdio.h>\n\n{}\n{COMPARE}\n", tables(code));
    let qualifier = format!("{}_FUNCTION ", name.to_uppercase());
    code.functions.iter().for_each(|function| out += &(call(code, function.kind, &qualifier) + "\n"));
    out += "#if defined(__CUDACC__)\n";
    for function in &code.functions {
        let (kind, inputs, outputs) =
            (function.kind.name(), code.inputs(function.kind).len(), code.outputs(function.kind).len());
        let width = inputs + outputs;
        out += &format!(
            "__global__ void run_{kind}(const double *x, double *y, int points) {{\n    const int k = blockIdx.x * blockDim.x + threadIdx.x;\n    if (k < points) call_{kind}(x + {width} * k, y + {outputs} * k);\n}}\n"
        );
    }
    out += "#endif\n\nint main(void) {\n    int k, all = 0;\n    double y[64 * 64];\n";
    for function in &code.functions {
        let (kind, inputs, outputs) =
            (function.kind.name(), code.inputs(function.kind).len(), code.outputs(function.kind).len());
        let count = code.test_points(function.kind).len();
        out += "#if defined(__CUDACC__)\n    {\n        double *x_device, *y_device;\n";
        out += &format!(
            "        if (cudaMalloc(&x_device, sizeof {kind}_points) != cudaSuccess) return 1;\n        if (cudaMalloc(&y_device, sizeof y) != cudaSuccess) return 1;\n        cudaMemcpy(x_device, {kind}_points, sizeof {kind}_points, cudaMemcpyHostToDevice);\n        run_{kind}<<<1, {count}>>>(x_device, y_device, {count});\n        if (cudaMemcpy(y, y_device, sizeof y, cudaMemcpyDeviceToHost) != cudaSuccess) return 1;\n        cudaFree(x_device);\n        cudaFree(y_device);\n    }}\n"
        );
        out += &format!(
            "#else\n    for (k = 0; k < {count}; k++) call_{kind}({kind}_points[k], y + {outputs} * k);\n#endif\n"
        );
        out += &format!(
            "    for (k = 0; k < {count}; k++, all++) {{\n        if (!agrees(y + {outputs} * k, {kind}_points[k] + {inputs}, {outputs}, \"{kind}\", k)) return 1;\n    }}\n"
        );
    }
    out += &format!(
        "    printf(\"{name}: {} functions, %d points agree bit for bit\\n\", all);\n    return 0;\n}}\n",
        code.functions.len()
    );
    out
}
