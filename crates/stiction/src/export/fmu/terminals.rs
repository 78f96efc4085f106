//! `terminalsAndIcons`: the icon of a unit, and the flange of a body, by which other parts of a machine are joined to it.
use super::xml::Element;
use super::{FmiVersion, FmuPlan, UnitKind};
use crate::export::OutputFile;

/// Corners of a rectangle in the picture of the unit, in its units: x1, y1, x2, y2.
type Rectangle = [f64; 4];
const UNIT: Rectangle = [-100.0, -100.0, 100.0, 100.0];
const FLANGE: Rectangle = [90.0, -10.0, 110.0, 10.0];

fn placed(element: Element, [x1, y1, x2, y2]: Rectangle) -> Element {
    element.set("x1", x1).set("y1", y1).set("x2", x2).set("y2", y2)
}

/// The files: pictures as PNG, which the standard requires, and SVG.
pub(super) fn files(plan: &FmuPlan) -> Vec<OutputFile> {
    let file = |path: &str, bytes: &[u8]| OutputFile { path: path.to_owned(), bytes: bytes.to_vec() };
    let icon = include_bytes!("icons/icon.png");
    if plan.version == FmiVersion::Two {
        return vec![file("model.png", icon)];
    }
    let mut out = vec![
        file("terminalsAndIcons/terminalsAndIcons.xml", document(plan).as_bytes()),
        file("terminalsAndIcons/icon.png", icon),
        file("terminalsAndIcons/icon.svg", include_bytes!("icons/icon.svg")),
    ];
    if plan.kind == UnitKind::Body {
        out.push(file("terminalsAndIcons/flange.png", include_bytes!("icons/flange.png")));
        out.push(file("terminalsAndIcons/flange.svg", include_bytes!("icons/flange.svg")));
    }
    out
}

fn document(plan: &FmuPlan) -> String {
    let system = placed(Element::new("CoordinateSystem"), UNIT).set("suggestedScalingFactorTo_mm", 0.1);
    let picture = Element::new("GraphicalRepresentation").with(system).with(placed(Element::new("Icon"), UNIT));
    let root = Element::new("fmiTerminalsAndIcons").set("fmiVersion", plan.version.name()).with(picture);
    let root = if plan.kind == UnitKind::Body { root.with(Element::new("Terminals").with(flange())) } else { root };
    root.document()
}

/// Motion out, force in: the force flows into the body.
fn flange() -> Element {
    let member = |variable: &str, kind: &str| {
        Element::new("TerminalMemberVariable")
            .set("variableName", variable)
            .set("memberName", variable)
            .set("variableKind", kind)
    };
    let picture = Element::new("TerminalGraphicalRepresentation")
        .set("defaultConnectionColor", "31 78 121")
        .set("iconBaseName", "flange");
    Element::new("Terminal")
        .set("name", "flange")
        .set("matchingRule", "plug")
        .set("description", "Where other parts push the body")
        .with(member("position", "signal"))
        .with(member("velocity", "signal"))
        .with(member("force", "inflow"))
        .with(placed(picture, FLANGE))
}
