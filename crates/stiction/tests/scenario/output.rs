//! Files are written whole or not at all.
use crate::Folder;
use std::fs;
use std::io;
use std::path::Path;
use stiction::{FileError, ParameterFile, Spec, output};

#[test]
fn a_file_is_written_and_replaced() {
    let folder = Folder::new("replaced");
    let path = folder.0.join("a.toml");
    let mut file = ParameterFile::from(Spec::new("lugre").unwrap());
    for provenance in ["first", "second"] {
        file.provenance = Some(provenance.to_owned());
        file.write(&path).unwrap();
        assert_eq!(ParameterFile::read(&path).unwrap(), file);
    }
    assert_eq!(folder.names(), ["a.toml"]);
}

#[test]
fn a_failure_leaves_the_old_file_and_nothing_else() {
    let folder = Folder::new("failure");
    let path = folder.0.join("a.csv");
    fs::write(&path, "old").unwrap();
    let error = output::write(&path, |out| {
        out.write_all(b"half of it")?;
        Err(io::Error::other("disk full"))
    });
    assert!(matches!(error, Err(FileError { action: "write", .. })));
    assert_eq!(fs::read_to_string(&path).unwrap(), "old");
    assert_eq!(folder.names(), ["a.csv"]);
}

#[test]
fn a_missing_folder_or_a_folder_as_file_is_refused() {
    let folder = Folder::new("missing");
    for path in [folder.0.join("no/such/a.csv"), folder.0.clone()] {
        assert!(output::write(&path, |out| out.write_all(b"x")).is_err());
    }
    assert_eq!(folder.names(), [""; 0]);
}

#[cfg(unix)]
#[test]
fn links_and_permissions_survive_and_devices_are_written_to() {
    use std::os::unix::fs::{PermissionsExt, symlink};
    let folder = Folder::new("links");
    let (file, link) = (folder.0.join("file"), folder.0.join("link"));
    fs::write(&file, "old").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o640)).unwrap();
    symlink("file", &link).unwrap();
    output::write(&link, |out| out.write_all(b"new")).unwrap();
    assert_eq!(fs::read_to_string(&file).unwrap(), "new");
    assert_eq!(fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o640);
    assert!(fs::symlink_metadata(&link).unwrap().is_symlink());

    let device = folder.0.join("device");
    symlink("/dev/null", &device).unwrap();
    output::write(&device, |out| out.write_all(b"gone")).unwrap();
    assert_eq!(fs::read(&device).unwrap(), b"");
}

#[test]
fn a_missing_file_is_named() {
    let error = ParameterFile::read(Path::new("no/such/set.toml")).unwrap_err();
    assert!(error.to_string().starts_with("cannot read no/such/set.toml: "), "{error}");
    assert!(error.hint().is_some());
}
