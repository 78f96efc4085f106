//! Work on several processors, by rayon's thread pool.
//!
//! ```
//! let squares = stiction_numerics::parallel::map(&[1, 2, 3], |x| x * x);
//! assert_eq!(squares, [1, 4, 9]);                                      // in the order of the items
//! ```
use rayon::prelude::*;
use std::thread;

/// Number of processors this program may use.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// `work` on every item, several at a time; results in the order of the items. Calls may be nested.
pub fn map<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let in_a_pool = rayon::current_thread_index().is_some();
    if !in_a_pool && !has_common_pool() {
        return map_on(processors(), items, work);
    }
    in_current_pool(items, work)
}

/// As [`map`], on a pool of so many threads; one after the other if that cannot be made.
pub fn map_on<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    match rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build() {
        Ok(pool) => pool.install(|| in_current_pool(items, &work)),
        Err(_) => items.iter().map(work).collect(),
    }
}

fn in_current_pool<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    // items are few and long, so each is a task of its own
    items.par_iter().with_max_len(1).map(&work).collect()
}

/// Whether the threads of the common pool are those of this process. After a fork, as Python's multiprocessing makes it, the child has
/// the pool of its parent without the threads, and work that is given to it never ends.
#[cfg(unix)]
fn has_common_pool() -> bool {
    use std::sync::atomic::{AtomicU32, Ordering};
    /// The process that used the pool first; zero: none yet.
    static OWNER: AtomicU32 = AtomicU32::new(0);
    let process = std::process::id();
    match OWNER.compare_exchange(0, process, Ordering::Relaxed, Ordering::Relaxed) {
        Ok(_) => true,
        Err(owner) => owner == process,
    }
}

/// Other systems have no fork.
#[cfg(not(unix))]
fn has_common_pool() -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::{map, map_on};

    #[test]
    fn results_keep_their_order() {
        let items: Vec<u64> = (0..100).collect();
        let squares: Vec<u64> = items.iter().map(|x| x * x).collect();
        assert_eq!(map(&items, |x| x * x), squares);
        assert_eq!(map_on(3, &items, |x| x * x), squares);
        assert!(map(&[0; 0], |x: &i32| *x).is_empty());
    }

    #[test]
    fn calls_nest() {
        let sums = map(&[10_u64, 20], |n| map(&(0..*n).collect::<Vec<_>>(), |k| *k).iter().sum::<u64>());
        assert_eq!(sums, [45, 190]);
    }
}
