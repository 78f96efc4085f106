//! A sweep needs no more memory the more points it has.
#![cfg(feature = "parquet")]
#[path = "../../../tests/common/heap.rs"]
mod heap;
use heap::Mark;
use std::path::Path;
use stiction::scenario::Template;
use stiction::sweep::{ChunkStore, Design, OpenedStore, Shard, SweepPlan, SweepRequest};

const SLIDE: &str = "[run]\nend = 1\n[body.block]\nmass = 1\n[contact.table]\nbetween = [\"block\", \"ground\"]\n\
                     law = \"coulomb\"\nfc = 1\n";

/// The most memory that keeping so many points takes; the points are not run.
fn peak(points: u64) -> isize {
    let template = Template::parse(SLIDE, Path::new("slide.toml"), &[""; 0]).unwrap();
    let (vary, measure) = ([format!("fc=1:2:{points}")], ["x.final,events".to_owned()]);
    let request = SweepRequest { vary: &vary, design: Design::Grid, measure: &measure, from: None };
    let plan = SweepPlan::new(&template, &request).unwrap();
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("sweep_memory_{points}.parquet"));
    let _ = std::fs::remove_dir_all(stiction::sweep::file::parts(&output));
    let mark = Mark::new();
    let opened = ChunkStore::open(&output, &plan, Shard::WHOLE, Some(700), false).unwrap();
    let OpenedStore::Ready(store) = opened else { panic!("nothing is done yet") };
    for chunk in 0..store.chunks() {
        let outcome =
            |i: u64| if i.is_multiple_of(1000) { Err("no luck".to_owned()) } else { Ok(vec![Some(i as f64), None]) };
        let outcomes = store.points(chunk).map(outcome).collect();
        store.put(&plan, chunk, outcomes).unwrap();
    }
    let tally = store.finish().unwrap();
    let peak = mark.peak();
    assert_eq!((tally.points, tally.failed, tally.measures[1].count), (points, points.div_ceil(1000), 0));
    assert_eq!((tally.measures[0].min, tally.measures[0].max), (1.0, (points - 1) as f64));
    std::fs::remove_file(&output).unwrap();
    peak
}

#[test]
fn memory_does_not_grow_with_the_points() {
    // more than one group of rows each
    let (few, many) = (peak(70_000), peak(140_000));
    // beside the rows in memory there is a line of the table of contents for each group: a few kilobytes
    assert!(many < few + 50_000, "{few} and {many} bytes");
}
