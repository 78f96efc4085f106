//! Parameter files: what is written reads back, and what is wrong is found where it stands.
use std::path::Path;
use stiction::core::{Real, models};
use stiction::identification_record::IdentificationRecord;
use stiction::{DeviceRecord, Error, ParameterFile, ParameterGroup, Position, Spec};

fn parse(text: &str) -> Result<ParameterFile, Error> {
    ParameterFile::parse(text, Path::new("set.toml"))
}

/// Draw `k` of a seeded sequence, uniform in [0, 1).
fn draw(k: &mut f64) -> f64 {
    *k += 1.0;
    f64::uniform(7.0, *k)
}

#[test]
fn random_values_read_back_bit_for_bit() {
    let (mut k, mut count) = (0.0, 0);
    for round in 0..200 {
        for law in models::ALL {
            let mut spec = Spec::new(law.name).unwrap();
            for part in ParameterGroup::ALL {
                for param in part.params(law) {
                    // over all magnitudes within the bounds
                    let least = param.min.max(1e-12);
                    let size = least * (param.max / least).powf(draw(&mut k));
                    let size = if param.name == "seed" { size.floor() } else { size };
                    let value = if param.min < 0.0 && draw(&mut k) < 0.5 { -size } else { size };
                    if draw(&mut k) < 0.5 {
                        spec.set(&part.key(param.name), value.clamp(param.min, param.max)).unwrap();
                    }
                }
            }
            if spec.check().is_err() {
                continue;
            }
            count += 1;
            let file = ParameterFile {
                provenance: (round % 2 == 0).then(|| format!("round {round}")),
                spec,
                identified: None,
                device: None,
            };
            let again = parse(&file.to_toml()).unwrap_or_else(|error| panic!("{error}\n{}", file.to_toml()));
            assert_eq!(again.provenance, file.provenance);
            for part in ParameterGroup::ALL {
                let bits =
                    |file: &ParameterFile| file.spec.values(part).iter().map(|x| x.to_bits()).collect::<Vec<_>>();
                assert_eq!(bits(&again), bits(&file), "{}", file.to_toml());
                assert_eq!(again.spec.has(part), file.spec.has(part) || part == ParameterGroup::Law);
            }
            assert_eq!(again.to_toml(), file.to_toml());
        }
    }
    // most draws satisfy the relations of their law
    assert!(count > 2000, "{count}");
}

#[test]
fn provenance_reads_back_exactly() {
    let texts = [
        "",
        "plain",
        "two\nlines",
        "\n\nleading and trailing\n",
        "quotes \" and \"\"\" and ' and '''",
        "\"\"\"\n\"\"\"",
        "back\\slash \\n \\",
        "line ends in \\\nnext",
        "tab\there, bell\u{7}, nul\0, delete\u{7f}, next line\u{85}",
        "carriage\r\nreturn\r",
        "Größe µ·σ₀ ≥ 0, 摩擦, 🛞",
        "  spaces around  \n  and here  ",
        "# not a comment",
    ];
    for text in texts {
        let file = ParameterFile { provenance: Some(text.to_owned()), ..Spec::new("dahl").unwrap().into() };
        assert_eq!(parse(&file.to_toml()).unwrap().provenance.as_deref(), Some(text), "{}", file.to_toml());
    }
    assert_eq!(parse(&ParameterFile::from(Spec::new("dahl").unwrap()).to_toml()).unwrap().provenance, None);
}

#[test]
fn a_hand_written_file_may_be_short_and_use_integers() {
    let file = parse(
        "[model]\nname = 'lugre'\nfs = 2\nsigma0 = 1_000\nsigma1 = 0x10\n\
         [model.reverse]\nfc = 1.2\n[model.load]\nbase = 1\nslope = 0.03\n[model.noise]\namplitude = 0.1\n",
    )
    .unwrap();
    let get = |key: &str| file.spec.get(key).unwrap();
    assert_eq!([get("fc"), get("fs"), get("sigma0"), get("sigma1")], [1.0, 2.0, 1000.0, 16.0]);
    assert_eq!([get("reverse.fc"), get("reverse.fs")], [1.2, 2.0]);
    assert_eq!([get("load.base"), get("load.slope"), get("noise.amplitude")], [1.0, 0.03, 0.1]);
    assert_eq!(file.provenance, None);
}

#[test]
fn the_written_file_explains_itself() {
    let text = ParameterFile::from(Spec::new("lugre").unwrap()).to_toml();
    assert!(text.contains("sigma0 = 1e5"), "{text}");
    assert!(text.contains("# [N/m] Bristle stiffness."), "{text}");
    assert!(!text.contains("[model.reverse]"));
}

#[test]
fn mistakes_are_found_where_they_stand() {
    let cases = [
        ("[model\nname = 'lugre'", 1, "not valid TOML"),
        ("[model]\nname = 'lugre'\nfc = \n", 3, "not valid TOML"),
        ("[model]\nname = 'lugre'\nfc = 1\nfc = 2\n", 4, "not valid TOML"),
    ];
    for (text, line, message) in cases {
        let error = parse(text).unwrap_err();
        assert!(error.to_string().contains(message), "{error}");
        assert!(matches!(&error, Error::At { position, .. } if position.line == line), "{error}");
    }
    let cases = [
        ("", 1, 1, "[model] is missing"),
        ("provenance = 3\n[model]\nname = 'dahl'", 1, 14, "'provenance' must be a string, found integer"),
        ("modell = 1", 1, 1, "there is no key 'modell' here"),
        ("model = 'lugre'", 1, 9, "'model' must be a table, found string"),
        ("# é\n[model]\nfc = 1", 2, 2, "name is missing"),
        ("[model]\nname = 1", 2, 8, "'name' must be a string, found integer"),
        ("[model]\nname = 'lurge'", 2, 8, "there is no law 'lurge'"),
        ("[model]\nname = 'lugre'\n sigma = 1.0", 3, 2, "law 'lugre' has no parameter 'sigma'"),
        ("[model]\nname = 'lugre'\nfc = 'é'", 3, 6, "'fc' must be a number, found string"),
        ("[model]\nname = 'lugre'\nfc = -1.5", 3, 6, "parameter 'fc' = -1.5 is outside 1e-9 to 1e9 [N]"),
        ("[model]\nname = 'lugre'\nfc = nan", 3, 6, "parameter 'fc' = NaN is outside 1e-9 to 1e9 [N]"),
        ("[model]\nname = 'lugre'\nfc = 1e999", 3, 6, "parameter 'fc' = inf is outside 1e-9 to 1e9 [N]"),
        ("\n[model]\nname = 'lugre'\nfc = 2", 4, 6, "law 'lugre' requires that fs >= fc, but fc = 2 [N], fs = 1.5 [N]"),
        ("[model]\nname = 'lugre'\nreverse = 2", 3, 11, "'model.reverse' must be a table, found integer"),
        ("[model]\nname = 'lugre'\n[model.reverse]\nfd = 2", 4, 1, "law 'lugre' has no parameter 'reverse.fd'"),
        ("[model]\nname = 'lugre'\n[model.wear]\nk = 2", 3, 8, "there is no key 'wear' here"),
        ("model.name = 'lugre'\nmodel.load.base = '1'", 2, 19, "'load.base' must be a number, found string"),
        ("[model]\nname = 'lugre'\n'' = {fc = 1.0}", 3, 1, "there is no key '' here"),
    ];
    for (text, line, column, message) in cases {
        let error = parse(text).unwrap_err();
        assert_eq!(error.to_string(), format!("set.toml:{line}:{column}: {message}"));
        let Error::At { position, .. } = &error else { panic!("{error}") };
        assert_eq!(position, &Position { path: "set.toml".into(), line, column });
    }
    assert_eq!(parse("[model]\nname = 'lurge'").unwrap_err().hint().unwrap(), "did you mean 'lugre'?");
    // the last value of a broken condition, in whichever direction
    let error = parse("[model]\nname = 'lugre'\nfc = 1.2\nvs = 1\n[model.reverse]\nfs = 1.1\nvs = 2").unwrap_err();
    assert!(error.to_string().starts_with("set.toml:6:6: law 'lugre' in reverse requires that fs >= fc"), "{error}");
    // the first mistake in the file, not in the alphabet
    assert!(parse("[model]\nname = 'lugre'\nvs = -1\nfc = -1").unwrap_err().to_string().contains("'vs'"));
}

#[test]
fn every_mistake_has_its_own_hint() {
    for (text, hint) in [
        ("[model]\nname = 'lugre'\nfc = '2'", "write fc = 2, without quotes"),
        ("[model]\nname = 'lugre'\n[model.load]\nbase = '2'", "write base = 2, without quotes"),
        ("[model]\nname = 1", "write name = \"...\", in quotes"),
        ("model = 1", "write [model] on a line of its own"),
        ("[model]\nname = 'lugre'\nnoise = 1", "write [model.noise] on a line of its own"),
        (
            "[model]\nname = 'lugre'\nfc 2",
            "a line is [table], key = 1.5 (with a decimal point), key = \"text\" or # a comment",
        ),
        ("name = 'lugre'\nfc = 2", "put [model] on a line above it"),
        ("fc = 2", "put [model] on a line above it"),
        ("mode = 2", "did you mean 'model'?"),
        ("x = 2", "use one of: provenance, device, model, identified"),
        ("[model]\nname = 'lugre'\n[model.revers]\nfc = 1", "did you mean 'reverse'?"),
        ("[model]\nname = 'lugre'\n[model.wear]\nk = 1", "use one of: reverse, load, noise"),
    ] {
        assert_eq!(parse(text).unwrap_err().hint().as_deref(), Some(hint), "{text}");
    }
}

#[test]
fn what_is_not_a_parameter_file_is_not_read() {
    let folder = std::env::temp_dir().join(format!("stiction-file-{}", std::process::id()));
    std::fs::create_dir_all(&folder).unwrap();
    let path = folder.join("set.toml");
    let hint = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        ParameterFile::read(&path).unwrap_err().hint().unwrap()
    };
    assert!(hint(b"\xff").contains("save it as UTF-8"));
    // too large, even where a letter is cut in two
    assert!(hint("µ".repeat(600_000).as_bytes()).contains("at most 1 MiB"));
    assert!(ParameterFile::read(&folder).unwrap_err().hint().unwrap().contains("folder"));
    assert!(ParameterFile::read(&folder.join("sat.toml")).unwrap_err().hint().unwrap().contains("set.toml'?"));
    assert!(
        ParameterFile::read(&folder.join("no/set.toml")).unwrap_err().hint().unwrap().starts_with("there is no folder")
    );
    std::fs::remove_dir_all(&folder).unwrap();
    if cfg!(unix) {
        assert!(ParameterFile::read(Path::new("/dev/zero")).unwrap_err().hint().unwrap().contains("at most 1 MiB"));
    }
}

#[test]
fn where_an_identified_law_comes_from_is_kept() {
    let identified = IdentificationRecord {
        turns: Some(true),
        fastest: Some(0.25),
        loads: Some([-1.0, 3.5]),
        version: "1.2.3".to_owned(),
        command: "stiction identify 'my log.csv' --force \"4*u\"".to_owned(),
        files: vec!["my log.csv".to_owned()],
        sha256: vec!["00ff".to_owned()],
        plant: vec![("mass".to_owned(), 2.5), ("sin(q)".to_owned(), -1.5)],
        terms: vec![("sin(q)".to_owned(), "sin(q)".to_owned()), ("up".to_owned(), "x \"y\"".to_owned())],
        error: vec![("fc".to_owned(), 0.125), ("reverse.fc".to_owned(), 1e-3)],
        interval: vec![("fc".to_owned(), [0.75, 1.25])],
        unknown: vec!["vs".to_owned()],
    };
    let file =
        ParameterFile { identified: Some(identified), ..ParameterFile::from(Spec::new("stribeck").expect("a law")) };
    let text = file.to_toml();
    let again = ParameterFile::parse(&text, Path::new("x.toml")).unwrap_or_else(|error| panic!("{error}\n{text}"));
    assert_eq!(again, file);
    let plant = again.identified.expect("its origin").plant("mass");
    assert_eq!(plant, Some(2.5));
    let wrong = text.replace("[identified.plant]", "[identified.plants]");
    let error = ParameterFile::parse(&wrong, Path::new("x.toml")).expect_err("an unknown key");
    assert!(error.to_string().contains("plants"), "{error}");
}

/// Quotes, line breaks and empty parts of what a file says about its device read back; what is missing or unknown is named.
#[test]
fn devices_read_back_exactly() {
    let text = |text: &str| text.to_owned();
    let device = DeviceRecord {
        title: text("a \"quoted\" axis \\ of 2 µm"),
        source: text("two\nlines"),
        licence: text("none"),
        cite: vec![text("A2001"), text("B2002")],
        published: Some(text("table '1'")),
        turns: Some(true),
        not_known: vec![text("it's \"all\" open")],
        conditions: vec![(text("room temperature"), text("20 °C"))],
    };
    let least = DeviceRecord { title: text("t"), source: text("s"), licence: text("l"), ..DeviceRecord::default() };
    for device in [device, least] {
        let file = ParameterFile { device: Some(device), ..Spec::new("dahl").expect("a law").into() };
        assert_eq!(parse(&file.to_toml()).unwrap_or_else(|error| panic!("{error}")), file);
    }
    let refused = |text: &str| parse(text).expect_err("wrong").to_string();
    let model = "[model]\nname = \"dahl\"\n";
    assert!(refused(&format!("[device]\ntitle = \"t\"\nsource = \"s\"\n{model}")).contains("licence"));
    assert!(refused(&format!("[device]\nlicense = \"l\"\n{model}")).contains("license"));
    assert!(refused(&format!("device = 3\n{model}")).contains("device"));
}
