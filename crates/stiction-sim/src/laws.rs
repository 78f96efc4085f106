//! All laws by name: those compiled into the program, and those read from files while it runs.
//!
//! ```
//! use stiction_sim::laws;
//!
//! assert_eq!(laws::find("lugre").map(|law| law.name), Some("lugre"));
//! assert!(laws::find("my-law").is_none());
//! ```
use std::sync::{PoisonError, RwLock};
use stiction_core::models;
use stiction_core::registry::LawEntry;

/// Laws read from files.
static ADDED: RwLock<Vec<&'static LawEntry>> = RwLock::new(Vec::new());

/// The law called `name`; of several added ones the last.
pub fn find(name: &str) -> Option<&'static LawEntry> {
    models::find(name).or_else(|| added().into_iter().rfind(|law| law.name == name))
}

/// Makes a law known by its name.
pub fn add(law: &'static LawEntry) {
    let mut list = ADDED.write().unwrap_or_else(PoisonError::into_inner);
    list.retain(|known| *known != law);
    list.push(law);
}

/// The laws that were added.
pub fn added() -> Vec<&'static LawEntry> {
    ADDED.read().unwrap_or_else(PoisonError::into_inner).clone()
}

/// The names of all laws.
pub fn names() -> impl Iterator<Item = &'static str> {
    models::ALL.iter().map(|law| law.name).chain(added().into_iter().map(|law| law.name))
}
