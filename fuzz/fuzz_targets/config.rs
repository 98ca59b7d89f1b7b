//! Whatever a configuration contains, in any layer, we read it or refuse it with a reason.

#![no_main]

use checkrein::{Config, Layer};
use libfuzzer_sys::fuzz_target;
use std::path::Path;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    for layer in [Layer::Managed, Layer::User, Layer::Project] {
        for name in ["/home/dev/.config/checkrein/config.toml", "/home/dev/hooks.json"] {
            match Config::parse_as(layer, text, Path::new(name)) {
                Ok(config) => {
                    config.rules_as_json().for_each(drop);
                    config.exceptions_as_json().for_each(drop);
                    config.allow_rules_as_json().for_each(drop);
                }
                Err(problems) => assert!(!problems.to_string().is_empty()),
            }
        }
    }
});
