//! Planetary gears.
use super::builder::Builder;
use super::keys::{Component, ValueKind, number, required};
use super::switch::{ENABLE, switch};
use crate::Error;
use crate::system::{Spring, ThirdPlace};

pub(super) static PLANETARY: Component = Component {
    name: "planetary",
    form: "[planetary.NAME]",
    doc: "A planetary gear or a differential: sun + ratio·ring = (1 + ratio)·carrier, with teeth of this stiffness.",
    keys: &[
        required("sun", ValueKind::Node, "", "The place on the sun's shaft; one side of a differential."),
        required("ring", ValueKind::Node, "", "The place on the ring; the other side of a differential."),
        required("carrier", ValueKind::Node, "", "The place on the carrier; the cage of a differential."),
        required(
            "ratio",
            ValueKind::Number,
            "",
            "Teeth of the ring over teeth of the sun, 1 for a differential. A second row of planets, which reverses the ring, makes it negative.",
        ),
        required("stiffness", ValueKind::Number, "N·m/rad", "Stiffness of the teeth, as seen at the sun."),
        number("damping", "N·m·s/rad", 0.0, "Damping in parallel with it."),
        ENABLE,
    ],
    law: false,
};

/// Adds planetary gears.
pub(super) fn planetary_gears(build: &mut Builder<'_>) -> Result<(), Error> {
    for s in build.each(&PLANETARY)? {
        let [sun, ring, carrier] =
            [build.named_node(&s, "sun")?, build.named_node(&s, "ring")?, build.named_node(&s, "carrier")?];
        let ratio = s.number("ratio")?;
        s.check("ratio", ratio, ratio.is_finite() && ratio != 0.0 && ratio != -1.0, "other than 0 and -1")?;
        let stiffness = s.number("stiffness")?;
        s.check("stiffness", stiffness, stiffness > 0.0 && stiffness.is_finite(), "above zero")?;
        let gear = Spring {
            damping: s.number("damping")?,
            ratio: 1.0 + ratio,
            third: Some(ThirdPlace { node: ring, ratio: -ratio }),
            ..Spring::linear(stiffness)
        };
        build.system.spring(s.name(), sun, carrier, gear).map_err(|error| s.at_key(error))?;
        switch(build, &s, &[s.name()])?;
    }
    Ok(())
}
