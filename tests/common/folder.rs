//! Folders of tests. A test program of any crate includes this with
//! `#[path = "../../../../tests/common/folder.rs"] mod folder;`.
#![allow(dead_code, reason = "each test program uses its own part")]
use std::fs;
use std::path::{Path, PathBuf};

/// A new folder, removed at the end of the test.
pub struct Folder(pub PathBuf);
impl Folder {
    pub fn new(name: &str) -> Self {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }
    pub fn path(&self, name: &str) -> String {
        self.0.join(name).to_str().unwrap().to_owned()
    }
    pub fn file(&self, name: &str, text: &str) -> String {
        fs::write(self.0.join(name), text).unwrap();
        self.path(name)
    }
    /// What is in it, in the order of the alphabet.
    pub fn names(&self) -> Vec<String> {
        let name = |entry: std::io::Result<fs::DirEntry>| entry.unwrap().file_name().into_string().unwrap();
        let mut names: Vec<String> = fs::read_dir(&self.0).unwrap().map(name).collect();
        names.sort();
        names
    }
    pub fn is_empty(&self) -> bool {
        self.names().is_empty()
    }
}
impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}
