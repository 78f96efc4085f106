//! Laws as WebAssembly, run by an interpreter and by Node.
use crate::awkward::awkward_laws;
use crate::build::{folder, run};
use crate::skip::skip;
use std::fs;
use std::process::Command;
use stiction::core::models;
use stiction::export::OutputFile;
use stiction::export::law::{FunctionKind, LawCode, wasm};
use wasmi::{Engine, Func, Linker, Module, Store, Val};

/// A module that runs.
struct Running {
    store: Store<()>,
    instance: wasmi::Instance,
    module: Module,
}

impl Running {
    fn new(code: &LawCode) -> Self {
        let engine = Engine::default();
        let module = Module::new(&engine, wasm::module(code)).unwrap_or_else(|e| panic!("{}: {e}", code.name));
        let mut store = Store::new(&engine, ());
        let instance = Linker::new(&engine).instantiate_and_start(&mut store, &module).unwrap();
        Self { store, instance, module }
    }
    fn function(&self, kind: FunctionKind) -> Func {
        self.instance.get_func(&self.store, kind.name()).unwrap()
    }
    fn call(&mut self, function: Func, inputs: &[f64], outputs: usize) -> Vec<f64> {
        let given: Vec<Val> = inputs.iter().map(|x| Val::F64((*x).into())).collect();
        let mut got = vec![Val::F64(0.0.into()); outputs];
        function.call(&mut self.store, &given, &mut got).unwrap();
        got.iter().map(|value| f64::from(value.f64().unwrap())).collect()
    }
}

/// The bits; those of every NaN are one, because engines choose them.
fn bits(list: &[f64]) -> Vec<u64> {
    list.iter().map(|x| if x.is_nan() { f64::NAN.to_bits() } else { x.to_bits() }).collect()
}

/// All laws, and unusual ones from files.
fn laws() -> Vec<LawCode> {
    models::ALL.iter().chain(awkward_laws()).map(|law| LawCode::new(law).unwrap()).collect()
}

#[test]
fn every_function_of_every_law_has_the_bits_of_the_law() {
    let (mut points, mut bytes) = (0, 0);
    for code in laws() {
        let mut running = Running::new(&code);
        bytes += wasm::module(&code).len();
        for function in &code.functions {
            let callable = running.function(function.kind);
            let what = format!("{} of {}", function.kind.name(), code.law.name);
            for (k, point) in code.test_points(function.kind).iter().enumerate() {
                let got = running.call(callable, &point.inputs, point.outputs.len());
                assert_eq!(bits(&got), bits(&point.outputs), "{what}: {got:?} at {point:?}");
                points += 1;
                // at the edges of what can be asked, where the law itself may give no number
                let edges = [(0.0, 1.0), (-0.0, 1.0), (1e-12, 1.0), (1e3, 1.0), (-1e3, 0.0), (0.0, 0.0)];
                for (v, load) in edges.into_iter().filter(|_| k % 32 == 5) {
                    let mut inputs = point.inputs.clone();
                    inputs[..2].copy_from_slice(&[v, load]);
                    let got = running.call(callable, &inputs, point.outputs.len());
                    let want = function.program.evaluate(&inputs);
                    assert_eq!(bits(&got), bits(&want), "{what}: {got:?} instead of {want:?} at {inputs:?}");
                }
            }
        }
    }
    println!("{points} points in modules of {bytes} bytes together");
    assert!(points > 28 * 2 * 64, "{points}");
}

#[test]
fn a_module_describes_its_functions() {
    let running = Running::new(&LawCode::new(models::ALL.iter().find(|law| law.name == "lugre").unwrap()).unwrap());
    let mut sections = running.module.custom_sections();
    let section = sections.find(|section| section.name() == wasm::DESCRIPTION_SECTION).unwrap();
    let text = String::from_utf8(section.data().to_vec()).unwrap();
    let force = "\"force\":{\"arguments\":[\"v\",\"load\",\"z\",";
    assert!(text.starts_with("{\"law\":\"lugre\",") && text.contains(force), "{text}");
}

#[test]
fn node_finds_the_same_bits() {
    if !Command::new("node").arg("--version").output().is_ok_and(|out| out.status.success()) {
        return skip("there is no Node here, so the JavaScript of laws is not run");
    }
    let at = folder("laws_in_javascript");
    let mut all = String::new();
    for code in laws() {
        for OutputFile { path, bytes } in wasm::files(&code) {
            fs::write(at.join(path), bytes).unwrap();
        }
        all += &format!("await import(\"./{}.test.mjs\");\n", code.name);
    }
    // a memory that lacks a number
    all += "const { force } = await import(\"./lugre.mjs\");\nlet refused = false;\n";
    all += "try { force(1, 1, [0]); } catch (e) { refused = e instanceof TypeError; }\n";
    all += "if (!refused) throw new Error(\"a memory without z is taken\");\n";
    fs::write(at.join("all.mjs"), all).unwrap();
    let said = run(Command::new("node").current_dir(&at).arg("all.mjs"));
    let said = String::from_utf8_lossy(&said);
    assert_eq!(said.lines().filter(|line| line.contains("points agree bit for bit")).count(), laws().len(), "{said}");
}
