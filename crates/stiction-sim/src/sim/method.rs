//! The integration methods in one list, for tests and user interfaces.

/// An integration method.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntegrationMethod {
    /// Event-driven, with Rodas5P between events: true stick, every kink located. The recommended method.
    #[default]
    Rodas5P,
    /// Explicit Euler with the fixed step [`SimulationOptions::step`](super::SimulationOptions::step).
    Euler,
    /// The classical Runge–Kutta method with the fixed step [`SimulationOptions::step`](super::SimulationOptions::step).
    Rk4,
    /// The Bogacki–Shampine pair of orders 3 and 2, adaptive.
    BogackiShampine,
    /// The Dormand–Prince pair of orders 5 and 4, adaptive.
    DormandPrince,
    /// A first-order implicit method with the fixed step [`SimulationOptions::step`](super::SimulationOptions::step) and true
    /// stick, for [networks](super::network) of many bodies.
    Network,
}

impl IntegrationMethod {
    /// All of them, the default first.
    pub const ALL: [Self; 6] =
        [Self::Rodas5P, Self::Euler, Self::Rk4, Self::BogackiShampine, Self::DormandPrince, Self::Network];

    /// Its name in files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Rodas5P => "rodas5p",
            Self::Euler => "euler",
            Self::Rk4 => "rk4",
            Self::BogackiShampine => "bogacki-shampine",
            Self::DormandPrince => "dormand-prince",
            Self::Network => "network",
        }
    }
    /// The method called `name`.
    pub fn find(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|method| method.name() == name)
    }
    /// Its order: for smooth systems, halving the step divides the error by `2^order`.
    pub const fn order(self) -> u32 {
        match self {
            Self::Euler | Self::Network => 1,
            Self::BogackiShampine => 3,
            Self::Rk4 => 4,
            Self::Rodas5P | Self::DormandPrince => 5,
        }
    }
    /// Whether it chooses its steps by the tolerance; otherwise the step is fixed.
    pub const fn is_adaptive(self) -> bool {
        matches!(self, Self::Rodas5P | Self::BogackiShampine | Self::DormandPrince)
    }
    /// Whether it has true stick and reports events: the event-driven method at their time, the network method at the end of the
    /// step. The others integrate the bare law as a textbook does, and show why that is not enough.
    pub const fn has_events(self) -> bool {
        matches!(self, Self::Rodas5P | Self::Network)
    }
    /// Whether it supports every component; the network method has no plants, stops or controllers.
    pub const fn supports_all_components(self) -> bool {
        !matches!(self, Self::Network)
    }
}
