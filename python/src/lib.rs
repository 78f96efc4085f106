//! The module `stiction._native`: laws, scenarios, analyses and identification for Python. It holds no logic: it converts arguments and
//! results, releases the interpreter's lock while the library computes, and hands arrays over without copying them. What a user
//! sees are the classes in `python/stiction`, which are written on top of it.
mod analysis;
mod arrow;
mod device;
mod error;
mod experiment;
mod identify;
mod installation;
mod interrupt;
mod law;
mod log_file;
mod model_files;
mod paper_figures;
mod run_picture;
mod scenario;
mod sweep;
mod sweep_map;
mod table;

#[pyo3::pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use crate::analysis::{
        Analysis, breakaway, check, compensate, controller_code, cycle, cycle_branch, describing_function, equilibrium,
        hunting, hysteresis, hysteresis_of_path, law_code, law_targets, passivity, phenomena, write_file,
    };
    #[pymodule_export]
    use crate::device::device_report;
    #[pymodule_export]
    use crate::experiment::{design_experiment, write_columns};
    #[pymodule_export]
    use crate::identify::{
        Report, bootstrap_interval, check_on_records, check_plant_on_records, compare_models, identify, identify_plant,
        is_along_motion, refit, refit_plant,
    };
    #[pymodule_export]
    use crate::installation::installation;
    #[pymodule_export]
    use crate::law::{Law, device_names, law_names, live_cell, unit_of};
    #[pymodule_export]
    use crate::log_file::read_log;
    #[pymodule_export]
    use crate::model_files::{joint_friction, law_unit, live_page, mujoco_plugin, scenario_unit};
    #[pymodule_export]
    use crate::paper_figures::{paper_experiments, paper_figures};
    #[pymodule_export]
    use crate::scenario::{
        RunResult, Scenario, components, is_scenario, motion_cell, run_keys, scenario_names, similar,
    };
    #[pymodule_export]
    use crate::sweep::{Sweep, job_array, merge_sweep, sweep_choices, sweep_facts, sweep_table};
    #[pymodule_export]
    use crate::sweep_map::{map_of_file, map_of_table};
    #[pymodule_export]
    use crate::table::Table;

    /// The version, which is that of the library.
    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        module.add("__version__", env!("CARGO_PKG_VERSION"))?;
        // without optimisation some tests would take minutes
        module.add("optimised", !cfg!(debug_assertions))
    }
}
