//! The tables of the pages are the recorded findings. This needs no agent.
#![allow(clippy::unwrap_used, clippy::panic, reason = "tests")]

use checkrein_agents::table::{PAGES, between, tables};
use checkrein_live::proved;
use std::{fs, path::Path};

#[test]
fn the_tables_of_the_pages_are_the_recorded_findings() {
    let proved = proved();
    for (page, most) in PAGES {
        let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(page);
        let document = fs::read_to_string(file).unwrap();
        let written = between(&document).unwrap_or_else(|| panic!("{page} has no marks for the table"));
        let columns = proved.get(..most.min(proved.len())).unwrap();
        assert_eq!(written, tables(columns).trim_end(), "write {page} with `cargo xtask agents --update`");
    }
}
