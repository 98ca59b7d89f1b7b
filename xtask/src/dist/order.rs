//! Finds the functions that an event needs, so that the linker can put them next to each other.
//!
//! A process that answers one event runs a small part of the program, and that part was spread over all of
//! it: most of the time went into pages that were touched for a few functions each. The system maps sixteen
//! pages at a time, which costs as much as some thousand instructions each time. So the functions that some
//! usual events run come first in the program, and so do the tables that the compiler made for them.
//! Callgrind finds them. `dist` runs it for every release, and the list stays below the build directory.

use crate::{Failed, Result, cannot, root, say, target};
use std::{
    collections::BTreeSet,
    fs, io,
    path::{Path, PathBuf},
    process::{Command, Stdio},
};

/// Returns the path of the linker script, which may not exist.
pub(super) fn script() -> PathBuf {
    target().join("dist/order.ld")
}

/// Returns true if functions can be traced on this machine.
pub(super) fn is_possible() -> bool {
    let mut valgrind = Command::new("valgrind");
    valgrind.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    valgrind.status().is_ok_and(|status| status.success())
}

/// Removes the list of an earlier build, so that a release never depends on what was built before it.
pub(super) fn forget() -> Result<()> {
    let script = script();
    match fs::remove_file(&script) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(cannot("remove", &script.to_string_lossy(), &error))
        }
        Ok(()) | Err(_) => Ok(()),
    }
}

/// Commands that agents give to a shell, the usual ones first.
const TEXTS: [&str; 4] =
    ["git status --short && git log --oneline -5", "ls -la src | head", "cargo check", ""];

/// Runs the program on some events, and writes the order of its functions.
pub(super) fn write(program: &Path) -> Result<()> {
    say("running some events under valgrind, to see which functions they need");
    let directory = target().join("order");
    fs::create_dir_all(&directory).map_err(|error| cannot("create", &directory.to_string_lossy(), &error))?;
    let mut functions = Functions::default();
    for event in events()? {
        functions.add(&ran(program, &event)?);
    }
    if functions.list.is_empty() {
        return Err(Failed::Because("callgrind names no function of the program; is it stripped?".into()));
    }
    let script = script();
    fs::write(&script, functions.script())
        .map_err(|error| cannot("write", &script.to_string_lossy(), &error))?;
    say(&format!("{} functions come first", functions.list.len()));
    Ok(())
}

/// Returns events as a host sends them: one after the call, and shell commands from short ones to scripts.
fn events() -> Result<Vec<String>> {
    let event_in = |directory: &Path, name: &str, command: &str| {
        // Long commands are read differently from short ones.
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
    // Outside any repository.
    events.extend(TEXTS.iter().map(|text| event_in(Path::new("/"), "PreToolUse", text)));
    for file in files {
        let text =
            fs::read_to_string(&file).map_err(|error| cannot("read", &file.to_string_lossy(), &error))?;
        events.push(event("PreToolUse", &text));
    }
    Ok(events)
}

/// Returns callgrind's profile of one run.
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

/// Names of functions, each once, in the order in which they first appeared.
#[derive(Default)]
struct Functions {
    list: Vec<String>,
    known: BTreeSet<String>,
}

impl Functions {
    fn add(&mut self, profile: &str) {
        for name in profile.lines().filter_map(function) {
            if self.known.insert(name.to_owned()) {
                self.list.push(name.to_owned());
            }
        }
    }

    fn script(&self) -> String {
        let code = START.into_iter().map(str::to_owned).chain(self.list.iter().map(|name| code(name)));
        let ours = self.list.iter().filter(|name| is_ours(name));
        let constants = CONSTANTS.into_iter().map(str::to_owned).chain(ours.map(|name| tables(name)));
        let large = LARGE.into_iter().map(str::to_owned);
        let mut script = "/* What usual events need. Written by `cargo xtask dist`. */\n".to_owned();
        script.push_str(&section(".text.event", code, "BEFORE .text"));
        script.push_str(&section(".rodata.event", constants, "BEFORE .rodata"));
        script.push_str(&section(".bss.large", large, "AFTER .bss"));
        script
    }
}

/// Returns a section of the linker script with these parts, in their order.
fn section(name: &str, parts: impl Iterator<Item = String>, place: &str) -> String {
    let parts: String = parts.map(|part| format!("    {part}\n")).collect();
    format!("SECTIONS\n{{\n  {name} :\n  {{\n{parts}  }}\n}}\nINSERT {place};\n")
}

/// Code that runs before and after all of our functions, and has no name of its own in a profile.
const START: [&str; 5] = [
    "*crt1.o(.text .text.*)",
    "*libc.a:__libc_start_main.lo(.text.*)",
    "*libc.a:__init_tls.lo(.text.*)",
    "*libc.a:_Exit.lo(.text.*)",
    "*libc.a:*(.text)",
];

/// Constants that do not belong to one function: those of CPU instructions, and the named ones that every
/// event uses.
const CONSTANTS: [&str; 3] = [
    "*(.rodata.cst*)",
    "*libc.a:sysconf.lo(.rodata .rodata.*)",
    "*(.rodata._R*10serde_json3ser6ESCAPE .rodata._RN*15checkrein_guard4data*)",
];

/// Memory of which most is never touched. It comes after all small variables, so that those share their
/// pages with each other and with the first blocks of the heap.
const LARGE: [&str; 3] = [
    "*(.bss._R*9checkrein9allocator6REGION)",
    "*(.bss._R*9checkrein11crash_reply13HANDLER_STACK)",
    "*libc.a:*(.bss.keys .bss.__malloc_context .bss.__pthread_tsd_main)",
];

/// Returns the function that a line of a profile names: `fn=(12) name` and `cfn=(12) name'2`.
fn function(line: &str) -> Option<&str> {
    let rest = line.strip_prefix("fn=(").or_else(|| line.strip_prefix("cfn=("))?;
    let (_, name) = rest.split_once(") ")?;
    let name = name.split_once('\'').map_or(name, |(name, _)| name);
    let is_name = name.chars().all(|char| char.is_ascii_alphanumeric() || "_.".contains(char));
    (is_name && !name.starts_with(|char: char| char.is_ascii_digit())).then_some(name)
}

/// Returns true if the function is written in Rust.
fn is_ours(name: &str) -> bool {
    name.starts_with("_R")
}

/// Returns the sections that may contain the code of a function.
fn code(name: &str) -> String {
    if is_ours(name) {
        // The compiler keeps code that it considers rare separate.
        format!("*(.text.{name} .text.unlikely.{name})")
    } else {
        // The C library has two names for many of its functions.
        format!("*(.text.{name} .text.__{name})")
    }
}

/// Returns the sections that may contain the tables of a function.
fn tables(name: &str) -> String {
    format!("*(.rodata.{name} .rodata..Lswitch.table.{name}*)")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_profile_names_each_function_once() {
        let mut functions = Functions::default();
        functions.add(
            "fl=(1) a.rs\nfn=(1) _RNvCs2_5alloc3fmt\n+1 2\ncfn=(2) _RNvCs2_5alloc3fmt'2\nfn=(1)\n\
             fn=(3) memcpy\nfn=(4) _RNvCs0_3std6Blocks.12'2\nfn=(5) (below main)\nfn=(6) 0x1234\n",
        );
        assert_eq!(functions.list, ["_RNvCs2_5alloc3fmt", "memcpy", "_RNvCs0_3std6Blocks.12"]);
        let script = functions.script();
        assert!(script.contains(
            "    *(.text._RNvCs2_5alloc3fmt .text.unlikely._RNvCs2_5alloc3fmt)\n    *(.text.memcpy .text.__memcpy)\n"
        ));
        assert!(
            script.contains("    *(.rodata._RNvCs2_5alloc3fmt .rodata..Lswitch.table._RNvCs2_5alloc3fmt*)\n")
        );
        assert!(!script.contains(".rodata.memcpy"));
    }
}
