//! Published records, where they are at hand.
use crate::published::data as file;
use std::path::Path;
use stiction_data::log::audit::{Audit, Auditor, find_time_column};
use stiction_data::log::{ColumnSelection, DataFile, ReadOptions};

fn open(path: &Path) -> DataFile {
    DataFile::open(path, &ReadOptions::default()).unwrap_or_else(|error| panic!("{error}"))
}

fn audit(table: &DataFile) -> Audit {
    let plan = ColumnSelection::all(table);
    let mut auditor = Auditor::new(plan.fields(), find_time_column(plan.fields()));
    plan.stream(&mut auditor).unwrap_or_else(|error| panic!("{error}"));
    auditor.finish()
}

#[test]
fn emps_as_text() {
    let Some(path) = file("emps/DATA_EMPS.csv") else { return };
    let found = audit(&open(&path));
    let time = found.time.expect("time");
    // its documentation: 24841 samples at 1 kHz, not exactly uniform
    assert_eq!(found.rows, 24841);
    // the mean is the whole record of 24.84 s, over its steps: good to 25 µs
    assert!((time.step.mean - 1e-3).abs() < 1e-9 && time.step.range[0] < time.step.range[1], "{:?}", time.step);
    assert!(time.uniform && time.gaps.count == 0);
}

#[cfg(feature = "mat")]
#[test]
fn emps_as_matlab_agrees_with_its_text() {
    let (Some(text), Some(mat)) = (file("emps/DATA_EMPS.csv"), file("emps/DATA_EMPS.mat")) else { return };
    let (text, mat) = (open(&text), open(&mat));
    let columns = |table: &DataFile| {
        let plan = ["t", "qg", "qm", "vir"]
            .iter()
            .try_fold(ColumnSelection::new(table), |plan, name| plan.with("", name, &[]));
        plan.and_then(|plan| plan.read()).unwrap_or_else(|error| panic!("{error}")).columns
    };
    for (a, b) in columns(&text).iter().zip(columns(&mat)) {
        assert_eq!(a.values.len(), b.values.len());
        let largest = b.values.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
        // the text has twelve digits
        assert!(a.values.iter().zip(&b.values).all(|(x, y)| (x - y).abs() <= 1e-11 * largest), "{}", a.name);
    }
    let gain = mat.constants().iter().find(|constant| constant.name == "gtau").expect("gtau");
    assert_eq!(gain.value, 35.150_651_882_485_47);
    let force =
        ColumnSelection::new(&mat).with("force [N]", "gtau*vir", &[]).and_then(|plan| plan.read()).expect("a force");
    assert_eq!(force.columns[0].unit.as_deref(), Some("N"));
}

#[test]
fn a_tribometer_with_units() {
    let Some(path) = file("frictionmodels_jl/test_data_2.txt") else { return };
    let table = open(&path);
    let units: Vec<_> = table.fields().iter().map(|field| field.unit.as_deref()).collect();
    assert_eq!(units, [Some("s"), Some("uN"), Some("mm"), Some("uN")]);
    let found = audit(&table);
    assert_eq!(found.rows, 42579);
    // its documentation: about 200 Hz
    // written as decimals: differences of times of some hundred seconds round by 3e-14
    assert!((found.time.expect("time").step.median - 5e-3).abs() < 1e-12);
    assert!((found.signals[1].resolution.expect("four decimals") - 1e-4).abs() < 1e-12);
}

#[test]
fn logs_of_a_servo() {
    let Some(path) = file("bam/xl330/2026-01-15_10h28m10.json") else { return };
    let table = open(&path);
    let constant = |name: &str| table.constants().iter().find(|c| c.name == name).map(|c| c.value);
    assert_eq!((constant("mass"), constant("length"), constant("vin")), (Some(0.49), Some(0.1), Some(7.4)));
    let time = audit(&table).time.expect("time");
    // differences of times of some tens of seconds: rounding
    assert!(time.uniform && (time.step.median - 5e-3).abs() < 1e-12);
    let plan = ColumnSelection::new(&table).with("gravity", "-mass*9.81*length*sin(entries.position)", &[]);
    assert!(plan.and_then(|plan| plan.read()).is_ok_and(|record| record.rows() > 1000));
}

#[test]
fn rate_and_state_by_path() {
    let Some(path) = file("rsf_rsfmodel/rsfmodel_reference.json") else { return };
    let table = open(&path);
    let plan = ColumnSelection::new(&table).with("", "TestRuinaOneStateVar.truth.friction", &[]).expect("a column");
    let record = plan.read().expect("a record");
    assert_eq!((record.rows(), record.columns[0].values[0]), (41, 0.6));
}

#[test]
fn a_cylinder_without_a_header() {
    let Some(path) = file("pneumatic_actuator/O-ring_7bar.csv") else { return };
    let table = DataFile::open(&path, &ReadOptions { skip_lines: 15, ..ReadOptions::default() }).expect("a table");
    assert_eq!(table.fields().len(), 7);
    let plan =
        ColumnSelection::new(&table).with("t [s]", "1e-3*$1", &[]).and_then(|plan| plan.with("force [N]", "7", &[]));
    let record = plan.and_then(|plan| plan.read()).expect("a record");
    assert!(record.columns[0].values.windows(2).all(|pair| pair[0] < pair[1]));
    // about 7 bar on a bore of 25 mm
    let mean = record.columns[1].values.iter().sum::<f64>() / record.rows() as f64;
    let full = 7e5 * std::f64::consts::PI * 0.0125 * 0.0125;
    // the gauge reads a little more or less than 7 bar, and the rod takes a share of the area
    assert!((mean / full - 1.0).abs() < 0.1, "{mean} {full}");
}
