//! The wrappers around laws: the name under which each is documented, and the prefix with which its values are set.
use stiction::ParameterGroup;

/// A wrapper, which can be put around any law.
pub struct Wrapper {
    /// Name.
    pub name: &'static str,
    /// The group of its parameters.
    pub group: ParameterGroup,
    /// Documentation, where the core's parameter tables have none.
    pub doc: &'static str,
    /// Keys into `docs/references.bib`, where the core's parameter tables have none.
    pub cite: &'static [&'static str],
    /// What it adds to a law, where the core's parameter tables do not say.
    pub shows: &'static [&'static str],
    /// How to use it.
    pub usage: &'static str,
}

/// The wrapper called `name`, or with values set by that prefix.
pub fn find(name: &str) -> Option<&'static Wrapper> {
    ALL.iter().find(|wrapper| wrapper.name == name || wrapper.group.prefix() == name)
}

/// All of them, innermost first.
pub static ALL: &[Wrapper] = &[
    Wrapper {
        name: "asymmetric",
        group: ParameterGroup::Reverse,
        doc: "Asymmetric: any law, with its own parameters in each direction of motion.\n\n\
              ```text\n\
              F = law(v)               v >= 0\n\
              F = law of reverse(v)    v < 0\n\
              ```\n\
              The memory is shared, so it is continuous through a reversal; the force is too, if the stiffness is the \
              same in both directions. If it is not, the forces at rest are all those between the ones of both \
              directions. Its parameters are those of the law, with 'reverse.' before the name; what is \
              not given is as in the forward direction.",
        cite: &["Olsson1993", "Astrom2008"],
        shows: &["direction dependence"],
        usage: "stiction curve lugre --set fc=1 --set reverse.fc=1.2 --range -0.1:0.1:5",
    },
    Wrapper {
        name: "loaded",
        group: ParameterGroup::Load,
        doc: "",
        cite: &[],
        shows: &[],
        usage: "stiction curve coulomb --set load.base=1 --set load.slope=0.03 --load 10 --at 0.1",
    },
    Wrapper {
        name: "stochastic",
        group: ParameterGroup::Noise,
        doc: "",
        cite: &[],
        shows: &[],
        usage: "stiction params lugre --set noise.amplitude=0.1 --set noise.frequency=50 -o noisy.toml",
    },
];

#[cfg(test)]
mod tests {
    use stiction_report::references::Source;

    #[test]
    fn every_source_of_a_wrapper_is_known() {
        for key in super::ALL.iter().flat_map(|wrapper| wrapper.cite) {
            assert!(Source::new(key).text().len() > 20, "{key}");
        }
    }
}
