//! A sweep needs no more memory the more points it has.
#![cfg(feature = "parquet")]
#[path = "../../../tests/common/skip.rs"]
mod skip;

use std::path::Path;
use stiction::scenario::Template;
use stiction::sweep::{ChunkStore, Design, OpenedStore, Shard, SweepPlan, SweepRequest};

const SLIDE: &str = "[run]\nend = 1\n[body.block]\nmass = 1\n[contact.table]\nbetween = [\"block\", \"ground\"]\n\
                     law = \"coulomb\"\nfc = 1\n";

/// The most memory that this process has had so far, in kilobytes; none where the system does not say.
fn most_memory() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    status.lines().find_map(|line| line.strip_prefix("VmHWM:")?.trim().strip_suffix(" kB")?.parse().ok())
}

/// Keeps so many points, which are not run.
fn keep(points: u64) {
    let template = Template::parse(SLIDE, Path::new("slide.toml"), &[""; 0]).unwrap();
    let (vary, measure) = ([format!("fc=1:2:{points}")], ["x.final,events".to_owned()]);
    let request = SweepRequest { vary: &vary, design: Design::Grid, measure: &measure, from: None };
    let plan = SweepPlan::new(&template, &request).unwrap();
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sweep_memory_{points}.parquet"));
    let _ = std::fs::remove_dir_all(stiction::sweep::file::parts(&output));
    let opened = ChunkStore::open(&output, &plan, Shard::WHOLE, Some(700), false).unwrap();
    let OpenedStore::Ready(store) = opened else { panic!("nothing is done yet") };
    for chunk in 0..store.chunks() {
        let outcome =
            |i: u64| if i.is_multiple_of(1000) { Err("no luck".to_owned()) } else { Ok(vec![Some(i as f64), None]) };
        let outcomes = store.points(chunk).map(outcome).collect();
        store.put(&plan, chunk, outcomes).unwrap();
    }
    let tally = store.finish().unwrap();
    assert_eq!((tally.points, tally.failed, tally.measures[1].count), (points, points.div_ceil(1000), 0));
    assert_eq!((tally.measures[0].min, tally.measures[0].max), (1.0, (points - 1) as f64));
    std::fs::remove_file(&output).unwrap();
}

#[test]
fn memory_does_not_grow_with_the_points() {
    // more than one group of rows, and ten more; all threads count
    keep(70_000);
    let few = most_memory();
    keep(70_000 + 10 * 65_536);
    let Some((few, many)) = few.zip(most_memory()) else {
        return skip::skip("this system does not tell how much memory a process has had");
    };
    // 655 360 rows of 40 bytes are 25 600 kilobytes; a fifth of that is more than each group leaves in the table of contents, a few kilobytes, and than what the
    // allocator keeps for two threads that hand chunks to each other, which was up to 2700 kilobytes in some ten runs
    assert!(many < few + 5120, "{few} and {many} kilobytes");
}
