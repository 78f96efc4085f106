//! Examples of the Modelica Standard Library that have reference results, as scenarios.
//!
//! The figures below are from the Modelica Association's collection of reference results (`MAP-LIB_ReferenceResults`, version 4.0.0 of the
//! library), which Dymola 2020x computed with DASSL at a tolerance of 1e-6 a step. How far their own errors have grown can be told where there
//! is a closed form: in `modelica-one-way-clutch` the torque has done whole periods at 2 s, so that both shafts share the momentum of the
//! beginning, -0.25 rad/s each; the reference has -0.249979, which is 2.7e-5 of the largest speed. Hence the tolerance: 1e-4 of
//! the largest value of a column. The parts that differ by what they model are named in `docs/modelica.md`.
use stiction::scenario::Scenario;
use stiction::sim::Trace;

/// Part of the largest value of a column by which the reference itself may be wrong.
const REFERENCE_ERROR: f64 = 1e-4;

/// A column, its largest value, and its values at some times.
type Column = (&'static str, f64, &'static [(f64, f64)]);

#[rustfmt::skip]
const REFERENCE: &[(&str, &[Column])] = &[
    ("modelica-clutches", &[
        ("J1.x", 7.49, &[(0.3, 2.65079526), (0.6, 4.4746468), (0.9, 5.66183774), (1.2, 6.60721404), (1.5, 7.48609218)]),
        ("J1.v", 10.0, &[(0.3, 7.70717156), (0.6, 4.55248687), (0.9, 3.55647695), (1.2, 2.6261129), (1.5, 3.24703457)]),
        ("J2.v", 3.83, &[(0.3, 2.92944211), (0.6, 3.44745264), (0.9, 3.54004236), (1.2, 2.45797334), (1.5, 2.4632076)]),
        ("J3.v", 3.54, &[(0.3, 0.0), (0.6, 2.0), (0.9, 3.54004236), (1.2, 2.45797334), (1.5, 2.4632076)]),
        ("J4.x", 1.17, &[(0.3, 0.0), (0.6, 0.0), (0.9, 0.0), (1.2, 0.434876121), (1.5, 1.17375115)]),
    ]),
    ("modelica-drive-train", &[
        ("inertia3.x", 102.0, &[(0.6, 57.0077414), (1.2, 93.6624873), (1.8, 101.72696), (2.4, 101.433783), (3.0, 101.564999)]),
        ("inertia3.v", 102.0, &[(0.6, 85.0912431), (1.2, 37.0912431), (1.8, -5.75269963), (2.4, -1.45769207), (3.0, 2.289891)]),
        ("inertia2.v", 102.0, &[(0.6, 17.0518447), (1.2, 0.0234779181), (1.8, -5.75269963), (2.4, -1.45769207), (3.0, 2.289891)]),
        ("inertia1.x", 54.6, &[(0.6, 53.9678179), (1.2, 54.5503625), (1.8, 54.5503625), (2.4, 54.5503625), (3.0, 54.5503625)]),
    ]),
    ("modelica-backlash", &[
        ("inertia1.x", 1.57, &[(0.2, 0.579311625), (0.4, 0.213249862), (0.6, 0.078352474), (0.8, 0.0287349192), (1.0, 0.0105180348)]),
        ("inertia2.x", 1.57, &[(0.2, -0.961839345), (0.4, 0.190294245), (0.6, 0.231839722), (0.8, -0.241030146), (1.0, -0.155570367)]),
        ("inertia2.v", 66.2, &[(0.2, 12.0021583), (0.4, 21.5613193), (0.6, 13.7661789), (0.8, 8.7892561), (1.0, -7.0229304)]),
    ]),
    ("modelica-one-way-clutch", &[
        ("in.x", 0.23, &[(0.2, -0.00207125726), (0.4, -0.0878809744), (1.0, -0.0719567425), (1.4, -0.15809907), (2.0, -0.212330873)]),
        ("in.v", 0.78, &[(0.2, 0.179201486), (0.4, -0.263936878), (1.0, -0.359331347), (1.4, -0.413916749), (2.0, -0.249978914)]),
        ("out.x", 0.286, &[(0.2, 0.0247179926), (0.4, 0.0733221897), (1.0, 0.102486123), (1.4, 0.174076385), (2.0, 0.273401745)]),
        ("out.v", 0.281, &[(0.2, 0.280520985), (0.4, 0.130520985), (1.0, -0.140646861), (1.4, 0.280526936), (2.0, -0.249978914)]),
    ]),
    ("modelica-freewheel", &[
        ("in.x", 0.313, &[(0.2, -0.0031616055), (0.6, -0.106756682), (1.0, -0.124604634), (1.6, -0.295038262), (2.0, -0.312877505)]),
        ("in.v", 0.972, &[(0.2, 0.469786765), (0.6, -0.391617429), (1.0, -0.971478209), (1.6, -0.391596346), (2.0, -0.971458399)]),
        ("out.x", 0.904, &[(0.2, 0.0250939263), (0.6, 0.2239945), (1.0, 0.420382212), (1.6, 0.708075695), (2.0, 0.904472138)]),
        ("out.v", 0.546, &[(0.2, 0.469786765), (0.6, 0.441488996), (1.0, 0.471498828), (1.6, 0.441511294), (2.0, 0.471520524)]),
    ]),
    ("modelica-wheel", &[
        ("inertia.x", 21.0, &[(1.0, 1.79915156), (2.0, 6.1448847), (5.0, 21.0345477)]),
        ("inertia.v", 5.0, &[(1.0, 3.58148887), (2.0, 4.78118834), (5.0, 4.99944476)]),
    ]),
    ("modelica-brake", &[
        ("mass.x", 0.6, &[(0.5, 0.42), (1.0, 0.595), (2.0, 0.6)]),
        ("mass.v", 1.0, &[(0.5, 0.6), (1.0, 0.1), (2.0, 0.0)]),
    ]),
    ("modelica-gap", &[
        ("mass1.x", 2.0, &[(1.0, -0.353174665), (2.0, -0.0241110154), (3.0, 0.0227354705), (5.0, -0.000350378562)]),
        ("mass1.v", 5.77, &[(1.0, 1.8598327), (2.0, -0.397415728), (3.0, -0.00767653563), (5.0, -0.00419323749)]),
        ("mass2.x", 2.0, &[(1.0, -0.905953536), (2.0, -0.29562371), (3.0, 0.938931436), (5.0, -0.707887024)]),
        ("mass2.v", 3.43, &[(1.0, -2.90679014), (2.0, 1.96902832), (3.0, -0.668823533), (5.0, 0.53752971)]),
    ]),
    ("modelica-stops", &[
        ("stop1.x", 13.5, &[(0.5, 0.00590023882), (1.0, 1.71605424), (2.5, 13.4519046), (4.0, 2.04114495), (5.0, 1.76846282)]),
        ("stop1.v", 11.0, &[(0.5, 0.221797481), (1.0, 6.9285711), (2.5, -0.168908503), (4.0, -8.03690738), (5.0, 6.86485859)]),
        ("stop2.x", 0.4, &[(0.5, -0.169192947), (1.0, -0.255533633), (2.5, -0.247515848), (4.0, -0.247515848), (5.0, -0.247515848)]),
        ("stop2.v", 7.19, &[(0.5, -0.646517501), (1.0, 0.302612462), (2.5, -1.0136236e-10), (4.0, -1.0136236e-10), (5.0, -1.0136236e-10)]),
    ]),
    ("modelica-losses", &[
        ("mass1.x", 0.263, &[(0.1, 0.0155838466), (0.2, 0.0724136923), (0.3, 0.162459579), (0.4, 0.246745793)]),
        ("mass1.v", 0.955, &[(0.1, 0.341424469), (0.2, 0.779415147), (0.3, 0.952019604), (0.4, 0.65568997)]),
        ("mass2.x", 0.268, &[(0.1, 0.102158597), (0.2, 0.128515835), (0.3, 0.188551766), (0.4, 0.253341788)]),
        ("slider.x", 0.35, &[(0.1, 0.3), (0.2, 0.3), (0.3, 0.30238851), (0.4, 0.332706154)]),
        ("slider.v", 0.675, &[(0.1, 0.0), (0.2, 0.0), (0.3, 0.107969945), (0.4, 0.533768253)]),
    ]),
    ("modelica-preload", &[
        ("spool.v", 0.00531, &[(10.0, 0.000398815362), (25.0, 4.00658366e-06), (40.0, -0.000394107709), (70.0, -0.000155243652), (100.0, 9.42470033e-06)]),
        ("plateA.v", 0.0277, &[(10.0, 0.000391145753), (25.0, 3.92939163e-06), (40.0, -0.0003865288), (70.0, -2.98558987e-06), (100.0, 4.71235017e-06)]),
        ("plateB.x", 0.0736, &[(10.0, -0.0674128312), (25.0, -0.06735001), (40.0, -0.0674108451), (70.0, -0.0732557881), (100.0, -0.0674853071)]),
        ("spool.x", 0.021, &[(10.0, 0.0177828754), (25.0, 0.0210494791), (40.0, 0.0178859625), (70.0, 0.00885194229), (100.0, 0.0147499741)]),
    ]),
    ("modelica-vehicle", &[
        ("vehicle.x", 315.0, &[(9.0, 10.2464425), (24.0, 115.608903), (48.0, 283.591299), (54.0, 314.416912), (60.0, 315.218223)]),
        ("vehicle.v", 7.19, &[(9.0, 5.07132873), (24.0, 6.99141048), (48.0, 7.03419614), (54.0, 1.4325901), (60.0, 0.0)]),
    ]),
    ("modelica-eddy-brake", &[
        ("rotor.x", 2.56, &[(0.1, 1.53999383), (0.3, 2.44893205), (0.5, 2.55027032), (1.0, 2.56227806)]),
        ("brake.T", 200.0, &[(0.1, 144.246789), (0.3, 199.193831), (0.5, 199.990723), (1.0, 199.999848)]),
    ]),
];

/// The columns of a run of an embedded scenario by name, and its rows.
fn run(name: &str) -> (Vec<String>, Vec<Vec<f64>>) {
    let scenario = Scenario::named(name, &[] as &[&str]).unwrap_or_else(|error| panic!("{error}"));
    let simulation = scenario.simulation().expect("a simulation");
    let mut trace = Trace::default();
    let summary = simulation.run(&scenario.options, &mut trace).expect("a run");
    (summary.columns.iter().map(|column| column.name.clone()).collect(), trace.rows)
}

#[test]
fn examples_agree_with_their_reference_results() {
    for (name, columns) in REFERENCE {
        let (names, rows) = run(name);
        for (column, largest, values) in *columns {
            let index = names.iter().position(|n| n == column).unwrap_or_else(|| panic!("{name}: no column {column}"));
            for &(t, wanted) in *values {
                let row = rows
                    .iter()
                    .find(|row| (row[0] - t).abs() < 1e-9)
                    .unwrap_or_else(|| panic!("{name}: no row at {t}"));
                let error = (row[index] - wanted).abs() / largest;
                assert!(error < REFERENCE_ERROR, "{name}: {column} at {t} s is {}, not {wanted}", row[index]);
            }
        }
    }
}

/// Whole periods of the torque leave the momentum of the beginning to both shafts, which turn together at the end.
#[test]
fn a_one_way_clutch_keeps_the_momentum() {
    let (names, rows) = run("modelica-one-way-clutch");
    let last = rows.last().expect("rows");
    for column in ["in.v", "out.v"] {
        let index = names.iter().position(|n| n == column).expect("a column");
        assert!((last[index] + 0.25).abs() < 1e-7, "{column}: {}", last[index]);
    }
}
