//! Controllers against friction: a mass on a law, a sampled controller, an encoder that counts.
mod adaptation;
mod blocks;
mod conformance;
mod encoder;
mod faults;
mod input_monitor;
mod rig;
mod servo;
mod stable;
