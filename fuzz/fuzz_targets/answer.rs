//! Whatever a hook's process prints and however it exits, we read its answer or report a failure, and a
//! plain denial stays one.
//!
//! The first byte selects the event, the second how the process exits; a zero byte separates stdout from
//! stderr.

#![no_main]

use checkrein_core::{Decision, EventName, json};
use checkrein_exec::answer::{Exit, read};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let [event, exit, rest @ ..] = bytes else { return };
    let event = EventName::ALL[usize::from(*event) % EventName::ALL.len()];
    let mut streams = rest.splitn(2, |byte| *byte == 0);
    let (stdout, stderr) = (streams.next().unwrap_or_default(), streams.next().unwrap_or_default());
    let code = i32::from(*exit % 4);
    let answer = read(event, Exit::Code(code), stdout, stderr);
    let denied = matches!(&answer, Ok(verdict) if verdict.decision == Decision::Deny);
    assert!(code != 2 || denied, "exit code 2 denies: {answer:?}");
    let says =
        |fields: &checkrein_core::Map| fields.get("decision").and_then(|word| word.as_str()) == Some("deny");
    if code == 0 && json::parse_object(stdout).is_ok_and(|fields| says(&fields)) {
        assert!(denied, "a denial was lost: {answer:?}");
    }
});
