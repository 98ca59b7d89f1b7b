//! Which functions an event needs, so that the linker can put them beside each other.
//!
//! A process that answers one event runs a small part of the program, and that part was spread over all of it: most of the
//! time went into pages that were touched for a few functions each. The system maps sixteen pages at a time, and each time
//! costs as much as some thousand instructions. So the functions that ran in some usual events come first in the program,
//! and so do the tables that the compiler made for them. They are found by running it under callgrind, and written down as
//! patterns, since parts of their names differ from build to build. A pattern that no longer fits does nothing; when many do
//! not, run this again.

use crate::{Failed, Result, cannot, root, say, target};
use std::{
    collections::BTreeSet,
    fs,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// What the linker is given, from the root of the repository.
pub(super) const SCRIPT: &str = "xtask/src/dist/order.ld";

/// The texts that agents give to a shell, the usual ones first.
const TEXTS: [&str; 4] =
    ["git status --short && git log --oneline -5", "ls -la src | head", "cargo check", ""];

/// Runs the program on some events, and writes the order of its functions.
pub(super) fn write(program: &Path) -> Result<()> {
    say("running some events under valgrind, to see which functions they need");
    let directory = target().join("order");
    fs::create_dir_all(&directory).map_err(|error| cannot("create", &directory.to_string_lossy(), &error))?;
    let mut patterns = Patterns::default();
    for event in events()? {
        patterns.add(&ran(program, &event)?);
    }
    if patterns.list.is_empty() {
        return Err(Failed::Because("callgrind names no function of the program; is it stripped?".into()));
    }
    let script = root().join(SCRIPT);
    fs::write(&script, patterns.script()).map_err(|error| cannot("write", SCRIPT, &error))?;
    println!("functions   {}, written to {SCRIPT}", patterns.list.len());
    Ok(())
}

/// Events as a host sends them: one after the fact, and shell commands from short ones to scripts.
fn events() -> Result<Vec<String>> {
    let event_in = |directory: &Path, name: &str, command: &str| {
        // Long texts are read in another way than short ones.
        let about = "Shows the state of the tree. ".repeat(20);
        let response = serde_json::json!({ "stdout": "", "stderr": "", "interrupted": false });
        serde_json::json!({
            "session_id": "1", "transcript_path": "/tmp/transcript.jsonl", "cwd": directory, "hook_event_name": name,
            "tool_name": "Bash", "tool_input": { "command": command, "description": about }, "tool_response": response,
        })
        .to_string()
    };
    let event = |name: &str, command: &str| event_in(root(), name, command);
    let directory = root().join("benches/texts");
    let files = fs::read_dir(&directory).map_err(|error| cannot("read", "benches/texts", &error))?;
    let mut files: Vec<PathBuf> = files.filter_map(|file| Some(file.ok()?.path())).collect();
    files.sort();
    let mut events = vec![event("PostToolUse", "true")];
    events.extend(TEXTS.iter().map(|text| event("PreToolUse", text)));
    // Outside of every repository.
    events.extend(TEXTS.iter().map(|text| event_in(Path::new("/"), "PreToolUse", text)));
    for file in files {
        let text =
            fs::read_to_string(&file).map_err(|error| cannot("read", &file.to_string_lossy(), &error))?;
        events.push(event("PreToolUse", &text));
    }
    Ok(events)
}

/// What callgrind writes about one run.
fn ran(program: &Path, event: &str) -> Result<String> {
    let (input, profile) = (target().join("order/event.json"), target().join("order/callgrind.out"));
    fs::write(&input, event).map_err(|error| cannot("write", &input.to_string_lossy(), &error))?;
    let stdin = fs::File::open(&input).map_err(|error| cannot("read", &input.to_string_lossy(), &error))?;
    let mut valgrind = Command::new("valgrind");
    valgrind.args(["--tool=callgrind", "--demangle=no"]);
    valgrind.arg(format!("--callgrind-out-file={}", profile.display()));
    // Any answer will do, and an empty home has no configuration.
    valgrind.arg(program).args(["hook", "--host", "claude"]).env("HOME", target().join("order"));
    valgrind.stdin(stdin).stdout(Stdio::null()).stderr(Stdio::null());
    valgrind.status().map_err(|error| cannot("start", "valgrind", &error))?;
    fs::read_to_string(&profile).map_err(|error| cannot("read", &profile.to_string_lossy(), &error))
}

/// Names of sections, each once, in the order in which they were seen.
#[derive(Default)]
struct Patterns {
    list: Vec<Pattern>,
    known: BTreeSet<Pattern>,
}

impl Patterns {
    fn add(&mut self, profile: &str) {
        for name in profile.lines().filter_map(function) {
            if let Some(pattern) = Pattern::of(name)
                && self.known.insert(pattern.clone())
            {
                self.list.push(pattern);
            }
        }
    }

    fn script(&self) -> String {
        let code = START.into_iter().map(str::to_owned).chain(self.list.iter().map(Pattern::code));
        let ours = self.list.iter().filter(|pattern| pattern.name.starts_with("_R"));
        let constants = CONSTANTS.into_iter().map(str::to_owned).chain(ours.map(Pattern::tables));
        let large = LARGE.into_iter().map(str::to_owned);
        let mut script = "/* What usual events need. Written by `cargo xtask order`. */\n".to_owned();
        script.push_str(&section(".text.event", code, "BEFORE .text"));
        script.push_str(&section(".rodata.event", constants, "BEFORE .rodata"));
        script.push_str(&section(".bss.large", large, "AFTER .bss"));
        script
    }
}

/// A section of the program that has these parts, in their order.
fn section(name: &str, parts: impl Iterator<Item = String>, place: &str) -> String {
    let parts: String = parts.map(|part| format!("    {part}\n")).collect();
    format!("SECTIONS\n{{\n  {name} :\n  {{\n{parts}  }}\n}}\nINSERT {place};\n")
}

/// What runs before and after all functions of ours, and has no name of its own in a profile.
const START: [&str; 5] = [
    "*crt1.o(.text .text.*)",
    "*libc.a:__libc_start_main.lo(.text.*)",
    "*libc.a:__init_tls.lo(.text.*)",
    "*libc.a:_Exit.lo(.text.*)",
    "*libc.a:*(.text)",
];

/// Constants that are not those of one function: of the processor's instructions, and the named ones of what every event runs.
const CONSTANTS: [&str; 3] = [
    "*(.rodata.cst*)",
    "*libc.a:sysconf.lo(.rodata .rodata.*)",
    "*(.rodata._R*10serde_json3ser6ESCAPE .rodata._RN*15checkrein_guard4data*)",
];

/// Memory of which most is never touched. Behind all small variables, so that those share their pages with each other, and
/// with the first blocks of the heap.
const LARGE: [&str; 3] = [
    "*(.bss._R*9checkrein9allocator6GLOBAL5FIRST)",
    "*(.bss._R*9checkrein10last_words13HANDLER_STACK)",
    "*libc.a:*(.bss.keys .bss.__malloc_context .bss.__pthread_tsd_main)",
];

/// The function that a line of a profile names: `fn=(12) name` and `cfn=(12) name'2`.
fn function(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("fn=(").or_else(|| line.strip_prefix("cfn=("))?;
    let (_, name) = rest.split_once(") ")?;
    Some(name.split_once('\'').map_or(name, |(name, _)| name))
}

/// Names of one function.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Pattern {
    /// With a star for what differs from build to build.
    name: String,
    /// Whether the compiler has put a number behind it.
    is_numbered: bool,
}

impl Pattern {
    /// Nothing for what is no name of a function.
    fn of(name: &str) -> Option<Self> {
        let (name, is_numbered) = name.split_once('.').map_or((name, false), |(name, _)| (name, true));
        let is_name = name.chars().all(|char| char.is_ascii_alphanumeric() || char == '_');
        if !is_name || name.starts_with(|char: char| char.is_ascii_digit()) {
            return None;
        }
        Some(Self { name: starred(name), is_numbered })
    }

    /// The sections that its code may lie in.
    fn code(&self) -> String {
        let name = &self.name;
        if name.starts_with("_R") {
            // What the compiler thinks to be rare is apart.
            format!("*({} {})", self.called(".text."), self.called(".text.unlikely."))
        } else {
            // The C library calls many of its functions by two names.
            format!("*(.text.{name} .text.__{name})")
        }
    }

    /// The sections that its tables may lie in.
    fn tables(&self) -> String {
        format!("*({} .rodata..Lswitch.table.{}*)", self.called(".rodata."), self.name)
    }

    /// Sections that are called like the function behind `prefix`.
    fn called(&self, prefix: &str) -> String {
        let Self { name, is_numbered } = self;
        if *is_numbered { format!("{prefix}{name} {prefix}{name}.*") } else { format!("{prefix}{name}") }
    }
}

/// A crate has a number before its name (`Cs` number `_`), and what was named before is said by its place (`B` place `_`),
/// which depends on how long those numbers are.
fn starred(name: &str) -> String {
    if !name.starts_with("_R") {
        return name.to_owned();
    }
    let (mut pattern, mut rest) = (String::new(), name);
    while let Some(char) = rest.chars().next() {
        let number = ["Cs", "B"].into_iter().find_map(|tag| {
            let (number, after) = rest.strip_prefix(tag)?.split_once('_')?;
            let most = if tag == "B" { 3 } else { 11 };
            let is_number = number.len() <= most && number.chars().all(|char| char.is_ascii_alphanumeric());
            is_number.then_some((tag, after))
        });
        if let Some((tag, after)) = number {
            pattern.push_str(tag);
            pattern.push_str("*_");
            rest = after;
        } else {
            pattern.push(char);
            rest = rest.strip_prefix(char).unwrap_or_default();
        }
    }
    pattern
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_names_functions_once_without_what_differs() {
        let mut patterns = Patterns::default();
        patterns.add(
            "fl=(1) a.rs\nfn=(1) _RNvNtCs2Nb3gJ4iU0I_5alloc3fmtB5_\n+1 2\ncfn=(2) _RNvNtCsaz6eC2DG7lh_5alloc3fmtBa_\nfn=(1)\n\
             fn=(3) memcpy\nfn=(4) _RNvCs0_3std6Blocks.12'2\nfn=(5) (below main)\nfn=(6) 0x1234\n",
        );
        let names: Vec<&str> = patterns.list.iter().map(|pattern| pattern.name.as_str()).collect();
        assert_eq!(names, ["_RNvNtCs*_5alloc3fmtB*_", "memcpy", "_RNvCs*_3std6Blocks"]);
        let script = patterns.script();
        assert!(
            script.contains(
                "    *(.text._RNvNtCs*_5alloc3fmtB*_ .text.unlikely._RNvNtCs*_5alloc3fmtB*_)\n    *(.text.memcpy .text.__memcpy)\n"
            )
        );
        assert!(
            script.contains("    *(.text._RNvCs*_3std6Blocks .text._RNvCs*_3std6Blocks.* .text.unlikely.")
        );
        assert!(script.contains(
            "    *(.rodata._RNvNtCs*_5alloc3fmtB*_ .rodata..Lswitch.table._RNvNtCs*_5alloc3fmtB*_*)\n"
        ));
        assert!(!script.contains(".rodata.memcpy"));
    }
}
