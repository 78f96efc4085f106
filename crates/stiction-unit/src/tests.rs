//! The library as an importer calls it.
use crate::fmi2::*;
use crate::fmi3::*;
use crate::unit::is_present;
use std::ffi::{CStr, CString, c_char, c_void};
use std::path::{Path, PathBuf};
use std::ptr::{null, null_mut};
use std::{env, fs, process};
use stiction::export::fmu::{BUILD_MARK, FmiVersion, ScenarioRun, ScenarioUnit};
use stiction::scenario::Template;

/// A block that a constant force pushes against Coulomb friction of 1 N, with a net force of 1 N.
const SCENARIO: &str = "[run]\nend = 1\n[body.block]\nmass = 1\n[force.push]\non = \"block\"\nforce = 2\n[contact.table]\nbetween = [\"block\", \"ground\"]\nlaw = \"coulomb\"\nfc = 1\n";

/// The scenario as the program writes it into a unit.
fn resource() -> String {
    let template = Template::parse(SCENARIO, Path::new("block.toml"), &[""; 0]).unwrap();
    ScenarioUnit::new("block.toml", &template, FmiVersion::Two).unwrap().resource().to_owned()
}

/// The folder of resources of a unit, removed in the end.
struct Resources(PathBuf);

impl Resources {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("stiction unit-{name}-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("scenario.toml"), resource()).unwrap();
        Self(folder)
    }
    fn run(&self) -> ScenarioRun {
        ScenarioRun::read(&resource(), &self.0).unwrap()
    }
}

impl Drop for Resources {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn reference(run: &ScenarioRun, name: &str) -> u32 {
    run.variables().iter().find(|variable| variable.name == name).unwrap().reference as u32
}

fn c(text: &str) -> CString {
    CString::new(text).unwrap()
}

#[test]
fn fmi_2_steps_saves_and_refuses() {
    let resources = Resources::new("two");
    let run = resources.run();
    let [x, added] = ["block.x", "force.push.added"].map(|name| reference(&run, name));
    let (token, address) = (c(run.token()), c(&format!("file://{}", resources.0.display()).replace(' ', "%20")));
    let get = |unit: *mut c_void| {
        let mut value = f64::NAN;
        assert_eq!(unsafe { fmi2GetReal(unit, &x, 1, &mut value) }, 0);
        value
    };
    unsafe {
        // another token, model exchange, a folder that is not there
        assert!(fmi2Instantiate(null(), 1, c"other".as_ptr(), address.as_ptr(), null(), 0, 0).is_null());
        assert!(fmi2Instantiate(null(), 0, token.as_ptr(), address.as_ptr(), null(), 0, 0).is_null());
        assert!(fmi2Instantiate(null(), 1, token.as_ptr(), c"file:///nowhere".as_ptr(), null(), 0, 0).is_null());
        let unit = fmi2Instantiate(c"unit".as_ptr(), 1, token.as_ptr(), address.as_ptr(), null(), 0, 0);
        assert!(!unit.is_null());
        assert_eq!(fmi2DoStep(unit, 0.0, 0.1, 0), 3);
        assert_eq!(fmi2ExitInitializationMode(unit), 3);
        assert_eq!(fmi2SetupExperiment(unit, 0, 0.0, 0.0, 0, 0.0), 0);
        assert_eq!(fmi2EnterInitializationMode(unit), 0);
        assert_eq!(fmi2ExitInitializationMode(unit), 0);
        assert_eq!(fmi2DoStep(unit, 0.0, 0.5, 0), 0);
        // an acceleration of 1 m/s²
        assert!((get(unit) - 0.125).abs() < 1e-7);
        let (mut kept, mut read, mut size) = (null_mut(), null_mut(), 0);
        assert_eq!(fmi2GetFMUstate(unit, &mut kept), 0);
        assert_eq!(fmi2SerializedFMUstateSize(unit, kept, &mut size), 0);
        let mut bytes = vec![0_u8; size];
        assert_eq!(fmi2SerializeFMUstate(unit, kept, bytes.as_mut_ptr(), size - 1), 3);
        assert_eq!(fmi2SerializeFMUstate(unit, kept, bytes.as_mut_ptr(), size), 0);
        assert_eq!(fmi2DoStep(unit, 0.5, 0.5, 0), 0);
        let end = get(unit);
        assert!((end - 0.5).abs() < 1e-7);
        assert_eq!(fmi2DeSerializeFMUstate(unit, bytes.as_ptr(), size - 9, &mut read), 3);
        assert_eq!(fmi2DeSerializeFMUstate(unit, bytes.as_ptr(), size, &mut read), 0);
        assert_eq!(fmi2SetFMUstate(unit, read), 0);
        assert_eq!(fmi2DoStep(unit, 0.5, 0.5, 0), 0);
        assert_eq!(get(unit), end);
        assert_eq!(fmi2SetReal(unit, &x, 1, &1.0), 3);
        assert_eq!(fmi2SetReal(unit, &added, 1, &f64::NAN), 3);
        assert_eq!(fmi2DoStep(unit, f64::NAN, 0.5, 0), 3);
        // steps follow each other
        assert_eq!(fmi2DoStep(unit, 0.5, 0.5, 0), 3);
        assert_eq!(fmi2DoStep(unit, 1.5, 0.5, 0), 3);
        assert_eq!(fmi2GetInteger(unit), 3);
        assert_eq!(fmi2FreeFMUstate(unit, &mut kept), 0);
        assert_eq!(fmi2FreeFMUstate(unit, &mut read), 0);
        assert_eq!(fmi2Terminate(unit), 0);
        assert_eq!(fmi2DoStep(unit, 1.0, 0.5, 0), 3);
        assert_eq!(fmi2Reset(unit), 0);
        fmi2FreeInstance(unit);
        assert_eq!(fmi2DoStep(null_mut(), 0.0, 0.5, 0), 3);
    }
}

/// What a unit tells the importer of FMI 3.0.
unsafe extern "C" fn note(messages: *mut c_void, _status: i32, _category: *const c_char, text: *const c_char) {
    let messages = unsafe { &mut *messages.cast::<Vec<String>>() };
    messages.push(unsafe { CStr::from_ptr(text) }.to_string_lossy().into_owned());
}

#[test]
fn a_unit_of_another_build_is_refused_with_both() {
    let resources = Resources::new("other");
    let (path, token) = (c(&resources.0.display().to_string()), c(resources.run().token()));
    let other = resource().replace(BUILD_MARK, "stiction 0.0.1, sources 0123456789abcdef;");
    let mut messages: Vec<String> = Vec::new();
    for (text, made_by) in [(other, "stiction 0.0.1, sources 0123456789abcdef"), (SCENARIO.to_owned(), "unknown")] {
        fs::write(resources.0.join("scenario.toml"), text).unwrap();
        messages.clear();
        let environment = (&raw mut messages).cast();
        let (n, y) = (null(), null());
        let unit = unsafe {
            fmi3InstantiateCoSimulation(
                null(),
                token.as_ptr(),
                path.as_ptr(),
                false,
                false,
                false,
                false,
                n,
                0,
                environment,
                Some(note),
                y,
            )
        };
        let own = BUILD_MARK.trim_end_matches(';');
        assert!(unit.is_null() && messages.len() == 1, "{messages:?}");
        assert!(messages[0].contains(made_by) && messages[0].contains(own), "{messages:?}");
    }
}

/// Times as importers compute them, over many lengths and starts: a sum of steps, multiples of a step, differences of a grid. The unit takes over
/// the importer's time at each step, so none is refused; half of a step is.
#[test]
fn no_rounding_of_an_importer_is_another_time() {
    let mut seed = 1_u64;
    let mut uniform = || {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (seed >> 11) as f64 / (1_u64 << 53) as f64
    };
    for _ in 0..2000 {
        let start = (uniform() - 0.5) * 10_f64.powf(8.0 * uniform() - 2.0);
        let length = 10_f64.powf(-5.0 * uniform());
        let count = 1 + (1e6 * uniform()) as u64;
        let end = start + count as f64 * length;
        let grid = |k: u64| start + (end - start) * (k as f64 / count as f64);
        let (mut sum, first) = (start, (uniform() * count as f64) as u64);
        for k in first..first + 50 {
            let next = start + (k + 1) as f64 * length;
            assert!(is_present(start, (start + k as f64 * length) + length, next), "{start} {k} {length}");
            assert!(is_present(start, grid(k) + (grid(k + 1) - grid(k)), grid(k + 1)), "{start} {k} {length}");
            assert!(is_present(start, sum + length, sum + length));
            sum += length;
            assert!(
                !is_present(start, next, next + 0.5 * length) || 0.5 * length < 1e-14 * next.abs().max(start.abs())
            );
        }
    }
}

#[test]
fn fmi_3_adds_its_input() {
    let resources = Resources::new("three");
    let run = resources.run();
    let [x, added] = ["block.x", "force.push.added"].map(|name| reference(&run, name));
    let (token, path) = (c(run.token()), c(&resources.0.display().to_string()));
    unsafe {
        let unit = fmi3InstantiateCoSimulation(
            c"unit".as_ptr(),
            token.as_ptr(),
            path.as_ptr(),
            false,
            false,
            false,
            false,
            null(),
            0,
            null_mut(),
            None,
            null(),
        );
        assert!(!unit.is_null());
        assert_eq!(fmi3EnterInitializationMode(unit, false, 0.0, 0.0, false, 0.0), 0);
        assert_eq!(fmi3SetFloat64(unit, &added, 1, &2.0, 1), 0);
        assert_eq!(fmi3SetFloat64(unit, &added, 1, &2.0, 2), 3);
        assert_eq!(fmi3ExitInitializationMode(unit), 0);
        let (mut needed, mut terminate, mut early, mut last, mut value) = (true, true, true, 0.0, 0.0);
        assert_eq!(fmi3DoStep(unit, 0.0, 0.5, false, &mut needed, &mut terminate, &mut early, &mut last), 0);
        assert!(!needed && !terminate && !early && last == 0.5);
        assert_eq!(fmi3GetFloat64(unit, &x, 1, &mut value, 1), 0);
        // a net force of 3 N
        assert!((value - 0.375).abs() < 1e-7, "{value}");
        assert_eq!(fmi3EnterEventMode(unit), 3);
        assert_eq!(fmi3Terminate(unit), 0);
        fmi3FreeInstance(unit);
    }
}
