//! The library as an importer calls it.
use crate::fmi2::*;
use crate::fmi3::*;
use std::ffi::{CString, c_void};
use std::path::PathBuf;
use std::ptr::{null, null_mut};
use std::{env, fs, process};
use stiction::export::fmu::ScenarioRun;

/// A block that a constant force pushes against Coulomb friction of 1 N, with a net force of 1 N.
const SCENARIO: &str = "[run]\nend = 1\n[body.block]\nmass = 1\n[force.push]\non = \"block\"\nforce = 2\n[contact.table]\nbetween = [\"block\", \"ground\"]\nlaw = \"coulomb\"\nfc = 1\n";

/// The folder of resources of a unit, removed in the end.
struct Resources(PathBuf);

impl Resources {
    fn new(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("stiction unit-{name}-{}", process::id()));
        fs::create_dir_all(&folder).unwrap();
        fs::write(folder.join("scenario.toml"), SCENARIO).unwrap();
        Self(folder)
    }
    fn run(&self) -> ScenarioRun {
        ScenarioRun::read(SCENARIO, &self.0).unwrap()
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
