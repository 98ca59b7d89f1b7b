//! Commands that only read, by what the tables say of their programs.
//!
//! This is for suggestions from history, which an agent may have written. So it says nothing of a program by its past: a program
//! counts if the table has an entry without code of its own whose operands are read or are text, or if it is in the list of
//! commands that only look. What a call really does is still judged by its effects.

use crate::{
    data::{REPOSITORY_GIT_LOOKS, REPOSITORY_LOOKS},
    effect::Invocation,
    program::{Program, Role, find, has_subcommands, subcommands},
    vocabulary::Action,
};

/// Returns the words under which the tables know a command that only reads: `cat`, `git log`, `docker ps`. `None` if it may do more, if
/// the tables do not know it, or if it is written with a path or with options in front of its subcommand.
pub fn reading_name(ran: &Invocation) -> Option<String> {
    let known = ran.known_as.as_deref()?;
    let first = ran.words.first().filter(|word| is_name(word))?;
    if first == "git" {
        let command = ran.words.get(1).filter(|word| REPOSITORY_GIT_LOOKS.contains(&word.as_str()))?;
        return Some(format!("git {command}"));
    }
    let parts: Vec<&str> = known.split(' ').collect();
    let is_written =
        parts.iter().zip(&ran.words).filter(|(part, word)| is_name(part) && *part == word).count();
    if is_written != parts.len() {
        return None;
    }
    let looks = parts.len() == 1 && REPOSITORY_LOOKS.contains(&known);
    (looks || entry(&parts).is_some_and(only_reads)).then(|| known.to_owned())
}

fn is_name(word: &str) -> bool {
    !word.is_empty() && word.chars().all(|char| char.is_ascii_alphanumeric() || "-_+".contains(char))
}

/// Returns the entry of a command. One for a program with subcommands is about those that the table does not know.
fn entry(parts: &[&str]) -> Option<&'static Program> {
    let (first, rest) = parts.split_first()?;
    let mut program = find(first)?;
    for word in rest {
        program = subcommands(program, word).into_iter().next()?;
    }
    (!has_subcommands(program)).then_some(program)
}

fn only_reads(program: &Program) -> bool {
    let operands = program.operands.into_iter().chain(program.cases.iter().flat_map(|case| case.operands));
    program.handler.is_none()
        && program.does.iter().all(|effect| effect.action == Action::Read)
        && operands.into_iter().all(|operand| matches!(operand.role, Role::Read | Role::Text))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{CallContext, EmptyWorld, judge};

    fn name(command: &str) -> Option<String> {
        let place = CallContext { cwd: Some("/home/dev/shop".into()), ..CallContext::default() };
        let judgement = judge(command, &place, &EmptyWorld::new("/home/dev"));
        judgement.ran.last().and_then(reading_name)
    }

    #[test]
    fn only_what_the_tables_know_to_read_has_a_name() {
        for (command, expected) in [
            ("cat a.txt", "cat"),
            ("git log --oneline", "git log"),
            ("ls -la", "ls"),
            ("docker ps -a", "docker ps"),
        ] {
            assert_eq!(name(command).as_deref(), Some(expected), "{command}");
        }
        for command in [
            "/bin/cat a.txt",
            "./cat a.txt",
            "git push",
            "git frobnicate",
            "git -C /x log",
            "git",
            "npm test",
            "cargo tree",
            "docker frobnicate",
            "rm a.txt",
            "tee a.txt",
            "unheard-of a.txt",
            "python3 a.py",
            "make",
            "curl https://h.test",
            "find . -delete",
            "sed -i s/a/b/ x",
            "$CAT a.txt",
        ] {
            assert_eq!(name(command), None, "{command}");
        }
    }
}
