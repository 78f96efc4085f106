//! The methods, in one list: tests measure every one of them, front ends offer every one of them.

/// How to get from one instant to the next.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum IntegrationMethod {
    /// The event-driven simulator over Rodas5P: true stick, every kink located. The one to use.
    #[default]
    Rodas5P,
    /// Explicit Euler with the steps of [`SimulationOptions::step`](super::SimulationOptions::step).
    Euler,
    /// The classic method of Runge and Kutta with the steps of [`SimulationOptions::step`](super::SimulationOptions::step).
    Rk4,
    /// Bogacki and Shampine's pair of orders 3 and 2, adaptive.
    BogackiShampine,
    /// Dormand and Prince's pair of orders 5 and 4, adaptive.
    DormandPrince,
    /// Steps of one length, [`SimulationOptions::step`](super::SimulationOptions::step), that are implicit and know of stick: first order,
    /// for [networks](super::network) of many bodies.
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
    /// Its order: where all is smooth, half the step leaves `2^-order` of the error.
    pub const fn order(self) -> u32 {
        match self {
            Self::Euler | Self::Network => 1,
            Self::BogackiShampine => 3,
            Self::Rk4 => 4,
            Self::Rodas5P | Self::DormandPrince => 5,
        }
    }
    /// Whether it finds its steps from the tolerance; else it takes them as given.
    pub const fn is_adaptive(self) -> bool {
        matches!(self, Self::Rodas5P | Self::BogackiShampine | Self::DormandPrince)
    }
    /// Whether it holds what is at rest and tells of events: the event-driven method where they are, that for networks
    /// at the end of the step. The others integrate the bare law, as a textbook does, and show why that is not enough.
    pub const fn has_events(self) -> bool {
        matches!(self, Self::Rodas5P | Self::Network)
    }
    /// Whether it takes every system; that for networks knows no plants, stops and controllers.
    pub const fn supports_all_components(self) -> bool {
        !matches!(self, Self::Network)
    }
}
