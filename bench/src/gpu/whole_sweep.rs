//! A sweep from its plan to its table: a map of stick-slip with 4000 × 4000 points, and the same by the processor for comparison.
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use stiction::Error;
use stiction::accelerator::Accelerator;
use stiction::parallel::processors;
use stiction::scenario::{Template, embedded};
use stiction::sweep::{ChunkStore, Design, Engine, OpenedStore, Shard, SweepPlan, SweepRequest};

/// Values of each axis on the device, and on the processor.
const SIDES: [u64; 2] = [4000, 500];

fn plan(side: u64) -> Result<SweepPlan, Error> {
    let text = embedded::find("a7").map_or("", |entry| entry.text);
    let set = ["contact.table.sigma2=0.2", "run.rtol=1e-4", "run.atol=1e-5"];
    let template = Template::parse(text, "a7.toml".as_ref(), &set)?;
    let vary = [format!("k=0.5:8:{side}"), format!("hand.v=log:0.5:5:{side}")];
    let measure = ["v.max,sticks".to_owned()];
    SweepPlan::new(&template, &SweepRequest { vary: &vary, design: Design::Grid, measure: &measure, from: None })
}

/// What it takes, step by step, in seconds.
pub fn run(device: &dyn Accelerator) -> Result<Vec<(String, f64)>, Error> {
    let begin = Instant::now();
    let on_device = plan(SIDES[0])?.on_device(device)?;
    let planned = begin.elapsed().as_secs_f64();
    let path = std::env::temp_dir().join(format!("stiction-bench-{}.parquet", std::process::id()));
    let engine = Engine { threads: processors(), stop: &AtomicBool::new(false), tick: &|| {} };
    let (mut ran, mut merged) = (0.0, 0.0);
    if let OpenedStore::Ready(store) = ChunkStore::open(&path, &on_device, Shard::WHOLE, None, false)? {
        let begin = Instant::now();
        store.run(&on_device, &store.missing(), &engine)?;
        ran = begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        store.finish()?;
        merged = begin.elapsed().as_secs_f64();
    }
    let _ = std::fs::remove_file(&path);
    // the points without a table
    let begin = Instant::now();
    let mut from = 0;
    while from < on_device.count() {
        let to = on_device.count().min(from + (1 << 20));
        engine.run(&on_device, from..to)?;
        from = to;
    }
    let points = begin.elapsed().as_secs_f64();
    let on_processor = plan(SIDES[1])?;
    let begin = Instant::now();
    engine.run(&on_processor, 0..on_processor.count())?;
    let lanes = begin.elapsed().as_secs_f64();
    let [device_side, side] = SIDES;
    Ok(vec![
        (format!("plan and kernel of a map of {device_side} x {device_side}"), planned),
        (format!("its points in {} threads, chunks written", processors()), ran),
        ("its chunks merged into one table".to_owned(), merged),
        ("its points alone, nothing written".to_owned(), points),
        (format!("a map of {side} x {side} in lanes on {} processors, nothing written", processors()), lanes),
    ])
}
