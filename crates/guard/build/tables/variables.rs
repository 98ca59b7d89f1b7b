//! `data/variables.toml`: what setting a variable of the environment does.

use super::{
    constant,
    document::{Result, Section},
    words::member,
};
use crate::notation::VariableKind;
use std::collections::BTreeMap;

pub(super) fn table(file: &Section) -> Result<String> {
    let mut all: BTreeMap<&str, String> = BTreeMap::new();
    for (kind, names) in file.entries() {
        let kind = member::<VariableKind>(kind)?;
        for name in names.strings()? {
            if all.insert(name.text, format!("({:?}, {kind}), ", name.text)).is_some() {
                return Err(name.problem(format_args!("`{}` is already in the table", name.text)));
            }
        }
    }
    let all: String = all.into_values().collect();
    Ok(constant("variables", "&[(&str, VariableKind)]", &format!("&[{all}]")))
}
