//! Åström's slides: experiments A1 to A15.
mod bristles;
mod classic;
mod furuta;
mod servo;
mod stability;
mod stick_slip;

use super::{ExperimentOutcome, PaperExperiment};

const SLIDES: &str = "AstromSlides";

/// Tolerance at which figures of these runs have eight digits or more.
const FINE: &str = "run.rtol=1e-10";

pub(super) const ALL: &[PaperExperiment] = &[
    PaperExperiment {
        id: "A1",
        title: "Dahl: a loop that does not depend on the rate",
        source: (SLIDES, "Dahl's model"),
        about: "Moved to and fro, the force runs through a loop between −Fc and Fc; a hundred times faster it is the same. \
                The exponent shapes the way there from rest.",
        run: classic::a1,
    },
    PaperExperiment {
        id: "A2",
        title: "Bliman-Sorine: loops with a break-away peak",
        source: (SLIDES, "The Bliman-Sorine model"),
        about: "Two Dahl models in parallel: the force rises above the Coulomb level f1 − f2 and falls back to it with the \
                distance, at any speed. The slides give no numbers; these are ours.",
        run: classic::a2,
    },
    PaperExperiment {
        id: "A3",
        title: "Ruina-Rice: steady friction and a step of the velocity",
        source: (SLIDES, "Rate and state models"),
        about: "Friction jumps up with the velocity, then the contacts are renewed sooner and it falls below where it was. \
                The slides give no numbers; these are ours.",
        run: classic::a3,
    },
    PaperExperiment {
        id: "A5",
        title: "LuGre: bounded deflection, dissipative map",
        source: (SLIDES, "Theorems 1 and 2"),
        about: "Whatever the velocity does, the deflection stays within g(0). What goes in, the integral of z v, is at \
                least what is stored, z²/2: the difference is dissipated and never falls.",
        run: bristles::a5,
    },
    PaperExperiment {
        id: "A6",
        title: "LuGre: a force stepped on, and a force that rises",
        source: (SLIDES, "Application of constant force"),
        about: "Stepped on, a force well below Fs = 6 N makes the mass run away. Under a rising force break-away depends \
                on the rate: it nears Fs when the force rises slowly, falls with the rate, and rises again as the bristles' \
                damping takes part.",
        run: bristles::a6,
    },
    PaperExperiment {
        id: "A7",
        title: "LuGre stick-slip",
        source: (SLIDES, "Simulation of stick slip"),
        about: "A limit cycle. Arrested, the block swings back a little on its bristles. With σ2 = 0.2 N·s/m the cycle is \
                gone and the block slides steadily.",
        run: stick_slip::a7,
    },
    PaperExperiment {
        id: "A8",
        title: "Stick-slip: the effect of the spring",
        source: (SLIDES, "Effect of spring coefficient k"),
        about: "A stiffer spring makes the jumps shorter and more frequent.",
        run: stick_slip::a8,
    },
    PaperExperiment {
        id: "A9",
        title: "Stick-slip: the effect of viscous friction",
        source: (SLIDES, "Effect of viscous friction"),
        about: "Viscous friction makes the orbit smaller until it no longer comes back to rest, and the block slides on.",
        run: stick_slip::a9,
    },
    PaperExperiment {
        id: "A10",
        title: "Stick-slip: the effect of the pulling velocity",
        source: (SLIDES, "Effect of pulling velocity"),
        about: "Without viscous friction the cycle lives on at every velocity. With σ2 = 0.2 N·s/m it dies above a pulling \
                velocity, and above a stiffness.",
        run: stick_slip::a10,
    },
    PaperExperiment {
        id: "A11",
        title: "Stability of steady sliding",
        source: (SLIDES, "Stability of sliding equilibrium"),
        about: "Steady sliding on a spring is unstable where friction falls with the velocity. Routh's a1 a2 − a3 changes \
                sign a hair above the velocity at which the slope F'ss does.",
        run: stability::a11,
    },
    PaperExperiment {
        id: "A12",
        title: "Hunting of a PID servo",
        source: (SLIDES, "Hunting"),
        about: "The integral grows while the mass sticks, until it breaks away and overshoots: a limit cycle for ever. \
                The slides give no numbers; these reproduce the overshoot of a half and the period of 24 s.",
        run: servo::a12,
    },
    PaperExperiment {
        id: "A13",
        title: "Friction compensation of the servo",
        source: (SLIDES, "Model based friction compensation"),
        about: "The controller adds the force of the same LuGre model: no hunting. With a model whose levels are wrong the \
                servo hunts again, or overcompensates. The slides' adaptive compensation is not simulated.",
        run: servo::a13,
    },
    PaperExperiment {
        id: "A14",
        title: "Furuta's pendulum: limit cycle, and compensation",
        source: (SLIDES, "Experiments with the Furuta pendulum"),
        about: "Friction in the joint of the arm keeps the balanced pendulum in a limit cycle; with the model compensated \
                both angles settle. The slides show a laboratory pendulum; the numbers here are plausible ones, not its.",
        run: furuta::a14,
    },
    PaperExperiment {
        id: "A15",
        title: "Inverted pendulum: stick-slip, and dither",
        source: (SLIDES, "Effects of friction; friction compensation"),
        about: "The cart stands still until the pendulum has fallen far enough, then jumps. A dither shakes friction \
                loose. The slides name acceleration feedback as well; that is not simulated. Numbers are plausible ones.",
        run: furuta::a15,
    },
];

/// Copies measures of a run into an outcome.
fn take(
    out: &mut ExperimentOutcome,
    run: &super::simulated_scenario::SimulatedScenario,
    keys: &[(&str, &'static str)],
) -> Result<(), crate::Error> {
    for (key, unit) in keys {
        out.value(*key, unit, run.measure(key)?);
    }
    Ok(())
}
