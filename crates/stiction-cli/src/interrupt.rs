//! Ctrl-C as a flag.
use crate::error::CommandError;
use signal_hook::consts::{SIGINT, SIGTERM};
use signal_hook::flag;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use stiction::Error;
use stiction::FileError;

/// A flag that Ctrl-C raises. Pressed again, it ends the program at once.
pub fn interrupt() -> Result<Arc<AtomicBool>, CommandError> {
    let raised = Arc::new(AtomicBool::new(false));
    for signal in [SIGINT, SIGTERM] {
        let again = flag::register_conditional_shutdown(signal, CommandError::INTERRUPTED.into(), raised.clone());
        let first = again.and_then(|_| flag::register(signal, raised.clone()));
        first.map_err(|io| Error::File(FileError { path: "the signals".into(), action: "listen to", io }))?;
    }
    Ok(raised)
}
