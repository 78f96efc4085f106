//! Panics of foreign decoders, turned into errors.
//!
//! The decoders of Parquet and HDF5 check most of what a file says, but not all: a damaged file can make them panic ("Decoder
//! for dict should have been set"). They own no state that outlives the call and leave nothing half written, so that the file
//! can be refused like any other damaged one.
use std::any::Any;
use std::cell::Cell;
use std::panic::{self, AssertUnwindSafe};
use std::sync::Once;

thread_local! {
    /// Whether this thread is in a foreign decoder.
    static DECODING: Cell<bool> = const { Cell::new(false) };
}

/// Runs a foreign decoder.
///
/// The panic hook is that of the whole process, so it is extended once, and stays silent only on a thread that decodes.
///
/// # Errors
/// The message of a panic, which is not printed.
pub fn catch_decoder_panic<T>(decode: impl FnOnce() -> T) -> Result<T, String> {
    static EXTEND_HOOK: Once = Once::new();
    EXTEND_HOOK.call_once(|| {
        let earlier = panic::take_hook();
        panic::set_hook(Box::new(move |info| {
            if !DECODING.get() {
                earlier(info);
            }
        }));
    });
    let outer = DECODING.replace(true);
    let result = panic::catch_unwind(AssertUnwindSafe(decode));
    DECODING.set(outer);
    result.map_err(|panic| message(panic.as_ref()))
}

fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied().or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    text.unwrap_or("its decoder failed").to_owned()
}

#[cfg(test)]
mod tests {
    use super::catch_decoder_panic;

    #[test]
    fn a_panic_is_an_error_with_its_message() {
        assert_eq!(catch_decoder_panic(|| 3), Ok(3));
        let result: Result<(), String> = catch_decoder_panic(|| panic!("page {}", 7));
        assert_eq!(result, Err("page 7".to_owned()));
    }
}
