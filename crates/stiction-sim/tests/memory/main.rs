//! Memory of the simulator: what does not allocate, and what does not grow. A program of its own, because its allocator
//! counts.
#[path = "../../../../tests/common/heap.rs"]
mod heap;
mod network;
mod simulation;
