//! Shell text for the import: which variables it uses, and how words are quoted.

use crate::environment::is_for_all;
use std::collections::HashSet;

/// Variables that every hook gets from the engine, or that the shell sets itself.
const SET: &[&str] = &[
    "HOOK_EVENT",
    "HOOK_TOOL_NAME",
    "HOOK_CONFIG_DIR",
    "PWD",
    "OLDPWD",
    "IFS",
    "PPID",
    "OPTARG",
    "OPTIND",
    "LINENO",
    "RANDOM",
    "SECONDS",
    "UID",
    "EUID",
    "BASH_SOURCE",
    "PIPESTATUS",
    "FUNCNAME",
];

/// The variables that `text` mentions and no hook gets without naming them, each once.
///
/// Text between single quotes is searched too, since it may be for another shell, but there a name in small letters is
/// more likely jq's or awk's. A name that the text sets itself is its own.
pub(super) fn variables(text: &str) -> Vec<String> {
    /// More than any honest command has, since each is looked for in the whole text.
    const MOST: usize = 100;
    let mut names: Vec<String> = Vec::new();
    let mut seen = HashSet::new();
    for (name, quoted) in mentions(text) {
        let small = name.starts_with(|c: char| c.is_ascii_lowercase());
        if is_for_all(name) || SET.contains(&name) || (quoted && small) || !seen.insert(name) {
            continue;
        }
        if !sets(text, name) {
            names.push(name.to_owned());
        }
        if seen.len() == MOST {
            break;
        }
    }
    names
}

/// Returns true if `text` mentions `$name` or `${name`.
pub(super) fn mentions_variable(text: &str, name: &str) -> bool {
    mentions(text).any(|(found, _)| found == name)
}

/// Returns true if `text` mentions it where the shell does not replace it.
pub(super) fn quotes_variable(text: &str, name: &str) -> bool {
    mentions(text).any(|(found, quoted)| quoted && found == name)
}

/// Returns each `$NAME` or `${NAME`, with true if it is between single quotes.
fn mentions(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut single = false;
    let mut double = false;
    let mut escaped = false;
    text.char_indices().filter_map(move |(at, c)| {
        if std::mem::take(&mut escaped) {
            return None;
        }
        match c {
            '\\' if !single => escaped = true,
            '\'' if !double => single = !single,
            '"' if !single => double = !double,
            '$' => {
                let rest = text.get(at + 1..)?;
                let rest = rest.strip_prefix('{').unwrap_or(rest);
                let rest = rest.strip_prefix(['#', '!']).unwrap_or(rest);
                let end = rest.find(|c: char| c != '_' && !c.is_ascii_alphanumeric()).unwrap_or(rest.len());
                let name = rest.get(..end)?;
                if name.starts_with(|c: char| c == '_' || c.is_ascii_alphabetic()) {
                    return Some((name, single));
                }
            }
            _ => {}
        }
        None
    })
}

/// Returns true if the text gives `name` a value before anything else can: `NAME=`, `for NAME`, `read NAME`.
fn sets(text: &str, name: &str) -> bool {
    let starts_word = |at: usize| {
        let before = text.get(..at).and_then(|before| before.chars().next_back());
        before.is_none_or(|c| !(c == '_' || c == '$' || c == '{' || c.is_ascii_alphanumeric()))
    };
    text.match_indices(name).any(|(at, _)| {
        let (before, after) =
            (text.get(..at).unwrap_or_default(), text.get(at + name.len()..).unwrap_or_default());
        let word = before.trim_end().rsplit(|c: char| !c.is_ascii_alphabetic()).next().unwrap_or_default();
        starts_word(at)
            && (after.starts_with('=') || (before.ends_with(' ') && matches!(word, "for" | "read" | "local")))
    })
}

/// The placeholder that Claude Code replaces in a word of a list, and that here only a shell can replace.
pub(super) const PROJECT: &str = "${CLAUDE_PROJECT_DIR}";

/// `words` as a text for the shell that runs exactly these, with the project's directory in place of its placeholder.
pub(super) fn join(words: &[String]) -> String {
    let words: Vec<String> = words.iter().map(|word| quote(word)).collect();
    words.join(" ")
}

fn quote(word: &str) -> String {
    let plain = |c: char| {
        c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.' | '/' | ':' | '=' | '@' | '%' | '+' | ',')
    };
    if !word.is_empty() && word.chars().all(plain) {
        return word.to_owned();
    }
    let parts: Vec<String> = word
        .split(PROJECT)
        .map(|part| {
            if part.is_empty() || part.chars().all(plain) {
                part.to_owned()
            } else {
                format!("'{}'", part.replace('\'', r"'\''"))
            }
        })
        .collect();
    if word.is_empty() { "''".to_owned() } else { parts.join(&format!("\"{PROJECT}\"")) }
}

/// Returns true if it runs this program as a hook: imported, it would call itself forever.
pub(super) fn is_ourselves(words: &[&str]) -> bool {
    let ours = |word: &str| {
        let word = word.trim_matches(['"', '\'', '`', '(', ')']);
        word.rsplit('/').next() == Some("checkrein")
    };
    words.iter().zip(words.iter().skip(1)).any(|(program, command)| ours(program) && *command == "hook")
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn variables_that_a_hook_must_name() {
        for (text, expected) in [
            ("echo $HOME $PATH ${XDG_DATA_HOME} $LC_ALL \"$CLAUDE_PROJECT_DIR\" $HOOK_EVENT $PWD", vec![]),
            ("curl -H \"Authorization: $TOKEN\" ${URL:-x} $TOKEN", vec!["TOKEN", "URL"]),
            ("echo $1 $@ $? $$ ${#} \\$NOT 100$", vec![]),
            ("jq -r '.tool_input.file_path as $x | $x'", vec![]),
            ("bash -c 'echo $SLACK_URL'", vec!["SLACK_URL"]),
            ("f=$(jq .x); [ -n \"$f\" ] && npx prettier \"$f\"", vec![]),
            ("for f in *; do echo $f ${#f}; done; read -r x; read y; echo $y", vec![]),
            ("X_TOKEN=1 true; echo $TOKEN", vec!["TOKEN"]),
            ("echo ${!REF} ${#LIST}", vec!["REF", "LIST"]),
            ("echo \"it's $QUOTED\"", vec!["QUOTED"]),
        ] {
            assert_eq!(variables(text), expected, "{text}");
        }
        assert!(quotes_variable("x '${CLAUDE_PROJECT_DIR}/y'", "CLAUDE_PROJECT_DIR"));
        assert!(!quotes_variable("x \"${CLAUDE_PROJECT_DIR}'s\"", "CLAUDE_PROJECT_DIR"));
    }

    #[test]
    fn ourselves() {
        let words = |text: &'static str| text.split_whitespace().collect::<Vec<_>>();
        assert!(is_ourselves(&words("\"/usr/bin/checkrein\" hook --host claude")));
        assert!(is_ourselves(&words("exec checkrein hook")));
        assert!(!is_ourselves(&words("checkrein check ls")));
        assert!(!is_ourselves(&words("./checkrein-old hook")));
    }

    proptest::proptest! {
        #![proptest_config(proptest::prelude::ProptestConfig::with_cases(64))]
        /// A real shell splits the text into the words again.
        #[test]
        fn a_shell_sees_the_words(words in proptest::collection::vec("([ -~é\n]|\\$\\{CLAUDE_PROJECT_DIR\\}){0,6}", 1..5)) {
            let text = format!("printf '%s\\0' x {}", join(&words));
            let output = Command::new("sh").args(["-c", &text]).env("CLAUDE_PROJECT_DIR", "/a b").output().unwrap();
            let expected: Vec<String> = words.iter().map(|word| word.replace(PROJECT, "/a b")).collect();
            assert_eq!(String::from_utf8(output.stdout).unwrap(), format!("x\0{}\0", expected.join("\0")), "{text}");
        }
    }
}
