//! A sweep from its plan to its table: a map of stick-slip with 4000 × 4000 points, and the same by the processor for comparison.
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;
use stiction::Error;
use stiction::accelerator::Accelerator;
use stiction::parallel::processors;
use stiction::scenario::{Template, embedded};
use stiction::sweep::{ChunkStore, Design, Engine, OpenedStore, Shard, SweepPlan, SweepRequest};

/// Values of each axis on the device, and on the processor.
const SIDES: [u64; 2] = [4000, 500];

/// Values of each axis of a large plan, and of one with a thousand million points, which runs in so many parts.
const LARGE_SIDE: u64 = 10_000;
const HUGE_SIDE: u64 = 31_623;
const HUGE_PARTS: u32 = 16;
/// Points between two lines of progress.
const TOLD: u64 = 10_000_000;

fn plan(side: u64, measure: &str) -> Result<SweepPlan, Error> {
    let text = embedded::find("a7").map_or("", |entry| entry.text);
    let set = ["contact.table.sigma2=0.2", "run.rtol=1e-4", "run.atol=1e-5"];
    let template = Template::parse(text, "a7.toml".as_ref(), &set)?;
    let vary = [format!("k=0.5:8:{side}"), format!("hand.v=log:0.5:5:{side}")];
    let measure = [measure.to_owned()];
    SweepPlan::new(&template, &SweepRequest { vary: &vary, design: Design::Grid, measure: &measure, from: None })
}

/// What it takes, step by step, in seconds.
pub fn run(device: &dyn Accelerator) -> Result<Vec<(String, f64)>, Error> {
    let begin = Instant::now();
    let on_device = plan(SIDES[0], "v.max,sticks")?.on_device(device)?;
    let planned = begin.elapsed().as_secs_f64();
    let [ran, merged, _] = stored(&on_device, Shard::WHOLE)?;
    let engine = Engine { threads: processors(), stop: &AtomicBool::new(false), tick: &|| {} };
    // the points without a table
    let begin = Instant::now();
    let mut from = 0;
    while from < on_device.count() {
        let to = on_device.count().min(from + (1 << 20));
        engine.run(&on_device, from..to)?;
        from = to;
    }
    let points = begin.elapsed().as_secs_f64();
    let on_processor = plan(SIDES[1], "v.max,sticks")?;
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

/// Runs a part of a plan to its table: seconds of the points and of putting chunks together, and bytes of the table.
fn stored(plan: &SweepPlan, shard: Shard) -> Result<[f64; 3], Error> {
    let path = std::env::temp_dir().join(format!("stiction-bench-{}.parquet", std::process::id()));
    let (begin, ended) = (Instant::now(), AtomicU64::new(0));
    let tick = || {
        let ended = ended.fetch_add(1, Ordering::Relaxed) + 1;
        if ended % TOLD == 0 {
            eprintln!(
                "{ended} points after {:.2} s, peak memory {:.0} MB",
                begin.elapsed().as_secs_f64(),
                peak_memory()
            );
        }
    };
    let engine = Engine { threads: processors(), stop: &AtomicBool::new(false), tick: &tick };
    let mut out = [0.0; 3];
    if let OpenedStore::Ready(store) = ChunkStore::open(&path, plan, shard, None, false)? {
        let begin = Instant::now();
        store.run(plan, &store.missing(), &engine)?;
        out[0] = begin.elapsed().as_secs_f64();
        let begin = Instant::now();
        store.finish()?;
        out[1] = begin.elapsed().as_secs_f64();
    }
    out[2] = std::fs::metadata(&path).map_or(f64::NAN, |found| found.len() as f64);
    let _ = std::fs::remove_file(&path);
    Ok(out)
}

/// The largest memory of this process so far \[MB\], where the system tells.
fn peak_memory() -> f64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kilobytes = line.and_then(|line| line.trim().trim_end_matches(" kB").parse::<f64>().ok());
    kilobytes.map_or(f64::NAN, |kilobytes| kilobytes / 1024.0)
}

/// A plan of a hundred million points with one measure: what it takes, and the memory.
pub fn large(device: &dyn Accelerator) -> Result<Vec<(String, f64)>, Error> {
    let before = peak_memory();
    let plan = plan(LARGE_SIDE, "v.max")?.on_device(device)?;
    let [ran, merged, bytes] = stored(&plan, Shard::WHOLE)?;
    let points = plan.count();
    Ok(vec![
        (format!("{points} points, chunks written [s]"), ran),
        ("their chunks merged [s]".to_owned(), merged),
        ("their table [MB]".to_owned(), bytes / f64::from(1 << 20)),
        ("peak memory before [MB]".to_owned(), before),
        ("peak memory after [MB]".to_owned(), peak_memory()),
    ])
}

/// A plan of a thousand million points with one measure in parts, as a job array runs it: what they take, the memory, and the bytes of their tables,
/// which are removed one by one.
pub fn huge(device: &dyn Accelerator, note: &dyn Fn(String, f64)) -> Result<(), Error> {
    let plan = plan(HUGE_SIDE, "v.max")?.on_device(device)?;
    let mut sum = [0.0; 3];
    for part in 1..=HUGE_PARTS {
        let shard = format!("{part}/{HUGE_PARTS}").parse()?;
        let each = stored(&plan, shard)?;
        sum.iter_mut().zip(each).for_each(|(sum, x)| *sum += x);
        eprintln!("part {part} of {HUGE_PARTS}: {each:?}, peak memory {:.0} MB", peak_memory());
    }
    note(format!("{} points in {HUGE_PARTS} parts, chunks written [s]", plan.count()), sum[0]);
    note("their chunks merged [s]".to_owned(), sum[1]);
    note("their tables [MB]".to_owned(), sum[2] / f64::from(1 << 20));
    note("peak memory [MB]".to_owned(), peak_memory());
    Ok(())
}
