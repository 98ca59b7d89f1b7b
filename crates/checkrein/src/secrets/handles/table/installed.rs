//! The options of the table, compared with the help of the programs that are installed here.

use super::{Program, built_in};
use std::process::{Command, Stdio};

/// Ways to ask a program for its help; one for each subcommand that has options of its own.
const HELP: &[(&str, &[&[&str]])] = &[
    ("git", &[&["clone", "-h"], &["fetch", "-h"], &["ls-remote", "-h"], &["push", "-h"]]),
    ("curl", &[&["--help", "all"]]),
    ("psql", &[&["--help"]]),
    ("pg_dump", &[&["--help"]]),
    ("createdb", &[&["--help"]]),
    ("dropdb", &[&["--help"]]),
    ("mysql", &[&["--no-defaults", "--help"]]),
    ("mariadb", &[&["--no-defaults", "--help"]]),
    ("mysqldump", &[&["--no-defaults", "--help"]]),
    ("redis-cli", &[&["--help"]]),
    ("npm", &[&["publish", "--help"], &["view", "--help"], &["search", "--help"]]),
    ("docker", &[&["login", "--help"]]),
    ("twine", &[&["upload", "--help"]]),
];

/// Options that work and are in no help: other spellings that a newer version prefers.
const UNDOCUMENTED: &[(&str, &str)] = &[("git", "--heads")];

/// Returns the help of a program; `None` if it is not installed.
fn help(program: &str, ways: &[&[&str]]) -> Option<String> {
    let mut all = String::new();
    for words in ways {
        let mut command = Command::new(program);
        let output = command.args(*words).stdin(Stdio::null()).env("PAGER", "cat").output().ok()?;
        all.push_str(&String::from_utf8_lossy(&output.stdout));
        all.push_str(&String::from_utf8_lossy(&output.stderr));
    }
    // A command of a version manager that has no version, or a broken installation.
    (all.len() > 200).then(|| all.replace("[no-]", ""))
}

/// Returns whether an option takes a value by a help; `None` if the help does not have it.
fn takes_value(help: &str, option: &str) -> Option<bool> {
    let in_a_name = |char: char| char.is_ascii_alphanumeric() || char == '-';
    let mut found = None;
    for (at, _) in help.match_indices(option) {
        let (before, rest) = help.split_at(at);
        let after = rest.strip_prefix(option).unwrap_or_default();
        if before.ends_with(in_a_name) || after.starts_with(in_a_name) {
            continue;
        }
        // `-X, --request <method>`: what follows the long name counts for the short one, too.
        let after = match after.strip_prefix(", ").filter(|rest| rest.starts_with('-')) {
            Some(rest) => rest.trim_start_matches(in_a_name),
            None => after,
        };
        let word = after.strip_prefix(' ').unwrap_or_default();
        let has_value = after.starts_with('=')
            || word.starts_with('<')
            || word.starts_with("string\n")
            || word.starts_with("string ");
        found = Some(found.unwrap_or_default() || has_value);
    }
    found
}

fn differences(program: &Program, name: &str, help: &str) -> Vec<String> {
    let known = |option: &&String| !UNDOCUMENTED.contains(&(name, option.as_str()));
    let switches = program.switches.iter().map(|option| (option, false));
    let values = program.values.iter().map(|option| (option, true));
    switches
        .chain(values)
        .filter(|(option, _)| known(option))
        .filter_map(|(option, expected)| match takes_value(help, option) {
            None => Some(format!("{name} has no {option}")),
            Some(found) if found != expected => Some(format!("{name} {option}: takes a value: {found}")),
            Some(_) => None,
        })
        .collect()
}

#[test]
fn the_options_are_those_of_the_programs() {
    let (mut wrong, mut seen) = (Vec::new(), 0);
    for (name, ways) in HELP {
        let program =
            built_in().into_iter().find(|program| program.names.iter().any(|known| known == name)).unwrap();
        match help(name, ways) {
            Some(help) => {
                seen += 1;
                wrong.extend(differences(&program, name, &help));
            }
            None => eprintln!("skipped: {name} is not installed here"),
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert!(seen > 0, "no program of the table is installed here");
}

#[test]
fn an_option_is_found_with_its_value() {
    let help = " -X, --request <method>  Method\n -s, --silent   Silent\n --host=NAME\n --user string   User\n --depth <n>\n";
    for (option, expected) in [
        ("-X", Some(true)),
        ("--request", Some(true)),
        ("-s", Some(false)),
        ("--host", Some(true)),
        ("--user", Some(true)),
        ("--silen", None),
        ("-h", None),
    ] {
        assert_eq!(takes_value(help, option), expected, "{option}");
    }
}
