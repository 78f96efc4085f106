//! An allocator that counts allocations and bytes per thread. A test program includes this with
//! `#[path = "../../../../tests/common/heap.rs"] mod heap;`; it then counts for the whole program.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without")]
#![allow(dead_code, reason = "each test file uses its own part")]
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

struct Counting;
thread_local! {
    static COUNT: Cell<usize> = const { Cell::new(0) };
    static LIVE: Cell<isize> = const { Cell::new(0) };
    static PEAK: Cell<isize> = const { Cell::new(0) };
}
// SAFETY: forwards to the system allocator; the counters are plain thread-local cells that never allocate
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        COUNT.set(COUNT.get() + 1);
        LIVE.set(LIVE.get() + layout.size().cast_signed());
        PEAK.set(PEAK.get().max(LIVE.get()));
        unsafe { System.alloc(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        LIVE.set(LIVE.get() - layout.size().cast_signed());
        unsafe { System.dealloc(p, layout) }
    }
}
#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// A moment from which on memory is counted.
pub struct Mark {
    count: usize,
    live: isize,
}

impl Mark {
    /// Now.
    pub fn new() -> Self {
        PEAK.set(LIVE.get());
        Self { count: COUNT.get(), live: LIVE.get() }
    }
    /// Allocations since.
    pub fn count(&self) -> usize {
        COUNT.get() - self.count
    }
    /// Bytes in use beyond those of then.
    pub fn live(&self) -> isize {
        LIVE.get() - self.live
    }
    /// The most there have been since the last mark.
    pub fn peak(&self) -> isize {
        PEAK.get() - self.live
    }
}
