//! Makes ids.

use checkrein_core::EventId;
use std::{
    sync::atomic::{AtomicU64, Ordering},
    time::{SystemTime, UNIX_EPOCH},
};

/// Returns a new id. Two ids of one process differ, and sort in the order in which they were made, also if the clock is set back.
pub fn next_id() -> EventId {
    static LAST: AtomicU64 = AtomicU64::new(0);
    let now = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    let micros = u64::try_from(now.as_micros()).unwrap_or_default();
    let last = LAST.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |last| Some(micros.max(last + 1)));
    let micros = last.map_or(micros, |last| micros.max(last + 1));
    // Processes of the same microsecond differ in the place of their stack, which costs no system call.
    let place = std::ptr::from_ref(&now).addr();
    let salt = (place >> 4) ^ (place >> 14) ^ (place >> 24) ^ (now.subsec_nanos() as usize);
    EventId::new(micros, u16::try_from(salt & 0x3ff).unwrap_or_default())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_one_process_differ_and_are_in_order() {
        let ids: Vec<EventId> = (0..10_000).map(|_| next_id()).collect();
        assert!(ids.windows(2).all(|pair| pair[0].micros() < pair[1].micros()));
    }
}
