//! Imports an agent's own permission rules: commands that need no question become allow rules, and the rest is listed.
//!
//! A permission rule of an agent is about the spelling of a command, and a rule of ours about its effects. So a rule that
//! denies or asks has no equivalent here, and an allow rule covers less: only what reads, and only in the project.

use super::{
    Found,
    read::Reading,
    text::{comment, strings},
};
use crate::config::tree::{Field, Node};

/// The lists of rules that an agent has.
const LISTS: [&str; 3] = ["allow", "ask", "deny"];

/// Reads the table of permissions.
pub(super) fn read<'t>(node: Node<'t>, found: &mut Found, reading: &mut Reading<'_, 't>) {
    for Field { key, node, .. } in reading.table("permissions", node).unwrap_or_default() {
        if !LISTS.contains(&&*key) {
            continue;
        }
        let place = format!("permissions.{key}");
        for rule in reading.texts(&place, node).unwrap_or_default() {
            match allowed(&rule).filter(|_| key == "allow") {
                Some(commands) => found.allowed.extend(commands),
                None => found.remarks.push(format!(
                    "`{place}`: `{rule}` has no equivalent here, so keep it in the agent, or write a `[[rule]]` about the effect"
                )),
            }
        }
    }
}

/// Returns the commands that a rule allows, as an allow rule names them; `None` if it is not about plain commands.
fn allowed(rule: &str) -> Option<Vec<String>> {
    let text = rule.strip_prefix("Bash(")?.strip_suffix(')')?;
    let prefix = text.strip_suffix(":*").or_else(|| text.strip_suffix(" *"));
    plain_commands(prefix.unwrap_or(text), prefix.is_some())
}

/// Returns a plain command as an allow rule names it, with what may follow it if it is a prefix; `None` if it is more than words.
pub(super) fn plain_commands(command: &str, is_prefix: bool) -> Option<Vec<String>> {
    let is_plain = |char: char| char.is_ascii_alphanumeric() || " ._-/:=@+".contains(char);
    let starts = command.chars().next().is_some_and(|char| char.is_ascii_alphabetic());
    let program = command.split(' ').next().unwrap_or_default();
    if !starts
        || program.contains(['/', '=', ':'])
        || command.contains("  ")
        || !command.chars().all(is_plain)
    {
        return None;
    }
    let mut commands = vec![command.to_owned()];
    commands.extend(is_prefix.then(|| format!("{command} *")));
    Some(commands)
}

/// Writes the allow rule.
pub(super) fn allow_rule(commands: &[String]) -> String {
    if commands.is_empty() {
        return String::new();
    }
    let about = "from what the agent allows. It covers a command as long as it only reads, in the project; the agent asks about \
                 the rest. `effect` and `zone` widen it.";
    format!("\n{}[[allow]]\nprograms = {}\n", comment("# ", about), strings(commands))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_plain_commands_are_allowed() {
        let commands = |rule| allowed(rule).unwrap_or_default();
        assert_eq!(commands("Bash(git status)"), ["git status"]);
        assert_eq!(commands("Bash(npm run test:*)"), ["npm run test", "npm run test *"]);
        assert_eq!(commands("Bash(ls *)"), ["ls", "ls *"]);
        for rule in [
            "Bash",
            "Bash(*)",
            "Bash(:*)",
            "Bash(git * main)",
            "Bash(A=1 ls)",
            "Bash(./x)",
            "Bash(a && b)",
            "Read(./.env)",
        ] {
            assert!(commands(rule).is_empty(), "{rule}");
        }
    }
}
