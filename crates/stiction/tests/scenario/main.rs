//! Scenario files, parameter files, ensembles and sweeps.
mod creep;
mod drives;
mod endless;
mod ensemble;
mod errors;
mod files;
#[path = "../../../../tests/common/folder.rs"]
mod folder;
mod heating;
#[path = "../../../../tests/common/law.rs"]
mod law;
mod machine;
mod modelica;
mod output;
mod parameter_file;
mod resistance;
mod rolling;
mod sensitivity;
mod sweep;

use folder::Folder;
use law::law;
use stiction::Spec;
