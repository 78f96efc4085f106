//! What a unit answers to calls that are wrong, or unusual.
use crate::fmu::plan;
use crate::fmu_driver::Driver;
use crate::skip::c_compiler;
use stiction::export::fmu::{Compiler, FmiVersion, FmuPlan, UnitBinary, UnitKind};

fn hysteresis() -> FmuPlan {
    plan("hysteresis", UnitKind::Body, FmiVersion::Two).unwrap()
}

/// The dense output of a step rounded all numbers of the memory. A count of 16 reversals became 15.999999999999998, whose parity is odd, and at the
/// next reversal all of them were forgotten: the motion depended on where the importer's steps end.
#[test]
fn a_count_in_the_memory_stays_whole_within_steps_of_any_length() {
    let Some(driver) = Driver::new(&hysteresis(), &UnitBinary::Prebuilt) else { return };
    let force = [(0.0, 2.0)];
    let rows = [0.1, 0.01].map(|step| driver.run("memory", step, 1.5, &force));
    for rows in &rows {
        // time, position, velocity, then x, f, dir, slip, count
        let counts: Vec<f64> = rows.iter().map(|row| row[7]).collect();
        assert!(counts.iter().all(|count| count.fract() == 0.0) && counts[counts.len() - 1] == 16.0, "{counts:?}");
    }
    for (k, long) in rows[0].iter().enumerate() {
        let short = &rows[1][10 * k + 9];
        // both follow the motion to the tolerance of 1e-9; positions are about 1.6 um
        assert!((long[1] - short[1]).abs() < 1e-9 * short[1].abs(), "{}: {} and {}", long[0], long[1], short[1]);
    }
}

/// What does not flow is given back by an importer as it was; an interpolation between equal values rounds it.
#[test]
fn a_count_that_an_importer_rounds_stays_whole() {
    let Some(driver) = Driver::new(&hysteresis(), &UnitBinary::Prebuilt) else { return };
    driver.run("rounding", 1.0, 1.0, &[(0.0, 0.0)]);
}

/// A step of 10^6 s of ten thousand events a second went on for minutes, and ended with the reason that the friction was too stiff.
#[test]
fn a_step_that_is_too_long_to_be_followed_says_so() {
    let Some(compiler) = c_compiler() else { return };
    let binary = UnitBinary::Compiled(Compiler::parse(compiler));
    let Some(driver) = Driver::new(&hysteresis(), &binary) else { return };
    driver.run("far", 1e6, 1.0, &[(0.0, 2.0)]);
}

/// All outputs were said to depend on the inputs at once, so that an importer saw an algebraic loop where the force on a body depends on its velocity.
#[test]
fn position_and_velocity_depend_on_themselves_alone() {
    for version in [FmiVersion::Two, FmiVersion::Three] {
        let plan = plan("lugre", UnitKind::Body, version).unwrap();
        let file = plan.files().into_iter().find(|file| file.path == "modelDescription.xml").unwrap();
        let document = roxmltree::Document::parse(&file.text).unwrap();
        let variables = plan.variables();
        // FMI 2.0 counts from one, FMI 3.0 has the value references
        let (key, outputs, rates) = match version {
            FmiVersion::Two => ("index", "Outputs", "Derivatives"),
            FmiVersion::Three => ("valueReference", "Output", "ContinuousStateDerivative"),
        };
        let id = |name: &str| {
            let at = variables.iter().position(|variable| variable.name == name).unwrap();
            if version == FmiVersion::Two { at + 1 } else { variables[at].reference }.to_string()
        };
        let depends = |kind: &str, name: &str| {
            let is_it = |node: &roxmltree::Node<'_, '_>| {
                let place = if version == FmiVersion::Two { node.parent_element() } else { Some(*node) };
                let is_there = place.is_some_and(|place| place.has_tag_name(kind));
                is_there && node.attribute(key) == Some(id(name).as_str())
            };
            let unknown = document.descendants().find(is_it).unwrap();
            unknown.attribute("dependencies").map(|text| text.split(' ').map(str::to_owned).collect::<Vec<_>>())
        };
        assert_eq!(depends(outputs, "position"), Some(vec![id("position")]));
        assert_eq!(depends(outputs, "velocity"), Some(vec![id("velocity")]));
        assert_eq!(depends(rates, "der(position)"), Some(vec![id("velocity")]));
        // in FMI 2.0 all is what has no attribute
        let all = ["force", "load", "position", "velocity", "memory.z"].map(id).to_vec();
        let all = (version == FmiVersion::Three).then_some(all);
        for (kind, name) in
            [(outputs, "friction"), (outputs, "stuck"), (rates, "der(velocity)"), (rates, "der(memory.z)")]
        {
            assert_eq!(depends(kind, name), all, "{name}");
        }
    }
}
