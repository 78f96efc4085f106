//! Claims of papers and of the documentation of the laws, for comparison with the experiments.
use super::Phenomenon::{self, *};
use super::{ExperimentResult, PhenomenaReport, Verdict};

/// A published claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Claim {
    /// The law.
    pub law: &'static str,
    /// The phenomenon.
    pub phenomenon: Phenomenon,
    /// Whether the law is claimed to show it, or not to show it.
    pub shows: bool,
    /// The source: a key into `docs/references.bib`, or [`LAW_PAGE`].
    pub cite: &'static str,
    /// The place in the source.
    pub place: &'static str,
}

/// The documentation of the law as a source.
pub const LAW_PAGE: &str = "page";

const fn yes(law: &'static str, phenomenon: Phenomenon, cite: &'static str, place: &'static str) -> Claim {
    Claim { law, phenomenon, shows: true, cite, place }
}
const fn no(law: &'static str, phenomenon: Phenomenon, cite: &'static str, place: &'static str) -> Claim {
    Claim { law, phenomenon, shows: false, cite, place }
}

const SLIDES: &str = "Astrom2008";
const PAPER: &str = "Andersson2007";
const DAHL: &str = "slide 'Properties of The Dahl Model'";
const BLIMAN: &str = "slide 'Properties of the Bliman-Sorine Model'";
const LUGRE: &str = "slide 'Properties of LuGre Model'";
const STATIC: &str = "slide 'Static Models'";

/// Claims of papers, with the title of the slide (Åström) or section and equation (Andersson).
pub static CLAIMS: &[Claim] = &[
    yes("stiction", Breakaway, SLIDES, STATIC),
    yes("stribeck", Stribeck, SLIDES, STATIC),
    yes("rate-state", Lag, SLIDES, "slide 'Rate and State Models'"),
    yes("dahl", Presliding, SLIDES, DAHL),
    yes("dahl", Hysteresis, SLIDES, DAHL),
    no("dahl", Stribeck, SLIDES, DAHL),
    no("dahl", StickSlip, SLIDES, DAHL),
    no("dahl", Breakaway, SLIDES, "slide 'Dahl's Model - Steady State Properties'"),
    no("dahl", Lag, SLIDES, DAHL),
    yes("dahl", Passive, SLIDES, "slide 'Theorem 2 - Dissipativity', with constant g"),
    yes("bliman-sorine", Breakaway, SLIDES, BLIMAN),
    yes("bliman-sorine", Stribeck, SLIDES, "slide 'The Bliman-Sorine Model', its aim"),
    no("bliman-sorine", Lag, SLIDES, BLIMAN),
    yes("lugre", Hold, SLIDES, LUGRE),
    yes("lugre", Breakaway, SLIDES, LUGRE),
    yes("lugre", StickSlip, SLIDES, LUGRE),
    yes("lugre", Stribeck, SLIDES, LUGRE),
    yes("lugre", Hysteresis, SLIDES, LUGRE),
    yes("lugre", Presliding, SLIDES, LUGRE),
    no("lugre", Nonlocal, SLIDES, LUGRE),
    no("lugre", Passive, SLIDES, "slide 'Properties of LuGre Model': only if the damping falls with velocity"),
    yes("lugre", Hunting, SLIDES, "slide 'Hunting'"),
    yes("coulomb", Hold, PAPER, "section 2.1, equation 2"),
    no("coulomb", Smooth, PAPER, "section 2.1, equation 4"),
    no("viscous", Hold, PAPER, "section 2.2, equation 5"),
    no("coulomb-sat", Hold, PAPER, "section 2.3, equation 8"),
    yes("coulomb-sat", Smooth, PAPER, "section 2.3, equation 8"),
    no("coulomb-tanh", Hold, PAPER, "section 2.3, equation 9"),
    yes("coulomb-tanh", Smooth, PAPER, "section 2.3, equation 9"),
    yes("stribeck", Hold, PAPER, "section 2.4, equation 10"),
    no("stribeck", Smooth, PAPER, "section 2.4, equation 10"),
    yes("stribeck-sat", Stribeck, PAPER, "section 2.4, equation 11"),
    no("stribeck-sat", Hold, PAPER, "section 2.4, equation 11"),
    yes("stribeck-tanh", Stribeck, PAPER, "section 2.4, equation 12"),
    no("stribeck-tanh", Hold, PAPER, "section 2.4, equation 12"),
    yes("dankowicz", Presliding, PAPER, "section 3.2, equation 13"),
    yes("lugre", Stribeck, PAPER, "section 3.4, equation 19"),
    yes("lugre", Presliding, PAPER, "section 3.4, equation 19"),
    yes("stribeck-dankowicz", Presliding, PAPER, "section 3.5, equation 20"),
    yes("stribeck-dankowicz", Stribeck, PAPER, "section 3.5, equation 20"),
    yes("stribeck-dankowicz", Hold, PAPER, "section 5: for an exact final position"),
];

/// Phrases in the documentation of laws that claim a phenomenon.
const SHOWN_PHRASES: &[(&str, Phenomenon)] = &[
    ("true stick", Hold),
    ("break-away above Coulomb", Breakaway),
    ("Stribeck effect", Stribeck),
    ("presliding displacement", Presliding),
    ("plastic residual", Plastic),
    ("hysteresis in position", Hysteresis),
    ("nonlocal memory", Nonlocal),
    ("frictional lag", Lag),
    ("break-away falling with force rate", Rate),
    ("break-away growing with dwell time", Dwell),
    ("no drift under small vibration", NoDrift),
];

/// Phrases that claim the absence of a phenomenon.
const DENIED_PHRASES: &[(&str, Phenomenon)] = &[("rate independence", Rate)];

/// A claim that an experiment contradicts.
#[derive(Clone, Debug)]
pub struct Contradiction<'a> {
    /// The claim.
    pub claim: Claim,
    /// The outcome.
    pub result: &'a ExperimentResult,
}

/// All claims about a law.
pub fn claims_about(law: &'static str) -> Vec<Claim> {
    let shows = stiction_core::models::find(law).map_or(&[][..], |entry| entry.shows);
    let own = [(SHOWN_PHRASES, true), (DENIED_PHRASES, false)].into_iter().flat_map(|(words, shows_it)| {
        let named = shows.iter().filter_map(|word| words.iter().find(|(text, _)| text == word));
        named.map(move |&(place, phenomenon)| Claim { law, phenomenon, shows: shows_it, cite: LAW_PAGE, place })
    });
    CLAIMS.iter().filter(|claim| claim.law == law).copied().chain(own).collect()
}

/// Claims that the measured results contradict.
pub fn contradictions(report: &PhenomenaReport) -> Vec<Contradiction<'_>> {
    let claims = claims_about(report.spec.law().name).into_iter();
    let against = |claim: Claim| {
        let result = report.result(claim.phenomenon)?;
        let differs = match result.verdict {
            Verdict::Yes => !claim.shows,
            Verdict::No => claim.shows,
            Verdict::Open => false,
        };
        differs.then_some(Contradiction { claim, result })
    };
    claims.filter_map(against).collect()
}

/// Phenomena that a law shows without a claim in its documentation.
pub fn undocumented_phenomena(report: &PhenomenaReport) -> Vec<&ExperimentResult> {
    let said = report.spec.law().shows;
    let missing = SHOWN_PHRASES.iter().filter(|(word, _)| !said.contains(word));
    missing
        .filter_map(|(_, phenomenon)| report.result(*phenomenon))
        .filter(|result| result.verdict == Verdict::Yes)
        .collect()
}

#[cfg(test)]
mod tests {
    use super::{CLAIMS, DENIED_PHRASES, SHOWN_PHRASES};
    use stiction_core::models::ALL;

    #[test]
    fn claims_are_of_laws_and_words_are_used() {
        assert!(CLAIMS.iter().all(|claim| ALL.iter().any(|law| law.name == claim.law)));
        for (word, _) in SHOWN_PHRASES.iter().chain(DENIED_PHRASES) {
            assert!(ALL.iter().any(|law| law.shows.contains(word)), "{word}");
        }
    }
}
