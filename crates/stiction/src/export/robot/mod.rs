//! The friction of a robot's joint, for simulators that have a friction of their own: MJCF (MuJoCo), URDF, SDF (Gazebo) and USD (Isaac Sim).
//!
//! Such a joint has a level and a viscous coefficient, and in PhysX a force of break-away. They are fitted to the law over the speeds and loads of
//! interest, with the residual and what is lost. A file that is there already is changed in its joints only.
//!
//! ```
//! use stiction::Spec;
//! use stiction::export::robot::{RobotFormat, RobotRequest};
//!
//! let mut spec = Spec::new("stiction")?;
//! spec.set("fc", 2.0)?.set("fs", 2.0)?.set("fv", 0.3)?;
//! let export = RobotRequest::new(spec, RobotFormat::Mjcf).fit()?;
//! let file = export.file(None)?;
//! assert!(file.text.contains("frictionloss=\"2\" damping=\"0.3\""));
//! assert!(export.fit.residual.max < 1e-12);
//! # Ok::<(), stiction::Error>(())
//! ```
mod check_script;
mod fit;
mod joint;
mod losses;
mod lugre;
mod mjcf;
mod mjcf_model;
mod relative_path;
mod sdf;
mod urdf;
mod usd;
mod usd_text;
mod xml_edit;

pub use crate::error::RobotError;
pub use fit::{FitPoint, FitRange, FrictionFit, JointFriction, Residual};
pub use losses::{JointForm, JointUnits, Loss};
pub use lugre::Bristles;

pub(super) use xml_edit::escaped;

use crate::analysis::characteristic_scales::CharacteristicScales;
use crate::{Error, ParameterGroup, Spec};
use joint::Joint;
use roxmltree::Node;
use std::path::Path;
use stiction_io::Position;

/// A format of robots.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RobotFormat {
    /// MuJoCo's.
    Mjcf,
    /// That of ROS and many others.
    Urdf,
    /// Gazebo's.
    Sdf,
    /// Isaac Sim's, with the friction of PhysX.
    Usd,
}

impl RobotFormat {
    /// All of them.
    pub const ALL: [Self; 4] = [Self::Mjcf, Self::Urdf, Self::Sdf, Self::Usd];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::Mjcf => "MJCF",
            Self::Urdf => "URDF",
            Self::Sdf => "SDF",
            Self::Usd => "USD",
        }
    }
    /// The endings of its files.
    pub fn endings(self) -> &'static [&'static str] {
        match self {
            Self::Mjcf => &["xml", "mjcf"],
            Self::Urdf => &["urdf", "xacro", "xml"],
            Self::Sdf => &["sdf", "world", "xml"],
            Self::Usd => &["usda"],
        }
    }
}

/// What to export.
#[derive(Clone, Debug)]
pub struct RobotRequest {
    /// The law.
    pub spec: Spec,
    /// The format.
    pub format: RobotFormat,
    /// Slowest and fastest speed of the fit; else up to a hundred times the law's characteristic speed, or 1.
    pub speeds: Option<[f64; 2]>,
    /// The loads of the fit.
    pub loads: Vec<f64>,
    /// Whether the motion of the law is a rotation, if that is known.
    pub turns: Option<bool>,
    /// The mass or moment of inertia of a new file's joint.
    pub mass: f64,
    /// The joints of the file, or the name of a new one.
    pub joints: Vec<String>,
    /// MuJoCo's LuGre friction instead of a fit.
    pub lugre: bool,
    /// `metersPerUnit` of a robot in binary USD, in which it cannot be read.
    pub meters_per_unit: Option<f64>,
}

/// The name of a new joint.
const JOINT: &str = "joint";
/// Bounds of the mass [kg or kg·m²].
pub(super) const MASS_BOUNDS: (f64, f64) = (1e-9, 1e9);

impl RobotRequest {
    /// A law in a joint, under a load of 1.
    pub fn new(spec: Spec, format: RobotFormat) -> Self {
        Self {
            spec,
            format,
            speeds: None,
            loads: vec![1.0],
            turns: None,
            mass: 1.0,
            joints: Vec::new(),
            lugre: false,
            meters_per_unit: None,
        }
    }
    /// Fits the friction of the joint.
    ///
    /// # Errors
    /// [`RobotError`] for speeds, loads and masses that cannot be, and for a law that has no friction there or is not the LuGre
    /// that was asked for; as [`Spec::build`].
    pub fn fit(self) -> Result<RobotExport, Error> {
        if !(MASS_BOUNDS.0..=MASS_BOUNDS.1).contains(&self.mass) {
            return Err(RobotError::Mass { mass: self.mass }.into());
        }
        for &load in &self.loads {
            let factor = self.spec.load_factor(load);
            if factor < 0.0 && !self.spec.law().signed_load() {
                return Err(RobotError::NegativeLoad { load, factor }.into());
            }
        }
        // noise is lost; the joint is compared with the law without it
        let quiet = self.spec.clone().without(ParameterGroup::Noise);
        let measure = |dir| CharacteristicScales::measure_towards(&quiet, dir);
        let scales = [measure(1.0)?, measure(-1.0)?];
        let assumed = FitRange::of_scales(&scales);
        let range = FitRange { speeds: self.speeds.unwrap_or(assumed.speeds), loads: self.loads.clone() };
        let fit = FrictionFit::new(&quiet, range, &scales)?;
        let bristles = match (self.lugre, &self.loads[..]) {
            (true, [load]) => Some(Bristles::new(&self.spec, *load)?),
            (true, _) => return Err(RobotError::NotLuGre { why: "it has one load" }.into()),
            (false, _) => None,
        };
        let law = self.spec.law().name.replace("--", "- -");
        let origin = format!("Friction of the law {law}, by stiction {}", env!("CARGO_PKG_VERSION"));
        let values = JointValues { friction: fit.friction, fastest: fit.range.speeds[1], bristles, origin };
        Ok(RobotExport { request: self, fit, scales, values })
    }
}

/// What is written into a joint.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JointValues {
    friction: JointFriction,
    /// The largest speed that it was fitted for.
    fastest: f64,
    bristles: Option<Bristles>,
    /// Where it comes from, for a comment.
    origin: String,
}

/// The joint of a new file.
struct FreshJoint<'a> {
    name: &'a str,
    turns: bool,
    mass: f64,
}

/// A file that is there already.
#[derive(Clone, Copy, Debug)]
pub struct IntoFile<'a> {
    /// Its content.
    pub bytes: &'a [u8],
    /// Its path.
    pub path: &'a Path,
    /// The path of the new file.
    pub output: &'a Path,
}

impl IntoFile<'_> {
    /// Whether the new file is in another folder.
    fn changes_folder(&self) -> bool {
        let folder = |path: &Path| std::path::absolute(path).ok().and_then(|path| path.parent().map(Path::to_owned));
        folder(self.path) != folder(self.output)
    }
}

/// The friction of a joint, fitted.
#[derive(Clone, Debug)]
pub struct RobotExport {
    /// What was asked for.
    pub request: RobotRequest,
    /// The fit.
    pub fit: FrictionFit,
    /// Those of the law, forwards and backwards.
    scales: [CharacteristicScales; 2],
    values: JointValues,
}

/// A joint that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenJoint {
    /// Its name.
    pub name: String,
    /// Its type, in the words of the format.
    pub kind: String,
    /// Whether it turns.
    pub turns: bool,
    /// Its names in the simulator, if the file makes several of it (`replicate` of MuJoCo); else none.
    pub copies: Vec<String>,
}

/// A file with friction in its joints.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RobotFile {
    /// Its text.
    pub text: String,
    /// The joints with the friction.
    pub joints: Vec<WrittenJoint>,
    /// Settings of the solver that were added, by name.
    pub settings: Vec<(String, String)>,
    /// What the user should know.
    pub notes: Vec<String>,
}

impl RobotExport {
    /// A new file of one joint, or the file that is there with this friction in its joints.
    ///
    /// # Errors
    /// [`RobotError`] for a file of another format, for joints that are not there, have not one degree of freedom, or do not move as the
    /// model does.
    pub fn file(&self, into: Option<IntoFile<'_>>) -> Result<RobotFile, Error> {
        let RobotRequest { format, joints, turns, mass, meters_per_unit, .. } = &self.request;
        let Some(into) = into else {
            let name = joints.first().map_or(JOINT, String::as_str);
            let allowed = match format {
                RobotFormat::Usd => usd::is_identifier(name),
                _ => !name.is_empty() && !name.chars().any(|c| c.is_control() || "<>&\"'".contains(c)),
            };
            if !allowed {
                return Err(RobotError::Name { name: name.to_owned(), format: format.name() }.into());
            }
            let joint = FreshJoint { name, turns: turns.unwrap_or(false), mass: *mass };
            let fresh = match format {
                RobotFormat::Mjcf => mjcf::fresh,
                RobotFormat::Urdf => urdf::fresh,
                RobotFormat::Sdf => sdf::fresh,
                RobotFormat::Usd => usd::fresh,
            };
            return Ok(fresh(&joint, &self.values));
        };
        let text = || {
            let xml = |message: String| RobotError::Xml { message, line: 1, column: 1 };
            std::str::from_utf8(into.bytes).map_err(|error| xml(error.to_string()))
        };
        let edited = match format {
            RobotFormat::Mjcf => text().and_then(|text| mjcf::edit(text, joints, &self.values)),
            RobotFormat::Urdf => text().and_then(|text| urdf::edit(text, joints, &self.values)),
            RobotFormat::Sdf => text().and_then(|text| sdf::edit(text, joints, &self.values)),
            RobotFormat::Usd => usd::layer(&into, joints, *turns, *meters_per_unit, &self.values),
        };
        let mut file = edited.map_err(|error| match error {
            RobotError::Xml { line, column, .. } => {
                let position = Position { path: into.path.to_owned(), line: line as usize, column: column as usize };
                Error::from(error).at(position)
            }
            RobotError::UsdText { line, .. } => {
                Error::from(error).at(Position { path: into.path.to_owned(), line, column: 1 })
            }
            error => error.into(),
        })?;
        // a layer of USD refers to the robot, whose own paths stay as they are
        if *format != RobotFormat::Usd && into.changes_folder() && xml_edit::names_files(&file.text) {
            file.notes.push(
                "the new file is in another folder: relative paths to meshes and other files start from there"
                    .to_owned(),
            );
        }
        let other = file.joints.iter().find(|joint| turns.is_some_and(|turns| turns != joint.turns));
        match other {
            Some(joint) => Err(RobotError::Motion { name: joint.name.clone(), joint_turns: joint.turns }.into()),
            None => Ok(file),
        }
    }
    /// What the joint can be told.
    fn form(&self) -> JointForm {
        JointForm {
            has_breakaway: self.request.format == RobotFormat::Usd,
            has_bristles: self.values.bristles.is_some(),
        }
    }
    /// What is lost.
    ///
    /// # Errors
    /// As [`Spec::build`].
    pub fn losses(&self, units: JointUnits) -> Result<Vec<Loss>, Error> {
        losses::losses(&self.request.spec, &self.fit, &self.scales, self.form(), units)
    }
    /// The numbers of the joint: what the format calls each, its value, and its unit. Those of USD are here in units of SI, too.
    pub fn parameters(&self, units: JointUnits) -> Vec<(&'static str, f64, String)> {
        let JointFriction { coulomb, viscous, breakaway } = self.values.friction;
        let (force, damping) = (units.force.to_owned(), units.viscous.to_owned());
        if let Some(b) = self.values.bristles {
            let stiffness = format!("{}/{}", units.force, units.displacement);
            return vec![
                ("stiffness", b.sigma0, stiffness),
                ("damping", b.sigma1, damping.clone()),
                ("coulomb", b.fc, force.clone()),
                ("static", b.fs, force),
                ("stribeck", b.vs, units.speed.to_owned()),
                ("viscous damping", b.sigma2, damping),
            ];
        }
        match self.request.format {
            RobotFormat::Mjcf => vec![("frictionloss", coulomb, force), ("damping", viscous, damping)],
            RobotFormat::Urdf | RobotFormat::Sdf => vec![("friction", coulomb, force), ("damping", viscous, damping)],
            RobotFormat::Usd => vec![
                ("static effort", breakaway, force.clone()),
                ("dynamic effort", coulomb, force),
                ("viscous", viscous, damping),
            ],
        }
    }
    /// The longest time step with which MuJoCo's LuGre friction stays stable in a joint of this mass \[s\]: half of the step of a mass on
    /// the bristles; none without them.
    pub fn longest_step(&self) -> Option<f64> {
        let b = self.values.bristles?;
        // an explicit step is stable below 2/ω of the spring, and below 2m/σ1 of the damper
        let damper = if b.sigma1 > 0.0 { 2.0 * self.request.mass / b.sigma1 } else { f64::INFINITY };
        Some(0.5 * (2.0 * (self.request.mass / b.sigma0).sqrt()).min(damper))
    }
    /// A Python program that reads `file` as its simulator does, and compares the friction of its joint with the law. It stands at `script`
    /// and looks for the file from there; without a path of the file it is told one.
    pub fn check_script(&self, script: &Path, path: Option<&Path>, file: &RobotFile) -> String {
        check_script::text(self, path.map(|path| relative_path::relative(script, path)), file)
    }
}

/// The joints as they were written. Where others of the file have the same name, it stands with that of the model around it.
fn written<N>(joints: &[&Joint<N>], all: &[Joint<N>]) -> Vec<WrittenJoint> {
    let is_alone = |joint: &Joint<N>| all.iter().filter(|other| other.name == joint.name).count() == 1;
    let one = |joint: &&Joint<N>| WrittenJoint {
        name: if is_alone(joint) { &joint.name } else { &joint.scoped }.clone(),
        kind: joint.kind.clone(),
        turns: joint.turns.unwrap_or(false),
        copies: Vec::new(),
    };
    joints.iter().map(one).collect()
}

/// Refuses a file of another format.
fn expect_root(root: Node<'_, '_>, format: &'static str, names: &[&str]) -> Result<(), RobotError> {
    let name = root.tag_name().name();
    if names.contains(&name) {
        return Ok(());
    }
    let command = match name {
        "mujoco" => Some("stiction export mjcf"),
        "robot" => Some("stiction export urdf"),
        "sdf" => Some("stiction export sdf"),
        _ => None,
    };
    Err(RobotError::OtherFormat { format, root: name.to_owned(), command })
}
