//! The tables that the build makes of `names/*.toml`.

use super::{
    Call::*,
    Deep::{Always, Never, Option},
    Encoding::{Base64, Hex, Named, Other, Rot13},
    Table, With,
};

include!(concat!(env!("OUT_DIR"), "/names.rs"));
