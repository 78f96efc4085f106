//! The languages that laws are written in.
use super::python::Library;
use super::{LawCode, c, jax, numpy, pytorch, rust};
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
    /// A NumPy module.
    NumPy,
    /// A JAX module with derivatives.
    Jax,
    /// A PyTorch module with derivatives.
    PyTorch,
}

impl LawTarget {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::C, Self::Rust, Self::Cuda, Self::NumPy, Self::Jax, Self::PyTorch];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Rust => "rust",
            Self::Cuda => "cuda",
            Self::NumPy => "numpy",
            Self::Jax => "jax",
            Self::PyTorch => "pytorch",
        }
    }
    /// What it is, in a line.
    pub fn doc(self) -> &'static str {
        match self {
            Self::C => "C99, the bits of the law",
            Self::Rust => "a no_std crate without dependencies, the bits of the law",
            Self::Cuda => "functions for host and device, the bits of the law without fused products",
            Self::NumPy => "functions of arrays in Python",
            Self::Jax => "functions in Python to compile, map and differentiate",
            Self::PyTorch => "functions of tensors in Python, with derivatives",
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
            Self::NumPy => numpy::files(code),
            Self::Jax => jax::files(code),
            Self::PyTorch => pytorch::files(code),
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
            Self::NumPy => format!("python3 {}_test.py", Library::NumPy.module(code)),
            Self::Jax => format!("python3 {}_test.py", Library::Jax.module(code)),
            Self::PyTorch => format!("python3 {}_test.py", Library::PyTorch.module(code)),
        }
    }
}
