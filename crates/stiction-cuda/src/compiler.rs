//! NVRTC: the text of a kernel becomes the machine code of a device.
#![allow(unsafe_code, reason = "the functions of a library of C")]
use crate::CudaError;
use cudarc::nvrtc::result;
use cudarc::nvrtc::sys::{self, nvrtcProgram};
use std::env;
use std::ffi::{CStr, CString, c_char};
use std::path::PathBuf;
use std::sync::OnceLock;

/// Endings of the library's name, the newest version first.
const NAMES: [&str; 4] = ["libnvrtc.so", "libnvrtc.so.13", "libnvrtc.so.12", "libnvrtc.so.11.2"];

/// Whether there is a compiler.
pub(crate) fn is_present() -> bool {
    static PRESENT: OnceLock<bool> = OnceLock::new();
    // SAFETY: the library only sets itself up when it is loaded.
    *PRESENT.get_or_init(
        || unsafe { sys::is_culib_present() } || (load_from_folders() && unsafe { sys::is_culib_present() }),
    )
}

/// Loads the library from where CUDA usually is, although the search path does not name it. A library that is loaded is found by its
/// name from then on.
fn load_from_folders() -> bool {
    let named = ["CUDA_HOME", "CUDA_PATH"].into_iter().filter_map(env::var_os).map(PathBuf::from);
    let mut folders: Vec<PathBuf> =
        named.chain([PathBuf::from("/usr/local/cuda"), PathBuf::from("/opt/cuda")]).collect();
    folders.retain(|folder| folder.is_absolute());
    let inner = ["lib64", "lib", "targets/x86_64-linux/lib", "targets/sbsa-linux/lib"];
    let paths = folders.iter().flat_map(|folder| inner.iter().map(move |inner| folder.join(inner)));
    for path in paths.flat_map(|folder| NAMES.iter().map(move |name| folder.join(name))) {
        if !path.is_file() {
            continue;
        }
        // SAFETY: the library only sets itself up when it is loaded.
        if let Ok(library) = unsafe { libloading::Library::new(&path) } {
            // it stays loaded until the program ends
            std::mem::forget(library);
            return true;
        }
    }
    false
}

/// The version of the compiler.
pub(crate) fn version() -> Result<(i32, i32), CudaError> {
    if !is_present() {
        return Err(CudaError::NoCompiler);
    }
    let (mut major, mut minor) = (0, 0);
    // SAFETY: two places for two numbers.
    let found = unsafe { sys::nvrtcVersion(&raw mut major, &raw mut minor) };
    found.result().map(|()| (major, minor)).map_err(|_| CudaError::NoCompiler)
}

/// A program of the compiler, which is destroyed with this.
struct Compilation(nvrtcProgram);

impl Drop for Compilation {
    fn drop(&mut self) {
        // SAFETY: it was made by `create_program` and is not used again.
        let _ = unsafe { result::destroy_program(self.0) };
    }
}

/// The machine code of a text for an architecture, `sm_90`.
pub(crate) fn compile(source: &str, architecture: &str, options: &[String]) -> Result<Vec<u8>, CudaError> {
    if !is_present() {
        return Err(CudaError::NoCompiler);
    }
    let failed = |log: String| CudaError::Compile { architecture: architecture.to_owned(), log };
    let text = CString::new(source).map_err(|_| failed("its text has a zero byte".to_owned()))?;
    let program = result::create_program(&text, Some(c"stiction_ensemble.cu")).map_err(|e| failed(e.to_string()))?;
    let program = Compilation(program);
    // SAFETY: the program is alive, and so is its text; buffers are as long as the library says.
    unsafe {
        if let Err(error) = result::compile_program(program.0, options) {
            let log = result::get_program_log(program.0).unwrap_or_default();
            let said = if log.is_empty() {
                error.to_string()
            } else {
                CStr::from_ptr(log.as_ptr()).to_string_lossy().trim().to_owned()
            };
            return Err(failed(said));
        }
        let mut size = 0;
        sys::nvrtcGetCUBINSize(program.0, &raw mut size).result().map_err(|e| failed(e.to_string()))?;
        let mut code = vec![0_u8; size];
        sys::nvrtcGetCUBIN(program.0, code.as_mut_ptr().cast::<c_char>())
            .result()
            .map_err(|e| failed(e.to_string()))?;
        if code.is_empty() { Err(failed("it gives no machine code".to_owned())) } else { Ok(code) }
    }
}
