//! The tables that the build script makes of `data`, `programs` and `rules`.

use crate::tool::{RunForm, RunRow};
use crate::{
    eval::Console,
    filled::Template,
    notation::Meaning,
    path::{Names, Pattern, TagTable},
    program::{
        Case, Handler, List, Operand, OptionSpec, Prints, Program, ProgramGroup, QualitiesAt, Role,
        StaticEffect, Style, Trait, Value, VariableKind, Wraps,
    },
    program::{ParseFlag, ParseFlags},
    qualities::Qualities,
    rule::Rule,
    vocabulary::{
        Action, Actions, Certainties, Certainty, Domain, Domains, Environment, Environments, Modifier,
        Modifiers, Tag, Tags, Taint, Taints, Zone, Zones,
    },
};
use checkrein_core::Decision;
use std::borrow::Cow;

include!(concat!(env!("OUT_DIR"), "/data.rs"));
