//! Whatever an agent's settings contain, we edit or refuse them. Edited settings are readable, have our
//! entries once, do not change when we install again, and can be restored.

#![no_main]

use checkrein_hosts::install::{Wanted, entries, install, parse, recipes, uninstall};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let _ = parse(text);
    for recipe in recipes() {
        let fired = recipe.registered(None, &[]);
        let wanted: Vec<Wanted> =
            fired.map(|fired| Wanted::new(recipe, None, fired, "/usr/local/bin/checkrein")).collect();
        let Ok(installed) = install(text, recipe, &wanted) else { continue };
        let found = entries(&installed.text, recipe).expect("what we wrote can be read");
        assert!(found.len() >= wanted.len(), "{}", installed.text);
        let again = install(&installed.text, recipe, &wanted).expect("it can be installed again");
        assert_eq!(again.text, installed.text, "installing twice changes nothing");
        let without =
            uninstall(&installed.text, recipe, Some(&installed.made)).expect("it can be taken back");
        assert!(entries(&without, recipe).is_ok_and(|left| left.is_empty()), "{without}");
    }
});
