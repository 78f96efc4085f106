//! The joints of a file.
use crate::error::RobotError;
use stiction_io::similar_names::similar;

/// A joint of a file.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Joint<N> {
    /// Its name.
    pub name: String,
    /// Its name with that of the model around it, where names may repeat.
    pub scoped: String,
    /// Its type, in the words of the format.
    pub kind: String,
    /// Whether it turns; none if it has not one degree of freedom.
    pub turns: Option<bool>,
    /// Its place in the file.
    pub node: N,
}

/// The joints of these names; without names, the only one of the file.
pub(super) fn choose<'j, N>(joints: &'j [Joint<N>], names: &[String]) -> Result<Vec<&'j Joint<N>>, RobotError> {
    let movable = || joints.iter().filter(|joint| joint.turns.is_some());
    let known = || movable().map(|joint| joint.scoped.clone()).collect::<Vec<_>>();
    if names.is_empty() {
        let all: Vec<_> = movable().collect();
        return if all.len() == 1 { Ok(all) } else { Err(RobotError::NoJointNamed { known: known() }) };
    }
    let one = |name: &String| {
        let exact: Vec<_> = joints.iter().filter(|joint| joint.scoped == *name).collect();
        let found = if exact.is_empty() { joints.iter().filter(|joint| joint.name == *name).collect() } else { exact };
        match found[..] {
            [] => {
                let near = similar(name, movable().map(|joint| joint.scoped.as_str()));
                let near = near.into_iter().map(str::to_owned).collect();
                Err(RobotError::UnknownJoint { name: name.clone(), near, known: known() })
            }
            [joint] if joint.turns.is_none() => {
                Err(RobotError::JointType { name: name.clone(), kind: joint.kind.clone() })
            }
            [joint] => Ok(joint),
            _ => {
                let places = found.iter().map(|joint| joint.scoped.clone()).collect();
                Err(RobotError::AmbiguousJoint { name: name.clone(), places })
            }
        }
    };
    let mut out: Vec<&Joint<N>> = Vec::new();
    for joint in names.iter().map(one) {
        let joint = joint?;
        // a joint that is named twice
        if !out.iter().any(|other| std::ptr::eq(*other, joint)) {
            out.push(joint);
        }
    }
    Ok(out)
}
