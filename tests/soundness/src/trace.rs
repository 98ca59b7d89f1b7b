//! Reads the log of `strace`: the successful calls of each process, with absolute paths.

use crate::cell::MARK;
use std::collections::BTreeMap;

/// A call that changed something, or started something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Call {
    /// A file was opened for writing.
    Open {
        /// The file.
        path: String,
        /// Whether it was emptied.
        truncated: bool,
        /// Whether it would have been made.
        creates: bool,
    },
    /// A file was cut.
    Truncate(String),
    /// A file or a directory was removed.
    Remove(String),
    /// A file or a directory has another name.
    Rename(String, String),
    /// Two files changed places.
    Exchange(String, String),
    /// A directory, a link, a pipe was made.
    Make(String),
    /// Permissions changed.
    Mode(String),
    /// An owner changed.
    Owner(String),
    /// A program was started.
    Exec(String),
    /// A connection to another machine was tried.
    Connect(String),
}

/// A call, with the program that made it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Event {
    /// The name of the program, without its directory.
    pub program: String,
    /// The call.
    pub call: Call,
}

#[derive(Clone, Debug, Default)]
struct Process {
    directory: String,
    program: String,
}

/// Reads a log from the mark on.
pub fn read(log: &str) -> Vec<Event> {
    let mut reader = Reader::default();
    let mut unfinished: BTreeMap<&str, String> = BTreeMap::new();
    for line in log.lines() {
        let Some((pid, rest)) = line.split_once(' ') else { continue };
        let rest = rest.trim_start();
        if let Some(start) = rest.strip_suffix("<unfinished ...>") {
            unfinished.insert(pid, start.trim_end().to_owned());
            // A child may be seen before the call that made it ends.
            continue;
        }
        let resumed = rest.strip_prefix("<... ").and_then(|rest| rest.split_once(" resumed>"));
        match resumed {
            Some((_, end)) => {
                let whole = unfinished.remove(pid).unwrap_or_default() + end;
                reader.line(pid, &whole);
            }
            None => reader.line(pid, rest),
        }
    }
    reader.events
}

#[derive(Default)]
struct Reader {
    processes: BTreeMap<String, Process>,
    /// The process whose child is seen before its call ends.
    last: String,
    started: bool,
    events: Vec<Event>,
}

impl Reader {
    fn line(&mut self, pid: &str, line: &str) {
        let Some((name, rest)) = line.split_once('(') else { return };
        if name.contains(' ') || name.starts_with('+') || name.starts_with('-') {
            return;
        }
        let arguments = arguments(rest);
        if name == "unlink" && arguments.first().and_then(|path| quoted(path)).as_deref() == Some(MARK) {
            self.started = true;
            self.processes
                .insert(pid.to_owned(), Process { directory: "/".to_owned(), program: String::new() });
            pid.clone_into(&mut self.last);
            return;
        }
        if !self.started {
            return;
        }
        let Some(result) = result(rest) else { return };
        self.call(pid, name, &arguments, result);
        pid.clone_into(&mut self.last);
    }

    fn process(&mut self, pid: &str) -> &mut Process {
        let parent = self.processes.get(&self.last).cloned().unwrap_or_default();
        self.processes.entry(pid.to_owned()).or_insert(parent)
    }

    fn call(&mut self, pid: &str, name: &str, arguments: &[String], result: &str) {
        if result.starts_with('-') && name != "connect" {
            return;
        }
        let process = self.process(pid).clone();
        let at = |place: usize| arguments.get(place).map(String::as_str).unwrap_or_default();
        let here = |place: usize| absolute(&process.directory, &quoted(at(place)).unwrap_or_default());
        let below = |directory: usize, place: usize| {
            let base = descriptor(at(directory)).unwrap_or_else(|| process.directory.clone());
            absolute(&base, &quoted(at(place)).unwrap_or_default())
        };
        let opened = |path: String, flags: &str| {
            let path = descriptor(result).filter(|path| path.starts_with('/')).unwrap_or(path);
            // A temporary file without a name is nobody else's.
            let writes =
                !flags.contains("O_TMPFILE") && (flags.contains("O_WRONLY") || flags.contains("O_RDWR"));
            let (truncated, creates) = (flags.contains("O_TRUNC"), flags.contains("O_CREAT"));
            (writes || truncated || creates).then_some(Call::Open { path, truncated, creates })
        };
        let call = match name {
            "execve" | "execveat" => {
                let path = if name == "execve" { here(0) } else { below(0, 1) };
                self.process(pid).program = base(&path).to_owned();
                Some(Call::Exec(path))
            }
            "chdir" => {
                self.process(pid).directory = here(0);
                None
            }
            "fchdir" => {
                if let Some(directory) = descriptor(at(0)) {
                    self.process(pid).directory = directory;
                }
                None
            }
            "clone" | "clone3" | "fork" | "vfork" => {
                let child = result.split_whitespace().next().unwrap_or_default().to_owned();
                self.processes.entry(child).or_insert(process);
                return;
            }
            "open" => opened(here(0), at(1)),
            "openat" | "openat2" => opened(below(0, 1), at(2)),
            "creat" => opened(here(0), "O_WRONLY|O_CREAT|O_TRUNC"),
            "unlink" | "rmdir" => Some(Call::Remove(here(0))),
            "unlinkat" => Some(Call::Remove(below(0, 1))),
            "rename" => Some(Call::Rename(here(0), here(1))),
            "renameat" => Some(Call::Rename(below(0, 1), below(2, 3))),
            "renameat2" if at(4).contains("RENAME_EXCHANGE") => {
                Some(Call::Exchange(below(0, 1), below(2, 3)))
            }
            "renameat2" => Some(Call::Rename(below(0, 1), below(2, 3))),
            "truncate" => Some(Call::Truncate(here(0))),
            "ftruncate" => descriptor(at(0)).map(Call::Truncate),
            "mkdir" | "mknod" => Some(Call::Make(here(0))),
            "mkdirat" | "mknodat" => Some(Call::Make(below(0, 1))),
            "symlink" | "link" => Some(Call::Make(here(1))),
            "symlinkat" => Some(Call::Make(below(1, 2))),
            "linkat" => Some(Call::Make(below(2, 3))),
            "chmod" => Some(Call::Mode(here(0))),
            "fchmodat" => Some(Call::Mode(below(0, 1))),
            "fchmod" => descriptor(at(0)).map(Call::Mode),
            "chown" | "lchown" => Some(Call::Owner(here(0))),
            "fchownat" => Some(Call::Owner(below(0, 1))),
            "fchown" => descriptor(at(0)).map(Call::Owner),
            "connect" if at(1).contains("AF_INET") => Some(Call::Connect(at(1).to_owned())),
            _ => None,
        };
        if let Some(call) = call {
            let program = self.process(pid).program.clone();
            self.events.push(Event { program, call });
        }
    }
}

/// Splits the arguments of a call at its commas, up to its closing parenthesis.
fn arguments(rest: &str) -> Vec<String> {
    let (mut all, mut depth, mut in_string, mut escaped) = (vec![String::new()], 0_usize, false, false);
    let mut in_path = false;
    for char in rest.chars() {
        let Some(last) = all.last_mut() else { break };
        if in_string {
            last.push(char);
            in_string = escaped || char != '"';
            escaped = char == '\\' && !escaped;
            continue;
        }
        if in_path {
            last.push(char);
            in_path = char != '>';
            continue;
        }
        match char {
            '"' => in_string = true,
            '<' => in_path = true,
            '[' | '{' | '(' => depth += 1,
            ')' if depth == 0 => break,
            ']' | '}' | ')' => depth = depth.saturating_sub(1),
            ',' if depth == 0 => {
                all.push(String::new());
                continue;
            }
            ' ' if last.is_empty() => continue,
            _ => {}
        }
        last.push(char);
    }
    all
}

/// Returns what a call returned. The last ` = ` of a line is in front of it.
fn result(rest: &str) -> Option<&str> {
    rest.rfind(" = ").and_then(|place| rest.get(place + 3..))
}

/// Returns a string in quotes without them.
fn quoted(argument: &str) -> Option<String> {
    let inner = argument.strip_prefix('"')?;
    let inner = inner.strip_suffix('"').or_else(|| inner.strip_suffix("\"..."))?;
    let (mut bytes, mut rest) = (Vec::new(), inner.bytes().peekable());
    while let Some(byte) = rest.next() {
        if byte != b'\\' {
            bytes.push(byte);
            continue;
        }
        match rest.next()? {
            b'n' => bytes.push(b'\n'),
            b't' => bytes.push(b'\t'),
            b'r' => bytes.push(b'\r'),
            b'v' => bytes.push(11),
            b'f' => bytes.push(12),
            digit @ b'0'..=b'7' => {
                let mut value = u32::from(digit - b'0');
                for _ in 0..2 {
                    let Some(next) = rest.next_if(|next| matches!(next, b'0'..=b'7')) else { break };
                    value = value * 8 + u32::from(next - b'0');
                }
                bytes.push(u8::try_from(value).unwrap_or(b'?'));
            }
            other => bytes.push(other),
        }
    }
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// Returns the path of a descriptor: `3</path>`, `AT_FDCWD</path>`.
fn descriptor(argument: &str) -> Option<String> {
    let path = argument.split_once('<')?.1.strip_suffix('>')?;
    let path = path.strip_suffix(" (deleted)").unwrap_or(path);
    quoted(&format!("\"{}\"", path.replace('"', "\\\"")))
}

/// Makes a path absolute, without `.` and `..`.
pub(crate) fn absolute(directory: &str, path: &str) -> String {
    let whole = if path.starts_with('/') { path.to_owned() } else { format!("{directory}/{path}") };
    let mut steps: Vec<&str> = Vec::new();
    for step in whole.split('/') {
        match step {
            "" | "." => {}
            ".." => drop(steps.pop()),
            step => steps.push(step),
        }
    }
    format!("/{}", steps.join("/"))
}

pub(crate) fn base(path: &str) -> &str {
    path.rsplit('/').next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn calls(log: &str) -> Vec<Call> {
        let log = format!("1 unlink(\"{MARK}\") = -1 ENOENT (No such file or directory)\n{log}");
        read(&log).into_iter().map(|event| event.call).collect()
    }

    #[test]
    fn paths_are_absolute_whatever_they_are_relative_to() {
        let log = "1 chdir(\"/home/dev/proj\") = 0\n\
                   1 clone(child_stack=NULL, flags=SIGCHLD) = 2\n\
                   2 execve(\"/usr/bin/rm\", [\"rm\", \"a, b\"], 0x5 /* 3 vars */) = 0\n\
                   2 unlinkat(AT_FDCWD</home/dev/proj>, \"a, \\\"b\", 0) = 0\n\
                   2 unlinkat(5</home/dev/proj/x>, \"y\", AT_REMOVEDIR) = 0\n\
                   2 unlink(\"../z\") = 0\n\
                   2 unlink(\"gone\") = -1 ENOENT (No such file or directory)\n";
        let removed = |path: &str| Call::Remove(path.to_owned());
        let expected = [
            Call::Exec("/usr/bin/rm".to_owned()),
            removed("/home/dev/proj/a, \"b"),
            removed("/home/dev/proj/x/y"),
            removed("/home/dev/z"),
        ];
        assert_eq!(calls(log), expected);
    }

    #[test]
    fn calls_that_were_interrupted_are_whole_again() {
        let log = "1 openat(AT_FDCWD</p>, \"a\", O_WRONLY|O_CREAT|O_TRUNC, 0666 <unfinished ...>\n\
                   2 rename(\"/b\", \"/c\" <unfinished ...>\n\
                   1 <... openat resumed>) = 3</p/a>\n\
                   2 <... rename resumed>) = 0\n\
                   1 openat(AT_FDCWD</p>, \"r\", O_RDONLY) = 3</p/r>\n";
        let open = Call::Open { path: "/p/a".to_owned(), truncated: true, creates: true };
        assert_eq!(calls(log), [open, Call::Rename("/b".to_owned(), "/c".to_owned())]);
    }

    #[test]
    fn nothing_counts_before_the_mark() {
        assert_eq!(read("1 unlink(\"/a\") = 0\n"), []);
    }
}
