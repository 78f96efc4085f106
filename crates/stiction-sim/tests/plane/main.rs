//! Bodies on a plane, against closed forms, the simulator of one direction, and a slow method.
mod disc;
mod limits;
mod moving;
mod resting;
mod systems;
