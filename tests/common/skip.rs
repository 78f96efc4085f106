//! How a test says that it cannot do its work here. A test program of any crate includes this with
//! `#[path = "../../../../tests/common/skip.rs"] mod skip;`.
#![allow(dead_code, reason = "each test program uses its own part")]
use std::process::Command;

/// Says why the test that calls this leaves out its work, or a part of it. `cargo x check` counts such tests as skipped and
/// lists them with the reason.
pub fn skip(reason: &str) {
    println!("skipped: {reason}");
}

/// The C compiler; if there is none, the test is skipped.
pub fn c_compiler() -> Option<&'static str> {
    let there = Command::new("cc").arg("--version").output().is_ok_and(|out| out.status.success());
    if !there {
        skip("there is no C compiler 'cc' here, so the exported C is not compiled");
    }
    there.then_some("cc")
}
