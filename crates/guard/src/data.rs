//! The tables that `build.rs` makes of `data`, `programs` and `rules`.

use crate::{
    lower::{Console, Kind},
    path::{Names, Pattern, TagTable},
    program::{Does, Family, Operand, Opt, Prints, Program, Role, Special, Style, Value, Wraps},
    rule::Rule,
    vocabulary::{Mark, Marks, Tag, Tags, Verb, Verbs, Zone, Zones},
};
use checkrein_core::Decision;
use std::borrow::Cow;

include!(concat!(env!("OUT_DIR"), "/data.rs"));
