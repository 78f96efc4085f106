//! Plants with their own mass matrix: `M(q)·dv/dt + h(q, v) = forces`.

/// A mechanism of one or two coordinates.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Plant {
    /// A pendulum; its angle is zero when it hangs down.
    Pendulum {
        /// Mass \[kg\].
        mass: f64,
        /// Distance from the joint to the centre of mass \[m\].
        length: f64,
        /// Moment of inertia about the centre of mass [kg·m²].
        inertia: f64,
        /// Acceleration of gravity [m/s²].
        gravity: f64,
    },
    /// A pendulum on a cart; its angle is zero upright, positive towards positive x.
    CartPendulum {
        /// Mass of the cart \[kg\].
        cart: f64,
        /// Mass of the pendulum \[kg\].
        mass: f64,
        /// Distance from the joint to the centre of mass \[m\].
        length: f64,
        /// Moment of inertia about the centre of mass [kg·m²].
        inertia: f64,
        /// Acceleration of gravity [m/s²].
        gravity: f64,
    },
    /// Furuta's pendulum: an arm that rotates in the horizontal plane with a pendulum at its end, whose angle is zero upright.
    Furuta {
        /// Inertia of the arm with its motor about the vertical axis [kg·m²].
        arm_inertia: f64,
        /// Length of the arm \[m\].
        arm: f64,
        /// Mass of the pendulum \[kg\].
        mass: f64,
        /// Distance from the joint to the centre of mass \[m\].
        length: f64,
        /// Moment of inertia of the pendulum about its centre of mass [kg·m²].
        inertia: f64,
        /// Acceleration of gravity [m/s²].
        gravity: f64,
    },
}

/// Mass matrix and bias force of a plant with their derivatives; a one-coordinate plant uses the first entries.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Dynamics {
    /// `M(q)`.
    pub mass: [[f64; 2]; 2],
    /// `dM/dθ`, θ being the last coordinate, the only one `M` and `h` depend on.
    pub mass_by_angle: [[f64; 2]; 2],
    /// `h(q, v)`: centrifugal, Coriolis and gravity forces.
    pub bias: [f64; 2],
    /// `dh/dθ`.
    pub bias_by_angle: [f64; 2],
    /// `dh/dv`: rows are forces.
    pub bias_by_speed: [[f64; 2]; 2],
    /// Potential energy \[J\].
    pub potential: f64,
}

/// A coordinate of a plant.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PlantAxis {
    /// Its name, which follows that of the plant and a dot.
    pub name: &'static str,
    /// Whether it is an angle instead of a length.
    pub rotates: bool,
}

impl Plant {
    /// Its coordinates.
    pub fn axes(&self) -> &'static [PlantAxis] {
        match self {
            Self::Pendulum { .. } => &[PlantAxis { name: "angle", rotates: true }],
            Self::CartPendulum { .. } => {
                &[PlantAxis { name: "cart", rotates: false }, PlantAxis { name: "angle", rotates: true }]
            }
            Self::Furuta { .. } => {
                &[PlantAxis { name: "arm", rotates: true }, PlantAxis { name: "angle", rotates: true }]
            }
        }
    }
    /// The parameters: name, value, and whether it must be positive (otherwise zero is valid).
    pub fn values(&self) -> Vec<(&'static str, f64, bool)> {
        match *self {
            Self::Pendulum { mass, length, inertia, gravity } => {
                vec![
                    ("mass", mass, true),
                    ("length", length, true),
                    ("inertia", inertia, false),
                    ("gravity", gravity, false),
                ]
            }
            Self::CartPendulum { cart, mass, length, inertia, gravity } => vec![
                ("cart", cart, true),
                ("mass", mass, true),
                ("length", length, true),
                ("inertia", inertia, false),
                ("gravity", gravity, false),
            ],
            Self::Furuta { arm_inertia, arm, mass, length, inertia, gravity } => vec![
                ("arm_inertia", arm_inertia, true),
                ("arm", arm, true),
                ("mass", mass, true),
                ("length", length, true),
                ("inertia", inertia, false),
                ("gravity", gravity, false),
            ],
        }
    }
    /// Mass matrix, bias and their derivatives at coordinates `q` and speeds `v`.
    pub fn dynamics(&self, q: &[f64], v: &[f64]) -> Dynamics {
        match *self {
            Self::Pendulum { mass, length, inertia, gravity } => {
                let (s, c) = q[0].sin_cos();
                let torque = mass * gravity * length;
                Dynamics {
                    mass: [[inertia + mass * length * length, 0.0], [0.0, 1.0]],
                    bias: [torque * s, 0.0],
                    bias_by_angle: [torque * c, 0.0],
                    potential: -torque * c,
                    ..Dynamics::default()
                }
            }
            Self::CartPendulum { cart, mass, length, inertia, gravity } => {
                let (s, c) = q[1].sin_cos();
                let (ml, w) = (mass * length, v[1]);
                Dynamics {
                    mass: [[cart + mass, ml * c], [ml * c, inertia + ml * length]],
                    mass_by_angle: [[0.0, -ml * s], [-ml * s, 0.0]],
                    bias: [-ml * s * w * w, -ml * gravity * s],
                    bias_by_angle: [-ml * c * w * w, -ml * gravity * c],
                    bias_by_speed: [[0.0, -2.0 * ml * s * w], [0.0, 0.0]],
                    potential: ml * gravity * c,
                }
            }
            // Gäfvert's form: alpha + beta sin², gamma cos, beta, with the centrifugal and Coriolis terms they imply
            Self::Furuta { arm_inertia, arm, mass, length, inertia, gravity } => {
                let (s, c) = q[1].sin_cos();
                let (p, w) = (v[0], v[1]);
                let (alpha, beta) = (arm_inertia + mass * arm * arm, inertia + mass * length * length);
                let (gamma, delta) = (mass * arm * length, mass * gravity * length);
                let double = 2.0 * s * c;
                let cosine = c * c - s * s;
                Dynamics {
                    mass: [[alpha + beta * s * s, gamma * c], [gamma * c, beta]],
                    mass_by_angle: [[beta * double, -gamma * s], [-gamma * s, 0.0]],
                    bias: [beta * double * p * w - gamma * s * w * w, -beta * s * c * p * p - delta * s],
                    bias_by_angle: [
                        2.0 * beta * cosine * p * w - gamma * c * w * w,
                        -beta * cosine * p * p - delta * c,
                    ],
                    bias_by_speed: [
                        [beta * double * w, beta * double * p - 2.0 * gamma * s * w],
                        [-beta * double * p, 0.0],
                    ],
                    potential: delta * c,
                }
            }
        }
    }
}
