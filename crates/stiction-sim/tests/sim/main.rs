//! Laws by name and the simulator: stick-slip, events, order of convergence, networks.
mod corners;
mod dispatch;
mod experiments;
mod explicit;
mod measures;
mod network;
mod network_run;
mod order;
mod random;
mod registry;
mod robust;
mod spec;
mod stick;
