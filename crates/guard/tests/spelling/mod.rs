//! Other ways to write a command that does the same.
//!
//! Each way answers nothing where it would change what the text does: a wrapper cannot be put before a built-in command, and
//! a quote inside an assignment or a keyword makes it another word.

use crate::support::{is_program, quoted};
use checkrein_guard::{Nesting, Script, ShellEnv, SimpleCommand, Word, read};
use std::{borrow::Cow, ops::Range};

/// Writes a text in another way, if that way does the same.
pub(crate) type Way = fn(&str) -> Option<String>;

macro_rules! ways {
    ($($text:pat_param => $written:expr),+ $(,)?) => { &[$(|text: &str| { let $text = text; $written },)+] };
}

/// Programs that run another one and do nothing else.
pub(crate) const WRAPPERS: &[Way] = ways![
    text => before("nice", text),
    text => before("nice -n 5", text),
    text => before("nohup", text),
    text => before("timeout 5", text),
    text => before("timeout -k 1 --signal=KILL 5s", text),
    text => before("env A=1", text),
    text => before("env -u LANG --", text),
    text => before("command", text),
    text => before("stdbuf -o0", text),
    text => before("setsid", text),
    text => before("time", text),
    text => before("/usr/bin/time -p", text),
    text => before("sudo", text),
    text => before("sudo -n -u root --", text),
    text => before("sudo env B=2 nice timeout 9", text),
    text => before("\\command", text),
    text => before("/usr/bin/env", text),
    // The shell ends there: what follows never runs.
    text => before("exec", text).filter(|_| script(text).commands.len() == 1),
    text => before("busybox", text).filter(|_| text.starts_with("rm ")),
    text => before("A=1 B=2", text),
];

/// Texts in which the same text runs.
pub(crate) const NESTINGS: &[Way] = ways![
    text => on_its_own(text).map(|text| format!("bash -c {}", quoted(text))),
    text => on_its_own(text).map(|text| format!("bash -lc {}", quoted(text))),
    text => plain_shell(text).map(|text| format!("sh -c {}", quoted(text))),
    text => on_its_own(text).map(|text| format!("eval {}", quoted(text))),
    text => on_its_own(text).map(|text| format!("(\n{text}\n)")),
    text => on_its_own(text).map(|text| format!("{{\n{text}\n}}")),
    text => on_its_own(text).map(|text| format!("echo \"$(\n{text}\n)\"")),
    text => on_its_own(text).map(|text| format!("x=\"$(\n{text}\n)\"; echo \"$x\"")),
    text => on_its_own(text).map(|text| format!("cat <(\n{text}\n)")),
    text => plain_shell(text).map(|text| format!("sh <<'END_OF_IT'\n{text}\nEND_OF_IT")),
    text => on_its_own(text).map(|text| format!("cat <<'END_OF_IT' | bash\n{text}\nEND_OF_IT")),
    text => on_its_own(text).map(|text| format!("bash <<< {}", quoted(text))),
    text => on_its_own(text).map(|text| format!("printf '%s\\n' {} | bash", quoted(text))),
    text => on_its_own(text).map(|text| format!("if true; then\n{text}\nfi")),
    text => on_its_own(text).map(|text| format!("while true; do\n{text}\nbreak; done")),
    text => on_its_own(text).map(|text| format!("for _ in 1; do\n{text}\ndone")),
    text => on_its_own(text).map(|text| format!("case x in x)\n{text}\n;; esac")),
    text => on_its_own(text).map(|text| { let name = fresh(text); format!("{name}() {{\n{text}\n}}\n{name}") }),
    text => on_its_own(text).map(|text| { let name = fresh(text); format!("shopt -s expand_aliases\nalias {name}={}\n{name}", quoted(text)) }),
    text => on_its_own(text).map(|text| { let name = fresh(text); format!("{name}={}; eval \"${name}\"", quoted(text)) }),
    text => on_its_own(text).map(|text| format!("trap {} EXIT", quoted(text))),
    text => on_its_own(text).map(|text| format!("{{\n{text}\n}} 2> /dev/null")),
    text => on_its_own(text).map(|text| format!("! {{\n{text}\n}}")),
    text => on_its_own(text).map(|text| format!("time {{\n{text}\n}}")),
    text => on_its_own(text).map(|text| format!("source /dev/stdin <<< {}", quoted(text))),
    text => on_its_own(text).map(|text| { let name = fresh(text); format!("echo {} > {name}.sh; bash {name}.sh", quoted(text)) }),
];

/// Harmless commands next to it.
pub(crate) const NEIGHBOURS: &[Way] = ways![
    text => Some(format!("true; {text}")),
    text => Some(format!("echo hi && {text}")),
    text => Some(format!("ls\n{text}")),
    text => Some(format!("ls -la; : ; echo 'it is fine'; {text}")),
    text => Some(format!(": && true && {text}")),
    text => Some(format!("sleep 0 & {text}")),
    text => Some(format!("false || {text}")),
    text => Some(format!("# nothing to see\n{text}")),
    text => Some(format!("echo \"rm -rf /tmp/x is only said\"; {text}")),
    text => ends_plainly(text).map(|text| format!("{text}; true")),
    text => ends_plainly(text).map(|text| format!("{text} && echo hi")),
    text => ends_plainly(text).map(|text| format!("{text} || true")),
    text => ends_plainly(text).map(|text| format!("{text} &")),
    text => ends_plainly(text).map(|text| format!("{text}\nls")),
    text => ends_plainly(text).map(|text| format!("{text} # and a word")),
    text => ends_plainly(text).map(|text| format!("{text} 2>/dev/null")),
];

/// Returns a name that no shorter text has: a nested text must not define again what contains it.
fn fresh(text: &str) -> String {
    format!("do_it_{}", text.len())
}

fn script(text: &str) -> Script {
    read(text, &ShellEnv { home: Some("/home/dev".to_owned()), ..ShellEnv::default() })
}

/// Puts words before a text, if it begins with a program of its own.
fn before(words: &str, text: &str) -> Option<String> {
    let script = script(text);
    let first = script
        .commands
        .iter()
        .filter(|command| command.span.start == 0)
        .max_by_key(|command| command.span.end)?;
    let name = first.words.first()?;
    let begins = name.span.start == 0
        && first.assignments.is_empty()
        && script.functions.is_empty()
        && script.aliases.is_empty();
    (begins && is_program(&name.constant()?)).then(|| format!("{words} {text}"))
}

/// Returns a text that can be on lines of its own.
fn on_its_own(text: &str) -> Option<&str> {
    // A history, a job or an `exec` belongs to its own shell; the rest does the same in a child.
    let belongs = script(text).commands.iter().any(|command| {
        let name = command.words.first().and_then(Word::constant);
        matches!(name.as_deref(), Some("history" | "fc"))
    });
    (!belongs && !text.ends_with('\\') && !text.contains("END_OF_IT")).then_some(text)
}

/// A text that any shell reads as bash does.
fn plain_shell(text: &str) -> Option<&str> {
    let only_bash = [
        "<(", ">(", "<<<", "$'", "[[", "{", "function", "&>", ">&", "|&", "((", "source", "pushd", "~+", "//",
    ];
    on_its_own(text).filter(|text| !only_bash.iter().any(|sign| text.contains(sign)))
}

/// A text after which something can be written on the same line.
fn ends_plainly(text: &str) -> Option<&str> {
    let open = text.contains("<<") && !text.contains("<<<")
        || text.ends_with(['\\', '&', ';'])
        || text.contains('#');
    (!open && script(text).opaque.is_empty()).then_some(text)
}

/// The places of words that can be written in another way.
fn plain_words(text: &str) -> Vec<Range<usize>> {
    let script = script(text);
    // A quoted word is not an alias.
    if !script.aliases.is_empty() {
        return Vec::new();
    }
    let mut places: Vec<Range<usize>> =
        script.commands.iter().filter(|command| is_plain(command)).flat_map(words).collect();
    places.retain(|place| {
        text.get(place.clone()).is_some_and(|raw| {
            raw.len() > 1
                && raw.chars().all(|char| char.is_ascii_alphanumeric() || "_./-:@%+,~*?".contains(char))
        })
    });
    places.sort_by_key(|place| place.start);
    places.dedup();
    places
}

/// Commands that declare variables read their words as assignments, and `time` and the like are known by their
/// letters.
fn is_plain(command: &SimpleCommand) -> bool {
    let name = command.words.first().and_then(Word::constant).unwrap_or_default();
    let in_function = command.within.iter().any(|place| matches!(place, Nesting::Function(_)));
    !in_function
        && !matches!(
            &*name,
            "export" | "declare" | "typeset" | "local" | "readonly" | "alias" | "time" | "coproc"
        )
}

fn words(command: &SimpleCommand) -> Vec<Range<usize>> {
    command.words.iter().map(|word| word.span.clone()).collect()
}

/// Writes a word (the n-th, or all of them) in another of six ways, at a place inside it.
pub(crate) fn respelled(text: &str, word: usize, at: usize, how: usize) -> Option<String> {
    let places = plain_words(text);
    let chosen =
        if word == usize::MAX { places } else { vec![places.get(word.checked_rem(places.len())?)?.clone()] };
    let mut result = text.to_owned();
    let mut changed = false;
    for place in chosen.into_iter().rev() {
        let raw = text.get(place.clone())?;
        if let Some(spelled) = spelled(raw, at, how) {
            result.replace_range(place, &spelled);
            changed = true;
        }
    }
    changed.then_some(result)
}

fn spelled(raw: &str, at: usize, how: usize) -> Option<String> {
    let quotable = !raw.contains(['*', '?', '~']);
    // Between two letters behind the first slash of `~/…`, nothing but letters is touched.
    let from = if raw.starts_with('~') { raw.find('/')? + 1 } else { 0 };
    let bytes = raw.as_bytes();
    let inside: Vec<usize> = (from.max(1)..raw.len())
        .filter(|&place| bytes[place - 1].is_ascii_alphanumeric() && bytes[place].is_ascii_alphanumeric())
        .collect();
    let between = || Some(raw.split_at(*inside.get(at.checked_rem(inside.len())?)?));
    match how {
        0 => between().map(|(left, right)| format!("{left}\"\"{right}")),
        1 => between().map(|(left, right)| format!("{left}''{right}")),
        2 => between().map(|(left, right)| format!("{left}\\{right}")),
        3 => quotable.then(|| format!("\"{raw}\"")),
        4 => quotable
            .then(|| format!("$'{}'", raw.bytes().map(|byte| format!("\\x{byte:02x}")).collect::<String>())),
        _ => between().map(|(left, right)| format!("{left}\\\n{right}")),
    }
}

/// Returns the text with its words further apart.
pub(crate) fn spaced(text: &str) -> Vec<String> {
    let script = script(text);
    let mut wide = text.to_owned();
    let mut gaps: Vec<Range<usize>> = Vec::new();
    for command in &script.commands {
        let places = words(command);
        for pair in places.windows(2) {
            let gap = pair[0].end..pair[1].start;
            if text
                .get(gap.clone())
                .is_some_and(|between| !between.is_empty() && between.chars().all(|char| char == ' '))
            {
                gaps.push(gap);
            }
        }
    }
    gaps.sort_by_key(|gap| gap.start);
    gaps.dedup();
    // In a text that is joined from words again, and in a pattern over it, a tab is a tab.
    for gap in gaps.into_iter().rev() {
        wide.replace_range(gap, "  \t ");
    }
    let mut ways = vec![wide, format!("  {text}")];
    if !text.ends_with('\\') {
        ways.push(format!("{text}  "));
        ways.push(format!("\n{text}\n\n"));
    }
    ways
}

/// Returns the command with its options elsewhere: after the operands, reversed, one by one.
pub(crate) fn option_orders(text: &str) -> Vec<String> {
    let script = script(text);
    let [command] = script.commands.as_slice() else { return Vec::new() };
    let words = command.words.iter().map(|word| word.constant().map(Cow::into_owned));
    let Some(words) = words.collect::<Option<Vec<String>>>() else { return Vec::new() };
    let plain = words.join(" ") == text && command.redirects.is_empty();
    let fixed = match words.first().map(String::as_str) {
        Some("rm" | "chmod" | "chown" | "cp" | "mv" | "ln") => 1,
        // These have subcommands of their own.
        Some("git")
            if matches!(
                words.get(1).map(String::as_str),
                Some("submodule" | "stash" | "reflog" | "worktree" | "remote" | "bisect")
            ) =>
        {
            3
        }
        Some("git" | "kubectl" | "systemctl") => 2,
        Some("docker") => 3,
        _ => return Vec::new(),
    };
    if !plain || words.len() <= fixed || words[..fixed].iter().any(|word| word.starts_with('-')) {
        return Vec::new();
    }
    let (options, operands): (Vec<String>, Vec<String>) =
        words[fixed..].iter().cloned().partition(|word| word.starts_with('-') && word.len() > 1);
    // An option that takes the next word, and what follows `--`, must stay in place.
    let takes_a_word = ["-m", "-t", "-S", "-o", "-n", "-b", "--", "-p", "-c", "-e", "-C"];
    if options.is_empty()
        || options.iter().any(|option| takes_a_word.contains(&option.as_str()) || option.contains('='))
    {
        return Vec::new();
    }
    let head = words[..fixed].join(" ");
    let (options_text, operands_text) = (options.join(" "), operands.join(" "));
    let turned: Vec<&str> = options.iter().rev().map(String::as_str).collect();
    let mut orders = vec![
        format!("{head} {operands_text} {options_text}"),
        format!("{head} {} {operands_text}", turned.join(" ")),
    ];
    let single: Vec<String> = options
        .iter()
        .flat_map(|option| match option.strip_prefix('-') {
            Some(letters) if !letters.starts_with('-') && letters.chars().all(char::is_alphabetic) => {
                letters.chars().rev().map(|letter| format!("-{letter}")).collect()
            }
            _ => vec![option.clone()],
        })
        .collect();
    if fixed == 1 {
        orders.push(format!("{head} {} {operands_text}", single.join(" ")));
        let mut middle = operands.clone();
        middle.splice(operands.len().min(1)..operands.len().min(1), single);
        orders.push(format!("{head} {}", middle.join(" ")));
    }
    orders
}
