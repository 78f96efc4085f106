//! Scenario files, parameter files, ensembles and sweeps.
mod creep;
mod endless;
mod ensemble;
mod errors;
mod files;
#[path = "../../../../tests/common/folder.rs"]
mod folder;
#[path = "../../../../tests/common/law.rs"]
mod law;
mod output;
mod parameter_file;
mod sensitivity;
mod sweep;

use folder::Folder;
use law::law;
use stiction::Spec;
