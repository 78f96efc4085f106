//! A body under a slowly rising force: it sticks exactly, then lets go. Prints CSV.
//!
//! Run: `cargo run -p stiction --example 03_stick`
use stiction::core::contact::{SlidingBody, step};
use stiction::core::{Input, Params, models::Stribeck};

fn main() {
    let law = Stribeck::<f64>::nominal(); // break-away at fs = 1.5 N, Coulomb level fc = 1 N
    let (mut v, mut x, dt) = (0.0, 0.0, 1e-3);
    let mut let_go = None;

    println!("t [s],applied [N],friction [N],v [m/s],x [m]");
    for k in 0..2000 {
        let t = f64::from(k) * dt;
        let applied = t; // 1 N/s
        let out = step(&law, &[], &Input::at(v), &SlidingBody { mass: 1.0, applied }, dt);
        if out.stuck {
            // not one bit of motion, and friction is the applied force to the last bit
            assert!(out.v == 0.0 && x == 0.0 && out.force == applied);
        } else {
            let_go = let_go.or(Some(applied));
        }
        v = out.v;
        x += v * dt;
        if k % 100 == 0 {
            println!("{t},{applied},{},{v},{x}", out.force);
        }
    }
    // the first sample whose force exceeds fs
    assert!(let_go.is_some_and(|force| force > 1.5 && force < 1.5015));
    assert!(v > 0.0);
}
