//! What an audit finds, on records whose faults are known.
use stiction_data::log::audit::{Audit, Auditor, find_time_column};
use stiction_data::log::{ColumnSelection, ContentError, DataFile, ReadOptions};

fn audit(rows: impl IntoIterator<Item = (f64, f64)>) -> Audit {
    let rows: Vec<String> = rows.into_iter().map(|(t, x)| format!("{t},{x}\n")).collect();
    let table = DataFile::from_bytes("log", format!("t [s],x\n{}", rows.concat()).as_bytes(), &ReadOptions::default())
        .expect("a table");
    let plan = ColumnSelection::all(&table);
    let mut auditor = Auditor::new(plan.fields(), find_time_column(plan.fields()));
    plan.stream(&mut auditor).expect("rows");
    auditor.finish()
}

#[test]
fn sampling_and_gaps() {
    let found = audit((0..1000).map(|k| (f64::from(k) * 1e-3, f64::from(k))));
    let time = found.time.expect("time");
    assert_eq!((found.rows, time.gaps.count, time.uniform), (1000, 0, true));
    // differences of times near one second: rounding
    assert!((time.step.median - 1e-3).abs() < 1e-15 && (time.step.mean - 1e-3).abs() < 1e-15);
    // 10 % jitter, and two holes of 7 and 20 samples
    let t = |k: i32| f64::from(k) * 1e-2 + 1e-3 * f64::from(k % 2);
    let kept = |k: &i32| !(100..106).contains(k) && !(400..419).contains(k);
    let time = audit((0..1000).filter(kept).map(|k| (t(k), 1.0))).time.expect("time");
    assert!(!time.uniform);
    // steps are 9 ms and 11 ms in turn
    // differences of times near ten seconds: rounding, here and below
    assert!((time.step.p5 - 9e-3).abs() < 1e-14 && (time.step.p95 - 11e-3).abs() < 1e-14, "{:?}", time.step);
    // 419 is odd, 399 too: twenty samples
    assert_eq!((time.gaps.count, time.gaps.row), (2, 395), "{:?}", time.gaps);
    assert!((time.gaps.longest - 0.2).abs() < 1e-14, "{:?}", time.gaps);
}

#[test]
fn time_that_stands_or_turns_is_named() {
    let time =
        audit([(0.0, 1.0), (1.0, 1.0), (1.0, 1.0), (2.0, 1.0), (1.5, 1.0), (3.0, 1.0), (2.5, 1.0)]).time.expect("time");
    assert_eq!((time.repeated.count, time.repeated.first), (1, Some((3, Some(4)))));
    assert_eq!(time.backwards.count, 2);
    let problem = time.check().expect_err("backwards");
    assert_eq!(problem, ContentError::TimeDecreases { column: "t".into(), row: 5, line: Some(6), times: [1.5, 2.0] });
    assert!(problem.to_string().contains("line 6 (row 5)"), "{problem}");
}

#[test]
fn missing_and_infinite_numbers_are_counted() {
    let found = audit((0..100).map(|k| {
        let x = match k {
            7 | 9 => f64::NAN,
            50 => f64::INFINITY,
            _ => f64::from(k),
        };
        (f64::from(k), x)
    }));
    let x = &found.signals[0];
    assert_eq!((x.missing.count, x.missing.first), (2, Some((8, Some(9)))));
    assert_eq!((x.infinite.count, x.infinite.first), (1, Some((51, Some(52)))));
    let [low, high] = x.extremes.expect("numbers");
    assert_eq!((low.value, high.value), (0.0, 99.0));
    // sum of 0 to 99 without 7, 9 and 50
    // a running mean of a hundred numbers: rounding
    assert!((x.mean - (4950.0 - 66.0) / 97.0).abs() < 1e-12);
    let text = found.to_string();
    assert!(text.contains("2 missing, the first in line 9") && text.contains("infinite in line 52"), "{text}");
}

#[test]
fn a_clipped_sine_is_saturated_and_a_whole_one_is_not() {
    let sine = |k: i32| (f64::from(k) * 0.013).sin();
    let clipped = audit((0..5000).map(|k| (f64::from(k), sine(k).min(0.8))));
    let [low, high] = clipped.signals[0].extremes.expect("numbers");
    assert!(high.saturated && high.value == 0.8 && high.longest > 90, "{high:?}");
    assert!(!low.saturated, "{low:?}");
    // coarse steps make runs at the top, too; that is no limit
    for step in [1.0 / 50.0, 1.0 / 300.0, 1e-3] {
        let stepped = audit((0..5000).map(|k| (f64::from(k), (sine(k) / step).round() * step)));
        let signal = &stepped.signals[0];
        assert!(signal.extremes.expect("numbers").iter().all(|end| !end.saturated), "{step}: {signal:?}");
        // differences of values near one round by 1e-16, which is 1e-13 of a step
        assert!((signal.resolution.expect("a step") / step - 1.0).abs() < 1e-11, "{step}: {signal:?}");
    }
}

#[test]
fn constant_and_single_values() {
    let found = audit((0..50).map(|k| (f64::from(k), 3.0)));
    assert!(found.signals[0].constant() && found.signals[0].resolution.is_none());
    assert!(found.to_string().contains("constant"));
    let one = audit([(0.0, 3.0)]);
    assert_eq!(one.rows, 1);
    assert!(!one.time.as_ref().expect("time").uniform);
    assert!(one.to_string().starts_with("1 row\n"), "{one}");
}

#[test]
fn the_time_column_is_known_by_name_or_unit() {
    let of = |headers: &str| {
        let table = DataFile::from_bytes("log", format!("{headers}\n1,2\n3,4\n").as_bytes(), &ReadOptions::default());
        find_time_column(table.expect("a table").fields())
    };
    assert_eq!(of("x,Time [ms]"), Some(1));
    assert_eq!(of("x,t"), Some(1));
    assert_eq!(of("x,run.timestamp"), Some(1));
    assert_eq!(of("clock [ms],x"), Some(0));
    assert_eq!(of("x,time_s"), Some(1));
    assert_eq!((of("x,y"), of("x [m],tau")), (None, None));
}
