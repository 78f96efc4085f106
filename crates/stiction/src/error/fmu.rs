//! Why a unit cannot be made.
use std::path::PathBuf;
use stiction_io::number::short;

/// Why a functional mock-up unit cannot be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum FmuError {
    /// A law unit of a law whose force at rest is a set.
    #[error("the force of '{law}' at rest is a set, not a number that follows from the velocity")]
    SetValued {
        /// The law.
        law: &'static str,
    },
    /// A law unit of a law that depends on the acceleration.
    #[error(
        "'{law}' remembers where the speed is largest and smallest, which a unit with the velocity as its input does not see"
    )]
    Acceleration {
        /// The law.
        law: &'static str,
    },
    /// A law that draws random numbers.
    #[error("'{law}' draws random numbers, so that no importer could repeat a step")]
    Random {
        /// The law.
        law: &'static str,
    },
    /// A body on a law whose force arises at speeds that are not resolved.
    #[error(
        "nearly all of the force of '{law}' arises below 1e-12 m/s, which the integrator of a unit does not resolve"
    )]
    SingularAtRest {
        /// The law.
        law: &'static str,
    },
    /// A mass that is not a positive number.
    #[error("mass = {} kg is not within 1e-12 to 1e12", short(*mass))]
    Mass {
        /// The mass.
        mass: f64,
    },
    /// A mass for a law unit.
    #[error("a law unit has no mass")]
    NoMass,
    /// The law cannot be built.
    #[error("'{law}': {error}")]
    Law {
        /// The law.
        law: &'static str,
        /// Why.
        error: String,
    },
    /// The compiler failed.
    #[error("{compiler}: {error}")]
    Compiler {
        /// The compiler.
        compiler: String,
        /// The first line that it says.
        error: String,
    },
    /// There is no library that was compiled with this program.
    #[error("this program was built without the library that runs units: {reason}")]
    NoPrebuilt {
        /// Why.
        reason: &'static str,
    },
    /// No C compiler where one was asked for.
    #[error("there is no C compiler here (CC, or cc)")]
    NoCompiler,
    /// The law has more states, parameters or guards than the prebuilt library takes.
    #[error("'{law}' has more states, parameters or guards than the prebuilt library takes")]
    TooLarge {
        /// The law.
        law: &'static str,
    },
    /// A unit that another build of the program made.
    #[error("the unit was made by {made_by}, and its library is of {library}")]
    OtherBuild {
        /// The build that made the unit.
        made_by: String,
        /// The build of the library.
        library: String,
    },
    /// A library of another build than the program.
    #[error("{} was built from other sources than this program", path.display())]
    OtherLibrary {
        /// The library.
        path: PathBuf,
    },
    /// Parameters that make another system of a scenario.
    #[error("with these parameters the scenario has other columns than the unit has outputs")]
    OtherOutputs,
    /// There is no library with the simulator.
    #[error("the library with the simulator, which units of scenarios contain, is not beside this program")]
    NoScenarioLibrary,
    /// The archive cannot be written.
    #[error("the archive cannot be made: {error}")]
    Archive {
        /// Why.
        error: String,
    },
}

impl FmuError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::SetValued { .. } | Self::Acceleration { .. } => {
                "export it with its body, --unit body: force in, motion and friction out"
            }
            Self::Random { .. } => "choose a law of its mean, such as lugre, or simulate it here with 'stiction run'",
            Self::SingularAtRest { .. } => {
                "export the law by itself, --unit law, or simulate it here: 'stiction run' follows the logarithm of the speed"
            }
            Self::Mass { .. } => "give the moving mass, or the moment of inertia, as in --mass 4.5",
            Self::NoMass => "leave --mass out, or export a body with --unit body",
            Self::Law { .. } => "'stiction models NAME' lists bounds and conditions of the parameters",
            Self::Compiler { .. } => "CC names another C compiler; without --binary compiled no compiler is needed",
            Self::NoPrebuilt { .. } => {
                "build it again where there is a C compiler, or use --binary compiled, or --binary none: importers compile the sources"
            }
            Self::NoCompiler => "CC names one; without --binary compiled no compiler is needed",
            Self::TooLarge { .. } => {
                "compile the sources here with --binary compiled, or in the importer with --binary none"
            }
            Self::OtherBuild { .. } => "export the unit again: program and library of one build belong together",
            Self::OtherLibrary { .. } => "build both together: cargo build --release -p stiction-cli -p stiction-unit",
            Self::OtherOutputs => "export the scenario again with these values, --set PATH=NUMBER",
            Self::NoScenarioLibrary => {
                "build it with the program, cargo build --release -p stiction-cli -p stiction-unit, and copy it beside an installed program"
            }
            Self::Archive { .. } => "report it as a bug",
        }
    }
}
