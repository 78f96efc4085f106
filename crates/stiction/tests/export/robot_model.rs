//! What else of a robot's file acts on the friction of its joint: it is overridden, told, or refused.
use crate::robot::{into, law, plain};
use std::path::Path;
use stiction::export::robot::{IntoFile, JointUnits, RobotError, RobotExport, RobotFile, RobotFormat, RobotRequest};

fn export(format: RobotFormat, lugre: bool) -> RobotExport {
    let mut request = RobotRequest::new(if lugre { law("lugre", &[]) } else { plain() }, format);
    (request.lugre, request.joints) = (lugre, vec!["elbow".to_owned()]);
    request.fit().unwrap()
}

/// A model with these parts before its bodies.
fn model(parts: &str, joint: &str) -> String {
    format!("<mujoco>{parts}<worldbody><body><joint name=\"elbow\"{joint}/></body></worldbody></mujoco>")
}

fn mjcf(text: &str) -> Result<RobotFile, RobotError> {
    into(&export(RobotFormat::Mjcf, false), text)
}

fn lugre(text: &str) -> Result<RobotFile, RobotError> {
    into(&export(RobotFormat::Mjcf, true), text)
}

#[test]
fn defaults_of_a_model_do_not_change_the_friction() {
    let polynomial = "<default><joint damping=\"0.1 1 2\"/></default>";
    assert!(mjcf(&model(polynomial, "")).unwrap().text.contains(" damping=\"0.3 0 0\""));
    assert!(lugre(&model(polynomial, "")).unwrap().text.contains(" damping=\"0 0 0\""));
    // older versions of MuJoCo have one coefficient
    assert!(mjcf(&model("", " damping=\"1\"")).unwrap().text.contains(" damping=\"0.3\""));
    let geared = lugre(&model("<default><motor gear=\"10\" armature=\"1\"/></default>", "")).unwrap();
    assert!(geared.text.contains("damping=\"0.4 0 0\" gear=\"1\" armature=\"0\"/>"), "{}", geared.text);
    let delayed = "<default><general delay=\"0.1\"/></default>";
    let error = lugre(&model(delayed, "")).unwrap_err();
    assert!(error.to_string().contains("default delay") && error.hint().contains("class"), "{error}");
    assert!(mjcf(&model(delayed, "")).is_ok());
    // a class that the motor does not have
    assert!(lugre(&model("<default><default class=\"a\"><general delay=\"0.1\"/></default></default>", "")).is_ok());
}

/// A time step of zero was told as none.
#[test]
fn a_time_step_that_is_none_is_told() {
    let noted = |option: &str| mjcf(&model(option, "")).unwrap().notes.join("\n");
    assert!(noted("<option timestep=\"0\"/>").contains("timestep = \"0\" is not a positive number"));
    assert!(noted("").contains("has no timestep") && !noted("<option timestep=\"0.001\"/>").contains("timestep"));
}

#[test]
fn other_friction_of_the_joint_is_refused() {
    let spring = "<default><default class=\"a\"><joint springdamper=\"0.1 1\"/></default></default>";
    for text in [model("", " springdamper=\"0.1 1\""), model(spring, " class=\"a\"")] {
        let error = mjcf(&text).unwrap_err();
        assert!(error.to_string().contains("springdamper") && error.hint().contains("stiffness"), "{error}");
    }
    assert!(mjcf(&model(spring, "")).is_ok() && mjcf(&model(spring, " class=\"a\" springdamper=\"0 0\"")).is_ok());
    // written once before
    let written = lugre(&model("", "")).unwrap().text;
    let other = written.replace("name=\"elbow_friction\" ", "");
    let named = model("<actuator><motor name=\"elbow_friction\" joint=\"elbow\"/></actuator>", "");
    for text in [&written, &other, &named] {
        for error in [mjcf(text).unwrap_err(), lugre(text).unwrap_err()] {
            assert!(error.to_string().contains("by the actuator") && error.hint().contains("remove"), "{error}");
        }
    }
    let instance = |joint: &str| {
        let config = format!("<instance name=\"i\"><config key=\"joint\" value=\"{joint}\"/></instance>");
        model(&format!("<extension><plugin plugin=\"stiction.dahl\">{config}</plugin></extension>"), "")
    };
    assert!(mjcf(&instance("elbow")).unwrap_err().to_string().contains("plugin"));
    assert!(mjcf(&instance("wrist")).is_ok());
    // a tendon that is fixed to the joint, by itself or by its defaults
    let tendon = |own: &str, joint: &str| {
        format!("<tendon><fixed name=\"t\"{own}><joint joint=\"{joint}\" coef=\"1\"/></fixed></tendon>")
    };
    let default = "<default><tendon damping=\"0.2\"/></default>";
    for parts in [tendon(" frictionloss=\"0.5\"", "elbow"), tendon("", "elbow") + default] {
        for error in [mjcf(&model(&parts, "")).unwrap_err(), lugre(&model(&parts, "")).unwrap_err()] {
            assert!(error.to_string().contains("of the tendon t") && error.hint().contains("tendon's"), "{error}");
        }
    }
    assert!(mjcf(&model(&tendon(" frictionloss=\"0.5\"", "wrist"), "")).is_ok());
    assert!(mjcf(&model(&tendon(" frictionloss=\"0\"", "elbow"), "")).is_ok());
    let spatial = "<tendon><spatial name=\"rope\" frictionloss=\"0.5\"/></tendon>";
    assert!(mjcf(&model(spatial, "")).unwrap().notes.iter().any(|note| note.contains("tendon rope")));
    let nameless = model("", "").replace(" name=\"elbow\"", "");
    assert!(mjcf(&nameless).unwrap_err().hint().contains("without a name"));
}

/// MuJoCo limits the sum of all actuators of a joint: friction by a motor vanished where the other motor saturated.
#[test]
fn a_limit_of_the_actuators_of_a_joint_is_refused_for_lugre() {
    let limited = " actuatorfrcrange=\"-1 1\"";
    let error = lugre(&model("", limited)).unwrap_err();
    assert!(error.to_string().contains("actuatorfrcrange") && error.hint().contains("forcerange"), "{error}");
    let class = format!("<default><joint{limited}/></default>");
    assert!(lugre(&model(&class, "")).is_err() && lugre(&model(&class, " actuatorfrclimited=\"false\"")).is_ok());
    assert!(mjcf(&model("", limited)).is_ok());
}

#[test]
fn joints_in_frames_and_replicates_are_joints() {
    let within = |open: &str, close: &str| {
        model("", "").replace("<joint", &format!("{open}<joint")).replace("</body>", &format!("{close}</body>"))
    };
    assert!(mjcf(&within("<frame>", "</frame>")).unwrap().text.contains("frictionloss=\"2.5\""));
    let text =
        within("<replicate count=\"2\" sep=\"-\"><frame><replicate count=\"10\">", "</replicate></frame></replicate>");
    let file = mjcf(&text).unwrap();
    // as MuJoCo 4.0 names them
    assert_eq!((file.joints[0].copies.len(), file.joints[0].copies[11].as_str()), (20, "elbow01-1"));
    let script = export(RobotFormat::Mjcf, false).check_script(Path::new("check.py"), None, &file);
    assert!(script.contains("\"elbow00-0\", \"elbow01-0\""), "{script}");
    assert!(lugre(&text).unwrap_err().to_string().contains("replicate"));
}

/// A binary robot was taken to slide, in metres; an archive of anything was taken for a robot.
#[test]
fn what_a_binary_robot_does_not_show_is_asked_for() {
    let layer = |bytes: &[u8], turns, meters_per_unit| {
        let mut request = RobotRequest::new(plain(), RobotFormat::Usd);
        (request.turns, request.meters_per_unit, request.joints) =
            (turns, meters_per_unit, vec!["/arm/elbow".to_owned()]);
        let into = IntoFile { bytes, path: Path::new("arm.usd"), output: Path::new("new.usda") };
        request.fit().unwrap().file(Some(into)).map_err(|error| error.to_string())
    };
    let arm = b"PXR-USDC...";
    assert!(layer(arm, None, Some(1.0)).unwrap_err().contains("turns or slides"));
    assert!(layer(arm, Some(true), None).unwrap_err().contains("unit of length"));
    let RobotFile { text, notes, .. } = layer(arm, Some(true), Some(0.01)).unwrap();
    assert!(notes.iter().any(|note| note.contains("no defaultPrim, upAxis and time codes")), "{notes:?}");
    // 1 N·m is 10^4 kg·cm²/s²
    assert!(text.contains("metersPerUnit = 0.01") && text.contains("angular:dynamicFrictionEffort = 25000"), "{text}");
    let zip = |name: &str| {
        let mut bytes = b"PK\x03\x04".to_vec();
        bytes.resize(30, 0);
        bytes[26] = name.len() as u8;
        bytes.extend(name.as_bytes());
        bytes
    };
    assert!(layer(&zip("arm.usdc"), Some(true), Some(1.0)).is_ok());
    assert!(layer(&zip("modelDescription.xml"), Some(true), Some(1.0)).unwrap_err().starts_with("arm.usd:1:1: "));
}

/// Two models of one file have joints of the same name: the check reads the one that was written.
#[test]
fn the_check_of_sdf_names_the_model_of_the_joint() {
    let robot = "<sdf version=\"1.9\"><model name=\"a\"><joint name=\"j\" type=\"revolute\"/></model><model name=\"b\"><joint name=\"j\" type=\"revolute\"/></model></sdf>";
    let mut request = RobotRequest::new(plain(), RobotFormat::Sdf);
    request.joints = vec!["b::j".to_owned()];
    let export = request.fit().unwrap();
    let file = into(&export, robot).unwrap();
    assert!(export.check_script(Path::new("check.py"), None, &file).contains("JOINTS = [\"b::j\"]"));
}

#[test]
fn what_the_file_disables_or_includes_is_told() {
    let told = |file: RobotFile, part: &str| file.notes.iter().any(|note| note.contains(part));
    let disabled = |flag: &str| model(&format!("<option><flag {flag}=\"disable\"/></option>"), "");
    for flag in ["frictionloss", "constraint", "damper"] {
        assert!(told(mjcf(&disabled(flag)).unwrap(), "does not act"), "{flag}");
        assert!(!told(lugre(&disabled(flag)).unwrap(), "does not act"), "{flag}");
    }
    assert!(told(lugre(&disabled("actuation")).unwrap(), "does not act"));
    assert!(!told(mjcf(&disabled("contact")).unwrap(), "does not act"));
    assert!(told(mjcf(&model("<include file=\"options.xml\"/>", "")).unwrap(), "were not seen"));
    let part = mjcf(&model("", "").replace("mujoco>", "mujocoinclude>")).unwrap();
    assert!(!part.text.contains("<option") && part.settings.is_empty(), "{}", part.text);
    assert!(told(part, "noslip_iterations=\"100\""));
}

fn usd(text: &str, path: &str) -> Result<RobotFile, String> {
    let into = IntoFile { bytes: text.as_bytes(), path: Path::new(path), output: Path::new("new.usda") };
    export(RobotFormat::Usd, false).file(Some(into)).map_err(|error| error.to_string())
}

#[test]
fn usd_of_variants_odd_units_and_odd_paths() {
    let joint = "def PhysicsRevoluteJoint \"elbow\" {}";
    let robot = |stage: &str, joint: &str| format!("#usda 1.0\n({stage})\ndef Xform \"arm\" {{ {joint} }}\n");
    let variant = robot("", &format!("variantSet \"tool\" = {{ \"a\" {{ {joint} }} }}"));
    assert!(usd(&variant, "arm.usda").unwrap_err().contains("variant"));
    for unit in ["metersPerUnit = 0", "kilogramsPerUnit = -1", "metersPerUnit = nan"] {
        assert!(usd(&robot(unit, joint), "arm.usda").unwrap_err().contains("positive"), "{unit}");
    }
    let text = |path: &str| usd(&robot("", joint), path).map(|file| file.text);
    assert!(text("arm.usda").unwrap().contains("        @./arm.usda@\n"));
    assert!(text("v@2/arm.usda").unwrap().contains("        @@@./v@2/arm.usda@@@\n"));
    assert!(text("v@@@2/arm.usda").unwrap_err().contains("path"));
}

#[test]
fn a_new_folder_is_told_where_the_file_names_others() {
    let told = |text: &str, output: &str| {
        let into = IntoFile { bytes: text.as_bytes(), path: Path::new("robots/arm.urdf"), output: Path::new(output) };
        let file = export(RobotFormat::Urdf, false).file(Some(into)).unwrap();
        file.notes.iter().any(|note| note.contains("another folder"))
    };
    let robot =
        |mesh: &str| format!("<robot><joint name=\"elbow\" type=\"continuous\"/><mesh filename=\"{mesh}\"/></robot>");
    assert!(told(&robot("arm.stl"), "new.urdf") && !told(&robot("arm.stl"), "robots/new.urdf"));
    assert!(!told(&robot("package://arm/arm.stl"), "new.urdf") && !told(&robot("/arm.stl"), "new.urdf"));
}

/// The script compares at all speeds of the fit, so that it prints the same residual, and finds the file from its own folder.
#[test]
fn the_check_has_the_points_of_the_fit_and_a_path_from_its_folder() {
    let export = export(RobotFormat::Urdf, false);
    let file = export.file(None).unwrap();
    let script = |path: Option<&str>| export.check_script(Path::new("checks/check.py"), path.map(Path::new), &file);
    let text = script(Some("out/new.urdf"));
    assert!(text.contains("os.path.abspath(__file__)), \"../out/new.urdf\")\n"), "{text}");
    assert_eq!(text.lines().filter(|line| line.starts_with("    (")).count(), export.fit.points.len());
    assert!(script(None).contains("else sys.exit("));
}

#[test]
fn joints_that_turn_and_joints_that_slide_have_both_units() {
    let mut request = RobotRequest::new(plain(), RobotFormat::Urdf);
    request.joints = vec!["elbow".to_owned(), "lift".to_owned()];
    let robot = "<robot><joint name=\"elbow\" type=\"continuous\"/><joint name=\"lift\" type=\"prismatic\"/></robot>";
    let joints = into(&request.fit().unwrap(), robot).unwrap().joints;
    assert_eq!(JointUnits::of(&joints).force, "N or N·m");
    assert_eq!((JointUnits::of(&joints[..1]).force, JointUnits::of(&joints[1..]).force), ("N·m", "N"));
}
