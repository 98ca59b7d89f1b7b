//! The tables that `build.rs` makes of `data`, `programs` and `rules`.

use crate::{
    eval::{Console, Kind},
    path::{Names, Pattern, TagTable},
    program::{
        Handler, Operand, OptionSpec, Prints, Program, ProgramGroup, Role, StaticEffect, Style, Value, Wraps,
    },
    rule::Rule,
    vocabulary::{Mark, Marks, Tag, Tags, Verb, Verbs, Zone, Zones},
};
use checkrein_core::Decision;
use std::borrow::Cow;

include!(concat!(env!("OUT_DIR"), "/data.rs"));
