//! Gros' slides: experiments G1 to G6.
mod laws;
mod stop;

use super::PaperExperiment;

const SLIDES: &str = "Gros2021";

pub(super) const ALL: &[PaperExperiment] = &[
    PaperExperiment {
        id: "G1",
        title: "A block comes to rest",
        source: (SLIDES, "slide 5"),
        about: "A unit mass under Coulomb friction of 1 N slides from 0.05 m/s to rest. An event-driven method finds the \
                instant and holds the block there, to the last bit.",
        run: stop::exact,
    },
    PaperExperiment {
        id: "G2",
        title: "Explicit Euler cannot stop it",
        source: (SLIDES, "slides 4 and 5"),
        about: "With a fixed step h the velocity ends by jumping between r and r − h, r being what is left of the initial \
                velocity after whole steps; the position drifts at r − h/2.",
        run: stop::euler,
    },
    PaperExperiment {
        id: "G3",
        title: "An adaptive explicit method stalls",
        source: (SLIDES, "slide 4"),
        about: "Dormand and Prince's pair on the bare law. With the tolerances of ode45 its steps get fifty times shorter at \
                the stop, and the velocity chatters; with tight ones it is stuck there for good.",
        run: stop::adaptive,
    },
    PaperExperiment {
        id: "G4",
        title: "A smoothed step of the force",
        source: (SLIDES, "slide 8"),
        about: "With tanh(γv) instead of sgn v the block stops too late and too far, by π²/(12 γ²) for large γ, and under a \
                load it creeps at artanh(u)/γ.",
        run: laws::smooth,
    },
    PaperExperiment {
        id: "G5",
        title: "Static friction under a swinging force",
        source: (SLIDES, "slide 7"),
        about: "At rest friction is the applied force, up to a limit; moving, it has that size. Under 1.5 sin t the block is \
                held, let go and caught again.",
        run: laws::held,
    },
    PaperExperiment {
        id: "G6",
        title: "Viscous friction and Stribeck's curve",
        source: (SLIDES, "slide 6"),
        about: "Linear viscous friction never quite stops the block; with the square root of the speed it is at rest after \
                2 √v₀. Stribeck's curve falls from Fs to Fc.",
        run: laws::viscous,
    },
];
