//! Units of the variables, as exponents of the base units.
use super::variables::Variable;
use super::xml::Element;
use crate::law_file::Dimension;
use std::collections::BTreeSet;

/// The definitions of all units that occur.
pub(super) fn definitions(variables: &[Variable]) -> Element {
    let units: BTreeSet<&str> = variables.iter().filter_map(|variable| variable.unit.as_deref()).collect();
    Element::new("UnitDefinitions").with_all(units.into_iter().map(|unit| {
        let element = Element::new("Unit").set("name", unit);
        // a unit such as N·(s/m)^γ depends on a parameter, and has a name only
        match base_unit(unit) {
            Some(base) => element.with(base),
            None => element,
        }
    }))
}

fn base_unit(unit: &str) -> Option<Element> {
    let dimension = Dimension::parse(unit).ok()?;
    let mut exponents: Vec<(&'static str, f64)> =
        ["m", "s", "kg", "K", "A"].into_iter().zip(dimension.exponents()).collect();
    exponents.push(("rad", radians(unit)));
    if exponents.iter().any(|(_, power)| power.fract() != 0.0) {
        return None;
    }
    let powers = exponents.into_iter().filter(|(_, power)| *power != 0.0);
    Some(powers.fold(Element::new("BaseUnit"), |element, (name, power)| element.set(name, power)))
}

/// The exponent of the radian, which is no dimension.
fn radians(unit: &str) -> f64 {
    unit.split('/').enumerate().fold(0.0, |sum, (i, factor)| {
        let power = |part: &str| match part {
            "rad" => 1.0,
            "rad²" | "rad^2" => 2.0,
            _ => 0.0,
        };
        let count: f64 = factor.split(['·', '*', ' ', '(', ')']).map(power).sum();
        if i == 0 { sum + count } else { sum - count }
    })
}
