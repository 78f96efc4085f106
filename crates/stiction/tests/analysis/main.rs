//! Analysis of laws and of simulated runs.
mod breakaway;
mod cycle;
mod describe;
mod drive;
mod energy;
mod equilibrium;
mod hysteresis;
mod phenomena;
