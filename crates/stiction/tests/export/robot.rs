//! The friction of joints: the fit, what is lost, and files in which nothing else changes.
use std::path::Path;
use stiction::export::robot::{
    FrictionFit, IntoFile, JointUnits, RobotError, RobotExport, RobotFile, RobotFormat, RobotRequest,
};
use stiction::{Error, Spec};

pub fn law(name: &str, values: &[(&str, f64)]) -> Spec {
    let mut spec = Spec::new(name).unwrap();
    for (key, x) in values {
        spec.set(key, *x).unwrap();
    }
    spec
}

fn fitted(spec: Spec, format: RobotFormat) -> RobotExport {
    RobotRequest::new(spec, format).fit().unwrap()
}

/// Coulomb and viscous friction, which every format can say.
pub fn plain() -> Spec {
    law("stiction", &[("fc", 2.5), ("fs", 2.5), ("fv", 0.3)])
}

fn lost(export: &RobotExport) -> Vec<&'static str> {
    export.losses(JointUnits::new(false)).unwrap().into_iter().map(|loss| loss.name).collect()
}

#[test]
fn a_law_that_the_joint_can_say_is_fitted_exactly() {
    let export = fitted(plain(), RobotFormat::Mjcf);
    let friction = export.fit.friction;
    // twelve digits are written
    assert!((friction.coulomb - 2.5).abs() < 1e-11 && (friction.viscous - 0.3).abs() < 1e-11, "{friction:?}");
    assert!(export.fit.residual.max < 1e-11);
    assert_eq!(lost(&export), ["load"]);
    let viscous = fitted(law("viscous", &[("fv", 0.7)]), RobotFormat::Mjcf);
    assert_eq!((viscous.fit.friction.coulomb, viscous.fit.friction.viscous), (0.0, 0.7));
    assert!(lost(&viscous).is_empty());
}

#[test]
fn no_other_friction_that_is_not_negative_has_a_smaller_residual() {
    for (name, speeds) in [
        ("stribeck", [0.0, 0.1]),
        ("stribeck", [0.0, 0.002]),
        ("coulomb-tanh", [0.0, 0.01]),
        ("carlson-langer", [0.0, 1.0]),
    ] {
        let mut request = RobotRequest::new(law(name, &[]), RobotFormat::Urdf);
        request.speeds = Some(speeds);
        let FrictionFit { friction, points, residual, .. } = request.fit().unwrap().fit;
        assert!(friction.coulomb >= 0.0 && friction.viscous >= 0.0);
        for (level, slope) in [(1e-3, 0.0), (-1e-3, 0.0), (0.0, 1e-3), (0.0, -1e-3), (1e-3, -1e-3), (-1e-3, 1e-3)] {
            let (coulomb, viscous) = (friction.coulomb + level, friction.viscous + slope / speeds[1]);
            let square = |(v, law): (f64, f64)| (law - coulomb.copysign(v) - viscous * v).powi(2);
            let rms = (points.iter().map(|p| square((p.v, p.law))).sum::<f64>() / points.len() as f64).sqrt();
            assert!(coulomb < 0.0 || viscous < 0.0 || rms > residual.rms, "{name} {speeds:?}: {rms} {residual:?}");
        }
    }
}

#[test]
fn what_is_lost_follows_from_the_law() {
    let mjcf = |spec: Spec| lost(&fitted(spec, RobotFormat::Mjcf));
    assert_eq!(mjcf(law("coulomb", &[])), ["load"]);
    assert_eq!(mjcf(law("stribeck", &[])), ["Stribeck effect", "break-away", "load"]);
    assert_eq!(mjcf(law("lugre", &[])), ["presliding", "Stribeck effect", "break-away", "load", "memory"]);
    assert_eq!(mjcf(law("dahl", &[])), ["presliding", "load", "memory"]);
    assert_eq!(mjcf(law("coulomb-tanh", &[])), ["rest", "load"]);
    assert_eq!(mjcf(law("coulomb", &[("reverse.fc", 2.0)])), ["break-away", "asymmetry", "load"]);
    // a force of break-away above a steady curve that is constant
    assert_eq!(mjcf(law("stiction", &[("fv", 0.0)])), ["break-away", "load"]);
    for name in ["bliman-sorine", "reset-integrator", "bristle"] {
        assert!(!mjcf(law(name, &[])).contains(&"Stribeck effect"), "{name}");
    }
    let noisy = [("noise.amplitude", 0.1), ("noise.frequency", 3.0)];
    assert_eq!(mjcf(law("coulomb", &noisy)), ["load", "noise"]);
    // noise hides nothing else
    assert_eq!(mjcf(law("stribeck", &noisy)), ["Stribeck effect", "break-away", "load", "noise"]);
    // PhysX has a level for break-away
    assert_eq!(lost(&fitted(law("stribeck", &[]), RobotFormat::Usd)), ["Stribeck effect", "load"]);
    let mut lugre = RobotRequest::new(law("lugre", &[]), RobotFormat::Mjcf);
    lugre.lugre = true;
    assert_eq!(lost(&lugre.fit().unwrap()), ["load"]);
}

#[test]
fn unequal_directions_give_their_mean_and_several_loads_too() {
    let both = fitted(law("coulomb", &[("fc", 1.0), ("reverse.fc", 3.0)]), RobotFormat::Mjcf);
    assert!((both.fit.friction.coulomb - 2.0).abs() < 1e-11, "{:?}", both.fit.friction);
    assert!((both.fit.residual.max - 1.0).abs() < 1e-11);
    for format in [RobotFormat::Mjcf, RobotFormat::Usd] {
        let losses = fitted(both.request.spec.clone(), format).losses(JointUnits::new(false)).unwrap();
        let told = "a force of 1 N forwards and 3 N backwards sets the law in motion, one of 2 N the joint";
        assert!(losses.iter().any(|loss| loss.text == told), "{losses:?}");
    }
    let mut loads = RobotRequest::new(law("coulomb", &[]), RobotFormat::Usd);
    loads.loads = vec![1.0, 2.0, 6.0];
    let friction = loads.fit().unwrap().fit.friction;
    assert!((friction.coulomb - 3.0).abs() < 1e-11 && (friction.breakaway - 3.0).abs() < 1e-11, "{friction:?}");
}

/// A law with memory breaks away backwards as its parameters there say: the force of the forward direction counted for both.
#[test]
fn break_away_of_a_law_with_memory_is_that_of_both_directions() {
    let reverse = [("reverse.fs", 3.0), ("reverse.fc", 3.0)];
    for name in ["lugre", "stribeck"] {
        let fit = fitted(law(name, &reverse), RobotFormat::Usd).fit;
        // 1.5 N forwards, 3 N backwards; slow presliding comes within 1 % of break-away
        assert!((fit.friction.breakaway - 2.25).abs() < 0.01 * 2.25, "{name}: {:?}", fit.friction);
        assert!(fit.breakaway[1] > 1.9 * fit.breakaway[0], "{name}: {:?}", fit.breakaway);
    }
    let losses =
        fitted(law("lugre", &[("reverse.sigma0", 2e5)]), RobotFormat::Mjcf).losses(JointUnits::new(false)).unwrap();
    let spring = losses.iter().find(|loss| loss.name == "presliding").unwrap();
    assert!(spring.text.contains("forwards, a spring of") && spring.text.contains("backwards;"), "{}", spring.text);
}

/// Twice no load is no load; the loads of the fit tell.
#[test]
fn a_load_of_zero_among_others_is_told() {
    let mut request = RobotRequest::new(law("coulomb", &[]), RobotFormat::Mjcf);
    request.loads = vec![0.0, 1.0];
    let losses = request.fit().unwrap().losses(JointUnits::new(false)).unwrap();
    let told = "at load 0 the law has 0 N, at load 1 1 N; the joint has no load";
    assert!(losses.iter().any(|loss| loss.text == told), "{losses:?}");
}

/// A load below zero was taken for none, and the joint had no friction, with nothing lost; likewise a load of zero alone.
#[test]
fn loads_without_dry_friction_are_refused() {
    let fit = |name, values: &[(&str, f64)], loads: &[f64]| {
        let mut request = RobotRequest::new(law(name, values), RobotFormat::Mjcf);
        request.loads = loads.to_vec();
        request.fit().map_err(|error| match error {
            Error::Robot(error) => error,
            other => panic!("{other}"),
        })
    };
    for loads in [&[-1.0][..], &[1.0, -0.5]] {
        let error = fit("stribeck", &[], loads).unwrap_err();
        assert!(matches!(error, RobotError::NegativeLoad { .. }) && error.hint().contains("--load"), "{error}");
    }
    assert!(matches!(fit("stribeck", &[], &[0.0]).unwrap_err(), RobotError::Unloaded { law: "stribeck" }));
    // friction that no load changes, and a load in its own unit, whose factor counts
    assert!(fit("viscous", &[], &[0.0]).is_ok());
    let own = [("load.base", 1.0), ("load.slope", 0.1)];
    assert!(fit("stribeck", &own, &[-5.0]).is_ok() && fit("stribeck", &own, &[-15.0]).is_err());
    assert!(fit("stribeck", &own, &[-10.0]).is_err());
}

pub fn into(export: &RobotExport, text: &str) -> Result<RobotFile, RobotError> {
    let into =
        IntoFile { bytes: text.as_bytes(), path: Path::new("robots/arm.usda"), output: Path::new("out/new.usda") };
    export.file(Some(into)).map_err(|error| match error.without_position() {
        Error::Robot(error) => error.clone(),
        other => panic!("{other}"),
    })
}

/// With these joints.
fn for_joints(format: RobotFormat, joints: &[&str]) -> RobotExport {
    let mut request = RobotRequest::new(plain(), format);
    request.joints = joints.iter().map(|name| (*name).to_owned()).collect();
    request.fit().unwrap()
}

/// The lines of `new` that `old` has not, and those of `old` that are gone.
fn changed<'a>(old: &'a str, new: &'a str) -> (Vec<&'a str>, Vec<&'a str>) {
    let lines = |a: &'a str, b: &str| a.split('\n').filter(|line| !b.split('\n').any(|other| other == *line)).collect();
    (lines(new, old), lines(old, new))
}

const MJCF: &str = "<mujoco model='arm'>\r\n  <option timestep=\"0.004\"   />\r\n  <default><joint damping=\"1\"/><default class=\"rail\"><joint type=\"slide\"/></default></default>\r\n  <worldbody>\r\n    <body childclass=\"rail\">\r\n      <joint name=\"lift\" axis=\"0 0 1\"/> <!-- a > b -->\r\n      <body>\r\n        <joint name=\"shoulder\" type=\"hinge\" frictionloss='9' axis=\"0 1 0\"/>\r\n        <body><joint name=\"wrist\" type=\"ball\"/></body>\r\n      </body>\r\n    </body>\r\n  </worldbody>\r\n  <sensor><jointpos joint=\"lift\"/></sensor>\r\n</mujoco>\r\n";

#[test]
fn mjcf_changes_in_its_joint_and_its_solver_alone() {
    let file = into(&for_joints(RobotFormat::Mjcf, &["shoulder"]), MJCF).unwrap();
    let (new, gone) = changed(MJCF, &file.text);
    let want = [
        "  <option timestep=\"0.004\" noslip_iterations=\"100\" noslip_tolerance=\"1e-12\"   />\r",
        "        <joint name=\"shoulder\" type=\"hinge\" frictionloss='2.5' axis=\"0 1 0\" damping=\"0.3\" solreffriction=\"0.008 1\" solimpfriction=\"0.9999 0.9999 0.001\"/>\r",
    ];
    assert_eq!((new, gone.len()), (want.to_vec(), 2));
    assert_eq!(file.joints[0].kind, "hinge");
    // named twice, it changes once; a document type is passed over, a text that stands for others is not
    let twice = into(&for_joints(RobotFormat::Mjcf, &["shoulder", "shoulder"]), MJCF).unwrap();
    assert_eq!(twice.text, file.text);
    let typed = format!("<!DOCTYPE mujoco>\n{MJCF}");
    assert_eq!(
        into(&for_joints(RobotFormat::Mjcf, &["shoulder"]), &typed).unwrap().text,
        format!("<!DOCTYPE mujoco>\n{}", file.text)
    );
    let entity = typed.replace("mujoco>\n", "mujoco [<!ENTITY a \"b\">]>\n");
    assert!(matches!(into(&for_joints(RobotFormat::Mjcf, &["shoulder"]), &entity), Err(RobotError::Xml { .. })));
    // a slide by its class
    assert!(!into(&for_joints(RobotFormat::Mjcf, &["lift"]), MJCF).unwrap().joints[0].turns);
    // a solver that is set already stays as it is
    let set = MJCF.replace("timestep=\"0.004\"", "noslip_iterations=\"3\"");
    let file = into(&for_joints(RobotFormat::Mjcf, &["lift"]), &set).unwrap();
    assert!(file.text.contains("noslip_iterations=\"3\"   />") && file.settings.is_empty());
    assert!(file.notes.iter().any(|note| note.contains("kept")), "{:?}", file.notes);
    roxmltree::Document::parse(&file.text).unwrap();
}

#[test]
fn lugre_becomes_a_passive_motor() {
    let mut request = RobotRequest::new(law("lugre", &[("sigma2", 0.7)]), RobotFormat::Mjcf);
    (request.lugre, request.loads, request.joints) = (true, vec![2.0], vec!["lift".to_owned()]);
    let file = into(&request.clone().fit().unwrap(), MJCF).unwrap();
    let motor = "    <dcmotor name=\"lift_friction\" joint=\"lift\" input=\"none\" motorconst=\"0\" resistance=\"1\" lugre=\"2e5 632.4555320336759 2 3 0.001\" damping=\"0.7 0 0\" gear=\"1\" armature=\"0\"/>\r";
    let (new, gone) = changed(MJCF, &file.text);
    let joint = "      <joint name=\"lift\" axis=\"0 0 1\" frictionloss=\"0\" damping=\"0\"/> <!-- a > b -->\r";
    assert_eq!((new, gone.len()), (vec![joint, "  <actuator>\r", motor, "  </actuator>\r"], 1));
    for (name, x, why) in
        [("exponent", 1.0, "exponent"), ("gamma", 0.5, "gamma"), ("vd", 0.1, "fade"), ("reverse.fc", 1.2, "reverse")]
    {
        let mut other = request.clone();
        other.spec.set(name, x).unwrap();
        let error = other.fit().unwrap_err();
        assert!(
            matches!(error, Error::Robot(RobotError::NotLuGre { .. })) && error.to_string().contains(why),
            "{error}"
        );
    }
}

const URDF: &str = "<?xml version=\"1.0\"?>\n<robot name=\"arm\" xmlns:xacro=\"http://www.ros.org/wiki/xacro\">\n\t<link name=\"base\"/><link name=\"upper\"/><link name=\"tool\"/>\n\t<joint name=\"elbow\" type=\"revolute\">\n\t\t<parent link=\"base\"/><child link=\"upper\"/>\n\t\t<dynamics friction=\"0.1\"/>\n\t</joint>\n\t<joint name=\"lift\" type=\"prismatic\">\n\t\t<parent link=\"upper\"/>\n\t\t<child link=\"tool\"/>\n\t</joint>\n\t<joint name=\"weld\" type=\"fixed\"/>\n\t<transmission name=\"t\"><joint name=\"elbow\"/></transmission>\n</robot>\n";

#[test]
fn urdf_and_sdf_get_their_dynamics() {
    let file = into(&for_joints(RobotFormat::Urdf, &["elbow", "lift"]), URDF).unwrap();
    let want = ["\t\t<dynamics friction=\"2.5\" damping=\"0.3\"/>", "\t\t<dynamics damping=\"0.3\" friction=\"2.5\"/>"];
    assert_eq!(changed(URDF, &file.text), (want.to_vec(), vec!["\t\t<dynamics friction=\"0.1\"/>"]));
    let sdf = "<sdf version=\"1.9\"><world name=\"w\">\n  <model name=\"a\">\n    <joint name=\"j\" type=\"revolute\">\n      <axis>\n        <xyz>0 0 1</xyz>\n        <dynamics>\n          <damping> 4 </damping>\n        </dynamics>\n      </axis>\n    </joint>\n  </model>\n  <model name=\"b\"><joint name=\"j\" type=\"prismatic\"><axis><xyz>1 0 0</xyz></axis></joint></model>\n</world></sdf>\n";
    let file = into(&for_joints(RobotFormat::Sdf, &["a::j"]), sdf).unwrap();
    let want = ["          <damping>0.3</damping>", "          <friction>2.5</friction>"];
    assert_eq!(changed(sdf, &file.text), (want.to_vec(), vec!["          <damping> 4 </damping>"]));
    let file = into(&for_joints(RobotFormat::Sdf, &["b::j"]), sdf).unwrap();
    let document = roxmltree::Document::parse(&file.text).unwrap();
    let text = |name: &str| {
        let all: Vec<_> =
            document.descendants().filter(|node| node.has_tag_name(name)).filter_map(|node| node.text()).collect();
        all.last().map(|text| (*text).to_owned())
    };
    assert_eq!((text("friction"), text("damping")), (Some("2.5".to_owned()), Some("0.3".to_owned())));
    let error = into(&for_joints(RobotFormat::Sdf, &["j"]), sdf).unwrap_err();
    assert!(matches!(&error, RobotError::AmbiguousJoint { places, .. } if *places == ["a::j", "b::j"]), "{error}");
}

/// Friction of 2.5 and 0.3, fitted up to the speed that is characteristic of the law.
#[test]
fn urdf_tells_of_limits_that_do_not_go_with_the_friction() {
    let robot = |inside: &str| {
        format!(
            "<robot name=\"r\"><joint name=\"elbow\" type=\"revolute\">{inside}</joint><joint name=\"lift\" type=\"prismatic\"/></robot>"
        )
    };
    let notes = |inside: &str| into(&for_joints(RobotFormat::Urdf, &["elbow"]), &robot(inside)).unwrap().notes;
    assert_eq!(notes("<limit effort=\"2.6\" velocity=\"1e9\"/>"), Vec::<String>::new());
    let told = notes("<limit effort=\"2.4\" velocity=\"1e-9\"/><mimic joint=\"lift\"/>");
    for (note, says) in told.iter().zip(["effort, 2.4, is not above its friction of 2.5", "--speeds 0:1e-9", "<mimic>"])
    {
        assert!(note.starts_with("elbow: ") && note.contains(says), "{note}");
    }
    assert_eq!(told.len(), 3);
}

#[test]
fn usd_is_a_layer_in_the_units_of_the_robot() {
    let robot = |stage: &str| {
        format!(
            "#usda 1.0\n(\n    defaultPrim = \"arm\"\n{stage})\ndef Xform \"arm\"\n{{\n    def PhysicsRevoluteJoint \"elbow\" {{}}\n    def PhysicsPrismaticJoint \"lift\" {{}}\n}}\n"
        )
    };
    let values = |text: &str, name: &str| -> Vec<f64> {
        let rows = text.lines().filter(|line| line.contains(name)).filter_map(|line| line.split(" = ").nth(1));
        rows.map(|x| x.parse().unwrap()).collect()
    };
    let export = for_joints(RobotFormat::Usd, &["/arm/elbow", "lift"]);
    let file = into(&export, &robot("    metersPerUnit = 1\n    upAxis = \"Z\"\n")).unwrap();
    // relative to the folder of the new file; the prims on the way once
    assert!(
        file.text.contains("@../robots/arm.usda@") && file.text.matches("over \"arm\"").count() == 1,
        "{}",
        file.text
    );
    assert!(file.text.contains("    upAxis = \"Z\"\n") && file.text.contains("PhysxJointAxisAPI:angular"));
    assert_eq!(values(&file.text, "dynamicFrictionEffort"), [2.5, 2.5]);
    let viscous = values(&file.text, "viscousFrictionCoefficient");
    // N·m·s per degree
    assert!((viscous[0] - 0.3_f64.to_radians()).abs() < 1e-15 && viscous[1] == 0.3, "{viscous:?}");
    // 1 N is 100 kg·cm/s², 1 N·m is 10^4 kg·cm²/s²; a stage without metersPerUnit is in centimetres
    let file = into(&export, &robot("")).unwrap();
    assert_eq!(values(&file.text, "dynamicFrictionEffort"), [25000.0, 250.0]);
    assert_eq!(values(&file.text, "staticFrictionEffort"), [25000.0, 250.0]);
}

#[test]
fn files_and_joints_that_cannot_be_are_refused() {
    let error = |format, joints: &[&str], text: &str| into(&for_joints(format, joints), text).unwrap_err();
    let unknown = error(RobotFormat::Mjcf, &["sholder"], MJCF);
    assert_eq!(unknown.hint(), "did you mean 'shoulder'? The joints are: lift, shoulder");
    assert_eq!(error(RobotFormat::Mjcf, &["gripper"], MJCF).hint(), "the joints are: lift, shoulder");
    assert!(matches!(error(RobotFormat::Mjcf, &[], MJCF), RobotError::NoJointNamed { known } if known.len() == 2));
    assert!(matches!(error(RobotFormat::Mjcf, &["wrist"], MJCF), RobotError::JointType { kind, .. } if kind == "ball"));
    assert!(error(RobotFormat::Mjcf, &["elbow"], URDF).hint().contains("export urdf"));
    // two joints of one name cannot be told apart by it
    let twice = MJCF.replace("name=\"lift\"", "name=\"shoulder\"");
    assert_eq!(error(RobotFormat::Mjcf, &["shoulder"], &twice).hint(), "give each joint of the file a name of its own");
    assert!(matches!(error(RobotFormat::Urdf, &["weld"], URDF), RobotError::JointType { .. }));
    assert!(matches!(error(RobotFormat::Urdf, &["elbow"], &URDF[..200]), RobotError::Xml { .. }));
    assert!(matches!(error(RobotFormat::Usd, &["elbow"], URDF), RobotError::UsdText { .. }));
    assert_eq!(error(RobotFormat::Usd, &["elbow"], "PXR-USDC..."), RobotError::BinaryUsd);
    let turning = |joint: &str| {
        let mut request = RobotRequest::new(plain(), RobotFormat::Mjcf);
        (request.turns, request.joints) = (Some(true), vec![joint.to_owned()]);
        into(&request.fit().unwrap(), MJCF)
    };
    assert!(
        matches!(turning("lift"), Err(RobotError::Motion { joint_turns: false, .. })) && turning("shoulder").is_ok()
    );
    let mut request = RobotRequest::new(law("coulomb", &[]), RobotFormat::Mjcf);
    request.loads = vec![0.0];
    assert!(matches!(request.fit().unwrap_err(), Error::Robot(RobotError::NoFriction { .. })));
    let mut request = RobotRequest::new(law("coulomb", &[]), RobotFormat::Mjcf);
    request.speeds = Some([0.5, 0.1]);
    assert!(matches!(request.fit().unwrap_err(), Error::Robot(RobotError::Speeds { .. })));
    let mut request = RobotRequest::new(law("coulomb", &[]), RobotFormat::Usd);
    request.joints = vec!["a b".to_owned()];
    assert!(matches!(request.fit().unwrap().file(None).unwrap_err(), Error::Robot(RobotError::Name { .. })));
}
