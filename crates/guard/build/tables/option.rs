//! The notation of options, operands and effects in the tables of programs. `programs/README.md` explains it.

use super::{
    document::{Result, Text},
    pools::{EffectParts, OptionParts, ValueParts},
    words::{member, qualities},
};
use crate::{notation::Role, vocabulary::Action};

/// Reads an option: `-o --output =write :modifier`.
pub(super) fn option(text: Text) -> Result<OptionParts> {
    let (mut names, mut says, mut roles, mut optional) = (Vec::new(), Vec::new(), Vec::new(), None);
    for token in text.words() {
        if let Some(role) = token.text.strip_prefix('=') {
            roles.push(role_or_text(token.part(role))?);
        } else if let Some(role) = token.text.strip_prefix('?') {
            optional = Some(role_or_text(token.part(role))?);
        } else if let Some(word) = token.text.strip_prefix(':') {
            says.push(token.part(word));
        } else if token.text.starts_with(['-', '+', '/']) {
            names.push(token.text);
        } else {
            let text = token.text;
            return Err(token.problem(format_args!(
                "`{text}` is no part of an option: names start with a dash, values with `=` or `?`, modifiers with `:`"
            )));
        }
    }
    if names.is_empty() {
        return Err(text.problem(format_args!("the option `{}` has no name", text.text)));
    }
    if says.len() > 1 {
        return Err(text.problem(format_args!("the option `{}` has several modifiers", text.text)));
    }
    let value = match (roles.as_slice(), optional) {
        ([], None) => ValueParts::None,
        ([], Some(role)) => ValueParts::Optional(role),
        ([role], None) => ValueParts::Required(role.clone()),
        (_, None) => ValueParts::Several(roles),
        (_, Some(_)) => {
            let text = text.problem(format_args!("the option `{}` has both `=` and `?`", text.text));
            return Err(text);
        }
    };
    Ok(OptionParts { names, says: qualities(&says)?, value })
}

fn role_or_text(role: Text) -> Result<String> {
    member::<Role>(if role.text.is_empty() { role.part("text") } else { role })
}

/// Returns the source of each operand: `read... write`.
pub(super) fn operands(text: Text) -> Result<Vec<String>> {
    let (mut roles, mut several) = (Vec::new(), 0);
    for token in text.words() {
        let (role, many) = token.text.strip_suffix("...").map_or((token.text, false), |role| (role, true));
        several += usize::from(many);
        roles.push(format!("Operand {{ role: {}, many: {many} }}", member::<Role>(token.part(role))?));
    }
    if several > 1 {
        return Err(text.problem("only one role can have `...`"));
    }
    Ok(roles)
}

/// Reads an effect of the program itself: `service +stop ?all !dry-run`.
pub(super) fn effect(text: Text) -> Result<EffectParts> {
    let mut tokens = text.words();
    let action = tokens.next().ok_or_else(|| text.problem("expected an effect"))?;
    let (mut says, mut when, mut unless) = (Vec::new(), Vec::new(), Vec::new());
    for token in tokens {
        let (list, word) = match token.text.split_at_checked(1) {
            Some(("+", word)) => (&mut says, word),
            Some(("?", word)) => (&mut when, word),
            Some(("!", word)) => (&mut unless, word),
            _ => {
                let text = token.text;
                return Err(
                    token.problem(format_args!("expected `+word`, `?word` or `!word`, found `{text}`"))
                );
            }
        };
        list.push(token.part(word));
    }
    Ok(EffectParts {
        action: member::<Action>(action)?,
        qualities: qualities(&says)?,
        when: qualities(&when)?,
        unless: qualities(&unless)?,
    })
}
