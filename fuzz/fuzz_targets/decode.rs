//! Whatever a host sends, each dialect reads it or refuses it, keeps every byte, and can answer what it
//! read.
//!
//! The first byte selects the event that the command line names, if any.

#![no_main]

use checkrein_core::{Dispatcher, EventName, Outcome};
use checkrein_hosts::{ALL, answer};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Some((event, rest)) = bytes.split_first() else { return };
    let event = EventName::ALL.get(usize::from(*event)).copied();
    for dialect in ALL {
        let Ok(payload) = dialect.decode(rest.to_vec(), event) else { continue };
        assert_eq!(payload.raw, rest);
        answer(*dialect, Dispatcher::new().dispatch(payload.clone()));
        // A denial must be expressed wherever it can prevent something.
        let preventable = payload.name().is_preventable();
        let (outcome, reply) = answer(*dialect, Outcome::refused(payload, "no"));
        assert!(!preventable || !outcome.is_neutral(), "{} lost a denial: {reply:?}", dialect.name());
    }
});
