//! Bytes in use, counted by the allocator.
#![allow(unsafe_code, reason = "a counting allocator cannot be written without")]
use std::alloc::{GlobalAlloc, Layout, System};
use std::sync::atomic::{AtomicUsize, Ordering::Relaxed};

struct Counting;
static BYTES: AtomicUsize = AtomicUsize::new(0);
// SAFETY: forwards to the system allocator; the counter is an atomic that never allocates
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Relaxed);
        unsafe { System.alloc(layout) }
    }
    unsafe fn alloc_zeroed(&self, layout: Layout) -> *mut u8 {
        BYTES.fetch_add(layout.size(), Relaxed);
        unsafe { System.alloc_zeroed(layout) }
    }
    unsafe fn dealloc(&self, p: *mut u8, layout: Layout) {
        BYTES.fetch_sub(layout.size(), Relaxed);
        unsafe { System.dealloc(p, layout) }
    }
}
#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// What `make` makes, and the bytes it keeps.
pub fn kept<T>(make: impl FnOnce() -> T) -> (T, usize) {
    let before = BYTES.load(Relaxed);
    let made = make();
    (made, BYTES.load(Relaxed).saturating_sub(before))
}
