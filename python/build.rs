//! Lets the linker of macOS leave the symbols of Python open, as that of Linux does without being told.
fn main() {
    pyo3_build_config::add_extension_module_link_args();
}
