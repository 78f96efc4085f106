//! Why the friction of a joint cannot be written for a simulator of robots.
use stiction_io::number::short;
use stiction_io::similar_names::did_you_mean;

/// Why the friction of a joint cannot be written.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum RobotError {
    /// Speeds that are no range.
    #[error("the speeds {} to {} are not a range of speeds above zero", short(range[0]), short(range[1]))]
    Speeds {
        /// The range.
        range: [f64; 2],
    },
    /// No loads at all.
    #[error("there is no load to fit the friction at")]
    NoLoad,
    /// A load below zero, at which a law has no dry friction.
    #[error("load {} is a load factor of {}, below zero, where the law does not press", short(*load), short(*factor))]
    NegativeLoad {
        /// The load.
        load: f64,
        /// The load factor.
        factor: f64,
    },
    /// Loads of zero alone, for a law with dry friction.
    #[error("without a load the law '{law}' has lost its dry friction: there is nothing of it to fit")]
    Unloaded {
        /// The law.
        law: &'static str,
    },
    /// A law that has no steady force at a speed or a load.
    #[error("{message}")]
    NoSteadyForce {
        /// Why not.
        message: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// A law that has no friction at these speeds and loads.
    #[error("'{law}' has no friction at these speeds and loads")]
    NoFriction {
        /// The law.
        law: &'static str,
    },
    /// A file that is not XML.
    #[error("not valid XML: {message}")]
    Xml {
        /// What the parser says.
        message: String,
        /// Line, from 1.
        line: u32,
        /// Column, from 1.
        column: u32,
    },
    /// A file of another kind.
    #[error("this is not {format}: it begins with <{root}>")]
    OtherFormat {
        /// The format that is wanted.
        format: &'static str,
        /// The name of the first element.
        root: String,
        /// The command for such a file, if there is one.
        command: Option<&'static str>,
    },
    /// A joint that is not there.
    #[error("there is no joint '{name}'")]
    UnknownJoint {
        /// Its name.
        name: String,
        /// Similar names, one of which may be meant.
        near: Vec<String>,
        /// The joints of the file.
        known: Vec<String>,
    },
    /// A file with no joint, or several, where none is named.
    #[error("the file has {} joints that friction can act in; name one", known.len())]
    NoJointNamed {
        /// The joints of the file.
        known: Vec<String>,
    },
    /// Several joints of one name.
    #[error("there are {} joints '{name}'", places.len())]
    AmbiguousJoint {
        /// Their name.
        name: String,
        /// How to write each of them.
        places: Vec<String>,
    },
    /// A joint that does not have one degree of freedom.
    #[error("joint '{name}' is of type '{kind}', which has not one degree of freedom")]
    JointType {
        /// The joint.
        name: String,
        /// Its type.
        kind: String,
    },
    /// A model of a rotation for a joint that slides, or the other way round.
    #[error("joint '{name}' {}, and the law is given for {}", if *joint_turns { "turns" } else { "slides" }, if *joint_turns { "a sliding motion, in N and m" } else { "a rotation, in N·m and rad" })]
    Motion {
        /// The joint.
        name: String,
        /// Whether it turns.
        joint_turns: bool,
    },
    /// A joint in which something else of the file acts as friction, too.
    #[error("joint '{name}' would have another friction: {why}")]
    OtherFriction {
        /// The joint.
        name: String,
        /// What acts in it.
        why: String,
        /// What to do about it.
        hint: &'static str,
    },
    /// A law that MuJoCo's LuGre friction does not describe.
    #[error("MuJoCo's LuGre friction cannot be this law: {why}")]
    NotLuGre {
        /// What differs.
        why: &'static str,
    },
    /// A binary USD file whose joints cannot be seen.
    #[error("this USD file is binary: name the joint by its whole path, such as /robot/joints/elbow")]
    BinaryUsd,
    /// A binary USD file, and a law of which nothing says whether it is one of a rotation.
    #[error("this USD file is binary: whether its joint turns or slides cannot be seen")]
    BinaryMotion,
    /// A binary USD file without its unit of length.
    #[error("this USD file is binary: its unit of length cannot be seen")]
    BinaryUnit,
    /// Text that is not USD.
    #[error("not valid USD text: {message}")]
    UsdText {
        /// What is wrong.
        message: &'static str,
        /// Line, from 1.
        line: usize,
    },
    /// A joint that a variant of a robot has.
    #[error("joint '{name}' is in a variant, which this layer does not select")]
    Variant {
        /// The joint.
        name: String,
    },
    /// A unit of a stage that is not a positive number.
    #[error("{name} = {} of the stage is not a positive number", short(*value))]
    StageUnit {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
    },
    /// A path that USD cannot refer to.
    #[error("USD cannot refer to a file with this path: {path}")]
    UsdPath {
        /// The path, from the new file.
        path: String,
    },
    /// A name that the format does not allow.
    #[error("'{name}' cannot be the name of a joint in {format}")]
    Name {
        /// The name.
        name: String,
        /// The format.
        format: &'static str,
    },
    /// A mass that is not a positive number.
    #[error("mass = {} is not within 1e-9 to 1e9", short(*mass))]
    Mass {
        /// The mass.
        mass: f64,
    },
}

impl RobotError {
    /// What to do about it.
    pub fn hint(&self) -> String {
        let text = match self {
            Self::Speeds { .. } => "write the slowest and the fastest speed, as in --speeds 0.001:0.5",
            Self::NoLoad => "give a load, as in --load 1",
            Self::NegativeLoad { .. } => "give loads at which the surfaces press on each other, as in --load 1",
            Self::Unloaded { .. } => "give a load above zero, too, as in --load 0,1",
            Self::NoSteadyForce { hint, .. } | Self::OtherFriction { hint, .. } => hint,
            Self::NoFriction { .. } => "choose higher speeds with --speeds, or a load above zero with --load",
            Self::Xml { .. } => "mend the file first; the simulator would not read it either",
            Self::OtherFormat { command: Some(command), .. } => return format!("use '{command}'"),
            Self::OtherFormat { .. } => "name a file of this format with --into",
            Self::UnknownJoint { known, .. } | Self::NoJointNamed { known } if known.is_empty() => {
                "joints without a name and those of included files are not seen: give the joint a name, or take the file that has it"
            }
            Self::UnknownJoint { near, known, .. } => {
                let (question, the) = match did_you_mean(near) {
                    Some(question) => (question + " ", "The"),
                    None => (String::new(), "the"),
                };
                return format!("{question}{the} joints are: {}", known.join(", "));
            }
            Self::NoJointNamed { known } => return format!("write --joint with one of: {}", known.join(", ")),
            // one way to write several joints tells none of them
            Self::AmbiguousJoint { places, .. } if places.windows(2).any(|pair| pair[0] == pair[1]) => {
                "give each joint of the file a name of its own"
            }
            Self::AmbiguousJoint { places, .. } => return format!("write one of: {}", places.join(", ")),
            Self::JointType { .. } => "choose a joint that turns about one axis or slides along one",
            Self::Motion { .. } => {
                "choose another joint, or a model of such a motion; --turns says that a law is one of a rotation, --turns=false that it is none"
            }
            Self::NotLuGre { .. } => "leave --lugre out: Coulomb and viscous friction are fitted to the law",
            Self::BinaryMotion => {
                "write --turns, or --turns=false for a joint that slides; or convert it: usdcat robot.usd -o robot.usda"
            }
            Self::BinaryUnit => {
                "give the metersPerUnit of its stage, as in --meters-per-unit 0.01; or convert it: usdcat robot.usd -o robot.usda"
            }
            Self::BinaryUsd => "or convert it: usdcat robot.usd -o robot.usda",
            Self::UsdText { .. } => "convert it with usdcat, which writes plain USD text",
            Self::Variant { .. } => "write the variant out: usdcat --flatten robot.usda -o flat.usda",
            Self::StageUnit { .. } => "give 1 for metres and kilograms, 0.01 for centimetres",
            Self::UsdPath { .. } => "rename the robot's file or folder: no @@@ and no @ at the end",
            Self::Name { .. } => "use letters, digits and underscores",
            Self::Mass { .. } => "give the moving mass, or the moment of inertia, as in --mass 4.5",
        };
        text.to_owned()
    }
}
