//! The languages that laws are written in.
use super::python::Library;
use super::{LawCode, c, jax, latex, matlab, modelica, numpy, pytorch, rust, wasm};
use crate::Error;
use crate::export::{OutputFile, SourceFile};
use stiction_core::registry::LawEntry;

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
    /// Functions for MATLAB and Octave.
    Matlab,
    /// A Modelica package.
    Modelica,
    /// A WebAssembly module.
    Wasm,
    /// The equations, for a paper.
    Latex,
}

impl LawTarget {
    /// All of them.
    pub const ALL: [Self; 10] = [
        Self::C,
        Self::Rust,
        Self::Cuda,
        Self::NumPy,
        Self::Jax,
        Self::PyTorch,
        Self::Matlab,
        Self::Modelica,
        Self::Wasm,
        Self::Latex,
    ];
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::C => "c",
            Self::Rust => "rust",
            Self::Cuda => "cuda",
            Self::NumPy => "numpy",
            Self::Jax => "jax",
            Self::PyTorch => "pytorch",
            Self::Matlab => "matlab",
            Self::Modelica => "modelica",
            Self::Wasm => "wasm",
            Self::Latex => "latex",
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
            Self::Matlab => "functions for MATLAB and GNU Octave",
            Self::Modelica => "a package with a friction element that sticks; not compiled",
            Self::Wasm => "a WebAssembly module with a JavaScript wrapper, the bits of the law",
            Self::Latex => "the equations and their symbols, for a paper",
        }
    }
    /// The files: the law, and a test with its points. The first is the law itself.
    ///
    /// # Errors
    /// [`Error::Conflict`] where the language cannot say what the law does.
    pub fn files(self, code: &LawCode) -> Result<Vec<OutputFile>, Error> {
        let texts = match self {
            Self::C => c::c_files(code),
            Self::Rust => rust::files(code),
            Self::Cuda => c::cuda_files(code),
            Self::NumPy => numpy::files(code),
            Self::Jax => jax::files(code),
            Self::PyTorch => pytorch::files(code),
            Self::Matlab => matlab::files(code),
            Self::Modelica => modelica::files(code),
            Self::Wasm => return Ok(wasm::files(code)),
            Self::Latex => latex::files(code),
        };
        Ok(texts.into_iter().map(OutputFile::from).collect())
    }
    /// The law in a single text, to be printed; none where it is bytes, or several files.
    ///
    /// # Errors
    /// As [`LawTarget::files`].
    pub fn single_file(self, code: &LawCode) -> Result<Option<SourceFile>, Error> {
        let first = |files: Vec<SourceFile>| files.into_iter().next();
        Ok(match self {
            Self::C => Some(c::single_file(code)),
            Self::Rust => first(rust::files(code)),
            Self::Cuda => first(c::cuda_files(code)),
            Self::NumPy => first(numpy::files(code)),
            Self::Jax => first(jax::files(code)),
            Self::PyTorch => first(pytorch::files(code)),
            Self::Modelica => first(modelica::files(code)),
            Self::Latex => first(latex::files(code)),
            Self::Matlab | Self::Wasm => None,
        })
    }
    /// How the code of a built-in law was checked: `bits` where tests find the bits of the law at every point, a bound where they find
    /// the same numbers within it, `parsed` where nothing could run it, `typeset`; none where there is no code, and for a law from a file.
    pub fn checked(self, law: &LawEntry) -> Option<&'static str> {
        if law.program().is_some() {
            return None;
        }
        match self {
            Self::C | Self::Rust | Self::Cuda | Self::Wasm => Some("bits"),
            Self::NumPy | Self::Jax | Self::PyTorch | Self::Matlab => Some("1e-12"),
            Self::Modelica => Some("parsed"),
            Self::Latex => Some("typeset"),
        }
    }
    /// How to run the test that comes with the files, in their folder; none for Modelica, which every tool runs in its own way.
    pub fn test_command(self, code: &LawCode) -> Option<String> {
        let name = &code.name;
        Some(match self {
            Self::C => format!("cc -std=c99 -O2 {name}.c {name}_test.c -o {name}_test && ./{name}_test"),
            Self::Rust => "cargo test".to_owned(),
            Self::Cuda => format!("nvcc -fmad=false {name}_test.cu -o {name}_test && ./{name}_test"),
            Self::NumPy => format!("python3 {}_test.py", Library::NumPy.module(code)),
            Self::Jax => format!("python3 {}_test.py", Library::Jax.module(code)),
            Self::PyTorch => format!("python3 {}_test.py", Library::PyTorch.module(code)),
            Self::Matlab => format!("octave-cli --eval {}", matlab::test_name(code)),
            Self::Modelica => return None,
            Self::Wasm => format!("node {name}.test.mjs"),
            // twice more for the references
            Self::Latex if !code.law.cite.is_empty() => {
                let tex = format!("pdflatex {name}_document.tex");
                format!("{tex} && bibtex {name}_document && {tex} && {tex}")
            }
            Self::Latex => format!("pdflatex {name}_document.tex"),
        })
    }
}
