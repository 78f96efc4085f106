//! Scenario files, parameter files, ensembles and sweeps.
mod creep;
#[path = "../../../../tests/common/device_in_c.rs"]
mod device_in_c;
mod device_sweep;
mod drives;
mod endless;
mod ensemble;
mod errors;
mod files;
#[path = "../../../../tests/common/folder.rs"]
mod folder;
mod gear_start;
mod heating;
mod humps;
#[path = "../../../../tests/common/law.rs"]
mod law;
mod lossy_gear;
mod machine;
mod modelica;
mod output;
mod parameter_file;
mod period;
mod planetary;
mod resistance;
mod rolling;
mod sensitivity;
#[path = "../../../../tests/common/skip.rs"]
mod skip;
mod sweep;

use folder::Folder;
use law::law;
use stiction::Spec;
