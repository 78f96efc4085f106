//! Sweeps on a device: the kernel's own text, compiled as C, stands in for a GPU.
use crate::Folder;
use crate::device_in_c::CompiledC;
use crate::skip::{c_compiler, skip};
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use stiction::Error;
use stiction::accelerator::{self, Accelerator, KernelBuffers, PreparedFits, PreparedKernel};
use stiction::error::AcceleratorError;
use stiction::export::ensemble::{EnsembleKernel, ProductsKernel};
use stiction::scenario::{Template, embedded};
use stiction::sweep::{ChunkStore, Design, Engine, OpenedStore, PointOutcome, Shard, SweepPlan, SweepRequest};

/// A device that ends every run like this.
#[derive(Debug)]
struct Ends(Result<i32, AcceleratorError>);

impl Accelerator for Ends {
    fn identity(&self) -> String {
        "broken".to_owned()
    }
    fn description(&self) -> String {
        "a device that does not work".to_owned()
    }
    fn prepare(&self, _: &EnsembleKernel) -> Result<Arc<dyn PreparedKernel>, AcceleratorError> {
        Ok(Arc::new(Ends(self.0.clone())))
    }
    fn prepare_fits(&self, _: &EnsembleKernel, _: &ProductsKernel) -> Result<Arc<dyn PreparedFits>, AcceleratorError> {
        Err(AcceleratorError::Failed { why: "it runs no fits".to_owned(), hint: "do not ask" })
    }
}

impl PreparedKernel for Ends {
    fn run(&self, buffers: KernelBuffers<'_>) -> Result<f64, AcceleratorError> {
        buffers.status.fill(self.0.clone()?);
        Ok(0.0)
    }
}

fn plan(scenario: &str, vary: &[&str], measure: &str) -> SweepPlan {
    let set: [&str; 0] = [];
    let template = Template::parse(embedded::find(scenario).unwrap().text, Path::new("x.toml"), &set).unwrap();
    let vary: Vec<String> = vary.iter().map(|text| (*text).to_owned()).collect();
    let measure = [measure.to_owned()];
    SweepPlan::new(&template, &SweepRequest { vary: &vary, design: Design::Grid, measure: &measure, from: None })
        .unwrap()
}

fn outcomes(plan: &SweepPlan, points: std::ops::Range<u64>) -> Vec<PointOutcome> {
    let engine = Engine { threads: 2, stop: &AtomicBool::new(false), tick: &|| {} };
    engine.run(plan, points).unwrap().unwrap()
}

/// A device, if there is a compiler.
fn compiled_c(folder: &Folder) -> Option<CompiledC> {
    c_compiler().map(|_| CompiledC(folder.0.clone()))
}

/// Compares the results of a device with those of the processor, and with its own.
fn agrees(device: &dyn Accelerator) {
    let measures = "period,v.max,swing=x.range/2,x.final,sticks,k*x.mean";
    let make = || plan("a7", &["k=0.8:6:5", "hand.v=log:0.1:1.2:4"], measures);
    let on_device = make().on_device(device).unwrap();
    assert_eq!((make().engine(), on_device.engine()), ("lanes", device.identity().as_str()));
    let (lanes, found) = (outcomes(&make(), 0..20), outcomes(&on_device, 0..20));
    let mut compared = 0;
    for (i, (lanes, found)) in lanes.iter().zip(&found).enumerate() {
        for (a, b) in lanes.as_ref().unwrap().iter().zip(found.as_ref().unwrap()) {
            assert_eq!(a.is_some(), b.is_some(), "point {i}: {lanes:?} and {found:?}");
            let (a, b) = (a.unwrap_or(0.0), b.unwrap_or(0.0));
            // both at a tolerance of 1e-8 a step; stick-slip multiplies errors at each break-away
            assert!((a - b).abs() <= 1e-5 * a.abs().max(0.1), "point {i}: {lanes:?} and {found:?}");
            compared += usize::from(a != 0.0);
        }
    }
    assert!(compared > 90, "{compared}");
    assert_eq!(on_device.left_over(), 0);
    // again, and a part of it
    assert_eq!(found, outcomes(&on_device, 0..20));
    assert_eq!(found[3..11], outcomes(&on_device, 3..11));
}

#[test]
fn a_kernel_in_c_gives_the_results_of_the_processor() {
    let folder = Folder::new("device-sweep");
    if let Some(device) = compiled_c(&folder) {
        agrees(&device);
    }
}

/// Stick and slip under a sine run on a device, though not in lanes.
#[test]
fn a_contact_that_sticks_runs_on_a_device() {
    let folder = Folder::new("device-sticks");
    let Some(device) = compiled_c(&folder) else { return };
    let make = || plan("g5", &["table.fc=0.5:1.6:6"], "slip_1,stick_2,v.max,x.final,sticks");
    let on_device = make().on_device(&device).unwrap();
    assert_eq!((make().engine(), on_device.engine()), ("single", "C"));
    assert!(make().scalar_reason().is_some() && on_device.scalar_reason().is_none());
    let (alone, found) = (outcomes(&make(), 0..6), outcomes(&on_device, 0..6));
    assert_eq!(on_device.left_over(), 0);
    for (i, (alone, found)) in alone.iter().zip(&found).enumerate() {
        for (a, b) in alone.as_ref().unwrap().iter().zip(found.as_ref().unwrap()) {
            assert_eq!(a.is_some(), b.is_some(), "point {i}: {alone:?} and {found:?}");
            let (a, b) = (a.unwrap_or(0.0), b.unwrap_or(0.0));
            // both at a tolerance of 1e-8 a step
            assert!((a - b).abs() <= 1e-6 * a.abs().max(0.1), "point {i}: {alone:?} and {found:?}");
        }
    }
}

#[test]
fn a_gpu_gives_the_results_of_the_processor() {
    match accelerator::cuda() {
        Ok(device) => agrees(&*device),
        Err(error) => skip(&format!("no sweep runs on a GPU: {error}")),
    }
}

#[test]
fn points_that_a_device_cannot_take_run_on_the_processor() {
    let folder = Folder::new("device-left-over");
    let Some(device) = compiled_c(&folder) else { return };
    let wrong = plan("a7", &["body.block.mass=2,-1,1"], "v.max").on_device(&device).unwrap();
    let found = outcomes(&wrong, 0..3);
    assert!(found[1].as_ref().is_err_and(|reason| reason.contains("mass")), "{found:?}");
    assert!(found[0].is_ok() && found[2].is_ok());
    assert_eq!(wrong.left_over(), 1);
    // a kernel that gives up says nothing about the simulator
    let make = || plan("a7", &["k=1:3:3"], "v.max");
    let given_up = make().on_device(&Ends(Ok(1))).unwrap();
    let alone: Vec<PointOutcome> = (0..3).map(|i| Ok(make().measure(&make().values(i)).unwrap())).collect();
    assert_eq!(outcomes(&given_up, 0..3), alone);
    assert_eq!(given_up.left_over(), 3);
}

#[test]
fn what_a_device_cannot_run_is_said() {
    let device = Ends(Ok(0));
    let refused = |plan: SweepPlan, word: &str| {
        let error = plan.on_device(&device).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
        assert!(error.hint().is_some_and(|hint| hint.contains("processor")), "{error}");
    };
    refused(plan("a7", &["k=1:3:3"], "energy.friction"), "more than probes");
    refused(plan("a7", &["run.end=1:3:3"], "v.max"), "run.end");
    refused(plan("a7", &["k=1:3:3"], "late={max=\"block.v\",show=\"t\"}"), "measure");
}

#[test]
fn chunks_of_a_device_are_kept_and_not_mixed() {
    let folder = Folder::new("device-chunks");
    let Some(device) = compiled_c(&folder) else { return };
    let make = || plan("a7", &["k=0.8:6:5", "hand.v=0.1:1.2:4"], "period,v.max");
    let whole = folder.0.join("whole.csv");
    let engine = Engine { threads: 1, stop: &AtomicBool::new(false), tick: &|| {} };
    let open = |path: &Path, plan: &SweepPlan| match ChunkStore::open(path, plan, Shard::WHOLE, Some(7), true).unwrap()
    {
        OpenedStore::Ready(store) => store,
        OpenedStore::Done(_) => panic!("done already"),
    };
    let on_device = make().on_device(&device).unwrap();
    let store = open(&whole, &on_device);
    assert_eq!(store.run(&on_device, &store.missing(), &engine).unwrap(), 3);
    store.finish().unwrap();
    // a device that breaks down keeps what is done; another engine does not go on with it
    let halves = folder.0.join("halves.csv");
    let store = open(&halves, &on_device);
    assert_eq!(store.run(&on_device, &[1], &engine).unwrap(), 1);
    let broken = Ends(Err(AcceleratorError::Failed { why: "it is hot".to_owned(), hint: "cool it" }));
    let error = store.run(&make().on_device(&broken).unwrap(), &store.missing(), &engine).unwrap_err();
    assert!(matches!(error, Error::Accelerator(_)), "{error}");
    drop(store);
    let error = ChunkStore::open(&halves, &make(), Shard::WHOLE, None, true).map(drop).unwrap_err();
    assert!(error.to_string().contains("another engine: 'C', now 'lanes'"), "{error}");
    let store = open(&halves, &on_device);
    assert_eq!(store.missing(), [0, 2]);
    store.run(&on_device, &store.missing(), &engine).unwrap();
    store.finish().unwrap();
    assert_eq!(fs::read(&halves).unwrap(), fs::read(&whole).unwrap());
}
