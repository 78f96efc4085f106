//! The simulator as a shared library with the interfaces of FMI 2.0 and 3.0, for units of scenarios in co-simulation. `stiction export fmu SCENARIO`
//! puts it into units, with the text of the scenario in `resources/scenario.toml`. `cargo build --release -p stiction-unit` builds it.
#![allow(unsafe_code, reason = "an interface of C functions takes pointers from the importer")]
mod fmi2;
mod fmi3;
mod pointers;
#[cfg(test)]
mod tests;
mod unit;

/// The build that the library is of, for the program that puts it into units.
#[used]
#[unsafe(no_mangle)]
pub static STICTION_BUILD_MARK: &str = stiction::export::fmu::BUILD_MARK;
