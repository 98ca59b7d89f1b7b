//! Whatever a host sends, each dialect reads it or refuses it, keeps every byte, and can answer what it
//! read. A hook of any other host gets a payload of it, and what the bytes say as its answer is read or refused.
//!
//! The first byte selects the event that the command line names, if any.

#![no_main]

use checkrein_core::{Dispatcher, Edit, EventName, Map, Outcome, Verdict};
use checkrein_hosts::{
    answer, dialects,
    foreign::{Foreign, hosts},
};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((event, rest)) = bytes.split_first() else { return };
    let event = EventName::ALL.get(usize::from(*event)).copied();
    for dialect in dialects() {
        let Ok(payload) = dialect.decode(rest.to_vec(), event) else { continue };
        assert_eq!(payload.raw, rest);
        answer(dialect, Dispatcher::new().dispatch(payload.clone()));
        // A denial must be expressed wherever it can prevent something.
        let preventable = payload.name().is_preventable();
        let (outcome, reply) = answer(dialect, Outcome::refused(payload.clone(), "no"));
        assert!(!preventable || !outcome.is_neutral(), "{} lost a denial: {reply:?}", dialect.name());
        for foreign in hosts().filter_map(|host| Foreign::parse(host.name(), payload.name()).ok()) {
            if let Ok(text) = std::str::from_utf8(rest) {
                let _ = foreign.answer(payload.name(), text);
            }
            for request in foreign.requests(&payload, 0) {
                assert!(!request.fields().is_empty());
                // What a hook leaves as it is stays.
                let same = request.call().map_or_else(Map::new, |call| call.input.clone());
                let verdict = Verdict::edit(Edit::Input(same));
                if request.call().is_some() {
                    assert_eq!(request.restore(&payload, verdict).expect("no change goes back").edit, None);
                }
            }
        }
    }
});
