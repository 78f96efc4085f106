//! Andersson, Söderberg and Björklund 2007: experiments B1 to B12.
mod noise;
mod small_displacement;
mod static_laws;
mod step;

use super::PaperExperiment;

const PAPER: &str = "Andersson2007";

pub(super) const ALL: &[PaperExperiment] = &[
    PaperExperiment {
        id: "B1",
        title: "Wall step: Coulomb",
        source: (PAPER, "fig. 2, eq. (2)"),
        about: "A block on a spring whose wall is moved by 0.1 m. Every half swing loses 2 Fc/k, and the block stops where \
                the spring can no longer move it.",
        run: step::coulomb,
    },
    PaperExperiment {
        id: "B2",
        title: "Wall step: viscous",
        source: (PAPER, "fig. 4, eq. (5)"),
        about: "Viscous friction damps the swing as its coefficient says, and lets the block come to rest at the wall's \
                place only. Beside it the two laws with which the paper compares it.",
        run: step::viscous,
    },
    PaperExperiment {
        id: "B3",
        title: "Wall step: Coulomb, saturated line",
        source: (PAPER, "figs. 3b and 4, eq. (8)"),
        about: "Without a force at rest the block drifts until the spring is slack, and a step too small to move it moves \
                it all the same.",
        run: step::saturated,
    },
    PaperExperiment {
        id: "B4",
        title: "Wall step: Coulomb, tanh",
        source: (PAPER, "fig. 3b, eq. (9)"),
        about: "The hyperbolic tangent is smooth, and drifts as the saturated line does.",
        run: step::tangent,
    },
    PaperExperiment {
        id: "B5",
        title: "Wall step: Dankowicz",
        source: (PAPER, "fig. 4, eq. (13)"),
        about: "With micro-slip the block stays where it stops, and rings there as on a spring of stiffness Fmax/δ. Below \
                macro-slip the ringing makes it creep: that is the law and not the solver.",
        run: step::dankowicz,
    },
    PaperExperiment {
        id: "B6",
        title: "Wall step: Stribeck with micro-slip",
        source: (PAPER, "eq. (20)"),
        about: "The law that the paper proposes: as Dankowicz', with a level that falls from Fs to Fc.",
        run: step::combined,
    },
    PaperExperiment {
        id: "B7",
        title: "Wall step without dimensions",
        source: (PAPER, "fig. 6, eqs. (14) and (15)"),
        about: "One number, C, is left. Far below C the block swings on its bristles for ever, at √(1 + C); above C it slides \
                and then rings.",
        run: small_displacement::steps,
    },
    PaperExperiment {
        id: "B8",
        title: "A swinging wall without dimensions",
        source: (PAPER, "section 3.2"),
        about: "The wall swings at a constant and at a rising frequency, with enough force for macro-slip and with too \
                little.",
        run: small_displacement::swings,
    },
    PaperExperiment {
        id: "B9",
        title: "Dahl's exponent",
        source: (PAPER, "eq. (17)"),
        about: "The larger the exponent, the more slowly the force gets to its level, and the thinner the loop.",
        run: small_displacement::exponents,
    },
    PaperExperiment {
        id: "B10",
        title: "Stochastic friction",
        source: (PAPER, "section 4, eq. (21)"),
        about: "A random force of given standard deviation and typical frequency on top of Stribeck friction. Its spectrum \
                is limited to a band, and it is the same for the same seed.",
        run: noise::stochastic,
    },
    PaperExperiment {
        id: "B11",
        title: "Wall step: LuGre",
        source: (PAPER, "eq. (19)"),
        about: "The damping of the bristles ends the ringing that micro-slip alone leaves behind.",
        run: step::lugre,
    },
    PaperExperiment {
        id: "B12",
        title: "Static curves",
        source: (PAPER, "figs. 3 and 5, eqs. (4) to (12)"),
        about: "Force over sliding speed of the laws without memory, with the jump at rest and with what replaces it.",
        run: static_laws::curves,
    },
];
