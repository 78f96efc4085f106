//! Why a law cannot be written as code.

/// Why a law cannot be written as code.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum LawCodeError {
    /// The program of a function is too long to be read, compiled or waited for.
    #[error("as code, '{function}' of '{law}' takes more than {most} operations")]
    TooLong {
        /// The law.
        law: &'static str,
        /// Its function.
        function: &'static str,
        /// The bound.
        most: usize,
    },
    /// A law with noise, which has memory of its own.
    #[error("this law has parameters of noise, which is not exported")]
    Noise,
    /// The law draws random numbers, which a simulator could not repeat.
    #[error("'{law}' draws random numbers, so that no simulator could repeat a step")]
    Random {
        /// The law.
        law: &'static str,
    },
}

impl LawCodeError {
    /// What to do about it.
    pub fn hint(&self) -> &'static str {
        match self {
            Self::TooLong { .. } => {
                "equations are solved in each sample, as many as states depend on one another: let fewer do so, or give step.NAME, the memory after a sample, in closed form"
            }
            Self::Noise => "leave noise.amplitude and the others out; 'stiction run' simulates the law with its noise",
            Self::Random { .. } => "choose a law of its mean, such as lugre, or simulate it here with 'stiction run'",
        }
    }
}
