//! The languages that laws are written in.
use super::{LawCode, c, rust};
use crate::Error;
use crate::export::SourceFile;

/// A language.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LawTarget {
    /// C99.
    C,
    /// A Rust crate without dependencies.
    Rust,
    /// CUDA, for host and device.
    Cuda,
}

impl LawTarget {
    /// All of them.
    pub const ALL: [Self; 3] = [Self::C, Self::Rust, Self::Cuda];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Rust => "rust",
            Self::Cuda => "cuda",
        }
    }
    /// What it is, in a line.
    pub fn doc(self) -> &'static str {
        match self {
            Self::C => "C99, the bits of the law",
            Self::Rust => "a no_std crate without dependencies, the bits of the law",
            Self::Cuda => "functions for host and device, the bits of the law without fused products",
        }
    }
    /// The files: the law, and a test with its points. The first is the law itself.
    ///
    /// # Errors
    /// [`Error::Conflict`] where the language cannot say what the law does.
    pub fn files(self, code: &LawCode) -> Result<Vec<SourceFile>, Error> {
        Ok(match self {
            Self::C => c::c_files(code),
            Self::Rust => rust::files(code),
            Self::Cuda => c::cuda_files(code),
        })
    }
    /// The law in a single file, to be printed.
    ///
    /// # Errors
    /// As [`LawTarget::files`].
    pub fn single_file(self, code: &LawCode) -> Result<SourceFile, Error> {
        match self {
            Self::C => Ok(c::single_file(code)),
            _ => Ok(self.files(code)?.swap_remove(0)),
        }
    }
    /// How to run the test that comes with the files, in their folder.
    pub fn test_command(self, code: &LawCode) -> String {
        let name = &code.name;
        match self {
            Self::C => format!("cc -std=c99 -O2 {name}.c {name}_test.c -o {name}_test && ./{name}_test"),
            Self::Rust => "cargo test".to_owned(),
            Self::Cuda => format!("nvcc -fmad=false {name}_test.cu -o {name}_test && ./{name}_test"),
        }
    }
}
