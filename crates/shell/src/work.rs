//! Limits the work that is done for one call.
//!
//! A text can make a lot of work in a few characters, and a call can bring many texts. So everything that copies, scans or
//! expands burns fuel by the length of what it goes through, and there is one fuel for all texts of a call. When it ends,
//! what is being done is cut short, and the call is too much, whatever was found in it.
//!
//! The counter belongs to the thread: most work is done deep inside (a word is copied, a pattern is matched), and a
//! judgement never leaves its thread. Work outside a call is not counted.

use std::cell::Cell;

/// The maximum work for one call, in units of about ten instructions.
pub const MOST: u64 = 32 * 1024 * 1024;

thread_local! {
    /// The work done for the call that is being judged, if there is one.
    static SPENT: Cell<Option<u64>> = const { Cell::new(None) };
}

/// One call: all that is judged inside burns the same fuel. Inside another one it is a part of that.
pub fn one_call<T>(judge: impl FnOnce() -> T) -> T {
    /// Ends the call, also if something panics.
    struct Ends;
    impl Drop for Ends {
        fn drop(&mut self) {
            SPENT.set(None);
        }
    }
    if SPENT.get().is_some() {
        return judge();
    }
    SPENT.set(Some(0));
    let _ends = Ends;
    judge()
}

/// Returns the work done for the call so far. It may exceed [`MOST`] a little, until every loop has noticed.
pub fn spent() -> u64 {
    SPENT.get().unwrap_or(0)
}

/// Burns fuel, and says whether there is any left.
pub fn burn(amount: usize) -> bool {
    let Some(before) = SPENT.get() else { return true };
    let after = before.saturating_add(amount as u64);
    SPENT.set(Some(after));
    after < MOST
}

/// Subtracts an amount from the fuel of one text and from that of the call, and returns what is left of the former.
pub fn left(fuel: usize, amount: usize) -> usize {
    if burn(amount) { fuel.saturating_sub(amount) } else { 0 }
}

/// Returns true if the call has no fuel left.
pub fn is_out() -> bool {
    spent() >= MOST
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_fuel_for_all_that_is_inside() {
        assert!(burn(usize::MAX), "nobody counts outside of a call");
        one_call(|| {
            assert!(burn(1000));
            one_call(|| assert!(burn(1000)));
            assert_eq!(spent(), 2000);
            one_call(|| assert!(!burn(usize::MAX)));
            assert!(is_out());
        });
        one_call(|| assert_eq!(spent(), 0));
        assert!(std::panic::catch_unwind(|| one_call(|| panic!("{}", burn(7)))).is_err());
        assert_eq!(spent(), 0);
    }
}
