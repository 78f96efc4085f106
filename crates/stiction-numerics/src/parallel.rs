//! Work on every processor.
//!
//! ```
//! let squares = stiction_numerics::parallel::each(&[1, 2, 3], |x| x * x);
//! assert_eq!(squares, [1, 4, 9]);                                      // in the order of the items
//! ```
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// How many processors there are.
pub fn processors() -> usize {
    thread::available_parallelism().map_or(1, usize::from)
}

/// Does `work` on every item, several at a time; results in the order of the items.
pub fn each<T: Sync, R: Send>(items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    each_on(processors(), items, work)
}

/// The same on so many threads.
pub fn each_on<T: Sync, R: Send>(threads: usize, items: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let done = Mutex::new(Vec::with_capacity(items.len()));
    let threads = threads.max(1).min(items.len());
    let task = || {
        while let Some((i, item)) = Some(next.fetch_add(1, Ordering::Relaxed)).and_then(|i| Some((i, items.get(i)?))) {
            let result = work(item);
            // a panic elsewhere is told by the scope; the list is whole all the same
            done.lock().unwrap_or_else(|poison| poison.into_inner()).push((i, result));
        }
    };
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(task);
        }
    });
    let mut done = done.into_inner().unwrap_or_else(|poison| poison.into_inner());
    done.sort_by_key(|&(i, _)| i);
    done.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use super::each;

    #[test]
    fn results_keep_their_order() {
        let items: Vec<u64> = (0..100).collect();
        assert_eq!(each(&items, |x| x * x), items.iter().map(|x| x * x).collect::<Vec<_>>());
        assert!(each(&[0; 0], |x: &i32| *x).is_empty());
    }
}
