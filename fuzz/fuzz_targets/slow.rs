//! Searches for commands that cause more work than their length allows.
//!
//! The bytes select from a list of pieces of shell commands, so that a mutation is another command and not
//! another syntax error: the setup, the repeated part, and the count. The fuzzer keeps inputs that reach
//! new code. An input that uses more fuel than a call has, or takes longer than its fuel allows, is a
//! finding. `cargo +nightly fuzz run slow -- -timeout=5` also finds hangs.

#![no_main]

#[path = "../../crates/guard/tests/work/texts.rs"]
mod texts;

use checkrein_core::Decision;
use checkrein_guard::{EmptyWorld, CallContext, MAX_BYTES, judge, work};
use libfuzzer_sys::fuzz_target;
use std::time::Instant;
use texts::{AROUND, SETUPS, UNITS};

/// The limit per fuel step, with a fuzzer's instrumentation.
const NANOSECONDS: u128 = 1000;

fuzz_target!(|bytes: &[u8]| {
    let mut bytes = bytes.iter().copied().map(usize::from);
    let Some(first) = bytes.next() else { return };
    let (_, around) = AROUND[first % AROUND.len()];
    let mut text = String::new();
    while let (Some(kind), Some(which), Some(size)) = (bytes.next(), bytes.next(), bytes.next()) {
        let room = (MAX_BYTES - 256).saturating_sub(text.len()) * (size + 1) / 256;
        if kind % 4 == 0 {
            text.push_str(&(SETUPS[which % SETUPS.len()].1)(room));
        } else {
            let unit = UNITS[(which + 256 * kind) % UNITS.len()];
            text.push_str(&unit.repeat(room / unit.len()));
        }
    }
    let text = around(&text);
    let place = CallContext { cwd: Some("/home/dev/proj".to_owned()), ..CallContext::default() };
    let start = Instant::now();
    let (decision, spent) =
        work::one_call(|| (judge(&text, &place, &EmptyWorld::new("/home/dev")).decision, work::spent()));
    let took = start.elapsed().as_nanos();
    assert!(spent < work::MOST + work::MOST / 8, "{spent} burnt");
    assert!(spent < work::MOST || decision == Decision::Deny, "out of fuel, and silent");
    // Small inputs are too quick to be measured.
    assert!(took < 100_000_000 || took < u128::from(spent) * NANOSECONDS, "{spent} burnt in {took} ns");
});
