//! Nouri's paper: experiments N1 to N5.
mod presliding;
mod sliding;

use super::PaperExperiment;

const PAPER: &str = "Nouri2004";

/// Sliding does not change the force.
const FLAT: [&str; 4] = ["contact.guide.fc1=80", "contact.guide.fc2=80", "contact.guide.fv1=0", "contact.guide.fv2=0"];

pub(super) const ALL: &[PaperExperiment] = &[
    PaperExperiment {
        id: "N1",
        title: "One branch of the hysteresis",
        source: (PAPER, "figs. 6 and 7"),
        about: "From a reversal the force rises by a function of the travel alone: steep at first, then along two straight \
                lines. A full loop between the two break-aways is symmetric about its centre.",
        run: presliding::branch,
    },
    PaperExperiment {
        id: "N2",
        title: "Spring tests",
        source: (PAPER, "fig. 2"),
        about: "A force is put on slowly and taken off. After a small one the slide is nearly back, after a larger one some \
                of the displacement stays, a force both ways makes a loop, and beyond 80 N the slide runs away.",
        run: presliding::spring,
    },
    PaperExperiment {
        id: "N3",
        title: "Nested loops",
        source: (PAPER, "figs. 3 and 8"),
        about: "Every loop that closes is forgotten: on the way out the force meets each earlier reversal again, as if the \
                loops inside had not been.",
        run: presliding::nested,
    },
    PaperExperiment {
        id: "N4",
        title: "Sliding, and pressure",
        source: (PAPER, "figs. 11 to 13"),
        about: "Sliding faster and faster follows Stribeck's curve, sliding slower and slower a straight line below it. All \
                dry forces grow by 3 % a bar.",
        run: sliding::branches,
    },
    PaperExperiment {
        id: "N5",
        title: "Break-away of a slide",
        source: (PAPER, "figs. 9 and 10"),
        about: "Under a force that rises by 20 N/s the slide hardly accelerates until the force reaches 80 N, then suddenly \
                does.",
        run: sliding::breakaway,
    },
];
